# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep plot: which rows make which curves of which panels, and where the picture goes.

Each test has panels of its own, so that what reads and what writes never hide each other; curves
that are still too many for a panel are told apart further.  What curves have in common is in the
title, what they differ in is at the ends of their lines.
"""

import functools
import itertools
import math
import os
import re
import shutil
import statistics
import subprocess
import types

from . import cli, compare, figure, fit, match, read, text
from .figure import Axis, Cell, Curve, Figure, Key, Look, Panel, Point, label
from .text import Problem, printable

NAME = "plot"
SUMMARY = "draw curves, maps and comparisons of results"

# Columns that are looked at, also of --series.
WANTED = (*match.WANTED, *read.AXES, *read.OP_NS, "latency_ns_p50", "latency_ns_p99", "ended_s",
          "interval_s")
_CURVES_MOST, _PANELS_MOST, _ROWS_MOST = 300, 12, 3000
_WIDE = 0.25  # half of an interval, as a share of the figure, from which on it says little


# --- figures of rows


class Quantity:
    """What an axis shows of rows: value(row), and from the interval of op_ns that of the value."""

    def __init__(self, title, unit, value, per_op_ns=None):
        self.title, self.unit, self.value, self._per_op_ns = title, unit, value, per_op_ns

    def interval(self, row):
        """(low, high), or (None, None)."""
        low, high = row.number("op_ns_low"), row.number("op_ns_high")
        if not (self._per_op_ns and 0 < low <= high < math.inf):
            return None, None
        return tuple(sorted((self._per_op_ns(row, low), self._per_op_ns(row, high))))

    def points(self, rows):
        """Of rows that have it."""
        return [Point(row.size_bytes, self.value(row), *self.interval(row), self.tip(row))
                for row in rows if self.value(row) > 0]

    def tip(self, row):
        """ "4 KiB: 87 MB/s (82 MB/s to 91 MB/s), p50 46 us, p99 78 us; wide"."""
        low, high = self.interval(row)
        words = f"{label(row.size_bytes, 'bytes')}: {label(self.value(row), self.unit)}"
        words += f" ({label(low, self.unit)} to {label(high, self.unit)})" if low else ""
        for name in ("p50", "p99"):
            ns = row.number(f"latency_ns_{name}")
            words += f", {name} {text.time(ns)}" if ns > 0 else ""
        return "; ".join(filter(None, (words, printable(", ".join(row.notes)))))


THROUGHPUT = Quantity("throughput", "bytes/s", lambda row: row.throughput_bytes_per_s,
                      lambda row, ns: row.size_bytes * 1e9 / ns)
RATE = Quantity("operations per second", "/s", lambda row: 1e9 / row.op_ns, lambda _, ns: 1e9 / ns)
TIME = Quantity("time per operation", "ns", lambda row: row.op_ns, lambda _, ns: ns)
P50 = Quantity("p50 latency", "ns", lambda row: row.number("latency_ns_p50"))
P99 = Quantity("p99 latency", "ns", lambda row: row.number("latency_ns_p99"))


# --- what curves share a panel, and how they look

_ORDINAL = 3  # depths or numbers of threads from which on they have colours from light to dark
_CROWD = 6  # curves of a panel from which on the first of these words gets panels of its own
_STEPS = ("cache", "engine", "target", "access", "label", "file", "loop", "repeat", "depth",
          "threads", "ranks")
_CACHES = {"cached": "page cache", "direct": "O_DIRECT", "asis": ""}


def groups(curves, words):
    """Curves that are the same in these words, as lists in the order of their first ones."""
    found = {}
    for curve in curves:
        found.setdefault(curve.key(words), []).append(curve)
    return list(found.values())


def moving(curves):
    """Those of tests that move data."""
    return [curve for curve in curves if THROUGHPUT.value(curve.rows[0]) > 0]


def _say(curve, words, paths=False):
    """ "read O_DIRECT depth 8"."""
    said = (curve.word(word, paths) for word in words)
    return " ".join(filter(None, (_CACHES.get(word, word) for word in said)))


def name_of(curve, curves):
    """What tells it apart from the others of a set: "read O_DIRECT depth 8"."""
    return _say(curve, read.words_apart(curves), read.needs_paths(curves))


def _limit(count, most, what, curves):
    if count > most:
        advice = f"{count} of them, and {most} fit; plot files of fewer tests, caches or depths"
        raise Problem(f"too many {what} for one picture: {curves[0].file.name}", advice)


class Scheme:
    """The panels of a set of curves, and the name and look of each curve.  apart: words that have
    panels of their own in any case."""

    def __init__(self, curves, apart=(), most=_PANELS_MOST):
        differ, self.paths = read.words_apart(curves), read.needs_paths(curves)
        ordinal = [w for w in ("depth", "threads") if len(groups(curves, [w])) >= _ORDINAL][:1]
        chosen = [word for word in differ if word in ("test", "mix", "pass", *apart)]
        for word in _STEPS:
            is_new = word in differ and word not in (*chosen, *ordinal)
            crowd = max(map(len, groups(curves, chosen)))
            if is_new and crowd > _CROWD and len(groups(curves, [*chosen, word])) <= most:
                chosen.append(word)
        self.panels = groups(curves, chosen)
        _limit(len(self.panels), most, "panels", curves)
        self.facets = ["test"] * ("test" not in differ) + [w for w in differ if w in chosen]
        self.differ = [word for word in differ if word not in chosen]
        rest = [word for word in self.differ if word not in ordinal]
        kinds = list(dict.fromkeys(curve.key(rest) for curve in curves))
        if "file" not in rest:  # the same look whichever was measured first
            kinds.sort()
        levels = sorted({curve.key(ordinal) for curve in curves})
        self.looks = {}
        for curve in curves:
            kind, level = kinds.index(curve.key(rest)) % 8, levels.index(curve.key(ordinal))
            colour = f"r{level * 7 // (len(levels) - 1)}" if ordinal else f"c{kind}"
            self.looks[curve] = Look(colour, kind, kind if rest else level % 8)

    def name(self, curve):
        """What it differs in from others of its panel."""
        return _say(curve, self.differ, self.paths)

    def title(self, group, what):
        """ "read O_DIRECT: throughput"."""
        return ": ".join(filter(None, (_say(group[0], self.facets, self.paths), what)))


# --- titles

_RUN = re.compile("/iosweep-[0-9a-f]{8}(-[0-9]+)?/?$")


def joined(words, most=4):
    """ "a, b and c"; "a, b, c, d and 3 more"."""
    words = [word for word in dict.fromkeys(words) if word]
    if len(words) > most + 1:
        words[most:] = [f"{len(words) - most} more"]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def place_of(result, target):
    """Where a target is and what is there: "/srv/data", "ext4 on /dev/vda"."""
    targets = result.head.get("targets")
    for known in targets if isinstance(targets, list) else ():
        if isinstance(known, dict) and known.get("target") == target and known.get("place"):
            place = str(known["place"])
            if known.get("own_files"):
                place = _RUN.sub("", place) or "/"
            system = " on ".join(str(known[n]) for n in ("filesystem", "device") if known.get(n))
            return printable(place), printable(system)
    return printable(target), ""


def _span(curves, word):
    """What curves are in a word: "posix", "page cache and O_DIRECT", "depth 1 to 32"."""
    values = {curve.value(word) for curve in curves}
    if len(values) > 1 and word in ("threads", "depth", "ranks"):
        return f"{word} {min(values)} to {max(values)}"
    return joined(_say(curve, [word]) for curve in curves)


def titles(curves, omitted=(), every=False):
    """The targets and the host; and what is the same in all curves, or what they are in every
    word."""
    places = list(dict.fromkeys(place_of(curve.file, curve.rows[0].target) for curve in curves))
    shown = [place for place, _ in places if place not in ("", ".")]
    title = joined(shown or (curve.word("file") for curve in curves), 3)
    host, date = ({str(curve.file.fact(name, "")) for curve in curves}
                  for name in ("host.name", "date"))
    title += f" on {printable(*host)}" if len(host) == 1 and any(host) else ""
    omitted = [*omitted, *([] if every else read.words_apart(curves))]
    words = [_span(curves, word) for word in ("cache", "engine", "access", "mix", "threads",
                                              "depth", "ranks", "label") if word not in omitted]
    words = [w for w in words if w not in ("", "no mix", "threads 1", "depth 1", "ranks 1")]
    words.insert(0, places[0][1] if len(places) == 1 else "")
    words.append(printable(date.pop()[:10]) if len(date) == 1 else "")
    return title, " \u00b7 ".join(filter(None, words))


# --- curves by size


def curves_of(results, most=_ROWS_MOST):
    """The curves of rows with figures, and a sentence or "": of very many rows some are taken,
    evenly chosen, as they are, so that the figures of a row belong together."""
    found = {}
    for row in (row for result in results for row in result.rows):
        found.setdefault(row.axes, []).append(row)
    every, rows = sum(map(len, found.values())), []
    for alike in found.values():
        rows += sorted(alike, key=lambda row: row.size_bytes)[:: -(-every // most)]
    curves = read.curves(rows)
    if not curves:
        raise Problem(f"nothing was measured in {results[0].name}",
                      "all its rows were skipped or ended without an operation")
    _limit(len(curves), _CURVES_MOST, "curves", curves)
    return curves, "" if every <= most else (
        f"{len(rows)} of {every} rows are shown, evenly chosen; iosweep compare and fit take all")


def _finish(curves, panels, **more):
    """The figure; the axes of the panels reach as far as all curves that share them."""
    for panel in panels:
        for point in (point for curve in panel.curves for point in curve.points):
            panel.x.add(point.x)
            panel.y.add(point.y, point.low, point.high)
    for y in {id(panel.y): panel.y for panel in panels}.values():
        if y.scale == "linear":
            y.low, y.high = 0, y.high * 1.05
        y.close()
    panels[0].x.close()
    return Figure(panels, *titles(curves), **more)


def knee(points):
    """By the intervals: the point of the least size that may reach 90 % of the best throughput, and
    of the least that does."""
    best = max(points, key=lambda point: point.y)
    may = next(p for p in points if (p.high or p.y) >= 0.9 * (best.low or best.y))
    return may, next(p for p in points if p is best or (p.low or p.y) >= 0.9 * best.y)


def curves_figure(curves, *quantities):
    """Panels for each test, one for each of the quantities."""
    scheme, x, y = Scheme(curves), Axis("log", "bytes"), Axis("log", quantities[0].unit)
    panels, keys = [], []
    for group, quantity in itertools.product(scheme.panels, quantities):
        drawn, rings = [], []
        for curve in group:
            points, look = quantity.points(curve.rows), scheme.looks[curve]
            drawn += [Curve(points, scheme.name(curve), look)] if points else []
            if quantity is THROUGHPUT and len(points) >= fit.POINTS_MIN:
                may, does = knee(points)
                if may is does:  # else the intervals leave it open
                    ring = Look(look.colour, 0, figure.RING)
                    rings.append(Curve([Point(may.x, may.y)], look=ring, line=False))
                    keys = [Key("point", "from here on 90 % of the best throughput",
                                Look("dim", 0, figure.RING))]
        for curve in drawn if len(drawn) > 2 else ():
            curve.interval = "bar"  # bands of many hide each other
        if drawn:
            title = scheme.title(group, f"{quantity.title} by I/O size")
            panels.append(Panel(x, y, title, curves=drawn + rings))
    return _finish(curves, panels, keys=keys)


def latency_figure(curves):
    """p50 and p99 of each test in panels of their own, so that each curve can be followed."""
    known = [curve for curve in curves if any(P50.value(row) > 0 for row in curve.rows)]
    if not known:
        raise Problem(f"no latencies in {curves[0].file.name}",
                      "--what time draws the time per operation")
    return curves_figure(known, P50, P99)


def fit_figure(curves):
    """The time per operation of each curve, and t0 + size / bandwidth."""
    found = {}
    for curve in moving(curves):
        points = TIME.points(curve.rows)
        line = fit.fit([p.x for p in points], [p.y for p in points])
        if line:
            found[curve] = line, points
    if not found:
        raise Problem(f"no line can be fitted to {curves[0].file.name}",
                      f"that takes a test that moves data, and {fit.POINTS_MIN} sizes")
    curves, x, y = list(found), Axis("log", "bytes"), Axis("log", "ns")
    scheme, panels = Scheme(curves, read.words_apart(curves)), []
    for group in scheme.panels:
        line, points = found[group[0]]
        ratio = line.to_bytes / line.from_bytes
        sizes = (line.from_bytes * ratio ** (i / 40) for i in range(41))
        fitted = Curve([Point(size, line.ns(size)) for size in sizes],
                       "fitted: t0 + size / bandwidth", Look("c1"), marks=0)
        title = scheme.title(group, f"{TIME.title} by I/O size")
        panels.append(Panel(x, y, title, _formula(line), [Curve(points, line=False), fitted]))
    return _finish(curves, panels, at_ends=False)


def _formula(line):
    """ "46 us + size / 1.2 GB/s (off by 3 %)" """
    words = [text.time(line.t0_ns)] if line.t0_ns > 0 else []
    if line.ns_per_byte > 0:
        words.append(f"size / {text.throughput(line.bandwidth_bytes_per_s)}")
    return " + ".join(words) + f" (off\u00a0by\u00a0{line.mean_error * 100:.1f}\u00a0%)"


# --- distributions, and courses over time

_BEYOND = 10  # operations that a percentile needs beyond it
_SIZES_MOST = 7  # lines of a panel
_GAP = 0.5  # of an interval, after which a line is interrupted


def _by_size(curves, what, axes, draw, marks, most=_PANELS_MOST):
    """A line for each size, from light to dark, in a panel for each curve; of one size alone a line
    for each curve.  draw: makes points of a row; marks: more would hide a line; most: panels."""
    there = sorted({row.size_bytes for curve in curves for row in curve.rows})
    count = min(len(there), _SIZES_MOST)
    sizes = [there[i * (len(there) - 1) // max(count - 1, 1)] for i in range(count)]
    if count < len(there):
        text.say(f"{len(there) - count} sizes between those that are drawn are left out")
    scheme = Scheme(curves, read.words_apart(curves) if count > 1 else (), most)
    panels = []
    for group in scheme.panels:
        panels.append(Panel(*axes, scheme.title(group, what)))
        for curve, row in ((c, row) for c in group for row in c.rows if row.size_bytes in sizes):
            points, name, look = draw(row), scheme.name(curve), scheme.looks[curve]
            if count > 1:
                place, name = sizes.index(row.size_bytes), label(row.size_bytes, "bytes")
                look = Look(f"r{place * 7 // (count - 1)}", 0, place)
            panels[-1].curves.append(Curve(points, name, look, "", marks=len(points) // marks + 1))
    return panels


def _distribution(row):
    """The line rises where a bucket is, and ends where few took longer.  y: one in so many took
    longer, which makes of the percentiles that matter equal steps."""
    total, below, last, points = sum(count for _, count in row.histogram), 0, 1.0, []
    highest = min(total / _BEYOND, 1e4)
    for lower, count in row.histogram:
        lower = min(max(lower, 1), 1 << 64)
        upper = lower + 2 ** max(lower.bit_length() - 7, 0)  # as src/base/hist.c divides them
        before, below = total / (total - below), below + count
        one_in = min(total / (total - below), highest) if below < total else highest
        if one_in > 1.03 * last:
            tip = f"{100 - 100 / one_in:.4g} % took at most {text.time(upper)}"
            points += [Point(lower, before), Point(upper, one_in, tip=tip)]
            last = one_in
        if one_in >= highest:
            break
    return points


def cdf_figure(curves):
    """Which share of the operations took no longer."""
    known = [[r for r in curve.rows if sum(n for _, n in r.histogram) >= 2 * _BEYOND]
             for curve in curves]
    known = [read.Curve(rows) for rows in known if rows]
    if not known:
        raise Problem(f"no distribution of latencies is known in {curves[0].file.name}",
                      "repeat the run with -o FILE.json")
    axes = Axis("log", "ns"), Axis("log", "beyond", 1, 100)
    panels = _by_size(known, "percentiles of latency", axes, _distribution, 6)
    return _finish(known, panels, at_ends=False)


def _courses(results):
    """Records over time as curves: a row, with its records, for each size."""
    found, steps = {}, {}
    for result in results:
        for record in result.intervals:
            size, ended, length = map(record.number, ("size_bytes", "ended_s", "interval_s"))
            if not (0 < size < math.inf and 0 <= ended < math.inf and 0 < length < math.inf):
                continue
            row = {axis: record.text(axis) for axis in read.AXES}
            for axis in ("step", "loop", "repeat", "threads", "depth", "ranks", "mix"):
                known = 0 <= record.number(axis) < math.inf
                row[axis] = int(record.number(axis)) if known else None if axis == "mix" else 1
            of_test = steps.setdefault(row["test"], [])
            of_test += [row["step"]] if row["step"] not in of_test else []
            row.update({"pass": of_test.index(row["step"]), "size_bytes": int(size)})
            first = types.SimpleNamespace(result=result, op_ns=0, records=[], **row)
            found.setdefault((result, *row.values()), first).records.append(
                (ended - length, ended, record))
    return read.curves(found.values())


def _course(name, unit, row):
    points, last = [], 0.0
    for begin, end, record in row.records:
        value = record.number(name)
        if points and begin > last + _GAP * (end - begin):
            points.append(Point(begin, None))
        known = 0 <= value < math.inf
        tip = f"{end:.4g} s: {label(value, unit)}" if known else ""
        points.append(Point((begin + end) / 2, value if known else None, tip=tip))
        last = end
    return points


def series_figure(results):
    """Throughput, or the rate of tests that move no data, over time, and p99 below it."""
    curves, name = _courses(results), results[0].name
    if not curves:
        raise Problem(f"no records over time in {name}", "record them with --series FILE")
    is_moving = all(record.number("throughput_bytes_per_s") >= 0
                    for curve in curves for row in curve.rows for *_, record in row.records)
    first = (("throughput_bytes_per_s", "bytes/s", "throughput") if is_moving
             else ("rate_per_s", "/s", "operations per second"))
    x, shown = Axis("linear", "s", low=0), []
    for column, unit, what in (first, ("latency_ns_p99", "ns", "p99 latency")):
        y, draw = Axis("log", unit), functools.partial(_course, column, unit)
        panels = _by_size(curves, f"{what} over time", (x, y), draw, 20, _PANELS_MOST // 2)
        lines = [[p.y for p in curve.points if (p.y or 0) > 0]
                 for panel in panels for curve in panel.curves]
        middles = [statistics.median_high(line) for line in lines if line]
        if middles:
            if unit != "ns" and max(middles) < 10 * min(middles):
                y.scale = "linear"
            shown.append(panels)
    if not shown:
        raise Problem(f"no operation ended while {name} was recorded")
    panels = [panel for pair in zip(*shown) for panel in pair]
    return _finish(curves, panels, at_ends=False)


# --- maps


def heat_figure(curves):
    """Maps of size and depth, or threads where no depths differ: the darker, the more."""
    name = curves[0].file.name
    quantity, curves = (THROUGHPUT, moving(curves)) if moving(curves) else (RATE, curves)
    axis = "depth" if "depth" in read.words_apart(curves) else "threads"
    words = ["test", *(w for w in read.words_apart(curves) if w not in (axis, "test"))]
    maps = [group for group in groups(curves, words)
            if len(group) > 1 and len({row.size_bytes for c in group for row in c.rows}) > 1]
    if not maps:
        raise Problem(f"nothing to draw a map of in {name}",
                      "a map needs a test with two depths, or numbers of threads, and two sizes:"
                      " iosweep -b --depth 1..64")
    _limit(len(maps), _PANELS_MOST // 2, "maps", curves)
    scale = Axis("log", quantity.unit)
    scale.add(*(quantity.value(row) for group in maps for c in group for row in c.rows))
    panels, paths = [], read.needs_paths(curves)
    for group in maps:
        rows = [row for curve in group for row in curve.rows]
        sizes = sorted({row.size_bytes for row in rows})
        levels = sorted({getattr(row, axis) for row in rows})
        cells = []
        for row in rows:
            value, level = quantity.value(row), getattr(row, axis)
            low, high = quantity.interval(row)
            wide = bool(low) and high - low > 2 * _WIDE * value
            if value > 0:
                cells.append(Cell(sizes.index(row.size_bytes), levels.index(level), scale.at(value),
                                  figure.short(value, quantity.unit),
                                  f"{axis} {level}, {quantity.tip(row)}", wide))
        panels.append(Panel(
            Axis("names", names=[label(size, "bytes") for size in sizes]),
            Axis("names", names=[f"{axis} {level}" for level in levels]),
            f"{_say(group[0], words, paths)}: {quantity.title} in {quantity.unit} by I/O size",
            cells=cells))
    keys = [Key("scale", " to ".join(label(v, quantity.unit) for v in (scale.low, scale.high)))]
    if any(cell.wide for panel in panels for cell in panel.cells):
        keys.append(Key("cell", f"the interval is wider than \u00b1{_WIDE * 100:.0f} %"))
    return Figure(panels, *titles(curves, (axis,)), keys)


# --- comparisons

_VERDICTS = {  # of compare.VERDICTS
    "slower": ("slower", Look("c1", 0, 2)), "faster": ("faster", Look("c0", 0, 4)),
    "same": ("the same", Look("c5", 0, 0)), "unclear": ("unclear", Look("dim", 0, 5)),
    "unknown": ("no interval to judge by", Look("dim", 0, 6)),
}
_REACH = 2.5  # intervals extend the axis to this multiple of the largest ratio, in logarithms


def _ends(cell):
    return (cell.low, cell.high) if 0 < cell.low <= cell.high < math.inf else (None, None)


def _ratio_axis(cells, tolerance):
    """Around 1.  Ratios decide how far it reaches, for an interval can be as wide as it likes."""
    least = max(3 * math.log1p(tolerance), *(abs(math.log(cell.ratio)) for cell in cells))
    ends = [abs(math.log(end)) for cell in cells for end in _ends(cell) if end]
    reach = min(1.1 * min(max([least, *ends]), _REACH * least), 600)
    return Axis("log", "ratio", math.exp(-reach), math.exp(reach))


def _ratio_curves(cells):
    """Of judged cells of compare: a curve of points for each verdict."""
    for verdict, (name, look) in _VERDICTS.items():
        points = []
        for cell in (cell for cell in cells if cell.verdict == verdict):
            size, ends = cell.cell.row.size_bytes, _ends(cell)
            tip = f"{label(size, 'bytes')}: {label(cell.ratio, 'ratio')}"
            tip += f" ({compare.interval_text(cell, ' to ')})" if ends[0] else ""
            points.append(Point(size, cell.ratio, *ends, f"{tip}, {name}"))
        if points:
            yield Curve(points, name, look, "bar", line=False)


def compare_figure(comparison):
    """How many times as long operations take in the new files, with the verdicts."""
    cells = {cell.cell.row: cell for cell in comparison.cells if 0 < cell.ratio < math.inf}
    if not cells:
        raise Problem(f"nothing that could be compared in {comparison.files[0].name}",
                      "all rows were skipped or are incomplete in some file")
    axes, curves, tolerance = comparison.match.axes, read.curves(cells), comparison.tolerance
    scheme = Scheme(curves, [w for w in read.words_apart(curves) if w not in axes])
    x, y, panels = Axis("log", "bytes"), _ratio_axis(cells.values(), tolerance), []
    x.add(*(row.size_bytes for row in cells))
    x.close()
    for group in scheme.panels:
        its_cells = [cells[row] for curve in group for row in curve.rows]
        panels.append(Panel(x, y, scheme.title(group, "time per operation, new / old"),
                            compare.sentence(comparison.overall[group[0].rows[0].test]),
                            list(_ratio_curves(its_cells)),
                            strip=(1 / (1 + tolerance), 1 + tolerance)))
    title = " \u2192 ".join(os.path.basename(result.name) for result in comparison.files[:2])
    title += f", {comparison.pairs} pairs" if comparison.pairs > 1 else ""
    words = [titles(curves, [*axes, *["label"] * comparison.match.labels_name_files])[1]]
    for axis, sides in axes.items():
        words.append(f"{axis}: " + " \u2192 ".join(printable(str(s)) or "none" for s in sides))
    keys = [Key("strip", f"no difference: within {tolerance * 100:.3g} %")]
    return Figure(panels, title, " \u00b7 ".join(filter(None, words)), keys,
                  interval="95 % interval of the verdict", at_ends=False)


# --- the command

_MAKERS = {"latency": latency_figure, "cdf": cdf_figure, "heat": heat_figure, "fit": fit_figure,
           "time": lambda curves: curves_figure(curves, TIME)}
WORDS = ("throughput", *_MAKERS, "series", "compare")
_FORMATS = ("svg", "png", "pdf", "text")
_CONVERTERS = {  # programs that make pixels or pages of SVG
    "rsvg-convert": "-f {kind} -w {width}",
    "cairosvg": "- -f {kind} --output-width {width}",
}
_CONVERT_S = 60


def add_options(parser):
    """The command line; see cli.py."""
    parser.takes("FILE...", "a file of results")
    parser.details = """\
Without -o the picture is drawn with block characters.  --what can be
throughput by I/O size, or operations/s of tests that move no data; latency
(p50 and p99); time (per operation, all threads together); cdf, the distribution
of latencies; heat, a map of sizes and depths or threads; series, what --series
recorded; compare, FILEs being OLD NEW ...; fit, t0 + size / bandwidth.  PNG and
PDF take rsvg-convert or cairosvg."""
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write the picture to FILE.svg, .png or .pdf")
    parser.add_argument("--format", metavar="NAME", type=cli.choice(*_FORMATS),
                        help="svg, png, pdf, text")
    parser.add_argument("--what", metavar="WORD", type=cli.choice(*WORDS),
                        help="see above [throughput]")


def make(results, what=None):
    """The figure that is asked for."""
    series = [result.name for result in results if result.intervals and not result.rows]
    what = what or ("series" if series else "throughput")
    if what == "series":
        return series_figure(results)
    if series:
        raise Problem(f"records of --series are drawn over time: {series[0]}",
                      "use --what series for them")
    if what == "compare":
        if len(results) % 2:
            raise Problem("--what compare takes pairs of files, old and new alternating",
                          f"{len(results)} were given; iosweep plot --what compare OLD NEW"
                          " [OLD NEW]...")
        return compare_figure(compare.Comparison(results, compare.TOLERANCE))
    curves, left_out = curves_of(results)
    if left_out:
        text.say(left_out)
    if what in _MAKERS:
        return _MAKERS[what](curves)
    its = moving(curves)
    still = len(curves) - len(its)
    if its and still:
        text.say(f"{still} curve{'s' * (still > 1)} of tests that move no data left out:"
                 " --what time draws them")
    return curves_figure(its or curves, THROUGHPUT if its else RATE)


def convert(picture, kind):
    """PNG or PDF of a picture in SVG, as bytes."""
    width = figure.WIDTH * (2 if kind == "png" else 1)
    name = next(filter(shutil.which, _CONVERTERS), None)
    if not name:
        raise Problem(f"no program that makes {kind.upper()} of a picture: neither rsvg-convert (of"
                      " librsvg) nor cairosvg is in PATH",
                      "install one of them, or use -o FILE.svg", status=3)
    words = [name, *_CONVERTERS[name].format(kind=kind, width=width).split()]
    try:
        done = subprocess.run(words, input=picture.encode("utf-8", "replace"), capture_output=True,
                              timeout=_CONVERT_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Problem(f"cannot run {name}: {problem}", status=3) from None
    if done.returncode or not done.stdout:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise Problem(f"{name} failed: {reason}", "-o FILE.svg needs no other program", status=3)
    return done.stdout


def _format(options):
    if options.format or options.output in (None, "-"):
        return options.format or "text"
    end = os.path.splitext(options.output)[1][1:].lower()
    if end not in _FORMATS[:3]:
        raise Problem(f"unknown format of a picture: {printable(options.output)}",
                      "name it FILE.svg, FILE.png or FILE.pdf, or add --format")
    return end


def _blocks(drawn, options):
    """In UTF-8 unless the locale is another; Python sets LC_CTYPE itself where nothing is set (PEP
    538).  The console of Linux lacks most letters."""
    columns, lines = shutil.get_terminal_size((80, 24))  # COLUMNS goes first
    locale = map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))
    utf8 = re.search("utf-?8", next(filter(None, locale), ""), re.IGNORECASE)
    color = options.output in (None, "-") and text.color_on(1)
    return figure.blocks(drawn, min(max(columns, 40), 120), max(lines, 12) - 1, color,
                         bool(utf8) and os.environ.get("TERM") != "linux")


def run(options):
    """Draws.  Returns the exit status."""
    kind = _format(options)
    results = [read.read(path, series=True, wanted=WANTED) for path in options.files]
    for result in results:
        cli.say_incomplete(result)
    try:
        drawn = make(results, options.what)
    except ArithmeticError:
        raise Problem(f"figures that no axis can hold in {results[0].name}") from None
    picture = _blocks(drawn, options) if kind == "text" else figure.svg(drawn)
    if kind in ("png", "pdf"):
        picture = convert(picture, kind)
    with text.output(options.output, options.files, isinstance(picture, bytes)) as stream:
        stream.write(picture)
    return 0
