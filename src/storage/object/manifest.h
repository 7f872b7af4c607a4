/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.h - the sets of objects that a run makes in a store, and the names of those.  A key
 * belongs to a run when it is one that the run's manifest can have; all others are somebody
 * else's.  Pure. */
#ifndef STORAGE_OBJECT_MANIFEST_H
#define STORAGE_OBJECT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/life/life.h"
#include "storage/object/dataset.h"

#define OBJECT_SET_DIRECTORY_MAX 40u /* "append-18446744073709551615/" */

/* Whether the last part of a prefix ("a/iosweep-NAME/") can be that of a run;
 * NAME into run_name. */
bool object_run_of_prefix(const char *prefix, char run_name[TARGET_RUN_NAME_MAX + 1]);

/* How many objects a set of that size gets: as asked for, or 64, but no more than 256 MiB together
 * and at least 1. */
uint32_t object_set_objects(uint64_t wanted, uint64_t size_bytes);

/* How many of the numbers of a target's objects a set takes: count, or 1 where objects have no
 * numbers of their own, so that operations have something to draw. */
static inline uint32_t object_set_numbers(uint32_t count)
{
    return count > 0 ? count : 1;
}

/* manifest->storage is there.  The sets for tests (bits 1 << TEST_x) of sizes, those of `ranged`
 * in one set of objects of --object-size: manifest->set, which is the caller's to free.  Errors:
 * too many sets or objects (STATUS_USAGE).  Returns 0 or -1. */
int object_manifest_plan(struct life_manifest *manifest, unsigned tests, const uint64_t *size_bytes,
                         size_t size_count, uint64_t objects, const struct object_options *options,
                         unsigned ranged, struct error *err);

/* The part of keys behind the run's prefix: "4096/", "object/", "rename-4096/".  Returns text. */
char *object_set_directory(const struct life_set *set, char text[OBJECT_SET_DIRECTORY_MAX]);

/* Whether a set has this directory, "4096". */
bool object_manifest_names(const struct life_manifest *manifest, const char *name);

/* Which set and object a key without the run's prefix ("4096/000017") is of.  False: none; a
 * manifest itself is none either. */
bool object_manifest_owns(const struct life_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object);

/* What an object of such a set can be by its length.  A run makes each of them in one go: one of
 * another length is not its own.  Without uploads in parts long ones grow piece by piece, and so do
 * those of append; where objects are seen while they are being put (gradual), those that were cut
 * off are shorter; where a value is, there are no data.  CHANGED: it has fewer data than its set
 * says, and was not cut off while the run went on, so another program has changed it. */
enum object_standing { OBJECT_FOREIGN, OBJECT_CHANGED, OBJECT_OWN };
enum object_standing object_manifest_judge(const struct life_manifest *manifest, unsigned set,
                                           const struct object_service *service,
                                           uint64_t size_bytes);

/* From now on it says of no object that it is there. */
void object_manifest_unsettle(struct life_manifest *manifest);

#endif
