"""The judge of differences: how mean waits are longer or shorter than today's, for all jobs and by class, from the draws and, before them, from the
weeks of the log. Classes in which calibration disagrees are left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from .._intervals import Values
from .._words import seconds_text
from ..results import Results
from . import _change
from ._calibration import DISAGREES, SAME_S, UNKNOWN, Class, ratio_text
from ._change import Change

ALPHA = 0.05
WEEK_S = 604800.0
_MOST_SHARE = 1e4  # an end beyond is none


class Difference(NamedTuple):
    """Of mean waits of a class, in seconds, and what share of today's comes on top. `is_decided`: Holm's procedure excludes 0; `weeks`: that would
    decide it; `doubt`: the calibration of the class, where it cannot tell; `gate`: what the gate says of both means."""

    what: str
    today: float
    other: float
    share: float
    lower: float
    upper: float
    is_decided: bool
    weeks: int | None = None
    doubt: str = ""
    gate: str = "passed"

    def is_short(self) -> bool:
        """Both means are below a minute: their ratio means nothing."""
        return max(self.today, self.other) < SAME_S

    def size(self) -> str:
        """Of a decided one, without its sign: the verb says it.

        >>> Difference("all jobs", 200, 186, -0.07, -0.11, -0.031, True).size()
        '7 % [3, 11]'
        >>> Difference("all jobs", 200, 600, 2, 0.3, math.inf, True).size()
        '200 % [30, no end]'
        >>> Difference("all jobs", 200, 216, 0.08, 0.003, 0.172, True).size()
        '8.0 % [0.3, 17.2]'
        """
        lower, upper = sorted((abs(self.lower), abs(self.upper)))
        return "{} % [{}, {}]".format(*self._percents(abs(self.share), lower, upper))

    def change(self) -> str:
        """
        >>> Difference("all jobs", 200, 186, -0.07, -0.11, -0.031, True).change(), Difference("all jobs", 200, 600, 2, -0.3, 40, False).change()
        ('7 % shorter [3, 11]', '200 % longer [30 shorter, 4,000 longer]')
        >>> Difference("all jobs", 20, 50, 1.5, 0.3, 40, False).change(), Difference("all jobs", 0, 90, math.nan, math.nan, math.nan, False).change()
        ('both below a minute', '0 s to 90 s')
        """
        if self.is_short():
            return "both below a minute"
        if math.isnan(self.share):
            return f"{seconds_text(self.today)} to {seconds_text(self.other)}"
        if self.is_decided:
            return self.size().replace(" [", f" {_side(self.share)} [")
        share, lower, upper = self._percents(abs(self.share), abs(self.lower), abs(self.upper))
        if math.isnan(self.lower):
            return f"{share} % {_side(self.share)}"
        return f"{share} % {_side(self.share)} [{lower} {_side(self.lower)}, {upper} {_side(self.upper)}]".replace("no end longer", "no end")

    def _percents(self, *shares: float) -> list[str]:
        decimals = 0 if max(shares) >= 0.05 and (min(shares) >= 0.005 or not self.is_decided) else 1
        return [f"{100 * value:,.{decimals}f}" if value <= _MOST_SHARE else "no end" for value in shares]


def _side(share: float) -> str:
    return "shorter" if share < 0 else "longer"


def differences(drawn: Results, calibration: list[Class], cells: Sequence[int]) -> dict[int, list[Difference]]:
    """By cell, of classes in which calibration does not disagree. A small one may be in no week that was drawn."""
    family = [(cell, own, of_draws(drawn, cell, own.number)) for own in calibration if own.verdict != DISAGREES for cell in cells]
    found = holm([one for one in family if not math.isnan(one[2].today)], int(drawn.cells["replications_used"].iloc[0]))
    return {cell: found.get(cell, []) for cell in cells}


def of_draws(drawn: Results, cell: int, number: int = -1) -> Change:
    """Of a class. Of one that hardly a draw has the gate allows no interval."""
    how = drawn.cells.iloc[0]
    (today, jobs), (other, _) = _sums(drawn, 0, number), _sums(drawn, cell, number)
    found = _change.of_draws(today, other, jobs, int(how["log_blocks"]), float(how["log_variance_ratio"]))
    means = drawn.table("estimates")
    means = means[means["cell"].isin([0, cell]) & (means["metric"] == ("wait.mean" if number < 0 else f"wait.mean[class={number}]"))]
    gate = next((own for own in means["gate"] if own != "passed"), "passed")
    return found._replace(gate=gate, error=math.nan if gate == "carriers" else found.error)


def of_log(log: Results, cell: int) -> Change:
    """Of all jobs of the log itself, as replayed."""
    (today, jobs), (other, _) = weekly(log, 0), weekly(log, cell)
    return _change.of_weeks(today, other, jobs)


def holm(family: list[tuple[int, Class, Change]], draws: int) -> dict[int, list[Difference]]:
    """By cell, those that lose most first. The k-th farthest from 0, in standard errors, has the confidence 1 - 0.05 / (m - k + 1) of Holm's
    procedure over all m; behind the first that is undecided all are. Means below a minute and those without an interval are not judged."""
    found: dict[int, list[Difference]] = {cell: [] for cell, *_ in family}
    judged = [one for one in family if math.isfinite(one[2].error) and max(one[2].today, one[2].other) >= SAME_S]
    left, is_open = len(judged), True
    for cell, own, change in sorted(judged, key=lambda one: -abs(one[2].mean) / one[2].error):
        confidence = 1 - ALPHA / left
        lower, upper = _change.ends(change, confidence)
        is_open = is_open and (lower > 0 or upper < 0)
        left -= is_open and left > 1
        needed = None if is_open else _change.weeks_needed(change, draws, confidence)
        found[cell].append(_difference(own, change)._replace(lower=lower, upper=upper, is_decided=is_open, weeks=needed))
    for cell, own, change in family:
        if not any(change is one[2] for one in judged):
            found[cell].append(_difference(own, change))
    return {cell: sorted(own, key=lambda one: (math.isnan(one.share), -one.share)) for cell, own in found.items()}


def _difference(own: Class, change: Change) -> Difference:
    return Difference(own.name, change.today, change.other, _change.share(change.mean), math.nan, math.nan, False, gate=change.gate,
                      doubt=(ratio_text(own) or "no interval") if own.verdict == UNKNOWN else "")


def weekly(log: Results, cell: int) -> tuple[Values, Values]:
    """Sums of waits by week of submission, and numbers of jobs."""
    jobs: pd.DataFrame = log.jobs(cell)
    week = ((jobs["submit"] - jobs["submit"].min()) // WEEK_S).astype(int)
    return np.bincount(week, jobs["start"] - jobs["submit"]).astype(float), np.bincount(week).astype(float)


def _sums(drawn: Results, cell: int, number: int) -> tuple[Values, Values]:
    """Sums of the waits of a class by draw, and its numbers of jobs."""
    rows = drawn.table("replications")
    rows = rows[rows["cell"] == cell]
    if number < 0:
        return rows["wait.mean"].to_numpy(), np.ones(len(rows))
    jobs = rows[f"wait.count[class={number}]"].to_numpy().astype(float)
    return np.where(jobs > 0, rows[f"wait.mean[class={number}]"].to_numpy() * jobs, 0.0), jobs
