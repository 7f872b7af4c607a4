/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* series.c - the records of --interval: as CSV to a file, or as readable lines on standard error;
 * and at the end one sentence on how steady the rate was.
 *
 * One list of fields, which json.c uses as well. A separate thread delivers records (see sink.h),
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
#include "run/cell.h"
#include "run/series.h"

struct spread {           /* of the rates of whole records of a row, weighted by their busy time */
    uint64_t count, idle; /* all records; those without any operation */
    uint64_t whole;       /* records that count; all members below cover these */
    uint64_t operations, bytes, time_ns, longest_ns;
    double lowest, highest;
    double squares; /* sum of rate^2 * busy_ns */
};

struct series_sink {
    struct print_state state; /* stream NULL: standard error, through base/log */
    char separator, decimal;
    bool first;             /* field of a line of CSV */
    unsigned unlike;        /* axes (see cell_unlike) printed in lines */
    unsigned lines;         /* on standard error since the heading */
    struct spread *spreads; /* of each cell */
    const struct run_info *info;
};

/* amount / time, in 1/s; 0 if the time is 0. */
static double per_second(uint64_t amount, uint64_t busy_ns)
{
    return fmax(columns_per_second((long double)amount, busy_ns), 0);
}

/* Whether preparation took long enough to be reported. */
static bool was_preparing(const struct series_record *record)
{
    return record->preparing_ns > record->length_ns / 100;
}

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

/* --- the fields of a record --- */

struct fields { /* receives them */
    void (*put)(void *arg, const char *name, const struct value *value);
    void *arg;
};

static void put_text(const struct fields *fields, const char *name, const char *text)
{
    fields->put(fields->arg, name, &(struct value){.kind = VALUE_TEXT, .text = text});
}

static void put_count(const struct fields *fields, const char *name, bool known, uint64_t count)
{
    const struct value value = {.kind = known ? VALUE_COUNT : VALUE_EMPTY, .count = count};

    fields->put(fields->arg, name, &value);
}

static void put_real(const struct fields *fields, const char *name, bool known, double real,
                     unsigned decimals)
{
    const struct value value = {
        .kind = known ? VALUE_REAL : VALUE_EMPTY, .real = real, .decimals = decimals};

    fields->put(fields->arg, name, &value);
}

static void put_seconds(const struct fields *fields, const char *name, uint64_t ns)
{
    put_real(fields, name, true, (double)((long double)ns / 1e9L), 9);
}

/* Empty if no slice ran, or if the amount is unknown. */
static void put_rate(const struct fields *fields, const char *name, bool known, uint64_t amount,
                     uint64_t busy_ns)
{
    put_real(fields, name, known && busy_ns, per_second(amount, busy_ns), 6);
}

/* Of operations: empty if none ended. */
static void put_mean(const struct fields *fields, const char *name, uint64_t sum_ns,
                     uint64_t operations)
{
    put_real(fields, name, operations, mean_ns(sum_ns, operations), 1);
}

/* Records are printed while the run continues: by then cell->work.target may have changed or been
 * closed. */
void print_series(const struct series_record *record, const struct target *const *targets,
                  void (*put)(void *arg, const char *name, const struct value *value), void *arg)
{
    static const struct cell none = {.index = 0};
    const struct cell *cell = record->cell ? record->cell : &none;
    const struct series_sums *all = &record->all;
    const struct fields *f = &(struct fields){put, arg};
    const bool row = record->cell, data = moves_data(record), part = record->under_way;
    const uint64_t ended = finished_count(record);

    put_seconds(f, "ended_s", record->time_ns);
    put_seconds(f, "interval_s", record->length_ns);
    put_text(f, "test", part ? test_names[record->test] : "");
    put_text(f, "cache", part ? cache_names[record->cache] : "");
    put_count(f, "operations", true, record->operations);
    put_count(f, "bytes", true, data ? record->bytes : 0);
    put_rate(f, "rate_per_s", true, record->operations, record->busy_ns);
    put_rate(f, "throughput_bytes_per_s", data, record->bytes, record->busy_ns);
    put_count(f, "in_flight", true, record->in_flight);
    put_count(f, "errors", true, record->errors);
    put_mean(f, "latency_ns_mean", record->latency_sum_ns, record->operations);
    put_count(f, "latency_ns_max", record->operations, record->latency_max_ns);
    put_seconds(f, "busy_s", record->busy_ns);
    put_seconds(f, "preparing_s", record->preparing_ns);
    put_count(f, "row", row, cell->index + UINT64_C(1));
    put_count(f, "part", row, cell->part + UINT64_C(1));
    put_text(f, "target", row ? targets[cell->target]->label : "");
    put_text(f, "engine", row ? cell->engine->name : "");
    put_count(f, "size_bytes", row, cell->work.size_bytes);
    put_count(f, "threads", row, cell->threads);
    put_count(f, "depth", row, cell->work.depth);
    put_count(f, "operations_begun_total", row, ended + record->in_flight);
    put_count(f, "operations_ended_total", row, ended);
    put_rate(f, "rate_per_s_total", true, all->operations, all->busy_ns);
    put_rate(f, "throughput_bytes_per_s_total", data, all->bytes, all->busy_ns);
    put_count(f, "latency_ns_min", record->operations, record->latency_min_ns);
    put_count(f, "latency_ns_last", all->operations, record->latency_last_ns);
    put_mean(f, "latency_ns_mean_total", all->latency_sum_ns, all->operations);
    put_real(f, "ended_unix_s", true, (double)record->unix_ms / 1e3, 3);
    put_count(f, "step", row, cell->step);
    put_count(f, "loop", row, cell->loop);
    put_count(f, "repeat", row, cell->repeat);
    put_count(f, "latency_ns_p99", record->latency_p99_ns, record->latency_p99_ns);
    put_count(f, "latency_ns_p50", record->latency_p50_ns, record->latency_p50_ns);
}

/* --- steadiness --- */

/* Skips intervals that do not represent the storage: those with preparation, a short last one, and
 * those in which slices of the row ran only briefly. */
static void add_record(struct spread *spread, const struct series_record *record)
{
    double rate;

    spread->count++;
    spread->idle += record->operations == 0;
    if (record->partial || was_preparing(record) || record->busy_ns < spread->longest_ns / 4 ||
        !record->busy_ns)
        return;
    if (record->busy_ns > spread->longest_ns)
        spread->longest_ns = record->busy_ns;
    rate = per_second(record->operations, record->busy_ns);
    if (!spread->whole || rate < spread->lowest)
        spread->lowest = rate;
    if (!spread->whole || rate > spread->highest)
        spread->highest = rate;
    spread->whole++;
    spread->operations += record->operations;
    spread->bytes += record->bytes;
    spread->time_ns += record->busy_ns;
    spread->squares += rate * rate * (double)record->busy_ns;
}

/* The sample standard deviation, which for records of equal weight is the usual one (n - 1); 0 for
 * fewer than two records. */
static double deviation(const struct spread *spread)
{
    const double mean = per_second(spread->operations, spread->time_ns);
    const double variance = spread->squares / (double)spread->time_ns - mean * mean;

    return spread->whole < 2
               ? 0
               : sqrt(fmax(variance, 0) * (double)spread->whole / (double)(spread->whole - 1));
}

static double unevenness(const struct spread *spread)
{
    return spread->operations ? deviation(spread) / per_second(spread->operations, spread->time_ns)
                              : 0;
}

/* "rate 153 /s to 199 /s, mean 189 /s, spread 9.62 /s"; `factor` converts rates to throughput. */
static void say_figures(const struct spread *spread, const char *what, double factor,
                        char *(*format)(double value, char *text))
{
    char lowest[UNITS_TEXT], mean[UNITS_TEXT], highest[UNITS_TEXT], width[UNITS_TEXT];

    log_text("#   %s %s to %s, mean %s%s%s", what, format(factor * spread->lowest, lowest),
             format(factor * spread->highest, highest),
             format(factor * per_second(spread->operations, spread->time_ns), mean),
             spread->whole > 1 ? ", spread " : "",
             spread->whole > 1 ? format(factor * deviation(spread), width) : "");
}

/* Reports the least steady of several rows: rates of different sizes have no mean. */
static void say_spread(const struct series_sink *series)
{
    const struct spread *worst = NULL;
    const struct cell *cell;
    unsigned rows = 0;
    uint64_t left_out;
    char size[UNITS_TEXT], what[128] = "", idle[24] = "none", out[64] = "";

    for (unsigned i = 0; series->spreads && i < series->info->cell_count; i++) {
        const struct spread *spread = &series->spreads[i];
        rows += spread->count > 0;
        if (spread->whole && (!worst || unevenness(spread) > unevenness(worst)))
            worst = spread;
    }
    if (!worst && rows)
        log_info("# intervals: none was over before the run; give a shorter --interval");
    if (!worst)
        return;
    cell = &series->info->cells[worst - series->spreads];
    if (rows > 1)
        snprintf(what, sizeof(what), " of %u rows, the least steady being row %u (%s %s)", rows,
                 cell->index + 1, test_names[cell_test(cell)],
                 units_format_size(cell->work.size_bytes, size));
    left_out = worst->count - worst->whole;
    if (worst->idle)
        snprintf(idle, sizeof(idle), "%" PRIu64, worst->idle);
    if (left_out)
        snprintf(out, sizeof(out), "; %" PRIu64 " partial one%s not counted", left_out,
                 left_out == 1 ? " is" : "s are");
    log_text("# intervals%s: %s of %" PRIu64 " %s idle%s", what, idle, worst->count,
             worst->idle > 1 ? "were" : "was", out);
    say_figures(worst, "rate", 1, units_format_rate);
    if (worst->bytes > 0 && test_moves_data(cell->work.test))
        say_figures(worst, "throughput", (double)worst->bytes / (double)worst->operations,
                    units_format_throughput);
}

/* --- the sink --- */

static void put_field(void *arg, const char *name, const struct value *value)
{
    struct series_sink *series = arg;

    (void)name;
    if (!series->first)
        fputc(series->separator, series->state.stream);
    series->first = false;
    print_csv_value(series->state.stream, value, series->separator, series->decimal);
}

static void put_name(void *arg, const char *name, const struct value *value)
{
    (void)value;
    put_field(arg, name, &(struct value){.kind = VALUE_TEXT, .text = name});
}

static int series_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct series_sink *series = arg;

    series->info = info;
    series->spreads = mem_calloc(info->cell_count + 1, sizeof(*series->spreads));
    for (unsigned i = 1; i < info->cell_count; i++)
        series->unlike |= cell_unlike(&info->cells[0], &info->cells[i]);
    if (!series->state.stream)
        return 0;
    series->first = true;
    print_series(&(struct series_record){.cell = NULL}, info->targets, put_name, series);
    fputc('\n', series->state.stream);
    return print_flush(&series->state, err);
}

/* --- readable lines: at most 80 columns with figures of usual width and without remarks; --series
 * has everything else --- */

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
    if (was_preparing(record))
        text_add(text, room, ", ", "preparing for %s of it",
                 units_format_time((double)record->preparing_ns, time));
    if (record->partial)
        text_add(text, room, ", ", "in %s", units_format_time((double)record->length_ns, time));
}

/* Removes the blank between a figure and its unit. */
static const char *drop_blank(char *text)
{
    char *blank = strchr(text, ' ');

    if (blank)
        memmove(blank, blank + 1, strlen(blank));
    return text;
}

static const char *latency_text(bool known, double ns, char *text)
{
    return known ? drop_blank(units_format_time(ns, text)) : "-";
}

/* The throughput, or the rate of a test that moves no data: of the interval or the whole row. */
static const char *throughput_text(const struct series_record *record, bool total, char *text)
{
    const struct series_sums *all = &record->all;
    const bool moves = moves_data(record);
    const uint64_t now = moves ? record->bytes : record->operations;
    const double value = total ? per_second(moves ? all->bytes : all->operations, all->busy_ns)
                               : per_second(now, record->busy_ns);

    return drop_blank(moves ? units_format_throughput(value, text)
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
             drop_blank(units_format_size(cell->work.size_bytes, text[0])), record->in_flight,
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
    if (series->lines % LINES_MOST == 0) {
        log_info("# %-10s %18s %25s %13s", date, "in", "throughput", "latency");
        log_info("# time UTC %-6s %6s %6s %7s %8s %8s %6s %6s %6s", "test", "size", "flight",
                 "done", "now", "total", "mean", "p99", "max");
    }
    if (record->cell)
        say_row(series, record, when);
    else
        log_info("# %s %s", when,
                 !record->under_way   ? "preparing"
                 : record->operations ? "warming up"
                                      : "between slices");
    series->lines++;
}

static int series_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct series_sink *series = arg;

    if (record->cell)
        add_record(&series->spreads[record->cell->index], record);
    if (!series->state.stream) {
        say_record(series, record);
        return 0;
    }
    series->first = true;
    print_series(record, series->info->targets, put_field, series);
    fputc('\n', series->state.stream);
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

    free(series->spreads);
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
