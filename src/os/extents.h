/* SPDX-License-Identifier: GPL-2.0-or-later */
/* extents.h - how much of a file is really on the storage: data, holes, space that was allocated
 * but never written, and data that are shared, compressed, encrypted or kept with the metadata.
 * Reads of holes and unwritten space ask no storage, so that their figures are not the
 * storage's. */
#ifndef OS_EXTENTS_H
#define OS_EXTENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over the files looked at.  data + hole + unwritten is bytes, or less when `cut`; the other
 * shares are parts of data (or of unwritten) and may overlap.  All in bytes within the length that
 * was asked about, not in blocks. */
struct extents {
    uint64_t files;           /* looked at; 0: nothing is known */
    uint64_t bytes;           /* asked about */
    uint64_t data_bytes;      /* also what waits in the page cache to be written */
    uint64_t hole_bytes;      /* without space; and unwritten space where extents are not known */
    uint64_t unwritten_bytes; /* space without data, and none of it waits in the page cache */
    uint64_t shared_bytes;    /* in extents that other files or snapshots have too (reflinks) */
    uint64_t encoded_bytes;   /* compressed: storage holds fewer bytes */
    uint64_t encrypted_bytes; /* by the file system */
    uint64_t inline_bytes;    /* kept with the metadata */
    uint64_t extent_count;    /* of the storage, as far as looked at */
    bool known_holes;         /* the file systems of all files tell where data are */
    bool known_extents;       /* ... and how they are stored */
    bool cut;                 /* the limits ended a look: sums are the least there is */
};

/* What a look may cost. */
struct extents_limits {
    uint64_t count;           /* extents, and as many changes between data and hole, of one file */
    uint64_t until_ns;        /* of CLOCK_MONOTONIC; UINT64_MAX: no limit */
    const volatile int *stop; /* not 0: end soon; MAY be NULL */
};

/* An empty sum, to be added to. */
void extents_start(struct extents *sum);

/* Adds the first length_bytes of an open regular file: SEEK_DATA and SEEK_HOLE for what reads find,
 * FIEMAP for how it is stored.  Writes nothing, flushes nothing, changes no times; moves the file
 * position.  Other kinds of files are not added. */
void extents_add(struct extents *sum, int fd, uint64_t length_bytes,
                 const struct extents_limits *limits);

#endif
