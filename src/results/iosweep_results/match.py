# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""Matches rows of several files that are the same cell.

The same test, loop, repeat, target, engine, cache, access, threads, depth, ranks, label, size, mix
and place in a file that is filled make a cell, and of the steps of a file that do that test the
same one.  An axis that has one value in all old files and another in all new files is what is being
compared, and is ignored.  So are labels that name the sweeps ("a1", "b1", "a2", "b2").
"""

import collections
import functools
import math
import operator

from . import text
from .read import AXES, NAN
from .text import Problem, printable

# The axes that can be compared.
COMPARED = ("target", "engine", "cache", "access", "label", "threads", "depth", "ranks")
# Of the notes, those that matter to a comparison: with True only one side did the work asked for.
_REMARKS = {"cache_hits": True, "not_cached": True, "nocache": True, "unwritten": True,
            "zeros": True, "wide": False, "drift": False}
_BOUND = 0.8  # share of the time of each thread that used a processor


def value_of(row, axis):
    """The value of an axis in a row, as text; "": unknown."""
    value = getattr(row, axis)
    return value or "random" if axis == "access" else value


def describe(row):
    """A cell in words: "read 4 KiB /data posix direct, threads 8, depth 4"."""
    words = [printable(row.test), text.size(row.size_bytes)]
    words += [printable(getattr(row, axis)) for axis in COMPARED[:4]]
    numbers = [f", {axis} {printable(str(getattr(row, axis)))}" for axis in COMPARED[4:]
               if getattr(row, axis) not in ("", 1)]
    return " ".join(filter(None, words)) + "".join(numbers) + row.place


def reference_ns(row):
    """The reference time for the processor's speed, if the row is bound by the processor: in the
    best round, which other load disturbed least, or in all its time, if the threads' waiting for a
    processor is known; otherwise nan."""
    reference = row.number("reference_ns")
    if not 0 < reference < math.inf:
        return NAN
    cpu_ns, queued_ns, mean_ns, least_ns = map(
        row.number, ("cpu_ns_per_op", "queued_ns_per_op", "op_ns_mean", "op_ns_min"))
    best_ns = min((ns for ns in (mean_ns, least_ns) if ns == ns), default=NAN)
    all_ns = 1e9 / row.rate_per_s if row.rate_per_s > 0 else NAN
    is_bound = any(op_ns > 0 and used_ns >= _BOUND * row.threads * row.ranks * op_ns
                   for used_ns, op_ns in ((cpu_ns, best_ns), (cpu_ns + queued_ns, all_ns)))
    return reference if is_bound else NAN


@functools.lru_cache(maxsize=1024)
def _noted(has_notes, notes):
    """See Cell.noted."""
    old, new = (";".join(notes[side::2]).split(";") for side in (0, 1))
    reason = "incomplete" if "incomplete" in old + new else ""
    reason = "skipped" if any(word.startswith("skipped:") for word in old + new) else reason
    words = [word + ("" if word in old and word in new else ":old" if word in old else ":new")
             for word in _REMARKS if word in old or word in new]
    unlike = any(matters and (word in old) != (word in new) for word, matters in _REMARKS.items())
    return reason, ";".join(words), unlike and has_notes


class Cell:
    """A cell.  rows: that of each file, old and new in turns, or None."""

    __slots__ = ("rows",)

    def __init__(self, count):
        self.rows = [None] * count

    row = property(lambda self: self.rows[0] or next(filter(None, self.rows)))
    missing = property(lambda self: self.rows.index(None))  # the first file that lacks it
    reason = property(lambda self: self.noted[0])

    @property
    def gone(self):
        """Whether the old side has figures of the cell, and some new file has none."""
        measured = [row is not None and not row.skipped and not row.incomplete for row in self.rows]
        return any(measured[::2]) and not all(measured[1::2])

    @property
    def noted(self):
        """(reason, remarks, unlike).  reason: why it cannot be compared, or ""; remarks: notes of
        interest, WORD when on both sides, else WORD:old, WORD:new; unlike: only one side did the
        work asked for."""
        notes = tuple(row.note_text for row in self.rows)
        has_notes = any(notes) and all(row.result.has_notes for row in self.rows)
        return _noted(has_notes, notes) if any(notes) else ("", "", False)


def _values(results, axis):
    """All that results have in an axis."""
    return {value_of(axes, axis) for result in results for axes in result.axes}


class Match:
    """The cells of files, old and new in turns.  cells: those in all files, in the order of the
    first one; lonely: the others; axes: {axis: (old, new)} that are compared; labels_name_files;
    one_reference: that of both sides is of use."""

    def __init__(self, results):
        self.results, self.axes = results, {}
        for axis in COMPARED:
            old, new = (_values(results[side::2], axis) for side in (0, 1))
            if len(old) == len(new) == 1 and old != new:
                self.axes[axis] = old.pop(), new.pop()
        # each file has a label, which is not on the other side, and not all have the same
        old, new = (_values(results[side::2], "label") for side in (0, 1))
        self.labels_name_files = "label" not in self.axes and not old & new and (
            len(old | new) > 1 and all(len(_values([result], "label")) == 1 for result in results))
        self.one_reference = "ranks" not in self.axes  # ranks may share processors, which slows it
        self.cells, self.lonely = [], []
        for cell in self._group():
            (self.cells if all(cell.rows) else self.lonely).append(cell)
        if not self.cells:
            cell = self.lonely[0]
            raise Problem("nothing to compare: no cell is in all files",
                          f"{results[cell.missing].name} has no {describe(cell.row)}")

    def _group(self):
        ignored = {"step", *self.axes, *["label"] * self.labels_name_files}
        key_of = operator.attrgetter(*(axis for axis in AXES[:-1] if axis not in ignored))
        found, cells = collections.defaultdict(dict), []
        for number, result in enumerate(self.results):
            of_axes = {axes: found[key_of(axes)] for axes in result.axes}
            for row in result.rows:
                sizes = of_axes[row.axes]
                cell = sizes.get(row.size_bytes)
                if cell is None:
                    cell = sizes[row.size_bytes] = Cell(len(self.results))
                    cells.append(cell)
                if cell.rows[number]:
                    raise Problem(f"several rows for one cell in {result.name}",
                                  f"the cell is {describe(row)}; use one file per sweep")
                cell.rows[number] = row
        return cells
