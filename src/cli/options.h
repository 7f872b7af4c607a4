/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - the command line: one table of options, read by the parser, by --help and by the
 * checks of man page and completions. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/option.h"
#include "run/settings.h"

enum action { COMMAND_SWEEP, COMMAND_HELP, COMMAND_VERSION };

struct request {              /* everything the command line says */
    struct settings settings; /* first: rows of them are read by who knows no request */
    enum action command;
    const char *topic; /* of COMMAND_HELP; NULL: none */
    bool tests_given, format_given, repetitions_given, seed_given;
    bool scan_given;   /* --min-size, --max-size or --factor */
    bool length_given; /* --file-size */
    bool tree_given;   /* --levels or --width */
    bool cache_given;  /* --cache or -b */
    bool run_name_given, keep_given;

    const char *output, *series; /* file names, NULL: none */
    unsigned format;             /* enum format */
    const char *columns, *label;
    char separator, decimal;
    bool separator_given;
    bool quiet, verbose;
    bool quick;      /* as @quick */
    bool brief;      /* two lines of facts, and a verdict in place of findings */
    unsigned color;  /* enum color_when */
    uint32_t chance; /* drawn by lot, the same on all ranks: for names of runs */

    /* What the settings point to. */
    const char **targets;
    struct option_file *files;
    char *unused;
    char *targets_label; /* settings.targets_label */
    char *command_line;  /* as a shell takes it, what is secret as ***; see said_repeat */
};

/* The table, ended by name NULL.  Fields are those of struct request. */
extern const struct option_row options_table[];

/* Those of a program that joins teams alone (team_library, run/team.h). */
extern const struct option_row options_team_table[];

/* --- tables.c --- */

/* A table of options, and whose block its rows fill: that of an engine, of a driver, of all drivers
 * of a family, or else a struct request. */
struct options_table {
    const struct option_row *rows;
    const struct engine *engine;
    const struct storage_driver *driver;
    const struct target_family *family;
    bool reach; /* how targets are reached: commands take it, too */
};

/* All of them, in the order in which help shows them; ended by rows NULL. */
const struct options_table *options_tables(void);

/* Blocks with their defaults for all engines and drivers that have options. */
void options_make_blocks(struct settings *settings);
void options_free_blocks(const struct settings *settings);
/* An option with its word, in the block of its engine, in those of the drivers that it is for, or
 * in `block`.  Returns 0 or -1 with err. */
int options_apply(const struct options_table *table, const struct option_row *row, const char *word,
                  void *block, struct settings *settings, struct error *err);

/* Whether a driver, or that of some target, takes an option of a driver. */
bool options_driver_takes(const struct storage_driver *driver, const struct options_table *table,
                          const struct option_row *row);
bool options_taken(const struct options_table *table, const struct option_row *row,
                   const struct settings *settings);

/* --- options.c --- */

/* The engine of that name, in `length` bytes, also OPTIONS_ENGINE_ASYNC: one for files that can be
 * used here and takes several operations at a time.  NULL: there is none. */
#define OPTIONS_ENGINE_ASYNC "async"
const struct engine *options_engine(const char *word, size_t length);

/* Fills the request from argv (whose strings must outlive it).  Invoked under the name io_profile,
 * the classic format is the default.  Returns 0 or -1 (STATUS_USAGE).  Free with options_free in
 * either case. */
int options_parse(int argc, char **argv, struct request *request, struct error *err);
void options_free(struct request *request);

/* --- options_check.c --- */

struct said; /* parser.h */

/* Refuses options that contradict each other, or that nothing of the run takes.  part: one of
 * several sets of axes, which may leave to another what takes an option; 0: the run.  Returns 0 or
 * -1 (STATUS_USAGE: what contradicts what, and the way out). */
int options_check(const struct request *request, const struct said *said, unsigned part,
                  struct error *err);

/* The ending of a file's name with its point, which a letter follows; "" where it has none. */
const char *options_ending(const char *name);

/* --- steps.c --- */

/* Fill settings.tests, settings.repetitions with per_thread, and settings.max_errors and what else
 * limits failed operations, of the request that `block` is.  Return 0 or -1 (STATUS_USAGE); then
 * they are what they were. */
int steps_parse(void *block, const char *word, struct error *err);
int stops_parse_repetitions(void *block, const char *word, struct error *err);
int stops_parse_errors(void *block, const char *word, struct error *err);

#endif
