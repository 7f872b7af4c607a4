/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* prefix.h - the prefix of the keys of a target: any text that servers, proxies and URL parsers on
 * the way interpret in the same way. */
#ifndef STORAGE_OBJECT_PREFIX_H
#define STORAGE_OBJECT_PREFIX_H

#include <stdbool.h>

#include "base/error.h"

#define OBJECT_PREFIX_MOST 512

/* Whether it has components that some of these would change or drop: empty, "." or "..". */
bool object_prefix_odd(const char *path);

/* Checks the prefix of a target, without a slash at its end; may be "".  Returns 0 or -1
 * (STATUS_USAGE). */
int object_prefix_check(const char *target, const char *prefix, struct error *err);

/* The same for the text after the container, in which a slash at the end is optional: returns "" or
 * "a/b/", to be freed; NULL with err. */
char *object_prefix_take(const char *target, const char *text, struct error *err);

#endif
