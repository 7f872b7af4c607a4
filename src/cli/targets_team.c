/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* targets_team.c - see targets.h. Nothing here communicates: each rank derives the same from the
 * command line and the hosts of the ranks. */
#include "base/compat.h"

#include "cli/targets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- assignment of targets to ranks ---- */

/* The index of a host's target. */
static unsigned place_of(const struct settings *settings, const struct team_member *member)
{
    return settings->hosts_per_target ? (unsigned)(member->host_index / settings->hosts_per_target)
                                      : 0;
}

static void find_users(struct settings *settings, const struct team *team)
{
    const struct team_member *self = &team->member[team->rank];
    const unsigned place = place_of(settings, self);

    settings->rank = team->rank;
    settings->ranks = team->size;
    settings->hosts = team->host_count;
    settings->users = 0;
    settings->maker = team->rank;
    settings->follows = false;
    for (uint32_t i = 1; i <= team->size; i++) { /* this rank comes last */
        const uint32_t rank = (uint32_t)(((uint64_t)team->rank + i) % team->size);
        if (place_of(settings, &team->member[rank]) != place)
            continue;
        if (settings->users++ == 0)
            settings->next_rank = rank;
        if (rank < settings->maker)
            settings->maker = rank;
        if (rank < team->rank && team->member[rank].host_index == self->host_index)
            settings->follows = true;
    }
}

/* Rows cover all hosts: what can be measured on one must be measurable on all. */
static int check_kinds(const struct settings *settings, struct error *err)
{
    const struct storage_driver *first = storage_driver_for(settings->targets[0]);

    for (unsigned i = 1; i < settings->target_count; i++) {
        const struct storage_driver *driver = storage_driver_for(settings->targets[i]);
        if (driver != first)
            return error_refuse(
                err, STATUS_USAGE,
                "all hosts need targets of the same kind; this one differs:", settings->targets[i],
                "a row covers all hosts: start a team for each kind");
    }
    return 0;
}

static int divide_targets(struct request *request, const struct team *team, struct error *err)
{
    struct settings *settings = &request->settings;
    const uint64_t hosts = settings->hosts_per_target * settings->target_count;
    const unsigned target = place_of(settings, &team->member[team->rank]);
    char text[64];

    if (!settings->hosts_per_target)
        return 0;
    if (check_kinds(settings, err) < 0)
        return -1;
    if (hosts != team->host_count) {
        snprintf(text, sizeof(text), "%" PRIu64, settings->hosts_per_target);
        return error_refuse(err, STATUS_USAGE, "hosts and targets do not match: --hosts-per-target",
                            text, "%u target%s %s %" PRIu64 " hosts, and the team has %" PRIu32,
                            settings->target_count, settings->target_count == 1 ? "" : "s",
                            settings->target_count == 1 ? "takes" : "take", hosts,
                            team->host_count);
    }
    for (unsigned i = 0; i < settings->target_count; i++)
        mem_append(&request->targets_label, "%s%s", i ? "+" : "", settings->targets[i]);
    for (; settings; settings = settings->next) {
        settings->targets += target;
        settings->target_count = 1;
        settings->targets_label = request->targets_label;
    }
    return 0;
}

/* ---- restrictions of teams ---- */

/* Whether the target is used through a run, which has a name. */
static bool has_run(const struct settings *settings, unsigned target)
{
    const char *place = settings->targets[target];

    return storage_keeps_runs(storage_driver_for(place)) && !targets_is_file(place) &&
           (!settings->existing || settings->run_name);
}

static int check_share(const struct settings *settings, struct error *err)
{
    const char *option = settings->share == TEAM_SHARE_ALL ? "--share all" : "--share shift";

    for (unsigned i = 0; i < settings->target_count; i++) {
        const char *target = settings->targets[i];
        if (settings->share != TEAM_SHARE_NONE && !storage_keeps_runs(storage_driver_for(target)))
            return error_refuse(err, STATUS_USAGE, "ranks do not see each other's objects in",
                                target, "leave out %s", option);
        if (settings->share == TEAM_SHARE_SHIFT && !has_run(settings, i))
            return error_refuse(err, STATUS_USAGE,
                                "--share shift is for test files of ranks, not for", target,
                                "leave it out: all ranks read what is there");
        if ((settings->overwrite || settings->destroy_data) && targets_is_file(target) &&
            settings->share != TEAM_SHARE_ALL)
            return error_refuse(err, STATUS_USAGE,
                                "several ranks would write to the same data:", target,
                                "--share all allows that; with --hosts-per-target hosts have "
                                "targets of their own");
    }
    return 0;
}

static int check_name(const struct settings *settings, struct error *err)
{
    char longest[32], text[64];
    size_t room;

    snprintf(longest, sizeof(longest), "-rank%" PRIu32, settings->ranks - 1);
    room = TARGET_RUN_NAME_MAX - strlen(longest);
    if (settings->share == TEAM_SHARE_ALL)
        room = TARGET_RUN_NAME_MAX - strlen("-shared");
    if (!settings->run_name || strlen(settings->run_name) <= room)
        return 0;
    snprintf(text, sizeof(text), "too long as a run name for %" PRIu32 " ranks:", settings->ranks);
    return error_refuse(err, STATUS_USAGE, text, settings->run_name,
                        "use at most %zu characters: ranks add such as %s", room,
                        settings->share == TEAM_SHARE_ALL ? "-shared" : longest);
}

int targets_divide(struct request *request, const struct team *team, struct error *err)
{
    struct settings *settings = &request->settings;

    find_users(settings, team);
    if (divide_targets(request, team, err) < 0)
        return -1;
    if (settings->ranks == 1)
        return 0;
    if (settings->users > 1 && check_share(settings, err) < 0)
        return -1;
    return check_name(settings, err);
}

/* ---- requests ---- */

void targets_join(const struct settings *settings, unsigned target, struct target_request *request)
{
    const bool run = has_run(settings, target);

    request->label = settings->targets_label;
    if (settings->ranks == 1)
        return;
    request->named = settings->run_name || run;
    request->team_name = settings->run_name;
    request->missing =
        "read a kept run of a team with the same --share, and with no more ranks than created it";
    if (!run || settings->share == TEAM_SHARE_ALL)
        request->follows = settings->follows;
    if (run && !settings->existing && settings->share == TEAM_SHARE_ALL && settings->users > 1) {
        request->shared = true;
        request->joins = settings->rank != settings->maker;
    } else if (!run) { /* so that the data written by other ranks are known, too */
        request->seed = settings->team_seed + target;
    }
}

void targets_run_name(const struct settings *settings, const char *name, enum targets_run run,
                      char text[TARGET_RUN_NAME_MAX + 1])
{
    /* existing runs are not created, so the next rank's can be used directly */
    const bool next =
        run == TARGETS_RUN_NEXT || (settings->share == TEAM_SHARE_SHIFT && settings->existing);
    char end[32];

    if (settings->ranks == 1 || run == TARGETS_RUN_COMMON)
        end[0] = '\0';
    else if (settings->share == TEAM_SHARE_ALL)
        snprintf(end, sizeof(end), "-shared");
    else
        snprintf(end, sizeof(end), "-rank%" PRIu32, next ? settings->next_rank : settings->rank);
    snprintf(text, TARGET_RUN_NAME_MAX + 1, "%.*s%s", (int)(TARGET_RUN_NAME_MAX - strlen(end)),
             name, end);
}

bool targets_read_next(const struct settings *settings, unsigned target)
{
    const struct step *step;
    bool reads = false;

    for (unsigned i = 0; (step = settings_step(settings, i)); i++)
        reads = reads || (!test_changes(step->test) && !step->created);
    return reads && settings->share == TEAM_SHARE_SHIFT && settings->users > 1 &&
           !settings->existing && has_run(settings, target);
}

struct target_request targets_request_next(const struct target_request *own)
{
    struct target_request next = *own;

    next.joins = true;
    next.shared = next.writes = next.keep = false;
    return next;
}
