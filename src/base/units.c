/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units.c - parses and formats numbers with units. The parsers accept digits and the listed
 * suffixes only: no signs, exponents or locale, blanks in durations only. Refusing is cheap for the
 * user, measuring the wrong thing is not. */
#include "base/compat.h"

#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"

#define SIZE_ADVICE     "give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P"
#define RANGE_ADVICE    "give a list such as 1,2,8 or a range such as 1..64"
#define DURATION_ADVICE "give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m"
#define PERCENT_ADVICE  "give a number above 0, up to 100, such as 2.5%"
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
    {"d day days", 86400 * K *K *K},
    {"h hr hrs hour hours", 3600 * K *K *K},
    {"m min mins minute minutes", 60 * K *K *K},
    {"s sec secs second seconds", K *K *K},
    {"ms msec", K *K},
    {"us usec", K},
    {"ns nsec", 1},
    {NULL, 0},
};

/* The factor of a unit, 0: unknown; *name becomes its name as listed. */
static uint64_t unit_factor(const struct unit *units, const char **name, size_t length,
                            int (*compare)(const char *a, const char *b, size_t length))
{
    const char *listed;
    size_t listed_length;

    for (; units->names; units++)
        for (const char *at = units->names; text_word(&at, " ", &listed, &listed_length);)
            if (listed_length == length && compare(listed, *name, length) == 0) {
                *name = listed;
                return units->factor;
            }
    return 0;
}

/* --- numbers --- */

struct decimal { /* "12", "1.5" */
    uint64_t whole;
    bool overflow;        /* `whole` is too large */
    const char *decimals; /* the digits behind the point */
    size_t decimal_count;
};

/* Takes a number at *at, all digits even after an overflow, so that too many digits followed by
 * junk are reported as junk. False: no digits, or a point without digits. */
static bool take_decimal(const char **at, struct decimal *number)
{
    const char *const end = *at + strspn(*at, DIGITS);

    *number = (struct decimal){.whole = 0};
    if (end == *at)
        return false;
    number->overflow = !number_take(at, &number->whole);
    *at = end;
    if (*end != '.')
        return true;
    number->decimals = end + 1;
    number->decimal_count = strspn(end + 1, DIGITS);
    *at += 1 + number->decimal_count;
    return number->decimal_count > 0;
}

enum product { PRODUCT_EXACT, PRODUCT_CUT, PRODUCT_OVERFLOW };

/* The number times a unit's factor, without a fraction. Decimals are multiplied from the last to
 * the first, which is exact if the product is whole. */
static enum product decimal_times(const struct decimal *number, uint64_t factor, uint64_t *product)
{
    uint64_t whole, part = 0;
    bool exact = true;

    for (size_t i = number->decimal_count; i-- > 0; part /= 10) {
        part += (uint64_t)(number->decimals[i] - '0') * factor;
        exact = exact && part % 10 == 0;
    }
    if (number->overflow || __builtin_mul_overflow(number->whole, factor, &whole) ||
        __builtin_add_overflow(whole, part, product))
        return PRODUCT_OVERFLOW;
    return exact ? PRODUCT_EXACT : PRODUCT_CUT;
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

/* "10,000": exactly three digits follow the mark at `at`. */
static bool groups_digits(const char *word, const char *at)
{
    return at > word && strchr(",_'", *at) && strspn(at + 1, DIGITS) == 3;
}

/* Suggests what is meant by "1e6", "10,000", "1.5k" or "10/s", and by units of sizes in the wrong
 * case such as "1m" or "4Kb"; empty: nothing. */
static void mend_whole(const struct kind *kind, const char *word, char text[UNITS_TEXT])
{
    char plain[20]; /* more digits are too large for any count */
    const char *rest = plain, *unit = "";
    struct decimal number, tens = {.whole = 0};
    uint64_t factor, value;
    size_t length = 0;

    text[0] = '\0';
    if (strlen(word) >= sizeof(plain))
        return;
    for (const char *at = word; *at; at++)
        if (!groups_digits(word, at))
            plain[length++] = *at;
    plain[length] = '\0';
    if (!take_decimal(&rest, &number))
        return;
    length = (size_t)(rest - plain);
    if ((rest[0] == 'e' || rest[0] == 'E') && rest[1]) {
        rest++;
        if (!take_decimal(&rest, &tens) || tens.decimal_count || *rest || tens.whole > 18)
            return;
    } else if (kind->bytes || strcmp(rest, "/s") != 0) {
        if (number.decimal_count && !*rest && !kind->bytes)
            return; /* "10.000" is ten or ten thousand, depending on the country */
        unit = rest;
    }
    factor = unit_factor(kind->units, &unit, strlen(unit), kind->bytes ? strncasecmp : strncmp);
    for (; tens.whole > 0; tens.whole--)
        factor *= 10;
    if (!factor || decimal_times(&number, factor, &value) != PRODUCT_EXACT)
        return;
    if (kind->bytes && *unit && *unit != ' ' && !number.decimal_count) {
        snprintf(text, UNITS_TEXT, "%.*s%.*s", (int)length, plain, (int)strcspn(unit, " "), unit);
        return;
    }
    length = 0;
    for (; kind->bytes && value > 0 && value % KI == 0 && length < 5; length++)
        value /= KI;
    snprintf(text, UNITS_TEXT, "%" PRIu64 "%.*s", value, length > 0, &"BkMGTP"[length]);
}

static int parse_whole(const struct kind *kind, const char *word, uint64_t min, uint64_t max,
                       uint64_t *value, struct error *err)
{
    char low[UNITS_TEXT], high[UNITS_TEXT];
    struct error unused = ERROR_INIT;
    const char *unit = word;
    struct decimal number;
    uint64_t factor, found;

    if (!take_decimal(&unit, &number) || number.decimal_count ||
        !(factor = unit_factor(kind->units, &unit, strlen(unit), strncmp))) {
        error_set(err, STATUS_USAGE, 0, kind->malformed, word);
        mend_whole(kind, word, low);
        if (low[0] && parse_whole(kind, low, min, max, &found, &unused) == 0)
            error_advise(err, "did you mean %s%s", low, kind->bytes ? "; " SIZE_ADVICE : "");
        else if (kind->bytes)
            error_advise(err, SIZE_ADVICE);
    } else if (decimal_times(&number, factor, &found) != PRODUCT_EXACT || found > max) {
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

/* Refuses a word, with advice on "1,5" from countries with a decimal comma. */
static int refuse_fraction(struct error *err, const char *action, const char *word,
                           const char *advice)
{
    const char *comma = strchr(word, ',');

    error_set(err, STATUS_USAGE, 0, action, word);
    if (comma && comma > word && strlen(word) < 20)
        error_advise(err, "did you mean %.*s.%s; %s", (int)(comma - word), word, comma + 1, advice);
    return error_advise(err, "%s", advice);
}

enum time_part { PART_OK, PART_MALFORMED, PART_OVERFLOW };

/* Adds a part such as "1.5h" or "30 min" at *at; a part without a unit is in seconds and must be
 * alone. *unit_ns: unit of the previous part, 0: none; units must descend. */
static enum time_part take_part(const char **at, bool alone, uint64_t *unit_ns, uint64_t *sum_ns)
{
    const char *unit;
    struct decimal number;
    uint64_t ns, part_ns;

    if (!take_decimal(at, &number))
        return PART_MALFORMED;
    unit = *at + strspn(*at, " ");
    if (alone && !**at)
        unit = *at = "s";
    *at = unit + strspn(unit, "abcdefghijklmnopqrstuvwxyz");
    ns = unit_factor(time_units, &unit, (size_t)(*at - unit), strncmp);
    if (ns == 0 || (*unit_ns > 0 && ns >= *unit_ns))
        return PART_MALFORMED;
    *unit_ns = ns;
    if (decimal_times(&number, ns, &part_ns) == PRODUCT_OVERFLOW ||
        __builtin_add_overflow(*sum_ns, part_ns, sum_ns))
        return PART_OVERFLOW;
    return PART_OK;
}

int units_parse_duration(const char *word, uint64_t *duration_ns, struct error *err)
{
    const char *at = word;
    uint64_t sum_ns = 0, unit_ns = 0;
    bool overflow = false;

    do {
        const enum time_part part = take_part(&at, unit_ns == 0, &unit_ns, &sum_ns);
        if (part == PART_MALFORMED)
            return refuse_fraction(err, "not a duration:", word, DURATION_ADVICE);
        overflow = overflow || part == PART_OVERFLOW;
        if (at[0] && at[1]) /* a blank at the end is junk */
            at += strspn(at, " ");
    } while (*at);
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
    const char *rest = word;
    char hundredth[48]; /* divided as text, so that "2.5%" is nearest to 0.025 */
    struct decimal number;
    double value;

    if (!take_decimal(&rest, &number) || (*rest && strcmp(rest, "%") != 0) || rest - word > 40)
        return refuse_fraction(err, "not a percentage:", word, PERCENT_ADVICE);
    snprintf(hundredth, sizeof(hundredth), "%.*se-2", (int)(rest - word), word);
    if (!number_read_real(hundredth, &value) || value <= 0 || value > 1)
        return error_refuse(err, STATUS_USAGE, "percentage out of range:", word, "%s",
                            PERCENT_ADVICE);
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

/* What the words of a list have to be. */
struct list_rule {
    const struct kind *kind;
    uint64_t min, max;
};

/* Parses the ends of a range, between which that mark is. */
static int parse_ends(const struct list_rule *rule, const char *word, const char *mark,
                      size_t mark_length, uint64_t *first, uint64_t *last, struct error *err)
{
    char *const begin = mem_printf("%.*s", (int)(mark - word), word);
    int code = parse_whole(rule->kind, begin, rule->min, rule->max, first, err);

    if (code == 0)
        code = parse_whole(rule->kind, mark + mark_length, rule->min, rule->max, last, err);
    free(begin);
    return code;
}

static int list_add_range(struct units_list *list, const struct list_rule *rule, const char *word,
                          const char *dots, struct error *err)
{
    uint64_t value, last;

    if (dots[2] == '.')
        return error_refuse(err, STATUS_USAGE, "not a range:", word, RANGE_ADVICE);
    if (dots == word || !dots[2])
        return error_refuse(err, STATUS_USAGE, "range without both ends:", word, RANGE_ADVICE);
    if (parse_ends(rule, word, dots, 2, &value, &last, err) < 0)
        return -1;
    if (value > last)
        return error_refuse(err, STATUS_USAGE, "range with its end below its beginning:", word,
                            RANGE_ADVICE);
    if (value == 0 && last > 0)
        return error_refuse(err, STATUS_USAGE, "range that begins with 0:", word,
                            "a range doubles its beginning: give 0,1..N");
    for (; value<last; value = value> last / 2 ? last : 2 * value)
        if (list_add(list, value, word, err) != 0)
            return -1;
    return list_add(list, last, word, err);
}

static int list_add_word(struct units_list *list, const struct list_rule *rule, const char *word,
                         struct error *err)
{
    const char *const dots = strstr(word, ".."), *const dash = strpbrk(word, "-:");
    struct error unused = ERROR_INIT;
    uint64_t first, last;

    if (rule->kind->bytes && strcmp(word, "full") == 0)
        return list_add(list, UNITS_SIZE_FULL, word, err);
    /* as other programs write ranges: "1-4" or "1:4" */
    if (dash && parse_ends(rule, word, dash, 1, &first, &last, &unused) == 0 && first <= last)
        return error_refuse(err, STATUS_USAGE, "not a range:", word, "did you mean %.*s..%s",
                            (int)(dash - word), word, dash + 1);
    if (strchr(word, ' '))
        return error_refuse(err, STATUS_USAGE, "a blank in the list:", word, RANGE_ADVICE);
    if (dots)
        return list_add_range(list, rule, word, dots, err);
    if (parse_whole(rule->kind, word, rule->min, rule->max, &first, err) != 0)
        return -1;
    return list_add(list, first, word, err);
}

int units_parse_list(enum units_kind kind, const char *words, uint64_t min, uint64_t max,
                     struct units_list *list, struct error *err)
{
    const struct list_rule rule = {.kind = &kinds[kind], .min = min, .max = max};
    struct units_list fresh = {.value = NULL, .count = 0};
    const char *one;
    size_t length;
    int code = 0;

    for (const char *at = words; code == 0 && text_word(&at, ",", &one, &length);) {
        char *const word = mem_printf("%.*s", (int)length, one);
        code = length > 0 ? list_add_word(&fresh, &rule, word, err)
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

    if (size == 0.0)
        snprintf(text, UNITS_TEXT, "0 %s", unit);
    else if (size < 0.9995 || !(size < 1e9))
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
