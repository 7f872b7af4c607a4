/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets rados://, their options, and the engine `rados`: the object layer's hooks with
 * the protocol of Ceph's object store. It is linked, or a module which is loaded when a target is
 * opened, so that the program can be installed without librados. Builds without librados have the
 * options, too, so that they refuse the target and not an option. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/option.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/rados/module.h"

extern const struct storage_driver target_rados;
extern const struct engine engine_rados;

#define FIELD(member) offsetof(struct rados_options, member)

/* clang-format off */
static const struct option_row rados_reach_table[] = {
    {.name = "rados.user", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(user),
     .help = "Ceph user: NAME or client.NAME [client.admin]", .group = "RADOS"},
    {.name = "rados.conf", .argument = "FILE", .type = OPTION_STRING, .offset = FIELD(conf),
     .help = "configuration [CEPH_CONF, /etc/ceph/ceph.conf]", .group = "RADOS"},
    {.name = NULL},
};
/* clang-format on */

static int rados_check(const struct target_request *request, unsigned count, bool alone,
                       struct error *err)
{
    static const struct object_limits limits = {.verbs = OBJECT_VERBS_OF_POOLS};
    const size_t length = strlen(request->target);

    if (length > 0 && request->target[length - 1] == '*' && !request->existing)
        return error_refuse(err, STATUS_USAGE, "no object can be created below", request->target,
                            "leave out the *, or read what is there with --read-existing (-r)");
    if (object_options_check(request, &limits, alone, err) != 0)
        return -1;
    return object_options_one_run(request, count, err);
}

#ifdef HAVE_RADOS

#ifdef MODULE_DIRECTORY
static const struct rados_module *loaded;

/* Main thread only. Returns 0 or -1 (STATUS_TARGET). */
static int need_module(struct error *err)
{
    char *path = mem_printf("%s/" RADOS_PACKAGE ".so", rados_module_directory);

    if (!loaded)
        loaded = rados_module_load(path, err);
    free(path);
    return loaded ? 0 : -1;
}
#else
static const struct rados_module *const loaded = &iosweep_module;

static int need_module(struct error *err)
{
    (void)err;
    return 0;
}
#endif

static int open_loaded(const char *target, const void *options, bool signs,
                       struct object_service **out, struct error *err)
{
    *out = NULL;
    return need_module(err) == 0 ? loaded->protocol->open(target, options, signs, out, err) : -1;
}

static int rados_is_there(const struct workload *wish, struct error *err)
{
    (void)wish;
    return need_module(err);
}

static const char *rados_library(void)
{
    return loaded ? loaded->library() : NULL;
}

/* Used until a target is open; then its service refers to the protocol. */
static const struct object_protocol outside = {
    .name = "rados",
    .service = "the cluster",
    .form = RADOS_FORM,
    .open = open_loaded,
};

const struct engine engine_rados = {
    .name = "rados",
    .summary = "objects of a Ceph pool by librados, --depth of them at a time",
    .library = rados_library,
    .libc_words = "Using requests to an object store (RADOS)",
    .driver = "rados",
    .available = rados_is_there,
    OBJECT_ENGINE_HOOKS(ENGINE_MIXES | ENGINE_THREADS),
};

#else
static const struct target_absent absent = {
    "this build has no RADOS:",
    "build it --with-rados=module or yes, with librados and its headers"};
#endif

const struct storage_driver target_rados = {
    .name = "rados",
    .kind = "object store",
    .noun = "object",
    .scheme = RADOS_SCHEME,
    .form = RADOS_FORM,
    .purpose = "objects are made in the pool and removed",
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_WARMS_UP | TARGET_VALUES,
    .family = &object_family,
    .reach_options = rados_reach_table,
    .options_bytes = sizeof(struct rados_options),
    .check = rados_check,
#ifdef HAVE_RADOS
    .protocol = &outside,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
#else
    .absent = &absent,
#endif
};
