/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* stop.h - signals become one flag. SIGINT, SIGTERM, SIGHUP, SIGQUIT set it; one that comes more
 * than a second later, within the clean-up, ends the program at once. SIGPIPE is ignored: the call
 * fails with EPIPE instead. */
#ifndef RUN_STOP_H
#define RUN_STOP_H

/* Not 0 once a signal came (its number), here or to another rank. The hot loop reads it; only the
 * handlers and rank 0 of a team write it. */
extern volatile int stop_flag;

void stop_install(void);

/* How often the program was continued after a stop (Ctrl-Z), which invalidates its terminal output.
 * Main thread only. */
unsigned stop_continued(void);

/* From now on test data exist, perhaps partly removed: if the user ends the program at once, a
 * message explains how to remove them. */
void stop_may_leave(void);

/* The exit status for the signal that came (128 + number), 0 when none did. */
int stop_status(void);

#endif
