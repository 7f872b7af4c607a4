/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* number.c - see number.h. */
#include "base/compat.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(const char *at)
{
    return *at >= '0' && *at <= '9';
}

bool number_take_before(const char **at, const char *end, uint64_t *value)
{
    const char *digit = *at;
    uint64_t number = 0;

    for (; (!end || digit < end) && is_digit(digit); digit++)
        if (__builtin_mul_overflow(number, UINT64_C(10), &number) ||
            __builtin_add_overflow(number, (uint64_t)(*digit - '0'), &number))
            return false;
    if (digit == *at)
        return false;
    *at = digit;
    *value = number;
    return true;
}

bool number_take(const char **at, uint64_t *value)
{
    return number_take_before(at, NULL, value);
}

bool number_take_hex(const char **at, const char *end, uint64_t *value)
{
    const char *const begin = *at;

    for (*value = 0; *at < end; ++*at) {
        const char lower = (char)(**at | 0x20);
        const int digit = **at >= '0' && **at <= '9'     ? **at - '0'
                          : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10
                                                         : -1;

        if (digit < 0)
            break;
        if (*value >> 60)
            return false;
        *value = *value << 4 | (unsigned)digit;
    }
    return *at > begin;
}

bool number_read(const char *word, uint64_t *value)
{
    uint64_t number;

    if (!number_take(&word, &number) || *word != '\0')
        return false;
    *value = number;
    return true;
}

/* strtod alone would accept blanks, signs, "inf" and "0x1"; the check on the end of the word
 * excludes the rest. No locale is ever set. */
bool number_read_real(const char *word, double *value)
{
    char *end;
    double number;

    if ((!is_digit(word) && word[0] != '.') || word[strspn(word, "0123456789.eE+-")] != '\0')
        return false;
    number = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(number))
        return false;
    *value = number;
    return true;
}

char *number_text(uint64_t value, char room[NUMBER_BYTES])
{
    char *digit = room + NUMBER_BYTES - 1;

    *digit = '\0';
    do {
        *--digit = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    return digit;
}

static int number_order(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

size_t number_distinct(uint64_t *numbers, size_t count)
{
    size_t kept = 0;

    if (count > 0)
        qsort(numbers, count, sizeof(*numbers), number_order);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}
