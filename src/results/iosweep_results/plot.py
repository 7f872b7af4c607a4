# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep plot: assigns rows to curves and panels, and writes the picture.

Each test has separate panels, so that reads and writes never hide each other; too many curves for a
panel are divided further. The title contains what curves have in common, the ends of lines what
distinguishes them. KINDS lists the pictures.
"""

import functools
import itertools
import math
import re
import shutil
import statistics
import subprocess
from collections import namedtuple

from . import cli, compare, figure, fit, read, text
from .figure import Axis, Cell, Curve, Figure, Look, Panel, Point, label
from .text import Problem, printable

_CURVES_MOST, _PANELS_MOST = 300, 12
ROWS_MOST = 10_000  # of a picture, or a page


class Quantity:
    """The quantity on an axis: a column, or a value derived from a time per operation in ns, of the
    row or an end of its interval."""

    def __init__(self, title, unit, column="", of_ns=None):
        self.title, self.unit, self.column, self.of_ns = title, unit, column, of_ns

    def value(self, row):
        """The value in a row; nan: unknown."""
        return self.of_ns(row, row.op_ns) if self.of_ns else row.number(self.column)

    def interval(self, row):
        """(low, high), or (None, None)."""
        if not (self.of_ns and row.interval_ns):
            return None, None
        return tuple(sorted(self.of_ns(row, ns) for ns in row.interval_ns))

    def is_wide(self, row):
        """Whether its interval is wider than figure.WIDE, or unknown where the row is noted so."""
        low, high = self.interval(row)
        most = 2 * figure.WIDE * self.value(row)
        return "wide" in row.notes if low is None else high - low > most

    def points(self, rows):
        """The points of rows that have the quantity."""
        return [Point(row.size_bytes, self.value(row), *self.interval(row), self.tip(row))
                for row in rows if self.value(row) > 0]

    def tip(self, row):
        """ "4 KiB: 87 MB/s (82 MB/s to 91 MB/s), p50 46 us, p99 78 us; wide"; of a percentile's own
        curve its figure once."""
        low, high = self.interval(row)
        words = f"{label(row.size_bytes, 'bytes')}: {label(self.value(row), self.unit)}"
        if low is not None:
            ends = f"to {label(high, self.unit)}" if high < math.inf else "or more"
            words += f" ({label(low, self.unit)} {ends})"
        for name in ("p50", "p99"):
            column = f"latency_ns_{name}"
            ns = row.number(column)
            words += f", {name} {label(ns, 'ns')}" if ns > 0 and column != self.column else ""
        return "; ".join(filter(None, (words, printable(", ".join(row.notes)))))


THROUGHPUT = Quantity("throughput", "bytes/s",
                      of_ns=lambda row, ns: row.throughput_bytes_per_s * (
                          row.op_ns / ns if ns else math.inf))
RATE = Quantity("operations per second", "/s",
                of_ns=lambda row, ns: row.rate_per_s * (row.op_ns / ns if ns else math.inf))
TIME = Quantity("time per operation", "ns", of_ns=lambda _, ns: ns)
P50 = Quantity("p50 latency", "ns", "latency_ns_p50")
P99 = Quantity("p99 latency", "ns", "latency_ns_p99")


def moving(curves):
    """The curves of tests that move data; others have a rate but no throughput."""
    return [curve for curve in curves if THROUGHPUT.value(curve.rows[0]) > 0]


# --- words of curves

_RUN = re.compile("(?:/|(?<=:))iosweep-[0-9a-f]{8}(-[0-9]+)?/?$")


def groups(curves, words):
    """Groups curves with the same values of these words, as lists in the order of their first
    ones."""
    found = {}
    for curve in curves:
        found.setdefault(curve.key(words), []).append(curve)
    return list(found.values())


def joined(words, most=4):
    """ "a, b and c"; "a, b, c, d and 3 more"."""
    words = [word for word in dict.fromkeys(words) if word]
    if len(words) > most + 1:
        words[most:] = [f"{len(words) - most} more"]
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _place_of(result, target):
    """The location of a target and its storage: "/srv/data", "ext4 on /dev/vda"."""
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
    """The targets and the host; and the values of curves in all words except those omitted."""
    places = list(dict.fromkeys(_place_of(curve.file, curve.rows[0].target) for curve in curves))
    shown = [place for place, _ in places if place not in ("", ".")]
    title = joined(shown or (curve.word("file") for curve in curves), 3)
    host, date = ({str(curve.file.fact(name, "")) for curve in curves}
                  for name in ("host.name", "date"))
    title += f" on {printable(*host)}" if len(host) == 1 and any(host) else ""
    words = []
    for word in ("cache", "engine", "access", "mix", "threads", "depth", "ranks", "label"):
        values = () if word in omitted else {curve.value(word) for curve in curves}
        if len(values) > 1 and word in ("threads", "depth", "ranks"):
            words.append(f"{word} {min(values)} to {max(values)}")
        elif values:
            words.append(joined(curve.word(word) for curve in curves))
    words = [w for w in words if w not in ("", "no mix", "threads 1", "depth 1", "ranks 1")]
    words.insert(0, places[0][1] if len(places) == 1 else "")
    words.append(printable(date.pop()[:10]) if len(date) == 1 else "")
    return title, " \u00b7 ".join(filter(None, words))


def curves_of(results):
    """The curves of rows with figures."""
    curves, name = read.curves(row for result in results for row in result.rows), results[0].name
    if not curves:
        raise Problem(f"nothing was measured in {name}",
                      "all its rows were skipped or ended without an operation")
    if len(curves) > _CURVES_MOST:
        raise Problem(f"too many curves for one picture: {name}", f"{len(curves)} of them, and"
                      f" {_CURVES_MOST} fit; plot files of fewer tests, caches or depths")
    return curves


# --- a picture: panels and styles of curves

_ORDINAL = 3  # number of depths or threads from which on colours go from light to dark
_CROWD = 6  # curves of a panel from which on the first of these words gets separate panels
_STEPS = ("cache", "engine", "target", "access", "label", "file", "loop", "repeat", "depth",
          "threads", "ranks")
_SIZES_MOST = 7  # lines of a panel


class Drawing:
    """A growing picture of a set of curves. groups: curves that share a panel; looks: by curve;
    apart: words that always get separate panels; by_size: lines are by_size()."""

    def __init__(self, curves, apart=(), by_size=False):
        sizes = (row.size_bytes for curve in curves if by_size for row in curve.rows)
        sizes = sorted(set(sizes))
        count = min(len(sizes), _SIZES_MOST)
        self.sizes = [sizes[i * (len(sizes) - 1) // max(count - 1, 1)] for i in range(count)]
        self.sizes_left_out = len(sizes) - count
        differ = read.words_apart(curves)
        apart = differ if count > 1 else apart
        ordinal = [w for w in ("depth", "threads") if len(groups(curves, [w])) >= _ORDINAL][:1]
        chosen = [word for word in differ if word in ("test", "mix", "pass", *apart)]
        for word in _STEPS:
            is_new = word in differ and word not in (*chosen, *ordinal)
            crowd = max(map(len, groups(curves, chosen)))
            if is_new and crowd > _CROWD and len(groups(curves, [*chosen, word])) <= _PANELS_MOST:
                chosen.append(word)
        self.curves, self.groups, self.axes = curves, groups(curves, chosen), {}
        self.panels, self.left_out = [], 0
        self.facets = ["test"] * ("test" not in differ) + [w for w in differ if w in chosen]
        self.differ = [word for word in differ if word not in chosen]
        rest = [word for word in self.differ if word not in ordinal]
        kinds = list(dict.fromkeys(curve.key(rest) for curve in curves))
        if "file" not in rest:  # the same style regardless of the order of measurement
            kinds.sort()
        levels, self.looks = sorted({curve.key(ordinal) for curve in curves}), {}
        for curve in curves:
            kind, level = kinds.index(curve.key(rest)) % 8, levels.index(curve.key(ordinal))
            colour = f"r{level * 7 // (len(levels) - 1)}" if ordinal else f"c{kind}"
            self.looks[curve] = Look(colour, kind if rest else level % 8)

    def axis(self, unit, **more):
        """The axis of that unit, which all panels share."""
        return self.axes.setdefault(unit, Axis(unit=unit, **more))

    def add(self, group, what, x, y, curves=(), **more):  # pylint: disable=too-many-arguments
        """Adds a panel of a group, or of words for it, if it has points: "read O_DIRECT: rate"."""
        if any(curve.points for curve in curves) or more.get("cells"):
            words = group if isinstance(group, str) else group[0].name(self.facets)
            if len(self.panels) < _PANELS_MOST:
                title = f"{words}: {what}".removeprefix(": ")
                self.panels.append(Panel(x, y, title, curves=curves, **more))
            else:
                self.left_out += 1

    def by_size(self, group, draw, marks):
        """A line for each size, from light to dark; for a single size a line for each curve. draw:
        makes points of the rows of a size; marks: maximum, more would hide a line."""
        count = len(self.sizes)
        for curve in group:
            for size, rows in itertools.groupby(curve.rows, lambda row: row.size_bytes):
                points = draw(list(rows)) if size in self.sizes else ()
                name, look = curve.name(self.differ), self.looks[curve]
                if count > 1 and points:
                    place, name = self.sizes.index(size), label(size, "bytes")
                    look = Look(f"r{place * 7 // (count - 1)}", place)
                yield Curve(points, name, look, marks=len(points) // marks + 1)

    def figure(self, omitted=(), **more):
        """The picture; axes cover the curves of all panels that share them. omitted: words left out
        of its titles, in addition to those in which the curves differ."""
        for panel in self.panels:
            for point in (point for curve in panel.curves for point in curve.points):
                panel.x.add(point.x)
                panel.y.add(point.y, point.low, point.high)
        for axis in self.axes.values():
            axis.close()
        words = (*read.words_apart(self.curves), *omitted)
        drawn = Figure(self.panels, *titles(self.curves, words), **more)
        if self.sizes_left_out:
            every = len(self.sizes) + self.sizes_left_out
            drawn.notes.append(f"{len(self.sizes)} of {every} sizes are drawn.")
        if self.left_out:
            every = len(self.panels) + self.left_out
            drawn.notes.append(f"The first {len(self.panels)} of {every} panels are drawn; plot"
                               " files of fewer tests, caches, depths or threads for the others.")
        return drawn


def _rings(rows):
    """A curve of the knee, if the intervals determine it."""
    rows = [row for row in rows if THROUGHPUT.value(row) > 0]
    least = fit.knee(rows)[2] if len(rows) >= fit.POINTS_MIN else None
    return [Curve([Point(row.size_bytes, THROUGHPUT.value(row))],
                  "from here on 90 % of the best throughput", Look("dim", figure.RING),
                  line=False) for row in rows if row.size_bytes == least]


def curves_figure(curves, *quantities):
    """Panels for each test, one for each of the quantities."""
    drawing = Drawing(curves)
    for group, quantity in itertools.product(drawing.groups, quantities):
        quantity = RATE if quantity is THROUGHPUT and not moving(group) else quantity
        points = {curve: quantity.points(curve.rows) for curve in group}
        drawn = [Curve(points[curve], curve.name(drawing.differ), drawing.looks[curve])
                 for curve in group if points[curve]]
        for curve in group if quantity is THROUGHPUT else ():
            drawn += _rings(curve.rows)
        drawing.add(group, f"{quantity.title} by I/O size", drawing.axis("bytes"),
                    drawing.axis(quantity.unit), drawn)
    return drawing.figure()


def fit_figure(curves):
    """The time per operation of each curve, and t0 + size / bandwidth."""
    drawing = Drawing(curves, read.words_apart(curves))
    for group in drawing.groups:
        points = TIME.points(group[0].rows) if moving(group) else ()
        line = fit.fit([p.x for p in points], [p.y for p in points])
        if line:
            ratio = line.to_bytes / line.from_bytes
            sizes = (line.from_bytes * ratio ** (i / 40) for i in range(41))
            fitted = Curve([Point(size, line.ns(size)) for size in sizes],
                           "fitted: t0 + size / bandwidth", Look("c1"), marks=0)
            words = [text.time(line.t0_ns)] if line.t0_ns > 0 else []
            if line.ns_per_byte > 0:
                words.append(f"size / {text.throughput(line.bandwidth_bytes_per_s)}")
            off = f" (off\u00a0by\u00a0{line.mean_error_percent:.1f}\u00a0%)"
            drawing.add(group, f"{TIME.title} by I/O size", drawing.axis("bytes"),
                        drawing.axis("ns"), [Curve(points, line=False), fitted],
                        subtitle=" + ".join(words) + off)
    return drawing.figure()


# --- distributions, and time series

_BEYOND = 10  # operations needed beyond a percentile
_GAP = 0.5  # of an interval, after which a line is interrupted


def _distribution(row):
    """The line rises at each bucket, and ends where few operations took longer. y: one in y took
    longer, which spaces the important percentiles equally."""
    total, below, last, points = sum(count for _, count in row.histogram), 0, 1.0, []
    highest = min(total / _BEYOND, 1e4)
    for lower, count in row.histogram if highest >= 2 else ():
        lower = min(max(lower, 1), 1 << 64)
        upper = lower + 2 ** max(lower.bit_length() - 7, 0)  # as src/base/hist.c divides them
        before, below = total / (total - below), below + count
        one_in = min(total / (total - below), highest) if below < total else highest
        if one_in > 1.03 * last:
            tip = f"{100 * below / total:.4g} % took at most {text.time(upper)}"
            points += [Point(lower, before), Point(upper, one_in, tip=tip)]
            last = one_in
        if one_in >= highest:
            break
    return points


def cdf_figure(curves):
    """The share of operations that took no longer than a latency."""
    drawing = Drawing(curves, by_size=True)
    axes = drawing.axis("ns"), drawing.axis("beyond", low=1, high=100)
    for group in drawing.groups:
        lines = drawing.by_size(group, lambda rows: _distribution(rows[0]), 6)
        drawing.add(group, "percentiles of latency", *axes, [line for line in lines if line.points])
    return drawing.figure()


def _course(name, unit, records):
    points, last = [], 0.0
    for record in records:
        end, length_s, value = map(record.number, ("ended_s", "interval_s", name))
        if not (0 <= end < math.inf and 0 < length_s < math.inf):
            continue
        if points and end - length_s > last + _GAP * length_s:
            points.append(Point(end - length_s, None))
        known = 0 <= value < math.inf
        tip = f"{end:.4g} s: {label(value, unit)}" if known else ""
        points.append(Point(end - length_s / 2, value if known else None, tip=tip))
        last = end
    return points


def series_figure(results):
    """Throughput, or the rate of tests that move no data, over time, and p99 below it."""
    curves = read.curves(record for result in results for record in result.intervals)
    if not curves:
        return Figure([])
    is_moving = all(record.number("throughput_bytes_per_s") >= 0
                    for curve in curves for record in curve.rows)
    shown = ("throughput_bytes_per_s", THROUGHPUT) if is_moving else ("rate_per_s", RATE)
    drawing = Drawing(curves, by_size=True)
    x, first = drawing.axis("s", scale="linear"), drawing.axis(shown[1].unit)
    for group, (column, quantity) in itertools.product(
            drawing.groups, (shown, (P99.column, P99))):
        draw = functools.partial(_course, column, quantity.unit)
        lines = [curve for curve in drawing.by_size(group, draw, 20)
                 if any((point.y or 0) > 0 for point in curve.points)]
        drawing.add(group, f"{quantity.title} over time", x, drawing.axis(quantity.unit), lines)
    middles = [statistics.median_high(p.y for p in curve.points if (p.y or 0) > 0)
               for panel in drawing.panels if panel.y is first for curve in panel.curves]
    if middles and max(middles) < 10 * min(middles):
        first.scale = "linear"
    return drawing.figure()


def heat_figure(curves):
    """Maps of size and depth, or threads if depths do not differ: darker means more."""
    quantity, curves = (THROUGHPUT, moving(curves)) if moving(curves) else (RATE, curves)
    apart = read.words_apart(curves)
    axis = "depth" if "depth" in apart else "threads"
    drawing, scale = Drawing(curves, [w for w in apart if w != axis]), Axis("log", quantity.unit)
    for group in drawing.groups:
        rows = [r for curve in group for r in curve.rows if scale.takes(quantity.value(r))]
        sizes = sorted({row.size_bytes for row in rows})
        levels = sorted({getattr(row, axis) for row in rows})
        if len(sizes) > 1 and len(levels) > 1:
            scale.add(*map(quantity.value, rows))
            cells = [Cell(sizes.index(row.size_bytes), levels.index(getattr(row, axis)),
                          quantity.value(row), f"{axis} {getattr(row, axis)}, {quantity.tip(row)}",
                          quantity.is_wide(row)) for row in rows]
            drawing.add(group, f"{quantity.title} in {quantity.unit} by I/O size",
                        Axis("names", names=[label(size, "bytes") for size in sizes]),
                        Axis("names", names=[f"{axis} {level}" for level in levels]),
                        cells=cells, scale=scale)
    return drawing.figure()


# --- comparisons

_VERDICTS = {  # of compare.VERDICTS
    "slower": ("slower", Look("c1", 2)), "faster": ("faster", Look("c0", 4)),
    "same": ("the same", Look("c5", 0)), "unclear": ("unclear", Look("dim", 5)),
    "unknown": ("no interval to judge by", Look("dim", 6)),
}
_REACH = 2  # an axis of ratios, to this multiple of the largest one, in logarithms


def _ratio_axes(drawing, ratios, tolerance):
    """Both axes, and the strip of no difference. ratios: (size, ratio)"""
    # intervals can be arbitrarily wide, so the ratios determine the extent of the axis
    largest = max(math.log1p(tolerance), *(abs(math.log(ratio)) for _, ratio in ratios))
    reach = min(_REACH * largest, 27)
    same = Curve([Point(size, 1, 1 / (1 + tolerance), 1 + tolerance)
                  for size in sorted({size for size, _ in ratios})],
                 f"no difference: within {tolerance * 100:.3g} %", Look("dim"), marks=0)
    y = drawing.axis("ratio", low=math.exp(-reach), high=math.exp(reach), fixed=True)
    return drawing.axis("bytes"), y, same


def _ratio_curves(cells):
    """A curve of points for each verdict, from judged cells of compare."""
    for verdict, (name, look) in _VERDICTS.items():
        points = []
        for cell in (cell for cell in cells if cell.verdict == verdict):
            size, is_known = cell.cell.row.size_bytes, 0 < cell.low <= cell.high < math.inf
            tip = f"{label(size, 'bytes')}: {label(cell.ratio, 'ratio')}"
            tip += f" ({' to '.join(text.ratios(cell.low, cell.high))})" if is_known else ""
            ends = (cell.low, cell.high) if is_known else (None, None)
            points.append(Point(size, cell.ratio, *ends, f"{tip}, {name}"))
        if points:
            yield Curve(points, name, look, line=False)


def pairs_figure(result):
    """Time of operations relative to those of the base in the same rounds, as compared by the run:
    a panel for each base of a test and cache."""
    curves, panels, ratios = read.curves(result.rows), {}, []
    for pair in result.pairs if curves else ():
        panels.setdefault((pair["test"], pair["cache"], pair["base"]), []).append(pair)
        ratios += [(size["size_bytes"], size["time_ratio"]) for size in pair["sizes"]]
    if not panels:
        return Figure([])
    drawing, names = Drawing(curves), read.PAIR_RATIOS[:3]
    x, y, same = _ratio_axes(drawing, ratios, compare.TOLERANCE)
    for (test, cache, base), pairs in panels.items():
        drawn = [same]
        for i, pair in enumerate(pairs):
            points = [Point(size["size_bytes"], *map(size.get, names), "{}: {} ({} to {})".format(
                label(size["size_bytes"], "bytes"), *(label(size[n], "ratio") for n in names)))
                for size in pair["sizes"]]
            drawn.append(Curve(points, pair["value"], Look(f"c{i % 8}", i % 8), line=False))
        drawing.add(" ".join(filter(None, (test, read.CACHES.get(cache, cache)))),
                    f"time per operation, relative to {base}", x, y, drawn)
    return drawing.figure()


def compare_figure(comparison):
    """Time of operations in the new files relative to the old ones, with the verdicts; for one
    Result its pairs_figure()."""
    if isinstance(comparison, read.Result):
        return pairs_figure(comparison)
    cells = {cell.cell.row: cell for cell in comparison.cells if Axis().takes(cell.ratio)}
    if not cells:
        return Figure([])
    axes, curves = comparison.match.axes, read.curves(cells)
    drawing = Drawing(curves, [w for w in read.words_apart(curves) if w not in axes])
    ratios = [(row.size_bytes, cell.ratio) for row, cell in cells.items()]
    x, y, same = _ratio_axes(drawing, ratios, comparison.tolerance)
    for group in drawing.groups:
        judged = [cells[row] for curve in group for row in curve.rows]
        drawing.add(group, "time per operation, new / old", x, y, [same, *_ratio_curves(judged)],
                    subtitle=compare.sentence(comparison.overall[group[0].rows[0].test]))
    drawn = drawing.figure([*axes, *["label"] * comparison.match.labels_name_files],
                           interval="95 % interval of the verdict")
    drawn.title = " \u2192 ".join(result.short for result in comparison.files[:2])
    drawn.title += f", {comparison.pairs} pairs" if comparison.pairs > 1 else ""
    compared = (words.replace(" -> ", " \u2192 ") for words in compare.heads(comparison))
    drawn.subtitle = " \u00b7 ".join(filter(None, (drawn.subtitle, *compared)))
    return drawn


# --- the command

# The pictures: drawn from curves, or other arguments of a function; and the reason if there is
# nothing to draw.
Kind = namedtuple("Kind", "make missing advice", defaults=("", None))
KINDS = {
    "throughput": Kind(lambda curves: curves_figure(curves, THROUGHPUT), "no figures"),
    # p50 and p99 have separate panels, so that each curve can be followed
    "latency": Kind(lambda curves: curves_figure(curves, P50, P99), "no latencies",
                    "--what time draws the time per operation"),
    "cdf": Kind(cdf_figure, "no distribution of latencies is known",
                "repeat the run with -o FILE.json"),
    "heat": Kind(heat_figure, "nothing to draw a map of", "a map needs a test with two depths, or"
                 " numbers of threads, and two sizes: iosweep -b --depth 1..64"),
    "fit": Kind(fit_figure, "no line can be fitted to what is",
                f"that takes a test that moves data, and {fit.POINTS_MIN} sizes"),
    "time": Kind(lambda curves: curves_figure(curves, TIME), "no figures"),
    "series": Kind(series_figure, "no records over time of operations",
                   "record them with --series FILE"),
    "compare": Kind(compare_figure, "nothing that could be compared",
                    "all rows were skipped or are incomplete in some file"),
}
OPTIONS = {"--format": {"choices": ("svg", "png", "pdf", "text")},
           "--what": {"choices": list(KINDS)}}
_CONVERTERS = {  # programs that make pixels or pages of SVG
    "rsvg-convert": "-f {kind} -w {width}",
    "cairosvg": "- -f {kind} --output-width {width}",
}
_CONVERT_S = 60


def draw(what, of, name):
    """Draws a picture of KINDS. of: the arguments of its function; name: of the first file."""
    kind = KINDS[what]
    try:
        drawn = kind.make(of)
    except ArithmeticError:
        raise Problem(f"figures that no axis can hold in {name}") from None
    if not drawn.panels:
        raise Problem(f"{kind.missing} in {name}", kind.advice)
    return drawn


def make(results, what=None):
    """The requested figure."""
    series = [result.name for result in results if result.intervals and not result.rows]
    what, of = what or ("series" if series else "throughput"), results
    if series and what != "series":
        raise Problem(f"records of --series are drawn over time: {series[0]}",
                      "use --what series for them")
    if what == "compare" and len(results) == 1 and results[0].pairs:
        of = results[0]
    elif what == "compare":
        if len(results) % 2:
            raise Problem("--what compare takes pairs of files, old and new alternating, or one"
                          " whose run has compared rows of the same rounds",
                          f"{len(results)} {'was' if len(results) == 1 else 'were'} given")
        of = compare.Comparison(results, compare.TOLERANCE)
    elif what != "series":
        of = curves_of(results)
    return draw(what, of, results[0].name)


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
        return subprocess.run(words, input=picture.encode("utf-8", "replace"), check=True,
                              capture_output=True, timeout=_CONVERT_S).stdout
    except (OSError, subprocess.SubprocessError) as problem:
        said = getattr(problem, "stderr", None) or str(problem).encode()
        reason = said.decode("utf-8", "replace").strip().partition("\n")[0]
        raise Problem(f"{name} failed: {reason}", "-o FILE.svg needs no other program",
                      status=3) from None


def run(options):
    """Draws.  Returns the exit status."""
    kind = "text"
    if options.format or options.output not in (None, "-"):
        kind = cli.kind_of(options, "picture", ("svg", "png", "pdf"))
    results = cli.read_all(options, ROWS_MOST, series=True)
    cli.say_incomplete(results)
    drawn = make(results, options.what)
    if kind == "text":
        columns, lines = shutil.get_terminal_size((80, 24))  # COLUMNS goes first
        color = options.output in (None, "-") and text.color_on(1)
        picture = figure.blocks(drawn, min(max(columns, 40), 120), max(lines, 12) - 1, color)
    else:
        picture = figure.svg(drawn)
    with text.output(options.output, options.files) as stream:
        if kind in ("png", "pdf"):
            stream.buffer.write(convert(picture, kind))
        else:
            stream.write(picture)
    return 0
