/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* probe_checks.c - what a store is asked to do.  No answer is taken at its word: what was written is
 * read back and compared, what was removed is asked for. */
#include "base/compat.h"

#include "target/object/probe.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/object/multipart.h"

#define SMALL_BYTES 1000u /* of most objects here */
#define LIST_FIRST  10u   /* keys of the list: ten with the same digit in front */
#define LIST_KEYS   7u
#define LIST_PAGE   3u
#define BATCH_KEYS  3u

/* ---- checks: keys 1 to 9 and from 20 on one each, 10 to 16 the list ---- */

static bool remove_one(struct probing *probing, unsigned number, const char *what)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_DELETE, .key = probe_key(probing, number, key)};

    return probe_ask(probing, &call, what, NULL);
}

static void check_put_get(struct probing *probing)
{
    if (probe_put(probing, 1, SMALL_BYTES))
        (void)probe_same(probing, 1, SMALL_BYTES, "an object that was put");
}

static void check_stat(struct probing *probing)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_STAT, .key = probe_key(probing, 2, key)};

    if (probe_put(probing, 2, SMALL_BYTES) &&
        probe_ask(probing, &call, "an object that is there", NULL))
        (void)probe_absent(probing, OBJECT_STAT, 31, "an object that is not there");
}

static void check_missing(struct probing *probing)
{
    (void)probe_absent(probing, OBJECT_GET, 31, "an object that is not there");
}

static void check_empty(struct probing *probing)
{
    if (probe_put(probing, 3, 0))
        (void)probe_same(probing, 3, 0, "an empty object");
}

static void check_range(struct probing *probing)
{
    if (probe_put(probing, 4, SMALL_BYTES) &&
        probe_range(probing, 4, 100, 200, "a range in the middle") &&
        probe_range(probing, 4, 0, 1, "the first byte"))
        (void)probe_range(probing, 4, SMALL_BYTES - 1, 1, "the last byte");
}

static void check_range_end(struct probing *probing)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = probe_key(probing, 5, key),
                                     .ranged = true,
                                     .offset_bytes = 2 * (uint64_t)SMALL_BYTES,
                                     .range_bytes = 10,
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const char *what = "a range beyond the end";
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;

    if (!probe_put(probing, 5, SMALL_BYTES))
        return;
    if (object_client_call(probing->client, &call, what, &answer, &verdict, &why) == 0)
        (void)probe_fail(probing, PROBE_FAILED, "%s: it is answered as if there were one", what);
    else if (verdict.errnum != ERANGE)
        (void)probe_refused(probing, what, &verdict, &why);
}

struct seek { /* a key in a list */
    const char *key;
    unsigned found;
    uint64_t size_bytes;
};

static int see_key(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                   struct error *err)
{
    struct seek *seek = arg;

    (void)etag;
    (void)err;
    if (strcmp(key, seek->key) == 0) {
        seek->found++;
        seek->size_bytes = size_bytes;
    }
    return 0;
}

/* True: the list of all keys names it once, with its length. */
static bool is_listed(struct probing *probing, unsigned number, size_t bytes, const char *what)
{
    char key[OBJECT_KEY_BYTES];
    struct seek seek = {.key = probe_key(probing, number, key)};
    const struct object_verdict verdict = {.errnum = EPROTO};
    struct error why = ERROR_INIT;

    if (object_client_list(probing->client, probing->prefix, 0, see_key, &seek, NULL, &why) != 0)
        return probe_refused(probing, "cannot list", &verdict, &why);
    if (seek.found != 1)
        return probe_fail(probing, PROBE_FAILED, "%s: the list names it %s", what,
                          seek.found ? "more than once" : "not, or by another name");
    return seek.size_bytes == bytes ||
           probe_fail(probing, PROBE_FAILED, "%s: the list tells %" PRIu64 " bytes, not %zu", what,
                      seek.size_bytes, bytes);
}

static void check_odd_name(struct probing *probing)
{
    const char *what = "a name with signs and letters of UTF-8";

    if (probe_put(probing, 0, SMALL_BYTES) && probe_same(probing, 0, SMALL_BYTES, what) &&
        is_listed(probing, 0, SMALL_BYTES, what) && remove_one(probing, 0, what))
        (void)probe_absent(probing, OBJECT_GET, 0, what);
}

static void check_overwrite(struct probing *probing)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = probe_key(probing, 6, key),
                                     .body = probing->sent,
                                     .body_bytes = SMALL_BYTES / 2};

    if (!probe_put(probing, 6, SMALL_BYTES))
        return;
    probe_make_data(probing, OBJECT_PROBE_KEYS + 6, SMALL_BYTES / 2);
    if (probe_ask(probing, &call, "cannot put over an object", NULL))
        (void)probe_same(probing, 6, SMALL_BYTES / 2, "an object that was put twice");
}

static void check_copy(struct probing *probing)
{
    char from[OBJECT_KEY_BYTES], to[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_COPY,
                                     .key = probe_key(probing, 8, to),
                                     .source_key = probe_key(probing, 7, from)};

    if (probe_put(probing, 7, SMALL_BYTES) && probe_ask(probing, &call, "cannot copy", NULL) &&
        probe_same(probing, 8, SMALL_BYTES, "the copy"))
        (void)probe_same(probing, 7, SMALL_BYTES, "what was copied");
}

/* ---- uploads in parts ---- */

/* Begins an upload and sends its parts up to the completion, or with `whole` that, too.  True: all
 * of it was done; *call is the next one. */
static bool upload(struct probing *probing, struct object_multipart *upload, const char *key,
                   bool whole, struct object_call *call)
{
    const struct object_answer *answer;

    object_multipart_begin(upload, probing->service, OBJECT_APPEND, key, call);
    for (;;) {
        const char *wrong;
        if (!probe_ask(probing, call,
                       call->verb == OBJECT_UPLOAD_BEGIN  ? "cannot begin an upload in parts"
                       : call->verb == OBJECT_UPLOAD_PART ? "cannot upload a part"
                                                          : "cannot complete an upload",
                       &answer))
            return false;
        if (call->verb == OBJECT_UPLOAD_COMPLETE)
            return true;
        wrong = object_multipart_next(upload, probing->service, call, answer);
        if (wrong)
            return probe_fail(probing, PROBE_FAILED, "an upload in parts: %s", wrong);
        if (call->verb == OBJECT_UPLOAD_PART)
            call->body = probing->sent + upload->sent_bytes;
        else if (!whole)
            return true;
    }
}

static struct object_multipart new_upload(const struct probing *probing)
{
    const uint64_t part_bytes = probing->service->options->part_bytes;
    struct object_multipart upload = {.size_bytes = part_bytes + PROBE_TAIL_BYTES,
                                      .part_bytes = part_bytes};

    upload.document_room = object_multipart_room(probing->service, upload.size_bytes, part_bytes);
    upload.document = mem_calloc(upload.document_room, 1);
    return upload;
}

static void give_up(struct probing *probing, const struct object_multipart *upload,
                    struct object_call *call)
{
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error ignored = ERROR_INIT; /* removing looks for uploads that are left */

    if (object_multipart_abort(upload, call))
        (void)object_client_call(probing->client, call, "", &answer, &verdict, &ignored);
}

static void check_multipart(struct probing *probing)
{
    struct object_multipart parts = new_upload(probing);
    struct object_call call = {.verb = OBJECT_UPLOAD_BEGIN};
    char key[OBJECT_KEY_BYTES];
    const size_t bytes = (size_t)parts.size_bytes;

    probe_make_data(probing, 20, bytes);
    if (!upload(probing, &parts, probe_key(probing, 20, key), true, &call))
        give_up(probing, &parts, &call);
    else if (probe_same(probing, 20, bytes, "an object of two parts"))
        (void)probe_range(probing, 20, (size_t)parts.part_bytes - 10, 20,
                          "a range across two parts");
    free(parts.document);
}

/* True: the upload is not listed any more, or uploads are not listed here. */
static bool is_given_up(struct probing *probing, const char *key, const char *id)
{
    const struct object_call call = {.verb = OBJECT_UPLOAD_LIST, .key = key, .page = 1000};
    const struct object_answer *answer;
    struct object_uploads uploads = {0};
    struct object_verdict verdict;
    struct error why = ERROR_INIT;
    bool found = false;

    if (object_client_call(probing->client, &call, "", &answer, &verdict, &why) != 0)
        return verdict.errnum == EOPNOTSUPP ||
               probe_refused(probing, "cannot list uploads", &verdict, &why);
    if (!probing->protocol->uploads(answer, &uploads))
        return probe_fail(probing, PROBE_FAILED, "the list of uploads cannot be understood");
    for (size_t i = 0; i < uploads.count; i++) {
        found = found || strcmp(uploads.upload[i].id, id) == 0;
        free(uploads.upload[i].key);
        free(uploads.upload[i].id);
    }
    free(uploads.upload);
    return !found ||
           probe_fail(probing, PROBE_FAILED, "an upload that was given up is still listed");
}

static void check_abort(struct probing *probing)
{
    struct object_multipart parts = new_upload(probing);
    struct object_call call = {.verb = OBJECT_UPLOAD_BEGIN};
    char key[OBJECT_KEY_BYTES];

    probe_make_data(probing, 21, (size_t)parts.size_bytes);
    if (!upload(probing, &parts, probe_key(probing, 21, key), false, &call))
        give_up(probing, &parts, &call);
    else if (!object_multipart_abort(&parts, &call))
        (void)probe_fail(probing, PROBE_FAILED, "the upload has no name");
    else if (probe_ask(probing, &call, "cannot give up an upload", NULL) &&
             is_given_up(probing, key, parts.id))
        (void)probe_absent(probing, OBJECT_GET, 21, "the object of an upload that was given up");
    free(parts.document);
}

/* ---- lists ---- */

struct roll { /* of keys that a list should name */
    const struct probing *probing;
    unsigned found[LIST_KEYS], others, wrong_lengths;
};

static int count_key(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                     struct error *err)
{
    struct roll *roll = arg;
    char wanted[OBJECT_KEY_BYTES];

    (void)etag;
    (void)err;
    for (unsigned i = 0; i < LIST_KEYS; i++)
        if (strcmp(key, probe_key(roll->probing, LIST_FIRST + i, wanted)) == 0) {
            roll->found[i]++;
            roll->wrong_lengths += size_bytes != i + 1;
            return 0;
        }
    roll->others++;
    return 0;
}

static void judge_list(struct probing *probing, const struct roll *roll, uint64_t pages)
{
    unsigned found = 0, twice = 0;

    for (unsigned i = 0; i < LIST_KEYS; i++) {
        found += roll->found[i] > 0;
        twice += roll->found[i] > 1;
    }
    if (found < LIST_KEYS)
        (void)probe_fail(probing, PROBE_FAILED, "the list names %u of %u objects", found,
                         LIST_KEYS);
    else if (twice || roll->others)
        (void)probe_fail(probing, PROBE_FAILED, "the list names %s",
                         twice ? "an object twice" : "objects that were not asked for");
    else if (roll->wrong_lengths)
        (void)probe_fail(probing, PROBE_FAILED, "the list tells wrong lengths");
    else if (pages < (LIST_KEYS + LIST_PAGE - 1) / LIST_PAGE)
        (void)probe_fail(probing, PROBE_UNSUPPORTED,
                         "pages of %u names were asked for, longer ones came", LIST_PAGE);
}

static void check_list(struct probing *probing)
{
    struct roll roll = {.probing = probing};
    const struct object_verdict verdict = {.errnum = EPROTO};
    char *prefix = mem_printf("%s00001", probing->prefix); /* 10 to 19 */
    struct error why = ERROR_INIT;
    uint64_t pages = 0;

    for (unsigned i = 0; i < LIST_KEYS && probing->now.result == PROBE_PASS; i++)
        (void)probe_put(probing, LIST_FIRST + i, i + 1);
    if (probing->now.result == PROBE_PASS) {
        if (object_client_list(probing->client, prefix, LIST_PAGE, count_key, &roll, &pages,
                               &why) != 0)
            (void)probe_refused(probing, "cannot list page by page", &verdict, &why);
        else
            judge_list(probing, &roll, pages);
    }
    free(prefix);
}

static void check_delimiter(struct probing *probing)
{
    struct seek seek = {.key = probing->prefix};
    const struct object_verdict verdict = {.errnum = EPROTO};
    struct error why = ERROR_INIT;

    if (!probe_put(probing, 22, SMALL_BYTES))
        return;
    if (object_client_list_level(probing->client, probing->store->base.run_prefix, see_key, &seek,
                                 &why) != 0)
        (void)probe_refused(probing, "cannot list a level", &verdict, &why);
    else if (seek.found != 1)
        (void)probe_fail(probing, PROBE_FAILED,
                         "the list of a level names the one below it %u times", seek.found);
}

/* ---- removing ---- */

static void check_delete(struct probing *probing)
{
    if (probe_put(probing, 23, SMALL_BYTES) && remove_one(probing, 23, "cannot delete an object"))
        (void)probe_absent(probing, OBJECT_GET, 23, "an object that was deleted");
}

static void check_delete_missing(struct probing *probing)
{
    char key[OBJECT_KEY_BYTES];
    const struct object_call call = {.verb = OBJECT_DELETE, .key = probe_key(probing, 31, key)};
    const char *what = "deleting what is not there";
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;

    if (object_client_call(probing->client, &call, what, &answer, &verdict, &why) == 0)
        return;
    if (verdict.errnum == ENOENT && !verdict.no_place)
        (void)probe_fail(probing, PROBE_UNSUPPORTED, "%s: it is told as an error", what);
    else
        (void)probe_refused(probing, what, &verdict, &why);
}

static void check_delete_many(struct probing *probing)
{
    char keys[BATCH_KEYS][OBJECT_KEY_BYTES], document[8192], code[64] = "";
    const char *key[BATCH_KEYS];
    struct object_call call = {.verb = OBJECT_DELETE_MANY, .body = document};
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;
    int failures;

    for (unsigned i = 0; i < BATCH_KEYS; i++) {
        key[i] = probe_key(probing, 24 + i, keys[i]);
        if (!probe_put(probing, 24 + i, SMALL_BYTES))
            return;
    }
    call.body_bytes = probing->protocol->names(key, BATCH_KEYS, document, sizeof(document));
    if (object_client_call(probing->client, &call, "", &answer, &verdict, &why) != 0) {
        if (verdict.singly && verdict.class == OBJECT_CLIENT_ERROR)
            verdict.errnum = EOPNOTSUPP;
        (void)probe_refused(probing, "cannot delete several at once", &verdict, &why);
        return;
    }
    failures = probing->protocol->failures(answer, code, sizeof(code));
    if (failures != 0) {
        (void)probe_fail(probing, PROBE_FAILED, "deleting several at once: %s",
                         failures < 0 ? "the answer cannot be understood" : code);
        return;
    }
    for (unsigned i = 0; i < BATCH_KEYS && probing->now.result == PROBE_PASS; i++)
        (void)probe_absent(probing, OBJECT_GET, 24 + i, "an object that was deleted with others");
}

/* ---- conditions and checksums ---- */

/* A PUT that must not be carried out, over the object that probing->sent holds the data of. */
static void check_condition(struct probing *probing, unsigned number, const char *only_over)
{
    char key[OBJECT_KEY_BYTES], *other = mem_calloc(SMALL_BYTES, 1);
    const struct object_call call = {.verb = OBJECT_PUT,
                                     .key = probe_key(probing, number, key),
                                     .only_if_absent = !only_over,
                                     .only_over = only_over,
                                     .body = other,
                                     .body_bytes = SMALL_BYTES};
    const struct object_answer *answer = NULL;
    struct object_verdict verdict;
    struct error why = ERROR_INIT;

    if (!probe_put(probing, number, SMALL_BYTES))
        ;
    else if (object_client_call(probing->client, &call, "", &answer, &verdict, &why) == 0)
        (void)probe_fail(probing, PROBE_UNSUPPORTED,
                         "the condition is ignored: the object was written over");
    else if (answer && answer->condition == OBJECT_CONDITION_UNMET)
        (void)probe_same(probing, number, SMALL_BYTES, "an object that was not to be written over");
    else if (answer && answer->condition == OBJECT_CONDITION_UNKNOWN)
        (void)probe_fail(probing, PROBE_UNSUPPORTED, "the condition is refused: %s",
                         why.reason[0] ? why.reason : strerror(why.errnum));
    else
        (void)probe_refused(probing, "a PUT with a condition", &verdict, &why);
    free(other);
}

static void check_if_absent(struct probing *probing)
{
    check_condition(probing, 27, NULL);
}

static void check_if_match(struct probing *probing)
{
    check_condition(probing, 28, "\"0123456789abcdef0123456789abcdef\"");
}

static void check_checksum(struct probing *probing)
{
    char key[OBJECT_KEY_BYTES], why[200] = "";
    const struct object_call call = {.verb = OBJECT_GET,
                                     .key = probe_key(probing, 29, key),
                                     .want_checksum = true,
                                     .into = probing->got,
                                     .into_bytes = probing->room};
    const struct object_answer *answer;
    unsigned learned = 0;

    if (!probing->protocol->intact)
        (void)probe_fail(probing, PROBE_UNSUPPORTED, "there are none");
    else if (probe_put(probing, 29, SMALL_BYTES) &&
             probe_ask(probing, &call, "an object with its checksum", &answer) &&
             !probing->protocol->intact(answer, OBJECT_GET, probing->got,
                                        (size_t)answer->received_bytes, false, &learned, why,
                                        sizeof(why)))
        (void)probe_fail(probing, PROBE_FAILED, "%s", why);
}

/* ---- all of them ---- */

const struct probe_check probe_checks[] = {
    {"put-get", "an object comes back as it was put", check_put_get, 0},
    {"stat", "an object is there, another is not", check_stat, 0},
    {"missing", "getting what is not there is told as that", check_missing, 0},
    {"empty", "an object of no bytes", check_empty, 0},
    {"range", "parts of an object, its first and last byte", check_range, 0},
    {"range-end", "a range beyond the end is refused", check_range_end, 0},
    {"odd-name", "a name with signs and letters of UTF-8", check_odd_name, 0},
    {"overwrite", "a shorter object over a longer one", check_overwrite, 0},
    {"copy", "a copy made by the store", check_copy, 1u << OBJECT_COPY},
    {"multipart", "an object uploaded in two parts", check_multipart, 1u << OBJECT_UPLOAD_BEGIN},
    {"abort", "an upload in parts that is given up", check_abort, 1u << OBJECT_UPLOAD_ABORT},
    {"list", "names by prefix, page by page", check_list, 0},
    {"delimiter", "names of one level", check_delimiter, 0},
    {"delete", "what was deleted is gone", check_delete, 0},
    {"delete-missing", "deleting what is not there is no error", check_delete_missing, 0},
    {"delete-many", "several objects deleted at once", check_delete_many, 1u << OBJECT_DELETE_MANY},
    {"if-absent", "put only where there is no object", check_if_absent, 0},
    {"if-match", "put only over a certain object", check_if_match, 0},
    {"checksum", "the store's checksum fits the data", check_checksum, 0},
    {.name = NULL},
};
