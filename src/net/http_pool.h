/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_pool.h - one thread's connections. libcurl makes them: it resolves names, connects, goes
 * through proxies, does TLS and verifies certificates. A plain connection is then taken from it and
 * uses system calls directly; one with TLS or a proxy sends and receives through libcurl.
 * Connections are not tied to slots; some stay idle. */
#ifndef NET_HTTP_POOL_H
#define NET_HTTP_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "net/http.h"
#include "net/http_curl.h"

#define HTTP_RECORD_BYTES ((size_t)16 << 10) /* largest TLS record */

struct http_exchange;
struct http_pool;
struct http_connection;

struct http_host { /* a server: scheme, host and port of URLs, and how it is accessed */
    char *origin;  /* "https://name:port"; NULL: this entry is free */
    size_t origin_bytes;
    char *host;     /* for the Host field: without a default port */
    bool tls;       /* https:// */
    bool plain;     /* connections are plain: neither TLS nor a proxy */
    bool unasked;   /* it closed a connection after an answer, or sent more data, unannounced */
    uint64_t used;  /* sequence number of its last request */
    uint32_t users; /* its connections; in use while > 0 */
    struct http_connection *idle; /* most recently used first */
};

struct http_connection {
    struct http_pool *pool;
    struct http_host *host;
    struct http_exchange *exchange; /* that it serves; NULL: none */
    struct http_connection *next;   /* in the host's idle list, or in the free list */
    uint64_t idle_ns;               /* time when it became idle */
    uint32_t answers;               /* requests answered on it */
    CURL *easy;
    bool added;   /* to the multi handle */
    bool open;    /* else it is being made */
    bool plain;   /* else libcurl sends and receives */
    bool ended;   /* the server has finished sending */
    bool drained; /* the last read took everything received */
    bool again;   /* libcurl may hold more data, which polling does not report */
    int fd;       /* when open */
    int taken_fd; /* libcurl closes it, this code does not; -1: none */
    int socket_errno;
    unsigned wanted; /* HTTP_POLL_ bits */
    uint64_t *steps; /* counts sockets as progress of the request while connecting */
    char *carry;     /* the beginning of an incomplete line */
    size_t carry_bytes, carry_room;
    char said[CURL_ERROR_SIZE];
};

struct http_pool {
    const struct http_config *config;
    struct http_poll *poll;
    struct http_multi *multi;
    struct http_host *host; /* more than connections and slots, so that one is unused */
    uint32_t hosts;
    uint32_t last_host; /* index of the last request's */
    uint64_t used;
    struct http_connection *connection;
    uint32_t count;
    struct http_connection *free;
    struct http_connection **by_fd; /* open ones by descriptor */
    size_t by_fd_room;
    uint32_t again_count;
    char *buffer; /* received bytes that have no destination yet */
    size_t buffer_bytes;
};

void http_pool_init(struct http_pool *pool, const struct http_config *config,
                    struct http_poll *poll, struct http_multi *multi);
void http_pool_fini(struct http_pool *pool); /* closes all; fine when all is 0 */

/* Hot. The server that a URL names; *target: the URL after the host. NULL if the URL cannot be sent
 * unchanged. */
struct http_host *http_pool_host(struct http_pool *pool, const char *url, const char **target);

/* Hot. An idle connection that its server has not closed; NULL: none. now_ns: the current time. */
struct http_connection *http_pool_take(struct http_host *host, uint64_t now_ns);

/* Begins to make a connection; closes the longest idle one if there are too many. NULL: no memory.
 * *steps is incremented for each socket. */
struct http_connection *http_pool_connect(struct http_pool *pool, struct http_host *host,
                                          uint64_t *steps);

/* Takes over a connection that libcurl has made. Returns 0 or -errno. */
int http_pool_made(struct http_connection *connection);

/* Hot. Makes the connection available again from now_ns on. */
void http_pool_keep(struct http_connection *connection, uint64_t now_ns);
void http_pool_close(struct http_connection *connection);

/* Hot. The open connection with this descriptor, or NULL. */
static inline struct http_connection *http_pool_of(const struct http_pool *pool, int fd)
{
    return (size_t)fd < pool->by_fd_room ? pool->by_fd[fd] : NULL;
}

/* Handles data or an end on an idle connection: closes it. */
void http_pool_look(struct http_connection *connection);

/* Hot. Sets the events wanted: HTTP_POLL_ bits. */
void http_connection_want(struct http_connection *connection, unsigned wanted);

/* Hot. Sending takes at most one TLS record of the first piece unless it is plain. Return bytes,
 * -EAGAIN, or -errno with text in `said`; http_connection_receive also 0: closed by the server. */
ssize_t http_connection_send(struct http_connection *connection, const struct iovec *piece,
                             int count);
ssize_t http_connection_receive(struct http_connection *connection, void *into, size_t bytes);

#endif
