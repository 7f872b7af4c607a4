/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* summaries_sink.c - summaries on standard error, after the last row. */
#include "base/compat.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"
#include "report/formats/print.h"
#include "report/summaries/summaries.h"

struct summaries_sink {
    struct print_state state; /* stream NULL */
    struct summaries summaries;
    bool utf8;
};

static int sink_begin(void *arg, const struct run_info *info, struct error *err)
{
    struct summaries_sink *sink = arg;
    (void)err;
    summaries_begin(&sink->summaries, info);
    return 0;
}

static int sink_row(void *arg, const struct result *result, struct error *err)
{
    struct summaries_sink *sink = arg;
    (void)err;
    summaries_add(&sink->summaries, result);
    return 0;
}

static void log_line(void *arg, const char *line)
{
    (void)arg;
    log_info("# %s", line);
}

static int sink_end(void *arg, struct error *err)
{
    struct summaries_sink *sink = arg;
    const unsigned columns = log_columns();
    (void)err;
    summaries_print(&sink->summaries, &(struct summaries_lines){
                                          .utf8 = sink->utf8,
                                          .columns = columns > 2 && columns - 2 < SUMMARIES_COLUMNS
                                                         ? columns - 2
                                                         : SUMMARIES_COLUMNS,
                                          .put = log_line,
                                      });
    return 0;
}

static void sink_release(void *state)
{
    struct summaries_sink *sink = state;
    summaries_free(&sink->summaries);
    free(sink);
}

void format_make_summaries(bool utf8, struct sink *sink)
{
    struct summaries_sink *state = mem_calloc(1, sizeof(*state));

    state->state.release = sink_release;
    state->utf8 = utf8;
    *sink = (struct sink){.begin = sink_begin, .row = sink_row, .end = sink_end, .arg = state};
}
