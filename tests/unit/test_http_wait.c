/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The contract of http.h, with real connections to a server in this process (http_server.h):
 * failures, timeouts, concurrency and resources. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/http_reader.h"
#include "unit/http_fixture.h"

/* ---- failures ---- */

static void cut_off_body_fails(void **state)
{
    const struct http_answer *a = perform_get("/cut/1000");

    assert_int_equal(a->failure, -EPIPE);
    assert_int_equal(a->status, 200);
    assert_int_equal(a->received_bytes, 500);
    assert_int_equal(a->content_length, 1000);
    assert_non_null(strstr(a->reason, "cut off"));
    a = perform_get("/junk");
    assert_int_equal(a->failure, -EPROTO);
    assert_int_equal(a->status, 0);
    assert_int_equal(perform_get("/bytes/1")->failure, 0);
}

/* The first time limit long enough for the server to do its part, even on a busy machine. */
#define FOR_LIMITS(ms) for (unsigned ms = 60; ms < 60000; ms *= 4)

static void no_progress_ends_a_request(void **state)
{
    FOR_LIMITS(ms)
    {
        const struct http_answer *a;
        bool headed;
        create((struct http_config){.slots = 1, .timeout_ns = ms * MS});
        a = perform_get("/silent");
        assert_int_equal(a->failure, -ETIMEDOUT);
        assert_non_null(strstr(a->reason, "no reply"));
        assert_int_equal(a->status, 0);
        a = perform_get("/half");
        assert_int_equal(a->failure, -ETIMEDOUT);
        headed = a->status == 200;
        assert_non_null(strstr(a->reason, headed ? "no progress" : "no reply"));
        sem_post(&server.release); /* its thread can notice the end of the connection */
        if (headed && perform_get("/bytes/1")->failure == 0)
            return;
    }
    fail_msg("no time limit is long enough");
}

/* Time since the last check of other requests does not count for a new one. */
static void time_counts_from_the_first_look(void **state)
{
    static struct http_transfer transfer;
    const struct http_request request = {.method = "GET", .url = "http://127.0.0.1/"};

    for (unsigned i = 0; i < 2; i++) {
        http_transfer_begin(&transfer, &request);
        assert_int_equal(http_transfer_still(&transfer, 0, 500 * MS), 0);
        assert_int_equal(http_transfer_still(&transfer, 0, 500 * MS), 500 * MS);
        assert_int_equal(http_transfer_still(&transfer, 0, 1), 500 * MS + 1);
        assert_int_equal(http_transfer_still(&transfer, 1, 500 * MS), 0);
    }
    http_transfer_fini(&transfer);
}

/* Time in which the caller does not wait is not charged to the server. */
static void absence_is_no_timeout(void **state)
{
    const struct http_request request = get("/bytes/10");

    FOR_LIMITS(ms)
    {
        uint64_t from_ns;
        create((struct http_config){.slots = 1, .timeout_ns = ms * MS});
        assert_int_equal(http_begin(http, 0, &request), 0);
        for (from_ns = clock_monotonic_ns(); clock_monotonic_ns() < from_ns + 2 * ms * MS;)
            sched_yield();
        if (finish()->failure == 0)
            return;
    }
    fail_msg("no time limit is long enough");
}

static void cancelled_requests_end(void **state)
{
    const struct http_request request = get("/silent");
    const struct http_answer *a;

    create((struct http_config){.slots = 1});
    http_cancel(http, 0); /* there is none */
    assert_int_equal(http_begin(http, 0, &request), 0);
    http_cancel(http, 0);
    a = finish();
    assert_int_equal(a->failure, -EINTR);
    assert_int_equal(a->status, 0);
    assert_int_equal(perform_get("/bytes/1")->status, 200);
}

/* libcurl only reports that it could not connect. */
static void want_of_descriptors_is_told(void **state)
{
    const struct http_answer *a;
    struct rlimit before, none;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    a = perform_get("/bytes/1");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(a->failure, -EMFILE);
    assert_non_null(strstr(a->reason, "Too many open files"));
    assert_non_null(strstr(a->reason, "ulimit -n"));
    assert_int_equal(perform_get("/bytes/1")->failure, 0);
}

static void mistakes_are_refused(void **state)
{
    struct http_request request = get("/silent");
    struct http_config config = plain;
    struct error err = ERROR_INIT;
    struct http *none = NULL;
    uint32_t slot;

    assert_int_equal(http_begin(http, 1, &request), -EINVAL);
    assert_int_equal(http_wait(http, UINT64_MAX, &slot, 1), 0); /* nothing is in flight */
    assert_int_equal(http_begin(http, 0, &request), 0);
    assert_int_equal(http_begin(http, 0, &request), -EBUSY);
    create(plain); /* aborts it */
    request.has_body = true;
    request.head_bytes = 2;
    request.body_bytes = 1;
    assert_int_equal(http_begin(http, 0, &request), -EINVAL);
    request = get("/bytes/1");
    snprintf(url, sizeof(url), "ftp://127.0.0.1:%u/", server.port);
    assert_int_equal(http_begin(http, 0, &request), -EINVAL);
    config.ca_file = "no-such-file.pem";
    assert_int_equal(http_create(&config, &none, &err), -1);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_int_equal(err.errnum, ENOENT);
    assert_string_equal(err.object, "no-such-file.pem");
    assert_non_null(strstr(http_library(), "libcurl "));
    http_destroy(NULL);
}

/* ---- time ---- */

/* Waits for the header: inspects an incomplete answer, which only a test may do. */
static void wait_for_head(void)
{
    uint32_t slot;

    while (http_answer(http, 0)->status == 0)
        assert_int_equal(http_wait(http, MS, &slot, 1), 0);
}

static void late_body_is_told_from_late_head(void **state)
{
    struct http_request request = get("/half");
    const struct http_answer *a;
    uint32_t slot;
    unsigned asked;
    uint64_t from_ns;

    for (unsigned i = 0; i < 2; i++) { /* requests without and with a body */
        request.has_body = i;
        request.method = i ? "PUT" : "GET";
        request.body = "12345";
        request.body_bytes = i ? 5 : 0;
        assert_int_equal(http_begin(http, 0, &request), 0);
        wait_for_head();
        from_ns = clock_monotonic_ns();
        while (clock_monotonic_ns() < from_ns + 20 * MS)
            assert_int_equal(http_wait(http, 5 * MS + 300000, &slot, 1), 0);
        sem_post(&server.release);
        a = finish();
        assert_int_equal(a->received_bytes, 4);
        assert_true(a->times.total_ns - a->times.first_byte_ns >= 19 * MS);
        assert_in_order(&a->times);
    }
    for (unsigned i = 0; i < 3; i++) {
        static char body[100000];
        request = get("/hold");
        request.has_body = i > 0;
        request.method = i ? "PUT" : "GET";
        request.body = body;
        request.body_bytes = i == 1 ? 1000 : sizeof(body);
        asked = server.requests;
        assert_int_equal(http_begin(http, 0, &request), 0);
        while (server.requests == asked) /* until it has arrived */
            assert_int_equal(http_wait(http, MS, &slot, 1), 0);
        from_ns = clock_monotonic_ns();
        while (clock_monotonic_ns() < from_ns + 20 * MS)
            assert_int_equal(http_wait(http, 5 * MS, &slot, 1), 0);
        sem_post(&server.release);
        a = finish();
        assert_true(a->times.first_byte_ns >= 19 * MS);
        assert_true(a->times.first_byte_ns - a->times.send_ns >= MS);
        assert_in_order(&a->times);
    }
}

static void looking_does_not_wait(void **state)
{
    const struct http_request request = get("/hold");
    uint32_t slot;
    uint64_t from_ns;

    assert_int_equal(http_wait(http, 0, &slot, 1), 0);
    assert_int_equal(http_begin(http, 0, &request), 0);
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(http_wait(http, 0, &slot, 1), 0);
    from_ns = clock_monotonic_ns();
    assert_int_equal(http_wait(http, 1234567, &slot, 1), 0);
    assert_true(clock_monotonic_ns() - from_ns >= 1234567);
    sem_post(&server.release);
    while (http_wait(http, 0, &slot, 1) == 0)
        ;
    assert_int_equal(http_answer(http, 0)->status, 200);
}

static atomic_int signalling;

static void ignore(int signum) {}

static void *signal_again_and_again(void *arg)
{
    while (atomic_load(&signalling)) {
        pthread_kill(*(pthread_t *)arg, SIGUSR1);
        sched_yield();
    }
    return NULL;
}

static void signal_ends_waiting(void **state)
{
    const struct http_request request = get("/hold");
    struct sigaction action = {.sa_handler = ignore};
    pthread_t self = pthread_self(), other;
    uint32_t slot;

    create(plain);
    sigaction(SIGUSR1, &action, NULL);
    assert_int_equal(http_begin(http, 0, &request), 0);
    atomic_store(&signalling, 1);
    assert_int_equal(pthread_create(&other, NULL, signal_again_and_again, &self), 0);
    assert_int_equal(http_wait(http, UINT64_MAX, &slot, 1), 0);
    assert_int_equal(http_wait(http, 10000001 * MS + 1, &slot, 1), 0);
    atomic_store(&signalling, 0);
    pthread_join(other, NULL);
    sem_post(&server.release);
    assert_int_equal(finish()->status, 200);
}

/* ---- many ---- */

static void each_slot_has_its_own_answer(void **state)
{
    enum { SLOTS = 8, REQUESTS = 100 };
    static char address[SLOTS][64], into[SLOTS][3000];
    uint64_t asked[SLOTS];
    unsigned begun = 0, done = 0;

    create((struct http_config){.slots = SLOTS, .timeout_ns = 20000 * MS});
    for (uint32_t idle[SLOTS] = {0, 1, 2, 3, 4, 5, 6, 7}, idle_count = SLOTS; done < REQUESTS;) {
        int got;
        for (; idle_count > 0 && begun < REQUESTS; begun++) {
            const uint32_t slot = idle[--idle_count];
            asked[slot] = 20 * begun;
            snprintf(address[slot], sizeof(address[slot]), "http://127.0.0.1:%u/bytes/%u",
                     server.port, 20 * begun);
            memset(into[slot], 'x', sizeof(into[slot]));
            assert_int_equal(http_begin(http, slot,
                                        &(struct http_request){.method = "GET",
                                                               .url = address[slot],
                                                               .sink = HTTP_INTO,
                                                               .into = into[slot],
                                                               .into_bytes = sizeof(into[slot])}),
                             0);
        }
        got = http_wait(http, UINT64_MAX, idle + idle_count, 1 + done % 3);
        assert_within(got, 1, 1 + done % 3);
        for (int i = 0; i < got; i++, done++) {
            const uint32_t slot = idle[idle_count++];
            const struct http_answer *a = http_answer(http, slot);
            assert_int_equal(a->failure, 0);
            assert_int_equal(a->received_bytes, asked[slot]);
            assert_int_equal(a->content_length, asked[slot]);
            for (uint64_t at = 0; at < asked[slot]; at++)
                assert_int_equal(into[slot][at], http_server_byte(at));
            assert_int_equal(into[slot][asked[slot]], 'x');
        }
    }
    assert_int_equal(server.requests, REQUESTS);
    assert_within(server.connections, 1, SLOTS);
}

static unsigned descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    unsigned count = 0;

    if (!dir)
        skip_because("there is no /proc");
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

static void nothing_is_left_open(void **state)
{
    const struct http_request request = get("/silent");
    unsigned before;

    destroy();
    before = descriptors();
    for (unsigned i = 0; i < 3; i++) {
        create((struct http_config){.slots = 4});
        assert_int_equal(perform_get("/bytes/1")->failure, 0);
        get("/silent");
        for (uint32_t slot = 0; slot < 4; slot++)
            assert_int_equal(http_begin(http, slot, &request), 0);
        destroy(); /* with requests in flight */
        while (server.connections < 4 * (i + 1) || server.open > 0)
            sched_yield();
        assert_int_equal(descriptors(), before);
    }
}

static size_t allocated_bytes(void)
{
#if defined __GLIBC__ && defined __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
#else
    return 0;
#endif
}

static void requests_leave_nothing_behind(void **state)
{
    const struct http_request request = get("/bytes/4096");
    uint32_t idle[16], idle_count = 16, answered = 0;
    size_t before = 0;

    create((struct http_config){.slots = 16});
    for (uint32_t i = 0; i < 16; i++)
        idle[i] = i;
    for (unsigned begun = 0, done = 0; done < 10000;) {
        int got;
        while (idle_count > 0 && begun < 10000) {
            assert_int_equal(http_begin(http, idle[--idle_count], &request), 0);
            begun++;
        }
        got = http_wait(http, UINT64_MAX, idle + idle_count, 16);
        assert_true(got > 0);
        for (int i = 0; i < got; i++) {
            const uint32_t slot = idle[idle_count + (uint32_t)i];
            assert_int_equal(http_answer(http, slot)->received_bytes, 4096);
            answered |= 1u << slot;
        }
        idle_count += (uint32_t)got;
        done += (unsigned)got;
        /* the server has allocated memory for all its connections */
        if (done >= 500 && answered == 0xffff && before == 0)
            before = allocated_bytes();
    }
    assert_within(server.connections, 1, 16);
    if (before > 0) /* memory of requests that were in flight has been freed */
        assert_true(allocated_bytes() <= before + 16384);
}

/* ---- servers that act unasked ---- */

/* Waits until the server has acted unasked: "/later" or "/twice". */
static void mislead(const char *path)
{
    const unsigned before = atomic_load(&server.unasked);

    assert_int_equal(perform_get(path)->failure, 0);
    while (strcmp(path, "/twice") == 0 ? atomic_load(&server.unasked) == before
                                       : atomic_load(&server.open) > 0)
        usleep(10);
}

/* Counts how often the request after `path` fails or gets another's answer. The connection has had
 * many requests, so it is not checked before each. *slow: rounds so slow that the server may seem
 * to have waited for more. */
static unsigned misled(const char *path, unsigned *slow)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < 30; i++) {
        const uint64_t begin_ns = clock_monotonic_ns();
        const struct http_answer *a;
        for (unsigned use = 0; use < 10; use++) {
            a = perform_get("/bytes/1");
            if (a->failure != 0 || a->received_bytes != 1)
                wrong++;
        }
        mislead(path);
        a = perform_get("/bytes/1");
        if (a->failure != 0 || a->received_bytes != 1)
            wrong++;
        if (clock_monotonic_ns() - begin_ns > 50 * MS)
            ++*slow;
    }
    return wrong;
}

static void closing_server_is_remembered(void **state)
{
    unsigned slow = 0;

    assert_within(misled("/later", &slow), 0, 1 + slow);
}

/* Detected if the server does it on a new connection. */
static void talking_server_is_remembered(void **state)
{
    unsigned slow = 0;

    mislead("/twice");
    assert_int_equal(perform_get("/bytes/1")->received_bytes, 1);
    assert_within(misled("/twice", &slow), 0, 30 * slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cut_off_body_fails),
        TEST(no_progress_ends_a_request),
        TEST(time_counts_from_the_first_look),
        TEST(absence_is_no_timeout),
        TEST(cancelled_requests_end),
        TEST(want_of_descriptors_is_told),
        TEST(mistakes_are_refused),
        TEST(late_body_is_told_from_late_head),
        TEST(looking_does_not_wait),
        TEST(signal_ends_waiting),
        TEST(each_slot_has_its_own_answer),
        TEST(nothing_is_left_open),
        TEST(requests_leave_nothing_behind),
        TEST(closing_server_is_remembered),
        TEST(talking_server_is_remembered),
    };

    forget_proxies();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
