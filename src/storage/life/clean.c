/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clean.c - determines which runs `iosweep clean` removes.  Data is at stake, so only requested
 * runs are touched: a name selects that run, or those of the ranks of a team that had it; several
 * runs are removed only if requested explicitly; runs that are alive or damaged stay. */
#include "base/compat.h"

#include "storage/life/clean.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"

#define RUNS_MOST 100000u /* per target */

struct cleaner {
    const struct clean_request *request;
    const struct clean_hooks *hooks;
    struct clean_run *run;
    size_t count, room;
};

static void free_run(struct clean_run *run)
{
    free(run->name);
    free(run->place);
    free(run->path);
    life_manifest_free(&run->seen.manifest);
}

/* ---- finding runs ---- */

/* Whether the request includes a run of this name. */
static bool is_named(const struct clean_request *request, const char *run_name)
{
    static const char rank[] = "-rank";
    const size_t length = request->run_name ? strlen(request->run_name) : 0;
    const char *rest = run_name + length, *digits = rest + strlen(rank);

    if (!length || strncmp(run_name, request->run_name, length) != 0)
        return false;
    return *rest == '\0' ||
           (request->team && (strcmp(rest, "-shared") == 0 ||
                              (strncmp(rest, rank, strlen(rank)) == 0 && digits[0] != '\0' &&
                               digits[strspn(digits, "0123456789")] == '\0' &&
                               (digits[0] != '0' || digits[1] == '\0'))));
}

/* Adds a name that may be that of a run.  If the request names one, others are not examined: that
 * would take their lock for a moment, in which their owner would find them in use. */
static int add_candidate(void *arg, const char *run_name, struct error *err)
{
    struct cleaner *cleaner = arg;
    struct clean_run *run;

    if (!target_run_name_valid(run_name) ||
        (cleaner->request->run_name && !is_named(cleaner->request, run_name)))
        return 0;
    if (cleaner->count == RUNS_MOST) {
        error_set(err, STATUS_TARGET, 0, "far too many runs are listed, the last one:", run_name);
        return error_advise(err, "name the one to be removed with --run-name");
    }
    cleaner->run =
        mem_grow(cleaner->run, &cleaner->room, cleaner->count + 1, sizeof(*cleaner->run));
    run = &cleaner->run[cleaner->count++];
    *run = (struct clean_run){.name = mem_strdup(run_name)};
    cleaner->hooks->find(cleaner->hooks->arg, run);
    return 0;
}

static int refuse_place(const struct clean_run *run, const char *why, struct error *err)
{
    *err = ERROR_INIT;
    return error_refuse(err, STATUS_TARGET, "left in place:", run->place,
                        "%s; look into it and remove it by hand", why);
}

/* Examines a place, for use until it is released.  Returns 1: it is a run; 0: it is not iosweep's;
 * -1: it must be left. */
static int look_at(const struct cleaner *cleaner, struct clean_run *run, struct error *err)
{
    const struct clean_hooks *hooks = cleaner->hooks;
    struct error own = ERROR_INIT;

    life_manifest_free(&run->seen.manifest);
    run->seen = (struct life_run){.age_s = -1};
    run->seen.found = hooks->look(hooks->arg, run, is_named(cleaner->request, run->name), &own);
    if (run->seen.found == LIFE_INVALID)
        return refuse_place(run, own.advice[0] != '\0' ? own.advice : "its manifest is not valid",
                            err);
    if (run->seen.found == LIFE_ERROR) {
        *err = own;
        return -1;
    }
    run->alive = life_is_alive(&run->seen, &run->wait_s);
    return run->seen.found != LIFE_ABSENT;
}

static void release(const struct cleaner *cleaner)
{
    if (cleaner->hooks->release)
        cleaner->hooks->release(cleaner->hooks->arg);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct clean_run *)a)->name, ((const struct clean_run *)b)->name);
}

/* Keeps in the list runs and places that must be left. */
static void look_at_all(struct cleaner *cleaner)
{
    size_t kept = 0;

    if (cleaner->count > 0)
        qsort(cleaner->run, cleaner->count, sizeof(*cleaner->run), by_name);
    for (size_t i = 0; i < cleaner->count; i++) {
        struct clean_run *run = &cleaner->run[i];

        if (look_at(cleaner, run, &run->why) != 0)
            cleaner->run[kept++] = *run;
        else
            free_run(run);
        release(cleaner);
    }
    cleaner->count = kept;
}

/* Finds the runs of the ranks of a team that had the name. */
static int find_team(struct cleaner *cleaner, struct error *err)
{
    const struct clean_hooks *hooks = cleaner->hooks;
    char *shared = mem_printf("%s-shared", cleaner->request->run_name);
    char *ranks = mem_printf("%s-rank", cleaner->request->run_name);
    int code = add_candidate(cleaner, shared, err);

    if (code == 0)
        code = hooks->list(hooks->arg, ranks, add_candidate, cleaner, err);
    free(shared);
    free(ranks);
    return code;
}

/* A named run is found without a list, which may be long or outdated. */
static int find_runs(struct cleaner *cleaner, struct error *err)
{
    const struct clean_request *request = cleaner->request;
    const struct clean_hooks *hooks = cleaner->hooks;
    int code;

    if (hooks->only)
        code = add_candidate(cleaner, hooks->only, err);
    else if (request->run_name)
        code = add_candidate(cleaner, request->run_name, err);
    else
        code = hooks->list(hooks->arg, "", add_candidate, cleaner, err);
    if (code == 0)
        look_at_all(cleaner);
    if (code == 0 && cleaner->count == 0 && request->team && request->run_name && !hooks->only) {
        code = find_team(cleaner, err);
        if (code == 0)
            look_at_all(cleaner);
    }
    return code;
}

/* ---- lists ---- */

static int list_run(const struct cleaner *cleaner, struct clean_run *run, struct life_tally *tally,
                    struct error *err)
{
    const struct clean_hooks *hooks = cleaner->hooks;
    const int64_t age_s = (int64_t)time(NULL) - run->seen.begun_s;
    const bool aged = run->seen.begun_s != 0 && age_s >= 0;
    char place[1024], bytes[UNITS_TEXT], age[UNITS_TEXT], *line;

    error_printable(run->place, place, sizeof(place));
    if (error_is_set(&run->why)) {
        line = mem_printf("%s: cannot be removed; %s", place,
                          run->why.advice[0] != '\0' ? run->why.advice : strerror(run->why.errnum));
    } else {
        if (hooks->go_over(hooks->arg, run, LIFE_COUNT, tally, err) != 0)
            return -1;
        line = mem_printf(
            "%s: %" PRIu64 " %s%s, %s, %s%s%s", place, tally->objects, hooks->noun,
            tally->objects == 1 ? "" : "s", units_format_bytes((double)tally->bytes, bytes),
            aged ? units_format_span((uint64_t)age_s * NS_PER_S, age) : "of unknown age",
            aged ? " old" : "", run->alive ? ", in use by a running iosweep" : "");
    }
    if (cleaner->request->list)
        fprintf(cleaner->request->list, "%s\n", line);
    else
        log_info("# %s", line);
    free(line);
    return 0;
}

static int list_all(const struct cleaner *cleaner, struct clean_outcome *outcome, struct error *err)
{
    for (size_t i = 0; i < cleaner->count; i++) {
        struct clean_run *run = &cleaner->run[i];
        struct life_tally tally = {.stop = cleaner->request->stop};

        if (flag_read(cleaner->request->stop) != 0)
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                             cleaner->request->target);
        if (list_run(cleaner, run, &tally, err) != 0)
            return -1;
        if (error_is_set(&run->why) || (run->alive && !cleaner->request->force)) {
            outcome->left++;
            outcome->alive += !error_is_set(&run->why);
            continue;
        }
        outcome->runs++;
        outcome->objects += tally.objects;
        outcome->bytes += tally.bytes;
    }
    return 0;
}

/* ---- decisions ---- */

static int refuse_several(const struct cleaner *cleaner, struct error *err)
{
    struct clean_outcome ignored = {0};

    if (list_all(cleaner, &ignored, err) != 0)
        return -1;
    return error_refuse(err, STATUS_USAGE,
                        "several runs found, none removed:", cleaner->request->target,
                        "name one with --run-name, or give --all");
}

/* Reports each run that had to be left.  The final error is that of the only one, or the number of
 * them. */
static void note_left(struct clean_outcome *outcome, const struct error *own, struct error *err)
{
    char text[1024];

    outcome->left++;
    if (outcome->left == 1) {
        *err = *own;
        return;
    }
    if (outcome->left == 2)
        log_error("%s", error_format(err, text, sizeof(text)));
    log_error("%s", error_format(own, text, sizeof(text)));
}

/* Examines the run again, since others may have changed it, and removes it.  Returns 0 or -1. */
static int remove_run(const struct cleaner *cleaner, struct clean_run *run,
                      struct clean_outcome *outcome, struct error *err)
{
    const struct clean_hooks *hooks = cleaner->hooks;
    const bool force = cleaner->request->force;
    struct life_tally tally = {.stop = cleaner->request->stop, .force = force};
    int code;

    if (run->alive && !force)
        return life_refuse_alive(run->place, run->wait_s, err);
    code = look_at(cleaner, run, err);
    if (code > 0 && run->alive && !force)
        code = life_refuse_alive(run->place, run->wait_s, err);
    else if (code > 0)
        code = hooks->go_over(hooks->arg, run, LIFE_REMOVE, &tally, err);
    release(cleaner);
    outcome->objects += tally.objects;
    outcome->bytes += tally.bytes;
    return code;
}

static int remove_all(const struct cleaner *cleaner, struct clean_outcome *outcome,
                      struct error *err)
{
    const char *target = cleaner->request->target;

    for (size_t i = 0; i < cleaner->count; i++) {
        struct clean_run *run = &cleaner->run[i];
        struct error own = run->why;

        if (flag_read(cleaner->request->stop) != 0) {
            *err = ERROR_INIT; /* the next clean handles the runs left */
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while cleaning", target);
        }
        if (!error_is_set(&own) && remove_run(cleaner, run, outcome, &own) == 0)
            outcome->runs++;
        else
            note_left(outcome, &own, err);
    }
    if (outcome->left == 0)
        return 0;
    if (outcome->left > 1) {
        *err = ERROR_INIT;
        error_set(err, STATUS_TARGET, 0, "not everything could be removed from", target);
        error_advise(err, "%u are left, see above", outcome->left);
    }
    return -1;
}

static int check_all(const struct cleaner *cleaner, struct error *err)
{
    const struct clean_hooks *hooks = cleaner->hooks;
    struct life_tally ignored = {0};

    for (size_t i = 0; i < cleaner->count; i++) {
        struct clean_run *run = &cleaner->run[i];

        if (error_is_set(&run->why)) {
            *err = run->why;
            return -1;
        }
        if (hooks->only) /* the target itself would be removed, and then be missing */
            return error_refuse(err, STATUS_TARGET,
                                "the run to replace is the target itself:", run->place,
                                "name the target that it was made in");
        if (run->alive)
            return life_refuse_alive(run->place, run->wait_s, err);
        if (hooks->go_over(hooks->arg, run, LIFE_CHECK, &ignored, err) != 0)
            return -1;
    }
    return 0;
}

static int carry_out(const struct cleaner *cleaner, struct clean_outcome *outcome,
                     struct error *err)
{
    const struct clean_request *request = cleaner->request;
    unsigned runs = 0; /* that can be removed, including those alive */

    for (size_t i = 0; i < cleaner->count; i++)
        runs += !error_is_set(&cleaner->run[i].why);
    if (request->run_name && cleaner->count == 0 && !request->may_miss)
        return life_refuse_missing(request->run_name, request->target, NULL, err);
    if (cleaner->count == 0 && !request->run_name && cleaner->hooks && cleaner->hooks->none)
        log_info("# %s", cleaner->hooks->none);
    if (request->check)
        return check_all(cleaner, err);
    if (request->dry_run)
        return list_all(cleaner, outcome, err);
    if (!request->all && !request->run_name && runs > 1)
        return refuse_several(cleaner, err);
    return remove_all(cleaner, outcome, err);
}

int clean_carry_out(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_outcome *outcome, struct error *err)
{
    struct cleaner cleaner = {.request = request, .hooks = hooks};
    int code = hooks ? find_runs(&cleaner, err) : 0;

    if (code == 0)
        code = carry_out(&cleaner, outcome, err);
    for (size_t i = 0; i < cleaner.count; i++)
        free_run(&cleaner.run[i]);
    free(cleaner.run);
    return code;
}
