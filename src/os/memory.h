/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* memory.h - aligned I/O buffers with all pages touched. The user chooses the size, so failure is
 * returned. */
#ifndef OS_MEMORY_H
#define OS_MEMORY_H

#include <stddef.h>

#include "base/error.h"

/* A buffer of size_bytes, aligned to align_bytes (a power of two) and at least to the page size.
 * Every page is written once so that no page fault happens while timing. NULL and *err on failure.
 * Free with mem_buffer_free. */
void *mem_buffer(size_t size_bytes, size_t align_bytes, struct error *err);
void mem_buffer_free(void *buffer);

/* From now on this process holds secrets, so it must not dump core. */
void os_forbid_core_files(void);

#endif
