/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - the command line: one table of options, which the parser, --help and the checks of
 * man page and completions read. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/option.h"
#include "run/settings.h"

enum action { COMMAND_SWEEP, COMMAND_HELP, COMMAND_VERSION };

struct request {              /* everything given on the command line */
    struct settings settings; /* of the first part; first: who knows only settings reads rows */
    enum action command;
    const char *topic; /* of COMMAND_HELP; NULL: none */
    bool tests_given, format_given, repetitions_given, seed_given;
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
    bool quick;      /* like @quick */
    bool brief;      /* two lines of facts, and a verdict instead of findings */
    unsigned color;  /* enum color_when */
    uint32_t chance; /* random, the same on all ranks: for names of runs */

    /* Storage that the settings point to. */
    const char **targets;
    struct option_file *files;
    char *unused;
    char *targets_label; /* settings.targets_label */
    char *command_line;  /* quoted for a shell, secrets shown as ***; see said_repeat */
};

/* The table, which ends with name NULL. Its fields are members of struct request. */
extern const struct option_row options_table[];

/* Options that only a program able to join teams has (team_library, run/team.h). */
extern const struct option_row options_team_table[];

/* --- tables.c --- */

/* A table of options, and the block that its rows fill: that of an engine, of a driver, of all
 * drivers of a family, or otherwise a struct request. */
struct options_table {
    const struct option_row *rows;
    const struct engine *engine;
    const struct storage_driver *driver;
    const struct target_family *family;
    bool reach; /* for access to targets: commands accept these, too */
};

/* All tables, in the order of help; the last has rows NULL. */
const struct options_table *options_tables(void);

/* Creates the blocks, with defaults, of all engines and drivers that have options. */
void options_make_blocks(struct settings *settings);
void options_free_blocks(const struct settings *settings);
/* Stores the value of an option in the block of its engine, in those of the drivers it applies to,
 * or in `block`. Returns 0 or -1 with err. */
int options_apply(const struct options_table *table, const struct option_row *row, const char *word,
                  void *block, struct settings *settings, struct error *err);

/* Whether a driver, or the driver of some target, accepts an option of a driver. */
bool options_driver_takes(const struct storage_driver *driver, const struct options_table *table,
                          const struct option_row *row);
bool options_taken(const struct options_table *table, const struct option_row *row,
                   const struct settings *settings);

/* --- options.c --- */

/* The engine named by the first `length` bytes of word. OPTIONS_ENGINE_ASYNC selects an engine for
 * files that is available here and runs several operations at a time. NULL: none. */
#define OPTIONS_ENGINE_ASYNC "async"
const struct engine *options_engine(const char *word, size_t length);

/* Fills the request from argv, whose strings must outlive it. If invoked as io_profile, the classic
 * format is the default. Returns 0 or -1 (STATUS_USAGE). Free with options_free in either case. */
int options_parse(int argc, char **argv, struct request *request, struct error *err);
void options_free(struct request *request);

/* --- options_check.c --- */

struct said; /* said.h */

/* Refuses options that contradict each other in a part, or that no part of the run uses. Returns 0
 * or -1 (STATUS_USAGE; the message names the conflicting options and a solution). */
int options_check(const struct request *request, const struct said *said, struct error *err);

/* The extension of a file name, including the point, which a letter must follow; "" if there is
 * none. */
const char *options_ending(const char *name);

/* --- steps.c --- */

/* Parse settings.tests, settings.repetitions with per_thread, and settings.max_errors with the
 * other limits of failed operations; `block` is the struct request. Return 0, or -1 (STATUS_USAGE)
 * and leave the members unchanged. */
int steps_parse(void *block, const char *word, struct error *err);
int stops_parse_repetitions(void *block, const char *word, struct error *err);
int stops_parse_errors(void *block, const char *word, struct error *err);

#endif
