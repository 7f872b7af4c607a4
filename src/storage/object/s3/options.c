/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - options specific to S3: rows for the command line, help and results. Builds without
 * S3 have them, too, so that they refuse the target and not an option. */
#include "base/compat.h"

#include "storage/object/s3/options.h"

#include "storage/storage.h"

#define FIELD(member) offsetof(struct s3_options, member)

static const char *const addressing_words[] = {"auto", "path", "virtual", NULL};
static const char *const payload_words[] = {"auto", "unsigned", "signed", "trailer", NULL};
static const char *const checksum_words[] = {"none", "md5", "crc32", "crc32c", "crc64nvme", NULL};

/* clang-format off */
const struct option_row s3_reach_table[] = {
    {.name = "s3.addressing", .argument = "HOW", .type = OPTION_CHOICE, .offset = FIELD(addressing),
     .choices = addressing_words, .fallback = "auto",
     .help = "bucket in path or host: auto, path, virtual", .group = "S3"},
    {.name = NULL},
};

const struct option_row s3_options_table[] = {
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
    .object_bytes_most = UINT64_C(5) << 40,
    .part_bytes_least = 5 << 20,
    .part_bytes_most = UINT64_C(5) << 30,
    .delete_batch_most = 1000,
    .page_most = 1000,
};

/* Refuses options that only affect creating objects, with -r. */
static int refuse_of_making(const struct s3_options *options, struct error *err)
{
    static const char advice[] = "leave it out: objects are as they are";
    const struct object_idle idle[] = {
        {options->payload != S3_PAYLOAD_AUTO, "--s3.payload", advice},
        {options->checksum != S3_CHECKSUM_NONE, "--s3.checksum", advice},
    };

    return object_options_refuse_idle(idle, sizeof(idle) / sizeof(*idle),
                                      "--read-existing (-r) creates no objects, so no", err);
}

int s3_options_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err)
{
    if (object_options_check(request, &limits, alone, err) != 0)
        return -1;
    if (alone && request->existing && refuse_of_making(request->options, err) != 0)
        return -1;
    return object_options_one_run(request, count, err);
}
