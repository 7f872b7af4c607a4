#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""fuzz.py [TRIES [SEED]]: results that were changed at random, read by each command.

Whatever a file holds, a command answers, or refuses in one line with status 2: never with a fault
of its own, never after more than 20 s of processor time, never with control characters.
"""

import glob
import os
import random
import re
import shutil
import sys
import tempfile
import time

import support

COMMANDS = [line.split() for line in """\
compare --format csv A B
compare --format table A B
compare --format json A B
fit --format json A
merge A B
export --format prometheus A
export --columns all A
plot A B
plot --format svg --what compare A B
plot --what cdf A
plot --what heat A
plot --what fit A
report --format md A
report --format html A B""".splitlines()]
COUNTS = b"0 1 3 4096 1000000 999999999999999999".split()
REALS = COUNTS + b"2.5 1e308 5e-324 1e-300".split()
WORDS = b"""-1 1e999 nan inf null true {} [] 1,5 [[[[ {"a": "cell":-1 "record":"row"
    skipped:x incomplete size_bytes , ; " '=1 </pre> <pre> &#0; \\ud800 # ] [ \\x0a""".split()
BYTES = WORDS + [b"\0", b"\n", b"\t", b"\xff", b"\x1b[31m", b"9" * 400]
FIGURE = re.compile(rb"(?<!cell\":)(?<=[:,;\[])[0-9.]+(?=[,;}\]])")


def changed(rng, data):
    """Figures that are others; now and then bytes that are put in, left out or moved, or no end."""
    figures = list(FIGURE.finditer(data))
    chosen = rng.sample(figures, min(len(figures), rng.choice((1, 3, 20))))
    for match in sorted(chosen, key=lambda match: -match.start()):
        new = rng.choice(REALS if b"." in match[0] else COUNTS)
        data = data[: match.start()] + new + data[match.end() :]
    for _ in range(rng.choice((0, 0, 0, 1, 5))):
        at, length = rng.randrange(len(data) + 1), rng.choice((0, 0, 1, 20, 500))
        new = rng.choice(BYTES) if rng.random() < 0.7 else data[:200]
        data = data[:at] + new + data[at + length :]
    return data if rng.random() < 0.9 else data[: rng.randrange(len(data) + 1)]


def main(tries, seed):
    """The number of faults."""
    rng, faults, read, start = random.Random(seed), 0, 0, os.getcwd()
    files = [f for f in sorted(glob.glob(f"{support.DATA}/*")) if "witness" not in f]
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        support.run(["report", "-o", "page.html", f"{support.DATA}/pair-old1.json"])
        files.append("page.html")  # which is refused
        for number in range(tries):
            with open(rng.choice(files), "rb") as stream:
                data = stream.read(300_000)
            for name in "AB":
                with open(name, "wb") as stream:
                    stream.write(changed(rng, data))
            words = rng.choice(COMMANDS)
            began = time.process_time()
            status, errors, out = support.run(words)
            took, said = time.process_time() - began, "\n".join(errors)
            read += status < 2
            bad = ["a fault of its own"] * ("fault of iosweep" in said or "Traceback" in said)
            bad += ["control characters"] * bool(re.search("[\0-\b\v-\x1f\x7f]", out + said))
            bad += [f"{took:.0f} s"] * (took > 20)
            bad += [f"status {status}"] * (status not in (0, 1, 2))
            bad += ["status 2 without a word"] * (
                status == 2 and not any(line.startswith("iosweep: ") for line in errors)
            )
            if bad:
                faults += 1
                for name in "AB":
                    shutil.copy(name, os.path.join(start, f"fuzz-{seed}-{number}-{name}"))
                print(f"{number}: {' '.join(words)}: {', '.join(bad)}\n{said[-500:]}")
        os.chdir(start)
    print(f"{tries} tries, seed {seed}: {read} were read, {faults} faults")
    return faults or read < tries / 10  # else nothing was tried


if __name__ == "__main__":
    arguments = [int(word) for word in sys.argv[1:]] + [200, 2004][len(sys.argv) - 1 :]
    sys.exit(1 if main(*arguments) else 0)
