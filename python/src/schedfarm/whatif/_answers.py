"""The judge of differences: how mean waits are longer or shorter than today's, for all jobs and by class, from the replications; who gains
and who loses; what it does to the machine. Only for classes whose calibration is usable. Judged are ratios of means, on the logarithmic
scale: a log in which all wait ten times as long widens the interval of a difference, not of these."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from .. import _intervals, _program
from .._intervals import Estimate, Values
from .._terminal import filled, table, table_text, unbroken
from ..results import Results
from ._calibration import USABLE, Class
from ._campaign import Question, Variation, site_of

_MOST_CLASSES = 10
_ALPHA = 0.05
_MOST_SHARE = 10.0  # an end beyond is not printed
_WEEK_S = 604800.0
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
        >>> Difference("all jobs", 200, 2, -0.3, 40, False).percent()
        '200 % [-30, > 1000]'
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
    ends = (f"{round(100 * value, decimals) + 0.0:.{decimals}f}" if value <= _MOST_SHARE else f"> {100 * _MOST_SHARE:.0f}" for value in (share, lower, upper))
    return "{} % [{}, {}]".format(*ends)


class Answer(NamedTuple):
    label: str
    sentence: str
    is_same: bool  # no job of the log starts at another time
    whole: Difference | None  # all jobs; None: calibration forbids it
    classes: list[Difference]  # the usable ones
    log: list[str]  # what it does to users and nodes, in this log
    machine: str  # over the draws

    def said(self) -> str:
        return (f"In this log {', '.join(self.log)}; over" if self.log else "Over") + f" the draws {self.machine}."


def first_text(log: Results, calibration: list[Class], variations: list[Variation]) -> str:
    """Before the draws: what the log itself is under each configuration, or what they cannot say."""
    means = [float((jobs["start"] - jobs["submit"]).mean()) for jobs in map(log.jobs, range(len(variations) + 1))]
    if not any(own.verdict == USABLE for own in calibration):
        return filled("No class is usable: the draws that follow will say nothing of waits, but utilization. Ctrl-C stops them.")
    if calibration[0].verdict != USABLE or means[0] == 0:
        return ""
    shares = "; ".join(f"{own.label}: {100 * mean / means[0] - 100:+.0f} %" for own, mean in zip(variations, means[1:]))
    return filled(f"A first answer, of this log alone, replayed once: its mean wait of {means[0]:,.0f} s changes by {shares}. What logs like it would "
                  "show follows, from draws of its weeks.")


def answers(drawn: Results, log: Results, calibration: list[Class], variations: list[Variation], question: Question) -> list[Answer]:
    usable = [own for own in calibration if own.verdict == USABLE]
    cells = range(1, len(variations) + 1)
    wholes = _differences(drawn, log, [own for own in usable if own.number < 0], cells)
    found = []
    for cell, variation in zip(cells, variations):
        whole = next(iter(wholes[cell]), None)
        classes = _differences(drawn, log, [own for own in usable if own.number >= 0], [cell])[cell]
        is_same = bool(np.array_equal(log.jobs(0)["start"], log.jobs(cell)["start"]))
        sentence = _sentence(variation, whole, classes, is_same)
        of_log = (_users(log, cell) if whole else []) + _nodes(log, cell, question, variation)
        found.append(Answer(variation.label, sentence, is_same, whole, classes, of_log, _machine(drawn, cell)))
    return found


def _differences(drawn: Results, log: Results, usable: list[Class], cells: Sequence[int]) -> dict[int, list[Difference]]:
    found = holm([(cell, own.name, float(_sample(drawn, 0, own.number).mean()), log_ratio(drawn, log, cell, own.number))
                  for own in usable for cell in cells])
    return {cell: found.get(cell, []) for cell in cells}


def holm(family: list[tuple[int, str, float, Estimate]]) -> dict[int, list[Difference]]:
    """By cell, those that lose most first, from cell, class, mean wait today and estimate on the logarithmic scale. The k-th farthest from 0, in
    standard errors, has the confidence 1 - 0.05 / (m - k + 1) of Holm's procedure over all m; behind the first that is undecided all are."""
    found: dict[int, list[Difference]] = {cell: [] for cell, *_ in family}
    family = sorted((one for one in family if math.isfinite(one[3].mean)), key=lambda one: -_in_errors(one[3]))
    left, is_open = len(family), True
    for cell, name, mean, estimate in family:
        lower, upper = map(math.expm1, interval(estimate, 1 - _ALPHA / left) if estimate.standard_error else (estimate.mean,) * 2)
        is_open = is_open and (lower > 0 or upper < 0)
        left -= is_open and left > 1
        found[cell].append(Difference(name, mean, math.expm1(estimate.mean), lower, upper, is_open))
    return {cell: sorted(own, key=lambda one: -one.share) for cell, own in found.items()}


def interval(estimate: Estimate, confidence: float) -> tuple[float, float]:
    """Above 95 % both sides grow as Student's t: the longer one of a skewed estimate is a series in t that was tried there
    (engine/statistics/log_interval.hpp), and has no end beyond."""
    t = [_intervals.t_two_sided(own, estimate.degrees) for own in (confidence, 0.95)]
    below, above = (side * estimate.standard_error * t[0] / t[1] for side in _intervals.sides(estimate, 0.95, "skew_adjusted"))
    return estimate.mean - below, estimate.mean + above


def _in_errors(estimate: Estimate) -> float:
    return abs(estimate.mean) / estimate.standard_error if estimate.standard_error else 0.0


def log_ratio(drawn: Results, log: Results, cell: int, number: int = -1) -> Estimate:
    """Of mean waits of a class, those of the cell over today's: linearized, for logs like the one that is drawn from. Its skewness is that of the
    weeks that are drawn, which few draws hardly show: one heavy week may have made most of the difference, and other logs have more such weeks."""
    today, other = (_sample(drawn, place, number) for place in (0, cell))
    n = min(len(today), len(other))
    today, other = today[:n], other[:n]
    means = today.mean(), other.mean()
    if min(means) <= 0:
        return Estimate(n, math.nan, math.nan, 0.0, 1)
    estimate = _intervals.of_mean(math.log(means[1] / means[0]) + other / means[1] - today / means[0])
    how = drawn.cells.iloc[0]
    return _intervals.of_logs_like_it(estimate._replace(skewness=_skewness(log, cell, number)), int(how["log_blocks"]), float(how["log_variance_ratio"]))


def _skewness(log: Results, cell: int, number: int) -> float:
    """Of the logarithm of the ratio of mean waits of so many weeks, by what each week brings to it."""
    sums = np.array([weekly(jobs[(jobs["class"] == number) | (number < 0)]) for jobs in (log.jobs(0), log.jobs(cell))])
    means = sums.mean(axis=1, keepdims=True)
    return _intervals.skewness(np.diff(sums / means, axis=0)[0]) / math.sqrt(sums.shape[1]) if means.min() > 0 else 0.0


def weekly(jobs: pd.DataFrame) -> Values:
    """Sums of waits by week of submission."""
    return np.bincount((jobs["submit"] // _WEEK_S).astype(int), jobs["start"] - jobs["submit"]).astype(float)


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


def _users(log: Results, cell: int) -> list[str]:
    waits = [(jobs["start"] - jobs["submit"]).groupby(jobs["user"]).mean() for jobs in (log.jobs(0), log.jobs(cell))]
    shift = waits[1] - waits[0]
    longer, shorter = int((shift > _LONGER_S).sum()), int((shift < -_LONGER_S).sum())
    return [f"{100 * longer / len(shift):.0f} % of {len(shift)} users wait longer, {100 * shorter / len(shift):.0f} % less"]


def _machine(drawn: Results, cell: int) -> str:
    use = drawn.estimates("gross_utilization").set_index("cell")["mean"]
    sizes = [sum(json.loads(drawn.cells.iloc[place]["clusters"])) for place in (0, cell)]
    idle = [size * (1 - float(use[place])) for size, place in zip(sizes, (0, cell))]
    return (f"utilization {100 * float(use[0]):.1f} % → {100 * float(use[cell]):.1f} %, idle processors {idle[0]:,.0f} of {sizes[0]:,} → "
            f"{idle[1]:,.0f} of {sizes[1]:,}")


def _nodes(log: Results, cell: int, question: Question, variation: Variation) -> list[str]:
    """Of a site's: how many have no job, on average."""
    if not question.conf:
        return []
    sizes = [site_of(question, changes).node_sizes() for changes in ((), variation.changes)]
    if any(sum(own) != sum(json.loads(log.cells.iloc[place]["clusters"])) for own, place in zip(sizes, (0, cell))):
        return []
    idle = [idle_nodes(pd.read_csv(io.StringIO(_program.node_table(log.path, place, 0))), own) for own, place in zip(sizes, (0, cell))]
    return [f"{idle[0]:,.1f} of {len(sizes[0]):,} nodes idle → {idle[1]:,.1f} of {len(sizes[1]):,}"]


def idle_nodes(spans: pd.DataFrame, sizes: list[int]) -> float:
    """Mean number of nodes on which nothing runs, from the first start to the last finish. `spans`: of processors, as `gantt --format nodes` has
    them; `sizes`: of nodes, in processors.

    >>> idle_nodes(pd.DataFrame({"kind": "running", "begin": [0, 5, 0], "end": [10, 20, 10], "first": [0, 1, 4], "last": [1, 1, 6]}), [2, 2, 4])
    1.5
    """
    spans = spans[spans["kind"] == "running"].sort_values("begin")
    bounds = np.cumsum(sizes)
    first, last = (np.searchsorted(bounds, spans[column], "right") for column in ("first", "last"))
    busy, busy_until = 0.0, np.zeros(len(sizes))
    for begin, end, low, high in zip(spans["begin"], spans["end"], first, last + 1):
        busy += float(np.maximum(0, end - np.maximum(begin, busy_until[low:high])).sum())
        busy_until[low:high] = np.maximum(end, busy_until[low:high])
    return len(sizes) - busy / float(busy_until.max() - spans["begin"].min())


def text(found: list[Answer]) -> str:
    parts = []
    for own in found:
        parts.append(filled(unbroken(own.sentence)))
        if own.is_same:
            continue
        rows = ([own.whole] if own.whole else []) + own.classes[:_MOST_CLASSES]
        title = own.label + (": differences of mean waits from today's, over the draws" if rows else "")
        shown = table(title, ["~jobs of", ">today", ">longer by [95 %]", "<"], 1)
        shown.rows = [difference_row(one) for one in rows]
        shown.notes = [own.said()]
        if len(own.classes) > _MOST_CLASSES:
            shown.notes.insert(0, f"The ten classes that lose most, of {len(own.classes)} that are usable.")
        if not rows:
            shown.columns = []
        parts.append(table_text(shown))
    if any(own.whole or own.classes for own in found):
        parts.append(filled("Seconds; 95 % intervals for logs like this one. Those of all jobs hold for all variations together, those of classes for all classes "
                            "of their variation (Holm's procedure)."))
    return "\n".join(parts)


def difference_row(own: Difference) -> list[str]:
    return [own.what, f"{own.today:,.0f}", own.percent(), "" if own.is_decided else "undecided"]
