/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* signal.h - signals are console events (see signals.c). */
#ifndef OS_WINDOWS_SIGNAL_H
#define OS_WINDOWS_SIGNAL_H

#define WIN_PTHREADS_SIGNAL_H /* a pthread_sigmask macro that ignores its arguments */
#include_next <signal.h>

#include <sys/types.h>

#define SIGHUP  1 /* the console is closed, the user logs off, the machine shuts down */
#define SIGQUIT 3
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGCONT 18
#define SIGURG  23
#define SIGXFSZ 25

typedef unsigned long long sigset_t;
typedef void (*sighandler_t)(int);

struct sigaction {
    void (*sa_handler)(int); /* runs on a separate thread */
    sigset_t sa_mask;
    int sa_flags;
};
#define SA_RESTART  1
#define SIG_BLOCK   0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

int sigaction(int signum, const struct sigaction *action, struct sigaction *old);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int signum);
int sigdelset(sigset_t *set, int signum);
int sigismember(const sigset_t *set, int signum);
/* Signals interrupt no thread, so blocking is meaningless and nothing is ever pending. */
int sigprocmask(int how, const sigset_t *set, sigset_t *old);
int sigpending(sigset_t *set);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);

#endif
