/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_http_reader.c - HTTP/1.1 answers as bytes, whole and split at every position: what is
 * parsed, where they end, and which are refused. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/http_exchange.h"
#include "net/http_reader.h"

static struct http_reader reader;
static struct http_transfer transfer;
static char into[64];

static int forget(void **state)
{
    http_transfer_fini(&transfer);
    return 0;
}

static void ask(const char *method)
{
    const struct http_request request = {
        .method = method, .sink = HTTP_INTO, .into = into, .into_bytes = sizeof(into) - 1};

    memset(into, 0, sizeof(into));
    http_transfer_begin(&transfer, &request);
    http_reader_begin(&reader, &transfer);
}

/* Parses in pieces that end at `cut` and then every `step` bytes; *used: total consumed. Each piece
 * is in memory of exactly its length, which lets sanitizers detect reading past its end. */
static enum http_reader_result read_cut(const char *text, size_t bytes, size_t cut, size_t step,
                                        size_t *used)
{
    enum http_reader_result result = HTTP_READER_MORE;
    size_t come = 0;

    *used = 0;
    while (result == HTTP_READER_MORE && come < bytes) {
        size_t now;
        char *piece;

        come += come == 0 && cut > 0 ? cut : step;
        come = come < bytes ? come : bytes;
        piece = malloc(come - *used);
        assert_non_null(piece);
        memcpy(piece, text + *used, come - *used);
        result = http_reader_take(&reader, &transfer, piece, come - *used, &now);
        free(piece);
        *used += now;
    }
    return result;
}

#define OK "HTTP/1.1 200 OK\r\n"

static void answers_end_where_they_say(void **state)
{
    static const struct {
        const char *method, *text;
        int status;
        const char *body;
        size_t rest; /* bytes after it */
        bool keeps;
    } rows[] = {
        {"GET", OK "Content-Length: 5\r\n\r\nhello", 200, "hello", 0, true},
        {"GET", OK "content-length:\t5 \r\nContent-Length: 5\r\n\r\nhelloHTTP", 200, "hello", 4,
         true},
        {"GET", OK "Content-Length: 0\r\n\r\n", 200, "", 0, true},
        {"GET", OK "Connection: x, Close\r\nContent-Length: 1\r\n\r\na", 200, "a", 0, false},
        {"GET", OK "Connection: close-not\r\nContent-Length: 1\r\n\r\na", 200, "a", 0, true},
        {"GET", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", 200, "a", 0, false},
        {"GET", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na", 200, "a",
         0, true},
        {"GET", OK "Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 200, "hello", 0,
         true},
        {"GET",
         OK "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n00A ;x=y\r\n0123456789\r\n0\r\nX: "
            "y\r\nZ:\r\n\r\n+",
         200, "a0123456789", 1, true},
        {"GET",
         "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n" OK
         "Content-Length: 2\r\n\r\nab",
         200, "ab", 0, true},
        {"HEAD", OK "Content-Length: 5\r\n\r\n", 200, "", 0, true},
        {"HEAD", OK "Transfer-Encoding: chunked\r\n\r\n", 200, "", 0, true},
        {"HEAD", OK "\r\n", 200, "", 0, true},
        {"GET", "HTTP/1.1 204\r\n\r\n", 204, "", 0, true},
        {"GET", "HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\n", 304, "", 0, true},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const size_t bytes = strlen(rows[i].text);

        for (size_t cut = 0; cut < bytes; cut++)
            for (size_t step = 1; step <= bytes; step += step < 4 ? 1 : bytes) {
                size_t used;

                ask(rows[i].method);
                if (read_cut(rows[i].text, bytes, cut, step, &used) != HTTP_READER_DONE)
                    fail_msg("row %zu, cut at %zu: %s", i, cut, reader.head.wrong);
                assert_int_equal(bytes - used, rows[i].rest);
                assert_int_equal(transfer.answer.status, rows[i].status);
                assert_string_equal(into, rows[i].body);
                assert_int_equal(transfer.answer.received_bytes, strlen(rows[i].body));
                assert_int_equal(http_reader_keeps(&reader, &transfer), rows[i].keeps);
            }
    }
}

#define LENGTH "Content-Length: 1\r\n"
#define CHUNKS OK "Transfer-Encoding: chunked\r\n\r\n"

static void doubtful_answers_are_refused(void **state)
{
    static const struct {
        const char *text, *wrong;
    } rows[] = {
        {"SSH-2.0-x\r\n\r\n", "does not begin with a status"},
        {"\r\n" OK LENGTH "\r\na", "does not begin with a status"},
        {"http/1.1 200 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/2 200 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/1.1  200 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/1.1 20 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/1.1 2000 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/1.1 020 OK\r\n\r\n", "does not begin with a status"},
        {"HTTP/1.1 101 Switch\r\n\r\n", "another protocol"},
        {"HTTP/1.1 200 OK\n" LENGTH "\r\na", "without CR"},
        {OK "X: y\n" LENGTH "\r\na", "without CR"},
        {OK LENGTH "\n", "without CR"},
        {OK LENGTH "X: a\rb\r\n\r\na", "CR or NUL"},
        {OK LENGTH "X: a\r\r\n\r\na", "CR or NUL"},
        {OK LENGTH "X: y\r\n folded\r\n\r\na", "folded"},
        {OK LENGTH "X: y\r\n\tfolded\r\n\r\na", "folded"},
        {OK " " LENGTH "\r\na", "folded"},
        {OK LENGTH ": x\r\n\r\na", "has no name"},
        {OK LENGTH "nothing\r\n\r\na", "has no name"},
        {OK "Content-Length : 1\r\n\r\na", "has no name"},
        {OK LENGTH "X\x80: 1\r\n\r\na", "has no name"},
        {OK LENGTH "Content-Length: 2\r\n\r\na", "two different"},
        {OK "Content-Length: 1, 1\r\n\r\na", "not a number"},
        {OK "Content-Length: +1\r\n\r\na", "not a number"},
        {OK "Content-Length: -1\r\n\r\na", "not a number"},
        {OK "Content-Length: 0x1\r\n\r\na", "not a number"},
        {OK "Content-Length:\r\n\r\na", "not a number"},
        {OK "Content-Length: 18446744073709551615\r\n\r\na", "not a number"},
        {OK "Content-Length: 99999999999999999999\r\n\r\na", "not a number"},
        {OK LENGTH "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding and Content-Length"},
        {OK "Transfer-Encoding: chunked\r\n" LENGTH "\r\n", "Transfer-Encoding and Content-Length"},
        {OK "Transfer-Encoding: gzip, chunked\r\n\r\n", "not just chunked"},
        {OK "Transfer-Encoding: xchunked\r\n\r\n", "not just chunked"},
        {OK "Transfer-Encoding:\r\n\r\n", "not just chunked"},
        {OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "not just chunked"},
        {CHUNKS "\r\n", "chunk of its body is broken"},
        {CHUNKS "x\r\n", "chunk of its body is broken"},
        {CHUNKS "-1\r\n", "chunk of its body is broken"},
        {CHUNKS "0x1\r\na\r\n", "chunk of its body is broken"},
        {CHUNKS "1 1\r\na\r\n", "chunk of its body is broken"},
        {CHUNKS "1\na\r\n", "chunk of its body is broken"},
        {CHUNKS "1\r\nab\r\n", "chunk of its body is broken"},
        {CHUNKS "1\r\na\n0\r\n\r\n", "chunk of its body is broken"},
        {CHUNKS "1000000000000000\r\n", "chunk of its body is broken"},
        {CHUNKS "0\r\nnothing\r\n\r\n", "after its last chunk"},
        {CHUNKS "0\r\n folded\r\n\r\n", "after its last chunk"},
        {CHUNKS "0\r\nX: y\n\r\n", "without CR"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const size_t bytes = strlen(rows[i].text);

        for (size_t cut = 0; cut < bytes; cut++) {
            size_t used;

            ask("GET");
            if (read_cut(rows[i].text, bytes, cut, 1 + i % 3, &used) != HTTP_READER_BAD)
                fail_msg("row %zu is not refused, cut at %zu", i, cut);
            if (!strstr(reader.head.wrong, rows[i].wrong))
                fail_msg("row %zu: %s", i, reader.head.wrong);
            assert_false(http_reader_keeps(&reader, &transfer));
        }
    }
}

static void nul_is_refused(void **state)
{
    static const char text[] = OK "X: a\0b\r\n" LENGTH "\r\na";
    size_t used;

    ask("GET");
    assert_int_equal(read_cut(text, sizeof(text) - 1, 0, 100, &used), HTTP_READER_BAD);
    assert_non_null(strstr(reader.head.wrong, "CR or NUL"));
}

static enum http_reader_result read_lines(const char *first, const char *second)
{
    char text[200];
    size_t used;

    (void)snprintf(text, sizeof(text), "%s\r\n%s\r\n", first, second);
    ask("GET");
    return read_cut(text, strlen(text), 0, strlen(text), &used);
}

/* Of malformed lines, and those with other names, nothing is stored. */
static void broken_lines_are_passed_over(void **state)
{
    static const char *const line[] = {
        "",
        "h",
        "etag",
        ":",
        ": x",
        "server",
        "date ",
        "etagx: y",
        "x-amz-checksum-: y",
        "content-length",
        "Content-Length: -1",
        "Content-Length: 1x",
        "Content-Length: 18446744073709551615",
        "Content-Length:",
        "x-amz-request-i: y",
        "x-amz-checksum-012345678901234567890123456789012: y",
    };
    static const char *const status[] = {"", "HTTP/", "HTTP/x 200", "HTTP/1.", "HTTP/1.1 2000"};
    const struct http_answer *a = &transfer.answer;

    for (size_t i = 0; i < sizeof(line) / sizeof(*line); i++) {
        print_message("%s\n", line[i]);
        (void)read_lines("HTTP/1.1 200 OK", line[i]);
        assert_true(a->content_length == UINT64_MAX);
        assert_string_equal(a->etag, "");
        assert_string_equal(a->checksum, "");
        assert_string_equal(a->request_id, "");
    }
    for (size_t i = 0; i < sizeof(status) / sizeof(*status); i++) {
        assert_int_equal(read_lines(status[i], "a: b"), HTTP_READER_BAD);
        assert_int_equal(a->status, 0);
    }
    assert_int_equal(read_lines("HTTP/1.0 204", "Content-Length: 18446744073709551614"),
                     HTTP_READER_MORE);
    assert_int_equal(a->version, 10);
    assert_int_equal(a->status, 204);
    assert_true(a->content_length == UINT64_MAX - 1);
}

/* Endless repetition of a line: the limits hold for any size of reads. */
static void nothing_is_without_end(void **state)
{
    static const struct {
        const char *first, *again, *wrong;
    } rows[] = {
        {OK, "X: 0123456789\r\n", "headers are too long"},
        {OK, "0123456789", "headers are too long"},
        {"", "HTTP/1.1 103 Hints\r\n\r\n", "headers are too long"},
        {CHUNKS "0\r\n", "X: 0123456789\r\n", "too long"},
        {CHUNKS, "0000000000", "broken"},
        {CHUNKS "1;", "0123456789", "broken"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const size_t most = 2 * HTTP_HEAD_BYTES;
        char *text = malloc(most);
        enum http_reader_result result;
        size_t at = strlen(rows[i].first), used;

        assert_non_null(text);
        memcpy(text, rows[i].first, at);
        for (size_t bytes = strlen(rows[i].again); at + bytes <= most; at += bytes)
            memcpy(text + at, rows[i].again, bytes);
        for (size_t step = 1000; step < most; step *= 9) {
            ask("GET");
            result = read_cut(text, at, 0, step, &used);
            if (result != HTTP_READER_BAD)
                fail_msg("row %zu goes on, in steps of %zu", i, step);
            assert_non_null(strstr(reader.head.wrong, rows[i].wrong));
            assert_true(used <= HTTP_HEAD_BYTES + step);
        }
        free(text);
    }
}

static void the_end_of_the_connection_may_be_that_of_the_body(void **state)
{
    static const struct {
        const char *text;
        bool ends;
    } rows[] = {
        {OK "\r\nall", true},
        {OK "\r\n", true},
        {OK, false},
        {"", false},
        {OK "Content-Length: 4\r\n\r\nall", false},
        {CHUNKS "3\r\nall\r\n", false},
        {CHUNKS "3\r\nall\r\n0\r\n", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        size_t used;

        ask("GET");
        assert_int_equal(read_cut(rows[i].text, strlen(rows[i].text), 0, 7, &used),
                         HTTP_READER_MORE);
        assert_int_equal(http_reader_end(&reader), rows[i].ends);
        assert_false(http_reader_keeps(&reader, &transfer) && !rows[i].ends);
    }
}

/* Bytes received directly into memory equal those that would have been copied there. */
static void bodies_are_put_where_they_belong(void **state)
{
    static const char head[] = OK "Content-Length: 70\r\n\r\n";
    size_t used;
    void *place;

    ask("GET");
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 0);
    assert_int_equal(read_cut(head, sizeof(head) - 1, 0, 9, &used), HTTP_READER_MORE);
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 63); /* all the room */
    assert_ptr_equal(place, into);
    assert_int_equal(http_reader_put(&reader, &transfer, 60), HTTP_READER_MORE);
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 3);
    assert_ptr_equal(place, into + 60);
    assert_int_equal(http_reader_put(&reader, &transfer, 3), HTTP_READER_MORE);
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 0);
    assert_int_equal(read_cut("1234567", 7, 0, 7, &used), HTTP_READER_CUT);
    assert_true(transfer.answer.too_long);
    ask("GET");
    transfer.request.most_bytes = 5;
    (void)read_cut(head, sizeof(head) - 1, 0, 9, &used);
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 5);
    ask("GET");
    (void)read_cut("HTTP/1.1 404 X\r\nContent-Length: 7\r\n\r\n", 38, 0, 38, &used);
    assert_int_equal(http_reader_room(&reader, &transfer, &place), 0); /* error bodies are text */
}

/* Sent in steps of any size, with and without the start of the body joined to the header. */
static void requests_are_the_same_in_any_steps(void **state)
{
    static char body[40000];
    static char sent[50000];
    static const size_t size[] = {0, 1, 4096, sizeof(body)};

    for (size_t i = 0; i < sizeof(body); i++)
        body[i] = (char)(i * 7 + i / 251);
    for (unsigned turn = 0; turn < 32; turn++) {
        const bool joins = turn & 1, framed = turn & 2;
        const size_t step = turn & 4 ? 1000 : 7;
        struct http_request request = {.method = "PUT",
                                       .header = {"x: y"},
                                       .header_count = 1,
                                       .has_body = true,
                                       .body = body,
                                       .body_head = framed ? "h:" : NULL,
                                       .head_bytes = framed ? 2 : 0,
                                       .body_tail = framed ? ":t" : NULL,
                                       .tail_bytes = framed ? 2 : 0};
        struct http_writer writer = {0};
        struct iovec piece[HTTP_WRITER_PIECES];
        char head[200];
        size_t at = 0, bytes = size[turn / 8];

        request.body_bytes = bytes + request.head_bytes + request.tail_bytes;
        http_writer_begin(&writer, &request, "name:1", "/k?x=y", joins);
        assert_true(!joins || writer.front_bytes == writer.end ||
                    writer.front_bytes == HTTP_RECORD_BYTES);
        while (http_writer_pieces(&writer, &request, piece) > 0) {
            const size_t now = piece[0].iov_len < step ? piece[0].iov_len : step;

            assert_within(at + now, 1, sizeof(sent));
            memcpy(sent + at, piece[0].iov_base, now);
            at += now;
            writer.at += now;
        }
        (void)snprintf(
            head, sizeof(head),
            "PUT /k?x=y HTTP/1.1\r\nHost: name:1\r\nx: y\r\nUser-Agent: iosweep/" PACKAGE_VERSION
            "\r\nContent-Length: %zu\r\n\r\n%s",
            (size_t)request.body_bytes, framed ? "h:" : "");
        assert_int_equal(at, strlen(head) + bytes + request.tail_bytes);
        assert_memory_equal(sent, head, strlen(head));
        assert_memory_equal(sent + strlen(head), body, bytes);
        assert_memory_equal(sent + strlen(head) + bytes, ":t", request.tail_bytes);
        assert_int_equal(http_writer_body_at(&writer), request.body_bytes);
        free(writer.front);
    }
}

#define READER_TEST(name) cmocka_unit_test_teardown(name, forget)

int main(void)
{
    const struct CMUnitTest tests[] = {
        READER_TEST(answers_end_where_they_say),
        READER_TEST(doubtful_answers_are_refused),
        READER_TEST(nul_is_refused),
        READER_TEST(broken_lines_are_passed_over),
        READER_TEST(nothing_is_without_end),
        READER_TEST(the_end_of_the_connection_may_be_that_of_the_body),
        READER_TEST(bodies_are_put_where_they_belong),
        READER_TEST(requests_are_the_same_in_any_steps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
