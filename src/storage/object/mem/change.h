/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* change.h - calls that change a part of an object, its name, or the values beside its data: what
 * stores know that are no buckets (--mem.like).  An object in the store is const, so each of them
 * makes it anew. */
#ifndef STORAGE_OBJECT_MEM_CHANGE_H
#define STORAGE_OBJECT_MEM_CHANGE_H

#include "storage/object/mem/store.h"
#include "storage/object/protocol.h"

/* What is changed meanwhile by another thread is changed once more.  Returns 0, or -ENOENT,
 * -ENOMEM, and for RENAME -EEXIST: the new name is taken. */
int mem_change(struct mem_store *store, const struct object_call *call);

/* The value that a call gets, which lives as long as the object; NULL: there is none. */
const struct mem_object *mem_value(const struct mem_object *object, enum object_verb verb);

#endif
