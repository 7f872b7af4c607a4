#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""What comparisons are made of: tails of distributions and rank tests against published values and
against brute force, and the parts of a spread against their closed form."""

import itertools
import math
import random
import statistics
import unittest

import support  # noqa: F401 # finds the package
from iosweep_results import stats


class Tails(unittest.TestCase):
    def test_student(self):
        """Two-sided 5 % points as printed in tables; closed forms far out and for tiny t."""
        for df, bound in (
            (1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (10, 2.22814), (30, 2.04227),
            (120, 1.97993),
        ):
            self.assertAlmostEqual(stats.student_bound(df), bound, delta=6e-5)
            self.assertAlmostEqual(stats.student(-bound, df), 0.05, delta=1e-6)
        for df in (0.3, 1, 2.6, 7.25, 100, 1e6):
            self.assertAlmostEqual(stats.student(stats.student_bound(df), df), 0.05, delta=1e-11)
        self.assertAlmostEqual(stats.student(1, 1), 0.5, delta=1e-14)
        self.assertAlmostEqual(stats.student(0, 3), 1, delta=1e-14)
        expected = 1 - 0.001 / math.sqrt(2.000001)  # df = 2: 1 - t / sqrt(2 + t^2)
        self.assertAlmostEqual(stats.student(0.001, 2), expected, delta=1e-12)
        self.assertAlmostEqual(stats.student(1e6, 2) / 1e-12, 1, delta=1e-6)
        self.assertAlmostEqual(stats.student(2.5, 1e7), math.erfc(2.5 / math.sqrt(2)), delta=1e-7)
        self.assertEqual(stats.student(math.inf, 2), 0)

    def test_holm(self):
        adjusted, _ = stats.holm([0.01, math.nan, 0.04, 0.03, 0.005, 0.9], 0.05)
        self.assertTrue(math.isnan(adjusted.pop(1)))
        for p, expected in zip(adjusted, (0.04, 0.09, 0.09, 0.025, 0.9)):
            self.assertAlmostEqual(p, expected, delta=1e-12)
        self.assertEqual(stats.holm([], 0.05), ([], []))
        # 5 tests: the fourth is not below 0.05 / 2, and the last is judged with it
        _, levels = stats.holm([0.01, math.nan, 0.03, 0.01, 0.001, 0.9], 0.05)
        self.assertTrue(math.isnan(levels.pop(1)))
        self.assertEqual(levels, [0.05 / 4, 0.05 / 2, 0.05 / 4, 0.05 / 5, 0.05 / 2])


class Samples(unittest.TestCase):
    def test_correlation(self):
        self.assertFalse(stats.is_correlated([1, 2] * 5))  # too few
        self.assertFalse(stats.is_correlated([1, 2] * 20))  # neighbours differ
        self.assertFalse(stats.is_correlated([3] * 20))
        self.assertTrue(stats.is_correlated(list(range(20))))


class Ranks(unittest.TestCase):
    def shift(self, *pairs):
        return stats.shift([tuple(map(sorted, pair)) for pair in pairs])

    def test_published(self):
        """Hollander and Wolfe, table 4.1: the statistic is 35 of 50, its two-sided chance 0.2544,
        the estimate 0.305."""
        term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
        found = self.shift(([1.15, 0.88, 0.90, 0.74, 1.21], term))
        self.assertAlmostEqual(found.p, 0.2544, delta=5e-5)
        self.assertAlmostEqual(found.shift, 0.305, delta=1e-12)
        self.assertTrue(found.low < 0 and found.high > 0.305)

    def test_small(self):
        """Arrangements counted by hand; ties and several pairs by their formulas."""
        apart = self.shift(([1, 2, 3], [4, 5, 6]))
        self.assertAlmostEqual(apart.p, 2 / 20)
        self.assertEqual((apart.least_p, apart.shift), (apart.p, 3))
        self.assertTrue(math.isnan(apart.low) and math.isnan(apart.high))  # cannot give 95 %
        more = self.shift(([1, 2, 3], [7, 8, 9, 10, 11]))
        self.assertAlmostEqual(more.p, 2 / 56)
        self.assertFalse(math.isnan(more.low))
        # U = 9.5 of 12, variance 12 / 12 * (8 - 30 / 42), continuity 1 / 2
        ties = self.shift(([1, 2, 2, 3], [2, 3, 4]))
        self.assertAlmostEqual(ties.p, 0.2663799233424826, delta=1e-12)
        self.assertAlmostEqual(ties.least_p, 2 / 35)
        # each U is 4.5 off, weights 1 / 7, variance 9 / 12 / 7 each, step 1 / 14
        two = self.shift(([1, 2, 3], [4, 5, 6]), ([1, 2, 3], [1, 2, 3]))
        least = math.erfc((9 - 0.5) / 7 / math.sqrt(2 * 1.5 / 7))
        self.assertAlmostEqual(two.least_p, least, delta=1e-12)
        equal = self.shift(([5] * 4, [5] * 4))
        self.assertEqual((equal.p, equal.shift), (1, 0))

    def test_exact_by_brute_force(self):
        """All arrangements of 4 and 5 values: how many have a U as far from the middle."""
        sums = [sum(ranks) - 10 for ranks in itertools.combinations(range(1, 10), 4)]
        for new in ((1, 2, 3, 4), (2, 4, 6, 8), (3, 5, 6, 9)):
            old = sorted(set(range(1, 10)) - set(new))
            far = abs(sum(new) - 10 - 10)
            share = sum(abs(u - 10) >= far for u in sums) / len(sums)
            self.assertAlmostEqual(self.shift((old, new)).p, min(1, share))

    def test_interval(self):
        """11 rounds each: k = floor(60.5 - 1.96 * sqrt(121 * 23 / 12)) = 30."""
        rng = random.Random(7)
        for ties in (False, True) * 5:
            old, new = ([rng.randrange(5) if ties else rng.gauss(0, 1) for _ in range(11)]
                        for _ in range(2))
            every = sorted(v - x for v in new for x in old)
            found = self.shift((old, new))
            self.assertEqual((found.low, found.shift, found.high), tuple(every[30:91:30]))

    def test_interval_of_the_test(self):
        """What is inside is not rejected at that level, what is outside is."""
        rng = random.Random(8)
        for i, count in itertools.product(range(4), (1, 2)):
            pairs = [[sorted(rng.gauss(0, 1) for _ in range(n)) for n in (9 + i, 12)]
                     for _ in range(count)]
            for level in (0.05, 0.01, 0.001):
                ends = stats.shift_interval(pairs, level)
                for end, step in itertools.product(ends, (-1e-9, 1e-9)):
                    moved = [(old, [v - end - step for v in new]) for old, new in pairs]
                    self.assertEqual(self.shift(*moved).p < level, (step > 0) == (end == ends[1]))
        for _ in range(100):  # with ties, too, it is the p of the values as they are
            pairs = [[sorted(rng.randrange(9) + move for _ in range(6)) for move in (0, 6.0)]]
            for level in (0.01, 0.003):
                low, high = stats.shift_interval(pairs, level)
                rejected = self.shift(*pairs).p < level
                self.assertTrue(low >= 0 or high <= 0 if rejected else low <= 0 <= high)


def table(noise, loud):
    """A Spread of random values whose first of 5 cells is louder; the mean square of what is left
    without cells and units, and the variance of the means of units."""
    rng = random.Random(11)
    x = [[[5 + 0.1 * rng.gauss(0, 1) * (1 if c else loud) for c in range(5)] for _ in range(3)]
         for _ in (0, 1)]
    rest = common = 0.0
    for side in x:
        cells = [statistics.fmean(cell) for cell in zip(*side)]
        for unit in side:
            shift = statistics.fmean(unit) - statistics.fmean(cells)
            rest += sum((v - cell - shift) ** 2 for v, cell in zip(unit, cells)) / (2 * 2 * 4)
            common += shift**2 / (2 * 2)
    return stats.spread(x, [noise * (1 if c else loud) for c in range(5)]), rest, common


class Spreads(unittest.TestCase):
    def test_equal_cells(self):
        """All weights are equal, and the parts those of a two-way table, whether the noise explains
        less or more than there is."""
        for noise in (1e-4, 10):
            spread, rest, common = table(noise, 1)
            self.assertAlmostEqual(spread.mean_variance, common, delta=1e-12)
            for variance, df in spread.variances:
                self.assertGreaterEqual(variance, common + rest * 4 / 5 - 1e-9)
                self.assertTrue(4 <= df <= 20)
            self.assertAlmostEqual(min(v for v, _ in spread.variances), common + rest * 4 / 5,
                                   delta=1e-9)

    def test_loud_cell(self):
        """A cell 50 times as loud whose rounds say so: the others have the spread that they had."""
        quiet = table(0.1, 1)[0].variances[1:]
        spread, rest, _ = table(0.1, 50)
        self.assertGreater(rest, 1)  # where all cells count the same
        loud, *others = spread.variances
        self.assertGreater(loud[0], 1)
        for (now, _), (before, _) in zip(others, quiet):
            self.assertTrue(before / 2 < now < 2 * before)


if __name__ == "__main__":
    unittest.main()
