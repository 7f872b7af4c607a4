/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* option.h - options as table rows. The command line and every engine describe their options with
 * the same rows, which the parser, --help and the checks of man page and completions read, so that
 * they cannot differ. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum option_type {
    OPTION_FLAG,       /* bool: set to true */
    OPTION_COUNT,      /* uint64_t in [min, max], or as parsed by `call` */
    OPTION_SIZE,       /* uint64_t bytes in [min, max] */
    OPTION_DURATION,   /* uint64_t ns of at least min */
    OPTION_PERCENT,    /* double share */
    OPTION_CHAR,       /* char: one printable ASCII character, or the word tab */
    OPTION_STRING,     /* const char *: points into argv */
    OPTION_CHOICE,     /* unsigned: index into choices */
    OPTION_CHOICES,    /* struct option_choices: words separated by commas */
    OPTION_SIZE_LIST,  /* struct units_list */
    OPTION_COUNT_LIST, /* struct units_list in [min, max] */
    /* const char *: points into argv, if `call` accepts it; shown in results */
    OPTION_WORD,
    OPTION_RANGE, /* two uint64_t, the least and the most, as parsed by `call` */
    OPTION_CALL,  /* anything else: `call` parses */
};

/* Where it may be said, beside the command line. */
enum option_scope {
    OPTION_RUN,  /* on the first line of an option file: it is for the whole run */
    OPTION_PART, /* on any line: each part of a run can have values of its own */
    OPTION_TYPED /* nowhere: in a file it would surprise who uses that */
};

/* Rows are written with designated initialisers; what is left out is NULL or 0. */
struct option_row {
    char letter;          /* 0: none */
    const char *name;     /* without dashes */
    const char *argument; /* name shown in help, NULL: takes none */
    enum option_type type;
    size_t offset;       /* of the field in the block to fill */
    size_t given_offset; /* of a bool set to true if the option is given: OPTION_GIVEN; 0: none */
    /* for COUNT, SIZE and COUNT_LIST, min also for DURATION; max 0: no upper bound,
     * of sizes UNITS_SIZE_MAX */
    uint64_t min, max;
    /* for CHOICE and CHOICES, NULL-terminated */
    const char *const *choices;
    int (*call)(void *block, const char *word, struct error *err); /* see the types */
    /* default: parsed by option_defaults, shown in help; NULL: none */
    const char *fallback;
    const char *help;  /* one line, no full stop */
    const char *group; /* heading in help; rows of a group are adjacent */
    /* of settings: name in results, in the order of the rows; NULL: none */
    const char *member;
    bool sparse;       /* of counts: in results only where it is more than `min` */
    unsigned needs;    /* bits of what some target must be able to; 0: nothing */
    bool typed_anyway; /* applied without them, too, unless it is in a file */
    bool of_making;    /* about test files, which are not made in an existing file */
    enum option_scope scope;
    /* names, with ", " between: they contradict it, and an earlier place that says one gives way */
    const char *replaces;
};

/* The given_offset of a bool of struct `block`; it does not compile for the first field, whose
 * offset would mean none. */
#define OPTION_GIVEN(block, field) (offsetof(block, field) / (size_t)(offsetof(block, field) > 0))

/* The index of text[0..length) among choices (ended by NULL).  Returns 0, or -1 with err
 * (STATUS_USAGE), which lists them. */
int option_find(const char *const *choices, const char *text, size_t length, unsigned *index,
                struct error *err);

/* In `needs`: the word is a secret, or a path to one. */
#define OPTION_SECRET (1u << 31)

/* Fills the field of `row` in `block` from `word` (NULL for flags).  err, not set yet, names the
 * option and the word (STATUS_USAGE).  Returns 0 or -1. */
int option_apply(const struct option_row *row, void *block, const char *word, struct error *err);

/* Fills the fields of all rows (ended by name NULL) with their defaults; fields without one
 * are unchanged. A default that its own row refuses is a bug in the table and ends the program (a
 * test checks all tables). */
void option_defaults(const struct option_row *rows, void *block);

/* Fills choice lists: a CHOICES field is a struct option_choices. */
#define OPTION_CHOICES_MAX 16
struct option_choices {
    unsigned count;
    unsigned index[OPTION_CHOICES_MAX]; /* in the order given, each once */
};

/* Whether the choice with that index is in the list. */
bool option_chosen(const struct option_choices *choices, unsigned index);

#endif
