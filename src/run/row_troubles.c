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

/* Whether the operation creates the object: then it has no number, and offsets refer to its
 * source. */
static bool is_new_file(const struct cell *cell)
{
    return test_makes_names(cell->work.test) && target_can(cell->work.target, TARGET_FILES);
}

/* Begins a text: in a team with the first rank that had the trouble. */
static void name_rank(const struct measure *m, uint32_t rank, char *text)
{
    text[0] = '\0';
    if (m->lead)
        text_add(text, SWEEP_TROUBLE_BYTES, "", "rank %u (%s): ", rank, m->team->member[rank].host);
}

/* ... and with the object. Another rank of a team has the same names in a separate directory. Its
 * host may have more existing files than this one, which then have no name here. */
static void name_object(const struct measure *m, const struct cell *cell, uint32_t rank,
                        uint32_t object, char *text)
{
    const struct target *target = cell->work.target;
    const bool other = m->lead && rank && target->name;
    char whole[320], name[320];
    const char *called;

    if (is_new_file(cell))
        called = target->place;
    else if (other && object >= target->object_count)
        called = target_can(target, TARGET_FILES) ? "a file" : "an object";
    else if (other && target->dir_path && m->settings->share != TEAM_SHARE_ALL)
        called = target->name[object];
    else
        called = object_path(target, object, whole, sizeof(whole));
    name_rank(m, rank, text);
    text_add(text, SWEEP_TROUBLE_BYTES, "", "%s%s", is_new_file(cell) ? "a new file in " : "",
             error_printable(called, name, sizeof(name)));
}

static void note_wrong(struct measure *m, const struct cell *cell, const struct slice_sum *sum,
                       uint32_t rank)
{
    const struct target_mismatch *first = &sum->tally.wrong_first;
    char *const text = m->outcome->first_wrong;
    char expected[3 * TARGET_SHOWN_BYTES + 1], found[3 * TARGET_SHOWN_BYTES + 1];

    m->outcome->wrong += sum->tally.wrong;
    if (!sum->tally.wrong || text[0])
        return;
    name_object(m, cell, rank, sum->tally.wrong_object, text);
    if (!first->ended) {
        hex(expected, first->expected, first->shown);
        hex(found, first->found, first->shown);
        if (!is_new_file(cell))
            text_add(text, SWEEP_TROUBLE_BYTES, "", " at offset %" PRIu64, first->offset_bytes);
        text_add(text, SWEEP_TROUBLE_BYTES, "", ": expected %s, found %s", expected, found);
    } else if (is_new_file(cell)) {
        text_add(text, SWEEP_TROUBLE_BYTES, "", " ends too early");
    } else if (first->offset_bytes == 0) {
        text_add(text, SWEEP_TROUBLE_BYTES, "",
                 " is missing or empty: what was written was not kept");
    } else {
        text_add(text, SWEEP_TROUBLE_BYTES, "",
                 " ends at offset %" PRIu64 ": the data beyond are missing", first->offset_bytes);
    }
}

/* A transfer of fewer bytes does not measure the requested size: a failure, unless the user allows
 * files to shrink during the run. */
static void note_short(struct measure *m, const struct cell *cell, const struct tally *tally,
                       uint32_t rank)
{
    char *const text = m->outcome->first_short;

    if (m->settings->allow_short)
        return;
    m->outcome->short_count += tally->short_count;
    if (!tally->short_count || text[0])
        return;
    name_object(m, cell, rank, tally->short_object, text);
    if (!is_new_file(cell))
        text_add(text, SWEEP_TROUBLE_BYTES, "", " at offset %" PRIu64, tally->short_offset_bytes);
    text_add(text, SWEEP_TROUBLE_BYTES, "", ": %" PRIu64 " of %" PRIu64 " bytes",
             tally->short_bytes, cell->work.io_bytes);
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
    if (!action) {
        const enum io_test test = cell->work.test;

        snprintf(transfer, sizeof(transfer), "cannot %s",
                 !test_moves_data(test) || test == TEST_COPY ? test_names[test]
                 : test_writes(test)                         ? "write"
                                                             : "read");
        action = transfer;
    }
    error_set(&error, STATUS_PARTIAL, tally->first_errno, action,
              object_path(cell->work.target, tally->first_object, name, sizeof(name)));
    if (tally->first_phase == PHASE_TRANSFER && test_moves_data(cell->work.test))
        error_at(&error, tally->first_offset_bytes);
    error_format(&error, text, room);
}

static void note_failure(struct measure *m, const struct cell *cell, const struct slice_sum *sum,
                         uint32_t rank)
{
    char *const text = m->outcome->first_failure, words[SWEEP_TROUBLE_BYTES];

    m->outcome->failed += sum->tally.failed;
    if (text[0])
        return;
    row_word_failure(cell, sum, words, sizeof(words));
    if (!words[0])
        return;
    name_rank(m, rank, text);
    text_add(text, SWEEP_TROUBLE_BYTES, "", "%s", words);
}

/* Ends the part or the run after too many failures. A share is checked only once enough operations
 * ran that a single failure is within it. */
static void check_budget(struct measure *m, const struct slice_sum *sum)
{
    const struct tally *tally = &sum->tally;
    const double share = m->settings->error_share;
    const uint64_t most = m->settings->max_errors;

    m->step_done += tally_done(tally) + tally->failed + tally->short_count;
    m->step_failed +=
        tally->failed + tally->wrong + (m->settings->allow_short ? 0 : tally->short_count);
    if (m->lead ? most && m->outcome->failed >= most /* of all ranks */
                : sum->gave_up && worker_gave_up(m->pool))
        m->gave_up = true;
    else if (sum->gave_up || (m->lead && m->step_errors && m->step_failed >= m->step_errors))
        m->step_gave_up = true;
    if (share > 0 && (double)m->step_done * share >= 1 &&
        (double)m->step_failed > share * (double)m->step_done)
        m->step_gave_up = true;
}

void row_note_troubles(struct measure *m, const struct cell *cell, const struct slice_sum *sum,
                       unsigned kind)
{
    const struct team_first *first = &m->first[kind];

    note_failure(m, cell, sum, first->failed);
    note_short(m, cell, &sum->tally, first->cut_short);
    note_wrong(m, cell, sum, first->wrong);
    check_budget(m, sum);
    if (target_can(cell->work.target, TARGET_REQUESTS))
        m->outcome->requested += sum->cycles;
}
