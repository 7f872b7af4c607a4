/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* signals.c - maps console events to signals: Ctrl-C is SIGINT, Ctrl-Break SIGTERM (the one that
 * another program can send to a group), and closing the console, logging off and shutting down are
 * SIGHUP. Handlers run on a separate thread, and do not interrupt calls. */
#include "base/compat.h"

#include "os/windows/win.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

#define SIGNALS 32

static void (*volatile handlers[SIGNALS])(int);

static bool deliver_signal(int signum)
{
    void (*const handler)(int) = handlers[signum];

    if (!handler) /* SIG_DFL */
        return false;
    if (handler != SIG_IGN)
        handler(signum);
    return true;
}

static BOOL WINAPI on_console(DWORD event)
{
    switch (event) {
    case CTRL_C_EVENT:
        return deliver_signal(SIGINT);
    case CTRL_BREAK_EVENT:
        return deliver_signal(SIGTERM);
    default:
        if (!deliver_signal(SIGHUP))
            return FALSE;
        Sleep(INFINITE); /* Windows ends the process when this returns, or after some seconds */
        return TRUE;
    }
}

int sigaction(int signum, const struct sigaction *action, struct sigaction *old)
{
    static volatile LONG installed;

    if (signum <= 0 || signum >= SIGNALS) {
        errno = EINVAL;
        return -1;
    }
    if (old)
        *old = (struct sigaction){.sa_handler = handlers[signum]};
    if (!action)
        return 0;
    handlers[signum] = action->sa_handler;
    if (InterlockedExchange(&installed, 1) == 0)
        SetConsoleCtrlHandler(on_console, TRUE);
    return 0;
}
