"""Cells held against each other: differences, the selection of the best, means with control variates beside the plain ones."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from .. import _words as words
from .._terminal import Table, table
from .section import section
from .view import Row, View

_MOST_NAMED = 10


@section(40, "comparisons")
def comparison_sections(view: View) -> list[Table]:
    rows = view.rows("comparisons")
    is_asked_for = view.file.has("comparisons") or "comparison" in json.loads(view.attribute("effective_configuration") or "{}")
    left_out = _left_out(view) if is_asked_for else ""
    if not rows:
        found = table("No differences", [])
        found.warn(left_out)
        return [found] if left_out else []
    unit, rows = view.in_unit(rows[0]["metric"], rows, "difference")
    found = table(f"Differences of {words.metric_text(rows[0]['metric'])}",
                    ["<group", "<pair", f"<difference{unit}", ">adj. p", "<smaller", "<gain"], 2)
    found.rows = [_comparison(view, row) for row in rows]
    # Holm gives the smallest p-value of m comparisons 1 - alpha / m.
    family = 1 - (1 - max(row["confidence"] for row in rows)) * len(rows)
    held = words.holm_text([row["confidence"] for row in rows], words.percent_text(family))
    found.notes = [f"Difference: first less second, replication by replication under common random numbers; {held}."]
    found.notes += _at_any_look(rows, 1 - family)
    if any(row[-1] for row in found.rows):
        found.notes.append("Gain: how many times narrower common random numbers make the interval, at the same cost.")
    else:  # fewer than ten pairs say nothing of it
        found.drop_column(len(found.columns) - 1)
    _drop_group_if_empty(found)
    found.warn(_few_pairs(rows))
    planned = rows[0].get("family", len(rows))
    found.warn(left_out + (f" The family has {len(rows)} of {planned} pairs." if left_out and len(rows) < planned else ""))
    return [found]


def _at_any_look(rows: Sequence[Row], error: float) -> list[str]:
    """Of how many pairs it is seen however often one looks; of a log nothing is."""
    known = [row["e_value"] for row in rows if not math.isnan(row.get("e_value", math.nan))]
    enough = len(rows) / error
    return [f"However often one looks, {sum(e >= enough for e in known)} of {len(rows)} differ: those with an e-value of {words.number_text(enough, 0)} or "
            "more."] if known else []


def _group_text(group: str) -> str:
    """`load.utilization=0.6, policy=fcfs` → `utilization 0.6, policy fcfs`."""
    parts = [part.partition("=") for part in group.split(", ")] if group else []
    return ", ".join(f"{words.short_factor_name(name)} {level}" if equals else name for name, equals, level in parts)


def _drop_group_if_empty(found: Table) -> None:
    if not any(row[0] for row in found.rows):
        found.drop_column(0)


def _comparison(view: View, row: Row) -> list[str]:
    cells = (row["first_cell"], row["second_cell"])
    first, second = (view.label(cell, view.distinguishing(cells)) for cell in cells)
    smaller = {"not decided": "undecided", "first smaller": first}.get(row["verdict"], second)
    return [_group_text(row["group"]), f"{first} - {second}", view.interval(row, "difference"), words.p_text(row["adjusted_p"]), smaller,
            _times_text(*(row[f"width_reduction{end}"] for end in ("", "_lower", "_upper")))]


def _times_text(times: float, lower: float, upper: float) -> str:
    ends = [words.number_text(end, max(2, words.decimals_of_digits(end, 2))) for end in (lower, upper)]
    return "" if math.isnan(times) else f"{words.estimate_text(times, 2)} ({'–'.join(ends)})"


def _few_pairs(rows: Sequence[Row]) -> str:
    """What few pairs mean for the intervals; empty where there are enough of all."""
    few = [row for row in rows if row["n"] < words.ENOUGH_FOR_SKEWNESS]
    skewness = max([abs(row["skewness"]) for row in few if not math.isnan(row["skewness"])], default=math.nan)
    return words.few_note("pairs", min(row["n"] for row in few), skewness) if few else ""


def _left_out(view: View) -> str:
    """Empty where every cell has a mean that can be compared."""
    names = [view.label(cell) for cell in view.unstable_cells]
    if not names:
        return ""
    rest = f"; and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Pairs with an unstable cell are left out, since its mean says nothing: {'; '.join(names[:_MOST_NAMED])}{rest}."


@section(50, "selections")
def selection_sections(view: View) -> list[Table]:
    rows = view.rows("selections")
    if not rows:
        return []
    groups: dict[str, set[int]] = {}
    unit, rows = view.in_unit(rows[0]["metric"], rows, "mean")
    for row in rows:
        groups.setdefault(row["group"], set()).add(row["cell"])
    found = table(f"Selection of the best by {words.metric_text(rows[0]['metric'])}", ["<group", "<cell", f">mean{unit}", ">n", "<standing"], 2)
    before = None
    for row in rows:
        group, n = row["group"], row["n"]
        found.rows.append(["" if group == before else _group_text(group), view.label(row["cell"], view.distinguishing(groups[group])),
                           words.estimate_text(row["mean"], words.decimals_for_half_width(row["indifference"])), str(n),
                           f"eliminated after {n}" if row["standing"] == "eliminated" else row["standing"]])
        before = group
    _drop_group_if_empty(found)
    _add_promises(view, rows, found, unit)
    return [found]


def _add_promises(view: View, rows: Sequence[Row], found: Table, unit: str) -> None:
    confidence, indifference = words.percent_text(rows[0]["confidence"]), words.exact_number(rows[0]["indifference"])
    if unit:
        indifference = f"{rows[0]['indifference']:.4g} {unit.strip(' ()')}"
    standings = {row["standing"] for row in rows}
    found.notes.append(f"With probability at least {confidence} the cell selected is the best, if that is better than every other by "
                       f"{indifference} or more; where others come closer nothing is proven (KN).")
    if "leading" in standings:
        found.warn("Leading: the cap on replications came before a decision; the cell is not proven the best.")
    if "equal" in standings:
        found.notes.append("Equal: in every replication that both have, the cell's number is that of the one selected or leading, to the "
                           "bit; either may be chosen.")
    if view.of_logs_like_it:
        found.warn("The log is resampled: the selected cell is the best for draws from this log. A comparison says what holds for other "
                   "months of the machine.")


@section(160, "controlled_estimates")
def controlled_sections(view: View) -> list[Table]:
    rows = view.rows("controlled_estimates")
    if not rows:
        return []
    metric = rows[0]["metric"]
    unit, both = view.in_unit(metric, [*rows, *(view.estimates(metric)[row["cell"]] for row in rows if row["cell"] in view.estimates(metric))], "mean")
    rows, estimates = both[:len(rows)], {row["cell"]: row for row in both[len(rows):]}
    own = [row for row in rows if row["controls"] != "twin"]  # of the others the estimate is the one with the twin
    found = table(f"Control variates: {words.metric_text(metric)}{unit}",
                  ["<cell", "<with controls", *["<without"][:len(own)], ">adj. R²", ">variance reduction"], 1)
    for row in rows:
        plain = estimates.get(row["cell"]) if row in own else None
        gain = words.number_text(row["variance_reduction"], 2) + ("" if row["variance_reduction"] > 1 else ", does not pay")
        found.rows.append([view.label(row["cell"]), view.interval(row, "mean"), *[view.interval(plain, "mean") if plain else ""][:len(own)],
                           words.number_text(row["r_squared"], 2), gain])
    controls = sorted({words.metric_text(name) for row in rows for name in row["controls"].split(", ") if name})
    found.notes = [words.interval_note((row["confidence"] for row in rows), view.style),
                   f"Controls of known mean: {', '.join(controls)}.",
                   "Variance reduction: as many times more replications would give the same interval without them"
                   + ("; up to 1 they do not pay, and the estimate without them is the better one." if own else ".")]
    return [found]
