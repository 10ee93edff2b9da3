"""Utilization and queue of single replications over time."""

from __future__ import annotations

from matplotlib.axes import Axes

from .. import _labels, _series
from ..errors import RequestError
from ..results import Results
from . import _schedule
from ._canvas import canvas, legend, looks


def utilization(results: Results, replication: int = 0, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """Gross utilization in the parts of the measurement window of a logged replication, a line per cell."""
    rows = results.table("utilization_series") if "utilization_series" in results.table_names else None
    rows = rows[rows["replication"] == replication] if rows is not None else None
    if rows is None or rows.empty:
        raise RequestError("the file has no utilization over time. A campaign asks for it with job_log: {replications: 1, utilization_parts: 50}")
    labels = _labels.cell_labels(results)
    with canvas(ax, style) as ax:
        for look, (cell, part) in zip(looks(rows["cell"].nunique()), rows.groupby("cell")):
            edges = [*part["begin"], part["end"].iloc[-1]]
            ax.stairs(part["gross_utilization"], edges, baseline=None, color=look.colour, linestyle=look.line, label=labels[cell])
        ax.set_ylim(0, 1)
        ax.set_ylabel("gross utilization")
        _labels.measure(ax.xaxis, "time", results.time_unit, results.file.shown_unit, is_span=True)
        _labels.note(ax, "; ".join([f"replication {replication}, {rows['part'].nunique()} parts", *_series.without_value(results)]))
        legend(ax)
    return ax


def queue(results: Results, cells: list[int] | None = None, replication: int = 0, *, ax: Axes | None = None,
          style: str | None = None) -> Axes:
    """Waiting jobs over time in a logged replication, a line per cell."""
    logged = [cell for cell, index in results.logged() if index == replication and (cells is None or cell in cells)]
    if not logged:
        raise RequestError("the file has no log of these jobs. A campaign asks for them with job_log: {replications: 1}")
    labels = _labels.cell_labels(results)
    with canvas(ax, style) as ax:
        for look, cell in zip(looks(len(logged)), logged):
            steps = _schedule.waiting(results.jobs(cell, replication))
            ax.plot(steps.index, steps, drawstyle="steps-post", color=look.colour, linestyle=look.line, linewidth=0.9, label=labels[cell])
        ax.set_ylim(bottom=0)
        ax.set_ylabel("waiting jobs")
        _labels.measure(ax.xaxis, "time", results.time_unit, results.file.shown_unit, is_span=True)
        _labels.note(ax, "; ".join([f"replication {replication}", *(_series.without_value(results) if cells is None else [])]))
        legend(ax)
    return ax
