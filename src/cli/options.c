/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - the table of options.  Its rows are all there is to an option: a new one is a new row
 * and a line in the man page; completions are made from the rows. */
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
#include "cli/command.h"
#include "cli/hint.h"
#include "cli/options_check.h"
#include "cli/parser.h"
#include "cli/steps.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/payload.h"
#include "run/plan.h"
#include "run/series.h"

#define FIELD(member)   offsetof(struct request, member)
#define SETTING(member) offsetof(struct request, settings.member)
#define FILE_BYTES_MAX  (UINT64_C(1) << 60)
#define DEPTH_MAX       4096

static const char *const small_words[] = {"cover", "skip", NULL};
static const char *const share_words[] = {"none", "all", "shift", NULL}; /* enum team_share */
static const char *const format_words[] = {"table", "csv", "json", "classic", NULL};

/* -b: the one word io_profile had for --cache direct. */
static int call_bypass(void *block, const char *word, struct error *err)
{
    struct request *request = block;
    (void)word;
    (void)err;
    request->settings.caches = (struct option_choices){.count = 1, .index = {CACHE_DIRECT}};
    return 0;
}

const struct engine *options_engine(const char *name)
{
    const struct engine *found = NULL;

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
    const char *meant = hint_engine(name);

    if (strcmp(name, OPTIONS_ENGINE_ASYNC) == 0)
        return error_refuse(err, STATUS_USAGE,
                            "no engine here runs several operations at a time:", name,
                            "iosweep help engines says why; --threads runs more in parallel");
    error_set(err, STATUS_USAGE, 0, "no such engine in this build:", name);
    if (meant)
        return error_advise(err, "did you mean %s", meant);
    return error_advise(err, "iosweep help engines lists them");
}

static int call_engines(void *block, const char *word, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;

    settings->engine_count = 0;
    for (;;) {
        const size_t length = strcspn(word, ",");
        char name[64];
        const struct engine *engine;
        snprintf(name, sizeof(name), "%.*s", (int)(length < 63 ? length : 63), word);
        engine = options_engine(name);
        if (!engine)
            return refuse_engine(name, err);
        for (unsigned i = 0; i < settings->engine_count; i++)
            if (settings->engines[i] == engine)
                return error_refuse(err, STATUS_USAGE, "given twice in the list:", name,
                                    "give each engine once");
        if (settings->engine_count < SETTINGS_ENGINES_MAX)
            settings->engines[settings->engine_count++] = engine;
        if (!word[length])
            return 0;
        word += length + 1;
    }
}

/* --rounds MIN,MAX or one number for both. */
static int call_rounds(void *block, const char *word, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;
    const char *comma = strchr(word, ',');
    char low[32];
    uint64_t min, max;

    if ((comma ? (size_t)(comma - word) : strlen(word)) >= sizeof(low))
        return error_refuse(err, STATUS_USAGE, "not a valid number of rounds:", word,
                            "write --rounds MIN,MAX");
    snprintf(low, sizeof(low), "%.*s", comma ? (int)(comma - word) : (int)strlen(word), word);
    if (strpbrk(low, "-.:"))
        return error_refuse(err, STATUS_USAGE, "not a valid number of rounds:", word,
                            "write --rounds MIN,MAX");
    if (units_parse_count(low, 1, 1000000, &min, err) < 0)
        return -1;
    max = min;
    if (comma && units_parse_count(comma + 1, 1, 1000000, &max, err) < 0)
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
    return error_refuse(err, STATUS_USAGE, "not a valid run name:", word[0] ? word : "nothing",
                        "use 1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
}

static int call_reuse(void *block, const char *word, struct error *err)
{
    ((struct request *)block)->settings.reuse = true;
    return call_run_name(block, word, err);
}

static int call_interval(void *block, const char *word, struct error *err)
{
    struct settings *settings = &((struct request *)block)->settings;

    if (units_parse_duration(word, &settings->interval_ns, err) < 0)
        return -1;
    if (settings->interval_ns >= SERIES_LEAST_NS)
        return 0;
    return error_refuse(err, STATUS_USAGE, "the interval is too short:", word, "use 10ms or more");
}

_Static_assert(offsetof(struct request, settings) == 0, "rows of settings are read as such");

/* clang-format off */
const struct option_row options_table[] = {
    {0, "quick", NULL, OPTION_FLAG, FIELD(quick), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "device and memory in ten seconds: a verdict", "Sweep", NULL, 0},
    {0, "tests", "LIST", OPTION_CALL, SETTING(tests), FIELD(tests_given), 0, 0, test_names,
     steps_parse,
     "write,read", "steps: write, read, create, stat ...", "Sweep", "tests", 0},
    {0, "loops", "N", OPTION_COUNT, SETTING(loops), OPTION_NONE, 1, 10000, NULL, NULL,
     "1", "run all of --tests N times", "Sweep", "loops", 0},
    {0, "repeat", "N", OPTION_COUNT, SETTING(repeats), OPTION_NONE, 1, 10000, NULL, NULL,
     "1", "measure each row N times", "Sweep", "repeats", 0},
    {0, "cache", "LIST", OPTION_CHOICES, SETTING(caches), FIELD(cache_given), 0, 0, cache_names,
     NULL,
     "cached,device", "state of the page cache", "Sweep", "caches", TARGET_CACHED},
    {'b', "bypass-cache", NULL, OPTION_CALL, 0, FIELD(cache_given), 0, 0, NULL, call_bypass,
     NULL, "same as --cache direct (O_DIRECT)", "Sweep", NULL, 0},
    {0, "threads", "LIST", OPTION_COUNT_LIST, SETTING(threads), OPTION_NONE, 1, 4096, NULL, NULL,
     "1", "threads, such as 4 or 1..16", "Sweep", "threads", 0},
    {0, "depth", "LIST", OPTION_COUNT_LIST, SETTING(depths), OPTION_NONE, 1, DEPTH_MAX, NULL, NULL,
     "1", "operations in flight per thread, such as 1..64", "Sweep", "depths", 0},
    {0, "access", "LIST", OPTION_CHOICES, SETTING(accesses), SETTING(accesses_given), 0, 0,
     access_names, NULL,
     "random", "access order: random, sequential, once", "Sweep", "accesses", 0},
    {0, "mix", "LIST", OPTION_COUNT_LIST, SETTING(mixes), OPTION_NONE, 0, 100, NULL, NULL,
     NULL, "mix reads and writes: percent of reads, e.g. 70", "Sweep", "mixes", 0},
    {0, "sizes", "LIST", OPTION_SIZE_LIST, SETTING(sizes), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "these sizes: 512,4k,1M or 4k..1M, or full", "Sweep", "sizes", 0},
    {'m', "min-size", "SIZE", OPTION_SIZE, SETTING(min_bytes), FIELD(scan_given), 1, FILE_BYTES_MAX,
     NULL, NULL,
     "2", "smallest I/O size", "Sweep", "min_bytes", 0},
    {'M', "max-size", "SIZE", OPTION_SIZE, SETTING(max_bytes), FIELD(scan_given), 1, FILE_BYTES_MAX,
     NULL, NULL,
     "64Ki", "largest I/O size", "Sweep", "max_bytes", 0},
    {0, "factor", "N", OPTION_COUNT, SETTING(factor), FIELD(scan_given), 2, 1 << 20, NULL, NULL,
     "2", "ratio between one size and the next", "Sweep", "factor", 0},
    {0, "engine", "LIST", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_engines,
     NULL, "I/O engines, see iosweep help engines [posix]", "Sweep", "engines", 0},

    {'r', "read-existing", NULL, OPTION_FLAG, SETTING(existing), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only read existing files, change nothing", "Work", "existing", 0},
    {'s', "single-file", NULL, OPTION_FLAG, SETTING(single_file), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "one test file instead of a tree", "Work", "single_file", TARGET_SHAPED},
    {0, "levels", "N", OPTION_COUNT, SETTING(levels), FIELD(tree_given), 1, 32, NULL, NULL,
     "3", "levels in the tree of test files", "Work", "levels", TARGET_SHAPED},
    {0, "width", "N", OPTION_COUNT, SETTING(width), FIELD(tree_given), 1, 1000000, NULL, NULL,
     "4", "subdirectories, or files, per directory", "Work", "width", TARGET_SHAPED},
    {'l', "file-size", "SIZE", OPTION_SIZE, SETTING(file_bytes), FIELD(length_given), 1,
     FILE_BYTES_MAX, NULL, NULL,
     "4Mi", "length of test files; -r: bytes used of each", "Work", "file_bytes", TARGET_SHAPED},
    {0, "small", "HOW", OPTION_CHOICE, SETTING(small), OPTION_NONE, 0, 0, small_words, NULL,
     "cover", "sizes too small for O_DIRECT: cover, skip", "Work", "small", TARGET_SHAPED},
    {0, "sync", "WHEN", OPTION_CHOICE, SETTING(sync), OPTION_NONE, 0, 0, sync_names, NULL,
     "none", "durable writes: none, data, full, end", "Work", "sync", TARGET_SHAPED},
    {0, "readahead", "HOW", OPTION_CHOICE, SETTING(readahead), SETTING(readahead_given), 0, 0,
     readahead_names, NULL,
     NULL, "read-ahead: normal, none, sequential, willneed", "Work", "readahead", TARGET_FILES},
    {0, "fill-step", "SIZE", OPTION_SIZE, SETTING(fill_step_bytes), OPTION_NONE, 1, FILE_BYTES_MAX,
     NULL, NULL,
     NULL, "test fill: bytes per row [1/64 of the total]", "Work", "fill_step_bytes", 0},
    {0, "keep-open", NULL, OPTION_FLAG, SETTING(keep_open), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "open files once, not in each cycle", "Work", "keep_open", TARGET_SHAPED},
    {0, "payload", "WHAT", OPTION_CHOICE, SETTING(payload), OPTION_NONE, 0, 0, payload_names, NULL,
     "random", "data to write: random, zero, repeat", "Work", "payload", 0},
    {0, "pin", NULL, OPTION_FLAG, SETTING(pin), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "pin each thread to a processor of its own", "Work", "pin", 0},
    {0, "verify", NULL, OPTION_FLAG, SETTING(verify), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "verify data read, and read back data written", "Work", "verify", 0},
    {0, "rate", "N", OPTION_COUNT, SETTING(rate), OPTION_NONE, 1, 1000000000, NULL, NULL,
     NULL, "start N operations per second (open loop)", "Work", "rate", 0},
    {0, "align", "SIZE", OPTION_SIZE, SETTING(align_bytes), OPTION_NONE, 1, 1 << 30, NULL, NULL,
     NULL, "align offsets to SIZE [I/O size, at most 4Ki]", "Work", "align_bytes", 0},
    {0, "call-size", "SIZE", OPTION_SIZE, SETTING(call_bytes), SETTING(call_given), 0,
     PLAN_IO_BYTES_MAX, NULL, NULL,
     NULL, "split each I/O into calls of SIZE [append: 64Ki]", "Work", "call_bytes", 0},
    {0, "seed", "N", OPTION_COUNT, SETTING(seed), FIELD(seed_given), 0, 0, NULL, NULL,
     NULL, "same seed, same offsets [random]", "Work", NULL, 0},

    {0, "run-name", "NAME", OPTION_CALL, 0, FIELD(run_name_given), 0, 0, NULL, call_run_name,
     NULL, "name of this run; -r: of the kept run to read", "Runs", NULL, 0},
    {0, "keep", NULL, OPTION_FLAG, SETTING(keep), FIELD(keep_given), 0, 0, NULL, NULL,
     NULL, "leave the test files in place", "Runs", NULL, 0},
    {0, "reuse", "NAME", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_reuse,
     NULL, "overwrite what a kept run has left", "Runs", NULL, 0},
    {0, "replace", NULL, OPTION_FLAG, SETTING(replace), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "remove what a run of that name left, then begin", "Runs", NULL, 0},

    {'n', "repetitions", "N", OPTION_COUNT, SETTING(repetitions), FIELD(repetitions_given), 0, 0,
     NULL, stops_parse_repetitions,
     NULL, "operations per row, or N/thread [until precise]", "Stop", "repetitions", 0},
    {0, "precision", "PERCENT", OPTION_PERCENT, SETTING(precision), OPTION_NONE, 0, 0, NULL, NULL,
     "2.5%", "required precision of a row's mean", "Stop", "precision", 0},
    {0, "time", "TIME", OPTION_DURATION, SETTING(cell_time_ns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "measure each row for this long", "Stop", "cell_time_ns", 0},
    {0, "max-time", "TIME", OPTION_DURATION, SETTING(max_time_ns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "end the run, setup included [setup + 1.1s per row]", "Stop", "max_time_ns", 0},
    {0, "rounds", "MIN,MAX", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_rounds,
     "11,39", "rounds per row", "Stop", "rounds", 0},
    {0, "max-errors", "LIST", OPTION_CALL, SETTING(max_errors), OPTION_NONE, 0, 0, NULL,
     stops_parse_errors,
     "100", "failed operations allowed: N, N/step, P%", "Stop", "max_errors", 0},
    {0, "allow-short", NULL, OPTION_FLAG, SETTING(allow_short), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "count short operations apart, not as failed", "Stop", "allow_short", 0},

    {'o', "output", "FILE", OPTION_STRING, FIELD(output), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write results to FILE [standard output]", "Output", NULL, 0},
    {0, "format", "NAME", OPTION_CHOICE, FIELD(format), FIELD(format_given), 0, 0, format_words,
     NULL,
     NULL, "table, csv, json, classic", "Output", NULL, 0},
    {0, "columns", "LIST", OPTION_STRING, FIELD(columns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "columns or groups, see iosweep help columns", "Output", NULL, 0},
    {0, "separator", "C", OPTION_CHAR, FIELD(separator), FIELD(separator_given), 0, 0, NULL, NULL,
     ",", "field separator of csv", "Output", NULL, 0},
    {0, "decimal", "C", OPTION_CHAR, FIELD(decimal), OPTION_NONE, 0, 0, NULL, NULL,
     ".", "decimal mark of csv", "Output", NULL, 0},
    {0, "label", "TEXT", OPTION_STRING, FIELD(label), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "put TEXT into the column label", "Output", NULL, 0},
    {0, "interval", "TIME", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_interval,
     NULL, "record what was done every TIME", "Output", NULL, 0},
    {0, "series", "FILE", OPTION_STRING, FIELD(series), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write these records to FILE [standard error]", "Output", NULL, 0},
    {0, "brief", NULL, OPTION_FLAG, FIELD(brief), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "a verdict in place of facts and findings", "Output", NULL, 0},
    {0, "color", "WHEN", OPTION_CHOICE, FIELD(color), OPTION_NONE, 0, 0, color_words, NULL,
     "auto", "colour: auto (on a terminal), always, never", "Output", NULL, 0},
    {0, "quiet", NULL, OPTION_FLAG, FIELD(quiet), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only errors on standard error", "Output", NULL, 0},
    {0, "verbose", NULL, OPTION_FLAG, FIELD(verbose), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "report each step on standard error", "Output", NULL, 0},

    {0, "overwrite", NULL, OPTION_FLAG, SETTING(overwrite), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "overwrite the file TARGET: its data are lost", "Safety", NULL, 0},
    {0, "destroy-data", NULL, OPTION_FLAG, SETTING(destroy_data), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write to the device TARGET: its data are lost", "Safety", NULL, 0},
    {0, "dry-run", NULL, OPTION_FLAG, SETTING(dry_run), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "show what would be done; touch nothing", "Safety", NULL, 0},

    {'h', "help", "[TOPIC]", OPTION_STRING, FIELD(topic), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print a page of help, or what there is on TOPIC", "Information", NULL, 0},
    {'v', "version", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print version and features", "Information", NULL, 0},
    {.long_name = NULL},
};

const struct option_row options_team_table[] = {
    {0, "share", "HOW", OPTION_CHOICE, SETTING(share), OPTION_NONE, 0, 0, share_words, NULL,
     "none", "files of the ranks: none (own), all, shift", "Teams", NULL, 0},
    {0, "hosts-per-target", "N", OPTION_COUNT, SETTING(hosts_per_target), OPTION_NONE, 1, 1000000,
     NULL, NULL,
     NULL, "N hosts use each target [all ranks use all]", "Teams", NULL, 0},
    {0, "rank-timeout", "TIME", OPTION_DURATION, SETTING(rank_timeout_ns),
     OPTION_NONE, 0, 0, NULL, NULL,
     "60s", "a rank silent for so long is lost", "Teams", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */
