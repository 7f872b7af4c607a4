/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units.c - parses and formats numbers with units. The parsers accept digits and the listed
 * suffixes only: no signs, exponents or locale. Refusing is cheap for the user, measuring the wrong
 * thing is not. */
#include "base/compat.h"

#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#define RANGE_ADVICE    "give a list such as 1,2,8 or a range such as 1..64"
#define DURATION_ADVICE "give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m"
#define PERCENT_ADVICE  "give a number from 0.001 to 100, such as 2.5%%"
#define DIGITS          "0123456789"

#define KI UINT64_C(1024)
#define K  UINT64_C(1000)

struct unit {
    const char *names; /* with a blank between */
    uint64_t factor;   /* at most 10^18 */
};

static const struct unit count_units[] = {
    {"", 1}, {"k K", K}, {"M", K *K}, {"G", K *K *K}, {NULL, 0}};

static const struct unit size_units[] = {
    {" B", 1},
    {"k K ki Ki kiB KiB", KI},
    {"kB KB", K},
    {"M Mi MiB", KI *KI},
    {"MB", K *K},
    {"G Gi GiB", KI *KI *KI},
    {"GB", K *K *K},
    {"T Ti TiB", KI *KI *KI *KI},
    {"TB", K *K *K *K},
    {"P Pi PiB", KI *KI *KI *KI *KI},
    {"PB", K *K *K *K *K},
    {NULL, 0},
};

static const struct unit time_units[] = {
    {"d", 86400 * K *K *K},
    {"h", 3600 * K *K *K},
    {"m min", 60 * K *K *K},
    {"s", K *K *K},
    {"ms", K *K},
    {"us", K},
    {"ns", 1},
    {NULL, 0},
};

/* The factor of the unit word[0..length); 0: unknown. */
static uint64_t unit_factor(const struct unit *units, const char *word, size_t length)
{
    const char *name;
    size_t letters;

    for (; units->names; units++)
        for (const char *at = units->names; text_word(&at, " ", &name, &letters);)
            if (letters == length && memcmp(name, word, length) == 0)
                return units->factor;
    return 0;
}

/* --- whole numbers: counts and sizes --- */

static const struct kind {
    const struct unit *units;
    bool bytes;
    const char *noun, *malformed, *too_large, *too_small;
} kinds[] = {
    [UNITS_COUNT] = {count_units, false, "a whole number",
                     "not a whole number:", "number too large:", "number too small:"},
    [UNITS_SIZE] = {size_units, true, "a size",
                    "not a size:", "size too large:", "size too small:"},
};

static int parse_whole(const struct kind *kind, const char *word, uint64_t min, uint64_t max,
                       uint64_t *value, struct error *err)
{
    char low[UNITS_TEXT], high[UNITS_TEXT];
    const char *const unit = word + strspn(word, DIGITS), *at = word;
    const uint64_t factor = unit_factor(kind->units, unit, strlen(unit));
    uint64_t number, found;
    const bool fits = number_take(&at, &number);

    if (unit == word || !factor || (fits && !number && factor > 1)) { /* "0k" */
        error_set(err, STATUS_USAGE, 0, kind->malformed, word);
        if (kind->bytes)
            return error_advise(err, "give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), "
                                     "up to P");
    } else if (!fits || __builtin_mul_overflow(number, factor, &found) || found > max) {
        error_set(err, STATUS_USAGE, 0, kind->too_large, word);
    } else if (found < min) {
        error_set(err, STATUS_USAGE, 0, kind->too_small, word);
    } else {
        *value = found;
        return 0;
    }
    snprintf(low, sizeof(low), "%" PRIu64, min);
    snprintf(high, sizeof(high), "%" PRIu64, max);
    if (kind->bytes) {
        units_format_size(min, low);
        units_format_size(max, high);
    }
    if (max == UINT64_MAX && strcmp(err->action, kind->too_large) != 0)
        return error_advise(err, "give %s of at least %s", kind->noun, low);
    return error_advise(err, "give %s from %s to %s", kind->noun, low, high);
}

int units_parse_size(const char *word, uint64_t min, uint64_t max, uint64_t *size_bytes,
                     struct error *err)
{
    return parse_whole(&kinds[UNITS_SIZE], word, min, max, size_bytes, err);
}

int units_parse_count(const char *word, uint64_t min, uint64_t max, uint64_t *count,
                      struct error *err)
{
    return parse_whole(&kinds[UNITS_COUNT], word, min, max, count, err);
}

/* --- durations and shares, which may have fractions --- */

/* Adds a part such as "1.5h" at *at; the first one is in seconds if there is only a number.
 * *unit_ns: unit of the previous part, since units must descend. False: malformed. */
static bool take_part(const char **at, uint64_t *unit_ns, uint64_t *sum_ns, bool *overflow)
{
    const char *digits = *at, *const point = digits + strspn(digits, DIGITS);
    const size_t decimals = *point == '.' ? strspn(point + 1, DIGITS) : 0;
    const char *const unit = point + (*point == '.') + decimals;
    uint64_t whole, ns = K * K * K;

    *at = unit + strspn(unit, "dhimnsu");
    if (*unit || *unit_ns < UINT64_MAX)
        ns = unit_factor(time_units, unit, (size_t)(*at - unit));
    if (point == digits || (*point == '.' && !decimals) || !ns || ns >= *unit_ns)
        return false;
    *unit_ns = ns;
    *overflow = *overflow || !number_take_before(&digits, point, &whole) ||
                __builtin_mul_overflow(whole, ns, &whole) ||
                __builtin_add_overflow(*sum_ns, whole, sum_ns);
    for (size_t i = 1; i <= decimals; i++) {
        ns /= 10;
        *overflow =
            __builtin_add_overflow(*sum_ns, (uint64_t)(point[i] - '0') * ns, sum_ns) || *overflow;
    }
    return true;
}

int units_parse_duration(const char *word, uint64_t *duration_ns, struct error *err)
{
    uint64_t sum_ns = 0, unit_ns = UINT64_MAX;
    const char *at = word;
    bool overflow = false;

    do
        if (!take_part(&at, &unit_ns, &sum_ns, &overflow))
            return error_refuse(err, STATUS_USAGE, "not a duration:", word, DURATION_ADVICE);
    while (*at);
    if (overflow)
        return error_refuse(err, STATUS_USAGE, "duration too long:", word,
                            "the limit is 584 years");
    if (sum_ns == 0)
        return error_refuse(err, STATUS_USAGE, "a duration must be above 0:", word,
                            "the shortest is 1ns");
    *duration_ns = sum_ns;
    return 0;
}

int units_parse_percent(const char *word, double *share, struct error *err)
{
    const size_t length = strspn(word, DIGITS "."), end = length + (word[length] == '%');
    char hundredth[48]; /* divided as text, so that "2.5%" is nearest to 0.025 */
    double value;

    snprintf(hundredth, sizeof(hundredth), "%.*se-2", length < 40 ? (int)length : 40, word);
    if (word[end] || length > 40 || !number_read_real(hundredth, &value))
        return error_refuse(err, STATUS_USAGE, "not a percentage:", word, PERCENT_ADVICE);
    if (value < UNITS_SHARE_LEAST || value > 1)
        return error_refuse(err, STATUS_USAGE, "percentage out of range:", word, PERCENT_ADVICE);
    *share = value;
    return 0;
}

/* --- lists --- */

/* Duplicates are refused, also from a range: dropping one silently would not measure what was
 * requested. */
static int list_add(struct units_list *list, uint64_t value, const char *word, struct error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->value[i] == value)
            return error_refuse(err, STATUS_USAGE, "value given twice in the list:", word,
                                "give each value once; ranges may not overlap");
    if (list->count == UNITS_LIST_MAX)
        return error_refuse(err, STATUS_USAGE, "too many values in the list:", word,
                            "a list holds at most %d values", UNITS_LIST_MAX);
    if ((list->count & (list->count - 1)) == 0) /* capacity doubles at 0, 1, 2, 4 ... */
        list->value =
            mem_realloc_array(list->value, list->count ? 2 * list->count : 1, sizeof(uint64_t));
    list->value[list->count++] = value;
    return 0;
}

static int list_add_word(struct units_list *list, const struct kind *kind, const char *word,
                         uint64_t min, uint64_t max, struct error *err)
{
    const char *const dots = strstr(word, "..");
    char begin[64];
    uint64_t value, last;

    if (kind->bytes && strcmp(word, "full") == 0)
        return list_add(list, UNITS_SIZE_FULL, word, err);
    /* as other programs write ranges: "1-4" or "1:4"; or with more digits than any value */
    if (strpbrk(word, "-:") || (dots && (size_t)(dots - word) >= sizeof(begin)))
        return error_refuse(err, STATUS_USAGE, "not a range:", word, RANGE_ADVICE);
    snprintf(begin, sizeof(begin), "%.*s", (int)(dots ? (size_t)(dots - word) : strlen(word)),
             word);
    if (!dots)
        return parse_whole(kind, word, min, max, &last, err) < 0 ? -1
                                                                 : list_add(list, last, word, err);
    if (parse_whole(kind, begin, min, max, &value, err) < 0 ||
        parse_whole(kind, dots + 2, min, max, &last, err) < 0)
        return -1;
    if (value > last || (!value && last)) /* 0 never doubles */
        return error_refuse(err, STATUS_USAGE, "not a range from low to high:", word, RANGE_ADVICE);
    for (; value<last; value = value> last / 2 ? last : 2 * value)
        if (list_add(list, value, word, err) < 0)
            return -1;
    return list_add(list, last, word, err);
}

int units_parse_list(enum units_kind kind, const char *words, uint64_t min, uint64_t max,
                     struct units_list *list, struct error *err)
{
    struct units_list fresh = {.value = NULL, .count = 0};
    const char *one;
    size_t length;
    int code = 0;

    for (const char *at = words; code == 0 && text_word(&at, ",", &one, &length);) {
        char *const word = mem_printf("%.*s", (int)length, one);
        code = length > 0 ? list_add_word(&fresh, &kinds[kind], word, min, max, err)
                          : error_refuse(err, STATUS_USAGE, "empty word in the list:", words,
                                         RANGE_ADVICE);
        free(word);
    }
    units_list_free(code == 0 ? list : &fresh);
    if (code == 0)
        *list = fresh;
    return code;
}

void units_list_free(struct units_list *list)
{
    free(list->value);
    list->value = NULL;
    list->count = 0;
}

/* --- formats --- */

static const char *const binary_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", NULL};

char *units_format_size(uint64_t size_bytes, char *text)
{
    size_t unit = 0;

    for (; size_bytes != 0 && size_bytes % KI == 0 && binary_units[unit + 1]; unit++)
        size_bytes /= KI;
    snprintf(text, UNITS_TEXT, "%" PRIu64 " %s", size_bytes, binary_units[unit]);
    return text;
}

/* The first unit in which the value rounds to less than `base`. */
static const char *scale_value(double *value, double base, const char *const *units)
{
    for (; fabs(*value) >= base - 0.5 && units[1]; units++)
        *value /= base;
    return *units;
}

char *units_format_bytes(double bytes, char *text)
{
    const char *const unit = scale_value(&bytes, 1024, binary_units);
    const double tenths = round(bytes * 10);

    if (!(fabs(bytes) < 1e9))
        snprintf(text, UNITS_TEXT, "%.3g %s", bytes, unit);
    else if (unit != binary_units[0] && fabs(tenths) < 100 && fmod(tenths, 10) != 0.0)
        snprintf(text, UNITS_TEXT, "%.1f %s", tenths / 10, unit);
    else
        snprintf(text, UNITS_TEXT, "%.0f %s", round(bytes), unit);
    return text;
}

/* Three significant digits. The limits take rounding into account: 9.996 must become 10.0. */
static char *format_decimal(double value, const char *const *units, char *text)
{
    const char *const unit = scale_value(&value, 1000, units);
    const double size = fabs(value);

    if (size < 0.9995 || !(size < 1e9))
        snprintf(text, UNITS_TEXT, "%.3g %s", value, unit);
    else
        snprintf(text, UNITS_TEXT, "%.*f %s", (size < 9.995) + (size < 99.95), value, unit);
    return text;
}

char *units_format_throughput(double bytes_per_s, char *text)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s", NULL};
    return format_decimal(bytes_per_s, units, text);
}

char *units_format_rate(double per_s, char *text)
{
    static const char *const units[] = {"/s", "k/s", "M/s", "G/s", "T/s", NULL};
    return format_decimal(per_s, units, text);
}

char *units_format_time(double ns, char *text)
{
    static const char *const units[] = {"ns", "us", "ms", "s", NULL};
    return format_decimal(ns, units, text);
}

/* Rounds to the smaller unit, which is omitted if it is 0. */
char *units_format_span(uint64_t ns, char *text)
{
    static const struct {
        const char *unit, *smaller;
        unsigned per_unit, part_s; /* of the smaller one */
    } units[] = {{"d", "h", 24, 3600}, {"h", "min", 60, 60}, {"min", "s", 60, 1}};
    const uint64_t seconds = ns / UINT64_C(1000000000);
    char smaller[16] = "";

    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const unsigned part_s = units[i].part_s, per_unit = units[i].per_unit;
        const uint64_t parts = (seconds + part_s / 2) / part_s;
        if (parts < per_unit)
            continue;
        if (parts % per_unit)
            snprintf(smaller, sizeof(smaller), " %u %s", (unsigned)(parts % per_unit),
                     units[i].smaller);
        snprintf(text, UNITS_TEXT, "%u %s%s", (unsigned)(parts / per_unit), units[i].unit, smaller);
        return text;
    }
    if (ns % UINT64_C(1000000000) != 0)
        return units_format_time((double)ns, text);
    snprintf(text, UNITS_TEXT, "%" PRIu64 " s", seconds);
    return text;
}
