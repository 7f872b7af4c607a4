/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* columns_get.c - columns selected by name, and the value of a column in a row: whether it exists,
 * and its computation from the source in the table. */
#include "base/compat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/columns/columns.h"

/* --- selection --- */

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

const struct column *columns_find(const char *name, size_t length)
{
    const struct column *column = columns_table;

    while (column->name && !is_word(column->name, name, length))
        column++;
    return column->name ? column : NULL;
}

/* Appends the index of the column of that name, or those of a word for several, to `selected`, each
 * once. */
static int add_word(unsigned *selected, unsigned *count, const char *word, size_t length, bool team,
                    struct error *err)
{
    const bool all = is_word(COLUMNS_ALL_WORD, word, length);
    const bool by_default = is_word(COLUMNS_DEFAULT_WORD, word, length);
    bool found = all || by_default;
    char text[64];

    for (unsigned i = 0; i < columns_count(); i++) {
        const struct column *column = &columns_table[i];
        const bool usual =
            column->by_default == BY_DEFAULT || (column->by_default == BY_DEFAULT_OF_TEAM && team);
        unsigned at = 0;

        if (!all && !(by_default && usual) && !is_word(column->name, word, length) &&
            !is_word(columns_group_names[column->group], word, length))
            continue;
        found = true;
        while (at < *count && selected[at] != i)
            at++;
        selected[at] = i;
        *count += at == *count;
    }
    if (found)
        return 0;
    snprintf(text, sizeof(text), "%.*s", (int)(length < 60 ? length : 60), word);
    return error_refuse(err, STATUS_USAGE,
                        length > 0 ? "unknown column" : "empty name in --columns", text,
                        "iosweep help columns shows all of them");
}

unsigned *columns_select(const char *list, bool team, unsigned *count, struct error *err)
{
    unsigned *selected = mem_calloc(columns_count(), sizeof(*selected));
    const char *at = list ? list : COLUMNS_DEFAULT_WORD, *word;
    size_t length;

    *count = 0;
    while (text_word(&at, ",", &word, &length))
        if (add_word(selected, count, word, length, team, err) < 0) {
            free(selected);
            *count = 0;
            return NULL;
        }
    return selected;
}

/* --- what is known of a row --- */

/* Whether that phase was timed in each operation of the row. */
static bool has_phase(const struct result *result, enum phase phase)
{
    const struct workload *work = &result->cell->work;

    if (!columns_has_operations(result))
        return false;
    if (phase == PHASE_OPEN && result->sum.requests.opened > 0)
        return true;
    if (!(engine_phases(result->cell->engine, work) & (1u << phase)))
        return false;
    if (!work->keep_open || phase == PHASE_SEEK || phase == PHASE_TRANSFER)
        return true;
    /* With objects kept open, only the flush of --sync end is timed, as close. */
    return phase == PHASE_CLOSE && work->sync == SYNC_END && work->test == TEST_WRITE &&
           result->sum.tally.phase_ns[PHASE_CLOSE] > 0;
}

static bool is_known(unsigned when, const struct result *result)
{
    const struct tally *tally = &result->sum.tally;
    const struct engine_requests *requests = &result->sum.requests;

    return !(when & ~(unsigned)NOT_ZERO) ||
           (columns_is_measured(result) && (!(when & OPERATIONS) || tally->operations > 0) &&
            (!(when & ROUNDS) || result->rounds > 0) && (!(when & SPREAD) || result->rounds > 1) &&
            (!(when & INTERVAL) || result->interval_known) &&
            (!(when & OPEN) || has_phase(result, PHASE_OPEN)) &&
            (!(when & SEEK) || has_phase(result, PHASE_SEEK)) &&
            (!(when & TRANSFER) || has_phase(result, PHASE_TRANSFER)) &&
            (!(when & CLOSE) || has_phase(result, PHASE_CLOSE)) &&
            (!(when & EACH_OPEN) || hist_total(&tally->open) > 0) &&
            (!(when & EACH_CLOSE) || hist_total(&tally->close) > 0) &&
            (!(when & DEVICE) || result->device_known) &&
            (!(when & VERIFIED) || result->cell->verified) && (!(when & CALLS) || result->rpc) &&
            (!(when & REQUESTS) || result->sum.has_requests) &&
            (!(when & CONNECTIONS) || requests->connections > 0 || requests->complete > 0) &&
            (!(when & STATS) || result->sum.found.hits + result->sum.found.misses > 0) &&
            (!(when & LEFT) || result->left_known) && (!(when & RANKS) || result->rank_count > 1));
}

/* --- values --- */

/* Infinite, undefined and negative values count as unknown. */
static void put_real(struct value *value, const struct column *column, double real)
{
    if (!isfinite(real) || real < 0 || ((column->when & NOT_ZERO) && real <= 0))
        return;
    value->kind = VALUE_REAL;
    value->real = real;
    value->decimals = columns_unit_decimals[column->unit];
}

/* Stores an integer: times are in ns, regardless of the unit printed. */
static void put_integer(struct value *value, const struct column *column,
                        const struct result *result, uint64_t integer)
{
    const uint64_t per = column->source.per ? column->source.per(result) : 0;

    if ((column->when & NOT_ZERO) && integer == 0)
        return;
    if (column->source.per)
        put_real(value, column, per > 0 ? (double)((long double)integer / (long double)per) : -1);
    else if (column->unit == UNIT_S)
        put_real(value, column, (double)((long double)integer / 1e9L));
    else
        columns_put_count(value, integer);
}

/* Nearest-rank percentile of any number of values. */
static bool percentile_of(const struct result *result, const struct hist *hist, unsigned permille,
                          uint64_t *ns)
{
    const struct tally *tally = &result->sum.tally;
    const uint64_t most_ns = hist == &tally->open    ? tally->open_max_ns
                             : hist == &tally->close ? tally->close_max_ns
                                                     : tally->max_ns;

    if (hist_total(hist) == 0)
        return false;
    *ns = hist_quantile_within_ns(hist, permille / 1000.0,
                                  hist == &tally->latency ? tally->min_ns : 0, most_ns);
    return true;
}

bool columns_percentile(const struct result *result, unsigned permille, uint64_t *ns)
{
    return columns_has_operations(result) && permille < 1000 &&
           percentile_of(result, &result->sum.tally.latency, permille, ns);
}

static void put_field(struct value *value, const struct column *column, const struct result *result)
{
    const struct column_source *source = &column->source;
    struct target_rpc rpc;
    const void *base = result, *field;
    uint64_t ns;

    if (source->base == BASE_CELL)
        base = result->cell;
    if (source->base == BASE_RPC) {
        rpc = target_traffic_total(result->rpc, false);
        base = &rpc;
    }
    field = (const char *)base + source->offset;
    switch (source->type) {
    case TYPE_U32:
        put_integer(value, column, result, *(const uint32_t *)field);
        break;
    case TYPE_U64:
        put_integer(value, column, result, *(const uint64_t *)field);
        break;
    case TYPE_DOUBLE:
        put_real(value, column, *(const double *)field);
        break;
    case TYPE_TEXT: /* "": unknown */
        if (*(const char *)field != '\0')
            columns_put_text(value, field);
        break;
    case TYPE_HIST:
        if (percentile_of(result, field, source->permille, &ns))
            columns_put_count(value, ns);
        break;
    }
}

void columns_get(const struct column *column, const struct columns_context *context,
                 const struct result *result, struct value *value)
{
    value->kind = VALUE_EMPTY;
    if (!is_known(column->when, result))
        return;
    if (column->source.get)
        column->source.get(context, result, value);
    else if (column->source.real)
        put_real(value, column, column->source.real(result));
    else
        put_field(value, column, result);
}
