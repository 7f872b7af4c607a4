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

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
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

int help_flush(struct error *err)
{
    if (fflush(stdout) != 0 || ferror(stdout))
        return error_set(err, STATUS_PARTIAL, errno, "cannot write to", "standard output");
    return 0;
}

static void print_row(const void *of)
{
    const struct option_row *row = of;
    const int used = printf("  %c%c%s--%s%s%s", row->letter ? '-' : ' ',
                            row->letter ? row->letter : ' ', row->letter ? ", " : "  ", row->name,
                            row->argument ? " " : "", row->argument ? row->argument : "");

    if (used >= HELP_COLUMN) /* the text goes to the next line */
        printf("\n%*s%s", HELP_COLUMN, "", row->help);
    else
        printf("%*s%s", HELP_COLUMN - used, "", row->help);
    if (row->fallback)
        printf(" [%s]", row->fallback);
    putchar('\n');
}

/* Prints the options of a group, those that a driver takes, those for access to targets, which
 * commands take, or all; headings before those of each group, unless they are one list. Returns
 * whether there are any. */
static bool print_options(const char *group, const struct storage_driver *driver, bool reach)
{
    const char *last = group ? group : "";
    bool any = false;

    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++) {
            if ((group && strcmp(row->group, group) != 0) || (reach && !table->reach) ||
                (driver && !options_driver_takes(driver, table, row)))
                continue;
            if (!reach && strcmp(row->group, last) != 0)
                printf("\n%s:\n", last = row->group);
            print_row(row);
            any = true;
        }
    return any;
}

static void print_paragraph(const char *text)
{
    char *folded = log_fold(text, "", 0, HELP_WIDTH);

    puts(folded ? folded : text);
    free(folded);
}

static void print_page(const char *name)
{
    const struct help_word *page = words_of_pages;

    while (strcmp(page->word, name) != 0)
        page++;
    fputs(page->meaning, stdout);
}

static void print_targets(void)
{
    print_page("targets");
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if ((*d)->scheme[0])
            printf("  %-28s%s\n", (*d)->form, (*d)->purpose);
}

static void print_commands(void)
{
    for (const struct command *const *c = command_table; *c; c++)
        printf("  %-10s%s: %s\n", (*c)->name, (*c)->arguments, (*c)->summary);
    fputs("iosweep help COMMAND, or iosweep COMMAND --help, shows its options.\n", stdout);
}

static void print_all(void)
{
    fputs("Usage: iosweep [OPTION]... [@FILE]... [TARGET]...\n", stdout);
    for (const struct command *const *c = command_table; *c; c++)
        printf("       iosweep %s %s%s\n", (*c)->name, (*c)->options ? "[OPTION]... " : "",
               (*c)->arguments);
    print_page("all");
    print_targets();
    (void)print_options(NULL, NULL, false);
    putchar('\n');
    print_page("numbers");
    print_page("status");
    fputs("More in iosweep(1), which names the other manual pages.\n", stdout);
}

void help_print_command(const void *of)
{
    const struct command *command = of;

    printf("Usage: iosweep %s %s%s\n%s", command->name, command->options ? "[OPTION]... " : "",
           command->arguments, command->details);
    if (command->options) {
        fputs("\nOptions:\n", stdout);
        for (const struct option_row *row = command->options; row->name; row++)
            print_row(row);
        (void)print_options(NULL, NULL, true);
        printf("\nMore in iosweep-%s(1).\n", command->name);
    }
}

int help_print_version(struct error *err)
{
    char libraries[FACTS_LIBRARIES];

    printf("iosweep %s\nresults: schema version %s\nengines:", PACKAGE_VERSION, SCHEMA_VERSION);
    for (const struct engine *const *e = engine_table; *e; e++)
        printf(" %s", (*e)->name);
    facts_list_libraries(libraries, sizeof(libraries));
    printf("\nlibraries: %s", libraries[0] ? libraries : "the C library");
    if (team_library_version())
        printf(", %s", team_library_version());
    putchar('\n');
    print_page("licence");
#if defined(HAVE_OPENSSL) && defined(HAVE_LIBCURL)
    print_page("openssl");
#endif
    print_page("warranty");
    if (*HOME_URL)
        fputs("Home page: " HOME_URL "\n", stdout);
    printf("Report bugs to %s.\n", *BUG_URL ? BUG_URL : "the supplier of this build");
    return help_flush(err);
}

static void print_engine(const void *of)
{
    const struct engine *engine = of;
    struct error why = ERROR_INIT;
    char text[256];

    printf("%-10s %s\n", engine->name, engine->summary);
    if (engine->async)
        printf("%-10s asynchronous: --depth 1 to %" PRIu32 "\n", "", engine->async->depth_max);
    if (engine->driver)
        printf("%-10s for targets %s only\n", "", storage_driver_find(engine->driver)->scheme);
    if (engine->available && engine->available(NULL, &why) < 0) {
        why.advice[0] = '\0'; /* the engine prints it when it is requested */
        printf("%-10s not usable here: %s\n", "", error_format(&why, text, sizeof(text)));
    }
    for (const struct option_row *row = engine->options; row && row->name; row++)
        print_row(row);
}

static void print_column(const void *of)
{
    const struct column *column = of;
    const bool has_unit = column->unit != UNIT_TEXT && column->unit != UNIT_NUMBER;

    printf("  %-24s  %s%s%s\n", column->name, has_unit ? columns_unit_names[column->unit] : "",
           has_unit ? ": " : "", column->meaning);
}

/* of: the name of the group, in columns_group_names. */
static void print_column_group(const void *of)
{
    const char *const *name = of;

    printf("%s:\n", *name);
    for (const struct column *column = columns_table; column->name; column++)
        if (&columns_group_names[column->group] == name)
            print_column(column);
}

/* On a terminal in groups; otherwise one per line: name, unit, meaning and group, separated by
 * tabs. */
static void print_columns(void)
{
    const bool grouped = isatty(STDOUT_FILENO);

    for (const struct column *c = columns_table; c->name && !grouped; c++)
        printf("%s\t%s\t%s\t%s\n", c->name, columns_unit_names[c->unit], c->meaning,
               columns_group_names[c->group]);
    for (unsigned group = 0; group < GROUP_COUNT && grouped; group++) {
        print_column_group(&columns_group_names[group]);
        putchar('\n');
    }
    if (grouped)
        fputs("--columns takes names and groups, and the words " COLUMNS_DEFAULT_WORD
              " and " COLUMNS_ALL_WORD ".\n",
              stdout);
}

static void print_manual(const char *group)
{
    const char *manual = "iosweep(1)";

    if (strcmp(group, options_team_table->group) == 0)
        manual = "iosweep-mpi(1)";
    for (const struct options_table *table = options_tables(); table->rows; table++)
        for (const struct option_row *row = table->rows; row->name; row++)
            if ((table->family || table->driver) && strcmp(group, row->group) == 0)
                manual = "iosweep-objects(7)";
    printf("More in %s, \"%s\".\n", manual, group);
}

/* All options of a group, whichever table they are in. of: its first row. */
static void print_group(const void *of)
{
    const char *group = ((const struct option_row *)of)->group;

    printf("%s:\n", group);
    (void)print_options(group, NULL, false);
    print_manual(group);
}

/* Options of a store are printed together with those common to all stores. */
static void print_driver(const void *of)
{
    const struct storage_driver *driver = of;
    bool any;

    printf("%s (%s)\n", driver->form, driver->purpose);
    if (driver->example)
        printf("  iosweep %s\n", driver->example);
    any = print_options(NULL, driver, false);
    printf("%sMore in %s; iosweep help targets: all kinds of them.\n", any ? "\n" : "",
           driver->family ? "iosweep-objects(7)" : "iosweep(1)");
}

static void print_word(const void *of)
{
    const struct help_word *word = of;
    char *see = mem_printf("See iosweep help: %s.", word->advice);
    const char *names = word->word, *name, *between = "";
    size_t length;

    while (text_word(&names, "|", &name, &length)) {
        if (!isascii((unsigned char)name[0]))
            continue; /* not every terminal can display it */
        printf("%s%.*s", between, (int)length, name);
        between = ", ";
    }
    fputs(":\n", stdout);
    print_paragraph(word->meaning);
    print_paragraph(see);
    free(see);
}

static void print_option(const void *of)
{
    const struct option_row *row = of;
    char *values = mem_strdup("Values:");

    print_row(row);
    for (unsigned i = 0; row->choices && row->choices[i]; i++)
        mem_append(&values, "%s %s", i ? "," : "", row->choices[i]);
    if (row->choices)
        print_paragraph(values);
    free(values);
    print_manual(row->group);
}

/* Prints the meaning of a note and its advice. The colon that marks a prefix is not shown. */
static void print_note(const void *of)
{
    const struct help_word *note = of;
    const size_t length = strlen(note->word);
    char *text = mem_printf("%s%s%s", note->meaning, note->advice[0] ? "  " : "", note->advice);

    printf("%.*s\n", (int)length - (note->word[length - 1] == ':'), note->word);
    print_paragraph(text);
    free(text);
}

/* --- entries --- */

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

static const struct topic {
    const char *name;
    void (*print)(void);  /* NULL: the page of that name, all entries of a kind or presets */
    enum entry_kind kind; /* 0: a page; ENTRY_TOPIC: the presets */
    bool alone;           /* printed alone, or read by programs */
} topics[] = {
    {.name = "targets", .print = print_targets},
    {.name = "engines", .kind = ENTRY_ENGINE},
    {.name = "commands", .print = print_commands},
    {.name = "columns", .print = print_columns, .alone = true},
    {.name = "notes", .kind = ENTRY_NOTE},
    {.name = "words", .kind = ENTRY_WORD},
    {.name = "presets", .kind = ENTRY_TOPIC},
    {.name = "numbers"},
    {.name = "status"},
    {.name = "all", .print = print_all, .alone = true},
};

static const struct {
    void (*print)(const void *of);
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
    if (entries)
        return entries;
    add_topics();
    for (const struct command *const *c = command_table; *c; c++)
        add_entry(ENTRY_COMMAND, (*c)->name, *c);
    for (const struct help_word *word = words_of_words; word->word; word++)
        add_entry(ENTRY_WORD, word->word, word);
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
    for (const struct help_word *note = words_of_notes; note->word; note++)
        add_entry(ENTRY_NOTE, note->word, note);
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

static void print_topic(const char *program, const struct topic *topic, struct error *err)
{
    unsigned printed = 0;

    if (topic->print)
        topic->print();
    else if (!topic->kind)
        print_page(topic->name);
    else if (topic->kind == ENTRY_TOPIC)
        (void)optionfile_list(stdout, program, err);
    else
        for (const struct help_entry *entry = help_entries(); entry->name; entry++) {
            if (entry->kind != topic->kind)
                continue;
            if (printed++ && topic->kind != ENTRY_ENGINE)
                putchar('\n');
            kinds[topic->kind].print(entry->of);
        }
}

/* Prints all entries that the word refers to. Returns whether there are any. */
static bool answer(const char *program, const char *word, struct error *err)
{
    const char *meant = words_foreign("option", word, strlen(word)), *after = NULL;
    unsigned answers = 0;

    for (const struct help_entry *entry = help_entries(); entry->name; entry++) {
        const char *end = kinds[entry->kind].after;
        if (!is_asked(entry, word))
            continue;
        if (after && after != end)
            fputs(after, stdout);
        after = end;
        if (answers++)
            putchar('\n');
        if (kinds[entry->kind].before)
            fputs(kinds[entry->kind].before, stdout);
        if (entry->kind != ENTRY_TOPIC) {
            kinds[entry->kind].print(entry->of);
            continue;
        }
        print_topic(program, entry->of, err);
        if (((const struct topic *)entry->of)->alone)
            return true;
    }
    if (after)
        fputs(after, stdout);
    if (!answers && meant)
        printf("%s: %s%s\n", word, words_verb(meant), meant);
    return answers || meant;
}

/* Refuses an unknown word and suggests a similar one (STATUS_USAGE). Returns -1. */
static int refuse_word(const char *typed, const char *name, struct error *err)
{
    const char *owner = words_owner(name, strlen(name));
    struct words_near near = words_near(name, strlen(name));

    for (const struct help_entry *entry = help_entries(); entry->name; entry++)
        words_offer(&near, entry->name);
    error_set(err, STATUS_USAGE, 0, "there is no help on", typed);
    if (owner)
        return error_advise(err, "it is an option of %s", owner);
    if (near.name[0])
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

int help_topic(const char *program, const char *word, struct error *err)
{
    const char *const note =
        strncmp(word, ALL_ROWS, strlen(ALL_ROWS)) == 0 ? word + strlen(ALL_ROWS) : word;
    char *asked = mem_printf("%.*s", (int)strcspn(note, "="), note); /* "--time=5s" */
    const char *name = asked + strspn(asked, "-");
    int result = 0;

    if (word[0] == '@')
        result = optionfile_list(stdout, program, err);
    else if (!*name ||
             (!answer(program, asked, err) && (name == asked || !answer(program, name, err))))
        result = refuse_word(note, name, err);
    free(asked);
    return result < 0 || error_is_set(err) ? -1 : help_flush(err);
}

int help_print(struct error *err)
{
    /* those that users need first, in this order */
    static const char *const first_options[] = {"sizes", "min-size", "max-size", "tests",
                                                "depth", "threads",  "time",     "dry-run"};
    char *text =
        mem_strdup("iosweep help WORD explains an option, command, engine, test, column or topic:");

    print_page("screen");
    if (team_library)
        print_page("team");
    putchar('\n');
    for (size_t i = 0; i < COUNT_OF(first_options); i++)
        for (const struct option_row *row = options_table; row->name; row++)
            if (strcmp(row->name, first_options[i]) == 0)
                print_row(row);
    putchar('\n');
    for (unsigned i = 0; help_topic_at(i); i++)
        mem_append(&text, " %s", help_topic_at(i));
    print_paragraph(text);
    free(text);
    return help_flush(err);
}
