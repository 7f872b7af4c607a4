/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.h - options of targets rados://POOL[/PREFIX] besides those of all object stores; set once
 * by cli/ and const from then on. */
#ifndef STORAGE_OBJECT_RADOS_OPTIONS_H
#define STORAGE_OBJECT_RADOS_OPTIONS_H

#include "base/option.h"
#include "storage/object/options.h"

struct rados_options {
    struct object_options store; /* first */
    /* "client.NAME", or NAME alone; NULL: from CEPH_ARGS, else client.admin */
    const char *user;
    const char *conf; /* NULL: CEPH_CONF, else librados's default */
};

/* Option rows: access to a target, for all commands that use one. */
extern const struct option_row rados_reach_table[];

/* The hook `check`. */
int rados_options_check(const struct target_request *request, unsigned count, bool alone,
                        struct error *err);

#define RADOS_SCHEME  "rados://"
#define RADOS_FORM    "rados://POOL[/PREFIX]"
#define RADOS_PACKAGE "iosweep-rados" /* contains the module */

/* How other programs write its targets. */

/* Names of the target driver and its options, also for builds without librados, which refuse the
 * target later. */
#define RADOS_TARGET_WORDS                                                                  \
    .name = "rados", .kind = "object store", .noun = "object", .scheme = RADOS_SCHEME,      \
    .form = RADOS_FORM, .purpose = "objects are made in the pool and removed",              \
    .capabilities = TARGET_REQUESTS | TARGET_LONG_SLICES | TARGET_WARMS_UP | TARGET_VALUES, \
    .family = &object_family, .reach_options = rados_reach_table,                           \
    .options_bytes = sizeof(struct rados_options), .check = rados_options_check

#endif
