/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* results_fixture.h - results that are read from texts, as the file "some/file"; texts that must be
 * refused; and all that is known of a row. */
#ifndef TESTS_RESULTS_FIXTURE_H
#define TESTS_RESULTS_FIXTURE_H

#include "unit/cmocka_all.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/reader.h"
#include "analysis/results/results.h"
#include "base/text.h"

static inline int read_bytes(const char *bytes, size_t length, struct results *results,
                             struct error *err)
{
    FILE *stream = fmemopen((void *)(uintptr_t)bytes, length > 0 ? length : 1, "r");
    int result;

    assert_non_null(stream);
    if (length == 0)
        fgetc(stream);
    *err = ERROR_INIT;
    result = reader_stream(stream, "some/file", results, err);
    fclose(stream);
    return result;
}

static inline void read_text(const char *text, struct results *results)
{
    struct error err;
    char line[1024];

    if (read_bytes(text, strlen(text), results, &err) != 0)
        fail_msg("refused: %s\n%s", error_format(&err, line, sizeof(line)), text);
    assert_false(error_is_set(&err));
}

/* Refused, with these words in the message. */
static inline void refuse_bytes(const char *bytes, size_t length, const char *words)
{
    struct results results;
    struct error err;
    char line[1024];

    assert_int_equal(read_bytes(bytes, length, &results, &err), -1);
    assert_int_equal(err.status, STATUS_USAGE);
    error_format(&err, line, sizeof(line));
    if (!strstr(line, words))
        fail_msg("\"%s\" is not in: %s", words, line);
}

static inline void refuse_text(const char *text, const char *words)
{
    refuse_bytes(text, strlen(text), words);
}

static inline void assert_near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b)))
        fail_msg("%.17g is not %.17g", a, b);
}

/* A line "NAME VALUE, ..." of all that a row knows, rounds last, in the order of measurement. */
static inline void add_row(const struct results_row *row, char *all, size_t all_size)
{
    /* clang-format off */
#define FIELD(name, kind) {#name, offsetof(struct results_row, name), kind}
    static const struct {
        const char *name;
        size_t offset;
        char kind; /* text, number (of which 1 is usual), real, switch */
    } fields[] = {
        FIELD(test, 't'), FIELD(target, 't'), FIELD(engine, 't'), FIELD(cache, 't'),
        FIELD(notes, 't'), FIELD(label, 't'), FIELD(size_bytes, 'n'), FIELD(threads, '1'),
        FIELD(ranks, '1'),
        FIELD(depth, '1'), FIELD(operations, 'n'), FIELD(skipped, 's'), FIELD(incomplete, 's'),
        FIELD(time_s, 'r'), FIELD(throughput_bytes_per_s, 'r'), FIELD(rate_per_s, 'r'),
        FIELD(op_ns_median, 'r'), FIELD(op_ns_low, 'r'), FIELD(op_ns_high, 'r'),
        FIELD(op_ns_min, 'r'), FIELD(cpu_ns_per_op, 'r'), FIELD(queued_ns_per_op, 'r'),
        FIELD(latency_ns_p50, 'r'), FIELD(latency_ns_p90, 'r'), FIELD(latency_ns_p99, 'r'),
        FIELD(latency_ns_p999, 'r'), FIELD(latency_ns_max, 'r'), FIELD(reference_ns, 'r'),
    };
    /* clang-format on */
    char text[1000] = "";
    const size_t size = sizeof(text);

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        const void *field = (const char *)row + fields[i].offset;
        const char *name = fields[i].name;

        if (fields[i].kind == 't' && **(const char *const *)field)
            text_add(text, size, ", ", "%s %s", name, *(const char *const *)field);
        else if (fields[i].kind == 'n' && *(const uint64_t *)field)
            text_add(text, size, ", ", "%s %" PRIu64, name, *(const uint64_t *)field);
        else if (fields[i].kind == '1' && *(const uint64_t *)field != 1)
            text_add(text, size, ", ", "%s %" PRIu64, name, *(const uint64_t *)field);
        else if (fields[i].kind == 'r' && !isnan(*(const double *)field))
            text_add(text, size, ", ", "%s %.15g", name, *(const double *)field);
        else if (fields[i].kind == 's' && *(const bool *)field)
            text_add(text, size, ", ", "%s", name);
    }
    for (size_t i = 0; row->round_ns && i < row->round_count; i++)
        text_add(text, size, i > 0 ? " " : ", round_ns ", "%.15g", row->round_ns[i]);
    for (size_t i = 0; row->reference_round_ns && i < row->round_count; i++)
        text_add(text, size, i > 0 ? " " : ", reference_round_ns ", "%.15g",
                 row->reference_round_ns[i]);
    text_add(all, all_size, "", "%s\n", text);
}

static inline void expect_rows(const struct results *results, const char *expected)
{
    char text[4000] = "";

    for (size_t i = 0; i < results->count; i++)
        add_row(&results->rows[i], text, sizeof(text));
    assert_string_equal(text, expected);
}

static inline void expect_read(const char *text, const char *expected)
{
    struct results results;

    read_text(text, &results);
    expect_rows(&results, expected);
    results_free(&results);
}

#endif
