# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Statistics of samples of times: rank tests, tails of distributions, Holm's adjustment, and the
variance of cells over repeated sweeps.

Times of I/O are a floor plus delays: skewed, with spikes, sometimes in two groups.  So samples are
compared by ranks, and nothing is assumed about their distribution.  All probabilities are
two-sided.
"""

import bisect
import collections
import functools
import itertools
import math
import statistics
import sys
from operator import mul

_NAN = math.nan
LEVEL = 0.05  # probability of false alarms
Z_95 = 1.96
_CORRELATED_LEAST = 12  # values: fewer are not tested for correlation
_MAD_TO_SIGMA = 1.4826  # for a normal distribution
_MEDIAN_VARIANCE = math.pi / 2  # relative to that of the mean, also for a normal distribution
_TINY = sys.float_info.min / sys.float_info.epsilon  # instead of 0


def is_correlated(values):
    """Whether neighbours are correlated more than by chance, by the correlation of each value with
    the next one."""
    mean, count = sum(values) / len(values), len(values)  # fmean() raises if a sum is infinite
    off = [value - mean for value in values]
    squares = sum(map(mul, off, off))
    return count >= _CORRELATED_LEAST and squares > 0 and (
        sum(map(mul, off, off[1:])) / squares > 2 / math.sqrt(count))


def median_variance(values):
    """The variance of the median, from the median absolute deviation; approximate unless values are
    normal, but robust against outliers."""
    middle = statistics.median(values)
    deviation = _MAD_TO_SIGMA * statistics.median(abs(value - middle) for value in values)
    return _MEDIAN_VARIANCE * deviation**2 / len(values)


# --- tails: computed as tails, never as 1 minus a body, so that small ones keep their digits


def _beta_fraction(a, b, x):
    """The continued fraction of I_x(a, b) without its factor, from the front (Lentz)."""
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1) or _TINY)
    value = d
    for m in range(1, 10000):  # some dozens usually suffice, more for huge degrees of freedom
        k = a + 2 * m
        for term in (m * (b - m) * x / ((k - 1) * k), -(a + m) * (a + b + m) * x / (k * (k + 1))):
            d = 1 / (1 + term * d or _TINY)
            c = 1 + term / c or _TINY
            value *= c * d
        if abs(c * d - 1) < 4 * sys.float_info.epsilon:
            break
    return value


def student(t, df):
    """P(|T| >= |t|), Student's t with df > 0 degrees of freedom (need not be whole): the
    regularized incomplete beta function I_x(df/2, 1/2) at x = df / (df + t^2), by its continued
    fraction (Abramowitz and Stegun 26.5.8, 26.7.1)."""
    square = t * t
    a, b, x, rest = df / 2, 0.5, df / (df + square), square / (df + square)
    if not x > 0:
        return 0.0
    if not rest > 0:
        return 1.0
    logarithm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    factor = math.exp(logarithm + a * math.log(x) + b * math.log(rest))
    if x < (a + 1) / (a + b + 2):
        return factor * _beta_fraction(a, b, x) / a
    return 1 - factor * _beta_fraction(b, a, rest) / b


@functools.lru_cache(maxsize=1 << 16)
def student_bound(df, level=LEVEL):
    """The t > 0 with student(t, df) = level: by Newton's steps of log(level) by log(t), which is
    nearly a line far out, from near the bound of the normal distribution on (Abramowitz and Stegun
    26.7.5)."""
    logarithm = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    z = -statistics.NormalDist().inv_cdf(level / 2)
    t = z + (z**3 + z) / (4 * df)
    for _ in range(100):
        p, density = student(t, df), math.exp(logarithm - (df + 1) / 2 * math.log1p(t * t / df))
        step = math.log(p / level) * p / (2 * t * density)
        t *= math.exp(step)
        if abs(step) < 1e-8:  # its square is the error
            break
    return t


def holm(chances, level):
    """(adjusted, levels) of tests by their chances, nan: no test.  adjusted: Holm's step-down
    adjustment (Scandinavian Journal of Statistics 6, 1979): the level at which each is significant
    when the chance of any false one among all is kept below that level.  levels: at which each is
    judged, so that its interval at that level agrees with the adjusted p (Serlin, Journal of
    Experimental Education 61, 1993): level by the number of tests that are left, equal chances
    alike, all those that are not significant as the first of them."""
    adjusted, levels = list(chances), [math.nan] * len(chances)
    most, bound, last = 0.0, math.inf, -1.0
    tests = sorted((p, i) for i, p in enumerate(chances) if not math.isnan(p))
    for left, (p, i) in zip(range(len(tests), 0, -1), tests):
        adjusted[i] = most = max(most, min(1.0, p * left))
        if last < p and last < bound:
            bound, last = level / left, p
        levels[i] = bound
    return adjusted, levels


# --- two samples, or several pairs of samples: (old, new), both ascending


@functools.lru_cache(maxsize=64)
def _arrangements(n, m):
    """The number of arrangements of n and m values with U at most 0, 1 ... n * m: the cumulated
    coefficients of the Gaussian binomial, prod (1 - x^(m+i)) / (1 - x^i), i = 1 ... n."""
    ways = [1] + [0] * (n * m)
    for i in range(1, n + 1):
        for x in range(n * m, m + i - 1, -1):
            ways[x] -= ways[x - m - i]
        for x in range(i, n * m + 1):
            ways[x] += ways[x - i]
    return list(itertools.accumulate(ways))


def _rank_sum(old, new):
    """(U, ties) of a pair: how often new > old, equal ones half; sum of t^3 - t over groups of t
    equal values."""
    u = sum((bisect.bisect_left(old, v) + bisect.bisect_right(old, v)) / 2 for v in new)
    ties = sum(count**3 - count for count in collections.Counter(old + new).values())
    return u, ties


def _rank_chance(sums):
    """p of [(n, m, U, ties)]: exact for one pair without ties while the arrangements are below 2^53
    (28 values each), else normal with corrections for continuity and ties; of several pairs sums
    with weights 1 / (n + m + 1): van Elteren (Bulletin de l'Institut International de Statistique
    37, 1960)."""
    n, m, u, ties = sums[0]
    if len(sums) == 1 and not ties and math.comb(n + m, n) < 2**53:
        ways = _arrangements(n, m)
        return min(1.0, 2 * ways[math.floor(min(u, n * m - u))] / ways[-1])
    deviation = variance = half_step = 0.0
    for n, m, u, ties in sums:
        weight = 1 / (n + m + 1)
        deviation += weight * (u - n * m / 2)
        variance += weight**2 * n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
        half_step = max(half_step, weight / 2)
    if not variance > 0:  # all values are equal
        return 1.0
    return math.erfc(max(0.0, abs(deviation) - half_step) / math.sqrt(2 * variance))


Shift = collections.namedtuple("Shift", "shift low high p least_p")


def shift(pairs):
    """The shift between old and new. shift: the median of all differences within pairs; low, high:
    the k-th smallest and largest with k = floor(N/2 - 1.96 sqrt(V)), N = sum of nm, V = sum of
    nm(n+m+1)/12, nan where so few values cannot give 95 % (Hodges and Lehmann, Annals of
    Mathematical Statistics 34, 1963; Hollander and Wolfe, Nonparametric Statistical Methods,
    section 4.3). p: of the Mann-Whitney test; least_p: of pairs that do not overlap at all."""
    sizes = [(len(old), len(new)) for old, new in pairs]
    every, low, high = sorted(v - x for old, new in pairs for v in new for x in old), _NAN, _NAN
    if math.prod(math.comb(n + m, n) for n, m in sizes) >= 40:  # 1 of 40 is 2.5 %
        variance = sum(n * m * (n + m + 1) for n, m in sizes) / 12
        k = max(0, math.floor(len(every) / 2 - Z_95 * math.sqrt(variance)))
        low, high = every[k], every[-1 - k]
    p = _rank_chance([size + _rank_sum(*pair) for size, pair in zip(sizes, pairs)])
    least_p = _rank_chance([(n, m, n * m, 0) for n, m in sizes])
    return Shift(statistics.median(every), low, high, p, least_p)


def _first(least, most, condition):
    """The smallest integer in [least, most) for which it is true, as for all above it, or most."""
    while least < most:
        middle = (least + most) // 2
        least, most = (least, middle) if condition(middle) else (middle + 1, most)
    return least


def shift_interval(pairs, level):
    """The shifts not rejected by the test of shift() at that level, which is above least_p. All use
    the ties of the unshifted pairs, so that the same test, exact or not, applies to all. If ties
    prevent the rejection even of disjoint values: all differences and 0."""
    parts = [(len(old), len(new), _rank_sum(old, new)[1], sorted(v - x for v in new for x in old))
             for old, new in pairs]
    every = sorted(itertools.chain(*(part[-1] for part in parts)))
    if _rank_chance([(n, m, n * m, ties) for n, m, ties, _ in parts]) >= level:
        return min(every[0], 0.0), max(every[-1], 0.0)

    def chance(i):
        """The p of shifts between two of the differences."""
        shift = (every[i - 1] + every[i]) / 2
        return _rank_chance([(n, m, len(differences) - bisect.bisect(differences, shift), ties)
                             for n, m, ties, differences in parts])

    middle = len(every) // 2
    return (every[_first(1, middle, lambda i: chance(i) >= level) - 1],
            every[_first(middle + 1, len(every), lambda i: chance(i) < level) - 1])


# --- many cells, repeated together


Spread = collections.namedtuple("Spread", "differences variances mean_variance df")
_OWN = 3.0  # relative to the common variance: above this a cell is judged by its own


def spread(x, noise):
    """The variance between repetitions of the same measurement: separates the effect of a
    repetition on all cells from that on single ones; cells with noisier rounds have less weight, so
    that one of them does not hide the others.

    x[side][unit][c] is the logarithm of cell c in one of U units of each of two sides; noise[c] the
    standard error of an x to be expected from the rounds.  Within a side,
        x[unit][c] = level[c] + shift[unit] + rest[unit][c],
        variance of rest: v[c] = e[c]^2 + extra,
    extra being what cells differ by from unit to unit apart from their noise.  shift is the mean of
    x[c] - level[c] with weights w[c] = 1 / v[c].  extra is such that
        sum (x[c] - level[c] - shift)^2 / v[c] = 2 (U - 1) (C - 1),
    its degrees of freedom (the estimate of Paule and Mandel, Journal of Research of the National
    Bureau of Standards 87, 1982, with the shifts as the only effects); and where e alone is too
    great, v[c] = scale * e[c]^2 with scale < 1 instead.

    differences: of the levels of each cell; variances: (variance, degrees of freedom) of a single x
    of each cell: the variance of the shifts plus v[c] (1 - w[c] / sum of w), since the shifts
    already contain the cell's share of the rest; degrees by Satterthwaite (Biometrics Bulletin 2,
    1946).  If the cell's own spread is greater, it is used instead, and beyond 3 times as great its
    own degrees of freedom as well.  mean_variance: of the plain mean over all cells of one unit, by
    its spread over the units alone; df: degrees of freedom of that."""
    df, squares = 2 * (len(x[0]) - 1), [e * e for e in noise]
    freedom = df * (len(noise) - 1)
    levels = [list(map(statistics.fmean, zip(*side))) for side in x]
    offs = [[value - level for value, level in zip(unit, side_levels)]
            for side, side_levels in zip(x, levels) for unit in side]

    def rest(extra):
        """(sum of squares that is to be its degrees of freedom, by how much more of extra it
        shrinks, sum of weights, variance of the shifts)."""
        weights, total, slope, common = [1 / (square + extra) for square in squares], 0.0, 0.0, 0.0
        for off in offs:
            shift_ = sum(map(mul, off, weights)) / sum(weights)
            parts = [(x - shift_) ** 2 * w for x, w in zip(off, weights)]
            total += sum(parts)
            slope += sum(map(mul, parts, weights))
            common += shift_ * shift_ / df
        return total, slope, sum(weights), common

    def variance(square, values):
        part = scale * (square + extra - 1 / weight)
        own, pooled = sum(map(mul, values, values)) / df, common + part
        uncertainty = common**2 / df + part * part / max(freedom, 1)
        believed = uncertainty > 0 and own <= _OWN * pooled
        return max(own, pooled), pooled * pooled / uncertainty if believed else df

    total, slope, weight, common = rest(0.0)
    extra, scale = 0.0, min(total / freedom, 1.0) if freedom else 0.0  # one cell: no rest
    for _ in range(60):  # Newton's steps of 1 / rest, which is nearly a line, and not beyond it
        step = (total / freedom - 1) * total / slope if total > freedom > 0 else 0.0
        if not step > 1e-15 * extra:
            break
        extra += step
        total, slope, weight, common = rest(extra)
    mean_variance = sum(statistics.fmean(off) ** 2 for off in offs) / df
    return Spread([new - old for old, new in zip(*levels)],
                  list(map(variance, squares, zip(*offs))), mean_variance, df)
