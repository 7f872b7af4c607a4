/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.h - a protocol outside the program: a separate file in a package of its own, loaded when a
 * target needs it, so that its library is required only then.
 *
 * A module is a shared object with one public symbol, `iosweep_module`.  It calls the functions of
 * the program listed in module.symbols, and belongs to exactly that program: a module of another
 * version, or one built with different declarations, is refused. */
#ifndef STORAGE_OBJECT_MODULE_H
#define STORAGE_OBJECT_MODULE_H

#include "storage/object/options.h"
#include "storage/object/protocol.h"

#define OBJECT_MODULE_MAGIC 0x696f7377u /* "iosw" */

/* Sizes of the structures used by both sides. */
struct object_module_sizes {
    uint32_t protocol, service, link, link_config, call, answer, page, listed, uploads, options,
        error;
};

#define OBJECT_MODULE_SIZES                                                                        \
    {                                                                                              \
        sizeof(struct object_protocol), sizeof(struct object_service), sizeof(struct object_link), \
            sizeof(struct object_link_config), sizeof(struct object_call),                         \
            sizeof(struct object_answer), sizeof(struct object_page),                              \
            sizeof(struct object_listed), sizeof(struct object_uploads),                           \
            sizeof(struct object_options), sizeof(struct error)                                    \
    }

struct object_module {
    uint32_t magic;      /* these three have this place in every version */
    uint32_t bytes;      /* of this structure */
    const char *version; /* of the package */
    struct object_module_sizes sizes;
    uint32_t options_bytes; /* of the driver's block, which is passed to the protocol */
    const struct object_protocol *protocol;
    /* Name and version of the library it uses: a constant string. */
    const char *(*library)(void);
};

/* Requirements for a module. */
struct object_module_wish {
    const char *package; /* its package: "iosweep-far" */
    const char *scheme;  /* of the targets that need it: "far://" */
    uint32_t options_bytes;
};

/* In the module: the symbol by which it is found. */
extern const struct object_module iosweep_module __attribute__((visibility("default")));

/* Directory of modules: absolute, as installed.  In a separate object file, so that only test
 * programs can replace it. */
extern const char object_module_directory[];

/* Loads the file, which like its directory must not be world-writable, and checks that it is that
 * module, of this version.  It stays loaded until the program ends.  Returns 0 or -1
 * (STATUS_TARGET).  Main thread. */
int object_module_load(const char *path, const struct object_module_wish *wish,
                       const struct object_module **out, struct error *err);

#endif
