/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* units.h - parses and formats sizes, counts, durations, shares and lists of them. Parsers accept
 * the whole word or nothing, check for overflow and refuse signs; on failure they record the
 * offending word in *err (STATUS_USAGE) and return -1, else 0. Locale independent. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* A whole number in [min, max]: "4096", "4k" = "4K" = "4Ki" = "4KiB" = 4096, "4kB" = "4KB" = 4000;
 * likewise M, G, T, P; "100B". "0k" is none. */
#define UNITS_SIZE_MAX (UINT64_C(1) << 56) /* of what is stored: 64 PiB */
int units_parse_size(const char *word, uint64_t min, uint64_t max, uint64_t *size_bytes,
                     struct error *err);

/* A whole number in [min, max]: "10000" = "10k" = "10K"; likewise M, G, decimal. */
int units_parse_count(const char *word, uint64_t min, uint64_t max, uint64_t *count,
                      struct error *err);

/* "10" = "10s", "1.5s", "20ms", "61us", "500ns", "2m" = "2min", "1h30m", "1d"; above 0. Units must
 * descend. */
int units_parse_duration(const char *word, uint64_t *duration_ns, struct error *err);

/* "2.5%" = "2.5" -> 0.025; at most 1. A share of 0.001 % is what the mean of a million rounds can
 * be known to. */
#define UNITS_SHARE_LEAST 1e-5
int units_parse_percent(const char *word, double *share, struct error *err);

struct units_list { /* an ordered list without duplicates */
    uint64_t *value;
    size_t count;
};

/* Lists: words separated by commas; "A..B" means A, A*2, A*4 ... and finally B itself. Duplicates
 * are refused. At most UNITS_LIST_MAX values. The list must be zeroed or valid before; on success
 * the old content is freed and replaced. Free with units_list_free. */
#define UNITS_LIST_MAX 4096
/* The size "full" means the whole length of the target, and is 0 until that is known. */
#define UNITS_SIZE_FULL 0
enum units_kind { UNITS_COUNT, UNITS_SIZE };
int units_parse_list(enum units_kind kind, const char *words, uint64_t min, uint64_t max,
                     struct units_list *list, struct error *err);
void units_list_free(struct units_list *list);

/* Formatters return text; UNITS_TEXT bytes are always enough. */
#define UNITS_TEXT 32
char *units_format_size(uint64_t size_bytes, char *text); /* exact: "2 B", "64 KiB", "1000 B" */
/* rounded, binary: "256 MiB" "1.3 GiB" */
char *units_format_bytes(double bytes, char *text);
char *units_format_throughput(double bytes_per_s, char *text); /* decimal: "1.31 MB/s" */
char *units_format_rate(double per_s, char *text);             /* "657 k/s" */
/* "8 s", "2 min 30 s", "2 h 40 min", "3 d 4 h" */
char *units_format_span(uint64_t ns, char *text);
char *units_format_time(double ns, char *text); /* "1.52 us", "20.0 ms", "3.00 s" */

#endif
