/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* memory.h - aligned, touched I/O buffers.  They can be large because the user asked for it, so
 * failure is returned. */
#ifndef OS_MEMORY_H
#define OS_MEMORY_H

#include <stddef.h>

#include "base/error.h"

/* A buffer of size_bytes, aligned to align_bytes (a power of two, at least the page size is used),
 * every page written once so that no page fault happens while timing.  NULL and *err on failure.
 * Free with mem_buffer_free. */
void *mem_buffer(size_t size_bytes, size_t align_bytes, struct error *err);
void mem_buffer_free(void *buffer);

/* From now on the memory of this process holds secrets, which no core file may. */
void os_forbid_core_files(void);

#endif
