#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep compare of one file: what was compared while it was measured, and what is not that."""

import json
import unittest

from support import Scratch, document, run

ROW = {"record": "row", "cell": 1, "size_bytes": 4096, "operations": 9, "time_s": 1.0,
       "test": "read", "latency_histogram": []}


def size(size_bytes, ratio, apart=False):
    """Of a pair, with an interval of 1 %."""
    return {"base_cell": 1, "cell": 2, "size_bytes": size_bytes, "rounds": 9, "time_ratio": ratio,
            "time_ratio_low": ratio - 0.005, "time_ratio_high": ratio + 0.005,
            "mean_ratio": ratio, "apart": apart}


def pair(ratio, half=0.005, **more):
    """All that its record has."""
    return {"record": "pair", "axis": "target", "base": "a", "value": "b", "test": "read",
            "cache": "cached", "time_ratio": ratio, "time_ratio_low": ratio - half,
            "time_ratio_high": ratio + half, "mean_ratio": ratio, "mean_apart": False,
            "varied": False, "text": f"reads: b takes {ratio}", "sizes": [size(4096, ratio)],
            **more}


class Pairs(Scratch):
    """Each test has files of its own."""

    def compare(self, pairs, *words):
        """Exit status, messages and output of compare."""
        return run(["compare", *words, self.write("x.json", document([ROW, *pairs]))])

    def test_verdicts_and_exit_status(self):
        """They depend on interval, ratio and tolerance, as for several files."""
        for ratio, half, words, verdict, status in (
                (1.05, 0.005, (), "slower", 1), (0.95, 0.005, (), "faster", 1),
                (0.95, 0.005, ("--worse-only",), "faster", 0), (1.001, 0.005, (), "same", 0),
                (1.05, 0.06, (), "unclear", 2), (1.015, 0.001, (), "same", 0),
                (0.95, 0.06, (), "unclear", 2), (0.95, 0.06, ("--worse-only",), "unclear", 0),
                (1.05, 0.06, ("--worse-only",), "unclear", 2),
                (1.05, 0.005, ("--tolerance", "10"), "same", 0)):
            got = self.compare([pair(ratio, half)], *words, "--format", "json")
            with self.subTest(ratio=ratio, half=half, words=words):
                self.assertEqual(json.loads(got[2])["records"][-1]["verdict"], verdict)
                self.assertEqual(got[0], status)

    def test_a_size_that_differs_counts(self):
        """Only where the run found that it differs from the others."""
        for apart, status in ((True, 1), (False, 0)):
            sizes = [size(4096, 1), size(8192, 1.5, apart)]
            got = self.compare([pair(1, sizes=sizes)], "--format", "csv")
            self.assertEqual(got[0], status)
            self.assertIn(f"8192,9,1.500000,1.495000,1.505000,1.500000,{int(apart)},", got[2])

    def test_only_what_is_worse(self):
        """Of the sizes, in each format."""
        pairs = [pair(1, sizes=[size(4096, 1), size(8192, 1.5, True), size(512, 0.5, True)])]
        for form, rest in (("json", 8192), ("csv", 8192), ("table", "8 KiB")):
            out = self.compare(pairs, "--worse-only", "--format", form)[2]
            self.assertIn(str(rest), out)
            self.assertNotRegex(out, "4096|512|4 KiB")

    def test_table_and_axis(self):
        """The sentence of the run stands below its figures; --by selects an axis."""
        pairs = [pair(1.05), pair(1.2, axis="engine", base="posix", value="pread", text="engines")]
        status, _, out = self.compare(pairs, "--format", "table", "--by", "engine")
        self.assertEqual(status, 1)
        self.assertIn("x1.200  1.195 .. 1.205", out)
        self.assertTrue(out.endswith("\nengines\n"))
        self.assertNotIn("x1.050", out)

    def test_nothing_to_show(self):
        """One line, status 2."""
        for pairs, words in (([], ()), ([pair(1)], ("--by", "depth"))):
            status, errors, _ = self.compare(pairs, *words)
            self.assertEqual((status, len(errors)), (2, 1))
            self.assertIn("were measured in the same rounds", errors[0])

    def test_axis_of_several_files(self):
        """--by is refused where it would do nothing."""
        name = self.write("x.json", document([ROW, pair(1)]))
        status, errors, _ = run(["compare", "--by", "target", name, name])
        self.assertEqual((status, len(errors)), (2, 1))
        self.assertIn("--by is for ", errors[0])

    def test_hostile_members(self):
        """One line, status 2; texts are escaped."""
        for name, value in (("axis", "size"), ("base", 3), ("sizes", {}), ("sizes", [3]),
                            ("time_ratio", "1"), ("time_ratio", 0), ("time_ratio_low", 1e999),
                            ("mean_ratio", None), ("sizes", [{**size(1, 1), "rounds": None}]),
                            ("sizes", [{**size(1, 1), "apart": "no"}]), ("text", None),
                            ("sizes", []), ("time_ratio", True)):
            with self.subTest(name=name, value=value):
                status, errors, out = self.compare([pair(1, **{name: value})])
                self.assertEqual((status, len(errors), out), (2, 1, ""))
        hostile = pair(1, value="\x1b[2J", text="\x1b[2J", **{'"\x1b[2J': [{"\x1b": []}]})
        for form in "table", "csv", "json":
            self.assertNotIn("\x1b", self.compare([hostile], "--format", form)[2])
        json.loads(self.compare([hostile], "--format", "json")[2])

    def test_output_that_fails(self):
        """Status 2: 1 says that something differs."""
        self.assertEqual(self.compare([pair(1)], "-o", "/dev/full")[0], 2)

    def test_worse_only(self):
        """In all records, only slower sizes are listed."""
        sizes = [size(4096, 0.8, True), size(8192, 1.5, True), size(512, 1)]
        for form, count in ("csv", 3), ("table", 4):
            out = self.compare([pair(1, sizes=sizes)], "--worse-only", "--format", form)[2]
            self.assertEqual((len(out.splitlines()), "1.5" in out), (count, True))

    def picture(self, *words):
        """What plot draws of three values of which one is far off."""
        sizes = [size(512 << i, 1 + i / 4) for i in range(4)]
        pairs = [pair(1.2, value=f"v{i}", sizes=sizes) for i in range(3)]
        pairs.append(pair(1.2, cache="direct", base="\x1b", sizes=sizes))
        name = self.write("x.json", document([ROW, *pairs]))
        return run(["plot", "--what", "compare", *words, name])

    def test_picture(self):
        """A panel for each base, test and cache, and all that is in them explained."""
        status, errors, out = self.picture()
        self.assertEqual((status, errors), (0, []))
        for words in ("read page cache: time per operation, relative to a", "v0", "v2",
                      "read O_DIRECT: time per operation, relative to \\x1b", "x2",
                      "no difference: within 2 %"):
            self.assertIn(words, out)
        self.assertEqual(out.count("95 % interval"), 1)
        self.assertEqual(self.picture("--format", "svg")[2].count("1 KiB: +25 % (+24.5 %"), 4)

    def test_report(self):
        """The sentences are there, escaped, and before the curves."""
        rows = [{**ROW, "cell": i, "size_bytes": 512 << i} for i in (1, 2)]
        pairs = [pair(1.2, text="reads: <b> takes *1.2* times as long"), pair(1.1, text="more")]
        name = self.write("x.json", document([*rows, *pairs]))
        for out, words in ("x.html", "<li>Reads: &lt;b&gt; takes *1.2* times as long.</li>"), (
                "x.md", "\n- Reads: &lt;b&gt; takes \\*1.2\\* times as long.\n"):
            self.assertEqual(run(["report", "-o", out, name])[0], 0)
            with open(out, encoding="utf-8") as stream:
                page = stream.read()
            self.assertIn(words, page)
            self.assertLess(page.index("Compared in the same rounds"), page.index("By size"))
            self.assertEqual('id="rounds"' in page, out == "x.html")


if __name__ == "__main__":
    unittest.main()
