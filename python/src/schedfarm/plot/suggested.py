"""The figure that a campaign's factors suggest, for who asks for none in particular."""

from __future__ import annotations

from typing import Any

from .._series import overview_layout, shown_metrics
from ..results import Results
from .curves import curve
from .grids import facets, heatmap
from .intervals import paper


def suggested(results: Results, metric: str | None = None, style: str | None = None) -> Any:
    """A paper's values where the file has some; a curve where a factor is a number, in panels where there would be too many
    lines; else rows of points, and a heat map of two factors with many levels each. Returns Axes, or an array of them."""
    if metric is None and not results.reference(factors=False).empty:
        return paper(results, str(results.reference(factors=False)["metric"].iloc[0]), style=style)
    return overview(results, metric or shown_metrics(results)[0], style)


def overview(results: Results, metric: str, style: str | None = None) -> Any:
    """The metric over all cells."""
    layout = overview_layout(results, metric)
    if layout.lines is None:
        return heatmap(results, metric, style=style)
    return curve(results, metric, style=style) if layout.facet is None else facets(results, curve, layout.facet, metric=metric, style=style)
