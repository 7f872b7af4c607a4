/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pin.c - --pin.  The sets are as large as the machine needs, not as CPU_SETSIZE allows. */
#include "base/compat.h"

#include "os/pin.h"

#include <sched.h>
#include <stdlib.h>

#define CPUS_MAX (1 << 16) /* far beyond what a kernel can be built for */

struct pin {
    cpu_set_t *cpus;
    size_t size_bytes;
    int count;
};

static struct pin *pin_look(void)
{
    for (int count = 1024; count <= CPUS_MAX; count *= 2) {
        struct pin *pin = calloc(1, sizeof(*pin));
        if (!pin)
            return NULL;
        pin->cpus = CPU_ALLOC((size_t)count);
        pin->size_bytes = CPU_ALLOC_SIZE((size_t)count);
        pin->count = count;
        if (pin->cpus && sched_getaffinity(0, pin->size_bytes, pin->cpus) == 0)
            return pin;
        if (pin->cpus)
            CPU_FREE(pin->cpus);
        free(pin);
    }
    return NULL;
}

static void pin_to(const struct pin *pin, uint32_t index)
{
    const int usable = CPU_COUNT_S(pin->size_bytes, pin->cpus);
    cpu_set_t *one = CPU_ALLOC((size_t)pin->count);
    int wanted = usable > 0 ? (int)(index % (uint32_t)usable) : -1;

    for (int cpu = 0; one && wanted >= 0 && cpu < pin->count; cpu++)
        if (CPU_ISSET_S((size_t)cpu, pin->size_bytes, pin->cpus) && wanted-- == 0) {
            CPU_ZERO_S(pin->size_bytes, one);
            CPU_SET_S((size_t)cpu, pin->size_bytes, one);
            sched_setaffinity(0, pin->size_bytes, one);
        }
    if (one)
        CPU_FREE(one);
}

static void pin_free(struct pin *pin)
{
    CPU_FREE(pin->cpus);
    free(pin);
}

bool pin_possible(void)
{
    return true;
}

void pin_thread(uint32_t index)
{
    struct pin *pin = pin_look();

    if (!pin)
        return;
    pin_to(pin, index);
    pin_free(pin);
}

struct pin *pin_caller(void)
{
    struct pin *pin = pin_look();

    if (pin)
        pin_to(pin, 0);
    return pin;
}

void pin_undo(struct pin *pin)
{
    if (!pin)
        return;
    sched_setaffinity(0, pin->size_bytes, pin->cpus);
    pin_free(pin);
}
