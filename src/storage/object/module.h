/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module.h - a protocol that is no part of the program: a file of its own beside the package's
 * other ones, loaded when a target asks for it, so that its library need not be there else.
 *
 * A module is a shared object with one name to be found, `iosweep_module`.  It calls the functions
 * of the program that module.symbols lists, and belongs to exactly that program: one of another
 * version, or one that was built with other declarations, is refused. */
#ifndef STORAGE_OBJECT_MODULE_H
#define STORAGE_OBJECT_MODULE_H

#include "storage/object/options.h"
#include "storage/object/protocol.h"

#define OBJECT_MODULE_MAGIC 0x696f7377u /* "iosw" */

/* What both sides read and write. */
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
    uint32_t magic;      /* these three stand here in every version */
    uint32_t bytes;      /* of this structure */
    const char *version; /* of the package */
    struct object_module_sizes sizes;
    uint32_t options_bytes; /* of the driver's block, of which the protocol is given one */
    const struct object_protocol *protocol;
    /* Name and version of the library behind it: a constant string. */
    const char *(*library)(void);
};

/* What a module is to be. */
struct object_module_wish {
    const char *package; /* that it comes with: "iosweep-far" */
    const char *scheme;  /* of the targets that need it: "far://" */
    uint32_t options_bytes;
};

/* In the module: by this name it is found. */
extern const struct object_module iosweep_module __attribute__((visibility("default")));

/* Where modules are: absolute, as installed.  In an object of its own, so that a program of the
 * tests can bring another one; nothing else can. */
extern const char object_module_directory[];

/* Loads the file, which neither it nor its directory may be for others to write, and looks whether
 * it is that module, of this version.  It stays for as long as the program runs.  Returns 0 or -1
 * (STATUS_TARGET).  Main thread. */
int object_module_load(const char *path, const struct object_module_wish *wish,
                       const struct object_module **out, struct error *err);

#endif
