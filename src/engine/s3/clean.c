/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clean.c - removes runs from a bucket: what a manifest names, and the manifest last, so that an
 * interrupted removal can be taken up again.  Keys come from a listing of the run's own prefix and
 * must be names that the manifest can have; whatever else lies there is somebody else's and stays.
 */
#include "base/compat.h"

#include "engine/s3/store_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"
#include "base/mem.h"

#define KEYS_AT_ONCE 10000u /* that are listed before they are removed: memory stays bounded */
#define KEYS_FULL    1      /* what a visit returns then */
#define LATE_S       2      /* for what the server may still carry out */

struct removal {
    uint64_t removed;
    const struct s3_manifest *manifest;
    size_t prefix_length;
    char **key;
    size_t count;
    uint64_t foreign;
    char *first_foreign;
};

static int visit_key(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                     struct error *err)
{
    struct removal *removal = arg;
    uint64_t object;
    unsigned set;

    (void)size_bytes;
    (void)etag;
    (void)err;
    if (strcmp(key + removal->prefix_length, S3_MANIFEST_NAME) == 0)
        return 0;
    if (!s3_manifest_owns(removal->manifest, key + removal->prefix_length, &set, &object)) {
        if (removal->foreign++ == 0)
            removal->first_foreign = mem_strdup(key);
        return 0;
    }
    removal->key[removal->count++] = mem_strdup(key);
    return removal->count == KEYS_AT_ONCE ? KEYS_FULL : 0;
}

/* Lists some (their number: removal->count) and removes them.  Returns -1 on failure. */
static int remove_some(struct s3_client *client, const char *run_prefix, struct removal *removal,
                       struct error *err)
{
    int code;

    removal->count = 0;
    removal->foreign = 0;
    free(removal->first_foreign);
    removal->first_foreign = NULL;
    code = s3_client_list(client, run_prefix, 0, visit_key, removal, NULL, err);
    if (code >= 0 && removal->count > 0 &&
        s3_client_delete(client, (const char *const *)removal->key, removal->count,
                         &removal->removed, err) != 0)
        code = -1;
    for (size_t i = 0; i < removal->count; i++)
        free(removal->key[i]);
    return code;
}

/* Tests upload in parts, and so does filling with long objects. */
static bool has_uploads(const struct s3_manifest_set *set)
{
    return set->count > 0 && (set->kind == S3_SET_MULTIPART || set->kind == S3_SET_APPEND ||
                              set->size_bytes > S3_FILL_PART_BYTES);
}

static bool makes_uploads(const struct s3_manifest *manifest)
{
    for (unsigned i = 0; i < manifest->set_count; i++)
        if (has_uploads(&manifest->set[i]))
            return true;
    return false;
}

int s3_clean_uploads(struct s3_client *client, const char *run_prefix,
                     const struct s3_manifest *manifest, struct error *err)
{
    char directory[S3_SET_DIRECTORY_MAX], key[S3_KEY_BYTES];
    uint64_t aborted = 0;
    bool lists_prefixes;
    int code;

    if (!makes_uploads(manifest))
        return 0;
    code = s3_client_abort_uploads(client, run_prefix, &aborted, err);
    lists_prefixes = aborted > 0; /* not every server: MinIO wants the whole name */
    for (unsigned i = 0; code == 0 && !lists_prefixes && i < manifest->set_count; i++) {
        const struct s3_manifest_set *plan = &manifest->set[i];
        struct s3_set set = {.kind = plan->kind};
        if (!has_uploads(plan))
            continue;
        set.prefix = mem_printf("%s%s", run_prefix, s3_set_directory(plan, directory));
        for (uint32_t k = 0; code == 0 && k < plan->count; k++)
            code = s3_client_abort_uploads(client, s3_bucket_key(&set, k, key), &aborted, err);
        free(set.prefix);
    }
    return code;
}

static int remove_all(struct s3_client *client, const char *run_prefix, struct removal *removal,
                      bool uploads, struct error *err)
{
    int code;

    do /* until nothing is found: what was under way when the run ended can arrive late */
        code = remove_some(client, run_prefix, removal, err);
    while (code >= 0 && removal->count > 0);
    return code >= 0 && uploads ? s3_clean_uploads(client, run_prefix, removal->manifest, err)
                                : code;
}

void s3_clean_pause(void)
{
    struct timespec left = {.tv_sec = LATE_S};

    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

int s3_clean_run(struct s3_client *client, const struct s3_service *service, const char *run_prefix,
                 const struct s3_manifest *manifest, bool uploads, uint64_t *removed,
                 struct error *err)
{
    struct removal removal = {.manifest = manifest, .prefix_length = strlen(run_prefix)};
    char shown[S3_KEY_BYTES], *url;
    int code;

    removal.key = mem_calloc(KEYS_AT_ONCE, sizeof(*removal.key));
    code = remove_all(client, run_prefix, &removal, uploads, err);
    if (code >= 0 && atomic_load(&service->unsure) > 0) {
        s3_clean_pause();
        code = remove_all(client, run_prefix, &removal, uploads, err);
    }
    if (code >= 0 && atomic_load(&service->dropped) > 0)
        code =
            S3_CLEAN_UNSURE; /* without the manifest nobody could remove what comes still later */
    else if (code >= 0)
        code = s3_manifest_remove(client, run_prefix, err);
    if (removal.foreign > 0) {
        url = s3_service_url(service, removal.first_foreign);
        log_warn("%" PRIu64 " %s no run made %s left in place: %s", removal.foreign,
                 removal.foreign == 1 ? "object that" : "objects that",
                 removal.foreign == 1 ? "is" : "are", error_printable(url, shown, sizeof(shown)));
        free(url);
    }
    if (removed)
        *removed += removal.removed;
    free(removal.first_foreign);
    free(removal.key);
    return code;
}

/* ---- iosweep clean ---- */

struct candidates {
    char **prefix; /* "PREFIX/iosweep-NAME/" */
    size_t count, room;
};

static int visit_prefix(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                        struct error *err)
{
    struct candidates *candidates = arg;
    char run_name[S3_RUN_NAME_MAX + 1];

    (void)size_bytes;
    (void)err;
    if (etag != NULL || !s3_run_of_prefix(key, run_name))
        return 0;
    if (candidates->count == candidates->room) {
        candidates->room = candidates->room == 0 ? 16 : candidates->room * 2;
        candidates->prefix =
            mem_realloc_array(candidates->prefix, candidates->room, sizeof(*candidates->prefix));
    }
    candidates->prefix[candidates->count++] = mem_strdup(key);
    return 0;
}

static int list_candidates(struct s3_client *client, const struct s3_service *service,
                           struct candidates *candidates, struct error *err)
{
    char *prefix = mem_printf("%s" S3_RUN_PREFIX, service->address.prefix);
    struct s3_page *page = mem_calloc(1, sizeof(*page));
    char *token = mem_calloc(1, sizeof(page->token));
    struct s3_call call = {.kind = S3_LIST, .key = prefix, .delimiter = "/", .page = 1000};
    int code;

    do {
        const struct http_answer *answer;
        call.token = token[0] != '\0' ? token : NULL;
        code = s3_client_page(client, &call, "cannot list", &answer, err);
        if (code == 0)
            code = s3_page_read(answer, page, visit_prefix, candidates, err);
        if (code == 0 && page->more && strcmp(token, page->token) == 0) {
            error_set(err, STATUS_TARGET, EPROTO,
                      "the server lists the same keys for ever:", prefix);
            code = -1;
        }
        memcpy(token, page->token, sizeof(page->token));
    } while (code == 0 && page->more);
    free(token);
    free(page);
    free(prefix);
    return code;
}

struct cleaned { /* what was removed */
    unsigned runs;
    uint64_t objects;
};

/* Removes the run with this prefix when it has a manifest. */
static int clean_one(struct s3_client *client, const struct s3_service *service, const char *prefix,
                     struct cleaned *cleaned, struct error *err)
{
    struct s3_manifest manifest;
    bool invalid;
    char *url;
    int code;

    switch (s3_manifest_get(client, service, prefix, &manifest, &invalid, err)) {
    case S3_MANIFEST_ABSENT:
        return 0; /* none of ours: a run writes it first and removes it last */
    case S3_MANIFEST_ERROR:
        if (invalid) {
            *err = ERROR_INIT;
            url = s3_service_url(service, prefix);
            error_set(err, STATUS_TARGET, 0, "left in place:", url);
            error_advise(err, "its manifest is not valid; look into it and remove it by hand");
            free(url);
        }
        return -1;
    case S3_MANIFEST_READ:
        break;
    }
    code = s3_clean_run(client, service, prefix, &manifest, true, &cleaned->objects, err);
    free(manifest.set);
    if (code == 0)
        cleaned->runs++;
    return code;
}

static int clean_all(struct s3_client *client, const struct s3_service *service,
                     struct cleaned *cleaned, struct error *err)
{
    struct candidates candidates = {0};
    int code = list_candidates(client, service, &candidates, err);

    for (size_t i = 0; i < candidates.count; i++) {
        struct error own = ERROR_INIT;
        if (clean_one(client, service, candidates.prefix[i], cleaned, &own) != 0) {
            code = -1;
            if (!error_is_set(err))
                *err = own;
        }
        free(candidates.prefix[i]);
    }
    free(candidates.prefix);
    return code;
}

static void tell_cleaned(const char *target, const struct cleaned *cleaned, int code)
{
    char text[1024];

    error_printable(target, text, sizeof(text));
    if (cleaned->runs > 0 || cleaned->objects > 0)
        log_info("# %s: %" PRIu64 " object%s of %u run%s removed", text, cleaned->objects,
                 cleaned->objects == 1 ? "" : "s", cleaned->runs, cleaned->runs == 1 ? "" : "s");
    else if (code == 0)
        log_info("# %s: no run is there, nothing removed; with the prefix that a run had in its "
                 "target (s3://BUCKET/PREFIX) clean finds it",
                 text);
}

int s3_clean(const char *target, const struct object_options *options, unsigned *removed,
             struct error *err)
{
    struct cleaned cleaned = {0};
    struct s3_service service = {0};
    struct s3_profile profile = {0};
    struct s3_client *client = NULL;
    char run_name[S3_RUN_NAME_MAX + 1];
    int code;

    *removed = 0;
    if (s3_service_make(target, options, &service, &profile, err) != 0)
        return -1;
    atomic_store(&service.budget, UINT64_MAX); /* what is left behind would cost more */
    code = s3_client_create(&service, &s3_never_stop, &client, err);
    if (code == 0 && s3_run_of_prefix(service.address.prefix, run_name))
        code = clean_one(client, &service, service.address.prefix, &cleaned, err);
    else if (code == 0)
        code = clean_all(client, &service, &cleaned, err);
    *removed = cleaned.runs;
    tell_cleaned(target, &cleaned, code);
    s3_client_destroy(client);
    s3_service_free(&service, &profile);
    return code;
}
