# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""cost.py FILE COMMAND... - runs it without input, with its exit status; FILE gets the seconds that
passed and those that processors worked for it, for itself and the processes that it waited for."""
import resource
import subprocess
import sys
import time


def children_cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# those that whatever has started this interpreter had waited for count, too
before = children_cpu_s()
began = time.monotonic()
status = subprocess.call(sys.argv[2:], stdin=subprocess.DEVNULL)
passed = time.monotonic() - began
used = children_cpu_s() - before
with open(sys.argv[1], "w") as file:
    print(passed, used, file=file)
sys.exit(status)
