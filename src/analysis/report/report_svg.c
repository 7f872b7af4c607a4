/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* report_svg.c - scales, ticks and shapes of charts. */
#include "base/compat.h"

#include "analysis/report/report_svg.h"

#include <math.h>
#include <string.h>

#include "analysis/report/report_text.h"
#include "base/units.h"

/* --- scales --------------------------------------------------------------------------------- */

void svg_add(struct svg_scale *scale, double value)
{
    if (!isfinite(value) || (!scale->linear && value <= 0))
        return;
    scale->low = fmin(scale->low, value);
    scale->high = fmax(scale->high, value);
}

bool svg_is_empty(const struct svg_scale *scale)
{
    return scale->low > scale->high;
}

void svg_widen(struct svg_scale *scale, double least)
{
    double missing;

    if (svg_is_empty(scale))
        return;
    if (scale->linear) {
        if (scale->high <= scale->low)
            scale->high = scale->low + 1;
        return;
    }
    missing = sqrt(fmax(1, least / (scale->high / scale->low)));
    scale->low /= missing;
    scale->high *= missing;
    missing = pow(scale->high / scale->low, 0.03);
    scale->low /= missing;
    scale->high *= missing;
}

double svg_at(const struct svg_scale *scale, double value)
{
    const double share = scale->linear ? (value - scale->low) / (scale->high - scale->low)
                                       : log(value / scale->low) / log(scale->high / scale->low);

    return scale->begin + share * (scale->end - scale->begin);
}

bool svg_shows(const struct svg_scale *scale, double value)
{
    const double room = 1e-9;

    return isfinite(value) && value >= scale->low - fabs(scale->low) * room &&
           value <= scale->high + fabs(scale->high) * room;
}

/* --- ticks ---------------------------------------------------------------------------------- */

size_t svg_size_ticks(const struct svg_scale *scale, unsigned most, struct svg_tick *ticks)
{
    size_t count = 0, every;

    for (double size = 1; size <= scale->high && count < SVG_TICKS_MAX; size *= 2)
        if (svg_shows(scale, size))
            ticks[count++].value = size;
    every = count > most ? (count + most - 1) / most : 1;
    for (size_t i = 0; i < count; i++) /* 4 KiB rather than 2 KiB, where one of them has a label */
        ticks[i].labelled = (size_t)lround(log2(ticks[i].value)) % every == 0;
    return count;
}

static size_t linear_ticks(const struct svg_scale *scale, unsigned most, struct svg_tick *ticks)
{
    const double span = scale->high - scale->low;
    double step = pow(10, floor(log10(span / most)));
    size_t count = 0;

    for (unsigned i = 0; span / step > most; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    for (double value = ceil(scale->low / step) * step; count < SVG_TICKS_MAX; value += step) {
        if (!svg_shows(scale, value))
            break;
        ticks[count++] = (struct svg_tick){fabs(value) < step / 2 ? 0 : value, true};
    }
    return count;
}

size_t svg_value_ticks(const struct svg_scale *scale, unsigned most, struct svg_tick *ticks)
{
    static const double steps[] = {1, 2, 5};
    const double decades = log10(scale->high / scale->low);
    size_t count = 0;

    if (scale->linear)
        return linear_ticks(scale, most, ticks);
    for (double decade = pow(10, floor(log10(scale->low))); decade <= scale->high; decade *= 10)
        for (unsigned i = 0; i < 3 && count < SVG_TICKS_MAX; i++)
            if (svg_shows(scale, decade * steps[i]) && (i == 0 || decades <= 4))
                ticks[count++] = (struct svg_tick){decade * steps[i], i == 0 || decades <= 2.5};
    return count;
}

static char *scaled(double value, const char *const *units, unsigned count, double from, char *text)
{
    unsigned step = 0;

    for (value *= from; step + 1 < count && fabs(value) >= 999.5; step++)
        value /= 1000;
    snprintf(text, 32, "%.3g %s", value, units[step]);
    return text;
}

char *svg_label(double value, enum svg_unit unit, char *text)
{
    static const char *const bytes_per_s[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    static const char *const per_s[] = {"/s", "k/s", "M/s", "G/s"};
    static const char *const times[] = {"ns", "us", "ms", "s", "ks"};

    switch (unit) {
    case SVG_BYTES:
        return units_format_size((uint64_t)value, text);
    case SVG_BYTES_PER_S:
        return scaled(value, bytes_per_s, 5, 1, text);
    case SVG_PER_S:
        return scaled(value, per_s, 4, 1, text);
    case SVG_NS:
        return scaled(value, times, 5, 1, text);
    case SVG_S:
        snprintf(text, 32, "%.4g s", value);
        return text;
    case SVG_CHANGE:
        break;
    case SVG_FACTOR:
        snprintf(text, 32, "\303\227%.3g", value);
        return text;
    }
    value = round((value - 1) * 1e4) / 100; /* 0, not -1e-14 */
    snprintf(text, 32, value == 0 ? "0 %%" : "%+.3g %%", value);
    return text;
}

/* --- drawing -------------------------------------------------------------------------------- */

static bool is_there(const struct svg_point *point)
{
    return isfinite(point->x) && isfinite(point->y);
}

static void put_point(FILE *stream, char command, const struct svg_point *point)
{
    fprintf(stream, "%c%.1f %.1f", command, point->x, point->y);
}

void svg_line(FILE *stream, const struct svg_point *points, size_t count, const char *classes)
{
    bool begun = false;

    for (size_t i = 0; i < count; i++)
        begun = begun || is_there(&points[i]);
    if (!begun)
        return;
    fprintf(stream, "<path class=\"%s\" d=\"", classes);
    begun = false;
    for (size_t i = 0; i < count; i++) {
        if (is_there(&points[i]))
            put_point(stream, begun ? 'L' : 'M', &points[i]);
        begun = is_there(&points[i]);
    }
    fputs("\"/>\n", stream);
}

void svg_band(FILE *stream, const struct svg_point *low, const struct svg_point *high, size_t count,
              const char *classes)
{
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && is_there(&low[end]) && is_there(&high[end]);)
            end++;
        if (end == begin) {
            end++;
            continue;
        }
        fprintf(stream, "<path class=\"%s%s\" d=\"", classes, end - begin == 1 ? " one" : "");
        for (size_t i = begin; i < end; i++)
            put_point(stream, i == begin ? 'M' : 'L', &low[i]);
        for (size_t i = end; i-- > begin;)
            put_point(stream, 'L', &high[i]);
        fputs("Z\"/>\n", stream);
    }
}

void svg_mark(FILE *stream, struct svg_point at, unsigned style, const char *classes,
              const char *text)
{
    static const char *const shapes[SVG_STYLES] = {
        "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", /* a circle */
        "m-2.9-2.9h5.8v5.8h-5.8z",                          /* a square */
        "m0-4l3.7 6.4h-7.4z",                               /* a triangle */
        "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",                /* a diamond */
        "m0 4l3.7-6.4h-7.4z",                               /* a triangle that stands on its tip */
        "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", /* the same, not filled */
        "m-2.9-2.9h5.8v5.8h-5.8z",
        "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",
    };

    if (!is_there(&at))
        return;
    style %= SVG_STYLES;
    fprintf(stream, "<path class=\"m%s %s\" d=\"M%.1f %.1f%s\"", style >= 5 ? " open" : "", classes,
            at.x, at.y, shapes[style]);
    if (text) {
        fputs("><title>", stream);
        report_put_text(stream, text);
        fputs("</title></path>\n", stream);
    } else {
        fputs("/>", stream);
    }
}
