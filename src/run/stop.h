/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stop.h - signals become one flag.  SIGINT, SIGTERM, SIGHUP, SIGQUIT set it; one that comes more
 * than a second later, within the clean-up, ends the program at once.  SIGPIPE is ignored: the call
 * fails with EPIPE instead. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

/* Not 0 once a signal came (its number).  The hot loop reads it; only the handlers write
 * it. */
extern volatile int stop_flag;

void stop_install(void);

/* How often the program was told to go on after it had been stopped (Ctrl-Z): what it had on a
 * terminal is not where it was.  The main thread alone asks. */
unsigned stop_continued(void);

/* From now on something exists, or is half removed: a user who ends the program at once is told how
 * to remove it. */
void stop_may_leave(void);

/* The exit status for the signal that came (128 + number), 0 when none did. */
int stop_status(void);

#endif
