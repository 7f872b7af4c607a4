/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* good.c - a module for tests/unit/test_module.c, which makes bad ones of it. */
#include "base/compat.h"

#include "storage/object/rados/module.h"

static const char *library(void)
{
    return "far 1.2";
}

static const struct object_protocol protocol = {.name = "far"};

const struct rados_module iosweep_module = {
    .build = RADOS_BUILD,
    .protocol = &protocol,
    .library = library,
};
