"""Three and more factors: a coloured table, and small multiples of any other figure."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator

from .. import _labels, _series
from .._tables import one_metric
from ..errors import RequestError
from ..results import UNDECIDED, Results, in_order
from ._canvas import canvas, font_size, legend, panels, width
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
        raise RequestError("the cells do not differ in two factors, for rows and columns. Take a curve, or a table.")
    columns = results.factors.resolve(x) if x else others.pop()
    rows = results.factors.resolve(y) if y else others[0]
    table, cells = _grid(results, _series.of_all_cells(results, found), rows, columns)
    status = results.cells.set_index("cell")["status"]
    values = table.to_numpy(dtype=float)
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    own_unit = results.file.read_in(results.unit(found), known)[1]
    with canvas(ax, style) as ax:
        image = ax.imshow(values, cmap="cividis", aspect="auto", vmin=low, vmax=high if high > low else low + (abs(low) or 1.0))
        for place in np.argwhere(cells.notna().to_numpy()):
            row, column = int(place[0]), int(place[1])
            value, own = values[row, column], status[int(cells.iat[row, column])]
            text = NO_VALUE if np.isnan(value) else _labels.number_text(value / own_unit)
            is_dark = np.isfinite(value) and not (high > low and (value - low) / (high - low) > 0.55)
            ax.text(column, row, f"({text})" if own in UNDECIDED and text != NO_VALUE else text, ha="center", va="center", fontsize="small", gid=FIELD,
                    color="white" if is_dark else "black")
        ax.set_xticks(range(table.shape[1]), [_labels.level_text(level) for level in table.columns])
        ax.set_yticks(range(table.shape[0]), [_labels.level_text(level) for level in table.index])
        ax.set_xlabel(_labels.factor_text(columns))
        ax.set_ylabel(_labels.factor_text(rows))
        ax.grid(visible=False)
        bar = ax.figure.colorbar(image, ax=ax)
        _labels.measure_metric(bar.ax.yaxis, results, found)
        bar.outline.set_visible(False)
        _labels.note(ax, _labels.evidence_text(results, results.estimates(found)), results.estimates(found))
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
        limits, notes = [], []
        for ax, one in zip(grid.flat, shown):
            kind(one.results, ax=ax, **one.options)
            notes.append(ax.get_title(loc="right"))
            ax.set_title("", loc="right")
            ax.set_title(one.title, loc="left")
            ax.set_xlabel(re.sub(r", class \d+", "", ax.get_xlabel()))
            ax.set_ylabel(re.sub(r", class \d+", "", ax.get_ylabel()) if ax.get_subplotspec().is_first_col() else "")
            are_names = isinstance(ax.yaxis.get_major_locator(), FixedLocator)
            if sharey or are_names:
                ax.yaxis.set_tick_params(labelleft=ax.get_subplotspec().is_first_col())
            limits.append((*ax.get_xlim(), *ax.get_ylim()))
        left, right, low, high = zip(*limits)  # a panel must not cut another's
        grid[0, 0].set_xlim(min(left), max(right))
        if sharey and not are_names:
            grid[0, 0].set_ylim(min(low), max(high))
        for place, ax in enumerate(grid.flat[:len(shown)]):
            if place + across < len(shown):  # not the lowest of its column
                ax.set_xlabel("")
            ax.tick_params(labelbottom=place + across >= len(shown))
        for ax in grid.flat[len(shown):]:
            ax.set_visible(False)
        rows = [getattr(ax, "evidence_rows", None) for ax in grid.flat[:len(shown)]]
        if all(one is not None for one in rows):
            notes = [_labels.evidence_text(results, pd.concat(rows))]
        pad = max(ax.xaxis.get_major_ticks(1)[0].get_pad() for ax in grid.flat[:len(shown)])  # where marks stand below an axis
        for ax in grid.flat[:len(shown)]:
            ax.tick_params(axis="x", pad=pad)
        grid[0, 0].figure.suptitle("; ".join(dict.fromkeys(notes)), x=0.99, ha="right", fontsize="small", color=_labels.NOTE)
        _one_legend(list(grid.flat[:len(shown)]))
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


def _one_legend(shown: list[Axes]) -> None:
    """Below the whole, of what stands in any panel's; entries that look alike are one, as reasons of open markers."""
    entries: dict[str, Any] = {}
    title = None
    for ax in [ax for ax in shown if ax.get_legend()]:
        own = ax.get_legend()
        title = own.get_title().get_text() or title
        for handle, text in zip(own.legendHandles, own.get_texts()):
            look = str([handle.properties().get(name) for name in ("color", "marker", "markerfacecolor", "linestyle", "facecolor", "hatch")])
            known = entries[look].get_label().split(" or ") if look in entries else []
            handle.set_label(" or ".join(dict.fromkeys([*known, *text.get_text().split(" or ")])))
            entries[look] = handle
        own.remove()
    legend(shown[0], list(entries.values()), title)
