"""What the program leaves to the package when it plans a campaign: claims, certificates, values of a paper, and the figures of a report. The program has checked their form and
passes on the effective configuration and what it knows of the cells; it gets back the rows of tables that it stores, and problems, each with
the place that it has in the campaign."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

Words = dict[str, Any]  # a section of the effective configuration; its numbers are texts, as they were written


class Problem(NamedTuple):
    """`item`: which of a list's; -1: none. `name`, `known`: what may have been meant, where there is no suggestion. `line`, `column`: of a
    reference. `cell`: of a certificate."""

    section: str
    item: int
    key: str
    reason: str
    suggestion: str = ""
    name: str = ""
    known: list[str] = []
    line: int = 0
    column: int = 0
    cell: int = -1


class Cells:
    """The cells of a plan without pilots: levels, observed columns, and which have equal replications."""

    def __init__(self, facts: Words) -> None:
        self.factors: list[str] = facts["factors"]
        self.levels: list[list[str]] = facts["levels"]
        self._numbers: list[list[float | None]] = facts["numbers"]
        self._columns: list[list[str]] = facts["columns"]
        self._observed: list[int] = facts["observed"]
        self.replications: list[int] = facts["replications"]
        self._known: dict[int, dict[str, float | None]] = {}
        self._labels_of: dict[int, dict[float | None, list[str]]] = {}
        self._indices: dict[tuple[int, ...], dict[tuple[str, ...], list[int]]] = {}

    def __len__(self) -> int:
        return len(self.levels)

    def columns(self, cell: int) -> list[str]:
        return self._columns[self._observed[cell]]

    def labels(self, factor: int) -> list[str]:
        """Of a factor's levels, in the order of the cells."""
        return list(self._numbers_of(factor))

    def labels_at(self, factor: int, level: str) -> list[str]:
        """The labels of those levels that this is, by label or as the same number."""
        numbers, number = self._numbers_of(factor), real(level)
        if factor not in self._labels_of:
            labels = self._labels_of[factor] = {}
            for label, own in numbers.items():
                labels.setdefault(own, []).append(label)
        same = [] if number is None else self._labels_of[factor].get(number, [])
        return [*([level] if level in numbers and level not in same else []), *same]

    def found(self, wanted: Mapping[int, str]) -> list[int]:
        """The cells at these levels, by number of the factor."""
        factors = tuple(wanted)
        if factors not in self._indices:
            index = self._indices[factors] = {}
            for cell, levels in enumerate(self.levels):
                index.setdefault(tuple(levels[factor] for factor in factors), []).append(cell)
        labels = [self.labels_at(factor, level) for factor, level in wanted.items()]
        return sorted(cell for levels in itertools.product(*labels) for cell in self._indices[factors].get(levels, []))

    def _numbers_of(self, factor: int) -> dict[str, float | None]:
        """Of its labels, in the order of the cells."""
        if factor not in self._known:
            self._known[factor] = {levels[factor]: numbers[factor] for levels, numbers in zip(self.levels, self._numbers)}
        return self._known[factor]

    def is_of_first_seed(self, cell: int) -> bool:
        seed = self.factors.index("seed") if "seed" in self.factors else None
        return seed is None or self.levels[cell][seed] == self.levels[0][seed]


def real(text: str) -> float | None:
    """
    >>> [real(text) for text in ("1e3", "-.5", "1_0", "nan", "1e999", "easy")]
    [1000.0, -0.5, None, None, None, None]
    """
    value = float(text) if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", text, re.ASCII | re.IGNORECASE) else float("inf")
    return value + 0.0 if abs(value) < float("inf") else None


def text_of(value: Any) -> str:
    """A scalar as it was written."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def listed(value: Any) -> list[str]:
    """A scalar, or the scalars of a list."""
    return [text_of(item) for item in value] if isinstance(value, list) else [] if value is None else [text_of(value)]


def answer(request: str) -> str:
    """The program's question and what it gets, JSON."""
    from . import certificates, claims, figures, references
    question = json.loads(request, parse_float=str, parse_int=str)
    facts = json.loads(request)["cells"]
    cells = Cells(facts)
    problems: list[Problem] = []
    found = claims.planned(question["configuration"].get("claims") or {}, cells, problems)
    figures.check(question["configuration"], cells, facts, [row["quantity"] for row in found["quantity_expressions"]], problems)
    known = [facts["known"][own] for own in facts["knows"]]
    values = references.planned(facts["reference"], cells, known, problems)
    truths = certificates.planned(facts["certificates"], cells, problems)
    return json.dumps({"tables": found, "certificates": {"certificates": truths}, "references": values, "problems": [problem._asdict() for problem in problems]})
