/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command.c - the table of commands. */
#include "base/compat.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
