# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""rounded.py IOSWEEP ARGS... - runs it with JSON to a file and its table to a terminal, and holds
every figure that it and what reads its results show against the others: rows are identities,
intervals hold their means, percentiles are in order; figures of CSV, table, verdict, findings,
comparisons and fits, and of tables, sentences and tooltips of reports and pictures, are those of
rows.  Leaves run.json, run.md, run.html, table and err in the current directory."""
import csv
import html
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
AXES = ("test", "target", "engine", "cache", "threads", "depth", "step", "loop", "access")
BYTES, VALUE = "[0-9]+ [KM]?i?B", "[0-9.]+ [a-zA-Z]*(?:/s)?"
FIGURE = (rf"({BYTES}) (read|write)s (take|reach) ({VALUE})"
          r"(?: \((?:p50 ([0-9.]+ \w+))?(?:, )?(?:p99 ([0-9.]+ \w+))?)?")
TIP = (rf"(?:(depth|threads) (\d+), )?({BYTES}): ({VALUE})"
       rf"(?: \(({VALUE}) (?:to ({VALUE})|or more)\))?(?:, p50 ({VALUE}))?(?:, p99 ({VALUE}))?"
       r"(?:; .*)?")
faults = []
held = [0]


def hold(what, true):
    held[0] += 1
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
    hold(f"{name}: time/op {mean} x rate {rate} is not 1",
         abs(mean * rate / 1e9 - 1) < 1e-4 + 0.006 / mean)  # it has hundredths of ns
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
            of_ends = 0.01 / row["op_ns_mean"] * 100  # their own rounding
            hold(f"table: ±{half[1]} is not {width}",
                 abs(float(half[1]) - width) <= 0.051 + of_ends)
        elif ends:
            unit = UNIT[cells["time/op"].split()[1]]
            for shown, value in ((ends[1], row["op_ns_low"]), (ends[2], row["op_ns_high"])):
                hold(f"table: {shown} of {ends[0]} is not {value}",
                     abs(float(shown) - value / unit) <= (0.051 if "." in shown else 0.51))
    hold(f"table: {at} of {len(rows)} rows", at == len(rows))


def interval_is(shown, row):
    """Whether "-5.1 .. +7.0 %" is the interval of a row; "": it has none."""
    ends = re.fullmatch(r"([-+][0-9.]+) \.\. ([-+][0-9.]+) %", shown)
    low, high = row["op_ns_low"], row["op_ns_high"]
    if not ends or low is None:
        return not ends and low is None
    return all(abs(float(end) - (value / row["op_ns_mean"] - 1) * 100) <= (
        0.051 if "." in end else 0.51) for end, value in zip(ends.groups(), (low, high)))


def check_report(name, lines, rows):
    """lines: of cells, the first one headings."""
    heading, *lines = lines
    for line in lines:
        cells = dict(zip(heading, line))
        hold(f"{name}: no row is {line}", any(
            row["size_bytes"] == size_of(cells["size"])
            and interval_is(cells.get("95 % interval", "").strip("\u2013"), row)
            and all(near(number(cells.get(shown, "")) or 0, row[member] or 0, digits(row, member))
                    for shown, member in (*SHOWN, ("p90", "latency_ns_p90"),
                                          ("p99.9", "latency_ns_p999"), ("max", "latency_ns_max"))
                    if shown in cells) for row in rows))
    measured = sum(row["operations"] > 0 for row in rows)
    hold(f"{name}: {len(lines)} of {measured} rows", len(lines) == measured)


def markdown_lines(text):
    """Of the table of all rows."""
    table = text.partition("#### By size")[2].partition("\n| ")[2].partition("\n\n")[0]
    lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines()]
    return lines[:1] + lines[2:]


def html_lines(text):
    """The same of a page."""
    table = text.partition('<section id="sizes">')[2].partition("</section>")[0]
    return [[html.unescape(re.sub("<[^>]*>", "", cell))
             for cell in re.findall("<t[hd][^>]*>(.*?)</t[hd]>", line)]
            for line in table.split("<tr>")[1:]]


def member_of(shown):
    """Which figure of a row "87 MB/s", "2 k/s" or "3 us" is."""
    return "op_ns_mean" if not shown.endswith("/s") else (
        "throughput_bytes_per_s" if "B" in shown else "rate_per_s")


def tip_is(row, axis, level, size, shown, low, high, p50, p99):
    """Whether a tooltip is that of a row.  Rates are the less the longer operations take."""
    # pylint: disable=too-many-arguments
    member = member_of(shown)
    means = [row[name] for name in (member, "latency_ns_p50", "latency_ns_p99")
             if row[name] is not None and (name == member or member == "op_ns_mean")
             and near(number(shown), row[name], digits(row, name))]
    if row["size_bytes"] != size_of(size) or axis and row[axis] != int(level) or not means:
        return False
    ends = [row["op_ns_low"], row["op_ns_high"]]
    if low and member != "op_ns_mean":
        ends = [means[0] * row["op_ns_mean"] / end if end else None for end in ends[::-1]]
    shares = [*zip((low, high), ends), (p50, row["latency_ns_p50"]), (p99, row["latency_ns_p99"])]
    return all(value is not None and near(number(text), value, 2) for text, value in shares if text)


def check_tips(name, picture, rows, each=False):
    """The tooltips of a picture.  each: every row has one."""
    tips = list(map(html.unescape, re.findall("<title>([^<]*)</title>", picture)))
    for tip in tips:
        match = re.fullmatch(TIP, tip)
        hold(f"{name}: no row is {tip}", match and any(
            tip_is(row, *match.groups()) for row in rows if row["operations"]))
    measured = sum(row["operations"] > 0 for row in rows)
    hold(f"{name}: tooltips of {len(tips)} of {measured} rows", not each or len(tips) == measured)


def check_distribution(picture, rows):
    found = set()
    for row in rows:
        below, total = 0, sum(count for _, count in row["latency_histogram"] or ())
        for lower, count in row["latency_histogram"] or ():
            below += count
            found.add((below / total * 100, max(lower, 1) + 2 ** max(lower.bit_length() - 7, 0)))
    for share, shown in re.findall("<title>([0-9.]+) % took at most ([^<]*)</title>", picture):
        hold(f"cdf: no row has {share} % below {shown}", any(
            abs(float(share) - percent) < 0.01 and near(number(shown), upper_ns)
            for percent, upper_ns in found))


def check_sentences(name, text, rows):
    """Figures of the verdict and of findings; returns those of the verdict."""
    said = 0
    for size, test, _, shown, p50, p99 in re.findall(FIGURE, text):
        said += 1
        hold(f"{name}: no row has {test}s of {size} with {shown}", any(
            row["test"] == test and row["size_bytes"] == size_of(size)
            and near(number(shown), row[member_of(shown)], digits(row, member_of(shown)))
            and (not p50 or near(number(p50), row["latency_ns_p50"]))
            and (not p99 or near(number(p99), row["latency_ns_p99"])) for row in rows))
    for test, size, best in re.findall(rf"(read|write)s of ({BYTES}) \(best ({VALUE})", text):
        speeds = {row["size_bytes"]: row["throughput_bytes_per_s"] for row in rows
                  if row["test"] == test and row["operations"]}
        most = max(speeds.values())
        hold(f"{name}: {best} is not the best of {test}s", near(number(best), most, 2))
        hold(f"{name}: {size} is not the least size with 90 % of {best}", size_of(size) == min(
            size for size, speed in speeds.items() if speed >= 0.9 * most))
    for test, size, engine, *rates in re.findall(
            rf"(read|write)s of ({BYTES}) by (\w+) reach ({VALUE}) at depth (\d+), ({VALUE}) at"
            r" depth (\d+)", text):
        for shown, depth in zip(rates[::2], rates[1::2]):
            hold(f"{name}: no {test}s of {size} have {shown} at depth {depth}", any(
                (row["test"], row["size_bytes"], row["engine"], row["depth"])
                == (test, size_of(size), engine, int(depth))
                and near(number(shown), row["rate_per_s"], digits(row, "rate_per_s"))
                for row in rows))
    return said


def check_fit(lines, rows):
    """Sizes that intervals leave open are empty."""
    for line in csv.DictReader(lines):
        its = [row for row in rows if row["operations"] and all(
            str(row[axis] or "") in (line[axis] or "random", line[axis]) for axis in AXES)]
        name = "fit of " + " ".join(line[axis] for axis in AXES)
        hold(f"{name}: {line['points']} of {len(its)} points", len(its) == int(line["points"]))
        if not line["t0_ns"] or not its:
            continue
        speeds = {row["size_bytes"]: row["throughput_bytes_per_s"] for row in its}
        most, t0_ns = max(speeds.values()), float(line["t0_ns"])
        hold(f"{name}: sizes", [int(line["from_bytes"]), int(line["to_bytes"])] == [
            min(speeds), max(speeds)])
        hold(f"{name}: best {line['best_bytes_per_s']} is not {most}",
             abs(float(line["best_bytes_per_s"]) / most - 1) < 1e-4)
        hold(f"{name}: best at {line['best_bytes']}",
             line["best_bytes"] in ("", *(str(size) for size in speeds if speeds[size] == most)))
        hold(f"{name}: knee at {line['knee90_bytes']}", line["knee90_bytes"] in (
            "", str(min(size for size in speeds if speeds[size] >= 0.9 * most))))
        slope = 1e9 / float(line["bandwidth_bytes_per_s"]) if line["bandwidth_bytes_per_s"] else 0
        off = [abs(row["op_ns_mean"] / (t0_ns + slope * row["size_bytes"]) - 1) for row in its]
        for what, value in (("mean", sum(off) / len(off)), ("worst", max(off))):
            shown = float(line[f"{what}_error_percent"])
            hold(f"{name}: {what} error {shown} is not {100 * value}",
                 abs(shown - 100 * value) <= 0.01 + value)


def ratio(text):
    """The value of "+4.2 %", "x5.20" or "same", and how far it may be off."""
    if text == "same":
        return 1, 6e-4
    step = 10 ** -len(text.partition(".")[2].rstrip(" %"))
    if text[0] != "x":
        return 1 + float(text[:-1]) / 100, 0.0051 * step
    value = float(text[1:])
    return value, max(0.51 * step if step < 1 else 0, value * 0.0051)


def check_pairs(picture, pairs):
    """Sentences of what was compared in the same rounds, and tooltips."""
    for pair in pairs:
        ends = re.search(r"([0-9.]+) \(([0-9.]+) \.\. ([0-9.]+)\) times", pair["text"])
        known = [pair[f"time_ratio{end}"] for end in ("", "_low", "_high")]
        if "times the rate" in pair["text"]:
            known = [1 / known[0], 1 / known[2], 1 / known[1]]
        for shown, value in zip(ends.groups() if ends else (), known):
            step = 10 ** -len(shown.partition(".")[2])
            hold(f"{pair['text']}: {shown} is not {value}",
                 abs(float(shown) - value) <= 0.51 * step)
    for tip in re.findall("<title>([^<]*)</title>", picture):
        match = re.fullmatch(rf"({BYTES}): (.*) \((.*) to (.*)\)", tip)
        hold(f"no pair is {tip}", match and any(
            size["size_bytes"] == size_of(match[1]) and all(
                abs(ratio(shown)[0] - size[f"time_ratio{end}"]) <= ratio(shown)[1]
                for shown, end in zip(match.groups()[1:], ("", "_low", "_high")))
            for pair in pairs for size in pair["sizes"]))


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

    def answer(*words):
        return subprocess.run([program, *words, "run.json"], check=False, capture_output=True,
                              text=True).stdout

    def picture(what):
        """In SVG; "": there is none of such rows."""
        return answer("plot", "--what", what, "--format", "svg")

    table = measure([*sys.argv[1:], "--format", "json", "-o", "run.json"])
    with open("table", "w", encoding="utf-8") as file:
        file.write(table)
    run = records.load("run.json")
    rows, lines = run["row"], answer("export", "--columns", "all").splitlines()
    for row, line in zip(rows, csv.DictReader(lines), strict=True):
        check_row(row)
        check_csv(row, line)
    check_table(table, rows)
    with open("err", encoding="utf-8") as file:
        said = check_sentences("verdict", " ".join(file.read().split()), rows)
    hold("verdict: no figure", said or any(row["mix"] is not None or row["engine"] == "null"
                                           or row["test"] not in ("read", "write") for row in rows))
    for end, lines_of in (("md", markdown_lines), ("html", html_lines)):
        answer("report", "-o", f"run.{end}")
        with open(f"run.{end}", encoding="utf-8") as file:
            text = file.read()
        check_report(end, lines_of(text), rows)
        check_sentences(end, text.replace("\\", ""), rows)
    for what in ("throughput", "time"):
        check_tips(what, picture(what), rows, True)
    for what in ("latency", "heat"):
        check_tips(what, picture(what), rows)
    check_distribution(picture("cdf"), rows)
    check_pairs(picture("compare") if run["pair"] else "", run["pair"])
    check_fit(answer("fit", "--format", "csv").splitlines(), rows)
    print(f"{len(rows)} rows, {said} figures of the verdict, {held[0]} checks,"
          f" {len(faults)} contradictions")
    for fault in faults[:20]:
        print(fault)
    sys.exit(bool(faults))


main()
