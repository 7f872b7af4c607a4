/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_object_clean.c - `iosweep clean` of a bucket: a run with a recent manifest is alive and left
 * alone. Uses a scripted server that reports the manifest's age. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "storage/object/object.h"
#include "storage/object/s3/protocol.h"
#include "unit/fake_http.h"

#define NOW       "Date: Fri, 24 May 2013 00:10:00 GMT\r\n"
#define PUT(time) "Last-Modified: Fri, 24 May 2013 " time " GMT\r\n"

static char manifest[2000];

/* 8 objects of 100 bytes; the run is alive on another host, or has ended. */
static void make_manifest(bool running)
{
    struct life_set set = {.kind = LIFE_WHOLE, .size_bytes = 100, .count = 8};
    const struct life_manifest run = {
        .storage = "s3",
        .run_name = "r1",
        .state = {.owner = 1, .begun_s = 1369353600, .running = running, .process = {1, 2, 3}},
        .seed = 5,
        .set_count = 1,
        .set = &set};
    char *text = life_manifest_format(&run);

    (void)snprintf(manifest, sizeof(manifest), "%s", text);
    free(text);
}

/* Initially two of its objects exist, and a prefix that only looks like one. */
static int clean(const char *headers, struct clean_request request, struct fake_http *fake,
                 char **list, struct error *err)
{
    static const volatile int go_on;
    const struct fake_reply replies[] = {
        {.match = "GET /bucket/iosweep-r1/MANIFEST-1",
         .status = "200 OK",
         .headers = headers,
         .body = manifest,
         .times = 3}, /* to find the run, before removing it, and before removing its manifest */
        {.match = "GET /bucket/iosweep-r1/MANIFEST-1", .status = "404 Not Found", .body = ""},
        {.match = "%2FMANIFEST-",
         .status = "200 OK",
         .body = "<ListBucketResult>"
                 "<Contents><Key>iosweep-r1/MANIFEST-1</Key><Size>99</Size></Contents>"
                 "</ListBucketResult>"},
        {.match = "delimiter=",
         .status = "200 OK",
         .body = "<ListBucketResult><CommonPrefixes><Prefix>iosweep-r1/</Prefix></CommonPrefixes>"
                 "<CommonPrefixes><Prefix>iosweep-/</Prefix></CommonPrefixes></ListBucketResult>"},
        {.match = "list-type=2",
         .status = "200 OK",
         .times = 1,
         .body = "<ListBucketResult>"
                 "<Contents><Key>iosweep-r1/100/000000</Key><Size>100</Size></Contents>"
                 "<Contents><Key>iosweep-r1/100/000007</Key><Size>100</Size></Contents>"
                 "<Contents><Key>iosweep-r1/MANIFEST-1</Key><Size>99</Size></Contents>"
                 "</ListBucketResult>"},
        {.match = "list-type=2", .status = "200 OK", .body = "<ListBucketResult/>"},
        {.match = "POST /bucket/?delete", .status = "200 OK", .body = "<DeleteResult/>"},
        {.match = "HEAD ", .status = "404 Not Found", .body = ""},
        {.match = "DELETE ", .status = "204 No Content", .body = ""},
        {.match = "PUT ", .status = "200 OK", .headers = "ETag: \"e2\"\r\n", .body = ""},
        {0}};
    struct s3_options options = {.store.anonymous = true, .store.timeout_ns = 20000000000u};
    struct clean_outcome outcome = {0};
    char endpoint[64];
    size_t length = 0;
    int code;

    fake_http_start(fake, replies);
    (void)snprintf(endpoint, sizeof(endpoint), "http://127.0.0.1:%u", fake->port);
    options.store.endpoint = endpoint;
    request.target = "s3://bucket";
    request.options = &options;
    request.stop = &go_on;
    request.list = open_memstream(list, &length);
    *err = ERROR_INIT;
    code = object_clean(&request, &outcome, err);
    fclose(request.list);
    fake_http_stop(fake);
    return code;
}

static void a_run_that_goes_on_is_left(void **state)
{
    struct fake_http fake;
    struct error err;
    char *list = NULL;

    make_manifest(true);
    assert_int_equal(clean(NOW PUT("00:00:01"), (struct clean_request){0}, &fake, &list, &err), -1);
    assert_string_equal(err.action, "in use by a running iosweep:");
    assert_string_equal(err.object, "s3://bucket/iosweep-r1");
    assert_non_null(strstr(err.advice, "another 1 s"));
    assert_int_equal(fake_http_count(&fake, "DELETE") + fake_http_count(&fake, "?delete"), 0);
    free(list);
}

static void a_run_that_has_ended_is_removed(void **state)
{
    static const struct {
        bool running;
        const char *headers;
        bool force;
        unsigned puts; /* of a manifest that takes the run over */
    } rows[] = {
        {false, NOW PUT("00:09:59"), false, 0},
        {true, NOW PUT("00:00:00"), false, 1},
        {true, NOW PUT("00:09:59"), true, 1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct fake_http fake;
        struct error err;
        char *list = NULL, text[1000];

        make_manifest(rows[i].running);
        if (clean(rows[i].headers, (struct clean_request){.force = rows[i].force}, &fake, &list,
                  &err) != 0)
            fail_msg("%s", error_format(&err, text, sizeof(text)));
        assert_int_equal(fake_http_count(&fake, "PUT /bucket/iosweep-r1/MANIFEST-2"), rows[i].puts);
        assert_true(fake_http_count(&fake, "POST /bucket/?delete") >= 1);
        assert_int_equal(fake_http_count(&fake, "DELETE /bucket/iosweep-r1/MANIFEST-1"), 1);
        free(list);
    }
}

static void what_is_listed_is_counted(void **state)
{
    struct fake_http fake;
    struct error err;
    char *list = NULL;

    make_manifest(true);
    assert_int_equal(
        clean(NOW PUT("00:09:50"), (struct clean_request){.dry_run = true}, &fake, &list, &err), 0);
    assert_int_equal(strncmp(list, "s3://bucket/iosweep-r1: 2 objects, 200 B, ", 42), 0);
    assert_non_null(strstr(list, "old, in use by a running iosweep\n"));
    assert_null(strstr(list, "iosweep-/"));
    assert_int_equal(fake_http_count(&fake, "DELETE") + fake_http_count(&fake, "?delete"), 0);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_goes_on_is_left),
        cmocka_unit_test(a_run_that_has_ended_is_removed),
        cmocka_unit_test(what_is_listed_is_counted),
    };

    log_set_level(LOG_QUIET);
    unsetenv("AWS_PROFILE");
    setenv("AWS_SHARED_CREDENTIALS_FILE", "/dev/null", 1);
    setenv("AWS_CONFIG_FILE", "/dev/null", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
