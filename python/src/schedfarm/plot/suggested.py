"""The figure that a campaign's factors suggest, for who asks for none in particular."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from .._tables import full_metric, is_metric
from .._words import is_diagnostic
from ..results import Results
from . import _series
from .curves import curve
from .grids import facets, heatmap
from .intervals import paper

_MOST_LINES = 8
_MOST_ROWS = 4  # of two factors of words that are drawn as rows of points


def shown_metrics(results: Results) -> list[str]:
    """What is compared or selected by, then what the campaign's report shows, else what its precision asks for, else its first metric."""
    known = results.metrics
    compared = [name for table in ("comparisons", "selections") if table in results.table_names for name in results.table(table)["metric"]]
    asked = str(results.attributes.get("report_metrics", "")).split("\n")
    shown = [full_metric(name, known) for name in asked if is_metric(name, known)]
    demanding = [name for name in results.cells["most_demanding"] if name in known]
    return list(dict.fromkeys([*compared, *(shown or demanding)])) or all_metrics(results)[:1]


def all_metrics(results: Results) -> list[str]:
    """Those of the report, of whole cells: what was observed unasked only where there is nothing else."""
    return [name for name in results.metrics if not is_diagnostic(name)] or results.metrics


def suggested(results: Results, metric: str | None = None, style: str | None = None) -> Any:
    """A paper's values where the file has some; a curve where a factor is a number, in panels where there would be too many
    lines; else rows of points, and a heat map of two factors with many levels each. Returns Axes, or an array of them."""
    if metric is None and not results.reference(factors=False).empty:
        return paper(results, str(results.reference(factors=False)["metric"].iloc[0]), style=style)
    return overview(results, metric or shown_metrics(results)[0], style)


class Layout(NamedTuple):
    """How a metric is drawn over all cells: a heat map where there are no lines, else these lines, in panels by the levels of a factor."""

    lines: _series.Points | None
    facet: str | None = None


def overview_layout(results: Results, metric: str) -> Layout:
    cells = results.cells["cell"]
    varying = results.factors.varying(pd.Index(cells))
    numeric = any(results.factors.is_numeric(name) for name in varying) or results.cells["utilization"].nunique() > 1
    if not numeric and len(varying) == 2 and all(len(results.factors.levels(name)) > _MOST_ROWS for name in varying):
        return Layout(None)
    drawn = _series.points(results, metric)
    lines = drawn.rows["series"].nunique()
    for name in drawn.by if lines > _MOST_LINES else []:
        levels = drawn.rows[name].nunique()
        if 2 <= levels <= 12 and lines / levels <= _MOST_LINES:
            return Layout(drawn, name)
    return Layout(drawn)


def overview(results: Results, metric: str, style: str | None = None) -> Any:
    """The metric over all cells."""
    layout = overview_layout(results, metric)
    if layout.lines is None:
        return heatmap(results, metric, style=style)
    return curve(results, metric, style=style) if layout.facet is None else facets(results, curve, layout.facet, metric=metric, style=style)
