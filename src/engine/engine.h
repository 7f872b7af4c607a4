/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine.h - THE interface between the cycle loop and a way to do I/O.
 *
 * An engine is one const table of functions at the bottom of one file.  The loop owns clock,
 * offsets, counting and buffers; an engine only opens, positions, transfers and closes.  Hot hooks
 * return bytes or -errno and may not allocate, lock, log or read a clock (what a library call does
 * inside is part of what is measured).  Cold hooks fill a struct error.
 *
 * A synchronous engine has the hooks open ... close: one operation at a time.  An asynchronous one
 * has a struct engine_async instead: the loop takes each of `depth` slots through the steps of a
 * cycle, the engine only queues steps and tells which have completed.  An engine with both waits
 * for each operation at depth 1 and is asynchronous above.
 *
 * To add one: src/engine/NAME.c ending in `const struct engine engine_NAME`, its line in the table
 * of engine.c and in Makefile.am (for an optional library: one IOSWEEP_WITH line in
 * configure.ac).  Help and the contract test pick it up.  null.c is the example. */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/option.h"
#include "os/counts.h"
#include "storage/storage.h"

/* A call interrupted by a signal is repeated this many times; after that it has failed. */
#define ENGINE_AGAIN_MOST 1000u

/* The parts of a cycle that are timed apart. */
enum phase { PHASE_OPEN, PHASE_SEEK, PHASE_TRANSFER, PHASE_CLOSE, PHASE_COUNT };

/* An open object, as an engine sees it.  A value: opening allocates nothing. */
struct handle {
    int fd;
    void *ptr;
};

/* What one cell of the sweep asks of an engine; const while operations run. */
struct workload {
    const struct target *target;
    enum io_test test;
    enum cache_mode cache;
    enum sync_mode sync;
    enum access_mode access;
    enum readahead_mode readahead; /* reads of files through the page cache */
    bool keep_open;                /* open once before the slice, transfer many times */
    uint64_t size_bytes;           /* asked for, and counted */
    uint64_t io_bytes;   /* moved by one transfer: size rounded up to the alignment of O_DIRECT */
    uint64_t call_bytes; /* --call-size: one call moves no more; 0: io_bytes */
    uint64_t fragment_bytes; /* test append: written at a time; 0: random lengths */
    /* --mix, asynchronous engines with ENGINE_MIXES: a write test, in the slices of which
     * async->read is called, too, for reads of the same objects and size */
    bool reads_too;
    bool rmw;              /* a write of less than io_bytes: read, modify, write */
    uint32_t object_first; /* the objects of this workload are those from this number on ... */
    uint32_t object_count; /* ... of this number: longest first, all of them long enough */
    bool verified;         /* data read are checked, so they must be in the buffer */
    uint32_t depth;        /* operations in flight per thread; 1: wait for each */
    uint64_t slot_bytes;   /* distance of the buffers of the operations in flight */
    const void *options;   /* the engine's block (see `options`), or NULL */
};

/* One transfer; owned and reused by the loop. */
struct io {
    struct handle *file;
    void *buffer;  /* read: io_bytes to fill; write: io_bytes of data, not to be changed */
    void *scratch; /* io_bytes for read-modify-write */
    uint64_t offset_bytes;
    size_t piece_bytes; /* for read_piece and write_piece */
    bool more;          /* another piece of the same I/O follows */
};

/* What a thread lends to the engine whose slice it runs. */
struct engine_thread {
    char *memory; /* holds the buffers of all transfers of the slice (some register it) */
    size_t memory_bytes;
    uint32_t sharers;    /* threads that share the limits of the process in this run */
    uint32_t depth_most; /* of all slices that this thread will run */
    uint32_t index;      /* 0: the caller's */
    uint32_t threads;    /* that run this slice: those of the first numbers */
    /* monotonic: the end of --max-time; a request not answered soon after may fail with -ETIMEDOUT;
     * 0: no limit */
    uint64_t give_up_ns;
    uint64_t cycles; /* at most that many in the slice to come, all threads together */
    /* the engine's own on this thread: NULL at first, survives slices, see retire */
    void **home;
};

/* Requests to a server, counted since the engine's home on this thread exists.  Times are summed
 * over the `complete` ones. */
struct engine_requests {
    uint64_t count, complete;
    uint64_t connections;                   /* that were opened */
    uint64_t lookup_ns, connect_ns, tls_ns; /* until the connection stood, each step by itself */
    /* from sending to the first byte of the answer: uploads with their body */
    uint64_t first_byte_ns;
    uint64_t body_ns; /* from then to the last byte */
    /* operations that were opened by a request of their own, and the time until then */
    uint64_t opened, open_ns;
    uint64_t retries;
    /* Failures by class; a request that went well after a retry counts in retries and here. */
    uint64_t slow_downs; /* the server asked for fewer requests */
    uint64_t client_errors, server_errors, network_errors, protocol_errors;
    uint64_t sent_bytes, received_bytes; /* bodies */
};

/* What complete operations found, counted since the engine's home on this thread exists, or since
 * setup. */
struct engine_found {
    uint64_t hits, misses;    /* stat: names that were there, and that were not */
    uint64_t listings, names; /* list: how many, and names in all of them together */
};

/* What an engine can tell about a slice that is over, or about to begin. */
struct engine_report {
    struct engine_found found;
    struct usage helpers; /* by kernel threads that work for this thread, since they exist */
    bool helpers_asked;   /* they are wanted (polling), not the kernel's way out */
    /* buffers were to be registered, but the limit of locked memory is too low */
    bool plain_buffers;
    bool has_requests;
    struct engine_requests requests;
    struct engine_requests read_requests; /* with workload.reads_too: of reads; in no other count */
    const char *protocol, *connection, *payload; /* constant strings, for columns; or NULL */
    /* of this slice, in the engine's words; NULL: none, or errno says it */
    const char *first_failure;
};

/* --- asynchronous engines --- */

enum async_step { ASYNC_OPEN, ASYNC_READ, ASYNC_WRITE, ASYNC_SYNC, ASYNC_CLOSE };

struct async_op {  /* one slot; owned by the loop, valid until the step has completed */
    uint32_t slot; /* < work->depth */
    uint32_t object;
    void *buffer; /* io_bytes; not to be changed by writes */
    uint64_t offset_bytes;
};

struct async_event { /* a completed step */
    uint32_t slot;
    enum async_step step;
    int64_t result; /* read, write: bytes; others: 0 (or more); -errno */
};

#define ASYNC_PENDING INT64_MIN /* queued: an event will follow */

/* Steps are queued one at a time per slot (in a chain: all of a cycle).  A hook returns
 * ASYNC_PENDING, or, when it did the step at once by a system call, its result; then no event
 * follows.  Files kept open (work->keep_open) are opened in setup and closed in teardown; then open
 * and close are not called. */
struct engine_async {
    uint32_t depth_max;
    /* MUST.  Hot.  work->test says what read and write do; write is called where test_writes.  Once
     * the run is to end, or no more may be asked of the target (see target_exhausted, which ends
     * the run), -ECANCELED is no failure: the operation was given up. */
    int64_t (*read)(void *ctx, const struct async_op *op);
    int64_t (*write)(void *ctx, const struct async_op *op);
    /* MAY.  Hot.  Before each write, which object it goes to in place of the one that was drawn:
     * where objects come into being by being written, the first pass makes them all, in their
     * order. */
    uint32_t (*choose)(void *ctx, uint32_t object);
    /* MUST with PHASE_OPEN, none of them without.  Hot. */
    int64_t (*open)(void *ctx, const struct async_op *op);
    int64_t (*sync)(void *ctx, const struct async_op *op); /* fsync of the slot's file */
    int64_t (*close)(void *ctx, const struct async_op *op);
    /* MAY.  Hot.  Queues open, read or write, and close at once; an event follows for each of the
     * three.  Returns false when this slice is not to be chained (then nothing was queued). */
    bool (*chain)(void *ctx, const struct async_op *op);
    /* MAY.  Hot.  Hands what is queued to the kernel; the loop times it (tally.submit_ns).  Without
     * it, reap does so. */
    void (*submit)(void *ctx);
    /* MUST.  Hot.  Waits until a step has completed, at most wait_ns (0: only looks;
     * ASYNC_FOREVER), and gives up to `max` events.  Returns their number, 0 after the time or a
     * signal, or -errno when the engine cannot go on: no event will come any more. */
    int (*reap)(void *ctx, uint64_t wait_ns, struct async_event *events, unsigned max);
};

#define ASYNC_FOREVER UINT64_MAX

enum engine_capability {
    ENGINE_WRITES = 1u << 0,     /* write tests */
    ENGINE_DIRECT = 1u << 1,     /* --cache direct */
    ENGINE_UNCACHED = 1u << 2,   /* --cache uncached */
    ENGINE_SYNC_OPEN = 1u << 3,  /* --sync data, full */
    ENGINE_KEEP_OPEN = 1u << 4,  /* --keep-open */
    ENGINE_VIRTUAL = 1u << 5,    /* moves no data: works on any target, shows the cost of iosweep */
    ENGINE_CLASSIC = 1u << 6,    /* the default of the classic format */
    ENGINE_MIXES = 1u << 8,      /* its asynchronous half can do workload.reads_too */
    ENGINE_DROPS_DATA = 1u << 7, /* data read are dropped unless verified: buffers may be small */
    /* threads of a library do a part of the work: processor time is that of the whole process */
    ENGINE_THREADS = 1u << 9,
};

struct engine {
    const char *name; /* MUST: as in --engine and the CSV */
    /* MAY: what other programs call it, for hints; ended by NULL */
    const char *const *called;
    const char *summary;    /* MUST: one line for help */
    const char *libc_words; /* MUST: the "Synch mode" line of the classic output */
    /* MAY.  Cold: the optional library behind it and its version: "liburing 2.3", or only its name
     * when it cannot tell.  A constant string; NULL: it is loaded when it is needed (`available`),
     * and was not. */
    const char *(*library)(void);
    unsigned capabilities; /* bits of enum engine_capability */
    /* bits 1 << PHASE_x: which phases are real; the others stay empty. Without PHASE_OPEN the
     * engine never opens and a cycle is one transfer. */
    unsigned phases;
    /* MAY.  Whether operations of such work have PHASE_OPEN and PHASE_CLOSE besides. */
    bool (*opens)(const struct workload *work);
    const char *driver; /* MAY: name of the target driver whose objects it works on; NULL: files */
    unsigned tests;     /* MAY: bits 1 << TEST_x that it can do; 0: write and read */
    /* MAY.  How it does other tests: tables of the same name and options, each with `tests` and
     * hooks of its own, ended by NULL.  So no hook asks which test it is. */
    const struct engine *const *others;

    const struct option_row *options; /* MAY: rows named "NAME.option", ended by long_name NULL */
    size_t options_bytes;             /* size of the block those rows fill */

    /* MAY.  Cold, before anything is touched: can this machine do it at all (STATUS_TARGET, naming
     * the cause), and do options and work go together (STATUS_USAGE)?  Of the workload only cache,
     * sync, keep_open and options are known; NULL: asked in general.  Returns 0, or -1 with err
     * filled. */
    int (*available)(const struct workload *wish, struct error *err);

    /* MUST.  Cold, on the thread that will run the operations, before every slice; *ctx is passed
     * to the other hooks.  Workload and thread outlive the context.  Returns 0 or -1 with err
     * filled. */
    int (*setup)(const struct workload *work, const struct engine_thread *thread, void **ctx,
                 struct error *err);
    /* MUST.  Cold, same thread, after the slice. */
    void (*teardown)(void *ctx);
    /* MAY.  Cold, same thread, right before the operations of a slice and right after. */
    void (*report)(void *ctx, struct engine_report *report);
    /* MUST when setup leaves something in *thread->home.  Cold, same thread, when the thread
     * ends. */
    void (*retire)(void *home);

    /* MUST for asynchronous engines, which have either none of the hooks below but forget, or all
     * that a synchronous one needs, for depth 1. */
    const struct engine_async *async;

    /* MUST for tests that move no data, unless asynchronous.  Hot.  All of an operation on object
     * number `object` (or, where it uses objects up, on the next one made for it).  Returns
     * work->io_bytes or -errno. */
    int64_t (*operate)(void *ctx, uint32_t object);

    /* MUST with PHASE_OPEN.  Hot.  Opens object number `object` (< work->object_count) into *file.
     * Returns 0 or -errno. */
    int (*open)(void *ctx, uint32_t object, struct handle *file);
    /* MAY (with PHASE_SEEK).  Hot.  Positions the file.  Returns 0 or -errno. */
    int (*seek)(void *ctx, struct handle *file, uint64_t offset_bytes);
    /* MUST.  Hot.  Moves io_bytes between io->buffer and the file at its offset.  Returns the bytes
     * moved (fewer: a short transfer, counted as such) or -errno.  EINTR is retried inside.  write
     * MUST be there with ENGINE_WRITES.  rmw MUST be there with ENGINE_WRITES and ENGINE_DIRECT:
     * reads io_bytes to io->scratch, puts size_bytes of io->buffer over its start, writes it
     * back. */
    int64_t (*read)(void *ctx, struct io *io);
    int64_t (*write)(void *ctx, struct io *io);
    int64_t (*rmw)(void *ctx, struct io *io);
    /* MAY, both or none.  Hot.  read and write that leave nothing in the page cache
     * (RWF_DONTCACHE): taken for CACHE_UNCACHED where work->target->drops_behind, and then forget
     * is not called. Asynchronous engines see to it themselves. */
    int64_t (*read_dropping)(void *ctx, struct io *io);
    int64_t (*write_dropping)(void *ctx, struct io *io);
    /* MAY, both or none where there is read.  Hot.  An I/O that moves in several calls, because it
     * is larger than work->call_bytes: each moves piece_bytes of it, from io->offset_bytes on,
     * one after the other; a seek came before the first.  With CACHE_UNCACHED as read_dropping and
     * write_dropping where these would be taken; what --sync asks after each write comes after the
     * last piece. */
    int64_t (*read_piece)(void *ctx, struct io *io);
    int64_t (*write_piece)(void *ctx, struct io *io);
    /* MUST with PHASE_OPEN.  Hot.  Closes, with what --sync end asks before.  Called after a failed
     * transfer too.  Returns 0 or -errno. */
    int (*close)(void *ctx, struct handle *file);
    /* MUST with ENGINE_UNCACHED.  After each read, outside the timed window and only where
     * engine_forgets: drops the range from the page cache. */
    void (*forget)(void *ctx, uint32_t object, uint64_t offset_bytes);
    /* MUST where write, or read of test copy, makes a new object.  Cold, after a complete
     * operation, outside the timed window: reads the object of the last operation of a slot (0
     * where there are none).  Returns bytes or -errno. */
    int64_t (*read_back)(void *ctx, uint32_t slot, uint64_t offset_bytes, uint64_t size_bytes,
                         void *buffer);
    /* MAY, with read_back.  Cold, --verify: by which number the content of what the last operation
     * of a slot made goes, or, `next`, of what the one to come will make (once for each): that of
     * an object, or pattern_new_file.  object: the one that was drawn, which it is without this. */
    uint64_t (*new_content)(void *ctx, uint32_t slot, uint64_t object, bool next);
};

/* The phases of the operations of a row. */
static inline unsigned engine_phases(const struct engine *engine, const struct workload *work)
{
    return engine->phases |
           (engine->opens && engine->opens(work) ? 1u << PHASE_OPEN | 1u << PHASE_CLOSE : 0);
}

/* Whether operations of a depth go through engine->async. */
static inline bool engine_in_flight(const struct engine *engine, uint32_t depth)
{
    return engine->async && (!engine->read || depth > 1);
}

/* Whether it can have reads among such writes (--mix):
 * in flight not where only these are opened. */
static inline bool engine_mixes(const struct engine *engine, const struct workload *writes)
{
    return !engine_in_flight(engine, writes->depth) ||
           (engine->capabilities & ENGINE_MIXES && !(engine->opens && engine->opens(writes)));
}

/* Whether the engine can have `depth` operations in flight. */
static inline bool engine_depth_fits(const struct engine *engine, uint64_t depth)
{
    return depth <= (engine->async ? engine->async->depth_max : 1);
}

/* The table by which it does a test: its own, or one of `others`; NULL when it cannot. */
static inline const struct engine *engine_for_test(const struct engine *engine, enum io_test test)
{
    const struct engine *const *other = engine->others;
    const unsigned can = engine->tests ? engine->tests : 1u << TEST_WRITE | 1u << TEST_READ;

    if (can & 1u << test)
        return engine;
    while (other && *other && !((*other)->tests & 1u << test))
        other++;
    return other ? *other : NULL;
}
/* Whether users know both by one name: an engine may have several tables. */
static inline bool engine_same(const struct engine *a, const struct engine *b)
{
    return a == b || strcmp(a->name, b->name) == 0;
}

/* Whether it can do a test at all. */
static inline bool engine_can_test(const struct engine *engine, enum io_test test)
{
    return engine_for_test(engine, test) != NULL;
}

/* What one call moves: an I/O, or the largest piece of it. */
static inline uint64_t workload_call_bytes(const struct workload *work)
{
    return work->call_bytes && work->call_bytes < work->io_bytes ? work->call_bytes
                                                                 : work->io_bytes;
}
static inline bool workload_in_pieces(const struct workload *work)
{
    return workload_call_bytes(work) < work->io_bytes;
}

/* Operations are to leave nothing behind in the page cache, and the kernel can see to it. */
static inline bool workload_drops(const struct workload *work)
{
    return work->cache == CACHE_UNCACHED && work->target->drops_behind;
}
/* The engine lets the kernel see to it; else, after reads, the loop calls forget. */
static inline bool engine_drops(const struct engine *engine, const struct workload *work)
{
    return workload_drops(work) && (engine_in_flight(engine, work->depth) || engine->read_dropping);
}
static inline bool engine_forgets(const struct engine *engine, const struct workload *work)
{
    return work->cache == CACHE_UNCACHED && work->test == TEST_READ && !engine_drops(engine, work);
}

/* The hook that moves an I/O, for engines that wait for each operation. */
static inline int64_t (*engine_transfer(const struct engine *engine,
                                        const struct workload *work))(void *, struct io *)
{
    const bool drops = engine_drops(engine, work);

    return !test_writes(work->test) ? drops ? engine->read_dropping : engine->read
           : work->rmw              ? engine->rmw
           : drops                  ? engine->write_dropping
                                    : engine->write;
}

/* All engines that are built, NULL-terminated, in a fixed order; the first is the default. */
extern const struct engine *const engine_table[];

/* By name, NULL when there is none. */
const struct engine *engine_find(const char *name);

/* Whether it can work on targets of a driver. */
bool engine_works_on(const struct engine *engine, const struct storage_driver *driver);

#endif
