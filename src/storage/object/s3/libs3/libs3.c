/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* libs3.c - the engine `libs3`: a second client for object stores, for comparing two client
 * libraries on one server. It works on the buckets of s3/, supports GET, PUT and HEAD, and keeps as
 * many requests in flight as the depth, in one request context of the library per thread. The only
 * file that includes <libs3.h>.
 *
 * There are two versions of libs3. 2.0, in Debian, signs with Signature V2, which many services no
 * longer accept, and never verifies certificates. The one called 4.1 signs with V4 and can verify.
 * Neither reports connections, HTTP statuses or the phases of a request, so those columns stay
 * empty. The library links its own libcurl, perhaps of another variant than http.c's: their symbols
 * are versioned, so both can coexist in one process. */
#include "base/compat.h"

#include "engine/engine.h"

#include <errno.h>
#include <libs3.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>

#include "base/clock.h"
#include "base/mem.h"
#include "storage/object/dataset.h"
#include "storage/object/s3/request.h"

#ifdef HAVE_S3BUCKETCONTEXT_AUTHREGION
#define NO_TIMEOUT 0, /* an argument of each request */
#define PAYLOAD    "unsigned"
#define HINT       ""
#define SUMMARY    "object store through libs3 (a second client)"
#else
#define NO_TIMEOUT
#define PAYLOAD "sigv2"
#define HINT    " (this libs3 signs with Signature V2 only)"
#define SUMMARY "object store through libs3 (a second client), Signature V2"
#endif

/* The library waits with select(2), which does not support descriptors from 1024 on. */
#define LIBS3_DEPTH_MAX  256u
#define UNSEEN_WAIT_NS   1000000 /* then the library is polled at this interval */
#define NS_PER_MS        UINT64_C(1000000)
#define FAILURE_BYTES    640
#define DESCRIPTORS_LEFT 64 /* reserved for everything else */

struct libs3_slot { /* a request in flight */
    struct libs3_ctx *ctx;
    struct async_op op;
    enum async_step step;
    enum object_verb kind;
    uint32_t index;  /* of the object in the set */
    uint64_t moved;  /* bytes of the body so far */
    bool wrong_size; /* the answer announced a length other than the one requested */
    char key[OBJECT_KEY_BYTES];
};

struct libs3_home { /* per thread; the connections belong to the context */
    S3RequestContext *context;
    struct engine_requests requests;
    char failure[FAILURE_BYTES]; /* the first one of the slice, or "" */
};

struct libs3_ctx {
    struct libs3_home *home;
    struct object_target *bucket;
    const struct object_set *set;
    uint32_t set_offset; /* offset from the workload's objects to those of the set */
    uint64_t io_bytes;
    enum io_test test;
    bool keep_data; /* data read are stored in the buffer */
    bool fresh;     /* requests were begun that the library has not processed yet */
    S3BucketContext where;
    char host[S3_MAX_HOSTNAME_SIZE + 1];
    struct libs3_slot *slot;
    struct async_event *done; /* events not reaped yet: at most one per slot */
    uint32_t in_flight, done_count;
    uint64_t sent_bytes, received_bytes;
};

static const char *libs3_library(void)
{
    return "libs3" BUILT_LIBS3;
}

/* ---- capabilities of this library ---- */

/* Once per process, for all threads, and never undone. It only sets the client's name. */
static S3Status started = S3StatusInternalError;

static void start_library(void)
{
    started = S3_initialize("iosweep", S3_INIT_ALL, NULL);
}

static int check_library(struct error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, start_library);
    if (started == S3StatusOK)
        return 0;
    return error_set(err, STATUS_TARGET, 0, "libs3 does not start:", S3_get_status_name(started));
}

static int refuse(struct error *err, const char *what, const char *advice)
{
    return error_refuse(err, STATUS_USAGE, what, NULL, "%s, or use --engine s3", advice);
}

/* Refuses options that libs3 does not support and would silently ignore. */
static int check_options(const struct s3_options *options, struct error *err)
{
    if (options->checksum != S3_CHECKSUM_NONE)
        return refuse(err, "engine libs3 sends no checksums", "leave out --s3.checksum");
    if (options->payload != S3_PAYLOAD_AUTO)
        return refuse(err, "engine libs3 signs bodies in one way only (" PAYLOAD ")",
                      "leave out --s3.payload");
    if (options->store.reconnect)
        return refuse(err, "engine libs3 keeps its connections", "leave out --reconnect");
    if (object_options_lanes(&options->store) > 0)
        return refuse(err, "engine libs3 sends one request per operation at a time",
                      "leave out --parallel");
    if (options->store.part_bytes > 0)
        return refuse(err, "engine libs3 uploads no objects in parts", "leave out --part-size");
    if (options->store.retries > 0)
        return refuse(err, "engine libs3 does not retry requests", "leave out --retries");
    return 0;
}

static int check_trust(const struct s3_service *service, struct error *err)
{
#ifndef HAVE_S3BUCKETCONTEXT_AUTHREGION
    if (service->credentials.session_token)
        return refuse(err, "this libs3 (Signature V2) knows no session tokens",
                      "take credentials without one");
#endif
    if (!service->address.https || s3_options_of(&service->base)->store.insecure)
        return 0;
#ifndef HAVE_S3BUCKETCONTEXT_AUTHREGION
    return refuse(err, "this libs3 verifies no certificates, so it is not used over https",
                  "say --insecure");
#else
    if (service->ca_file)
        return refuse(err, "libs3 takes no file of certificates", "leave out --ca-file");
    return 0;
#endif
}

/* The library joins host, bucket and key by itself. */
static int check_address(const struct s3_address *address, struct error *err)
{
    const size_t length = strlen(address->bucket);
    const bool plain = address->virtual_host
                           ? strcmp(address->path, "/") == 0
                           : strncmp(address->path + 1, address->bucket, length) == 0 &&
                                 strcmp(address->path + 1 + length, "/") == 0;

    if (!plain)
        return refuse(err, "engine libs3 cannot use an endpoint with a path",
                      "name one that is only a host");
    if (strlen(address->authority) > S3_MAX_HOSTNAME_SIZE)
        return refuse(err, "the name of the host is too long for libs3", "use a shorter one");
    return 0;
}

static int check_all(const struct s3_service *service, const struct workload *work,
                     const struct engine_thread *thread, struct error *err)
{
    if (check_library(err) < 0 || check_options(s3_options_of(&service->base), err) < 0 ||
        check_trust(service, err) < 0 || check_address(&service->address, err) < 0)
        return -1;
    if ((uint64_t)thread->sharers * work->depth > FD_SETSIZE - DESCRIPTORS_LEFT)
        return refuse(err, "libs3 uses select(2), which cannot handle so many connections",
                      "lower --depth or --threads");
    return 0;
}

/* ---- before and after a slice ---- */

static void libs3_retire(void *arg)
{
    struct libs3_home *home = arg;

    if (!home)
        return;
    if (home->context)
        S3_destroy_request_context(home->context);
    free(home);
}

static int home_open(struct libs3_home *home, const struct s3_service *service, struct error *err)
{
    S3Status status;

    home->failure[0] = '\0';
    if (home->context)
        return 0;
    status = S3_create_request_context(&home->context);
    if (status != S3StatusOK) {
        home->context = NULL;
        return error_set(err, STATUS_TARGET, 0,
                         "libs3 cannot prepare requests:", S3_get_status_name(status));
    }
#ifdef HAVE_S3BUCKETCONTEXT_AUTHREGION
    S3_set_request_context_verify_peer(home->context,
                                       !s3_options_of(&service->base)->store.insecure);
#else
    (void)service;
#endif
    return 0;
}

static void fill_where(struct libs3_ctx *ctx, const struct s3_service *service)
{
    const struct s3_address *address = &service->address;
    const struct s3_credentials *credentials = &service->credentials;
    /* libs3 prepends the bucket to the host by itself */
    const size_t skip = address->virtual_host ? strlen(address->bucket) + 1 : 0;

    snprintf(ctx->host, sizeof(ctx->host), "%s", address->authority + skip);
    ctx->where = (S3BucketContext){
        .hostName = ctx->host,
        .bucketName = address->bucket,
        .protocol = address->https ? S3ProtocolHTTPS : S3ProtocolHTTP,
        .uriStyle = address->virtual_host ? S3UriStyleVirtualHost : S3UriStylePath,
        .accessKeyId = credentials->anonymous ? NULL : credentials->access_key,
        .secretAccessKey = credentials->anonymous ? NULL : credentials->secret_key,
#ifdef HAVE_S3BUCKETCONTEXT_AUTHREGION
        .securityToken = credentials->anonymous ? NULL : credentials->session_token,
        .authRegion = address->region,
#endif
    };
}

static int libs3_setup(const struct workload *work, const struct engine_thread *thread,
                       void **ctx_out, struct error *err)
{
    struct object_target *bucket = object_target_of(work->target);
    struct libs3_home *home = *thread->home;
    struct libs3_ctx *ctx;

    if (check_all(s3_service_of(bucket->service), work, thread, err) < 0)
        return -1;
    if (!home)
        *thread->home = home = mem_calloc(1, sizeof(*home));
    if (home_open(home, s3_service_of(bucket->service), err) < 0)
        return -1;
    ctx = mem_calloc(1, sizeof(*ctx));
    ctx->home = home;
    ctx->bucket = bucket;
    ctx->set = object_set_for(bucket, work->test, work->size_bytes);
    if (!ctx->set) {
        free(ctx);
        return error_set(err, STATUS_INTERNAL, 0, "no objects for this row in",
                         work->target->label);
    }
    ctx->set_offset = work->object_first - ctx->set->first;
    if (test_writes(work->test))
        object_set_begin_pass(ctx->set);
    ctx->io_bytes = work->io_bytes;
    ctx->test = work->test;
    ctx->keep_data = work->verified;
    ctx->slot = mem_calloc(work->depth, sizeof(*ctx->slot));
    ctx->done = mem_calloc(work->depth, sizeof(*ctx->done));
    fill_where(ctx, s3_service_of(bucket->service));
    *ctx_out = ctx;
    return 0;
}

static void libs3_teardown(void *arg)
{
    struct libs3_ctx *ctx = arg;
    struct object_service *service = ctx->bucket->service;

    if (ctx->in_flight) { /* the loop gave up: nothing may be written to its buffers later */
        S3_destroy_request_context(ctx->home->context);
        ctx->home->context = NULL;
    }
    ctx->home->requests.sent_bytes += ctx->sent_bytes;
    ctx->home->requests.received_bytes += ctx->received_bytes;
    atomic_fetch_add_explicit(&service->sent_bytes, ctx->sent_bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&service->received_bytes, ctx->received_bytes, memory_order_relaxed);
    free(ctx->slot);
    free(ctx->done);
    free(ctx);
}

static void libs3_report(void *arg, struct engine_report *report)
{
    const struct libs3_ctx *ctx = arg;

    report->has_requests = true;
    report->requests = ctx->home->requests;
    report->requests.sent_bytes += ctx->sent_bytes;
    report->requests.received_bytes += ctx->received_bytes;
    report->payload = PAYLOAD;
    report->first_failure = ctx->home->failure[0] ? ctx->home->failure : NULL;
}

/* ---- failures ---- */

/* Translates a status to a positive errno and counts its class. The library knows the errors of
 * services in 2008; it reports all others as a general error. */
static COLD int classify(S3Status status, struct engine_requests *requests)
{
    switch (status) {
    case S3StatusErrorSlowDown:
        requests->slow_downs++;
        return EBUSY;
    case S3StatusNameLookupError:
        requests->network_errors++;
        return EHOSTUNREACH;
    case S3StatusFailedToConnect:
        requests->network_errors++;
        return ECONNREFUSED;
    case S3StatusServerFailedVerification:
        requests->network_errors++;
        return EPROTO;
    case S3StatusConnectionFailed:
        requests->network_errors++;
        return ECONNRESET;
    case S3StatusErrorInternalError:
    case S3StatusErrorOperationAborted:
    case S3StatusErrorUnknown:
    case S3StatusHttpErrorUnknown:
        requests->server_errors++;
        return EREMOTEIO;
    case S3StatusErrorNoSuchKey:
    case S3StatusErrorNoSuchBucket:
    case S3StatusHttpErrorNotFound:
        requests->client_errors++;
        return ENOENT;
    case S3StatusErrorAccessDenied:
    case S3StatusErrorInvalidAccessKeyId:
    case S3StatusErrorSignatureDoesNotMatch:
    case S3StatusErrorRequestTimeTooSkewed:
    case S3StatusHttpErrorForbidden:
        requests->client_errors++;
        return EACCES;
    case S3StatusErrorInvalidRange:
        requests->client_errors++;
        return ERANGE;
    default:
        if (status >= S3StatusErrorAccessDenied) {
            requests->client_errors++;
            return EREMOTEIO;
        }
        requests->protocol_errors++; /* no valid answer was received */
        return EPROTO;
    }
}

static COLD void explain(struct libs3_slot *slot, S3Status status, const S3ErrorDetails *details,
                         int code)
{
    struct libs3_home *home = slot->ctx->home;
    char key[OBJECT_KEY_BYTES], message[160];

    error_printable(slot->key, key, sizeof(key));
    error_printable(details && details->message ? details->message : "", message, sizeof(message));
    /* the answer to a wrong signature contains the right one */
    if (status == S3StatusErrorSignatureDoesNotMatch)
        message[0] = '\0';
    snprintf(home->failure, sizeof(home->failure), "cannot %s s3://%s/%.200s: %s%s%s%s",
             slot->step == ASYNC_WRITE ? "write" : "read", slot->ctx->where.bucketName, key,
             slot->wrong_size ? "not the requested bytes" : S3_get_status_name(status),
             message[0] ? ": " : "", message, code == EACCES ? HINT : "");
}

static COLD int64_t fail(struct libs3_slot *slot, S3Status status, const S3ErrorDetails *details)
{
    struct engine_requests *requests = &slot->ctx->home->requests;
    const int code = classify(status, requests);

    if (!slot->ctx->home->failure[0])
        explain(slot, status, details, code);
    return -code;
}

/* ---- callbacks ---- */

static S3Status on_headers(const S3ResponseProperties *properties, void *arg)
{
    struct libs3_slot *slot = arg;

    /* Detects a whole object instead of a range, or another object than the one stored. 0: not
     * announced. */
    if (slot->kind == OBJECT_GET && properties->contentLength &&
        properties->contentLength != slot->ctx->io_bytes)
        slot->wrong_size = true;
    return slot->wrong_size ? S3StatusAbortedByCallback : S3StatusOK;
}

static S3Status on_data(int bytes, const char *data, void *arg)
{
    struct libs3_slot *slot = arg;
    const uint64_t more = (uint64_t)bytes;

    if (__builtin_expect(more > slot->ctx->io_bytes - slot->moved, 0)) {
        slot->wrong_size = true;
        return S3StatusAbortedByCallback;
    }
    if (__builtin_expect(slot->ctx->keep_data, 0))
        memcpy((char *)slot->op.buffer + slot->moved, data, more);
    slot->moved += more;
    return S3StatusOK;
}

static int on_room(int room, char *data, void *arg)
{
    struct libs3_slot *slot = arg;
    const uint64_t left = slot->ctx->io_bytes - slot->moved;
    const uint64_t bytes = left < (uint64_t)room ? left : (uint64_t)room;

    memcpy(data, (const char *)slot->op.buffer + slot->moved, bytes);
    slot->moved += bytes;
    return (int)bytes;
}

static void on_complete(S3Status status, const S3ErrorDetails *details, void *arg)
{
    struct libs3_slot *slot = arg;
    struct libs3_ctx *ctx = slot->ctx;
    int64_t result = (int64_t)ctx->io_bytes;

    /* the library treats a truncated answer as complete */
    if (slot->kind == OBJECT_GET && status == S3StatusOK && slot->moved != ctx->io_bytes)
        status = S3StatusConnectionFailed;
    if (__builtin_expect(status != S3StatusOK, 0))
        result = fail(slot, status, details);
    else if (slot->kind == OBJECT_PUT && ctx->set->present)
        atomic_store_explicit(&ctx->set->present[slot->index], 1, memory_order_relaxed);
    *(slot->kind == OBJECT_PUT ? &ctx->sent_bytes : &ctx->received_bytes) += slot->moved;
    ctx->in_flight--;
    ctx->done[ctx->done_count++] =
        (struct async_event){.slot = slot->op.slot, .step = slot->step, .result = result};
}

/* ---- the requests ---- */

static struct libs3_slot *begin(struct libs3_ctx *ctx, const struct async_op *op,
                                enum async_step step, enum object_verb kind)
{
    struct libs3_slot *slot = &ctx->slot[op->slot];

    if (!object_request_count(ctx->bucket->service, kind, false))
        return NULL;
    slot->ctx = ctx;
    slot->op = *op;
    slot->step = step;
    slot->kind = kind;
    slot->index = op->object + ctx->set_offset;
    slot->moved = 0;
    slot->wrong_size = false;
    object_key(ctx->set, slot->index, slot->key);
    ctx->home->requests.count++;
    ctx->in_flight++;
    ctx->fresh = true;
    return slot;
}

static int64_t libs3_read(void *arg, const struct async_op *op)
{
    static const S3GetObjectHandler handler = {{on_headers, on_complete}, on_data};
    struct libs3_ctx *ctx = arg;
    const bool head = ctx->test == TEST_STAT;
    struct libs3_slot *slot = begin(ctx, op, ASYNC_READ, head ? OBJECT_STAT : OBJECT_GET);
    bool whole;

    if (!slot)
        return -ECANCELED;
    if (head) {
        S3_head_object(&ctx->where, slot->key, ctx->home->context,
                       NO_TIMEOUT & handler.responseHandler, slot);
        return ASYNC_PENDING;
    }
    /* 0 bytes: the whole object, without a Range */
    whole = op->offset_bytes == 0 && ctx->set->length_bytes[slot->index] == ctx->io_bytes;
    S3_get_object(&ctx->where, slot->key, NULL, op->offset_bytes, whole ? 0 : ctx->io_bytes,
                  ctx->home->context, NO_TIMEOUT & handler, slot);
    return ASYNC_PENDING;
}

static int64_t libs3_write(void *arg, const struct async_op *op)
{
    static const S3PutObjectHandler handler = {{on_headers, on_complete}, on_room};
    struct libs3_ctx *ctx = arg;
    struct libs3_slot *slot = begin(ctx, op, ASYNC_WRITE, OBJECT_PUT);

    if (!slot)
        return -ECANCELED;
    S3_put_object(&ctx->where, slot->key, ctx->io_bytes, NULL, ctx->home->context,
                  NO_TIMEOUT & handler, slot);
    return ASYNC_PENDING;
}

static uint32_t libs3_choose(void *arg, uint32_t object)
{
    const struct libs3_ctx *ctx = arg;

    return object_set_choose(ctx->set, object + ctx->set_offset) - ctx->set_offset;
}

/* ---- completions ---- */

static void wait_some(const struct libs3_ctx *ctx, uint64_t wait_ns)
{
    const int64_t timer_ms = S3_get_request_context_timeout(ctx->home->context);
    fd_set readable, writable, failed;
    struct timespec time, *until = &time;
    int last = -1;

    FD_ZERO(&readable);
    FD_ZERO(&writable);
    FD_ZERO(&failed);
    S3_get_request_context_fdsets(ctx->home->context, &readable, &writable, &failed, &last);
    if (timer_ms >= 0 && (uint64_t)timer_ms < wait_ns / NS_PER_MS)
        wait_ns = (uint64_t)timer_ms * NS_PER_MS;
    if (last < 0 && wait_ns > UNSEEN_WAIT_NS) /* during name resolution, for example */
        wait_ns = UNSEEN_WAIT_NS;
    if (wait_ns == ASYNC_FOREVER) {
        until = NULL;
    } else {
        time.tv_sec = wait_ns / NS_PER_S < INT32_MAX ? (time_t)(wait_ns / NS_PER_S) : INT32_MAX;
        time.tv_nsec = (long)(wait_ns % NS_PER_S);
    }
    (void)pselect(last + 1, &readable, &writable, &failed, until, NULL);
}

static int progress(struct libs3_ctx *ctx)
{
    int left = 0;

    ctx->fresh = false;
    return S3_runonce_request_context(ctx->home->context, &left) == S3StatusOK ? 0 : -EIO;
}

static int libs3_reap(void *arg, uint64_t wait_ns, struct async_event *events, unsigned max)
{
    struct libs3_ctx *ctx = arg;
    uint32_t count;

    if (ctx->fresh && progress(ctx) < 0)
        return -EIO;
    if (!ctx->done_count && ctx->in_flight) {
        if (wait_ns)
            wait_some(ctx, wait_ns);
        if (progress(ctx) < 0)
            return -EIO;
    }
    count = ctx->done_count < max ? ctx->done_count : max;
    memcpy(events, ctx->done, count * sizeof(*events));
    ctx->done_count -= count;
    if (__builtin_expect(ctx->done_count, 0))
        memmove(ctx->done, ctx->done + count, ctx->done_count * sizeof(*events));
    return (int)count;
}

static const struct engine_async libs3_async = {
    .depth_max = LIBS3_DEPTH_MAX,
    .choose = libs3_choose,
    .read = libs3_read,
    .write = libs3_write,
    .reap = libs3_reap,
};

const struct engine engine_libs3 = {
    .name = "libs3",
    .summary = SUMMARY,
    .libc_words = "Using libs3",
    .library = libs3_library,
    .capabilities = ENGINE_WRITES | ENGINE_DROPS_DATA,
    .phases = 1u << PHASE_TRANSFER,
    .driver = "s3",
    .tests = 1u << TEST_WRITE | 1u << TEST_READ | 1u << TEST_STAT,
    .setup = libs3_setup,
    .teardown = libs3_teardown,
    .report = libs3_report,
    .retire = libs3_retire,
    .async = &libs3_async,
};
