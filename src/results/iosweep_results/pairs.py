# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""What iosweep compared round by round while it measured: the records "pair" of one JSON result,
shown, and judged against a tolerance.  Their ratios are iosweep's own; none is computed here."""

from . import cli, read, text
from .text import Problem

_COLORS = {"unclear": "caution", "slower": "alarm", "faster": "good"}
_FIELDS = ("record", "axis", "base", "value", "test", "cache", "size_bytes", "rounds", *read.PAIR_RATIOS,
           "apart", "verdict")
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


def _rows(pairs, tolerance):
    """A row for each size, and one for all of them that are not apart."""
    for pair in pairs:
        common = {name: pair[name] for name in _FIELDS[1:6]}
        for size in pair["sizes"]:
            is_apart = size["apart"]
            verdict = _verdict(size, tolerance) if is_apart else ""
            yield {**common, **size, "record": "size", "apart": int(is_apart), "verdict": verdict}
        yield {**common, **{name: pair[name] for name in read.PAIR_RATIOS},
               "record": "pair", "verdict": _verdict(pair, tolerance)}


def _print_table(stream, rows, look):
    width, color = look
    table = text.Table(_HEADINGS, left=("test", "cache", "axis", "value", "base", "verdict"),
                       drop=("rounds", "cache", "axis"), names=("value", "base"), colored="verdict",
                       optional=("cache", "axis"))
    for row in rows:
        size = "all" if row["record"] == "pair" else text.size(row["size_bytes"])
        table.add({**row, "size": size, "ratio": f"x{row['time_ratio']:.3f}",
                   "interval": "{:.3f} .. {:.3f}".format(*(row[name] for name in read.PAIR_RATIOS[1:3])),
                   "rounds": str(row.get("rounds", ""))}, _COLORS.get(row["verdict"], ""))
    table.print(stream, width, color)


def run(options):
    """One file is compared in itself; the exit status is as for several."""
    path = options.files[0]
    result = read.read(path)
    pairs = [pair for pair in result.pairs if options.by in (None, pair["axis"])]
    if not pairs:
        axis = f" in {options.by}" if options.by else ""
        raise Problem(f"{path} has no rows that differ{axis} and were measured in the same rounds",
                      "name an old and a new file, or measure two targets, engines, access"
                      " patterns, threads or depths in one run with -o NAME.json")
    rows, form = list(_rows(pairs, options.tolerance)), cli.format_of(options)
    verdicts = [row["verdict"] for row in rows]
    with text.output(options.output, [path]) as stream:
        if form == "table":
            shown = [row for row in rows if not options.worse_only or row["verdict"] == "slower"]
            _print_table(stream, shown, cli.look_of(options))
            stream.writelines(text.fold(text.printable_sentence(pair["text"]),
                                        cli.look_of(options)[0]) + "\n" for pair in pairs)
        elif form == "csv":
            stream.write(",".join(_FIELDS) + "\n")
            stream.writelines(",".join(text.csv_field(row.get(name), 6) for name in _FIELDS) + "\n"
                              for row in rows)
        else:
            stream.write(text.json_value({
                "document": "pairs", "schema_version": read.SCHEMA_VERSION, "file": path,
                "tolerance": options.tolerance, "pairs": [
                    {**pair, "verdict": _verdict(pair, options.tolerance)} for pair in pairs]}))
            stream.write("\n")
    if "slower" in verdicts or ("faster" in verdicts and not options.worse_only):
        return 1
    if "same" not in verdicts:
        raise Problem("nothing could be judged: no interval is within the tolerance",
                      "repeat the run on a quiet machine with more --time for each row")
    return 0
