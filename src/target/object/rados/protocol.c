/* SPDX-License-Identifier: GPL-2.0-or-later */
/* protocol.c - see target/object/protocol.h and protocol.h. */
#include "base/compat.h"

#include "target/object/rados/protocol.h"

#include <rados/librados.h>
#include <stdio.h>

#include "target/object/rados/options.h"

static int pool_open(const char *target, const void *options, bool signs,
                     struct object_service **out, struct error *err)
{
    (void)options;
    (void)signs;
    *out = NULL;
    return error_refuse(err, STATUS_TARGET, "this release cannot use pools yet:", target,
                        "use another target");
}

const char *pool_library(void)
{
    static char name[48];
    int major, minor, extra;

    rados_version(&major, &minor, &extra);
    (void)snprintf(name, sizeof(name), "librados %d.%d.%d", major, minor, extra);
    return name;
}

const struct object_protocol rados_protocol = {
    .name = "rados", .service = "the cluster", .form = RADOS_FORM, .open = pool_open};
