/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.h - LIST, which librados does page by page while the caller waits: so a thread of each slot
 * that lists does it, and pushes the slot into the ring of its link as any other call. */
#ifndef STORAGE_OBJECT_RADOS_LIST_H
#define STORAGE_OBJECT_RADOS_LIST_H

#include <rados/librados.h>
#include <stdbool.h>
#include <stdint.h>

#include "storage/object/protocol.h"
#include "storage/object/rados/names.h"
#include "storage/object/rados/ring.h"

struct pool_list;

/* The lister of a slot.  sizes: the answer says how long each object is, and does not name those
 * that are gone by then.  Nothing is started yet. */
struct pool_list *pool_list_make(rados_t handle, const char *pool, bool sizes,
                                 struct pool_ring *ring, uint32_t slot);

/* Begins; the slot is pushed when it is done.  Returns 0 or -errno. */
int pool_list_begin(struct pool_list *list, const struct object_call *call);

/* Of a list that is done: 0 or -errno; its names. */
int pool_list_code(const struct pool_list *list);
struct pool_names *pool_list_names(struct pool_list *list);

/* It is to come to an end before it is done. */
void pool_list_cancel(struct pool_list *list);

/* Ends it; from then on nothing is pushed.  False: librados is still busy with it, and the handle
 * must not be shut down; the thread frees what it has when it comes back. */
bool pool_list_free(struct pool_list *list);

#endif
