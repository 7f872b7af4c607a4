/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* choose.c - see the header. */
#include "base/compat.h"

#include "storage/life/choose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "storage/storage.h"

#define NAMES_SHOWN 8u /* runs listed when the user must choose one */

/* ---- lists ---- */

struct life_object *life_objects_add(struct life_objects *objects, char *name,
                                     uint64_t length_bytes)
{
    objects->object =
        mem_grow(objects->object, &objects->room, objects->count + 1, sizeof(*objects->object));
    objects->object[objects->count] = (struct life_object){name, length_bytes, 0};
    return &objects->object[objects->count++];
}

/* Numbers within names are compared by value: f2 precedes f10. */
static int longest_first(const void *a, const void *b)
{
    static const char digits[] = "0123456789";
    const struct life_object *one = a, *other = b;
    size_t same = 0, one_digits, other_digits;

    if (one->length_bytes != other->length_bytes)
        return one->length_bytes > other->length_bytes ? -1 : 1;
    while (one->name[same] != '\0' && one->name[same] == other->name[same])
        same++;
    one_digits = strspn(one->name + same, digits);
    other_digits = strspn(other->name + same, digits);
    if (one_digits != other_digits)
        return one_digits < other_digits ? -1 : 1;
    return strcmp(one->name + same, other->name + same);
}

void life_objects_sort(struct life_objects *objects)
{
    if (objects->count > 0)
        qsort(objects->object, objects->count, sizeof(*objects->object), longest_first);
}

void life_objects_free(struct life_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++)
        free(objects->object[i].name);
    free(objects->object);
    *objects = (struct life_objects){0};
}

/* ---- owners of objects ---- */

struct root {
    char *name;
    bool is_run;
    uint64_t objects;
};

struct chooser {
    const struct life_choice *choice;
    struct root *root;
    size_t count, room;
};

/* The run whose root is the first `length` bytes of a name; NULL: none. */
static struct root *find_root(struct chooser *chooser, const char *name, size_t length)
{
    const struct life_choice *choice = chooser->choice;
    struct root *root;

    for (size_t i = chooser->count; i-- > 0;) { /* the last one is usually that of the neighbour */
        root = &chooser->root[i];
        if (strncmp(root->name, name, length) == 0 && root->name[length] == '\0')
            return root->is_run ? root : NULL;
    }
    chooser->root =
        mem_grow(chooser->root, &chooser->room, chooser->count + 1, sizeof(*chooser->root));
    root = &chooser->root[chooser->count++];
    *root = (struct root){.name = mem_printf("%.*s", (int)length, name)};
    root->is_run = choice->is_run(choice->arg, root->name);
    return root->is_run ? root : NULL;
}

/* Whether the component of a name that ends at `end` is the name of a run's root. */
static bool is_named_like_run(const char *name, const char *end)
{
    const size_t word = strlen(LIFE_PREFIX);
    char run_name[TARGET_RUN_NAME_MAX + 1];
    const char *at = end;
    size_t length;

    while (at > name && at[-1] != '/')
        at--;
    length = (size_t)(end - at);
    if (length <= word || length - word > TARGET_RUN_NAME_MAX ||
        strncmp(at, LIFE_PREFIX, word) != 0)
        return false;
    memcpy(run_name, at + word, length - word);
    run_name[length - word] = '\0';
    return target_run_name_valid(run_name);
}

/* The outermost run that contains an object; NULL: it is the user's. */
static struct root *owner_of(struct chooser *chooser, const char *name)
{
    struct root *owner = NULL;

    for (const char *end = name; !owner && (end = strchr(end, '/')) != NULL; end++)
        if (is_named_like_run(name, end))
            owner = find_root(chooser, name, (size_t)(end - name));
    return owner;
}

/* Whether an object is named like a manifest, "a/iosweep-NAME/MANIFEST-1". */
static bool is_manifest(const char *name)
{
    const char *slash = strrchr(name, '/');
    uint64_t number;

    return slash && life_is_manifest(slash + 1, &number) && is_named_like_run(name, slash);
}

/* ---- the choice ---- */

bool life_choice_told(const struct target_request *request)
{
    return !request->dry_run || request->plan;
}

static void tell_left_out(const struct life_choice *choice, unsigned runs)
{
    char label[512];

    if (!life_choice_told(choice->request))
        return;
    log_info("# %s: the test %ss of %u run%s in it are left out; name the %s of one to read those",
             error_printable(choice->request->target, label, sizeof(label)), choice->noun, runs,
             runs == 1 ? "" : "s", choice->place);
}

static int refuse_nothing(const struct life_choice *choice, struct error *err)
{
    char *what =
        mem_printf("nothing to read: %s %ss in", choice->empty ? "only empty" : "no", choice->noun);

    error_set(err, STATUS_TARGET, 0, what, choice->request->target);
    free(what);
    return error_advise(err, "without -r iosweep makes %ss of its own", choice->noun);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct root *)a)->name, ((const struct root *)b)->name);
}

static int refuse_several(struct chooser *chooser, unsigned runs, struct error *err)
{
    const struct life_choice *choice = chooser->choice;
    char names[200] = "";
    unsigned shown = 0;

    qsort(chooser->root, chooser->count, sizeof(*chooser->root), by_name);
    for (size_t i = 0; i < chooser->count && shown < NAMES_SHOWN; i++) {
        const char *name = chooser->root[i].name;

        if (chooser->root[i].objects == 0 || strlen(names) + strlen(name) + 8 > sizeof(names))
            continue;
        text_add(names, sizeof(names), ", ", "%s", name);
        shown++;
    }
    return error_refuse(
        err, STATUS_USAGE, "several runs found, none is read:", choice->request->target,
        "name the %s of one: %s%s", choice->place, names, shown < runs ? " ..." : "");
}

static int choose(struct chooser *chooser, struct life_objects *found, char **root,
                  struct error *err)
{
    size_t users = 0, one = 0;
    unsigned runs = 0;

    for (size_t i = 0; i < found->count; i++) {
        const struct life_object object = found->object[i];
        const bool manifest = is_manifest(object.name);
        struct root *owner = manifest ? NULL : owner_of(chooser, object.name);

        if (owner)
            runs += owner->objects++ == 0;
        if (manifest || owner)
            free(object.name);
        else
            found->object[users++] = object;
    }
    found->count = users;
    if (users > 0 && runs > 0)
        tell_left_out(chooser->choice, runs);
    if (users == 0 && runs == 0)
        return refuse_nothing(chooser->choice, err);
    if (users > 0)
        return 0;
    if (runs > 1)
        return refuse_several(chooser, runs, err);
    while (chooser->root[one].objects == 0)
        one++;
    *root = mem_strdup(chooser->root[one].name);
    return 1;
}

int life_choose(const struct life_choice *choice, struct life_objects *found, char **root,
                struct error *err)
{
    struct chooser chooser = {.choice = choice};
    const int code = choose(&chooser, found, root, err);

    for (size_t i = 0; i < chooser.count; i++)
        free(chooser.root[i].name);
    free(chooser.root);
    return code;
}

/* ---- messages ---- */

char *life_describe_found(const char *noun, const struct target *target)
{
    const uint32_t count = target->object_count;
    const uint64_t least_bytes = target->length_bytes[count - 1];
    const uint64_t most_bytes = target->length_bytes[0];
    char least[UNITS_TEXT], most[UNITS_TEXT], total[UNITS_TEXT];

    if (least_bytes == most_bytes)
        return mem_printf("%" PRIu32 " %s%s of %s", count, noun, count == 1 ? "" : "s",
                          units_format_size(most_bytes, most));
    return mem_printf("%" PRIu32 " %ss of %s to %s, %s in all", count, noun,
                      units_format_bytes((double)least_bytes, least),
                      units_format_bytes((double)most_bytes, most),
                      units_format_bytes((double)target->total_bytes, total));
}
