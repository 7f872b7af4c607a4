/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* text.h - bounded texts, and lists in them. Nothing here fails: text that does not fit is cut. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies what fits; empty for NULL. */
void text_copy(char *to, size_t size, const char *from);

/* Appends a phrase to a list, after the separator unless the list is empty. */
void text_add(char *list, size_t size, const char *separator, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A text under construction in fixed memory, always terminated: it ends before the first piece that
 * does not fit, and `full` is set. */
struct text_builder {
    char *text;
    size_t used, room;
    bool full;
};

/* Hot. Append. */
void text_put(struct text_builder *out, const char *piece);
void text_put_bytes(struct text_builder *out, const char *piece, size_t bytes);

/* Quotes a word for a shell: in single quotes if it contains special characters. To be freed. */
char *text_shell_word(const char *word);

/* Whether a list joined by ", " contains that word. */
bool text_listed(const char *list, const char *word);

/* The next word of a list at *at, which is moved behind it: *length bytes up to one of the marks in
 * `between` or the end.  False behind the last word, where *at is NULL; an empty list has one word,
 * which is empty. */
static inline bool text_word(const char **at, const char *between, const char **word,
                             size_t *length)
{
    if (!*at)
        return false;
    *word = *at;
    *length = strcspn(*at, between);
    *at = (*at)[*length] ? *at + *length + 1 : NULL;
    return true;
}

/* ":", or "" after a name that already ends with one. */
static inline const char *text_colon(const char *name)
{
    const size_t length = strlen(name);

    return length > 0 && name[length - 1] == ':' ? "" : ":";
}

/* "1 of 1 row", "2 of 6 rows". */
#define TEXT_SHARE 80u
const char *text_share(size_t count, size_t all, const char *noun, char text[TEXT_SHARE]);

static inline bool text_holds_only(const char *text, const char *allowed)
{
    return text[strspn(text, allowed)] == '\0';
}

/* Whether all of it can be shown as it is: printable ASCII. */
static inline bool text_is_ascii(const char *text)
{
    while (*text >= ' ' && *text <= '~')
        text++;
    return !*text;
}

/* Compares two texts, for qsort of pointers to them. */
int text_order(const void *a, const void *b);

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static inline uint64_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
