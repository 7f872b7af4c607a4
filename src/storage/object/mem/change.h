/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* change.h - calls that modify part of an object, its name, or the values beside its data, as
 * stores other than buckets support (--mem.like). Objects in the store are const, so each call
 * makes a new one. */
#ifndef STORAGE_OBJECT_MEM_CHANGE_H
#define STORAGE_OBJECT_MEM_CHANGE_H

#include "storage/object/mem/store.h"
#include "storage/object/protocol.h"

/* Retries if another thread changes the object meanwhile. Returns 0, -ENOENT, -ENOMEM, or for
 * RENAME -EEXIST: the new name is taken. */
int mem_change(struct mem_store *store, const struct object_call *call);

/* The value that a call reads, valid as long as the object; NULL: none. */
const struct mem_object *mem_value(const struct mem_object *object, enum object_verb verb);

#endif
