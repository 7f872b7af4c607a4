# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep compare OLD NEW ...: is the new sweep slower or faster than the old one, and by how much.

All ratios are of times per operation, new / old: above 1 is slower. iosweep-compare(1), METHOD,
describes how verdicts are derived; the following adds details and reasons.

1. Rounds (stats.shift). Rounds with lag-1 > 2 / sqrt(n) are correlated; they are averaged in pairs,
repeatedly while there are 12 or more. Without the exception for few rounds a ratio of 3 would not
be a difference with 4 rounds and two cells.

2. Units (stats.spread).  The noise of a cell is the standard error of the median of a sweep by its
   rounds, 1.4826 MAD sqrt(pi / 2 / n), at least 1e-4, mean square over all sweeps (of intervals:
   their width / 3.92).  The variance of the difference of the means of a cell is 2 / pairs times
   that of a sweep.  Student's t of the smaller of both estimates, Hodges-Lehmann and difference of
   means, gives the second p.
   Of 91 pairs out of 14 sweeps of one idle virtual machine, 13 would be said to differ if a single
   pair were taken to differ by 2 times what its rounds let expect, 7 with 3, 4 with 3.5, none with
   4 or 4.5; 16 of 16 pairs with a real difference of 5 % are found with each.  Of intervals without
   rounds 14 pairs were said to differ, none at 3 times their width.

   The p of a cell is the greater of the two (both hypotheses must fall).  The interval shown is
   that of both tests at the level at which Holm judges the cell (stats.holm), so that 1 is outside
   exactly when p < 0.05.

3. Agreement. Among many pairs, one that disagrees is expected. If rounds form groups, their shift
can be near 1, with a narrow interval, while the means are far apart.

With a single pair the level is valid only if the two sweeps are representative of all possible
ones.
"""

import collections
import functools
import itertools
import math
import operator
import statistics

from . import cli, match, pairs, read, stats, text
from .text import Problem, printable

TOLERANCE = 0.02  # by default
OPTIONS = {"--by": {"choices": read.PAIR_AXES},
           "--tolerance": {"type": cli.percent, "default": TOLERANCE}}
_NAN = math.nan
ROUNDS_LEAST = 4  # rounds of a cell in each sweep needed for a comparison by rounds
_DIFFERENCES_MOST = 1 << 19  # of rounds of a pair: with more, neighbours are averaged
_SINGLE_SPREAD = 4.5  # factor by which single sweeps differ more than their rounds predict
_SINGLE_INTERVAL = 3.0  # the same for intervals, whose widths are added already
_NOISE_LEAST = 1e-4  # below the resolution of clocks and the noise of any machine

# The evidence for the verdict on a cell or test; higher is better.
_NOTHING, _RATIO, _INTERVALS, _ROUNDS = range(4)
EVIDENCE = ("none", "ratio", "conservative", "rounds")
VERDICTS = ("unknown", "unclear", "same", "slower", "faster")


# --- judging


def _exp(value):
    return math.inf if value > 709 else math.exp(value)


class Judged:
    """A cell or a test.  evidence: of EVIDENCE; verdict: of VERDICTS; ratio, low, high: logarithms
    until decide(), which makes the interval the one that is shown; own_high: of the 95 % interval
    of this alone, where another is shown; p: after Holm; level: at which Holm judges; contradicted:
    by the means, which are no summary of rounds that fall into groups; rounds: logarithms of a
    cell's, empty: no first gate, None: it has another; first: its interval; second: (mean, error,
    df) of widen(); offs: differences of the logarithms of means, by pair.  nan: not known."""

    # There can be very many: attributes that most of them lack use no memory.
    __slots__ = ("evidence", "verdict", "ratio", "low", "high", "__dict__")
    p = level = _NAN
    contradicted, own_high, rounds, first, second, offs = False, None, None, None, None, ()

    def __init__(self):
        self.evidence, self.verdict = _NOTHING, "unknown"
        self.ratio = self.low = self.high = _NAN

    def widen(self, mean, variance, df):
        """The second gate: widens the interval and raises p.  mean: difference of means."""
        error = math.sqrt(variance)
        self.first, self.second = (self.low, self.high), (mean, error, df)
        reach = stats.student_bound(df) * error
        least = min(abs(self.ratio), abs(mean)) if (self.ratio > 0) == (mean > 0) else 0.0
        p = 1.0
        if least > 0:  # without any spread: 0
            p = stats.student(least / error, df) if error > 0 else 0.0
        # max() and min() keep their first argument if the other is nan
        self.p, self.low, self.high = max(p, self.p), min(self.ratio - reach, self.low), max(
            self.ratio + reach, self.high)

    def judged_interval(self):
        """Logarithms of the ratios that no gate rejects at the level used by Holm."""
        first = self.first if self.rounds is None else (
            stats.shift_interval(self.rounds, self.level) if self.rounds else ())
        mean, error, df = self.second
        reach = stats.student_bound(df, self.level) * error
        ends = [self.ratio - reach, mean - reach, self.ratio + reach, mean + reach]
        ends += [end for end in first if not math.isnan(end)]
        return min(ends), max(ends)

    def decide(self, tolerance):
        """Sets the verdict, and converts logarithms to ratios."""
        ratio, low, high, offs = self.ratio, self.low, self.high, self.offs
        side, differs = 1 if ratio > 0 else -1, abs(ratio) > tolerance
        if offs:
            mean = sum(offs) / len(offs)
            # a shift of rounds is not a difference of means, and its interval does not apply to
            # them
            self.contradicted = abs(mean - ratio) > tolerance and (mean < low or mean > high)
            dissent = sum(not off * side > 0 for off in offs) if len(offs) > 1 else 0
            differs = differs and not mean * side < 0 and dissent <= len(offs) // 4
        if self.evidence >= _INTERVALS and low == low:
            if self.evidence == _INTERVALS:
                differs = differs and (low > tolerance or high < -tolerance)
            if differs and not self.p >= stats.LEVEL:
                self.verdict = "slower" if ratio > 0 else "faster"
            elif low >= -tolerance and high <= tolerance and not self.contradicted:
                self.verdict = "same"
            else:
                self.verdict = "unclear"
        if self.second and self.verdict != "same" and not math.isnan(self.level):
            self.own_high = _exp(high)
            low, high = self.judged_interval()
        self.ratio, self.low, self.high = map(_exp, (ratio, low, high))


def _log_rounds(old, new):
    """Ascending logarithms of the rounds of a pair, neighbours averaged until they are independent:
    on both sides as many, or skewed rounds would shift one of them."""
    def averaged(values, width):
        ends = range(width, len(values) + 1, width)
        return [sum(values[end - width : end]) / width for end in ends]

    width, counts = 1, (len(old), len(new))
    for values in old, new:
        own = 1
        while stats.is_correlated(values):
            values, own = averaged(values, 2), 2 * own
        width = max(width, own)
    while width > 1 and min(counts) // width < ROUNDS_LEAST:
        width //= 2
    while counts[0] // width * (counts[1] // width) > _DIFFERENCES_MOST:
        width *= 2
    return [sorted(map(math.log, averaged(rounds, width))) for rounds in (old, new)]


class JudgedCell(Judged):
    """A cell of match.Match. with_reference: it can be used. before_ns, after_ns: geometric means
    over files; machine: logarithm of the change of the reference of a single pair, 0: unknown or
    unusable; noise: standard error, by the rounds alone: of a single pair, of its ratio; else of
    the median of a sweep, mean square over all sweeps; error, df: of a single pair, for the second
    gate; least_p: of the first; units: logarithms of medians [side][pair]."""

    __slots__ = ("cell", "before_ns", "after_ns")
    error = df = least_p = _NAN
    noise, units, machine = _NOISE_LEAST, None, 0.0

    def __init__(self, cell, with_reference=True):
        super().__init__()
        self.cell, self.before_ns, self.after_ns = cell, _NAN, _NAN
        if cell.reason:
            return
        rows, log = cell.rows, math.log
        old, new = logs = [[log(row.op_ns) for row in rows[side::2]] for side in (0, 1)]
        offs, before = tuple(map(operator.sub, new, old)), sum(old) / len(old)
        ratio = sum(offs) / len(offs)
        self.before_ns = _exp(before)
        if not -math.inf < ratio < math.inf:
            return
        self.ratio, self.after_ns, self.evidence = ratio, _exp(before + ratio), _RATIO
        if with_reference and len(rows) == 2:
            before_ns, after_ns = map(match.reference_ns, rows)
            self.machine = log(after_ns) - log(before_ns) if before_ns + after_ns > 0 else 0.0
        if all(len(row.rounds_ns) >= ROUNDS_LEAST and all(0 < ns < math.inf for ns in row.rounds_ns)
               for row in rows):
            self.evidence = _ROUNDS
            self._by_rounds([row.rounds_ns for row in rows])
            logs = [[statistics.median(map(log, row.rounds_ns)) for row in rows[side::2]]
                    for side in (0, 1)]
        else:
            ends = [row.interval_ns for row in rows]
            if all(end and end[0] > 0 for end in ends):
                self.evidence = _INTERVALS
                self._by_intervals([tuple(map(log, end)) for end in ends])
        if len(offs) > 1 or self.evidence == _ROUNDS:
            self.offs, self.units = offs, logs

    def _by_rounds(self, rounds):
        """rounds: of each file."""
        pairs = self.rounds = list(map(_log_rounds, rounds[::2], rounds[1::2]))
        self.ratio, self.low, self.high, self.p, self.least_p = stats.shift(pairs)
        if len(pairs) > 1:
            every = [values for pair in pairs for values in pair]
            noise = math.sqrt(sum(map(stats.median_variance, every)) / len(every))
        else:
            noise = (self.high - self.low) / 2 / stats.Z_95
            self.df = float(len(pairs[0][0]) + len(pairs[0][1]) - 2)
        self.noise = max(noise, _NOISE_LEAST)
        self.error = math.hypot(_SINGLE_SPREAD * self.noise, self.machine)

    def _by_intervals(self, ends):
        """[low_new / high_old, high_new / low_old], means over the pairs.  ends: (low, high) of
        each file, logarithms."""
        pairs = len(ends) // 2
        low = sum(new[0] - old[1] for old, new in zip(ends[::2], ends[1::2])) / pairs
        high = sum(new[1] - old[0] for old, new in zip(ends[::2], ends[1::2])) / pairs
        if pairs > 1:
            squares = sum((upper - lower) ** 2 for lower, upper in ends)
            self.noise = max(math.sqrt(squares / pairs / 2) / 2 / stats.Z_95, _NOISE_LEAST)
        else:  # whole sweeps differ by more than their rounds show
            rest = stats.Z_95 * abs(self.machine)
            low = self.ratio - _SINGLE_INTERVAL * (self.ratio - low) - rest
            high = self.ratio + _SINGLE_INTERVAL * (high - self.ratio) + rest
        self.low, self.high = low, high


class Overall(Judged):
    """A test. cells: number of cells with its evidence, on which it is based; counts: cells by
    verdict."""

    def __init__(self, test, cells, evidence):
        super().__init__()
        self.test, self.counts, self.evidence = test, collections.Counter(), evidence
        self.cells = len(cells) if evidence else 0
        self.ratio = statistics.fmean(cell.ratio for cell in cells)
        if evidence == _INTERVALS:
            self.low = statistics.fmean(cell.low for cell in cells)
            self.high = statistics.fmean(cell.high for cell in cells)
        if cells[0].offs:
            self.offs = tuple(map(statistics.fmean, zip(*(cell.offs for cell in cells))))


def _widen(cells, pairs, overall):
    """The second gate of cells with the same evidence. overall: None: it is based on others."""
    if pairs > 1:
        x = [[[cell.units[side][i] for cell in cells] for i in range(pairs)] for side in (0, 1)]
        spread = stats.spread(x, [cell.noise for cell in cells])
        for cell, difference, (variance, df) in zip(cells, spread.differences, spread.variances):
            cell.widen(difference, 2 / pairs * variance, df)
        if overall:
            mean = statistics.fmean(spread.differences)
            overall.widen(mean, 2 / pairs * spread.mean_variance, float(spread.df))
    elif cells[0].evidence == _ROUNDS:
        for cell in cells:
            cell.widen(cell.ratio, cell.error**2, cell.df)
        # by as much as the median cell, since effects between sweeps affect all cells
        error = statistics.median(cell.error for cell in cells)
        overall.widen(overall.ratio, error * error, min(cell.df for cell in cells))


def judge(cells, pairs, tolerance):
    """Judges JudgedCells and returns {test: Overall}.  tolerance: a share above 0, such as 0.02."""
    # with several pairs, for which the level is guaranteed, cells and tests get half of it each
    families, least = (2, _INTERVALS) if pairs > 1 else (1, _ROUNDS)
    count, tests = sum(cell.evidence >= least for cell in cells) * families, {}
    for cell in cells:
        tests.setdefault(cell.cell.row.test, []).append(cell)
        if cell.least_p * count >= stats.LEVEL:  # no difference could pass the first gate
            cell.p, cell.rounds = _NAN, []
    overall = {}
    for (test, its_cells), evidence in itertools.product(tests.items(), range(_ROUNDS, -1, -1)):
        chosen = [cell for cell in its_cells if cell.evidence == evidence]
        is_best = chosen and test not in overall
        if is_best:
            overall[test] = Overall(test, chosen, evidence)
        if chosen and evidence >= _INTERVALS:
            _widen(chosen, pairs, overall[test] if is_best else None)
    for family in (cells, overall.values()):
        adjusted = stats.holm([is_.p for is_ in family], stats.LEVEL / families)
        for is_, p, level in zip(family, *adjusted):
            if not math.isnan(p):
                is_.p, is_.level = min(1.0, p * families), level
            is_.decide(math.log1p(tolerance))
    for cell in cells:
        overall[cell.cell.row.test].counts[cell.verdict] += 1
    return overall


class Comparison:
    """A comparison. files: Results, old and new in turns; cells: JudgedCells; shown: the listed
    ones; overall: by test."""

    def __init__(self, files, tolerance, worse_only=False):
        self.files, self.pairs = files, len(files) // 2
        self.tolerance, self.worse_only = tolerance, worse_only
        self.match = match.Match(files)
        self.cells = [JudgedCell(cell, self.match.one_reference) for cell in self.match.cells]
        self.overall = judge(self.cells, self.pairs, tolerance)
        self.shown = [c for c in self.cells if not worse_only or c.verdict == "slower"]


# --- words


def _change(is_):
    """ "5.1 % longer", "3.2 % less time", "7.35 times as long", as pairs of a run are compared; or
    the verdict."""
    if is_.verdict not in ("slower", "faster"):
        return is_.verdict
    if text.is_far(is_.ratio):
        return f"{text.factor(is_.ratio)} times as long"
    return f"{abs(is_.ratio - 1) * 100:.1f} % {'longer' if is_.ratio > 1 else 'less time'}"


def sentence(overall):
    """The result of a test: "read: takes 5.1 % longer overall (time per operation +5.1 %, +4.2 % to
    +6.0 %); cells: 6 slower, 1 unclear"."""
    words, bounds = {"same": "the same", "unknown": "no verdict"}, "nothing known"
    ratio, *ends = text.ratios(overall.ratio, overall.low, overall.high)
    if ratio:
        bounds = "conservative " * (overall.evidence == _INTERVALS) + " to ".join(ends)
        bounds = f"time per operation {ratio}, {bounds if all(ends) else 'no interval'}"
    counts = ", ".join(f"{overall.counts[v]} {'without verdict' if v == 'unknown' else v}"
                       for v in ("slower", "faster", *VERDICTS[2::-1]) if overall.counts[v])
    takes = "takes " * (overall.verdict in ("slower", "faster"))
    verdict = words.get(overall.verdict) or takes + _change(overall)
    return f"{printable(overall.test) or 'all'}: {verdict} overall ({bounds}); cells: {counts}"


def _axis(comparison, row, axis):
    """The value of an axis in a row; "DIR1 -> DIR2" if the axis is compared."""
    if axis == "label" and comparison.match.labels_name_files:
        return ""  # the value in one file does not describe the cell
    if axis not in comparison.match.axes:
        return match.value_of(row, axis)
    return " -> ".join(str(v) if v != "" else "(not known)" for v in comparison.match.axes[axis])


def heads(comparison):
    """Lines that name the compared axes, one for each."""
    return [f"{axis}: {printable(_axis(comparison, None, axis))}" for axis in comparison.match.axes]


def _notes(cell):
    reason, remarks, _ = cell.cell.noted
    return ";".join(filter(None, (reason, remarks, "means" * cell.contradicted)))


_LINES_MOST = 10_000
_HEADINGS = {**{axis: axis for axis in ("test", *match.COMPARED, "size", "old", "new")},
             "change": "time/op", "interval": "95 % over all cells",
             **{name: name for name in ("p", "verdict", "notes")}}
_LEFT = ("test", *match.COMPARED[:5], "verdict", "notes")
# The verdict, if any, contains the change; the change contains old and new.
_DROP = ("p", "change", "interval", "old", "new", "notes")


def _line(comparison, cell):
    row, p, times = cell.cell.row, cell.p, {"old": cell.before_ns, "new": cell.after_ns}
    change, *ends = text.ratios(cell.ratio, cell.low, cell.high)
    figures = {"size": text.size(row.size_bytes), "change": change,
               "interval": " .. ".join(filter(None, ends)),
               "p": "" if p != p else "<.0001" if p < 0.0001 else f"{p:.4f}",
               **{name: text.time(ns) if math.isfinite(ns) else "" for name, ns in times.items()}}
    return {**{axis: printable(str(_axis(comparison, row, axis))) for axis in match.COMPARED},
            **{name: words or "-" for name, words in figures.items()},
            "test": printable(row.test) + row.place, "verdict": _change(cell),
            "notes": _notes(cell)}


def table(comparison, cells):
    """Prints these cells as a table."""
    made = text.Table(_HEADINGS, _LEFT, _DROP, ("notes", "target", "label"), "verdict",
                      ("test", *match.COMPARED))
    for cell in cells:
        made.add(_line(comparison, cell), pairs.COLORS.get(cell.verdict, ""))
    return made


def _shown(comparison):
    """The lines of a table; see cli.write()."""
    yield from heads(comparison)
    shown = comparison.shown
    if len(shown) > _LINES_MOST:
        text.warn(f"only {_LINES_MOST} of {len(shown)} cells are listed: --format csv lists all")
    if shown:
        yield table(comparison, shown[:_LINES_MOST])
    for cell in comparison.match.lonely:
        yield f"not in {comparison.files[cell.missing].name}: {match.describe(cell.row)}"
    for overall in comparison.overall.values():
        verdict, between, rest = sentence(overall).partition(" overall (")
        yield verdict, pairs.COLORS.get(overall.verdict, ""), between + rest


_PLACE = ("test", "target", "engine", "cache", "label", "threads", "depth", "step", "loop",
          "repeat", "access", "mix", "filled_bytes", "ranks")
# Of CSV, with their decimals.
_FIELDS = {**dict.fromkeys((
    "record", *_PLACE[:7], "size_bytes", "verdict", "ratio", "ratio_low", "ratio_high", "p",
    "evidence", "op_ns_old", "op_ns_new", "cells", "notes", *_PLACE[7:], "file"), 6),
    "p": 9, "op_ns_old": 2, "op_ns_new": 2}


def _records(comparison, file):
    """Yields a dict for each cell, missing cell and test."""
    @functools.lru_cache(maxsize=None)
    def place(axes):
        words = {name: _axis(comparison, axes, name) for name in _PLACE}
        return {**words, "filled_bytes": words["filled_bytes"] or None}

    def verdict(is_):
        return {"verdict": is_.verdict, "ratio": is_.ratio, "ratio_low": is_.low,
                "ratio_high": is_.high, "p": is_.p, "evidence": EVIDENCE[is_.evidence]}

    for cell in comparison.shown:
        row = cell.cell.row
        yield {"record": "cell", **place(row.axes), "size_bytes": row.size_bytes, **verdict(cell),
               "op_ns_old": cell.before_ns, "op_ns_new": cell.after_ns, "cells": 1,
               "notes": _notes(cell), "file": file}
    for cell in comparison.match.lonely:
        yield {"record": "missing", **place(cell.row.axes), "size_bytes": cell.row.size_bytes,
               "notes": f"not in {comparison.files[cell.missing].path}", "file": file}
    for overall in comparison.overall.values():
        counts = {v: overall.counts[v] for v in VERDICTS}
        yield {"record": "overall", "test": overall.test, **verdict(overall),
               "cells": overall.cells, **counts, "file": file}


# --- remarks on the figures, on stderr


def _say_files(comparison):
    """Reports facts about the files before any ratio. Sweeps of two machines differ by more than
    their storage, but another kernel may be the subject of the comparison."""
    sides = list(zip(comparison.files[::2], comparison.files[1::2]))
    for what, path in (("host", "host.name"), ("processor", "host.cpu"), ("kernel", "host.kernel")):
        facts = ((old.fact(path), new.fact(path)) for old, new in sides)
        for before, after in [both for both in facts if all(both) and both[0] != both[1]][:1]:
            text.say(printable(f"old and new differ in {what}: {before} -> {after}"))
    if comparison.match.labels_name_files:
        labels = (printable(result.rows[0].label) or "(not known)" for result in comparison.files)
        text.say(f"labels are not compared, each sweep has a different one: {', '.join(labels)}")
    lonely = comparison.match.lonely
    if lonely:
        cell, file = match.describe(lonely[0].row), comparison.files[lonely[0].missing].name
        cells = "1 cell is" if len(lonely) == 1 else f"{len(lonely)} cells are"
        text.warn(f"{cells} not in all files, such as {cell}, missing from {file}")


def _say_machine(comparison):
    most = max(comparison.cells, key=lambda cell: abs(cell.machine))
    if abs(most.machine) > math.log1p(comparison.tolerance):
        ratio = _exp(most.machine)
        text.say(f"the processor was {'slower' if ratio > 1 else 'faster'} itself (reference"
                 f" {text.ratios(ratio)[0]}): cells that are bound by it can only show"
                 " greater differences; alternate runs and compare OLD NEW OLD NEW, or compare"
                 " both in the same rounds of one run")


# Which cells a sentence is about, the first of which is the example.
_UNLIKE = (text.warn, lambda cell, _: cell.cell.noted[2],
           "old and new did different work in {share}, such as {cell} ({remarks})")
_EVIDENCE = (
    (text.warn, lambda cell, _: cell.evidence == _INTERVALS, "{share} {have} no rounds:"
     " conservative intervals hide small differences; compare JSON files"),
    (text.warn, lambda cell, _: cell.evidence == _RATIO, "{share} {have} no interval or fewer than"
     f" {ROUNDS_LEAST} rounds: a ratio, but no verdict"),
    (text.warn, lambda cell, _: cell.evidence == _NOTHING,
     "not compared, since skipped or incomplete in some file: {share}"),
)
_DOUBTS = (
    (text.say, lambda cell, of: cell.verdict == "unclear" and not _is_judged(cell, of),
     "unclear: {share}, which could hide a difference beyond the tolerance; more rounds or more"
     " pairs narrow the intervals"),
    (text.warn, lambda cell, _: cell.contradicted, "in {share} the means contradict the typical"
     " rounds, which are compared, such as {cell} (means {old} and {new}, rounds {change}): few"
     " rounds took longer, or the machine had two speeds; repeat on a quiet one"),
)


def _say(comparison, *remarks):
    for say, applies, words in remarks:
        cells = [cell for cell in comparison.cells if applies(cell, comparison)]
        for cell in cells[:1]:
            say(words.format(
                share=text.share(len(cells), len(comparison.cells), "cell"),
                have="has" if len(cells) == 1 else "have", cell=match.describe(cell.cell.row),
                remarks=cell.cell.noted[1], old=text.time(cell.before_ns),
                new=text.time(cell.after_ns), change=text.ratios(cell.ratio)[0]))


# --- the command


def _is_judged(is_, comparison):
    """Whether a difference of the requested kind was either found or excluded."""
    if is_.verdict == "unclear":
        high = is_.high if is_.own_high is None else is_.own_high
        return comparison.worse_only and high <= 1 + comparison.tolerance
    return is_.verdict != "unknown"


def _refuse_gaps(comparison):
    """A result without differences must be based on at least one judged cell, and on all cells of
    the old files: a check passes only if differences could have been found."""
    cells, every = comparison.cells, comparison.match.lonely + comparison.match.cells
    if not any(_is_judged(is_, comparison) for is_ in (*cells, *comparison.overall.values())):
        why, advice = "no cell has intervals or enough rounds in all files", (
            f"compare JSON files of sweeps with at least {ROUNDS_LEAST} rounds (--time gives slow"
            " rows more), or CSV with the columns op_ns_low and op_ns_high")
        if any(cell.verdict == "unclear" for cell in cells):
            why, advice = "no cell is known to differ or to be the same", (
                "repeat both runs on a quiet machine with more --time for each row, or compare"
                " several pairs")
        elif all(cell.cell.reason for cell in cells):
            why = "all cells were skipped or are incomplete in some file"
            advice = "repeat the sweep that broke off"
        raise Problem(f"nothing could be judged: {why}", advice)
    gone = [cell for cell in every if cell.gone]
    if gone:
        words = "cell with figures in the old files has" if len(gone) == 1 else (
            "cells with figures in the old files have")
        raise Problem(f"{len(gone)} {words} none in the new: {match.describe(gone[0].row)}",
                      "repeat the sweep")


def run(options):
    """The exit status is the verdict, so that scripts need not parse the output."""
    paths = cli.files_of(options)
    try:
        return _compare(options, paths) if len(paths) > 1 else pairs.run(options, paths[0])
    except Problem as problem:
        problem.status = 2  # 1 means that something differs
        raise


def _compare(options, paths):
    if options.by:
        raise Problem("--by is for one FILE", "leave it out, or name one file")
    cli.pairs_of("compare", options, paths)  # refuses before reading any file
    results = cli.read_all(options)
    comparisons = [Comparison(files, options.tolerance, options.worse_only)
                   for files in cli.pairs_of("compare", options, results)]
    names = [""] if len(comparisons) == 1 else [
        f"{c.files[1].name} against {c.files[0].name}:" for c in comparisons]

    shown = ([*[name] * bool(name), *_shown(c)] for name, c in zip(names, comparisons))
    paths = [result.path for comparison in comparisons for result in comparison.files]
    head = {"document": "comparison", "schema_version": read.SCHEMA_VERSION, "old": paths[::2],
            "new": paths[1::2], "tolerance": options.tolerance}
    # of several comparisons, records name the new file
    records = (_records(c, c.files[1].path if names[0] else None) for c in comparisons)
    cli.write(options, itertools.chain.from_iterable(shown), head, _FIELDS,
              itertools.chain.from_iterable(records))
    is_said = cli.format_of(options) != "table"  # otherwise the table contains it
    for name, comparison in zip(names, comparisons):
        for words in (*[name] * bool(name), *heads(comparison) * is_said):
            text.say(words)
        _say_files(comparison)
        _say(comparison, _UNLIKE)
        _say_machine(comparison)
        _say(comparison, *_EVIDENCE)
        for overall in comparison.overall.values() if is_said else ():
            text.say(sentence(overall))
        _say(comparison, *_DOUBTS)
    sought = VERDICTS[3 : 4 if options.worse_only else 5]
    if any(is_.verdict in sought for c in comparisons for is_ in (*c.cells, *c.overall.values())):
        return 1  # even if other cells are missing
    for comparison in comparisons:
        _refuse_gaps(comparison)
    return 0
