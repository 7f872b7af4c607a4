/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.c - see words.h. */
#include "base/compat.h"

#include "cli/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "src/cli/words.inc" /* notes, words, foreign */

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

bool words_is_called(const char *names, const char *name, size_t length)
{
    size_t same = 0;

    for (; same < length; same++) {
        const char c = length > 1 ? (char)tolower((unsigned char)name[same]) : name[same];
        if (c != names[same] && !(c == '_' && names[same] == '-'))
            break;
    }
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
 * rest. */
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
