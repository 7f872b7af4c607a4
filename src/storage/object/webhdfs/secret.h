/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* secret.h - delegation tokens and passwords: from where they come,
 * and that they go nowhere else. */
#ifndef STORAGE_OBJECT_WEBHDFS_SECRET_H
#define STORAGE_OBJECT_WEBHDFS_SECRET_H

#include <stddef.h>

#include "base/error.h"

#define WEBHDFS_SECRET_MOST 2048

/* From a file (first line), or where that is NULL from a variable of the environment; NULL: there
 * is none.  what: "token", for messages.  From then on the process leaves no core file.  Returns 0,
 * or -1 (STATUS_TARGET). */
int webhdfs_secret_read(const char *file, const char *variable, const char *what, char **out,
                        struct error *err);

void webhdfs_secret_wipe(void *memory, size_t bytes);
void webhdfs_secret_free(char *secret); /* wipes; NULL is fine */

/* What a server says may repeat a token: its value is replaced by "...", in place. */
void webhdfs_secret_redact(char *text);

#endif
