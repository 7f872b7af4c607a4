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

struct draft { /* state of the nested axes */
    struct plan *plan;
    const struct settings *run, *settings; /* of all parts, of the current one */
    const struct plan_known *known;
    struct target *const *targets;
    struct error *err;
    bool failed;             /* err is set: nothing is added any more */
    struct units_list sizes; /* of the current part */
    size_t capacity;
    unsigned part_first; /* first cell that is measured in the same rounds */
    uint32_t peers;      /* of each cell */
    bool device;         /* --cache device: only rows that the device can run unchanged */
    bool device_asked;   /* by some part */
    const char *dropped; /* why rows that cannot be measured were omitted; or NULL */
};

static void note_needs(struct plan *plan, const struct cell *cell)
{
    const struct workload *work = &cell->work;
    const uint64_t buffer_bytes = work->slot_bytes * work->depth;

    plan->call_bytes_max = number_most(plan->call_bytes_max, workload_call_bytes(work));
    plan->buffer_bytes_max = number_most(plan->buffer_bytes_max, buffer_bytes);
    plan->scratch_bytes_max = number_most(plan->scratch_bytes_max, work->rmw ? buffer_bytes : 0);
    plan->threads_max = (uint32_t)number_most(plan->threads_max, cell->threads);
    plan->depth_max = (uint32_t)number_most(plan->depth_max, work->depth);
}

/* Whether another part of the settings already added this cell. */
static bool is_there(const struct draft *build, const struct cell *pattern)
{
    const struct plan *plan = build->plan;

    for (unsigned i = build->part_first; build->run->next && i < plan->cell_count; i++)
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
    const uint64_t share = number_share(each, build->run->rank, build->peers + 1);

    return (struct cell_stop){
        .cycles = per_thread ? each * cell->threads : share,
        .idle = each && !share && !per_thread,
        .per_thread = per_thread,
        .time_ns = step->stops ? step->time_ns : settings->cell_time_ns,
        .errors = step->budgeted ? step->errors : settings->step_errors,
    };
}

/* Room for one more cell; NULL: there are too many. */
static struct cell *next_cell(struct draft *build)
{
    struct plan *plan = build->plan;

    if (plan->cell_count == PLAN_CELLS_MAX)
        build->failed = error_refuse(build->err, STATUS_USAGE, "this sweep has too many rows", NULL,
                                     "the limit is %u; use fewer sizes, threads, depths or targets",
                                     PLAN_CELLS_MAX) < 0;
    if (build->failed)
        return NULL;
    plan->cells =
        mem_grow(plan->cells, &build->capacity, plan->cell_count + 1, sizeof(*plan->cells));
    return &plan->cells[plan->cell_count];
}

/* Test fill: splits the row of the whole file, or of all objects, into one per interval, each a
 * separate part, since they run consecutively. */
static void part_fill(struct draft *build)
{
    struct plan *plan = build->plan;
    const struct cell whole = plan->cells[plan->cell_count - 1];
    const uint64_t asked = build->settings->fill_step_bytes / whole.work.io_bytes;
    const uint64_t share = (whole.places + FILL_ROWS - 1) / FILL_ROWS;
    const uint64_t each = !build->settings->fill_step_bytes ? share : asked ? asked : 1;

    plan->cell_count--;
    for (uint64_t first = 0; first < whole.places; first += each) {
        struct cell *cell = next_cell(build);
        if (!cell)
            return;
        if (plan->cell_count > build->part_first)
            plan->part_count++;
        *cell = whole;
        cell->index = plan->cell_count++;
        cell->part = plan->part_count;
        cell->goes_on = first > 0;
        cell->place_first = first;
        cell->places = number_least(whole.places - first, each);
        cell->stop = (struct cell_stop){.cycles = cell->places, .errors = 1};
    }
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

static void add_cell(struct draft *build, const struct cell *pattern)
{
    struct plan *plan = build->plan;
    struct cell *cell = is_there(build, pattern) ? NULL : next_cell(build);

    if (!cell)
        return;
    *cell = *pattern;
    cell->index = plan->cell_count;
    cell->stop = stop_of(build, cell);
    plan_place(build->settings, cell);
    /* the cells of --mix come in pairs */
    if (is_too_small(build, cell) || (build->device && cell->skip && !cell->mixed)) {
        build->dropped = build->dropped ? build->dropped : cell->skip;
        return;
    }
    plan->cell_count++;
    if (cell->skip) /* it needs neither buffers nor threads */
        return;
    note_needs(plan, cell);
    if (cell->fills)
        part_fill(build);
}

static void add_sizes(struct draft *build, struct cell *pattern)
{
    for (size_t s = 0; s < build->sizes.count && !build->failed; s++) {
        pattern->work.size_bytes = build->sizes.value[s];
        add_cell(build, pattern);
    }
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
static void add_mix(struct draft *build, struct cell *pattern, uint32_t percent)
{
    struct plan *plan = build->plan;
    const unsigned first = plan->cell_count;
    unsigned writes;

    pattern->read_percent = percent;
    pattern->work.test = TEST_WRITE;
    if (percent < 100)
        add_sizes(build, pattern);
    writes = plan->cell_count - first;
    pattern->work.test = TEST_READ;
    if (percent > 0)
        add_sizes(build, pattern);
    pattern->work.test = TEST_WRITE;
    /* the same number, of the same sizes */
    for (unsigned i = 0; percent > 0 && i < writes && !build->failed; i++)
        join(&plan->cells[first + i], &plan->cells[first + writes + i]);
}

static void add_cells(struct draft *build, struct cell *pattern)
{
    const struct settings *settings = build->settings;

    for (size_t t = 0; t < settings->threads.count; t++)
        for (size_t d = 0; d < settings->depths.count; d++) {
            if (!engine_depth_fits(pattern->engine, settings->depths.value[d]))
                continue;
            pattern->threads = (uint32_t)settings->threads.value[t];
            pattern->work.depth = (uint32_t)settings->depths.value[d];
            if (!pattern->mixed)
                add_sizes(build, pattern);
            for (size_t i = 0; pattern->mixed && i < settings->mixes.count; i++)
                add_mix(build, pattern, (uint32_t)settings->mixes.value[i]);
        }
}

/* Adds the cells of one engine. Operations that choose no object have no order of places. */
static void add_engine(struct draft *build, struct cell pattern, const struct engine *engine)
{
    const struct option_choices *accesses = &build->settings->accesses;
    const struct engine *able = engine_for_test(engine, pattern.work.test);
    const bool ordered = test_ordered(pattern.work.test) && accesses->count;
    const bool once =
        pattern.fills || (ordered && pattern.created && !build->settings->accesses_given);

    pattern.engine = able ? able : engine;
    pattern.skip = pattern.skip ? pattern.skip : able ? NULL : "not_by_engine";
    pattern.work.options = settings_options_of(build->settings, engine);
    for (unsigned a = 0; a < (once || !ordered ? 1 : accesses->count); a++) {
        pattern.work.access = once      ? ACCESS_ONCE
                              : ordered ? (enum access_mode)accesses->index[a]
                                        : ACCESS_RANDOM;
        add_cells(build, &pattern);
    }
}

/* --cache device: whether there is a device below that is accessible without the page cache. */
static bool has_device(const struct settings *settings, struct target *target)
{
    struct error why = ERROR_INIT;

    return OS_O_DIRECT && target_can(target, TARGET_FILES) && !target->in_memory &&
           !option_chosen(&settings->caches, CACHE_DIRECT) &&
           (target->direct_align_bytes || target->driver->probe_direct(target, &why) == 0);
}

static int probe_direct(struct draft *build, const struct cell *pattern, struct target *target)
{
    if (!target->direct_align_bytes && target->driver->probe_direct(target, build->err) < 0) {
        /* the driver's advice may name a mode that fill does not support */
        if (pattern->fills && build->err->advice[0] != '\0')
            snprintf(build->err->advice, sizeof(build->err->advice), "use --cache cached");
        return -1;
    }
    build->plan->memory_align_max_bytes =
        (uint32_t)number_most(build->plan->memory_align_max_bytes, target->memory_align_bytes);
    return 0;
}

/* Adds the cells of one target from the current settings. */
static void add_target(struct draft *build, struct cell *pattern, struct target *target)
{
    const struct settings *settings = build->settings;
    const struct engine *engines[SETTINGS_ENGINES_MAX];
    const unsigned count = plan_engines(settings, target->driver, engines);

    pattern->work.target = target;
    if (settings->verify && !target->driver->check_content)
        build->failed = error_refuse(build->err, STATUS_USAGE, "there are no data to verify in",
                                     target->label, "leave out --verify") < 0;
    else if (pattern->work.cache == CACHE_DIRECT)
        build->failed = probe_direct(build, pattern, target) < 0;
    for (unsigned i = 0; i < count && !build->failed; i++)
        if (!build->device || engines[i]->capabilities & ENGINE_DIRECT)
            add_engine(build, *pattern, engines[i]);
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
static void add_line(struct draft *build, const struct part_key *key, unsigned t)
{
    struct target *target = build->targets[t];
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
        return;
    }
    /* The target bypasses our cache, or no data pass through it: all modes are equal. */
    if (!target_can(target, TARGET_CACHED) || !test_moves_data(key->test)) {
        if (key->cache != build->settings->caches.index[0])
            return;
        pattern.work.cache = CACHE_ASIS;
    }
    build->device = key->cache == CACHE_DEVICE && pattern.work.cache == CACHE_DIRECT;
    /* with another mode present, creating and removing tests run only once */
    if (build->device &&
        ((build->settings->caches.count > 1 && (!test_in_place(key->test) || key->created)) ||
         !has_device(build->settings, target)))
        return;
    if (!target_can(target, TARGET_OPENED)) /* requested of other targets */
        pattern.work.sync = SYNC_NONE;
    /* the number of open files is unknown, too */
    if (!target_can(target, TARGET_OPENED) || !test_in_place(key->test) || key->created)
        pattern.work.keep_open = false;
    /* objects that are only read may be those of another rank */
    if (target->reads_from && !test_changes(key->test) && !key->created)
        target = target->reads_from;
    add_target(build, &pattern, target);
}

static bool belongs(const struct settings *line, const struct part_key *key)
{
    struct part_key own = *key;

    return see_step(line, &own) && own.test == key->test && own.mixed == key->mixed &&
           own.created == key->created;
}

static void add_part(struct draft *build, const struct part_key *key)
{
    struct plan *plan = build->plan;

    build->part_first = plan->cell_count;
    for (unsigned t = 0; t < build->run->target_count; t++)
        for (const struct settings *line = build->run; line && !build->failed; line = line->next) {
            if (!belongs(line, key))
                continue;
            build->settings = line;
            if (plan_sizes(line, build->known, &build->sizes, build->err) < 0)
                build->failed = true;
            else
                add_line(build, key, t);
            units_list_free(&build->sizes);
        }
    if (plan->cell_count > build->part_first)
        plan->part_count++;
}

/* Adds the rows of one step, whose key lacks the test: once for each repeat, and for each test if
 * the parts of the settings have different ones at this position. */
static void add_step(struct draft *build, struct part_key key)
{
    for (const struct settings *line = build->run; line; line = line->next) {
        bool added = !see_step(line, &key);

        for (const struct settings *before = build->run; before != line; before = before->next)
            added = added || belongs(before, &key);
        for (key.repeat = 1; !added && key.repeat <= build->run->repeats && !build->failed;
             key.repeat++)
            add_part(build, &key);
    }
}

/* Adds all rows, cache mode by cache mode in the order in which the parts name them. */
static void add_parts(struct draft *build)
{
    struct option_choices caches = {.count = 0};

    for (const struct settings *line = build->run; line; line = line->next)
        for (unsigned c = 0; c < line->caches.count; c++) {
            struct part_key key = {.cache = (enum cache_mode)line->caches.index[c]};
            if (option_chosen(&caches, key.cache))
                continue;
            caches.index[caches.count++] = key.cache;
            build->device_asked = build->device_asked || key.cache == CACHE_DEVICE;
            for (key.loop = 1; key.loop <= build->run->loops && !build->failed; key.loop++)
                for (key.step = 0; key.step < SETTINGS_STEPS_MAX; key.step++)
                    add_step(build, key);
        }
}

/* Rows over objects of test create need an earlier row that creates some, and a target that keeps
 * them. */
static void skip_uncreated(struct plan *plan)
{
    for (unsigned i = 0; i < plan->cell_count; i++) {
        struct cell *cell = &plan->cells[i];
        bool made = !cell->created || cell->skip;

        for (unsigned k = 0; !made && k < i && cell->work.target->driver->open_created; k++) {
            const struct cell *before = &plan->cells[k];
            made = before->work.test == TEST_CREATE && !before->skip &&
                   before->target == cell->target &&
                   before->work.size_bytes == cell->work.size_bytes;
        }
        if (!made)
            cell->skip = "not_created";
    }
}

/* Refuses a plan without cells. */
static int check_any(const struct draft *build)
{
    char reason[64];

    if (build->plan->cell_count)
        return 0;
    if (build->dropped) {
        snprintf(reason, sizeof(reason), "skipped:%s", build->dropped);
        return error_refuse(build->err, STATUS_TARGET, "nothing can be measured:", reason,
                            "iosweep help %s explains it", reason);
    }
    if (build->device_asked)
        return error_refuse(build->err, STATUS_TARGET, "nothing can be measured with",
                            "--cache device",
                            "it needs a device, O_DIRECT and sizes from 512 B on");
    return error_refuse(build->err, STATUS_USAGE, "nothing is left to measure", NULL,
                        "existing files are only written with --overwrite, block devices with "
                        "--destroy-data");
}

int plan_make(const struct settings *settings, const struct plan_known *known,
              struct target *const *targets, struct plan *plan, struct error *err)
{
    struct draft build = {.plan = plan,
                          .run = settings,
                          .known = known,
                          .targets = targets,
                          .err = err,
                          .peers = settings->ranks ? settings->ranks - 1 : 0};

    *plan = (struct plan){.memory_align_max_bytes = 4096,
                          .call_bytes_max = 4096,
                          .buffer_bytes_max = 4096,
                          .threads_max = 1,
                          .depth_max = 1};
    add_parts(&build);
    skip_uncreated(plan);
    if (!build.failed && check_any(&build) == 0 && plan_check_skips(plan, err) == 0 &&
        plan_check_descriptors(plan, settings->target_count, err) == 0)
        return 0;
    plan_free(plan);
    return -1;
}

void plan_free(struct plan *plan)
{
    free(plan->cells);
    memset(plan, 0, sizeof(*plan));
}
