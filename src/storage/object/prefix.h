/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* prefix.h - what may stand before the keys of a target: any text that means the same to servers,
 * proxies and parsers of URLs on the way. */
#ifndef STORAGE_OBJECT_PREFIX_H
#define STORAGE_OBJECT_PREFIX_H

#include <stdbool.h>

#include "base/error.h"

#define OBJECT_PREFIX_MOST 512

/* Has parts between slashes that somebody would change or drop: empty, "." or "..". */
bool object_prefix_odd(const char *path);

/* The prefix of a target, without a slash at its end; may be "".
 * Returns 0 or -1 (STATUS_USAGE). */
int object_prefix_check(const char *target, const char *prefix, struct error *err);

/* The same of what is written behind the container, where a slash at its end does not matter: "" or
 * "a/b/", to be freed; NULL with err. */
char *object_prefix_take(const char *target, const char *text, struct error *err);

#endif
