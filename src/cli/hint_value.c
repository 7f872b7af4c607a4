/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* hint_value.c - values of options that were meant: near words, and words of other programs. */
#include "base/compat.h"

#include "base/text.h"
#include "cli/hint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "engine/engine.h"
#include "report/columns/columns.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define BEGINNING       3   /* letters of a word that make one think of it */
#define ADVICE_SHORT    100 /* an advice up to this length is worth to be read beside a hint */

static const struct {
    const char *option, *said, *meant;
} foreign_values[] = {
    {"access", "linear", "sequential"},
    {"access", "rnd", "random"},
    {"access", "streaming", "sequential"},
    {"cache", "bypass", "direct"},
    {"cache", "cold", "uncached"},
    {"cache", "drop", "uncached"},
    {"cache", "hot", "cached"},
    {"cache", "no", "direct, or uncached"},
    {"cache", "nocache", "direct, or uncached"},
    {"cache", "none", "direct, or uncached"},
    {"cache", "o_direct", "direct"},
    {"cache", "odirect", "direct"},
    {"cache", "off", "direct, or uncached"},
    {"cache", "on", "cached"},
    {"cache", "page", "cached"},
    {"cache", "warm", "cached"},
    {"cache", "yes", "cached"},
    {"columns", "bandwidth", "throughput_bytes_per_s"},
    {"columns", "bs", "size_bytes"},
    {"columns", "bw", "throughput_bytes_per_s"},
    {"columns", "count", "operations"},
    {"columns", "iops", "rate_per_s"},
    {"columns", "lat", "latency_ns_p50"},
    {"columns", "mbps", "throughput_bytes_per_s"},
    {"columns", "mode", "test"},
    {"columns", "ops", "rate_per_s, or operations"},
    {"columns", "p50", "latency_ns_p50"},
    {"columns", "p90", "latency_ns_p90"},
    {"columns", "p99", "latency_ns_p99"},
    {"columns", "p99.9", "latency_ns_p999"},
    {"columns", "p999", "latency_ns_p999"},
    {"columns", "speed", "throughput_bytes_per_s, or rate_per_s"},
    {"columns", "time", "time_s, or op_ns_mean"},
    {"format", "excel", "csv"},
    {"format", "html", "iosweep report -o FILE.html, which reads results"},
    {"format", "human", "table"},
    {"format", "markdown", "iosweep report, which reads results"},
    {"format", "md", "iosweep report, which reads results"},
    {"format", "plain", "table"},
    {"format", "text", "table"},
    {"format", "tsv", "csv with --separator tab"},
    {"format", "txt", "table"},
    {"format", "xlsx", "csv"},
    {"mix", "50/50", "50"},
    {"mix", "50:50", "50"},
    {"mix", "70/30", "70"},
    {"mix", "70:30", "70"},
    {"mix", "rw", "50"},
    {"sync", "dsync", "data"},
    {"sync", "fdatasync", "data"},
    {"sync", "fsync", "end"},
    {"sync", "no", "none"},
    {"sync", "o_dsync", "data"},
    {"sync", "o_sync", "full"},
    {"sync", "off", "none"},
    {"sync", "osync", "full"},
    {"sync", "sync", "full"},
    {"sync", "yes", "full"},
    {"tests", "cp", "copy"},
    {"tests", "get", "read"},
    {"tests", "head", "stat"},
    {"tests", "ls", "list"},
    {"tests", "metadata", "create,stat,list,rename,delete"},
    {"tests", "mixed", "write,read with --mix 50"},
    {"tests", "mv", "rename"},
    {"tests", "put", "write"},
    {"tests", "randread", "read; access is random unless --access says otherwise"},
    {"tests", "randrw", "write,read with --mix 50"},
    {"tests", "randwrite", "write; access is random unless --access says otherwise"},
    {"tests", "readdir", "list"},
    {"tests", "readwrite", "write,read, at the same time with --mix 50"},
    {"tests", "remove", "delete"},
    {"tests", "rm", "delete"},
    {"tests", "rw", "write,read, at the same time with --mix 50"},
    {"tests", "seqread", "read with --access sequential"},
    {"tests", "seqwrite", "write with --access sequential"},
    {"tests", "unlink", "delete"},
};

const char *hint_foreign_value(const char *option, const char *word)
{
    for (size_t i = 0; i < COUNT_OF(foreign_values); i++)
        if (strcmp(foreign_values[i].option, option) == 0 &&
            strcasecmp(foreign_values[i].said, word) == 0)
            return foreign_values[i].meant;
    return NULL;
}

/* The nearest of what it was compared with so far. */
struct nearest {
    const char *word, *found;
    unsigned distance;
};

static void compare(struct nearest *nearest, const char *name)
{
    const size_t length = strlen(nearest->word);
    unsigned distance;

    if (length >= BEGINNING && strncasecmp(nearest->word, name, length) == 0)
        distance = 0;
    else if (!hint_is_near(nearest->word, length, name, &distance))
        return;
    if (distance < nearest->distance) {
        nearest->found = name;
        nearest->distance = distance;
    }
}

static const char *near_choice(const char *const *choices, const char *word)
{
    struct nearest nearest = {.word = word, .distance = UINT_MAX};

    for (unsigned i = 0; choices && choices[i]; i++)
        compare(&nearest, choices[i]);
    return nearest.found;
}

/* In front of what is advised already, when there is room for both. */
static void put_first(struct error *err, const char *meant)
{
    char advice[sizeof(err->advice)];

    snprintf(advice, sizeof(advice), "%s", err->advice);
    if (strlen(advice) <= ADVICE_SHORT && advice[0])
        snprintf(err->advice, sizeof(err->advice), "did you mean %s; %.*s", meant, ADVICE_SHORT,
                 advice);
    else
        snprintf(err->advice, sizeof(err->advice), "did you mean %s", meant);
}

static bool is_choice(const char *const *choices, const char *word, size_t length)
{
    for (unsigned i = 0; choices && choices[i]; i++)
        if (strlen(choices[i]) == length && strncmp(choices[i], word, length) == 0)
            return true;
    return false;
}

/* "write;read": the words of a list, but with other marks between them. */
static const char *joined(const struct option_row *row, const char *word, char *text, size_t size)
{
    const char *const marks = ";+|/& ";
    bool all = row->type != OPTION_CHOICE && strlen(word) < size && strpbrk(word, marks);

    for (const char *part = word; all && *part; part += strspn(part, marks)) {
        const size_t length = strcspn(part, marks);
        all = is_choice(row->choices, part, length);
        part += length;
    }
    if (!all)
        return NULL;
    text_copy(text, size, word);
    for (char *mark = text; (mark = strpbrk(mark, marks));)
        *mark = ',';
    return text;
}

void hint_value(const struct option_row *row, struct error *err)
{
    const char *meant = hint_foreign_value(row->long_name, err->object);
    char text[80];

    if (err->status != STATUS_USAGE || !err->object[0])
        return;
    if (is_choice(row->choices, err->object, strlen(err->object)))
        return; /* it is one, and something else was wrong */
    if (!meant)
        meant = joined(row, err->object, text, sizeof(text));
    if (!meant)
        meant = near_choice(row->choices, err->object);
    if (meant)
        put_first(err, meant);
}

/* The shortest name that has the word in it: "p99", "cpu". */
static const char *column_with(const char *word)
{
    const char *found = NULL;

    for (const struct column *column = columns_table; column->name; column++)
        if (strlen(word) >= BEGINNING && strstr(column->name, word) &&
            (!found || strlen(column->name) < strlen(found)))
            found = column->name;
    return found;
}

void hint_column(struct error *err)
{
    const char *meant = hint_foreign_value("columns", err->object);
    struct nearest nearest = {.word = err->object, .distance = UINT_MAX};

    for (const struct column *column = columns_table; column->name; column++)
        if (strcmp(column->name, err->object) == 0)
            return; /* it is one, and was given twice */
    if (!meant) {
        compare(&nearest, COLUMNS_DEFAULT_WORD);
        compare(&nearest, COLUMNS_ALL_WORD);
        for (unsigned group = 0; group < GROUP_COUNT; group++)
            compare(&nearest, columns_group_names[group]);
        for (const struct column *column = columns_table; column->name; column++)
            compare(&nearest, column->name);
        meant = nearest.found ? nearest.found : column_with(err->object);
    }
    if (meant)
        snprintf(err->advice, sizeof(err->advice),
                 "did you mean %s; iosweep help columns shows all of them", meant);
}

const char *hint_engine(const char *name)
{
    struct nearest nearest = {.word = name, .distance = UINT_MAX};

    for (unsigned i = 0; engine_table[i]; i++) {
        const struct engine *engine = engine_table[i];
        for (const char *const *other = engine->called; other && *other; other++)
            if (strcasecmp(name, *other) == 0)
                return engine->name;
        if (strlen(name) >= BEGINNING && strstr(engine->name, name)) /* "uring", "aio" */
            return engine->name;
        compare(&nearest, engine->name);
    }
    return nearest.found;
}
