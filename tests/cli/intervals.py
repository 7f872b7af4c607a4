#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""intervals.py - checks the records of a row against what is told of them: intervals.py FILE

FILE is a JSON result of one row with --interval.  The mean that the summary tells has to be that of
all intervals that are whole, weighted by time, and the deviation theirs.  Prints the operations of
all records, and their mean rate.
"""
import statistics
import sys

from records import load

run = load(sys.argv[1])
summary = run["interval_summary"][0]
records = [record for record in run["interval"] if record["row"] == 1]
whole, longest = [], 0
for record in records[:-1]:  # except those with little of the row, on a busy machine
    if record["preparing_s"] <= record["interval_s"] / 100 and record["busy_s"] >= longest / 4:
        whole.append(record)
        longest = max(longest, record["busy_s"])
whole += records[-1:] if summary["intervals"] - summary["left_out"] > len(whole) else []
assert len(whole) == summary["intervals"] - summary["left_out"] >= 2, summary
weights = [record["busy_s"] for record in whole]
mean = sum(record["operations"] for record in whole) / sum(weights)
assert abs(summary["rate_per_s_mean"] / mean - 1) < 1e-5, (summary, mean)
squares = sum(w * (record["rate_per_s"] - mean) ** 2 for w, record in zip(weights, whole))
stddev = (squares / sum(weights) * len(whole) / (len(whole) - 1)) ** 0.5
assert abs(summary["rate_per_s_stddev"] - stddev) < 1e-4 * mean, (summary, stddev)
# for intervals of equal length this is the sample standard deviation
if max(weights) - min(weights) < 0.01 * max(weights):
    plain = statistics.stdev(record["rate_per_s"] for record in whole)
    assert abs(stddev - plain) < 0.02 * mean, (stddev, plain)
operations = sum(record["operations"] for record in records)
print(operations, operations / sum(record["busy_s"] for record in records))
