/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* formats.c - which maker stands behind which format, and the end of all sinks of this folder. */
#include "base/compat.h"

#include "report/formats/formats.h"

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

void format_free(struct sink *sink)
{
    struct print_state *state = sink->arg;
    if (state)
        state->release(state);
    *sink = (struct sink){.arg = NULL};
}
