/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* log.c - messages and the progress line on stderr, from any thread. The progress line is at the
 * bottom of the terminal, without a newline; every other message erases it first, so that they
 * never mix. Level, prefix and that line are the only state. */
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

#define MESSAGE_BYTES 4096 /* longer ones are cut */
#define LINE_BYTES    512  /* of progress */
#define KIND_BYTES    48   /* "# finding: " */

static enum log_level current_level = LOG_NORMAL;
static char own_prefix[LOG_PREFIX_BYTES + 2]; /* with ": ", or "" */
static unsigned (*window_columns)(int fd, unsigned *lines);
static bool progress_on;
static size_t progress_length; /* of the line shown, which blanks erase; 0: none */
static bool colored;
static atomic_uint messages;
static bool stuck; /* stderr is full and not read */
/* for the state of the line; the rest is set before threads start */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* of 1 ms; then another thread is blocked because nothing reads stderr */
#define LOCK_TRIES 500

/* A thread that waits for a reader must not prevent others from ending the program. */
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

/* Writes to the descriptor directly. A write interrupted by a signal was waiting for a reader: from
 * then on, only what can be written immediately is written. */
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

void log_set_columns(unsigned (*columns)(int fd, unsigned *lines))
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

/* A line that wraps cannot be erased with a carriage return, so it is cut to the current width
 * minus one column, because some terminals wrap when the last one is filled. */
static unsigned line_columns(void)
{
    const unsigned columns = window_columns ? window_columns(STDERR_FILENO, NULL) : 0;

    return columns > 1 ? columns - 1 : 79;
}

unsigned log_columns(void)
{
    return isatty(STDERR_FILENO) ? line_columns() : 0;
}

char *log_fold(const char *text, const char *indent, size_t used, size_t columns)
{
    const size_t length = strlen(text), wide = strlen(indent);
    /* a break needs at least one blank */
    char *folded = malloc(length + 1 + (length / 2 + 1) * (wide + 1)), *to = folded;
    size_t column = used;
    char *blank = NULL; /* last one in this line that allows a break */
    size_t after = 0;   /* columns after it */
    char *end;          /* of the line that it ends, which has no blank there */

    if (!folded)
        return NULL;
    for (; *text; text++) {
        *to++ = *text;
        if (((unsigned char)*text & 0xc0) == 0x80) /* continues a character */
            continue;
        column++;
        after++;
        if (*text == '\n') {
            column = 0;
            blank = NULL;
        } else if (*text == ' ' && column > wide && text[1] != '%') {
            blank = to - 1;
            after = 0;
        }
        if (column <= columns || !blank || *text == ' ')
            continue;
        for (end = blank; end > folded && end[-1] == ' ';)
            end--;
        memmove(end + 1 + wide, blank + 1, (size_t)(to - blank - 1));
        *end = '\n';
        memcpy(end + 1, indent, wide);
        to += (ptrdiff_t)wide - (blank - end);
        column = wide + after;
        blank = NULL;
    }
    *to = '\0';
    return folded;
}

/* Indent of continuation lines: facts are indented past their "#". */
static const char *indent_of(const char *line)
{
    const size_t mark = line[0] == '#', blanks = strspn(line + mark, " ");

    if (mark)
        return blanks > 1 ? "#     " : "#   ";
    return "  ";
}

/* What erases the progress line and returns to column 1. Blanks do that on every terminal. */
static void wipe(char *text, size_t room)
{
    text[0] = '\0';
    if (progress_length > 0)
        snprintf(text, room, "\r%*s\r", (int)progress_length, "");
    progress_length = 0;
}

/* Prints at this level and above. look: colour of the words before the message; sentence: wrap the
 * text at the terminal's width. */
static void message(enum log_level level, enum color look, bool sentence, const char *kind,
                    const char *format, va_list arguments) __attribute__((format(printf, 5, 0)));

static void message(enum log_level level, enum color look, bool sentence, const char *kind,
                    const char *format, va_list arguments)
{
    /* A single write, so that lines of several processes on one terminal stay intact. */
    char text[MESSAGE_BYTES], line[2 * MESSAGE_BYTES], wiped[LINE_BYTES + 3];
    char prefix[KIND_BYTES + sizeof(own_prefix)], *folded = NULL;
    const unsigned columns = sentence ? log_columns() : 0;
    size_t length;
    bool locked;

    if (current_level < level)
        return;
    if (vsnprintf(text, sizeof(text), format, arguments) < 0)
        text[0] = '\0';
    snprintf(prefix, sizeof(prefix), "%s%s", kind, own_prefix);
    if (columns > 0)
        folded =
            log_fold(text, indent_of(prefix[0] != '\0' ? prefix : text), strlen(prefix), columns);
    locked = take_lock();
    wipe(wiped, sizeof(wiped));
    snprintf(line, sizeof(line) - 1, "%s%s%s%s%s", wiped, color_begin(colored, look), prefix,
             color_end(colored, look), folded ? folded : text);
    length = strlen(line);
    line[length] = '\n';
    put(line, length + 1);
    messages += isatty(STDERR_FILENO) != 0;
    if (locked)
        pthread_mutex_unlock(&lock);
    free(folded);
}

#define LOG_FUNCTION(name, level, look, sentence, kind)          \
    void name(const char *format, ...)                           \
    {                                                            \
        va_list arguments;                                       \
        va_start(arguments, format);                             \
        message(level, look, sentence, kind, format, arguments); \
        va_end(arguments);                                       \
    }
LOG_FUNCTION(log_error, LOG_QUIET, COLOR_ALARM, true, "iosweep: ")
LOG_FUNCTION(log_warn, LOG_NORMAL, COLOR_CAUTION, true, "iosweep: ")
LOG_FUNCTION(log_info, LOG_NORMAL, COLOR_PLAIN, false, "")
LOG_FUNCTION(log_text, LOG_NORMAL, COLOR_PLAIN, true, "")
LOG_FUNCTION(log_step, LOG_VERBOSE, COLOR_PLAIN, false, "")

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
    snprintf(shown, sizeof(shown), "\r%-*s", (int)progress_length, line);
    progress_length = strlen(line);
    put(shown, strlen(shown));
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
    char wiped[LINE_BYTES + 3];

    if (!take_lock())
        return;
    wipe(wiped, sizeof(wiped));
    put(wiped, strlen(wiped));
    pthread_mutex_unlock(&lock);
}
