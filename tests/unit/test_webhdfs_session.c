/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs_session.c - authentication across requests: cookies of Hadoop's own authentication,
 * and sessions of Knox. */
#include "base/compat.h"

#include "unit/webhdfs_fixture.h"

#include <errno.h>

#include "base/mem.h"

/* ---- Kerberos ---- */

static bool had(unsigned request, const char *field)
{
    return strstr(name_node.seen[request].head, field) != NULL;
}

#define STATUS_OF_FILE "{\"FileStatus\":{\"type\":\"FILE\",\"length\":1}}"
#define COOKIE_(value) "Set-Cookie: hadoop.auth=\"u=x&s=" value "\"; Path=/\r\n"

static const struct object_call put = {
    .verb = OBJECT_PUT, .key = "d/f", .body = "content", .body_bytes = 7};
static const struct object_call look = {.verb = OBJECT_STAT, .key = "d/f"};

/* Tests with tickets are skipped where libcurl cannot send any. */
static void start_with_tickets(const struct fake_reply *names)
{
    if (!http_negotiates())
        skip_because("libcurl has no GSS-API");
    setenv("KRB5CCNAME", "FILE:/nonexistent/none", 1);
    options.negotiate = true;
    start_servers(names, NULL);
}

/* Retries like the object layer. */
static const struct object_answer *ask_twice(const struct object_call *call, unsigned *unsent)
{
    const struct object_answer *answer = ask(call);

    assert_true(answer->again && answer->verdict.errnum == EACCES && answer->settled);
    *unsent = answer->unsent;
    return ask(call);
}

#define TICKET "op=GETHOMEDIRECTORY"

/* The cookie replaces the ticket until it is refused; then one retry with another is worthwhile. */
static void test_ticket(void **state)
{
    static const struct fake_reply names[] = {
        {TICKET, "200 OK", .body = "{}", .headers = COOKIE_("1"), .times = 1},
        {"op=GETFILESTATUS", "200 OK", .body = STATUS_OF_FILE, .times = 2},
        {"op=GETFILESTATUS", "401 x", .body = "", .headers = "Set-Cookie: hadoop.auth=; Path=/\r\n",
         .times = 1},
        {TICKET, "200 OK", .body = "{}", .headers = COOKIE_("2"), .times = 1},
        {"op=GETFILESTATUS", "200 OK", .body = STATUS_OF_FILE, .times = 1},
        {"op=CREATE&data=true", "201 Created", .body = ""},
        REDIRECT("op=CREATE"),
        {"op=GETFILESTATUS", "401 x", .body = "", .times = 2},
        {TICKET, "401 x", .body = "", .times = 1},
        {TICKET, "200 OK", .body = "{}", .times = 1},
        {"op=GETFILESTATUS", "401 x", .body = "", .times = 1},
        {TICKET, "200 OK", .body = "{}", .headers = COOKIE_("3")},
        {"op=GETFILESTATUS", "200 OK", .body = STATUS_OF_FILE},
        {0}};
    const struct object_answer *answer;
    unsigned unsent;

    start_with_tickets(names);
    redirect_to(name_node.port, "op=CREATE&data=true");
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(ask(&look)->verdict.class, OBJECT_DONE);
    answer = ask_twice(&look, &unsent);
    assert_int_equal(unsent, 0);
    assert_true(answer->verdict.class == OBJECT_DONE && !answer->again);
    answer = ask(&put);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(fake_http_count(&name_node, ""), 8);
    assert_true(!had(0, "Cookie:") && had(1, "s=1") && had(2, "s=1") && had(3, "s=1"));
    assert_true(!had(4, "Cookie:") && had(5, "s=2") && had(7, "s=2") && !had(0, "user.name"));
    /* one of these was refused, and so are the ticket and a request without a cookie */
    assert_true(ask(&look)->again);
    answer = ask(&look);
    assert_int_equal(answer->verdict.errnum, EACCES);
    assert_false(answer->again);
    assert_non_null(strstr(explained(answer), "HTTP 401"));
    assert_non_null(strstr(why.advice, "kinit"));
    assert_int_equal(fake_http_count(&name_node, ""), 11);
    assert_false(had(10, "Cookie:"));
    answer = ask(&look); /* accepted, but without a cookie */
    assert_int_equal(answer->verdict.errnum, EACCES);
    assert_int_equal(ask(&look)->verdict.class, OBJECT_DONE);
    assert_true(had(14, "s=3"));
    stop_servers();
}

/* After a signal no answer to the ticket is waited for. */
static void test_ticket_stopped(void **state)
{
    static const struct fake_reply names[] = {
        {TICKET, "200 OK", .body = "{}", .headers = COOKIE_("1"), .wait_ms = 200},
        {"op=GETFILESTATUS", "200 OK", .body = STATUS_OF_FILE},
        {0}};

    start_with_tickets(names);
    for (stopped = 1; stopped >= 0; stopped--) {
        assert_int_equal(ask(&look)->verdict.class, OBJECT_DONE);
        assert_int_equal(had(fake_http_count(&name_node, "") - 1, "s=1"), !stopped);
    }
    stopped = 0;
    stop_servers();
}

/* A service that sends a cookie with each refusal is not retried for ever. */
static void test_worthless_cookies(void **state)
{
    static const struct fake_reply names[] = {
        {TICKET, "200 OK", .body = "{}", .headers = COOKIE_("1"), .times = 1},
        {"op=GETFILESTATUS", "200 OK", .body = STATUS_OF_FILE, .times = 1},
        {"op=", "401 x", .body = "", .headers = COOKIE_("2")},
        {0}};
    unsigned unsent;

    start_with_tickets(names);
    assert_int_equal(ask(&look)->verdict.class, OBJECT_DONE);
    assert_false(ask_twice(&put, &unsent)->again);
    assert_int_equal(unsent, 1);
    assert_false(ask(&put)->again);
    assert_false(ask(&look)->again);
    assert_int_equal(fake_http_count(&name_node, ""), 9);
    for (unsigned i = 3; i < 9; i++)
        assert_false(had(i, "Cookie:"));
    stop_servers();
}

/* Knox: its session is sent together with the password to Knox itself, also for its redirects. */
static void test_session(void **state)
{
    static const struct fake_reply names[] = {
        {"/data/v1/d/f?_=AA", "201 Created", .body = ""}, REDIRECT("op=CREATE"), {0}};

    options.base = "/gateway/x/webhdfs/v1";
    start_servers(names, NULL);
    snprintf(location, sizeof(location),
             "Set-Cookie: KNOXSESSIONID=node1; Path=/gateway/x; HttpOnly\r\n"
             "Location: http://127.0.0.1:%u/gateway/x/webhdfs/data/v1/d/f?_=AA\r\n",
             name_node.port);
    assert_int_equal(ask(&put)->verdict.class, OBJECT_DONE); /* without a password it is not kept */
    webhdfs_service_of(service)->authorization = mem_strdup("Authorization: Basic eA==");
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(ask(&put)->verdict.class, OBJECT_DONE);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(had(i, "Authorization: Basic eA=="), i >= 2);
        assert_int_equal(had(i, "Cookie: KNOXSESSIONID=node1"), i >= 3);
    }
    assert_int_equal(name_node.seen[5].body_bytes, 7);
    stop_servers();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticket),
        cmocka_unit_test(test_ticket_stopped),
        cmocka_unit_test(test_worthless_cookies),
        cmocka_unit_test(test_session),
    };

    forget_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
