/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.c - see absent.h. */
#include "base/compat.h"

#include "storage/absent.h"

static int refuse(const char *target, struct error *err)
{
    const struct storage_driver *driver = storage_driver_for(target);

    return error_refuse(err, STATUS_USAGE, driver->absent->what, target, "%s",
                        driver->absent->advice);
}

int target_absent_open(const struct target_request *request, struct target **out, struct error *err)
{
    *out = NULL;
    return refuse(request->target, err);
}

int target_absent_clean(const struct clean_request *request, struct clean_outcome *outcome,
                        struct error *err)
{
    (void)outcome;
    return refuse(request->target, err);
}

int target_absent_close(struct target *target, struct error *err)
{
    (void)target;
    (void)err;
    return 0;
}
