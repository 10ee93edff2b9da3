"""Loads that a campaign places below the saturation point of each cell, where theory does not know it."""

from __future__ import annotations

from .._terminal import Table, table
from .section import section
from .view import View


@section(95, "placements")
def placement_sections(view: View) -> list[Table]:
    found = table("Loads placed below saturation", ["<cell", ">share", "<of the maximal utilization", "<estimated in"], 1)
    for row in view.rows_where("placements", "method", "pilot".__eq__):
        found.rows.append([view.label(row["cell"]), f"{row['fraction']:.4g}", view.interval(row, "rho_max"), view.label(row["pilot"])])
    found.notes = ["A load is this share of an estimate: cells of two policies at one share differ by the errors of both estimates, too."]
    return [found] if found.rows else []
