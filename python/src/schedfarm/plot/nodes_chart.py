"""What nodes did and what was in their memory: time across, a band per node."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba_array
from matplotlib.patches import Patch

from .. import _labels, _program
from ..errors import RequestError
from ..results import Results
from ._boxes import Boxes
from ._canvas import COLOURS, canvas, legend
from .gantt_chart import out_of_order

_MEMORY = 0.4  # of a band: the lower part shows memory, the rest what the node does


def nodes(source: Any, cell: int | None = None, replication: int = 0, *, begin: float | None = None, end: float | None = None,
          capacity: float | None = None, ax: Axes | None = None, style: str | None = None) -> Axes:
    """The upper part of a node's band is solid while a job runs and pale while one is loading; the lower part shows how much memory
    every job has there, running or not, of the node's whole (`capacity`; default: the most that any node has in use). A node out of order
    is crossed.

    `source`: results with a logged cell and replication of a policy that gives processors by name, or the table, or its file, that
    `schedfarm gantt RESULTS --cell N --format nodes` writes. Colours are those of the job classes, where there are several, else of
    jobs."""
    spans, kinds, names, unit, note = _source(source, cell, replication)
    low, high = begin if begin is not None else spans["begin"].min(), end if end is not None else spans["end"].max()
    shown = spans[(spans["end"] > low) & (spans["begin"] < high)]
    if shown.empty:
        raise RequestError(f"nodes do nothing from {low:g} to {high:g}. The table lies from {spans['begin'].min():g} to {spans['end'].max():g}")
    out, shown = shown[shown["kind"] == "out_of_order"], shown[shown["kind"] != "out_of_order"]
    colours = np.array(COLOURS[:-1])[kinds.reindex(shown["job"]).to_numpy() % (len(COLOURS) - 1)]
    count = int(spans["last"].max()) + 1
    stacks = _stacks(shown[shown["kind"] == "resident"])
    whole = capacity or max(stacks["top"].max() if len(stacks) else 0.0, 1e-300)
    with canvas(ax, style or "page") as ax:
        ax.set_xlim(low, high)
        ax.set_ylim(0, count)
        each = _by_node(shown).assign(colour=lambda rows: colours[shown.index.get_indexer(rows.index)])
        bottom = _MEMORY if len(stacks) else 0.0
        if len(out):
            out_of_order(ax, out["begin"], out["end"], out["first"], out["last"] + 1)
        running = each[each["kind"] == "running"]
        ax.add_collection(Boxes(running["begin"], running["end"], running["node"] + bottom, running["node"] + 0.96, running["colour"], "running"))
        loading = each[each["kind"] == "loading"]
        ax.add_collection(Boxes(loading["begin"], loading["end"], loading["node"] + bottom, loading["node"] + 0.96,
                                to_rgba_array(list(loading["colour"]), 0.25), "loading"))
        height = _MEMORY * 0.92 / whole
        of_stacks = to_rgba_array(list(colours[shown.index.get_indexer(stacks["row"])]), 0.45)
        ax.add_collection(Boxes(stacks["begin"], stacks["end"], stacks["node"] + stacks["bottom"] * height, stacks["node"] + stacks["top"] * height,
                                of_stacks, "memory"))
        ax.set_ylabel("node")
        ax.yaxis.get_major_locator().set_params(integer=True)
        ax.grid(visible=False)
        _labels.measure(ax.xaxis, "time", unit, is_span=True)
        handles = [Patch(facecolor=COLOURS[number % (len(COLOURS) - 1)], label=name) for number, name in sorted(names.items())
                   if number in set(kinds.reindex(shown["job"]))]
        looks = {"running": {"facecolor": "#888888"}, "loading": {"facecolor": "#88888840"},
                 "resident": {"facecolor": "#88888873"}, "out_of_order": {"facecolor": "#EEEEEE", "edgecolor": "#888888", "hatch": "xxxx", "linewidth": 0}}
        legend(ax, handles + [Patch(label="resident (below)" if kind == "resident" else kind.replace("_", " "), **look) for kind, look in looks.items()
                              if kind in {*shown["kind"], *out["kind"]}])
        _labels.note(ax, note)
    return ax


def _source(source: Any, cell: int | None, replication: int) -> tuple[pd.DataFrame, pd.Series, dict[int, str], str, str]:
    """The table, a number for the colour of each job, what numbers are called, the unit of time, and a note."""
    names: dict[int, str] = {}
    if not isinstance(source, Results):
        spans = source if isinstance(source, pd.DataFrame) else pd.read_csv(source)
        jobs = np.sort(spans["job"].unique())
        name = os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else ""
        return spans.reset_index(drop=True), pd.Series(jobs, jobs), names, "s", _labels.plain(name)
    if cell is None:
        logged = source.logged()
        if not logged:
            raise RequestError("the file has no log of jobs. A campaign asks for them with job_log: {replications: 1}")
        cell, replication = logged[0]
    spans = pd.read_csv(io.StringIO(_program.node_table(source.path, cell, replication)))
    if (spans["kind"] == "out_of_order").all():
        raise RequestError(f"the policy of cell {cell} gives processors by number. Which it gives is not known")
    log = source.jobs(cell, replication)
    classes = log.set_index("job")["class"] if "class" in log else pd.Series(0, log["job"])
    if classes.nunique() > 1:
        names = source.class_names(cell) or {int(number): f"class {number}" for number in classes.unique()}
    else:
        classes = pd.Series(log["job"].to_numpy(), log["job"])
    label = source.cells.set_index("cell").loc[cell, "label"] or f"cell {cell}"
    return spans, classes, names, source.time_unit, f"{_labels.plain(label)}, replication {replication}"


def _stacks(resident: pd.DataFrame) -> pd.DataFrame:
    """What is resident on a node at once, one upon the other in the order of its begin; `row` is the index of the span."""
    found: list[tuple[int, int, float, float, float, float]] = []
    for node, rows in _by_node(resident).sort_values("begin", kind="stable").groupby("node"):
        times = np.unique(np.concatenate([rows["begin"], rows["end"]]))
        parts = list(zip(rows.index, rows["begin"], rows["end"], rows["memory"]))
        for since, until in zip(times, times[1:]):
            top = 0.0
            for row, begin, end, memory in parts:
                if begin <= since and end >= until:
                    found.append((row, int(node), since, until, top, top + memory))
                    top += memory
    return pd.DataFrame(found, columns=["row", "node", "begin", "end", "bottom", "top"])


def _by_node(spans: pd.DataFrame) -> pd.DataFrame:
    """A row for every node of every span, with the index of the span."""
    each = spans.loc[spans.index.repeat(spans["last"] - spans["first"] + 1)]
    return each.assign(node=each["first"] + each.groupby(level=0).cumcount())
