/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_host.h - the servers that the requests of one thread go to, by the beginning of their URLs,
 * and how each is spoken to. */
#ifndef NET_HTTP_HOST_H
#define NET_HTTP_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/http.h"

struct http_connection;

struct http_host {
    char *origin; /* "https://name:port"; NULL: this entry is free */
    size_t origin_bytes;
    char *host;      /* for the header field: without the port that goes without saying */
    bool tls;        /* https:// */
    bool by_library; /* libcurl makes its requests as a whole */
    bool unasked;    /* it has closed a connection behind an answer, or said more, unasked */
    uint64_t used;   /* a count of requests: when it was last asked for */
    uint32_t users;  /* its connections, and requests of the library: it stays while there are */
    struct http_connection *idle; /* the one that was used last is first */
};

struct http_hosts {
    const struct http_config *config;
    struct http_host *host;
    uint32_t count;
    uint32_t last; /* the one of the last request */
    uint64_t used;
};

/* most_users: of all hosts together. */
void http_hosts_init(struct http_hosts *hosts, const struct http_config *config,
                     uint32_t most_users);
void http_hosts_fini(struct http_hosts *hosts); /* fine when all is 0 */

/* Hot.  The server that a URL names, and what follows it in the URL, *target.  NULL when the URL is
 * not one that can be sent as it is: the library is to judge it. */
struct http_host *http_hosts_find(struct http_hosts *hosts, const char *url, const char **target);

/* The environment names a proxy: for "http" or "https"; NULL: for any. */
bool http_host_proxied(const char *scheme);

#endif
