/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_notes.h - the meaning of the notes of rows, in sentences. */
#ifndef ANALYSIS_REPORT_REPORT_NOTES_H
#define ANALYSIS_REPORT_REPORT_NOTES_H

#include <stddef.h>

struct report_meaning {
    const char *word;    /* one that ends with a colon stands for all that begin so */
    const char *meaning; /* a sentence */
    const char *advice;  /* a sentence; "": there is nothing to do */
};

/* That of index i, NULL behind the last. */
const struct report_meaning *report_meaning_at(size_t i);

/* NULL for a word that is not known.  *weight: smaller ones change more of what a row means. */
const struct report_meaning *report_meaning(const char *word, size_t length, size_t *weight);

#endif
