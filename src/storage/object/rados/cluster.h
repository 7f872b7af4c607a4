/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cluster.h - clients of a cluster (librados: cluster handles), each with configuration, user and
 * threads. */
#ifndef STORAGE_OBJECT_RADOS_CLUSTER_H
#define STORAGE_OBJECT_RADOS_CLUSTER_H

#include <rados/librados.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/object/rados/options.h"

/* User and configuration file, from the options or $CEPH_ARGS. */
struct pool_identity {
    char *user; /* "client.admin" */
    char *conf; /* or NULL: librados's default, which begins with $CEPH_CONF */
};

/* Parses the words of $CEPH_ARGS (args, or NULL) that librados leaves to programs: --id, --user,
 * --name, --conf. The caller frees the strings. Returns 0 or -1 (STATUS_USAGE). */
int pool_identity_find(const struct rados_options *options, const char *args,
                       struct pool_identity *identity, struct error *err);
void pool_identity_free(struct pool_identity *identity);

/* Creates a configured, unconnected handle; sends nothing. target: for messages. Returns 0 or -1
 * (STATUS_TARGET). */
int pool_cluster_make(const struct pool_identity *identity, const struct object_options *options,
                      const char *target, rados_t *out, struct error *err);

/* The text of a setting, to be freed. */
char *pool_cluster_setting(rados_t handle, const char *name);

/* Connects on a separate thread: librados starts its threads from it, which must not receive the
 * program's signals, and may block without limit. When *stop (MAY be NULL) becomes non-zero, gives
 * up with errnum EINTR; the handle then belongs to that thread, which destroys it, as it does after
 * a failure. Returns 0 or -1 (STATUS_TARGET). */
int pool_cluster_connect(rados_t handle, const struct pool_identity *identity, const char *target,
                         const volatile int *stop, struct error *err);

#endif
