/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* machine.h - judgements about a machine from its facts, in one place, so that a run and reports on
 * its results agree. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this is a virtual machine, whose host may have a cache of its own. virtualization: as in
 * the facts, "kvm", "docker container in kvm"; for none "none", "docker container" or ""
 * (unknown). */
bool machine_is_guest(const char *virtualization);

/* How many tasks of a row may count in the machine's load: its threads, the kernel threads that an
 * asynchronous engine may need for operations in flight, and two that write back what it flushes.
 * in_flight: concurrent operations per thread of an asynchronous engine; else 0. */
unsigned machine_tasks(uint64_t threads, uint64_t in_flight, bool flushes);

/* Whether other load keeps the processors busy. The run's own tasks may be the whole load of a
 * small machine. load: mean number of tasks over a minute, negative: unknown; cpus 0: unknown;
 * own_tasks: those of the run, see machine_tasks. */
bool machine_is_busy(double load, unsigned cpus, unsigned own_tasks);

#endif
