/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* clean.c - which runs `iosweep clean` removes.  Data is at stake, so what was not named is not
 * touched: a name takes that run alone, or those of the ranks of a team that had it, several runs
 * go together only when told so, and what is alive or damaged stays. */
#include "base/compat.h"

#include "storage/clean.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"

struct clean_run *clean_add(struct clean_runs *runs, char *name, char *place)
{
    struct clean_run *run;

    runs->run = mem_grow(runs->run, &runs->room, runs->count + 1, sizeof(*runs->run));
    run = &runs->run[runs->count++];
    *run = (struct clean_run){.name = name, .place = place};
    return run;
}

void clean_run_free(struct clean_run *run)
{
    free(run->name);
    free(run->place);
    free(run->data);
}

void clean_free(struct clean_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        clean_run_free(&runs->run[i]);
    free(runs->run);
    *runs = (struct clean_runs){0};
}

int clean_refuse_alive(const char *place, int64_t wait_s, struct error *err)
{
    error_set(err, STATUS_TARGET, 0, "in use by a running iosweep:", place);
    if (wait_s > 0)
        return error_advise(
            err,
            "wait until it ends, or stop it; if it was killed, wait another %" PRId64
            " s; iosweep clean --force removes it anyway",
            wait_s);
    return error_advise(err,
                        "wait until it ends, or stop it; iosweep clean --force removes it anyway");
}

/* ---- lists ---- */

static const char *age_text(int64_t begun_s, char *text, size_t size)
{
    const int64_t age_s = (int64_t)time(NULL) - begun_s;
    const int64_t age_min = age_s / 60;

    if (begun_s == 0 || age_s < 0)
        return "of unknown age";
    if (age_s < 60)
        snprintf(text, size, "%" PRId64 " s old", age_s);
    else if (age_min < 60)
        snprintf(text, size, "%" PRId64 " min old", age_min);
    else if (age_min < 48 * 60)
        snprintf(text, size, "%" PRId64 " h %" PRId64 " min old", age_min / 60, age_min % 60);
    else
        snprintf(text, size, "%" PRId64 " days old", age_min / (24 * 60));
    return text;
}

static void print_line(const struct clean_request *request, const char *line)
{
    if (request->list)
        fprintf(request->list, "%s\n", line);
    else
        log_info("# %s", line);
}

static int list_run(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_run *run, struct error *err)
{
    char place[1024], bytes[UNITS_TEXT], age[UNITS_TEXT * 2], *line;

    error_printable(run->place, place, sizeof(place));
    if (error_is_set(&run->why)) {
        line = mem_printf("%s: cannot be removed; %s", place,
                          run->why.advice[0] != '\0' ? run->why.advice : strerror(run->why.errnum));
    } else {
        if (hooks->look(hooks->arg, run, err) != 0)
            return -1;
        line =
            mem_printf("%s: %" PRIu64 " %s%s, %s, %s%s", place, run->objects, hooks->noun,
                       run->objects == 1 ? "" : "s", units_format_bytes((double)run->bytes, bytes),
                       age_text(run->begun_s, age, sizeof(age)),
                       run->alive ? ", in use by a running iosweep" : "");
    }
    print_line(request, line);
    free(line);
    return 0;
}

static int list_all(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_runs *runs, struct clean_outcome *outcome, struct error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct clean_run *run = &runs->run[i];

        if (flag_read(request->stop) != 0)
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while listing",
                             request->target);
        if (list_run(request, hooks, run, err) != 0)
            return -1;
        if (error_is_set(&run->why) || (run->alive && !request->force)) {
            outcome->left++;
            outcome->alive += !error_is_set(&run->why);
            continue;
        }
        outcome->runs++;
        outcome->objects += run->objects;
        outcome->bytes += run->bytes;
    }
    return 0;
}

/* ---- decisions ---- */

static bool is_number(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0' &&
           (text[0] != '0' || text[1] == '\0');
}

bool clean_names(const struct clean_request *request, const char *run_name)
{
    static const char rank[] = "-rank";
    const size_t length = request->run_name ? strlen(request->run_name) : 0;
    const char *rest = run_name + length;

    if (!length || strncmp(run_name, request->run_name, length) != 0)
        return false;
    return *rest == '\0' ||
           (request->team &&
            (strcmp(rest, "-shared") == 0 ||
             (strncmp(rest, rank, strlen(rank)) == 0 && is_number(rest + strlen(rank)))));
}

static bool has_exactly(const struct clean_runs *runs, const char *run_name)
{
    for (size_t i = 0; i < runs->count; i++)
        if (strcmp(runs->run[i].name, run_name) == 0)
            return true;
    return false;
}

/* Only the run of that name stays in the list, or where there is none those of a team. */
static int pick_by_name(const struct clean_request *request, struct clean_runs *runs,
                        struct error *err)
{
    const bool exactly = has_exactly(runs, request->run_name);
    size_t kept = 0;

    for (size_t i = 0; i < runs->count; i++) {
        if (exactly ? strcmp(runs->run[i].name, request->run_name) == 0
                    : clean_names(request, runs->run[i].name))
            runs->run[kept++] = runs->run[i];
        else
            clean_run_free(&runs->run[i]);
    }
    runs->count = kept;
    if (kept > 0 || request->may_miss)
        return 0;
    return error_refuse(err, STATUS_TARGET, "no such run:", request->run_name,
                        "iosweep clean --dry-run %s lists the runs there", request->target);
}

/* Runs that could go, those that are alive among them. */
static unsigned count_runs(const struct clean_runs *runs)
{
    unsigned count = 0;

    for (size_t i = 0; i < runs->count; i++)
        count += !error_is_set(&runs->run[i].why);
    return count;
}

static int refuse_several(const struct clean_request *request, const struct clean_hooks *hooks,
                          struct clean_runs *runs, struct error *err)
{
    struct clean_outcome ignored = {0};

    if (list_all(request, hooks, runs, &ignored, err) != 0)
        return -1;
    return error_refuse(err, STATUS_USAGE, "several runs found, none removed:", request->target,
                        "name one with --run-name, or give --all");
}

/* Each run that had to be left is named; what is returned in the end is the one,
 * or says how many. */
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

static int remove_all(const struct clean_request *request, const struct clean_hooks *hooks,
                      struct clean_runs *runs, struct clean_outcome *outcome, struct error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        struct clean_run *run = &runs->run[i];
        struct error own = run->why;

        if (flag_read(request->stop) != 0) {
            *err = ERROR_INIT; /* what was left has its turn when clean is run again */
            return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while cleaning",
                             request->target);
        }
        if (!error_is_set(&own) && run->alive && !request->force)
            clean_refuse_alive(run->place, run->wait_s, &own);
        if (!error_is_set(&own) &&
            hooks->remove(hooks->arg, run, request->force, outcome, &own) == 0)
            outcome->runs++;
        else
            note_left(outcome, &own, err);
    }
    if (outcome->left == 0)
        return 0;
    if (outcome->left > 1) {
        *err = ERROR_INIT;
        error_set(err, STATUS_TARGET, 0, "not everything could be removed from", request->target);
        error_advise(err, "%u are left, see above", outcome->left);
    }
    return -1;
}

static int check_all(const struct clean_hooks *hooks, const struct clean_runs *runs,
                     struct error *err)
{
    for (size_t i = 0; i < runs->count; i++) {
        const struct clean_run *run = &runs->run[i];

        if (error_is_set(&run->why)) {
            *err = run->why;
            return -1;
        }
        if (run->alive)
            return clean_refuse_alive(run->place, run->wait_s, err);
        if (hooks->check(hooks->arg, run, err) != 0)
            return -1;
    }
    return 0;
}

int clean_carry_out(const struct clean_request *request, const struct clean_hooks *hooks,
                    struct clean_runs *runs, struct clean_outcome *outcome, struct error *err)
{
    if (request->run_name && pick_by_name(request, runs, err) != 0)
        return -1;
    if (request->check)
        return check_all(hooks, runs, err);
    if (request->dry_run)
        return list_all(request, hooks, runs, outcome, err);
    if (!request->all && !request->run_name && count_runs(runs) > 1)
        return refuse_several(request, hooks, runs, err);
    return remove_all(request, hooks, runs, outcome, err);
}
