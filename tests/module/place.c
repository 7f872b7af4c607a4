/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* place.c - makes tests/module/iosweep of the program: the same, but its modules are where they
 * were built. */
#include "base/compat.h"

#include "storage/object/rados/module.h"

const char rados_module_directory[] = MODULE_DIRECTORY;
