# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Prints the comparisons made round by round during a run, the records "pair" of one JSON result,
and judges them against a tolerance. iosweep computed their ratios; none is computed here."""

from . import cli, read, text
from .text import Problem

COLORS = {"unclear": "caution", "slower": "alarm", "faster": "good"}  # of verdicts
_FIELDS = dict.fromkeys(("record", "axis", "base", "value", "test", "cache", "size_bytes", "rounds",
                         *read.PAIR_RATIOS, "apart", "verdict", "text"), 6)
_HEADINGS = {**{name: name for name in ("test", "cache", "axis", "value", "base", "size")},
             "ratio": "time", "interval": "95 %", "rounds": "rounds", "verdict": "verdict"}


def _verdict(of, tolerance):
    """same: the whole interval is within the tolerance."""
    ratio, low, high = (of[name] for name in read.PAIR_RATIOS[:3])
    if low > 1 and ratio > 1 + tolerance:
        return "slower"
    if high < 1 and ratio < 1 / (1 + tolerance):
        return "faster"
    return "same" if 1 / (1 + tolerance) <= low and high <= 1 + tolerance else "unclear"


def run(options, path):
    """Compares within one file; the exit status is as for several."""
    result, tolerance, rows = read.read(path), options.tolerance, []
    pairs = [pair for pair in result.pairs if options.by in (None, pair["axis"])]
    if not pairs:
        axis = f" in {options.by}" if options.by else ""
        raise Problem(f"{result.name} has no rows that differ{axis} and were measured in the same"
                      " rounds", "name an old and a new file, or measure two targets, engines,"
                      " access patterns, threads or depths in one run with -o NAME.json")
    for pair in pairs:  # a row for each size, with a verdict if it is apart, and one for the others
        rows += [{**pair, **size, "record": "size", "apart": int(size["apart"]), "text": None,
                  "verdict": _verdict(size, tolerance) if size["apart"] else ""}
                 for size in pair["sizes"]]
        rows.append({**pair, "verdict": _verdict(pair, tolerance)})
    shown = [{name: row.get(name) for name in _FIELDS} for row in rows
             if row["record"] == "pair" or not options.worse_only or row["verdict"] == "slower"]
    table = text.Table(_HEADINGS, left=("test", "cache", "axis", "value", "base", "verdict"),
                       drop=("rounds", "cache", "axis"), names=("value", "base"), colored="verdict",
                       optional=("cache", "axis"))
    for row in shown:
        size = "all" if row["record"] == "pair" else text.size(row["size_bytes"])
        table.add({**row, "size": size, "ratio": f"x{row['time_ratio']:.3f}",
                   "interval": f"{row['time_ratio_low']:.3f} .. {row['time_ratio_high']:.3f}",
                   "rounds": str(row["rounds"] or "")}, COLORS.get(row["verdict"], ""))
    head = {"document": "pairs", "schema_version": read.SCHEMA_VERSION, "file": path,
            "tolerance": tolerance}
    sentences = (row["text"] for row in shown if row["record"] == "pair")
    cli.write(options, [table, *sentences], head, _FIELDS, shown)
    sought = ("slower",) if options.worse_only else ("slower", "faster")
    if any(row["verdict"] in sought for row in rows):
        return 1
    if not any(row["verdict"] in ("same", "faster") or row["verdict"] and options.worse_only
               and row["time_ratio_high"] <= 1 + tolerance for row in rows):
        raise Problem("nothing could be judged: no interval is within the tolerance",
                      "repeat the run on a quiet machine with more --time for each row")
    return 0
