/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.c - parses options, with error messages that advise what to do. */
#include "base/compat.h"

#include "cli/said.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/hint.h"
#include "cli/words.h"

#define VALUE_SHOWN 40

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
    if (!count && near.name)
        text_add(text, text_size, "", "--%s", near.name);
    return count ? count : near.name != NULL;
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

    return error_advise(err, "%s%s%s%s", hint_verb(meant), meant, shown ? " " : "",
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
    return has_option(parser, name, length) ? NULL : hint_owner(name, length);
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

/* The option of that name, or the one that it abbreviates, unless it is ambiguous, or is an option
 * of another program or command: --size is the length of a file there, and must not become
 * --sizes. */
static const struct parser_option *find_named(const struct parser *parser, const char *name,
                                              size_t length)
{
    const struct parser_option *found = NULL;
    unsigned count = 0;

    for (unsigned i = 0; i < parser->count; i++) {
        const char *known = parser->option[i].row->name;
        if (strncmp(known, name, length) != 0)
            continue;
        found = &parser->option[i];
        if (!known[length])
            return found;
        count++;
    }
    return count == 1 && !find_foreign(parser, name, length) && !find_owner(parser, name, length)
               ? found
               : NULL;
}

static const struct parser_option *find_letter(const struct parser *parser, char letter)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (parser->option[i].row->letter == letter)
            return &parser->option[i];
    return NULL;
}

/* Takes an option; word: its value, if it is in the same word of argv. Another option is not taken
 * as its value. */
static int take_option(const struct parser *parser, const struct parser_option *option,
                       const char *name, const char *word, char **argv, int *at, struct said *said,
                       struct error *err)
{
    const struct option_row *row = option->row;

    if (row->argument && row->argument[0] != '[' && !word) {
        word = argv[*at + 1];
        if (!word ||
            (strncmp(word, "--", 2) == 0 && has_option(parser, word + 2, strcspn(word + 2, "="))))
            return error_refuse(err, STATUS_USAGE, "option needs an argument:", name, "%s %s: %s",
                                name, row->argument, row->help);
        ++*at;
    }
    said->option = mem_realloc_array(said->option, said->count + 1, sizeof(*said->option));
    said->option[said->count] = (struct said_option){row, option->table, word, .place = UINT_MAX};
    if (strcmp(row->name, "help") == 0 || strcmp(row->name, "version") == 0) {
        said->ended = &said->option[said->count];
        said->next = argv[*at + 1];
    }
    said->count++;
    return 0;
}

/* "--name", "--name=value" */
static int take_name(const struct parser *parser, char **argv, int *at, struct said *said,
                     struct error *err)
{
    const char *typed = argv[*at], *value = strchr(typed, '=');
    const size_t length = value ? (size_t)(value - typed - 2) : strlen(typed + 2);
    const struct parser_option *option = find_named(parser, typed + 2, length);
    char name[80];

    if (!option)
        return refuse_unknown(parser, typed, err);
    snprintf(name, sizeof(name), "--%s", option->row->name);
    if (value && !option->row->argument)
        return error_refuse(err, STATUS_USAGE,
                            "this option takes no value:", parser->secretive ? name : typed,
                            "leave out the value after %s", name);
    return take_option(parser, option, name, value ? value + 1 : NULL, argv, at, said, err);
}

/* "-x", "-xyVALUE" */
static int take_letters(const struct parser *parser, char **argv, int *at, struct said *said,
                        struct error *err)
{
    const char *typed = argv[*at];
    bool valued = false;

    for (const char *letter = typed + 1; *letter && !valued && !said->ended; letter++) {
        const struct parser_option *option = find_letter(parser, *letter);
        const char name[] = {'-', *letter, '\0'};

        if (!option)
            return refuse_unknown(parser, typed, err);
        valued = option->row->argument && option->row->argument[0] != '[';
        if (take_option(parser, option, name, valued && letter[1] ? letter + 1 : NULL, argv, at,
                        said, err) < 0)
            return -1;
    }
    return 0;
}

static void add_operand(struct said *said, const char *word)
{
    said->operand =
        mem_realloc_array(said->operand, said->operand_count + 1, sizeof(*said->operand));
    said->operand[said->operand_count++] = word;
}

int parser_take(const struct parser *parser, int argc, char **argv, struct said *said,
                struct error *err)
{
    bool operands = false;
    int code = 0;

    for (int at = 1; at < argc && code == 0 && !said->ended; at++) {
        const char *word = argv[at];

        if (operands || word[0] != '-' || !word[1])
            add_operand(said, word);
        else if (strcmp(word, "--") == 0)
            operands = true;
        else if (word[1] == '-')
            code = take_name(parser, argv, &at, said, err);
        else
            code = take_letters(parser, argv, &at, said, err);
    }
    return code;
}
