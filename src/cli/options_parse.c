/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options_parse.c - from argv, and the option files named there, to a request. */
#include "base/compat.h"

#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/color.h"
#include "base/mem.h"
#include "base/number.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/hint.h"
#include "cli/optionfile.h"
#include "cli/options_check.h"
#include "cli/outputs.h"
#include "cli/said.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/plan.h"
#include "run/team.h"

#define CLASSIC_REPETITIONS 1000
#define SERIES_DEFAULT_NS   UINT64_C(1000000000)
#define FILL_DEFAULT_BYTES  (UINT64_C(1) << 20) /* what a program that streams writes at a time */

/* --- defaults and what follows from what was said --- */

/* Of a request that is zeroed but for its targets and files. */
static void set_defaults(struct request *request, const char *program)
{
    struct settings *settings = &request->settings;
    const char *slash = strrchr(program, '/');

    option_defaults(options_table, request);
    option_defaults(options_team_table, request);
    settings->ranks = settings->users = 1;
    request->label = "";
    request->format = FORMAT_COUNT;
    if (strcmp(slash ? slash + 1 : program, "io_profile") == 0) {
        request->format = FORMAT_CLASSIC;
        request->format_given = true;
    }
    for (int e = 0; engine_table[e]; e++)
        if (engine_table[e]->options) {
            settings->engine_options[e] = mem_calloc(1, engine_table[e]->options_bytes);
            option_defaults(engine_table[e]->options, settings->engine_options[e]);
        }
    targets_make_options(settings->driver_options);
}

/* What io_profile did without being asked: 1000 repetitions through libc,
 * where that is possible. */
static void settle_classic(struct request *request)
{
    struct settings *settings = &request->settings;

    if (!request->cache_given)
        settings->caches = (struct option_choices){.count = 1, .index = {CACHE_CACHED}};
    if (!settings->engine_count && settings->caches.index[0] != CACHE_DIRECT &&
        settings->sync != SYNC_DATA && settings->sync != SYNC_FULL)
        for (unsigned e = 0; engine_table[e]; e++)
            if (engine_table[e]->capabilities & ENGINE_CLASSIC &&
                engine_works_on(engine_table[e], storage_driver_for(settings->targets[0])))
                settings->engines[settings->engine_count++] = engine_table[e];
    if (!request->repetitions_given && !settings->cell_time_ns)
        settings->repetitions = CLASSIC_REPETITIONS;
}

/* Test fill has one file, and is about the storage; a small file is written at once. */
static void settle_fill(struct request *request)
{
    struct settings *settings = &request->settings;

    if (!settings->tests.count || settings->tests.step[0].test != TEST_FILL)
        return;
    if (!request->tree_given && settings->target_count &&
        storage_driver_for(settings->targets[0])->capabilities & TARGET_SHAPED)
        settings->single_file = true;
    if (!request->cache_given)
        settings->caches = (struct option_choices){.count = 1, .index = {CACHE_DIRECT}};
    if (!settings->sizes.count && !request->scan_given)
        settings->min_bytes = settings->max_bytes =
            settings->file_bytes < FILL_DEFAULT_BYTES ? settings->file_bytes : FILL_DEFAULT_BYTES;
}

/* The format that nobody gave: the output's name says it, or who reads it. */
static enum format choose_format(const struct request *request)
{
    const char *ending = options_ending(request->output);

    if (strcmp(ending, ".json") == 0)
        return FORMAT_JSON;
    if (request->columns || request->output || !color_terminal(STDOUT_FILENO))
        return FORMAT_CSV;
    return FORMAT_TABLE;
}

static void settle(struct request *request)
{
    struct settings *settings = &request->settings;
    static const char *const here[] = {"."};
    bool all_virtual = settings->engine_count > 0;

    for (unsigned i = 0; i < settings->engine_count; i++)
        all_virtual = all_virtual && (settings->engines[i]->capabilities & ENGINE_VIRTUAL);
    if (!settings->target_count) {
        settings->targets = all_virtual ? targets_nowhere() : here;
        settings->target_count = 1;
    }
    settings->keep = settings->keep || settings->reuse; /* what was kept stays */
    if (settings->existing && !request->tests_given)
        settings->tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    settle_fill(request);
    if (!request->seed_given)
        settings->seed = os_random_number() >> 32; /* short enough to be typed again */
    if (request->series && !settings->interval_ns)
        settings->interval_ns = SERIES_DEFAULT_NS;
    if (request->output &&
        (strcmp(request->output, "-") == 0 || outfile_is_stdout(request->output)))
        request->output = NULL;
    if (!request->format_given)
        request->format = choose_format(request);
    if (request->decimal == ',' && !request->separator_given)
        request->separator = ';';
    if (request->format == FORMAT_CLASSIC)
        settle_classic(request);
}

/* "iosweep --quiet fit FILE" would sweep FILE. */
static int refuse_late_command(const char *target, struct error *err)
{
    bool command = false;
    struct stat st;

    for (unsigned i = 0; command_table[i]; i++)
        command = command || strcmp(target, command_table[i]->name) == 0;
    if (!command || stat(target, &st) == 0)
        return 0;
    error_refuse(err, STATUS_USAGE, "cannot use", target, "a command comes first: iosweep %s ...",
                 target);
    return error_explain(err, "it does not exist");
}

/* What is missing may be a word that was meant to be another one. */
static int refuse_missing(const char *target, struct error *err)
{
    const char *address = strstr(target, "://");
    char text[HINT_TEXT], path[HINT_TEXT];
    struct stat st;

    if (!(storage_driver_for(target)->capabilities & TARGET_FILES) || lstat(target, &st) == 0 ||
        errno != ENOENT || !hint_target(target, text)[0])
        return 0;
    if (address && strchr(address, '@')) /* not to be shown */
        return error_refuse(err, STATUS_USAGE, "a target with a name or a password in it", NULL,
                            "leave them out: credentials come from the environment");
    /* a path that is not there is one all the same, and not another word */
    error_refuse(err, strcmp(hint_file(target, path), text) == 0 ? STATUS_TARGET : STATUS_USAGE,
                 "cannot use", target, "%s", text);
    return error_explain(err, "it does not exist");
}

/* Files of options are read, all else is a target. */
static int take_arguments(int argc, char **argv, bool quick, struct request *request,
                          struct error *err)
{
    struct settings *settings = &request->settings;

    request->targets = mem_calloc((size_t)(argc - optind) + 1, sizeof(*request->targets));
    request->files = mem_calloc((size_t)(argc - optind) + 2, sizeof(*request->files));
    settings->targets = request->targets;
    settings->files = request->files;
    if (quick && optionfile_quick(argv[0], &request->files[settings->file_count], err) < 0)
        return -1;
    settings->file_count += quick;
    for (int i = optind; i < argc; i++)
        if (!argv[i][0]) {
            char forms[TARGETS_FORMS];
            return error_refuse(err, STATUS_USAGE, "empty target", NULL,
                                "name a directory, a file%s", targets_forms(false, forms));
        }
    for (int i = optind; i < argc; i++) {
        if (argv[i][0] == '@') {
            if (optionfile_read(argv[i], argv[0], &request->files[settings->file_count], err) < 0)
                return -1;
            settings->file_count++;
            continue;
        }
        if (refuse_late_command(argv[i], err) < 0 || refuse_missing(argv[i], err) < 0)
            return -1;
        request->targets[settings->target_count++] = argv[i];
    }
    return 0;
}

/* ---- what was said becomes a request ---- */

/* What one set of axes has. */
static void free_one(struct request *request)
{
    for (int e = 0; engine_table[e]; e++)
        free(request->settings.engine_options[e]);
    targets_free_options(request->settings.driver_options);
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->type == OPTION_SIZE_LIST || row->type == OPTION_COUNT_LIST)
            units_list_free((struct units_list *)(void *)((char *)request + row->offset));
}

static bool was_said(const struct said *said, const char *name, bool typed)
{
    for (unsigned i = 0; i < said->count; i++)
        if (!said->option[i].file == typed && strcmp(said->option[i].row->name, name) == 0)
            return true;
    return false;
}

/* -r on the command line: of the tests in a file only those that read are meant. */
static void keep_reads(const struct said *said, struct settings *settings)
{
    unsigned kept = 0;

    if (!was_said(said, "read-existing", true) || was_said(said, "tests", true))
        return;
    for (unsigned i = 0; i < settings->tests.count; i++)
        if (!test_changes(settings->tests.step[i].test))
            settings->tests.step[kept++] = settings->tests.step[i];
    settings->tests.count = kept;
}

/* -n and --time on the command line are meant for all steps, whatever a file says of some. */
static void drop_stops(const struct said *said, struct settings *settings)
{
    if (was_said(said, "tests", true) ||
        (!was_said(said, "repetitions", true) && !was_said(said, "time", true)))
        return;
    for (unsigned i = 0; i < settings->tests.count; i++)
        settings->tests.step[i].stops = false;
}

/* All but the checks.  The request has its targets, and nothing else. */
static int fill(struct request *request, const char *program, const struct said *said,
                struct said_given *given, char **unused, struct error *err)
{
    set_defaults(request, program);
    if (said_apply(said, request, given, unused, err) < 0)
        return -1;
    settle(request);
    keep_reads(said, &request->settings);
    drop_stops(said, &request->settings);
    return 0;
}

/* Everything of the request but its lines is there: one of its sets of axes more.  One that has no
 * test left is none. */
static int add_line(struct request *request, const char *program, const struct said *said,
                    struct error *err)
{
    struct settings *settings = &request->settings;
    const struct request targets = {
        .settings = {.targets = settings->targets, .target_count = settings->target_count}};
    struct request *line;
    struct said_given given = {.engine = {NULL}};

    request->lines =
        mem_realloc_array(request->lines, settings->line_count + 1, sizeof(*request->lines));
    line = &request->lines[settings->line_count];
    *line = targets;
    settings->line_count++; /* to be freed from now on */
    if (fill(line, program, said, &given, &request->unused, err) < 0)
        return -1;
    line->settings.seed = settings->seed;
    if (line->settings.tests.count)
        return options_check(line, false, given.engine, &given.drivers, err);
    settings->line_count--;
    free_one(line);
    return 0;
}

/* ---- the axes of all lines together ---- */

static void add_value(struct units_list *list, uint64_t value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->value[i] == value)
            return;
    list->value = mem_realloc_array(list->value, list->count + 1, sizeof(*list->value));
    list->value[list->count++] = value;
}

/* Each step once, whatever its place. */
static void add_step(struct steps *steps, const struct step *step)
{
    for (unsigned i = 0; i < steps->count; i++)
        if (steps->step[i].test == step->test && steps->step[i].created == step->created)
            return;
    if (steps->count < SETTINGS_STEPS_MAX)
        steps->step[steps->count++] = *step;
}

static void add_engine(struct settings *settings, const struct engine *engine)
{
    for (unsigned i = 0; i < settings->engine_count; i++)
        if (settings->engines[i] == engine)
            return;
    if (settings->engine_count < SETTINGS_ENGINES_MAX)
        settings->engines[settings->engine_count++] = engine;
}

/* A field of one line, or with line NULL nothing, to that of all. */
static void unite_field(const struct option_row *row, struct request *all,
                        const struct request *line)
{
    void *field = (char *)all + row->offset;
    const void *more = line ? (const char *)line + row->offset : NULL;
    struct option_choices *chosen = field;
    const struct units_list *list = more;
    const struct option_choices *choices = more;

    switch (row->type) {
    case OPTION_CHOICES:
        if (!line)
            chosen->count = 0;
        for (unsigned i = 0; line && i < choices->count; i++)
            if (!option_chosen(chosen, choices->index[i]) && chosen->count < OPTION_CHOICES_MAX)
                chosen->index[chosen->count++] = choices->index[i];
        return;
    case OPTION_SIZE_LIST:
    case OPTION_COUNT_LIST:
        if (!line)
            units_list_free(field);
        for (size_t i = 0; line && i < list->count; i++)
            add_value(field, list->value[i]);
        return;
    default: /* what is no list is in no axis, but for those below */
        return;
    }
}

/* The sizes of all lines, in place of what makes them. */
static int unite_sizes(struct request *all, struct error *err)
{
    struct settings *settings = &all->settings;

    units_list_free(&settings->sizes);
    for (unsigned i = 0; i < settings->line_count; i++) {
        struct units_list sizes;
        if (plan_sizes(&all->lines[i].settings, &sizes, err) < 0)
            return -1;
        for (size_t k = 0; k < sizes.count; k++)
            add_value(&settings->sizes, sizes.value[k]);
        units_list_free(&sizes);
    }
    settings->sizes.count = number_distinct(settings->sizes.value, settings->sizes.count);
    all->scan_given = false;
    return 0;
}

static int unite(struct request *all, struct error *err)
{
    struct settings *settings = &all->settings, *lines;

    for (const struct option_row *row = options_table; row->name; row++) {
        if (row->scope != OPTION_PART)
            continue;
        unite_field(row, all, NULL);
        for (unsigned i = 0; i < settings->line_count; i++)
            unite_field(row, all, &all->lines[i]);
    }
    settings->engine_count = 0;
    settings->tests.count = 0;
    for (unsigned i = 0; i < settings->line_count; i++) {
        const struct request *line = &all->lines[i];
        for (unsigned s = 0; s < line->settings.tests.count; s++)
            add_step(&settings->tests, &line->settings.tests.step[s]);
        for (unsigned e = 0; e < line->settings.engine_count; e++)
            add_engine(settings, line->settings.engines[e]);
        all->cache_given = all->cache_given || line->cache_given;
        all->settings.accesses_given =
            all->settings.accesses_given || line->settings.accesses_given;
    }
    lines = mem_calloc(settings->line_count, sizeof(*lines));
    for (unsigned i = 0; i < settings->line_count; i++)
        lines[i] = all->lines[i].settings;
    settings->lines = lines;
    return unite_sizes(all, err);
}

/* ---- all of it ---- */

static void make_parser(struct parser *parser)
{
    parser_init(parser, "iosweep --help all lists all options");
    parser_add(parser, options_table, SAID_OWNER_REQUEST);
    if (team_library)
        parser_add(parser, options_team_table, SAID_OWNER_REQUEST);
    targets_add_options(parser, TARGETS_ALL, SAID_OWNER_DRIVERS);
    for (int e = 0; engine_table[e]; e++)
        if (engine_table[e]->options)
            parser_add(parser, engine_table[e]->options, e);
}

/* Common lines, further lines of `count` parts, and what was typed. */
struct sources {
    const char *program;
    struct said common, typed, *part;
    unsigned count;
};

static int take_files(struct parser *parser, const struct request *request, struct sources *sources,
                      struct error *err)
{
    for (unsigned f = 0; f < request->settings.file_count; f++) {
        const struct option_file *file = &request->files[f];
        if (said_take_line(parser, file, &file->line[0], false, f, &sources->common, err) < 0)
            return -1;
        for (unsigned i = 1; i < file->count; i++) {
            sources->part =
                mem_realloc_array(sources->part, sources->count + 1, sizeof(*sources->part));
            sources->part[sources->count] = (struct said){.count = 0};
            if (said_take_line(parser, file, &file->line[i], true, request->settings.file_count,
                               &sources->part[sources->count++], err) < 0)
                return -1;
        }
    }
    return 0;
}

/* What was said for one set of axes; part NULL: for the run. */
static struct said join(const struct sources *sources, const struct said *part)
{
    struct said all = {.count = 0};

    said_add(&all, &sources->common);
    if (part)
        said_add(&all, part);
    said_add(&all, &sources->typed);
    return all;
}

static int make_lines(struct request *request, const struct sources *sources, struct error *err)
{
    int result = 0;

    for (unsigned i = 0; i < sources->count && result == 0; i++) {
        struct said all = join(sources, &sources->part[i]);
        result = add_line(request, sources->program, &all, err);
        said_free(&all);
    }
    if (result == 0 && request->settings.line_count)
        return unite(request, err);
    if (result == 0 && sources->count)
        request->settings.tests.count = 0; /* no line has one */
    return result;
}

static int make(struct request *request, const struct sources *sources, struct error *err)
{
    struct said_given given = {.engine = {NULL}};
    struct said all = join(sources, NULL);
    int result = fill(request, sources->program, &all, &given, &request->unused, err);

    said_free(&all);
    if (result == 0)
        result = make_lines(request, sources, err);
    if (result == 0 && !request->settings.tests.count)
        return error_refuse(err, STATUS_USAGE, "no test in the option file only reads", NULL,
                            "leave out --read-existing (-r), or add --tests read");
    request->settings.unused = request->unused;
    return result < 0 ? -1 : options_check(request, true, given.engine, &given.drivers, err);
}

/* The word after --help, unless it is a target, to which --help was added: then help is about no
 * topic. */
static const char *topic_of(int argc, char **argv)
{
    const char *word = optind < argc ? argv[optind] : NULL;
    struct stat st;

    if (optarg)
        return optarg[0] ? optarg : NULL;
    if (!word || word[0] == '-' || !word[0])
        return NULL;
    if (!help_knows(word) && (strpbrk(word, "@:/.") || stat(word, &st) == 0))
        return NULL;
    return word;
}

int options_parse(int argc, char **argv, struct request *request, struct error *err)
{
    struct sources sources = {.program = argc > 0 && argv[0] ? argv[0] : "iosweep"};
    struct parser parser;
    int result;

    memset(request, 0, sizeof(*request));
    make_parser(&parser);
    result = said_take(&parser, argc, argv, &sources.typed, &request->command, err);
    if (result == 0 && request->command == COMMAND_HELP)
        request->topic = topic_of(argc, argv);
    if (result == 0 && request->command == COMMAND_SWEEP) {
        request->command_line = said_repeat(argc, argv, &sources.typed);
        result = take_arguments(argc, argv, was_said(&sources.typed, "quick", true), request, err);
        if (result == 0)
            result = take_files(&parser, request, &sources, err);
        if (result == 0)
            result = make(request, &sources, err);
        /* of tests in a file those that may write, do */
        request->tests_given = was_said(&sources.typed, "tests", true);
    }
    parser_free(&parser);
    said_free(&sources.common);
    said_free(&sources.typed);
    for (unsigned i = 0; i < sources.count; i++)
        said_free(&sources.part[i]);
    free(sources.part);
    return result;
}

void options_free(struct request *request)
{
    for (unsigned i = 0; i < request->settings.line_count; i++)
        free_one(&request->lines[i]);
    free(request->lines);
    free((void *)(uintptr_t)request->settings.lines);
    for (unsigned i = 0; i < request->settings.file_count; i++)
        optionfile_free(&request->files[i]);
    free(request->files);
    free(request->targets);
    free(request->unused);
    free(request->targets_label);
    free(request->command_line);
    free_one(request);
}
