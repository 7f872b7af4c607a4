/* SPDX-License-Identifier: GPL-2.0-or-later */
/* content.c - --verify: what the objects of a run must hold, and reading them back. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <string.h>

void s3_make_content(const struct target *target, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation, void *buffer)
{
    pattern_make(&s3_store_of(target)->bucket.pattern, object, offset_bytes, (size_t)size_bytes,
                 generation, buffer);
}

bool s3_check_content(const struct target *target, uint32_t object, uint64_t offset_bytes,
                      uint64_t size_bytes, uint32_t generation, const void *buffer,
                      struct target_mismatch *mismatch)
{
    const struct s3_store *s3 = s3_store_of(target);
    const struct pattern *pattern = &s3->bucket.pattern;
    uint32_t index;
    const struct s3_set *set = s3_sets_find(s3, object, &index);
    const uint32_t number = set->first + (uint32_t)s3_set_number(set, index);
    const size_t right =
        pattern_check(pattern, number, offset_bytes, (size_t)size_bytes, generation, buffer);
    const uint64_t left = size_bytes - right;

    if (left == 0)
        return true;
    *mismatch = (struct target_mismatch){.offset_bytes = offset_bytes + right,
                                        .shown = left < TARGET_SHOWN_BYTES ? (uint32_t)left
                                                                          : TARGET_SHOWN_BYTES};
    pattern_make(pattern, number, mismatch->offset_bytes, mismatch->shown,
                 generation == TARGET_ANY_GENERATION ? 0 : generation, mismatch->expected);
    memcpy(mismatch->found, (const char *)buffer + right, mismatch->shown);
    return false;
}

/* The threads that measure read the service meanwhile. */
static int make_reader(struct s3_store *s3, struct error *err)
{
    const volatile int *stop = s3->bucket.target.request->stop;

    if (s3_client_create(&s3->bucket.service, stop, &s3->reader, err) != 0)
        return -1;
    s3_client_pin(s3->reader);
    return 0;
}

/* Any thread: one client for all of them, since reading back is not what is measured. */
int64_t s3_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, bool direct, void *buffer)
{
    struct s3_store *s3 = s3_store_of(target);
    char key[S3_KEY_BYTES];
    uint32_t index;
    const struct s3_set *set = s3_sets_find(s3, object, &index);
    const struct s3_call call = {.kind = S3_GET,
                                 .key = s3_bucket_key(set, index, key),
                                 .ranged = offset_bytes > 0 || size_bytes < s3->lengths[object],
                                 .offset_bytes = offset_bytes,
                                 .range_bytes = size_bytes,
                                 .into = buffer,
                                 .into_bytes = size_bytes};
    const struct http_answer *answer;
    struct s3_verdict verdict = {.errnum = EIO};
    struct error err = ERROR_INIT;
    int64_t result;

    (void)direct;
    pthread_mutex_lock(&s3->reader_lock);
    if (s3->reader == NULL && make_reader(s3, &err) != 0)
        result = -EIO;
    else if (s3_client_call(s3->reader, &call, "cannot read back", &answer, &verdict, &err) != 0)
        result = verdict.errnum > 0 ? -verdict.errnum : -EIO;
    else
        result = answer->received_bytes > INT64_MAX ? -EIO : (int64_t)answer->received_bytes;
    pthread_mutex_unlock(&s3->reader_lock);
    return result;
}
