/* SPDX-License-Identifier: GPL-2.0-or-later */
/* early.c - facts first, where files are going to be filled; elsewhere the header tells them when
 * the first row is about to be measured. */
#include "base/compat.h"

#include "cli/early.h"

bool early_has_header(const struct request *request)
{
    return request->format == FORMAT_CSV || request->format == FORMAT_TABLE || request->verbose;
}

void early_tell_facts(const struct request *request, struct facts *facts)
{
    const struct settings *settings = &request->settings;

    if (settings->dry_run)
        return;
    for (unsigned i = 0; i < settings->target_count; i++)
        if (!(target_driver_for(settings->targets[i])->capabilities & TARGET_FILES))
            return;
    facts_read("", settings->targets, settings->target_count, facts);
    if (early_has_header(request))
        facts_print(facts, settings->targets);
}
