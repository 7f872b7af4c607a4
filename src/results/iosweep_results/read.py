# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Results of earlier runs, read back from their files: CSV (with any --separator and --decimal, also
several files one after the other), JSON of one record a line, also while it grows as NAME.part, the
output of io_profile, and a report page that holds one of them.  The content shows which it is.

A file may come from anywhere: everything has a limit, and whatever is wrong raises a Problem that
names file and line.  A row keeps its line and takes it apart when asked, since parsed columns need
ten times the memory.
"""

import array
import csv
import io
import itertools
import json
import math
import operator
import os
import re
import statistics
import sys

from . import text
from .text import Problem, printable

NAN = math.nan
AXES = (
    "test", "pass", "step", "loop", "repeat", "mix", "filled_bytes", "target", "engine", "cache",
    "access", "threads", "depth", "ranks", "label", "size_bytes",
)  # fmt: skip

_TEXTS = frozenset(("test", "target", "engine", "cache", "access", "notes", "label"))
_NAMES = frozenset(("target", "label"))  # in CSV with \xNN for what is not printable
# Counts and their values where a file does not have them.
_AXIS_COUNTS = {
    "threads": 1, "depth": 1, "ranks": 1, "step": 1, "loop": 1, "repeat": 1, "mix": None,
    "filled_bytes": 0,
}  # fmt: skip
_COUNTS = frozenset(("size_bytes", "operations", *_AXIS_COUNTS))
_REALS = frozenset((
    "time_s", "throughput_bytes_per_s", "rate_per_s", "op_ns_median", "op_ns_low", "op_ns_high",
    "latency_ns_p50", "latency_ns_p90", "latency_ns_p99", "latency_ns_p999", "latency_ns_max",
    "op_ns_min", "cpu_ns_per_op", "reference_ns", "queued_ns_per_op",
))  # fmt: skip
_KEY = ("test", "target", "engine", "cache", "access", "label", *_AXIS_COUNTS)
_MOVE_NO_DATA = frozenset(("stat", "list", "rename", "delete"))

_LINE_MAX = 1 << 20  # bytes of a line of text
_RECORD_MAX = 8 << 20  # bytes of a record of JSON; of a row about 10 KiB are usual
_FILE_MAX = 1 << 30  # bytes; a stream may never end
_LINES_MAX = 5_000_000
_ROWS_MAX = 1_000_000
_KEPT_MAX = 320 << 20  # bytes of lines that rows keep
_PAGE_MAX = 128 << 20
_COLUMNS_MAX = 4096
_PREAMBLE_LINES = 1000  # before the table of io_profile: messages, a shell's prompt
_ITEMS_MAX = 1000  # results in a page


# --- rows


class Record:
    """Named values: a row, or an interval of --interval.  What is not known is None."""

    __slots__ = ("columns", "source")

    def __init__(self, columns, source):
        self.columns, self.source = columns, source

    def names(self):
        """All columns that the file has of it, in its order."""
        return self.columns.names(self.source)

    def get(self, name, default=None):
        """An int, a float, a str, or what JSON has there; default: not known."""
        value = self.columns.value(self.source, name)
        return default if value is None else value

    __getitem__ = get

    def number(self, name):
        """As a float; nan: not known, or no number."""
        value = self.get(name)
        return float(value) if isinstance(value, (int, float)) else NAN

    def text(self, name):
        """As a str; "": not known."""
        value = self.get(name, "")
        return f"{value:.15g}" if isinstance(value, float) else str(value)


class Row(Record):
    """A row of results.  Each of AXES is an attribute ("pass" through getattr, or as pass_)."""

    __slots__ = ("result", "axes", "size_bytes", "_notes")

    def __init__(self, columns, source, result, axes, size_bytes, notes):
        # pylint: disable=super-init-not-called,too-many-arguments # a million times
        self.columns, self.source, self.result = columns, source, result
        self.axes, self.size_bytes, self._notes = axes, size_bytes, notes

    @property
    def key(self):
        """All AXES but the size, in their order."""
        return self.axes.key

    @property
    def notes(self):
        """The words of the notes."""
        return self._notes.split(";") if self._notes else []

    @property
    def skipped(self):
        """Not measured: there are no figures."""
        return "skipped:" in self._notes and any(n.startswith("skipped:") for n in self.notes)

    @property
    def incomplete(self):
        """Measured, but not to its end."""
        return "incomplete" in self._notes and "incomplete" in self.notes

    @property
    def rate_per_s(self):
        """Operations per second; nan: not known."""
        rate = self.number("rate_per_s")
        if math.isnan(rate) and self.number("throughput_bytes_per_s") > 0:
            rate = self.number("throughput_bytes_per_s") / self.size_bytes
        return rate

    @property
    def op_ns(self):
        """Time per operation, of all threads together: median over the rounds when known, else
        time / operations, else 1 / rate; nan: not known, or skipped."""
        if self.skipped:
            return NAN
        op_ns = self.number("op_ns_median")
        operations, time_s = self.number("operations"), self.number("time_s")
        if op_ns > 0:
            return op_ns
        if operations > 0 and time_s > 0:
            return time_s * 1e9 / operations
        rate = self.rate_per_s
        return 1e9 / rate if rate > 0 and 1e9 / rate > 0 else NAN

    @property
    def throughput_bytes_per_s(self):
        """size / op_ns; nan: not known, or a test that moves no data of that size."""
        if self.test in _MOVE_NO_DATA:
            return NAN
        throughput = self.size_bytes * 1e9 / self.op_ns
        return throughput if 0 < throughput < math.inf else NAN

    @property
    def slices(self):
        """Records of the slices of its cell, in the order of the file."""
        return self.columns.slices(self.get("cell"))

    @property
    def rounds_ns(self):
        """Time per operation in each round that counts; empty: not known."""
        return list(self.columns.rounds(self.get("cell"))[0])

    @property
    def reference_rounds_ns(self):
        """Of the reference, beside each of rounds_ns; empty: not known of all of them."""
        rounds, references = self.columns.rounds(self.get("cell"))
        return [] if len(references) < len(rounds) else list(references)

    @property
    def histogram(self):
        """Latencies as pairs (lower_ns, count), by rising lower_ns; empty: not known."""
        return histogram_of(self.get("latency_histogram") or ())

    @property
    def place(self):
        """What it is apart from others of its test: ", step 3, loop 2"; mostly ""."""
        parts = [
            f", {name} {getattr(self, name)}"
            for name, shown in (("step", self.pass_), ("loop", self.loop), ("repeat", self.repeat))
            if shown > 1
        ]
        if self.mix is not None:
            parts.append(f", mix {self.mix}")
        if self.filled_bytes:
            parts.append(f", {text.amount(self.filled_bytes)} filled")
        return "".join(parts)


class Axes:
    """What rows of one curve share; also key, all of it as a tuple."""

    __slots__ = (*AXES[:-1], "key")


for _axis in AXES[:-1]:
    setattr(Row, _axis, property(operator.attrgetter("axes." + _axis)))
Row.pass_ = getattr(Row, "pass")


def histogram_of(pairs):
    """Pairs as JSON has them, checked."""
    try:
        return [(int(lower_ns), int(count)) for lower_ns, count in pairs]
    except (TypeError, ValueError):
        raise Problem("a histogram holds no pairs of numbers") from None


class Result:
    """One file.  path: as given; name: for people; format: "csv", "json", "classic", "series";
    complete: False where it was read from NAME.part or is cut off; head: of JSON; rows, intervals:
    Row, Record; findings: sentences; summaries, end: what JSON has behind its rows; has_notes:
    False where rows without notes may have something to note."""

    # pylint: disable=too-many-instance-attributes

    def __init__(self, path):
        self.path = path
        self.name = printable("standard input" if path == "-" else path)
        self.format = ""
        self.complete = not path.endswith(".part")
        self.has_notes = True
        self.head, self.end = {}, {}
        self.rows, self.intervals, self.findings, self.summaries = [], [], [], []
        self._axes = {}

    def fact(self, path, default=None):
        """Of the head (of "end" and "changed" behind it), by a path: "host.kernel"."""
        value = self.head
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return default if value is None else value

    @property
    def axes(self):
        """Those of all rows, each once."""
        return self._axes.values()

    def add(self, columns, source, key, size_bytes, notes):
        """A row; key: the values of _KEY."""
        # pylint: disable=too-many-arguments
        axes = self._axes.get(key)
        if axes is None:
            axes = self._axes[key] = Axes()
            for name, value in zip(_KEY, key):
                setattr(axes, name, value)
            if axes.access == "random":
                axes.access = ""
        self.rows.append(Row(columns, source, self, axes, size_bytes, notes))

    def number_passes(self):
        """Steps of a test by their numbers, which makes steps of two files the same."""
        steps = {}
        for axes in self._axes.values():
            steps.setdefault(axes.test, set()).add(axes.step)
        numbers = {
            (test, step): number
            for test, all_steps in steps.items()
            for number, step in enumerate(sorted(all_steps), 1)
        }
        shared = {}
        for axes in self._axes.values():
            setattr(axes, "pass", numbers[axes.test, axes.step])
            key = tuple(getattr(axes, name) for name in AXES[:-1])
            axes.key = shared.setdefault(key, key)


# --- lines


class _Lines:
    """Lines of a file without their ends, as text; bytes that are no UTF-8 stay what they are."""

    def __init__(self, stream, name, line_max=_LINE_MAX):
        self.stream, self.name, self.line_max = stream, name, line_max
        self.number = self.total_bytes = self.kept_bytes = 0
        self.cut = False  # the last line had no end
        self._again = []

    def fail(self, sentence, advice=None):
        """A Problem at this line."""
        return Problem(f"{sentence} {self.name}:{self.number}", advice)

    def again(self, line):
        """Has a line come once more."""
        self._again.append(line)

    def keep(self, length):
        """Counts what a row keeps."""
        self.kept_bytes += length
        if self.kept_bytes > _KEPT_MAX:
            raise self.fail(f"more than {_KEPT_MAX >> 20} MiB of rows at")

    def next(self):
        """The next line; None: the end."""
        if self._again:
            return self._again.pop()
        try:
            line = self.stream.readline(self.line_max + 1)
        except OSError as error:
            raise _unreadable(self.name, error) from None
        if not line:
            return None
        self.number += 1
        self.total_bytes += len(line)
        self.cut = not line.endswith(b"\n")
        if len(line) > self.line_max:
            raise self.fail(f"a line of more than {self.line_max >> 10} KiB at")
        if self.total_bytes > _FILE_MAX or self.number > _LINES_MAX:
            raise self.fail(
                f"longer than {_FILE_MAX >> 30} GiB or {_LINES_MAX / 1e6:.0f} million lines, at"
            )
        if b"\0" in line:
            raise self.fail(
                "binary data, not text, at",
                "name a result of iosweep; if a spreadsheet wrote it as UTF-16"
                ' ("Unicode"), save it as UTF-8',
            )
        # also inside, where files were put together
        if line.startswith(b"\xef\xbb\xbf"):
            line = line[3:]
        line = line[:-2] if line.endswith(b"\r\n") else line.rstrip(b"\n")
        return line.decode("utf-8", "surrogateescape")

    def __iter__(self):
        return iter(self.next, None)


def _unreadable(name, error):
    reason, advice = error.strerror or str(error), None
    if isinstance(error, (FileNotFoundError, IsADirectoryError)):
        missing = isinstance(error, FileNotFoundError)
        reason = "it does not exist" if missing else "it is a directory"
        advice = "name a file of results, as iosweep -o FILE writes"
        if missing and error.filename and os.path.exists(os.fsencode(error.filename) + b".part"):
            advice = f"{name}.part is there: the run that writes it has not ended, or was killed"
    return Problem(f"cannot read {name}: {reason}", advice)


# --- CSV

_BLANKS = " \t"
_NEEDED = (
    "expected size_bytes, and op_ns_median, rate_per_s, throughput_bytes_per_s, or operations and"
    " time_s"
)
# Numbers that need no second look: below 2^63, and finite.
_PLAIN_COUNT = "[0-9]{0,18}"
_PLAIN_REAL = "(?:[0-9]{1,99}(?:%s[0-9]{1,99})?(?:[eE][+-]?[0-9]{1,2})?)?"
_NUMBER = re.compile(r"([0-9]+)(?:([.,])([0-9]+))?([eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


def _separator(header):
    """A tab, semicolon or comma if there is one; else the first character that no name has."""
    for usual in "\t;,":
        if usual in header:
            return usual
    return re.search('[^a-z0-9_"]|$', header).group() or ","


def _is_header(line):
    if "size_bytes" not in line:
        return False
    mark = re.escape(_separator(line))
    return bool(re.search(f'(?:^|{mark})[ "]*size_bytes[ "]*(?:{mark}|$)', line))


def _named(name):
    r"""A name with the bytes that \xNN stands for; other escapes nobody writes."""
    if "\\x" not in name:
        return name

    def byte(match):
        code = int(match.group(1), 16)
        return match.group() if 0x20 <= code < 0x7F and code != 0x5C else bytes((code,))

    return _ESCAPE.sub(byte, text.to_bytes(name)).decode("utf-8", "surrogateescape")


class _Csv:
    """What one header says: where columns stand, how records are split, which numbers are valid."""

    def __init__(self, lines, header):
        self.lines = lines
        self.separator, self.mark = _separator(header), ""
        columns = self.split(header)
        if len(columns) > _COLUMNS_MAX:
            raise lines.fail(f"more than {_COLUMNS_MAX} columns in")
        self.header = columns
        self.index = {}
        for i, name in enumerate(columns):
            if name in self.index and name in _TEXTS | _COUNTS | _REALS:
                raise lines.fail(f"column {name} appears twice in")
            self.index.setdefault(name, i)
        self.series = "interval_s" in self.index
        known = self.index.keys()
        if "size_bytes" not in known or not (
            known & {"op_ns_median", "rate_per_s", "throughput_bytes_per_s"}
            or {"operations", "time_s"} <= known
        ):
            raise lines.fail("too few columns in the header", _NEEDED)
        # a record gets an empty field more, which columns that are missing point to
        self._key = operator.itemgetter(*(self.index.get(name, -1) for name in _KEY))
        self._size = self.index["size_bytes"]
        self._notes = self.index.get("notes", -1)
        self._checked = [name for name in columns if name in _COUNTS or name in _REALS]
        self._figures = operator.itemgetter(-1, *(self.index[name] for name in self._checked))
        self._match = self._matcher()
        self._keys = {}
        self._strings = {"": ""}
        self._last = None, ()

    def _matcher(self):
        """Accepts the figures of a usual record, joined."""
        real = _PLAIN_REAL % re.escape(self.mark) if self.mark else "[0-9]{0,99}"
        forms = (_PLAIN_COUNT if name in _COUNTS else real for name in self._checked)
        return re.compile("".join(r"\|" + form for form in forms)).fullmatch

    def split(self, line):
        """The fields of a record, without blanks around them."""
        if '"' in line:
            return self._split_quoted(line)
        if " " in line or "\t" in line:
            blanks = _BLANKS.replace(self.separator, "")
            return [field.strip(blanks) for field in line.split(self.separator)]
        return line.split(self.separator)

    def _split_quoted(self, line):
        """Quoted fields may hold newlines, so more lines may be taken."""
        begin = self.lines.number
        length = 0

        def records():
            nonlocal length
            for more in itertools.chain((line,), self.lines):
                length += len(more) + 1
                if length > _LINE_MAX:
                    raise self.lines.fail(f"a record of more than {_LINE_MAX >> 10} KiB at")
                yield more + "\n"

        try:
            fields = next(
                csv.reader(records(), delimiter=self.separator, strict=True, skipinitialspace=True)
            )
        except csv.Error as error:
            if "end of data" in str(error):
                raise self.lines.fail(
                    f"a quoted field that begins in line {begin} is not closed in"
                ) from None
            raise self.lines.fail("something follows a closing quote in") from None
        return [field.strip(_BLANKS) for field in fields]

    def _number(self, name, field):
        """The value of a field that has one; the first decimal mark decides between "." and ","."""
        match = _NUMBER.fullmatch(field)
        if match and match.group(2):
            if not self.mark:
                self.mark = match.group(2)
                self._match = self._matcher()
            if match.group(2) != self.mark:
                match = None
        plain = bool(match) and field.isdigit()
        if match and (plain or name not in _COUNTS):
            value = int(field) if plain and len(field) <= 20 else float(field.replace(",", "."))
            if value < (1 << 64 if name in _COUNTS else math.inf):
                return value
        elif match:  # "4096.0", as spreadsheets write it
            value = float(field.replace(",", "."))
            if value < 1 << 63 and value == math.floor(value):
                return int(value)
        raise self.lines.fail(
            f'"{text.printable_sentence(field[:40])}" in column {name} is not a number in'
        )

    def _axes(self, raw):
        """Values of _KEY of the fields as they stand there."""
        values = []
        for name, field in zip(_KEY, raw):
            if name in _AXIS_COUNTS:
                value = self._number(name, field) if field else _AXIS_COUNTS[name]
                if value == 0 and name in ("threads", "depth"):
                    raise self.lines.fail("threads or depth of 0 in")
                if value == 0 and name == "ranks":
                    raise self.lines.fail("ranks of 0 in")
            else:
                value = _unguarded(field)
                value = _named(value) if name in _NAMES else value
            values.append(value)
        return self._keys.setdefault(raw, tuple(values))

    def take(self, line, result):
        """The row or interval of a line."""
        before = self.lines.number
        fields = self.split(line)
        if self.lines.number > before:  # to be split again, it must be one line
            line = _joined(fields, self.separator)
        if len(fields) != len(self.header) and not self._fits(fields):
            return
        fields.append("")
        figures = self._figures(fields)
        if not self._match("|".join(figures)):
            for name, field in zip(self._checked, figures[1:]):
                if field:
                    self._number(name, field)
        size = fields[self._size]
        if self.series:
            if size or len(self.header) > 1:
                result.intervals.append(Record(self, line))
            return
        size_bytes = self._number("size_bytes", size) if size else 0
        if size_bytes == 0:
            if not any(fields):
                return
            raise self.lines.fail("size_bytes is not above 0 in")
        raw = self._key(fields)
        notes = fields[self._notes]
        self.lines.keep(len(line))
        result.add(
            self,
            line,
            self._keys.get(raw) or self._axes(raw),
            self._strings.setdefault(size_bytes, size_bytes),
            self._strings.setdefault(notes, notes),
        )

    def _fits(self, fields):
        """Spreadsheets fill up with empty fields; an empty line is no record."""
        if not any(fields):
            return False
        if len(fields) < len(self.header):
            raise self.lines.fail(
                f"only {len(fields)} fields for {len(self.header)} columns (cut off?) in"
            )
        if any(fields[len(self.header) :]):
            raise self.lines.fail(
                f"{len(fields)} fields, but {len(self.header)} columns in the header, in"
            )
        del fields[len(self.header) :]
        return True

    def names(self, _line):
        """The columns."""
        return self.header

    def value(self, line, name):
        """What a record has there."""
        i = self.index.get(name)
        if i is None:
            return None
        if self._last[0] is not line:
            self._last = line, self.split(line)
        field = self._last[1][i]
        if not field:
            return None
        if name not in _TEXTS:
            match = _NUMBER.fullmatch(field)
            if match and match.group(2) in (None, self.mark or "."):
                if match.group(2) or match.group(4) or len(field) > 20:
                    return float(field.replace(",", "."))
                return int(field)
        field = _unguarded(field)
        return _named(field) if name in _NAMES else field

    def rounds(self, _cell):
        """None are in a CSV."""
        return (), ()

    slices = names_of_slices = staticmethod(lambda _cell: [])


def _unguarded(field):
    """An apostrophe before what would be a formula was put there for spreadsheets."""
    return field[1:] if field[:1] == "'" and field[1:2] and field[1] in "=+-@'" else field


def _joined(fields, separator):
    """A record in one line, to be split again."""
    return separator.join(
        '"' + field.replace('"', '""').replace("\n", "\\x0a") + '"' for field in fields
    )


def _read_csv(lines, result, series):
    columns = None
    for line in lines:
        if line.startswith("#"):
            continue
        if _is_header(line):
            before, columns = columns, _Csv(lines, line)
            if columns.series and not series:
                raise lines.fail(
                    "records of --series, not results, begin at",
                    "use the file that -o of that run wrote",
                )
            if before and before.series != columns.series:
                raise lines.fail("results and records of --series meet at")
            result.format = "series" if columns.series else "csv"
            result.has_notes = result.has_notes and "notes" in columns.index
        else:
            columns.take(line, result)
            if len(result.rows) > _ROWS_MAX or len(result.intervals) > _ROWS_MAX:
                raise lines.fail(f"more than {_ROWS_MAX} rows at")
    if lines.cut:
        text.warn(f"{lines.name}: the last line has no end, it may be cut off")
        result.complete = False


# --- the output of io_profile


class _Plain:
    """Rows that are dicts."""

    @staticmethod
    def names(source):
        """Its columns."""
        return list(source)

    value = staticmethod(dict.get)

    @staticmethod
    def rounds(_cell):
        """There are none."""
        return (), ()

    @staticmethod
    def slices(_cell):
        """There are none."""
        return []


_CLASSIC = re.compile(r"IO profile test parameters|Conducting |I/O size \[bytes\]")
_CONDUCTING = re.compile(r"Conducting (.*?) test(?:[^(]*\((.*)\))?")
# "(direct, posix, 4 threads, depth 8, TARGET)": where there are several tables of one test, or
# threads, or a depth
_CONDUCTED = re.compile(
    "(?P<cache>.*?), (?P<engine>.*?), (?P<threads>[1-9][0-9]{0,17})(?: [^,]*)?,"
    " depth (?P<depth>[1-9][0-9]{0,17})(?: [^,]*)?, (?P<target>.*)"
)
_FIGURE = r"\s*-?(inf|nan|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?:\s[^,]*)?"
_FIVE = re.compile(rf"0*([1-9][0-9]{{0,17}})(?:\s[^,]*)?,\s*([0-9]{{1,18}})(?:\s[^,]*)?{(',' + _FIGURE) * 3}")


def _read_classic(lines, result):
    """Blocks of parameters, each with tables of five columns between a "Conducting" and a "Done"
    line.  Other lines are skipped, since such output was often copied from a terminal."""
    result.format, result.has_notes = "classic", False
    run, table = {}, None
    for line in lines:
        if line.startswith("Conducting "):
            match = _CONDUCTING.match(line)
            table = {"test": match.group(1) if match else "", **run}
            words = match and match.group(2) and _CONDUCTED.fullmatch(match.group(2))
            if words:
                table.update(words.groupdict())
                table.update((name, int(table[name])) for name in ("threads", "depth"))
            inside = False
        elif line.startswith("I/O size [bytes]"):
            inside, table = True, table or {"test": ""}
        elif line.startswith("Done with "):
            inside = False
        elif table is None or not inside:
            if line.startswith("IO profile test parameters"):
                run, table = {}, None
            _take_parameter(line, run, result)
        elif line[:1].isdigit():
            _take_five(lines, line, table, result)


def _take_parameter(line, run, result):
    if line.startswith("Location:") and ":" in line[9:]:
        host, run["target"] = line[9:].strip(" ").split(":", 1)
        result.head.setdefault("host", {"name": host})
    elif line.startswith("Synch mode:"):
        if "O_DIRECT" in line or "evicted" in line:
            run["cache"] = "direct" if "O_DIRECT" in line else "uncached"
    # copies are known where lines run into each other
    if "Date:" in line:
        result.head.setdefault("date", line.split("Date:", 1)[1].strip(" "))


def _take_five(lines, line, table, result):
    match = _FIVE.fullmatch(line)
    if not match:
        raise lines.fail("no record of five numbers (size, operations, time, throughput, rate) in")
    size_bytes, operations = int(match.group(1)), int(match.group(2))
    row = {"size_bytes": size_bytes, "operations": operations}
    for name, figure in zip(("time_s", "throughput_bytes_per_s", "rate_per_s"), match.groups()[2:]):
        # what was too fast for the clock of io_profile has "inf" or "nan" there
        if figure not in ("inf", "nan"):
            row[name] = float(figure)
            if math.isinf(row[name]):
                raise lines.fail("a number out of range in")
    row.update(table)
    key = tuple(row.get(name, _AXIS_COUNTS.get(name, "")) for name in _KEY)
    lines.keep(1000)
    result.add(_Plain, row, key, size_bytes, "")


# --- JSON

SCHEMA_VERSION = "2.0-draft"
_SCHEMA_MAJOR = "2"
_PAIRS = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


def _strict_int(digits):
    if len(digits) > 20:
        raise ValueError("a number out of range")
    return int(digits)


def _strict_float(digits):
    value = float(digits)
    if math.isinf(value):
        raise ValueError("a number out of range")
    return value


def _refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


_decode = json.JSONDecoder(
    parse_int=_strict_int, parse_float=_strict_float, parse_constant=_refuse_constant
).decode


def _parse(line):
    """A record; ValueError: it is none."""
    if "\\u" in line:  # a half of a pair is no character
        line = _PAIRS.sub(lambda match: r"\ufffd" if match.group(1) else match.group(), line)
    try:
        record = _decode(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(record, dict):
        raise ValueError("not an object")
    return record


class _Document:
    """One document of JSON: rows are kept as lines, slices as lines by their cells."""

    def __init__(self, lines, result):
        self.lines, self.result = lines, result
        self.label = ""
        self.cells, self._rounds, self._slices = {}, {}, {}
        self._rows = set()  # cells that have one
        self.ended = False
        self._last = None, {}

    def record(self, source):
        """A row as a dict; the one asked for last is at hand."""
        if self._last[0] is not source:
            self._last = source, source if isinstance(source, dict) else _parse(source)
        return self._last[1]

    def names(self, source):
        """The members of a row."""
        return [name for name in self.record(source) if name != "record"]

    def value(self, source, name):
        """A member of a row."""
        value = self.record(source).get(name)
        return self.label if value is None and name == "label" else value

    def rounds(self, cell):
        """Times of rounds, and of the reference beside them."""
        return self._rounds.get(cell, ((), ()))

    def slices(self, cell):
        """Records of the slices of a cell."""
        return [_parse(line) for line in self._slices.get(cell, ())]

    def take(self, line):
        """A record, by its kind; kinds that are not known are left out."""
        try:
            record = _parse(line)
        except ValueError as error:
            raise self.lines.fail(
                f"invalid JSON ({getattr(error, 'msg', error)}), or not one record, at"
            ) from None
        take = getattr(self, f"_take_{record.get('record')}", None)
        if take:
            take(record, line)

    def _first(self, record, name):
        """Facts are those of the first document."""
        if not getattr(self.result, name):
            setattr(self.result, name, record)

    def _take_head(self, record, _line):
        if record.get("document") != "iosweep results":
            kind = text.printable_sentence(str(record.get("document"))[:40])
            raise self.lines.fail(f"a document of another kind ({kind}), not results, at")
        version = str(record.get("schema_version"))
        if version.split(".")[0] != _SCHEMA_MAJOR:
            raise self.lines.fail(
                "written for another iosweep (schema version"
                f" {text.printable_sentence(version[:20])}) at",
                f"this one reads version {_SCHEMA_MAJOR}",
            )
        if isinstance(record.get("label"), str):
            self.label = record["label"]
        self._first(record, "head")

    def _cell(self, record):
        cell = record.get("cell")
        if not isinstance(cell, int):
            raise self.lines.fail("no number of a cell at")
        return cell

    def _take_cell(self, record, line):
        self.lines.keep(len(line) + 1000)
        self.cells[self._cell(record)] = record

    def _take_slice(self, record, line):
        cell = self._cell(record)
        self.lines.keep(len(line) + 100)
        self._slices.setdefault(cell, []).append(line)
        if record.get("counted") is False:
            return
        op_ns, reference_ns = record.get("op_ns"), record.get("reference_ns")
        rounds, references = self._rounds.setdefault(cell, (array.array("d"), array.array("d")))
        if not _is_time(op_ns) or not (reference_ns is None or _is_time(reference_ns)):
            raise self.lines.fail("op_ns or reference_ns is not a time at")
        rounds.append(op_ns)
        if reference_ns is not None:
            references.append(reference_ns)

    def _take_row(self, record, line):
        if isinstance(record.get("cell"), int):
            self._rows.add(record["cell"])
        self.lines.keep(len(line))
        self._add(record, line)

    def _add(self, record, source):
        for name in _COUNTS | _REALS | _TEXTS:
            value = record.get(name)
            good = value is None or (
                isinstance(value, str)
                if name in _TEXTS
                else _is_time(value) and (name in _REALS or isinstance(value, int))
            )
            if not good:
                raise self.lines.fail(f"{name} has the wrong type at")
        values = {name: record.get(name) for name in _KEY}
        values.update((n, v) for n, v in _AXIS_COUNTS.items() if values[n] is None)
        values["target"] = _named(values["target"] or "")
        if values["label"] is None:
            values["label"] = self.label
        if not (record.get("size_bytes") and values["threads"] and values["depth"]):
            raise self.lines.fail("size_bytes, threads or depth is 0 or missing at")
        if not values["ranks"]:
            raise self.lines.fail("ranks is 0 at")
        key = tuple("" if v is None and n in _TEXTS else v for n, v in values.items())
        self.result.add(self, source, key, record["size_bytes"], record.get("notes") or "")
        if len(self.result.rows) > _ROWS_MAX:
            raise self.lines.fail(f"more than {_ROWS_MAX} rows at")

    def _take_interval(self, record, line):
        self.lines.keep(len(line))
        self.result.intervals.append(Record(self, line))

    def _take_finding(self, record, _line):
        if isinstance(record.get("text"), str):
            self.result.findings.append(record["text"])

    def _take_summary(self, record, line):
        self.lines.keep(len(line) * 4)
        self.result.summaries.append(record)

    def _take_end(self, record, _line):
        self.ended = True
        self._first(record, "end")

    def close(self):
        """Cells that were under way when the run was killed get rows of their slices."""
        if self.ended:
            return
        self.result.complete = False
        for number, cell in self.cells.items():
            if number not in self._rows and self._rounds.get(number):
                row = fold(cell, self.slices(number), self._rounds[number][0])
                self._add(row, row)


def _is_time(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def fold(cell, slices, rounds_ns):
    """The row of a cell whose own was not written: columns that follow from sums."""
    counted = [record for record in slices if record.get("counted") is not False]

    def total(name):
        return sum(record[name] for record in counted if _is_time(record.get(name)))

    row = dict(cell, record="row", rounds=len(rounds_ns), op_ns_median=statistics.median(rounds_ns))
    row["operations"], row["time_s"] = total("operations"), total("time_ns") / 1e9
    row["errors"] = total("failed")
    if row["time_s"] > 0:
        row["rate_per_s"] = row["operations"] / row["time_s"]
        if row.get("test") not in _MOVE_NO_DATA and _is_time(row.get("size_bytes")):
            row["throughput_bytes_per_s"] = row["size_bytes"] * row["rate_per_s"]
    row["notes"] = ";".join(filter(None, (cell.get("notes"), "incomplete")))
    return row


def _read_json(lines, result):
    result.format = "json"
    lines.line_max = _RECORD_MAX
    document, document_count = None, 0
    for line in lines:
        line = line.strip()
        if document is None:
            if line == "[":
                document, first = _Document(lines, result), True
                document_count += 1
            elif line:
                raise lines.fail("not JSON of iosweep, one record a line: expected [ at")
        elif line == "]":
            document.close()
            document = None
        elif line and (line[0] == ",") is not first:
            first = False
            if lines.cut and not line.endswith("}"):
                break  # killed while this record was written
            document.take(line.lstrip(","))
        elif line:
            raise lines.fail("not JSON of iosweep, one record a line: expected a comma first at")
    if document:
        result.complete = False
        document.close()


# --- pages

_ENTITY = re.compile(rb"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);|[&<\0]")
_ENTITIES = {b"amp": "&", b"lt": "<", b"gt": ">", b"quot": '"', b"apos": "'", b"nbsp": "\xa0"}
_ATTRIBUTE = re.compile(
    rb"""\s(id|data-name|data-format)=(?:"([^"]{0,4096})"|'([^']{0,4096})')""", re.IGNORECASE
)
_RUNS = (b"csv", b"json", b"classic")


def _unescape(data):
    def character(match):
        name = match.group(1)
        if name is None:
            raise ValueError
        if name[:1] == b"#":
            hexadecimal = name[1:2] in b"xX"
            code = int(name[2:] if hexadecimal else name[1:], 16 if hexadecimal else 10)
            if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
                raise ValueError
            return chr(code).encode()
        return _ENTITIES[name].encode()

    return _ENTITY.sub(character, data)


def _tag_end(page, begin):
    """Where a tag ends; a ">" in a value is no end.  -1: nowhere."""
    quote = b""
    for match in re.compile(rb"[>\"']").finditer(page, begin):
        if match.group() == quote:
            quote = b""
        elif not quote and match.group() == b">":
            return match.start()
        elif not quote:
            quote = match.group()
    return -1


def embedded(page, name):
    """What is embedded in a page, as (name, format, begin, end) of its text, which is escaped."""
    items, at = [], 0
    opening = re.compile(rb"<pre(?=[\s>])", re.IGNORECASE)
    closing = re.compile(rb"</pre(?=[\s>]|$)", re.IGNORECASE)
    while True:
        tag = opening.search(page, at)
        inside = _tag_end(page, tag.end()) if tag else -1
        if inside < 0:
            break
        words = {
            found.group(1).lower(): found.group(2) or found.group(3) or b""
            for found in _ATTRIBUTE.finditer(page, tag.end(), min(inside, tag.end() + 20000))
        }
        at = inside
        if not words.get(b"id", b"").startswith(b"iosweep-data"):
            continue
        stop = closing.search(page, inside)
        if not stop:
            raise Problem(f"this report is cut off: {name}", "it ends in the middle of its results")
        begin = inside + 1 + re.compile(rb"\r?\n?").match(page, inside + 1).end() - (inside + 1)
        at = stop.start()
        try:
            title = _unescape(words.get(b"data-name", b"")).decode("utf-8", "surrogateescape")
        except ValueError:
            raise _damaged(name) from None
        items.append((title, words.get(b"data-format", b""), begin, at))
        if len(items) > _ITEMS_MAX:
            raise _damaged(name)
    if not items:
        raise Problem(
            f"no results of iosweep in this page: {name}",
            "iosweep report leaves them out with --data never, and when they are larger than"
            " 16 MiB",
        )
    return items


def _damaged(name):
    return Problem(
        f"the results in this report are damaged: {name}", "it was changed since iosweep wrote it"
    )


def _chosen(items, number, name):
    """The run that is meant."""
    runs = [item for item in items if item[1] in _RUNS]
    if not runs:
        raise Problem(
            f"no results of a run in this report: {name}", "they were left out when it was written"
        )
    if number > len(runs):
        raise Problem(f"no such run in this report: {name}", f"it has {len(runs)}")
    if number == 0 and len(runs) > 1:
        names = ", ".join(f"#{i} {printable(run[0][:80])}" for i, run in enumerate(runs[:4], 1))
        raise Problem(
            f"several runs are in this report: {name}",
            f"add #1 to #{len(runs)} to its name: {names}{' ...' if len(runs) > 4 else ''}",
        )
    return runs[max(number, 1) - 1]


def _read_page(stream, result, number, series):
    page = stream.read(_PAGE_MAX + 1)
    if len(page) > _PAGE_MAX:
        raise Problem(
            f"too large a page: {result.name}", f"at most {_PAGE_MAX >> 20} MiB are read"
        )
    title, _, begin, end = _chosen(embedded(page, result.name), number, result.name)
    try:
        data = _unescape(page[begin:end])
    except ValueError:
        raise _damaged(result.name) from None
    del page
    name = f"{result.name} ({printable(title)})" if title else result.name
    if not data.strip():
        raise Problem(f"nothing to read in {name}")
    _read_format(io.BytesIO(data), name, result, series)


def count_runs(path):
    """How many runs a report page holds; 0: it is none, or names one by #N."""
    try:
        with open(path, "rb") as stream:
            page = stream.read(_PAGE_MAX) if _first_byte(io.BufferedReader(stream)) == b"<" else b""
        return sum(item[1] in _RUNS for item in embedded(page, "")) if page else 0
    except (OSError, ValueError, Problem):
        return 0


# --- files


def _first_byte(stream):
    """The first that is no blank and no byte order mark; nothing is taken."""
    return stream.peek(1)[: 1 << 16].lstrip(b"\xef\xbb\xbf \t\r\n")[:1]


def _read_format(stream, name, result, series):
    """By the first line that shows the format."""
    lines = _Lines(stream, name)
    first = 0
    for line in itertools.islice(lines, _PREAMBLE_LINES):
        if line.strip() == "[" and not first:
            reader = _read_json
        elif not line or line.startswith("#"):
            continue
        elif _is_header(line):
            reader = None
        elif _CLASSIC.match(line):
            reader = _read_classic
        else:
            first = first or lines.number
            continue
        lines.again(line)
        if reader:
            reader(lines, result)
        else:
            _read_csv(lines, result, series)
        return
    if not first:
        raise Problem(f"nothing to read in {name}", "it holds no results; did its run fail?")
    lines.number = first
    raise lines.fail(
        "not an iosweep result:",
        "expected a CSV header with size_bytes, JSON of iosweep, or the output of io_profile",
    )


def read(path, series=False):
    """The Result of a file, or of "-", standard input.  series: records of --series may be in it."""
    result = Result(path)
    name, number = text.file_and_run(path)
    if not path:
        raise Problem("empty name of a file", "name a file of results")
    try:
        with open(0 if path == "-" else name, "rb", closefd=path != "-") as stream:
            if _first_byte(stream) == b"<":
                _read_page(stream, result, number, series)
            elif number:
                raise Problem(
                    f"no report, so it has no runs by number: {result.name}",
                    f"leave #{number} out",
                )
            else:
                _read_format(stream, result.name, result, series)
    except OSError as error:
        raise _unreadable(result.name, error) from None
    except ValueError as error:  # a name with a byte 0
        raise Problem(f"cannot read {result.name}: {error}") from None
    if not result.rows and not (series and result.intervals):
        raise Problem(
            f"no rows of results in {result.name}", "expected CSV or JSON output of iosweep"
        )
    result.number_passes()
    if not result.complete and result.format == "json":
        text.warn(f"{result.name}: its run did not end; rows under way are marked incomplete")
    return result


# --- curves

# What curves differ in, in the order of their names.
_WORDS = ("file",) + tuple(axis for axis in AXES[:-1] if axis not in ("step", "filled_bytes"))


class Curve:
    """Rows of one file that differ in nothing but their size, by rising size."""

    def __init__(self, rows):
        self.rows = rows
        self.file = rows[0].result

    def word(self, word, paths=False):
        """What it is in one of the words: "read", "depth 8"; "": nothing to say."""
        row = self.rows[0]
        if word == "file":
            return self.file.name if paths else os.path.basename(self.file.name.rstrip("/"))
        value = getattr(row, word)
        if word == "mix" and value is None:
            return "no mix"
        if word == "pass":
            return f"step {row.step}"
        return f"{word} {value}" if isinstance(value, int) else printable(value)

    def key(self, words):
        """Equal for curves that are the same in these words."""
        return tuple(self.file if w == "file" else getattr(self.rows[0], w) for w in words)

    def name(self, curves_of_a_set):
        """What tells it apart from the others of a set: "read direct depth 8"."""
        paths = needs_paths(curves_of_a_set)
        return " ".join(
            filter(None, (self.word(word, paths) for word in words_apart(curves_of_a_set)))
        )


def words_apart(all_curves):
    """The words in which curves of a set are not all the same."""
    return [word for word in _WORDS if len({curve.key((word,)) for curve in all_curves}) > 1]


def needs_paths(all_curves):
    """Whether two files of a set have the same name in different directories."""
    files = {curve.file for curve in all_curves}
    return len({os.path.basename(file.name) for file in files}) < len(files)


def curves(rows):
    """All curves of rows, also of several files, in the order of their first rows.  Rows without
    figures are left out; a size that occurs twice stays twice."""
    found = {}
    leaves_out = AXES.index("filled_bytes"), AXES.index("step")
    for row in rows:
        if not math.isnan(row.op_ns):
            key = tuple(value for i, value in enumerate(row.key) if i not in leaves_out)
            found.setdefault((id(row.result), key), []).append(row)
    return [Curve(sorted(members, key=lambda row: row.size_bytes)) for members in found.values()]
