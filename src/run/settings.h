/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* settings.h - everything a user can request of a run; filled once by cli/ from the command line
 * and const afterwards. Types only; the defaults are in cli/options.c. */
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

/* One entry of --tests: the test, and its limits where they differ from those of the run. */
struct step {
    enum io_test test;
    bool stops;           /* by the next three, in the place of those of the run */
    uint64_t repetitions; /* cycles per row; 0: any number */
    bool per_thread;      /* of each thread */
    uint64_t time_ns;     /* of each row; 0: any */
    bool created;         /* it goes over what test create has made in the run */
    bool budgeted;        /* by the next, in the place of step_errors of the run */
    uint64_t errors;      /* failed operations before the step is abandoned; 0: no limit */
};

struct steps { /* in order of execution; a test may occur several times */
    unsigned count;
    struct step step[SETTINGS_STEPS_MAX];
};

/* A file of options that was given: @FILE. Its words are on lines, the first of them common. */
struct option_file_line {
    unsigned number; /* in the file, from 1 on */
    int argc;        /* argv[0] is the name of the program, argv[argc] NULL */
    char **argv;
    char *text; /* the words as they would be typed, for results */
};

struct option_file {
    char *name;  /* as typed, with the '@' */
    char *about; /* the first comment, when the file begins with one; else "" */
    struct option_file_line *line;
    unsigned count;
};

struct settings {
    /* sweep */
    uint64_t min_bytes, max_bytes, factor;
    struct units_list sizes; /* given: replaces min, max and factor */
    bool usual_sizes;        /* none of these was given: sizes that the device cannot move are
                              * left out */
    struct steps tests;
    uint64_t loops;   /* times that all steps are done, one after the other */
    uint64_t repeats; /* times that the rows of each step are measured, one after the other */
    struct units_list threads, depths;
    /* Reads in percent of the operations: the steps write and read are one then. Empty: they are
     * measured one after the other. */
    struct units_list mixes;
    struct option_choices caches;   /* enum cache_mode */
    struct option_choices accesses; /* enum access_mode */
    bool accesses_given;            /* else steps over what test create has made: each once */
    const struct engine *engines[SETTINGS_ENGINES_MAX];
    unsigned engine_count;                      /* 0: the first engine that can work on a target */
    bool engine_for_depth;                      /* not given by the user, but needed by --depth */
    void *engine_options[SETTINGS_ENGINES_MAX]; /* block of engine_table[i], or NULL */
    void *driver_options[SETTINGS_DRIVERS_MAX]; /* block of storage_driver_table[i], or NULL */
    /* Where a run has several sets of axes: each as settings that differ from these in axes alone
     * and give the cells; the axes here are then what all of them have together. Count 0: these. */
    struct settings *lines;
    unsigned line_count;
    const struct option_file *files; /* that options were read from */
    unsigned file_count;
    const char *unused; /* options in them that no target takes: "--x, --y"; or NULL */

    /* work */
    bool single_file, existing, keep_open;
    /* of what this run makes, or with `existing` of what it reads; NULL: made up */
    const char *run_name;
    bool reuse;    /* the run of that name was kept: write over its objects, make none */
    bool replace;  /* what a run of that name has left is removed first */
    bool pin;      /* each thread to a processor of its own */
    bool verify;   /* check what is read, and what was written by reading it back */
    uint64_t rate; /* operations per second of all threads of a row together; 0: no waiting */
    uint64_t levels, width, file_bytes;
    uint64_t call_bytes;  /* one call moves no more; 0: all of an I/O, append: random lengths */
    bool call_given;      /* else settings_append_bytes says what append writes at a time */
    uint64_t align_bytes; /* 0: min(size, 4096) rounded down to a power of two */
    unsigned small;       /* enum small_mode */
    unsigned sync;        /* enum sync_mode */
    unsigned payload;     /* enum payload_kind */
    unsigned readahead;   /* enum readahead_mode, if it was given; else as fits the row */
    bool readahead_given;
    uint64_t fill_step_bytes; /* test fill: of a row; 0: 1/64 of the file */
    uint64_t seed;

    /* stop */
    uint64_t repetitions;  /* cycles per row; 0: until precise */
    bool per_thread;       /* of each thread, which all do equally many */
    double precision;      /* half width of the interval of the mean, as a share of it */
    uint64_t cell_time_ns; /* measuring time of each row; 0: until precise */
    uint64_t max_time_ns;  /* of the whole run, with making, caching and removing; 0: any */
    uint64_t rounds_min, rounds_max;
    bool allow_short;    /* operations may move less than asked: they are counted apart, no more */
    uint64_t max_errors; /* failed operations in total before the run stops; 0: no limit */
    /* Of one step, as long as it is done once, before the rest of it is not done; 0: no limit. */
    uint64_t step_errors;
    double error_share; /* of the operations of a step, likewise */

    /* team, see team.h */
    uint32_t hosts;            /* that the ranks are on */
    uint32_t rank, ranks;      /* this process; all of them, 1: alone */
    uint64_t team_seed;        /* that of rank 0; `seed` is this rank's own */
    unsigned share;            /* enum team_share */
    uint64_t hosts_per_target; /* that use the same one of the targets; 0: each rank uses all */
    uint64_t rank_timeout_ns;  /* a rank that is silent for this long is lost */
    /* What follows of these for this rank, see targets_divide. */
    uint32_t users;            /* ranks that use the same targets, this one too; 1: alone */
    uint32_t maker;            /* the first of them */
    uint32_t next;             /* the one after this, after the last of them the first */
    bool follows;              /* one of them before this is on the same host */
    const char *targets_label; /* the targets of all ranks, where they differ: "a+b"; or NULL */

    /* output */
    uint64_t interval_ns; /* a record of what all threads did for each; 0: none */

    /* safety */
    bool keep, overwrite, destroy_data, dry_run;

    /* targets, as typed */
    const char *const *targets;
    unsigned target_count;
};

/* Of --rate: what one rank of a team has to start each second. */
static inline double settings_own_rate(const struct settings *settings)
{
    return (double)settings->rate / (settings->ranks ? settings->ranks : 1);
}

/* The sets of axes, at least one, in the order of rows. */
static inline unsigned settings_line_count(const struct settings *settings)
{
    return settings->line_count ? settings->line_count : 1;
}

static inline const struct settings *settings_line(const struct settings *settings, unsigned line)
{
    return settings->line_count ? &settings->lines[line] : settings;
}

/* Whether some step does that test. */
static inline bool settings_have_test(const struct settings *settings, enum io_test test)
{
    for (unsigned i = 0; i < settings->tests.count; i++)
        if (settings->tests.step[i].test == test)
            return true;
    return false;
}

/* Whether some step does a test that is so. */
static inline bool settings_any_test(const struct settings *settings, bool (*is)(enum io_test))
{
    for (unsigned i = 0; i < settings->tests.count; i++)
        if (is(settings->tests.step[i].test))
            return true;
    return false;
}

/* What test append writes at a time; 0: random lengths. */
static inline uint64_t settings_append_bytes(const struct settings *settings)
{
    return settings->call_given ? settings->call_bytes : 65536;
}

/* Whether --call-size can divide the I/O of other tests on some target: not requests to object
 * stores. */
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

/* The options of an engine as they were given, or NULL. */
static inline const void *settings_options_of(const struct settings *settings,
                                              const struct engine *engine)
{
    for (unsigned i = 0; i < SETTINGS_ENGINES_MAX && engine_table[i]; i++)
        if (engine_table[i] == engine)
            return settings->engine_options[i];
    return NULL;
}

/* The options of a driver as they were given, or NULL. */
static inline const void *settings_of_driver(const struct settings *settings,
                                             const struct storage_driver *driver)
{
    for (unsigned i = 0; i < SETTINGS_DRIVERS_MAX && storage_driver_table[i]; i++)
        if (storage_driver_table[i] == driver)
            return settings->driver_options[i];
    return NULL;
}

#endif
