#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mutate.py - do the tests notice?  Run by `make mutate`.

Makes random one-line mutants of the sources (a comparison, an operator, a sign, a constant, what is
returned, a statement that is gone), and runs the unit tests on each until one fails.  A mutant that no
test notices is printed; so is the share of those that were noticed.  The sources stay as they are.

All sources are compiled once, into a shared library which the tests are linked with: a mutant then
costs one compilation, one link and the tests.  Mutants that do not compile, or compile to the same
object, are none.  Headers are not mutated.

In the environment:
    MUTANTS  how many (default 50)          SEED     which ones (default 1)
    FILES    sources, directories or FILE:LINE, from the top of the tree (default: the core)
    CLI      shell tests, such as tests/cli/null.sh, for what the unit tests do not notice
    SECONDS_PER_TEST  a test that takes longer, and ten times as long as without a mutant, has noticed
             (default 60)
Root runs the tests as nobody: a mutant might remove anything.
"""
import concurrent.futures
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CORE = "src/base src/run src/target src/analysis src/report/columns"

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
        for name in ("README", "Makefile.am", "NEWS", "configure.ac"):
            shutil.copy(os.path.join(os.environ["top_srcdir"], name), self.top)
        self.compiler = shlex.split(os.environ["CC"])
        self.flags = ["-O1", "-g0", "-w", "-fPIC", "-I.", "-I" + self.top + "/src", "-I" + self.top + "/tests"]
        os.chmod(work, 0o755)
        self.flags += shlex.split(os.environ["MUTATE_CPPFLAGS"])
        self.libraries = shlex.split(os.environ["MUTATE_LIBS"])
        self.sources = [re.sub(r"libiosweep_a-(.*)\.o$", r"\1.c", name) for name in os.environ["OBJECTS"].split()]
        self.shared = [re.sub(r"\.o$", ".c", name) for name in os.environ["TEST_OBJECTS"].split()]
        self.tests = os.environ["UNIT_TESTS"].split()

    def object(self, source):
        return os.path.join(self.work, "objects", source.replace("/", "+") + ".o")

    def compile(self, source, path=None, to=None):
        path = path or os.path.join(self.top, source)
        command = self.compiler + self.flags + ["-c", path, "-o", to or self.object(source)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace")

    def link(self, arguments):
        return subprocess.run(self.compiler + arguments + self.libraries, capture_output=True, text=True)

    def library(self, name, changed=None, instead=None):
        """The shared library, with another object in the place of one of them."""
        objects = [instead if source == changed else self.object(source) for source in self.sources]
        target = os.path.join(self.work, name, "libiosweep.so")
        os.makedirs(os.path.dirname(target), exist_ok=True)
        return self.link(["-shared", "-Wl,-z,defs,-soname,libiosweep.so", "-o", target] + objects)

    def program(self, name, sources):
        target = os.path.join(self.work, "bin", os.path.basename(name))
        library = os.path.join(self.work, "original", "libiosweep.so")
        return self.link(["-o", target] + [self.object(source) for source in sources] + [library])

    def everything(self, jobs):
        for name in ("objects", "bin", "original", "mutant", "here"):
            os.makedirs(os.path.join(self.work, name))
        main = "src/main.c"
        wanted = self.sources + self.shared + [test + ".c" for test in self.tests] + [main]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            must(pool.map(self.compile, wanted))
            must([self.library("original")])
            must(pool.map(lambda test: self.program(test, [test + ".c"] + self.needed(test)), self.tests))
            must([self.program("src/iosweep", [main])])

    def needed(self, test):
        """Helpers by what a test includes: they, too, define functions of their own."""
        found, names = set(), ["tests/" + os.path.relpath(test + ".c", "tests")]
        while names:
            with open(os.path.join(self.top, names.pop()), encoding="utf-8") as file:
                for header in re.findall(r'#include "((?:unit|fuzz|s3)/[^"]+)"', file.read()):
                    header = "tests/" + header
                    if header not in found:
                        found.add(header)
                        names.append(header)
        return [source for source in self.shared if source[:-1] + "h" in found]


def must(results):
    for result in results:
        if result.returncode != 0:
            sys.exit("mutate: what is not mutated does not build:\n" + result.stderr)


class Tests:
    """Runs them with the library of one directory; quick ones that noticed much come first."""

    def __init__(self, build, shell_tests, seconds):
        self.build = build
        self.seconds = seconds
        self.noticed = {test: 0 for test in build.tests + shell_tests}
        self.cost = {}
        self.prefix = []
        if os.geteuid() == 0 and shutil.which("setpriv"):
            self.prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
            os.chown(os.path.join(build.work, "here"), 65534, 65534)

    def run(self, test, library):
        here = os.path.join(self.build.work, "here")
        environment = dict(os.environ, LD_LIBRARY_PATH=os.path.join(self.build.work, library), TMPDIR=here,
                           HOME=here, IOSWEEP=os.path.join(self.build.work, "bin", "iosweep"),
                           top_srcdir=self.build.top, builddir=os.getcwd())
        command = [os.path.join(self.build.work, "bin", os.path.basename(test))]
        if test.endswith(".sh"):
            command = ["sh", os.path.join(self.build.top, test)]
        timeout = ["timeout", "-k", "5", str(max(self.seconds, 10 * self.cost.get(test, 60)))]
        result = subprocess.run(timeout + self.prefix + command, cwd=here, env=environment,
                                stdin=subprocess.DEVNULL, capture_output=True)
        return result.returncode in (0, 77)

    def leave_out_failing(self):
        for test in list(self.noticed):
            began = time.monotonic()
            passed = self.run(test, "original")
            self.cost[test] = time.monotonic() - began
            if not passed:
                print("left out, it fails without any mutant: " + test)
                del self.noticed[test]

    def who_notices(self, source):
        stem = os.path.splitext(os.path.basename(source))[0]
        order = sorted(self.noticed, key=lambda t: (t.endswith(".sh"), stem not in t,
                                                          self.cost[t] / (1 + self.noticed[t])))
        for test in order:
            if not self.run(test, "mutant"):
                self.noticed[test] += 1
                return test
        return None


def candidates(build):
    """(source, line number, line) of all lines that FILES chooses."""
    chosen = []
    for word in os.environ.get("FILES", "").split() or CORE.split():
        name, _, number = word.partition(":")
        found = [source for source in build.sources if source == name or source.startswith(name.rstrip("/") + "/")]
        if not found:
            sys.exit("mutate: FILES: no source of the library: " + name)
        for source in found:
            with open(os.path.join(build.top, source), encoding="utf-8") as file:
                text = file.read()
            for at, (line, plain) in enumerate(zip(text.split("\n"), blank(text).split("\n")), 1):
                if not number or int(number) == at:
                    chosen += [(source, at, line, new) for new in mutants_of_line(line, plain)]
    return chosen


def apply(build, source, at, new):
    """Compiles and links a mutant; false if there is none: an error, or no difference."""
    with open(os.path.join(build.top, source), encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[at - 1] = new
    path, to = os.path.join(build.work, "mutant", os.path.basename(source)), os.path.join(build.work, "mutant.o")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    if build.compile(source, path, to).returncode != 0:
        return False
    with open(to, "rb") as one, open(build.object(source), "rb") as other:
        if same_code(one.read(), other.read(), path, source):
            return False
    return build.library("mutant", source, to).returncode == 0


def same_code(one, other, path, source):
    """Whether objects are alike but for the name of their source."""
    return one.replace(os.path.basename(path).encode(), b"") == other.replace(os.path.basename(source).encode(), b"")


def times_before(lines):
    """A key for sorting: how many mutants of the same line stand before this one."""
    count, before = {}, {}
    for one in lines:
        before[one] = count[one[:2]] = count.get(one[:2], -1) + 1
    return before.get


def main():
    wanted, seed = int(os.environ.get("MUTANTS") or 50), os.environ.get("SEED") or "1"
    jobs = len(os.sched_getaffinity(0))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and clean up
    work = tempfile.mkdtemp(prefix="iosweep-mutate.")
    try:
        build = Build(work)
        lines = candidates(build)
        build.everything(jobs)
        tests = Tests(build, os.environ.get("CLI", "").split(), int(os.environ.get("SECONDS_PER_TEST") or 60))
        tests.leave_out_failing()
        random.Random(seed).shuffle(lines)
        lines.sort(key=times_before(lines))  # each line once before any line twice
        killed = survived = 0
        for source, at, line, new in lines:
            if killed + survived == wanted:
                break
            if not apply(build, source, at, new):
                continue
            test = tests.who_notices(source)
            if test:
                killed += 1
                print("killed by %s: %s:%d: %s" % (os.path.basename(test), source, at, new.strip()), flush=True)
            else:
                survived += 1
                print("SURVIVED: %s:%d\n  - %s\n  + %s" % (source, at, line.strip(), new.strip()), flush=True)
        total = killed + survived
        print("%d mutants of seed %s: %d killed, %d survived (%.0f %% killed)"
              % (total, seed, killed, survived, 100 * killed / total if total else 0))
    finally:
        shutil.rmtree(work)


main()
