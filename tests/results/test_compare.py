#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep compare: each rule of a verdict on its own; by simulation with fixed seeds, that false
alarms stay rare however much sweeps differ, and that a change of 5 % is found; which rows are one
cell; tables, records, what is said, and the exit status."""

import contextlib
import json
import math
import os
import random
import statistics
import types
import unittest
import unittest.mock

import support
from iosweep_results import cli, compare, match, read, text

ROUNDS = 15


class Sample:
    """What compare looks at of a row.  reference: it is bound by the processor."""

    threads = ranks = 1

    def __init__(self, rounds=(), op_ns=math.nan, low=math.nan, high=math.nan):
        self.rounds_ns, self.op_ns, self.reference = rounds, op_ns, math.nan
        self.rate_per_s = math.nan
        self.interval_ns = (low, high) if 0 < low <= high < math.inf else None

    def number(self, name):
        known = {"reference_ns": self.reference, "op_ns_mean": self.op_ns}
        return {**known, "cpu_ns_per_op": self.op_ns}.get(name, math.nan)


def sweep(base, seed, noise=0.002, count=ROUNDS):
    """A sweep of one cell: base with that share of noise."""
    rng = random.Random(seed)
    return Sample([base * math.exp(noise * rng.gauss(0, 1)) for _ in range(count)], base)


def interval(median, low=math.nan, high=math.nan):
    return Sample((), median, low, high)


def a_cell(test, samples):
    row = types.SimpleNamespace(test=test)
    return types.SimpleNamespace(row=row, rows=samples, reason="")


def judge(*samples, test="read", tolerance=0.02):
    """The cell and the test of samples, old and new in turns."""
    judged = compare.JudgedCell(a_cell(test, samples))
    return judged, compare.judge([judged], len(samples) // 2, tolerance)[test]


class Verdicts(unittest.TestCase):
    def verdicts(self, expected, *samples):
        """Of the cell and of the test."""
        cell, overall = judge(*samples)
        self.assertEqual((cell.verdict, overall.verdict), (expected, expected))
        self.assertEqual(overall.counts, {expected: 1})
        return cell

    def test_intervals(self):
        """Three times as wide as the files say: one sweep of each is no more."""
        cell = self.verdicts("slower", interval(100, 99, 101), interval(110, 109, 111))
        self.assertEqual(compare.EVIDENCE[cell.evidence], "conservative")
        for value, expected in (
            (cell.ratio, 1.1),
            (cell.low, 1.1 * (109 / 101 / 1.1) ** 3),
            (cell.high, 1.1 * (111 / 99 / 1.1) ** 3),
        ):
            self.assertAlmostEqual(value, expected, delta=1e-12)
        self.assertTrue(math.isnan(cell.p))
        self.verdicts("unclear", interval(100, 99, 101), interval(104, 103.9, 104.1))
        self.verdicts("faster", interval(100, 99, 101), interval(90, 89.5, 90.5))
        cell = self.verdicts("faster", interval(1e308, 1e308, 1e308), interval(*[5e-324] * 3))
        self.assertEqual((cell.ratio, compare._change(cell)), (0, "0.00 times as long"))
        for low, high, verdict in (
            (999, 1001, "same"), (1, 1e9, "unclear"), (990, 1001, "unclear"),
            (999, 1010, "unclear"), (995, 1005, "same"),
        ):
            self.verdicts(verdict, interval(1000, 1000, 1000), interval(1000, low, high))

    def test_no_interval(self):
        for old, new, evidence in (
            (interval(100), interval(500), "ratio"),
            (Sample([100, 101, 99], 100), interval(500), "ratio"),
            (interval(100), interval(math.nan), "none"),
            (Sample([100, 0, 99, 98], 100), Sample([100, 99, 98, 97], 500), "ratio"),
        ):
            cell = self.verdicts("unknown", old, new)
            self.assertEqual(compare.EVIDENCE[cell.evidence], evidence)
            self.assertEqual(f"{cell.ratio:.9g}", "5" if evidence == "ratio" else "nan")
            self.assertTrue(math.isnan(cell.low) and math.isnan(cell.p))

    def test_rounds(self):
        old, new = sweep(1000, 1), sweep(1060, 2)
        cell = self.verdicts("slower", old, new)
        self.assertEqual(compare.EVIDENCE[cell.evidence], "rounds")
        self.assertTrue(1.02 < cell.low < cell.ratio < 1.08 and cell.p < 0.05)
        self.assertAlmostEqual(cell.before_ns, 1000)
        mirrored = self.verdicts("faster", new, old)
        self.assertAlmostEqual(mirrored.ratio * cell.ratio, 1, delta=1e-12)
        self.assertAlmostEqual(mirrored.low * cell.high, 1, delta=1e-12)
        self.assertAlmostEqual(mirrored.p, cell.p, delta=1e-12)
        # certain, but within the tolerance
        old = Sample([1000 + i % 3 for i in range(ROUNDS)], 1001)
        cell = self.verdicts("same", old, Sample([1015 + i % 2 for i in range(ROUNDS)], 1015))
        self.assertLess(cell.p, 0.001)

    def test_a_single_pair_is_not_trusted(self):
        """What would be certain if sweeps did not differ anyway."""
        cell = self.verdicts("unclear", sweep(1000, 1, 0.02), sweep(1060, 2, 0.02))
        self.assertTrue(cell.low < 1 < 1.03 < cell.ratio and cell.high > 1.1)
        self.verdicts("slower", sweep(1000, 1, 0.02), sweep(1500, 2, 0.02))

    def test_groups_of_rounds(self):
        """Rounds at two speeds, more of them slow in the new sweep: the medians are far apart, the
        rounds as a whole are not."""
        old, new = (
            Sample([(126.0 if i % 5 < slow else 61.7) + i % 7 * 0.1 for i in range(40)], median)
            for slow, median in ((2, 61.9), (3, 126.1))
        )
        cell = self.verdicts("unclear", old, new)
        self.assertTrue(cell.contradicted and cell.low > 0.98 and cell.high < 1.02)
        cell, _ = judge(old, old)
        self.assertFalse(cell.contradicted)
        self.assertAlmostEqual(cell.ratio, 1)

    def test_many_rounds(self):
        """More than are compared one by one: neighbours are averaged."""
        cell = self.verdicts("slower", sweep(1000, 1, 0.1, 3000), sweep(1060, 2, 0.1, 3000))
        self.assertTrue(1.05 < cell.ratio < 1.07)

    def test_pairs(self):
        """6 % each time; opposite signs; a machine that grows slower with each sweep, where old and
        new are the same but new comes second."""
        for i, (bases, verdict) in enumerate((
            ((1000, 1060, 1001, 1061, 999, 1059), "slower"),
            ((1000, 1200, 1000, 1200, 1000, 990), "unclear"),
            ((1000, 1040, 1080, 1120, 1160, 1200), "unclear"),
        )):
            samples = [sweep(base, 10 * i + k) for k, base in enumerate(bases)]
            self.verdicts(verdict, *samples)
            if i != 1:  # each pair alone would be taken for a difference
                self.verdicts("slower", *samples[4:])

    def test_dissent(self):
        """So many of the pairs show no change, all others 6 %: with 4 pairs or more, one in four
        may disagree."""
        for pairs, dissenters, verdict in (
            (8, 0, "slower"), (8, 2, "slower"), (8, 3, "unclear"), (7, 1, "slower"),
            (7, 2, "unclear"), (3, 0, "slower"),
        ):
            samples = []
            for pair in range(pairs):
                new = 999 if pair < dissenters else 1060
                samples += sweep(1000, 2 * pair), sweep(new, 99 * pair)
            cell = self.verdicts(verdict, *samples)
            self.assertTrue(cell.p < 0.05 and cell.ratio > 1.02)

    def test_pairs_of_intervals(self):
        """Medians of several sweeps tell their spread, though nothing is known within them."""
        old = interval(100, 99, 101), interval(100.2, 99, 101)
        cell = self.verdicts(
            "slower", old[0], interval(110, 109, 111), old[1], interval(110.2, 109, 111))
        self.assertLess(cell.p, 0.05)
        cell = self.verdicts(
            "unclear", old[0], interval(105, 104.9, 105.1), old[1], interval(130, 129, 131))
        self.assertTrue(cell.p > 0.05 and cell.low < 1)


class Machine(unittest.TestCase):
    def test_speed_of_the_processor(self):
        """What is bound by the processor shows no difference where its reference changed alike;
        beyond that it does.  What is not bound, or has no reference, is not looked at."""
        for references, factor, verdict in (
            ((600, 660), 1.1, "unclear"), ((660, 600), 1 / 1.1, "unclear"),
            ((600, 660), 1.5, "slower"), ((600, 600), 1.1, "slower"),
            ((600, math.nan), 1.1, "slower"), ((math.nan, 660), 1.1, "slower"),
        ):
            for make in (lambda ns: sweep(ns, 1), lambda ns: interval(ns, ns, ns)):
                samples = [make(1000), make(1000 * factor)]
                for sample, reference in zip(samples, references):
                    sample.reference = reference
                self.assertEqual(judge(*samples)[0].verdict, verdict, (references, factor))
        samples = [sweep(1100 if i % 2 else 1000, i) for i in range(6)]
        for i, sample in enumerate(samples):  # several pairs show what sweeps differ by
            sample.reference = 660 if i % 2 else 600
        self.assertEqual(judge(*samples)[0].verdict, "slower")


class Simulations(unittest.TestCase):
    """Sweeps differ by `common` in all cells alike, by `single` in each on its own, by `drift` from
    one to the next; rounds by `noise`, of the first cell by `noisy`."""

    def check(self, is_):
        """The interval that is shown says what the verdict does."""
        self.assertEqual(is_.low > 1 or is_.high < 1 or is_.verdict == "same",
                         is_.p < 0.05 or is_.verdict == "same", (is_.low, is_.high, is_.p))
        if is_.verdict == "same":
            self.assertTrue(1 / 1.02 <= is_.low <= is_.high <= 1.02)
        elif is_.verdict != "unclear":
            self.assertEqual(is_.verdict == "slower", is_.low > 1)

    def shares(self, trials, pairs, change, seed, **model):
        """Of comparisons with any verdict, and of cells said to be slower."""
        rng = random.Random(seed)
        differing = found = 0
        cells_count = model.get("cells", 12)
        for _ in range(trials):
            samples = [[] for _ in range(cells_count)]
            for s in range(2 * pairs):
                common = rng.gauss(0, model.get("common", 0)) + model.get("drift", 0) * s
                for c in range(cells_count):
                    level = common + rng.gauss(0, model.get("single", 0)) + s % 2 * math.log(change)
                    noise = model.get("noisy" if c == 0 else "noise") or model.get("noise", 0.03)
                    rounds = [1000 * (c + 1) * math.exp(level + noise * rng.gauss(0, 1))
                              for _ in range(model.get("rounds", ROUNDS))]
                    samples[c].append(Sample(rounds, statistics.median(rounds)))
            cells = [
                compare.JudgedCell(a_cell(f"test{c % 2}", its))
                for c, its in enumerate(samples)
            ]
            overall = compare.judge(cells, pairs, 0.02)
            for is_ in (*cells, *overall.values()):
                self.check(is_)
            verdicts = [is_.verdict for is_ in (*cells, *overall.values())]
            differing += "slower" in verdicts or "faster" in verdicts
            found += sum(cell.verdict == "slower" for cell in cells)
        return differing / trials, found / trials / cells_count

    def test_false_alarms(self):
        for pairs, model in (
            (2, {}), (2, {"common": 0.03}), (3, {"single": 0.03}), (2, {"drift": 0.04}),
            (2, {"rounds": 4}), (2, {"rounds": 11, "noise": 0.01, "noisy": 0.3}), (1, {}),
            (1, {"common": 0.01, "single": 0.01}),
        ):
            with self.subTest(pairs=pairs, **model):
                self.assertLessEqual(self.shares(60, pairs, 1, 1, **model)[0], 0.05)

    def test_power(self):
        for pairs, change, model, least in (
            (2, 1.05, {}, 0.95), (3, 1.05, {"common": 0.005, "single": 0.005}, 0.9),
            (1, 1.3, {}, 0.95), (1, 1.05, {"noise": 0.003}, 0.95), (1, 3, {"rounds": 4}, 0.95),
            (3, 1.05, {"rounds": 11, "noise": 0.01, "noisy": 0.3, "cells": 12}, 0.9),
        ):
            with self.subTest(pairs=pairs, change=change, **model):
                self.assertGreaterEqual(self.shares(25, pairs, change, 5, **model)[0], least)


HEADER = "size_bytes,test,target,engine,threads,ranks,label,notes,op_ns_mean,op_ns_low,op_ns_high"
USUAL = {"size_bytes": 4096, "test": "read", "target": "/a", "engine": "posix", "threads": 1,
         "ranks": 1, "op_ns_mean": 100, "op_ns_low": 99.9, "op_ns_high": 100.1}


class Scratch(support.Scratch):
    def write(self, path, *rows, header=HEADER):
        """A CSV of rows that differ from USUAL."""
        fields = ([str({**USUAL, **row}.get(n, "")) for n in header.split(",")] for row in rows)
        return super().write(path, "\n".join([header, *map(",".join, fields), ""]))

    def match(self, **files):
        return match.Match([read.read(self.write(path, *rows)) for path, rows in files.items()])


class Matches(Scratch):
    def test_equal_axes(self):
        found = self.match(
            old=[{"op_ns_mean": 7}, {"target": "/b"}, {"size_bytes": 512}, {"size_bytes": 8}],
            new=[{"target": "/b"}, {"size_bytes": 512}, {"op_ns_mean": 8}, {"target": "/c"}])
        # the order of the first file, whatever that of the second
        self.assertEqual([match.describe(cell.row) for cell in found.cells],
                         ["read 4 KiB /a posix", "read 4 KiB /b posix", "read 512 B /a posix"])
        self.assertEqual([row.op_ns for row in found.cells[0].rows], [7, 8])
        self.assertEqual([(match.describe(c.row), c.missing, c.gone) for c in found.lonely],
                         [("read 8 B /a posix", 1, True), ("read 4 KiB /c posix", 0, False)])
        self.assertEqual(found.axes, {})

    def test_compared_axes(self):
        """One value on each side: that is what is compared.  Two on one side: rows must be
        equal."""
        new = {"target": "/b", "engine": "io_uring", "threads": 8, "ranks": 4}
        old = [{}, {"size_bytes": 1}]
        found = self.match(old=old, new=[new, {**new, "size_bytes": 1}])
        self.assertEqual(len(found.cells), 2)
        self.assertEqual(found.axes, {"target": ("/a", "/b"), "engine": ("posix", "io_uring"),
                                      "threads": (1, 8), "ranks": (1, 4)})
        self.assertFalse(found.one_reference)
        for rows in ([new, {**new, "target": "/c"}], [{"size_bytes": 512}], [{"test": "write"}]):
            with self.assertRaisesRegex(read.Problem, "nothing to compare: no cell is in all"):
                self.match(old=old, new=rows)
        found = self.match(old=[{"ranks": 4}, {}], new=[{"ranks": 4}, {}, {"ranks": 8}])
        self.assertEqual((len(found.cells), len(found.lonely), found.axes), (2, 1, {}))
        self.assertEqual(match.describe(found.cells[0].row), "read 4 KiB /a posix, ranks 4")

    def test_several_rows_of_a_cell(self):
        with self.assertRaisesRegex(read.Problem, "several rows for one cell in old; the cell"):
            self.match(old=[{}, {"size_bytes": 512}, {}], new=[{}])

    def test_columns(self):
        """Which of the figures of files without rounds are used."""
        header = "size_bytes,rate_per_s,op_ns_mean,op_ns_low,op_ns_high\n"
        for name, factor in (("old", 1), ("new", 1.2)):
            with open(name, "w", encoding="utf-8") as stream:
                stream.write(header + "".join(f"{i},{rate},{mean},{low},{high}\n" for (
                    i, (rate, mean, low, high)) in enumerate((
                        ("", 1000 * factor, 990 * factor, 1010 * factor), ("", 1e3, 2e3, 1e3),
                        ("", 1000, 999, 1001), (1e6 / factor, "", 0, 1000), (1e6, 0, 1000, 1000),
                        (1e6, "", "", 1000), ("", "", 1, 1), ("", 1e300, 1e299, 1e301),
                        ("", 9, 9, 9 if name == "old" else ""),
                        ("", 9, 9, 9 if name == "new" else ""),
                    ), 1)))
        cells = compare.Comparison([read.read("old"), read.read("new")], 0.02).cells
        self.assertEqual([(compare.EVIDENCE[cell.evidence], cell.verdict) for cell in cells], [
            ("conservative", "slower"), ("ratio", "unknown"), ("conservative", "same"),
            ("ratio", "unknown"), ("conservative", "same"), ("ratio", "unknown"),
            ("none", "unknown"), ("conservative", "unclear"), ("ratio", "unknown"),
            ("ratio", "unknown")])
        self.assertAlmostEqual(cells[0].low, 1.2 * (990 / 1010) ** 3)

    def test_bound(self):
        """By the processor: at 0.8 of the time of all threads of all ranks."""
        header = HEADER + ",cpu_ns_per_op,reference_ns"
        for cpu_ns, is_bound in ((321, True), (319, False)):
            row = {"threads": 2, "ranks": 2, "cpu_ns_per_op": cpu_ns, "reference_ns": 10}
            files = [read.read(self.write(name, row, header=header)) for name in ("old", "new")]
            for row in match.Match(files).cells[0].rows:
                self.assertEqual(match.reference_ns(row) == 10, is_bound)

    def test_reasons_and_remarks(self):
        sizes = [{"size_bytes": size} for size in (1, 2, 3, 4)]
        notes = ["skipped:x", "", "wide;cache_hits", "cache_hits_of_another_kind"]
        old = [{**size, "notes": note} for size, note in zip(sizes, notes)]
        notes = ["", "incomplete", "x;wide", ""]
        new = [{**size, "notes": note} for size, note in zip(sizes, notes)]
        found = self.match(old=old, new=new)
        self.assertEqual([cell.reason for cell in found.cells], ["skipped", "incomplete", "", ""])
        self.assertEqual([cell.noted[1:] for cell in found.cells[2:]],
                         [("cache_hits:old;wide", True), ("", False)])
        self.assertEqual([cell.gone for cell in found.cells], [False, True, False, False])
        # a file without notes: nothing is known of a difference
        self.write("new", *sizes, header=HEADER.replace("notes", "other"))
        found = match.Match([read.read("old"), read.read("new")])
        self.assertEqual(found.cells[2].noted, ("", "cache_hits:old;wide:old", False))

    def test_pairs_and_labels(self):
        """A cell must be in all files; a label per sweep is a name of the sweep, but not where it
        shows that the order is wrong."""
        found = self.match(a1=[{}, {"size_bytes": 2}], b1=[{}, {"size_bytes": 2}], a2=[{}],
                           b2=[{}, {"size_bytes": 2}])
        self.assertEqual([(cell.missing, cell.gone) for cell in found.lonely], [(2, False)])

        def labels(*words):
            return self.match(**{name: [{"label": word}] for name, word in zip("wxyz", words)})

        self.assertTrue(labels("a1", "b1", "a2", "b2").labels_name_files)
        found = labels("a", "b", "a", "b")
        self.assertEqual((found.labels_name_files, found.axes), (False, {"label": ("a", "b")}))
        with self.assertRaisesRegex(read.Problem, "y has no read 4 KiB /a posix, label a"):
            labels("a", "a", "b", "b")


class Command(Scratch):
    def run_it(self, *words):
        """Status, stdout, stderr of what C would have printed, too."""
        return support.run(["compare", *words])

    def test_form_of_the_output(self):
        """A table for people who look at it."""
        for path, is_terminal, form in ((None, True, "table"), ("-", True, "table"),
                                        (None, False, "csv"), ("file", True, "csv")):
            options = types.SimpleNamespace(output=path, format=None)
            with unittest.mock.patch.object(os, "isatty", lambda _, is_=is_terminal: is_):
                self.assertEqual(cli.format_of(options), form)

    def test_status(self):
        self.write("old", {})
        slow = {"op_ns_mean": 110, "op_ns_low": 109.9, "op_ns_high": 110.1}
        fast = {name: value * 0.9 for name, value in USUAL.items() if name.startswith("op_ns")}
        wide = {"op_ns_low": 50, "op_ns_high": 200}
        for words, row, status in (
            ((), {}, 0), ((), slow, 1), ((), fast, 1), ((), wide, 2), (("--worse-only",), slow, 1),
            (("--worse-only",), fast, 0), (("--worse-only",), wide, 2),
            (("--tolerance", "12%"), slow, 0), ((), {"notes": "incomplete"}, 2),
            ((), {"op_ns_low": "", "op_ns_high": ""}, 2),
        ):
            with self.subTest(words=words, **row):
                self.write("new", row)
                found, errors, _ = self.run_it(*words, "old", "new")
                self.assertEqual(found, status)
                self.assertEqual("nothing could be judged" in errors[-1], status == 2)
        self.write("both", {}, {"size_bytes": 1})
        status, errors, _ = self.run_it("both", "old")
        self.assertEqual(status, 2)
        self.assertIn("1 cell with figures in the old files has none in the new: read", errors[-1])

    def test_refusals(self):
        self.write("old", {})
        for words, problem in (
            ((), "compare needs two files of results, an old and a new one, or a single one"),
            (("old",), "old has no rows that differ and were measured"),
            (("old", "old", "old"), "pairs of files, old and new alternating; 3 were given"),
            (("--against", "old"), "compare needs two files of results"),
            (("--against", "-", "-"), "standard input can be read only once"),
            (("-", "-"), "standard input can be read only once"),
            (("old", "absent"), "cannot read absent: it does not exist"),
            (("--tolerance", "0", "a", "b"), "--tolerance: not a percentage: 0; give"),
            (("--tolerance", "1,5", "a", "b"), "not a percentage: 1,5; give a number above 0"),
            (("--tolerance",), "--tolerance: expected one argument; iosweep compare --help"),
            (("--format", "x", "a", "b"), "--format: unknown choice: x; choose from table, csv"),
            (("--tolerence", "1", "a", "b"), "unknown option: --tolerence; iosweep compare --help"),
            (("--quiet=1", "a", "b"), "--quiet: ignored explicit argument '1'"),
            (("-o", "", "old", "old"), "cannot write to : No such file"),
            (("--against", "", "old"), "empty name of a file"),
            (("-o", "old", "old", "old"), "the output would overwrite an input: old"),
            (("-o", "no/dir", "old", "old"), "cannot write to no/dir: No such file"),
            (("-o", "/dev/full", "old", "old"), "cannot write to /dev/full: No space left"),
        ):
            with self.subTest(words):
                status, errors, out = self.run_it(*words)
                self.assertEqual((status, len(errors), out), (2, 1, ""))
                self.assertTrue(errors[0].startswith("iosweep: "))
                self.assertIn(problem, errors[0])

    def test_against(self):
        """Each file is a comparison of its own."""
        slow = {"op_ns_mean": 110, "op_ns_low": 109.9, "op_ns_high": 110.1}
        for name, rows in (("a", [{}]), ("b", [{}]), ("c", [slow]), ("d", [{"size_bytes": 1}])):
            self.write(name, *rows)
        status, errors, out = self.run_it("--format", "csv", "--against", "a", "b", "c")
        lines = [line.split(",") for line in out.splitlines()]
        self.assertEqual([(line[0], line[9], line[-1]) for line in lines[1:]], [
            ("cell", "same", "b"), ("overall", "same", "b"),
            ("cell", "slower", "c"), ("overall", "slower", "c")])
        self.assertEqual((status, {len(line) for line in lines}), (1, {len(lines[0])}))
        self.assertEqual([line for line in errors if "against" in line],
                         ["b against a:", "c against a:"])
        out = self.run_it("--format", "table", "--against", "a", "c", "b")[2].splitlines()
        self.assertEqual((out[0], out[4]), ("c against a:", "b against a:"))
        out = json.loads(self.run_it("--format", "json", "--against", "a", "b", "c")[2])
        self.assertEqual((out["old"], out["new"]), (["a", "a"], ["b", "c"]))
        self.assertEqual([r["file"] for r in out["records"]], ["b", "b", "c", "c"])
        self.assertEqual(self.run_it("--against", "a", "b")[0], 0)
        self.assertEqual(self.run_it("--against", "a", "b", "d")[0], 2)

    def test_output(self):
        """Names that could be commands to a terminal or a spreadsheet; an output that appears when
        it is complete."""
        self.write("old", {"label": "=1+1", "target": "a\x1b[31m"}, {"size_bytes": 512})
        self.write("new", {"label": "=1+1", "target": "a\x1b[31m"}, {"size_bytes": 512})
        with open("out", "w", encoding="utf-8") as stream:
            stream.write("record,test,before")
        os.chmod("out", 0o640)
        self.assertEqual(self.run_it("-o", "out", "old", "new")[0], 0)
        with open("out", encoding="utf-8") as stream:
            self.assertIn("cell,read,a\\x1b[31m,posix,,\"'=1+1\",1,1,4096,same,", stream.read())
        self.assertEqual(os.stat("out").st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir()), ["new", "old", "out"])
        _, errors, out = self.run_it("--format", "json", "old", "new")
        self.assertEqual(json.loads(out)["records"][0]["target"], "a\x1b[31m")
        self.assertNotIn("\x1b", out)
        out = self.run_it("--format", "table", "old", "new")[2].splitlines()
        self.assertEqual(out[0].split(), ["target", "label", "size", "old", "new", "time/op", "95",
                                          "%", "over", "all", "cells", "p", "verdict"])
        self.assertEqual(out[1].split()[:3], ["a\\x1b[31m", "=1+1", "4"])
        self.assertTrue(out[-1].startswith("read: the same overall (time per operation +0.0 %, "))
        self.assertEqual(len(errors), 2)

    def test_a_table_fits(self):
        """What finds no room goes, the least useful first."""
        self.write("old", {"target": "a" * 40, "notes": "wide;drift"}, {})
        self.write("new", {"target": "a" * 40}, {})
        for width in (0, 120, 80, 60, 40, 20):
            with unittest.mock.patch.object(text, "width_of", lambda fd, w=width: w * (fd == 1)):
                lines = self.run_it("--format", "table", "old", "new")[2].splitlines()
            widest = max(map(len, lines))
            self.assertTrue(width == 0 or widest <= max(width, 26), (width, lines))
            self.assertEqual("95 % over" in lines[0], width in (0, 120, 80))

    def test_help(self):
        with contextlib.suppress(SystemExit):
            lines = self.run_it("--help")[2].splitlines()
        self.assertEqual(lines[0], "Usage: iosweep compare [OPTION]... OLD NEW [OLD NEW]... | FILE")
        self.assertIn("  -o, --output FILE           write results to FILE [standard output]",
                      lines)
        self.assertLessEqual(max(map(len, lines)), 80)


if __name__ == "__main__":
    unittest.main()
