/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_webhdfs_files.c - WebHDFS as a protocol of the object layer: lists, directories, a run's
 * manifest, and conditional requests. */
#include "base/compat.h"

#include "unit/webhdfs_fixture.h"

#include <errno.h>

#include "base/mem.h"
#include "storage/object/object.h"

/* ---- lists ---- */

#define FILE_(name)     "{\"pathSuffix\":\"" name "\",\"type\":\"FILE\",\"length\":5}"
#define DIRECTORY(name) "{\"length\":0,\"pathSuffix\":\"" name "\",\"type\":\"DIRECTORY\"}"
#define PAGE(entries, remaining)                                                            \
    "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":{\"FileStatus\":[" entries \
    "]}},\"remainingEntries\":" remaining "}}"

static char listed[400];

static int visit(void *arg, const struct object_listed *entry, struct error *err)
{
    snprintf(listed + strlen(listed), sizeof(listed) - strlen(listed), "%s%s%s",
             listed[0] ? " " : "", entry->key, entry->rolled_up ? "!" : "");
    assert_int_equal(entry->size_bytes, entry->rolled_up ? 0 : 5);
    return 0;
}

/* Lists all pages. Returns their number, or -1. */
static int list_all(const char *prefix, const char *delimiter)
{
    struct object_call call = {.verb = OBJECT_LIST, .key = prefix, .delimiter = delimiter};
    struct object_page *page = mem_calloc(1, sizeof(*page));
    char *token = mem_calloc(1, sizeof(page->token));
    struct error err = ERROR_INIT;
    int pages = 0, code;

    listed[0] = '\0';
    do {
        const struct object_answer *answer = ask(&call);
        assert_int_equal(answer->verdict.class, OBJECT_DONE);
        code = webhdfs_protocol.list(answer, page, visit, NULL, &err);
        memcpy(token, page->token, sizeof(page->token));
        call.token = token;
        pages++;
    } while (code == 0 && page->more && pages < 20);
    free(token);
    free(page);
    return code == 0 ? pages : -1;
}

static void test_list(void **state)
{
    static const struct fake_reply paged[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&startAfter=x&", "200 OK",
         .body = PAGE(FILE_("y") "," FILE_("z"), "0")},
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&startAfter=b&", "200 OK",
         .body = PAGE(FILE_("c"), "2")},
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&startAfter=c&", "200 OK",
         .body = PAGE(DIRECTORY("x") "," FILE_("y") "," FILE_("z"), "0")},
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&user", "200 OK",
         .body = PAGE(FILE_("a%") "," DIRECTORY("b") "," FILE_("c"), "2")},
        {"/webhdfs/v1/d/b?op=LISTSTATUS_BATCH&startAfter=1&", "200 OK",
         .body = PAGE(FILE_("2"), "0")},
        {"/webhdfs/v1/d/b?op=LISTSTATUS_BATCH&user", "200 OK", .body = PAGE(FILE_("1"), "1")},
        {"/webhdfs/v1/d/x?op=LISTSTATUS_BATCH&user", "200 OK", .body = PAGE("", "0")},
        {"/webhdfs/v1/e?", "404 Not Found", .body = REMOTE("FileNotFoundException", "x")},
        {0}};
    static const struct fake_reply whole[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH", "200 OK",
         .body =
             PAGE(FILE_("a") "," DIRECTORY("b") "," FILE_("b.c") "," DIRECTORY("d") "," FILE_("e"),
                  "0")},
        {"/webhdfs/v1/d/b?op=LISTSTATUS_BATCH", "200 OK",
         .body = PAGE(FILE_("1") "," FILE_("2"), "0")},
        {"/webhdfs/v1/d/d?op=LISTSTATUS_BATCH", "200 OK", .body = PAGE("", "0")},
        {0}};
    static const struct fake_reply runs[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&startAfter=iosweep&", "200 OK",
         .body = PAGE(DIRECTORY("iosweep-1") "," FILE_("iosweep-2") "," FILE_("other"), "0")},
        {0}};
    static const struct fake_reply names[] = {
        {"/webhdfs/v1/d?op=LISTSTATUS_BATCH&startAfter=f&", "200 OK",
         .body = PAGE(FILE_("fa") "," FILE_("fil") "," FILE_("file") "," FILE_("g"), "0")},
        {0}};
    static const struct {
        const struct fake_reply *replies;
        const char *prefix, *delimiter;
        int pages;
        const char *listed;
    } rows[] = {
        {paged, "d/", NULL, 7, "d/a% d/b/1 d/b/2 d/c d/y d/z"},
        {paged, "e/", NULL, 1, ""},
        /* HttpFS: each answer contains the whole directory, however long */
        {whole, "d/", NULL, 5, "d/a d/b/1 d/b/2 d/b.c d/e"},
        {runs, "d/iosweep-", "/", 1, "d/iosweep-1/! d/iosweep-2"},
        /* one file by its name, and files below a directory of that name */
        {names, "d/fi", NULL, 1, "d/fil d/file"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        print_message("row %zu\n", i);
        start_servers(rows[i].replies, NULL);
        assert_int_equal(list_all(rows[i].prefix, rows[i].delimiter), rows[i].pages);
        assert_string_equal(listed, rows[i].listed);
        stop_servers();
    }
}

static void test_list_long(void **state)
{
    enum { FILES = 20000 };
    static char body[FILES * 160];
    static struct fake_reply names[2];
    const struct object_call call = {.verb = OBJECT_LIST, .key = "d/"};
    struct object_page *page = mem_calloc(1, sizeof(*page));
    size_t used = (size_t)snprintf(body, sizeof(body), "%s",
                                   "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":"
                                   "{\"FileStatus\":[");
    const struct object_answer *answer;
    struct error err = ERROR_INIT;

    for (unsigned i = 0; i < FILES; i++)
        used += (size_t)snprintf(body + used, sizeof(body) - used,
                                 "%s{\"pathSuffix\":\"%06u\",\"type\":\"FILE\",\"length\":1,"
                                 "\"owner\":\"%060u\"}",
                                 i ? "," : "", i, i);
    snprintf(body + used, sizeof(body) - used, "]}},\"remainingEntries\":0}}");
    names[0] = (struct fake_reply){"op=LISTSTATUS_BATCH", "200 OK", .body = body};
    start_servers(names, NULL);
    answer = ask(&call);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(webhdfs_protocol.list(answer, page, NULL, NULL, &err), 0);
    assert_int_equal(page->keys, FILES);
    assert_false(page->more);
    free(page);
    stop_servers();
}

static void test_list_broken(void **state)
{
    static const char *const bodies[] = {
        "",
        "{}",
        "[]",
        PAGE("", "x"),
        PAGE("1", "0"),
        PAGE("{}", "0"),
        PAGE("{\"type\":\"FILE\",\"length\":5}", "0"),
        PAGE("{\"pathSuffix\":\"a\",\"length\":5}", "0"),
        PAGE("{\"pathSuffix\":\"a\",\"type\":\"FILE\"}", "0"),
        PAGE("{\"pathSuffix\":\"a\",\"pathSuffix\":\"b\",\"type\":\"FILE\",\"length\":5}", "0"),
        PAGE(FILE_("a/b"), "0"),
        PAGE(FILE_(".."), "0"),
        PAGE(DIRECTORY("."), "0"),
        PAGE("", "3"), /* more entries, but no name to continue from */
        "{\"DirectoryListing\":{\"partialListing\":{\"FileStatuses\":{\"FileStatus\":[]}}}}",
    };

    for (size_t i = 0; i < sizeof(bodies) / sizeof(*bodies); i++) {
        const struct fake_reply names[] = {{"op=LISTSTATUS_BATCH", "200 OK", .body = bodies[i]},
                                           {0}};

        start_servers(names, NULL);
        assert_int_equal(list_all("d/", NULL), -1);
        stop_servers();
    }
}

/* ---- directories of a run ---- */

static void test_place(void **state)
{
    static const struct fake_reply names[] = {
        {"DELETE /webhdfs/v1/d/iosweep-r/1024?op=DELETE&recursive=false", "403 Forbidden",
         .body = REMOTE("PathIsNotEmptyDirectoryException", "x")},
        {"DELETE /webhdfs/v1/d/iosweep-r/4096?op=DELETE&recursive=false", "200 OK",
         .body = "{\"boolean\":true}"},
        {"DELETE /webhdfs/v1/d/iosweep-r?op=DELETE&recursive=false", "403 Forbidden",
         .body = REMOTE("PathIsNotEmptyDirectoryException", "x")},
        {0}};
    static const char *const places[] = {"d/iosweep-r/1024/", "d/iosweep-r/4096/", "d/iosweep-r/"};
    struct object_client *client;
    struct error err = ERROR_INIT;

    start_servers(names, NULL);
    assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
    for (unsigned i = 0; i < 3; i++) { /* the last one is not empty */
        assert_int_equal(object_place_remove(client, places[i], &err), 0);
        assert_int_equal(fake_http_count(&name_node, "DELETE "), i + 1);
    }
    assert_int_equal(fake_http_count(&name_node, "recursive=true"), 0);
    object_client_destroy(client);
    stop_servers();
}

static void test_expect_place(void **state)
{
    static const struct fake_reply names[] = {
        {"/v1/a%20dir?op=GETFILESTATUS", "200 OK",
         .body = "{\"FileStatus\":{\"type\":\"DIRECTORY\"}}"},
        {"/v1/file?op=GETFILESTATUS", "200 OK", .body = "{\"FileStatus\":{\"type\":\"FILE\"}}"},
        {"/v1/none?op=GETFILESTATUS", "404 Not Found",
         .body = REMOTE("FileNotFoundException", "x")},
        {"/v1/closed?op=GETFILESTATUS", "403 Forbidden",
         .body = REMOTE("AccessControlException", "x")},
        {0}};
    static const struct {
        const char *prefix, *what;
    } cases[] = {{"", NULL},
                 {"a dir/", NULL},
                 {"file/", "this is a file"},
                 {"none/", "; create it first: hdfs dfs -mkdir -p /none"},
                 {"closed/", NULL}};

    start_servers(names, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct error err = ERROR_INIT;
        char text[1024];
        struct object_client *client = NULL;
        int code;

        assert_int_equal(object_client_create(service, NULL, &client, &err), 0);
        service->prefix = cases[i].prefix;
        code = object_client_expect_place(client, &err);
        object_client_destroy(client);
        assert_int_equal(code, cases[i].what ? -1 : 0);
        if (!cases[i].what)
            continue;
        assert_int_equal(err.status, STATUS_TARGET);
        assert_non_null(strstr(error_format(&err, text, sizeof(text)), cases[i].what));
    }
    assert_int_equal(name_node.seen_count, 4); /* the root exists */
    stop_servers();
}

/* A truncated file is shorter than in the manifest, but still belongs to the run. */
static void test_cut_off(void **state)
{
    static const struct fake_reply names[] = {{0}};
    struct life_set set = {.kind = LIFE_WHOLE, .size_bytes = 1024, .count = 4};
    const struct life_manifest manifest = {.set_count = 1, .set = &set};

    start_servers(names, NULL);
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1024), OBJECT_OWN);
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 0), OBJECT_OWN);
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1), OBJECT_OWN);
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1025), OBJECT_FOREIGN);
    set.made = 1; /* and the run has ended */
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1), OBJECT_CHANGED);
    service->gradual = false;
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1023), OBJECT_CHANGED);
    assert_int_equal(object_manifest_judge(&manifest, 0, service, 1025), OBJECT_FOREIGN);
    stop_servers();
}

/* ---- conditions, age ---- */

static void test_conditions(void **state)
{
    static const struct fake_reply names[] = {REDIRECT("op=CREATE&overwrite=false"), {0}};
    static const struct fake_reply data[] = {
        {"PUT ", "403 Forbidden", .body = REMOTE("FileAlreadyExistsException", "x")}, {0}};
    const struct object_call absent = {
        .verb = OBJECT_PUT, .key = "d/f", .body = "x", .body_bytes = 1, .only_if_absent = true};

    start_servers(names, data);
    assert_int_equal(ask(&absent)->condition, OBJECT_CONDITION_UNMET);
    assert_int_equal(fake_http_count(&name_node, "overwrite=true"), 0);
    stop_servers();
}

static void test_age(void **state)
{
    static const struct fake_reply names[] = {
        {"op=GETFILESTATUS", "200 OK", .headers = "Date: Thu, 01 Jan 1970 01:00:00 GMT\r\n",
         .body = "{\"FileStatus\":{\"modificationTime\":3590500,\"type\":\"FILE\"}}"},
        {0}};
    const struct object_call call = {.verb = OBJECT_STAT, .key = "d/f", .want_age = true};
    const struct object_answer *answer;

    start_servers(names, NULL);
    answer = ask(&call);
    assert_non_null(answer);
    assert_int_equal(answer->verdict.class, OBJECT_DONE);
    assert_int_equal(answer->age_s, 10);
    stop_servers();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),         cmocka_unit_test(test_list_long),
        cmocka_unit_test(test_list_broken),  cmocka_unit_test(test_place),
        cmocka_unit_test(test_expect_place), cmocka_unit_test(test_cut_off),
        cmocka_unit_test(test_conditions),   cmocka_unit_test(test_age),
    };

    forget_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
