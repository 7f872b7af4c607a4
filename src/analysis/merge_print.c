/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* merge_print.c - merged rows as CSV, JSON and as a table. */
#include "base/compat.h"

#include "analysis/merge_print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/record_print.h"
#include "base/mem.h"
#include "base/units.h"
#include "report/formats/print.h"

/* A number with the decimals of its column; counts, also large ones, have none. */
static void print_value(FILE *stream, const struct merge_column *column,
                        const struct merge_value *value)
{
    const bool whole = !column->always && value->number == floor(value->number);

    fprintf(stream, "%.*f", whole ? 0 : column->decimals, value->number);
}

/* --- CSV --- */

static void print_csv(FILE *stream, const struct merge *merge)
{
    for (size_t i = 0; i < merge->column_count; i++)
        fprintf(stream, "%s%s", i > 0 ? "," : "", merge->columns[i].name);
    fputc('\n', stream);
    for (size_t r = 0; r < merge->count; r++) {
        for (size_t i = 0; i < merge->column_count; i++) {
            const struct merge_value *value = &merge->rows[r].values[i];
            if (i > 0)
                fputc(',', stream);
            if (value->text) {
                char *text = results_printable(mem_strdup(value->text));
                print_csv_text(stream, text, ',');
                free(text);
            } else if (isfinite(value->number)) {
                print_value(stream, &merge->columns[i], value);
            }
        }
        fputc('\n', stream);
    }
}

/* --- JSON --- */

static void print_histogram(FILE *stream, const struct hist *hist)
{
    const char *comma = "";

    fputs(",\"latency_histogram\":[", stream);
    for (unsigned i = 0; i < HIST_BUCKETS; i++)
        if (hist->count[i] > 0) {
            fprintf(stream, "%s[%" PRIu64 ",%" PRIu64 "]", comma, hist_lower_ns(i), hist->count[i]);
            comma = ",";
        }
    fputc(']', stream);
}

/* Those of all parts, in the order of files. */
static void print_threads(FILE *stream, const struct merge *merge, const struct merge_row *row)
{
    const char *comma = "";

    fputs(",\"thread_results\":[", stream);
    for (unsigned f = 0; f < merge->file_count; f++) {
        const struct results_row *part = row->parts[f];
        for (size_t i = 0; i < part->whole->thread_count; i++, comma = ",") {
            const struct results_thread *thread = &part->whole->threads[i];
            fprintf(stream, "%s{\"operations\":%" PRIu64, comma, thread->operations);
            if (results_moves_data(part->test))
                fprintf(stream, ",\"bytes\":%.0f",
                        (double)thread->operations * (double)part->size_bytes);
            fprintf(stream, ",\"time_s\":%.9f,\"rate_per_s\":", thread->time_s);
            if (thread->time_s > 0)
                fprintf(stream, "%.6f}", (double)thread->operations / thread->time_s);
            else
                fputs("null}", stream);
        }
    }
    fputc(']', stream);
}

static void print_json_row(FILE *stream, const struct merge *merge, const struct merge_row *row)
{
    for (size_t i = 0; i < merge->column_count; i++) {
        const struct merge_value *value = &row->values[i];
        fprintf(stream, "%s\"%s\":", i > 0 ? "," : "{", merge->columns[i].name);
        if (value->text)
            print_json_text(stream, value->text);
        else if (isfinite(value->number))
            print_value(stream, &merge->columns[i], value);
        else
            fputs("null", stream);
    }
    fputs(",\"round_ns\":[]", stream);
    print_histogram(stream, &row->latency);
    print_threads(stream, merge, row);
    fputs(",\"rpc\":null}", stream);
}

static void print_member(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "\"%s\":", key);
    if (text[0] != '\0')
        print_json_text(stream, text);
    else
        fputs("null", stream);
}

/* What the results were of; the date is that of the first file that has one. */
static void print_run(FILE *stream, const struct merge *merge)
{
    const char *date = "";

    for (unsigned f = merge->file_count; f-- > 0;)
        date = merge->files[f].date[0] != '\0' ? merge->files[f].date : date;
    fputs("\"run\":{", stream);
    print_member(stream, "date", date);
    fputs(",\"merged\":[", stream);
    for (unsigned f = 0; f < merge->file_count; f++) {
        fputs(f > 0 ? ",{" : "{", stream);
        print_member(stream, "file", merge->files[f].path);
        fputc(',', stream);
        print_member(stream, "host", merge->files[f].host);
        fputc(',', stream);
        print_member(stream, "date", merge->files[f].date);
        fputc('}', stream);
    }
    fputs("]}", stream);
}

static void print_json(FILE *stream, const struct merge *merge)
{
    print_json_head(stream, SCHEMA_RESULTS);
    fputc(',', stream);
    print_run(stream, merge);
    fputs(",\"rows\":[", stream);
    for (size_t r = 0; r < merge->count; r++) {
        fputs(r > 0 ? ",\n" : "\n", stream);
        print_json_row(stream, merge, &merge->rows[r]);
    }
    fputs("]}\n", stream);
}

/* --- a table --- */

static char *format_size(double bytes, char *text)
{
    return units_format_size((uint64_t)bytes, text);
}

static const struct {
    const char *heading, *column;
    bool left;
    char *(*format)(double value, char *text); /* NULL: as it is */
    bool axis;                                 /* not shown where it is the same in all rows */
} cells[] = {
    {"test", "test", true, NULL, false},
    {"size", "size_bytes", false, format_size, false},
    {"step", "step", false, NULL, true},
    {"loop", "loop", false, NULL, true},
    {"repeat", "repeat", false, NULL, true},
    {"access", "access", true, NULL, true},
    {"mix", "mix", false, NULL, true},
    {"filled", "filled_bytes", false, units_format_bytes, true},
    {"target", "target", true, NULL, false},
    {"engine", "engine", true, NULL, false},
    {"cache", "cache", true, NULL, false},
    {"threads", "threads", false, NULL, false},
    {"depth", "depth", false, NULL, false},
    {"operations", "operations", false, NULL, false},
    {"throughput", "throughput_bytes_per_s", false, units_format_throughput, false},
    {"rate", "rate_per_s", false, units_format_rate, false},
    {"p50", "latency_ns_p50", false, units_format_time, false},
    {"p99", "latency_ns_p99", false, units_format_time, false},
    {"max", "latency_ns_max", false, units_format_time, false},
    {"errors", "errors", false, NULL, false},
    {"notes", "notes", true, NULL, false},
};
#define CELLS (sizeof(cells) / sizeof(cells[0]))

/* What is given up until a line fits the terminal.  What tells rows apart never goes. */
static const struct {
    const char *heading;
    unsigned most;
    bool alike; /* only where it is the same in all rows */
} leaving[] = {
    {"engine", 0, true},   {"max", 0, false},    {"target", 24, false},    {"depth", 0, true},
    {"threads", 0, true},  {"cache", 0, true},   {"operations", 0, false}, {"notes", 24, false},
    {"target", 16, false}, {"target", 0, true},  {"p50", 0, false},        {"notes", 10, false},
    {"target", 10, false}, {"notes", 3, false},  {"p99", 0, false},        {"rate", 0, false},
    {"notes", 0, false},   {"target", 6, false},
};
#define LEAVING (sizeof(leaving) / sizeof(leaving[0]))

static unsigned cell_of(const char *heading)
{
    unsigned c = 0;

    while (strcmp(cells[c].heading, heading) != 0)
        c++;
    return c;
}

static char *cell_text(const struct merge *merge, const struct merge_row *row, size_t c)
{
    const double number = merge_number(merge, row, cells[c].column);
    const char *text = merge_text(merge, row, cells[c].column);

    if (text[0] != '\0' || cells[c].left)
        return results_printable(mem_strdup(text));
    if (cells[c].format)
        return record_unit_text(cells[c].format, number);
    return isfinite(number) ? mem_printf("%.0f", number) : mem_strdup("-");
}

static bool is_alike(const struct text_table *table, size_t c)
{
    for (size_t r = 2; r < table->count; r++)
        if (strcmp(table->rows[r][c], table->rows[1][c]) != 0)
            return false;
    return true;
}

/* The steps that these rows allow; returns their number. */
static size_t choose_steps(const struct text_table *table, struct text_table_step *steps)
{
    size_t count = 0;

    for (size_t i = 0; i < LEAVING; i++) {
        const unsigned c = cell_of(leaving[i].heading);
        if (!leaving[i].alike || is_alike(table, c))
            steps[count++] = (struct text_table_step){c, leaving[i].most};
    }
    return count;
}

/* Whether a column says something: an axis that varies, some error, anything at all. */
static bool says(const struct text_table *table, size_t c)
{
    for (size_t r = 1; r < table->count; r++) {
        const char *text = table->rows[r][c];
        if (cells[c].axis ? strcmp(text, table->rows[1][c]) != 0
                          : text[0] != '\0' &&
                                (strcmp(cells[c].heading, "errors") != 0 || strcmp(text, "0") != 0))
            return true;
    }
    return false;
}

static void print_table(FILE *stream, const struct merge *merge, const struct text_look *look)
{
    struct text_table_step steps[LEAVING];
    struct text_table table = {
        .columns = CELLS, .look = *look, .steps = steps, .words = cell_of("notes")};
    char **row = text_table_add(&table);

    for (size_t c = 0; c < CELLS; c++) {
        row[c] = mem_strdup(cells[c].heading);
        table.left[c] = cells[c].left;
    }
    for (size_t r = 0; r < merge->count; r++) {
        row = text_table_add(&table);
        for (size_t c = 0; c < CELLS; c++)
            row[c] = cell_text(merge, &merge->rows[r], c);
    }
    for (size_t c = 0; c < CELLS; c++)
        table.hidden[c] = !says(&table, c);
    table.step_count = choose_steps(&table, steps);
    text_table_print(stream, &table);
    text_table_clear(&table);
}

void merge_print(FILE *stream, const struct merge *merge, enum merge_format format,
                 const struct text_look *look)
{
    if (format == MERGE_TABLE)
        print_table(stream, merge, look);
    else if (format == MERGE_CSV)
        print_csv(stream, merge);
    else
        print_json(stream, merge);
}
