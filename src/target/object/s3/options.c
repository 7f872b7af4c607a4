/* SPDX-License-Identifier: GPL-2.0-or-later */
/* options.c - the options of object stores: rows for the command line, help and results.  They are
 * there in builds without an object store, too, which then refuse the target and not a word beside
 * it. */
#include "base/compat.h"

#include "target/object/s3/options.h"

#include "target/target.h"

#define FIELD(member)    offsetof(struct s3_options, member)
#define OBJECT_BYTES_MAX (UINT64_C(5) << 40) /* of S3 */
#define PART_BYTES_MIN   (5 << 20)
#define PART_BYTES_MAX   (UINT64_C(5) << 30)

static const char *const addressing_words[] = {"auto", "path", "virtual", NULL};
static const char *const payload_words[] = {"auto", "unsigned", "signed", "trailer", NULL};
static const char *const checksum_words[] = {"none", "md5", "crc32", "crc32c", "crc64nvme", NULL};
static const char *const http_words[] = {"auto", "1.1", "2", NULL};

/* clang-format off */
const struct option_row s3_reach_table[] = {
    {0, "endpoint", "URL", OPTION_STRING, FIELD(endpoint), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "http[s]://HOST[:PORT] of the service [AWS]", "Object stores", NULL, 0},
    {0, "region", "NAME", OPTION_STRING, FIELD(region), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "of the bucket [us-east-1]", "Object stores", NULL, 0},
    {0, "retries", "N", OPTION_COUNT, FIELD(store.retries), OPTION_NONE, 0, 100, NULL, NULL,
     "0", "retry a failed request up to N times", "Object stores", NULL, 0},
    {0, "insecure", NULL, OPTION_FLAG, FIELD(insecure), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "do not verify certificates", "Object stores", NULL, 0},
    {0, "s3.profile", "NAME", OPTION_STRING, FIELD(profile), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "credentials of this profile [environment, default]", "Object stores", NULL, 0},
    {0, "s3.anonymous", NULL, OPTION_FLAG, FIELD(anonymous), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "use no credentials, sign nothing", "Object stores", NULL, 0},
    {0, "s3.ca-file", "FILE", OPTION_STRING, FIELD(ca_file), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "certificates of authorities to trust (PEM)", "Object stores", NULL, 0},
    {0, "s3.addressing", "HOW", OPTION_CHOICE, FIELD(addressing), OPTION_NONE, 0, 0, addressing_words, NULL,
     "auto", "bucket in the path or host name: auto, path, virtual", "Object stores", NULL, 0},
    {0, "s3.http", "VERSION", OPTION_CHOICE, FIELD(http), OPTION_NONE, 0, 0, http_words, NULL,
     "auto", "HTTP: auto, 1.1, 2", "Object stores", NULL, 0},
    {0, "s3.timeout", "TIME", OPTION_DURATION, FIELD(store.timeout_ns), OPTION_NONE, 0, 0, NULL, NULL,
     "30s", "without progress: the request has failed", "Object stores", NULL, 0},
    {.long_name = NULL},
};

const struct option_row s3_options_table[] = {
    {0, "object-size", "SIZE", OPTION_SIZE, FIELD(store.object_bytes), OPTION_NONE, 1, OBJECT_BYTES_MAX, NULL, NULL,
     NULL, "read ranges of objects of this size [whole objects]", "Object stores", NULL, 0},
    {0, "max-requests", "N", OPTION_COUNT, FIELD(store.max_requests), OPTION_NONE, 1, 0, NULL, NULL,
     NULL, "end the run after N requests", "Object stores", NULL, 0},
    {0, "s3.payload", "HOW", OPTION_CHOICE, FIELD(payload), OPTION_NONE, 0, 0, payload_words, NULL,
     "auto", "signing of bodies: auto, unsigned, signed, trailer", "Object stores", NULL, 0},
    {0, "s3.checksum", "KIND", OPTION_CHOICE, FIELD(checksum), OPTION_NONE, 0, 0, checksum_words, NULL,
     "none", "of uploads: none, md5, crc32, crc32c, crc64nvme", "Object stores", NULL, 0},
    {0, "s3.reconnect", NULL, OPTION_FLAG, FIELD(store.reconnect), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "a new connection for each request", "Object stores", NULL, 0},
    {0, "s3.objects", "N", OPTION_COUNT, FIELD(store.objects), OPTION_NONE, 1, 1000000, NULL, NULL,
     NULL, "objects of each size [64, at most 256 MiB in all]", "Object stores", NULL, 0},
    {0, "s3.part-size", "SIZE", OPTION_SIZE, FIELD(store.part_bytes), OPTION_NONE, PART_BYTES_MIN, PART_BYTES_MAX, NULL, NULL,
     "8Mi", "parts of multipart and append", "Object stores", NULL, 0},
    {0, "s3.fragment-size", "SIZE", OPTION_SIZE, FIELD(store.fragment_bytes), OPTION_NONE, 1, PART_BYTES_MAX, NULL, NULL,
     "64Ki", "append: bytes per write", "Object stores", NULL, 0},
    {0, "s3.batch", "N", OPTION_COUNT, FIELD(store.batch), OPTION_NONE, 1, 1000, NULL, NULL,
     "10", "delete-many: objects per request", "Object stores", NULL, 0},
    {0, "s3.page-size", "N", OPTION_COUNT, FIELD(store.page), OPTION_NONE, 1, 1000, NULL, NULL,
     "1000", "list: names per request", "Object stores", NULL, 0},
    {0, "s3.price", "FILE", OPTION_STRING, FIELD(store.price_file), OPTION_NONE, 0, 0, NULL, NULL,
     NULL, "prices of requests, to estimate the cost", "Object stores", NULL, 0},
    {.long_name = NULL},
};
/* clang-format on */

const struct target_foreign s3_foreign_targets[] = {
    {"http://", "an object store is s3://BUCKET with --endpoint http://HOST:PORT"},
    {"https://", "an object store is s3://BUCKET with --endpoint https://HOST"},
    {NULL, NULL},
};

struct idle { /* an option that would do nothing here */
    bool given;
    const char *name, *advice;
};

static int refuse_idle(const struct idle *option, size_t count, const char *text, struct error *err)
{
    for (; count > 0 && !option->given; count--)
        option++;
    if (count == 0)
        return 0;
    error_set(err, STATUS_USAGE, 0, text, option->name);
    return error_advise(err, "%s", option->advice);
}

#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* What only makes or fills objects, with -r. */
static int refuse_of_making(const struct s3_options *options, struct error *err)
{
    static const char advice[] = "leave it out: objects are as they are";
    const struct idle idle[] = {
        {options->store.object_bytes > 0, "--object-size", advice},
        {options->store.objects > 0, "--s3.objects", advice},
        {options->payload != S3_PAYLOAD_AUTO, "--s3.payload", advice},
        {options->checksum != S3_CHECKSUM_NONE, "--s3.checksum", advice},
    };

    return refuse_idle(idle, COUNT_OF(idle), "--read-existing (-r) makes no objects, so no", err);
}

static bool tests_any(const struct target_request *request, unsigned tests)
{
    return (request->tests & tests) != 0;
}

/* Refuses options of tests that are not run.  An option set to its default is accepted, since it
 * changes nothing. */
static int refuse_of_tests(const struct target_request *request, struct error *err)
{
    const struct s3_options *options = request->options;
    const bool read = tests_any(request, 1u << TEST_READ);
    const bool ranges = read && (options->store.object_bytes > 0 || request->existing);
    struct s3_options normal = {.store.batch = 0};

    option_defaults(s3_options_table, &normal);
    const struct idle idle[] = {
        {options->store.object_bytes > 0 && !read, "--object-size",
         "add read to --tests, or leave it out"},
        {options->store.part_bytes != normal.store.part_bytes &&
             !tests_any(request, 1u << TEST_APPEND | 1u << TEST_MULTIPART),
         "--s3.part-size", "add multipart or append to --tests, or leave it out"},
        {options->store.fragment_bytes != normal.store.fragment_bytes &&
             !tests_any(request, 1u << TEST_APPEND),
         "--s3.fragment-size", "add append to --tests, or leave it out"},
        {options->store.batch != normal.store.batch && !tests_any(request, 1u << TEST_DELETE_MANY),
         "--s3.batch", "add delete-many to --tests, or leave it out"},
        {options->store.page != normal.store.page && !tests_any(request, 1u << TEST_LIST),
         "--s3.page-size", "add list to --tests, or leave it out"},
        {request->align_bytes > 0 && !ranges, "--align",
         "only ranges of objects have offsets: add --object-size, or leave it out"},
    };

    return refuse_idle(idle, COUNT_OF(idle), "no test uses", err);
}

static int refuse(struct error *err, const char *text, const char *advice)
{
    error_set(err, STATUS_USAGE, 0, text, NULL);
    return error_advise(err, "%s", advice);
}

int s3_options_check(const struct target_request *request, unsigned count, bool alone,
                     struct error *err)
{
    const struct s3_options *options = request->options;

    if (alone && request->existing && refuse_of_making(options, err) != 0)
        return -1;
    if (alone && refuse_of_tests(request, err) != 0)
        return -1;
    if (options->anonymous && options->profile)
        return refuse(err, "--s3.anonymous and --s3.profile contradict each other",
                      "give one of them");
    if (options->insecure && options->ca_file)
        return refuse(err, "--insecure verifies nothing, so --s3.ca-file would do nothing",
                      "give one of them");
    if (count > 1 && request->named)
        return refuse(err, "--run-name names one run, but there are several object stores",
                      "sweep them one by one, or leave it out");
    return 0;
}
