/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.c - targets webhdfs:// in builds without libcurl: claimed nevertheless, so that the error
 * names what is missing, not a nonexistent file. */
#include "base/compat.h"

#include "storage/object/webhdfs/options.h"
#include "storage/storage.h"

extern const struct storage_driver target_webhdfs;

static const struct target_absent absent = {"this build has no WebHDFS:",
                                            "build it with libcurl >= 7.75"};

const struct storage_driver target_webhdfs = {
    WEBHDFS_TARGET_WORDS,
    .absent = &absent,
};
