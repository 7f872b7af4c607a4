/* SPDX-License-Identifier: GPL-2.0-or-later */
/* engine.c - the engine `s3`: operations on the objects of a bucket, as many at a time as there are
 * slots.  A thread keeps connections, signing key and request buffers for each bucket from slice to
 * slice (struct s3_site).  What is repeated, and the pauses before it, are part of an operation's
 * time; a slot that pauses holds up no other one. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "target/object/operation.h"
#include "target/object/s3/xml.h"

#define COLD __attribute__((noinline, cold))

#define NS_PER_MS     UINT64_C(1000000)
#define NS_PER_S      UINT64_C(1000000000)
#define LOOK_NS       (200 * NS_PER_MS) /* the end of the run is noticed so late at most */
#define PAUSE_NS      (100 * NS_PER_MS) /* before the first repetition; doubled for each one more */
#define PAUSE_MOST_NS (6400 * NS_PER_MS)
#define LOST_AFTER    16u              /* failures of the network one after the other ... */
#define LOST_NS       (50 * NS_PER_MS) /* ... from then on are told so late, not to run idle */
#define LATE_MOST_NS  (30 * NS_PER_S)  /* ... when --max-time is over */
#define TOLD_NS       NS_PER_S         /* waiting for so long is told */

static uint64_t less(uint64_t more, uint64_t fewer)
{
    return more > fewer ? more - fewer : 0;
}

bool s3_site_stops(const struct s3_site *site)
{
    return site->overdue || flag_read(site->bucket->target.request->stop);
}

/* The clock is read where an operation takes long, or where nothing comes.  What is under way when the
 * time is over gets as long as a server may be silent. */
static COLD void see_time(struct s3_site *site)
{
    const uint64_t timeout_ns = site->options->timeout_ns;

    site->overdue = site->give_up_ns &&
                    less(clock_monotonic_ns(), site->give_up_ns) >=
                        (timeout_ns && timeout_ns < LATE_MOST_NS ? timeout_ns : LATE_MOST_NS);
}

/* What was given up fails with this: after a signal that is no failure. */
static COLD int64_t given_up(const struct s3_site *site)
{
    return flag_read(site->bucket->target.request->stop) ? -ECANCELED : -ETIMEDOUT;
}

/* ---- failures in words ---- */

static const char *what_failed(enum s3_kind kind)
{
    static const char *const what[S3_KIND_COUNT] = {
        [S3_PUT] = "cannot write",
        [S3_GET] = "cannot read",
        [S3_HEAD] = "cannot look for",
        [S3_LIST] = "cannot list",
        [S3_COPY] = "cannot copy to",
        [S3_DELETE] = "cannot delete",
        [S3_DELETE_MANY] = "cannot delete objects of",
        [S3_UPLOAD_BEGIN] = "cannot begin the upload of",
        [S3_UPLOAD_PART] = "cannot upload a part of",
        [S3_UPLOAD_COMPLETE] = "cannot complete the upload of",
        [S3_UPLOAD_ABORT] = "cannot abort the upload of",
        [S3_UPLOAD_LIST] = "cannot list uploads of",
    };

    return what[kind];
}

COLD void s3_site_note(struct s3_site *site, const struct s3_slot *slot, const char *why)
{
    char key[320];

    if (site->first_failure[0])
        return;
    error_printable(slot->call.key, key, sizeof key);
    snprintf(site->first_failure, sizeof site->first_failure, "%s s3://%s/%s: %s",
             what_failed(slot->call.kind), site->bucket->service.address.bucket, key, why);
}

static COLD void note_answer(struct s3_site *site, const struct s3_slot *slot,
                             const struct http_answer *answer, const struct s3_verdict *verdict)
{
    const char *advice = NULL;
    char why[480], text[800];

    s3_explain(answer, verdict, why, sizeof why, &advice);
    snprintf(text, sizeof text, "%s%s%s", why, advice ? "; " : "", advice ? advice : "");
    s3_site_note(site, slot, text);
}

/* Requests that were not sent.  One too many for --max-requests is no failure, so it does not take the
 * place of the first one. */
static COLD int64_t note_unsent(struct s3_site *site, const struct s3_slot *slot, int64_t code)
{
    if (code == -ENAMETOOLONG || code == -EMSGSIZE)
        s3_site_note(site, slot, "the request gets too long");
    else if (code == -ENOENT)
        s3_site_note(site, slot, "no object is left to be deleted");
    else if (code == -ECANCELED)
        s3_site_note(site, slot, "given up because the run was to end");
    else if (code == -ETIMEDOUT)
        s3_site_note(site, slot, "given up because the time of the run (--max-time) was over");
    return code;
}

/* ---- requests ---- */

/* What puts things in order goes out even when no request may be made any more. */
static int64_t issue(struct s3_site *site, struct s3_slot *slot)
{
    struct s3_service *service = &site->bucket->service;
    struct s3_request *request = &site->request[slot->index];
    int code;

    if (__builtin_expect(!site->http, 0))
        return given_up(site);
    if (__builtin_expect(!s3_request_count(service, slot->call.kind), 0)) {
        if (slot->call.kind != S3_UPLOAD_ABORT)
            return -EDQUOT;
        atomic_fetch_add(&service->requests[S3_UPLOAD_ABORT], 1);
    }
    code = s3_request_make(service, site->signer, &slot->call, time(NULL), request);
    if (__builtin_expect(code < 0, 0))
        return code;
    code = http_begin(site->http, slot->index, &request->http);
    if (__builtin_expect(code < 0, 0))
        return code;
    site->counted.count++;
    site->in_flight++;
    return ASYNC_PENDING;
}

/* From one request to the next, as long as none is under way. */
static int64_t go_on(struct s3_site *site, struct s3_slot *slot, int64_t result)
{
    while (result == S3_MORE) {
        see_time(site);
        if (__builtin_expect(s3_site_stops(site), 0) && slot->goal == S3_GOAL_TEST &&
            slot->call.kind != S3_UPLOAD_ABORT && slot->call.kind != S3_DELETE) {
            result = s3_operation_failed(site, slot, note_unsent(site, slot, given_up(site)));
            continue;
        }
        result = issue(site, slot);
        if (__builtin_expect(result != ASYNC_PENDING, 0))
            result = s3_operation_failed(site, slot, note_unsent(site, slot, result));
    }
    return result;
}

int64_t s3_site_begin(struct s3_site *site, struct s3_slot *slot)
{
    int64_t result;

    slot->tried = 0;
    slot->paused = slot->held = false;
    result = issue(site, slot);
    if (__builtin_expect(result != ASYNC_PENDING, 0))
        return s3_operation_failed(site, slot, note_unsent(site, slot, result));
    slot->busy = true;
    return result;
}

static void count_times(struct engine_requests *counted, const struct http_times *times)
{
    counted->complete++;
    counted->lookup_ns += times->lookup_ns;
    counted->connect_ns += less(times->connect_ns, times->lookup_ns);
    if (times->tls_ns)
        counted->tls_ns += less(times->tls_ns, times->connect_ns);
    counted->first_byte_ns += less(times->first_byte_ns, times->send_ns);
    counted->body_ns += less(times->total_ns, times->first_byte_ns);
}

static COLD void count_failure(struct engine_requests *counted, enum s3_class class)
{
    switch (class) {
    case S3_SLOW_DOWN:
        counted->slow_downs++;
        break;
    case S3_SERVER:
        counted->server_errors++;
        break;
    case S3_CLIENT:
    case S3_REDIRECT:
        counted->client_errors++;
        break;
    case S3_NETWORK:
        counted->network_errors++;
        break;
    default:
        counted->protocol_errors++;
        break;
    }
}

static COLD void pause_slot(struct s3_site *site, struct s3_slot *slot, uint64_t pause_ns)
{
    slot->paused = true;
    slot->due_ns = clock_monotonic_ns() + pause_ns;
    site->paused++;
}

/* A failure: to be repeated later, or what the operation ends with. */
static COLD int64_t refused(struct s3_site *site, struct s3_slot *slot,
                            const struct http_answer *answer, const struct s3_verdict *verdict)
{
    const uint64_t asked_ns = s3_asked_pause_ns(answer);
    int64_t result;

    count_failure(&site->counted, verdict->class);
    s3_count_unsure(&site->bucket->service, slot->call.kind,
                    answer->failure == -ETIMEDOUT && s3_site_stops(site) ? NULL : answer);
    if (verdict->retryable && slot->tried < site->retries && !s3_site_stops(site)) {
        slot->pause_ns = slot->tried++ ? slot->pause_ns * 2 : PAUSE_NS;
        if (slot->pause_ns > PAUSE_MOST_NS)
            slot->pause_ns = PAUSE_MOST_NS;
        pause_slot(site, slot, asked_ns > slot->pause_ns ? asked_ns : slot->pause_ns);
        return ASYNC_PENDING;
    }
    note_answer(site, slot, answer, verdict);
    if (slot->call.kind == S3_UPLOAD_BEGIN && answer->status >= 200 && answer->status < 300 &&
        xml_find(answer->text, answer->text_bytes, "UploadId", slot->upload_id,
                 sizeof slot->upload_id) <= 0)
        slot->upload_id[0] = '\0'; /* else it has begun, whatever is wrong with the answer */
    result = s3_operation_failed(site, slot, verdict->errnum ? -verdict->errnum : -EIO);
    result = go_on(site, slot, result);
    if (verdict->class != S3_NETWORK || result == ASYNC_PENDING ||
        ++site->network_failures < LOST_AFTER || s3_site_stops(site))
        return result;
    slot->held = true;
    slot->failure = result;
    pause_slot(site, slot, LOST_NS);
    return ASYNC_PENDING;
}

static int64_t take_answer(struct s3_site *site, struct s3_slot *slot)
{
    const struct http_answer *const answer = http_answer(site->http, slot->index);
    struct engine_requests *const counted = &site->counted;
    struct s3_verdict verdict;
    int64_t result;

    site->in_flight--;
    counted->connections += answer->new_connections;
    counted->sent_bytes += answer->sent_bytes;
    counted->received_bytes += answer->received_bytes;
    s3_judge(&slot->call, answer, &verdict);
    if (__builtin_expect(verdict.class != S3_DONE, 0))
        return refused(site, slot, answer, &verdict);
    count_times(counted, &answer->times);
    site->http_version = answer->version;
    site->network_failures = 0;
    slot->tried = 0;
    result = s3_operation_next(site, slot, answer);
    return __builtin_expect(result == S3_MORE, 0) ? go_on(site, slot, result) : result;
}

/* ---- waiting ---- */

/* These two codes would make the loop ask once more by itself: only --retries may. */
static int64_t final(int64_t result)
{
    return __builtin_expect(result == -EAGAIN || result == -EINTR, 0) ? -EREMOTEIO : result;
}

static struct async_event end_slot(const struct s3_site *site, struct s3_slot *slot, int64_t result)
{
    slot->busy = false;
    return (struct async_event){
        .slot = slot->index,
        .step = test_writes(site->work->test) ? ASYNC_WRITE : ASYNC_READ,
        .result = final(result),
    };
}

/* The run is to end, and the server takes its time: nobody waits for it. */
static COLD void abandon(struct s3_site *site)
{
    http_destroy(site->http);
    site->http = NULL;
    site->in_flight = 0;
    for (uint32_t i = 0; i < site->width; i++) {
        struct s3_slot *const slot = &site->slot[i];

        if (!slot->busy || slot->held)
            continue;
        s3_operation_lost(site, slot);
        slot->failure = note_unsent(site, slot, given_up(site));
        site->paused += !slot->paused;
        slot->paused = slot->held = true;
    }
}

/* What is under way when the run is to end could be carried out when all has been removed: it is
 * waited for, as long as a server may be silent. */
static uint64_t patience_ns(const struct s3_site *site)
{
    const uint64_t timeout_ns = site->options->timeout_ns;

    return (timeout_ns ? timeout_ns : LATE_MOST_NS) + LOOK_NS;
}

static COLD void see_stop(struct s3_site *site, uint64_t now_ns)
{
    if (!site->stopped_ns)
        site->stopped_ns = now_ns;
    if (!site->in_flight)
        return;
    if (site->overdue || now_ns - site->stopped_ns > patience_ns(site))
        abandon(site);
    else if (site->number_first == 0 && now_ns - site->stopped_ns > TOLD_NS) /* the main thread */
        log_progress("waiting for %" PRIu32
                     " requests that are under way; another signal ends at once",
                     site->in_flight);
}

/* A pause is over.  When the run is to end, nothing is repeated any more. */
static int64_t wake(struct s3_site *site, struct s3_slot *slot, bool stops)
{
    slot->paused = false;
    site->paused--;
    if (slot->held)
        return slot->failure;
    if (stops)
        return go_on(site, slot,
                     s3_operation_failed(site, slot, note_unsent(site, slot, given_up(site))));
    site->counted.retries++;
    return go_on(site, slot, S3_MORE);
}

/* Takes up what has paused long enough.  Returns how many events that made; *wait_ns gets no longer
 * than the next pause. */
static COLD unsigned wake_slots(struct s3_site *site, uint64_t *wait_ns, struct async_event *events,
                                unsigned max)
{
    const uint64_t now_ns = clock_monotonic_ns();
    const bool stops = s3_site_stops(site);
    unsigned count = 0;

    if (stops)
        see_stop(site, now_ns);
    for (uint32_t i = 0; i < site->width && site->paused && count < max; i++) {
        struct s3_slot *const slot = &site->slot[i];

        if (!slot->paused)
            continue;
        if (stops || slot->due_ns <= now_ns) {
            const int64_t result = wake(site, slot, stops);

            if (result != ASYNC_PENDING)
                events[count++] = end_slot(site, slot, result);
        } else if (slot->due_ns - now_ns < *wait_ns) {
            *wait_ns = slot->due_ns - now_ns;
        }
    }
    if (count)
        *wait_ns = 0;
    return count;
}

static COLD void rest(uint64_t wait_ns)
{
    const struct timespec time = {.tv_sec = (time_t)(wait_ns / NS_PER_S),
                                  .tv_nsec = (long)(wait_ns % NS_PER_S)};

    (void)nanosleep(&time, NULL); /* a signal: the caller looks */
}

int s3_site_reap(struct s3_site *site, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    unsigned count = 0;
    int got;

    if (wait_ns > LOOK_NS)
        wait_ns = LOOK_NS;
    if (__builtin_expect(site->paused || s3_site_stops(site), 0))
        count = wake_slots(site, &wait_ns, events, max);
    if (__builtin_expect(!site->in_flight || count == max, 0)) {
        if (!count)
            rest(wait_ns);
        return (int)count;
    }
    got = http_wait(site->http, wait_ns, site->done,
                    max - count < site->width ? max - count : site->width);
    if (__builtin_expect(got < 0, 0))
        return count ? (int)count : got;
    if (__builtin_expect(!got, 0))
        see_time(site);
    for (int i = 0; i < got; i++) {
        struct s3_slot *const slot = &site->slot[site->done[i]];
        const int64_t result = take_answer(site, slot);

        if (result != ASYNC_PENDING)
            events[count++] = end_slot(site, slot, result);
    }
    return (int)count;
}

/* ---- hooks ---- */

static int s3_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    return s3_site_reap(arg, wait_ns, events, max);
}

static int64_t s3_start(void *arg, const struct async_op *op)
{
    struct s3_site *const site = arg;
    struct s3_slot *const slot = &site->slot[op->slot];
    int64_t code;

    slot->goal = S3_GOAL_TEST;
    slot->object = site->object_first + op->object;
    slot->data = op->buffer;
    slot->offset_bytes = op->offset_bytes;
    code = s3_operation_first(site, slot);
    if (__builtin_expect(code < 0, 0))
        return final(note_unsent(site, slot, code));
    return final(s3_site_begin(site, slot));
}

static uint32_t s3_choose(void *arg, uint32_t object)
{
    const struct s3_site *const site = arg;

    return s3_set_choose(site->set, site->object_first + object) - site->object_first;
}

/* What the uploads of a service are covered with. */
static const char *payload_name(const struct s3_service *service)
{
    static const char *const name[][S3_CHECKSUM_COUNT] = {
        {"unsigned", "unsigned+md5", "unsigned+crc32", "unsigned+crc32c", "unsigned+crc64nvme"},
        {"signed", "signed+md5", "signed+crc32", "signed+crc32c", "signed+crc64nvme"},
        {"trailer", "trailer+md5", "trailer+crc32", "trailer+crc32c", "trailer+crc64nvme"},
        {"anonymous", "anonymous+md5", "anonymous+crc32", "anonymous+crc32c",
         "anonymous+crc64nvme"},
    };
    const unsigned how = service->credentials.anonymous           ? 3
                         : service->payload == S3_PAYLOAD_TRAILER ? 2
                         : service->payload == S3_PAYLOAD_SIGNED  ? 1
                                                                  : 0;

    return name[how][s3_request_checksum(service)];
}

static const char *protocol_name(unsigned version)
{
    return version >= 30   ? "http/3"
           : version >= 20 ? "http/2"
           : version == 11 ? "http/1.1"
           : version       ? "http/1.0"
                           : NULL;
}

static void s3_report(void *arg, struct engine_report *report)
{
    const struct s3_site *const site = arg;

    report->has_requests = true;
    report->requests = site->counted;
    report->protocol = protocol_name(site->http_version);
    report->connection = site->options->reconnect ? "new" : "keep";
    report->payload = test_writes(site->work->test) ? payload_name(&site->bucket->service) : NULL;
    report->first_failure = site->first_failure[0] ? site->first_failure : NULL;
}

/* Bodies are added up for all threads after each slice. */
static void s3_teardown(void *arg)
{
    struct s3_site *const site = arg;
    struct s3_service *const service = &site->bucket->service;

    s3_stock_restore(site);
    atomic_fetch_add(&service->sent_bytes, site->counted.sent_bytes - site->told_sent_bytes);
    atomic_fetch_add(&service->received_bytes,
                     site->counted.received_bytes - site->told_received_bytes);
    site->told_sent_bytes = site->counted.sent_bytes;
    site->told_received_bytes = site->counted.received_bytes;
}

static const struct engine_async s3_async = {
    .depth_max = S3_DEPTH_MAX,
    .choose = s3_choose,
    .read = s3_start,
    .write = s3_start,
    .reap = s3_reap,
};

const struct engine engine_s3 = {
    .name = "s3",
    .summary = "objects of a bucket over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests to an object store (HTTP)",
    .capabilities = ENGINE_WRITES | ENGINE_DROPS_DATA,
    .phases = 1u << PHASE_TRANSFER,
    .driver = "s3",
    .tests = (1u << TEST_COUNT) - 1,
    .setup = s3_site_setup,
    .teardown = s3_teardown,
    .report = s3_report,
    .retire = s3_site_retire,
    .async = &s3_async,
};
