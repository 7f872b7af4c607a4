/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets s3:// and the engine `s3`: the object layer's hooks with the protocol S3. */
#include "base/compat.h"

#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/s3/protocol.h"

const struct storage_driver target_s3 = {
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
