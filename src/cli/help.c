/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* help.c - --help: one screen of first examples, and the complete list of options by group, from
 * the rows that the parser reads; and help about one word: all names (groups of options, targets,
 * topics, commands, options and their values, engines, columns, notes) are entries of a kind, and
 * kinds[] says how an entry is printed. */
#include "base/compat.h"

#include "cli/help.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/hint.h"
#include "cli/options.h"
#include "cli/said.h"
#include "cli/words.h"
#include "report/columns/columns.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"
#include "run/team.h"

#define HELP_COLUMN 30
#define HELP_WIDTH  80

#define ALL_ROWS "all: " /* precedes notes common to all rows in the heading of a table */

int help_flush(FILE *stream, struct error *err)
{
    if (fflush(stream) != 0 || ferror(stream))
        return error_set(err, STATUS_PARTIAL, errno, "cannot write to", "standard output");
    return 0;
}

static void print_row(FILE *stream, const void *of)
{
    const struct option_row *row = of;
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

/* Prints the options that targets with these capabilities accept, under a heading where the group
 * differs from *group. */
static void print_rows(FILE *stream, const struct option_row *row, unsigned capabilities,
                       const char **group)
{
    for (; row && row->name; row++) {
        if (row->needs & ~OPTION_SECRET & ~capabilities)
            continue;
        if (*group && strcmp(row->group, *group) != 0)
            fprintf(stream, "\n%s:\n", *group = row->group);
        print_row(stream, row);
    }
}

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
    print_paragraph(stream,
                    "TARGET is a directory (default: this one; test files are made in it and "
                    "removed), an existing file or block device (only read), or:");
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if ((*d)->scheme[0])
            fprintf(stream, "  %-28s%s\n", (*d)->form, (*d)->purpose);
}

static void print_commands(FILE *stream)
{
    for (const struct command *const *c = command_table; *c; c++)
        fprintf(stream, "  %-10s%s: %s\n", (*c)->name, (*c)->arguments, (*c)->summary);
    fputs("iosweep help COMMAND, or iosweep COMMAND --help, shows its options.\n", stream);
}

static void print_numbers(FILE *stream)
{
    fputs("SIZE: 4096, 4k = 4Ki = 4096, 4kB = 4000, M, G, T.  TIME: 20ms, 1.5s, 2m, 1h30m.\n"
          "N: 10000 = 10k, M, G.  LIST: words with commas; A..B doubles from A to B.\n",
          stream);
}

static void print_status(FILE *stream)
{
    fputs("Exit status: 0 all measured, 1 something failed or is incomplete, 2 usage,\n"
          "3 target cannot be used, 4 --verify found wrong data, 130 interrupted.\n",
          stream);
}

static void print_all(FILE *stream)
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
    print_targets(stream);
    for (const struct options_table *table = options_tables(); table->rows; table++)
        print_rows(stream, table->rows, UINT_MAX, &group);
    fputc('\n', stream);
    print_numbers(stream);
    print_status(stream);
    fputs("More in iosweep(1), which names the other manual pages.\n", stream);
}

void help_print_command(FILE *stream, const void *of)
{
    const struct command *command = of;
    const char *no_headings = NULL;

    fprintf(stream, "Usage: iosweep %s %s%s\n%s", command->name,
            command->options ? "[OPTION]... " : "", command->arguments, command->details);
    if (command->options) {
        fputs("\nOptions:\n", stream);
        print_rows(stream, command->options, UINT_MAX, &no_headings);
        for (const struct options_table *table = options_tables(); table->rows; table++)
            if (table->reach)
                print_rows(stream, table->rows, UINT_MAX, &no_headings);
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

static void print_engine(FILE *stream, const void *of)
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
        print_row(stream, row);
}

static void print_engines(FILE *stream)
{
    for (const struct engine *const *e = engine_table; *e; e++)
        print_engine(stream, *e);
}

static void print_column(FILE *stream, const void *of)
{
    const struct column *column = of;
    const bool has_unit = column->unit != UNIT_TEXT && column->unit != UNIT_NUMBER;

    fprintf(stream, "  %-24s  %s%s%s\n", column->name,
            has_unit ? columns_unit_names[column->unit] : "", has_unit ? ": " : "",
            column->meaning);
}

/* of: the name of the group, in columns_group_names. */
static void print_column_group(FILE *stream, const void *of)
{
    const char *const *name = of;

    fprintf(stream, "%s:\n", *name);
    for (const struct column *column = columns_table; column->name; column++)
        if (&columns_group_names[column->group] == name)
            print_column(stream, column);
}

/* On a terminal in groups; otherwise one per line: name, unit, meaning and group, separated by
 * tabs. */
static void print_columns(FILE *stream)
{
    const bool grouped = isatty(fileno(stream));

    for (const struct column *c = columns_table; c->name && !grouped; c++)
        fprintf(stream, "%s\t%s\t%s\t%s\n", c->name, columns_unit_names[c->unit], c->meaning,
                columns_group_names[c->group]);
    for (unsigned group = 0; group < GROUP_COUNT && grouped; group++) {
        print_column_group(stream, &columns_group_names[group]);
        fputc('\n', stream);
    }
    if (grouped)
        fputs("--columns takes names and groups, and the words " COLUMNS_DEFAULT_WORD
              " and " COLUMNS_ALL_WORD ".\n",
              stream);
}

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

/* All options of a group, whichever table they are in. of: its first row. */
static void print_group(FILE *stream, const void *of)
{
    const char *group = ((const struct option_row *)of)->group;

    fprintf(stream, "%s:\n", group);
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++)
            if (strcmp(row->group, group) == 0)
                print_row(stream, row);
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
            print_rows(stream, table->rows, driver->capabilities, &group);
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
    print_paragraph(stream, word->meaning);
    print_paragraph(stream, see);
    free(see);
}

static void print_option(FILE *stream, const void *of)
{
    const struct option_row *row = of;
    char *values = mem_strdup("Values:");

    print_row(stream, row);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        mem_append(&values, "%s %s", i ? "," : "", row->choices[i]);
    if (row->choices)
        print_paragraph(stream, values);
    free(values);
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
    print_paragraph(stream, text);
    free(text);
}

/* --- entries --- */

static const struct topic {
    const char *name;
    void (*print)(FILE *stream);                   /* NULL: a book, or the presets */
    const struct help_word *(*book)(size_t index); /* all of these are printed by `print_each` */
    void (*print_each)(FILE *stream, const void *of);
    bool alone; /* printed alone, or read by programs */
} topics[] = {
    {.name = "targets", .print = print_targets},
    {.name = "engines", .print = print_engines},
    {.name = "commands", .print = print_commands},
    {.name = "columns", .print = print_columns, .alone = true},
    {.name = "notes", .book = words_note, .print_each = print_note},
    {.name = "words", .book = words_at, .print_each = print_word},
    {.name = "presets"},
    {.name = "numbers", .print = print_numbers},
    {.name = "status", .print = print_status},
    {.name = "all", .print = print_all, .alone = true},
};

/* In the order of printing: groups of options that no driver has alone, ..., words of tables and
 * sentences, ..., values of options. */
enum entry_kind {
    ENTRY_GROUP,
    ENTRY_DRIVER,
    ENTRY_TOPIC,
    ENTRY_COMMAND,
    ENTRY_WORD,
    ENTRY_OPTION,
    ENTRY_ENGINE,
    ENTRY_VALUE,
    ENTRY_COLUMN,
    ENTRY_COLUMN_GROUP,
    ENTRY_NOTE
};

static const struct {
    void (*print)(FILE *stream, const void *of);
    const char *before; /* printed before each text */
    const char *after;  /* printed once after all entries of the kind */
} kinds[] = {
    [ENTRY_GROUP] = {.print = print_group},
    [ENTRY_DRIVER] = {.print = print_driver},
    [ENTRY_TOPIC] = {.print = NULL}, /* see print_topic */
    [ENTRY_COMMAND] = {.print = help_print_command},
    [ENTRY_WORD] = {.print = print_word},
    [ENTRY_OPTION] = {.print = print_option, .before = "Option:\n"},
    [ENTRY_ENGINE] = {.print = print_engine,
                      .before = "Engine:\n",
                      .after = "More in iosweep-tests(7), \"ENGINES\".\n"},
    [ENTRY_VALUE] = {.print = print_option, .before = "Value of the option:\n"},
    [ENTRY_COLUMN] = {.print = print_column,
                      .before = "Column of results:\n",
                      .after = "More in iosweep-csv(5).\n"},
    [ENTRY_COLUMN_GROUP] = {.print = print_column_group,
                            .before = "Columns of results, --columns "},
    [ENTRY_NOTE] = {.print = print_note,
                    .before = "Note of a row: ",
                    .after = "More in iosweep-measuring(7), \"NOTES\".\n"},
};

struct help_entry {
    enum entry_kind kind;
    const char *name; /* for groups and drivers as listed by --help: "object-stores" */
    const void *of;   /* the row of its table */
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

static void add_topics(void)
{
    const char *last = "";

    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; last = row++->group)
            if (!table->engine && !table->driver && strcmp(row->group, last) != 0)
                add_as_topic(ENTRY_GROUP, row->group, row);
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++) {
        const struct option_row *rows = (*d)->options ? (*d)->options : (*d)->reach_options;
        if ((*d)->scheme[0])
            add_as_topic(ENTRY_DRIVER, rows ? rows->group : (*d)->name, *d);
    }
    for (size_t i = 0; i < COUNT_OF(topics); i++)
        add_entry(ENTRY_TOPIC, topics[i].name, &topics[i]);
}

static const struct help_entry *help_entries(void)
{
    const struct help_word *word;
    char name[WORDS_NAME];

    if (entries)
        return entries;
    add_topics();
    for (const struct command *const *c = command_table; *c; c++)
        add_entry(ENTRY_COMMAND, (*c)->name, *c);
    for (size_t i = 0; (word = words_at(i)); i++)
        for (const char *names = word->word; *names;) {
            names = words_take_name(names, name);
            add_entry(ENTRY_WORD, mem_strdup(name), word);
        }
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++) {
            add_entry(ENTRY_OPTION, row->name, row);
            for (unsigned i = 0; row->choices && row->choices[i]; i++)
                add_entry(ENTRY_VALUE, row->choices[i], row);
        }
    for (const struct engine *const *e = engine_table; *e; e++)
        add_entry(ENTRY_ENGINE, (*e)->name, *e);
    for (const struct column *column = columns_table; column->name; column++)
        add_entry(ENTRY_COLUMN, column->name, column);
    for (unsigned group = 0; group < GROUP_COUNT; group++)
        add_entry(ENTRY_COLUMN_GROUP, columns_group_names[group], &columns_group_names[group]);
    for (size_t i = 0; (word = words_note(i)); i++)
        add_entry(ENTRY_NOTE, word->word, word);
    return entries;
}

const char *help_topic_at(unsigned i)
{
    const struct help_entry *entry = help_entries();

    for (; entry->kind <= ENTRY_TOPIC; entry++) {
        const struct storage_driver *driver = entry->kind == ENTRY_DRIVER ? entry->of : NULL;
        if ((!driver || driver->options || driver->reach_options) && i-- == 0)
            return entry->name;
    }
    return NULL;
}

/* --- answers --- */

/* Whether the word refers to that entry: an option also by its letter, unless its group has the
 * same name; a note by the part before a colon. A word with dashes is an option. */
static bool is_asked(const struct help_entry *entry, const char *word)
{
    const bool dashed = word[0] == '-';
    const char *name = word + strspn(word, "-");
    const struct option_row *row = entry->of;
    const struct storage_driver *driver = entry->of;
    const size_t length = strlen(name);
    const bool named = words_is_called(entry->name, name, length);

    switch (entry->kind) {
    case ENTRY_OPTION:
        return (length == 1 && row->letter == name[0]) ||
               (named && (dashed || !words_is_called(row->group, name, length)));
    case ENTRY_DRIVER:
        return !dashed && (named || words_is_called(driver->name, name, length));
    case ENTRY_NOTE:
        return !dashed && length && strncmp(entry->name, name, length) == 0 &&
               (!entry->name[length] || entry->name[length] == ':');
    default:
        return !dashed && named;
    }
}

/* Returns whether nothing else may follow. */
static bool print_topic(FILE *stream, const char *program, const struct topic *topic,
                        struct error *err)
{
    if (topic->print)
        topic->print(stream);
    else if (!topic->book)
        (void)optionfile_list(stream, program, err);
    for (size_t i = 0; topic->book && topic->book(i); i++) {
        fputs(i ? "\n" : "", stream);
        topic->print_each(stream, topic->book(i));
    }
    return topic->alone;
}

/* Prints all entries that the word refers to. Returns whether there are any. */
static bool answer(FILE *stream, const char *program, const char *word, struct error *err)
{
    const char *meant = words_foreign("option", word, strlen(word)), *after = NULL;
    unsigned answers = 0;

    for (const struct help_entry *entry = help_entries(); entry->name; entry++) {
        const char *end = kinds[entry->kind].after;
        if (!is_asked(entry, word))
            continue;
        if (after && after != end)
            fputs(after, stream);
        after = end;
        if (answers++)
            fputc('\n', stream);
        if (kinds[entry->kind].before)
            fputs(kinds[entry->kind].before, stream);
        if (entry->kind != ENTRY_TOPIC)
            kinds[entry->kind].print(stream, entry->of);
        else if (print_topic(stream, program, entry->of, err))
            return true;
    }
    if (after)
        fputs(after, stream);
    if (!answers && meant)
        fprintf(stream, "%s: %s%s\n", word, hint_verb(meant), meant);
    return answers || meant;
}

/* Refuses an unknown word and suggests a similar one (STATUS_USAGE). Returns -1. */
static int refuse_word(const char *typed, const char *name, struct error *err)
{
    const char *owner = hint_owner(name, strlen(name));
    struct words_near near = words_near(name, strlen(name));

    for (const struct help_entry *entry = help_entries(); entry->name; entry++)
        words_offer(&near, entry->name);
    error_set(err, STATUS_USAGE, 0, "there is no help on", typed);
    if (owner)
        return error_advise(err, "it is an option of %s", owner);
    if (near.name)
        return error_advise(err, "did you mean iosweep help %s", near.name);
    return error_advise(err, "iosweep --help shows the topics");
}

/* --- all of it --- */

bool help_knows(const char *word)
{
    for (const struct help_entry *entry = help_entries(); entry->name; entry++)
        if (is_asked(entry, word) || is_asked(entry, word + strspn(word, "-")))
            return true;
    return words_foreign("option", word, strlen(word)) != NULL;
}

int help_topic(FILE *stream, const char *program, const char *word, struct error *err)
{
    const char *const note =
        strncmp(word, ALL_ROWS, strlen(ALL_ROWS)) == 0 ? word + strlen(ALL_ROWS) : word;
    char *asked = mem_printf("%.*s", (int)strcspn(note, "="), note); /* "--time=5s" */
    const char *name = asked + strspn(asked, "-");
    int result = 0;

    if (word[0] == '@')
        result = optionfile_list(stream, program, err);
    else if (!*name || (!answer(stream, program, asked, err) &&
                        (name == asked || !answer(stream, program, name, err))))
        result = refuse_word(note, name, err);
    free(asked);
    return result < 0 || error_is_set(err) ? -1 : help_flush(stream, err);
}

int help_print(FILE *stream, struct error *err)
{
    /* those that users need first, in this order */
    static const char *const first_options[] = {"sizes", "min-size", "max-size", "tests",
                                                "depth", "threads",  "time",     "dry-run"};
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
                print_row(stream, row);
    fputc('\n', stream);
    for (unsigned i = 0; help_topic_at(i); i++)
        mem_append(&text, " %s", help_topic_at(i));
    print_paragraph(stream, text);
    free(text);
    return help_flush(stream, err);
}
