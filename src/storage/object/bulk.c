/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bulk.c - operations on many keys: listing all below a prefix, removing them, aborting uploads.
 * Keys that a server lists although they are not below the prefix are never passed on, because the
 * caller may remove listed objects. */
#include "base/compat.h"

#include "storage/object/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

#define PAGE_KEYS         1000
#define BARREN_MOST       100u    /* consecutive pages without a key */
#define LIST_PAGES_MOST   100000u /* with fewer names than they could contain */
#define DELETE_KEYS_MOST  ((size_t)1000)
#define UPLOAD_PAGES_MOST 1000u
#define DOCUMENT_BYTES    ((size_t)1 << 20)
#define ABORTS_MOST       4u         /* passes over uploads that are still listed, ... */
#define ABORTS_NS         125000000u /* ... with a pause after the second that doubles */

/* --- listing ---------------------------------------------------------------------------------- */

struct listing {
    const char *prefix;
    object_visit visit;
    void *arg;
};

static int unrelated_key(const char *key, const char *prefix, struct error *err)
{
    char shown[400];

    error_set(err, STATUS_TARGET, EPROTO, "cannot list", prefix);
    return error_explain(err, "the server lists a key that is not below the prefix: %s",
                         error_printable(key, shown, sizeof(shown)));
}

static int visit_below(void *arg, const struct object_listed *listed, struct error *err)
{
    const struct listing *listing = arg;

    if (strncmp(listed->key, listing->prefix, strlen(listing->prefix)) != 0)
        return unrelated_key(listed->key, listing->prefix, err);
    return listing->visit ? listing->visit(listing->arg, listed, err) : 0;
}

/* Gets a page of a list (call->page is not 0).  If it is too long for the text of an answer, asks
 * for half as many keys, and leaves call->page at that. */
static int get_page(struct object_client *client, struct object_call *call, const char *what,
                    const struct object_answer **answer, struct error *err)
{
    struct object_verdict verdict;
    struct error own;

    for (;; call->page /= 2) {
        own = ERROR_INIT;
        if (object_client_call(client, call, what, answer, &verdict, &own) == 0)
            return 0;
        if (strcmp(verdict.code, "LongPage") != 0 || call->page < 2)
            break;
    }
    if (!error_is_set(err))
        *err = own;
    return -1;
}

/* Checks a page, given those before it: 0, or -1 if the list seems endless. */
static int see_end(const struct object_page *page, const char *token, struct object_walk *walk,
                   uint64_t keys, uint64_t pages, const char *prefix, struct error *err)
{
    const char *why;

    if (!page->more)
        return 0;
    if (strcmp(token, page->token) == 0 || !object_walk_on(walk, page))
        why = "although it names nothing new";
    else if (keys > OBJECT_LIST_MOST || pages > LIST_PAGES_MOST)
        why = "or names more than there can be";
    else
        return 0;
    error_set(err, STATUS_TARGET, EPROTO, "cannot list", prefix);
    error_explain(err, "the server's list does not end, %s", why);
    return -1;
}

int object_client_list(struct object_client *client, const char *prefix, const char *delimiter,
                       object_visit visit, void *arg, struct error *err)
{
    struct listing listing = {prefix, visit, arg};
    struct object_page *now = mem_calloc(1, sizeof(*now));
    char *token = mem_calloc(1, sizeof(now->token));
    struct object_call call = {
        .verb = OBJECT_LIST, .key = prefix, .delimiter = delimiter, .page = PAGE_KEYS};
    struct object_walk walk = {0};
    uint64_t count = 0, keys = 0;
    int result;

    do {
        const struct object_answer *answer;
        call.token = token[0] ? token : NULL;
        result = get_page(client, &call, "cannot list", &answer, err);
        if (result != 0)
            break;
        count++;
        result = client->protocol->list(answer, now, visit_below, &listing, err);
        keys += now->keys;
        if (result == 0)
            result = see_end(now, token, &walk, keys, count, prefix, err);
        memcpy(token, now->token, sizeof(now->token));
    } while (result == 0 && now->more);
    free(token);
    free(now);
    return result;
}

/* --- removing --------------------------------------------------------------------------------- */

/* Whether to stop: the run is to end, or the server does not answer any more; each key would wait
 * for it again. */
static bool is_vain(const struct object_verdict *verdict)
{
    return verdict->errnum == EINTR ||
           (verdict->class == OBJECT_NETWORK_ERROR && verdict->errnum == ETIMEDOUT);
}

/* A missing object is not an error.  Returns 0 or -1, with the first error. */
static int call_off(struct object_client *client, const struct object_call *call, const char *what,
                    struct object_verdict *verdict, struct error *err)
{
    const struct object_answer *answer;
    struct error own = ERROR_INIT;

    if (object_client_call(client, call, what, &answer, verdict, &own) == 0 ||
        (verdict->errnum == ENOENT && !verdict->no_place))
        return 0;
    if (!error_is_set(err))
        *err = own;
    return -1;
}

/* Returns 0, -1, or -EINTR if continuing is pointless. */
static int delete_each(struct object_client *client, const char *const *key, size_t count,
                       uint64_t *removed, struct error *err)
{
    int result = 0;

    for (size_t i = 0; i < count && result != -EINTR; i++) {
        const struct object_call call = {.verb = OBJECT_DELETE, .key = key[i]};
        struct object_verdict verdict;

        if (call_off(client, &call, "cannot remove", &verdict, err) == 0)
            ++*removed;
        else /* if the first is forbidden, all are */
            result = is_vain(&verdict) || (i == 0 && err->errnum == EACCES) ? -EINTR : -1;
    }
    return result;
}

/* One request for as many keys as fit; *taken: their number.  *each: remove keys one by one from
 * now on. */
static int delete_batch(struct object_client *client, const char *const *key, size_t count,
                        char *document, size_t *taken, bool *each, uint64_t *removed,
                        struct error *err)
{
    struct object_call call = {.verb = OBJECT_DELETE_MANY, .body = document};
    const struct object_answer *answer;
    struct object_verdict verdict;
    struct error own = ERROR_INIT;
    char code[64] = "";
    const size_t room = DOCUMENT_BYTES - client->protocol->rest_bytes;
    size_t used = 0, next;
    int failures;

    *taken = 0; /* 1 MiB fits at least some hundred of the longest */
    while (*taken < count && *taken < DELETE_KEYS_MOST &&
           (next = client->protocol->names(key[*taken], document, used, room)) > 0) {
        used = next;
        ++*taken;
    }
    call.body_bytes = client->protocol->names(NULL, document, used, DOCUMENT_BYTES);
    if (object_client_call(client, &call, "cannot remove objects of", &answer, &verdict, &own) !=
        0) {
        *each = verdict.singly;
        if (*each)
            return delete_each(client, key, *taken, removed, err);
        if (!error_is_set(err))
            *err = own;
        return is_vain(&verdict) ? -EINTR : -1;
    }
    failures = client->protocol->failures(answer, code, sizeof(code));
    if (failures == 0) {
        *removed += *taken;
        return 0;
    }
    /* trying them again best shows which ones failed, and why; missing ones are not an error */
    return delete_each(client, key, *taken, removed, err);
}

int object_client_delete(struct object_client *client, const char *const *key, size_t count,
                         uint64_t *removed, struct error *err)
{
    char *document = mem_calloc(1, DOCUMENT_BYTES);
    bool each = !object_can(client->service, OBJECT_DELETE_MANY);
    int result = 0;

    for (size_t done = 0, taken = 0; done < count && result != -EINTR; done += taken) {
        int now;
        taken = count - done;
        if (each)
            now = delete_each(client, key + done, taken, removed, err);
        else
            now = delete_batch(client, key + done, taken, document, &taken, &each, removed, err);
        result = now != 0 ? now : result;
    }
    free(document);
    return result == 0 ? 0 : -1;
}

/* --- endless lists --- */

/* Remembers the pages numbered 1, 2, 4, 8 ...: a cycle of any length returns to one of them. */
bool object_walk_on(struct object_walk *walk, const struct object_page *page)
{
    if (page->keys == 0)
        return ++walk->barren <= BARREN_MOST;
    walk->barren = 0;
    if (walk->pages > 0 && page->first == walk->mark)
        return false;
    if ((walk->pages & (walk->pages - 1)) == 0)
        walk->mark = page->first;
    walk->pages++;
    return true;
}

/* --- uploads ---------------------------------------------------------------------------------- */

static void uploads_free(struct object_uploads *uploads)
{
    for (size_t i = 0; i < uploads->count; i++) {
        free(uploads->upload[i].key);
        free(uploads->upload[i].id);
    }
    free(uploads->upload);
    uploads->upload = NULL;
    uploads->count = 0;
}

static int abort_one(struct object_client *client, const char *prefix,
                     const struct object_upload *upload, uint64_t *aborted, struct error *err)
{
    const struct object_call call = {
        .verb = OBJECT_UPLOAD_ABORT, .key = upload->key, .upload_id = upload->id};
    struct object_verdict verdict;

    if (strncmp(upload->key, prefix, strlen(prefix)) != 0)
        return unrelated_key(upload->key, prefix, err);
    if (call_off(client, &call, "cannot abort the upload of", &verdict, err) != 0)
        return -1;
    *aborted += verdict.class == OBJECT_DONE;
    return 0;
}

static int abort_listed(struct object_client *client, const char *prefix, uint64_t *aborted,
                        struct error *err)
{
    char after_key[OBJECT_KEY_BYTES] = "", after_id[OBJECT_UPLOAD_BYTES] = "";
    struct object_call call = {.verb = OBJECT_UPLOAD_LIST, .key = prefix, .page = PAGE_KEYS};
    struct object_uploads uploads;
    unsigned pages = 0;
    int result = 0;

    do {
        const struct object_answer *answer;
        call.token = after_key[0] ? after_key : NULL;
        call.token_id = after_id[0] ? after_id : NULL;
        if (get_page(client, &call, "cannot list the uploads of", &answer, err) != 0)
            return -1;
        if (!client->protocol->uploads(answer, &uploads) || ++pages > UPLOAD_PAGES_MOST ||
            (uploads.more && strcmp(uploads.next_key, after_key) == 0 &&
             strcmp(uploads.next_id, after_id) == 0)) {
            uploads_free(&uploads);
            error_set(err, STATUS_TARGET, EPROTO, "cannot list the uploads of", prefix);
            return error_explain(err, "the server's list of uploads %s",
                                 pages > UPLOAD_PAGES_MOST ? "does not end"
                                                           : "cannot be understood");
        }
        for (size_t i = 0; i < uploads.count; i++)
            result |= abort_one(client, prefix, &uploads.upload[i], aborted, err);
        memcpy(after_key, uploads.next_key, sizeof(after_key));
        memcpy(after_id, uploads.next_id, sizeof(after_id));
        uploads_free(&uploads);
    } while (uploads.more);
    return result == 0 ? 0 : -1;
}

/* Late parts can keep an upload alive, and answers may be wrong: an aborted upload must not be
 * listed again. */
int object_client_abort_uploads(struct object_client *client, const char *prefix, uint64_t *aborted,
                                struct error *err)
{
    if (!object_can(client->service, OBJECT_UPLOAD_LIST))
        return 0;
    for (unsigned passes = 0;; passes++) {
        const uint64_t before = *aborted;

        if (abort_listed(client, prefix, aborted, err) != 0)
            return -1;
        if (*aborted == before)
            return 0;
        if (passes == ABORTS_MOST)
            break;
        if (passes > 0)
            clock_rest((uint64_t)ABORTS_NS << passes);
    }
    error_set(err, STATUS_TARGET, 0, "cannot abort the uploads of", prefix);
    error_explain(err, "the server says they are aborted, but still lists them");
    return error_advise(err, "their parts cost money until they are gone: clean again later");
}
