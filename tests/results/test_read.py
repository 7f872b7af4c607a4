#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Results read back: CSV of this program and of others, files put together, JSON also of a run that
was killed; curves and their names; and what is damaged or
absurd, with the place that is named."""

import contextlib
import io
import math
import os
import re
import subprocess
import sys
import unittest

import support
from iosweep_results import read

FIELDS = (
    *("test", "target", "engine", "cache", "access", "label"), "size_bytes", "threads", "depth",
    "ranks", "loop", "mix", "filled_bytes",
)
FIGURES = (
    "operations", "time_s", "throughput_bytes_per_s", "rate_per_s", "op_ns_mean", "op_ns_low",
    "latency_ns_p50",
)
USUAL = {"threads": 1, "depth": 1, "ranks": 1, "loop": 1, "mix": None, "filled_bytes": 0}
ONE = "size_bytes,rate_per_s\n512,7\n"
HEAD = '[\n{"record":"head","document":"iosweep results","schema_version":"2.0","label":"L"}\n'

def described(row):
    """What is known of a row, as one line."""
    known = {name: getattr(row, name) for name in FIELDS}
    known.update((name, row.number(name)) for name in FIGURES)
    known["notes"] = ";".join(row.notes)
    return ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in known.items()
        if value not in ("", USUAL.get(name, "")) and not (value != value)
    )


class Files(support.Scratch):
    def setUp(self):
        super().setUp()
        os.mkdir("some")

    def read(self, text, path="some/file", **options):
        with open(path, "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            return read.read(path, **options)

    def expect(self, text, *rows):
        result = self.read(text)
        self.assertEqual([described(row) for row in result.rows], list(rows))
        return result

    def refuse(self, text, words):
        """When it is read, or when the value is needed."""
        with self.subTest(words), self.assertRaises(read.Problem) as refused:
            for row in self.read(text).rows:
                list(map(row.get, row.names()))
        self.assertIn(words, str(refused.exception))
        self.assertEqual(refused.exception.status, 2)
        self.assertNotIn("\n", str(refused.exception))


class Csv(Files):
    def test_of_a_sweep(self):
        result = self.expect(
            "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s,test,target,engine,"
            "cache,access,threads,depth,op_ns_mean,op_ns_low,latency_ns_p50,notes,label,ranks,"
            "new\n512,1000,0.5,1024000,2000,write,/a,posix,cached,random,2,4,499000.25,490000,48e1,"
            "wide;drift,run 1,4,x\n"
            "1024,,,,,write,/a,posix,cached,once,2,4,,,,skipped:align,run 1,,\n"
            "2048,10,0.5,,,read,,,,,1,1,5e7,,,incomplete,,,7\n",
            "test write, target /a, engine posix, cache cached, label run 1, size_bytes 512,"
            " threads 2, depth 4, ranks 4, operations 1000, time_s 0.5, throughput_bytes_per_s"
            " 1.024e+06, rate_per_s 2000, op_ns_mean 499000, op_ns_low 490000, latency_ns_p50 480,"
            " notes wide;drift",
            "test write, target /a, engine posix, cache cached, access once, label run 1,"
            " size_bytes 1024, threads 2, depth 4, notes skipped:align",
            "test read, size_bytes 2048, operations 10, time_s 0.5, op_ns_mean 5e+07, notes"
            " incomplete",
        )
        first, second, third = result.rows
        self.assertEqual((result.format, result.has_notes), ("csv", True))
        self.assertEqual(first.op_ns, 499000.25)
        self.assertEqual(first.throughput_bytes_per_s, 1024000)
        self.assertTrue(second.skipped and math.isnan(second.op_ns))
        self.assertTrue(math.isnan(second.throughput_bytes_per_s))
        self.assertTrue(third.incomplete and not third.skipped)
        self.assertEqual((third.get("new"), first.get("new"), third.get("no")), (7, "x", None))

    def test_dialects(self):
        for text in (
            "size_bytes,time_s,operations,test\n4096,1.5,3,read\n",
            "size_bytes;time_s;operations;test\n4096;1,5;3;read\n",
            "size_bytes;time_s;operations;test\n4096;1.5;3;read\n",
            "size_bytes\ttime_s\toperations\ttest\n4096\t1.5\t3\tread",
            "size_bytes|time_s|operations|test\n4096|1,5|3|read\n",
            "size_bytes time_s operations test\n4096 1.5 3 read\n",
            'size_bytes,time_s,operations,test\n4096,"1,5",3,read\n',
            '"size_bytes","time_s","operations","test"\n"4096","1.5","3","read"\n',
            "\ufeffsize_bytes,time_s,operations,test\r\n4096,1.5,3,read\r\n",
            "# a\n\n#b\nsize_bytes,time_s,operations,test\n# more\n\n4096,1.5,3,read\n\n",
            "  size_bytes ,  time_s,operations , test \n 4096 ,1.5,  3,\tread\n",
            "test,other name (us),operations,size_bytes,time_s\nread,x y,3,4096,1.5,,\n,,,,\n",
            "size_bytes,time_s,operations,test\n4096.0,15e-1,3.0,\"read\"\n",
        ):
            with self.subTest(text):
                result = self.expect(text, "test read, size_bytes 4096, operations 3, time_s 1.5")
                self.assertEqual(result.rows[0].op_ns, 5e8)
                self.assertEqual("it may be cut off" in self.said.getvalue(), text[-1] != "\n")
                self.assertEqual(result.complete, text[-1] == "\n")

    def test_quotes_and_guards(self):
        """What was written so that neither terminals nor spreadsheets obey it is the same name
        again; what nobody would have escaped stays."""
        self.expect(
            'size_bytes,rate_per_s,target,label\n1,2,"a,""b""", " two words "\r\n3,4,a"b,""\n'
            '"5", 6 , c d ,\t\n',
            'target a,"b", label  two words , size_bytes 1, rate_per_s 2',
            'target a"b, size_bytes 3, rate_per_s 4',
            "target c d , label \t, size_bytes 5, rate_per_s 6",
        )
        self.expect(
            "size_bytes,rate_per_s,target,label,test\n"
            "1,2,a\\x5cx41\\x1b[2J\\xe2\\x80\\xae\\xff,\"'=1+1\",'-x\n"
            "3,4,a\\x41\\x00\\x1,\"''x'\",a\\x1b\n"
            "5,6,',''',read\n",
            "test -x, target a\\x41\x1b[2J\u202e\udcff, label =1+1, size_bytes 1, rate_per_s 2",
            "test a\\x1b, target a\\x41\\x00\\x1, label 'x', size_bytes 3, rate_per_s 4",
            "test read, target ', label '', size_bytes 5, rate_per_s 6",
        )

    def test_several_files_in_one(self):
        result = self.expect(
            "size_bytes,rate_per_s,test,notes\n1,2.5,read,\n"
            "\ufefftest;size_bytes;time_s;operations\nwrite;64;0,25;5\n"
            "size_bytes,rate_per_s,test\n9,3.5,read\n",
            "test read, size_bytes 1, rate_per_s 2.5",
            "test write, size_bytes 64, operations 5, time_s 0.25",
            "test read, size_bytes 9, rate_per_s 3.5",
        )
        self.assertEqual([row.op_ns for row in result.rows], [4e8, 5e7, 1e9 / 3.5])
        self.assertFalse(result.has_notes)

    def test_what_a_row_needs(self):
        first, second = self.read("size_bytes,throughput_bytes_per_s\n1000,2000\n500,\n").rows
        self.assertEqual((first.rate_per_s, first.op_ns), (2, 5e8))
        self.assertEqual(first.throughput_bytes_per_s, 2000)
        self.assertTrue(math.isnan(second.op_ns))
        text = "size_bytes,op_ns_mean,test\n1000,0,stat\n18446744073709551615,3,stat\n"
        first, second = self.read(text).rows
        self.assertTrue(math.isnan(first.op_ns))  # nothing takes no time
        self.assertEqual(second.size_bytes, 2**64 - 1)
        self.assertTrue(math.isnan(second.throughput_bytes_per_s))  # of a test without data

    def test_steps_are_numbered_by_test(self):
        """Of two files the first steps that do a test are the same, whatever stands between."""
        rows = self.read(
            "size_bytes,rate_per_s,test,step\n1,1,read,2\n1,1,write,3\n1,1,read,7\n1,1,read,2\n"
        ).rows
        self.assertEqual([getattr(row, "pass") for row in rows], [1, 1, 2, 1])
        self.assertEqual([row.place for row in rows], ["", "", ", step 7", ""])

    def test_what_is_damaged(self):
        head = "size_bytes,rate_per_s\n"
        for text, words in (
            (head + "1,2\nx,2\n",
             '"x" in column size_bytes is not a whole number above 0 in some/file:3'),
            (head + "0,2\n", '"0" in column size_bytes is not a whole number above 0'),
            (head + "1,2\n,2\n", '"" in column size_bytes'),
            (head + "-1,2\n", '"-1" in column size_bytes'),
            (head + "1.5,2\n", '"1.5" in column size_bytes'),
            (head + "18446744073709551616,2\n", "column size_bytes"),
            (head + "4k,2\n", '"4k" in column size_bytes'),
            (head + "\u0663,2\n", "column size_bytes"),
            (head + "1,-2\n", '"-2" in column rate_per_s'),
            (head + "1,nan\n", '"nan" in column rate_per_s'),
            (head + "1,1e999\n", '"1e999" in column rate_per_s'),
            (head + "1,1_0\n", '"1_0" in column rate_per_s'),
            (head + "1,2.\n", "column rate_per_s"),
            (head + "1,.5\n", "column rate_per_s"),
            (head + "1,1.2.3\n", "column rate_per_s"),
            (head + '1,"1,234,567"\n', "column rate_per_s"),
            ("size_bytes;rate_per_s\n1;1,5\n2;1.5\n", "some/file:3"),  # two decimal marks
            ("size_bytes,rate_per_s,threads\n1,2,0\n", '"0" in column threads'),
            ("size_bytes,rate_per_s,ranks\n1,2,0\n", '"0" in column ranks'),
            ("size_bytes,rate_per_s,test\n1,2\n",
             "2 fields, but 3 columns in the header, in some/file:2"),
            (head + "1,2,3\n", "3 fields, but 2 columns"),
            (head + 700 * "1,2\n" + "1,x\n", "rate_per_s is not a number in some/file:702"),
            (head + 700 * "1,2\n" + "1,\n1,2,3\n", "columns in the header, in some/file:703"),
            ("size_bytes,rate_per_s" + 5000 * ",x" + "\n", "more than 4096 columns in some/file:1"),
            ("size_bytes,rate_per_s,size_bytes\n", "column size_bytes appears twice in some/file"),
            ('size_bytes,rate_per_s,test\n1,2,"a\nb\n', "field is not closed in some/file:2"),
            ('size_bytes,rate_per_s,test\n1,2,"a"b\n', "follows a closing quote"),
            ("# x\nsize_bytes,time_s\n1,2\n", "some/file:2; expected size_bytes, and"),
            ("rate_per_s,test\n1,read\n", "not an iosweep result: some/file:1"),
            (head, "no rows of results in some/file"),
            (head + "# 1,2\n", "no rows of results in some/file"),
            ("hello\nworld\n", "some/file:1"),
            ("hello\n" + ONE, "not an iosweep result: some/file:1; expected a CSV header"),
            ("<!DOCTYPE html>\n", "has its files under Data: save them from there"),
            ("\n\n[1, 2]\n", "some/file:3"),
            ("", "nothing to read in some/file"),
            ("\n# only this\n", "nothing to read in some/file"),
            (head + "1,2\0\n", "binary data"),
            (b"\xff\xfes\0i\0z\0e\0", "UTF-8"),  # what Excel calls Unicode
            ("interval_s,size_bytes,rate_per_s\n1,2,3\n", "records of --series, not results"),
            (head + "1,2" + "x" * (1 << 20), "a line of more than 1024 KiB at some/file:2"),
        ):
            self.refuse(text, words)

    def test_series(self):
        text = "interval_s,time_s,size_bytes,rate_per_s\n1,0.5,512,3\n1,1,,\n"
        intervals = self.read(text, series=True).intervals
        self.assertEqual([(i.get("time_s"), i.get("size_bytes")) for i in intervals], [(0.5, 512)])


class Json(Files):
    ROW = ',{"record":"row","cell":1,"size_bytes":512'

    def test_of_a_sweep(self):
        result = self.expect(
            HEAD.replace('"label"', '"host":{"name":"vm"},"label"')
            + ',{"record":"cell","cell":1,"size_bytes":512}\n'
            ',{"record":"slice","cell":1,"op_ns":3.5,"reference_ns":5}\n'
            ',{"record":"later"}\n,{"record":"slice","cell":1,"op_ns":1,"reference_ns":7}\n'
            + self.ROW
            + ',"test":"write","target":"\\u00e4\\ud800\\\\x0a","threads":2,"op_ns_mean":1.5,'
            '"op_ns_low":null,"notes":"drift","label":"own","latency_histogram":[[20,7],[21,8]]}\n'
            ',{"record":"slice","cell":2,"op_ns":1}\n,{"record":"slice","cell":2,"op_ns":2,'
            '"reference_ns":1}\n,{"record":"row","cell":2,"size_bytes":9007199254740993}\n'
            ',{"record":"finding","text":"One."}\n,{"record":"end","processors":null}\n]\n',
            "test write, target \u00e4?\n, label own, size_bytes 512, threads 2,"
            " op_ns_mean 1.5, notes drift",
            "label L, size_bytes 9007199254740993",
        )
        first, second = result.rows
        self.assertEqual((result.format, result.complete), ("json", True))
        self.assertEqual((result.fact("host.name"), result.fact("host.cpu")), ("vm", None))
        self.assertEqual((result.findings, result.end["processors"]), (["One."], None))
        self.assertEqual((first.rounds_ns, second.rounds_ns), ([3.5, 1], [1, 2]))
        self.assertEqual(first.histogram, [(20, 7), (21, 8)])
        self.assertEqual((first.get("label"), second.get("label")), ("own", "L"))

    def test_two_documents(self):
        one = HEAD + self.ROW + ',"rate_per_s":2}\n,{"record":"end"}\n]\n'
        self.assertEqual(self.read(one + "\n").head["label"], "L")
        self.refuse(one + one, "something follows the end of the results in some/file:6")

    def test_no_standard_error(self):
        """Messages must not get into the results."""
        program = os.path.join(support.TOP, "src", "results", "iosweep-results")
        self.read("size_bytes,rate_per_s\n512,1\n1024,1", "cut.csv")
        words = [sys.executable, "-I", program, "fit", "--format", "csv", "cut.csv"]
        said = subprocess.run(words, stdout=subprocess.PIPE, preexec_fn=lambda: os.close(2))
        self.assertEqual(said.returncode, 1)
        self.assertEqual([line[:7] for line in said.stdout.splitlines()], [b"file,te", b"cut.csv"])

    def test_of_a_run_that_was_killed(self):
        """At any byte: rows, and rows of the slices of cells that were under way."""
        text = (
            HEAD + ',{"record":"cell","cell":1,"size_bytes":512,"test":"read"}\n'
            ',{"record":"cell","cell":2,"size_bytes":1024,"test":"read"}\n'
            ',{"record":"slice","cell":1,"op_ns":4,"operations":2,"time_ns":8,"failed":1}\n'
            ',{"record":"slice","cell":1,"op_ns":6,"operations":2,"time_ns":12,"failed":0}\n'
            ',{"record":"row","cell":1,"size_bytes":512,"test":"read","op_ns_mean":5}\n'
            ',{"record":"slice","cell":2,"op_ns":8,"operations":1,"time_ns":8}\n'
            ',{"record":"end"}\n]\n'
        )
        for length in range(len(text) - 4, len(HEAD), -3):
            rows = []
            with contextlib.suppress(read.Problem):
                result = self.read(text[:length], "x.json.part")
                rows = result.rows
                self.assertFalse(result.complete)
                self.assertIn("its run did not end", self.said.getvalue())
            slices = text[:length].count('"time_ns"')
            if '"op_ns_mean":5}\n' in text[:length]:
                self.assertEqual(rows[0].notes, ())
            elif slices > 2:
                self.assertEqual((rows[0].number("operations"), rows[0].op_ns), (4, 5))
                self.assertEqual((rows[0].notes, rows[0].get("errors")), (("incomplete",), 1))
                self.assertAlmostEqual(rows[0].number("throughput_bytes_per_s"), 512e9 / 5)
        self.assertEqual([row.op_ns for row in self.read(text[:-20], "x.json").rows], [5, 8])

    def test_of_a_killed_run_with_impossible_times(self):
        cell = ',{"record":"cell","cell":1,"size_bytes":512,"test":"read"}\n'
        for op_ns, time_ns in (("5", "1e308"), ("1e308", "9"), ("5", "5e-324"), ("5", "0")):
            times = f'"op_ns":{op_ns},"time_ns":{time_ns}'
            line = f',{{"record":"slice","cell":1,"operations":2,{times}}}\n'
            text = HEAD + cell + line * 8
            if time_ns == "1e308":
                self.refuse(text, "the sums of a cell are out of range in some/file")
            else:
                op_ns = self.read(text, "x.json.part").rows[0].op_ns
                self.assertEqual(op_ns, 4.5 if time_ns == "9" else 5)

    def test_what_is_damaged(self):
        for text, words in (
            ("[\n", "no rows of results"),
            ("[\n]\n", "no rows of results"),
            (HEAD + "]\n", "no rows of results"),
            (HEAD + self.ROW + ',"op_ns_med\n', "some/file:3"),
            (HEAD + self.ROW[1:] + "}\n", "expected a comma at some/file:3"),
            ("[\n" + self.ROW + "}\n", "expected a comma at some/file:2"),
            (HEAD + self.ROW + ',"a":}\n', "invalid JSON"),
            (HEAD + ",[1]\n", "not one record, at some/file:3"),
            (HEAD + self.ROW + "} 7\n", "some/file:3"),
            (HEAD + self.ROW + "}\n]\nx\n", "something follows the end of the results in some"),
            (HEAD + self.ROW + ',"depth":0}\n',
             "depth is not a whole number above 0 at some/file:3"),
            (HEAD + self.ROW + ',"ranks":0}\n', "ranks is not a whole number above 0"),
            (HEAD + ',{"record":"row"}\n', "no size_bytes at some/file:3"),
            (HEAD + ',{"record":"row","size_bytes":-1}\n', "size_bytes is not a whole"),
            (HEAD + ',{"record":"row","size_bytes":1.5}\n', "size_bytes is not a whole"),
            (HEAD + self.ROW + ',"test":7}\n', "test is not a text at some/file:3"),
            (HEAD + self.ROW + ',"loop":true}\n', "loop is not a whole number at"),
            (HEAD + self.ROW + ',"time_s":"x"}\n', "time_s is not a number at"),
            (HEAD + self.ROW + ',"x":1e999}\n', "out of range"),
            (HEAD + self.ROW + ',"x":NaN}\n', "invalid JSON"),
            (HEAD + self.ROW + f',"x":{"9" * 5000}}}\n', "out of range"),
            (HEAD + self.ROW + f',"x":{"[" * 100000}}}\n', "invalid JSON"),
            (HEAD + ',{"record":"slice","cell":1,"op_ns":-7}\n',
             "op_ns is not a number at some/file:3"),
            (HEAD + ',{"record":"slice","op_ns":7}\n', "no cell at some/file:3"),
            (HEAD.replace("2.0", "1.0"), "another iosweep (schema version 1.0) at some/file:2"),
            (HEAD.replace("2.0", "20.1"), "schema version 20.1"),
            (HEAD.replace("2.0", ""), "schema version ) at some/file:2"),
            (HEAD.replace("iosweep results", "fits"), "another kind (fits), not results, at some"),
            ('{"iosweep":"1.0","rows":[]}\n', "not an iosweep result: some/file:1"),
        ):
            self.refuse(text, words)


class Others(Files):
    def test_files(self):
        for path, words in (
            ("", "empty name"), ("none", "it does not exist; name a file"),
            ("some", "it is a directory"), ("a\0b", "cannot read a\\x00b"),
        ):
            with self.subTest(path), self.assertRaisesRegex(read.Problem, re.escape(words)):
                read.read(path)
        self.read(ONE, "x.part")
        with self.assertRaisesRegex(read.Problem, "x.part is there: its run has not ended"):
            read.read("x")

    def test_a_file_of_some_size(self):
        """More than is kept in memory, read out of order."""
        count, label = 40000, 50 * "l"
        text = "size_bytes,rate_per_s,label\n"
        text += "".join(f"{i},{i}.5,{label}\n" for i in range(1, count))
        rows = self.read(text + text).rows
        self.assertEqual(len(rows), 2 * count - 2)
        for i in (count - 2, 0, 10000, 3):
            self.assertEqual((rows[i].size_bytes, rows[i].number("rate_per_s")), (i + 1, i + 1.5))
            self.assertEqual(rows[count - 1 + i].get("label"), label)


class Curves(Files):
    def test_rows_of_curves(self):
        rows = self.read(
            "size_bytes,rate_per_s,test,cache,depth,notes\n1024,1,write,direct,8,\n"
            "512,2,write,direct,8,\n512,3,read,direct,8,\n256,,write,direct,8,skipped:align\n"
            "512,4,read,direct,1,\n512,5,write,direct,8,\n512,,write,cached,8,\n"
            "256,6,read,direct,8,\n"
        ).rows
        curves = read.curves(rows)
        # by size, equal ones as they stood; curves without figures are left out
        self.assertEqual([c.rows for c in curves],
                         [[rows[1], rows[5], rows[0]], [rows[7], rows[2]], [rows[4]]])
        words = read.words_apart(curves)
        self.assertEqual(curves[0].name(words), "write depth 8")
        self.assertEqual(curves[2].name(words), "read depth 1")
        self.assertEqual(read.words_apart(curves[:1]), [])
        self.assertEqual(read.curves(rows[3:4]), [])

    def test_names(self):
        for first, second, name in (
            ("read,t,e,c,1,1,l", "write,t,e,c,1,1,l", "read"),
            ("read,t,e,c,1,1,l", "read,u\x01,e,c,1,1,l", "t"),
            ("read,t\x01,e,c,1,1,l", "read,u,e,c,1,1,l", "t\\x01"),
            ("read,t,e,c,1,1,l", "read,t,f,c,1,1,l", "e"),
            ("read,t,e,c,4,1,l", "read,t,e,c,1,1,l", "threads 4"),
            ("read,t,e,c,2,4,l", "write,u,f,d,8,16,m", "read t e c threads 2 depth 4 l"),
            ("read,t,e,c,1,1,", "read,t,e,c,1,1,m", ""),
        ):
            curves = read.curves(self.read(
                "size_bytes,rate_per_s,test,target,engine,cache,threads,depth,label\n"
                f"1,1,{first}\n2,1,{second}\n").rows)
            self.assertEqual(curves[0].name(read.words_apart(curves)), name)
        files = [read.curves(self.read(ONE, path).rows)[0] for path in ("some/file", "file")]
        self.assertEqual([f.name(["file"]) for f in files], ["file", "file"])
        read.name_apart([f.file for f in files])
        self.assertEqual([f.name(["file"]) for f in files], ["some/file", "file"])


if __name__ == "__main__":
    unittest.main()
