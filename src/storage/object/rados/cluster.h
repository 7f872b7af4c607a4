/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* cluster.h - clients of a cluster: what librados calls a cluster handle, with its configuration,
 * its user, and threads of its own. */
#ifndef STORAGE_OBJECT_RADOS_CLUSTER_H
#define STORAGE_OBJECT_RADOS_CLUSTER_H

#include <rados/librados.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "storage/object/rados/options.h"

/* Who asks, and where the configuration is: of the options, else of $CEPH_ARGS. */
struct pool_identity {
    char *user; /* "client.admin" */
    char *conf; /* or NULL: where librados looks, which is $CEPH_CONF first */
};

/* Words of $CEPH_ARGS (args, or NULL) that librados leaves to programs: --id, --user, --name,
 * --conf. Strings are the caller's to free.  Returns 0 or -1 (STATUS_USAGE). */
int pool_identity_find(const struct rados_options *options, const char *args,
                       struct pool_identity *identity, struct error *err);
void pool_identity_free(struct pool_identity *identity);

/* A handle that is configured and not connected: nothing was sent.  target: for messages.  Returns
 * 0 or -1 (STATUS_TARGET). */
int pool_cluster_make(const struct pool_identity *identity, const struct object_options *options,
                      const char *target, rados_t *out, struct error *err);

/* Text of a setting; to be freed. */
char *pool_cluster_setting(rados_t handle, const char *name);

/* Connects it, on a thread of its own: librados starts its threads there, which must not get our
 * signals, and waits in there for as long as it likes.  *stop (MAY be NULL) not 0: given up, errnum
 * EINTR; then the handle belongs to that thread, which ends it, as it does after a failure. Returns
 * 0 or -1 (STATUS_TARGET). */
int pool_cluster_connect(rados_t handle, const struct pool_identity *identity, const char *target,
                         const volatile int *stop, struct error *err);

#endif
