# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Text for people: figures with units, names that are safe to print, messages on stderr.

Figures are rounded as the program that measures rounds them, so that both show the same.
"""

import math
import re
import sys


class Problem(Exception):
    """A reason to stop, in one line: TEXT; ADVICE.  status: of the exit."""

    def __init__(self, text, advice=None, status=2):
        super().__init__(text)
        self.text, self.advice, self.status = text, advice, status

    def __str__(self):
        return f"{self.text}; {self.advice}" if self.advice else self.text


# --- names

# What moves the cursor, turns the direction of writing or begins another line; U+DC80 and up are
# bytes that are no UTF-8, as surrogateescape keeps them, and other surrogates can only come from
# JSON.
_UNPRINTABLE = re.compile("[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_UNPRINTABLE_IN_NAME = re.compile(_UNPRINTABLE.pattern[:-1] + r"\\]")


def _escape(match):
    return "".join(f"\\x{byte:02x}" for byte in to_bytes(match.group()))


def to_bytes(text):
    """The bytes of a text as it was read, whatever they are."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a pair, out of JSON
        return text.encode("utf-8", "replace")


def printable(name):
    r"""A name from elsewhere, with \xNN for all that is not plain text, and for backslashes, which
    could pass for such an escape."""
    return _UNPRINTABLE_IN_NAME.sub(_escape, name)


def printable_sentence(text):
    """The same for a text that is no name: backslashes stay."""
    return _UNPRINTABLE.sub(_escape, text)


# --- figures

def _scale(value, units, base, limit):
    unit = 0
    while abs(value) >= limit and unit + 1 < len(units):
        value /= base
        unit += 1
    return value, units[unit]


def _decimal(value, units):
    """Three digits that count: 999.5 would be shown as 1000."""
    value, unit = _scale(value, units, 1000, 999.5)
    size = abs(value)
    if size == 0:
        return f"0 {unit}"
    if size < 0.9995 or not size < 1e9:
        return f"{value:.3g} {unit}"
    return f"{value:.{2 if size < 9.995 else 1 if size < 99.95 else 0}f} {unit}"


def throughput(bytes_per_s):
    """ "1.31 MB/s" """
    return _decimal(bytes_per_s, ("B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"))


def rate(per_s):
    """ "657 k/s" """
    return _decimal(per_s, ("/s", "k/s", "M/s", "G/s", "T/s"))


def time(ns):
    """ "1.52 us", "20.0 ms", "3.00 s" """
    return _decimal(ns, ("ns", "us", "ms", "s"))


_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def size(size_bytes):
    """Exact: "2 B", "64 KiB", "1000 B"."""
    unit = 0
    while size_bytes and size_bytes % 1024 == 0 and unit + 1 < len(_BINARY):
        size_bytes //= 1024
        unit += 1
    return f"{size_bytes} {_BINARY[unit]}"


def _round(value):
    """To the nearest whole number, halves away from 0."""
    return math.copysign(math.floor(abs(value) + 0.5), value)


def amount(count_bytes):
    """Rounded: "256 MiB", "1.3 GiB"."""
    value, unit = _scale(count_bytes, _BINARY, 1024, 1023.5)
    if not abs(value) < 1e9:
        return f"{value:.3g} {unit}"
    tenths = _round(value * 10)
    if unit != "B" and abs(tenths) < 100 and tenths % 10:
        return f"{tenths / 10:.1f} {unit}"
    return f"{_round(value):.0f} {unit}"


def span(ns):
    """ "8 s", "2 min 30 s", "2 h 40 min", "3 d 4 h"; the smaller unit is left out where it is 0."""
    seconds, rest = divmod(int(ns), 10**9)
    for unit, smaller, unit_s, part_s in (
        ("d", "h", 86400, 3600),
        ("h", "min", 3600, 60),
        ("min", "s", 60, 1),
    ):
        parts = (seconds + part_s // 2) // part_s
        whole, left = divmod(parts, unit_s // part_s)
        if whole:
            return f"{whole} {unit} {left} {smaller}" if left else f"{whole} {unit}"
    return time(ns) if rest else f"{seconds} s"


# --- messages


def warn(sentence):
    """A line on stderr."""
    print("iosweep: " + sentence, file=sys.stderr)
