"""Three and more factors: a coloured table, and small multiples of any other figure."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from .._tables import one_metric
from ..results import UNDECIDED, Results
from . import _labels
from ._canvas import canvas, panels, width


def heatmap(results: Results, metric: str | None = "response_time", x: str | None = None, y: str | None = None, *,
            ax: Axes | None = None, style: str | None = None) -> Axes:
    """Means by two factors, written into their fields; those of provisional or unstable cells in brackets. Of more factors take
    `.select` or `facets`."""
    found = one_metric(metric, results.metrics)
    varying = [name for name in results.factors.varying(pd.Index(results.cells["cell"]))]
    columns = results.factors.resolve(x) if x else varying[-1]
    rows = results.factors.resolve(y) if y else [name for name in varying if name != columns][0]
    table = results.pivot(found, rows=rows, columns=columns)
    cells = results.pivot(found, rows=rows, columns=columns, values="cell")
    status = results.cells.set_index("cell")["status"]
    values = table.to_numpy(dtype=float)
    with canvas(ax, style) as ax:
        image = ax.imshow(values, cmap="cividis", aspect="auto")
        low, high = np.nanmin(values), np.nanmax(values)
        for place in np.argwhere(~np.isnan(values)):
            row, column = int(place[0]), int(place[1])
            value = values[row, column]
            undecided = status[int(cells.iat[row, column])] in UNDECIDED
            text = f"({value:.3g})" if undecided else f"{value:.3g}"
            ax.text(column, row, text, ha="center", va="center", fontsize="small",
                    color="black" if high > low and (value - low) / (high - low) > 0.55 else "white")
        ax.set_xticks(range(table.shape[1]), [_labels.level_text(level) for level in table.columns])
        ax.set_yticks(range(table.shape[0]), [_labels.level_text(level) for level in table.index])
        ax.set_xlabel(_labels.factor_text(columns))
        ax.set_ylabel(_labels.factor_text(rows))
        ax.grid(visible=False)
        bar = ax.figure.colorbar(image, ax=ax)
        bar.set_label(_labels.metric_label(results, found))
        bar.outline.set_visible(False)
        _labels.note(ax, _labels.evidence_text(results.estimates(found)))
    return ax


def facets(results: Results, kind: Callable[..., Axes], facet: str, *, columns: int | None = None, style: str | None = None,
           sharey: bool = True, **options: Any) -> Any:
    """Small multiples: `kind` (`plot.curve`, `plot.heatmap`, …) for every level of a factor; returns the array of Axes.

    `facets(results, plot.curve, "workload.request", metric="response_time")`"""
    factor = results.factors.resolve(facet)
    held = results.factors.columns.loc[results.cells["cell"], factor]
    levels = [level for level in results.factors.levels(factor) if (held == level).any()]
    across = columns or min(len(levels), 3)
    down = math.ceil(len(levels) / across)
    panel = width(style) / across
    with panels(style, down * max(1.6, 0.8 * panel), [1.0] * down, across, squeeze=False, sharex=True, sharey=sharey) as grid:
        limits = []
        for ax, level in zip(grid.flat, levels):
            kind(results.select(**{factor.replace(".", "__"): level}), ax=ax, **options)
            ax.set_title(_labels.levels_text({factor: level}), loc="left", fontweight="bold")
            ax.label_outer()
            limits.append(ax.get_ylim())
        if sharey and limits[0][0] < limits[0][1]:  # a panel must not cut another's
            grid[0, 0].set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
        for ax in list(grid.flat[:len(levels)])[-across:]:  # the lowest of their columns
            ax.tick_params(labelbottom=True)
        for ax in grid.flat[len(levels):]:
            ax.set_visible(False)
        _one_legend(grid, len(levels))
        _one_label(grid)
    return grid


def _one_label(grid: Any) -> None:
    """The labels of the axes, which are those of all panels, beside the whole."""
    first, figure = grid[-1, 0], grid[0, 0].figure
    size = first.yaxis.label.get_size()
    if len({ax.get_ylabel() for ax in grid[:, 0]}) == 1:
        figure.supylabel(first.get_ylabel(), fontsize=size)
        for ax in grid.flat:
            ax.set_ylabel("")
    figure.supxlabel(first.get_xlabel(), fontsize=size)
    for ax in grid.flat:
        ax.set_xlabel("")


def _one_legend(grid: Any, used: int) -> None:
    """The first panel's legend stands for all where they say the same, and notes are shortened to what differs."""
    axes = list(grid.flat[:used])
    legends = [ax.get_legend() for ax in axes]
    texts = [[text.get_text() for text in legend.get_texts()] if legend else [] for legend in legends]
    for legend, text in list(zip(legends, texts))[1:]:
        if legend and set(text) <= set(texts[0]):
            legend.remove()
    for ax in axes:
        right = ax.get_title(loc="right")
        ax.set_title("", loc="right")
        if "n = " in right:
            ax.set_title(right[right.index("n = "):], loc="right", fontsize="small", color="#555555")
