"""Three and more factors: a coloured table, and small multiples of any other figure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from .._tables import one_metric
from ..errors import RequestError
from ..results import UNDECIDED, Results, in_order
from . import _labels, _series
from ._canvas import canvas, font_size, panels, width
from ._fit import FIELD

NO_VALUE = "no\nvalue"  # as narrow as a number
CLASS = "class"  # what panels are of besides factors


def heatmap(results: Results, metric: str | None = "response_time", x: str | None = None, y: str | None = None, *,
            ax: Axes | None = None, style: str | None = None) -> Axes:
    """Means by two factors, written into their fields; those of provisional or unstable cells in brackets, `no value` where all replications
    failed. Of more factors take `.select` or `facets`."""
    found = one_metric(metric, results.metrics)
    given = [results.factors.resolve(name) for name in (x, y) if name]
    others = [name for name in results.factors.varying(pd.Index(results.cells["cell"])) if name not in given]
    if len(given) + len(others) < 2:
        raise RequestError("the cells do not differ in two factors, for rows and columns. Take a curve, or a table?")
    columns = results.factors.resolve(x) if x else others.pop()
    rows = results.factors.resolve(y) if y else others[0]
    table, cells = _grid(results, _series.of_all_cells(results, found), rows, columns)
    status = results.cells.set_index("cell")["status"]
    values = table.to_numpy(dtype=float)
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    with canvas(ax, style) as ax:
        image = ax.imshow(values, cmap="cividis", aspect="auto", vmin=low, vmax=high if high > low else low + (abs(low) or 1.0))
        for place in np.argwhere(cells.notna().to_numpy()):
            row, column = int(place[0]), int(place[1])
            value, own = values[row, column], status[int(cells.iat[row, column])]
            text = NO_VALUE if np.isnan(value) else _labels.number_text(value)
            is_dark = np.isfinite(value) and not (high > low and (value - low) / (high - low) > 0.55)
            ax.text(column, row, f"({text})" if own in UNDECIDED and text != NO_VALUE else text, ha="center", va="center", fontsize="small", gid=FIELD,
                    color="white" if is_dark else "black")
        ax.set_xticks(range(table.shape[1]), [_labels.level_text(level) for level in table.columns])
        ax.set_yticks(range(table.shape[0]), [_labels.level_text(level) for level in table.index])
        ax.set_xlabel(_labels.factor_text(columns))
        ax.set_ylabel(_labels.factor_text(rows))
        ax.grid(visible=False)
        bar = ax.figure.colorbar(image, ax=ax)
        bar.set_label(_labels.metric_label(results, found))
        bar.outline.set_visible(False)
        _labels.note(ax, _labels.evidence_text(results, results.estimates(found)))
    return ax


def _grid(results: Results, estimates: pd.DataFrame, rows: str, columns: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Means, and the numbers of their cells."""
    results.expect_single_cells(estimates, [rows, columns])
    down, across = (in_order(estimates, name) for name in (rows, columns))
    means, cells = (estimates.pivot(index=rows, columns=columns, values=value).reindex(index=down, columns=across) for value in ("mean", "cell"))
    return means, cells


class _Panel(NamedTuple):
    title: str
    results: Results
    options: dict[str, Any]


def facets(results: Results, kind: Callable[..., Axes], facet: str, *, columns: int | None = None, style: str | None = None,
           sharey: bool | None = None, **options: Any) -> Any:
    """Small multiples: `kind` (`plot.curve`, `plot.heatmap`, …) for every level of a factor, or for every `class` of jobs that
    `metric` is known of; returns the array of Axes. Panels share y but for classes.

    `facets(results, plot.curve, "workload.request", metric="response_time")`"""
    by_class = facet == CLASS and not any(name.rsplit(".", 1)[-1] == CLASS for name in results.factors.names)
    shown = _of_classes(results, options) if by_class else _of_levels(results, facet, options)
    if sharey is None:
        sharey = not by_class
    across = columns or _columns_for(len(shown), [*(one.title for one in shown), *_level_names(results)], style)
    down = math.ceil(len(shown) / across)
    panel = width(style) / across
    with panels(style, down * max(2.3, 0.8 * panel), [1.0] * down, across, squeeze=False, sharex=True, sharey=sharey) as grid:
        limits = []
        for ax, one in zip(grid.flat, shown):
            kind(one.results, ax=ax, **one.options)
            ax.set_title(one.title, loc="left", fontweight="bold")
            if by_class:
                ax.set_ylabel(re.sub(r", class \d+", "", ax.get_ylabel()))
            if sharey:
                ax.label_outer()
            limits.append(ax.get_ylim())
        if sharey and limits[0][0] < limits[0][1]:  # a panel must not cut another's
            grid[0, 0].set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
        for ax in list(grid.flat[:len(shown)])[-across:]:  # the lowest of their columns
            ax.tick_params(labelbottom=True)
        for ax in grid.flat[len(shown):]:
            ax.set_visible(False)
        _one_legend(grid, len(shown))
        _one_label(grid)
    return grid


def _columns_for(panels: int, names: list[str], style: str | None) -> int:
    """As many panels beside one another, up to 3, as have their names in about two lines."""
    letters = 0.7 * 72 * width(style) / (0.68 * font_size(style))
    return next((across for across in range(min(panels, 3), 1, -1) if max(map(len, names)) <= 2 * letters / across), 1)


def _level_names(results: Results) -> list[str]:
    """The levels that are words, which stand at axes."""
    varying = [name for name in results.factors.varying(pd.Index(results.cells["cell"])) if not results.factors.is_numeric(name)]
    return [str(level) for name in varying for level in results.factors.levels(name)]


def _of_levels(results: Results, facet: str, options: dict[str, Any]) -> list[_Panel]:
    factor = results.factors.resolve(facet)
    held = results.factors.columns.loc[results.cells["cell"], factor]
    levels = [level for level in results.factors.levels(factor) if (held == level).any()]
    return [_Panel(_labels.levels_text({factor: level}), results.select(**{factor.replace(".", "__"): level}), options) for level in levels]


def _of_classes(results: Results, options: dict[str, Any]) -> list[_Panel]:
    metric = str(options.get("metric"))
    classes = results.by_class(metric)
    if not classes:
        raise RequestError(f"the file has no {metric} by class, for panels by class. A campaign asks for it with probes: [{{response_time: {{per_class: true}}}}]")
    names = results.class_names(int(results.cells["cell"].iloc[0]))
    return [_Panel(_labels.plain(names.get(number, f"class {number}")), results, {**options, "metric": name}) for number, name in classes.items()]


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
    said = [set(" or ".join(text).split(" or ")) for text in texts]  # of open markers each reason by itself
    for legend, own in list(zip(legends, said))[1:]:
        if legend and own <= said[0]:
            legend.remove()
    if legends[0] and used < grid.size:  # where no panel is
        empty = grid.flat[used]
        empty.set_visible(True)
        empty.set_axis_off()
        empty.legend(handles=legends[0].legend_handles if hasattr(legends[0], "legend_handles") else legends[0].legendHandles,
                     labels=texts[0], title=legends[0].get_title().get_text() or None, loc="center")
        legends[0].remove()
    for ax in axes:
        right = ax.get_title(loc="right")
        ax.set_title("", loc="right")
        if "n = " in right:
            ax.set_title(right[right.index("n = "):], loc="right", fontsize="small", color="#555555")
