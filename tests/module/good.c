/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* good.c - a module for tests/unit/test_module.c, which makes bad ones of it. */
#include "base/compat.h"

#include "unit/module_options.h"

static const char *library(void)
{
    return "far 1.2";
}

static const struct object_protocol protocol = {.name = "far"};

const struct object_module iosweep_module = {
    .magic = OBJECT_MODULE_MAGIC,
    .bytes = sizeof(struct object_module),
    .version = PACKAGE_VERSION,
    .sizes = OBJECT_MODULE_SIZES,
    .options_bytes = sizeof(struct far_options),
    .protocol = &protocol,
    .library = library,
};
