# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep compare of one file: what was compared while it was measured, and what is not that."""

import json

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
                (0.95, 0.005, ("--worse-only",), "faster", 2), (1.001, 0.005, (), "same", 0),
                (1.05, 0.06, (), "unclear", 2), (1.015, 0.001, (), "same", 0),
                (1.05, 0.005, ("--tolerance", "10"), "same", 0)):
            got = self.compare([pair(ratio, half)], *words, "--format", "json")
            with self.subTest(ratio=ratio, half=half, words=words):
                self.assertEqual(json.loads(got[2])["pairs"][0]["verdict"], verdict)
                self.assertEqual(got[0], status)

    def test_a_size_that_differs_counts(self):
        """Only where the run found that it differs from the others."""
        for apart, status in ((True, 1), (False, 0)):
            sizes = [size(4096, 1), size(8192, 1.5, apart)]
            got = self.compare([pair(1, sizes=sizes)], "--format", "csv")
            self.assertEqual(got[0], status)
            self.assertIn(f"8192,9,1.500000,1.495000,1.505000,1.500000,{int(apart)},", got[2])

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

    def test_by_is_of_one_file(self):
        """It is refused where two are compared."""
        name = self.write("x.json", document([ROW, pair(1)]))
        status, errors, _ = run(["compare", "--by", "target", name, name])
        self.assertEqual((status, len(errors)), (2, 1))

    def test_hostile_members(self):
        """One line, status 2; texts are escaped."""
        for name, value in (("axis", "size"), ("base", 3), ("sizes", {}), ("sizes", [3]),
                            ("time_ratio", "1"), ("time_ratio", 0), ("time_ratio_low", 1e999),
                            ("mean_ratio", None), ("sizes", [{**size(1, 1), "rounds": 0}]),
                            ("sizes", [{**size(1, 1), "apart": "no"}]), ("text", None)):
            with self.subTest(name=name, value=value):
                status, errors, out = self.compare([pair(1, **{name: value})])
                self.assertEqual((status, len(errors), out), (2, 1, ""))
        _, _, out = self.compare([pair(1, value="\x1b[2J", text="\x1b[2J")], "--format", "table")
        self.assertNotIn("\x1b", out)
