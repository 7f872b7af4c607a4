/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* load.c - loads the protocol as a module, so that the program can be installed without
 * librados. */
#include "base/compat.h"

#include "storage/object/rados/load.h"

#include <stdlib.h>

#include "base/mem.h"
#include "storage/object/rados/options.h"

static const struct object_module *loaded;

int rados_module_need(const struct object_module **out, struct error *err)
{
    static const struct object_module_wish wish = {RADOS_PACKAGE, RADOS_SCHEME,
                                                   sizeof(struct rados_options)};
    char *path;
    int code = 0;

    if (!loaded) {
        path = mem_printf("%s/" RADOS_PACKAGE ".so", object_module_directory);
        code = object_module_load(path, &wish, &loaded, err);
        free(path);
    }
    *out = loaded;
    return code;
}

const struct object_module *rados_module_got(void)
{
    return loaded;
}
