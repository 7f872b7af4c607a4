/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log.c - messages and the progress line on stderr, from any thread.  The progress line stands
 * without a newline at the bottom of the terminal; every other message wipes it first, so that
 * neither is ever mixed into the other.  The level and that one line are the whole state. */
#include "base/compat.h"

#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIPE_LINE "\r\033[K" /* to column 1, erase to the end of the line */

static enum log_level current_level = LOG_NORMAL;
static bool progress_on;
static bool progress_shown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what is shown; the others are set
                                                            before there are threads */

void log_set_level(enum log_level level)
{
    current_level = level;
}

enum log_level log_level(void)
{
    return current_level;
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

    pthread_mutex_lock(&lock);
    used = (size_t)snprintf(line, sizeof(line), "%s%s", progress_shown ? WIPE_LINE : "", prefix);
    progress_shown = false;
    va_copy(again, arguments);
    n = vsnprintf(line + used, sizeof(line) - used - 1, format, arguments);
    if (n >= 0 && (size_t)n < sizeof(line) - used - 1) {
        used += (size_t)n;
        line[used] = '\n';
        line[used + 1] = '\0';
        fputs(line, stderr);
    } else {
        line[used] = '\0';
        fputs(line, stderr);
        vfprintf(stderr, format, again);
        fputc('\n', stderr);
    }
    va_end(again);
    fflush(stderr);
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
    struct winsize window;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
        return (size_t)window.ws_col - 1;
    return 79;
}

void log_progress(const char *format, ...)
{
    char line[512];
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
    pthread_mutex_lock(&lock);
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
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
    pthread_mutex_lock(&lock);
    if (progress_shown) {
        progress_shown = false;
        fputs(WIPE_LINE, stderr);
        fflush(stderr);
    }
    pthread_mutex_unlock(&lock);
}
