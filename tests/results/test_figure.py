#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Pictures: places and ticks of axes, names beside each other, SVG and characters."""

import math
import os
import re
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/results"))
from iosweep_results import figure  # noqa: E402
from iosweep_results.figure import Axis, Cell, Curve, Figure, Look, Panel, Point  # noqa: E402

NAN, INF = math.nan, math.inf
SVG = "{http://www.w3.org/2000/svg}"


def axis(low, high, scale="log", unit="ns"):
    return Axis(scale, unit, low, high)


def labels(of, most):
    return [name for _, name in figure.ticks(of, most) if name]


def a_curve(values, name="", look=Look(), **more):
    tuples = (value if isinstance(value, tuple) else (value,) for value in values)
    points = [Point(4096 * 2**i, *value, tip="a tip") for i, value in enumerate(tuples)]
    return Curve(points, name, look, **more)


def a_figure(*groups, title=""):
    """A panel for each list of curves."""
    x, y = Axis("log", "bytes"), Axis("log", "bytes/s")
    for point in (point for curves in groups for curve in curves for point in curve.points):
        x.add(point.x)
        y.add(point.y, point.low, point.high)
    x.close()
    y.close()
    panels = [Panel(x, y, "read: rate", curves=curves) for curves in groups]
    return Figure(panels, title)


def a_map():
    x, y = Axis("names", names=["4 KiB", "64 KiB"]), Axis("names", names=["depth 1", "depth 8"])
    cells = [Cell(i % 2, i // 2, 321e6, "a < b", i == 3) for i in range(4)]
    return Figure([Panel(x, y, "read", cells=cells, scale=axis(1e8, 1e9, unit="bytes/s"))])


def everything():
    """A figure that has all that there can be."""
    look = Look("c7", 7)
    values = [(5e6, 4e6, 6e6), (7e6, NAN, 7e6), None, (9e6, 8e6, 9e6), *[(8e6, 7e6, 9e6)] * 2]
    rich = a_curve(values, "one", look=look)
    bars = a_curve([(8e6, 2e6, INF), 0, -1, 6e6], "two", line=False)
    ring = a_curve([8e6], look=Look("r3", figure.RING), line=False)
    edge = a_curve([1e7, 2e7], "edge", marks=0)
    drawn = a_figure([rich, bars, ring], [a_curve([1e7]), edge], title="all")
    drawn.panels[0].curves.append(a_curve([(4e6, 3e6, 5e6)] * 2, "same", Look("dim"), marks=0))
    drawn.panels[0].subtitle = "words " * 40
    drawn.panels += a_map().panels
    return drawn


class Axes(unittest.TestCase):
    def test_ticks(self):
        for of, most, wanted in (
            (axis(512, 4 << 20, unit="bytes"), 8, "1 KiB,4 KiB,16 KiB,64 KiB,256 KiB,1 MiB,4 MiB"),
            (axis(8e6, 1.2e9, unit="bytes/s"), 4, "10 MB/s,100 MB/s,1 GB/s"),
            (axis(3, 200, unit="bytes"), 2, "16 B"), (axis(1000, 9000), 4, "2 us,4 us,6 us,8 us"),
            (axis(1010, 1090), 4, "1.02 us,1.04 us,1.06 us,1.08 us"),
            (axis(0, 3, "linear", "s"), 4, "0 s,1 s,2 s,3 s"),
            (axis(0.5, 5, unit="ratio"), 8, "x0.5,same,x2,x5"),
            (axis(0.85, 1.2, unit="ratio"), 6, "-10 %,same,+10 %,+20 %"),
            (axis(1.5, 1000, unit="beyond"), 9, "p50,p80,p90,p95,p98,p99,p99.5,p99.8,p99.9"),
            (Axis("names", names=list("abcdef")), 3, "a,c,e"),
        ):
            self.assertEqual(",".join(labels(of, most)), wanted)
        self.assertEqual(labels(axis(0, 1e308, "linear", ""), 4)[:1], ["0"])
        for most in range(1, 14):
            self.assertLessEqual(len(labels(axis(1, 2**62, unit="bytes"), most)), most)
        for high in (1e-11, 1e-9, 2, 1e5, 1e23, 1e60):
            self.assertLessEqual(len(labels(axis(1e-12, high), 6)), 6)
            self.assertTrue(all(0 <= place <= 1 for place, _ in figure.ticks(axis(1e-14, high), 6)))

    def test_labels(self):
        for value, unit, wanted in (
            (1e9, "bytes/s", "1 GB/s"), (1536, "bytes", "1.5 KiB"), (2500, "/s", "2.5 k/s"),
            (20000, "ns", "20 us"), (100, "bytes/s", "100 B/s"), (0, "bytes/s", "0 B/s"),
            (0.95, "ratio", "-5 %"), (12.5, "ratio", "x12.5"), (1, "ratio", "same"),
        ):  # fmt: skip
            self.assertEqual(figure.label(value, unit), wanted)
        self.assertEqual(figure.short(321e6, "bytes/s"), "321M")
        self.assertEqual(figure.short(2500, "/s"), "2.5k")

    def test_places(self):
        log = axis(1, 100)
        self.assertAlmostEqual(log.at(10), 0.5)
        for value in (None, NAN, INF, -INF, 0, -1, 1e300, 10**400, 5e-324):
            self.assertIsNone(log.at(value))
        self.assertEqual((log.at(0.1), log.at(1000), axis(0, 10, "linear").at(0)), (0, 1, 0))
        for low, high in ((2e-12, 9e23), (8e23, 9e23), (7, 7)):
            for scale in ("log", "linear"):
                self.assertTrue(0 <= axis(low, high, scale).at(high) <= 1)
        fixed = Axis(low=1, high=4, fixed=True)
        fixed.add(9)
        fixed.close()
        self.assertEqual((fixed.low, fixed.high), (1, 4))
        empty = Axis()
        empty.close()
        self.assertTrue(empty.low < empty.high)

    def test_names_move_apart(self):
        for places, wanted in (([50], [50]), ([], []), ([10, 90, 80], [10, 95, 75]),
                               ([10, 10, 10, 90, 200], [5, 25, 45, 80, 100])):
            self.assertEqual(figure.spread(places, 20, 0, 100), wanted)
        self.assertEqual(figure.spread([1, 2, 3], 20, 0, 10), [0, 5, 10])


class Svg(unittest.TestCase):
    def draw(self, drawn, **more):
        text = figure.svg(drawn, **more)
        root = xml.etree.ElementTree.fromstring(text)
        for element in root.iter():
            for name in {"d", "x", "y", "cx", "cy", "width", "height", "r"} & set(element.attrib):
                self.assertNotRegex(element.get(name), "nan|inf|None|e[+-]")
        return text, root

    def test_everything_is_drawn_and_has_a_style(self):
        text, root = self.draw(everything())
        kinds = {kind for e in root.iter() for kind in e.get("class", "").split()}
        self.assertEqual({kind for kind in kinds - {"p", "ip"} if f".{kind}" not in text}, set())
        self.assertTrue({"b", "v", "k", "cell", "u"} <= kinds)
        width, height = map(float, root.get("viewBox").split()[2:])
        for element in root.iter(SVG + "text"):
            self.assertTrue(0 <= float(element.get("x")) <= width, element.text)
            self.assertTrue(0 <= float(element.get("y")) <= height, element.text)

    def test_no_band_ends_beyond_the_picture(self):
        """A bar with an arrow does."""
        for high, kind in (3e6, "band"), (INF, "bar"):
            drawn = a_figure([a_curve([(2e6, 1e6, high), (2e6, 1e6, 3e6)])])
            shown = figure.svg(drawn)
            self.assertEqual('class="b"' in shown, kind == "band")
            self.assertEqual("an arrow: it ends beyond" in shown, kind == "bar")

    def test_marks_are_explained(self):
        shown = "\n".join(Blocks.lines(self, everything(), 120))
        for words in ("\u25c7 one", "\u25cf  two", "edge", "same", "95 % interval",
                      "100 MB/s to 1 GB/s", "~ the interval is wider than \u00b125 %"):
            self.assertIn(words, shown)
        shown = "\n".join(Blocks.lines(self, a_figure([a_curve([1e7, 2e7], "one")])))
        self.assertNotRegex(shown, " to |interval")

    def test_nothing_to_draw(self):
        self.draw(Figure([]))
        for values in ((), (None, NAN, 0), (1e300,), (5e-324, 1.7e308)):
            self.draw(a_figure([a_curve(values)]))
            figure.blocks(a_figure([a_curve(values)]))

    def test_texts_are_escaped(self):
        name = "<script>&\"'\x1b\0\udc80]]>"
        drawn = a_figure([a_curve([1, 2], name), a_curve([1, 3], "b")], title=name)
        drawn.panels[0].title = drawn.subtitle = name
        text, root = self.draw(drawn, id_prefix='"><x')
        self.assertNotRegex(text, "<script|<x")
        shown = [element.text for element in root.iter(SVG + "text")]
        self.assertIn("<script>&\"'\ufffd\ufffd\ufffd]]>", shown)

    def test_nothing_from_elsewhere(self):
        text, root = self.draw(everything())
        tags = {element.tag.replace(SVG, "") for element in root.iter()}
        self.assertEqual(tags, {"svg", "title", "style", "g", "path", "rect", "circle", "text"})
        self.assertEqual(re.findall(r"https?:|url\(|@import|href|var\(", text), ["http:"])

    def test_in_pages(self):
        text, root = self.draw(everything(), standalone=False, id_prefix="f2")
        self.assertIsNone(root.find(SVG + "style"))
        self.assertEqual(re.findall(' id="([^"]*)"', text), ["f2-title"])
        self.assertIn("prefers-color-scheme:dark", figure.style())
        plain = re.sub(r"@media[^{]*{([^{}]*{[^{}]*})*}", "", figure.style())
        self.assertNotRegex(plain, "height:auto")  # at which cairosvg draws all in black

    def test_contrast(self):
        """WCAG 2, of pictures and of the pages that they are in."""

        def luminance(colour):
            parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        self.assertEqual(figure.THEMES[0].keys(), figure.THEMES[1].keys())
        pairs = [("fg", "amber", 4.5), ("caution", "amber", 4.5), ("mark", "amber", 3)]
        pairs += [(ink, ground, 4.5) for ink in ("fg", "dim", "c0") for ground in ("bg", "soft")]
        pairs += [(f"{letter}{i}", "bg", 2.7) for letter in "cr" for i in range(8)]
        pairs += [("hd" if i > 4 else "hl", f"h{i}", 4.5) for i in range(9)]
        for theme in figure.THEMES:
            for ink, ground, least in pairs:
                low, high = sorted((luminance(theme[ink]), luminance(theme[ground])))
                self.assertGreaterEqual((high + 0.05) / (low + 0.05), least, (ink, ground))


class Blocks(unittest.TestCase):
    def lines(self, drawn, columns=80, lines=23, **more):
        text = figure.blocks(drawn, columns, lines, **more)
        for line in re.sub("\x1b\\[[0-9;]*m", "", text).splitlines():
            self.assertLessEqual(len(line), columns, line)
        return text.splitlines()

    def test_fits(self):
        for name in ("a name", "\u4e2d\u6587", "too long for the end of a line or a legend " * 2):
            curves = [a_curve([(5e6, 4e6, 6e6), 7e6, 8e8], name), a_curve([1e6, 2e6], "b")]
            for count in (1, 2):
                drawn = a_figure(*[curves] * count, title="t" * 200)
                for columns in (40, 80, 120):
                    self.assertLessEqual(len(self.lines(drawn, columns)), 23)
        for drawn in (everything(), a_map(), Figure([])):
            self.lines(drawn, 40)

    def test_points_are_where_they_belong(self):
        lines = self.lines(a_figure([a_curve([1e6, 1e9], "up")]))
        rows = [i for i, line in enumerate(lines) if "\u25cf" in line]
        self.assertIn("up", lines[rows[0]])
        self.assertLess(lines[rows[-1]].index("\u25cf"), lines[rows[0]].index("\u25cf"))

    def test_colour_changes_nothing_else(self):
        drawn = a_figure([a_curve([1, 2], "a"), a_curve([2, 1], "b", look=Look("c1", 1))])
        coloured = figure.blocks(drawn, colour=True)
        self.assertIn("\x1b[38;5;208m", coloured)
        self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", coloured), figure.blocks(drawn))

    def test_maps(self):
        self.assertIn("~321M", "\n".join(self.lines(a_map())))
        self.assertEqual(figure.svg(a_map()).count(">321M</text>"), 4)
        self.assertIn("48;5;", "\n".join(self.lines(a_map(), colour=True)))


if __name__ == "__main__":
    unittest.main()
