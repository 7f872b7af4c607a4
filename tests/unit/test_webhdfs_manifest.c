/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs_manifest.c - the manifest of a run in HDFS, which is put under another name first:
 * what is left of it is removed, told or left alone as what is in it and its age say. */
#include "base/compat.h"

#include "unit/webhdfs_fixture.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "target/clean.h"
#include "target/object/object.h"

#define ENTRY(name, type, length) \
    "{\"pathSuffix\":\"" name "\",\"type\":\"" type "\",\"length\":" length "}"
#define PAGE(entries)                                                                       \
    "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":{\"FileStatus\":[" entries \
    "]}},\"remainingEntries\":0}}"
#define NOT_THERE REMOTE("FileNotFoundException", "x")
#define OTHER     "manifest.00112233aabbccdd"
#define NAMED     "/webhdfs/v1/d/iosweep-x/manifest?op="
#define HALF      "iosweep webhdfs manifest 2\nrun=x\nowner=00112233aabbccdd\nbegun=17"
#define AN_HOUR   "Date: Thu, 01 Jan 1970 02:00:00 GMT\r\n" /* after the file was changed */
#define A_MOMENT  "Date: Thu, 01 Jan 1970 01:00:02 GMT\r\n"

static struct object_manifest_set set = {.kind = OBJECT_SET_WHOLE, .size_bytes = 1024, .count = 4};
static const struct object_manifest manifest = {.protocol = "webhdfs",
                                                .run_name = "x",
                                                .owner = UINT64_C(0x0123456789abcdef),
                                                .begun_s = 17,
                                                .set_count = 1,
                                                .set = &set};

/* ---- clean ---- */

static const char *torn = PAGE(ENTRY(OTHER, "FILE", "64"));

/* One run without a manifest, and below it what was put under another name. */
static int clean(const char *text, const char *date, const char *list_status, bool force,
                 struct clean_outcome *outcome, struct error *err)
{
    static const volatile int go_on;
    const struct fake_reply names[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH", "200 OK",
         .body = PAGE(ENTRY("iosweep-x", "DIRECTORY", "0"))},
        {"/webhdfs/v1/d/iosweep-x?op=LISTSTATUS_BATCH", list_status,
         .body = list_status[0] == '4' ? REMOTE("AccessControlException", "x") : torn},
        {NAMED, "404 Not Found", .body = NOT_THERE},
        {"op=GETFILESTATUS", "200 OK", .headers = date,
         .body = "{\"FileStatus\":{\"modificationTime\":3600000,\"type\":\"FILE\"}}"},
        {"op=OPEN", "307 Temporary Redirect", .headers = location, .body = ""},
        {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
        {0}};
    const struct fake_reply data[] = {{"GET ", "200 OK", .body = text}, {0}};
    struct clean_request request = {.options = &options, .stop = &go_on, .force = force};
    char target[80];
    int code;

    start_servers(names, data);
    (void)snprintf(target, sizeof(target), "webhdfs://127.0.0.1:%u/d", name_node.port);
    request.target = target;
    *err = ERROR_INIT;
    *outcome = (struct clean_outcome){0};
    code = object_clean(&request, outcome, err);
    stop_servers();
    return code;
}

static void test_clean(void **state)
{
    static const struct {
        const char *text, *date, *list_status;
        bool force;
        int code;
        unsigned objects;
    } rows[] = {
        {HALF, AN_HOUR, "200 OK", false, 0, 1},
        {HALF, A_MOMENT, "200 OK", false, -1, 0},
        {HALF, A_MOMENT, "200 OK", true, 0, 1},
        {HALF, NULL, "200 OK", false, -1, 0}, /* how old it is nobody knows */
        {HALF, NULL, "200 OK", true, 0, 1},
        {"somebody's notes", AN_HOUR, "200 OK", false, 0, 0},
        {"somebody's notes", AN_HOUR, "200 OK", true, 0, 0},
        {HALF, AN_HOUR, "403 Forbidden", false, -1, 0},
        {HALF, AN_HOUR, "403 Forbidden", true, -1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct clean_outcome outcome;
        struct error err;
        const int code =
            clean(rows[i].text, rows[i].date, rows[i].list_status, rows[i].force, &outcome, &err);

        assert_int_equal(code, rows[i].code);
        assert_int_equal(outcome.objects, rows[i].objects);
        assert_int_equal(outcome.bytes, rows[i].objects * 64);
        assert_int_equal(fake_http_count(&name_node, OTHER "?op=DELETE"), rows[i].objects);
        assert_int_equal(error_is_set(&err), code != 0);
    }
}

/* Of a run in a directory that was there before it: that stays. */
static void test_clean_found(void **state)
{
    struct clean_outcome outcome;
    struct error err;
    const char *const own = torn;

    (void)state;
    for (int found = 0; found < 2; found++) {
        torn = found ? PAGE(ENTRY(OTHER ".found", "FILE", "64")) : own;
        assert_int_equal(clean(HALF, AN_HOUR, "200 OK", false, &outcome, &err), 0);
        assert_int_equal(outcome.objects, 1);
        assert_int_equal(
            fake_http_count(&name_node, found ? OTHER ".found?op=DELETE" : OTHER "?op=DELETE"), 1);
        assert_int_equal(fake_http_count(&name_node, "/d/iosweep-x?op=DELETE"), !found);
    }
    torn = own;
}

static void test_begins(void **state)
{
    static const struct {
        const char *text;
        bool begins;
    } rows[] = {
        {"", true},
        {"iosw", true},
        {HALF, true},
        {HALF "\nstate=running 20\nseed=1\nsets=1\nset=who", true},
        {HALF "\nstate=running 20\nseed=1\nsets=1\nset=who\x01", false},
        {"x", false},
        {"iosweep s3 manifest 2\n", false},
        {"iosweep webhdfs manifest 2\nrun=y\n", false},
        {"iosweep webhdfs manifest 2\nrun=x\nowner=00112233aabbccde\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_int_equal(object_manifest_begins(rows[i].text, strlen(rows[i].text), "webhdfs", "x",
                                                i % 2 ? OTHER ".found" : OTHER),
                         rows[i].begins);
}

/* ---- runs that begin and end beside it ---- */

static const struct fake_reply beside[] = {
    {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE(ENTRY(OTHER, "FILE", "64"))},
    {"op=OPEN", "307 Temporary Redirect", .headers = location, .body = ""},
    {"/1024/", "404 Not Found", .body = NOT_THERE},
    {"op=GETFILESTATUS", "200 OK", .body = "{\"FileStatus\":{\"type\":\"FILE\"}}"},
    {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
    {0}};

static void test_stranger(void **state)
{
    static const struct fake_reply data[][2] = {{{"GET ", "200 OK", .body = HALF}, {0}},
                                                {{"GET ", "200 OK", .body = "notes"}, {0}}};
    char prefix[] = "d/iosweep-x/";

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct object_store store = {.made = false};
        struct error err = ERROR_INIT;

        start_servers(beside, data[i]);
        store.base.service = service;
        store.base.run_prefix = prefix;
        assert_int_equal(object_client_create(service, NULL, &store.base.client, &err), 0);
        assert_int_equal(object_run_expect_empty(&store, &err), i == 0 ? 0 : -1);
        object_client_destroy(store.base.client);
        stop_servers();
    }
}

/* A directory that is there before the run stays, and the manifest says so to whoever cleans. */
static void test_found(void **state)
{
    static const struct {
        const char *status, *entries;
        int code;
        bool found;
    } rows[] = {
        {"404 Not Found", PAGE(""), 0, false},
        {"200 OK", PAGE(""), 0, true},
        {"503 Service Unavailable", PAGE(""), -1, false},
        {"200 OK", PAGE(ENTRY("logs", "DIRECTORY", "0")), 0, true},
        {"200 OK", PAGE(ENTRY("1024", "DIRECTORY", "0")), -1, true},
    };
    char prefix[] = "d/iosweep-x/";

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct fake_reply names[] = {
            {"/webhdfs/v1/d/iosweep-x?op=LISTSTATUS_BATCH", "200 OK", .body = rows[i].entries},
            {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("")},
            {"/webhdfs/v1/d/iosweep-x?op=GETFILESTATUS", rows[i].status,
             .body = rows[i].status[0] == '4' ? NOT_THERE
                                              : "{\"FileStatus\":{\"type\":\"DIRECTORY\"}}"},
            {"op=CREATE", "307 Temporary Redirect", .headers = location, .body = ""},
            {NAMED "GETFILESTATUS", "404 Not Found", .body = NOT_THERE},
            {"op=RENAME", "200 OK", .body = "{\"boolean\":true}"},
            {0}};
        static const struct fake_reply data[] = {{"PUT ", "201 Created", .body = ""}, {0}};
        struct object_store store = {.manifest = manifest};
        struct object_manifest again;
        struct error err = ERROR_INIT;
        bool unsure;
        char *text;

        start_servers(names, data);
        store.base.service = service;
        store.base.run_prefix = prefix;
        assert_int_equal(object_client_create(service, NULL, &store.base.client, &err), 0);
        assert_int_equal(object_run_expect_empty(&store, &err), rows[i].code);
        assert_int_equal(store.manifest.place_found, rows[i].found);
        text = object_manifest_format(&store.manifest);
        assert_int_equal(object_manifest_parse(text, strlen(text), &again, &err), 0);
        assert_int_equal(again.place_found, rows[i].found);
        free(again.set);
        free(text);
        if (rows[i].found && rows[i].code == 0) /* what may be left of that tells it */
            assert_int_equal(object_manifest_put(store.base.client, service, prefix,
                                                 &store.manifest, &unsure, &err),
                             0);
        assert_int_equal(fake_http_count(&name_node, "manifest.0123456789abcdef.found?op="),
                         rows[i].found && rows[i].code == 0 ? 2 : 0);
        assert_int_equal(fake_http_count(&name_node, "manifest.0123456789abcdef?op="), 0);
        object_client_destroy(store.base.client);
        stop_servers();
    }
}

static void test_removal(void **state)
{
    static const struct fake_reply data[] = {{"GET ", "200 OK", .body = "notes"}, {0}};
    struct object_client *client;
    struct error err = ERROR_INIT;

    (void)state;
    start_servers(beside, data);
    assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
    assert_int_equal(object_run_remove(client, service, "d/iosweep-x/", &manifest, NULL, false,
                                       false, NULL, &err),
                     -1);
    assert_int_equal(err.errnum, ENOTEMPTY);
    assert_int_equal(fake_http_count(&name_node, OTHER "?op=DELETE"), 0);
    object_client_destroy(client);
    stop_servers();
}

/* What somebody has put in the place of a run's object since the run has ended is his; what was cut
 * off while it went on goes. */
static void test_changed(void **state)
{
    static const struct {
        uint32_t renew_s, made;
        const char *bytes;
        bool force;
        int code;
    } rows[] = {
        {0, 4, "9", false, -1},   {0, 4, "9", true, 0},     {0, 4, "0", false, 0},
        {0, 4, "1024", false, 0}, {0, 4, "1025", true, -1}, {0, 1, "9", false, -1},
        {0, 0, "9", false, 0},    {20, 4, "9", false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char list[400];
        const struct fake_reply names[] = {
            {"/webhdfs/v1/d/iosweep-x?op=LISTSTATUS_BATCH", "200 OK",
             .body = PAGE(ENTRY("1024", "DIRECTORY", "0"))},
            {"op=LISTSTATUS_BATCH", "200 OK", .body = list, .times = rows[i].code ? 0 : 1},
            {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("")},
            {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
            {"op=", "404 Not Found", .body = NOT_THERE},
            {0}};
        struct object_manifest_set plan = {.kind = OBJECT_SET_WHOLE,
                                           .size_bytes = 1024,
                                           .count = 4,
                                           .made = rows[i].made,
                                           .state = OBJECT_SET_WRITTEN};
        struct object_manifest run = manifest;
        struct object_client *client;
        struct error err = ERROR_INIT;

        run.renew_s = rows[i].renew_s;
        run.set = &plan;
        (void)snprintf(list, sizeof(list),
                       PAGE("{\"pathSuffix\":\"000001\",\"type\":\"FILE\",\"length\":%s}"),
                       rows[i].bytes);
        start_servers(names, NULL);
        assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
        assert_int_equal(object_run_remove(client, service, "d/iosweep-x/", &run, NULL, false,
                                           rows[i].force, NULL, &err),
                         rows[i].code);
        assert_int_equal(err.errnum, rows[i].code ? ENOTEMPTY : 0);
        assert_int_equal(fake_http_count(&name_node, "000001?op=DELETE"), rows[i].code == 0);
        object_client_destroy(client);
        stop_servers();
    }
}

static volatile int dropped;

static void *drop(void *arg)
{
    (void)arg;
    while (fake_http_count(&data_node, "PUT ") == 0)
        (void)poll(NULL, 0, 10);
    flag_set(&dropped, 1);
    return NULL;
}

/* A manifest that was being put anew when the run ended is counted as that. */
static void test_drop(void **state)
{
    static const struct fake_reply names[] = {
        {"op=CREATE", "307 Temporary Redirect", .headers = location, .body = ""}, {0}};
    static const struct fake_reply data[] = {{"PUT ", "201 Created", .body = "x", .wait_ms = 2000},
                                             {0}};
    struct object_client *client;
    struct error err = ERROR_INIT;
    pthread_t thread;

    (void)state;
    start_servers(names, data);
    assert_int_equal(object_client_create(service, &dropped, &client, &err), 0);
    assert_int_equal(pthread_create(&thread, NULL, drop, NULL), 0);
    assert_int_equal(object_manifest_renew(client, "d/iosweep-x/", &manifest, "", &err), -1);
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&service->dropped), 1);
    assert_int_equal(atomic_load(&service->renewals_dropped), 1);
    object_client_destroy(client);
    stop_servers();
}

/* It excuses that one request, once what came of it was seen:
 * nothing that anybody else has left. */
static void test_excuse(void **state)
{
    static const char *const keys[] = {"manifest.0123456789abcdef", OTHER};
    static const struct {
        unsigned key, dropped, renewals;
        int code;
    } rows[] = {
        {0, 1, 1, 0},
        {0, 1, 0, OBJECT_REMOVAL_UNSURE},
        {0, 2, 1, OBJECT_REMOVAL_UNSURE},
        {1, 1, 1, OBJECT_REMOVAL_UNSURE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char list[400];
        const struct fake_reply names[] = {
            {"op=LISTSTATUS_BATCH", "200 OK", .body = list, .times = 1},
            {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("")},
            {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
            {"op=", "404 Not Found", .body = NOT_THERE},
            {0}};
        struct object_client *client;
        struct error err = ERROR_INIT;

        (void)snprintf(list, sizeof(list),
                       PAGE("{\"pathSuffix\":\"%s\",\"type\":\"FILE\",\"length\":0}"),
                       keys[rows[i].key]);
        start_servers(names, NULL);
        assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
        atomic_store(&service->dropped, rows[i].dropped);
        atomic_store(&service->renewals_dropped, rows[i].renewals);
        assert_int_equal(object_run_remove(client, service, "d/iosweep-x/", &manifest, NULL, false,
                                           false, NULL, &err),
                         rows[i].code);
        assert_int_equal(fake_http_count(&name_node, "?op=DELETE") > 0, 1);
        object_client_destroy(client);
        stop_servers();
    }
}

/* ---- the first one, and what hinders it ---- */

#define FILE_STATUS "{\"FileStatus\":{\"type\":\"FILE\"}}"
#define REFUSED     "{\"boolean\":false}"

struct hindered {
    const char *rename_status, *rename_body;
    const char *look_body;   /* what lies there before: NULL: nothing */
    const char *delete_body; /* of the other name; NULL: it is done */
    bool lost;               /* the answer of the DataNode, and then the user's right to write */
    int code, errnum;        /* errnum 0: any but EEXIST */
    bool unsure;
    unsigned renames, direct; /* requests */
};

static void put_hindered(const struct hindered *row)
{
    const struct fake_reply names[] = {
        {"manifest.0123456789abcdef?op=CREATE&overwrite=true", "307 Temporary Redirect",
         .headers = location, .body = "", .times = 1},
        {"op=CREATE&overwrite=true", "403 Forbidden",
         .body = REMOTE("AccessControlException", "x")},
        {NAMED "CREATE&overwrite=false", "307 Temporary Redirect", .headers = location, .body = ""},
        {NAMED "GETFILESTATUS", row->look_body ? "200 OK" : "404 Not Found",
         .body = row->look_body ? row->look_body : NOT_THERE},
        {"op=RENAME", row->rename_status, .body = row->rename_body},
        {"op=OPEN", "404 Not Found", .body = NOT_THERE},
        {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("")},
        {"manifest.0123456789abcdef?op=DELETE", row->delete_body ? "403 Forbidden" : "200 OK",
         .body = row->delete_body ? row->delete_body : "{\"boolean\":true}"},
        {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
        {0}};
    const struct fake_reply data[] = {
        {"PUT ", "201 Created", .body = "", .announced = row->lost ? 10 : 0, .cut = row->lost},
        {0}};
    struct object_client *client;
    struct error err = ERROR_INIT;
    bool unsure = !row->unsure;

    start_servers(names, data);
    assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
    assert_int_equal(object_manifest_put(client, service, "d/iosweep-x/", &manifest, &unsure, &err),
                     row->code);
    assert_int_equal(unsure, row->unsure);
    if (row->errnum)
        assert_int_equal(err.errnum, row->errnum);
    else
        assert_int_not_equal(err.errnum, EEXIST);
    assert_int_equal(fake_http_count(&name_node, "op=RENAME"), row->renames);
    assert_int_equal(fake_http_count(&name_node, "overwrite=false"), row->direct);
    object_client_destroy(client);
    stop_servers();
}

static void test_hindered(void **state)
{
    static const char quota[] = REMOTE("NSQuotaExceededException", "x");
    static const char denied[] = REMOTE("AccessControlException", "x");
    static const struct hindered rows[] = {
        /* what answers yes to everything gives no name that something has */
        {"200 OK", "{\"boolean\":true}", FILE_STATUS, NULL, false, -1, EEXIST, false, 0, 0},
        /* no, and nothing of that name is there */
        {"200 OK", REFUSED, NULL, NULL, false, -1, 0, false, 1, 0},
        /* it is left under the other name */
        {"403 Forbidden", quota, NULL, NULL, false, -1, EDQUOT, false, 1, 0},
        {"403 Forbidden", quota, NULL, denied, false, -1, EDQUOT, true, 1, 0},
        {"504 Gateway Timeout", "", NULL, NULL, false, -1, 0, true, 4, 0},
        /* an earlier attempt may come still, whatever the last one was told */
        {"200 OK", "{\"boolean\":true}", NULL, NULL, true, -1, EACCES, true, 0, 0},
        /* no names are given: then at once under its own */
        {"501 Not Implemented", "", NULL, NULL, false, 0, 0, false, 1, 1},
        {"400 Bad Request", "", NULL, NULL, false, 0, 0, false, 1, 1},
        {"403 Forbidden", denied, NULL, NULL, false, 0, 0, false, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        put_hindered(&rows[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_begins),      cmocka_unit_test(test_clean),
        cmocka_unit_test(test_clean_found), cmocka_unit_test(test_stranger),
        cmocka_unit_test(test_removal),     cmocka_unit_test(test_hindered),
        cmocka_unit_test(test_changed),     cmocka_unit_test(test_drop),
        cmocka_unit_test(test_found),       cmocka_unit_test(test_excuse),
    };

    log_set_level(LOG_QUIET);
    forget_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
