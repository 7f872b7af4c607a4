# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Processes measured results, for the commands of cli.py.

read.py turns files into rows, text.py turns figures into text, cli.py is the command line; each
command is a module. Nothing here measures, and no content of a file is ever executed.
"""
