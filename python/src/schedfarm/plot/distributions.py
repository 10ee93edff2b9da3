"""Distributions of single jobs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from .. import _labels, _series
from ..errors import RequestError, one_of
from ..results import Results
from ._canvas import canvas, legend, looks

_OF_JOBS = {"response_time": ("finish", "submit"), "wait": ("start", "submit"), "service_time": ("finish", "start")}


def ecdf(results: Results, metric: str | None = None, cells: Sequence[int] | None = None, *, source: str = "sketches",
         tail: bool = False, ax: Axes | None = None, style: str | None = None) -> Axes:
    """The share of measured jobs at or below a value, a line per cell; `tail`: the share above it, both axes logarithmic. Of response times
    unless a metric is named, or another is all that was sketched.

    `source`: `sketches`, all measured jobs of a cell to 1 %; or `jobs`, those of its first logged replication, warm-up and all."""
    drawn = {}
    metric = metric or _usual_metric(results, source)
    for cell in results.cells["cell"] if cells is None else cells:
        shares = _from_sketch(results, metric, cell) if source == "sketches" else _from_jobs(results, metric, cell, source)
        if shares is not None:
            drawn[cell] = shares
    if not drawn:
        asked = "probes: [{response_time: {sketch: true}}]" if source == "sketches" else "job_log: {replications: 1}"
        raise RequestError(f"no cell has {source} of {metric}. A campaign asks for them with {asked}")
    labels = _labels.cell_labels(results)
    with canvas(ax, style) as ax:
        for look, (cell, shares) in zip(looks(len(drawn)), drawn.items()):
            shares = shares[np.isfinite(shares["value"])]
            share = 1 - shares["share"] if tail else shares["share"]
            ax.plot(shares["value"], share, drawstyle="steps-post", color=look.colour, linestyle=look.line, label=labels[cell])
        if tail:
            ax.set_xscale("log")
            ax.set_yscale("log")
            ax.set_xlim(left=min(float(np.interp(0.05, s["share"], s["value"])) for s in drawn.values()))
        else:
            ax.set_xlim(left=0, right=max(float(np.interp(0.999, s["share"], s["value"])) for s in drawn.values()))
            ax.set_ylim(0, 1)
        _labels.measure_metric(ax.xaxis, results, metric)
        ax.set_ylabel("share of jobs above" if tail else "share of jobs")
        jobs = pd.Series([int(shares.attrs["jobs"]) for shares in drawn.values()])
        words = f"{_labels.span_text(jobs)} jobs{' each' if len(drawn) > 1 else ''}"
        _labels.note(ax, "; ".join([words, *(_series.without_value(results) if cells is None else [])]))
        legend(ax)
    return ax


def _usual_metric(results: Results, source: str) -> str:
    sketched = results.table("sketches")["metric"].tolist() if source == "sketches" and "sketches" in results.table_names else []
    return "response_time" if "response_time" in sketched or not sketched else str(sketched[0])


def _from_sketch(results: Results, metric: str, cell: int) -> pd.DataFrame | None:
    if "sketches" not in results.table_names:
        return None
    rows = results.table("sketches")
    rows = rows[(rows["cell"] == cell) & (rows["metric"] == metric)]
    if rows.empty:
        return None
    shares = pd.DataFrame({"value": rows["upper"], "share": rows["count"].cumsum() / rows["count"].sum()})
    shares.attrs["jobs"] = rows["count"].sum()
    return shares


def _from_jobs(results: Results, metric: str, cell: int, source: str) -> pd.DataFrame | None:
    if source != "jobs":
        raise one_of("source", source, ["sketches", "jobs"], "Sources")
    if metric not in _OF_JOBS:
        raise one_of("metric of jobs", metric, list(_OF_JOBS), "They are")
    logged = [replication for number, replication in results.logged() if number == cell]
    if not logged:
        return None
    jobs = results.jobs(cell, logged[0])
    end, begin = _OF_JOBS[metric]
    values = np.sort((jobs[end] - jobs[begin]).dropna())
    shares = pd.DataFrame({"value": values, "share": np.arange(1, len(values) + 1) / len(values)})
    shares.attrs["jobs"] = len(values)
    return shares
