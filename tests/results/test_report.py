#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep report: pages are well-formed, refer to nothing outside and run nothing, whatever the
results hold; they are read back like the files in them; what is doubtful comes first; Markdown has
no markup that is not ours."""

import base64
import glob
import html
import json
import os
import re
import unittest
import xml.etree.ElementTree

import support
from iosweep_results import read, report

HEADER = ("size_bytes,operations,op_ns_mean,op_ns_low,op_ns_high,latency_ns_p50,latency_ns_p99,"
          "test,target,notes\n")
HOSTILE = "a<script>alert(1)</script>&amp;\x1b[31m \u202e| `b` *c* _d_ [x](y) @all #1 $e$ ~f"
FORBIDDEN = re.compile(
    r"<(script|link|iframe|object|embed|img|base|form)\b|<[^>]*\s(src|srcset|on[a-z]+)="
    r"|<[^>]*\shref=[\"'](?!#|data:)|url\(|@import", re.IGNORECASE)


def row(size_bytes=4096, op_ns=2000, low=1900, high=2100, test="read", target="/x", notes=""):
    return f'{size_bytes},1000,{op_ns},{low},{high},1800,9000,"{test}","{target}","{notes}"\n'


def document(head=None, rows=2, rounds=11, findings=(), end=True):
    """JSON of a run.  findings: "!" stands before warnings."""
    records = [{"record": "head", "document": "iosweep results", "schema_version": "2.0",
                "iosweep": "1.0", "command": "iosweep /x", **(head or {})}]
    for cell in range(1, rows + 1):
        named = {"cell": cell, "test": "read", "target": "/x", "size_bytes": 512 << (cell - 1) % 16,
                 "threads": 1 + (cell - 1) // 16}
        records.append({"record": "cell", **named})
        slice_ = {"record": "slice", "cell": cell, "began_s": 0.1, "elapsed_s": 0.02, "failed": 0,
                  "operations": 1000, "bytes": 4096000, "time_ns": 20000000, "latencies": 1000,
                  "latency_ns_sum": 19000000, "latency_ns_min": 1000, "latency_ns_max": 90000}
        records += [{**slice_, "round": i, "op_ns": 2000.0 + i, "reference_ns": None}
                    for i in range(1, rounds + 1)]
        if end or cell < rows:
            records.append({
                "record": "row", **named, "operations": 1000, "time_s": 0.2, "rounds": rounds,
                "throughput_bytes_per_s": 2e9, "op_ns_mean": 2006.0, "op_ns_low": 1990.0,
                "op_ns_high": 2020.0, "latency_ns_p50": 1800, "latency_ns_p99": 9000, "errors": 0,
                "notes": "wide", "rank_results": None, "latency_histogram": [[7, 7]]})
    records += [{"record": "finding", "warning": finding.startswith("!"),
                 "text": finding.lstrip("!")} for finding in findings]
    records += [{"record": "end", "processors": None}] if end else []
    return "[\n" + "\n,".join(map(json.dumps, records)) + ("\n]\n" if end else '\n,{"re')


def without_data(text):
    return re.sub('href="data:[^"]*"', "", text)


def words_of(text):
    """What can be read of a page, without style, pictures and data."""
    text = re.sub("<(style|svg).*?</(style|svg)>|</?span[^>]*>", "", without_data(text),
                  flags=re.DOTALL)
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", text)).split())


class Case(support.Scratch):
    def report(self, *words, status=0, out="page.html"):
        """The report, and what was said."""
        found, errors, _ = support.run(["report", "-o", out, *words])
        self.assertEqual(found, status, errors)
        if status:
            self.assertEqual(len(errors), 1, errors)
            return errors[0]
        with open(out, encoding="utf-8") as stream:
            text = stream.read()
        if out.endswith(".html"):
            self.check(text)
        return text

    def has(self, text, words):
        self.assertTrue(words in text, words)

    def lacks(self, text, pattern):
        found = re.search(pattern, text)
        self.assertIsNone(found, found and text[max(found.start() - 80, 0) : found.end() + 80])

    def check(self, text):
        """That nothing can be said against a page."""
        self.assertTrue(text.startswith("<!DOCTYPE html>"))
        self.has(text, "content=\"default-src 'none'; style-src 'unsafe-inline'\"")
        self.lacks(text, FORBIDDEN)
        shown = re.sub("<style>.*?</style>", "", without_data(text), flags=re.DOTALL)
        self.lacks(shown, "<[^>]*//")  # addresses, also those of schemas
        self.lacks(text, "[\0-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
        tree = xml.etree.ElementTree.fromstring(text)
        ids = [element.get("id") for element in tree.iter() if element.get("id")]
        self.assertEqual(len(ids), len(set(ids)), "an id twice")
        links = {a.get("href")[1:] for a in tree.iter("a") if not a.get("download")}
        self.assertLessEqual(links, set(ids))
        self.lacks(words_of(text), r"(?i)(^|[ >])-?(nan|inf)(inity)?([ <,]|$)")


class Pages(Case):
    def test_all_results_of_the_corpus(self):
        done = 0
        for name in sorted(glob.glob(os.path.join(support.DATA, "*.*"))):
            if os.path.basename(name) in ("witness.json", "columns.txt"):
                continue
            result = read.read(name, series=True)
            if any(row.op_ns > 0 for row in result.rows):
                with self.subTest(os.path.basename(name)):
                    self.report(name)
                    self.report(name, out="page.md")
                    done += 1
        self.assertGreater(done, 100)

    def test_files_can_be_saved(self):
        self.write("a.csv", HEADER + row() + row(8192, 4000))
        self.write("b.csv", HEADER + row(4096, 4000, 3900, 4100) + row(8192, 8000, "", ""))
        text = self.report("a.csv", "b.csv")
        for name, found in zip(("a.csv", "b.csv"), re.findall(
                r'<a download="(.*?)" href="data:application/octet-stream;base64,(.*?)">', text)):
            self.assertEqual(found[0], name)
            with open(name, "rb") as stream:
                self.assertEqual(base64.b64decode(found[1]), stream.read())
        self.assertEqual(text.count("<a download="), 2)

    def test_a_run_that_was_cut_off(self):
        self.write("x.json.part", document(rows=3, rounds=600, end=False))
        text = words_of(self.report("x.json.part"))
        self.has(text, "Warning: The run was cut off")

    def test_a_run_that_ended_early(self):
        begun = row(notes="incomplete")
        never = "8192,0,,,,,,read,/x,incomplete\n"
        self.write("a.csv", HEADER + row(512) + begun + never * 3)
        text = words_of(self.report("a.csv"))
        self.has(text, "Warning: Measuring was cut short: 4 of 5 rows incomplete.")
        self.has(text, "incomplete 1 of 2 The row ended early")

    def test_many_rows(self):
        rows = "".join(row(512 << i % 4, 1000 + i) for i in range(10_001))
        said = self.report(self.write("many.csv", HEADER + rows), status=2)
        self.has(said, "more than 10000 rows in all files")

    def test_series(self):
        self.write("a.csv", HEADER + row() + row(8192))
        names = "ended_s,interval_s,test,throughput_bytes_per_s,latency_ns_p99,size_bytes\n"
        self.write("s.csv", names + "".join(f"{t},1,read,1e6,2000,4096\n" for t in range(1, 6)))
        text = self.report("a.csv", "s.csv")
        self.has(text, '<section id="course">')
        self.lacks(text, '<section id="compared">')
        self.write("s.csv", names + "".join(f"{t},1,t{t},1e6,2000,{size}\n" for t in range(1, 10)
                                            for size in (512, 4096)))
        self.has(self.report("a.csv", "s.csv"), "The first 12 of 18 panels")
        self.write("s.csv", names + "1,1,read,0,,4096\n")
        self.has(self.report("a.csv", "s.csv"), "Not drawn: no records over time of operations")
        self.has(self.report("s.csv", status=2), "only records of --series")


class Contents(Case):
    def test_what_is_doubtful_comes_first(self):
        for findings, warning, claim in (
            (["!the machine was busy (load 9", "rows are fast"], "The machine was", "Rows are"),
            (["/x answers like an SSD", "!cut short: 1 of 2 rows"], "Cut short: 1", "/x answers"),
            (["all is cold", "!3 of 4 rows are not steady"], "3 of 4 rows are not st", "All is"),
        ):
            with self.subTest(claim):
                text = words_of(self.report(self.write("a.json", document(findings=findings))))
                self.assertLess(text.index(f"Warning: {warning}"), text.index(claim))
                markdown = self.report("a.json", out="a.md")
                self.assertLess(markdown.index("> [!WARNING]"), markdown.index(f"- {claim[:4]}"))
        self.write("w.csv", HEADER + row() + row(8192, 4000, 1000, 9000))
        self.has(words_of(self.report("w.csv")), "Warning: Intervals are wide: beyond \u00b110 % in"
                 " 1 of 2 rows (worst: read of 8 KiB, -75 .. +125 %)")

    def test_tables(self):
        self.write("a.csv", HEADER + row(notes="wide;rmw") + row(8192, notes="wide"))
        text = self.report("a.csv")
        heads = re.findall('<th scope="col"[^>]*>(.*?)</th>', text)
        self.assertEqual(heads[:5], ["size", "throughput", "p50", "p99", "95 % interval"])
        self.has(words_of(text), "All rows have the note wide.")
        self.assertEqual(re.findall('<td class="w">(.*?)</td>', text)[:2], ["rmw", ""])
        self.has(text, "<td>4.10 GB/s</td>")
        self.has(text, "<td>-5.0 .. +5.0 %</td>")
        once = words_of(self.report(self.write("a.json", document())))
        self.has(once, "No errors; each row has 11 rounds; all rows have the note wide.")
        one_size = self.report(self.write("b.csv", HEADER + row() + row(test="write")))
        self.has(one_size, 'scope="rowgroup">write</th></tr>\n<tr><th scope="row">4 KiB</th>')
        self.lacks(one_size, '<section id="curves">')

    def test_facts_in_words(self):
        head = {"host": {"cpus": 2, "memory_bytes": 25276514304, "governor": None},
                "targets": [{"target": "/x", "mount_options": "rw,relatime", "own_files": True}],
                "settings": {"sizes": [512, 4096], "cell_time_ns": 3e8},
                "command": "iosweep --sizes '4k' /x"}
        text = self.report(self.write("a.json", document(head)))
        for name, value in (
            ("processors", "2"), ("memory", "24 GiB"), ("mount options", "rw,relatime"),
            ("files made by the run", "yes"), ("sizes", "512 B and 4 KiB"),
            ("time per row", "300 ms"),
        ):
            self.has(text, f'<th scope="row" class="w">{name}</th><td class="w">{value}</td>')
        self.has(text, '<span class="whole">--sizes</span> &#x27;4k&#x27; /x</pre>')
        self.lacks(words_of(text), "governor")
        self.write("one.json", document({"command": "iosweep /one"}))
        self.write("two.json", document({"command": "iosweep /two"}))
        page = self.report("one.json", "two.json")
        for words in "iosweep /one", "iosweep /two":
            self.has(page, f'<pre class="run">{words}</pre>')

    def test_notes_have_meanings(self):
        meanings = report.notes_meaning()
        self.assertGreater(len(meanings), 40)
        self.assertEqual(list(meanings)[0], "wrong_data")
        self.assertTrue(all(meanings.values()))
        words = [word + "1/2" * word.endswith(":") for word in meanings]
        rows = [row(8192, notes=word) for word in [*words, "odd"]]
        self.write("a.csv", HEADER + row() + "".join(rows))
        text = words_of(self.report("a.csv"))
        for word, meaning in zip(words, meanings.values()):
            self.assertRegex(text, re.escape(word) + r"\s+1 of \d+\s+" + re.escape(meaning))
        self.assertRegex(text, r"odd\s+1 of \d+\s+This version does not know")

    def test_pairs(self):
        for name, op_ns in (("a", 2000), ("b", 4000), ("c", 2000), ("d", 4010)):
            self.write(f"{name}.csv", HEADER + row(4096, op_ns, op_ns - 10, op_ns + 10))
        for words, headings in (
            (["a.csv", "b.csv"], ["b.csv against a.csv"]),
            (["a.csv", "b.csv", "c.csv", "d.csv"], ["b.csv and d.csv against a.csv and c.csv"]),
            (["--against", "a.csv", "b.csv", "c.csv"],
             ["b.csv against a.csv", "c.csv against a.csv"]),
        ):
            with self.subTest(words):
                text = self.report(*words)
                compared = re.search('<section id="compared">(.*?)</section>', text, re.DOTALL)[1]
                self.assertEqual(re.findall("<h3>(.*?)</h3>", compared), headings)
                self.has(compared, "<td>2.00 us</td><td>4.00 us</td>")
                self.has(text[: text.index("<nav>")], "times as long overall")
        self.has(self.report("a.csv", "b.csv", "c.csv", status=2), "3 were given; --against FILE")
        self.write("e.csv", HEADER + row(512, 2000))
        self.has(words_of(self.report("a.csv", "e.csv")), "Not compared: nothing to compare")
        for name in ("old", "new"):
            os.mkdir(name)
            self.write(f"{name}/run.csv", HEADER + row())
        self.has(self.report("old/run.csv", "new/run.csv"), "new/run.csv against old/run.csv")


class Hostile(Case):
    def test_names_are_escaped(self):
        name = "\"><b>'&.json"
        head = {"host": {"name": HOSTILE, HOSTILE: HOSTILE}, "command": f"iosweep '{HOSTILE}' ```",
                "label": HOSTILE, "targets": [{"target": HOSTILE, "place": HOSTILE}]}
        text = document(head, findings=[HOSTILE, "!" + HOSTILE]).replace(
            '"/x"', json.dumps(HOSTILE)).replace('"wide"', json.dumps("wide;" + HOSTILE))
        self.write(name, text)
        self.has(self.report(name, name), "\\x1b[31m")
        markdown = self.report(name, out="a.md")
        for line in re.sub(r"`{4,}sh\n.*\n`{4,}\n", "", markdown).splitlines():
            self.assertNotRegex(line, "<(?!/?(details|summary)>|!-- (iosweep report )?-->)")
            self.assertNotRegex(line, r"[^\\](`|\*c|\[x|~f|\$e)")
            self.assertNotRegex(line, r"[@#](?!#*<!-- -->)(?<!^#)[a-z1]")
        for table in re.findall(r"(?:^\|.*\n)+", markdown, re.MULTILINE):
            counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
            self.assertEqual(len(counts), 1, f"a name has made columns: {table}")
        self.has(markdown, "\n````sh\n")

    def test_values(self):
        for rows, expected in (
            (row(4096, 1e300, 1e299, 1e301) + row(8192, 1e-300, 0, 0), "8 KiB"),
            (row(4096, 1e-300, 1e-301, 1e300) + row(8192, 1e-310, 1, 1), "8 KiB"),
            ("18446744073709551615,1,1,1,1,1,1,read,/x,\n", "16 EiB"),
            (row(4096, 2000, 0, 0) + "8192,0,,,,,,read,/x,skipped:beyond_file\n", "1 of 2 rows"),
            (row(4096, 2000, 3000, 1000), "4 KiB"),
        ):
            with self.subTest(expected):
                self.write("a.csv", HEADER + rows)
                self.report("a.csv")
                self.report("a.csv", out="a.md")
        for bad in ({"host": [1], "targets": {}, "settings": 3, "command": ["x"]},
                    {"host": {"a": [[[[[1]]]]]}, "targets": [3, {"target": [1]}], "iosweep": {}}):
            self.report(self.write("a.json", document(bad)))
            self.report("a.json", out="a.md")

    def test_refused(self):
        self.write("a.csv", HEADER + row())
        self.write("none.csv", HEADER + "8192,0,,,,,,read,/x,skipped:beyond_file\n")
        self.write("page.html", "<!DOCTYPE html>\n")
        for words, out, expected in (
            (["a.csv"], "a.txt", "unknown format of a report: a.txt"),
            (["a.csv"], "-", "unknown format"),
            (["none.csv"], "a.html", "nothing was measured in none.csv"),
            (["page.html"], "a.html", "save them from"), (["a.csv"], "./a.csv", "unknown format"),
            (["--format", "md", "a.csv"], "./a.csv", "would overwrite an input"),
            (["--against", "none", "a.csv"], "a.html", "cannot read none"),
        ):
            with self.subTest(expected):
                self.has(self.report(*words, status=2, out=out), expected)


if __name__ == "__main__":
    unittest.main()
