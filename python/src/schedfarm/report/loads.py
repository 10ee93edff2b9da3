"""What a report says of loads: cells whose queue grows, loads searched for, the maximal utilization by backlog."""

from __future__ import annotations

import math
from typing import Any

from .. import _words as words
from .._terminal import Table, table
from .section import section
from .view import Row, View


@section(70, "stability")
def stability_sections(view: View) -> list[Table]:
    found = table("Cells without a steady state", ["<cell", "<verdict", "~evidence"])
    found.rows_are_warnings = True
    rows = view.rows_where("stability", "verdict", "stable".__ne__)
    ended_logs = [view.cells[row["cell"]]["experiment"] == "trace" and row["overflow_replication"] >= 0 for row in rows]
    for row in rows:
        found.rows.append([view.label(row["cell"]), "unstable" if row["verdict"] == "unstable" else "not stationary", _evidence(view, row)])
    if any(row["verdict"] == "unstable" for row in rows):
        found.warn("The means of an unstable cell describe the length of the run, not the system"
                   + ("." if all(ended_logs) else ": lower the load."))
    if any(ended_logs):
        found.warn("A log ends however many of its jobs wait: to see it through raise horizon.queue_limit; 0 sets none.")
    drifting = {view.cells[row["cell"]]["experiment"] for row in rows
                if row["verdict"] == "not_stationary" and not view.has_no_variance(row["cell"])}
    if drifting - {"trace"}:
        found.warn("Not stationary: the run is too short for a steady-state mean. Lengthen it and its warm-up, or leave 'horizon.jobs' out, "
                   "and the program finds a length.")
    if "trace" in drifting:
        found.warn("Not stationary, of a log: its mean describes these jobs, with the load that they have, and no steady state.")
    return [found] if rows else []


def _evidence(view: View, row: Row) -> str:
    if row["overflow_replication"] >= 0:
        return (f"the queue passed its limit (horizon.queue_limit), or a job waited for ever, in replication {row['overflow_replication']} "
                f"at time {row['overflow_time']:.6g}, after {row['overflow_jobs']} jobs had arrived")
    is_unstable = row["verdict"] == "unstable"
    placement = next((placement for placement in view.rows("placements") if placement["cell"] == row["cell"]), None)
    if is_unstable and placement and placement["method"] == "exact" and placement["fraction"] >= 1:
        return f"the load is {placement['fraction']:.4g} of the maximal utilization, {placement['rho_max']:.4g} by theory"
    if row["verdict"] == "not_stationary" and row["start_bias_upper"] > row["start_bias_allowed"]:
        return (f"the empty start may lower the mean wait by {100 * row['start_bias_upper']:.2g} % (estimate "
                f"{100 * row['start_bias']:.2g} %), and a tenth of the half-width is {100 * row['start_bias_allowed']:.2g} %")
    text = (f"wait {_growth_text(row['half_ratio'])} from the first to the second half of the run (ratio "
            f"{words.estimate_text(row['half_ratio'], 2)} {words.bounds_text(row['half_ratio_lower'], row['half_ratio_upper'], 2)}")
    if is_unstable:
        critical = view.made_value(row["cell"], "critical half_ratio")
        text += ", above that of a critically loaded queue" if math.isnan(critical) else f", above the critical {critical:.2f}"
    return f"{text})"


def _growth_text(ratio: float) -> str:
    if 1.85 <= ratio <= 2.15:
        return "doubles"
    return f"grows {ratio:.1f}-fold" if ratio > 2.15 else f"grows by {100 * (ratio - 1):.0f} %"


@section(80, "search_steps", decided="saturation")
def search_sections(view: View) -> list[Table]:
    found = table("Loads searched for", ["<cell", "<utilization", ">n", "<bisection", "<found where"], 1)
    last_step = {row["cell"]: row for row in view.rows("search_steps")}
    for row in view.rows("saturation"):
        if row["method"] == "ratio":
            continue
        step = last_step.get(row["cell"])
        density = "" if step is None else words.bounds_text(
            step["lower"], step["upper"], words.decimals_for_half_width((step["upper"] - step["lower"]) / 2))
        found.rows.append([view.label(row["cell"]), _found_text(row), str(row["n"]), density,
                           "backlog grows" if row["method"] == "drift" else "threshold passed"])
    found.notes = ["Root of the line through the replications near it, with Fieller's interval; of the bisection the central interval of its "
                   "density, which errs on the safe side. Table search_steps of the file has every load visited."]
    return [found] if found.rows else []


def _found_text(row: Row) -> str:
    """`0.7312 [0.7271, 0.7369]`; `below 0.4` where the bounds of the search end at 0.4."""
    if math.isnan(row["rho_max"]):
        return f"above {row['lower']:g}" if row["lower"] > 0 else f"below {row['upper']:g}"
    return words.interval_text(row["rho_max"], row["lower"], row["upper"], words.BOUNDS)


@section(90, "saturation")
def backlog_sections(view: View) -> list[Table]:
    """The maximal utilization where cells differ in their backlog only."""
    factors = [factor for factor in view.factors if words.short_factor_name(factor) != "backlog"]
    ladders: dict[tuple[Any, ...], list[Row]] = {}
    for row in view.rows("saturation"):
        if row["method"] == "ratio" and not math.isnan(row["rho_max"]):
            cell = view.cells[row["cell"]]
            key = (cell["policy"], cell["workload"], cell["clusters"], *(view.level(row["cell"], factor) for factor in factors))
            ladders.setdefault(key, []).append(row)
    ladders = {key: rungs for key, rungs in ladders.items() if len(rungs) > 1}
    if not ladders:
        return []
    found = table("Maximal utilization by backlog", ["<cells", ">backlog", "<maximal utilization"], 1)
    for rungs in ladders.values():
        label = view.label(rungs[0]["cell"], factors) if factors else ""
        for place, rung in enumerate(sorted(rungs, key=lambda row: int(row["backlog"]))):
            found.rows.append(["" if place else label, str(rung["backlog"]), view.interval(rung, "rho_max")])
    if len(ladders) == 1 and not found.rows[0][0]:
        found.drop_column(0)
    # Two rungs of a ladder have intervals without a common point.
    depending = sum(max(rung["lower"] for rung in rungs) > min(rung["upper"] for rung in rungs) for rungs in ladders.values())
    if depending:
        where = "" if len(ladders) == 1 else f" in {depending} of {len(ladders)} ladders"
        found.warn(f"The maximal utilization depends on the backlog{where}: state the backlog with the number.")
    else:
        found.notes = ["No dependence of the maximal utilization on the backlog is seen."]
    return [found]
