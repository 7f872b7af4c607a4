/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* repeat.c - see repeat.h. */
#include "base/compat.h"

#include "cli/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define HIDDEN "***"

/* How much of the word may be shown: all but the word of a secret option, which begins in it. */
static size_t shown_length(const char *word, const struct said *typed)
{
    const size_t length = strlen(word);

    for (unsigned i = 0; i < typed->count; i++) {
        const struct said_option *option = &typed->option[i];
        if (option->word && (option->row->needs & OPTION_SECRET) && option->word >= word &&
            option->word <= word + length)
            return (size_t)(option->word - word);
    }
    return length;
}

/* "http://me:secret@host/": where "me" begins, and *end at the '@'; NULL: there is none.  A
 * password may hold '@' and '/', so the last '@' ends it; digits before a '/' are a port. */
static const char *find_password(const char *word, const char **end)
{
    const char *begin = strstr(word, "://"), *colon, *behind;

    if (!begin)
        return NULL;
    begin += 3;
    *end = strrchr(begin, '@');
    colon = strchr(begin, ':');
    if (!*end || !colon || colon > *end)
        return NULL;
    behind = colon + 1 + strspn(colon + 1, "0123456789");
    return *behind == '/' && !memchr(begin, '@', (size_t)(behind - begin)) ? NULL : begin;
}

static char *without_secrets(const char *word, const struct said *typed)
{
    const size_t length = shown_length(word, typed);
    const char *begin, *end;

    if (word[length] != '\0')
        return mem_printf("%.*s" HIDDEN, (int)length, word);
    begin = find_password(word, &end);
    return begin ? mem_printf("%.*s" HIDDEN "%s", (int)(begin - word), word, end)
                 : mem_strdup(word);
}

char *repeat_command(int argc, char **argv, const struct said *typed)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    char *command = text_shell_word(slash ? slash + 1 : argc > 0 ? argv[0] : "iosweep");

    for (int i = 1; i < argc; i++) {
        char *shown = without_secrets(argv[i], typed), *word = text_shell_word(shown);
        char *longer = mem_printf("%s %s", command, word);
        free(shown);
        free(word);
        free(command);
        command = longer;
    }
    return command;
}
