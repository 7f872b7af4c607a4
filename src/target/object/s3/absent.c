/* SPDX-License-Identifier: GPL-2.0-or-later */
/* absent.c - targets s3:// in builds without libcurl or OpenSSL: claimed all the same, so that the
 * user is told what is missing and not that there is no such file. */
#include "base/compat.h"

#include "target/object/s3/options.h"
#include "target/target.h"

extern const struct target_driver target_s3;

static int refuse(const char *target, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, "this build has no S3:", target,
                        "build it with libcurl >= 7.75 and OpenSSL >= 3.0");
}

static int s3_open(const struct target_request *request, struct target **out, struct error *err)
{
    *out = NULL;
    return refuse(request->target, err);
}

static int s3_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                      struct error *err)
{
    (void)target;
    (void)mode;
    (void)test;
    return refuse("s3://", err);
}

static int s3_clean(const struct clean_request *request, struct clean_outcome *outcome,
                    struct error *err)
{
    (void)outcome;
    return refuse(request->target, err);
}

static int s3_close(struct target *target, struct error *err)
{
    (void)target;
    (void)err;
    return 0;
}

const struct target_driver target_s3 = {
    S3_TARGET_WORDS, .open = s3_open, .prepare = s3_prepare, .clean = s3_clean, .close = s3_close,
};
