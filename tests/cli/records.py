# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""records.py - what a JSON document of a sweep holds, for the tests."""
import json


def load(name, **how):
    """The records of a document by kind: those of which there is one as themselves, the others as
    lists, findings as texts.  Rows get their rounds: round_ns and reference_round_ns."""
    with open(name, encoding="utf-8") as file:
        document = json.load(file, **how)
    kinds = {kind: [record for record in document if record["record"] == kind]
             for kind in ("cell", "slice", "row", "interval", "summary", "finding", "pair")}
    for row in kinds["row"]:
        rounds = [one for one in kinds["slice"]
                  if one["cell"] == row["cell"] and one.get("counted", True)
                  and one["op_ns"] is not None]
        row["round_ns"] = [one["op_ns"] for one in rounds]
        row["reference_round_ns"] = [one["reference_ns"] for one in rounds]
    kinds["finding"] = [record["text"] for record in kinds["finding"]]
    return {**kinds, "head": document[0], "end": document[-1]}
