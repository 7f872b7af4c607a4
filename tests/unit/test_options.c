/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* The command line: io_profile's options keep their meaning, lists become axes; invalid
 * words are shown refused in tests/golden. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <string.h>

#include "cli/options.h"
#include "report/formats/formats.h"
#include "storage/object/options.h"

#define ARGS_MAX 20

static struct request request;
static struct error err;

/* Parses "iosweep" and these words. */
static int parse(const char *const *words)
{
    static char copies[ARGS_MAX][256], *argv[ARGS_MAX + 1];
    int argc = 0;

    for (; words[argc]; argc++) {
        strcpy(copies[argc], words[argc]);
        argv[argc] = copies[argc];
    }
    argv[argc] = NULL;
    options_free(&request); /* of the call before */
    err = ERROR_INIT;
    return options_parse(argc, argv, &request, &err);
}

#define PARSE(...) parse((const char *const[]){__VA_ARGS__, NULL})

static void usual_sizes_fit_the_target_and_the_end_that_was_given(void **state)
{
    static const struct {
        const char *option, *value, *target;
        uint64_t min_bytes, max_bytes, factor;
    } row[] = {
        {"--label", "x", "mem:", 4096, 64 << 20, 4},
        {"--max-size", "64", ".", 2, 64, 2},
        {"--min-size", "8Mi", ".", 8 << 20, 8 << 20, 2},
        {"--factor", "3", "mem:", 4096, 64 << 20, 3},
        {"--file-size", "1Mi", ".", 512, 1 << 20, 2},
        {"--format", "classic", ".", 2, 65536, 2},
    };

    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        assert_int_equal(PARSE("iosweep", row[i].option, row[i].value, row[i].target), 0);
        assert_int_equal(request.settings.min_bytes, row[i].min_bytes);
        assert_int_equal(request.settings.max_bytes, row[i].max_bytes);
        assert_int_equal(request.settings.factor, row[i].factor);
    }
}

static void defaults_are_those_of_the_manual(void **state)
{
    assert_int_equal(PARSE("iosweep"), 0);
    assert_int_equal(request.command, COMMAND_SWEEP);
    assert_int_equal(request.settings.min_bytes, 512);
    assert_int_equal(request.settings.max_bytes, 4 << 20);
    assert_int_equal(request.settings.factor, 2);
    assert_int_equal(request.settings.file_bytes, 4 << 20);
    assert_int_equal(request.settings.levels, 3);
    assert_int_equal(request.settings.width, 4);
    assert_int_equal(request.settings.repetitions, 0);
    assert_int_equal(request.settings.tests.count, 2);
    assert_int_equal(request.settings.tests.step[0].test, TEST_WRITE);
    assert_int_equal(request.settings.caches.count, 2);
    assert_int_equal(request.settings.caches.index[0], CACHE_CACHED);
    assert_int_equal(request.settings.caches.index[1], CACHE_DEVICE);
    assert_int_equal(request.settings.threads.count, 1);
    assert_int_equal(request.settings.depths.value[0], 1);
    assert_true(request.settings.precision == 0.025);
    assert_int_equal(request.settings.rounds_min, 11);
    assert_int_equal(request.settings.rounds_max, 39);
    assert_int_equal(request.settings.max_errors, 100);
    assert_int_equal(request.settings.engine_count, 0);
    assert_int_equal(request.separator, ',');
    assert_int_equal(request.decimal, '.');
    assert_false(request.tests_given || request.cache_given || request.settings.scan_given);
    assert_int_equal(request.settings.target_count, 1);
    assert_string_equal(request.settings.targets[0], ".");
}

/* A default that its own row refuses would end the program. */
static void io_profile_words_keep_their_meaning(void **state)
{
    assert_int_equal(
        PARSE("iosweep", "-s", "-b", "-m", "512", "-M", "1Mi", "-n", "77", "-l", "8Mi", "dir"), 0);
    assert_true(request.settings.single_file);
    assert_int_equal(request.settings.caches.index[0], CACHE_DIRECT);
    assert_int_equal(request.settings.min_bytes, 512);
    assert_int_equal(request.settings.max_bytes, 1 << 20);
    assert_int_equal(request.settings.repetitions, 77);
    assert_int_equal(request.settings.file_bytes, 8 << 20);
    assert_string_equal(request.settings.targets[0], "dir");

    assert_int_equal(PARSE("iosweep", "-r", "file"), 0);
    assert_true(request.settings.existing);
    assert_int_equal(request.settings.tests.count, 1);
    assert_int_equal(request.settings.tests.step[0].test, TEST_READ);

    assert_int_equal(PARSE("iosweep", "-version"), 0);
    assert_int_equal(request.command, COMMAND_VERSION);
    assert_int_equal(PARSE("iosweep", "-help"), 0);
    assert_int_equal(request.command, COMMAND_HELP);
}

static void the_old_name_means_the_old_format(void **state)
{
    assert_int_equal(PARSE("/usr/bin/io_profile"), 0);
    assert_int_equal(request.format, FORMAT_CLASSIC);
    assert_int_equal(request.settings.repetitions, 1000);
    assert_int_equal(request.settings.engine_count, 1);
    assert_string_equal(request.settings.engines[0]->name, "stdio");

    assert_int_equal(PARSE("io_profile", "-b"), 0); /* libc cannot bypass the cache */
    assert_int_equal(request.settings.engine_count, 0);
    assert_int_equal(PARSE("io_profile", "--format", "csv"), 0);
    assert_int_equal(request.format, FORMAT_CSV);
    assert_int_equal(request.settings.repetitions, 0);
}

static void lists_are_axes(void **state)
{
    assert_int_equal(PARSE("iosweep", "--threads", "1..6", "--cache", "direct,cached", "--engine",
                           "stdio,null", "--tests=read", "--sizes", "4k,512", "a", "b"),
                     0);
    assert_int_equal(request.settings.threads.count, 4); /* 1 2 4 6 */
    assert_int_equal(request.settings.threads.value[3], 6);
    assert_int_equal(request.settings.caches.count, 2);
    assert_int_equal(request.settings.caches.index[0], CACHE_DIRECT);
    assert_int_equal(request.settings.engine_count, 2);
    assert_string_equal(request.settings.engines[0]->name, "stdio");
    assert_int_equal(request.settings.sizes.count, 2);
    assert_int_equal(request.settings.sizes.value[0], 4096);
    assert_int_equal(request.settings.target_count, 2);
}

static void engines_bring_their_own_options(void **state)
{
    assert_int_equal(PARSE("iosweep", "--engine", "null", "--null.delay", "61us"), 0);
    assert_string_equal(request.settings.targets[0], "null:");
    assert_int_equal(PARSE("iosweep", "--null.delay", "61us"), -1); /* would have no effect */
    assert_int_equal(err.status, STATUS_USAGE);
    assert_int_equal(PARSE("iosweep", "--null.delay", "soon", "null:"), -1);
    assert_non_null(strstr(err.object, "soon"));
}

/* Each of these has no effect with object stores only; each is valid next to a file target. */
static void idle_options_of_objects_are_refused(void **state)
{
    static const struct {
        const char *words[8];
        const char *says; /* NULL: accepted */
    } rows[] = {
        {{"--cache", "asis"}, "--cache"},
        {{"--cache", "cached"}, "--cache"},
        {{"-b"}, "--bypass-cache"},
        {{"--align", "512"}, "--align"},
        {{"--align", "512", "--object-size", "1M"}, NULL},
        {{"--align", "512", "-r"}, NULL},
        {{"--align", "512", "-r", "--tests", "stat"}, "--align"},
        {{"-r", "--object-size", "1M"}, "--object-size"},
        {{"-r", "--objects", "4"}, "--objects"},
        {{"-r", "--s3.payload", "signed"}, "--s3.payload"},
        {{"-r", "--s3.checksum", "md5"}, "--s3.checksum"},
        {{"-r", "--part-size", "5M"}, "--part-size"},
        {{"--s3.payload", "signed", "--s3.checksum", "md5", "--objects", "4"}, NULL},
        {{"--call-size", "1k"}, "--call-size"},
        {{"--call-size", "1k", "--tests", "create"}, "--call-size"},
        {{"--call-size", "1k", "--tests", "append"}, "--call-size"},
        {{"--call-size", "1k", "--tests", "append", "."}, NULL},
        {{"--delete-batch", "8"}, "--delete-batch"},
        {{"--delete-batch", "8", "--tests", "delete"}, NULL},
        {{"--list-page", "8"}, "--list-page"},
        {{"--list-page", "8", "-r", "--tests", "list"}, NULL},
        {{"--parallel", "4", "--tests", "write"}, "--parallel"},
        {{"--parallel", "4"}, NULL},
        {{"--parallel", "4", "-r", "--tests", "read"}, NULL},
        {{"--parallel", "4", "--tests", "write,append"}, NULL},
        {{"--parallel", "4", "--tests", "create", "--part-size", "5M"}, NULL},
        {{"--part-size", "5M", "--tests", "read,copy"}, "--part-size"},
        {{"--part-size", "5M"}, NULL},
        {{"--part-size", "5M", "--tests", "create"}, NULL},
        {{"--part-size", "5M", "--tests", "append"}, NULL},
        {{"--object-size", "1M", "--tests", "write,stat"}, "--object-size"},
        {{"--insecure", "--ca-file", "ca"}, "--ca-file"},
#ifdef HAVE_S3 /* else no engine is for buckets, and the message for others does not apply */
        {{"--null.delay", "1us"}, "null"},
#endif
        {{"--null.delay", "1us", "null:"}, NULL},
        {{"--cache", "asis", "."}, NULL}, /* another target uses it */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *words[11] = {"iosweep"};
        char text[1024];
        unsigned count = 1;
        while (count <= 8 && rows[i].words[count - 1]) {
            words[count] = rows[i].words[count - 1];
            count++;
        }
        words[count] = "s3://bucket1";
        print_message("%s %s\n", words[1], words[2]);
        if (!rows[i].says) {
            assert_int_equal(parse(words), 0);
        } else {
            assert_int_equal(parse(words), -1);
            assert_int_equal(err.status, STATUS_USAGE);
            error_format(&err, text, sizeof(text));
            assert_non_null(strstr(text, rows[i].says));
            assert_null(strchr(text, '\n'));
        }
    }
}

/* One name for all services on a network; those that do not support it refuse it, individually. */
static void options_of_services_are_for_those_that_take_them(void **state)
{
    static const struct {
        const char *option, *word;
        bool webhdfs;
    } rows[] = {{"--endpoint", "http://h", false}, {"--region", "x", false},
                {"--profile", "p", false},         {"--anonymous", NULL, false},
                {"--insecure", NULL, true},        {"--ca-file", "ca", true},
                {"--reconnect", NULL, true}};
    static const char *const targets[] = {"s3://bucket1", "swebhdfs://h:1", "rados://pool",
                                          "mem:", "null:"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        for (size_t t = 0; t < sizeof(targets) / sizeof(*targets); t++) {
            const bool taken = t == 0 || (t == 1 && rows[i].webhdfs);
            const char *beside[] = {"iosweep",
                                    targets[t],
                                    rows[i].option,
                                    rows[i].word ? rows[i].word : targets[0],
                                    rows[i].word ? targets[0] : NULL,
                                    NULL};
            const char *alone[] = {"iosweep", targets[t], rows[i].option, rows[i].word, NULL};

            assert_int_equal(parse(alone), taken ? 0 : -1);
            assert_true(taken || err.status == STATUS_USAGE);
            assert_true(taken || strcmp(err.object, rows[i].option) == 0);
            assert_int_equal(parse(beside), t == 0 ? -1 : 0); /* the same target twice */
        }
}

/* All object stores refuse shared options in the same words, alone and together. */
static void object_stores_share_their_words(void **state)
{
    static const struct {
        const char *target, *size; /* NULL: accepted */
    } rows[] = {{"mem:", NULL}, {"s3://bucket1", "5 MiB to 5 GiB"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct object_options *options;

        assert_int_equal(PARSE("iosweep", "--retries", "7", "--object-size", "1M", "--max-requests",
                               "9", "--objects", "3", "--request-timeout", "2s", "--tests",
                               "read,append", rows[i].target),
                         0);
        options = settings_of_driver(&request.settings, storage_driver_for(rows[i].target));
        assert_int_equal(options->retries, 7);
        assert_int_equal(options->object_bytes, 1 << 20);
        assert_int_equal(options->max_requests, 9);
        assert_int_equal(options->objects, 3);
        assert_int_equal(options->timeout_ns, 2000000000);
        assert_int_equal(options->part_bytes, 0);
        assert_int_equal(PARSE("iosweep", "--part-size", "64k", rows[i].target),
                         rows[i].size ? -1 : 0);
        if (rows[i].size) {
            assert_non_null(strstr(err.action, "--part-size"));
            assert_non_null(strstr(err.object, "64 KiB"));
            assert_non_null(strstr(err.advice, rows[i].size));
        }
        assert_int_equal(PARSE("iosweep", "--delete-batch", "8", rows[i].target), -1);
        assert_non_null(strstr(err.object, "--delete-batch"));
    }
    assert_int_equal(PARSE("iosweep", "--retries", "1", "."), -1);
    assert_non_null(strstr(err.advice, "s3://BUCKET[/PREFIX]"));
    assert_non_null(strstr(err.advice, "mem:"));
    assert_int_equal(PARSE("iosweep", "--s3.addressing", "path", "mem:"), -1);
    assert_null(strstr(err.advice, "mem:"));
}

static void german_spreadsheets(void **state)
{
    assert_int_equal(PARSE("iosweep", "--decimal", ","), 0);
    assert_int_equal(request.separator, ';');
    assert_int_equal(PARSE("iosweep", "--decimal", ",", "--separator", ","), -1);
    assert_int_equal(PARSE("iosweep", "--separator", "5"), -1);
}

/* Names and letters must be unique in all tables. */
static void the_tables_are_sound(void **state)
{
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *a = table->rows; a->name; a++) {
            assert_non_null(a->help);
            assert_true(strlen(a->help) < 60);
            assert_non_null(a->group);
            for (const struct options_table *other = table; other->rows; other++)
                for (const struct option_row *b = other > table ? other->rows : a + 1; b->name;
                     b++) {
                    assert_string_not_equal(a->name, b->name);
                    assert_true(!a->letter || a->letter != b->letter);
                }
        }
}

/* Quoted for a shell, and without secrets. */
static void the_command_line_is_kept(void **state)
{
    assert_int_equal(
        PARSE("/usr/bin/iosweep", "-bm", "4k", "--label", "it's <a> b", "--seed=7", "."), 0);
    assert_string_equal(request.command_line, "iosweep -bm 4k --label 'it'\\''s <a> b' --seed=7 .");
    assert_int_equal(PARSE("iosweep", "--label=http://me:a/b@c@host:1/x@y", "null:"), 0);
    assert_string_equal(request.command_line, "iosweep '--label=http://***@y' null:");
    assert_int_equal(PARSE("iosweep", "--label", "http://host/a@b", "null:"), 0);
    assert_string_equal(request.command_line, "iosweep --label http://host/a@b null:");
}

#ifdef HAVE_LIBCURL
static void secrets_are_not_kept(void **state)
{
    assert_int_equal(PARSE("iosweep", "--webhdfs.token-file=/root/token", "-n", "7",
                           "--webhdfs.password-file", "word", "webhdfs://h:1/word"),
                     0);
    assert_string_equal(request.command_line, "iosweep '--webhdfs.token-file=***' -n 7 "
                                              "--webhdfs.password-file '***' webhdfs://h:1/word");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_sizes_fit_the_target_and_the_end_that_was_given),
        cmocka_unit_test(defaults_are_those_of_the_manual),
        cmocka_unit_test(io_profile_words_keep_their_meaning),
        cmocka_unit_test(the_old_name_means_the_old_format),
        cmocka_unit_test(lists_are_axes),
        cmocka_unit_test(engines_bring_their_own_options),
        cmocka_unit_test(idle_options_of_objects_are_refused),
        cmocka_unit_test(options_of_services_are_for_those_that_take_them),
        cmocka_unit_test(object_stores_share_their_words),
        cmocka_unit_test(german_spreadsheets),
        cmocka_unit_test(the_tables_are_sound),
        cmocka_unit_test(the_command_line_is_kept),
#ifdef HAVE_LIBCURL
        cmocka_unit_test(secrets_are_not_kept),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
