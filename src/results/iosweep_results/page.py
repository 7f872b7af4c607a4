# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""A report as blocks, and two writers of them: a page of HTML, and Markdown as GitHub reads it.

The page has no script and refers to nothing outside.  It is well-formed XML, so that tests can read
it.  Blocks have texts as files have them; the writers escape them.
"""

import os
import re
import string
from collections import namedtuple

from . import figure, text

# --- the model

# meta: a line for each file; warnings, claims: sentences.
Document = namedtuple("Document", "title about meta warnings claims chapters")
# name: of its anchor; folded: in Markdown.
Chapter = namedtuple("Chapter", "name title about blocks folded", defaults=(False,))
# Blocks.  Words: kind, of the forms of a writer, and its texts.  Table: groups are (name, rows); a
# row has a text or a Bar for each column; left: columns of words; heads: what the names of groups
# are.  Facts: rows are (name, value).  Data: lines() returns texts.
Words = namedtuple("Words", "kind texts")
Bar = namedtuple("Bar", "words share")
Table = namedtuple("Table", "columns left groups caption heads", defaults=("", "curve"))
Facts = namedtuple("Facts", "caption rows")
Folded = namedtuple("Folded", "title blocks")
Picture = namedtuple("Picture", "figure")
Data = namedtuple("Data", "name format lines")


def say(words, kind="p"):
    """A block of one text."""
    return Words(kind, [words])


class _Writer:
    """What writers share.  forms: of Words and Folded; escape: of texts; put: writes."""

    def blocks(self, blocks):
        """Each by the method that is called like it."""
        for block in blocks:
            getattr(self, type(block).__name__.lower())(block)

    def words(self, block):
        self.put(self.forms[block.kind].format(*map(self.escape, block.texts)))

    def folded(self, block):
        self.put(self.forms["fold"].format(self.plain(block.title)))
        self.blocks(block.blocks)
        self.put(self.forms["end"])


# --- HTML


def _esc(words):
    """A text of a file: nothing in it is markup, or changes the direction of writing."""
    return figure.escape(text.printable_sentence(str(words)))


def escape_data(words):
    """Data that are read back: as they are, where XML allows that."""
    words = text.to_bytes(words).decode("utf-8", "replace")
    words = re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", words)
    words = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return words.replace("\r", "&#13;")  # which would be read as the end of a line


class Html(_Writer):
    """Writes a Document as a page, of the template report.html."""

    rows_most = 2000  # that a browser shows at once
    forms = {
        "p": "<p>{}</p>\n", "heading": "<h3>{}</h3>\n", "code": '<pre class="run">{}</pre>\n',
        "item": "<ul><li>{}</li></ul>\n", "warning": '<p class="box warning">{}</p>\n',
        "term": '<dl><dt>{} <span class="dim">{}</span></dt><dd>{}</dd></dl>\n',
        "fold": "<details><summary>{}</summary>\n", "end": "</details>\n",
    }
    escape = plain = staticmethod(_esc)

    def __init__(self, document, stream):
        self.put, self.pictures, self.data_count = stream.write, 0, 0
        name = os.path.join(os.path.dirname(__file__), "report.html")
        with open(name, encoding="utf-8") as template:
            sheet = re.sub("<!--.*?-->\n", "", template.read(), flags=re.DOTALL)
        head, _, foot = sheet.partition("$chapters")
        style = figure.style().replace("&", "&amp;").replace("<", "&lt;")
        links = (f'<a href="#{c.name}">{_esc(c.title)}</a>' for c in document.chapters)
        self.put(string.Template(head).substitute(
            title=_esc(document.title), about=_esc(document.about), pictures=style,
            meta="<br/>".join(map(_esc, document.meta)), links="".join(links),
            boxes=self._box(" warning", document.warnings) + self._box("", document.claims)))
        for chapter in document.chapters:
            about = f'<p class="about">{_esc(chapter.about)}</p>\n' if chapter.about else ""
            self.put(f'<section id="{chapter.name}">\n<h2>{_esc(chapter.title)}</h2>\n{about}')
            self.blocks(chapter.blocks)
            self.put("</section>\n")
        self.put(foot)

    @staticmethod
    def _box(kind, sentences):
        lines = "".join(f"<p>{_esc(sentence)}</p>\n" for sentence in sentences)
        lines = lines.replace("<p>", "<p><b>Warning:</b> ", 1) if kind else lines
        return f'<div class="box{kind}">\n{lines}</div>\n' if lines else ""

    def table(self, block):
        kinds = [' class="w"' if name in block.left else "" for name in block.columns]
        caption = f"<caption>{_esc(block.caption)}</caption>" if block.caption else ""
        form = '<th scope="col"{}>{}</th>'
        names = "".join(map(form.format, kinds, map(_esc, block.columns)))
        self.put(f'<div class="wide" tabindex="0"><table>{caption}<thead><tr>{names}</tr></thead>'
                 "<tbody>\n")
        for name, rows in block.groups:
            if name:
                span = f'colspan="{len(kinds)}" scope="rowgroup"'
                self.put(f'<tr class="group"><th {span}>{_esc(name)}</th></tr>\n')
            for row in rows:
                cells = "".join(map(self._cell, row, kinds))
                cells = re.sub("^<td(.*?)</td>", r'<th scope="row"\1</th>', cells)
                self.put(f"<tr>{cells}</tr>\n")
        self.put("</tbody></table></div>\n")

    @staticmethod
    def _cell(cell, kind):
        if isinstance(cell, Bar):
            kind, cell = f' class="bar" style="--s:{cell.share * 100:.0f}%"', cell.words
        return f"<td{kind}>{_esc(cell)}</td>"

    def facts(self, block):
        form = '<tr><th scope="row">{}</th><td>{}</td></tr>\n'
        lines = "".join(form.format(*map(_esc, row)) for row in block.rows)
        caption = f"<caption>{_esc(block.caption)}</caption>"
        self.put(f'<table class="facts">{caption}<tbody>\n{lines}</tbody></table>\n')

    def picture(self, block):
        self.pictures += 1
        picture = figure.svg(block.figure, standalone=False, id_prefix=f"figure{self.pictures}")
        picture = re.sub(' xmlns="[^"]*"', "", picture, count=1)  # HTML knows it; it is an address
        kind = ' class="many"' if len(block.figure.panels) > 3 else ""
        self.put(f"<figure{kind}>\n{picture}</figure>\n")

    def data(self, block):
        self.data_count += 1
        name = _esc(block.name)
        self.put(f'<details><summary>{name}</summary>\n<pre id="iosweep-data-{self.data_count}"'
                 f' data-name="{name}" data-format="{block.format}" tabindex="0">\n')
        for line in block.lines():
            self.put(escape_data(line))
        self.put("</pre></details>\n")


# --- Markdown

_MARKUP = re.compile(r"[\\`*\[\]#|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+]|^\d+[.)](?=\s|$)")


def _plain(words):
    """Where HTML is read and no Markdown.  A comment keeps "@name" and "#1" from being taken for a
    person to be called and an issue to be linked."""
    words = text.printable_sentence(str(words)).replace("&", "&amp;").replace("<", "&lt;")
    return re.sub("[@#]", r"\g<0><!-- -->", words.replace(">", "&gt;"))


def _md(words):
    """A text with nothing that Markdown or HTML reads."""
    words = text.printable_sentence(str(words))
    return _plain(_MARKUP.sub(lambda m: m[0][:-1] + "\\" + m[0][-1], words))


class Markdown(_Writer):
    """Writes a Document for an issue or a pull request, without pictures and data."""

    rows_most = 500  # such sites take 65536 characters
    forms = {
        "p": "{}\n\n", "heading": "**{}**\n\n", "warning": "**{}**\n\n", "item": "- {}\n",
        "term": "- **{}** ({}): {}\n", "fold": "<details><summary>{}</summary>\n\n",
        "end": "\n</details>\n\n",
    }
    escape, plain = staticmethod(_md), staticmethod(_plain)

    def __init__(self, document, stream):
        self.put = stream.write
        self.put(f"<!-- iosweep report -->\n### {_md(document.title)}\n\n{_md(document.about)}\n\n")
        if document.warnings:
            lines = ">\n".join(f"> {_md(words)}\n" for words in document.warnings)
            self.put(f"> [!WARNING]\n{lines}\n")
        self.blocks(say(words, "item") for words in document.claims)
        for chapter in document.chapters:
            blocks = [b for b in chapter.blocks if not isinstance(b, (Picture, Data))]
            if blocks and chapter.folded:
                self.folded(Folded(chapter.title, blocks))
            elif blocks:
                self.put(f"\n#### {_md(chapter.title)}\n\n{_md(chapter.about)}\n\n")
                self.blocks(blocks)

    def words(self, block):
        if block.kind != "code":
            super().words(block)
            return
        words = text.printable_sentence(block.texts[0])
        fence = "`" * max([3] + [len(run) + 1 for run in re.findall("`+", words)])
        self.put(f"{fence}sh\n{words}\n{fence}\n\n")

    def table(self, block):
        columns, left = list(block.columns), block.left
        if any(name for name, _ in block.groups):
            columns, left = [block.heads, *columns], [block.heads, *left]
        self.put(f"**{_md(block.caption)}**\n\n" if block.caption else "")
        self._line(columns)
        self.put("|" + "".join("---|" if name in left else "---:|" for name in columns) + "\n")
        for name, rows in block.groups:
            for row in rows:
                cells = [cell.words if isinstance(cell, Bar) else cell for cell in row]
                self._line([name] * (len(columns) - len(row)) + cells)
        self.put("\n")

    def _line(self, cells):
        self.put("| " + " | ".join(_md(cell) or "\u2013" for cell in cells) + " |\n")

    def facts(self, block):
        columns = ("fact", "value")
        self.table(Table(columns, columns, [("", block.rows)], block.caption))
