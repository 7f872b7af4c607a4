/* SPDX-License-Identifier: GPL-2.0-or-later */
/* target.c - which driver handles a target, and what is done to targets without opening them as a
 * target: cleaning up after earlier runs, and leaving in an emergency. */
#include "base/compat.h"

#include "target/clean.h"
#include "target/file/fileset.h"
#include "target/target.h"

/* Asked in this order; the last one claims everything. */
static const struct target_driver *const driver_table[] = {&target_null, &target_s3, &target_file};

#define DRIVER_COUNT (sizeof(driver_table) / sizeof(driver_table[0]))

const struct target_driver *target_driver_for(const char *target)
{
    for (size_t i = 0; i + 1 < DRIVER_COUNT; i++)
        if (driver_table[i]->claims(target))
            return driver_table[i];
    return driver_table[DRIVER_COUNT - 1];
}

bool target_run_name_valid(const char *name)
{
    return fileset_run_name_valid(name);
}

int target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                struct error *err)
{
    const struct target_driver *driver = target_driver_for(request->target);
    struct clean_runs none = {0};

    *outcome = (struct clean_outcome){0};
    if (driver->clean)
        return driver->clean(request, outcome, err);
    return clean_carry_out(request, NULL, &none, outcome, err); /* no run ever makes anything there */
}

void target_abandon(void)
{
    fileset_abandon();
}
