/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units.c - parses and formats numbers with units. The parsers work on tokens of a word, so that
 * lists need no copies; they accept digits and the listed suffixes only: no signs, exponents or
 * locale, blanks in durations only. Refusing is cheap for the user, measuring the wrong thing is
 * not. */
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
#include "base/text.h"

#define SIZE_ADVICE     "give bytes such as 4096, 64k = 64Ki (x 1024), 64kB (x 1000), up to P"
#define RANGE_ADVICE    "give a list such as 1,2,8 or a range such as 1..64"
#define DURATION_ADVICE "give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m"
#define PERCENT_ADVICE  "give a number above 0, up to 100, such as 2.5%%"
#define DECIMALS_MOST   12 /* of a percentage */

struct token {
    const char *text;
    size_t length;
};

static struct token token_of(const char *word)
{
    return (struct token){.text = word, .length = strlen(word)};
}

static bool token_is(struct token token, const char *word)
{
    return token.length == strlen(word) && memcmp(token.text, word, token.length) == 0;
}

static void token_skip(struct token *rest, size_t bytes)
{
    rest->text += bytes;
    rest->length -= bytes;
}

/* Takes the characters at the front of *rest that are among these. */
static struct token token_take(struct token *rest, const char *accepted)
{
    struct token taken = {.text = rest->text, .length = 0};

    while (taken.length < rest->length && strchr(accepted, taken.text[taken.length]))
        taken.length++;
    token_skip(rest, taken.length);
    return taken;
}

/* Records an error about a token; a colon separates the word from the sentence. Returns -1. */
static int token_refuse(struct error *err, const char *action, struct token word)
{
    char object[sizeof(err->object)], sentence[sizeof(err->action)];
    const int n = word.length < sizeof(object) ? (int)word.length : (int)sizeof(object) - 1;

    snprintf(object, sizeof(object), "%.*s", n, word.text);
    snprintf(sentence, sizeof(sentence), "%s:%s", action, n == 0 ? " empty word" : "");
    return error_set(err, STATUS_USAGE, 0, sentence, object);
}

/* The same with advice (printf style). */
#define token_advise(err, action, word, ...) \
    (token_refuse(err, action, word), error_advise(err, __VA_ARGS__))

/* --- numbers --- */

#define DIGITS "0123456789"

struct decimal { /* "12", "1.5" */
    uint64_t whole;
    bool overflow;         /* `whole` is too large */
    struct token decimals; /* the digits behind the point; length 0: none */
};

/* Takes a number at the front of *rest, all digits even after an overflow, so that too many digits
 * followed by junk are reported as junk. False: no digits, or a point without digits. */
static bool take_decimal(struct token *rest, struct decimal *number)
{
    const struct token digits = token_take(rest, DIGITS);

    *number = (struct decimal){.whole = 0};
    for (size_t i = 0; i < digits.length; i++)
        if (__builtin_mul_overflow(number->whole, UINT64_C(10), &number->whole) ||
            __builtin_add_overflow(number->whole, (uint64_t)(digits.text[i] - '0'), &number->whole))
            number->overflow = true;
    if (digits.length == 0 || rest->length == 0 || rest->text[0] != '.')
        return digits.length > 0;
    token_skip(rest, 1);
    number->decimals = token_take(rest, DIGITS);
    return number->decimals.length > 0;
}

enum product { PRODUCT_EXACT, PRODUCT_CUT, PRODUCT_OVERFLOW };

/* The number times a factor of at most 10^18, without a fraction. Decimals are multiplied from the
 * last to the first, which is exact if the product is whole. */
static enum product decimal_times(const struct decimal *number, uint64_t factor, uint64_t *product)
{
    uint64_t whole, part = 0;
    bool exact = true;

    for (size_t i = number->decimals.length; i-- > 0; part /= 10) {
        part += (uint64_t)(number->decimals.text[i] - '0') * factor;
        exact = exact && part % 10 == 0;
    }
    if (number->overflow || __builtin_mul_overflow(number->whole, factor, &whole) ||
        __builtin_add_overflow(whole, part, product))
        return PRODUCT_OVERFLOW;
    return exact ? PRODUCT_EXACT : PRODUCT_CUT;
}

/* --- sizes --- */

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
    token_skip(&suffix, 1);
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

/* Suggests a suffix in the right case for words such as 1m, 4Kb or 1gb, and the whole number meant
 * by "1.5M"; empty: none. */
static void mend_size(struct token word, char *text, size_t size)
{
    struct token rest = word;
    struct decimal number;
    char letters[4] = "";
    uint64_t value;
    size_t unit = 0;

    text[0] = '\0';
    if (word.length > UNITS_TEXT || !take_decimal(&rest, &number) || rest.length >= sizeof(letters))
        return;
    for (size_t i = 0; i < rest.length; i++)
        letters[i] = i > 0 && tolower((unsigned char)rest.text[i]) == 'i'
                         ? 'i'
                         : (char)toupper((unsigned char)rest.text[i]);
    if (letters[0] == 'K')
        letters[0] = 'k';
    if (!size_factor(token_of(letters)) ||
        decimal_times(&number, size_factor(token_of(letters)), &value) != PRODUCT_EXACT)
        return;
    if (number.decimals.length == 0) {
        snprintf(text, size, "did you mean %.*s%s; ", (int)(word.length - rest.length), word.text,
                 letters);
        return;
    }
    for (; value > 0 && value % 1024 == 0 && unit < 5; unit++)
        value /= 1024;
    snprintf(text, size, "did you mean %" PRIu64 "%.*s; ", value, unit > 0, &"BkMGTP"[unit]);
}

/* With bounds, so that sizes and counts can be parsed through one pointer. */
typedef int (*parse_function)(struct token word, uint64_t min, uint64_t max, uint64_t *value,
                              struct error *err);

static int parse_size(struct token word, uint64_t min, uint64_t max, uint64_t *size_bytes,
                      struct error *err)
{
    struct token rest = word;
    struct decimal number;
    char meant[2 * UNITS_TEXT];
    uint64_t value;

    (void)min;
    (void)max;
    if (!take_decimal(&rest, &number) || number.decimals.length || !size_factor(rest)) {
        mend_size(word, meant, sizeof(meant));
        return token_advise(err, "not a size", word, "%s%s", meant, SIZE_ADVICE);
    }
    if (decimal_times(&number, size_factor(rest), &value) != PRODUCT_EXACT)
        return token_advise(err, "size too large", word, "the limit is 16384P");
    if (value == 0)
        return token_advise(err, "a size must be above 0", word, SIZE_ADVICE);
    *size_bytes = value;
    return 0;
}

/* --- counts --- */

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

/* Suggests the whole number meant by "1e6", "10,000", "10_000", "1.5k" or "10/s"; 0: none. */
static uint64_t mend_count(struct token word)
{
    char plain[20]; /* more digits are too large for any count */
    struct token rest = {.text = plain, .length = 0};
    struct decimal number, tens = {.whole = 0};
    uint64_t factor, value;

    if (word.length >= sizeof(plain))
        return 0;
    for (size_t i = 0; i < word.length; i++)
        if (!groups_digits(word, i))
            plain[rest.length++] = word.text[i];
    if (!take_decimal(&rest, &number))
        return 0;
    if (rest.length > 1 && (rest.text[0] == 'e' || rest.text[0] == 'E')) {
        token_skip(&rest, 1);
        if (!take_decimal(&rest, &tens) || tens.decimals.length || rest.length || tens.whole > 18)
            return 0;
    } else if (token_is(rest, "/s")) {
        rest.length = 0;
    } else if (number.decimals.length && rest.length == 0) {
        return 0; /* "10.000" is ten or ten thousand, depending on the country */
    }
    factor = count_factor(rest);
    for (; tens.whole > 0; tens.whole--)
        factor *= 10;
    return factor && decimal_times(&number, factor, &value) == PRODUCT_EXACT ? value : 0;
}

static int parse_count(struct token word, uint64_t min, uint64_t max, uint64_t *count,
                       struct error *err)
{
    struct token rest = word;
    struct decimal number;
    uint64_t value, meant = 0;

    if (!take_decimal(&rest, &number) || number.decimals.length || !count_factor(rest)) {
        token_refuse(err, "not a whole number", word);
        meant = mend_count(word);
    } else if (decimal_times(&number, count_factor(rest), &value) != PRODUCT_EXACT || value > max) {
        token_refuse(err, "number too large", word);
    } else if (value < min) {
        token_refuse(err, "number too small", word);
    } else {
        *count = value;
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

/* --- durations and shares, which may have fractions --- */

/* Advises on "1,5", from countries with a decimal comma, if there is one. */
static void advise_point(struct error *err, struct token word, const char *more)
{
    const char *comma = memchr(word.text, ',', word.length);

    if (comma && comma > word.text && word.length < 20)
        error_advise(err, "did you mean %.*s.%.*s%s", (int)(comma - word.text), word.text,
                     (int)(word.text + word.length - comma - 1), comma + 1, more);
}

/* Nanoseconds of a unit; 0: unknown. */
static uint64_t duration_factor(struct token unit)
{
    static const struct {
        uint64_t ns;
        const char *names[7];
    } units[] = {
        {UINT64_C(86400000000000), {"d", "day", "days"}},
        {UINT64_C(3600000000000), {"h", "hr", "hrs", "hour", "hours"}},
        {UINT64_C(60000000000), {"m", "min", "mins", "minute", "minutes"}},
        {UINT64_C(1000000000), {"s", "sec", "secs", "second", "seconds"}},
        {UINT64_C(1000000), {"ms", "msec"}},
        {UINT64_C(1000), {"us", "usec"}},
        {UINT64_C(1), {"ns", "nsec"}},
    };

    for (size_t i = 0; i < COUNT_OF(units); i++)
        for (size_t k = 0; units[i].names[k]; k++)
            if (token_is(unit, units[i].names[k]))
                return units[i].ns;
    return 0;
}

enum time_part { PART_OK, PART_MALFORMED, PART_OVERFLOW };

/* Adds a part such as "1.5h" or "30 min" at the front of *rest; a part without a unit is in seconds
 * and must be alone. *unit_ns: unit of the previous part, 0: none; units must descend. */
static enum time_part take_part(struct token *rest, bool alone, uint64_t *unit_ns, uint64_t *sum_ns)
{
    struct decimal number;
    struct token blanks, unit;
    uint64_t ns, part_ns;

    if (!take_decimal(rest, &number))
        return PART_MALFORMED;
    blanks = token_take(rest, " ");
    unit = token_take(rest, "abcdefghijklmnopqrstuvwxyz");
    ns = unit.length == 0 && alone && rest->length == 0 && blanks.length == 0
             ? UINT64_C(1000000000)
             : duration_factor(unit);
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
    const struct token whole = token_of(word);
    struct token rest = whole;
    uint64_t sum_ns = 0, unit_ns = 0;
    bool overflow = false, alone = true;

    do {
        const enum time_part part = take_part(&rest, alone, &unit_ns, &sum_ns);
        if (part == PART_MALFORMED) {
            token_refuse(err, "not a duration", whole);
            advise_point(err, whole, "; " DURATION_ADVICE);
            return error_advise(err, DURATION_ADVICE);
        }
        overflow = overflow || part == PART_OVERFLOW;
        alone = false;
        if (rest.length > 1)
            (void)token_take(&rest, " ");
    } while (rest.length > 0);
    if (overflow)
        return token_advise(err, "duration too long", whole, "the limit is 584 years");
    if (sum_ns == 0)
        return token_advise(err, "a duration must be above 0", whole, "the shortest is 1ns");
    *duration_ns = sum_ns;
    return 0;
}

int units_parse_percent(const char *word, double *share, struct error *err)
{
    const struct token whole = token_of(word);
    struct token rest = whole;
    struct decimal number;
    uint64_t value, scale = 100;

    if (!take_decimal(&rest, &number) || number.decimals.length > DECIMALS_MOST ||
        !(rest.length == 0 || token_is(rest, "%"))) {
        token_refuse(err, "not a percentage", whole);
        advise_point(err, whole, "");
        return error_advise(err, PERCENT_ADVICE);
    }
    for (size_t i = 0; i < number.decimals.length; i++)
        scale *= 10;
    if (decimal_times(&number, scale / 100, &value) != PRODUCT_EXACT || value == 0 || value > scale)
        return token_advise(err, "percentage out of range", whole, PERCENT_ADVICE);
    *share = (double)value / (double)scale; /* of exact integers: "2.5%" is nearest to 0.025 */
    return 0;
}

/* --- lists --- */

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

/* Splits a word at `mark`, which has that number of bytes. */
static void split_word(struct token word, const char *mark, size_t bytes, struct token *left,
                       struct token *right)
{
    *left = (struct token){.text = word.text, .length = (size_t)(mark - word.text)};
    *right = word;
    token_skip(right, left->length + bytes);
}

/* Recognises ranges as other programs write them, "1-4" or "1:4", and puts the equivalent in our
 * syntax into text. */
static bool is_dashed(struct token word, uint64_t min, uint64_t max, parse_function parse,
                      char *text, size_t size)
{
    const char *dash = memchr(word.text, '-', word.length);
    struct token left, right;
    struct error unused = {0};
    uint64_t first, last;

    if (!dash)
        dash = memchr(word.text, ':', word.length);
    if (!dash)
        return false;
    split_word(word, dash, 1, &left, &right);
    snprintf(text, size, "%.*s..%.*s", (int)left.length, left.text, (int)right.length, right.text);
    return parse(left, min, max, &first, &unused) == 0 &&
           parse(right, min, max, &last, &unused) == 0 && first <= last;
}

static int list_add_word(struct units_list *list, struct token word, uint64_t min, uint64_t max,
                         parse_function parse, struct error *err)
{
    const char *dots = NULL;
    struct token left, right;
    char meant[64];
    uint64_t first, last;

    for (size_t i = 0; !dots && i + 1 < word.length; i++)
        dots = memcmp(word.text + i, "..", 2) == 0 ? word.text + i : NULL;
    if (parse == parse_size && token_is(word, "full"))
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
    split_word(word, dots, 2, &left, &right);
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

static int refuse_empty(const char *words, struct error *err)
{
    if (words[0] == '\0')
        error_set(err, STATUS_USAGE, 0, "empty list", NULL);
    else
        token_refuse(err, "empty word in the list", token_of(words));
    return error_advise(err, RANGE_ADVICE);
}

static int parse_list(const char *words, uint64_t min, uint64_t max, parse_function parse,
                      struct units_list *list, struct error *err)
{
    struct units_list fresh = {.value = NULL, .count = 0};
    struct token word;
    int code = 0;

    for (const char *at = words; code == 0 && text_word(&at, ",", &word.text, &word.length);)
        code = word.length == 0 ? refuse_empty(words, err)
                                : list_add_word(&fresh, word, min, max, parse, err);
    if (code != 0) {
        units_list_free(&fresh);
        return -1;
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

/* --- formats --- */

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
