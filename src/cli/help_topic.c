/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help_topic.c - help about one word. Visits all names (topics, groups of options, options and
 * their values, commands, targets, engines, columns, notes) as entries of a kind; kinds[] defines
 * how an entry is printed. For a word that names nothing, prints where it is mentioned, or a
 * suggestion. */
#include "base/compat.h"

#include "cli/help.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/hint.h"
#include "cli/optionfile.h"
#include "cli/options.h"
#include "cli/words.h"
#include "report/columns/columns.h"
#include "run/team.h"

#define LETTERS_LEAST 3       /* minimum for a search inside other words */
#define ALL_ROWS      "all: " /* precedes notes common to all rows in the heading of a table */

/* "Object stores", "object-stores" and "object_stores" are the same. */
static bool same_letter(char a, char b)
{
    const char *const between = " -_";

    if (strchr(between, a) && strchr(between, b))
        return !a == !b;
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Whether a name begins with a word, ignoring case and the separators between words; whole: is
 * equal to it. */
static bool name_begins(const char *name, const char *word, bool whole)
{
    while (*word && same_letter(*word, *name)) {
        word++;
        name++;
    }
    return !*word && (!whole || !*name);
}

/* --- entries --- */

enum entry_kind {               /* in the order of printing */
                  ENTRY_GROUP,  /* of options of the sweep */
                  ENTRY_FAMILY, /* of drivers */
                  ENTRY_DRIVER,
                  ENTRY_TOPIC,
                  ENTRY_COMMAND,
                  ENTRY_WORD, /* of tables and sentences */
                  ENTRY_OPTION,
                  ENTRY_COMMAND_OPTION,
                  ENTRY_ENGINE,
                  ENTRY_VALUE, /* of an option */
                  ENTRY_COLUMN,
                  ENTRY_COLUMN_GROUP,
                  ENTRY_COLUMN_DEFAULT,
                  ENTRY_NOTE
};

struct help_entry {
    enum entry_kind kind;
    const char *name; /* for groups and drivers as listed by --help: "object-stores" */
    const void *of;   /* the row of its table */
};

static void print_notes(FILE *stream);
static void print_words(FILE *stream);

static const struct topic {
    const char *name;
    void (*print)(FILE *stream); /* NULL: the presets, which need the path of the program */
    bool alone;                  /* printed alone, or read by programs */
} topics[] = {
    {.name = "targets", .print = help_print_targets},
    {.name = "engines", .print = help_print_engines},
    {.name = "commands", .print = help_print_commands},
    {.name = "columns", .print = help_print_columns, .alone = true},
    {.name = "notes", .print = print_notes},
    {.name = "words", .print = print_words},
    {.name = "presets"},
    {.name = "numbers", .print = help_print_numbers},
    {.name = "status", .print = help_print_status},
    {.name = "all", .print = help_print_all, .alone = true},
};

static struct help_entry *entries; /* ended by name NULL */
static size_t entry_count;

static void add_entry(enum entry_kind kind, const char *name, const void *of)
{
    entries = mem_realloc_array(entries, entry_count + 2, sizeof(*entries));
    entries[entry_count++] = (struct help_entry){kind, name, of};
    entries[entry_count] = (struct help_entry){.name = NULL};
}

static void add_as_topic(enum entry_kind kind, const char *group, const void *of)
{
    char *name = mem_strdup(group); /* never freed */

    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
    add_entry(kind, name, of);
}

/* Groups of options of the sweep; those of families and drivers are printed with these. */
static void add_groups(void)
{
    const struct target_family *family = NULL;

    for (const struct options_table *table = options_tables(); table->rows; table++) {
        const char *last = "";
        for (const struct option_row *row = table->rows; row->name; last = row++->group)
            if (!table->engine && !table->driver && !table->family && strcmp(row->group, last) != 0)
                add_as_topic(ENTRY_GROUP, row->group, row);
        if (table->family && table->family != family)
            add_as_topic(ENTRY_FAMILY, table->rows->group, table->family);
        family = table->family ? table->family : family;
    }
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const struct option_row *rows = (*d)->options ? (*d)->options : (*d)->reach_options;
        if ((*d)->scheme[0])
            add_as_topic(ENTRY_DRIVER, rows ? rows->group : (*d)->name, *d);
    }
    for (size_t i = 0; i < COUNT_OF(topics); i++)
        add_entry(ENTRY_TOPIC, topics[i].name, &topics[i]);
}

static void add_options(void)
{
    const struct option_row *const *const rows = help_rows();

    for (const struct option_row *const *r = rows; *r; r++)
        add_entry(ENTRY_OPTION, (*r)->name, *r);
    for (const struct command *const *c = command_table; *c; c++)
        for (const struct option_row *row = (*c)->options; row && row->name; row++)
            add_entry(ENTRY_COMMAND_OPTION, row->name, row);
    for (const struct engine *const *e = engine_table; *e; e++)
        add_entry(ENTRY_ENGINE, (*e)->name, *e);
    for (const struct option_row *const *r = rows; *r; r++)
        for (unsigned i = 0; (*r)->choices && (*r)->choices[i]; i++)
            add_entry(ENTRY_VALUE, (*r)->choices[i], *r);
}

static const struct help_entry *help_entries(void)
{
    const struct help_word *word;
    char name[WORDS_NAME];

    if (entries)
        return entries;
    add_groups();
    for (const struct command *const *c = command_table; *c; c++)
        add_entry(ENTRY_COMMAND, (*c)->name, *c);
    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, name);
            add_entry(ENTRY_WORD, mem_strdup(name), word);
        }
    add_options();
    for (const struct column *column = columns_table; column->name; column++)
        add_entry(ENTRY_COLUMN, column->name, column);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        add_entry(ENTRY_COLUMN_GROUP, columns_group_names[group], &columns_group_names[group]);
    add_entry(ENTRY_COLUMN_DEFAULT, COLUMNS_DEFAULT_WORD, NULL);
    for (size_t i = 0; (word = words_note(i)); i++)
        add_entry(ENTRY_NOTE, word->word, word);
    return entries;
}

unsigned help_topics(char (*names)[HELP_TOPIC_NAME])
{
    unsigned count = 0;

    for (const struct help_entry *entry = help_entries(); entry->name; entry++) {
        const struct storage_driver *driver = entry->kind == ENTRY_DRIVER ? entry->of : NULL;
        if (entry->kind <= ENTRY_TOPIC && count < HELP_TOPICS &&
            (!driver || driver->options || driver->reach_options))
            text_copy(names[count++], HELP_TOPIC_NAME, entry->name);
    }
    return count;
}

/* --- printing --- */

static void print_page(FILE *stream, const char *group)
{
    const char *page = "iosweep(1)";

    if (strcmp(group, options_team_table->group) == 0)
        page = "iosweep-mpi(1)";
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++)
            if ((table->family || table->driver) && strcmp(group, row->group) == 0)
                page = "iosweep-objects(7)";
    fprintf(stream, "More in %s, \"%s\".\n", page, group);
}

static void print_group(FILE *stream, const void *of)
{
    const struct option_row *row = of;
    const char *group = row->group;

    fprintf(stream, "%s:\n", group);
    for (; row->name && strcmp(row->group, group) == 0; row++)
        help_print_row(stream, row);
    print_page(stream, group);
}

static void print_family(FILE *stream, const void *of)
{
    const struct target_family *family = of;
    const char *group = "";

    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if ((*d)->family == family)
            fprintf(stream, "  %s\n", (*d)->form);
    help_print_grouped(stream, family->reach_options, UINT_MAX, &group);
    help_print_grouped(stream, family->options, UINT_MAX, &group);
    fputc('\n', stream);
    print_page(stream, group);
}

/* Options of a store are printed together with those common to all stores. */
static void print_driver(FILE *stream, const void *of)
{
    const struct storage_driver *driver = of;
    const char *group = "";

    fprintf(stream, "%s (%s)\n", driver->form, driver->purpose);
    if (driver->example)
        fprintf(stream, "  iosweep %s\n", driver->example);
    for (const struct options_table *table = options_tables(); table->rows; table++)
        if (table->driver == driver || (table->family && table->family == driver->family))
            help_print_grouped(stream, table->rows, driver->capabilities, &group);
    fprintf(stream, "%sMore in %s; iosweep help targets: all kinds of them.\n", *group ? "\n" : "",
            driver->family ? "iosweep-objects(7)" : "iosweep(1)");
}

static void print_word(FILE *stream, const void *of)
{
    const struct help_word *word = of;
    char *see = mem_printf("See iosweep help: %s.", word->advice), name[WORDS_NAME];
    const char *between = "";

    for (const char *names = word->word; *names;) {
        names = words_take_name(names, name);
        if (!isascii((unsigned char)name[0]))
            continue; /* not every terminal can display it */
        fprintf(stream, "%s%s", between, name);
        between = ", ";
    }
    fputs(":\n", stream);
    help_print_paragraph(stream, word->meaning);
    help_print_paragraph(stream, see);
    free(see);
}

static void print_option(FILE *stream, const void *of)
{
    const struct option_row *row = of;
    char *values = mem_strdup("Values:");

    help_print_row(stream, row);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        mem_append(&values, "%s %s", i ? "," : "", row->choices[i]);
    if (row->choices)
        help_print_paragraph(stream, values);
    free(values);
    print_page(stream, row->group);
}

static void print_value(FILE *stream, const void *of)
{
    const struct option_row *row = of;

    help_print_row(stream, row);
    if (row->choices == test_names)
        fputs("More in iosweep-tests(7), \"TESTS\".\n", stream);
    else
        print_page(stream, row->group);
}

/* The number of letters of a note's word to print: without the colon that marks a prefix. */
static int note_letters(const struct help_word *note)
{
    const size_t length = strlen(note->word);

    return (int)length - (note->word[length - 1] == ':');
}

/* Prints the meaning of a note and its advice. */
static void print_note(FILE *stream, const void *of)
{
    const struct help_word *note = of;
    char *text = mem_printf("%s%s%s", note->meaning, note->advice[0] ? "  " : "", note->advice);

    fprintf(stream, "%.*s\n", note_letters(note), note->word);
    help_print_paragraph(stream, text);
    free(text);
}

static void print_book(FILE *stream, const struct help_word *(*at)(size_t),
                       void (*print)(FILE *stream, const void *of))
{
    for (size_t i = 0; at(i); i++) {
        if (i > 0)
            fputc('\n', stream);
        print(stream, at(i));
    }
}

static void print_words(FILE *stream)
{
    print_book(stream, words_at, print_word);
}

static void print_notes(FILE *stream)
{
    print_book(stream, words_note, print_note);
}

static const struct entry_answer {
    void (*print)(FILE *stream, const void *of);
    /* printed before the text; with name_end, the name is between them */
    const char *before, *name_end;
    const char *after; /* printed once after all entries of the kind */
} kinds[] = {
    [ENTRY_GROUP] = {.print = print_group},
    [ENTRY_FAMILY] = {.print = print_family, .before = "Targets of this kind:\n"},
    [ENTRY_DRIVER] = {.print = print_driver},
    [ENTRY_TOPIC] = {.print = NULL}, /* printed as defined by topics[] */
    [ENTRY_COMMAND] = {.print = help_print_command},
    [ENTRY_WORD] = {.print = print_word},
    [ENTRY_OPTION] = {.print = print_option, .before = "Option:\n"},
    [ENTRY_COMMAND_OPTION] = {.print = help_print_row,
                              .before = "Option of iosweep clean:\n",
                              .after = "More in iosweep-clean(1).\n"},
    [ENTRY_ENGINE] = {.print = help_print_engine,
                      .before = "Engine:\n",
                      .after = "More in iosweep-tests(7), \"ENGINES\".\n"},
    [ENTRY_VALUE] = {.print = print_value, .before = "Value \"", .name_end = "\" of the option:\n"},
    [ENTRY_COLUMN] = {.print = help_print_column,
                      .before = "Column of results:\n",
                      .after = "More in iosweep-csv(5).\n"},
    [ENTRY_COLUMN_GROUP] = {.print = help_print_column_group,
                            .before = "Columns of results, --columns "},
    [ENTRY_COLUMN_DEFAULT] = {.print = help_print_column_default,
                              .before = "Value \"",
                              .name_end = "\" of the option --columns:\n"},
    [ENTRY_NOTE] = {.print = print_note,
                    .before = "Note of a row: ",
                    .after = "More in iosweep-measuring(7), \"NOTES\".\n"},
};

/* --- answers --- */

struct asked {
    FILE *stream;
    const char *program, *word; /* as typed */
    char *name;                 /* without leading dashes and without a value */
    bool whole;                 /* exact names; false: groups and drivers that begin with it */
    bool of_sweep;              /* an option of the sweep has that name */
    bool alone;                 /* a topic was printed that excludes other entries */
    unsigned answers;
    const char *after; /* pending text after the entries of this kind */
    struct error *err;
};

static void end_answers(struct asked *asked, const char *after)
{
    if (asked->after && asked->after != after)
        fputs(asked->after, asked->stream);
    if (asked->answers++)
        fputc('\n', asked->stream);
    asked->after = after;
}

/* Whether the word refers to that entry: an option also by its letter, unless its group has the
 * same name; a driver also by one of its targets; a note by the part before a colon. */
static bool is_asked(const struct asked *asked, const struct help_entry *entry)
{
    const struct option_row *row = entry->of;
    const struct storage_driver *driver = entry->of;
    const size_t length = strlen(asked->name), scheme = strcspn(asked->word, ":");

    switch (entry->kind) {
    case ENTRY_OPTION:
        return (length == 1 && row->letter == asked->name[0]) ||
               (name_begins(entry->name, asked->name, true) &&
                (asked->word[0] == '-' || !name_begins(row->group, asked->name, true)));
    case ENTRY_DRIVER:
        return name_begins(entry->name, asked->name, asked->whole) ||
               name_begins(driver->name, asked->name, asked->whole) ||
               (asked->word[scheme] == ':' && scheme == strcspn(driver->scheme, ":") &&
                strncasecmp(asked->word, driver->scheme, scheme) == 0);
    case ENTRY_NOTE:
        return strncmp(entry->name, asked->name, length) == 0 &&
               (!entry->name[length] || entry->name[length] == ':');
    default:
        return name_begins(entry->name, asked->name, asked->whole);
    }
}

/* A word with dashes matches only option names; those of commands only if the sweep has no option
 * of that name. */
static void answer_entry(struct asked *asked, const struct help_entry *entry)
{
    const struct entry_answer *kind = &kinds[entry->kind];
    const struct topic *topic = entry->kind == ENTRY_TOPIC ? entry->of : NULL;

    if (asked->alone || (!asked->whole && entry->kind > ENTRY_DRIVER) ||
        (entry->kind == ENTRY_COMMAND_OPTION
             ? asked->of_sweep
             : asked->word[0] == '-' && entry->kind != ENTRY_OPTION) ||
        !is_asked(asked, entry))
        return;
    end_answers(asked, kind->after);
    fprintf(asked->stream, "%s%s%s", kind->before ? kind->before : "",
            kind->name_end ? entry->name : "", kind->name_end ? kind->name_end : "");
    if (!topic)
        kind->print(asked->stream, entry->of);
    else if (topic->print)
        topic->print(asked->stream);
    else
        (void)optionfile_list(asked->stream, asked->program, asked->err);
    asked->alone = topic && topic->alone;
    asked->of_sweep = asked->of_sweep || entry->kind == ENTRY_OPTION;
}

static void answer_entries(struct asked *asked, bool whole)
{
    asked->whole = whole;
    asked->of_sweep = false;
    for (const struct help_entry *entry = help_entries(); entry->name; entry++)
        answer_entry(asked, entry);
    if (asked->after)
        fputs(asked->after, asked->stream);
    asked->after = NULL;
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

/* Explains an option of another program. */
static void tell_foreign_option(struct asked *asked)
{
    const char *meant = hint_foreign_option(asked->name, strlen(asked->name));

    if (!meant)
        return;
    end_answers(asked, NULL);
    fprintf(asked->stream, "%s: %s%s\n", asked->word, hint_verb(meant), meant);
    for (const struct option_row *const *r = help_rows(); *r; r++)
        if (names_option(meant, (*r)->name))
            help_print_row(asked->stream, *r);
}

/* --- unknown words --- */

static bool mentions_word(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++)
        if (strncasecmp(text, word, length) == 0)
            return true;
    return false;
}

static void mention_entry(struct asked *asked, const struct help_entry *entry)
{
    const char *more = entry->kind == ENTRY_OPTION   ? ((const struct option_row *)entry->of)->help
                       : entry->kind == ENTRY_COLUMN ? ((const struct column *)entry->of)->meaning
                       : entry->kind == ENTRY_NOTE ? ((const struct help_word *)entry->of)->meaning
                                                   : NULL;

    if (!more || (!mentions_word(entry->name, asked->name) && !mentions_word(more, asked->name)))
        return;
    if (!asked->answers++)
        fprintf(asked->stream, "Nothing is called %s; it is mentioned here:\n", asked->word);
    if (entry->kind == ENTRY_NOTE)
        fprintf(asked->stream, "  note %.*s\n", note_letters(entry->of), entry->name);
    else if (entry->kind == ENTRY_OPTION)
        help_print_row(asked->stream, entry->of);
    else
        help_print_column(asked->stream, entry->of);
}

/* Refuses an unknown word and suggests a similar one (STATUS_USAGE). Returns -1. */
static int refuse_word(const struct asked *asked)
{
    struct hint_near near = hint_near(asked->name, strlen(asked->name));

    for (const struct help_entry *entry = help_entries(); entry->name; entry++)
        if (entry->kind != ENTRY_COMMAND_OPTION && entry->kind != ENTRY_COLUMN_GROUP)
            hint_offer(&near, entry->name);
    error_set(asked->err, STATUS_USAGE, 0, "there is no help on", asked->word);
    if (near.name[0])
        return error_advise(asked->err, "did you mean iosweep help %s", near.name);
    return error_advise(asked->err, "iosweep --help shows the topics");
}

/* --- all of it --- */

/* Reduces "--time=5s" to "time", and "all: wide" to "wide"; a target is unchanged. */
static struct asked ask_word(FILE *stream, const char *program, const char *word, struct error *err)
{
    const char *bare;

    if (strncmp(word, ALL_ROWS, strlen(ALL_ROWS)) == 0)
        word += strlen(ALL_ROWS);
    bare = word + strspn(word, "-");
    return (struct asked){.stream = stream,
                          .program = program,
                          .word = word,
                          .name = mem_printf("%.*s", (int)strcspn(bare, "="), bare),
                          .err = err};
}

static void answer_word(struct asked *asked)
{
    const char *typed = asked->word;

    if (!asked->name[0])
        return;
    if (typed[0] == '@') {
        (void)optionfile_list(asked->stream, asked->program, asked->err);
        asked->answers++;
    }
    answer_entries(asked, true);
    if (!asked->answers)
        tell_foreign_option(asked);
    if (!asked->answers && strlen(asked->name) >= LETTERS_LEAST)
        answer_entries(asked, false);
    if (!asked->answers && typed[0] == '-') { /* not an option of a sweep, but perhaps a word */
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
        return true; /* printing it will report the error */
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
        for (const struct help_entry *entry = help_entries(); entry->name; entry++)
            mention_entry(&asked, entry);
    if (!asked.answers)
        result = refuse_word(&asked);
    free(asked.name);
    return result < 0 || error_is_set(err) ? -1 : help_flush(stream, err);
}
