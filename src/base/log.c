/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* log.c - messages and the progress line on stderr, from any thread.  The progress line stands
 * without a newline at the bottom of the terminal; every other message wipes it first, so that
 * neither is ever mixed into the other.  The level, the prefix and that one line are the whole
 * state. */
#include "base/compat.h"

#include "base/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/color.h"
#include "base/text.h"

#define WIPE_LINE  "\r\033[K" /* to column 1, erase to the end of the line */
#define LINE_BYTES 512        /* of progress */
#define KIND_BYTES 48         /* "# finding: " */

static enum log_level current_level = LOG_NORMAL;
static char own_prefix[LOG_PREFIX_BYTES + 2]; /* with ": ", or "" */
static unsigned (*window_columns)(void);
static bool progress_on;
static bool progress_shown;
static bool erasable;          /* the terminal obeys what erases a line */
static size_t progress_length; /* of the line that is shown, where nothing but blanks erases it */
static bool colored;
static atomic_uint messages;
static bool stuck; /* standard error is full, and not read */
/* of what is shown; the others are set before there are threads */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* of 1 ms; after that another thread is stuck: standard error is not read */
#define LOCK_TRIES 500

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

static void (*progress_told)(void *arg);
static void *progress_told_arg;

void log_set_columns(unsigned (*columns)(void))
{
    window_columns = columns;
}

void log_set_color(bool on)
{
    colored = on;
}

void log_set_level(enum log_level level)
{
    current_level = level;
}

void log_set_prefix(const char *prefix)
{
    char name[LOG_PREFIX_BYTES];

    text_copy(name, sizeof(name), prefix);
    snprintf(own_prefix, sizeof(own_prefix), "%s%s", name, name[0] != '\0' ? ": " : "");
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

/* A line that wraps cannot be wiped by a carriage return, so it is cut to the window as it is now:
 * one column stays free, because some terminals wrap when the last one is filled. */
static unsigned line_columns(void)
{
    const unsigned columns = window_columns ? window_columns() : 0;

    return columns > 1 ? columns - 1 : 79;
}

unsigned log_columns(void)
{
    return isatty(STDERR_FILENO) ? line_columns() : 0;
}

/* What a line goes on with in the next one: facts stay behind their "#". */
static const char *indent_of(const char *line)
{
    const size_t mark = line[0] == '#', blanks = strspn(line + mark, " ");

    if (mark)
        return blanks > 1 ? "#     " : "#   ";
    return "  ";
}

/* The text as it is shown after a prefix.  To be freed, unless it is the text. */
static char *fit(const char *prefix, char *text)
{
    const unsigned columns = log_columns();
    char *folded = NULL;

    if (columns > 0)
        folded =
            text_fold(text, indent_of(prefix[0] != '\0' ? prefix : text), strlen(prefix), columns);
    return folded ? folded : text;
}

/* What leaves column 1 of an empty line. */
static void wipe(char *text, size_t room)
{
    if (!progress_shown)
        text[0] = '\0';
    else if (erasable)
        snprintf(text, room, WIPE_LINE);
    else
        snprintf(text, room, "\r%*s\r", (int)progress_length, "");
}

/* Prints at this level and above.  look: the colour of the words before the message; sentence: the
 * text wraps at the width of the terminal. */
static void message(enum log_level level, enum color look, bool sentence, const char *kind,
                    const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

static void message(enum log_level level, enum color look, bool sentence, const char *kind,
                    const char *format, va_list arguments)
{
    /* One write for what fits, so that lines of several processes on one terminal stay whole. */
    char line[3072], small[2048] = "", wiped[LINE_BYTES + 3];
    char prefix[KIND_BYTES + sizeof(own_prefix)];
    char *text, *shown;
    size_t used, length;
    va_list again;
    bool locked;

    if (current_level < level)
        return;
    va_copy(again, arguments);
    text = vsnprintf(small, sizeof(small), format, arguments) < (int)sizeof(small)
               ? small
               : format_text(format, again);
    va_end(again);
    if (!text)
        text = small; /* what there was room for */
    snprintf(prefix, sizeof(prefix), "%s%s", kind, own_prefix);
    shown = sentence ? fit(prefix, text) : text;
    length = strlen(shown);
    locked = take_lock();
    wipe(wiped, sizeof(wiped));
    used = (size_t)snprintf(line, sizeof(line), "%s%s%s%s", wiped, color_begin(colored, look),
                            prefix, color_end(colored, look));
    if (used + length + 1 <= sizeof(line)) {
        memcpy(line + used, shown, length);
        line[used + length] = '\n';
        put(line, used + length + 1);
    } else {
        put(line, used);
        put(shown, length);
        put("\n", 1);
    }
    progress_shown = false;
    progress_length = 0;
    messages += isatty(STDERR_FILENO) != 0;
    if (locked)
        pthread_mutex_unlock(&lock);
    if (shown != text)
        free(shown);
    if (text != small)
        free(text);
}

void log_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(LOG_QUIET, COLOR_ALARM, true, "iosweep: ", format, arguments);
    va_end(arguments);
}

void log_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(LOG_NORMAL, COLOR_CAUTION, true, "iosweep: ", format, arguments);
    va_end(arguments);
}

void log_info(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(LOG_NORMAL, COLOR_PLAIN, false, "", format, arguments);
    va_end(arguments);
}

void log_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(LOG_NORMAL, COLOR_PLAIN, true, "", format, arguments);
    va_end(arguments);
}

void log_step(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(LOG_VERBOSE, COLOR_PLAIN, false, "", format, arguments);
    va_end(arguments);
}

void log_named(const char *name, const char *format, ...)
{
    char prefix[KIND_BYTES];
    va_list arguments;
    snprintf(prefix, sizeof(prefix), "# %s: ", name);
    va_start(arguments, format);
    message(LOG_NORMAL, COLOR_NAME, true, prefix, format, arguments);
    va_end(arguments);
}

unsigned log_count(void)
{
    return messages;
}

void log_on_progress(void (*told)(void *arg), void *arg)
{
    progress_told = told;
    progress_told_arg = arg;
}

void log_progress(const char *format, ...)
{
    char line[LINE_BYTES], shown[LINE_BYTES + 16];
    va_list arguments;
    size_t columns;

    if (progress_told)
        progress_told(progress_told_arg);
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
    if (erasable) {
        snprintf(shown, sizeof(shown), "\r%s\033[K", line);
    } else {
        columns = strlen(line);
        snprintf(shown, sizeof(shown), "\r%-*s", (int)progress_length, line);
        progress_length = columns;
    }
    put(shown, strlen(shown));
    progress_shown = true;
    pthread_mutex_unlock(&lock);
}

void log_progress_enable(bool on)
{
    if (!on)
        log_progress_clear();
    progress_on = on;
    erasable = color_obeyed(getenv("TERM"));
}

void log_progress_clear(void)
{
    char wiped[LINE_BYTES + 3];

    if (!take_lock())
        return;
    wipe(wiped, sizeof(wiped));
    put(wiped, strlen(wiped));
    progress_shown = false;
    progress_length = 0;
    pthread_mutex_unlock(&lock);
}
