/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* notes.h - the meaning of the notes of rows, in sentences. */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include <stddef.h>

struct note {
    const char *word;    /* one that ends with a colon stands for all that begin so */
    const char *meaning; /* a sentence */
    const char *advice;  /* a sentence; "": there is nothing to do */
};

/* That of index i, those that change more of what a row means first; NULL behind the last. */
const struct note *notes_at(size_t i);

#endif
