# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep merge: combines results of several processes or hosts that ran at the same time.

Rows of the same cell are combined into one, like slices into a row: counts and histograms are
added, so that percentiles are those of all operations; the longest time counts, and rates are all
operations / that time. Texts and identifying columns are kept if all parts have the same; values
that cannot be derived from sums are left empty.
"""

import collections
import operator
import os
import re

from . import cli, export, match, read, text
from .text import Problem

# The identity of a cell. Targets, threads and ranks may differ between hosts: they distinguish rows
# only if a file has several.
_NAMING = tuple(axis for axis in read.AXES if axis not in ("pass", "label"))
_OWN = ("target", "threads", "ranks")
_TAKES = "merge takes results of --format json"
_ROWS_MAX = 5_000
FILES_LEAST = 2
_TOGETHER = 0.9  # share of the time: less, and a sum is doubtful
_TURNS = 0.5  # measured for a lesser share of its time, a row took turns with others


def _mean(values, operations):
    total = sum(operations)
    return sum(map(operator.mul, values, operations)) / total if total else None


# How numbers are folded, by the names of columns, the first pattern that fits; those of no pattern
# follow from no sum, and are left empty.
_FOLDS = [(re.compile(pattern), fold) for pattern, fold in (
    ("operations|device_bytes|errors(?!_s$).*|stat_(hits|misses)|left_objects|requests|connections"
     "|retries|slow_downs", lambda values, _: sum(values)),
    ("(thread|rank|latency).*_min|began_unix_s", lambda values, _: min(values)),
    (".*_max|(time|elapsed|ended_unix)_s", lambda values, _: max(values)),
    ("(latency|open|seek|transfer|close)_ns_mean|.*_per_op", _mean),
)]  # fmt: skip


def percentile(histogram, percent, least_ns, most_ns):
    """Nearest rank: the middle of its bucket, never outside of least_ns and most_ns, the last one
    most_ns itself (None: not known).  histogram: counts by lower ends, 64 to each power of two as
    in src/base/hist.h, not empty; percent: digits behind "0.", such as "999"."""
    total, lower_ns = sum(histogram.values()), 0
    rank = max(1, -(-total * int(percent) // 10 ** len(percent)))
    known = None not in (least_ns, most_ns)
    if rank >= total and known:
        return most_ns
    for lower_ns in sorted(histogram):
        rank -= histogram[lower_ns]
        if rank <= 0:
            break
    middle_ns = lower_ns + (1 << max(lower_ns.bit_length() - 7, 0) >> 1)
    return min(max(middle_ns, least_ns), most_ns) if known else middle_ns


class Merged:
    """A row of all: rows, in the order of files; values by column, also its histogram."""

    def __init__(self, rows, columns):
        self.rows, self.histogram = rows, collections.Counter()
        for row in rows:
            if row.get("operations") != 0 and not row.histogram:
                raise Problem(f"no histogram of a row in {row.result.name}", _TAKES)
            self.histogram.update(dict(row.histogram))
        self.values = values = {name: self._fold(name) for name in columns}
        operations, time_s = values["operations"], values["time_s"]
        rate = operations / time_s if operations and time_s else None
        moves = rate and any(row.throughput_bytes_per_s > 0 for row in rows)
        throughput = rows[0].size_bytes * rate if moves else None
        values.update(rate_per_s=rate, throughput_bytes_per_s=throughput)
        values["latency_histogram"] = sorted(self.histogram.items())
        self.get = values.get

    def figures(self, name):
        """The values of a column in each of the rows; None: unknown."""
        return [export.figure_of(row, name) for row in self.rows]

    def _fold(self, name):
        if name in ("target", "label"):
            return " + ".join(dict.fromkeys(filter(None, (row.get(name) for row in self.rows))))
        if name == "notes":
            return ";".join(dict.fromkeys(word for row in self.rows for word in row.notes))
        if name == "threads":  # of each rank; of all of them where files have not as many
            each = len({row.ranks for row in self.rows}) > 1
            return sum(row.threads * (row.ranks if each else 1) for row in self.rows)
        quantile = re.fullmatch("latency_ns_p([0-9]+)", name)
        if quantile and self.histogram:
            ends = self._fold("latency_ns_min"), self._fold("latency_ns_max")
            return percentile(self.histogram, quantile[1], *ends)
        fold = next((fold for pattern, fold in _FOLDS if pattern.fullmatch(name)), None)
        if name in _NAMING or not fold:
            values = [row.get(name) for row in self.rows]
            values = [value for value in values if value is not None] or [None]
            is_kept = name in (*_NAMING, "align_bytes") or isinstance(values[0], str)
            return values[0] if is_kept and values.count(values[0]) == len(values) else None
        # an unknown value of an idle part is 0
        parts = zip(self.figures(name), self.figures("operations"))
        parts = [(value, n or 0) for value, n in parts if value is not None or n]
        values, operations = zip(*parts) if parts else ((None,), ())
        return None if None in values else fold(values, operations)

    def together(self):
        """The share of the longest time from begin to end in which all parts were under way, or in
        which one that took turns with others was measured; nan: not known."""
        begins, ends = self.figures("began_unix_s"), self.figures("ended_unix_s")
        if None in begins + ends:
            return read.NAN
        spans_s = list(map(operator.sub, ends, begins))
        elapsed = zip(self.figures("elapsed_s"), spans_s)
        measured = min((t / s for t, s in elapsed if s > 0 and t is not None), default=1)
        overlap_s, longest_s = max(0, min(ends) - max(begins)), max(spans_s)
        return measured if measured < _TURNS else overlap_s / longest_s if longest_s > 0 else 0


def merge(results):
    """Combines the rows of all results; a cell that is not in all of them is a Problem."""
    rows = [row for result in results for row in result.rows]
    for result in results:
        if result.format != "json":
            raise Problem(f"no histograms in {result.name}", _TAKES)
    several = {n for n in _OWN for r in results if len({getattr(row, n) for row in r.rows}) > 1}
    axes = [axis for axis in _NAMING if axis not in _OWN or axis in several]
    files = []  # rows with figures by their identity, and a number if several have the same
    for result in results:
        cells, seen = {}, collections.Counter()
        for row in (row for row in result.rows if not row.skipped):
            key = tuple(getattr(row, axis) for axis in axes)
            cells[key, seen[key]] = row
            seen[key] += 1
        files.append((result.name, cells))
    first, *others = files
    pairs = [pair for other in others for pair in ((first, other), (other, first))]
    for (name, cells), (other, known) in pairs:
        for key in cells:
            if key not in known:
                what = f"no row for {match.describe(cells[key])}, which {name} has, in {other}"
                raise Problem(what, "merge needs results with the same rows: use the same options"
                                    " in all runs")
    if not first[1]:
        raise Problem(f"no row with figures in {first[0]}")
    columns = dict.fromkeys((*export.DEFAULT, *export.columns_of(rows)))
    return [Merged([cells[key] for _, cells in files], columns) for key in first[1]]


def _records(rows, results):
    """Records of JSON, readable like other results."""
    runs = [{"file": result.path, "host": result.fact("host.name"), "date": result.fact("date")}
            for result in results]
    runs = [{name: fact if isinstance(fact, str) else None for name, fact in run.items()}
            for run in runs]
    yield {"record": "head", "document": "iosweep results", "schema_version": read.SCHEMA_VERSION,
           "date": next((run["date"] for run in runs if run["date"]), None), "merged": runs}
    yield from ({"record": "row", "cell": i, **row.values} for i, row in enumerate(rows, 1))
    yield {"record": "end"}


def run(options):
    """Always 0."""
    paths = set()
    for name in options.files:  # the same figures twice would double the work
        if os.path.realpath(name) in paths:
            raise Problem(f"the same results twice: {text.printable(name)}", "name each file once")
        paths.add(os.path.realpath(name))
    results = cli.read_all(options, _ROWS_MAX)
    cli.say_incomplete(results)
    skipped = sum(row.skipped for result in results for row in result.rows)
    rows = merge(results)
    with text.output(options.output, options.files) as stream:
        stream.write("[\n" + "\n,".join(map(text.json_value, _records(rows, results))) + "\n]\n")
    if skipped:
        text.say(f"{skipped} skipped rows are left out")
    shares = [(row.together(), row.rows[0]) for row in rows]
    apart = [(share, row) for share, row in shares if share < _TOGETHER]
    if apart:
        share, row = min(apart, key=operator.itemgetter(0))
        text.warn(f"{text.share(len(apart), len(rows), 'row')}: the parts were not measured at the"
                  f" same time, such as {match.describe(row)} ({100 * share:.0f} % of the time):"
                  " their sum may be a rate that never occurred; measure one row per run, and start"
                  " all runs at the same moment, with the same --time")
    return 0
