#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""The options of the commands that read results, as lines like those of rows.c; run with
src/results in PYTHONPATH."""

from iosweep_results import cli


def kind_of(action, words):
    """As kind_of of rows.c."""
    if not action.metavar:
        return "flag"
    return "one" if words else "file" if action.metavar == "FILE" else "value"


for name in cli.COMMANDS:
    parser = cli.Parser(name)
    for action in parser._actions:  # argparse has no public list of them
        if not action.option_strings:
            continue
        words = action.choices or ()
        short = action.option_strings[0][1] if len(action.option_strings) > 1 else "-"
        fields = (name, short, action.option_strings[-1][2:], kind_of(action, words),
                  (action.metavar or "").lower(), " ".join(words), action.help)  # fmt: skip
        print("option", *fields, sep="\t")
