/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* null.c - the target `null:`: objects that have only a length, for engines that move no data.
 *
 * It is also the example of a driver.  Read storage.h, then this. */
#include "base/compat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/units.h"
#include "storage/storage.h"

#define NULL_OBJECTS 64
#define CREATED_MOST 1000000u /* limit of the objects that test create makes */

struct null_target {
    struct target target;
    uint64_t length_bytes[NULL_OBJECTS];
    uint64_t *created; /* lengths of objects that test create made; NULL: not from open_created */
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
    target->description = mem_printf("%u objects of %s that do not exist", target->object_count,
                                     units_format_size(request->file_bytes, size));
    target->dir_fd = -1;
    target->writable = true;
    *out = target;
    return 0;
}

/* null: keeps no record, so the number of objects is the number of operations counted. */
static int null_open_created(struct target *run, uint64_t size_bytes, enum io_test test,
                             uint64_t operations, struct target **out, struct error *err)
{
    struct null_target *null;
    const uint32_t count = operations < CREATED_MOST ? (uint32_t)operations : CREATED_MOST;
    uint64_t *length_bytes;

    if (null_open(run->request, out, err) != 0)
        return -1;
    if (operations > count)
        log_warn("test %s uses %u of the %" PRIu64 " objects created by test create in null:",
                 test_names[test], count, operations);
    null = (struct null_target *)*out;
    length_bytes = null->created = mem_calloc(count + (size_t)1, sizeof(*length_bytes));
    for (uint32_t i = 0; i < count; i++)
        length_bytes[i] = size_bytes;
    (*out)->object_count = count;
    (*out)->length_bytes = length_bytes;
    (*out)->total_bytes = count * size_bytes;
    (*out)->direct_align_bytes = run->direct_align_bytes;
    (*out)->memory_align_bytes = run->memory_align_bytes;
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
        free(((struct null_target *)target)->created);
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
    .open_created = null_open_created,
    .probe_direct = null_probe_direct,
    .close = null_close,
};
