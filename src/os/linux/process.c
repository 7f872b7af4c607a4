/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* process.c - pins threads, sets timer slack, and identifies processes. */
#include "base/compat.h"

#include "os/os.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "os/linux/sysfile.h"

struct os_pin {
    kernel_cpus cpus;
};

static void pin_to(const kernel_cpus *usable, uint32_t index)
{
    const uint32_t count = (uint32_t)CPU_COUNT_S(sizeof(*usable), &usable->set);
    uint32_t wanted = count > 0 ? index % count : 0;
    kernel_cpus one = {.words = {0}};

    for (size_t cpu = 0; cpu < 8 * sizeof(one); cpu++)
        if (CPU_ISSET_S(cpu, sizeof(*usable), &usable->set) && wanted-- == 0) {
            CPU_SET_S(cpu, sizeof(one), &one.set);
            sched_setaffinity(0, sizeof(one), &one.set);
        }
}

void os_pin(uint32_t index, struct os_pin **before)
{
    struct os_pin *pin = mem_calloc(1, sizeof(*pin));

    if (sched_getaffinity(0, sizeof(pin->cpus), &pin->cpus.set) == 0) {
        pin_to(&pin->cpus, index);
    } else {
        free(pin);
        pin = NULL;
    }
    if (before)
        *before = pin;
    else
        free(pin);
}

void os_unpin(struct os_pin *before)
{
    if (before)
        sched_setaffinity(0, sizeof(before->cpus), &before->cpus.set);
    free(before);
}

/* By default the kernel coalesces wake-ups of a thread within 50 us. */
uint64_t os_timer_slack(uint64_t slack_ns)
{
    const int before_ns = slack_ns > 0 ? prctl(PR_GET_TIMERSLACK) : 0;

    return before_ns > 0 && prctl(PR_SET_TIMERSLACK, (unsigned long)slack_ns) == 0
               ? (uint64_t)before_ns
               : 0;
}

/* In clock ticks since boot; 0: unknown. */
static uint64_t start_of(uint64_t pid)
{
    uint64_t start = 0;

    (void)sysfile_task(&start, "", pid, 22);
    return start;
}

/* Process ids are unique only within a pid namespace, for example that of a container. */
void os_process_self(struct os_process *self)
{
    char id[64];
    struct stat space;

    *self = (struct os_process){.pid = (uint64_t)getpid()};
    if (!sysfile_line(id, sizeof(id), "", "/proc/sys/kernel/random/boot_id") ||
        stat("/proc/self/ns/pid", &space) != 0)
        return;
    self->host = (uint64_t)space.st_ino;
    for (const char *c = id; *c != '\0'; c++) {
        self->host = self->host << 8 ^ self->host >> 56 ^ (unsigned char)*c;
        self->host = rng_splitmix(&self->host);
    }
    self->start = start_of(self->pid);
}

enum os_whereabouts os_process_look(const struct os_process *process)
{
    struct os_process self;
    uint64_t start;

    os_process_self(&self);
    if (process->host == 0 || process->host != self.host)
        return OS_ELSEWHERE;
    if (process->pid == 0 || process->pid > INT32_MAX ||
        (kill((pid_t)process->pid, 0) != 0 && errno == ESRCH))
        return OS_GONE;
    start = start_of(process->pid); /* other users' may be hidden by mount options */
    return start == 0 || process->start == 0 || start == process->start ? OS_THERE : OS_GONE;
}
