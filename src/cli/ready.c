/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ready.c - all targets are examined before the first is filled, and closed in reverse order. */
#include "base/compat.h"

#include "cli/ready.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "cli/outputs.h"
#include "cli/targets.h"
#include "os/os.h"
#include "run/plan.h"
#include "run/stop.h"
#include "run/team.h"

/* Shares (1/N) of --max-time for filling all targets, and for removing their objects. */
#define FILL_SHARE    10
#define REMOVAL_SHARE 10

static void fill_progress(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes)
{
    char done[UNITS_TEXT], total[UNITS_TEXT];
    (void)arg;
    log_progress("%s: %s of %s", what, units_format_bytes((double)done_bytes, done),
                 units_format_bytes((double)total_bytes, total));
}

void ready_name_run(const struct ready *ready, unsigned target, enum targets_run run,
                    char name[TARGET_RUN_NAME_MAX + 1])
{
    const struct settings *settings = ready->settings;
    char made_up[32], number[16] = "";

    if (settings->target_count > 1)
        snprintf(number, sizeof(number), "-%u", target + 1);
    snprintf(made_up, sizeof(made_up), "%08" PRIx32 "%s", ready->request->chance, number);
    targets_run_name(settings, settings->run_name ? settings->run_name : made_up, run, name);
}

static struct target_request request_for(const struct ready *ready, unsigned i, bool dry_run)
{
    const struct settings *settings = ready->settings;
    struct target_request request = targets_request(settings, i);
    struct stat st;

    request.use_bytes = ready->request->length_given ? settings->file_bytes : 0;
    /* Existing objects are opened for reading only, unless a write test was requested by name (then
     * the target refuses with a reason) or permitted. */
    request.writes = settings_have_test(settings, TEST_WRITE) &&
                     (ready->request->tests_given || stat(settings->targets[i], &st) < 0 ||
                      (!(S_ISREG(st.st_mode) && !settings->overwrite) &&
                       !(S_ISBLK(st.st_mode) && !settings->destroy_data)));
    request.size_bytes = ready->sizes.value;
    request.size_count = ready->sizes.count;
    request.dry_run = dry_run;
    request.replaces = settings->replace;
    request.progress = fill_progress;
    request.fill_ns = settings->max_time_ns / FILL_SHARE / settings->target_count;
    if (settings->max_time_ns && !request.fill_ns) /* 0 would be no limit */
        request.fill_ns = 1;
    request.run_name = ready->each[i].run_name;
    return request;
}

static void add_size(struct units_list *sizes, uint64_t size_bytes)
{
    sizes->value = mem_realloc_array(sizes->value, sizes->count + 1, sizeof(*sizes->value));
    sizes->value[sizes->count++] = size_bytes;
}

/* Lists the sizes that some part measures, as far as they are known. */
static int list_sizes(struct ready *ready, struct error *err)
{
    units_list_free(&ready->sizes);
    for (const struct settings *part = ready->settings; part; part = part->next) {
        struct units_list sizes;
        if (plan_sizes(part, &ready->known, &sizes, err) < 0)
            return -1;
        for (size_t i = 0; i < sizes.count; i++)
            add_size(&ready->sizes, sizes.value[i]);
        units_list_free(&sizes);
    }
    if (ready->settings->next)
        ready->sizes.count = number_distinct(ready->sizes.value, ready->sizes.count);
    return 0;
}

static bool has_usual_sizes(const struct settings *run)
{
    for (; run; run = run->next)
        if (settings_usual_sizes(run))
            return true;
    return false;
}

static bool has_full_size(const struct settings *run)
{
    for (; run; run = run->next)
        for (size_t i = 0; i < run->sizes.count; i++)
            if (run->sizes.value[i] == UNITS_SIZE_FULL)
                return true;
    return false;
}

/* Finds the sizes that a kept run was made for, if the usual ones are used of it. */
static int find_kept_sizes(struct ready *ready, struct error *err)
{
    const struct settings *settings = ready->settings;

    if (!(settings->existing || settings->reuse) || !has_usual_sizes(settings))
        return 0;
    for (unsigned i = 0; i < settings->target_count; i++) {
        const struct target_request request = request_for(ready, i, true);
        const struct storage_driver *driver = storage_driver_for(request.target);
        uint64_t *found = NULL;
        size_t count = 0;
        if (driver->kept_sizes && driver->kept_sizes(&request, &found, &count, err) < 0)
            return -1;
        for (size_t k = 0; k < count; k++)
            if (found[k] <= PLAN_IO_BYTES_MAX)
                add_size(&ready->known.kept, found[k]);
        free(found);
    }
    ready->known.kept.count = number_distinct(ready->known.kept.value, ready->known.kept.count);
    return list_sizes(ready, err);
}

/* Refuses --sizes full where it means nothing. */
static int check_full_sizes(const struct settings *settings, struct error *err)
{
    for (unsigned i = 0; i < settings->target_count && has_full_size(settings); i++)
        if (!(storage_driver_for(settings->targets[i])->capabilities & TARGET_SHAPED) &&
            !settings->existing)
            return error_refuse(err, STATUS_USAGE, "--sizes full: objects have no length yet in",
                                settings->targets[i],
                                "give their size, or read existing data with -r");
    return 0;
}

/* Refuses what cannot be measured, and announces what is going to be done, as far as both are known
 * before anything is. */
static int look_at_plan(struct ready *ready, struct target *const *targets, struct error *err)
{
    struct plan plan = {.cell_count = 0};
    bool ours = ready->team->size == 1 && outputs_have_header(ready->request), writable = false;
    int result = 0;

    for (unsigned i = 0; i < ready->target_count; i++) {
        ours = ours && targets[i]->ours;
        writable = writable || targets[i]->writable;
    }
    if (!writable) /* its tests are not decided yet */
        return 0;
    result = plan_make(ready->settings, &ready->known, targets, &plan, err);
    ready->announced = result == 0 && ours;
    if (ready->announced)
        dryrun_announce(ready->settings, targets, &plan);
    plan_free(&plan);
    return result;
}

/* Examines all targets before the first is filled: the last one may be mistyped. */
static int check_targets(struct ready *ready, struct error *err)
{
    const struct settings *settings = ready->settings;
    const unsigned count = settings->target_count;
    struct target_request *requests = mem_calloc(count, sizeof(*requests));
    struct target **targets = mem_calloc(count, sizeof(struct target *));
    const bool full = has_full_size(settings);
    unsigned opened = 0;
    int result = 0;

    while (result == 0 && opened < count) {
        requests[opened] = request_for(ready, opened, true);
        if (full) /* the targets decide what that is */
            requests[opened].size_count = 0;
        result = target_open(&requests[opened], &targets[opened], err);
        opened += result == 0;
    }
    if (result == 0 && full) {
        for (unsigned i = 0; i < opened; i++)
            add_size(&ready->known.full,
                     targets[i]->object_count ? targets[i]->length_bytes[0] : 0);
        result = list_sizes(ready, err);
    }
    if (result == 0 && !settings->dry_run)
        result = look_at_plan(ready, targets, err);
    while (opened-- > 0)
        if (targets[opened]->driver->close(targets[opened], err) < 0)
            result = -1;
    free(requests);
    free(targets);
    return result;
}

/* Whether objects will be created in a target. */
static bool makes_something(const struct settings *settings, unsigned target)
{
    return !settings->existing && !settings->reuse &&
           storage_keeps_runs(storage_driver_for(settings->targets[target])) &&
           !targets_is_file(settings->targets[target]);
}

/* Whether some target will get test objects of --file-size. */
static bool creates_files(const struct settings *settings)
{
    bool creates = false;

    for (unsigned i = 0; i < settings->target_count; i++)
        creates =
            creates || (storage_driver_for(settings->targets[i])->capabilities & TARGET_SHAPED &&
                        !targets_is_file(settings->targets[i]));
    return creates && !settings->existing && !settings->reuse;
}

/* Prints facts first if files are going to be filled, which may take minutes, so that the user can
 * stop at the sight of the wrong disk. Otherwise the header prints them before the first row: an
 * engine may still be refused, and then only that error is printed. */
static void tell_facts(const struct ready *ready, struct facts *facts)
{
    const struct settings *settings = ready->settings;

    if (settings->dry_run || !creates_files(settings))
        return;
    for (unsigned i = 0; i < settings->target_count; i++)
        if (!(storage_driver_for(settings->targets[i])->capabilities & TARGET_FILES))
            return;
    facts_read("", settings->targets, settings->target_count, facts);
    if (outputs_have_header(ready->request) && !ready->team->rank)
        facts_print(facts, settings->targets, outputs_brief_header(ready->request));
}

/* --replace: removes an earlier run of the name, exactly the objects in its manifest. check:
 * removes nothing yet, but refuses one that could not be removed completely; a dry run checks it
 * only if that sends no requests. */
static int replace_runs(const struct ready *ready, bool check, struct error *err)
{
    const struct settings *settings = ready->settings;

    for (unsigned i = 0; i < settings->target_count && !flag_read(&stop_flag); i++) {
        const struct storage_driver *driver = storage_driver_for(settings->targets[i]);
        const struct clean_request request = {.target = settings->targets[i],
                                              .run_name = ready->each[i].run_name,
                                              .may_miss = true,
                                              .check = check,
                                              .options = settings_of_driver(settings, driver),
                                              .stop = &stop_flag};
        struct clean_outcome outcome;
        char text[1024];
        int code = 0;

        if (targets_request(settings, i).joins ||
            (settings->dry_run && !(driver->capabilities & TARGET_FILES)))
            continue;
        code = target_clean(&request, &outcome, err);
        if (outcome.objects > 0 || outcome.runs > 0)
            log_info("# %s: %" PRIu64 " %s%s of an earlier run %s removed",
                     error_printable(settings->targets[i], text, sizeof(text)), outcome.objects,
                     driver->noun, outcome.objects == 1 ? "" : "s", ready->each[i].run_name);
        if (code < 0)
            return -1;
    }
    return 0;
}

int ready_look(struct ready *ready, struct error *err)
{
    const struct settings *settings = ready->settings;

    ready->each = mem_calloc(settings->target_count, sizeof(*ready->each));
    ready->targets = mem_calloc(settings->target_count, sizeof(struct target *));
    ready->target_count = settings->target_count;
    for (unsigned i = 0; i < settings->target_count; i++)
        ready_name_run(ready, i, TARGETS_RUN_OWN, ready->each[i].run_name);
    if (find_kept_sizes(ready, err) < 0 || check_full_sizes(settings, err) < 0)
        return -1;
    if (((ready->team->size > 1 && !settings->dry_run) || settings->target_count > 1 ||
         creates_files(settings) || has_full_size(settings)) &&
        check_targets(ready, err) < 0)
        return -1;
    return settings->replace ? replace_runs(ready, true, err) : 0;
}

static int open_target(struct ready *ready, unsigned i, struct error *err)
{
    const struct settings *settings = ready->settings;
    const struct target_request *request = &ready->each[i].request;
    char text[1024];

    if (makes_something(settings, i) && !settings->dry_run)
        stop_may_leave();
    if (target_open(request, &ready->targets[i], err) < 0) {
        ready->removed =
            /* the target removes what it had created so far */
            !settings->existing && !settings->reuse;
        return -1;
    }
    if (request->verify && !request->shared && !request->dry_run && ready->targets[i]->writable &&
        ready->targets[i]->content_known)
        ready->targets[i]->trace = trace_new(ready->targets[i]->length_bytes,
                                             ready->targets[i]->object_count, !request->reuse);
    log_step("# ready: %s, %s", error_printable(ready->targets[i]->place, text, sizeof(text)),
             ready->targets[i]->description);
    if (!ready->team->rank)
        facts_print_extents(ready->targets[i]);
    return 0;
}

/* Whether another rank creates the run; a dry run does not wait for it. */
static bool is_joined(const struct target_request *request)
{
    return request->joins && !request->dry_run;
}

static int open_targets(struct ready *ready, struct facts *facts, struct error *err)
{
    const struct settings *settings = ready->settings;

    tell_facts(ready, facts);
    if (settings->replace && !settings->dry_run && replace_runs(ready, false, err) < 0)
        return -1;
    for (unsigned i = 0; i < settings->target_count && !flag_read(&stop_flag); i++) {
        ready->each[i].request = request_for(ready, i, settings->dry_run);
        if (!is_joined(&ready->each[i].request) && open_target(ready, i, err) < 0)
            return -1;
    }
    return 0;
}

/* Opens the run of the next rank, for tests that change nothing. */
static int open_next(struct ready *ready, unsigned i, struct error *err)
{
    struct target_request *next = &ready->each[i].next_request;
    struct target *own = ready->targets[i];

    *next = targets_request_next(&ready->each[i].request);
    ready_name_run(ready, i, TARGETS_RUN_NEXT, ready->each[i].next_name);
    next->run_name = ready->each[i].next_name;
    return own->driver->open(next, &own->reads_from, err);
}

static int join_targets(struct ready *ready, struct error *err)
{
    const struct settings *settings = ready->settings;

    for (unsigned i = 0; i < settings->target_count; i++) {
        if (is_joined(&ready->each[i].request) && open_target(ready, i, err) < 0)
            return -1;
        if (targets_read_next(settings, i) && !settings->dry_run && open_next(ready, i, err) < 0)
            return -1;
    }
    return 0;
}

/* A write test that was not requested by name is left out where it would touch a user's data. (The
 * target has already refused a requested one.) */
static void tell_unwritable(const struct ready *ready)
{
    char text[512];

    if (!settings_any_test(ready->settings, test_changes))
        return;
    for (unsigned i = 0; i < ready->target_count; i++)
        if (!ready->targets[i]->writable)
            log_info("# %s exists and is only read; no write test",
                     error_printable(ready->targets[i]->label, text, sizeof(text)));
}

int ready_check(struct ready *ready, const struct request *request, struct team *team,
                struct error *err)
{
    const struct settings *settings = &request->settings;

    *ready = (struct ready){.request = request, .team = team, .settings = settings};
    if (settings->max_time_ns)
        ready->end_ns = number_plus(clock_now(&clock_monotonic),
                                    settings->max_time_ns - settings->max_time_ns / REMOVAL_SHARE);
    if (targets_check(settings, err) < 0 || list_sizes(ready, err) < 0)
        return -1;
    return plan_check(settings, creates_files(settings), err);
}

int ready_open(struct ready *ready, struct facts *facts, struct error *err)
{
    ready->looked = true;
    return open_targets(ready, facts, err) < 0 || flag_read(&stop_flag) ? -1 : 0;
}

int ready_join(struct ready *ready, struct facts *facts, struct error *err)
{
    ready->opened = true;
    if (ready->team->size > 1 && join_targets(ready, err) < 0)
        return -1;
    tell_unwritable(ready);
    if (!ready->settings
             ->dry_run) /* before this thread is pinned, which is not a fact of the machine */
        facts_ensure(facts, (const struct target *const *)ready->targets, ready->target_count);
    return 0;
}

int ready_add_counters(const struct ready *ready)
{
    uint64_t values[TARGET_COUNTERS];
    int code = 0;

    for (unsigned i = 0; ready->team->size > 1 && i < ready->target_count && code == 0; i++) {
        const struct target *target = ready->targets[i];
        size_t count;
        if (!target->driver->counters)
            continue;
        count = target->driver->counters(target, values, false);
        code = ready->team->add(ready->team, values, count);
        if (code == 0 && !ready->team->rank)
            (void)target->driver->counters(target, values, true);
    }
    return code;
}

void ready_summarise(const struct ready *ready)
{
    for (unsigned i = 0; i < ready->target_count; i++)
        if (ready->targets[i]->driver->summarise)
            ready->targets[i]->driver->summarise(ready->targets[i]);
}

static void close_target(struct ready *ready, struct target *target, struct error *err)
{
    struct error own = ERROR_INIT;
    char place[1024];

    if (!target)
        return;
    if (!target->request->dry_run)
        log_step("# %s %s", target->ours && !target->request->keep ? "removing" : "leaving",
                 error_printable(target->place, place, sizeof(place)));
    ready->removed = ready->removed || (target->ours && !target->request->keep);
    ready->left = ready->left || (target->ours && target->request->keep);
    trace_free(target->trace);
    if (target->driver->close(target, &own) == 0)
        return;
    /* The first error ends the program; this one must not be lost. */
    ready->refused = true;
    if (own.errnum == EINTR || own.errnum == EPIPE) /* not a normal end here: objects are left */
        own.errnum = 0;
    /* closing a lost run detects it again, with more details */
    if (error_is_set(err) &&
        !(own.errnum == ESTALE && err->errnum == ESTALE && strcmp(own.object, err->object) == 0)) {
        char text[1024];
        log_error("%s", error_format(&own, text, sizeof(text)));
    } else {
        *err = own;
    }
}

void ready_leave(struct ready *ready, struct error *err)
{
    for (unsigned i = ready->target_count; i > 0; i--) {
        struct target **own = &ready->targets[i - 1];
        if (*own) {
            close_target(ready, (*own)->reads_from, err);
            (*own)->reads_from = NULL;
        }
        if (*own && is_joined((*own)->request)) {
            close_target(ready, *own, err);
            *own = NULL;
        }
    }
}

void ready_close(struct ready *ready, enum status status, struct error *err)
{
    const bool failed = error_is_set(err);

    log_progress_clear();
    for (unsigned i = ready->target_count; i > 0; i--)
        close_target(ready, ready->targets[i - 1], err);
    if (!failed && error_is_set(err) && status != STATUS_OK)
        err->status = status;
    free(ready->each);
    free(ready->targets);
    units_list_free(&ready->sizes);
    units_list_free(&ready->known.kept);
    units_list_free(&ready->known.full);
}

/* Whether a run of that name in a target belongs to this team and not to the user: directories were
 * examined before, otherwise all ranks must have opened theirs; a random name is unique. */
static bool is_of_team(const struct ready *ready, const char *target)
{
    return ready->opened || !ready->settings->run_name ||
           storage_driver_for(target)->capabilities & TARGET_FILES;
}

void ready_tell_left(struct ready *ready, bool met)
{
    const struct settings *settings = ready->settings;
    const struct team_loss *loss = &ready->team->loss;
    const bool lost = settings->ranks > 1 && (ready->team->lost || !met);
    const bool one = settings->share == TEAM_SHARE_ALL && !settings->hosts_per_target;

    ready->apart = !met;
    /* without a team the target has printed it already; a shared run is the only one */
    if (ready->team->rank || settings->ranks == 1 || !ready->looked ||
        (!lost && (!ready->left || one)))
        return;
    for (unsigned i = 0; i < settings->target_count; i++) {
        char name[TARGET_RUN_NAME_MAX + 1], text[1024];

        error_printable(settings->targets_label ? "TARGET..." : settings->targets[i], text,
                        sizeof(text));
        ready_name_run(ready, i, TARGETS_RUN_COMMON, name);
        if (!lost)
            log_info("# so are those of all ranks; to remove them: iosweep clean --run-name %s %s",
                     name, text);
        else if (makes_something(settings, i) && !settings->dry_run &&
                 is_of_team(ready, settings->targets[i]))
            log_error("ranks may have left %ss%s%s; to remove them: iosweep clean --force "
                      "--run-name %s %s",
                      storage_driver_for(settings->targets[i])->noun, loss->host[0] ? " on " : "",
                      loss->host, name, text);
    }
}
