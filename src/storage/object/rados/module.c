/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.c - what the module exports. */
#include "base/compat.h"

#include "storage/object/module.h"
#include "storage/object/rados/options.h"
#include "storage/object/rados/protocol.h"

const struct object_module iosweep_module = {
    .magic = OBJECT_MODULE_MAGIC,
    .bytes = sizeof(struct object_module),
    .version = PACKAGE_VERSION,
    .sizes = OBJECT_MODULE_SIZES,
    .options_bytes = sizeof(struct rados_options),
    .protocol = &rados_protocol,
    .library = pool_library,
};
