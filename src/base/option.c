/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* option.c - converts a word of the command line to a field according to its table row. All types
 * are handled here, so that options of the program and of the engines are checked and refused in
 * the same words. A refused word leaves the field unchanged. */
#include "base/compat.h"

#include "base/option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"

static uint64_t row_max(const struct option_row *row)
{
    const bool bytes = row->type == OPTION_SIZE || row->type == OPTION_SIZE_LIST;

    return row->max ? row->max : bytes ? UNITS_SIZE_MAX : UINT64_MAX;
}

int option_find(const char *const *choices, const char *text, size_t length, unsigned *index,
                struct error *err)
{
    char word[sizeof(err->object)], allowed[sizeof(err->advice) - 16] = "";

    for (unsigned i = 0; choices[i]; i++) {
        if (strlen(choices[i]) == length && memcmp(choices[i], text, length) == 0) {
            *index = i;
            return 0;
        }
    }
    if (length >= sizeof(word))
        length = sizeof(word) - 1;
    memcpy(word, text, length);
    word[length] = '\0';
    for (unsigned i = 0; choices[i]; i++)
        text_add(allowed, sizeof(allowed), ", ", "%s", choices[i]);
    return error_refuse(err, STATUS_USAGE, "unknown choice:", word, "choose from %s", allowed);
}

static int apply_duration(const struct option_row *row, uint64_t *field, const char *word,
                          struct error *err)
{
    char least[UNITS_TEXT];
    uint64_t ns;

    if (units_parse_duration(word, &ns, err) != 0)
        return -1;
    if (ns < row->min)
        return error_refuse(err, STATUS_USAGE, "duration too short:", word, "the least is %s",
                            units_format_span(row->min, least));
    *field = ns;
    return 0;
}

static int apply_char(char *field, const char *word, struct error *err)
{
    if (strcmp(word, "tab") == 0 || strcmp(word, "\\t") == 0)
        word = "\t";
    else if (word[0] < ' ' || word[0] > '~' || word[1] != '\0')
        return error_refuse(err, STATUS_USAGE, "not a single character:", word,
                            "give one printable ASCII character, or tab");
    *field = word[0];
    return 0;
}

static int apply_choices(const struct option_row *row, struct option_choices *field,
                         const char *word, struct error *err)
{
    struct option_choices chosen = {.count = 0};
    const char *one;
    size_t length;

    for (const char *at = word; text_word(&at, ",", &one, &length);) {
        unsigned index;
        if (option_find(row->choices, one, length, &index, err) != 0)
            return -1;
        if (option_chosen(&chosen, index))
            return error_refuse(err, STATUS_USAGE, "given twice in the list:", row->choices[index],
                                "give each word once");
        if (chosen.count == OPTION_CHOICES_MAX)
            return error_refuse(err, STATUS_USAGE, "too many choices:", one, "the limit is %d",
                                OPTION_CHOICES_MAX);
        chosen.index[chosen.count++] = index;
    }
    *field = chosen;
    return 0;
}

/* Parses into the field; errors name the word but not yet the option. */
static int apply_word(const struct option_row *row, void *block, const char *word,
                      struct error *err)
{
    void *field = (char *)block + row->offset;
    switch (row->type) {
    case OPTION_FLAG:
        *(bool *)field = true;
        return 0;
    case OPTION_COUNT:
        return row->call ? row->call(block, word, err)
                         : units_parse_count(word, row->min, row_max(row), field, err);
    case OPTION_SIZE:
        return units_parse_size(word, row->min, row_max(row), field, err);
    case OPTION_DURATION:
        return apply_duration(row, field, word, err);
    case OPTION_PERCENT:
        return units_parse_percent(word, field, err);
    case OPTION_CHAR:
        return apply_char(field, word, err);
    case OPTION_STRING:
        *(const char **)field = word;
        return 0;
    case OPTION_CHOICE:
        return option_find(row->choices, word, strlen(word), field, err);
    case OPTION_CHOICES:
        return apply_choices(row, field, word, err);
    case OPTION_SIZE_LIST:
        return units_parse_list(UNITS_SIZE, word, 1, row_max(row), field, err);
    case OPTION_COUNT_LIST:
        return units_parse_list(UNITS_COUNT, word, row->min, row_max(row), field, err);
    case OPTION_WORD:
        if (row->call(block, word, err) != 0)
            return -1;
        *(const char **)field = word;
        return 0;
    case OPTION_RANGE:
    case OPTION_CALL:
        return row->call(block, word, err);
    }
    return error_set(err, STATUS_INTERNAL, 0, "option row of unknown type", NULL);
}

/* Flags take no word; everything else that shows an argument in help needs one. */
static int check_word(const struct option_row *row, const char *word, struct error *err)
{
    bool takes_word = row->type != OPTION_FLAG && (row->type != OPTION_CALL || row->argument);
    if (takes_word && !word) {
        error_set(err, STATUS_USAGE, 0, "needs an argument", NULL);
        if (!row->argument)
            return -1;
        return error_advise(err, "give %s", row->argument);
    }
    if (word && word[0] == '\0' && !row->call) /* usually an unset variable in a script */
        return error_refuse(err, STATUS_USAGE, "is empty", NULL, "give %s", row->argument);
    if (!takes_word && word)
        return error_set(err, STATUS_USAGE, 0, "takes no argument:", word);
    return 0;
}

int option_apply(const struct option_row *row, void *block, const char *word, struct error *err)
{
    if (check_word(row, word, err) != 0 || apply_word(row, block, word, err) != 0) {
        error_set(err, STATUS_USAGE, 0, "refused:", word); /* unless `call` has said why */
        return error_prefix(err, "--%.64s: ", row->name);
    }
    if (row->given_offset)
        *(bool *)((char *)block + row->given_offset) = true;
    return 0;
}

void option_defaults(const struct option_row *rows, void *block)
{
    struct error err = ERROR_INIT;
    for (; rows->name; rows++)
        if (rows->fallback && apply_word(rows, block, rows->fallback, &err) != 0)
            abort();
}

bool option_chosen(const struct option_choices *choices, unsigned index)
{
    for (unsigned i = 0; i < choices->count; i++) {
        if (choices->index[i] == index)
            return true;
    }
    return false;
}
