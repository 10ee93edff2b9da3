"""The seeds of a campaign, each a campaign of its own, and what a number or a decision of it is in every one of them: read from the tables that
`schedfarm report` shows, or found from the replications.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from .. import _intervals
from .._claims import Judge
from .._reading.file import ResultFile
from ..errors import FileError, RequestError

PLANNED_ENDS = (b"fixed", b"met", b"selected", b"eliminated")
_ESTIMATES = ("mean", "value", "rho_max", "difference")  # what tables call the estimate in the middle of an interval


@dataclasses.dataclass(frozen=True)
class Row:
    """What the table `certificates` says of a number or a decision."""

    cell: int
    subject: str = "interval"
    table: str = "estimates"
    scope: str = "cell"
    where: str = ""
    metric: str = ""
    interval: str = "reported"
    truth: float = math.nan
    source: str = ""
    column: str = ""
    words: tuple[str, ...] = ()  # its column `is`
    at_least: float = math.nan
    low: float = 0.0
    high: float = 1.0
    expect: str = "inside"
    judged: float = 0.9
    virtual_workers: int = 0
    first_look: int = 64
    procedure: tuple[str, ...] = ()

    @property
    def is_bias(self) -> bool:
        return self.subject in ("bias", "ordered_prefix", "first_finished")


@dataclasses.dataclass
class Measured:
    """A row in every seed. `ends`: how it ended where that was not planned, else empty; `error`, `half_width`: relative to the truth,
    absolute where that is 0; `note`: what else is to be said."""

    covers: Any
    error: Any
    half_width: Any
    ends: Any
    used: Any
    differing: int = 0
    note: str = ""


class Seeds:
    """Of a result file; without a factor `seed` there is one, that has no name."""

    def __init__(self, file: ResultFile) -> None:
        self._file = file
        self._kept: dict[str, Any] = {}
        factors = self.records("factors")
        of_seed = factors[factors["factor"] == b"seed"]
        self.names = [label.decode() for label in dict.fromkeys(of_seed["label"].tolist())]
        number = {label.encode(): i for i, label in enumerate(self.names)}
        count = file.length("cells")
        if count % max(len(self.names), 1) > 0:
            raise FileError(f"{file.path}: its seeds have different cells. `schedfarm check` says more")
        self._seed_of = np.zeros(count, int)
        self._seed_of[of_seed["cell"]] = [number[label] for label in of_seed["label"].tolist()]
        self.cells = np.argsort(self._seed_of, kind="stable").reshape(max(len(self.names), 1), -1)  # of every seed, in the same order
        self._place_of = np.empty(count, int)
        self._place_of[self.cells] = np.arange(self.cells.shape[1])

    def records(self, name: str) -> Any:
        """A table, read once; of cells what is looked at."""
        if name not in self._kept:
            records = self._file.records(name)
            self._kept[name] = records[["cell", "status", "replications_used", "confidence"]].copy() if name == "cells" else records
        return self._kept[name]

    def measure(self, row: Row) -> Measured:
        """Raises RequestError where the row looks for what a table does not have."""
        measures: dict[str, Callable[[Row, Measured], None]] = {
            "decision": self._decide, "ordered_prefix": self._take_ordered_prefix, "first_finished": self._take_first_finished,
            "every_look": self._look}
        seeds = len(self.cells)
        own = self.cells[:, self._place_of[row.cell]]
        cells = self.records("cells")
        measured = Measured(np.ones(seeds, bool), np.full(seeds, math.nan), np.zeros(seeds), np.full(seeds, "", object),
                            cells["replications_used"][own].astype(float))
        if row.subject != "decision":
            for seed, meant in enumerate(self.cells if row.scope == "campaign" else own[:, None]):
                ends = sorted(set(cells["status"][meant].tolist()) - set(PLANNED_ENDS))
                measured.ends[seed] = " and ".join(end.decode() for end in ends)
            self._take_intervals(row, measured)
        if row.subject in measures:
            measures[row.subject](row, measured)
        return measured

    def _meant(self, row: Row, measured: Measured) -> tuple[Any, dict[str, Any]]:
        """The seeds of the rows meant, and their columns. A seed without one is told as an end."""
        seeds, places, columns = self._table(row.table)
        chosen = np.ones(len(seeds), bool)
        if row.scope == "cell" and places is not None:
            chosen &= places == self._place_of[row.cell]
        if row.metric and "metric" in columns:
            chosen &= columns["metric"] == row.metric.encode()
        for condition in filter(None, row.where.split("; ")):
            name, _, value = condition.partition("=")
            chosen &= _equals(self._column(row, columns, name), value)
        is_there = np.zeros(len(self.cells), bool)
        is_there[seeds[chosen]] = True
        measured.ends[~is_there & (measured.ends == "")] = "no row"
        return seeds[chosen], {name: column[chosen] for name, column in columns.items()}

    def _column(self, row: Row, columns: dict[str, Any], name: str) -> Any:
        if columns and name not in columns:
            raise RequestError(f"{self._file.path}: a certificate looks for a column '{name}' in a table '{row.table}', which has none. "
                               "results_schema/SCHEMA.md lists them")
        return columns.get(name, np.empty(0))

    def _table(self, name: str) -> tuple[Any, Any, dict[str, Any]]:
        """Of every row the seed and the place of its cell within the seed (None where rows are about no cell), and the columns."""
        if name in ("claims", "claim_values"):
            if name not in self._kept:
                found = [(seed, row) for seed in range(len(self.cells)) for row in getattr(self._claims, name)(self._cells_as_first(seed))]
                self._kept[name] = np.array([seed for seed, _ in found], int), None, _columns([row for _, row in found])
            return self._kept[name]  # type: ignore[no-any-return]
        if name == "quantities":
            columns = _columns(self._claims.quantities())
        else:
            records = self.records(name) if self._file.has(name) else np.empty(0, [("cell", int)])
            columns = {column: records[column] for column in records.dtype.names}
        if not columns:
            return np.empty(0, int), None, {}
        cells = np.asarray(columns["cell" if "cell" in columns else "first_cell"], int)
        return self._seed_of[cells], self._place_of[cells], columns

    @cached_property
    def _claims(self) -> Judge:
        return Judge(self._file)

    def _cells_as_first(self, seed: int) -> list[int]:
        """For every cell of the first seed that of this one."""
        found = np.arange(len(self._seed_of))
        found[self.cells[0]] = self.cells[seed]
        return found.tolist()  # type: ignore[no-any-return]

    def _take_intervals(self, row: Row, measured: Measured) -> None:
        """The first of the rows tells error and half-width; all of them must contain the truth."""
        seeds, columns = self._meant(row, measured)
        ends = "given_log_" if row.interval == "given_log" else ""
        lower, upper = (self._column(row, columns, ends + side) for side in ("lower", "upper"))
        estimate = next((columns[name] for name in _ESTIMATES if name in columns), np.empty(0))
        covers = (lower <= row.truth) & (row.truth <= upper)
        np.logical_and.at(measured.covers, seeds, covers)
        missing = np.unique(seeds[np.isnan(lower + upper + estimate)])
        measured.ends[missing] = np.where(measured.ends[missing] == "", "no number", measured.ends[missing])
        first, index = np.unique(seeds, return_index=True)
        scale = abs(row.truth) or 1
        measured.error[first] = (estimate[index] - row.truth) / scale
        measured.half_width[first] = (upper[index] - lower[index]) / 2 / scale
        endless = np.unique(seeds[np.isinf(upper - lower)])  # contains the truth, but tells nothing
        measured.ends[endless] = np.where(measured.ends[endless] == "", "without an end", measured.ends[endless])

    def _decide(self, row: Row, measured: Measured) -> None:
        seeds, columns = self._meant(row, measured)
        values = self._column(row, columns, row.column)
        right = np.isin(values, [word.encode() for word in row.words]) if row.words else values >= row.at_least
        np.logical_and.at(measured.covers, seeds, right)

    # From the replications.

    def _replications(self, row: Row, name: str = "replications") -> list[Any]:
        """Those of the row's cell in every seed, by index."""
        records = self.records(name)
        starts = np.searchsorted(records["cell"], np.arange(self._file.length("cells") + 1))
        return [records[starts[cell]:starts[cell + 1]] for cell in self.cells[:, self._place_of[row.cell]]]

    def _take_ordered_prefix(self, row: Row, measured: Measured) -> None:
        """The estimate is the mean of the first by index, however they finished."""
        scale = abs(row.truth) or 1
        shuffled = 0
        for seed, (replications, timings) in enumerate(zip(self._replications(row), self._replications(row, "timings"))):
            error = (running_mean(replications[row.metric]) - row.truth) / scale
            measured.differing += bool(error != measured.error[seed])
            finished = timings["began"] + timings["seconds"]
            shuffled += bool((np.diff(finished[timings["run"] == 1]) < 0).any())
        measured.note = f"in {shuffled} of {len(self.cells)} seeds replications finished in another order than that of their index"

    def _take_first_finished(self, row: Row, measured: Measured) -> None:
        """Of n replications on w workers the first n - w + 1 to finish are known: whoever finishes earlier has begun as one of n."""
        ranks = max(1, int(self._file.attributes["ranks"]) - 1)
        for seed, (replications, timings) in enumerate(zip(self._replications(row), self._replications(row, "timings"))):
            values = replications[row.metric]
            finished = virtual_ends(values, row.virtual_workers) if row.virtual_workers else (timings["began"] + timings["seconds"])[:len(values)]
            order = np.argsort(finished, kind="stable")[:max(1, len(values) - (row.virtual_workers or ranks) + 1)]
            measured.error[seed] = (values[order].mean() - row.truth) / (abs(row.truth) or 1)
            measured.used[seed] = len(order)

    def _look(self, row: Row, measured: Measured) -> None:
        confidence = float(self.records("cells")["confidence"][row.cell])
        for seed, replications in enumerate(self._replications(row)):
            values = replications[row.metric]
            n = np.array(looks(row.first_look, len(values)))
            means = np.cumsum(values)[n - 1] / n
            centred = values - values.mean()
            squares = np.cumsum(centred**2)[n - 1] - np.cumsum(centred)[n - 1] ** 2 / n
            errors = np.sqrt(squares / (n - 1) / n)
            measured.covers[seed] = all(
                lower <= row.truth <= upper for lower, upper in (
                    _intervals.interval(_intervals.Estimate(int(k), mean, error, 0.0, int(k) - 1), confidence, "confidence_sequence")
                    for k, mean, error in zip(n, means, errors)))


def running_mean(values: Any) -> float:
    """To the bit as the program has it (engine/statistics/accumulator.cpp)."""
    mean = 0.0
    for n, value in enumerate(values.tolist(), 1):
        mean += (value - mean) / n
    return mean


def virtual_ends(durations: Any, workers: int) -> Any:
    """When replications end that are begun in their order, each on the worker that is free first.

    >>> virtual_ends(np.array([4.0, 1.0, 2.0, 1.0]), 2)
    array([4., 1., 3., 4.])
    """
    free = [0.0] * workers
    ends = []
    for duration in durations.tolist():
        ends.append(free[0] + duration)
        heapq.heapreplace(free, ends[-1])
    return np.array(ends)


def looks(first: int, last: int) -> list[int]:
    """Each at 1.2 times as many replications, rounded up, as the one before (engine/statistics/stop_rule.hpp), and where the rule ended.

    >>> looks(64, 100), looks(64, 77)
    ([64, 77, 93, 100], [64, 77])
    """
    found = []
    n = first
    while n < last:
        found.append(n)
        n += -(-n // 5)
    return [*found, last]


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Rows as columns, texts as they are stored."""
    return {name: np.array([row[name].encode() if isinstance(row[name], str) else row[name] for row in rows]) for name in (rows[0] if rows else {})}


def _equals(values: Any, value: str) -> Any:
    if values.dtype.kind == "S":
        return values == value.encode()
    try:
        return values == float(value)
    except ValueError:
        return np.zeros(len(values), bool)
