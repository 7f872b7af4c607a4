/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results.c - a file of results from its first byte to the last: which format it is is seen from
 * what is in it, the reader of that format adds the rows, and what all of them can be asked is
 * answered here. */
#include "base/compat.h"

#include "analysis/results/results.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/results/arena.h"
#include "analysis/results/reader.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"
#include "target/test.h"

#define PREAMBLE_LINES 1000 /* before the table of io_profile: messages, a shell's prompt */

/* Skips blanks and a byte order mark; returns the byte that follows, which is still to be read; EOF
 * where there is none, or with err. */
static int first_byte(struct reader *reader, struct error *err)
{
    static const unsigned char bom[] = {0xef, 0xbb, 0xbf};
    size_t marks = 0;
    int byte;

    for (;;) {
        byte = reader_byte(reader, err);
        if (byte == EOF)
            return EOF;
        if (marks < sizeof(bom) && byte == bom[marks])
            marks++;
        else if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n')
            break;
    }
    reader_unread(reader);
    return byte;
}

static bool begins_classic(const struct reader *reader)
{
    return strncmp(reader->line, "IO profile test parameters", 26) == 0 ||
           strncmp(reader->line, "Conducting ", 11) == 0 ||
           strncmp(reader->line, "I/O size [bytes]", 16) == 0;
}

/* A format whose records are lines: finds the first line that tells. */
static int read_lines(struct reader *reader, struct error *err)
{
    uint64_t first = 0;
    int more = 0;

    for (int i = 0; i < PREAMBLE_LINES; i++) {
        more = reader_line(reader, false, err);
        if (more <= 0)
            break;
        if (reader->line[0] == '#' || reader->line[0] == '\0')
            continue;
        reader->again = true;
        if (reader_csv_is_header(reader))
            return reader_csv(reader, err);
        if (begins_classic(reader))
            return reader_classic(reader, err);
        reader->again = false;
        if (first == 0)
            first = reader->line_number;
    }
    if (more < 0)
        return -1;
    if (first == 0)
        return error_refuse(err, STATUS_USAGE, "nothing to read in", reader->path,
                            "it holds no results; did its run fail?");
    reader->line_number = first;
    reader_fail(reader, err, "not an iosweep result:");
    return error_advise(
        err, "expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile");
}

int reader_format(struct reader *reader, struct error *err)
{
    const int byte = first_byte(reader, err);

    if (byte == '<' && !reader->inside)
        return reader_page(reader, err);
    if (reader->run && !reader->inside && !error_is_set(err))
        return error_refuse(err, STATUS_USAGE,
                            "no report, so it has no runs by number:", reader->path,
                            "leave #%u out", reader->run);
    if (byte == '{') {
        reader->results->format = RESULTS_JSON;
        reader->results->has_notes = true;
#ifdef HAVE_JANSSON
        return reader_json(reader, err);
#else
        return error_refuse(err, STATUS_USAGE,
                            "this build cannot read JSON (built without jansson):", reader->path,
                            "every build can read CSV");
#endif
    }
    return error_is_set(err) ? -1 : read_lines(reader, err);
}

/* A number that was cut off is a number still, so nothing else tells. */
static void warn_cut(const char *path)
{
    char name[1024];

    log_warn("%s: the last line has no end, it may be cut off",
             error_printable(path, name, sizeof(name)));
}

/* Steps of a test by their numbers: each counts those that stand before it. */
static void number_passes(struct results *results)
{
    struct seen {
        const char *test;
        uint64_t step;
    } *seen = NULL;
    size_t count = 0, room = 0;

    for (size_t i = 0; i < results->count; i++) {
        const struct results_row *row = &results->rows[i];
        size_t k = 0;
        while (k < count && (seen[k].step != row->step || strcmp(seen[k].test, row->test) != 0))
            k++;
        if (k < count)
            continue;
        seen = mem_grow(seen, &room, count + 1, sizeof(*seen));
        seen[count++] = (struct seen){row->test, row->step};
    }
    for (size_t i = 0; i < results->count; i++) {
        struct results_row *row = &results->rows[i];
        row->pass = 1;
        for (size_t k = 0; k < count; k++)
            row->pass += seen[k].step < row->step && strcmp(seen[k].test, row->test) == 0;
    }
    free(seen);
}

char *results_place(const struct results_row *row, char *text)
{
    char filled[UNITS_TEXT];

    text[0] = '\0';
    if (row->pass > 1)
        text_add(text, RESULTS_PLACE_TEXT, "", ", step %" PRIu64, row->step);
    if (row->loop > 1)
        text_add(text, RESULTS_PLACE_TEXT, "", ", loop %" PRIu64, row->loop);
    if (row->repeat > 1)
        text_add(text, RESULTS_PLACE_TEXT, "", ", repeat %" PRIu64, row->repeat);
    if (row->mix != RESULTS_NO_MIX)
        text_add(text, RESULTS_PLACE_TEXT, "", ", mix %" PRIu64, row->mix);
    if (row->filled_bytes)
        text_add(text, RESULTS_PLACE_TEXT, "", ", %s filled",
                 units_format_bytes((double)row->filled_bytes, filled));
    return text;
}

/* How much of a file is wanted. */
enum detail { FIGURES, WHOLE, ANY, ANY_WHOLE };

static int read_stream(FILE *stream, const char *path, unsigned run, enum detail detail,
                       struct results *results, struct error *err)
{
    struct reader *reader = mem_calloc(1, sizeof(*reader));
    int result;

    *results = (struct results){.path = mem_strdup(path)};
    reader->stream = stream;
    reader->path = strcmp(path, "-") == 0 ? "standard input" : path;
    reader->run = run;
    reader->results = results;
    reader->arena = arena_new();
    results->arena = reader->arena;
    reader->whole = detail == WHOLE || detail == ANY_WHOLE ? reader_whole_new() : NULL;
    reader->takes_series = detail >= ANY;
    result = reader_format(reader, err);
    if (result == 0 && reader->cut && results->format != RESULTS_JSON)
        warn_cut(reader->path);
    if (result == 0 && results->count == 0)
        result = error_refuse(err, STATUS_USAGE, "no rows of results in", reader->path,
                              "expected CSV or JSON output of iosweep");
    if (result == 0)
        number_passes(results);
    if (!results->host)
        results->host = mem_strdup("");
    if (!results->date)
        results->date = mem_strdup("");
    if (!results->version)
        results->version = mem_strdup("");
    free(reader->line);
    free(reader->rounds);
    free(reader->references);
    reader_whole_free(reader->whole);
    free(reader);
    if (result < 0)
        results_free(results);
    return result;
}

int reader_stream(FILE *stream, const char *path, struct results *results, struct error *err)
{
    return read_stream(stream, path, 0, FIGURES, results, err);
}

int reader_stream_whole(FILE *stream, const char *path, struct results *results, struct error *err)
{
    return read_stream(stream, path, 0, WHOLE, results, err);
}

int reader_stream_any(FILE *stream, const char *path, struct results *results, struct error *err)
{
    return read_stream(stream, path, 0, ANY_WHOLE, results, err);
}

char *results_file_name(const char *path, unsigned *run)
{
    const char *mark = strrchr(path, '#');
    uint64_t number;

    *run = 0;
    if (!mark || !number_read(mark + 1, &number) || number == 0 || number > UINT32_MAX ||
        access(path, F_OK) == 0)
        return mem_strdup(path);
    *run = (unsigned)number;
    return mem_printf("%.*s", (int)(mark - path), path);
}

static int read_path(const char *path, enum detail detail, struct results *results,
                     struct error *err)
{
    FILE *stream;
    unsigned run;
    char *name;
    int result;

    if (strcmp(path, "-") == 0)
        return read_stream(stdin, path, 0, detail, results, err);
    name = results_file_name(path, &run);
    stream = fopen(name, "re");
    free(name);
    if (!stream)
        return reader_refuse(path, errno, err);
    result = read_stream(stream, path, run, detail, results, err);
    fclose(stream);
    return result;
}

int results_read(const char *path, struct results *results, struct error *err)
{
    return read_path(path, FIGURES, results, err);
}

int results_read_whole(const char *path, struct results *results, struct error *err)
{
    return read_path(path, WHOLE, results, err);
}

int results_read_any(const char *path, bool whole, struct results *results, struct error *err)
{
    return read_path(path, whole ? ANY_WHOLE : ANY, results, err);
}

void results_free(struct results *results)
{
    free(results->path);
    free(results->host);
    free(results->date);
    free(results->version);
    free(results->rows);
    arena_free(results->arena);
    *results = (struct results){0};
}

const char *results_fact(const struct results *results, const char *name)
{
    for (size_t i = 0; i < results->fact_count; i++)
        if (strcmp(results->facts[i].name, name) == 0)
            return results->facts[i].text;
    return "";
}

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

double results_op_ns(const struct results_row *row)
{
    double op_ns = NAN;

    if (row->skipped)
        return NAN;
    if (is_positive(row->op_ns_median))
        op_ns = row->op_ns_median;
    else if (row->operations > 0 && is_positive(row->time_s))
        op_ns = row->time_s * 1e9 / (double)row->operations;
    else if (is_positive(row->rate_per_s))
        op_ns = 1e9 / row->rate_per_s;
    return is_positive(op_ns) ? op_ns : NAN;
}

bool results_moves_data(const char *test)
{
    const struct test_descriptor *known = test_find(test);

    return !known || known->moves_data;
}

double results_throughput(const struct results_row *row)
{
    const double throughput = (double)row->size_bytes * 1e9 / results_op_ns(row);

    return is_positive(throughput) && results_moves_data(row->test) ? throughput : NAN;
}

char *results_printable(char *text)
{
    const size_t size = 4 * strlen(text) + 1;
    char *shown = error_printable(text, mem_calloc(size, 1), size);

    free(text);
    return shown;
}
