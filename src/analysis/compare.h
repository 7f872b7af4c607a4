/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copyright (C) 2026 The iosweep authors */
/* compare.h - is the new sweep slower or faster than the old one, and by how much.  Pure: cells go
 * in, ratios and verdicts come out.  All ratios are of times per operation, new / old: above 1 is
 * slower.
 *
 * A verdict has to pass three gates.
 *
 * 1. Rounds.  Hodges-Lehmann ratio, its interval and the Mann-Whitney test of the logarithms of the
 *    rounds (analysis/ranks.h), over the differences within each pair of sweeps.  Where the rounds
 * of
 *    a sweep are correlated (lag-1 > 2 / sqrt(n)), neighbours are averaged on both sides, in
 *    pairs and again while there are 12 or more.  Where the least p possible with that many rounds,
 *    times the number of cells (and 2, with several pairs), is not below 0.05, a cell has no such
 *    test: the second gate judges it alone, or with 4 rounds and two cells a ratio of 3 would be
 *    no difference.
 *
 * 2. Units.  The rounds of one sweep say nothing about how much the next sweep of the same thing
 *    would differ: memory, placement and neighbours change in between.
 *    With several pairs, the sweeps of each side show it.  analysis/spread.h takes their spread
 *    apart, per test, into what a sweep does to all cells and what it does to single ones, in view
 *    of the noise of each cell: the standard error of the median of a sweep by its rounds,
 *        1.4826 MAD sqrt(pi / 2 / n), at least 1e-4, mean square over all sweeps
 *    (of intervals: their width / 3.92).  The variance of the difference of a cell's means is
 *    2 / pairs times that of a single sweep.  Student's t of the smaller of both estimates,
 *    Hodges-Lehmann and difference of means, gives the second p.  Sides are not subtracted pair by
 *    pair before, because then a machine that grows slower all the time would show the same
 *    difference in each pair with no spread at all; here that drift is part of the spread.
 *    With a single pair, sweeps are taken to differ by 4.5 times as much as their rounds let
 *    expect, in units of the reference by 2.5 times: the error is 4.5 times the half-width of the
 * interval of 1 / 1.96, with n + m - 2 degrees of freedom.  Of 91 pairs out of 14 sweeps of one
 * idle virtual machine, 13 would be said to differ with 2 times, 7 with 3, 4 with 3.5, none with 4
 * or 4.5; 16 of 16 pairs with a real difference of 5 % are found with each.
 *
 *    The p of a cell is the greater of the two (both hypotheses must fall), adjusted by Holm over
 *    all cells of the comparison; the interval reaches as far as the wider of both on each side.
 *
 * 3. Size and agreement.  p < 0.05, the ratio is off by more than the tolerance (above 1 + t or
 *    below 1 / (1 + t)), and the medians of all pairs lie on that side of 1; of 4 pairs or more,
 *    one in 4 may not: among many pairs, one that disagrees is to be expected.
 *
 * What does not differ is `same` only when all of its interval lies within the tolerance; else it
 * is `unclear`, which is no verdict in favour of either.  Where rounds fall into groups, the shift
 * of all rounds can be near 1, with a narrow interval, while the medians are far apart: then it is
 * `unclear`, too, and so is a difference that the medians contradict.
 *
 * The overall of a test is the plain geometric mean over its cells.  Its error comes from the
 * spread of that mean over the sweeps and nothing else, 2 (pairs - 1) degrees of freedom; with a
 * single pair it is the median of the errors of its cells, however many there are, because sweeps
 * differ in all cells at once.  p is adjusted by Holm over the tests; the third gate is the same.
 *
 * With several pairs the chance of any false verdict in the whole comparison is kept below 5 %:
 * cells and overalls are given half of it each (their adjusted p is doubled).  With a single pair
 * the 5 % hold only as far as the two sweeps are like all others that could have been made.
 *
 * Cells that are bound by the processor and have a reference in all sweeps are judged in units of
 * it (analysis/reference.h), in all of this.  Of what the reference has changed by, a tenth is
 * added to the error of a single pair, all in logarithms: when a machine became twice as slow,
 * reads of 512 B to 32 KiB differed by 4 to 8 % in units of the reference.
 *
 * Without rounds, but with intervals of medians: [low_new / high_old, high_new / low_old],
 * geometric means over the pairs: too wide, hence "conservative"; with a single pair 3 times as
 * wide about the ratio, in logarithms, for the reason given above (of the same 91 pairs, 14 were
 * said to differ before, none so).  A verdict needs this interval to lie beyond the tolerance and,
 * with several pairs, the second and third gate.  Without intervals there is a ratio and never a
 * verdict. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#define COMPARE_LEVEL      0.05 /* of false alarms */
#define COMPARE_ROUNDS_MIN 4    /* rounds of a cell in each sweep, to be compared by rounds */

struct compare_sample {     /* a cell in one file; what is not known is NAN or NULL */
    const double *round_ns; /* above 0, in the order of measurement; the caller's */
    size_t round_count;
    double median_ns, low_ns, high_ns;
    /* analysis/reference.h: median, and as many as there are rounds or NULL; 0 is not known,
     * too. */
    double reference_ns;
    const double *reference_round_ns;
    bool bound; /* by the processor */
};

/* By what a cell or a test was judged; a higher one is better. */
enum compare_evidence {
    COMPARE_NOTHING,   /* not even a ratio */
    COMPARE_RATIO,     /* no interval: never a verdict */
    COMPARE_INTERVALS, /* conservative */
    COMPARE_ROUNDS,
    COMPARE_EVIDENCE_COUNT
};

enum compare_verdict {
    COMPARE_UNKNOWN, /* no interval to judge by */
    COMPARE_UNCLEAR, /* the interval reaches beyond the tolerance: it may be a difference or none */
    COMPARE_SAME,    /* all of the interval is within the tolerance */
    COMPARE_SLOWER,
    COMPARE_FASTER
};

struct compare_judgement {
    enum compare_evidence evidence;
    enum compare_verdict verdict;
    double ratio, low, high; /* NAN: not known */
    double p;                /* after Holm; NAN: there was no test */
};

struct compare_cell {
    unsigned test;                               /* below the number of tests */
    const struct compare_sample *before, *after; /* one each per pair; the caller's */
    /* filled in: */
    double before_ns, after_ns; /* geometric means of the medians; NAN: not known */
    /* before_ns * ratio: what stands beside the ratio as the new time */
    double shifted_ns;
    double measured_ratio;  /* where `is` rests on the reference: without it; else NAN */
    double reference_ratio; /* of the references, new / old, there; else NAN */
    bool medians_disagree;  /* after_ns is off shifted_ns by more than tolerance and interval */
    struct compare_judgement is;
};

struct compare_overall {
    size_t counts[COMPARE_FASTER + 1]; /* cells by verdict */
    size_t cells;                      /* that `is` rests on: those with its evidence */
    struct compare_judgement is;
};

/* Judges the cells (which all have `pairs` samples before and after) and each test; overall has
 * test_count elements.  tolerance: share above 0, such as 0.02. */
void compare_judge(struct compare_cell *cells, size_t count, unsigned pairs, double tolerance,
                   struct compare_overall *overall, unsigned test_count);

#endif
