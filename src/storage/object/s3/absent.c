/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.c - targets s3:// in builds without libcurl or OpenSSL. */
#include "base/compat.h"

#include "storage/object/s3/options.h"
#include "storage/storage.h"

extern const struct storage_driver target_s3;

static const struct target_absent absent = {"this build has no S3:",
                                            "build it with libcurl >= 7.75 and OpenSSL >= 3.0"};

const struct storage_driver target_s3 = {
    S3_TARGET_WORDS,
    .absent = &absent,
};
