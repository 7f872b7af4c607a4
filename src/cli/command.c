/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.c - the table of commands and what they share: parsing, help, where their output goes. */
#include "base/compat.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/color.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/help.h"
#include "cli/hint.h"
#include "cli/parser.h"
#include "cli/targets.h"
#include "os/os.h"

extern const struct command command_clean;
extern const struct command command_compare;
extern const struct command command_fit;
extern const struct command command_help;
extern const struct command command_merge;
extern const struct command command_plot;
extern const struct command command_report;

const struct command *const command_table[] = {
    &command_clean, &command_compare, &command_fit,    &command_help,
    &command_merge, &command_plot,    &command_report, NULL,
};

/* Of rows, for the parser; beyond them: target_driver_table from its first on. */
enum option_owner { OWNER_COMMAND, OWNER_COMMON, OWNER_DRIVERS };

enum common_option { COMMON_COLOR, COMMON_QUIET, COMMON_VERBOSE, COMMON_HELP, COMMON_COUNT };

struct common {     /* what the rows fill */
    unsigned color; /* enum color_when */
};

/* clang-format off */
const struct option_row command_common_options[] = {
    [COMMON_COLOR] = {0, "color", "WHEN", OPTION_CHOICE, offsetof(struct common, color),
     OPTION_NONE, 0, 0, color_words, NULL,
     "auto", "colour: auto (on a terminal), always, never", "Information", NULL, 0},
    [COMMON_QUIET] = {0, "quiet", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "only errors on standard error", "Information", NULL, 0},
    [COMMON_VERBOSE] = {0, "verbose", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "report more on standard error", "Information", NULL, 0},
    [COMMON_HELP] = {'h', "help", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print this help", "Information", NULL, 0},
    [COMMON_COUNT] = {.long_name = NULL},
};
/* clang-format on */

const struct command *command_find(int argc, char **argv)
{
    for (unsigned i = 0; argc > 1 && command_table[i]; i++)
        if (strcmp(argv[1], command_table[i]->name) == 0)
            return command_table[i];
    return NULL;
}

/* An option of the command, or of how targets are reached. */
static int apply(const struct parser_entry *entry, void *block, struct error *err)
{
    struct command_reach *reach = block;

    if (entry->owner == OWNER_COMMAND)
        return option_apply(entry->row, block, optarg, err);
    return targets_apply(entry->row, entry->owner - OWNER_DRIVERS, optarg, reach->options,
                         &reach->given, err);
}

/* One of those that each command has.  Returns 1 when it asks for help, 0, or -1 with err. */
static int apply_common(const struct option_row *row, struct error *err)
{
    struct common common = {0};

    switch ((enum common_option)(row - command_common_options)) {
    case COMMON_HELP:
        return 1;
    case COMMON_COLOR:
        if (option_apply(row, &common, optarg, err) < 0)
            return -1;
        color_choose((enum color_when)common.color);
        log_set_color(color_on(STDERR_FILENO));
        return 0;
    case COMMON_QUIET:
        log_set_level(LOG_QUIET);
        return 0;
    default:
        log_set_level(LOG_VERBOSE);
        return 0;
    }
}

/* Returns 1 when help was asked for, 0 when all is parsed, -1 with err. */
static int take_options(const struct command *command, int argc, char **argv, void *block,
                        struct error *err)
{
    char *help = mem_printf("iosweep %s --help lists all options", command->name);
    struct parser parser;
    const struct parser_entry *entry;
    int result;

    parser_init(&parser, help);
    parser_add(&parser, command->options, OWNER_COMMAND);
    if (command->reaches_targets)
        targets_add_options(&parser, TARGETS_REACH, OWNER_DRIVERS);
    parser_add(&parser, command_common_options, OWNER_COMMON);
    while ((result = parser_next(&parser, argc, argv, &entry, err)) > 0) {
        result =
            entry->owner == OWNER_COMMON ? apply_common(entry->row, err) : apply(entry, block, err);
        if (result < 0)
            hint_value(entry->row, err);
        if (result != 0)
            break;
    }
    parser_free(&parser);
    free(help);
    return result;
}

static int check_count(const struct command *command, unsigned count, struct error *err)
{
    char what[100];
    struct stat st;

    if (count >= command->arguments_min)
        return 0;
    snprintf(what, sizeof(what), "%s needs %s", command->name, command->needs);
    error_refuse(err, STATUS_USAGE, what, NULL, "iosweep %s %s", command->name, command->arguments);
    if (stat(command->name, &st) == 0 && S_ISDIR(st.st_mode)) {
        const size_t length = strlen(err->advice);
        snprintf(err->advice + length, sizeof(err->advice) - length,
                 ", or iosweep ./%s to measure the directory of that name", command->name);
    }
    return -1;
}

/* One whose words are none of ours. */
static enum status run_raw(const struct command *command, int argc, char **argv, struct error *err)
{
    const enum status status =
        command->run(&argv[0], (const char *const *)argv + 2, (unsigned)(argc - 2), err);

    return error_is_set(err) ? err->status : status;
}

/* A file or target that is not there may be near one that is. */
static void hint_missing(const struct command *command, const char *const *arguments,
                         unsigned count, struct error *err)
{
    char text[HINT_TEXT];

    for (unsigned i = 0; i < count && err->errnum == ENOENT; i++) {
        if (strcmp(err->object, arguments[i]) != 0)
            continue;
        if (command->reaches_targets)
            hint_target(arguments[i], text);
        else
            hint_file(arguments[i], text);
        if (text[0])
            snprintf(err->advice, sizeof(err->advice), "%s", text);
        return;
    }
}

static enum status run_with(const struct command *command, const void *block,
                            const char *const *arguments, unsigned count, struct error *err)
{
    return check_count(command, count, err) < 0 ? STATUS_USAGE
                                                : command->run(block, arguments, count, err);
}

/* The runs of a report instead of it, where it is all there is. */
static enum status run_runs(const struct command *command, const void *block, const char *path,
                            unsigned runs, struct error *err)
{
    char **names = mem_calloc(runs, sizeof(*names));
    enum status status;

    for (unsigned i = 0; i < runs; i++)
        names[i] = mem_printf("%s#%u", path, i + 1);
    status = run_with(command, block, (const char *const *)names, runs, err);
    for (unsigned i = 0; i < runs; i++)
        free(names[i]);
    free(names);
    return status;
}

static enum status run_on(const struct command *command, const void *block,
                          const char *const *arguments, unsigned count, struct error *err)
{
    const unsigned runs = command->takes_runs && count == 1 ? results_count_runs(arguments[0]) : 0;

    return runs > 1 ? run_runs(command, block, arguments[0], runs, err)
                    : run_with(command, block, arguments, count, err);
}

enum status command_run(const struct command *command, int argc, char **argv, struct error *err)
{
    enum status status = STATUS_USAGE;
    void *block;
    int parsed;

    log_set_level(LOG_NORMAL);
    if (command->raw)
        return run_raw(command, argc, argv, err);
    block = mem_calloc(1, command->block_bytes ? command->block_bytes : 1);
    option_defaults(command->options, block);
    if (command->init)
        command->init(block);
    if (command->reaches_targets)
        targets_make_options(((struct command_reach *)block)->options);
    parsed = take_options(command, argc - 1, argv + 1, block, err);
    if (parsed > 0)
        status = help_print_command(stdout, command, command_common_options, err) == 0
                     ? STATUS_OK
                     : err->status;
    else if (parsed == 0)
        status = run_on(command, block, (const char *const *)argv + 1 + optind,
                        (unsigned)(argc - 1 - optind), err);
    hint_missing(command, (const char *const *)argv + 1 + optind,
                 parsed == 0 ? (unsigned)(argc - 1 - optind) : 0, err);
    if (command->reaches_targets)
        targets_free_options(((struct command_reach *)block)->options);
    free(block);
    return error_is_set(err) ? err->status : status;
}

/* --- output --- */

/* What was measured is not to be lost to what is said about it. */
static bool is_input(const struct stat *file, const char *const *inputs, unsigned count)
{
    bool found = false;
    unsigned run;

    for (unsigned i = 0; i < count && !found; i++) {
        char *name = results_file_name(inputs[i], &run);
        struct stat st;
        found = stat(name, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
        free(name);
    }
    return found;
}

int command_check_streams(const char *const *names, unsigned count, struct error *err)
{
    unsigned streams = 0;

    for (unsigned i = 0; i < count; i++)
        streams += strcmp(names[i], "-") == 0;
    return streams > 1
               ? error_set(err, STATUS_USAGE, 0, "standard input can be read only once", NULL)
               : 0;
}

bool command_same_file(const char *a, const char *b)
{
    struct stat st;

    return stat(a, &st) == 0 && is_input(&st, &b, 1);
}

int command_output_open(const char *name, const char *const *inputs, unsigned count,
                        struct command_output *output, struct error *err)
{
    struct stat st;
    const bool exists = name && stat(name, &st) == 0;
    uint64_t disk_bytes;
    int fd = -1;

    *output = (struct command_output){.stream = stdout};
    if (!name || strcmp(name, "-") == 0 || replace_is_stdout(name))
        return 0;
    *output = (struct command_output){.name = name};
    if (exists && S_ISREG(st.st_mode) && is_input(&st, inputs, count))
        return error_refuse(err, STATUS_USAGE, "the output would overwrite an input:", name,
                            "give the name of another file");
    if (exists && S_ISBLK(st.st_mode))
        return error_refuse(err, STATUS_USAGE, "the output would overwrite a disk:", name,
                            "name another file");
    if (exists && replace_content(name) == REPLACE_OTHER)
        return error_refuse(err, STATUS_USAGE,
                            "the output would overwrite a file of other data:", name,
                            "name another file");
    /* what stands there must be writable, as if it were written in place; pipes and devices are */
    if (exists && (fd = open(name, O_WRONLY | O_CLOEXEC)) < 0)
        return error_set(err, STATUS_USAGE, errno, "cannot write to", name);
    if (exists && S_ISCHR(st.st_mode) && os_device_bytes(fd, &disk_bytes) == 0) {
        close(fd);
        return error_refuse(err, STATUS_USAGE, "the output would overwrite a disk:", name,
                            "name another file");
    }
    if (replace_possible(name) && (fd = replace_open(name, fd, &output->replace, err)) < 0)
        return -1;
    output->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (output->stream && (output->replace.name || !S_ISREG(st.st_mode) || ftruncate(fd, 0) == 0))
        return 0;
    error_set(err, STATUS_USAGE, fd < 0 ? ENOENT : errno, "cannot write to", name);
    if (fd >= 0)
        close(fd);
    replace_abandon(&output->replace);
    return -1;
}

int command_output_close(struct command_output *output, bool keep, struct error *err)
{
    const char *name = output->name ? output->name : "standard output";
    int result = 0;

    if (!output->stream)
        return 0;
    errno = 0;
    if (fflush(output->stream) != 0 || ferror(output->stream))
        result = error_set(err, STATUS_PARTIAL, errno, "cannot write to", name);
    if (output->replace.name && keep && result == 0)
        result = replace_commit(&output->replace, output->stream, err);
    replace_abandon(&output->replace); /* nothing to do once it has its name */
    if (output->stream != stdout && fclose(output->stream) != 0 && result == 0)
        result = error_set(err, STATUS_PARTIAL, errno, "cannot write to", name);
    *output = (struct command_output){.stream = NULL};
    return result;
}

struct text_look command_look(const struct command_output *output)
{
    if (output->name)
        return (struct text_look){.color = false};
    return (struct text_look){.color = color_on(STDOUT_FILENO),
                              .width = os_terminal_columns(STDOUT_FILENO, NULL)};
}

const char *const command_formats[] = {"table", "csv", "json", NULL};

unsigned command_format(const char *name, bool given, unsigned format)
{
    return given ? format : (name && strcmp(name, "-") != 0) || !color_terminal(STDOUT_FILENO);
}

/* --- messages --- */

void command_say_incomplete(const struct results *results)
{
    size_t count = 0;
    char share[TEXT_SHARE], *path;

    for (size_t i = 0; i < results->count; i++)
        count += results->rows[i].incomplete && !isnan(results_op_ns(&results->rows[i]));
    if (count == 0)
        return;
    path = results_printable(mem_strdup(results->path));
    log_warn("%s: %s %s incomplete: cut short, with less data than was asked for", path,
             text_share(count, results->count, "row", share), count == 1 ? "is" : "are");
    free(path);
}
