/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* options.c - options specific to rados://: rows for the command line, help and results. Builds
 * without librados have them, too, so that they refuse the target and not an option. */
#include "base/compat.h"

#include "storage/object/rados/options.h"

#include <string.h>

#include "storage/object/protocol.h"
#include "storage/storage.h"

#define FIELD(member) offsetof(struct rados_options, member)

/* clang-format off */
const struct option_row rados_reach_table[] = {
    {.name = "rados.user", .argument = "NAME", .type = OPTION_STRING, .offset = FIELD(user),
     .help = "Ceph user: NAME or client.NAME [client.admin]", .group = "RADOS"},
    {.name = "rados.conf", .argument = "FILE", .type = OPTION_STRING, .offset = FIELD(conf),
     .help = "configuration [CEPH_CONF, /etc/ceph/ceph.conf]", .group = "RADOS"},
    {.name = NULL},
};
/* clang-format on */

int rados_options_check(const struct target_request *request, unsigned count, bool alone,
                        struct error *err)
{
    static const struct object_limits limits = {
        .verbs = OBJECT_VERBS_OF_BUCKETS | 1u << OBJECT_XATTR_PUT | 1u << OBJECT_OMAP_PUT};

    const size_t length = strlen(request->target);

    if (length > 0 && request->target[length - 1] == '*' && !request->existing)
        return error_refuse(err, STATUS_USAGE, "no object can be created below", request->target,
                            "leave out the *, or read what is there with --read-existing (-r)");
    if (object_options_check(request, &limits, alone, err) != 0)
        return -1;
    return object_options_one_run(request, count, err);
}
