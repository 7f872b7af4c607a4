/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* row_troubles.c - failed, short and wrong operations of a slice: describes the first of each kind,
 * on the process that ran it, and counts them for the exit status. */
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

/* Begins a text: in a team with the rank. Returns it. */
static char *begin_words(const struct measure *m, struct slice_sum *sum, enum trouble kind)
{
    char *const text = sum->first[kind];

    text[0] = '\0';
    if (m->team)
        text_add(text, TROUBLE_BYTES, "", "rank %u (%s): ", m->team->rank,
                 m->team->member[m->team->rank].host);
    return text;
}

/* ... and with the object, and for a short transfer or wrong data with its offset. */
static char *begin_object(const struct measure *m, const struct cell *cell, struct slice_sum *sum,
                          enum trouble kind, uint32_t object)
{
    const bool is_new = is_new_file(cell);
    char *const text = begin_words(m, sum, kind);
    char whole[320], name[320];
    const char *called = is_new ? cell->work.target->place
                                : object_path(cell->work.target, object, whole, sizeof(whole));

    text_add(text, TROUBLE_BYTES, "", "%s%s", is_new ? "a new file in " : "",
             error_printable(called, name, sizeof(name)));
    return text;
}

static void word_wrong(const struct measure *m, const struct cell *cell, struct slice_sum *sum)
{
    const struct target_mismatch *first = &sum->tally.wrong_first;
    char expected[3 * TARGET_SHOWN_BYTES + 1], found[3 * TARGET_SHOWN_BYTES + 1];
    char *const text = begin_object(m, cell, sum, TROUBLE_WRONG, sum->tally.wrong_object);

    if (!first->ended) {
        hex(expected, first->expected, first->shown);
        hex(found, first->found, first->shown);
        if (!is_new_file(cell))
            text_add(text, TROUBLE_BYTES, "", " at offset %" PRIu64, first->offset_bytes);
        text_add(text, TROUBLE_BYTES, "", ": expected %s, found %s", expected, found);
    } else if (is_new_file(cell)) {
        text_add(text, TROUBLE_BYTES, "", " ends too early");
    } else if (first->offset_bytes == 0) {
        text_add(text, TROUBLE_BYTES, "", " is missing or empty: what was written was not kept");
    } else {
        text_add(text, TROUBLE_BYTES, "",
                 " ends at offset %" PRIu64 ": the data beyond are missing", first->offset_bytes);
    }
}

static void word_short(const struct measure *m, const struct cell *cell, struct slice_sum *sum)
{
    const struct tally *tally = &sum->tally;
    char *const text = begin_object(m, cell, sum, TROUBLE_SHORT, tally->short_object);

    if (!is_new_file(cell))
        text_add(text, TROUBLE_BYTES, "", " at offset %" PRIu64, tally->short_offset_bytes);
    text_add(text, TROUBLE_BYTES, "", ": %" PRIu64 " of %" PRIu64 " bytes", tally->short_bytes,
             cell->work.io_bytes);
}

/* The engine's words are better, if it has some. */
static void word_failure(const struct measure *m, const struct cell *cell, struct slice_sum *sum)
{
    static const char *const words[PHASE_COUNT] = {"cannot open", "cannot seek in", NULL,
                                                   "cannot close"};
    const struct tally *tally = &sum->tally;
    const enum io_test test = cell->work.test;
    const char *action = words[tally->first_phase];
    struct error error = ERROR_INIT;
    char name[320], transfer[64], failure[TROUBLE_BYTES];

    text_copy(failure, sizeof(failure), sum->first[TROUBLE_FAILED]);
    if (tally->first_phase == PHASE_CLOSE && test_writes(test) && cell->work.sync == SYNC_END)
        action = "cannot sync or close";
    if (!action) {
        snprintf(transfer, sizeof(transfer), "cannot %s",
                 !test_moves_data(test) || test == TEST_COPY ? test_names[test]
                 : test_writes(test)                         ? "write"
                                                             : "read");
        action = transfer;
    }
    error_set(&error, STATUS_PARTIAL, tally->first_errno, action,
              object_path(cell->work.target, tally->first_object, name, sizeof(name)));
    if (tally->first_phase == PHASE_TRANSFER && test_moves_data(test))
        error_at(&error, tally->first_offset_bytes);
    if (!failure[0])
        error_format(&error, failure, sizeof(failure));
    text_add(begin_words(m, sum, TROUBLE_FAILED), TROUBLE_BYTES, "", "%s", failure);
}

void row_word_troubles(const struct measure *m, const struct cell *cell, struct slice_sum *sum)
{
    if (sum->tally.first_errno)
        word_failure(m, cell, sum);
    if (sum->tally.short_count)
        word_short(m, cell, sum);
    if (sum->tally.wrong)
        word_wrong(m, cell, sum);
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

/* A transfer of fewer bytes does not measure the requested size: a failure, unless the user allows
 * files to shrink during the run. */
void row_note_troubles(struct measure *m, const struct cell *cell, const struct slice_sum *sum)
{
    struct sweep_outcome *const outcome = m->outcome;
    const struct {
        uint64_t *all, count;
    } troubles[TROUBLE_KINDS] = {
        [TROUBLE_FAILED] = {&outcome->failed, sum->tally.failed},
        [TROUBLE_SHORT] = {&outcome->short_count,
                           m->settings->allow_short ? 0 : sum->tally.short_count},
        [TROUBLE_WRONG] = {&outcome->wrong, sum->tally.wrong},
    };

    for (int i = 0; i < TROUBLE_KINDS; i++) {
        *troubles[i].all += troubles[i].count;
        if (troubles[i].count && !outcome->first[i][0])
            text_copy(outcome->first[i], TROUBLE_BYTES, sum->first[i]);
    }
    check_budget(m, sum);
    if (target_can(cell->work.target, TARGET_REQUESTS))
        outcome->requested += sum->cycles;
}
