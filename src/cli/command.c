/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.c - the table of commands; `iosweep help`, and the commands that read results: a Python
 * program (src/results) implements them, which replaces this process and gets the same
 * arguments. */
#include "base/compat.h"

#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/help.h"
#include "os/os.h"

#ifndef RESULTS_DIRECTORY
#define RESULTS_DIRECTORY "/usr/libexec/iosweep"
#endif
#define RESULTS_PROGRAM "/iosweep-results"

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

/* --- iosweep help --- */

/* Several words are one name if that exists, otherwise one name each. */
static enum status help_on_words(int argc, char **argv, struct error *err)
{
    char *whole = NULL;
    int result = 0;

    if (argc == 2 || (argc == 3 && argv[2][0] == '\0'))
        return help_print(err) == 0 ? STATUS_OK : err->status;
    for (int i = 2; i < argc; i++)
        mem_append(&whole, "%s%s", i > 2 ? " " : "", argv[i]);
    if (argc == 3 || help_knows(whole))
        result = help_topic(argv[0], whole, err);
    else
        for (int i = 2; i < argc && result == 0; i++) {
            if (i > 2)
                putchar('\n');
            result = help_topic(argv[0], argv[i], err);
        }
    free(whole);
    return result == 0 ? STATUS_OK : err->status;
}

static const struct command command_help = {
    .name = "help",
    .arguments = "[WORD]...",
    .summary = "explain a topic, an option, or any other word of iosweep",
    .details =
        "Explain a WORD: a topic of --help, or the name of an option, command, target, engine,\n"
        "test, column or note, or what else stands in a table, verdict or finding.  Dashes\n"
        "before it may be left out.\n\nMore in iosweep(1).\n",
    .run = help_on_words,
};

/* --- commands that read results --- */

/* Whether only root, this user and the owner of this program, whom the user trusts by running it,
 * can change the directory, the script and the package in it: another user could have put it
 * there. */
static bool is_guarded(const char *directory, const char *program)
{
    static const char *const parts[] = {"", RESULTS_PROGRAM, "/iosweep_results"};
    char *path = os_program_path(program);
    struct stat own, st;
    bool guarded = path && stat(path, &own) == 0;

    free(path);
    for (size_t i = 0; i < COUNT_OF(parts) && guarded; i++) {
        path = mem_printf("%s%s", directory, parts[i]);
        guarded = stat(path, &st) == 0 && (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
                  (st.st_uid == 0 || st.st_uid == geteuid() || st.st_uid == own.st_uid);
        free(path);
    }
    return guarded;
}

/* Runs the program in the build tree or, even if it was moved, the installed tree, or that of the
 * installation. Returns only if it cannot be started. */
static enum status run_results(int argc, char **argv, struct error *err)
{
    char *beside = command_beside(argv[0], "libexec/iosweep", "libexec/iosweep");
    const bool moved = beside && is_guarded(beside, argv[0]);
    char *path = mem_printf("%s" RESULTS_PROGRAM, moved ? beside : RESULTS_DIRECTORY);
    int code = access(path, R_OK) == 0 ? 0 : errno;

    (void)argc;
    if (code) {
        error_set(err, STATUS_TARGET, code, "cannot find the program that reads results:", path);
        error_advise(err, "install iosweep-results %s", PACKAGE_VERSION);
    } else {
        code = -os_become_script(path, argv);
        error_set(err, STATUS_TARGET, code, "cannot run", path);
        error_advise(err, "it needs python3 3.9 or later; measuring does not");
    }
    free(beside);
    free(path);
    return STATUS_TARGET;
}

#define RESULTS_COMMAND(word, operands, what)                        \
    static const struct command command_##word = {                   \
        .name = #word,                                               \
        .arguments = operands,                                       \
        .summary = what,                                             \
        .details = "iosweep " #word " --help lists its options.\n\n" \
                   "More in iosweep-" #word "(1).\n",                \
        .run = run_results,                                          \
    }
RESULTS_COMMAND(compare, "OLD NEW [OLD NEW]...", "tell whether new results differ from old ones");
RESULTS_COMMAND(export, "FILE...", "write results as CSV, or as metrics of Prometheus");
RESULTS_COMMAND(fit, "FILE...", "start-up time, bandwidth and knee of each curve in results");
RESULTS_COMMAND(merge, "FILE FILE...", "add up runs that ran at the same time");
RESULTS_COMMAND(plot, "FILE...", "draw curves, maps and comparisons of results");
RESULTS_COMMAND(report, "FILE...", "write a page or tables about results");

extern const struct command command_clean;

const struct command *const command_table[] = {
    &command_clean, &command_compare, &command_export, &command_fit, &command_help,
    &command_merge, &command_plot,    &command_report, NULL,
};

const struct command *command_find(int argc, char **argv)
{
    for (unsigned i = 0; argc > 1 && command_table[i]; i++)
        if (strcmp(argv[1], command_table[i]->name) == 0)
            return command_table[i];
    return NULL;
}
