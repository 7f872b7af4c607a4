/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_json.c - rows from the JSON documents of --format json; with results_facts.c the only
 * user of jansson.
 *
 * A document holds the histograms of all rows, so as a whole it would take many times its size in
 * memory.  The outer braces are therefore walked here, and jansson gets one value at a time: one
 * row, or the block of facts. */
#include "base/compat.h"

#include "analysis/results/reader.h"
#include "analysis/results/results_json.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/schema.h"

#define VALUE_BYTES_MAX ((size_t)32 << 20) /* of one row; real ones have some 10 KiB */

struct feed { /* what a value is read from */
    struct reader *reader;
    struct error *err;
    size_t bytes;
    bool end; /* of the file */
    int last;
};

struct json_reader {
    struct reader *reader;
};

/* One byte at a time, so that jansson does not take more than the value. */
static size_t feed_byte(void *buffer, size_t size, void *arg)
{
    struct feed *feed = arg;

    if (size == 0 || feed->bytes == VALUE_BYTES_MAX)
        return 0;
    feed->last = reader_byte(feed->reader, feed->err);
    if (feed->last == EOF) {
        feed->end = true;
        return 0;
    }
    feed->bytes++;
    *(unsigned char *)buffer = (unsigned char)feed->last;
    return 1;
}

/* The next value, or NULL with err. */
static json_t *take_value(struct json_reader *json, struct error *err)
{
    struct feed feed = {.reader = json->reader, .err = err};
    json_error_t problem;
    json_t *value =
        json_load_callback(feed_byte, &feed, JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &problem);

    if (!value) {
        if (feed.end)
            reader_fail(json->reader, err, "the document ends too early (cut off?) at");
        else if (feed.bytes == VALUE_BYTES_MAX)
            reader_fail(json->reader, err, "a value of more than %zu MiB at",
                        VALUE_BYTES_MAX >> 20);
        else
            reader_fail(json->reader, err, "invalid JSON (%.100s) at", problem.text);
        return NULL;
    }
    /* Only a look at what follows tells where these end. */
    if (!feed.end && (json_is_number(value) || json_is_boolean(value) || json_is_null(value)))
        reader_unread(json->reader);
    return value;
}

/* The next byte that is no blank; EOF at the end or with err. */
static int skip_blanks(struct reader *reader, struct error *err)
{
    int byte;

    do {
        byte = reader_byte(reader, err);
    } while (byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n');
    return byte;
}

static int expect(struct json_reader *json, const char *wanted, struct error *err)
{
    struct reader *reader = json->reader;
    const int byte = skip_blanks(reader, err);

    if (byte != EOF && strchr(wanted, byte))
        return byte;
    if (!error_is_set(err) && byte == EOF)
        reader_fail(reader, err, "the document ends too early (cut off?) at");
    if (!error_is_set(err))
        reader_fail(reader, err, "not JSON of iosweep: expected one of %s at", wanted);
    return EOF;
}

static int take_field(struct json_reader *json, struct results_row *row,
                      const struct reader_field *field, const json_t *value, struct error *err)
{
    void *member = (char *)row + field->offset;
    bool good = false;

    if (!value || json_is_null(value))
        return 0;
    if (field->type == READER_TEXT || field->type == READER_NAME || field->type == READER_LABEL) {
        good = json_is_string(value);
        if (good && field->type == READER_NAME)
            *(const char **)member =
                reader_keep_field(json->reader, field, json_string_value(value));
        else if (good)
            *(const char **)member = reader_keep(json->reader, json_string_value(value));
    } else if (field->type == READER_COUNT) {
        good = json_is_integer(value) && json_integer_value(value) >= 0;
        if (good)
            *(uint64_t *)member = (uint64_t)json_integer_value(value);
    } else {
        good = json_is_number(value) && json_number_value(value) >= 0;
        if (good)
            *(double *)member = json_number_value(value);
    }
    if (!good)
        return reader_fail(json->reader, err, "%s has the wrong type in the row before",
                           field->name);
    return 0;
}

static int take_rounds(struct json_reader *json, const json_t *rounds, const char *name,
                       void (*add)(struct reader *, double), struct error *err)
{
    const json_t *value;
    size_t i;

    if (!rounds || json_is_null(rounds))
        return 0;
    if (!json_is_array(rounds))
        return reader_fail(json->reader, err, "%s is not an array in the row before", name);
    json_array_foreach(rounds, i, value)
    {
        if (!json_is_number(value) || json_number_value(value) < 0)
            return reader_fail(json->reader, err, "%s holds no time in the row before", name);
        add(json->reader, json_number_value(value));
    }
    return 0;
}

static uint64_t count_of(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) > 0
               ? (uint64_t)json_integer_value(value)
               : 0;
}

static int take_buckets(struct json_reader *json, const json_t *buckets, struct error *err)
{
    const json_t *value;
    size_t i;

    json_array_foreach(buckets, i, value)
    {
        if (json_array_size(value) != 2 || !count_of(json_array_get(value, 1)))
            return reader_fail(json->reader, err,
                               "latency_histogram holds no pairs of numbers in the row before");
        reader_add_bucket(json->reader, count_of(json_array_get(value, 0)),
                          count_of(json_array_get(value, 1)));
    }
    return 0;
}

static int take_threads(struct json_reader *json, const json_t *threads, struct error *err)
{
    const json_t *value;
    size_t i;

    json_array_foreach(threads, i, value)
    {
        struct results_thread *thread = reader_thread(json->reader, i);
        if (!thread)
            return reader_fail(json->reader, err, "too many threads in the row before");
        thread->operations = count_of(json_object_get(value, "operations"));
        thread->time_s = json_number_value(json_object_get(value, "time_s"));
    }
    return 0;
}

/* All members of a row, known to this reader or not. */
static int take_whole(struct json_reader *json, const json_t *row, struct error *err)
{
    const char *name;
    const json_t *value;

    json_object_foreach((json_t *)(uintptr_t)row, name, value)
    {
        if (json_is_string(value))
            reader_add_value(json->reader, name, json_string_value(value), NAN);
        else if (json_is_number(value))
            reader_add_value(json->reader, name, NULL, json_number_value(value));
    }
    if (!json_object_get(row, "label"))
        reader_add_value(json->reader, "label", json->reader->label, NAN);
    return take_buckets(json, json_object_get(row, "latency_histogram"), err) < 0
               ? -1
               : take_threads(json, json_object_get(row, "thread_results"), err);
}

static int take_row(struct json_reader *json, const json_t *value, struct error *err)
{
    struct results_row *row;

    if (!json_is_object(value))
        return reader_fail(json->reader, err, "a row is not an object before");
    row = reader_add_row(json->reader, err);
    if (!row)
        return -1;
    row->label = json->reader->label;
    for (const struct reader_field *field = reader_fields; field->name; field++)
        if (take_field(json, row, field, json_object_get(value, field->name), err) < 0)
            return -1;
    if (row->size_bytes == 0 || row->threads == 0 || row->depth == 0)
        return reader_fail(json->reader, err,
                           "size_bytes, threads or depth is 0 or missing in the row before");
    if (row->ranks == 0)
        return reader_fail(json->reader, err, "ranks is 0 in the row before");
    if (take_rounds(json, json_object_get(value, "round_ns"), "round_ns", reader_add_round, err) <
            0 ||
        take_rounds(json, json_object_get(value, "reference_round_ns"), "reference_round_ns",
                    reader_add_reference, err) < 0)
        return -1;
    if (json->reader->whole && take_whole(json, value, err) < 0)
        return -1;
    reader_end_row(json->reader, row);
    return 0;
}

/* What follows "rows": */
static int take_rows(struct json_reader *json, struct error *err)
{
    struct reader *reader = json->reader;
    int byte;

    if (expect(json, "[", err) == EOF)
        return -1;
    byte = skip_blanks(reader, err);
    if (byte == ']')
        return 0;
    if (byte != EOF)
        reader_unread(reader);
    do {
        json_t *value = take_value(json, err);
        const int result = value ? take_row(json, value, err) : -1;

        json_decref(value);
        if (result < 0)
            return -1;
        byte = expect(json, ",]", err);
    } while (byte == ',');
    return byte == ']' ? 0 : -1;
}

/* Members beside the rows that say whether they can be read. */
static int check_kind(struct json_reader *json, const char *key, const json_t *value,
                      struct error *err)
{
    const char *text = json_string_value(value), *at = text;
    uint64_t major;

    if (strcmp(key, "document") == 0 && text && strcmp(text, SCHEMA_RESULTS) != 0)
        return reader_fail(json->reader, err, "a document of another kind (%.40s), not results, at",
                           text);
    if (strcmp(key, "schema_version") != 0)
        return 0;
    if (!text || !number_take(&at, &major) || *at != '.')
        return reader_fail(json->reader, err, "schema_version is not a version at");
    if (major == SCHEMA_MAJOR)
        return 0;
    reader_fail(json->reader, err, "written for another iosweep (schema version %.20s) at", text);
    return error_advise(err, "this one, " PACKAGE_VERSION ", reads version %d", SCHEMA_MAJOR);
}

/* A key and its value. */
static int take_member(struct json_reader *json, struct error *err)
{
    json_t *key = take_value(json, err), *value = NULL;
    int result = -1;

    if (key && !json_is_string(key))
        reader_fail(json->reader, err, "not JSON of iosweep: expected a key at");
    else if (key && expect(json, ":", err) != EOF) {
        if (strcmp(json_string_value(key), "rows") == 0) {
            result = take_rows(json, err);
        } else {
            value = take_value(json, err);
            result = value ? check_kind(json, json_string_value(key), value, err) : -1;
            if (result == 0)
                reader_take_facts(json->reader, json_string_value(key), value);
        }
    }
    json_decref(value);
    json_decref(key);
    return result;
}

static int take_document(struct json_reader *json, struct error *err)
{
    struct reader *reader = json->reader;
    int byte;

    reader->label = "";
    if (expect(json, "{", err) == EOF)
        return -1;
    byte = skip_blanks(reader, err);
    if (byte == '}')
        return 0;
    if (byte != EOF)
        reader_unread(reader);
    do {
        if (take_member(json, err) < 0)
            return -1;
        byte = expect(json, ",}", err);
    } while (byte == ',');
    return byte == '}' ? 0 : -1;
}

/* Several documents may stand one after the other, as `cat` puts them. */
int reader_json(struct reader *reader, struct error *err)
{
    struct json_reader json = {.reader = reader};
    int result = 0;

    reader->line_number++; /* bytes count the ends of lines */
    while (result == 0) {
        int byte = skip_blanks(reader, err);
        if (byte == EOF) {
            result = error_is_set(err) ? -1 : 0;
            break;
        }
        reader_unread(reader);
        result = take_document(&json, err);
        reader->documents++;
    }
    return result;
}
