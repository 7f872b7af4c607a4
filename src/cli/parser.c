/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* parser.c - parses options as getopt_long does, with error messages that advise what to do. */
#include "base/compat.h"

#include "cli/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
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
        if (text_is(parser->option[i].row->name, name, length))
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
    owner = meant || has_option(parser, bare, length) ? NULL : words_owner(bare, length);
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

/* The option of that name, or the only one that it abbreviates, unless another program or command
 * has an option of that name: --size is the length of a file there, and must not become --sizes. */
static const struct parser_option *find_option(const struct parser *parser, const char *name,
                                               size_t length)
{
    const struct parser_option *found = NULL;
    unsigned count = 0;

    for (unsigned i = 0; i < parser->count; i++) {
        const char *own = parser->option[i].row->name;
        if (strncmp(own, name, length) != 0)
            continue;
        found = &parser->option[i];
        count++;
        if (!own[length])
            return found;
    }
    return count == 1 && !find_foreign(parser, name, length) && !words_owner(name, length) ? found
                                                                                           : NULL;
}

static const struct parser_option *find_letter(const struct parser *parser, char letter)
{
    for (unsigned i = 0; i < parser->count; i++)
        if (parser->option[i].row->letter == letter)
            return &parser->option[i];
    return NULL;
}

static bool needs_value(const struct option_row *row)
{
    return row->argument && row->argument[0] != '[';
}

/* Adds an option, typed as `name`, with the value in the same word, or with the next word if it
 * needs one. */
static int add_option(const struct parser *parser, const struct parser_option *option,
                      const char *name, const char *value, char ***next, struct said *said,
                      struct error *err)
{
    const struct option_row *row = option->row;

    if (needs_value(row) && !value) {
        value = **next;
        if (!value || (strncmp(value, "--", 2) == 0 &&
                       has_option(parser, value + 2, strcspn(value + 2, "="))))
            return error_refuse(err, STATUS_USAGE, "option needs an argument:", name, "%s %s: %s",
                                name, row->argument, row->help);
        ++*next;
    }
    said->option = mem_realloc_array(said->option, said->count + 1, sizeof(*said->option));
    said->option[said->count] = (struct said_option){row, option->table, value, NULL};
    if (row->scope == OPTION_ENDS) {
        said->ended = &said->option[said->count];
        said->next = **next;
    }
    said->count++;
    return 0;
}

/* "--name", "--name=VALUE" */
static int take_long(const struct parser *parser, const char *typed, char ***next,
                     struct said *said, struct error *err)
{
    const size_t length = strcspn(typed + 2, "=");
    const struct parser_option *option = find_option(parser, typed + 2, length);
    const char *value = typed[2 + length] ? typed + 3 + length : NULL;
    char name[80];

    if (!option)
        return refuse_unknown(parser, typed, err);
    snprintf(name, sizeof(name), "--%s", option->row->name);
    if (value && !option->row->argument)
        return error_refuse(err, STATUS_USAGE,
                            "this option takes no value:", parser->secretive ? name : typed,
                            "leave out the value after %s", name);
    return add_option(parser, option, name, value, next, said, err);
}

/* "-a", "-abc", "-cVALUE" */
static int take_letters(const struct parser *parser, const char *typed, char ***next,
                        struct said *said, struct error *err)
{
    for (const char *letter = typed + 1; *letter && !said->ended; letter++) {
        const struct parser_option *option = find_letter(parser, *letter);
        const char name[] = {'-', *letter, '\0'};
        const bool last = option && needs_value(option->row);

        if (!option)
            return refuse_unknown(parser, typed, err);
        if (add_option(parser, option, name, last && letter[1] ? letter + 1 : NULL, next, said,
                       err) < 0)
            return -1;
        if (last)
            break;
    }
    return 0;
}

static void add_operand(struct said *said, const char *word)
{
    said->operand =
        mem_realloc_array(said->operand, said->operand_count + 1, sizeof(*said->operand));
    said->operand[said->operand_count++] = word;
}

int parser_take(const struct parser *parser, char **argv, struct said *said, struct error *err)
{
    bool operands = false; /* after "--" */
    int code = 0;

    for (char **next = *argv ? argv + 1 : argv; *next && code == 0 && !said->ended;) {
        const char *word = *next++;

        if (operands || word[0] != '-' || !word[1])
            add_operand(said, word);
        else if (word[1] != '-')
            code = take_letters(parser, word, &next, said, err);
        else if (word[2])
            code = take_long(parser, word, &next, said, err);
        else
            operands = true;
    }
    return code;
}
