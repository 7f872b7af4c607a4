/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.c - the sets of a run in a store, the names of its objects, and their content, which
 * --verify expects. */
#include "base/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "storage/object/object.h"
#include "storage/object/operation.h"

#define SET_OBJECTS  64u
#define SET_BYTES    (UINT64_C(256) << 20)
#define DIGITS_LEAST 6u /* of object numbers in keys */
#define DIGITS_MOST  20u

bool object_run_of_prefix(const char *prefix, char run_name[TARGET_RUN_NAME_MAX + 1])
{
    const size_t length = strlen(prefix), word = sizeof(LIFE_PREFIX) - 1;
    size_t begin = length > 0 ? length - 1 : 0;

    while (begin > 0 && prefix[begin - 1] != '/')
        begin--;
    if (length < begin + word + 2 || length - begin - word - 1 > TARGET_RUN_NAME_MAX ||
        prefix[length - 1] != '/' || strncmp(prefix + begin, LIFE_PREFIX, word) != 0)
        return false;
    memcpy(run_name, prefix + begin + word, length - begin - word - 1);
    run_name[length - begin - word - 1] = '\0';
    return target_run_name_valid(run_name);
}

/* ---- which sets ---- */

uint32_t object_set_objects(uint64_t wanted, uint64_t size_bytes)
{
    uint64_t count = SET_BYTES / (size_bytes > 0 ? size_bytes : 1);

    if (wanted > 0)
        return wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
    if (count > SET_OBJECTS)
        count = SET_OBJECTS;
    return count > 0 ? (uint32_t)count : 1;
}

static void add_set(struct life_manifest *manifest, enum life_kind kind, uint64_t size_bytes,
                    uint64_t wanted)
{
    manifest->set[manifest->set_count++] = (struct life_set){
        .kind = kind,
        .size_bytes = size_bytes,
        .count = life_kind_counted(kind) ? object_set_objects(wanted, size_bytes) : 0,
        .content = object_set_grows(kind) ? LIFE_WRITTEN : LIFE_PATTERN,
    };
}

static void drop_doubles(struct life_manifest *manifest)
{
    unsigned kept = 0;

    qsort(manifest->set, manifest->set_count, sizeof(*manifest->set), life_set_order);
    for (unsigned i = 0; i < manifest->set_count; i++)
        if (i == 0 || life_set_order(&manifest->set[i], &manifest->set[kept - 1]) != 0)
            manifest->set[kept++] = manifest->set[i];
    manifest->set_count = kept;
}

static bool any_of_kind(const struct object_options *options, unsigned tests, enum life_kind kind)
{
    for (unsigned test = 0; test < TEST_COUNT; test++)
        if ((tests & 1u << test) && object_set_kind(options, (enum io_test)test) == kind)
            return true;
    return kind == LIFE_COPY && (tests & 1u << TEST_COPY);
}

int object_manifest_plan(struct life_manifest *manifest, unsigned tests, const uint64_t *size_bytes,
                         size_t size_count, const struct object_options *options, unsigned ranged,
                         struct error *err)
{
    const unsigned whole = tests & ~ranged;

    manifest->set_count = 0;
    manifest->set = mem_calloc(size_count * LIFE_KINDS + 1, sizeof(*manifest->set));
    for (size_t i = 0; i < size_count; i++)
        for (int kind = 0; kind < LIFE_KINDS; kind++)
            if (any_of_kind(options, whole, (enum life_kind)kind))
                add_set(manifest, (enum life_kind)kind, size_bytes[i], options->objects);
    if (tests & ranged)
        add_set(manifest, LIFE_RANGED, options->object_bytes, options->objects);
    drop_doubles(manifest);
    if (!life_sets_fault(manifest))
        return 0;
    free(manifest->set);
    *manifest = (struct life_manifest){0};
    return error_refuse(
        err, STATUS_USAGE, "cannot create these sets of objects, wrong:", life_sets_fault(manifest),
        "use 1 to %u sets with at most %u objects in total: fewer sizes or tests, or a smaller "
        "--objects",
        LIFE_SETS_MAX, LIFE_OBJECTS_MAX);
}

/* ---- names ---- */

char *object_set_directory(const struct life_set *set, char text[OBJECT_SET_DIRECTORY_MAX])
{
    if (set->kind == LIFE_WHOLE)
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "%" PRIu64 "/", set->size_bytes);
    else if (set->kind == LIFE_RANGED)
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "object/");
    else
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "%s-%" PRIu64 "/", life_kind_word(set->kind),
                 set->size_bytes);
    return text;
}

char *object_set_prefix(const char *run_prefix, const struct life_set *set)
{
    char directory[OBJECT_SET_DIRECTORY_MAX];

    return mem_printf("%s%s", run_prefix, object_set_directory(set, directory));
}

/* A number without sign, blanks or (unless padded to `padded` digits) leading zeros. */
static bool read_number(const char *digits, size_t length, size_t padded, uint64_t *number)
{
    const char *at = digits;

    if (length == 0 || length > DIGITS_MOST || length < padded ||
        (digits[0] == '0' && length > (padded > 0 ? padded : 1)))
        return false;
    return number_take_before(&at, digits + length, number) && at == digits + length;
}

/* Kind and size of the set with this directory, "rename-4096". */
static bool read_directory(const struct life_manifest *manifest, const char *name, size_t length,
                           struct life_set *set)
{
    const char *dash = memchr(name, '-', length);

    if (length == 6 && strncmp(name, "object", length) == 0) {
        set->kind = LIFE_RANGED;
        for (unsigned i = 0; i < manifest->set_count; i++)
            if (manifest->set[i].kind == LIFE_RANGED)
                set->size_bytes = manifest->set[i].size_bytes;
        return true;
    }
    set->kind = LIFE_WHOLE;
    if (!dash)
        return read_number(name, length, 0, &set->size_bytes);
    for (unsigned kind = LIFE_APPEND; kind < LIFE_FOUND; kind++)
        if (strlen(life_kind_word((enum life_kind)kind)) == (size_t)(dash - name) &&
            strncmp(name, life_kind_word((enum life_kind)kind), (size_t)(dash - name)) == 0)
            set->kind = (enum life_kind)kind;
    return set->kind != LIFE_WHOLE &&
           read_number(dash + 1, length - (size_t)(dash + 1 - name), 0, &set->size_bytes);
}

bool object_manifest_owns(const struct life_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object)
{
    const char *slash = strchr(name, '/');
    struct life_set wanted = {0};
    const struct life_set *found;

    if (!slash || !read_directory(manifest, name, (size_t)(slash - name), &wanted) ||
        !read_number(slash + 1, strlen(slash + 1), DIGITS_LEAST, object))
        return false;
    found = bsearch(&wanted, manifest->set, manifest->set_count, sizeof(wanted), life_set_order);
    if (!found || (life_kind_counted(found->kind) && *object >= found->count))
        return false;
    *set = (unsigned)(found - manifest->set);
    return true;
}

enum object_standing object_manifest_judge(const struct life_manifest *manifest, unsigned set,
                                           const struct object_service *service,
                                           uint64_t size_bytes)
{
    const struct life_set *plan = &manifest->set[set];
    const bool data = object_put_verb(plan->kind) == OBJECT_PUT;
    const bool pieces = !object_can(service, OBJECT_UPLOAD_BEGIN) &&
                        (plan->kind == LIFE_APPEND || plan->size_bytes > OBJECT_FILL_PART_BYTES);
    const bool cut =
        data && plan->kind != LIFE_APPEND && size_bytes > 0 && size_bytes < plan->size_bytes;

    if (data ? size_bytes != plan->size_bytes &&
                   (size_bytes > plan->size_bytes || !(service->gradual || pieces))
             : size_bytes > 0)
        return cut ? OBJECT_CHANGED : OBJECT_FOREIGN;
    /* if objects are put in one piece; otherwise objects begun when the run ended are short */
    return cut && service->gradual && !manifest->state.running && plan->made > 0 ? OBJECT_CHANGED
                                                                                 : OBJECT_OWN;
}

/* ---- content ---- */

/* The number that determines an object's content; *ranges: parts may have been overwritten. */
static uint64_t content_of(const struct object_store *store, uint64_t object, bool *ranges)
{
    const struct object_set *set;
    uint32_t index;

    *ranges = false;
    if (object >= store->target.object_count) /* created by an operation */
        return object;
    set = object_sets_find(store, (uint32_t)object, &index);
    *ranges = set->ranges;
    return set->kind == LIFE_CREATE
               ? pattern_new_file(set->size_bytes, object_set_number(set, index))
               : set->content + object_set_number(set, index);
}

void object_make_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, uint32_t generation, void *buffer)
{
    const struct object_store *store = object_store_of(target);
    bool ranges;

    pattern_make(&store->pattern, content_of(store, object, &ranges), offset_bytes,
                 (size_t)size_bytes, generation, buffer);
}

/* Objects that are put as a whole have one generation. */
bool object_check_content(const struct target *target, uint64_t object, uint64_t offset_bytes,
                          uint64_t size_bytes, unsigned may, const void *buffer,
                          struct target_mismatch *mismatch)
{
    static const struct pattern_cuts none = {{0}};
    const struct object_store *store = object_store_of(target);
    bool ranges;
    const uint64_t content = content_of(store, object, &ranges);

    return pattern_agrees(&store->pattern, content, offset_bytes, size_bytes, may,
                          ranges || may & TARGET_CUT_ANYWHERE ? NULL : &none, buffer, mismatch);
}

uint64_t object_engine_new_content(void *arg, uint32_t index, uint64_t object, bool next)
{
    const struct object_session *session = arg;
    struct object_slot *slot = &session->slot[index];

    if (session->work->test != TEST_CREATE)
        return object;
    if (next) {
        slot->number = object_set_take_number(session->set);
        slot->numbered = true;
    }
    return pattern_new_file(session->set->size_bytes, slot->number);
}

/* Any thread: one client for all, because reading back is not measured. */
static int64_t read_key(struct object_store *store, const char *key, uint64_t length_bytes,
                        uint64_t offset_bytes, uint64_t size_bytes, enum object_verb verb,
                        void *buffer)
{
    const struct object_call call = {.verb = verb,
                                     .key = key,
                                     .ranged = offset_bytes > 0 || size_bytes < length_bytes,
                                     .offset_bytes = offset_bytes,
                                     .range_bytes = size_bytes,
                                     .into = buffer,
                                     .into_bytes = size_bytes};
    const struct object_answer *answer;
    struct object_verdict verdict = {.errnum = EIO};
    struct error err = ERROR_INIT;
    int64_t result;

    pthread_mutex_lock(&store->reader_lock);
    if (!store->reader && object_client_create(store->service, store->target.request->stop,
                                               &store->reader, &err) == 0)
        store->reader->link->pinned = true; /* measuring threads read the service meanwhile */
    if (!store->reader)
        result = -EIO;
    else if (object_client_call(store->reader, &call, "cannot read back", &answer, &verdict,
                                &err) != 0)
        result = verdict.errnum > 0 ? -verdict.errnum : -EIO;
    else
        result = answer->received_bytes > INT64_MAX ? -EIO : (int64_t)answer->received_bytes;
    pthread_mutex_unlock(&store->reader_lock);
    return result;
}

int64_t object_read_back(const struct target *target, uint32_t object, uint64_t offset_bytes,
                         uint64_t size_bytes, bool direct, void *buffer)
{
    struct object_store *store = object_store_of(target);
    char key[OBJECT_KEY_BYTES];
    uint32_t index;
    const struct object_set *set = object_sets_find(store, object, &index);

    (void)direct;
    return read_key(store, object_key(set, index, key), store->lengths[object], offset_bytes,
                    size_bytes, object_get_verb(set->kind), buffer);
}

/* A slot keeps the name of the object its last operation created. */
int64_t object_engine_read_back(void *arg, uint32_t index, uint64_t offset_bytes,
                                uint64_t size_bytes, void *buffer)
{
    const struct object_session *session = arg;
    const struct object_slot *slot = &session->slot[index];

    return read_key(session->store, session->work->test == TEST_COPY ? slot->other : slot->key,
                    session->work->io_bytes, offset_bytes, size_bytes, OBJECT_GET, buffer);
}
