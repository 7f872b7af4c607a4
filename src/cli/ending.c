/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* ending.c - reports the problems of a sweep, and determines its exit status. */
#include "base/compat.h"

#include "cli/ready.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/text.h"
#include "base/units.h"
#include "run/stop.h"

/* Closing a target reports that it was lost. */
static bool tell_exhausted(const struct ready *ready)
{
    bool any = false;
    char text[160];

    for (unsigned i = 0; i < ready->target_count; i++) {
        if (!target_exhausted(ready->targets[i], text, sizeof(text)))
            continue;
        any = true;
        if (!atomic_load(&ready->targets[i]->lost))
            log_error("%s; rows are incomplete", text);
    }
    return any;
}

static void tell_operations(uint64_t count, const char *what, const char *first, const char *advice)
{
    if (count)
        log_error("%" PRIu64 " operation%s %s; the first: %s%s", count, count == 1 ? "" : "s", what,
                  first, advice);
}

static unsigned rows_of(const struct sweep_outcome *outcome)
{
    return outcome->rows_complete + outcome->rows_incomplete + outcome->rows_skipped;
}

/* Reports which time limit left rows incomplete. */
static void tell_time(const struct sweep_outcome *outcome, const struct settings *settings)
{
    const unsigned undone = outcome->rows_incomplete - outcome->rows_empty;
    const unsigned rows = rows_of(outcome);
    char limit[UNITS_TEXT], share[TEXT_SHARE];

    text_share(undone, rows, "row", share);
    if (settings->max_time_ns)
        log_error("--max-time %s was too short for %s; raise it",
                  units_format_span(settings->max_time_ns, limit), share);
    else if (settings->cell_time_ns)
        log_error("--time was too short for %s; raise it", share);
    else
        log_error("%s did not finish in time; raise --time", share);
}

enum status ending_of(const struct sweep_outcome *outcome, const struct ready *ready)
{
    char share[TEXT_SHARE];
    bool exhausted;

    tell_operations(outcome->wrong, "found wrong data", outcome->first[TROUBLE_WRONG], "");
    tell_operations(outcome->failed, "failed", outcome->first[TROUBLE_FAILED], "");
    tell_operations(outcome->short_count, "moved fewer bytes than asked",
                    outcome->first[TROUBLE_SHORT], "; --allow-short accepts files that end early");
    if (outcome->first_unready[0])
        log_error("%s; the rows that need it are incomplete", outcome->first_unready);
    if (outcome->gave_up)
        log_error("--max-errors ended the run: too many operations failed; --max-errors 0 means no "
                  "limit");
    if (outcome->steps_gave_up)
        log_error("too many operations failed in %u step%s: the rest of %s was not done",
                  outcome->steps_gave_up, outcome->steps_gave_up == 1 ? "" : "s",
                  outcome->steps_gave_up == 1 ? "it" : "them");
    if (outcome->requested > outcome->counted) /* requests may cost money */
        log_info("# %" PRIu64 " operations were done, of which %" PRIu64
                 " do not count: they warmed up, or kept the load on while others ended",
                 outcome->requested, outcome->requested - outcome->counted);
    exhausted = tell_exhausted(ready);
    if (outcome->rows_empty)
        log_error("%s found none of what test create makes: other rows removed it, or it was never "
                  "made",
                  text_share(outcome->rows_empty, rows_of(outcome), "row", share));
    if (outcome->rows_incomplete > outcome->rows_empty && !outcome->failed &&
        !outcome->short_count && !outcome->wrong && !exhausted && !outcome->first_unready[0] &&
        !flag_read(&stop_flag))
        tell_time(outcome, ready->settings);
    if (outcome->wrong)
        return STATUS_WRONG_DATA;
    if (!outcome->rows_complete && !outcome->rows_incomplete) {
        log_error("nothing could be measured: all rows were skipped (%s); see iosweep help skipped",
                  outcome->skip);
        return STATUS_PARTIAL;
    }
    return outcome->failed || outcome->short_count || outcome->rows_incomplete ? STATUS_PARTIAL
                                                                               : STATUS_OK;
}

static void tell_interrupted(const struct ready *ready)
{
    log_error("interrupted%s", ready->refused   ? "; what is left is named above"
                               : ready->apart   ? "; other ranks may have left test files: "
                                                  "iosweep clean removes them"
                               : ready->left    ? "; test files are left in place"
                               : ready->removed ? "; test files are removed"
                                                : "; no test files were made");
}

enum status ending_status(enum status status, const struct ready *ready, struct error *err)
{
    /* The reader of the results closed the pipe: a normal end, reported by the status alone. A
     * broken connection to a target is not. */
    if (err->errnum == EPIPE && err->status == STATUS_PARTIAL) {
        *err = ERROR_INIT;
        return (enum status)(128 + SIGPIPE);
    }
    if (!flag_read(&stop_flag))
        return error_is_set(err) ? err->status : status;
    if (!error_is_set(err) || err->errnum == EINTR) {
        *err = ERROR_INIT;
        tell_interrupted(ready);
    } else { /* errors of cleanup are reported, too */
        err->status = (enum status)stop_status();
    }
    return (enum status)stop_status();
}
