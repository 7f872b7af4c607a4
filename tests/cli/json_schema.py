# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""json_schema.py SCHEMA FILE...: are these documents as doc/iosweep.schema.json says?  Of a sweep,
it describes each record, and every record is a line; a document that ends in the middle of a sweep
is one of NAME.part.  The schema lets readers meet members and records that it does not list; here
they are faults, since iosweep wrote them.
    schema SOURCES COLUMNS  instead of FILE: is the schema one, does it name what the sources of
                  iosweep write and the columns of help columns, in order, with their types?
    members       prints the members below each definition, with their types
    wrong FILE    are documents refused that are made from FILE with one fault each?
Exit status 0, 1 with what is wrong, or 77 without the module jsonschema (4.0 or later)."""
import copy
import json
import pathlib
import re
import sys

try:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
except ImportError:
    print("SKIP: the Python module jsonschema 4.0 or later is not installed")
    sys.exit(77)

RECORDS = ("head", "cell", "slice", "row", "interval", "summary", "pair", "finding",
           "end")


def strict(part):
    """A copy of a part of the schema that takes no members but those it lists."""
    if isinstance(part, list):
        return [strict(value) for value in part]
    if not isinstance(part, dict):
        return part
    part = {key: strict(value) for key, value in part.items()}
    if isinstance(part.get("properties"), dict) and "type" in part:
        part.setdefault("additionalProperties", False)
    return part


def strict_schema(schema):
    return {**schema, "$defs": strict(schema["$defs"])}


def fault(validator, document):
    """The first thing that is wrong, or None."""
    error = best_match(validator.iter_errors(document))
    while error is not None and error.context:  # of alternatives: that in the one that fits best
        error = max(error.context, key=lambda one: len(one.absolute_path))
    return error and f"{error.json_path}: {error.message[:300]}"


def records(name):
    """The records of a document of a sweep; ValueError where it is none."""
    with open(name, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if lines[-1] or lines[0] != "[" or len(lines) < 3:
        raise ValueError("not an array of lines")
    end = len(lines) - 1 if name.endswith(".part") else lines.index("]")
    if end < len(lines) - 2:
        raise ValueError("something follows the end")
    if any(line.startswith(",") != (at > 0) for at, line in enumerate(lines[1:end])):
        raise ValueError("a comma is missing, or one too many")
    return [json.loads(line.removeprefix(",")) for line in lines[1:end]]


def apart(document):
    """Rows that are not the sum of their slices."""
    rows = [record for record in document if record["record"] == "row" and "operations" in record]
    slices = [record for record in document
              if record["record"] == "slice" and record.get("counted", True)]
    for row in rows:
        own = [one for one in slices if one["cell"] == row["cell"]]
        if sum(one["operations"] for one in own) != row["operations"]:
            return f"row {row['cell']} has other operations than its slices"
        if row.get("rounds", 0) not in (None, 0, sum(one["op_ns"] is not None for one in own)):
            return f"row {row['cell']} has other rounds than its slices"
    return None


def faults(validator, name):
    """What is wrong with a document, if anything."""
    with open(name, encoding="utf-8") as file:
        if file.read(1) != "[":
            file.seek(0)
            return fault(validator, json.load(file))
    document = records(name)
    kinds = [record.get("record") for record in document]
    has_end = not name.endswith(".part")
    if kinds[0] != "head" or kinds.count("head") != 1 or kinds.count("end") != has_end:
        return f"its records are {kinds}"
    if unknown := set(kinds) - set(RECORDS):
        return f"records of a kind that the schema does not have: {unknown}"
    return next((why for record in document if (why := fault(validator, record))),
                None if "merged" in document[0] else apart(document))


def properties(part):
    if isinstance(part, list):
        for value in part:
            yield from properties(value)
    elif isinstance(part, dict):
        yield from part.get("properties", {})
        for value in part.values():
            yield from properties(value)


def members(part, path):
    """Members below a definition and their types, a line each."""
    if isinstance(part, list):
        for value in part:
            yield from members(value, path)
    elif isinstance(part, dict):
        for name, value in part.get("properties", {}).items():
            kind = value.get("$ref", "").removeprefix("#/$defs/") or value.get("type", "text")
            yield f"{path}.{name} {kind if isinstance(kind, str) else '|'.join(kind)}"
            yield from members(value, f"{path}.{name}")
        yield from members(part.get("items"), path)


def all_members(schema):
    for name, part in schema["$defs"].items():
        yield from members(part, name)


def written(sources):
    """Names of members in the sources that write documents."""
    put = re.compile(r'\b(?:put_\w+|open_group)\(json, "([a-z][a-z0-9_]*)"')
    return {name for path in pathlib.Path(sources).glob("report/formats/json*.c")
            for name in put.findall(path.read_text())}


def check_schema(schema, sources, columns):
    Draft202012Validator.check_schema(schema)
    names = set(properties(schema))
    rows = schema["$defs"]["row"]["properties"]
    wanted = [line.rstrip("\n").split("\t") for line in open(columns)]
    listed = list(rows)[2 : len(wanted) + 2]  # after record and cell
    if listed != [name for name, *_ in wanted]:
        unlike = set(listed) ^ {name for name, *_ in wanted}
        return f"the columns of a row differ: {unlike or 'their order'}"
    for name, unit, *_ in wanted:
        kind = "text" if unit == "text" else "number_or_null"
        if rows[name].get("$ref") != "#/$defs/" + kind:
            return f"column {name} of unit {unit} is not {kind}"
    here = written(sources)
    if len(here) < 120:
        return f"only {len(here)} names of members found in the sources"
    if lacks := here - names:
        return f"the schema lacks {sorted(lacks)}"
    return None


def faulty(head, row):
    """Records with one fault each, and what it is."""
    changes = [
        ("a member of the head", head, lambda r: r.update(sed=1)),
        ("a member of host", head, lambda r: r["host"].update(kernels="6")),
        ("a setting", head, lambda r: r["settings"].update(sizes_bytes=[1])),
        ("a column", row, lambda r: r.update(latency_ns_p9=1)),
        ("a text for a number", row, lambda r: r.update(time_s="1")),
        ("a number below 0", row, lambda r: r.update(time_s=-1)),
        ("a number for a text", row, lambda r: r.update(test=1)),
        ("a bucket without count", row, lambda r: r.update(latency_histogram=[[1]])),
        ("a row without cell", row, lambda r: r.pop("cell")),
        ("a head without host", head, lambda r: r.pop("host")),
        ("no version", head, lambda r: r.pop("schema_version")),
        ("another version", head, lambda r: r.update(schema_version="3.0")),
        ("no kind", row, lambda r: r.pop("record")),
    ]
    for what, record, change in changes:
        wrong = copy.deepcopy(record)
        change(wrong)
        yield what, wrong


def check_wrong(schema, name):
    document = records(name)
    head, row = document[0], next(record for record in document if record["record"] == "row")
    strictly = Draft202012Validator(strict_schema(schema))
    for what, wrong in faulty(head, row):
        if strictly.is_valid(wrong):
            return f"not refused: {what}"
    # additions of a later version are no fault for readers
    head["later"] = head["host"]["later"] = row["later"] = 1
    head["schema_version"] = "2.17"
    for record in (head, row, {"record": "later"}):
        if why := fault(Draft202012Validator(schema), record):
            return f"a later version is refused: {why}"
    return None


def main(words):
    with open(words[1]) as file:
        schema = json.load(file)
    if words[2] == "schema":
        return check_schema(schema, *words[3:])
    if words[2] == "members":
        print("\n".join(all_members(schema)))
        return None
    if words[2] == "wrong":
        return check_wrong(schema, words[3])
    validator = Draft202012Validator(strict_schema(schema))
    for name in words[2:]:
        try:
            why = faults(validator, name)
        except ValueError as problem:
            why = f"not JSON: {problem}"
        if why:
            return f"{name}: {why}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv))
