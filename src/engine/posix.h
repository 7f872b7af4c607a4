/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* posix.h - the tables with which the engines posix and pread implement tests other than write and
 * read; both share the code. Where os/ implements these calls itself, an engine named OS_CALLS uses
 * the first of each pair. */
#ifndef ENGINE_POSIX_H
#define ENGINE_POSIX_H

#include "engine/engine.h"

extern const struct engine engine_posix_stat, engine_pread_stat; /* posix_names.c */
extern const struct engine engine_posix_list, engine_pread_list;
extern const struct engine engine_posix_create, engine_pread_create; /* posix_files.c */
extern const struct engine engine_posix_delete, engine_pread_delete; /* posix_changes.c */
extern const struct engine engine_posix_append, engine_pread_append;
extern const struct engine engine_posix_copy, engine_pread_copy;
extern const struct engine engine_posix_rename, engine_pread_rename;

#endif
