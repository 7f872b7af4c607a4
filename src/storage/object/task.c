/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* task.c - cold work in all slots of a session at once: filling, and creating and restoring objects
 * before and after a slice. */
#include "base/compat.h"

#include "storage/object/operation.h"
#include "storage/object/retry.h"

#define LOOK_NS UINT64_C(200000000)

static void fail(struct object_task *task, int64_t failure)
{
    if (!task->failure)
        task->failure = failure;
    task->session->ending = true;
}

static void begin_next(struct object_task *task, struct object_slot *slot)
{
    struct object_session *session = task->session;

    while (!object_session_stops(session) && task->next(task, slot)) {
        const int64_t result = object_session_begin(session, slot);

        if (result == ASYNC_PENDING)
            return;
        fail(task, result);
    }
}

static void take_event(struct object_task *task, const struct async_event *event)
{
    struct object_slot *slot = &task->session->slot[event->slot];

    if (event->result < 0)
        fail(task, event->result);
    else if (task->done)
        task->done(task, slot);
    begin_next(task, slot);
}

static bool is_busy(const struct object_session *session)
{
    for (uint32_t i = 0; i < session->width; i++)
        if (session->slot[i].busy)
            return true;
    return false;
}

int64_t object_task_run(struct object_task *task)
{
    struct object_session *session = task->session;

    session->task = task;
    session->width = session->reach = session->slots;
    session->retries = object_retries_cold(session->options);
    for (uint32_t i = 0; i < session->width; i++) {
        session->slot[i].asked = false;
        begin_next(task, &session->slot[i]);
    }
    while (is_busy(session)) {
        const int got = object_session_reap(session, LOOK_NS, session->event, session->width);

        if (got < 0) {
            fail(task, got);
            object_session_drop(session);
        }
        for (int i = 0; i < got; i++)
            take_event(task, &session->event[i]);
    }
    session->ending = false;
    session->task = NULL;
    return task->failure;
}
