#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep export: its columns are those of the program, CSV reads back, and metrics are what
Prometheus takes."""

import csv
import os
import re
import unittest
from types import SimpleNamespace

import support
from iosweep_results import export, read, text
from iosweep_results.text import Problem

SAMPLE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (-?[0-9.]+(?:e-?[0-9]+)?)')


def run(*words):
    status, errors, out = support.run(["export", *words])
    assert (status, errors) == (0, []), errors
    return out


class Columns(unittest.TestCase):
    def test_the_program_has_them(self):
        with open(os.path.join(support.DATA, "..", "columns.txt"), encoding="utf-8") as stream:
            names = [line.strip() for line in stream if not line.startswith("#")]
        self.assertEqual(list(export.DEFAULT), names[:27])

    def test_an_output_that_fails(self):
        words = ["export", os.path.join(support.DATA, "team.json"), "-o"]
        for name, status in (("/dev/full", 1), ("no-directory/x", 2)):
            self.assertEqual(support.run([*words, name])[0], status)

    def test_words(self):
        rows = read.read(os.path.join(support.DATA, "team.json")).rows
        self.assertEqual(export.select(None, rows), [*export.DEFAULT, "ranks"])
        self.assertEqual(export.select("errors,test,errors", rows), ["errors", "test"])
        self.assertEqual(export.select("test,default", rows)[:2], ["test", "size_bytes"])
        every = export.select("all", rows)  # of what is no list
        self.assertTrue({"rank_rate_per_s_min", "label"} <= set(every))
        self.assertFalse({"cell", "latency_histogram", "rank_results"} & set(every))
        odd = SimpleNamespace(names=lambda: ["a{b}", "a_s", "1\n# HELP", "rpc", "rpc_count", ""])
        self.assertEqual(export.columns_of([odd]), ["a_s", "rpc_count"])
        for words, refused in (
            ("tset", "unknown column: tset"), ("a\x1b", r"unknown column: a\x1b"),
            ("test,", "unknown column: (empty)"),
        ):  # fmt: skip
            with self.assertRaises(Problem) as caught:
                export.select(words, rows)
            self.assertEqual(caught.exception.text, refused)


class Formats(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(support.DATA)

    def test_fields(self):
        """Quoted where a comma or a quote makes it necessary, guarded where a formula begins."""
        for value, field in (("a,b", '"a,b"'), ("a", "a"), ("=1", '"\'=1"'), ("=", '"="'),
                             ('a"b', '"a""b"'), (" a", '" a"')):
            self.assertEqual(text.csv_field(value), field)

    def test_csv(self):
        lines = run("files.json", "skipped.json").splitlines()
        self.assertEqual(lines[0], ",".join(export.DEFAULT))
        rows = read.read("files.json").rows + read.read("skipped.json").rows
        records = list(csv.DictReader(lines))
        self.assertEqual(len(records), len(rows))
        for record, row in zip(records, rows):
            for name in "size_bytes", "time_s", "latency_ns_p99", "op_ns_low":
                expected = row.get(name)
                self.assertEqual(float(record[name]) if record[name] else None, expected)
            self.assertEqual(record["notes"], ";".join(row.notes))
        self.assertEqual(run("--columns", "label,errors", "files.csv").splitlines()[1], "a;b,0")

    def samples(self, *files):
        """Of metrics: each has a head, once, before its samples, which stand together and are all
        different."""
        found, metric, heads = [], None, set()
        for line in run("--format", "prometheus", *files).splitlines():
            head = re.fullmatch(r"# (HELP|TYPE) (iosweep_\w+) .+", line)
            if head:
                self.assertNotIn(head.groups(), heads)
                heads.add(head.groups())
                metric = head[2]
                continue
            name, labels, value = SAMPLE.fullmatch(line).groups()
            self.assertEqual(name, metric)
            self.assertIn(("TYPE", name), heads)
            labels = dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels))
            found.append((name, labels, float(value)))
        keys = [(name, tuple(sorted(labels.items()))) for name, labels, _ in found]
        self.assertEqual(len(keys), len(set(keys)))
        return found

    def test_metrics(self):
        for files in "s3.json", "twice.csv", "pooled-old.json label-new.json", "team.json":
            self.samples("--columns", "all", *files.split())
        names = (
            "operations", "throughput_bytes_per_second", "rate_per_second", "errors",
            "op_mean_seconds", "latency_max_seconds", "time_seconds", "cpu_seconds_per_op",
        )  # fmt: skip
        samples = self.samples("s3.json")
        self.assertTrue({f"iosweep_{name}" for name in names} <= {name for name, _, _ in samples})
        p99 = [value for name, _, value in samples if name == "iosweep_latency_p99_seconds"]
        self.assertAlmostEqual(p99[0] * 1e9, read.read("s3.json").rows[0].get("latency_ns_p99"), 3)
        self.assertEqual(samples[0][1]["target"], "s3://bucket")

    def test_rows_without_figures(self):
        samples = self.samples("skipped.json")
        notes = [labels["note"] for name, labels, _ in samples if name == "iosweep_note"]
        self.assertIn("skipped:below_alignment", notes)
        of_skipped = {name for name, labels, _ in samples if labels.get("size_bytes") == "100"}
        self.assertEqual(of_skipped, {"iosweep_note"})

    def test_labels_are_escaped(self):
        labels = self.samples("label-new.json")[0][1]
        self.assertEqual(labels["label"], r"new\\x1b[1m")
        labels = [labels for _, labels, _ in self.samples("quoted.csv")]
        self.assertIn(r"one, \"two\"", [found.get("label") for found in labels])


if __name__ == "__main__":
    unittest.main()
