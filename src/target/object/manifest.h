/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.h - the object that names what a run makes in a bucket, and the names it makes.
 *
 * The manifest decides what is removed, by the run itself and by `iosweep clean` after a crash, so
 * it is believed only when it is, byte by byte, what this program writes.  A key belongs to a run
 * when it is one that the run's manifest can have; all others are somebody else's.  Pure. */
#ifndef TARGET_OBJECT_MANIFEST_H
#define TARGET_OBJECT_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "target/object/dataset.h"
#include "target/target.h"

#define OBJECT_RUN_PREFIX        "iosweep-"
#define OBJECT_MANIFEST_NAME     "manifest"
#define OBJECT_RUN_NAME_MAX      TARGET_RUN_NAME_MAX
#define OBJECT_PROTOCOL_NAME     16u /* its name with the end */
#define OBJECT_MANIFEST_SETS_MAX 8192u
#define OBJECT_MANIFEST_TEXT_MAX ((size_t)512 << 10) /* of the longest that is written */
#define OBJECTS_MAX              1000000u            /* of all sets together, and of those found */
#define OBJECT_SET_DIRECTORY_MAX 40u                 /* "append-18446744073709551615/" */

#define OBJECT_RENEW_S_MAX     60u /* a run that is alive renews its manifest so often */
#define OBJECT_RENEWALS_MISSED 3u  /* after so many that did not come it is dead */

/* A manifest that is so old is not renewed any more. */
static inline uint32_t object_dead_s(uint32_t renew_s)
{
    return OBJECT_RENEWALS_MISSED * renew_s;
}

enum object_set_state {
    OBJECT_SET_PLANNED, /* perhaps not all there; what is there holds the pattern */
    OBJECT_SET_FILLED,  /* all there, with the pattern */
    OBJECT_SET_RANGES,  /* as planned, but with pieces of it that were written by themselves */
    OBJECT_SET_WRITTEN, /* the run wrote other data: without --verify */
    OBJECT_SET_STATE_COUNT
};

struct object_manifest_set {
    enum object_set_kind kind; /* not FOUND */
    uint64_t size_bytes;
    uint32_t count; /* RENAME, DELETE, CREATE, COPY: 0 */
    uint32_t made;  /* of them, or of CREATE and COPY, so many at least are there; FILLED: all */
    enum object_set_state state;
};

struct object_manifest {
    char protocol[OBJECT_PROTOCOL_NAME]; /* by which the store is reached */
    char run_name[OBJECT_RUN_NAME_MAX + 1];
    uint64_t owner;   /* drawn by the run: tells it from another one of that name */
    int64_t begun_s;  /* seconds since 1970, by the clock of the server */
    uint32_t renew_s; /* the run goes on, and renews the manifest so often; 0: it has ended */
    bool place_found; /* what the store keeps of the run's place was there before it, and stays */
    /* What is longer may be uploaded in parts of this size; 0:
     * only for test append and in filling. */
    uint64_t part_bytes;
    /* of the pattern; objects are numbered through all sets, in their order */
    uint64_t seed;
    char etag[OBJECT_ETAG_BYTES]; /* of what was got; not in the text */
    unsigned set_count;
    struct object_manifest_set *set; /* the longest objects first, then by kind; no two alike */
};

/* Somebody renews it, or the server does not tell when it was renewed (age_s -1). */
static inline bool object_manifest_alive(const struct object_manifest *manifest, int64_t age_s)
{
    return manifest->renew_s > 0 && age_s < (int64_t)object_dead_s(manifest->renew_s);
}

/* Whether the last part of a prefix ("a/iosweep-NAME/") can be that of a run;
 * NAME into run_name. */
bool object_run_of_prefix(const char *prefix, char run_name[OBJECT_RUN_NAME_MAX + 1]);

/* How many objects a set of that size gets: as asked for, or 64, but no more than 256 MiB together
 * and at least 1. */
uint32_t object_set_objects(uint64_t wanted, uint64_t size_bytes);

/* How many of the numbers of a target's objects a set takes: count, or 1 where objects have no
 * numbers of their own, so that operations have something to draw. */
static inline uint32_t object_set_numbers(uint32_t count)
{
    return count > 0 ? count : 1;
}

/* manifest->protocol is there.  The sets for tests (bits 1 << TEST_x) of sizes, those of `ranged`
 * in one set of objects of --object-size: manifest->set, which is the caller's to free.  Errors:
 * too many sets or objects (STATUS_USAGE).  Returns 0 or -1. */
int object_manifest_plan(struct object_manifest *manifest, unsigned tests,
                         const uint64_t *size_bytes, size_t size_count, uint64_t objects,
                         const struct object_options *options, unsigned ranged, struct error *err);

/* What takes the manifest's place where objects are seen while they are put: "manifest." and the
 * owner in 16 digits, and ".found" with place_found.  What is left of one is no longer than a
 * manifest. */
char *object_manifest_new_key(const char *run_prefix, const struct object_manifest *manifest);
bool object_manifest_is_new(const char *name, uint64_t size_bytes);
bool object_manifest_new_in_found(const char *key); /* of such a name: it is one with place_found */

/* Whether a text under such a name is what a run of this name has put there, or the beginning of
 * it: nothing is. */
bool object_manifest_begins(const char *text, size_t length, const char *protocol,
                            const char *run_name, const char *name);

/* The part of keys behind the run's prefix: "4096/", "object/", "rename-4096/".  Returns text. */
char *object_set_directory(const struct object_manifest_set *set,
                           char text[OBJECT_SET_DIRECTORY_MAX]);

/* Whether a set has this directory, "4096". */
bool object_manifest_names(const struct object_manifest *manifest, const char *name);

/* Text of a manifest, to be freed; and what it says.  Parsing refuses all that format would not
 * have written (STATUS_TARGET); manifest->set is the caller's to free, NULL on failure. */
char *object_manifest_format(const struct object_manifest *manifest);
int object_manifest_parse(const char *text, size_t length, struct object_manifest *manifest,
                          struct error *err);

/* Which set and object a key without the run's prefix ("4096/000017") is of.  False: none; the
 * manifest itself is none either. */
bool object_manifest_owns(const struct object_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object);

/* Whether an object of such a set can be the run's, which makes each of them in one go: one of
 * another length is somebody else's.  Without uploads in parts long ones grow piece by piece, and
 * so do those of append; where objects are seen while they are being put (gradual), those that were
 * cut off are shorter; where a value is, there are no data. */
bool object_manifest_fits(const struct object_manifest *manifest, unsigned set,
                          const struct object_service *service, uint64_t size_bytes);

/* Whether the object has fewer data than it had when the run ended, by its manifest: what was cut
 * off while the run went on is its own, this is somebody else's.  Empty ones are nobody's. */
bool object_manifest_changed(const struct object_manifest *manifest, unsigned set,
                             uint64_t size_bytes);

/* From now on it says of no object that it is there. */
void object_manifest_unsettle(struct object_manifest *manifest);

#endif
