"""Tables of a report as Markdown, HTML and CSV; text for a terminal is in _terminal.py, LaTeX in latex.py."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .._terminal import Table, cleaned, terminal_text

_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|inf|nan)", re.ASCII)


def markdown(given: Table) -> str:
    def line(cells: Iterable[str]) -> str:
        return "".join("| " + cell.replace("|", "\\|") + " " for cell in cells) + "|\n"
    found = cleaned(given)
    text = f"### {found.title}\n\n" + (f"{found.source}\n\n" if found.source else "")
    text += line(column.heading for column in found.columns)
    text += "".join("|---:" if column.right else "|:---" for column in found.columns) + "|\n"
    text += "".join(map(line, found.rows))
    return text + "".join(f"\n{note}\n" for note in found.notes)


def html(given: Table) -> str:
    from html import escape  # slow to import, and only notebooks need it

    def row(tag: str, cells: Iterable[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>\n"
    found = cleaned(given)
    return (f"<table>\n<caption>{escape(found.title)}</caption>\n{row('th', (column.heading for column in found.columns))}"
            f"{''.join(row('td', cells) for cells in found.rows)}</table>\n" + "".join(f"<p>{escape(note)}</p>\n" for note in found.notes))


def csv(headings: list[str], rows: Iterable[Iterable[str]]) -> str:
    return "".join(terminal_text(",".join(map(_field, row))) + "\n" for row in [headings, *rows])


def spreadsheet_text(cell: str) -> str:
    """Of a cell of CSV: an apostrophe keeps spreadsheets from running texts of others as formulas, which quotation marks do not.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("-2.5e-7"), spreadsheet_text("-2+3")
    ("'=1+1", '-2.5e-7', "'-2+3")
    """
    return "'" + cell if cell.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(cell) else cell


def _field(cell: str) -> str:
    cell = spreadsheet_text(cell)
    return '"' + cell.replace('"', '""') + '"' if re.search('[,"\n]', cell) else cell
