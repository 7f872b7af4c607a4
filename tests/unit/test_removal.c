/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_removal.c - removing a run from a store that lies: lists that omit objects, contain deleted
 * ones or never end, deletions that are confirmed but not executed, uploads that cannot be aborted.
 * Uses a store in memory behind a lying protocol, and a sleep that takes no time. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "storage/object/object.h"
#include "unit/mem_keys.h"

#define PREFIX  "iosweep-run/"
#define SIZE    100u
#define OBJECTS 20u
#define MANY    100000u /* foreign objects, listed only in part */

static struct {
    const char *unlisted;    /* lists omit keys that contain this */
    const char *stale[4];    /* lists contain these, whether they exist or not */
    unsigned writes;         /* number of lists that find a new object */
    bool keeps;              /* deletions are confirmed but not executed */
    const char *cannot_look; /* STAT of keys that contain this is forbidden */
    const char *cannot_stop; /* uploads of keys that contain this cannot be aborted ... */
    int errnum;              /* ... because of this */
    bool whole_names;        /* uploads are listed for whole keys only */
} lie;

static uint64_t slept_ms;
static volatile int hurry;

int nanosleep(const struct timespec *time, struct timespec *rest)
{
    slept_ms += (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000;
    return 0;
}

/* ---- the protocol ---- */

struct honest { /* the true list */
    object_visit visit;
    void *arg;
};

static bool contains(const char *key, const char *word)
{
    return word && strstr(key, word);
}

static int visit_listed(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct honest *honest = arg;

    return contains(listed->key, lie.unlisted) ? 0 : honest->visit(honest->arg, listed, err);
}

static bool listing_manifests; /* a list with this prefix was requested */

static int list(const struct object_answer *answer, struct object_page *page, object_visit visit,
                void *arg, struct error *err)
{
    struct honest honest = {visit, arg};
    int code = mem_protocol.list(answer, page, visit_listed, &honest, err);

    for (size_t i = 0; code == 0 && !listing_manifests && !page->more && i < 4 && lie.stale[i]; i++)
        code = visit(arg, &(struct object_listed){lie.stale[i], SIZE, false}, err);
    return code;
}

/* What the store says instead of carrying out the call; NULL: it does, with whole.key. */
static const struct object_answer *
answer_falsely(struct object_link *link, const struct object_call *call, struct object_call *whole)
{
    static const struct object_answer done = {.settled = true, .etag = "", .upload_id = ""};
    static struct object_answer no;

    *whole = *call;
    no = (struct object_answer){.settled = true, .etag = "", .upload_id = ""};
    no.verdict = (struct object_verdict){.class = OBJECT_CLIENT_ERROR, .errnum = EACCES};
    if (lie.keeps && (call->verb == OBJECT_DELETE || call->verb == OBJECT_DELETE_MANY))
        return &done;
    if (call->verb == OBJECT_STAT && contains(call->key, lie.cannot_look))
        return &no;
    if (call->verb == OBJECT_UPLOAD_ABORT && contains(call->key, lie.cannot_stop)) {
        no.verdict.errnum = lie.errnum;
        return &no;
    }
    if (call->verb == OBJECT_UPLOAD_LIST && lie.whole_names &&
        call->key[strlen(call->key) - 1] == '/')
        whole->key = "nothing begins like this";
    if (call->verb == OBJECT_LIST)
        listing_manifests = strstr(call->key, LIFE_NAME) != NULL;
    if (call->verb == OBJECT_LIST && !listing_manifests && lie.writes > 0) {
        struct mem_store *store = mem_service_store(link->service);
        char *key = mem_printf(PREFIX "delete-100/%06u", lie.writes--);

        mem_put(store, key, NULL, SIZE);
        free(key);
    }
    return NULL;
}

static const struct object_answer *lies;
static struct object_call altered;

static int begin(struct object_link *link, uint32_t slot, const struct object_call *call)
{
    lies = answer_falsely(link, call, &altered);
    return lies ? 0 : mem_protocol.begin(link, slot, &altered);
}

static int wait_for(struct object_link *link, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    *slot = 0;
    return lies ? 1 : mem_protocol.wait(link, wait_ns, slot, max);
}

static const struct object_answer *answer(struct object_link *link, uint32_t slot,
                                          const struct object_call *call)
{
    return lies ? lies : mem_protocol.answer(link, slot, call);
}

/* ---- a run left by another process ---- */

struct place {
    struct mem_options options;
    struct object_protocol protocol;
    struct object_service *service;
    struct object_client *client;
    struct mem_store *store;
    struct life_set set[3];
    struct life_manifest manifest;
    struct life_tally removed;
    struct error err;
};

static struct place *place;

static void put_manifest(void)
{
    char *text = life_manifest_format(&place->manifest);

    mem_put(place->store, PREFIX "MANIFEST-1", text, strlen(text));
    free(text);
}

static int set_up(void **state)
{
    place = mem_calloc(1, sizeof(*place));
    memset(&lie, 0, sizeof(lie));
    slept_ms = 0;
    hurry = 0;
    place->protocol = mem_protocol;
    place->protocol.list = list;
    place->protocol.begin = begin;
    place->protocol.wait = wait_for;
    place->protocol.answer = answer;
    place->protocol.keeps = "is there a retention? ";
    place->set[0] = (struct life_set){.kind = LIFE_WHOLE, .size_bytes = SIZE, .count = OBJECTS};
    place->set[1] = (struct life_set){.kind = LIFE_APPEND, .size_bytes = SIZE, .count = 2};
    place->set[2] = (struct life_set){.kind = LIFE_DELETE, .size_bytes = SIZE};
    place->manifest = (struct life_manifest){
        .storage = "mem", .run_name = "run", .set_count = 3, .set = place->set};
    if (object_service_open(&mem_protocol, "mem:", &place->options, true, &place->service,
                            &place->err) != 0)
        return -1;
    place->service->protocol = &place->protocol;
    place->store = mem_service_store(place->service);
    if (object_client_create(place->service, NULL, &place->client, &place->err) != 0)
        return -1;
    place->client->hurry = &hurry;
    put_manifest();
    mem_put_numbered(place->store, PREFIX "100/", OBJECTS, SIZE);
    return 0;
}

static int tear_down(void **state)
{
    object_client_destroy(place->client);
    mem_protocol.close(place->service);
    free(place);
    return 0;
}

static uint64_t asked(enum object_verb verb)
{
    return atomic_load(&place->service->requests[verb]);
}

static int remove_run(const struct object_store *own)
{
    place->err = ERROR_INIT;
    place->removed = (struct life_tally){0};
    return object_run_go_over(place->client, PREFIX, &place->manifest, own, true, LIFE_REMOVE,
                              &place->removed, &place->err);
}

static int check_run(void)
{
    place->err = ERROR_INIT;
    return object_run_go_over(place->client, PREFIX, &place->manifest, NULL, true, LIFE_CHECK,
                              &place->removed, &place->err);
}

static void remove_all(void)
{
    char text[1000];

    if (remove_run(NULL) != 0)
        fail_msg("%s", error_format(&place->err, text, sizeof(text)));
    assert_int_equal(mem_count(place->store, PREFIX), 0);
}

/* ---- incomplete lists ---- */

static void each_object_is_counted_once(void **state)
{
    remove_all();
    assert_int_equal(place->removed.objects, OBJECTS);
    assert_int_equal(place->removed.bytes, OBJECTS * SIZE);
    assert_int_equal(slept_ms, 0);
}

/* The last object of a set and the first one of the next byte in the bitmap; and one of many. */
static void what_no_list_names_is_removed_by_name(void **state)
{
    static const char *const unlisted[] = {"100/000007", "100/000008", "100/000019", "100/00001",
                                           "100/"};
    static const unsigned left_out[] = {1, 1, 1, 10, 20};

    place->manifest.set_count = 2; /* all names are known */
    for (unsigned i = 0; i < 5; i++) {
        lie.unlisted = unlisted[i];
        remove_all();
        assert_int_equal(place->removed.objects, OBJECTS);
        assert_int_equal(place->removed.bytes, OBJECTS * SIZE);
        /* each omitted one of the first set is checked, and the last of them again; of the second,
         * whose list was right, only the first one */
        assert_int_equal(asked(OBJECT_STAT), left_out[i] + 1 + 1);
        tear_down(state);
        assert_int_equal(set_up(state), 0);
        place->manifest.set_count = 2;
    }
}

/* Tests rename and delete use names that no manifest contains: a list that omits other objects may
 * omit these as well. The manifest stays, so that a later removal finds all. */
static void a_list_that_leaves_out_does_not_end_a_run_of_unknown_names(void **state)
{
    mem_put(place->store, PREFIX "delete-100/000005", NULL, SIZE);
    lie.unlisted = "00000";
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "leaves out objects"));
    assert_string_equal(place->err.object, "mem:" PREFIX);
    assert_int_equal(place->err.status, STATUS_TARGET);
    assert_int_equal(mem_count(place->store, PREFIX), 2); /* the manifest and an unnamed one */
    lie.unlisted = NULL;
    remove_all();
    assert_int_equal(place->removed.objects, 1);
}

static void an_object_that_may_not_be_looked_for_is_an_error(void **state)
{
    lie.unlisted = "100/00000";
    lie.cannot_look = "100/000003"; /* after some names were collected */
    assert_int_equal(remove_run(NULL), -1);
    assert_int_equal(place->err.errnum, EACCES);
    assert_int_equal(mem_count(place->store, PREFIX "MANIFEST-1"), 1);
    assert_int_equal(mem_count(place->store, PREFIX "100/"), 10);
}

/* A process's own run knows what it has made, without asking the store. */
static void own_runs_know_what_is_there(void **state)
{
    struct object_store own = {.set_count = 3};
    struct object_set set[3] = {0};
    atomic_uchar present[OBJECTS] = {0};

    own.set = set;
    set[0] = (struct object_set){.count = OBJECTS, .present = present};
    set[1] = (struct object_set){.count = 2, .present = present};
    atomic_store(&set[2].made, 7);
    atomic_store(&set[2].taken, 5);
    mem_put(place->store, PREFIX "delete-100/000005", NULL, SIZE);
    mem_put(place->store, PREFIX "delete-100/000006", NULL, SIZE);
    assert_int_equal(remove_run(&own), 0);
    assert_int_equal(asked(OBJECT_STAT), 0);
    assert_int_equal(place->removed.objects, OBJECTS + 2);
    assert_int_equal(mem_count(place->store, ""), 0);
}

/* It assumes that 5 and 6 of test delete's objects, and 3 others, exist; the list contains none. */
static void own_runs_remove_by_name_what_they_made(void **state)
{
    struct object_store own = {.set_count = 3};
    struct object_set set[3] = {0};
    atomic_uchar present[OBJECTS] = {0};

    own.set = set;
    set[0] = (struct object_set){.count = OBJECTS, .present = present};
    set[1] = (struct object_set){.count = 2, .present = present + 10};
    atomic_store(&present[3], 1);
    atomic_store(&set[2].made, 7);
    atomic_store(&set[2].taken, 5);
    mem_put(place->store, PREFIX "delete-100/000005", NULL, SIZE);
    mem_put(place->store, PREFIX "delete-100/000006", NULL, SIZE);
    lie.unlisted = "100/00000";
    assert_int_equal(remove_run(&own), -1); /* others with such names may exist */
    assert_int_equal(place->removed.objects, 10 + 3);
    assert_int_equal(mem_count(place->store, PREFIX "delete-100/"), 0);
    assert_false(mem_store_remove(place->store, PREFIX "100/000003"));
}

/* ---- foreign objects ---- */

static void what_no_run_made_is_named_and_stays(void **state)
{
    mem_put(place->store, PREFIX "100/000020", NULL, SIZE); /* one more than the set has */
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "1 object that no run made is left"));
    assert_string_equal(place->err.object, "mem:" PREFIX "100/000020");
    mem_put(place->store, PREFIX "100/zzz", NULL, SIZE);
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "2 objects that no run made are left"));
    assert_string_equal(place->err.object, "mem:" PREFIX "100/000020");
    assert_int_equal(place->err.errnum, ENOTEMPTY);
    assert_int_equal(mem_count(place->store, PREFIX), 3);
    assert_true(mem_store_remove(place->store, PREFIX "100/000020"));
    assert_true(mem_store_remove(place->store, PREFIX "100/zzz"));
    remove_all();
}

/* A check reports the same as a removal. */
static void a_check_removes_nothing(void **state)
{
    static const char *const foreign[] = {PREFIX "mine", PREFIX "100/mine", PREFIX "100/000020",
                                          PREFIX "200/000000", PREFIX "manifest.old"};
    unsigned there = mem_count(place->store, PREFIX);

    assert_int_equal(check_run(), 0);
    for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
        mem_put(place->store, foreign[i], NULL, SIZE);
        assert_int_equal(check_run(), -1);
        assert_int_equal(place->err.status, STATUS_TARGET);
        assert_non_null(strstr(place->err.action, "that no run made"));
        assert_int_equal(mem_count(place->store, PREFIX), ++there);
    }
    assert_int_equal(asked(OBJECT_DELETE) + asked(OBJECT_DELETE_MANY), 0);
    assert_int_equal(asked(OBJECT_PUT), 0);
}

static void far_more_of_somebody_else_is_not_listed_to_its_end(void **state)
{
    mem_put_numbered(place->store, PREFIX "theirs/", MANY - 1, SIZE);
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "99999 objects that no run made"));
    mem_put(place->store, PREFIX "theirs/last", NULL, SIZE);
    mem_put(place->store, PREFIX "theirs/the one after", NULL, SIZE);
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "far more objects than the run created"));
    assert_string_equal(place->err.object, PREFIX "theirs/last");
    assert_int_equal(mem_count(place->store, PREFIX), MANY + 1 + 1);
}

/* A server that lists keys outside the prefix does not make iosweep remove them. */
static void keys_that_are_not_below_the_prefix_stay(void **state)
{
    mem_put(place->store, "iosweep-ru2/100/000001", NULL, SIZE);
    lie.stale[0] = "iosweep-ru2/100/000001";
    assert_int_equal(remove_run(NULL), -1);
    assert_int_equal(place->err.errnum, EPROTO);
    assert_string_equal(place->err.object, PREFIX);
    assert_non_null(strstr(place->err.reason, "not below the prefix: iosweep-ru2/100/000001"));
    assert_int_equal(mem_count(place->store, "iosweep-ru2/"), 1);
}

/* ---- deletions without effect ---- */

/* Retried as often as may help, after growing pauses; then reported, and nothing counts as
 * removed. */
static void deletions_without_effect_are_told(void **state)
{
    lie.keeps = true;
    assert_int_equal(remove_run(NULL), -1);
    assert_string_equal(place->err.action, "cannot remove");
    assert_string_equal(place->err.object, "mem:" PREFIX "100/000000");
    assert_non_null(strstr(place->err.advice, "retention"));
    assert_int_equal(slept_ms, 500 + 1000 + 2000 + 500); /* the last is the usual one */
    assert_int_equal(asked(OBJECT_DELETE_MANY), 4);
    assert_int_equal(place->removed.objects, 0);
    assert_int_equal(place->removed.bytes, 0);
    lie.keeps = false;
    remove_all();
}

static void after_a_signal_they_are_told_at_once(void **state)
{
    lie.keeps = true;
    hurry = 2;
    assert_int_equal(remove_run(NULL), -1);
    assert_string_equal(place->err.action, "cannot remove");
    assert_int_equal(slept_ms, 0);
    assert_int_equal(asked(OBJECT_DELETE_MANY), 1);
}

static void removing_by_name_without_effect_is_told(void **state)
{
    lie.keeps = true;
    lie.unlisted = "100/"; /* the list is empty */
    assert_int_equal(remove_run(NULL), -1);
    assert_string_equal(place->err.action, "cannot remove");
    assert_string_equal(place->err.object, "mem:" PREFIX "100/000019");
    assert_int_equal(place->removed.objects, 0);
    assert_int_equal(place->removed.bytes, 0);
}

/* A list that still contains deleted objects: checking each of them detects that. */
static void an_old_list_is_not_believed(void **state)
{
    lie.stale[0] = PREFIX "100/000001";
    lie.stale[1] = PREFIX "100/000004";
    assert_true(mem_store_remove(place->store, lie.stale[0]));
    assert_true(mem_store_remove(place->store, lie.stale[1]));
    remove_all();
    assert_int_equal(slept_ms, 0);
}

/* ---- a live run ---- */

/* Objects that appear during the removal are removed too, unless they keep coming. */
static void what_comes_meanwhile_is_removed(void **state)
{
    lie.writes = 5;
    remove_all();
    assert_int_equal(place->removed.objects, OBJECTS + 5);
    assert_int_equal(slept_ms,
                     2 * 500); /* after the first three passes there is a pause before each */
}

static void a_run_that_goes_on_for_ever_is_told(void **state)
{
    lie.writes = 1000;
    assert_int_equal(remove_run(NULL), -1);
    assert_non_null(strstr(place->err.action, "come faster than they are removed"));
    assert_int_equal(lie.writes, 1000 - 241);
    hurry = 2;
    assert_int_equal(remove_run(NULL), -1);
    assert_int_equal(lie.writes, 1000 - 241 - 21);
    assert_int_equal(mem_count(place->store, PREFIX "MANIFEST-1"), 1);
    lie.writes = 0;
    hurry = 0;
    remove_all();
}

/* A user who pressed Ctrl-C waits for the end, or presses it again. */
static void after_a_signal_all_of_many_are_removed(void **state)
{
    mem_put_numbered(place->store, PREFIX "delete-100/", 210001, SIZE);
    hurry = 2;
    remove_all();
    assert_int_equal(place->removed.objects, OBJECTS + 210001);
}

/* ---- multipart uploads ---- */

#define UPLOADS "\n" /* mem: keeps them there */

static void uploads_are_given_up(void **state)
{
    for (unsigned whole_names = 0; whole_names < 2; whole_names++) {
        lie.whole_names = whole_names;
        mem_upload_begin(place->store, PREFIX "append-100/000000");
        mem_upload_begin(place->store, PREFIX "append-100/000001");
        mem_upload_begin(place->store, "iosweep-other/append-100/000001");
        remove_all();
        /* those of the other run stay */
        assert_int_equal(mem_count(place->store, UPLOADS), whole_names + 1);
        put_manifest();
    }
}

/* Numbers of created objects go on after those that the manifest counts. */
static void uploads_of_created_objects_are_given_up(void **state)
{
    lie.whole_names = true;
    place->manifest.part_bytes = SIZE - 1;
    place->set[2].kind = LIFE_CREATE;
    place->set[2].made = 5;
    mem_put_numbered(place->store, PREFIX "create-100/", 1500, SIZE);
    mem_upload_begin(place->store, PREFIX "create-100/001504");
    remove_all();
    assert_int_equal(mem_count(place->store, UPLOADS), 0);
}

/* An upload that cannot be aborted does not prevent the others, but the removal fails. */
static void an_upload_that_stays_is_an_error(void **state)
{
    mem_upload_begin(place->store, PREFIX "append-100/000000");
    mem_upload_begin(place->store, PREFIX "append-100/000001");
    lie.cannot_stop = "append-100/000000";
    lie.errnum = EACCES;
    assert_int_equal(remove_run(NULL), -1);
    assert_int_equal(place->err.errnum, EACCES);
    assert_string_equal(place->err.action, "cannot abort the upload of");
    assert_int_equal(mem_count(place->store, UPLOADS), 1);
    assert_int_equal(mem_count(place->store, PREFIX "MANIFEST-1"), 1);
    lie.errnum = ENOENT; /* another process aborted it meanwhile */
    remove_all();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(each_object_is_counted_once),
        TEST(what_no_list_names_is_removed_by_name),
        TEST(a_list_that_leaves_out_does_not_end_a_run_of_unknown_names),
        TEST(an_object_that_may_not_be_looked_for_is_an_error),
        TEST(own_runs_know_what_is_there),
        TEST(own_runs_remove_by_name_what_they_made),
        TEST(what_no_run_made_is_named_and_stays),
        TEST(a_check_removes_nothing),
        TEST(far_more_of_somebody_else_is_not_listed_to_its_end),
        TEST(keys_that_are_not_below_the_prefix_stay),
        TEST(deletions_without_effect_are_told),
        TEST(after_a_signal_they_are_told_at_once),
        TEST(removing_by_name_without_effect_is_told),
        TEST(an_old_list_is_not_believed),
        TEST(what_comes_meanwhile_is_removed),
        TEST(a_run_that_goes_on_for_ever_is_told),
        TEST(after_a_signal_all_of_many_are_removed),
        TEST(uploads_are_given_up),
        TEST(uploads_of_created_objects_are_given_up),
        TEST(an_upload_that_stays_is_an_error),
    };

    log_set_level(LOG_QUIET);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
