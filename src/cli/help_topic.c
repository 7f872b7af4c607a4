/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_topic.c - help about one word.  What it can be is looked up in the tables that the program
 * works by: groups of options, options, values of options, commands, targets, engines, columns,
 * notes. */
#include "base/compat.h"

#include "cli/help_asked.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/hint.h"
#include "cli/optionfile.h"
#include "cli/options.h"
#include "cli/targets.h"
#include "report/columns/columns.h"
#include "run/team.h"

static void add_rows(const struct option_row ***all, size_t *count, const struct option_row *rows)
{
    for (; rows && rows->name; rows++) {
        *all = mem_realloc_array(*all, *count + 2, sizeof(**all));
        (*all)[(*count)++] = rows;
        (*all)[*count] = NULL;
    }
}

const struct option_row *const *help_rows(void)
{
    static const struct option_row **all;
    struct targets_table tables[2 * TARGETS_OWNERS];
    const unsigned table_count = targets_tables(TARGETS_ALL, tables);
    size_t count = 0;

    if (all)
        return all;
    add_rows(&all, &count, options_table);
    add_rows(&all, &count, team_library ? options_team_table : NULL);
    for (unsigned i = 0; i < table_count; i++)
        add_rows(&all, &count, tables[i].rows);
    for (const struct engine *const *e = engine_table; *e; e++)
        add_rows(&all, &count, (*e)->options);
    return all;
}

/* "Object stores", "object-stores" and "object_stores" are the same. */
static bool same_letter(char a, char b)
{
    const char *const between = " -_";

    if (strchr(between, a) && strchr(between, b))
        return !a == !b;
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

bool help_begins(const char *name, const char *word, bool whole)
{
    while (*word && same_letter(*word, *name)) {
        word++;
        name++;
    }
    return !*word && (!whole || !*name);
}

/* --- what is no group of options --- */

static void print_commands(FILE *stream)
{
    for (const struct command *const *c = command_table; *c; c++)
        fprintf(stream, "  %-10s%s: %s\n", (*c)->name, (*c)->arguments, (*c)->summary);
    fputs("iosweep help COMMAND, or iosweep COMMAND --help, shows its options.\n", stream);
}

static void print_notes(FILE *stream)
{
    const struct help_word *note;

    for (size_t i = 0; (note = words_note(i)); i++) {
        fprintf(stream, "%s%.*s\n", i ? "\n" : "", help_note_letters(note), note->word);
        help_print_note(stream, note);
    }
}

static void print_word(FILE *stream, const struct help_word *word)
{
    char *see = mem_printf("See iosweep help: %s.", word->advice), name[WORDS_NAME];
    const char *between = "";

    for (const char *names = word->word; *names;) {
        names = words_take_name(names, name);
        if (!isascii((unsigned char)name[0]))
            continue; /* not every terminal shows it */
        fprintf(stream, "%s%s", between, name);
        between = ", ";
    }
    fputs(":\n", stream);
    help_print_paragraph(stream, word->meaning);
    help_print_paragraph(stream, see);
    free(see);
}

static void print_words(FILE *stream)
{
    const struct help_word *word;

    for (size_t i = 0; (word = words_at(i)); i++) {
        if (i > 0)
            fputc('\n', stream);
        print_word(stream, word);
    }
}

static const struct topic {
    const char *name;
    void (*print)(FILE *stream); /* NULL: what was asked has to be known */
} topics[] = {
    {"targets", help_print_targets},
    {"engines", help_print_engines},
    {"commands", print_commands},
    {"columns", help_print_columns},
    {"notes", print_notes},
    {"words", print_words},
    {"presets", NULL},
    {"numbers", help_print_numbers},
    {"status", help_print_status},
    {"all", help_print_all},
};

#define TOPICS (COUNT_OF(topics))

/* Adds the groups of some rows, each once. */
static unsigned add_groups(const struct option_row *rows, char (*names)[HELP_TOPIC_NAME],
                           unsigned count)
{
    const char *last = "";

    for (; rows->name; last = rows++->group) {
        size_t i = 0;
        if (strcmp(rows->group, last) == 0 || count == HELP_TOPICS)
            continue;
        for (; rows->group[i] && i + 1 < HELP_TOPIC_NAME; i++)
            names[count][i] =
                rows->group[i] == ' ' ? '-' : (char)tolower((unsigned char)rows->group[i]);
        names[count][i] = '\0';
        if (count == 0 || strcmp(names[count], names[count - 1]) != 0)
            count++;
    }
    return count;
}

unsigned help_topics(char (*names)[HELP_TOPIC_NAME])
{
    struct targets_table tables[2 * TARGETS_OWNERS];
    const unsigned table_count = targets_tables(TARGETS_ALL, tables);
    unsigned count = add_groups(options_table, names, 0);

    for (unsigned i = 0; i < table_count; i++)
        count = add_groups(tables[i].rows, names, count);
    for (size_t i = 0; i < TOPICS && count < HELP_TOPICS; i++)
        text_copy(names[count++], HELP_TOPIC_NAME, topics[i].name);
    return count;
}

/* --- answers --- */

void help_answer(struct asked *asked, const char *format, ...)
{
    va_list arguments;

    if (asked->answers++)
        fputc('\n', asked->stream);
    va_start(arguments, format);
    vfprintf(asked->stream, format, arguments);
    va_end(arguments);
}

static void tell_topics(struct asked *asked)
{
    for (size_t i = 0; i < TOPICS; i++)
        if (help_begins(topics[i].name, asked->name, true)) {
            help_answer(asked, "%s", "");
            if (topics[i].print)
                topics[i].print(asked->stream);
            else
                (void)optionfile_list(asked->stream, asked->program, asked->err);
        }
}

static void tell_page(struct asked *asked, const char *group)
{
    const bool team = strcmp(group, options_team_table->group) == 0;

    fprintf(asked->stream, "More in %s(1), \"%s\".\n", team ? "iosweep-mpi" : "iosweep", group);
}

/* A group of options of the sweep; those of targets are told with their targets. */
static void tell_group(struct asked *asked, bool whole)
{
    const char *told = "";

    for (const struct option_row *row = options_table; row->name; row++) {
        if (!help_begins(row->group, asked->name, whole))
            continue;
        if (strcmp(row->group, told) != 0)
            help_answer(asked, "%s:\n", row->group);
        told = row->group;
        help_print_row(asked->stream, row);
        if (!row[1].name || strcmp(row[1].group, told) != 0)
            tell_page(asked, told);
    }
}

static bool has_group(const struct option_row *row, const struct asked *asked, bool whole)
{
    return row && help_begins(row->group, asked->name, whole);
}

/* Options of a store are told with those that all stores have. */
static void tell_driver(struct asked *asked, const struct storage_driver *driver)
{
    const struct target_family *family = driver->family;
    const struct option_row *const tables[] = {family ? family->reach_options : NULL,
                                               family ? family->options : NULL,
                                               driver->reach_options, driver->options};
    const char *group = "";

    help_answer(asked, "%s (%s)\n", driver->form, driver->purpose);
    if (driver->example)
        fprintf(asked->stream, "  iosweep %s\n", driver->example);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (tables[i])
            help_print_grouped(asked->stream, tables[i], driver->capabilities, &group);
    fprintf(asked->stream, "%sMore in iosweep(1); iosweep help targets: all kinds of them.\n",
            *group ? "\n" : "");
}

/* By its name, its group of options, or a target of its. */
static void tell_drivers(struct asked *asked, bool whole)
{
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const size_t scheme = strlen((*d)->scheme);
        const size_t letters = strcspn((*d)->scheme, ":");
        if (scheme &&
            (help_begins((*d)->name, asked->name, whole) ||
             has_group((*d)->reach_options, asked, whole) ||
             has_group((*d)->options, asked, whole) ||
             (strncasecmp(asked->word, (*d)->scheme, letters) == 0 && asked->word[letters] == ':')))
            tell_driver(asked, *d);
    }
}

static void tell_families(struct asked *asked, bool whole)
{
    const struct target_family *last = NULL;
    const char *group = "";

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const struct target_family *family = (*d)->family;
        if (!family || family == last || !has_group(family->options, asked, whole))
            continue;
        help_answer(asked, "Targets of this kind:\n");
        for (const struct storage_driver *const *of = d; *of; of++)
            if ((*of)->family == family)
                fprintf(asked->stream, "  %s\n", (*of)->form);
        if (family->reach_options)
            help_print_grouped(asked->stream, family->reach_options, UINT_MAX, &group);
        help_print_grouped(asked->stream, family->options, UINT_MAX, &group);
        fprintf(asked->stream, "\nMore in iosweep(1), \"%s\".\n", group);
        last = family;
    }
}

/* Each group, and the targets that have one. */
static void tell_groups(struct asked *asked, bool whole)
{
    tell_group(asked, whole);
    tell_families(asked, whole);
    tell_drivers(asked, whole);
}

static void tell_commands(struct asked *asked)
{
    for (const struct command *const *c = command_table; *c; c++)
        if (strcmp((*c)->name, asked->name) == 0) {
            help_answer(asked, "%s", "");
            help_print_command(asked->stream, *c, command_common_options, asked->err);
        }
}

static bool is_of_engine(const struct option_row *row)
{
    for (const struct engine *const *e = engine_table; *e; e++)
        for (const struct option_row *own = (*e)->options; own && own->name; own++)
            if (own == row)
                return true;
    return false;
}

static void print_option(struct asked *asked, const struct option_row *row)
{
    char *values = mem_strdup("Values:");

    help_print_row(asked->stream, row);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        mem_append(&values, "%s %s", i ? "," : "", row->choices[i]);
    if (row->choices)
        help_print_paragraph(asked->stream, values);
    free(values);
    tell_page(asked, is_of_engine(row) ? "Options of engines" : row->group);
}

static void tell_options(struct asked *asked)
{
    for (const struct option_row *const *r = help_rows(); *r; r++) {
        const char letter[] = {(*r)->letter, '\0'};
        if ((!letter[0] || strcmp(letter, asked->name) != 0) &&
            strcasecmp((*r)->name, asked->name) != 0)
            continue;
        help_answer(asked, "Option:\n");
        print_option(asked, *r);
    }
}

/* Those of `iosweep clean`, where the sweep has none of that name. */
static void tell_command_options(struct asked *asked)
{
    for (const struct command *const *c = command_table; *c; c++)
        for (const struct option_row *row = (*c)->options; row->name; row++)
            if (strcasecmp(row->name, asked->name) == 0) {
                help_answer(asked, "Option of iosweep %s:\n", (*c)->name);
                help_print_row(asked->stream, row);
                fprintf(asked->stream, "More in iosweep-%s(1).\n", (*c)->name);
            }
}

/* A word that an option takes. */
static void tell_values(struct asked *asked)
{
    for (const struct option_row *const *r = help_rows(); *r; r++)
        for (unsigned i = 0; (*r)->choices && (*r)->choices[i]; i++)
            if (strcasecmp((*r)->choices[i], asked->name) == 0) {
                help_answer(asked, "Value \"%s\" of the option:\n", (*r)->choices[i]);
                help_print_row(asked->stream, *r);
                tell_page(asked, (*r)->group);
            }
}

static void tell_engines(struct asked *asked)
{
    for (const struct engine *const *e = engine_table; *e; e++)
        if (strcasecmp((*e)->name, asked->name) == 0) {
            help_answer(asked, "Engine:\n");
            help_print_engine(asked->stream, *e);
            fputs("More in iosweep(1), \"Sweep\", --engine.\n", asked->stream);
        }
}

static void tell_columns(struct asked *asked)
{
    if (strcasecmp(asked->name, COLUMNS_DEFAULT_WORD) == 0) {
        help_answer(asked, "Value \"" COLUMNS_DEFAULT_WORD "\" of the option --columns:\n");
        help_print_column_default(asked->stream);
    }
    for (const struct column *column = columns_table; column->name; column++)
        if (help_begins(column->name, asked->name, true)) {
            help_answer(asked, "Column of results:\n");
            help_print_column(asked->stream, column);
            fputs("More in iosweep-csv(5).\n", asked->stream);
        }
}

static bool names_option(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (text = strstr(text, "--"); text; text = strstr(text + 2, "--"))
        if (strncmp(text + 2, name, length) == 0 && !isalnum((unsigned char)text[2 + length]) &&
            text[2 + length] != '-')
            return true;
    return false;
}

/* A word of the column notes, all of those that begin so. */
static void tell_notes(struct asked *asked)
{
    const struct help_word *note;
    bool told = false;

    for (size_t i = 0; (note = words_note(i)); i++) {
        const char *colon = strchr(note->word, ':');
        if (strcmp(note->word, asked->name) != 0 &&
            !(colon && (size_t)(colon - note->word) == strlen(asked->name) &&
              strncmp(note->word, asked->name, strlen(asked->name)) == 0))
            continue;
        help_answer(asked, "Note of a row: %.*s\n", help_note_letters(note), note->word);
        help_print_note(asked->stream, note);
        told = true;
    }
    if (told)
        fputs("More in iosweep-csv(5), \"NOTES\".\n", asked->stream);
}

/* A word of tables and sentences. */
static void tell_words(struct asked *asked)
{
    const struct help_word *word;
    char name[WORDS_NAME];

    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, name);
            if (help_begins(name, asked->name, true)) {
                help_answer(asked, "%s", "");
                print_word(asked->stream, word);
                break;
            }
        }
}

/* A group of columns, as iosweep help columns shows them. */
static void tell_column_groups(struct asked *asked)
{
    for (unsigned group = 0; group < GROUP_COUNT; group++) {
        if (!help_begins(columns_group_names[group], asked->name, true))
            continue;
        help_answer(asked, "Columns of results, --columns ");
        help_print_column_group(asked->stream, group);
    }
}

/* An option of another program. */
static void tell_foreign(struct asked *asked)
{
    const char *meant = hint_foreign_option(asked->name, strlen(asked->name));

    if (!meant)
        return;
    help_answer(asked, "%s: here it is %s\n", asked->word, meant);
    for (const struct option_row *const *r = help_rows(); *r; r++)
        if (names_option(meant, (*r)->name))
            help_print_row(asked->stream, *r);
}

/* --- all of it --- */

/* "--time=5s" is about "time"; a target stays what it is. */
static struct asked ask(FILE *stream, const char *program, const char *word, struct error *err)
{
    const char *bare = word + strspn(word, "-");

    return (struct asked){.stream = stream,
                          .program = program,
                          .word = word,
                          .name = mem_printf("%.*s", (int)strcspn(bare, "="), bare),
                          .err = err};
}

static void tell(struct asked *asked)
{
    const char *typed = asked->word;
    unsigned before;

    if (!asked->name[0])
        return;
    if (asked->word[0] == '@') {
        (void)optionfile_list(asked->stream, asked->program, asked->err);
        asked->answers++;
    }
    if (asked->word[0] != '-') {
        tell_topics(asked);
        if (strcasecmp(asked->name, "all") == 0 || strcasecmp(asked->name, "columns") == 0)
            return; /* there is nothing else, or programs read it */
        tell_groups(asked, true);
        tell_commands(asked);
        tell_words(asked);
    }
    before = asked->answers;
    tell_options(asked);
    if (asked->answers == before)
        tell_command_options(asked);
    if (asked->word[0] != '-') {
        tell_engines(asked);
        tell_values(asked);
        tell_columns(asked);
        tell_column_groups(asked);
        tell_notes(asked);
    }
    if (!asked->answers)
        tell_foreign(asked);
    if (!asked->answers && strlen(asked->name) >= HELP_LETTERS)
        tell_groups(asked, false);
    if (!asked->answers && typed[0] == '-') { /* no option of a sweep, but perhaps a word */
        asked->word = asked->name;
        tell(asked);
        asked->word = typed;
    }
}

bool help_knows(const char *word)
{
    struct error err = ERROR_INIT;
    FILE *nowhere = fopen("/dev/null", "w");
    struct asked asked;

    if (!nowhere)
        return true; /* then the answer will tell */
    asked = ask(nowhere, "", word, &err);
    tell(&asked);
    free(asked.name);
    fclose(nowhere);
    return asked.answers > 0;
}

int help_topic(FILE *stream, const char *program, const char *word, struct error *err)
{
    struct asked asked = ask(stream, program, word, err);
    int result = 0;

    tell(&asked);
    if (!asked.answers)
        help_search(&asked);
    if (!asked.answers)
        result = help_refuse(&asked);
    free(asked.name);
    return result < 0 || error_is_set(err) ? -1 : help_flush(stream, err);
}
