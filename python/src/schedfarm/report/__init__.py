"""The report of a result file in words and tables: text for a terminal, Markdown, LaTeX, CSV, and its warnings alone. Reads the file
only, and computes nothing that stands in it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

from .._json import json_text
from .._reading.file import ResultFile
from .._terminal import Column, Table, table_text, terminal_text
from . import latex, writers
from .answers import answers
from .main_table import full_precision, main_section, main_table
from .section import Section
from .summary import measured
from .tables import expect_table, stored_table, table_csv, table_rows
from .view import View
from .waits import NOTE as WAITS_NOTE

__all__ = ["View", "WAITS_NOTE", "answers", "first_table_html", "measured", "one_table", "sections", "text", "warnings"]

_MODULES = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
SECTIONS = sorted((own for module in _MODULES for own in vars(module).values() if isinstance(own, Section)), key=lambda own: own.place)
WRITERS: dict[str, Callable[[Table], str]] = {"text": table_text, "markdown": writers.markdown, "latex": latex.tables}


def sections(view: View) -> list[Table]:
    return [main_section(main_table(view)), *_further(view)]


def _further(view: View) -> Iterator[Table]:
    """What stands below the main table."""
    return (table for own in SECTIONS for table in own(view))


def text(file: ResultFile, format: str) -> str:
    """The report as `text`, `markdown`, `latex`, `csv` (its first table with every digit), `json` (all its tables likewise) or `warnings`."""
    view = View(file)
    if format == "json":
        return json_text(_as_json(view))
    first = terminal_text(view.defects).replace("\n", " ")
    if format == "csv":
        return (f"# {first}\n" if first else "") + writers.csv(*full_precision(main_table(view)))
    if format == "warnings":
        return writers.csv(["section", "cell", "warning"], [[*row] for row in warnings(view)])
    above = (latex.latex_text(first) if format == "latex" else first) + "\n\n" if first else ""
    return _packages(format) + above + _sections_text(view, format)


def _as_json(view: View) -> dict[str, Any]:
    """The file's tables that the report shows; what they say in words stands in `warnings` and `measured`."""
    shown = ["estimates", *(own.table for own in SECTIONS if own.table), "reference"]
    about = ("campaign_name", "report_title", "seed", "time_unit", "program_version", "schema_version", "payload_hash", "plan_hash")
    return {"file": view.file.path, **{name: view.file.attributes.get(name) for name in about},
            "answers": answers(view), "warnings": [dict(zip(("section", "cell", "warning"), row)) for row in warnings(view)], "measured": measured(view),
            "tables": {name: table_rows(view, name) for name in dict.fromkeys(shown) if view.rows(name)}}


def _sections_text(view: View, format: str) -> str:
    found = sections(view)
    for section in found[1:]:
        _name(section, view)
    return "\n".join(map(WRITERS[format], found)) + (f"\nResults: {terminal_text(view.file.path)}\n" if format == "text" else "")


def one_table(file: ResultFile, name: str, format: str) -> str:
    """A table of the file alone: as CSV with every digit, else as the report shows it, or row by row where it does not."""
    view = View(file)
    expect_table(view, name)
    if format == "csv":
        return table_csv(view, name)
    if format == "json":
        return json_text(table_rows(view, name))
    main = main_table(view)
    found = [table for own in SECTIONS if own.table == name for table in own(view) if table.rows]
    if name == ("reference" if main.has_references else "estimates"):
        found = [main_section(main)]
    found = found or [stored_table(view, name)]
    for section in found:
        _name(section, view)
    return _packages(format) + "\n".join(map(WRITERS[format], found))


def _packages(format: str) -> str:
    return latex.PACKAGES if format == "latex" else ""


def first_table_html(file: ResultFile, cells: set[int] | None) -> str:
    """Of these cells, or of all."""
    main = main_table(View(file))
    main.lines = [line for line in main.lines if cells is None or line.cell in cells]
    return writers.html(main_section(main))


def _name(section: Table, view: View) -> None:
    """For LaTeX, whose labels are those of a whole paper."""
    section.label = f"{view.attribute('campaign_name')} {section.title}"


def _told(column: Column, text: str) -> str:
    """A cell of a table outside of it: a sentence or a verdict alone, a number or a name with its heading."""
    return text if column.wraps or column.heading in ("verdict", "what") or not text else f"{column.heading} {text}"


def warnings(view: View) -> list[tuple[str, str, str]]:
    """Every warning: the title that it stands below, the cell that it is about, if it is about one, and what it says."""
    found = [("Defects", "" if row["cell"] < 0 else str(row["cell"]), row["problem"]) for row in view.rows("defects")]
    main = main_table(view)
    for section in [Table(main.title, [], warnings=main.warnings), *_further(view)]:
        if section.rows_are_warnings:
            found += [(section.title, row[0], ", ".join(map(_told, section.columns[1:], row[1:]))) for row in section.rows]
        found += [(section.title, "", warning) for warning in section.warnings]
    return found
