/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* storage.c - finds the driver that handles a target, and cleans up after earlier runs in targets
 * without opening them. */
#include "base/compat.h"

#include <string.h>

#include "base/mem.h"
#include "storage/life/clean.h"
#include "storage/storage.h"

extern const struct storage_driver target_s3, target_webhdfs, target_rados, target_mem;

const struct storage_driver *const storage_driver_table[] = {
    &target_s3, &target_webhdfs, &target_rados, &target_mem, &target_null, &target_file, NULL};

const struct storage_driver *storage_driver_find(const char *name)
{
    for (const struct storage_driver *const *d = storage_driver_table; *d; d++)
        if (strcmp((*d)->name, name) == 0)
            return *d;
    return NULL;
}

static bool claims(const struct storage_driver *driver, const char *target)
{
    return driver->claims ? driver->claims(target)
                          : strncmp(target, driver->scheme, strlen(driver->scheme)) == 0;
}

const struct storage_driver *storage_driver_for(const char *target)
{
    const struct storage_driver *const *d = storage_driver_table;

    while (d[1] && !claims(*d, target))
        d++;
    return *d;
}

bool target_request_makes_own(const struct target_request *request)
{
    bool own = request->tests != 0;

    for (unsigned test = 0; test < TEST_COUNT; test++)
        own = own && (!(request->tests & 1u << test) || test_makes_own((enum io_test)test));
    return own;
}

uint64_t target_request_length(const struct target_request *request)
{
    uint64_t length_bytes = request->file_bytes;

    if (target_request_makes_own(request))
        for (size_t i = 0; i < request->size_count; i++)
            if (request->size_bytes[i] > length_bytes)
                length_bytes = request->size_bytes[i];
    return length_bytes;
}

void target_lie_with(struct target *target, const struct target *run, const char *description)
{
    target->driver = run->driver;
    target->request = run->request;
    target->created = true;
    target->label = mem_strdup(run->label);
    target->place = mem_strdup(run->place);
    target->name_root = run->name_root ? mem_strdup(run->name_root) : NULL;
    target->description = mem_strdup(description);
    target->dir_fd = -1;
    target->resolve = run->resolve;
    target->connections_each = run->connections_each;
    target->descriptors_thread = run->descriptors_thread;
    target->servers = run->servers;
    target->writable = true;
    target->accounted = run->accounted;
    target->in_memory = run->in_memory;
    target->close_flushes = run->close_flushes;
    target->nowait = run->nowait;
    target->direct_align_bytes = run->direct_align_bytes;
    target->memory_align_bytes = run->memory_align_bytes;
}

static int refuse_absent(const char *target, const struct target_absent *absent, struct error *err)
{
    return error_refuse(err, STATUS_USAGE, absent->what, target, "%s", absent->advice);
}

int target_open(const struct target_request *request, struct target **out, struct error *err)
{
    const struct storage_driver *driver = storage_driver_for(request->target);

    *out = NULL;
    return driver->absent ? refuse_absent(request->target, driver->absent, err)
                          : driver->open(request, out, err);
}

int target_clean(const struct clean_request *request, struct clean_outcome *outcome,
                 struct error *err)
{
    const struct storage_driver *driver = storage_driver_for(request->target);

    *outcome = (struct clean_outcome){0};
    if (driver->absent)
        return refuse_absent(request->target, driver->absent, err);
    if (driver->clean)
        return driver->clean(request, outcome, err);
    /* runs never leave anything there */
    return clean_carry_out(request, NULL, outcome, err);
}
