# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Pictures as data, and two writers: SVG, and block characters for terminals.

A Figure has panels one below the other, a Panel has axes and curves, or cells of a map. Values have
the units of the results: bytes, bytes/s, 1/s, ns. None, NaN and values without a position on an
axis (0 on a logarithmic one) are gaps.

Colours are distinguishable with any kind of colour vision (after Okabe and Ito, Color Universal
Design, 2008), with a contrast of at least 3 to the background; shapes repeat their meaning.
"""

import contextlib
import html
import itertools
import math
import re
import string
import textwrap
from collections import namedtuple
from dataclasses import dataclass, field

from . import text

WIDTH = 760  # of a picture, in its own pixels
RING = 8  # a shape
WIDE = 0.25  # half width of an interval, relative to the figure, above which it is uninformative


# --- the model


# colour: c0 .. c7: kinds; r0 .. r7: levels, rising; dim.  shape: 0 .. 7, or RING
Look = namedtuple("Look", "colour shape", defaults=("c0", 0))
# low, high: an interval of y
Point = namedtuple("Point", "x y low high tip", defaults=(None, None, ""))
# marks: on every Nth point; 0: on none
Curve = namedtuple("Curve", "points name look line marks", defaults=("", Look(), True, 1))
# value: on the scale of the panel; wide: its interval is wider than WIDE
Cell = namedtuple("Cell", "column row value tip wide", defaults=("", False))


@dataclass
class Axis:
    scale: str = "log"  # log, linear, names
    unit: str = ""  # bytes, bytes/s, /s, ns, s, ratio, beyond (one in so many), or "": a number
    low: float = math.inf
    high: float = -math.inf
    names: list = field(default_factory=list)
    fixed: bool = False  # its ends are where they are

    def add(self, *values):
        """Extends the axis to these values, if they have a position on it."""
        for value in () if self.fixed else values:
            if self.takes(value):
                self.low, self.high = min(self.low, value), max(self.high, value)

    def takes(self, value):
        """Whether a value can have a position on the axis: values impossible on any machine have
        none, so that the computations below cannot overflow."""
        is_number = value is not None and abs(value) < 1e24
        return is_number and (value > 1e-12 or self.scale == "linear")

    def close(self):
        """Adds room at both ends; a logarithmic axis spans at least a factor of 4; others begin at
        0."""
        if self.scale == "linear":
            self.low, self.high = 0, self.high * 1.05 if self.high > 0 else 1
        elif not self.fixed:
            self.low, self.high = (self.low, self.high) if self.low <= self.high else (1, 10)
            room = max((self.high / self.low) ** 0.04, (4 * self.low / self.high) ** 0.5)
            self.low, self.high = self.low / room, self.high * room

    def at(self, value):
        """The position of a value, 0 .. 1 from end to end, even if it is beyond; None: it has
        none."""
        if self.scale == "names":
            return (value + 0.5) / max(len(self.names), 1)
        if not self.takes(value):
            return None
        low, high = self.low, self.high
        if self.scale == "log":
            low, high, value = map(math.log, (low, high, value))
        return min(max((value - low) / (high - low), 0), 1) if high > low else 0.5


@dataclass
class Panel:
    x: Axis
    y: Axis
    title: str = ""
    subtitle: str = ""
    curves: list[Curve] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    scale: Axis = None  # of the colours of cells

    def beyond(self, point):
        """Which ends of its interval are beyond the axis: (low, high)."""
        known = point.low is not None
        return known and point.low < self.y.low, known and point.high > self.y.high

    def ends(self, point):
        """The ends of its interval within the axis, or None: (low, high)."""
        if point.low is None:
            return None, None
        return max(point.low, self.y.low), min(point.high, self.y.high)


@dataclass
class Figure:
    panels: list[Panel]
    title: str = ""
    subtitle: str = ""
    interval: str = "95 % interval"  # what bands and bars mean
    notes: list[str] = field(default_factory=list)  # sentences about omitted items


# --- ticks

_WRITERS = {"bytes/s": text.throughput, "/s": text.rate, "ns": text.time,
            "ratio": lambda value: text.ratios(value)[0]}
_FORMATS = {"beyond": "p{:.6g}", "s": "{:.4g} s", "": "{:.6g}"}


def label(value, unit):
    """ "4 KiB", "10 MB/s", "2.5 k/s", "20 us", "+5 %", "x3"; short enough for an axis."""
    if unit == "ratio" and abs(value - 1) < 5e-4:
        return "same"
    if unit in _WRITERS:
        words = _WRITERS[unit](value)
        return re.sub(r"\.?0+(?= |$)", "", words) if "." in words else words
    if unit == "bytes":
        whole = int(value)
        return text.size(whole) if whole < 1024 or whole % 1024 == 0 else text.amount(value)
    return _FORMATS[unit].format(100 - 100 / value if unit == "beyond" else value)


def short(value, unit):
    """ "321M": a number for a cell, whose unit is in the title."""
    return re.sub(r" ?([kMGTP]?)(B/s|/s)$", r"\1", label(value, unit)).replace(" ", "")


def _grids(axis, most):
    """Lists of candidate values for ticks, the finest first: multiples of 1, 2 or 5; on a wide
    logarithmic axis powers of two of bytes, else 1, 2, 5, 10 ..., or fewer."""
    if axis.scale == "log" and (axis.unit == "bytes" or axis.high > 9 * axis.low):
        base, finer = 10.0, ((1, 2, 5), (1, 2 if axis.unit == "beyond" else 3))
        if axis.unit == "bytes":
            base, finer = 2.0, ()
        low, high = (math.floor(math.log(end, base) + 1e-9) for end in (axis.low, axis.high))
        strides = [(n, (1,)) for n in (1, 2, 4, 5, 10, 20, 50)]
        for stride, mantissas in [*((1, m) for m in finer), *strides]:
            exponents = (e for e in range(low, high + 1) if e % stride == 0)
            values = (m * base**e for e in exponents for m in mantissas)
            yield [value for value in values if axis.low <= value <= axis.high]
    least = 10 ** math.floor(math.log10((axis.high - axis.low) / most))
    for step in (least, 2 * least, 5 * least, 10 * least):
        first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
        yield [i * step for i in range(first, last + 1)]


def ticks(axis, most):
    """(position, label) of the ticks of an axis, up to a maximum number."""
    if axis.scale == "names":
        every = [(axis.at(i), name) for i, name in enumerate(axis.names)]
        return every[:: math.ceil(len(every) / most) or 1]
    values = next((grid for grid in _grids(axis, most) if 0 < len(grid) <= most), ())
    return [(axis.at(value), label(value, axis.unit)) for value in values if axis.takes(value)]


# --- common to both writers


def cut(words, most):
    """Cuts a text to that number of columns."""
    return words if len(words) <= most else words[: max(most - 1, 0)] + "\u2026"


def _widest(words):
    return max(map(len, words), default=0)


def spread(places, gap, low, high):
    """Moves positions apart until they are `gap` from each other, within low .. high, in order: to
    the middle between the results of only moving them up, and only moving them down."""
    last = len(places) - 1
    gap = min(gap, (high - low) / max(last, 1))
    order = sorted(range(len(places)), key=lambda i: places[i])
    near = [min(max(places[i], low + gap * rank), high - gap * (last - rank))
            for rank, i in enumerate(order)]
    up = list(itertools.accumulate(near, lambda before, place: max(before + gap, place)))
    down = list(itertools.accumulate(near[::-1], lambda after, place: min(after - gap, place)))
    return [(a + b) / 2 for _, a, b in sorted(zip(order, up, down[::-1]))]


class _Writer:  # pylint: disable=no-member
    """Lays a picture out. A subclass draws pieces of it: words, tick, tile, band, path (a line),
    arrow (way: 1, down, or -1) and mark (tip: what its pointer shows). It defines the sizes, in its
    own units from the upper left corner."""

    letter, line, margin, width = 1, 1, 0, 80  # of a letter, a line of text, around all, of all
    head, foot, tile_high, inset = 0, 1, 1, (0, 0)  # above, below a panel; row of a map; edges
    beside = (2, 3, 0)  # room for numbers at the left; at the right for names, or none
    number, name = (3, 1.5), (1.5, 3.5)  # from a panel to numbers at its left, below; mark, name
    apart, key = (7.5, 2), (3, 3)  # numbers; keys: room before words, between them
    sample = (0.4, 0.8, 1)  # the mark of a key, and a colour of the scale

    def __init__(self, figure, names_most, titled=True):
        self.figure, self.titled = figure, titled  # otherwise the surrounding page has the titles
        self.y, self.panel, self.box = self.head, None, ()
        # lines by size end at the right edge: their names are there, if there is room
        names = [[curve.name for curve in panel.curves if curve.name and curve.line]
                 for panel in figure.panels if panel.x.unit == "bytes"]
        room = _widest(itertools.chain(*names)) * self.letter + self.beside[1]
        self.direct = (room <= 0.3 * self.width
                       and 0 < max(map(len, names), default=0) <= names_most)
        numbers = _widest(name for panel in figure.panels for _, name in ticks(panel.y, 8))
        self.left = self.margin + numbers * self.letter + self.beside[0]
        self.right = self.width - self.margin - (room if self.direct else self.beside[2])

    def draw(self, high):
        """high: of each panel."""
        if self.titled:
            self.paragraph(self.figure.title, "t")
            self.paragraph(self.figure.subtitle)
        for words in self.figure.notes:
            self.paragraph(words)
        for panel in self.figure.panels:
            self.draw_panel(panel, high)
        self.draw_keys()

    def paragraph(self, words, kind=""):
        """Wraps lines at the whole width; none begins with "%"."""
        most = int((self.width - 2 * self.margin) / self.letter / (1.2 if kind else 1))
        for line in textwrap.wrap(words.replace(" %", "\0%"), most):
            line = cut(line.replace("\0", " "), most)
            self.words(self.margin, self.y + self.line / 2, line, kind)
            self.y += self.line

    def draw_panel(self, panel, high):
        """Its title, numbers and contents."""
        self.y += self.head
        self.paragraph(panel.title, "s")
        self.paragraph(panel.subtitle if self.titled else "")
        top, (aside, within) = self.y + self.head, self.inset
        bottom = top + (len(panel.y.names) * self.tile_high + self.head if panel.cells else high)
        self.y = bottom + self.foot + self.line
        self.panel = panel
        self.box = self.left + aside, top + within, self.right - aside, bottom - within
        self.axes()
        self.draw_inside()

    def axes(self):
        """Ticks and numbers; on narrow screens fewer of them."""
        left, top, right, bottom = self.box
        most = max((bottom - top) / self.apart[1] + 1, len(self.panel.y.names), 2)
        for share, name in ticks(self.panel.y, most):
            y = bottom - share * (bottom - top)
            self.tick(None, y)
            self.words(left - self.number[0], y, name, "e")
        numbers = ticks(self.panel.x, max((right - left) / self.apart[0], 1))
        many = len(numbers) > (right - left) / 100
        for i, (share, name) in enumerate(numbers):
            x = left + share * (right - left)
            self.tick(x, None)
            self.words(x, bottom + self.number[1], name, "c n2" if many and i % 2 else "c")

    def draw_inside(self):
        """Cells; curves, and names at their ends."""
        (left, top, right, bottom), panel, ends = self.box, self.panel, []
        for cell in panel.cells:
            wide, high = (right - left) / len(panel.x.names), (bottom - top) / len(panel.y.names)
            step, unit = min(int(panel.scale.at(cell.value) * 9), 8), panel.scale.unit
            self.tile(left + cell.column * wide, bottom - (cell.row + 1) * high, wide, high, step,
                      short(cell.value, unit), cell.wide, cell.tip)
        for curve in panel.curves:
            with self.group(f"z {curve.look.colour}"):
                end = self.curve(curve)
            if self.direct and curve.line and curve.name and end:
                ends.append((curve, end[1]))
        for (curve, _), y in zip(ends, spread([y for _, y in ends], self.line, top, bottom)):
            if curve.marks:
                self.mark(right + self.name[0], y, curve.look)
            x = right + self.name[bool(curve.marks)]
            self.words(x, y, curve.name, f"f {curve.look.colour}")

    def group(self, _kind, _tip=""):
        """A group for the elements drawn within."""
        return contextlib.nullcontext()

    def place(self, x, *values):
        """A list with the position of (x, y ...), or empty if one has none."""
        left, top, right, bottom = self.box
        shares = [self.panel.x.at(x), *map(self.panel.y.at, values)]
        if None in shares:
            return []
        return [(left + shares[0] * (right - left),
                 *(bottom - share * (bottom - top) for share in shares[1:]))]

    def runs(self, rows):
        """Places of rows (x, y ...), in runs without gaps."""
        places = (self.place(*row) for row in rows)
        return [[place for (place,) in run]
                for known, run in itertools.groupby(places, bool) if known]

    def interval(self, curve):
        """How intervals of its points are drawn: "bar" if bands would hide each other, or one ends
        beyond the picture, which an arrow shows; "": not at all."""
        if all(point.low is None for point in curve.points):
            return ""
        lines = [curve for curve in self.panel.curves if curve.line and curve.marks]
        is_beyond = any(any(self.panel.beyond(p)) for line in lines for p in line.points)
        return "band" if curve.line and len(lines) <= 2 and not is_beyond else "bar"

    def curve(self, curve):
        """Draws all but its name; returns the position of its end, or None."""
        rows = [(point.x, *self.panel.ends(point)) for point in curve.points]
        is_band = self.interval(curve) == "band"
        for band in [rows] if is_band else ([row] for row in rows):
            for run in self.runs(band):
                self.band(run, curve.look)
        runs = self.runs((point.x, point.y) for point in curve.points)
        for run in runs if curve.line else ():
            self.path(run, curve.look)
        for point, row in () if is_band else zip(curve.points, rows):
            below, above = self.panel.beyond(point)
            for x, low, high in self.place(*row):
                if below:
                    self.arrow(x, low, 1, curve.look)
                if above:
                    self.arrow(x, high, -1, curve.look)
        for point in curve.points[:: curve.marks] if curve.marks else ():
            for x, y in self.place(point.x, point.y):
                self.mark(x, y, curve.look, point.tip)
        return runs[-1][-1] if runs else None

    def keys(self):
        """Keys of the marks present, as (parts of the mark, meaning, Look); of curves, unless their
        names are at their ends."""
        keys, intervals, cells, beyond = {}, set(), [], False
        for self.panel in self.figure.panels:
            cells += self.panel.cells
            for curve in self.panel.curves:
                interval = self.interval(curve)
                parts = ("line", "mark") if curve.marks else ("line", interval and "band")
                if curve.name and not (self.direct and curve.line):
                    keys[curve.name, curve.look] = parts if curve.line else ("mark",)
                intervals.add(interval if curve.marks else "")
                beyond = beyond or any(any(self.panel.beyond(p)) for p in curve.points)
        words = self.figure.interval
        others = {"band": words, "bar": words + "; an arrow: it ends beyond the picture" * beyond}
        others = {part: words for part, words in others.items() if part in intervals}
        if cells:
            low, high = (label(end, self.panel.scale.unit)
                         for end in (self.panel.scale.low, self.panel.scale.high))
            others["scale"] = f"{low} to {high}"
        if any(cell.wide for cell in cells):
            others["cell"] = f"the interval is wider than \u00b1{WIDE * 100:.0f} %"
        return [*((parts, name, look) for (name, look), parts in keys.items()),
                *(((part,), words, Look("dim")) for part, words in others.items())]

    def draw_keys(self):
        """Draws the meaning of marks."""
        x = self.width
        for parts, meaning, look in self.keys():
            room = self.key[0]
            room += 9 * self.sample[2] - int(self.sample[0]) if "scale" in parts else 0
            shown = cut(meaning, int((self.width - 2 * self.margin - room) / self.letter))
            length = room + len(shown) * self.letter
            if x + length > self.width - self.margin:
                x, self.y = self.margin, self.y + self.line
            with self.group(look.colour):
                self.draw_sample(parts, x, self.y - self.line / 2, look)
            self.words(x + room, self.y - self.line / 2, shown, "")
            x += length + self.key[1]

    def draw_sample(self, parts, x, y, look):
        """The mark of a key, as panels have it."""
        wide, high, step = self.sample
        middle, low, top = x + wide / 2, y + high / 2, y - high / 2
        for i in range(9) if "scale" in parts else ():
            self.tile(x + i * step, top, step, high, i)
        if "cell" in parts:
            self.tile(x, top, max(wide, 2), high, 0, "", True)
        if "band" in parts:
            self.band([(x, low, top), (x + wide, low, top)], look)
        if "bar" in parts:
            self.band([(middle, low, top)], look)
        if "line" in parts:
            self.path([(x, y), (x + max(wide, 0.5), y)], look)
        if "mark" in parts:
            self.mark(middle, y, look)


# --- SVG

_SHEETS = re.sub(r"/\*(?! ---)[^*]*\*/", "", text.data("figure.css")).split("/* ---")
# Colours of light and dark mode, also of pages with pictures.
THEMES = [dict(re.findall("--([a-z0-9]+): (#[0-9a-f]+)", sheet)) for sheet in _SHEETS[1:3]]
_COLOURS = [f"{letter}{i}" for letter in "cr" for i in range(8)] + ["dim"]
_CIRCLE, _SQUARE = "m-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z", "m-2.9-2.9h5.8v5.8h-5.8z"
_TRIANGLE, _DIAMOND = "m0-4l3.7 6.4h-7.4z", "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z"
_SHAPES = (_CIRCLE, _SQUARE, _TRIANGLE, _DIAMOND, "m0 4l3.7-6.4h-7.4z", _CIRCLE, _SQUARE, _DIAMOND,
           "m-7.5 0a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0-15 0z")
_OPEN = 5  # shapes from here on are not filled


def style(standalone=False):
    """The style sheet of pictures, for a page that contains some: light or dark like the screen.
    standalone: with additions for a picture that is a separate page."""
    shapes, colours, screen, page = (sheet.partition("*/")[2] for sheet in _SHEETS[3:])
    colours += "".join(f".ip .{name}{{color:${name}}}" for name in _COLOURS)
    colours += "".join(f".ip .h{i}{{fill:$h{i}}}" for i in range(9))
    light, dark = map(string.Template(colours).substitute, THEMES)
    sheet = f"{shapes}{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{screen}"
    sheet += string.Template(page).substitute(THEMES[1]) if standalone else ""
    return re.sub(r";(?=})", "", re.sub(r"\s*([{}:;,])\s+", r"\1", sheet)).strip()


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(words, quote=True):
    """Escapes a text for XML elements and, including quotes, attributes; characters invalid in XML
    become U+FFFD."""
    return html.escape(_NOT_XML.sub("\ufffd", str(words)), quote)


def _n(value):
    return f"{round(value, 1) + 0:g}"  # + 0: no -0


class _Svg(_Writer):
    """Writes XML, in pixels."""

    letter, line, margin, width = 10.0, 21, 16, WIDTH  # on narrow screens letters are larger
    beside, number, name = (10, 24, 18), (7, 14.5), (11, 19)
    head, foot, tile_high = 8, 12, 28
    apart, key, sample = (54, 26), (40, 8), (30, 12, 7)

    def __init__(self, figure, titled):
        super().__init__(figure, 10, titled)
        self.out = []
        self.draw(max(330 - 40 * len(figure.panels), 160))

    def put(self, name, words=None, **attributes):
        """An element; words: its text.  Attributes with numbers are rounded; kind: its class."""
        parts = []
        for key, value in attributes.items():
            shown = _n(value) if isinstance(value, (int, float)) else escape(value)
            parts.append(f' {"class" if key == "kind" else key}="{shown}"')
        end = "/>" if words is None else f">{escape(words)}</{name}>"
        self.out.append(f"<{name}{''.join(parts)}{end}")

    @contextlib.contextmanager
    def group(self, kind, tip=""):
        """A group for the elements put within."""
        self.out.append(f'<g class="{kind}">')
        if tip:
            self.put("title", tip)
        yield
        self.out.append("</g>")

    def steps(self, kind, *steps):
        """A path: "M", x, y, "L" ..."""
        words = (step if isinstance(step, str) else f"{_n(step)} " for step in steps)
        self.put("path", kind=kind, d="".join(words).rstrip())

    def words(self, x, y, words, kind):
        if words:
            self.put("text", words, kind=kind, x=x, y=y + 4.5)

    def tick(self, x, y):
        left, top, right, bottom = self.box
        if not self.panel.cells:
            across, down = (left, y, "H", right), (x, top, "V", bottom + 4)
            self.steps("g", "M", *(across if x is None else down))

    def tile(self, x, y, wide, high, step, words="", is_wide=False, tip=""):
        ink = "l1" if step > 4 else "l0"
        with self.group("y", tip):
            self.put("rect", kind=f"cell h{step}", x=x, y=y, width=wide, height=high)
            if is_wide:
                self.put("rect", kind=f"u {ink}", x=x + 4, y=y + 4, width=wide - 8, height=high - 8)
            if len(words) * 9 < wide:
                self.words(x + wide / 2, y + high / 2, words, f"x {ink}")

    def draw_inside(self):
        with self.group("p"):
            super().draw_inside()

    def band(self, run, look):
        if len(run) == 1:
            (x, low, high), = run
            self.steps("v", "M", x, low, "V", high)
            return
        there = [step for x, low, _ in run for step in ("L", x, low)]
        back = [step for x, _, high in reversed(run) for step in ("L", x, high)]
        self.steps("b", "M", *there[1:], *back, "Z")

    def arrow(self, x, y, way, look):
        self.steps("v", "M", x - 4, y - 5 * way, "L", x, y, "L", x + 4, y - 5 * way)

    def path(self, run, look):
        if len(run) > 1:
            self.steps("l", "M", *[s for place in run for s in ("L", *place)][1:])

    def mark(self, x, y, look, tip=""):
        kind = "k" if look.shape == RING else "m o" if look.shape >= _OPEN else "m"
        with self.group(f"y {look.colour}", tip):
            if tip:
                self.put("circle", kind="h", cx=x, cy=y, r=9)  # what the pointer finds
            self.put("path", kind=kind, d=f"M{_n(x)} {_n(y)}{_SHAPES[look.shape]}")


def svg(figure, standalone=True, id_prefix="figure"):
    """The picture as SVG. standalone: a complete file with style sheet and titles; otherwise an
    element for a page that contains style() once, with ids that begin with id_prefix."""
    art = _Svg(figure, standalone)
    high = math.ceil(art.y + art.head)
    name = figure.title if standalone else "".join(panel.title for panel in figure.panels[:1])
    title_id = escape(f"{id_prefix}-title")
    sheet = f"<style>{style(True)}</style>\n" if standalone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ip" viewBox="0 0 {WIDTH} {high}"'
        f' width="{WIDTH}" height="{high}" role="img"'
        f' aria-labelledby="{title_id}">\n<title id="{title_id}">{escape(name)}</title>\n{sheet}'
        f'<rect class="bg" width="{WIDTH}" height="{high}"/>\n' + "\n".join(art.out) + "\n</svg>\n"
    )


# --- block characters


_AXIS = "\u2502\u2500\u2514\u2524\u252c"  # at the left, below, where they meet; ticks of both
_MARKS = "\u25cf\u25a0\u25b2\u25c6\u25bc\u25cb\u25a1\u25c7\u25ce"  # the last is a ring
_SHADES = " \u2591\u2592\u2593\u2588"
_BRAILLE = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # bits of dots
_CODES = {"t": "1", **{name: f"38;5;{number}" for name, number in zip(_COLOURS, (
    33, 208, 36, 170, 178, 246, 99, 167, 39, 33, 63, 99, 134, 170, 205, 203, 245))}}
_PAPER = (17, 18, 24, 31, 38, 74, 110, 153, 195)  # of a map, from dark to light
_LEAST_ROWS = 4  # of a panel


class _Text(_Writer):
    """Writes characters, over dots of braille, two by four per character."""

    inset = (0.25, 0.125)  # half of a dot

    def __init__(self, figure, width, lines):
        self.width = width
        self.letters, self.dots, self.colours = {}, {}, {}  # by (line, column)
        super().__init__(figure, lines // max(len(figure.panels), 1) - 4)

    def put(self, x, y, letters, colour=""):
        """From a place on; colour: of _CODES, or a code."""
        for i, letter in enumerate(letters, int(x)):
            self.letters[int(y), i] = letter
            self.colours[int(y), i] = _CODES.get(colour, colour)

    def words(self, x, y, words, kind):
        x = int(x) - {"e": len(words) - 1, "c": (len(words) - 1) // 2}.get(kind[:1], 0)
        x = max(min(x, self.width - len(words)), 0)
        if not any((int(y), x + i) in self.letters for i in range(-1, len(words))):
            self.put(x, y, words, _CODES.get(kind.split(" ")[-1], ""))

    def axes(self):
        left, top, right, bottom = map(int, self.box)
        for y in range(top, bottom + 1):
            self.put(left - 1, y, _AXIS[0])
        self.put(left - 1, bottom + 1, _AXIS[2] + _AXIS[1] * (right + 1 - left))
        super().axes()

    def tick(self, x, y):
        if x is None:
            self.put(self.box[0] - 1, y, _AXIS[3])
        else:
            self.put(x, self.box[3] + 1, _AXIS[4])

    def tile(self, x, y, wide, high, step, words="", is_wide=False, _tip=""):
        wide, words = int(x + wide) - int(x), "~" * is_wide + words
        words = words if len(words) < wide else ""
        colour = f"38;5;{15 if step < 4 else 16};48;5;{_PAPER[step]}"
        self.put(x, y + high / 2, f"{_SHADES[step // 2]}{words:^{wide - 1}}", colour)

    def interval(self, curve):
        """A band is bars side by side."""
        return "bar" if super().interval(curve) else ""

    def dot(self, x, y, colour):
        """x, y: in dots."""
        place = y // 4, x // 2
        self.dots[place] = self.dots.get(place, 0) | _BRAILLE[y % 4][x % 2]
        self.colours[place] = _CODES[colour]

    def path(self, run, look):
        places = [(int(x * 2), int(y * 4)) for x, y in run]
        for (x, y), (to_x, to_y) in zip(places, places[1:]):
            steps = max(abs(to_x - x), abs(to_y - y), 1)
            for i in range(steps + 1):
                self.dot(x + round((to_x - x) * i / steps),
                         y + round((to_y - y) * i / steps), look.colour)

    def band(self, run, look):
        for x, low, high in run:
            for y in range(int(high * 4), int(low * 4) + 1):
                self.dot(int(x * 2), y, look.colour)

    def arrow(self, x, y, way, look):
        self.put(x, y, "\u2193" if way > 0 else "\u2191", look.colour)

    def mark(self, x, y, look, _tip=""):
        self.put(x, y, _MARKS[look.shape], look.colour)

    def lines(self, colour):
        for line in range(math.ceil(self.y)):
            shown, letters = "", []
            for place in ((line, column) for column in range(self.width)):
                dots = chr(0x2800 + self.dots[place]) if place in self.dots else " "
                letters.append((self.colours.get(place, ""), self.letters.get(place, dots)))
            for code, group in itertools.groupby(letters, lambda pair: pair[0]):
                words = "".join(letter for _, letter in group)
                shown += f"\x1b[{code}m{words}\x1b[0m" if code and colour else words
            yield shown.rstrip() + "\n"


def blocks(figure, columns=80, lines=23, colour=False):
    """The picture in characters: lines of text of at most `columns`, and for a picture with few
    panels at most `lines` of them."""
    rows = 0
    for _ in range(2):  # first all but the panels, to determine the remaining space
        art = _Text(figure, columns, lines)
        art.draw(rows)
        rows = int(lines - art.y) // max(sum(not panel.cells for panel in figure.panels), 1)
        rows = rows if rows >= _LEAST_ROWS else 2 * _LEAST_ROWS  # exceeds a screen in any case
    return "".join(art.lines(colour))
