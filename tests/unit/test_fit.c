/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* test_fit.c - Hockney's line through curves with known parameters: without noise, with noise, with
 * outliers; curves that are not lines; and every magnitude. */
#include "base/compat.h"

#include "unit/cmocka_all.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "run/fit.h"

#define MOST 50

struct curve {
    struct fit_point point[MOST];
    size_t count;
};

static void near(double value, double expected, double share, const char *remark)
{
    if (!(fabs(value - expected) <= share * fabs(expected)))
        fail_msg("%s: %.9g instead of %.9g", remark, value, expected);
}

/* Points on the line, each size twice the previous one. */
static void make_curve(struct curve *curve, double from, double to, double t0_ns,
                       double bytes_per_s)
{
    curve->count = 0;
    for (double size = from; size <= to; size *= 2)
        curve->point[curve->count++] = (struct fit_point){size, t0_ns + size / bytes_per_s * 1e9};
}

/* Approximately normal, mean 0, standard deviation 1: the sum of 12 uniform numbers. */
static double noise(struct rng *rng)
{
    double sum = -6;
    for (unsigned i = 0; i < 12; i++)
        sum += (double)(rng_next(rng) >> 11) * 0x1p-53;
    return sum;
}

static void disturb(struct curve *curve, double share, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed, 0);
    for (size_t i = 0; i < curve->count; i++)
        curve->point[i].op_ns *= 1 + share * noise(&rng);
}

static void fit(const struct curve *curve, struct fit_line *line)
{
    assert_true(fit_curve(curve->point, curve->count, line));
}

static void a_line_is_found(void **state)
{
    struct curve curve;
    struct fit_line f;
    (void)state;
    make_curve(&curve, 2, 16 << 20, 1000, 8e9);
    fit(&curve, &f);
    near(f.t0_ns, 1000, 1e-9, "t0");
    near(f.bandwidth_bytes_per_s, 8e9, 1e-9, "bandwidth");
    near(f.half_bytes, 8000, 1e-9, "half");
    assert_true(f.mean_error < 1e-9 && f.worst_error < 1e-9);
}

static void in_any_magnitude(void **state)
{
    static const struct {
        double from, to, t0_ns, bytes_per_s;
    } rows[] = {
        {1, 0x1p44, 1000, 1e9},       {1, 0x1p44, 1e6, 5e10},       {0x1p30, 0x1p44, 1e9, 1e9},
        {1, 8, 3e-3, 1e15},           {1, 64, 1e12, 1e-3},          {512, 0x1p22, 46800, 1.46e9},
        {0x1p60, 0x1p64, 1e15, 1e12}, {0x1p10, 0x1p40, 16e3, 11e9},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct curve curve;
        struct fit_line f;
        make_curve(&curve, rows[i].from, rows[i].to, rows[i].t0_ns, rows[i].bytes_per_s);
        fit(&curve, &f);
        near(f.t0_ns, rows[i].t0_ns, 1e-3, "t0");
        near(f.bandwidth_bytes_per_s, rows[i].bytes_per_s, 1e-3, "bandwidth");
        assert_true(f.worst_error < 1e-3);
    }
}

/* With 3 % of noise on each of 24 points, 99 % of 300 curves are within 3 %, and all within 5 %. */
static void noise_is_borne(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct curve curve;
        struct fit_line f;
        make_curve(&curve, 2, 16 << 20, 1000, 8e9);
        disturb(&curve, 0.03, seed);
        fit(&curve, &f);
        near(f.t0_ns, 1000, 0.05, "t0");
        near(f.bandwidth_bytes_per_s, 8e9, 0.05, "bandwidth");
        wrong += fabs(f.t0_ns / 1000 - 1) > 0.03 || fabs(f.bandwidth_bytes_per_s / 8e9 - 1) > 0.03;
        assert_true(f.mean_error > 0.005 && f.mean_error < 0.06);
    }
    assert_within(wrong, 0, 3);
}

static void disturbed_points_are_borne(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct curve curve;
        struct fit_line f;
        struct rng rng;
        size_t a, b;
        make_curve(&curve, 2, 16 << 20, 1000, 8e9);
        disturb(&curve, 0.03, seed);
        rng_seed(&rng, seed, 1);
        a = (size_t)rng_below(&rng, curve.count);
        b = (a + 1 + (size_t)rng_below(&rng, curve.count - 1)) % curve.count;
        curve.point[a].op_ns *= 3;
        curve.point[b].op_ns *= 3;
        fit(&curve, &f);
        near(f.t0_ns, 1000, 0.1, "t0");
        near(f.bandwidth_bytes_per_s, 8e9, 0.1, "bandwidth");
        wrong += fabs(f.t0_ns / 1000 - 1) > 0.03 || fabs(f.bandwidth_bytes_per_s / 8e9 - 1) > 0.03;
        assert_true(f.worst_error > 1.7); /* outliers are reported */
        assert_true(f.worst_bytes == curve.point[a].size_bytes ||
                    f.worst_bytes == curve.point[b].size_bytes);
    }
    assert_within(wrong, 0, 300 / 10); /* both at the same end of the curve have more effect */
}

static void what_is_no_line(void **state)
{
    struct curve curve;
    struct fit_line f, before;
    (void)state;
    /* the time does not depend on the size */
    make_curve(&curve, 512, 64 << 10, 5000, INFINITY);
    fit(&curve, &f);
    near(f.t0_ns, 5000, 1e-9, "t0 of a flat curve");
    near(f.bandwidth_bytes_per_s, f.bandwidth_bytes_per_s, 0.0, "a number");
    assert_true(f.bandwidth_bytes_per_s > 1e15);
    /* it falls: bandwidth is not negative */
    for (size_t i = 0; i < curve.count; i++)
        curve.point[i].op_ns = 9000 - 1000 * (double)i;
    fit(&curve, &f);
    assert_true(isinf(f.bandwidth_bytes_per_s) && isinf(f.half_bytes));
    assert_true(f.t0_ns > 2000 && f.t0_ns < 9000);
    assert_true(f.worst_error > 0.3 && isfinite(f.worst_error));
    /* it grows faster than the size: t0 is not negative */
    make_curve(&curve, 1, 1024, 0, 1e9);
    for (size_t i = 0; i < curve.count; i++)
        curve.point[i].op_ns *= curve.point[i].size_bytes;
    fit(&curve, &f);
    assert_true(f.t0_ns == 0 && f.half_bytes == 0);
    assert_true(f.bandwidth_bytes_per_s > 0 && isfinite(f.bandwidth_bytes_per_s));
    /* too few points */
    memset(&f, 7, sizeof(f));
    before = f;
    make_curve(&curve, 512, 2048, 5000, 1e9);
    assert_int_equal(curve.count, 3);
    assert_false(fit_curve(curve.point, 3, &f));
    assert_false(fit_curve(curve.point, 0, &f));
    for (size_t i = 3; i < 20; i++)
        curve.point[i] = curve.point[2];
    assert_false(fit_curve(curve.point, 20, &f)); /* three sizes, one of them many times */
    for (size_t i = 0; i < 20; i++)
        curve.point[i] = (struct fit_point){4096, 100 + (double)i};
    assert_false(fit_curve(curve.point, 20, &f));
    assert_memory_equal(&f, &before, sizeof(f));
    make_curve(&curve, 512, 4096, 5000, 1e9);
    assert_true(fit_curve(curve.point, 4, &f));
    near(f.t0_ns, 5000, 1e-9, "t0 of four points");
    /* numerically infeasible */
    for (size_t i = 0; i < 5; i++)
        curve.point[i] = (struct fit_point){(double)i + 1, i == 0 ? 1e-300 : 1e300};
    f = before;
    assert_false(fit_curve(curve.point, 5, &f));
    assert_memory_equal(&f, &before, sizeof(f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found), cmocka_unit_test(in_any_magnitude),
        cmocka_unit_test(noise_is_borne),  cmocka_unit_test(disturbed_points_are_borne),
        cmocka_unit_test(what_is_no_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
