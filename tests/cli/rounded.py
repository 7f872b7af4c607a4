# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""rounded.py IOSWEEP ARGS... - runs it with JSON to a file and its table to a terminal, and holds
every figure that it and its report show against the others: rows are identities, intervals hold
their means, percentiles are in order; figures of CSV, table, report and verdict are those of rows.
Leaves run.json, run.md, table and err in the current directory."""
import csv
import os
import pty
import re
import subprocess
import sys

import records

SIZE = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
UNIT = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 6e10,
        "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
SHOWN = (("time/op", "op_ns_mean"), ("throughput", "throughput_bytes_per_s"),
         ("rate", "rate_per_s"), ("p50", "latency_ns_p50"), ("p99", "latency_ns_p99"))
FIGURE = (r"([0-9]+ [KM]?i?B) (read|write)s (take|reach) ([0-9.]+) ([a-zA-Z]+(?:/s)?)"
          r"(?: \(p99 ([^)]+)\))?")
faults = []


def hold(what, true):
    if not true:
        faults.append(what)


def number(text):
    """The value of "1.52 us", "657 k/s", "1.31 GB/s" in ns or per second; None: "-"."""
    match = re.fullmatch(r"([0-9.]+) ?(.*)", text.strip())
    if not match:
        return None
    return float(match[1]) * UNIT[re.sub(r"B?/s$", "", match[2]).strip()]


def near(shown, value, digits=3):
    """Whether a figure with that number of digits can be that value."""
    return abs(shown - value) <= 0.5001 * 10 ** (len(str(int(shown or 1))) - digits) \
        if shown >= 1000 else abs(shown - value) <= abs(value) * 0.5001 * 10 ** (1 - digits) + 1e-9


def digits(row, member):
    """How many a figure of the row is shown with: two of a wide mean."""
    wide = row["op_ns_low"] is not None and \
        row["op_ns_high"] - row["op_ns_low"] >= 2 * 0.2 * row["op_ns_mean"]
    return 2 if wide and not member.startswith("latency") else 3


def size_of(text):
    count, unit = text.split()
    return int(count) * SIZE[unit]


def check_row(row):
    name = f"{row['test']} {row['cache']} {row['size_bytes']} depth {row['depth']}"
    operations, rate, mean = row["operations"], row["rate_per_s"], row["op_ns_mean"]
    slots = row["threads"] * row["depth"]
    if not operations:
        return hold(f"{name}: figures of no operation", rate is None and mean is None)
    hold(f"{name}: rate {rate} x time {row['time_s']} is not {operations}",
         abs(rate * row["time_s"] / operations - 1) < 1e-4 or slots > 1)
    if row["throughput_bytes_per_s"] is not None:
        hold(f"{name}: throughput is not size x rate",
             abs(row["throughput_bytes_per_s"] / (row["size_bytes"] * rate) - 1) < 1e-6)
    hold(f"{name}: time/op {mean} x rate {rate} is not 1", abs(mean * rate / 1e9 - 1) < 1e-4)
    low, high = row["op_ns_low"], row["op_ns_high"]
    hold(f"{name}: {mean} is not within {low}..{high}", low is None or low <= mean <= high)
    ladder = [row[f"latency_ns_{which}"] for which in ("min", "p50", "p90", "p99", "p999", "max")]
    ladder = [value for value in ladder if value is not None]
    hold(f"{name}: percentiles are not in order: {ladder}", ladder == sorted(ladder))
    hold(f"{name}: mean latency x rate is above {slots}",
         rate * row["latency_ns_mean"] / 1e9 <= slots * 1.001)


def check_csv(row, line):
    for name, text in line.items():
        value = row[name]
        if isinstance(value, (int, float)) or value is None:
            hold(f"CSV {name}: {text} is not {value}",
                 text == "" if value is None else abs(float(text) - value) <= abs(value) * 1e-9)
        else:
            hold(f"CSV {name}: {text} is not {value}", text == value)


def columns(heading, line):
    """The cells of a line of the table: each ends or begins where its heading does."""
    found = {}
    for match in re.finditer(r"\S+", heading):
        if match[0] in ("size", "operations", "time/op", "throughput", "rate", "p50", "p99"):
            words = re.search(r"(\S+ )?\S+$", line[:match.end()])
            found[match[0]] = words[0] if words else ""
    return found


def check_table(text, rows):
    """Rows of the table are in the order of the rows."""
    heading, at = None, 0
    for line in text.split("\nsummary ")[0].splitlines():
        if re.match(r" *size  ", line):
            heading = line
        if not heading or not re.match(r" *[0-9]+ ([KM]iB|B) ", line):
            continue
        row, cells = rows[at], columns(heading, line)
        at += 1
        hold(f"table: {cells['size']} is not {row['size_bytes']}",
             size_of(cells["size"]) == row["size_bytes"])
        for name, member in SHOWN:
            shown = number(cells.get(name, ""))
            hold(f"table: {name} {cells.get(name)} is not {row[member]}",
                 shown is None or near(shown, row[member], digits(row, member)))
        half = re.search(r"(?:±|\+-)([0-9.]+)%", line)
        ends = re.search(r" ([0-9.]+)\.\.([0-9.]+) ", line)
        if half:
            width = (row["op_ns_high"] - row["op_ns_low"]) / 2 / row["op_ns_mean"] * 100
            hold(f"table: ±{half[1]} is not {width}", abs(float(half[1]) - width) <= 0.06)
        elif ends:
            unit = UNIT[cells["time/op"].split()[1]]
            for shown, value in ((ends[1], row["op_ns_low"]), (ends[2], row["op_ns_high"])):
                hold(f"table: {shown} of {ends[0]} is not {value}",
                     abs(float(shown) - value / unit) <= (0.051 if "." in shown else 0.51))
    hold(f"table: {at} of {len(rows)} rows", at == len(rows))


def check_report(text, rows):
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines()
             if line.startswith("|")]
    heading = next(line for line in lines if line[:2] == ["curve", "size"])
    at = 0
    for line in lines[lines.index(heading) + 2:]:
        if len(line) != len(heading):
            break
        row, cells = None, dict(zip(heading, line))
        at += 1
        for row in rows:
            if row["size_bytes"] == size_of(cells["size"]) and all(
                    near(number(cells[name]) or 0, row[member] or 0)
                    for name, member in (*SHOWN, ("p90", "latency_ns_p90"),
                                         ("max", "latency_ns_max"))):
                break
        else:
            hold(f"report: no row is {line}", False)
    measured = sum(row["operations"] > 0 for row in rows)
    hold(f"report: {at} of {measured} rows", at == measured)


def check_verdict(text, rows):
    said = 0
    for size, test, verb, count, unit, p99 in re.findall(FIGURE, text):
        said += 1
        shown = number(f"{count} {unit}")
        member = "op_ns_mean" if verb == "take" else \
            "throughput_bytes_per_s" if "B" in unit else "rate_per_s"
        hold(f"verdict: no row has {test}s of {size} that {verb} {count} {unit}", any(
            row["test"] == test and row["size_bytes"] == size_of(size)
            and near(shown, row[member], digits(row, member)) and (not p99
            or near(number(p99), row["latency_ns_p99"])) for row in rows))
    hold("verdict: no figure", said or any(row["mix"] is not None for row in rows))
    return said


def measure(command):
    """The table, from a terminal of unknown size; standard error goes to a file."""
    main, other = pty.openpty()
    words = {**os.environ, "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
    with open("err", "w", encoding="utf-8") as err, \
            subprocess.Popen(command, stdout=other, stderr=err, env=words):
        os.close(other)
        text = b""
        while True:
            try:
                text += os.read(main, 65536)
            except OSError:  # all have closed it
                break
    return text.decode().replace("\r\n", "\n")


def main():
    program = sys.argv[1]
    table = measure([*sys.argv[1:], "--format", "json", "-o", "run.json"])
    with open("table", "w", encoding="utf-8") as file:
        file.write(table)
    lines = subprocess.run([program, "export", "--columns", "all", "run.json"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    subprocess.run([program, "report", "-o", "run.md", "run.json"], check=True, capture_output=True)
    rows = records.load("run.json")["row"]
    for row, line in zip(rows, csv.DictReader(lines), strict=True):
        check_row(row)
        check_csv(row, line)
    check_table(table, rows)
    with open("run.md", encoding="utf-8") as file:
        check_report(file.read(), rows)
    with open("err", encoding="utf-8") as file:
        said = check_verdict(" ".join(file.read().split()), rows)
    print(f"{len(rows)} rows, {said} figures of the verdict, {len(faults)} faults")
    for fault in faults[:20]:
        print(fault)
    sys.exit(bool(faults))


main()
