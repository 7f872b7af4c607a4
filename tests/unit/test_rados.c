/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Parts of rados:// that need no cluster: mapping of keys to objects and namespaces, verdicts,
 * identity, rolled up lists, and completions from other threads. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "storage/object/rados/protocol.h"

/* ---- names ---- */

static void keys_are_objects_in_the_namespace_of_their_run(void **state)
{
    static const struct {
        const char *key, *space, *oid;
    } row[] = {
        {"iosweep-r1/4096/000017", "iosweep-r1", "4096/000017"},
        {"iosweep-r1/manifest", "iosweep-r1", "manifest"},
        {"a/b/iosweep-r1/4096/000017", "iosweep-r1", "a/b//4096/000017"},
        {"4096/iosweep-r1/manifest", "iosweep-r1", "4096//manifest"},
        {"iosweep-r1/iosweep-r2/manifest", "iosweep-r2", "iosweep-r1//manifest"},
        {"iosweep-r1/", "iosweep-r1", ""},
        {"a/iosweep-r1/", "iosweep-r1", "a//"},
        {"benchmark_data_host_17_object4", "", "benchmark_data_host_17_object4"},
        {"a/b", "", "a/b"},
        {"a//b", "", "a//b"},
        {"iosweep-r1", "", "iosweep-r1"},           /* the run's namespace itself */
        {"iosweep-/x", "", "iosweep-/x"},           /* a run's name is not empty */
        {"my-iosweep-r1/x", "", "my-iosweep-r1/x"}, /* not a component */
    };
    char space[POOL_SPACE_BYTES], oid[2 * OBJECT_KEY_BYTES], key[OBJECT_KEY_BYTES];

    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        const struct pool_place place = pool_place_of(row[i].key);

        assert_string_equal(pool_space(row[i].key, &place, space), row[i].space);
        assert_string_equal(pool_object(row[i].key, &place, oid), row[i].oid);
        assert_true(pool_key(row[i].space, row[i].oid, key, sizeof(key)));
        assert_string_equal(key, row[i].key);
    }
}

static void objects_that_no_key_names_are_left_out(void **state)
{
    char key[OBJECT_KEY_BYTES], *name = mem_calloc(OBJECT_KEY_BYTES + 1, 1);

    assert_false(pool_key("", "iosweep-r1/4096/000017", key, sizeof(key)));
    assert_false(pool_key("other", "4096/000017", key, sizeof(key)));
    assert_false(pool_key("iosweep-", "4096/000017", key, sizeof(key)));
    assert_false(pool_key("iosweep-r1", "iosweep-r2/x", key, sizeof(key)));
    memset(name, 'x', OBJECT_KEY_BYTES);
    assert_false(pool_key("", name, key, sizeof(key)));
    assert_false(pool_key("iosweep-r1", name, key, sizeof(key)));
    free(name);
}

/* ---- lists ---- */

static int collect(void *arg, const struct object_listed *listed, struct error *err)
{
    char *text = arg;

    (void)sprintf(text + strlen(text), "%s%s:%d ", listed->key, listed->rolled_up ? "*" : "",
                  (int)listed->size_bytes);
    return strcmp(listed->key, "stop") == 0 ? 7 : 0;
}

static void lists_roll_up_in_whatever_order_names_come(void **state)
{
    static const char *const key[] = {"p/b/1", "p/a/1", "p/b/2", "p/ab/1", "p/a/2", "p/ab/3"};
    struct object_names names = {.text = NULL};
    struct object_page page;
    char text[200] = "";

    for (size_t i = 0; i < sizeof(key) / sizeof(*key); i++)
        object_names_add_rolled_up(&names, key[i], (size_t)(strchr(key[i] + 2, '/') - key[i]) + 1);
    assert_int_equal(object_names_list(&names, &page, collect, text, NULL), 0);
    assert_string_equal(text, "p/b/*:0 p/a/*:0 p/ab/*:0 ");
    assert_int_equal(page.keys, 3);
    assert_false(page.more);
    for (unsigned i = 0; i < 5000; i++) { /* each of them twice */
        char run[32];
        const int length = sprintf(run, "iosweep-%u/", i * 7919 % 2500);

        object_names_add_rolled_up(&names, run, (size_t)length);
    }
    assert_int_equal(object_names_list(&names, &page, NULL, NULL, NULL), 0);
    assert_int_equal(page.keys, 2503);
    object_names_free(&names);
}

static void lists_leave_out_what_is_gone(void **state)
{
    struct object_names names = {.text = NULL};
    struct object_entry *entry;
    struct object_page page;
    const char *key;
    char text[200] = "";
    size_t at = 0;

    object_names_add(&names, "one", 3);
    object_names_add(&names, "two", 3);
    object_names_add(&names, "stop", 4);
    object_names_add(&names, "four", 4);
    while ((entry = object_names_next(&names, &at, &key)) != NULL)
        entry->size_bytes = strlen(key);
    at = 0;
    (void)object_names_next(&names, &at, &key);
    object_names_next(&names, &at, &key)->gone = true;
    names.entries--;
    names.more = true;
    (void)strcpy(names.token, "1");
    assert_int_equal(object_names_list(&names, &page, collect, text, NULL), 7);
    assert_string_equal(text, "one:3 stop:4 ");
    assert_int_equal(page.keys, 3);
    assert_true(page.more);
    assert_string_equal(page.token, "1");
    object_names_clear(&names);
    assert_int_equal(object_names_list(&names, &page, collect, text, NULL), 0);
    assert_int_equal(page.keys, 0);
    assert_string_equal(page.token, "");
    object_names_free(&names);
}

/* ---- verdicts ---- */

static void answers_are_judged(void **state)
{
    static const struct {
        int code;
        enum object_class class;
        int errnum;
        bool retryable, settled;
    } row[] = {
        {0, OBJECT_DONE, 0, false, true},
        {4096, OBJECT_DONE, 0, false, true},
        {-ENOENT, OBJECT_CLIENT_ERROR, ENOENT, false, true},
        {-ENODATA, OBJECT_CLIENT_ERROR, ENOENT, false, true},
        {-EPERM, OBJECT_CLIENT_ERROR, EACCES, false, true},
        {-EACCES, OBJECT_CLIENT_ERROR, EACCES, false, true},
        {-EDQUOT, OBJECT_CLIENT_ERROR, EDQUOT, false, true},
        {-ENOSPC, OBJECT_SERVER_ERROR, ENOSPC, false, true},
        {-EFBIG, OBJECT_CLIENT_ERROR, EFBIG, false, true},
        {-EMSGSIZE, OBJECT_CLIENT_ERROR, EFBIG, false, true},
        {-ETIMEDOUT, OBJECT_NETWORK_ERROR, ETIMEDOUT, true, false},
        {-ECANCELED, OBJECT_NETWORK_ERROR, EINTR, false, false},
        {-ESHUTDOWN, OBJECT_CLIENT_ERROR, ESHUTDOWN, false, true},
        {-EOPNOTSUPP, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, true},
        {-EIO, OBJECT_SERVER_ERROR, EREMOTEIO, true, true},
        {-4095, OBJECT_SERVER_ERROR, EREMOTEIO, false, true},
    };
    const struct object_call put = {.verb = OBJECT_PUT}, list = {.verb = OBJECT_LIST};
    struct pool_slot slot = {.result = 0};
    struct object_answer answer = {.detail = &slot};
    struct object_verdict verdict;
    struct error why = {.status = STATUS_TARGET};

    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        struct error err = {.status = STATUS_TARGET};

        slot.result = row[i].code;
        pool_judge(&put, row[i].code, &answer);
        verdict = answer.verdict;
        assert_int_equal(verdict.class, row[i].class);
        assert_int_equal(verdict.errnum, row[i].errnum);
        assert_int_equal(verdict.retryable, row[i].retryable);
        assert_int_equal(answer.settled, row[i].settled);
        assert_false(verdict.no_place);
        if (row[i].code >= 0)
            continue;
        assert_true(verdict.code[0]);
        pool_explain(&answer, &err);
        assert_non_null(strstr(err.reason, verdict.code));
        assert_null(strchr(err.reason, '\n'));
    }
    slot.result = -EMSGSIZE;
    pool_judge(&put, -EMSGSIZE, &answer);
    assert_string_equal(answer.verdict.code, "TooLarge");
    pool_explain(&answer, &why);
    assert_non_null(strstr(why.reason, "osd_max_write_size"));
    pool_judge(&list, -ENOENT, &answer);
    assert_true(answer.verdict.no_place);
}

static void conditions_are_told(void **state)
{
    static const struct {
        bool only_if_absent;
        int code;
        enum object_condition condition;
    } row[] = {{true, -EEXIST, OBJECT_CONDITION_UNMET},
               {true, 0, OBJECT_CONDITION_NONE},
               {true, -ETIMEDOUT, OBJECT_CONDITION_NONE},
               {false, -EEXIST, OBJECT_CONDITION_NONE}};
    struct object_answer answer = {.detail = NULL};

    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        pool_judge(&(struct object_call){.only_if_absent = row[i].only_if_absent}, row[i].code,
                   &answer);
        assert_int_equal(answer.condition, row[i].condition);
    }
}

/* ---- identity ---- */

static void identity_comes_from_options_and_arguments(void **state)
{
    static const struct {
        const char *user, *conf, *args, *is, *by;
    } row[] = {
        {NULL, NULL, NULL, "client.admin", NULL},
        {"me", NULL, "--id other", "client.me", NULL},
        {"client.me", "a.conf", "-c b.conf", "client.me", "a.conf"},
        {NULL, NULL, "--id other --keyring k", "client.other", NULL},
        {NULL, NULL, "--keyring=k  --name=client.other", "client.other", NULL},
        {NULL, NULL, "-n client.other -c b.conf", "client.other", "b.conf"},
        {NULL, NULL, "--conf=b.conf --user x", "client.x", "b.conf"},
        {NULL, NULL, "--id", "client.admin", NULL}, /* librados will report an error */
    };
    struct error err = ERROR_INIT;
    struct pool_identity identity;

    for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
        const struct rados_options options = {.user = row[i].user, .conf = row[i].conf};

        assert_int_equal(pool_identity_find(&options, row[i].args, &identity, &err), 0);
        assert_string_equal(identity.user, row[i].is);
        if (row[i].by)
            assert_string_equal(identity.conf, row[i].by);
        else
            assert_null(identity.conf);
        pool_identity_free(&identity);
    }
    assert_int_equal(
        pool_identity_find(&(struct rados_options){.user = "client."}, NULL, &identity, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
}

/* ---- the ring ---- */

#define THREADS 4u
#define SLOTS   32u
#define ROUNDS  2000u

struct pusher {
    struct pool_ring *ring;
    atomic_uint *wanted; /* per slot: pushes still to come */
    uint32_t first;
};

static void *push(void *arg)
{
    const struct pusher *pusher = arg;

    for (unsigned pushed = 0; pushed < ROUNDS * SLOTS / THREADS;) {
        bool idle = true;

        for (uint32_t i = pusher->first; i < SLOTS; i += THREADS)
            if (atomic_exchange(&pusher->wanted[i], 0) == 1) {
                pool_ring_push(pusher->ring, i);
                pushed++;
                idle = false;
            }
        if (idle)
            sched_yield();
    }
    return NULL;
}

static void what_is_pushed_is_taken_once(void **state)
{
    struct pool_ring ring;
    struct pusher pusher[THREADS];
    pthread_t thread[THREADS];
    static atomic_uint wanted[SLOTS];
    static unsigned count[SLOTS];
    uint32_t slot[8];
    unsigned all = 0;

    assert_int_equal(pool_ring_open(&ring, SLOTS), 0);
    assert_int_equal(pool_ring_wait(&ring, 1000000, slot, 8), 0);
    for (unsigned i = 0; i < SLOTS; i++)
        atomic_store(&wanted[i], 1);
    for (unsigned i = 0; i < THREADS; i++) {
        pusher[i] = (struct pusher){&ring, wanted, i};
        assert_int_equal(pthread_create(&thread[i], NULL, push, &pusher[i]), 0);
    }
    while (all < ROUNDS * SLOTS) {
        const unsigned got = pool_ring_wait(&ring, 60 * NS_PER_S, slot, 8);

        for (unsigned i = 0; i < got; i++) {
            assert_within(slot[i], 0, SLOTS - 1);
            if (++count[slot[i]] < ROUNDS)
                atomic_store(&wanted[slot[i]], 1);
        }
        all += got;
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    for (unsigned i = 0; i < SLOTS; i++)
        assert_int_equal(count[i], ROUNDS);
    assert_int_equal(pool_ring_take(&ring, slot, 8), 0);
    pool_ring_close(&ring);
}

/* ---- targets ---- */

static struct object_service *opened(const char *target, struct error *err)
{
    static const struct rados_options options = {.user = NULL};
    struct object_service *service;

    *err = ERROR_INIT;
    return rados_protocol.open(target, &options, false, &service, err) == 0 ? service : NULL;
}

static void targets_are_pools_with_a_prefix(void **state)
{
    static const char *const wrong[] = {"rados://",       "rados:///a",   "rados://p//",
                                        "rados://p/a//b", "rados://p/..", "rados://p/a\nb"};
    struct error err;
    struct object_service *service = opened("rados://p/a/b", &err);
    char *text;

    assert_non_null(service);
    assert_string_equal(service->prefix, "a/b/");
    text = object_url(service, "a/b/iosweep-r/manifest");
    assert_string_equal(text, "rados://p/a/b/iosweep-r/manifest");
    free(text);
    text = object_place(service, "a/b/iosweep-r/", true);
    assert_string_equal(text, "rados://p/a/b/iosweep-r (namespace iosweep-r)");
    free(text);
    rados_protocol.close(service);
    service = opened("rados://p/benchmark_data_*", &err);
    assert_non_null(service);
    assert_string_equal(service->prefix, "benchmark_data_");
    rados_protocol.close(service);
    service = opened("rados://p/", &err);
    assert_non_null(service);
    assert_string_equal(service->prefix, "");
    rados_protocol.close(service);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        if (opened(wrong[i], &err))
            fail_msg("\"%s\" is taken", wrong[i]);
        assert_int_equal(err.status, STATUS_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_objects_in_the_namespace_of_their_run),
        cmocka_unit_test(objects_that_no_key_names_are_left_out),
        cmocka_unit_test(lists_roll_up_in_whatever_order_names_come),
        cmocka_unit_test(lists_leave_out_what_is_gone),
        cmocka_unit_test(answers_are_judged),
        cmocka_unit_test(conditions_are_told),
        cmocka_unit_test(identity_comes_from_options_and_arguments),
        cmocka_unit_test(what_is_pushed_is_taken_once),
        cmocka_unit_test(targets_are_pools_with_a_prefix),
    };

    (void)unsetenv("CEPH_ARGS");
    (void)setenv("CEPH_CONF", "/nonexistent", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
