/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* rows.c - prints the tables of options and columns as lines of text, from which
 * contrib/completions/generate makes the completions of three shells.  A separate program, built by
 * `make completions` and `make check`: users do not need it, and cross builds need not run it.
 *
 * Fields are separated by tabs:
 *   command NAME SUMMARY
 *   column  NAME EMPTY
 *   group   NAME
 *   engine  NAME
 *   topic   NAME
 *   option  COMMAND SHORT LONG KIND MESSAGE WORDS HELP
 * COMMAND is "sweep" without a command, "team" for iosweep-mpi alone, SHORT a letter or "-", KIND
 * one of flag, value, file, one and several (of WORDS), engines, columns, topics (which may be left
 * out); MESSAGE describes the value. */
#include "base/compat.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "report/columns/columns.h"

static const char *kind_of(const struct option_row *row)
{
    if (!row->argument)
        return "flag";
    if (row->choices)
        return row->type == OPTION_CHOICE ? "one" : "several";
    if (strcmp(row->argument, "FILE") == 0)
        return "file";
    if (row->argument[0] == '[')
        return "topics";
    /* words that no row has: of this build, and of a separate table */
    if (strcmp(row->name, "engine") == 0 || strcmp(row->name, "columns") == 0)
        return row->name[0] == 'e' ? "engines" : "columns";
    return "value";
}

static void print_message(const struct option_row *row)
{
    switch (row->type) {
    case OPTION_COUNT:
        fputs("number", stdout);
        return;
    case OPTION_CHAR:
        fputs("character", stdout);
        return;
    case OPTION_SIZE_LIST:
        fputs("list of sizes", stdout);
        return;
    case OPTION_COUNT_LIST:
        fputs("list of numbers", stdout);
        return;
    default: /* "SIZE", "TIME", "MIN,MAX" */
        for (const char *c = row->argument ? row->argument : ""; *c; c++)
            if (*c != '[' && *c != ']')
                putchar(tolower((unsigned char)*c));
    }
}

static void print_rows(const char *command, const struct option_row *row)
{
    for (; row && row->name; row++) {
        printf("option\t%s\t%c\t%s\t%s\t", command, row->letter ? row->letter : '-', row->name,
               kind_of(row));
        print_message(row);
        putchar('\t');
        for (unsigned i = 0; row->choices && row->choices[i]; i++)
            printf("%s%s", i ? " " : "", row->choices[i]);
        printf("\t%s\n", row->help);
    }
}

/* Where a column is empty in any case: "S" in rows that were skipped, "O" where no operation was
 * completed, and "+" where it may be empty for other reasons. */
static void print_column(const struct column *column)
{
    const unsigned operations = OPERATIONS | ROUNDS | OPEN | SEEK | TRANSFER | CLOSE;
    const unsigned others = CONNECTIONS | STATS | LEFT | RANKS;

    printf("column\t%s\t%s%s%s\n", column->name, column->when & ~(unsigned)NOT_ZERO ? "S" : "",
           column->when & operations ? "O" : "",
           column->source.real || column->source.get || column->when & others ? "+" : "");
}

int main(void)
{
    for (const struct column *column = columns_table; column->name; column++)
        print_column(column);
    printf("group\t" COLUMNS_DEFAULT_WORD "\ngroup\t" COLUMNS_ALL_WORD "\n");
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        printf("group\t%s\n", columns_group_names[group]);
    for (const struct engine *const *e = engine_table; *e; e++)
        printf("engine\t%s\n", (*e)->name);
    for (unsigned i = 0; help_topic_at(i); i++)
        printf("topic\t%s\n", help_topic_at(i));
    for (const struct options_table *table = options_tables(); table->rows; table++)
        print_rows("sweep", table->rows);
    print_rows("team", options_team_table);
    for (const struct command *const *c = command_table; *c; c++) {
        printf("command\t%s\t%s\n", (*c)->name, (*c)->summary);
        print_rows((*c)->name, (*c)->options);
        for (const struct options_table *table = options_tables(); table->rows; table++)
            if ((*c)->options && table->reach)
                print_rows((*c)->name, table->rows);
    }
    return ferror(stdout) || fflush(stdout) != 0;
}
