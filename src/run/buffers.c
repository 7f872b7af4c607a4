/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* buffers.c - see buffers.h. */
#include "base/compat.h"

#include "run/buffers.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "os/memory.h"
#include "os/os.h"

#define ADVICE "use a smaller --max-size, a lower --depth or fewer --threads"

int buffers_check(const struct plan *plan, bool verify, struct error *err)
{
    /* where addresses have 32 bits the machine may well have more than a process can reach */
    const uint64_t known_bytes = os_memory().allocatable_bytes;
    const uint64_t available_bytes =
        known_bytes > 0 && known_bytes < PTRDIFF_MAX ? known_bytes : PTRDIFF_MAX;
    const double each = (double)plan->buffer_bytes_max + (double)plan->scratch_bytes_max +
                        (verify ? (double)plan->call_bytes_max : 0);
    char text[UNITS_TEXT], available[UNITS_TEXT];

    if (each * plan->threads_max < (double)available_bytes)
        return 0;
    return error_refuse(
        err, STATUS_TARGET, "the buffers need more memory than is available:",
        units_format_bytes(each * plan->threads_max, text),
        "%s are available (free memory, address space, cgroup limits, ulimit): " ADVICE,
        units_format_bytes((double)available_bytes, available));
}

static int make(struct buffers *buffers, const struct plan *plan, bool verify, struct error *err)
{
    const size_t align = plan->memory_align_max_bytes;

    buffers->events = mem_calloc((size_t)plan->depth_max * 3, sizeof(*buffers->events));
    buffers->slots = mem_calloc(plan->depth_max, cycle_slot_bytes());
    buffers->buffer = mem_buffer((size_t)plan->buffer_bytes_max, align, err);
    if (!buffers->buffer)
        return -1;
    if (verify && !(buffers->check_buffer = mem_buffer((size_t)plan->call_bytes_max, align, err)))
        return -1;
    if (plan->scratch_bytes_max &&
        !(buffers->scratch = mem_buffer((size_t)plan->scratch_bytes_max, align, err)))
        return -1;
    return 0;
}

int buffers_make(struct buffers *buffers, const struct plan *plan, bool verify, struct error *err)
{
    return make(buffers, plan, verify, err) < 0 ? error_advise(err, ADVICE) : 0;
}

void buffers_free(struct buffers *buffers)
{
    mem_buffer_free(buffers->buffer);
    mem_buffer_free(buffers->scratch);
    mem_buffer_free(buffers->check_buffer);
    free(buffers->events);
    free(buffers->slots);
    *buffers = (struct buffers){.buffer = NULL};
}

void buffers_lend(const struct buffers *buffers, const struct workload *work,
                  struct engine_thread *thread)
{
    thread->memory = work->rmw ? buffers->scratch : buffers->buffer;
    thread->memory_bytes = (size_t)(work->depth * work->slot_bytes);
}
