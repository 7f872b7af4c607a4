/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs_json.c - JSON documents from a server that may send anything. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "storage/object/webhdfs/protocol.h"

/* The events of a document, one letter each; "X" at the end: rejected. */
static const char *events_of(const char *document, size_t bytes)
{
    static char text[256];
    char *copy = malloc(bytes + 1); /* lets sanitizers detect reading past the end */
    struct json_scan json;
    enum json_event event;
    size_t used = 0;

    memcpy(copy, document, bytes);
    json_begin(&json, copy, bytes);
    do {
        event = json_next(&json);
        assert_true(used + 1 < sizeof(text));
        text[used++] = "XOCV."[event];
    } while (event != JSON_END && event != JSON_ERROR);
    text[used] = '\0';
    free(copy);
    return text;
}

static void test_structure(void **state)
{
    static const struct {
        const char *document, *events;
    } cases[] = {
        {"{}", "OC."},
        {" [ ] \n", "OC."},
        {"{\"a\":1,\"b\":[true,null,\"x\"],\"c\":{}}", "OVOVVVCOCC."},
        {"17", "V."},
        {"\"\\\"\"", "V."},
        {"", "X"},
        {"{", "OX"},
        {"}", "X"},
        {"{}{}", "OCX"},
        {"[1,]", "OVX"},
        {"[,1]", "OX"},
        {"[1 2]", "OVX"},
        {"{\"a\"}", "OX"},
        {"{\"a\":}", "OX"},
        {"{\"a\":1,}", "OVX"},
        {"{1:2}", "OX"},
        {"[1}", "OVX"},
        {"{\"a\":1]", "OVX"},
        {"\"abc", "X"},
        {"\"abc\\", "X"},
        {"\"a\nb\"", "X"},
        {"<html>", "X"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        assert_string_equal(events_of(cases[i].document, strlen(cases[i].document)),
                            cases[i].events);
}

/* A document truncated anywhere is rejected. */
static void test_cut(void **state)
{
    static const char whole[] =
        "{\"RemoteException\":{\"exception\":\"A\\u00e4\",\"n\":[1,-2.5e3]}}";

    for (size_t bytes = 0; bytes < sizeof(whole) - 1; bytes++) {
        const char *events = events_of(whole, bytes);
        assert_int_equal(events[strlen(events) - 1], 'X');
    }
    assert_string_equal(events_of(whole, sizeof(whole) - 1), "OOVOVVCCC.");
}

static void test_depth(void **state)
{
    char deep[64];

    memset(deep, '[', sizeof(deep));
    assert_string_equal(events_of(deep, JSON_DEPTH_MAX), "OOOOOOOOOOOOOOOOX");
    assert_string_equal(events_of(deep, sizeof(deep)), "OOOOOOOOOOOOOOOOX");
    memset(deep + JSON_DEPTH_MAX, ']', JSON_DEPTH_MAX);
    assert_string_equal(events_of(deep, 2 * (size_t)JSON_DEPTH_MAX),
                        "OOOOOOOOOOOOOOOOCCCCCCCCCCCCCCCC.");
}

static void test_strings(void **state)
{
    static const struct {
        const char *in, *out; /* NULL: refused */
    } cases[] = {
        {"plain", "plain"},
        {"", ""},
        {"a\\\"b\\\\c\\/d", "a\"b\\c/d"},
        {"\\b\\f\\n\\r\\t", "\b\f\n\r\t"},
        {"\\u0041\\u00e4\\u20ac", "A\303\244\342\202\254"},
        {"\\ud83d\\ude00", "\360\237\230\200"},
        {"\303\244", "\303\244"},
        {"\\u0000", NULL},
        {"\\ud83d", NULL},
        {"\\ud83dx", NULL},
        {"\\ud83d\\u0041", NULL},
        {"\\ude00", NULL},
        {"\\u12", NULL},
        {"\\u12g4", NULL},
        {"\\x", NULL},
        {"\303", NULL},
        {"\355\240\275", NULL},
        {"0123456789abcdef", NULL}, /* exceeds the room */
    };
    char document[64], text[16];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct json_scan json;

        snprintf(document, sizeof(document), "\"%s\"", cases[i].in);
        json_begin(&json, document, strlen(document));
        assert_int_equal(json_next(&json), JSON_VALUE);
        assert_int_equal(json_text(&json, text, sizeof(text)),
                         cases[i].out ? (int)strlen(cases[i].out) : -1);
        if (cases[i].out)
            assert_string_equal(text, cases[i].out);
    }
}

static void test_values(void **state)
{
    static const char document[] = "[12,-1,1.5,18446744073709551616,true,false,tru,\"12\"]";
    struct json_scan json;
    uint64_t number = 7;
    bool truth = false;

    json_begin(&json, document, sizeof(document) - 1);
    assert_int_equal(json_next(&json), JSON_OPEN);
    assert_int_equal(json_next(&json), JSON_VALUE);
    assert_true(json_number(&json, &number) && number == 12);
    assert_false(json_bool(&json, &truth));
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(json_next(&json), JSON_VALUE);
        assert_false(json_number(&json, &number));
    }
    assert_int_equal(json_next(&json), JSON_VALUE);
    assert_true(json_bool(&json, &truth) && truth);
    assert_int_equal(json_next(&json), JSON_VALUE);
    assert_true(json_bool(&json, &truth) && !truth);
    assert_int_equal(json_next(&json), JSON_VALUE);
    assert_false(json_bool(&json, &truth));
    assert_int_equal(json_next(&json), JSON_VALUE);
    assert_false(json_number(&json, &number) || json_bool(&json, &truth));
}

static void test_find(void **state)
{
    static const char document[] = "{\"x\":{\"exception\":\"no\"},\"message\":\"no\","
                                   "\"RemoteException\":{\"a\":[{\"exception\":\"no\"}],"
                                   "\"exception\":\"yes\",\"message\":3}}";
    char text[16];

    assert_int_equal(json_find(document, sizeof(document) - 1, "RemoteException", "exception", text,
                               sizeof(text)),
                     3);
    assert_string_equal(text, "yes");
    assert_int_equal(
        json_find(document, sizeof(document) - 1, "RemoteException", "message", text, sizeof(text)),
        -1);
    assert_int_equal(
        json_find(document, sizeof(document) - 1, "RemoteException", "none", text, sizeof(text)),
        -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_depth),     cmocka_unit_test(test_strings),
        cmocka_unit_test(test_values),    cmocka_unit_test(test_find),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
