/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_server.c - see http_server.h.  One thread accepts, one per connection serves. */
#include "base/compat.h"

#include "unit/http_server.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "unit/sockets.h"

#define HEAD_BYTES 8192
#define BODY_BYTES (1 << 20)

struct connection {
    struct http_server *server;
    int fd;
    unsigned served;
    char head[HEAD_BYTES + 1];
    size_t head_bytes, had_bytes; /* of the request; of the data read */
    char body[BODY_BYTES];
    size_t body_bytes;
};

static bool say_text(struct connection *c, const char *text)
{
    return send_all(c->fd, text, strlen(text));
}

static bool say_head(struct connection *c, unsigned status, uint64_t bytes)
{
    char text[128];

    snprintf(text, sizeof(text), "HTTP/1.1 %u X\r\nContent-Length: %llu\r\n\r\n", status,
             (unsigned long long)bytes);
    return say_text(c, text);
}

static bool say_bytes(struct connection *c, uint64_t count)
{
    char block[16384];

    for (uint64_t at = 0; at < count;) {
        size_t n = 0;
        while (n < sizeof(block) && at + n < count) {
            block[n] = http_server_byte(at + n);
            n++;
        }
        if (!send_all(c->fd, block, n))
            return false;
        at += n;
    }
    return true;
}

static bool say_chunked(struct connection *c, uint64_t count)
{
    char text[64];

    snprintf(text, sizeof(text), "%llx\r\n", (unsigned long long)count);
    return say_text(c, "HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n") &&
           say_text(c, text) && say_bytes(c, count) && say_text(c, "\r\n0\r\n\r\n");
}

static bool say_fields(struct connection *c)
{
    char tag[600];

    memset(tag, 'e', sizeof(tag) - 1);
    tag[sizeof(tag) - 1] = '\0';
    return say_text(c, "HTTP/1.1 100 Continue\r\nServer: not this\r\n\r\n") &&
           say_text(c, "HTTP/1.1 206 Partial\r\nDATE:  Fri, 24 May 2013 00:00:00 GMT \r\nETag: ") &&
           say_text(c, tag) &&
           say_text(c, "\r\nContent-Range: bytes 5-7/99\r\nx-amz-request-id:\tID\r\n"
                       "X-Amz-Bucket-Region: eu-west-1\r\nlocation: http://x/\r\n"
                       "x-amz-checksum-type: FULL_OBJECT\r\nx-amz-checksum-CRC32C: abc==\r\n"
                       "Set-Cookie: a=b; Path=/\r\nRetry-After: "
                       "3\r\nServer:Test\r\nX-Empty:\r\nContent-Length: 3\r\n\r\nabc");
}

static bool close_now(struct connection *c)
{
    (void)c;
    return false;
}

/* Sends the text after the question mark. */
static bool say_raw(struct connection *c, const char *path)
{
    const char *from = strchr(path, '?') + 1;
    char text[1024];
    size_t bytes = 0;

    for (; *from && bytes < sizeof(text); bytes++) {
        char digits[3] = {0};

        if (*from != '%') {
            text[bytes] = *from++;
            continue;
        }
        memcpy(digits, from + 1, 2);
        text[bytes] = (char)strtoul(digits, NULL, 16);
        from += 3;
    }
    return send_all(c->fd, text, bytes);
}

/* Waits until the client gives up. */
static bool stay_silent(struct connection *c)
{
    char unread[16384];

    __atomic_store_n(&c->server->seen, 1, __ATOMIC_SEQ_CST);
    while (recv(c->fd, unread, sizeof(unread), 0) > 0)
        ;
    return false;
}

/* Discards the rest of a body, so that the next request can follow. False: the client has given
 * up. */
static bool pass_over_body(struct connection *c)
{
    char unread[16384];
    size_t have = c->had_bytes - c->head_bytes;

    while (have < c->body_bytes) {
        const size_t rest = c->body_bytes - have;
        const ssize_t got = recv(c->fd, unread, rest < sizeof(unread) ? rest : sizeof(unread), 0);
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    c->had_bytes = 0;
    return true;
}

static void wait_for_release(struct connection *c)
{
    while (sem_wait(&c->server->release) < 0 && errno == EINTR)
        ;
}

static uint64_t number_after(const char *path, const char *prefix)
{
    return strtoull(path + strlen(prefix), NULL, 10);
}

static bool echo(struct connection *c)
{
    return say_head(c, 200, c->body_bytes) && send_all(c->fd, c->body, c->body_bytes);
}

#define IS(prefix) (strncmp(path, prefix, sizeof(prefix) - 1) == 0)

static bool answer_late(struct connection *c, const char *path)
{
    if (IS("/half")) {
        if (!say_head(c, 200, 4))
            return false;
        wait_for_release(c);
        return say_text(c, "late");
    }
    wait_for_release(c);
    return say_head(c, 200, 0);
}

/* False: close the connection. */
static bool answer_twice(struct connection *c)
{
    const bool on = say_head(c, 200, 2) && say_text(c, "ab") && usleep(100) == 0 &&
                    say_head(c, 200, 2) && say_text(c, "cd");

    atomic_fetch_add(&c->server->unasked, 1);
    return on;
}

static bool answer(struct connection *c, const char *path)
{
    if (strncmp(c->head, "CONNECT", 7) == 0) /* to itself */
        return say_text(c, "HTTP/1.1 200 OK\r\n\r\n");
    if (IS("/bytes/"))
        return say_head(c, 200, number_after(path, "/bytes/")) &&
               (strncmp(c->head, "HEAD", 4) == 0 || say_bytes(c, number_after(path, "/bytes/")));
    if (IS("/chunked/"))
        return say_chunked(c, number_after(path, "/chunked/"));
    if (IS("/echo"))
        return echo(c);
    if (IS("/status/")) {
        char text[32];
        snprintf(text, sizeof(text), "status %u", (unsigned)number_after(path, "/status/"));
        return say_head(c, (unsigned)number_after(path, "/status/"), strlen(text)) &&
               say_text(c, text);
    }
    if (IS("/fields"))
        return say_fields(c);
    if (IS("/cut/"))
        return say_head(c, 200, number_after(path, "/cut/")) &&
               say_bytes(c, number_after(path, "/cut/") / 2) && close_now(c);
    if (IS("/bye"))
        return say_head(c, 200, 0) && close_now(c);
    if (IS("/later"))
        return say_head(c, 200, 0) && usleep(100) == 0 && close_now(c);
    if (IS("/twice"))
        return answer_twice(c);
    if (IS("/drop"))
        return c->served > 0 ? close_now(c) : echo(c);
    if (IS("/junk"))
        return say_text(c, "SSH-2.0-x\r\n\r\n") && close_now(c);
    if (IS("/head?"))
        return say_raw(c, path);
    if (IS("/more"))
        return say_head(c, 200, 4) && say_text(c, "bodymore");
    if (IS("/hold") || IS("/half"))
        return answer_late(c, path);
    if (IS("/silent"))
        return stay_silent(c);
    return say_head(c, 200, c->head_bytes) &&
           send_all(c->fd, c->head, c->head_bytes); /* /request */
}

/* Reads until header and body are complete. */
static bool read_request(struct connection *c)
{
    char *end, *length;

    for (;;) {
        ssize_t got;
        c->head[c->had_bytes] = '\0';
        end = strstr(c->head, "\r\n\r\n");
        if (end)
            break;
        got = recv(c->fd, c->head + c->had_bytes, HEAD_BYTES - c->had_bytes, 0);
        if (got <= 0)
            return false;
        c->had_bytes += (size_t)got;
    }
    c->head_bytes = (size_t)(end - c->head) + 4;
    end[2] = '\0'; /* what follows is not part of the header */
    length = strcasestr(c->head, "\r\nContent-Length:");
    c->body_bytes = length ? (size_t)strtoull(length + 17, NULL, 10) : 0;
    end[2] = '\r';
    if (strstr(c->head, "/refuse HTTP")) {
        (void)(say_head(c, 403, 2) && say_text(c, "no"));
        return pass_over_body(c) && read_request(c);
    }
    if (strstr(c->head, "/accept HTTP")) {
        (void)say_text(c, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
        shutdown(c->fd, SHUT_WR);
        usleep(200000); /* a close with unread bytes may take the answer back */
        return false;
    }
    if (c->body_bytes > BODY_BYTES)
        return false;
    {
        size_t have = c->had_bytes - c->head_bytes;
        if (have > c->body_bytes)
            have = c->body_bytes;
        memcpy(c->body, c->head + c->head_bytes, have);
        while (have < c->body_bytes) {
            const ssize_t got = recv(c->fd, c->body + have, c->body_bytes - have, 0);
            if (got <= 0)
                return false;
            have += (size_t)got;
        }
    }
    c->had_bytes = 0; /* the client sends nothing before the answer */
    return true;
}

static void *serve(void *arg)
{
    struct connection *c = arg;

    while (read_request(c)) {
        char path[1024];
        const char *from = strchr(c->head, ' ') + 1;
        const size_t bytes = strcspn(from, " ");

        snprintf(path, sizeof(path), "%.*s", (int)bytes, from);
        atomic_fetch_add(&c->server->requests, 1);
        if (!answer(c, path))
            break;
        c->served++;
    }
    close(c->fd);
    atomic_fetch_sub(&c->server->open, 1);
    free(c);
    return NULL;
}

static void *accept_all(void *arg)
{
    struct http_server *server = arg;

    for (;;) {
        const int on = 1, fd = accept(server->fd, NULL, NULL);
        struct connection *c;
        pthread_attr_t detached;
        pthread_t thread;

        if (fd < 0 && errno == EMFILE) { /* a test has used up all descriptors for a moment */
            usleep(1000);
            continue;
        }
        if (fd < 0)
            return NULL;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        c = calloc(1, sizeof(*c));
        if (!c)
            abort();
        c->server = server;
        c->fd = fd;
        atomic_fetch_add(&server->open, 1);
        atomic_fetch_add(&server->connections, 1);
        pthread_attr_init(&detached);
        pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
        if (pthread_create(&thread, &detached, serve, c) != 0)
            abort();
        pthread_attr_destroy(&detached);
    }
}

bool http_server_start(struct http_server *server, int family)
{
    pthread_t thread;

    memset(server, 0, sizeof(*server));
    server->fd = bound_socket(family, &server->port);
    if (server->fd < 0)
        return false;
    sem_init(&server->release, 0, 0);
    if (listen(server->fd, 128) < 0 || pthread_create(&thread, NULL, accept_all, server) != 0)
        abort();
    server->thread = (unsigned long)thread;
    return true;
}

void http_server_stop(struct http_server *server)
{
    shutdown(server->fd, SHUT_RDWR); /* wakes the accepting thread */
    pthread_join((pthread_t)server->thread, NULL);
    while (atomic_load(&server->open) > 0)
        usleep(1000);
    close(server->fd);
    sem_destroy(&server->release);
}
