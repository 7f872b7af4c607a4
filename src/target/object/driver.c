/* SPDX-License-Identifier: GPL-2.0-or-later */
/* driver.c - the `s3` target driver: a prefix of our own in a bucket with sets of objects for each
 * size, or, with -r, objects that exist.
 *
 * What is not ours is never written or removed: each key that is begins with the run's prefix,
 * which nobody else has because its manifest is the first object that is put there, on the
 * condition that there is none.  Removal follows the manifest, also after a signal; when the server
 * is gone, one line names what is left and how to remove it later. */
#include "base/compat.h"

#include "target/object/object.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/rng.h"
#include "os/os.h"

static bool s3_claims(const char *target)
{
    return strncmp(target, "s3://", 5) == 0;
}

/* ---- building and tearing down ---- */

static void free_target(struct s3_store *s3)
{
    struct s3_bucket *bucket = &s3->bucket;

    s3_client_destroy(s3->reader);
    s3_client_destroy(bucket->client);
    s3_service_free(&bucket->service, &s3->profile);
    s3_sets_free(s3);
    pattern_end(&bucket->pattern);
    pthread_mutex_destroy(&s3->reader_lock);
    pthread_mutex_destroy(&s3->manifest_lock);
    free(bucket->run_prefix);
    free(bucket->target.label);
    free(bucket->target.place);
    free(bucket->target.name_root);
    free(bucket->target.description);
    free(s3);
}

/* Two runs must not hold the same data, or the second is found by deduplication. */
static uint64_t seed_for(uint64_t seed, const char *bucket, const char *prefix)
{
    const char *const texts[] = {bucket, prefix};
    uint64_t state = seed;

    for (size_t i = 0; i < 2; i++)
        for (const char *c = texts[i]; *c != '\0'; c++) {
            state ^= (unsigned char)*c;
            state = rng_splitmix(&state);
        }
    return state;
}

static void set_place(struct s3_store *s3)
{
    const struct s3_address *address = &s3->bucket.service.address;
    const char *prefix = s3->bucket.run_prefix[0] != '\0' ? s3->bucket.run_prefix : address->prefix;
    const int length = (int)strlen(prefix);

    free(s3->bucket.target.place);
    free(s3->bucket.target.name_root);
    s3->bucket.target.name_root = s3_service_url(&s3->bucket.service, "");
    s3->bucket.target.place =
        mem_printf("s3://%s%s%.*s (%s)", address->bucket, length > 0 ? "/" : "",
                   length > 0 ? length - 1 : 0, prefix, address->endpoint);
}

/* ---- a run of our own ---- */

static void advise_clean(const struct s3_store *s3, const char *when, struct error *err)
{
    char *command = s3_clean_command(&s3->bucket.service, s3->bucket.run_prefix);
    char shown[1024];

    if (strlen(when) + strlen(command) + 3 <= sizeof(err->advice)) {
        error_advise(err, "%s: %s", when, command);
    } else { /* a command that is cut would do harm */
        log_warn("to remove what is left: %s", error_printable(command, shown, sizeof(shown)));
        error_advise(err, "%s: as said above", when);
    }
    free(command);
}

static int name_taken(const struct s3_store *s3, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0,
              "a run of this name is there already:", s3->bucket.target.place);
    advise_clean(s3, "choose another --run-name, read it with -r, or remove it", err);
    return -1;
}

static int cannot_write(struct error *err)
{
    if (err->errnum == EACCES)
        error_advise(err, "these credentials may not write there; use -r to read what is there");
    return -1;
}

/* Not every server keeps the condition of the PUT, so it is looked for first. */
static int take_name(struct s3_store *s3, struct error *err)
{
    struct s3_bucket *bucket = &s3->bucket;
    struct s3_manifest other;
    bool invalid = false;

    switch (s3_manifest_get(bucket->client, &bucket->service, bucket->run_prefix, &other, NULL,
                            &invalid, err)) {
    case S3_MANIFEST_READ:
        free(other.set);
        return name_taken(s3, err);
    case S3_MANIFEST_ERROR:
        if (invalid)
            return name_taken(s3, err);
        if (err->errnum != EACCES) /* 403 also stands for "not there, but you may not list" */
            return -1;
        break;
    case S3_MANIFEST_ABSENT:
        break;
    }
    return 0;
}

/* Nobody knows whether the first object was put, after a signal or without an answer: it is removed
 * if it is there and ours. */
static void take_back(struct s3_store *s3)
{
    struct s3_bucket *bucket = &s3->bucket;
    struct s3_client *client = NULL;
    struct error own = ERROR_INIT;
    char *command, shown[1024];
    int ours = -1;

    atomic_store(&bucket->service.budget, UINT64_MAX);
    if (s3_client_create(&bucket->service, &s3_never_stop, &client, &own) == 0)
        ours = s3_manifest_is(client, bucket->run_prefix, &s3->manifest, &own);
    if (ours == 0) {
        s3_clean_pause();
        ours = s3_manifest_is(client, bucket->run_prefix, &s3->manifest, &own);
    }
    if (ours > 0)
        ours = s3_manifest_remove(client, bucket->run_prefix, &own) == 0 ? 1 : -1;
    s3_client_destroy(client);
    if (ours > 0)
        return;
    command = s3_clean_command(&bucket->service, bucket->run_prefix);
    log_warn("the manifest of this run may be left; to remove it: %s",
             error_printable(command, shown, sizeof(shown)));
    free(command);
}

static int put_first(struct s3_store *s3, struct error *err)
{
    const struct s3_service *service = &s3->bucket.service;
    struct error own = ERROR_INIT;
    uint64_t unsure;

    if (take_name(s3, &own) != 0) {
        *err = own;
        return -1;
    }
    own = ERROR_INIT;
    unsure = atomic_load(&service->unsure);
    if (s3_manifest_put(s3->bucket.client, service, s3->bucket.run_prefix, &s3->manifest, &own) == 0) {
        s3->made = true;
        return 0;
    }
    if (own.errnum != EEXIST && atomic_load(&service->unsure) > unsure)
        take_back(s3);
    *err = own;
    return own.errnum == EEXIST ? name_taken(s3, err) : cannot_write(err);
}

static int open_own(struct s3_store *s3, struct error *err)
{
    struct s3_bucket *bucket = &s3->bucket;
    const struct target_request *request = bucket->target.request;
    const struct object_options *options = request->object;
    const char *run_name = request->run_name;

    memcpy(s3->manifest.run_name, run_name, strlen(run_name) + 1);
    free(bucket->run_prefix);
    bucket->run_prefix =
        mem_printf("%s" S3_RUN_PREFIX "%s/", bucket->service.address.prefix, run_name);
    set_place(s3);
    s3->manifest.seed = seed_for(request->seed, bucket->service.address.bucket, bucket->run_prefix);
    if (s3_manifest_plan(&s3->manifest, request->tests, request->size_bytes, request->size_count,
                         options, err) != 0)
        return -1;
    bucket->target.ours = true;
    bucket->target.writable = true;
    s3_sets_make(s3);
    bucket->target.content_known = request->verify;
    if (request->dry_run)
        return 0;
    s3->manifest.renew_s = S3_RENEW_S;
    s3->manifest.owner = os_random_number();
    s3->manifest.begun_s = (int64_t)time(NULL) + bucket->service.clock_offset_s;
    if (s3_forecast_tell(s3, err) != 0 ||
        pattern_start(&bucket->pattern, s3->manifest.seed, err) != 0 || put_first(s3, err) != 0)
        return -1;
    if (s3_heartbeat_start(s3, err) == 0)
        return 0;
    take_back(s3);
    s3->made = false;
    return -1;
}

/* ---- open ---- */

static int check_run_name(const struct target_request *request, struct error *err)
{
    const char *name = request->run_name;

    if (s3_run_name_valid(name))
        return 0;
    error_set(err, STATUS_USAGE, 0, "not a name for a run:", name);
    return error_advise(err, "1 to %u of the characters A-Z a-z 0-9 . _ -", S3_RUN_NAME_MAX);
}

static int open_by_kind(struct s3_store *s3, struct error *err)
{
    struct s3_bucket *bucket = &s3->bucket;
    const struct target_request *request = bucket->target.request;
    const struct object_options *options = request->object;

    if (check_run_name(request, err) != 0 ||
        s3_service_make(request->target, options, !request->plan || request->existing,
                        &bucket->service, &s3->profile, err) != 0)
        return -1;
    set_place(s3);
    if (options->price_file != NULL) {
        if (s3_price_read(options->price_file, &s3->price, err) != 0)
            return -1;
        s3->priced = true;
    }
    /* A dry run sends nothing, but -r has to know what there is. */
    if ((!request->dry_run || request->existing) &&
        s3_client_create(&bucket->service, request->stop, &bucket->client, err) != 0)
        return -1;
    if (!request->existing)
        return open_own(s3, err);
    if (s3_found_open(s3, err) != 0)
        return -1;
    return request->dry_run ? 0 : s3_forecast_tell(s3, err);
}

static struct s3_store *new_target(const struct target_request *request)
{
    struct s3_store *s3 = mem_calloc(1, sizeof(*s3));
    struct target *target = &s3->bucket.target;

    target->driver = &target_s3;
    target->request = request;
    target->label = mem_strdup(request->target);
    target->dir_fd = -1;
    target->remote = true;
    s3->bucket.run_prefix = mem_strdup("");
    pthread_mutex_init(&s3->reader_lock, NULL);
    pthread_mutex_init(&s3->manifest_lock, NULL);
    return s3;
}

static int s3_open(const struct target_request *request, struct target **out, struct error *err)
{
    struct s3_store *s3 = new_target(request);

    *out = NULL;
    if (open_by_kind(s3, err) != 0) {
        free_target(s3);
        return -1;
    }
    s3->bucket.target.description = s3_sets_describe(s3);
    *out = &s3->bucket.target;
    return 0;
}

static int s3_kept_sizes(const struct target_request *request, uint64_t **size_bytes, size_t *count,
                         struct error *err)
{
    struct s3_store *s3 = new_target(request);
    struct s3_bucket *bucket = &s3->bucket;
    int code = -1;

    if (check_run_name(request, err) == 0 &&
        s3_service_make(request->target, request->object, true, &bucket->service, &s3->profile,
                        err) == 0 &&
        s3_client_create(&bucket->service, request->stop, &bucket->client, err) == 0)
        code = s3_found_sizes(s3, size_bytes, count, err);
    free_target(s3);
    return code;
}

/* ---- before a part ---- */

/* The sets that a test writes other data to than the pattern, when nothing is to be verified. */
static bool mark_written(struct s3_store *s3, enum io_test test)
{
    const struct target_request *request = s3->bucket.target.request;
    bool changed = false;

    for (size_t i = 0; i < request->size_count; i++) {
        const struct s3_set *set = s3_bucket_set(&s3->bucket, test, request->size_bytes[i]);
        enum s3_set_state *state = set ? &s3->manifest.set[set - s3->bucket.set].state : NULL;
        if (set == NULL || *state == S3_SET_WRITTEN)
            continue;
        *state = S3_SET_WRITTEN;
        changed = true;
    }
    return changed;
}

/* What is filled in now: whether the manifest says so. */
static bool says_filled(const struct s3_store *s3)
{
    for (unsigned i = 0; i < s3->bucket.set_count; i++)
        if (s3->bucket.set[i].count > 0 && s3->manifest.set[i].state == S3_SET_PLANNED &&
            s3_set_complete(&s3->bucket.set[i]))
            return false;
    return true;
}

/* Before other data than the pattern is written, the manifest has to say so. */
static int tell_written(struct s3_store *s3, enum io_test test, struct error *err)
{
    bool changed;

    if (s3_run_lock(s3, err) != 0)
        return -1;
    changed = mark_written(s3, test);
    pthread_mutex_unlock(&s3->manifest_lock);
    return changed ? s3_run_renew(s3, s3->bucket.client, err) : 0;
}

static int tell_filled(struct s3_store *s3, struct error *err)
{
    bool said;

    if (s3_run_lock(s3, err) != 0)
        return -1;
    said = says_filled(s3);
    pthread_mutex_unlock(&s3->manifest_lock);
    return said ? 0 : s3_run_renew(s3, s3->bucket.client, err);
}

static void abort_left(struct s3_store *s3)
{
    struct s3_bucket *bucket = &s3->bucket;
    struct error ignored = ERROR_INIT; /* close does it again, and tells */
    const uint64_t left = atomic_exchange(&bucket->uploads_left, 0);

    if (left > 0 &&
        s3_clean_uploads(bucket->client, bucket->run_prefix, &s3->manifest, &ignored) != 0)
        atomic_fetch_add(&bucket->uploads_left, left);
}

static int prepare_own(struct s3_store *s3, enum io_test test, struct error *err)
{
    uint64_t filled;

    abort_left(s3);
    if (test_writes(test)) {
        s3->uploads = s3->uploads || test != TEST_WRITE;
        return s3->bucket.target.request->verify ? 0 : tell_written(s3, test, err);
    }
    if (s3_fill(s3, test, &filled, err) != 0)
        return -1;
    return tell_filled(s3, err);
}

static int s3_prepare(struct target *target, enum cache_mode mode, enum io_test test,
                      struct error *err)
{
    struct s3_store *s3 = s3_store_of(target);

    (void)mode; /* there is no cache of this machine in between */
    if (!target->ours || target->request->dry_run)
        return 0;
    if (prepare_own(s3, test, err) == 0)
        return 0;
    return atomic_load(&target->lost) ? s3_run_lost(s3, err) : -1;
}

/* ---- close ---- */

static int left_behind(const struct s3_store *s3, struct error *err)
{
    const struct error why = *err;
    char text[1024];

    log_step("# %s", error_format(err, text, sizeof(text)));
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, why.errnum, "objects are left in", s3->bucket.target.place);
    if (why.reason[0] != '\0')
        error_explain(err, "%s", why.reason);
    advise_clean(s3, "when the server answers again", err);
    return -1;
}

/* All that could be seen is removed. */
static int may_appear(const struct s3_store *s3, struct error *err)
{
    *err = ERROR_INIT;
    error_set(err, STATUS_TARGET, 0,
              "the server did not answer in time, objects may still appear in",
              s3->bucket.target.place);
    advise_clean(s3, "then remove them", err);
    return -1;
}

/* What is kept is complete, but for uploads in parts that nobody will complete. */
static int end_kept(struct s3_store *s3, struct s3_client *client, struct error *err)
{
    struct error own = ERROR_INIT;
    char text[1024];

    if (s3->uploads && s3_clean_uploads(client, s3->bucket.run_prefix, &s3->manifest, &own) != 0)
        log_warn("uploads may be left pending: %s", error_format(&own, text, sizeof(text)));
    s3->manifest.renew_s = 0;
    return s3_run_renew(s3, client, err);
}

/* What is removed later can be removed at once. */
static void tell_ended(struct s3_store *s3, struct s3_client *client)
{
    struct error ignored = ERROR_INIT;

    s3->manifest.renew_s = 0;
    (void)s3_run_renew(s3, client, &ignored);
}

static int end_with(struct s3_store *s3, struct s3_client *client, struct error *err)
{
    struct s3_bucket *bucket = &s3->bucket;
    struct error ignored = ERROR_INIT;
    int code;

    if (atomic_load(&bucket->target.lost) || s3_run_is_lost(s3, client, &ignored))
        return s3_lost_end(s3, client, err);
    if (bucket->target.request->keep)
        return end_kept(s3, client, err);
    code = s3_clean_run(client, &bucket->service, bucket->run_prefix, &s3->manifest, s3,
                        s3->uploads, NULL, err);
    if (code == S3_CLEAN_UNSURE || (code < 0 && err->errnum != ETIMEDOUT))
        tell_ended(s3, client);
    return code;
}

/* With a client of its own: the other one gives up at once after a signal. */
static int end_run(struct s3_store *s3, struct error *err)
{
    struct s3_bucket *bucket = &s3->bucket;
    const bool keep = bucket->target.request->keep;
    struct s3_client *client = NULL;
    struct error own = ERROR_INIT;
    int code;

    s3_heartbeat_stop(s3);
    atomic_store(&bucket->service.budget, UINT64_MAX);
    code = s3_client_create_cleaner(&bucket->service, bucket->target.request->stop, &client, &own);
    if (code == 0)
        code = end_with(s3, client, &own);
    s3_client_destroy(client);
    if (code == 0 && !keep)
        s3_forecast_tell_removal(s3);
    if (code == 0)
        return 0;
    if (code == S3_CLEAN_UNSURE)
        return may_appear(s3, err);
    *err = own;
    return keep || own.errnum == ENOTEMPTY || atomic_load(&bucket->target.lost)
               ? -1
               : left_behind(s3, err);
}

static int s3_close(struct target *target, struct error *err)
{
    struct s3_store *s3 = s3_store_of(target);
    char place[1024], shown[1024], *command;
    int code = 0;

    if (target == NULL)
        return 0;
    if (s3->made)
        code = end_run(s3, err);
    if (s3->made && target->request->keep && !atomic_load(&target->lost)) {
        command = s3_clean_command(&s3->bucket.service, s3->bucket.run_prefix);
        log_info("# objects are kept in %s; to remove them: %s",
                 error_printable(target->place, place, sizeof(place)),
                 error_printable(command, shown, sizeof(shown)));
        free(command);
    }
    free_target(s3);
    return code;
}

const struct target_driver target_s3 = {
    .name = "s3",
    .noun = "object",
    .clean = s3_clean,
    .claims = s3_claims,
    .open = s3_open,
    .prepare = s3_prepare,
    .objects = s3_sets_objects,
    .kept_sizes = s3_kept_sizes,
    .note = s3_found_note,
    .summarise = s3_forecast_summarise,
    .make_content = s3_make_content,
    .check_content = s3_check_content,
    .read_back = s3_read_back,
    .close = s3_close,
};
