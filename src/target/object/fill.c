/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fill.c - uploads the objects that tests read: several at a time, each with the pattern of its
 * number.  What goes wrong is tried again alone by the client, which has retries and can tell what
 * to do.  Objects that are longer than a part are uploaded one after the other in parts, so that
 * memory stays bounded. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/flag.h"
#include "base/log.h"
#include "base/mem.h"
#include "os/memory.h"

#define SLOTS        8u
#define MEMORY_BYTES ((uint64_t)32 << 20)
#define PARTS_MAX    10000u
#define LOOK_NS      UINT64_C(100000000)
/* without an answer; a request with a shorter timeout has one */
#define DRAIN_LOOKS 300u
#define TOLD_LOOKS  10u

struct fill_slot {
    struct object_call call;
    char key[OBJECT_KEY_BYTES];
    char *data;
    struct object_set *set;
    uint32_t object;
    bool busy;
};

struct fill {
    struct object_store *store;
    enum io_test test;
    const struct object_protocol *protocol;
    struct object_link *link;
    struct fill_slot *slot;
    uint32_t slots, busy;
    unsigned set; /* the next object to begin with */
    uint32_t object;
    uint64_t done_bytes, total_bytes, filled;
    uint64_t longest_bytes; /* of those that go in one request */
};

uint64_t object_fill_part(uint64_t size_bytes)
{
    uint64_t part_bytes = OBJECT_FILL_PART_BYTES;

    if (size_bytes <= part_bytes)
        return size_bytes;
    while ((size_bytes - 1) / part_bytes >= PARTS_MAX)
        part_bytes *= 2;
    return part_bytes;
}

bool object_fill_wanted(const struct object_store *store, const struct object_set *set,
                        enum io_test test)
{
    const bool ranged = store->base.service->options->object_bytes > 0;

    switch (test_table[test].needs) {
    case TEST_NEEDS_DATA:
        return set->kind == (ranged ? OBJECT_SET_RANGED : object_set_of_test[test]);
    case TEST_NEEDS_NAMES: /* the others are made in setup */
        return set->kind == OBJECT_SET_WHOLE && object_set_of_test[test] == OBJECT_SET_WHOLE;
    default:
        return false;
    }
}

static bool is_missing(const struct object_set *set, uint32_t object)
{
    return !atomic_load_explicit(&set->present[object], memory_order_relaxed);
}

/* ---- telling ---- */

static bool stopped(const struct fill *fill)
{
    return flag_read(fill->store->base.target.request->stop) != 0;
}

static int interrupted(const struct fill *fill, struct error *err)
{
    if (error_is_set(err))
        *err = ERROR_INIT;
    return error_set(err, STATUS_PARTIAL, EINTR, "interrupted while filling",
                     fill->store->base.target.place);
}

static int spent(const struct fill *fill, struct error *err)
{
    error_set(err, STATUS_TARGET, 0, "--max-requests is used up while filling",
              fill->store->base.target.place);
    error_explain(err, "no request is left");
    return error_advise(err, "raise it, or make less: --objects, fewer sizes");
}

static void tell(struct fill *fill, uint64_t bytes)
{
    const struct target_request *request = fill->store->base.target.request;

    fill->done_bytes += bytes;
    if (request->progress && pace_due(&fill->store->pace))
        request->progress(request->progress_arg, "filling", fill->done_bytes, fill->total_bytes);
}

static void is_there(struct fill *fill, struct object_set *set, uint32_t object)
{
    atomic_store_explicit(&set->present[object], 1, memory_order_relaxed);
    fill->filled++;
}

/* ---- one long object ---- */

struct upload {
    struct fill *fill;
    char *key, *data, *document;
    char id[OBJECT_UPLOAD_BYTES];
    size_t document_bytes, document_room;
};

static int put_part(struct upload *upload, const struct object_set *set, uint32_t object,
                    unsigned part, uint64_t part_bytes, struct error *err)
{
    struct object_target *base = &upload->fill->store->base;
    const uint64_t offset_bytes = (part - 1) * part_bytes;
    const uint64_t left = set->size_bytes - offset_bytes;
    const struct object_call call = {.verb = OBJECT_UPLOAD_PART,
                                     .key = upload->key,
                                     .upload_id = upload->id,
                                     .part = part,
                                     .body = upload->data,
                                     .body_bytes = left < part_bytes ? left : part_bytes};
    const struct object_answer *answer;

    pattern_make(&base->pattern, set->first + object, offset_bytes, (size_t)call.body_bytes, 0,
                 upload->data);
    if (object_client_call(base->client, &call, "cannot fill", &answer, NULL, err) != 0)
        return -1;
    upload->document_bytes =
        upload->fill->protocol->parts(base->service, part, answer, upload->document,
                                      upload->document_bytes, upload->document_room);
    if (upload->document_bytes == 0)
        return error_set(err, STATUS_TARGET, 0, "the server gave no ETag for a part of",
                         upload->key);
    tell(upload->fill, call.body_bytes);
    return 0;
}

static int upload_parts(struct upload *upload, const struct object_set *set, uint32_t object,
                        uint64_t part_bytes, struct error *err)
{
    struct object_client *client = upload->fill->store->base.client;
    const unsigned parts = (unsigned)((set->size_bytes - 1) / part_bytes + 1);
    struct object_call call = {
        .verb = OBJECT_UPLOAD_COMPLETE, .key = upload->key, .upload_id = upload->id};
    const struct object_answer *answer;

    for (unsigned part = 1; part <= parts; part++) {
        if (stopped(upload->fill))
            return interrupted(upload->fill, err);
        if (put_part(upload, set, object, part, part_bytes, err) != 0)
            return -1;
    }
    upload->document_bytes =
        upload->fill->protocol->parts(upload->fill->store->base.service, 0, NULL, upload->document,
                                      upload->document_bytes, upload->document_room);
    if (upload->document_bytes == 0)
        return error_set(err, STATUS_TARGET, 0, "too many parts in", upload->key);
    call.body = upload->document;
    call.body_bytes = upload->document_bytes;
    return object_client_call(client, &call, "cannot fill", &answer, NULL, err);
}

/* Also after a signal.  When that fails, who removes the run does it again, and tells. */
static void take_back(struct upload *upload)
{
    const struct object_call call = {
        .verb = OBJECT_UPLOAD_ABORT, .key = upload->key, .upload_id = upload->id};
    const struct object_answer *answer;
    struct object_client *client = NULL;
    struct error ignored = ERROR_INIT;

    if (object_client_create(upload->fill->store->base.service, &object_never_stop, &client,
                             &ignored) == 0)
        (void)object_client_call(client, &call, "cannot give up the upload of", &answer, NULL,
                                 &ignored);
    object_client_destroy(client);
}

static int upload_long(struct fill *fill, struct object_set *set, uint32_t object,
                       struct error *err)
{
    const uint64_t part_bytes = object_fill_part(set->size_bytes);
    char key[OBJECT_KEY_BYTES];
    struct upload upload = {.fill = fill};
    const struct object_call call = {.verb = OBJECT_UPLOAD_BEGIN, .key = key};
    const struct object_answer *answer;
    int code = -1;

    upload.key = key;
    object_key(set, object, key);
    upload.document_room =
        fill->protocol->rest_bytes +
        (size_t)((set->size_bytes - 1) / part_bytes + 1) * fill->protocol->part_bytes;
    upload.document = mem_calloc(upload.document_room, 1);
    upload.data = mem_buffer((size_t)part_bytes, 1, err);
    fill->store->uploads = true;
    if (upload.data && object_client_call(fill->store->base.client, &call, "cannot fill", &answer,
                                          NULL, err) == 0) {
        snprintf(upload.id, sizeof(upload.id), "%s", answer->upload_id);
        if (upload.id[0] == '\0')
            error_set(err, STATUS_TARGET, 0, "the server gave no upload id for", key);
        else
            code = upload_parts(&upload, set, object, part_bytes, err);
        if (code != 0 && upload.id[0] != '\0')
            take_back(&upload);
    }
    if (code == 0)
        is_there(fill, set, object);
    mem_buffer_free(upload.data);
    free(upload.document);
    return code;
}

/* ---- many short objects ---- */

/* The next missing object; long ones are left to upload_long. */
static bool next_missing(struct fill *fill, bool longer, struct object_set **set, uint32_t *object)
{
    struct object_target *base = &fill->store->base;

    for (; fill->set < base->set_count; fill->set++, fill->object = 0) {
        struct object_set *at = &base->set[fill->set];
        if (!object_fill_wanted(fill->store, at, fill->test) ||
            (at->size_bytes > OBJECT_FILL_PART_BYTES) != longer)
            continue;
        while (fill->object < at->count && !is_missing(at, fill->object))
            fill->object++;
        if (fill->object == at->count)
            continue;
        *set = at;
        *object = fill->object++;
        return true;
    }
    return false;
}

/* What failed among others, alone: with retries, and with words when it fails again. */
static int repeat(struct fill *fill, struct fill_slot *slot, struct error *err)
{
    const struct object_answer *answer;

    if (stopped(fill))
        return interrupted(fill, err);
    if (object_client_call(fill->store->base.client, &slot->call, "cannot fill", &answer, NULL,
                           err) != 0)
        return -1;
    is_there(fill, slot->set, slot->object);
    tell(fill, slot->call.body_bytes);
    return 0;
}

/* Returns 1 when there is nothing left to begin. */
static int begin_next(struct fill *fill, uint32_t index, struct error *err)
{
    struct object_service *service = fill->store->base.service;
    struct fill_slot *slot = &fill->slot[index];

    if (!next_missing(fill, false, &slot->set, &slot->object))
        return 1;
    pattern_make(&fill->store->base.pattern, slot->set->first + slot->object, 0,
                 (size_t)slot->set->size_bytes, 0, slot->data);
    slot->call = (struct object_call){.verb = OBJECT_PUT,
                                      .key = object_key(slot->set, slot->object, slot->key),
                                      .body = slot->data,
                                      .body_bytes = slot->set->size_bytes};
    if (!object_request_count(service, OBJECT_PUT, false))
        return spent(fill, err);
    if (fill->protocol->begin(fill->link, index, &slot->call) != 0)
        return repeat(fill, slot, err);
    slot->busy = true;
    fill->busy++;
    return 0;
}

static int take_answer(struct fill *fill, uint32_t index, struct error *err)
{
    struct fill_slot *slot = &fill->slot[index];
    const struct object_answer *answer = fill->protocol->answer(fill->link, index, &slot->call);

    atomic_fetch_add(&fill->store->base.service->sent_bytes, answer->sent_bytes);
    if (answer->verdict.class != OBJECT_DONE) {
        object_count_unsure(fill->store->base.service, OBJECT_PUT, answer);
        return repeat(fill, slot, err);
    }
    is_there(fill, slot->set, slot->object);
    tell(fill, slot->call.body_bytes);
    return 0;
}

/* What is under way when filling ends early: an upload that is dropped here could still arrive
 * there when all has been removed.  A server that says nothing is not waited for, but then who
 * removes has to know. */
static void drain(struct fill *fill)
{
    struct object_service *service = fill->store->base.service;
    uint32_t done[SLOTS];
    unsigned silent = 0;

    while (fill->busy > 0 && silent < DRAIN_LOOKS) {
        const int got = fill->protocol->wait(fill->link, LOOK_NS, done, SLOTS);

        if (got < 0)
            break;
        for (int i = 0; i < got; i++) {
            const struct object_answer *answer =
                fill->protocol->answer(fill->link, done[i], &fill->slot[done[i]].call);
            object_count_unsure(service, OBJECT_PUT,
                                answer->verdict.errnum == ETIMEDOUT ? NULL : answer);
        }
        if (got == 0 && silent >= TOLD_LOOKS)
            log_progress("waiting for %" PRIu32
                         " uploads that are under way; another signal ends at once",
                         fill->busy);
        silent = got > 0 ? 0 : silent + 1;
        fill->busy -= (uint32_t)got;
    }
    for (; fill->busy > 0; fill->busy--)
        object_count_unsure(service, OBJECT_PUT, NULL);
}

/* Keeps all slots busy until nothing is left. */
static int upload_short(struct fill *fill, struct error *err)
{
    uint32_t done[SLOTS];
    int more = 0, got;

    for (uint32_t i = 0; more == 0 && i < fill->slots; i++)
        more = begin_next(fill, i, err);
    while (more >= 0 && fill->busy > 0) {
        if (stopped(fill))
            return interrupted(fill, err);
        got = fill->protocol->wait(fill->link, LOOK_NS, done, SLOTS);
        if (got < 0)
            return error_set(err, STATUS_TARGET, -got, "cannot fill",
                             fill->store->base.target.place);
        for (int i = 0; i < got; i++) /* all of them, also when the first one fails */
            fill->slot[done[i]].busy = false;
        fill->busy -= (uint32_t)got;
        for (int i = 0; more >= 0 && i < got; i++) {
            if (take_answer(fill, done[i], err) != 0)
                return -1;
            for (int begun = more; begun == 0 && !fill->slot[done[i]].busy;)
                begun = more = begin_next(fill, done[i], err);
        }
    }
    return more < 0 ? -1 : 0;
}

/* ---- all of it ---- */

static uint64_t count_missing(struct fill *fill)
{
    struct object_target *base = &fill->store->base;
    uint64_t missing = 0;

    for (unsigned i = 0; i < base->set_count; i++) {
        const struct object_set *set = &base->set[i];
        if (!object_fill_wanted(fill->store, set, fill->test))
            continue;
        for (uint32_t k = 0; k < set->count; k++)
            if (is_missing(set, k)) {
                missing++;
                fill->total_bytes += set->size_bytes;
                if (set->size_bytes <= OBJECT_FILL_PART_BYTES &&
                    set->size_bytes > fill->longest_bytes)
                    fill->longest_bytes = set->size_bytes;
            }
    }
    return missing;
}

static int open_fill(struct fill *fill, struct error *err)
{
    const struct object_target *base = &fill->store->base;
    const struct object_link_config config = {
        .slots = SLOTS, .transfer_bytes = fill->longest_bytes, .stop = base->target.request->stop};

    fill->slot = mem_calloc(SLOTS, sizeof(*fill->slot));
    while (fill->slots < SLOTS &&
           (fill->slots == 0 || (fill->slots + 1) * fill->longest_bytes <= MEMORY_BYTES)) {
        fill->slot[fill->slots].data = mem_buffer((size_t)fill->longest_bytes, 1, err);
        if (!fill->slot[fill->slots].data)
            return -1;
        fill->slots++;
    }
    return fill->protocol->connect(base->service, &config, &fill->link, err);
}

static void close_fill(struct fill *fill)
{
    fill->protocol->disconnect(fill->link); /* first: it sends from the slots */
    for (uint32_t i = 0; fill->slot && i < SLOTS; i++)
        mem_buffer_free(fill->slot[i].data);
    free(fill->slot);
}

int object_fill(struct object_store *store, enum io_test test, uint64_t *filled, struct error *err)
{
    struct fill fill = {.store = store, .protocol = store->base.service->protocol, .test = test};
    struct object_set *set;
    uint32_t object;
    int code = 0;

    *filled = 0;
    if (count_missing(&fill) == 0)
        return 0;
    if (fill.longest_bytes > 0) {
        code = open_fill(&fill, err);
        if (code == 0)
            code = upload_short(&fill, err);
        if (code != 0 && fill.link)
            drain(&fill);
        close_fill(&fill);
    }
    fill.set = 0;
    fill.object = 0;
    while (code == 0 && next_missing(&fill, true, &set, &object))
        code = stopped(&fill) ? interrupted(&fill, err) : upload_long(&fill, set, object, err);
    *filled = fill.filled;
    if (code != 0 && stopped(&fill))
        return interrupted(&fill, err);
    return code;
}
