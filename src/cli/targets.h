/* SPDX-License-Identifier: GPL-2.0-or-later */
/* targets.h - targets as the command line has them: the options of their drivers, and words that
 * mean something for some targets only. */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include "base/error.h"
#include "cli/options.h"

/* A block with its defaults for each driver of target_driver_table that has options, else NULL;
 * drivers with the same tables get the same one. */
void targets_make_options(void *blocks[SETTINGS_DRIVERS_MAX]);
void targets_free_options(void *const blocks[SETTINGS_DRIVERS_MAX]);

/* The first driver whose options are those of this one, which has some; by index in the table. */
int targets_first_alike(int driver);

/* What is wanted of a target, as far as the command line says it. */
struct target_request targets_request(const struct settings *settings, unsigned target);

/* How targets that are no paths are written, to follow other kinds: ", far://PLACE or null:";
 * with_runs: only those that runs are left in. */
#define TARGETS_FORMS 128
const char *targets_forms(bool with_runs, char text[TARGETS_FORMS]);

/* The only target where nothing is: for engines that move no data. */
const char *const *targets_nowhere(void);

/* Refuses options of drivers (given: by index) that none of the targets has: with words of their
 * kind and form.  Returns 0 or -1 (STATUS_USAGE). */
int targets_check_given(const bool given[SETTINGS_DRIVERS_MAX], const char *const *targets,
                        unsigned count, struct error *err);

/* The same, and options that mean nothing to any of the targets, or not together: an option that
 * does nothing would be believed.  Returns 0 or -1 (STATUS_USAGE). */
int targets_check_options(const struct request *request, const bool given[SETTINGS_DRIVERS_MAX],
                          struct error *err);

/* Refuses --overwrite, --destroy-data and --run-name where no target is of the kind they are for
 * (STATUS_USAGE); looks at the targets, opens nothing.  Returns 0 or -1. */
int targets_check(const struct settings *settings, struct error *err);

#endif
