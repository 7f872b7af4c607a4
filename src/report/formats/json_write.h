/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* json_write.h - writes the elements of a JSON document, for json*.c: records, commas, quoting, and
 * null for unknown values. */
#ifndef REPORT_FORMATS_JSON_WRITE_H
#define REPORT_FORMATS_JSON_WRITE_H

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "report/facts/facts.h"
#include "report/formats/print.h"
#include "report/pairs/pairs.h"
#include "report/summaries/summaries.h"

struct json {
    struct print_state state;
    struct columns_context context;
    unsigned *column, column_count;
    struct format_options options;
    struct facts *facts, own_facts;  /* facts: those of the run, or own_facts */
    pthread_mutex_t lock;            /* a separate thread writes records of --interval */
    bool comma;                      /* the open object or array has an element already */
    bool *named;                     /* per cell: its record was written */
    struct engine_requests requests; /* sum over all rows so far */
    bool has_requests;
};

/* json_head.c: the members of the first record. */
void json_put_head(struct json *json);

/* Begins a record of that kind, on its own line; the caller adds the members. */
static inline void open_record(struct json *json, const char *kind)
{
    fprintf(json->state.stream, ",{\"record\":\"%s\"", kind);
    json->comma = true;
}

static inline void close_record(struct json *json)
{
    fputs("}\n", json->state.stream);
}

static inline void put_key(struct json *json, const char *key)
{
    if (json->comma)
        fputc(',', json->state.stream);
    json->comma = true;
    if (key) {
        print_json_text(json->state.stream, key);
        fputc(':', json->state.stream);
    }
}

/* `key` is NULL inside arrays. */
static inline void open_group(struct json *json, const char *key, char bracket)
{
    put_key(json, key);
    fputc(bracket, json->state.stream);
    json->comma = false;
}

static inline void close_group(struct json *json, char bracket)
{
    fputc(bracket, json->state.stream);
    json->comma = true;
}

/* A number of a column or of a field of --interval. */
static inline void put_value(struct json *json, const char *key, const struct value *value)
{
    char number[PRINT_NUMBER_TEXT];

    put_key(json, key);
    print_number(value, '.', number);
    fputs(number[0] != '\0' ? number : "null", json->state.stream);
}

static inline void put_text(struct json *json, const char *key, const char *text)
{
    put_key(json, key);
    print_json_text(json->state.stream, text ? text : "");
}

/* For facts: an empty text means unknown. */
static inline void put_fact(struct json *json, const char *key, const char *text)
{
    put_key(json, key);
    if (!text || text[0] == '\0')
        fputs("null", json->state.stream);
    else
        print_json_text(json->state.stream, text);
}

static inline void put_count(struct json *json, const char *key, uint64_t count)
{
    put_key(json, key);
    fprintf(json->state.stream, "%" PRIu64, count);
}

static inline void put_known(struct json *json, const char *key, bool known, uint64_t count)
{
    if (known)
        put_count(json, key, count);
    else
        put_fact(json, key, NULL);
}

static inline void put_bool(struct json *json, const char *key, bool on)
{
    put_key(json, key);
    fputs(on ? "true" : "false", json->state.stream);
}

static inline void put_real(struct json *json, const char *key, double real, int decimals)
{
    put_key(json, key);
    if (isfinite(real))
        fprintf(json->state.stream, "%.*f", decimals, real);
    else
        fputs("null", json->state.stream);
}

#endif
