/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.h - what the program and the module with the protocol share: the options of targets
 * rados://POOL[/PREFIX] besides those of all object stores, and how the module is found and
 * checked.
 *
 * The protocol can be a separate file in a package of its own, loaded when a target needs it, so
 * that librados is required only then: a shared object with one public symbol, `iosweep_module`.
 * It calls the functions of the program listed in module.symbols, and belongs to exactly that
 * program: a module of another version, or one built with different declarations, is refused. */
#ifndef STORAGE_OBJECT_RADOS_MODULE_H
#define STORAGE_OBJECT_RADOS_MODULE_H

#include "storage/object/options.h"
#include "storage/object/protocol.h"

struct rados_options {           /* set once by cli/ and const from then on */
    struct object_options store; /* first */
    /* "client.NAME", or NAME alone; NULL: from CEPH_ARGS, else client.admin */
    const char *user;
    const char *conf; /* NULL: CEPH_CONF, else librados's default */
};

#define RADOS_SCHEME  "rados://"
#define RADOS_FORM    "rados://POOL[/PREFIX]"
#define RADOS_PACKAGE "iosweep-rados" /* contains the module */

#define RADOS_MODULE_MAGIC 0x696f7377u /* "iosw" */

struct rados_module {
    /* Compared with those of the program; the first two have this place in every version. */
    struct rados_build {
        uint32_t magic;
        char version[28];   /* of the package */
        uint32_t sizes[13]; /* of the structures used by both sides */
    } build;
    const struct object_protocol *protocol;
    /* Name and version of the library it uses: a constant string. */
    const char *(*library)(void);
};

#define RADOS_BUILD                                                                                \
    {                                                                                              \
        RADOS_MODULE_MAGIC, PACKAGE_VERSION,                                                       \
        {                                                                                          \
            sizeof(struct rados_module), sizeof(struct rados_options),                             \
                sizeof(struct object_protocol), sizeof(struct object_service),                     \
                sizeof(struct object_link), sizeof(struct object_link_config),                     \
                sizeof(struct object_call), sizeof(struct object_answer),                          \
                sizeof(struct object_page), sizeof(struct object_listed),                          \
                sizeof(struct object_uploads), sizeof(struct object_options), sizeof(struct error) \
        }                                                                                          \
    }

/* In the module: the symbol by which it is found. */
extern const struct rados_module iosweep_module __attribute__((visibility("default")));

/* Directory of modules: absolute, as installed.  In a separate object file, so that only test
 * programs can replace it. */
extern const char rados_module_directory[];

/* Loads the file, which like its directory must not be world-writable, and checks that it is the
 * module of this build.  It stays loaded until the program ends.  Returns NULL with err
 * (STATUS_TARGET).  Main thread. */
const struct rados_module *rados_module_load(const char *path, struct error *err);

#endif
