# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep fit: what each curve of a sweep comes to in a few numbers.

Hockney's line t(n) = t0 + n / r_inf (R. W. Hockney, "The communication challenge for MPP",
Parallel Computing 20, 1994) is fitted robustly: least squares of relative errors, since errors of
timing are shares, then 20 passes of Huber's weights; t0 and 1 / r_inf are never negative.  A curve
may consist of two or three lines; the Bayesian information criterion decides.  A line never comes
without its residuals: mean and worst error stand beside it, a line that is far off is reported, and
segments are shown only where the rows are steady enough to tell a change of slope from noise.
"""

import math
from itertools import combinations
from operator import mul

from . import cli, read, text
from .text import Problem

NAME = "fit"
SUMMARY = "start-up time, bandwidth and knee of each curve in results"

POINTS_MIN = 4  # different sizes of a curve, and of a segment
SEGMENTS_MAX = 3
_PASSES = 20
_HUBER = 1.345  # 95 % efficiency for normal errors
_MAD_TO_SIGMA = 1.4826  # of normal errors
_SCALE_MIN = 1e-4  # residuals below are rounding of the figures
_BIC_GAIN = 10  # of a further segment: "very strong" evidence, Raftery 1995
_ERROR_MIN = 1e-6  # mean squared log residual that counts as none
_CUTS_MAX = 30  # places tried for the ends of segments
_SPLIT_POINTS_MAX = 2000  # of a curve; longer ones are fitted in one piece
_KNEE_SHARE = 0.9  # of the best throughput
_WORST_SHARE = 0.25  # beyond, the line is said not to describe the curve
# What takes no more than some seconds; lines tried for segments count with all their points.
_CURVES_MAX, _ROWS_MAX, _WORK_MAX = 5_000, 50_000, 60_000


class Line:
    """A line over points of a curve: t0_ns, ns_per_byte; bandwidth_bytes_per_s is r_inf, infinite
    where the time does not grow with the size, and half_bytes = t0 * r_inf, where half of it is
    reached; mean_error, worst_error: shares |measured - line| / line; worst_bytes: size of that."""

    def __init__(self, sizes, times):
        self.points, self.from_bytes, self.to_bytes = len(sizes), sizes[0], sizes[-1]
        self.t0_ns, self.ns_per_byte = _robust(sizes, times)
        grows = self.ns_per_byte > 0
        self.bandwidth_bytes_per_s = 1e9 / self.ns_per_byte if grows else math.inf
        self.half_bytes = self.t0_ns / self.ns_per_byte if grows else math.inf
        errors = [abs(self.residual(n, t)) for n, t in zip(sizes, times)]
        self.mean_error, self.worst_error = sum(errors) / self.points, max(errors)
        self.worst_bytes = sizes[errors.index(self.worst_error)]

    def ns(self, size_bytes):
        """The time of an operation of that size."""
        return self.t0_ns + size_bytes * self.ns_per_byte

    def residual(self, size_bytes, op_ns):
        """(measured - line) / line."""
        at = self.ns(size_bytes)
        return (op_ns - at) / at


def _solve(sizes, times, weights):
    """Weighted least squares with t0, c >= 0: where the free optimum is outside, the best point of
    the boundary it is beyond.  Sums are taken around the mean, since sizes span many magnitudes."""
    total = sum(weights)
    size_mean = sum(map(mul, weights, sizes)) / total
    time_mean = sum(map(mul, weights, times)) / total
    offs = [n - size_mean for n in sizes]
    weighted = list(map(mul, weights, offs))
    variance = sum(map(mul, weighted, offs))
    c = sum(map(mul, weighted, [t - time_mean for t in times])) / variance if variance > 0 else 0.0
    t0 = time_mean - c * size_mean
    if c < 0:
        return time_mean, 0.0
    if t0 < 0:
        weighted = list(map(mul, weights, sizes))
        return 0.0, sum(map(mul, weighted, times)) / sum(map(mul, weighted, sizes))
    return t0, c


def _robust(sizes, times):
    """t0 and c of the line; what a float cannot hold raises an ArithmeticError."""
    line = _solve(sizes, times, [1 / (t * t) for t in times])
    middle, odd = len(sizes) // 2, len(sizes) % 2
    for _ in range(_PASSES - 1):
        t0, c = line
        fitted = [t0 + c * n for n in sizes]
        errors = [abs((t - at) / at) for t, at in zip(times, fitted)]
        ordered = sorted(errors)
        scale = ordered[middle] if odd else (ordered[middle - 1] + ordered[middle]) / 2
        limit = _HUBER * max(_MAD_TO_SIGMA * scale, _SCALE_MIN)
        weights = [
            (1 if error <= limit else limit / error) / (at * at)
            for error, at in zip(errors, fitted)
        ]
        before, line = line, _solve(sizes, times, weights)
        if line == before:  # and so it would be after each further pass
            break
    return line


class Fit:
    """Of a curve: whole, a Line, which also has best_bytes_per_s and best_bytes, the best
    throughput and its size, and knee90_bytes, the smallest size with 90 % of it; segments, Lines.
    """

    def __init__(self, sizes, times):
        self.whole = whole = Line(sizes, times)
        self.segments = [whole]
        rates = [n / t * 1e9 for n, t in zip(sizes, times)]
        whole.best_bytes_per_s = max(rates)
        whole.best_bytes = sizes[rates.index(whole.best_bytes_per_s)]
        enough = _KNEE_SHARE * whole.best_bytes_per_s
        whole.knee90_bytes = next(n for n, rate in zip(sizes, rates) if rate >= enough)

    def split(self, sizes, times):
        """Finds the segments."""
        ends = _find_ends(sizes, times) if split_work(sizes) else ()
        if len(ends) > 2:
            self.segments = [Line(sizes[a:b], times[a:b]) for a, b in zip(ends, ends[1:])]


def _cuts(sizes):
    """Where segments may end: never between two points of one size; evenly chosen of many."""
    places = [i for i in range(1, len(sizes)) if sizes[i] > sizes[i - 1]]
    if len(places) > _CUTS_MAX:
        taken, chosen = 0, []
        for number, place in enumerate(places, 1):
            if number * _CUTS_MAX // len(places) > taken:
                taken += 1
                chosen.append(place)
        places = chosen
    return [0, *places, len(sizes)]


def split_work(sizes):
    """How many points the lines have in all that are tried for the segments; 0: there are none."""
    if len(sizes) > _SPLIT_POINTS_MAX or len(set(sizes)) < 2 * POINTS_MIN:
        return 0
    return sum(b - a for a, b in combinations(_cuts(sizes), 2))


def _find_ends(sizes, times):
    """Where the best segments end.  A further one must gain more than _BIC_GAIN."""
    cuts, count = _cuts(sizes), len(sizes)
    error = {}
    for a, b in combinations(cuts, 2):
        if len(set(sizes[a:b])) >= POINTS_MIN:
            line, error[a, b] = _robust(sizes[a:b], times[a:b]), 0.0
            for n, t in zip(sizes[a:b], times[a:b]):
                error[a, b] += math.log(t / (line[0] + line[1] * n)) ** 2

    def criterion(ends):
        """BIC (Schwarz 1978) of lines of two parameters and the places between them."""
        total = 0.0
        for pair in zip(ends, ends[1:]):
            total += error.get(pair, math.inf)
        if total == math.inf:
            return math.inf
        lines = len(ends) - 1
        return count * math.log(max(total / count, _ERROR_MIN)) + (3 * lines - 1) * math.log(count)

    best = (0, count)
    for lines in range(2, SEGMENTS_MAX + 1):
        inner = combinations(cuts[1:-1], lines - 1)
        ends = min(((0, *between, count) for between in inner), key=criterion)
        if criterion(best) - criterion(ends) > _BIC_GAIN * (lines + 1 - len(best)):
            best = ends
    return best


def fit(sizes, times):
    """The Fit, not split yet, of points by rising size; None: too few sizes, or no line fits."""
    if len(set(sizes)) < POINTS_MIN:
        return None
    try:
        found = Fit(sizes, times)
        good = math.isfinite(found.whole.t0_ns) and math.isfinite(found.whole.mean_error)
        return found if good and found.whole.bandwidth_bytes_per_s > 0 else None
    except ArithmeticError:
        return None


# --- the curves of files


class _Fitted:
    """A curve of rows, its name and its points; its Fit, or None; the segments that are shown."""

    def __init__(self, curve, name):
        self.name, self.row = name, curve.rows[0]
        self.sizes = [row.size_bytes for row in curve.rows]
        self.times = [row.op_ns for row in curve.rows]
        noisy = {"wide", "drift", "incomplete"}
        self.unsteady = sum(not noisy.isdisjoint(row.notes) for row in curve.rows)
        self.fit = fit(self.sizes, self.times)

    @property
    def segments(self):
        return self.fit.segments if len(self.fit.segments) > 1 and not self.unsteady else []


def _share(count, every, noun):
    return f"{text.share(count, every, noun)} {'has' if count == 1 else 'have'}"


def _curves(results):
    """All curves of tests that move data; says what is left out."""
    found, left_out, name = [], 0, results[0].name
    if sum(len(result.rows) for result in results) > _ROWS_MAX:
        raise Problem(f"more than {_ROWS_MAX} rows in {name}")
    for result in results:
        curves = read.curves(result.rows)
        moving = [c for c in curves if not math.isnan(c.rows[0].throughput_bytes_per_s)]
        missing = len(result.rows) - sum(len(curve.rows) for curve in curves)
        still = len(curves) - len(moving)
        found += moving
        left_out += still
        if missing:
            words = _share(missing, len(result.rows), "row")
            text.say(f"{result.name}: {words} no figures (skipped, or nothing was completed)")
        if still and found:
            words = f"{still} curve{'' if still == 1 else 's'} left out"
            text.say(f"{result.name}: {words}: tests that move no data have no bandwidth")
        cli.say_incomplete(result)
    if not found and left_out:
        advice = "iosweep plot draws the times of the others"
        raise Problem(f"no test that moves data in {name}", advice)
    if not found:
        raise Problem(f"no row with figures in {name}")
    if len(found) > _CURVES_MAX:
        advice = "rows of one curve have the same label, target and so on"
        raise Problem(f"more than {_CURVES_MAX} curves in {name}", advice)
    return found


def _fit_all(curves):
    words, paths = read.words_apart(curves), read.needs_paths(curves)
    fits, work, whole = [], 0, 0
    for curve in curves:
        row = curve.rows[0]
        name = " ".join(filter(None, (curve.word(word, paths) for word in words)))
        fitted = _Fitted(curve, name or text.printable(row.test or row.label or row.result.path))
        fits.append(fitted)
        work += split_work(fitted.sizes) if fitted.fit else 0
        if fitted.fit and work <= _WORK_MAX:
            fitted.fit.split(fitted.sizes, fitted.times)
        whole += work > _WORK_MAX
    if whole:
        words = text.share(whole, len(fits), "curve")
        text.say(f"{words} fitted in one piece: there are too many points to try segments of all")
    return fits


# --- what is said beside the results


def _say(fitted):
    name, found, sizes = fitted.name, fitted.fit, len(set(fitted.sizes))
    if not found and sizes < POINTS_MIN:
        text.warn(
            f"{name}: no line: {sizes} size{'' if sizes == 1 else 's'} with figures, at least"
            f" {POINTS_MIN} are needed; sweep more sizes (--min-size, --max-size)"
        )
    elif not found:
        text.warn(f"{name}: no line fits these figures")
    else:
        if len(found.segments) > 1 and not fitted.segments:
            text.say(
                f"{name}: segments are not shown:"
                f" {_share(fitted.unsteady, len(fitted.sizes), 'row')} the note wide, drift or"
                " incomplete, so a change of slope may be noise; repeat the sweep on an idle"
                " machine"
            )
        if found.whole.worst_error > _WORST_SHARE:
            _say_worst(fitted)


def _say_worst(fitted):
    whole = fitted.fit.whole
    residuals = [whole.residual(n, t) for n, t in zip(fitted.sizes, fitted.times)]
    worst = max(residuals, key=abs)
    advice = f"knee90 ({text.amount(whole.knee90_bytes)})"
    if fitted.segments:
        advice = f"its {len(fitted.segments)} segments, or at {advice}"
    elif fitted.unsteady:
        advice += ", or repeat the sweep on an idle machine"
    text.warn(
        f"{fitted.name}: the line does not fit the curve at {text.amount(whole.worst_bytes)}, where"
        f" operations take {abs(worst) * 100:.0f} % {'longer' if worst > 0 else 'less'} than"
        f" predicted; look at {advice}"
    )


# --- output

_KEY = (
    "file", "test", "target", "engine", "cache", "threads", "depth", "label",
    "step", "loop", "repeat", "access", "ranks",
)  # fmt: skip
_LINE = {  # columns of lines: heading, and how a table shows them
    "points": ("points", str),
    "from_bytes": None,
    "to_bytes": None,
    "t0_ns": ("t0", text.time),
    "bandwidth_bytes_per_s": ("bandwidth", text.throughput),
    "half_bytes": ("n1/2", text.amount),
    "knee90_bytes": ("knee90", text.amount),
    "best_bytes_per_s": ("best", text.throughput),
    "best_bytes": ("at", text.amount),
    "mean_error_percent": ("mean error", "{:.1f} %".format),
    "worst_error_percent": ("worst error", "{:.1f} %".format),
    "worst_bytes": ("at", text.amount),
}
_POINT = {
    "point_bytes": ("size", text.amount),
    "measured_ns": ("measured", text.time),
    "line_ns": ("on the line", text.time),
    "residual_percent": ("residual", "{:+.1f} %".format),
}
_COLUMNS = (*_KEY[:8], "kind", *_LINE, *_POINT, *_KEY[8:])
_STEPS = (
    ("worst_bytes", 0), ("points", 0), ("curve", 32), ("worst_error_percent", 0), ("curve", 24),
    ("best_bytes", 0), ("curve", 16), ("half_bytes", 0), ("best_bytes_per_s", 0),
    ("mean_error_percent", 0), ("curve", 8),
)  # fmt: skip


def _line_record(line):
    values = {name: getattr(line, name, None) for name in _LINE}  # segments have no knee
    for name in "mean_error", "worst_error":
        values[name + "_percent"] = 100 * getattr(line, name)
    return values


def _records(fitted, residuals):
    """What is printed of a curve, as pairs of its kind and a dict; None: not known."""
    sizes, found = fitted.sizes, fitted.fit
    if not found:
        ends = {"points": len(sizes), "from_bytes": sizes[0], "to_bytes": sizes[-1]}
        yield "curve", {**dict.fromkeys(_LINE), **ends}
        return
    yield "curve", _line_record(found.whole)
    for line in fitted.segments:
        yield "segment", _line_record(line)
    for n, t in zip(sizes, fitted.times) if residuals else ():
        point = n, t, found.whole.ns(n), 100 * found.whole.residual(n, t)
        yield "point", dict(zip(_POINT, point))


def _key(fitted):
    row = fitted.row
    return {name: row.result.path if name == "file" else getattr(row, name) for name in _KEY}


def _print_csv(stream, fits, residuals):
    stream.write(",".join(_COLUMNS) + "\n")
    for fitted in fits:
        for kind, record in _records(fitted, residuals):
            values = {**_key(fitted), "kind": kind, **record}
            fields = (text.csv_field(values.get(name), decimals=3) for name in _COLUMNS)
            stream.write(",".join(fields) + "\n")


def _print_json(stream, fits, residuals):
    stream.write('{"schema_version":"2.0-draft","document":"fits","fits":[')
    for i, fitted in enumerate(fits):
        lists = {"curve": [], "segment": [], "point": []}
        for kind, record in _records(fitted, residuals):
            key = _key(fitted) if kind == "curve" else {}
            lists[kind].append(text.json_object({**key, **record}))
        curve, segments, points = map(",".join, lists.values())
        stream.write(f'{"," if i else ""}\n{curve[:-1]},"segments":[{segments}]')
        stream.write(f',"residuals":[{points}]}}' if residuals else "}")
    stream.write("]}\n")


def _print_table(stream, fits, residuals, look):
    """A table of curves, and one of points."""
    for columns in (_LINE, _POINT) if residuals else (_LINE,):
        columns = {name: shown for name, shown in columns.items() if shown}
        headings = {name: heading for name, (heading, _) in columns.items()}
        table = text.Table({"curve": "curve", **headings}, left=["curve"], steps=_STEPS)
        for fitted in fits:
            for kind, record in _records(fitted, residuals):
                cells = {"curve": fitted.name}
                if kind == "segment":
                    cells["curve"] = f"  {text.amount(record['from_bytes'])} to"
                    cells["curve"] += f" {text.amount(record['to_bytes'])}"
                for name, (_, show) in columns.items() if record.keys() >= columns.keys() else ():
                    known = record[name] is not None and math.isfinite(record[name])
                    cells[name] = show(record[name]) if known else "-"
                if len(cells) > 1:
                    table.add(cells)
        if "residual_percent" in columns:
            stream.write("\n")
            look = 0, look[1]  # its columns are few, and narrow
        table.print(stream, *look)


def add_options(parser):
    """Its arguments, and its help."""
    parser.details = """\
Fits the line t = t0 + size / bandwidth to each curve in result files (CSV,
JSON, or the output of io_profile; - is standard input), and shows how
far the measured points are from it and which size reaches 90 % of the best
throughput."""
    parser.takes("FILE...", "a file of results")
    parser.add_argument(
        "--residuals", action="store_true",
        help="also show each point: measured, fitted, difference",
    )  # fmt: skip
    parser.add_output()


def run(options):
    """0, or 1 where a curve has no line."""
    curves = _curves([read.read(path) for path in options.files])
    with text.output(options.output, options.files) as stream:
        fits, kind = _fit_all(curves), cli.format_of(options)
        if kind == "table":
            _print_table(stream, fits, options.residuals, cli.look_of(options))
        else:
            (_print_csv if kind == "csv" else _print_json)(stream, fits, options.residuals)
    for fitted in fits:
        _say(fitted)
    return 0 if all(fitted.fit for fitted in fits) else 1
