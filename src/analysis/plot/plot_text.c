/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* plot_text.c - strings and axes for gnuplot.
 *
 * Between single quotes gnuplot interprets nothing but a doubled quote: no backslash, no macro, no
 * command in backquotes; enhanced text, which would see markup in it, is switched off by plot.c.  A
 * doubled quote is no help either: gnuplot 5.4 takes none at the beginning, nor two in a row, so
 * text with a quote stands between double quotes and is escaped. */
#include "base/compat.h"

#include "analysis/plot/plot_parts.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"

#define DECADES_LABELLED 2   /* in a longer axis 2 and 5 have ticks only, 3 and 4 none */
#define DECADES_ACROSS   1.3 /* the same of a horizontal axis */

/* Between double quotes gnuplot takes octal escapes, so that nothing is left that it could see as
 * more than text. */
static void put_escaped(FILE *stream, const char *bytes, unsigned length)
{
    const char c = bytes[0];
    const bool plain = length > 1 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                       (c >= 'a' && c <= 'z') || strchr(" ,.:/-_", c);

    if (plain)
        fwrite(bytes, 1, length, stream);
    else
        fprintf(stream, "\\%03o", (unsigned)(unsigned char)c);
}

void plot_put_string(const struct plot_set *set, const char *text, unsigned most)
{
    FILE *stream = set->stream;
    const bool ascii = set->request->device == PLOT_TEXT && !set->request->utf8;
    const bool cut = plot_text_length(text, most + 1) > most;
    const char quote = strchr(text, '\'') ? '"' : '\'';

    fputc(quote, stream);
    for (unsigned n = 0; *text != '\0' && n < (cut ? most - 3 : most); n++) {
        const unsigned length = utf8_length(text);
        if (utf8_printable_length(text) == 0)
            fputc(length == 1 ? ' ' : '?', stream);
        else if (length > 1 && ascii)
            fputc('?', stream);
        else if (quote == '"')
            put_escaped(stream, text, length);
        else
            fwrite(text, 1, length, stream);
        text += length > 0 ? length : 1;
    }
    fprintf(stream, cut ? "...%c" : "%c", quote);
}

unsigned plot_text_length(const char *text, unsigned most)
{
    unsigned n = 0;

    for (; *text != '\0' && n < most; n++) {
        const unsigned length = utf8_length(text);
        text += length > 0 ? length : 1;
    }
    return n;
}

char *plot_format(double value, enum plot_unit unit, int digits, char *text)
{
    static const char *const names[][5] = {
        [PLOT_BYTES_PER_S] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"},
        [PLOT_NS] = {"ns", "us", "ms", "s", "ks"},
        [PLOT_PER_S] = {"/s", "k/s", "M/s", "G/s", "T/s"},
    };
    const int count = digits < 0 ? -digits : digits;
    unsigned step = 0;
    int whole = 1;

    /* 999.9 with three digits is 1000: round before the unit is chosen */
    for (; step < 4 && value >= 1000 - 0.5 * pow(10, 3 - count); step++)
        value /= 1000;
    for (double limit = 10; value >= limit - 0.5 * pow(10, whole - count); limit *= 10)
        whole++;
    if (digits < 0)
        snprintf(text, 32, "%.*f %s", count > whole ? count - whole : 0, value, names[unit][step]);
    else
        snprintf(text, 32, "%.*g %s", count, value, names[unit][step]);
    return text;
}

char *plot_format_size(double size_bytes, char *text)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned step = 0;

    while (step < 6 && size_bytes >= 1024 && fmod(size_bytes, 1024) == 0) {
        size_bytes /= 1024;
        step++;
    }
    snprintf(text, 32, "%.15g %s", size_bytes, units[step]);
    return text;
}

void plot_range_add(struct plot_range *range, double value)
{
    if (!isfinite(value) || value <= 0)
        return;
    range->low = fmin(range->low, value);
    range->high = fmax(range->high, value);
}

void plot_range_widen(struct plot_range *range)
{
    const double margin = pow(range->high / range->low, 0.04), least = 4;
    double missing;

    range->low /= margin * 1.05;
    range->high *= margin * 1.05;
    missing = sqrt(fmax(1, least / (range->high / range->low)));
    range->low /= missing;
    range->high *= missing;
}

static void put_tick(FILE *stream, bool *first, const char *label, double at)
{
    fprintf(stream, "%s'%s' %.15g", *first ? "" : ", ", label, at);
    *first = false;
}

void plot_put_size_axis(const struct plot_set *set, const struct plot_range *range, unsigned most,
                        bool numbered)
{
    static const int strides[] = {1, 2, 4, 5, 10, 20};
    const int low = (int)ceil(log2(range->low)), high = (int)floor(log2(range->high));
    FILE *stream = set->stream;
    size_t s = 0;
    bool first = true;

    while (s + 1 < sizeof(strides) / sizeof(*strides) &&
           high / strides[s] - (low - 1) / strides[s] > (int)most)
        s++;
    fprintf(stream, "set logscale x 2\nset xrange [%.9g:%.9g]\nset xtics (", range->low,
            range->high);
    for (int e = low < 0 ? 0 : low; e <= high; e++) {
        char label[32];
        if (e % strides[s] == 0)
            put_tick(stream, &first, numbered ? plot_format_size(ldexp(1, e), label) : "",
                     ldexp(1, e));
    }
    for (int e = low < 0 ? 0 : low; e <= high; e++)
        if (e % strides[s] != 0) {
            fprintf(stream, "%s'' %.15g 1", first ? "" : ", ", ldexp(1, e));
            first = false;
        }
    fputs(")\n", stream);
}

void plot_put_value_axis(const struct plot_set *set, const char *axis,
                         const struct plot_range *range, enum plot_unit unit, bool numbered)
{
    const int low = (int)floor(log10(range->low)), high = (int)ceil(log10(range->high));
    const bool few =
        log10(range->high / range->low) <= (axis[0] == 'x' ? DECADES_ACROSS : DECADES_LABELLED);
    FILE *stream = set->stream;
    bool first = true;

    fprintf(stream, "set logscale %s 10\nset %srange [%.9g:%.9g]\nset %stics (", axis, axis,
            range->low, range->high, axis);
    for (int e = low; e <= high; e++)
        for (int m = 1; m < 10; m++) {
            const double at = m * pow(10, e);
            char label[32];
            if (at < range->low || at > range->high)
                continue;
            if (m == 1 || (few && (m == 2 || m == 5))) {
                put_tick(stream, &first, numbered ? plot_format(at, unit, 3, label) : "", at);
            } else if (few || m == 2 || m == 5) {
                fprintf(stream, "%s'' %.15g 1", first ? "" : ", ", at);
                first = false;
            }
        }
    fputs(")\n", stream);
}

/* The least of 1, 2, 5, 10 ... of which `most` reach that far. */
static double find_step(double length, unsigned most)
{
    double step = pow(10, floor(log10(length / most)));

    for (unsigned i = 0; length / step > most; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

void plot_put_linear_axis(const struct plot_set *set, const char *axis,
                          const struct plot_range *range, const enum plot_unit *unit, unsigned most,
                          bool numbered)
{
    const double step = find_step(range->high - range->low, most), begin = ceil(range->low / step);
    FILE *stream = set->stream;
    bool first = true;

    fprintf(stream, "unset logscale %s\nset %srange [%.9g:%.9g]\nset %stics (", axis, axis,
            range->low, range->high, axis);
    for (unsigned i = 0; i <= most; i++) { /* at + step may be at where numbers are huge */
        double at = (begin + i) * step;
        char label[32];
        if (!(at <= range->high * (1 + 1e-9)))
            break;
        if (fabs(at) < step / 2)
            at = 0;
        if (unit && at > 0)
            plot_format(at, *unit, 3, label);
        else
            snprintf(label, sizeof(label), "%.6g", at);
        put_tick(stream, &first, numbered ? label : "", at);
    }
    fputs(")\n", stream);
}
