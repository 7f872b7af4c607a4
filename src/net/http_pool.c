/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_pool.c - connections (see http_pool.h). With CURLOPT_CONNECT_ONLY libcurl only connects. A
 * plain connection is kept when its handle is removed: libcurl then merely calls close_socket. Any
 * other belongs to its handle, which stays added. */
#include "base/compat.h"

#include "net/http_pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "net/http_reader.h"
#include "os/socket.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define FRESH_NS   1000000   /* about the time of one turn over a thread's connections */
#define CLOSING_NS 100000000 /* a server that closes sooner did not wait for another request */
#define LOOK_FIRST 8         /* a connection is checked before each of its first uses ... */
#define LOOK_EACH  16        /* ... and then before one in this many */

/* ---- servers ---- */

static void forget_host(struct http_host *host)
{
    free(host->origin);
    free(host->host);
    memset(host, 0, sizeof(*host));
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

/* Finds the server, or takes the unused entry that was requested longest ago: there always is one.
 * NULL: the URL names none. */
static COLD struct http_host *search_host(struct http_pool *pool, const char *url)
{
    const size_t length = origin_length(url);
    struct http_host *host = NULL;

    if (length == 0 || length > 1024)
        return NULL;
    for (struct http_host *at = pool->host; at < pool->host + pool->hosts; at++) {
        if (at->origin && at->origin_bytes == length && memcmp(at->origin, url, length) == 0)
            return at;
        if (at->users == 0 && (!host || at->used < host->used))
            host = at;
    }
    if (!host)
        return NULL;
    forget_host(host);
    host->origin = mem_printf("%.*s", (int)length, url);
    host->origin_bytes = length;
    host->tls = url[4] == 's';
    host->host = host_field(host->origin + (host->tls ? 8 : 7), host->tls);
    host->plain =
        !host->tls && !getenv("http_proxy") && !getenv("all_proxy") && !getenv("ALL_PROXY");
    return host;
}

struct http_host *http_pool_host(struct http_pool *pool, const char *url, const char **target)
{
    struct http_host *host = &pool->host[pool->last_host];

    if (UNLIKELY(!host->origin || strncmp(url, host->origin, host->origin_bytes) != 0 ||
                 url[host->origin_bytes] != '/'))
        host = search_host(pool, url);
    if (UNLIKELY(!host))
        return NULL;
    pool->last_host = (uint32_t)(host - pool->host);
    *target = url + host->origin_bytes;
    if (UNLIKELY(!is_target(*target)))
        return NULL;
    host->used = ++pool->used;
    return host;
}

/* ---- libcurl's callbacks ---- */

static curl_socket_t open_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct http_connection *connection = arg;
    const int fd = os_socket_open(address->family, address->socktype, address->protocol);

    (void)purpose;
    if (fd < 0) {
        connection->socket_errno = errno;
        return CURL_SOCKET_BAD;
    }
    connection->socket_errno = 0; /* another address of the server could be tried */
    if (connection->steps)
        ++*connection->steps;
    return (curl_socket_t)fd;
}

static int close_socket(void *arg, curl_socket_t socket)
{
    struct http_connection *connection = arg;
    const int fd = (int)socket;

    if (fd == connection->taken_fd) {
        connection->taken_fd = -1;
        return 0;
    }
    if (http_pool_of(connection->pool, fd) == connection)
        connection->pool->by_fd[fd] = NULL;
    http_poll_want(connection->pool->poll, fd, 0);
    return os_socket_close(fd);
}

/* ---- life ---- */

void http_pool_init(struct http_pool *pool, const struct http_config *config,
                    struct http_poll *poll, struct http_multi *multi)
{
    pool->config = config;
    pool->poll = poll;
    pool->multi = multi;
    pool->count = 2 * config->slots + 1;
    pool->connection = mem_calloc(pool->count, sizeof(*pool->connection));
    for (uint32_t i = pool->count; i-- > 0;) {
        struct http_connection *connection = &pool->connection[i];

        connection->pool = pool;
        connection->fd = connection->taken_fd = -1;
        connection->next = pool->free;
        pool->free = connection;
    }
    pool->hosts = pool->count + config->slots + 1;
    pool->host = mem_calloc(pool->hosts, sizeof(*pool->host));
    pool->buffer_bytes = multi->buffer_bytes;
    pool->buffer = mem_calloc(HTTP_LINE_BYTES + pool->buffer_bytes, 1);
}

void http_pool_fini(struct http_pool *pool)
{
    for (uint32_t i = 0; i < pool->count; i++) {
        struct http_connection *connection = &pool->connection[i];

        if (connection->host)
            http_pool_close(connection);
        curl_easy_cleanup(connection->easy); /* NULL is fine */
        free(connection->carry);
    }
    for (uint32_t i = 0; i < pool->hosts; i++)
        forget_host(&pool->host[i]);
    free(pool->host);
    free(pool->connection);
    free(pool->by_fd);
    free(pool->buffer);
    memset(pool, 0, sizeof(*pool));
}

static COLD bool set_up(struct http_connection *connection)
{
    CURL *easy = curl_easy_init();

    if (!easy)
        return false;
    connection->easy = easy;
    http_multi_set(connection->pool->multi, easy);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, connection);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, connection->said);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, connection);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, connection);
    curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    /* the connection is kept by this code, and must be a new one */
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    return true;
}

/* ---- connecting ---- */

static COLD void close_oldest(struct http_pool *pool)
{
    struct http_connection *oldest = NULL;

    for (uint32_t i = 0; i < pool->count; i++) {
        struct http_connection *connection = &pool->connection[i];

        if (connection->host && !connection->exchange &&
            (!oldest || connection->idle_ns < oldest->idle_ns))
            oldest = connection;
    }
    if (oldest)
        http_pool_close(oldest);
}

struct http_connection *http_pool_connect(struct http_pool *pool, struct http_host *host,
                                          uint64_t *steps)
{
    struct http_connection *connection;

    if (!pool->free)
        close_oldest(pool);
    connection = pool->free;
    if (!connection || (!connection->easy && !set_up(connection)))
        return NULL;
    connection->said[0] = '\0';
    connection->socket_errno = 0;
    connection->steps = steps;
    connection->plain = host->plain;
    connection->answers = 0;
    connection->open = connection->again = false;
    connection->ended = connection->drained = false;
    connection->carry_bytes = 0;
    connection->wanted = 0;
    if (curl_easy_setopt(connection->easy, CURLOPT_URL, host->origin) != CURLE_OK)
        return NULL;
    pool->free = connection->next;
    connection->next = NULL;
    connection->host = host;
    host->users++;
    connection->added = true;
    if (http_multi_add(pool->multi, connection->easy) < 0) {
        connection->added = false;
        http_pool_close(connection);
        return NULL;
    }
    return connection;
}

int http_pool_made(struct http_connection *connection)
{
    struct http_pool *pool = connection->pool;
    const size_t before = pool->by_fd_room;
    curl_socket_t socket = CURL_SOCKET_BAD;

    if (curl_easy_getinfo(connection->easy, CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK ||
        socket == CURL_SOCKET_BAD)
        return -EIO;
    if (connection->plain) {
        connection->taken_fd = (int)socket;
        http_multi_remove(pool->multi, connection->easy);
        connection->added = false;
        if (connection->taken_fd >= 0) { /* libcurl has kept the socket */
            connection->taken_fd = -1;
            return -EIO;
        }
    }
    connection->fd = (int)socket;
    connection->open = true;
    connection->steps = NULL;
    if ((size_t)connection->fd >= before) {
        pool->by_fd = mem_grow(pool->by_fd, &pool->by_fd_room, (size_t)connection->fd + 1,
                               sizeof(*pool->by_fd));
        memset(pool->by_fd + before, 0, (pool->by_fd_room - before) * sizeof(*pool->by_fd));
    }
    pool->by_fd[connection->fd] = connection;
    http_connection_want(connection, HTTP_POLL_READ);
    return 0;
}

/* ---- keeping and closing ---- */

void http_pool_keep(struct http_connection *connection, uint64_t now_ns)
{
    struct http_host *host = connection->host;

    connection->exchange = NULL;
    connection->answers++;
    connection->idle_ns = now_ns;
    connection->next = host->idle;
    host->idle = connection;
}

static void leave_idle(struct http_connection *connection)
{
    struct http_connection **at = &connection->host->idle;

    while (*at && *at != connection)
        at = &(*at)->next;
    if (*at)
        *at = connection->next;
}

void http_pool_close(struct http_connection *connection)
{
    struct http_pool *pool = connection->pool;

    leave_idle(connection);
    if (connection->again)
        pool->again_count--;
    connection->again = false;
    if (connection->added)
        http_multi_remove(pool->multi, connection->easy); /* closes it */
    else if (connection->fd >= 0)
        (void)close_socket(connection, (curl_socket_t)connection->fd);
    connection->added = connection->open = false;
    connection->fd = -1;
    connection->exchange = NULL;
    connection->host->users--;
    connection->host = NULL;
    connection->next = pool->free;
    pool->free = connection;
}

/* ---- send, receive ---- */

void http_connection_want(struct http_connection *connection, unsigned wanted)
{
    if (connection->wanted != wanted)
        http_poll_want(connection->pool->poll, connection->fd, wanted);
    connection->wanted = wanted;
}

static COLD ssize_t broken(struct http_connection *connection, const char *what, int errnum)
{
    if (errnum == EAGAIN || errnum == EINTR)
        return -EAGAIN;
    snprintf(connection->said, sizeof(connection->said), "%s failure: %s", what, strerror(errnum));
    return -errnum;
}

static COLD ssize_t broken_tls(struct http_connection *connection, CURLcode result, int otherwise)
{
    long errnum = 0;

    curl_easy_getinfo(connection->easy, CURLINFO_OS_ERRNO, &errnum);
    errnum = os_socket_errno(errnum);
    if (!connection->said[0])
        snprintf(connection->said, sizeof(connection->said), "%s", curl_easy_strerror(result));
    return errnum == ECONNRESET || errnum == EPIPE || errnum == ETIMEDOUT ? -errnum : -otherwise;
}

ssize_t http_connection_send(struct http_connection *connection, const struct iovec *piece,
                             int count)
{
    ssize_t sent;

    if (!connection->plain) {
        const size_t bytes =
            piece->iov_len < HTTP_RECORD_BYTES ? piece->iov_len : HTTP_RECORD_BYTES;
        size_t done = 0;
        const CURLcode result = curl_easy_send(connection->easy, piece->iov_base, bytes, &done);

        if (result == CURLE_OK)
            return (ssize_t)done;
        return result == CURLE_AGAIN ? -EAGAIN : broken_tls(connection, result, EPIPE);
    }
    sent = os_socket_send(connection->fd, piece, count);
    return sent >= 0 ? sent : broken(connection, "Send", (int)-sent);
}

ssize_t http_connection_receive(struct http_connection *connection, void *into, size_t bytes)
{
    ssize_t got;

    if (!connection->plain) {
        size_t done = 0;
        const CURLcode result = curl_easy_recv(connection->easy, into, bytes, &done);

        if (result == CURLE_OK)
            return (ssize_t)done;
        return result == CURLE_AGAIN ? -EAGAIN : broken_tls(connection, result, ECONNRESET);
    }
    got = os_socket_receive(connection->fd, into, bytes);
    return got >= 0 ? got : broken(connection, "Recv", (int)-got);
}

/* ---- idle connections ---- */

/* Checks for unrequested data: -EAGAIN: none, the connection is usable; else bytes, or its end. */
static ssize_t see_unasked(struct http_connection *connection)
{
    char byte;

    if (!connection->plain) /* libcurl may read session tickets, which it consumes */
        return http_connection_receive(connection, &byte, 1);
    return os_socket_peek(connection->fd);
}

void http_pool_look(struct http_connection *connection)
{
    const ssize_t got = see_unasked(connection);

    if (got == -EAGAIN)
        return;
    if (got > 0 || clock_monotonic_ns() - connection->idle_ns < CLOSING_NS)
        connection->host->unasked = true;
    http_pool_close(connection);
}

/* A connection found empty and open a moment ago is not checked again: that costs a system call and
 * would only shorten the window in which the server may close it, or send data, unnoticed. Servers
 * that do this are detected by occasional checks; from then on every use is checked. */
static bool is_fresh(const struct http_connection *connection, uint64_t now_ns)
{
    return connection->drained && now_ns - connection->idle_ns < FRESH_NS &&
           connection->answers > LOOK_FIRST && connection->answers % LOOK_EACH != 0 &&
           !connection->host->unasked && POLLRDHUP != 0;
}

struct http_connection *http_pool_take(struct http_host *host, uint64_t now_ns)
{
    struct http_connection *connection;

    while ((connection = host->idle) != NULL) {
        if (UNLIKELY(!is_fresh(connection, now_ns)))
            http_pool_look(connection); /* closes it if it is unusable */
        if (UNLIKELY(host->idle != connection))
            continue;
        host->idle = connection->next;
        connection->next = NULL;
        return connection;
    }
    return NULL;
}
