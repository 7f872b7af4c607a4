# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""What the tests of this directory share: the package found, its commands run in this process, a
directory of their own."""

import json
import os
import sys
import tempfile
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(TOP, "tests", "data", "results")
sys.path.insert(0, os.path.join(TOP, "src", "results"))
from iosweep_results import cli  # noqa: E402 pylint: disable=wrong-import-position


def document(records, **head):
    """JSON of a run that ended, of these records."""
    known = {"record": "head", "document": "iosweep results", "schema_version": "2.0"}
    every = [{**known, **head}, *records, {"record": "end"}]
    return "[\n" + "\n,".join(map(json.dumps, every)) + "\n]\n"


def run(words):
    """Runs a command in this process: its status, the lines of its error messages, its output."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        kept = os.dup(1), os.dup(2)
        for stream in sys.stdout, sys.stderr:
            stream.flush()
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        try:
            status = cli.main(words)
        finally:
            for stream in sys.stdout, sys.stderr:
                stream.flush()
            for fd, saved in enumerate(kept, 1):
                os.dup2(saved, fd)
                os.close(saved)
        out.seek(0)
        err.seek(0)
        return (
            status,
            err.read().decode(errors="replace").splitlines(),
            out.read().decode(errors="replace"),
        )


class Scratch(unittest.TestCase):
    """A test in an empty directory, which is gone afterwards."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)

    def write(self, name, text):
        """A file; returns its name."""
        with open(name, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        return name
