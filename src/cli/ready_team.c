/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ready_team.c - see ready_team.h. */
#include "base/compat.h"

#include "cli/ready_team.h"

#include <inttypes.h>

#include "base/log.h"
#include "cli/targets_team.h"

/* A run of rank 0 alone has told that itself, and a shared one is all there is. */
void ready_tell_kept(const struct ready *ready)
{
    const struct settings *settings = ready->settings;
    char text[1024];

    if (ready->team->rank || !ready->left || settings->ranks == 1 ||
        (settings->share == TEAM_SHARE_ALL && !settings->hosts_per_target))
        return;
    for (unsigned i = 0; i < settings->target_count; i++) {
        struct settings alone = *settings;
        char name[TARGET_RUN_NAME_MAX + 1];

        alone.ranks = 1; /* the name without a rank */
        ready_name_run(ready, &alone, i, TARGETS_RUN_OWN, name);
        log_info("# so are those of all ranks; to remove them: iosweep clean --run-name %s %s",
                 name,
                 error_printable(settings->targets_label ? "TARGET..." : settings->targets[i], text,
                                 sizeof(text)));
    }
}

static void remove_run(const struct ready *ready, const struct team_loss *loss, const char *target,
                       const char *run_name)
{
    static const volatile int never = 0; /* a signal that ends the run does not end this */
    const struct team_member *member = ready->team->member;
    const struct target_driver *driver = target_driver_for(target);
    const struct clean_request request = {.target = target,
                                          .run_name = run_name,
                                          .force = true, /* its owner is gone */
                                          .may_miss = true,
                                          .options = settings_of_driver(ready->settings, driver),
                                          .stop = &never};
    struct clean_outcome outcome;
    struct error err = ERROR_INIT;
    char text[1024];
    const int code = target_clean(&request, &outcome, &err);

    if (code < 0)
        log_error("%s", error_format(&err, text, sizeof(text)));
    error_printable(target, text, sizeof(text));
    if (code == 0 && outcome.runs > 0)
        log_info("# %s: %" PRIu64 " %s%s of rank %" PRIu32 " removed", text, outcome.objects,
                 driver->noun, outcome.objects == 1 ? "" : "s", loss->rank);
    else if (code < 0 || member[loss->rank].host_index != member[0].host_index)
        log_warn("%ss of rank %" PRIu32 " may be left; to remove them, on %s: "
                 "iosweep clean --force --run-name %s %s",
                 driver->noun, loss->rank, loss->host, run_name, text);
}

void ready_remove_lost(const struct ready *ready)
{
    struct settings settings;
    struct team_loss loss;

    if (ready->team->rank || ready->settings->ranks == 1 || ready->settings->keep ||
        !ready->team->lost(ready->team, &loss))
        return;
    settings = targets_of_rank(ready->request, ready->team, loss.rank);
    for (unsigned i = 0; i < settings.target_count; i++) {
        char name[TARGET_RUN_NAME_MAX + 1];

        if (!targets_makes_run(&settings, i))
            continue;
        ready_name_run(ready, &settings, i, TARGETS_RUN_OWN, name);
        remove_run(ready, &loss, settings.targets[i], name);
    }
}
