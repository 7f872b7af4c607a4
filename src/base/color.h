/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* color.h - colour on terminals: whether a stream gets any, and the few looks there are.  No look
 * carries a meaning of its own: the word that it colours is always there too.  Escape sequences
 * take no columns, so widths are those of the bare text, and they are put around it last. */
#ifndef BASE_COLOR_H
#define BASE_COLOR_H

#include <stdbool.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
extern const char *const color_words[]; /* of --color, by enum color_when; ended by NULL */

/* All of the 16 colours that any terminal has, and none that its background may have. */
enum color {
    COLOR_PLAIN,
    COLOR_STRONG,  /* what to look at first */
    COLOR_FAINT,   /* what tells less */
    COLOR_GOOD,    /* better than before */
    COLOR_CAUTION, /* to be read with care */
    COLOR_ALARM,   /* wrong, failed, worse than before */
    COLOR_NAME,    /* the word before a sentence that tells what it is */
    COLOR_COUNT
};

/* --color for the whole program, AUTO until then.  Before there are threads. */
void color_choose(enum color_when when);

/* Whether what is written to the descriptor for people gets colour.  Files do not ask. */
bool color_on(int fd);

/* What looks like a terminal is one of the launcher that has started the program, whoever reads it
 * in the end: from now on nothing counts as one.  Before there are threads. */
void color_expect_no_terminal(void);

/* Whether a stream ends at a terminal, as far as can be known. */
bool color_terminal(int fd);

/* Whether a terminal of that TERM obeys escape sequences. */
bool color_obeyed(const char *term);

/* The rule behind it.  AUTO: on a terminal, unless TERM is "dumb" or not set, or NO_COLOR
 * (https://no-color.org) is set and not empty. */
bool color_decide(enum color_when when, bool terminal, const char *term, const char *no_color);

/* Escape sequences around a text: "" where there is to be no colour, or nothing to be changed. */
const char *color_begin(bool on, enum color color);
const char *color_end(bool on, enum color color);

#endif
