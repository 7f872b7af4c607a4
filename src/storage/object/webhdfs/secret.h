/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* secret.h - reads delegation tokens and passwords, and keeps them from leaking. */
#ifndef STORAGE_OBJECT_WEBHDFS_SECRET_H
#define STORAGE_OBJECT_WEBHDFS_SECRET_H

#include <stddef.h>

#include "base/error.h"

#define WEBHDFS_SECRET_MOST 2048

/* Reads a secret from a file (first line) or, if file is NULL, from an environment variable; NULL:
 * none. what: "token", for messages. Disables core dumps of the process from then on. Returns 0, or
 * -1 (STATUS_TARGET). */
int webhdfs_secret_read(const char *file, const char *variable, const char *what, char **out,
                        struct error *err);

void webhdfs_secret_wipe(void *memory, size_t bytes);
void webhdfs_secret_free(char *secret); /* wipes; NULL is fine */

/* Replaces the value of a token that a server repeats in its text by "...", in place. */
void webhdfs_secret_redact(char *text);

#endif
