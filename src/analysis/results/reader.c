/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* reader.c - lines, bytes, numbers, kept strings and rows for the readers of results.
 *
 * All that is read came from somewhere else, so everything has a limit and every refusal a place.
 * Memory grows with what is kept (rows, rounds, different strings), not with what is skipped. */
#include "base/compat.h"

#include "analysis/results/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/arena.h"
#include "base/mem.h"
#include "base/number.h"

#define FIELD(type, name)                                        \
    {                                                            \
#name, READER_##type, offsetof(struct results_row, name) \
    }

const struct reader_field reader_fields[] = {
    FIELD(COUNT, size_bytes),     FIELD(COUNT, operations),
    FIELD(REAL, time_s),          FIELD(REAL, throughput_bytes_per_s),
    FIELD(REAL, rate_per_s),      FIELD(TEXT, test),
    FIELD(NAME, target),          FIELD(TEXT, engine),
    FIELD(TEXT, cache),           FIELD(TEXT, access),
    FIELD(COUNT, threads),        FIELD(COUNT, depth),
    FIELD(REAL, op_ns_median),    FIELD(REAL, op_ns_low),
    FIELD(REAL, op_ns_high),      FIELD(REAL, latency_ns_p50),
    FIELD(REAL, latency_ns_p90),  FIELD(REAL, latency_ns_p99),
    FIELD(REAL, latency_ns_p999), FIELD(REAL, latency_ns_max),
    FIELD(TEXT, notes),           FIELD(LABEL, label),
    FIELD(REAL, op_ns_min),       FIELD(REAL, cpu_ns_per_op),
    FIELD(REAL, reference_ns),    FIELD(REAL, queued_ns_per_op),
    FIELD(COUNT, step),           FIELD(COUNT, loop),
    FIELD(COUNT, repeat),         FIELD(COUNT, mix),
    FIELD(COUNT, filled_bytes),   FIELD(COUNT, ranks),
    {NULL, READER_TEXT, 0},
};

int reader_refuse(const char *path, int errnum, struct error *err)
{
    if (path[0] == '\0')
        return error_refuse(err, STATUS_USAGE, "empty name of a file", NULL,
                            "name a file of results");
    error_set(err, STATUS_USAGE, errnum, "cannot read", path);
    if (errnum == ENOENT)
        error_explain(err, "it does not exist");
    if (errnum == EISDIR)
        error_explain(err, "it is a directory");
    return errnum == ENOENT || errnum == EISDIR
               ? error_advise(err, "name a file of results, as iosweep -o FILE writes")
               : -1;
}

int reader_fail(const struct reader *reader, struct error *err, const char *format, ...)
{
    char action[sizeof(err->action)], place[sizeof(err->object)];
    const size_t length = strlen(reader->path), most = sizeof(place) - 32;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(action, sizeof(action), format, arguments);
    va_end(arguments);
    /* of a very long path the end says more */
    snprintf(place, sizeof(place), "%s:%" PRIu64,
             reader->path + (length > most ? length - most : 0), reader->line_number);
    return error_set(err, STATUS_USAGE, 0, action, place);
}

/* --- bytes and lines --- */

/* Fills the empty buffer: 1, 0 at the end, -1 with err. */
static int fill_buffer(struct reader *reader, struct error *err)
{
    reader->at = reader->end = 0;
    errno = 0;
    reader->end = fread(reader->buffer, 1, sizeof(reader->buffer), reader->stream);
    if (reader->end == 0)
        return ferror(reader->stream) ? reader_refuse(reader->path, errno, err) : 0;
    reader->total_bytes += reader->end;
    if (reader->total_bytes > READER_FILE_MAX)
        return reader_fail(reader, err, "longer than %" PRIu64 " GiB, at", READER_FILE_MAX >> 30);
    return 1;
}

int reader_byte(struct reader *reader, struct error *err)
{
    int byte;

    if (reader->at == reader->end && fill_buffer(reader, err) <= 0)
        return EOF;
    byte = reader->buffer[reader->at++];
    if (byte == '\n')
        reader->line_number++;
    return byte;
}

void reader_unread(struct reader *reader)
{
    if (reader->buffer[--reader->at] == '\n')
        reader->line_number--;
}

char *reader_rest(struct reader *reader, size_t *length, struct error *err)
{
    char *text = NULL;
    size_t room = 0;

    *length = 0;
    for (;;) {
        const size_t more = reader->end - reader->at;
        if (*length + more > READER_PAGE_MAX) {
            free(text);
            error_refuse(err, STATUS_USAGE, "too large a page:", reader->path,
                         "at most %zu MiB are read", READER_PAGE_MAX >> 20);
            return NULL;
        }
        text = mem_grow(text, &room, *length + more + 1, 1);
        memcpy(text + *length, reader->buffer + reader->at, more);
        *length += more;
        text[*length] = '\0';
        reader->at = reader->end;
        if (fill_buffer(reader, err) <= 0)
            break;
    }
    if (error_is_set(err)) {
        free(text);
        return NULL;
    }
    return text;
}

static int append(struct reader *reader, const unsigned char *bytes, size_t count,
                  struct error *err)
{
    const size_t needed = reader->line_length + count + 1;

    if (needed > READER_LINE_MAX)
        return reader_fail(reader, err, "a line of more than %zu KiB at", READER_LINE_MAX >> 10);
    if (memchr(bytes, '\0', count)) {
        reader_fail(reader, err, "binary data, not text, at");
        return error_advise(err, "name a result of iosweep; if a spreadsheet wrote it as UTF-16 "
                                 "(\"Unicode\"), save it as UTF-8");
    }
    if (needed > reader->line_room) {
        reader->line_room = needed < 512 ? 1024 : 2 * needed;
        reader->line = mem_realloc_array(reader->line, reader->line_room, 1);
    }
    memcpy(reader->line + reader->line_length, bytes, count);
    reader->line_length += count;
    reader->line[reader->line_length] = '\0';
    return 0;
}

/* A byte order mark can also stand inside, where files were put together. */
static void strip_line(struct reader *reader, size_t begin)
{
    char *line = reader->line + begin;

    if (reader->line_length > begin && reader->line[reader->line_length - 1] == '\r')
        reader->line[--reader->line_length] = '\0';
    if (begin == 0 && strncmp(line, "\xef\xbb\xbf", 3) == 0) {
        reader->line_length -= 3;
        memmove(line, line + 3, reader->line_length + 1);
    }
}

int reader_line(struct reader *reader, bool more, struct error *err)
{
    const unsigned char newline = '\n';
    size_t begin = 0;
    int filled = 1;

    if (reader->again) {
        reader->again = false;
        return 1;
    }
    if (!more)
        reader->line_length = 0;
    else if (append(reader, &newline, 1, err) < 0)
        return -1;
    begin = reader->line_length;
    for (bool first = true;; first = false) {
        const unsigned char *from, *stop;
        if (reader->at == reader->end)
            filled = fill_buffer(reader, err);
        if (filled <= 0 && (filled < 0 || first))
            return filled;
        if (first)
            reader->line_number++;
        if (filled == 0) {
            reader->cut = true;
            break;
        }
        from = reader->buffer + reader->at;
        stop = memchr(from, '\n', reader->end - reader->at);
        if (append(reader, from, stop ? (size_t)(stop - from) : reader->end - reader->at, err) < 0)
            return -1;
        reader->at = stop ? (size_t)(stop - reader->buffer) + 1 : reader->end;
        if (stop)
            break;
    }
    strip_line(reader, begin);
    return 1;
}

/* --- numbers --- */

static const char *skip_digits(const char *s)
{
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

bool reader_parse_real(const char *word, char *mark, double *value)
{
    char text[400];
    const size_t length = strlen(word);
    const char *s = skip_digits(word), *digits;

    if (s == word || length >= sizeof(text))
        return false;
    memcpy(text, word, length + 1);
    if (*s == '.' || *s == ',') {
        if (*mark != '\0' && *s != *mark)
            return false;
        *mark = *s;
        text[s - word] = '.';
        digits = ++s;
        s = skip_digits(s);
        if (s == digits)
            return false;
    }
    if (*s == 'e' || *s == 'E') {
        s += s[1] == '+' || s[1] == '-' ? 2 : 1;
        digits = s;
        s = skip_digits(s);
        if (s == digits)
            return false;
    }
    if (*s != '\0')
        return false;
    return number_read_real(text, value);
}

bool reader_parse_count(const char *word, char *mark, uint64_t *value)
{
    double real;

    if (*skip_digits(word) != '\0') { /* "4096.0", as spreadsheets like to write */
        if (!reader_parse_real(word, mark, &real) || real >= 0x1p63 || real != floor(real))
            return false;
        *value = (uint64_t)real;
        return true;
    }
    return number_read(word, value);
}

/* --- rows --- */

const char *reader_keep(struct reader *reader, const char *text)
{
    return arena_keep(reader->arena, text);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* The byte of \xNN at text; 0 when there is none that error_printable would have written so. */
static char escaped_byte(const char *text)
{
    int high, low, byte;

    if (text[0] != '\\' || text[1] != 'x' || (high = hex_digit(text[2])) < 0 ||
        (low = hex_digit(text[3])) < 0)
        return '\0';
    byte = high << 4 | low;
    return byte < 0x20 || byte >= 0x7f || byte == '\\' ? (char)byte : '\0';
}

const char *reader_keep_field(struct reader *reader, const struct reader_field *field,
                              const char *text)
{
    char *name, *to;
    const char *kept;

    if (field->type == READER_TEXT || !strstr(text, "\\x"))
        return reader_keep(reader, text);
    name = to = mem_calloc(strlen(text) + 1, 1);
    while (*text != '\0') {
        const char byte = escaped_byte(text);
        *to++ = byte != '\0' ? byte : *text;
        text += byte != '\0' ? 4 : 1;
    }
    kept = reader_keep(reader, name);
    free(name);
    return kept;
}

struct results_row *reader_add_row(struct reader *reader, struct error *err)
{
    struct results *results = reader->results;
    struct results_row *row;

    if (results->count == READER_ROWS_MAX) {
        reader_fail(reader, err, "more than %zu rows at", READER_ROWS_MAX);
        return NULL;
    }
    results->rows =
        mem_grow(results->rows, &reader->row_room, results->count + 1, sizeof(*results->rows));
    row = &results->rows[results->count++];
    *row = (struct results_row){.threads = 1,
                                .depth = 1,
                                .ranks = 1,
                                .step = 1,
                                .loop = 1,
                                .repeat = 1,
                                .mix = RESULTS_NO_MIX};
    for (const struct reader_field *field = reader_fields; field->name; field++) {
        char *member = (char *)row + field->offset;
        if (field->type == READER_TEXT || field->type == READER_NAME || field->type == READER_LABEL)
            *(const char **)(void *)member = "";
        else if (field->type == READER_REAL)
            *(double *)(void *)member = NAN;
    }
    reader->round_count = reader->reference_count = 0;
    reader_whole_begin(reader);
    return row;
}

static void add_value(double **values, size_t *count, size_t *room, double value)
{
    *values = mem_grow(*values, room, *count + 1, sizeof(**values));
    (*values)[(*count)++] = value;
}

void reader_add_round(struct reader *reader, double op_ns)
{
    add_value(&reader->rounds, &reader->round_count, &reader->round_room, op_ns);
}

void reader_add_reference(struct reader *reader, double ns)
{
    add_value(&reader->references, &reader->reference_count, &reader->reference_room, ns);
}

static double *keep_values(struct reader *reader, const double *values, size_t count)
{
    double *kept = arena_alloc(reader->arena, count * sizeof(*kept));
    memcpy(kept, values, count * sizeof(*kept));
    return kept;
}

/* Those of the reference are of use beside all rounds only. */
static void take_rounds(struct reader *reader, struct results_row *row)
{
    const size_t n = reader->round_count;

    row->round_count = n;
    if (n == 0)
        return;
    row->round_ns = keep_values(reader, reader->rounds, n);
    if (reader->reference_count == n)
        row->reference_round_ns = keep_values(reader, reader->references, n);
}

/* Notes are words joined by ';'. */
static bool has_note(const char *notes, const char *word, bool whole)
{
    const size_t length = strlen(word);

    for (;; notes++) {
        const size_t here = strcspn(notes, ";");
        if (strncmp(notes, word, length) == 0 && (!whole || here == length))
            return true;
        notes += here;
        if (*notes == '\0')
            return false;
    }
}

void reader_end_row(struct reader *reader, struct results_row *row)
{
    take_rounds(reader, row);
    reader_whole_end(reader, row);
    if (strcmp(row->access, "random") == 0)
        row->access = "";
    row->skipped = has_note(row->notes, "skipped:", false);
    row->incomplete = has_note(row->notes, "incomplete", true);
    if (isnan(row->rate_per_s) && row->throughput_bytes_per_s > 0)
        row->rate_per_s = row->throughput_bytes_per_s / (double)row->size_bytes;
    reader->round_count = reader->reference_count = 0;
}
