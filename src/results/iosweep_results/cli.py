# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""The command line of the commands that read results.

A command is a module with run(options), which returns the exit status, and its help, which
declares its options. Every error is reported in one line on stderr.
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


def percent(word):
    """"2.5%" or "2.5" as the share 0.025; above 0, up to 1. argparse prefixes its exceptions with
    the option."""
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,12})?)%?", word)
    share = float(match[1] + "e-2") if match else 0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"not a percentage: {text.printable(word)}; give a number"
                                         " above 0, up to 100, such as 2.5%")
    return share

_OPTION = re.compile(r"^  (?:(-\w),|   ) (--[\w-]+)(?: ([A-Z]+))? +(\S.*)", re.MULTILINE)
# What add_argument() needs beside the help, unless OPTIONS of the command's module has it.
_OPTIONS = {"--format": {"choices": ("table", "csv", "json")}, "--help": {"action": "help"},
            "--color": {"choices": ("auto", "always", "never"), "default": "auto"}}


class Parser(argparse.ArgumentParser):
    """The parser of a command, by its help in commands.txt."""

    def __init__(self, name):
        super().__init__(prog=f"iosweep {name}", add_help=False)
        self.name, self.module = name, importlib.import_module(f".{name}", __package__)
        chapters = dict(re.findall(r"^= (\w+)(.*?\n)(?==|\Z)", text.data("commands.txt"),
                                   re.MULTILINE | re.DOTALL))
        needs, _, words = chapters[name].partition("\n")
        self.needs = needs.removeprefix(": ")
        self.help = words.rstrip("\n") + chapters["all"].replace("COMMAND", name)
        more = {**_OPTIONS, **getattr(self.module, "OPTIONS", {})}
        for short, option, metavar, words in _OPTION.findall(self.help):
            kind = {"metavar": metavar} if metavar else {"action": "store_true"}
            form = {**kind, **more.get(option, {})}
            self.add_argument(*filter(None, (short, option)), **form).help = words
        self.add_argument("files", nargs="*")

    def print_help(self, file=None):
        with text.output(None) as stream:
            stream.write(self.help)

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
        if not options.files or len(paths) < getattr(self.module, "FILES_LEAST", 1):
            usage = self.help.partition("\n")[0]
            advice = usage.removeprefix("Usage: ").replace("[OPTION]... ", "")
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


def read_all(options, rows_most=read.ROWS_MAX, series=False):
    """All results, that of --against first; rows_most: limit for all files together."""
    results, paths = [], files_of(options)
    for path in paths:
        results.append(read.read(path, series))
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
    is_table = options.output in (None, "-") and os.isatty(1)
    return options.format or ("table" if is_table else "csv")


def write(options, parts, head, fields, records):
    """Writes the results of a command in the format of --format: as a table, whose parts are Tables
    and lines, also as (words, colour, other words); or as records, see text.write_records()."""
    with text.output(options.output, files_of(options)) as stream:
        if format_of(options) != "table":
            text.write_records(stream, format_of(options) == "json", head, fields, records)
            return
        is_stdout = options.output in (None, "-")
        width, is_colored = (text.width_of(1), text.color_on(1)) if is_stdout else (0, False)
        for part in parts:
            if isinstance(part, text.Table):
                part.print(stream, width, is_colored)
            else:
                words, color, rest = part if isinstance(part, tuple) else ("", "", part)
                line = text.fold(words + rest, width)
                stream.write(text.paint(words, color, is_colored) + line[len(words) :] + "\n")


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


def say_incomplete(results):
    """Warns of incomplete runs."""
    for result in results:
        if cut_short(result):
            text.warn(f"{result.name}: {cut_short(result)}")


def _run(words):
    name = words[0] if words else ""
    if name not in COMMANDS:
        raise Problem(f"unknown command: {text.printable(name)}",
                      f"choose from {', '.join(COMMANDS)}")
    parser = Parser(name)
    options = parser.parse(words[1:])
    text.color_when = options.color
    text.verbosity = 2 if options.verbose else 0 if options.quiet else 1
    return parser.module.run(options)


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
