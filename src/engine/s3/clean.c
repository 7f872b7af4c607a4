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
#include "engine/clean.h"

#define KEYS_AT_ONCE 10000u /* that are listed before they are removed: memory stays bounded */
#define KEYS_FULL    1      /* what a visit returns then */
#define LATE_S       2      /* for what the server may still carry out */

struct removal {
    struct s3_removed removed;
    uint64_t listed_bytes; /* of the keys */
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
    removal->listed_bytes += size_bytes;
    return removal->count == KEYS_AT_ONCE ? KEYS_FULL : 0;
}

/* Lists some (their number: removal->count) and removes them.  Returns -1 on failure. */
static int remove_some(struct s3_client *client, const char *run_prefix, struct removal *removal,
                       struct error *err)
{
    int code;

    removal->count = 0;
    removal->listed_bytes = 0;
    removal->foreign = 0;
    free(removal->first_foreign);
    removal->first_foreign = NULL;
    code = s3_client_list(client, run_prefix, 0, visit_key, removal, NULL, err);
    if (code >= 0 && removal->count > 0 &&
        s3_client_delete(client, (const char *const *)removal->key, removal->count,
                         &removal->removed.objects, err) != 0)
        code = -1;
    else if (code >= 0)
        removal->removed.bytes += removal->listed_bytes;
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

/* What no run made stays, and with it the manifest: somebody has to look. */
static int leave_foreign(const struct s3_service *service, const struct removal *removal,
                         struct error *err)
{
    char *url = s3_service_url(service, removal->first_foreign), *what;

    what = mem_printf("%" PRIu64 " %s no run made %s left in place, the first:", removal->foreign,
                      removal->foreign == 1 ? "object that" : "objects that",
                      removal->foreign == 1 ? "is" : "are");
    error_set(err, STATUS_TARGET, ENOTEMPTY, what, url);
    error_explain(err, "it is not in the manifest of the run");
    error_advise(err, "look into it, remove it by hand and clean again");
    free(what);
    free(url);
    return -1;
}

int s3_clean_run(struct s3_client *client, const struct s3_service *service, const char *run_prefix,
                 const struct s3_manifest *manifest, bool uploads, struct s3_removed *removed,
                 struct error *err)
{
    struct removal removal = {.manifest = manifest, .prefix_length = strlen(run_prefix)};
    int code;

    removal.key = mem_calloc(KEYS_AT_ONCE, sizeof(*removal.key));
    code = remove_all(client, run_prefix, &removal, uploads, err);
    if (code >= 0 && atomic_load(&service->unsure) > 0) {
        s3_clean_pause();
        code = remove_all(client, run_prefix, &removal, uploads, err);
    }
    if (code >= 0 && removal.foreign > 0)
        code = leave_foreign(service, &removal, err);
    else if (code >= 0 && atomic_load(&service->dropped) > 0)
        code =
            S3_CLEAN_UNSURE; /* without the manifest nobody could remove what comes still later */
    else if (code >= 0)
        code = s3_manifest_remove(client, run_prefix, err);
    if (removed)
        *removed = removal.removed;
    free(removal.first_foreign);
    free(removal.key);
    return code;
}

/* ---- iosweep clean ---- */

struct cleaner {
    struct s3_client *client;
    const struct s3_service *service;
    struct clean_runs runs; /* data: the prefix, "PREFIX/iosweep-NAME/" */
};

static int visit_prefix(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                        struct error *err)
{
    struct cleaner *cleaner = arg;
    char run_name[S3_RUN_NAME_MAX + 1];
    struct clean_run *run;
    char *place;

    (void)size_bytes;
    (void)err;
    if (etag != NULL || !s3_run_of_prefix(key, run_name))
        return 0;
    place = s3_service_url(cleaner->service, key);
    place[strlen(place) - 1] = '\0'; /* "/" */
    run = clean_add(&cleaner->runs, mem_strdup(run_name), place);
    run->data = mem_strdup(key);
    return 0;
}

static int list_candidates(struct cleaner *cleaner, struct error *err)
{
    char *prefix = mem_printf("%s" S3_RUN_PREFIX, cleaner->service->address.prefix);
    struct s3_page *page = mem_calloc(1, sizeof(*page));
    char *token = mem_calloc(1, sizeof(page->token));
    struct s3_call call = {.kind = S3_LIST, .key = prefix, .delimiter = "/", .page = 1000};
    int code;

    do {
        const struct http_answer *answer;
        call.token = token[0] != '\0' ? token : NULL;
        code = s3_client_page(cleaner->client, &call, "cannot list", &answer, err);
        if (code == 0)
            code = s3_page_read(answer, page, visit_prefix, cleaner, err);
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

/* Reads the manifest of a candidate.  Returns 1, 0 when it has none (a run writes it first and removes
 * it last), or -1. */
static int read_manifest(const struct cleaner *cleaner, const struct clean_run *run,
                         struct s3_manifest *manifest, int64_t *age_s, struct error *err)
{
    bool invalid;

    switch (s3_manifest_get(cleaner->client, cleaner->service, run->data, manifest, age_s, &invalid,
                            err)) {
    case S3_MANIFEST_ABSENT:
        return 0;
    case S3_MANIFEST_READ:
        return 1;
    case S3_MANIFEST_ERROR:
        break;
    }
    if (invalid) {
        *err = ERROR_INIT;
        error_set(err, STATUS_TARGET, 0, "left in place:", run->place);
        error_advise(err, "its manifest is not valid; look into it and remove it by hand");
    }
    return -1;
}

/* Somebody renews it, or the server does not tell when it was renewed. */
static bool is_alive(const struct s3_manifest *manifest, int64_t age_s)
{
    return manifest->renew_s > 0 && age_s < (int64_t)s3_dead_s(manifest->renew_s);
}

static int64_t wait_of(const struct s3_manifest *manifest, int64_t age_s)
{
    return age_s < 0 ? 0 : (int64_t)s3_dead_s(manifest->renew_s) - age_s;
}

static void drop_run(struct clean_run *run)
{
    free(run->name);
    free(run->place);
    free(run->data);
}

/* The age of version 1 is that of its last change. */
static void note_state(const struct cleaner *cleaner, struct clean_run *run,
                       const struct s3_manifest *manifest, int64_t age_s)
{
    const int64_t now_s = (int64_t)time(NULL);

    run->alive = is_alive(manifest, age_s);
    run->wait_s = wait_of(manifest, age_s);
    if (manifest->version != 1)
        run->begun_s = manifest->begun_s - cleaner->service->clock_offset_s;
    else if (age_s >= 0)
        run->begun_s = now_s - age_s;
}

/* Those with a manifest stay in the list. */
static void look_at_manifests(struct cleaner *cleaner)
{
    size_t kept = 0;

    for (size_t i = 0; i < cleaner->runs.count; i++) {
        struct clean_run *run = &cleaner->runs.run[i];
        struct s3_manifest manifest = {.set = NULL};
        int64_t age_s = -1;
        const int found = read_manifest(cleaner, run, &manifest, &age_s, &run->why);

        if (found > 0)
            note_state(cleaner, run, &manifest, age_s);
        free(manifest.set);
        if (found == 0)
            drop_run(run);
        else
            cleaner->runs.run[kept++] = *run;
    }
    cleaner->runs.count = kept;
}

static int count_key(void *arg, const char *key, uint64_t size_bytes, const char *etag,
                     struct error *err)
{
    struct clean_run *run = arg;

    (void)err;
    if (etag == NULL || strcmp(key + strlen(run->data), S3_MANIFEST_NAME) == 0)
        return 0;
    run->objects++;
    run->bytes += size_bytes;
    return 0;
}

static int look(void *arg, struct clean_run *run, struct error *err)
{
    const struct cleaner *cleaner = arg;
    const int code =
        s3_client_list(cleaner->client, run->data, 0, count_key, run, NULL, err);

    return code < 0 ? -1 : 0;
}

static int remove_run(void *arg, struct clean_run *run, bool force, struct clean_outcome *outcome,
                      struct error *err)
{
    const struct cleaner *cleaner = arg;
    struct s3_removed removed = {0};
    struct s3_manifest manifest;
    int64_t age_s = -1;
    const int found = read_manifest(cleaner, run, &manifest, &age_s, err);
    int code;

    if (found <= 0)
        return found;
    if (!force && is_alive(&manifest, age_s))
        code = clean_refuse_alive(run->place, wait_of(&manifest, age_s), err);
    else
        code = s3_clean_run(cleaner->client, cleaner->service, run->data, &manifest, true, &removed,
                            err);
    outcome->objects += removed.objects;
    outcome->bytes += removed.bytes;
    free(manifest.set);
    return code == 0 ? 0 : -1;
}

static int find_runs(struct cleaner *cleaner, struct error *err)
{
    const char *prefix = cleaner->service->address.prefix;
    char run_name[S3_RUN_NAME_MAX + 1];
    int code = 0;

    if (s3_run_of_prefix(prefix, run_name)) /* the target is a run itself */
        code = visit_prefix(cleaner, prefix, 0, NULL, err);
    else
        code = list_candidates(cleaner, err);
    if (code == 0)
        look_at_manifests(cleaner);
    return code;
}

int s3_clean(const struct clean_request *request, struct clean_outcome *outcome, struct error *err)
{
    struct s3_service service = {0};
    struct s3_profile profile = {0};
    struct cleaner cleaner = {.service = &service};
    const struct clean_hooks hooks = {
        .arg = &cleaner, .noun = store_s3.noun, .look = look, .remove = remove_run};
    int code;

    if (s3_service_make(request->target, request->object, &service, &profile, err) != 0)
        return -1;
    atomic_store(&service.budget, UINT64_MAX); /* what is left behind would cost more */
    code = s3_client_create(&service, &s3_never_stop, &cleaner.client, err);
    if (code == 0)
        code = find_runs(&cleaner, err);
    if (code == 0 && cleaner.runs.count == 0 && request->run_name == NULL)
        log_info("# clean finds runs with the prefix that they had in their target "
                 "(s3://BUCKET/PREFIX)");
    if (code == 0)
        code = clean_carry_out(request, &hooks, &cleaner.runs, outcome, err);
    clean_free(&cleaner.runs);
    s3_client_destroy(cleaner.client);
    s3_service_free(&service, &profile);
    return code;
}
