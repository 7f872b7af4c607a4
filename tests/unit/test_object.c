/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What any object store needs, proved with the protocol mem: (a store in memory that fails on
 * schedule): filling, the slots of the engine with retries and failures, what a run that was
 * removed does, and removal.  No server, no network. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/object/mem/protocol.h"
#include "target/object/mem/store.h"
#include "target/object/object.h"
#include "target/object/operation.h"

#define SIZE    100u
#define OBJECTS 3u
#define DEPTH   4u

extern const struct target_driver target_mem;
extern const struct engine engine_mem;

static const uint64_t sizes[] = {SIZE};
static volatile int go_on;

struct bench {
    struct mem_options options;
    struct target_request request;
    struct target *target;
    struct object_store *store;
    struct mem_store *memory;
    struct workload work;
    struct engine_thread thread;
    void *home, *ctx;
    struct engine_report before, after;
    char buffer[DEPTH][SIZE];
};

static void must(int code, const struct error *err)
{
    char text[1000];

    if (code != 0)
        fail_msg("%s", error_format(err, text, sizeof(text)));
}

static struct bench *bench_open(unsigned tests, const char *faults)
{
    struct bench *bench = mem_calloc(1, sizeof(*bench));
    struct error err = ERROR_INIT;

    bench->options.store =
        (struct object_options){.objects = OBJECTS, .part_bytes = 30, .batch = 2, .page = 2};
    if (faults)
        must(mem_faults_parse(faults, &bench->options.faults, &err), &err);
    bench->request = (struct target_request){.target = "mem:",
                                             .run_name = "run",
                                             .verify = true,
                                             .options = &bench->options,
                                             .size_bytes = sizes,
                                             .size_count = 1,
                                             .tests = tests,
                                             .seed = 7,
                                             .stop = &go_on};
    must(target_mem.open(&bench->request, &bench->target, &err), &err);
    bench->store = object_store_of(bench->target);
    bench->memory = mem_service_store(bench->store->base.service);
    bench->thread = (struct engine_thread){
        .depth_most = DEPTH, .sharers = 1, .cycles = 8, .home = &bench->home};
    return bench;
}

static void bench_close(struct bench *bench)
{
    struct error err = ERROR_INIT;

    engine_mem.retire(bench->home);
    must(target_mem.close(bench->target, &err), &err);
    free(bench);
}

static int count_object(void *arg, const char *key, const struct mem_object *object)
{
    (void)key;
    (void)object;
    ++*(unsigned *)arg;
    return 0;
}

static unsigned count_below(struct bench *bench, const char *prefix)
{
    unsigned count = 0;

    assert_int_equal(mem_store_walk(bench->memory, prefix, "", count_object, &count), 0);
    return count;
}

static void put(struct bench *bench, const char *key)
{
    assert_true(
        mem_store_put(bench->memory, key, mem_object_make(bench->memory, "x", 1), false, NULL));
}

/* ---- slices ---- */

static void slice_begin(struct bench *bench, enum io_test test, uint32_t depth)
{
    struct error err = ERROR_INIT;
    uint32_t first, count;

    must(target_mem.prepare(bench->target, CACHE_ASIS, test, &err), &err);
    assert_null(target_mem.objects(bench->target, test, SIZE, &first, &count));
    bench->work = (struct workload){.target = bench->target,
                                    .test = test,
                                    .size_bytes = SIZE,
                                    .io_bytes = SIZE,
                                    .object_first = first,
                                    .object_count = count,
                                    .depth = depth,
                                    .verified = true,
                                    .slot_bytes = SIZE};
    must(engine_mem.setup(&bench->work, &bench->thread, &bench->ctx, &err), &err);
    engine_mem.report(bench->ctx, &bench->before);
}

static void slice_end(struct bench *bench)
{
    engine_mem.report(bench->ctx, &bench->after);
    engine_mem.teardown(bench->ctx);
}

/* NULL: none. */
static int64_t step(struct bench *bench, int64_t (*hook)(void *ctx, const struct async_op *op),
                    const struct async_op *op)
{
    struct async_event event = {.result = hook ? hook(bench->ctx, op) : 0};

    while (event.result == ASYNC_PENDING)
        assert_in_range(engine_mem.async->reap(bench->ctx, ASYNC_FOREVER, &event, 1), 0, 1);
    return event.result;
}

/* Operations one by one in slot 0; returns how many moved all their bytes. */
static unsigned operate(struct bench *bench, unsigned operations, int *errnum)
{
    unsigned good = 0;

    *errnum = 0;
    for (unsigned i = 0; i < operations; i++) {
        const uint32_t object = bench->work.object_count > 1 ? i % bench->work.object_count : 0;
        const struct async_op op = {.object = object, .buffer = bench->buffer[0]};
        struct async_event event = {.slot = 0};
        const bool writes = test_writes(bench->work.test);
        const bool opened = engine_mem.opened_tests & 1u << bench->work.test;

        if (writes)
            target_mem.make_content(bench->target, bench->work.object_first + object, 0, SIZE, 1,
                                    bench->buffer[0]);
        event.result = step(bench, !opened ? NULL : engine_mem.async->open, &op);
        if (event.result >= 0)
            event.result =
                step(bench, writes ? engine_mem.async->write : engine_mem.async->read, &op);
        if (event.result >= 0 && opened && step(bench, engine_mem.async->close, &op) < 0)
            event.result = -EIO;
        good += event.result == SIZE;
        if (event.result < 0)
            *errnum = (int)-event.result;
    }
    return good;
}

#define COUNTED(field) (bench->after.requests.field - bench->before.requests.field)

/* ---- filling ---- */

/* Each other upload fails, and so does what repeats the first one: what is there in the end is what
 * belongs there. */
static void filled_in_spite_of_failures(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, "slow-down@put:2");
    struct target_mismatch mismatch;
    struct error err = ERROR_INIT;
    char data[SIZE];
    (void)state;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    assert_int_equal(count_below(bench, "iosweep-run/100/"), OBJECTS);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        assert_int_equal(target_mem.read_back(bench->target, i, 0, SIZE, false, data), SIZE);
        assert_true(target_mem.check_content(bench->target, i, 0, SIZE, 0, data, &mismatch));
    }
    assert_int_equal(atomic_load(&bench->store->base.service->requests[OBJECT_PUT]),
                     2 + OBJECTS + 2); /* the manifest twice */
    bench_close(bench);
}

/* ---- operations ---- */

static void each_test_goes_through(void **state)
{
    struct bench *bench = bench_open((1u << TEST_COUNT) - 1, NULL);
    int errnum;
    (void)state;

    for (unsigned test = 0; test < TEST_COUNT; test++) {
        if (!engine_can_test(&engine_mem, (enum io_test)test))
            continue;
        slice_begin(bench, (enum io_test)test, 1);
        if (operate(bench, 4, &errnum) != 4)
            fail_msg("test %u: errno %d", test, errnum);
        slice_end(bench);
        assert_int_equal(COUNTED(retries), 0);
        assert_null(bench->after.first_failure);
    }
    bench_close(bench);
}

static void repeated_as_often_as_asked_for(void **state)
{
    struct bench *bench = bench_open(1u << TEST_WRITE, "server-error@put:3");
    int errnum;
    (void)state;

    bench->options.store.retries = 1;
    slice_begin(bench, TEST_WRITE, 1);
    assert_int_equal(operate(bench, 5, &errnum), 5); /* requests 3 and 6 fail */
    slice_end(bench);
    assert_int_equal(COUNTED(count), 7);
    assert_int_equal(COUNTED(retries), 2);
    assert_int_equal(COUNTED(server_errors), 2);
    bench_close(bench);
}

static void failures_are_told_by_class(void **state)
{
    static const struct {
        const char *faults;
        int errnum;
    } rows[] = {
        {"slow-down@get:1", EBUSY},  {"server-error@get:1", EREMOTEIO},
        {"forbidden@get:1", EACCES}, {"refused@get:1", ECONNREFUSED},
        {"broken@get:1", EPROTO},    {"lost@get:1", ECONNRESET},
    };
    (void)state;

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct bench *bench = bench_open(1u << TEST_READ, rows[i].faults);
        int errnum;

        slice_begin(bench, TEST_READ, 1);
        assert_int_equal(operate(bench, 1, &errnum), 0);
        assert_int_equal(errnum, rows[i].errnum);
        slice_end(bench);
        assert_int_equal(COUNTED(slow_downs) + COUNTED(server_errors) + COUNTED(client_errors) +
                             COUNTED(network_errors) + COUNTED(protocol_errors),
                         1);
        assert_non_null(strstr(bench->after.first_failure, "cannot read mem:iosweep-run/100/"));
        bench_close(bench);
    }
}

/* Nobody knows the id of an upload whose beginning got no answer: who removes has to look for it.
 */
static void lost_uploads_are_given_up(void **state)
{
    struct bench *bench = bench_open(1u << TEST_MULTIPART, "lost@upload-begin:2");
    struct error err = ERROR_INIT;
    int errnum;
    char *key;
    (void)state;

    slice_begin(bench, TEST_MULTIPART, 1);
    assert_int_equal(operate(bench, 2, &errnum), 1);
    slice_end(bench);
    assert_int_equal(atomic_load(&bench->store->base.uploads_left), 1);
    assert_int_equal(atomic_load(&bench->store->base.service->unsure), 1);
    assert_true(mem_upload_next(bench->memory, "", 0, &key) > 0);
    free(key);
    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_MULTIPART, &err), &err);
    assert_true(mem_upload_next(bench->memory, "", 0, &key) == 0);
    assert_int_equal(atomic_load(&bench->store->base.uploads_left), 0);
    atomic_store(&bench->store->base.service->unsure, 0); /* no pause at the end */
    bench_close(bench);
}

static void no_more_requests_than_allowed(void **state)
{
    struct bench *bench = bench_open(1u << TEST_WRITE, NULL);
    char text[200];
    int errnum;
    (void)state;

    slice_begin(bench, TEST_WRITE, 1);
    atomic_store(&bench->store->base.service->budget, 2);
    assert_int_equal(operate(bench, 3, &errnum), 2);
    assert_int_equal(errnum, ECANCELED);
    slice_end(bench);
    assert_true(target_mem.exhausted(bench->target, text, sizeof(text)));
    bench_close(bench);
}

/* ---- the end ---- */

static int remove_run(struct bench *bench, struct error *err)
{
    struct object_store *store = bench->store;

    return object_run_remove(store->base.client, store->base.service, store->base.run_prefix,
                             &store->manifest, store, true, NULL, err);
}

static void a_run_is_removed_and_nothing_else(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ | 1u << TEST_DELETE, NULL);
    struct error err = ERROR_INIT;
    int errnum;
    (void)state;

    put(bench, "iosweep-ru");
    put(bench, "iosweep-run2/100/000000");
    slice_begin(bench, TEST_DELETE, 1);
    assert_int_equal(operate(bench, 3, &errnum), 3);
    slice_end(bench);
    slice_begin(bench, TEST_READ, 1);
    slice_end(bench);
    (void)mem_upload_begin(bench->memory, "iosweep-run/100/000000");
    must(remove_run(bench, &err), &err);
    assert_int_equal(count_below(bench, "iosweep-run/"), 0);
    assert_int_equal(count_below(bench, ""), 2);
    bench->store->made = false; /* it is removed */
    object_heartbeat_stop(bench->store);
    bench_close(bench);
}

/* What no run made stays, and with it the manifest. */
static void what_is_not_ours_stays(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct error err = ERROR_INIT;
    (void)state;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    put(bench, "iosweep-run/100/notes.txt");
    assert_int_equal(remove_run(bench, &err), -1);
    assert_int_equal(err.errnum, ENOTEMPTY);
    assert_non_null(strstr(err.object, "mem:iosweep-run/100/notes.txt"));
    assert_int_equal(count_below(bench, "iosweep-run/"), 2);
    assert_int_equal(count_below(bench, "iosweep-run/manifest"), 1);
    assert_true(mem_store_remove(bench->memory, "iosweep-run/100/notes.txt"));
    bench_close(bench);
}

static void a_run_whose_manifest_is_gone_ends(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct error err = ERROR_INIT;
    (void)state;

    assert_true(mem_store_remove(bench->memory, "iosweep-run/manifest"));
    assert_int_equal(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_true(atomic_load(&bench->target->lost));
    assert_int_equal(atomic_load(&bench->store->base.service->budget), 0);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1); /* says so once more */
    assert_int_equal(err.errnum, ESTALE);
    free(bench);
}

/* ... and what it wrote since is removed, also when nobody noticed before. */
static void what_a_lost_run_made_is_removed(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_store *store = bench->store;
    struct error err = ERROR_INIT;
    (void)state;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    assert_true(mem_store_remove(bench->memory, "iosweep-run/manifest"));
    assert_true(object_run_is_lost(store, store->base.client, &err));
    assert_int_equal(object_run_lost_end(store, store->base.client, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_int_equal(count_below(bench, ""), 0);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1);
    free(bench);
}

/* Elsewhere a request that was not waited for could be carried out later. */
static void nothing_appears_when_the_store_is_gone(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    (void)state;

    atomic_store(&bench->store->base.service->dropped, 1);
    bench_close(bench);
}

/* Below a manifest that is not its own a run removes nothing, and says so. */
static void what_a_run_made_stays_where_its_name_is_taken(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_store *store = bench->store;
    struct error err = ERROR_INIT;
    unsigned objects;
    (void)state;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    put(bench, "iosweep-run/manifest");
    objects = count_below(bench, "");
    assert_true(objects > 1);
    assert_true(object_run_is_lost(store, store->base.client, &err));
    assert_int_equal(object_run_lost_end(store, store->base.client, &err), -1);
    assert_int_equal(err.errnum, ESTALE);
    assert_non_null(strstr(err.advice, "may be left"));
    assert_int_equal(count_below(bench, ""), objects);
    err = ERROR_INIT;
    assert_int_equal(target_mem.close(bench->target, &err), -1);
    free(bench);
}

static struct bench *listed_bench;

static int list_and_take_the_name(const struct object_answer *answer, struct object_page *page,
                                  object_visit visit, void *arg, struct error *err)
{
    (void)answer;
    (void)page;
    (void)visit;
    (void)arg;
    put(listed_bench, "iosweep-run/manifest");
    return error_set(err, STATUS_TARGET, EPROTO, "cannot list", "it");
}

/* What could not be removed is left, also when the run is lost after that. */
static void what_is_left_is_told_when_the_name_is_taken_then(void **state)
{
    struct object_protocol failing = mem_protocol;
    struct error err = ERROR_INIT;
    (void)state;

    listed_bench = bench_open(1u << TEST_READ, NULL);
    must(target_mem.prepare(listed_bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    failing.list = list_and_take_the_name;
    listed_bench->store->base.service->protocol = &failing;
    assert_int_equal(target_mem.close(listed_bench->target, &err), -1);
    assert_string_equal(err.action, "objects are left in");
    free(listed_bench);
}

static void a_name_is_taken_once(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct error err = ERROR_INIT;
    (void)state;

    assert_int_equal(object_manifest_put(bench->store->base.client, bench->store->base.service,
                                         "iosweep-run/", &bench->store->manifest, &err),
                     -1);
    assert_int_equal(err.errnum, EEXIST);
    bench_close(bench);
}

/* ---- lists without an end ---- */

static uint64_t listed_pages, listed_keys; /* so far; of each page */

static int list_without_end(const struct object_answer *answer, struct object_page *page,
                            object_visit visit, void *arg, struct error *err)
{
    (void)answer;
    (void)visit;
    (void)arg;
    (void)err;
    *page = (struct object_page){.keys = listed_keys, .first = ++listed_pages, .more = true};
    (void)snprintf(page->token, sizeof(page->token), "%u", (unsigned)listed_pages);
    return 0;
}

/* Other names on each page: a list of as many as no run makes is none. */
static void an_endless_list_is_given_up(void **state)
{
    static const struct {
        uint64_t keys, pages;
    } rows[] = {{1000000, 11}, {1, 100001}};
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_service *service = bench->store->base.service;
    struct object_protocol endless = mem_protocol;
    (void)state;

    endless.list = list_without_end;
    service->protocol = &endless;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct object_client *client;
        struct error err = ERROR_INIT;
        listed_pages = 0;
        listed_keys = rows[i].keys;
        must(object_client_create(service, &go_on, &client, &err), &err);
        assert_int_equal(object_client_list(client, "", 0, NULL, NULL, NULL, &err), -1);
        assert_non_null(strstr(err.reason, "does not end"));
        assert_int_equal(listed_pages, rows[i].pages);
        object_client_destroy(client);
    }
    service->protocol = &mem_protocol;
    bench_close(bench);
}

/* ---- objects that exist ---- */

/* -r without a name, of all that is there. */
static int read_existing(struct bench *bench, struct object_store *reader, struct error *err)
{
    static char label[] = "mem:";

    *reader = (struct object_store){.base.client = bench->store->base.client,
                                    .base.service = bench->store->base.service};
    reader->base.target.label = label;
    bench->request.verify = false;
    reader->base.target.request = &bench->request;
    reader->base.run_prefix = mem_strdup("");
    *err = ERROR_INIT;
    return object_existing_open(reader, err);
}

static void end_reading(struct object_store *reader)
{
    object_sets_free(reader);
    free(reader->base.run_prefix);
}

/* Objects of one run are read like any others, those of two never together; where there are others,
 * only they are. */
static void two_runs_are_not_read_together(void **state)
{
    struct bench *bench = bench_open(1u << TEST_READ, NULL);
    struct object_store reader;
    struct error err = ERROR_INIT;
    char key[OBJECT_KEY_BYTES];
    (void)state;

    must(target_mem.prepare(bench->target, CACHE_ASIS, TEST_READ, &err), &err);
    put(bench, "a/iosweep-more/manifest"); /* nothing but a manifest */
    put(bench, "iosweep-all/note");        /* no manifest: no run */
    must(read_existing(bench, &reader, &err), &err);
    assert_int_equal(reader.base.set[0].count, 1);
    assert_string_equal(object_key(&reader.base.set[0], 0, key), "iosweep-all/note");
    end_reading(&reader);
    assert_true(mem_store_remove(bench->memory, "iosweep-all/note"));
    must(read_existing(bench, &reader, &err), &err);
    assert_int_equal(reader.base.set[0].count, OBJECTS);
    end_reading(&reader);
    put(bench, "a/iosweep-more/iosweep-inner/manifest");
    put(bench, "a/iosweep-more/iosweep-inner/100/000000");
    assert_int_equal(read_existing(bench, &reader, &err), -1);
    end_reading(&reader);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_string_equal(err.action, "several runs are there, none is read:");
    assert_string_equal(err.advice, "name the prefix of one: mem:a/iosweep-more, mem:iosweep-run");
    bench_close(bench);
}

static void prices_that_cannot_be_read_are_an_error(void **state)
{
    struct mem_options options = {.store = {.price_file = "no/such/prices"}};
    const struct target_request request = {.target = "mem:",
                                           .run_name = "run",
                                           .options = &options,
                                           .size_bytes = sizes,
                                           .size_count = 1,
                                           .tests = 1u << TEST_READ,
                                           .stop = &go_on};
    struct error err = ERROR_INIT;
    struct target *target;
    (void)state;

    assert_int_equal(object_open(&request, &target, &err), -1);
    assert_null(target);
    assert_int_equal(err.status, STATUS_USAGE);
    assert_string_equal(err.object, "no/such/prices");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_in_spite_of_failures),
        cmocka_unit_test(each_test_goes_through),
        cmocka_unit_test(repeated_as_often_as_asked_for),
        cmocka_unit_test(failures_are_told_by_class),
        cmocka_unit_test(lost_uploads_are_given_up),
        cmocka_unit_test(no_more_requests_than_allowed),
        cmocka_unit_test(a_run_is_removed_and_nothing_else),
        cmocka_unit_test(what_is_not_ours_stays),
        cmocka_unit_test(a_run_whose_manifest_is_gone_ends),
        cmocka_unit_test(what_a_lost_run_made_is_removed),
        cmocka_unit_test(nothing_appears_when_the_store_is_gone),
        cmocka_unit_test(what_a_run_made_stays_where_its_name_is_taken),
        cmocka_unit_test(what_is_left_is_told_when_the_name_is_taken_then),
        cmocka_unit_test(a_name_is_taken_once),
        cmocka_unit_test(an_endless_list_is_given_up),
        cmocka_unit_test(two_runs_are_not_read_together),
        cmocka_unit_test(prices_that_cannot_be_read_are_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
