/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* retry.c - see the header. */
#include "base/compat.h"

#include "storage/object/retry.h"

#define NS_PER_MS     UINT64_C(1000000)
#define FIRST_NS      (100 * NS_PER_MS)
#define DOUBLED_MOST  6u
#define ASKED_MOST_NS (20000 * NS_PER_MS)

uint64_t object_pause_ns(uint64_t repetition, uint64_t asked_ns, struct rng *rng)
{
    const uint64_t doubled = repetition > DOUBLED_MOST ? DOUBLED_MOST : repetition - 1;
    const uint64_t own_ns = FIRST_NS << doubled;
    uint64_t pause_ns = asked_ns < ASKED_MOST_NS ? asked_ns : ASKED_MOST_NS;

    if (pause_ns < own_ns)
        pause_ns = own_ns;
    return pause_ns + rng_below(rng, pause_ns / 4 + 1);
}
