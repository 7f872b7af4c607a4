# SPDX-License-Identifier: GPL-2.0-or-later
# Copyright (C) 2026 The iosweep authors
"""A report as blocks, and two writers: an HTML page, and GitHub Markdown.

The page has no script and no external references. It is well-formed XML, so that tests can parse
it. Blocks contain unescaped texts of files; the writers escape them.
"""

import base64
import re
import string
from collections import namedtuple

from . import figure, text

# meta: a line for each file; warnings, claims: sentences.
Document = namedtuple("Document", "title about meta warnings claims chapters")
# name: of its anchor; folded: in Markdown.  blocks: (kind, ...), by what a writer makes of them:
#   ("p" | "heading" | "item" | "code", text)
#   ("table", caption, columns, left, groups): groups are (name, rows), with a text for each column;
#       left: columns of words
#   ("folded", title, blocks)  ("picture", Figure)  ("data", name, stream): a file to be saved
Chapter = namedtuple("Chapter", "name title about blocks folded", defaults=(False,))


class _Writer:
    """Common to both writers. forms: of blocks of one text; escape: for texts where markup is
    interpreted, plain: where only HTML is; put: writes."""

    def blocks(self, blocks):
        """Writes each block by its form, or by the method of that name."""
        for kind, *words in blocks:
            if kind in self.forms:
                self.put(self.forms[kind].format(*map(self.escape, words)))
            else:
                getattr(self, kind)(*words)

    def folded(self, title, blocks):
        self.put(f"<details><summary>{self.plain(title)}</summary>\n\n")
        self.blocks(blocks)
        self.put("\n</details>\n\n")


def _esc(words):
    """Escapes a text of a file: markup, and characters that change the direction of writing."""
    return figure.escape(text.printable_sentence(str(words)))


_WHOLE = re.compile(r"(?<![\w-])(--?[a-z][a-z-]*|\d{4}-\d\d-\d\d)")


def _prose(words):
    """The same, without line breaks after the hyphens of options and dates."""
    return _WHOLE.sub(r'<span class="whole">\1</span>', _esc(words))


class Html(_Writer):
    """Writes a Document as a page, of the template report.html."""

    forms = {"p": "<p>{}</p>\n", "heading": "<h3>{}</h3>\n", "item": "<ul><li>{}</li></ul>\n",
             "code": '<pre class="run">{}</pre>\n'}
    escape, plain = staticmethod(_prose), staticmethod(_esc)

    def __init__(self, document, stream):
        self.put, self.pictures = stream.write, 0
        sheet = re.sub("<!--.*?-->\n", "", text.data("report.html"), flags=re.DOTALL)
        head, _, foot = sheet.partition("$chapters")
        links = (f'<a href="#{c.name}">{_esc(c.title)}</a>' for c in document.chapters)
        light, dark = ("; ".join(f"--{name}: {colour}" for name, colour in theme.items())
                       for theme in figure.THEMES)
        boxes = ""
        for kind, first, words in ((" warning", "<b>Warning:</b> ", document.warnings),
                                   ("", "", document.claims)):
            lines = "</p>\n<p>".join(map(_prose, words))
            boxes += f'<div class="box{kind}">\n<p>{first}{lines}</p>\n</div>\n' if words else ""
        self.put(string.Template(head).substitute(
            title=_esc(document.title), about=_prose(document.about), light=light, dark=dark,
            pictures=figure.style().replace("&", "&amp;").replace("<", "&lt;"), boxes=boxes,
            meta="<br/>".join(map(_prose, document.meta)), links="".join(links)))
        for chapter in document.chapters:
            about = f'<p class="about">{_prose(chapter.about)}</p>\n' if chapter.about else ""
            self.put(f'<section id="{chapter.name}">\n<h2>{_esc(chapter.title)}</h2>\n{about}')
            self.blocks(chapter.blocks)
            self.put("</section>\n")
        self.put(foot)

    def table(self, caption, columns, left, groups):
        kinds = [' class="w"' if name in left else "" for name in columns]
        names = "".join(map('<th scope="col"{}>{}</th>'.format, kinds, map(_esc, columns)))
        self.put(f'<div class="wide" tabindex="0"><table><caption>{_esc(caption)}</caption>'
                 f"<thead><tr>{names}</tr></thead><tbody>\n")
        for name, rows in groups:
            if name:
                span = f'colspan="{len(kinds)}" scope="rowgroup"'
                self.put(f'<tr class="group"><th {span}>{_esc(name)}</th></tr>\n')
            for row in rows:
                first, *cells = map("{}>{}</".format, kinds, map(_prose, row))
                cells = "".join(f"<td{cell}td>" for cell in cells)
                self.put(f'<tr><th scope="row"{first}th>{cells}</tr>\n')
        self.put("</tbody></table></div>\n")

    def picture(self, drawn):
        self.pictures += 1
        picture = figure.svg(drawn, standalone=False, id_prefix=f"figure{self.pictures}")
        picture = re.sub(' xmlns="[^"]*"', "", picture, count=1)  # HTML knows it; it is an address
        self.put(f"<figure>\n{picture}</figure>\n")

    def data(self, name, stream):
        stream.seek(0)
        content = base64.b64encode(stream.read()).decode("ascii")
        self.put(f'<p><a download="{_esc(name)}" href="data:application/octet-stream;base64,'
                 f'{content}">{_esc(name)}</a></p>\n')


_MARKUP = re.compile(r"[\\`*\[\]#|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
                     r"|^[-+](?=[-\s]|$)|^\d+[.)](?=\s|$)")


def _plain(words):
    """For places that interpret HTML but not Markdown. A comment prevents "@name" and "#1" from
    becoming mentions and links."""
    words = figure.escape(text.printable_sentence(str(words)), False)
    return re.sub("[@#]", r"\g<0><!-- -->", words)


def _md(words):
    """Escapes a text for Markdown and HTML."""
    words = text.printable_sentence(str(words))
    return _plain(_MARKUP.sub(lambda m: m[0][:-1] + "\\" + m[0][-1], words))


class Markdown(_Writer):
    """Writes a Document for an issue or a pull request, without pictures and data."""

    forms = {"p": "{}\n\n", "heading": "**{}**\n\n", "item": "- {}\n"}
    escape, plain = staticmethod(_md), staticmethod(_plain)

    def __init__(self, document, stream):
        self.put = stream.write
        self.put(f"<!-- iosweep report -->\n### {_md(document.title)}\n\n{_md(document.about)}\n\n")
        if document.warnings:
            lines = ">\n".join(f"> {_md(words)}\n" for words in document.warnings)
            self.put(f"> [!WARNING]\n{lines}\n")
        self.blocks(("item", words) for words in document.claims)
        for chapter in document.chapters:
            blocks = [b for b in chapter.blocks if b[0] not in ("picture", "data")]
            if blocks and chapter.folded:
                self.folded(chapter.title, blocks)
            elif blocks:
                self.put(f"\n#### {_md(chapter.title)}\n\n{_md(chapter.about)}\n\n")
                self.blocks(blocks)

    def code(self, words):
        words = text.printable_sentence(words)
        fence = "`" * max([3] + [len(run) + 1 for run in re.findall("`+", words)])
        self.put(f"{fence}sh\n{words}\n{fence}\n\n")

    def table(self, caption, columns, left, groups):
        if any(name for name, _ in groups):
            columns, left = ["curve", *columns], ["curve", *left]
        lines = [columns, *([name] * (len(columns) - len(row)) + row
                            for name, rows in groups for row in rows)]
        head, *body = ("| " + " | ".join(_md(cell) or "\u2013" for cell in line) + " |\n"
                       for line in lines)
        rule = "|" + "".join("---|" if name in left else "---:|" for name in columns) + "\n"
        caption = f"**{_md(caption)}**\n\n" if caption else ""
        self.put(caption + head + rule + "".join(body) + "\n")
