/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* findings.c - what an experienced reader would say about the rows, at most five sentences of one
 * line, each with the flag to try next.
 *
 * Every finding is a rule that looks at all rows and either writes its sentence or not; they are
 * asked in the order of how much they change the meaning of the figures.  Here are the sink, that
 * order, and the rules about how well the measuring went. */
#include "base/compat.h"

#include "report/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "report/facts/facts.h"
#include "run/judge.h"

#define P99_LEAST 1000 /* ten operations are above it: then findings speak of it */

void findings_gather(const struct findings *f, struct gathered *rows, const struct seen *row,
                     double weight)
{
    if (rows->count++ == 0 || weight > rows->most) {
        rows->worst = row;
        rows->most = weight;
    }
    rows->sum += weight;
    rows->own = rows->own && findings_own(f, row);
}

/* Those that have one of the notes, all of one weight. */
static struct gathered gather_notes(const struct findings *f, unsigned notes)
{
    struct gathered rows = {.own = true};
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->notes & notes)
            findings_gather(f, &rows, row, 0);
    return rows;
}

static size_t count_notes(const struct findings *f, unsigned notes)
{
    return gather_notes(f, notes).count;
}

char *findings_row_text(const struct seen *row, char *text)
{
    char size[UNITS_TEXT];
    snprintf(text, FINDINGS_ROW_TEXT, "%s of %s", test_table[cell_test(row->cell)].plural,
             units_format_size(row->cell->work.size_bytes, size));
    return text;
}

static bool find_errors(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    char host[96];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->failed > 0)
            findings_gather(f, &rows, row, (double)row->failed);
    if (rows.count == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "%.0f operation%s failed in %zu row%s%s; only their time is counted; --max-errors 1 stops "
        "at the first",
        rows.sum, findings_plural((size_t)rows.sum), rows.count, findings_plural(rows.count),
        findings_failing_host(f, host, sizeof(host)));
    return true;
}

bool findings_is_busy(const struct findings *f)
{
    return busy_is(&f->busy);
}

bool findings_unsteady(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const size_t drifting = count_notes(f, NOTE_DRIFT);
    size_t measured = 0;
    char size[UNITS_TEXT], percent[48] = "";
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++) {
        measured += row->state != RESULT_SKIPPED;
        if (row->notes & (NOTE_WIDE | NOTE_DRIFT))
            findings_gather(f, &rows, row, row->half_width);
    }
    if (rows.count == 0)
        return false;
    if (rows.most > 0)
        snprintf(percent, sizeof(percent), " %s%.1f %%", utf8_wanted() ? "\302\261" : "+-",
                 rows.most * 100);
    snprintf(text, FINDING_TEXT, "%zu of %zu row%s %s not steady (%s%s of %s%s%s)", rows.count,
             measured, findings_plural(measured), rows.count == 1 ? "is" : "are",
             rows.count == 1 ? "" : "worst: ", test_names[cell_test(rows.worst->cell)],
             units_format_size(rows.worst->cell->work.size_bytes, size), percent,
             drifting == 0     ? ""
             : rows.count == 1 ? "; it drifts"
                               : "; some drift");
    return true;
}

bool findings_wide(const struct findings *f, char *text)
{
    if (findings_is_busy(f) || !findings_unsteady(f, text))
        return false;
    strcat(text, "; try a longer --time or more --rounds");
    return true;
}

static bool find_small(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_COVERED | NOTE_RMW), rmw = count_notes(f, NOTE_RMW);
    if (n == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "%zu row%s below the O_DIRECT block size moved whole blocks%s; --small skip leaves such "
        "rows out",
        n, findings_plural(n), rmw > 0 ? " (writes: read-modify-write)" : "");
    return true;
}

/* Where no data are moved the clock is most of an operation, and nothing is wrong. */
static bool find_timer(const struct findings *f, char *text)
{
    size_t n = 0;
    char cost[UNITS_TEXT];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        n += (row->notes & NOTE_TIMER) && !findings_virtual(row);
    if (n == 0)
        return false;
    snprintf(
        text, FINDING_TEXT,
        "reading the clock (%s) takes more than 5 %% of an operation in %zu row%s; compare with "
        "--engine null",
        units_format_time(f->info->clock.cost_ns, cost), n, findings_plural(n));
    return true;
}

static bool is_beyond_file(const struct seen *row)
{
    return row->state == RESULT_SKIPPED && row->cell->skip &&
           (strcmp(row->cell->skip, "beyond_file") == 0 ||
            strcmp(row->cell->skip, "partial_block") == 0);
}

/* The largest size that all targets with such rows can do; O_DIRECT moves whole blocks. */
static uint64_t size_within_files(const struct findings *f)
{
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        const struct target *target = findings_target(f, row);
        uint64_t most = target->length_bytes[0];
        if (!is_beyond_file(row))
            continue;
        if (row->cell->work.cache == CACHE_DIRECT && target->direct_align_bytes > 1)
            most -= most % target->direct_align_bytes;
        least = most < least ? most : least;
    }
    return least;
}

/* Files that are there are as long as they are. */
static void advise_beyond_file(const struct findings *f, char *text, size_t size)
{
    char most[UNITS_TEXT];
    uint64_t within = size_within_files(f);
    /* the option that sets the length of objects, where --file-size does not */
    const char *other = NULL;
    bool own = true, files = false;
    for (size_t i = 0; i < f->count; i++) {
        const struct seen *row = &f->rows[i];
        if (!is_beyond_file(row))
            continue;
        own = own && findings_own(f, row);
        if (target_can(findings_target(f, row), TARGET_SHAPED))
            files = true;
        else
            other = target_length_option(findings_target(f, row)->driver);
    }
    if (own)
        snprintf(text, size, "raise %s%s%s or lower --max-size", files ? "--file-size" : "",
                 files && other ? " and " : "", other ? other : "");
    else if (within > 0)
        snprintf(text, size, "use --max-size %s or less", findings_format_option(within, most));
    else
        snprintf(text, size, "choose a larger TARGET");
}

/* The reason is the one of the first skipped row; the rows themselves name all. */
static bool find_skipped(const struct findings *f, char *text)
{
    struct gathered rows = {.own = true};
    const struct seen *first;
    const char *reason;
    char advice[96];
    for (const struct seen *row = f->rows; row < f->rows + f->count; row++)
        if (row->state == RESULT_SKIPPED)
            findings_gather(f, &rows, row, 0);
    if (rows.count == 0)
        return false;
    first = rows.worst;
    reason = first->cell->skip ? first->cell->skip : "unknown";
    if (is_beyond_file(first))
        advise_beyond_file(f, advice, sizeof(advice));
    else if (strcmp(reason, "below_alignment") == 0)
        snprintf(advice, sizeof(advice), "--small cover measures them with whole blocks");
    else
        snprintf(advice, sizeof(advice), "--dry-run shows the plan");
    snprintf(text, FINDING_TEXT, "%zu row%s skipped (%s); %s", rows.count,
             rows.count == 1 ? " was" : "s were", reason, advice);
    return true;
}

static bool find_unfair(const struct findings *f, char *text)
{
    size_t n = count_notes(f, NOTE_UNFAIR);
    char slow[FINDING_TEXT];
    if (n == 0 || findings_slow_rank(f, slow)) /* no matter of threads */
        return false;
    snprintf(text, FINDING_TEXT,
             "in %zu row%s one thread did more than twice the work of another (unfair); try fewer "
             "--threads",
             n, findings_plural(n));
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
    f->rows = mem_grow(f->rows, &f->capacity, f->count + 1, sizeof(*f->rows));
    row = &f->rows[f->count++];
    *row = (struct seen){
        .cell = result->cell,
        .state = result->state,
        .stop = result->stop,
        .throughput = columns_throughput(result),
        .rate = columns_rate(result),
        .submit_fraction = columns_submit_fraction(result),
        .helper_fraction = columns_helper_fraction(result),
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
    row->in_flight = judge_in_flight(result);
    row->speed_low_ns = result->speed_low_ns;
    row->speed_high_ns = result->speed_high_ns;
    row->failed_share = judge_failed_share(result);
    row->op_ns_mean = result->op_ns_mean;
    row->hit_share = judge_hit_share(result);
    row->stall_share = findings_stall_share(&result->sum.tally);
    row->stalled = findings_stalled(result);
    row->latency_ns_p50 = (double)hist_quantile_ns(&result->sum.tally.latency, 0.5);
    row->p99_known = columns_percentile(result, 990, &row->latency_ns_p99) &&
                     hist_total(&result->sum.tally.latency) >= P99_LEAST;
    row->latency_ns_max = (double)result->sum.tally.max_ns;
    if ((result->cell->engine->phases & 1u << PHASE_OPEN) && !result->cell->work.keep_open &&
        result->sum.tally.sum_ns > 0)
        row->opening_share = (double)(result->sum.tally.phase_ns[PHASE_OPEN] +
                                      result->sum.tally.phase_ns[PHASE_CLOSE]) /
                             (double)result->sum.tally.sum_ns;
    findings_see_rpc(result, &row->rpc);
    findings_see_requests(result, &row->requests);
    findings_see_ranks(f, result, &row->team);
    if (result->interval_known && result->rounds > 0 && result->op_ns_mean > 0)
        row->half_width = (result->op_ns_high - result->op_ns_low) / 2 / result->op_ns_mean;
    return 0;
}

void findings_tell(const struct findings *f, const char *kind, const char *text)
{
    log_named(kind, "%s", text);
    if (f->list && f->list->count < FINDINGS_KEPT)
        text_copy(f->list->text[f->list->count++], FINDING_KEPT_TEXT, text);
}

typedef bool (*rule)(const struct findings *f, char *text);

/* What other load does to rows: left out where findings_busy has named the cause. */
static bool is_of_load(rule asked)
{
    static const rule of_load[] = {findings_speed, findings_stalls, findings_apart, findings_wide,
                                   find_unfair};

    for (size_t i = 0; i < sizeof(of_load) / sizeof(of_load[0]); i++)
        if (asked == of_load[i])
            return true;
    return false;
}

static void ask(const struct findings *f, const rule *rules, size_t count)
{
    char text[FINDING_TEXT];
    bool busy = false;
    int shown = 0;
    for (size_t i = 0; i < count && f->count > 0 && shown < FINDINGS_MOST; i++) {
        if ((busy && is_of_load(rules[i])) || !rules[i](f, text))
            continue;
        findings_tell(f, "finding", text);
        busy = busy || rules[i] == findings_busy;
        shown++;
    }
}

/* By the shares of the processors; where those are not known, by the load. */
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
        if (facts_tasks(row->cell) > f->busy.tasks)
            f->busy.tasks = facts_tasks(row->cell);
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

/* What a verdict must not be read without. */
static const rule serious[] = {findings_wrong,     find_errors,          findings_failed_time,
                               findings_slow_rank, findings_ranks_apart, findings_slow_down,
                               findings_retries,   findings_resent,      findings_unwritten,
                               findings_zeros};

static int findings_end(void *arg, struct error *err)
{
    static const rule rules[] = {
        findings_busy,
        findings_wrong,
        find_errors,
        findings_failed_time,
        findings_slow_rank,
        findings_ranks_apart,
        findings_hosts_differ,
        findings_drained,
        findings_speed,
        findings_rate,
        findings_slow_down,
        findings_held_back,
        findings_connections,
        findings_retries,
        findings_resent,
        findings_unwritten,
        findings_zeros,
        findings_in_memory,
        findings_cache_hits,
        findings_below,
        findings_page_cache,
        findings_uncached_writes,
        findings_asis,
        findings_not_cached,
        findings_submit,
        findings_punted,
        findings_client,
        findings_opens,
        findings_queue,
        findings_stalls,
        findings_apart,
        findings_wide,
        findings_opening,
        findings_first_byte,
        findings_fit,
        findings_knees,
        findings_depth,
        find_small,
        find_timer,
        find_skipped,
        find_unfair,
        findings_clocks,
    };
    struct findings *f = arg;
    (void)err;
    if (f->busy.cpus == 0) /* tests have set it */
        look_at_machine(f);
    if (!f->brief) {
        ask(f, rules, sizeof(rules) / sizeof(rules[0]));
        return 0;
    }
    ask(f, serious, sizeof(serious) / sizeof(serious[0]));
    findings_verdict(f);
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
