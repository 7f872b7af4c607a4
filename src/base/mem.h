/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* mem.h - memory for cold code: allocation failure ends the program with one line, after the
 * registered clean-up ran.  (I/O buffers: os/memory.h.) */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdint.h>

void *mem_calloc(size_t count, size_t size);                   /* zeroed; never NULL */
void *mem_realloc_array(void *old, size_t count, size_t size); /* never NULL; overflow checked */
/* Makes room for at least `needed` elements in a block that has room for *capacity of them (0: the
 * block is NULL), by doubling it.  Returns the block; what is new in it is not set. */
void *mem_grow(void *old, size_t *capacity, size_t needed, size_t size);
/* never NULL; free() it */
char *mem_strdup(const char *text);
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* free() it */
/* Makes a text of mem_strdup or mem_printf longer; NULL: there was none.  What is added may not be
 * part of it. */
void mem_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What to run once before the program gives up for lack of memory (removal of test files). */
void mem_on_failure(void (*clean_up)(void));

/* Fills size_bytes with incompressible data that is different for each seed. */
void mem_fill_random(void *buffer, size_t size_bytes, uint64_t seed);

#endif
