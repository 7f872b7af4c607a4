#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep merge: results of several runs added up, by what one run of all operations would show;
which rows are the same; whether runs were at the same time; and what is refused."""

import unittest

import support
from iosweep_results import merge, read

ROW = {"test": "read", "target": "/a", "depth": 1, "size_bytes": 4096, "threads": 1}
DONE = {"operations": 1, "time_s": 1, "latency_histogram": [[10, 1]]}


class Case(support.Scratch):
    def write(self, name, *rows):
        """A result of these rows, each beside ROW."""
        records = [{"record": "row", "cell": i, **ROW, **row} for i, row in enumerate(rows, 1)]
        return super().write(name, support.document(records))

    def merged(self, *files):
        """Files of rows, merged."""
        names = [self.write(f"file{i}", *rows) for i, rows in enumerate(files)]
        return merge.merge([read.read(name) for name in names])

    def refused(self, words, *names):
        status, errors, out = support.run(["merge", *names])
        self.assertEqual((status, out, len(errors)), (2, "", 1))
        self.assertEqual(errors[0], f"iosweep: {words}")


class Folding(Case):
    def test_sums(self):
        """900 of 10 ns and 100 of 50 ns, and 100 of 10 ns and 900 of 90 ns.  A mean of the two
        medians would be 50 ns."""
        one = {
            "threads": 2, "notes": "wide;drift", "label": "one", "operations": 1000, "time_s": 2.0,
            "errors": 3, "rounds": 5, "latency_ns_min": 10, "latency_ns_max": 50, "step": 1,
            "latency_ns_mean": 14, "cpu_ns_per_op": 8, "align_bytes": 512, "latency_ns_p50": 10,
            "requests": 10, "op_ns_min": 9, "latency_histogram": [[10, 900], [50, 100]],
        }  # fmt: skip
        two = {
            "threads": 2, "target": "/b", "notes": "drift;short", "label": "two", "rounds": 5,
            "operations": 1000, "time_s": 1.0, "errors": 1, "latency_ns_min": 10, "step": 1,
            "latency_ns_max": 90, "latency_ns_mean": 82, "cpu_ns_per_op": 16, "align_bytes": 512,
            "requests": 30, "op_ns_min": 9, "latency_histogram": [[10, 100], [90, 900]],
        }  # fmt: skip
        (row,) = self.merged([one], [two])
        expected = {
            "size_bytes": 4096, "operations": 2000, "threads": 4, "depth": 1, "time_s": 2,
            "rate_per_s": 1000, "throughput_bytes_per_s": 4096000, "errors": 4, "requests": 40,
            "latency_ns_p50": 10, "latency_ns_p90": 90, "latency_ns_p999": 90, "step": 1,
            "latency_ns_min": 10, "latency_ns_max": 90, "latency_ns_mean": 48, "cpu_ns_per_op": 12,
            "align_bytes": 512, "test": "read", "target": "/a + /b", "label": "one + two",
            "notes": "wide;drift;short",
            # of rounds that were not at the same moment there is no sum
            "rounds": None, "op_ns_min": None, "latency_ns_stddev": None,
        }  # fmt: skip
        self.assertEqual({name: row.get(name) for name in expected}, expected)
        self.assertNotEqual(row.together(), row.together())  # nan: their times are not known

    def test_percentiles_are_nearest_ranks(self):
        part = {**DONE, "operations": 60, "latency_histogram": [[10, 59], [20, 1]]}
        (row,) = self.merged([part], [part])
        percentiles = [row.get(f"latency_ns_p{n}") for n in (50, 90, 99, 999)]
        self.assertEqual(percentiles, [10, 10, 20, 20])
        # the middle of a bucket, but never outside of what was measured; the last is the longest
        wide = {0: 1, 1000: 98, 2000: 1}
        self.assertEqual(merge.percentile(wide, "50", None, None), 1004)
        self.assertEqual(merge.percentile(wide, "50", 0, 1003), 1003)
        self.assertEqual(merge.percentile(wide, "995", 0, 2007), 2007)
        self.assertEqual(merge.percentile(dict.fromkeys(range(100), 1), "07", 0, 99), 6)
        last = (1 << 40) - (1 << 33)
        self.assertEqual(merge.percentile({last: 1}, "50", None, None), last + (1 << 32))

    def test_idle(self):
        """One that did nothing adds nothing, and hides nothing."""
        busy = {"operations": 20, "latency_ns_min": 10, "latency_ns_max": 10, "errors": 0}
        busy.update(latency_ns_mean=10, time_s=1, latency_histogram=[[10, 20]])
        (row,) = self.merged([busy], [{"operations": 0, "time_s": 1, "errors": 7}])
        names = "operations", "errors", "latency_ns_mean", "latency_ns_max", "rate_per_s"
        self.assertEqual([row.get(name) for name in names], [20, 7, 10, 10, 20])

    def test_teams(self):
        """Two teams of 4 ranks with 2 threads are 4 ranks with 4 threads."""
        four, one = {**DONE, "ranks": 4}, {**DONE, "ranks": 1}
        (row,) = self.merged([{**four, "threads": 2}], [{**four, "threads": 2}])
        self.assertEqual((row.get("ranks"), row.get("threads")), (4, 4))
        # numbers of ranks are an axis where a file has several; else all that were at work count
        rows = self.merged([four, one], [one, four])
        self.assertEqual([row.get("ranks") for row in rows], [4, 1])
        (row,) = self.merged([four], [one])
        self.assertEqual((row.get("ranks"), row.get("threads")), (None, 5))

    def test_overlap(self):
        """The share of the longest span in which all were under way, or one was measured."""
        for began, ended, share in (
            (100, 110, 1), (105, 115, 0.5), (110, 120, 0), (200, 300, 0.05), (90, 130, 0.125),
        ):  # fmt: skip
            one = {**DONE, "elapsed_s": 5, "began_unix_s": 100, "ended_unix_s": 110}
            two = {**one, "began_unix_s": began, "ended_unix_s": ended}
            (row,) = self.merged([one], [two])
            self.assertEqual(row.together(), share)


class Cells(Case):
    def test_rows_are_found_by_what_they_are(self):
        small, large = {**DONE, "size_bytes": 512}, {**DONE, "size_bytes": 8192}
        rows = self.merged([small, large, small], [small, small, large])
        self.assertEqual([row.get("size_bytes") for row in rows], [512, 8192, 512])
        # threads tell rows apart only where a file has several
        (row,) = self.merged([{**DONE, "threads": 1}], [{**DONE, "threads": 3}])
        self.assertEqual(row.get("threads"), 4)
        rows = self.merged(*[[{**DONE, "threads": n} for n in (1, 2)]] * 2)
        self.assertEqual([row.get("threads") for row in rows], [2, 4])
        rows = self.merged(*[[{**DONE, "mix": mix} for mix in (None, 30, 70)]] * 2)
        self.assertEqual([row.get("mix") for row in rows], [None, 30, 70])

    def test_refused(self):
        one = self.write("one", DONE)
        same = "merge needs results with the same rows: use the same options in all runs"
        two = self.write("two", DONE, {**DONE, "size_bytes": 512})
        self.refused(f"no row for read 512 B /a, which two has, in one; {same}", one, two)
        self.refused(f"no row for read 512 B /a, which two has, in one; {same}", two, one)
        self.refused("the same results twice: ./one; name each file once", one, "./one")
        bare = self.write("bare", {"operations": 1, "time_s": 1})
        advice = "merge takes results of --format json"
        self.refused(f"no histogram of a row in bare; {advice}", one, bare)
        skipped = [self.write(name, {"notes": "skipped:align"}) for name in ("none", "none2")]
        self.refused("no row with figures in none", *skipped)


class Output(Case):
    def test_what_was_merged_is_a_result(self):
        """Merged again it is as if all had been merged at once."""
        names = []
        for i in range(3):
            took = {"latency_ns_max": 10 + i, "latency_ns_min": 10 + i, "latency_ns_mean": 10 + i,
                    "cpu_ns_per_op": 4 * i, "errors": i, "requests": 5, "align_bytes": 512}
            took.update(latency_histogram=[[10 + i, 1]], label=f"part{i}")
            names.append(self.write(f"part{i}", {**DONE, **took}))
        support.run(["merge", "-o", "both", *names[:2]])
        both = read.read("both")
        self.assertEqual([run["file"] for run in both.head["merged"]], names[:2])
        support.run(["merge", "--quiet", "-o", "once", *names])
        support.run(["merge", "--quiet", "-o", "twice", "both", names[2]])
        files = [read.read(name) for name in ("once", "twice")]
        once, twice = ([{name: row.get(name) for name in row.names()} for row in file.rows]
                       for file in files)
        self.assertEqual(once, twice)
        self.assertEqual(len(once), 1)
        expected = {"label": "part0 + part1 + part2", "errors": 3, "cpu_ns_per_op": 4,
                    "latency_histogram": [[10 + i, 1] for i in range(3)]}
        self.assertEqual({name: once[0][name] for name in expected}, expected)


if __name__ == "__main__":
    unittest.main()
