/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs_manifest.c - manifests of runs in HDFS, where a file is visible while it is being
 * written: an incomplete one is read again, rewritten, removed or left alone, depending on its
 * content and age. */
#include "base/compat.h"

#include "unit/webhdfs_fixture.h"

#include <errno.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/object/object.h"

#define ENTRY(name, type, length) \
    "{\"pathSuffix\":\"" name "\",\"type\":\"" type "\",\"length\":" length "}"
#define PAGE(entries)                                                                       \
    "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":{\"FileStatus\":[" entries \
    "]}},\"remainingEntries\":0}}"
#define DIRECTORY "{\"FileStatus\":{\"type\":\"DIRECTORY\"}}"
#define NOT_THERE REMOTE("FileNotFoundException", "x")
#define HALF      "iosweep manifest 3\nstorage=webhdfs\nrun=x\nowner=00112233aabbccdd\nbegun=17"
#define WHOLE     HALF "\nstate=ended\nseed=1\nsets=1\nset=whole 1024 64 3 written\n"
#define AN_HOUR   "Date: Thu, 01 Jan 1970 02:00:00 GMT\r\n" /* after the file was changed */
#define A_MOMENT  "Date: Thu, 01 Jan 1970 01:00:02 GMT\r\n"

static struct life_set set = {.kind = LIFE_WHOLE, .size_bytes = 1024, .count = 4};
static const struct life_manifest manifest = {
    .storage = "webhdfs",
    .run_name = "x",
    .state = {.owner = UINT64_C(0x0123456789abcdef), .begun_s = 17},
    .set_count = 1,
    .set = &set};

/* A manifest being written is read again; one that stays incomplete is damaged. */
static void test_half(void **state)
{
    const struct fake_reply names[] = {
        {"op=GETFILESTATUS", "404 Not Found", .body = NOT_THERE},
        {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE(ENTRY(LIFE_FIRST, "FILE", "64"))},
        REDIRECT("op=OPEN"),
        {0}};
    static const struct fake_reply data[] = {{"GET ", "200 OK", .body = "", .times = 1},
                                             {"GET ", "200 OK", .body = HALF, .times = 1},
                                             {"GET ", "200 OK", .body = WHOLE, .times = 1},
                                             {"GET ", "200 OK", .body = ""},
                                             {0}};
    struct life_manifest found;
    struct object_client *client;
    struct error err = ERROR_INIT;

    start_servers(names, data);
    assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
    assert_int_equal(object_run_look(client, "d/iosweep-x/", &found, NULL, &err), LIFE_READ);
    assert_int_equal(found.set[0].made, 3);
    assert_false(error_is_set(&err));
    life_manifest_free(&found);
    assert_int_equal(object_run_look(client, "d/iosweep-x/", &found, NULL, &err), LIFE_TORN);
    object_client_destroy(client);
    stop_servers();
}

/* A put requires that the name is free; an incomplete file of an earlier attempt of its own is
 * rewritten, another process's is kept. */
static void test_put(void **state)
{
    static const struct {
        const char *there; /* after an attempt whose answer was lost; NULL: nothing */
        int code;
        unsigned removed;
    } rows[] = {
        {NULL, 0, 0}, {"", 0, 1}, {"iosweep manifest 3\n", 0, 1}, {WHOLE, 1, 0}, {"notes", 1, 0}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const bool lost = rows[i].there != NULL;
        const struct fake_reply names[] = {{"op=CREATE&overwrite=false", "307 Temporary Redirect",
                                            .headers = location, .body = "", .times = 1},
                                           {lost ? "op=CREATE&overwrite=false" : "not this one",
                                            "403 Forbidden", .times = 1,
                                            .body = REMOTE("FileAlreadyExistsException", "x")},
                                           REDIRECT("op=CREATE&overwrite=false"),
                                           {"op=DELETE", "200 OK", .body = "{\"boolean\":true}"},
                                           REDIRECT("op=OPEN"),
                                           {0}};
        const struct fake_reply data[] = {{"PUT ", "201 Created", .body = "",
                                           .announced = lost ? 10 : 0, .cut = lost, .times = 1},
                                          {"PUT ", "201 Created", .body = ""},
                                          {"GET ", "200 OK", .body = rows[i].there},
                                          {0}};
        struct life_manifest own = manifest;
        struct object_client *client;
        struct error err = ERROR_INIT;

        print_message("row %zu\n", i);
        start_servers(names, data);
        assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
        assert_int_equal(life_begin(object_run_place(client, "d/iosweep-x/"), &own, &err),
                         rows[i].code);
        assert_int_equal(fake_http_count(&name_node, "op=DELETE"), rows[i].removed);
        assert_int_equal(fake_http_count(&name_node, "overwrite=true"), 0);
        object_client_destroy(client);
        stop_servers();
    }
}

/* A run that was interrupted while it put its first manifest. */
static int clean(const char *text, const char *date, const char *list_status, bool force,
                 struct clean_outcome *outcome, struct error *err)
{
    static const volatile int go_on;
    const struct fake_reply names[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH", "200 OK",
         .body = PAGE(ENTRY("iosweep-x", "DIRECTORY", "0"))},
        {"/webhdfs/v1/d/iosweep-x?op=LISTSTATUS_BATCH", list_status,
         .body = list_status[0] == '4' ? REMOTE("AccessControlException", "x")
                                       : PAGE(ENTRY(LIFE_FIRST, "FILE", "64"))},
        {"op=GETFILESTATUS", "200 OK", .headers = date,
         .body = "{\"FileStatus\":{\"modificationTime\":3600000,\"type\":\"FILE\"}}"},
        REDIRECT("op=OPEN"),
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
        unsigned removed;
    } rows[] = {
        {HALF, AN_HOUR, "200 OK", false, 0, 1},
        {"", AN_HOUR, "200 OK", false, 0, 1},
        {HALF, A_MOMENT, "200 OK", false, -1, 0},
        {HALF, A_MOMENT, "200 OK", true, 0, 1},
        {HALF, NULL, "200 OK", false, -1, 0}, /* its age is unknown */
        {HALF, NULL, "200 OK", true, 0, 1},
        {"somebody's notes", AN_HOUR, "200 OK", false, -1, 0},
        {"somebody's notes", AN_HOUR, "200 OK", true, -1, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct clean_outcome outcome;
        struct error err;
        const int code =
            clean(rows[i].text, rows[i].date, rows[i].list_status, rows[i].force, &outcome, &err);

        print_message("row %zu\n", i);
        assert_int_equal(code, rows[i].code);
        assert_int_equal(outcome.objects, 0);
        assert_int_equal(fake_http_count(&name_node, LIFE_FIRST "?op=DELETE"), rows[i].removed);
        assert_int_equal(fake_http_count(&name_node, "/d/iosweep-x?op=DELETE"), rows[i].removed);
        assert_int_equal(error_is_set(&err), code != 0);
    }
}

/* A directory that existed before is not the run's, even if it is empty. */
static void test_found(void **state)
{
    static const struct {
        const char *status;
        int errnum;
    } rows[] = {{"404 Not Found", 0}, {"200 OK", EEXIST}, {"503 Service Unavailable", EREMOTEIO}};
    char prefix[] = "d/iosweep-x/";

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct fake_reply names[] = {
            {"op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("")},
            {"/webhdfs/v1/d/iosweep-x?op=GETFILESTATUS", rows[i].status,
             .body = rows[i].status[0] == '4' ? NOT_THERE : DIRECTORY},
            {0}};
        struct object_store store = {.manifest = manifest};
        struct error err = ERROR_INIT;

        start_servers(names, NULL);
        store.service = service;
        store.run_prefix = prefix;
        assert_int_equal(object_client_create(service, NULL, &store.client, &err), 0);
        assert_int_equal(object_run_expect_empty(&store, &err), rows[i].errnum ? -1 : 0);
        assert_int_equal(err.errnum, rows[i].errnum);
        object_client_destroy(store.client);
        stop_servers();
    }
}

/* An object that replaced the run's own after the run ended is foreign; one truncated while the run
 * was alive is removed. */
static void test_changed(void **state)
{
    static const struct {
        bool running;
        uint32_t made;
        const char *bytes;
        bool force;
        int code;
    } rows[] = {
        {false, 4, "9", false, -1},   {false, 4, "9", true, 0},     {false, 4, "0", false, 0},
        {false, 4, "1024", false, 0}, {false, 4, "1025", true, -1}, {false, 1, "9", false, -1},
        {false, 0, "9", false, 0},    {true, 4, "9", false, 0},
    };

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
        struct life_set plan = {.kind = LIFE_WHOLE,
                                .size_bytes = 1024,
                                .count = 4,
                                .made = rows[i].made,
                                .content = LIFE_WRITTEN};
        struct life_manifest run = manifest;
        struct object_client *client;
        struct life_tally tally;
        struct error err = ERROR_INIT;

        run.state.running = rows[i].running;
        run.set = &plan;
        (void)snprintf(list, sizeof(list),
                       PAGE("{\"pathSuffix\":\"000001\",\"type\":\"FILE\",\"length\":%s}"),
                       rows[i].bytes);
        start_servers(names, NULL);
        assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
        tally = (struct life_tally){.force = rows[i].force};
        assert_int_equal(object_run_go_over(client, "d/iosweep-x/", &run, NULL, false, LIFE_REMOVE,
                                            &tally, &err),
                         rows[i].code);
        assert_int_equal(err.errnum, rows[i].code ? ENOTEMPTY : 0);
        assert_int_equal(fake_http_count(&name_node, "000001?op=DELETE"), rows[i].code == 0);
        object_client_destroy(client);
        stop_servers();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half),  cmocka_unit_test(test_put),     cmocka_unit_test(test_clean),
        cmocka_unit_test(test_found), cmocka_unit_test(test_changed),
    };

    log_set_level(LOG_QUIET);
    forget_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
