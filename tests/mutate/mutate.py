#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""mutate.py - do the tests notice?  Run by `make mutate`.

Makes random one-line mutants of the sources (a comparison, an operator, a sign, a constant, what is
returned, a statement that is gone) and runs, on each, the tests that enter the function it is in: unit
tests first, the quick ones before the slow ones, until one fails.  The sources stay as they are.

All sources are compiled into a shared library which the tests are linked with: a mutant then costs one
compilation, one link and the tests.  Mutants that do not compile, or compile to the same object, are
none.  Headers are not mutated.  Which tests enter which functions is measured with gcov, once.

Which mutants a SEED draws depends on the changed lines alone: a change elsewhere leaves them as they are.

Machines are busy, so no mutant is killed by being slow: a test that fails is run without the mutant,
where it has to pass, and with it, where it has to fail again.  Endless loops end at a limit of processor
time.  A test that waits for ever has noticed only if it passes without the mutant in a quarter of the
time at once after that.  What is left open by this counts as not judged.

In the environment:
    MUTANTS  how many (default 50)          SEED     which ones (default 1)
    FILES    sources, directories or FILE:LINE, from the top of the tree (default: all)
    CLI      shell tests and transcripts, such as tests/cli/null.sh, for what the unit tests do not notice; yes: all
    LOG      a file for what was judged, to go on from after a run that was cut short: mutants of sources
             that changed since are judged again, first by the test that killed them then.  FILE.tests
             keeps what was measured of the tests; shell tests are measured anew without it only.
    AGAIN    yes: judge again what the log has as survived or not judged
    SANITIZE yes: before shell tests, unit tests with address and undefined behaviour sanitizers, as in
             contrib/selftest: for memory that is lost or written beyond its end
    JOBS     how many compilers at a time (default 1); tests run one at a time
    SECONDS_PER_MUTANT  tests that enter the function and take longer, all together, are left out; the
             mutant has then survived (default 100)
Mutants that nobody can notice are listed in tests/mutate/equivalent, each with its reason.
Root runs the tests as nobody: a mutant might remove anything.
"""
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
SHELL = (".sh", ".t")  # how the names of shell tests and of transcripts end
KINDS = {"counted": ["-O0", "--coverage"], "sanitized": ["-O1", *SANITIZERS]}
LINKED = {"counted": ["--coverage"], "sanitized": [*SANITIZERS, "-Wl,-z,nodefs"]}
MEMORY_BYTES = 4 << 30  # of a test; a mutant might take all there is
FILE_BYTES = 8 << 30

# what is found on a line without its strings and comments, and what may stand there instead
SWAPS = [
    (r"(?<![<>=!\-])(<=|>=|==|!=)", {"<=": ["<", ">"], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}),
    (r" ([<>]) ", {"<": ["<=", ">"], ">": [">=", "<"]}),
    (r"(&&|\|\|)", {"&&": ["||"], "||": ["&&"]}),
    (r" ([-+*/%]) ", {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"]}),
    (r"(\+=|-=)", {"+=": ["-=", "="], "-=": ["+=", "="]}),
    (r"(\+\+|--)", {"++": ["--"], "--": ["++"]}),
    (r"[(=&|] ?(!)(?!=)", {"!": [""]}),
    (r"\b(true|false)\b", {"true": ["false"], "false": ["true"]}),
    (r"\b(break|continue);", {"break": [""], "continue": ["", "break"]}),
]
NUMBER = r"(?<![\w.\"'])(\d+)(?=u?l?l?\b)(?!\.)"
ARRAY = r"\s+[\w ]+ \w+\[\d+\];"  # one byte more or less is none to notice
RETURN = r"\s*return ([^;]+);"
STATEMENT = r"\s+((?:[\w.>\[\]*-]+ [-+|&*/]?= [^;{]*|\w+\([^;{]*\)|[\w.>\[\]-]+(?:\+\+|--));)$"


def blank(text):
    """The text with comments and what is in quotes blanked, at the same places."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    text = re.sub(pattern, lambda m: re.sub(r"[^\n]", "\x01", m.group()), text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:.*\\\n)*.*$", lambda m: re.sub(r"[^\n]", "\x01", m.group()), text, flags=re.M)


def mutants_of_line(line, plain):
    """All lines that one change makes of it."""
    made = []

    def put(match, group, new):
        made.append(line[: match.start(group)] + new + line[match.end(group):])

    for pattern, table in SWAPS:
        for match in re.finditer(pattern, plain):
            for new in table[match.group(1)]:
                put(match, 1, new)
    for match in re.finditer(NUMBER, "" if re.match(ARRAY, plain) else plain):
        number = int(match.group(1))
        if not re.search(r"[(=?:]\s*-$|return -$", plain[: match.start(1)]):  # -2 is as good an error as -1
            put(match, 1, str(number + 1))
        if number > 0:
            put(match, 1, str(number - 1))
    match = re.match(RETURN, plain)
    if match:
        for new in ("0", "-1", "!(%s)" % line[match.start(1): match.end(1)]):
            if new != match.group(1):
                put(match, 1, new)
    match = re.match(STATEMENT, plain)  # begins and ends on this line
    if match and plain.count("(") == plain.count(")"):
        put(match, 1, ";")
    return [new for new in made if new != line]


class Build:
    def __init__(self, work):
        self.work = work
        self.top = os.path.join(work, "sources")  # as they are now, whoever changes them meanwhile
        for name in ("src", "tests", "man", "contrib"):
            shutil.copytree(os.path.join(os.environ["top_srcdir"], name), os.path.join(self.top, name))
        for name in ("README", "HACKING", "Makefile.am", "NEWS", "configure.ac"):
            shutil.copy(os.path.join(os.environ["top_srcdir"], name), self.top)
        os.chmod(work, 0o755)
        self.compiler = shlex.split(os.environ["CC"])
        # relative paths: a cache of compilations then knows them again in another directory
        self.flags = ["-O2", "-g0", "-w", "-fPIC", "-fno-semantic-interposition", "-Isources/src",
                      "-Isources/tests", "-I" + os.getcwd()] + sys.argv[1:]
        self.libraries = shlex.split(os.environ["MUTATE_LIBS"])
        self.sources = [re.sub(r"libiosweep_a-(.*)\.o$", r"\1.c", name) for name in os.environ["OBJECTS"].split()]
        self.shared = [re.sub(r"\.o$", ".c", name) for name in os.environ["TEST_OBJECTS"].split()]
        self.tests = os.environ["UNIT_TESTS"].split()
        self.programs = os.environ["GOLDEN_PROGRAMS"].split()  # which transcripts call

    def object(self, source, directory="objects"):
        return os.path.join(self.work, directory, source.replace("/", "+") + ".o")

    def call(self, command):
        return subprocess.run(command, cwd=self.work, capture_output=True, text=True, errors="replace")

    def compile(self, source, path=None, to=None):
        return self.call(self.compiler + self.flags + ["-c", path or "sources/" + source, "-o", to or self.object(source)])

    def compile_as(self, kind, source, path=None, to=None):
        flags = self.flags + KINDS[kind]
        return self.call(self.compiler + flags + ["-c", path or "sources/" + source,
                                                  "-o", to or self.object(source, kind)])

    def link(self, arguments):
        return self.call(self.compiler + arguments + self.libraries)

    def library(self, name, objects, *flags):
        target = os.path.join(self.work, name, "libiosweep.so")
        return self.link([*flags, "-shared", "-Wl,-z,defs,-soname,libiosweep.so", "-o", target] + objects)

    def mutant_library(self, name, changed, instead, objects="objects", *flags):
        return self.library(name, [instead if source == changed else self.object(source, objects)
                                   for source in self.sources], *flags)

    def program(self, name, sources, directory="bin", library="original", *flags):
        target = os.path.join(self.work, directory, os.path.basename(name))
        library = os.path.join(self.work, library, "libiosweep.so")
        helpers = os.path.join(self.work, "helpers.a")  # what tests share; each takes of it what it calls
        return self.link([*flags, "-o", target] + [self.object(source) for source in sources] + [helpers, library])

    def everything(self, jobs):
        for name in ("objects", "bin", "original", "mutant", "mutant-sanitized", "here", *KINDS):
            os.makedirs(os.path.join(self.work, name))
        # iosweep looks for them beside bin
        for name, there in (("share/iosweep/presets", os.path.join(self.top, "contrib/presets")),
                            ("libexec/iosweep", os.path.abspath("libexec/iosweep"))):
            os.makedirs(os.path.dirname(os.path.join(self.work, name)))
            os.symlink(there, os.path.join(self.work, name))
        main = "src/main.c"
        wanted = self.sources + self.shared + [test + ".c" for test in self.tests + self.programs] + [main]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            must(pool.map(self.compile, wanted))
            must([self.library("original", [self.object(source) for source in self.sources])])
            must([self.call(["ar", "rcs", "helpers.a"] + [self.object(source) for source in self.shared])])
            linked = list(pool.map(lambda test: self.program(test, [test + ".c"]), self.tests))
            if not any(result.returncode == 0 for result in linked):
                must(linked)
            for test, result in zip(list(self.tests), linked):
                if result.returncode != 0:
                    print("left out, it is linked with more than what is mutated: " + test, flush=True)
                    self.tests.remove(test)
            must([self.program("src/iosweep", [main])])
            must([self.program(name, [name + ".c"]) for name in self.programs])

    def library_of_kind(self, kind, jobs):
        """The library that counts what is executed, or that checks memory; made when it is needed."""
        if not os.path.exists(os.path.join(self.work, kind, "libiosweep.so")):
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                must(pool.map(lambda source: self.compile_as(kind, source), self.sources))
            must([self.library(kind, [self.object(source, kind) for source in self.sources], *LINKED[kind])])
            if kind == "sanitized":
                must(self.program(test, [test + ".c"], kind, kind, *SANITIZERS) for test in self.tests)

    def digest(self, name):
        with open(os.path.join(self.top, name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:16]


def must(results):
    for result in results:
        if result.returncode != 0:
            sys.exit("mutate: what is not mutated does not build:\n" + result.stderr)


def limit(seconds, memory_bytes):
    """In the process of a test: what it may take."""
    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return set_limits


class Measured:
    """What one run of a test without a mutant told: seconds it took, functions it enters."""

    def __init__(self, seconds, functions):
        self.seconds = seconds
        self.functions = functions  # source: names

    def enters(self, source, function):
        """A function that was not there when this was measured counts as entered with any of its file."""
        names = self.functions.get(source)
        return bool(names and (not function or function in names["entered"] or function not in names["all"]))


class Tests:
    """Runs tests with the library of one directory."""

    def __init__(self, build, shell_tests):
        self.build = build
        self.measured = {}
        self.noticed = {test: 0 for test in build.tests + shell_tests}
        self.prefix = []
        self.here = os.path.join(build.work, "here")
        self.unfit = {}  # how often each failed without a mutant
        self.spun = False  # the last one took all the processor time that it may
        if os.geteuid() == 0 and shutil.which("setpriv"):
            self.prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]

    def run(self, test, library, cpu_s=600, wall_s=1800):
        """True: passed or skipped.  False: failed.  None: not done in time."""
        shutil.rmtree(self.here, ignore_errors=True)
        os.mkdir(self.here)
        if self.prefix:
            os.chown(self.here, 65534, 65534)
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(self.build.work, library), TMPDIR=self.here,
                           HOME=self.here, IOSWEEP=os.path.join(self.build.work, "bin", "iosweep"),
                           golden_programs=os.path.join(self.build.work, "bin"), TEST_CC=os.environ["CC"], top_srcdir=self.build.top, builddir=os.getcwd(),
                           GCOV_PREFIX=os.path.join(self.here, "gcov"))
        command = [os.path.join(self.build.work, "bin", os.path.basename(test))]
        if test.endswith(SHELL):
            runner = [] if test.endswith(".sh") else [os.path.join(self.build.top, "tests/golden/golden.sh")]
            command = ["sh", *runner, os.path.join(self.build.top, test)]
        sanitized = library.endswith("sanitized")
        if sanitized:
            command = [os.path.join(self.build.work, "sanitized", os.path.basename(test))]
            if shutil.which("setarch"):  # older ones do not start where addresses are too random
                command = ["setarch", os.uname().machine, "-R"] + command
        process = subprocess.Popen(self.prefix + command, cwd=self.here, env=environment, start_new_session=True,
                                   preexec_fn=limit(cpu_s, resource.RLIM_INFINITY if sanitized else MEMORY_BYTES), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            status = process.wait(timeout=wall_s)
            self.spun = status == -signal.SIGXCPU
            return status in (0, 77)
        except subprocess.TimeoutExpired:
            return None
        finally:  # also what it left behind
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def measure(self, test):
        began = time.monotonic()
        self.run(test, "counted")
        seconds = time.monotonic() - began
        functions = {}
        counts = os.path.join(self.here, "gcov", self.build.work.lstrip("/"), "counted")
        if os.path.isdir(counts):
            for source in self.build.sources:
                note = self.build.object(source, "counted")[:-1] + "gcno"
                shutil.copy(note, counts)
            names = [name for name in os.listdir(counts) if name.endswith(".gcda")]
            subprocess.run(["gcov", "-j"] + names, cwd=counts, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for name in os.listdir(counts):
                if name.endswith(".json.gz"):
                    read_counts(os.path.join(counts, name), functions)
        return Measured(seconds, functions)

    def measure_all(self, jobs, file):
        """Measures the tests which `file` does not know as they are now."""
        known, ready = {}, False
        if file and os.path.exists(file):
            with open(file, encoding="utf-8") as kept:
                known = json.load(kept)
        for test in self.noticed:
            digest = self.build.digest(test if test.endswith(SHELL) else test + ".c")
            if test not in known or (known[test]["digest"] != digest and not test.endswith(SHELL)):
                if not ready:
                    self.build.library_of_kind("counted", jobs)
                    ready = True
                result = self.measure(test)
                known[test] = {"digest": digest, "seconds": result.seconds, "functions": result.functions}
                if file:
                    with open(file, "w", encoding="utf-8") as kept:
                        json.dump(known, kept)
            self.measured[test] = Measured(known[test]["seconds"], known[test]["functions"])

    def notices(self, test, kind=""):
        """True: the test fails because of the mutant.  False: it passes.  None: who knows."""
        if self.unfit.get(test + kind, 0) > 1:  # it fails without any mutant, too
            return False
        usual = self.measured[test].seconds * (3 if kind else 1)
        cpu_s, wall_s = int(5 + 5 * usual), 60 + 20 * usual
        result = self.run(test, "mutant" + kind, cpu_s, wall_s)
        if result:
            return False
        again = result is not None and not self.spun
        if not self.run(test, "original" if not kind else kind[1:], cpu_s, wall_s / 4):
            self.unfit[test + kind] = self.unfit.get(test + kind, 0) + 1
            return False if kind else None
        if again and self.run(test, "mutant" + kind, cpu_s, wall_s):
            return None
        return True

    def order(self, source, function, first):
        stem = os.path.splitext(os.path.basename(source))[0]
        chosen = [test for test in self.noticed if self.measured[test].enters(source, function)]
        chosen.sort(key=lambda t: (t != first, t.endswith(SHELL), stem not in t,
                                   self.measured[t].seconds / (1 + self.noticed[t])))
        return chosen


def read_counts(path, functions):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for one in json.load(file)["files"]:
            name = one["file"]
            if name.startswith("sources/src/") and name.endswith(".c"):
                names = functions.setdefault(name[len("sources/"):], {"entered": [], "all": []})
                for function in one["functions"]:
                    names["all"].append(function["name"])
                    if function["execution_count"]:
                        names["entered"].append(function["name"])


class Mutant:
    def __init__(self, source, at, line, new, which):
        self.source, self.at, self.line, self.new = source, at, line, new
        text = "\0".join((source, line.strip(), new.strip(), str(which)))
        self.id = hashlib.sha256(text.encode()).hexdigest()[:16]

    def text(self):
        return "%s:%d\n  - %s\n  + %s" % (self.source, self.at, self.line.strip(), self.new.strip())


def functions_of_lines(plain):
    """Which function each line is in; the layout is ours: a body ends at a brace in the first column."""
    name, names, inside = None, [], False
    for line in plain.split("\n"):
        if not inside:
            match = re.match(r"(?!typedef\b|(?:struct|enum)\b[^(]*\{)[A-Za-z_].*?(\w+)\(", line)
            if match:
                name = match.group(1)
            elif re.match(r"[A-Za-z_].*=", line):
                name = None
            if re.match(r"\{|.*\) ?\{$", line) and not line.startswith(" "):
                inside = True
        names.append(name if inside else None)
        if line.startswith("}"):
            inside = False
            name = None
    return names


def candidates(build):
    """All mutants of the lines that FILES chooses, and the function of each."""
    mutants, functions = [], {}
    for word in os.environ.get("FILES", "").split() or ["src"]:
        name, _, number = word.partition(":")
        found = [source for source in build.sources if source == name or source.startswith(name.rstrip("/") + "/")]
        if not found:
            sys.exit("mutate: FILES: no source of the library: " + name)
        for source in found:
            with open(os.path.join(build.top, source), encoding="utf-8") as file:
                text = file.read()
            plain, seen = blank(text), {}
            functions[source] = functions_of_lines(plain)
            for at, (line, masked) in enumerate(zip(text.split("\n"), plain.split("\n")), 1):
                for new in mutants_of_line(line, masked):
                    pair = (line.strip(), new.strip())
                    seen[pair] = seen.get(pair, -1) + 1
                    if not number or int(number) == at:
                        mutants.append(Mutant(source, at, line, new, seen[pair]))
    return mutants, functions


def draw(mutants, seed):
    """In the order of a lottery where each has a number of its own; each line once before any line twice."""
    number = {m: hashlib.sha256((seed + m.id).encode()).hexdigest() for m in mutants}
    mutants.sort(key=number.get)
    count, before = {}, {}
    for m in mutants:
        before[m] = count[m.source, m.at] = count.get((m.source, m.at), -1) + 1
    mutants.sort(key=lambda m: (before[m], number[m]))


def apply(build, mutant):
    """Compiles and links a mutant; false if there is none: an error, or no difference."""
    with open(os.path.join(build.top, mutant.source), encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[mutant.at - 1] = mutant.new
    path, to = mutant_path(mutant), os.path.join(build.work, "mutant.o")
    with open(os.path.join(build.work, path), "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    if build.compile(mutant.source, path, to).returncode != 0:
        return False
    with open(to, "rb") as one, open(build.object(mutant.source), "rb") as other:
        if one.read() == other.read():
            return False
    return build.mutant_library("mutant", mutant.source, to).returncode == 0


def mutant_path(mutant):
    return os.path.join("mutant", os.path.basename(mutant.source))


def apply_sanitized(build, mutant, jobs):
    to = os.path.join(build.work, "mutant.o")
    build.library_of_kind("sanitized", jobs)
    must([build.compile_as("sanitized", mutant.source, mutant_path(mutant), to),
          build.mutant_library("mutant-sanitized", mutant.source, to, "sanitized", *LINKED["sanitized"])])


def read_log(path):
    """What was judged before; the last word on a mutant counts."""
    judged = {}
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):  # the last one may have been cut short
                    entry = json.loads(line)
                    judged[entry["id"]] = entry
    return judged


def read_equivalent(top):
    """"SOURCE FUNCTION()", a line and what stands in its place; a paragraph each, with a reason."""
    listed = set()
    with open(os.path.join(top, "tests", "mutate", "equivalent"), encoding="utf-8") as file:
        for paragraph in re.split(r"\n\s*\n", file.read()):
            lines = [line for line in paragraph.strip().split("\n") if not line.startswith("#")]
            if len(lines) >= 4:
                listed.add((lines[0], lines[1].removeprefix("- "), lines[2].removeprefix("+ ")))
    return listed


class Judge:
    def __init__(self, build, tests, functions, log, jobs):
        self.build, self.tests, self.functions, self.log, self.jobs = build, tests, functions, log, jobs
        self.known = read_log(log)
        self.equivalent = read_equivalent(build.top)
        self.again = said("AGAIN")
        self.budget_s = float(os.environ.get("SECONDS_PER_MUTANT") or 100)

    def tried(self, mutant, first):
        """What became of a mutant, and by which test."""
        order = self.tests.order(mutant.source, self.functions[mutant.source][mutant.at - 1], first)
        units = [test for test in order if not test.endswith(SHELL)]
        stages = [("unit", units, ""), ("sanitizer", units if said("SANITIZE") else [], "-sanitized"),
                  ("cli", order[len(units):], "")]
        if first in order[len(units):]:
            stages.insert(0, ("cli", [first], ""))
        budget_s, doubtful = self.budget_s, None
        for verdict, stage, kind in stages:
            if stage and kind:
                apply_sanitized(self.build, mutant, self.jobs)
            for test in stage:
                budget_s -= self.tests.measured[test].seconds
                if budget_s < 0:
                    continue
                result = self.tests.notices(test, kind)
                if result:
                    self.tests.noticed[test] += 1
                    return verdict, test
                if result is None:
                    doubtful = test
        return ("unjudged", doubtful) if doubtful else ("survived", None)

    def entry(self, mutant):
        """The verdict on a mutant."""
        digest = self.build.digest(mutant.source)
        known = self.known.get(mutant.id, {})
        place = "%s %s()" % (mutant.source, self.functions[mutant.source][mutant.at - 1])
        if (place, mutant.line.strip(), mutant.new.strip()) in self.equivalent:
            verdict, by = "equivalent", None
        elif known.get("digest") == digest and not (self.again and known["verdict"] in ("survived", "unjudged")):
            return known
        elif not apply(self.build, mutant):
            verdict, by = "none", None
        else:
            verdict, by = self.tried(mutant, known.get("by"))
        entry = {"id": mutant.id, "verdict": verdict, "by": by, "digest": digest, "mutant": mutant.text()}
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        return entry


def said(name):
    return os.environ.get(name, "") not in ("", "no", "0")


KILLED = ("unit", "sanitizer", "cli")


def main():
    wanted, seed = int(os.environ.get("MUTANTS") or 50), os.environ.get("SEED") or "1"
    jobs, log = int(os.environ.get("JOBS") or 1), os.environ.get("LOG")
    shell_tests = os.environ.get("CLI", "").split()
    if shell_tests == ["yes"]:
        shell_tests = os.environ["CLI_TESTS"].split()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and clean up
    work = tempfile.mkdtemp(prefix="iosweep-mutate.")
    try:
        build = Build(work)
        mutants, functions = candidates(build)
        draw(mutants, seed)
        build.everything(jobs)
        tests = Tests(build, shell_tests)
        tests.measure_all(jobs, log and log + ".tests")
        judge = Judge(build, tests, functions, log, jobs)
        count = dict.fromkeys((*KILLED, "survived", "equivalent", "unjudged"), 0)
        for mutant in mutants:
            if sum(count.values()) == wanted:
                break
            entry = judge.entry(mutant)
            verdict = entry["verdict"]
            if verdict == "none":
                continue
            count[verdict] += 1
            word = "killed by " + os.path.basename(entry["by"]) if verdict in KILLED else verdict.upper()
            print("%s: %s" % (word, mutant.text()), flush=True)
        killed = sum(count[way] for way in KILLED)
        judged = killed + count["survived"]
        print("seed %s: %d drawn, %d killed (%d by unit tests, %d with sanitizers, %d by shell tests), %d survived, "
              "%d equivalent, %d not judged" % (seed, sum(count.values()), killed, *count.values()))
        print("%.1f %% of %d killed" % (100 * killed / judged if judged else 0, judged))
    finally:
        shutil.rmtree(work)


main()
