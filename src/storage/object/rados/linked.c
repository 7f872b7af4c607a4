/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* linked.c - the protocol linked into the program (--with-rados=yes). */
#include "base/compat.h"

#include "storage/object/rados/load.h"

int rados_module_need(const struct object_module **out, struct error *err)
{
    (void)err;
    *out = &iosweep_module;
    return 0;
}

const struct object_module *rados_module_got(void)
{
    return &iosweep_module;
}
