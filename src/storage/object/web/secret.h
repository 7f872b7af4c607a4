/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* secret.h - reads files with secrets, and keeps them from leaking. */
#ifndef STORAGE_OBJECT_WEB_SECRET_H
#define STORAGE_OBJECT_WEB_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

#define SECRET_MOST 2048

/* Reads a file into text (most_bytes + 2 bytes), terminated, of which no other copy is left.
 * Returns its bytes, most_bytes + 1 if there are more, or -errno. *shared: other users can read it.
 */
ssize_t secret_read_file(const char *path, char *text, size_t most_bytes, bool *shared);

/* Reads a secret from a file (first line) or, if file is NULL, from an environment variable; NULL:
 * none. what: "token", for messages. Disables core dumps of the process from then on. Returns 0, or
 * -1 (STATUS_TARGET). */
int secret_read(const char *file, const char *variable, const char *what, char **out,
                struct error *err);

void secret_wipe(void *memory, size_t bytes);
void secret_free(char *secret); /* wipes; NULL is fine */

/* Replaces the value of a token that a server repeats in its text by "...", in place. */
void secret_redact(char *text);

#endif
