/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* settings.h - everything a user can request of a run: a list of settings, one for each part. cli/
 * makes it from the command line; it is const afterwards. The defaults are in cli/options.c. */
#ifndef RUN_SETTINGS_H
#define RUN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"
#include "base/units.h"
#include "engine/engine.h"

#define SETTINGS_ENGINES_MAX OPTION_CHOICES_MAX
#define SETTINGS_DRIVERS_MAX 16

enum small_mode { SMALL_COVER, SMALL_SKIP };

#define SETTINGS_STEPS_MAX 64

/* One entry of --tests: the test, and its limits if they differ from those of the run. */
struct step {
    enum io_test test;
    bool stops;           /* the next three replace those of the run */
    uint64_t repetitions; /* cycles per row; 0: any number */
    bool per_thread;      /* repetitions count for each thread */
    uint64_t time_ns;     /* of each row; 0: no limit */
    bool created;         /* uses the objects of test create of this run */
    bool budgeted;        /* the next replaces step_errors of the run */
    uint64_t errors;      /* failed operations before the step is abandoned; 0: no limit */
};

struct steps { /* in order of execution; a test may occur several times */
    unsigned count;
    struct step step[SETTINGS_STEPS_MAX];
};

/* An option file, @FILE. Its first line applies to all parts of the run. */
struct option_file_line {
    const char *file; /* its name */
    unsigned number;  /* in the file, from 1 on */
    unsigned part;    /* of the run, from 1 on, that it defines; 0: it is for all parts */
    int argc;         /* argv[0] is not a word, argv[argc] NULL */
    char **argv;
    char *words; /* what argv points to */
    char *text;  /* the words as typed on a command line, for results */
};

struct option_file {
    char *name;  /* as typed, with the '@' */
    char *about; /* the first comment, if the file begins with one; else "" */
    struct option_file_line *line;
    unsigned count;
};

/* The settings of one part of a run. Parts differ in the options that are OPTION_PART; everything
 * else is the same in all of them, and read from the first. */
struct settings {
    struct settings *next; /* of the next part, in the order of rows; NULL: the last one */

    /* sweep */
    uint64_t min_bytes, max_bytes, factor;
    bool scan_given;         /* one of these was given, not only by default */
    struct units_list sizes; /* if given, replaces them; UNITS_SIZE_FULL is known to targets only */
    struct steps tests;
    uint64_t loops;   /* number of passes over all steps */
    uint64_t repeats; /* number of times that the rows of each step are measured in a pass */
    struct units_list threads, depths;
    /* Percentage of reads in one step that combines write and read. Empty: these are measured one
     * after the other. */
    struct units_list mixes;
    struct option_choices caches;   /* enum cache_mode */
    struct option_choices accesses; /* enum access_mode */
    bool accesses_given;            /* otherwise steps over objects of test create use each once */
    const struct engine *engines[SETTINGS_ENGINES_MAX];
    unsigned engine_count; /* 0: the first engine that supports a target */
    bool engine_for_depth; /* chosen because --depth needs it, not given by the user */
    void *engine_options[SETTINGS_ENGINES_MAX]; /* block of engine_table[i], or NULL */
    void *driver_options[SETTINGS_DRIVERS_MAX]; /* block of storage_driver_table[i], or NULL */
    const struct option_file *files;            /* the option files of the run */
    unsigned file_count;
    const char *unused; /* their options that no target accepts: "--x, --y"; or NULL */

    /* work */
    bool single_file, existing, keep_open;
    /* of the run created, or with `existing` of the run to read; NULL: chosen at random */
    const char *run_name;
    bool reuse;    /* the run of that name was kept: overwrites its objects, creates none */
    bool replace;  /* removes a kept run of that name first */
    bool pin;      /* binds each thread to a different processor */
    bool verify;   /* checks data read, and data written by reading them back */
    uint64_t rate; /* operations per second, of all threads of a row together; 0: unlimited */
    uint64_t levels, width, file_bytes;
    uint64_t call_bytes;  /* maximum of one call; 0: a whole I/O, for append random lengths */
    bool call_given;      /* otherwise settings_append_bytes is the size of appended writes */
    uint64_t align_bytes; /* 0: min(size, 4096) rounded down to a power of two */
    unsigned small;       /* enum small_mode */
    unsigned sync;        /* enum sync_mode */
    unsigned payload;     /* enum payload_kind */
    unsigned readahead;   /* enum readahead_mode, if given; otherwise chosen per row */
    bool readahead_given;
    uint64_t fill_step_bytes; /* test fill: size of a row; 0: 1/64 of the file */
    uint64_t seed;

    /* stop */
    uint64_t repetitions;  /* cycles per row; 0: until precise */
    bool per_thread;       /* repetitions count for each thread; all do the same number */
    double precision;      /* half width of the interval of the mean, as a share of the mean */
    uint64_t cell_time_ns; /* measuring time of each row; 0: until precise */
    /* of the whole run, including creation, caching and removal; 0: no limit */
    uint64_t max_time_ns;
    uint64_t rounds_min, rounds_max;
    bool allow_short;    /* short operations are counted separately and are no failures */
    uint64_t max_errors; /* total of failed operations that stops the run; 0: no limit */
    /* Failed operations in one pass of a step that abandon the rest of it; 0: no limit. */
    uint64_t step_errors;
    double error_share; /* the same as a share of the operations of the step */

    /* team, see team.h; set in the first part only */
    uint32_t hosts;       /* number of hosts of the ranks */
    uint32_t rank, ranks; /* of this process; their number, 1: no team */
    uint64_t team_seed;   /* the seed of rank 0; `seed` is this rank's own */
    unsigned share;       /* enum team_share */
    /* number of hosts that use the same target; 0: each rank uses all targets */
    uint64_t hosts_per_target;
    uint64_t rank_timeout_ns; /* a rank silent for this long is lost */
    /* Derived for this rank by targets_divide. */
    uint32_t users;            /* number of ranks that use the same targets, including this one */
    uint32_t maker;            /* the first of these ranks */
    uint32_t next_rank;        /* the next of these ranks, cyclically */
    bool follows;              /* an earlier one of these ranks is on the same host */
    const char *targets_label; /* the targets of all ranks, if they differ: "a+b"; or NULL */

    /* output */
    uint64_t interval_ns; /* interval between records of the work of all threads; 0: none */

    /* safety */
    bool keep, overwrite, destroy_data, dry_run;

    /* targets, as typed */
    const char *const *targets;
    unsigned target_count;
};

/* --rate: operations per second of one rank of a team. */
static inline double settings_own_rate(const struct settings *settings)
{
    return (double)settings->rate / (settings->ranks ? settings->ranks : 1);
}

/* Whether neither a list nor a range of sizes was given: then sizes that a target cannot move, or
 * was not made for, are left out. */
static inline bool settings_usual_sizes(const struct settings *settings)
{
    return !settings->scan_given && !settings->sizes.count;
}

/* Step i of a run in the order of rows, where parts with the same test at the same position share
 * it; NULL: there are fewer. */
const struct step *settings_step(const struct settings *run, unsigned i);

/* Whether some step of a run is that test, or a test with that property. */
bool settings_have_test(const struct settings *run, enum io_test test);
bool settings_any_test(const struct settings *run, bool (*is)(enum io_test));

/* The size of each write of test append; 0: random lengths. */
static inline uint64_t settings_append_bytes(const struct settings *settings)
{
    return settings->call_given ? settings->call_bytes : 65536;
}

/* Whether --call-size can divide the I/O of other tests on some target; it cannot divide requests
 * to object stores. */
static inline bool settings_can_divide(const struct settings *settings)
{
    for (unsigned i = 0; i < settings->target_count; i++)
        if (storage_driver_for(settings->targets[i])->capabilities & TARGET_OPENED)
            return true;
    return false;
}

static inline bool settings_fills(const struct settings *settings)
{
    return settings->tests.count > 0 && settings->tests.step[0].test == TEST_FILL;
}

/* The block of options of an engine, or NULL. */
static inline const void *settings_options_of(const struct settings *settings,
                                              const struct engine *engine)
{
    for (unsigned i = 0; i < SETTINGS_ENGINES_MAX && engine_table[i]; i++)
        if (engine_table[i] == engine)
            return settings->engine_options[i];
    return NULL;
}

/* The block of options of a driver, or NULL. */
static inline const void *settings_of_driver(const struct settings *settings,
                                             const struct storage_driver *driver)
{
    for (unsigned i = 0; i < SETTINGS_DRIVERS_MAX && storage_driver_table[i]; i++)
        if (storage_driver_table[i] == driver)
            return settings->driver_options[i];
    return NULL;
}

#endif
