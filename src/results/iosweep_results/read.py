# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Reads results of earlier runs from their files: CSV (with any --separator and --decimal, also
several concatenated files), and JSON of one record per line, also incomplete ones named NAME.part.
Detects the format from the content.

Files are untrusted: everything has a limit, and every error raises a Problem that names file and
line. A row keeps what identifies it, its time and its line; all else is read from that line again
when it is needed, so that a million rows need some 200 MB.
"""

import array
import collections
import csv
import io
import itertools
import json
import math
import operator
import os
import re
import sys

from . import text
from .text import Problem, printable

NAN = math.nan
SCHEMA_VERSION = "2.0-draft"
AXES = ("test", "pass", "step", "loop", "repeat", "mix", "filled_bytes", "target", "engine",
        "cache", "access", "threads", "depth", "ranks", "label", "size_bytes")
# The values shared by the rows of a curve, and their defaults.
_USUAL = {**dict.fromkeys(("test", "target", "engine", "cache", "access", "label"), ""),
          **dict.fromkeys(("step", "loop", "repeat", "threads", "depth", "ranks"), 1),
          "mix": None, "filled_bytes": 0}

# Columns and members of JSON by the kind of their values; that of others is inferred.
_Kind = collections.namedtuple("_Kind", "words types names holds", defaults=(lambda _: True,))
_TEXT = _Kind("a text", (str,), "test engine cache access notes axis base value text")
_NAME = _Kind("a name", (str,), "target label")  # contains \xNN for unprintable bytes
_KINDS = {name: kind for kind in (
    _TEXT, _NAME,
    _Kind("a whole number", (int,), "operations step loop repeat mix filled_bytes cell",
          lambda value: 0 <= value < 2**64),
    _Kind("a whole number above 0", (int,), "size_bytes threads depth ranks",
          lambda value: 0 < value < 2**64),
    _Kind("a number", (int, float), "time_s throughput_bytes_per_s rate_per_s op_ns_mean op_ns_low"
          " op_ns_high op_ns_min latency_ns_p50 latency_ns_p90 latency_ns_p99 latency_ns_p999"
          " latency_ns_max cpu_ns_per_op reference_ns queued_ns_per_op op_ns time_ns failed",
          lambda value: value >= 0),
    _Kind("a number above 0", (int, float),
          "time_ratio time_ratio_low time_ratio_high mean_ratio", lambda value: value > 0),
    _Kind("true or false", (bool,), "apart"),
    _Kind("a list of objects", (list,), "sizes",
          lambda value: all(isinstance(member, dict) for member in value)),
) for name in kind.names.split()}
_MOVE_NO_DATA = ("stat", "list", "rename", "delete")

_LINE_MAX = 1 << 20  # bytes of a line of text
_RECORD_MAX = 8 << 20  # bytes of a record of JSON; of a row some 10 KiB are usual
_FILE_MAX = 1 << 30  # bytes; a stream may be endless
_LINES_MAX = 5_000_000
ROWS_MAX = 1_000_000
_COLUMNS_MAX = 4096
_KEPT_MAX = 256 << 20  # bytes of memory, roughly; of a pipe also of its text


def _is_of(kind, value):
    return type(value) in kind.types and kind.holds(value)


class Row:
    """A row of results, or an interval of --interval and --series. Each of AXES is an attribute
    ("pass" through getattr); result: the Result of its file; op_ns: time per operation, of all
    threads together, nan: unknown or skipped; notes: a tuple of words, note_text: joined by ";";
    skipped: not measured, without figures; incomplete: measured, but not to its end; rounds_ns:
    time per operation in each counting round, empty: unknown. source: a _Table or _Document, at:
    the number of the row's line, or what it has instead of one."""

    __slots__ = ("source", "at", "axes", "size_bytes", "note_text", "op_ns", "rounds_ns")

    def __init__(self, source, at, axes, size_bytes, note_text, rounds_ns=()):
        # pylint: disable=too-many-arguments
        self.source, self.at, self.axes, self.size_bytes = source, at, axes, size_bytes
        self.note_text, self.rounds_ns = note_text, rounds_ns
        self.op_ns = NAN if self.skipped else self._op_ns()

    def _op_ns(self):
        """The time per operation of the row, else time / operations, else 1 / rate."""
        op_ns = self.number("op_ns_mean")
        if not op_ns > 0:
            operations, time_s, rate, throughput = map(self.number, (
                "operations", "time_s", "rate_per_s", "throughput_bytes_per_s"))
            rate = throughput / self.size_bytes if math.isnan(rate) else rate
            op_ns = time_s * 1e9 / operations if operations > 0 and time_s > 0 else 0.0
            op_ns = op_ns or (1e9 / rate if rate > 0 else 0.0)
        return op_ns if 0 < op_ns < math.inf else NAN

    result = property(operator.attrgetter("axes.result"))
    notes = property(lambda self: tuple(filter(None, self.note_text.split(";"))))
    skipped = property(lambda self: "skipped:" in self.note_text)
    incomplete = property(lambda self: "incomplete" in self.note_text)

    def names(self):
        """All columns of the row in the file, in its order."""
        return self.source.names(self.at)

    def get(self, name, default=None):
        """An int, a float, a str, or the JSON value; default: unknown."""
        value = self.source.value(self.at, name)
        return default if value is None else value

    def number(self, name):
        """The value as a float; nan: unknown, or not a number."""
        value = self.source.value(self.at, name)
        return float(value) if isinstance(value, (int, float)) else NAN

    @property
    def interval_ns(self):
        """The ends of the interval of op_ns, 0 if it has no lower one; None: unknown."""
        low, high = self.number("op_ns_low"), self.number("op_ns_high")
        return (low, high) if 0 <= low <= high and 0 < high < math.inf else None

    @property
    def rate_per_s(self):
        """Operations per second; nan: unknown."""
        rate = self.number("rate_per_s")
        return 1e9 / self.op_ns if math.isnan(rate) else rate

    @property
    def throughput_bytes_per_s(self):
        """The throughput in the file, else size / op_ns; nan: unknown, or a test that moves no data
        of that size."""
        if self.op_ns != self.op_ns or self.test in _MOVE_NO_DATA:
            return NAN
        throughput = self.number("throughput_bytes_per_s")
        throughput = throughput if throughput > 0 else self.size_bytes * 1e9 / self.op_ns
        return throughput if throughput < math.inf else NAN

    @property
    def histogram(self):
        """Latencies as pairs (lower_ns, count), in ascending order; empty: unknown."""
        try:
            return [(int(ns), int(count)) for ns, count in self.get("latency_histogram") or ()]
        except (TypeError, ValueError):
            raise Problem(f"a histogram holds no pairs of numbers in {self.result.name}") from None

    @property
    def place(self):
        """What distinguishes the row from others of its test: ", step 3, loop 2"; mostly ""."""
        shown = {"step": getattr(self, "pass") > 1, "loop": self.loop > 1,
                 "repeat": self.repeat > 1, "mix": self.mix is not None}
        filled = f", {text.amount(self.filled_bytes)} filled" if self.filled_bytes else ""
        return "".join(f", {n} {getattr(self, n)}" for n, is_ in shown.items() if is_) + filled


class Axes:
    """The common values of the rows of a curve, as attributes."""

    __slots__ = (*AXES[:-1], "result")

    def __init__(self, result, values):
        self.result = result
        for (name, usual), value in zip(_USUAL.items(), values):
            setattr(self, name, usual if value is None else value)
        self.access = "" if self.access == "random" else self.access


for _axis in AXES[:-1]:
    setattr(Row, _axis, property(operator.attrgetter("axes." + _axis)))


class Result:  # pylint: disable=R0902
    """One file. path: as given; name: printable; short: its last part (see name_apart()); stream:
    of its text, to read again; format: "csv", "json", "series"; complete: False if it was read from
    NAME.part or is truncated; head, end: of JSON; rows, intervals: Rows; warnings, findings:
    sentences; pairs: records, checked; has_notes: False if the file lacks notes, so that rows
    without notes may deserve some."""

    def __init__(self, path):
        self.path = path
        self.name = printable("standard input" if path == "-" else path)
        self.short = os.path.basename(self.name) or self.name
        self.stream = None
        self.format, self.complete, self.has_notes = "", not path.endswith(".part"), True
        self.head, self.end = {}, {}
        self.rows, self.intervals, self.pairs = [], [], []
        self.warnings, self.findings = [], []
        self._axes = {}

    @property
    def axes(self):
        """The Axes of all rows."""
        return [axes for (is_row, _), axes in self._axes.items() if is_row]

    def axes_of(self, values, is_row=True):
        """Returns each Axes once. values: in the order of _USUAL, None: unknown; is_row: of a row,
        not of an interval, whose row may be missing in the file."""
        if (is_row, values) not in self._axes:
            self._axes[is_row, values] = Axes(self, values)
        return self._axes[is_row, values]

    def fact(self, path, default=None):
        """A fact of the head, by path: "host.kernel"."""
        value = self.head
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return default if value is None else value

    def number_passes(self):
        """Numbers the steps of each test, so that steps of two files match."""
        steps = collections.defaultdict(set)
        for axes in self._axes.values():
            steps[axes.test].add(axes.step)
        numbers = {(test, step): number for test, its_steps in steps.items()
                   for number, step in enumerate(sorted(its_steps), 1)}
        for axes in self._axes.values():
            setattr(axes, "pass", numbers[axes.test, axes.step])


# --- lines


class _Lines:
    """Lines of a stream without their ends, as text; bytes that are not UTF-8 are preserved. Each
    iteration continues where the previous one stopped."""

    def __init__(self, stream, name):
        self.name, self.line_max, self._stream = name, _LINE_MAX, stream
        self.number = self._kept_bytes = self._rows = 0  # of the last line; of what was kept
        self.cut = False  # the last line had no end
        self._begins = array.array("Q", [stream.tell()])  # of all lines, and the next one
        self._lines = self._read()

    def __iter__(self):
        return self._lines

    def fail(self, sentence, advice=None, at=None):
        """A Problem at this line, or at another one."""
        return Problem(f"{sentence} {self.name}:{at or self.number}", advice)

    def keep(self, count_bytes, rows=0):
        """Counts memory, and rows."""
        self._kept_bytes += count_bytes
        self._rows += rows
        if self._rows > ROWS_MAX:
            raise self.fail(f"more than {ROWS_MAX} rows at", "name fewer or shorter files")
        if self._kept_bytes > _KEPT_MAX:
            raise self.fail("more different rows than there is memory for, at")

    def _read(self):
        for line in iter(lambda: self._stream.readline(self.line_max + 2), b""):
            self.number += 1
            end = self._begins[-1] + len(line)
            self._begins.append(end)
            self.cut = not line.endswith(b"\n")
            if len(line) > self.line_max + 1:
                raise self.fail(f"a line of more than {self.line_max >> 10} KiB at")
            if end - self._begins[0] > _FILE_MAX or self.number > _LINES_MAX:
                raise self.fail(f"longer than {_FILE_MAX >> 30} GiB or {_LINES_MAX} lines, at")
            if b"\0" in line:
                raise self.fail("binary data, not text, at", "name a result of iosweep; if a spread"
                                'sheet wrote it as UTF-16 ("Unicode"), save it as UTF-8')
            yield self._text(line)

    @staticmethod
    def _text(line):
        # concatenated files contain byte order marks inside
        return line.decode("utf-8", "surrogateescape").rstrip("\r\n").lstrip("\ufeff")

    def again(self, number):
        """A line once more, after all were read."""
        try:
            self._stream.seek(self._begins[number - 1])
            return self._text(self._stream.readline(self.line_max + 2))
        except OSError as error:
            raise Problem(f"cannot read {self.name} again: {error.strerror}") from None


class _Source:
    """Lines of a file with the same format; parse(line): the fields of one."""

    def __init__(self, lines, result):
        self.lines, self.result, self._at, self._fields = lines, result, 0, None

    def fields(self, at, line=None):
        """The fields of the line with that number; of the last one they are kept."""
        if at != self._at:
            self._fields = self.parse(self.lines.again(at) if line is None else line)
            self._at = at
        return self._fields


# --- CSV

_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
_NUMBER = re.compile(r"[0-9]+(?:([.,])[0-9]+)?(?:[eE][-+]?[0-9]+)?")
csv.field_size_limit(_LINE_MAX)


def _separator(header):
    """The first character that does not occur in names, a blank only if there is no other."""
    marks = re.findall('[^a-z0-9_"]', header)
    return next((mark for mark in marks if mark != " "), marks[0] if marks else ",")


def _is_header(line):
    mark = re.escape(_separator(line))
    return bool(re.search(f'(?:^|{mark})[ "]*size_bytes[ "]*(?:{mark}|$)', line))


def _unguarded(field):
    """Removes the apostrophe that protects spreadsheets from formulas."""
    return field[1:] if field[:1] == "'" and field[1:2] in ("=", "+", "-", "@", "'") else field


def _named(name):
    r"""A name with the bytes that \xNN stands for; other escapes are never written."""

    def byte(match):
        code = int(match.group(1), 16)
        plain = code == 0 or 0x20 <= code < 0x7F and code != 0x5C
        return match.group() if plain else bytes((code,))

    if "\\x" not in name:
        return name
    return _ESCAPE.sub(byte, text.to_bytes(name)).decode("utf-8", "surrogateescape")


class _Table(_Source):  # pylint: disable=R0902
    """The rows under one header."""

    def __init__(self, lines, header, result):
        super().__init__(lines, result)
        self.separator, self.mark = _separator(header), None  # mark: of decimals, when it was seen
        self.header = [name.strip(" \t") for name in self._split(header)]
        lines.keep(20_000 + 500 * len(self.header))
        if len(self.header) > _COLUMNS_MAX:
            raise lines.fail(f"more than {_COLUMNS_MAX} columns in")
        for name in _KINDS:
            if self.header.count(name) > 1:
                raise lines.fail(f"column {name} appears twice in")
        self.places = {name: place for place, name in enumerate(self.header)}
        known = set(self.places)
        if "size_bytes" not in known or not (
                known & {"op_ns_mean", "rate_per_s", "throughput_bytes_per_s"}
                or {"operations", "time_s"} <= known):
            raise lines.fail("too few columns in the header", "expected size_bytes, and op_ns_mean,"
                             " rate_per_s, throughput_bytes_per_s, or operations and time_s")
        self.is_series = "interval_s" in known  # records are those of --series, moments of rows
        self.rows = result.intervals if self.is_series else result.rows
        self._own = [self.places[name] for name in _USUAL if name in known]
        self._axes, self._sizes = {}, {}  # by their fields

    def _split(self, line):
        """The fields of a record, without surrounding blanks, except in a quoted name."""
        if '"' not in line:
            fields, blank = line.split(self.separator), " " in line or "\t" in line
            return [field.strip(" \t") for field in fields] if blank else fields
        try:
            return next(csv.reader([line], delimiter=self.separator, strict=True,
                                   skipinitialspace=self.separator != " "))
        except csv.Error as error:
            what = "a quoted field is not closed in" if "end of data" in str(error) else (
                "something follows a closing quote in")
            raise self.lines.fail(what) from None

    def parse(self, line):
        """The fields of a row, one for each column: spreadsheets fill up with empty ones."""
        fields, columns = self._split(line), len(self.header)
        if len(fields) == columns:
            return fields
        if any(fields[columns:]) or len(fields) < columns and any(fields):
            raise self.lines.fail(f"{len(fields)} fields, but {columns} columns in the header, in")
        return (fields + [""] * columns)[:columns]

    def take(self, line):
        """Adds a row, or an interval."""
        fields = self.fields(self.lines.number, line)
        size, key = fields[self.places["size_bytes"]], tuple([fields[at] for at in self._own])
        if not size and (self.is_series or not any(fields)):
            return  # no part was being measured
        notes = fields[self.places["notes"]] if "notes" in self.places else ""
        self.lines.keep(150 + len(notes), 1)
        if size not in self._sizes:
            self.lines.keep(200)
            self._sizes[size] = self._typed("size_bytes", size)
        if key not in self._axes:
            self.lines.keep(1000)
            values = (self.value(self.lines.number, name) for name in _USUAL)
            self._axes[key] = self.result.axes_of(tuple(values), not self.is_series)
        self.rows.append(Row(self, self.lines.number, self._axes[key], self._sizes[size],
                             sys.intern(_unguarded(notes))))

    def _typed(self, name, field):
        """The value of a field; None: unknown."""
        kind = _KINDS.get(name)
        if not field and name != "size_bytes":
            return None
        if kind is _NAME or kind is _TEXT:
            return _named(_unguarded(field)) if kind is _NAME else _unguarded(field)
        field = field.strip(" \t")  # around quotes
        match, value = _NUMBER.fullmatch(field), None
        if match and match[1] in (None, self.mark or match[1]):
            value = int(field) if len(field) <= 20 and field.isdecimal() else (
                float(field.replace(",", ".")))
            if kind:
                value = int(value) if kind.types == (int,) and value % 1 == 0 else value
                self.mark = match[1] or self.mark
        value = _unguarded(field) if value in (None, math.inf) else value
        if kind and not _is_of(kind, value):
            raise self.lines.fail(f'"{field[:40]}" in column {name} is not {kind.words} in',
                                  at=self._at)
        return value

    def names(self, _at):
        return self.header

    def value(self, at, name):
        """The value of a row in a column; None: unknown."""
        place = self.places.get(name)
        return None if place is None else self._typed(name, self.fields(at)[place])


def _read_csv(lines, header, result, series):
    for line in itertools.chain((header,), lines):
        if "size_bytes" in line and _is_header(line):
            table = _Table(lines, line, result)
            if table.is_series and not series:
                raise lines.fail("records of --series, not results, begin at",
                                 "use the file that -o of that run wrote")
            result.format = "series" if table.is_series else "csv"
            result.has_notes = result.has_notes and "notes" in table.places
        elif not line.startswith("#"):
            table.take(line)
    if lines.cut:
        text.warn(f"{lines.name}: the last line has no end, it may be cut off")
        result.complete = False


# --- JSON


def _finite(digits):
    """A number of JSON that fits into a float."""
    if not math.isfinite(float(digits)):
        raise ValueError("a number out of range")
    return float(digits)


# long numbers do not become int, whose conversion is slow
_decode = json.JSONDecoder(parse_int=lambda digits: (int if len(digits) <= 20 else _finite)(digits),
                           parse_float=_finite, parse_constant=_finite).decode


class _Cell:
    """A cell of JSON: its record, times of its rounds, and the sums of its slices; done: its row
    was read."""

    def __init__(self):
        self.record, self.rounds = None, []
        self.sums, self.done = collections.Counter(), False

    def row(self):
        """A row for a cell without a written one: columns derived from sums."""
        row = dict(self.record, record="row", rounds=len(self.rounds),
                   op_ns_mean=sum(self.rounds) / len(self.rounds), errors=self.sums["failed"],
                   operations=self.sums["operations"], time_s=self.sums["time_ns"] / 1e9)
        if row["time_s"] > 0 and row["operations"]:
            row["op_ns_mean"] = row["time_s"] * 1e9 / row["operations"]
            row["rate_per_s"] = row["operations"] / row["time_s"]
        row["notes"] = ";".join(filter(None, (row.get("notes"), "incomplete")))
        return row


# Required members of records.
PAIR_AXES = ("target", "engine", "access", "threads", "depth")
PAIR_RATIOS = ("time_ratio", "time_ratio_low", "time_ratio_high", "mean_ratio")
_PAIR_TEXTS = ("axis", "base", "value", "test", "cache", "text")
_NEEDED = {"row": ("size_bytes",), "cell": ("cell",), "slice": ("cell",),
           "pair": (*_PAIR_TEXTS, *PAIR_RATIOS, "sizes"),
           "size": ("size_bytes", "rounds", *PAIR_RATIOS, "apart")}


class _Document(_Source):
    """One document of JSON: a method for each kind of record; others are ignored. A row without a
    line has its record instead."""

    def __init__(self, lines, result):
        super().__init__(lines, result)
        self.label, self.ended, self._cells = "", False, collections.defaultdict(_Cell)

    def parse(self, line):
        """The record of a line."""
        try:
            record = _decode(line.lstrip(","))
            if isinstance(record, dict):
                return record
            reason = "not an object"
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else (
                getattr(error, "msg", error))
        raise self.lines.fail(f"invalid JSON ({reason}), or not one record, at")

    def record(self, at):
        """The record of a row."""
        return at if isinstance(at, dict) else self.fields(at)

    def names(self, at):
        return [name for name in self.record(at) if name != "record"]

    def value(self, at, name):
        """The value of a row's member; None: unknown."""
        value = self.record(at).get(name)
        return self.label if value is None and name == "label" else value

    def take(self, line):
        """Adds a record."""
        record = self.fields(self.lines.number, line)
        take = getattr(self, f"_take_{record.get('record')}", None)
        if take:
            self._check(record["record"], record)
            take(record, len(line))

    def _check(self, kind, record):
        """Checks required members, and the types of members."""
        for needed in _NEEDED.get(kind, ()):
            if record.get(needed) is None:
                raise self.lines.fail(f"no {needed} at")
        for name, value in record.items():
            if name in _KINDS and not (value is None or _is_of(_KINDS[name], value)):
                raise self.lines.fail(f"{name} is not {_KINDS[name].words} at")

    def _cell(self, record):
        self.lines.keep(0 if record["cell"] in self._cells else 1000)
        return self._cells[record["cell"]]

    def _take_head(self, record, _length):
        kind, version = (str(record.get(name))[:40] for name in ("document", "schema_version"))
        if kind != "iosweep results":
            raise self.lines.fail(f"a document of another kind ({kind}), not results, at")
        major = SCHEMA_VERSION.partition(".")[0]
        if version.partition(".")[0] != major:
            raise self.lines.fail(f"written for another iosweep (schema version {version}) at",
                                  f"this one reads version {major}")
        self.label = record.get("label") or ""
        self.result.head = self.result.head or record

    def _take_cell(self, record, length):
        self.lines.keep(5 * length)
        self._cell(record).record = record

    def _take_slice(self, record, _length):
        cell = self._cell(record)
        for name in ("operations", "time_ns", "failed"):
            cell.sums[name] += record.get(name) or 0
        if record.get("op_ns") is not None:  # otherwise the round ends in the next slice
            self.lines.keep(40)
            cell.rounds.append(record["op_ns"])

    def _row(self, at, rounds, is_row=True):
        record = self.record(at)
        values = {**record, "target": _named(record.get("target") or ""),
                  "label": self.value(at, "label")}
        self.lines.keep(1000, 1)
        axes = self.result.axes_of(tuple(map(values.get, _USUAL)), is_row)
        return Row(self, at, axes, record["size_bytes"], record.get("notes") or "", rounds)

    def _take_row(self, record, _length):
        cell = _Cell() if record.get("cell") is None else self._cell(record)
        cell.done = True
        self.result.rows.append(self._row(self.lines.number, cell.rounds))

    def _take_interval(self, record, _length):
        if record.get("size_bytes") is not None:  # otherwise no part was being measured
            self.result.intervals.append(self._row(self.lines.number, (), False))

    def _take_finding(self, record, length):
        self.lines.keep(length)
        kind = self.result.warnings if record.get("warning") is True else self.result.findings
        kind.append(str(record.get("text")))

    def _take_pair(self, record, length):
        self.lines.keep(10 * length)
        for size in record["sizes"]:
            self._check("size", size)
        if record["axis"] not in PAIR_AXES or not record["sizes"]:
            raise self.lines.fail("a pair of nothing that can be compared at")
        texts = {name: text.printable_sentence(record[name]) for name in _PAIR_TEXTS}
        self.result.pairs.append({**record, **texts})

    def _take_end(self, record, _length):
        self.ended = True
        self.result.end = self.result.end or record

    def close(self):
        """Creates rows from slices for cells being measured when the run was killed."""
        self.result.complete = self.result.complete and self.ended
        for cell in [] if self.ended else self._cells.values():
            if cell.record and cell.rounds and not cell.done:
                row = cell.row()
                if math.inf in row.values():
                    raise self.lines.fail("the sums of a cell are out of range in")
                self._check("row", row)
                self.result.rows.append(self._row(row, cell.rounds))


def _read_json(lines, result):
    result.format, lines.line_max = "json", _RECORD_MAX
    document, comma = _Document(lines, result), False
    for line in map(str.strip, lines):
        if line == "]":
            break
        if line and lines.cut and not line.endswith("}"):
            break  # killed while this record was written
        if line:
            if line.startswith(",") is not comma:
                raise lines.fail("not JSON of iosweep, one record a line: expected a comma at")
            document.take(line)
            comma = True
    document.close()
    if any(lines):
        raise lines.fail("something follows the end of the results in")
    if not result.complete and (result.rows or result.intervals):
        text.warn(f"{lines.name}: its run did not end; rows under way are marked incomplete")


# --- files


def _open(path):
    """A stream that can be read again."""
    # pylint: disable=consider-using-with # it stays open
    stream = open(0 if path == "-" else path, "rb", closefd=path != "-")
    if stream.seekable():
        return stream
    data = stream.read(_KEPT_MAX + 1)
    if len(data) > _KEPT_MAX:
        raise Problem(f"more than {_KEPT_MAX >> 20} MiB from a pipe", "name a file")
    return io.BytesIO(data)


def _read_format(lines, result, series):
    """Detects the format by the first line that is not a comment."""
    for line in lines:
        if line.strip() == "[":
            return _read_json(lines, result)
        if "size_bytes" in line and _is_header(line):
            return _read_csv(lines, line, result, series)
        if line and not line.startswith("#"):
            advice = "expected a CSV header with size_bytes, or JSON of iosweep"
            if line.startswith("<"):
                advice = "a page of iosweep report has its files under Data: save them from there"
            raise lines.fail("not an iosweep result:", advice)
    raise Problem(f"nothing to read in {lines.name}", "it holds no results; did its run fail?")


def read(path, series=False):
    """The Result of a file, or of "-", standard input. series: accepts records of --series."""
    if not path:
        raise Problem("empty name of a file", "name a file of results")
    result = Result(path)
    try:
        result.stream = _open(path)
        _read_format(_Lines(result.stream, result.name), result, series)
    except (OSError, ValueError) as error:  # of a name with a byte 0
        reason, advice = getattr(error, "strerror", None) or str(error), None
        if isinstance(error, (FileNotFoundError, IsADirectoryError)):
            reason = "it is a directory" if os.path.isdir(path) else "it does not exist"
            advice = "name a file of results, as iosweep -o FILE writes"
        if os.path.exists(path + ".part"):
            advice = f"{result.name}.part is there: its run has not ended, or was killed"
        raise Problem(f"cannot read {result.name}: {reason}", advice) from None
    if not result.rows and not (series and result.intervals):
        raise Problem(f"no rows of results in {result.name}",
                      "expected CSV or JSON output of iosweep" if result.complete else
                      "its run did not end before its first row")
    result.number_passes()
    return result


# --- curves

# What curves differ in, in the order of their names.
CACHES = {"cached": "page cache", "direct": "O_DIRECT", "asis": ""}
_WORDS = ("file", *(axis for axis in AXES[:-1] if axis not in ("step", "filled_bytes")))


class Curve:
    """Rows of one file that differ only in size, in ascending order."""

    def __init__(self, rows):
        self.rows, self.file = rows, rows[0].result

    def value(self, word):
        """The value of the curve in one of the words."""
        return self.file if word == "file" else getattr(self.rows[0], word)

    def word(self, word):
        """The same as text: "read", "depth 8"; "": nothing to say."""
        if word == "file":
            return self.file.short
        value = self.rows[0].step if word == "pass" else self.value(word)
        if isinstance(value, str):
            return printable(CACHES.get(value, value) if word == "cache" else value)
        return "no mix" if value is None else f"{'step' if word == 'pass' else word} {value}"

    def key(self, words):
        """A key, equal for curves with the same values in these words."""
        return tuple(map(self.value, words))

    def name(self, words):
        """All of the words: "read O_DIRECT depth 8"."""
        return " ".join(filter(None, map(self.word, words)))


def words_apart(every):
    """The words in which the curves of a set differ."""
    return [word for word in _WORDS if len({curve.value(word) for curve in every}) > 1]


def name_apart(results):
    """Adds the directory to the names of results whose files have the same name in different
    directories."""
    for result in results:
        parts = result.path.split("/")
        alike = {r.path for r in results if r.path.split("/")[-1] == parts[-1]}
        if result.path != "-":
            result.short = printable("/".join(parts[-1 - (len(alike) > 1) :])) or result.name


def curves(rows):
    """All curves of rows, also of several files, in the order of their first rows. Rows without
    figures are omitted; a size that occurs twice is kept twice."""
    found, of_axes = {}, {}
    for row in rows:
        if not math.isnan(row.op_ns):
            axes = id(getattr(row, "axes", row))  # which many rows share
            if axes not in of_axes:
                key = (id(row.result), *(getattr(row, word) for word in _WORDS[1:]))
                of_axes[axes] = found.setdefault(key, [])
            of_axes[axes].append(row)
    return [Curve(sorted(its_rows, key=lambda row: row.size_bytes)) for its_rows in found.values()]
