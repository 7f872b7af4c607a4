/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.c - targets webhdfs:// in builds without libcurl: claimed all the same, so that the user
 * is told what is missing and not that there is no such file. */
#include "base/compat.h"

#include "target/object/webhdfs/options.h"
#include "target/target.h"

extern const struct target_driver target_webhdfs;

static int refuse(const char *target, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, "this build has no WebHDFS:", target,
                        "build it with libcurl >= 7.75");
}

static int webhdfs_open(const struct target_request *request, struct target **out,
                        struct error *err)
{
    *out = NULL;
    return refuse(request->target, err);
}

static int webhdfs_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                           struct error *err)
{
    (void)target;
    (void)mode;
    (void)test;
    return refuse("webhdfs://", err);
}

static int webhdfs_clean(const struct clean_request *request, struct clean_outcome *outcome,
                         struct error *err)
{
    (void)outcome;
    return refuse(request->target, err);
}

static int webhdfs_close(struct target *target, struct error *err)
{
    (void)target;
    (void)err;
    return 0;
}

const struct target_driver target_webhdfs = {
    WEBHDFS_TARGET_WORDS,   .open = webhdfs_open,   .prepare = webhdfs_prepare,
    .clean = webhdfs_clean, .close = webhdfs_close,
};
