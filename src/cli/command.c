/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.c - the table of commands, and the parsing of those whose options are rows. */
#include "base/compat.h"

#include "cli/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/color.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/help.h"
#include "cli/hint.h"
#include "cli/parser.h"
#include "cli/targets.h"
#include "os/os.h"

extern const struct command command_clean;
extern const struct command command_compare;
extern const struct command command_export;
extern const struct command command_fit;
extern const struct command command_help;
extern const struct command command_merge;
extern const struct command command_plot;
extern const struct command command_report;

const struct command *const command_table[] = {
    &command_clean, &command_compare, &command_export, &command_fit, &command_help,
    &command_merge, &command_plot,    &command_report, NULL,
};

/* Of rows, for the parser; beyond them: storage_driver_table from its first on. */
enum option_owner { OWNER_COMMAND, OWNER_COMMON, OWNER_DRIVERS };

enum common_option { COMMON_COLOR, COMMON_QUIET, COMMON_VERBOSE, COMMON_HELP, COMMON_COUNT };

struct common {     /* what the rows fill */
    unsigned color; /* enum color_when */
};

/* clang-format off */
const struct option_row command_common_options[] = {
    [COMMON_COLOR] = {.name = "color", .argument = "WHEN", .type = OPTION_CHOICE,
     .offset = offsetof(struct common, color), .choices = color_words, .fallback = "auto",
     .help = "colour: auto (on a terminal), always, never", .group = "Information"},
    [COMMON_QUIET] = {.name = "quiet", .type = OPTION_FLAG, .help = "only errors on standard error",
     .group = "Information"},
    [COMMON_VERBOSE] = {.name = "verbose", .type = OPTION_FLAG,
     .help = "report more on standard error", .group = "Information"},
    [COMMON_HELP] = {.name = "help", .letter = 'h', .type = OPTION_FLAG, .help = "print this help",
     .group = "Information"},
    [COMMON_COUNT] = {.name = NULL},
};
/* clang-format on */

const struct command *command_find(int argc, char **argv)
{
    for (unsigned i = 0; argc > 1 && command_table[i]; i++)
        if (strcmp(argv[1], command_table[i]->name) == 0)
            return command_table[i];
    return NULL;
}

char *command_beside(const char *program, const char *built, const char *installed)
{
    static const char *const folders[] = {"/src/", "/bin/"};
    char *path = os_program_path(program), *beside = NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;
    const size_t before = slash ? (size_t)(slash + 1 - path) : 0, folder = strlen(folders[0]);

    for (size_t i = 0; i < COUNT_OF(folders) && !beside; i++)
        if (before >= folder && strncmp(path + before - folder, folders[i], folder) == 0)
            beside = mem_printf("%.*s/%s", (int)(before - folder), path, i ? installed : built);
    free(path);
    return beside;
}

/* An option of the command, or of how targets are reached. */
static int apply_option(const struct parser_entry *entry, void *block, struct error *err)
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
    targets_add_options(&parser, TARGETS_REACH, OWNER_DRIVERS);
    parser_add(&parser, command_common_options, OWNER_COMMON);
    while ((result = parser_next(&parser, argc, argv, &entry, err)) > 0) {
        result = entry->owner == OWNER_COMMON ? apply_common(entry->row, err)
                                              : apply_option(entry, block, err);
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

/* A target that is not there may be near one that is. */
static void hint_missing(const char *const *arguments, unsigned count, struct error *err)
{
    char text[HINT_TEXT];

    for (unsigned i = 0; i < count && err->errnum == ENOENT; i++) {
        if (strcmp(err->object, arguments[i]) != 0)
            continue;
        hint_target(arguments[i], text);
        if (text[0])
            snprintf(err->advice, sizeof(err->advice), "%s", text);
        return;
    }
}

enum status command_run(const struct command *command, int argc, char **argv, struct error *err)
{
    enum status status = STATUS_USAGE;
    const char *const *arguments;
    unsigned count;
    void *block;
    int parsed;

    log_set_level(LOG_NORMAL);
    if (command->raw) { /* its words are none of ours */
        status = command->run(&argv[0], (const char *const *)argv + 2, (unsigned)(argc - 2), err);
        return error_is_set(err) ? err->status : status;
    }
    block = mem_calloc(1, command->block_bytes);
    option_defaults(command->options, block);
    targets_make_options(((struct command_reach *)block)->options);
    parsed = take_options(command, argc - 1, argv + 1, block, err);
    if (parsed > 0)
        status = help_print_command(stdout, command, command_common_options, err) == 0
                     ? STATUS_OK
                     : err->status;
    arguments = (const char *const *)argv + 1 + optind;
    count = parsed == 0 ? (unsigned)(argc - 1 - optind) : 0;
    if (parsed == 0)
        status = check_count(command, count, err) < 0 ? STATUS_USAGE
                                                      : command->run(block, arguments, count, err);
    hint_missing(arguments, count, err);
    targets_free_options(((struct command_reach *)block)->options);
    free(block);
    return error_is_set(err) ? err->status : status;
}
