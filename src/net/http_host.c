/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_host.c - finds servers by URL prefix (see http_host.h). */
#include "base/compat.h"

#include "net/http_host.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* ---- proxies ---- */

bool http_host_proxied(const char *scheme)
{
    static const struct {
        const char *name, *scheme;
    } known_name[] = {{"http_proxy", "http"},
                      {"https_proxy", "https"},
                      {"HTTPS_PROXY", "https"},
                      {"all_proxy", NULL},
                      {"ALL_PROXY", NULL}};

    for (size_t i = 0; i < sizeof(known_name) / sizeof(*known_name); i++)
        if ((!scheme || !known_name[i].scheme || strcmp(scheme, known_name[i].scheme) == 0) &&
            getenv(known_name[i].name))
            return true;
    return false;
}

/* ---- hosts ---- */

void http_hosts_init(struct http_hosts *hosts, const struct http_config *config,
                     uint32_t most_users)
{
    hosts->config = config;
    hosts->count = most_users + 1;
    hosts->host = mem_calloc(hosts->count, sizeof(*hosts->host));
    hosts->last = 0;
    hosts->used = 0;
}

static void forget(struct http_host *host)
{
    free(host->origin);
    free(host->host);
    memset(host, 0, sizeof(*host));
}

void http_hosts_fini(struct http_hosts *hosts)
{
    for (uint32_t i = 0; i < hosts->count; i++)
        forget(&hosts->host[i]);
    free(hosts->host);
    hosts->host = NULL;
    hosts->count = 0;
}

/* Length of "http://name:port" at the start of the URL; 0: none, or in an unsupported form. */
static size_t origin_length(const char *url)
{
    const size_t scheme = strncmp(url, "http://", 7) == 0 ? 7 : strncmp(url, "https://", 8) ? 0 : 8;
    size_t length = scheme;

    if (scheme == 0)
        return 0;
    for (; url[length] != '/'; length++) {
        const unsigned char c = (unsigned char)url[length];

        if (c <= ' ' || c >= 127 || strchr("?#@\\%", c)) /* '\0' as well */
            return 0;
    }
    return length > scheme ? length : 0;
}

/* Whether it can be sent in a request line unchanged. */
static bool is_target(const char *target)
{
    for (; *target; target++)
        if (UNLIKELY((unsigned char)*target <= ' ' || *target == 127 || *target == '#'))
            return false;
    return true;
}

static char *host_field(const char *authority, bool tls)
{
    char *text = mem_strdup(authority), *port = strrchr(text, ':');

    if (port && !strchr(port, ']') && strcmp(port, tls ? ":443" : ":80") == 0)
        *port = '\0';
    return text;
}

/* Replaces the unused entry that was requested longest ago: there always is one. */
static COLD struct http_host *add_host(struct http_hosts *hosts, const char *url, size_t length)
{
    struct http_host *host = NULL;

    for (uint32_t i = 0; i < hosts->count; i++) {
        struct http_host *other = &hosts->host[i];

        if (other->users == 0 && (!host || other->used < host->used))
            host = other;
    }
    if (!host)
        return NULL;
    forget(host);
    host->origin = mem_printf("%.*s", (int)length, url);
    host->origin_bytes = length;
    host->tls = url[4] == 's';
    host->host = host_field(host->origin + (host->tls ? 8 : 7), host->tls);
    host->plain = !host->tls && !http_host_proxied("http");
    hosts->last = (uint32_t)(host - hosts->host);
    return host;
}

static COLD struct http_host *search(struct http_hosts *hosts, const char *url)
{
    const size_t length = origin_length(url);

    if (length == 0 || length > 1024)
        return NULL;
    for (uint32_t i = 0; i < hosts->count; i++) {
        struct http_host *host = &hosts->host[i];

        if (host->origin && host->origin_bytes == length &&
            memcmp(host->origin, url, length) == 0) {
            hosts->last = i;
            return host;
        }
    }
    return add_host(hosts, url, length);
}

struct http_host *http_hosts_find(struct http_hosts *hosts, const char *url, const char **target)
{
    struct http_host *host = &hosts->host[hosts->last];

    if (UNLIKELY(!host->origin || strncmp(url, host->origin, host->origin_bytes) != 0 ||
                 url[host->origin_bytes] != '/'))
        host = search(hosts, url);
    if (UNLIKELY(!host))
        return NULL;
    *target = url + host->origin_bytes;
    if (UNLIKELY(!is_target(*target)))
        return NULL;
    host->used = ++hosts->used;
    return host;
}
