"""Waits that a log records beside those of its replays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from .. import _labels, _series
from ..errors import RequestError
from ..results import Results
from ._canvas import canvas, height_of_rows, legend, looks
from .intervals import RIGHT, own_labels, places_of, rows_axis


def logged(results: Results, cells: Sequence[int] | None = None, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """Mean waits of groups of jobs: a bar where the log has it, a point for each cell that replays the log."""
    rows = _rows(results)
    rows = rows[rows["cell"].isin(cells)] if cells is not None else rows
    if rows.empty:
        raise RequestError("no cell has waits of a log to show: one does that replays a whole log, which records waits, at its own load and "
                           "machine (workload: {model: trace, file: …, resampling: none})")
    groups = rows.drop_duplicates(["by", "group"]).reset_index(drop=True)
    if rows.groupby(["by", "group"], sort=False)[["jobs", "logged"]].nunique().gt(1).any(axis=None):
        raise RequestError("these cells replay several logs, and a figure is of one. Choose it with --select, or --facet for panels.")
    places, heads = places_of(groups["by"].map(_head))
    place = dict(zip(zip(groups["by"], groups["group"]), places))
    labels = own_labels(results, list(dict.fromkeys(rows["cell"])))
    with canvas(ax, style, height_of_rows(style, len(places) + len(heads))) as ax:
        means = rows[["logged", "simulated"]].to_numpy()
        ends = rows.groupby(["by", "group"], sort=False)[["logged", "simulated"]].agg(["min", "max"])
        ax.hlines([place[name] for name in ends.index], ends.min(axis=1), ends.max(axis=1), color="#CFCFCF", linewidth=2.5, zorder=1)
        ax.plot(groups["logged"], places, linestyle="none", marker="|", markersize=13, markeredgewidth=2, color="black", zorder=2, clip_on=False)
        handles = [Line2D([], [], linestyle="none", marker="|", markersize=9, markeredgewidth=2, color="black", label="as logged")]
        step = min(0.25, 0.6 / rows["cell"].nunique())  # of a line: equal waits of several cells are seen
        first = -step * (rows["cell"].nunique() - 1) / 2
        for order, (look, (cell, own)) in enumerate(zip(looks(rows["cell"].nunique()), rows.groupby("cell", sort=False))):
            heights = [place[name] + first + order * step for name in zip(own["by"], own["group"])]
            drawn = {"linestyle": "none", "marker": look.marker, "color": look.colour}
            ax.plot(own["simulated"], heights, zorder=3, clip_on=False, **drawn)
            handles.append(Line2D([], [], label=labels[cell] or "simulated", **drawn))
        rows_axis(ax, [_labels.plain(name) for name in groups["group"]], places, heads)
        if _series.is_wide(means):
            ax.set_xscale("log")
        else:
            ax.set_xlim(left=0)
        _labels.measure(ax.xaxis, "mean wait", results.time_unit, results.file.shown_unit, **RIGHT)
        _labels.note(ax, f"{int(groups['jobs'].iloc[0]):,} jobs")
        legend(ax, handles)
    return ax


def _rows(results: Results) -> pd.DataFrame:
    """Those of `logged_waits` that have waits."""
    rows = results.table("logged_waits") if "logged_waits" in results.table_names else pd.DataFrame(columns=["cell", "jobs"])
    return rows[rows["jobs"] > 0]


def logged_cells(results: Results) -> list[list[int]]:
    """The cells that replay one log, told by its waits, for each log; none where no log has waits."""
    by_log: dict[tuple[float, ...], list[int]] = {}
    for cell, rows in _rows(results).groupby("cell", sort=False):
        by_log.setdefault(tuple(np.concatenate([rows["jobs"], rows["logged"]])), []).append(int(cell))
    return list(by_log.values())


def _head(by: str) -> str:
    return {"all": "", "started by": "started by"}.get(by, f"by {by}")
