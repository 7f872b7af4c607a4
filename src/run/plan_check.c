/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan_check.c - refuses what cannot work: before anything is opened, sizes and features that an
 * engine or kind of target lacks; with the cells, pieces, mixes and the limit of open files. */
#include "base/compat.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "os/os.h"
#include "run/plan.h"

static int refuse(struct error *err, const struct engine *engine, const char *what,
                  const char *advice)
{
    return error_refuse(err, STATUS_USAGE, what, engine->name, "%s", advice);
}

/* Features that are not required of an engine, because none of its targets supports them: rows
 * there do without. */
static unsigned not_asked(const struct settings *settings, const struct engine *engine)
{
    unsigned capabilities = 0, none = 0;

    for (unsigned t = 0; t < settings->target_count; t++) {
        const struct storage_driver *driver = storage_driver_for(settings->targets[t]);
        if (engine_works_on(engine, driver))
            capabilities |= driver->capabilities;
    }
    if (!(capabilities & TARGET_CACHED))
        none |= ENGINE_DIRECT | ENGINE_UNCACHED;
    if (!(capabilities & TARGET_OPENED))
        none |= ENGINE_SYNC_OPEN | ENGINE_KEEP_OPEN;
    return none;
}

/* Refuses what no engine for files can do because the system does not support it. */
static int check_system(const struct settings *settings, const struct engine *engine,
                        struct error *err)
{
    if (not_asked(settings, engine) & ENGINE_DIRECT)
        return 0;
    if (option_chosen(&settings->caches, CACHE_DIRECT) && !OS_O_DIRECT)
        return error_refuse(err, STATUS_USAGE,
                            "bypassing the page cache is not supported on this system:",
                            "--cache direct", "use --cache cached");
    if (option_chosen(&settings->caches, CACHE_UNCACHED) && !OS_CAN_EVICT)
        return error_refuse(err, STATUS_USAGE,
                            "emptying the page cache is not supported on this system:",
                            "--cache uncached", "use --cache cached");
    if ((settings->sync == SYNC_DATA || settings->sync == SYNC_FULL) && !OS_OPEN_SYNCS)
        return error_refuse(
            err, STATUS_USAGE, "this system may leave such writes in the cache of the drive:",
            settings->sync == SYNC_DATA ? "--sync data" : "--sync full", "use --sync end");
    return 0;
}

static int check_engine(const struct settings *settings, const struct engine *engine,
                        struct error *err)
{
    const unsigned can = engine->capabilities | not_asked(settings, engine);
    bool writes = false;

    for (unsigned i = 0; i < settings->tests.count; i++)
        writes = writes || settings->tests.step[i].test == TEST_WRITE;
    if (writes && !(can & ENGINE_WRITES))
        return refuse(err, engine, "this engine cannot write:", "add --tests read");
    if (option_chosen(&settings->caches, CACHE_DIRECT) && !(can & ENGINE_DIRECT))
        return refuse(err, engine, "this engine cannot bypass the page cache:",
                      "use --engine posix or pread with --cache direct (-b)");
    if (option_chosen(&settings->caches, CACHE_UNCACHED) && !(can & ENGINE_UNCACHED))
        return refuse(err, engine,
                      "this engine cannot do --cache uncached:", "use --engine posix or pread");
    if ((settings->sync == SYNC_DATA || settings->sync == SYNC_FULL) && !(can & ENGINE_SYNC_OPEN))
        return refuse(err, engine, "this engine cannot do --sync data or full:",
                      "use --engine posix or pread, or --sync end");
    if (settings->keep_open && !(can & ENGINE_KEEP_OPEN))
        return refuse(err, engine, "this engine cannot keep files open:", "leave out --keep-open");
    if (settings->verify && (can & ENGINE_VIRTUAL))
        return refuse(err, engine, "this engine moves no data to verify:", "leave out --verify");
    for (unsigned c = 0; engine->available && c < settings->caches.count; c++) {
        const struct workload wish = {.cache = (enum cache_mode)settings->caches.index[c],
                                      .sync = (enum sync_mode)settings->sync,
                                      .keep_open = settings->keep_open || settings_fills(settings),
                                      .options = settings_options_of(settings, engine)};
        /* --cache device applies only where the engine supports it */
        if (wish.cache != CACHE_DEVICE && engine->available(&wish, err) < 0)
            return -1;
    }
    return 0;
}

static bool deep(const struct settings *settings)
{
    for (size_t i = 0; i < settings->depths.count; i++)
        if (settings->depths.value[i] > 1)
            return true;
    return false;
}

/* Each engine must support some depth of the list; a single engine all of them. */
static int check_depths(const struct settings *settings, const struct engine *engine, bool only,
                        struct error *err)
{
    bool some = false;

    for (size_t i = 0; i < settings->depths.count; i++) {
        const uint64_t depth = settings->depths.value[i];
        char text[96];
        if (engine_depth_fits(engine, depth)) {
            some = true;
            continue;
        }
        if (!only && (some || i + 1 < settings->depths.count))
            continue;
        snprintf(text, sizeof(text), "%s, --depth %llu", engine->name, (unsigned long long)depth);
        if (engine->async)
            return error_refuse(err, STATUS_USAGE, "too many operations in flight for engine", text,
                                "the limit is %u", engine->async->depth_max);
        return error_refuse(
            err, STATUS_USAGE, "this engine runs one operation at a time:", text,
            settings->engine_count
                ? "leave out --engine, or use --threads"
                : "this build has no engine for it; --threads runs more in parallel");
    }
    return 0;
}

unsigned plan_engines(const struct settings *settings, const struct storage_driver *driver,
                      const struct engine *engines[SETTINGS_ENGINES_MAX])
{
    unsigned count = 0;

    for (unsigned i = 0; i < settings->engine_count; i++)
        if (engine_works_on(settings->engines[i], driver))
            engines[count++] = settings->engines[i];
    for (const struct engine *const *e = engine_table; !count && *e; e++)
        if (engine_works_on(*e, driver))
            engines[count++] = *e;
    return count;
}

/* The engines that will be used, each once. */
static unsigned used_engines(const struct settings *settings,
                             const struct engine *used[SETTINGS_ENGINES_MAX])
{
    unsigned count = 0;

    for (unsigned t = 0; t < settings->target_count; t++) {
        const struct engine *own[SETTINGS_ENGINES_MAX];
        const unsigned n = plan_engines(settings, storage_driver_for(settings->targets[t]), own);
        for (unsigned i = 0, k; i < n; i++) {
            for (k = 0; k < count && used[k] != own[i]; k++)
                continue;
            if (k == count && count < SETTINGS_ENGINES_MAX)
                used[count++] = own[i];
        }
    }
    return count;
}

bool plan_uses(const struct settings *settings, const struct engine *engine)
{
    const struct engine *used[SETTINGS_ENGINES_MAX];

    for (unsigned i = used_engines(settings, used); i > 0; i--)
        if (used[i - 1] == engine)
            return true;
    for (unsigned i = 0; i < settings->engine_count; i++)
        if (settings->engines[i] == engine) /* which check_use may refuse */
            return true;
    return false;
}

/* Each requested engine must support some target. */
static int check_use(const struct settings *settings, const struct engine *engine,
                     struct error *err)
{
    for (unsigned t = 0; t < settings->target_count; t++)
        if (engine_works_on(engine, storage_driver_for(settings->targets[t])))
            return 0;
    error_set(err, STATUS_USAGE, 0, "this engine works on none of the targets:", engine->name);
    if (engine->driver)
        return error_advise(err, "engine %s needs a target %s", engine->name,
                            storage_driver_find(engine->driver)->scheme);
    return error_advise(err, "engine %s needs files", engine->name);
}

#define BLOCK_LEAST        512u /* the smallest block of any storage */
#define FILES_RESERVED     64u  /* descriptors left to the rest of the program */
#define CONNECTIONS_LEAST  8u   /* number of objects created concurrently */
#define CONNECTIONS_OTHERS 4u   /* further descriptors of a thread */

/* Whether a cell is skipped for that reason; the block size of O_DIRECT is unknown before the files
 * exist: then the smallest is assumed. */
static bool is_skipped(const struct cell *cell, const char *skip)
{
    const struct workload *work = &cell->work;
    const uint64_t block_bytes =
        work->cache == CACHE_DIRECT && work->target->direct_assumed ? BLOCK_LEAST : 0;

    if (!skip || !cell->skip || strcmp(cell->skip, skip) != 0)
        return false;
    return strcmp(skip, "call_size") != 0 || !block_bytes ||
           ((work->size_bytes + block_bytes - 1) / block_bytes * block_bytes > work->call_bytes &&
            !plan_splits(cell, block_bytes));
}

/* If all rows would be skipped for one of these reasons, the options are wrong. */
int plan_check_skips(const struct plan *plan, struct error *err)
{
    static const struct {
        const char *skip, *action, *object, *advice;
    } refusals[] = {
        {"call_size", "no row can be split this way:", "--call-size",
         "engines that do one operation at a time split it, at --depth 1; O_DIRECT moves whole "
         "blocks; test append moves less than 2 GiB"},
        {"mix", "no row can mix reads and writes:", "--mix",
         "the engine must be able to, and both need the same objects: leave out --mix (or "
         "--part-size, --object-size), or use another --engine or target"},
        {"not_by_engine", "nothing here can run test", NULL, "see iosweep-tests(7)"},
    };
    const char *const skip = plan->cells[0].skip;

    for (unsigned i = 0; i < plan->cell_count; i++)
        if (!is_skipped(&plan->cells[i], skip))
            return 0;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
        if (strcmp(skip, refusals[i].skip) == 0)
            return error_refuse(err, STATUS_USAGE, refusals[i].action,
                                refusals[i].object ? refusals[i].object
                                                   : test_names[cell_test(&plan->cells[0])],
                                "%s", refusals[i].advice);
    return 0;
}

/* --mix combines two steps, with the stop of the first. */
static int check_mix(const struct settings *settings, struct error *err)
{
    unsigned writes = 0, reads = 0;
    const struct step *last = NULL;

    if (!settings->mixes.count)
        return 0;
    for (unsigned i = 0; i < settings->tests.count; i++) {
        const struct step *step = &settings->tests.step[i];
        if (step->created)
            continue;
        writes += step->test == TEST_WRITE;
        reads += step->test == TEST_READ;
        last = step->test == TEST_WRITE || step->test == TEST_READ ? step : last;
    }
    if (writes == 1 && reads == 1 && !last->stops && !last->budgeted)
        return 0;
    return error_refuse(err, STATUS_USAGE, "--mix merges write and read into one step, but --tests",
                        !writes                     ? "has no write"
                        : !reads                    ? "has no read"
                        : writes == 1 && reads == 1 ? "gives the second of them a stop"
                                                    : "has more than one of them",
                        writes == 1 && reads == 1
                            ? "give the stop to the first of them: it ends both"
                            : "use --tests write,read, with or without others");
}

static int check_engines(const struct settings *settings, struct error *err)
{
    const struct engine *used[SETTINGS_ENGINES_MAX];
    const unsigned count = used_engines(settings, used);

    for (unsigned i = 0; i < count; i++)
        if (check_system(settings, used[i], err) < 0)
            return -1;
    for (unsigned i = 0; i < settings->engine_count; i++)
        if (check_use(settings, settings->engines[i], err) < 0 ||
            check_engine(settings, settings->engines[i], err) < 0)
            return -1;
    for (unsigned i = 0; i < count && (settings->engine_count || deep(settings)); i++)
        if (check_depths(settings, used[i], count == 1, err) < 0)
            return -1;
    return 0;
}

/* The rest after the last whole write would be missing. */
static int check_fill(const struct settings *settings, const struct units_list *sizes,
                      struct error *err)
{
    if (!settings_fills(settings))
        return 0;
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->value[i] != UNITS_SIZE_FULL && settings->file_bytes % sizes->value[i] != 0) {
            char size[UNITS_TEXT];
            return error_refuse(
                err, STATUS_USAGE, "test fill cannot fill the file with writes of",
                units_format_size(sizes->value[i], size),
                "use a --file-size (-l) that is a multiple of it, or other --sizes");
        }
    return 0;
}

static int check_line(const struct settings *settings, bool creates, struct error *err)
{
    struct units_list sizes;
    uint64_t largest = 0;
    bool in_files = false;
    int result;

    if (plan_sizes(settings, NULL, &sizes, err) < 0)
        return -1;
    for (size_t i = 0; i < sizes.count; i++)
        if (sizes.value[i] > largest)
            largest = sizes.value[i];
    result = creates ? check_fill(settings, &sizes, err) : 0;
    units_list_free(&sizes);
    if (result < 0)
        return -1;
    for (unsigned i = 0; i < settings->tests.count; i++)
        in_files = in_files || !test_makes_own(settings->tests.step[i].test);
    if (creates && in_files && largest > settings->file_bytes) {
        char size[UNITS_TEXT], file[UNITS_TEXT];
        char text[2 * UNITS_TEXT + 32];
        units_format_size(largest, size);
        units_format_size(settings->file_bytes, file);
        snprintf(text, sizeof(text), "%s in files of %s", size, file);
        return error_refuse(err, STATUS_USAGE,
                            "I/O size is beyond the end of the test files:", text,
                            "give a smaller --max-size (-M) or a larger --file-size (-l)");
    }
    if (settings->align_bytes & (settings->align_bytes - 1)) {
        char text[UNITS_TEXT];
        return error_set(err, STATUS_USAGE, 0, "--align must be a power of two:",
                         units_format_size(settings->align_bytes, text));
    }
    if (settings->pin && !OS_CAN_PIN)
        return error_refuse(err, STATUS_USAGE,
                            "pinning threads is not supported on this system:", "--pin",
                            "leave it out");
    if (check_mix(settings, err) < 0)
        return -1;
    return check_engines(settings, err);
}

int plan_check(const struct settings *settings, bool creates, struct error *err)
{
    for (const struct settings *line = settings; line; line = line->next)
        if (check_line(line, creates, err) < 0)
            return -1;
    return 0;
}

/* Descriptors that a thread keeps open in a cell: files, or connections, one per operation in
 * flight or, if it keeps one to each of many servers, one to each server that may store its
 * objects; a listing involves all of them. */
static uint64_t descriptors_of(const struct cell *cell)
{
    const struct workload *work = &cell->work;
    const struct target *target = work->target;
    const uint64_t wanted = work->depth * (1 + (uint64_t)target->connections_each);
    const uint64_t depth = wanted > CONNECTIONS_LEAST ? wanted : CONNECTIONS_LEAST;
    const uint64_t asked = depth + work->object_count;

    if (target_can(target, TARGET_FILES))
        return work->keep_open ? work->object_count : work->depth > 1 ? work->depth : 0;
    if (!target_can(target, TARGET_REQUESTS))
        return 0;
    if (target->servers == 0)
        return depth + (target->descriptors_thread > CONNECTIONS_OTHERS ? target->descriptors_thread
                                                                        : CONNECTIONS_OTHERS);
    return target->descriptors_thread +
           (asked < target->servers && work->test != TEST_LIST ? asked : target->servers);
}

/* Files are open during a slice; each thread keeps its connections to a server, and the descriptors
 * it waits with, across rows. */
int plan_check_descriptors(const struct plan *plan, unsigned targets, struct error *err)
{
    uint64_t files = 0, connections = 0, all;
    struct rlimit limit;
    char text[64];

    for (unsigned t = 0; t < targets; t++) {
        uint64_t most = 0, threads = 0;
        for (unsigned i = 0; i < plan->cell_count; i++) {
            const struct cell *cell = &plan->cells[i];
            const uint64_t each = descriptors_of(cell);
            if (cell->target != t)
                continue;
            if (!target_can(cell->work.target, TARGET_REQUESTS)) {
                files = each * cell->threads > files ? each * cell->threads : files;
                continue;
            }
            most = each > most ? each : most;
            threads = cell->threads > threads ? cell->threads : threads;
        }
        connections += threads * most;
    }
    all = FILES_RESERVED + files + connections;
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY ||
        all <= (uint64_t)limit.rlim_cur)
        return 0;
    if (limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (all <= (uint64_t)limit.rlim_cur || all == FILES_RESERVED)
        return 0;
    snprintf(text, sizeof(text), "%llu files%s", (unsigned long long)(all - FILES_RESERVED),
             connections > 0 ? " and connections" : "");
    return error_refuse(err, STATUS_TARGET, "the limit of open files is too low to keep open", text,
                        "raise it (ulimit -n) or use --single-file, fewer --threads or a "
                        "lower --depth");
}
