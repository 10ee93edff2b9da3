"""One result file: its tables, its job logs, and what can be proven of it."""

from __future__ import annotations

import functools
import html
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _made, _program, _sketch
from . import _words as words
from ._factors import Factors
from ._reading import payload
from ._reading.file import Column, ResultFile
from ._reading.lazy_pandas import pd
from ._tables import OBSERVATIONS, Tables, one_metric
from ._words import ranges_text
from .errors import RequestError, one_of

if TYPE_CHECKING:
    import xarray

    from .report import View

# What these statuses mean is in the table `cells`: their numbers may still change, or hold for no long run.
UNDECIDED = ("provisional", "incomplete", "unstable", "met_not_stationary", "met_heavy_tail", "not_met_cap", "not_met_budget",
             "not_met_log", "not_met_variance", "not_met_missing", "not_bracketed", "not_stationary")


class Results(Tables):
    """A result file, or (`select`) some of its cells. Tables are read when they are first asked for."""

    def __init__(self, file: ResultFile, cells: pd.Index | None = None) -> None:
        self._file = file
        self._chosen = cells
        self._cached_factors: Factors | None = None

    def __enter__(self) -> Results:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; tables that were given out stay."""
        self._file.close()

    def __repr__(self) -> str:
        cells = self.cells
        factors = [f"{name} ({len(set(self.factors.columns.loc[cells['cell'], name]))})" for name in self._varying()]
        lines = [
            f"<schedfarm results '{self.name}' in {self.path}",
            f" {len(cells)} cells{' of ' if factors else ''}{' × '.join(factors)}, "
            f"{cells['replications_used'].sum()} replications, payload {self.attributes['payload_hash'][:12]}",
        ]
        for status, rows in cells[cells["status"].isin(UNDECIDED)].groupby("status"):
            lines.append(f" {status}: cells {ranges_text(rows['cell'])}")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        """For notebooks: what is printed, and the report's first table."""
        from . import report
        cells = None if self._chosen is None else set(self._chosen)
        return f"<pre>{html.escape(repr(self))}</pre>\n" + report.first_table_html(self._file, cells)

    # What the file is.

    @property
    def file(self) -> ResultFile:
        """What is read, as it is stored."""
        return self._file

    @functools.cached_property
    def view(self) -> View:
        """What reports take from it."""
        from .report import View
        return View(self._file)

    @property
    def path(self) -> str:
        return self._file.path

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes of the root: campaign, versions, hashes, seed, host."""
        return self._file.attributes

    @property
    def name(self) -> str:
        return str(self.attributes["campaign_name"])

    @property
    def time_unit(self) -> str:
        """`s` where the times of every workload are seconds, else the campaign's words (`time_unit: minutes`), or `time units`."""
        return self._file.time_unit

    @property
    def table_names(self) -> list[str]:
        return list(self._file.names)

    def columns(self, table: str) -> list[Column]:
        """Name, unit and meaning of every column of a table.

        >>> first.columns("estimates")[1]
        Column(name='metric', unit='', meaning='name of an observation column of `replications`', hashed=True)
        """
        return self._file.columns(table)

    def unit(self, metric: str) -> str:
        """The unit of a metric or of a probe's mean, `1` where it has none, with the campaign's unit of time; estimates have it as
        a column.

        >>> first.unit("response_time"), first.unit("queue_length")
        ('time units', '1')
        """
        return self._file.unit(metric)

    # Tables.

    def __getitem__(self, name: str) -> pd.DataFrame:
        """A table by its name, as `table`.

        >>> len(first["estimates"]) == len(first.estimates()), "logged_waits" in first
        (True, False)
        """
        return self.table(name)

    def __contains__(self, name: object) -> bool:
        return name in self.table_names

    def __iter__(self) -> Iterator[str]:
        return iter(self.table_names)

    def table(self, name: str, factors: bool = False) -> pd.DataFrame:
        return self._own(self._file.frame(name), factors)

    def _estimates_of(self, metrics: Sequence[str], factors: bool) -> pd.DataFrame:
        return self._own(self._file.rows_where("estimates", "metric", metrics), factors)

    def _own(self, rows: pd.DataFrame, factors: bool) -> pd.DataFrame:
        """Those of the cells of which this is."""
        if self._chosen is not None:
            for column in ("cell", "first_cell", "second_cell"):
                if column in rows:
                    rows = rows[rows[column].isin(self._chosen)]
        rows = rows.reset_index(drop=True)
        return self.with_factors(rows) if factors else rows

    def with_factors(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Rows that have a column `cell`, with one column more per factor; `_level` tells it from a column of the same name."""
        if "cell" not in rows:
            raise RequestError(f"these rows have no column 'cell'. Their columns: {', '.join(rows)}")
        return rows.join(self.factors.columns, on="cell", rsuffix="_level")

    @property
    def cells(self) -> pd.DataFrame:
        """A row per cell: what it simulates and how it ended."""
        return self.table("cells")

    def compare(self, first: str, second: str, metric: str | None = None) -> str:
        """What the campaign's comparison says of two levels of its factor: a sentence for each pair of cells.

        Raises RequestError where the campaign compares nothing, or not these two.
        """
        if "comparisons" not in self:
            raise RequestError("the campaign compares nothing. Write comparison: {factor: policy, metric: …} into it")
        rows = self.comparisons(metric)
        pairs = [(row, swap) for row in rows.itertuples() for swap in (False, True)
                 if _is_level(row.first, second if swap else first) and _is_level(row.second, first if swap else second)]
        if not pairs:
            raise one_of("comparison", f"{first} with {second}", [f"{row.first} with {row.second}" for row in rows.itertuples()])
        return "\n".join(" ".join([self._sentence(row, swap), *words.gate_texts([row._asdict()], "difference")]) for row, swap in pairs)

    def _sentence(self, row: Any, swap: bool) -> str:
        name, unit = words.metric_text(row.metric), self.unit(row.metric)
        unit = "" if unit == "1" else f" {unit}"
        behind = f"{unit} ({row.n} pairs, {words.percent_text(row.confidence)})."
        names = [row.second, row.first] if swap else [row.first, row.second]
        if row.verdict == "not decided":
            ends = (-row.upper, -row.lower) if swap else (row.lower, row.upper)
            by = words.interval_text(-row.difference if swap else row.difference, ends[0], ends[1], words.BOUNDS)
            return f"Whether the {name} is smaller under {names[0]} or under {names[1]} is not decided: {names[0]} less {names[1]} is {by}{behind}"
        smaller, larger = (row.first, row.second) if row.difference < 0 else (row.second, row.first)
        near, far = sorted((abs(row.lower), abs(row.upper)))
        by = words.interval_text(abs(row.difference), near, far)
        return f"The {name} is smaller under {smaller} than under {larger}: by {by}{behind}"

    @property
    def factors(self) -> Factors:
        """The factors: names, levels, and their columns by cell."""
        if self._cached_factors is None:
            self._cached_factors = Factors(self._file.frame("factors"), pd.Index(self._file.frame("cells")["cell"]))
        return self._cached_factors

    @property
    def metrics(self) -> list[str]:
        """The metrics that have estimates, and those that are made of what was observed.

        >>> first.metrics[-2:]
        ['queue_length.mean', 'wall_time_ms']
        """
        return [*self.unmade_metrics, *_made.names(self)]

    @functools.cached_property
    def unmade_metrics(self) -> list[str]:
        observed = [column.name for column in self._file.columns("replications")[OBSERVATIONS:]]
        return list(dict.fromkeys([*self._file.stored("estimates")["metric"], *observed]))

    def select(self, **levels: Any) -> Results:
        chosen = self.factors.cells(levels)
        if self._chosen is not None:
            chosen = chosen[chosen.isin(self._chosen)]
        if chosen.empty:
            raise RequestError(f"no cell has {levels}. Their factors: {', '.join(self.factors.names)}")
        return Results(self._file, chosen)

    def whole(self) -> Results:
        return Results(self._file)

    def cell(self, **levels: Any) -> int:
        """The number of the only cell with these levels.

        >>> first.cell(policy="fcfs", utilization=0.6)
        1
        """
        return self.factors.one_cell(levels, self._chosen)

    def pivot(self, metric: str, rows: str | Sequence[str], columns: str | Sequence[str],
              values: str | Sequence[str] = "mean") -> pd.DataFrame:
        """Estimates of one metric as a table of factors by factors; levels in the order of the campaign.

        A list of `values` (`mean`, `lower`, `upper`) gives the columns of each beside those of the next.

        >>> first.pivot("response_time", rows="utilization", columns="policy").round(1)
        policy            fcfs  fpfs(max_jumps=7)
        load.utilization
        0.5                1.4                1.3
        0.6                1.8                1.5
        0.7                2.9                2.0
        """
        chosen = self.estimates(metric=one_metric(metric, self.metrics))
        names = [[self.factors.resolve(name) for name in _listed(part)] for part in (rows, columns)]
        for value in _listed(values):
            if value not in chosen:
                raise RequestError(f"no value '{value}'. Estimates have: {', '.join(self._file.frame('estimates'))}")
        self.expect_single_cells(chosen, names[0] + names[1])
        index: str | list[str] = names[0] if len(names[0]) > 1 else names[0][0]
        heads: str | list[str] = names[1] if len(names[1]) > 1 else names[1][0]
        tables = [
            chosen.pivot(index=index, columns=heads, values=value).reindex(
                index=in_order(chosen, index), columns=in_order(chosen, heads))
            for value in _listed(values)
        ]
        return tables[0] if isinstance(values, str) else pd.concat(tables, axis=1, keys=list(values))

    def _varying(self) -> list[str]:
        return self.factors.varying(self._chosen)

    def expect_single_cells(self, chosen: pd.DataFrame, factors: list[str]) -> None:
        """Refuses rows of cells of which two have the same levels of these factors."""
        if len(set(factors)) < len(factors):
            raise RequestError(f"a factor stands twice in rows and columns: {', '.join(factors)}")
        if chosen.duplicated(factors).any():
            others = [name for name in self._varying() if name not in factors]
            raise RequestError(
                f"several cells have one place in a table by {', '.join(factors)}. Cells also differ in: "
                f"{', '.join(others)}. Give rows or columns a list with it, [..., '{others[0]}'], or .select one level."
            )

    # Single jobs.

    def logged(self) -> list[tuple[int, int]]:
        """The (cell, replication) that have a log of their jobs, in order.

        >>> first.logged()
        [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
        """
        return [pair for pair in self._file.logs if self._chosen is None or pair[0] in self._chosen]

    def jobs(self, cell: int, replication: int = 0) -> pd.DataFrame:
        """What became of every job of a replication, where the campaign asks for its log.

        >>> jobs = first.jobs(0)
        >>> len(jobs), bool((jobs.start >= jobs.submit).all())
        (5000, True)
        """
        return self._log("jobs", cell, replication)

    def processors(self, cell: int, replication: int = 0) -> pd.DataFrame | None:
        """Which processors its jobs held, a row per range; None where that is not known. Where some job went on elsewhere: a row per range
        of each `piece` of a job's time, from `begin` to `end`.

        >>> first.processors(0).head(2)
           job  first  last
        0    0      0     7
        1    1      8    17
        """
        known = [kind for kind in ("processors", "pieces") if self._file.has(f"{kind}/{cell}/{replication}")]
        return self._log(known[0], cell, replication) if known else None

    def _log(self, kind: str, cell: int, replication: int) -> pd.DataFrame:
        if not self._file.has(f"{kind}/{cell}/{replication}"):
            there = ", ".join(f"({a}, {b})" for a, b in self.logged()[:8]) or "none"
            raise RequestError(
                f"no log of replication {replication} of cell {cell}. The file has (cell, replication): {there}. "
                "A campaign asks for logs with job_log: {replications: 1}"
            )
        return self._file.read(f"{kind}/{cell}/{replication}")

    def by_class(self, metric: str) -> dict[int, str]:
        """What a metric, a quantity, or the mean of a probe is called for each job class: `response_time.mean[class=1]`."""
        pattern = re.compile(rf"{re.escape(metric)}(?:\.mean)?\[class=(\d+)\]")
        return {int(found.group(1)): found.group() for found in map(pattern.fullmatch, self.metrics) if found}

    def class_names(self, cell: int) -> dict[int, str]:
        """What the job classes of a cell are called; empty where they have no names."""
        if not self._file.has("job_classes"):
            return {}
        rows = self._file.frame("job_classes")
        rows = rows[rows["cell"] == cell]
        return dict(zip(rows["class"].tolist(), rows["name"]))

    def quantile(self, p: float, metric: str = "response_time", **levels: Any) -> float:
        """The p-quantile of all measured jobs of a cell, to 0.25 % of its value, from the sketch.

        >>> round(first.quantile(0.99, policy="fcfs", utilization=0.7))
        12
        """
        return _sketch.quantile(self._sketch(metric, levels), p)

    def ecdf(self, metric: str = "response_time", **levels: Any) -> pd.DataFrame:
        """The distribution of all measured jobs of a cell: `value`, and the `share` of jobs at or below it.

        >>> float(first.ecdf("response_time", policy="fcfs", utilization=0.5)["share"].iloc[-1])
        1.0
        """
        return _sketch.distribution(self._sketch(metric, levels))

    def _sketch(self, metric: str, levels: dict[str, Any]) -> pd.DataFrame:
        if not self._file.has("sketches"):
            raise RequestError("the file has no sketches. A campaign asks for them with probes: [{response_time: {sketch: true}}]")
        rows = self._file.frame("sketches")
        cell = self.cell(**levels)
        chosen = rows[(rows["cell"] == cell) & (rows["metric"] == metric)]
        if chosen.empty:
            raise RequestError(f"cell {cell} has no sketch of '{metric}'. The file has: {', '.join(dict.fromkeys(rows['metric']))}")
        return chosen

    # Proofs.

    def payload_hash(self) -> str:
        """The hash of what is in the file; equal to `attributes["payload_hash"]` unless somebody changed it.

        >>> first.payload_hash() == first.attributes["payload_hash"]
        True
        """
        return payload.payload_hash(self._file)

    def fingerprint(self, cell: int, replication: int = 0) -> str:
        """The fingerprint of a log's jobs; equal to that of its row in `replications`.

        >>> first.fingerprint(0) == first.replications()["fingerprint"][0]
        True
        """
        log = self._file.records(f"jobs/{cell}/{replication}")
        return payload.schedule_fingerprint(log["job"], log["start"], log["finish"])

    def check(self) -> list[str]:
        """What `schedfarm check` finds wrong with the file; empty where it is sound.

        >>> first.check()
        []
        """
        return _program.check(self.path)

    def replay(self, cell: int, replication: int) -> str:
        """Runs one replication again; what `schedfarm replay` prints of it.

        >>> first.replications()["fingerprint"][0] in first.replay(0, 0)
        True
        """
        return _program.replay(str(self.attributes["campaign"]), cell, replication)

    def cite(self, bibtex: bool = False) -> str:
        """What a paper should say of this file.

        >>> first.cite()
        'Simulated with schedfarm ..., campaign "FCFS against FPFS", seed 7, ...'
        """
        return _program.citation(self.attributes, bibtex)

    # Other libraries.

    def to_xarray(self, values: Iterable[str] = ("mean", "lower", "upper", "n")) -> xarray.Dataset:
        """The estimates as an xarray.Dataset with one dimension per factor that varies, in the order of the campaign."""
        from . import _export
        return _export.dataset(self, list(values))

    def export(self, folder: str | os.PathLike[str], format: str = "csv") -> list[str]:
        """Writes every table into a folder as csv, parquet or netcdf; returns the files.

        >>> len(first.export("tables")) > len(first.table_names)
        True
        """
        from . import _export
        return _export.export(self, os.fspath(folder), format)


def _listed(names: str | Sequence[str]) -> list[str]:
    listed = [names] if isinstance(names, str) else list(names)
    if not listed:
        raise RequestError("an empty list names nothing")
    return listed


def in_order(frame: pd.DataFrame, factors: str | list[str]) -> pd.Index:
    """The levels of one factor, or of a list of factors together, in the order of their first rows."""
    if isinstance(factors, str):
        return pd.Index(list(dict.fromkeys(frame[factors])), name=factors)
    together = zip(*(frame[name] for name in factors))
    return pd.MultiIndex.from_tuples(list(dict.fromkeys(together)), names=factors)


def _is_level(label: str, level: str) -> bool:
    """Whether a cell's label begins with a level, which other factors may follow: `easy, 0.7`."""
    return label == level or label.startswith(f"{level}, ")
