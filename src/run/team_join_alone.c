/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* team_join_alone.c - linked into the program without MPI, which always has one rank. */
#include "base/compat.h"

#include "run/team.h"

const char *const team_library = NULL;

const char *team_library_version(void)
{
    return NULL;
}

struct team *team_join(int *argc, char ***argv, struct error *err)
{
    (void)argc;
    (void)argv;
    (void)err;
    return team_alone();
}
