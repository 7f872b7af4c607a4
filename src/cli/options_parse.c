/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options_parse.c - turns argv, and the option files named there, into a request. */
#include "base/compat.h"

#include "cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/color.h"
#include "base/mem.h"
#include "cli/help.h"
#include "cli/outputs.h"
#include "cli/said.h"
#include "cli/targets.h"
#include "cli/words.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/plan.h"
#include "run/team.h"

#define CLASSIC_REPETITIONS 1000
#define SERIES_DEFAULT_NS   UINT64_C(1000000000)
#define FILL_DEFAULT_BYTES  (UINT64_C(1) << 20) /* a usual write size of streaming programs */

/* --- defaults and derived settings --- */

/* Sets the defaults of a request that is zeroed except for its targets and files. */
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
    options_make_blocks(settings);
}

/* The default sizes for each kind of target. */
static const struct scan {
    uint64_t min_bytes, max_bytes, factor;
} scan_files = {512, UINT64_C(4) << 20, 2}, scan_objects = {4096, UINT64_C(64) << 20, 4},
  scan_classic = {2, UINT64_C(64) << 10, 2};

static const struct scan *scan_for(const struct request *request)
{
    const struct settings *settings = &request->settings;
    bool objects = true;

    for (unsigned i = 0; i < settings->target_count; i++)
        objects = objects && storage_driver_for(settings->targets[i])->family;
    return request->format == FORMAT_CLASSIC ? &scan_classic
           : objects                         ? &scan_objects
                                             : &scan_files;
}

/* A minimum above the default maximum is also the maximum; a maximum below the default minimum
 * starts the range at 2 bytes as in io_profile. No size exceeds the files to be created. */
static void settle_sizes(struct request *request)
{
    struct settings *settings = &request->settings;
    const struct scan *scan = scan_for(request);
    uint64_t min_bytes = scan->min_bytes, max_bytes = scan->max_bytes;

    settings->scan_given = settings->min_bytes || settings->max_bytes || settings->factor;
    if (scan == &scan_files && max_bytes > settings->file_bytes)
        max_bytes = settings->file_bytes;
    if (!settings->factor)
        settings->factor = scan->factor;
    if (!settings->max_bytes)
        settings->max_bytes = max_bytes > settings->min_bytes ? max_bytes : settings->min_bytes;
    if (!settings->min_bytes && settings->max_bytes < min_bytes)
        min_bytes = settings->max_bytes > 1 ? scan_classic.min_bytes : 1;
    if (!settings->min_bytes)
        settings->min_bytes = min_bytes;
}

/* Applies the defaults of io_profile: 1000 repetitions through libc, if possible. */
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

/* Test fill uses one file and measures the storage; a small file is written by one operation. */
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
    if (settings_usual_sizes(settings))
        settings->min_bytes = settings->max_bytes =
            settings->file_bytes < FILL_DEFAULT_BYTES ? settings->file_bytes : FILL_DEFAULT_BYTES;
}

/* If no engine is given, chooses one that supports several operations in flight. */
static void settle_engine(struct request *request)
{
    struct settings *settings = &request->settings;
    const struct engine *engine;
    bool files = true, deep = false;

    for (unsigned i = 0; i < settings->target_count; i++)
        files = files && storage_driver_for(settings->targets[i])->capabilities & TARGET_FILES;
    for (size_t i = 0; i < settings->depths.count; i++)
        deep = deep || settings->depths.value[i] > 1;
    if (!files || !deep || settings->engine_count)
        return;
    /* options_engine tries each */
    engine = options_engine(OPTIONS_ENGINE_ASYNC, strlen(OPTIONS_ENGINE_ASYNC));
    if (!engine)
        return;
    settings->engines[settings->engine_count++] = engine;
    settings->engine_for_depth = true;
}

/* Without --format, the extension of the output's name decides, or else the reader: a terminal gets
 * the table with its verdict. */
static enum format choose_format(const struct request *request)
{
    const char *ending = options_ending(request->output);

    if (strcmp(ending, ".json") == 0)
        return FORMAT_JSON;
    if (request->output)
        return FORMAT_CSV;
    return color_terminal(STDOUT_FILENO) || (request->brief && !request->columns) ? FORMAT_TABLE
                                                                                  : FORMAT_CSV;
}

/* A single target without storage, for engines that move no data. */
static const char *const *find_nowhere(void)
{
    const struct storage_driver *const *d = storage_driver_table;

    while (!((*d)->capabilities & TARGET_VIRTUAL))
        d++;
    return &(*d)->scheme;
}

static const char *const here[] = {"."};

static void settle_request(struct request *request)
{
    struct settings *settings = &request->settings;
    bool all_virtual = settings->engine_count > 0;

    for (unsigned i = 0; i < settings->engine_count; i++)
        all_virtual = all_virtual && (settings->engines[i]->capabilities & ENGINE_VIRTUAL);
    if (!settings->target_count) {
        settings->targets = all_virtual ? find_nowhere() : here;
        settings->target_count = 1;
    }
    settings->keep = settings->keep || settings->reuse; /* a kept run remains kept */
    if (settings->existing && !request->tests_given)
        settings->tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    if (!request->seed_given)
        settings->seed = os_random_number() >> 32; /* short enough to be typed again */
    if (request->series && !settings->interval_ns)
        settings->interval_ns = SERIES_DEFAULT_NS;
    if (request->output &&
        (strcmp(request->output, "-") == 0 || outfile_is_stdout(request->output)))
        request->output = NULL;
    if (!request->format_given)
        request->format = choose_format(request);
    settle_sizes(request);
    settle_fill(request);
    settle_engine(request);
    if (request->decimal == ',' && !request->separator_given)
        request->separator = ';';
    if (request->format == FORMAT_CLASSIC)
        settle_classic(request);
}

/* Refuses a missing target, which may be a mistyped word. */
static int refuse_missing(const char *target, struct error *err)
{
    const char *address = strstr(target, "://");
    char text[WORDS_TEXT];
    struct stat st;

    if (!(storage_driver_for(target)->capabilities & TARGET_FILES) || lstat(target, &st) == 0 ||
        errno != ENOENT || !words_hint_target(target, text)[0])
        return 0;
    if (address && strchr(address, '@')) /* not shown: may contain a password */
        return error_refuse(err, STATUS_USAGE, "a target with a name or a password in it", NULL,
                            "leave them out: credentials come from the environment");
    error_refuse(err, STATUS_USAGE, "cannot use", target, "%s", text);
    return error_explain(err, "it does not exist");
}

/* Reads option files; all other operands are targets. */
static int take_operands(const struct said *said, const char *program, struct request *request,
                         struct error *err)
{
    struct settings *settings = &request->settings;
    const char *const *operands = said->operand;
    const unsigned count = said->operand_count;

    request->targets = mem_calloc(count + 1, sizeof(*request->targets));
    request->files = mem_calloc(count + 1, sizeof(*request->files));
    settings->targets = request->targets;
    settings->files = request->files;
    if (said_typed(said, "quick") &&
        optionfile_read("@quick", true, program, &request->files[settings->file_count++], err) < 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        if (!operands[i][0])
            return error_refuse(err, STATUS_USAGE, "empty target", NULL,
                                "iosweep help targets shows what can be one");
        if (operands[i][0] != '@') {
            if (refuse_missing(operands[i], err) < 0)
                return -1;
            request->targets[settings->target_count++] = operands[i];
        } else if (optionfile_read(operands[i], false, program,
                                   &request->files[settings->file_count++], err) < 0) {
            return -1;
        }
    }
    return 0;
}

/* ---- options become settings ---- */

static void free_settings(struct settings *settings)
{
    options_free_blocks(settings);
    for (const struct option_row *row = options_table; row->name; row++)
        if (row->type == OPTION_SIZE_LIST || row->type == OPTION_COUNT_LIST)
            units_list_free((struct units_list *)(void *)((char *)settings + row->offset));
}

/* -r on the command line: keeps only the reading tests of a file. */
static void keep_reads(const struct said *said, struct settings *settings)
{
    unsigned kept = 0;

    if (!said_typed(said, "read-existing") || said_typed(said, "tests"))
        return;
    for (unsigned i = 0; i < settings->tests.count; i++)
        if (!test_changes(settings->tests.step[i].test))
            settings->tests.step[kept++] = settings->tests.step[i];
    settings->tests.count = kept;
}

/* -n and --time on the command line apply to all steps and override those of a file. */
static void drop_stops(const struct said *said, struct settings *settings)
{
    if (said_typed(said, "tests") ||
        (!said_typed(said, "repetitions") && !said_typed(said, "time")))
        return;
    for (unsigned i = 0; i < settings->tests.count; i++)
        settings->tests.step[i].stops = false;
}

/* Fills the request for a part, without checks. Only its targets and files are set before. */
static int fill_request(struct request *request, const char *program, const struct said *said,
                        unsigned part, char **unused, struct error *err)
{
    set_defaults(request, program);
    if (said_apply(said, part, request, unused, err) < 0)
        return -1;
    settle_request(request);
    keep_reads(said, &request->settings);
    drop_stops(said, &request->settings);
    return 0;
}

/* Makes the settings of all parts, without those in which no test is left. */
static int make_settings(struct request *request, const char *program, const struct said *said,
                         struct error *err)
{
    struct request blank;
    struct settings **next = NULL;
    char *unused = NULL;
    int result = 0;

    /* engines of one part do not choose the target of all */
    if (said->parts && !request->settings.target_count && !said_typed(said, "engine")) {
        request->settings.targets = here;
        request->settings.target_count = 1;
    }
    blank = *request; /* with targets and files */
    for (unsigned part = said->parts ? 1 : 0; part <= said->parts && result == 0; part++) {
        struct request further = blank, *own = next ? &further : request;
        result = fill_request(own, program, said, part, &unused, err);
        if (result == 0 && !own->settings.tests.count) {
            free_settings(&own->settings);
            *own = blank;
            continue;
        }
        if (next)
            *next = memcpy(mem_calloc(1, sizeof(**next)), &own->settings, sizeof(**next));
        next = next ? &(*next)->next : &request->settings.next;
        blank.settings.targets = own->settings.targets; /* all parts have the same */
        blank.settings.target_count = own->settings.target_count;
    }
    request->settings.unused = request->unused = unused;
    if (result == 0 && !next)
        return error_refuse(err, STATUS_USAGE, "no test in the option file only reads", NULL,
                            "leave out --read-existing (-r), or add --tests read");
    return result;
}

/* ---- all of it ---- */

/* The word after --help; NULL if it is a target to which the user added --help. */
static const char *topic_of(const struct said *said)
{
    const char *given = said->ended->word, *word = said->next;
    struct stat st;

    if (given)
        return given[0] ? given : NULL;
    if (!word || word[0] == '-' || !word[0])
        return NULL;
    if (!help_knows(word) && (strpbrk(word, "@:/.") || stat(word, &st) == 0))
        return NULL;
    return word;
}

static int make_request(struct parser *parser, int argc, char **argv, struct said *said,
                        struct request *request, struct error *err)
{
    const char *program = argc > 0 && argv[0] ? argv[0] : "iosweep";

    request->command_line = said_repeat(argc, argv, said);
    said->typed = said->count;
    if (take_operands(said, program, request, err) < 0 ||
        said_take_files(parser, request->files, request->settings.file_count, said, err) < 0)
        return -1;
    return make_settings(request, program, said, err) < 0 ? -1 : options_check(request, said, err);
}

int options_parse(int argc, char **argv, struct request *request, struct error *err)
{
    struct parser parser = {.help = "iosweep --help all lists all options"};
    struct said said = {.count = 0};
    int result;

    memset(request, 0, sizeof(*request));
    for (const struct options_table *table = options_tables(); table->rows; table++)
        parser_add(&parser, table);
    result = parser_take(&parser, argc, argv, &said, err);
    if (result == 0 && said.ended) {
        request->command =
            strcmp(said.ended->row->name, "help") == 0 ? COMMAND_HELP : COMMAND_VERSION;
        request->topic = request->command == COMMAND_HELP ? topic_of(&said) : NULL;
    } else if (result == 0) {
        result = make_request(&parser, argc, argv, &said, request, err);
        /* tests of a file write where permitted */
        request->tests_given = said_typed(&said, "tests");
    }
    parser_free(&parser);
    said_free(&said);
    return result;
}

void options_free(struct request *request)
{
    struct settings *settings = &request->settings;

    for (unsigned i = 0; i < settings->file_count; i++)
        optionfile_free(&request->files[i]);
    while (settings->next) {
        struct settings *part = settings->next;
        settings->next = part->next;
        free_settings(part);
        free(part);
    }
    free(request->files);
    free(request->targets);
    free(request->unused);
    free(request->targets_label);
    free(request->command_line);
    free_settings(settings);
}
