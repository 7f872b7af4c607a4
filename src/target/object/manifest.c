/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* manifest.c - the manifest of a run in a bucket, and the names of its objects; see the header for
 * why it is believed only letter by letter.
 *
 *     iosweep PROTOCOL manifest 2
 *     run=NAME
 *     owner=0123456789abcdef
 *     begun=1795316400                       seconds since 1970
 *     state=running 20                       or: state=ended
 *     place=found                            only where the run's directory was there before it
 *     parts=8388608                          only with --part-size: what is longer goes in parts
 *     seed=1
 *     sets=2
 *     set=whole 65536 64 49 planned          kind, bytes, objects, of them made, state
 *     set=delete 4096 0 0 planned */
#include "base/compat.h"

#include "target/object/manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"

#define FIRST_LINE   "iosweep %s manifest 2\n"
#define PLACE_FOUND  "place=found\n"
#define PARTS        "parts="
#define OWNER_DIGITS 16
#define FOUND_SUFFIX ".found"
#define SET_TEXT     80u /* of one set's line */
#define WORD_MAX     72u
#define SET_OBJECTS  64u
#define SET_BYTES    (UINT64_C(256) << 20)
#define DIGITS_LEAST 6u /* of object numbers in keys */
#define DIGITS_MOST  20u

static const char *const kind_words[OBJECT_SET_FOUND] = {
    [OBJECT_SET_WHOLE] = "whole",   [OBJECT_SET_RANGED] = "ranged", [OBJECT_SET_APPEND] = "append",
    [OBJECT_SET_RENAME] = "rename", [OBJECT_SET_DELETE] = "delete", [OBJECT_SET_CREATE] = "create",
    [OBJECT_SET_COPY] = "copy",     [OBJECT_SET_XATTR] = "xattr",   [OBJECT_SET_OMAP] = "omap",
};

static const char *const state_words[OBJECT_SET_STATE_COUNT] = {
    [OBJECT_SET_PLANNED] = "planned",
    [OBJECT_SET_FILLED] = "filled",
    [OBJECT_SET_RANGES] = "ranges",
    [OBJECT_SET_WRITTEN] = "written",
};

bool object_run_of_prefix(const char *prefix, char run_name[OBJECT_RUN_NAME_MAX + 1])
{
    const size_t length = strlen(prefix), word = sizeof(OBJECT_RUN_PREFIX) - 1;
    size_t begin = length > 0 ? length - 1 : 0;

    while (begin > 0 && prefix[begin - 1] != '/')
        begin--;
    if (length < begin + word + 2 || length - begin - word - 1 > OBJECT_RUN_NAME_MAX ||
        prefix[length - 1] != '/' || strncmp(prefix + begin, OBJECT_RUN_PREFIX, word) != 0)
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

static bool has_count(enum object_set_kind kind)
{
    return kind != OBJECT_SET_RENAME && kind != OBJECT_SET_DELETE && !object_set_grows(kind);
}

/* The longest first, then by kind. */
static int compare_sets(const void *a, const void *b)
{
    const struct object_manifest_set *one = a, *other = b;

    if (one->size_bytes != other->size_bytes)
        return one->size_bytes < other->size_bytes ? 1 : -1;
    return (one->kind > other->kind) - (one->kind < other->kind);
}

static void add_set(struct object_manifest *manifest, enum object_set_kind kind,
                    uint64_t size_bytes, uint64_t wanted)
{
    manifest->set[manifest->set_count++] = (struct object_manifest_set){
        .kind = kind,
        .size_bytes = size_bytes,
        .count = has_count(kind) ? object_set_objects(wanted, size_bytes) : 0,
        .state = object_set_grows(kind) ? OBJECT_SET_WRITTEN : OBJECT_SET_PLANNED,
    };
}

static void drop_doubles(struct object_manifest *manifest)
{
    unsigned kept = 0;

    qsort(manifest->set, manifest->set_count, sizeof(*manifest->set), compare_sets);
    for (unsigned i = 0; i < manifest->set_count; i++)
        if (i == 0 || compare_sets(&manifest->set[i], &manifest->set[kept - 1]) != 0)
            manifest->set[kept++] = manifest->set[i];
    manifest->set_count = kept;
}

static const char *sets_fault(const struct object_manifest *manifest)
{
    uint64_t objects = 0;

    if (manifest->set_count == 0 || manifest->set_count > OBJECT_MANIFEST_SETS_MAX)
        return "number of sets";
    for (unsigned i = 0; i < manifest->set_count; i++) {
        const struct object_manifest_set *set = &manifest->set[i];
        if (set->size_bytes == 0 || set->size_bytes > INT64_MAX ||
            (set->count > 0) != has_count(set->kind) ||
            (set->made > set->count && !object_set_grows(set->kind)) ||
            (set->state == OBJECT_SET_FILLED && set->made != set->count) ||
            (i > 0 && compare_sets(set - 1, set) >= 0))
            return "a set";
        objects += object_set_numbers(set->count);
    }
    return objects > OBJECTS_MAX ? "number of objects" : NULL;
}

static bool any_of_kind(const struct object_options *options, unsigned tests,
                        enum object_set_kind kind)
{
    for (unsigned test = 0; test < TEST_COUNT; test++)
        if ((tests & 1u << test) && object_set_kind(options, (enum io_test)test) == kind)
            return true;
    return kind == OBJECT_SET_COPY && (tests & 1u << TEST_COPY);
}

int object_manifest_plan(struct object_manifest *manifest, unsigned tests,
                         const uint64_t *size_bytes, size_t size_count, uint64_t objects,
                         const struct object_options *options, unsigned ranged, struct error *err)
{
    const unsigned whole = tests & ~ranged;

    manifest->set_count = 0;
    manifest->set = mem_calloc(size_count * OBJECT_SET_KIND_COUNT + 1, sizeof(*manifest->set));
    for (size_t i = 0; i < size_count; i++)
        for (int kind = 0; kind < OBJECT_SET_KIND_COUNT; kind++)
            if (any_of_kind(options, whole, (enum object_set_kind)kind))
                add_set(manifest, (enum object_set_kind)kind, size_bytes[i], objects);
    if (tests & ranged)
        add_set(manifest, OBJECT_SET_RANGED, options->object_bytes, objects);
    drop_doubles(manifest);
    if (!sets_fault(manifest))
        return 0;
    free(manifest->set);
    *manifest = (struct object_manifest){0};
    return error_refuse(
        err, STATUS_USAGE, "cannot create so many sets of objects, wrong:", sets_fault(manifest),
        "use 1 to %u sets with at most %u objects in total: fewer sizes or tests, or a smaller "
        "--objects",
        OBJECT_MANIFEST_SETS_MAX, OBJECTS_MAX);
}

/* ---- names ---- */

char *object_set_directory(const struct object_manifest_set *set,
                           char text[OBJECT_SET_DIRECTORY_MAX])
{
    if (set->kind == OBJECT_SET_WHOLE)
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "%" PRIu64 "/", set->size_bytes);
    else if (set->kind == OBJECT_SET_RANGED)
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "object/");
    else
        snprintf(text, OBJECT_SET_DIRECTORY_MAX, "%s-%" PRIu64 "/", kind_words[set->kind],
                 set->size_bytes);
    return text;
}

char *object_manifest_new_key(const char *run_prefix, const struct object_manifest *manifest)
{
    return mem_printf("%s" OBJECT_MANIFEST_NAME ".%016" PRIx64 "%s", run_prefix, manifest->owner,
                      manifest->place_found ? FOUND_SUFFIX : "");
}

bool object_manifest_new_in_found(const char *key)
{
    const size_t length = strlen(key), suffix = sizeof(FOUND_SUFFIX) - 1;

    return length > suffix && strcmp(key + length - suffix, FOUND_SUFFIX) == 0;
}

bool object_manifest_is_new(const char *name, uint64_t size_bytes)
{
    const size_t word = sizeof(OBJECT_MANIFEST_NAME ".") - 1;

    return strncmp(name, OBJECT_MANIFEST_NAME ".", word) == 0 &&
           strspn(name + word, "0123456789abcdef") == OWNER_DIGITS &&
           (name[word + OWNER_DIGITS] == '\0' ||
            strcmp(name + word + OWNER_DIGITS, FOUND_SUFFIX) == 0) &&
           size_bytes <= OBJECT_MANIFEST_TEXT_MAX;
}

/* A number without sign, blank or (unless padded to so many digits) zeros in front. */
static bool read_number(const char *digits, size_t length, size_t padded, uint64_t *number)
{
    const char *at = digits;

    if (length == 0 || length > DIGITS_MOST || length < padded ||
        (digits[0] == '0' && length > (padded > 0 ? padded : 1)))
        return false;
    return number_take_before(&at, digits + length, number) && at == digits + length;
}

/* Kind and size of the set with this directory, "rename-4096". */
static bool read_directory(const struct object_manifest *manifest, const char *name, size_t length,
                           struct object_manifest_set *set)
{
    const char *dash = memchr(name, '-', length);

    if (length == 6 && strncmp(name, "object", length) == 0) {
        set->kind = OBJECT_SET_RANGED;
        for (unsigned i = 0; i < manifest->set_count; i++)
            if (manifest->set[i].kind == OBJECT_SET_RANGED)
                set->size_bytes = manifest->set[i].size_bytes;
        return true;
    }
    set->kind = OBJECT_SET_WHOLE;
    if (!dash)
        return read_number(name, length, 0, &set->size_bytes);
    for (unsigned kind = OBJECT_SET_APPEND; kind < OBJECT_SET_FOUND; kind++)
        if (strlen(kind_words[kind]) == (size_t)(dash - name) &&
            strncmp(name, kind_words[kind], (size_t)(dash - name)) == 0)
            set->kind = (enum object_set_kind)kind;
    return set->kind != OBJECT_SET_WHOLE &&
           read_number(dash + 1, length - (size_t)(dash + 1 - name), 0, &set->size_bytes);
}

bool object_manifest_names(const struct object_manifest *manifest, const char *name)
{
    struct object_manifest_set wanted = {0};

    return manifest->set_count > 0 && read_directory(manifest, name, strlen(name), &wanted) &&
           bsearch(&wanted, manifest->set, manifest->set_count, sizeof(wanted), compare_sets);
}

bool object_manifest_owns(const struct object_manifest *manifest, const char *name, unsigned *set,
                          uint64_t *object)
{
    const char *slash = strchr(name, '/');
    struct object_manifest_set wanted = {0};
    const struct object_manifest_set *found;

    if (!slash || !read_directory(manifest, name, (size_t)(slash - name), &wanted) ||
        !read_number(slash + 1, strlen(slash + 1), DIGITS_LEAST, object))
        return false;
    found = bsearch(&wanted, manifest->set, manifest->set_count, sizeof(wanted), compare_sets);
    if (!found || (has_count(found->kind) && *object >= found->count))
        return false;
    *set = (unsigned)(found - manifest->set);
    return true;
}

/* ---- text ---- */

static size_t format_head(const struct object_manifest *manifest, char *text, size_t room)
{
    char state[WORD_MAX] = "ended", parts[WORD_MAX] = "";

    if (manifest->renew_s > 0)
        snprintf(state, sizeof(state), "running %" PRIu32, manifest->renew_s);
    if (manifest->part_bytes > 0)
        snprintf(parts, sizeof(parts), PARTS "%" PRIu64 "\n", manifest->part_bytes);
    return (size_t)snprintf(text, room,
                            FIRST_LINE "run=%s\nowner=%016" PRIx64 "\nbegun=%" PRId64
                                       "\nstate=%s\n%s%sseed=%" PRIu64 "\nsets=%u\n",
                            manifest->protocol, manifest->run_name, manifest->owner,
                            manifest->begun_s, state, manifest->place_found ? PLACE_FOUND : "",
                            parts, manifest->seed, manifest->set_count);
}

char *object_manifest_format(const struct object_manifest *manifest)
{
    const size_t room = WORD_MAX * 7 + manifest->set_count * (size_t)SET_TEXT;
    char *text = mem_calloc(room, 1);
    size_t used = format_head(manifest, text, room);

    for (unsigned i = 0; i < manifest->set_count && used < room; i++) {
        const struct object_manifest_set *set = &manifest->set[i];
        used += (size_t)snprintf(
            text + used, room - used, "set=%s %" PRIu64 " %" PRIu32 " %" PRIu32 " %s\n",
            kind_words[set->kind], set->size_bytes, set->count, set->made, state_words[set->state]);
    }
    return text;
}

/* Takes what stands before `end` off the front of *at, at most `room` - 1 characters. */
static bool take_word(const char **at, char end, char *word, size_t room)
{
    size_t length = 0;

    while ((*at)[length] != '\0' && (*at)[length] != end && (*at)[length] != '\n')
        length++;
    if ((*at)[length] != end || length == 0 || length >= room)
        return false;
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length + 1;
    return true;
}

static bool take_number(const char **at, char end, uint64_t *number)
{
    char word[WORD_MAX];

    return take_word(at, end, word, sizeof(word)) && read_number(word, strlen(word), 0, number);
}

static bool take_text(const char **at, const char *text)
{
    const size_t length = strlen(text);

    if (strncmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool take_choice(const char **at, char end, const char *const *words, unsigned count,
                        unsigned *choice)
{
    char word[WORD_MAX];

    if (!take_word(at, end, word, sizeof(word)))
        return false;
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(word, words[*choice]) == 0)
            return true;
    return false;
}

static bool take_owner(const char **at, uint64_t *owner)
{
    static const char digits[] = "0123456789abcdef";
    char word[WORD_MAX];

    if (!take_word(at, '\n', word, sizeof(word)) || strlen(word) != OWNER_DIGITS)
        return false;
    *owner = 0;
    for (const char *c = word; *c != '\0'; c++) {
        const char *digit = strchr(digits, *c);
        if (!digit)
            return false;
        *owner = *owner << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static bool take_state(const char **at, uint32_t *renew_s)
{
    uint64_t seconds;

    *renew_s = 0;
    if (take_text(at, "state=ended\n"))
        return true;
    if (!take_text(at, "state=running ") || !take_number(at, '\n', &seconds) || seconds == 0 ||
        seconds > OBJECT_RENEW_S_MAX)
        return false;
    *renew_s = (uint32_t)seconds;
    return true;
}

static bool take_set(const char **at, struct object_manifest_set *set)
{
    unsigned kind, state;
    uint64_t count, made;

    if (!take_text(at, "set=") || !take_choice(at, ' ', kind_words, OBJECT_SET_FOUND, &kind) ||
        !take_number(at, ' ', &set->size_bytes) || !take_number(at, ' ', &count) ||
        count > UINT32_MAX || !take_number(at, ' ', &made) || made > UINT32_MAX ||
        !take_choice(at, '\n', state_words, OBJECT_SET_STATE_COUNT, &state))
        return false;
    set->kind = (enum object_set_kind)kind;
    set->count = (uint32_t)count;
    set->state = (enum object_set_state)state;
    set->made = (uint32_t)made;
    return true;
}

/* Returns NULL or the name of what is wrong. */
static const char *parse_head(const char **at, struct object_manifest *manifest)
{
    char name[WORD_MAX];
    uint64_t begun_s;

    if (!take_text(at, "iosweep ") ||
        !take_word(at, ' ', manifest->protocol, sizeof(manifest->protocol)) ||
        !target_run_name_valid(manifest->protocol) || !take_text(at, "manifest 2\n"))
        return "first line";
    if (!take_text(at, "run=") || !take_word(at, '\n', name, sizeof(name)) ||
        !target_run_name_valid(name))
        return "run";
    memcpy(manifest->run_name, name, strlen(name) + 1);
    if (!take_text(at, "owner=") || !take_owner(at, &manifest->owner))
        return "owner";
    if (!take_text(at, "begun=") || !take_number(at, '\n', &begun_s) || begun_s > INT64_MAX)
        return "begun";
    manifest->begun_s = (int64_t)begun_s;
    if (!take_state(at, &manifest->renew_s))
        return "state";
    manifest->place_found = take_text(at, PLACE_FOUND);
    if (take_text(at, PARTS) &&
        (!take_number(at, '\n', &manifest->part_bytes) || manifest->part_bytes == 0))
        return "parts";
    return take_text(at, "seed=") && take_number(at, '\n', &manifest->seed) ? NULL : "seed";
}

/* Returns NULL or the name of what is wrong. */
static const char *parse_fields(const char *at, struct object_manifest *manifest)
{
    const char *fault = parse_head(&at, manifest);
    uint64_t sets;
    unsigned ranged = 0;

    if (fault)
        return fault;
    if (!take_text(&at, "sets=") || !take_number(&at, '\n', &sets) || sets == 0 ||
        sets > OBJECT_MANIFEST_SETS_MAX)
        return "sets";
    manifest->set = mem_calloc((size_t)sets, sizeof(*manifest->set));
    for (manifest->set_count = 0; manifest->set_count < sets; manifest->set_count++) {
        struct object_manifest_set *set = &manifest->set[manifest->set_count];
        if (!take_set(&at, set))
            return "a set";
        ranged += set->kind == OBJECT_SET_RANGED;
    }
    if (ranged > 1)
        return "sets";
    return *at != '\0' ? "end" : sets_fault(manifest);
}

int object_manifest_parse(const char *text, size_t length, struct object_manifest *manifest,
                          struct error *err)
{
    const char *fault = "length";
    char *copy, *again = NULL;

    *manifest = (struct object_manifest){0};
    if (length > 0 && length <= OBJECT_MANIFEST_TEXT_MAX && !memchr(text, '\0', length)) {
        copy = mem_calloc(length + 1, 1);
        memcpy(copy, text, length);
        fault = parse_fields(copy, manifest);
        if (!fault) {
            again = object_manifest_format(manifest);
            fault = strcmp(copy, again) != 0 ? "spelling" : NULL;
        }
        free(again);
        free(copy);
    }
    if (!fault)
        return 0;
    free(manifest->set);
    *manifest = (struct object_manifest){0};
    return error_set(err, STATUS_TARGET, 0, "invalid manifest of a run, wrong:", fault);
}

bool object_manifest_begins(const char *text, size_t length, const char *protocol,
                            const char *run_name, const char *name)
{
    static const char rest[] = "abcdefghijklmnopqrstuvwxyz0123456789= \n";
    char *head = mem_printf(FIRST_LINE "run=%s\nowner=%.*s\nbegun=", protocol, run_name,
                            OWNER_DIGITS, name + sizeof(OBJECT_MANIFEST_NAME ".") - 1);
    const size_t head_bytes = strlen(head);
    bool same = memcmp(text, head, length < head_bytes ? length : head_bytes) == 0;

    for (size_t i = head_bytes; same && i < length; i++)
        same = text[i] != '\0' && strchr(rest, text[i]);
    free(head);
    return same;
}

bool object_manifest_fits(const struct object_manifest *manifest, unsigned set,
                          const struct object_service *service, uint64_t size_bytes)
{
    const struct object_manifest_set *plan = &manifest->set[set];
    const bool grows =
        service->gradual ||
        (!object_can(service, OBJECT_UPLOAD_BEGIN) &&
         (plan->kind == OBJECT_SET_APPEND || plan->size_bytes > OBJECT_FILL_PART_BYTES));

    if (object_put_verb(plan->kind) != OBJECT_PUT)
        return size_bytes == 0;
    return plan->size_bytes == size_bytes || (grows && size_bytes < plan->size_bytes);
}

bool object_manifest_changed(const struct object_manifest *manifest, unsigned set,
                             uint64_t size_bytes)
{
    const struct object_manifest_set *plan = &manifest->set[set];

    /* of what was cut off it says that nothing was made */
    return manifest->renew_s == 0 && plan->made > 0 && object_put_verb(plan->kind) == OBJECT_PUT &&
           plan->kind != OBJECT_SET_APPEND && size_bytes > 0 && size_bytes < plan->size_bytes;
}

void object_manifest_unsettle(struct object_manifest *manifest)
{
    for (unsigned i = 0; i < manifest->set_count; i++) {
        struct object_manifest_set *plan = &manifest->set[i];
        plan->made = 0;
        if (plan->state == OBJECT_SET_FILLED)
            plan->state = OBJECT_SET_PLANNED;
    }
}
