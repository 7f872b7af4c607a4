# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep export: rows of results as CSV, with the columns of a sweep, or as metrics in Prometheus'
text format 0.0.4, as accepted by the textfile collector of node_exporter: base units, one HELP and
TYPE per metric, no time stamps."""

import collections
import itertools
import re

from . import cli, read, text
from .text import Problem

# Those that a sweep writes to CSV by default (src/report/columns/columns.c); test_export.py looks.
DEFAULT = tuple("""
    size_bytes operations time_s throughput_bytes_per_s rate_per_s test target engine cache access
    threads depth loop rounds op_ns_mean op_ns_low op_ns_high latency_ns_p50 latency_ns_p90
    latency_ns_p99 latency_ns_p999 latency_ns_max cpu_ns_per_op device_bytes errors notes label
""".split())
OPTIONS = {"--format": {"choices": ("prometheus", "csv"), "default": "csv"}}
_ROWS_MAX = {"csv": 100_000, "prometheus": 10_000}


def columns_of(rows):
    """All columns of the rows, in the order of their files; without lists of JSON, and without
    names that are not valid for columns, which could be misinterpreted in the output."""
    names = dict.fromkeys(name for row in rows for name in row.names())
    column = re.compile("(?!(cell|rpc)$)[a-z][a-z0-9_]*(?<!_histogram)(?<!_results)")
    return list(filter(column.fullmatch, names))


def select(words, rows):
    """The columns of --columns LIST; None: the default, for a team including its ranks."""
    every = columns_of(rows)
    lists = {"all": every, "default": [*DEFAULT, *["ranks"] * any(row.ranks > 1 for row in rows)]}
    chosen = ["default"] if words is None else words.split(",")
    for word in chosen:
        if word not in (*lists, *DEFAULT, *every):
            what = f"unknown column: {text.printable(word) or '(empty)'}"
            raise Problem(what, f"choose from all, default, {', '.join(every)}")
    return list(dict.fromkeys(n for word in chosen for n in lists.get(word, [word])))


def figure_of(row, name):
    """An int or a float; None: unknown."""
    value = row.get(name)
    return value if type(value) in (int, float) else None


_UNITS = (  # suffixes of columns; the suffix of metrics, and the factor
    (r"_ns_(p[0-9]+|median|low|high|min|max|mean|stddev)$", r"_\1_seconds", 1e-9),
    (r"_ns(_per_op|)$", r"_seconds\1", 1e-9),
    (r"_unix_s$", "_timestamp_seconds", 1),
    (r"_per_s(_min|_max|)$", r"\1_per_second", 1),
    (r"_s$", "_seconds", 1),
    (r"_fraction$", "_ratio", 1),
    (r"$", "", 1),
)


def _labels(values):
    """Labels without unknown values."""
    quoted = str.maketrans({"\\": "\\\\", '"': '\\"'})
    known = {n: text.printable_sentence(str(v)) for n, v in values.items() if v not in (None, "")}
    return ",".join(f'{name}="{value.translate(quoted)}"' for name, value in known.items())


def write_prometheus(stream, rows, columns):
    """Writes samples without unknown values; of skipped rows only the notes."""
    seen, metrics, metric_of = collections.Counter(), {}, {}
    for column in (column for column in columns if column not in read.AXES):
        pattern, unit, factor = next(unit for unit in _UNITS if re.search(unit[0], column))
        metric_of[column] = "iosweep_" + re.sub(pattern, unit, column, count=1), factor
    for row in rows:
        axes = {axis: getattr(row, axis) for axis in read.AXES if axis != "pass"}
        filled = row.filled_bytes or None  # 0: not test fill
        labels = _labels({**axes, "filled_bytes": filled, "file": row.result.path})
        seen[labels] += 1  # a repeated row must be another metric
        labels += f',again="{seen[labels] - 1}"' if seen[labels] > 1 else ""
        for column, (name, factor) in metric_of.items() if not row.skipped else ():
            value = figure_of(row, column)
            if value is not None:
                of_metric = metrics.setdefault((name, f"Column {column} of iosweep-csv(5)."), [])
                of_metric.append(f"{name}{{{labels}}} {value * factor:.15g}\n")
        for note in row.notes:
            of_metric = metrics.setdefault(("iosweep_note", "1 for each note of a row."), [])
            of_metric.append(f"iosweep_note{{{labels},{_labels({'note': note})}}} 1\n")
    for (name, words), samples in metrics.items():
        stream.write(f"# HELP {name} {words}\n# TYPE {name} gauge\n")
        stream.writelines(samples)


def run(options):
    """Always 0."""
    results = cli.read_all(options, _ROWS_MAX[options.format])
    rows = [row for result in results for row in result.rows]
    columns = select(options.columns, rows)
    for row, name in itertools.product(rows, columns):
        row.get(name)  # refuses bad values before anything is written
    with text.output(options.output, options.files) as stream:
        if options.format == "csv":
            values = ({name: row.get(name) for name in columns} for row in rows)
            text.write_records(stream, False, {}, dict.fromkeys(columns), values)
        else:
            write_prometheus(stream, rows, columns)
    cli.say_incomplete(results)
    return 0
