/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_server.h - a server in threads of the test's own on a free port of this host.  What it
 * answers is said by the path, so that tests need not agree with it about order:
 *
 *     /bytes/N        200, N bytes of http_server_byte
 *     /chunked/N      the same without Content-Length
 *     /echo           200, the body that came
 *     /request        200, the head that came, as it came
 *     /status/N       status N, body "status N"
 *     /fields         200, many header fields, some long; a 100 comes before it
 *     /cut/N          announces N bytes, sends half of them and closes
 *     /bye            200 and closes, without having said so
 *     /later          the same, but closes a moment later
 *     /twice          200, "ab", and a moment later the same again
 *     /drop           closes without an answer, unless it is the connection's first request; then
 *                     as /echo
 *     /junk           something that is not HTTP
 *     /head?TEXT      TEXT with %XX decoded, as it is
 *     /more           200, and bytes behind its body that nobody has asked for
 *     /refuse         403 before the body of the request has come; reads on until the end
 *     /hold           waits for http_server_release, then 200
 *     /half           sends its head, waits for http_server_release, then its body "late"
 *     /silent         never answers; raises `seen`
 */
#ifndef TESTS_HTTP_SERVER_H
#define TESTS_HTTP_SERVER_H

#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_server {
    int fd;
    unsigned port;
    atomic_uint connections; /* so many were accepted */
    atomic_uint open;        /* ... and are not closed yet */
    atomic_uint requests;
    atomic_uint unasked; /* so many second answers of /twice have left */
    volatile int seen;   /* /silent was asked for */
    sem_t release;
    unsigned long thread;
};

/* family: AF_INET or AF_INET6.  False when this host has none. */
bool http_server_start(struct http_server *server, int family);
/* All connections of the client must be closed. */
void http_server_stop(struct http_server *server);
void http_server_release(struct http_server *server); /* one request goes on */

/* What is at an offset of a body. */
static inline char http_server_byte(uint64_t offset)
{
    return (char)(offset * 7 + offset / 251);
}

#endif
