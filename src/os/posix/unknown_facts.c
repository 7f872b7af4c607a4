/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_facts.c - no facts beyond those of os/facts.c. */
#include "base/compat.h"

#include "os/os.h"
#include "os/processors.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void os_host_facts(const char *root, struct hostinfo *info) {}

void processors_look(const char *root, struct processors *look) {}

void os_target_facts(const char *root, struct targetinfo *info) {}
