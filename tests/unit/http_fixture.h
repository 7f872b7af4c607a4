/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* http_fixture.h - a server, and a client of http.h for it, per test. */
#ifndef TESTS_HTTP_FIXTURE_H
#define TESTS_HTTP_FIXTURE_H

#include "unit/cmocka_all.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "net/http.h"
#include "unit/http_server.h"

#define MS UINT64_C(1000000)

static struct http_server server;
static struct http *http;
static char url[512];

static const struct http_config plain = {.slots = 1, .timeout_ns = 20000 * MS};

static inline void destroy(void)
{
    http_destroy(http);
    http = NULL;
}

/* In place of the client that there is. */
static inline void create(struct http_config config)
{
    struct error err = ERROR_INIT;

    destroy();
    if (http_create(&config, &http, &err) != 0)
        fail_msg("%s", err.action);
}

/* A test has a server, and a client of one slot. */
static inline int start(void **state)
{
    if (!http_server_start(&server, AF_INET))
        return -1;
    create(plain);
    return 0;
}

static inline int stop(void **state)
{
    destroy();
    http_server_stop(&server);
    return 0;
}

static inline struct http_request get(const char *path)
{
    snprintf(url, sizeof(url), "http://127.0.0.1:%u%s", server.port, path);
    return (struct http_request){.method = "GET", .url = url};
}

/* Waits for the only request in flight. */
static inline const struct http_answer *finish(void)
{
    uint32_t slot = 77;

    assert_int_equal(http_wait(http, UINT64_MAX, &slot, 1), 1);
    assert_int_equal(slot, 0);
    return http_answer(http, 0);
}

static inline const struct http_answer *perform(const struct http_request *request)
{
    assert_int_equal(http_begin(http, 0, request), 0);
    return finish();
}

static inline const struct http_answer *perform_get(const char *path)
{
    const struct http_request request = get(path);

    return perform(&request);
}

/* The same, where nothing fails. */
static inline const struct http_answer *perform_well(const struct http_request *request)
{
    const struct http_answer *a = perform(request);

    if (a->failure != 0)
        fail_msg("%s: %d, %s", request->url, a->failure, a->reason);
    return a;
}

static inline const struct http_answer *get_well(const char *path)
{
    const struct http_request request = get(path);

    return perform_well(&request);
}

static inline void assert_in_order(const struct http_times *t)
{
    assert_true(t->lookup_ns <= t->total_ns && t->connect_ns <= t->total_ns);
    assert_true(t->send_ns <= t->first_byte_ns);
    assert_true(t->first_byte_ns <= t->total_ns);
}

/* Removes proxies from the environment. */
static inline void forget_proxies(void)
{
    static const char *const name[] = {"http_proxy", "all_proxy", "ALL_PROXY"};

    for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
        unsetenv(name[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

#endif
