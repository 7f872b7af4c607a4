/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* failure.c - failures of requests, as text and by class.  Cold. */
#include "base/compat.h"

#include "storage/object/operation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS(verb, ...) [OBJECT_##verb] = {__VA_ARGS__},
const struct object_verb_words object_verb_table[OBJECT_VERB_COUNT] = {OBJECT_VERB_TABLE(WORDS)};
#undef WORDS

COLD void object_session_note(struct object_session *session, const struct object_slot *slot,
                              const char *why)
{
    char shown[400], *url;

    if (session->first_failure[0])
        return;
    url = session->protocol->url(session->service, slot->call.key);
    if (session->task && session->task->what && !error_is_set(session->task->err)) {
        error_set(session->task->err, STATUS_TARGET, 0, session->task->what, url);
        error_explain(session->task->err, "%s", why);
    }
    error_printable(url, shown, sizeof(shown));
    snprintf(session->first_failure, sizeof(session->first_failure), "%s %s: %s",
             object_verb_table[slot->call.verb].failed, shown, why);
    free(url);
}

COLD bool object_answer_lost(const struct object_slot *slot, const struct object_verdict *verdict,
                             enum object_verb verb)
{
    return slot->call.verb == verb && slot->tried > 0 && verdict->errnum == ENOENT &&
           !verdict->no_place;
}

COLD void object_session_note_answer(struct object_session *session, const struct object_slot *slot,
                                     const struct object_answer *answer)
{
    const struct object_task *task = session->task;
    const char *advice = NULL;
    char why[480], text[800];

    if (task && task->what && !error_is_set(task->err))
        object_call_failed(session->service, &slot->call, task->what, answer, task->err);
    session->protocol->explain(answer, why, sizeof(why), &advice);
    if (object_answer_lost(slot, &answer->verdict, OBJECT_UPLOAD_COMPLETE))
        advice = "an attempt whose reply was lost may have completed it";
    snprintf(text, sizeof(text), "%s%s%s", why, advice ? "; " : "", advice ? advice : "");
    object_session_note(session, slot, text);
}

COLD int64_t object_session_note_unsent(struct object_session *session,
                                        const struct object_slot *slot, int64_t code)
{
    if (code == -ENAMETOOLONG || code == -EMSGSIZE)
        object_session_note(session, slot, "the request would be too long");
    else if (code == -ENOENT)
        object_session_note(session, slot, "no object is left to delete");
    else if (code == -ECANCELED && !atomic_load(&session->service->spent))
        object_session_note(session, slot, "cancelled because the run was ending");
    else if (code == -ETIMEDOUT)
        object_session_note(session, slot, "cancelled because --max-time was over");
    return code;
}

COLD void object_count_failure(struct engine_requests *counted, enum object_class class)
{
    switch (class) {
    case OBJECT_SLOW_DOWN:
        counted->slow_downs++;
        break;
    case OBJECT_SERVER_ERROR:
        counted->server_errors++;
        break;
    case OBJECT_CLIENT_ERROR:
    case OBJECT_REDIRECT:
        counted->client_errors++;
        break;
    case OBJECT_NETWORK_ERROR:
        counted->network_errors++;
        break;
    default:
        counted->protocol_errors++;
        break;
    }
}
