/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_troubles.c - failed, short and wrong operations of a slice: counts them for the exit status,
 * and describes the first of each kind. */
#include "base/compat.h"

#include "run/row.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "run/team.h"

static void hex(char *text, const uint8_t *bytes, uint32_t count)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < count && i < TARGET_SHOWN_BYTES; i++)
        snprintf(text + 3 * i - (i > 0), 4, i ? " %02x" : "%02x", bytes[i]);
}

/* The path of an object for messages, with its directory, which identifies the target. Escaped when
 * formatted. */
static const char *object_path(const struct target *target, uint32_t object, char *text,
                               size_t room)
{
    const char *root = target->name_root ? target->name_root : "";

    if (!target->name)
        return target->label;
    snprintf(text, room, "%s%s%s", target->dir_path ? target->dir_path : root,
             target->dir_path ? "/" : "", target->name[object]);
    return text;
}

/* For another rank of a team: its run, in a separate directory, has the same names. Its host may
 * have more existing files than this one, which then have no name here. */
static const char *object_of(const struct measure *m, const struct target *target, uint32_t rank,
                             uint32_t object, char *text, size_t room)
{
    if (m->lead && rank && target->name && object >= target->object_count)
        return target_can(target, TARGET_FILES) ? "a file" : "an object";
    if (m->lead && rank && target->dir_path && target->name && m->settings->share != TEAM_SHARE_ALL)
        return target->name[object];
    return object_path(target, object, text, room);
}

/* Whether the operation creates the object: then it has no number, and offsets refer to its
 * source. */
static bool is_new_file(const struct cell *cell)
{
    return test_makes_names(cell->work.test) && target_can(cell->work.target, TARGET_FILES);
}

/* In a team: the first ranks with trouble in the slice, or in its operations of that kind. */
static const struct team_first *first_of(const struct measure *m)
{
    return &m->first[m->kinds && m->slice == &m->kinds[1]];
}

/* ... and the name of that rank. */
static void name_rank(const struct measure *m, uint32_t rank, char *text, size_t size)
{
    char what[400];

    if (!m->lead)
        return;
    text_copy(what, sizeof(what), text);
    text[0] = '\0';
    text_add(text, size, "", "rank %u (%s): %s", rank, m->team->member[rank].host, what);
}

static void word_wrong(struct measure *m, const struct cell *cell, const struct tally *tally)
{
    const struct target_mismatch *first = &tally->wrong_first;
    const struct target *target = cell->work.target;
    char whole[320], name[320], expected[3 * TARGET_SHOWN_BYTES + 1],
        found[3 * TARGET_SHOWN_BYTES + 1];

    hex(expected, first->expected, first->shown);
    hex(found, first->found, first->shown);
    error_printable(
        object_of(m, target, first_of(m)->wrong, tally->wrong_object, whole, sizeof(whole)), name,
        sizeof(name));
    if (is_new_file(cell) && first->ended)
        snprintf(m->outcome->first_wrong, sizeof(m->outcome->first_wrong),
                 "a new file in %s ends too early",
                 error_printable(target->place, name, sizeof(name)));
    else if (is_new_file(cell))
        snprintf(m->outcome->first_wrong, sizeof(m->outcome->first_wrong),
                 "a new file in %s: expected %s, found %s",
                 error_printable(target->place, name, sizeof(name)), expected, found);
    else if (first->ended && first->offset_bytes == 0)
        snprintf(m->outcome->first_wrong, sizeof(m->outcome->first_wrong),
                 "%s is missing or empty: what was written was not kept", name);
    else if (first->ended)
        snprintf(m->outcome->first_wrong, sizeof(m->outcome->first_wrong),
                 "%s ends at offset %" PRIu64 ": the data beyond are missing", name,
                 first->offset_bytes);
    else
        snprintf(m->outcome->first_wrong, sizeof(m->outcome->first_wrong),
                 "%s at offset %" PRIu64 ": expected %s, found %s", name, first->offset_bytes,
                 expected, found);
}

static void note_wrong(struct measure *m, const struct cell *cell, const struct tally *tally)
{
    m->outcome->wrong += tally->wrong;
    if (!tally->wrong || m->outcome->first_wrong[0])
        return;
    word_wrong(m, cell, tally);
    name_rank(m, first_of(m)->wrong, m->outcome->first_wrong, sizeof(m->outcome->first_wrong));
}

static void word_short(struct measure *m, const struct cell *cell, const struct tally *tally)
{
    const struct target *target = cell->work.target;
    char whole[320], name[320];

    if (is_new_file(cell)) {
        snprintf(m->outcome->first_short, sizeof(m->outcome->first_short),
                 "a new file in %s: %" PRIu64 " of %" PRIu64 " bytes",
                 error_printable(target->place, name, sizeof(name)), tally->short_bytes,
                 cell->work.io_bytes);
        return;
    }
    snprintf(m->outcome->first_short, sizeof(m->outcome->first_short),
             "%s at offset %" PRIu64 ": %" PRIu64 " of %" PRIu64 " bytes",
             error_printable(object_of(m, target, first_of(m)->cut_short, tally->short_object,
                                       whole, sizeof(whole)),
                             name, sizeof(name)),
             tally->short_offset_bytes, tally->short_bytes, cell->work.io_bytes);
}

/* A transfer of fewer bytes does not measure the requested size: a failure, unless the user allows
 * files to shrink during the run. */
static void note_short(struct measure *m, const struct cell *cell, const struct tally *tally)
{
    if (m->settings->allow_short)
        return;
    m->outcome->short_count += tally->short_count;
    if (!tally->short_count || m->outcome->first_short[0])
        return;
    word_short(m, cell, tally);
    name_rank(m, first_of(m)->cut_short, m->outcome->first_short, sizeof(m->outcome->first_short));
}

static const char *words_of_transfer(enum io_test test, char *text, size_t room)
{
    snprintf(text, room, "cannot %s",
             !test_moves_data(test) || test == TEST_COPY ? test_names[test]
             : test_writes(test)                         ? "write"
                                                         : "read");
    return text;
}

void row_word_failure(const struct cell *cell, const struct slice_sum *sum, char *text, size_t room)
{
    static const char *const words[PHASE_COUNT] = {"cannot open", "cannot seek in", NULL,
                                                   "cannot close"};
    const struct tally *tally = &sum->tally;
    const char *action = words[tally->first_phase];
    struct error error = ERROR_INIT;
    char name[320], transfer[64];

    text[0] = '\0';
    if (!tally->first_errno)
        return;
    if (sum->first_failure[0]) {
        text_copy(text, room, sum->first_failure);
        return;
    }
    if (tally->first_phase == PHASE_CLOSE && test_writes(cell->work.test) &&
        cell->work.sync == SYNC_END)
        action = "cannot sync or close";
    if (!action)
        action = words_of_transfer(cell->work.test, transfer, sizeof(transfer));
    error_set(&error, STATUS_PARTIAL, tally->first_errno, action,
              object_path(cell->work.target, tally->first_object, name, sizeof(name)));
    if (tally->first_phase == PHASE_TRANSFER && test_moves_data(cell->work.test))
        error_at(&error, tally->first_offset_bytes);
    error_format(&error, text, room);
}

static void note_failure(struct measure *m, const struct cell *cell)
{
    char *text = m->outcome->first_failure;
    const size_t room = sizeof(m->outcome->first_failure);

    m->outcome->failed += m->slice->tally.failed;
    if (text[0])
        return;
    row_word_failure(cell, m->slice, text, room);
    if (text[0])
        name_rank(m, first_of(m)->failed, text, room);
}

static void check_limits(struct measure *m)
{
    const uint64_t most = m->settings->max_errors;

    if (most && m->outcome->failed >= most)
        m->gave_up = true;
    else if (m->slice->gave_up || (m->step_errors && m->step_failed >= m->step_errors))
        m->step_gave_up = true;
}

/* A share is checked only once enough operations ran that a single failure is within it. */
static void check_budget(struct measure *m, const struct tally *tally)
{
    const double share = m->settings->error_share;

    m->step_done += tally_done(tally) + tally->failed + tally->short_count;
    m->step_failed +=
        tally->failed + tally->wrong + (m->settings->allow_short ? 0 : tally->short_count);
    if (m->lead) /* totals of all ranks */
        check_limits(m);
    else if (m->slice->gave_up && worker_gave_up(m->pool))
        m->gave_up = true;
    else if (m->slice->gave_up)
        m->step_gave_up = true;
    if (share > 0 && (double)m->step_done * share >= 1 &&
        (double)m->step_failed > share * (double)m->step_done)
        m->step_gave_up = true;
}

void row_note_troubles(struct measure *m, const struct cell *cell)
{
    note_failure(m, cell);
    note_short(m, cell, &m->slice->tally);
    note_wrong(m, cell, &m->slice->tally);
    check_budget(m, &m->slice->tally);
    if (target_can(cell->work.target, TARGET_REQUESTS))
        m->outcome->requested += m->slice->cycles;
}
