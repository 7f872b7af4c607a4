/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* change.c - see the header. */
#include "base/compat.h"

#include "storage/object/mem/change.h"

#include <errno.h>
#include <string.h>

static unsigned value_number(enum object_verb verb)
{
    return verb == OBJECT_OMAP_PUT || verb == OBJECT_OMAP_GET;
}

const struct mem_object *mem_value(const struct mem_object *object, enum object_verb verb)
{
    return object->value[value_number(verb)];
}

/* A copy of the object with the call's data inserted; old NULL: it does not exist yet. */
static struct mem_object *with_data(struct mem_store *store, const struct mem_object *old,
                                    const struct object_call *call)
{
    const uint64_t from = call->verb == OBJECT_APPEND ? old->bytes : call->offset_bytes;
    const uint64_t end = from + call->body_bytes;
    const uint64_t bytes = end > old->bytes ? end : old->bytes;
    struct mem_object *made = mem_object_make(store, NULL, bytes);

    if (!made)
        return NULL;
    memcpy(made->data, old->data, (size_t)old->bytes);
    if (from > old->bytes) /* the gap is filled with zeros */
        memset(made->data + old->bytes, 0, (size_t)(from - old->bytes));
    if (call->body_bytes > 0)
        memcpy(made->data + from, call->body, (size_t)call->body_bytes);
    for (unsigned i = 0; i < MEM_VALUES; i++)
        made->value[i] = mem_object_hold(old->value[i]);
    return made;
}

static struct mem_object *with_value(struct mem_store *store, const struct mem_object *old,
                                     const struct object_call *call)
{
    const unsigned number = value_number(call->verb);
    struct mem_object *made = mem_object_make(store, old ? old->data : NULL, old ? old->bytes : 0);
    struct mem_object *value = mem_object_make(store, call->body, call->body_bytes);

    if (!made || !value) {
        mem_object_release(made);
        mem_object_release(value);
        return NULL;
    }
    for (unsigned i = 0; old && i < MEM_VALUES; i++)
        made->value[i] = i == number ? NULL : mem_object_hold(old->value[i]);
    made->value[number] = value;
    return made;
}

/* The new name must not exist. */
static int rename_object(struct mem_store *store, const struct object_call *call,
                         struct mem_object *old)
{
    if (!mem_store_put(store, call->key, mem_object_hold(old), true, NULL))
        return -EEXIST;
    (void)mem_store_remove(store, call->source_key);
    return 0;
}

int mem_change(struct mem_store *store, const struct object_call *call)
{
    const bool of_value = call->verb == OBJECT_XATTR_PUT || call->verb == OBJECT_OMAP_PUT;
    char etag[MEM_ETAG_BYTES];
    bool done = false;
    int code = 0;

    while (code == 0 && !done) {
        struct mem_object *old =
            mem_store_get(store, call->verb == OBJECT_RENAME ? call->source_key : call->key);
        struct mem_object *made;
        if (!old && !of_value)
            return -ENOENT;
        if (call->verb == OBJECT_RENAME) {
            code = rename_object(store, call, old);
            done = true;
        } else {
            made = of_value ? with_value(store, old, call) : with_data(store, old, call);
            if (!made)
                code = -ENOMEM;
            else
                done = mem_store_put(store, call->key, made, !old,
                                     old ? mem_object_etag(old, etag) : NULL);
        }
        mem_object_release(old);
    }
    return code;
}
