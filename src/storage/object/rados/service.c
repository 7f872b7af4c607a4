/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* service.c - derives pool and user from a target and its options, and manages the clients of the
 * cluster: one for each measuring link, or as many as requested, and one for all others. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/protocol.h"

#define FORM         "write rados://POOL or rados://POOL/PREFIX"
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

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
    if (pool_cluster_make(&service->identity, &service->options->store, service->target, &handle,
                          &own) == 0) {
        service->container = container_of(service, handle);
        rados_shutdown(handle);
        return 0;
    }
    service->container = mem_strdup(service->pool);
    if (needed)
        *err = own;
    return needed ? -1 : 0;
}

int pool_open(const char *target, const void *options, bool signs, struct object_service **out,
              struct error *err)
{
    struct pool_service *service = mem_calloc(1, sizeof(*service));

    *out = NULL;
    service->options = options;
    service->base.protocol = &rados_protocol;
    service->base.options = &service->options->store;
    service->base.bounded = true;
    service->base.link_descriptors = POOL_LINK_DESCRIPTORS;
    service->base.verbs = 1u << OBJECT_PUT | 1u << OBJECT_GET | 1u << OBJECT_STAT |
                          1u << OBJECT_LIST | 1u << OBJECT_DELETE | 1u << OBJECT_WRITE_RANGE |
                          1u << OBJECT_APPEND | 1u << OBJECT_XATTR_PUT | 1u << OBJECT_XATTR_GET |
                          1u << OBJECT_OMAP_PUT | 1u << OBJECT_OMAP_GET;
    (void)pthread_mutex_init(&service->lock, NULL);
    if (take_target(service, target, err) != 0 || find_cluster(service, signs, err) != 0) {
        pool_close(&service->base);
        return -1;
    }
    service->base.prefix = service->prefix;
    *out = &service->base;
    return 0;
}

void pool_close(struct object_service *base)
{
    struct pool_service *service = pool_service_of(base);

    for (unsigned i = 0; i < service->clients; i++) {
        if (!service->client[i]->lost)
            rados_shutdown(service->client[i]->handle);
        free(service->client[i]);
    }
    (void)pthread_mutex_destroy(&service->lock);
    pool_identity_free(&service->identity);
    free(service->container);
    free(service->target);
    free(service->prefix);
    free(service->pool);
    free(service);
}

/* ---- clients ---- */

/* Returns NULL if another one has to be connected. */
static struct pool_client *find_client(struct pool_service *service, bool measures)
{
    unsigned last = UINT32_MAX;

    for (unsigned i = 0; i < service->clients; i++) {
        struct pool_client *const client = service->client[i];

        if (client->lost || client->measures != measures)
            continue;
        if (!measures || client->links == 0)
            return client;
        last = i;
    }
    return service->clients == COUNT(service->client) && last != UINT32_MAX ? service->client[last]
                                                                            : NULL;
}

static struct pool_client *connect_client(struct pool_service *service, bool measures,
                                          const volatile int *stop, struct error *err)
{
    struct pool_client *client;
    rados_t handle;

    if (service->clients == COUNT(service->client)) {
        error_set(err, STATUS_TARGET, 0, "too many clients of the cluster of", service->target);
        return NULL;
    }
    if (pool_cluster_make(&service->identity, &service->options->store, service->target, &handle,
                          err) != 0 ||
        pool_cluster_connect(handle, &service->identity, service->target, stop, err) != 0)
        return NULL;
    client = mem_calloc(1, sizeof(*client));
    *client = (struct pool_client){.handle = handle, .measures = measures};
    service->client[service->clients++] = client;
    return client;
}

struct pool_client *pool_client_get(struct pool_service *service, bool measures,
                                    const volatile int *stop, struct error *err)
{
    struct pool_client *client;

    (void)pthread_mutex_lock(&service->lock);
    client = find_client(service, measures);
    if (!client)
        client = connect_client(service, measures, stop, err);
    if (client)
        client->links++;
    (void)pthread_mutex_unlock(&service->lock);
    return client;
}

void pool_client_put(struct pool_service *service, struct pool_client *client)
{
    (void)pthread_mutex_lock(&service->lock);
    client->links--;
    (void)pthread_mutex_unlock(&service->lock);
}
