/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* call.c - calls as librados operations, and their results as verdicts and text. Each uses a
 * completion, and most an operation, that librados allocates and frees: nothing else is allocated,
 * and nothing blocks. Writes copy their data during the call and return 0, not bytes. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/number.h"

/* The hints that `rados bench` gives OSDs about a benchmark's objects. */
#define HINTS                                                                               \
    (LIBRADOS_ALLOC_HINT_FLAG_SEQUENTIAL_WRITE | LIBRADOS_ALLOC_HINT_FLAG_SEQUENTIAL_READ | \
     LIBRADOS_ALLOC_HINT_FLAG_APPEND_ONLY | LIBRADOS_ALLOC_HINT_FLAG_IMMUTABLE)

#define WRITE_MOST (UINT64_C(1) << 30) /* no OSD accepts more */
#define READ_MOST  ((uint64_t)INT32_MAX)

static const char value_name[] = OBJECT_VALUE_NAME;
static const size_t value_name_bytes = sizeof(value_name) - 1;

/* ---- the end of a call ---- */

/* Runs on a thread of librados, which locks the completion once more after this returns: the thread
 * woken here must not query it until then, or the two would contend for the lock and make each
 * other sleep. */
static void came_back(rados_completion_t completion, void *arg)
{
    struct pool_slot *const slot = arg;

    slot->result = rados_aio_get_return_value(completion);
    slot->version = rados_aio_get_version(completion);
    pool_ring_push(&slot->link->ring, slot->index);
}

/* Completes a call without a request. */
static int end_at_once(struct pool_slot *slot, int code)
{
    if (slot->completion)
        rados_aio_release(slot->completion);
    slot->completion = NULL;
    slot->result = code;
    pool_ring_push(&slot->link->ring, slot->index);
    return 0;
}

/* ---- writes ---- */

static void add_put(rados_write_op_t op, const struct object_call *call)
{
    if (call->only_if_absent)
        rados_write_op_create(op, LIBRADOS_CREATE_EXCLUSIVE, NULL);
    rados_write_op_set_alloc_hint2(op, call->body_bytes, call->body_bytes, HINTS);
    rados_write_op_write_full(op, call->body, (size_t)call->body_bytes);
}

static void add_write(rados_write_op_t op, const struct object_call *call)
{
    const char *const key = value_name, *const value = call->body;
    const size_t bytes = (size_t)call->body_bytes;

    switch (call->verb) {
    case OBJECT_PUT:
        add_put(op, call);
        break;
    case OBJECT_WRITE_RANGE:
        rados_write_op_set_alloc_hint2(op, call->object_bytes, call->body_bytes, HINTS);
        rados_write_op_write(op, call->body, bytes, call->offset_bytes);
        break;
    case OBJECT_APPEND:
        rados_write_op_append(op, call->body, bytes);
        break;
    case OBJECT_XATTR_PUT:
        rados_write_op_setxattr(op, value_name, call->body, bytes);
        break;
    case OBJECT_OMAP_PUT:
        rados_write_op_omap_set2(op, &key, &value, &value_name_bytes, &bytes, 1);
        break;
    default: /* DELETE */
        rados_write_op_remove(op);
        break;
    }
}

/* On a full pool this fails instead of waiting for space. */
static int begin_write(struct pool_slot *slot, const char *oid, const struct object_call *call)
{
    rados_write_op_t op;
    int code;

    if (call->verb != OBJECT_DELETE && call->body_bytes > WRITE_MOST)
        return end_at_once(slot, -EFBIG);
    op = rados_create_write_op();
    if (!op)
        return -ENOMEM;
    add_write(op, call);
    code = rados_aio_write_op_operate(op, slot->io, slot->completion, oid, NULL,
                                      LIBRADOS_OPERATION_FULL_TRY);
    rados_release_write_op(op);
    return code;
}

/* ---- reads ---- */

static uint64_t bytes_wanted(const struct object_call *call)
{
    if (call->ranged || call->range_bytes > 0)
        return call->range_bytes;
    return call->into_bytes;
}

/* Where to store data: in the caller's buffer, or in memory of the slot to be discarded. */
static char *room_for(struct pool_slot *slot, const struct object_call *call, uint64_t bytes)
{
    if (call->into)
        return call->into;
    if (__builtin_expect(bytes > slot->scratch_bytes, 0)) {
        free(slot->scratch);
        slot->scratch = mem_calloc((size_t)bytes, 1);
        slot->scratch_bytes = (size_t)bytes;
    }
    return slot->scratch;
}

/* Reads data together with size and age. */
static COLD int begin_read_more(struct pool_slot *slot, const char *oid,
                                const struct object_call *call, char *into, size_t bytes)
{
    rados_read_op_t op = rados_create_read_op();
    int code;

    if (!op)
        return -ENOMEM;
    rados_read_op_stat(op, &slot->size_bytes, &slot->changed_s, NULL);
    rados_read_op_read(op, call->ranged ? call->offset_bytes : 0, bytes, into, &slot->read_bytes,
                       &slot->read_code);
    code = rados_aio_read_op_operate(op, slot->io, slot->completion, oid, 0);
    rados_release_read_op(op);
    return code;
}

/* Whether the answer must include the object's size, if unknown, or its age. */
static bool asks_more(const struct object_call *call)
{
    return call->want_age || (!call->ranged && call->range_bytes == 0);
}

static int begin_get(struct pool_slot *slot, const char *oid, const struct object_call *call)
{
    const uint64_t bytes = bytes_wanted(call);
    char *into;

    if (bytes > READ_MOST || (call->into && bytes > call->into_bytes))
        return -EINVAL;
    into = room_for(slot, call, bytes);
    if (__builtin_expect(asks_more(call), 0))
        return begin_read_more(slot, oid, call, into, (size_t)bytes);
    return rados_aio_read(slot->io, oid, slot->completion, into, (size_t)bytes,
                          call->ranged ? call->offset_bytes : 0);
}

static int begin_get_value(struct pool_slot *slot, const char *oid, const struct object_call *call)
{
    const uint64_t bytes = bytes_wanted(call);
    const char *const key = value_name;
    rados_read_op_t op;
    int code;

    if (call->verb == OBJECT_XATTR_GET)
        return rados_aio_getxattr(slot->io, oid, slot->completion, value_name,
                                  room_for(slot, call, bytes), (size_t)bytes);
    op = rados_create_read_op();
    if (!op)
        return -ENOMEM;
    rados_read_op_omap_get_vals_by_keys2(op, &key, 1, &value_name_bytes, &slot->values,
                                         &slot->read_code);
    code = rados_aio_read_op_operate(op, slot->io, slot->completion, oid, 0);
    rados_release_read_op(op);
    return code;
}

/* ---- beginning ---- */

static int begin_list(struct pool_slot *slot, const struct object_call *call)
{
    struct pool_link *const link = slot->link;

    if (!slot->list)
        slot->list = pool_list_make(link->handle, link->service->pool, link->slots == 1,
                                    &link->ring, slot->index);
    slot->lists = true;
    return pool_list_begin(slot->list, call);
}

static int begin_operation(struct pool_slot *slot, const char *oid, const struct object_call *call)
{
    switch (call->verb) {
    case OBJECT_GET:
        return begin_get(slot, oid, call);
    case OBJECT_STAT:
        return rados_aio_stat(slot->io, oid, slot->completion, &slot->size_bytes, &slot->changed_s);
    case OBJECT_XATTR_GET:
    case OBJECT_OMAP_GET:
        return begin_get_value(slot, oid, call);
    case OBJECT_PUT:
    case OBJECT_WRITE_RANGE:
    case OBJECT_APPEND:
    case OBJECT_XATTR_PUT:
    case OBJECT_OMAP_PUT:
    case OBJECT_DELETE:
        return begin_write(slot, oid, call);
    default:
        return -EOPNOTSUPP;
    }
}

static int begin_call(struct pool_slot *slot, const struct object_call *call)
{
    struct pool_link *const link = slot->link;
    struct pool_place place;
    int code = 0;

    slot->lists = false;
    if (__builtin_expect(call->verb == OBJECT_LIST, 0))
        return begin_list(slot, call);
    if (__builtin_expect(strlen(call->key) >= OBJECT_KEY_BYTES, 0))
        return -ENAMETOOLONG;
    place = pool_place_of(call->key);
    slot->io = pool_link_io(link, call->key, &place, &code);
    if (__builtin_expect(!slot->io, 0))
        return code;
    code = rados_aio_create_completion2(slot, came_back, &slot->completion);
    if (__builtin_expect(code < 0, 0)) {
        slot->completion = NULL;
        return code;
    }
    return begin_operation(slot, pool_object(call->key, &place, link->oid), call);
}

int pool_begin(struct object_link *base, uint32_t index, const struct object_call *call)
{
    struct pool_link *const link = pool_link_of(base);
    struct pool_slot *const slot = &link->slot[index];
    int code;

    slot->busy = true;
    link->busy++;
    slot->result = 0;
    code = begin_call(slot, call);
    if (__builtin_expect(code >= 0, 1))
        return 0;
    slot->busy = false;
    link->busy--;
    if (slot->completion)
        rados_aio_release(slot->completion);
    slot->completion = NULL;
    return code;
}

/* ---- verdicts ---- */

/* Codes are the names of the errno constants: clusters use some of them with a meaning that
 * strerror does not describe. */
/* clang-format off */
static const struct meaning {
    int errnum; /* returned by the cluster */
    enum object_class class;
    int as; /* in the verdict */
    bool retryable;
    const char *code, *words, *advice;
} meanings[] = {
    {ENOENT, OBJECT_CLIENT_ERROR, ENOENT, false, "ENOENT", "no such object", NULL},
    {ENODATA, OBJECT_CLIENT_ERROR, ENOENT, false, "ENODATA",
     "the object has no such xattr or omap value", NULL},
    {EPERM, OBJECT_CLIENT_ERROR, EACCES, false, "EPERM", "permission denied",
     "its key needs the capability rwx for the pool: ceph auth caps"},
    {EACCES, OBJECT_CLIENT_ERROR, EACCES, false, "EACCES", "permission denied",
     "its key needs the capability rwx for the pool: ceph auth caps"},
    {EROFS, OBJECT_CLIENT_ERROR, EACCES, false, "EROFS", "the pool cannot be written to", NULL},
    {EDQUOT, OBJECT_CLIENT_ERROR, EDQUOT, false, "EDQUOT", "the pool has reached its quota",
     "free some space, or raise it: ceph osd pool set-quota"},
    {ENOSPC, OBJECT_SERVER_ERROR, ENOSPC, false, "ENOSPC", "the pool or the cluster is full",
     "free some space: ceph df"},
    {EFBIG, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge",
     "longer than an object may be (osd_max_object_size)", "use smaller sizes: --max-size"},
    {EMSGSIZE, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge",
     "more than one request can write (osd_max_write_size)", "use smaller sizes: --max-size"},
    {E2BIG, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge", "longer than the cluster accepts",
     "use smaller sizes: --max-size"},
    {ENAMETOOLONG, OBJECT_CLIENT_ERROR, ENAMETOOLONG, false, "ENAMETOOLONG",
     "the name is longer than the cluster accepts", "use a shorter prefix or --run-name"},
    {ETIMEDOUT, OBJECT_NETWORK_ERROR, ETIMEDOUT, true, "ETIMEDOUT",
     "no answer within --request-timeout", "is the cluster healthy? ceph -s"},
    {ECANCELED, OBJECT_NETWORK_ERROR, EINTR, false, "ECANCELED", "cancelled", NULL},
    {EEXIST, OBJECT_CLIENT_ERROR, EEXIST, false, "EEXIST", "the object is already there", NULL},
    {ERANGE, OBJECT_CLIENT_ERROR, ERANGE, false, "ERANGE",
     "the range is beyond the end of the object", NULL},
    {EOVERFLOW, OBJECT_CLIENT_ERROR, EEXIST, false, "EOVERFLOW", "the object was replaced",
     NULL},
    {EOPNOTSUPP, OBJECT_CLIENT_ERROR, EOPNOTSUPP, false, "EOPNOTSUPP", 
        "the pool does not support this",
     "erasure-coded pools have no omap, and write ranges only with allow_ec_overwrites"},
    {ESHUTDOWN, OBJECT_CLIENT_ERROR, ESHUTDOWN, false, "EBLOCKLISTED",
     "this client is on the block list of the cluster", "see ceph osd blocklist ls"},
    {EAGAIN, OBJECT_SLOW_DOWN, EBUSY, true, "EAGAIN", "the cluster asks to try again later", NULL},
    {EBUSY, OBJECT_SLOW_DOWN, EBUSY, true, "EBUSY", "the object is in use", NULL},
    {EIO, OBJECT_SERVER_ERROR, EREMOTEIO, true, "EIO", "an OSD could not read or write",
     "check its log, and ceph health detail"},
    {ENOMEM, OBJECT_SERVER_ERROR, ENOMEM, false, "ENOMEM", "out of memory", NULL},
    {ENOTCONN, OBJECT_NETWORK_ERROR, ENOTCONN, true, "ENOTCONN", "not connected to the cluster",
     NULL},
};
/* clang-format on */

static const struct meaning *meaning_of(int errnum)
{
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if (meanings[i].errnum == errnum)
            return &meanings[i];
    return NULL;
}

void pool_judge(const struct object_call *call, int code, struct object_answer *answer)
{
    const struct meaning *const meaning = meaning_of(-code);
    struct object_verdict *const verdict = &answer->verdict;

    answer->settled = code != -ETIMEDOUT && code != -ECANCELED && code != -ENOTCONN;
    answer->condition =
        call->only_if_absent && code == -EEXIST ? OBJECT_CONDITION_UNMET : OBJECT_CONDITION_NONE;
    *verdict = (struct object_verdict){.class = OBJECT_DONE};
    if (code >= 0)
        return;
    if (!meaning) {
        verdict->class = OBJECT_SERVER_ERROR;
        verdict->errnum = EREMOTEIO;
        (void)snprintf(verdict->code, sizeof(verdict->code), "error %d", -code);
        return;
    }
    verdict->class = meaning->class;
    verdict->errnum = meaning->as;
    verdict->retryable = meaning->retryable;
    /* for a list, the pool is missing */
    verdict->no_place = meaning->as == ENOENT && call->verb == OBJECT_LIST;
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", meaning->code);
}

/* ---- answers ---- */

/* Gets the requested value. Returns its bytes or -errno. */
static int take_value(struct pool_slot *slot, const struct object_call *call)
{
    const uint64_t room = bytes_wanted(call);
    char *key = NULL, *value = NULL;
    size_t key_bytes = 0, bytes = 0;
    int code = slot->read_code;

    if (code >= 0)
        code = rados_omap_get_next2(slot->values, &key, &value, &key_bytes, &bytes);
    if (code >= 0 && !key)
        code = -ENODATA;
    if (code >= 0) {
        if (call->into)
            memcpy(call->into, value, bytes < room ? bytes : (size_t)room);
        code = (int)bytes;
    }
    rados_omap_get_end(slot->values);
    slot->values = NULL;
    return code;
}

/* Checks received data: complete, or cut short by the end of the object. */
static void judge_data(struct pool_slot *slot, const struct object_call *call)
{
    struct object_answer *const answer = &slot->answer;
    const uint64_t wanted = bytes_wanted(call);

    if (slot->result >= 0 && call->verb == OBJECT_GET && asks_more(call)) {
        slot->result = slot->read_code < 0 ? slot->read_code : (int)slot->read_bytes;
        pool_judge(call, slot->result, answer);
        if (slot->result >= 0 && !call->ranged && slot->size_bytes > wanted)
            object_verdict_broken(&answer->verdict, "TooLong");
    }
    if (slot->result >= 0)
        answer->received_bytes = (uint64_t)slot->result;
    if (call->want_age && slot->result >= 0) {
        const time_t now_s = time(NULL);

        answer->age_s = now_s > slot->changed_s ? (int64_t)(now_s - slot->changed_s) : 0;
    }
    if (slot->result == 0 && call->ranged && wanted > 0)
        pool_judge(call, -ERANGE, answer);
    else if (slot->result >= 0 && call->verb != OBJECT_GET && (uint64_t)slot->result > wanted)
        object_verdict_broken(&answer->verdict, "WrongLength");
}

static bool reads(enum object_verb verb)
{
    return verb == OBJECT_GET || verb == OBJECT_XATTR_GET || verb == OBJECT_OMAP_GET;
}

/* Releases the previous call's completion, which librados no longer uses. */
static void take_result(struct pool_slot *slot, const struct object_call *call)
{
    char digits[NUMBER_BYTES];

    strcpy(slot->etag, number_text(slot->version, digits));
    if (slot->spent)
        rados_aio_release(slot->spent);
    slot->spent = slot->completion;
    slot->completion = NULL;
    if (call->verb == OBJECT_OMAP_GET && slot->result >= 0)
        slot->result = take_value(slot, call);
}

const struct object_answer *pool_answer(struct object_link *base, uint32_t index,
                                        const struct object_call *call)
{
    struct pool_slot *const slot = &pool_link_of(base)->slot[index];
    struct object_answer *const answer = &slot->answer;

    slot->etag[0] = '\0';
    if (slot->completion)
        take_result(slot, call);
    else if (slot->lists && slot->list)
        slot->result = pool_list_code(slot->list);
    *answer = (struct object_answer){
        .etag = slot->etag, .upload_id = "", .age_s = -1, .version = "rados", .detail = slot};
    pool_judge(call, slot->result, answer);
    if (reads(call->verb))
        judge_data(slot, call);
    else if (call->verb != OBJECT_DELETE && slot->result >= 0)
        answer->sent_bytes = call->body_bytes;
    return answer;
}

/* ---- in words ---- */

static const struct meaning *meaning_named(const struct object_verdict *verdict, int code)
{
    const struct meaning *const own = meaning_of(-code);

    if (own && strcmp(own->code, verdict->code) == 0)
        return own;
    for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
        if (strcmp(meanings[i].code, verdict->code) == 0)
            return &meanings[i];
    return NULL;
}

void pool_explain(const struct object_answer *answer, struct error *err)
{
    const struct object_verdict *const verdict = &answer->verdict;
    const struct meaning *const meaning =
        meaning_named(verdict, ((const struct pool_slot *)answer->detail)->result);

    if (verdict->no_place)
        error_explain(err, "%s: the pool no longer exists", verdict->code);
    else if (meaning)
        error_explain(err, "%s: %s", verdict->code, meaning->words);
    else if (strcmp(verdict->code, "TooLong") == 0)
        error_explain(err, "the object is longer than it can be");
    else
        error_explain(err, "%s%s%s", verdict->code, verdict->code[0] ? ": " : "",
                      strerror(verdict->errnum));
    if (meaning && meaning->advice)
        error_advise(err, "%s", meaning->advice);
}
