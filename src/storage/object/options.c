/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - command line options that all object stores share, and their conflicts. */
#include "base/compat.h"

#include "storage/object/options.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "storage/object/protocol.h"

#define FIELD(member) offsetof(struct object_options, member)

const char *const object_on_words[] = {"data", "xattr", "omap", NULL};

/* clang-format off */
static const struct option_row reach_table[] = {
    {.name = "endpoint", .argument = "URL", .type = OPTION_STRING, .offset = FIELD(endpoint),
     .needs = TARGET_SERVICE, .help = "the service: SCHEME://HOST[:PORT] [AWS]",
     .group = "Object stores"},
    {.name = "region", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(region),
     .needs = TARGET_SERVICE, .help = "region of the bucket [us-east-1]", .group = "Object stores"},
    {.name = "profile", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(profile),
     .needs = TARGET_SERVICE | OPTION_SECRET,
     .help = "credentials of this profile [environment, default]", .group = "Object stores"},
    {.name = "anonymous", .type = OPTION_FLAG, .offset = FIELD(anonymous), .needs = TARGET_SERVICE,
     .help = "no credentials, unsigned requests", .group = "Object stores"},
    {.name = "insecure", .type = OPTION_FLAG, .offset = FIELD(insecure),
     .needs = TARGET_CONNECTIONS, .help = "do not verify TLS certificates",
     .group = "Object stores"},
    {.name = "ca-file", .argument = "FILE", .type = OPTION_STRING, .offset = FIELD(ca_file),
     .needs = TARGET_CONNECTIONS, .help = "CA certificates to trust (PEM)",
     .group = "Object stores"},
    {.name = "retries", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(retries), .max = 100,
     .fallback = "0", .help = "retry a failed request up to N times", .group = "Object stores"},
    {.name = "request-timeout", .argument = "TIME", .type = OPTION_DURATION,
     .offset = FIELD(timeout_ns), .fallback = "30s",
     .help = "fail a request after TIME without progress", .group = "Object stores"},
    {.name = NULL},
};

static const struct option_row sweep_table[] = {
    {.name = "reconnect", .type = OPTION_FLAG, .offset = FIELD(reconnect),
     .needs = TARGET_CONNECTIONS, .help = "a new connection for each request",
     .group = "Object stores"},
    {.name = "on", .argument = "WHAT", .type = OPTION_CHOICE, .offset = FIELD(on),
     .choices = object_on_words, .fallback = "data", .needs = TARGET_VALUES,
     .help = "what to read and write: data, xattr, omap", .group = "Object stores"},
    {.name = "max-requests", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(max_requests),
     .min = 1, .help = "end the run after N requests", .group = "Object stores"},
    {.name = "objects", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(objects), .min = 1,
     .max = 1000000, .help = "objects per size [64, up to 256 MiB in total]",
     .group = "Object stores"},
    {.name = "object-size", .argument = "SIZE", .type = OPTION_SIZE, .offset = FIELD(object_bytes),
     .min = 1, .help = "read ranges of objects of this size [whole]", .group = "Object stores"},
    {.name = "part-size", .argument = "SIZE", .type = OPTION_SIZE, .offset = FIELD(part_bytes),
     .min = 1, .help = "upload larger objects in parts [append: 8Mi]", .group = "Object stores"},
    {.name = "parallel", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(parallel), .min = 1,
     .max = 64, .fallback = "1", .help = "ranges of a read, parts of an upload at once",
     .group = "Object stores"},
    {.name = "delete-batch", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(delete_batch),
     .min = 1, .max = 1000, .fallback = "1", .help = "delete: objects per request",
     .group = "Object stores"},
    {.name = "list-page", .argument = "N", .type = OPTION_COUNT, .offset = FIELD(page), .min = 1,
     .max = 1000, .fallback = "1000", .help = "list: names per request", .group = "Object stores"},
    {.name = NULL},
};
/* clang-format on */

const struct target_family object_family = {
    .kind = "object store",
    .reach_options = reach_table,
    .options = sweep_table,
    .options_key = "object_options",
    .length_option = "--object-size",
};

/* ---- limits of a protocol ---- */

static int refuse_bounds(const struct target_request *request, const struct object_limits *limits,
                         struct error *err)
{
    const struct object_options *options = request->options;
    const struct {
        const char *name;
        uint64_t bytes, least, most;
    } bounds[] = {
        {"--object-size", options->object_bytes, 0, limits->object_bytes_most},
        {"--part-size", object_options_part(options), limits->part_bytes_least,
         limits->part_bytes_most},
    };
    char action[96], text[3][UNITS_TEXT];

    for (size_t i = 0; i < COUNT_OF(bounds); i++) {
        const bool small = bounds[i].bytes < bounds[i].least;

        if (!small && (bounds[i].most == 0 || bounds[i].bytes <= bounds[i].most))
            continue;
        snprintf(action, sizeof(action), "%s: too %s for this target:", bounds[i].name,
                 small ? "small" : "large");
        return error_refuse(err, STATUS_USAGE, action, units_format_size(bounds[i].bytes, text[0]),
                            "%s takes %s to %s", request->target,
                            units_format_size(bounds[i].least > 0 ? bounds[i].least : 1, text[1]),
                            units_format_size(bounds[i].most, text[2]));
    }
    return 0;
}

/* ---- options without effect ---- */

int object_options_refuse_idle(const struct object_idle *option, size_t count, const char *text,
                               struct error *err)
{
    for (; count > 0 && !option->given; count--)
        option++;
    if (count == 0)
        return 0;
    return error_refuse(err, STATUS_USAGE, text, option->name, "%s", option->advice);
}

int object_options_one_run(const struct target_request *request, unsigned count, struct error *err)
{
    if (count < 2 || !request->named)
        return 0;
    return error_refuse(err, STATUS_USAGE,
                        "--run-name names one run, but there are several object stores", NULL,
                        "sweep them one by one, or leave it out");
}

/* Refuses options that only affect creating or filling objects, with -r and --reuse. */
static int refuse_of_making(const struct target_request *request, struct error *err)
{
    const struct object_options *options = request->options;
    static const char advice[] = "leave it out: objects are as they are";
    const struct object_idle idle[] = {
        {options->object_bytes > 0, "--object-size", advice},
        {options->objects > 0, "--objects", advice},
    };

    return object_options_refuse_idle(idle, COUNT_OF(idle),
                                      request->reuse
                                          ? "--reuse creates no objects, so no"
                                          : "--read-existing (-r) creates no objects, so no",
                                      err);
}

/* --reuse creates no objects, so tests that create or consume objects cannot run. */
static int refuse_making(const struct target_request *request, struct error *err)
{
    for (unsigned test = 0; request->reuse && test < TEST_COUNT; test++)
        if (request->tests & 1u << test && test_changes((enum io_test)test) &&
            (!test_writes((enum io_test)test) || test == TEST_CREATE))
            return error_refuse(err, STATUS_USAGE,
                                "--reuse overwrites objects and creates none; it cannot run test",
                                test_names[test], "leave it out of --tests");
    return 0;
}

static bool tests_any(const struct target_request *request, unsigned tests)
{
    return (request->tests & tests) != 0;
}

/* Refuses options of tests that are not run.  An option set to its default is accepted, since it
 * changes nothing. */
static int refuse_of_tests(const struct target_request *request, unsigned verbs, struct error *err)
{
    const struct object_options *options = request->options;
    const unsigned in_place = 1u << TEST_WRITE | 1u << TEST_READ | 1u << TEST_FILL;
    /* tests whose objects are not values, which have one piece */
    const unsigned pieced = request->tests & ~(options->on != OBJECT_ON_DATA ? in_place : 0);
    const bool read = pieced & 1u << TEST_READ;
    const bool in_ranges = verbs & 1u << OBJECT_WRITE_RANGE && pieced & 1u << TEST_WRITE;
    const bool uploads = verbs & 1u << OBJECT_UPLOAD_BEGIN;
    const bool appends = uploads && tests_any(request, 1u << TEST_APPEND);
    const bool in_parts = appends || (uploads && pieced & OBJECT_TESTS_IN_PARTS);
    const char *whole =
        options->on != OBJECT_ON_DATA ? "one request writes a whole value: leave it out" : NULL;
    static const char no_uploads[] = "this store uploads no objects in parts: leave it out";
    const bool ranges =
        (read || in_ranges) && (options->object_bytes > 0 || request->existing || request->reuse);
    struct object_options normal = {.page = 0};

    option_defaults(sweep_table, &normal);
    const struct object_idle idle[] = {
        {options->on != OBJECT_ON_DATA && !(verbs & 1u << OBJECT_XATTR_PUT), "--on",
         "objects of this store have only data: leave it out"},
        {options->on != OBJECT_ON_DATA && !tests_any(request, in_place), "--on",
         "add write or read to --tests, or leave it out"},
        {options->object_bytes > 0 && !read && !in_ranges, "--object-size",
         whole ? whole
         : tests_any(request, 1u << TEST_WRITE)
             ? "objects are written whole: --sizes sets their length, and --part-size writes them "
               "in pieces"
             : "add read to --tests, or leave it out"},
        {options->part_bytes > 0 && !in_parts, "--part-size",
         whole     ? whole
         : uploads ? "add write, create or append to --tests, or leave it out"
                   : no_uploads},
        {options->parallel != normal.parallel && !read && !appends &&
             !(in_parts && options->part_bytes > 0),
         "--parallel",
         whole     ? whole
         : uploads ? "add --part-size, or read or append to --tests, or leave it out"
                   : "add read to --tests, or leave it out"},
        {options->delete_batch != normal.delete_batch &&
             !(verbs & 1u << OBJECT_DELETE_MANY &&
               (request->tests | request->created) & 1u << TEST_DELETE),
         "--delete-batch",
         verbs & 1u << OBJECT_DELETE_MANY
             ? "add delete to --tests, or leave it out"
             : "this store has no request to delete several objects: leave it out"},
        {options->page != normal.page && !tests_any(request, 1u << TEST_LIST), "--list-page",
         "add list to --tests, or leave it out"},
        {request->fragment_given && appends, "--call-size",
         "this store appends by an upload in parts: give --part-size, or leave it out"},
        {request->align_bytes > 0 && !ranges, "--align",
         "only ranges of objects have offsets: add --object-size, or leave it out"},
    };

    return object_options_refuse_idle(idle, COUNT_OF(idle), "no test uses", err);
}

int object_options_check(const struct target_request *request, const struct object_limits *limits,
                         bool alone, struct error *err)
{
    const struct object_options *options = request->options;

    if (refuse_bounds(request, limits, err) != 0)
        return -1;
    if (options->anonymous && options->profile)
        return error_refuse(err, STATUS_USAGE, "--anonymous and --profile conflict", NULL,
                            "use only one");
    if (options->insecure && options->ca_file)
        return error_refuse(err, STATUS_USAGE,
                            "--insecure verifies nothing, so --ca-file has no effect", NULL,
                            "use only one");
    if (alone && (request->existing || request->reuse) && refuse_of_making(request, err) != 0)
        return -1;
    if (alone && refuse_making(request, err) != 0)
        return -1;
    return alone ? refuse_of_tests(request, limits->verbs, err) : 0;
}
