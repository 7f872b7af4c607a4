/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options_object.h - which options go together with targets that are object stores. */
#ifndef CLI_OPTIONS_OBJECT_H
#define CLI_OPTIONS_OBJECT_H

#include "base/error.h"
#include "cli/options.h"

/* Refuses options of object stores without one among the targets; when all are object stores, also
 * options of files and caches, of tests that are not run, and with -r those of making objects: an
 * option that does nothing would be believed.  Returns 0 or -1 (STATUS_USAGE). */
int options_check_objects(const struct request *request, struct error *err);

#endif
