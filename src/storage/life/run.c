/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* run.c - see the header. */
#include "base/compat.h"

#include "storage/life/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"

bool life_run_is_alive(const struct life_run *run, int64_t *wait_s)
{
    const int64_t left_s = (int64_t)LIFE_DEAD_S - run->age_s;

    *wait_s = 0;
    if (run->locked)
        return true;
    if (run->found == LIFE_READ)
        return life_is_alive(&run->manifest, run->age_s, wait_s);
    if (run->age_s >= 0 && left_s > 0)
        *wait_s = left_s;
    return run->age_s < 0 || left_s > 0;
}

int life_refuse_alive(const char *place, int64_t wait_s, struct error *err)
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

/* ---- by name ---- */

int life_check_name(const struct target_request *request, struct error *err)
{
    if (target_run_name_valid(request->run_name))
        return 0;
    return error_refuse(err, STATUS_USAGE, "not a valid run name:", request->run_name,
                        "use 1 to %u of the characters A-Z a-z 0-9 . _ -", TARGET_RUN_NAME_MAX);
}

int life_refuse_missing(const char *run_name, const char *target, const char *advice,
                        struct error *err)
{
    char *word;

    error_set(err, STATUS_TARGET, 0, "no such run:", run_name);
    if (advice)
        return error_advise(err, "%s", advice);
    word = text_shell_word(target);
    error_advise(err, "iosweep clean --dry-run %s lists the runs there", word);
    free(word);
    return -1;
}

char *life_clean_command(const char *run_name, const char *target, const char *options)
{
    char *word = text_shell_word(target);
    char *command = mem_printf("iosweep clean %s%s%s%s%s", run_name ? "--run-name " : "",
                               run_name ? run_name : "", run_name ? " " : "", word, options);

    free(word);
    return command;
}

int life_refuse_empty(const char *noun, const char *run_name, char *command, struct error *err)
{
    char *what = mem_printf("no complete %s is left in run", noun);

    error_set(err, STATUS_TARGET, 0, what, run_name);
    free(what);
    return life_advise_command("remove the rest of it", command, err);
}

int life_advise_command(const char *when, char *command, struct error *err)
{
    char shown[1024];

    if (strlen(when) + strlen(command) + 3 <= sizeof(err->advice)) {
        error_advise(err, "%s: %s", when, command);
    } else {
        log_warn("to remove what is left: %s", error_printable(command, shown, sizeof(shown)));
        error_advise(err, "%s: see above", when);
    }
    free(command);
    return -1;
}

int life_name_taken(const struct target_request *request, const char *place, char *command,
                    struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0, "a run of this name already exists:",
              request->team_name ? request->team_name
                                 : place); /* the same on all ranks, so it is reported once */
    return life_advise_command("choose another --run-name, read it with -r, or remove it", command,
                               err);
}

int life_expect(const struct life_run *run, const struct target_request *request, const char *noun,
                const char *place, const struct error *why, struct error *err)
{
    int64_t wait_s;
    const bool alive = life_run_is_alive(run, &wait_s);

    if (run->found == LIFE_ERROR) {
        *err = *why;
        return -1;
    }
    if (run->found == LIFE_ABSENT)
        return life_refuse_missing(request->run_name, request->target, request->missing, err);
    if (run->found == LIFE_INVALID)
        return error_refuse(err, STATUS_TARGET, "not a run of iosweep, or damaged:", place,
                            "%s; -r without --run-name reads its %ss like any others",
                            why->advice[0] != '\0' ? why->advice : "its manifest is not valid",
                            noun);
    if (run->found == LIFE_TORN && !run->locked) {
        char *word = text_shell_word(request->target), name[TARGET_RUN_NAME_MAX + 1];
        const char *found = request->run_name, *at = place;

        /* if the user named the place itself, it contains the name */
        while (!request->named && !request->reuse && (at = strstr(at, LIFE_PREFIX)) != NULL)
            found = at += strlen(LIFE_PREFIX);
        snprintf(name, sizeof(name), "%.*s", (int)strcspn(found, "/ "), found);
        error_set(err, STATUS_TARGET, 0, "killed at its start, so nothing is complete in run",
                  name);
        error_advise(err, "iosweep clean %s--run-name %s %s removes it", alive ? "--force " : "",
                     name, word);
        free(word);
        return -1;
    }
    return alive ? life_refuse_alive(place, wait_s, err) : 0;
}

int life_take_over(const struct life_place *place, struct life_manifest *manifest,
                   const char *shown, struct error *err)
{
    int code;

    life_own(manifest);
    code = life_go_on(place, manifest, err);
    return code > 0 ? life_refuse_alive(shown, 0, err) : code;
}

/* ---- at the end ---- */

void life_tell_kept(const char *nouns, const char *place, char *command)
{
    char where[1024], shown[1024];

    log_info("# %s are kept in %s; to remove them: %s", nouns,
             error_printable(place, where, sizeof(where)),
             error_printable(command, shown, sizeof(shown)));
    free(command);
}

void life_tell_left(const char *noun, uint64_t count, const char *place, char *command)
{
    char where[1024], shown[1024];

    log_info("# %" PRIu64 " %s%s of the run %s left in %s; to remove %s: %s", count, noun,
             count == 1 ? "" : "s", count == 1 ? "is" : "are",
             error_printable(place, where, sizeof(where)), count == 1 ? "it" : "them",
             error_printable(command, shown, sizeof(shown)));
    free(command);
}
