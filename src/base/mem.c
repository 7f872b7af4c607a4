/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mem.c - memory. If a small cold allocation fails the program ends: nothing sensible is left to
 * do, and checking each would only add untested branches. (I/O buffers: os/memory.c.) */
#include "base/compat.h"

#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/rng.h"

#define MEM_GROW_FIRST 16 /* elements */

static _Noreturn void give_up(void)
{
    log_error("not enough memory; iosweep clean removes what a run leaves");
    exit(STATUS_INTERNAL);
}

/* count * size, at least 1 because malloc may return NULL for an empty block. */
static size_t checked_product(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        give_up();
    return bytes > 0 ? bytes : 1;
}

void *mem_calloc(size_t count, size_t size)
{
    void *block = calloc(1, checked_product(count, size));
    if (!block)
        give_up();
    return block;
}

void *mem_realloc_array(void *old, size_t count, size_t size)
{
    void *block = realloc(old, checked_product(count, size));
    if (!block)
        give_up();
    return block;
}

void *mem_grow(void *old, size_t *capacity, size_t needed, size_t size)
{
    size_t room = *capacity > 0 ? *capacity : MEM_GROW_FIRST;
    if (*capacity >= needed)
        return old;
    while (room < needed)
        room = room > SIZE_MAX / 2 ? needed : 2 * room;
    *capacity = room;
    return mem_realloc_array(old, room, size);
}

char *mem_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(mem_realloc_array(NULL, bytes, 1), text, bytes);
}

/* Formats after the first `length` bytes of a block, which grows. */
__attribute__((nonnull(3), format(printf, 3, 0))) static char *
format_after(char *text, size_t length, const char *format, va_list arguments)
{
    va_list again;
    int n;

    va_copy(again, arguments);
    n = vsnprintf(NULL, 0, format, arguments);
    if (n < 0)
        give_up();
    text = mem_realloc_array(text, length + (size_t)n + 1, 1);
    vsnprintf(text + length, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

char *mem_printf(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = format_after(NULL, 0, format, arguments);
    va_end(arguments);
    return text;
}

void mem_append(char **text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    *text = format_after(*text, *text ? strlen(*text) : 0, format, arguments);
    va_end(arguments);
}

void mem_fill_random(void *buffer, size_t size_bytes, uint64_t seed)
{
    unsigned char *bytes = buffer;
    struct rng rng;
    uint64_t word;

    rng_seed(&rng, seed, 0);
    for (; size_bytes >= sizeof(word); size_bytes -= sizeof(word), bytes += sizeof(word)) {
        word = rng_next(&rng);
        memcpy(bytes, &word, sizeof(word));
    }
    if (size_bytes > 0) {
        word = rng_next(&rng);
        memcpy(bytes, &word, size_bytes);
    }
}
