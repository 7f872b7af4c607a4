/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_object_existing.c - what -r reads from a store: the user's objects, or those of one kept
 * run, as far as they exist. Uses a store in memory with objects put by the test. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/object/object.h"
#include "unit/mem_keys.h"

static const volatile int go_on;

struct place {
    struct mem_options options;
    struct target_request request;
    struct object_service *service;
    struct mem_store *memory;
    struct object_store *store; /* of the last open_store */
    struct error err;
};

static struct place *place;

static int set_up(void **state)
{
    place = mem_calloc(1, sizeof(*place));
    place->request = (struct target_request){.target = "mem:", .existing = true, .stop = &go_on};
    if (object_service_open(&mem_protocol, "mem:", &place->options, true, &place->service,
                            &place->err) != 0)
        return -1;
    place->memory = mem_service_store(place->service);
    return 0;
}

static void free_store(void)
{
    struct object_store *store = place->store;

    if (!store)
        return;
    object_client_destroy(store->client);
    object_sets_free(store);
    pattern_end(&store->pattern);
    free(store->run_prefix);
    free(store->target.place);
    free(store->target.name_root);
    free(store->target.label);
    free(store);
    place->store = NULL;
}

static int tear_down(void **state)
{
    free_store();
    mem_protocol.close(place->service);
    free(place);
    return 0;
}

/* Puts the manifest of a run with two sets, and the named objects of the first.  The run "live" is
 * running on another host. */
static void put_run(const char *run_name, const char *objects)
{
    struct life_set sets[] = {{
                                  .kind = LIFE_WHOLE,
                                  .size_bytes = 300,
                                  .count = 10,
                              },
                              {.kind = LIFE_WHOLE, .size_bytes = 100, .count = 2, .made = 2},
                              {.kind = LIFE_DELETE, .size_bytes = 100}};
    struct life_manifest manifest = {.storage = "mem",
                                     .state = {.owner = 1, .begun_s = 1},
                                     .seed = 7,
                                     .set_count = 3,
                                     .set = sets};
    char *text, *key;

    strcpy(manifest.run_name, run_name);
    manifest.state.running = strcmp(run_name, "live") == 0;
    manifest.state.process = (struct os_process){.host = 1, .pid = 1, .start = 1};
    text = life_manifest_format(&manifest);
    key = mem_printf("iosweep-%s/MANIFEST-1", run_name);
    mem_put(place->memory, key, text, strlen(text));
    free(key);
    free(text);
    for (; *objects != '\0'; objects++) {
        key = mem_printf("iosweep-%s/300/00000%c", run_name, *objects);
        mem_put(place->memory, key, NULL, 300);
        free(key);
    }
    key = mem_printf("iosweep-%s/100/", run_name);
    mem_put_numbered(place->memory, key, 2, 100);
    free(key);
}

static struct object_store *new_store(void)
{
    struct object_store *store = mem_calloc(1, sizeof(*store));

    free_store();
    place->store = store;
    place->err = ERROR_INIT;
    store->service = place->service;
    store->target.driver = storage_driver_for("mem:");
    store->target.request = &place->request;
    store->target.label = mem_strdup("mem:");
    store->run_prefix = mem_strdup("");
    assert_int_equal(object_client_create(place->service, &go_on, &store->client, &place->err), 0);
    return store;
}

static struct object_store *open_good(void)
{
    struct object_store *store = new_store();
    char text[1000];

    if (object_existing_open(store, &place->err) != 0)
        fail_msg("%s", error_format(&place->err, text, sizeof(text)));
    return store;
}

static void open_bad(const char *action, const char *advice)
{
    char text[1000];

    assert_int_equal(object_existing_open(new_store(), &place->err), -1);
    print_message("%s\n", error_format(&place->err, text, sizeof(text)));
    assert_non_null(strstr(place->err.action, action));
    assert_non_null(strstr(place->err.advice, advice));
}

static void check(const struct object_store *store, size_t count, const char *const *names,
                  const uint64_t *lengths)
{
    uint64_t total = 0;

    assert_int_equal(store->target.object_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(store->names[i], names[i]);
        assert_int_equal(store->lengths[i], lengths[i]);
        total += lengths[i];
    }
    assert_int_equal(store->target.total_bytes, total);
}

/* ---- the user's objects ---- */

static void the_longest_come_first(void **state)
{
    static const char *const names[] = {"c", "a", "b/d", "b/manifest"};
    static const uint64_t lengths[] = {700, 50, 50, 50};

    mem_put(place->memory, "a", NULL, 50);
    mem_put(place->memory, "b/d", NULL, 50);
    mem_put(place->memory, "b/manifest", NULL, 50); /* of no run */
    mem_put(place->memory, "c", NULL, 700);
    mem_put(place->memory, "empty", NULL, 0);
    check(open_good(), 4, names, lengths);
    place->request.verify = true;
    open_bad("--verify cannot know", "--run-name");
}

static void runs_beside_them_are_left_out(void **state)
{
    static const char *const names[] = {"a", "iosweep-x"};
    static const uint64_t lengths[] = {50, 40};

    put_run("one", "3");
    put_run("two", "");
    mem_put(place->memory, "a", NULL, 50);
    mem_put(place->memory, "iosweep-x", NULL, 40);
    check(open_good(), 2, names, lengths);
}

static void nothing_to_read_is_said(void **state)
{
    open_bad("no objects in", "without -r");
    mem_put(place->memory, "a", NULL, 0);
    open_bad("only empty objects in", "without -r");
}

/* ---- runs ---- */

static void one_run_alone_is_read(void **state)
{
    const struct object_store *store;

    put_run("one", "34");
    mem_put(place->memory, "iosweep-one/300/000010", NULL, 300); /* not in its manifest */
    store = open_good();
    assert_string_equal(store->run_prefix, "iosweep-one/");
    assert_int_equal(store->set[0].count, 2);
    assert_int_equal(store->set[1].count, 2);
}

static void of_several_none_is_read(void **state)
{
    char run_name[40];

    put_run("one", "34");
    put_run("two", "1");
    open_bad("several runs", "name the prefix of one: iosweep-one, iosweep-two");
    for (unsigned i = 0; i < 20; i++) { /* too many names for the message */
        (void)snprintf(run_name, sizeof(run_name), "a-run-of-a-long-name-%02u", i);
        put_run(run_name, "");
    }
    open_bad("several runs", "a-run-of-a-long-name-00, iosweep-a-run");
    assert_string_equal(place->err.advice + strlen(place->err.advice) - 4, " ...");
}

/* The list of a deeper prefix, like one that is cut, does not contain the manifest. */
static void a_run_is_found_from_its_objects(void **state)
{
    static const char *const prefixes[][2] = {{"iosweep-one/300/", "iosweep-live/300/"},
                                              {"iosweep-one/300/000003/", /* the object itself */
                                               "iosweep-live/300/000003/"}};
    const struct object_store *store;

    put_run("one", "34");
    put_run("live", "34");
    for (unsigned i = 0; i < 2; i++) {
        place->service->prefix = prefixes[i][0];
        store = open_good();
        assert_string_equal(store->run_prefix, "iosweep-one/");
        assert_int_equal(store->set[0].count, 2);
        assert_int_equal(store->set[1].count, 2);
        place->service->prefix = prefixes[i][1];
        open_bad("in use by a running iosweep", "wait");
    }
    assert_true(mem_store_remove(place->memory, "iosweep-live/MANIFEST-1"));
    store = open_good(); /* the user's now */
    assert_string_equal(store->run_prefix, "");
    assert_int_equal(store->target.object_count, 1);
}

/* Only the existing objects of a set are used, which is reported. */
static void a_run_that_is_not_complete_is_read_as_far_as_it_came(void **state)
{
    static const char *const objects[] = {"iosweep-one/300/000003", "iosweep-one/300/000007",
                                          "iosweep-one/300/000009"};
    struct object_store *store;
    char note[64];

    put_run("one", "379");
    place->request.named = true;
    place->request.run_name = "one";
    store = open_good();
    assert_string_equal(store->run_prefix, "iosweep-one/");
    assert_string_equal(store->target.place, "mem:iosweep-one");
    assert_int_equal(store->set[0].count, 3);
    assert_int_equal(store->set[1].count, 2);
    assert_int_equal(store->target.total_bytes, 3 * 300 + 2 * 100);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(store->names[store->set[0].first + i], objects[i]);
    object_note(&store->target, TEST_READ, 300, note, sizeof(note));
    assert_string_equal(note, "partial:3/10");
    object_note(&store->target, TEST_READ, 100, note, sizeof(note));
    assert_string_equal(note, "");
    place->request.run_name = "two";
    open_bad("no such run", "lists the runs there");
}

/* Only unmodified objects are verified. */
static void a_run_that_is_damaged_is_not_verified(void **state)
{
    put_run("one", "379");
    place->request.named = place->request.verify = true;
    place->request.run_name = "one";
    assert_true(open_good()->target.content_known);
    assert_true(mem_store_remove(place->memory, "iosweep-one/100/000001"));
    open_bad("--verify found an object", "keep another run");
    assert_string_equal(place->err.object, "mem:iosweep-one/100/000001");
    mem_put(place->memory, "iosweep-one/100/000001", NULL, 99);
    open_bad("the wrong length", "keep another run");
    place->request.verify = false;
    assert_false(open_good()->target.content_known);
}

static void sizes_of_a_run_are_known(void **state)
{
    uint64_t *size_bytes = NULL;
    size_t count = 9;

    put_run("one", "");
    place->request.named = true;
    place->request.run_name = "one";
    assert_int_equal(object_existing_sizes(new_store(), &size_bytes, &count, &place->err), 0);
    assert_int_equal(count, 2);
    assert_int_equal(size_bytes[0], 100);
    assert_int_equal(size_bytes[1], 300);
    free(size_bytes);
    place->request.named = false; /* it is all that is there */
    assert_int_equal(object_existing_sizes(new_store(), &size_bytes, &count, &place->err), 0);
    assert_int_equal(count, 2);
    free(size_bytes);
    mem_put(place->memory, "other", NULL, 1);
    assert_int_equal(object_existing_sizes(new_store(), &size_bytes, &count, &place->err), 0);
    assert_int_equal(count, 0);
    free(size_bytes);
}

/* Else an operation would wait for ever for an object that no other slot holds. */
static void slots_that_write_need_an_object_each(void **state)
{
    static const uint64_t sizes[] = {5000, 100};
    struct object_store *store;

    place->request.tests = 1u << TEST_WRITE;
    place->request.threads = 1;
    place->service->exclusive = true;
    put_run("one", "347"); /* of ten */
    store = open_good();
    store->kept = true;
    place->request.in_flight = 4;
    place->request.size_bytes = sizes;
    place->request.size_count = 1;
    assert_int_equal(object_exclusive_plan(store, &place->err), 0); /* no set of that size */
    place->request.size_count = 2;
    assert_int_equal(object_exclusive_plan(store, &place->err), -1);
    assert_non_null(strstr(place->err.advice, " 5 are needed"));
    place->err = ERROR_INIT;
    place->request.in_flight = 1;
    assert_int_equal(object_exclusive_plan(store, &place->err), 0);
    place->service->exclusive = false;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_longest_come_first),
        TEST(runs_beside_them_are_left_out),
        TEST(nothing_to_read_is_said),
        TEST(one_run_alone_is_read),
        TEST(of_several_none_is_read),
        TEST(a_run_is_found_from_its_objects),
        TEST(a_run_that_is_not_complete_is_read_as_far_as_it_came),
        TEST(a_run_that_is_damaged_is_not_verified),
        TEST(sizes_of_a_run_are_known),
        TEST(slots_that_write_need_an_object_each),
    };

    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
