/* SPDX-License-Identifier: GPL-2.0-or-later */
/* object.h - what the files of the s3 target share: target.c (hooks), sets.c (which objects),
 * found.c (-r), fill.c (uploads), forecast.c (what it will cost), clean.c (removal). */
#ifndef TARGET_OBJECT_OBJECT_H
#define TARGET_OBJECT_OBJECT_H

#include <pthread.h>

#include "base/pace.h"
#include "target/object/s3/bucket.h"
#include "target/object/manifest.h"
#include "target/object/price.h"

struct s3_store {
    struct s3_bucket bucket;     /* first */
    struct s3_profile profile;   /* owns strings that the service may use */
    struct s3_manifest manifest; /* of the run that is ours, or is read; sets as in bucket.set */
    pthread_mutex_t manifest_lock; /* what it says of sets, while the heartbeat runs */
    struct s3_heartbeat *heart;    /* NULL: none */
    bool made;                   /* the manifest is there: something is to be removed */
    bool uploads;                /* multipart uploads were begun */
    bool priced;
    struct s3_price price;
    struct s3_usage told; /* what the hook `summarise` has told */
    bool summarised;
    struct pace pace;
    uint64_t *lengths; /* target.length_bytes */
    char **names;      /* target.name; owned */
    pthread_mutex_t reader_lock;
    struct s3_client *reader; /* for read_back, made when needed; under the lock */
};

static inline struct s3_store *s3_store_of(const struct target *target)
{
    return (struct s3_store *)(uintptr_t)target;
}

/* ---- service.c: where requests go and who signs ---- */

/* signs: credentials must be there; else nothing will be sent.  Fills in all of a service but its
 * counters, which are 0; the profile owns strings of it.  Returns 0 or -1 (nothing to free). */
int s3_service_make(const char *target, const struct object_options *options, bool signs,
                    struct s3_service *service, struct s3_profile *profile, struct error *err);
void s3_service_free(struct s3_service *service, struct s3_profile *profile);

/* "s3://BUCKET/KEY", to be freed. */
char *s3_service_url(const struct s3_service *service, const char *key);

/* The command line that removes a run later, with the options that were given to reach it, quoted for
 * a shell; to be freed. */
char *s3_clean_command(const struct s3_service *service, const char *run_prefix);

/* For removing: it goes on after a signal. */
extern const volatile int s3_never_stop;

/* ---- the manifest object ---- */

enum s3_manifest_found { S3_MANIFEST_ERROR = -1, S3_MANIFEST_ABSENT, S3_MANIFEST_READ };

/* Gets PREFIX + "manifest" and reads it; its run must be the one that the prefix names.  ERROR with
 * *invalid (MAY be NULL) true: it is there, but not valid.  *age_s (MAY be NULL): since it was put,
 * by the server's clock; -1: it does not tell. */
enum s3_manifest_found s3_manifest_get(struct s3_client *client, const struct s3_service *service,
                                       const char *run_prefix, struct s3_manifest *manifest,
                                       int64_t *age_s, bool *invalid, struct error *err);

/* Puts the first one of a run: an object that is there is an error with errnum EEXIST, unless it is
 * this one, put by an attempt whose answer was lost. */
int s3_manifest_put(struct s3_client *client, const struct s3_service *service,
                    const char *run_prefix, const struct s3_manifest *manifest, struct error *err);

/* Puts it over the one with this ETag.  Another one there, or none, is an error with errnum ESTALE;
 * servers that do not know the condition put it over any. */
int s3_manifest_renew(struct s3_client *client, const char *run_prefix,
                      const struct s3_manifest *manifest, const char *etag, struct error *err);

/* Compares what is there byte by byte: 1: it is this manifest, 0: there is none, or another one; -1
 * with err. */
int s3_manifest_is(struct s3_client *client, const char *run_prefix,
                   const struct s3_manifest *manifest, struct error *err);

/* Removes it; that it is gone already is fine.  Returns 0 or -1. */
int s3_manifest_remove(struct s3_client *client, const char *run_prefix, struct error *err);

/* ---- heartbeat.c: a run of our own that goes on ---- */

#define S3_RENEW_S 20 /* between two renewals of the manifest; it says so itself */

/* Renews the manifest every S3_RENEW_S and when sets have become complete, until it is stopped.
 * target.lost tells that the run is not ours any more: then no request is sent.  Returns 0 or -1. */
int s3_heartbeat_start(struct s3_store *s3, struct error *err);
void s3_heartbeat_stop(struct s3_store *s3); /* none is fine */

enum s3_owner { S3_OWNER_UNKNOWN = -1, S3_OWNER_NOBODY, S3_OWNER_SELF, S3_OWNER_OTHER };

/* Whose manifest is there.  UNKNOWN: err says why.  etag (MAY be NULL): its ETag. */
enum s3_owner s3_run_owner(struct s3_store *s3, struct s3_client *client,
                           char etag[HTTP_FIELD_BYTES], struct error *err);

/* For changing the manifest of s3: pthread_mutex_unlock(&s3->manifest_lock) afterwards.  Returns 0,
 * or -1 when the run is to end. */
int s3_run_lock(struct s3_store *s3, struct error *err);

/* Puts the manifest with what is there now, when the one there is ours.  Returns 0 or -1; see
 * target.lost. */
int s3_run_renew(struct s3_store *s3, struct s3_client *client, struct error *err);

/* The error of a run that is lost.  Returns -1. */
int s3_run_lost(struct s3_store *s3, struct error *err);

/* Whether it is; marks it.  Unknown: no, and err says why. */
bool s3_run_is_lost(struct s3_store *s3, struct s3_client *client, struct error *err);

/* The end of a run that is lost: what it made since its manifest is gone is removed, once, unless
 * somebody else's manifest is there.  Returns -1. */
int s3_lost_end(struct s3_store *s3, struct s3_client *client, struct error *err);

/* ---- sets.c ---- */

/* Makes bucket.set, lengths and names of the manifest's sets below bucket.run_prefix. */
void s3_sets_make(struct s3_store *s3);

/* The same of objects that were found; takes over the keys. */
void s3_sets_make_found(struct s3_store *s3, char **key, const uint64_t *length_bytes,
                        uint32_t count);
void s3_sets_free(struct s3_store *s3);

/* "16 sets of 64 objects of 2 B to 64 KiB", to be freed. */
char *s3_sets_describe(const struct s3_store *s3);

/* The set and index of an object by its number in the target. */
const struct s3_set *s3_sets_find(const struct s3_store *s3, uint32_t number, uint32_t *index);

/* The hook `objects`. */
const char *s3_sets_objects(const struct target *target, enum io_test test, uint64_t size_bytes,
                            uint32_t *first, uint32_t *count);

/* ---- content.c: hooks ---- */

void s3_make_content(const struct target *target, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, uint32_t generation, void *buffer);
bool s3_check_content(const struct target *target, uint32_t object, uint64_t offset_bytes,
                      uint64_t size_bytes, uint32_t generation, const void *buffer,
                      struct target_mismatch *mismatch);
int64_t s3_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                     uint64_t size_bytes, bool direct, void *buffer);

/* ---- found.c ---- */

/* -r: fills in sets and the fields of the target that follow from them. */
int s3_found_open(struct s3_store *s3, struct error *err);

/* The sizes that the run which is meant has sets of, ascending, to be freed; none: no run is meant
 * or there.  Returns 0 or -1. */
int s3_found_sizes(struct s3_store *s3, uint64_t **size_bytes, size_t *count, struct error *err);

/* The hook `note`: "partial:49/64" where objects of a kept run are not all there. */
void s3_found_note(const struct target *target, enum io_test test, uint64_t size_bytes, char *text,
                   size_t room);

/* ---- fill.c ---- */

/* Longer objects are uploaded in parts of so many bytes at least. */
#define S3_FILL_PART_BYTES ((uint64_t)16 << 20)

/* Length of the parts that an object is filled in by: all of it when it goes in one request. */
uint64_t s3_fill_part(uint64_t size_bytes);

/* Uploads what is missing of the sets that a test reads.  *filled: their number.  Returns 0 or -1;
 * STATUS_PARTIAL with EINTR after a stop. */
int s3_fill(struct s3_store *s3, enum io_test test, uint64_t *filled, struct error *err);

/* Whether a test reads objects of a set that must be there before. */
bool s3_fill_wanted(const struct s3_store *s3, const struct s3_set *set, enum io_test test);

/* ---- forecast.c ---- */

struct s3_forecast {
    struct s3_usage fill, rows; /* at most; at least */
    double rows_most;           /* requests, where the operations of a row are given */
};

struct s3_forecast s3_forecast_make(const struct s3_store *s3);

/* Says what is about to be done; refuses when --max-requests does not even allow filling. */
int s3_forecast_tell(const struct s3_store *s3, struct error *err);

/* The hook `summarise`. */
void s3_forecast_summarise(const struct target *target);

/* What removing has used beside that, when the hook was called before. */
void s3_forecast_tell_removal(const struct s3_store *s3);

/* ---- removal.c ---- */

struct s3_removed {
    uint64_t objects, bytes;
};

/* Removes what the manifest names, and the manifest last; what it does not name is left, with the
 * manifest, and is an error (ENOTEMPTY).  own: the run is ours and has ended; NULL: somebody's.
 * uploads: some may be pending.  When requests may still be carried out (of somebody's run that did
 * not end, or service->unsure), all is looked at once more after a pause; when some were dropped, the manifest
 * stays, for `iosweep clean`.  What removing does not remove, or a list does not name, is told apart
 * and bounded.  *removed MAY be NULL.  Returns 0, S3_CLEAN_UNSURE (no error then: all that was
 * found is removed), or -1. */
#define S3_CLEAN_UNSURE 1
int s3_clean_run(struct s3_client *client, const struct s3_service *service, const char *run_prefix,
                 const struct s3_manifest *manifest, const struct s3_store *own, bool uploads,
                 struct s3_removed *removed, struct error *err);

/* Aborts the uploads in parts that the manifest's sets may have pending.  Returns 0 or -1. */
int s3_clean_uploads(struct s3_client *client, const char *run_prefix,
                     const struct s3_manifest *manifest, struct error *err);

/* Time for what the server may still carry out: 2 s, also after a signal. */
void s3_clean_pause(void);

/* ---- clean.c: the hook `clean` ---- */
int s3_clean(const struct clean_request *request, struct clean_outcome *outcome,
             struct error *err);

#endif
