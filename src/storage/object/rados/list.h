/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* list.h - LIST. librados lists pages synchronously, so each slot that lists has a thread for it,
 * which pushes the slot into the ring of its link like any other completed call. */
#ifndef STORAGE_OBJECT_RADOS_LIST_H
#define STORAGE_OBJECT_RADOS_LIST_H

#include <rados/librados.h>
#include <stdbool.h>
#include <stdint.h>

#include "storage/object/names.h"
#include "storage/object/protocol.h"
#include "storage/object/rados/ring.h"

struct pool_list;

/* Creates the lister of a slot, without starting a thread. sizes: the answer includes the size of
 * each object and omits objects that no longer exist. */
struct pool_list *pool_list_make(rados_t handle, const char *pool, bool sizes,
                                 struct pool_ring *ring, uint32_t slot);

/* Begins a list; the slot is pushed on completion. Returns 0 or -errno. */
int pool_list_begin(struct pool_list *list, const struct object_call *call);

/* Result of a completed list: 0 or -errno; its names. */
int pool_list_code(const struct pool_list *list);
struct object_names *pool_list_names(struct pool_list *list);

/* Asks the thread to stop early. */
void pool_list_cancel(struct pool_list *list);

/* Ends the lister; nothing is pushed from then on. False: librados is still busy with it, so the
 * handle must not be shut down; the thread frees its memory when librados returns. */
bool pool_list_free(struct pool_list *list);

#endif
