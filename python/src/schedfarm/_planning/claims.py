"""Claims laid out over the cells of a campaign: at every place that they speak of, their values with the names written out and every term a
quantity of one cell, of one class of jobs where it has classes."""

from __future__ import annotations

import re
from typing import NamedTuple

from .._expressions import Expression, with_paths
from . import Cells, Problem, Words, listed, real, text_of

_CLASS = "[class]"
_MOST_CLASSES = 1_000_000


class ClaimError(Exception):
    """What is wrong with a claim; `name` and `known` as in Problem."""

    def __init__(self, reason: str, suggestion: str = "", name: str = "", known: list[str] | None = None) -> None:
        super().__init__(reason)
        self.suggestion, self.name, self.known = suggestion, name, known or []


class Term(NamedTuple):
    """`normalized[8]{policy=easy, switch_cost_s=1}`"""

    name: str
    job_class: int | None
    levels: dict[str, str]


class Place(NamedTuple):
    """`label`: what tells it from the claim's others; `levels`: by number of the factor."""

    label: str = ""
    levels: dict[int, str] = {}
    job_class: int | None = None


def planned(section: Words, cells: Cells, problems: list[Problem]) -> dict[str, list[Words]]:
    """The rows of `quantity_expressions`, `claim_texts` and `claim_places`."""
    layout = _Layout(section, cells, problems)
    texts, places = [], []
    for i, claim in enumerate(section.get("list") or []):
        value = text_of(claim["value"])
        axes = {name: listed(values) for name, values in (claim.get("in") or {}).items()}
        if layout.stands_on_broken(value):
            continue
        try:
            found = [{"claim": text_of(claim["id"]), "place": place.label, "expression": layout.value_at(value, place)}
                     for place in layout.places(axes)]
        except ClaimError as error:
            problems.append(Problem("claims.list", i, "value", f"claim '{text_of(claim['id'])}': {error}", error.suggestion, error.name, error.known))
            continue
        places += found
        texts.append({
            "claim": text_of(claim["id"]), "paper": text_of(claim["paper"]), "section": text_of(claim.get("where")),
            "printed": text_of(claim.get("printed")), "value": value + _fixed_levels(axes), **_region(claim),
            "needs": text_of(claim.get("needs", "every")), "confidence": real(text_of(section.get("confidence", "0.95"))),
            "expected": text_of(claim.get("expect", "holds")), "note": text_of(claim.get("note"))})
    return {"quantity_expressions": [{"quantity": name, "expression": text} for name, text in layout.quantities.items()],
            "claim_texts": texts, "claim_places": places}


def _region(claim: Words) -> Words:
    """`low` and `high`; absent: the other counts alone."""
    low, high = claim["between"] if "between" in claim else (claim.get("above"), claim.get("below"))
    return {"low": None if low is None else real(text_of(low)), "high": None if high is None else real(text_of(high))}


def _fixed_levels(axes: dict[str, list[str]]) -> str:
    """` at policy vanilla, class 0`: what no place says because it is the same at all of them."""
    fixed = [f"{name} {values[0]}" for name, values in axes.items() if len(values) == 1 and values[0] != "all"]
    return " at " + ", ".join(fixed) if fixed else ""


def _name_of(path: str) -> str:
    """Of `normalized[3]{policy=easy}` what stands before the brackets."""
    return re.split(r"[\[{]", path, maxsplit=1)[0]


def _class(text: str) -> int:
    number = int(text) if re.fullmatch(r"\d+", text, re.ASCII) else -1
    if not 0 <= number <= _MOST_CLASSES:
        raise ClaimError(f"'{text}' is no number of a job class", "Write [8].")
    return number


def _term(path: str) -> Term:
    found = re.fullmatch(r"([^[{]*)(?:\[([^]]*)\])?(?:\{([^}]*)\})?", path)
    name, own_class, levels = (found[1], found[2], found[3]) if found else (path, None, None)
    parts = [part.split("=", 1) for part in levels.split(",")] if levels is not None else []
    if any(len(part) < 2 for part in parts):
        raise ClaimError(f"'{{{levels}}}' does not name a factor and its level", "Write {policy=easy}.")
    return Term(name, None if own_class is None else _class(own_class), {factor.strip(" "): level.strip(" ") for factor, level in parts})


class _Layout:
    """Quantities and names, and how a claim's paths are resolved with them."""

    def __init__(self, section: Words, cells: Cells, problems: list[Problem]) -> None:
        self.cells = cells
        self.quantities: dict[str, str] = {}
        self._names: dict[str, str | list[str]] = {}
        self._broken: set[str] = set()  # quantities whose problems are told
        self._paths: dict[str, list[str]] = {}  # of quantities
        for name, text in (section.get("quantities") or {}).items():
            self.quantities[name] = text_of(text)
            self._paths[name] = Expression(text_of(text)).paths
            if not any(self._observes(cell, name, 0) for cell in range(len(cells))):
                self._broken.add(name)
                problems.append(Problem("claims.quantities", -1, name, f"no cell observes all columns of quantity '{name}'",
                                        "Add probes, with 'per_class: true' for what is of a class."))
        for name, value in (section.get("names") or {}).items():
            self._names[name] = listed(value) if isinstance(value, list) else text_of(value)

    def stands_on_broken(self, value: str) -> bool:
        """Whether a problem told already is why there is no value; it would be told once more."""
        names = {_name_of(path) for path in Expression(value).paths}
        texts = [text for name in names if isinstance(text := self._names.get(name), str)]
        return any(name in self._broken for name in names | {_name_of(path) for text in texts for path in Expression(text).paths})

    def places(self, axes: dict[str, list[str]]) -> list[Place]:
        """All combinations, the last axis varying fastest."""
        found = [Place()]
        for name, given in axes.items():
            values = self._values(name, given)
            found = [self._put(place, name, value, len(values) > 1) for place in found for value in values]
        return found

    def value_at(self, value: str, place: Place) -> str:
        text = with_paths(value, lambda path: self._operand(path, place))
        try:
            Expression(text)
        except ValueError as error:
            raise ClaimError("its value is nested too deep with its names written out") from error
        return text

    # Places.

    def _factor(self, name: str) -> int:
        factors = self.cells.factors
        found = [i for i, factor in enumerate(factors) if factor == name] or [i for i, factor in enumerate(factors) if factor.split(".")[-1] == name]
        if len(found) != 1:
            raise ClaimError(f"'{name}' is no factor of the campaign", "", name, factors)
        return found[0]

    def _values(self, axis: str, given: list[str]) -> list[str]:
        if given != ["all"]:
            return given
        if axis == "class":
            raise ClaimError("'class: all' is not known", "Write the classes, [0, 1, 2].")
        return self.cells.labels(self._factor(axis))

    def _put(self, place: Place, axis: str, value: str, is_told: bool) -> Place:
        label = place.label + (", " if is_told and place.label else "") + (f"{axis.split('.')[-1]} {value}" if is_told else "")
        return (Place(label, place.levels, _class(value)) if axis == "class" else
                Place(label, {**place.levels, self._factor(axis): value}, place.job_class))

    def _cell(self, term: Term, place: Place) -> int:
        """Of the first seed."""
        wanted = {**place.levels, **{self._factor(factor): level for factor, level in term.levels.items()}}
        cells = self.cells
        found = [cell for cell in cells.found(wanted) if cells.is_of_first_seed(cell)]
        if not found:
            raise ClaimError("no cell has " + ", ".join(f"{cells.factors[factor]} {wanted[factor]}" for factor in sorted(wanted)))
        other = next((cell for cell in found if cells.replications[cell] != cells.replications[found[0]]), None)
        if other is not None:
            raise ClaimError(f"'{term.name}' belongs to {len(found)} cells ({found[0]} and {other}, …)",
                             f"Say which, as in {term.name}{{factor=level}}.")
        return found[0]

    # Terms.

    def _observes(self, cell: int, quantity: str, job_class: int) -> bool:
        columns = self.cells.columns(cell)
        return all(path.replace(_CLASS, f"[class={job_class}]") in columns for path in self._paths[quantity])

    def _operand(self, path: str, place: Place) -> str:
        term = _term(path)
        name = self._names.get(term.name)
        if name is None:
            return self._quantity(term, place)
        if term.levels or (isinstance(name, str) and term.job_class is not None):
            raise ClaimError(f"'{path}' stands for an expression, which takes no levels and no class", f"Write out what '{term.name}' stands for.")
        if isinstance(name, str):
            return "(" + with_paths(name, lambda inner: self._operand_of_name(inner, place)) + ")"
        job_class = place.job_class if term.job_class is None else term.job_class
        if job_class is None:
            raise ClaimError(f"'{path}' has a number for each class, but no class is named", "Add 'in: {class: 0}'.")
        if job_class >= len(name):
            raise ClaimError(f"'{path}' has no number of class {job_class} (its list has {len(name)})", "Add it to the list.")
        return repr(float(name[job_class])).removesuffix(".0")

    def _operand_of_name(self, path: str, place: Place) -> str:
        term = _term(path)
        if term.name in self._names:
            raise ClaimError(f"it uses a name that stands for another name, '{term.name}'",
                             f"Write out what '{term.name}' stands for; names are made of quantities.")
        return self._quantity(term, place)

    def _quantity(self, term: Term, place: Place) -> str:
        """`normalized[3]{cell=17}`"""
        if term.name not in self.quantities:
            known = [*self.quantities, *self._names]
            raise ClaimError(f"'{term.name}' is neither a quantity nor a name", "" if known else "Add it to 'claims.quantities'.",
                             term.name, known)
        cell = self._cell(term, place)
        job_class = place.job_class if term.job_class is None else term.job_class
        is_per_class = _CLASS in self.quantities[term.name]
        if is_per_class and job_class is None:
            raise ClaimError(f"'{term.name}' has one value for each class, but no class is named", "Add 'in: {class: 0}'.")
        if not self._observes(cell, term.name, job_class or 0):
            raise ClaimError(f"cell {cell} observes no '{term.name}'" + (f" of class {job_class}" if is_per_class else ""))
        return f"{term.name}[{job_class}]{{cell={cell}}}" if is_per_class else f"{term.name}{{cell={cell}}}"
