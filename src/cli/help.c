/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help.c - --help: one screen of first examples, and the complete list of options by group, from
 * the rows that the parser reads. */
#include "base/compat.h"

#include "cli/help.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/targets.h"
#include "report/columns/columns.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"
#include "run/team.h"

#define HELP_COLUMN 30
#define HELP_WIDTH  80

/* Options on the one screen: those that users need first, in this order. */
static const char *const first_options[] = {"sizes", "min-size", "max-size", "tests",
                                            "depth", "threads",  "time",     "dry-run"};

int help_flush(FILE *stream, struct error *err)
{
    if (fflush(stream) != 0 || ferror(stream))
        return error_set(err, STATUS_PARTIAL, errno, "cannot write to", "standard output");
    return 0;
}

void help_print_row(FILE *stream, const void *option_row)
{
    const struct option_row *row = option_row;
    const int used = fprintf(stream, "  %c%c%s--%s%s%s", row->letter ? '-' : ' ',
                             row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                             row->argument ? " " : "", row->argument ? row->argument : "");

    if (used >= HELP_COLUMN) /* the text goes to the next line */
        fprintf(stream, "\n%*s%s", HELP_COLUMN, "", row->help);
    else
        fprintf(stream, "%*s%s", HELP_COLUMN - used, "", row->help);
    if (row->fallback)
        fprintf(stream, " [%s]", row->fallback);
    fputc('\n', stream);
}

const struct option_row *const *help_rows(void)
{
    static const struct option_row **all;
    size_t count = 0;

    if (all)
        return all;
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++) {
            all = mem_realloc_array(all, count + 2, sizeof(*all));
            all[count++] = row;
        }
    all[count] = NULL;
    return all;
}

static void print_options(FILE *stream, const struct option_row *rows)
{
    for (; rows->name; rows++)
        help_print_row(stream, rows);
}

static void print_in_group(FILE *stream, const struct option_row *row, const char **group)
{
    if (strcmp(row->group, *group) != 0)
        fprintf(stream, "\n%s:\n", row->group);
    *group = row->group;
    help_print_row(stream, row);
}

void help_print_grouped(FILE *stream, const struct option_row *row, unsigned capabilities,
                        const char **group)
{
    for (; row && row->name; row++)
        if (!(row->needs & ~OPTION_SECRET & ~capabilities))
            print_in_group(stream, row, group);
}

void help_print_paragraph(FILE *stream, const char *text)
{
    size_t column = 0;

    while (*text) {
        const size_t blanks = strspn(text, " "), letters = strcspn(text + blanks, " ");
        if (column && column + blanks + letters > HELP_WIDTH) {
            fputc('\n', stream);
            column = 0;
        }
        if (column)
            column += (size_t)fprintf(stream, "%*s", (int)blanks, "");
        column += (size_t)fprintf(stream, "%.*s", (int)letters, text + blanks);
        text += blanks + letters;
    }
    fputc('\n', stream);
}

void help_print_targets(FILE *stream)
{
    const char *last = NULL;
    char *text = mem_strdup("TARGET is a directory (test files are made in it and removed), an "
                            "existing file or block device (only read)");

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if ((*d)->scheme[0])
            last = (*d)->name;
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        if ((*d)->scheme[0])
            mem_append(&text, "%s%s (%s)", (*d)->name == last ? " or " : ", ", (*d)->form,
                       (*d)->purpose);
    }
    mem_append(&text, ".  Default: this directory.");
    help_print_paragraph(stream, text);
    free(text);
}

void help_print_commands(FILE *stream)
{
    for (const struct command *const *c = command_table; *c; c++)
        fprintf(stream, "  %-10s%s: %s\n", (*c)->name, (*c)->arguments, (*c)->summary);
    fputs("iosweep help COMMAND, or iosweep COMMAND --help, shows its options.\n", stream);
}

void help_print_numbers(FILE *stream)
{
    fputs("SIZE: 4096, 4k = 4Ki = 4096, 4kB = 4000, M, G, T.  TIME: 20ms, 1.5s, 2m, 1h30m.\n"
          "N: 10000 = 10k, M, G.  LIST: words with commas; A..B doubles from A to B.\n",
          stream);
}

void help_print_status(FILE *stream)
{
    fputs("Exit status: 0 all measured, 1 something failed or is incomplete, 2 usage,\n"
          "3 target cannot be used, 4 --verify found wrong data, 130 interrupted.\n",
          stream);
}

int help_print(FILE *stream, struct error *err)
{
    char names[HELP_TOPICS][HELP_TOPIC_NAME];
    const unsigned topics = help_topics(names);
    char *text =
        mem_strdup("iosweep help WORD explains an option, command, engine, test, column or "
                   "topic:");

    fputs("Usage: iosweep [OPTION]... [@PRESET]... [TARGET]...\n"
          "Measure how fast storage is at each I/O size.  TARGET is a directory (default:\n"
          "this one), a file, a block device or an object store (iosweep help targets).\n"
          "\n"
          "  iosweep --quick                  a first look in ten seconds, with a verdict\n"
          "  iosweep /mnt/data                the curve of a file system and its device\n"
          "  iosweep -b /mnt/data             the storage alone, without the page cache\n"
          "  iosweep -r big.db                reads of your file, which is left unchanged\n"
          "  iosweep -o new.csv /mnt/data     results to a file, for: iosweep plot new.csv\n"
          "  iosweep compare old.csv new.csv  slower, faster or the same?\n",
          stream);
    if (team_library)
        fputs("  mpirun -n 4 iosweep-mpi DIR      four ranks measure together: iosweep-mpi(1)\n",
              stream);
    fputc('\n', stream);
    for (size_t i = 0; i < COUNT_OF(first_options); i++)
        for (const struct option_row *row = options_table; row->name; row++)
            if (strcmp(row->name, first_options[i]) == 0)
                help_print_row(stream, row);
    fputc('\n', stream);
    for (unsigned i = 0; i < topics; i++)
        mem_append(&text, " %s", names[i]);
    help_print_paragraph(stream, text);
    free(text);
    return help_flush(stream, err);
}

void help_print_all(FILE *stream)
{
    const char *group = "";

    fputs("Usage: iosweep [OPTION]... [@FILE]... [TARGET]...\n", stream);
    for (const struct command *const *c = command_table; *c; c++)
        fprintf(stream, "       iosweep %s %s%s\n", (*c)->name, (*c)->options ? "[OPTION]... " : "",
                (*c)->arguments);
    fputs("Measure open-seek-read (or write)-close cycles at random places in files, for\n"
          "I/O sizes from small to large, and print one record per size.\n"
          "\n",
          stream);
    help_print_targets(stream);
    for (const struct option_row *const *r = help_rows(); *r; r++)
        print_in_group(stream, *r, &group);
    fputc('\n', stream);
    help_print_numbers(stream);
    help_print_status(stream);
    fputs("More in iosweep(1), which names the other manual pages.\n", stream);
}

void help_print_command(FILE *stream, const void *of)
{
    const struct command *command = of;

    fprintf(stream, "Usage: iosweep %s %s%s\n%s", command->name,
            command->options ? "[OPTION]... " : "", command->arguments, command->details);
    if (command->options) {
        fputs("\nOptions:\n", stream);
        print_options(stream, command->options);
        for (const struct options_table *table = options_tables(); table->rows; table++)
            if (table->reach)
                print_options(stream, table->rows);
        fprintf(stream, "\nMore in iosweep-%s(1).\n", command->name);
    }
}

int help_print_version(FILE *stream, struct error *err)
{
    char libraries[FACTS_LIBRARIES];

    fprintf(stream, "iosweep %s\nresults: schema version %s\nengines:", PACKAGE_VERSION,
            SCHEMA_VERSION);
    for (const struct engine *const *e = engine_table; *e; e++)
        fprintf(stream, " %s", (*e)->name);
    facts_list_libraries(libraries, sizeof(libraries));
    fprintf(stream, "\nlibraries: %s", libraries[0] ? libraries : "the C library");
    if (team_library_version())
        fprintf(stream, ", %s", team_library_version());
    fputs("\nCopyright (C) 2026 The iosweep authors\n"
          "License GPL-2.0-or-later: GNU GPL version 2 or later.\n"
#if defined(HAVE_OPENSSL) && defined(HAVE_LIBCURL)
          "This build is linked with OpenSSL 3 (Apache-2.0), so it may be redistributed\n"
          "only under GPL version 3 or later.\n"
#endif
          "This is free software: you are free to change and redistribute it.\n"
          "There is NO WARRANTY, to the extent permitted by law.\n",
          stream);
    if (*HOME_URL)
        fputs("Home page: " HOME_URL "\n", stream);
    fprintf(stream, "Report bugs to %s.\n", *BUG_URL ? BUG_URL : "the supplier of this build");
    return help_flush(stream, err);
}

/* Why an engine cannot be used on this machine: a line under its summary. */
static void print_unavailable(FILE *stream, const struct engine *engine)
{
    struct error why = ERROR_INIT;
    char text[256];

    if (!engine->available || engine->available(NULL, &why) == 0)
        return;
    why.advice[0] = '\0'; /* the engine prints it when it is requested */
    fprintf(stream, "%-10s not usable here: %s\n", "", error_format(&why, text, sizeof(text)));
}

void help_print_engine(FILE *stream, const void *of)
{
    const struct engine *engine = of;

    fprintf(stream, "%-10s %s\n", engine->name, engine->summary);
    if (engine->async)
        fprintf(stream, "%-10s asynchronous: --depth 1 to %" PRIu32 "\n", "",
                engine->async->depth_max);
    if (engine->driver)
        fprintf(stream, "%-10s for targets %s only\n", "",
                storage_driver_find(engine->driver)->scheme);
    print_unavailable(stream, engine);
    for (const struct option_row *row = engine->options; row && row->name; row++)
        help_print_row(stream, row);
}

void help_print_engines(FILE *stream)
{
    for (const struct engine *const *e = engine_table; *e; e++)
        help_print_engine(stream, *e);
}

void help_print_column(FILE *stream, const void *of)
{
    const struct column *column = of;
    const bool has_unit = column->unit != UNIT_TEXT && column->unit != UNIT_NUMBER;

    fprintf(stream, "  %-24s  %s%s%s\n", column->name,
            has_unit ? columns_unit_names[column->unit] : "", has_unit ? ": " : "",
            column->meaning);
}

void help_print_column_group(FILE *stream, const void *of)
{
    const char *const *name = of;

    fprintf(stream, "%s:\n", *name);
    for (const struct column *column = columns_table; column->name; column++)
        if (&columns_group_names[column->group] == name)
            help_print_column(stream, column);
}

void help_print_column_default(FILE *stream, const void *unused)
{
    char text[1024] = "";
    (void)unused;

    for (const struct column *column = columns_table; column->name; column++)
        if (column->by_default)
            text_add(text, sizeof(text), ", ", "%s%s", column->name,
                     column->by_default == BY_DEFAULT_OF_TEAM ? " (of a team)" : "");
    help_print_paragraph(stream, text);
}

static void print_column_groups(FILE *stream)
{
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        if (group > 0)
            fputc('\n', stream);
        help_print_column_group(stream, &columns_group_names[group]);
    }
    fputc('\n', stream);
    help_print_paragraph(stream,
                         "--columns takes names and groups; " COLUMNS_DEFAULT_WORD " stands for:");
    help_print_column_default(stream, NULL);
}

void help_print_columns(FILE *stream)
{
    if (isatty(fileno(stream)))
        print_column_groups(stream);
    else
        for (const struct column *column = columns_table; column->name; column++)
            fprintf(stream, "%s\t%s\t%s\t%s\n", column->name, columns_unit_names[column->unit],
                    column->meaning, columns_group_names[column->group]);
}
