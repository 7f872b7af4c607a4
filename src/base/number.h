/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* number.h - numbers as machines write them, and sums that do not go round.  Read are digits and
 * nothing else, no blank, no sign, no unit (for those see units.h).  False: there is none, or it is
 * too large; *value is left as it was. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The number at *at, behind which *at stands then; true also where more follows. */
bool number_take(const char **at, uint64_t *value);

/* The same of what ends at `end`, if not before. */
bool number_take_before(const char **at, const char *end, uint64_t *value);

/* A word that is one number. */
bool number_read(const char *word, uint64_t *value);

/* A word that is a real number as "12", "0.25", "4e-7": finite, 0 or more. */
bool number_read_real(const char *word, double *value);

/* The order of two uint64_t, for qsort. */
int number_order(const void *a, const void *b);

/* Hot.  As decimal digits. */
#define NUMBER_BYTES 21u /* with the end */
void number_write(uint64_t value, char text[NUMBER_BYTES]);

/* Sum and product that stay at the largest number where they would pass it. */
static inline uint64_t number_plus(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* Difference that stays at 0. */
static inline uint64_t number_minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

/* Of a whole for `count` parts, the first of which have what is left over. */
static inline uint64_t number_share(uint64_t whole, uint32_t index, uint32_t count)
{
    return whole / count + (index < whole % count);
}

static inline uint64_t number_times(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

#endif
