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

#define LABEL_MOST  128 /* longer target names would leave no room for the finding */
#define QUOTA_SHARE 0.5 /* of a quota: above this usage it may have throttled threads */

struct gathered findings_gather(const struct findings *f, unsigned notes, findings_weigh weigh)
{
    struct gathered rows = {.own = true};
    uint64_t on = UINT64_MAX;

    for (unsigned t = 0; t < f->info->settings->target_count; t++)
        for (size_t i = 0; i < f->count; i++) {
            const struct result *row = f->rows[i];
            double weight = 0;
            if (row->cell->target != t || row->state == RESULT_SKIPPED)
                continue;
            rows.measured++;
            rows.caches |= 1u << row->cell->work.cache;
            if ((notes && !(row->notes & notes)) ||
                (weigh && (weight = weigh(f, row)) == UNCONCERNED))
                continue;
            if (rows.count++ == 0)
                rows.target = f->info->targets[t];
            rows.targets += on != t;
            on = t;
            if (!rows.worst || weight > rows.most ||
                (weight >= rows.most && row->cell->index < rows.worst->cell->index)) {
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
    const bool several = (rows->caches & (rows->caches - 1)) != 0;
    char size[UNITS_TEXT], share[TEXT_SHARE];

    if (field[0] >= '1' && field[0] <= '0' + TERMS)
        text_add(text, FINDING_TEXT, "", "%s", terms[field[0] - '1']);
    else if (first < length && (field[first] == '|' ? rows->count : rows->targets) == 1)
        text_add(text, FINDING_TEXT, "", "%.*s", (int)first, field);
    else if (first < length)
        text_add(text, FINDING_TEXT, "", "%.*s", (int)(length - first - 1), field + first + 1);
    else if (strncmp(field, "rows", length) == 0)
        text_add(text, FINDING_TEXT, "", "%zu row%s", rows->count, findings_plural(rows->count));
    else if (strncmp(field, "share", length) == 0)
        text_add(text, FINDING_TEXT, "", "%s",
                 text_share(rows->count, rows->measured, "row", share));
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
        text_add(text, FINDING_TEXT, "", "%s%s%s of %s",
                 several ? cache_names[rows->worst->cell->work.cache] : "", several ? " " : "",
                 test_table[cell_test(rows->worst->cell)].plural,
                 units_format_size(findings_size(rows->worst), size));
}

void findings_expand(const char *sentence, const struct gathered *rows, findings_terms terms,
                     char *text)
{
    for (const char *at = sentence; *at; at++) {
        const size_t plain = strcspn(at, "{"), length = strcspn(at, "}");

        text_add(text, FINDING_TEXT, "", "%.*s", (int)plain, at);
        if (at[plain] == '\0')
            break;
        add_field(at + plain + 1, length - plain - 1, rows, terms, text);
        at += length;
    }
}

bool findings_limit(const struct findings *f, const struct result *row, char *text)
{
    const struct facts *facts = f->facts;
    const size_t target = row->cell->target;
    const char *io = facts && target < facts->count ? facts->targets[target].io_limits : "";
    const double quota = facts ? facts->host.cpus_quota : 0;
    /* used by the threads of the row, mean; unknown of ranks, which can be on several hosts */
    const double used = row->sum.time_ns > 0 && row->rank_count == 0
                            ? (double)row->sum.cpu_ns / (double)row->sum.time_ns
                            : 0;

    if (io[0] && strcmp(io, "none") != 0)
        snprintf(text, FINDINGS_LIMIT_TEXT, "limited by a control group: %s", io);
    else if (quota > 0 && quota < facts->host.cpus && used >= QUOTA_SHARE * quota)
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
    static const struct rule *const subjects[] = {findings_of_files, findings_of_servers};
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

    if ((rows.count == 0 && !of_run) || (rule->of_load && f->busy == BUSY_YES) ||
        (rule->fill && !rule->fill(f, &rows, terms)))
        return false;
    text[0] = '\0';
    findings_expand(rule->sentence, &rows, terms, text);
    return true;
}

/* --- other load on the machine --- */

#define FULL        0.8 /* of the processors: above this, a thread that wakes up may have to wait */
#define OTHERS_MUCH 0.2 /* of the processors */
#define STEAL_MUCH  0.2 /* of the processor time that the machine requested from its host */
#define LITTLE      0.1 /* of either */

/* The share of the time that the virtual machine wanted. */
static double stolen_share(const struct processor_shares *shares)
{
    const double wanted =
        fmax(0, shares->own) + fmax(0, shares->others) + fmax(0, shares->kernel) + shares->steal;

    return shares->steal > 0 ? shares->steal / wanted : 0;
}

enum busy busy_judge(const struct run_use *use, uint64_t threads)
{
    const double stolen = stolen_share(&use->shares), cpus = use->shares.count;

    if (use->shares.count == 0 || use->shares.others < 0)
        return BUSY_NOT_KNOWN;
    if (stolen >= STEAL_MUCH || (use->others_most >= OTHERS_MUCH &&
                                 use->others_most * cpus + (double)threads > FULL * cpus))
        return BUSY_YES;
    return use->others_most < LITTLE && stolen < LITTLE ? BUSY_QUIET : BUSY_SOMEWHAT;
}

char *busy_tell(const struct run_use *use, char *text)
{
    const double stolen = stolen_share(&use->shares);
    const bool by_far = use->others_most > use->shares.others + LITTLE;

    if (stolen >= STEAL_MUCH && stolen > use->others_most)
        snprintf(text, BUSY_TEXT, "its host withheld %.0f %% of the processor time it needed",
                 100 * stolen);
    else
        snprintf(text, BUSY_TEXT, "other programs used %s%.0f %% of the processor%s",
                 by_far ? "up to " : "", 100 * (by_far ? use->others_most : use->shares.others),
                 use->shares.count == 1 ? "" : "s");
    return text;
}

/* --- the sink --- */

static int findings_end(void *arg, struct error *err)
{
    struct findings *f = arg;
    char text[FINDING_TEXT];
    uint32_t threads = 0;
    int shown = 0;
    bool warned = false;
    (void)err;
    f->rows = f->info->rows;
    f->count = *f->info->row_count;
    for (size_t i = 0; i < f->count; i++)
        if (f->rows[i]->state != RESULT_SKIPPED && f->rows[i]->cell->threads > threads)
            threads = f->rows[i]->cell->threads;
    f->busy = busy_judge(f->info->use, threads);
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

int format_make_findings(struct facts *facts, bool brief, struct findings_list *list,
                         struct sink *sink)
{
    struct findings *f = mem_calloc(1, sizeof(*f));
    f->facts = facts;
    f->brief = brief;
    f->state.release = free;
    f->list = list;
    *sink = (struct sink){.begin = findings_begin, .end = findings_end, .arg = f};
    return 0;
}
