"""Whether a campaign has what the figures of its report name: factors, levels, metrics, and what its result file will not have to draw."""

from __future__ import annotations

from typing import Any

from . import Cells, Problem, Words, listed, real, text_of

_NEEDED = {  # by kind: what must be there, what it is called, how to get it
    "forest": ("comparison", "comparison", "Add comparison: {factor: …}."),
    "paper": ("reference", "value of a paper", "Add reference: FILE.csv."),
    "ecdf": ("sketch", "sketch", "Add probes: [{response_time: {sketch: true}}]."),
    "bars": ("class", "metric by class", "Add probes: [{response_time: {per_class: true}}]."),
    "queue": ("job log", "job log", "Add job_log: {replications: 1}."),
    "utilization": ("utilization", "utilization over time", "Add job_log: {replications: 1, utilization_parts: 50}."),
}
_OF_ONE_CELL = ("ecdf", "welch", "convergence")


def check(configuration: Words, cells: Cells, facts: Words, quantities: list[str], problems: list[Problem]) -> None:
    log = configuration.get("job_log") or {}
    is_logged = real(text_of(log.get("replications", "0"))) != 0
    there = {
        "comparison": "comparison" in configuration, "reference": "reference" in configuration, "sketch": facts["has_sketches"],
        "class": any("[class=" in column for cell in range(len(cells)) for column in cells.columns(cell)), "job log": is_logged,
        "utilization": is_logged and real(text_of(log.get("utilization_parts", "0"))) != 0}
    for i, figure in enumerate((configuration.get("report") or {}).get("figures") or []):
        _Figure(figure, i, cells, quantities, problems).check(there)


class _Figure:
    def __init__(self, figure: Words, number: int, cells: Cells, quantities: list[str], problems: list[Problem]) -> None:
        self._figure, self._number, self._cells, self._quantities, self._problems = figure, number, cells, quantities, problems

    def check(self, there: dict[str, bool]) -> None:
        own, kind = self._figure, text_of(self._figure["kind"])
        is_pareto = kind == "pareto"
        for key in ("x", "y", "facet", "range"):
            for name in listed(own.get(key)):
                if key in ("y", "range") or (key == "x" and is_pareto):
                    self._expect_metric(key, name)
                elif (key, name) != ("facet", "class"):
                    self._expect_factor(key, name)
        top = text_of(own.get("top"))
        if top and real(top) is None:
            self._refuse("top", f"'{top}' is no number")
        for name in listed(own.get("by")):
            self._expect_factor("by", name)
        selected = {name: listed(levels) for name, levels in (own.get("select") or {}).items()}
        for name, levels in selected.items():
            self._expect_levels(name, levels)
        if is_pareto and not (own.get("x") and own.get("y")):
            self._refuse("kind", "a pareto figure needs two metrics", "Add x and y, two metrics.")
        if kind in _NEEDED and not there[_NEEDED[kind][0]]:
            self._refuse("kind", f"the campaign has no {_NEEDED[kind][1]} to draw", _NEEDED[kind][2])
        shown = sum(self._is_selected(levels, selected) for levels in self._cells.levels)
        if kind in _OF_ONE_CELL and shown != 1:
            self._refuse("kind", f"a figure of kind {kind} shows one cell (this one has {shown})", "Choose it with select: {factor: level}.")

    def _refuse(self, key: str, reason: str, suggestion: str = "", name: str = "", known: Any = ()) -> None:
        self._problems.append(Problem("report.figures", self._number, key, reason, suggestion, name, list(known)))

    def _expect_factor(self, key: str, name: str) -> None:
        factors = self._cells.factors
        if name not in factors:
            self._refuse(key, f"'{name}' is no factor of the campaign", "", name, factors)

    def _expect_levels(self, factor: str, levels: list[str]) -> None:
        self._expect_factor(f"select.{factor}", factor)
        factors = self._cells.factors
        known = self._cells.labels(factors.index(factor)) if factor in factors else levels
        for level in levels:
            if level not in known:
                self._refuse(f"select.{factor}", f"'{level}' is no level of '{factor}'", "", level, known)

    def _expect_metric(self, key: str, name: str) -> None:
        """Of `range` a metric alone; else also a quantity, or what else `report.metrics` may have."""
        known = [] if key == "range" else list(self._quantities)
        parts = [name] if key == "range" else _made_of(name)
        if name.split("[")[0] in known or not parts:
            return
        if parts != [name]:
            for part in parts:
                self._expect_metric(key, part)
            return
        columns = list(dict.fromkeys(column for cell in range(len(self._cells)) for column in self._cells.columns(cell)))
        if name not in columns and f"{name}.mean" not in columns:
            self._refuse(key, f"metric '{name}' is not observed in any cell", "", name, known + columns)

    def _is_selected(self, levels: list[str], selected: dict[str, list[str]]) -> bool:
        return all(level in selected.get(factor, [level]) for factor, level in zip(self._cells.factors, levels))


def _made_of(name: str) -> list[str]:
    """
    >>> [_made_of(name) for name in ("wait", "least wait", "a / b", "wall_time_ms beyond fcfs")]
    [['wait'], ['wait'], ['a', 'b'], []]
    """
    for mark in ("least ", "greatest "):
        if name.startswith(mark):
            return [name.removeprefix(mark)]
    return [] if name == "wall_time_ms" or name.startswith("wall_time_ms beyond ") else name.split(" / ", 1)
