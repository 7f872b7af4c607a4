/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.c - creates the sink of a format, and frees all sinks of this folder. */
#include "base/compat.h"

#include "report/formats/formats.h"

#include <ctype.h>
#include <string.h>

#include "report/columns/columns.h"
#include "report/formats/print.h"

const char *const format_names[] = {[FORMAT_TABLE] = "table",
                                    [FORMAT_CSV] = "csv",
                                    [FORMAT_JSON] = "json",
                                    [FORMAT_CLASSIC] = "classic",
                                    [FORMAT_COUNT] = NULL};

int format_make(enum format format, FILE *stream, const struct format_options *options,
                struct sink *sink, struct error *err)
{
    static const print_maker makers[FORMAT_COUNT] = {[FORMAT_TABLE] = print_make_table,
                                                     [FORMAT_CSV] = print_make_csv,
                                                     [FORMAT_JSON] = print_make_json,
                                                     [FORMAT_CLASSIC] = print_make_classic};

    struct print_state *state;

    *sink = (struct sink){.arg = NULL};
    if (makers[format](options, sink, err) < 0)
        return -1;
    state = sink->arg;
    state->stream = stream;
    state->name = options->name      ? options->name
                  : stream == stdout ? "standard output"
                                     : "the output file";
    return 0;
}

/* Whether a line consists of column names separated by the same punctuation character or tab. Names
 * such as test, target and label occur in other files, too: one of the names must be a figure's,
 * with a unit. */
static bool is_header(const char *line)
{
    static const char in_names[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
    const char between = line[strspn(line, in_names)];
    const char *const rate = strstr(line, "_per_s"), *const time = strstr(line, "_ns_");

    for (;; line++) {
        const size_t length = strspn(line, in_names);
        if (!columns_has(line, length))
            return false;
        line += length;
        if (*line == '\n' || *line == '\r')
            return (rate && rate < line) || (time && time < line);
        if (*line != between || (!ispunct((unsigned char)between) && between != '\t'))
            return false;
    }
}

bool format_owns(enum format format, const char *beginning)
{
    static const char json[] = "[\n{\"record\":\"head\",\"document\":\"" SCHEMA_RESULTS "\"",
                      series[] = "ended_s", next[] = "interval_s";
    const char between = beginning[strspn(beginning, series)];

    switch (format) {
    case FORMAT_TABLE: /* printed after its heading */
        return strstr(beginning, " size  ") && strstr(beginning, "  operations  ");
    case FORMAT_CSV:
        return is_header(beginning);
    case FORMAT_JSON: /* of a run, not of a comparison */
        return strncmp(beginning, json, sizeof(json) - 1) == 0;
    case FORMAT_CLASSIC:
        return strncmp(beginning, "IO profile test parameters\n", 27) == 0;
    case FORMAT_SERIES:
        return (ispunct((unsigned char)between) || between == '\t') &&
               strncmp(beginning, series, sizeof(series) - 1) == 0 &&
               beginning[sizeof(series) - 1] == between &&
               strncmp(beginning + sizeof(series), next, sizeof(next) - 1) == 0 &&
               beginning[sizeof(series) + sizeof(next) - 1] == between;
    }
    return false;
}

void format_free(struct sink *sink)
{
    struct print_state *state = sink->arg;
    if (state)
        state->release(state);
    *sink = (struct sink){.arg = NULL};
}
