/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - texts of bounded length, and lists in them.  Nothing here fails: what does not fit is
 * cut. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies what fits; empty for NULL. */
void text_copy(char *to, size_t size, const char *from);

/* Appends to a list: the separator when there is something before, then the phrase. */
void text_add(char *list, size_t size, const char *separator, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* True when a list joined by ", " has that word. */
bool text_listed(const char *list, const char *word);

/* FNV-1a (Fowler, Noll, Vo), 64 bits. */
static inline uint64_t text_hash(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
