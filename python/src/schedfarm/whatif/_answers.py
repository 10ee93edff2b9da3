"""The judge of differences: how mean waits are longer or shorter than today's, for all jobs and by class, from the replications; who gains
and who loses; what it does to the machine. Only for classes whose calibration is usable. Judged are ratios of means, on the logarithmic
scale: a log in which all wait ten times as long widens the interval of a difference, not of these."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .. import _intervals
from .._intervals import Estimate, Values
from .._terminal import filled, table, table_text
from ..results import Results
from ._calibration import USABLE, Class
from ._campaign import Variation

_MOST_CLASSES = 10
_ALPHA = 0.05
_LONGER_S = 60.0  # a mean wait that is longer by less is as it was


class Difference(NamedTuple):
    """Of mean waits: `today` in seconds, and what share of it comes on top. `is_decided`: Holm's procedure excludes 0."""

    what: str
    today: float
    share: float
    lower: float
    upper: float
    is_decided: bool

    def percent(self) -> str:
        """
        >>> Difference("all jobs", 200, -0.07, -0.11, -0.031, True).percent()
        '-7 % [-11, -3]'
        """
        return _percent(self.share, self.lower, self.upper)

    def size(self) -> str:
        """Of a decided one, without its sign: the verb says it.

        >>> Difference("all jobs", 200, -0.07, -0.11, -0.031, True).size()
        '7 % [3, 11]'
        """
        return _percent(abs(self.share), *sorted((abs(self.lower), abs(self.upper))))


def _percent(share: float, lower: float, upper: float) -> str:
    decimals = 0 if max(abs(lower), abs(upper)) >= 0.05 else 1
    return "{} % [{}, {}]".format(*(f"{round(100 * value, decimals) + 0.0:.{decimals}f}" for value in (share, lower, upper)))


class Answer(NamedTuple):
    label: str
    sentence: str
    is_same: bool  # no job of the log starts at another time
    whole: Difference | None  # all jobs; None: calibration forbids it
    classes: list[Difference]  # the usable ones
    users: str
    machine: str


def answers(drawn: Results, log: Results, calibration: list[Class], variations: list[Variation]) -> list[Answer]:
    usable = [own for own in calibration if own.verdict == USABLE]
    cells = range(1, len(variations) + 1)
    wholes = _differences(drawn, [own for own in usable if own.number < 0], cells)
    found = []
    for cell, variation in zip(cells, variations):
        whole = next(iter(wholes[cell]), None)
        classes = _differences(drawn, [own for own in usable if own.number >= 0], [cell])[cell]
        is_same = bool(np.array_equal(log.jobs(0)["start"], log.jobs(cell)["start"]))
        sentence = _sentence(variation, whole, classes, is_same)
        found.append(Answer(variation.label, sentence, is_same, whole, classes, _users(log, cell), _machine(drawn, cell)))
    return found


def _differences(drawn: Results, usable: list[Class], cells: Sequence[int]) -> dict[int, list[Difference]]:
    """Of these cells, those that lose most first; Holm's procedure over all of them."""
    family: list[tuple[int, str, float, Estimate]] = []
    for own in usable:
        today = _sample(drawn, 0, own.number)
        family += [(cell, own.name, float(today.mean()), _log_ratio(drawn, today, _sample(drawn, cell, own.number))) for cell in cells]
    family = sorted((one for one in family if math.isfinite(one[3].mean)), key=lambda one: -_in_errors(one[3]))
    found: dict[int, list[Difference]] = {cell: [] for cell in cells}
    left, is_open = len(family), True
    for cell, name, mean, estimate in family:
        ends = _intervals.interval(estimate, 1 - _ALPHA / left, "skew_adjusted") if estimate.standard_error else (estimate.mean,) * 2
        lower, upper = map(math.expm1, ends)
        is_open = is_open and (lower > 0 or upper < 0)
        left -= is_open and left > 1
        found[cell].append(Difference(name, mean, math.expm1(estimate.mean), lower, upper, is_open))
    return {cell: sorted(own, key=lambda one: -one.share) for cell, own in found.items()}


def _in_errors(estimate: Estimate) -> float:
    return abs(estimate.mean) / estimate.standard_error if estimate.standard_error else 0.0


def _log_ratio(drawn: Results, today: Values, other: Values) -> Estimate:
    """Of mean waits, the other's over today's: linearized, for logs like the one that is drawn from."""
    n = min(len(today), len(other))
    today, other = today[:n], other[:n]
    means = today.mean(), other.mean()
    if min(means) <= 0:
        return Estimate(n, math.nan, math.nan, 0.0, 1)
    estimate = _intervals.of_mean(math.log(means[1] / means[0]) + other / means[1] - today / means[0])
    cell = drawn.cells.iloc[0]
    of_logs = _intervals.of_logs_like_it(estimate, int(cell["log_blocks"]), float(cell["log_variance_ratio"]))
    return of_logs._replace(skewness=0.0)  # as that of a logarithm nearly is


def ratio_to_today(drawn: Results, cell: int, confidence: float) -> tuple[float, float]:
    """The interval of all jobs' mean wait over that of today, of this cell alone."""
    lower, upper = _intervals.interval(_log_ratio(drawn, _sample(drawn, 0, -1), _sample(drawn, cell, -1)), confidence, "skew_adjusted")
    return math.exp(lower), math.exp(upper)


def _sample(drawn: Results, cell: int, number: int) -> Values:
    """A value per replication whose mean is the mean wait, of a class that of all its jobs: the linearized ratio of sums."""
    rows = drawn.table("replications")
    rows = rows[rows["cell"] == cell]
    if number < 0:
        return rows["wait.mean"].to_numpy()  # type: ignore[no-any-return]
    values, counts = rows[f"wait.mean[class={number}]"].to_numpy(), rows[f"wait.count[class={number}]"].to_numpy()
    sums = np.where(counts == 0, 0.0, values * counts)
    ratio = sums.sum() / counts.sum()
    return ratio + (sums - ratio * counts) / counts.mean()  # type: ignore[no-any-return]


def _sentence(variation: Variation, whole: Difference | None, classes: list[Difference], is_same: bool) -> str:
    if is_same:
        return f"{variation.words} changes no start of any job of this log."
    if whole is None:
        return f"{variation.words}: not said for all jobs, whose simulated wait is not that of the log."
    verb = "shortens" if whole.share < 0 else "lengthens"
    first = (f"{variation.words} {verb} the mean wait by {whole.size()}" if whole.is_decided else
             f"{variation.words} changes the mean wait by nothing that this log could show: {whole.percent()}")
    worst = next((own for own in classes if own.is_decided and own.share > 0), None)
    best = next((own for own in reversed(classes) if own.is_decided and own.share < 0), None)
    other = worst if whole.share < 0 else best
    return first + (f"; jobs of {other.what} wait {other.size()} {'longer' if other.share > 0 else 'less'}." if other and whole.is_decided else ".")


def _users(log: Results, cell: int) -> str:
    """Of this log, as it is."""
    waits = [(jobs["start"] - jobs["submit"]).groupby(jobs["user"]).mean() for jobs in (log.jobs(0), log.jobs(cell))]
    shift = waits[1] - waits[0]
    longer, shorter = int((shift > _LONGER_S).sum()), int((shift < -_LONGER_S).sum())
    return f"{100 * longer / len(shift):.0f} % of {len(shift)} users wait longer in this log, {100 * shorter / len(shift):.0f} % less"


def _machine(drawn: Results, cell: int) -> str:
    use = drawn.estimates("gross_utilization").set_index("cell")["mean"]
    sizes = [sum(json.loads(drawn.cells.iloc[place]["clusters"])) for place in (0, cell)]
    idle = [size * (1 - float(use[place])) for size, place in zip(sizes, (0, cell))]
    return (f"utilization {100 * float(use[0]):.1f} % → {100 * float(use[cell]):.1f} %, idle processors {idle[0]:,.0f} of {sizes[0]:,} → {idle[1]:,.0f} of "
            f"{sizes[1]:,}")


def text(found: list[Answer]) -> str:
    parts = []
    for own in found:
        parts.append(filled(own.sentence))
        if own.is_same:
            continue
        shown = table(f"{own.label}: differences of mean waits from today's", ["~jobs of", ">today", ">longer by", "<"], 1)
        rows = ([own.whole] if own.whole else []) + [one for one in own.classes[:_MOST_CLASSES]]
        shown.rows = [difference_row(one) for one in rows]
        shown.notes = [f"{own.users}; {own.machine}."]
        if len(own.classes) > _MOST_CLASSES:
            shown.notes.insert(0, f"The ten classes that lose most, of {len(own.classes)} that are usable.")
        if not rows:
            shown.columns = []
        parts.append(table_text(shown))
    parts.append(filled("Seconds; intervals are for logs like this one, after Holm: of all jobs over the variations, of the classes of a variation over these."))
    return "\n".join(parts)


def difference_row(own: Difference) -> list[str]:
    return [own.what, f"{own.today:,.0f}", own.percent(), "" if own.is_decided else "undecided"]
