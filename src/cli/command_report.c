/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_report.c - `iosweep report`: results become a page that can be sent to somebody
 * (analysis/report/report.h). */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/report/report.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"

struct report_options {
    const char *output;
    unsigned format;
    bool format_given;
    unsigned data; /* enum report_data */
};

/* In the order of the words. */
static const struct report_format *const formats[] = {&report_html, &report_md};
static const char *const format_words[] = {"html", "md", NULL};
static const char *const data_words[] = {"auto", "always", "never", NULL};

#define FIELD(member) offsetof(struct report_options, member)

/* clang-format off */
static const struct option_row options[] = {
    {'o', "output", "FILE", OPTION_STRING, FIELD(output), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "write to FILE.html or FILE.md", "Output", NULL, 0},
    {0, "format", "NAME", OPTION_CHOICE, FIELD(format), FIELD(format_given), 0, 0, format_words,
     NULL,
     NULL, "html, md [end of FILE]", "Output", NULL, 0},
    {0, "data", "WHEN", OPTION_CHOICE, FIELD(data), OPTION_NONE, 0, 0, data_words, NULL,
     NULL, "results in the page: auto, always, never [auto]", "Output", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

static int find_format(const struct report_options *block, const struct report_format **format,
                       struct error *err)
{
    const bool standard = !block->output || strcmp(block->output, "-") == 0;
    const char *end = block->output ? strrchr(block->output, '.') : NULL;

    *format = formats[block->format];
    if (standard && isatty(STDOUT_FILENO))
        return error_refuse(err, STATUS_USAGE, "a report is not for a terminal", NULL,
                            "use -o FILE.html or FILE.md");
    if (block->format_given)
        return 0;
    for (unsigned i = 0; end && format_words[i]; i++)
        if (strcmp(end + 1, format_words[i]) == 0) {
            *format = formats[i];
            return 0;
        }
    if (standard)
        return error_refuse(err, STATUS_USAGE, "no kind of report named", NULL,
                            "use -o FILE.html or FILE.md, or --format");
    return error_refuse(err, STATUS_USAGE, "unknown kind of report:", block->output,
                        "name it FILE.html or FILE.md, or add --format");
}

/* The results are at hand twice: as they were read, and as text. */
static int check_names(const char *const *names, unsigned count, struct error *err)
{
    if (command_check_streams(names, count, err) < 0)
        return -1;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(names[i], names[k]) == 0)
                return error_set(err, STATUS_USAGE, 0, "given twice:", names[i]);
    return 0;
}

static void tell(const struct report *report, const struct report_format *format,
                 enum report_data data)
{
    char share[TEXT_SHARE];

    if (report->left_out[0] != '\0')
        log_warn("%s", report->left_out);
    if (format == &report_html && !report->has_data && data == REPORT_DATA_AUTO)
        log_warn(
            "the page has no results in it, since they are larger than %zu MiB: keep the files, "
            "or use --data always",
            REPORT_DATA_MAX >> 20);
    if (report->skipped_count > 0)
        log_step("%s %s no figures and appear%s only in the notes",
                 text_share(report->skipped_count, report->row_count, "row", share),
                 report->skipped_count == 1 ? "has" : "have",
                 report->skipped_count == 1 ? "s" : "");
    for (size_t i = 0; i < report->comparison_count; i++)
        if (report->comparisons[i].refused)
            log_warn("not compared: %s", report->comparisons[i].refused);
        else if (report->comparisons[i].left_out[0] != '\0')
            log_warn("%s", report->comparisons[i].left_out);
}

static int write_report(const struct report_options *block, const struct report_format *format,
                        const struct report *report, const char *const *names, unsigned count,
                        struct error *err)
{
    struct command_output output;

    if (command_output_open(block->output, names, count, &output, err) < 0)
        return -1;
    format->write(report, output.stream);
    return command_output_close(&output, true, err);
}

static enum status run(const void *arg, const char *const *names, unsigned count, struct error *err)
{
    const struct report_options *block = arg;
    const struct report_format *format = NULL;
    struct report_files files = {.count = 0};
    struct report report;

    if (find_format(block, &format, err) == 0 && check_names(names, count, err) == 0)
        for (unsigned i = 0; i < count && report_read(names[i], &files, err) == 0; i++)
            ;
    if (!error_is_set(err) && report_make(files.file, files.count, format->rows_max,
                                          (enum report_data)block->data, &report, err) == 0) {
        for (size_t i = 0; i < files.count; i++)
            command_say_incomplete(&files.file[i].results);
        if (write_report(block, format, &report, names, count, err) == 0)
            tell(&report, format, (enum report_data)block->data);
        report_free(&report);
    }
    report_free_files(&files);
    return error_is_set(err) ? err->status : STATUS_OK;
}

const struct command command_report = {
    .name = "report",
    .arguments = "FILE...",
    .summary = "write a page or tables about results",
    .details = "FILEs are results in CSV or JSON, or from --format classic; - is\n"
               "standard input.  Several runs are each compared with the first.  FILE.html is a\n"
               "page to send, without script, that contains the results themselves: compare,\n"
               "fit and plot read it.  FILE.md is for an issue or a pull request.  Where there\n"
               "are very many rows, only some are shown.\n",
    .options = options,
    .block_bytes = sizeof(struct report_options),
    .needs = "a file of results",
    .arguments_min = 1,
    .run = run,
};
