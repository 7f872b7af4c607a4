/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* module_directory.c - where modules are installed. */
#include "base/compat.h"

#include "storage/object/rados/module.h"

const char rados_module_directory[] = MODULE_DIRECTORY;
