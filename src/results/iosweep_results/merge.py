# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep merge: results of several processes or hosts that worked at the same time, as one.

Rows that are the same cell are folded into one, as a row is of its slices: counts and histograms
are added, so that percentiles are those of all operations; of times the longest counts, and rates
are all operations by it.  Texts and what names a row are kept where all parts have the same; what
does not follow from sums is left empty.
"""

import contextlib
import math
import os
import re
import sys

from . import cli, export, match, read, text
from .text import Problem

NAME = "merge"
SUMMARY = "add up runs that ran at the same time"

# What names a cell.  Hosts may have targets, threads and ranks of their own: these tell rows apart
# only where a file has several.
_NAMING = tuple(n for n in export.select("row") if n != "label") + ("ranks",)
_OWN = ("target", "threads", "ranks")
_ADDED = frozenset((
    "operations", "device_bytes", "errors", "errors_short", "errors_wrong", "stat_hits",
    "stat_misses", "left_objects", "requests", "connections", "retries", "slow_downs",
    "errors_client", "errors_server", "errors_network", "errors_protocol",
))  # fmt: skip
_LEAST = re.compile("(?!op_ns).*_min|began_unix_s")
_MOST = re.compile(".*_max|(time|elapsed|ended_unix)_s")
_MEAN = re.compile("(latency|open|seek|transfer|close)_ns_mean|.*_per_op")
_ROWS_MAX = 5_000  # of all files: what takes some seconds
_QUANTILE = re.compile("(latency|open|close)_ns_p([0-9]+)")

# --- histograms: buckets as those of src/base/hist.h, 64 to each power of two


def _lower_ns(value_ns):
    exponent = max(min(value_ns, (1 << 40) - 1).bit_length() - 7, 0)
    return min(value_ns, (1 << 40) - 1) >> exponent << exponent


def _middle_ns(lower_ns):
    return lower_ns + (1 << max(lower_ns.bit_length() - 7, 0) >> 1)


def percentile(histogram, q, least_ns, most_ns):
    """Nearest rank: the middle of its bucket, never outside of least_ns and most_ns, the last one
    most_ns itself (None: not known).  histogram: counts by lower ends, not empty."""
    total = sum(histogram.values())
    exact = q * total * (1 - 4 * sys.float_info.epsilon)  # 0.07 * 100 is a little more than 7
    rank, seen, lower_ns = max(1, math.ceil(exact)), 0, 0
    for lower_ns in sorted(histogram):
        seen += histogram[lower_ns]
        if seen >= rank:
            break
    if most_ns is None:
        return _middle_ns(lower_ns)
    return most_ns if rank >= total else min(max(_middle_ns(lower_ns), least_ns), most_ns)


def _deviation(histogram):
    """Standard deviation (n - 1), from the middles of buckets; West 1979."""
    mean = squares = seen = 0
    for lower_ns, count in sorted(histogram.items()):
        seen += count
        off = _middle_ns(lower_ns) - mean
        squares += count * off * off * (seen - count) / seen
        mean += off * count / seen
    return math.sqrt(squares / (seen - 1)) if seen > 1 else None


# --- folding


class _Part:
    """A row of one file: its values, and its histograms by name, which are counts by lower ends."""

    def __init__(self, row):
        self.row = row
        self.values = {name: export.value_of(row, name) for name in export.COLUMNS}
        name, self.histograms = row.result.name, {}
        for what in "latency", "open", "close":
            pairs = read.histogram_of(row.get(f"{what}_histogram") or ())
            self.histograms[what] = dict(pairs)
            if any(lower_ns != _lower_ns(lower_ns) for lower_ns, _ in pairs):
                advice = "merge only results of the same version of iosweep"
                raise Problem(f"a histogram with other buckets in {name}", advice)
        self.operations = self.values["operations"] or 0
        self.samples = sum(self.histograms["latency"].values())
        if self.operations and not self.samples:
            advice = "merge takes results of --format json"
            raise Problem(f"no histogram of a row in {name}", advice)
        known = self.values["operations"] is not None
        if not known or (self.operations and not row.number("time_s") > 0):
            advice = "merge needs them: leave out --columns"
            raise Problem(f"operations or time_s of a row are not in {name}", advice)


class _Merged:
    """A row of all: rows, in the order of files; values by column; histograms by name; times_s,
    shortest and longest; overlap, of the longest part the share in which all were under way, and
    measured, the least share of its span in which a part was measured (nan: not known)."""

    def __init__(self, rows):
        parts = [_Part(row) for row in rows]
        self.rows, self.histograms = rows, {what: {} for what in parts[0].histograms}
        for part in parts:
            for what, histogram in part.histograms.items():
                for lower_ns, count in histogram.items():
                    self.histograms[what][lower_ns] = self.histograms[what].get(lower_ns, 0) + count
        self.values = {name: self._fold(name, parts) for name in export.COLUMNS}
        operations, time_s = self.values["operations"], self.values["time_s"]
        rate = operations / time_s if operations and time_s else None
        moves = any(row.throughput_bytes_per_s > 0 for row in rows)
        throughput = self.values["size_bytes"] * rate if rate and moves else None
        self.values.update(rate_per_s=rate, throughput_bytes_per_s=throughput)
        self.get = self.values.get
        self._judge_times(parts)

    def _judge_times(self, parts):
        def numbers(name):
            return [math.nan if p.values[name] is None else p.values[name] for p in parts]

        self.times_s = min(numbers("time_s")), max(numbers("time_s"))
        begins, ends = numbers("began_unix_s"), numbers("ended_unix_s")
        self.overlap = self.measured = math.nan
        if not any(map(math.isnan, begins + ends)):
            spans_s = [end - begin for begin, end in zip(begins, ends)]
            common_s, longest_s = max(0, min(ends) - max(begins)), max(spans_s)
            self.overlap = common_s / longest_s if longest_s > 0 else 0
            shares = [
                t / s for t, s in zip(numbers("elapsed_s"), spans_s) if s and not math.isnan(t)
            ]
            self.measured = min(shares, default=math.nan)

    def _fold(self, name, parts):
        values = [part.values[name] for part in parts]
        quantile = _QUANTILE.fullmatch(name)
        if quantile and self.histograms[quantile[1]]:
            most_ns = self._fold(f"{quantile[1]}_ns_max", parts)
            ends = self._fold("latency_ns_min", parts) if quantile[1] == "latency" else 0, most_ns
            ends = ends if None not in ends else (None, None)
            return percentile(self.histograms[quantile[1]], float(f"0.{quantile[2]}"), *ends)
        if name == "latency_ns_stddev":
            return _deviation(self.histograms["latency"])
        if name == "threads":  # of each rank; of all of them where files have not as many
            ranks = [part.values["ranks"] for part in parts]
            each = len(set(ranks) - {None}) > 1
            values = [t if None in (t, r) or not each else t * r for t, r in zip(values, ranks)]
            return None if None in values or (each and None in ranks) else sum(values)
        if name in ("target", "label"):
            return " + ".join(dict.fromkeys(filter(None, values)))
        if name == "notes":
            words = (word for value in values if value for word in value.split(";"))
            return ";".join(dict.fromkeys(words))
        if name in _ADDED:
            return None if None in values else sum(values)
        if _LEAST.fullmatch(name) or _MOST.fullmatch(name):
            extreme = min if _LEAST.fullmatch(name) else max
            values = [v for v, p in zip(values, parts) if v is not None or p.operations]
            return extreme(values) if values and None not in values else None
        if _MEAN.fullmatch(name):
            kind = "samples" if name.endswith("mean") else "operations"
            pairs = [(v, getattr(p, kind)) for v, p in zip(values, parts)]
            return _mean([pair for pair in pairs if pair[1]])
        known = [value for value in values if value is not None]
        same = known and known.count(known[0]) == len(known)
        return known[0] if same and (name in _NAMING or isinstance(known[0], str)) else None


def _mean(pairs):
    if not pairs or None in (value for value, _ in pairs):
        return None
    return sum(value * count for value, count in pairs) / sum(count for _, count in pairs)


# --- which rows are the same cell


def merge(results):
    """The rows of all results as one; a cell that is not in all of them is a Problem."""
    for result in results:
        if result.format != "json":
            advice = "merge takes results of --format json"
            raise Problem(f"no histograms in {result.name}", advice)
    if sum(len(result.rows) for result in results) > _ROWS_MAX:
        raise Problem(f"more than {_ROWS_MAX} rows in all files")
    tables = [
        [
            ([export.value_of(row, n) for n in _NAMING], row)
            for row in result.rows
            if not row.skipped
        ]
        for result in results
    ]
    several = {n for n in _OWN for r in results if len({getattr(row, n) for row in r.rows}) > 1}
    axes = [i for i, n in enumerate(_NAMING) if n not in _OWN or n in several]
    # with --columns a file has not all
    axes = [i for i in axes if all(any(v[i] is not None for v, _ in t) for t in tables if t)]
    cells = []
    for table in tables:
        cells.append({})
        seen = {}  # rows before it that have its key
        for values, row in table:
            key = tuple(values[i] for i in axes)
            cells[-1][key, seen.setdefault(key, 0)] = row
            seen[key] += 1
    for has, lacks in [(0, i) for i in range(len(cells))] + [(i, 0) for i in range(len(cells))]:
        missing = [row for key, row in cells[has].items() if key not in cells[lacks]]
        if missing:
            what = f"no row for {match.describe(missing[0])}, which {results[has].name} has"
            advice = "merge needs results with the same rows: use the same options in all runs"
            raise Problem(f"{what}, in {results[lacks].name}", advice)
    if not cells[0]:
        raise Problem(f"no row with figures in {results[0].name}")
    return [_Merged([of_file[key] for of_file in cells]) for key in cells[0]]


# --- what is said beside the results

_OVERLAP_LEAST = 0.9  # of the longest part, in which all are under way
_MEASURED_LEAST = 0.5  # of its span, in which a row is measured and no other one is
_LENGTH_MOST = 1.05  # the longest part by the shortest


def _say(rows):
    def pick(some, value):
        """The share that they are, was or were, the row where value is least, and it in words."""
        worst = min(some, key=value)
        was = "was" if len(some) == 1 else "were"
        return (
            text.share(len(some), len(rows), "row"),
            was,
            worst,
            match.describe(worst.rows[0]),
        )

    some = [row for row in rows if row.overlap == 0]
    if some:
        share, was, _, cell = pick(some, lambda row: 0)
        text.warn(
            f"{share} {was} not measured at the same time, such as {cell}: their sum is not a rate"
            " that ever occurred"
        )
    some = [row for row in rows if 0 < row.overlap < _OVERLAP_LEAST]
    if some:
        share, was, worst, cell = pick(some, lambda row: row.overlap)
        text.warn(
            f"{share} overlap{'s' if was == 'was' else ''} only partly, {cell} for"
            f" {100 * worst.overlap:.0f} % of the longest: start all runs at the same moment, with"
            " the same --time"
        )
    some = [row for row in rows if math.isnan(row.overlap)]
    if some:
        share, was, _, _ = pick(some, lambda row: 0)
        text.say(f"it is unknown when {share} {was} measured, or whether at the same time")
    some = [row for row in rows if row.measured < _MEASURED_LEAST]
    if some:
        share, _, worst, cell = pick(some, lambda row: row.measured)
        text.warn(
            f"{share} took turns with others, {cell} ran for {100 * worst.measured:.0f} % of its"
            " time: whether its parts coincide is chance; measure one row per run"
        )
    some = [row for row in rows if row.times_s[1] > _LENGTH_MOST * row.times_s[0]]
    if some:
        share, _, worst, cell = pick(some, lambda row: row.times_s[0] / row.times_s[1])
        text.warn(
            f"{share} took longer in some files than in others, such as {cell},"
            f" {worst.times_s[0]:.3g} to {worst.times_s[1]:.3g} s: their rate is over the longest,"
            " at the end of which some were idle"
        )


# --- output

_CELLS = {  # heading of a column, how numbers are shown
    "test": ("test", None), "size_bytes": ("size", text.size), "step": ("step", str),
    "loop": ("loop", str), "repeat": ("repeat", str), "access": ("access", None),
    "mix": ("mix", str), "filled_bytes": ("filled", text.amount), "target": ("target", None),
    "engine": ("engine", None), "cache": ("cache", None), "threads": ("threads", str),
    "depth": ("depth", str), "operations": ("operations", str),
    "throughput_bytes_per_s": ("throughput", text.throughput), "rate_per_s": ("rate", text.rate),
    "latency_ns_p50": ("p50", text.time), "latency_ns_p99": ("p99", text.time),
    "latency_ns_max": ("max", text.time), "errors": ("errors", str), "notes": ("notes", None),
}  # fmt: skip
_IF_VARIES = frozenset(("step", "loop", "repeat", "access", "mix", "filled_bytes"))
# What is given up until a line fits the terminal: the first where they tell no rows apart.
_IF_ALIKE = ("engine", "depth", "threads", "cache")
_STEPS = (
    ("latency_ns_max", 0), ("target", 24), ("operations", 0), ("notes", 24), ("target", 16),
    ("latency_ns_p50", 0), ("notes", 10), ("target", 10), ("notes", 3), ("latency_ns_p99", 0),
    ("rate_per_s", 0), ("notes", 0), ("target", 6),
)  # fmt: skip


def _print_table(stream, rows, look):
    left = [column for column, (_, show) in _CELLS.items() if not show]
    table = text.Table({c: heading for c, (heading, _) in _CELLS.items()}, left, words="notes")
    for row in rows:
        shown = {c: "-" if show else "" for c, (_, show) in _CELLS.items()}
        known = {c: row.get(c) for c in _CELLS if row.get(c) is not None}
        table.add({**shown, **{c: (_CELLS[c][1] or str)(value) for c, value in known.items()}})
    texts = {column: {cells[column] for cells, _ in table.rows} for column in _CELLS}
    alike = {column for column, of_column in texts.items() if len(of_column) == 1}
    table.hidden = {c for c in alike if c in _IF_VARIES or texts[c] == {""}}
    table.hidden |= {"errors"} if texts["errors"] == {"0"} else set()
    table.steps = [(column, 0) for column in _IF_ALIKE if column in alike] + list(_STEPS)
    table.print(stream, *look)


def _print_json(stream, rows, results):
    """As records, to be read as any results."""
    runs = []
    for result in results:
        facts = {"host": result.fact("host.name"), "date": result.fact("date")}
        facts = {name: fact if isinstance(fact, str) else None for name, fact in facts.items()}
        runs.append({"file": result.path, **facts})
    head = {"record": "head", "document": "iosweep results", "schema_version": "2.0-draft"}
    head["date"] = next((run["date"] for run in runs if run["date"]), None)
    records = [(head, "merged", runs)]
    for number, row in enumerate(rows, 1):
        record = {"record": "row", "cell": number, **row.values}
        for what, histogram in row.histograms.items():
            if histogram or what == "latency":
                record[f"{what}_histogram"] = sorted(histogram.items())
        lists = [part.get("thread_results") for part in row.rows]
        threads = [t for of_part in lists if isinstance(of_part, list) for t in of_part]
        names = "operations", "bytes", "time_s", "rate_per_s"
        threads = [
            {n: export.value_of(t, n) for n in names} for t in threads if isinstance(t, dict)
        ]
        records.append((record, "thread_results", threads))
    for i, (record, name, members) in enumerate(records):
        stream.write(f"{',' if i else '['}{'' if i else chr(10)}{text.json_object(record)[:-1]}")
        stream.write(f',"{name}":[{",".join(map(text.json_object, members))}]}}\n')
    stream.write(',{"record":"end"}\n]\n')


def add_options(parser):
    """Its arguments, and its help."""
    parser.details = """\
The files are JSON results of processes or hosts that ran at the same
time, all with the same rows.  Operations, bytes, errors, threads and histograms
are added; percentiles are those of all operations.  Rates are all operations
divided by the longest of their times.  JSON can be merged again; compare, plot
and fit read what merge writes.

Rows that did not overlap in time, or took turns with others, are reported."""
    parser.takes("FILE FILE...", "two files of results or more", 2)
    parser.add_output()


def run(options):
    """Always 0."""
    for i, name in enumerate(options.files):  # the same figures twice would be twice what was done
        for other in options.files[:i]:
            with contextlib.suppress(OSError, ValueError):
                if name == other or os.path.samefile(name, other):
                    what = f"the same results twice: {text.printable(name)}"
                    raise Problem(what, "name each file once")
    results = [read.read(path) for path in options.files]
    for result in results:
        cli.say_incomplete(result)
    rows, kind = merge(results), cli.format_of(options)
    with text.output(options.output, options.files) as stream:
        if kind == "csv":
            team = any((row.get("ranks") or 2) > 1 for row in rows)
            export.write_csv(stream, rows, export.select(None, team))
        elif kind == "json":
            _print_json(stream, rows, results)
        else:
            _print_table(stream, rows, cli.look_of(options))
    skipped = sum(row.skipped for result in results for row in result.rows)
    if skipped:
        text.say(f"{skipped} skipped rows are left out")
    _say(rows)
    return 0
