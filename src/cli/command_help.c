/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* command_help.c - `iosweep help`: the same texts as --help, about any word. */
#include "base/compat.h"

#include "cli/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/help.h"

static const struct option_row options[] = {{.name = NULL}};

/* Several words are one name, or else a name each. */
static enum status help_on_words(const void *block, const char *const *arguments, unsigned count,
                                 struct error *err)
{
    const char *const program = *(const char *const *)block;
    char *whole = NULL;
    int result = 0;

    if (count == 0 || (count == 1 && arguments[0][0] == '\0'))
        return help_print(stdout, err) == 0 ? STATUS_OK : err->status;
    for (unsigned i = 0; i < count; i++)
        mem_append(&whole, "%s%s", i ? " " : "", arguments[i]);
    if (count == 1 || help_knows(whole))
        result = help_topic(stdout, program, whole, err);
    else
        for (unsigned i = 0; i < count && result == 0; i++) {
            if (i > 0)
                putchar('\n');
            result = help_topic(stdout, program, arguments[i], err);
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
    .options = options,
    .raw = true,
    .run = help_on_words,
};
