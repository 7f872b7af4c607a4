/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* removal_unlisted.c - of a run that is removed, what no list names: lists are not taken at their
 * word, and what should be there is removed by its name. */
#include "base/compat.h"

#include "storage/object/removal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/mem.h"

#define NAMES_AT_ONCE 1000u

/* Whether the list should have named the object: for certain, of a run of our own of which each
 * request was answered; else perhaps. */
static bool may_be_there(const struct removal *removal, unsigned set, uint32_t object)
{
    const struct object_set *own = removal->own ? &removal->own->base.set[set] : NULL;

    if (removal->seen[set][object / 8] >> object % 8 & 1)
        return false;
    return !own || !own->present || atomic_load(&removal->service->unsure) > 0 ||
           atomic_load_explicit(&own->present[object], memory_order_relaxed);
}

struct names { /* keys that are to be removed by name */
    struct removal *removal;
    char **key;
    size_t count;
    size_t there, there_at; /* how many are known to be there, one of them; of these bytes */
    uint64_t there_bytes;
};

static int flush_names(struct names *names, struct error *err)
{
    struct removal *removal = names->removal;
    uint64_t sent = 0;
    int code = 0;

    if (names->count > 0)
        code = object_removal_expect_nobody(removal, err);
    if (names->count > 0 && code == 0)
        code = object_client_delete(removal->client, (const char *const *)names->key, names->count,
                                    &sent, err);
    /* one that was there is asked for once more: no list tells whether removing had an effect */
    if (code == 0 && names->there > 0)
        code = object_removal_is_there(removal->client, names->key[names->there_at], err);
    if (code > 0)
        code = object_removal_no_effect(removal->service, names->key[names->there_at], err);
    if (code == 0) {
        removal->tally->objects += names->there;
        removal->tally->bytes += names->there_bytes;
    }
    for (size_t i = 0; i < names->count; i++)
        free(names->key[i]);
    names->count = names->there = 0;
    names->there_bytes = 0;
    return code;
}

/* Asks for the first one of each set: is the list to be believed?  If not, for each, to tell how
 * many they were. */
static int add_name(struct names *names, const char *key, uint64_t bytes, bool ask,
                    struct error *err)
{
    struct removal *removal = names->removal;
    const int there = ask ? object_removal_is_there(removal->client, key, err) : 0;

    if (there < 0)
        return -1;
    if (there > 0) {
        removal->unlisted++;
        names->there++;
        names->there_at = names->count;
        names->there_bytes += bytes;
    }
    names->key[names->count++] = mem_strdup(key);
    return names->count == NAMES_AT_ONCE ? flush_names(names, err) : 0;
}

static int remove_unlisted_set(struct names *names, unsigned index, struct error *err)
{
    const struct removal *removal = names->removal;
    const struct life_set *plan = &removal->manifest->set[index];
    const struct object_set *own = removal->own ? &removal->own->base.set[index] : NULL;
    char directory[OBJECT_SET_DIRECTORY_MAX], key[OBJECT_KEY_BYTES];
    struct object_set set = {.kind = plan->kind};
    uint64_t made = own ? atomic_load(&own->made) : 0, taken = own ? atomic_load(&own->taken) : 0;
    const bool grows = object_set_grows(plan->kind);
    uint64_t from = grows ? 0 : taken; /* those before are removed */
    const uint64_t unlisted = removal->unlisted;
    bool ask = true;
    int code = 0;

    set.prefix = mem_printf("%s%s", removal->run_prefix, object_set_directory(plan, directory));
    for (uint32_t k = 0; code == 0 && k < plan->count; k++)
        if (may_be_there(removal, index, k)) {
            code = add_name(names, object_key(&set, k, key), plan->size_bytes, ask, err);
            ask = removal->unlisted > unlisted;
        }
    if ((grows || plan->kind == LIFE_DELETE) && from < made && removal->listed[index] < made - from)
        for (const uint64_t end = grows ? taken : made; code == 0 && from < end; from++) {
            code = add_name(names, object_key(&set, from, key), plan->size_bytes, ask, err);
            ask = removal->unlisted > unlisted;
        }
    free(set.prefix);
    return code;
}

int object_removal_unlisted(struct removal *removal, struct error *err)
{
    struct names names = {.removal = removal};
    bool counted = true;
    char *url;
    int code = 0;

    removal->unlisted = 0;
    names.key = mem_calloc(NAMES_AT_ONCE, sizeof(*names.key));
    for (unsigned i = 0; code == 0 && i < removal->manifest->set_count; i++) {
        counted = counted && removal->manifest->set[i].count > 0;
        code = remove_unlisted_set(&names, i, err);
    }
    if (code == 0)
        code = flush_names(&names, err);
    for (size_t i = 0; i < names.count; i++)
        free(names.key[i]);
    free(names.key);
    if (code != 0 || removal->unlisted == 0)
        return code;
    url = removal->service->protocol->url(removal->service, removal->run_prefix);
    if (counted) {
        log_warn("the server's list leaves out objects of %s; they were removed by name", url);
    } else { /* their names are in no manifest */
        error_set(err, STATUS_TARGET, 0, "the server's list leaves out objects of", url);
        error_explain(
            err, "the server's list leaves out objects, and some that tests rename and delete made "
                 "may be left");
        error_advise(err, "clean again when the list is complete");
        code = -1;
    }
    free(url);
    return code;
}
