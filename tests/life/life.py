#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""life.py - what becomes of a kept run: a table of what was done to it and what is asked, on each storage.

    life.py [--update] [--only DONE] STORAGE

STORAGE is files, s3 (the small service of tests/s3), or, with its server and the environment that client.py
there asks for, rados or webhdfs (and WEBHDFS_TARGET, a URL).  A line of table.txt is a cell:

    DONE  ASKED  STORAGES  STATUS  ROWS  LEFT

STORAGES is "all", or the storages for which it holds, separated by commas.  ROWS are the sizes of the
rows that were measured, each with its notes (without those that depend on speed) and "!" where
operations failed; LEFT is what is there afterwards: of the run "whole", "all", "some", "none"; "+" with
what is foreign in it and beside it; and "ended" or "goes-on", as its manifest says.  The run is called r
and has 4 files, or 4 objects of each of two sizes.
"""
import argparse
import csv
import http.client
import importlib.util
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "table.txt")
SPEED = {"wide", "few_slow", "few_rounds", "unsteady", "not_cached", "drained", "outliers", "noisy", "timer"}
ENDS_S = 30


def is_manifest(name):
    return name.rsplit("/", 1)[-1].startswith("MANIFEST-")


class Files:
    """A directory."""
    name, rate = "files", "20"
    shape = ["--levels", "1", "--width", "4", "-l", "16Ki"]
    how = ["--cache", "cached"]

    def __init__(self, work):
        self.root = os.path.join(work, "d")
        self.target, self.options = self.root, []
        self.renew()

    def renew(self):
        shutil.rmtree(self.root, ignore_errors=True)
        os.mkdir(self.root)

    def list(self):
        """Names of files; of an empty directory in the target its own, with a slash."""
        empty = [entry.name + "/" for entry in os.scandir(self.root) if entry.is_dir() and not os.listdir(entry.path)]
        return sorted(empty + [os.path.relpath(os.path.join(top, name), self.root)
                               for top, _, names in os.walk(self.root) for name in names])

    def leave_empty(self, name):
        os.mkdir(os.path.join(self.root, name), 0o700)
        os.utime(os.path.join(self.root, name), (1, 1))

    def get(self, name):
        with open(os.path.join(self.root, name), "rb") as file:
            return file.read()

    def put(self, name, data):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb", opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
            file.write(data)

    def remove(self, name):
        os.remove(os.path.join(self.root, name))

    def close(self):
        pass


class Server:
    """A store of objects with a client of its own."""
    rate = "20"
    shape, how, options = ["--objects", "4"], [], []

    def renew(self):
        for name in self.list():
            self.remove(name)

    def leave_empty(self, name):
        pass

    def close(self):
        pass


class S3(Server):
    """The service of hostile_server.py, which is told nothing, so that it does as it should."""
    name = "s3"

    def __init__(self, work):
        port_file, mode = os.path.join(work, "port"), os.path.join(work, "mode")
        with open(mode, "w", encoding="ascii"):
            pass
        server = os.path.join(HERE, "..", "s3", "hostile_server.py")
        self.process = subprocess.Popen([sys.executable, server, "--port-file", port_file, "--log", os.devnull,
                                         "--mode", mode], stdin=subprocess.DEVNULL)
        for _ in range(600):
            if os.path.exists(port_file) and os.path.getsize(port_file) > 0:
                break
            time.sleep(0.05)
        with open(port_file, encoding="ascii") as file:
            self.port = int(file.read())
        self.target, self.options = "s3://bbb/p", ["--endpoint", f"http://127.0.0.1:{self.port}"]

    def ask(self, method, path, data=None):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        link.request(method, path, data)
        answer = link.getresponse()
        body = answer.read()
        link.close()
        assert answer.status < 300, (method, path, answer.status)
        return body

    def path(self, name):
        return "/bbb/p/" + urllib.parse.quote(name)

    def list(self):
        keys = self.ask("GET", "/__keys").decode().split("\n")
        return sorted(key[len("p/"):] for key in keys if key.startswith("p/"))

    def get(self, name):
        return self.ask("GET", self.path(name))

    def put(self, name, data):
        self.ask("PUT", self.path(name), data)

    def remove(self, name):
        self.ask("DELETE", self.path(name))

    def close(self):
        self.process.terminate()
        self.process.wait()


def client(folder):
    """client.py of the tests with that server."""
    spec = importlib.util.spec_from_file_location("client", os.path.join(HERE, "..", folder, "client.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Rados(Server):
    """A pool."""
    name = "rados"

    def __init__(self, work):
        self.client = client("rados")
        self.cluster = self.client.rados.Rados(conffile=os.environ["CEPH_CONF"])
        self.cluster.connect(timeout=60)
        self.pool = self.cluster.open_ioctx(os.environ["RADOS_POOL"])
        self.target = "rados://" + os.environ["RADOS_POOL"]

    def list(self):
        return [key for _, _, key in self.client.found(self.pool, "")]

    def at(self, key):
        space, name = self.client.place(key)
        self.pool.set_namespace(space)
        return name

    def get(self, name):
        return self.client.content(self.pool, *self.client.place(name))

    def put(self, name, data):
        self.pool.write_full(self.at(name), data)

    def remove(self, name):
        self.pool.remove_object(self.at(name))

    def close(self):
        self.cluster.shutdown()


class WebHdfs(Server):
    """A directory of HDFS, where what is being written when a run is killed is short: hardly anything is."""
    name, rate = "webhdfs", "1"

    def __init__(self, work):
        self.client, self.target = client("webhdfs"), os.environ["WEBHDFS_TARGET"]

    def renew(self):
        for name in {key.split("/")[0] for _, _, key in self.client.below("")}:
            self.remove(name)

    def list(self):
        return [key for key, _ in self.client.files("")]

    def get(self, name):
        return self.client.ask("GET", name, "OPEN")

    def put(self, name, data):
        self.client.ask("PUT", name, "CREATE", body=data, overwrite="true")

    def remove(self, name):
        self.client.ask("DELETE", name, "DELETE", recursive="true")


STORAGES = {storage.name: storage for storage in (Files, Rados, S3, WebHdfs)}


class Cell:
    """One run on a storage, what is done to it, and what is asked."""

    def __init__(self, storage):
        self.storage, self.child = storage, None

    def start(self, *arguments):
        command = [os.environ["IOSWEEP"], *arguments]
        place = 2 if arguments[0] == "clean" else 1
        command[place:place] = self.storage.options
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True)

    def run(self, *arguments):
        process = self.start(*arguments)
        out, err = process.communicate(timeout=120)
        assert process.returncode in (0, 1, 2, 3, 4), (arguments, process.returncode, err)
        return process.returncode, out, err

    def sweep(self, *arguments):
        return self.run("--quiet", "--format", "csv", "--rounds", "1", "-n", "8", "--seed", "7", *self.storage.how, *arguments, self.storage.target)

    def own(self):
        """Names of the run but for its manifests."""
        return [name for name in self.storage.list() if name.startswith("iosweep-r/") and not is_manifest(name)
                and "foreign" not in name]

    def manifest(self):
        """The highest number and text."""
        names = [name for name in self.storage.list() if name.startswith("iosweep-r/MANIFEST-")]
        numbers = sorted(int(name.rsplit("-", 1)[1]) for name in names if name.rsplit("-", 1)[1].isdigit())
        return (numbers[-1], self.storage.get(f"iosweep-r/MANIFEST-{numbers[-1]}").decode()) if numbers else (0, "")

    # ---- what is done ----

    def make(self, tests="write", *more):
        status, _, err = self.sweep(*self.storage.shape, "--tests", tests, "--sizes", "4Ki,16Ki", "--keep", "--run-name",
                                    "r", *more)
        assert status == 0, err

    def kept(self):
        self.make("read")

    def verified(self):
        self.make("write", "--verify")

    def written(self):
        self.make("write")

    def created(self):
        self.make("create")

    def one_lost(self):
        self.make("read")
        self.storage.remove(self.own()[1])

    def all_lost(self):
        self.make("read")
        for name in self.own():
            self.storage.remove(name)

    def shortened(self):
        self.make("read", "--verify")
        name = self.own()[1]
        self.storage.put(name, self.storage.get(name)[:100])

    def changed(self):
        self.make("read", "--verify")
        name = self.own()[1]
        data = bytearray(self.storage.get(name))
        data[70] ^= 1
        self.storage.put(name, bytes(data))

    def foreign_beside(self):
        self.make("read")
        self.storage.put("foreign", b"dear" * 4096)

    def foreign_inside(self):
        self.make("read")
        self.storage.put("iosweep-r/foreign", b"dear" * 4096)

    def manifest_cut(self):
        self.make("read")
        for number in range(1, self.manifest()[0] + 1):
            name = f"iosweep-r/MANIFEST-{number}"
            if name in self.storage.list():
                self.storage.put(name, self.storage.get(name)[:60])

    def manifest_old(self):
        self.make("read")
        for name in self.storage.list():
            if is_manifest(name):
                self.storage.put(name, b"iosweep manifest 2\nrun=r\n")

    def manifest_gone(self):
        self.make("read")
        for name in self.storage.list():
            if is_manifest(name):
                self.storage.remove(name)

    def begin(self):
        self.child = self.start("--quiet", "--format", "csv", *self.storage.shape, "--tests", "write", "--sizes", "4Ki",
                                "--keep", "--run-name", "r", "--rate", self.storage.rate, "--rounds", "1", "--time", "1000s",
                                *self.storage.how, self.storage.target)
        for _ in range(ENDS_S * 20):
            if len(self.own()) == 4 and "made" not in self.manifest()[1]:
                break
            time.sleep(0.05)
        time.sleep(0.3)
        assert self.child.poll() is None, self.child.communicate()

    def alive(self):
        self.begin()

    def killed(self):
        self.begin()
        self.child.kill()
        self.child.communicate()
        self.child = None

    def elsewhere(self):
        """A run that goes on on another host, as far as anybody can know."""
        self.killed()
        number, text = self.manifest()
        lines = text.split("\n")
        at = next(i for i, line in enumerate(lines) if line.startswith("state=running "))
        lines[at] = "state=running 0000000000000001 1 1"
        self.storage.put(f"iosweep-r/MANIFEST-{number + 1}", "\n".join(lines).encode())

    def absent(self):
        pass

    def begun(self):
        """Killed before its first manifest: only in a directory anything is left: itself, which only its name finds."""
        self.storage.leave_empty("iosweep-r")

    # ---- what is asked ----

    def ask(self, asked):
        if asked.startswith("clean"):
            status, _, _ = self.run(*asked.split(), self.storage.target)
            if self.child and "--force" in asked: # which notices, and ends; 3: it had measured nothing yet
                _, err = self.child.communicate(timeout=120)
                assert self.child.returncode in (1, 3) and "removed while running" in err, (self.child.returncode, err)
            return status, "-"
        status, out, _ = self.sweep(*asked.split())
        return status, self.rows(out)

    def rows(self, out):
        told = []
        for row in csv.DictReader(io.StringIO(out)):
            notes = [note for note in row["notes"].split(";") if note and note.split(":")[0] not in SPEED]
            failed = "!" if row["errors"] not in ("", "0") else ""
            told.append(f"{int(row['size_bytes']) // 1024}k{failed}" + (f"[{';'.join(notes)}]" if notes else ""))
        return ",".join(told) or "-"

    def left(self, before):
        names = self.storage.list()
        own = self.own()
        _, text = self.manifest()
        state = "goes-on" if "\nstate=running" in text else "ended" if "\nstate=ended" in text else "unsaid"
        part = "none" if not own else "whole" if own == before else "all" if len(own) >= len(before) else "some"
        manifests = any(is_manifest(name) for name in names)
        foreign = ["inside"] * ("iosweep-r/foreign" in names) + ["beside"] * ("foreign" in names)
        return "+".join([part + (":" + state if manifests else "")] + foreign)

    def end(self):
        if self.child:
            self.child.send_signal(signal.SIGKILL)
            self.child.communicate()
        self.child = None


DONE = ["absent", "begun", "kept", "verified", "written", "created", "one_lost", "all_lost", "shortened", "changed",
        "foreign_beside", "foreign_inside", "manifest_cut", "manifest_old", "manifest_gone", "alive", "killed",
        "elsewhere"]
LOOKS = ["-r --run-name r --tests read", "-r --run-name r --tests stat --sizes 4Ki", "-r --run-name r --tests list --sizes 4Ki",
         "-r --run-name r --tests read --verify", "-r --tests read --sizes 4Ki", "clean --dry-run",
         "--run-name r --tests read --sizes 4Ki"]
CHANGES = ["-r --run-name r --tests delete", "--reuse r --tests write --sizes 4Ki --keep",
           "--replace --run-name r --tests read --sizes 4Ki", "clean", "clean --run-name r", "clean --all",
           "clean --force --run-name r"]


def fill(storage, only):
    """The table of a storage: (done, asked) -> what came of it."""
    found = {}
    for done in DONE:
        if only and done != only:
            continue
        cell = Cell(storage)
        fresh = False
        for asked in LOOKS + CHANGES:
            if not fresh:
                cell.end()
                storage.renew()
                getattr(cell, done)()
                before = cell.own()
            status, rows = cell.ask(asked)
            left = cell.left(before)
            found[done, asked] = f"{status}  {rows}  {left}"
            fresh = asked in LOOKS and asked != LOOKS[-1] and cell.own() == before
        cell.end()
    return found


def read_table():
    table = {}
    if os.path.exists(TABLE):
        with open(TABLE, encoding="ascii") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    done, asked, storages, *came = [word.strip() for word in line.split("  ") if word.strip()]
                    for name in STORAGES if storages == "all" else storages.split(","):
                        table[done, asked, name] = "  ".join(came)
    return table


def write_table(table):
    with open(TABLE, "w", encoding="ascii") as file:
        file.write("# SPDX-License-Identifier: GPL-2.0-or-later\n# Copyright (C) 2026 The iosweep authors\n"
                   "# What becomes of a kept run: see life.py.  mem: ends with its process, so none is kept there.\n")
        for done in DONE:
            file.write("\n")
            for asked in LOOKS + CHANGES:
                names = {}
                for name in STORAGES:
                    if (done, asked, name) in table:
                        names.setdefault(table[done, asked, name], []).append(name)
                for came, those in names.items():
                    word = "all" if len(names) == 1 else ",".join(those)
                    file.write(f"{done:15}  {asked:48}  {word:5}  {came}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("storage", choices=list(STORAGES))
    arguments = parser.parse_args()
    work = tempfile.mkdtemp(prefix="iosweep-life.")
    for name in "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY":
        os.environ[name] = "test"
    os.environ["AWS_CONFIG_FILE"] = os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull
    storage = STORAGES[arguments.storage](work)
    try:
        found = fill(storage, arguments.only)
    finally:
        storage.close()
        shutil.rmtree(work, ignore_errors=True)
    table = read_table()
    if arguments.update:
        table.update({(*key, storage.name): came for key, came in found.items()})
        write_table(table)
        return 0
    wrong = 0
    for (done, asked), came in found.items():
        wanted = table.get((done, asked, storage.name))
        if came != wanted:
            wrong += 1
            print(f"{storage.name}: {done}: {asked}\n  wanted  {wanted}\n  came    {came}")
    print(f"{storage.name}: {len(found)} cells, {wrong} wrong")
    return wrong > 0 or not found


if __name__ == "__main__":
    sys.exit(main())
