/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_pool.h - the connections of one thread for requests that we send and whose answers we read
 * ourselves.  libcurl makes them: it looks up names, connects, goes through proxies, does TLS and
 * verifies.  A plain one is taken from it then, and its bytes go through the system's calls; those
 * of one with TLS go through the library.  A connection is not tied to a slot; some stay idle. */
#ifndef NET_HTTP_POOL_H
#define NET_HTTP_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "net/http.h"
#include "net/http_host.h"
#include "net/http_multi.h"
#include "net/http_poll.h"

struct http_exchange;
struct http_pool;

struct http_connection {
    enum http_use use; /* first */
    struct http_pool *pool;
    struct http_host *host;
    struct http_exchange *exchange; /* whose request it is for; NULL: none */
    struct http_connection *next;   /* idle ones of the host, and those that are free */
    uint64_t idle_ns;               /* the clock when it became idle */
    uint32_t answers;               /* requests on it that were answered */
    CURL *easy;
    bool added; /* to the multi handle */
    bool open;  /* else it is being made */
    bool tls;
    bool ended;   /* the server sends nothing any more */
    bool drained; /* the last read has taken all that had come */
    bool again;   /* there may be more in the library, of which the system says nothing */
    int fd;       /* when open */
    int taken_fd; /* the library closes it, and we do not; -1: none */
    int socket_errno;
    unsigned wanted; /* HTTP_POLL_ bits */
    uint64_t *steps; /* counts sockets as progress of the request, while it is being made */
    char *carry;     /* the beginning of a line that is not complete */
    size_t carry_bytes, carry_room;
    char said[CURL_ERROR_SIZE];
};

struct http_pool {
    const struct http_config *config;
    struct http_poll *poll;
    struct http_multi *multi;
    struct http_hosts hosts;
    struct http_connection *connection;
    uint32_t count;
    struct http_connection *free;
    struct http_connection **by_fd; /* open ones by descriptor */
    size_t by_fd_room;
    uint32_t again_count;
};

void http_pool_init(struct http_pool *pool, const struct http_config *config,
                    struct http_poll *poll, struct http_multi *multi);
void http_pool_fini(struct http_pool *pool); /* closes all; fine when all is 0 */

/* Hot.  An idle connection that its server has not closed; NULL: there is none.  now_ns:
 * the clock. */
struct http_connection *http_pool_take(struct http_host *host, uint64_t now_ns);

/* Begins to make one, in place of the one that is idle longest where there are too many.  NULL: no
 * memory.  *steps is raised with each socket. */
struct http_connection *http_pool_connect(struct http_pool *pool, struct http_host *host,
                                          uint64_t *steps);

/* The library has made it: takes it over.  Returns 0 or -errno. */
int http_pool_made(struct http_connection *connection);

/* Hot.  It can be used again, from now_ns on. */
void http_pool_keep(struct http_connection *connection, uint64_t now_ns);
void http_pool_close(struct http_connection *connection);

/* Hot.  The open one with this descriptor, or NULL. */
static inline struct http_connection *http_pool_of(const struct http_pool *pool, int fd)
{
    return (size_t)fd < pool->by_fd_room ? pool->by_fd[fd] : NULL;
}

/* Something came on an idle one, or its server has closed it: then so do we. */
void http_pool_look(struct http_connection *connection);

/* Hot.  What is wanted of it: HTTP_POLL_ bits. */
int http_connection_want(struct http_connection *connection, unsigned wanted);

/* Hot.  At most the bytes of a record of TLS are sent there, of the first piece.  Return bytes,
 * -EAGAIN, or -errno with words in `said`; http_connection_receive also 0: the server has ended
 * it. */
ssize_t http_connection_send(struct http_connection *connection, const struct iovec *piece,
                             int count);
ssize_t http_connection_receive(struct http_connection *connection, void *into, size_t bytes);

#endif
