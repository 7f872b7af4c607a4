/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* log.h - messages to stderr. Never called while operations are timed, except by the thread of
 * --interval. stdout is for data only and is not written here. A progress line on the terminal is
 * erased first. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

enum log_level { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE };

/* Sets the function that returns the columns of a terminal, 0 if unknown; called for each line that
 * has to fit, with lines NULL (base/ does not access terminals). Default: 80. */
void log_set_columns(unsigned (*columns)(int fd, unsigned *lines));

/* The number of columns at which messages are wrapped; 0: not at all, since stderr is not a
 * terminal. */
unsigned log_columns(void);

/* Wraps the text at `columns`, of which the first line has already used `used`. Lines end at their
 * last blank that fits, but not between a number and its %; continuation lines begin with the
 * indent; longer words are not broken. To be freed; NULL: out of memory. */
char *log_fold(const char *text, const char *indent, size_t used, size_t columns);

/* Colours the words before messages ("iosweep:", "# finding:"); off at start. */
void log_set_color(bool on);

/* Sets what is shown: QUIET errors only; NORMAL facts, notes and warnings; VERBOSE steps too. */
void log_set_level(enum log_level level);

/* Identifies one process of several, as in "rank 3 (nas3)". It then precedes each message, between
 * "iosweep: " and the text of an error or warning: "iosweep: rank 3 (nas3): cannot ...". Cut to
 * LOG_PREFIX_BYTES; "" or NULL: removed. */
#define LOG_PREFIX_BYTES 96
void log_set_prefix(const char *prefix);

/* Each prints one message, cut to 4 KiB, and adds the newline; errors and warnings begin with
 * "iosweep: ". These and those below are sentences: on a terminal they are wrapped at blanks and
 * continued with an indent, elsewhere they are one line. Facts and steps are always one line. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_step(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Like log_info, for sentences. */
void log_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with the form "# NAME: ...", where the name is a kind of sentence: "finding". */
void log_named(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The number of messages written to a terminal so far, to detect output in between. */
unsigned log_count(void);

/* Shows a progress line, which the next message or progress line replaces, if log_progress_enable
 * and on a terminal; otherwise does nothing. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_progress_enable(bool on); /* off at start */
void log_progress_clear(void);

/* Sets a function called with every progress line, shown or not: a long step is still running. */
void log_on_progress(void (*told)(void *arg), void *arg);

#endif
