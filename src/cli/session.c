/* SPDX-License-Identifier: GPL-2.0-or-later */
/* session.c - opens what a sweep needs, in an order that fails early and leaves nothing behind: the
 * settings are checked, then the output files are opened, then the targets made ready, then
 * measured.  Everything is undone in reverse. */
#include "base/compat.h"

#include "cli/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/dryrun.h"
#include "cli/early.h"
#include "cli/outfile.h"
#include "cli/targets.h"
#include "os/os.h"
#include "report/facts/facts.h"
#include "report/formats/formats.h"
#include "run/plan.h"
#include "run/reference.h"
#include "run/stop.h"
#include "run/sweep.h"

#define SINKS_MAX      7
#define RUN_NAME_BYTES 32

struct session {
    const struct request *request;
    const struct settings *settings;
    struct settings narrowed; /* tests left out that no target allows */
    struct units_list sizes, kept; /* kept: of runs that are read */
    struct outfile output, raw, series;
    struct target_request *target_requests;
    char (*run_names)[RUN_NAME_BYTES];
    struct target **targets;
    unsigned target_count;
    bool removed, left; /* what this run made, in the end */
    bool refused;       /* a target could not be rid of it; said already */
    struct sink sinks[SINKS_MAX];
    unsigned sink_count;
    struct facts facts;
};

/* --- output files ---
 * Opened early, so that a wrong name is told at once; emptied late, when the run is sure to start.
 */

/* Empties what an earlier run wrote, when nothing speaks against any of the files. */
static int start_out_files(void *arg, struct error *err)
{
    struct session *session = arg;
    const struct target *const *targets = (const struct target *const *)session->targets;

    if (outfile_check(&session->output, targets, session->target_count, err) < 0 ||
        outfile_check(&session->raw, targets, session->target_count, err) < 0 ||
        outfile_check(&session->series, targets, session->target_count, err) < 0 ||
        outfile_empty(&session->output, err) < 0 || outfile_empty(&session->raw, err) < 0)
        return -1;
    return outfile_empty(&session->series, err);
}

static int open_out_files(struct session *session, struct error *err)
{
    const struct request *request = session->request;
    const bool whole = request->format == FORMAT_PROMETHEUS; /* somebody may read at any time */

    if ((!request->output || session->settings->dry_run) && outfile_check_stdout(err) < 0)
        return -1;
    if (session->settings->dry_run)
        return 0;
    if (outfile_open(session->settings, request->output, whole, &session->output, err) < 0 ||
        outfile_open(session->settings, request->raw, false, &session->raw, err) < 0 ||
        outfile_open(session->settings, request->series, false, &session->series, err) < 0 ||
        outfile_check_distinct(&session->output, &session->raw,
                               "--output and --raw are the same file:", err) < 0 ||
        outfile_check_distinct(&session->output, &session->series,
                               "--output and --series are the same file:", err) < 0)
        return -1;
    if (outfile_check_distinct(&session->raw, &session->series,
                               "--raw and --series are the same file:", err) < 0 ||
        outfile_lock(&session->output, err) < 0 || outfile_lock(&session->raw, err) < 0)
        return -1;
    return outfile_lock(&session->series, err);
}

/* --- sinks --- */

static bool wants_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "utf-8");
    }
    return false;
}

static int add_format(struct session *session, enum format format, FILE *stream, const char *name,
                      struct error *err)
{
    const struct request *request = session->request;
    const struct format_options options = {.columns = request->columns,
                                           .separator = request->separator,
                                           .decimal = request->decimal,
                                           .label = request->label,
                                           .utf8 = wants_utf8(),
                                           .width = os_terminal_columns(STDOUT_FILENO),
                                           .facts = &session->facts,
                                           .name = name};

    if (format_make(format, stream, &options, &session->sinks[session->sink_count], err) < 0)
        return -1;
    session->sink_count++;
    return 0;
}

static int make_sinks(struct session *session, struct error *err)
{
    const struct request *request = session->request;
    const enum format format = (enum format)request->format;

    if (early_has_header(request))
        format_make_header(&session->facts, &session->sinks[session->sink_count++]);
    if (request->output) {
        if (add_format(session, format, session->output.stream, request->output, err) < 0)
            return -1;
        /* The file gets the data; a person at the terminal still sees the curve. */
        if (isatty(STDOUT_FILENO) && !request->quiet &&
            add_format(session, FORMAT_TABLE, stdout, NULL, err) < 0)
            return -1;
    } else if (add_format(session, format, stdout, NULL, err) < 0) {
        return -1;
    }
    if (request->raw) {
        if (format_make_raw(session->raw.stream, request->label,
                            &session->sinks[session->sink_count], err) < 0)
            return -1;
        session->sink_count++;
    }
    if (session->settings->interval_ns)
        format_make_series(session->series.stream, request->series, request->separator,
                           request->decimal, request->show_time,
                           &session->sinks[session->sink_count++]);
    format_make_progress(&session->sinks[session->sink_count++]);
    if (format != FORMAT_CLASSIC && format_make_findings(&session->sinks[session->sink_count]) == 0)
        session->sink_count++;
    return 0;
}

/* --- targets --- */

static void fill_progress(void *arg, const char *what, uint64_t done_bytes, uint64_t total_bytes)
{
    char done[UNITS_TEXT], total[UNITS_TEXT];
    (void)arg;
    log_progress("%s: %s of %s", what, units_format_bytes((double)done_bytes, done),
                 units_format_bytes((double)total_bytes, total));
}

static void name_run(char *name, uint32_t chance, unsigned index, unsigned count)
{
    if (count > 1)
        snprintf(name, RUN_NAME_BYTES, "%08" PRIx32 "-%u", chance, index + 1);
    else
        snprintf(name, RUN_NAME_BYTES, "%08" PRIx32, chance);
}

/* What exists is opened for reading only, unless a write test was asked for by name (then the target
 * refuses, and says why) or allowed. */
static bool may_write(const struct settings *settings, unsigned target)
{
    struct stat st;

    if (stat(settings->targets[target], &st) < 0)
        return true;
    return !(S_ISREG(st.st_mode) && !settings->overwrite) &&
           !(S_ISBLK(st.st_mode) && !settings->destroy_data);
}

static struct target_request request_for(const struct session *session, unsigned i, bool dry_run)
{
    const struct settings *settings = session->settings;
    struct target_request request = targets_request(settings, i);

    request.use_bytes = session->request->length_given ? settings->file_bytes : 0;
    request.writes = option_chosen(&settings->tests, TEST_WRITE) &&
                     (session->request->tests_given || may_write(settings, i));
    request.size_bytes = session->sizes.value;
    request.size_count = session->sizes.count;
    request.dry_run = dry_run;
    request.progress = fill_progress;
    if (!request.named)
        request.run_name = session->run_names[i];
    return request;
}

static int by_size(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

/* A kept run that is read without sizes: in those that it was made for. */
static int take_kept_sizes(struct session *session, struct error *err)
{
    const struct settings *settings = session->settings;
    struct units_list *sizes = &session->kept;
    size_t distinct = 1;

    if (!settings->existing || settings->sizes.count || session->request->scan_given)
        return 0;
    for (unsigned i = 0; i < settings->target_count; i++) {
        const struct target_request request = request_for(session, i, true);
        const struct target_driver *driver = target_driver_for(request.target);
        uint64_t *found = NULL;
        size_t count = 0;
        if (driver->kept_sizes && driver->kept_sizes(&request, &found, &count, err) < 0)
            return -1;
        sizes->value = mem_realloc_array(sizes->value, sizes->count + count + 1, sizeof *found);
        for (size_t k = 0; k < count; k++)
            if (found[k] <= PLAN_IO_BYTES_MAX)
                sizes->value[sizes->count++] = found[k];
        free(found);
    }
    if (!sizes->count)
        return 0;
    qsort(sizes->value, sizes->count, sizeof *sizes->value, by_size);
    for (size_t k = 1; k < sizes->count; k++)
        if (sizes->value[k] != sizes->value[distinct - 1])
            sizes->value[distinct++] = sizes->value[k];
    sizes->count = distinct;
    session->narrowed = *settings;
    session->narrowed.sizes = *sizes;
    session->settings = &session->narrowed;
    units_list_free(&session->sizes);
    return plan_sizes(session->settings, &session->sizes, err);
}

/* Looks at all targets before the first is filled: the last one may be a typing error. */
static int check_targets(const struct session *session, struct error *err)
{
    const struct settings *settings = session->settings;

    for (unsigned i = 0; i < settings->target_count; i++) {
        const struct target_request request = request_for(session, i, true);
        const struct target_driver *driver = target_driver_for(request.target);
        struct target *target = NULL;
        if (driver->open(&request, &target, err) < 0 || driver->close(target, err) < 0)
            return -1;
    }
    return 0;
}

/* Some target will get test objects of --file-size. */
static bool creates_files(const struct settings *settings)
{
    struct stat st;

    if (settings->existing)
        return false;
    for (unsigned i = 0; i < settings->target_count; i++) {
        const unsigned can = target_driver_for(settings->targets[i])->capabilities;
        if (can & TARGET_SHAPED && (!(can & TARGET_FILES) || (stat(settings->targets[i], &st) == 0 &&
                                                              S_ISDIR(st.st_mode))))
            return true;
    }
    return false;
}

/* Something is about to be made in a target. */
static bool makes_something(const struct settings *settings, unsigned target)
{
    struct stat st;

    if (settings->existing || settings->dry_run ||
        !target_driver_for(settings->targets[target])->clean)
        return false;
    return stat(settings->targets[target], &st) < 0 || S_ISDIR(st.st_mode);
}

static int open_targets(struct session *session, struct error *err)
{
    const struct settings *settings = session->settings;
    char text[1024];
    const uint32_t chance = (uint32_t)os_random_number();

    session->target_requests = mem_calloc(settings->target_count, sizeof *session->target_requests);
    session->run_names = mem_calloc(settings->target_count, sizeof *session->run_names);
    session->targets = mem_calloc(settings->target_count, sizeof(struct target *));
    for (unsigned i = 0; i < settings->target_count; i++)
        name_run(session->run_names[i], chance, i, settings->target_count);
    if (take_kept_sizes(session, err) < 0)
        return -1;
    settings = session->settings;
    if ((settings->target_count > 1 || creates_files(settings)) && check_targets(session, err) < 0)
        return -1;
    if (creates_files(settings))
        early_tell_facts(session->request, &session->facts);
    for (unsigned i = 0; i < settings->target_count && !flag_read(&stop_flag); i++) {
        struct target_request *request = &session->target_requests[i];
        *request = request_for(session, i, settings->dry_run);
        if (makes_something(settings, i))
            stop_may_leave();
        if (target_driver_for(request->target)->open(request, &session->targets[i], err) < 0) {
            session->removed = !settings->existing; /* by itself, what it had made so far */
            return -1;
        }
        session->target_count++;
        log_step("# ready: %s, %s", error_printable(session->targets[i]->place, text, sizeof text),
                 session->targets[i]->description);
        facts_print_extents(session->targets[i]);
    }
    return 0;
}

/* A write test that was not asked for by name is left out where it would touch a user's data.  (One
 * that was asked for, the target has refused.) */
static void settle_tests(struct session *session)
{
    const struct settings *settings = session->settings;
    bool writable = false, changes = false;
    char text[512];

    for (unsigned i = 0; i < settings->tests.count; i++)
        changes = changes || test_changes((enum io_test)settings->tests.index[i]);
    if (!changes)
        return;
    for (unsigned i = 0; i < session->target_count; i++) {
        const struct target *target = session->targets[i];
        writable = writable || target->writable;
        if (!target->writable)
            log_info("# %s exists and is only read; no write test",
                     error_printable(target->label, text, sizeof text));
    }
    session->narrowed = *settings;
    if (!writable)
        session->narrowed.tests.count = 0;
    for (unsigned i = 0; !writable && i < settings->tests.count; i++)
        if (!test_changes((enum io_test)settings->tests.index[i]))
            session->narrowed.tests.index[session->narrowed.tests.count++] =
                settings->tests.index[i];
    session->settings = &session->narrowed;
}

static void close_targets(struct session *session, struct error *err)
{
    log_progress_clear();
    for (unsigned i = session->target_count; i > 0; i--) {
        struct target *target = session->targets[i - 1];
        struct error own = ERROR_INIT;
        char place[1024];
        if (!target->request->dry_run)
            log_step("# %s %s", target->ours && !target->request->keep ? "removing" : "leaving",
                     error_printable(target->place, place, sizeof place));
        session->removed = session->removed || (target->ours && !target->request->keep);
        session->left = session->left || (target->ours && target->request->keep);
        if (target->driver->close(target, &own) < 0) {
            /* The first error ends the program; this one must not be lost. */
            session->refused = true;
            if (own.errnum == EINTR) /* is no end like any other: something is left */
                own.errnum = 0;
            if (error_is_set(err)) {
                char text[1024];
                log_error("%s", error_format(&own, text, sizeof text));
            } else {
                *err = own;
            }
        }
    }
    free(session->target_requests);
    free(session->run_names);
    free(session->targets);
}

/* --- the run --- */

/* Closing a target says that it was lost. */
static bool tell_exhausted(const struct session *session)
{
    bool any = false;
    char text[160];

    for (unsigned i = 0; i < session->target_count; i++) {
        if (!target_exhausted(session->targets[i], text, sizeof text))
            continue;
        any = true;
        if (!atomic_load(&session->targets[i]->lost))
            log_error("%s; rows are incomplete", text);
    }
    return any;
}

static enum status status_of(const struct session *session, const struct sweep_outcome *outcome)
{
    bool exhausted;

    if (outcome->wrong)
        log_error("%" PRIu64 " operation%s found wrong data; the first: %s", outcome->wrong,
                  outcome->wrong == 1 ? "" : "s", outcome->first_wrong);
    if (outcome->failed) {
        log_error("%" PRIu64 " operation%s failed; the first: %s", outcome->failed,
                  outcome->failed == 1 ? "" : "s", outcome->first_failure);
    }
    if (outcome->short_count)
        log_error("%" PRIu64 " operation%s moved fewer bytes than asked; the first: %s; files that "
                  "end early are let through by --allow-short",
                  outcome->short_count, outcome->short_count == 1 ? "" : "s", outcome->first_short);
    if (outcome->first_unready[0])
        log_error("%s; the rows that need it are incomplete", outcome->first_unready);
    if (outcome->gave_up)
        log_error("--max-errors ended the run: too many operations failed; 0 there means no limit");
    exhausted = tell_exhausted(session);
    if (outcome->rows_incomplete && !outcome->failed && !outcome->short_count && !outcome->wrong &&
        !exhausted && !outcome->first_unready[0] &&
        !flag_read(&stop_flag))
        log_error("--max-time ran out before %u of %u rows were done",
                  outcome->rows_incomplete,
                  outcome->rows_complete + outcome->rows_incomplete + outcome->rows_skipped);
    if (outcome->wrong)
        return STATUS_WRONG_DATA;
    if (!outcome->rows_complete && !outcome->rows_incomplete) {
        log_error("no size could be measured: all %u rows were skipped", outcome->rows_skipped);
        return STATUS_PARTIAL;
    }
    return outcome->failed || outcome->short_count || outcome->rows_incomplete ? STATUS_PARTIAL : STATUS_OK;
}

/* Before this thread is pinned, which is not a fact about the machine. */
static void read_facts(struct session *session)
{
    const char **places;

    if (session->facts.read)
        return;
    places = mem_calloc(session->target_count + 1, sizeof(*places));
    for (unsigned i = 0; i < session->target_count; i++)
        places[i] = session->targets[i]->place;
    facts_read("", places, session->target_count, &session->facts);
    free(places);
}

static void summarise(const struct session *session)
{
    for (unsigned i = 0; i < session->target_count; i++)
        if (session->targets[i]->driver->summarise)
            session->targets[i]->driver->summarise(session->targets[i]);
}

static enum status measure_cells(struct session *session, const struct plan *plan, struct error *err)
{
    struct reference reference = {.fd = -1};
    struct sweep sweep = {
        .settings = session->settings,
        .plan = plan,
        .targets = session->targets,
        .clock = &clock_monotonic,
        .clock_quality = clock_measure(&clock_monotonic),
        .loop_ns = reference_loop_ns(&clock_monotonic),
        .sinks = session->sinks,
        .sink_count = session->sink_count,
        .stop = &stop_flag,
        .ready = start_out_files,
        .ready_arg = session,
    };
    struct sweep_outcome outcome;
    int code;

    read_facts(session);
    if (session->settings->reference == REFERENCE_MEMORY)
        reference_open(&reference);
    if (reference.fd >= 0)
        sweep.reference = &reference;
    code = sweep_run(&sweep, &outcome, err);
    reference_close(&reference);
    if (code < 0)
        return err->status;
    log_progress_clear();
    summarise(session);
    return status_of(session, &outcome);
}

/* What would be done to the targets, and how long it would take. */
static enum status tell(const struct session *session, const struct plan *plan, struct error *err)
{
    const enum status status =
        dryrun_print(stdout, session->settings, session->targets, plan, err);

    summarise(session);
    return status;
}

static enum status run(struct session *session, struct error *err)
{
    enum status status = STATUS_PARTIAL;
    struct plan plan;
    bool failed;

    if (targets_check(session->settings, err) < 0 ||
        plan_sizes(session->settings, &session->sizes, err) < 0 ||
        plan_check(session->settings, creates_files(session->settings), err) < 0)
        return err->status;
    if (open_out_files(session, err) < 0)
        return err->status;
    if (!session->settings->dry_run && make_sinks(session, err) < 0)
        return err->status;
    if (open_targets(session, err) == 0 && !flag_read(&stop_flag)) {
        settle_tests(session);
        if (plan_make(session->settings, session->targets, &plan, err) == 0) {
            status = session->settings->dry_run
                         ? tell(session, &plan, err)
                         : measure_cells(session, &plan, err);
            plan_free(&plan);
        }
    }
    failed = error_is_set(err);
    close_targets(session, err);
    /* Files that cannot be removed do not hide how the measuring ended. */
    if (!failed && error_is_set(err) && status != STATUS_OK)
        err->status = status;
    return error_is_set(err) ? err->status : status;
}

enum status session_sweep(const struct request *request, struct error *err)
{
    struct session session = {.request = request, .settings = &request->settings};
    enum status status;

    log_progress_enable(isatty(STDERR_FILENO) && !request->quiet && !request->no_progress);
    mem_on_failure(target_abandon);
    status = run(&session, err);
    for (unsigned i = 0; i < session.sink_count; i++)
        format_free(&session.sinks[i]);
    facts_free(&session.facts);
    units_list_free(&session.sizes);
    units_list_free(&session.kept);
    outfile_close(&session.output, err);
    outfile_close(&session.raw, err);
    outfile_close(&session.series, err);
    log_progress_clear();
    if (err->errnum == EPIPE) { /* the reader went away: an end like any other, said by status */
        *err = ERROR_INIT;
        return (enum status)(128 + SIGPIPE);
    }
    if (flag_read(&stop_flag)) {
        if (!error_is_set(err) || err->errnum == EINTR) {
            *err = ERROR_INIT;
            log_error("interrupted%s", session.refused   ? "; what is left is named above"
                                       : session.left    ? "; test files are left in place"
                                       : session.removed ? "; test files are removed"
                                                         : "; no test files were made");
        }
        if (error_is_set(err)) /* what could not be put in order is told, too */
            err->status = (enum status)stop_status();
        return (enum status)stop_status();
    }
    return error_is_set(err) ? err->status : status;
}
