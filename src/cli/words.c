/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.c - see words.h. */
#include "base/compat.h"

#include "cli/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "src/cli/words.inc" /* notes, words, foreign */

#define LETTERS_MOST 40u /* longer words are similar to none */
#define BEGINNING    3   /* letters of a word that suffice to recognise it */

const struct help_word *words_note(size_t i)
{
    return i < COUNT_OF(notes) ? &notes[i] : NULL;
}

const struct help_word *words_at(size_t i)
{
    return i < COUNT_OF(words) ? &words[i] : NULL;
}

const char *words_take_name(const char *names, char name[WORDS_NAME])
{
    const size_t length = strcspn(names, "|");

    snprintf(name, WORDS_NAME, "%.*s", (int)length, names);
    return names + length + (names[length] == '|');
}

static bool is_same_letter(char a, char b, bool cased)
{
    const char *const between = " -_";

    if (a && b && strchr(between, a) && strchr(between, b))
        return true;
    return cased ? a == b : tolower((unsigned char)a) == tolower((unsigned char)b);
}

bool words_is_called(const char *names, const char *name, size_t length)
{
    size_t same = 0;

    while (same < length && is_same_letter(names[same], name[same], length == 1))
        same++;
    if (same == length && (!names[same] || names[same] == '|'))
        return true;
    names = strchr(names + same, '|');
    return names && words_is_called(names + 1, name, length);
}

const char *words_foreign(const char *kind, const char *name, size_t length)
{
    const size_t begins = strlen(kind);

    for (size_t i = 0; i < COUNT_OF(foreign); i++)
        if (strncmp(foreign[i].word, kind, begins) == 0 && foreign[i].word[begins] == ' ' &&
            words_is_called(foreign[i].word + begins + 1, name, length))
            return foreign[i].meaning;
    return NULL;
}

/* --- similar words --- */

static unsigned least_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The number of omitted, inserted, transposed or wrong letters.  Rows of the table are distances
 * between prefixes of both words; a transposition also needs the last row but one. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LETTERS_MOST + 1], *before = rows[0], *last = rows[1], *row = rows[2];

    for (size_t k = 0; k <= b_length; k++)
        before[k] = last[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *const old = before;
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            const unsigned wrong = tolower((unsigned char)a[i - 1]) != b[k - 1];
            row[k] = least_of(last[k - 1] + wrong, least_of(last[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least_of(row[k], before[k - 2] + 1);
        }
        before = last;
        last = row;
        row = old;
    }
    return last[b_length];
}

struct words_near words_near(const char *word, size_t length)
{
    return (struct words_near){
        .word = word, .length = length, .distance = (unsigned)(length + 2) / 4 + 1};
}

void words_offer(struct words_near *near, const char *name)
{
    const size_t length = strlen(name);
    unsigned distance = 0;

    if (near->length < 2 || near->length > LETTERS_MOST || length > LETTERS_MOST)
        return;
    if (near->length < BEGINNING || strncasecmp(near->word, name, near->length) != 0)
        distance = distance_of(near->word, near->length, name, length);
    if (distance >= near->distance)
        return;
    near->distance = distance;
    near->name = name;
}

/* --- targets --- */

#define TARGET_KIND "target "
#define PARTS       4
static const char *const part_words[PARTS] = {"BUCKET", "FILE", "HOST", "PATH"};

struct target_part {
    const char *text;
    size_t length;
};

/* The index of the word at the beginning of a text, or -1. */
static int find_part(const char *text)
{
    for (int i = 0; i < PARTS; i++)
        if (strncmp(text, part_words[i], strlen(part_words[i])) == 0)
            return i;
    return -1;
}

/* A word matches everything up to the next character of the pattern within a path component, or the
 * rest; before a colon at least two characters, since C: is a drive. */
static bool match_target(const char *pattern, const char *target, struct target_part parts[PARTS])
{
    char marks[] = "?/";

    while (*pattern && *pattern != '|') {
        const int i = find_part(pattern);
        if (i < 0) {
            if (tolower((unsigned char)*target++) != *pattern++)
                return false;
            continue;
        }
        pattern += strlen(part_words[i]);
        marks[0] = *pattern;
        parts[i].text = target;
        parts[i].length = *pattern && *pattern != '|' ? strcspn(target, marks) : strlen(target);
        if (parts[i].length == 1 && *pattern == ':')
            return false;
        target += parts[i].length;
    }
    return !*target;
}

static void put_target(const char *meaning, const struct target_part parts[PARTS], bool shown,
                       char *text, size_t size)
{
    text[0] = '\0';
    while (*meaning) {
        const int i = find_part(meaning);
        if (i >= 0 && shown && parts[i].length)
            text_add(text, size, "", "%.*s", (int)parts[i].length, parts[i].text);
        else
            text_add(text, size, "", "%.*s", i < 0 ? 1 : (int)strlen(part_words[i]), meaning);
        meaning += i < 0 ? 1 : strlen(part_words[i]);
    }
}

bool words_target(const char *target, char *text, size_t size)
{
    const bool shown = text_is_ascii(target) && !strchr(target, '@');

    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        const bool is_target = strncmp(foreign[i].word, TARGET_KIND, strlen(TARGET_KIND)) == 0;
        const char *before = foreign[i].word + strlen(TARGET_KIND) - 1;

        for (; is_target && before; before = strchr(before + 1, '|')) {
            struct target_part parts[PARTS] = {{NULL, 0}};
            if (match_target(before + 1, target, parts)) {
                put_target(foreign[i].meaning, parts, shown, text, size);
                return true;
            }
        }
    }
    return false;
}
