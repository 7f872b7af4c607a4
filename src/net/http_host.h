/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_host.h - the servers that one thread's requests go to, found by scheme, host and port of
 * URLs, and how each is accessed. */
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
    char *host;     /* for the Host field: without a default port */
    bool tls;       /* https:// */
    bool plain;     /* connections are plain: neither TLS nor a proxy */
    bool unasked;   /* it closed a connection after an answer, or sent more data, unannounced */
    uint64_t used;  /* sequence number of its last request */
    uint32_t users; /* its connections; in use while > 0 */
    struct http_connection *idle; /* most recently used first */
};

struct http_hosts {
    const struct http_config *config;
    struct http_host *host;
    uint32_t count;
    uint32_t last; /* index of the last request's host */
    uint64_t used;
};

/* most_users: in total over all hosts. */
void http_hosts_init(struct http_hosts *hosts, const struct http_config *config,
                     uint32_t most_users);
void http_hosts_fini(struct http_hosts *hosts); /* fine when all is 0 */

/* Hot. The server that a URL names; *target: the URL after the host. NULL if the URL cannot be sent
 * unchanged. */
struct http_host *http_hosts_find(struct http_hosts *hosts, const char *url, const char **target);

/* Whether the environment names a proxy: for "http" or "https"; NULL: for any. */
bool http_host_proxied(const char *scheme);

#endif
