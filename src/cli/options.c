/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - the table of options. A row defines an option completely: a new option is a new row
 * and a line in the man page; completions are generated from the rows. */
#include "base/compat.h"

#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/color.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/payload.h"
#include "run/plan.h"
#include "run/series.h"

#define FIELD(member)   offsetof(struct request, member)
#define SETTING(member) offsetof(struct request, settings.member)
/* A setting that results store under the name of its field. */
#define SAVED(field)  .offset = SETTING(field), .member = #field
#define GIVEN(member) OPTION_GIVEN(struct request, member)
#define DEPTH_MAX     4096

static const char *const small_words[] = {"cover", "skip", NULL};
static const char *const share_words[] = {"none", "all", "shift", NULL}; /* enum team_share */

/* -b: --cache direct, as in io_profile. */
static int call_bypass(void *block, const char *word, struct error *err)
{
    struct request *request = block;
    (void)word;
    (void)err;
    request->settings.caches = (struct option_choices){.count = 1, .index = {CACHE_DIRECT}};
    return 0;
}

#define ENGINE_NAME 64 /* no engine has a longer name */

const struct engine *options_engine(const char *word, size_t length)
{
    const struct engine *found = NULL;
    char name[ENGINE_NAME];

    snprintf(name, sizeof(name), "%.*s", (int)length, word);
    if (strcmp(name, OPTIONS_ENGINE_ASYNC) != 0)
        return engine_find(name);
    for (const struct engine *const *e = engine_table; *e; e++) { /* the newest */
        struct error why = ERROR_INIT;
        if ((*e)->async && !(*e)->driver && !((*e)->capabilities & ENGINE_VIRTUAL) &&
            (!(*e)->available || (*e)->available(NULL, &why) == 0))
            found = *e;
    }
    return found;
}

static int refuse_engine(const char *name, struct error *err)
{
    if (strcmp(name, OPTIONS_ENGINE_ASYNC) == 0)
        return error_refuse(err, STATUS_USAGE,
                            "no engine here runs several operations at a time:", name,
                            "iosweep help engines says why; --threads runs more in parallel");
    return error_refuse(err, STATUS_USAGE, "no such engine in this build:", name,
                        "iosweep help engines lists them");
}

static int call_engines(void *block, const char *list, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;
    const char *word;
    size_t length;

    settings->engine_count = 0;
    for (const char *at = list; text_word(&at, ",", &word, &length);) {
        const struct engine *engine = options_engine(word, length);
        char name[ENGINE_NAME];

        snprintf(name, sizeof(name), "%.*s", (int)length, word);
        if (!engine)
            return refuse_engine(name, err);
        for (unsigned i = 0; i < settings->engine_count; i++)
            if (settings->engines[i] == engine)
                return error_refuse(err, STATUS_USAGE, "given twice in the list:", name,
                                    "give each engine once");
        if (settings->engine_count < SETTINGS_ENGINES_MAX)
            settings->engines[settings->engine_count++] = engine;
    }
    return 0;
}

/* --rounds MIN,MAX or one number for both. */
static int call_rounds(void *block, const char *word, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;
    const size_t length = strcspn(word, ",");
    char low[32];
    uint64_t min, max;

    snprintf(low, sizeof(low), "%.*s", (int)length, word);
    if (units_parse_count(low, 1, 1000000, &min, err) < 0)
        return -1;
    max = min;
    if (word[length] && units_parse_count(word + length + 1, 1, 1000000, &max, err) < 0)
        return -1;
    if (max < min)
        return error_refuse(err, STATUS_USAGE, "the maximum of rounds is below the minimum:", word,
                            "write --rounds MIN,MAX");
    settings->rounds_min = min;
    settings->rounds_max = max;
    return 0;
}

static int call_run_name(void *block, const char *word, struct error *err)
{
    ((struct request *)block)->settings.run_name = word;
    if (target_run_name_valid(word))
        return 0;
    return error_refuse(err, STATUS_USAGE, "not a valid run name:", word,
                        "use 1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
}

static int call_reuse(void *block, const char *word, struct error *err)
{
    ((struct request *)block)->settings.reuse = true;
    return call_run_name(block, word, err);
}

_Static_assert(offsetof(struct request, settings) == 0, "rows of settings are read as such");

/* clang-format off */
const struct option_row options_table[] = {
    {.name = "quick", .type = OPTION_FLAG, .offset = FIELD(quick),
     .help = "device and memory in ten seconds: a verdict", .group = "Sweep",
     .scope = OPTION_TYPED},
    {.name = "tests", .argument = "LIST", .type = OPTION_CALL, .offset = SETTING(tests),
     .given_offset = GIVEN(tests_given), .choices = test_names, .call = steps_parse,
     .fallback = "write,read", .help = "steps: write, read, create, stat ...", .group = "Sweep",
     .scope = OPTION_PART},
    {.name = "loops", .argument = "N", .type = OPTION_COUNT, SAVED(loops), .min = 1, .max = 10000,
     .fallback = "1", .help = "run all of --tests N times", .group = "Sweep", .sparse = true},
    {.name = "repeat", .argument = "N", .type = OPTION_COUNT, SAVED(repeats), .min = 1,
     .max = 10000, .fallback = "1", .help = "measure each row N times", .group = "Sweep",
     .sparse = true},
    {.name = "cache", .argument = "LIST", .type = OPTION_CHOICES, SAVED(caches),
     .given_offset = GIVEN(cache_given), .choices = cache_names, .fallback = "cached,device",
     .needs = TARGET_CACHED, .help = "state of the page cache", .group = "Sweep",
     .scope = OPTION_PART},
    {.name = "bypass-cache", .letter = 'b', .type = OPTION_CALL, .given_offset = GIVEN(cache_given),
     .call = call_bypass, .needs = TARGET_CACHED, .help = "same as --cache direct (O_DIRECT)",
     .group = "Sweep", .scope = OPTION_PART},
    {.name = "threads", .argument = "LIST", .type = OPTION_COUNT_LIST, SAVED(threads), .min = 1,
     .max = 4096, .fallback = "1", .help = "threads, such as 4 or 1..16", .group = "Sweep",
     .scope = OPTION_PART},
    {.name = "depth", .argument = "LIST", .type = OPTION_COUNT_LIST, SAVED(depths), .min = 1,
     .max = DEPTH_MAX, .fallback = "1", .help = "operations in flight per thread, such as 1..64",
     .group = "Sweep", .scope = OPTION_PART},
    {.name = "access", .argument = "LIST", .type = OPTION_CHOICES, SAVED(accesses),
     .given_offset = GIVEN(settings.accesses_given), .choices = access_names, .fallback = "random",
     .help = "access order: random, sequential, once", .group = "Sweep", .scope = OPTION_PART},
    {.name = "mix", .argument = "LIST", .type = OPTION_COUNT_LIST, SAVED(mixes), .max = 100,
     .help = "mix reads and writes: percent of reads, e.g. 70", .group = "Sweep",
     .scope = OPTION_PART},
    {.name = "sizes", .argument = "LIST", .type = OPTION_SIZE_LIST, SAVED(sizes),
     .help = "these sizes: 512,4k,1M or 4k..1M, or full", .group = "Sweep",
     .scope = OPTION_PART, .replaces = "min-size, max-size, factor"},
    {.name = "min-size", .letter = 'm', .argument = "SIZE", .type = OPTION_SIZE,
     .offset = SETTING(min_bytes), .min = 1, .help = "smallest I/O size [512; objects: 4Ki]",
     .group = "Sweep", .scope = OPTION_PART, .replaces = "sizes"},
    {.name = "max-size", .letter = 'M', .argument = "SIZE", .type = OPTION_SIZE,
     .offset = SETTING(max_bytes), .min = 1, .help = "largest I/O size [4Mi; objects: 64Mi]",
     .group = "Sweep", .scope = OPTION_PART, .replaces = "sizes"},
    {.name = "factor", .argument = "N", .type = OPTION_COUNT, .offset = SETTING(factor), .min = 2,
     .max = 1 << 20, .help = "ratio of one size to the next [2; objects: 4]", .group = "Sweep",
     .scope = OPTION_PART, .replaces = "sizes"},
    {.name = "engine", .argument = "LIST", .type = OPTION_CALL, .call = call_engines,
     .help = "I/O engines, see iosweep help engines [posix]", .group = "Sweep",
     .scope = OPTION_PART},

    {.name = "read-existing", .letter = 'r', .type = OPTION_FLAG, SAVED(existing),
     .help = "only read existing files, change nothing", .group = "Work",
     .replaces = "single-file, levels, width, file-size, keep"},
    {.name = "single-file", .letter = 's', .type = OPTION_FLAG, SAVED(single_file),
     .needs = TARGET_SHAPED, .help = "one test file instead of a tree", .group = "Work",
     .replaces = "levels, width"},
    {.name = "levels", .argument = "N", .type = OPTION_COUNT, SAVED(levels),
     .given_offset = GIVEN(tree_given), .min = 1, .max = 32, .fallback = "3",
     .needs = TARGET_FILES, .of_making = true, .help = "levels in the tree of test files",
     .group = "Work", .replaces = "single-file"},
    {.name = "width", .argument = "N", .type = OPTION_COUNT, SAVED(width),
     .given_offset = GIVEN(tree_given), .min = 1, .max = 1000000, .fallback = "4",
     .needs = TARGET_FILES, .of_making = true, .help = "subdirectories, or files, per directory",
     .group = "Work", .replaces = "single-file"},
    {.name = "file-size", .letter = 'l', .argument = "SIZE", .type = OPTION_SIZE, SAVED(file_bytes),
     .given_offset = GIVEN(length_given), .min = 1, .fallback = "4Mi", .needs = TARGET_SHAPED,
     .help = "length of test files; -r: bytes used of each", .group = "Work"},
    {.name = "small", .argument = "HOW", .type = OPTION_CHOICE, SAVED(small),
     .choices = small_words, .fallback = "cover", .needs = TARGET_CACHED,
     .help = "sizes too small for O_DIRECT: cover, skip", .group = "Work"},
    {.name = "sync", .argument = "WHEN", .type = OPTION_CHOICE, SAVED(sync), .choices = sync_names,
     .fallback = "none", .needs = TARGET_OPENED, .help = "durable writes: none, data, full, end",
     .group = "Work"},
    {.name = "readahead", .argument = "HOW", .type = OPTION_CHOICE, SAVED(readahead),
     .given_offset = GIVEN(settings.readahead_given), .choices = readahead_names,
     .needs = TARGET_FILES, .help = "read-ahead: normal, none, sequential, willneed",
     .group = "Work"},
    {.name = "fill-step", .argument = "SIZE", .type = OPTION_SIZE, SAVED(fill_step_bytes), .min = 1,
     .help = "test fill: bytes per row [1/64 of the total]", .group = "Work"},
    {.name = "keep-open", .type = OPTION_FLAG, SAVED(keep_open), .needs = TARGET_OPENED,
     .help = "open files once, not in each cycle", .group = "Work"},
    {.name = "payload", .argument = "WHAT", .type = OPTION_CHOICE, SAVED(payload),
     .choices = payload_names, .fallback = "random", .help = "data to write: random, zero, repeat",
     .group = "Work"},
    {.name = "pin", .type = OPTION_FLAG, SAVED(pin),
     .help = "pin each thread to its own processor", .group = "Work"},
    {.name = "verify", .type = OPTION_FLAG, SAVED(verify),
     .help = "verify data read, and read back data written", .group = "Work"},
    {.name = "rate", .argument = "N", .type = OPTION_COUNT, SAVED(rate), .min = 1,
     .max = 1000000000, .help = "start N operations per second (open loop)", .group = "Work"},
    {.name = "align", .argument = "SIZE", .type = OPTION_SIZE, SAVED(align_bytes), .min = 1,
     .max = 1 << 30, .help = "align offsets to SIZE [I/O size, at most 4Ki]", .group = "Work"},
    {.name = "call-size", .argument = "SIZE", .type = OPTION_SIZE, SAVED(call_bytes),
     .given_offset = GIVEN(settings.call_given), .max = PLAN_IO_BYTES_MAX,
     .needs = TARGET_OPENED, .typed_anyway = true, /* of test append of others */
     .help = "split each I/O into calls of SIZE [append: 64Ki]", .group = "Work"},
    {.name = "seed", .argument = "N", .type = OPTION_COUNT, .offset = SETTING(seed),
     .given_offset = GIVEN(seed_given), .help = "same seed, same offsets [random]",
     .group = "Work"},

    {.name = "run-name", .argument = "NAME", .type = OPTION_CALL,
     .given_offset = GIVEN(run_name_given), .call = call_run_name,
     .help = "name of this run; -r: of the kept run to read", .group = "Runs"},
    {.name = "keep", .type = OPTION_FLAG, .offset = SETTING(keep),
     .given_offset = GIVEN(keep_given), .help = "leave the test files in place", .group = "Runs"},
    {.name = "reuse", .argument = "NAME", .type = OPTION_CALL, .call = call_reuse,
     .help = "overwrite the files of a kept run", .group = "Runs"},
    {.name = "replace", .type = OPTION_FLAG, .offset = SETTING(replace),
     .help = "first remove the remains of a run of that name", .group = "Runs"},

    {.name = "repetitions", .letter = 'n', .argument = "N", .type = OPTION_COUNT,
     SAVED(repetitions), .given_offset = GIVEN(repetitions_given), .call = stops_parse_repetitions,
     .help = "operations per row, or N/thread [until precise]", .group = "Stop",
     .replaces = "time"},
    {.name = "precision", .argument = "PERCENT", .type = OPTION_PERCENT, SAVED(precision),
     .fallback = "2.5%", .help = "required precision of a row's mean", .group = "Stop"},
    {.name = "time", .argument = "TIME", .type = OPTION_DURATION, SAVED(cell_time_ns),
     .help = "measure each row for this long", .group = "Stop", .replaces = "repetitions"},
    {.name = "max-time", .argument = "TIME", .type = OPTION_DURATION, SAVED(max_time_ns),
     .help = "end the run in TIME, setup included [no limit]", .group = "Stop"},
    {.name = "rounds", .argument = "MIN,MAX", .type = OPTION_RANGE, .offset = SETTING(rounds_min),
     .call = call_rounds, .fallback = "11,39", .help = "rounds per row", .group = "Stop",
     .member = "rounds"},
    {.name = "max-errors", .argument = "LIST", .type = OPTION_COUNT, SAVED(max_errors),
     .call = stops_parse_errors, .fallback = "100",
     .help = "failed operations allowed: N, N/step, P%", .group = "Stop"},
    {.name = "allow-short", .type = OPTION_FLAG, SAVED(allow_short),
     .help = "do not count short operations as failed", .group = "Stop"},

    {.name = "output", .letter = 'o', .argument = "FILE", .type = OPTION_STRING,
     .offset = FIELD(output), .help = "write results to FILE [standard output]", .group = "Output"},
    {.name = "format", .argument = "NAME", .type = OPTION_CHOICE, .offset = FIELD(format),
     .given_offset = GIVEN(format_given), .choices = format_names,
     .help = "table, csv, json, classic", .group = "Output"},
    {.name = "columns", .argument = "LIST", .type = OPTION_STRING, .offset = FIELD(columns),
     .help = "columns or groups, see iosweep help columns", .group = "Output"},
    {.name = "separator", .argument = "C", .type = OPTION_CHAR, .offset = FIELD(separator),
     .given_offset = GIVEN(separator_given), .fallback = ",", .help = "field separator of csv",
     .group = "Output"},
    {.name = "decimal", .argument = "C", .type = OPTION_CHAR, .offset = FIELD(decimal),
     .fallback = ".", .help = "decimal mark of csv", .group = "Output"},
    {.name = "label", .argument = "TEXT", .type = OPTION_STRING, .offset = FIELD(label),
     .help = "put TEXT into the column label", .group = "Output"},
    {.name = "interval", .argument = "TIME", .type = OPTION_DURATION,
     .offset = SETTING(interval_ns), .min = SERIES_LEAST_NS,
     .help = "write a time-series record every TIME", .group = "Output"},
    {.name = "series", .argument = "FILE", .type = OPTION_STRING, .offset = FIELD(series),
     .help = "write these records to FILE [standard error]", .group = "Output"},
    {.name = "brief", .type = OPTION_FLAG, .offset = FIELD(brief),
     .help = "the verdict in place of facts and findings", .group = "Output"},
    {.name = "color", .argument = "WHEN", .type = OPTION_CHOICE, .offset = FIELD(color),
     .choices = color_words, .fallback = "auto",
     .help = "colour: auto (on a terminal), always, never", .group = "Output"},
    {.name = "quiet", .type = OPTION_FLAG, .offset = FIELD(quiet),
     .help = "only errors on standard error", .group = "Output", .replaces = "verbose"},
    {.name = "verbose", .type = OPTION_FLAG, .offset = FIELD(verbose),
     .help = "report each step and all facts on standard error", .group = "Output",
     .replaces = "quiet"},

    {.name = "overwrite", .type = OPTION_FLAG, .offset = SETTING(overwrite),
     .help = "overwrite the file TARGET: its data are lost", .group = "Safety",
     .needs = TARGET_FILES, .scope = OPTION_TYPED},
    {.name = "destroy-data", .type = OPTION_FLAG, .offset = SETTING(destroy_data),
     .help = "write to the device TARGET: its data are lost", .group = "Safety",
     .needs = TARGET_FILES, .scope = OPTION_TYPED},
    {.name = "dry-run", .type = OPTION_FLAG, .offset = SETTING(dry_run),
     .help = "show what would be done; touch nothing", .group = "Safety"},

    {.name = "help", .letter = 'h', .argument = "[TOPIC]", .type = OPTION_STRING,
     .offset = FIELD(topic), .help = "print help, or help on TOPIC",
     .group = "Information", .scope = OPTION_TYPED},
    {.name = "version", .letter = 'v', .type = OPTION_FLAG, .help = "print version and features",
     .group = "Information", .scope = OPTION_TYPED},
    {.name = NULL},
};

const struct option_row options_team_table[] = {
    {.name = "share", .argument = "HOW", .type = OPTION_CHOICE, .offset = SETTING(share),
     .choices = share_words, .fallback = "none",
     .help = "files of the ranks: none (own), all, shift", .group = "Teams"},
    {.name = "hosts-per-target", .argument = "N", .type = OPTION_COUNT,
     .offset = SETTING(hosts_per_target), .min = 1, .max = 1000000,
     .help = "N hosts use each target [all ranks use all]", .group = "Teams"},
    {.name = "rank-timeout", .argument = "TIME", .type = OPTION_DURATION,
     .offset = SETTING(rank_timeout_ns), .min = NS_PER_S, .fallback = "60s",
     .help = "a rank silent for so long is lost", .group = "Teams"},
    {.name = NULL},
};
/* clang-format on */
