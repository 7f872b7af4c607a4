/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_topic.c - help about one word.  What it can be is looked up in the tables that the program
 * works by: groups of options, options, values of options, commands, targets, engines, columns,
 * notes; of what is the name of nothing, where it is mentioned, or what it may have meant. */
#include "base/compat.h"

#include "cli/help.h"

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
#include "cli/words.h"
#include "report/columns/columns.h"
#include "run/team.h"

#define LETTERS_LEAST 3 /* that a word needs to be looked for inside others */

struct asked {
    FILE *stream;
    const char *program, *word; /* as typed */
    char *name;                 /* without dashes at its beginning and a value at its end */
    unsigned answers;
    bool of_sweep, noted; /* some option of the sweep, or note, has that name */
    struct error *err;
};

/* "Object stores", "object-stores" and "object_stores" are the same. */
static bool same_letter(char a, char b)
{
    const char *const between = " -_";

    if (strchr(between, a) && strchr(between, b))
        return !a == !b;
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Whether a name begins with a word, regardless of case and of the separators between words; whole:
 * and ends with it. */
static bool name_begins(const char *name, const char *word, bool whole)
{
    while (*word && same_letter(*word, *name)) {
        word++;
        name++;
    }
    return !*word && (!whole || !*name);
}

/* --- what is no group of options --- */

/* How many of its word's letters to show: of one that others begin with, not the colon. */
static int note_letters(const struct help_word *note)
{
    const size_t length = strlen(note->word);

    return (int)length - (note->word[length - 1] == ':');
}

/* What a note means and what to do about it. */
static void print_note(FILE *stream, const struct help_word *note)
{
    char *text = mem_printf("%s%s%s", note->meaning, note->advice[0] ? "  " : "", note->advice);

    help_print_paragraph(stream, text);
    free(text);
}

static void print_notes(FILE *stream)
{
    const struct help_word *note;

    for (size_t i = 0; (note = words_note(i)); i++) {
        fprintf(stream, "%s%.*s\n", i ? "\n" : "", note_letters(note), note->word);
        print_note(stream, note);
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
    {"commands", help_print_commands},
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

/* Begins another one, apart from the one before. */
__attribute__((format(printf, 2, 3))) static void begin_answer(struct asked *asked,
                                                               const char *format, ...)
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
        if (name_begins(topics[i].name, asked->name, true)) {
            begin_answer(asked, "%s", "");
            if (topics[i].print)
                topics[i].print(asked->stream);
            else
                (void)optionfile_list(asked->stream, asked->program, asked->err);
        }
}

/* The page that describes a group of options. */
static const char *page_of(const char *group)
{
    struct targets_table tables[2 * TARGETS_OWNERS];
    const unsigned count = targets_tables(TARGETS_ALL, tables);

    if (strcmp(group, options_team_table->group) == 0)
        return "iosweep-mpi(1)";
    for (unsigned i = 0; i < count; i++)
        for (const struct option_row *row = tables[i].rows; row->name; row++)
            if (strcmp(group, row->group) == 0)
                return "iosweep-objects(7)";
    return "iosweep(1)";
}

static void tell_page(struct asked *asked, const char *group)
{
    fprintf(asked->stream, "More in %s, \"%s\".\n", page_of(group), group);
}

/* A group of options of the sweep; those of targets are told with their targets. */
static void tell_group(struct asked *asked, bool whole)
{
    const char *told = "";

    for (const struct option_row *row = options_table; row->name; row++) {
        if (!name_begins(row->group, asked->name, whole))
            continue;
        if (strcmp(row->group, told) != 0)
            begin_answer(asked, "%s:\n", row->group);
        told = row->group;
        help_print_row(asked->stream, row);
        if (!row[1].name || strcmp(row[1].group, told) != 0)
            tell_page(asked, told);
    }
}

static bool has_group(const struct option_row *row, const struct asked *asked, bool whole)
{
    return row && name_begins(row->group, asked->name, whole);
}

/* Options of a store are told with those that all stores have. */
static void tell_driver(struct asked *asked, const struct storage_driver *driver)
{
    const struct target_family *family = driver->family;
    const struct option_row *const tables[] = {family ? family->reach_options : NULL,
                                               family ? family->options : NULL,
                                               driver->reach_options, driver->options};
    const char *group = "";

    begin_answer(asked, "%s (%s)\n", driver->form, driver->purpose);
    if (driver->example)
        fprintf(asked->stream, "  iosweep %s\n", driver->example);
    for (size_t i = 0; i < COUNT_OF(tables); i++)
        if (tables[i])
            help_print_grouped(asked->stream, tables[i], driver->capabilities, &group);
    fprintf(asked->stream, "%sMore in %s; iosweep help targets: all kinds of them.\n",
            *group ? "\n" : "", family ? "iosweep-objects(7)" : "iosweep(1)");
}

/* By its name, its group of options, or a target of its. */
static void tell_drivers(struct asked *asked, bool whole)
{
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const size_t scheme = strlen((*d)->scheme);
        const size_t letters = strcspn((*d)->scheme, ":");
        if (scheme &&
            (name_begins((*d)->name, asked->name, whole) ||
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
        begin_answer(asked, "Targets of this kind:\n");
        for (const struct storage_driver *const *of = d; *of; of++)
            if ((*of)->family == family)
                fprintf(asked->stream, "  %s\n", (*of)->form);
        if (family->reach_options)
            help_print_grouped(asked->stream, family->reach_options, UINT_MAX, &group);
        help_print_grouped(asked->stream, family->options, UINT_MAX, &group);
        fputc('\n', asked->stream);
        tell_page(asked, group);
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

/* --- all other names --- */

enum name_kind {
    NAME_COMMAND,
    NAME_WORD, /* of tables and sentences */
    NAME_OPTION,
    NAME_COMMAND_OPTION,
    NAME_ENGINE,
    NAME_VALUE, /* that an option takes */
    NAME_COLUMN,
    NAME_COLUMN_GROUP,
    NAME_NOTE
};

struct name {
    const char *text;
    const void *of; /* the row of its table */
    const struct command *command;
    unsigned group; /* of columns */
    enum name_kind kind;
};

typedef void (*visit_name)(const struct name *name, void *arg);

static void visit_words(visit_name visit, void *arg)
{
    const struct help_word *word;
    char text[WORDS_NAME];

    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, text);
            visit(&(struct name){text, word, .kind = NAME_WORD}, arg);
        }
}

/* In the order in which they are answered. */
static void visit_names(visit_name visit, void *arg)
{
    const struct option_row *const *const rows = help_rows();
    const struct help_word *note;

    for (const struct command *const *c = command_table; *c; c++)
        visit(&(struct name){(*c)->name, *c, *c, .kind = NAME_COMMAND}, arg);
    visit_words(visit, arg);
    for (const struct option_row *const *r = rows; *r; r++)
        visit(&(struct name){(*r)->name, *r, .kind = NAME_OPTION}, arg);
    for (const struct command *const *c = command_table; *c; c++)
        for (const struct option_row *row = (*c)->options; row->name; row++)
            visit(&(struct name){row->name, row, *c, .kind = NAME_COMMAND_OPTION}, arg);
    for (const struct engine *const *e = engine_table; *e; e++)
        visit(&(struct name){(*e)->name, *e, .kind = NAME_ENGINE}, arg);
    for (const struct option_row *const *r = rows; *r; r++)
        for (unsigned i = 0; (*r)->choices && (*r)->choices[i]; i++)
            visit(&(struct name){(*r)->choices[i], *r, .kind = NAME_VALUE}, arg);
    for (const struct column *column = columns_table; column->name; column++)
        visit(&(struct name){column->name, column, .kind = NAME_COLUMN}, arg);
    for (unsigned g = 0; g < GROUP_COUNT; g++)
        visit(&(struct name){columns_group_names[g], NULL, .group = g, .kind = NAME_COLUMN_GROUP},
              arg);
    for (size_t i = 0; (note = words_note(i)); i++)
        visit(&(struct name){note->word, note, .kind = NAME_NOTE}, arg);
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
    tell_page(asked, row->group);
}

/* Whether the word is that name: of an option also its letter, of a note the part before a colon.
 */
static bool is_asked(const struct asked *asked, const struct name *name)
{
    const struct option_row *row = name->of;
    const size_t length = strlen(asked->name);

    if (name->kind == NAME_OPTION && row->letter && asked->name[0] == row->letter && length == 1)
        return true;
    if (name->kind == NAME_NOTE)
        return strncmp(name->text, asked->name, length) == 0 &&
               (!name->text[length] || name->text[length] == ':');
    return name_begins(name->text, asked->name, true);
}

static void answer_name(struct asked *asked, const struct name *name)
{
    FILE *stream = asked->stream;
    const struct option_row *row = name->of;

    switch (name->kind) {
    case NAME_COMMAND:
        begin_answer(asked, "%s", "");
        help_print_command(stream, name->command, command_common_options, asked->err);
        break;
    case NAME_WORD:
        begin_answer(asked, "%s", "");
        print_word(stream, name->of);
        break;
    case NAME_OPTION:
        begin_answer(asked, "Option:\n");
        print_option(asked, row);
        break;
    case NAME_COMMAND_OPTION:
        begin_answer(asked, "Option of iosweep %s:\n", name->command->name);
        help_print_row(stream, row);
        fprintf(stream, "More in iosweep-%s(1).\n", name->command->name);
        break;
    case NAME_ENGINE:
        begin_answer(asked, "Engine:\n");
        help_print_engine(stream, name->of);
        fputs("More in iosweep-tests(7), \"ENGINES\".\n", stream);
        break;
    case NAME_VALUE:
        begin_answer(asked, "Value \"%s\" of the option:\n", name->text);
        help_print_row(stream, row);
        if (strcmp(row->name, "tests") == 0)
            fputs("More in iosweep-tests(7), \"TESTS\".\n", stream);
        else
            tell_page(asked, row->group);
        break;
    case NAME_COLUMN:
        begin_answer(asked, "Column of results:\n");
        help_print_column(stream, name->of);
        fputs("More in iosweep-csv(5).\n", stream);
        break;
    case NAME_COLUMN_GROUP:
        begin_answer(asked, "Columns of results, --columns ");
        help_print_column_group(stream, name->group);
        break;
    case NAME_NOTE:
        begin_answer(asked, "Note of a row: %.*s\n", note_letters(name->of), name->text);
        print_note(stream, name->of);
        asked->noted = true;
        break;
    }
}

/* Behind dashes only the names of options; those of commands where the sweep has none of that
 * name. */
static void visit_answer(const struct name *name, void *arg)
{
    struct asked *asked = arg;
    const bool dashed = asked->word[0] == '-';

    if (name->kind == NAME_COMMAND_OPTION ? asked->of_sweep : dashed && name->kind != NAME_OPTION)
        return;
    if (!is_asked(asked, name))
        return;
    answer_name(asked, name);
    asked->of_sweep = asked->of_sweep || name->kind == NAME_OPTION;
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

/* An option of another program. */
static void tell_foreign_option(struct asked *asked)
{
    const char *meant = hint_foreign_option(asked->name, strlen(asked->name));

    if (!meant)
        return;
    begin_answer(asked, "%s: %s%s\n", asked->word, hint_verb(meant), meant);
    for (const struct option_row *const *r = help_rows(); *r; r++)
        if (names_option(meant, (*r)->name))
            help_print_row(asked->stream, *r);
}

/* --- what is the name of nothing --- */

static bool mentions_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

static void visit_mention(const struct name *name, void *arg)
{
    struct asked *asked = arg;
    const char *more = name->kind == NAME_OPTION   ? ((const struct option_row *)name->of)->help
                       : name->kind == NAME_COLUMN ? ((const struct column *)name->of)->meaning
                       : name->kind == NAME_NOTE   ? ((const struct help_word *)name->of)->meaning
                                                   : NULL;

    if (!more || (!mentions_word(name->text, asked->name) && !mentions_word(more, asked->name)))
        return;
    if (!asked->answers++)
        fprintf(asked->stream, "Nothing is called %s; it is mentioned here:\n", asked->word);
    if (name->kind == NAME_OPTION)
        help_print_row(asked->stream, name->of);
    else if (name->kind == NAME_COLUMN)
        help_print_column(asked->stream, name->of);
    else
        fprintf(asked->stream, "  note %.*s\n", note_letters(name->of), name->text);
}

static void visit_near(const struct name *name, void *near)
{
    if (name->kind != NAME_COMMAND_OPTION && name->kind != NAME_COLUMN_GROUP)
        hint_offer(near, name->text);
}

/* Which name is near (STATUS_USAGE).  Returns -1. */
static int refuse_word(const struct asked *asked)
{
    struct hint_near near = hint_near(asked->name, strlen(asked->name));
    char names[HELP_TOPICS][HELP_TOPIC_NAME];
    const unsigned count = help_topics(names);

    for (unsigned i = 0; i < count; i++)
        hint_offer(&near, names[i]);
    visit_names(visit_near, &near);
    error_set(asked->err, STATUS_USAGE, 0, "there is no help on", asked->word);
    if (near.name[0])
        return error_advise(asked->err, "did you mean iosweep help %s", near.name);
    return error_advise(asked->err, "iosweep --help shows the topics");
}

/* --- all of it --- */

/* "--time=5s" is about "time"; a target stays what it is. */
static struct asked ask_word(FILE *stream, const char *program, const char *word, struct error *err)
{
    const char *bare = word + strspn(word, "-");

    return (struct asked){.stream = stream,
                          .program = program,
                          .word = word,
                          .name = mem_printf("%.*s", (int)strcspn(bare, "="), bare),
                          .err = err};
}

static void answer_word(struct asked *asked)
{
    const char *typed = asked->word;
    const bool dashed = typed[0] == '-';

    if (!asked->name[0])
        return;
    if (typed[0] == '@') {
        (void)optionfile_list(asked->stream, asked->program, asked->err);
        asked->answers++;
    }
    if (!dashed) {
        tell_topics(asked);
        if (strcasecmp(asked->name, "all") == 0 || strcasecmp(asked->name, "columns") == 0)
            return; /* there is nothing else, or programs read it */
        tell_groups(asked, true);
    }
    asked->of_sweep = asked->noted = false;
    visit_names(visit_answer, asked);
    if (asked->noted)
        fputs("More in iosweep-measuring(7), \"NOTES\".\n", asked->stream);
    if (!dashed && strcasecmp(asked->name, COLUMNS_DEFAULT_WORD) == 0) {
        begin_answer(asked, "Value \"" COLUMNS_DEFAULT_WORD "\" of the option --columns:\n");
        help_print_column_default(asked->stream);
    }
    if (!asked->answers)
        tell_foreign_option(asked);
    if (!asked->answers && strlen(asked->name) >= LETTERS_LEAST)
        tell_groups(asked, false);
    if (!asked->answers && dashed) { /* no option of a sweep, but perhaps a word */
        asked->word = asked->name;
        answer_word(asked);
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
    asked = ask_word(nowhere, "", word, &err);
    answer_word(&asked);
    free(asked.name);
    fclose(nowhere);
    return asked.answers > 0;
}

int help_topic(FILE *stream, const char *program, const char *word, struct error *err)
{
    struct asked asked = ask_word(stream, program, word, err);
    int result = 0;

    answer_word(&asked);
    if (!asked.answers && strlen(asked.name) >= LETTERS_LEAST)
        visit_names(visit_mention, &asked);
    if (!asked.answers)
        result = refuse_word(&asked);
    free(asked.name);
    return result < 0 || error_is_set(err) ? -1 : help_flush(stream, err);
}
