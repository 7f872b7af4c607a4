/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units.c - parses and formats numbers with units. The parsers work on tokens of a word, so that
 * lists need no copies; they accept digits and the listed suffixes only: no blanks, signs,
 * exponents or locale. Refusing is cheap for the user, measuring the wrong thing is not. */
#include "base/compat.h"

#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units_parts.h"

#define SIZE_ADVICE  "give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P"
#define RANGE_ADVICE "give a list such as 1,2,8 or a range such as 1..64"

int token_refuse(struct error *err, const char *action, struct token word)
{
    char object[sizeof(err->object)], sentence[sizeof(err->action)];
    size_t n = word.length < sizeof(object) - 1 ? word.length : sizeof(object) - 1;
    memcpy(object, word.text, n);
    object[n] = '\0';
    if (n == 0)
        snprintf(sentence, sizeof(sentence), "%s: empty word", action);
    else
        snprintf(sentence, sizeof(sentence), "%s:", action);
    return error_set(err, STATUS_USAGE, 0, sentence, object);
}

enum digits token_digits(struct token *rest, uint64_t *number)
{
    enum digits outcome = DIGITS_NONE;
    uint64_t value = 0;
    while (rest->length > 0 && rest->text[0] >= '0' && rest->text[0] <= '9') {
        uint64_t digit = (uint64_t)(rest->text[0] - '0');
        if (outcome == DIGITS_NONE)
            outcome = DIGITS_OK;
        if (__builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, digit, &value))
            outcome = DIGITS_OVERFLOW;
        rest->text++;
        rest->length--;
    }
    *number = value;
    return outcome;
}

/* The factor of a size suffix; 0: unknown. */
static uint64_t size_factor(struct token suffix)
{
    static const char prefixes[] = "KMGTP";
    const char *found;
    uint64_t base, factor = 1;
    char letter;

    if (suffix.length == 0 || token_is(suffix, "B"))
        return 1;
    letter = suffix.text[0] == 'k' ? 'K' : suffix.text[0];
    found = letter != '\0' ? strchr(prefixes, letter) : NULL;
    if (!found)
        return 0;
    suffix.text++;
    suffix.length--;
    if (suffix.length == 0 || token_is(suffix, "i") || token_is(suffix, "iB"))
        base = 1024;
    else if (token_is(suffix, "B"))
        base = 1000;
    else
        return 0;
    for (const char *p = prefixes; p <= found; p++)
        factor *= base;
    return factor;
}

/* Suggests a suffix in the right case, for words as 1m, 4KB or 1gb; empty: none. */
static void mend_suffix(struct token word, struct token suffix, char *text, size_t size)
{
    char letters[4];
    const size_t n = suffix.length;

    text[0] = '\0';
    if (n == 0 || n >= sizeof(letters) || word.length - n > UNITS_TEXT)
        return;
    for (size_t i = 0; i < n; i++)
        letters[i] = i > 0 && (suffix.text[i] == 'i' || suffix.text[i] == 'I')
                         ? 'i'
                         : (char)toupper((unsigned char)suffix.text[i]);
    if (letters[0] == 'K')
        letters[0] = 'k';
    if (size_factor((struct token){.text = letters, .length = n}) > 0)
        snprintf(text, size, "did you mean %.*s%.*s; ", (int)(word.length - n), word.text, (int)n,
                 letters);
}

/* Suggests the exact equivalent of "1.5M" in the next smaller unit, if there is one. */
static void mend_fraction(struct token word, char *text, size_t size)
{
    static const char smaller[] = "BkMGT", larger[] = "KMGTP";
    struct token rest = word, fraction;
    uint64_t number, scale = 1;
    const char *unit;

    if (word.length > 12 || token_digits(&rest, &number) != DIGITS_OK ||
        !token_fraction(&rest, &fraction) || fraction.length == 0 || rest.length != 1)
        return;
    unit = strchr(larger, rest.text[0] == 'k' ? 'K' : rest.text[0]);
    for (size_t i = 0; i < fraction.length; i++) {
        number = number * 10 + (uint64_t)(fraction.text[i] - '0');
        scale *= 10;
    }
    if (unit && number * 1024 % scale == 0)
        /* by length: gcc 12 without optimization crashes on choosing an empty string */
        snprintf(text, size, "did you mean %" PRIu64 "%.*s; ", number * 1024 / scale,
                 unit == larger ? 0 : 1, &smaller[unit - larger]);
}

/* With bounds, so that sizes and counts can be parsed through one pointer. */
typedef int (*parse_function)(struct token word, uint64_t min, uint64_t max, uint64_t *value,
                              struct error *err);

static int parse_size(struct token word, uint64_t min, uint64_t max, uint64_t *size_bytes,
                      struct error *err)
{
    struct token rest = word;
    uint64_t number, factor;
    enum digits digits = token_digits(&rest, &number);
    (void)min;
    (void)max;
    factor = size_factor(rest);
    if (digits == DIGITS_NONE || factor == 0) {
        char meant[2 * UNITS_TEXT] = "";
        if (digits == DIGITS_OK)
            mend_suffix(word, rest, meant, sizeof(meant));
        mend_fraction(word, meant, sizeof(meant));
        return token_advise(err, "not a size", word, "%s%s", meant, SIZE_ADVICE);
    }
    if (digits == DIGITS_OVERFLOW || __builtin_mul_overflow(number, factor, &number))
        return token_advise(err, "size too large", word, "the limit is 16384P");
    if (number == 0)
        return token_advise(err, "a size must be above 0", word, SIZE_ADVICE);
    *size_bytes = number;
    return 0;
}

/* The factor of a count suffix, decimal; 0: unknown. */
static uint64_t count_factor(struct token suffix)
{
    if (suffix.length == 0)
        return 1;
    if (token_is(suffix, "k") || token_is(suffix, "K"))
        return 1000;
    if (token_is(suffix, "M"))
        return 1000000;
    return token_is(suffix, "G") ? 1000000000 : 0;
}

/* "10,000": exactly three digits follow the mark at i. */
static bool groups_digits(struct token word, size_t i)
{
    size_t digits = 0;

    while (i + 1 + digits < word.length && isdigit((unsigned char)word.text[i + 1 + digits]))
        digits++;
    return i > 0 && digits == 3 && strchr(",_'", word.text[i]);
}

/* Suggests the whole number meant by "1e6", "10,000", "10_000" or "1.5k"; 0: none. */
static uint64_t mend_count(struct token word)
{
    uint64_t number = 0, scale = 1, factor, tens = 0;
    struct token rest = word;
    bool point = false;
    size_t i = 0;

    if (word.length > 18) /* too large for any count */
        return 0;
    for (; i < word.length; i++) {
        const char c = word.text[i];
        if (isdigit((unsigned char)c)) {
            number = number * 10 + (uint64_t)(c - '0');
            scale *= point ? 10 : 1;
        } else if (c == '.' && !point && i > 0) {
            point = true;
        } else if (!groups_digits(word, i)) {
            break;
        }
    }
    rest.text += i;
    rest.length -= i;
    if (rest.length > 1 && (rest.text[0] == 'e' || rest.text[0] == 'E')) {
        rest.text++;
        rest.length--;
        if (token_digits(&rest, &tens) != DIGITS_OK || rest.length > 0 || tens > 18)
            return 0;
    } else if (token_is(rest, "/s")) {
        rest.length = 0;
    } else if (point && rest.length == 0) {
        return 0; /* "10.000" is ten or ten thousand, depending on the country */
    }
    factor = count_factor(rest);
    for (; tens > 0; tens--)
        factor *= 10;
    if (__builtin_mul_overflow(number, factor, &number) || number % scale != 0)
        return 0;
    return number / scale;
}

static int parse_count(struct token word, uint64_t min, uint64_t max, uint64_t *count,
                       struct error *err)
{
    struct token rest = word;
    uint64_t number;
    enum digits digits = token_digits(&rest, &number);
    const uint64_t factor = count_factor(rest);
    const uint64_t meant = digits == DIGITS_NONE || factor == 0 ? mend_count(word) : 0;
    if (digits == DIGITS_NONE || factor == 0)
        token_refuse(err, "not a whole number", word);
    else if (digits == DIGITS_OVERFLOW || __builtin_mul_overflow(number, factor, &number) ||
             number > max)
        token_refuse(err, "number too large", word);
    else if (number < min)
        token_refuse(err, "number too small", word);
    else {
        *count = number;
        return 0;
    }
    if (meant >= min && meant <= max && meant > 0)
        return error_advise(err, "did you mean %" PRIu64, meant);
    if (max == UINT64_MAX)
        return error_advise(err, "give a whole number of at least %" PRIu64, min);
    return error_advise(err, "give a whole number from %" PRIu64 " to %" PRIu64, min, max);
}

int units_parse_size(const char *word, uint64_t *size_bytes, struct error *err)
{
    return parse_size(token_of(word), 0, 0, size_bytes, err);
}

int units_parse_count(const char *word, uint64_t min, uint64_t max, uint64_t *count,
                      struct error *err)
{
    return parse_count(token_of(word), min, max, count, err);
}

/* Duplicates are refused, also from a range: dropping one silently would not measure what was
 * requested. */
static int list_add(struct units_list *list, uint64_t value, struct token words, struct error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->value[i] == value) {
            return token_advise(err, "value given twice in the list", words,
                                "give each value once; ranges may not overlap");
        }
    }
    if (list->count == UNITS_LIST_MAX)
        return token_advise(err, "too many values in the list", words,
                            "a list holds at most %d values", UNITS_LIST_MAX);
    if ((list->count & (list->count - 1)) == 0) /* capacity doubles at 0, 1, 2, 4 ... */
        list->value =
            mem_realloc_array(list->value, list->count ? 2 * list->count : 1, sizeof(uint64_t));
    list->value[list->count++] = value;
    return 0;
}

static int list_add_range(struct units_list *list, uint64_t first, uint64_t last,
                          struct token words, struct error *err)
{
    for (uint64_t value = first; value < last; value *= 2) {
        if (list_add(list, value, words, err) != 0)
            return -1;
        if (value > last / 2)
            break; /* doubling would exceed the end, or overflow */
    }
    return list_add(list, last, words, err);
}

static const char *find_dots(struct token word)
{
    for (size_t i = 0; i + 1 < word.length; i++)
        if (word.text[i] == '.' && word.text[i + 1] == '.')
            return word.text + i;
    return NULL;
}

/* Recognises ranges as other programs write them, "1-4" or "1:4", and puts the equivalent in our
 * syntax into text. */
static bool is_dashed(struct token word, uint64_t min, uint64_t max, parse_function parse,
                      char *text, size_t size)
{
    const char *dash = memchr(word.text, '-', word.length);
    struct token left = word, right;
    struct error unused = {0};
    uint64_t first, last;

    if (!dash)
        dash = memchr(word.text, ':', word.length);
    if (!dash)
        return false;
    left.length = (size_t)(dash - word.text);
    right.text = dash + 1;
    right.length = word.length - left.length - 1;
    snprintf(text, size, "%.*s..%.*s", (int)left.length, left.text, (int)right.length, right.text);
    return parse(left, min, max, &first, &unused) == 0 &&
           parse(right, min, max, &last, &unused) == 0 && first <= last;
}

static int list_add_word(struct units_list *list, struct token word, uint64_t min, uint64_t max,
                         parse_function parse, struct error *err)
{
    const char *dots = find_dots(word);
    struct token left = word, right;
    char meant[64];
    uint64_t first, last;

    if (!dots && parse == parse_size && word.length == strlen("full") &&
        memcmp(word.text, "full", word.length) == 0)
        return list_add(list, UNITS_SIZE_FULL, word, err);
    if (is_dashed(word, min, max, parse, meant, sizeof(meant)))
        return token_advise(err, "not a range", word, "did you mean %s", meant);
    if (memchr(word.text, ' ', word.length))
        return token_advise(err, "a blank in the list", word, RANGE_ADVICE);
    if (!dots) {
        if (parse(word, min, max, &first, err) != 0)
            return -1;
        return list_add(list, first, word, err);
    }
    left.length = (size_t)(dots - word.text);
    right.text = dots + 2;
    right.length = word.length - left.length - 2;
    if (right.length > 0 && right.text[0] == '.')
        return token_advise(err, "not a range", word, RANGE_ADVICE);
    if (left.length == 0 || right.length == 0)
        return token_advise(err, "range without both ends", word, RANGE_ADVICE);
    if (parse(left, min, max, &first, err) != 0 || parse(right, min, max, &last, err) != 0)
        return -1;
    if (first > last)
        return token_advise(err, "range with its end below its beginning", word, RANGE_ADVICE);
    if (first == 0 && last > 0)
        return token_advise(err, "range that begins with 0", word,
                            "a range doubles its beginning: give 0,1..N");
    return list_add_range(list, first, last, word, err);
}

static int parse_list(const char *words, uint64_t min, uint64_t max, parse_function parse,
                      struct units_list *list, struct error *err)
{
    struct units_list fresh = {.value = NULL, .count = 0};
    struct token rest = token_of(words);
    bool more = true;

    while (more) {
        const char *comma = memchr(rest.text, ',', rest.length);
        struct token word = rest;
        more = comma != NULL;
        if (more) {
            word.length = (size_t)(comma - rest.text);
            rest.text = comma + 1;
            rest.length -= word.length + 1;
        }
        if (word.length == 0) {
            if (words[0] == '\0')
                error_set(err, STATUS_USAGE, 0, "empty list", NULL);
            else
                token_refuse(err, "empty word in the list", token_of(words));
            error_advise(err, RANGE_ADVICE);
            units_list_free(&fresh);
            return -1;
        }
        if (list_add_word(&fresh, word, min, max, parse, err) != 0) {
            units_list_free(&fresh);
            return -1;
        }
    }
    units_list_free(list);
    *list = fresh;
    return 0;
}

int units_parse_size_list(const char *words, struct units_list *list, struct error *err)
{
    return parse_list(words, 0, 0, parse_size, list, err);
}

int units_parse_count_list(const char *words, uint64_t min, uint64_t max, struct units_list *list,
                           struct error *err)
{
    return parse_list(words, min, max, parse_count, list, err);
}

void units_list_free(struct units_list *list)
{
    free(list->value);
    list->value = NULL;
    list->count = 0;
}

static const char *const binary_units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

char *units_format_size(uint64_t size_bytes, char *text)
{
    size_t unit = 0;
    while (size_bytes != 0 && size_bytes % 1024 == 0 && unit + 1 < COUNT_OF(binary_units)) {
        size_bytes /= 1024;
        unit++;
    }
    snprintf(text, UNITS_TEXT, "%" PRIu64 " %s", size_bytes, binary_units[unit]);
    return text;
}

char *units_format_bytes(double bytes, char *text)
{
    size_t unit = 0;
    double tenths;
    /* 1023.5, because that would be shown as 1024. */
    while (fabs(bytes) >= 1023.5 && unit + 1 < COUNT_OF(binary_units)) {
        bytes /= 1024;
        unit++;
    }
    tenths = round(bytes * 10);
    if (!(fabs(bytes) < 1e9))
        snprintf(text, UNITS_TEXT, "%.3g %s", bytes, binary_units[unit]);
    else if (unit > 0 && fabs(tenths) < 100 && fmod(tenths, 10) != 0.0)
        snprintf(text, UNITS_TEXT, "%.1f %s", tenths / 10, binary_units[unit]);
    else
        snprintf(text, UNITS_TEXT, "%.0f %s", round(bytes), binary_units[unit]);
    return text;
}

/* Three significant digits and a decimal unit. The limits take rounding into account: 999.6 k must
 * become 1.00 M, and 9.996 must become 10.0. */
static char *format_decimal(double value, const char *const *units, size_t unit_count, char *text)
{
    size_t unit = 0;
    double size;
    while (fabs(value) >= 999.5 && unit + 1 < unit_count) {
        value /= 1000;
        unit++;
    }
    size = fabs(value);
    if (size == 0.0)
        snprintf(text, UNITS_TEXT, "0 %s", units[unit]);
    else if (size < 0.9995 || !(size < 1e9))
        snprintf(text, UNITS_TEXT, "%.3g %s", value, units[unit]);
    else
        snprintf(text, UNITS_TEXT, "%.*f %s",
                 size < 9.995   ? 2
                 : size < 99.95 ? 1
                                : 0,
                 value, units[unit]);
    return text;
}

char *units_format_throughput(double bytes_per_s, char *text)
{
    static const char *const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
    return format_decimal(bytes_per_s, units, COUNT_OF(units), text);
}

char *units_format_rate(double per_s, char *text)
{
    static const char *const units[] = {"/s", "k/s", "M/s", "G/s", "T/s"};
    return format_decimal(per_s, units, COUNT_OF(units), text);
}

char *units_format_time(double ns, char *text)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    return format_decimal(ns, units, COUNT_OF(units), text);
}

/* Rounds to the smaller unit, which is omitted if it is 0. */
char *units_format_span(uint64_t ns, char *text)
{
    static const struct {
        const char *unit, *smaller;
        uint64_t seconds, part; /* of the unit; of the smaller one */
    } units[] = {{"d", "h", 86400, 3600}, {"h", "min", 3600, 60}, {"min", "s", 60, 1}};
    const uint64_t seconds = ns / UINT64_C(1000000000);

    for (size_t i = 0; i < COUNT_OF(units); i++) {
        const uint64_t part = units[i].part;
        const uint64_t parts = (seconds + (part > 1 ? part / 2 : 0)) / part;
        const uint64_t per_unit = units[i].seconds / part;
        if (parts < per_unit)
            continue;
        if (parts % per_unit == 0)
            snprintf(text, UNITS_TEXT, "%u %s", (unsigned)(parts / per_unit), units[i].unit);
        else
            snprintf(text, UNITS_TEXT, "%u %s %u %s", (unsigned)(parts / per_unit), units[i].unit,
                     (unsigned)(parts % per_unit), units[i].smaller);
        return text;
    }
    if (ns % UINT64_C(1000000000) == 0)
        snprintf(text, UNITS_TEXT, "%" PRIu64 " s", seconds);
    else
        units_format_time((double)ns, text);
    return text;
}
