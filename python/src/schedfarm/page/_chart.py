"""A figure of more cells than a page draws as shapes: columns of numbers, of which the page's script makes the same lines."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .. import _labels, _series
from .._words import status_text
from ..results import Results
from ._tables import MOST_ROWS, number_text, packed, packed_column


def chart(results: Results, metric: str, every: pd.DataFrame, places: dict[int, int], label: str) -> str:
    """JSON of the overview of a metric, whose points are rows of its table, by cell in `places`; numbers are in the table's unit. `every`: the
    estimates of all cells. Empty where matplotlib draws it: of few cells, of factors of words."""
    layout = _series.overview_layout(results, metric, every) if len(places) > MOST_ROWS else None
    if layout is None or layout.lines is None or layout.lines.ticks:
        return ""
    rows = layout.lines.rows
    unit, own = results.file.read_in(results.unit(metric), rows["mean"])
    names = _names(rows, [name for name in layout.lines.by if name != layout.facet])
    panels = _names(rows, [name for name in layout.lines.by if name == layout.facet])
    rows = rows.assign(line=names, panel=panels)
    low, high = _series.limits(rows)
    drawn = layout.lines._replace(rows=rows)
    return packed({
        "label": label, "x_text": drawn.x_text,
        "y_text": _labels.with_unit(_labels.metric_text(metric), unit), "low": low / own, "high": high / own,
        "is_log": _series.is_wide(rows["x"]), "rows": [places[cell] for cell in rows["cell"]], "x": [number_text(float(x)) for x in rows["x"]],
        "line": packed_column(names), "panel": packed_column(panels), "is_open": [int(not decided) for decided in rows["decided"]],
        "states": " or ".join(map(status_text, dict.fromkeys(rows.loc[~rows["decided"] & rows["mean"].notna(), "status"]))),
        "lacking": _series.states_text(drawn.lacking) if len(drawn.lacking) else "", "maxima": _maxima(results, drawn),
        "theory": [{"panel": panel, "label": label, "x": list(map(number_text, part["x"].astype(float))), "y": list(map(number_text, part["value"] / own))}
                   for (panel, label), part in _series.theory(results, drawn, ["panel"])]})


def _names(rows: pd.DataFrame, factors: list[str]) -> list[str]:
    """The levels of these factors in every row, as text: without the marks that matplotlib wants."""
    return [text.replace(r"\$", "$") for text in _labels.texts_of_rows(rows, factors)]


def _maxima(results: Results, drawn: _series.Points) -> list[dict[str, Any]]:
    """ρ_max of the lines that have one."""
    first = drawn.rows.drop_duplicates("series").set_index("series")
    maxima = _series.placed_maxima(results, drawn)
    return [{"line": first.loc[series, "line"], "panel": first.loc[series, "panel"], "x": [number_text(float(row[name])) for name in ("rho_max", "lower", "upper")]} for series, row in maxima.iterrows()]
