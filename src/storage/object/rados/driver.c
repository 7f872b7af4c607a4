/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets rados:// and the engine `rados`: the object layer's hooks with the protocol of
 * Ceph's object store, which is loaded when a target is opened. */
#include "base/compat.h"

#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/rados/load.h"
#include "storage/object/rados/options.h"

extern const struct storage_driver target_rados;
extern const struct engine engine_rados;

static int open_loaded(const char *target, const void *options, bool signs,
                       struct object_service **out, struct error *err)
{
    const struct object_module *module;

    *out = NULL;
    if (rados_module_need(&module, err) != 0)
        return -1;
    return module->protocol->open(target, options, signs, out, err);
}

static int rados_is_there(const struct workload *wish, struct error *err)
{
    const struct object_module *module;

    (void)wish;
    return rados_module_need(&module, err);
}

static const char *rados_library(void)
{
    const struct object_module *module = rados_module_got();

    return module ? module->library() : NULL;
}

/* Used until a target is open; then its service refers to the protocol. */
static const struct object_protocol outside = {
    .name = "rados",
    .service = "the cluster",
    .form = RADOS_FORM,
    .open = open_loaded,
};

const struct storage_driver target_rados = {
    RADOS_TARGET_WORDS,
    .protocol = &outside,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
};

const struct engine engine_rados = {
    .name = "rados",
    .summary = "objects of a Ceph pool by librados, --depth of them at a time",
    .library = rados_library,
    .libc_words = "Using requests to an object store (RADOS)",
    .driver = "rados",
    .available = rados_is_there,
    OBJECT_ENGINE_HOOKS_WITH(ENGINE_THREADS),
};
