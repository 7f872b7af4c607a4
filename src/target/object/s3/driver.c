/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver.c - targets s3:// and the engine `s3`: the hooks of the object layer with the protocol S3.
 */
#include "base/compat.h"

#include <string.h>

#include "target/object/object.h"
#include "target/object/operation.h"
#include "target/object/s3/protocol.h"

static bool s3_claims(const char *target)
{
    return strncmp(target, "s3://", 5) == 0;
}

static int s3_open_target(const struct target_request *request, struct target **out,
                          struct error *err)
{
    return object_open(&target_s3, &s3_protocol, request, out, err);
}

static int s3_kept_sizes(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                         struct error *err)
{
    return object_kept_sizes(&target_s3, &s3_protocol, request, size_bytes, count, err);
}

static int s3_clean(const struct clean_request *request, struct clean_outcome *outcome,
                    struct error *err)
{
    return object_clean(&s3_protocol, request->options, request, outcome, err);
}

const struct target_driver target_s3 = {
    S3_TARGET_WORDS,
    .clean = s3_clean,
    .claims = s3_claims,
    .open = s3_open_target,
    .prepare = object_prepare,
    .objects = object_sets_objects,
    .kept_sizes = s3_kept_sizes,
    .note = object_existing_note,
    .summarise = object_cost_summarise,
    .exhausted = object_exhausted,
    .make_content = object_make_content,
    .check_content = object_check_content,
    .read_back = object_read_back,
    .close = object_close,
};

const struct engine engine_s3 = {
    .name = "s3",
    .summary = "objects of a bucket over HTTP, --depth of them at a time",
    .library = http_library,
    .libc_words = "Using requests to an object store (HTTP)",
    .capabilities = ENGINE_WRITES | ENGINE_DROPS_DATA,
    .phases = 1u << PHASE_TRANSFER,
    .driver = "s3",
    .tests = (1u << TEST_COUNT) - 1,
    .setup = object_session_setup,
    .teardown = object_engine_teardown,
    .report = object_engine_report,
    .retire = object_session_retire,
    .async = &object_engine_async,
};
