/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* main.c - the program in one page: options, targets, plan, sweep, status. One line reports an
 * error, and the exit status its class. Only main prints errors that end the run, and only main
 * ends the process. */
#include "base/compat.h"

#include "base/clock.h"
#include "base/color.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/meet.h"
#include "cli/options.h"
#include "cli/outputs.h"
#include "cli/ready.h"
#include "cli/targets.h"
#include "os/os.h"
#include "run/reference.h"
#include "run/stop.h"
#include "run/team.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static enum status measure_cells(const struct ready *ready, const struct plan *plan,
                                 struct outputs *outputs, struct error *err)
{
    struct reference reference = {.fd = -1};
    struct sweep sweep = {
        .settings = ready->settings,
        .plan = plan,
        .targets = ready->targets,
        .team = ready->team,
        .clock = &clock_monotonic,
        .clock_quality = clock_measure(&clock_monotonic),
        .loop_ns = reference_loop_ns(&clock_monotonic),
        .sinks = outputs->sinks,
        .sink_count = outputs->sink_count,
        .end_ns = ready->end_ns,
        .stop = &stop_flag,
        .ready = outputs_empty,
        .ready_arg = outputs,
    };
    struct sweep_outcome outcome;
    int code;

    outputs->targets = (const struct target *const *)ready->targets;
    outputs->target_count = ready->target_count;
    if (!ready->team->rank)
        reference_open(&reference);
    if (reference.fd >= 0)
        sweep.reference = &reference;
    code = sweep_run(&sweep, &outcome, err);
    reference_close(&reference);
    (void)ready_add_counters(ready);
    if (code < 0)
        return err->status;
    if (ready->team->rank) /* rank 0 prints */
        return STATUS_OK;
    log_progress_clear();
    if (!ready->request->brief)
        ready_summarise(ready);
    return ending_of(&outcome, ready);
}

/* Prints what would be done to the targets, and the time needed. */
static enum status tell(const struct ready *ready, const struct plan *plan, struct error *err)
{
    enum status status;

    if (ready->team->rank)
        return STATUS_OK;
    status = dryrun_print(ready, plan, err);
    ready_summarise(ready);
    return status;
}

static int make_plan(struct ready *ready, struct facts *facts, struct plan *plan, struct error *err)
{
    if (ready_join(ready, facts, err) == 0 &&
        plan_make(ready->settings, &ready->known, ready->targets, plan, err) == 0 &&
        !ready->team->rank && !ready->announced && !ready->settings->dry_run &&
        outputs_have_header(ready->request))
        dryrun_announce(ready->settings, ready->targets, plan);
    return meet_plan(ready->team, plan, err) < 0 ? -1 : meet_facts(ready->team, facts, err);
}

/* Runs a sweep from targets to status. Undoes everything in reverse order. No rank of a team
 * continues if another cannot. */
static enum status sweep(const struct request *request, struct team *team, struct error *err)
{
    struct facts facts = {.read = false};
    struct outputs outputs = {.sink_count = 0};
    struct ready ready;
    struct plan plan = {.cell_count = 0};
    enum status status = STATUS_PARTIAL;
    bool made = false;

    if (ready_check(&ready, request, team, err) == 0 &&
        (team->rank || /* only rank 0 has results */
         outputs_open(&outputs, request, &facts, err) == 0))
        (void)ready_look(&ready, err);
    if (team_agree(team, err) == 0) {
        made = ready_open(&ready, &facts, err) == 0;
        if (!made && !error_is_set(err) && team->size > 1) /* the others must be informed */
            error_set(err, STATUS_PARTIAL, EINTR, "stopped by a signal", NULL);
        made = team_agree(team, err) == 0 && made;
    }
    if (made && make_plan(&ready, &facts, &plan, err) == 0)
        status = request->settings.dry_run ? tell(&ready, &plan, err)
                                           : measure_cells(&ready, &plan, &outputs, err);
    plan_free(&plan);
    ready_leave(&ready, err);
    (void)meet_barrier(team);
    ready_close(&ready, status, err);
    ready_tell_left(&ready, meet_barrier(team));
    outputs_close(&outputs, err);
    facts_free(&facts);
    return team->rank ? err->status : ending_status(status, &ready, err);
}

static enum status carry_out(const struct request *request, const char *program, struct team *team,
                             struct error *err)
{
    if (team->rank && request->command != COMMAND_SWEEP)
        return STATUS_OK;
    switch (request->command) {
    case COMMAND_HELP:
        if (request->topic)
            help_topic(program, request->topic, err);
        else
            help_print(err);
        break;
    case COMMAND_VERSION:
        help_print_version(err);
        break;
    case COMMAND_SWEEP:
        return sweep(request, team, err);
    }
    return err->status;
}

/* Room for many records, so that standard output is only written by flushing, which can report why
 * it failed; printf cannot. */
static char output_buffer[(size_t)256 << 10];

/* A file opened while a standard stream is closed would become that stream. The replacement of
 * standard output is not writable, because results would otherwise be lost silently. */
static void prepare_standard_streams(void)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that exceeds the size limit causes a write error, EFBIG */
    setvbuf(stdout, output_buffer, _IOFBF, sizeof(output_buffer));
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0)
            return;
}

static enum status run(int argc, char **argv, struct team *team, struct error *err)
{
    struct request request;
    enum status status = STATUS_USAGE;
    int parsed;

    stop_install();
    team->stop = &stop_flag;
    parsed = options_parse(argc, argv, &request, err);
    color_choose((enum color_when)request.color);
    log_set_color(color_on(STDERR_FILENO));
    if (parsed == 0) {
        log_set_level(request.quiet ? LOG_QUIET : request.verbose ? LOG_VERBOSE : LOG_NORMAL);
        log_progress_enable(isatty(STDERR_FILENO) && !request.quiet);
    }
    meet_quietly(team);
    if (parsed == 0 && request.command == COMMAND_SWEEP)
        (void)targets_divide(&request, team, err);
    if (meet(team, &request, err) == 0)
        status = carry_out(&request, argc > 0 ? argv[0] : "", team, err);
    options_free(&request);
    return status;
}

/* Called during long steps, while the others wait for this rank. */
static void beat(void *team)
{
    ((struct team *)team)->beat(team);
}

/* A launcher of ranks may give one of them a terminal although its own output is a file: that
 * terminal does not control us. */
static bool is_launchers(int fd)
{
    return team_library && isatty(fd) && tcgetpgrp(fd) < 0;
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    const struct command *command;
    enum status status;
    struct team *team;

    prepare_standard_streams();
    if (is_launchers(STDOUT_FILENO))
        color_expect_no_terminal();
    log_set_columns(os_terminal_columns);
    log_set_color(color_on(STDERR_FILENO));
    team = team_join(&argc, &argv, &err);
    if (!team)
        team = team_alone();
    if (team->beat)
        log_on_progress(beat, team);
    command = command_find(argc, argv);
    status = error_is_set(&err)      ? err.status
             : command && team->rank ? STATUS_OK /* not part of a team */
             : command               ? command->run(argc, argv, &err)
                                     : run(argc, argv, team, &err);
    if (error_is_set(&err)) {
        char text[1024];
        if (!team->told)
            log_error("%s", error_format(&err, text, sizeof(text)));
        status = err.status;
    }
    if (team->leave)
        team->leave(team, status);
    return (int)status;
}
