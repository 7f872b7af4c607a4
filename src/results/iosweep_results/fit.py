# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep fit: describes each curve of a sweep by a few numbers.

Hockney's line t(n) = t0 + n / r_inf (R. W. Hockney, "The communication challenge for MPP",
Parallel Computing 20, 1994) is fitted robustly: least squares of relative errors, since errors of
timing are shares, then 20 passes of Huber's weights; t0 and 1 / r_inf are never negative.  A line
never comes without its residuals: the results contain the mean and worst error, and a line that is
far off is reported.
"""

import contextlib
import math
import statistics
from operator import mul

from . import cli, read, text
from .text import Problem

POINTS_MIN = 4  # different sizes of a curve
_PASSES = 20
_HUBER = 1.345  # 95 % efficiency for normal errors
_MAD_TO_SIGMA = 1.4826  # of normal errors
_SCALE_MIN = 1e-4  # residuals below are rounding of the figures
_WORST_SHARE = 0.25  # beyond, the line does not describe the curve
_NOISY = {"wide", "drift", "incomplete"}  # notes of rows whose times may be off
_ROWS_MAX = 50_000


class Line:
    """The line of a curve, by points of rising size. t0_ns, ns_per_byte; bandwidth_bytes_per_s is
    r_inf, infinite if the time does not grow with the size, and half_bytes = t0 * r_inf, the size
    that reaches half of it; mean_error_percent: of residuals without their signs; worst: the
    largest, at worst_bytes."""

    def __init__(self, sizes, times):
        self.points, self.from_bytes, self.to_bytes = len(sizes), sizes[0], sizes[-1]
        self.t0_ns, self.ns_per_byte = _robust(sizes, times)
        grows = self.ns_per_byte > 0
        self.bandwidth_bytes_per_s = 1e9 / self.ns_per_byte if grows else math.inf
        self.half_bytes = self.t0_ns / self.ns_per_byte if grows else math.inf
        residuals = list(map(self.residual, sizes, times))
        self.worst = max(residuals, key=abs)
        self.mean_error_percent = 100 * sum(map(abs, residuals)) / self.points
        self.worst_error_percent = 100 * abs(self.worst)
        self.worst_bytes = sizes[residuals.index(self.worst)]

    def ns(self, size_bytes):
        """The time of an operation of that size."""
        return self.t0_ns + size_bytes * self.ns_per_byte

    def residual(self, size_bytes, op_ns):
        """(measured - line) / line."""
        at = self.ns(size_bytes)
        return (op_ns - at) / at


def _solve(sizes, times, weights):
    """Weighted least squares with t0, c >= 0: if the free optimum is outside, the best point of the
    boundary it is beyond. Sums are taken around the mean, since sizes span many magnitudes."""
    total = sum(weights)
    size_mean = sum(map(mul, weights, sizes)) / total
    time_mean = sum(map(mul, weights, times)) / total
    offs = [n - size_mean for n in sizes]
    weighted = list(map(mul, weights, offs))
    variance = sum(map(mul, weighted, offs))
    grows = sum(map(mul, weighted, [t - time_mean for t in times]))
    c = max(0.0, grows / variance) if variance > 0 else 0.0
    if c * size_mean > time_mean:
        weighted = list(map(mul, weights, sizes))
        return 0.0, sum(map(mul, weighted, times)) / sum(map(mul, weighted, sizes))
    return time_mean - c * size_mean, c


def _robust(sizes, times):
    """t0 and c of the line; overflow raises an ArithmeticError."""
    line = _solve(sizes, times, [1 / (t * t) for t in times])
    for _ in range(_PASSES - 1):
        t0, c = line
        fitted = [t0 + c * n for n in sizes]
        errors = [abs((t - at) / at) for t, at in zip(times, fitted)]
        limit = _HUBER * max(_MAD_TO_SIGMA * statistics.median(errors), _SCALE_MIN)
        weights = [limit / max(e, limit) / (at * at) for e, at in zip(errors, fitted)]
        before, line = line, _solve(sizes, times, weights)
        if line == before:  # further passes would not change it
            break
    return line


def fit(sizes, times):
    """The Line of points in ascending order of size, or None: too few sizes, or no line fits."""
    if len(set(sizes)) >= POINTS_MIN:
        with contextlib.suppress(ArithmeticError):
            line = Line(sizes, times)
            is_finite = math.isfinite(line.t0_ns + line.mean_error_percent)
            if is_finite and line.bandwidth_bytes_per_s > 0:
                return line
    return None


def knee(rows):
    """The best throughput and the smallest size with 90 % of it: (bytes/s, size, smallest size); a
    size is None if the intervals do not determine it."""
    speeds = []  # by the ends of the interval, and the mean
    for row in rows:
        speed = row.throughput_bytes_per_s
        exact = (0, math.inf) if "wide" in row.notes else (row.op_ns, row.op_ns)
        low_ns, high_ns = row.interval_ns or exact
        ends = (speed * row.op_ns / ns if ns else math.inf for ns in (high_ns, low_ns))
        speeds.append([next(ends), speed, next(ends)])
    best = max(speeds, key=lambda speed: speed[1])
    is_best = all(speed is best or speed[2] < best[0] for speed in speeds)
    at = next(i for i, (_, speed, _) in enumerate(speeds) if speed >= 0.9 * best[1])
    is_least = all(high < 0.9 * best[0] for _, _, high in speeds[:at]) and (
        speeds[at] is best or speeds[at][0] >= 0.9 * best[1])
    return (best[1], rows[speeds.index(best)].size_bytes if is_best else None,
            rows[at].size_bytes if is_least else None)


# Columns: what all rows of a curve have in common; of lines, with their headings in a table, and
# how it shows figures.
_KEY = "file test target engine cache threads depth label step loop repeat access ranks".split()
_LINE = {
    "points": ("points", str), "from_bytes": ("", text.amount), "to_bytes": ("", text.amount),
    "t0_ns": ("t0", text.time), "bandwidth_bytes_per_s": ("bandwidth", text.throughput),
    "half_bytes": ("n1/2", text.amount), "knee90_bytes": ("knee90", text.amount),
    "best_bytes_per_s": ("best", text.throughput), "best_bytes": ("at", text.amount),
    "mean_error_percent": ("mean error", "{:.1f} %".format),
    "worst_error_percent": ("worst error", "{:.1f} %".format), "worst_bytes": ("at", text.amount),
}  # fmt: skip
_FIELDS = dict.fromkeys((*_KEY[:8], *_LINE, *_KEY[8:]), 3)  # of CSV, with their decimals
_DROP = ("worst_bytes", "points", "worst_error_percent", "best_bytes", "half_bytes",
         "best_bytes_per_s", "mean_error_percent")  # short forms for narrow terminals


def _curves(results):
    """All curves of tests that move data; reports omitted ones."""
    moving = {result: [row for row in result.rows if row.throughput_bytes_per_s > 0]
              for result in results}
    found = [curve for rows in moving.values() for curve in read.curves(rows)]
    if not found:
        raise Problem(f"nothing to fit in {results[0].name}",
                      "all its rows were skipped, or are of tests that move no data")
    for result, rows in moving.items():
        if len(rows) < len(result.rows):
            left_out = text.share(len(result.rows) - len(rows), len(result.rows), "row")
            text.say(f"{result.name}: {left_out} left out: no figures, or of tests that move no"
                     " data")
    cli.say_incomplete(results)
    return found


def _warning(line, rows):
    """What is wrong with the Line of rows, or None; "": nothing."""
    different = len({row.size_bytes for row in rows})
    if different < POINTS_MIN:
        return (f"no line: {different} size{'s' * (different > 1)} with figures, at least"
                f" {POINTS_MIN} are needed; sweep more sizes (--min-size, --max-size)")
    if not line:
        return "no line fits these figures"
    if abs(line.worst) <= _WORST_SHARE:
        return ""
    off = f"{abs(line.worst) * 100:.0f} % {'longer' if line.worst > 0 else 'less'}"
    least, idle = knee(rows)[2], any(not _NOISY.isdisjoint(row.notes) for row in rows)
    advice = [f"look at knee90 ({text.amount(least)})"] if least else []
    advice += ["repeat the sweep on an idle machine"] * idle
    return (f"the line does not fit the curve at {text.amount(line.worst_bytes)}, where operations"
            f" take {off} than predicted" + "; " * bool(advice) + ", or ".join(advice))


def run(options):
    """0, or 1 where a curve has no line."""
    curves, records, warnings = _curves(cli.read_all(options, _ROWS_MAX)), [], []
    headings = {name: heading for name, (heading, _) in _LINE.items() if heading}
    table = text.Table({"curve": "curve", **headings}, ["curve"], _DROP, ["curve"])
    words = read.words_apart(curves)
    for rows, row, name in ((curve.rows, curve.rows[0], curve.name(words)) for curve in curves):
        name = name or text.printable(row.test or row.label or row.result.path)
        line = fit([row.size_bytes for row in rows], [row.op_ns for row in rows])
        record = {"file": row.result.path, **{axis: getattr(row, axis) for axis in _KEY[1:]},
                  **dict.fromkeys(_LINE), "points": len(rows), "from_bytes": row.size_bytes,
                  "to_bytes": rows[-1].size_bytes}
        if line:
            values = {column: getattr(line, column, None) for column in _LINE}
            record.update((n, None if v == math.inf else v) for n, v in values.items())
            record.update(zip(("best_bytes_per_s", "best_bytes", "knee90_bytes"), knee(rows)))
        records.append(record)
        table.add({"curve": name, **{n: "-" if record[n] is None else show(record[n])
                                     for n, (_, show) in _LINE.items()}})
        if _warning(line, rows):
            warnings.append(f"{name}: {_warning(line, rows)}")
    head = {"document": "fits", "schema_version": read.SCHEMA_VERSION}
    cli.write(options, [table], head, _FIELDS, records)
    for warning in warnings:
        text.warn(warning)
    return 0 if all(record["t0_ns"] is not None for record in records) else 1
