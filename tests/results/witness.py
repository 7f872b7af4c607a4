#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""What iosweep 1.0.0, whose compare, fit and merge were written in C, answers to the files of
tests/data/results, against what the scripts answer: words and counts must be equal, figures to
1e-9.  Results of runs are there, and made-up ones of known shifts, two speeds, ties and the like.
The segments of its fits, and their points, which the scripts do not make, were taken out, and so
were the sizes of knees and of best throughputs that intervals leave open; best throughputs are
those of rows, which C had from their times; what fit says of rows that it leaves out is as fit says
it, merge says nothing of rows whose times are not known; several rows of a cell in one file, whose
rounds it pooled, are refused. It compared cells that are bound by the processor in units of a
reference: in place of that stands what it answers without one.

    python3 tests/results/witness.py [-v] [WORD]...

prints the table of equality: command, figures compared, largest relative difference, how many
members are changed by intention (CHANGED), and how many differ else, which is a failure.  -v adds
these; WORDs choose commands whose line contains one of them.
"""

import json
import os
import re
import sys

import support

LIMIT = 1e-9
# Members that are different by intention, with the reason.
CHANGED = {
    "compare": {
        **dict.fromkeys(
            ("ratio_low", "ratio_high"),
            "those by which the verdict was taken: at the level at which Holm judges",
        ),
        "op_ns_new": "as measured; C had the old time by the ratio there",
        "file": "new: of --against",
        "text": "has the above, too; JSON has all figures and verdicts",
    },
    "merge": {
        **dict.fromkeys(
            ("in_flight_mean", "submit_fraction", "errors_s", "resident_fraction",
             "resident_fraction_before", "lookup_ns_mean", "connect_ns_mean", "tls_ns_mean",
             "first_byte_ns_mean", "body_ns_mean"),
            "left empty: follows from no sum of slices",
        ),
        "latency_ns_stddev": "left empty: histograms give it only roughly, and they are there",
        "thread_results": "left out: the files that were merged have it",
    },
}  # fmt: skip


def answers():
    """The commands and what C answered."""
    with open(os.path.join(support.DATA, "witness.json"), encoding="utf-8") as stream:
        return json.load(stream)


def parse(text):
    """A document; of records, one a line, their rows."""
    document = json.loads(text)
    if isinstance(document, dict) and document["document"] == "fits":
        document["fits"] = document.pop("records")
    elif isinstance(document, dict):
        kinds = {"cell": "cells", "missing": "missing", "overall": "overall"}
        document.update((name, []) for name in kinds.values())
        for record in document.pop("records"):
            kind = record.pop("record")
            document[kinds[kind]].append(record)
            if kind == "cell":
                del record["cells"]  # itself
            elif kind == "missing":
                record["not_in"] = record.pop("notes").partition("not in ")[2]
    if isinstance(document, list):
        rows = [record for record in document if record.pop("record") == "row"]
        for row in rows:
            del row["cell"]
        document = {"rows": rows}
    return document


class Comparison:
    """Counts the figures of one command, and keeps what differs."""

    def __init__(self, command):
        self.command = command
        self.figures, self.largest, self.changed = 0, 0.0, 0
        self.differences = []

    def note(self, place, old, new):
        """Something that is not equal."""
        if place.rpartition(".")[2].partition("[")[0] in CHANGED.get(self.command, ()):
            self.changed += 1
        else:
            self.differences.append(f"{place}: {old!r} instead of {new!r}"[:200])

    def compare(self, place, old, new):
        """Values of JSON; members of C that are null are not in the data."""
        number = (int, float)
        if isinstance(old, dict) and isinstance(new, dict):
            for name, value in old.items():
                self.compare(f"{place}.{name}", value, new.get(name))
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for i, pair in enumerate(zip(old, new)):
                self.compare(f"{place}[{i}]", *pair)
        elif isinstance(old, number) and isinstance(new, number):
            self.figures += 1
            difference = abs(old - new) / max(abs(old), abs(new), 1e-300)
            if difference <= LIMIT:
                self.largest = max(self.largest, difference)
            else:
                self.note(place, new, old)
        elif old != new:
            self.note(place, new, old)

    def unknown(self, place, old, new):
        """What C did not know must not be known now."""
        if isinstance(old, dict) and isinstance(new, dict):
            for name, value in new.items():
                if name not in old and isinstance(value, (int, float, str)):
                    self.note(f"{place}.{name}", value, None)
        elif isinstance(old, list) and isinstance(new, list):
            for i, pair in enumerate(zip(old, new)):
                self.unknown(f"{place}[{i}]", *pair)


def known(line):
    """What is left of a line of compare without what is changed by intention: intervals, whose
    width also decides how ratios are written, counts of 0, and advice to use --against."""
    line = re.sub(r"\(time per [^;]*\)(?=; cells)|, at worst [^;]*|(?<=were given).*", "", line)
    return re.sub("(?<=cells: )(0 [a-z ]*, )+|, 0 [a-z ]*", "", line)


GROUPS = ("cells", "missing", "overall", "fits", "rows")


def check(answer):
    """A Comparison of one command."""
    words = answer["command"]
    comparison = Comparison(words[0])
    status, errors, text = support.run(words)
    comparison.compare("status", answer["status"], status)
    if words[0] == "compare":
        answer["stderr"], errors = (list(map(known, lines)) for lines in (answer["stderr"], errors))
    comparison.compare("stderr", answer["stderr"], errors)
    if "text" in answer:
        comparison.compare("text", answer["text"], text.splitlines())
    if "document" in answer:
        try:
            document = parse(text)
        except ValueError:
            comparison.note("document", text[:60], "JSON")
            return comparison
        for old, new in zip(answer["document"].get("cells", ()), document.get("cells", ())):
            if "op_ns_new" in old and new["ratio"] is not None:
                comparison.compare("op_ns_new of C", old["op_ns_new"],
                                   new["op_ns_old"] * new["ratio"])
        for group in GROUPS:
            old, new = answer["document"].get(group), document.get(group)
            comparison.compare(group, old, new)
            comparison.unknown(group, old, new)
    return comparison


def table(words, verbose):
    """Prints what is equal; returns how many commands differ."""
    different = 0
    for answer in answers():
        line = " ".join(answer["command"])
        if words and not any(word in line for word in words):
            continue
        comparison = check(answer)
        differs = len(comparison.differences)
        different += differs > 0
        counts = f"{comparison.figures:6} {comparison.largest:9.1e} {comparison.changed:4}"
        print(f"{line[:90]:90} {counts} {differs:4}")
        for difference in comparison.differences[:40] if verbose else ():
            print("   ", difference)
    return different


if __name__ == "__main__":
    os.chdir(support.DATA)
    sys.exit(table([word for word in sys.argv[1:] if word != "-v"], "-v" in sys.argv) > 0)
