/* SPDX-License-Identifier: GPL-2.0-or-later */
/* operation.c - which requests an operation consists of.  Most are one request; uploads in parts
 * begin, send each part and complete (or abort, so that nothing is left that costs money), lists go
 * from page to page, renaming copies and deletes. */
#include "base/compat.h"

#include "target/object/operation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "target/object/s3/xml.h"

#define COLD __attribute__((noinline, cold))

#define STRANGE_MOST 100000u /* objects in a list of our own that are not ours */

static char *memory_of(const struct s3_site *site, const struct s3_slot *slot)
{
    return site->memory + slot->index * site->memory_each;
}

static COLD int64_t broken(struct s3_site *site, const struct s3_slot *slot, const char *why)
{
    site->counted.protocol_errors++;
    s3_site_note(site, slot, why);
    return -EPROTO;
}

/* ---- one request ---- */

static void first_read(const struct s3_site *site, struct s3_slot *slot)
{
    const uint64_t io_bytes = site->work->io_bytes;
    const bool verified = site->work->verified;
    const bool whole = slot->offset_bytes == 0 && site->set->length_bytes[slot->object] == io_bytes;

    slot->call = (struct s3_call){
        .kind = S3_GET,
        .key = s3_bucket_key(site->set, slot->object, slot->key),
        .ranged = !whole,
        .offset_bytes = slot->offset_bytes,
        .range_bytes = io_bytes,
        .want_checksum = whole && verified,
        .into = verified ? (void *)(uintptr_t)slot->data : NULL,
        .into_bytes = verified ? io_bytes : 0,
    };
}

/* A range is what was asked for, or the request has failed.  A whole object that was found may have
 * another length than it had when it was listed; one of ours has not, unless something is wrong. */
static int64_t next_read(struct s3_site *site, struct s3_slot *slot,
                         const struct http_answer *answer)
{
    const uint64_t io_bytes = site->work->io_bytes;
    char why[80];

    if (__builtin_expect(answer->received_bytes != io_bytes, 0)) {
        snprintf(why, sizeof why, "%llu bytes came, not %llu",
                 (unsigned long long)answer->received_bytes, (unsigned long long)io_bytes);
        if (site->set->kind != S3_SET_FOUND && !site->work->verified)
            return broken(site, slot, why);
        s3_site_note(site, slot, why);
        return (int64_t)answer->received_bytes;
    }
    if (__builtin_expect(slot->call.want_checksum, 0))
        return s3_intact(site, slot, answer);
    return (int64_t)io_bytes;
}

static void first_write(const struct s3_site *site, struct s3_slot *slot)
{
    slot->call = (struct s3_call){
        .kind = S3_PUT,
        .key = s3_bucket_key(site->set, slot->object, slot->key),
        .body = slot->data,
        .body_bytes = site->work->io_bytes,
    };
}

static void now_present(const struct s3_site *site, const struct s3_slot *slot)
{
    atomic_uchar *present = site->set->present;

    if (present && slot->goal == S3_GOAL_TEST &&
        !atomic_load_explicit(&present[slot->object], memory_order_relaxed))
        atomic_store_explicit(&present[slot->object], 1, memory_order_relaxed);
}

static int64_t first_delete(struct s3_site *site, struct s3_slot *slot)
{
    uint64_t number;

    if (!s3_stock_take(site->set, 1, &number))
        return -ENOENT;
    slot->call = (struct s3_call){
        .kind = S3_DELETE,
        .key = s3_bucket_key(site->set, number, slot->key),
    };
    return 0;
}

/* Keys are made where all slots make theirs: the text of the request is made of them at once. */
static int64_t first_delete_many(struct s3_site *site, struct s3_slot *slot)
{
    char *const text = memory_of(site, slot);
    uint64_t number;
    char key[S3_KEY_BYTES];

    if (!s3_stock_take(site->set, site->batch, &number))
        return -ENOENT;
    for (uint64_t i = 0; i < site->batch; i++) {
        char *const copy = site->batch_keys + i * site->batch_each;

        s3_bucket_key(site->set, number + i, key);
        memcpy(copy, key, strlen(key) + 1);
        site->batch_key[i] = copy;
    }
    snprintf(slot->key, sizeof slot->key, "%s", site->set->prefix);
    slot->call = (struct s3_call){.kind = S3_DELETE_MANY, .key = slot->key, .body = text};
    slot->call.body_bytes =
        s3_delete_xml(site->batch_key, (size_t)site->batch, text, site->memory_each);
    return slot->call.body_bytes ? 0 : -EMSGSIZE;
}

static int64_t next_delete_many(struct s3_site *site, const struct s3_slot *slot,
                                const struct http_answer *answer)
{
    char code[64], why[160];
    const int failures = s3_delete_read(answer, code, sizeof code);

    if (__builtin_expect(failures == 0, 1))
        return (int64_t)site->work->io_bytes;
    if (failures < 0)
        return broken(site, slot, "the list of what was deleted cannot be read");
    site->counted.server_errors++;
    snprintf(why, sizeof why, "%d of %llu objects were not deleted, the first one: %s", failures,
             (unsigned long long)site->batch, code);
    s3_site_note(site, slot, why);
    return -EREMOTEIO;
}

/* ---- page by page ---- */

static void first_list(const struct s3_site *site, struct s3_slot *slot)
{
    slot->keys = 0;
    slot->walk = (struct s3_walk){0};
    slot->page.token[0] = '\0';
    slot->call = (struct s3_call){
        .kind = S3_LIST,
        .key = site->set->prefix,
        .page = site->options->page,
    };
}

static int64_t next_list(struct s3_site *site, struct s3_slot *slot,
                         const struct http_answer *answer)
{
    struct error unread = ERROR_INIT;
    struct s3_page page;
    char why[96];

    if (s3_page_read(answer, &page, NULL, NULL, &unread) < 0)
        return broken(site, slot, "the list cannot be read");
    slot->keys += page.keys;
    if (page.more) {
        if (site->set->kind != S3_SET_FOUND && slot->keys > site->set->count + STRANGE_MOST)
            return broken(site, slot, "the list names far more objects than there are");
        if (!page.token[0] || strcmp(page.token, slot->page.token) == 0)
            return broken(site, slot, "the list does not tell where it goes on");
        if (!s3_walk_on(&slot->walk, &page))
            return broken(site, slot, "the list does not end: it names nothing new");
        slot->page = page;
        slot->call.token = slot->page.token;
        return S3_MORE;
    }
    if (__builtin_expect(slot->keys >= site->list_least, 1))
        return (int64_t)site->work->io_bytes;
    snprintf(why, sizeof why, "%llu objects are in the list, %llu are there",
             (unsigned long long)slot->keys, (unsigned long long)site->list_least);
    return broken(site, slot, why);
}

/* ---- there and back ---- */

/* Each slot of each thread has an object of its own, with two names. */
static void first_rename(const struct s3_site *site, struct s3_slot *slot)
{
    const uint64_t number = site->number_first + 2 * (uint64_t)slot->index;

    slot->call = (struct s3_call){
        .kind = S3_COPY,
        .source_key = s3_bucket_key(site->set, number + slot->moved, slot->key),
        .key = s3_bucket_key(site->set, number + !slot->moved, slot->other),
    };
}

/* The object is at its new name from now on, whatever becomes of the request that removes the old
 * one. */
static int64_t next_copy(struct s3_slot *slot)
{
    slot->moved = !slot->moved;
    slot->call = (struct s3_call){.kind = S3_DELETE, .key = slot->key};
    return S3_MORE;
}

/* The object is gone: this operation has failed, but another one shall be there for the next. */
static COLD int64_t failed_copy(struct s3_site *site, struct s3_slot *slot, int64_t code)
{
    if (code != -ENOENT || slot->goal != S3_GOAL_TEST || !s3_stock_replace(site, slot))
        return code;
    slot->failure = code;
    slot->tried = 0;
    return S3_MORE;
}

/* ---- in parts ---- */

static void first_upload(const struct s3_site *site, struct s3_slot *slot)
{
    slot->done_bytes = slot->part_end_bytes = 0;
    slot->xml_used = 0;
    slot->upload_id[0] = '\0';
    slot->call = (struct s3_call){
        .kind = S3_UPLOAD_BEGIN,
        .key = s3_bucket_key(site->set, slot->object, slot->key),
    };
}

/* What the program writes a little at a time is gathered until it makes a part. */
static const char *gather(const struct s3_site *site, const struct s3_slot *slot, uint64_t bytes)
{
    const uint64_t each = site->options->fragment_bytes;
    char *const part = memory_of(site, slot) + site->memory_each - site->part_bytes;

    for (uint64_t at = 0; at < bytes; at += each) {
        const uint64_t piece = bytes - at < each ? bytes - at : each;

        memcpy(part + at, slot->data + slot->done_bytes + at, (size_t)piece);
    }
    return part;
}

static int64_t next_part(struct s3_site *site, struct s3_slot *slot)
{
    const uint64_t left = site->work->io_bytes - slot->done_bytes;
    const uint64_t bytes = left < site->part_bytes ? left : site->part_bytes;
    const unsigned part = slot->call.kind == S3_UPLOAD_BEGIN ? 1 : slot->call.part + 1;

    slot->part_end_bytes = slot->done_bytes + bytes;
    slot->call = (struct s3_call){
        .kind = S3_UPLOAD_PART,
        .key = slot->key,
        .upload_id = slot->upload_id,
        .part = part,
        .body = site->work->test == TEST_APPEND ? gather(site, slot, bytes)
                                                : slot->data + slot->done_bytes,
        .body_bytes = bytes,
    };
    return S3_MORE;
}

static int64_t next_begun(struct s3_site *site, struct s3_slot *slot,
                          const struct http_answer *answer)
{
    if (xml_find(answer->text, answer->text_bytes, "UploadId", slot->upload_id,
                 sizeof slot->upload_id) <= 0) {
        atomic_fetch_add(&site->bucket->uploads_left, 1); /* it may be there, without a name */
        return broken(site, slot, "the answer does not name the upload");
    }
    return next_part(site, slot);
}

/* The room for XML: what gathering leaves of the slot's memory. */
static size_t xml_room(const struct s3_site *site)
{
    return site->memory_each - (site->work->test == TEST_APPEND ? (size_t)site->part_bytes : 0);
}

static int64_t next_sent(struct s3_site *site, struct s3_slot *slot,
                         const struct http_answer *answer)
{
    const enum s3_checksum checksum = s3_request_checksum(&site->bucket->service);
    char *const xml = memory_of(site, slot);

    slot->xml_used =
        s3_complete_xml(checksum, slot->call.part, answer, xml, slot->xml_used, xml_room(site));
    if (!slot->xml_used)
        return s3_operation_failed(site, slot,
                                   broken(site, slot, "the answer to a part has no ETag"));
    slot->done_bytes = slot->part_end_bytes;
    if (slot->done_bytes < site->work->io_bytes)
        return next_part(site, slot);
    slot->xml_used = s3_complete_xml(checksum, 0, NULL, xml, slot->xml_used, xml_room(site));
    if (!slot->xml_used)
        return s3_operation_failed(site, slot, -EMSGSIZE);
    slot->call = (struct s3_call){
        .kind = S3_UPLOAD_COMPLETE,
        .key = slot->key,
        .upload_id = slot->upload_id,
        .body = xml,
        .body_bytes = slot->xml_used,
    };
    return S3_MORE;
}

/* ---- any of them ---- */

int64_t s3_operation_first(struct s3_site *site, struct s3_slot *slot)
{
    switch (site->work->test) {
    case TEST_READ:
        first_read(site, slot);
        return 0;
    case TEST_WRITE:
        first_write(site, slot);
        return 0;
    case TEST_HEAD:
        slot->call = (struct s3_call){
            .kind = S3_HEAD,
            .key = s3_bucket_key(site->set, slot->object, slot->key),
        };
        return 0;
    case TEST_LIST:
        first_list(site, slot);
        return 0;
    case TEST_MULTIPART:
    case TEST_APPEND:
        first_upload(site, slot);
        return 0;
    case TEST_RENAME:
        first_rename(site, slot);
        return 0;
    case TEST_DELETE:
        return first_delete(site, slot);
    case TEST_DELETE_MANY:
        return first_delete_many(site, slot);
    case TEST_COUNT:
        break;
    }
    return -EINVAL;
}

int64_t s3_operation_next(struct s3_site *site, struct s3_slot *slot,
                          const struct http_answer *answer)
{
    switch (slot->call.kind) {
    case S3_GET:
        return next_read(site, slot, answer);
    case S3_LIST:
        return next_list(site, slot, answer);
    case S3_COPY:
        return next_copy(slot);
    case S3_DELETE_MANY:
        return next_delete_many(site, slot, answer);
    case S3_UPLOAD_BEGIN:
        return next_begun(site, slot, answer);
    case S3_UPLOAD_PART:
        return next_sent(site, slot, answer);
    case S3_UPLOAD_ABORT:
        return slot->failure;
    case S3_PUT:
        if (__builtin_expect(site->work->test == TEST_RENAME && slot->goal == S3_GOAL_TEST, 0))
            return slot->failure; /* see failed_copy */
        now_present(site, slot);
        if (__builtin_expect(site->bucket->target.request->verify, 0) &&
            slot->goal == S3_GOAL_TEST && site->work->test == TEST_WRITE)
            return s3_intact_put(site, slot, answer);
        break;
    case S3_UPLOAD_COMPLETE:
        now_present(site, slot);
        break;
    default:
        break;
    }
    return (int64_t)site->work->io_bytes;
}

static int64_t take_back(struct s3_slot *slot, int64_t code)
{
    slot->failure = code;
    slot->tried = 0;
    slot->call = (struct s3_call){
        .kind = S3_UPLOAD_ABORT,
        .key = slot->key,
        .upload_id = slot->upload_id,
    };
    return S3_MORE;
}

/* An upload that has begun is taken back.  One whose beginning was lost on the way may be there all
 * the same: who closes the bucket has to look. */
int64_t s3_operation_failed(struct s3_site *site, struct s3_slot *slot, int64_t code)
{
    switch (slot->call.kind) {
    case S3_COPY:
        return failed_copy(site, slot, code);
    case S3_UPLOAD_PART:
    case S3_UPLOAD_COMPLETE:
        return take_back(slot, code);
    case S3_UPLOAD_ABORT:
        atomic_fetch_add(&site->bucket->uploads_left, 1);
        return slot->failure;
    case S3_UPLOAD_BEGIN:
        if (slot->upload_id[0])
            return take_back(slot, code);
        if (code != -EDQUOT && code != -ECANCELED)
            atomic_fetch_add(&site->bucket->uploads_left, 1);
        return code;
    default:
        return code;
    }
}

void s3_operation_lost(struct s3_site *site, struct s3_slot *slot)
{
    if (!slot->paused)
        s3_count_unsure(&site->bucket->service, slot->call.kind, NULL);
    switch (slot->call.kind) {
    case S3_UPLOAD_BEGIN:
    case S3_UPLOAD_PART:
    case S3_UPLOAD_COMPLETE:
    case S3_UPLOAD_ABORT:
        atomic_fetch_add(&site->bucket->uploads_left, 1);
        break;
    default:
        break;
    }
}
