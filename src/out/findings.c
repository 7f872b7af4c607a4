/* SPDX-License-Identifier: GPL-2.0-or-later */
/* findings.c - what an experienced reader would say about the rows, at most five sentences of one
 * line, each with the flag to try next.
 *
 * Every finding is a function that looks at all rows and either writes its sentence or not; they
 * are asked in the order of how much they change the meaning of the figures. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "out/print.h"

#define FINDINGS_MOST 5
#define FINDING_TEXT  400

struct seen { /* what is kept of a row: the result is not ours */
    const struct cell *cell;
    enum result_state state;
    unsigned notes;
    uint64_t failed, operations;
    double throughput; /* negative: not known */
    double half_width; /* of the interval, as a share of the median; 0: not known */
};

struct findings {
    struct print_state state;
    const struct run_info *info;
    struct seen *rows;
    size_t count, capacity;
};

static size_t count_notes(const struct findings *f, unsigned notes)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += (f->rows[i].notes & notes) != 0;
    return n;
}

static const struct store *store_of(const struct findings *f, const struct seen *row)
{
    return f->info->stores[row->cell->target];
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static bool find_errors(const struct findings *f, char *text)
{
    uint64_t failed = 0;
    size_t rows = 0;
    for (size_t i = 0; i < f->count; i++) {
        failed += f->rows[i].failed;
        rows += f->rows[i].failed > 0;
    }
    if (failed == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%" PRIu64
             " operation%s failed in %zu row%s and %s in no figure; --max-errors 1 stops "
             "at the first",
             failed, plural((size_t)failed), rows, plural(rows), failed == 1 ? "is" : "are");
    return true;
}

static bool find_cache_hits(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_CACHE_HITS);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%zu row%s meant for the device %s served from memory: the figures are not the "
             "device's; try --cache direct, or a larger --file-size",
             n, plural(n), n == 1 ? "was" : "were");
    return true;
}

/* Rows of --cache cached on real files, whose figures are easily taken for those of a disk. */
static bool find_page_cache(const struct findings *f, char *text)
{
    size_t cached = 0, in_memory = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        bool counts = row->cell->work.cache == CACHE_CACHED && row->operations > 0 &&
                      !(row->cell->engine->capabilities & ENGINE_VIRTUAL) &&
                      store_of(f, row)->name != NULL && !(row->notes & NOTE_NOT_CACHED);
        cached += counts;
        in_memory += counts && store_of(f, row)->in_memory;
    }
    if (cached == 0)
        return false;
    if (in_memory == cached)
        snprintf(text, FINDING_TEXT,
                 "the target lives in memory: there is no device below; name another TARGET to "
                 "measure one");
    else
        snprintf(text, FINDING_TEXT,
                 "rows with cache=cached are page cache speeds; use -b (--cache direct) for the "
                 "device");
    return true;
}

static bool find_not_cached(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_NOT_CACHED);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%zu cached row%s came partly from storage: memory does not hold the files; try a "
             "smaller --file-size",
             n, plural(n));
    return true;
}

static bool find_wide(const struct findings *f, char *text)
{
    const unsigned unsteady = NOTE_WIDE | NOTE_DRIFT | NOTE_CORRELATED;
    size_t n = count_notes(f, unsteady), drifting = count_notes(f, NOTE_DRIFT);
    const struct seen *worst = NULL;
    char size[UNITS_TEXT], percent[48] = "";
    if (n == 0)
        return false;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if ((row->notes & unsteady) && (worst == NULL || row->half_width > worst->half_width))
            worst = row;
    }
    if (worst->half_width > 0)
        snprintf(percent, sizeof(percent), " +-%.1f %%", worst->half_width * 100);
    snprintf(text, FINDING_TEXT,
             "%zu of %zu rows are not steady (worst: %s of %s%s%s); try a longer --time or more "
             "--rounds on an idle machine",
             n, f->count, columns_test_name(worst->cell->work.test),
             units_format_size(worst->cell->work.size_bytes, size), percent,
             drifting > 0 ? "; some drift" : "");
    return true;
}

/* Rows that differ in size only. */
static bool same_series(const struct cell *a, const struct cell *b)
{
    return a->work.test == b->work.test && a->work.cache == b->work.cache &&
           a->target == b->target && a->engine == b->engine && a->threads == b->threads;
}

/* Smallest size that reaches 90 % of the best throughput of a test, in the series of that best. */
static const struct seen *find_knee(const struct findings *f, enum io_test test,
                                    const struct seen **best, bool *at_end)
{
    const struct seen *knee = NULL;
    unsigned larger = 0;
    *best = NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (row->cell->work.test == test && row->throughput > 0 &&
            (*best == NULL || row->throughput > (*best)->throughput))
            *best = row;
    }
    if (*best == NULL)
        return NULL;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!same_series(row->cell, (*best)->cell) || row->throughput < 0.9 * (*best)->throughput)
            continue;
        if (knee == NULL || row->cell->work.size_bytes < knee->cell->work.size_bytes)
            knee = row;
    }
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        larger += same_series(row->cell, knee->cell) && row->throughput > 0 &&
                  row->cell->work.size_bytes > knee->cell->work.size_bytes;
    }
    *at_end = larger == 0;
    return knee;
}

/* The largest I/O size that fits every target: each has its longest object first. */
static uint64_t shortest_longest_bytes(const struct run_info *info)
{
    uint64_t least = UINT64_MAX;
    for (unsigned i = 0; i < info->settings->target_count; i++)
        if (info->stores[i]->length_bytes[0] < least)
            least = info->stores[i]->length_bytes[0];
    return least;
}

static bool find_knees(const struct findings *f, char *text)
{
    bool at_end = false, any = false;
    size_t used =
        (size_t)snprintf(text, FINDING_TEXT, "90 %% of the best throughput is reached by");
    uint64_t next_bytes = 0;
    for (int test = 0; test < TEST_COUNT; test++) {
        char size[UNITS_TEXT], throughput[UNITS_TEXT];
        const struct seen *best = NULL, *knee;
        bool end = false;
        knee = find_knee(f, (enum io_test)test, &best, &end);
        if (knee == NULL)
            continue;
        used += (size_t)snprintf(text + used, FINDING_TEXT - used, "%s %ss of %s (best %s)",
                                 any ? "," : "", columns_test_name((enum io_test)test),
                                 units_format_size(knee->cell->work.size_bytes, size),
                                 units_format_throughput(best->throughput, throughput));
        any = true;
        if (end && knee->cell->work.size_bytes > next_bytes)
            next_bytes = knee->cell->work.size_bytes;
        at_end = at_end || end;
    }
    if (at_end && next_bytes <= UINT64_MAX / 64 &&
        next_bytes * 16 > shortest_longest_bytes(f->info) && !f->info->settings->existing)
        snprintf(text + used, FINDING_TEXT - used,
                 "; still growing: try --max-size %" PRIu64 " with --file-size %" PRIu64,
                 next_bytes * 16, next_bytes * 64);
    else if (at_end && next_bytes <= UINT64_MAX / 64)
        snprintf(text + used, FINDING_TEXT - used, "; still growing: try --max-size %" PRIu64,
                 next_bytes * 16);
    else
        snprintf(text + used, FINDING_TEXT - used, "; --factor or --sizes looks closer");
    return any;
}

static bool find_small(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_COVERED | NOTE_RMW), rmw = count_notes(f, NOTE_RMW);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "%zu row%s smaller than O_DIRECT allows moved whole blocks%s; --small skip leaves "
             "such rows out",
             n, n == 1 ? "" : "s", rmw > 0 ? ", writes read and wrote them back" : "");
    return true;
}

static bool find_timer(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_TIMER);
    char cost[UNITS_TEXT];
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "reading the clock (%s) is more than 5 %% of an operation in %zu row%s; compare with "
             "--engine null",
             units_format_time(f->info->clock.cost_ns, cost), n, plural(n));
    return true;
}

/* The reason is the one of the first skipped row; the rows themselves name all. */
static bool find_skipped(const struct findings *f, char *text)
{
    const char *reason = NULL, *advice;
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->rows[i].state != RESULT_SKIPPED)
            continue;
        n++;
        if (reason == NULL)
            reason = f->rows[i].cell->skip;
    }
    if (n == 0)
        return false;
    if (reason == NULL)
        reason = "unknown";
    if (strcmp(reason, "beyond_file") == 0)
        advice = "raise --file-size or lower --max-size";
    else if (strcmp(reason, "below_alignment") == 0)
        advice = "--small cover measures them with whole blocks";
    else
        advice = "--dry-run shows the plan";
    snprintf(text, FINDING_TEXT, "%zu row%s skipped (%s); %s", n, n == 1 ? " was" : "s were",
             reason, advice);
    return true;
}

static bool find_unfair(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_UNFAIR);
    if (n == 0)
        return false;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s one thread did more than twice the work of another; try fewer "
             "--threads",
             n, plural(n));
    return true;
}

static int findings_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct findings *f = arg;
    (void)err;
    f->info = info;
    return 0;
}

static int findings_row(void *arg, const struct result *result, struct error *err)
{
    struct findings *f = arg;
    struct seen *row;
    (void)err;
    if (f->count == f->capacity) {
        f->capacity = f->capacity > 0 ? f->capacity * 2 : 64;
        f->rows = mem_realloc_array(f->rows, f->capacity, sizeof(*f->rows));
    }
    row = &f->rows[f->count++];
    *row = (struct seen){
        .cell = result->cell, .state = result->state, .throughput = columns_throughput(result)};
    if (result->state == RESULT_SKIPPED)
        return 0;
    row->notes = result->notes;
    row->failed = result->tally.failed;
    row->operations = result->tally.operations;
    if (result->interval_known && result->rounds > 0 && result->op_ns_median > 0)
        row->half_width = (result->op_ns_high - result->op_ns_low) / 2 / result->op_ns_median;
    return 0;
}

static int findings_end(void *arg, struct error *err)
{
    static bool (*const finders[])(const struct findings *, char *) = {
        find_errors, find_cache_hits, find_page_cache, find_not_cached, find_wide,
        find_knees,  find_small,      find_timer,      find_skipped,    find_unfair,
    };
    const struct findings *f = arg;
    char text[FINDING_TEXT];
    int shown = 0;
    (void)err;
    for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]) && shown < FINDINGS_MOST; i++) {
        if (f->count > 0 && finders[i](f, text)) {
            log_info("# finding: %s", text);
            shown++;
        }
    }
    return 0;
}

static void findings_release(void *state)
{
    struct findings *f = state;
    free(f->rows);
    free(f);
}

int format_make_findings(struct sink *sink)
{
    struct findings *f = mem_calloc(1, sizeof(*f));
    f->state.release = findings_release;
    *sink =
        (struct sink){.begin = findings_begin, .row = findings_row, .end = findings_end, .arg = f};
    return 0;
}
