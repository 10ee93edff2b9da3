"""Waits that a log records beside those of its replay, by groups of jobs."""

from __future__ import annotations

import math

from .. import _words as words
from .._terminal import Table, table
from .section import section
from .view import Row, View

_MOST_CELLS = 4  # of which all groups are shown
NOTE = ("Mean waits. within: share of jobs whose simulated wait is the logged one within 10 % of it or 60 s. tau: Kendall's tau-b of the "
        "order of both, 1 where it is the same.")


@section(130, "logged_waits")
def wait_sections(view: View) -> list[Table]:
    """Of cells that replay a whole log at its own load and machine."""
    by_cell = view.by_cell("logged_waits")
    if not by_cell:
        return []
    known = {cell: rows for cell, rows in by_cell.items() if rows[0]["jobs"] > 0}
    unit, scaled = view.in_unit("wait", [row for rows in known.values() for row in rows], "logged", "simulated")
    known = {cell: [row for row in scaled if row["cell"] == cell] for cell in known}
    found = table("Logged against simulated waits", ["~cell", "~waits of", ">jobs", f">logged{unit}", f">simulated{unit}", ">within", ">tau"], 2)
    has_all = len(known) <= _MOST_CELLS
    for cell, rows in known.items():
        found.rows += [_line(view.label(cell), row) for row in rows if has_all or row["by"] == "all"]
    found.blank_repeated_labels(1)
    if known:
        found.notes.append(NOTE)
    else:
        found.columns = []
    if not has_all and any(len(rows) > 1 for rows in known.values()):
        found.notes.append(f"By partition, size and run time: schedfarm report {view.file.path} --table logged_waits")
    lacking = [view.label(cell) for cell in by_cell if cell not in known]
    if lacking:
        found.notes.append(f"{'; '.join(lacking)}: the log records no waits.")
    return [found]


def _line(label: str, row: Row) -> list[str]:
    within = "" if math.isnan(row["within"]) else f"{100 * row['within']:.0f} %"
    tau = "" if math.isnan(row["rank_agreement"]) else f"{row['rank_agreement']:.2f}"
    return [label, row["group"], str(row["jobs"]), words.estimate_text(row["logged"], 0), words.estimate_text(row["simulated"], 0), within, tau]
