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

#define RADOS_SCHEME  "rados://"
#define RADOS_FORM    "rados://POOL[/PREFIX]"
#define RADOS_PACKAGE "iosweep-rados" /* contains the module */

#endif
