/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - derives pool and user from a target and its options, and manages the clients of the
 * cluster: one for each measuring link, and one for all others; the table of hooks for the object
 * layer, and what the module exports. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/number.h"

#define FORM      "write rados://POOL or rados://POOL/PREFIX"
#define LOOK_NS   UINT64_C(50000000)
#define END_NS    UINT64_C(10000000000) /* limit on waiting for cancelled calls */
#define GRACE_NS  UINT64_C(3000000000)
#define OSDS_MOST 100000u

/* ---- targets ---- */

/* A trailing "*" means all names with this prefix, with or without a slash. */
static int take_target(struct pool_service *service, const char *target, struct error *err)
{
    const char *const pool = target + sizeof(RADOS_SCHEME) - 1, *slash, *rest;
    size_t length;

    if (strncmp(target, RADOS_SCHEME, sizeof(RADOS_SCHEME) - 1) != 0)
        return error_refuse(err, STATUS_USAGE, "not a pool:", target, FORM);
    slash = strchr(pool, '/');
    rest = slash ? slash + 1 : "";
    length = strlen(rest);
    service->pool = mem_printf("%.*s", slash ? (int)(slash - pool) : (int)strlen(pool), pool);
    service->target = mem_printf(RADOS_SCHEME "%s", service->pool);
    service->root = mem_printf("%s/", service->target);
    if (service->pool[0] == '\0')
        return error_refuse(err, STATUS_USAGE, "no pool named in", target, FORM);
    if (object_prefix_check(target, service->pool, err) != 0)
        return -1;
    if (length == 0 || rest[length - 1] != '*')
        service->prefix = object_prefix_take(target, rest, err);
    else if (object_prefix_check(target, rest, err) == 0)
        service->prefix = mem_printf("%.*s", (int)length - 1, rest);
    return service->prefix ? 0 : -1;
}

/* Identifies the pool uniquely: uses the cluster's id if the configuration has it. */
static char *container_of(const struct pool_service *service, rados_t handle)
{
    char *fsid = pool_cluster_setting(handle, "fsid"), *monitors, *text;

    monitors = fsid[strspn(fsid, "0-")] == '\0' ? pool_cluster_setting(handle, "mon_host")
                                                : mem_strdup("");
    text = mem_printf("%s%s/%s", fsid, monitors, service->pool);
    free(monitors);
    free(fsid);
    return text;
}

/* A plan is possible without a configuration. */
static int find_cluster(struct pool_service *service, bool needed, struct error *err)
{
    struct error own = ERROR_INIT;
    rados_t handle;

    if (pool_identity_find(service->options, getenv("CEPH_ARGS"), &service->identity, err) != 0)
        return -1;
    if (pool_cluster_make(&service->identity, &service->options->store, service->target, false,
                          &handle, &own) == 0) {
        service->container = container_of(service, handle);
        rados_shutdown(handle);
        return 0;
    }
    service->container = mem_strdup(service->pool);
    if (needed)
        *err = own;
    return needed ? -1 : 0;
}

static void pool_close(struct object_service *base)
{
    struct pool_service *service = pool_service_of(base);

    if (service->handle && !service->lost)
        rados_shutdown(service->handle);
    (void)pthread_mutex_destroy(&service->lock);
    pool_identity_free(&service->identity);
    free(service->container);
    free(service->target);
    free(service->root);
    free(service->prefix);
    free(service->pool);
    free(service);
}

static int pool_open(const char *target, const void *options, bool signs,
                     struct object_service **out, struct error *err)
{
    struct pool_service *service = mem_calloc(1, sizeof(*service));

    *out = NULL;
    service->options = options;
    service->base.protocol = &rados_protocol;
    service->base.options = &service->options->store;
    service->base.bounded = true;
    service->base.link_descriptors = POOL_LINK_DESCRIPTORS;
    service->base.verbs = OBJECT_VERBS_OF_POOLS;
    (void)pthread_mutex_init(&service->lock, NULL);
    if (take_target(service, target, err) != 0 || find_cluster(service, signs, err) != 0) {
        pool_close(&service->base);
        return -1;
    }
    service->base.root = service->root;
    service->base.prefix = service->prefix;
    service->base.container = service->container;
    *out = &service->base;
    return 0;
}

/* ---- clients ---- */

/* A link of several slots measures, with a client of its own. All others share one. */
static int take_client(struct pool_link *link, bool measures, struct error *err)
{
    struct pool_service *const service = link->service;
    rados_t *const handle = measures ? &link->handle : &service->handle;
    int code = 0;

    (void)pthread_mutex_lock(&service->lock);
    if (!*handle)
        code = pool_cluster_make(&service->identity, &service->options->store, service->target,
                                 true, handle, err);
    link->handle = *handle;
    link->owns = measures;
    (void)pthread_mutex_unlock(&service->lock);
    return code;
}

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

    *code = rados_ioctx_create(link->handle, link->service->pool, &io);
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

/* ---- waiting ---- */

static int pool_wait(struct object_link *base, uint64_t wait_ns, uint32_t *slot, unsigned max)
{
    struct pool_link *const link = pool_link_of(base);
    const unsigned count = pool_ring_wait(&link->ring, wait_ns, slot, max);

    for (unsigned i = 0; i < count; i++)
        link->slot[slot[i]].busy = false;
    link->busy -= count;
    return (int)count;
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

static void end_calls(struct pool_link *link)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    uint32_t slot;

    for (uint32_t i = 0; i < link->slots; i++)
        cancel(&link->slot[i]);
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
    pool_list_free(slot->list);
}

static void pool_disconnect(struct object_link *base)
{
    struct pool_link *link = pool_link_of(base);

    if (!link)
        return;
    end_calls(link);
    if (link->busy > 0) { /* librados would write to freed memory */
        link->service->lost |= !link->owns;
        return;
    }
    for (uint32_t i = 0; i < link->slots; i++)
        free_slot(&link->slot[i]);
    for (unsigned i = 0; i < link->spaces; i++)
        forget_space(&link->space[i]);
    if (link->owns)
        rados_shutdown(link->handle);
    pool_ring_close(&link->ring);
    free(link->slot);
    free(link);
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

static int pool_connect(struct object_service *base, const struct object_link_config *config,
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
    if (take_client(link, config->slots > 1, err) != 0) {
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

static bool changes(enum object_verb verb)
{
    return verb != OBJECT_GET && verb != OBJECT_STAT && verb != OBJECT_LIST &&
           verb != OBJECT_XATTR_GET && verb != OBJECT_OMAP_GET;
}

/* Calls that modify an object are cancelled only after a grace period, because their outcome would
 * then be unknown. Their results are reported nevertheless. */
static void pool_cancel(struct object_link *base, uint32_t index, const struct object_call *call,
                        uint64_t stopped_ns)
{
    struct pool_link *const link = pool_link_of(base);
    struct pool_slot *const slot = &link->slot[index];

    if (changes(call->verb) && stopped_ns < GRACE_NS)
        return;
    cancel(slot);
}

/* ---- the table ---- */

/* "librados 3.0.0": the version loaded. */
static const char *pool_library(void)
{
    static char name[48];
    int major, minor, extra;

    rados_version(&major, &minor, &extra);
    (void)snprintf(name, sizeof(name), "librados %d.%d.%d", major, minor, extra);
    return name;
}

static char *where(const struct object_service *service, const char *prefix)
{
    const struct pool_place run = pool_place_of(prefix);
    char space[POOL_SPACE_BYTES];

    (void)service;
    return run.space == 0 ? NULL : mem_printf("namespace %s", pool_space(prefix, &run, space));
}

static char *reach(const struct object_service *service)
{
    const struct rados_options *const options = pool_service_of(service)->options;
    char *command = mem_strdup("");

    object_add_option(&command, "rados.user", options->user);
    object_add_option(&command, "rados.conf", options->conf);
    return command;
}

static int list(const struct object_answer *answer, struct object_page *page, object_visit visit,
                void *arg, struct error *err)
{
    const struct pool_slot *const slot = answer->detail;

    return object_names_list(pool_list_names(slot->list), page, visit, arg, err);
}

const struct object_protocol rados_protocol = {
    .name = "rados",
    .service = "a RADOS pool",
    .form = RADOS_FORM,
    .open = pool_open,
    .close = pool_close,
    .where = where,
    .reach = reach,
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .begin = pool_begin,
    .wait = pool_wait,
    .answer = pool_answer,
    .cancel = pool_cancel,
    .explain = pool_explain,
    .list = list,
};

const struct rados_module iosweep_module = {
    .build = RADOS_BUILD,
    .protocol = &rados_protocol,
    .library = pool_library,
};
