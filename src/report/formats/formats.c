/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.c - which maker stands behind which format, and the end of all sinks of this folder. */
#include "base/compat.h"

#include "report/formats/formats.h"

#include <string.h>

#include "report/columns/columns.h"
#include "report/formats/print.h"

int format_make(enum format format, FILE *stream, const struct format_options *options,
                struct sink *sink, struct error *err)
{
    *sink = (struct sink){.arg = NULL};
    switch (format) {
    case FORMAT_TABLE:
        return print_make_table(stream, options, sink, err);
    case FORMAT_CSV:
        return print_make_csv(stream, options, sink, err);
    case FORMAT_JSON:
        return print_make_json(stream, options, sink, err);
    case FORMAT_CLASSIC:
        return print_make_classic(stream, options, sink, err);
    case FORMAT_COUNT:
        break;
    }
    return error_set(err, STATUS_INTERNAL, 0, "no such output format", NULL);
}

/* Names of columns, each followed by one character that is in no name, up to the end of the line. */
static bool is_header(const char *line)
{
    static const char in_names[] = "abcdefghijklmnopqrstuvwxyz_0123456789";

    for (;; line++) {
        const size_t length = strspn(line, in_names);
        if (!columns_has(line, length))
            return false;
        line += length;
        if (*line == '\n' || *line == '\r')
            return true;
        if (*line == '\0')
            return false;
    }
}

bool format_owns(enum format format, const char *beginning)
{
    static const char *const first[] = {[FORMAT_JSON] = "{\"iosweep\":",
                                        [FORMAT_CLASSIC] = "IO profile test parameters\n",
                                        [FORMAT_SERIES] = "time_s"};

    switch (format) {
    case FORMAT_TABLE: /* after its heading */
        return strstr(beginning, " size  ") && strstr(beginning, "  operations  ");
    case FORMAT_CSV:
        return is_header(beginning);
    default:
        return strncmp(beginning, first[format], strlen(first[format])) == 0;
    }
}

void format_free(struct sink *sink)
{
    struct print_state *state = sink->arg;
    if (state)
        state->release(state);
    *sink = (struct sink){.arg = NULL};
}
