/* SPDX-License-Identifier: GPL-2.0-or-later */
/* command.c - the table of commands and what they share: parsing, help, where their output goes. */
#include "base/compat.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "cli/help.h"
#include "cli/parser.h"

extern const struct command command_compare;
extern const struct command command_fit;
extern const struct command command_plot;

const struct command *const command_table[] = {
    &command_compare,
    &command_fit,
    &command_plot,
    NULL,
};

enum common_option { COMMON_HELP, COMMON_QUIET, COMMON_VERBOSE, COMMON_COUNT };

/* clang-format off */
static const struct option_row common_options[] = {
    [COMMON_QUIET] = {0, "quiet", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "nothing on standard error but errors", "Information"},
    [COMMON_VERBOSE] = {0, "verbose", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "say more on standard error", "Information"},
    [COMMON_HELP] = {'h', "help", NULL, OPTION_FLAG, 0, OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "print this help", "Information"},
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

/* Returns 1 when help was asked for, 0 when all is parsed, -1 with err. */
static int take_options(const struct command *command, int argc, char **argv, void *block,
                        struct error *err)
{
    char *help = mem_printf("iosweep %s --help lists all options", command->name);
    struct parser parser;
    const struct parser_entry *entry;
    int result;

    parser_init(&parser, help);
    parser_add(&parser, command->options, 0);
    parser_add(&parser, common_options, 1);
    while ((result = parser_next(&parser, argc, argv, &entry, err)) > 0) {
        if (entry->owner == 0) {
            result = option_apply(entry->row, block, optarg, err);
            if (result < 0)
                break;
        } else if (entry->row == &common_options[COMMON_HELP]) {
            break;
        } else {
            log_set_level(entry->row == &common_options[COMMON_QUIET] ? LOG_QUIET : LOG_VERBOSE);
        }
    }
    parser_free(&parser);
    free(help);
    return result;
}

static int check_count(const struct command *command, unsigned count, struct error *err)
{
    if (count >= command->arguments_min &&
        (!command->arguments_max || count <= command->arguments_max))
        return 0;
    error_set(err, STATUS_USAGE, 0,
              count < command->arguments_min ? "too few arguments for" : "too many arguments for",
              command->name);
    return error_advise(err, "iosweep %s %s; a directory of that name is ./%s", command->name,
                        command->arguments, command->name);
}

enum status command_run(const struct command *command, int argc, char **argv, struct error *err)
{
    void *block = mem_calloc(1, command->block_bytes ? command->block_bytes : 1);
    enum status status = STATUS_USAGE;
    int parsed;

    log_set_level(LOG_NORMAL);
    if (command->init)
        command->init(block);
    parsed = take_options(command, argc - 1, argv + 1, block, err);
    if (parsed > 0)
        status =
            help_print_command(stdout, command, common_options, err) == 0 ? STATUS_OK : err->status;
    else if (parsed == 0 && check_count(command, (unsigned)(argc - 1 - optind), err) == 0)
        status = command->run(block, (const char *const *)argv + 1 + optind,
                              (unsigned)(argc - 1 - optind), err);
    free(block);
    return error_is_set(err) ? err->status : status;
}

/* --- output --- */

int command_output_open(const char *name, struct command_output *output, struct error *err)
{
    struct stat st;
    int fd;

    *output = (struct command_output){.stream = stdout};
    if (!name || strcmp(name, "-") == 0)
        return 0;
    /* A pipe or a device is written as it is; a directory or a link into nowhere is refused. */
    if (stat(name, &st) == 0 && !S_ISREG(st.st_mode)) {
        output->stream = S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode) ? NULL : fopen(name, "we");
        if (!output->stream)
            return error_set(err, STATUS_USAGE,
                             S_ISDIR(st.st_mode)   ? EISDIR
                             : S_ISBLK(st.st_mode) ? EBUSY
                                                   : errno,
                             "cannot write to", name);
        output->name = mem_strdup(name);
        return 0;
    }
    output->name = realpath(name, NULL); /* a link stays a link */
    if (!output->name)
        output->name = mem_strdup(name);
    output->temporary = mem_printf("%s.XXXXXX", output->name);
    fd = mkostemp(output->temporary, O_CLOEXEC);
    if (fd >= 0) {
        const mode_t mask = umask(0);
        umask(mask);
        if (fchmod(fd, stat(name, &st) == 0 ? st.st_mode & 07777 : 0666 & ~mask) == 0)
            output->stream = fdopen(fd, "w");
        else
            output->stream = NULL;
    }
    if (fd < 0 || !output->stream) {
        const int code = errno;
        if (fd >= 0) {
            unlink(output->temporary);
            close(fd);
        }
        free(output->temporary);
        free(output->name);
        *output = (struct command_output){.stream = NULL};
        return error_set(err, STATUS_USAGE, code, "cannot write to", name);
    }
    return 0;
}

int command_output_close(struct command_output *output, bool keep, struct error *err)
{
    int result = 0;

    if (!output->stream)
        return 0;
    errno = 0;
    if (fflush(output->stream) != 0 || ferror(output->stream))
        result = error_set(err, STATUS_PARTIAL, errno, "cannot write to",
                           output->name ? output->name : "standard output");
    if (output->stream != stdout && fclose(output->stream) != 0 && result == 0)
        result = error_set(err, STATUS_PARTIAL, errno, "cannot write to", output->name);
    if (output->temporary && (!keep || result < 0))
        unlink(output->temporary);
    else if (output->temporary && rename(output->temporary, output->name) != 0) {
        result = error_set(err, STATUS_PARTIAL, errno, "cannot write to", output->name);
        unlink(output->temporary);
    }
    free(output->temporary);
    free(output->name);
    *output = (struct command_output){.stream = NULL};
    return result;
}
