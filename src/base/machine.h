/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* machine.h - what facts of a machine come to: judged here alone, so that a run and reports on its
 * results say the same. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* A virtual machine, whose host may have a cache of its own.  virtualization: as in the facts,
 * "kvm", "docker container in kvm"; of none "none", "docker container" or "" (not known). */
bool machine_is_guest(const char *virtualization);

/* How many tasks of a row may count in the load of the machine: its threads, the kernel threads
 * that an asynchronous engine may need for what is in flight, and two that write back what it
 * flushes. in_flight: operations of a thread at once, which an asynchronous engine has; else 0. */
unsigned machine_tasks(uint64_t threads, uint64_t in_flight, bool flushes);

/* Others than this run keep the processors busy.  Our own tasks may be the whole load of a small
 * machine.  load: mean number of tasks over a minute, negative: not known; cpus 0: not known;
 * own_tasks: those of the run, see machine_tasks. */
bool machine_is_busy(double load, unsigned cpus, unsigned own_tasks);

#endif
