# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""random_options.py - draws command lines, mostly valid ones, and checks what iosweep makes of
them; run by random-options.sh in a directory of its own, which gets: d1, d2 (directories), kept (a
run), plain and own (files), here (where iosweep is started).  The same seed gives the same line
anywhere."""
import csv
import glob
import hashlib
import json
import os
import random
import re
import shlex
import subprocess
import sys
import time

try:
    import json_schema
except SystemExit:  # without the module jsonschema
    json_schema = None

TOP = os.environ["top_srcdir"]
COMMAND = os.environ.get("IOSWEEP_RUN", "").split() + [os.environ["IOSWEEP"]]
LIMIT_S = 120  # for what takes about one second on an idle machine
TESTS = "create write read append stat list rename copy delete"
MOVES_DATA = {"write", "read", "create", "copy", "append", "fill"}
DELAYS = "1us 100us 0.5ms mix:35x0,5x300us mix:19x20us,1x400us"
# Refused, since no target is of their kind, or not for any target; or they end the program.
NOT_DRAWN = re.compile(
    r"--(help|version|quick|destroy-data|dry-run|run-name|replace|reuse|endpoint|region|profile|"
    r"anonymous|insecure|ca-file|reconnect|(s3|rados|webhdfs)\..*)")


class Line:
    """A command line, and what the checks must know of it."""

    def __init__(self, seed, memory, engines):
        self.random = random.Random(seed)
        self.memory, self.known = memory, engines  # a directory or None; {name: asynchronous}
        self.options, self.given = [], {}  # words; {name: value}
        self.budget, self.signal_s = 24, 0  # budget: of rows
        self.nonsense = self.fails = False  # fails: requests to a target may fail, or are limited
        self.choose_targets()
        self.choose_tests()
        loops, repeats = (self.add(name, 1 + self.draw(2)) if self.chance(12) else 1
                          for name in ("--loops", "--repeat"))
        self.budget /= len(self.tests) * loops * repeats
        self.choose_sizes()
        caches, known = self.choose_caches()
        series = self.choose_series() * repeats * max(1, len(self.targets))
        if self.kind != "mem":
            self.choose_files()
        self.choose(STORE if self.kind == "mem" else FILES)
        self.choose(WORK)
        self.choose(END)
        self.choose_output(series * caches == 1)
        self.keeps = not self.existing and self.directories and self.chance(10)
        if self.keeps:
            self.add("--keep")
        if self.chance(10):
            self.nonsense = True
            word = self.pick(NONSENSE + NONSENSE_OF[self.kind == "mem"])
            self.options += word.split("~")
        elif self.chance(6):
            self.signal_s = float(self.pick("0.05 0.1 0.2 0.4"))
        # Rows are series x sizes, except for existing files, sizes that may be skipped, and cache
        # modes that depend on the file system.
        self.blocks = None
        if self.fields == "all" and self.format == "csv" and known and self.creates and \
                not self.fails and set(self.tests) <= {"write", "read"} and \
                self.given.get("--small") != "skip" and \
                not {"--mix", "--call-size"} & set(self.given):
            self.blocks = [test for _ in range(caches * loops)
                           for test in self.tests for _ in range(series)]
        self.options += self.targets

    def draw(self, n):
        """A number from 0 to n - 1."""
        return int(self.random.random() * n)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def pick(self, words):
        words = words.split() if isinstance(words, str) else words
        return words[self.draw(len(words))]

    def some(self, words, most):
        """Up to `most` different ones, in any order."""
        words = words.split() if isinstance(words, str) else words
        words = sorted(words, key=lambda _: self.random.random())
        return words[:1 + self.draw(min(most, len(words)))]

    def room(self, most):
        """The number of values an axis may have."""
        return max(1, min(most, int(self.budget)))

    def add(self, names, value=None):
        """Adds an option, one of names separated by |, and its value as a word of its own or not.
        Returns the value."""
        names = names.split("|")
        self.given[names[-1]] = value
        name = self.pick(names)
        if value is None:
            self.options.append(name)
        else:
            self.options += [name, str(value)] if self.chance(50) else \
                [name + "=" * name.startswith("--") + str(value)]
        return value

    def choose(self, table):
        for percent, names, values, applies in table:
            if applies(self) and self.chance(percent):
                self.add(names, values and self.pick(values))
                self.fails |= names in FAILING

    def choose_targets(self):
        self.kind, self.targets, self.directories = "files", ["../d1"], ["../d1"]
        self.existing = self.reads_only = self.overwrites = False
        if self.chance(10):
            self.kind, self.targets, self.directories = "null", ["null:"], []
        elif self.chance(18):
            self.kind, self.targets, self.directories = "mem", ["mem:"], []
        elif self.chance(12):
            target, self.existing = self.pick("../plain ../plain ../kept"), self.chance(85)
            if self.existing:
                self.add("-r|--read-existing")
            if self.existing or target == "../plain":  # else a run's place is like any directory
                self.targets, self.directories, self.reads_only = [target], [], True
        elif self.chance(6):
            self.targets, self.directories, self.overwrites = ["../own"], [], True
            self.add("--overwrite")
        elif self.chance(8):  # unless given, it is the current directory
            self.targets, self.directories = [], ["."]
        elif self.chance(15):
            self.targets = self.directories = ["../d1", self.memory or "../d2"]
            self.budget /= 2
        elif self.memory and self.chance(35):
            self.targets = self.directories = [self.memory]

    def choose_tests(self):
        """Steps may have stops of their own."""
        self.creates = not self.reads_only and not self.overwrites
        self.tests = ["write", "read"]
        if self.kind == "mem" or self.creates and self.chance(35):
            self.tests = self.some(TESTS, 3)
        elif self.creates and self.chance(4):
            self.tests = ["fill"]
            self.add("--fill-step", self.pick("64k 100000 200k 1M"))
        elif self.existing and self.chance(30):
            self.tests = self.some("read stat list", 2)
        elif self.existing or self.chance(40):
            self.tests = ["read"] if self.existing or self.chance(40) else \
                self.pick("write write,read read,write write,read,read").split(",")
            if self.existing and self.chance(70):
                return
        else:
            return
        steps = list(self.tests)
        if steps != ["fill"] and self.chance(12):
            steps[0] += self.pick(":n=2 :5ms :n=1")
        elif not self.existing and steps[0] == "create" and self.chance(30):
            created = ("read", "stat", "delete") if self.chance(60) else ("read", "stat")
            steps = [step + ":created" * (step in created) for step in steps]
        elif steps == ["write", "read", "delete"] or \
                self.creates and steps != ["fill"] and self.chance(4):
            steps = self.pick("create,read:created,delete:created create,read,read,read").split(",")
            self.tests = [step.split(":")[0] for step in steps]
        self.add("--tests", ",".join(steps))

    def choose_sizes(self):
        multiple = {"k": 1024, "Ki": 1024, "kB": 1000, "B": 1, "": 1}
        if "fill" in self.tests:  # the file's length is a multiple of each
            words = [self.add("--sizes", self.pick("4096 16384 65536"))]
        elif self.chance(12):
            low, count = int(self.pick("1 2 4 512 1024 4096")), 1 + self.draw(self.room(4))
            words = [str(low << i) for i in range(count)]
            self.add("--sizes", f"{words[0]}..{words[-1]}")
        elif self.chance(55):
            words = self.some("1 2 3 100 511 512 513 1000 4k 4kB 5000B 8Ki 16k 65535 64Ki",
                              self.room(4))
            self.add("--sizes", ",".join(words))
        else:
            low, factor = int(self.pick("1 2 3 512 4096")), int(self.pick("2 2 3 7 16"))
            sizes = [low * factor ** i for i in range(self.room(4)) if low * factor ** i <= 65536]
            words = [str(size) for size in sizes]
            self.add("-m|--min-size", low)
            # not a size itself
            self.add("-M|--max-size", min(65536, sizes[-1] + self.draw(sizes[-1] * (factor - 1))))
            if factor != 2 or self.chance(20):
                self.add("--factor", factor)
        parts = [re.fullmatch("([0-9]+)(.*)", word).groups() for word in words]
        self.sizes = [int(number) * multiple[unit] for number, unit in parts]
        self.budget /= len(words)

    def choose_caches(self):
        """The number of modes, and whether rows have these: the default is the file system's."""
        self.cache = ["cached"]
        if self.kind == "mem":  # it has none
            return 1, True
        if self.chance(20):
            self.cache = ["direct"]
            self.add("-b|--bypass-cache")
        elif self.chance(60):
            self.cache = self.some("cached asis uncached direct", self.room(3))
            self.add("--cache", ",".join(self.cache))
        else:
            return 1, False
        self.budget /= len(self.cache)
        return len(self.cache), True

    def choose_numbers(self, name, values, most):
        if most > 1 and self.chance(15):
            count = 2 + self.draw(most - 1)
            self.add(name, f"1..{2 ** (count - 1)}")
            return [2 ** i for i in range(count)]
        return [int(word) for word in self.add(name, ",".join(self.some(values, most))).split(",")]

    def choose_series(self):
        """The number of series of each test and cache mode: threads x engines x their depths."""
        self.engines = ["posix"]
        if self.kind != "files":
            self.engines = ["null" if self.kind == "null" else "mem"]
            if self.chance(30):
                self.add("--engine", self.engines[0])
        elif not (self.chance(15) or not set(self.tests) <= {"write", "read"} and self.chance(75)):
            known = [name for name in self.known
                     if name != "stdio" or "direct" not in self.cache or self.chance(10)]
            deep = [name for name in known if self.known[name]]
            self.engines = [self.pick(known + deep)] if self.chance(60) else \
                self.some(known, self.room(3))
            self.budget /= len(self.engines)
            self.add("--engine", ",".join(self.engines))
        threads, depths = [1], [1]
        if self.chance(50):
            threads = self.choose_numbers("--threads", "1 2 3 4 8", self.room(3))
            self.budget /= len(threads)
        deep = len([name for name in self.engines if self.kind != "files" or self.known.get(name)])
        if self.chance(80 if deep else 4):
            depths = self.choose_numbers("--depth", "1 2 3 7 8 17 32 64", self.room(4))
            self.budget /= len(depths)
        # A synchronous engine is measured at depth 1 only.
        return len(threads) * (deep * len(depths) + (len(self.engines) - deep) * depths.count(1))

    def choose_files(self):
        if "fill" in self.tests:
            self.add("-l", self.pick("64k 128Ki 192k 256k"))
        elif not self.existing or self.chance(70):
            self.add("-l|--file-size", self.pick("64k 65536 65537 100001 128Ki 200000 256k"))
        if self.existing:
            return
        if self.chance(20):
            self.add("-s|--single-file")
        elif self.kind != "null":
            self.add("--levels", self.pick("1 2 2"))
            self.add("--width", self.pick("1 2 2 3"))

    def choose_output(self, one):
        self.format, self.fields = "csv", "all"
        if self.chance(45):
            formats = "table csv json" + " classic" * (one or self.chance(5))
            self.format = self.add("--format", self.pick(formats))
        if self.format in ("csv", "json") and self.chance(12):
            self.fields = "some"
            self.add("--columns", ",".join(self.some(COLUMNS, 12)))
        elif self.format == "csv":
            self.add("--columns", "all")
        for percent, name, values in (
                (10, "--separator", "; | tab : ,"), (8, "--decimal", ", . ,"),
                (15, "--label", "one a,b =1+1 it's \"quoted\" two;words $HOME *")):
            if self.chance(percent):
                self.fields = "other" if self.fields == "all" else self.fields
                self.add(name, self.pick(values))
        self.output = self.chance(20)
        if self.output:
            self.add("-o|--output", "../o/rows")
        self.quiet = self.chance(30)
        if self.quiet or self.chance(30):
            self.add("--quiet" if self.quiet else self.pick("--brief --verbose --verbose"))
        if self.chance(5):
            self.add("--color", self.pick("auto never"))
        self.series = False
        if self.chance(15):
            self.add("--interval", self.pick("10ms 0.1 1s 1h"))
            self.series = self.quiet or self.chance(60)
            if self.series:
                self.add("--series", "../o/series")


def has(*tests):
    return lambda line: bool(set(tests) & set(line.tests))


def uses(*engines):
    return lambda line: bool(set(engines) & set(line.engines))


def of_data(line):  # not of values beside it
    return "read" in line.tests and "--on" not in line.given


def like(line, kind):
    return line.given.get("--mem.like", "bucket") == kind


def in_pieces(line):  # a bucket takes whole objects
    return line.kind != "mem" or not like(line, "bucket")


def unbounded(line):
    return "--rate" in line.given or "--repetitions" not in line.given


def always(_):
    return True


# Percent of the lines for which the last field is true, option, values; in this order.
STORE = (
    (25, "--mem.like", "bucket pool tree", always),  # unsupported tests are skipped, perhaps all
    (60, "--on", "data xattr omap", lambda line: like(line, "pool") and has("read", "write")(line)),
    (35, "--object-size", "64k 65537 200000 1M", of_data),
    (40, "--align", "1 512 4k", lambda line: "--object-size" in line.given),
    (60, "--objects", "1 2 3 8", always),
    (60, "--part-size", "1000 4k 10000 64Ki",
     lambda line: like(line, "bucket") and has("write", "create", "append")(line)),
    (40, "--parallel", "1 2 3 8 64",
     lambda line: like(line, "bucket") and ("--part-size" in line.given or "append" in line.tests)
     or of_data(line)),
    (60, "--delete-batch", "1 2 3 8 1000",
     lambda line: like(line, "bucket") and "delete" in line.tests),
    (60, "--list-page", "1 2 7 1000", has("list")),
    (30, "--mem.delay", DELAYS, always),
    (15, "--request-timeout", "200us 1s", always),
    (25, "--mem.fail", """slow-down@get:20 server-error:50 forbidden@get:7 forbidden:30 refused:40
     lost@put:9 broken@get:3 lost@upload-begin:4 lost@delete:5 lost:25
     server-error@delete-many:2,slow-down@put:30""", always),
    (25, "--retries", "0 1 3", always),
    (15, "--max-requests", "1 20 100 100000", always),
)
FAILING = ("--mem.like", "--request-timeout", "--mem.fail", "--max-requests")
FILES = (
    (25, "--keep-open", None, lambda line: line.tests[0] in ("write", "read", "fill")),
    (15, "--align", "1 512 4k 8192 64k", lambda line: "fill" not in line.tests),
    (20, "--small", "cover skip", always),
    (25, "--sync", "none data full end end", always),
    (10, "--readahead", "normal none sequential willneed",
     lambda line: line.kind == "files" and "read" in line.tests and
     {"cached", "asis"} & set(line.cache)),
)
WORK = (
    (25, "--access", "random sequential sequential once", has("write", "read", "stat")),
    # Rows that cannot use pieces are skipped.  Multiples of each alignment of O_DIRECT or of none:
    # --dry-run assumes one.
    (60, "--call-size", "100 3000 4k 64Ki 0",
     lambda line: "append" in line.tests and in_pieces(line)),
    (15, "--call-size", "7 100 600 4k 1M",
     lambda line: "append" not in line.tests and in_pieces(line) and
     (uses("posix", "pread", "stdio", "null")(line) or line.chance(7))),
    (25, "--mix", "0 1 30 70 99 100 0,100 30,70,99",
     lambda line: line.tests.count("write") == line.tests.count("read") == 1 or line.chance(4)),
    (20, "--verify", None, has("write", "read", "create", "append", "copy", "fill")),
    (20, "--payload", "random zero repeat",
     lambda line: "write" in line.tests and "--verify" not in line.given),
    (20, "--allow-short", None, always),
    (12, "--rate", "500 2000 20000 1000000 1000000000", always),
    (20, "--pin", None, always),
    (25, "--seed", "0 1 4294967296 18446744073709551615", always),
    (25, "--null.delay", DELAYS, uses("null")),
    (15, "--null.write-delay", "1ns 2us 50us mix:35x0,5x300us", uses("null")),
    (30, "--null.fail", "every:1 every:3 every:10 every:1000 at:1 at:7 every:50,at:100",
     uses("null")),
    (5, "--io_uring.sqpoll", None, uses("io_uring")),
    (3, "--io_uring.iopoll", None, uses("io_uring")),
    (25, "--io_uring.link", None, uses("io_uring")),
    (25, "--io_uring.fixed", "auto on off", uses("io_uring")),
)


END = (
    (50, "-n|--repetitions", "1 2 3 7 10 50 64 5/thread", always),
    (60, "--time", "1ms 5ms 20ms 0.05s 50000us", unbounded),
    (40, "--rounds", "1 2 3 5 1,2 2,4 6,6 11,12", always),
    (25, "--precision", "0.1% 1 2.5% 10% 50 100%", always),
    (100, "--max-time", "20ms 50ms 0.3s 1s 10s", lambda line: unbounded(line) or line.chance(40)),
    (25, "--max-errors", "0 1 5 100 5/step 50% 100,3/step,20%", always),
)
COLUMNS = """size_bytes operations time_s test target engine cache threads depth rounds
    op_ns_mean op_ns_low latency_ns_p50 latency_ns_max open_ns_mean transfer_ns_mean
    close_ns_mean cpu_ns_per_op device_bytes resident_fraction errors notes label seek_ns_mean
    errors_short align_bytes submit_fraction cpu_helper_fraction errors_wrong
    resident_fraction_before cache_hit_fraction rpc_count rpc_rtt_ns_mean"""
# Words that are always refused; ~ is between two.
NONSENSE = """-m~0 -m~4x -M~2G --factor=1 --sizes=8k..4k --sizes=4k,,8k --tests=read,
    --tests=appends --loops=0 --repeat=x --mix=101 --mix=1,1 --call-size=3G
    --null.write-delay=slow --tests=read:n=0 --max-errors=1/x --threads=0 --threads=5000
    --threads=1..x --depth=0 --depth=5000 --depth=1..x --depth=1,, --engine=libc
    --engine=posix,junk --engine= --cache=warm --cache= -l~0 --file-size=4MiX --levels=0
    --width=0 --align=0 --small=big --sync=always --rate=0 --rate=fast --rate=1000000001
    --seed=-1 -n~0 --repetitions=1e3 --precision=0 --precision=101% --time=0 --time=5x
    --max-time=soon --rounds=0 --rounds=9,3 --rounds=3,x --max-errors=-1 --format=xml
    --separator=ab --decimal=ab --null.delay=fast --null.fail=every:0 --io_uring.fixed=perhaps
    --pin=yes --junk -z --quiet=yes --output= --series=- --columns=speed
    --endpoint=http://127.0.0.1:1 --region=x --run-name=a/b --insecure --anonymous
    --s3.addressing=path --reuse=a/b --mem.delay=soon --mem.fail=often:3 --part-size=0
    --delete-batch=1001 """
NONSENSE_OF = (
    """--object-size=4k --retries=1 --max-requests=9 --s3.objects=9 --objects=9 --request-timeout=1s
    --mem.delay=1ms""",
    """--keep --sync=none,end --cache=asis --object-size=0 --retries=101 --objects=0
    --list-page=1001 --call-size=4x --request-timeout=late --max-requests=0""")


class Failed(Exception):
    pass


def text(name):
    with open(name, encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def write(name, words):
    with open(name, "w", encoding="utf-8") as file:
        file.write(words)


def run(args, name, signal_s=0):
    """Its exit status as a shell reports it, or None if it does not end; ../NAME and ../NAME_err
    get its output."""
    with open(f"../{name}", "w") as out, open(f"../{name}_err", "w") as err:
        process = subprocess.Popen(COMMAND + args, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            status = process.wait(signal_s or LIMIT_S)
        except subprocess.TimeoutExpired:
            process.terminate()
            try:
                status = process.wait(LIMIT_S) if signal_s else None
            except subprocess.TimeoutExpired:
                status = None
            if status is None:
                process.kill()
                process.wait()
                return None
    return status if status >= 0 else 128 - status


def reported(name):
    """The number of messages.  Lines of standard error are the program's, not of a sanitizer or
    libc."""
    lines = text(name).splitlines()
    for line in lines:
        if not re.match("iosweep: .|# .|#   .", line) or \
                re.search("sanitizer|runtime error|assert|==[0-9]+==", line, re.IGNORECASE):
            raise Failed(f"strange words: {line}")
    return sum(line.startswith("iosweep: ") for line in lines)


def things(directory):
    return sorted(os.path.relpath(os.path.join(at, name), directory)
                  for at, directories, files in os.walk(directory) for name in directories + files)


def sums():
    files = ["../plain"] + sorted(glob.glob("../kept/**/*", recursive=True))
    return [(name, hashlib.sha1(open(name, "rb").read()).digest())
            for name in files if os.path.isfile(name)]


def close_to(a, b):
    return abs(a - b) <= 1e-6 * b


def row_fault(row, complete):
    """What is wrong with a row of CSV with all columns, or None."""
    value = {name: float(word) for name, word in row.items()
             if re.fullmatch(r"[0-9]+(\.[0-9]+)?", word)}
    notes, operations, errors = row["notes"].split(";"), value["operations"], value.get("errors", 0)
    skipped = any(note.startswith("skipped:") for note in notes)
    if "wrong_data" in notes or value.get("errors_wrong"):
        return "wrong data"
    if complete and ("incomplete" in notes or errors):
        return "incomplete, or failed operations, but the status is 0"
    if skipped and operations:
        return "skipped with operations"
    if not skipped and "incomplete" not in notes and not row["mix"] and not operations + errors:
        return "nothing done"
    if any(not 0 <= value.get(name, 0) <= 1.001 for name in row if re.search("_fraction", name)):
        return "a fraction"
    if not operations:
        return None
    moved = operations * value["size_bytes"] if row["test"] in MOVES_DATA else 0
    if not value["time_s"] > 0 or (moved > 0) != (row["throughput_bytes_per_s"] != ""):
        return "no time, or throughput of no data"
    if not close_to(value.get("throughput_bytes_per_s", 0) * value["time_s"], moved) or \
            not close_to(value["rate_per_s"] * value["time_s"], operations):
        return "figures do not agree"
    low, high = (value.get("latency_ns_" + word, 0) for word in ("min", "max"))
    if any(not low <= value[name] <= high for name in value if "latency_ns_p" in name):
        return "latencies"
    return None


def check_rows(line, results, plan, complete):
    """Rows of CSV agree with themselves, with --dry-run and with the options."""
    with open(results, newline="") as file:
        rows = list(csv.DictReader(file, restkey="more", restval=None))
    for at, row in enumerate(rows):
        if "more" in row or None in row.values():
            raise Failed(f"row {at} has not the fields of the header")
        axes = [row[name] for name in ("test", "engine", "cache", "threads", "depth")]
        if at < len(plan) and axes != list(plan[at]):
            raise Failed(f"row {at} is {axes}, that of --dry-run {plan[at]}")
        if why := row_fault(row, complete):
            raise Failed(f"row {at}: {why}: {row}")
    if len(rows) != len(plan):
        raise Failed(f"{len(rows)} rows, --dry-run has {len(plan)}")
    wanted = [(test, str(size)) for test in line.blocks or () for size in line.sizes]
    if complete and line.blocks and [(row["test"], row["size_bytes"]) for row in rows] != wanted:
        raise Failed(f"rows are not {wanted}")


def check_results(line, status, plan):
    results = "../o/rows" if line.output else "../out"
    if line.output and os.path.getsize("../out"):
        raise Failed("--output, but results on standard output")
    words = text(results)
    if not words:
        raise Failed("no results")
    if line.series and not re.search('^"*[0-9]', text("../o/series"), re.M):
        raise Failed("--series has left nothing")
    if line.format == "csv" and line.fields == "all":
        check_rows(line, results, plan, status == 0)
    if line.format == "json":
        json.loads(words)
        why = json_schema and json_schema.main(["", f"{TOP}/doc/iosweep.schema.json", results])
        if why:
            raise Failed(f"not as its schema says: {why}")
    if line.format == "csv" and sum("size_bytes" in one for one in words.splitlines()) > 1:
        raise Failed("more than one header")
    if line.format == "classic" and status == 0 and not re.search("^Done with ", words, re.M):
        raise Failed("the output has no end")
    if re.search("(^|[,;: ])-?(nan|inf)([,; }]|$)", words, re.IGNORECASE | re.M):
        raise Failed("not a number")


def check_refusal(line, status, old):
    """Reported once, nothing was done."""
    errors = reported("../out_err")
    if status == 3 and line.fails or status == 1:  # 3: the first test's objects could not be made
        if errors < 1:
            raise Failed("no reason")
    elif status in (2, 3):
        if errors != 1 or os.path.getsize("../out"):
            raise Failed("not one line that tells why, or results in spite of the refusal")
        for name in ("rows", "series"):
            if (text(f"../o/{name}") if os.path.exists(f"../o/{name}") else None) != old.get(name):
                raise Failed(f"refused, but {name} of an earlier run is not as it was")
    # or it ended before it handled signals
    elif status == 143 and errors < 1 and os.path.getsize("../out_err"):
        raise Failed("no reason")


class Place:
    """Directories in which nothing may change except with --keep, files only with --overwrite."""

    def __init__(self, memory):
        self.directories = ["../d1", "../d2", "."] + [memory] * bool(memory)
        for place in self.directories:  # users' files there are not touched, whatever their names
            os.makedirs(f"{place}/iosweep.mine")
            for name in ("mine", "iosweep.mine/f0"):
                write(f"{place}/{name}", "mine\n")
        for name, size in (("../plain", 200000), ("../own", 262144)):
            with open(name, "wb") as file:
                file.write(os.urandom(size))
        keep = "--quiet --keep --cache cached --tests read -n 1 -M 2 -l 128k --width 4 ../kept"
        if run(keep.split(), "out"):
            raise Failed("a run cannot be kept")
        self.clean, self.sums = things("."), sums()

    def check(self, what):
        for place in self.directories:
            if changed := set(things(place)) ^ set(self.clean):
                raise Failed(f"{what}: changed in {place}: {sorted(changed)[:5]}")
        if sums() != self.sums or os.path.getsize("../own") != 262144:
            raise Failed(f"{what}: files only read have changed, or the length of one overwritten")


OLD = {"table": " size  operations  old\n", "classic": "IO profile test parameters\n",
       "csv": "size_bytes,operations,time_s,throughput_bytes_per_s,rate_per_s\n",
       "json": '[\n{"record":"head","document":"iosweep results","old"'}


def once(line, place, is_later):
    """Runs a line and its --dry-run; is_later: results of an earlier run are there.  Returns the
    status."""
    for name in glob.glob("../o/*"):
        os.remove(name)
    old = {"rows": OLD[line.format], "series": "ended_s,interval_s,old\n"} if is_later else {}
    for name, words in old.items():
        write(f"../o/{name}", words)
    dry = run(["--dry-run"] + line.options, "dry")
    errors, plan = reported("../dry_err"), text("../dry")
    if dry not in (0, 2, 3) or (dry == 0) != bool(plan) or dry != 0 and errors != 1:
        raise Failed(f"--dry-run: status {dry}, a refusal that is not one line, or a plan with it")
    place.check("--dry-run")
    plan = re.findall(r"^row \d+: ([a-z-]*) ([a-z_]*) ([a-z]*) threads=(\d+) depth=(\d+) ", plan,
                      re.M)
    status = run(line.options, "out", line.signal_s)
    if status not in (0, 1, 2, 3) and (status != 143 or not line.signal_s):
        raise Failed(f"status {status}")
    if line.quiet and re.search("^#", text("../out_err"), re.M):
        raise Failed("--quiet, but facts on standard error")
    if line.nonsense and status not in (2, 143):
        raise Failed("nonsense was taken")
    check_refusal(line, status, old)
    # What the plan accepts is executed, and what it refuses is refused, except for errors that only
    # creating the files, or opening the outputs, reveals.
    if dry == 2 and status in (0, 1, 3) or dry == 3 and status in (0, 1, 2) or \
            dry == 0 and status == 2 and not line.nonsense:
        raise Failed(f"--dry-run disagrees: status {dry}, then {status}")
    if status in (0, 1):
        check_results(line, status, plan)
    if os.path.exists("../o/rows.part"):
        raise Failed("results that have not got their name")
    if line.keeps:
        for directory in line.directories:
            if status < 2 and len(glob.glob(f"{directory}/iosweep-????????*/MANIFEST-1")) != 1:
                raise Failed(f"--keep: not one set of files in {directory}")
        if line.directories and run(["clean", "--all"] + line.directories, "clean"):
            raise Failed(f"clean: {text('../clean_err')}")
    place.check(f"status {status}")
    return status


def features():
    """The engines of this build: {name: asynchronous}; and whether every option is drawn."""
    run(["help", "engines"], "help")
    engines, name = {}, None
    for word in text("../help").splitlines():
        if re.match("[a-z]", word):
            name = word.split()[0]
            engines[name] = False
        elif re.match(" +asynchronous:", word):
            engines[name] = True
        elif re.match(" +(not usable here:|for targets )", word):
            engines.pop(name, None)
    engines.pop("null", None)
    run(["--help", "all"], "help")
    options = re.findall(r"^ +(?:-., *)?(--[a-z][a-z0-9_.-]*) ", text("../help"), re.M)
    lacks = [option for option in options if not NOT_DRAWN.fullmatch(option) and
             not re.search(rf'["| ]{re.escape(option)}["| ]', text(__file__))]
    if not engines or len(options) < 40 or lacks:
        raise Failed(f"{len(engines)} engines, {len(options)} options, never drawn: {lacks}")
    return engines


def main(memory, seed, lines, seconds):
    step, counts, end = seed, {}, time.monotonic() + seconds
    for name in ("d1", "d2", "here", "kept", "o"):
        os.mkdir(name)
    os.chdir("here")
    line = None
    try:
        place, engines = Place(memory), features()
        if Line(1, memory, engines).options == Line(2, memory, engines).options:
            raise Failed("seeds are all the same")
        while time.monotonic() < end if seconds else step < seed + lines:
            line = Line(step, memory, engines)
            status = once(line, place, step % 3 == 0)
            counts[status] = counts.get(status, 0) + 1
            step += 1
    except (Failed, ValueError) as failure:
        if line:
            print(f"FUZZ_SEED={step} repeats it:\n(cd {os.getcwd()} && iosweep",
                  shlex.join(line.options) + ")")
        for name in ("../dry", "../dry_err", "../out", "../out_err", "../o/rows"):
            if os.path.exists(name) and os.path.getsize(name):
                print("---", name, *text(name).splitlines()[:40], sep="\n")
        return f"\nFAIL: {failure}"
    print(f"{step - seed} command lines; by status: {counts}")
    # Most lines must be valid, or nothing would be tested.
    if step - seed >= 100 and 2 * (counts.get(0, 0) + counts.get(1, 0)) <= step - seed:
        return "FAIL: too few of them were carried out"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] or None, *(int(word) for word in sys.argv[2:])))
