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
from dataclasses import replace

from . import cli, compare, figure, fit, read, text
from .figure import Axis, Cell, Curve, Figure, Key, Look, Panel, Point, label
from .text import Problem, printable

NAME = "plot"
SUMMARY = "draw curves, maps and comparisons of results"

_CURVES_MOST, _PANELS_MOST, _POINTS_MOST = 300, 12, 600
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
# Words that get panels of their own where a panel would have more curves than that.
_STEPS = ((("cache",), 4), (("engine",), 8), (("target",), 8), (("access",), 8), (("label",), 8),
          (("file",), 8), (("loop", "repeat"), 8), (("depth", "threads", "ranks"), 8))
# The first of them in which the curves of a panel differ has the colours.
_HUES = ("file", "target", "label", "engine", "cache", "access", "depth", "threads", "ranks",
         "loop", "repeat")
_CACHES = {"cached": "page cache", "direct": "O_DIRECT", "asis": ""}


def _groups(curves, words):
    """Curves that are the same in these words, as lists in the order of their first ones."""
    found = {}
    for curve in curves:
        found.setdefault(curve.key(words), []).append(curve)
    return list(found.values())


def _moving(curves):
    """Those of tests that move data."""
    return [curve for curve in curves if THROUGHPUT.value(curve.rows[0]) > 0]


def _say(curve, words, paths=False):
    """ "read O_DIRECT depth 8"."""
    said = (curve.word(word, paths) for word in words)
    return " ".join(filter(None, (_CACHES.get(word, word) for word in said)))


def _limit(count, most, what, curves):
    if count > most:
        advice = f"{count} of them, and {most} fit; plot files of fewer tests, caches or depths"
        raise Problem(f"too many {what} for one picture: {curves[0].file.name}", advice)


class Scheme:
    """The panels of a set of curves, and the name and look of each curve.  apart: words that have
    panels of their own in any case."""

    def __init__(self, curves, apart=(), most=_PANELS_MOST):
        differ, self.paths = read.words_apart(curves), read.needs_paths(curves)
        count, ordinal = max((len(_groups(curves, [w])), w) for w in ("threads", "depth"))
        self.ordinal = ordinal if count >= _ORDINAL else ""
        chosen = [word for word in differ if word in ("test", "mix", "pass", *apart)]
        for words, few in _STEPS:
            new = [w for w in words if w in differ and w not in chosen and w != self.ordinal]
            crowd = max(map(len, _groups(curves, chosen)))
            if new and crowd > few and len(_groups(curves, chosen + new)) <= most:
                chosen += new
        self.panels = _groups(curves, chosen)
        _limit(len(self.panels), most, "panels", curves)
        self.facets = ["test"] * ("test" not in differ) + [w for w in differ if w in chosen]
        self.differ = [w for w in differ if w not in chosen]
        self.looks = self._looks(curves)

    def _looks(self, curves):
        hue = [self.ordinal] if self.ordinal else [w for w in _HUES if w in self.differ][:1]
        hues = list(dict.fromkeys(curve.key(hue) for curve in curves))
        if self.ordinal or hue == ["cache"]:  # the same colour whichever was measured first
            hues.sort()
        rest = [w for w in self.differ if w not in hue]
        if not rest or len(hues) == len(_groups(curves, self.differ)):
            rest = hue  # they change with it
        shapes = hues if rest == hue else list(dict.fromkeys(curve.key(rest) for curve in curves))
        looks = [Look(f"c{i % 8}", i % 8) for i in range(len(hues))]
        if self.ordinal:
            looks = [Look(f"r{i * 7 // (len(hues) - 1)}") for i in range(len(hues))]
        return {curve: replace(looks[hues.index(curve.key(hue))],
                               shape=shapes.index(curve.key(rest)) % 8) for curve in curves}

    def name(self, curve):
        """What it differs in from others of its panel."""
        return _say(curve, self.differ, self.paths)

    def title(self, group, what):
        """ "read O_DIRECT: throughput"."""
        return ": ".join(filter(None, (_say(group[0], self.facets, self.paths), what)))


# --- titles

_RUN = re.compile("/iosweep-[0-9a-f]{8}/?$")


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


def titles(curves, omitted=()):
    """The targets and the host; and what else is the same in all curves."""
    places = list(dict.fromkeys(place_of(curve.file, curve.rows[0].target) for curve in curves))
    shown = [place for place, _ in places if place not in ("", ".")]
    shown = shown or list(dict.fromkeys(curve.word("file") for curve in curves))
    title = ", ".join(shown[:3]) + (f" and {len(shown) - 3} more" if len(shown) > 3 else "")
    host, date = ({str(curve.file.fact(name, "")) for curve in curves}
                  for name in ("host.name", "date"))
    title += f" on {printable(*host)}" if len(host) == 1 and any(host) else ""
    same = [word for word in ("cache", "engine", "access", "threads", "depth", "ranks", "label")
            if word not in omitted and word not in read.words_apart(curves)]
    words = [places[0][1] if len(places) == 1 else "", *(_say(curves[0], [word]) for word in same),
             printable(date.pop()[:10]) if len(date) == 1 else ""]
    words = [word for word in words if word not in ("", "threads 1", "depth 1", "ranks 1")]
    return title, " \u00b7 ".join(words)


# --- curves by size


def _sizes():
    return Axis("log", "bytes", "I/O size")


def _finish(curves, panels, linear=False, keys=(), least=2, **more):
    """The figure; the axes of the panels reach as far as all curves that share them.  least: see
    Axis.close, of x."""
    for panel in panels:
        for point in (point for curve in panel.curves for point in curve.points):
            panel.x.add(point.x)
            panel.y.add(point.y, point.low, point.high)
    for y in {id(panel.y): panel.y for panel in panels}.values():
        if y.scale == "linear" or linear and y.scale == "log":
            y.scale, y.low, y.high = "linear", 0, y.high * 1.05
        y.close()
    panels[0].x.close(least)
    return Figure(panels, *titles(curves), list(keys), **more)


def _interval_keys(panels, meaning="95 % interval"):
    kinds = {curve.interval for panel in panels for curve in panel.curves
             if any(point.low for point in curve.points)}
    return [Key(kind, meaning) for kind in ("band", "bar") if kind in kinds]


def knee(points):
    """By the intervals: the point of the least size that may reach 90 % of the best throughput, and
    of the least that does."""
    best = max(points, key=lambda point: point.y)
    may = next(p for p in points if (p.high or p.y) >= 0.9 * (best.low or best.y))
    return may, next(p for p in points if p is best or (p.low or p.y) >= 0.9 * best.y)


def curves_figure(curves, options, *quantities):
    """Panels for each test, one for each of the quantities."""
    scheme, x, y = Scheme(curves), _sizes(), Axis("log", quantities[0].unit)
    panels, keys = [], []
    for group, quantity in itertools.product(scheme.panels, quantities):
        drawn = [Curve(quantity.points(curve.rows), scheme.name(curve), scheme.looks[curve])
                 for curve in group]
        drawn = [curve for curve in drawn if curve.points]
        for curve in drawn:
            curve.interval = "bar" if len(drawn) > 3 else "band"  # bands of many hide each other
            if quantity is THROUGHPUT and len(curve.points) >= fit.POINTS_MIN:
                may, does = knee(curve.points)
                if may is does:  # else the intervals leave it open
                    may.ring = "from here on 90 % of the best throughput"
                    keys = [Key("ring", may.ring)]
        if drawn:
            panels.append(Panel(x, y, scheme.title(group, quantity.title), curves=drawn))
    return _finish(curves, panels, options.linear, _interval_keys(panels) + keys)


def _percentiles(curve):
    """Lines of one curve, with bands from p50 to p90 and to p99."""
    drawn = []
    for dash, name in enumerate(("p50", "p90", "p99", "p99.9")):
        known = [(row, row.number("latency_ns_" + name.replace(".", ""))) for row in curve.rows]
        points = [Point(row.size_bytes, ns, P50.value(row), ns,
                        f"{label(row.size_bytes, 'bytes')}: {name} {text.time(ns)}")
                  for row, ns in known if ns > 0]
        if points:
            drawn.append(Curve(points, name, Look("c0", dash), "band" if 0 < dash < 3 else "",
                               marks=int(dash == 0 or len(points) == 1), thin=dash > 0))
    return drawn


def latency_figure(curves, options):
    """Percentiles of each curve in a panel of its own; of many curves a panel for p50 and one for
    p99 of each test, so that each curve can be followed."""
    curves = [c for c in curves if any(P50.value(row) > 0 for row in c.rows)]
    if not curves:
        raise Problem(f"no latencies in {options.name}", "--what time draws the time per operation")
    if len(curves) > 4:
        return curves_figure(curves, options, P50, P99)
    scheme, x, y = Scheme(curves, read.words_apart(curves)), _sizes(), Axis("log", "ns")
    panels = [Panel(x, y, scheme.title(group, "latency"), curves=_percentiles(group[0]))
              for group in scheme.panels]
    keys = _interval_keys(panels, "from p50 up to p90 and p99")
    return _finish(curves, panels, options.linear, keys)


def fit_figure(curves, options):
    """The time per operation of each curve, and t0 + size / bandwidth in its segments."""
    found = {}
    for curve in _moving(curves):
        points = TIME.points(curve.rows)
        sizes, times = [p.x for p in points], [p.y for p in points]
        fitted = fit.fit(sizes, times)
        if fitted:
            fitted.split(sizes, times)
            found[curve] = fitted.segments, points
    if not found:
        raise Problem(f"no line can be fitted to {options.name}",
                      f"that takes a test that moves data, and {fit.POINTS_MIN} sizes")
    curves, x, y = list(found), _sizes(), Axis("log", "ns")
    scheme, panels = Scheme(curves, read.words_apart(curves)), []
    for group in scheme.panels:
        segments, points = found[group[0]]
        drawn = [Curve(points, line=False)]
        for line in segments:
            ratio = line.to_bytes / line.from_bytes
            sizes = (line.from_bytes * ratio ** (i / 40) for i in range(41))
            steps = [Point(size, line.ns(size)) for size in sizes]
            drawn.append(Curve(steps, look=Look("c1"), interval="", marks=0))
        words = "; ".join(_formula(line, len(segments) > 1) for line in segments)
        panels.append(Panel(x, y, scheme.title(group, TIME.title), words, drawn))
    keys = _interval_keys(panels) + [Key("edge", "fitted: t0 + size / bandwidth", Look("c1"))]
    return _finish(curves, panels, options.linear, keys)


def _formula(line, ends):
    """ "46 us + size / 1.2 GB/s (off by 3 %), up to 64 KiB"; ends: name where it ends."""
    words = [text.time(line.t0_ns)] if line.t0_ns > 0 else []
    if line.ns_per_byte > 0:
        words.append(f"size / {text.throughput(line.bandwidth_bytes_per_s)}")
    words = " + ".join(words) + f" (off\u00a0by\u00a0{line.mean_error * 100:.1f}\u00a0%)"
    return words + (f" up to {label(line.to_bytes, 'bytes')}" if ends else "")


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
    """The line rises where a bucket is, and ends where few took longer."""
    total = sum(count for _, count in row.histogram)
    highest, below, last, points = min(1 - _BEYOND / total, 0.9999), 0, 0.0, []
    for lower, count in row.histogram:
        lower = min(max(lower, 1), 1 << 64)
        upper = lower + 2 ** max(lower.bit_length() - 7, 0)  # as src/base/hist.c divides them
        before, below = below / total, below + count
        share = min(below / total, highest)
        if share > 0.01 and (not last or figure.quantile(share) - figure.quantile(last) > 0.02):
            tip = f"{share * 100:.4g} % took at most {text.time(upper)}"
            points += [Point(lower, max(before, 0.01)), Point(upper, share, tip=tip)]
            last = share
        if share >= highest:
            break
    return points


def cdf_figure(curves, options):
    """Which share of the operations took no longer."""
    known = [[r for r in curve.rows if sum(n for _, n in r.histogram) >= 2 * _BEYOND]
             for curve in curves]
    known = [read.Curve(rows) for rows in known if rows]
    if not known:
        raise Problem(f"no distribution of latencies is known in {options.name}",
                      "repeat the run with -o FILE.json")
    axes = Axis("log", "ns", "latency"), Axis("normal", "share", low=0.01, high=0.99)
    panels = _by_size(known, "latency distribution", axes, _distribution, 6)
    notes = ["A line shows which share of the operations took no longer than a latency."]
    return _finish(known, panels, least=4, notes=notes, at_ends=False)


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


def series_figure(options):
    """Throughput, or the rate of tests that move no data, over time, and p99 below it."""
    curves = _courses(options.results)
    if not curves:
        raise Problem(f"no records over time in {options.name}", "record them with --series FILE")
    moving = all(record.number("throughput_bytes_per_s") >= 0
                 for curve in curves for row in curve.rows for *_, record in row.records)
    first = (("throughput_bytes_per_s", "bytes/s", "throughput") if moving
             else ("rate_per_s", "/s", "operations per second"))
    x, shown = Axis("linear", "s", "time since the start", low=0), []
    for name, unit, what in (first, ("latency_ns_p99", "ns", "p99 latency")):
        y, draw = Axis("log", unit), functools.partial(_course, name, unit)
        panels = _by_size(curves, what, (x, y), draw, 20, _PANELS_MOST // 2)
        lines = [[p.y for p in curve.points if (p.y or 0) > 0]
                 for panel in panels for curve in panel.curves]
        middles = [statistics.median_high(line) for line in lines if line]
        if middles:
            if unit != "ns" and max(middles) < 10 * min(middles):
                y.scale = "linear"
            shown.append(panels)
    if not shown:
        raise Problem(f"no operation ended while {options.name} was recorded")
    panels = [panel for pair in zip(*shown) for panel in pair]
    return _finish(curves, panels, options.linear, at_ends=False)


# --- maps


def heat_figure(curves, options):
    """Maps of size and depth, or threads where no depths differ: the darker, the more."""
    quantity, curves = (THROUGHPUT, _moving(curves)) if _moving(curves) else (RATE, curves)
    for axis in ("depth", "threads"):
        words = ["test", *(w for w in read.words_apart(curves) if w not in (axis, "test"))]
        maps = [group for group in _groups(curves, words)
                if len(group) > 1 and len({row.size_bytes for c in group for row in c.rows}) > 1]
        if maps:
            break
    else:
        raise Problem(f"nothing to draw a map of in {options.name}",
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
            Axis("names", title="I/O size", names=[label(size, "bytes") for size in sizes]),
            Axis("names", names=[f"{axis} {level}" for level in levels]),
            f"{_say(group[0], words, paths)}: {quantity.title} in {quantity.unit}", cells=cells))
    keys = [Key("scale", " to ".join(label(v, quantity.unit) for v in (scale.low, scale.high)))]
    if any(cell.wide for panel in panels for cell in panel.cells):
        keys.append(Key("cell", f"the interval is wider than \u00b1{_WIDE * 100:.0f} %"))
    return Figure(panels, *titles(curves, (axis,)), keys)


# --- comparisons

_VERDICTS = {  # of compare.VERDICTS
    "slower": Key("point", "slower", Look("c1", 0, 2)),
    "faster": Key("point", "faster", Look("c0", 0, 4)),
    "same": Key("point", "the same", Look("c5", 0, 0)),
    "unclear": Key("point", "unclear", Look("dim", 0, 5)),
    "unknown": Key("point", "no interval to judge by", Look("dim", 0, 6)),
}
_REACH = 2  # intervals extend the axis to this multiple of the largest ratio, in logarithms


def _ends(cell):
    return (cell.low, cell.high) if 0 < cell.low <= cell.high < math.inf else (None, None)


def _ratio_axis(cells, tolerance):
    """Ratios decide how far it reaches, for an interval can be as wide as it likes; a quarter of it
    at least is for either side."""
    ratios = [math.log(cell.ratio) for cell in cells]
    ends = [math.log(end) for cell in cells for end in _ends(cell) if end]
    sides = [max(3 * math.log1p(tolerance), *(1.25 * side * r for r in ratios)) for side in (1, -1)]
    most = _REACH * max(sides)
    up, down = (max(reach, *(min(1.1 * side * end, most) for end in (0, *ends)))
                for side, reach in zip((1, -1), sides))
    up, down = max(up, down / 3), max(down, up / 3)
    return Axis("log", "ratio", low=math.exp(max(-down, -600)), high=math.exp(min(up, 600)))


def _ratio_points(cells):
    """Of judged cells of compare, by rising size: points with the look of their verdict."""
    points = []
    for cell in sorted(cells, key=lambda cell: cell.cell.row.size_bytes):
        size, ends = cell.cell.row.size_bytes, _ends(cell)
        tip = f"{label(size, 'bytes')}: {label(cell.ratio, 'ratio')}"
        tip += f" ({compare.interval_text(cell, ' to ')})" if ends[0] else ""
        look = _VERDICTS[cell.verdict].look
        points.append(Point(size, cell.ratio, *ends, f"{tip}, {cell.verdict}", look))
    return points


def compare_figure(options):
    """How many times as long operations take in the new files, with the verdicts."""
    if len(options.results) % 2:
        raise Problem(
            "--what compare takes pairs of files, old and new alternating",
            f"{len(options.results)} were given; iosweep plot --what compare OLD NEW [OLD NEW]...")
    comparison = compare.Comparison(options.results, options.tolerance)
    cells = {cell.cell.row: cell for cell in comparison.cells if 0 < cell.ratio < math.inf}
    if not cells:
        raise Problem(f"nothing that could be compared in {options.name}",
                      "all rows were skipped or are incomplete in some file")
    axes, curves = comparison.match.axes, read.curves(cells)
    scheme = Scheme(curves, [w for w in read.words_apart(curves) if w not in axes])
    x, y, same = _sizes(), _ratio_axis(cells.values(), options.tolerance), 1 + options.tolerance
    panels = []
    for group in scheme.panels:
        points = _ratio_points([cells[row] for curve in group for row in curve.rows])
        x.add(*(point.x for point in points))
        curve = Curve(points, look=Look("dim"), interval="bar", line=False)
        panels.append(Panel(x, y, scheme.title(group, "time new/old"), curves=[curve],
                            strip=(1 / same, same), ends=("slower", "faster")))
    x.close(2)
    found = {cell.verdict for cell in cells.values()}
    keys = [key for verdict, key in _VERDICTS.items() if verdict in found]
    keys += _interval_keys(panels, "interval, 95 % over all cells")
    keys.append(Key("strip", f"no difference: within {options.tolerance * 100:.3g} %"))
    title = " \u2192 ".join(os.path.basename(result.name) for result in options.results[:2])
    title += f", {comparison.pairs} pairs" if comparison.pairs > 1 else ""
    words = [titles(curves, [*axes, *["label"] * comparison.match.labels_name_files])[1]]
    for axis, sides in axes.items():
        words.append(f"{axis}: " + " \u2192 ".join(printable(str(s)) or "none" for s in sides))
    notes = [compare.sentence(overall) for overall in comparison.overall.values()]
    return Figure(panels, title, " \u00b7 ".join(filter(None, words)), keys, notes)


# --- the command

_BY_SIZE = {"throughput": THROUGHPUT, "rate": RATE, "time": TIME}
_MAKERS = {"latency": latency_figure, "cdf": cdf_figure, "heat": heat_figure, "fit": fit_figure}
WORDS = (*_BY_SIZE, *_MAKERS, "series", "compare")
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
throughput or rate (operations/s) by I/O size; latency (p50 to p99.9); time
(per operation, all threads together); cdf, the distribution of latencies;
heat, a map of sizes and depths or threads; series, what --series recorded;
compare, FILEs being OLD NEW ...; fit, t0 + size / bandwidth.  PNG and PDF take
rsvg-convert or cairosvg."""
    for *names, metavar, kind, words in (
        ("-o", "--output", "FILE", cli.word_of("FILE"),
         "write the picture to FILE.svg, .png or .pdf"),
        ("--format", "NAME", cli.choice(*_FORMATS), "svg, png, pdf, text"),
        ("--what", "WORD", cli.choice(*WORDS), "see above [throughput]"),
        ("--title", "TEXT", str, "above the picture [the target]"),
        ("--width", "N", cli.count(40, 8000), "pixels, or columns of text"),
    ):
        parser.add_argument(*names, metavar=metavar, type=kind, help=words)
    parser.add_argument("--linear", action="store_true", help="vertical axis from 0 [logarithmic]")
    parser.add_argument("--tolerance", metavar="PERCENT", type=cli.percent, default=0.02,
                        help="of compare: smaller changes count as none [2%]")


def _rows(results):
    """All rows; of curves with more sizes than a picture can show some of them, evenly chosen."""
    found = {}
    for row in (row for result in results for row in result.rows):
        found.setdefault(row.axes, []).append(row)
    for rows in found.values():
        yield from sorted(rows, key=lambda r: r.size_bytes)[:: math.ceil(len(rows) / _POINTS_MOST)]


def make(options):
    """The figure that is asked for, of options.results."""
    options.name = options.results[0].name
    series = [result.name for result in options.results if result.intervals and not result.rows]
    what = options.what or ("series" if series else "")
    if what == "series":
        return series_figure(options)
    if series:
        raise Problem(f"records of --series are drawn over time: {series[0]}",
                      "use --what series for them")
    if what == "compare":
        return compare_figure(options)
    curves = read.curves(_rows(options.results))
    if not curves:
        raise Problem(f"nothing was measured in {options.name}",
                      "all its rows were skipped or ended without an operation")
    _limit(len(curves), _CURVES_MOST, "curves", curves)
    if what in _MAKERS:
        return _MAKERS[what](curves, options)
    moving = _moving(curves)
    if what in ("", "throughput"):
        what, left_out = "throughput" if moving else "rate", len(curves) - len(moving)
        if moving and left_out:
            text.say(f"{left_out} curve{'s' * (left_out > 1)} of tests that move no data left out:"
                     " --what rate draws them")
        curves = moving or curves
    return curves_figure(curves, options, _BY_SIZE[what])


def convert(picture, kind, width):
    """PNG or PDF of a picture in SVG, as bytes."""
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


def _utf8():
    """Whether text is UTF-8; the first variable that is set decides.  Python sets LC_CTYPE itself
    where LANG asks for plain C (PEP 538).  The console of Linux lacks most letters."""
    if os.environ.get("TERM") == "linux":
        return False
    forced = os.environ.get("LANG", "") in ("", "C", "POSIX") and not os.environ.get("LC_ALL")
    names = ("LC_ALL", "LANG") if forced else ("LC_ALL", "LC_CTYPE", "LANG")
    said = filter(None, map(os.environ.get, names))
    return bool(re.search("utf-?8", next(said, ""), re.IGNORECASE))


def _blocks(drawn, options):
    columns, lines = shutil.get_terminal_size((80, 24))  # COLUMNS goes first
    width = options.width or min(max(columns, 40), 120)
    color = options.output in (None, "-") and text.color_on(1)
    return figure.blocks(drawn, width, max(lines, 12) - 1, color, _utf8())


def run(options):
    """Draws.  Returns the exit status."""
    kind = _format(options)
    options.results = [read.read(path, series=True) for path in options.files]
    for result in options.results:
        cli.say_incomplete(result)
    try:
        drawn = make(options)
    except ArithmeticError:
        raise Problem(f"figures that no axis can hold in {options.name}") from None
    if options.title is not None:
        drawn.title = text.printable_sentence(options.title)
    width = options.width or figure.WIDTH * (2 if kind == "png" else 1)
    picture = _blocks(drawn, options) if kind == "text" else figure.svg(drawn, width=width)
    if kind in ("png", "pdf"):
        picture = convert(picture, kind, width)
    with text.output(options.output, options.files, isinstance(picture, bytes)) as stream:
        stream.write(picture)
    return 0
