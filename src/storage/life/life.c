/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* life.c - the states of a run, one manifest each; see the header. */
#include "base/compat.h"

#include "storage/life/life.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "os/os.h"

#define LOOKS_MOST 4u  /* reads of a list whose manifests are missing: a state was put */
#define SEEN_MOST  16u /* manifests of a run that are read: the highest ones */
#define TRIED_MOST 8u  /* numbers that are tried if a list omits manifests */

bool life_is_manifest(const char *name, uint64_t *number)
{
    const size_t length = strlen(LIFE_NAME);
    char digits[NUMBER_BYTES];

    if (strncmp(name, LIFE_NAME, length) != 0 || !number_read(name + length, number) ||
        *number == 0)
        return false;
    return strcmp(name + length, number_text(*number, digits)) == 0;
}

static char *name_of(uint64_t number, char name[LIFE_NAME_MAX])
{
    char digits[NUMBER_BYTES];

    snprintf(name, LIFE_NAME_MAX, "%s%s", LIFE_NAME, number_text(number, digits));
    return name;
}

/* ---- finding manifests ---- */

struct manifests { /* of a place: their numbers, descending */
    uint64_t number[SEEN_MOST];
    unsigned count;
};

static void visit_number(void *arg, const char *name)
{
    struct manifests *seen = arg;
    uint64_t number;
    unsigned at = seen->count;

    if (!life_is_manifest(name, &number))
        return;
    while (at > 0 && seen->number[at - 1] < number)
        at--;
    if (at == SEEN_MOST || (at > 0 && seen->number[at - 1] == number))
        return;
    if (seen->count < SEEN_MOST)
        seen->count++;
    memmove(&seen->number[at + 1], &seen->number[at],
            (seen->count - at - 1) * sizeof(seen->number[0]));
    seen->number[at] = number;
}

/* Reads one manifest.  READ: it belongs to this run; TORN: it is the beginning of such a one. */
static enum life_found read_one(const struct life_place *place, const char *storage,
                                const char *run_name, uint64_t number,
                                struct life_manifest *manifest, int64_t *age_s, struct error *err)
{
    char name[LIFE_NAME_MAX], *text = mem_calloc(LIFE_TEXT_MAX, 1);
    const int64_t length =
        place->read(place->arg, name_of(number, name), text, LIFE_TEXT_MAX, age_s, err);
    enum life_found found = LIFE_INVALID;

    if (length == LIFE_MISSING) {
        found = LIFE_ABSENT;
    } else if (length == -1) {
        found = LIFE_ERROR;
    } else if (length >= 0) {
        if (life_manifest_parse(text, (size_t)length, manifest, err) != 0) {
            if (run_name && life_manifest_begins(text, (size_t)length, storage, run_name))
                found = LIFE_TORN;
        } else if (strcmp(manifest->storage, storage) == 0 &&
                   (!run_name || strcmp(manifest->run_name, run_name) == 0)) {
            manifest->state.number = number;
            found = LIFE_READ;
        } else {
            error_refuse(err, STATUS_TARGET, "not trusted:", name, "its manifest is that of run %s",
                         manifest->run_name);
            life_manifest_free(manifest);
        }
    }
    free(text);
    return found;
}

/* Reads the highest valid one.  ABSENT also if all listed ones are missing. */
static enum life_found read_highest(const struct life_place *place, const char *storage,
                                    const char *run_name, const struct manifests *seen,
                                    struct life_manifest *manifest, int64_t *age_s,
                                    struct error *err)
{
    enum life_found worst = LIFE_ABSENT;

    for (unsigned i = 0; i < seen->count; i++) {
        struct error own = ERROR_INIT;
        enum life_found found =
            read_one(place, storage, run_name, seen->number[i], manifest, age_s, &own);

        if (found == LIFE_READ) {
            *err = ERROR_INIT;
            return found;
        }
        if (found == LIFE_ABSENT)
            continue;
        if (found == LIFE_TORN && seen->number[i] > 1)
            found = LIFE_INVALID; /* earlier ones were complete */
        if (found != LIFE_TORN)
            *err = own;
        if (found == LIFE_ERROR)
            return found;
        worst = worst == LIFE_INVALID ? worst : found;
    }
    return worst;
}

enum life_found life_look(const struct life_place *place, const char *storage, const char *run_name,
                          struct life_manifest *manifest, int64_t *age_s, struct error *err)
{
    enum life_found found = LIFE_ABSENT;
    int64_t ignored;

    *manifest = (struct life_manifest){0};
    for (unsigned looks = 0; found == LIFE_ABSENT && looks < LOOKS_MOST; looks++) {
        struct manifests seen = {.count = 0};
        struct error own = ERROR_INIT;
        const int code = place->list(place->arg, visit_number, &seen, &own);

        /* without permission to list, or with a broken list, reading may work */
        if (code == -1 && own.errnum != EACCES && own.errnum != EPROTO) {
            *err = own;
            return LIFE_ERROR;
        }
        if (code == LIFE_MISSING)
            return LIFE_ABSENT;
        if (seen.count == 0) { /* lists are not trusted */
            seen.number[seen.count++] = 1;
            looks = LOOKS_MOST;
        }
        found =
            read_highest(place, storage, run_name, &seen, manifest, age_s ? age_s : &ignored, err);
    }
    return found;
}

void life_own(struct life_manifest *manifest)
{
    manifest->state.owner = os_random_number();
    manifest->state.was_running = manifest->state.running;
    manifest->state.running = manifest->state.own = true;
    os_process_self(&manifest->state.process);
}

void life_unsettle(struct life_manifest *manifest)
{
    for (unsigned i = 0; i < manifest->set_count; i++)
        manifest->set[i].made = 0;
}

/* ---- states ---- */

static int put(const struct life_place *place, struct life_manifest *manifest, uint64_t number,
               struct error *err)
{
    char name[LIFE_NAME_MAX], *text = life_manifest_format(manifest);
    const int code = place->put(place->arg, name_of(number, name), text, strlen(text), err);

    free(text);
    if (code == 0)
        manifest->state.number = number;
    return code;
}

int life_begin(const struct life_place *place, struct life_manifest *manifest, struct error *err)
{
    return put(place, manifest, 1, err);
}

/* A put that failed without an answer may have been carried out: then the existing manifest is the
 * owner's own. */
static bool was_put_before(const struct life_place *place, struct life_manifest *manifest)
{
    struct error ignored = ERROR_INIT;
    struct life_manifest there;
    const bool own = life_look(place, manifest->storage, manifest->run_name, &there, NULL,
                               &ignored) == LIFE_READ &&
                     there.state.owner == manifest->state.owner &&
                     there.state.number > manifest->state.number;

    if (own)
        manifest->state.number = there.state.number;
    life_manifest_free(&there);
    return own;
}

int life_go_on(const struct life_place *place, struct life_manifest *manifest, struct error *err)
{
    char name[LIFE_NAME_MAX];
    uint64_t before = manifest->state.number;
    int code = put(place, manifest, before + 1, err);

    if (code > 0 && was_put_before(place, manifest)) {
        before = manifest->state.number;
        code = put(place, manifest, before + 1, err);
    }
    if (code == 0 && before > 1) {
        struct error ignored = ERROR_INIT; /* lower manifests have no effect */
        (void)place->remove(place->arg, name_of(before, name), &ignored);
    }
    return code;
}

/* MANIFEST-1 of the run is missing or belongs to another run. */
static enum life_owner whose_first(const struct life_place *place,
                                   const struct life_manifest *manifest, struct error *err)
{
    struct life_manifest first = {.set = NULL};
    int64_t age_s;
    const enum life_found found =
        read_one(place, manifest->storage, manifest->run_name, 1, &first, &age_s, err);
    const bool same = found == LIFE_READ && first.state.begun_s == manifest->state.begun_s &&
                      first.seed == manifest->seed;

    life_manifest_free(&first);
    if (found == LIFE_READ)
        return same ? LIFE_OURS : LIFE_OTHERS;
    return found == LIFE_ERROR    ? LIFE_UNKNOWN
           : found == LIFE_ABSENT ? LIFE_NOBODYS
                                  : LIFE_OTHERS; /* nothing is removed if it cannot be read */
}

enum life_owner life_whose(const struct life_place *place, const struct life_manifest *manifest,
                           struct error *err)
{
    struct life_manifest there;
    struct error own = ERROR_INIT;
    const enum life_found found =
        life_look(place, manifest->storage, manifest->run_name, &there, NULL, &own);
    const bool same = found == LIFE_READ && there.state.owner == manifest->state.owner;
    enum life_owner owner = LIFE_NOBODYS;

    life_manifest_free(&there);
    if (found == LIFE_ERROR)
        owner = LIFE_UNKNOWN;
    else if (found == LIFE_INVALID || (found == LIFE_READ && !same))
        owner = LIFE_OTHERS;
    else if (found == LIFE_READ)
        owner = manifest->state.number > 1 ? whose_first(place, manifest, &own) : LIFE_OURS;
    if (owner == LIFE_UNKNOWN)
        *err = own;
    return owner;
}

/* ---- the end ---- */

/* A manifest that this owner itself put is the run's even if it cannot be read any more, as in a
 * distributed file system whose data servers are gone: otherwise it could never be removed. */
static bool is_of_run(const struct life_place *place, const struct life_manifest *manifest,
                      uint64_t number, int *code, struct error *err)
{
    struct life_manifest there = {0};
    struct error own = ERROR_INIT;
    int64_t age_s;
    const enum life_found found =
        read_one(place, manifest->storage, manifest->run_name, number, &there, &age_s, &own);
    const bool put = manifest->state.own && (number == 1 || number == manifest->state.number);
    const bool same = found == LIFE_TORN || (found == LIFE_ERROR && put) ||
                      (found == LIFE_READ && there.seed == manifest->seed &&
                       there.state.begun_s == manifest->state.begun_s);

    life_manifest_free(&there);
    *code = found == LIFE_ERROR && !put ? -1 : found != LIFE_ABSENT && !same;
    if (*code < 0)
        *err = own;
    return same;
}

/* Removes the run's manifests among the highest, MANIFEST-1 only if it is the last.  Returns how
 * many others remain, or -1; *removed: the number removed. */
static int remove_highest(const struct life_place *place, const struct life_manifest *manifest,
                          const struct manifests *seen, unsigned *removed, struct error *err)
{
    char name[LIFE_NAME_MAX];
    int others = 0, code;

    *removed = 0;
    for (unsigned i = 0; i < seen->count; i++) {
        const bool ours = is_of_run(place, manifest, seen->number[i], &code, err);

        if (code < 0)
            return -1;
        others += code;
        if (!ours || (seen->number[i] == 1 && others > 0))
            continue;
        if (place->remove(place->arg, name_of(seen->number[i], name), err) != 0)
            return -1;
        ++*removed;
    }
    return others;
}

/* Lists are not trusted: adds the last manifest that was put or read, the first, and if a list
 * omits the first, all of the lowest. */
static void add_unlisted(struct manifests *seen, uint64_t last)
{
    const bool complete = seen->count > 0 && seen->number[seen->count - 1] == 1;
    char name[LIFE_NAME_MAX];

    for (uint64_t number = complete ? 1 : TRIED_MOST; number > 0; number--)
        visit_number(seen, name_of(number, name));
    if (last > 0)
        visit_number(seen, name_of(last, name));
}

int life_remove(const struct life_place *place, const struct life_manifest *manifest,
                struct error *err)
{
    unsigned removed = 0;
    int others;

    for (;;) {
        struct manifests seen = {.count = 0};
        const int code = place->list(place->arg, visit_number, &seen, err);

        if (code != 0)
            return code == LIFE_MISSING ? 0 : -1;
        if (seen.count < SEEN_MOST)
            add_unlisted(&seen, manifest->state.number);
        others = remove_highest(place, manifest, &seen, &removed, err);
        if (others < 0 || seen.count < SEEN_MOST || removed == 0)
            return others < 0 ? -1 : others > 0;
    }
}

/* ---- a run made by another process ---- */

bool life_is_alive(const struct life_run *run, int64_t *wait_s)
{
    const struct life_state *state = &run->manifest.state;
    const int64_t left_s = (int64_t)LIFE_DEAD_S - run->age_s;

    *wait_s = 0;
    if (run->locked)
        return true;
    if (run->found == LIFE_READ) {
        const enum os_whereabouts found =
            state->running ? os_process_look(&state->process) : OS_GONE;

        if (found != OS_ELSEWHERE)
            return found == OS_THERE;
    }
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
    const bool alive = life_is_alive(run, &wait_s);

    if (run->found == LIFE_ERROR) {
        *err = *why;
        return -1;
    }
    if (run->found == LIFE_ABSENT)
        return life_refuse_missing(request->run_name, request->target, request->missing, err);
    if (run->found == LIFE_INVALID)
        return error_refuse(err, STATUS_TARGET, "not a run of iosweep, or damaged:", place,
                            "%s; if nothing uses it, move its %ss elsewhere to read them",
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
