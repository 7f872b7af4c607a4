/* SPDX-License-Identifier: GPL-2.0-or-later */
/* early.h - what is said before test files are filled, which may take minutes: a user who sees the
 * wrong disk can stop there. */
#ifndef CLI_EARLY_H
#define CLI_EARLY_H

#include <stdbool.h>

#include "cli/options.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"

/* True when facts go to stderr: the other formats carry them, or have a head of their own. */
bool early_has_header(const struct request *request);

/* Reads the facts of machine and targets, and prints them where there is a header.  Nothing in a dry
 * run, and nothing where some target is no file: there an engine may still be refused, which is then
 * all there is to say. */
void early_tell_facts(const struct request *request, struct facts *facts);

#endif
