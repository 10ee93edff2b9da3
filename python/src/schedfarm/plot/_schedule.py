"""Schedules: who held which processors when.

A schedule is a DataFrame with a row per stretch between start and pause or finish: `job`, `submit`, `start`, `finish`, `processors`, and,
where it is known, `ranges` (`0-3 7`), `kind` (`running`, `loading`; `out_of_order` of processors, whatever the job; `node`, which has its name in the place of a job), `user` and `home` (of several clusters, from 1); the table that `schedfarm simulate --jobs --ranges` and `schedfarm
gantt --format csv` write. Where no ranges are known, every job gets the lowest-numbered free processors, in the order of starts: one
placement that fits, not necessarily the real one.
"""

from __future__ import annotations

import heapq
import io
import os
from typing import Any, NamedTuple, Sequence

import numpy as np
import pandas as pd

from .. import _program
from ..errors import RequestError
from ..results import Results
from . import _labels

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
    """Of a logged replication of results, of a table of jobs, or of the file of such a table."""
    if isinstance(source, Results):
        return _of_results(source, cell, replication, processors)
    jobs = source if isinstance(source, pd.DataFrame) else _read(source)
    name = "" if not isinstance(source, (str, os.PathLike)) else _labels.plain(os.path.basename(os.fspath(source)))
    lacking = [column for column in NEEDED if column not in jobs]
    if lacking:
        raise RequestError(f"the table of jobs has no column {' and no '.join(lacking)}. simulate --jobs and gantt --format csv write such tables")
    placed = _placed(jobs.reset_index(drop=True), processors or sum(clusters), time_unit or "s", name)
    if len(clusters) > 1 and placed.boxes["last"].max() >= sum(clusters):
        raise RequestError(f"jobs hold more than the {sum(clusters)} processors of the clusters. Are they others?")
    return placed._replace(clusters=tuple(clusters))


def _read(source: Any) -> pd.DataFrame:
    return pd.read_csv(source, dtype={"ranges": str, "kind": str}, keep_default_na=False, na_values={"user": "", "home": ""})


def _of_results(results: Results, cell: int | None, replication: int, processors: int | None) -> Schedule:
    if cell is None:
        logged = results.logged()
        if not logged:
            raise RequestError("the file has no log of jobs. A campaign asks for them with job_log: {replications: 1}")
        cell, replication = logged[0]
    jobs = results.jobs(cell, replication)
    held = results.processors(cell, replication)
    row = results.cells.set_index("cell").loc[cell]
    clusters = [int(part) for part in str(row["clusters"]).strip("[]").split(",")]
    total = processors or sum(clusters)
    name = f"{_labels.plain(row['label'])}, replication {replication}"
    has_names = str(row["policy"]).startswith("slurm")
    if held is None or "piece" in held or has_names or len(clusters) > 1 or _pauses(jobs) or _has_outages(results, cell, replication):  # the program says when and where
        table = _read(io.StringIO(_program.schedule_table(results.path, cell, replication)))
        return _placed(table, total, results.time_unit, name)._replace(clusters=tuple(clusters))
    boxes = pd.DataFrame({"row": held["job"].map(pd.Series(jobs.index, index=jobs["job"])), "first": held["first"], "last": held["last"]})
    return Schedule(jobs, boxes, total, results.time_unit, name)


def _pauses(jobs: pd.DataFrame) -> bool:
    """By more than times that are sums of others are rounded."""
    rounding = 1e-12 * np.maximum(jobs["finish"].abs(), jobs["service"])
    return bool((jobs["finish"] - jobs["start"] > jobs["service"] + rounding).any())


def _has_outages(results: Results, cell: int, replication: int) -> bool:
    """Where there are some, the part of the processors in order is measured."""
    rows = results.replications()
    if "availability" not in rows:
        return False
    return bool(rows.loc[(rows["cell"] == cell) & (rows["replication"] == replication), "availability"].notna().any())


def _placed(rows: pd.DataFrame, processors: int | None, time_unit: str, name: str) -> Schedule:
    kinds = rows["kind"] if "kind" in rows else pd.Series("running", rows.index)
    is_out, is_node = kinds == "out_of_order", kinds == "node"
    jobs, out, named = (part.reset_index(drop=True) for part in (rows[~is_out & ~is_node], rows[is_out], rows[is_node]))
    if len(named):
        jobs["job"] = pd.to_numeric(jobs["job"])
    boxes = _boxes_of_ranges(jobs) if "ranges" in jobs else _lowest_free(jobs, processors)
    outages = _boxes_of_ranges(out).join(out[["start", "finish"]], on="row") if len(out) else Schedule._field_defaults["outages"]
    return Schedule(jobs, boxes, processors or int(max(boxes["last"].max(), outages["last"].max() if len(out) else 0)) + 1, time_unit, name,
                    outages=outages, nodes=_boxes_of_ranges(named).assign(name=named["job"]) if len(named) else Schedule._field_defaults["nodes"])


def _boxes_of_ranges(jobs: pd.DataFrame) -> pd.DataFrame:
    parts = jobs.loc[jobs["processors"] > 0, "ranges"].astype(str).str.split(" ").explode()
    ends = parts.str.split("-", expand=True).reindex(columns=[0, 1]).astype(float)
    first = ends[0].astype(int)
    return pd.DataFrame({"row": parts.index.to_numpy(), "first": first.to_numpy(), "last": ends[1].fillna(ends[0]).astype(int).to_numpy()})


def _lowest_free(jobs: pd.DataFrame, processors: int | None) -> pd.DataFrame:
    """Free processors are sorted ranges, neighbours joined."""
    free: list[list[int]] = [[0, (processors or int(jobs["processors"].sum())) - 1]]
    running: list[tuple[float, int, list[list[int]]]] = []
    boxes: list[tuple[int, int, int]] = []
    starts, finishes, sizes = (jobs[name].to_numpy() for name in ("start", "finish", "processors"))
    for row in np.argsort(starts, kind="stable"):
        while running and running[0][0] <= starts[row]:
            free = _joined(free + heapq.heappop(running)[2])
        taken, wanted = [], int(sizes[row])
        while wanted and free:
            first, last = free[0]
            count = min(wanted, last - first + 1)
            taken.append([first, first + count - 1])
            wanted -= count
            free[:1] = [[first + count, last]] if first + count <= last else []
        heapq.heappush(running, (finishes[row], int(row), taken))
        boxes += [(int(row), first, last) for first, last in taken]
    return pd.DataFrame(boxes, columns=["row", "first", "last"])


def _joined(ranges: list[list[int]]) -> list[list[int]]:
    joined: list[list[int]] = []
    for first, last in sorted(ranges):
        if joined and joined[-1][1] == first - 1:
            joined[-1][1] = last
        else:
            joined.append([first, last])
    return joined


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
