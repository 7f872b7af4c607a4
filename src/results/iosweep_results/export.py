# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep export: rows of results as CSV, with the columns that a sweep writes, or as metrics in
Prometheus' text format 0.0.4, as the textfile collector of node_exporter takes them: base units,
one HELP and TYPE per metric, no time stamps."""

import re

from . import cli, read, text
from .text import Problem

NAME = "export"
SUMMARY = "results as CSV, or as metrics for Prometheus"

# The table of columns (src/report/columns/columns.c) has these; test_export.py looks at it.
_DEFAULT = """
    size_bytes operations time_s throughput_bytes_per_s rate_per_s test target engine cache access
    threads depth loop rounds op_ns_median op_ns_low op_ns_high latency_ns_p50 latency_ns_p90
    latency_ns_p99 latency_ns_p999 latency_ns_max cpu_ns_per_op device_bytes errors notes label
""".split()
_GROUPS = {
    "row": """size_bytes test target engine cache access threads depth loop label step repeat mix
        readahead align_bytes filled_bytes""",
    "result": """operations time_s throughput_bytes_per_s rate_per_s notes elapsed_s began_unix_s
        ended_unix_s stop in_flight_mean thread_rate_per_s_min thread_rate_per_s_max stat_hits
        stat_misses list_names left_objects""",
    "precision": """rounds op_ns_median op_ns_low op_ns_high op_ns_min op_ns_stddev reference_ns""",
    "latency": """latency_ns_p50 latency_ns_p90 latency_ns_p99 latency_ns_p999 latency_ns_max
        latency_ns_min latency_ns_mean latency_ns_stddev""",
    "phases": """open_ns_mean open_ns_p50 open_ns_p99 open_ns_max seek_ns_mean transfer_ns_mean
        close_ns_mean close_ns_p50 close_ns_p99 close_ns_max""",
    "cpu": """cpu_ns_per_op cpu_user_ns_per_op queued_ns_per_op submit_fraction
        cpu_helper_fraction""",
    "storage": """device_bytes resident_fraction resident_fraction_before cache_hit_fraction""",
    "failures": """errors errors_s errors_short errors_wrong""",
    "nfs": """rpc_count rpc_data_count rpc_sent_bytes rpc_received_bytes rpc_rtt_ns_mean
        rpc_retransmissions""",
    "objects": """requests connections lookup_ns_mean connect_ns_mean tls_ns_mean
        first_byte_ns_mean body_ns_mean retries slow_downs errors_client errors_server
        errors_network errors_protocol http_version s3_signing""",
    "team": """ranks rank_rate_per_s_min rank_rate_per_s_max rank_skew_ns_p99""",
}
_VALUES_MAX = 1_000_000  # rows by columns: what takes some seconds
_NAMES = {group: names.split() for group, names in _GROUPS.items()}
_TEXTS = frozenset(
    "test target engine cache access label readahead notes stop http_version s3_signing".split()
)
COLUMNS = list(dict.fromkeys(_DEFAULT + [name for names in _NAMES.values() for name in names]))


def select(words, team=False):
    """The columns of --columns (None: the default, of a team with its ranks)."""
    groups = {**_NAMES, "all": COLUMNS, "default": _DEFAULT + ["ranks"] * team}
    chosen, seen = [], set()
    for word in ("default" if words is None else words).split(","):
        if word in seen:
            raise Problem(f"column named twice: {word}", "give each name once")
        if word not in groups and word not in COLUMNS:
            what = f"unknown column: {text.printable(word)}" if word else "empty name in --columns"
            advice = f"columns are {' '.join(COLUMNS[:20])} ... (all: iosweep help columns)"
            raise Problem(what, advice)
        seen.update([word] if word in COLUMNS else [])
        chosen += groups.get(word, [word])
    return list(dict.fromkeys(chosen))


def value_of(row, name):
    """A str or a number, as the column has them; None: not known."""
    value = row.get(name)
    good = isinstance(value, str) if name in _TEXTS else type(value) in (int, float)
    return value if good else None


def write_csv(stream, rows, columns):
    """Rows: whatever has get(name)."""
    stream.write(",".join(columns) + "\n")
    for row in rows:
        stream.write(text.csv_line([value_of(row, name) for name in columns]))


# --- Prometheus

_QUANTILES = {"p50": "0.5", "p90": "0.9", "p99": "0.99", "p999": "0.999"}
_UNITS = (  # of columns; what metrics have instead, and a factor
    (r"_ns_(p[0-9]+|median|low|high|min|max|mean|stddev)$", r"_\1_seconds", 1e-9),
    (r"_ns(_per_op|)$", r"_seconds\1", 1e-9),
    (r"_unix_s$", "_timestamp_seconds", 1),
    (r"_per_s(_min|_max|)$", r"\1_per_second", 1),
    (r"_s$", "_seconds", 1),
    (r"_fraction$", "_ratio", 1),
)
_USUAL = {"step": 1, "loop": 1, "repeat": 1, "ranks": 1, "filled_bytes": 0}  # is no label


def _metric(column):
    """Name, factor and quantile ("") of a column's metric."""
    units = [unit for unit in _UNITS if re.search(unit[0], column)]
    name = re.sub(*units[0][:2], column) if units else column
    quantile = re.search("_(p[0-9]+)_", name)
    if quantile:
        name = name.replace(quantile.group(1) + "_", "")
    return f"iosweep_{name}", units[0][2] if units else 1, quantile and _QUANTILES[quantile[1]]


def _label(name, value):
    value = text.printable_sentence(str(value)).replace("\\", "\\\\").replace('"', '\\"')
    return f'{name}="{value}"'


def _labels(row, file):
    """What tells the row apart from others; file: "" where there is one only."""
    values = {"file": file, **{axis: getattr(row, axis) for axis in read.AXES if axis != "pass"}}
    known = {n: v for n, v in values.items() if v not in (None, "", _USUAL.get(n))}
    return ",".join(_label(n, v) for n, v in known.items())


def _head(stream, name, kind, words):
    stream.write(f"# HELP {name} {words}\n# TYPE {name} {kind}\n")


def write_prometheus(stream, results, columns):
    """What is not known is no sample, and skipped rows have notes only."""
    seen, metrics, notes = {}, {}, []
    states = dict.fromkeys(("complete", "incomplete", "skipped"), 0)
    columns = [(c, *_metric(c)) for c in columns if c not in _NAMES["row"]]
    for row in (row for result in results for row in result.rows):
        labels = _labels(row, row.result.path if len(results) > 1 else "")
        seen[labels] = seen.get(labels, 0) + 1
        labels += f',again="{seen[labels] - 1}"' if seen[labels] > 1 else ""
        state = "skipped" if row.skipped else "incomplete" if row.incomplete else "complete"
        states[state] += 1
        notes += [f"{labels},{_label('note', note)}" for note in row.notes]
        for column, name, factor, quantile in columns if state != "skipped" else ():
            value = value_of(row, column)
            if isinstance(value, (int, float)):
                more = f',quantile="{quantile}"' if quantile else ""
                sample = f"{name}{{{labels}{more}}} {value * factor:.15g}\n"
                metrics.setdefault(name, []).append(sample)
    for column, name, _, quantile in columns:
        samples = metrics.pop(name, ())
        if samples:
            words = f"Column {column} of iosweep-csv(5)."
            _head(stream, name, "summary" if quantile else "gauge", words)
            stream.writelines(samples)
    _head(stream, "iosweep_rows", "gauge", "Rows by what came of them.")
    stream.writelines(f'iosweep_rows{{state="{s}"}} {count}\n' for s, count in states.items())
    if notes:
        _head(stream, "iosweep_note", "gauge", "1 for each note of a row.")
        stream.writelines(f"iosweep_note{{{note}}} 1\n" for note in notes)


def add_options(parser):
    """Its arguments, and its help."""
    parser.details = """\
Writes the rows of result files (CSV, JSON, or the output of io_profile; - is
standard input) as CSV, or as metrics for Prometheus, in base units."""
    parser.takes("FILE...", "a file of results")
    parser.add_argument(
        "--format", metavar="NAME", type=cli.choice("prometheus", "csv"), default="csv",
        help="prometheus, csv [csv]",
    )  # fmt: skip
    parser.add_argument(
        "--columns", metavar="LIST", help="columns or groups, see iosweep help columns"
    )
    parser.add_output(())


def run(options):
    """Always 0."""
    results = [read.read(path) for path in options.files]
    rows = [row for result in results for row in result.rows]
    columns = select(options.columns, any(row.ranks > 1 for row in rows))
    most = _VALUES_MAX // len(columns)
    if len(rows) > most:
        advice = f"choose fewer than {len(columns)} columns by --columns"
        raise Problem(f"more than {most} rows in {results[0].name}", advice)
    with text.output(options.output, options.files) as stream:
        if options.format == "csv":
            write_csv(stream, rows, columns)
        else:
            write_prometheus(stream, results, columns)
    for result in results:
        cli.say_incomplete(result)
    return 0
