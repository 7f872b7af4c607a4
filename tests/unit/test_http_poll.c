/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_http_poll.c - the set of sockets of one thread. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "net/http_poll.h"

#define PAIRS 100

static struct http_poll room, *set = &room;
static int ours[PAIRS], theirs[PAIRS];

static void open_pair(unsigned i)
{
    int fd[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    ours[i] = fd[0];
    theirs[i] = fd[1];
}

static void close_pair(unsigned i)
{
    http_poll_want(set, ours[i], 0);
    close(ours[i]);
    close(theirs[i]);
}

static void say(unsigned i)
{
    assert_int_equal(write(theirs[i], "x", 1), 1);
}

/* Each test has the first pair. */
static int set_up(void **state)
{
    open_pair(0);
    return 0;
}

static int tear_down(void **state)
{
    close_pair(0);
    http_poll_fini(set);
    return 0;
}

/* At most one event; returns its ready bits, or 0. */
static unsigned ready_now(int *fd)
{
    struct http_poll_event event;
    const int count = http_poll_wait(set, 0, &event, 1);

    assert_within(count, 0, 1);
    *fd = count == 1 ? event.fd : -1;
    return count == 1 ? event.ready : 0;
}

static void reading_is_said_while_it_is_wanted(void **state)
{
    int fd;

    http_poll_want(set, ours[0], HTTP_POLL_READ);
    assert_int_equal(ready_now(&fd), 0);
    say(0);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
    assert_int_equal(fd, ours[0]);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ); /* until it is read */
    http_poll_want(set, ours[0], 0);
    assert_int_equal(ready_now(&fd), 0);
    http_poll_want(set, ours[0], HTTP_POLL_READ);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
}

static void writing_is_said_when_there_is_room(void **state)
{
    char block[4096];
    int fd;

    memset(block, 0, sizeof(block));
    http_poll_want(set, ours[0], HTTP_POLL_READ | HTTP_POLL_WRITE);
    assert_int_equal(ready_now(&fd), HTTP_POLL_WRITE);
    while (send(ours[0], block, sizeof(block), MSG_DONTWAIT) > 0)
        ;
    assert_int_equal(ready_now(&fd), 0);
    say(0);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
    http_poll_want(set, ours[0], HTTP_POLL_WRITE);
    assert_int_equal(ready_now(&fd), 0);
    while (recv(theirs[0], block, sizeof(block), MSG_DONTWAIT) > 0)
        ;
    assert_int_equal(ready_now(&fd), HTTP_POLL_WRITE);
}

static void an_end_is_said(void **state)
{
    int fd;
    unsigned ready;

    http_poll_want(set, ours[0], HTTP_POLL_READ);
    assert_int_equal(shutdown(theirs[0], SHUT_WR), 0);
    ready = ready_now(&fd);
    assert_int_equal(ready & ~HTTP_POLL_ENDED, HTTP_POLL_READ);
    if (POLLRDHUP)
        assert_int_equal(ready & HTTP_POLL_ENDED, HTTP_POLL_ENDED);
}

static void a_number_that_is_used_again_begins_anew(void **state)
{
    int fd;

    open_pair(1);
    for (unsigned i = 0; i < 2; i++)
        http_poll_want(set, ours[i], HTTP_POLL_READ);
    close_pair(0);
    say(1);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
    assert_int_equal(fd, ours[1]);
    open_pair(0);
    say(0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
        assert_int_equal(fd, ours[1]); /* nothing is wanted of the other one yet */
    }
    close_pair(1);
}

static void all_that_are_ready_have_their_turn(void **state)
{
    unsigned seen[PAIRS] = {0};
    struct http_poll_event event[8];

    for (unsigned i = 0; i < PAIRS; i++) {
        if (i > 0)
            open_pair(i);
        http_poll_want(set, ours[i], HTTP_POLL_READ);
        if (i % 2 == 0)
            say(i);
    }
    for (unsigned turn = 0; turn < 14; turn++) { /* twice 50 events, in batches of eight */
        const int count = http_poll_wait(set, UINT64_MAX, event, 8);

        assert_within(count, 1, 8);
        for (int k = 0; k < count; k++)
            for (unsigned i = 0; i < PAIRS; i++)
                seen[i] += ours[i] == event[k].fd;
    }
    for (unsigned i = 0; i < PAIRS; i++) {
        assert_within(seen[i], i % 2 == 0, i % 2 == 0 ? 3 : 0);
        if (i > 0)
            close_pair(i);
    }
}

static void less_than_a_millisecond_is_waited(void **state)
{
    uint64_t begun_ns;
    int fd;

    http_poll_want(set, ours[0], HTTP_POLL_READ);
    begun_ns = clock_monotonic_ns();
    assert_int_equal(http_poll_wait(set, 400000, &(struct http_poll_event){.fd = 0}, 1), 0);
    assert_true(clock_monotonic_ns() - begun_ns >= 400000);
    say(0);
    assert_int_equal(http_poll_wait(set, 400000, &(struct http_poll_event){.fd = 0}, 1), 1);
    assert_int_equal(ready_now(&fd), HTTP_POLL_READ);
}

static void large_numbers_are_fine(void **state)
{
    struct http_poll_event event;
    int fd;

    fd = fcntl(ours[0], F_DUPFD, FD_SETSIZE);
    if (fd < 0)
        skip_because("no descriptor can be as large as FD_SETSIZE");
    close(ours[0]);
    ours[0] = fd;
    http_poll_want(set, fd, HTTP_POLL_READ);
    assert_int_equal(http_poll_wait(set, 400000, &event, 1), 0);
    say(0);
    assert_int_equal(http_poll_wait(set, 400000, &event, 1), 1);
    assert_int_equal(event.fd, fd);
}

static void ignore(int signum) {}

static void a_signal_ends_the_wait(void **state)
{
    const struct sigaction action = {.sa_handler = ignore};
    const struct itimerval soon = {.it_value = {.tv_usec = 20000},
                                   .it_interval = {.tv_usec = 20000}};
    const struct itimerval never = {.it_value = {.tv_usec = 0}};
    struct http_poll_event event;

    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &soon, NULL), 0);
    assert_int_equal(http_poll_wait(set, UINT64_MAX, &event, 1), -EINTR);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reading_is_said_while_it_is_wanted),
        TEST(writing_is_said_when_there_is_room),
        TEST(an_end_is_said),
        TEST(a_number_that_is_used_again_begins_anew),
        TEST(all_that_are_ready_have_their_turn),
        TEST(less_than_a_millisecond_is_waited),
        TEST(large_numbers_are_fine),
        TEST(a_signal_ends_the_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
