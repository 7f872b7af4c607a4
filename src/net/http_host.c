/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_host.c - servers by the beginning of URLs (see http_host.h).  Which of them speak HTTP/2 is
 * found out once in a process: HTTP_VERSION_AUTO takes it where TLS offers it. */
#include "base/compat.h"

#include "net/http_host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "net/http_handle.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define KNOWN_MOST 64 /* what more servers speak is found out again */

/* ---- what is known of servers with TLS ---- */

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    char *origin;
    bool http2;
} known[KNOWN_MOST];
static unsigned known_next;

static bool is_known(const char *origin, bool *http2)
{
    bool found = false;

    pthread_mutex_lock(&known_lock);
    for (unsigned i = 0; i < KNOWN_MOST && !found; i++)
        if (known[i].origin && strcmp(known[i].origin, origin) == 0) {
            *http2 = known[i].http2;
            found = true;
        }
    pthread_mutex_unlock(&known_lock);
    return found;
}

static void keep_known(const char *origin, bool http2)
{
    unsigned at;

    pthread_mutex_lock(&known_lock);
    for (at = 0; at < KNOWN_MOST; at++)
        if (known[at].origin && strcmp(known[at].origin, origin) == 0)
            break;
    if (at == KNOWN_MOST) {
        at = known_next++ % KNOWN_MOST;
        free(known[at].origin);
        known[at].origin = mem_strdup(origin);
    }
    known[at].http2 = http2;
    pthread_mutex_unlock(&known_lock);
}

void http_host_learn(struct http_host *host, unsigned version)
{
    if (!host->asks_alpn || version < 10)
        return;
    host->asks_alpn = false;
    host->by_library = version >= 20;
    keep_known(host->origin, host->by_library);
}

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

/* Through a proxy plain HTTP is asked for in another form: the library knows it. */
static void choose_way(struct http_host *host, const struct http_config *config)
{
    bool http2;

    host->by_library = config->by_library || config->version == HTTP_VERSION_2 ||
                       (!host->tls && http_host_proxied("http"));
    if (host->by_library || !host->tls || config->version == HTTP_VERSION_1_1 ||
        !http_handle_library()->http2)
        return;
    host->asks_alpn = !is_known(host->origin, &http2);
    host->by_library = host->asks_alpn || http2;
}

/* Another thread may have found out. */
static COLD void look_again(struct http_host *host)
{
    bool http2;

    if (!is_known(host->origin, &http2))
        return;
    host->asks_alpn = false;
    host->by_library = http2;
}

/* How long "http://name:port" is that the URL begins with; 0: it does not, or not as we know it. */
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

/* What can stand in a request as it is. */
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

/* Replaces the one that nobody uses and was asked for longest ago: there always is one. */
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
    choose_way(host, hosts->config);
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
    if (UNLIKELY(host->asks_alpn))
        look_again(host);
    host->used = ++hosts->used;
    return host;
}
