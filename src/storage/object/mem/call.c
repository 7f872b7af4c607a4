/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* call.c - see the header. */
#include "base/compat.h"

#include "storage/object/mem/call.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "storage/object/mem/change.h"

#define PAGE_KEYS 1000u

struct page_entry { /* of a list, as stored in text, followed by the terminated key */
    uint64_t size_bytes, number;
    bool rolled_up;
};

static void fail(struct mem_reply *reply, enum object_class class, int errnum, const char *code)
{
    struct object_verdict *verdict = &reply->answer.verdict;

    *verdict = (struct object_verdict){.class = class, .errnum = errnum};
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", code);
}

static void fail_without_memory(struct mem_reply *reply)
{
    fail(reply, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
}

/* ---- objects ---- */

/* Makes an object of the request's body; NULL: no memory. */
static struct mem_object *take_body(struct mem_store *store, const struct object_call *call,
                                    struct mem_reply *reply)
{
    struct mem_object *object = mem_object_make(store, call->body, call->body_bytes);

    if (!object) {
        fail_without_memory(reply);
        return NULL;
    }
    reply->answer.sent_bytes = call->body_bytes;
    mem_object_etag(object, reply->etag);
    return object;
}

static void put_object(struct mem_store *store, const struct object_call *call,
                       struct mem_reply *reply)
{
    struct mem_object *object = take_body(store, call, reply);

    if (object && !mem_store_put(store, call->key, object, call->only_if_absent, NULL)) {
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
    struct mem_object *object = mem_store_get(store, call->key);

    if (!object) {
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchKey");
        return;
    }
    mem_object_etag(object, reply->etag);
    reply->answer.age_s = (int64_t)(clock_monotonic_ns() / 1000000000u) - (int64_t)object->made_s;
    if (call->verb == OBJECT_GET)
        give_data(call, object, reply);
    mem_object_release(object);
}

static void get_value(struct mem_store *store, const struct object_call *call,
                      struct mem_reply *reply)
{
    struct mem_object *object = mem_store_get(store, call->key);
    const struct mem_object *value = object ? mem_value(object, call->verb) : NULL;

    if (!value)
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, object ? "NoSuchValue" : "NoSuchKey");
    else
        give_data(call, value, reply);
    mem_object_release(object);
}

static void change(struct mem_store *store, const struct object_call *call, struct mem_reply *reply)
{
    const int code = mem_change(store, call);

    if (code == -ENOMEM)
        fail_without_memory(reply);
    else if (code < 0)
        fail(reply, OBJECT_CLIENT_ERROR, -code, code == -ENOENT ? "NoSuchKey" : "KeyExists");
    else
        reply->answer.sent_bytes = call->body_bytes;
}

static void copy_object(struct mem_store *store, const struct object_call *call,
                        struct mem_reply *reply)
{
    struct mem_object *from = mem_store_get(store, call->source_key), *object;

    object = from ? mem_object_make(store, from->data, from->bytes) : NULL;
    if (!from)
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchKey");
    else if (!object)
        fail_without_memory(reply);
    else
        (void)mem_store_put(store, call->key, object, false, NULL);
    mem_object_release(from);
}

/* The body is a list of terminated names. */
static void delete_objects(struct mem_store *store, const struct object_call *call)
{
    const char *at = call->body, *const end = at + call->body_bytes;

    for (; at < end; at += strlen(at) + 1)
        (void)mem_store_remove(store, at);
}

size_t mem_name_bytes(const char *key)
{
    return strlen(key) + 1;
}

size_t mem_names(const char *const *key, size_t count, char *text, size_t room)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t bytes = mem_name_bytes(key[i]);
        if (bytes > room - used)
            return 0;
        memcpy(text + used, key[i], bytes);
        used += bytes;
    }
    return used;
}

/* ---- lists ---- */

static void begin_list(struct mem_reply *reply)
{
    reply->text_used = 0;
    reply->entries = 0;
    reply->more = false;
}

static uint64_t page_of(const struct object_call *call)
{
    return call->page ? call->page : PAGE_KEYS;
}

static void add_entry(struct mem_reply *reply, const struct page_entry *entry, const char *key,
                      size_t length)
{
    const size_t wanted = reply->text_used + sizeof(*entry) + length + 1;

    if (wanted > reply->text_room) {
        reply->text_room = wanted * 2;
        reply->text = mem_realloc_array(reply->text, reply->text_room, 1);
    }
    memcpy(reply->text + reply->text_used, entry, sizeof(*entry));
    memcpy(reply->text + reply->text_used + sizeof(*entry), key, length);
    reply->text[wanted - 1] = '\0';
    reply->text_used = wanted;
    reply->entries++;
}

/* Returns the key of the entry at *at, and advances *at; NULL after the last. */
static const char *next_entry(const struct mem_reply *reply, size_t *at, struct page_entry *entry)
{
    const char *key;

    if (*at >= reply->text_used)
        return NULL;
    memcpy(entry, reply->text + *at, sizeof(*entry));
    key = reply->text + *at + sizeof(*entry);
    *at += sizeof(*entry) + strlen(key) + 1;
    return key;
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
    struct mem_reply *reply;
};

static int visit_object(void *arg, const char *key, const struct mem_object *object)
{
    const struct object_call *call = ((const struct key_walk *)arg)->call;
    struct mem_reply *const reply = ((const struct key_walk *)arg)->reply;
    const size_t length = rolled_up(call, key);
    const struct page_entry entry = {object->bytes, object->number, length > 0};

    if (length == 0 || strncmp(reply->next, key, length) != 0) {
        if (reply->entries == page_of(call)) {
            reply->more = true;
            return 1;
        }
        add_entry(reply, &entry, key, length > 0 ? length : strlen(key));
    }
    (void)snprintf(reply->next, sizeof(reply->next), "%s", key);
    return 0;
}

static void list_objects(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    const char *after = call->token ? call->token : "";
    struct key_walk walk = {call, reply};

    begin_list(reply);
    (void)snprintf(reply->next, sizeof(reply->next), "%s", after);
    (void)mem_store_walk(store, call->key, after, visit_object, &walk);
    reply->answer.received_bytes = reply->text_used;
}

int mem_list(const struct object_answer *answer, struct object_page *page, object_visit visit,
             void *arg, struct error *err)
{
    const struct mem_reply *reply = answer->detail;
    struct error own = ERROR_INIT;
    struct page_entry entry;
    size_t at = 0;

    page->keys = reply->entries;
    page->first = 0;
    page->more = reply->more;
    (void)snprintf(page->token, sizeof(page->token), "%s", reply->more ? reply->next : "");
    for (size_t i = sizeof(entry); i < reply->text_used && reply->text[i]; i++)
        page->first = (page->first ^ (unsigned char)reply->text[i]) * UINT64_C(0x100000001b3);
    for (const char *key; visit && (key = next_entry(reply, &at, &entry)) != NULL;) {
        const struct object_listed listed = {key, entry.rolled_up ? 0 : entry.size_bytes,
                                             entry.rolled_up};
        const int result = visit(arg, &listed, err ? err : &own);

        if (result != 0)
            return result;
    }
    return 0;
}

/* ---- multipart uploads ---- */

/* The number of an upload; 0, which none has: not an upload of this store. */
static uint64_t number_of(const char *id)
{
    uint64_t number;

    return id && number_read(id, &number) ? number : 0;
}

static void begin_upload(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    (void)snprintf(reply->upload_id, sizeof(reply->upload_id), "%" PRIu64,
                   mem_upload_begin(store, call->key));
}

static void put_part(struct mem_store *store, const struct object_call *call,
                     struct mem_reply *reply)
{
    struct mem_object *object = take_body(store, call, reply);

    if (object &&
        !mem_upload_part(store, call->key, number_of(call->upload_id), call->part, object))
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
}

/* The body is a line with an ETag per part, in order; then an empty one. */
static void complete_upload(struct mem_store *store, const struct object_call *call,
                            struct mem_reply *reply)
{
    const char *at = call->body, *const end = at + call->body_bytes;
    uint64_t *number = mem_calloc((size_t)call->body_bytes / 2 + 1, sizeof(*number));
    unsigned count = 0;
    int code;

    for (; at < end && *at != '\n'; count++)
        at = number_take_before(&at, end, &number[count]) && at < end && *at == '\n' ? at + 1 : end;
    code = at == end
               ? -EINVAL
               : mem_upload_complete(store, call->key, number_of(call->upload_id), number, count);
    if (code == -ENOMEM)
        fail_without_memory(reply);
    else if (code != 0)
        fail(reply, OBJECT_CLIENT_ERROR, -code, code == -ENOENT ? "NoSuchUpload" : "InvalidPart");
    free(number);
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
    if (!mem_upload_abort(store, call->key, number_of(call->upload_id)))
        fail(reply, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
}

static void list_uploads(struct mem_store *store, const struct object_call *call,
                         struct mem_reply *reply)
{
    uint64_t number = number_of(call->token_id);
    char *key;

    begin_list(reply);
    while (!reply->more && (number = mem_upload_next(store, call->key, number, &key)) > 0) {
        const struct page_entry entry = {.number = number};

        reply->more = reply->entries == page_of(call);
        if (!reply->more)
            add_entry(reply, &entry, key, strlen(key));
        free(key);
    }
}

bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads)
{
    const struct mem_reply *reply = answer->detail;
    struct page_entry entry;
    size_t at = 0;

    *uploads = (struct object_uploads){.more = reply->more};
    uploads->upload = mem_calloc((size_t)reply->entries + 1, sizeof(*uploads->upload));
    for (const char *key; (key = next_entry(reply, &at, &entry)) != NULL; uploads->count++) {
        struct object_upload *upload = &uploads->upload[uploads->count];

        upload->key = mem_strdup(key);
        upload->id = mem_printf("%" PRIu64, entry.number);
        (void)snprintf(uploads->next_key, sizeof(uploads->next_key), "%s", upload->key);
        (void)snprintf(uploads->next_id, sizeof(uploads->next_id), "%s", upload->id);
    }
    return true;
}

/* ---- any call ---- */

static void carry_out(struct mem_store *store, const struct object_call *call,
                      struct mem_reply *reply)
{
    switch (call->verb) {
    case OBJECT_PUT:
        put_object(store, call, reply);
        break;
    case OBJECT_GET:
    case OBJECT_STAT:
        get_object(store, call, reply);
        break;
    case OBJECT_LIST:
        list_objects(store, call, reply);
        break;
    case OBJECT_COPY:
        copy_object(store, call, reply);
        break;
    case OBJECT_DELETE:
        (void)mem_store_remove(store, call->key);
        break;
    case OBJECT_DELETE_MANY:
        delete_objects(store, call);
        break;
    case OBJECT_UPLOAD_BEGIN:
        begin_upload(store, call, reply);
        break;
    case OBJECT_UPLOAD_PART:
        put_part(store, call, reply);
        break;
    case OBJECT_UPLOAD_COMPLETE:
        complete_upload(store, call, reply);
        break;
    case OBJECT_UPLOAD_ABORT:
        abort_upload(store, call, reply);
        break;
    case OBJECT_UPLOAD_LIST:
        list_uploads(store, call, reply);
        break;
    case OBJECT_RENAME:
    case OBJECT_WRITE_RANGE:
    case OBJECT_APPEND:
    case OBJECT_XATTR_PUT:
    case OBJECT_OMAP_PUT:
        change(store, call, reply);
        break;
    case OBJECT_XATTR_GET:
    case OBJECT_OMAP_GET:
        get_value(store, call, reply);
        break;
    default:
        fail(reply, OBJECT_CLIENT_ERROR, EINVAL, "NoSuchVerb");
    }
}

/* Stores `data` with one byte changed, under the same or another key, as if the call had done
 * so. */
static void store_wrongly(struct mem_store *store, struct object_call call, const void *data,
                          uint64_t bytes, struct mem_reply *reply)
{
    struct mem_object *object = mem_object_make(store, data, bytes);

    if (!object) {
        fail_without_memory(reply);
        return;
    }
    if (bytes > 0)
        object->data[bytes / 2] ^= 1;
    call.body = object->data;
    call.body_bytes = bytes;
    carry_out(store, &call, reply);
    mem_object_release(object);
}

/* Executes the call, but silently changes one byte of the data. */
static COLD void carry_out_wrongly(struct mem_store *store, const struct object_call *call,
                                   struct mem_reply *reply)
{
    const struct object_call put = {.verb = OBJECT_PUT, .key = call->key};
    struct mem_object *copy;

    if (call->verb == OBJECT_PUT || call->verb == OBJECT_UPLOAD_PART) {
        store_wrongly(store, *call, call->body, call->body_bytes, reply);
        return;
    }
    carry_out(store, call, reply);
    if (call->verb == OBJECT_GET && call->into && reply->answer.received_bytes > 0)
        ((char *)call->into)[reply->answer.received_bytes / 2] ^= 1;
    copy = call->verb == OBJECT_COPY ? mem_store_get(store, call->key) : NULL;
    if (copy)
        store_wrongly(store, put, copy->data, copy->bytes, reply);
    mem_object_release(copy);
}

/* Injects a scheduled failure. */
static COLD void carry_out_badly(struct mem_store *store, const struct object_call *call,
                                 enum mem_fault_kind fault, struct mem_reply *reply)
{
    static const struct {
        enum object_class class;
        int errnum;
        bool retryable;
        const char *code;
    } row[MEM_FAULT_KIND_COUNT] = {
        [MEM_FAULT_SLOW_DOWN] = {OBJECT_SLOW_DOWN, EBUSY, true, "SlowDown"},
        [MEM_FAULT_SERVER] = {OBJECT_SERVER_ERROR, EREMOTEIO, true, "InternalError"},
        [MEM_FAULT_FORBIDDEN] = {OBJECT_CLIENT_ERROR, EACCES, false, "AccessDenied"},
        [MEM_FAULT_MISSING] = {OBJECT_CLIENT_ERROR, ENOENT, false, "NoSuchKey"},
        [MEM_FAULT_REFUSED] = {OBJECT_NETWORK_ERROR, ECONNREFUSED, true, ""},
        [MEM_FAULT_LOST] = {OBJECT_NETWORK_ERROR, ECONNRESET, true, ""},
        [MEM_FAULT_BROKEN] = {OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
        [MEM_FAULT_TIMEOUT] = {OBJECT_NETWORK_ERROR, ETIMEDOUT, true, ""},
        [MEM_FAULT_TOO_LARGE] = {OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge"},
    };

    if (fault == MEM_FAULT_WRONG) {
        carry_out_wrongly(store, call, reply);
        return;
    }
    if (fault == MEM_FAULT_LOST) {
        carry_out(store, call, reply);
        reply->answer.settled = false;
        reply->answer.received_bytes = 0;
        reply->upload_id[0] = '\0';
    }
    fail(reply, row[fault].class, row[fault].errnum, row[fault].code);
    reply->answer.verdict.retryable = row[fault].retryable;
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
        carry_out(store, call, reply);
}

void mem_reply_free(struct mem_reply *reply)
{
    free(reply->text);
}
