/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - messages and the progress line on stderr, from any thread.  The progress line stands
 * without a newline at the bottom of the terminal; every other message wipes it first, so that
 * neither is ever mixed into the other.  The level and that one line are the whole state. */
#include "base/compat.h"

#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

#define WIPE_LINE "\r\033[K" /* to column 1, erase to the end of the line */

static enum log_level current_level = LOG_NORMAL;
static unsigned (*window_columns)(void);
static bool progress_on;
static bool progress_shown;
static bool stuck; /* standard error is full, and not read */
/* of what is shown; the others are set before there are threads */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define LOCK_TRIES 500 /* of 1 ms; after that another thread is stuck: standard error is not read */

/* A thread that waits for a reader must not keep others from ending the program. */
static bool take_lock(void)
{
    for (unsigned i = 0; i < LOCK_TRIES; i++) {
        if (pthread_mutex_trylock(&lock) == 0)
            return true;
        clock_rest(1000000);
    }
    stuck = true;
    return false;
}

/* Straight to the descriptor.  A write that a signal has ended was waiting for a reader: from then
 * on only what can be written at once is. */
static void put(const char *text, size_t length)
{
    while (length > 0) {
        struct pollfd file = {.fd = STDERR_FILENO, .events = POLLOUT};
        ssize_t written;
        if (stuck && poll(&file, 1, 0) != 1)
            return;
        written = write(STDERR_FILENO, text, length);
        if (written < 0) {
            stuck = stuck || errno == EINTR || errno == EAGAIN;
            return;
        }
        text += written;
        length -= (size_t)written;
    }
}

void log_set_columns(unsigned (*columns)(void))
{
    window_columns = columns;
}

void log_set_level(enum log_level level)
{
    current_level = level;
}

/* To be freed; NULL: memory is exhausted, which is no reason not to go on. */
static char *format_text(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    char *text;
    int n;

    va_copy(again, arguments);
    n = vsnprintf(NULL, 0, format, arguments);
    text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    return text;
}

static void message(const char *prefix, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static void message(const char *prefix, const char *format, va_list arguments)
{
    /* One write for what fits, so that lines of several processes on one terminal stay whole. */
    char line[3072];
    va_list again;
    size_t used;
    int n;

    const bool locked = take_lock();
    used = (size_t)snprintf(line, sizeof(line), "%s%s", progress_shown ? WIPE_LINE : "", prefix);
    progress_shown = false;
    va_copy(again, arguments);
    n = vsnprintf(line + used, sizeof(line) - used - 1, format, arguments);
    if (n >= 0 && (size_t)n < sizeof(line) - used - 1) {
        used += (size_t)n;
        line[used++] = '\n';
        put(line, used);
    } else {
        char *whole = format_text(format, again);

        put(line, used);
        if (whole)
            put(whole, strlen(whole));
        free(whole);
        put("\n", 1);
    }
    va_end(again);
    if (locked)
        pthread_mutex_unlock(&lock);
}

void log_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message("iosweep: ", format, arguments);
    va_end(arguments);
}

void log_warn(const char *format, ...)
{
    va_list arguments;
    if (current_level < LOG_NORMAL)
        return;
    va_start(arguments, format);
    message("iosweep: ", format, arguments);
    va_end(arguments);
}

void log_info(const char *format, ...)
{
    va_list arguments;
    if (current_level < LOG_NORMAL)
        return;
    va_start(arguments, format);
    message("", format, arguments);
    va_end(arguments);
}

void log_step(const char *format, ...)
{
    va_list arguments;
    if (current_level < LOG_VERBOSE)
        return;
    va_start(arguments, format);
    message("", format, arguments);
    va_end(arguments);
}

/* A line that wraps cannot be wiped by a carriage return, so it is cut to the window as it is now:
 * one column stays free, because some terminals wrap when the last one is filled. */
static size_t line_columns(void)
{
    const unsigned columns = window_columns ? window_columns() : 0;

    return columns > 1 ? columns - 1 : 79;
}

/* Each line ends at its last blank before the edge; a word longer than a line stays as it is. */
static void fold(char *text, size_t columns)
{
    size_t column = 0;
    char *blank = NULL;

    for (char *c = text; *c; c++) {
        if (((unsigned char)*c & 0xc0) == 0x80) /* goes on in the same column */
            continue;
        if (*c == ' ')
            blank = c;
        if (++column > columns && blank) {
            *blank = '\n';
            column = (size_t)(c - blank);
            blank = NULL;
        }
    }
}

void log_text(const char *format, ...)
{
    va_list arguments;
    char *text;

    if (current_level < LOG_NORMAL)
        return;
    va_start(arguments, format);
    text = format_text(format, arguments);
    va_end(arguments);
    if (!text)
        return;
    if (isatty(STDERR_FILENO))
        fold(text, line_columns());
    log_info("%s", text);
    free(text);
}

void log_progress(const char *format, ...)
{
    char line[512], shown[528];
    va_list arguments;
    size_t columns;

    if (!progress_on || current_level < LOG_NORMAL)
        return;
    va_start(arguments, format);
    if (vsnprintf(line, sizeof(line), format, arguments) < 0)
        line[0] = '\0';
    va_end(arguments);
    columns = line_columns();
    if (strlen(line) > columns) {
        while (columns > 0 && ((unsigned char)line[columns] & 0xc0) == 0x80)
            columns--; /* not inside a UTF-8 character */
        line[columns] = '\0';
    }
    if (!take_lock())
        return;
    snprintf(shown, sizeof(shown), "\r%s\033[K", line);
    put(shown, strlen(shown));
    progress_shown = true;
    pthread_mutex_unlock(&lock);
}

void log_progress_enable(bool on)
{
    if (!on)
        log_progress_clear();
    progress_on = on;
}

void log_progress_clear(void)
{
    if (!take_lock())
        return;
    if (progress_shown) {
        progress_shown = false;
        put(WIPE_LINE, sizeof(WIPE_LINE) - 1);
    }
    pthread_mutex_unlock(&lock);
}
