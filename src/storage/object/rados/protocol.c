/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* protocol.c - the table of a pool's hooks for the object layer, and hooks that return names. */
#include "base/compat.h"

#include "storage/object/rados/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "storage/object/rados/verdict.h"

const char *pool_library(void)
{
    static char name[48];
    int major, minor, extra;

    rados_version(&major, &minor, &extra);
    (void)snprintf(name, sizeof(name), "librados %d.%d.%d", major, minor, extra);
    return name;
}

static char *url(const struct object_service *service, const char *key)
{
    return mem_printf("%s/%s", pool_service_of(service)->target, key);
}

static char *place(const struct object_service *service, const char *prefix)
{
    const char *const target = pool_service_of(service)->target;
    const struct pool_place run = pool_place_of(prefix);
    const size_t bytes = strlen(prefix);
    const bool whole = bytes > 0 && prefix[bytes - 1] == '/'; /* else a prefix of names */
    char space[POOL_SPACE_BYTES];

    if (bytes == 0)
        return mem_strdup(target);
    if (run.space == 0)
        return mem_printf("%s/%.*s%s", target, (int)(bytes - whole), prefix, whole ? "" : "*");
    return mem_printf("%s/%.*s (namespace %s)", target, (int)(bytes - whole), prefix,
                      pool_space(prefix, &run, space));
}

static char *reach(const struct object_service *service)
{
    const struct rados_options *const options = pool_service_of(service)->options;
    char *command = mem_strdup("");

    object_add_option(&command, "rados.user", options->user);
    object_add_option(&command, "rados.conf", options->conf);
    return command;
}

static const char *container(const struct object_service *service)
{
    return pool_service_of(service)->container;
}

static char *explain(const struct object_answer *answer, char *text, size_t room,
                     const char **advice)
{
    const struct pool_slot *const slot = answer->detail;

    return pool_explain(&answer->verdict, slot->result, text, room, advice);
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
    .keeps = "",
    .open = pool_open,
    .close = pool_close,
    .url = url,
    .place = place,
    .reach = reach,
    .container = container,
    .connect = pool_connect,
    .disconnect = pool_disconnect,
    .begin = pool_begin,
    .wait = pool_wait,
    .answer = pool_answer,
    .cancel = pool_cancel,
    .explain = explain,
    .list = list,
};
