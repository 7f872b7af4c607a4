/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* text.c - see text.h. */
#include "base/compat.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void text_copy(char *to, size_t size, const char *from)
{
    size_t length = from ? strlen(from) : 0;
    if (length > size - 1)
        length = size - 1;
    if (length > 0)
        memmove(to, from, length);
    to[length] = '\0';
}

void text_add(char *list, size_t size, const char *separator, const char *format, ...)
{
    size_t used = strlen(list);
    va_list arguments;

    if (used > 0)
        used += (size_t)snprintf(list + used, size - used, "%s", separator);
    if (used >= size)
        return;
    va_start(arguments, format);
    vsnprintf(list + used, size - used, format, arguments);
    va_end(arguments);
}

bool text_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)) != NULL; at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return true;
    return false;
}

void text_put_bytes(struct text_builder *out, const char *piece, size_t bytes)
{
    if (out->full || bytes >= out->room - out->used) {
        out->full = true;
        return;
    }
    memcpy(out->text + out->used, piece, bytes);
    out->used += bytes;
    out->text[out->used] = '\0';
}

void text_put(struct text_builder *out, const char *piece)
{
    text_put_bytes(out, piece, strlen(piece));
}

char *text_shell_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "@%+=:,./_-";
    char *text, *to;

    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        return mem_strdup(word);
    text = to = mem_calloc(4 * strlen(word) + 3, 1);
    *to++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    *to = '\'';
    return text;
}

int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *text_share(size_t count, size_t all, const char *noun, char text[TEXT_SHARE])
{
    snprintf(text, TEXT_SHARE, "%zu of %zu %s%s", count, all, noun, all == 1 ? "" : "s");
    return text;
}
