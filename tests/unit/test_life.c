/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_life.c - runs: a manifest is read back as written, and nothing else is accepted; the highest
 * valid one counts on storage that loses data, lies or is slow; of two processes that compete for a
 * run one wins. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "storage/life/heartbeat.h"
#include "unit/said.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- the text ---- */

#define FIRST "iosweep manifest 3\n"
#define HEAD  FIRST "storage=s3\nrun=a.b\nowner=0123456789abcdef\nbegun=1795316400\n"
#define BODY  HEAD "state=ended\nseed=1\nsets="
#define ONE   BODY "1\nset=whole 4096 64 0 pattern\n"
#define FILES FIRST "storage=file\nrun=a\nowner=0123456789abcdef\nbegun=1\nstate=ended\n"
#define TREE  "seed=1\nsets=1\nset=tree 4096 64 0 pattern 3 4\n"
#define N63   "123456789012345678901234567890123456789012345678901234567890123"

static const char *const good_texts[] = {
    ONE,
    HEAD "state=running 0123456789abcdef 4242 815\nparts=8388608\n"
         "seed=18446744073709551615\nsets=3\nset=whole 65536 64 64 pattern\n"
         "set=append 4096 2 1 written\nset=delete 4096 0 0 pattern\n",
    BODY "2\nset=ranged 65536 3 3 pieces\nset=create 4096 0 77 written\n",
    FILES TREE,
    FILES "threads=4096\nsizes=2,4096,65536\n" TREE,
    FILES "sizes=18446744073709551615\n" TREE,
    FILES "seed=18446744073709551615\nsets=1\nset=tree 9223372036854775807 1 1 initial 0 0\n",
    FIRST "storage=file\nrun=" N63 "\nowner=0123456789abcdef\nbegun=1\nstate=ended\n" TREE,
};

static const char *const bad_texts[] = {
    "",
    "\n",
    "iosweep manifest 2\n",
    "iosweep manifest 4\n",
    "\xef\xbb\xbf" FILES TREE,
    FIRST "run=a\n",
    FIRST "storage=s/3\nrun=a\n",
    FIRST "storage=s3\nrun=\nowner=0123456789abcdef\n",
    FIRST "storage=s3\nrun=a/b\nowner=0123456789abcdef\n",
    FIRST "storage=s3\nrun=../../etc\n",
    FIRST "storage=s3\nrun=" N63 "45\n",
    FIRST "storage=s3\nrun=\xc3\xa4\n",
    FIRST "storage=s3\nrun=a\nowner=0123456789ABCDEF\n",
    FIRST "storage=s3\nrun=a\nowner=123456789abcdef\n",
    FIRST "storage=s3\nrun=a\nowner=0123456789abcdef\nbegun=-1\n",
    FIRST "storage=s3\nrun=a\nowner=0123456789abcdef\nbegun=9223372036854775808\n",
    HEAD "state=kept\n",
    HEAD "state=running\n",
    HEAD "state=running 20\n",
    HEAD "state=running 0123456789abcdef 1\n",
    HEAD "state=running 0123456789abcdef 01 1\nseed=1\nsets=1\nset=whole 1 1 1 pattern\n",
    HEAD "state=ended\nparts=0\nseed=1\nsets=1\nset=whole 1 1 1 pattern\n",
    HEAD "state=ended\nparts=x\n",
    FILES "threads=4097\n" TREE,
    FILES "threads=0\n" TREE,
    FILES "sizes=\n" TREE,
    FILES "sizes=0,1\n" TREE,
    FILES "sizes=2,2\n" TREE,
    FILES "sizes=4,2\n" TREE,
    FILES "sizes=2,\n" TREE,
    FILES "sizes=4k\n" TREE,
    FILES "sizes=18446744073709551616\n" TREE,
    HEAD "state=ended\nseed=-1\n",
    HEAD "state=ended\nseed=18446744073709551616\n",
    BODY "0\n",
    BODY "8193\n",
    BODY "1\n",
    BODY "1\nset=found 1 1 1 pattern\n",
    BODY "1\nset=whole 1 1 1 lost\n",
    BODY "1\nset=whole 0 1 1 pattern\n",
    BODY "1\nset=whole 1 0 0 pattern\n",
    BODY "1\nset=whole 1 2 3 pattern\n",
    BODY "1\nset=whole 1 1 pattern\n",
    BODY "1\nset=delete 1 1 1 pattern\n",
    BODY "1\nset=delete 1 0 1 pattern\n",
    BODY "1\nset=whole 1 01 1 pattern\n",
    BODY "1\nset=whole 1 1000001 1 pattern\n",
    BODY "1\nset=whole 1 4294967296 1 pattern\n",
    BODY "1\nset=append 1 1 4294967296 written\n",
    BODY "1\nset=whole 1 1 1 pattern\nx",
    BODY "2\nset=whole 1 1 1 pattern\nset=whole 2 1 1 pattern\n",
    BODY "2\nset=whole 1 1 1 pattern\nset=whole 1 1 1 pattern\n",
    BODY "2\nset=ranged 2 1 1 pattern\nset=ranged 1 1 1 pattern\n",
    BODY "1\nset=tree 1 1 1 pattern 0 0\n", /* a tree needs objects */
    FILES "seed=1\nsets=1\nset=whole 1 1 1 pattern\n",
    FILES "seed=1\nsets=2\nset=tree 2 1 1 pattern 0 0\nset=tree 1 1 1 pattern 0 0\n",
    FILES "seed=1\nsets=1\nset=tree 1 1 1 pattern\n",
    FILES "seed=1\nsets=1\nset=tree 1 1 1 pattern 0 1\n",
    FILES "seed=1\nsets=1\nset=tree 1 63 1 pattern 3 4\n",
    FILES "seed=1\nsets=1\nset=tree 9223372036854775807 4 1 pattern 1 4\n",
    FILES "seed=1\nsets=1\nset=tree 1 1048576 1 pattern 20 2\n",
    FILES "seed=1\nsets=1\nset=tree 1 0 0 pattern 16 16\n", /* 2^64 */
    FILES "seed=1\nsets=1\nset=tree 1 1 1 pattern 33 1\n",
};

static void test_good(void **state)
{
    for (size_t i = 0; i < LENGTH(good_texts); i++) {
        struct life_manifest manifest;
        struct error err = ERROR_INIT;
        char *again;

        print_message("%s", good_texts[i]);
        assert_int_equal(life_manifest_parse(good_texts[i], strlen(good_texts[i]), &manifest, &err),
                         0);
        again = life_manifest_format(&manifest);
        assert_string_equal(again, good_texts[i]);
        free(again);
        life_manifest_free(&manifest);
    }
}

static void test_bad(void **state)
{
    for (size_t i = 0; i < LENGTH(bad_texts); i++) {
        struct life_manifest manifest;
        struct error err = ERROR_INIT;

        print_message("%s\n", bad_texts[i]);
        assert_int_equal(life_manifest_parse(bad_texts[i], strlen(bad_texts[i]), &manifest, &err),
                         -1);
        assert_int_equal(err.status, STATUS_TARGET);
        assert_null(manifest.set);
        assert_int_equal(manifest.size_count, 0);
    }
}

/* A valid text truncated anywhere is no manifest, but the beginning of one; nor is one with a
 * changed byte, unless that results in another valid value, or with a NUL. */
static void test_cut_and_changed(void **state)
{
    for (size_t i = 0; i < LENGTH(good_texts); i++) {
        const size_t length = strlen(good_texts[i]);
        char *text = mem_calloc(length + 2, 1);
        struct life_manifest manifest;
        struct error err = ERROR_INIT;

        for (size_t cut = 0; cut < length; cut++) {
            err = ERROR_INIT;
            assert_int_equal(life_manifest_parse(good_texts[i], cut, &manifest, &err), -1);
            assert_true(i > 2 || life_manifest_begins(good_texts[i], cut, "s3", "a.b"));
            assert_int_equal(life_manifest_begins(good_texts[i], cut, "mem", "a.b"), cut <= 27);
        }
        for (size_t at = 0; at < length; at++)
            for (unsigned byte = 0; byte < 256; byte++) {
                memcpy(text, good_texts[i], length + 1);
                text[at] = (char)byte;
                err = ERROR_INIT;
                if (life_manifest_parse(text, length, &manifest, &err) == 0) {
                    char *again = life_manifest_format(&manifest);
                    assert_string_equal(again, text);
                    free(again);
                    life_manifest_free(&manifest);
                }
            }
        memcpy(text, good_texts[i], length + 1);
        assert_int_equal(life_manifest_parse(text, length + 1, &manifest, &err), -1);
        free(text);
    }
}

/* ---- a scripted place ---- */

#define NAMES_MOST 40

static struct place {
    struct {
        char name[32], *text;
        int64_t age_s;
    } there[NAMES_MOST];
    unsigned count, refused;
    bool lists_nothing, hides_first, unlistable, unreadable;
    const char *rival; /* put before the next put, under the same name */
    struct life_place hooks;
} place;

static int find(const char *name)
{
    for (unsigned i = 0; i < place.count; i++)
        if (strcmp(place.there[i].name, name) == 0)
            return (int)i;
    return -1;
}

static void set(const char *name, const char *text, int64_t age_s)
{
    const unsigned i = place.count++;

    snprintf(place.there[i].name, sizeof(place.there[i].name), "%s", name);
    place.there[i].text = mem_strdup(text);
    place.there[i].age_s = age_s;
}

static int place_remove(void *arg, const char *name, struct error *err)
{
    const int i = find(name);

    if (i < 0)
        return 0;
    free(place.there[i].text);
    place.there[i] = place.there[--place.count];
    return 0;
}

static int64_t place_read(void *arg, const char *name, char *text, size_t room, int64_t *age_s,
                          struct error *err)
{
    const int i = find(name);

    assert_true(room >= LIFE_TEXT_MAX);
    place.refused += place.unreadable;
    if (place.unreadable)
        return error_set(err, STATUS_TARGET, EIO, "cannot read", name);
    if (i < 0)
        return LIFE_MISSING;
    *age_s = place.there[i].age_s;
    memcpy(text, place.there[i].text, strlen(place.there[i].text));
    return (int64_t)strlen(place.there[i].text);
}

static int place_list(void *arg, void (*visit)(void *arg, const char *name), void *visit_arg,
                      struct error *err)
{
    if (place.unlistable)
        return error_set(err, STATUS_TARGET, EACCES, "cannot list", "it");
    for (unsigned i = 0; !place.lists_nothing && i < place.count; i++)
        if (!place.hides_first || strcmp(place.there[i].name, LIFE_FIRST) != 0)
            visit(visit_arg, place.there[i].name);
    return 0;
}

static int place_put(void *arg, const char *name, const char *text, size_t length,
                     struct error *err)
{
    char *copy;

    if (place.rival)
        set(name, place.rival, 0);
    place.rival = NULL;
    if (find(name) >= 0)
        return 1;
    copy = mem_printf("%.*s", (int)length, text);
    set(name, copy, 0);
    free(copy);
    return 0;
}

static int empty(void **state)
{
    for (unsigned i = 0; i < place.count; i++)
        free(place.there[i].text);
    place = (struct place){.hooks = {NULL, place_read, place_list, place_put, place_remove}};
    return 0;
}

static struct life_set one_set = {.kind = LIFE_WHOLE, .size_bytes = 4096, .count = 4};

static struct life_manifest run_of_ours(void)
{
    struct life_manifest manifest = {.storage = "s3", .run_name = "a.b", .seed = 5, .set_count = 1};

    manifest.set = &one_set;
    manifest.state.begun_s = 7;
    life_own(&manifest);
    return manifest;
}

static enum life_found look(uint64_t *number)
{
    struct life_manifest manifest;
    struct error err = ERROR_INIT;
    const enum life_found found = life_look(&place.hooks, "s3", "a.b", &manifest, NULL, &err);

    *number = manifest.state.number;
    assert_int_equal(error_is_set(&err), found == LIFE_ERROR || found == LIFE_INVALID);
    life_manifest_free(&manifest);
    return found;
}

/* Each state is a new manifest that replaces the previous one, except the first. */
static void test_states(void **state)
{
    struct life_manifest manifest = run_of_ours();
    struct error err = ERROR_INIT;
    uint64_t number;

    assert_int_equal(look(&number), LIFE_ABSENT);
    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 0);
    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 1); /* the name is taken */
    for (unsigned i = 2; i < 12; i++) {
        assert_int_equal(life_go_on(&place.hooks, &manifest, &err), 0);
        assert_int_equal(look(&number), LIFE_READ);
        assert_int_equal(number, i);
        assert_int_equal(place.count, 2);
        assert_int_equal(life_whose(&place.hooks, &manifest, &err), LIFE_OURS);
    }
    set("MANIFEST-012", good_texts[0], 0); /* not the name of a manifest */
    set("manifest-13", good_texts[0], 0);
    set("MANIFEST-", good_texts[0], 0);
    set("MANIFEST-0", good_texts[0], 0);
    set("MANIFEST-18446744073709551616", good_texts[0], 0);
    assert_int_equal(look(&number), LIFE_READ);
    assert_int_equal(number, 11);
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 0);
    assert_int_equal(look(&number), LIFE_ABSENT);
    assert_int_equal(place.count, 5);
}

/* Another process has put the next state, or removed the run. */
static void test_lost(void **state)
{
    struct life_manifest manifest = run_of_ours(), other = run_of_ours();
    struct error err = ERROR_INIT;

    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 0);
    other.state.number = manifest.state.number;
    assert_int_equal(life_go_on(&place.hooks, &other, &err), 0);
    assert_int_equal(life_go_on(&place.hooks, &manifest, &err), 1);
    assert_int_equal(life_whose(&place.hooks, &manifest, &err), LIFE_OTHERS);
    assert_int_equal(life_whose(&place.hooks, &other, &err), LIFE_OURS);

    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 0);
    assert_int_equal(place.count, 0);
    assert_int_equal(life_go_on(&place.hooks, &other, &err), 0); /* put too late */
    assert_int_equal(life_whose(&place.hooks, &other, &err), LIFE_NOBODYS);
    assert_int_equal(life_remove(&place.hooks, &other, &err), 0);
    assert_int_equal(place.count, 0);

    place.rival = good_texts[0];
    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 1);
    place.unreadable = true;
    assert_int_equal(life_whose(&place.hooks, &manifest, &err), LIFE_UNKNOWN);
    assert_int_equal(err.errnum, EIO);
}

/* A put whose answer was lost is not another process's: the run continues after it. */
static void test_unanswered(void **state)
{
    struct life_manifest manifest = run_of_ours();
    struct error err = ERROR_INIT;
    uint64_t number;
    char *text;

    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 0);
    text = life_manifest_format(&manifest);
    set("MANIFEST-2", text, 0);
    free(text);
    one_set.made = 3;
    assert_int_equal(life_go_on(&place.hooks, &manifest, &err), 0);
    one_set.made = 0;
    assert_int_equal(look(&number), LIFE_READ);
    assert_int_equal(number, 3);
    assert_int_equal(place.count, 2);
    assert_int_equal(life_whose(&place.hooks, &manifest, &err), LIFE_OURS);
}

/* ---- a run that goes on ---- */

static struct life_manifest beating;
static struct life_heart heart;
static atomic_bool lost;
static const volatile int goes_on;

static void count(void *arg)
{
    one_set.made = 3;
}

static const struct life_hooks counted = {.noun = "object", .count = count}, uncounted;

/* Waits, with the lock, until the heartbeat has done something, however slow the machine is. */
#define WAIT_UNTIL(what)                   \
    do {                                   \
        pthread_mutex_unlock(&heart.lock); \
        clock_rest(1000000);               \
        pthread_mutex_lock(&heart.lock);   \
    } while (!(what))

static void begin_to_beat(const struct life_hooks *hooks)
{
    struct error err = ERROR_INIT;

    beating = run_of_ours();
    atomic_store(&lost, false);
    life_heart_init(&heart, &beating, &lost, hooks, NULL);
    heart.place = &place.hooks;
    heart.shown = "the run";
    heart.stop = &goes_on;
    heart.renew_ns = 1000000;
    assert_int_equal(life_begin(&place.hooks, &beating, &err), 0);
    assert_int_equal(life_heart_start(&heart, &err), 0);
    pthread_mutex_lock(&heart.lock);
}

static void end_beating(void)
{
    pthread_mutex_unlock(&heart.lock);
    life_heart_stop(&heart);
    life_heart_stop(&heart); /* which has ended already */
    life_heart_free(&heart);
}

/* State after state is put, on a thread of its own. */
static void test_beats(void **state)
{
    struct error err = ERROR_INIT;

    begin_to_beat(&counted);
    WAIT_UNTIL(beating.state.number > 5);
    end_beating();
    assert_int_equal(one_set.made, 3);
    one_set.made = 0;
    assert_false(atomic_load(&lost));
    assert_int_equal(place.count, 2);
    assert_int_equal(life_whose(&place.hooks, &beating, &err), LIFE_OURS);
}

/* Another owner's state is found, or none: nothing is put any more. */
static void test_beats_no_more(void **state)
{
    for (unsigned removed = 0; removed < 2; removed++) {
        struct life_manifest other;
        struct error err = ERROR_INIT;
        unsigned left;

        begin_to_beat(&uncounted);
        WAIT_UNTIL(beating.state.number > 2);
        other = beating;
        life_own(&other);
        if (removed)
            assert_int_equal(life_remove(&place.hooks, &beating, &err), 0);
        else
            assert_int_equal(life_go_on(&place.hooks, &other, &err), 0);
        left = place.count;
        WAIT_UNTIL(atomic_load(&lost));
        pthread_mutex_unlock(&heart.lock);
        assert_int_equal(life_heart_renew(&heart, &place.hooks, &err), -1);
        assert_int_equal(err.errnum, ESTALE);
        pthread_mutex_lock(&heart.lock);
        end_beating();
        assert_int_equal(place.count, left);
        assert_int_equal(life_remove(&place.hooks, &other, &err), 0);
    }
}

/* Where no state can be put that is said once, and tried again and again. */
static void test_beats_on(void **state)
{
    const char *text;
    uint64_t number;

    said_begin();
    begin_to_beat(&uncounted);
    place.unreadable = true;
    WAIT_UNTIL(place.refused > 3);
    place.unreadable = false;
    number = beating.state.number;
    WAIT_UNTIL(beating.state.number > number);
    end_beating();
    text = strstr(said_end(), "could not be renewed");
    assert_non_null(text);
    assert_null(strstr(text + 1, "could not be renewed"));
    assert_false(atomic_load(&lost));
}

/* How storage may corrupt manifests, and which one counts. */
static void test_found(void **state)
{
    static const struct {
        const char *first, *second, *third;
        bool lists_nothing, unlistable;
        enum life_found found;
        uint64_t number;
    } rows[] = {
        {NULL, NULL, NULL, false, false, LIFE_ABSENT, 0},
        {ONE, NULL, NULL, true, false, LIFE_READ, 1},
        {ONE, NULL, NULL, false, true, LIFE_READ, 1},
        {NULL, ONE, NULL, false, false, LIFE_READ, 2},
        {"", NULL, NULL, false, false, LIFE_TORN, 0},
        {HEAD "state=run", NULL, NULL, false, false, LIFE_TORN, 0},
        {FIRST "storage=s3\nrun=other\n", NULL, NULL, false, false, LIFE_INVALID, 0},
        {"somebody's", NULL, NULL, false, false, LIFE_INVALID, 0},
        {FILES TREE, NULL, NULL, false, false, LIFE_INVALID, 0},
        /* the next state is truncated, of another run, or empty */
        {ONE, HEAD "state=run", NULL, false, false, LIFE_READ, 1},
        {ONE, BODY "1\nset=whole 4096 64 9 pattern\n", FILES TREE, false, false, LIFE_READ, 2},
        {ONE, "", "x", false, false, LIFE_READ, 1},
        {"", "", NULL, false, false, LIFE_INVALID, 0},
    };

    for (size_t i = 0; i < LENGTH(rows); i++) {
        uint64_t number;

        (void)empty(NULL);
        print_message("row %zu\n", i);
        place.lists_nothing = rows[i].lists_nothing;
        place.unlistable = rows[i].unlistable;
        if (rows[i].first)
            set("MANIFEST-1", rows[i].first, 0);
        if (rows[i].second)
            set("MANIFEST-2", rows[i].second, 0);
        if (rows[i].third)
            set("MANIFEST-3", rows[i].third, 0);
        assert_int_equal(look(&number), rows[i].found);
        if (rows[i].found == LIFE_READ)
            assert_int_equal(number, rows[i].number);
    }
}

/* Of many names the highest are checked; foreign files stay, and with them the first manifest. */
static void test_removed(void **state)
{
    struct life_manifest manifest = run_of_ours();
    struct error err = ERROR_INIT;
    char name[LIFE_NAME_MAX];
    uint64_t number;

    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 0);
    for (unsigned i = 2; i < 30; i++) {
        snprintf(name, sizeof(name), "MANIFEST-%u", i);
        set(name, i == 29 ? "somebody's" : place.there[0].text, 0);
    }
    assert_int_equal(look(&number), LIFE_READ);
    assert_int_equal(number, 28);
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 1);
    assert_true(find("MANIFEST-29") >= 0);
    assert_true(find("MANIFEST-28") < 0);
    assert_true(find(LIFE_FIRST) >= 0);
    assert_int_equal(place_remove(NULL, "MANIFEST-29", &err), 0);
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 0);
    assert_int_equal(place.count, 0);
    set(LIFE_FIRST, HEAD "state=run", 0); /* truncated */
    place.hides_first = true;
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 0);
    assert_int_equal(place.count, 0);
}

/* Manifests that cannot be read: its owner knows those that it has put, and nobody else does. */
static void test_removed_unread(void **state)
{
    struct life_manifest manifest = run_of_ours(), others;
    struct error err = ERROR_INIT;

    assert_int_equal(life_begin(&place.hooks, &manifest, &err), 0);
    assert_int_equal(life_go_on(&place.hooks, &manifest, &err), 0);
    assert_int_equal(life_look(&place.hooks, "s3", "a.b", &others, NULL, &err), LIFE_READ);
    place.unreadable = true;
    assert_int_equal(life_remove(&place.hooks, &others, &err), -1);
    set("MANIFEST-3", good_texts[0], 0);
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), -1);
    assert_int_equal(place.count, 3);
    assert_int_equal(place_remove(NULL, "MANIFEST-3", &err), 0);
    assert_int_equal(life_remove(&place.hooks, &manifest, &err), 0);
    assert_int_equal(place.count, 0);
    life_manifest_free(&others);
}

/* On the same host the process is checked; otherwise the age of the last manifest decides. */
static void test_alive(void **state)
{
    struct life_run run = {.found = LIFE_READ, .manifest = run_of_ours()};
    struct life_state *owner = &run.manifest.state;
    const bool known = owner->process.host != 0;
    int64_t wait_s;

    run.age_s = known ? 1000000 : 0;
    assert_true(life_is_alive(&run, &wait_s));
    owner->process.start ^= 1;
    run.age_s = 0;
    assert_int_equal(life_is_alive(&run, &wait_s), !known);
    owner->process.host ^= 1;
    run.age_s = LIFE_DEAD_S - 1;
    assert_true(life_is_alive(&run, &wait_s));
    assert_int_equal(wait_s, 1);
    run.age_s++;
    assert_false(life_is_alive(&run, &wait_s));
    assert_int_equal(wait_s, 0);
    run.age_s = -1;
    assert_true(life_is_alive(&run, &wait_s));
    assert_int_equal(wait_s, 0);
    owner->running = false;
    assert_false(life_is_alive(&run, &wait_s));
    run.locked = true;
    assert_true(life_is_alive(&run, &wait_s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_cut_and_changed),
        cmocka_unit_test_setup_teardown(test_states, empty, empty),
        cmocka_unit_test_setup_teardown(test_lost, empty, empty),
        cmocka_unit_test_setup_teardown(test_unanswered, empty, empty),
        cmocka_unit_test_setup_teardown(test_beats, empty, empty),
        cmocka_unit_test_setup_teardown(test_beats_no_more, empty, empty),
        cmocka_unit_test_setup_teardown(test_beats_on, empty, empty),
        cmocka_unit_test_setup_teardown(test_found, empty, empty),
        cmocka_unit_test_setup_teardown(test_removed, empty, empty),
        cmocka_unit_test_setup_teardown(test_removed_unread, empty, empty),
        cmocka_unit_test(test_alive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
