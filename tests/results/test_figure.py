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
from iosweep_results.figure import Axis, Cell, Curve, Figure, Key, Look, Panel, Point  # noqa: E402

NAN, INF = math.nan, math.inf
SVG = "{http://www.w3.org/2000/svg}"


def axis(low, high, scale="log", unit="ns", least=1.0):
    found = Axis(scale, unit)
    found.add(low, high)
    found.close(least)
    return found


def labels(of, most):
    return [name for _, name in figure.ticks(of, most) if name]


def a_curve(values, name="", **more):
    points = [
        Point(4096 * 2**i, *(v if isinstance(v, tuple) else (v,))) for i, v in enumerate(values)
    ]
    return Curve(points, name, **more)


def a_figure(*groups, title="", keys=()):
    """A panel for each list of curves."""
    x, y = Axis("log", "bytes", "I/O size"), Axis("log", "bytes/s")
    for point in (point for curves in groups for curve in curves for point in curve.points):
        x.add(point.x)
        y.add(point.y, point.low, point.high)
    x.close()
    y.close()
    return Figure(
        [Panel(x, y, "read: rate", curves=curves) for curves in groups], title, "", list(keys)
    )


def a_map(share=0.5):
    x, y = Axis("names", names=["4 KiB", "64 KiB"]), Axis("names", names=["depth 1", "depth 8"])
    cells = [Cell(i % 2, i // 2, share, "321M", "a < b", i == 3) for i in range(4)]
    return Figure(
        [Panel(x, y, "read", cells=cells)], keys=[Key("scale", "1 to 2"), Key("cell", "wide")]
    )


def everything():
    """A figure that has all that there can be."""
    look = Look("c7", 7, 7)
    rich = a_curve([(5e6, 4e6, 6e6), (7e6, NAN, 7e6), None, (9e6, 8e6, INF)], "one", look=look)
    rich.bands = [[(4096, 5e6, 6e6), (8192, NAN, 1e6), (16384, 6e6, 7e6), (32768, 6e6, 7e6)]]
    rich.rings = [(8192, 7e6, "here")]
    bars = a_curve([(8e6, 2e6, 9e6), 0, -1, 6e6], "two", interval="bar", thin=True)
    bars.points[0].look = Look("r3", 0, 2)
    kinds = ("band", "bar", "ring", "line", "edge", "strip", "cell", "scale", "point")
    drawn = a_figure([rich, bars], [a_curve([1e7])], title="all", keys=[Key(k, k) for k in kinds])
    drawn.panels[0].strip, drawn.panels[0].ends = (4e6, 5e6), ("slower", "faster")
    drawn.panels[0].subtitle = "words " * 40
    drawn.panels += a_map().panels
    drawn.notes = ["a note " * 40]
    return drawn


class Axes(unittest.TestCase):
    def test_ticks_of_sizes_are_powers_of_two(self):
        self.assertEqual(
            labels(axis(512, 4 << 20, unit="bytes"), 8),
            ["1 KiB", "4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB", "4 MiB"],
        )
        self.assertEqual(labels(axis(3000, 3001, unit="bytes"), 8), ["2.9 KiB"])
        for most in range(1, 14):
            self.assertLessEqual(len(labels(axis(1, 2**62, unit="bytes"), most)), most)

    def test_ticks_of_decades(self):
        self.assertEqual(
            labels(axis(8e6, 1.2e9, unit="bytes/s"), 4), ["10 MB/s", "100 MB/s", "1 GB/s"]
        )
        self.assertEqual(labels(axis(1000, 9000), 4), ["1 us", "2 us", "5 us"])
        self.assertEqual(labels(axis(1010, 1090), 4), ["1.02 us", "1.04 us", "1.06 us", "1.08 us"])
        for high in (1e-200, 1e-9, 2, 1e5, 1e60, 1e300):
            self.assertLessEqual(len(labels(axis(1e-300, high), 6)), 6)

    def test_other_ticks(self):
        self.assertEqual(labels(axis(0, 3, "linear", "s"), 4), ["0 s", "1 s", "2 s", "3 s"])
        self.assertEqual(labels(axis(0, 1e308, "linear", ""), 4)[:1], ["0"])
        ratio = labels(axis(0.5, 4, unit="ratio"), 6)
        self.assertEqual(ratio, ["-35 %", "same", "+50 %", "x3"])
        self.assertEqual(labels(Axis("normal", low=0.1, high=0.999), 9)[-1], "p99.9")
        self.assertEqual(labels(Axis("names", names=list("abcdef")), 3), ["a", "c", "e"])

    def test_labels(self):
        for value, unit, wanted in (
            (1e9, "bytes/s", "1 GB/s"), (1536, "bytes", "1.5 KiB"), (2500, "/s", "2.5 k/s"),
            (20000, "ns", "20 us"), (100, "bytes/s", "100 B/s"), (0, "bytes/s", "0 B/s"),
            (0.95, "ratio", "-5 %"), (12.5, "ratio", "x12.5"), (1, "ratio", "same"),
        ):  # fmt: skip
            self.assertEqual(figure.label(value, unit), wanted)
        self.assertEqual(
            [figure.short(v, u) for v, u in ((321e6, "bytes/s"), (2500, "/s"))], ["321M", "2.5k"]
        )

    def test_places(self):
        log = axis(1, 100)
        self.assertAlmostEqual(log.at(10), 0.5)
        for value in (None, NAN, INF, -INF, 0, -1):
            self.assertIsNone(log.at(value))
        self.assertEqual(axis(0, 10, "linear").at(0), 0)
        for low, high in ((5e-324, 1.7e308), (1e308, 1.7e308), (7, 7)):
            for scale in ("log", "linear"):
                self.assertTrue(0 <= axis(low, high, scale).at(high) <= 1)
        empty = Axis()
        empty.close()
        self.assertTrue(empty.low < empty.high)

    def test_names_move_apart(self):
        found = figure.spread([10, 10, 10, 90, 200], 20, 0, 100)
        self.assertEqual(found, sorted(found))
        self.assertTrue(all(b - a > 19.5 for a, b in zip(found, found[1:])))
        self.assertTrue(0 <= found[0] and found[-1] <= 100)
        self.assertEqual(figure.spread([50], 20, 0, 100), [50])
        self.assertEqual(figure.spread([], 20, 0, 100), [])


class Svg(unittest.TestCase):
    def draw(self, drawn, **more):
        text = figure.svg(drawn, **more)
        root = xml.etree.ElementTree.fromstring(text)
        for element in root.iter():
            for name, value in element.attrib.items():
                if name in ("d", "x", "y", "cx", "cy", "width", "height", "r"):
                    self.assertNotRegex(value, "nan|inf|None|e[+-]")
        return text, root

    def test_everything_is_drawn_and_has_a_style(self):
        text, root = self.draw(everything())
        kinds = {kind for e in root.iter() for kind in e.get("class", "").split()}
        self.assertEqual({kind for kind in kinds - {"p", "ip"} if f".{kind}" not in text}, set())
        self.assertIn("one", kinds)  # an interval of a point that stands alone
        self.assertIn("slower", text)
        width, height = map(float, root.get("viewBox").split()[2:])
        for element in root.iter(SVG + "text"):
            self.assertTrue(0 <= float(element.get("x")) <= width, element.text)
            self.assertTrue(0 <= float(element.get("y")) <= height, element.text)

    def test_nothing_to_draw(self):
        self.draw(Figure([]))
        for values in ((), (None, NAN, 0), (1e300,), (5e-324, 1.7e308)):
            drawn = a_figure([a_curve(values)])
            self.draw(drawn)
            figure.blocks(drawn)

    def test_texts_are_escaped(self):
        name = "<script>&\"'\x1b\0\udc80]]>"
        drawn = a_figure([a_curve([1, 2], name), a_curve([1, 3], "b")], title=name)
        drawn.panels[0].title = drawn.subtitle = name
        text, root = self.draw(drawn, id_prefix='"><x')
        self.assertNotIn("<script", text)
        self.assertNotIn("<x", text)
        self.assertIn(
            "<script>&\"'\ufffd\ufffd\ufffd]]>", [e.text for e in root.iter(SVG + "text")]
        )

    def test_nothing_from_elsewhere(self):
        text, root = self.draw(everything())
        tags = {element.tag.replace(SVG, "") for element in root.iter()}
        self.assertEqual(tags, {"svg", "title", "style", "g", "path", "rect", "circle", "text"})
        self.assertEqual(re.findall(r"https?:|url\(|@import|href", text), ["http:"])

    def test_themes(self):
        for theme in ("light", "dark"):
            self.assertNotRegex(self.draw(everything(), theme=theme)[0], r"var\(|@media")
        text, root = self.draw(everything(), standalone=False, id_prefix="f2")
        self.assertIsNone(root.find(SVG + "style"))
        self.assertIn('width="1520"', figure.svg(a_map(), width=1520))
        self.assertEqual(re.findall(' id="([^"]*)"', text), ["f2-title"])
        self.assertIn("prefers-color-scheme:dark", figure.style())

    def test_contrast(self):
        def luminance(colour):
            parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
            return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

        for theme in (figure._LIGHT, figure._DARK):
            colours = {n: luminance(c) for n, c in (pair.split(":") for pair in theme.split())}

            def contrast(a, b, colours=colours):
                low, high = sorted((colours[a], colours[b]))
                return (high + 0.05) / (low + 0.05)

            for name in colours:
                if re.match("[cr][0-7]", name):
                    self.assertGreaterEqual(contrast(name, "bg"), 2.7, name)
                if re.match("h[0-8]", name):
                    self.assertGreaterEqual(
                        contrast(name, "hd" if name > "h4" else "hl"), 4.5, name
                    )
            self.assertGreaterEqual(min(contrast(n, "bg") for n in ("fg", "dim")), 4.5)


class Blocks(unittest.TestCase):
    def lines(self, drawn, columns=80, lines=23, **more):
        text = figure.blocks(drawn, columns, lines, **more)
        self.assertTrue(text.endswith("\n"))
        for line in re.sub("\x1b\\[[0-9;]*m", "", text).splitlines():
            self.assertLessEqual(figure.columns_of(line), columns, line)
        return text.splitlines()

    def test_fits(self):
        names = (
            "a name",
            "one that is far too long for the end of any line, and for a legend as well",
        )
        for name in names:
            curves = [a_curve([(5e6, 4e6, 6e6), 7e6, 8e8], name), a_curve([1e6, 2e6], "b")]
            for count in (1, 2):
                drawn = a_figure(*[curves] * count, title="t" * 200, keys=[Key("bar", "interval")])
                for columns in (40, 80, 120):
                    self.assertLessEqual(len(self.lines(drawn, columns)), 23)
        for drawn in (everything(), a_map(), Figure([])):
            self.lines(drawn, 40)

    def test_points_are_where_they_belong(self):
        lines = self.lines(a_figure([a_curve([1e6, 1e9], "up")]))
        rows = [i for i, line in enumerate(lines) if "\u25cf" in line]
        self.assertIn("up", lines[rows[0]])
        self.assertLess(lines[rows[-1]].index("\u25cf"), lines[rows[0]].index("\u25cf"))

    def test_ascii(self):
        drawn = everything()
        drawn.title = "\u00e9 \u2192"
        self.assertTrue("\n".join(self.lines(drawn, utf8=False)).isascii())

    def test_colour_changes_nothing_else(self):
        for drawn in (
            a_figure([a_curve([1, 2], "a"), a_curve([2, 1], "b", look=Look("c1", 1, 1))]),
        ):
            coloured = figure.blocks(drawn, colour=True)
            self.assertIn("\x1b[38;5;208m", coloured)
            self.assertEqual(re.sub("\x1b\\[[0-9;]*m", "", coloured), figure.blocks(drawn))

    def test_maps(self):
        lines = self.lines(a_map())
        self.assertIn("~321M", "\n".join(lines))
        self.assertIn("48;5;", "\n".join(self.lines(a_map(), colour=True)))


if __name__ == "__main__":
    unittest.main()
