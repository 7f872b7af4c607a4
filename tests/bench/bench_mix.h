/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* bench_mix.h - what --mix costs, see bench_mix.c. */
#ifndef BENCH_MIX_H
#define BENCH_MIX_H

/* Prints it; returns an exit status. */
int bench_mix(unsigned rounds);

#endif
