/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ready_team.c - cleanup of other ranks' runs by rank 0. */
#include "base/compat.h"

#include "cli/ready.h"

#include <inttypes.h>

#include "base/log.h"

/* Without a team the target has printed it already; a shared run is the only one. */
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

/* A signal that ends the run does not interrupt the cleanup. */
static const volatile int never = 0;

/* Removes the run of a rank: of a lost rank by force, otherwise only if no process holds it.
 * Returns -1 on failure, 1: there is no run, else 0. */
static int remove_run(const struct ready *ready, uint32_t rank, const char *target,
                      const char *run_name, bool force)
{
    const struct storage_driver *driver = storage_driver_for(target);
    const struct clean_request request = {.target = target,
                                          .run_name = run_name,
                                          .force = force,
                                          .may_miss = true,
                                          .options = settings_of_driver(ready->settings, driver),
                                          .stop = &never};
    struct clean_outcome outcome;
    struct error err = ERROR_INIT;
    char text[1024];
    const int code = target_clean(&request, &outcome, &err);

    if (code < 0 && force)
        log_error("%s", error_format(&err, text, sizeof(text)));
    if (code == 0 && outcome.runs > 0)
        log_info("# %s: %" PRIu64 " %s%s of rank %" PRIu32 " removed",
                 error_printable(target, text, sizeof(text)), outcome.objects, driver->noun,
                 outcome.objects == 1 ? "" : "s", rank);
    return code < 0 ? -1 : outcome.runs == 0;
}

/* Whether a run of that name belongs to this team and not to the user: directories were examined
 * before, otherwise all ranks must have opened theirs; a random name is unique. */
static bool is_of_team(const struct ready *ready, const char *target)
{
    return ready->opened || !ready->settings->run_name ||
           storage_driver_for(target)->capabilities & TARGET_FILES;
}

/* loss: of the lost rank; NULL: some rank did not reach the end, and its remaining runs show which
 * one. */
static void remove_runs(const struct ready *ready, uint32_t rank, const struct team_loss *loss)
{
    const struct settings settings = targets_of_rank(ready->request, ready->team, rank);
    const struct team_member *member = ready->team->member;
    const bool here = member[rank].host_index == member[ready->team->rank].host_index;

    for (unsigned i = 0; i < settings.target_count; i++) {
        char name[TARGET_RUN_NAME_MAX + 1], text[1024];
        int code;

        if (!targets_makes_run(&settings, i) || !is_of_team(ready, settings.targets[i]))
            continue;
        ready_name_run(ready, &settings, i, TARGETS_RUN_OWN, name);
        code = remove_run(ready, rank, settings.targets[i], name, loss != NULL);
        /* the other host may have a different directory */
        if (code < 0 || (loss && code > 0 && !here))
            log_warn("%ss of rank %" PRIu32 " may be left; to remove them%s%s: "
                     "iosweep clean %s--run-name %s %s",
                     storage_driver_for(settings.targets[i])->noun, rank, loss ? ", on " : "",
                     loss ? loss->host : "", loss ? "--force " : "", name,
                     error_printable(settings.targets[i], text, sizeof(text)));
    }
}

void ready_remove_lost(struct ready *ready, bool met)
{
    struct team_loss loss;

    ready->apart = !met;
    if (ready->team->rank || ready->settings->ranks == 1 || ready->settings->keep || !ready->looked)
        return;
    if (ready->team->lost(ready->team, &loss)) {
        remove_runs(ready, loss.rank, &loss);
        return;
    }
    for (uint32_t rank = 1; !met && rank < ready->team->size; rank++)
        remove_runs(ready, rank, NULL);
}
