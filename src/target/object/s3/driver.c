/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets s3:// and the engine `s3`:
 * the hooks of the object layer with the protocol S3. */
#include "base/compat.h"

#include "target/object/object.h"
#include "target/object/operation.h"
#include "target/object/s3/protocol.h"

const struct target_driver target_s3 = {
    S3_TARGET_WORDS,
    .protocol = &s3_protocol,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
};

const struct engine engine_s3 = {
    .name = "s3",
    .summary = "objects of a bucket over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests to an object store (HTTP)",
    .driver = "s3",
    OBJECT_ENGINE_HOOKS,
};
