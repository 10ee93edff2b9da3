"""By how much mean waits change, and how far that holds for logs like the one at hand: the logarithm of the ratio of mean waits, its standard
error, and an interval that was chosen by its coverage (tools/whatif_intervals.py, docs/results/whatif-intervals.md)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .. import _intervals
from .._intervals import Values

_SECOND = 1.0  # added to mean waits of draws, of which some have none
FAR = 4.0  # weeks: how much longer the side away from 0 is
_MOST_WEEKS = 520  # that are told to somebody
_MOST_LOG = 50.0  # a ratio beyond e^50 is no number


class Change(NamedTuple):
    """Of mean waits in seconds. `mean`: of the logarithm of other / today; NaN where one is 0. `error`: its standard error for logs like it, of so
    many `weeks`; NaN where nothing says it, as where one week has all waits. `gate`: what the gate says of both means."""

    today: float
    other: float
    mean: float
    error: float
    degrees: int
    weeks: int
    gate: str = "passed"


def of_draws(today: Values, other: Values, jobs: Values, blocks: int, variance_ratio: float) -> Change:
    """From sums of waits and numbers of jobs in draws of so many weeks, the same jobs under both; `variance_ratio`: of draws to logs of the log's
    length. The logarithms are those of each draw: a heavy week that is drawn twice weighs in both sums."""
    drawn = jobs > 0
    today, other, jobs = today[drawn], other[drawn], jobs[drawn]
    n = len(jobs)
    ratios = np.log((other / jobs + _SECOND) / (today / jobs + _SECOND))
    error = float(ratios.std(ddof=1)) * math.sqrt(variance_ratio * blocks / max(1, blocks - 1) + 1 / n) if n > 1 else math.nan
    return _change(today, other, jobs, error, _degrees(blocks, n), blocks)


def of_weeks(today: Values, other: Values, jobs: Values) -> Change:
    """From the weeks of the log itself, each left out in turn (the jackknife)."""
    weeks = jobs > 0
    today, other, count = today[weeks], other[weeks], int(weeks.sum())
    left_out = np.array([today.sum() - today, other.sum() - other])
    error = math.nan
    if count > 1 and left_out.min() > 0:
        error = _intervals.jackknife(0.0, np.log(left_out[1] / left_out[0])).standard_error
    return _change(today, other, jobs[weeks], error, max(1, count - 1), count)


def _change(today: Values, other: Values, jobs: Values, error: float, degrees: int, weeks: int) -> Change:
    count = float(jobs.sum())
    before, after = (float(sums.sum()) / count if count else math.nan for sums in (today, other))
    mean = math.log(after / before) if min(before, after) > 0 else math.nan
    return Change(before, after, mean, error if math.isfinite(mean) and error > 0 else math.nan, degrees, weeks)


def _degrees(weeks: int, draws: int) -> int:
    """Both the weeks and the draws of them make their scatter uncertain."""
    return max(1, round(1 / (1 / max(1, weeks - 1) + 1 / max(1, draws - 1))))


def share(logarithm: float) -> float:
    """
    >>> share(math.log(3)), share(800.0)
    (2.0, inf)
    """
    return math.inf if logarithm > _MOST_LOG else math.expm1(logarithm)


def ends(change: Change, confidence: float, far: float = FAR) -> tuple[float, float]:
    """Shares. Logs with few heavy weeks show too little of a change, and seem more certain of it than they are: away from 0 the interval is longer,
    the more so the fewer weeks there are.

    >>> [round(end, 3) for end in ends(Change(100, 50, math.log(0.5), 0.1, 5, 6), 0.95)]
    [-0.712, -0.353]
    """
    t = _intervals.t_two_sided(confidence, change.degrees)
    near, away = t * change.error, t * math.sqrt(change.error * max(change.error, far / change.weeks * abs(change.mean)))
    below, above = (near, away) if change.mean > 0 else (away, near)
    return share(change.mean - below), share(change.mean + above)


def weeks_needed(change: Change, draws: int, confidence: float) -> int | None:
    """So many weeks like those of the log, drawn so often, would decide a change of this size; None: more than ten years of them.

    >>> weeks_needed(Change(100, 90, math.log(0.9), 0.1, 5, 6), 20, 0.95)
    27
    """
    def is_enough(weeks: int) -> bool:
        t = _intervals.t_two_sided(confidence, _degrees(weeks, draws))
        return t * change.error * math.sqrt(change.weeks / weeks) < abs(change.mean)
    return next((weeks for weeks in range(2, _MOST_WEEKS + 1) if is_enough(weeks)), None) if math.isfinite(change.error) else None
