"""`schedfarm diff`: what distinguishes two result files: to the bit (was the same computed?), by the intervals that the files hold (do
the estimates contradict one another?), or by pairs of replications under common random numbers (did a change of the program change
anything, and by how much?).

Cells are the same where they agree in label, experiment, policy, workload, clusters and utilization: numbers of cells and of replications
do not matter, nor what was in the logs that the workload names, which is told apart from it.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from .._json import rows_of
from .._reading import named_logs, stored
from .._reading.stored import Stored
from .._terminal import Table, filled, table, table_text, terminal_text
from .._words import decimals_for_half_width, decimals_of_digits, estimate_text, interval_text, is_diagnostic, metric_text, number_text
from ..errors import RequestError

_CELL = ("label", "experiment", "policy", "clusters", "utilization")


@dataclasses.dataclass
class Report:
    is_same: bool = True
    lines: list[str] = dataclasses.field(default_factory=list)  # a paragraph each
    tables: list[Table] = dataclasses.field(default_factory=list)  # below them

    def differs(self, *lines: str) -> None:
        self.is_same = self.is_same and not lines
        self.lines += lines

    def as_json(self) -> dict[str, Any]:
        return {"same": self.is_same, "found": self.lines,
                "tables": [{"title": own.title, "rows": rows_of(dict(zip((column.heading for column in own.columns), zip(*own.rows))))}
                           for own in self.tables]}

    def text(self) -> str:
        return "".join(filled(terminal_text(line)) for line in self.lines) + "".join("\n" + table_text(own) for own in self.tables)


class Cells:
    """The cells that both files have, as pairs, and those that only one has."""

    def __init__(self, a: Stored, b: Stored) -> None:
        self.a, self.b = a, b
        waiting: dict[tuple[str, ...], list[int]] = {}
        for cell, own in enumerate(_identities(b)):
            waiting.setdefault(own, []).append(cell)
        self.pairs: list[tuple[int, int]] = []
        self.only_a: list[int] = []
        for cell, own in enumerate(_identities(a)):
            if waiting.get(own):
                self.pairs.append((cell, waiting[own].pop(0)))
            else:
                self.only_a.append(cell)
        self.only_b = sorted(cell for cells in waiting.values() for cell in cells)
        first, second = ([stored.shown(text) for text in file.tables["cells"]["workload"]] for file in (a, b))
        self.logs = named_logs.pairs_of([(first[x], second[y]) for x, y in self.pairs])

    def expect_common(self) -> Cells:
        if not self.pairs:
            raise RequestError(f"{self.a.path} and {self.b.path}: no cell is in both (cells agree when their label, experiment, policy, workload, "
                               "clusters and utilization do). Compare results of one campaign")
        return self

    def say_logs(self, report: Report) -> None:
        """Which logs of the pairs differ, and of which that cannot be told."""
        found = table("Logs that differ", ["<log", "<A: sha256", "<B: sha256", ">cells"])
        for log, cells in self.logs.items():
            if log.differs():
                found.rows.append([log.file, log.first[:12], log.second[:12], str(cells)])
            elif bool(log.first) != bool(log.second):
                report.lines.append(f"{'B' if log.first else 'A'} does not tell what was in {log.file} when it was run (it is older than the pinning "
                                    "of logs): the logs may differ.")
        if found.rows:
            report.differs(f"The logs differ: {', '.join(row[0] for row in found.rows)}.")
            report.tables.append(found)

    def report(self, found: str, differing: Table) -> Report:
        """What was found in the pairs, then the cells without counterpart; below, the logs and rows that differ."""
        report = Report(lines=[f"A: {self.a.path}", f"B: {self.b.path}", found])
        self.say_logs(report)
        for side, file, cells in (("A", self.a, self.only_a), ("B", self.b, self.only_b)):
            if cells:
                report.differs(f"Only in {side}: {'; '.join(label(file, cell) for cell in cells)}.")
        if differing.rows:
            report.is_same = False
            report.tables.append(differing)
        return report

    def metrics(self, wanted: str) -> list[str]:
        """Those with estimates in both, without what the program watches for its own sake; or the one that is wanted, as a column or by
        the name of its probe."""
        of_a, of_b = (list(dict.fromkeys(stored.shown(text) for text in file.tables["estimates"]["metric"])) for file in (self.a, self.b))
        common = [metric for metric in of_a if metric in of_b]
        if not common:
            raise RequestError(f"{self.a.path} and {self.b.path}: no metric has estimates in both")
        chosen = [metric for metric in common if (metric in (wanted, f"{wanted}.mean") if wanted else not is_diagnostic(metric))]
        if wanted and not chosen:
            raise RequestError(f"no metric '{wanted}' in both files. They have: {', '.join(common)}")
        return chosen


def label(file: Stored, cell: int) -> str:
    return file.tables["cells"].shown("label", cell) or f"cell {cell}"


def by_overlap(a: Stored, b: Stored, wanted: str) -> Report:
    cells = Cells(a, b).expect_common()
    found = table("Intervals without a common point", ["<cell", "<metric", "<A", "<B"], 2)
    found.notes = ["Intervals as the files hold them. Where nothing differs, two independent 95 % intervals of equal length miss one another "
                   "about once in 180 times: expect that of a large table. `--mode paired` sees smaller differences."]
    of_a, of_b = _with_intervals(a), _with_intervals(b)
    metrics = cells.metrics(wanted)
    compared = 0
    for x, y in cells.pairs:
        for metric in metrics:
            if (x, metric) in of_a and (y, metric) in of_b:
                own, other = of_a[x, metric], of_b[y, metric]
                compared += 1
                if own[1] > other[2] or other[1] > own[2]:
                    found.rows.append([label(a, x), metric_text(metric), interval_text(*own), interval_text(*other)])
    if compared == 0 and not any(log.differs() for log in cells.logs):
        raise RequestError(f"{a.path} and {b.path}: no cell has an interval of a metric in both (one replication gives none). Use --mode bitwise")
    return cells.report(f"{len(found.rows)} of {compared} intervals do not overlap.", found)


def by_pairs(a: Stored, b: Stored, wanted: str) -> Report:
    seeds = [str(file.attributes.get("seed", "")) for file in (a, b)]
    if seeds[0] != seeds[1]:
        raise RequestError(f"{a.path} and {b.path}: different seeds ({seeds[0]} and {seeds[1]}), so that their replications are no pairs. "
                           "Use --mode overlap")
    cells = Cells(a, b).expect_common()
    found = table("Means of replications that differ", ["<cell", "<metric", ">pairs", ">differ", ">A - B", ">s.e."], 2)
    found.notes = ["Paired by replication under common random numbers; s.e.: the standard error of the difference. Whether a difference is more "
                   "than chance is judged in a campaign, by its `comparison`."]
    metrics = cells.metrics(wanted)
    compared = 0
    for x, y in cells.pairs:
        for metric in metrics:
            own, other = _values(a, x, metric), _values(b, y, metric)
            size = min(len(own), len(other))
            differences = own[:size] - other[:size]
            differences = differences[np.isfinite(differences)]
            compared += len(differences) > 0
            if differences.any():
                found.rows.append([label(a, x), metric_text(metric), *_difference(differences)])
    if compared == 0:
        raise RequestError(f"{a.path} and {b.path}: no cell has a replication of a metric in both. Use --mode overlap")
    return cells.report(f"{compared - len(found.rows)} of {compared} means are equal replication by replication.", found)


def _difference(values: Any) -> list[str]:
    """How many pairs, how many of them differ, the mean difference and its standard error."""
    mean, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return [str(len(values)), str(np.count_nonzero(values)), estimate_text(mean, decimals_for_half_width(error)),
            number_text(error, decimals_of_digits(error, 2))]


def _identities(file: Stored) -> list[tuple[str, ...]]:
    cells = file.tables["cells"]
    return [(*(cells.shown(name, row) for name in _CELL), named_logs.without_checksums(cells.shown("workload", row))[0]) for row in range(len(cells))]


def _with_intervals(file: Stored) -> dict[tuple[int, str], tuple[float, float, float]]:
    """Estimate, lower and upper end, by cell and metric, of those that have both."""
    rows = file.tables["estimates"]
    values = zip(rows["cell"].tolist(), rows["metric"].tolist(), rows["mean"].tolist(), rows["lower"].tolist(), rows["upper"].tolist())
    return {(cell, stored.shown(metric)): (mean, lower, upper) for cell, metric, mean, lower, upper in values
            if not (math.isnan(lower) or math.isnan(upper))}


def _values(file: Stored, cell: int, metric: str) -> Any:
    """What the replications of a cell observed."""
    rows = file.tables["replications"]
    first, last = np.searchsorted(rows["cell"], [cell, cell + 1])
    return rows[metric][first:last] if rows.has(metric) else np.empty(0)
