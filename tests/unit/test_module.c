/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* Modules: a good one is loaded; one that is missing, broken, of another version or build, or may
 * have been written by another user is refused with a reason. */
#include "base/compat.h"

#include "unit/scratch.h"

#include <limits.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/rados/module.h"

#define GOOD  "tests/module/good.so" /* in the build directory, where tests run */
#define RADOS "src/iosweep-rados.so"

static const struct rados_build ours = RADOS_BUILD;
static char place[PATH_MAX];

static int set_up(void **state)
{
    return close(scratch_make("test_module", place));
}

static int tear_down(void **state)
{
    nftw(place, scratch_remove_one, SCRATCH_DEPTH, FTW_DEPTH | FTW_PHYS);
    return 0;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    bytes = mem_calloc(*length, 1);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    fclose(file);
    return bytes;
}

/* Copies a module, replacing `from` by `to` everywhere; returns the path, to be freed. */
static char *copy(const char *of, const char *name, const void *from, const void *to, size_t bytes)
{
    char *path = mem_printf("%s/%s", place, name);
    size_t length, found = 0;
    char *text = read_file(of, &length);
    FILE *file = fopen(path, "wb");

    for (size_t at = 0; bytes > 0 && at + bytes <= length; at++)
        if (memcmp(text + at, from, bytes) == 0) {
            memcpy(text + at, to, bytes);
            found++;
        }
    assert_true(bytes == 0 || found > 0);
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0644), 0);
    free(text);
    return path;
}

/* Must be refused with these words in a single line. */
static void refused(char *path, const char *words, const char *more)
{
    struct error err = ERROR_INIT;
    char text[1200];

    assert_null(rados_module_load(path, &err));
    assert_int_equal(err.status, STATUS_TARGET);
    error_format(&err, text, sizeof(text));
    if (!strstr(text, words) || !strstr(text, more) || !strstr(text, path))
        fail_msg("not told \"%s\" and \"%s\": %s", words, more, text);
    assert_null(strchr(text, '\n'));
    free(path);
}

static void a_good_one_is_loaded(void **state)
{
    char *path = copy(GOOD, "good.so", NULL, NULL, 0);
    struct error err = ERROR_INIT;
    const struct rados_module *module = rados_module_load(path, &err);

    assert_non_null(module);
    assert_string_equal(module->protocol->name, "far");
    assert_string_equal(module->library(), "far 1.2");
    assert_ptr_equal(rados_module_load(path, &err), module);
    free(path);
}

static void a_missing_one_names_its_package(void **state)
{
    char *path = mem_printf("%s/no.so", place);

    refused(path, "rados:// needs the package iosweep-rados, which is not installed",
            "install iosweep-rados " PACKAGE_VERSION);
    refused(mem_printf("%s/no/such/place/far.so", place), "is not installed", "iosweep-rados");
    refused(mem_strdup(place), "which cannot be used", "iosweep-rados");
}

static void what_is_no_module_is_refused(void **state)
{
    char *path = mem_printf("%s/text.so", place);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs("no library\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    refused(path, "cannot load", "install iosweep-rados");
    /* (with sanitizers it cannot even be loaded, since they search for the name, too) */
    refused(copy(GOOD, "other.so", "iosweep_module", "iosweep_nodule", sizeof("iosweep_module")),
            "other.so", "install iosweep-rados");
}

/* A module whose build is this one.  Loaded files are never closed, so each has its own name. */
static void refused_build(const struct rados_build *build, const char *words, const char *more)
{
    static unsigned number;
    char name[24];

    snprintf(name, sizeof(name), "build%u.so", number++);
    refused(copy(GOOD, name, &ours, build, sizeof(ours)), words, more);
}

static void another_kind_is_refused(void **state)
{
    struct rados_build other = ours;

    other.magic++;
    refused_build(&other, "not a module of iosweep", "install iosweep-rados");
}

static void another_version_is_refused_with_both(void **state)
{
    struct rados_build other = ours;

    other.version[0] = '9';
    refused_build(&other, "iosweep " PACKAGE_VERSION " cannot use iosweep-rados 9",
                  "install both from the same build");
}

static void another_build_is_refused(void **state)
{
    for (size_t i = 0; i < COUNT_OF(ours.sizes); i++) {
        struct rados_build other = ours;

        other.sizes[i] += i % 2 ? 8 : -8u;
        refused_build(&other, "iosweep-rados belongs to another build of iosweep " PACKAGE_VERSION,
                      "from the same build");
    }
}

/* This program exports nothing to modules. */
static void a_module_that_lacks_something_is_refused(void **state)
{
    refused(copy(RADOS, "rados.so", NULL, NULL, 0), "cannot load", "undefined symbol");
}

static void what_others_may_write_is_not_loaded(void **state)
{
    char *path = copy(GOOD, "open.so", NULL, NULL, 0);

    assert_int_equal(chmod(path, 0646), 0);
    refused(path, "world-writable", "chmod o-w");
    path = copy(GOOD, "beside.so", NULL, NULL, 0);
    assert_int_equal(chmod(place, 0777), 0);
    refused(path, "world-writable", "chmod o-w");
    assert_int_equal(chmod(place, 0700), 0);
    refused(mem_strdup("far.so"), "not an absolute module path", "--prefix");
    if (geteuid() != 0)
        return; /* only root can create another user's file */
    path = copy(GOOD, "foreign.so", NULL, NULL, 0);
    assert_int_equal(chown(path, 12345, 12345), 0);
    refused(path, "belongs to another user", "owned by root");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_one_is_loaded),
        cmocka_unit_test(a_missing_one_names_its_package),
        cmocka_unit_test(what_is_no_module_is_refused),
        cmocka_unit_test(another_kind_is_refused),
        cmocka_unit_test(another_version_is_refused_with_both),
        cmocka_unit_test(another_build_is_refused),
        cmocka_unit_test(a_module_that_lacks_something_is_refused),
        cmocka_unit_test(what_others_may_write_is_not_loaded),
    };

    return cmocka_run_group_tests_name("module", tests, set_up, tear_down);
}
