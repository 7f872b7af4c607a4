/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_pin.c - threads cannot be bound to processors. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

void os_pin(uint32_t index, struct os_pin **before) {}

void os_unpin(struct os_pin *before) {}
