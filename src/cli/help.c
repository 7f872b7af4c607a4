/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help.c - --help as a menu: what to copy first, then all options by group, from the same rows that
 * the parser reads. */
#include "base/compat.h"

#include "cli/help.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/optionfile.h"
#include "cli/options.h"
#include "cli/targets.h"
#include "report/columns/columns.h"
#include "report/facts/facts.h"

#define HELP_COLUMN 30
#define HELP_WIDTH  80

static int flushed(FILE *stream, struct error *err)
{
    if (fflush(stream) != 0 || ferror(stream))
        return error_set(err, STATUS_PARTIAL, errno, "cannot write to", "standard output");
    return 0;
}

static void print_row(FILE *stream, const struct option_row *row)
{
    char left[80];
    int n = snprintf(left, sizeof(left), "  %c%c%s--%s%s%s", row->short_name ? '-' : ' ',
                     row->short_name ? row->short_name : ' ', row->short_name ? ", " : "  ",
                     row->long_name, row->argument ? " " : "", row->argument ? row->argument : "");
    fprintf(stream, "%s%*s%s", left, n < HELP_COLUMN ? HELP_COLUMN - n : 1, "", row->help);
    if (row->fallback)
        fprintf(stream, " [%s]", row->fallback);
    fputc('\n', stream);
}

static void print_rows(FILE *stream, const struct option_row *rows)
{
    for (; rows->long_name; rows++)
        print_row(stream, rows);
}

/* With a heading where another group begins than the one before. */
static void print_grouped(FILE *stream, const struct option_row *row, const char **group)
{
    for (; row->long_name; row++) {
        if (strcmp(row->group, *group) != 0)
            fprintf(stream, "\n%s:\n", row->group);
        *group = row->group;
        print_row(stream, row);
    }
}

/* A paragraph in lines of at most HELP_WIDTH. */
static void print_paragraph(FILE *stream, const char *text)
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

static void print_targets(FILE *stream)
{
    const char *last = NULL;
    char *text = mem_strdup("TARGET is a directory (test files are made in it and removed), an "
                            "existing file or block device (only read)"),
         *longer;

    for (const struct target_driver *const *d = target_driver_table; *d; d++)
        if ((*d)->scheme[0])
            last = (*d)->name;
    for (const struct target_driver *const *d = target_driver_table; *d; d++) {
        if (!(*d)->scheme[0])
            continue;
        longer = mem_printf("%s%s%s (%s)", text, (*d)->name == last ? " or " : ", ", (*d)->form,
                            (*d)->purpose);
        free(text);
        text = longer;
    }
    longer = mem_printf("%s.  Default: this directory.", text);
    print_paragraph(stream, longer);
    free(longer);
    free(text);
}

int help_print(FILE *stream, struct error *err)
{
    struct targets_table tables[2 * TARGETS_OWNERS];
    const char *group = "";
    unsigned count;

    fputs("Usage: iosweep [OPTION]... [@FILE]... [TARGET]...\n", stream);
    for (const struct command *const *c = command_table; *c; c++)
        fprintf(stream, "       iosweep %s [OPTION]... %s\n", (*c)->name, (*c)->arguments);
    fputs("Measure open-seek-read (or write)-close cycles at random places in files, for\n"
          "I/O sizes from small to large, and print one record per size.\n"
          "\n",
          stream);
    print_targets(stream);
    fputs("\n"
          "Examples:\n"
          "  iosweep                        the curve of this directory's file system\n"
          "  iosweep -b /mnt/data           the same without the page cache\n"
          "  iosweep -r big.db              read tests on your file, left unchanged\n"
          "  iosweep --threads 1..8 -m 4k   how it scales with threads\n"
          "  iosweep --engine io_uring --depth 1..64 -b --sizes 4k   and with depth\n"
          "  iosweep -o curve.csv /a /b     two volumes, interleaved, for a spreadsheet\n"
          "  iosweep @diskmark /mnt/data    a set of options by name, see --list-presets\n",
          stream);
    for (const struct target_driver *const *d = target_driver_table; *d; d++)
        if ((*d)->example)
            fprintf(stream, "  iosweep %s\n", (*d)->example);
    fputs("  iosweep --format classic       the output of io_profile\n", stream);
    print_grouped(stream, options_table, &group);
    count = targets_tables(TARGETS_ALL, tables);
    for (unsigned i = 0; i < count; i++)
        print_grouped(stream, tables[i].rows, &group);
    fputs("\nEngines:\n", stream);
    for (const struct engine *const *e = engine_table; *e; e++)
        for (const struct option_row *row = (*e)->options; row && row->long_name; row++)
            print_row(stream, row);
    fputs("\nSIZE: 4096, 4k = 4Ki = 4096, 4kB = 4000, M, G, T.  TIME: 20ms, 1.5s, 2m.\n"
          "N: 10000 = 10k, M, G.  LIST: words with commas; A..B doubles from A to B.\n"
          "Exit status: 0 all measured, 1 some operation failed, 2 usage, 3 target cannot\n"
          "be used, 4 --verify found wrong data, 130 interrupted.  More in iosweep(1) and\n"
          "iosweep-csv(5).\n",
          stream);
    return flushed(stream, err);
}

int help_print_command(FILE *stream, const struct command *command, const struct option_row *common,
                       struct error *err)
{
    struct targets_table tables[2 * TARGETS_OWNERS];
    const unsigned count =
        command->reaches_targets ? targets_tables(command->target_rows, tables) : 0;

    fprintf(stream, "Usage: iosweep %s [OPTION]... %s\n%s\nOptions:\n", command->name,
            command->arguments, command->details);
    print_rows(stream, command->options);
    for (unsigned i = 0; i < count; i++)
        print_rows(stream, tables[i].rows);
    print_rows(stream, common);
    fprintf(stream, "\nMore in iosweep-%s(1).\n", command->name);
    return flushed(stream, err);
}

/* Those of no engine: they read what others wrote. */
static const char *const reading_libraries[] = {
#ifdef HAVE_JANSSON
    "jansson" BUILT_JANSSON,
#endif
    NULL};

int help_print_version(FILE *stream, struct error *err)
{
    char libraries[FACTS_LIBRARIES];

    fprintf(stream, "iosweep %s\nengines:", PACKAGE_VERSION);
    for (const struct engine *const *e = engine_table; *e; e++)
        fprintf(stream, " %s", (*e)->name);
    facts_list_libraries(libraries, sizeof(libraries));
    fprintf(stream, "\nlibraries: %s", libraries[0] ? libraries : "the C library");
    for (const char *const *library = reading_libraries; *library; library++)
        fprintf(stream, ", %s", *library);
    fputs("\nCopyright (C) 2026 the iosweep authors\n"
          "License GPL-2.0-or-later: GNU GPL version 2 or later.\n"
          "This is free software: you are free to change and redistribute it.\n"
          "There is NO WARRANTY, to the extent permitted by law.\n",
          stream);
    return flushed(stream, err);
}

/* Why an engine cannot be used on this machine: a line under its summary. */
static void print_unavailable(FILE *stream, const struct engine *engine)
{
    struct error why = ERROR_INIT;
    char text[256];

    if (!engine->available || engine->available(NULL, &why) == 0)
        return;
    why.advice[0] = '\0'; /* the engine itself will give it when it is asked for */
    fprintf(stream, "%-10s not usable here: %s\n", "", error_format(&why, text, sizeof(text)));
}

int help_print_engines(FILE *stream, struct error *err)
{
    for (const struct engine *const *e = engine_table; *e; e++) {
        fprintf(stream, "%-10s %s\n", (*e)->name, (*e)->summary);
        if ((*e)->async)
            fprintf(stream, "%-10s asynchronous: --depth 1 to %" PRIu32 "\n", "",
                    (*e)->async->depth_max);
        if ((*e)->driver)
            fprintf(stream, "%-10s for targets %s only\n", "",
                    target_driver_find((*e)->driver)->scheme);
        print_unavailable(stream, *e);
        for (const struct option_row *row = (*e)->options; row && row->long_name; row++)
            fprintf(stream, "%-10s   --%s%s%s  %s\n", "", row->long_name, row->argument ? " " : "",
                    row->argument ? row->argument : "", row->help);
    }
    return flushed(stream, err);
}

int help_print_presets(FILE *stream, const char *program, struct error *err)
{
    return optionfile_list(stream, program, err) < 0 ? -1 : flushed(stream, err);
}

static void print_group(FILE *stream, unsigned group)
{
    fprintf(stream, "%s%s:\n", group > 0 ? "\n" : "", columns_group_names[group]);
    for (const struct column *column = columns_table; column->name; column++) {
        const bool has_unit = column->unit != UNIT_TEXT && column->unit != UNIT_NUMBER;
        if (column->group == group)
            fprintf(stream, "  %-24s  %s%s%s\n", column->name,
                    has_unit ? columns_unit_names[column->unit] : "", has_unit ? ": " : "",
                    column->meaning);
    }
}

int help_print_columns(FILE *stream, struct error *err)
{
    if (isatty(fileno(stream)))
        for (unsigned group = 0; group < GROUP_COUNT; group++)
            print_group(stream, group);
    else
        for (const struct column *column = columns_table; column->name; column++)
            fprintf(stream, "%s\t%s\t%s\t%s\n", column->name, columns_unit_names[column->unit],
                    column->meaning, columns_group_names[column->group]);
    return flushed(stream, err);
}
