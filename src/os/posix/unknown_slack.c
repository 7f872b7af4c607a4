/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* unknown_slack.c - timer slack cannot be set. */
#include "base/compat.h"

#include "os/os.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

uint64_t os_timer_slack(uint64_t slack_ns)
{
    return 0;
}
