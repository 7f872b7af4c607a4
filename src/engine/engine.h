/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.h - THE interface between the cycle loop and a way to do I/O.
 *
 * An engine is one const table of functions at the bottom of one file.  The loop owns clock,
 * offsets, counting and buffers; an engine only opens, positions, transfers and closes.  Hot hooks
 * return bytes or -errno and may not allocate, lock, log or read a clock (what a library call does
 * inside is part of what is measured).  Cold hooks fill a struct error.
 *
 * To add one: src/engine/NAME.c ending in `const struct engine engine_NAME`, its line in the table
 * of engine.c and in Makefile.am (for an optional library: one IOSWEEP_ENGINE line in
 * configure.ac).  Help, --list-engines and the contract test pick it up.  null.c is the example. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "engine/store.h"

/* The parts of a cycle that are timed apart. */
enum phase { PHASE_OPEN, PHASE_SEEK, PHASE_TRANSFER, PHASE_CLOSE, PHASE_COUNT };

enum sync_mode {
    SYNC_NONE,
    SYNC_DATA, /* each write returns when its data are on the storage (O_DSYNC) */
    SYNC_FULL, /* ... and all metadata too (O_SYNC) */
    SYNC_END,  /* fsync before close; with kept-open files after each write */
    SYNC_COUNT
};

/* An open object, as an engine sees it.  A value: opening allocates nothing. */
struct handle {
    int fd;
    void *ptr;
};

/* What one cell of the sweep asks of an engine; const while operations run. */
struct workload {
    const struct store *store;
    enum io_test test;
    enum cache_mode cache;
    enum sync_mode sync;
    bool keep_open;      /* open once before the slice, transfer many times */
    uint64_t size_bytes; /* asked for, and counted */
    uint64_t io_bytes;   /* moved by one transfer: size rounded up to the alignment of O_DIRECT */
    bool rmw;            /* a write of less than io_bytes: read, modify, write */
    uint32_t object_count; /* only the first so many objects are long enough */
    const void *options; /* the engine's block (see `options`), or NULL */
};

/* One transfer; owned and reused by the loop. */
struct io {
    struct handle *file;
    void *buffer;          /* read: io_bytes to fill; write: io_bytes of data, not to be changed */
    void *scratch;         /* io_bytes for read-modify-write */
    uint64_t offset_bytes;
};

enum engine_capability {
    ENGINE_WRITES = 1u << 0,     /* write tests */
    ENGINE_DIRECT = 1u << 1,     /* --cache direct */
    ENGINE_UNCACHED = 1u << 2,   /* --cache uncached */
    ENGINE_SYNC_OPEN = 1u << 3,  /* --sync data, full */
    ENGINE_KEEP_OPEN = 1u << 4,  /* --keep-open */
    ENGINE_VIRTUAL = 1u << 5,    /* moves no data: works on any store, shows the cost of iosweep */
    ENGINE_CLASSIC = 1u << 6,    /* what the classic format takes unless told otherwise */
};

struct engine {
    const char *name;    /* MUST: as in --engine and the CSV */
    const char *summary; /* MUST: one line for --list-engines and help */
    const char *libc_words; /* MUST: the "Synch mode" line of the classic output */
    unsigned capabilities;  /* bits of enum engine_capability */
    unsigned phases;     /* bits 1 << PHASE_x: which phases are real; the others stay empty.  Without
                          * PHASE_OPEN the engine never opens and a cycle is one transfer. */

    const struct option_row *options; /* MAY: rows named "NAME.option", ended by long_name NULL */
    size_t options_bytes; /* size of the block those rows fill */
    void (*options_init)(void *block); /* MUST with options: puts the defaults in */

    /* MUST.  Cold, on the thread that will run the operations, before every slice; *ctx is passed
     * to the other hooks.  The workload outlives the context.  Returns 0 or -1 with err filled. */
    int (*setup)(const struct workload *work, void **ctx, struct error *err);
    /* MUST.  Cold, same thread, after the slice. */
    void (*teardown)(void *ctx);

    /* MUST with PHASE_OPEN.  Hot.  Opens object number `object` (< work->object_count) into *file.
     * Returns 0 or -errno. */
    int (*open)(void *ctx, uint32_t object, struct handle *file);
    /* MAY (with PHASE_SEEK).  Hot.  Positions the file.  Returns 0 or -errno. */
    int (*seek)(void *ctx, struct handle *file, uint64_t offset_bytes);
    /* MUST.  Hot.  Moves io_bytes between io->buffer and the file at its offset.  Returns the bytes
     * moved (fewer: a short transfer, counted as such) or -errno.  EINTR is retried inside.  write
     * MUST be there with ENGINE_WRITES.  rmw MUST be there with ENGINE_WRITES and ENGINE_DIRECT:
     * reads io_bytes to io->scratch, puts size_bytes of io->buffer over its start, writes it back. */
    int64_t (*read)(void *ctx, struct io *io);
    int64_t (*write)(void *ctx, struct io *io);
    int64_t (*rmw)(void *ctx, struct io *io);
    /* MUST with PHASE_OPEN.  Hot.  Closes, with what --sync end asks before.  Called after a failed
     * transfer too.  Returns 0 or -errno. */
    int (*close)(void *ctx, struct handle *file);
    /* MUST with ENGINE_UNCACHED.  After each read, outside the timed window and only for
     * CACHE_UNCACHED: drops the range from the page cache. */
    void (*forget)(void *ctx, uint32_t object, uint64_t offset_bytes);
};

/* All engines that are built, NULL-terminated, in a fixed order; the first is the default. */
extern const struct engine *const engine_table[];


/* By name, NULL when there is none. */
const struct engine *engine_find(const char *name);

/* Checks the MUSTs above for one engine; the first fault as text, or NULL. */
const char *engine_check(const struct engine *engine);

#endif
