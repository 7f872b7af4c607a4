/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - the options of object stores: rows for the command line, help and results.  They are
 * there in builds without an object store, too, which then refuse the target and not a word beside
 * it. */
#include "base/compat.h"

#include "target/object/s3/options.h"

#define FIELD(member)    offsetof(struct object_options, member)
#define GIVEN            FIELD(given)
#define OBJECT_BYTES_MAX (UINT64_C(5) << 40) /* of S3 */
#define PART_BYTES_MIN   (5 << 20)
#define PART_BYTES_MAX   (UINT64_C(5) << 30)

static const char *const addressing_words[] = {"auto", "path", "virtual", NULL};
static const char *const payload_words[] = {"auto", "unsigned", "signed", "trailer", NULL};
static const char *const checksum_words[] = {"none", "md5", "crc32", "crc32c", "crc64nvme", NULL};
static const char *const http_words[] = {"auto", "1.1", "2", NULL};

/* clang-format off */
const struct option_row object_connection_table[] = {
    {0, "endpoint", "URL", OPTION_STRING, FIELD(endpoint), GIVEN, 0, 0, NULL, NULL,
     NULL, "http[s]://HOST[:PORT] of the service [AWS]", "Object stores"},
    {0, "region", "NAME", OPTION_STRING, FIELD(region), GIVEN, 0, 0, NULL, NULL,
     NULL, "of the bucket [us-east-1]", "Object stores"},
    {0, "retries", "N", OPTION_COUNT, FIELD(retries), GIVEN, 0, 100, NULL, NULL,
     "0", "retry a failed request up to N times", "Object stores"},
    {0, "insecure", NULL, OPTION_FLAG, FIELD(insecure), GIVEN, 0, 0, NULL, NULL,
     NULL, "do not verify certificates", "Object stores"},
    {0, "s3.profile", "NAME", OPTION_STRING, FIELD(profile), GIVEN, 0, 0, NULL, NULL,
     NULL, "credentials of this profile [environment, default]", "Object stores"},
    {0, "s3.anonymous", NULL, OPTION_FLAG, FIELD(anonymous), GIVEN, 0, 0, NULL, NULL,
     NULL, "use no credentials, sign nothing", "Object stores"},
    {0, "s3.ca-file", "FILE", OPTION_STRING, FIELD(ca_file), GIVEN, 0, 0, NULL, NULL,
     NULL, "certificates of authorities to trust (PEM)", "Object stores"},
    {0, "s3.addressing", "HOW", OPTION_CHOICE, FIELD(addressing), GIVEN, 0, 0, addressing_words, NULL,
     "auto", "bucket in the path or host name: auto, path, virtual", "Object stores"},
    {0, "s3.http", "VERSION", OPTION_CHOICE, FIELD(http), GIVEN, 0, 0, http_words, NULL,
     "auto", "HTTP: auto, 1.1, 2", "Object stores"},
    {0, "s3.timeout", "TIME", OPTION_DURATION, FIELD(timeout_ns), GIVEN, 0, 0, NULL, NULL,
     "30s", "without progress: the request has failed", "Object stores"},
    {.long_name = NULL},
};

const struct option_row object_options_table[] = {
    {0, "object-size", "SIZE", OPTION_SIZE, FIELD(object_bytes), GIVEN, 1, OBJECT_BYTES_MAX, NULL, NULL,
     NULL, "read ranges of objects of this size [whole objects]", "Object stores"},
    {0, "max-requests", "N", OPTION_COUNT, FIELD(max_requests), GIVEN, 1, 0, NULL, NULL,
     NULL, "end the run after N requests", "Object stores"},
    {0, "s3.payload", "HOW", OPTION_CHOICE, FIELD(payload), GIVEN, 0, 0, payload_words, NULL,
     "auto", "signing of bodies: auto, unsigned, signed, trailer", "Object stores"},
    {0, "s3.checksum", "KIND", OPTION_CHOICE, FIELD(checksum), GIVEN, 0, 0, checksum_words, NULL,
     "none", "of uploads: none, md5, crc32, crc32c, crc64nvme", "Object stores"},
    {0, "s3.reconnect", NULL, OPTION_FLAG, FIELD(reconnect), GIVEN, 0, 0, NULL, NULL,
     NULL, "a new connection for each request", "Object stores"},
    {0, "s3.objects", "N", OPTION_COUNT, FIELD(objects), GIVEN, 1, 1000000, NULL, NULL,
     NULL, "objects of each size [64, at most 256 MiB in all]", "Object stores"},
    {0, "s3.part-size", "SIZE", OPTION_SIZE, FIELD(part_bytes), GIVEN, PART_BYTES_MIN, PART_BYTES_MAX, NULL, NULL,
     "8Mi", "parts of multipart and append", "Object stores"},
    {0, "s3.fragment-size", "SIZE", OPTION_SIZE, FIELD(fragment_bytes), GIVEN, 1, PART_BYTES_MAX, NULL, NULL,
     "64Ki", "append: bytes per write", "Object stores"},
    {0, "s3.batch", "N", OPTION_COUNT, FIELD(batch), GIVEN, 1, 1000, NULL, NULL,
     "10", "delete-many: objects per request", "Object stores"},
    {0, "s3.page-size", "N", OPTION_COUNT, FIELD(page), GIVEN, 1, 1000, NULL, NULL,
     "1000", "list: names per request", "Object stores"},
    {0, "s3.price", "FILE", OPTION_STRING, FIELD(price_file), GIVEN, 0, 0, NULL, NULL,
     NULL, "prices of requests, to estimate the cost", "Object stores"},
    {.long_name = NULL},
};
/* clang-format on */

void object_options_init(struct object_options *options)
{
    *options = (struct object_options){.part_bytes = 8 << 20,
                                       .fragment_bytes = 64 << 10,
                                       .batch = 10,
                                       .page = 1000,
                                       .timeout_ns = UINT64_C(30000000000)};
}
