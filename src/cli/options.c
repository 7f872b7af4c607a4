/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - from argv to a request.  The rows below are all there is to an option: a new one is a
 * new row and a line in the man page; completions are made from the rows. */
#include "base/compat.h"

#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/command.h"
#include "cli/hint.h"
#include "cli/options_check.h"
#include "cli/parser.h"
#include "cli/replace.h"
#include "cli/steps.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/formats/formats.h"
#include "run/payload.h"
#include "run/plan.h"
#include "run/series.h"

#define FIELD(member)       offsetof(struct request, member)
#define SETTING(member)     offsetof(struct request, settings.member)
#define FILE_BYTES_MAX      (UINT64_C(1) << 60)
#define CLASSIC_REPETITIONS 1000
#define DEPTH_MAX           4096
#define OWNER_REQUEST       (-1) /* of a row, for the parser; others: index of the engine, or ... */
#define OWNER_DRIVERS       SETTINGS_ENGINES_MAX /* ... from here on as targets.h has it */
#define SERIES_DEFAULT_NS   UINT64_C(1000000000)

static const char *const reference_words[] = {"memory", "none", NULL}; /* enum reference_kind */
static const char *const percentile_words[] = {"known", "all", NULL};  /* enum percentiles */
static const char *const small_words[] = {"cover", "skip", NULL};
static const char *const clean_words[] = {"before", "after", "both", "none", NULL}; /* clean_when */
static const char *const format_words[] = {"table", "csv", "json", "classic", "prometheus", NULL};

/* -b: the one word io_profile had for --cache direct. */
static int call_bypass(void *block, const char *word, struct error *err)
{
    struct request *request = block;
    (void)word;
    (void)err;
    request->settings.caches = (struct option_choices){.count = 1, .index = {CACHE_DIRECT}};
    return 0;
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
        engine = engine_find(name);
        if (!engine) {
            const char *meant = hint_engine(name);
            error_set(err, STATUS_USAGE, 0, "no such engine in this build:", name);
            if (meant)
                return error_advise(err, "did you mean %s", meant);
            return error_advise(err, "iosweep --list-engines shows what there is");
        }
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
        return error_refuse(err, STATUS_USAGE, "not a number of rounds:", word,
                            "write --rounds MIN,MAX");
    snprintf(low, sizeof(low), "%.*s", comma ? (int)(comma - word) : (int)strlen(word), word);
    if (units_parse_count(low, 1, 1000000, &min, err) < 0)
        return -1;
    max = min;
    if (comma && units_parse_count(comma + 1, 1, 1000000, &max, err) < 0)
        return -1;
    if (max < min)
        return error_refuse(err, STATUS_USAGE, "fewer rounds at most than at least:", word,
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
    return error_refuse(err, STATUS_USAGE, "not a name for a run:", word,
                        "1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
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
    return error_refuse(err, STATUS_USAGE, "the interval is too short:", word,
                        "give at least 10ms; --raw has every latency");
}

_Static_assert(offsetof(struct request, settings) == 0, "rows of settings are read as such");

/* clang-format off */
const struct option_row options_table[] = {
    {0, "tests", "LIST", OPTION_CALL, SETTING(tests), FIELD(tests_given), 0, 0, test_names, steps_parse,
     "write,read", "what is done in order: write, read; of objects list ...", "Sweep", "tests", 0},
    {0, "loops", "N", OPTION_COUNT, SETTING(loops), OPTION_NONE, 1, 10000, NULL, NULL,
     "1", "do all of --tests so many times in turn", "Sweep", "loops", 0},
    {0, "repeat", "N", OPTION_COUNT, SETTING(repeats), OPTION_NONE, 1, 10000, NULL, NULL,
     "1", "measure the rows of each test so many times in turn", "Sweep", "repeats", 0},
    {0, "cache", "LIST", OPTION_CHOICES, SETTING(caches), FIELD(cache_given), 0, 0, cache_names, NULL,
     "cached", "state of the page cache: cached, asis, uncached, direct", "Sweep", "caches", TARGET_CACHED},
    {'b', "bypass-cache", NULL, OPTION_CALL, 0, FIELD(cache_given), 0, 0, NULL, call_bypass,
     NULL, "same as --cache direct (O_DIRECT)", "Sweep", NULL, 0},
    {0, "threads", "LIST", OPTION_COUNT_LIST, SETTING(threads), OPTION_NONE, 1, 4096, NULL, NULL,
     "1", "threads, such as 4 or 1..16", "Sweep", "threads", 0},
    {0, "depth", "LIST", OPTION_COUNT_LIST, SETTING(depths), OPTION_NONE, 1, DEPTH_MAX, NULL, NULL,
     "1", "operations in flight per thread, such as 1..64", "Sweep", "depths", 0},
    {0, "sizes", "LIST", OPTION_SIZE_LIST, SETTING(sizes), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "these sizes instead, such as 512,4k,1M or 4k..1M", "Sweep", "sizes", 0},
    {'m', "min-size", "SIZE", OPTION_SIZE, SETTING(min_bytes), FIELD(scan_given), 1, FILE_BYTES_MAX, NULL, NULL,
     "2", "smallest I/O size", "Sweep", "min_bytes", 0},
    {'M', "max-size", "SIZE", OPTION_SIZE, SETTING(max_bytes), FIELD(scan_given), 1, FILE_BYTES_MAX, NULL, NULL,
     "64Ki", "largest I/O size", "Sweep", "max_bytes", 0},
    {0, "factor", "N", OPTION_COUNT, SETTING(factor), FIELD(scan_given), 2, 1 << 20, NULL, NULL,
     "2", "ratio of each size to the one before", "Sweep", "factor", 0},
    {0, "engine", "LIST", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_engines,
     NULL, "how to do I/O, see --list-engines [posix]", "Sweep", "engines", 0},

    {'r', "read-existing", NULL, OPTION_FLAG, SETTING(existing), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only read, from files that are there", "Work", "existing", 0},
    {'s', "single-file", NULL, OPTION_FLAG, SETTING(single_file), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "one test file instead of a tree", "Work", "single_file", TARGET_SHAPED},
    {0, "levels", "N", OPTION_COUNT, SETTING(levels), FIELD(tree_given), 1, 32, NULL, NULL,
     "3", "levels of the tree of test files", "Work", "levels", TARGET_SHAPED},
    {0, "width", "N", OPTION_COUNT, SETTING(width), FIELD(tree_given), 1, 1000000, NULL, NULL,
     "4", "directories, and files, per directory", "Work", "width", TARGET_SHAPED},
    {'l', "file-size", "SIZE", OPTION_SIZE, SETTING(file_bytes), FIELD(length_given), 1, FILE_BYTES_MAX, NULL, NULL,
     "4Mi", "length of test files; with -r: bytes used of each", "Work", "file_bytes", TARGET_SHAPED},
    {0, "small", "HOW", OPTION_CHOICE, SETTING(small), OPTION_NONE, 0, 0, small_words, NULL,
     "cover", "sizes too small for O_DIRECT: cover, skip", "Work", "small", TARGET_SHAPED},
    {0, "sync", "WHEN", OPTION_CHOICE, SETTING(sync), OPTION_NONE, 0, 0, sync_names, NULL,
     "none", "durable writes: none, data, full, end", "Work", "sync", TARGET_SHAPED},
    {0, "keep-open", NULL, OPTION_FLAG, SETTING(keep_open), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "open files once, not in each cycle", "Work", "keep_open", TARGET_SHAPED},
    {0, "payload", "WHAT", OPTION_CHOICE, SETTING(payload), OPTION_NONE, 0, 0, payload_names, NULL,
     "random", "data of measured writes: random, zero, repeat", "Work", "payload", 0},
    {0, "pin", NULL, OPTION_FLAG, SETTING(pin), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "each thread on a processor of its own", "Work", "pin", 0},
    {0, "verify", NULL, OPTION_FLAG, SETTING(verify), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "check what is read, read back what was written", "Work", "verify", 0},
    {0, "rate", "N", OPTION_COUNT, SETTING(rate), OPTION_NONE, 1, 1000000000, NULL, NULL,
     NULL, "start N operations per second (open loop)", "Work", "rate", 0},
    {0, "align", "SIZE", OPTION_SIZE, SETTING(align_bytes), OPTION_NONE, 1, 1 << 30, NULL, NULL,
     NULL, "offsets are multiples of it [size, at most 4Ki]", "Work", "align_bytes", 0},
    {0, "buffer", "SIZE", OPTION_SIZE, SETTING(buffer_bytes), OPTION_NONE, 1, PLAN_IO_BYTES_MAX, NULL, NULL,
     NULL, "move each I/O in pieces of at most SIZE", "Work", "buffer_bytes", 0},
    {0, "seed", "N", OPTION_COUNT, SETTING(seed), FIELD(seed_given), 0, 0, NULL, NULL,
     NULL, "same seed, same offsets [random]", "Work", NULL, 0},

    {0, "run-name", "NAME", OPTION_CALL, 0, FIELD(run_name_given), 0, 0, NULL, call_run_name,
     NULL, "name of this run, or with -r of an earlier one", "Runs", NULL, 0},
    {0, "keep", NULL, OPTION_FLAG, SETTING(keep), FIELD(keep_given), 0, 0, NULL, NULL,
     NULL, "leave the test files in place", "Runs", NULL, 0},
    {0, "reuse", "NAME", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_reuse,
     NULL, "write over the files of a run that was kept", "Runs", NULL, 0},
    {0, "clean", "WHEN", OPTION_CHOICE, SETTING(clean), FIELD(clean_given), 0, 0, clean_words, NULL,
     "after", "remove the run: before, after, both, none", "Runs", NULL, 0},

    {'n', "repetitions", "N", OPTION_COUNT, SETTING(repetitions), FIELD(repetitions_given), 1, UINT64_C(1) << 48, NULL, NULL,
     NULL, "cycles per row [until precise]", "Stop", "repetitions", 0},
    {0, "precision", "PERCENT", OPTION_PERCENT, SETTING(precision), OPTION_NONE, 0, 0, NULL, NULL,
     "2.5%", "how well the median of a row must be known", "Stop", "precision", 0},
    {0, "time", "TIME", OPTION_DURATION, SETTING(cell_time_ns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "measure each row this long instead", "Stop", "cell_time_ns", 0},
    {0, "max-time", "TIME", OPTION_DURATION, SETTING(max_time_ns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "time limit in all [1.6s per row]", "Stop", "max_time_ns", 0},
    {0, "rounds", "MIN,MAX", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_rounds,
     "11,39", "rounds of a row", "Stop", "rounds", 0},
    {0, "max-errors", "N", OPTION_COUNT, SETTING(max_errors), OPTION_NONE, 0, 0, NULL, NULL,
     "100", "failed operations that end the run, 0: none", "Stop", "max_errors", 0},
    {0, "allow-short", NULL, OPTION_FLAG, SETTING(allow_short), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "count short operations apart, not as failures", "Stop", "allow_short", 0},
    {0, "reference", "WHAT", OPTION_CHOICE, SETTING(reference), OPTION_NONE, 0, 0, reference_words, NULL,
     "memory", "cycle timed along to know the machine's speed, or none", "Stop", "reference", 0},

    {'o', "output", "FILE", OPTION_STRING, FIELD(output), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "results to FILE, not to standard output", "Output", NULL, 0},
    {0, "format", "NAME", OPTION_CHOICE, FIELD(format), FIELD(format_given), 0, 0, format_words, NULL,
     NULL, "table (terminal), csv (else), json, classic, prometheus", "Output", NULL, 0},
    {0, "columns", "LIST", OPTION_STRING, FIELD(columns), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only these columns, see --list-columns", "Output", NULL, 0},
    {0, "percentiles", "WHICH", OPTION_CHOICE, SETTING(percentiles), OPTION_NONE, 0, 0, percentile_words, NULL,
     "known", "percentiles shown: known, all (also of few operations)", "Output", NULL, 0},
    {0, "separator", "C", OPTION_CHAR, FIELD(separator), FIELD(separator_given), 0, 0, NULL, NULL,
     ",", "between the fields of csv", "Output", NULL, 0},
    {0, "decimal", "C", OPTION_CHAR, FIELD(decimal), OPTION_NONE, 0, 0, NULL, NULL,
     ".", "decimal mark of csv", "Output", NULL, 0},
    {0, "label", "TEXT", OPTION_STRING, FIELD(label), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "put TEXT into the column label", "Output", NULL, 0},
    {0, "raw", "FILE", OPTION_STRING, FIELD(raw), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "rounds and latency histograms to FILE", "Output", NULL, 0},
    {0, "interval", "TIME", OPTION_CALL, 0, OPTION_NONE, 0, 0, NULL, call_interval,
     NULL, "a record of what was done each TIME", "Output", NULL, 0},
    {0, "series", "FILE", OPTION_STRING, FIELD(series), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "these records to FILE [standard error]", "Output", NULL, 0},
    {0, "show-time", NULL, OPTION_FLAG, FIELD(show_time), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "the time of day in the lines of --interval", "Output", NULL, 0},
    {0, "quiet", NULL, OPTION_FLAG, FIELD(quiet), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "nothing on standard error but errors", "Output", NULL, 0},
    {0, "verbose", NULL, OPTION_FLAG, FIELD(verbose), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "say each step on standard error", "Output", NULL, 0},
    {0, "no-progress", NULL, OPTION_FLAG, FIELD(no_progress), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "no progress line on the terminal", "Output", NULL, 0},

    {0, "overwrite", NULL, OPTION_FLAG, SETTING(overwrite), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write into the file TARGET: its data are lost", "Safety", NULL, 0},
    {0, "destroy-data", NULL, OPTION_FLAG, SETTING(destroy_data), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write to the device TARGET: its data are lost", "Safety", NULL, 0},
    {0, "dry-run", NULL, OPTION_FLAG, SETTING(dry_run), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "show what would be done; touch nothing", "Safety", NULL, 0},

    {'h', "help", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print this help", "Information", NULL, 0},
    {'v', "version", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print version and features", "Information", NULL, 0},
    {0, "list-engines", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print the engines of this build", "Information", NULL, 0},
    {0, "list-columns", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print the columns of results: unit and meaning", "Information", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

/* --- defaults and what follows from what was said --- */

static void set_defaults(struct request *request, const char *program)
{
    struct settings *settings = &request->settings;
    const char *slash = strrchr(program, '/');

    memset(request, 0, sizeof(*request));
    option_defaults(options_table, request);
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

static uint64_t fresh_seed(void)
{
    return os_random_number() >> 32; /* short enough to be typed again */
}

/* What io_profile did without being asked: 1000 repetitions through libc, where that is possible.
 */
static void settle_classic(struct request *request)
{
    struct settings *settings = &request->settings;

    if (!settings->engine_count && settings->caches.index[0] != CACHE_DIRECT &&
        settings->sync != SYNC_DATA && settings->sync != SYNC_FULL)
        for (unsigned e = 0; engine_table[e]; e++)
            if (engine_table[e]->capabilities & ENGINE_CLASSIC &&
                engine_works_on(engine_table[e], target_driver_for(settings->targets[0])))
                settings->engines[settings->engine_count++] = engine_table[e];
    if (!request->repetitions_given && !settings->cell_time_ns)
        settings->repetitions = CLASSIC_REPETITIONS;
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
    if (request->clean_given ? settings->clean == CLEAN_BEFORE || settings->clean == CLEAN_NONE
                             : settings->reuse) /* what was kept stays */
        settings->keep = true;
    if (settings->existing && !request->tests_given)
        settings->tests = (struct steps){.count = 1, .step = {{.test = TEST_READ}}};
    if (!request->seed_given)
        settings->seed = fresh_seed();
    if (request->series && !settings->interval_ns)
        settings->interval_ns = SERIES_DEFAULT_NS;
    if (request->output &&
        (strcmp(request->output, "-") == 0 || replace_is_stdout(request->output)))
        request->output = NULL;
    if (!request->format_given && request->columns)
        request->format = FORMAT_CSV;
    else if (!request->format_given && !request->output)
        request->format = isatty(STDOUT_FILENO) ? FORMAT_TABLE : FORMAT_CSV;
    else if (!request->format_given)
        request->format = FORMAT_CSV;
    if (request->decimal == ',' && !request->separator_given)
        request->separator = ';';
    if (request->format == FORMAT_CLASSIC)
        settle_classic(request);
}

static int take_options(int argc, char **argv, struct parser *parser, bool *given,
                        struct request *request, struct error *err)
{
    for (;;) {
        const struct parser_entry *entry;
        const int more = parser_next(parser, argc, argv, &entry, err);
        void *block;
        if (more <= 0)
            return more;
        if (strcmp(entry->row->long_name, "help") == 0)
            request->command = COMMAND_HELP;
        else if (strcmp(entry->row->long_name, "version") == 0)
            request->command = COMMAND_VERSION;
        else if (strcmp(entry->row->long_name, "list-engines") == 0)
            request->command = COMMAND_LIST_ENGINES;
        else if (strcmp(entry->row->long_name, "list-columns") == 0)
            request->command = COMMAND_LIST_COLUMNS;
        if (request->command != COMMAND_SWEEP)
            return 0; /* at once: `-version` and `-help` of old mean -v and -h */
        if (entry->owner >= OWNER_DRIVERS) {
            if (targets_apply(entry->row, entry->owner - OWNER_DRIVERS, optarg,
                              request->settings.driver_options, given + OWNER_DRIVERS, err) < 0)
                return -1;
            continue;
        }
        block = entry->owner >= 0 ? request->settings.engine_options[entry->owner] : request;
        if (entry->owner >= 0)
            given[entry->owner] = true;
        if (option_apply(entry->row, block, optarg, err) < 0)
            return -1;
    }
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
    return error_refuse(err, STATUS_USAGE, "there is no file or directory", target,
                        "a command comes first: iosweep %s ...", target);
}

/* What is missing may be a word that was meant to be another one. */
static int refuse_missing(const char *target, struct error *err)
{
    char text[HINT_TEXT];
    struct stat st;

    if (!(target_driver_for(target)->capabilities & TARGET_FILES) || lstat(target, &st) == 0 ||
        errno != ENOENT || !hint_target(target, text)[0])
        return 0;
    return error_refuse(err, STATUS_USAGE, "there is no file or directory", target, "%s", text);
}

static int take_targets(int argc, char **argv, struct request *request, struct error *err)
{
    struct settings *settings = &request->settings;

    for (int i = optind; i < argc; i++)
        if (!argv[i][0]) {
            char forms[TARGETS_FORMS];
            return error_refuse(err, STATUS_USAGE, "a target is empty", NULL,
                                "name a directory, a file%s", targets_forms(false, forms));
        }
    for (int i = optind; i < argc; i++)
        if (refuse_late_command(argv[i], err) < 0 || refuse_missing(argv[i], err) < 0)
            return -1;
    settings->targets = (const char *const *)&argv[optind];
    settings->target_count = (unsigned)(argc - optind);
    return 0;
}

int options_parse(int argc, char **argv, struct request *request, struct error *err)
{
    bool given[OWNER_DRIVERS + TARGETS_OWNERS] = {false}; /* an option of that owner was */
    struct parser parser;
    int result;

    set_defaults(request, argc > 0 && argv[0] ? argv[0] : "iosweep");
    parser_init(&parser, "iosweep --help lists all options");
    parser_add(&parser, options_table, OWNER_REQUEST);
    targets_add_options(&parser, true, OWNER_DRIVERS);
    for (int e = 0; engine_table[e]; e++)
        if (engine_table[e]->options)
            parser_add(&parser, engine_table[e]->options, e);
    result = take_options(argc, argv, &parser, given, request, err);
    if (result == 0 && request->command == COMMAND_SWEEP)
        result = take_targets(argc, argv, request, err);
    if (result == 0 && request->command == COMMAND_SWEEP) {
        settle(request);
        result = options_check(request, given, given + OWNER_DRIVERS, err);
    }
    parser_free(&parser);
    return result;
}

void options_free(struct request *request)
{
    for (int e = 0; engine_table[e]; e++)
        free(request->settings.engine_options[e]);
    targets_free_options(request->settings.driver_options);
    units_list_free(&request->settings.threads);
    units_list_free(&request->settings.depths);
    units_list_free(&request->settings.sizes);
}
