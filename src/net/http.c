/* SPDX-License-Identifier: GPL-2.0-or-later */
/* http.c - many requests at a time (see http.h): one multi handle of libcurl per thread, which is
 * told by us which sockets are ready (http_poll.h), and one handle per slot (http_handle.h).
 *
 * A request leaves once.  Where a connection from the pool turns out to be closed before any byte
 * of the answer came, libcurl would send the request again on another one, up to five times; it is
 * kept from that (http_handle.c), since each request that leaves is counted, paid for and part of a
 * latency: such a request has failed, and who asked may repeat it.  That an idle connection was
 * closed before it is used is seen in time, and a new one is opened.  No redirect is followed.
 * Names are kept for a minute and TLS sessions are resumed, also for `reconnect`, as by any client.
 */
#include "base/compat.h"

#include "net/http.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/mem.h"
#include "net/http_handle.h"
#include "net/http_poll.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define EVENTS_MAX   64
#define NS_PER_MS    UINT64_C(1000000)
#define LOOK_NS_MAX  (1000 * NS_PER_MS) /* between two looks at requests without progress */
#define LOOK_NS_MIN  (10 * NS_PER_MS)
#define STOP_LOOK_NS (50 * NS_PER_MS) /* of http_perform at the stop flag */

enum http_phase { IDLE, UNDER_WAY, DONE };

struct slot {
    struct http_handle handle;
    enum http_phase phase;
};

struct http {
    CURLM *multi;
    struct http_poll poll;
    struct http_config config;
    char *ca_file;
    bool timer_set;
    uint64_t timer_ns; /* when libcurl wants to be called; 0: now */
    uint64_t look_ns;  /* when requests were last looked at */
    uint32_t under_way;
    uint32_t *done; /* a ring of slots that http_wait has yet to give */
    uint32_t done_first, done_count;
    struct slot slot[];
};

/* ---- what libcurl calls ---- */

static int want_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *unused)
{
    struct http *http = arg;
    unsigned wanted = 0;

    (void)easy, (void)unused;
    if (what == CURL_POLL_IN || what == CURL_POLL_INOUT)
        wanted |= HTTP_POLL_READ;
    if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT)
        wanted |= HTTP_POLL_WRITE;
    return http_poll_want(&http->poll, fd, wanted) < 0 ? -1 : 0;
}

static int want_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct http *http = arg;

    (void)multi;
    http->timer_set = timeout_ms >= 0;
    http->timer_ns = timeout_ms > 0 ? clock_monotonic_ns() + (uint64_t)timeout_ms * NS_PER_MS : 0;
    return 0;
}

/* ---- life ---- */

const char *http_library(void)
{
    return http_handle_library()->name;
}

static int make_multi(struct http *http)
{
    http->multi = curl_multi_init();
    if (!http->multi)
        return -1;
    http->timer_set = false;
    curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
    curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, want_timer);
    curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
    curl_multi_setopt(http->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
    curl_multi_setopt(http->multi, CURLMOPT_MAXCONNECTS, (long)http->config.slots + 1);
    return 0;
}

static int check_config(const struct http_config *config, struct error *err)
{
    const struct http_facts *library = http_handle_library();

    if (!library->ready)
        return error_set(err, STATUS_TARGET, 0, "cannot initialise", library->name);
    if (config->version == HTTP_VERSION_2 && !library->http2)
        return error_refuse(err, STATUS_TARGET, "HTTP/2 is not built into", library->name,
                            "use HTTP/1.1");
    if (config->ca_file) {
        const int fd = open(config->ca_file, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            error_set(err, STATUS_TARGET, errno, "cannot read certificates in", config->ca_file);
            return error_advise(err, "name a readable file in PEM form");
        }
        close(fd);
    }
    return 0;
}

int http_create(const struct http_config *config, struct http **out, struct error *err)
{
    struct http *http;
    int result;

    if (check_config(config, err) < 0)
        return -1;
    http = mem_calloc(1, sizeof(*http) + config->slots * sizeof(http->slot[0]));
    http->config = *config;
    http->ca_file = config->ca_file ? mem_strdup(config->ca_file) : NULL;
    http->config.ca_file = http->ca_file;
    http->done = mem_calloc(config->slots, sizeof(*http->done));
    http->look_ns = clock_monotonic_ns();
    result = http_poll_init(&http->poll);
    if (result < 0) {
        error_set(err, STATUS_TARGET, -result, "cannot wait for connections", NULL);
        http_destroy(http);
        return -1;
    }
    result = make_multi(http);
    for (uint32_t i = 0; result == 0 && i < config->slots; i++)
        result = http_handle_init(&http->slot[i].handle, &http->config, &http->poll);
    if (result < 0) {
        http_destroy(http);
        return error_set(err, STATUS_TARGET, ENOMEM, "cannot set up", http_library());
    }
    *out = http;
    return 0;
}

void http_destroy(struct http *http)
{
    if (!http)
        return;
    for (uint32_t i = 0; i < http->config.slots; i++) {
        if (http->slot[i].phase == UNDER_WAY)
            curl_multi_remove_handle(http->multi, http->slot[i].handle.easy);
        http_handle_fini(&http->slot[i].handle);
    }
    curl_multi_cleanup(http->multi); /* closes connections, NULL is fine */
    http_poll_fini(&http->poll);
    free(http->done);
    free(http->ca_file);
    free(http);
}

/* ---- requests: hot ---- */

static void run_timer(struct http *http)
{
    int running;

    http->timer_set = false;
    curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
}

int http_begin(struct http *http, uint32_t index, const struct http_request *request)
{
    struct slot *slot;
    int result;

    if (UNLIKELY(index >= http->config.slots))
        return -EINVAL;
    slot = &http->slot[index];
    if (UNLIKELY(slot->phase != IDLE))
        return -EBUSY;
    result = http_handle_prepare(&slot->handle, request);
    if (UNLIKELY(result < 0))
        return result;
    if (UNLIKELY(curl_multi_add_handle(http->multi, slot->handle.easy) != CURLM_OK))
        return -ENOMEM;
    slot->phase = UNDER_WAY;
    http->under_way++;
    if (http->timer_set && http->timer_ns == 0) /* sends it now, where a connection is open */
        run_timer(http);
    return 0;
}

/* The slot's request is over and its answer complete. */
static void put_done(struct http *http, struct slot *slot)
{
    uint32_t last = http->done_first + http->done_count;

    curl_multi_remove_handle(http->multi, slot->handle.easy);
    if (last >= http->config.slots)
        last -= http->config.slots;
    slot->phase = DONE;
    http->done[last] = (uint32_t)(slot - http->slot);
    http->done_count++;
}

static unsigned take_done(struct http *http, uint32_t *index, unsigned max)
{
    unsigned taken = 0;

    while (taken < max && http->done_count > 0) {
        const uint32_t done = http->done[http->done_first];

        if (++http->done_first == http->config.slots)
            http->done_first = 0;
        http->done_count--;
        http->under_way--;
        http->slot[done].phase = IDLE;
        index[taken++] = done;
    }
    return taken;
}

static void collect(struct http *http)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(http->multi, &left)) != NULL) {
        char *handle = NULL;
        struct slot *slot;

        if (message->msg != CURLMSG_DONE)
            continue;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &handle);
        slot = (struct slot *)(void *)handle; /* the handle is its first member */
        http_handle_finish(&slot->handle, message->data.result);
        put_done(http, slot);
    }
}

/* ---- requests without progress ---- */

static uint64_t look_interval_ns(const struct http *http)
{
    const uint64_t interval_ns = http->config.timeout_ns / 4;

    if (interval_ns < LOOK_NS_MIN)
        return LOOK_NS_MIN;
    return interval_ns < LOOK_NS_MAX ? interval_ns : LOOK_NS_MAX;
}

/* Time between two calls does not count against the server: what it sent meanwhile may still be
 * unread. */
static void look_at_requests(struct http *http, uint64_t now_ns)
{
    const uint64_t interval_ns = look_interval_ns(http);
    uint64_t passed_ns = now_ns - http->look_ns;

    http->look_ns = now_ns;
    if (passed_ns > 2 * interval_ns)
        passed_ns = 2 * interval_ns;
    for (uint32_t i = 0; i < http->config.slots; i++) {
        struct http_handle *handle = &http->slot[i].handle;
        uint64_t still_ns, sent_bytes;

        if (http->slot[i].phase != UNDER_WAY)
            continue;
        sent_bytes = http_handle_sent(handle);
        still_ns = http_transfer_still(&handle->transfer, sent_bytes, passed_ns);
        if (still_ns < http->config.timeout_ns &&
            handle->transfer.lasted_ns <
                http_transfer_most_ns(&handle->transfer, sent_bytes, http->config.timeout_ns))
            continue;
        http_handle_time_out(handle, still_ns < http->config.timeout_ns ? 0 : still_ns);
        put_done(http, &http->slot[i]);
    }
}

/* ---- waiting ---- */

/* How long the sockets alone may be waited for, from now_ns on.  Moments of ours and of libcurl's
 * are rounded up to what epoll can wait for: to be called too early would be of no use. */
static uint64_t pause_ns(const struct http *http, uint64_t now_ns, uint64_t until_ns)
{
    uint64_t next_ns = UINT64_MAX, wait_ns;

    if (http->timer_set)
        next_ns = http->timer_ns;
    if (http->config.timeout_ns > 0 && http->under_way > 0 &&
        http->look_ns + look_interval_ns(http) < next_ns)
        next_ns = http->look_ns + look_interval_ns(http);
    if (next_ns <= now_ns || until_ns <= now_ns)
        return 0;
    if (next_ns == UINT64_MAX)
        return until_ns == UINT64_MAX ? UINT64_MAX : until_ns - now_ns;
    wait_ns = (next_ns - now_ns + NS_PER_MS - 1) / NS_PER_MS * NS_PER_MS;
    return wait_ns < until_ns - now_ns ? wait_ns : until_ns - now_ns;
}

static int run_once(struct http *http, uint64_t wait_ns)
{
    struct http_poll_event event[EVENTS_MAX];
    const int count = http_poll_wait(&http->poll, wait_ns, event, EVENTS_MAX);

    for (int i = 0; i < count; i++) {
        int running;

        curl_multi_socket_action(http->multi, event[i].fd,
                                 (event[i].ready & HTTP_POLL_READ ? CURL_CSELECT_IN : 0) |
                                     (event[i].ready & HTTP_POLL_WRITE ? CURL_CSELECT_OUT : 0),
                                 &running);
    }
    return count < 0 ? count : 0;
}

int http_wait(struct http *http, uint64_t wait_ns, uint32_t *index, unsigned max)
{
    uint64_t now_ns = 0, until_ns = wait_ns;

    if (http->under_way == 0 && wait_ns == UINT64_MAX)
        return 0;
    for (bool first = true;; first = false) {
        int result;
        unsigned taken;

        collect(http);
        taken = take_done(http, index, max);
        if (taken > 0)
            return (int)taken;
        if (!first && wait_ns == 0)
            return 0;
        now_ns = clock_monotonic_ns();
        if (first && wait_ns != UINT64_MAX)
            until_ns = wait_ns < UINT64_MAX - now_ns ? now_ns + wait_ns : UINT64_MAX;
        if (!first && now_ns >= until_ns)
            return 0;
        result = run_once(http, pause_ns(http, now_ns, until_ns));
        if (result < 0)
            return result == -EINTR ? 0 : result;
        now_ns = http->timer_set && http->timer_ns > 0 ? clock_monotonic_ns() : now_ns;
        if (http->timer_set && http->timer_ns <= now_ns)
            run_timer(http);
        if (UNLIKELY(http->config.timeout_ns > 0 &&
                     now_ns - http->look_ns >= look_interval_ns(http)))
            look_at_requests(http, now_ns);
    }
}

const struct http_answer *http_answer(const struct http *http, uint32_t index)
{
    return &http->slot[index].handle.transfer.answer;
}

/* ---- cold ---- */

static void give_up(struct http *http, int failure, const char *words)
{
    struct slot *slot = &http->slot[0];
    struct http_answer *answer = &slot->handle.transfer.answer;

    if (slot->phase == UNDER_WAY) { /* not DONE: then it would have been given */
        curl_multi_remove_handle(http->multi, slot->handle.easy);
        slot->phase = IDLE;
        http->under_way--;
    }
    if (answer->failure == failure && answer->reason[0])
        return; /* refused with better words */
    answer->failure = failure;
    snprintf(answer->reason, sizeof(answer->reason), "%s", words);
}

static bool is_stopped(const struct http *http)
{
    return http->config.stop && flag_read(http->config.stop) != 0;
}

const struct http_answer *http_perform(struct http *http, const struct http_request *request)
{
    int result;

    http_transfer_begin(&http->slot[0].handle.transfer, request); /* nothing of the last answer */
    result = is_stopped(http) ? -EINTR : http_begin(http, 0, request);
    if (result == 0) {
        const uint64_t begin_ns = http->config.waiting ? clock_monotonic_ns() : 0;
        uint32_t index;

        do {
            result = http_wait(http, STOP_LOOK_NS, &index, 1);
            if (result == 0 && http->config.waiting)
                http->config.waiting(http->config.waiting_arg, clock_monotonic_ns() - begin_ns);
        } while (result == 0 && !is_stopped(http));
        if (result > 0)
            return http_answer(http, 0);
        if (result == 0)
            result = -EINTR;
    }
    give_up(http, result, result == -EINTR ? "stopped" : strerror(-result));
    return http_answer(http, 0);
}
