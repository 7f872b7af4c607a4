/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null.c - the target `null:`: objects that have only a length, for engines that move no data.
 *
 * It is also the example of a driver.  Read storage.h, then this. */
#include "base/compat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "storage/storage.h"

#define NULL_OBJECTS 64

struct null_target {
    struct target target;
    uint64_t length_bytes[NULL_OBJECTS];
};

static bool null_claims(const char *target)
{
    return strcmp(target, "null:") == 0;
}

static int null_open(const struct target_request *request, struct target **out, struct error *err)
{
    struct null_target *null = mem_calloc(1, sizeof(*null));
    struct target *target = &null->target;
    char size[UNITS_TEXT];

    (void)err;
    target->driver = &target_null;
    target->request = request;
    target->object_count = request->single_file ? 1 : NULL_OBJECTS;
    for (uint32_t i = 0; i < target->object_count; i++)
        null->length_bytes[i] = target_request_length(request);
    target->length_bytes = null->length_bytes;
    target->total_bytes = request->file_bytes * target->object_count;
    target->label = mem_strdup(request->label ? request->label : request->target);
    target->place = mem_strdup(request->target);
    target->description =
        mem_printf("%u object%s of %s that do not exist", target->object_count,
                   request->single_file ? "" : "s", units_format_size(request->file_bytes, size));
    target->dir_fd = -1;
    target->writable = true;
    *out = target;
    return 0;
}

static int null_probe_direct(struct target *target, struct error *err)
{
    (void)err;
    target->direct_align_bytes = 1;
    target->memory_align_bytes = 1;
    return 0;
}

static int null_close(struct target *target, struct error *err)
{
    (void)err;
    if (target) {
        free(target->label);
        free(target->place);
        free(target->description);
        free(target); /* first member of the struct null_target */
    }
    return 0;
}

const struct storage_driver target_null = {
    .name = "null",
    .kind = "null target",
    .scheme = "null:",
    .form = "null:",
    .purpose = "no I/O",
    .capabilities = TARGET_SHAPED | TARGET_CACHED | TARGET_OPENED | TARGET_VIRTUAL,
    .claims = null_claims,
    .open = null_open,
    .probe_direct = null_probe_direct,
    .close = null_close,
};
