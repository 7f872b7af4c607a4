/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_text.c - escaping, and numbers that spreadsheets understand. */
#include "base/compat.h"

#include "analysis/report/report_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define REPLACEMENT "\357\277\275" /* U+FFFD */

static void put_byte(FILE *stream, char byte)
{
    switch (byte) {
    case '&':
        fputs("&amp;", stream);
        break;
    case '<':
        fputs("&lt;", stream);
        break;
    case '>':
        fputs("&gt;", stream);
        break;
    case '"':
        fputs("&quot;", stream);
        break;
    case '\'':
        fputs("&#39;", stream);
        break;
    default:
        fputc(byte, stream);
        break;
    }
}

/* Of the characters that UTF-8 can write, XML 1.0 has none below the blank but these three, and not
 * U+FFFE and U+FFFF. */
static bool is_allowed(const char *s, unsigned length)
{
    if (length == 1)
        return (unsigned char)*s >= ' ' || *s == '\t' || *s == '\n' || *s == '\r';
    return length > 0 && strncmp(s, "\357\277\276", 3) != 0 && strncmp(s, "\357\277\277", 3) != 0;
}

char *report_printable(const char *text)
{
    char *shown = mem_calloc(4 * strlen(text) + 1, 1), *to = shown;

    while (*text != '\0') {
        const unsigned length = utf8_printable_length(text);
        if (!is_allowed(text, length)) {
            to += snprintf(to, 5, "\\x%02x", (unsigned)(unsigned char)*text++);
            continue;
        }
        memcpy(to, text, length);
        to += length;
        text += length;
    }
    return shown;
}

void report_put_text(FILE *stream, const char *text)
{
    char *shown = report_printable(text);

    for (const char *s = shown; *s != '\0'; s++)
        put_byte(stream, *s);
    free(shown);
}

void report_put_format(FILE *stream, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return;
    text = mem_calloc((size_t)length + 1, 1);
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    report_put_text(stream, text);
    free(text);
}

void report_put_data(FILE *stream, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const unsigned taken = *text == '\0' ? 0 : utf8_length(text);
        if (!is_allowed(text, taken))
            fputs(REPLACEMENT, stream);
        else if (*text == '\r') /* as itself it would be read as an end of line */
            fputs("&#13;", stream);
        else if (taken == 1 && strchr("'\"", *text))
            fputc(*text, stream);
        else if (taken == 1)
            put_byte(stream, *text);
        else
            fwrite(text, 1, taken, stream);
        text += taken > 0 ? taken : 1;
    }
}

char *report_number(double value, char *text)
{
    int decimals = 3;

    text[0] = '\0';
    if (!isfinite(value))
        return text;
    for (double limit = 9.9995; decimals > 0 && fabs(value) >= limit; decimals--)
        limit = decimals == 3 ? 99.995 : 999.95;
    if (value != 0 && fabs(value) < 1)
        decimals = fabs(value) < 0.001 ? 6 : 4;
    if (value == trunc(value)) /* a count */
        decimals = 0;
    snprintf(text, REPORT_NUMBER_TEXT, "%.*f", decimals, value);
    return text;
}

static struct report_unit choose(const struct report_unit *units, size_t count, double value)
{
    size_t i = 0;

    while (i + 1 < count && value >= units[i + 1].factor)
        i++;
    return units[i];
}

#define CHOOSE(units, value) choose(units, sizeof(units) / sizeof((units)[0]), value)

struct report_unit report_unit_of_time(double ns)
{
    static const struct report_unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

    return CHOOSE(units, ns);
}

struct report_unit report_unit_of_throughput(double bytes_per_s)
{
    static const struct report_unit units[] = {{"B/s", 1}, {"kB/s", 1e3}, {"MB/s", 1e6}};

    return CHOOSE(units, bytes_per_s);
}

struct report_unit report_unit_of_rate(double per_s)
{
    static const struct report_unit units[] = {{"1/s", 1}, {"k/s", 1e3}, {"M/s", 1e6}};

    return CHOOSE(units, per_s);
}
