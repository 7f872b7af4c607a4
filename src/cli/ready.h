/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ready.h - the targets of a sweep, checked, opened and filled, and what is swept of them: settings
 * without tests that no target allows, sizes of what is there. */
#ifndef CLI_READY_H
#define CLI_READY_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/options.h"
#include "report/facts/facts.h"
#include "target/target.h"

#define READY_NAME_BYTES 32

struct ready {
    const struct request *request;
    struct team *team;               /* alone or not */
    const struct settings *settings; /* those of the request, or narrowed */
    struct settings narrowed;
    struct units_list sizes, kept; /* kept: of runs that are read */
    struct target_request *target_requests;
    char (*run_names)[READY_NAME_BYTES];
    struct target **targets;
    unsigned target_count;
    uint64_t end_ns;    /* --within: when measuring has to end (clock_monotonic); 0: any time */
    bool removed, left; /* what this run made, in the end */
    bool refused;       /* a target could not be rid of it; said already */
};

/* Refuses what can be known to fail before anything is opened.  To be closed in either case, as
 * after ready_open.  Returns 0 or -1. */
int ready_check(struct ready *ready, const struct request *request, struct team *team,
                struct error *err);

/* Looks at all targets before anything is made in any of them: the last one may be a typing error.
 * Returns 0 or -1. */
int ready_look(struct ready *ready, struct error *err);

/* Opens and fills the targets, and reads the facts about them and the machine, for a dry run only
 * as far as it looks at them.  0; or -1 with err, which is not set when a signal ended it. */
int ready_open(struct ready *ready, struct facts *facts, struct error *err);

/* What the drivers have to say of the sweep, or of the dry run. */
void ready_summarise(const struct ready *ready);

/* Removes what was made, unless it is kept.  status: how the sweep ended; that something cannot be
 * removed does not hide it. */
void ready_close(struct ready *ready, enum status status, struct error *err);

#endif
