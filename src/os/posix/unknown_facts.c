/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_facts.c - of the machine and the targets is known what os/facts.c asks of any system. */
#include "base/compat.h"

#include "os/os.h"
#include "os/processors.h"

/* What is not known looks at none of its parameters. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

void os_host_facts(const char *root, struct hostinfo *info) {}

void processors_look(const char *root, struct processors *look) {}

void os_target_facts(const char *root, struct targetinfo *info) {}
