/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module_options.h - shared by tests/module/good.c and the test that loads it. */
#ifndef TESTS_MODULE_OPTIONS_H
#define TESTS_MODULE_OPTIONS_H

#include "storage/object/module.h"

struct far_options {
    struct object_options store; /* first */
    uint64_t distance;
};

#endif
