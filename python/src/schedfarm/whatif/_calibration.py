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
from .._words import time_unit
from ..results import Results
from ._campaign import Question

AGREES, UNKNOWN, DISAGREES = "agrees", "cannot tell", "disagrees"
SAME_S = 60.0  # mean waits below it are the same
_LOW, _HIGH = 0.85, 1.18
_WEEK, _DAY = 604800.0, 86400.0
_FEWEST_WEEKS = 6
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


UNTOLD = Class(-1, "all jobs", 0, math.nan, math.nan, math.nan, math.nan, math.nan, UNKNOWN)


def judge(log: Results) -> list[Class]:
    """All jobs, then every class that has some whose wait the log knows; of the cell of today."""
    jobs = log.jobs(0)
    jobs = jobs[jobs["logged_wait"].notna()]
    if not len(jobs):
        return [UNTOLD]
    block = np.floor((jobs["submit"] - jobs["submit"].min()) / _block(jobs["submit"])).astype(int).to_numpy()
    logged, simulated = jobs["logged_wait"].to_numpy(), (jobs["start"] - jobs["submit"]).to_numpy()
    names = log.class_names(0)
    found = [_class(-1, "all jobs", logged, simulated, block)]
    for number in sorted(set(jobs["class"])):
        own = (jobs["class"] == number).to_numpy()
        found.append(_class(int(number), names.get(int(number), "all jobs").removeprefix("partition not known, "), logged[own], simulated[own], block[own]))
    return found


def _block(submit: Values) -> float:
    return _WEEK if submit.max() - submit.min() >= _FEWEST_WEEKS * _WEEK else _DAY


def _class(number: int, name: str, logged: Values, simulated: Values, block: Values) -> Class:
    means = float(logged.mean()), float(simulated.mean())
    ratio, lower, upper = ratio_interval(logged, simulated, block)
    return Class(number, name, len(logged), *means, ratio, lower, upper, AGREES if max(means) < SAME_S else verdict(lower, upper))


def ratio_interval(logged: Values, simulated: Values, block: Values) -> tuple[float, float, float]:
    """Simulated over logged mean; NaN where one is 0, and an end where fewer blocks have such a job than the gate asks for (`carriers`)."""
    count = int(block.max()) + 1
    parts = np.array([np.bincount(block, values, count) for values in (logged, simulated)])[:, np.bincount(block, minlength=count) > 0]
    sums = parts.sum(axis=1)
    if sums.min() <= 0:
        return math.nan, math.nan, math.nan
    ratio = float(sums[1] / sums[0])
    left_out = sums[:, None] - parts
    if len(left_out[0]) < _intervals.FEWEST_CARRIERS or left_out.min() <= 0:
        return ratio, math.nan, math.nan
    estimate = _intervals.jackknife(math.log(ratio), np.log(left_out[1] / left_out[0]))
    lower, upper = _intervals.interval(estimate, _CONFIDENCE, "student_t")
    return ratio, math.exp(lower), math.exp(upper)


def verdict(lower: float, upper: float) -> str:
    """
    >>> verdict(0.9, 1.1), verdict(0.78, 1.25), verdict(1.19, 6.0), verdict(0.2, 0.84), verdict(math.nan, math.nan)
    ('agrees', 'cannot tell', 'disagrees', 'disagrees', 'cannot tell')
    """
    return AGREES if _LOW <= lower and upper <= _HIGH else DISAGREES if lower > _HIGH or upper < _LOW else UNKNOWN


def unit_of(calibration: list[Class]) -> tuple[str, float]:
    """In which mean waits are read, and its seconds."""
    return time_unit("s", (wait for own in calibration for wait in (own.logged, own.simulated)))


def table_rows(calibration: list[Class]) -> list[list[str]]:
    unit = unit_of(calibration)[1]
    return [[own.name, f"{own.jobs:,}", f"{own.logged / unit:.3g}", f"{own.simulated / unit:.3g}", ratio_text(own), own.verdict] for own in calibration]


def ratio_text(own: Class) -> str:
    """
    >>> ratio_text(Class(-1, "all jobs", 9, 100, 99, 0.99, 0.78, 1.25, UNKNOWN))
    '0.99 [0.78, 1.25]'
    """
    return "" if math.isnan(own.ratio) else f"{own.ratio:.2f}" + ("" if math.isnan(own.lower) else f" [{own.lower:.2f}, {own.upper:.2f}]")


def section(calibration: list[Class], question: Question) -> Table:
    found = table("Calibration: is the wait of the log, under today's configuration, simulated?",
                  ["~jobs of", ">jobs", f">logged ({unit_of(calibration)[0]})", ">simulated", ">ratio", "~verdict"], 1)
    found.rows = table_rows(calibration)
    found.notes = [f"Mean waits. {AGREES}: the 95 % interval of simulated / logged lies within [{_LOW}, {_HIGH}], or both are below a minute. "
                   f"{DISAGREES}: it lies wholly outside. Differences are printed of all classes but those that disagree.", *lacking(question)]
    if not calibration[0].jobs:
        found.columns = []
        found.notes.insert(0, "The log records no waits: nothing can be said of how near the simulation is.")
    return found


def lacking(question: Question) -> list[str]:
    """What the log or the configuration does not say, and would help."""
    never = {"partition": "partition", "user": "user", "group": "account", "quality of service": "QOS", "requested memory": "memory"}
    columns = [words for field, words in never.items() if field in question.facts()["never_given"]]
    found = [f"The log lacks: {', '.join(columns)}."] if columns else []
    if not question.conf:
        found.append("Without slurm.conf partitions, priorities and limits are not modelled: --slurm-conf.")
    elif not question.associations:
        found.append("Without --associations there are no shares and no limits of users and accounts.")
    return found
