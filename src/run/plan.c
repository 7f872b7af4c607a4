/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plan.c - builds the list of cells from the settings, and refuses incompatible combinations before
 * anything is measured. */
#include "base/compat.h"

#include "run/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "os/os.h"

#define FILL_ROWS          64u  /* of a file, unless --fill-step is given */
#define DEVICE_LEAST_BYTES 512u /* minimum of devices: smaller sizes would move whole blocks */

static void append_sizes(struct units_list *sizes, const uint64_t *size_bytes, size_t count)
{
    sizes->value = mem_realloc_array(sizes->value, sizes->count + count, sizeof(*sizes->value));
    for (size_t i = 0; i < count; i++)
        sizes->value[sizes->count++] = size_bytes[i];
}

int plan_sizes(const struct settings *settings, const struct plan_known *known,
               struct units_list *sizes, struct error *err)
{
    const struct units_list *list = &settings->sizes;
    bool full = false;

    memset(sizes, 0, sizeof(*sizes));
    if (known && known->kept.count && settings_usual_sizes(settings))
        list = &known->kept;
    for (size_t i = 0; i < list->count; i++) {
        const bool whole = known && list->value[i] == UNITS_SIZE_FULL;
        append_sizes(sizes, whole ? known->full.value : &list->value[i],
                     whole ? known->full.count : 1);
        full = full || whole;
    }
    if (full)
        sizes->count = number_distinct(sizes->value, sizes->count);
    if (!list->count) {
        if (settings->min_bytes > settings->max_bytes)
            return error_refuse(err, STATUS_USAGE, "--min-size is larger than --max-size", NULL,
                                "the sweep runs from --min-size (-m) up to --max-size (-M)");
        for (uint64_t size = settings->min_bytes;;) {
            append_sizes(sizes, &size, 1);
            if (size > settings->max_bytes / settings->factor)
                break;
            size *= settings->factor;
        }
    }
    for (size_t i = 0; i < sizes->count; i++)
        if (sizes->value[i] > PLAN_IO_BYTES_MAX) {
            const bool divides = settings_can_divide(settings);
            char text[UNITS_TEXT];
            if (divides && settings->call_bytes)
                break;
            error_refuse(err, STATUS_USAGE,
                         "I/O size is too large:", units_format_size(sizes->value[i], text),
                         divides ? "one read or write moves less than 2 GiB; --call-size moves it "
                                   "in pieces"
                                 : "one request moves less than 2 GiB");
            units_list_free(sizes);
            return -1;
        }
    return 0;
}

struct draft {                       /* state of the nested axes */
    const struct settings *settings; /* of the current part */
    const struct plan_known *known;
    struct plan *plan;
    struct units_list sizes; /* of that part */
    size_t capacity;
    unsigned part_first;  /* first cell that is measured in the same rounds */
    bool several;         /* the settings have several parts */
    uint32_t rank, peers; /* of each cell */
    bool device;          /* --cache device: only rows that the device can run unchanged */
    bool device_asked;    /* by some part */
    const char *dropped;  /* why rows that cannot be measured were omitted; or NULL */
};

static void note_needs(struct plan *plan, const struct cell *cell)
{
    const struct workload *work = &cell->work;
    const uint64_t buffer_bytes = work->slot_bytes * work->depth;

    if (workload_call_bytes(work) > plan->call_bytes_max)
        plan->call_bytes_max = workload_call_bytes(work);
    if (buffer_bytes > plan->buffer_bytes_max)
        plan->buffer_bytes_max = buffer_bytes;
    if (work->rmw && buffer_bytes > plan->scratch_bytes_max)
        plan->scratch_bytes_max = buffer_bytes;
    if (cell->threads > plan->threads_max)
        plan->threads_max = cell->threads;
    if (work->depth > plan->depth_max)
        plan->depth_max = work->depth;
}

/* Whether another part of the settings already added this cell. */
static bool is_there(const struct draft *build, const struct cell *pattern)
{
    const struct plan *plan = build->plan;

    for (unsigned i = build->part_first; build->several && i < plan->cell_count; i++)
        if (!(cell_unlike(&plan->cells[i], pattern) & ~(unsigned)(AXIS_CACHE | AXIS_PLACE)))
            return true;
    return false;
}

/* Ranks share -n evenly; the first ones do the remainder. */
static struct cell_stop stop_of(const struct draft *build, const struct cell *cell)
{
    const struct settings *settings = build->settings;
    const struct step *step = &settings->tests.step[cell->step - 1];
    const uint64_t each = step->stops ? step->repetitions : settings->repetitions;
    const bool per_thread = step->stops ? step->per_thread : settings->per_thread;
    const uint64_t share = number_share(each, build->rank, build->peers + 1);

    return (struct cell_stop){
        .cycles = per_thread ? each * cell->threads : share,
        .idle = each && !share && !per_thread,
        .per_thread = per_thread,
        .time_ns = step->stops ? step->time_ns : settings->cell_time_ns,
        .errors = step->budgeted ? step->errors : settings->step_errors,
    };
}

/* Makes room for one more cell. */
static int grow(struct draft *build, struct error *err)
{
    struct plan *plan = build->plan;

    if (plan->cell_count == PLAN_CELLS_MAX)
        return error_refuse(err, STATUS_USAGE, "this sweep has too many rows", NULL,
                            "the limit is %u; use fewer sizes, threads, depths or targets",
                            PLAN_CELLS_MAX);
    plan->cells =
        mem_grow(plan->cells, &build->capacity, plan->cell_count + 1, sizeof(*plan->cells));
    return 0;
}

/* Test fill: splits the row of the whole file, or of all objects, into one per interval, each a
 * separate part, since they run consecutively. */
static int part_fill(struct draft *build, struct error *err)
{
    struct plan *plan = build->plan;
    const struct cell whole = plan->cells[plan->cell_count - 1];
    const uint64_t asked = build->settings->fill_step_bytes / whole.work.io_bytes;
    const uint64_t share = (whole.places + FILL_ROWS - 1) / FILL_ROWS;
    const uint64_t each = !build->settings->fill_step_bytes ? share : asked ? asked : 1;

    plan->cell_count--;
    for (uint64_t first = 0; first < whole.places; first += each) {
        struct cell *cell;
        if (grow(build, err) < 0)
            return -1;
        if (plan->cell_count > build->part_first)
            plan->part_count++;
        cell = &plan->cells[plan->cell_count];
        *cell = whole;
        cell->index = plan->cell_count++;
        cell->part = plan->part_count;
        cell->goes_on = first > 0;
        cell->place_first = first;
        cell->places = whole.places - first < each ? whole.places - first : each;
        cell->stop = (struct cell_stop){.cycles = cell->places, .errors = 1};
    }
    return 0;
}

/* Rows of the device begin with the minimum of all devices, and with default sizes with the minimum
 * of this one. */
static bool is_too_small(const struct draft *build, const struct cell *cell)
{
    const bool usual = settings_usual_sizes(build->settings) && cell->work.cache == CACHE_DIRECT;
    const uint64_t align_bytes = usual ? cell->work.target->direct_align_bytes : 0;

    return (build->device || usual) &&
           cell->work.size_bytes <
               (align_bytes > DEVICE_LEAST_BYTES ? align_bytes : DEVICE_LEAST_BYTES);
}

static int add_cell(struct draft *build, const struct cell *pattern, struct error *err)
{
    struct plan *plan = build->plan;
    struct cell *cell;

    if (is_there(build, pattern))
        return 0;
    if (grow(build, err) < 0)
        return -1;
    cell = &plan->cells[plan->cell_count];
    *cell = *pattern;
    cell->index = plan->cell_count++;
    cell->stop = stop_of(build, cell);
    plan_place(build->settings, cell);
    /* the cells of --mix come in pairs */
    if (is_too_small(build, cell) || (build->device && cell->skip && !cell->mixed)) {
        build->dropped = build->dropped ? build->dropped : cell->skip;
        plan->cell_count--;
        return 0;
    }
    if (!cell->skip) /* a skipped cell needs neither buffers nor threads */
        note_needs(plan, cell);
    return cell->fills && !cell->skip ? part_fill(build, err) : 0;
}

static int add_sizes(struct draft *build, struct cell *pattern, struct error *err)
{
    for (size_t s = 0; s < build->sizes.count; s++) {
        pattern->work.size_bytes = build->sizes.value[s];
        if (add_cell(build, pattern, err) < 0)
            return -1;
    }
    return 0;
}

/* Asynchronous engines have one context for both kinds of operations, which share an order of
 * places, if any. */
static void join(struct cell *writes, struct cell *reads)
{
    const bool in_flight = engine_in_flight(writes->engine, writes->work.depth);
    const bool same = writes->work.object_first == reads->work.object_first &&
                      writes->work.object_count == reads->work.object_count;
    const char *skip = writes->skip ? writes->skip : reads->skip;

    if (!skip && (!engine_mixes(writes->engine, &writes->work) ||
                  ((in_flight || writes->work.access != ACCESS_RANDOM) && !same)))
        skip = "mix";
    writes->skip = reads->skip = skip;
    writes->work.reads_too = in_flight;
    writes->mate = (int)(reads->index - writes->index);
    reads->mate = -writes->mate;
}

/* Adds the cells of the writes, then those of the reads, and links each pair. */
static int add_mix(struct draft *build, struct cell *pattern, uint32_t percent, struct error *err)
{
    struct plan *plan = build->plan;
    const unsigned first = plan->cell_count;
    unsigned writes;

    pattern->read_percent = percent;
    pattern->work.test = TEST_WRITE;
    if (percent < 100 && add_sizes(build, pattern, err) < 0)
        return -1;
    writes = plan->cell_count - first;
    pattern->work.test = TEST_READ;
    if (percent > 0 && add_sizes(build, pattern, err) < 0)
        return -1;
    pattern->work.test = TEST_WRITE;
    for (unsigned i = 0; percent > 0 && i < writes; i++) /* the same number, of the same sizes */
        join(&plan->cells[first + i], &plan->cells[first + writes + i]);
    return 0;
}

static int add_cells(struct draft *build, struct cell *pattern, struct error *err)
{
    const struct settings *settings = build->settings;

    for (size_t t = 0; t < settings->threads.count; t++)
        for (size_t d = 0; d < settings->depths.count; d++) {
            if (!engine_depth_fits(pattern->engine, settings->depths.value[d]))
                continue;
            pattern->threads = (uint32_t)settings->threads.value[t];
            pattern->work.depth = (uint32_t)settings->depths.value[d];
            if (!pattern->mixed && add_sizes(build, pattern, err) < 0)
                return -1;
            for (size_t i = 0; pattern->mixed && i < settings->mixes.count; i++)
                if (add_mix(build, pattern, (uint32_t)settings->mixes.value[i], err) < 0)
                    return -1;
        }
    return 0;
}

/* Operations that choose no object have no order of places. */
static int add_accesses(struct draft *build, struct cell *pattern, struct error *err)
{
    const struct option_choices *accesses = &build->settings->accesses;
    const bool ordered = test_ordered(pattern->work.test) && accesses->count;
    const bool once =
        pattern->fills || (ordered && pattern->created && !build->settings->accesses_given);

    pattern->work.access = once ? ACCESS_ONCE : ACCESS_RANDOM;
    if (once || !ordered)
        return add_cells(build, pattern, err);
    for (unsigned a = 0; a < accesses->count; a++) {
        pattern->work.access = (enum access_mode)accesses->index[a];
        if (add_cells(build, pattern, err) < 0)
            return -1;
    }
    return 0;
}

static int add_engine(struct draft *build, struct cell *pattern, const struct engine *engine,
                      struct error *err)
{
    const struct engine *able = engine_for_test(engine, pattern->work.test);

    pattern->engine = able ? able : engine;
    pattern->skip = pattern->skip ? pattern->skip : able ? NULL : "not_by_engine";
    pattern->work.options = settings_options_of(build->settings, engine);
    return add_accesses(build, pattern, err);
}

/* --cache device: whether there is a device below that is accessible without the page cache. */
static bool has_device(const struct settings *settings, struct target *target)
{
    struct error why = ERROR_INIT;

    return OS_O_DIRECT && target_can(target, TARGET_FILES) && !target->in_memory &&
           !option_chosen(&settings->caches, CACHE_DIRECT) &&
           (target->direct_align_bytes || target->driver->probe_direct(target, &why) == 0);
}

/* Adds the cells of one target from the current settings. */
static int add_target(struct draft *build, struct cell *pattern, struct target *target,
                      struct error *err)
{
    const struct settings *settings = build->settings;
    const struct engine *const *any = engine_table;
    struct plan *plan = build->plan;
    unsigned fitting = 0;

    pattern->work.target = target;
    if (settings->verify && !target->driver->check_content)
        return error_refuse(err, STATUS_USAGE, "there are no data to verify in", target->label,
                            "leave out --verify");
    if (pattern->work.cache == CACHE_DIRECT) {
        if (!target->direct_align_bytes && target->driver->probe_direct(target, err) < 0) {
            /* the driver's advice may name a mode that fill does not support */
            if (pattern->fills && err->advice[0] != '\0')
                snprintf(err->advice, sizeof(err->advice), "use --cache cached");
            return -1;
        }
        if (target->memory_align_bytes > plan->memory_align_max_bytes)
            plan->memory_align_max_bytes = target->memory_align_bytes;
    }
    for (unsigned i = 0; i < settings->engine_count; i++) {
        if (!engine_works_on(settings->engines[i], target->driver))
            continue;
        fitting++;
        if (build->device && !(settings->engines[i]->capabilities & ENGINE_DIRECT))
            continue;
        if (add_engine(build, pattern, settings->engines[i], err) < 0)
            return -1;
    }
    /* Requested engines may be for other targets: then uses the first that works on this one. */
    while (!fitting && *any && !engine_works_on(*any, target->driver))
        any++;
    return fitting ? 0 : add_engine(build, pattern, *any, err);
}

struct part_key { /* cells with an equal key are measured in the same rounds */
    enum cache_mode cache;
    uint32_t loop, repeat; /* from 1 on */
    unsigned step;         /* from 0 on */
    enum io_test test;
    bool mixed;   /* --mix: the step of writes and reads */
    bool created; /* uses the objects of test create */
};

/* Whether the step is of a kind that --mix combines. */
static bool is_kind(const struct step *step)
{
    return (step->test == TEST_WRITE || step->test == TEST_READ) && !step->created;
}

/* Determines the kind of a step in a part of the settings. With --mix the first step that writes or
 * reads covers both, and the other is dropped. False: that part has no rows there. */
static bool see_step(const struct settings *line, struct part_key *key)
{
    const struct step *steps = line->tests.step;

    if (key->step >= line->tests.count || !option_chosen(&line->caches, key->cache))
        return false;
    key->test = steps[key->step].test;
    key->created = steps[key->step].created;
    key->mixed = line->mixes.count && is_kind(&steps[key->step]);
    for (unsigned i = 0; key->mixed && i < key->step; i++)
        if (is_kind(&steps[i]))
            return false;
    if (key->mixed)
        key->test = TEST_WRITE;
    return true;
}

/* Adds the cells of one target with that key, from the current settings. */
static int add_line(struct draft *build, const struct part_key *key, unsigned t,
                    struct target *target, struct error *err)
{
    struct cell pattern = {
        .part = build->plan->part_count,
        .step = key->step + 1,
        .loop = key->loop,
        .repeat = key->repeat,
        .target = t,
        .peers = build->peers,
        .mixed = key->mixed,
        .created = key->created,
        .work = {.test = key->test,
                 .cache = key->cache == CACHE_DEVICE ? CACHE_DIRECT : key->cache,
                 .sync = (enum sync_mode)build->settings->sync,
                 .keep_open = build->settings->keep_open},
    };

    if (key->test == TEST_FILL) {
        pattern.fills = true;
        pattern.work.test = TEST_WRITE;
        pattern.work.keep_open = true;
        /* objects of this run, which it may truncate or overwrite */
        pattern.skip = !target_can(target, TARGET_VIRTUAL) &&
                               !(target->ours && !(target->request && target->request->reuse))
                           ? "no_new_file"
                       : key->cache == CACHE_UNCACHED && target_can(target, TARGET_CACHED)
                           ? "cache_mode"
                           : NULL;
        if (key->cache == CACHE_CACHED) /* nothing can be cached before it is written */
            pattern.work.cache = CACHE_ASIS;
    }
    if (test_changes(key->test) && !target->writable) {
        if (key->test != TEST_WRITE) /* nor would it be possible */
            build->dropped = key->test == TEST_FILL ? "no_new_file" : "no_directory";
        return 0;
    }
    /* The target bypasses our cache, or no data pass through it: all modes are equal. */
    if (!target_can(target, TARGET_CACHED) || !test_moves_data(key->test)) {
        if (key->cache != build->settings->caches.index[0])
            return 0;
        pattern.work.cache = CACHE_ASIS;
    }
    build->device = key->cache == CACHE_DEVICE && pattern.work.cache == CACHE_DIRECT;
    /* with another mode present, creating and removing tests run only once */
    if (build->device &&
        ((build->settings->caches.count > 1 && (!test_in_place(key->test) || key->created)) ||
         !has_device(build->settings, target)))
        return 0;
    if (!target_can(target, TARGET_OPENED)) /* requested of other targets */
        pattern.work.sync = SYNC_NONE;
    /* the number of open files is unknown, too */
    if (!target_can(target, TARGET_OPENED) || !test_in_place(key->test) || key->created)
        pattern.work.keep_open = false;
    /* objects that are only read may be those of another rank */
    if (target->reads_from && !test_changes(key->test) && !key->created)
        target = target->reads_from;
    return add_target(build, &pattern, target, err);
}

static bool belongs(const struct settings *line, const struct part_key *key)
{
    struct part_key own = *key;

    return see_step(line, &own) && own.test == key->test && own.mixed == key->mixed &&
           own.created == key->created;
}

static int add_part(struct draft *build, const struct settings *run, const struct part_key *key,
                    struct target *const *targets, struct error *err)
{
    struct plan *plan = build->plan;

    build->part_first = plan->cell_count;
    for (unsigned t = 0; t < run->target_count; t++)
        for (const struct settings *line = run; line; line = line->next) {
            int result;
            if (!belongs(line, key))
                continue;
            build->settings = line;
            result = plan_sizes(line, build->known, &build->sizes, err);
            if (result == 0)
                result = add_line(build, key, t, targets[t], err);
            units_list_free(&build->sizes);
            if (result < 0)
                return -1;
        }
    if (plan->cell_count > build->part_first)
        plan->part_count++;
    return 0;
}

/* Adds the rows of one step, whose key lacks the test: once for each repeat, and for each test if
 * the parts of the settings have different ones at this position. */
static int add_step(struct draft *build, const struct settings *run, struct part_key key,
                    struct target *const *targets, struct error *err)
{
    for (const struct settings *line = run; line; line = line->next) {
        bool added = !see_step(line, &key);

        for (const struct settings *before = run; before != line; before = before->next)
            added = added || belongs(before, &key);
        for (key.repeat = 1; !added && key.repeat <= run->repeats; key.repeat++)
            if (add_part(build, run, &key, targets, err) < 0)
                return -1;
    }
    return 0;
}

static int add_cache(struct draft *build, const struct settings *run, enum cache_mode cache,
                     struct target *const *targets, struct error *err)
{
    struct part_key key = {.cache = cache};

    for (key.loop = 1; key.loop <= run->loops; key.loop++)
        for (key.step = 0; key.step < SETTINGS_STEPS_MAX; key.step++)
            if (add_step(build, run, key, targets, err) < 0)
                return -1;
    return 0;
}

/* Adds all rows, cache mode by cache mode in the order in which the parts name them. */
static int add_parts(struct draft *build, const struct settings *run, struct target *const *targets,
                     struct error *err)
{
    struct option_choices caches = {.count = 0};

    for (const struct settings *line = run; line; line = line->next)
        for (unsigned c = 0; c < line->caches.count; c++) {
            const unsigned cache = line->caches.index[c];
            if (option_chosen(&caches, cache))
                continue;
            caches.index[caches.count++] = cache;
            build->device_asked = build->device_asked || cache == CACHE_DEVICE;
            if (add_cache(build, run, (enum cache_mode)cache, targets, err) < 0)
                return -1;
        }
    return 0;
}

/* Rows over objects of test create need an earlier row that creates some. */
static void skip_uncreated(struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++) {
        struct cell *cell = &plan->cells[i];
        bool made = !cell->created || cell->skip;

        for (unsigned k = 0; !made && k < i; k++) {
            const struct cell *before = &plan->cells[k];
            made = before->work.test == TEST_CREATE && !before->skip &&
                   before->target == cell->target &&
                   before->work.size_bytes == cell->work.size_bytes;
        }
        if (!made)
            cell->skip = "not_created";
    }
}

/* Adds all cells to an empty plan. */
static int fill(const struct settings *settings, const struct plan_known *known,
                struct target *const *targets, struct plan *plan, struct error *err)
{
    struct draft build = {.plan = plan,
                          .known = known,
                          .rank = settings->rank,
                          .peers = settings->ranks ? settings->ranks - 1 : 0,
                          .several = settings->next != NULL};

    plan->memory_align_max_bytes = 4096;
    plan->call_bytes_max = 4096;
    plan->buffer_bytes_max = 4096;
    plan->threads_max = 1;
    plan->depth_max = 1;
    if (add_parts(&build, settings, targets, err) < 0)
        return -1;
    skip_uncreated(plan);
    if (!plan->cell_count && build.dropped) {
        char reason[64];

        snprintf(reason, sizeof(reason), "skipped:%s", build.dropped);
        return error_refuse(err, STATUS_TARGET, "nothing can be measured:", reason,
                            "iosweep help %s explains it", reason);
    }
    if (!plan->cell_count && build.device_asked)
        return error_refuse(err, STATUS_TARGET, "nothing can be measured with", "--cache device",
                            "it needs a device, O_DIRECT and sizes from 512 B on");
    if (!plan->cell_count) {
        error_set(err, STATUS_USAGE, 0, "nothing is left to measure", NULL);
        return error_advise(err, "existing files are only written with --overwrite, block devices "
                                 "with --destroy-data");
    }
    if (plan_check_skips(plan, err) < 0)
        return -1;
    return plan_check_descriptors(plan, settings->target_count, err);
}

int plan_make(const struct settings *settings, const struct plan_known *known,
              struct target *const *targets, struct plan *plan, struct error *err)
{
    memset(plan, 0, sizeof(*plan));
    if (fill(settings, known, targets, plan, err) == 0)
        return 0;
    plan_free(plan);
    return -1;
}

void plan_free(struct plan *plan)
{
    free(plan->cells);
    memset(plan, 0, sizeof(*plan));
}
