/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix.h - the tables with which the engines posix and pread implement tests other than write and
 * read; both share the code. Where os/ implements these calls itself, an engine named OS_CALLS uses
 * those of posix. */
#ifndef ENGINE_POSIX_H
#define ENGINE_POSIX_H

#include "engine/engine.h"

/* Defines both tables of a test by the macro TABLE(table, name, ...). */
#define POSIX_TABLES(TABLE, test, ...)                 \
    TABLE(engine_posix_##test, OS_CALLS, __VA_ARGS__); \
    TABLE(engine_pread_##test, "pread", __VA_ARGS__)

#define POSIX_DECLARE(test) extern const struct engine engine_posix_##test, engine_pread_##test
POSIX_DECLARE(stat); /* posix_names.c */
POSIX_DECLARE(list);
POSIX_DECLARE(create); /* posix_files.c */
POSIX_DECLARE(append);
POSIX_DECLARE(copy);
POSIX_DECLARE(rename); /* posix_changes.c */
POSIX_DECLARE(delete);

/* Those of an engine, for its member `others`. */
#define POSIX_OTHERS(engine)                                                              \
    &engine##_create, &engine##_append, &engine##_stat, &engine##_list, &engine##_rename, \
        &engine##_copy, &engine##_delete, NULL

#endif
