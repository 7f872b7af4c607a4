/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* call.c - executes calls on the store in memory: objects, lists, multipart uploads. Independent of
 * slots and time. Any thread, each with its own replies. */
#include "base/compat.h"

#include "storage/object/mem/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"

#define PAGE_KEYS 1000u

static void fail(struct mem_reply *reply, enum object_class class, int errnum, const char *code)
{
    struct object_verdict *verdict = &reply->answer.verdict;

    *verdict = (struct object_verdict){.class = class, .errnum = errnum};
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", code);
}

/* NULL: no memory, as the verdict reports. */
static struct mem_object *make(struct mem_store *store, const void *data, uint64_t bytes,
                               struct mem_reply *reply)
{
    struct mem_object *object = mem_object_make(store, data, bytes);

    if (!object)
        fail(reply, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
    return object;
}

/* NULL: not found, as the verdict reports. To be released. */
static struct mem_object *find(struct mem_store *store, const char *key, struct mem_reply *reply)
{
    struct mem_object *object = mem_store_get(store, key);

    if (!object)
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchKey");
    return object;
}

/* ---- objects ---- */

/* A value beside the data is a separate object, after that of the data. */
static const char *stored_key(const struct object_call *call, char room[OBJECT_KEY_BYTES + 2])
{
    const bool of_map = call->verb == OBJECT_OMAP_PUT || call->verb == OBJECT_OMAP_GET;

    if (!of_map && call->verb != OBJECT_XATTR_PUT && call->verb != OBJECT_XATTR_GET)
        return call->key;
    (void)snprintf(room, OBJECT_KEY_BYTES + 2, "%s\n%d", call->key, of_map);
    return room;
}

static void tell_etag(struct mem_reply *reply, const struct mem_object *object)
{
    (void)snprintf(reply->etag, sizeof(reply->etag), "%" PRIu64, object->number);
}

/* Makes an object of the request's body; NULL: no memory. */
static struct mem_object *take_body(struct mem_store *store, const struct object_call *call,
                                    struct mem_reply *reply)
{
    struct mem_object *object = make(store, call->body, call->body_bytes, reply);

    if (object) {
        reply->answer.sent_bytes = call->body_bytes;
        tell_etag(reply, object);
    }
    return object;
}

static void put_object(struct mem_store *store, const struct object_call *call,
                       struct mem_reply *reply)
{
    struct mem_object *object = take_body(store, call, reply), *empty;
    char room[OBJECT_KEY_BYTES + 2];
    const char *key = stored_key(call, room);

    empty = object && key == room ? mem_object_make(store, NULL, 0) : NULL;
    if (empty)
        (void)mem_store_put(store, call->key, empty, true, NULL);
    if (object && !mem_store_put(store, key, object, call->only_if_absent, NULL)) {
        fail(reply, OBJECT_CLIENT_ERROR, EEXIST, "PreconditionFailed");
        reply->answer.condition = OBJECT_CONDITION_UNMET;
    }
}

static void give_data(const struct object_call *call, const struct mem_object *object,
                      struct mem_reply *reply)
{
    uint64_t from = call->ranged ? call->offset_bytes : 0, bytes;

    if (call->ranged && from >= object->bytes) {
        fail(reply, OBJECT_CLIENT_ERROR, ERANGE, "InvalidRange");
        return;
    }
    bytes = object->bytes - from;
    if (call->ranged && bytes > call->range_bytes)
        bytes = call->range_bytes;
    if (call->into && bytes > call->into_bytes) {
        fail(reply, OBJECT_PROTOCOL_ERROR, EPROTO, "TooLong");
        bytes = call->into_bytes;
    }
    if (call->into)
        memcpy(call->into, object->data + from, (size_t)bytes);
    reply->answer.received_bytes = bytes;
}

static void get_object(struct mem_store *store, const struct object_call *call,
                       struct mem_reply *reply)
{
    char room[OBJECT_KEY_BYTES + 2];
    struct mem_object *object = find(store, stored_key(call, room), reply);

    if (!object)
        return;
    tell_etag(reply, object);
    reply->answer.age_s = (int64_t)(clock_monotonic_ns() / 1000000000u) - (int64_t)object->made_s;
    if (call->verb != OBJECT_STAT)
        give_data(call, object, reply);
    mem_object_release(object);
}

/* A copy of the object with the call's data inserted. */
static struct mem_object *with_data(struct mem_store *store, const struct mem_object *old,
                                    const struct object_call *call, struct mem_reply *reply)
{
    const uint64_t from = call->verb == OBJECT_APPEND ? old->bytes : call->offset_bytes;
    const uint64_t end = from + call->body_bytes;
    const uint64_t bytes = end > old->bytes ? end : old->bytes;
    struct mem_object *made = make(store, NULL, bytes, reply);

    if (!made)
        return NULL;
    memcpy(made->data, old->data, (size_t)old->bytes);
    if (from > old->bytes) /* the gap is filled with zeros */
        memset(made->data + old->bytes, 0, (size_t)(from - old->bytes));
    if (call->body_bytes > 0)
        memcpy(made->data + from, call->body, (size_t)call->body_bytes);
    return made;
}

/* Objects in the store are const: each call makes a new one, again if another thread changes the
 * object meanwhile. */
static void change_object(struct mem_store *store, const struct object_call *call,
                          struct mem_reply *reply)
{
    for (bool done = false; !done;) {
        struct mem_object *old = find(store, call->key, reply);
        struct mem_object *made = old ? with_data(store, old, call, reply) : NULL;

        done = !made || mem_store_put(store, call->key, made, false, old);
        mem_object_release(old);
        if (made)
            reply->answer.sent_bytes = call->body_bytes;
    }
}

/* The new name must not exist. */
static void rename_object(struct mem_store *store, const struct object_call *call,
                          struct mem_reply *reply)
{
    struct mem_object *object = find(store, call->source_key, reply);

    if (object && !mem_store_put(store, call->key, mem_object_hold(object), true, NULL))
        fail(reply, OBJECT_CLIENT_ERROR, EEXIST, "KeyExists");
    else if (object)
        (void)mem_store_remove(store, call->source_key);
    mem_object_release(object);
}

/* ---- copies, removal ---- */

static void copy_object(struct mem_store *store, const struct object_call *call,
                        struct mem_reply *reply)
{
    struct mem_object *from = find(store, call->source_key, reply), *object;

    object = from ? make(store, from->data, from->bytes, reply) : NULL;
    if (object)
        (void)mem_store_put(store, call->key, object, false, NULL);
    mem_object_release(from);
}

static void delete_object(struct mem_store *store, const struct object_call *call,
                          struct mem_reply *reply)
{
    (void)reply;
    (void)mem_store_remove(store, call->key);
}

/* The body is a list of terminated names. */
static void delete_objects(struct mem_store *store, const struct object_call *call,
                           struct mem_reply *reply)
{
    const char *at = call->body, *const end = at + call->body_bytes;

    (void)reply;
    for (; at < end; at += strlen(at) + 1)
        (void)mem_store_remove(store, at);
}

size_t mem_name_bytes(const char *key)
{
    return strlen(key) + 1;
}

size_t mem_names(const char *key, char *text, size_t used, size_t room)
{
    const size_t bytes = key ? mem_name_bytes(key) : 0;

    if (bytes > room - used)
        return 0;
    if (key)
        memcpy(text + used, key, bytes);
    return used + bytes;
}

/* ---- lists ---- */

static uint64_t page_of(const struct object_call *call)
{
    return call->page ? call->page : PAGE_KEYS;
}

/* Length of the prefix, with its delimiter, that a key is rolled up to; 0: none. */
static size_t rolled_up(const struct object_call *call, const char *key)
{
    const size_t length = strlen(call->key);
    const char *at = call->delimiter ? strstr(key + length, call->delimiter) : NULL;

    return at ? (size_t)(at - key) + strlen(call->delimiter) : 0;
}

struct key_walk {
    const struct object_call *call;
    struct object_names *names;
};

static int visit_object(void *arg, const char *key, const struct mem_object *object)
{
    const struct object_call *call = ((const struct key_walk *)arg)->call;
    struct object_names *const names = ((const struct key_walk *)arg)->names;
    const size_t length = rolled_up(call, key);

    if (strchr(key, '\n')) /* a value */
        return 0;
    if (length == 0 || strncmp(names->token, key, length) != 0) {
        struct object_entry *entry;

        names->more = names->entries == page_of(call);
        if (names->more)
            return 1;
        entry = object_names_add(names, key, length > 0 ? length : strlen(key));
        entry->size_bytes = length > 0 ? 0 : object->bytes;
        entry->rolled_up = length > 0;
    }
    (void)snprintf(names->token, sizeof(names->token), "%s", key);
    return 0;
}

static void list_objects(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    const char *after = call->token ? call->token : "";
    struct object_names *names = &reply->names;
    struct key_walk walk = {call, names};

    object_names_clear(names);
    (void)snprintf(names->token, sizeof(names->token), "%s", after);
    (void)mem_store_walk(store, call->key, after, visit_object, &walk);
    reply->answer.received_bytes = names->used;
}

int mem_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
             void *arg, struct error *err)
{
    struct mem_reply *reply = (struct mem_reply *)(uintptr_t)answer->detail;

    return object_names_list(&reply->names, page, visit, arg, err);
}

/* ---- multipart uploads ---- */

/* An upload is an empty object whose number is the upload's, and its parts are objects whose keys
 * continue its own, so that removing it removes them as well. No key of a caller begins with a line
 * end. */
#define UPLOAD_KEY_BYTES (OBJECT_KEY_BYTES + 32)
#define NUMBER_DIGITS    20

/* part 0: of the upload itself. */
static const char *upload_key(const char *key, uint64_t number, unsigned part,
                              char room[UPLOAD_KEY_BYTES])
{
    const int bytes =
        snprintf(room, UPLOAD_KEY_BYTES, "\n%0*" PRIu64 "\n%s", NUMBER_DIGITS, number, key);

    if (part > 0)
        (void)snprintf(room + bytes, UPLOAD_KEY_BYTES - (size_t)bytes, "\n%05u", part);
    return room;
}

/* The number of an upload; 0, which none has: not an upload of this store. */
static uint64_t number_of(const char *id)
{
    uint64_t number;

    return id && number_read(id, &number) ? number : 0;
}

uint64_t mem_upload_begin(struct mem_store *store, const char *key)
{
    struct mem_object *upload = mem_object_make(store, NULL, 0);
    const uint64_t number = upload ? upload->number : 0;
    char room[UPLOAD_KEY_BYTES];

    if (upload)
        (void)mem_store_put(store, upload_key(key, number, 0, room), upload, false, NULL);
    return number;
}

static void begin_upload(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    const uint64_t number = mem_upload_begin(store, call->key);

    if (number == 0)
        fail(reply, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
    else
        (void)snprintf(reply->upload_id, sizeof(reply->upload_id), "%" PRIu64, number);
}

static bool has_upload(struct mem_store *store, const struct object_call *call,
                       struct mem_reply *reply)
{
    char room[UPLOAD_KEY_BYTES];
    struct mem_object *upload =
        mem_store_get(store, upload_key(call->key, number_of(call->upload_id), 0, room));

    if (!upload)
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
    mem_object_release(upload);
    return upload;
}

static void put_part(struct mem_store *store, const struct object_call *call,
                     struct mem_reply *reply)
{
    struct mem_object *part = has_upload(store, call, reply) ? take_body(store, call, reply) : NULL;
    char room[UPLOAD_KEY_BYTES];

    if (part)
        (void)mem_store_put(store,
                            upload_key(call->key, number_of(call->upload_id), call->part, room),
                            part, false, NULL);
}

/* The body is a line with an ETag per part, in order; then an empty one. Copies the parts to `into`
 * unless it is NULL. Returns their bytes; UINT64_MAX: these are not the parts uploaded. */
static uint64_t join_parts(struct mem_store *store, const struct object_call *call, char *into)
{
    const char *at = call->body, *const end = at + call->body_bytes;
    char room[UPLOAD_KEY_BYTES];
    uint64_t number, bytes = 0;
    unsigned count = 0;
    bool right = true;

    for (; right && at < end && *at != '\n'; at += right) {
        struct mem_object *part =
            mem_store_get(store, upload_key(call->key, number_of(call->upload_id), ++count, room));

        right = part && number_take_before(&at, end, &number) && at < end && *at == '\n' &&
                number == part->number;
        if (right && into)
            memcpy(into + bytes, part->data, (size_t)part->bytes);
        bytes += right ? part->bytes : 0;
        mem_object_release(part);
    }
    return right && count > 0 && at + 1 == end ? bytes : UINT64_MAX;
}

static void complete_upload(struct mem_store *store, const struct object_call *call,
                            struct mem_reply *reply)
{
    const uint64_t bytes = join_parts(store, call, NULL);
    struct mem_object *joined;
    char room[UPLOAD_KEY_BYTES];

    if (!has_upload(store, call, reply))
        return;
    if (bytes == UINT64_MAX) {
        fail(reply, OBJECT_CLIENT_ERROR, EINVAL, "InvalidPart");
        return;
    }
    joined = make(store, NULL, bytes, reply);
    if (!joined)
        return;
    (void)join_parts(store, call, joined->data);
    (void)mem_store_put(store, call->key, joined, false, NULL);
    (void)mem_store_remove(store, upload_key(call->key, number_of(call->upload_id), 0, room));
}

size_t mem_parts(const struct object_service *service, unsigned part,
                 const struct object_answer *answer, char *text, size_t used, size_t room)
{
    int bytes;

    (void)service;
    (void)part;
    bytes = snprintf(text + used, room - used, "%s\n", answer ? answer->etag : "");
    return bytes > 0 && (size_t)bytes < room - used && (!answer || answer->etag[0])
               ? used + (size_t)bytes
               : 0;
}

static void abort_upload(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    char room[UPLOAD_KEY_BYTES];

    if (!mem_store_remove(store, upload_key(call->key, number_of(call->upload_id), 0, room)))
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
}

static int visit_upload(void *arg, const char *key, const struct mem_object *object)
{
    const struct object_call *call = ((const struct key_walk *)arg)->call;
    struct object_names *const names = ((const struct key_walk *)arg)->names;

    key += NUMBER_DIGITS + 2;
    if (strchr(key, '\n') || strncmp(key, call->key, strlen(call->key)) != 0) /* a part */
        return 0;
    names->more = names->entries == page_of(call);
    if (!names->more)
        object_names_add(names, key, strlen(key))->size_bytes = object->number;
    return names->more;
}

static void list_uploads(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    const uint64_t last = number_of(call->token_id);
    struct key_walk walk = {call, &reply->names};
    char after[UPLOAD_KEY_BYTES];

    object_names_clear(&reply->names);
    (void)mem_store_walk(store, "\n", last > 0 ? upload_key("", last + 1, 0, after) : "",
                         visit_upload, &walk);
}

bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads)
{
    struct object_names *names = &((struct mem_reply *)(uintptr_t)answer->detail)->names;
    const struct object_entry *entry;
    const char *key;

    *uploads = (struct object_uploads){.more = names->more};
    uploads->upload = mem_calloc((size_t)names->entries + 1, sizeof(*uploads->upload));
    for (size_t at = 0; (entry = object_names_next(names, &at, &key)) != NULL; uploads->count++) {
        struct object_upload *upload = &uploads->upload[uploads->count];

        upload->key = mem_strdup(key);
        upload->id = mem_printf("%" PRIu64, entry->size_bytes);
        (void)snprintf(uploads->next_key, sizeof(uploads->next_key), "%s", upload->key);
        (void)snprintf(uploads->next_id, sizeof(uploads->next_id), "%s", upload->id);
    }
    return true;
}

/* ---- any call ---- */

static void (*const carry_out[OBJECT_VERB_COUNT])(struct mem_store *store,
                                                  const struct object_call *call,
                                                  struct mem_reply *reply) = {
    [OBJECT_PUT] = put_object,
    [OBJECT_GET] = get_object,
    [OBJECT_STAT] = get_object,
    [OBJECT_LIST] = list_objects,
    [OBJECT_COPY] = copy_object,
    [OBJECT_DELETE] = delete_object,
    [OBJECT_DELETE_MANY] = delete_objects,
    [OBJECT_UPLOAD_BEGIN] = begin_upload,
    [OBJECT_UPLOAD_PART] = put_part,
    [OBJECT_UPLOAD_COMPLETE] = complete_upload,
    [OBJECT_UPLOAD_ABORT] = abort_upload,
    [OBJECT_UPLOAD_LIST] = list_uploads,
    [OBJECT_RENAME] = rename_object,
    [OBJECT_WRITE_RANGE] = change_object,
    [OBJECT_APPEND] = change_object,
    [OBJECT_XATTR_PUT] = put_object,
    [OBJECT_XATTR_GET] = get_object,
    [OBJECT_OMAP_PUT] = put_object,
    [OBJECT_OMAP_GET] = get_object,
};

/* A copy with one byte changed. */
static struct mem_object *copy_wrongly(struct mem_store *store, const void *data, uint64_t bytes,
                                       struct mem_reply *reply)
{
    struct mem_object *object = make(store, data, bytes, reply);

    if (object && bytes > 0)
        object->data[bytes / 2] ^= 1;
    return object;
}

/* Executes the call, but silently changes one byte of the data. */
static COLD void carry_out_wrongly(struct mem_store *store, const struct object_call *call,
                                   struct mem_reply *reply)
{
    struct mem_object *copy = NULL, *right;
    struct object_call wrong = *call;

    if (call->verb == OBJECT_PUT || call->verb == OBJECT_UPLOAD_PART) {
        copy = copy_wrongly(store, call->body, call->body_bytes, reply);
        if (!copy)
            return;
        wrong.body = copy->data;
    }
    carry_out[call->verb](store, &wrong, reply);
    mem_object_release(copy);
    if (call->verb == OBJECT_GET && call->into && reply->answer.received_bytes > 0)
        ((char *)call->into)[reply->answer.received_bytes / 2] ^= 1;
    right = call->verb == OBJECT_COPY ? mem_store_get(store, call->key) : NULL;
    copy = right ? copy_wrongly(store, right->data, right->bytes, reply) : NULL;
    if (copy)
        (void)mem_store_put(store, call->key, copy, false, NULL);
    mem_object_release(right);
}

/* Injects a scheduled failure. */
static COLD void carry_out_badly(struct mem_store *store, const struct object_call *call,
                                 enum mem_fault_kind fault, struct mem_reply *reply)
{
    const struct mem_fault_row *row = &mem_fault_table[fault];

    if (fault == MEM_FAULT_WRONG) {
        carry_out_wrongly(store, call, reply);
        return;
    }
    if (fault == MEM_FAULT_LOST) {
        carry_out[call->verb](store, call, reply);
        reply->answer.settled = false;
        reply->answer.received_bytes = 0;
        reply->upload_id[0] = '\0';
    }
    fail(reply, row->class, row->errnum, row->code);
    reply->answer.verdict.retryable = row->retryable;
}

void mem_call(struct mem_store *store, const struct object_call *call, enum mem_fault_kind fault,
              struct mem_reply *reply)
{
    reply->answer = (struct object_answer){.settled = true,
                                           .age_s = -1,
                                           .etag = reply->etag,
                                           .upload_id = reply->upload_id,
                                           .detail = reply};
    reply->etag[0] = reply->upload_id[0] = '\0';
    if (__builtin_expect(fault != MEM_FAULT_NONE, 0))
        carry_out_badly(store, call, fault, reply);
    else
        carry_out[call->verb](store, call, reply);
}
