/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_help.c - `iosweep help`: the texts of --help for any word. */
#include "base/compat.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/help.h"

/* Several words are one name if that exists, otherwise one name each. */
static enum status help_on_words(int argc, char **argv, struct error *err)
{
    char *whole = NULL;
    int result = 0;

    if (argc == 2 || (argc == 3 && argv[2][0] == '\0'))
        return help_print(stdout, err) == 0 ? STATUS_OK : err->status;
    for (int i = 2; i < argc; i++)
        mem_append(&whole, "%s%s", i > 2 ? " " : "", argv[i]);
    if (argc == 3 || help_knows(whole))
        result = help_topic(stdout, argv[0], whole, err);
    else
        for (int i = 2; i < argc && result == 0; i++) {
            if (i > 2)
                putchar('\n');
            result = help_topic(stdout, argv[0], argv[i], err);
        }
    free(whole);
    return result == 0 ? STATUS_OK : err->status;
}

const struct command command_help = {
    .name = "help",
    .arguments = "[WORD]...",
    .summary = "explain a topic, an option, or any other word of iosweep",
    .details =
        "Explain a WORD: a topic of --help, or the name of an option, command, target, engine,\n"
        "test, column or note, or what else stands in a table, verdict or finding.  Dashes\n"
        "before it may be left out.\n\nMore in iosweep(1).\n",
    .run = help_on_words,
};
