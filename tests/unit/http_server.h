/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_server.h - a server in threads of the test on a free port of this host. The path determines
 * its answer, so that tests need not agree with it about the order of requests:
 *
 *     /bytes/N        200, N bytes of http_server_byte
 *     /chunked/N      the same without Content-Length
 *     /echo           200, the request's body
 *     /request        200, the request's header, unchanged
 *     /status/N       status N, body "status N"
 *     /fields         200, many header fields, some long; preceded by a 100
 *     /cut/N          announces N bytes, sends half of them and closes
 *     /bye            200 and closes, without announcing it
 *     /later          the same, but closes a moment later
 *     /twice          200, "ab", and a moment later the same again
 *     /drop           closes without an answer, unless it is the connection's first request; then
 *                     as /echo
 *     /junk           something that is not HTTP
 *     /head?TEXT      TEXT with %XX decoded, as it is
 *     /more           200, and extra bytes after its body
 *     /accept         200 without a length, and the end, before the request's body is read
 *     /refuse         403 before the request's body has arrived; reads on until the end
 *     /hold           waits for `release`, then 200
 *     /half           sends its header, waits for `release`, then its body "late"
 *     /silent         never answers; sets `seen` */
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
    atomic_uint connections; /* accepted so far */
    atomic_uint open;        /* ... and not closed yet */
    atomic_uint requests;
    atomic_uint unasked; /* second answers of /twice sent so far */
    volatile int seen;   /* /silent was requested */
    sem_t release;       /* a post lets one request continue */
    unsigned long thread;
};

/* family: AF_INET or AF_INET6. False if this host has none. */
bool http_server_start(struct http_server *server, int family);
/* All connections of the client must have been closed. */
void http_server_stop(struct http_server *server);

/* The byte at an offset of a body. */
static inline char http_server_byte(uint64_t offset)
{
    return (char)(offset * 7 + offset / 251);
}

#endif
