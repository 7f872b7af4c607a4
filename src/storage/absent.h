/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.h - targets that this build cannot use, for want of a library: claimed all the same, so
 * that the user is told what is missing and not that there is no such file. */
#ifndef STORAGE_ABSENT_H
#define STORAGE_ABSENT_H

#include "storage/storage.h"

int target_absent_open(const struct target_request *request, struct target **out,
                       struct error *err);
int target_absent_clean(const struct clean_request *request, struct clean_outcome *outcome,
                        struct error *err);
int target_absent_close(struct target *target, struct error *err);

/* For the table of a driver, beside its words and `absent`. */
#define TARGET_ABSENT_HOOKS \
    .open = target_absent_open, .clean = target_absent_clean, .close = target_absent_close

#endif
