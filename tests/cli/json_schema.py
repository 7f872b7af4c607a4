# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""json_schema.py SCHEMA FILE...: are these documents as doc/iosweep.schema.json says?  The schema lets
readers meet members that it does not list; here such members are faults, since iosweep wrote them.
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

HEAD = {"iosweep", "schema_version", "document"}  # of print_json_head


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
    while error is not None and error.context:  # of alternatives: what is wrong in the one it tried to be
        error = max(error.context, key=lambda one: len(one.absolute_path))
    return error and f"{error.json_path}: {error.message[:300]}"


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
    put = re.compile(r'(?:\bput_\w+|open_group|print_member)\((?:json|stream), "([a-z][a-z0-9_]*)"')
    text = re.compile(r'\\"([a-z][a-z0-9_]*)\\":')
    field = re.compile(r'\.name = "([a-z][a-z0-9_]*)"|\[\w+\] = \{"([a-z][a-z0-9_]*)", \d')
    names = set()
    for pattern in ("report/formats/json*.c", "analysis/*_print.c"):
        for path in pathlib.Path(sources).glob(pattern):
            source = path.read_text()
            for found in (put, text) + ((field,) if "json" not in path.name else ()):
                names.update(name for match in found.finditer(source) for name in match.groups() if name)
    return names


def check_schema(schema, sources, columns):
    Draft202012Validator.check_schema(schema)
    names = set(properties(schema))
    rows = schema["$defs"]["row"]["properties"]
    wanted = [line.rstrip("\n").split("\t") for line in open(columns)]
    listed = list(rows)[: len(wanted)]
    if listed != [name for name, *_ in wanted]:
        return f"the columns of a row differ: {set(listed) ^ {name for name, *_ in wanted} or 'their order'}"
    for name, unit, *_ in wanted:
        kind = "text" if unit == "text" else "number_or_null"
        if rows[name].get("$ref") != "#/$defs/" + kind:
            return f"column {name} of unit {unit} is not {kind}"
    here = written(sources)
    if len(here) < 150:
        return f"only {len(here)} names of members found in the sources"
    # only in CSV
    if lacks := here - names - {"record", "kind"}:
        return f"the schema lacks {sorted(lacks)}"
    return None


def faulty(document):
    """Documents with one fault each, and what it is."""
    changes = [
        ("a member of the document", lambda d: d.update(finding=[])),
        ("a member of run", lambda d: d["run"].update(sed=1)),
        ("a member of host", lambda d: d["run"]["host"].update(kernels="6")),
        ("a setting", lambda d: d["run"]["settings"].update(sizes_bytes=[1])),
        ("a column", lambda d: d["rows"][0].update(latency_ns_p9=1)),
        ("a text for a number", lambda d: d["rows"][0].update(time_s="1")),
        ("a number below 0", lambda d: d["rows"][0].update(time_s=-1)),
        ("a number for a text", lambda d: d["rows"][0].update(test=1)),
        ("a bucket without count", lambda d: d["rows"][0].update(latency_histogram=[[1]])),
        ("a row without rounds", lambda d: d["rows"][0].pop("round_ns")),
        ("a run without host", lambda d: d["run"].pop("host")),
        ("no rows", lambda d: d.pop("rows")),
        ("no version", lambda d: d.pop("schema_version")),
        ("another version", lambda d: d.update(schema_version="2.0")),
        ("no kind", lambda d: d.pop("document")),
    ]
    for what, change in changes:
        wrong = copy.deepcopy(document)
        change(wrong)
        yield what, wrong


def check_wrong(schema, name):
    with open(name) as file:
        document = json.load(file)
    strictly = Draft202012Validator(strict_schema(schema))
    for what, wrong in faulty(document):
        if strictly.is_valid(wrong):
            return f"not refused: {what}"
    # what a later version adds is no fault to readers
    document["later"] = document["rows"][0]["later"] = document["run"]["host"]["later"] = 1
    document["schema_version"] = "1.17"
    if why := fault(Draft202012Validator(schema), document):
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
            with open(name, encoding="utf-8") as file:
                why = fault(validator, json.load(file))
        except ValueError as problem:
            why = f"not JSON: {problem}"
        if why:
            return f"{name}: {why}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv))
