/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* store_place.h - for tests of the `file` target driver: a new directory below the current one, a
 * request for it, and targets that must be accepted or refused. */
#ifndef TESTS_STORE_PLACE_H
#define TESTS_STORE_PLACE_H

#include "unit/cmocka_all.h"

#include <limits.h>
#include <string.h>

#include "base/log.h"
#include "storage/storage.h"
#include "unit/scratch.h"

static struct place {
    char path[PATH_MAX]; /* absolute */
    char target[PATH_MAX + 64];
    int fd;
    volatile int stop;
    struct target_request request;
} place;

static inline int set_up(void **state)
{
    memset(&place, 0, sizeof(place));
    place.fd = scratch_make("test_store", place.path);
    place.request = (struct target_request){.target = place.path,
                                            .levels = 2,
                                            .width = 2,
                                            .file_bytes = 10000,
                                            .writes = true,
                                            .seed = 1,
                                            .run_name = "run",
                                            .stop = &place.stop};
    log_set_level(LOG_QUIET);
    return place.fd < 0 ? -1 : 0;
}

static inline int tear_down(void **state)
{
    close(place.fd);
    scratch_remove(place.path);
    return 0;
}

static inline uint64_t entries(void)
{
    return scratch_entries(place.path);
}

/* A file of `size_bytes` bytes 'x' and a file name below the place. */
static inline void write_file(const char *name, size_t size_bytes)
{
    int fd = openat(place.fd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    char *data = malloc(size_bytes + 1);

    assert_true(fd >= 0);
    assert_non_null(data);
    memset(data, 'x', size_bytes);
    assert_int_equal(write(fd, data, size_bytes), size_bytes);
    assert_int_equal(close(fd), 0);
    free(data);
}

static inline const char *below(const char *name)
{
    snprintf(place.target, sizeof(place.target), "%s/%s", place.path, name);
    return place.target;
}

static inline struct target *open_good(void)
{
    struct error err = ERROR_INIT;
    struct target *target = NULL;
    char text[1024];

    if (target_file.open(&place.request, &target, &err) != 0)
        fail_msg("%s", error_format(&err, text, sizeof(text)));
    assert_non_null(target);
    assert_ptr_equal(target->driver, &target_file);
    return target;
}

static inline void close_good(struct target *target)
{
    struct error err = ERROR_INIT;

    assert_int_equal(target_file.close(target, &err), 0);
    assert_false(error_is_set(&err));
}

/* Opening must fail with STATUS_TARGET; action and advice contain these words. */
static inline void open_bad(int errnum, const char *action, const char *advice)
{
    struct error err = ERROR_INIT;
    struct target *target = (struct target *)&place;

    assert_int_equal(target_file.open(&place.request, &target, &err), -1);
    assert_null(target);
    print_message("%s | %s | %s | %s\n", err.action, err.object, strerror(err.errnum), err.advice);
    assert_int_equal(err.status, STATUS_TARGET);
    assert_int_equal(err.errnum, errnum);
    assert_non_null(strstr(err.action, action));
    assert_non_null(strstr(err.advice, advice));
}

#endif
