/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units_time.c - durations and shares, which may have fractions. */
#include "base/compat.h"

#include "base/units.h"

#include "base/units_parts.h"

#define DURATION_ADVICE "give seconds such as 10 or 1.5s, or 500ns, 61us, 20ms, 2min, 1h30m"

bool token_fraction(struct token *rest, struct token *digits)
{
    uint64_t unused;
    *digits = (struct token){.text = rest->text, .length = 0};
    if (rest->length == 0 || rest->text[0] != '.')
        return true;
    rest->text++;
    rest->length--;
    digits->text = rest->text;
    if (token_digits(rest, &unused) == DIGITS_NONE)
        return false;
    digits->length = (size_t)(rest->text - digits->text);
    return true;
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

static void skip_blanks(struct token *rest)
{
    while (rest->length > 0 && rest->text[0] == ' ') {
        rest->text++;
        rest->length--;
    }
}

static struct token take_unit(struct token *rest)
{
    struct token unit = {.text = rest->text, .length = 0};

    while (unit.length < rest->length && unit.text[unit.length] >= 'a' &&
           unit.text[unit.length] <= 'z')
        unit.length++;
    rest->text += unit.length;
    rest->length -= unit.length;
    return unit;
}

enum time_part { PART_OK, PART_MALFORMED, PART_OVERFLOW };

/* Adds a part such as "1.5h" or "30 min" at the front of *rest; a part without a unit is in seconds
 * and must be alone. *unit_ns: unit of the previous part, 0: none; units must descend. */
static enum time_part take_part(struct token *rest, bool alone, uint64_t *unit_ns, uint64_t *sum_ns)
{
    uint64_t number, ns, part_ns = 0;
    struct token fraction, unit;
    const enum digits digits = token_digits(rest, &number);

    if (digits == DIGITS_NONE || !token_fraction(rest, &fraction))
        return PART_MALFORMED;
    if (rest->length > 0)
        skip_blanks(rest);
    unit = take_unit(rest);
    ns = unit.length == 0 && alone && rest->length == 0 && unit.text[-1] != ' '
             ? UINT64_C(1000000000)
             : duration_factor(unit);
    if (ns == 0 || (*unit_ns > 0 && ns >= *unit_ns))
        return PART_MALFORMED;
    /* From the last digit to the first, which is exact if the result is whole nanoseconds. */
    for (size_t i = fraction.length; i-- > 0;)
        part_ns = ((uint64_t)(fraction.text[i] - '0') * ns + part_ns) / 10;
    *unit_ns = ns;
    if (digits == DIGITS_OVERFLOW || __builtin_mul_overflow(number, ns, &number) ||
        __builtin_add_overflow(number, part_ns, &number) ||
        __builtin_add_overflow(*sum_ns, number, sum_ns))
        return PART_OVERFLOW;
    return PART_OK;
}

/* Advises on "1,5", from countries with a decimal comma. */
static int refuse_duration(struct error *err, struct token word)
{
    const char *comma = memchr(word.text, ',', word.length);

    token_refuse(err, "not a duration", word);
    if (comma && comma > word.text && word.length < 20)
        return error_advise(err, "did you mean %.*s.%s; " DURATION_ADVICE, (int)(comma - word.text),
                            word.text, comma + 1);
    return error_advise(err, DURATION_ADVICE);
}

int units_parse_duration(const char *word, uint64_t *duration_ns, struct error *err)
{
    struct token whole = token_of(word), rest = whole;
    uint64_t sum_ns = 0, unit_ns = 0;
    bool overflow = false, alone = true;

    do {
        const enum time_part part = take_part(&rest, alone, &unit_ns, &sum_ns);
        if (part == PART_MALFORMED)
            return refuse_duration(err, whole);
        overflow = overflow || part == PART_OVERFLOW;
        alone = false;
        if (rest.length > 1)
            skip_blanks(&rest);
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
    struct token whole = token_of(word), rest = whole, fraction;
    uint64_t number, scale = 100;
    enum digits digits = token_digits(&rest, &number);
    bool well_formed = token_fraction(&rest, &fraction);

    if (digits == DIGITS_NONE || !well_formed || fraction.length > 12 ||
        !(rest.length == 0 || token_is(rest, "%"))) {
        const char *comma = memchr(word, ',', whole.length);
        token_refuse(err, "not a percentage", whole);
        if (comma && comma > word && whole.length < 10)
            return error_advise(err, "did you mean %.*s.%s", (int)(comma - word), word, comma + 1);
        return error_advise(err, "give a number above 0, up to 100, such as 2.5%%");
    }
    if (digits == DIGITS_OK && number <= 100) {
        /* A single division of two exact integers: "2.5%" becomes the double nearest to 0.025. */
        for (size_t i = 0; i < fraction.length; i++) {
            number = number * 10 + (uint64_t)(fraction.text[i] - '0');
            scale *= 10;
        }
        if (number > 0 && number <= scale) {
            *share = (double)number / (double)scale;
            return 0;
        }
    }
    return token_advise(err, "percentage out of range", whole,
                        "give a number above 0, up to 100, such as 2.5%%");
}
