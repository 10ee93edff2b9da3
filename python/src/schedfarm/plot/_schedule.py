"""Schedules: who held which processors when.

A schedule is a DataFrame with a row per stretch between start and pause or finish: `job`, `submit`, `start`, `finish`, `processors`, and,
where it is known, `ranges` (`0-3 7`), `kind` (`running`, `loading`; `out_of_order` of processors, whatever the job; `node`, which has its name in the place of a job), `user` and `home` (of several clusters, from 1); the table that `schedfarm simulate --jobs --ranges` and `schedfarm
gantt --format csv` write. Where no ranges are known, every job gets the lowest-numbered free processors, in the order of starts: one
placement that fits, not necessarily the real one.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple, Sequence

import numpy as np
import pandas as pd

from .. import _labels, _schedules
from ..errors import RequestError
from ..results import Results

NEEDED = ("job", "submit", "start", "finish", "processors")


class Schedule(NamedTuple):
    """Rows of jobs in the table, and a rectangle per range of processors: `row` of the jobs, `first`, `last`."""

    jobs: pd.DataFrame
    boxes: pd.DataFrame
    processors: int
    time_unit: str
    name: str
    clusters: tuple[int, ...] = ()  # their processors, in order; none: one
    outages: pd.DataFrame = pd.DataFrame(columns=["start", "finish", "first", "last"])  # processors out of order
    nodes: pd.DataFrame = pd.DataFrame(columns=["name", "first", "last"])  # where they have names

    def between(self, begin: float | None, end: float | None) -> Schedule:
        """What lies in a part of the time."""
        low, high = -np.inf if begin is None else begin, np.inf if end is None else end
        inside = (self.jobs["finish"] > low) & (self.jobs["start"] < high)
        if not inside.any():
            raise RequestError(f"nothing runs from {low:g} to {high:g}. The schedule lies from {self.jobs['start'].min():g} "
                               f"to {self.jobs['finish'].max():g}")
        return self._replace(boxes=self.boxes[inside.to_numpy()[self.boxes["row"]]])

    def of_cluster(self, cluster: int) -> Schedule:
        """What lies on one of the clusters, from 0, whose processors count from 0."""
        first, size = sum(self.clusters[:cluster]), self.clusters[cluster]
        boxes, outages = (rows[rows["first"].between(first, first + size - 1)].copy() for rows in (self.boxes, self.outages))
        for rows in (boxes, outages):
            rows[["first", "last"]] -= first
        return self._replace(boxes=boxes, outages=outages, processors=size, clusters=())


def schedule(source: Any, cell: int | None = None, replication: int = 0, processors: int | None = None,
             time_unit: str | None = None, clusters: Sequence[int] = ()) -> Schedule:
    """Of a logged replication of results, of a table of jobs, of the file of such a table, or one that was read."""
    if isinstance(source, Results):
        if cell is None:
            if not source.logged():
                raise RequestError("the file has no log of jobs. A campaign asks for them with job_log: {replications: 1}")
            cell, replication = source.logged()[0]
        read = _schedules.of_cell(source.file, cell, replication, processors)
        label = source.cells.set_index("cell").loc[cell, "label"]
        read.name = f"{_labels.plain(label)}, replication {replication}"
    elif isinstance(source, _schedules.Schedule):
        read = source
    elif isinstance(source, pd.DataFrame):
        return _of_frame(source, clusters, processors, time_unit)
    else:
        with open(source, encoding="utf-8", errors="replace", newline="") as lines:
            read = _schedules.of_table(lines, os.fspath(source), processors or sum(clusters))
        read.name, read.unit, read.clusters = _labels.plain(os.path.basename(read.name)), time_unit or "s", tuple(clusters)
    jobs = pd.DataFrame(read.columns).drop(columns="line")
    return Schedule(jobs, pd.DataFrame(read.ranges, columns=["row", "first", "last"]), read.processors, read.unit, read.name, read.clusters,
                    pd.DataFrame(read.outages, columns=["start", "finish", "first", "last"]), pd.DataFrame(read.nodes, columns=["name", "first", "last"]))


def _of_frame(rows: pd.DataFrame, clusters: Sequence[int], processors: int | None, time_unit: str | None) -> Schedule:
    lacking = [column for column in NEEDED if column not in rows]
    if lacking:
        raise RequestError(f"the table of jobs has no column {' and no '.join(lacking)}. simulate --jobs and gantt --format csv write such tables")
    placed = _placed(rows.reset_index(drop=True), processors or sum(clusters), time_unit or "s", "")
    if len(clusters) > 1 and placed.boxes["last"].max() >= sum(clusters):
        raise RequestError(f"jobs hold more than the {sum(clusters)} processors of the clusters. Give the clusters that they ran on.")
    return placed._replace(clusters=tuple(clusters))


def _placed(rows: pd.DataFrame, processors: int | None, time_unit: str, name: str) -> Schedule:
    kinds = rows["kind"] if "kind" in rows else pd.Series("running", rows.index)
    is_out, is_node = kinds == "out_of_order", kinds == "node"
    jobs, out, named = (part.reset_index(drop=True) for part in (rows[~is_out & ~is_node], rows[is_out], rows[is_node]))
    if len(named):
        jobs["job"] = pd.to_numeric(jobs["job"])
    boxes = _boxes_of_ranges(jobs) if "ranges" in jobs else _boxes_of_lowest(jobs)
    outages = _boxes_of_ranges(out).join(out[["start", "finish"]], on="row") if len(out) else Schedule._field_defaults["outages"]
    return Schedule(jobs, boxes, processors or int(max(boxes["last"].max(), outages["last"].max() if len(out) else 0)) + 1, time_unit, name,
                    outages=outages, nodes=_boxes_of_ranges(named).assign(name=named["job"]) if len(named) else Schedule._field_defaults["nodes"])


def _boxes_of_ranges(jobs: pd.DataFrame) -> pd.DataFrame:
    parts = jobs.loc[jobs["processors"] > 0, "ranges"].astype(str).str.split(" ").explode()
    ends = parts.str.split("-", expand=True).reindex(columns=[0, 1]).astype(float)
    first = ends[0].astype(int)
    return pd.DataFrame({"row": parts.index.to_numpy(), "first": first.to_numpy(), "last": ends[1].fillna(ends[0]).astype(int).to_numpy()})


def _boxes_of_lowest(jobs: pd.DataFrame) -> pd.DataFrame:
    order = np.argsort(jobs["start"].to_numpy(), kind="stable")
    rows = _schedules.lowest_free(*(jobs[name].to_numpy()[order] for name in ("start", "finish", "processors")))
    rows[:, 0] = order[rows[:, 0]]
    return pd.DataFrame(rows, columns=["row", "first", "last"])


def busy(jobs: pd.DataFrame) -> pd.Series:
    """Busy processors from every instant at which they change, indexed by time."""
    return _steps(jobs["start"], jobs["finish"], jobs["processors"])


def waiting(jobs: pd.DataFrame) -> pd.Series:
    """Waiting jobs, indexed by time; of several stretches of a job the first counts."""
    first = jobs.sort_values("start", kind="stable").drop_duplicates("job")
    first = first[first["submit"].notna()]
    return _steps(first["submit"], first["start"], pd.Series(1, first.index))


def _steps(begin: pd.Series, end: pd.Series, weight: pd.Series) -> pd.Series:
    times = np.concatenate([begin, end])
    changes = pd.Series(np.concatenate([weight, -weight]), index=times)
    return changes.groupby(level=0).sum().cumsum()


def means(steps: pd.Series, edges: Any) -> Any:
    """Between edges that follow each other, of a level that changes at the times of the index and is 0 before and after them."""
    integral = np.concatenate([[0.0], np.cumsum(np.diff(steps.index) * steps.to_numpy()[:-1])])
    return np.diff(np.interp(edges, steps.index, integral)) / np.diff(edges)
