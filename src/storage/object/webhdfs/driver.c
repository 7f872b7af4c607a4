/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets webhdfs:// and swebhdfs:// and the engine `webhdfs`: the object layer's hooks
 * with the protocol WebHDFS. */
#include "base/compat.h"

#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/webhdfs/protocol.h"

extern const struct engine engine_webhdfs;

const struct storage_driver target_webhdfs = {
    WEBHDFS_TARGET_WORDS,
    .protocol = &webhdfs_protocol,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
};

const struct engine engine_webhdfs = {
    .name = "webhdfs",
    .summary = "files of a Hadoop file system over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests over HTTP to a Hadoop file system",
    .driver = "webhdfs",
    /* not ENGINE_MIXES: a file cannot be read while it is overwritten */
    OBJECT_ENGINE_HOOKS_OF(ENGINE_WRITES | ENGINE_DROPS_DATA),
};
