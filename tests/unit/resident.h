/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* resident.h - memory used by a test or benchmark. */
#ifndef TESTS_RESIDENT_H
#define TESTS_RESIDENT_H

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Resident memory of this process in bytes; 0 if unknown. */
static inline uint64_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long total, resident = 0;

    if (file) {
        if (fscanf(file, "%lu %lu", &total, &resident) != 2)
            resident = 0;
        fclose(file);
    }
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

#endif
