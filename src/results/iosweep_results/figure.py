# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Pictures as data, and two writers of them: SVG, and block characters for terminals.

A Figure has panels one below the other (more than three: in two columns), a Panel has axes and
curves, or cells of a map.  Values have the units of the results: bytes, bytes/s, 1/s, ns.  What is
None, NaN or has no place on an axis (0 on a logarithmic one) is a gap.

Colours can be told apart with any kind of colour vision (after Okabe and Ito, Color Universal
Design, 2008), with a contrast of 3 to the background and more; dashes and shapes repeat what they
mean.
"""

import math
import re
import textwrap
import unicodedata
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Optional

from . import text

WIDTH = 760  # of a picture, in its own pixels


# --- the model


@dataclass
class Look:
    colour: str = "c0"  # c0 .. c7: kinds; r0 .. r7: levels, rising; dim
    dash: int = 0  # 0 .. 7; 0: none
    shape: int = 0  # 0 .. 7


@dataclass
class Point:
    x: float
    y: Optional[float]
    low: Optional[float] = None  # an interval of y
    high: Optional[float] = None
    tip: str = ""
    look: Optional[Look] = None  # where it is not that of the curve


@dataclass
class Curve:
    points: list[Point]
    name: str = ""
    look: Look = field(default_factory=Look)
    bands: list = field(default_factory=list)  # of lists of (x, low, high), pale ones first
    interval: str = "band"  # of points: band, bar or ""
    line: bool = True
    marks: int = 1  # on each point, or each of so many; 0: none
    thin: bool = False  # an edge, or a line that was fitted
    rings: list = field(default_factory=list)  # of (x, y, text)


@dataclass
class Cell:
    column: int
    row: int
    share: float  # of the scale of colours, 0 .. 1
    short: str
    tip: str = ""
    wide: bool = False  # not to be trusted


@dataclass
class Axis:
    scale: str = "log"  # log, linear, normal (shares), names
    unit: str = ""  # bytes, bytes/s, /s, ns, s, ratio, or "": a plain number
    title: str = ""
    low: float = math.inf
    high: float = -math.inf
    names: list = field(default_factory=list)

    def add(self, *values):
        """Makes the axis reach as far as these values, where they have a place on it."""
        for value in values:
            if self.takes(value):
                self.low, self.high = min(self.low, value), max(self.high, value)

    def takes(self, value):
        return value is not None and math.isfinite(value) and (value > 0 or self.scale == "linear")

    def close(self, least=4.0):
        """Room at both ends; least: the factor from one end to the other."""
        if self.scale == "names":
            return
        if self.low > self.high:
            self.low, self.high = (0, 1) if self.scale == "linear" else (1, 10)
        if self.scale == "linear":
            if not self.high > self.low:
                self.high = self.low + (abs(self.low) or 1)
        elif self.scale == "log":
            span = math.log(self.high) - math.log(self.low)
            room = max(span * 0.04, (math.log(least) - span) / 2)
            self.low = math.exp(max(math.log(self.low) - room, -744))
            self.high = math.exp(min(math.log(self.high) + room, 709.78))

    def at(self, value):
        """The place of a value, 0 .. 1 from end to end; None where it has none."""
        if self.scale == "names":
            return (value + 0.5) / max(len(self.names), 1)
        if not self.takes(value):
            return None
        low, high = self.low, self.high
        if self.scale == "log":
            low, high, value = math.log(low), math.log(high), math.log(value)
        elif self.scale == "normal":
            low, high = quantile(low), quantile(high)
            value = quantile(min(max(value, self.low), self.high))
        half = high / 2 - low / 2  # of numbers so large that their difference is none
        return min(max((value / 2 - low / 2) / half, -1), 2) if half > 0 else 0.5


@dataclass
class Panel:
    x: Axis
    y: Axis
    title: str = ""
    subtitle: str = ""
    curves: list[Curve] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    strip: Optional[tuple] = None  # (low, high) of y: what counts as the same
    ends: tuple = ()  # words at the upper and the lower end: slower, faster


@dataclass
class Key:
    """What a mark means: a band, bar, line, ring, strip, scale or point."""

    kind: str
    meaning: str
    look: Look = field(default_factory=lambda: Look("dim"))


@dataclass
class Figure:
    panels: list[Panel]
    title: str = ""
    subtitle: str = ""
    keys: list[Key] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    at_ends: bool = True  # names of curves are at the ends of their lines, if there is room


def quantile(share):
    """The z below which this share of the standard normal distribution lies."""
    return NormalDist().inv_cdf(min(max(share, 1e-12), 1 - 1e-12))


# --- ticks

SHARES = (0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999)
RATIOS = (1.001, 1.002, 1.005, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000)
FALLS = (0.999, 0.998, 0.995, 0.99, 0.98, 0.95, 0.9, 0.8, 0.65, 0.5, 0.3, 0.2, 0.1, 0.03, 0.001)
_MANTISSAS = ((1, 2, 5), (1, 3), (1,))


def label(value, unit):
    """ "4 KiB", "10 MB/s", "2.5 k/s", "20 us", "+5 %", "x3"; short enough for an axis."""
    if unit == "bytes":
        whole = int(value)
        return text.size(whole) if whole < 1024 or whole % 1024 == 0 else text.amount(value)
    if unit == "ratio":
        if value < 3:
            change = round((value - 1) * 100, 2)
            return f"{change:+.3g} %" if change else "same"
        return f"x{value:.3g}"
    if unit == "s":
        return f"{value:.4g} s"
    writer = {"bytes/s": text.throughput, "/s": text.rate, "ns": text.time}.get(unit)
    if not writer:
        return f"{value:.6g}"
    number, unit = writer(value).split(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {unit}"


def short(value, unit):
    """ "321M": a number for a cell, whose unit is in the title."""
    return re.sub(r" ?([kMGTP]?)(B/s|/s)$", r"\1", label(value, unit)).replace(" ", "")


def _linear(axis, most):
    span = axis.high - axis.low
    if not (math.isfinite(span) and span > 0):
        return []
    step = 10 ** math.floor(math.log10(span / most))
    for factor in (1, 2, 2.5, 2, 2, 2.5, 2):
        step *= factor
        first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
        if last - first < most:
            break
    return [i * step for i in range(first, min(last, first + int(most)) + 1)]


def _powers_of_two(axis, most):
    low, high = max(math.ceil(math.log2(axis.low) - 1e-9), 0), math.floor(math.log2(axis.high))
    for stride in (1, 2, 4, 5, 10, 20, 50, 100, 1000):
        labelled = [e for e in range(low, high + 1) if e % stride == 0]
        if len(labelled) <= most:
            return [2.0**e for e in labelled], [2.0**e for e in range(low, high + 1)]
    return [], []


def _decades(axis, most):
    low, high = math.floor(math.log10(axis.low)), math.floor(math.log10(axis.high))

    def within(mantissas, stride=1):
        values = [m * 10.0**e for e in range(low, high + 1) if e % stride == 0 for m in mantissas]
        return [v for v in values if axis.low <= v <= axis.high]

    choices = [(m, 1) for m in _MANTISSAS] + [((1,), stride) for stride in (2, 3, 6, 12, 60, 200)]
    for mantissas, stride in choices:
        labelled = within(mantissas, stride)
        if len(labelled) <= most:
            break
    if len(labelled) < 2:
        labelled = _linear(axis, most)
    return labelled, within(range(1, 10)) if axis.high < 40 * axis.low else within((1,))


def ticks(axis, most):
    """(place, label) of the ticks of an axis by rising place; at most that many have a label."""
    if axis.scale == "names":
        stride = -(-len(axis.names) // max(int(most), 1))
        return [(axis.at(i), n if i % stride == 0 else "") for i, n in enumerate(axis.names)]
    minor = []
    if axis.scale == "normal":
        major = [s for s in SHARES if axis.low <= s <= axis.high]
        return [(axis.at(s), f"p{s * 100:g}") for s in major]
    if axis.unit == "ratio":
        least = (math.log(axis.high) - math.log(axis.low)) / most
        major = [1.0]
        for ratios in (RATIOS, FALLS):
            last = 0.0
            for ratio in ratios:
                far = abs(math.log(ratio))
                if axis.low <= ratio <= axis.high and far - last >= least:
                    major.append(ratio)
                    last = far
    elif axis.scale == "linear":
        major = _linear(axis, most)
    elif axis.unit == "bytes":
        major, minor = _powers_of_two(axis, most)
        if not major:
            major = [math.sqrt(axis.low) * math.sqrt(axis.high)]
    else:
        major, minor = _decades(axis, most)
    named = {value: label(value, axis.unit) for value in major}
    return sorted((axis.at(value), named.get(value, "")) for value in {*major, *minor})


# --- SVG

_LIGHT = (
    "bg:#ffffff fg:#1b1f24 dim:#58626d edge:#d4dae1 strip:#dfe4ea "
    "c0:#0072b2 c1:#c9530a c2:#00845f c3:#a8468a c4:#8a6a00 c5:#3d4650 c6:#7353ba c7:#b3312c "
    "r0:#5aa0d2 r1:#4690c6 r2:#3580b9 r3:#276fa9 r4:#1c6099 r5:#135187 r6:#0b4273 r7:#06345f "
    "h0:#eef5fb h1:#d9e9f6 h2:#c0dbf0 h3:#a3cae7 h4:#82b6dc h5:#2975ae h6:#20659b h7:#134c7b "
    "h8:#08335a hl:#1b1f24 hd:#ffffff"
)
_DARK = (
    "bg:#13171c fg:#e4e8ec dim:#a2acb7 edge:#343d47 strip:#2d3640 "
    "c0:#56b4e9 c1:#f2914a c2:#2fc79a c3:#e493c3 c4:#e6b83a c5:#cbd2d9 c6:#ae96f2 c7:#f27f78 "
    "r0:#4785b5 r1:#5595c5 r2:#66a5d3 r3:#79b5e0 r4:#8ec4ea r5:#a5d2f2 r6:#bee0f8 r7:#d9edfc "
    "h0:#1a2733 h1:#1c3246 h2:#1e3e5a h3:#204b6f h4:#235884 h5:#6aa9d8 h6:#8bbfe5 h7:#aed5f0 "
    "h8:#d4e9f9 hl:#f2f5f8 hd:#0d1115"
)
_COLOURS = [f"{letter}{i}" for letter in "cr" for i in range(8)] + ["dim"]
_DASHES = ("none", "8 4", "2 3", "9 3 2 3", "14 4", "5 3", "9 3 2 3 2 3", "3 6")
_SHAPES = (
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",  # a circle
    "m-2.9-2.9h5.8v5.8h-5.8z",  # a square
    "m0-4l3.7 6.4h-7.4z",  # a triangle
    "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",  # a diamond
    "m0 4l3.7-6.4h-7.4z",  # a triangle that stands on its tip
    "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",  # the same, not filled
    "m-2.9-2.9h5.8v5.8h-5.8z",
    "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",
)
_OPEN = 5  # shapes from here on are not filled
_RULES = (
    '.ip{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",Arial,sans-serif}'
    ".ip .bg{fill:var(--bg)}.ip text{fill:var(--dim)}"
    ".ip .f{fill:var(--fg)}.ip .t{fill:var(--fg);font-size:17px;font-weight:600}"
    ".ip .s{fill:var(--fg);font-size:14px;font-weight:600}"
    ".ip .e{text-anchor:end}.ip .c{text-anchor:middle}"
    ".ip .g{stroke:var(--edge);fill:none}.ip .g.n{opacity:.4}.ip .strip{fill:var(--strip)}"
    ".ip .l{fill:none;stroke:currentColor;stroke-width:1.8;stroke-linejoin:round}"
    ".ip .l.w{stroke-width:1.2}.ip .v{fill:none;stroke:currentColor;stroke-width:1.4}"
    ".ip .b{fill:currentColor;opacity:.17;stroke:none}"
    ".ip .one{fill:none;stroke:currentColor;stroke-width:5;opacity:.35}"
    ".ip .m{fill:currentColor;stroke:currentColor}"
    ".ip .m.o{fill:var(--bg);stroke-width:1.6}.ip .h{fill:transparent;stroke:none}"
    ".ip .k{fill:none;stroke:var(--fg);stroke-width:1.3}"
    ".ip .q{stroke:var(--dim);fill:none;stroke-dasharray:1 3}"
    ".ip .x{font-size:12px;text-anchor:middle}.ip .x.l0{fill:var(--hl)}.ip .x.l1{fill:var(--hd)}"
    ".ip .cell{stroke:var(--bg);stroke-width:2}"
    ".ip .u{fill:none;stroke-width:1.5;stroke-dasharray:3 3;stroke:var(--hl)}"
    ".ip .u.l1{stroke:var(--hd)}"
    + "".join(f".ip .{name}{{color:var(--{name})}}" for name in _COLOURS)
    + "".join(f".ip .h{i}{{fill:var(--h{i})}}" for i in range(9))
    + "".join(f".ip .d{i}{{stroke-dasharray:{d}}}" for i, d in enumerate(_DASHES))
)
# Without scripts: what the pointer is on stands out.
_SCREEN = (
    ".ip{background:var(--bg);display:block;max-width:100%;height:auto}"
    ".ip .p:hover .z:not(:hover){opacity:.3}.ip .z:hover .l{stroke-width:3}"
    ".ip a:hover .m,.ip .y:hover .m{stroke-width:5}"
    "@media (max-width:600px){.ip{font-size:19px}.ip .s{font-size:18px}.ip .t{font-size:23px}"
    ".ip .x{font-size:16px}"
    ".ip .n2{display:none}}"
)
_PAGE = (
    "svg.ip{margin:0 auto}@page{size:A4;margin:12mm}@media print{.ip{max-height:100vh}}"
    "@media screen and (prefers-color-scheme:dark){:root{background:#13171c}}"
)


def _variables(colours):
    return ".ip{" + ";".join("--" + colour for colour in colours.split()) + "}"


def style(theme=None):
    """The style sheet of pictures, for a page that has some: light and dark as the screen is, or
    with the theme "light" or "dark" that one alone, and no variables, which few converters know."""
    light = dict(pair.split(":") for pair in (_DARK if theme == "dark" else _LIGHT).split())
    if theme:
        return re.sub(r"var\(--(\w+)\)", lambda m: light[m[1]], _RULES)
    plain = re.sub(
        r"([\w-]+):var\(--(\w+)\)", lambda m: f"{m[1]}:{light[m[2]]};{m[0]}", _RULES
    )  # programs without variables take the first of both
    dark = f"@media screen and (prefers-color-scheme:dark){{{_variables(_DARK)}}}"
    return _variables(_LIGHT) + dark + plain + _SCREEN


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(words):
    """A text as XML has it, for elements and attributes; what XML cannot have is U+FFFD."""
    words = _NOT_XML.sub("\ufffd", str(words)).replace("&", "&amp;").replace("<", "&lt;")
    return words.replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#39;")


def _n(value):
    return f"{value:.1f}".rstrip("0").rstrip(".") if abs(value) >= 0.05 else "0"


def columns_of(words):
    """Columns on a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in words
    )


def cut(words, most, end="\u2026"):
    """The beginning that fits into so many columns."""
    if columns_of(words) <= most:
        return words
    while words and columns_of(words) > most - columns_of(end):
        words = words[:-1]
    return words + end


def spread(places, gap, low, high):
    """Moves places apart until they are `gap` from each other, within low .. high, in order."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    found = [min(max(places[i], low), high) for i in order]
    gap = min(gap, (high - low) / max(len(places) - 1, 1))
    for _ in range(200):
        for i in range(1, len(found)):
            overlap = max(gap - (found[i] - found[i - 1]), 0)
            found[i - 1] = max(found[i - 1] - overlap / 2, low + gap * (i - 1))
            found[i] = min(found[i] + overlap / 2, high - gap * (len(found) - 1 - i))
    return [place for _, place in sorted(zip(order, found))]


_MARGIN = 16  # around all, pixels
_LETTER = 10.0  # width of a letter on narrow screens, where letters are larger
_LINE = 21  # from one line of text to the next
_NAMES_MOST = 0.3  # of the width of a panel, for names at the ends of lines


def _widest(words):
    return max(map(columns_of, words), default=0)


def _crowd(panels):
    """The most names in a panel."""
    return max((sum(1 for curve in p.curves if curve.name) for p in panels), default=0)


def _legend(figure, direct):
    """Keys of the curves, unless their names are at their ends, and of all other marks."""
    keys = {}
    for curve in (curve for panel in figure.panels for curve in panel.curves):
        if curve.name and not direct:
            kind = "line" if curve.line else "point"
            keys.setdefault((curve.name, str(curve.look)), Key(kind, curve.name, curve.look))
    return [*keys.values(), *figure.keys]


class _Svg:
    """One picture while it is written: pieces of XML, how far down it has got, and the panel that
    is drawn with its box (left, top, right, bottom)."""

    def __init__(self, figure):
        self.figure, self.out, self.y, self.panel, self.box = figure, [], 6.0, None, ()
        panels = figure.panels
        self.columns = 2 if len(panels) > 3 and not any(p.cells for p in panels) else 1
        self.wide = (WIDTH - _MARGIN * (1 + self.columns)) / self.columns
        self.left = _widest(n for p in panels for _, n in ticks(p.y, 8)) * _LETTER + 10
        room = _widest(c.name for p in panels for c in p.curves) * _LETTER + 24
        fits = room <= _NAMES_MOST * self.wide and 0 < _crowd(panels) <= 10
        self.direct = figure.at_ends and fits
        room = room if self.direct else 18.0
        self.right = max(room, _widest(word for p in panels for word in p.ends) * _LETTER + 8)
        high = {1: 300, 2: 230, 3: 200, 4: 180, 5: 170}.get(-(-len(panels) // self.columns), 160)
        self.high = high if self.columns == 1 else min(high, 220) - 30

    def put(self, name, words=None, **attributes):
        """An element; words: its text.  Attributes with numbers are rounded; kind: its class."""
        parts = []
        for key, value in attributes.items():
            shown = _n(value) if isinstance(value, (int, float)) else escape(value)
            parts.append(f' {"class" if key == "kind" else key}="{shown}"')
        end = "/>" if words is None else f">{escape(words)}</{name}>"
        self.out.append(f"<{name}{''.join(parts)}{end}")

    def begin(self, kind, tip=""):
        """A group, to be closed with end()."""
        self.out.append(f'<g class="{kind}">')
        if tip:
            self.put("title", tip)

    def end(self):
        """See begin."""
        self.out.append("</g>")

    def path(self, kind, *steps):
        """steps: "M", x, y, "L" ..."""
        words = (step if isinstance(step, str) else f"{_n(step)} " for step in steps)
        self.put("path", kind=kind, d="".join(words).rstrip())

    def texts(self, words, kind, letter):
        """Lines over the whole width; letter: the width of one."""
        for line in textwrap.wrap(words, int((WIDTH - 2 * _MARGIN) / letter)):
            self.y += _LINE
            self.put("text", line, kind=kind, x=_MARGIN, y=self.y)

    # --- panels

    def draw(self, index, panel):
        """A panel; returns where it ends."""
        begin = _MARGIN + index % self.columns * (self.wide + _MARGIN)
        most = int(self.wide / _LETTER)
        head = [cut(panel.title, most), *textwrap.wrap(panel.subtitle, most)]
        last = index + self.columns >= len(self.figure.panels)
        titled = bool(panel.x.title) and (last or panel.x is not self.figure.panels[-1].x)
        high = len(panel.y.names) * 28 + 8 if panel.cells else self.high
        top = self.y + 14 + _LINE * len(head)
        for i, line in enumerate(head):
            y = self.y + 14 + _LINE * (i + 0.4)
            self.put("text", line, kind="" if i else "s", x=begin, y=y)
        left, right = begin + self.left, begin + self.wide - self.right
        self.panel, self.box = panel, (left, top, right, top + high)
        if panel.strip:
            low, up = map(self.down, panel.strip)
            self.put("rect", kind="strip", x=left, y=up, width=right - left, height=low - up)
        self.axes(titled)
        for y, word in zip((top + 14, top + high - 6), panel.ends):
            self.put("text", word, kind="f", x=right + 8, y=y)
        self.begin("p")
        for cell in panel.cells:
            self.cell(cell)
        for i, curve in enumerate(panel.curves):
            self.curve(curve, 3 * (i - (len(panel.curves) - 1) / 2))
        if self.direct:
            self.names()
        self.end()
        return top + high + (2 if titled else 1) * _LINE + 6

    def across(self, value):
        """Pixels of an x; None where it has no place, at the edge where it is beyond it."""
        share = self.panel.x.at(value)
        left, right = self.box[::2]
        return None if share is None else left + min(max(share, 0), 1) * (right - left)

    def down(self, value):
        """The same of a y."""
        share = self.panel.y.at(value)
        top, bottom = self.box[1::2]
        return None if share is None else bottom - min(max(share, 0), 1) * (bottom - top)

    def axes(self, titled):
        """Lines of the grid, unless it is a map, and numbers; on narrow screens fewer of them."""
        left, top, right, bottom = self.box
        panel, grid = self.panel, not self.panel.cells
        for share, name in ticks(panel.y, (bottom - top) / 26):
            y = bottom - share * (bottom - top)
            if grid:
                self.path("g" if name else "g n", "M", left, y, "H", right)
            if name:
                self.put("text", name, kind="e", x=left - 7, y=y + 4.5)
        numbers = ticks(panel.x, (right - left) / 54)
        named = [share for share, name in numbers if name]
        rare = named[::2] if len(named) > (right - left) / 100 else named
        for share, name in numbers:
            x = left + share * (right - left)
            if grid:
                self.path("g" if name else "g n", "M", x, top, "V", bottom + (4 if name else 0))
            if name:
                kind = "c" if share in rare else "c n2"
                self.put("text", name, kind=kind, x=x, y=bottom + 19)
        if titled:
            self.put("text", panel.x.title, kind="c", x=(left + right) / 2, y=bottom + 19 + _LINE)

    def cell(self, cell):
        """Of a map."""
        left, top, right, bottom = self.box
        wide = (right - left) / len(self.panel.x.names)
        high = (bottom - top) / len(self.panel.y.names)
        x, y = left + cell.column * wide, bottom - (cell.row + 1) * high
        step = step_of(cell)
        ink = "l1" if step > 4 else "l0"
        self.begin("y", cell.tip)
        self.put("rect", kind=f"cell h{step}", x=x, y=y, width=wide, height=high)
        if cell.wide:
            self.put("rect", kind=f"u {ink}", x=x + 4, y=y + 4, width=wide - 8, height=high - 8)
        if columns_of(cell.short) * 9 < wide:
            self.put("text", cell.short, kind=f"x {ink}", x=x + wide / 2, y=y + high / 2 + 4)
        self.end()

    # --- curves

    def runs(self, rows):
        """Rows of (x, y ...) in pixels, in runs without gaps."""
        run = []
        for x, *values in [*rows, (None, None)]:
            places = [self.across(x), *map(self.down, values)]
            if None not in places:
                run.append(places)
            elif run:
                yield run
                run = []

    def curve(self, curve, aside):
        """aside: pixels by which bars of several curves are beside each other."""
        self.begin(f"z {curve.look.colour}")
        intervals = [(point.x, point.low, point.high) for point in curve.points]
        for run in (run for band in curve.bands for run in self.runs(band)):
            self.band(run)
        for run in self.runs(intervals) if curve.interval == "band" else ():
            self.band(run)
        for point, row in zip(curve.points, intervals) if curve.interval == "bar" else ():
            for ((x, low, high),) in self.runs([row]):
                self.path(f"v {(point.look or curve.look).colour}", "M", x + aside, low, "V", high)
        kind = f"l{' w' * curve.thin} d{curve.look.dash}"
        for run in self.runs((p.x, p.y) for p in curve.points) if curve.line else ():
            if len(run) > 1:
                self.path(kind, "M", *[step for place in run for step in ("L", *place)][1:])
        for point in curve.points[:: curve.marks] if curve.marks else ():
            for ((x, y),) in self.runs([(point.x, point.y)]):
                self.begin("y", point.tip)
                self.put("circle", kind="h", cx=x, cy=y, r=9)
                self.mark(x, y, point.look or curve.look)
                self.end()
        for *place, tip in curve.rings:
            for ((x, y),) in self.runs([place]):
                self.begin("y", tip)
                self.put("circle", kind="k", cx=x, cy=y, r=7.5)
                self.end()
        self.end()

    def band(self, run):
        """Between two lines; a bar where there is one point only."""
        if len(run) == 1:
            self.path("one", "M", *run[0][:2], "V", run[0][2])
            return
        there = [step for x, low, _ in run for step in ("L", x, low)]
        back = [step for x, _, high in reversed(run) for step in ("L", x, high)]
        self.path("b", "M", *there[1:], *back, "Z")

    def mark(self, x, y, look):
        """A point."""
        kind = f"m{' o' * (look.shape % 8 >= _OPEN)} {look.colour}"
        self.put("path", kind=kind, d=f"M{_n(x)} {_n(y)}{_SHAPES[look.shape % 8]}")

    def names(self):
        """At the ends of lines, moved apart, with a line to the end where that is far."""
        right, ends = self.box[2], []
        for curve in self.panel.curves:
            runs = list(self.runs((p.x, p.y) for p in curve.points))
            if curve.name and runs:
                ends.append((curve, *runs[-1][-1]))
        places = spread([y for *_, y in ends], 20, self.box[1] + 6, self.box[3] - 6)
        for (curve, x, y), at in zip(ends, places):
            if abs(at - y) > 4 or right - x > 12:
                self.path("q", "M", x + 5, y, "L", right + 4, at)
            if curve.marks:
                self.mark(right + 11, at, curve.look)
            x = right + (19 if curve.marks else 8)
            self.put("text", curve.name, kind="f", x=x, y=at + 4.5)

    # --- below the panels

    def keys(self):
        """What colours and marks mean, in lines as wide as the picture."""
        x = WIDTH
        for key in _legend(self.figure, self.direct):
            wide = 60 if key.kind == "scale" else 40
            shown = cut(key.meaning, int((WIDTH - 2 * _MARGIN - wide) / _LETTER))
            length = wide + columns_of(shown) * _LETTER + 8
            if x + length > WIDTH - _MARGIN:
                x, self.y = _MARGIN, self.y + _LINE
            self.sample(key, x, self.y - 4.5)
            self.put("text", shown, x=x + wide, y=self.y)
            x += length

    def sample(self, key, x, y):
        """Of what a key explains."""
        self.begin(key.look.colour)
        if key.kind == "scale":
            for i in range(9):
                self.put("rect", kind=f"h{i}", x=x + i * 6, y=y - 6, width=6, height=12)
        elif key.kind in _AREAS:
            self.put("rect", kind=_AREAS[key.kind], x=x + 4, y=y - 6, width=24, height=12)
        elif key.kind == "bar":
            self.path("v", "M", x + 16, y - 7, "V", y + 7)
        elif key.kind == "ring":
            self.put("circle", kind="k", cx=x + 16, cy=y, r=7)
        elif key.kind in ("line", "edge"):
            self.path(f"l d{key.look.dash}", "M", x + 1, y, "H", x + 32)
        if key.kind in ("line", "point"):
            self.mark(x + 16, y, key.look)
        self.end()


_AREAS = {"band": "b", "strip": "strip", "cell": "u l0"}


def step_of(cell):
    """The step of the scale of colours, 0 .. 8."""
    return min(max(int(cell.share * 9), 0), 8)


def svg(figure, standalone=True, id_prefix="figure", theme=None, width=WIDTH):
    """The picture as SVG.  standalone: a file of its own, with its style sheet; else an element for
    a page that has style() once, and ids that begin with id_prefix.  theme: see style; width: in
    pixels, where it has the room."""
    # pylint: disable=too-many-arguments
    art = _Svg(figure)
    art.texts(figure.title, "t", 12)
    art.texts(figure.subtitle, "", _LETTER)
    art.y += 8 if figure.title else 0
    for first in range(0, len(figure.panels), art.columns):
        row = list(enumerate(figure.panels))[first : first + art.columns]
        art.y = max(art.draw(index, panel) for index, panel in row)
    art.keys()
    for note in figure.notes:
        art.texts(note, "", _LETTER)
    high = math.ceil(art.y + 14)
    name = figure.title or "".join(panel.title for panel in figure.panels[:1])
    title_id = escape(f"{id_prefix}-title")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ip" viewBox="0 0 {WIDTH} {high}"'
        f' width="{width}" height="{high * width // WIDTH}" role="img"'
        f' aria-labelledby="{title_id}">\n<title id="{title_id}">{escape(name)}</title>\n'
    )
    if standalone:
        head += f"<style>{style(theme)}{'' if theme else _PAGE}</style>\n"
    head += f'<rect class="bg" width="{WIDTH}" height="{high}"/>\n'
    return head + "\n".join([*art.out, "</svg>\n"])


# --- block characters

_BOX = {True: "\u2502\u2500\u2514\u2524\u252c", False: "|-+++"}
_MARKS = ("\u25cf\u25a0\u25b2\u25c6\u25bc\u25cb\u25a1\u25c7", "ABCDEFGH")
_RINGED, _SHADES = "\u25ce", (" \u2591\u2592\u2593\u2588", " .:#@")
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_ASCII = str.maketrans("\u2026\u00b1\u00b7\u2192\u00a0", "~~-> ")
_ANSI = dict(
    zip(_COLOURS, (33, 208, 36, 170, 178, 246, 99, 167, 39, 33, 63, 99, 134, 170, 205, 203, 245))
)
_PAPER = (17, 18, 24, 31, 38, 74, 110, 153, 195)  # of a map, from dark to light
_LEAST_ROWS = 4  # of a panel
_DASHED = (1, 3, 1, 2, 4, 2, 3, 2)  # dots of a dash; a third of a pattern is left out


class _Canvas:
    """Cells of a terminal: dots (two by four of a cell in braille), and characters over them."""

    def __init__(self, columns, rows, utf8):
        self.columns, self.rows, self.utf8 = columns, rows, utf8
        self.across, self.down = (2, 4) if utf8 else (1, 1)
        self.dots, self.letters, self.colours = {}, {}, {}

    def dot(self, x, y, colour):
        """Dots are counted from the lower left corner."""
        cell = x // self.across, self.rows - 1 - y // self.down
        inside = self.down - 1 - y % self.down
        self.dots[cell] = self.dots.get(cell, 0) | _BRAILLE[inside][x % self.across]
        self.colours[cell] = colour

    def places(self, share_x, share_y):
        x = round(min(max(share_x, 0), 1) * (self.columns * self.across - 1))
        return x, round(min(max(share_y, 0), 1) * (self.rows * self.down - 1))

    def line(self, begin, end, look, thin):
        (x, y), (to_x, to_y) = begin, end
        steps = max(abs(to_x - x), abs(to_y - y), 1)
        for i in range(steps + 1):
            at = x + round((to_x - x) * i / steps)
            if (thin and at % 3) or (look.dash and at % (2 + look.dash) == 0):
                continue
            self.dot(at, y + round((to_y - y) * i / steps), look.colour)

    def mark(self, x, y, letter, colour):
        cell = x // self.across, self.rows - 1 - y // self.down
        self.letters[cell], self.colours[cell] = letter, colour

    def row(self, number, colour):
        """A line of text, with colours for a terminal or without."""
        line = []
        for column in range(self.columns):
            cell = column, number
            bits = self.dots.get(cell, 0)
            letter = self.letters.get(cell) or (
                (chr(0x2800 + bits) if self.utf8 else "*") if bits else " "
            )
            line.append(_coloured(letter, self.colours.get(cell), colour and letter != " "))
        return "".join(line)


def _coloured(words, colour, wanted):
    return f"\x1b[38;5;{_ANSI[colour]}m{words}\x1b[0m" if wanted and colour in _ANSI else words


class _Blocks:
    """One picture of characters while it is written."""

    def __init__(self, figure, columns, rows, colour, utf8):
        # pylint: disable=too-many-arguments
        self.figure, self.columns, self.colour, self.utf8 = figure, columns, colour, utf8
        self.box = _BOX[utf8]
        panels = figure.panels
        self.left = _widest(n for p in panels for _, n in ticks(p.y, 8)) + 1
        self.right = _widest(c.name for p in panels for c in p.curves) + 3
        fits = self.right <= 0.3 * columns and 0 < _crowd(panels) <= rows
        self.direct = figure.at_ends and fits
        ends = _widest(word for p in panels for word in p.ends) + 1
        self.right = max(self.right if self.direct else 1, ends)
        self.wide = max(columns - self.left - 1 - self.right, 8)

    def plain(self, words):
        if self.utf8:
            return words
        return words.translate(_ASCII).encode("ascii", "replace").decode()

    def letter(self, look):
        return _MARKS[0 if self.utf8 else 1][look.shape % 8]

    def panel(self, panel, rows, labelled):
        lines = [cut(panel.title, self.columns)] + textwrap.wrap(panel.subtitle, self.columns)
        canvas = _Canvas(self.wide, rows, self.utf8)
        if panel.strip:
            row = canvas.places(0, panel.y.at(math.sqrt(panel.strip[0] * panel.strip[1])))[1]
            for x in range(0, canvas.columns * canvas.across, 2 * canvas.across):
                canvas.mark(x, row, "\u2508" if self.utf8 else "-", "")
        for curve in panel.curves:
            self.curve(canvas, panel, curve)
        beside = {}
        for share, name in ticks(panel.y, min(max(rows // 2, 2), 8)):
            if name:
                beside.setdefault(rows - 1 - canvas.places(0, share)[1] // canvas.down, name)
        ends = self.names(canvas, panel) if self.direct else {}
        if panel.ends:
            ends.update({0: (panel.ends[0], None), rows - 1: (panel.ends[1], None)})
        for number in range(rows):
            name, (end, colour) = beside.get(number, ""), ends.get(number, ("", None))
            edge = self.box[3] if name else self.box[0]
            line = f"{' ' * (self.left - columns_of(name) - 1)}{name} {edge}"
            line += canvas.row(number, self.colour)
            lines.append((line + " " + _coloured(end, colour, self.colour and end)).rstrip())
        return lines + self.below(canvas, panel, labelled)

    def below(self, canvas, panel, labelled):
        """The axis, and its numbers."""
        edge, row = [self.box[1]] * self.wide, [" "] * (self.left + 1 + self.wide + self.right)
        taken = -1
        for share, name in ticks(panel.x, max(self.wide // 10, 1)):
            if not name:
                continue
            at = canvas.places(share, 0)[0] // canvas.across
            edge[at] = self.box[4]
            begin = self.left + 1 + at - (columns_of(name) - 1) // 2
            begin = min(begin, len(row) - columns_of(name))
            if begin > taken:
                row[begin : begin + len(name)] = name
                taken = begin + columns_of(name)
        lines = [" " * self.left + self.box[2] + "".join(edge)]
        if labelled:
            title = f"  {panel.x.title}" if panel.x.title else ""
            numbers = "".join(row).rstrip()
            fits = columns_of(numbers + title) <= self.columns
            lines.append(numbers + title if fits else numbers)
        return lines

    def curve(self, canvas, panel, curve):
        places = []
        for point in curve.points:
            x, y = panel.x.at(point.x), panel.y.at(point.y) if point.y is not None else None
            places.append(None if x is None or y is None else canvas.places(x, y))
            low, high = panel.y.at(point.low), panel.y.at(point.high)
            if curve.interval and None not in (x, low, high):
                colour = (point.look or curve.look).colour
                (column, begin), (_, end) = canvas.places(x, low), canvas.places(x, high)
                for y in range(begin, end + 1):
                    canvas.dot(column, y, colour)
                    if not self.utf8:
                        canvas.mark(column, y, ":", colour)
        for before, after in zip(places, places[1:]) if curve.line else ():
            if before and after:
                canvas.line(before, after, curve.look, curve.thin)
        marked = list(zip(curve.points, places))[:: curve.marks] if curve.marks else ()
        for point, place in marked:
            if place:
                look = point.look or curve.look
                canvas.mark(*place, self.letter(look), look.colour)
        for x, y, _ in curve.rings:
            shares = panel.x.at(x), panel.y.at(y)
            if None not in shares:
                letter = _RINGED if self.utf8 else "O"
                canvas.mark(*canvas.places(*shares), letter, curve.look.colour)

    def names(self, canvas, panel):
        """Names beside the ends of lines, by row."""
        ends = []
        for curve in panel.curves:
            shares = [panel.y.at(p.y) for p in curve.points if panel.x.at(p.x) is not None]
            known = [share for share in shares if share is not None]
            if curve.name and known:
                row, inside = divmod(canvas.places(0, known[-1])[1], canvas.down)
                ends.append((canvas.rows - 1 - row - inside / 100, curve))
        rows = spread([row for row, _ in ends], 1, 0, canvas.rows - 1)
        order = sorted(range(len(ends)), key=lambda i: rows[i])
        found, last = {}, -1
        for rank, i in enumerate(order):
            last = min(max(round(rows[i]), last + 1), canvas.rows - len(order) + rank)
            curve = ends[i][1]
            mark = self.letter(curve.look) + " " if curve.marks else ""
            found[last] = (mark + curve.name, curve.look.colour)
        return found

    def cells(self, panel):
        """A map as a table: shades beside numbers, or colours behind them."""
        lines = [cut(panel.title, self.columns)]
        left = max([columns_of(n) for n in panel.y.names] or [0]) + 1
        each = max((self.columns - left) // max(len(panel.x.names), 1), 4)
        shown = max((self.columns - left) // each, 1)  # columns of the map
        by_place = {(cell.column, cell.row): cell for cell in panel.cells}
        for row in reversed(range(len(panel.y.names))):
            name = panel.y.names[row]
            line = f"{name:>{left - 1}} "
            for column in range(min(len(panel.x.names), shown)):
                cell = by_place.get((column, row))
                if not cell:
                    line += " " * each
                    continue
                number = cut(("~" if cell.wide else "") + cell.short, each - 2, "")
                step = step_of(cell)
                if self.colour:
                    ink = 15 if step < 4 else 16
                    line += f"\x1b[38;5;{ink};48;5;{_PAPER[step]}m{number:^{each}}\x1b[0m"
                else:
                    line += f"{_SHADES[0 if self.utf8 else 1][step // 2]}{number:^{each - 1}}"
            lines.append(line.rstrip())
        names = [label_.replace(" ", "") for label_ in panel.x.names[:shown]]
        names = "".join(f"{cut(name, each - 1, ''):^{each}}" for name in names)
        lines.append((" " * left + names).rstrip())
        return lines

    def keys(self):
        bar, ring = ("\u2502", _RINGED) if self.utf8 else (":", "O")
        line = "\u2809" if self.utf8 else "*"
        signs = {"band": bar, "bar": bar, "ring": ring, "cell": "~", "edge": line}
        lines, line = [], ""
        for key in _legend(self.figure, self.direct):
            sign = signs.get(key.kind) or self.letter(key.look)
            if key.kind in ("strip", "scale"):
                continue
            item = cut(f"{sign} {key.meaning}", self.columns - 1)
            if line and columns_of(line) + 3 + columns_of(item) > self.columns:
                lines.append(line)
                line = ""
            line += ("   " if line else "") + item
        return lines + ([line] if line else [])


def blocks(figure, columns=80, lines=23, colour=False, utf8=True):
    """The picture in characters, as lines of text that fit so many columns and, where its panels
    are few, so many lines.  utf8: else ASCII alone."""
    head = [cut(line, columns) for line in (figure.title, figure.subtitle) if line]
    drawn = [panel for panel in figure.panels if not panel.cells]
    alike = all(panel.x == drawn[0].x for panel in drawn)
    taken = len(head) + (1 if alike else len(drawn))
    taken += sum(2 + len(textwrap.wrap(panel.subtitle, columns)) for panel in drawn)
    notes = [line for note in figure.notes for line in textwrap.wrap(note, columns)]
    rows, body = lines, []
    for _ in range(2):  # names have a place in the lines below where panels lack the rows for them
        art = _Blocks(figure, columns, rows, colour, utf8)
        foot = art.keys() + notes
        rows = (lines - taken - len(foot)) // max(len(drawn), 1)
        rows = rows if rows >= _LEAST_ROWS else 2 * _LEAST_ROWS  # higher than a screen anyway
    for panel in figure.panels:
        if panel.cells:
            body += art.cells(panel)
        else:
            body += art.panel(panel, rows, not alike or panel is drawn[-1])
    if colour and head:
        head[0] = f"\x1b[1m{head[0]}\x1b[0m"
    shown = [line if utf8 else art.plain(line) for line in head + body + foot]
    return "\n".join(shown) + "\n"
