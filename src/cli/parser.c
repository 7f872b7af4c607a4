/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.c - options as the C library parses them, refused in words that say what to do. */
#include "base/compat.h"

#include "cli/parser.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/hint.h"
#include "cli/words.h"

#define LONG_VALUE      256 /* of the first long option: beyond all short ones */
#define SIMILAR_LETTERS 3   /* that options must share to be suggested */
#define LETTER_MOST     6   /* options with the same first letter that are suggested */
#define VALUE_SHOWN     40

void parser_init(struct parser *parser, const char *help)
{
    *parser = (struct parser){.help = help};
    parser->short_options = mem_strdup(":"); /* a missing argument is told apart */
    parser->long_options = mem_calloc(1, sizeof(*parser->long_options));
    opterr = 0;
    optind = 0; /* GNU: start afresh, so that tests can parse more than once */
}

void parser_restart(struct parser *parser, bool secretive)
{
    parser->secretive = secretive;
    optind = 0;
}

void parser_free(struct parser *parser)
{
    free(parser->long_options);
    free(parser->entries);
    free(parser->short_options);
}

/* "[TOPIC]" may be left out: --help, --help=TOPIC. */
static int takes_argument(const struct option_row *row)
{
    if (!row->argument)
        return no_argument;
    return row->argument[0] == '[' ? optional_argument : required_argument;
}

static void add_entry(struct parser *parser, const char *name, const struct parser_entry *entry)
{
    const unsigned i = parser->count++;

    parser->long_options =
        mem_realloc_array(parser->long_options, i + 2, sizeof(*parser->long_options));
    parser->entries = mem_realloc_array(parser->entries, i + 1, sizeof(*parser->entries));
    parser->long_options[i] = (struct option){
        .name = name, .has_arg = takes_argument(entry->row), .val = LONG_VALUE + (int)i};
    parser->long_options[i + 1] = (struct option){.name = NULL};
    parser->entries[i] = *entry;
}

void parser_add(struct parser *parser, const struct option_row *rows, int owner)
{
    for (; rows->name; rows++) {
        add_entry(parser, rows->name, &(struct parser_entry){.row = rows, .owner = owner});
        if (rows->letter)
            mem_append(&parser->short_options, "%c%s", rows->letter,
                       takes_argument(rows) == required_argument ? ":" : "");
    }
}

static const struct parser_entry *find_entry(const struct parser *parser, int value)
{
    if (value >= LONG_VALUE)
        return &parser->entries[value - LONG_VALUE];
    for (unsigned i = 0; i < parser->count; i++)
        if (parser->entries[i].row->letter == value)
            return &parser->entries[i];
    return NULL;
}

struct similar { /* " --max-size --max-time" */
    char *text;
    size_t size, used;
    unsigned count;
};

static void add_similar(struct similar *similar, const char *option)
{
    similar->count++;
    if (similar->used < similar->size)
        similar->used +=
            (size_t)snprintf(similar->text + similar->used, similar->size - similar->used,
                             "%s --%s", similar->count > 1 ? "," : "", option);
}

static void add_beginning(const struct parser *parser, const char *name, size_t share,
                          struct similar *similar)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (strncmp(parser->entries[i].row->name, name, share) == 0)
            add_similar(similar, parser->entries[i].row->name);
}

static void add_near(const struct parser *parser, const char *name, size_t length,
                     struct similar *similar)
{
    struct hint_near near = hint_near(name, length);

    for (unsigned i = 0; i < parser->count; i++)
        hint_offer(&near, parser->long_options[i].name);
    for (unsigned i = 0; near.name[0] && i < parser->count; i++)
        if (hint_distance(name, length, parser->long_options[i].name) == near.distance)
            add_similar(similar, parser->entries[i].row->name);
}

/* "profile": --far.profile, and "far.color": --color. */
static void add_ending(const struct parser *parser, const char *name, size_t length,
                       struct similar *similar)
{
    const char *behind = memchr(name, '.', length);

    for (unsigned i = 0; i < parser->count; i++) {
        const char *own = parser->entries[i].row->name, *point = strchr(own, '.');
        if ((point && strlen(point + 1) == length && strncmp(point + 1, name, length) == 0) ||
            (behind && strlen(own) == length - (size_t)(behind + 1 - name) &&
             strncmp(own, behind + 1, strlen(own)) == 0))
            add_similar(similar, own);
    }
}

/* Long options that begin with what was typed; when none does, that are spelled nearly so; when
 * none is, whose names with and without what stands before a point agree; when none does, that
 * share more than half of its letters at the beginning.  Returns how many. */
static unsigned find_similar(const struct parser *parser, const char *name, size_t length,
                             char *text, size_t text_size)
{
    struct similar similar = {.text = text, .size = text_size};

    text[0] = '\0';
    if (length >= SIMILAR_LETTERS)
        add_beginning(parser, name, length, &similar);
    if (!similar.count)
        add_near(parser, name, length, &similar);
    if (!similar.count)
        add_ending(parser, name, length, &similar);
    for (size_t share = length; share > SIMILAR_LETTERS && share >= length / 2; share--)
        if (!similar.count)
            add_beginning(parser, name, share, &similar);
    return similar.count;
}

/* "--secret-key=...", of another program: it is not to be shown again. */
static bool is_secret(const char *word)
{
    const char *const value = strchr(word, '=');
    static const char *const secrets[] = {"key", "secret", "password", "token"};

    for (size_t i = 0; value && i < COUNT_OF(secrets); i++) {
        const char *found = strstr(word, secrets[i]);
        if (found && found < value)
            return true;
    }
    return false;
}

/* The word on the command line that getopt stumbled over: it has moved the arguments before it, and
 * inside a word of several short options has not gone on yet. */
static const char *bad_word(const struct parser *parser, int value, int argc, char **argv,
                            char *text, size_t size)
{
    const struct parser_entry *entry = find_entry(parser, optopt);
    const bool inside = optind < argc && argv[optind][0] == '-' && argv[optind][1] != '-' &&
                        optopt > 0 && optopt < LONG_VALUE && strchr(argv[optind], optopt);

    if (value == ':' && entry && optopt >= LONG_VALUE)
        snprintf(text, size, "--%s", parser->long_options[optopt - LONG_VALUE].name);
    else if (value == ':')
        snprintf(text, size, "-%c", optopt);
    else
        snprintf(text, size, "%s", argv[inside ? optind : optind - 1]);
    if (parser->secretive || is_secret(text)) /* "-x", "--name" */
        text[strncmp(text, "--", 2) == 0 ? strcspn(text, "=") : strnlen(text, 2)] = '\0';
    return text;
}

/* Options whose long names begin with a letter that no option has. */
static unsigned find_letter(const struct parser *parser, char letter, char *text, size_t text_size)
{
    struct similar similar = {.text = text, .size = text_size};
    const char name[] = {(char)tolower((unsigned char)letter), '\0'};

    text[0] = '\0';
    add_beginning(parser, name, 1, &similar);
    return similar.count <= LETTER_MOST ? similar.count : 0;
}

/* "use --depth 4" for --iodepth=4. */
static int advise_foreign(const struct parser *parser, const char *meant, const char *value,
                          struct error *err)
{
    const bool shown = value[0] == '=' && value[1] && strlen(value) <= VALUE_SHOWN &&
                       !parser->secretive && hint_takes_value(meant);
    const char *word = shown ? words_foreign(meant + 2, value + 1, strlen(value + 1)) : NULL;

    return error_advise(err, "%s%s%s%s", hint_verb(meant), meant, shown ? " " : "",
                        !shown ? ""
                        : word ? word
                               : value + 1);
}

static bool has_option(const struct parser *parser, const char *name, size_t length)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (strlen(parser->long_options[i].name) == length &&
            strncmp(parser->long_options[i].name, name, length) == 0)
            return true;
    return false;
}

/* What other programs call so, where this command has it: what begins with an option may not. */
static const char *find_foreign(const struct parser *parser, const char *name, size_t length)
{
    const char *meant = hint_foreign_option(name, length);

    if (meant && strncmp(meant, "--", 2) == 0 &&
        !has_option(parser, meant + 2, strcspn(meant + 2, " ,")))
        return NULL;
    return meant;
}

/* An option without the argument that it needs, or with one that it does not take. */
static int bad_argument(const struct parser *parser, int value, const char *name,
                        const struct parser_entry *entry, struct error *err)
{
    if (value == '?')
        return error_refuse(err, STATUS_USAGE, "this option takes no value:", name,
                            "leave out the value after --%s", entry->row->name);
    if (!entry)
        return error_refuse(err, STATUS_USAGE, "option needs an argument:", name, "%s",
                            parser->help);
    return error_refuse(err, STATUS_USAGE, "option needs an argument:", name, "%s %s: %s", name,
                        entry->row->argument, entry->row->help);
}

/* Who takes an option of that whole name, where this command does not. */
static const char *find_owner(const struct parser *parser, const char *name, size_t length)
{
    return has_option(parser, name, length) ? NULL : hint_owner(name, length);
}

static int refuse_owner(const char *name, const char *owner, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, "unknown option:", name, "it is an option of %s", owner);
}

static int bad_option(const struct parser *parser, int value, int argc, char **argv,
                      struct error *err)
{
    char similar[200], word[256];
    const char *name = bad_word(parser, value, argc, argv, word, sizeof(word));
    const bool is_long = strncmp(name, "--", 2) == 0;
    const char *bare = name + strspn(name, "-"), *meant, *owner;
    const size_t length = strcspn(bare, "=");
    unsigned count;

    if (value == ':' || (is_long && has_option(parser, bare, length)))
        return bad_argument(parser, value, name, find_entry(parser, optopt), err);
    meant = find_foreign(parser, bare, length);
    owner = meant ? NULL : find_owner(parser, bare, length);
    if (owner)
        return refuse_owner(name, owner, err);
    count = meant         ? 0
            : length == 1 ? find_letter(parser, bare[0], similar, sizeof(similar))
                          : find_similar(parser, bare, length, similar, sizeof(similar));
    error_set(err, STATUS_USAGE, 0,
              is_long && count > 1 ? "unknown or ambiguous option:" : "unknown option:", name);
    if (meant)
        return advise_foreign(parser, meant, bare + length, err);
    if (count)
        return error_advise(err, "did you mean%s", similar);
    return error_advise(err, "%s", parser->help);
}

/* The option as it was typed where that is a shorter form of it and the name of something else, in
 * other programs or for another command: --size is the length of a file there, and must not become
 * --sizes. */
static const char *misleading_word(const struct parser *parser, int value, char **argv,
                                   size_t *length)
{
    const char *word;

    if (value < LONG_VALUE || optind < 2)
        return NULL;
    word = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
    *length = strcspn(word, "=");
    if (strncmp(word, "--", 2) != 0 ||
        *length - 2 == strlen(parser->long_options[value - LONG_VALUE].name) ||
        !(hint_foreign_option(word + 2, *length - 2) || find_owner(parser, word + 2, *length - 2)))
        return NULL;
    return word;
}

int parser_next(struct parser *parser, int argc, char **argv, const struct parser_entry **entry,
                struct error *err)
{
    const int value = getopt_long(argc, argv, parser->short_options, parser->long_options, NULL);
    const char *word, *meant;
    char name[64];
    size_t length;

    if (value < 0)
        return 0;
    if (value == '?' || value == ':')
        return bad_option(parser, value, argc, argv, err);
    word = misleading_word(parser, value, argv, &length);
    if (word) {
        meant = hint_foreign_option(word + 2, length - 2);
        snprintf(name, sizeof(name), "%.*s", (int)length, word);
        if (!meant)
            return refuse_owner(name, find_owner(parser, word + 2, length - 2), err);
        return error_refuse(err, STATUS_USAGE, "unknown option:", name, "%s%s", hint_verb(meant),
                            meant);
    }
    *entry = find_entry(parser, value);
    return 1;
}
