# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""iosweep report: results as a self-contained page, or as Markdown.

What casts doubt on figures comes before the figures; what is common to all rows appears once. This
module defines the contents of a report; page.py writes it, plot.py draws, compare.py judges.
"""

import collections
import math
import os
import re

from . import cli, compare, match, plot, read, text
from .page import Chapter, Document, Html, Markdown
from .plot import joined
from .text import Problem, printable

_WRITERS = {"html": Html, "md": Markdown}
OPTIONS = {"--format": {"choices": list(_WRITERS)}}
_DATA_MOST = 16 << 20  # bytes of all files that a page contains
_UNSTEADY = 0.1  # half width of an interval, as a share, above which a figure must not be quoted


def _short(name):
    """A name without its middle, if it is too long for the page."""
    name = text.printable_sentence(str(name))
    return name if len(name) <= 80 else f"{name[:40]}\u2026{name[-28:]}"


def _sentence(words, names=()):
    """Formats a sentence for a page. names: of targets, which keep their first letter."""
    word = re.match("[a-z]+(?=[ ,:])", words)
    first = words[:1].upper() if word and word[0] not in names else words[:1]
    return first + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def _meta(result):
    """ "run.json: host vm, Linux 6.1.0, DATE, iosweep 1.0"."""
    names = {"host.name": "host ", "host.kernel": "", "date": "", "iosweep": "iosweep "}
    known = (word + _short(result.fact(name)) for name, word in names.items() if result.fact(name))
    return ": ".join(filter(None, (result.name, ", ".join(known))))


# --- doubts about figures, and findings of a run


def _interval(row):
    """The distance of the ends of the interval from the time per operation, as shares; nan:
    unknown."""
    return [math.nan if end is None else end / row.op_ns - 1 for end in plot.TIME.interval(row)]


def _interval_text(row):
    low, high = (share * 100 for share in _interval(row))
    digits = 1 if high - low < 50 else 0
    return f"{low:+.{digits}f} .. {high:+.{digits}f} %" if high < math.inf else ""


def _wide(rows):
    """A sentence if intervals are so wide that figures must not be quoted; else ""."""
    widths = {row: high - low for row in rows for low, high in [_interval(row)] if low <= high}
    wide = [row for row in widths if widths[row] > 2 * _UNSTEADY]
    if not wide:
        return ""
    worst = max(wide, key=widths.get)
    return (f"intervals are wide: beyond \u00b1{_UNSTEADY * 100:.0f} % in"
            f" {text.share(len(wide), len(widths), 'row')} (worst: {printable(worst.test)} of"
            f" {text.size(worst.size_bytes)}, {_interval_text(worst)}); measure longer (--time,"
            " --rounds) or on a quieter machine before quoting the figures")


def _judged(result, rows):
    """(warnings, claims): sentences. rows: the shown ones."""
    warnings = [cli.cut_short(result) if result.complete else "the run was cut off: its results end"
                " in the middle, and rows under way are incomplete"]
    warnings += result.warnings or [_wide(rows)]
    names = {row.target for row in rows}
    return ([_sentence(words, names) for words in warnings if words],
            [_sentence(words, names) for words in result.findings])


# --- tables of rows


def _figure(form, value):
    """The text of a row in a column; "": unknown."""
    return lambda row: form(value(row)) if math.isfinite(value(row)) else ""


def _moved(row):
    asked = row.size_bytes * row.number("operations")
    return row.number("device_bytes") / asked if asked > 0 else math.nan


def _column(name, otherwise=lambda _: math.nan):
    """A function of a row: the number in a column, or in another one if that is unknown."""
    return lambda row: otherwise(row) if math.isnan(row.number(name)) else row.number(name)


_FIGURES = {  # by heading: function of a row; most important first
    "size": lambda row: text.size(row.size_bytes),
    "throughput": _figure(text.throughput,
                          _column("throughput_bytes_per_s", plot.THROUGHPUT.value)),
    "p50": _figure(text.time, plot.P50.value), "p99": _figure(text.time, plot.P99.value),
    "95 % interval": _interval_text, "time/op": _figure(text.time, plot.TIME.value),
    "rate": _figure(text.rate, _column("rate_per_s", plot.RATE.value)),
    "p90": _figure(text.time, _column("latency_ns_p90")),
    "p99.9": _figure(text.time, _column("latency_ns_p999")),
    "max": _figure(text.time, _column("latency_ns_max")),
    "rounds": _figure("{:.0f}".format, _column("rounds")),
    "moved / asked": _figure(lambda share: f"{share:.{2 if share < 10 else 0}f}", _moved),
    "from memory": _figure(lambda share: f"{share * 100:.0f} %", _column("cache_hit_fraction")),
    "errors": _figure("{:.0f}".format, _column("errors")),
}
_SAID_ONCE = {
    "errors": "each row has {} errors", "rounds": "each row has {} rounds",
    "from memory": "{} of each row came from memory",
    "moved / asked": "each row moved {} bytes to or from the storage for each byte asked for",
}


def _rows_chapter(curves):
    """A table of all rows; values common to all appear once, above it."""
    rows = [row for curve in curves for row in curve.rows]
    # by rows, each of which is parsed again
    texts = dict(zip(_FIGURES, zip(*([form(row) for form in _FIGURES.values()] for row in rows))))
    alike = [name for name in _SAID_ONCE if len(rows) > 1 and len(set(texts[name])) == 1]
    once = ["no errors" if (name, texts[name][0]) == ("errors", "0")
            else _SAID_ONCE[name].format(texts[name][0]) for name in alike if texts[name][0]]
    common = set.intersection(*(set(row.notes) for row in rows)) if len(rows) > 1 else set()
    once += [f"all rows have the note{'s' * (len(common) > 1)} "
             + joined(map(_short, sorted(common)), 9)] if common else []
    texts["notes"] = [", ".join(_short(n) for n in row.notes if n not in common) for row in rows]
    columns = [name for name in texts if any(texts[name]) and name not in alike]
    lines = dict(zip(rows, map(list, zip(*map(texts.get, columns)))))
    apart = read.words_apart(curves)
    groups = [(curve.name(apart), list(map(lines.get, curve.rows)))
              for alike in plot.groups(curves, ("test", "pass", "mix")) for curve in alike]
    about = ("Throughput, rate and time/op are means over the whole time, stalls included; the 95 %"
             " interval is how far they may be off; p50 to max are latencies of single operations.")
    about += "  " + _sentence("; ".join(once)) if once else ""
    return Chapter("sizes", "By size", about, [("table", "", columns, ("notes",), groups)])


# Chapters of pictures: name, title, words, and pictures of plot.KINDS, of which the first available
# one is used.
_DRAWN = {
    "curves": ("The curves", "Points are means; both axes are logarithmic.", "throughput"),
    "latency": ("Latency", "How long single operations took, from submission to completion.",
                "latency", "time"),
    "map": ("Maps", "The scale of colours is logarithmic.", "heat"),
    "course": ("Over time", "What was done in each interval; a line is interrupted where its row"
               " was not measured.", "series"),
}


def _picture(what, of, name, expected=True):
    """A block with the picture or, if expected, the reason why there is none."""
    try:
        return [("picture", plot.draw(what, of, name))]
    except Problem as problem:
        words = f"not drawn: {problem}"
        text.say(words, 2)
        return [("p", _sentence(words))] if expected else []


def _drawn_chapter(name, of, file, expected=False):
    title, about, *kinds = _DRAWN[name]
    blocks = (_picture(what, of, file.name, expected) for what in kinds)
    return Chapter(name, title, about, next(filter(None, blocks), []))


def _rounds_chapter(results):
    """The chapter of comparisons made during runs."""
    blocks = []
    for result in (result for result in results if result.pairs):
        blocks += [("heading", result.name)] if len(results) > 1 else []
        blocks += [("item", _sentence(pair["text"])) for pair in result.pairs]
        if any(len(pair["sizes"]) > 1 for pair in result.pairs):
            blocks += _picture("compare", result, result.name, False)
    about = ("Each value is compared with the first one, round by round: the ratio is that of"
             " typical rounds, with its 95 % interval.")
    return Chapter("rounds", "Compared in the same rounds", about, blocks)


def _compared(files):
    """(blocks, sentences) of files, old and new in turns."""
    try:
        comparison = compare.Comparison(files, compare.TOLERANCE)
    except Problem as problem:
        text.warn(f"not compared: {problem}")
        return [("p", _sentence(f"not compared: {problem}"))], []
    sentences = [_sentence(compare.sentence(overall)) for overall in comparison.overall.values()]
    blocks = [("p", f"Compared is the {words}.") for words in compare.heads(comparison)]
    if comparison.pairs == 1:
        blocks.append(("p", "One sweep of each: what varies between sweeps anyway is unknown, and"
                            " can look like a difference."))
    blocks += _picture("compare", comparison, files[0].name)
    return [*blocks, _cells_table(comparison)], sentences


_CELL = ("size", "change", "interval", "verdict", "old", "new", "notes")


def _cells_table(comparison):
    """A table of these columns of compare, with the other differing columns as group names."""
    made, groups = compare.table(comparison, comparison.cells), {}
    columns = made.columns()
    apart = [axis for axis in match.COMPARED if axis in columns]
    shown = [name for name in _CELL if name in columns]
    for row, _ in made.rows:
        axes = (f"{axis} " * (axis in match.COMPARED[5:]) + _short(row[axis]) for axis in apart)
        name = ", ".join(filter(None, (row["test"], *axes)))
        groups.setdefault(name, []).append([row[column] for column in shown])
    headings = [made.headings[name] for name in shown]
    return "table", "", headings, ("verdict", "notes"), list(groups.items())


def _compared_chapter(pairs):
    """The chapter, and its claims."""
    blocks, claims = [], []
    for files in pairs:
        name = " against ".join(joined(f.name for f in files[side::2]) for side in (1, 0))
        its_blocks, sentences = _compared(files)
        claims += [f"{name}: " * (len(pairs) > 1) + words for words in sentences]
        blocks += [("heading", name), *its_blocks]
    about = (f"Time per operation, new / old: beyond \u00b1{compare.TOLERANCE * 100:.0f} % it is"
             " slower or faster.  The interval is the one of the verdict: 95 % over all cells, or"
             " where a cell is the same, of that cell.")
    return Chapter("compared", "Runs compared", about, blocks), claims


def notes_meaning():
    """{word: its meaning and advice} of notes.txt, the most serious first; a word that ends with a
    colon matches as a prefix."""
    notes = re.findall(r"^(\w\S*)\n((?:(?:  |> ).*\n)+)", text.data("notes.txt"), re.MULTILINE)
    return {word: " ".join(re.sub("^> ", "", lines, flags=re.MULTILINE).split())
            for word, lines in notes}


def _notes_chapter(results):
    rows = [row for result in results for row in result.rows if row.skipped or row.op_ns > 0]
    counts = collections.Counter(word for row in rows for word in row.notes)
    meanings, terms = notes_meaning(), []
    for word, count in counts.items():
        known = [k for k in meanings if k == word or (k.endswith(":") and word.startswith(k))]
        weight = list(meanings).index(known[0]) if known else len(meanings)
        meaning = meanings[known[0]] if known else "This version does not know this note."
        terms.append((weight, _short(word), f"{count} of {len(rows)}", meaning))
    columns = ("note", "rows", "meaning")
    blocks = [("table", "", columns, columns, [("", [list(term[1:]) for term in sorted(terms)])])]
    about = "What the notes of rows mean, the most serious first, and what to do about them."
    return Chapter("notes", "Notes", about, blocks if terms else [], True)


_WORDS = {
    "cpu": "processor", "place": "files in", "own_files": "files made by the run",
    "io_limits": "I/O limits", "direct_align": "alignment for O_DIRECT",
    "filesystem": "file system",
    "cell_time": "time per row", "max_time": "time of the run", "max_errors": "errors allowed",
}
_ELSEWHERE = ("record", "document", "command", "host", "targets", "settings")


def _name(name):
    stem = re.sub("_(bytes|ns|percent)(?=$|_most)", "", name)
    words = stem.replace("cpus", "processors").replace("_", " ")
    return _WORDS.get(stem, stem if "." in stem else words)  # of an engine: has its name


def _value(name, value, depth=0):
    """A fact as text."""
    if depth > 3 or isinstance(value, str) or value is None:
        return "\u2026" if depth > 3 else value or ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        known = ((n, _value(n, v, depth + 1)) for n, v in value.items() if v is not None)
        return joined((f"{_name(n)} {words}" for n, words in known), 50)
    if isinstance(value, list):
        return joined((_value(name, member, depth + 1) for member in value), 50)
    if name == "sizes" or name.endswith("_bytes"):
        exact = f" ({value} bytes)" if value % 1024 and value >= 1024 else ""
        return text.amount(value) + exact
    if name.endswith("_ns"):
        return text.time(value)
    return f"{value:.15g}{' %' * ('_percent' in name)}"


def _facts(result):
    """How to repeat the run, and where it was made."""
    head = {name: value for name, value in result.head.items() if isinstance(value, dict)}
    targets, groups = result.head.get("targets"), {"Machine": head.get("host", {})}
    for target in targets[:50] if isinstance(targets, list) else ():
        if isinstance(target, dict):
            groups[f"Target {_short(target.get('target'))}"] = {**target, "target": None}
    groups["Settings"] = head.get("settings", {})
    groups["Run"] = {n: v for n, v in {**result.head, **result.end}.items() if n not in _ELSEWHERE}
    shown = [(caption, [[_name(name), _value(name, value)] for name, value in members.items()
                        if value not in (None, "", [], {})]) for caption, members in groups.items()]
    if result.fact("command"):
        yield "p", "The command to repeat it:"
        yield "code", str(result.fact("command"))
    if not result.head:
        yield "p", ("These results do not contain the machine, settings and command of their run;"
                    " results in JSON do.")
    for caption, rows in shown:
        if rows:
            yield "table", caption, ("fact", "value"), ("fact", "value"), [("", rows)]


def _data_chapter(results):
    length = sum(result.stream.seek(0, os.SEEK_END) for result in results)
    if length <= _DATA_MOST:
        return Chapter("data", "Data", "The results of this page, to be saved as files:", [
            ("data", result.name, result.stream) for result in results])
    text.warn(f"results of more than {_DATA_MOST >> 20} MiB are not put into the page")
    about = f"The results, {length / 2**20:.1f} MiB, are in files of their own:"
    return Chapter("data", "Data", about, [("item", result.name) for result in results])


def make(every, options):
    """The Document.  every: Results, also of --series."""
    results = [result for result in every if result.rows]
    if not results:
        raise Problem(f"only records of --series: {every[0].name}",
                      "add the results of that run; or iosweep plot draws them")
    curves = plot.curves_of(results)
    rows = [row for curve in curves for row in curve.rows]
    judged = {result: _judged(result, [row for row in rows if row.result is result])
              for result in results}
    warned, findings = {}, []  # warnings of all files, each once
    for result, (warnings, _) in judged.items():
        for words in warnings:
            warned.setdefault(words, []).append(result.name)
    pairs, chapters, claims = cli.pairs_of("report", options, results), [], judged[results[0]][1]
    if pairs:
        compared, claims = _compared_chapter(pairs)
        chapters.append(compared)
        for result, (_, of_run) in judged.items():
            findings += [("heading", result.name)] if of_run else []
            findings += [("item", words) for words in of_run]
    sizes = [row.size_bytes for row in rows]
    by_size = [_drawn_chapter(name, curves, results[0]) for name in ("curves", "latency", "map")
               if len(set(sizes)) > 1]
    series = [result for result in every if result.intervals]
    course = [_drawn_chapter("course", series, series[0], True)] if series else []
    facts = [("folded", result.name, list(_facts(result))) for result in results]
    facts = Chapter("facts", "Machine, settings, command", "",
                    facts if len(facts) > 1 else facts[0][2], len(facts) == 1)
    chapters += [_rounds_chapter(results), *by_size[:1],
                 Chapter("findings", "Findings", "", findings), _rows_chapter(curves),
                 *by_size[1:], *course, _notes_chapter(results), facts, _data_chapter(every)]
    # the heading: tests, targets, sizes and settings
    place, settings = plot.titles(curves)
    tests = joined((printable(curve.rows[0].test) for curve in curves), 6) or "I/O"
    sizes = " to ".join(dict.fromkeys(map(text.size, (min(sizes), max(sizes)))))
    meta = [*map(_meta, results[:4]), *[f"and {len(results) - 4} more files"] * (len(results) > 4)]
    return Document(
        _short(f"{tests}: {place}"), " \u00b7 ".join(filter(None, (sizes, settings))), meta,
        [f"{joined(names)}: {words}" if len(judged) > 1 else words
         for words, names in warned.items()],
        claims, [chapter for chapter in chapters if chapter.blocks])


def run(options):
    """Writes the report."""
    if options.output in (None, "-") and os.isatty(1):
        raise Problem("a report is not for a terminal", "use -o FILE.html or FILE.md")
    writer = _WRITERS[cli.kind_of(options, "report", list(_WRITERS))]
    results = cli.read_all(options, plot.ROWS_MOST, series=True)
    for result in results:
        result.name = result.short  # hides directories from readers of the report
    cli.say_incomplete(results)
    document = make(results, options)
    with text.output(options.output, cli.files_of(options)) as stream:
        writer(document, stream)
    return 0
