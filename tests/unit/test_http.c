/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The contract of http.h, with real connections to a server in this process (http_server.h):
 * connections, what is sent and what is received. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "unit/http_fixture.h"
#include "unit/sockets.h"

/* ---- connections ---- */

static void connections_are_reused(void **state)
{
    for (unsigned i = 0; i < 20; i++) {
        const struct http_answer *a = get_well("/bytes/100");
        assert_int_equal(a->status, 200);
        assert_int_equal(a->version, 11);
        assert_int_equal(a->received_bytes, 100);
        assert_int_equal(a->content_length, 100);
        assert_int_equal(a->new_connections, i == 0);
        assert_in_order(&a->times);
        assert_true(a->times.total_ns > 0);
        if (i > 0)
            assert_int_equal(a->times.lookup_ns + a->times.connect_ns + a->times.tls_ns, 0);
        else
            assert_true(a->times.connect_ns > 0);
    }
    assert_int_equal(server.connections, 1);
}

static void reconnect_means_each_time(void **state)
{
    create((struct http_config){.slots = 1, .timeout_ns = 20000 * MS, .reconnect = true});
    for (unsigned i = 0; i < 5; i++) {
        const struct http_answer *a = get_well("/bytes/1");
        assert_int_equal(a->new_connections, 1);
        assert_true(a->times.connect_ns > 0 && a->times.send_ns >= a->times.connect_ns);
    }
    assert_int_equal(server.connections, 5);
}

static void closed_connection_is_replaced(void **state)
{
    assert_int_equal(perform_get("/bye")->status, 200);
    for (unsigned i = 0; i < 3; i++) { /* the server may close before or after the sending */
        const struct http_answer *a = perform_get("/bye");
        const unsigned sent = atomic_load(&server.requests);
        if (a->failure == 0) {
            assert_int_equal(a->new_connections, 1);
            continue;
        }
        assert_int_equal(a->failure, -ECONNRESET);
        assert_int_equal(atomic_load(&server.requests), sent);
    }
}

/* ... and before anything is sent on it, if there was time to notice. */
static void closed_connection_is_noticed(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct http_answer *a = get_well("/bye");
        assert_int_equal(a->new_connections, 1);
        while (atomic_load(&server.open) > 0)
            usleep(1000);
        usleep(2000);
    }
    assert_int_equal(server.requests, 3);
}

/* Unrequested bytes are not the answer to the next request. */
static void bytes_behind_an_answer_are_none(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct http_answer *a = get_well("/more");
        assert_int_equal(a->received_bytes, 4);
        assert_int_equal(a->new_connections, 1);
        usleep(2000);
    }
}

/* Connections are kept per server; the total of idle ones is limited. */
static void servers_have_their_own_connections(void **state)
{
    enum { SERVERS = 5 };
    static struct http_server other[SERVERS];
    unsigned connections = 0;

    for (unsigned i = 0; i < SERVERS; i++)
        assert_true(http_server_start(&other[i], AF_INET));
    for (unsigned i = 0; i < 3 * SERVERS; i++) {
        const unsigned at = i < 6 ? i % 2 : i % SERVERS;
        const struct http_answer *a;
        snprintf(url, sizeof(url), "http://127.0.0.1:%u/bytes/%u", other[at].port, i);
        a = perform_well(&(struct http_request){.method = "GET", .url = url});
        assert_int_equal(a->received_bytes, i);
        if (i < 6)
            assert_int_equal(a->new_connections, i < 2);
    }
    /* on a busy machine the server may notice a closed connection late: it gets ten seconds */
    for (unsigned tries = 0; tries < 1000; tries++) {
        connections = 0;
        for (unsigned i = 0; i < SERVERS; i++)
            connections += atomic_load(&other[i].open);
        if (connections <= SERVERS)
            break;
        usleep(10000);
    }
    assert_within(connections, 1, SERVERS);
    destroy();
    for (unsigned i = 0; i < SERVERS; i++)
        http_server_stop(&other[i]);
}

/* The server takes the request and closes: it was sent once and is not sent again. */
static void dropped_request_is_not_sent_again(void **state)
{
    static char body[200000];

    for (unsigned part = 0; part < 3; part++) {
        struct http_request request;
        const struct http_answer *a;
        unsigned requests;
        assert_int_equal(perform_get("/bytes/1")->failure, 0);
        request = get("/drop");
        requests = atomic_load(&server.requests);
        request.has_body = part > 0;
        request.method = part > 0 ? "PUT" : "GET";
        request.body = body;
        request.body_bytes = part == 2 ? sizeof(body) : part * 1000;
        a = perform(&request);
        assert_int_equal(a->failure, -ECONNRESET);
        assert_int_equal(a->status, 0);
        assert_non_null(strstr(a->reason, "not sent twice"));
        assert_int_equal(atomic_load(&server.requests), requests + 1);
    }
}

static void refused_connection_fails(void **state)
{
    const struct http_answer *a;
    unsigned port;
    const int fd = closed_port(&port);

    snprintf(url, sizeof(url), "http://127.0.0.1:%u/", port);
    a = perform(&(struct http_request){.method = "GET", .url = url});
    assert_int_equal(a->failure, -ECONNREFUSED);
    assert_int_equal(a->status, 0);
    assert_true(strlen(a->reason) > 10);
    assert_int_equal(perform_get("/bytes/1")->failure, 0); /* the slot is reusable */
    assert_string_equal(http_answer(http, 0)->reason, "");
    close(fd);
}

static void six_as_four(void **state)
{
    struct http_server six;
    const struct http_answer *a;

    if (!http_server_start(&six, AF_INET6))
        skip_because("there is no IPv6 here");
    snprintf(url, sizeof(url), "http://[::1]:%u/bytes/7", six.port);
    a = perform_well(&(struct http_request){.method = "GET", .url = url});
    assert_int_equal(a->received_bytes, 7);
    destroy();
    http_server_stop(&six);
}

static void proxy_of_the_environment_is_used(void **state)
{
    char proxy[64];
    const struct http_answer *a;

    snprintf(proxy, sizeof(proxy), "http://127.0.0.1:%u", server.port);
    setenv("http_proxy", proxy, 1);
    create(plain);
    a = perform(&(struct http_request){
        .method = "GET", .url = "http://name.invalid/x?y", .sink = HTTP_TEXT});
    unsetenv("http_proxy");
    assert_int_equal(a->failure, 0);
    assert_non_null(strstr(a->text, "GET /x?y HTTP/1.1\r\nHost: name.invalid\r\n"));
    assert_int_equal(server.requests, 2); /* CONNECT is one */
}

/* ---- what is sent ---- */

static void head_is_ours_alone(void **state)
{
    struct http_request request = get("/request//a/../%7E/%2F?x=&y");
    const struct http_answer *a;
    char wanted[300];

    request.sink = HTTP_TEXT;
    request.header[0] = "x-amz-date: 1";
    request.header_count = 1;
    a = perform_well(&request);
    (void)snprintf(wanted, sizeof(wanted),
                   "GET /request//a/../%%7E/%%2F?x=&y HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
                   "x-amz-date: 1\r\nUser-Agent: iosweep/" PACKAGE_VERSION "\r\n\r\n",
                   server.port);
    assert_string_equal(a->text, wanted);
    request.header_count = 2;
    request.method = "POST";
    request.has_body = true;
    request.header[0] = "Content-Type: text/xml";
    request.header[1] = "accept: */*";
    a = perform(&request);
    assert_non_null(strstr(a->text, "POST /request"));
    assert_non_null(strstr(a->text, "\r\nContent-Length: 0\r\n"));
    assert_non_null(strstr(a->text, "\r\nContent-Type: text/xml\r\n"));
    assert_non_null(strstr(a->text, "\r\naccept: */*\r\n"));
    request.header_count = 0;
    request.method = "PUT";
    request.body = url; /* whatever it is */
    request.body_bytes = 7;
    a = perform(&request);
    assert_non_null(strstr(a->text, "PUT /request"));
    assert_non_null(strstr(a->text, "\r\nContent-Length: 7\r\n"));
    assert_null(strcasestr(a->text, "\r\nContent-Type:"));
    assert_null(strcasestr(a->text, "\r\nAccept"));
    assert_null(strcasestr(a->text, "\r\nExpect"));
    assert_non_null(strcasestr(a->text, "\r\nHost: 127.0.0.1:"));
    assert_null(strcasestr(a->text, "curl"));
}

/* Sizes around the limits between what is sent with the header and what is not; switching between
 * kinds of requests in one slot. */
static void body_parts_follow_each_other(void **state)
{
    static const size_t size[] = {0, 1, 4096, 32768, 32769, 100000, 1000000};
    static char body[1000000], whole[1000200], back[1000200];

    create((struct http_config){.slots = 1, .transfer_bytes = 1 << 20});
    for (size_t i = 0; i < sizeof(body); i++)
        body[i] = http_server_byte(i);
    for (unsigned i = 0; i < 4 * sizeof(size) / sizeof(*size); i++) {
        const size_t body_bytes = size[i / 4];
        struct http_request request = get("/echo");
        const struct http_answer *a;
        request.method = i & 1 ? "POST" : "PUT";
        request.has_body = true;
        request.body_head = i & 1 ? "head+" : NULL;
        request.head_bytes = i & 1 ? 5 : 0;
        request.body = body;
        request.body_tail = i & 2 ? "+tail" : NULL;
        request.tail_bytes = i & 2 ? 5 : 0;
        request.body_bytes = request.head_bytes + body_bytes + request.tail_bytes;
        request.sink = HTTP_INTO;
        request.into = back;
        request.into_bytes = sizeof(back);
        memcpy(whole, "head+", request.head_bytes);
        memcpy(whole + request.head_bytes, body, body_bytes);
        memcpy(whole + request.head_bytes + body_bytes, "+tail", request.tail_bytes);
        memset(back, 0, sizeof(back));
        a = perform_well(&request);
        assert_int_equal(a->sent_bytes, request.body_bytes);
        assert_int_equal(a->received_bytes, request.body_bytes);
        assert_memory_equal(back, whole, request.body_bytes);
        assert_in_order(&a->times);
        assert_int_equal(perform_get("/bytes/3")->received_bytes, 3);
    }
    assert_int_equal(server.connections, 1);
}

/* PUTs more than is sent before the answer. */
static const struct http_answer *put_much(const char *path)
{
    static char body[8 << 20];
    struct http_request request = get(path);
    request.method = "PUT";
    request.has_body = true;
    request.body = body;
    request.body_bytes = sizeof(body);
    return perform(&request);
}

/* An immediate refusal is processed, and the rest of the body is not sent; a success is none. */
static void early_answers_end_the_body(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct http_answer *a = put_much("/refuse");
        assert_int_equal(a->failure, 0);
        assert_int_equal(a->status, 403);
        assert_string_equal(a->text, "no");
        assert_true(a->sent_bytes <= 8 << 20);
        assert_int_equal(perform_get("/bytes/3")->failure, 0);
    }
    assert_true(put_much("/accept")->failure < 0);
}

/* ---- what is received ---- */

/* Ambiguous headers are refused with a reason, and the connection is not reused. */
static void doubtful_heads_are_refused(void **state)
{
    static const struct {
        const char *head, *words;
    } rows[] = {
        {"HTTP/1.1%20200%20X%0D%0AContent-Length:%201%0D%0A%20x%0D%0A%0D%0Aa", "folded"},
        {"HTTP/1.1%20200%20X%0D%0AContent-Length:%201%0D%0AContent-Length:%202%0D%0A%0D%0Aab",
         "two different Content-Length"},
        {"HTTP/1.1%20200%20X%0D%0AContent-Length:%203%0D%0ATransfer-Encoding:%20chunked%0D%0A%0D%0A"
         "0%0D%0A%0D%0A",
         "Transfer-Encoding and Content-Length"},
        {"HTTP/1.1%20200%20X%0AContent-Length:%201%0A%0Aa", "without CR"},
        {"HTTP/1.1%20200%20X%0D%0ATransfer-Encoding:%20chunked%0D%0A%0D%0Az%0D%0A", "chunk"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char path[400];
        const struct http_answer *a;
        snprintf(path, sizeof(path), "/head?%s", rows[i].head);
        a = perform_get(path);
        assert_int_equal(a->failure, -EPROTO);
        assert_non_null(strstr(a->reason, "not an HTTP reply: "));
        assert_non_null(strstr(a->reason, rows[i].words));
        a = get_well("/bytes/3");
        assert_int_equal(a->new_connections, 1);
    }
}

static void trailers_are_no_answer(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct http_answer *a =
            perform_get("/head?HTTP/1.1%20200%20X%0D%0ATransfer-Encoding:%20chunked%0D%0A%0D%0A"
                        "3;x%0D%0Aabc%0D%0A0%0D%0AX:%20y%0D%0A%0D%0A");
        assert_int_equal(a->failure, 0);
        assert_int_equal(a->received_bytes, 3);
        assert_int_equal(a->new_connections, i == 0);
    }
}

static void body_goes_into_memory(void **state)
{
    static char into[70000 + 1];
    struct http_request request = get("/bytes/70000");
    const struct http_answer *a;

    request.sink = HTTP_INTO;
    request.into = into;
    for (unsigned i = 0; i < 3; i++) {
        request.into_bytes = i == 0 ? 70000 : i == 1 ? 12345 : 0;
        memset(into, 'x', sizeof(into));
        a = perform_well(&request);
        assert_int_equal(a->too_long, i > 0);
        if (i > 0) /* cut where the limit was exceeded: at most one libcurl buffer later */
            assert_within(a->received_bytes, request.into_bytes + 1, request.into_bytes + 65536);
        else
            assert_int_equal(a->received_bytes, 70000);
        assert_string_equal(a->text, "");
        for (size_t at = 0; at < sizeof(into); at++)
            if (into[at] != (at < request.into_bytes ? http_server_byte(at) : 'x'))
                fail_msg("wrong at %zu", at);
    }
    request = get("/chunked/5000");
    request.sink = HTTP_INTO;
    request.into = into;
    request.into_bytes = sizeof(into);
    a = perform(&request);
    assert_int_equal(a->received_bytes, 5000);
    assert_false(a->too_long);
    assert_true(a->content_length == UINT64_MAX);
    assert_int_equal(into[4999], http_server_byte(4999));
}

static void text_is_cut(void **state)
{
    struct http_request request = get("/bytes/104867600");
    const struct http_answer *a;

    request.sink = HTTP_TEXT;
    a = perform_well(&request);
    assert_within(a->received_bytes, HTTP_TEXT_BYTES + 1, HTTP_TEXT_BYTES + 600000);
    assert_int_equal(a->text_bytes, HTTP_TEXT_BYTES);
    assert_true(a->too_long);
    assert_int_equal(a->text[HTTP_TEXT_BYTES], '\0');
    assert_int_equal(a->text[HTTP_TEXT_BYTES - 1], http_server_byte(HTTP_TEXT_BYTES - 1));
    request = get("/bytes/1048576");
    request.sink = HTTP_TEXT;
    a = perform(&request);
    assert_int_equal(a->text_bytes, HTTP_TEXT_BYTES);
    assert_false(a->too_long);
}

static void body_is_cut_where_it_gets_too_long(void **state)
{
    struct http_request request = get("/bytes/104867600");
    const struct http_answer *a;

    request.most_bytes = 5000;
    a = perform_well(&request);
    assert_true(a->too_long);
    assert_within(a->received_bytes, 5001, 5000 + 600000);
    request = get("/bytes/5000");
    request.most_bytes = 5000;
    a = perform(&request); /* on a new connection: the old one had more data */
    assert_int_equal(a->failure, 0);
    assert_false(a->too_long);
    assert_int_equal(a->new_connections, 1);
    assert_int_equal(a->received_bytes, 5000);
}

static void body_of_an_error_is_text(void **state)
{
    static const char *const path[] = {"/status/404", "/status/503", "/status/301"};
    char into[100] = "";

    for (unsigned i = 0; i < 6; i++) {
        struct http_request request = get(path[i / 2]);
        const struct http_answer *a;
        request.sink = i % 2 ? HTTP_COUNT : HTTP_INTO;
        request.into = into;
        request.into_bytes = sizeof(into);
        a = perform_well(&request);
        assert_int_equal(a->status, strtol(path[i / 2] + 8, NULL, 10));
        assert_int_equal(a->text_bytes, 10);
        assert_memory_equal(a->text, "status ", 7);
        assert_string_equal(into, "");
    }
    assert_int_equal(server.requests, 6); /* none was followed or repeated */
    assert_int_equal(perform_get("/bytes/1")->text_bytes, 0);
}

static void fields_are_kept(void **state)
{
    const struct http_answer *a = get_well("/fields");

    assert_int_equal(a->status, 206);
    assert_int_equal(a->content_length, 3);
    assert_int_equal(a->received_bytes, 3);
    assert_string_equal(a->date, "Fri, 24 May 2013 00:00:00 GMT");
    assert_int_equal(strlen(a->etag), sizeof(a->etag) - 1);
    assert_int_equal(strspn(a->etag, "e"), sizeof(a->etag) - 1);
    assert_string_equal(a->content_range, "bytes 5-7/99");
    assert_string_equal(a->request_id, "ID");
    assert_string_equal(a->region, "eu-west-1");
    assert_string_equal(a->checksum, "crc32c=abc==");
    assert_string_equal(a->retry_after, "3");
    assert_string_equal(a->location, "http://x/");
    assert_string_equal(a->cookie, "a=b");
    a = perform_get("/bytes/1");
    assert_string_equal(a->etag, "");
    assert_string_equal(a->checksum, "");
}

static void head_has_no_body(void **state)
{
    for (unsigned i = 0; i < 3; i++) {
        struct http_request request = get("/bytes/123456");
        const struct http_answer *a;
        request.method = "HEAD";
        a = perform_well(&request);
        assert_int_equal(a->status, 200);
        assert_int_equal(a->content_length, 123456);
        assert_int_equal(a->received_bytes, 0);
        assert_int_equal(perform_get("/bytes/5")->received_bytes, 5);
    }
    assert_int_equal(server.connections, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(connections_are_reused),
        TEST(reconnect_means_each_time),
        TEST(closed_connection_is_replaced),
        TEST(closed_connection_is_noticed),
        TEST(bytes_behind_an_answer_are_none),
        TEST(servers_have_their_own_connections),
        TEST(dropped_request_is_not_sent_again),
        TEST(refused_connection_fails),
        TEST(six_as_four),
        TEST(proxy_of_the_environment_is_used),
        TEST(head_is_ours_alone),
        TEST(body_parts_follow_each_other),
        TEST(early_answers_end_the_body),
        TEST(doubtful_heads_are_refused),
        TEST(trailers_are_no_answer),
        TEST(body_goes_into_memory),
        TEST(text_is_cut),
        TEST(body_is_cut_where_it_gets_too_long),
        TEST(body_of_an_error_is_text),
        TEST(fields_are_kept),
        TEST(head_has_no_body),
    };

    forget_proxies();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
