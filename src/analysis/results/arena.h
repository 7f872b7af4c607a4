/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* arena.h - memory that is freed all at once, with texts that are kept only once: a result has many
 * rows and few different words. */
#ifndef ANALYSIS_RESULTS_ARENA_H
#define ANALYSIS_RESULTS_ARENA_H

#include <stddef.h>

struct arena;

struct arena *arena_new(void);        /* never NULL */
void arena_free(struct arena *arena); /* NULL is fine */

/* A block that is aligned for doubles and pointers; never NULL. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* A copy of the text; the same pointer for equal texts. */
const char *arena_keep(struct arena *arena, const char *text);

#endif
