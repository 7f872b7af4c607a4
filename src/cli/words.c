/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* words.c - see words.h. */
#include "base/compat.h"

#include "cli/words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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
