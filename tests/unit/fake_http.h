/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake_http.h - a server on 127.0.0.1 with scripted answers: real sockets, but any failure at the
 * desired moment. One thread accepts connections, one serves each of them. */
#ifndef TESTS_FAKE_HTTP_H
#define TESTS_FAKE_HTTP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define FAKE_HTTP_SEEN        256u
#define FAKE_HTTP_CONNECTIONS 64u

/* An answer to requests whose line ("GET /b/key?query HTTP/1.1") contains `match`. */
struct fake_reply {
    const char *match;   /* NULL: end of the list */
    const char *status;  /* "200 OK" */
    const char *headers; /* whole lines with line ends, or NULL */
    const char *body;
    unsigned times;   /* number of requests that get it; 0: all further ones */
    unsigned wait_ms; /* between headers and body */
    size_t announced; /* false Content-Length; 0: the true one */
    bool cut;         /* closes the connection after the answer */
};

struct fake_seen {
    char line[512];
    char head[2048]; /* request line and fields, as far as they fit */
    char body[512];  /* its beginning, terminated */
    size_t body_bytes;
};

struct fake_http {
    int listener;
    unsigned port;
    pthread_t thread;
    pthread_mutex_t lock; /* protects everything below */
    const struct fake_reply *reply;
    unsigned used[32]; /* per reply */
    struct fake_seen seen[FAKE_HTTP_SEEN];
    unsigned seen_count;
    bool stopping;
    pthread_t server[FAKE_HTTP_CONNECTIONS];
    int connection[FAKE_HTTP_CONNECTIONS];
    unsigned connections;
};

/* reply: ended by match NULL; requests without a match get 418. */
void fake_http_start(struct fake_http *fake, const struct fake_reply *reply);
void fake_http_stop(struct fake_http *fake);

/* The number of requests with `match` in their line; also after the server has stopped. */
unsigned fake_http_count(struct fake_http *fake, const char *match);

#endif
