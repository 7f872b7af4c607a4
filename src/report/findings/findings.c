/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.c - comments on the rows as an experienced reader would, in at most three sentences of
 * one line, each with the flag to try next.
 *
 * Every finding is a rule, a row of a table in the file of its subject; rules are evaluated in
 * order of weight. This file contains the sink, and formats the sentences. */
#include "base/compat.h"

#include "report/findings/findings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/facts/facts.h"
#include "run/judge.h"

#define LABEL_MOST  128  /* longer target names would leave no room for the finding */
#define P99_LEAST   1000 /* ten operations are above p99: then findings mention it */
#define QUOTA_SHARE 0.5  /* of a quota: above this usage it may have throttled threads */

struct gathered findings_gather(const struct findings *f, unsigned notes, findings_weigh weigh)
{
    struct gathered rows = {.own = true};
    uint64_t on = UINT64_MAX;

    for (unsigned t = 0; t < f->info->settings->target_count; t++)
        for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
            double weight = 0;
            if (row->cell->target != t || (notes && !(row->notes & notes)) ||
                (weigh && (weight = weigh(f, row)) == UNCONCERNED))
                continue;
            if (rows.count++ == 0)
                rows.target = f->info->targets[t];
            rows.targets += on != t;
            on = t;
            if (!rows.worst || weight > rows.most || (weight >= rows.most && row < rows.worst)) {
                rows.worst = row;
                rows.most = weight;
            }
            rows.sum += weight;
            rows.own = rows.own && findings_own(f, row);
        }
    return rows;
}

/* "LABEL", or "LABEL and N other targets". */
static void add_targets(const struct gathered *rows, char *text)
{
    char label[LABEL_MOST];

    if (strlen(rows->target->label) < sizeof(label) / 4)
        error_printable(rows->target->label, label, sizeof(label));
    else
        snprintf(label, sizeof(label), "the target");
    text_add(text, FINDING_TEXT, "", "%s", label);
    if (rows->targets > 1)
        text_add(text, FINDING_TEXT, "", " and %zu other target%s", rows->targets - 1,
                 findings_plural(rows->targets - 1));
}

/* Expands the `length` bytes between braces. */
static void add_field(const char *field, size_t length, const struct gathered *rows,
                      findings_terms terms, char *text)
{
    const size_t first = strcspn(field, "|/}"); /* of two words */
    char size[UNITS_TEXT];

    if (field[0] >= '1' && field[0] <= '0' + TERMS)
        text_add(text, FINDING_TEXT, "", "%s", terms[field[0] - '1']);
    else if (first < length && (field[first] == '|' ? rows->count : rows->targets) == 1)
        text_add(text, FINDING_TEXT, "", "%.*s", (int)first, field);
    else if (first < length)
        text_add(text, FINDING_TEXT, "", "%.*s", (int)(length - first - 1), field + first + 1);
    else if (strncmp(field, "rows", length) == 0)
        text_add(text, FINDING_TEXT, "", "%zu row%s", rows->count, findings_plural(rows->count));
    else if (strncmp(field, "operations", length) == 0)
        text_add(text, FINDING_TEXT, "", "%.0f operation%s", rows->sum,
                 findings_plural((size_t)rows->sum));
    else if (strncmp(field, "sum", length) == 0)
        text_add(text, FINDING_TEXT, "", "%.0f", rows->sum);
    else if (strncmp(field, "targets", length) == 0)
        add_targets(rows, text);
    else if (strncmp(field, "most", length) == 0)
        text_add(text, FINDING_TEXT, "", "%.0f %%", 100 * rows->most);
    else
        text_add(text, FINDING_TEXT, "", "%s of %s",
                 test_table[cell_test(rows->worst->cell)].plural,
                 units_format_size(findings_size(rows->worst), size));
}

/* Expands the terms in braces of a sentence; text: FINDING_TEXT bytes. */
static void expand_sentence(const char *sentence, const struct gathered *rows, findings_terms terms,
                            char *text)
{
    text[0] = '\0';
    for (const char *at = sentence; *at; at++) {
        const size_t plain = strcspn(at, "{"), length = strcspn(at, "}");

        text_add(text, FINDING_TEXT, "", "%.*s", (int)plain, at);
        if (at[plain] == '\0')
            break;
        add_field(at + plain + 1, length - plain - 1, rows, terms, text);
        at += length;
    }
}

bool findings_limit(const struct findings *f, const struct seen *row, char *text)
{
    const struct facts *facts = f->facts;
    const size_t target = row->cell->target;
    const char *io = facts && target < facts->count ? facts->targets[target].io_limits : "";
    const double quota = facts ? facts->host.cpus_quota : 0;

    if (io[0] && strcmp(io, "none") != 0)
        snprintf(text, FINDINGS_LIMIT_TEXT, "limited by a control group: %s", io);
    else if (quota > 0 && quota < facts->host.cpus && row->processors >= QUOTA_SHARE * quota)
        snprintf(text, FINDINGS_LIMIT_TEXT, "limited by a control group: %g processor%s", quota,
                 quota == 1 ? "" : "s");
    else
        return false;
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
    uint64_t p50_ns;
    (void)err;
    f->rows = mem_grow(f->rows, &f->capacity, f->count + 1, sizeof(*f->rows));
    row = &f->rows[f->count++];
    *row = (struct seen){
        .cell = result->cell,
        .state = result->state,
        .stop = result->stop,
        .throughput = columns_throughput(result),
        .rate = columns_rate(result),
        .resident_fraction = result->resident_fraction,
        .hit_share = -1,
        .opening_share = -1,
    };
    if (result->state == RESULT_SKIPPED)
        return 0;
    row->notes = result->notes;
    row->wrong = result->sum.tally.wrong;
    row->failed = result->sum.tally.failed;
    row->operations = result->sum.tally.operations;
    row->done = tally_done(&result->sum.tally);
    if (result->sum.time_ns > 0 && result->rank_count == 0) /* ranks can be on several hosts */
        row->processors = (double)result->sum.cpu_ns / (double)result->sum.time_ns;
    row->op_ns_mean = result->op_ns_mean;
    row->hit_share = judge_hit_share(result);
    row->stall_share = findings_stall_share(&result->sum.tally);
    if (columns_percentile(result, 500, &p50_ns))
        row->latency_ns_p50 = (double)p50_ns;
    row->p99_known = columns_percentile(result, 990, &row->latency_ns_p99) &&
                     hist_total(&result->sum.tally.latency) >= P99_LEAST;
    row->latency_ns_max = (double)result->sum.tally.max_ns;
    if ((result->cell->engine->phases & 1u << PHASE_OPEN) && !result->cell->work.keep_open &&
        result->sum.tally.sum_ns > 0)
        row->opening_share = (double)(result->sum.tally.phase_ns[PHASE_OPEN] +
                                      result->sum.tally.phase_ns[PHASE_CLOSE]) /
                             (double)result->sum.tally.sum_ns;
    findings_see_server(result, row);
    findings_see_ranks(f, result);
    if (result->interval_known && result->rounds > 0) {
        row->op_ns_low = result->op_ns_low;
        row->op_ns_high = result->op_ns_high;
    }
    return 0;
}

void findings_keep(const struct findings *f, bool warning, const char *text)
{
    if (!f->list || f->list->count == FINDINGS_KEPT)
        return;
    f->list->warning[f->list->count] = warning;
    text_copy(f->list->text[f->list->count++], FINDING_KEPT_TEXT, text);
}

/* The rule of the largest weight below `weight`; NULL: none. */
static const struct rule *next_rule(unsigned weight)
{
    static const struct rule *const subjects[] = {findings_of_cache, findings_of_curve,
                                                  findings_of_server, findings_of_team,
                                                  findings_of_time};
    const struct rule *next = NULL;

    for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
        for (const struct rule *rule = subjects[i]; rule->sentence; rule++)
            if (rule->weight < weight && (!next || rule->weight > next->weight))
                next = rule;
    return next;
}

static bool rule_applies(const struct findings *f, const struct rule *rule, char *text)
{
    const bool of_run = !rule->notes && !rule->weigh;
    const struct gathered rows =
        of_run ? (struct gathered){.own = true} : findings_gather(f, rule->notes, rule->weigh);
    findings_terms terms = {""};

    if ((rows.count == 0 && !of_run) || (rule->of_load && busy_is(&f->busy)) ||
        (rule->fill && !rule->fill(f, &rows, terms)))
        return false;
    expand_sentence(rule->sentence, &rows, terms, text);
    return true;
}

/* The number of tasks of a cell that may count in the machine's load: its threads, the kernel
 * threads that an asynchronous engine may need for operations in flight, and two that write back
 * data it flushes. */
static unsigned tasks_of(const struct cell *cell)
{
    const uint32_t depth = cell->work.depth;

    return cell->threads * (engine_in_flight(cell->engine, depth) ? depth + 1 : 1) +
           (cell->work.sync != SYNC_NONE ? 2 : 0);
}

/* Judges by the shares of the processors or, if unknown, by the load. */
static void look_at_machine(struct findings *f)
{
    const struct run_use *use = f->info ? f->info->use : NULL;
    struct hostinfo host;

    f->busy = (struct busy_facts)BUSY_UNKNOWN;
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
        if (row->state == RESULT_SKIPPED)
            continue;
        if (row->cell->threads > f->busy.threads)
            f->busy.threads = row->cell->threads;
        if (tasks_of(row->cell) > f->busy.tasks)
            f->busy.tasks = tasks_of(row->cell);
    }
    if (use && use->shares.count > 0) {
        f->busy.cpus = use->shares.count;
        f->busy.own = use->shares.own;
        f->busy.others = use->shares.others;
        f->busy.others_most = use->others_most;
        f->busy.kernel = use->shares.kernel;
        f->busy.steal = use->shares.steal;
        return;
    }
    hostinfo_read("", &host);
    f->busy.load = host.load1;
    f->busy.cpus = host.cpus;
    f->busy.load_before = f->facts ? f->facts->host.load1 : -1;
}

static int findings_end(void *arg, struct error *err)
{
    struct findings *f = arg;
    char text[FINDING_TEXT];
    int shown = 0;
    bool warned = false;
    (void)err;
    if (f->busy.cpus == 0) /* tests have set it */
        look_at_machine(f);
    for (const struct rule *rule = next_rule(UINT_MAX); rule && shown < FINDINGS_MOST && f->count;
         rule = next_rule(rule->weight))
        if ((rule->serious || !f->brief) && rule_applies(f, rule, text)) {
            log_named("finding", "%s", text);
            findings_keep(f, rule->warning, text);
            warned = warned || (rule->warning && !f->brief);
            shown++;
        }
    if (!f->no_verdict)
        findings_verdict(f, warned);
    return 0;
}

static void findings_release(void *state)
{
    struct findings *f = state;
    free(f->rows);
    free(f->ranks);
    free(f);
}

int format_make_findings(struct facts *facts, bool brief, struct findings_list *list,
                         struct sink *sink)
{
    struct findings *f = mem_calloc(1, sizeof(*f));
    f->facts = facts;
    f->brief = brief;
    f->state.release = findings_release;
    f->list = list;
    *sink =
        (struct sink){.begin = findings_begin, .row = findings_row, .end = findings_end, .arg = f};
    return 0;
}
