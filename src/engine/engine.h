/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine.h - THE interface between the cycle loop and a way to do I/O.
 *
 * An engine is one const table of functions at the end of one file. The loop owns clock, offsets,
 * counters and buffers; an engine only opens, positions, transfers and closes. Hot hooks return
 * bytes or -errno and may not allocate, lock, log or read a clock (what a library does inside its
 * calls is part of the measurement). Cold hooks fill in a struct error.
 *
 * A synchronous engine has the hooks open ... close: one operation at a time. An asynchronous one
 * has a struct engine_async instead: the loop takes each of `depth` slots through the steps of a
 * cycle; the engine only queues steps and reports their completion. An engine with both is
 * synchronous at depth 1 and asynchronous above.
 *
 * To add one: src/engine/NAME.c ending in `const struct engine engine_NAME`, its line in the table
 * of engine.c and in Makefile.am (for an optional library: one IOSWEEP_WITH line in configure.ac).
 * Help and the contract test then include it. null.c is the example. */
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

/* Limit on repeating a call interrupted by signals; then it has failed. */
#define ENGINE_AGAIN_MOST 1000u

/* The phases of a cycle that are timed separately. */
enum phase { PHASE_OPEN, PHASE_SEEK, PHASE_TRANSFER, PHASE_CLOSE, PHASE_COUNT };

/* An open object as seen by an engine. A value: opening allocates nothing. */
struct handle {
    int fd;
    void *ptr;
};

/* What one cell of the sweep requires of an engine; const while operations run. */
struct workload {
    const struct target *target;
    enum io_test test;
    enum cache_mode cache;
    enum sync_mode sync;
    enum access_mode access;
    enum readahead_mode readahead; /* reads of files through the page cache */
    bool keep_open;                /* open once before the slice, transfer many times */
    uint64_t size_bytes;           /* requested and counted */
    uint64_t io_bytes;   /* moved by one transfer: size rounded up to the alignment of O_DIRECT */
    uint64_t call_bytes; /* --call-size: limit of one call; 0: io_bytes */
    uint64_t fragment_bytes; /* test append: bytes per write; 0: random lengths */
    /* --mix, asynchronous engines with ENGINE_MIXES: in the slices of a write test, async->read is
     * also called, for reads of the same objects and size */
    bool reads_too;
    bool rmw;              /* a write of less than io_bytes: read, modify, write */
    uint32_t object_first; /* the objects of this workload start at this number ... */
    uint32_t object_count; /* ... and are this many: longest first, all long enough */
    bool verified;         /* data read are checked, so they must be in the buffer */
    uint32_t depth;        /* operations in flight per thread; 1: wait for each */
    uint64_t slot_bytes;   /* distance of the buffers of the operations in flight */
    const void *options;   /* the engine's block (see `options`), or NULL */
};

/* One transfer; owned and reused by the loop. */
struct io {
    struct handle *file;
    void *buffer;  /* read: io_bytes to fill; write: io_bytes of data, read-only */
    void *scratch; /* io_bytes for read-modify-write */
    uint64_t offset_bytes;
    size_t bytes; /* to move: io_bytes, or those of a piece */
    bool more;    /* another piece of the same I/O follows */
};

/* What a thread provides to the engine whose slice it runs. */
struct engine_thread {
    char *memory; /* holds the buffers of all transfers of the slice (some engines register it) */
    size_t memory_bytes;
    uint32_t sharers;    /* threads that share the limits of the process in this run */
    uint32_t depth_most; /* over all slices that this thread will run */
    uint32_t index;      /* 0: the caller's */
    uint32_t threads;    /* that run this slice: numbers below this */
    /* monotonic: the end of --max-time; requests not answered soon after may fail with -ETIMEDOUT;
     * 0: no limit */
    uint64_t give_up_ns;
    uint64_t cycles; /* upper limit of the next slice, over all threads */
    /* the engine's state on this thread: NULL at first, kept between slices, see retire */
    void **home;
};

/* Requests to a server, counted since the engine's state on this thread was created. Times are sums
 * over the `complete` ones. */
struct engine_requests {
    uint64_t count, complete;
    uint64_t connections;                   /* opened */
    uint64_t lookup_ns, connect_ns, tls_ns; /* time of each step of connecting */
    /* from sending to the first byte of the answer: for uploads includes the body */
    uint64_t first_byte_ns;
    uint64_t body_ns; /* from the first to the last byte */
    /* operations opened by a separate request, and the time it took */
    uint64_t opened, open_ns;
    uint64_t retries;
    /* Failures by class; a request that succeeded on a retry counts in retries and here. */
    uint64_t slow_downs; /* the server asked for fewer requests */
    uint64_t client_errors, server_errors, network_errors, protocol_errors;
    uint64_t sent_bytes, received_bytes; /* bodies */
};

/* What complete operations found, counted since the engine's state on this thread was created, or
 * since setup. */
struct engine_found {
    uint64_t hits, misses;    /* stat: names that existed, and that did not */
    uint64_t listings, names; /* list: listings, and names in all of them */
};

/* What an engine reports about a slice before and after it. */
struct engine_report {
    struct engine_found found;
    bool helpers_asked; /* ENGINE_HELPERS was the user's wish (polling), not the kernel's */
    /* buffers should have been registered, but the limit of locked memory is too low */
    bool plain_buffers;
    bool has_requests;
    struct engine_requests requests;
    struct engine_requests read_requests;        /* with workload.reads_too: of reads only */
    const char *protocol, *connection, *payload; /* constant strings, for columns; or NULL */
    /* description of this slice's first failure; NULL: none, or errno is enough */
    const char *first_failure;
};

/* --- asynchronous engines --- */

enum async_step { ASYNC_OPEN, ASYNC_READ, ASYNC_WRITE, ASYNC_SYNC, ASYNC_CLOSE };

struct async_op {  /* one slot; owned by the loop, valid until the step has completed */
    uint32_t slot; /* < work->depth */
    uint32_t object;
    void *buffer; /* io_bytes; read-only for writes */
    uint64_t offset_bytes;
};

struct async_event { /* a completed step */
    uint32_t slot;
    enum async_step step;
    int64_t result; /* read, write: bytes; others: 0 (or more); -errno */
};

#define ASYNC_PENDING INT64_MIN /* queued: an event will follow */

/* Steps are queued one at a time per slot (by chain: a whole cycle). A hook returns ASYNC_PENDING
 * or, if it completed the step at once by a system call, its result; then no event follows. Files
 * kept open (work->keep_open) are opened in setup and closed in teardown, and open and close are
 * not called. */
struct engine_async {
    uint32_t depth_max;
    /* MUST. Hot. work->test determines what read and write do; write is called where test_writes.
     * Once the run is ending, or the target accepts no more requests (see target_exhausted, which
     * ends the run), -ECANCELED is not a failure: the operation was abandoned. */
    int64_t (*read)(void *ctx, const struct async_op *op);
    int64_t (*write)(void *ctx, const struct async_op *op);
    /* MAY. Hot. Called before each write; returns the object to write instead of the drawn one:
     * where writing creates objects, the first pass creates all of them in order. */
    uint32_t (*choose)(void *ctx, uint32_t object);
    /* MUST with PHASE_OPEN, none of them without.  Hot. */
    int64_t (*open)(void *ctx, const struct async_op *op);
    int64_t (*sync)(void *ctx, const struct async_op *op); /* fsync of the slot's file */
    int64_t (*close)(void *ctx, const struct async_op *op);
    /* MAY. Hot. Queues open, read or write, and close at once; each of the three completes with an
     * event. Returns false, with nothing queued, if this slice must not be chained. */
    bool (*chain)(void *ctx, const struct async_op *op);
    /* MAY. Hot. Submits what is queued to the kernel; the loop times it (tally.submit_ns). Without
     * it, reap submits. */
    void (*submit)(void *ctx);
    /* MUST. Hot. Waits until a step has completed, at most wait_ns (0: poll only; ASYNC_FOREVER),
     * and stores up to `max` events. Returns their number, 0 after a timeout or a signal, or -errno
     * if the engine cannot go on and no further event will come. */
    int (*reap)(void *ctx, uint64_t wait_ns, struct async_event *events, unsigned max);
};

#define ASYNC_FOREVER UINT64_MAX

enum engine_capability {
    ENGINE_WRITES = 1u << 0,     /* write tests */
    ENGINE_DIRECT = 1u << 1,     /* --cache direct */
    ENGINE_UNCACHED = 1u << 2,   /* --cache uncached */
    ENGINE_SYNC_OPEN = 1u << 3,  /* --sync data, full */
    ENGINE_KEEP_OPEN = 1u << 4,  /* --keep-open */
    ENGINE_VIRTUAL = 1u << 5,    /* moves no data: works on any target, shows iosweep's own cost */
    ENGINE_CLASSIC = 1u << 6,    /* the default of the classic format */
    ENGINE_MIXES = 1u << 8,      /* its asynchronous half supports workload.reads_too */
    ENGINE_DROPS_DATA = 1u << 7, /* discards data read unless verified: buffers may be small */
    /* a library's threads do part of the work: CPU time is that of the whole process */
    ENGINE_THREADS = 1u << 9,
    ENGINE_HELPERS = 1u << 10, /* kernel threads do part of the work (usage_read_helpers) */
};

struct engine {
    const char *name;       /* MUST: as in --engine and the CSV */
    const char *summary;    /* MUST: one line for help */
    const char *libc_words; /* MUST: the "Synch mode" line of the classic output */
    /* MAY. Cold: the optional library it uses with its version, "liburing 2.3", or only the name if
     * the version is unknown. A constant string; NULL: it is loaded on demand (`available`) and was
     * not yet. */
    const char *(*library)(void);
    unsigned capabilities; /* bits of enum engine_capability */
    /* bits 1 << PHASE_x: the phases it has; the others stay empty. Without PHASE_OPEN the engine
     * never opens and a cycle is one transfer. */
    unsigned phases;
    /* MAY. Whether operations of this workload also have PHASE_OPEN and PHASE_CLOSE. */
    bool (*opens)(const struct workload *work);
    const char *driver; /* MAY: name of the target driver whose objects it uses; NULL: files */
    unsigned tests;     /* MAY: bits 1 << TEST_x that it supports; 0: write and read */
    /* MAY. Its implementations of other tests: tables of the same name and options, each with its
     * own `tests` and hooks, ended by NULL. So no hook has to check which test it runs. */
    const struct engine *const *others;

    const struct option_row *options; /* MAY: rows named "NAME.option", ended by name NULL */
    size_t options_bytes;             /* size of the block those rows fill */

    /* MAY. Cold, before anything is touched: whether this machine supports the engine
     * (STATUS_TARGET, naming the cause), and whether options and workload are compatible
     * (STATUS_USAGE). Of the workload only cache, sync, keep_open and options are set; NULL: a
     * general check. Returns 0, or -1 with err filled. */
    int (*available)(const struct workload *wish, struct error *err);

    /* MUST. Cold, on the thread that will run the operations, before every slice; *ctx is passed to
     * the other hooks. Workload and thread outlive the context. Returns 0 or -1 with err filled. */
    int (*setup)(const struct workload *work, const struct engine_thread *thread, void **ctx,
                 struct error *err);
    /* MUST. Cold, on the same thread, after the slice. */
    void (*teardown)(void *ctx);
    /* MAY. Cold, on the same thread, immediately before and after a slice's operations. */
    void (*report)(void *ctx, struct engine_report *report);
    /* MUST if setup leaves something in *thread->home. Cold, on the same thread, when it ends. */
    void (*retire)(void *home);

    /* MUST for asynchronous engines, which have either none of the hooks below except forget, or
     * all hooks of a synchronous engine, for depth 1. */
    const struct engine_async *async;

    /* MUST for tests that move no data, unless asynchronous. Hot. Performs a whole operation on
     * object number `object` (or, where it uses objects up, on the next one made for it). Returns
     * work->io_bytes or -errno. */
    int64_t (*operate)(void *ctx, uint32_t object);

    /* MUST with PHASE_OPEN.  Hot.  Opens object number `object` (< work->object_count) into *file.
     * Returns 0 or -errno. */
    int (*open)(void *ctx, uint32_t object, struct handle *file);
    /* MAY (with PHASE_SEEK).  Hot.  Positions the file.  Returns 0 or -errno. */
    int (*seek)(void *ctx, struct handle *file, uint64_t offset_bytes);
    /* MUST. Hot. Moves io->bytes between io->buffer and the file at its offset. Returns the bytes
     * moved (fewer: a short transfer, counted as such) or -errno. Retries EINTR. For an I/O larger
     * than work->call_bytes they are called for each piece, in sequence, after one seek; what
     * --sync requires after each write follows the last one. write MUST exist with ENGINE_WRITES.
     * rmw MUST exist with ENGINE_WRITES and ENGINE_DIRECT: it reads io_bytes
     * into io->scratch, copies size_bytes of io->buffer over its start and writes it back. */
    int64_t (*read)(void *ctx, struct io *io);
    int64_t (*write)(void *ctx, struct io *io);
    int64_t (*rmw)(void *ctx, struct io *io);
    /* MAY, both or none. Hot. read and write that leave nothing in the page cache (RWF_DONTCACHE):
     * used for CACHE_UNCACHED where work->target->drops_behind; forget is then not called.
     * Asynchronous engines implement this themselves. */
    int64_t (*read_dropping)(void *ctx, struct io *io);
    int64_t (*write_dropping)(void *ctx, struct io *io);
    /* MUST with PHASE_OPEN. Hot. Closes, after the flush that --sync end requires. Also called
     * after a failed transfer. Returns 0 or -errno. */
    int (*close)(void *ctx, struct handle *file);
    /* MUST with ENGINE_UNCACHED. Called after each read, outside the timed window and only where
     * engine_forgets: drops the range from the page cache. */
    void (*forget)(const struct workload *work, uint32_t object, uint64_t offset_bytes);
    /* MUST where write, or read of test copy, makes a new object. Cold, after a complete operation,
     * outside the timed window: reads the object of the last operation of a slot (0 if there are no
     * slots). Returns bytes or -errno. */
    int64_t (*read_back)(void *ctx, uint32_t slot, uint64_t offset_bytes, uint64_t size_bytes,
                         void *buffer);
    /* MAY, with read_back. Cold, --verify: the number that seeds the content of what the last
     * operation of a slot made or, if `next`, of what the coming one will make (called once for
     * each): that of an object, or pattern_new_file. object: the drawn one, which is used without
     * this hook. */
    uint64_t (*new_content)(void *ctx, uint32_t slot, uint64_t object, bool next);
};

/* The phases of a row's operations. */
static inline unsigned engine_phases(const struct engine *engine, const struct workload *work)
{
    return engine->phases |
           (engine->opens && engine->opens(work) ? 1u << PHASE_OPEN | 1u << PHASE_CLOSE : 0);
}

/* Whether operations at a depth go through engine->async. */
static inline bool engine_in_flight(const struct engine *engine, uint32_t depth)
{
    return engine->async && (!engine->read || depth > 1);
}

/* Whether reads can be mixed into such writes (--mix): in flight, not if only the writes open. */
static inline bool engine_mixes(const struct engine *engine, const struct workload *writes)
{
    return !engine_in_flight(engine, writes->depth) ||
           (engine->capabilities & ENGINE_MIXES && !(engine->opens && engine->opens(writes)));
}

static inline bool engine_depth_fits(const struct engine *engine, uint64_t depth)
{
    return depth <= (engine->async ? engine->async->depth_max : 1);
}

/* The table that implements a test: its own or one of `others`; NULL: not supported. */
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

/* Whether both have the same name for users: an engine may have several tables. */
static inline bool engine_same(const struct engine *a, const struct engine *b)
{
    return a == b || strcmp(a->name, b->name) == 0;
}

/* The bytes that one call moves: an I/O, or its largest piece. */
static inline uint64_t workload_call_bytes(const struct workload *work)
{
    return work->call_bytes && work->call_bytes < work->io_bytes ? work->call_bytes
                                                                 : work->io_bytes;
}
static inline bool workload_in_pieces(const struct workload *work)
{
    return workload_call_bytes(work) < work->io_bytes;
}

/* Whether operations must leave nothing in the page cache and the kernel supports that. */
static inline bool workload_drops(const struct workload *work)
{
    return work->cache == CACHE_UNCACHED && work->target->drops_behind;
}
/* Whether the engine uses that; otherwise the loop calls forget after reads. */
static inline bool engine_drops(const struct engine *engine, const struct workload *work)
{
    return workload_drops(work) && (engine_in_flight(engine, work->depth) || engine->read_dropping);
}
static inline bool engine_forgets(const struct engine *engine, const struct workload *work)
{
    return work->cache == CACHE_UNCACHED && work->test == TEST_READ && !engine_drops(engine, work);
}

/* The hook that moves an I/O of a synchronous engine. */
static inline int64_t (*engine_transfer(const struct engine *engine,
                                        const struct workload *work))(void *, struct io *)
{
    const bool drops = engine_drops(engine, work);

    return !test_writes(work->test) ? drops ? engine->read_dropping : engine->read
           : work->rmw              ? engine->rmw
           : drops                  ? engine->write_dropping
                                    : engine->write;
}

/* All engines of this build, NULL-terminated, in a fixed order; the first is the default. */
extern const struct engine *const engine_table[];

/* By name; NULL: unknown. */
const struct engine *engine_find(const char *name);

/* Whether an engine can work on a driver's targets. */
bool engine_works_on(const struct engine *engine, const struct storage_driver *driver);

#endif
