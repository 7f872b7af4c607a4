/* SPDX-License-Identifier: GPL-2.0-or-later */
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

/* Sets what is shown: QUIET errors only; NORMAL facts, notes and warnings; VERBOSE steps too. */
void log_set_level(enum log_level level);

/* One line each, newline added; "iosweep: " is put before errors and warnings. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_step(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As log_info, for sentences: on a terminal broken at blanks where it ends, elsewhere one line. */
void log_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Shows one progress line that the next message or progress line replaces.  On a terminal only
 * (see log_progress_enable); otherwise does nothing. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_progress_enable(bool on); /* off at start */
void log_progress_clear(void);

#endif
