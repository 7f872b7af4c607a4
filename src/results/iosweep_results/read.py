# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Results of earlier runs, read back from their files: CSV (with any --separator and --decimal,
also several files one after the other), JSON of one record a line, also while it grows as
NAME.part, the output of io_profile, and a report page that holds one of them.  The content shows
which it is.

A file may come from anywhere: everything has a limit, and whatever is wrong raises a Problem that
names file and line.  A row keeps the place of its line in the file, and takes it apart when asked:
parsed columns of a million rows would need gigabytes.
"""

import array
import csv
import difflib
import functools
import io
import itertools
import json
import math
import operator
import os
import re
import statistics

from . import text
from .text import Problem, printable

NAN = math.nan
SCHEMA_VERSION = "2.0-draft"
AXES = ("test", "pass", "step", "loop", "repeat", "mix", "filled_bytes", "target", "engine",
        "cache", "access", "threads", "depth", "ranks", "label", "size_bytes")

# Columns of which the type is known; others are what they look like.
_TEXTS = ("test", "target", "engine", "cache", "access", "label", "notes")
_NAMES = ("target", "label")  # in CSV with \xNN for what is not printable
_AXIS_COUNTS = {"threads": 1, "depth": 1, "ranks": 1, "step": 1, "loop": 1, "repeat": 1,
                "mix": None, "filled_bytes": 0}  # and their values where a file has none
_COUNTS = ("size_bytes", "operations", *_AXIS_COUNTS)
_REALS = ("time_s", "throughput_bytes_per_s", "rate_per_s", "op_ns_median", "op_ns_low",
          "op_ns_high", "latency_ns_p50", "latency_ns_p90", "latency_ns_p99", "latency_ns_p999",
          "latency_ns_max", "op_ns_min", "cpu_ns_per_op", "reference_ns", "queued_ns_per_op")
_KEY = (*_TEXTS[:-1], *_AXIS_COUNTS)
_MOVE_NO_DATA = ("stat", "list", "rename", "delete")

_LINE_MAX = 1 << 20  # bytes of a line of text, and of a record with its quoted newlines
_RECORD_MAX = 8 << 20  # bytes of a record of JSON; of a row some 10 KiB are usual
_FILE_MAX = 1 << 30  # bytes; a stream may never end
_LINES_MAX = 5_000_000
_ROWS_MAX = 1_000_000
_KEPT_MAX = 256 << 20  # bytes of memory beside rows, roughly
_SMALL = 4 << 20  # bytes of files that are not kept open; of pipes up to _KEPT_MAX
_PAGE_MAX = 128 << 20
_KEPT = ("op_ns_median", "op_ns_low", "op_ns_high")
_CHUNK = 1 << 18
_UNUSUAL = b"\0", b"\r", b"\xef\xbb\xbf"
_COLUMNS_MAX = 4096
_PREAMBLE_LINES = 1000  # before the table of io_profile: messages, a shell's prompt


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
        return self.columns.number(self.source, name)

    def text(self, name):
        """As a str; "": not known."""
        value = self.get(name, "")
        return f"{value:.15g}" if isinstance(value, float) else str(value)


class Row(Record):
    """A row of results.  Each of AXES is an attribute ("pass" through getattr, or as pass_); key is
    all of them but the size; result: of which file; notes: a tuple of words; skipped: not measured,
    there are no figures; incomplete: measured, but not to its end."""

    __slots__ = ("axes", "size_bytes", "note_text")

    def __init__(self, columns, source, axes, size_bytes, notes):  # pylint: disable=W0231,R0913
        self.columns, self.source, self.axes = columns, source, axes
        self.size_bytes, self.note_text = size_bytes, notes

    result = property(operator.attrgetter("columns.result"))
    key = property(operator.attrgetter("axes.key"))
    pass_ = property(operator.attrgetter("axes.pass"))
    notes = property(lambda self: _words(self.note_text))
    skipped = property(lambda self: _is_skipped(self.note_text))
    incomplete = property(lambda self: "incomplete" in _words(self.note_text))

    @property
    def rate_per_s(self):
        """Operations per second; nan: not known."""
        rate, throughput = self.number("rate_per_s"), self.number("throughput_bytes_per_s")
        return throughput / self.size_bytes if math.isnan(rate) and throughput > 0 else rate

    @property
    def op_ns(self):
        """Time per operation, of all threads together: median over the rounds when known, else
        time / operations, else 1 / rate; nan: not known, or skipped."""
        op_ns = self.number("op_ns_median")
        if not op_ns > 0:
            operations, time_s = self.number("operations"), self.number("time_s")
            rate = self.rate_per_s
            op_ns = time_s * 1e9 / operations if operations > 0 and time_s > 0 else 0.0
            op_ns = op_ns or (1e9 / rate if rate > 0 else 0.0)
        return op_ns if 0 < op_ns < math.inf and not _is_skipped(self.note_text) else NAN

    @property
    def throughput_bytes_per_s(self):
        """size / op_ns; nan: not known, or a test that moves no data of that size."""
        throughput = self.size_bytes * 1e9 / self.op_ns
        return throughput if throughput < math.inf and self.test not in _MOVE_NO_DATA else NAN

    @property
    def slices(self):
        """Records of the slices of its cell, in the order of the file."""
        return self.columns.slices(self.source)

    @property
    def rounds_ns(self):
        """Time per operation in each round that counts; empty: not known."""
        return list(self.columns.rounds(self.source)[0])

    @property
    def reference_rounds_ns(self):
        """Of the reference, beside each of rounds_ns; empty: not known of all of them."""
        rounds, references = self.columns.rounds(self.source)
        return list(references) if len(references) == len(rounds) else []

    @property
    def histogram(self):
        """Latencies as pairs (lower_ns, count), by rising lower_ns; empty: not known."""
        return histogram_of(self.get("latency_histogram") or ())

    @property
    def place(self):
        """What tells it apart from others of its test: ", step 3, loop 2"; mostly ""."""
        shown = {"step": self.pass_ > 1, "loop": self.loop > 1, "repeat": self.repeat > 1,
                 "mix": self.mix is not None}
        filled = f", {text.amount(self.filled_bytes)} filled" if self.filled_bytes else ""
        return "".join(f", {n} {getattr(self, n)}" for n, is_ in shown.items() if is_) + filled


class Axes:
    """What rows of one curve share; also key, all of it as a tuple."""

    __slots__ = (*AXES[:-1], "key")


for _axis in AXES[:-1]:
    setattr(Row, _axis, property(operator.attrgetter("axes." + _axis)))


@functools.lru_cache(maxsize=1024)
def _words(notes):
    return tuple(notes.split(";")) if notes else ()


@functools.lru_cache(maxsize=1024)
def _is_skipped(notes):
    return any(word.startswith("skipped:") for word in _words(notes))


def histogram_of(pairs):
    """Pairs as JSON has them, checked."""
    try:
        return [(int(lower_ns), int(count)) for lower_ns, count in pairs]
    except (TypeError, ValueError):
        raise Problem("a histogram holds no pairs of numbers") from None


class Result:  # pylint: disable=R0902
    """One file.  path: as given; name: for people; title: the name of the file that a page holds;
    stream: of its text, to be read again; format: "csv", "json", "classic", "series";
    complete: False where it was read from NAME.part or is cut off; head: of JSON; rows, intervals:
    Row, Record; findings: sentences; summaries, end: what JSON has behind its rows; has_notes:
    False where rows without notes may have something to note."""

    def __init__(self, path):
        self.path = path
        self.name = printable("standard input" if path == "-" else path)
        self.title, self.stream = "", None
        self.format, self.complete, self.has_notes = "", not path.endswith(".part"), True
        self.head, self.end = {}, {}
        self.rows, self.intervals, self.findings, self.summaries = [], [], [], []
        self._axes = {}

    @property
    def axes(self):
        """Those of all rows, each once."""
        return self._axes.values()

    def fact(self, path, default=None):
        """Of the head, by a path: "host.kernel"."""
        value = self.head
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        return default if value is None else value

    def axes_of(self, key):
        """key: the values of _KEY."""
        axes = self._axes.get(key)
        if axes is None:
            axes = self._axes[key] = Axes()
            for name, value in zip(_KEY, key):
                setattr(axes, name, "" if (name, value) == ("access", "random") else value)
        return axes

    def number_passes(self):
        """Steps of a test by their numbers, which makes steps of two files the same."""
        steps = {}
        for axes in self.axes:
            steps.setdefault(axes.test, set()).add(axes.step)
        numbers = {(test, step): number for test, its_steps in steps.items()
                   for number, step in enumerate(sorted(its_steps), 1)}
        for axes in self.axes:
            setattr(axes, "pass", numbers[axes.test, axes.step])
            axes.key = tuple(getattr(axes, name) for name in AXES[:-1])


# --- lines


class _Lines:
    """Lines of a stream without their ends, as text; bytes that are no UTF-8 stay what they are."""

    def __init__(self, stream, name):
        self.stream, self.name, self.line_max = stream, name, _LINE_MAX
        self.number = self.kept_bytes = 0
        self.begin = self.end = stream.tell()  # of the last line
        self.cut = False  # it had no end
        self._lines = self._read()

    def fail(self, sentence, advice=None):
        """A Problem at this line."""
        return Problem(f"{sentence} {self.name}:{self.number}", advice)

    def keep(self, count_bytes):
        """Counts memory."""
        self.kept_bytes += count_bytes
        if self.kept_bytes > _KEPT_MAX:
            raise self.fail("more different rows than there is memory for, at")

    def at(self, begin):
        """A line again, by its place."""
        self.stream.seek(begin)
        return self._text(self.stream.readline(self.line_max).rstrip(b"\n"))

    def __iter__(self):
        return self._lines  # one for all: who asks goes on where others have stopped

    def _read(self):
        rest, place = b"", self.end
        while True:
            self.stream.seek(place)
            chunk = self.stream.read(_CHUNK)
            place += len(chunk)
            data = rest + chunk
            usual = len(data) < self.line_max and not any(mark in data for mark in _UNUSUAL)
            lines = data.split(b"\n")
            rest = lines.pop()
            if place > _FILE_MAX or self.number > _LINES_MAX:
                raise self.fail(f"longer than {_FILE_MAX >> 30} GiB or {_LINES_MAX} lines, at")
            self.cut = not chunk and bool(rest)
            for line in lines if not self.cut else (rest,):
                self.number += 1
                self.begin = self.end
                self.end += len(line) + 1
                yield line.decode("utf-8", "surrogateescape") if usual else self._text(line)
            if not chunk:
                break
            if len(rest) > self.line_max:
                self.number += 1
                self._text(rest)

    def _text(self, line):
        if len(line) > self.line_max:
            raise self.fail(f"a line of more than {self.line_max >> 10} KiB at")
        if b"\0" in line:
            raise self.fail("binary data, not text, at", "name a result of iosweep; if a spread"
                            'sheet wrote it as UTF-16 ("Unicode"), save it as UTF-8')
        line = line[:-1] if line[-1:] == b"\r" else line
        # also inside, where files were put together
        line = line[3:] if line.startswith(b"\xef\xbb\xbf") else line
        return line.decode("utf-8", "surrogateescape")


class _Columns:
    """What rows of one kind ask; here those whose sources are dicts."""

    def __init__(self, result):
        self.result = result

    def names(self, source):
        return list(source)

    def value(self, source, name):
        return source.get(name)

    def number(self, source, name):
        value = self.value(source, name)
        return float(value) if isinstance(value, (int, float)) else NAN

    def rounds(self, _source):
        """Times of its rounds, and of the reference beside them."""
        return (), ()

    def slices(self, _source):
        return []


# --- CSV

_NEEDED = ("expected size_bytes, and op_ns_median, rate_per_s, throughput_bytes_per_s, or"
           " operations and time_s")
_NUMBER = re.compile("([0-9]+)(?:([.,])[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")
csv.field_size_limit(_LINE_MAX)


def _separator(header):
    """A tab, semicolon or comma if there is one; else the first character that no name has."""
    for usual in "\t;,":
        if usual in header:
            return usual
    return re.search('[^a-z0-9_"]|$', header).group() or ","


def _is_header(line):
    mark = re.escape(_separator(line))
    return bool(re.search(f'(?:^|{mark})[ "]*size_bytes[ "]*(?:{mark}|$)', line))


def _unguarded(field):
    """An apostrophe before what would be a formula was put there for spreadsheets."""
    return field[1:] if field[:1] == "'" and field[1:2] in ("=", "+", "-", "@", "'") else field


def _named(name):
    r"""A name with the bytes that \xNN stands for; other escapes nobody writes."""

    def byte(match):
        code = int(match.group(1), 16)
        plain = code == 0 or 0x20 <= code < 0x7F and code != 0x5C
        return match.group() if plain else bytes((code,))

    if "\\x" not in name:
        return name
    return _ESCAPE.sub(byte, text.to_bytes(name)).decode("utf-8", "surrogateescape")


class _Csv(_Columns):  # pylint: disable=R0902
    """What one header says: where columns stand, how records are split, which figures are valid.
    The source of a row is its number; its figures that all commands need are at hand."""

    def __init__(self, lines, header, result):
        super().__init__(result)
        self.lines = lines
        self.separator, self.mark = _separator(header), ""  # of decimals, once one was seen
        self._blanks = [b + self.separator for b in " \t"] + [self.separator + b for b in " \t"]
        self.header = self.split(header)
        if len(self.header) > _COLUMNS_MAX:
            raise lines.fail(f"more than {_COLUMNS_MAX} columns in")
        self.index = {name: i for i, name in reversed(list(enumerate(self.header)))}
        for name in (*_TEXTS, *_COUNTS, *_REALS):
            if name in self.index and self.header.count(name) > 1:
                raise lines.fail(f"column {name} appears twice in")
        known = self.index.keys()
        if "size_bytes" not in known or not (
                known & {"op_ns_median", "rate_per_s", "throughput_bytes_per_s"}
                or {"operations", "time_s"} <= known):
            raise lines.fail("too few columns in the header", _NEEDED)
        self.series = "interval_s" in known  # records are those of --series, moments of rows
        # a record gets an empty field more, which columns that are missing point to
        self._key = operator.itemgetter(*(self.index.get(name, -1) for name in _KEY))
        self._size, self._notes = self.index["size_bytes"], self.index.get("notes", -1)
        self._checked = [name for name in known if name in _COUNTS or name in _REALS]
        self._figures = operator.itemgetter(-1, *(self.index[name] for name in self._checked), -1)
        self._set_pattern()
        self._axes, self._shared = {}, {}
        self._places = array.array("Q")  # of lines; 0: in _quoted
        self._quoted = {}  # fields of rows, which may be several lines
        self._kept = {name: array.array("d") for name in _KEPT if name in known}
        self._keep = [(kept.append, self.index[name]) for name, kept in self._kept.items()]
        self._last = None, ()

    def _set_pattern(self):
        """Of the figures of a usual record, joined: what it accepts needs no second look, if no
        digit is missing beside a mark."""
        real = f"[0-9]{{0,99}}[{self.mark}]?[0-9]{{0,99}}" if self.mark else "[0-9]{0,99}"
        forms = ("[0-9]{0,18}" if name in _COUNTS else real for name in self._checked)
        self._usual = re.compile(r"\|" + r"\|".join((*forms, ""))).fullmatch
        self._bare = "|" + (self.mark or "|"), (self.mark or "|") + "|"

    def split(self, line):
        """The fields of a record, without blanks around them.  Quoted ones may hold newlines: then
        more lines are taken."""
        if '"' in line:
            return self._split_quoted(line)
        fields = line.split(self.separator)
        a, b, c, d = self._blanks
        if (a in line or b in line or c in line or d in line or line[:1] in (" ", "\t")
                or line[-1:] in (" ", "\t")):
            return [field.strip(" \t") for field in fields]
        return fields

    def _split_quoted(self, line):
        begin, length = self.lines.number, 0

        def more():
            nonlocal length
            for part in itertools.chain((line,), self.lines):
                length += len(part) + 1
                if length > _LINE_MAX:
                    raise self.lines.fail(f"a record of more than {_LINE_MAX >> 10} KiB at")
                yield part + "\n"

        form = {"delimiter": self.separator, "strict": True, "skipinitialspace": True}
        try:
            # figures lose their blanks; a name may begin and end with them
            return [field.strip(" \t") if field[:1].isdigit() else field
                    for field in next(csv.reader(more(), **form))]
        except csv.Error as error:
            what = "something follows a closing quote in"
            if "end of data" in str(error):
                what = f"a quoted field that begins in line {begin} is not closed in"
            raise self.lines.fail(what) from None

    def _number(self, name, field):
        """The value of a field that is not empty."""
        match = _NUMBER.fullmatch(field)
        mark = match and match.group(2)
        if mark and not self.mark:  # the first one decides between "." and ","
            self.mark = mark
            self._set_pattern()
        if match and mark in (None, self.mark):
            digits = field.isdigit() and len(field) <= 20
            value = int(field) if digits else float(field.replace(",", "."))
            if name in _REALS and value < math.inf:
                return value
            if name in _COUNTS and value < 2**64 and value == int(value):
                return int(value)  # also of "4096.0", as spreadsheets write it
        shown = text.printable_sentence(field[:40])
        raise self.lines.fail(f'"{shown}" in column {name} is not a number in')

    def _axes_of(self, raw):
        """raw: the fields that have the values of _KEY."""
        values = []
        for name, field in zip(_KEY, raw):
            if name in _AXIS_COUNTS:
                values.append(self._number(name, field) if field else _AXIS_COUNTS[name])
                if values[-1] == 0 and name in ("threads", "depth", "ranks"):
                    raise self.lines.fail(f"{name} of 0 in")
            else:
                field = _unguarded(field)
                values.append(_named(field) if name in _NAMES else field)
        self.lines.keep(1200)
        return self._axes.setdefault(raw, self.result.axes_of(tuple(values)))

    def take(self, line):
        """The row or interval of a line."""
        place = self.lines.begin
        fields = self.split(line)
        if len(fields) != len(self.header):
            fields = self._fitted(fields)
        fields.append("")
        figures = "|".join(self._figures(fields))
        if not self._usual(figures) or self._bare[0] in figures or self._bare[1] in figures:
            for name in self._checked:
                if fields[self.index[name]]:
                    self._number(name, fields[self.index[name]])
        size = fields[self._size]
        if not size and (self.series or not any(fields)):
            return  # no row was under way
        size_bytes = int(size) if size.isdigit() else self._number("size_bytes", size)
        if size_bytes == 0:
            raise self.lines.fail("size_bytes is not above 0 in")
        number = len(self._places)
        if number >= _ROWS_MAX:
            raise self.lines.fail(f"more than {_ROWS_MAX} rows at")
        self._places.append(place)
        if '"' in line:
            self._quoted[number] = fields
            self.lines.keep(len(line) + 60 * len(fields))
        if self.series:
            self.lines.keep(100)
            self.result.intervals.append(Record(self, number))
            return
        for append, i in self._keep:
            field = fields[i] if self.mark != "," else fields[i].replace(",", ".")
            append(float(field) if field else NAN)
        raw, notes = self._key(fields), fields[self._notes]
        self.result.rows.append(Row(self, number, self._axes.get(raw) or self._axes_of(raw),
                                    self._shared.setdefault(size_bytes, size_bytes),
                                    self._shared.setdefault(notes, notes)))

    def _fitted(self, fields):
        """Spreadsheets fill up with empty fields; an empty line is no record."""
        columns = len(self.header)
        if len(fields) < columns and any(fields):
            raise self.lines.fail(f"only {len(fields)} fields for {columns} columns (cut off?) in")
        if any(fields[columns:]):
            raise self.lines.fail(f"{len(fields)} fields, but {columns} columns in the header, in")
        return (fields + [""] * columns)[:columns]

    def names(self, _source):
        return self.header

    def _fields(self, source):
        """Of a row; the one asked for last is at hand."""
        if self._last[0] is not source:
            fields = self._quoted.get(source) or self.split(self.lines.at(self._places[source]))
            if len(fields) < len(self.header):
                raise Problem(f"{self.lines.name} has changed while it was read")
            self._last = source, fields
        return self._last[1]

    def number(self, source, name):
        if name in self._kept:
            return self._kept[name][source]
        return super().number(source, name) if name in self.index else NAN

    def value(self, source, name):
        i = self.index.get(name)
        if i is None:
            return None
        field = self._fields(source)[i]
        if name in _TEXTS:
            field = _unguarded(field)
            return _named(field) if name in _NAMES else field or None
        match = _NUMBER.fullmatch(field)
        if match and match.group(2) in (None, self.mark or "."):
            plain = field.isdigit() and len(field) <= 20
            return int(field) if plain else float(field.replace(",", "."))
        return _unguarded(field) or None


def _read_csv(lines, first, result, series):
    columns = None
    for line in itertools.chain((first,), lines):
        if line.startswith("#"):
            continue
        if "size_bytes" not in line or not _is_header(line):
            columns.take(line)
            continue
        columns, before = _Csv(lines, line, result), columns
        if columns.series and not series:
            raise lines.fail("records of --series, not results, begin at",
                             "use the file that -o of that run wrote")
        if before and before.series != columns.series:
            raise lines.fail("results and records of --series meet at")
        result.format = "series" if columns.series else "csv"
        result.has_notes = result.has_notes and "notes" in columns.index
    if lines.cut:
        text.warn(f"{lines.name}: the last line has no end, it may be cut off")
        result.complete = False


# --- the output of io_profile

_CLASSIC = re.compile(r"IO profile test parameters|Conducting |I/O size \[bytes\]")
_CONDUCTING = re.compile(r"Conducting (.*?) test(?:[^(]*\((.*)\))?")
# "(direct, posix, 4 threads, depth 8, TARGET)": where there are several tables of one test, or
# threads, or a depth
_CONDUCTED = re.compile("(?P<cache>.*?), (?P<engine>.*?), (?P<threads>[1-9][0-9]{0,17})(?: [^,]*)?,"
                        " depth (?P<depth>[1-9][0-9]{0,17})(?: [^,]*)?, (?P<target>.*)")
_REST = r"(?:\s[^,]*)?"  # behind a number
_FIGURE = rf",\s*-?(inf|nan|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{{1,2}})?){_REST}"
_FIVE = re.compile(rf"0*([1-9][0-9]{{0,17}}){_REST},\s*([0-9]{{1,18}}){_REST}{_FIGURE * 3}")


def _read_classic(lines, first, result):
    """Blocks of parameters, each with tables of five columns between a "Conducting" and a "Done"
    line.  Other lines are skipped, since such output was often copied from a terminal."""
    result.format, result.has_notes = "classic", False
    columns, run, table, inside = _Columns(result), {}, {}, False
    for line in itertools.chain((first,), lines):
        if line.startswith("Conducting "):
            match = _CONDUCTING.match(line)
            table, inside = {"test": match.group(1) if match else "", **run}, False
            words = match and match.group(2) and _CONDUCTED.fullmatch(match.group(2))
            table.update(words.groupdict() if words else {})
        elif line.startswith(("I/O size [bytes]", "Done with ")):
            inside = line.startswith("I")
        elif not inside:
            if line.startswith("IO profile test parameters"):
                run, table = {}, {}
            _take_parameter(line, run, result.head)
        elif "0" <= line[:1] <= "9":
            match = _FIVE.fullmatch(line)
            if not match:
                raise lines.fail("no record of five numbers (size, operations, time, throughput,"
                                 " rate) in")
            # what was too fast for the clock of io_profile has "inf" or "nan" there
            row = {name: float(figure) for name, figure in zip(_REALS, match.groups()[2:])
                   if figure not in ("inf", "nan")}
            row.update(table, size_bytes=int(match.group(1)), operations=int(match.group(2)))
            row.update((name, int(row[name])) for name in ("threads", "depth") if name in row)
            key = tuple(row.get(name, _AXIS_COUNTS.get(name, "")) for name in _KEY)
            lines.keep(1000)
            result.rows.append(Row(columns, row, result.axes_of(key), row["size_bytes"], ""))


def _take_parameter(line, run, head):
    if line.startswith("Location:") and ":" in line[9:]:
        host, run["target"] = line[9:].strip(" ").split(":", 1)
        head.setdefault("host", {"name": host})
    elif line.startswith("Synch mode:") and ("O_DIRECT" in line or "evicted" in line):
        run["cache"] = "direct" if "O_DIRECT" in line else "uncached"
    if "Date:" in line:  # copies are known where lines run into each other
        head.setdefault("date", line.split("Date:", 1)[1].strip(" "))


# --- JSON

_PAIRS = re.compile(r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


def _strict(convert):
    def number(digits):
        value = convert(digits) if convert is float or len(digits) <= 20 else math.inf
        if not -math.inf < value < math.inf:
            raise ValueError("a number out of range")
        return value

    return number


_decode = json.JSONDecoder(parse_int=_strict(int), parse_float=_strict(float),
                           parse_constant=_strict(float)).decode


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


def _is_figure(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


class _Document(_Columns):
    """One document of JSON.  The source of a row is the place of its line, as those of slices."""

    def __init__(self, lines, result):
        super().__init__(result)
        self.lines, self.label, self.ended = lines, "", False
        self._cells, self._rounds, self._slices = {}, {}, {}
        self._done = set()  # cells that have a row
        self._last = None, {}

    def _record(self, source):
        """As a dict; the one asked for last is at hand."""
        if self._last[0] is not source:
            record = source if isinstance(source, dict) else self._parse_at(source)
            self._last = source, record
        return self._last[1]

    def _parse_at(self, begin):
        try:
            return _parse(self.lines.at(begin).strip().lstrip(","))
        except ValueError:
            raise Problem(f"{self.lines.name} has changed while it was read") from None

    def names(self, source):
        return [name for name in self._record(source) if name != "record"]

    def value(self, source, name):
        value = self._record(source).get(name)
        return self.label if value is None and name == "label" else value

    def rounds(self, source):
        return self._rounds.get(self._record(source).get("cell"), ((), ()))

    def slices(self, source):
        return self._slices_of(self._record(source).get("cell"))

    def _slices_of(self, cell):
        return [self._parse_at(begin) for begin in self._slices.get(cell, ())]

    def take(self, line):
        """A record, by its kind; other kinds are left out."""
        try:
            record = _parse(line)
        except ValueError as error:
            reason = getattr(error, "msg", error)
            raise self.lines.fail(f"invalid JSON ({reason}), or not one record, at") from None
        kind = record.get("record")
        if kind in ("cell", "slice") and not isinstance(record.get("cell"), int):
            raise self.lines.fail("no number of a cell at")
        take = getattr(self, f"_take_{kind}", None)
        if take:
            take(record)

    def _take_head(self, record):
        kind, version = (str(record.get(name))[:40] for name in ("document", "schema_version"))
        if kind != "iosweep results":
            kind = text.printable_sentence(kind)
            raise self.lines.fail(f"a document of another kind ({kind}), not results, at")
        major = SCHEMA_VERSION.partition(".")[0]
        if version.partition(".")[0] != major:
            version = text.printable_sentence(version)
            raise self.lines.fail(f"written for another iosweep (schema version {version}) at",
                                  f"this one reads version {major}")
        self.label = record["label"] if isinstance(record.get("label"), str) else ""
        self.result.head = self.result.head or record

    def _take_cell(self, record):
        self.lines.keep(5 * (self.lines.end - self.lines.begin))
        self._cells[record["cell"]] = record

    def _take_slice(self, record):
        if record["cell"] not in self._slices:
            self.lines.keep(1000)
            self._slices[record["cell"]] = array.array("Q")
        self._slices[record["cell"]].append(self.lines.begin)
        op_ns, reference_ns = record.get("op_ns"), record.get("reference_ns")
        if record.get("counted") is False or op_ns is None:  # None: the round ends in the next one
            return
        if not _is_figure(op_ns) or not (reference_ns is None or _is_figure(reference_ns)):
            raise self.lines.fail("op_ns or reference_ns is not a time at")
        new = array.array("d"), array.array("d")
        rounds, references = self._rounds.setdefault(record["cell"], new)
        rounds.append(op_ns)
        if reference_ns is not None:
            references.append(reference_ns)

    def _take_row(self, record, source=None):
        for name, value in record.items():
            good = value is None or (
                isinstance(value, str) if name in _TEXTS else
                _is_figure(value) if name in _REALS else
                _is_figure(value) and isinstance(value, int) if name in _COUNTS else True)
            if not good:
                raise self.lines.fail(f"{name} has the wrong type at")
        values = {"label": self.label, **_AXIS_COUNTS}
        values.update((n, record[n]) for n in (*_KEY, "size_bytes") if record.get(n) is not None)
        for name in ("size_bytes", "threads", "depth", "ranks"):
            if not values.get(name):
                raise self.lines.fail(f"{name} is 0 or missing at")
        values["target"] = _named(values.get("target", ""))
        key = tuple(values.get(name, "") for name in _KEY)
        source = self.lines.begin if source is None else source
        self.lines.keep(300)  # if nothing is shared
        self.result.rows.append(Row(self, source, self.result.axes_of(key), values["size_bytes"],
                                    record.get("notes") or ""))
        if isinstance(record.get("cell"), int):
            self._done.add(record["cell"])

    def _take_interval(self, _record):
        self.lines.keep(100)
        self.result.intervals.append(Record(self, self.lines.begin))

    def _take_finding(self, record):
        self.lines.keep(self.lines.end - self.lines.begin)
        self.result.findings.append(str(record.get("text")))

    def _take_summary(self, record):
        self.lines.keep(5 * (self.lines.end - self.lines.begin))
        self.result.summaries.append(record)

    def _take_end(self, record):
        self.ended = True
        self.result.end = self.result.end or record

    def close(self):
        """Cells that were under way when the run was killed get rows of their slices."""
        self.result.complete = self.result.complete and self.ended
        for number, cell in () if self.ended else self._cells.items():
            if number not in self._done and self._rounds.get(number):
                row = fold(cell, self._slices_of(number), self._rounds[number][0])
                self._take_row(row, row)


def fold(cell, slices, rounds_ns):
    """The row of a cell whose own was not written: columns that follow from sums."""

    def total(name):
        figures = (s.get(name) for s in slices if s.get("counted") is not False)
        return sum(filter(_is_figure, figures))

    row = dict(cell, record="row", rounds=len(rounds_ns),
               op_ns_median=statistics.median(rounds_ns), operations=total("operations"),
               time_s=total("time_ns") / 1e9, errors=total("failed"))
    if row["time_s"] > 0:
        row["rate_per_s"] = row["operations"] / row["time_s"]
        if row.get("test") not in _MOVE_NO_DATA and _is_figure(row.get("size_bytes")):
            row["throughput_bytes_per_s"] = row["size_bytes"] * row["rate_per_s"]
    row["notes"] = ";".join(filter(None, (cell.get("notes"), "incomplete")))
    return row


def _read_json(lines, result):
    result.format, lines.line_max = "json", _RECORD_MAX
    document, first = _Document(lines, result), True
    for line in map(str.strip, lines):
        if document is None and line == "[":
            document, first = _Document(lines, result), True
        elif document is None and line:
            raise lines.fail("not JSON of iosweep, one record a line: expected [ at")
        elif line == "]":
            document.close()
            document = None
        elif line and lines.cut and not line.endswith("}"):
            break  # killed while this record was written
        elif line:
            if line.startswith(",") is first:
                raise lines.fail("not JSON of iosweep, one record a line: expected a comma at")
            document.take(line.lstrip(","))
            first = False
    if document:
        document.ended = False
        document.close()
    if not result.complete:
        text.warn(f"{lines.name}: its run did not end; rows under way are marked incomplete")


# --- pages

_ENTITY = re.compile(rb"&(#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);|[&<\0]")
_ENTITIES = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'",
             b"nbsp": b"\xc2\xa0"}
_BEGIN = re.compile(rb"<pre\s([^<>]{0,20000})>\r?\n?", re.IGNORECASE)
_END = re.compile(rb"</pre(?=[\s>]|$)", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""(?:^|\s)(id|data-name|data-format)=(?:"([^"]*)"|'([^']*)')""", re.I)


def _unescaped(data, name):
    def character(match):
        entity = match.group(1) or b"#"
        if entity[:1] != b"#":
            return _ENTITIES[entity]
        digits = entity[1:] or b"0"
        code = int(b"0" + digits, 16) if digits[:1] in (b"x", b"X") else int(digits)
        if not 0 < code < 0x110000 or 0xD800 <= code < 0xE000:
            raise Problem(f"the results in this report are damaged: {name}",
                          "it was changed since iosweep wrote it")
        return chr(code).encode()

    return _ENTITY.sub(character, data)


def embedded(page, name):
    """The results of runs that a page holds, as (name, begin, end) of their text, which is escaped.
    It may have passed through a browser or an editor."""
    runs, found = [], False
    for tag in _BEGIN.finditer(page):
        words = {m.group(1).lower(): m.group(2) or m.group(3) or b""
                 for m in _ATTRIBUTE.finditer(tag.group(1))}
        if not words.get(b"id", b"").startswith(b"iosweep-data"):
            continue
        stop, found = _END.search(page, tag.end()), True
        if not stop:
            raise Problem(f"this report is cut off: {name}", "it ends in the middle of its results")
        if words.get(b"data-format") in (b"csv", b"json", b"classic"):
            title = _unescaped(words.get(b"data-name", b""), name)
            runs.append((title.decode("utf-8", "surrogateescape"), tag.end(), stop.start()))
    if not runs:
        what = "a run in this report" if found else "iosweep in this page"
        raise Problem(f"no results of {what}: {name}", "iosweep report leaves them out with --data"
                      " never, and when they are larger than 16 MiB")
    return runs


def _read_page(stream, result, number, series):
    page = stream.read(_PAGE_MAX + 1)
    if len(page) > _PAGE_MAX:
        raise Problem(f"too large a page: {result.name}", f"at most {_PAGE_MAX >> 20} MiB are read")
    runs = embedded(page, result.name)
    if number > len(runs):
        raise Problem(f"no such run in this report: {result.name}", f"it has {len(runs)}")
    if number == 0 and len(runs) > 1:
        names = ", ".join(f"#{i} {printable(run[0][:80])}" for i, run in enumerate(runs[:4], 1))
        raise Problem(f"several runs are in this report: {result.name}", f"add #1 to #{len(runs)}"
                      f" to its name: {names}{' ...' if len(runs) > 4 else ''}")
    title, begin, end = runs[max(number, 1) - 1]
    data, result.title = _unescaped(page[begin:end], result.name), printable(title)
    del page
    name = f"{result.name} ({printable(title)})" if title else result.name
    _read_format(io.BytesIO(data), name, result, series)


def count_runs(path):
    """How many runs a report page holds; 0: it is none, or names one by #N."""
    try:
        with open(path, "rb") as stream:
            is_page = os.path.isfile(path) and _first_byte(stream) == b"<"
            return len(embedded(stream.read(_PAGE_MAX), "")) if is_page else 0
    except (OSError, ValueError, Problem):
        return 0


# --- files


def _first_byte(stream):
    """The first that is no blank and no byte order mark; nothing is taken."""
    begin = stream.tell()
    first = stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    stream.seek(begin)
    return first


def _open(path, name):
    """A stream in which lines are found again."""
    # pylint: disable=consider-using-with # rows read from it
    stream = open(0 if path == "-" else name, "rb", 1 << 16, closefd=path != "-")
    begin = stream.read(_SMALL + 1)
    if len(begin) > _SMALL and stream.seekable():
        stream.seek(-len(begin), os.SEEK_CUR)
        return stream
    kept = io.BytesIO()
    while begin:
        kept.write(begin)
        if kept.tell() > _KEPT_MAX:
            raise Problem(f"more than {_KEPT_MAX >> 20} MiB from a pipe", "name a file")
        begin = stream.read(_SMALL)
    stream.close()
    kept.seek(0)
    return kept


def _read_format(stream, name, result, series):
    """By the first line that shows the format."""
    lines, first, result.stream = _Lines(stream, name), 0, stream
    for line in itertools.islice(lines, _PREAMBLE_LINES):
        if line.strip() == "[" and not first:
            return _read_json(lines, result)
        if line and not line.startswith("#"):
            if "size_bytes" in line and _is_header(line):
                return _read_csv(lines, line, result, series)
            if _CLASSIC.match(line):
                return _read_classic(lines, line, result)
            first = first or lines.number
    if not first:
        raise Problem(f"nothing to read in {name}", "it holds no results; did its run fail?")
    lines.number = first
    raise lines.fail("not an iosweep result:", "expected a CSV header with size_bytes, JSON of"
                     " iosweep, or the output of io_profile")


def _name_near(path):
    """A file beside it whose name is much alike; None: there is none."""
    directory, name = os.path.split(path)
    try:
        with os.scandir(directory or ".") as entries:
            names = [entry.name for entry in itertools.islice(entries, 1000)]
    except OSError:
        return None
    near = difflib.get_close_matches(name, names, 1, 0.8)
    return os.path.join(directory, near[0]) if near else None


def _unreadable(result, error):
    reason, advice = getattr(error, "strerror", None) or str(error), None
    if isinstance(error, (FileNotFoundError, IsADirectoryError)):
        missing = isinstance(error, FileNotFoundError)
        reason = "it does not exist" if missing else "it is a directory"
        advice = "name a file of results, as iosweep -o FILE writes"
        near = missing and _name_near(result.path)
        if near:
            advice = f"did you mean {printable(near)}"
        if missing and os.path.exists(result.path + ".part"):
            advice = f"{result.name}.part is there: its run has not ended, or was killed"
    return Problem(f"cannot read {result.name}: {reason}", advice)


def read(path, series=False):
    """The Result of a file, or of "-", standard input.  series: it may hold records of --series."""
    if not path:
        raise Problem("empty name of a file", "name a file of results")
    result = Result(path)
    name, number = text.file_and_run(path)
    try:
        stream = _open(path, name)
        if _first_byte(stream) == b"<":
            _read_page(stream, result, number, series)
        elif number:
            raise Problem(f"no report, so it has no runs by number: {result.name}",
                          f"leave #{number} out")
        else:
            _read_format(stream, result.name, result, series)
    except (OSError, ValueError) as error:  # of a name with a byte 0
        raise _unreadable(result, error) from None
    if not result.rows and not (series and result.intervals):
        raise Problem(f"no rows of results in {result.name}",
                      "expected CSV or JSON output of iosweep")
    result.number_passes()
    return result


# --- curves

# What curves differ in, in the order of their names.
_WORDS = ("file", *(axis for axis in AXES[:-1] if axis not in ("step", "filled_bytes")))


class Curve:
    """Rows of one file that differ in nothing but their size, by rising size."""

    def __init__(self, rows):
        self.rows, self.file = rows, rows[0].result

    def value(self, word):
        """What it is in one of the words."""
        return self.file if word == "file" else getattr(self.rows[0], word)

    def word(self, word, paths=False):
        """The same for people: "read", "depth 8"; "": nothing to say.  paths: of files."""
        if word == "file":
            return self.file.name if paths else os.path.basename(self.file.name) or self.file.name
        value = self.rows[0].step if word == "pass" else self.value(word)
        if isinstance(value, str):
            return printable(value)
        return "no mix" if value is None else f"{'step' if word == 'pass' else word} {value}"

    def key(self, words):
        """Equal for curves that are the same in these words."""
        return tuple(map(self.value, words))

    def name(self, every):
        """What tells it apart from the others of a set: "read direct depth 8"."""
        paths = needs_paths(every)
        return " ".join(filter(None, (self.word(word, paths) for word in words_apart(every))))


def words_apart(every):
    """The words in which curves of a set are not all the same."""
    return [word for word in _WORDS if len({curve.value(word) for curve in every}) > 1]


def needs_paths(every):
    """Whether two files of a set have the same name in different directories."""
    files = {curve.file for curve in every}
    return len({os.path.basename(file.name) for file in files}) < len(files)


def curves(rows):
    """All curves of rows, also of several files, in the order of their first rows.  Rows without
    figures are left out; a size that occurs twice stays twice."""
    found = {}
    for row in rows:
        if not math.isnan(row.op_ns):
            key = (id(row.result), *(getattr(row, word) for word in _WORDS[1:]))
            found.setdefault(key, []).append(row)
    return [Curve(sorted(its_rows, key=lambda row: row.size_bytes)) for its_rows in found.values()]
