/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* driver.c - targets s3://, their options, and the engine `s3`: the object layer's hooks with the
 * protocol S3. Builds without libcurl or OpenSSL have the options, too, so that they refuse the
 * target and not an option. */
#include "base/compat.h"

#include "base/option.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"
#include "storage/object/s3/protocol.h"

extern const struct engine engine_s3;

#define FIELD(member) offsetof(struct s3_options, member)

static const char *const addressing_words[] = {"auto", "path", "virtual", NULL};
static const char *const payload_words[] = {"auto", "unsigned", "signed", "trailer", NULL};
static const char *const checksum_words[] = {"none", "md5", "crc32", "crc32c", "crc64nvme", NULL};

/* clang-format off */
static const struct option_row s3_reach_table[] = {
    {.name = "s3.addressing", .argument = "HOW", .type = OPTION_CHOICE, .offset = FIELD(addressing),
     .choices = addressing_words, .fallback = "auto",
     .help = "bucket in path or host: auto, path, virtual", .group = "S3"},
    {.name = NULL},
};

static const struct option_row s3_options_table[] = {
    {.name = "s3.payload", .argument = "HOW", .type = OPTION_CHOICE, .offset = FIELD(payload),
     .choices = payload_words, .fallback = "auto",
     .help = "bodies: auto, unsigned, signed, trailer", .group = "S3"},
    {.name = "s3.checksum", .argument = "KIND", .type = OPTION_CHOICE, .offset = FIELD(checksum),
     .choices = checksum_words, .fallback = "none",
     .help = "uploads: none,md5,crc32,crc32c,crc64nvme", .group = "S3"},
    {.name = NULL},
};
/* clang-format on */

static const struct object_limits limits = {
    .verbs = OBJECT_VERBS_OF_BUCKETS,
    .object_bytes_most = UINT64_C(5) << 40,
    .part_bytes_least = 5 << 20,
    .part_bytes_most = UINT64_C(5) << 30,
};

static int s3_check(const struct target_request *request, unsigned count, bool alone,
                    struct error *err)
{
    static const char advice[] = "leave it out: objects are as they are";
    const struct s3_options *options = request->options;
    const struct object_idle of_making[] = {
        {options->payload != S3_PAYLOAD_AUTO, "--s3.payload", advice},
        {options->checksum != S3_CHECKSUM_NONE, "--s3.checksum", advice},
    };

    if (object_options_check(request, &limits, alone, err) != 0)
        return -1;
    if (alone && request->existing &&
        object_options_refuse_idle(of_making, COUNT_OF(of_making),
                                   "--read-existing (-r) creates no objects, so no", err) != 0)
        return -1;
    return object_options_one_run(request, count, err);
}

#ifndef HAVE_S3
static const struct target_absent absent = {"this build has no S3:",
                                            "build it with libcurl >= 7.75 and OpenSSL >= 3.0"};
#endif

const struct storage_driver target_s3 = {
    .name = "s3",
    .kind = "object store",
    .noun = "object",
    .scheme = "s3://",
    .form = "s3://BUCKET[/PREFIX]",
    .purpose = "objects are made in it and removed",
    .example = "--endpoint http://localhost:9000 s3://bucket   the same for objects",
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_CONNECTIONS | TARGET_SERVICE,
    .family = &object_family,
    .reach_options = s3_reach_table,
    .options = s3_options_table,
    .options_bytes = sizeof(struct s3_options),
    .check = s3_check,
#ifdef HAVE_S3
    .protocol = &s3_protocol,
    OBJECT_TARGET_HOOKS,
    OBJECT_RUN_HOOKS,
#else
    .absent = &absent,
#endif
};

#ifdef HAVE_S3
const struct engine engine_s3 = {
    .name = "s3",
    .summary = "objects of a bucket over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests to an object store (HTTP)",
    .driver = "s3",
    OBJECT_ENGINE_HOOKS(ENGINE_MIXES),
};
#endif
