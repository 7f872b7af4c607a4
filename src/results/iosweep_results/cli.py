# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""The command line of the commands that read results.

A command is a module with add_options(parser) and run(options), which returns the exit status.
Every error is reported in one line on stderr.
"""

import argparse
import gc
import importlib
import os
import re
import traceback

from . import read, text
from .text import Problem

COMMANDS = ("compare", "export", "fit", "merge", "plot", "report")  # each a module
_HELP_COLUMN = 30


def percent(word):
    """"2.5%" or "2.5" as the share 0.025; above 0, up to 1. argparse prefixes its exceptions with
    the option."""
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,12})?)%?", word)
    share = float(match[1] + "e-2") if match else 0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"not a percentage: {text.printable(word)}; give a number"
                                         " above 0, up to 100, such as 2.5%")
    return share


# --- parsing


class Parser(argparse.ArgumentParser):
    """The parser of a command, with the error messages and help of iosweep."""

    def __init__(self, name):
        super().__init__(prog=f"iosweep {name}", add_help=False)
        self.name = name
        self.arguments = self.details = self.needs = ""
        self.least = 1

    def takes(self, arguments, needs, least=1):
        """Declares the files of the command: "FILE...", "a file of results"; least: minimum
        number."""
        self.arguments, self.needs, self.least = arguments, needs, least
        self.add_argument("files", nargs="*")

    def add_output(self, formats=("table", "csv", "json")):
        """-o, and --format, which format_of() completes."""
        self.add_argument("-o", "--output", metavar="FILE",
                          help="write results to FILE [standard output]")
        if formats:
            self.add_argument("--format", metavar="NAME", choices=formats,
                              help="table (on a terminal), csv (else), json")

    def add_common(self):
        """Adds the options of all commands."""
        self.add_argument("--color", metavar="WHEN", choices=("auto", "always", "never"),
                          default="auto",
                          help="colour: auto (on a terminal), always, never [auto]")
        self.add_argument("--quiet", action="store_true", help="only errors on standard error")
        self.add_argument("--verbose", action="store_true", help="report more on standard error")
        self.add_argument("-h", "--help", action="help", help="print this help")

    def format_help(self):
        lines = [f"Usage: iosweep {self.name} [OPTION]... {self.arguments}", self.details.strip()]
        lines += ["", "Options:"]
        for action in self._actions:
            if action.option_strings:
                *short, name = action.option_strings
                left = f"  {short[0] + ',' if short else '':3} {name}"
                left += f" {action.metavar}" if action.metavar else ""
                lines.append(f"{left:<{_HELP_COLUMN - 1}} {action.help % ()}")
        lines += ["", f"More in iosweep-{self.name}(1)."]
        return "\n".join(lines) + "\n"

    def print_help(self, file=None):
        with text.output(None) as stream:
            stream.write(self.format_help())

    def error(self, message):
        """Reports the message of argparse in one line of iosweep."""
        message = re.sub("^argument (?:-./)?", "", message)
        choice = re.fullmatch("(.*): invalid choice: (.*) [(]choose from (.*)[)]", message)
        if choice:
            message = "{}: unknown choice: {}; choose from {}".format(*choice.groups())
            message = message.replace("'", "")
        advice = None if "; " in message else f"{self.prog} --help lists all options"
        raise Problem(message, advice)

    def parse(self, words):
        """The options, checked."""
        options, unknown = self.parse_known_intermixed_args(words)
        if unknown:
            self.error(f"unknown option: {text.printable(unknown[0].partition('=')[0])}")
        paths = files_of(options)
        if not options.files or len(paths) < self.least:
            advice = f"{self.prog} {self.arguments}"
            if os.path.isdir(self.name):
                advice += f", or iosweep ./{self.name} to measure the directory of that name"
            raise Problem(f"{self.name} needs {self.needs}", advice)
        if paths.count("-") > 1:
            raise Problem("standard input can be read only once")
        return options


# --- what commands share


def files_of(options):
    """All paths; that of --against, with which each of the others is compared, first."""
    against = getattr(options, "against", None)
    return options.files if against is None else [against, *options.files]


def read_all(options, rows_most=read.ROWS_MAX, **more):
    """All results, that of --against first; rows_most: limit for all files together."""
    results, paths = [], files_of(options)
    for path in paths:
        results.append(read.read(path, **more))
        if sum(len(result.rows) for result in results) > rows_most:
            raise Problem(f"more than {rows_most} rows in all files", "name fewer or shorter files")
    read.name_apart(results)
    return results


def pairs_of(name, options, files):
    """Lists of files to compare, old and new alternating."""
    if options.against is not None:
        return [[files[0], file] for file in files[1:]]
    if len(files) > 1 and len(files) % 2:
        raise Problem(f"{name} takes pairs of files, old and new alternating",
                      f"{len(files)} were given; --against FILE compares all others with one")
    return [files] if len(files) > 1 else []


def format_of(options):
    """--format, or a table if standard output is a terminal, else CSV."""
    is_table = options.output in (None, "-") and text.is_terminal(text.stdout_fd())
    return options.format or ("table" if is_table else "csv")


def write(options, table, head, fields, records):
    """Writes the results of a command in the format of --format: by table(stream, width, color), or
    as records; see text.write_records()."""
    is_stdout = options.output in (None, "-")
    with text.output(options.output, files_of(options)) as stream:
        if format_of(options) == "table":
            fd = text.stdout_fd() if is_stdout else None
            table(stream, *((text.width_of(fd), text.color_on(fd)) if is_stdout else (0, False)))
        else:
            text.write_records(stream, format_of(options) == "json", head, fields, records)


def kind_of(options, what, known):
    """--format, or the extension of the output's name. known: the valid extensions."""
    is_named = options.output not in (None, "-")
    end = os.path.splitext(options.output)[1][1:].lower() if is_named else ""
    if not options.format and end not in known:
        name = f": {text.printable(options.output)}" if is_named else ""
        ends = " or ".join((", ".join(f"FILE.{end}" for end in known[:-1]), f"FILE.{known[-1]}"))
        raise Problem(f"unknown format of a {what}{name}", f"use -o {ends}, or --format")
    return options.format or end


def cut_short(result):
    """A sentence about what a run did not complete; "": nothing."""
    count = sum(row.incomplete for row in result.rows)
    return f"measuring was cut short: {text.share(count, len(result.rows), 'row')} incomplete" if (
        count) else ""


def say_incomplete(result):
    """Warns of an incomplete run."""
    if cut_short(result):
        text.warn(f"{result.name}: {cut_short(result)}")


def _run(words):
    name = words[0] if words else ""
    if name not in COMMANDS:
        raise Problem(f"unknown command: {text.printable(name)}",
                      f"choose from {', '.join(COMMANDS)}")
    module = importlib.import_module(f".{name}", __package__)
    parser = Parser(name)
    module.add_options(parser)
    parser.add_common()
    options = parser.parse(words[1:])
    text.color_when = options.color
    text.verbosity = 2 if options.verbose else 0 if options.quiet else 1
    return module.run(options)


def main(words):
    """Runs the command given by the words. Returns the exit status."""
    gc.disable()  # millions of rows without cycles: looking for them takes a third of the time
    try:
        return _run(words)
    except Problem as problem:
        text.error(str(problem))
        return problem.status
    except SystemExit as end:
        return end.code
    except BrokenPipeError:  # the reader has closed the pipe
        return 141
    except KeyboardInterrupt:
        return 130
    except MemoryError:
        text.error("memory is exhausted")
    except Exception as unexpected:  # pylint: disable=broad-exception-caught
        if os.environ.get("IOSWEEP_TRACEBACK"):
            traceback.print_exc()
        text.error(f"{type(unexpected).__name__}: {unexpected}; this is a fault of iosweep, and"
                   " IOSWEEP_TRACEBACK=1 shows where")
    return 2
