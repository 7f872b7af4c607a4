/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store_file.h - the two halves of the `file` store driver: store_file.c turns a target into
 * objects and removes what is ours, store_cache.c sets the state of the page cache. */
#ifndef ENGINE_STORE_FILE_H
#define ENGINE_STORE_FILE_H

#include "engine/store.h"

/* Opens object `index` for a pass of the store.  Returns a descriptor or -1 with err filled. */
int store_file_open_object(const struct store *store, uint32_t index, struct error *err);

/* The hooks of the same names, see store.h. */
int store_file_prepare(struct store *store, enum cache_mode mode, enum io_test test,
                       struct error *err);
int store_file_before_round(struct store *store, enum cache_mode mode, struct error *err);
int store_file_probe_direct(struct store *store, struct error *err);
double store_file_resident(struct store *store);

/* Samples: where looking at all objects would take too long, this many are looked at. */
#define STORE_FILE_SAMPLES 64u

#endif
