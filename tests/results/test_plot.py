#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep plot: which rows are drawn where, titles, what is refused, and programs that convert."""

import contextlib
import itertools
import math
import os
import stat
import unittest
import unittest.mock
import warnings
import xml.etree.ElementTree

import support
from iosweep_results import figure, plot, read, text
from iosweep_results.figure import Point

SIZES = [4096 * 4**i for i in range(5)]


def row(size, op_ns=None, width=0.02, **more):
    op_ns = op_ns or 20000 + size
    known = {
        "size_bytes": size, "operations": 1000, "time_s": op_ns / 1e6, "rate_per_s": 1e9 / op_ns,
        "throughput_bytes_per_s": size * 1e9 / op_ns, "op_ns_mean": op_ns, "test": "read",
        "op_ns_low": op_ns * (1 - width), "op_ns_high": op_ns * (1 + width), "target": "/srv",
        "engine": "posix", "cache": "direct", "threads": 1, "depth": 1,
        "latency_ns_p50": op_ns * 0.9, "latency_ns_p90": op_ns * 1.5, "latency_ns_p99": op_ns * 3,
        "notes": "", "label": "",
    }  # fmt: skip
    return {**known, **more}


def sweep(**more):
    return [row(size, **more) for size in SIZES]


def sweeps(name, *values, **more):
    return [r for value in values for r in sweep(**{name: value}, **more)]


class Case(support.Scratch):
    def setUp(self):
        super().setUp()
        warnings.simplefilter("ignore", ResourceWarning)

    def csv(self, rows, name="a.csv"):
        lines = [rows[0], *(r.values() for r in rows)]
        return self.write(name, "".join(",".join(map(text.csv_field, x)) + "\n" for x in lines))

    def json(self, rows, name="a.json", noise=None, **head):
        """noise: of round k of cell i."""
        records = []
        for i, r in enumerate(rows):
            for k in range(20 if noise else 0):
                op_ns = r["op_ns_mean"] * (1 + 0.001 * noise(k, i))
                records.append({"record": "slice", "cell": i, "round": k, "op_ns": op_ns})
            records.append({"record": "row", "cell": i, **r})
        return self.write(name, support.document(records, **head))

    def figure(self, *files, what=None):
        """files: paths, or rows."""
        paths = (self.csv(file) if isinstance(file, list) else file for file in files)
        return plot.make([read.read(path, series=True) for path in paths], what)

    def run_plot(self, *words):
        """(status, standard output, lines on standard error)"""
        status, said, out = support.run(["plot", *words])
        return status, out, said

    def refused(self, reason, *words, status=2):
        words = [self.csv(word) if isinstance(word, list) else word for word in words]
        got, out, said = self.run_plot(*words)
        self.assertEqual((got, out, len(said)), (status, "", 1), said)
        self.assertRegex(said[0], f"^iosweep: .*{reason}")


def names(drawn):
    """Of the curves in each panel."""
    return [[curve.name for curve in panel.curves if curve.look.shape != figure.RING]
            for panel in drawn.panels]


def heads(drawn):
    return [panel.title for panel in drawn.panels]


class Curves(Case):
    def test_reads_and_writes_never_share_a_panel(self):
        caches = "cached", "direct"
        rows = [r for test in ("read", "write") for r in sweeps("cache", *caches, test=test)]
        for what, title in (("throughput", "throughput"), ("time", "time per operation")):
            drawn = self.figure(rows, what=what)
            heads_ = [f"{test}: {title} by I/O size" for test in ("read", "write")]
            self.assertEqual(heads(drawn), heads_)
            self.assertEqual(names(drawn), [["page cache", "O_DIRECT"]] * 2)

    def test_curves_that_are_too_many_are_spread(self):
        drawn = self.figure(sweeps("depth", 1, 2, 4, 8, 16, 32), what="latency")
        self.assertEqual(heads(drawn), ["read: p50 latency by I/O size",
                                        "read: p99 latency by I/O size"])
        self.assertEqual(names(drawn), [[f"depth {2**i}" for i in range(6)]] * 2)
        looks = [curve.look for curve in drawn.panels[1].curves]
        self.assertEqual(len({(look.colour, look.shape) for look in looks}), 6)
        drawn = self.figure(sweeps("depth", 1, 8, 64))
        self.assertEqual([c.look.colour for c in drawn.panels[0].curves[:3]], ["r0", "r3", "r7"])
        self.assertEqual(plot.joined("abcde"), "a, b, c, d and e")
        self.assertEqual(plot.joined("abcdef"), "a, b, c, d and 2 more")
        caches = "cached", "direct", "uncached"
        rows = [r for engine in "abc" for r in sweeps("cache", *caches, engine=engine)]
        self.assertEqual(len(self.figure(rows).panels), 3)
        drawn = self.figure(sweeps("test", *(f"t{i}" for i in range(13))))
        self.assertEqual((len(drawn.panels), len(drawn.notes)), (12, 1))
        shown = " ".join(figure.blocks(drawn).split())
        self.assertIn("The first 12 of 13 panels are drawn;", shown)
        self.refused("too many curves", sweeps("depth", *range(1, 302)))

    def test_marks_are_explained_where_they_are(self):
        for rows, wanted in (
            (sweep(), (True, True)),
            (sweep(width=0.4), (True, False)),  # the intervals leave open where 90 % are
            (sweep(width=float("nan")), (False, True)),
            (sweeps("depth", 1, 2, 3, 4), (True, True)),
        ):
            shown = figure.blocks(self.figure(rows))
            self.assertEqual(("95 % interval" in shown, "from here on 90 %" in shown), wanted)
            self.assertEqual(shown.count("\u25ce") > 1, wanted[1])

    def test_tests_that_move_no_data_have_rates(self):
        stats = sweep(test="stat", throughput_bytes_per_s="")
        self.assertEqual(heads(self.figure(stats)), ["stat: operations per second by I/O size"])
        drawn = self.figure(stats + sweep())
        self.assertEqual([panel.y.unit for panel in drawn.panels], ["/s", "bytes/s"])

    def test_one_row_and_extremes(self):
        skipped = row(4096, notes="skipped:beyond_file")
        extremes = [row(1, 1e-9), row(2**62, 1e300)]
        fast = [{**row(512, 1e-300, depth=2), "throughput_bytes_per_s": ""}, *sweep(depth=2)]
        for rows in ([row(4096)] * 3, extremes, sweep(op_ns=7), [skipped, row(8192)],
                     [*sweep(), *fast]):
            for what in ("throughput", "latency", "time"):
                for words in ((), ("--format", "svg")):
                    status, out, _ = self.run_plot("--what", what, *words, self.csv(rows))
                    self.assertEqual(status, 0)
                    self.assertNotRegex(out, "nan|NaN|[^a-z]inf[^a-z]")
        self.refused("nothing was measured", [skipped])
        unknown = row(4096, latency_ns_p50="", latency_ns_p99="")
        self.refused("no latencies", "--what", "latency", [unknown])

    def test_titles_name_the_place(self):
        place = {"target": ".", "place": "/data/nas/iosweep-0a1b2c3d-2", "own_files": True,
                 "filesystem": "xfs"}
        rows, date = sweep(target="."), "2026-01-02T03:04:05Z"
        drawn = self.figure(self.json(rows, host={"name": "h1"}, date=date, targets=[place]))
        self.assertEqual(drawn.title, "/data/nas on h1")
        self.assertEqual(drawn.subtitle, "xfs \u00b7 O_DIRECT \u00b7 posix \u00b7 2026-01-02")
        place["place"] = "mem:iosweep-0a1b2c3d"
        self.assertEqual(self.figure(self.json(rows, targets=[place])).title, "mem:")
        self.assertEqual(self.figure(sweep()).title, "/srv")
        self.assertEqual(self.figure(sweep(mix=70)).subtitle, "O_DIRECT \u00b7 posix \u00b7 mix 70")
        self.assertEqual(self.figure(rows).title, "a.csv")
        two = self.figure(sweeps("target", "/srv", "/b"))
        self.assertEqual((two.title, names(two)), ("/srv and /b", [["/srv", "/b"]]))
        for odd in (7, [7], {"a": 1}, [{"target": ".", "place": [1], "own_files": 1}]):
            self.figure(self.json(rows, host=[1], date={}, targets=odd))
        drawn = self.figure(self.csv(sweep(), "a.csv"), self.csv(sweep(), "b.csv"))
        self.assertEqual(names(drawn), [["a.csv", "b.csv"]])

    def test_names_from_elsewhere(self):
        name = "<img src=x>\x1b[31m&\"'"
        rows = sweep(target=name, label="l") + sweep(target="b", label="\u202e", notes="<b>")
        self.assertNotRegex(self.run_plot(self.csv(rows))[1], "\x1b|\u202e")
        page = self.run_plot("--format", "svg", self.csv(rows))[1]
        xml.etree.ElementTree.fromstring(page)
        self.assertNotRegex(page, "<img|<b>")


class Others(Case):
    def test_distributions(self):
        buckets = [[1000 * i, 5 if i < 90 else 1] for i in range(1, 101)]
        drawn = self.figure(self.json(sweep(latency_histogram=buckets)), what="cdf")
        self.assertEqual(names(drawn), [["4 KiB", "16 KiB", "64 KiB", "256 KiB", "1 MiB"]])
        many = [row(512 << i, latency_histogram=buckets) for i in range(9)]
        drawn = self.figure(self.json(many), what="cdf")
        self.assertEqual(drawn.notes, ["7 of 9 sizes are drawn."])
        one_in = [point.y for point in drawn.panels[0].curves[0].points]
        self.assertEqual(one_in, sorted(one_in))
        self.assertAlmostEqual(one_in[-1], 456 / 10)
        rows = [row(4096, cache=c, latency_histogram=buckets) for c in ("cached", "direct")]
        drawn = self.figure(self.json(rows), what="cdf")
        self.assertEqual(names(drawn), [["page cache", "O_DIRECT"]])
        for odd in ([[-5, -7], [10**400, 10**6]], [[0, 30]], [[2**70, 30], [5, 10**300]]):
            with contextlib.suppress(text.Problem):
                self.figure(self.json([row(4096, latency_histogram=odd)]), what="cdf")
        self.refused("no distribution", "--what", "cdf", sweep())

    def test_maps(self):
        rows = sweep(depth=1, width=0.01) + sweep(depth=8, width=0.3)
        panel = self.figure(rows, what="heat").panels[0]
        self.assertEqual((panel.y.names, len(panel.cells)), (["depth 1", "depth 8"], 10))
        self.assertEqual({cell.row for cell in panel.cells if cell.wide}, {1})
        rows[0].update(op_ns_low="", op_ns_high="", notes="wide")  # an interval that is not known
        panel = self.figure(rows, what="heat").panels[0]
        self.assertEqual([cell.wide for cell in panel.cells[:3]], [True, False, False])
        places = [panel.scale.at(cell.value) for cell in panel.cells]
        self.assertEqual({min(places), max(places)}, {0, 1})
        self.refused("a map needs", "--what", "heat", sweep())

    def test_fits(self):
        drawn = self.figure(sweeps("cache", "direct", "cached"), what="fit")
        self.assertEqual(len(drawn.panels), 2)
        formula = r"^20\.0 us \+ size / 1\.00 GB/s \(off.by.0\.0.%\)$"
        self.assertRegex(drawn.panels[0].subtitle, formula)
        self.refused("no line can be fitted", "--what", "fit", sweep()[:3])

    def test_courses(self):
        def record(i, **more):
            known = {"ended_s": i + 1.0, "interval_s": 1, "test": "read", "size_bytes": 4096}
            known.update(target="/srv", throughput_bytes_per_s=1e6, rate_per_s=250, row=1)
            return {**known, "latency_ns_p99": 5e5 + i, **more}

        records = [record(i) for i in (0, 1, 2, 6, 7)]
        drawn, whats = self.figure(records), ("throughput", "p99 latency")
        self.assertEqual(heads(drawn), [f"read: {what} over time" for what in whats])
        self.assertEqual([p.y for p in drawn.panels[0].curves[0].points].index(None), 3)
        self.assertEqual(drawn.panels[0].y.scale, "linear")
        sizes = [record(i, size_bytes=s, throughput_bytes_per_s=s) for i, s in enumerate(SIZES)]
        panel = self.figure(sizes, what="series").panels[0]
        self.assertEqual((panel.y.scale, len(panel.curves)), ("log", 5))
        tests = [record(i, size_bytes=s, test=f"t{i}") for i in range(9) for s in SIZES[:2]]
        drawn = self.figure(tests)
        self.assertEqual([head[:2] for head in heads(drawn)[::2]], [f"t{i}" for i in range(6)])
        self.assertIn("The first 12 of 18 panels", drawn.notes[0])
        self.refused("--what series", "--what", "heat", records)
        self.refused("no records over time", "--what", "series", sweep())

    def test_intervals_without_a_lower_end(self):
        """Of times, 0: drawn to the edge, and none of the figures next to it is certain."""
        path = self.csv([row(size, width=width) for size, width in zip(SIZES, (1, 0.02, 0.02, 1))])
        for what, said in (("throughput", "B/s or more), p50"), ("time", "(0 ns to ")):
            drawn = self.figure(path, what=what)
            self.assertIn(said, drawn.panels[0].curves[0].points[0].tip)
            self.assertEqual(len(drawn.panels[0].curves), 1)  # no knee
            low, high = drawn.panels[0].ends(drawn.panels[0].curves[0].points[0])
            self.assertTrue(0 < low < high < math.inf)
            figure.svg(drawn)

    def test_comparisons(self):
        old = self.json(sweep(), "old.json", lambda k, i: (k * 7 + i) % 11)
        new = [row(size, (1.5 if i > 1 else 1) * (20000 + size)) for i, size in enumerate(SIZES)]
        new = self.json(new, "new.json", lambda k, i: (k * 5 + i) % 11)
        drawn = self.figure(old, new, what="compare")
        self.assertEqual(drawn.title, "old.json \u2192 new.json")
        title = self.figure(*[old, new] * 2, what="compare").title
        self.assertEqual(title, "old.json \u2192 new.json, 2 pairs")
        strip, slower, same = drawn.panels[0].curves
        self.assertEqual((strip.name, strip.points[0].high), ("no difference: within 2 %", 1.02))
        self.assertEqual((slower.name, [p.x for p in slower.points]), ("slower", SIZES[2:]))
        self.assertEqual((same.name, [p.x for p in same.points]), ("the same", SIZES[:2]))
        self.assertTrue(all(0.01 < drawn.panels[0].y.at(p.y) < 0.99 for p in slower.points))
        self.assertIn("read: takes 27.5 % longer overall", drawn.panels[0].subtitle)
        self.refused("takes pairs", "--what", "compare", old)
        wild = self.json([row(size, op_ns) for size, op_ns in zip(SIZES, (1e-9, 1e9))], "wild.json")
        for pair in ((old, wild), (wild, old)):
            figure.svg(self.figure(*pair, what="compare"))
        wide = self.csv([row(SIZES[0], 20000, 0.9), row(SIZES[1], 40000, 0.01)])
        drawn = self.figure(wide, self.csv([row(SIZES[0], 20500, 0.01), row(SIZES[1], 42000, 0.01)],
                                           "b.csv"), what="compare")
        self.assertIn("verdict; an arrow: it ends beyond", figure.svg(drawn))
        shown = figure.blocks(drawn)
        self.assertTrue("\u2191" in shown and "\u2193" in shown, shown)
        self.assertGreaterEqual(figure.svg(drawn).count('class="v"'), 4)


class Corpus(Case):
    def test_all_that_was_recorded(self):
        text.verbosity, drawn = 0, set()
        names_ = sorted(set(os.listdir(support.DATA)) - {"witness.json"})
        for name, what in itertools.product(names_, plot.KINDS):
            with contextlib.suppress(text.Problem):
                page = figure.svg(self.figure(os.path.join(support.DATA, name), what=what))
                xml.etree.ElementTree.fromstring(page)
                self.assertNotRegex(page, '[ "](nan|inf)', (name, what))
                drawn.add(what)
        self.assertEqual(set(plot.KINDS) - drawn, {"compare"})


class Command(Case):
    def test_characters(self):
        path = self.csv(sweep())
        status, out, said = self.run_plot(path)
        self.assertEqual((status, said), (0, []))
        self.assertLessEqual(len(out.splitlines()), 24)
        self.assertLessEqual(max(map(len, out.splitlines())), 80)
        with unittest.mock.patch.dict(os.environ, COLUMNS="120"):
            out = self.run_plot(path)[1]
        self.assertGreater(max(map(len, out.splitlines())), 100)

    def test_refusals(self):
        path = self.csv(sweep())
        self.refused("unknown format of a picture", "-o", "x.gif", path)
        self.refused("unknown choice", "--what", "pie", path)
        self.refused("needs a file of results")
        self.refused("overwrite an input", "-o", path, "--format", "svg", path)
        self.refused("does not exist", "none.csv")

    def converter(self, name, script):
        os.makedirs("bin", exist_ok=True)
        with open(f"bin/{name}", "w", encoding="ascii") as stream:
            stream.write("#!/bin/sh\n" + script)
        os.chmod(stream.name, stat.S_IRWXU)

    def test_pixels_and_pages(self):
        path, target = self.csv(sweep()), "x.png"
        patch = unittest.mock.patch.dict(os.environ, PATH=os.path.abspath("bin"))
        patch.start()
        self.addCleanup(patch.stop)
        self.refused("neither rsvg-convert .* nor cairosvg", "-o", target, path, status=3)
        self.converter("cairosvg", 'echo "cairosvg $*"')
        self.assertEqual(self.run_plot("-o", target, path)[0], 0)
        with open(target, encoding="ascii") as stream:
            self.assertEqual(stream.read(), "cairosvg - -f png --output-width 1520\n")
        self.converter("rsvg-convert", 'echo "rsvg $*"')
        _, out, _ = self.run_plot("--format", "pdf", path)
        self.assertEqual(out, "rsvg -f pdf -w 760\n")
        self.converter("rsvg-convert", "echo broken >&2; exit 1")
        os.unlink(target)
        self.refused("rsvg-convert failed: broken", "-o", target, path, status=3)
        self.assertFalse(os.path.exists(target))


if __name__ == "__main__":
    unittest.main()
