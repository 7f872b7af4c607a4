/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* number.h - machine-readable numbers, and saturating arithmetic. Only digits are accepted: no
 * blank, sign or unit (for those see units.h). False: no number, or too large; *value is
 * unchanged. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses the number at *at and moves *at past it; more may follow. */
bool number_take(const char **at, uint64_t *value);

/* The same for text that ends at `end`, if not before. */
bool number_take_before(const char **at, const char *end, uint64_t *value);

/* The same of hexadecimal digits, lower or upper case. */
bool number_take_hex(const char **at, const char *end, uint64_t *value);

/* A word that is exactly one number. */
bool number_read(const char *word, uint64_t *value);

/* A word that is a non-negative, finite real number, as "12", "0.25", "4e-7". */
bool number_read_real(const char *word, double *value);

/* Sorts numbers, ascending, and keeps each once.  Returns how many. */
size_t number_distinct(uint64_t *numbers, size_t count);

/* Hot. Formats as decimal digits, which end where `room` does. Returns them. */
#define NUMBER_BYTES 21u /* with the end */
char *number_text(uint64_t value, char room[NUMBER_BYTES]);

/* Saturating sum and product. */
static inline uint64_t number_plus(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

/* Difference, 0 if negative. */
static inline uint64_t number_minus(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static inline uint64_t number_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t number_most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The share of part `index` of `count`; the first parts get the remainder. */
static inline uint64_t number_share(uint64_t whole, uint32_t index, uint32_t count)
{
    return whole / count + (index < whole % count);
}

static inline uint64_t number_times(uint64_t a, uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

#endif
