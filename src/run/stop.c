/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stop.c - turns signals into one flag. The handler only sets it, so that ordinary code removes
 * files and closes rows; a second signal skips that. */
#include "base/compat.h"

#include "run/stop.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/flag.h"

/* One request to stop often arrives as several signals: timeout(1) signals the program and then its
 * process group, a shell forwards a signal that the terminal sent to all. Within this time they
 * count as one. */
#define STOP_SAME_MS 1000u

volatile int stop_flag;

static volatile int may_leave; /* there may be objects that `iosweep clean` would have to remove */

static atomic_uint first_ms; /* time of the first signal, not 0; wraps around */

/* Some emulators of this architecture call handlers with an unaligned stack. */
#if defined(__x86_64__) || defined(__i386__)
#define ALIGN_STACK __attribute__((force_align_arg_pointer))
#else
#define ALIGN_STACK
#endif

/* Any thread may run this, several concurrently. */
static ALIGN_STACK void on_signal(int signum)
{
    static const char hint[] =
        "\niosweep: stopped at once; `iosweep clean TARGET` removes what is left\n";
    static const char plain[] = "\niosweep: stopped at once\n";
    const int errnum = errno;
    struct timespec t = {0};
    unsigned now_ms, none = 0;

    clock_gettime(CLOCK_MONOTONIC, &t);
    now_ms = ((unsigned)t.tv_sec * 1000u + (unsigned)(t.tv_nsec / 1000000)) | 1u;
    if (atomic_compare_exchange_strong(&first_ms, &none, now_ms)) {
        flag_set(&stop_flag, signum);
    } else if (now_ms - none > STOP_SAME_MS && now_ms - none < ~0u / 2) {
        const bool hints = flag_read(&may_leave);
        ssize_t ignored = write(STDERR_FILENO, hints ? hint : plain,
                                hints ? sizeof(hint) - 1 : sizeof(plain) - 1);
        (void)ignored;
        _exit(128 + signum);
    }
    errno = errnum;
}

static volatile int was_continued; /* set by any thread */

static ALIGN_STACK void on_continue(int signum)
{
    (void)signum;
    flag_set(&was_continued, 1);
}

unsigned stop_continued(void)
{
    static unsigned count;

    if (flag_read(&was_continued) && !flag_read(&stop_flag)) /* timeout(1) sends it with SIGTERM */
        count++;
    flag_set(&was_continued, 0);
    return count;
}

void stop_install(void)
{
    static const int orderly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_signal; /* without SA_RESTART: a blocked call returns */
    for (size_t i = 0; i < sizeof(orderly) / sizeof(*orderly); i++) {
        struct sigaction old;
        /* A signal ignored by the parent (nohup, background job) stays ignored. */
        if (sigaction(orderly[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        sigaction(orderly[i], &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = on_continue;
    action.sa_flags = SA_RESTART;
    sigaction(SIGCONT, &action, NULL);
}

void stop_may_leave(void)
{
    flag_set(&may_leave, 1);
}

int stop_status(void)
{
    const int signum = flag_read(&stop_flag);

    return signum ? 128 + signum : 0;
}
