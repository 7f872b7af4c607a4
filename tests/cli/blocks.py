# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""blocks.py DIRECTORY...: counts the whole 4 KiB blocks in all files below, however deep, but for
manifests, and how many of them are different.  Prints both numbers, and how often the most frequent
block is there."""
import collections
import os
import sys

BLOCK = 4096


def blocks(root):
    for where, _, names in os.walk(root):
        for name in names:
            if name.startswith("MANIFEST-"):
                continue
            with open(os.path.join(where, name), "rb") as file:
                while len(block := file.read(BLOCK)) == BLOCK:
                    yield block


count = collections.Counter(block for root in sys.argv[1:] for block in blocks(root))
print(sum(count.values()), len(count), max(count.values(), default=0))
