/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_verdict.c - the sentences that a report begins with: analysis/verdict.c on what the files
 * have of each target. */
#include "base/compat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/report/report_parts.h"
#include "analysis/verdict.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/mem.h"
#include "base/number.h"

#define NAME_BYTES 321

/* --- facts of a target ---------------------------------------------------------------------- */

const char *report_target_fact(const struct results *results, const char *target, const char *name)
{
    for (unsigned n = 0;; n++) {
        char key[64];
        const char *known;
        snprintf(key, sizeof(key), "targets.%u.target", n);
        known = results_fact(results, key);
        if (known[0] == '\0')
            return "";
        if (!report_is_name(target, known))
            continue;
        snprintf(key, sizeof(key), "targets.%u.%s", n, name);
        return results_fact(results, key);
    }
}

/* -1: not known. */
static double number_fact(const struct results *results, const char *name)
{
    double value = -1;

    number_read_real(results_fact(results, name), &value);
    return value;
}

static bool is_true(const char *fact)
{
    return strcmp(fact, "true") == 0;
}

static enum verdict_kind kind_of(const struct results *results, const struct results_row *row)
{
    if (is_true(report_target_fact(results, row->target, "in_memory")))
        return VERDICT_TMPFS;
    if (!isnan(report_column(row, "requests")))
        return VERDICT_OBJECTS;
    return report_target_fact(results, row->target, "network_options")[0] != '\0' ? VERDICT_NETWORK
                                                                                  : VERDICT_LOCAL;
}

/* --- rows ----------------------------------------------------------------------------------- */

static bool has_note(const char *notes, const char *word)
{
    const size_t length = strlen(word);

    for (const char *s = notes; (s = strstr(s, word)) != NULL; s += length)
        if ((s == notes || s[-1] == ';') && (s[length] == '\0' || s[length] == ';'))
            return true;
    return false;
}

static enum verdict_path path_of(const struct results_row *row, enum verdict_kind kind)
{
    static const char *const others[] = {"unwritten", "cache_hits", "not_cached",
                                         "nocache",   "covered",    "rmw"};

    if (kind == VERDICT_TMPFS)
        return VERDICT_MEMORY;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (has_note(row->notes, others[i]))
            return VERDICT_OTHER;
    if (kind == VERDICT_OBJECTS || strcmp(row->cache, "direct") == 0)
        return VERDICT_DEVICE;
    if (strcmp(row->cache, "cached") == 0)
        return VERDICT_MEMORY;
    return strcmp(row->cache, "uncached") == 0 && strcmp(row->test, "read") == 0 ? VERDICT_DEVICE
                                                                                 : VERDICT_OTHER;
}

static const char *text_column(const struct results_row *row, const char *name)
{
    const struct results_whole *whole = row->whole;

    for (size_t i = 0; whole && i < whole->value_count; i++)
        if (strcmp(whole->values[i].name, name) == 0 && whole->values[i].text)
            return whole->values[i].text;
    return "";
}

/* Its time was over too early; it may have figures all the same. */
static bool is_cut(const struct results_row *row)
{
    return row->incomplete && strcmp(text_column(row, "stop"), "time") == 0;
}

static struct verdict_row take_row(const struct results_row *row, enum verdict_kind kind)
{
    const struct report_point point = report_take_point(row);
    const double p50 = point.latency_ns[REPORT_P50], p99 = point.latency_ns[REPORT_P99];

    return (struct verdict_row){
        .writes = strcmp(row->test, "write") == 0,
        .path = path_of(row, kind),
        .size_bytes = row->size_bytes,
        .alone = row->threads == 1 && row->depth == 1 && row->ranks == 1,
        .latency_ns = p50 > 0 ? p50 : point.op_ns,
        .p50_known = p50 > 0,
        .p99_ns = p99 > 0 ? p99 : 0,
        /* those of all of its time, as the run itself judges, and not of the typical round */
        .rate_per_s = row->rate_per_s > 0 ? row->rate_per_s : 0,
        .throughput_bytes_per_s = row->throughput_bytes_per_s > 0 ? row->throughput_bytes_per_s : 0,
        .half_width = point.half_width > 0           ? point.half_width
                      : has_note(row->notes, "wide") ? 1 /* too few rounds for an interval */
                                                     : 0,
    };
}

static bool is_of(const struct results_curve *curve, const struct results *results,
                  const char *target)
{
    const struct results_row *row = curve->rows[0];

    return curve->file == results && strcmp(row->target, target) == 0 &&
           row->mix == RESULTS_NO_MIX &&
           (strcmp(row->test, "read") == 0 || strcmp(row->test, "write") == 0);
}

/* All of them, not only those that are shown. */
static size_t take_rows(const struct report *report, const struct results_curve *first,
                        enum verdict_kind kind, struct verdict_row *rows)
{
    size_t count = 0;

    for (size_t i = 0; i < report->curve_count; i++) {
        const struct results_curve *curve = &report->curves[i];
        if (!is_of(curve, first->file, first->rows[0]->target))
            continue;
        for (size_t k = 0; k < curve->count; k++)
            if (!curve->rows[k]->incomplete ||
                (is_cut(curve->rows[k]) && curve->rows[k]->operations >= VERDICT_JUDGED_LEAST))
                rows[count++] = take_row(curve->rows[k], kind);
    }
    return count;
}

/* Of all rows that were begun for the target of `first`, whatever they test. */
static void count_cut(const struct results_curve *first, unsigned *cut, unsigned *all)
{
    const struct results *results = first->file;

    for (size_t i = 0; i < results->count; i++) {
        const struct results_row *row = &results->rows[i];
        if (row->skipped || strcmp(row->target, first->rows[0]->target) != 0)
            continue;
        ++*all;
        *cut += is_cut(row);
    }
}

/* The threads of the run itself, and how many tasks those may be in the load:
 * the most of any row. */
static void count_own(const struct results *results, struct busy_facts *facts)
{
    const char *sync = results_fact(results, "settings.sync");
    const bool flushes = sync[0] != '\0' && strcmp(sync, "none") != 0;

    for (size_t i = 0; i < results->count; i++) {
        const struct results_row *row = &results->rows[i];
        const unsigned tasks =
            machine_tasks(row->threads, row->depth > 1 ? row->depth : 0, flushes);
        if (row->skipped)
            continue;
        if (row->threads > facts->threads)
            facts->threads = row->threads;
        if (tasks > facts->tasks)
            facts->tasks = tasks;
    }
}

/* -1: not known. */
static double share_fact(const struct results *results, const char *name)
{
    const double percent = number_fact(results, name);

    return percent < 0 ? -1 : percent / 100;
}

static struct busy_facts busy_facts(const struct results *results)
{
    const double load1_end = number_fact(results, "load1_end"),
                 count = number_fact(results, "processors.count");
    struct busy_facts facts = {
        .cpus = (unsigned)fmax(0, fmin(count > 0 ? count : number_fact(results, "host.cpus"), 1e6)),
        .own = share_fact(results, "processors.own_percent"),
        .others = share_fact(results, "processors.others_percent"),
        .others_most = share_fact(results, "processors.others_percent_most"),
        .kernel = share_fact(results, "processors.kernel_percent"),
        .steal = share_fact(results, "processors.steal_percent"),
        .load_before = number_fact(results, "host.load1"),
        .load = load1_end >= 0 ? load1_end : number_fact(results, "host.load1"),
    };

    count_own(results, &facts);
    return facts;
}

/* --- sentences ------------------------------------------------------------------------------ */

static void judge(struct report *report, const struct results_curve *first,
                  struct verdict_row *rows)
{
    const struct results *results = first->file;
    const struct results_row *row = first->rows[0];
    const enum verdict_kind kind = kind_of(results, row);
    char name[NAME_BYTES];
    struct verdict verdict;
    struct verdict_input input = {
        .target = error_printable(row->target, name, sizeof(name)),
        .kind = kind,
        .rotational = is_true(report_target_fact(results, row->target, "rotational")),
        .guest = machine_is_guest(results_fact(results, "host.virtualization")),
        .made = is_true(report_target_fact(results, row->target, "own_files")),
        .reduced_bytes = verdict_reduced(row->notes),
        .busy = busy_facts(results),
        .rows = rows,
        .count = take_rows(report, first, kind, rows),
    };

    count_cut(first, &input.cut, &input.all);
    verdict_make(&input, &verdict);
    if (verdict.what[0] == '\0')
        return;
    report->verdicts[report->verdict_count++] = (struct report_verdict){
        .file = results,
        .what = arena_keep(report->pool, verdict.what),
        .trust = arena_keep(report->pool, verdict.trust),
        .next = arena_keep(report->pool, verdict.next),
    };
}

void report_make_verdicts(struct report *report)
{
    struct verdict_row *rows = mem_calloc(report->row_count + 1, sizeof(*rows));

    report->verdicts = arena_alloc(report->pool, report->curve_count * sizeof(*report->verdicts));
    for (size_t i = 0; i < report->curve_count; i++) {
        const struct results_curve *curve = &report->curves[i];
        bool first = true;
        for (size_t k = 0; k < i; k++)
            first =
                first && (report->curves[k].file != curve->file ||
                          strcmp(report->curves[k].rows[0]->target, curve->rows[0]->target) != 0);
        if (first)
            judge(report, curve, rows);
    }
    free(rows);
}
