/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* color.h - colour on terminals: whether a stream gets it, and a few styles. Colour never carries
 * meaning alone: the coloured word is always present. Escape sequences occupy no columns, so widths
 * are computed from the bare text, and sequences are added last. */
#ifndef BASE_COLOR_H
#define BASE_COLOR_H

#include <stdbool.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
extern const char *const color_words[]; /* of --color, by enum color_when; ended by NULL */

/* Only colours of the basic 16 that every terminal has, and none likely to be its background. */
enum color {
    COLOR_PLAIN,
    COLOR_STRONG,  /* what to look at first */
    COLOR_FAINT,   /* less important */
    COLOR_GOOD,    /* better than before */
    COLOR_CAUTION, /* to be read with care */
    COLOR_ALARM,   /* wrong, failed, worse than before */
    COLOR_NAME,    /* the word that introduces a sentence */
    COLOR_COUNT
};

/* --color for the whole program, AUTO until set. To be called before threads start. */
void color_choose(enum color_when when);

/* Whether text for users written to the descriptor is coloured. Files do not ask. */
bool color_on(int fd);

/* Terminals seen from now on belong to the launcher that started the program, whoever reads the
 * output, so nothing counts as a terminal. To be called before threads start. */
void color_expect_no_terminal(void);

/* Whether a stream is a terminal, as far as can be determined. */
bool color_terminal(int fd);

/* Whether terminals of this TERM support escape sequences. */
bool color_obeyed(const char *term);

/* The underlying rule. AUTO: on a terminal, unless TERM is "dumb" or unset, or NO_COLOR
 * (https://no-color.org) is set and not empty. */
bool color_decide(enum color_when when, bool terminal, const char *term, const char *no_color);

/* Escape sequences around a text: "" if colour is off or nothing has to change. */
const char *color_begin(bool on, enum color color);
const char *color_end(bool on, enum color color);

#endif
