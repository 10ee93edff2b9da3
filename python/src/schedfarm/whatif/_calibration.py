"""The judge of calibration: whether the waits that are simulated under today's configuration are those of the log, by class of jobs. The
file keeps what it is judged from: the jobs of the replay beside their logged waits. Of a class it is the ratio of both means, with the
interval of the jackknife over blocks of the log, weeks or days, on the logarithmic scale."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .. import _intervals
from .._intervals import Values
from .._terminal import Table, table
from ..results import Results
from ._campaign import Question

USABLE, FEW, NOT = "usable", "too few jobs to tell", "not usable"
_LOW, _HIGH = 0.85, 1.18
_WIDEST = 0.3  # half of an interval, relative to the ratio
_SAME_S = 60.0  # means that differ by less are the same
_WEEK, _DAY = 604800.0, 86400.0
_FEWEST_WEEKS, _FEWEST_BLOCKS = 6, 4
_CONFIDENCE = 0.95


class Class(NamedTuple):
    """`number`: -1: all jobs."""

    number: int
    name: str
    jobs: int
    logged: float
    simulated: float
    ratio: float
    lower: float
    upper: float
    verdict: str


def judge(log: Results) -> list[Class]:
    """All jobs, then every class that has some whose wait the log knows; of the cell of today."""
    jobs = log.jobs(0)
    jobs = jobs[jobs["logged_wait"].notna()]
    block = np.floor((jobs["submit"] - jobs["submit"].min()) / _block(jobs["submit"])).astype(int).to_numpy()
    logged, simulated = jobs["logged_wait"].to_numpy(), (jobs["start"] - jobs["submit"]).to_numpy()
    names = log.class_names(0)
    found = [_class(-1, "all jobs", logged, simulated, block)]
    for number in sorted(set(jobs["class"])):
        own = (jobs["class"] == number).to_numpy()
        found.append(_class(int(number), names.get(int(number), "all jobs").removeprefix("partition not known, "), logged[own], simulated[own], block[own]))
    return found if len(jobs) else []


def _block(submit: Values) -> float:
    return _WEEK if len(submit) and submit.max() - submit.min() >= _FEWEST_WEEKS * _WEEK else _DAY


def _class(number: int, name: str, logged: Values, simulated: Values, block: Values) -> Class:
    if not len(logged):
        return Class(number, name, 0, math.nan, math.nan, math.nan, math.nan, math.nan, FEW)
    means = float(logged.mean()), float(simulated.mean())
    ratio, lower, upper = ratio_interval(logged, simulated, block)
    is_same = abs(means[0] - means[1]) < _SAME_S
    return Class(number, name, len(logged), *means, ratio, lower, upper, USABLE if is_same and max(means) < _SAME_S else verdict(ratio, lower, upper))


def ratio_interval(logged: Values, simulated: Values, block: Values) -> tuple[float, float, float]:
    """Simulated over logged mean; NaN where one is 0 or there are too few blocks."""
    count = int(block.max()) + 1
    parts = np.array([np.bincount(block, values, count) for values in (logged, simulated)])[:, np.bincount(block, minlength=count) > 0]
    sums = parts.sum(axis=1)
    if sums.min() <= 0:
        return math.nan, math.nan, math.nan
    ratio = float(sums[1] / sums[0])
    left_out = sums[:, None] - parts
    if len(left_out[0]) < _FEWEST_BLOCKS or left_out.min() <= 0:
        return ratio, math.nan, math.nan
    estimate = _intervals.jackknife(math.log(ratio), np.log(left_out[1] / left_out[0]))
    lower, upper = _intervals.interval(estimate, _CONFIDENCE, "student_t")
    return ratio, math.exp(lower), math.exp(upper)


def verdict(ratio: float, lower: float, upper: float) -> str:
    """An interval that lies beyond is not usable, however wide it is.

    >>> verdict(1.0, 0.9, 1.1), verdict(1.0, 0.5, 2.0), verdict(1.2, 1.1, 1.3), verdict(3.0, 1.5, 6.0)
    ('usable', 'too few jobs to tell', 'not usable', 'not usable')
    """
    if math.isnan(lower):
        return FEW
    if _LOW <= lower and upper <= _HIGH:
        return USABLE
    return FEW if lower <= _HIGH and upper >= _LOW and upper - lower > 2 * _WIDEST * ratio else NOT


def table_rows(calibration: list[Class]) -> list[list[str]]:
    return [[own.name, f"{own.jobs:,}", f"{own.logged:,.0f}", f"{own.simulated:,.0f}",
             "" if math.isnan(own.ratio) else f"{own.ratio:.2f}" + ("" if math.isnan(own.lower) else f" [{own.lower:.2f}, {own.upper:.2f}]"), own.verdict]
            for own in calibration]


def section(calibration: list[Class], question: Question) -> Table:
    found = table("Calibration: is the wait of the log, under today's configuration, simulated?",
                  ["~jobs of", ">jobs", ">logged", ">simulated", ">ratio", "~verdict"], 1)
    found.rows = table_rows(calibration)
    found.notes = [f"Mean waits in seconds. {USABLE}: the 95 % interval of simulated / logged lies within [{_LOW}, {_HIGH}], or both are below a minute. "
                   f"{FEW}: it is wider than ± {100 * _WIDEST:.0f} %. No difference is printed for other classes than usable ones.", *lacking(question)]
    if not calibration:
        found.columns = []
        found.notes.insert(0, "The log records no waits: nothing can be said of how near the simulation is.")
    return found


def lacking(question: Question) -> list[str]:
    """What the log or the configuration does not say, and would help."""
    never = {"partition": "partition", "user": "user", "group": "account", "quality of service": "QOS", "requested memory": "memory"}
    columns = [words for field, words in never.items() if field in question.facts["never_given"]]
    found = [f"The log lacks: {', '.join(columns)}."] if columns else []
    if not question.conf:
        found.append("Without slurm.conf partitions, priorities and limits are not modelled: --slurm-conf.")
    elif not question.associations:
        found.append("Without --associations there are no shares and no limits of users and accounts.")
    return found
