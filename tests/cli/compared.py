# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""compared.py RESULT.json LINES: are its records of pairs what its slices come to, and are they the
lines that were printed?  Of rows with one operation of each thread in flight, one loop and no pair
whose sizes are apart.  Exit status 0, or 1 with what is wrong."""
import json
import math
import statistics
import sys

PRIOR_FREEDOM = 4
ERROR_LEAST = 0.003
LINES_MOST = 8  # on standard error


def typical(values):
    """Yuen's 20 % trimmed mean, its error with Kendall's allowance for neighbours, and freedom."""
    count, cut, ordered = len(values), len(values) // 5, sorted(values)
    low, high = ordered[cut], ordered[count - 1 - cut]
    rest = [min(max(value, low), high) for value in values]
    rest = [value - statistics.fmean(rest) for value in rest]
    squares = math.fsum(value * value for value in rest)
    lag = math.fsum(a * b for a, b in zip(rest, rest[1:])) / squares
    lag = min(max(lag + (1 + 3 * lag) / count, 0), 0.9)
    error = math.sqrt(squares / (count - 1) * count * (1 + lag) / (1 - lag)) / (count - 2 * cut)
    return statistics.fmean(ordered[cut:count - cut]), math.hypot(error, ERROR_LEAST), (
        count - 2 * cut - 1)


def main():
    slices, cells, pairs = {}, {}, []
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            record = json.loads(line.lstrip(",")) if "{" in line else {"record": ""}
            if record["record"] == "cell":
                cells[record["cell"]] = record
            elif record["record"] == "slice" and record.get("counted", True) and record["op_ns"]:
                slot_ns = record["elapsed_s"] * 1e9 * cells[record["cell"]]["threads"]
                slices.setdefault(record["cell"], {})[record["round"]] = (
                    record["op_ns"],
                    record["op_ns"] * max(1 - record["queued_ns"] / slot_ns, 0.01))
            elif record["record"] == "pair":
                pairs.append(record)
    faults = [] if pairs else ["there is no pair"]
    for pair in pairs:
        sizes = []
        for size in pair["sizes"]:
            base, other = slices[size["base_cell"]], slices[size["cell"]]
            rounds = sorted(base.keys() & other.keys())
            threads = max(cells[size[name]]["threads"] for name in ("base_cell", "cell"))
            worked = threads == 1
            sizes.append(typical([math.log(other[i][worked] / base[i][worked]) for i in rounds]))
            if not math.isclose(size["time_ratio"], math.exp(sizes[-1][0]), rel_tol=1e-4):
                faults.append(f"{size}: {math.exp(sizes[-1][0])}")
        scale = math.exp(2 * statistics.fmean(math.log(error) for _, error, _ in sizes))
        weights = [(own + PRIOR_FREEDOM) / (own * error * error + PRIOR_FREEDOM * scale)
                   for _, error, own in sizes] if len(sizes) > 1 else [1]
        mean = math.fsum(w * size[0] for w, size in zip(weights, sizes)) / math.fsum(weights)
        if not any(size["apart"] for size in pair["sizes"]) and not math.isclose(
                pair["time_ratio"], math.exp(mean), rel_tol=1e-4):
            faults.append(f"{pair['text']}: {math.exp(mean)}")
    with open(sys.argv[2], encoding="utf-8") as file:
        printed = [line.partition("# compared: ")[2].rstrip("\n")
                   for line in file if line.startswith("# compared: ")]
    texts = [pair["text"] for pair in pairs]
    if len(pairs) > LINES_MOST:  # the first ones and the extremes, and how many there are beside
        ratios = sorted(pairs, key=lambda pair: pair["time_ratio"])
        shown = [text for text in texts if text in printed]
        if not {ratios[0]["text"], ratios[-1]["text"]} <= set(shown) or len(shown) != LINES_MOST:
            faults.append(f"not the first ones and the extremes: {printed}")
        texts = shown + [f"{len(pairs) - LINES_MOST} more pairs: -o NAME.json, then iosweep compare"
                         " NAME.json lists all"]
    if printed != texts:
        faults.append(f"printed: {printed}")
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
