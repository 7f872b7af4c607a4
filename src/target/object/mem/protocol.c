/* SPDX-License-Identifier: GPL-2.0-or-later */
/* protocol.c - see the header.  A request is carried out when it is waited for, after the delay
 * that was drawn for it; without delays in the order in which requests were begun.  Links of one
 * slot (lists and removal before and after) neither wait nor fail. */
#include "base/compat.h"

#include "target/object/mem/protocol.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/object/mem/store.h"

#define SPIN_NS     UINT64_C(50000) /* nearer moments are not slept for: waking takes as long */
#define STREAM_MEM  UINT64_C(0x6d656d)
#define PAGE_KEYS   1000u
#define PART_BYTES  24u /* of a number and its end */
#define NUMBER_SIZE 24u

struct mem_service {
    struct object_service base; /* first */
    struct mem_store *store;
    const struct mem_options *options;
    atomic_uint_least64_t links; /* their delays are drawn from streams of their own */
};

struct entry { /* of a list, as it is kept in text: then the key with its end */
    uint64_t size_bytes, number;
    bool rolled_up;
};

struct mem_slot {
    const struct object_call *call;
    uint64_t due_ns;
    enum mem_fault_kind fault;
    bool busy;
    struct object_answer answer;
    char etag[MEM_ETAG_BYTES], upload_id[NUMBER_SIZE];
    char *text; /* the entries of a list; kept from one to the next */
    size_t text_used, text_room;
    uint64_t entries;
    bool more;
    char next[OBJECT_KEY_BYTES]; /* the last key of a page that goes on */
};

struct mem_link {
    struct object_link base; /* first */
    struct mem_service *service;
    bool delays, faults;
    struct null_draw draw;
    uint64_t seen[MEM_FAULTS_MAX];
    uint32_t slots, busy, head;
    uint32_t *line; /* slots in the order of their beginning, from head on */
    struct mem_slot *slot;
};

static struct mem_service *service_of(const struct object_service *service)
{
    return (struct mem_service *)(uintptr_t)service;
}

static struct mem_link *link_of(struct object_link *link)
{
    return (struct mem_link *)link;
}

struct mem_store *mem_service_store(const struct object_service *service)
{
    return service_of(service)->store;
}

/* ---- the service ---- */

static int mem_open(const char *target, const void *options, bool signs,
                    struct object_service **out, struct error *err)
{
    struct mem_service *service = mem_calloc(1, sizeof(*service));

    (void)target;
    (void)signs;
    (void)err;
    service->options = options;
    service->base.protocol = &mem_protocol;
    service->base.options = &service->options->store;
    service->base.prefix = "";
    service->store = mem_store_create();
    *out = &service->base;
    return 0;
}

static void mem_close(struct object_service *base)
{
    mem_store_destroy(service_of(base)->store);
    free(service_of(base));
}

static char *mem_url(const struct object_service *service, const char *key)
{
    (void)service;
    return mem_printf("mem:%s", key);
}

static char *mem_place(const struct object_service *service, const char *prefix)
{
    const int length = (int)strlen(prefix);

    (void)service;
    return mem_printf("mem:%.*s", length > 0 ? length - 1 : 0, prefix);
}

static char *mem_reach(const struct object_service *service)
{
    (void)service;
    return mem_strdup("");
}

static const char *mem_container(const struct object_service *service)
{
    (void)service;
    return "mem";
}

static const char *mem_payload(const struct object_service *service)
{
    (void)service;
    return NULL;
}

/* ---- carrying out ---- */

static void fail(struct mem_slot *slot, enum object_class class, int errnum, const char *code)
{
    struct object_verdict *verdict = &slot->answer.verdict;

    *verdict = (struct object_verdict){.class = class, .errnum = errnum};
    (void)snprintf(verdict->code, sizeof(verdict->code), "%s", code);
}

static void put_object(struct mem_store *store, struct mem_slot *slot)
{
    const struct object_call *call = slot->call;
    struct mem_object *object = mem_object_make(store, call->body, call->body_bytes);

    if (!object) {
        fail(slot, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
        return;
    }
    slot->answer.sent_bytes = call->body_bytes;
    mem_object_etag(object, slot->etag);
    if (!mem_store_put(store, call->key, object, call->only_if_absent, call->only_over)) {
        fail(slot, OBJECT_CLIENT_ERROR, EEXIST, "PreconditionFailed");
        slot->answer.condition = OBJECT_CONDITION_UNMET;
    }
}

static void take_data(struct mem_slot *slot, const struct mem_object *object)
{
    const struct object_call *call = slot->call;
    uint64_t from = call->ranged ? call->offset_bytes : 0, bytes;

    if (call->ranged && from >= object->bytes) {
        fail(slot, OBJECT_CLIENT_ERROR, ERANGE, "InvalidRange");
        return;
    }
    bytes = object->bytes - from;
    if (call->ranged && bytes > call->range_bytes)
        bytes = call->range_bytes;
    if (call->into && bytes > call->into_bytes) {
        fail(slot, OBJECT_PROTOCOL_ERROR, EPROTO, "TooLong");
        bytes = call->into_bytes;
    }
    if (call->into)
        memcpy(call->into, object->data + from, (size_t)bytes);
    slot->answer.received_bytes = bytes;
}

static void get_object(struct mem_store *store, struct mem_slot *slot)
{
    struct mem_object *object = mem_store_get(store, slot->call->key);

    if (!object) {
        fail(slot, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchKey");
        return;
    }
    mem_object_etag(object, slot->etag);
    slot->answer.age_s = (int64_t)(clock_monotonic_ns() / 1000000000u) - (int64_t)object->made_s;
    if (slot->call->verb == OBJECT_GET)
        take_data(slot, object);
    mem_object_release(object);
}

static void copy_object(struct mem_store *store, struct mem_slot *slot)
{
    struct mem_object *from = mem_store_get(store, slot->call->source_key), *object;

    object = from ? mem_object_make(store, from->data, from->bytes) : NULL;
    if (!from)
        fail(slot, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchKey");
    else if (!object)
        fail(slot, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
    else
        (void)mem_store_put(store, slot->call->key, object, false, NULL);
    mem_object_release(from);
}

/* Names stand one after the other, each with its end. */
static void delete_objects(struct mem_store *store, const struct object_call *call)
{
    const char *at = call->body, *const end = at + call->body_bytes;

    for (; at < end; at += strlen(at) + 1)
        (void)mem_store_remove(store, at);
}

/* ---- lists ---- */

static void add_entry(struct mem_slot *slot, const struct entry *entry, const char *key,
                      size_t length)
{
    const size_t wanted = slot->text_used + sizeof(*entry) + length + 1;

    if (wanted > slot->text_room) {
        slot->text_room = wanted * 2;
        slot->text = mem_realloc_array(slot->text, slot->text_room, 1);
    }
    memcpy(slot->text + slot->text_used, entry, sizeof(*entry));
    memcpy(slot->text + slot->text_used + sizeof(*entry), key, length);
    slot->text[wanted - 1] = '\0';
    slot->text_used = wanted;
    slot->entries++;
}

/* A key below the delimiter stands for all that begin like it; the one before has told it already.
 */
static size_t rolled_up(const struct object_call *call, const char *key)
{
    const size_t length = strlen(call->key);
    const char *at = call->delimiter ? strstr(key + length, call->delimiter) : NULL;

    return at ? (size_t)(at - key) + strlen(call->delimiter) : 0;
}

static int visit_entry(void *arg, const char *key, const struct mem_object *object)
{
    struct mem_slot *slot = arg;
    const uint64_t page = slot->call->page ? slot->call->page : PAGE_KEYS;
    const size_t length = rolled_up(slot->call, key);
    const struct entry entry = {object->bytes, object->number, length > 0};

    if (length > 0 && strncmp(slot->next, key, length) == 0) {
        (void)snprintf(slot->next, sizeof(slot->next), "%s", key);
        return 0;
    }
    if (slot->entries == page) {
        slot->more = true;
        return 1;
    }
    add_entry(slot, &entry, key, length > 0 ? length : strlen(key));
    (void)snprintf(slot->next, sizeof(slot->next), "%s", key);
    return 0;
}

static void list_objects(struct mem_store *store, struct mem_slot *slot)
{
    const char *after = slot->call->token ? slot->call->token : "";

    slot->text_used = 0;
    slot->entries = 0;
    slot->more = false;
    (void)snprintf(slot->next, sizeof(slot->next), "%s", after);
    (void)mem_store_walk(store, slot->call->key, after, visit_entry, slot);
    slot->answer.received_bytes = slot->text_used;
}

static int mem_list(const struct object_answer *answer, struct object_page *page,
                    object_visit visit, void *arg, struct error *err)
{
    const struct mem_slot *slot = answer->detail;
    struct error own = ERROR_INIT;
    size_t at = 0;

    page->keys = slot->entries;
    page->first = 0;
    page->more = slot->more;
    (void)snprintf(page->token, sizeof(page->token), "%s", slot->more ? slot->next : "");
    for (size_t i = sizeof(struct entry); i < slot->text_used && slot->text[i]; i++)
        page->first = (page->first ^ (unsigned char)slot->text[i]) * UINT64_C(0x100000001b3);
    while (visit && at < slot->text_used) {
        const char *key = slot->text + at + sizeof(struct entry);
        char etag[MEM_ETAG_BYTES];
        struct entry entry;
        int result;

        memcpy(&entry, slot->text + at, sizeof(entry));
        (void)snprintf(etag, sizeof(etag), "%" PRIu64, entry.number);
        result = visit(arg, key, entry.rolled_up ? 0 : entry.size_bytes,
                       entry.rolled_up ? NULL : etag, err ? err : &own);
        if (result != 0)
            return result;
        at += sizeof(entry) + strlen(key) + 1;
    }
    return 0;
}

/* ---- uploads in parts ---- */

static uint64_t number_of(const char *text)
{
    return text ? strtoull(text, NULL, 10) : 0;
}

static void begin_upload(struct mem_store *store, struct mem_slot *slot)
{
    (void)snprintf(slot->upload_id, sizeof(slot->upload_id), "%" PRIu64,
                   mem_upload_begin(store, slot->call->key));
}

static void put_part(struct mem_store *store, struct mem_slot *slot)
{
    const struct object_call *call = slot->call;
    struct mem_object *object = mem_object_make(store, call->body, call->body_bytes);

    if (!object) {
        fail(slot, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
        return;
    }
    slot->answer.sent_bytes = call->body_bytes;
    mem_object_etag(object, slot->etag);
    if (!mem_upload_part(store, call->key, number_of(call->upload_id), call->part, object))
        fail(slot, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
}

/* The document: a line for each part, in their order, with its ETag. */
static void complete_upload(struct mem_store *store, struct mem_slot *slot)
{
    const struct object_call *call = slot->call;
    const char *at = call->body, *const end = at + call->body_bytes;
    uint64_t *number = mem_calloc((size_t)call->body_bytes / 2 + 1, sizeof(*number));
    unsigned count = 0;
    int code;

    for (char *stop; at < end && *at != '\n'; at = stop + 1)
        number[count++] = strtoull(at, &stop, 10);
    code = mem_upload_complete(store, call->key, number_of(call->upload_id), number, count);
    if (code == -ENOMEM)
        fail(slot, OBJECT_SERVER_ERROR, ENOMEM, "NoMemory");
    else if (code != 0)
        fail(slot, OBJECT_CLIENT_ERROR, -code, code == -ENOENT ? "NoSuchUpload" : "InvalidPart");
    free(number);
}

static void list_uploads(struct mem_store *store, struct mem_slot *slot)
{
    uint64_t number = number_of(slot->call->token_id);
    char *key;

    slot->text_used = 0;
    slot->entries = 0;
    while ((number = mem_upload_next(store, slot->call->key, number, &key)) > 0) {
        const struct entry entry = {.number = number};
        slot->more = slot->entries == (slot->call->page ? slot->call->page : PAGE_KEYS);
        if (!slot->more)
            add_entry(slot, &entry, key, strlen(key));
        free(key);
        if (slot->more)
            return;
    }
    slot->more = false;
}

static bool mem_uploads(const struct object_answer *answer, struct object_uploads *uploads)
{
    const struct mem_slot *slot = answer->detail;
    size_t at = 0;

    *uploads = (struct object_uploads){.more = slot->more};
    uploads->upload = mem_calloc((size_t)slot->entries + 1, sizeof(*uploads->upload));
    for (; at < slot->text_used; uploads->count++) {
        struct object_upload *upload = &uploads->upload[uploads->count];
        struct entry entry;

        memcpy(&entry, slot->text + at, sizeof(entry));
        upload->key = mem_strdup(slot->text + at + sizeof(entry));
        upload->id = mem_printf("%" PRIu64, entry.number);
        (void)snprintf(uploads->next_key, sizeof(uploads->next_key), "%s", upload->key);
        (void)snprintf(uploads->next_id, sizeof(uploads->next_id), "%s", upload->id);
        at += sizeof(entry) + strlen(upload->key) + 1;
    }
    return true;
}

/* ---- any call ---- */

static void carry_out(struct mem_store *store, struct mem_slot *slot)
{
    const struct object_call *call = slot->call;

    switch (call->verb) {
    case OBJECT_PUT:
        put_object(store, slot);
        break;
    case OBJECT_GET:
    case OBJECT_STAT:
        get_object(store, slot);
        break;
    case OBJECT_LIST:
        list_objects(store, slot);
        break;
    case OBJECT_COPY:
        copy_object(store, slot);
        break;
    case OBJECT_DELETE:
        (void)mem_store_remove(store, call->key);
        break;
    case OBJECT_DELETE_MANY:
        delete_objects(store, call);
        break;
    case OBJECT_UPLOAD_BEGIN:
        begin_upload(store, slot);
        break;
    case OBJECT_UPLOAD_PART:
        put_part(store, slot);
        break;
    case OBJECT_UPLOAD_COMPLETE:
        complete_upload(store, slot);
        break;
    case OBJECT_UPLOAD_ABORT:
        if (!mem_upload_abort(store, call->key, number_of(call->upload_id)))
            fail(slot, OBJECT_CLIENT_ERROR, ENOENT, "NoSuchUpload");
        break;
    case OBJECT_UPLOAD_LIST:
        list_uploads(store, slot);
        break;
    case OBJECT_VERB_COUNT:
        fail(slot, OBJECT_CLIENT_ERROR, EINVAL, "NoSuchVerb");
    }
}

/* A failure on schedule. */
static __attribute__((noinline, cold)) void carry_out_badly(struct mem_store *store,
                                                            struct mem_slot *slot)
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
        [MEM_FAULT_REFUSED] = {OBJECT_NETWORK_ERROR, ECONNREFUSED, true, ""},
        [MEM_FAULT_LOST] = {OBJECT_NETWORK_ERROR, ECONNRESET, true, ""},
        [MEM_FAULT_BROKEN] = {OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
    };

    if (slot->fault == MEM_FAULT_LOST) {
        carry_out(store, slot);
        slot->answer.settled = false;
        slot->answer.received_bytes = 0;
        slot->upload_id[0] = '\0';
    }
    fail(slot, row[slot->fault].class, row[slot->fault].errnum, row[slot->fault].code);
    slot->answer.verdict.retryable = row[slot->fault].retryable;
}

static void answer_call(struct mem_link *link, struct mem_slot *slot)
{
    const struct mem_service *service = link->service;
    struct object_answer *answer = &slot->answer;

    *answer = (struct object_answer){.settled = true,
                                     .age_s = -1,
                                     .etag = slot->etag,
                                     .upload_id = slot->upload_id,
                                     .detail = slot};
    slot->etag[0] = slot->upload_id[0] = '\0';
    if (__builtin_expect(slot->fault != MEM_FAULT_NONE, 0))
        carry_out_badly(service->store, slot);
    else
        carry_out(service->store, slot);
}

/* ---- links ---- */

static void mem_disconnect(struct object_link *base)
{
    struct mem_link *link = link_of(base);

    if (!link)
        return;
    for (uint32_t i = 0; i < link->slots; i++)
        free(link->slot[i].text);
    free(link->slot);
    free(link->line);
    free(link);
}

static int mem_connect(struct object_service *base, const struct object_link_config *config,
                       struct object_link **out, struct error *err)
{
    struct mem_service *service = service_of(base);
    const struct null_delay *delay = &service->options->delay;
    struct mem_link *link = mem_calloc(1, sizeof(*link));

    (void)err;
    link->base.service = base;
    link->service = service;
    link->slots = config->slots;
    link->slot = mem_calloc(config->slots, sizeof(*link->slot));
    link->line = mem_calloc(config->slots, sizeof(*link->line));
    link->delays = config->slots > 1 && delay->longest_ns > 0;
    link->faults = config->slots > 1 && service->options->faults.count > 0;
    if (link->delays)
        null_draw_start(&link->draw, STREAM_MEM, atomic_fetch_add(&service->links, 1));
    *out = &link->base;
    return 0;
}

static int mem_begin(struct object_link *base, uint32_t index, const struct object_call *call)
{
    struct mem_link *link = link_of(base);
    struct mem_slot *slot = &link->slot[index];
    uint32_t place = link->head + link->busy;

    slot->call = call;
    slot->busy = true;
    slot->fault = MEM_FAULT_NONE;
    slot->due_ns = 0;
    if (__builtin_expect(link->delays, 0))
        slot->due_ns =
            clock_monotonic_ns() + null_draw_next(&link->draw, &link->service->options->delay);
    if (__builtin_expect(link->faults, 0))
        slot->fault = mem_faults_next(&link->service->options->faults, call->verb, link->seen);
    if (place >= link->slots)
        place -= link->slots;
    link->line[place] = index;
    link->busy++;
    return 0;
}

/* The one that is due first. */
static uint32_t first_due(const struct mem_link *link)
{
    uint32_t first = UINT32_MAX;

    for (uint32_t i = 0; i < link->slots; i++)
        if (link->slot[i].busy &&
            (first == UINT32_MAX || link->slot[i].due_ns < link->slot[first].due_ns))
            first = i;
    return first;
}

static int wait_delayed(struct mem_link *link, uint64_t wait_ns, uint32_t *done, unsigned max)
{
    unsigned count = 0;

    for (uint64_t now_ns = clock_monotonic_ns(); link->busy > 0 && count < max;) {
        const uint32_t index = first_due(link);
        const uint64_t due_ns = link->slot[index].due_ns;

        if (due_ns > now_ns) {
            if (count > 0)
                break;
            if (!null_wait(due_ns - now_ns > wait_ns ? now_ns + wait_ns : due_ns, SPIN_NS) ||
                due_ns - now_ns > wait_ns)
                break;
            now_ns = clock_monotonic_ns();
            continue;
        }
        link->slot[index].busy = false;
        link->busy--;
        answer_call(link, &link->slot[index]);
        done[count++] = index;
    }
    return (int)count;
}

static int mem_wait(struct object_link *base, uint64_t wait_ns, uint32_t *done, unsigned max)
{
    struct mem_link *link = link_of(base);
    unsigned count = 0;

    if (link->delays)
        return wait_delayed(link, wait_ns, done, max);
    while (link->busy > 0 && count < max) {
        struct mem_slot *slot = &link->slot[link->line[link->head]];

        done[count++] = link->line[link->head];
        link->head = link->head + 1 == link->slots ? 0 : link->head + 1;
        link->busy--;
        slot->busy = false;
        answer_call(link, slot);
    }
    return (int)count;
}

static const struct object_answer *mem_answer(struct object_link *base, uint32_t slot,
                                              const struct object_call *call)
{
    (void)call;
    return &link_of(base)->slot[slot].answer;
}

static const struct object_answer *mem_perform(struct object_link *base,
                                               const struct object_call *call, int *code)
{
    struct mem_slot *slot = &link_of(base)->slot[0];

    *code = 0;
    slot->call = call;
    slot->fault = MEM_FAULT_NONE;
    answer_call(link_of(base), slot);
    return &slot->answer;
}

/* ---- words and documents ---- */

static char *mem_explain(const struct object_answer *answer, char *text, size_t room,
                         const char **advice)
{
    const struct object_verdict *verdict = &answer->verdict;

    (void)snprintf(text, room, "%s%s%s", verdict->code, verdict->code[0] ? ": " : "",
                   strerror(verdict->errnum));
    if (advice)
        *advice = verdict->errnum == ENOMEM ? "use fewer or smaller objects: --max-size" : NULL;
    return text;
}

static int mem_failures(const struct object_answer *answer, char *code, size_t room)
{
    (void)answer;
    if (room > 0)
        code[0] = '\0';
    return 0;
}

static size_t mem_name_bytes(const char *key)
{
    return strlen(key) + 1;
}

static size_t mem_names(const char *const *key, size_t count, char *text, size_t room)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        const size_t bytes = strlen(key[i]) + 1;
        if (bytes > room - used)
            return 0;
        memcpy(text + used, key[i], bytes);
        used += bytes;
    }
    return used;
}

static size_t mem_parts(const struct object_service *service, unsigned part,
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

const struct object_protocol mem_protocol = {
    .name = "mem",
    .service = "a store in memory",
    .form = "mem:",
    .open = mem_open,
    .close = mem_close,
    .url = mem_url,
    .place = mem_place,
    .reach = mem_reach,
    .container = mem_container,
    .payload = mem_payload,
    .connect = mem_connect,
    .disconnect = mem_disconnect,
    .begin = mem_begin,
    .wait = mem_wait,
    .answer = mem_answer,
    .perform = mem_perform,
    .explain = mem_explain,
    .list = mem_list,
    .uploads = mem_uploads,
    .failures = mem_failures,
    .name_bytes = mem_name_bytes,
    .part_bytes = PART_BYTES,
    .rest_bytes = PART_BYTES,
    .names = mem_names,
    .parts = mem_parts,
};
