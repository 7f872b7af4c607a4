/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.h - the sets of objects that a run creates in a store, and their names.  A key belongs
 * to a run if the run's manifest can contain it; all others belong to others.  Pure. */
#ifndef STORAGE_OBJECT_MANIFEST_H
#define STORAGE_OBJECT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/life/life.h"
#include "storage/object/dataset.h"

#define OBJECT_SET_DIRECTORY_MAX 40u /* "append-18446744073709551615/" */

/* Whether the last component of a prefix ("a/iosweep-NAME/") can be that of a run; stores NAME in
 * run_name. */
bool object_run_of_prefix(const char *prefix, char run_name[TARGET_RUN_NAME_MAX + 1]);

/* The number of objects of a set of that size: as requested, or 64, but no more than 256 MiB in
 * total and at least 1. */
uint32_t object_set_objects(uint64_t wanted, uint64_t size_bytes);

/* How many numbers of a target's objects a set occupies: count, or 1 if its objects have no numbers
 * of their own, so that operations have one to draw. */
static inline uint32_t object_set_numbers(uint32_t count)
{
    return count > 0 ? count : 1;
}

/* Plans the sets for tests (bits 1 << TEST_x) of these sizes, with those of `ranged` in one set of
 * objects of --object-size, in manifest->set, which the caller frees.  manifest->storage must be
 * set.  Errors: too many sets or objects (STATUS_USAGE).  Returns 0 or -1. */
int object_manifest_plan(struct life_manifest *manifest, unsigned tests, const uint64_t *size_bytes,
                         size_t size_count, uint64_t objects, const struct object_options *options,
                         unsigned ranged, struct error *err);

/* The part of keys after the run's prefix: "4096/", "object/", "rename-4096/".  Returns text. */
char *object_set_directory(const struct life_set *set, char text[OBJECT_SET_DIRECTORY_MAX]);

/* Whether a set has this directory, "4096". */
bool object_manifest_names(const struct life_manifest *manifest, const char *name);

/* The set and object of a key without the run's prefix ("4096/000017").  False: it belongs to none;
 * neither does a manifest. */
bool object_manifest_owns(const struct life_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object);

/* Classifies an object of such a set by its length.  A run puts each object in one go, so one of
 * another length is not its own, except: without uploads in parts, long objects and those of append
 * grow piece by piece; if objects are visible while they are being put (gradual), interrupted ones
 * are shorter; objects with values have no data.  CHANGED: it is shorter than its set says, and was
 * not interrupted during the run, so another program has changed it. */
enum object_standing { OBJECT_FOREIGN, OBJECT_CHANGED, OBJECT_OWN };
enum object_standing object_manifest_judge(const struct life_manifest *manifest, unsigned set,
                                           const struct object_service *service,
                                           uint64_t size_bytes);

/* From now on the manifest counts no object as complete. */
void object_manifest_unsettle(struct life_manifest *manifest);

#endif
