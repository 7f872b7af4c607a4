/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* notes.c - what the notes of rows mean and what to do about them, for those who have not read
 * iosweep-csv(5): the lines of src/results/iosweep_results/notes.txt, compiled in. */
#include "base/compat.h"

#include "cli/notes.h"

static const struct note notes[] = {
#include "src/cli/notes.inc"
};

const struct note *notes_at(size_t i)
{
    return i < sizeof(notes) / sizeof(notes[0]) ? &notes[i] : NULL;
}
