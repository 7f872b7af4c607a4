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
#include "storage/pattern.h"
#include "storage/test.h"

/* What the caller requires of a target; const while the target exists (strings must outlive it). */
struct target_request {
    const char *target;
    bool single_file; /* one file of our own instead of a tree */
    uint64_t levels, width;
    uint64_t file_bytes; /* length of each file of our own */
    uint64_t use_bytes;  /* use only this many bytes of existing files; 0: all */
    bool existing;       /* use the files that are there; create nothing */
    bool overwrite;      /* an existing file may be written */
    bool destroy_data;   /* a block device may be written */
    bool verify;         /* read and written data will be checked */
    bool keep;           /* leave our files in place at the end */
    bool writes;         /* a write test is wanted */
    bool dry_run;        /* look, but create and change nothing */
    /* with dry_run: no run follows, so what only a run needs may be missing */
    bool plan;
    uint64_t seed; /* of the data filled in */
    /* Limit of filling: to keep it, a driver makes fewer or smaller objects, and reports that
     * (label, description, notes).  0: no limit. */
    uint64_t fill_ns;
    /* identifies what this run creates, or with `existing` and `named` reads */
    const char *run_name;
    bool named; /* run_name was given by the user, not made up */
    /* Of a team: the name given by the user, from which the run names of all ranks derive.  NULL:
     * it is run_name itself, or was made up. */
    const char *team_name;
    /* Advice if the run to be read or overwritten does not exist; NULL: the driver's own */
    const char *missing;
    /* Overwrite the objects of the kept run of that name, and create none.  Refused if the run is
     * alive, not ours or missing (STATUS_TARGET). */
    bool reuse;
    /* Of a team of ranks (run/team.h) that share a run: another rank owns and holds it.  Its
     * objects are used, none is created or removed, and it is expected to be alive.  With dry_run
     * it does not exist yet, and is treated as one to be created. */
    bool joins;
    /* All ranks write to its objects; else ranks that join only read. */
    bool shared;
    /* Another rank on this host has the same objects, sets the state of the page cache, and holds
     * the block device exclusively. */
    bool follows;
    const char *label; /* name of the target in rows; NULL: as typed */
    /* with dry_run: an existing run of that name will be removed first, so it may exist */
    bool replaces;
    const void *options;        /* the driver's block (see `options`), or NULL */
    uint64_t align_bytes;       /* requested for offsets; 0: any */
    bool in_order;              /* some operations visit places in order */
    bool uneven;                /* some begin, or their calls end, off multiples of 512 */
    const uint64_t *size_bytes; /* the sizes of the sweep */
    size_t size_count;
    uint32_t threads;        /* maximum over all rows */
    uint32_t in_flight;      /* operations of all threads: maximum over all rows */
    uint32_t ranks;          /* of a team, which share the user's limits; 0: alone */
    uint64_t fragment_bytes; /* test append: written at a time; 0: random lengths */
    bool fragment_given;     /* by the user */
    /* bits 1 << TEST_x: the tests to be measured, except steps that use what test create made */
    unsigned tests;
    unsigned created; /* tests of those steps; they or the end of the run remove what create made */
    struct target_rows {     /* the rows of a test and size: one per step, loop and repeat */
        uint64_t open;       /* rows without a fixed number of operations */
        uint64_t operations; /* sum over the others */
    } rows[TEST_COUNT];
    const volatile int *stop; /* not 0: give up soon (signal); never NULL */
    /* MAY be NULL: called during long steps, at most every 100 ms. */
    void (*progress)(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes);
    void *progress_arg;
};

struct target {
    const struct storage_driver *driver;
    const struct target_request *request;
    char *label;       /* its name in rows: the request's label, or as typed */
    char *place;       /* where the objects are, for messages and headers */
    char *description; /* "64 files of 4 MiB in 20 directories" */
    uint32_t object_count;
    const uint64_t *length_bytes; /* of each object, longest first; operations stay inside */
    uint64_t total_bytes;
    char *name_root; /* MAY: prefix of names in messages: scheme and container */
    /* of each object, relative to dir_fd; NULL where objects are no files */
    const char *const *name;
    int dir_fd;           /* -1: none; AT_FDCWD where names are absolute (devices) */
    const char *dir_path; /* absolute path of dir_fd, for engines that open by path; or NULL */
    /* Limits on resolving names of objects (if os_opens_beneath): OS_STAY_ON_MOUNT ...; 0: none */
    unsigned resolve;
    /* MAY, ended by NULL: prefixes of names in dir_fd that belong to the run but are not its
     * objects; test list leaves them out */
    const char *const *aside;
    /* Ours, for tests that create names: the directory of each thread (fresh.h); else NULL */
    struct target_fresh *fresh;
    uint32_t fresh_count;
    struct target_trace *trace;     /* --verify; or NULL */
    struct target_retired *retired; /* a kept run whose objects test delete removes; else NULL */
    uint32_t connections_each;      /* TARGET_REQUESTS: further ones of an operation; or 0 */
    /* descriptors of a thread besides one connection to each of `servers`; servers 0: unknown, or
     * each operation has its own connection */
    uint32_t descriptors_thread, servers;
    /* MAY.  Run of another rank, used by tests that change nothing; owned by cli/ready.h */
    struct target *reads_from;
    bool writable; /* operations may write: ours, or the user allowed it */
    bool ours;     /* created by this run (or will be) */
    bool created;  /* see open_created: the objects are another target's, and stay when it closes */
    bool accounted; /* per-thread I/O accounting sees this target's traffic */
    bool noatime;   /* files of the user that may be opened with O_NOATIME: do so */
    /* files support reads that do not wait: O_NONBLOCK has no effect in a ring */
    bool nowait;
    bool content_known;   /* the expected value of each byte: reads can be verified */
    bool in_memory;       /* the file system lives in memory: no cache to bypass */
    struct medium medium; /* below O_DIRECT, if it is not a device of this machine */
    bool close_flushes;   /* close(2) sends written data to a server: part of a cycle */
    /* why reads may miss the page cache although all data were read before; known once prepared
     * for CACHE_CACHED */
    enum target_misses {
        TARGET_MISSES_UNKNOWN,
        TARGET_SHORT_OF_MEMORY, /* only a part was read */
        TARGET_DROPS_AT_OPEN,   /* opening a file drops its pages */
        TARGET_KEEPS_NOTHING    /* reads leave no page behind */
    } misses;
    /* RWF_DONTCACHE works here; known once prepared for CACHE_UNCACHED */
    bool drops_behind;
    uint32_t direct_align_bytes; /* O_DIRECT: offsets and lengths; 0: unknown or refused */
    uint32_t memory_align_bytes; /* O_DIRECT: buffers */
    bool direct_assumed;         /* both are assumed: the files do not exist yet */
    /* of existing files, or of a sample of them; files 0: not examined */
    struct extents extents;
    struct {
        uint32_t looked, found;
    } zeros;          /* of existing data: places examined, and those that hold only zeros */
    atomic_bool lost; /* another process removed the run's objects while it was running */
    /* `prepare` and `before_round` give up then (clock_monotonic), with ETIMEDOUT and
     * STATUS_PARTIAL; 0: no limit */
    uint64_t prepare_end_ns;
    char notes[256]; /* that apply to all rows ("unwritten"), separated by ';'; or "" */
};

/* What `iosweep clean` is asked to do with one target; const. */
struct clean_request {
    const char *target;   /* a place that holds runs, or a run itself */
    const char *run_name; /* only the run of this name; NULL: all runs */
    /* If no run has that name: those of the ranks of a team that had it: NAME-rank0 ...,
     * NAME-shared */
    bool team;
    bool all;      /* several runs may be removed; else they are only listed */
    bool force;    /* also runs that are alive */
    bool may_miss; /* a missing run is not an error */
    bool dry_run;  /* list, remove nothing */
    bool check;    /* remove nothing; a run that is alive, unreadable or not ours is an error */
    FILE *list;    /* where runs are listed; NULL: messages */
    /* the driver's block, with its rows reach_options filled in; or NULL */
    const void *options;
    const volatile int *stop; /* not 0: give up soon (signal); never NULL */
};

/* Its outcome; in a dry run the expected one. */
struct clean_outcome {
    unsigned runs;           /* removed */
    unsigned left;           /* runs, or similar places, that were left; each was reported */
    unsigned alive;          /* of those left: the ones alive; in a dry run only */
    uint64_t objects, bytes; /* removed; manifests are not counted */
};

/* Properties of all targets of a driver; enum engine_capability has those of engines. */
enum target_capability {
    TARGET_FILES = 1u << 0,  /* a target is a path; engines open its objects by name */
    TARGET_SHAPED = 1u << 1, /* --file-size, --levels and --single-file apply to test objects */
    /* this machine's page cache may hold them: rows in all modes of --cache, else only asis */
    TARGET_CACHED = 1u << 2,
    TARGET_OPENED = 1u << 3,  /* objects are opened, flushed and closed: --keep-open, --sync */
    TARGET_VIRTUAL = 1u << 4, /* there are no data: for engines that move none */
    /* operations are requests over connections, each over its own */
    TARGET_REQUESTS = 1u << 5,
    TARGET_LONG_SLICES = 1u << 6, /* latencies vary enough to need longer slices */
    /* servers get faster while the same requests are repeated: just-in-time compilers, sessions set
     * up by the first request to each of many servers */
    TARGET_WARMS_UP = 1u << 7,
    TARGET_CONNECTIONS = 1u << 8, /* has options for connections and certificates */
    /* has options for the location of its service and the identity of the user */
    TARGET_SERVICE = 1u << 9,
    TARGET_VALUES = 1u << 10, /* objects have values besides their data: --on */
};

/* What drivers of one kind share, so that the same option has the same name in all of them.  Their
 * blocks of options begin with the same fields, which the rows fill in for each driver that has the
 * capabilities a row needs. */
struct target_family {
    const char *kind; /* "object store" */
    /* As in struct storage_driver. */
    const struct option_row *reach_options, *options;
    const char *options_key; /* the group in JSON of these, and of those of its drivers */
    const char *length_option;
};

/* Why a build cannot use the targets of a driver: it lacks a library.  The driver still claims
 * them, so that the error names what is missing instead of a missing file. */
struct target_absent {
    const char *what, *advice; /* "this build has no FAR:", how to build with it */
};

#define TARGET_COUNTERS 64u

struct storage_driver {
    const char *name;      /* MUST: as in `driver` of engines */
    const char *kind;      /* MUST: of its targets, for messages: "object store" */
    const char *noun;      /* MUST with clean: word for one object */
    const char *scheme;    /* prefix of its targets, "" if they are paths */
    const char *form;      /* MUST with scheme: syntax of a target: "null:" */
    const char *purpose;   /* MUST with scheme: for help: "no I/O" */
    const char *example;   /* MAY: arguments that sweep one, and what that shows, for help */
    unsigned capabilities; /* bits of enum target_capability */
    const struct object_protocol *protocol; /* MUST of object stores, NULL of others */

    const struct target_absent *absent; /* MAY.  Then no hook is called or required */
    const struct target_family *family; /* MAY */
    /* MAY.  Rows of the command line, each table ended by name NULL: how a target is reached, for
     * all commands, and what a sweep does there.  Names begin with the driver's ("far.option"),
     * except in rows of its family. */
    const struct option_row *reach_options, *options;
    size_t options_bytes;      /* MUST with options or family: size of the block */
    const char *length_option; /* MAY: sets the length of objects instead of --file-size */

    /* MAY.  Before anything is touched: whether request and options are compatible (STATUS_USAGE).
     * The request is that of one of `count` targets of this driver, as on the command line, without
     * sizes; alone: all targets of the run are of this driver or its family, so that an option
     * without effect here has no effect at all.  Returns 0 or -1. */
    int (*check)(const struct target_request *request, unsigned count, bool alone,
                 struct error *err);

    /* MUST if runs can leave objects behind.  Finds the runs of a target and passes them to
     * clean_carry_out (life/clean.h).  Returns 0 or -1. */
    int (*clean)(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

    /* MAY.  Whether this driver handles the target; NULL: those that begin with its scheme.
     * Drivers are asked in the order of the table. */
    bool (*claims)(const char *target);

    /* MUST.  Prepares the target: checks it, creates and fills our objects (in a dry run only sets
     * all fields but name and dir_fd), or lists existing ones.  On failure leaves nothing behind
     * and sets *out to NULL.  Returns 0 or -1. */
    int (*open)(const struct target_request *request, struct target **out, struct error *err);

    /* MAY.  Opens the objects of a size that test create made in this run and that still exist as a
     * separate target, for a test that uses them (TEST_READ, TEST_STAT or one that consumes); only
     * if the request has `created`.  object_count MAY be 0.  Cold, between parts.  Closing removes
     * nothing.  Returns 0 or -1. */
    int (*open_created)(struct target *target, uint64_t size_bytes, enum io_test test,
                        struct target **out, struct error *err);

    /* MAY.  Brings the cache into the state of `mode` before a part (all rounds of one test).
     * Interruptible through request->stop.  Returns 0 or -1. */
    int (*prepare)(struct target *target, enum cache_mode mode, enum io_test test,
                   struct error *err);

    /* MAY.  The objects that operations of a test and size use, if not all of the target: `count`
     * from number `first` on, with lengths in target->length_bytes, longest first; all are long
     * enough.  Returns NULL, or why the row cannot be measured ("beyond_file"): a constant. */
    const char *(*objects)(const struct target *target, enum io_test test, uint64_t size_bytes,
                           uint32_t *first, uint32_t *count);

    /* MAY.  Why an open target cannot do a test ("no_directory"), a constant; NULL: it may. */
    const char *(*lacks)(const struct target *target, enum io_test test);

    /* MAY.  How many more operations of a test and size can begin, if they use up existing objects;
     * UINT64_MAX: any number.  Cold: when planning, and before each slice. */
    uint64_t (*left)(const struct target *target, enum io_test test, uint64_t size_bytes);

    /* MAY.  The sizes that the kept run named by the request was made for, ascending: the default
     * when reading it.  The caller frees *size_bytes; *count 0: unknown.  Returns 0 or -1. */
    int (*kept_sizes)(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                      struct error *err);

    /* MAY.  Why `prepare` found that a row of a test and size cannot be measured, a word for
     * skipped:REASON; NULL: it can. */
    const char *(*refused)(const struct target *target, enum io_test test, uint64_t size_bytes);

    /* MAY.  A note for the rows of a test and size, added to target->notes; "" for none. */
    void (*note)(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                 size_t room);

    /* MAY.  Reports totals, such as requests, after measuring and before close. */
    void (*summarise)(const struct target *target);

    /* MAY.  Stores the counters it reports in `values`, which has room for TARGET_COUNTERS, or with
     * `set` loads them from there, so that a team can add up those of its ranks.  Returns their
     * number. */
    size_t (*counters)(const struct target *target, uint64_t *values, bool set);

    /* MAY.  Whether a limit of the user is used up, so that no more requests may be sent; text gets
     * the reason: "all 60 requests that --max-requests allows are used up".  Any thread, cold. */
    bool (*exhausted)(const struct target *target, char *text, size_t room);

    /* MAY.  Before each round of a part. */
    int (*before_round)(struct target *target, enum cache_mode mode, struct error *err);

    /* MAY.  Finds the alignment O_DIRECT needs and sets direct_align_bytes, memory_align_bytes.
     * Refused O_DIRECT is an error (STATUS_TARGET) with advice.  In a dry run of files that do not
     * exist yet: asks the file system, or assumes the page size. */
    int (*probe_direct)(struct target *target, struct error *err);

    /* MAY.  Before and after slices: checks that the names of the objects first ... first + count -
     * 1 still refer to the objects found when the target was opened.  Checks a few hundred at most,
     * in turn.  Returns 0, or -1 (STATUS_TARGET): measuring there must end. */
    int (*guard)(struct target *target, uint32_t first, uint32_t count, struct error *err);

    /* MAY.  Fraction of the objects' bytes in the page cache, 0..1; negative: unknown.  Called
     * before and after slices: checks a few objects, in turn. */
    double (*resident)(struct target *target);

    /* MAY.  Network traffic of this target since it was mounted, of all processes.  Called before
     * and after each slice.  False (and nothing written) if it is not on a network file system, or
     * traffic is not counted. */
    bool (*traffic)(const struct target *target, struct target_traffic *traffic);

    /* MAY, all three or none: --verify.  Cold, on any thread, outside the timed window.
     * make_content stores the data of a write of that generation in buffer; check_content returns
     * whether data read there are correct (of a generation in `may`), and the first place where
     * they are not; object: the number of one, or pattern_new_file for one that an operation made.
     * read_back reads from storage, with O_DIRECT if `direct` (then offset, size and buffer are
     * aligned), and returns the bytes read or -errno. */
    void (*make_content)(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer);
    bool (*check_content)(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch);
    int64_t (*read_back)(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer);

    /* MUST.  Removes our objects unless kept, and frees everything, also if objects could not be
     * removed (err).  target may be NULL. */
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

/* Whether no test of the request needs test files shared by all rows (test_makes_own). */
bool target_request_makes_own(const struct target_request *request);

/* For `open_created`: copies driver, location and properties of the run, and the description. */
void target_lie_with(struct target *target, const struct target *run, const char *description);

/* The length of test files: without files shared by all rows, any requested size. */
uint64_t target_request_length(const struct target_request *request);

/* All drivers, NULL-terminated, in the order in which they are asked; the last claims
 * everything. */
extern const struct storage_driver *const storage_driver_table[];

/* By name; NULL: unknown. */
const struct storage_driver *storage_driver_find(const char *name);

/* The option that sets the length of its objects instead of --file-size; or NULL. */
static inline const char *target_length_option(const struct storage_driver *driver)
{
    return driver->length_option || !driver->family ? driver->length_option
                                                    : driver->family->length_option;
}

/* Whether runs in its targets can be found again, even if not by this build. */
static inline bool storage_keeps_runs(const struct storage_driver *driver)
{
    return driver->clean || driver->absent;
}

/* Whether a target can do what these bits say. */
static inline bool target_can(const struct target *target, unsigned capabilities)
{
    return (target->driver->capabilities & capabilities) == capabilities;
}

/* Whether it is lost, which closing reports, or the hook `exhausted` says so; room may be 0. */
static inline bool target_exhausted(const struct target *target, char *text, size_t room)
{
    return atomic_load(&target->lost) ||
           (target->driver->exhausted && target->driver->exhausted(target, text, room));
}

/* Driver for a target; never NULL (the file driver takes what no scheme claims). */
const struct storage_driver *storage_driver_for(const char *target);

/* The hook `open` of the driver for the target. */
int target_open(const struct target_request *request, struct target **out, struct error *err);

/* Removes what earlier runs left in a target, exactly what their manifests name.  *outcome is
 * filled in any case.  Returns 0 or -1. */
int target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err);

extern const struct storage_driver target_file, target_null;

#endif
