/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.c - see the header. A request is executed while it is waited for, after its randomly
 * drawn delay; those due at the same time in the order in which they were begun. Links with one
 * slot (lists and removal before and after) neither wait nor fail. */
#include "base/compat.h"

#include "storage/object/mem/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"

#define SPIN_NS           UINT64_C(50000) /* shorter waits spin: waking takes as long */
#define POOL_OBJECT_BYTES ((uint64_t)128 << 20)
#define POOL_VALUE_BYTES  ((uint64_t)64 << 10)

#define STREAM_MEM UINT64_C(0x6d656d)

struct mem_service {
    struct object_service base; /* first */
    struct mem_store *store;
    const struct mem_options *options;
    atomic_uint_least64_t links; /* each draws its delays from a separate stream */
};

struct mem_slot {
    const struct object_call *call;
    uint64_t due_ns; /* 0: at once */
    enum mem_fault_kind fault;
    struct mem_reply reply;
};

struct mem_link {
    struct object_link base; /* first */
    struct mem_service *service;
    bool delays, faults;
    struct null_draw draw;
    uint64_t seen[MEM_FAULTS_MAX];
    uint32_t slots, busy, head;
    uint32_t *line; /* busy slots, those due first first, from head on */
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

/* ---- failures ---- */

const struct mem_fault_row mem_fault_table[MEM_FAULT_KIND_COUNT] = {
    [MEM_FAULT_SLOW_DOWN] = {"slow-down", OBJECT_SLOW_DOWN, EBUSY, true, "SlowDown"},
    [MEM_FAULT_SERVER] = {"server-error", OBJECT_SERVER_ERROR, EREMOTEIO, true, "InternalError"},
    [MEM_FAULT_FORBIDDEN] = {"forbidden", OBJECT_CLIENT_ERROR, EACCES, false, "AccessDenied"},
    [MEM_FAULT_MISSING] = {"missing", OBJECT_CLIENT_ERROR, ENOENT, false, "NoSuchKey"},
    [MEM_FAULT_REFUSED] = {"refused", OBJECT_NETWORK_ERROR, ECONNREFUSED, true, ""},
    [MEM_FAULT_LOST] = {"lost", OBJECT_NETWORK_ERROR, ECONNRESET, true, ""},
    [MEM_FAULT_BROKEN] = {"broken", OBJECT_PROTOCOL_ERROR, EPROTO, false, "UnexpectedStatus"},
    [MEM_FAULT_WRONG] = {"wrong", OBJECT_DONE, 0, false, ""},
    [MEM_FAULT_TIMEOUT] = {NULL, OBJECT_NETWORK_ERROR, ETIMEDOUT, true, ""},
    [MEM_FAULT_TOO_LARGE] = {NULL, OBJECT_CLIENT_ERROR, EFBIG, false, "TooLarge"},
};

/* Whether the text at *at continues with the word and then one of "@:", which it is moved to. */
static bool take_word(const char **at, const char *word)
{
    const size_t length = strcspn(*at, "@:,");

    if (!word || strlen(word) != length || memcmp(word, *at, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_fault(const char **at, struct mem_fault *fault)
{
    unsigned kind = 0, verb = 0;

    while (kind < MEM_FAULT_KIND_COUNT && !take_word(at, mem_fault_table[kind].word))
        kind++;
    if (kind == MEM_FAULT_KIND_COUNT)
        return false;
    *fault = (struct mem_fault){.kind = (enum mem_fault_kind)kind};
    if (**at == '@') {
        ++*at;
        while (verb < OBJECT_VERB_COUNT && !take_word(at, object_verb_table[verb].word))
            verb++;
        if (verb == OBJECT_VERB_COUNT)
            return false;
        fault->verbs = 1u << verb;
    }
    return *(*at)++ == ':' && number_take(at, &fault->every) && fault->every > 0 &&
           fault->every <= UINT32_MAX;
}

int mem_faults_parse(const char *word, struct mem_faults *faults, struct error *err)
{
    struct mem_faults taken = {0};
    const char *at = word;
    bool right = true;

    do
        right = taken.count < MEM_FAULTS_MAX && take_fault(&at, &taken.fault[taken.count++]);
    while (right && *at == ',' && *++at);
    if (right && *at == '\0' && at > word && at[-1] != ',') {
        *faults = taken;
        return 0;
    }
    return error_refuse(err, STATUS_USAGE, "not a list of failures:", word,
                        "KIND[@VERB]:N, at most %u of them, with commas: slow-down, "
                        "server-error, forbidden, missing, refused, lost, broken or wrong; as in "
                        "lost@put:3",
                        MEM_FAULTS_MAX);
}

enum mem_fault_kind mem_faults_next(const struct mem_faults *faults, enum object_verb verb,
                                    uint64_t seen[MEM_FAULTS_MAX])
{
    enum mem_fault_kind kind = MEM_FAULT_NONE;

    for (unsigned i = 0; i < faults->count; i++) {
        const struct mem_fault *fault = &faults->fault[i];
        if (fault->verbs && !(fault->verbs & 1u << verb))
            continue;
        if (++seen[i] % fault->every == 0 && kind == MEM_FAULT_NONE)
            kind = fault->kind;
    }
    return kind;
}

/* ---- the service ---- */

const char *const mem_like_words[] = {"bucket", "pool", "tree", NULL};

/* Indexed like the words. */
const unsigned mem_verbs_of[] = {
    OBJECT_VERBS_OF_BUCKETS,
    OBJECT_VERBS_OF_POOLS,
    OBJECT_VERBS_OF_TREES,
};

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
    service->base.root = "mem:";
    service->base.container = "mem";
    service->base.prefix = "";
    service->base.verbs = mem_verbs_of[service->options->like];
    service->base.bounded = service->base.verbs & 1u << OBJECT_WRITE_RANGE;
    service->base.servers = 1; /* no connections, however many operations are in flight */
    service->store = mem_store_create();
    *out = &service->base;
    return 0;
}

static void mem_close(struct object_service *base)
{
    mem_store_destroy(service_of(base)->store);
    free(service_of(base));
}

static char *mem_reach(const struct object_service *service)
{
    (void)service;
    return mem_strdup("");
}

/* ---- links ---- */

static void mem_disconnect(struct object_link *base)
{
    struct mem_link *link = link_of(base);

    if (!link)
        return;
    for (uint32_t i = 0; i < link->slots; i++)
        object_names_free(&link->slot[i].reply.names);
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

/* A pool's limits are the defaults of RADOS: osd_max_object_size, osd_max_attr_size. */
static COLD bool is_too_large(const struct object_call *call)
{
    if (call->verb == OBJECT_XATTR_PUT)
        return call->body_bytes > POOL_VALUE_BYTES;
    return call->body_bytes > POOL_OBJECT_BYTES ||
           call->offset_bytes > POOL_OBJECT_BYTES - call->body_bytes;
}

static void answer_call(const struct mem_link *link, struct mem_slot *slot)
{
    if (__builtin_expect(link->service->base.bounded, 0) && slot->fault == MEM_FAULT_NONE &&
        is_too_large(slot->call))
        slot->fault = MEM_FAULT_TOO_LARGE;
    mem_call(link->service->store, slot->call, slot->fault, &slot->reply);
}

/* A request with a delay beyond the timeout gets no answer and is not executed. */
static void draw_delay(struct mem_link *link, struct mem_slot *slot)
{
    const struct mem_options *options = link->service->options;
    const uint64_t timeout_ns = options->store.timeout_ns;
    uint64_t delay_ns = null_draw_next(&link->draw, &options->delay);

    if (timeout_ns > 0 && delay_ns > timeout_ns) {
        delay_ns = timeout_ns;
        slot->fault = MEM_FAULT_TIMEOUT;
    }
    slot->due_ns = clock_monotonic_ns() + delay_ns;
}

static uint32_t *line_at(const struct mem_link *link, uint32_t place)
{
    place += link->head;
    return &link->line[place < link->slots ? place : place - link->slots];
}

static int mem_begin(struct object_link *base, uint32_t index, const struct object_call *call)
{
    struct mem_link *link = link_of(base);
    struct mem_slot *slot = &link->slot[index];
    uint32_t place = link->busy++;

    slot->call = call;
    slot->fault = MEM_FAULT_NONE;
    slot->due_ns = 0;
    if (__builtin_expect(link->faults, 0))
        slot->fault = mem_faults_next(&link->service->options->faults, call->verb, link->seen);
    if (__builtin_expect(link->delays, 0))
        draw_delay(link, slot);
    for (; place > 0 && link->slot[*line_at(link, place - 1)].due_ns > slot->due_ns; place--)
        *line_at(link, place) = *line_at(link, place - 1);
    *line_at(link, place) = index;
    return 0;
}

static int mem_wait(struct object_link *base, uint64_t wait_ns, uint32_t *done, unsigned max)
{
    struct mem_link *link = link_of(base);
    uint64_t now_ns = link->delays ? clock_monotonic_ns() : 0;
    unsigned count = 0;

    while (link->busy > 0 && count < max) {
        struct mem_slot *slot = &link->slot[link->line[link->head]];

        if (slot->due_ns > now_ns) {
            const bool late = slot->due_ns - now_ns > wait_ns;
            if (count > 0 || !null_wait(late ? now_ns + wait_ns : slot->due_ns, SPIN_NS) || late)
                break;
            now_ns = clock_monotonic_ns();
            continue;
        }
        done[count++] = link->line[link->head];
        link->head = link->head + 1 == link->slots ? 0 : link->head + 1;
        link->busy--;
        answer_call(link, slot);
    }
    return (int)count;
}

static const struct object_answer *mem_answer(struct object_link *base, uint32_t slot,
                                              const struct object_call *call)
{
    (void)call;
    return &link_of(base)->slot[slot].reply.answer;
}

/* ---- words ---- */

static void mem_explain(const struct object_answer *answer, struct error *err)
{
    const struct object_verdict *verdict = &answer->verdict;

    error_explain(err, "%s%s%s", verdict->code, verdict->code[0] ? ": " : "",
                  strerror(verdict->errnum));
    if (verdict->errnum == ENOMEM)
        error_advise(err, "use fewer or smaller objects: --max-size");
}

static int mem_failures(const struct object_answer *answer, char *code, size_t room)
{
    (void)answer;
    if (room > 0)
        code[0] = '\0';
    return 0;
}

const struct object_protocol mem_protocol = {
    .name = "mem",
    .service = "a store in memory",
    .form = "mem:",
    .open = mem_open,
    .close = mem_close,
    .reach = mem_reach,
    .connect = mem_connect,
    .disconnect = mem_disconnect,
    .begin = mem_begin,
    .wait = mem_wait,
    .answer = mem_answer,
    .explain = mem_explain,
    .list = mem_list,
    .uploads = mem_uploads,
    .failures = mem_failures,
    .name_bytes = mem_name_bytes,
    .part_bytes = MEM_PART_BYTES,
    .rest_bytes = MEM_PART_BYTES,
    .names = mem_names,
    .parts = mem_parts,
};

/* ---- the target and its engine ---- */

#define FIELD(member) offsetof(struct mem_options, member)

extern const struct storage_driver target_mem;
extern const struct engine engine_mem;

static int take_delay(void *block, const char *word, struct error *err)
{
    return null_delay_parse(word, &((struct mem_options *)block)->delay, err);
}

static int take_fail(void *block, const char *word, struct error *err)
{
    return mem_faults_parse(word, &((struct mem_options *)block)->faults, err);
}

/* clang-format off */
static const struct option_row mem_options_table[] = {
    {.name = "mem.delay", .argument = "TIMES", .type = OPTION_WORD, .offset = FIELD(delay_word),
     .call = take_delay, .help = "requests: as 5ms, or mix:35x0,5x3ms",
     .group = "Memory"},
    {.name = "mem.fail", .argument = "LIST", .type = OPTION_WORD, .offset = FIELD(fail_word),
     .call = take_fail, .help = "fail every N-th request: slow-down:10,lost@put:3",
     .group = "Memory"},
    {.name = "mem.like", .argument = "KIND", .type = OPTION_CHOICE, .offset = FIELD(like),
     .choices = mem_like_words, .fallback = "bucket",
     .help = "supported requests: bucket, pool, tree", .group = "Memory"},
    {.name = NULL},
};
/* clang-format on */

static bool mem_claims(const char *target)
{
    return strcmp(target, "mem:") == 0;
}

static int mem_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err)
{
    const struct object_limits limits = {
        .object_bytes_most = UINT64_C(1) << 43,
        .verbs = mem_verbs_of[((const struct mem_options *)request->options)->like]};

    (void)count;
    if (request->reuse)
        return error_refuse(err, STATUS_USAGE, "no run is kept to be reused in", request->target,
                            "its objects end with the program that made them: leave out --reuse");
    if (request->keep)
        return error_refuse(
            err, STATUS_USAGE, "--keep cannot keep what is in", request->target,
            "its objects end with this program: leave out --keep, or use another target");
    if (request->existing)
        return error_refuse(err, STATUS_USAGE, "there is nothing to read in", request->target,
                            "its objects are made by the run: leave out --read-existing (-r)");
    return object_options_check(request, &limits, alone, err);
}

const struct storage_driver target_mem = {
    .name = "mem",
    .kind = "memory store",
    .noun = "object",
    .scheme = "mem:",
    .form = "mem:",
    .purpose = "objects in memory",
    .capabilities = TARGET_REQUESTS | TARGET_VALUES,
    .family = &object_family,
    .options = mem_options_table,
    .options_bytes = sizeof(struct mem_options),
    .check = mem_check,
    .claims = mem_claims,
    .protocol = &mem_protocol,
    OBJECT_TARGET_HOOKS,
};

const struct engine engine_mem = {
    .name = "mem",
    .summary = "objects in memory: what operations cost without a network",
    .libc_words = "Using objects in memory",
    .driver = "mem",
    OBJECT_ENGINE_HOOKS(ENGINE_MIXES),
};
