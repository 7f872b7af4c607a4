/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* repeat.h - the command line as results keep it, so that a run can be repeated. */
#ifndef CLI_REPEAT_H
#define CLI_REPEAT_H

#include "cli/said.h"

/* The words of argv as a shell takes them, the program without its directory.  The words of secret
 * options, and passwords in addresses, are ***.  typed: what said_take has made of argv.
 * To free. */
char *repeat_command(int argc, char **argv, const struct said *typed);

#endif
