/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fake_http.c - the scripted server; see fake_http.h. */
#include "base/compat.h"

#include "unit/fake_http.h"

#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "unit/sockets.h"

struct service {
    struct fake_http *fake;
    int fd;
};

/* Reads a request up to its empty line, and what has arrived of its body, into text. */
static size_t read_head(int fd, char *text, size_t room, size_t *got)
{
    *got = 0;
    for (;;) {
        const char *end;
        const ssize_t more = recv(fd, text + *got, room - 1 - *got, 0);

        if (more <= 0)
            return 0;
        *got += (size_t)more;
        text[*got] = '\0';
        end = strstr(text, "\r\n\r\n");
        if (end)
            return (size_t)(end - text) + 4;
    }
}

static size_t content_length(const char *head)
{
    const char *line = strstr(head, "\r\n");

    for (; line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, "content-length:", 15) == 0)
            return (size_t)strtoull(line + 2 + 15, NULL, 10);
    return 0;
}

static bool read_request(int fd, struct fake_seen *seen)
{
    char text[16384];
    size_t got, head = read_head(fd, text, sizeof(text), &got), left;

    memset(seen, 0, sizeof(*seen));
    if (!head)
        return false;
    snprintf(seen->line, sizeof(seen->line), "%.*s", (int)strcspn(text, "\r"), text);
    snprintf(seen->head, sizeof(seen->head), "%.*s", (int)head, text);
    left = seen->body_bytes = content_length(text);
    for (;;) {
        const size_t here = got - head < left ? got - head : left;
        const size_t old = strlen(seen->body), room = sizeof(seen->body) - 1 - old;

        memcpy(seen->body + old, text + head, here < room ? here : room);
        left -= here;
        if (!left)
            return true;
        head = 0;
        const ssize_t more = recv(fd, text, sizeof(text), 0);
        if (more <= 0)
            return false;
        got = (size_t)more;
    }
}

static const struct fake_reply *choose(struct fake_http *fake, const struct fake_seen *seen)
{
    static const struct fake_reply none = {.status = "418 Not told", .body = ""};
    const struct fake_reply *found = &none;

    pthread_mutex_lock(&fake->lock);
    if (fake->seen_count < FAKE_HTTP_SEEN)
        fake->seen[fake->seen_count++] = *seen;
    for (unsigned i = 0; fake->reply[i].match; i++) {
        const struct fake_reply *reply = &fake->reply[i];

        if (!strstr(seen->line, reply->match) || (reply->times && fake->used[i] >= reply->times))
            continue;
        fake->used[i]++;
        found = reply;
        break;
    }
    pthread_mutex_unlock(&fake->lock);
    return found;
}

static bool answer(int fd, const struct fake_reply *reply, bool head_only)
{
    char text[2048];
    const size_t bytes = strlen(reply->body);

    snprintf(text, sizeof(text), "HTTP/1.1 %s\r\nContent-Length: %zu\r\n%s\r\n", reply->status,
             reply->announced ? reply->announced : bytes, reply->headers ? reply->headers : "");
    if (!send_all(fd, text, strlen(text)))
        return false;
    if (reply->wait_ms)
        (void)poll(NULL, 0, (int)reply->wait_ms);
    return (head_only || send_all(fd, reply->body, bytes)) && !reply->cut;
}

static void *serve(void *arg)
{
    struct service service = *(struct service *)arg;
    struct fake_seen seen;
    const int on = 1;

    free(arg);
    (void)setsockopt(service.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    while (read_request(service.fd, &seen) &&
           answer(service.fd, choose(service.fake, &seen), strncmp(seen.line, "HEAD", 4) == 0))
        ;
    (void)shutdown(service.fd, SHUT_RDWR); /* closed when the server stops */
    return NULL;
}

static void *take_connections(void *arg)
{
    struct fake_http *fake = arg;

    for (;;) {
        const int fd = accept(fake->listener, NULL, NULL);
        struct service *service;
        bool stopping;

        pthread_mutex_lock(&fake->lock);
        stopping = fake->stopping || fake->connections == FAKE_HTTP_CONNECTIONS;
        pthread_mutex_unlock(&fake->lock);
        if (fd < 0 || stopping) {
            if (fd >= 0)
                close(fd);
            return NULL;
        }
        service = malloc(sizeof(*service));
        if (!service)
            abort();
        *service = (struct service){fake, fd};
        pthread_mutex_lock(&fake->lock);
        fake->connection[fake->connections] = fd;
        if (pthread_create(&fake->server[fake->connections++], NULL, serve, service) != 0)
            abort();
        pthread_mutex_unlock(&fake->lock);
    }
}

void fake_http_start(struct fake_http *fake, const struct fake_reply *reply)
{
    memset(fake, 0, sizeof(*fake));
    pthread_mutex_init(&fake->lock, NULL);
    fake->reply = reply;
    fake->listener = bound_socket(AF_INET, &fake->port);
    if (fake->listener < 0 || listen(fake->listener, 64) < 0 ||
        pthread_create(&fake->thread, NULL, take_connections, fake) != 0)
        abort();
}

void fake_http_stop(struct fake_http *fake)
{
    pthread_mutex_lock(&fake->lock);
    fake->stopping = true;
    pthread_mutex_unlock(&fake->lock);
    (void)shutdown(fake->listener, SHUT_RDWR);
    pthread_join(fake->thread, NULL);
    for (unsigned i = 0; i < fake->connections; i++) {
        (void)shutdown(fake->connection[i], SHUT_RDWR);
        pthread_join(fake->server[i], NULL);
        close(fake->connection[i]);
    }
    close(fake->listener);
    pthread_mutex_destroy(&fake->lock);
}

unsigned fake_http_count(struct fake_http *fake, const char *match)
{
    const bool shared = !fake->stopping; /* else no thread is left, and no lock */
    unsigned count = 0;

    if (shared)
        pthread_mutex_lock(&fake->lock);
    for (unsigned i = 0; i < fake->seen_count; i++)
        count += strstr(fake->seen[i].line, match) != NULL;
    if (shared)
        pthread_mutex_unlock(&fake->lock);
    return count;
}
