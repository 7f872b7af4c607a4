/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mem.h - memory for cold code: if allocation fails, the program runs the registered clean-up and
 * ends with one line. (I/O buffers: os/memory.h.) */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

void *mem_calloc(size_t count, size_t size);                   /* zeroed; never NULL */
void *mem_realloc_array(void *old, size_t count, size_t size); /* never NULL; overflow checked */
/* Grows a block with room for *capacity elements (0: the block is NULL) to at least `needed`, by
 * doubling. Returns the block; new elements are uninitialised. */
void *mem_grow(void *old, size_t *capacity, size_t needed, size_t size);
/* never NULL; free() it */
char *mem_strdup(const char *text);
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* free() it */
/* Appends to a text of mem_strdup or mem_printf; NULL: empty. The added text must not be part of
 * it. */
void mem_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills size_bytes with incompressible data that is different for each seed. */
void mem_fill_random(void *buffer, size_t size_bytes, uint64_t seed);

#endif
