/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* engine.c - the engine of object stores: one operation on objects per slot at a time.  A thread
 * keeps a link for each service from slice to slice (struct object_session).  Retries, and the
 * pauses before them, are part of an operation's time; a pausing slot does not delay others. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/number.h"
#include "engine/engine.h"
#include "storage/object/client.h"
#include "storage/object/operation.h"

#define NS_PER_MS    UINT64_C(1000000)
#define LOOK_NS      (200 * NS_PER_MS) /* maximum delay until the end of the run is noticed */
#define LOST_AFTER   16u               /* consecutive network failures ... */
#define LOST_NS      (50 * NS_PER_MS)  /* ... later ones are delayed, to avoid a busy loop */
#define LATE_MOST_NS (30 * NS_PER_S)   /* ... when --max-time is over */
#define TOLD_NS      NS_PER_S          /* longer waits are reported */

/* ---- failures ---- */

/* Keeps the first failure of a task, or of the slice.  NULL: there was one before. */
static COLD struct error *first_failure(struct object_session *session,
                                        const struct object_slot *slot, const char **what)
{
    const struct object_task *const task = session->task;
    struct error *const err = task ? task->err : &session->failure;

    *what = task ? task->what : object_verb_table[slot->call.verb].failed;
    return error_is_set(err) ? NULL : err;
}

COLD void object_session_note(struct object_session *session, const struct object_slot *slot,
                              const char *why)
{
    const char *what;
    struct error *const err = first_failure(session, slot, &what);

    if (!err)
        return;
    (void)object_error(session->service, slot->call.key, 0, what, err);
    error_explain(err, "%s", why);
}

/* Whether a repeated call of that verb has not found the upload or the object that it changes (for
 * rename, under its old name): an earlier attempt, whose answer was lost, may have changed it. */
static COLD bool answer_lost(const struct object_slot *slot, const struct object_verdict *verdict,
                             enum object_verb verb)
{
    return slot->call.verb == verb && slot->tried > 0 && verdict->errnum == ENOENT &&
           !verdict->no_place;
}

static COLD void note_answer(struct object_session *session, const struct object_slot *slot,
                             const struct object_answer *answer)
{
    const char *what;
    struct error *const err = first_failure(session, slot, &what);

    if (!err)
        return;
    object_call_failed(session->service, &slot->call, what, answer, err);
    if (answer_lost(slot, &answer->verdict, OBJECT_UPLOAD_COMPLETE))
        snprintf(err->advice, sizeof(err->advice),
                 "an attempt whose reply was lost may have completed it");
}

/* The same for a request that was not sent: -errno `code`, which is returned.  A request beyond
 * --max-requests is not a failure, so it does not count as the first one. */
static COLD int64_t note_unsent(struct object_session *session, const struct object_slot *slot,
                                int64_t code)
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

static COLD void count_failure(struct engine_requests *counted, enum object_class class)
{
    uint64_t *const counter[OBJECT_CLASS_COUNT] = {
        [OBJECT_SLOW_DOWN] = &counted->slow_downs,
        [OBJECT_SERVER_ERROR] = &counted->server_errors,
        [OBJECT_CLIENT_ERROR] = &counted->client_errors,
        [OBJECT_REDIRECT] = &counted->client_errors,
        [OBJECT_NETWORK_ERROR] = &counted->network_errors,
        [OBJECT_PROTOCOL_ERROR] = &counted->protocol_errors,
    };

    ++*counter[class];
}

static bool run_ends(const struct object_session *session)
{
    return session->overdue || flag_read(session->store->target.request->stop);
}

bool object_session_stops(const struct object_session *session)
{
    return session->ending || run_ends(session);
}

/* Reads the clock when an operation takes long, or nothing arrives.  Requests under way at the end
 * of the time get as long as a server may be silent. */
static COLD void see_time(struct object_session *session)
{
    const uint64_t timeout_ns = session->options->timeout_ns;

    session->overdue = session->give_up_ns &&
                       number_minus(clock_monotonic_ns(), session->give_up_ns) >=
                           (timeout_ns && timeout_ns < LATE_MOST_NS ? timeout_ns : LATE_MOST_NS);
}

/* The result of abandoned operations: after a signal it is no failure. */
static COLD int64_t given_up(const struct object_session *session)
{
    return flag_read(session->store->target.request->stop) ? -ECANCELED : -ETIMEDOUT;
}

/* ---- objects that only one slot at a time may write ---- */

COLD void object_slot_put_aside(struct object_set *set, struct object_slot *slot)
{
    uint32_t left = atomic_load(&set->spare);

    while (slot->holds && left > 0)
        if (atomic_compare_exchange_weak(&set->spare, &left, left - 1))
            slot->holds = 0; /* never released */
}

/* Other slots may take a free object ahead of us and release one behind us: one is always free. */
uint32_t object_set_hold(struct object_set *set, uint32_t drawn)
{
    uint32_t object = drawn;

    while (atomic_exchange_explicit(&set->held[object], 1, memory_order_acquire))
        object = object + 1 < set->count ? object + 1 : 0;
    return object;
}

void object_slot_hold(struct object_set *set, struct object_slot *slot, bool next)
{
    if (slot->holds)
        atomic_store_explicit(&set->held[slot->holds - 1], 0, memory_order_release);
    slot->holds = next ? slot->object + 1 : 0;
}

/* ---- requests ---- */

/* Requests that clean up are sent even beyond the budget. */
static int64_t issue(struct object_session *session, struct object_slot *slot)
{
    struct object_service *service = session->service;
    int code;

    if (__builtin_expect(!session->link, 0))
        return given_up(session);
    if (__builtin_expect(
            !object_request_count(service, slot->call.verb, slot->call.verb == OBJECT_UPLOAD_ABORT),
            0))
        return -ECANCELED;
    code = session->protocol->begin(session->link, slot->index, &slot->call);
    if (__builtin_expect(code < 0, 0))
        return code;
    object_counted(session, slot)->count += object_requests_each(service, slot->call.verb);
    session->in_flight++;
    return ASYNC_PENDING;
}

/* The slot's request was not sent: -errno `code`. */
static int64_t unsent(struct object_session *session, struct object_slot *slot, int64_t code)
{
    return object_operation_failed(session, slot, note_unsent(session, slot, code));
}

/* Proceeds from one request to the next until one is under way. */
static int64_t go_on(struct object_session *session, struct object_slot *slot, int64_t result)
{
    while (result == OBJECT_MORE) {
        see_time(session);
        if (__builtin_expect(object_session_stops(session), 0) &&
            slot->call.verb != OBJECT_UPLOAD_ABORT && slot->call.verb != OBJECT_DELETE) {
            result = unsent(session, slot, given_up(session));
            continue;
        }
        result = issue(session, slot);
        if (__builtin_expect(result != ASYNC_PENDING, 0))
            result = unsent(session, slot, result);
    }
    return result;
}

int64_t object_session_begin(struct object_session *session, struct object_slot *slot)
{
    int64_t result;

    slot->tried = 0;
    slot->paused = slot->held = false;
    result = issue(session, slot);
    if (__builtin_expect(result != ASYNC_PENDING, 0)) /* a request may have to clean up */
        result = go_on(session, slot, unsent(session, slot, result));
    slot->busy = result == ASYNC_PENDING;
    return result;
}

static void count_times(struct engine_requests *counted, const struct object_times *times)
{
    if (!times->total_ns) /* unknown: the columns stay empty */
        return;
    counted->complete++;
    counted->lookup_ns += times->lookup_ns;
    counted->connect_ns += number_minus(times->connect_ns, times->lookup_ns);
    if (times->tls_ns)
        counted->tls_ns += number_minus(times->tls_ns, times->connect_ns);
    if (times->open_ns) {
        counted->opened++;
        counted->open_ns += times->open_ns;
    }
    counted->first_byte_ns += number_minus(times->first_byte_ns, times->send_ns);
    counted->body_ns += number_minus(times->total_ns, times->first_byte_ns);
}

static COLD void pause_slot(struct object_session *session, struct object_slot *slot,
                            uint64_t pause_ns)
{
    slot->paused = true;
    slot->due_ns = clock_monotonic_ns() + pause_ns;
    session->paused++;
}

/* Measured uploads fail instead, as the server reports. */
static COLD int64_t ask_for(struct object_session *session, struct object_slot *slot,
                            const char *key)
{
    slot->tried = 0;
    slot->call = (struct object_call){.verb = OBJECT_STAT, .key = key};
    return go_on(session, slot, OBJECT_MORE);
}

/* Handles a failure: schedules a retry, or returns the operation's result. */
static COLD int64_t refused(struct object_session *session, struct object_slot *slot,
                            const struct object_answer *answer)
{
    const struct object_verdict verdict = answer->verdict;
    const bool silent = verdict.class == OBJECT_NETWORK_ERROR && verdict.errnum == ETIMEDOUT;
    int64_t result;

    count_failure(object_counted(session, slot), verdict.class);
    if (answer->again && !object_session_stops(session)) {
        object_counted(session, slot)->retries++;
        return go_on(session, slot, OBJECT_MORE);
    }
    object_count_unsure(session->service, slot->call.verb,
                        silent && run_ends(session) ? NULL : answer);
    if (session->set && session->set->held && !answer->settled)
        object_slot_put_aside(session->set, slot);
    if (verdict.retryable && slot->tried < session->retries &&
        (slot->call.verb != OBJECT_APPEND || answer->settled) && /* data could be added twice */
        !object_session_stops(session)) {
        pause_slot(session, slot,
                   object_pause_ns(++slot->tried, answer->pause_ns, &session->jitter));
        return ASYNC_PENDING;
    }
    if (slot->goal == OBJECT_GOAL_FILL && answer_lost(slot, &verdict, OBJECT_UPLOAD_COMPLETE))
        return ask_for(session, slot, slot->key);
    if (answer_lost(slot, &verdict, OBJECT_RENAME))
        return ask_for(session, slot, slot->other);
    note_answer(session, slot, answer);
    if (slot->call.verb == OBJECT_UPLOAD_BEGIN) /* the upload may have begun despite other faults */
        snprintf(slot->upload.id, sizeof(slot->upload.id), "%s", answer->upload_id);
    result = object_operation_failed(session, slot, verdict.errnum ? -verdict.errnum : -EIO);
    result = go_on(session, slot, result);
    if (verdict.class != OBJECT_NETWORK_ERROR || result == ASYNC_PENDING ||
        ++session->network_failures < LOST_AFTER || object_session_stops(session))
        return result;
    slot->held = true;
    slot->failure = result;
    pause_slot(session, slot, LOST_NS);
    return ASYNC_PENDING;
}

/* A missing object is a valid result of test stat. */
static COLD bool is_miss(const struct object_slot *slot, const struct object_answer *answer)
{
    return slot->goal == OBJECT_GOAL_TEST && slot->call.verb == OBJECT_STAT &&
           slot->call.key == slot->key && answer->verdict.class == OBJECT_CLIENT_ERROR &&
           answer->verdict.errnum == ENOENT && !answer->verdict.no_place;
}

static int64_t take_answer(struct object_session *session, struct object_slot *slot)
{
    const struct object_answer *const answer =
        session->protocol->answer(session->link, slot->index, &slot->call);
    struct engine_requests *const counted = object_counted(session, slot);
    int64_t result;

    session->in_flight--;
    if (__builtin_expect(answer->unsent != 0, 0)) {
        counted->count -= answer->unsent;
        object_request_give_back(session->service, slot->call.verb, answer->unsent);
    }
    counted->connections += answer->new_connections;
    counted->sent_bytes += answer->sent_bytes;
    counted->received_bytes += answer->received_bytes;
    if (__builtin_expect(answer->verdict.class != OBJECT_DONE, 0) && !is_miss(slot, answer))
        return refused(session, slot, answer);
    count_times(counted, &answer->times);
    session->version = answer->version;
    session->network_failures = 0;
    slot->tried = 0;
    result = object_operation_next(session, slot, answer);
    return __builtin_expect(result == OBJECT_MORE, 0) ? go_on(session, slot, result) : result;
}

/* ---- waiting ---- */

/* The loop would retry the first two codes itself, which only --retries may.  Requests that stay
 * unanswered after a signal are abandoned, whether their own timeout ends first or that of the
 * run. */
static COLD int64_t final_failure(const struct object_session *session, int64_t result)
{
    if (result == -EAGAIN || result == -EINTR)
        return -EREMOTEIO;
    return result == -ETIMEDOUT ? given_up(session) : result;
}

static int64_t final(const struct object_session *session, int64_t result)
{
    return __builtin_expect(result < 0 && result != ASYNC_PENDING, 0)
               ? final_failure(session, result)
               : result;
}

/* The slot's last request has ended.  False: the operation continues in other slots or with another
 * request. */
static bool end_slot(struct object_session *session, struct object_slot *slot, int64_t result,
                     struct async_event *event)
{
    slot->busy = false;
    if (__builtin_expect(slot->owner != NULL, 0)) {
        result = object_lanes_ended(session, slot, result);
        slot = slot->owner;
        result = go_on(session, slot, result);
        if (result == ASYNC_PENDING)
            return false;
        slot->busy = false;
    }
    *event = (struct async_event){
        .slot = slot->index,
        .step = test_writes(session->work->test) ? ASYNC_WRITE : ASYNC_READ,
        .result = final(session, result),
    };
    return true;
}

/* Wakes the slots at once, because the run or the task ends. */
void object_session_drop(struct object_session *session)
{
    session->protocol->disconnect(session->link);
    session->link = NULL;
    session->in_flight = 0;
    for (uint32_t i = 0; i < session->reach; i++) {
        struct object_slot *const slot = &session->slot[i];

        if (!slot->busy || slot->paused || slot->joins)
            continue;
        object_count_unsure(session->service, slot->call.verb, NULL);
        slot->paused = true;
        session->paused++;
    }
}

static COLD bool only_parts(const struct object_session *session)
{
    for (uint32_t i = 0; i < session->reach; i++)
        if (session->slot[i].busy && !session->slot[i].paused && !session->slot[i].joins &&
            session->slot[i].call.verb != OBJECT_UPLOAD_PART)
            return false;
    return true;
}

/* Requests under way when the run is to end could be carried out after removal: waits for them, as
 * long as a server may be silent.  Parts create no object: after a moment they are dropped, and
 * their uploads aborted on new connections. */
static COLD void see_stop(struct object_session *session, uint64_t now_ns)
{
    const uint64_t timeout_ns = session->options->timeout_ns;
    const uint64_t patience_ns = (timeout_ns ? timeout_ns : LATE_MOST_NS) + LOOK_NS;
    struct error unsaid = ERROR_INIT;

    if (!session->stopped_ns)
        session->stopped_ns = now_ns;
    if (!session->in_flight)
        return;
    if (session->overdue || now_ns - session->stopped_ns > patience_ns) {
        object_session_drop(session);
    } else if (now_ns - session->stopped_ns > TOLD_NS && only_parts(session)) {
        object_session_drop(session);
        (void)object_session_connect(session, &unsaid);
    } else if (now_ns - session->stopped_ns > TOLD_NS && session->number_first == 0) {
        log_progress("waiting for %" PRIu32 " requests in flight; another signal ends at once",
                     session->in_flight);
    }
}

/* A pause is over.  Nothing is repeated once the run is to end. */
static int64_t wake(struct object_session *session, struct object_slot *slot, bool stops)
{
    slot->paused = false;
    session->paused--;
    if (slot->held)
        return slot->failure;
    if (stops)
        return go_on(session, slot, unsent(session, slot, given_up(session)));
    object_counted(session, slot)->retries++;
    return go_on(session, slot, OBJECT_MORE);
}

/* Wakes the slots whose pause is over.  Returns the number of resulting events; limits *wait_ns to
 * the next pause. */
static COLD unsigned wake_slots(struct object_session *session, uint64_t *wait_ns,
                                struct async_event *events, unsigned max)
{
    const uint64_t now_ns = clock_monotonic_ns();
    const bool stops = object_session_stops(session);
    unsigned count = 0;

    if (stops)
        see_stop(session, now_ns);
    for (uint32_t i = 0; i < session->reach && session->paused && count < max; i++) {
        struct object_slot *const slot = &session->slot[i];

        if (!slot->paused)
            continue;
        if (stops || slot->due_ns <= now_ns) {
            const int64_t result = wake(session, slot, stops);

            if (result != ASYNC_PENDING)
                count += end_slot(session, slot, result, &events[count]);
        } else if (slot->due_ns - now_ns < *wait_ns) {
            *wait_ns = slot->due_ns - now_ns;
        }
    }
    if (count)
        *wait_ns = 0;
    return count;
}

int object_session_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct object_session *const session = arg;
    unsigned count = 0;
    int got;

    if (wait_ns > LOOK_NS)
        wait_ns = LOOK_NS;
    if (__builtin_expect(session->paused || object_session_stops(session), 0))
        count = wake_slots(session, &wait_ns, events, max);
    if (__builtin_expect(!session->in_flight || count == max, 0)) {
        if (!count) {            /* all slots are pausing */
            clock_rest(wait_ns); /* the caller checks for signals */
            see_time(session);
        }
        return (int)count;
    }
    got = session->protocol->wait(session->link, wait_ns, session->done,
                                  max - count < session->reach ? max - count : session->reach);
    if (__builtin_expect(got < 0, 0))
        return count ? (int)count : got;
    if (__builtin_expect(!got, 0))
        see_time(session);
    for (int i = 0; i < got; i++) {
        struct object_slot *const slot = &session->slot[session->done[i]];
        const int64_t result = take_answer(session, slot);

        if (result != ASYNC_PENDING)
            count += end_slot(session, slot, result, &events[count]);
    }
    return (int)count;
}

/* ---- hooks ---- */

static struct object_slot *take_slot(struct object_session *session, const struct async_op *op,
                                     bool reads)
{
    struct object_slot *const slot = &session->slot[op->slot];

    slot->goal = OBJECT_GOAL_TEST;
    slot->object = session->object_first + op->object;
    slot->data = op->buffer;
    slot->offset_bytes = op->offset_bytes;
    slot->reads = reads;
    if (__builtin_expect(session->set->held != NULL, 0))
        object_slot_hold(session->set, slot, test_writes(session->work->test));
    return slot;
}

static int64_t start(struct object_session *session, const struct async_op *op, bool reads)
{
    struct object_slot *const slot = take_slot(session, op, reads);
    int64_t code;

    code = object_operation_first(session, slot);
    if (__builtin_expect(code < 0, 0))
        return final(session, note_unsent(session, slot, code));
    if (__builtin_expect(session->lanes && slot->call.verb == OBJECT_GET, 0))
        return final(session, object_lanes_begin(session, slot));
    return final(session, object_session_begin(session, slot));
}

static int64_t object_open_upload(void *arg, const struct async_op *op)
{
    struct object_session *const session = arg;
    struct object_slot *const slot = take_slot(session, op, false);

    object_operation_open(session, slot);
    return final(session, object_session_begin(session, slot));
}

static int64_t object_start_read(void *arg, const struct async_op *op)
{
    struct object_session *const session = arg;

    return start(session, op, session->work->reads_too);
}

static int64_t object_end(void *arg, const struct async_op *op)
{
    struct object_session *const session = arg;
    struct object_slot *const slot = &session->slot[op->slot];

    return object_operation_upload(session, slot, true)
               ? final(session, object_session_begin(session, slot))
               : 0;
}

static int64_t object_write(void *arg, const struct async_op *op)
{
    struct object_session *const session = arg;
    struct object_slot *const slot = &session->slot[op->slot];
    int64_t result;

    if (!session->uploads)
        return start(session, op, false);
    slot->data = op->buffer;
    if (!object_operation_upload(session, slot, false))
        return -EPROTO;
    if (!session->lanes)
        return final(session, object_session_begin(session, slot));
    result = go_on(session, slot, object_lanes_begin(session, slot));
    slot->busy = result == ASYNC_PENDING;
    return final(session, result);
}

static uint32_t object_choose(void *arg, uint32_t object)
{
    const struct object_session *const session = arg;

    object = object_set_choose(session->set, session->object_first + object);
    if (__builtin_expect(session->set->held != NULL, 0))
        object = object_set_hold(session->set, object);
    return object - session->object_first;
}

bool object_engine_opens(const struct workload *work)
{
    return object_options_in_parts(object_store_of(work->target)->service->options, work->test,
                                   work->size_bytes);
}

void object_engine_report(void *arg, struct engine_report *report)
{
    struct object_session *const session = arg;

    report->has_requests = true;
    report->requests = session->counted;
    report->read_requests = session->read_counted;
    report->found = session->found;
    report->protocol = session->version;
    report->connection = session->protocol->connection && session->options->reconnect
                             ? "new"
                             : session->protocol->connection;
    report->payload = test_writes(session->work->test) && session->protocol->payload
                          ? session->protocol->payload(session->service)
                          : NULL;
    report->first_failure =
        error_is_set(&session->failure)
            ? error_format(&session->failure, session->failure_text, sizeof(session->failure_text))
            : NULL;
}

/* Adds bodies to the counters of all threads after each slice. */
void object_session_account(struct object_session *session)
{
    struct object_service *const service = session->service;
    const uint64_t sent_bytes = session->counted.sent_bytes + session->read_counted.sent_bytes;
    const uint64_t received_bytes =
        session->counted.received_bytes + session->read_counted.received_bytes;

    atomic_fetch_add(&service->sent_bytes, sent_bytes - session->told_sent_bytes);
    atomic_fetch_add(&service->received_bytes, received_bytes - session->told_received_bytes);
    session->told_sent_bytes = sent_bytes;
    session->told_received_bytes = received_bytes;
}

void object_engine_teardown(void *arg)
{
    struct object_session *const session = arg;
    struct object_set *const set = session->copies ? session->copies : session->set;

    object_session_restore(session);
    object_session_account(session);
    for (uint32_t i = 0; session->set->held && i < session->slots; i++)
        object_slot_hold(session->set, &session->slot[i], false);
    atomic_fetch_add(&set->made, session->new_objects);
    session->new_objects = 0;
}

const struct engine_async object_engine_async = {
    .depth_max = OBJECT_DEPTH_MAX,
    .choose = object_choose,
    .read = object_start_read,
    .write = object_write,
    .open = object_open_upload,
    .close = object_end,
    .reap = object_session_reap,
};
