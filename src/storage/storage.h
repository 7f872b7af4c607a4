/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* storage.h - the objects that operations go to.  A target driver turns one target of the command
 * line into a set of objects (files, a block device, keys of a store, nothing at all), makes and
 * removes what iosweep owns, and sets the cache state before a part of the sweep.  Engines only
 * open and transfer; they never create, fill or remove.  Everything here is cold. */
#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/option.h"
#include "os/counts.h"
#include "os/facts.h"
#include "os/traffic.h"
#include "storage/test.h"

/* What is wanted of a target; const while a target exists (strings must outlive it). */
struct target_request {
    const char *target;
    bool single_file; /* one file of our own instead of a tree */
    uint64_t levels, width;
    uint64_t file_bytes; /* length of each file of our own */
    uint64_t use_bytes;  /* of existing files only the first so many bytes; 0: all */
    bool existing;       /* use the files that are there; create nothing */
    bool overwrite;      /* an existing file may be written */
    bool destroy_data;   /* a block device may be written */
    bool verify;         /* read and written data will be checked */
    bool keep;           /* leave our files in place at the end */
    bool writes;         /* a write test is wanted */
    bool dry_run;        /* look, but create and change nothing */
    /* with dry_run: no run follows, what it would need besides may be missing */
    bool plan;
    uint64_t seed; /* of the data filled in */
    /* Filling is to take no longer: where it would, a driver makes fewer or smaller objects, and
     * says so (label, description, notes).  0: it takes what it takes. */
    uint64_t fill_ns;
    /* identifies what this run creates, or with `existing` and `named` reads */
    const char *run_name;
    bool named; /* run_name was given by the user, not made up */
    /* Of a team: what the user called the runs of all ranks, to each of which something was added.
     * NULL: this is run_name, or it was made up. */
    const char *team_name;
    /* What to do where a run that is to be read, or written over, is not there; NULL: as the driver
     * says it */
    const char *missing;
    /* The run of that name was kept: its objects are written over, none is made.  What is alive,
     * not ours or not there is refused (STATUS_TARGET). */
    bool reuse;
    /* Of a team of ranks (run/team.h), which use the run together.  It belongs to another rank,
     * which holds it: its objects are used, none is made or removed, and that it is alive is as it
     * should be.  With dry_run nothing is there yet: as if it were to be made. */
    bool joins;
    /* All of them write to its objects; else who joins only reads. */
    bool shared;
    /* Another rank on this host has the same objects: that one sets the state of the page cache,
     * and holds the block device against others. */
    bool follows;
    const char *label; /* what rows call the target; NULL: as it was typed */
    /* with dry_run: a run of that name is removed before this one is made, so it may be there */
    bool replaces;
    const void *options;        /* the driver's block (see `options`), or NULL */
    uint64_t align_bytes;       /* offsets that were asked for; 0: any */
    bool in_order;              /* some operations go to one place after the other */
    bool uneven;                /* ... begin, or their calls end, not at multiples of 512 */
    const uint64_t *size_bytes; /* the sizes of the sweep */
    size_t size_count;
    uint32_t threads;        /* that any row has at most */
    uint32_t in_flight;      /* operations of all of them at a time, at most */
    uint32_t ranks;          /* of a team, which share what the user allows in all; 0: alone */
    uint64_t fragment_bytes; /* test append: written at a time; 0: random lengths */
    /* bits 1 << TEST_x: what will be measured, but for steps that go over what test create makes */
    unsigned tests;
    unsigned created; /* those of such steps: what it makes stays until they or the end remove it */
    struct target_rows { /* the rows of a test with one size, one of each step, loop and repeat */
        uint64_t open;   /* those of as many operations as it takes */
        uint64_t operations; /* of the others */
    } rows[TEST_COUNT];
    const volatile int *stop; /* not 0: give up soon (signal); never NULL */
    /* MAY be NULL: called now and then while a long step runs, at most every 100 ms. */
    void (*progress)(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes);
    void *progress_arg;
};

/* The first place where a transfer does not hold what it must. */
#define TARGET_SHOWN_BYTES 8u
struct target_mismatch {
    uint64_t offset_bytes; /* in the object */
    /* pages that hold several generations and are right; this alone is set where nothing is wrong
     */
    uint32_t mixed;
    /* nothing came from there on: it is shorter than it was */
    bool ended;
    uint8_t shown;                        /* how many of the bytes below are meaningful; ended: 0 */
    uint8_t expected[TARGET_SHOWN_BYTES]; /* of the generation of the bytes before, or after */
    uint8_t found[TARGET_SHOWN_BYTES];
};

/* Objects with known content hold the pattern (pattern.h) of these generations: 0 is what they were
 * filled with.  Which of them a range may hold is said in bits 1 << generation, and whether they
 * may change anywhere in it, since it was read while it was written. */
#define TARGET_GENERATIONS    4u
#define TARGET_ANY_GENERATION ((1u << TARGET_GENERATIONS) - 1)
#define TARGET_CUT_ANYWHERE   (1u << TARGET_GENERATIONS)
#define TARGET_TEAR_BYTES     512u /* at multiples of it storage tears writes */

/* trace.c: which generations each page of a target's objects can hold, by what this run has filled
 * in and written, so that --verify finds older data that came back.  A write adds its generation to
 * a page when it begins; once it is over and was read back, a page that it covered holds that one
 * alone.  Of pages that a write failed in nothing is known any more: it may still be carried out.
 *
 * filled: all objects hold generation 0, else it is not known what they hold.  NULL, which the
 * functions below take for a trace that knows nothing: objects of more than 64 GiB in all, or no
 * memory. */
struct target;
struct target_trace *trace_new(const struct target *target, bool filled);
void trace_free(struct target_trace *trace);

/* Any thread.  What becomes of a write: it begins, is over and cannot be undone by another one, has
 * failed. */
enum trace_event { TRACE_BEGINS, TRACE_ENDS, TRACE_FAILS };
void trace_note(struct target_trace *trace, enum trace_event event, uint64_t object,
                uint64_t offset_bytes, uint64_t size_bytes, uint32_t generation);

/* Any thread.  The generations that the first page of a range can hold, and the pages after it as
 * far as it is the same: *size_bytes becomes shorter. */
unsigned trace_may(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                   uint64_t *size_bytes);

/* A generation of writes whose data differ from all that the pages of a range can hold: the given
 * one or one after it.  The given one where there is none, or where a page keeps some of what it
 * has. */
uint32_t trace_other(const struct target_trace *trace, uint64_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation);

/* Objects that operations remove, each once, in ranges: threads begin in different ones, so that
 * none waits for what another one has written, and help with the others when theirs is empty. */
#define TARGET_RETIRED_RANGES 64u
struct target_retired {
    struct target_retired_range {
        atomic_uint_fast64_t next; /* to be taken; `end` or more: none is left */
        uint64_t end;
        char apart[112]; /* from what another thread writes */
    } range[TARGET_RETIRED_RANGES];
};

static inline void target_retired_begin(struct target_retired *retired, uint64_t count)
{
    for (uint64_t i = 0; i < TARGET_RETIRED_RANGES; i++) {
        atomic_store(&retired->range[i].next, count * i / TARGET_RETIRED_RANGES);
        retired->range[i].end = count * (i + 1) / TARGET_RETIRED_RANGES;
    }
}

static inline uint64_t target_retired_left(struct target_retired *retired)
{
    uint64_t left = 0;

    for (unsigned i = 0; i < TARGET_RETIRED_RANGES; i++) {
        const uint64_t next = atomic_load(&retired->range[i].next);
        left += next < retired->range[i].end ? retired->range[i].end - next : 0;
    }
    return left;
}

struct target {
    const struct storage_driver *driver;
    const struct target_request *request;
    char *label;       /* what rows call it: as the user typed it, or as the request says */
    char *place;       /* where the objects are, for messages and headers */
    char *description; /* "64 files of 4 MiB in 20 directories" */
    uint32_t object_count;
    const uint64_t *length_bytes; /* of each object, longest first; operations stay inside */
    uint64_t total_bytes;
    char *name_root; /* MAY: stands before a name that is shown: scheme and container */
    /* of each object, relative to dir_fd; NULL where objects are no files */
    const char *const *name;
    int dir_fd;           /* -1: none; AT_FDCWD where names are absolute (devices) */
    const char *dir_path; /* absolute path of dir_fd, for engines that open by path; or NULL */
    /* How the names of objects may be followed: OS_STAY_ON_MOUNT and its like; 0: any way.  Heeded
     * where os_opens_beneath. */
    unsigned resolve;
    /* MAY, ended by NULL: how names in dir_fd begin that belong to the run and are no objects of
     * it; test list leaves them out */
    const char *const *aside;
    /* Of ours, for tests that make names: of each thread its directory (fresh.h); else NULL */
    struct target_fresh *fresh;
    uint32_t fresh_count;
    struct target_trace *trace;     /* --verify; or NULL */
    struct target_retired *retired; /* a kept run whose objects test delete removes; else NULL */
    uint32_t connections_each;      /* TARGET_REQUESTS: of an operation beside its one; or 0 */
    /* ... of a thread beside a connection to each server that it has asked something, of so many;
     * servers 0: not known, or each operation has a connection of its own */
    uint32_t descriptors_thread, servers;
    /* MAY.  A run of another rank, which tests that change nothing go to in the place of this
     * target; owned by who opened it (cli/ready.h). */
    struct target *reads_from;
    bool writable;  /* operations may write: ours, or the user said so */
    bool ours;      /* created by this run (or will be) */
    bool accounted; /* per-thread I/O accounting sees this target's traffic */
    bool noatime;   /* files of the user that may be opened with O_NOATIME: do so */
    /* files know reads that do not wait: O_NONBLOCK changes nothing in a ring */
    bool nowait;
    bool content_known;   /* what each byte must be is known: reads can be verified */
    bool in_memory;       /* the file system lives in memory: no cache to bypass */
    struct medium medium; /* what O_DIRECT leads to, where that is no device of this machine */
    bool close_flushes;   /* close(2) sends what was written to a server: part of a cycle */
    /* why reads may miss the page cache although all was read; known once prepared for
     * CACHE_CACHED */
    enum target_misses {
        TARGET_MISSES_UNKNOWN,
        TARGET_SHORT_OF_MEMORY, /* not all was read */
        TARGET_DROPS_AT_OPEN,   /* opening a file drops its pages */
        TARGET_KEEPS_NOTHING    /* reads leave no page behind */
    } misses;
    /* RWF_DONTCACHE works here; known once prepared for CACHE_UNCACHED */
    bool drops_behind;
    uint32_t direct_align_bytes; /* O_DIRECT: offsets and lengths; 0: not asked or refused */
    uint32_t memory_align_bytes; /* O_DIRECT: buffers */
    bool direct_assumed;         /* both are: the files are not there yet */
    char *network_options;       /* NFS: of the mount, what matters for speed; else NULL */
    /* of existing files, as found, or of a sample; files 0: not looked at */
    struct extents extents;
    struct {
        uint32_t looked, found;
    } zeros;          /* of what exists: places looked at, and those that hold zeros alone */
    atomic_bool lost; /* what the run made was removed by somebody else while it went on */
    /* `prepare` and `before_round` give up then (clock_monotonic), with ETIMEDOUT and
     * STATUS_PARTIAL; 0: they take what they take */
    uint64_t prepare_end_ns;
    char notes[256]; /* "unwritten" etc. that apply to all rows, separated by ';'; or "" */
};

/* What `iosweep clean` is asked to do with one target; const. */
struct clean_request {
    const char *target;   /* what holds runs, or one run itself */
    const char *run_name; /* only the run of this name; NULL: whatever is there */
    /* Where no run has that name, those of the ranks of a team that had it: NAME-rank0 ...,
     * NAME-shared */
    bool team;
    bool all;      /* several runs may go; without it they are listed and stay */
    bool force;    /* also runs that are alive */
    bool may_miss; /* that no run has that name is no error */
    bool dry_run;  /* look and list, remove nothing */
    bool check;    /* remove nothing; what is alive, unreadable or not ours is an error */
    FILE *list;    /* where runs are listed; NULL: messages */
    /* the driver's block, with its rows reach_options filled in; or NULL */
    const void *options;
    const volatile int *stop; /* not 0: give up soon (signal); never NULL */
};

/* What came of it; in a dry run what would. */
struct clean_outcome {
    unsigned runs;           /* removed */
    unsigned left;           /* runs, or what looks like one, that had to be left; each was named */
    unsigned alive;          /* of those left: because they are alive; in a dry run only */
    uint64_t objects, bytes; /* removed; manifests are not counted */
};

/* What the core may ask of all targets of a driver; what an engine can do there, its own
 * capabilities say. */
enum target_capability {
    TARGET_FILES = 1u << 0,  /* a target is a path; engines open its objects by name */
    TARGET_SHAPED = 1u << 1, /* test objects are as --file-size, --levels, --single-file say */
    /* the page cache of this machine may hold them: rows in each mode of --cache. Else they have
     * one, called asis */
    TARGET_CACHED = 1u << 2,
    TARGET_OPENED = 1u << 3,  /* objects are opened, flushed and closed: --keep-open, --sync */
    TARGET_VIRTUAL = 1u << 4, /* there are no data: for engines that move none */
    /* operations are requests over connections, one for each of them */
    TARGET_REQUESTS = 1u << 5,
    TARGET_LONG_SLICES = 1u << 6, /* latencies vary so much that slices are to be longer */
    /* servers get faster for a while when they are asked for the same again and again: compilers in
     * Java, sessions that begin with the first request to each of many */
    TARGET_WARMS_UP = 1u << 7,
    TARGET_CONNECTIONS = 1u << 8, /* kept or new, and with which certificates, options say */
    /* where its service is, and as whom it is asked, options say */
    TARGET_SERVICE = 1u << 9,
    TARGET_VALUES = 1u << 10, /* objects have values beside their data: --on */
};

/* What drivers of one kind share, which is how the same thing has the same name for all of them.
 * Their blocks of options begin alike: the rows fill that beginning in each of them whose
 * capabilities a row needs. */
struct target_family {
    const char *kind; /* "object store" */
    /* As in struct storage_driver. */
    const struct option_row *reach_options, *options;
    const char *options_key;
    const char *length_option;
};

/* Why a build cannot use the targets of a driver, for want of a library: they are claimed all the
 * same, so that the user is told what is missing and not that there is no such file. */
struct target_absent {
    const char *what, *advice; /* "this build has no FAR:", what to build it with */
};

#define TARGET_COUNTERS 64u

struct storage_driver {
    const char *name;    /* MUST: as engines give it in `driver` */
    const char *kind;    /* MUST: what its targets are, for messages: "object store" */
    const char *noun;    /* MUST with clean: what one object is called */
    const char *scheme;  /* what its targets begin with, "" where they are paths */
    const char *form;    /* MUST with scheme: how one is written: "null:" */
    const char *purpose; /* MUST with scheme: what happens there, for help: "no I/O" */
    const char *example; /* MAY: arguments that sweep one, and what that shows, for help */
    /* MAY.  How others write such targets, and how it is said here, where the
     * words HOST and BUCKET become those of the target; ended by said NULL. */
    const struct target_foreign {
        const char *said, *meant;
    } * foreign;
    /* MAY.  Options of others for the same thing, without their dashes, and what they are here. */
    const struct target_foreign *foreign_options;
    unsigned capabilities;                  /* bits of enum target_capability */
    const struct object_protocol *protocol; /* MUST of object stores, NULL of others */

    const struct target_absent *absent; /* MAY.  Then no hook is called, and none MUST be there */
    const struct target_family *family; /* MAY */
    /* MAY.  Rows of the command line, each table ended by name NULL: how a target is reached,
     * for all that works on one, and what a sweep does there.  The names of those that are not of
     * its family begin with its own: "far.option". */
    const struct option_row *reach_options, *options;
    size_t options_bytes;      /* MUST with options or family: size of the block that is filled */
    const char *options_key;   /* MUST with options, without a family: their group in JSON */
    const char *length_option; /* MAY: sets the length of objects, where --file-size does not */

    /* MAY.  Before anything is touched: do request and options go together (STATUS_USAGE)?  The
     * request is that of one of `count` targets of this driver, with what the command line says and
     * without sizes; alone: all targets of the run are of this driver or its family, so that an
     * option that means nothing here means nothing at all.  Returns 0 or -1. */
    int (*check)(const struct target_request *request, unsigned count, bool alone,
                 struct error *err);

    /* MUST where runs leave something behind.  Finds the runs of a target and lets clean_carry_out
     * (life/clean.h) decide about them.  Returns 0 or -1. */
    int (*clean)(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

    /* MAY.  True when this driver handles the target; NULL: what begins with its scheme.  Drivers
     * are asked in the order of the table. */
    bool (*claims)(const char *target);

    /* MUST.  Makes the target ready: checks it, creates and fills what is ours (not when dry_run:
     * then everything but name and dir_fd is filled in), or lists what exists.  On failure nothing
     * is left behind and *out is NULL.  Returns 0 or -1. */
    int (*open)(const struct target_request *request, struct target **out, struct error *err);

    /* MAY.  What test create has made of a size in the run so far, and is there yet, as a target of
     * its own that a test (TEST_READ, TEST_STAT or one that consumes) goes over; only where the
     * request has `created`.  operations: so many of it were counted, for a target that keeps no
     * account.  object_count MAY be 0.  Cold, between parts.  The hook `close` of what is opened
     * forgets it and removes nothing.  Returns 0 or -1. */
    int (*open_created)(struct target *target, uint64_t size_bytes, enum io_test test,
                        uint64_t operations, struct target **out, struct error *err);

    /* MAY.  Brings the cache into the state of `mode` before a part (all rounds of one test).
     * Interruptible through request->stop.  Returns 0 or -1. */
    int (*prepare)(struct target *target, enum cache_mode mode, enum io_test test,
                   struct error *err);

    /* MAY.  Which objects operations of a test and size go to, when not all of the target:
     * `count` of them from number `first` on, their lengths in target->length_bytes, longest
     * first; all are long enough.  Returns NULL, or why such a row cannot be measured
     * ("beyond_file"): a constant. */
    const char *(*objects)(const struct target *target, enum io_test test, uint64_t size_bytes,
                           uint32_t *first, uint32_t *count);

    /* MAY.  Why a test cannot be done on an open target ("no_directory"), a constant; NULL: it can,
     * as far as the target knows. */
    const char *(*lacks)(const struct target *target, enum io_test test);

    /* MAY.  How many operations of a test and size can still be begun, where they use up objects
     * that are there; UINT64_MAX: any number.  Cold: of the plan, and before each slice. */
    uint64_t (*left)(const struct target *target, enum io_test test, uint64_t size_bytes);

    /* MAY.  The sizes that a kept run, which the request names, was made for, ascending: for
     * reading it when no sizes are given.  *size_bytes is to be freed; *count 0: it does not tell.
     * Returns 0 or -1. */
    int (*kept_sizes)(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                      struct error *err);

    /* MAY.  Why a row of a test and size cannot be measured after all, as `prepare` has found, a
     * word for skipped:REASON; NULL: it can. */
    const char *(*refused)(const struct target *target, enum io_test test, uint64_t size_bytes);

    /* MAY.  A note for the rows of a test and size alone, beside target->notes; "" for none. */
    void (*note)(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room);

    /* MAY.  What is left to say when all is measured, before close: requests made. */
    void (*summarise)(const struct target *target);

    /* MAY.  The counters it tells of, so that the ranks of a team can add them up: their values
     * into `values`, which has room for TARGET_COUNTERS, or with `set` from there.  Returns how
     * many. */
    size_t (*counters)(const struct target *target, uint64_t *values, bool set);

    /* MAY.  True when a limit that the user has set is used up, or the target is lost, so that no
     * more may be asked of it; text says which: "all 60 requests that --max-requests allows are
     * made".  Any thread, cold. */
    bool (*exhausted)(const struct target *target, char *text, size_t room);

    /* MAY.  Before each round of a part. */
    int (*before_round)(struct target *target, enum cache_mode mode, struct error *err);

    /* MAY.  Finds the alignment O_DIRECT needs and sets direct_align_bytes, memory_align_bytes.
     * Refused O_DIRECT is an error (STATUS_TARGET) with advice.  In a dry run of files that do not
     * exist yet: asks the file system, or assumes the page size. */
    int (*probe_direct)(struct target *target, struct error *err);

    /* MAY.  Before and after slices: the names of the objects first ... first + count - 1 must
     * still stand for what they stood for when the target was opened.  Looks at a few hundred at
     * most, in turn.  Returns 0, or -1 (STATUS_TARGET): nothing may be measured there any more. */
    int (*guard)(struct target *target, uint32_t first, uint32_t count, struct error *err);

    /* MAY.  Share of the objects' bytes that is in the page cache now, 0..1; negative: unknown.
     * Called before and after slices: looks at a few objects, in turn. */
    double (*resident)(struct target *target);

    /* MAY.  What crossed the network for this target since it was mounted, by whomever.  Called
     * before and after each slice.  False (and nothing written) when it is not on a network file
     * system, or nobody counts. */
    bool (*traffic)(const struct target *target, struct target_traffic *traffic);

    /* MAY, all three or none: --verify.  Cold, on any thread, outside the timed window.
     * make_content puts what a write of that generation has to write into buffer; check_content
     * tells whether bytes read there are right (of the generations that they may be), and if not,
     * where first; object is that of a number, or what an operation makes (pattern_new_file).
     * read_back reads them anew, O_DIRECT if asked (then offset, size and buffer are aligned), and
     * returns the bytes read or -errno. */
    void (*make_content)(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer);
    bool (*check_content)(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch);
    int64_t (*read_back)(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer);

    /* MUST.  Removes what is ours unless kept, frees everything.  Says so when something could not
     * be removed (err), but frees all the same.  target may be NULL. */
    int (*close)(struct target *target, struct error *err);
};

/* [A-Za-z0-9._-], 1 to TARGET_RUN_NAME_MAX of them: for files and objects alike. */
#define TARGET_RUN_NAME_MAX 63u
static inline bool target_run_name_valid(const char *name)
{
    const size_t length = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789._-");

    return length > 0 && length <= TARGET_RUN_NAME_MAX && name[length] == '\0';
}

/* All tests wanted are such that need no test files made for all rows (test_makes_own). */
bool target_request_makes_own(const struct target_request *request);

/* For `open_created`: where the objects are, and what is known of that, as of the run; description
 * is copied. */
void target_lie_with(struct target *target, const struct target *run, const char *description);

/* The length of test files: where none is made for all rows, they may be of any size asked for. */
uint64_t target_request_length(const struct target_request *request);

/* All drivers, NULL-terminated, in the order in which they are asked; the last claims
 * everything. */
extern const struct storage_driver *const storage_driver_table[];

/* By name, NULL when there is none. */
const struct storage_driver *storage_driver_find(const char *name);

/* The option that sets the length of its objects, where --file-size does not; or NULL. */
static inline const char *target_length_option(const struct storage_driver *driver)
{
    return driver->length_option || !driver->family ? driver->length_option
                                                    : driver->family->length_option;
}

/* Whether what runs leave in its targets can be found again, also where this build cannot. */
static inline bool storage_keeps_runs(const struct storage_driver *driver)
{
    return driver->clean || driver->absent;
}

/* Whether a target can do what these bits say. */
static inline bool target_can(const struct target *target, unsigned capabilities)
{
    return (target->driver->capabilities & capabilities) == capabilities;
}

/* The hook `exhausted`; room may be 0. */
static inline bool target_exhausted(const struct target *target, char *text, size_t room)
{
    return target->driver->exhausted && target->driver->exhausted(target, text, room);
}

/* Driver for a target; never NULL (the file driver takes what no scheme claims). */
const struct storage_driver *storage_driver_for(const char *target);

/* The hook `open` of the driver for the target. */
int target_open(const struct target_request *request, struct target **out, struct error *err);

/* Removes what earlier runs left in a target, exactly what their manifests name.  *outcome is
 * filled in any case.  Returns 0 or -1. */
int target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

/* Emergency exit (out of memory): removes what this process created, without allocating. */
void target_abandon(void);

extern const struct storage_driver target_file, target_null;

#endif
