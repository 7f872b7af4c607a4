/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.c - parses options with getopt_long, with error messages that advise what to do. */
#include "base/compat.h"

#include "cli/said.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/words.h"

#define VALUE_SHOWN  40
#define OPERAND      1   /* returned by getopt_long for an operand in order */
#define OPTION_FIRST 256 /* the value of the first long option: above all letters */

void parser_add(struct parser *parser, const struct options_table *table)
{
    for (const struct option_row *row = table->rows; row->name; row++) {
        parser->option =
            mem_realloc_array(parser->option, parser->count + 1, sizeof(*parser->option));
        parser->option[parser->count++] = (struct parser_option){row, table};
    }
}

void parser_free(struct parser *parser)
{
    free(parser->option);
}

void said_free(struct said *said)
{
    free(said->option);
    free(said->operand);
}

/* --- unknown options --- */

/* Lists the options that begin with the typed word, or else the most similar one. Returns their
 * number. */
static unsigned find_similar(const struct parser *parser, const char *typed, size_t length,
                             char *text, size_t text_size)
{
    struct words_near near = words_near(typed, length);
    unsigned count = 0;

    text[0] = '\0';
    for (unsigned i = 0; i < parser->count; i++) {
        const char *name = parser->option[i].row->name;
        words_offer(&near, name);
        if (length > 2 && strncmp(name, typed, length) == 0) {
            text_add(text, text_size, ", ", "--%s", name);
            count++;
        }
    }
    if (!count && near.name[0])
        text_add(text, text_size, "", "--%s", near.name);
    return count ? count : near.name[0] != 0;
}

/* "--secret-key=...", of another program: must not be printed. */
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

/* "use --depth 4" for --iodepth=4, if what is meant is a single option that takes a value. */
static int advise_foreign(const struct parser *parser, const char *meant, const char *value,
                          struct error *err)
{
    const bool shown = value[0] == '=' && value[1] && strlen(value) <= VALUE_SHOWN &&
                       !parser->secretive && strncmp(meant, "--", 2) == 0 && !strpbrk(meant, " ,");
    const char *word = shown ? words_foreign(meant + 2, value + 1, strlen(value + 1)) : NULL;

    return error_advise(err, "%s%s%s%s", words_verb(meant), meant, shown ? " " : "",
                        !shown ? ""
                        : word ? word
                               : value + 1);
}

static bool has_option(const struct parser *parser, const char *name, size_t length)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (strlen(parser->option[i].row->name) == length &&
            strncmp(parser->option[i].row->name, name, length) == 0)
            return true;
    return false;
}

/* The equivalent of an option of another program, if this command has it. */
static const char *find_foreign(const struct parser *parser, const char *name, size_t length)
{
    const char *meant = words_foreign("option", name, length);

    if (meant && strncmp(meant, "--", 2) == 0 &&
        !has_option(parser, meant + 2, strcspn(meant + 2, " ,")))
        return NULL;
    return meant;
}

/* The command that has an option of exactly that name, if this one does not. */
static const char *find_owner(const struct parser *parser, const char *name, size_t length)
{
    return has_option(parser, name, length) ? NULL : words_owner(name, length);
}

static int refuse_unknown(const struct parser *parser, const char *typed, struct error *err)
{
    const bool is_long = strncmp(typed, "--", 2) == 0;
    char similar[200], word[256];
    const char *bare, *meant, *owner;
    unsigned count;
    size_t length;

    text_copy(word, sizeof(word), typed);
    if (parser->secretive || is_secret(word)) /* "-x", "--name" */
        word[is_long ? strcspn(word, "=") : strnlen(word, 2)] = '\0';
    bare = word + strspn(word, "-");
    length = strcspn(bare, "=");
    meant = find_foreign(parser, bare, length);
    owner = meant ? NULL : find_owner(parser, bare, length);
    if (owner)
        return error_refuse(err, STATUS_USAGE, "unknown option:", word, "it is an option of %s",
                            owner);
    count = meant ? 0 : find_similar(parser, bare, length, similar, sizeof(similar));
    error_set(err, STATUS_USAGE, 0,
              is_long && count > 1 ? "unknown or ambiguous option:" : "unknown option:", word);
    if (meant)
        return advise_foreign(parser, meant, bare + length, err);
    if (count)
        return error_advise(err, "did you mean %s", similar);
    return error_advise(err, "%s", parser->help);
}

/* --- options --- */

/* The option for a value of getopt_long: a letter, or OPTION_FIRST plus the option's number. */
static const struct parser_option *find_option(const struct parser *parser, int value)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (value == OPTION_FIRST + (int)i || value == parser->option[i].row->letter)
            return &parser->option[i];
    return NULL;
}

static const char *option_name(const struct parser_option *option, int value, char *text,
                               size_t size)
{
    if (value < OPTION_FIRST)
        snprintf(text, size, "-%c", value);
    else
        snprintf(text, size, "--%s", option->row->name);
    return text;
}

/* Returns whether what was typed abbreviates an option (of this value), but is one of another
 * program or command: --size is the length of a file there, and must not become --sizes. */
static bool is_of_others(const struct parser *parser, int value, const char *typed)
{
    const struct parser_option *option = find_option(parser, value);
    const char *name = typed + 2;
    const size_t length = strcspn(name, "=");

    return value >= OPTION_FIRST && option->row->name[length] &&
           (find_foreign(parser, name, length) || find_owner(parser, name, length));
}

/* Refuses a word that getopt_long rejected. */
static int refuse_word(const struct parser *parser, const char *typed, bool lacks_argument,
                       struct error *err)
{
    const struct parser_option *option = find_option(parser, optopt);
    char name[80];

    if (!option || (!lacks_argument && optopt < OPTION_FIRST) ||
        is_of_others(parser, optopt, typed))
        return refuse_unknown(parser, typed, err);
    option_name(option, optopt, name, sizeof(name));
    if (lacks_argument)
        return error_refuse(err, STATUS_USAGE, "option needs an argument:", name, "%s %s: %s", name,
                            option->row->argument, option->row->help);
    return error_refuse(err, STATUS_USAGE,
                        "this option takes no value:", parser->secretive ? name : typed,
                        "leave out the value after --%s", option->row->name);
}

/* Takes the option of this value, typed as `typed`; `at`: optind before it. */
static int take_option(const struct parser *parser, int value, char **argv, int at,
                       struct said *said, struct error *err)
{
    const struct parser_option *option = find_option(parser, value);
    const char *typed = argv[at];

    if (is_of_others(parser, value, typed))
        return refuse_unknown(parser, typed, err);
    if (optarg && optarg == argv[at + 1] && strncmp(optarg, "--", 2) == 0 &&
        has_option(parser, optarg + 2, strcspn(optarg + 2, "="))) {
        optopt = value; /* its value is missing */
        return refuse_word(parser, typed, true, err);
    }
    said->option = mem_realloc_array(said->option, said->count + 1, sizeof(*said->option));
    said->option[said->count] = (struct said_option){option->row, option->table, optarg, NULL};
    if (strcmp(option->row->name, "help") == 0 || strcmp(option->row->name, "version") == 0) {
        said->ended = &said->option[said->count];
        said->next = argv[at + 1];
    }
    said->count++;
    return 0;
}

static void add_operand(struct said *said, const char *word)
{
    said->operand =
        mem_realloc_array(said->operand, said->operand_count + 1, sizeof(*said->operand));
    said->operand[said->operand_count++] = word;
}

static int take_words(const struct parser *parser, const char *letters, const struct option *names,
                      int argc, char **argv, struct said *said, struct error *err)
{
    int code = 0;

    opterr = 0;
    optind = 0; /* resets getopt_long */
    while (code == 0 && !said->ended) {
        const int at = optind ? optind : 1, value = getopt_long(argc, argv, letters, names, NULL);

        if (value < 0) {
            while (optind < argc)
                add_operand(said, argv[optind++]);
            return 0;
        }
        if (value == OPERAND)
            add_operand(said, optarg);
        else if (value == '?' || value == ':')
            code = refuse_word(parser, argv[at], value == ':', err);
        else
            code = take_option(parser, value, argv, at, said, err);
    }
    return code;
}

int parser_take(const struct parser *parser, int argc, char **argv, struct said *said,
                struct error *err)
{
    struct option *names = mem_calloc(parser->count + 1, sizeof(*names));
    /* "-": operands in order; ":": a missing argument returns ':' */
    char *letters = mem_strdup("-:");
    int code;

    for (unsigned i = 0; i < parser->count; i++) {
        const struct option_row *row = parser->option[i].row;

        names[i] = (struct option){.name = row->name,
                                   .has_arg = !row->argument            ? no_argument
                                              : row->argument[0] == '[' ? optional_argument
                                                                        : required_argument,
                                   .val = OPTION_FIRST + (int)i};
        if (row->letter)
            mem_append(&letters, "%c%s", row->letter,
                       names[i].has_arg == required_argument ? ":" : "");
    }
    code = take_words(parser, letters, names, argc, argv, said, err);
    free(letters);
    free(names);
    return code;
}
