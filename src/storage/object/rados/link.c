/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* link.c - one thread's access to a pool: a client of the cluster, an io context for each namespace
 * used, and the slots of its calls. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"

#define LOOK_NS   UINT64_C(50000000)
#define END_NS    UINT64_C(10000000000) /* limit on waiting for cancelled calls */
#define GRACE_NS  UINT64_C(3000000000)
#define OSDS_MOST 100000u

/* ---- namespaces ---- */

static void forget_space(struct pool_space *space)
{
    rados_ioctx_destroy(space->io);
    free(space->name);
    space->name = NULL;
}

/* Replaces the oldest one: io contexts can be destroyed while their calls are in flight. */
static COLD rados_ioctx_t open_space(struct pool_link *link, const char *name, int *code)
{
    struct pool_space *const space = &link->space[link->next_space];
    rados_ioctx_t io;

    *code = rados_ioctx_create(link->client->handle, link->service->pool, &io);
    if (*code < 0)
        return NULL;
    rados_ioctx_set_namespace(io, name);
    if (link->spaces == POOL_SPACES)
        forget_space(space);
    else
        link->spaces++;
    *space = (struct pool_space){.name = mem_strdup(name), .io = io};
    link->next_space = (link->next_space + 1) % POOL_SPACES;
    return io;
}

rados_ioctx_t pool_link_io(struct pool_link *link, const char *key, const struct pool_place *place,
                           int *code)
{
    char name[POOL_SPACE_BYTES];

    for (unsigned i = 0; i < link->spaces; i++)
        if (strncmp(link->space[i].name, key + place->before, place->space) == 0 &&
            link->space[i].name[place->space] == '\0')
            return link->space[i].io;
    return open_space(link, pool_space(key, place, name), code);
}

/* ---- making ---- */

static int refuse_pool(const struct pool_service *service, int code, struct error *err)
{
    error_set(err, STATUS_TARGET, -code, "cannot use", service->target);
    if (code == -ENOENT) {
        error_explain(err, "no such pool");
        return error_advise(err, "ceph osd pool ls lists the pools");
    }
    return -1;
}

/* Unknown if the user has no permission to ask. */
static uint64_t count_osds(rados_t handle)
{
    static const char ask[] = "{\"prefix\": \"osd stat\", \"format\": \"json\"}",
                      name[] = "\"num_osds\":";
    const char *command = ask;
    char *answer = NULL, *said = NULL, *text, *at;
    size_t bytes = 0, said_bytes = 0;
    uint64_t count = 0;

    if (rados_mon_command(handle, &command, 1, "", 0, &answer, &bytes, &said, &said_bytes) == 0) {
        text = mem_printf("%.*s", (int)bytes, answer);
        at = strstr(text, name);
        if (at) {
            at += sizeof(name) - 1;
            at[strspn(at, "0123456789")] = '\0';
            (void)number_read(at, &count);
        }
        free(text);
    }
    rados_buffer_free(answer);
    rados_buffer_free(said);
    return count < OSDS_MOST ? count : OSDS_MOST;
}

/* An erasure-coded pool without overwrites accepts appends only at stripe boundaries, and has
 * neither ranges nor omaps. The first link is made by the main thread, before other threads read
 * this. */
static int ask_pool(struct pool_service *service, rados_ioctx_t io)
{
    const unsigned unknown =
        1u << OBJECT_WRITE_RANGE | 1u << OBJECT_OMAP_PUT | 1u << OBJECT_OMAP_GET;
    uint64_t align_bytes = 0;
    int aligned = 0, code;

    if (service->known)
        return 0;
    code = rados_ioctx_pool_requires_alignment2(io, &aligned);
    if (code >= 0 && aligned)
        code = rados_ioctx_pool_required_alignment2(io, &align_bytes);
    if (code < 0)
        return code;
    if (aligned) {
        service->base.append_align_bytes = align_bytes;
        service->base.verbs &= ~unknown;
    }
    service->base.servers = (uint32_t)count_osds(rados_ioctx_get_cluster(io));
    service->known = true;
    return 0;
}

int pool_connect(struct object_service *base, const struct object_link_config *config,
                 struct object_link **out, struct error *err)
{
    struct pool_service *const service = pool_service_of(base);
    struct pool_link *link = aligned_alloc(_Alignof(struct pool_link), sizeof(*link));
    int code;

    *out = NULL;
    if (!link)
        return error_set(err, STATUS_TARGET, ENOMEM, "cannot connect to", service->target);
    *link = (struct pool_link){0};
    link->base.service = base;
    link->service = service;
    link->client = pool_client_get(service, config->slots > 1, config->stop, err);
    if (!link->client) {
        free(link);
        return -1;
    }
    link->slots = config->slots;
    link->slot = mem_calloc(config->slots, sizeof(*link->slot));
    for (uint32_t i = 0; i < config->slots; i++) {
        link->slot[i].link = link;
        link->slot[i].index = i;
    }
    code = pool_ring_open(&link->ring, config->slots);
    if (code < 0) {
        error_set(err, STATUS_TARGET, -code, "cannot create an eventfd for", service->target);
    } else {
        rados_ioctx_t io = open_space(link, "", &code);

        if (code >= 0)
            code = ask_pool(service, io);
        if (code < 0)
            (void)refuse_pool(service, code, err);
    }
    if (code < 0) {
        pool_disconnect(&link->base);
        return -1;
    }
    *out = &link->base;
    return 0;
}

/* ---- the end ---- */

static void cancel(struct pool_slot *slot)
{
    if (!slot->busy)
        return;
    if (slot->lists && slot->list)
        pool_list_cancel(slot->list);
    else if (slot->completion)
        (void)rados_aio_cancel(slot->io, slot->completion);
}

/* Abandons a list: it pushes nothing from then on. */
static void leave_list(struct pool_link *link, struct pool_slot *slot)
{
    link->client->lost |= !pool_list_free(slot->list);
    slot->list = NULL;
    if (!slot->busy)
        return;
    slot->result = -ECANCELED;
    pool_ring_push(&link->ring, slot->index);
}

static void end_calls(struct pool_link *link)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    uint32_t slot;

    for (uint32_t i = 0; i < link->slots; i++)
        cancel(&link->slot[i]);
    for (uint32_t i = 0; i < link->slots; i++)
        leave_list(link, &link->slot[i]);
    while (link->busy > 0 && clock_monotonic_ns() - begun_ns < END_NS)
        (void)pool_wait(&link->base, LOOK_NS, &slot, 1);
}

static void free_slot(struct pool_slot *slot)
{
    if (slot->completion)
        rados_aio_release(slot->completion);
    if (slot->spent)
        rados_aio_release(slot->spent);
    free(slot->scratch);
}

void pool_disconnect(struct object_link *base)
{
    struct pool_link *link = pool_link_of(base);

    if (!link)
        return;
    end_calls(link);
    if (link->busy > 0) { /* librados would write to freed memory */
        link->client->lost = true;
        return;
    }
    for (uint32_t i = 0; i < link->slots; i++)
        free_slot(&link->slot[i]);
    for (unsigned i = 0; i < link->spaces; i++)
        forget_space(&link->space[i]);
    pool_client_put(link->service, link->client);
    pool_ring_close(&link->ring);
    free(link->slot);
    free(link);
}

/* ---- waiting ---- */

int pool_wait(struct object_link *base, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    struct pool_link *const link = pool_link_of(base);
    const unsigned count = pool_ring_wait(&link->ring, wait_ns, slot, max);

    for (unsigned i = 0; i < count; i++)
        link->slot[slot[i]].busy = false;
    link->busy -= count;
    return (int)count;
}

static bool changes(enum object_verb verb)
{
    return verb != OBJECT_GET && verb != OBJECT_STAT && verb != OBJECT_LIST &&
           verb != OBJECT_XATTR_GET && verb != OBJECT_OMAP_GET;
}

/* Calls that modify an object are cancelled only after a grace period, because their outcome would
 * then be unknown. Their results are reported nevertheless. */
void pool_cancel(struct object_link *base, uint32_t index, const struct object_call *call,
                 uint64_t stopped_ns)
{
    struct pool_link *const link = pool_link_of(base);
    struct pool_slot *const slot = &link->slot[index];

    if (changes(call->verb) && stopped_ns < GRACE_NS)
        return;
    cancel(slot);
    if (slot->lists && slot->list)
        leave_list(link, slot);
}
