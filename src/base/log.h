/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* log.h - messages to stderr.  Never called while operations are timed, but by the thread of
 * --interval.  stdout is for data only and is not written here.  When a progress line stands on the
 * terminal, it is wiped first. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

/* How many columns the terminal has that standard error leads to, 0 when unknown: asked before each
 * line that has to fit (base/ knows no terminals).  Without it: 80. */
void log_set_columns(unsigned (*columns)(void));

/* Where messages are broken: how many columns a line may have; 0: they are not, since standard
 * error is no terminal. */
unsigned log_columns(void);

/* Colour for the words before messages ("iosweep:", "# finding:"); off at start. */
void log_set_color(bool on);

/* Sets what is shown: QUIET errors only; NORMAL facts, notes and warnings; VERBOSE steps too. */
void log_set_level(enum log_level level);

/* A process of several: which one it is, as "rank 3 (nas3)".  It stands before each message from
 * now on, between "iosweep: " and an error or warning: "iosweep: rank 3 (nas3): cannot ...".  What
 * does not fit into LOG_PREFIX_BYTES is cut; "" or NULL: nothing again. */
#define LOG_PREFIX_BYTES 96
void log_set_prefix(const char *prefix);

/* One message each, newline added; "iosweep: " is put before errors and warnings.  These, and those
 * below, are sentences: on a terminal they are broken at blanks where it ends, and go on indented;
 * elsewhere they are one line.  Facts and steps are a line everywhere. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_step(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As log_info, for sentences. */
void log_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same of the form "# NAME: ...", where the name tells what kind of sentence it is:
 * "finding". */
void log_named(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many messages a terminal got so far, which tells whether something was written since. */
unsigned log_count(void);

/* Shows one progress line that the next message or progress line replaces.  On a terminal only
 * (see log_progress_enable); otherwise does nothing. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_progress_enable(bool on); /* off at start */
void log_progress_clear(void);

/* Called with every progress line, shown or not: a long step of this process is still under way. */
void log_on_progress(void (*told)(void *arg), void *arg);

#endif
