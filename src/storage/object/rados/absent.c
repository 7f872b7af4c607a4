/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* absent.c - targets rados:// in builds without librados. */
#include "base/compat.h"

#include "storage/object/rados/options.h"
#include "storage/storage.h"

extern const struct storage_driver target_rados;

static const struct target_absent absent = {
    "this build has no RADOS:",
    "build it --with-rados=module or yes, with librados and its headers"};

const struct storage_driver target_rados = {
    RADOS_TARGET_WORDS,
    .absent = &absent,
};
