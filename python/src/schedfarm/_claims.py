"""The judge of claims: what a campaign makes of the observations of its replications (quantities), what a paper's claims are worth at every
place that they speak of, and the verdicts. The file keeps what is judged: `quantity_expressions`, `claim_texts`, `claim_places`.

With k places of which m must be as claimed, a claim holds where m or more intervals of confidence 1 − α / (k − m + 1) lie within what it
says, and does not hold where k − m + 1 or more of confidence 1 − α / m lie outside: either is wrong with probability at most α, however the
places depend on one another (Benjamini & Heller, Biometrics 64, 2008; for m = k Berger's intersection-union test, 1982). Else it is undecided.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _intervals
from . import _words as words
from ._expressions import Expression
from ._intervals import Estimate, Values
from ._reading.file import Column, Records, ResultFile
from ._reading.schema import JUDGED
from ._reading.stored import shown
from .errors import FileError

if TYPE_CHECKING:
    from ._reading.stored import Stored

Row = dict[str, Any]

_MOST_SKEW = 0.3  # skewness / (6 √n) times Student's t, of a place that can be judged at a confidence beyond the claim's
_TERM = re.compile(r"([A-Za-z][\w.]*)(?:\[(\d+)\])?\{cell=(\d+)\}", re.ASCII)
_CLASS = "[class]"
_OF_THE_VALUE = ("mean", "value", "standard_error", "lower", "upper")
_MEANINGS = {
    "cell": "number of the cell, row of `cells`", "quantity": "name of the quantity in the campaign",
    "class": "job class; -1: the quantity is not one for each class", "n": "replications behind the mean",
    "mean": "mean over the replications", "standard_error": "of the mean; NaN: one replication", "lower": "lower end of the confidence interval",
    "upper": "upper end of the confidence interval", "confidence": "nominal coverage of the interval", "claim": "id of the claim in the campaign",
    "paper": "the paper's sentence", "section": "where the paper says so", "printed": "the paper's number, or direction",
    "claims.value": "what is measured, as written", "rule": "for what values the claim is true", "needs": "at how many places it must be true",
    "places": "places at which it is measured", "needed": "at how many of them it must be true",
    "claims.confidence": "a verdict is wrong at most with 1 - this probability",
    "verdict": "holds, does not hold, undecided (intervals straddle) or not measured", "expected": "what the campaign expects",
    "note": "what is known about it", "place": "levels and class that tell the place from others",
    "claim_values.n": "replications behind the value; 1: there is no interval", "value": "the expression of means over the replications",
    "claim_values.standard_error": "of the value (jackknife)", "claim_values.confidence": "nominal coverage of this interval alone",
    "claims.e_value": "of the claim being as it seems not to be: where it is so, 1 / α or more at some look, however often one looks, with probability α at "
                      "most; NaN: of one replication, or of a resampled log",
    "claim_values.e_value": "the same of the value being at the nearer end of the claim's rule",
    "side": "where the interval lies with respect to the claim's rule: inside, outside, straddles or not measured; too skewed: undecided, because the "
            "skewness is too large for the confidence that the number of places asks for",
    "gate": "the worst answer of the estimates that it is made of, as in `estimates`",
}


class Term(NamedTuple):
    """A quantity of one cell; of one class of its jobs where the quantity has one for each."""

    quantity: str
    job_class: int  # -1: none
    cell: int


class Region(NamedTuple):
    """The values for which a claim is true: above `low`, below `high` (the other is NaN), or from one to the other."""

    low: float
    high: float

    def side(self, lower: float, upper: float) -> str:
        """Where an interval lies."""
        if math.isnan(self.high):
            within, outside = lower > self.low, upper <= self.low
        elif math.isnan(self.low):
            within, outside = upper < self.high, lower >= self.high
        else:
            within, outside = self.low <= lower and upper <= self.high, upper < self.low or self.high < lower
        return "inside" if within else "outside" if outside else "straddles"

    def rule(self) -> str:
        low, high = map(shown, self)
        return f"> {low}" if math.isnan(self.high) else f"< {high}" if math.isnan(self.low) else f"{low} to {high}"


def needed_places(needs: str, places: int) -> int:
    """
    >>> [needed_places(needs, 4) for needs in ("every", "most", "some")]
    [4, 3, 1]
    """
    return places if needs == "every" else places // 2 + 1 if needs == "most" else 1


class Place(NamedTuple):
    """`label`: what tells it from others; `n`: replications that its cells have; `method`: of their intervals; `gate`: the worst
    answer of what the value is made of."""

    label: str
    n: int
    estimate: Estimate
    method: str
    gate: str = "passed"

    @property
    def is_measured(self) -> bool:
        return math.isfinite(self.estimate.mean) and math.isfinite(self.estimate.standard_error)

    def interval(self, confidence: float) -> tuple[float, float]:
        return _intervals.interval(self.estimate, confidence, self.method)

    def is_within(self, region: Region) -> bool:
        return region.side(self.estimate.mean, self.estimate.mean) == "inside"

    def e_value(self, region: Region) -> float:
        """Of the mean being at the end of the region that is nearer."""
        return min((_intervals.e_value(self.estimate, end, self.method) for end in region if not math.isnan(end)), default=math.nan)

    def is_too_skewed(self, common: float, confidence: float) -> bool:
        """Whether skewness as of all places is too large for a confidence."""
        own = self.estimate
        return own.n > 1 and abs(common) / (6 * math.sqrt(own.n)) * _intervals.t_two_sided(confidence, own.degrees) > _MOST_SKEW

    def side(self, region: Region, common: float, confidence: float) -> str:
        """Where it lies at a confidence beyond the claim's own, with the skewness that all places have in common."""
        if self.is_too_skewed(common, confidence):
            return "straddles"
        ends = self.interval(confidence), _intervals.interval(self.estimate._replace(skewness=common), confidence, self.method)
        return region.side(min(lower for lower, _ in ends), max(upper for _, upper in ends))


def common_skewness(places: Sequence[Place]) -> float:
    """The mean skewness of those that have an interval."""
    skewnesses = [place.estimate.skewness for place in places if place.estimate.n > 1]
    return sum(skewnesses) / len(skewnesses) if skewnesses else 0.0


def strictest(places: Sequence[Place], needed: int, confidence: float) -> float:
    """The confidence at which a place is judged where that is greatest."""
    return 1 - (1 - confidence) / max(needed, len(places) - needed + 1)


def verdict(places: Sequence[Place], region: Region, needed: int, confidence: float) -> str:
    """Where there is one replication, its value is taken as it is."""
    if not places or not all(place.is_measured for place in places):
        return "not measured"
    others = len(places) - needed + 1
    common = common_skewness(places)

    def count(side: str, divisor: int) -> int:
        own = 1 - (1 - confidence) / divisor
        return sum((region.side(*place.interval(own)) if divisor == 1 else place.side(region, common, own)) == side for place in places)
    return "holds" if count("inside", others) >= needed else "does not hold" if count("outside", needed) >= others else "undecided"


def e_value(places: Sequence[Place], region: Region, needed: int) -> float:
    """Of the side on which enough places lie: where the truth is on the other, it comes to 1 / α or more at some look, however often one looks, with
    probability α at most. Whoever says that a claim holds has any k − m + 1 places against him, so that the mean of the k − m + 1 smallest e-values
    of places that lie within counts (0 of the others), and of those outside that of the m smallest; means of e-values are e-values, however they
    depend on one another (Vovk & Wang, Annals of Statistics 49, 2021). NaN where a place has none."""
    others = len(places) - needed + 1
    own = [(place.is_within(region), place.e_value(region)) for place in places]

    def of(side: bool, count: int) -> float:
        return sum(sorted(e if within is side else 0.0 for within, e in own)[:count]) / count
    return max(of(True, others), of(False, needed)) if own and not any(math.isnan(e) for _, e in own) else math.nan


def quantity_expression(text: str, columns: Sequence[str]) -> Expression:
    """Raises ValueError where it is none of these columns of `replications`."""
    expression = Expression(text)
    for path in expression.paths:
        if path.replace(_CLASS, "[class=0]") not in columns:
            raise ValueError(f"'{path}' is not observed")
    return expression


def term(path: str, quantities: Sequence[str], cells: int) -> Term:
    """Raises ValueError where a path of a claim's place is no quantity of a cell."""
    found = _TERM.fullmatch(path)
    if not found or found[1] not in quantities or int(found[3]) >= cells:
        raise ValueError(f"'{path}' is no quantity of a cell")
    return Term(found[1], int(found[2] or -1), int(found[3]))


class Judge:
    """Of one file. Raises FileError where the file does not agree with its schema."""

    def __init__(self, file: ResultFile | Stored) -> None:
        self._file = file
        self._cells = file.records("cells")
        self._replications = file.records("replications")
        self._columns: tuple[str, ...] = self._replications.dtype.names or ()
        self._first = np.searchsorted(self._replications["cell"], np.arange(len(self._cells) + 1))
        self._made: dict[tuple[Term, int], Values] = {}

    def quantities(self) -> list[Row]:
        """A row per cell, quantity and job class that has a number."""
        return [row for cell in range(len(self._cells)) for name, expression in self._quantities.items()
                for job_class in self._classes(expression) for row in self._quantity(Term(name, job_class, cell))]

    def claims(self, cells: Sequence[int] | None = None) -> list[Row]:
        """A row per claim. `cells[i]` stands for cell i of the claims' places; None: every cell for itself."""
        found = []
        for row, places in self._judged(cells):
            region, needed = Region(row["low"], row["high"]), needed_places(row["needs"], len(places))
            found.append({
                **{name: row[name] for name in ("claim", "paper", "section", "printed", "value")}, "rule": region.rule(), "needs": row["needs"],
                "places": len(places), "needed": needed, "confidence": row["confidence"],
                "verdict": verdict(places, region, needed, row["confidence"]), "e_value": e_value(places, region, needed), "expected": row["expected"], "note": row["note"]})
        return found

    def claim_values(self, cells: Sequence[int] | None = None) -> list[Row]:
        """A row per claim and place."""
        found = []
        for row, places in self._judged(cells):
            region, needed, confidence = Region(row["low"], row["high"]), needed_places(row["needs"], len(places)), row["confidence"]
            common = common_skewness(places)
            is_open = len(places) > 1 and verdict(places, region, needed, confidence) == "undecided"
            for place in places:
                own = place.estimate
                lower, upper = place.interval(confidence)
                side = (
                    "not measured" if not math.isfinite(own.mean) else
                    "too skewed" if is_open and place.is_too_skewed(common, strictest(places, needed, confidence)) else region.side(lower, upper))
                error, lower, upper = (own.standard_error, lower, upper) if own.n > 1 else (math.nan,) * 3
                found.append({"claim": row["claim"], "place": place.label, "n": place.n, "value": own.mean, "standard_error": error, "lower": lower,
                              "upper": upper, "confidence": confidence, "e_value": place.e_value(region), "side": side, "gate": place.gate})
        return found

    # What the file says.

    def _rows(self, table: str) -> list[Row]:
        return texts(self._file.records(table)) if self._file.has(table) else []

    @cached_property
    def _quantities(self) -> dict[str, Expression]:
        return {row["quantity"]: self._sound(row["quantity"], quantity_expression, row["expression"], self._columns)
                for row in self._rows("quantity_expressions")}

    @cached_property
    def _texts(self) -> list[Row]:
        return self._rows("claim_texts")

    @cached_property
    def _places(self) -> dict[str, list[tuple[str, Expression, dict[str, Term]]]]:
        found: dict[str, list[tuple[str, Expression, dict[str, Term]]]] = {}
        names = list(self._quantities)
        for row in self._rows("claim_places"):
            value = self._sound(row["claim"], Expression, row["expression"])
            terms = {path: self._sound(row["claim"], term, path, names, len(self._cells)) for path in value.paths}
            found.setdefault(row["claim"], []).append((row["place"], value, terms))
        return found

    def _sound(self, what: str, make: Any, *arguments: Any) -> Any:
        try:
            return make(*arguments)
        except ValueError as error:
            raise FileError(f"{self._file.path}: '{what}' cannot be judged ({error}). `schedfarm check` says more") from error

    # Numbers.

    def _judged(self, cells: Sequence[int] | None) -> list[tuple[Row, list[Place]]]:
        """Every claim with its places."""
        return [(row, [self._gated(label, value, {path: own if cells is None else own._replace(cell=cells[own.cell]) for path, own in terms.items()})
                       for label, value, terms in self._places.get(row["claim"], [])]) for row in self._texts]

    def _gated(self, label: str, value: Expression, terms: dict[str, Term]) -> Place:
        return self._place(label, value, terms)._replace(gate=self._gate(terms.values()))

    def _gate(self, terms: Iterable[Term]) -> str:
        return words.worst_gate(self._gates.get((own.cell, _column(path, own.job_class)), "passed")
                                for own in terms for path in self._quantities[own.quantity].paths)

    @cached_property
    def _gates(self) -> dict[tuple[int, str], str]:
        """By cell and metric, of files whose estimates answer."""
        rows = self._file.records("estimates") if self._file.has("estimates") else None
        if rows is None or "gate" not in (rows.dtype.names or ()):
            return {}
        return {(cell, metric.decode()): gate.decode() for cell, metric, gate in rows[["cell", "metric", "gate"]].tolist()}

    def _place(self, label: str, value: Expression, terms: dict[str, Term]) -> Place:
        """From the replications that all cells have; with one, or none, there is no interval. Constants need none."""
        cells = sorted({own.cell for own in terms.values()})
        n = min((self._used(cell) for cell in cells), default=1)
        methods = {how.decode() for how in self._cells["interval"][cells].tolist()}
        method = methods.pop() if len(methods) == 1 else "skew_adjusted"
        if n == 0:
            return Place(label, 0, Estimate(0, math.nan, 0.0, 0.0, 0), method)
        values = {path: self._values(own, n) for path, own in terms.items()}
        of_all = float(value(lambda path: values[path].mean()))
        if n == 1:
            return Place(label, n, Estimate(1, of_all, 0.0, 0.0, 0), method)
        left_out = value(lambda path: _intervals.without_each(values[path]))
        estimate = _intervals.jackknife(of_all, np.broadcast_to(left_out, n))
        is_product = value.is_product and all(self._quantities[own.quantity].is_product for own in terms.values())
        estimate = _intervals.of_carriers(estimate, min((self._carriers(own, n) for own in terms.values()), default=n), is_product)
        return Place(label, n, self._of_logs(estimate, cells), method)

    def _of_logs(self, estimate: Estimate, cells: list[int]) -> Estimate:
        """For logs like those that some of the cells resample: of the fewest blocks, and the largest ratio of variances."""
        own = self._cells[cells]
        own = own[own["log_blocks"] > 0]
        return _intervals.of_logs_like_it(estimate, int(own["log_blocks"].min()), float(own["log_variance_ratio"].max())) if len(own) else estimate

    def _classes(self, expression: Expression) -> list[int]:
        """As many as all of its columns have; -1 where it is not one for each class."""
        by_class = [path for path in expression.paths if _CLASS in path]
        observed = (n for n in itertools.count() if any(_column(path, n) not in self._columns for path in by_class))
        return list(range(next(observed))) if by_class else [-1]

    def _quantity(self, own: Term) -> list[Row]:
        how = self._cells[own.cell]
        values = self._values(own, self._used(own.cell))
        estimate = _intervals.of_mean(values)
        if not math.isfinite(estimate.mean):
            return []
        lower = upper = math.nan
        if estimate.n > 1:
            estimate = _intervals.of_carriers(estimate, self._carriers(own, estimate.n), self._quantities[own.quantity].is_product)
            estimate = self._of_logs(estimate, [own.cell])
            lower, upper = _intervals.interval(estimate, float(how["confidence"]), how["interval"].decode())
        return [{"cell": own.cell, "quantity": own.quantity, "class": own.job_class, "n": len(values), "mean": estimate.mean,
                 "standard_error": estimate.standard_error, "lower": lower, "upper": upper, "confidence": float(how["confidence"]), "gate": self._gate([own])}]

    def _used(self, cell: int) -> int:
        return int(self._first[cell + 1] - self._first[cell])

    def _carriers(self, own: Term, n: int) -> int:
        """How many of the first n replications bring something to all means over the jobs of a class of the quantity."""
        rows = slice(self._first[own.cell], self._first[own.cell] + n)
        return min((int(np.count_nonzero(self._replications[name][rows])) for path in self._quantities[own.quantity].paths
                    for name in self._counted_by(_column(path, own.job_class))), default=n)

    def _counted_by(self, column: str) -> list[str]:
        """The column that says of how many jobs a mean over a class is; none of other columns."""
        return [name for part in (".weight", ".count") for name in [column.replace(".mean", part, 1)]
                if ".mean" in column and name in self._columns][:1]

    def _values(self, own: Term, n: int) -> Values:
        """One value for each of the first n replications, whose mean is the quantity; NaN where it does not exist. Of means over the jobs
        of a class it is a function of ratios of sums, and these are the jackknife's pseudo-values of it, made of the linearized ratios: of
        such a mean itself they are what its row of `estimates` is made of. Else they are the quantity in each replication."""
        if (own, n) not in self._made:
            expression = self._quantities[own.quantity]
            rows = slice(self._first[own.cell], self._first[own.cell] + n)
            samples = {path: self._sample(_column(path, own.job_class), rows) for path in expression.paths}
            if n > 0 and any(is_ratio for _, is_ratio in samples.values()):
                values = of_all = np.full(n, expression(lambda path: samples[path][0].mean()))
                if n > 1:
                    values = n * of_all - (n - 1) * expression(lambda path: _intervals.without_each(samples[path][0]))
            else:
                values = np.broadcast_to(expression(lambda path: samples[path][0]), n)
            self._made[own, n] = values
        return self._made[own, n]

    def _sample(self, column: str, rows: slice) -> tuple[Values, bool]:
        """One value per replication; of a ratio of sums the linearized ratio."""
        values = self._records(column)[rows]
        counted_by = self._counted_by(column)
        if not counted_by:
            return values, False
        counts = self._replications[counted_by[0]][rows]
        with np.errstate(all="ignore"):
            sums = np.where(counts == 0, 0.0, values * counts)
            ratio = sums.sum() / counts.sum()
            return ratio + (sums - ratio * counts) / counts.mean(), True

    def _records(self, column: str) -> Values:
        """NaN where no cell observes a column of this class."""
        return self._replications[column] if column in self._columns else np.full(len(self._replications), np.nan)


def tables(file: ResultFile) -> dict[str, tuple[list[Column], Records]]:
    """What the judge makes of a file, as tables that the file could have: columns with what they are, and rows."""
    judge = Judge(file)
    found = {}
    if file.has("quantity_expressions"):
        found["quantities"] = judge.quantities()
    if file.has("claim_texts"):
        found["claims"], found["claim_values"] = judge.claims(), judge.claim_values()
    return {name: (_columns(name), _records(name, rows)) for name, rows in found.items()}


def _columns(table: str) -> list[Column]:
    return [Column(name, "" if kind == "S" else "that of the value" if name in _OF_THE_VALUE else "1", _MEANINGS.get(f"{table}.{name}", _MEANINGS.get(name, "")), False)
            for name, kind in _kinds(table)]


def _records(table: str, rows: Sequence[Row]) -> Records:
    columns = {name: [row[name].encode() if kind == "S" else row[name] for row in rows] for name, kind in _kinds(table)}
    arrays = {name: np.array(columns[name], "S" if kind == "S" else f"<{kind}8") for name, kind in _kinds(table)}
    found = np.empty(len(rows), [(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        found[name] = array
    return found


def _kinds(table: str) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind in (column.split(":") for column in JUDGED[table].split())]


def _column(path: str, job_class: int) -> str:
    return path.replace(_CLASS, f"[class={job_class}]")


def texts(records: Records) -> list[Row]:
    """Rows as dicts, with their texts decoded."""
    return [{name: value.decode(errors="replace") if isinstance(value, bytes) else value for name, value in zip(records.dtype.names or (), row)}
            for row in records.tolist()]
