"""The report of a result file in words and tables: text for a terminal, Markdown, LaTeX, CSV, and its warnings alone. Reads the file
only, and computes nothing that stands in it."""

from __future__ import annotations

from collections.abc import Callable

from .._file import ResultFile
from .._terminal import Table, table_text, terminal_text
from . import claims, comparisons, evidence, groups, latex, loads, waits, writers
from .main_table import full_precision, main_section, main_table
from .tables import table_csv
from .view import View
from .waits import NOTE as WAITS_NOTE

__all__ = ["View", "WAITS_NOTE", "sections", "table_csv", "text", "warnings"]

# In the order in which they are printed. One that has nothing to say gives nothing.
SECTIONS = (evidence.failure_sections, claims.quantity_sections, claims.claim_sections, comparisons.comparison_sections,
            comparisons.selection_sections, evidence.unmet_sections, loads.stability_sections, loads.search_sections, loads.backlog_sections,
            groups.class_sections, groups.cluster_sections, groups.user_sections, waits.wait_sections, evidence.quantile_sections, evidence.slowdown_sections,
            comparisons.controlled_sections, evidence.warm_up_sections)
WRITERS: dict[str, Callable[[Table], str]] = {"text": table_text, "markdown": writers.markdown, "latex": latex.tables}


def sections(view: View) -> list[Table]:
    return [main_section(main_table(view)), *(section for make in SECTIONS for section in make(view))]


def text(file: ResultFile, format: str) -> str:
    """The report as `text`, `markdown`, `latex`, `csv` (its first table with every digit) or `warnings`."""
    view = View(file)
    if format == "csv":
        return writers.csv(*full_precision(main_table(view)))
    if format == "warnings":
        return writers.csv(["section", "cell", "warning"], [[*row] for row in warnings(view)])
    found = sections(view)
    for section in found[1:]:
        section.label = f"{view.attribute('campaign_name')} {section.title}"
    return "\n".join(map(WRITERS[format], found)) + (f"\nResults: {terminal_text(file.path)}\n" if format == "text" else "")


def warnings(view: View) -> list[tuple[str, str, str]]:
    """Every warning: the title that it stands below, the cell that it is about, if it is about one, and what it says."""
    found = []
    for section in sections(view):
        if section.rows_are_warnings:
            found += [(section.title, row[0], ", ".join(row[1:])) for row in section.rows]
        found += [(section.title, "", warning) for warning in section.warnings]
    return found
