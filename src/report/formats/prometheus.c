/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prometheus.c - the run as metrics in Prometheus' text exposition format 0.0.4, as the textfile
 * collector of node_exporter takes them: base units, one HELP and TYPE per metric, no time stamps.
 *
 * All samples of a metric have to stand together, so rows are kept, as the few numbers that are
 * printed, and written at the end; also after an interruption.  The numbers are those of columns.c;
 * what is not known there is no sample here. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "os/facts.h"
#include "report/formats/print.h"

#define SAMPLES_MAX 6 /* of a metric and a row */
#define NS_PER_S    1e9

struct source {         /* where a sample comes from */
    const char *column; /* NULL: end of the list */
    const char *suffix; /* of the metric's name */
    const char *label;  /* one more, as it is written; NULL: none */
};

struct metric {
    const char *name, *type, *help;
    double divisor; /* to base units */
    struct source source[SAMPLES_MAX + 1];
};

#define GAUGE(name, column, divisor, help) \
    {                                      \
        name, "gauge", help, divisor,      \
        {                                  \
            {                              \
                column, "", NULL           \
            }                              \
        }                                  \
    }
#define SUM "sum" /* of all latencies: no column has it */

static const struct metric metrics[] = {
    GAUGE("throughput_bytes_per_second", "throughput_bytes_per_s", 1,
          "Bytes moved by complete operations per second."),
    GAUGE("operations_per_second", "rate_per_s", 1, "Complete operations per second."),
    GAUGE("operation_median_seconds", "op_ns_median", NS_PER_S,
          "Median over the rounds of the time per operation, of all threads together."),
    GAUGE("operation_low_seconds", "op_ns_low", NS_PER_S,
          "Lower end of the 95 % interval of that median."),
    GAUGE("operation_high_seconds", "op_ns_high", NS_PER_S,
          "Upper end of the 95 % interval of that median."),
    {"latency_seconds",
     "summary",
     "Time that a complete operation took, as its thread saw it.",
     NS_PER_S,
     {{"latency_ns_p50", "", "quantile=\"0.5\""},
      {"latency_ns_p90", "", "quantile=\"0.9\""},
      {"latency_ns_p99", "", "quantile=\"0.99\""},
      {"latency_ns_p999", "", "quantile=\"0.999\""},
      {SUM, "_sum", NULL},
      {"operations", "_count", NULL}}},
    GAUGE("latency_min_seconds", "latency_ns_min", NS_PER_S, "Shortest operation."),
    GAUGE("latency_max_seconds", "latency_ns_max", NS_PER_S, "Longest operation."),
    GAUGE("cpu_seconds_per_operation", "cpu_ns_per_op", NS_PER_S,
          "Processor time of all threads per operation."),
    GAUGE("measured_seconds", "time_s", 1, "Time that the operations took in all."),
    GAUGE("operations", "operations", 1, "Complete operations."),
    GAUGE("errors", "errors", 1, "Failed operations, not in any other figure."),
    GAUGE("short_operations", "short_operations", 1,
          "Operations that moved less than asked, not in any other figure."),
    GAUGE("wrong_operations", "wrong_operations", 1, "Operations that found wrong data."),
    GAUGE("device_bytes", "device_bytes", 1, "Bytes moved to or from storage."),
    GAUGE("resident_ratio", "resident_fraction", 1, "Share of the objects in the page cache."),
    GAUGE("cache_hit_ratio", "cache_hit_fraction", 1,
          "Share of the operations that memory answered instead of the device."),
    GAUGE("amplification_ratio", "amplification", 1,
          "Bytes moved to or from storage for each byte asked for."),
    GAUGE("rpc_calls", "rpc_count", 1, "Calls to the NFS server."),
    GAUGE("rpc_round_trip_seconds", "rpc_rtt_ns_mean", NS_PER_S,
          "Mean time between a call to the NFS server and its answer."),
    GAUGE("rpc_retransmissions", "rpc_retransmissions", 1,
          "Calls that were sent to the NFS server again."),
    GAUGE("requests", "requests", 1, "Requests to the object store, failed ones among them."),
    GAUGE("connections", "connections", 1, "Connections to the object store that were opened."),
    GAUGE("first_byte_seconds", "first_byte_ns_mean", NS_PER_S,
          "Mean time between sending a request and the first byte of its answer."),
    GAUGE("body_seconds", "body_ns_mean", NS_PER_S,
          "Mean time between the first byte of an answer and its last."),
    GAUGE("retries", "retries", 1, "Requests sent again after a failure."),
    GAUGE("slow_downs", "slow_downs", 1, "Answers that asked for fewer requests."),
    {"request_errors",
     "gauge",
     "Requests that failed otherwise, by what was wrong.",
     1,
     {{"errors_client", "", "class=\"client\""},
      {"errors_server", "", "class=\"server\""},
      {"errors_network", "", "class=\"network\""},
      {"errors_protocol", "", "class=\"protocol\""}}},
};

#define METRIC_COUNT (sizeof metrics / sizeof *metrics)

struct number {
    enum value_kind kind;
    uint64_t count;
    double real;
};

/* What tells a row from all others: its axes, and the text of --label. */
static const char *const label_names[] = {"test",    "target", "engine",     "cache",
                                          "threads", "depth",  "size_bytes", "label"};
#define LABEL_COUNT (sizeof label_names / sizeof *label_names)

struct kept { /* a row */
    char *label[LABEL_COUNT], *notes;
    enum result_state state;
    struct number number[METRIC_COUNT][SAMPLES_MAX];
};

struct prometheus {
    struct print_state state;
    struct columns_context context;
    struct kept *rows;
    unsigned count, room;
    bool begun;
};

/* --- text --- */

/* Backslash, quote and newline are escaped; bytes that are no character, which the format does not
 * take, are shown as \xNN. */
static void put_label_value(FILE *stream, const char *text)
{
    fputc('"', stream);
    while (*text != '\0') {
        const unsigned length = utf8_printable_length(text);
        if (*text == '\n')
            fputs("\\n", stream);
        else if (length == 0)
            fprintf(stream, "\\\\x%02x", (unsigned)(unsigned char)*text);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
    fputc('"', stream);
}

static struct value *get_column(const struct prometheus *p, const char *name,
                                const struct result *result, struct value *value)
{
    unsigned i = 0;

    while (strcmp(columns_table[i].name, name) != 0)
        i++;
    columns_table[i].get(&p->context, result, value);
    return value;
}

static char *copy_label(const struct value *value)
{
    char digits[PRINT_NUMBER_TEXT];
    return mem_strdup(value->kind == VALUE_TEXT ? value->text : print_number(value, '.', digits));
}

/* An empty label is the same as none. */
static void put_labels(FILE *stream, const struct kept *row)
{
    const char *comma = "";

    for (size_t i = 0; i < LABEL_COUNT; i++) {
        if (row->label[i][0] == '\0')
            continue;
        fprintf(stream, "%s%s=", comma, label_names[i]);
        put_label_value(stream, row->label[i]);
        comma = ",";
    }
}

static void put_number(FILE *stream, const struct number *number, double divisor)
{
    const bool whole = divisor <= 1;

    if (number->kind == VALUE_COUNT && whole)
        fprintf(stream, " %" PRIu64 "\n", number->count);
    else if (number->kind == VALUE_COUNT)
        fprintf(stream, " %.15g\n", (double)number->count / divisor);
    else
        fprintf(stream, " %.15g\n", number->real / divisor);
}

static void put_head(FILE *stream, const char *name, const char *type, const char *help)
{
    fprintf(stream, "# HELP iosweep_%s %s\n# TYPE iosweep_%s %s\n", name, help, name, type);
}

/* --- metrics --- */

static void put_metric(const struct prometheus *p, size_t index)
{
    const struct metric *metric = &metrics[index];
    FILE *stream = p->state.stream;
    bool headed = false;

    for (unsigned i = 0; i < p->count; i++)
        for (unsigned k = 0; k < SAMPLES_MAX && metric->source[k].column != NULL; k++) {
            const struct source *source = &metric->source[k];
            const struct number *number = &p->rows[i].number[index][k];
            const bool counts = strcmp(source->suffix, "_count") == 0;
            if (number->kind == VALUE_EMPTY)
                continue;
            if (!headed)
                put_head(stream, metric->name, metric->type, metric->help);
            headed = true;
            fprintf(stream, "iosweep_%s%s{", metric->name, source->suffix);
            put_labels(stream, &p->rows[i]);
            if (source->label != NULL)
                fprintf(stream, ",%s", source->label);
            fputc('}', stream);
            put_number(stream, number, counts ? 1 : metric->divisor);
        }
}

static void put_notes(const struct prometheus *p)
{
    FILE *stream = p->state.stream;
    bool headed = false;

    for (unsigned i = 0; i < p->count; i++)
        for (const char *note = p->rows[i].notes; *note != '\0';) {
            const size_t length = strcspn(note, ";");
            if (!headed)
                put_head(stream, "note", "gauge", "1 for each note that qualifies the row.");
            headed = true;
            fputs("iosweep_note{", stream);
            put_labels(stream, &p->rows[i]);
            fprintf(stream, ",note=\"%.*s\"} 1\n", (int)length, note);
            note += length + (note[length] == ';');
        }
}

static void put_rows(const struct prometheus *p)
{
    static const struct {
        enum result_state state;
        const char *word;
    } states[] = {{RESULT_CLOSED, "complete"},
                  {RESULT_INCOMPLETE, "incomplete"},
                  {RESULT_SKIPPED, "skipped"}};

    put_head(p->state.stream, "rows", "gauge", "Rows of the run by what came of them.");
    for (size_t s = 0; s < sizeof states / sizeof *states; s++) {
        unsigned count = 0;
        for (unsigned i = 0; i < p->count; i++)
            count += p->rows[i].state == states[s].state;
        fprintf(p->state.stream, "iosweep_rows{state=\"%s\"} %u\n", states[s].word, count);
    }
}

/* The time stands in a metric, not at the samples: the collector refuses files with time stamps. */
static void put_run(const struct prometheus *p)
{
    FILE *stream = p->state.stream;
    struct hostinfo host;

    hostinfo_read("", &host);
    put_head(stream, "info", "gauge", "Always 1; the labels tell program and system.");
    fputs("iosweep_info{version=", stream);
    put_label_value(stream, PACKAGE_VERSION);
    fputs(",kernel=", stream);
    put_label_value(stream, host.kernel);
    fputs(",machine=", stream);
    put_label_value(stream, host.machine);
    fputs("} 1\n", stream);
    put_head(stream, "end_timestamp_seconds", "gauge", "When the run ended, in Unix time.");
    fprintf(stream, "iosweep_end_timestamp_seconds %" PRId64 "\n", (int64_t)time(NULL));
}

/* --- the sink --- */

static int prometheus_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct prometheus *p = arg;
    (void)err;
    p->context.info = info;
    p->begun = true;
    return 0;
}

static void keep_number(const struct prometheus *p, const struct source *source,
                        const struct result *result, struct number *number)
{
    struct value value;

    if (strcmp(source->column, SUM) == 0) {
        *number = (struct number){.kind = VALUE_COUNT, .count = result->sum.tally.sum_ns};
        return;
    }
    get_column(p, source->column, result, &value);
    *number = (struct number){.kind = value.kind, .count = value.count, .real = value.real};
}

static int prometheus_row(void *arg, const struct result *result, struct error *err)
{
    struct prometheus *p = arg;
    struct kept *row;
    struct value value;
    char notes[COLUMNS_NOTES_TEXT];

    (void)err;
    if (p->count == p->room) {
        p->room = p->room > 0 ? 2 * p->room : 64;
        p->rows = mem_realloc_array(p->rows, p->room, sizeof *p->rows);
    }
    row = &p->rows[p->count++];
    memset(row, 0, sizeof *row);
    for (size_t i = 0; i < LABEL_COUNT; i++)
        row->label[i] = copy_label(get_column(p, label_names[i], result, &value));
    row->notes = mem_strdup(columns_notes(result, p->context.info, notes));
    row->state = result->state;
    if (result->state == RESULT_SKIPPED)
        return 0; /* there is its note, and nothing that could be taken for a measurement */
    for (size_t m = 0; m < METRIC_COUNT; m++)
        for (unsigned k = 0; k < SAMPLES_MAX && metrics[m].source[k].column != NULL; k++)
            keep_number(p, &metrics[m].source[k], result, &row->number[m][k]);
    return 0;
}

static int prometheus_end(void *arg, struct error *err)
{
    struct prometheus *p = arg;

    log_progress_clear();
    if (p->begun) {
        put_run(p);
        put_rows(p);
        for (size_t m = 0; m < METRIC_COUNT; m++) {
            put_metric(p, m);
            if (print_flush(&p->state, err) < 0) /* thousands of rows do not fit into a buffer */
                return -1;
        }
        put_notes(p);
    }
    return print_flush(&p->state, err);
}

static void prometheus_release(void *state)
{
    struct prometheus *p = state;

    for (unsigned i = 0; i < p->count; i++) {
        for (size_t k = 0; k < LABEL_COUNT; k++)
            free(p->rows[i].label[k]);
        free(p->rows[i].notes);
    }
    free(p->rows);
    free(p);
}

int print_make_prometheus(FILE *stream, const struct format_options *options, struct sink *sink,
                          struct error *err)
{
    struct prometheus *p = mem_calloc(1, sizeof *p);

    (void)err;
    p->state.release = prometheus_release;
    p->state.stream = stream;
    p->state.name = print_stream_name(stream, options->name);
    p->context.label = options->label != NULL ? options->label : "";
    *sink = (struct sink){
        .begin = prometheus_begin, .row = prometheus_row, .end = prometheus_end, .arg = p};
    return 0;
}
