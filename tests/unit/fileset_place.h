/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* fileset_place.h - for tests that create and remove runs of files: a new directory below the
 * current one per test, with a run in it. */
#ifndef TESTS_FILESET_PLACE_H
#define TESTS_FILESET_PLACE_H

#include "unit/cmocka_all.h"

#include <limits.h>
#include <string.h>

#include "base/log.h"
#include "storage/file/fileset.h"
#include "storage/storage.h"
#include "unit/scratch.h"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static struct place {
    char path[PATH_MAX]; /* absolute */
    int fd;
    volatile int stop;
    uint64_t reports, last_done_bytes;
    int stop_at_report;            /* 0: never */
    struct life_manifest manifest; /* of the run created */
    struct life_set set;
    struct fileset files;
    struct error err;
    unsigned removed; /* runs, by the last clean */
} place;

/* Resets the state of the previous run and its errors. */
static inline void start_anew(void)
{
    place.set = (struct life_set){
        .kind = LIFE_TREE, .levels = 3, .width = 2, .size_bytes = 5000, .count = 8};
    place.manifest = (struct life_manifest){
        .storage = LIFE_FILES, .run_name = "run", .seed = 42, .set_count = 1, .set = &place.set};
    place.files = (struct fileset){
        .parent_fd = place.fd, .parent_path = place.path, .manifest = &place.manifest};
    place.last_done_bytes = 0;
}

static inline int set_up(void **state)
{
    memset(&place, 0, sizeof(place));
    place.fd = scratch_make("test_fileset", place.path);
    start_anew();
    log_set_level(LOG_QUIET);
    return place.fd < 0 ? -1 : 0;
}

static inline int tear_down(void **state)
{
    close(place.fd);
    scratch_remove(place.path);
    return 0;
}

/* Number of entries below the test's directory. */
static inline uint64_t entries(void)
{
    return scratch_entries(place.path);
}

static inline void write_file(const char *name, const char *text)
{
    int fd = openat(place.fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

static inline bool exists(const char *name)
{
    return scratch_exists(place.fd, name);
}

static inline void report(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes)
{
    assert_ptr_equal(arg, &place);
    assert_non_null(what);
    assert_true(done_bytes <= total_bytes);
    assert_true(done_bytes >= place.last_done_bytes);
    place.last_done_bytes = done_bytes;
    if ((int)++place.reports == place.stop_at_report)
        place.stop = 2;
}

static inline int create(void)
{
    const struct target_request request = {
        .stop = &place.stop, .progress = report, .progress_arg = &place};
    int dir_fd = -2, code;

    place.err = ERROR_INIT;
    place.set.count = life_tree_files(&place.set);
    code = fileset_create(&place.files, &request, &dir_fd, NULL, &place.err);
    assert_int_equal(code == 0, dir_fd >= 0);
    assert_int_equal(code == 0, !error_is_set(&place.err));
    if (code == 0) { /* a locked run is alive, since this process made it */
        place.manifest.state.running = false;
        assert_int_equal(fileset_go_on(dir_fd, place.path, &place.manifest, &place.err), 0);
    }
    return dir_fd;
}

static inline int create_named(const char *run_name)
{
    start_anew();
    snprintf(place.manifest.run_name, sizeof(place.manifest.run_name), "%s", run_name);
    return create();
}

static inline int remove_run(void)
{
    struct life_tally removed = {0};

    place.err = ERROR_INIT;
    return fileset_go_over(&place.files, LIFE_REMOVE, &removed, &place.err);
}

/* Removes all removable runs as the command does; path NULL: in the place. */
static inline int clean(const char *path)
{
    static const int stop;
    const struct clean_request request = {
        .target = path ? path : place.path, .all = true, .stop = &stop};
    struct clean_outcome outcome;
    int code;

    place.err = ERROR_INIT;
    code = target_clean(&request, &outcome, &place.err);
    place.removed = outcome.runs;
    return code;
}

static inline void expect_clean(const char *path, int code, unsigned removed)
{
    assert_int_equal(clean(path), code);
    assert_int_equal(place.removed, removed);
}

#endif
