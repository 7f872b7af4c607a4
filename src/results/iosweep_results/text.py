# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Text for users and records for programs: figures with units, printable names, messages, tables,
CSV, JSON, and output files.

Figures are rounded in the same way as by the measuring program, so that both agree.
"""

import contextlib
import functools
import json
import math
import os
import re
import stat
import sys
import textwrap


class Problem(Exception):
    """A reason to stop, in one line: TEXT; ADVICE.  status: of the exit."""

    def __init__(self, text, advice=None, status=2):
        super().__init__(text)
        self.text, self.advice, self.status = text, advice, status

    def __str__(self):
        return f"{self.text}; {self.advice}" if self.advice else self.text


# --- names

# Characters that move the cursor, change the direction of writing or begin another line; U+DC80 and
# up are bytes that are not UTF-8, preserved by surrogateescape, and other surrogates can only come
# from JSON.
_UNPRINTABLE = re.compile(
    "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_UNPRINTABLE_IN_NAME = re.compile(_UNPRINTABLE.pattern[:-1] + r"\\]")


def _escape(match):
    return "".join(f"\\x{byte:02x}" for byte in to_bytes(match.group()))


def to_bytes(text):
    """The original bytes of a text that was read."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # an unpaired surrogate from JSON
        return text.encode("utf-8", "replace")


def printable(name):
    r"""A name from elsewhere, with \xNN for all that is not plain text, and for backslashes, which
    could pass for such an escape."""
    return _UNPRINTABLE_IN_NAME.sub(_escape, name)


def printable_sentence(text):
    """The same for a text that is not a name: backslashes are kept."""
    return _UNPRINTABLE.sub(_escape, text)


# --- figures

_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def _scale(value, units, base, limit):
    unit = 0
    while abs(value) >= limit and unit + 1 < len(units):
        value /= base
        unit += 1
    return value, units[unit]


def _decimal(units, value):
    """Three significant digits: 999.5 would be shown as 1000."""
    value, unit = _scale(value, units, 1000, 999.5)
    form = "#.3g" if 0.9995 <= abs(value) < 999.5 else ".0f" if 999.5 <= abs(value) < 1e9 else ".3g"
    return f"{value:{form}}".rstrip(".") + f" {unit}"


# "1.31 MB/s", "657 k/s", and of ns "1.52 us", "20.0 ms", "3.00 s"
throughput = functools.partial(_decimal, ("B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"))
rate = functools.partial(_decimal, ("/s", "k/s", "M/s", "G/s", "T/s"))
time = functools.partial(_decimal, ("ns", "us", "ms", "s"))


def size(size_bytes):
    """Exact: "2 B", "64 KiB", "1000 B"."""
    unit = 0
    while size_bytes and size_bytes % 1024 == 0 and unit + 1 < len(_BINARY):
        size_bytes //= 1024
        unit += 1
    return f"{size_bytes} {_BINARY[unit]}"


def amount(count_bytes):
    """Rounded, half up: "256 MiB", "1.3 GiB"."""
    value, unit = _scale(count_bytes, _BINARY, 1024, 1023.5)
    if not abs(value) < 1e9:
        return f"{value:.3g} {unit}"
    tenths = math.floor(value * 10 + 0.5)
    if unit != "B" and abs(tenths) < 100 and tenths % 10:
        return f"{tenths / 10:.1f} {unit}"
    return f"{math.floor(value + 0.5)} {unit}"


def is_far(ratio):
    """Beyond it "+420 %" is harder to read than "x5.20"."""
    return ratio >= 2 or ratio <= 0.5


def factor(ratio):
    """Three digits, never with an exponent: "5270", "12.5", "1.04", "0.00013"."""
    above = math.floor(math.log10(ratio)) if 0 < ratio < math.inf else 0
    return f"{ratio:.{0 if above >= 2 else 2 - max(above, -9)}f}"


def ratios(*values):
    """"+4.2 %" of each, or "x5.20" if one of them is far from 1; "": unknown."""
    far = any(map(is_far, values))
    return ["" if math.isnan(v) else f"x{factor(v)}" if far else f"{(v - 1) * 100:+.1f} %"
            for v in values]


# --- messages and colours

# Colours of the basic 16 that are not likely to be a background.
_COLORS = {"good": "32", "caution": "1;33", "alarm": "1;31"}

# Options of every command; set by cli.py.
color_when = "auto"  # or "always", "never"
verbosity = 1  # 0: errors only, 2: more


def color_on(fd):
    """Whether output there is coloured."""
    return color_when == "always" or color_when == "auto" and os.isatty(fd) and (
        os.environ.get("TERM", "dumb") not in ("", "dumb") and not os.environ.get("NO_COLOR"))


def paint(words, color, on=True):
    """Words in a colour ("": none); escape sequences occupy no columns."""
    return f"\033[{_COLORS[color]}m{words}\033[0m" if on and color and words else words


def width_of(fd):
    """The width of a terminal; 0: not a terminal, lines are not limited."""
    try:
        return os.get_terminal_size(fd).columns
    except OSError:
        return 0


def fold(sentence, width, used=0):
    """Wraps a text at blanks, except before "%", to lines of that width (0: unlimited); lines after
    the first are indented. used: columns already used in the first."""
    if width <= 0:
        return sentence
    lines = textwrap.wrap(sentence.replace(" %", "\0%"), width, initial_indent=" " * used,
                          subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines)[used:].replace("\0", " ")


def _message(color, prefix, sentence):
    width = max(width_of(2) - 1, 0)
    shown = fold(printable_sentence(sentence), width, len(prefix))
    with contextlib.suppress(OSError, ValueError):  # full, or closed meanwhile
        if sys.stderr:  # otherwise print() would write it to the results
            print(paint(prefix, color, color_on(2)) + shown, file=sys.stderr, flush=True)


def error(sentence):
    """Prints why there is no result on stderr."""
    _message("alarm", "iosweep: ", sentence)


def warn(sentence):
    """Prints what casts doubt on a result on stderr."""
    if verbosity > 0:
        _message("caution", "iosweep: ", sentence)


def say(sentence, level=1):
    """Prints remarks on a result on stderr; level 2: only with --verbose."""
    if verbosity >= level:
        _message("", "", sentence)


def share(count, every, noun):
    """ "3 of 4 cells" """
    return f"{count} of {every} {noun}{'' if every == 1 else 's'}"


# --- records for programs

_FORMULA_FIRST = tuple("=+-@\t\r'")


def csv_field(value, decimals=None):
    """A field of CSV: a figure with that number of decimals (None: all), or a name, protected so
    that spreadsheets do not interpret it as a formula, which reading reverses; "": unknown."""
    if isinstance(value, str):
        return _csv_text(value)
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.15g}" if decimals is None else f"{value:.{decimals}f}"
    return str(value) if isinstance(value, int) else ""


@functools.lru_cache(maxsize=64)  # many long ones would use much memory
def _csv_text(value):
    value = printable(value)
    formula = value.startswith(_FORMULA_FIRST)
    if not formula and value == value.strip(" ") and not re.search('[",]', value):
        return value
    return ('"\'' if formula and len(value) > 1 else '"') + value.replace('"', '""') + '"'


def _known(value):
    """The value if JSON can represent it."""
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, dict):
        return {name: _known(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(_known, value))
    if isinstance(value, float):
        return float(f"{value:.15g}") if math.isfinite(value) else None
    return value


def json_value(value):
    """A str, a number, or a list or dict of them as JSON; null: unknown. The text is always
    ASCII."""
    return json.dumps(_known(value), separators=(",", ":"))


def write_records(stream, is_json, head, fields, records):
    """Writes records, which are dicts, as CSV after the names of the fields, or as a document of
    JSON that begins with the members of head. fields: their decimals (None: all digits)."""
    if is_json:
        stream.write(json_value(head)[:-1] + ',"records":[')
        stream.writelines(f"{',' * (i > 0)}\n{json_value(record)}"
                          for i, record in enumerate(records))
        stream.write("]}\n")
        return
    stream.write(",".join(fields) + "\n")
    for record in records:
        values = [csv_field(record.get(name), decimals) for name, decimals in fields.items()]
        stream.write(",".join(values) + "\n")


# --- tables


_NAME_LEAST = 10  # columns of a name


class Table:
    """A table. Columns are as wide as their widest text, two blanks apart; those without texts are
    omitted. headings: by column; left: left-aligned columns; names: columns whose texts are cut if
    lines do not fit; drop: columns dropped, one by one, if that does not suffice; colored: the
    column with the colour of its row; optional: columns omitted if all rows have the same value."""

    def __init__(self, headings, left=(), drop=(), names=(), colored=None, optional=()):
        # pylint: disable=too-many-arguments
        self.headings, self.left, self.drop, self.names = headings, left, drop, names
        self.colored, self.optional, self.rows = colored, optional, []

    def add(self, cells, color=""):
        """Adds a row: texts by column."""
        self.rows.append(({c: printable_sentence(cells.get(c, "")) for c in self.headings}, color))

    def columns(self):
        """Texts by column, without omitted columns."""
        texts = {c: [cells[c] for cells, _ in self.rows] for c in self.headings}
        return {column: every for column, every in texts.items()
                if any(every) and not (column in self.optional and len(set(every)) == 1)}

    def _widths(self, width):
        widths = {column: max(map(len, [self.headings[column], *every]))
                  for column, every in self.columns().items()}
        for gone in ("", *self.drop) if width else ():
            widths.pop(gone, None)
            over = sum(widths.values()) + 2 * len(widths) - 2 - width
            spare = {n: max(widths[n] - _NAME_LEAST, 0) for n in self.names if n in widths}
            if over <= sum(spare.values()):
                break
        for name in sorted(spare, key=spare.get, reverse=True) if width else ():
            cut = min(max(over, 0), spare[name])
            widths[name], over = widths[name] - cut, over - cut
        return widths

    def print(self, stream, width=0, color=False):
        """Prints the table. width: of the terminal; 0: unlimited."""
        widths = self._widths(width)
        for cells, row_color in [(self.headings, ""), *self.rows]:
            shown = []
            for column, wide in widths.items():
                cell = cells[column]
                if len(cell) > wide:  # the end of a name is more distinctive than its beginning
                    cell = ".." + cell[len(cell) - wide + 2 :]
                blanks = " " * (wide - len(cell))
                cell = paint(cell, row_color, color and column == self.colored)
                shown.append(cell + blanks if column in self.left else blanks + cell)
            stream.write("  ".join(shown).rstrip(" ") + "\n")


# --- files


def data(name):
    """The text of a file of this package."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as stream:
        return stream.read()


# How files written by these commands begin, which may be overwritten. PNG and PDF pictures of other
# programs cannot be distinguished.
_OURS = re.compile(
    rb'\Z|size_bytes[,;\t]|record,test,|file,test,|# HELP iosweep_|\[\n{"record":"head",'
    rb'|{"(?:document|schema_version)":|<svg [^>]*class="ip"|\x89PNG\r\n|%PDF-'
    rb'|<!DOCTYPE html>(?s:.*)content="iosweep"|<!-- iosweep report -->'
)


def _kept_for(name, old, inputs):
    """Why the file must not be overwritten, or ""."""
    if stat.S_ISBLK(old.st_mode):
        return "a disk"
    if not stat.S_ISREG(old.st_mode):
        return ""
    for path in inputs:
        with contextlib.suppress(OSError, ValueError):
            if os.path.samestat(os.stat(path), old):
                return "an input"
    with contextlib.suppress(PermissionError), open(name, "rb") as stream:
        return "" if _OURS.match(stream.read(4096)) else "a file of other data"
    return ""


def _open_output(name, inputs):
    """A descriptor, and the temporary file that will replace the output, or None."""
    if name in (None, "-"):
        if not sys.stdout:
            raise Problem("standard output is closed: the results would be lost",
                          "-o FILE writes them to a file")
        return os.dup(1), None
    old = os.stat(name) if os.path.lexists(name) or not name else None
    kept = _kept_for(name, old, inputs) if old else ""
    if kept:
        raise Problem(f"the output would overwrite {kept}: {printable(name)}", "name another file")
    if old and not (stat.S_ISREG(old.st_mode) and os.access(name, os.W_OK)):
        return os.open(name, os.O_WRONLY | os.O_CLOEXEC), None  # a pipe; or it fails
    temporary, mode = f"{os.path.realpath(name)}.{os.getpid()}.tmp", old.st_mode if old else 0o666
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    return os.open(temporary, flags, mode & 0o666), temporary


@contextlib.contextmanager
def output(name, inputs=()):
    """The stream for results: `name`, which appears when complete, or standard output for None and
    "-". inputs: files that it must not overwrite. Failures raise a Problem."""
    shown, temporary = "standard output" if name in (None, "-") else printable(name), None
    try:
        fd, temporary = _open_output(name, inputs)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise Problem(f"cannot write to {shown}: {reason}") from None
    try:
        # a separate stream, so that data that failed to be written are not retried at the end
        with open(fd, "w", encoding="utf-8", newline="\n", errors="surrogateescape") as stream:
            yield stream
            stream.flush()
            if temporary:
                os.fsync(fd)
        if temporary:
            os.rename(temporary, os.path.realpath(name))
            temporary = None
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise Problem(f"cannot write to {shown}: {problem.strerror}", status=1) from None
    finally:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
