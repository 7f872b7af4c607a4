/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series.c - the records of --interval: as CSV to a file, or as lines for a person on standard
 * error; and at the end one sentence on how even the rate was.  One table of columns, which json.c
 * takes the same fields from.
 *
 * Records come on a thread of their own (see sink.h), so this sink shares nothing with another. */
#include "base/compat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "out/print.h"
#include "run/series.h"

struct spread { /* of the rates of whole intervals; the mean and squares of Welford 1962 */
    uint64_t count, operations, time_ns;
    double lowest, highest, mean, squares;
};

struct series_sink {
    struct print_state state; /* stream NULL: standard error, through base/log */
    char separator, decimal;
    uint64_t count, idle; /* intervals with a part under way; of them, without any operation */
    struct spread whole;
};

static double per_second(uint64_t amount, const struct series_record *record)
{
    return (double)((long double)amount * 1e9L / (long double)record->length_ns);
}

static void set_real(struct value *value, double real, unsigned decimals)
{
    *value = (struct value){.kind = VALUE_REAL, .real = real, .decimals = decimals};
}

static void set_count(struct value *value, uint64_t count)
{
    *value = (struct value){.kind = VALUE_COUNT, .count = count};
}

static void set_text(struct value *value, const char *text)
{
    *value = (struct value){.kind = VALUE_TEXT, .text = text};
}

static void get_time_s(const struct series_record *record, struct value *value)
{
    set_real(value, (double)((long double)record->time_ns / 1e9L), 9);
}

static void get_interval_s(const struct series_record *record, struct value *value)
{
    set_real(value, (double)((long double)record->length_ns / 1e9L), 9);
}

static void get_test(const struct series_record *record, struct value *value)
{
    set_text(value, record->under_way ? columns_test_name(record->test) : "");
}

static void get_cache(const struct series_record *record, struct value *value)
{
    set_text(value, record->under_way ? columns_cache_name(record->cache) : "");
}

static void get_operations(const struct series_record *record, struct value *value)
{
    set_count(value, record->operations);
}

static void get_bytes(const struct series_record *record, struct value *value)
{
    set_count(value, record->bytes);
}

static void get_rate_per_s(const struct series_record *record, struct value *value)
{
    set_real(value, per_second(record->operations, record), 6);
}

static void get_throughput_bytes_per_s(const struct series_record *record, struct value *value)
{
    set_real(value, per_second(record->bytes, record), 6);
}

static void get_in_flight(const struct series_record *record, struct value *value)
{
    set_count(value, record->in_flight);
}

static void get_errors(const struct series_record *record, struct value *value)
{
    set_count(value, record->errors);
}

static void get_latency_ns_mean(const struct series_record *record, struct value *value)
{
    value->kind = VALUE_EMPTY;
    if (record->operations)
        set_real(value,
                 (double)((long double)record->latency_sum_ns / (long double)record->operations),
                 1);
}

static void get_latency_ns_max(const struct series_record *record, struct value *value)
{
    value->kind = VALUE_EMPTY;
    if (record->operations)
        set_count(value, record->latency_max_ns);
}

const struct print_series_column print_series_columns[] = {
    {"time_s", get_time_s},
    {"interval_s", get_interval_s},
    {"test", get_test},
    {"cache", get_cache},
    {"operations", get_operations},
    {"bytes", get_bytes},
    {"rate_per_s", get_rate_per_s},
    {"throughput_bytes_per_s", get_throughput_bytes_per_s},
    {"in_flight", get_in_flight},
    {"errors", get_errors},
    {"latency_ns_mean", get_latency_ns_mean},
    {"latency_ns_max", get_latency_ns_max},
    {NULL, NULL},
};

/* --- how even it was --- */

/* What is between parts says nothing of the storage, and a short last interval little. */
static void count_record(struct series_sink *series, const struct series_record *record)
{
    struct spread *whole = &series->whole;
    double rate, from_old;

    if (!record->under_way)
        return;
    series->count++;
    series->idle += record->operations == 0;
    if (record->partial)
        return;
    rate = per_second(record->operations, record);
    from_old = rate - whole->mean;
    if (!whole->count || rate < whole->lowest)
        whole->lowest = rate;
    if (!whole->count || rate > whole->highest)
        whole->highest = rate;
    whole->count++;
    whole->mean += from_old / (double)whole->count;
    whole->squares += from_old * (rate - whole->mean);
    whole->operations += record->operations;
    whole->time_ns += record->length_ns;
}

static void say_spread(const struct series_sink *series)
{
    const struct spread *whole = &series->whole;
    char lowest[UNITS_TEXT], mean[UNITS_TEXT], highest[UNITS_TEXT], deviation[UNITS_TEXT];
    char spread[UNITS_TEXT + 16] = "";

    if (!whole->count) {
        if (series->count)
            log_info("# intervals: none was over before the run; give a shorter --interval");
        return;
    }
    if (whole->count > 1)
        snprintf(spread, sizeof spread, ", spread %s",
                 units_format_rate(sqrt(whole->squares / (double)(whole->count - 1)), deviation));
    log_info(
        "# intervals: rate lowest %s, mean %s, highest %s%s; %" PRIu64 " of %" PRIu64
        " without any operation",
        units_format_rate(whole->lowest, lowest),
        units_format_rate(
            (double)((long double)whole->operations * 1e9L / (long double)whole->time_ns), mean),
        units_format_rate(whole->highest, highest), spread, series->idle, series->count);
}

/* --- the sink --- */

static int series_begin(void *arg, const struct run_info *info, struct error *err)
{
    const struct series_sink *series = arg;

    (void)info;
    if (!series->state.stream)
        return 0;
    for (unsigned i = 0; print_series_columns[i].name; i++)
        fprintf(series->state.stream, "%.*s%s", i > 0, &series->separator,
                print_series_columns[i].name);
    fputc('\n', series->state.stream);
    return print_flush(&series->state, err);
}

static void print_record(const struct series_sink *series, const struct series_record *record)
{
    FILE *stream = series->state.stream;
    char number[PRINT_NUMBER_TEXT];
    struct value value;

    for (unsigned i = 0; print_series_columns[i].name; i++) {
        const char *text;
        print_series_columns[i].get(record, &value);
        text =
            value.kind == VALUE_TEXT ? value.text : print_number(&value, series->decimal, number);
        if (i > 0)
            fputc(series->separator, stream);
        print_csv_text(stream, text, series->separator);
    }
    fputc('\n', stream);
}

static void say_record(const struct series_record *record)
{
    char rate[UNITS_TEXT], throughput[UNITS_TEXT], mean[UNITS_TEXT], longest[UNITS_TEXT];
    char latency[2 * UNITS_TEXT + 32] = "", partial[UNITS_TEXT + 16] = "", errors[48] = "";

    if (record->operations)
        snprintf(
            latency, sizeof latency, "  mean %s  max %s",
            units_format_time((double)record->latency_sum_ns / (double)record->operations, mean),
            units_format_time((double)record->latency_max_ns, longest));
    if (record->partial)
        snprintf(partial, sizeof partial, "  (in %s)",
                 units_format_time((double)record->length_ns, mean));
    if (record->errors)
        snprintf(errors, sizeof errors, "  %" PRIu64 " error%s", record->errors,
                 record->errors == 1 ? "" : "s");
    if (!record->under_way) {
        log_info("# %9.2f s  preparing", (double)record->time_ns / 1e9);
        return;
    }
    log_info("# %9.2f s  %-5s %-8s  %9s  %10s  %" PRIu64 " in flight%s%s%s",
             (double)record->time_ns / 1e9, columns_test_name(record->test),
             columns_cache_name(record->cache),
             units_format_rate(per_second(record->operations, record), rate),
             units_format_throughput(per_second(record->bytes, record), throughput),
             record->in_flight, latency, errors, partial);
}

static int series_interval(void *arg, const struct series_record *record, struct error *err)
{
    struct series_sink *series = arg;

    count_record(series, record);
    if (!series->state.stream) {
        say_record(record);
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

void format_make_series(FILE *stream, const char *name, char separator, char decimal,
                        struct sink *sink)
{
    struct series_sink *series = mem_calloc(1, sizeof *series);

    series->state.release = free;
    series->state.stream = stream;
    series->state.name = name;
    series->separator = separator;
    series->decimal = decimal;
    *sink = (struct sink){
        .begin = series_begin, .interval = series_interval, .end = series_end, .arg = series};
}
