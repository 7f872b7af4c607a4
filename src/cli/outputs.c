/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* outputs.c - files are opened early, so that a wrong name is told at once, and emptied late, when
 * the run is sure to start. */
#include "base/compat.h"

#include "cli/outputs.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/color.h"
#include "base/log.h"
#include "base/utf8.h"
#include "os/os.h"

static int open_files(struct outputs *outputs, const struct request *request, struct error *err)
{
    const struct settings *settings = &request->settings;

    if (outfile_open(settings, request->output, (enum format)request->format, &outputs->output,
                     err) < 0 ||
        outfile_open(settings, request->series, FORMAT_SERIES, &outputs->series, err) < 0 ||
        outfile_check_distinct(&outputs->output, &outputs->series,
                               "--output and --series are the same file:", err) < 0 ||
        outfile_lock(&outputs->output, err) < 0)
        return -1;
    return outfile_lock(&outputs->series, err);
}

bool outputs_have_header(const struct request *request)
{
    return request->format == FORMAT_CSV || request->format == FORMAT_TABLE || request->verbose;
}

static unsigned screen(unsigned *lines)
{
    return os_terminal_is_ours(STDOUT_FILENO) ? os_terminal_columns(STDOUT_FILENO, lines) : 0;
}

static int add_format(struct outputs *outputs, const struct request *request, enum format format,
                      FILE *stream, const char *name, struct error *err)
{
    /* the lines of --interval stand between those of the table: then it comes as a whole */
    const bool live = stream == stdout && isatty(STDOUT_FILENO) &&
                      (!request->settings.interval_ns || request->series);
    const struct format_options options = {.columns = request->columns,
                                           .team = request->settings.ranks > 1,
                                           .separator = request->separator,
                                           .decimal = request->decimal,
                                           .label = request->label,
                                           .brief = request->brief,
                                           .utf8 = utf8_wanted(),
                                           .color = stream == stdout && color_on(STDOUT_FILENO),
                                           .width = os_terminal_columns(STDOUT_FILENO, NULL),
                                           .screen = live ? screen : NULL,
                                           .redraw = color_obeyed(getenv("TERM")),
                                           .settings = options_table,
                                           .facts = outputs->facts,
                                           .command = request->command_line,
                                           .findings = &outputs->findings,
                                           .name = name};

    if (format_make(format, stream, &options, &outputs->sinks[outputs->sink_count], err) < 0)
        return -1;
    outputs->sink_count++;
    return 0;
}

/* What was asked for, to where it was asked to go. */
static int add_data(struct outputs *outputs, const struct request *request, struct error *err)
{
    return add_format(outputs, request, (enum format)request->format,
                      request->output ? outputs->output.stream : stdout, request->output, err);
}

static int make_sinks(struct outputs *outputs, const struct request *request, struct error *err)
{
    const enum format format = (enum format)request->format;
    const bool last = format == FORMAT_JSON; /* it holds what the findings say */

    if (outputs_have_header(request))
        format_make_header(options_table, outputs->facts, request->brief,
                           &outputs->sinks[outputs->sink_count++]);
    if (!last && add_data(outputs, request, err) < 0)
        return -1;
    /* The file gets the data; a person at the terminal still sees the curve. */
    if (request->output && isatty(STDOUT_FILENO) && !request->quiet &&
        add_format(outputs, request, FORMAT_TABLE, stdout, NULL, err) < 0)
        return -1;
    if (request->settings.interval_ns)
        format_make_series(outputs->series.stream, request->series, request->separator,
                           request->decimal, &outputs->sinks[outputs->sink_count++]);
    if (!request->output ? format != FORMAT_TABLE : !isatty(STDOUT_FILENO))
        format_make_summaries(utf8_wanted(), &outputs->sinks[outputs->sink_count++]);
    format_make_progress(&outputs->sinks[outputs->sink_count++]);
    if (format != FORMAT_CLASSIC &&
        format_make_findings(outputs->facts, request->brief, &outputs->findings,
                             &outputs->sinks[outputs->sink_count]) == 0)
        outputs->sink_count++;
    return last ? add_data(outputs, request, err) : 0;
}

int outputs_open(struct outputs *outputs, const struct request *request, struct facts *facts,
                 struct error *err)
{
    const bool dry_run = request->settings.dry_run;

    outputs->facts = facts;
    if ((!request->output || dry_run) && outfile_check_stdout(err) < 0)
        return -1;
    if (dry_run)
        return 0;
    return open_files(outputs, request, err) < 0 ? -1 : make_sinks(outputs, request, err);
}

int outputs_empty(void *arg, struct error *err)
{
    const struct outputs *outputs = arg;
    const struct outfile *const files[] = {&outputs->output, &outputs->series};

    for (unsigned i = 0; i < 2; i++)
        if (outfile_check(files[i], outputs->targets, outputs->target_count, err) < 0)
            return -1;
    for (unsigned i = 0; i < 2; i++)
        if (outfile_empty(files[i], err) < 0)
            return -1;
    return 0;
}

void outputs_close(struct outputs *outputs, struct error *err)
{
    for (unsigned i = 0; i < outputs->sink_count; i++)
        format_free(&outputs->sinks[i]);
    outfile_close(&outputs->output, err);
    outfile_close(&outputs->series, err);
    log_progress_clear();
}
