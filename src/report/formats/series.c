/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series.c - the records of --interval: as CSV to a file, or as readable lines on standard error;
 * and at the end one sentence on how steady the rate was.
 *
 * One table of columns, which json.c uses as well. A separate thread delivers records (see sink.h),
 * so this sink shares nothing with another. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "report/columns/columns.h"
#include "report/formats/print.h"
#include "report/formats/series_spread.h"
#include "run/cell.h"
#include "run/series.h"

struct series_sink {
    struct print_state state; /* stream NULL: standard error, through base/log */
    char separator, decimal;
    unsigned unlike; /* axes (see cell_unlike) printed in lines */
    unsigned lines;  /* on standard error since the heading */
    struct series_spreads spreads;
    const struct run_info *info;
};

static double mean_ns(uint64_t sum_ns, uint64_t operations)
{
    return operations ? (double)((long double)sum_ns / (long double)operations) : 0;
}

static uint64_t finished_count(const struct series_record *record)
{
    return record->all.operations + record->all.errors;
}

/* Some tests of objects move none. */
static bool moves_data(const struct series_record *record)
{
    return !record->cell || test_moves_data(record->cell->work.test);
}

/* --- the columns --- */

/* The kind of a column's value. Of two fields the first is divided by the second; the value is
 * empty if that is 0: no slice ran or no operation ended. */
enum kind {
    COUNT,     /* a field; empty if `per` is given and 0 */
    SECONDS,   /* a field in ns */
    RATE,      /* an amount per time in ns */
    MEAN,      /* a sum of ns per operation */
    UNIX_TIME, /* in s */
    TEST,      /* of the part under way, as CACHE */
    CACHE,
    TARGET, /* of the row, if there is one, like all below */
    ENGINE,
    CELL,   /* a field of it */
    NUMBER, /* the same, from 1 on */
    SIZE,
    STARTED,
    FINISHED
};

struct series_column {
    const char *name; /* with unit */
    enum kind kind;
    size_t field,
        per;   /* offsets of uint64_t in the record, or of uint32_t in the cell; per 0: none */
    bool data; /* 0, or no rate, if the test moves no data */
};

/* A field of another type does not compile. */
#define FIELD(name) \
    _Generic(((struct series_record *)0)->name, uint64_t : offsetof(struct series_record, name))

#define IN_CELL(kind_, name)                                            \
    .kind = kind_, .field = _Generic(((struct cell *)0)->name, uint32_t \
                                     : offsetof(struct cell, name))

static const struct series_column columns[] = {
    {"ended_s", .kind = SECONDS, .field = FIELD(time_ns)},
    {"interval_s", .kind = SECONDS, .field = FIELD(length_ns)},
    {"test", .kind = TEST},
    {"cache", .kind = CACHE},
    {"operations", .kind = COUNT, .field = FIELD(operations)},
    {"bytes", .kind = COUNT, .field = FIELD(bytes), .data = true},
    {"rate_per_s", .kind = RATE, .field = FIELD(operations), .per = FIELD(busy_ns)},
    {"throughput_bytes_per_s", .kind = RATE, .field = FIELD(bytes), .per = FIELD(busy_ns),
     .data = true},
    {"in_flight", .kind = COUNT, .field = FIELD(in_flight)},
    {"errors", .kind = COUNT, .field = FIELD(errors)},
    {"latency_ns_mean", .kind = MEAN, .field = FIELD(latency_sum_ns), .per = FIELD(operations)},
    {"latency_ns_max", .kind = COUNT, .field = FIELD(latency_max_ns), .per = FIELD(operations)},
    {"busy_s", .kind = SECONDS, .field = FIELD(busy_ns)},
    {"preparing_s", .kind = SECONDS, .field = FIELD(preparing_ns)},
    {"row", IN_CELL(NUMBER, index)},
    {"part", IN_CELL(NUMBER, part)},
    {"target", .kind = TARGET},
    {"engine", .kind = ENGINE},
    {"size_bytes", .kind = SIZE},
    {"threads", IN_CELL(CELL, threads)},
    {"depth", IN_CELL(CELL, work.depth)},
    {"operations_begun_total", .kind = STARTED},
    {"operations_ended_total", .kind = FINISHED},
    {"rate_per_s_total", .kind = RATE, .field = FIELD(all.operations), .per = FIELD(all.busy_ns)},
    {"throughput_bytes_per_s_total", .kind = RATE, .field = FIELD(all.bytes),
     .per = FIELD(all.busy_ns), .data = true},
    {"latency_ns_min", .kind = COUNT, .field = FIELD(latency_min_ns), .per = FIELD(operations)},
    {"latency_ns_last", .kind = COUNT, .field = FIELD(latency_last_ns),
     .per = FIELD(all.operations)},
    {"latency_ns_mean_total", .kind = MEAN, .field = FIELD(all.latency_sum_ns),
     .per = FIELD(all.operations)},
    {"ended_unix_s", .kind = UNIX_TIME},
    {"step", IN_CELL(CELL, step)},
    {"loop", IN_CELL(CELL, loop)},
    {"repeat", IN_CELL(CELL, repeat)},
    {"latency_ns_p99", .kind = COUNT, .field = FIELD(latency_p99_ns), .per = FIELD(latency_p99_ns)},
    {"latency_ns_p50", .kind = COUNT, .field = FIELD(latency_p50_ns), .per = FIELD(latency_p50_ns)},
};

static uint64_t field_of(const struct series_record *record, size_t place)
{
    return *(const uint64_t *)(const void *)((const char *)record + place);
}

/* Records are printed while the run continues: by then cell->work.target may have changed or been
 * closed. */
static const char *text_of(const struct series_record *record, const struct target *const *targets,
                           enum kind kind)
{
    const struct cell *cell = record->cell;

    if (kind == TEST || kind == CACHE)
        return !record->under_way ? ""
               : kind == TEST     ? test_names[record->test]
                                  : cache_names[record->cache];
    return !cell ? "" : kind == TARGET ? targets[cell->target]->label : cell->engine->name;
}

static uint64_t count_of_row(const struct series_record *record, const struct series_column *column)
{
    const char *cell = (const char *)record->cell;

    switch (column->kind) {
    case CELL:
    case NUMBER:
        return *(const uint32_t *)(const void *)(cell + column->field) +
               UINT64_C(1) * (column->kind == NUMBER);
    case SIZE:
        return record->cell->work.size_bytes;
    case STARTED:
        return finished_count(record) + record->in_flight;
    default:
        return finished_count(record);
    }
}

static void put_real(struct value *value, double real, unsigned decimals)
{
    value->kind = VALUE_REAL;
    value->real = real;
    value->decimals = decimals;
}

const char *print_series_name(unsigned column)
{
    return column < sizeof(columns) / sizeof(columns[0]) ? columns[column].name : NULL;
}

void print_series_value(const struct series_record *record, const struct target *const *targets,
                        unsigned column, struct value *value)
{
    const struct series_column *c = &columns[column];
    const bool in_cell = c->kind == CELL || c->kind == NUMBER;
    const uint64_t field = in_cell ? 0 : field_of(record, c->field);
    const uint64_t per = c->per ? field_of(record, c->per) : 1;
    const bool shown = !c->data || moves_data(record);

    value->kind = VALUE_EMPTY;
    switch (c->kind) {
    case COUNT:
        if (per)
            columns_put_count(value, shown ? field : 0);
        break;
    case SECONDS:
        put_real(value, (double)((long double)field / 1e9L), 9);
        break;
    case RATE:
        if (per && shown)
            put_real(value, series_per_second(field, per), 6);
        break;
    case MEAN:
        if (per)
            put_real(value, mean_ns(field, per), 1);
        break;
    case UNIX_TIME:
        put_real(value, (double)record->unix_ms / 1e3, 3);
        break;
    case TEST:
    case CACHE:
    case TARGET:
    case ENGINE:
        value->kind = VALUE_TEXT;
        value->text = text_of(record, targets, c->kind);
        break;
    default:
        if (record->cell)
            columns_put_count(value, count_of_row(record, c));
        break;
    }
}

/* --- steadiness --- */

/* "rate 153 /s to 199 /s, mean 189 /s, spread 9.62 /s"; `factor` converts rates to throughput. */
static void say_figures(const struct series_spread *spread, const char *what, double factor,
                        char *(*format)(double value, char *text))
{
    char lowest[UNITS_TEXT], mean[UNITS_TEXT], highest[UNITS_TEXT], width[UNITS_TEXT];
    char text[UNITS_TEXT + 16] = "";

    if (spread->whole > 1)
        snprintf(text, sizeof(text), ", spread %s",
                 format(factor * series_spread_deviation(spread), width));
    log_text("#   %s %s to %s, mean %s%s", what, format(factor * spread->lowest, lowest),
             format(factor * spread->highest, highest),
             format(factor * series_spread_mean(spread), mean), text);
}

static void say_rates(const struct series_spread *spread, const char *what)
{
    const double bytes = spread->bytes && test_moves_data(spread->cell->work.test)
                             ? (double)spread->bytes / (double)spread->operations
                             : 0;
    const uint64_t left_out = spread->count - spread->whole;
    char idle[24] = "none", out[64] = "";

    if (spread->idle)
        snprintf(idle, sizeof(idle), "%" PRIu64, spread->idle);
    if (left_out)
        snprintf(out, sizeof(out), "; %" PRIu64 " partial one%s not counted", left_out,
                 left_out == 1 ? " is" : "s are");
    log_text("# intervals%s: %s of %" PRIu64 " %s idle%s", what, idle, spread->count,
             spread->idle > 1 ? "were" : "was", out);
    say_figures(spread, "rate", 1, units_format_rate);
    if (bytes > 0)
        say_figures(spread, "throughput", bytes, units_format_throughput);
}

/* Reports the least steady of several rows: rates of different sizes have no mean. */
static void say_spread(const struct series_sink *series)
{
    const struct series_spread *worst = NULL;
    char size[UNITS_TEXT], what[128] = "";

    for (unsigned i = 0; i < series->spreads.count; i++)
        if (series->spreads.spread[i].whole &&
            (!worst || series_spread_unevenness(&series->spreads.spread[i]) >
                           series_spread_unevenness(worst)))
            worst = &series->spreads.spread[i];
    if (!worst && series->spreads.count)
        log_info("# intervals: none was over before the run; give a shorter --interval");
    if (!worst)
        return;
    if (series->spreads.count > 1)
        snprintf(what, sizeof(what), " of %u rows, the least steady being row %u (%s %s)",
                 series->spreads.count, worst->cell->index + 1, test_names[cell_test(worst->cell)],
                 units_format_size(worst->cell->work.size_bytes, size));
    say_rates(worst, what);
}

/* --- the sink --- */

static int series_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct series_sink *series = arg;

    series->info = info;
    for (unsigned i = 1; i < info->cell_count; i++)
        series->unlike |= cell_unlike(&info->cells[0], &info->cells[i]);
    if (!series->state.stream)
        return 0;
    for (unsigned i = 0; print_series_name(i); i++)
        fprintf(series->state.stream, "%.*s%s", i > 0, &series->separator, print_series_name(i));
    fputc('\n', series->state.stream);
    return print_flush(&series->state, err);
}

static void print_record(const struct series_sink *series, const struct series_record *record)
{
    FILE *stream = series->state.stream;
    struct value value;

    for (unsigned i = 0; print_series_name(i); i++) {
        print_series_value(record, series->info->targets, i, &value);
        if (i > 0)
            fputc(series->separator, stream);
        print_csv_value(stream, &value, series->separator, series->decimal);
    }
    fputc('\n', stream);
}

/* --- readable lines --- */

#define LINES_MOST 20 /* between two headings */
#define WHEN_TEXT  24

/* The time of day at the end of the interval; the heading contains its date. */
static void when_text(const struct series_record *record, char text[WHEN_TEXT],
                      char date[WHEN_TEXT])
{
    const time_t seconds = (time_t)(record->unix_ms / 1000);
    struct tm parts;

    text[0] = date[0] = '\0';
    if (!gmtime_r(&seconds, &parts) || !strftime(text, WHEN_TEXT, "%H:%M:%S", &parts) ||
        !strftime(date, WHEN_TEXT, "%Y-%m-%d", &parts))
        text[0] = '\0';
}

/* Lines have at most 80 columns with figures of usual width and without remarks; --series has
 * everything else. */
static void say_heading(const char *date)
{
    log_info("# %-10s %18s %25s %13s", date, "in", "throughput", "latency");
    log_info("# time UTC %-6s %6s %6s %7s %8s %8s %6s %6s %6s", "test", "size", "flight", "done",
             "now", "total", "mean", "p99", "max");
}

/* Adds the latencies since the start of the row, if there are no remarks. */
static void say_latencies(const struct series_record *record)
{
    char size[UNITS_TEXT], least[UNITS_TEXT], mean[UNITS_TEXT], most[UNITS_TEXT];

    if (!record->all.operations)
        return;
    log_info("# so far %s %s: latency min %s, mean %s, max %s", test_names[cell_test(record->cell)],
             units_format_size(record->cell->work.size_bytes, size),
             units_format_time((double)record->all.latency_min_ns, least),
             units_format_time(mean_ns(record->all.latency_sum_ns, record->all.operations), mean),
             units_format_time((double)record->all.latency_max_ns, most));
}

static void remarks_of(const struct series_sink *series, const struct series_record *record,
                       char *text, size_t room)
{
    char time[UNITS_TEXT];

    text[0] = '\0';
    if (series->unlike & (AXIS_THREADS | AXIS_DEPTH))
        text_add(text, room, ", ", "%" PRIu32 " x %" PRIu32, record->cell->threads,
                 record->cell->work.depth);
    columns_add_axes(series->info, record->cell,
                     series->unlike & (AXIS_CACHE | AXIS_ENGINE | AXIS_TARGET), text, room);
    if (record->errors)
        text_add(text, room, ", ", "%" PRIu64 " error%s", record->errors,
                 record->errors == 1 ? "" : "s");
    if (series_was_preparing(record))
        text_add(text, room, ", ", "preparing for %s of it",
                 units_format_time((double)record->preparing_ns, time));
    if (record->partial)
        text_add(text, room, ", ", "in %s", units_format_time((double)record->length_ns, time));
}

/* Removes the blank between a figure and its unit. */
static const char *drop_blanks(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0'; from++)
        if (*from != ' ')
            *to++ = *from;
    *to = '\0';
    return text;
}

static const char *latency_text(bool known, double ns, char *text)
{
    return known ? drop_blanks(units_format_time(ns, text)) : "-";
}

/* The throughput, or the rate of a test that moves no data: of the interval or the whole row. */
static const char *throughput_text(const struct series_record *record, bool total, char *text)
{
    const struct series_sums *all = &record->all;
    const bool moves = moves_data(record);
    const uint64_t now = moves ? record->bytes : record->operations;
    const double value = total
                             ? series_per_second(moves ? all->bytes : all->operations, all->busy_ns)
                             : series_per_second(now, record->busy_ns);

    return drop_blanks(moves ? units_format_throughput(value, text)
                             : units_format_rate(value, text));
}

static void say_row(const struct series_sink *series, const struct series_record *record,
                    const char *when)
{
    const struct cell *cell = record->cell;
    const bool any = record->operations > 0;
    char text[6][UNITS_TEXT], remarks[288];

    remarks_of(series, record, remarks, sizeof(remarks));
    log_info("# %s %-6s %6s %6" PRIu64 " %7" PRIu64 " %8s %8s %6s %6s %6s%s%s", when,
             test_names[cell_test(cell)],
             drop_blanks(units_format_size(cell->work.size_bytes, text[0])), record->in_flight,
             finished_count(record), throughput_text(record, false, text[1]),
             throughput_text(record, true, text[2]),
             latency_text(any, mean_ns(record->latency_sum_ns, record->operations), text[3]),
             latency_text(record->latency_p99_ns > 0, (double)record->latency_p99_ns, text[4]),
             latency_text(any, (double)record->latency_max_ns, text[5]), remarks[0] ? "  " : "",
             remarks);
}

static void say_record(struct series_sink *series, const struct series_record *record)
{
    char when[WHEN_TEXT], date[WHEN_TEXT];

    when_text(record, when, date);
    if (series->lines % LINES_MOST == 0)
        say_heading(date);
    if (record->cell)
        say_row(series, record, when);
    else
        log_info("# %s %s", when,
                 !record->under_way   ? "preparing"
                 : record->operations ? "warming up"
                                      : "between slices");
    if (++series->lines % LINES_MOST == 0 && record->cell)
        say_latencies(record);
}

static int series_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct series_sink *series = arg;

    series_spreads_add(&series->spreads, record);
    if (!series->state.stream) {
        say_record(series, record);
        return 0;
    }
    print_record(series, record);
    return print_flush(&series->state, err);
}

static int series_end(void *arg, struct error *err)
{
    const struct series_sink *series = arg;

    say_spread(series);
    return series->state.stream ? print_flush(&series->state, err) : 0;
}

static void series_release(void *arg)
{
    struct series_sink *series = arg;

    series_spreads_free(&series->spreads);
    free(series);
}

void format_make_series(FILE *stream, const char *name, char separator, char decimal,
                        struct sink *sink)
{
    struct series_sink *series = mem_calloc(1, sizeof(*series));

    series->state.release = series_release;
    series->state.stream = stream;
    series->state.name = name;
    series->separator = separator;
    series->decimal = decimal;
    *sink = (struct sink){
        .begin = series_begin, .interval = series_interval, .end = series_end, .arg = series};
}
