/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* load.h - provides the protocol to the driver: from a module (load.c) or linked into the program
 * (linked.c). */
#ifndef STORAGE_OBJECT_RADOS_LOAD_H
#define STORAGE_OBJECT_RADOS_LOAD_H

#include "storage/object/module.h"

/* Main thread only. Returns 0 or -1 (STATUS_TARGET). */
int rados_module_need(const struct object_module **out, struct error *err);

/* The loaded module, or NULL. */
const struct object_module *rados_module_got(void);

#endif
