"""Numbers and metrics as a reader wants them: no more digits than the interval supports but three of every estimate, names in words."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

RATIO, WALL_TIME, BEYOND = " / ", "wall_time_ms", "wall_time_ms beyond "  # names of metrics that are made of others

PLUS_MINUS, BOUNDS = "plus_minus", "bounds"  # how intervals are printed: the campaign's `report.intervals`
ENOUGH_FOR_SKEWNESS = 10  # observations; of fewer their skewness is hardly known
_LEAST_SHOWN = 5e-9  # narrower ones are rounding, as of a constant
MOST_DECIMALS = 8
_ANY = -(10 ** 9)  # decimals of 0, which any number of them shows
_TIMES = {"d": 86400.0, "h": 3600.0, "min": 60.0, "s": 1.0}
_METRICS = {
    "capacity_loss.fill_sd": "capacity loss, s.d. of a fill",
    "jobs_placed": "jobs per fill",
    "job_size.count": "jobs",
    "backlog_growth": "growth of the backlog",
    "backlog_change": "change of the backlog",
    "backlog_time": "time of that change",
    "wait.warm_up": "wait, warm-up",
    "wait.first_half": "wait, first half",
    "wait.second_half": "wait, second half",
}
_GATE = {
    "moments": "{} has no variance: no number of replications makes such a mean precise. Look at quantiles.",
    "carriers": "No interval of {}: fewer than three replications have such a job.",
    "start": "The empty start may bias {} by more than a tenth of the interval: give longer replications.",
    "tail": "Heavy tails ({}): longer jobs than were drawn make a quarter or more of the variance. Look at quantiles.",
    "blocks": "The weeks or users of the log are not alike (`plan` says how): intervals of {} hold less often than they say; most that miss lie below the truth.",
}
_OBSERVED_UNASKED = {"backlog_change", "backlog_time", "backlog_growth", "wait.warm_up", "wait.first_half", "wait.second_half",
                     "busy_area", "capacity_area", "slowdown.largest_share"}


def status_text(status: str) -> str:
    """How a cell ended, in words.

    >>> status_text("not_met_log"), status_text("provisional")
    ('not met: log', 'provisional')
    """
    return status.removeprefix("met_").replace("not_met_", "not met: ").replace("_", " ")


def decimals_for_half_width(half_width: float) -> int:
    """Those that show two significant digits of it, below 0 where these are tens or more; 5 where it is 0."""
    if not half_width >= _LEAST_SHOWN or math.isinf(half_width):
        return 5
    return min(1 - _first_digit(half_width), MOST_DECIMALS)


def decimals_for(value: float, lower: float, upper: float) -> int:
    """Those of the longer side of an interval, of its shorter one where it has no end on the longer; without an interval those of four
    significant digits of the value, none below 0."""
    side = longer_side(value, lower, upper)
    if math.isnan(side) and value != 0 and math.isfinite(value):
        return min(max(3 - _first_digit(abs(value)), 0), MOST_DECIMALS)
    return decimals_for_half_width(min(value - lower, upper - value) if math.isinf(side) else side)


def decimals_of_digits(value: float, digits: int) -> int:
    """Those that show so many digits of the value itself, below 0 where these are tens, hundreds or more."""
    return _ANY if value == 0 or not math.isfinite(value) else digits - 1 - _first_digit(abs(value))


def number_text(value: float, decimals: int) -> str:
    """Empty for NaN; below 0 decimals rounded to tens, hundreds …; beyond eight with an exponent.

    >>> number_text(3.14159, 2), number_text(12345, -2), number_text(3.12e-10, 12), number_text(math.nan, 2)
    ('3.14', '12300', '3.12e-10', '')
    """
    if math.isnan(value):
        return ""
    if value == 0 and decimals < 0:
        return "0"
    if decimals > MOST_DECIMALS and value != 0 and math.isfinite(value):
        return f"{value:.{max(decimals + _first_digit(abs(value)), 0)}e}"
    if decimals >= 0 or not math.isfinite(value):
        return f"{value:.{min(max(decimals, 0), MOST_DECIMALS)}f}"
    unit = float(10 ** -decimals)
    return f"{round(value / unit) * unit + 0.0:.0f}"  # no −0


def estimate_text(value: float, decimals: int) -> str:
    """With more decimals where these show less than three digits: an interval longer than its estimate does not take that away."""
    return number_text(value, max(decimals, decimals_of_digits(value, 3)))


def bounds_text(lower: float, upper: float, decimals: int) -> str:
    """`[3.10, 3.90]`, `[3.10, ∞)`: the ends of an interval, each with two digits of its own at least."""
    def end(value: float) -> str:
        return number_text(value, max(decimals, decimals_of_digits(value, 2)))

    return f"[{end(lower)}, " + ("∞)" if math.isinf(upper) else f"{end(upper)}]")


def longer_side(value: float, lower: float, upper: float) -> float:
    """Distance from an estimate to the farther end of its interval: what stop rules judge by."""
    return value - lower if value - lower > upper - value else upper - value


def is_clearly_asymmetric(value: float, lower: float, upper: float) -> bool:
    """Whether one side is more than twice as long as the other: ± would mislead."""
    side = longer_side(value, lower, upper)
    return side >= _LEAST_SHOWN and side > 2 * min(value - lower, upper - value)


def interval_text(value: float, lower: float, upper: float, style: str = PLUS_MINUS, most_decimals: int = MOST_DECIMALS) -> str:
    """The estimate and its interval: with ± and the longer side, so that the interval lies within; with its ends where one side is
    clearly longer, or they are wished for. Three digits of the estimate and two of each end are right whatever the interval.

    >>> interval_text(3.2142, 3.19, 3.24), interval_text(3.2, 3.1, 3.9), interval_text(2.957, -120, 6.5), interval_text(3.2, 3.1, 3.3, BOUNDS)
    ('3.214 ±0.026', '3.20 [3.10, 3.90]', '2.96 [-120, 6.5]', '3.20 [3.10, 3.30]')
    """
    side = longer_side(value, lower, upper)
    decimals = min(decimals_for(value, lower, upper), most_decimals)
    estimate = estimate_text(value, decimals)
    if math.isnan(value) or math.isnan(side):
        return estimate
    if style == PLUS_MINUS and not is_clearly_asymmetric(value, lower, upper):
        return f"{estimate} ±{number_text(side, decimals_of_digits(side, 2))}"
    return f"{estimate} {bounds_text(lower, upper, decimals)}"


def value_text(value: float, lower: float, upper: float, style: str) -> str:
    """With its interval if it has one, else in four digits or more."""
    if upper - lower > 0:
        return interval_text(value, lower, upper, style)
    if math.isnan(value):
        return ""
    return f"{value:.4g}" if abs(value) < 1000 else f"{value:.0f}"


def exact_number(value: float) -> str:
    """Every digit; empty for NaN."""
    return "" if math.isnan(value) else repr(value).removesuffix(".0")


def grouped(number: float) -> str:
    """
    >>> grouped(12345678.5)
    '12,345,678.5'
    """
    text = f"{number:.10g}"
    whole, point, rest = text.partition(".")
    return text if "e" in text or not whole.lstrip("-").isdigit() else f"{int(whole):,}{point}{rest}"


def time_unit(unit: str, numbers: Iterable[float], asked: str = "") -> tuple[str, float]:
    """In which unit times are read, and how many of theirs it is: seconds in the largest of which the greatest is three, or as asked; other
    units as they are.

    >>> time_unit("s", [30, 7200, math.nan]), time_unit("s", [10799, -10800]), time_unit("s", [172800]), time_unit("minutes", [9e9])
    (('min', 60.0), ('h', 3600.0), ('h', 3600.0), ('minutes', 1.0))
    """
    if unit != "s":
        return unit, 1.0
    greatest = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
    return (asked, _TIMES[asked]) if asked else next(((name, own) for name, own in _TIMES.items() if greatest >= 3 * own), ("s", 1.0))


def time_text(time: float, unit: str, greatest: float, digits: int = 4) -> str:
    """One of several times.

    >>> time_text(20000, "s", 86400), time_text(12.34567, "time units", 20)
    ('5.556 h', '12.35 time units')
    """
    name, own = time_unit(unit, [greatest])
    return f"{time / own:.{digits}g} {name}"


def seconds_text(time: float) -> str:
    """Three digits of a time in seconds.

    >>> seconds_text(12.34), seconds_text(706), seconds_text(20000)
    ('12.3 s', '11.8 min', '5.56 h')
    """
    return time_text(time, "s", time, 3)


def interval_note(confidences: Iterable[float], style: str = PLUS_MINUS) -> str:
    """What ± or [ ] is in a table whose intervals have these confidences, one at least."""
    levels = " or ".join(percent_text(level) for level in sorted(set(confidences)))
    return f"{'[ ]: the ends of' if style == BOUNDS else '±: the longer side of'} a {levels} confidence interval."


def few_note(observations: str, fewest: int, skewness: float = math.nan) -> str:
    """What so few pairs or replications mean for the intervals. `skewness`: the largest; NaN: unknown."""
    known = "" if math.isnan(skewness) else f", skewness up to ±{skewness:.1f}"
    return (f"With fewer than {ENOUGH_FOR_SKEWNESS} {observations} ({fewest}{known}) the skewness is hardly known; if they are skewed, "
            "intervals and p-values hold less often than they say.")


def gate_text(gate: str, what: str) -> str:
    """What a no of the gate (column `gate`) says of a number.

    >>> gate_text("carriers", "mean wait")
    'No interval of mean wait: fewer than three replications have such a job.'
    """
    text = _GATE[gate].format(what)
    return text[:1].upper() + text[1:]


def worst_gate(gates: Iterable[str]) -> str:
    """What a number answers that is made of others.

    >>> worst_gate(["passed", "tail", "start"]), worst_gate([])
    ('start', 'passed')
    """
    answers = set(gates)
    return next((gate for gate in _GATE if gate in answers), "passed")


def gate_texts(rows: Iterable[Mapping[str, Any]], thing: str) -> list[str]:
    """Of all rows of which the gate says no; those of older files have no such column.

    >>> gate_texts([{"gate": "passed"}, {"gate": "tail"}, {}], "difference")
    ['Heavy tails (1 of 3 differences): longer jobs than were drawn make a quarter or more of the variance. Look at quantiles.']
    >>> gate_texts([{"gate": "start"}], "difference")
    ['The empty start may bias this difference by more than a tenth of the interval: give longer replications.']
    """
    gates = [row.get("gate", "passed") for row in rows]
    counts = {gate: gates.count(gate) for gate in _GATE if gate in gates}
    return [gate_text(gate, f"this {thing}" if len(gates) == 1 else f"{f'{count} of' if count < len(gates) else 'all'} {len(gates)} {thing}s")
            for gate, count in counts.items()]


def p_text(p: float) -> str:
    return "" if math.isnan(p) else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def percent_text(share: float) -> str:
    """
    >>> percent_text(0.95), percent_text(0.975)
    ('95 %', '97.5 %')
    """
    return f"{100 * share:.4g} %"


def holm_text(levels: Sequence[float], confidence: str) -> str:
    """What holds of differences that were judged after Holm, with intervals of these levels: the data choose them, so that the intervals do not
    hold all together.

    >>> holm_text([0.975, 0.95], "95 %")
    'p-values, and which is smaller, hold for all 2 together at 95 % (Holm); each interval has the level of its Holm step (95 to 97.5 %)'
    """
    if len(levels) == 1:
        return f"interval and p-value hold at {confidence}"
    steps = dict.fromkeys(percent_text(level).removesuffix(" %") for level in (min(levels), max(levels)))
    return (f"p-values, and which is smaller, hold for all {len(levels)} together at {confidence} (Holm); each interval has the level of its "
            f"Holm step ({' to '.join(steps)} %)")


@functools.lru_cache(4096)
def metric_text(column: str) -> str:
    """What a researcher calls a column.

    >>> metric_text("response_time.mean[class=2]"), metric_text("least makespan"), metric_text("a.mean / b.mean")
    ('mean response time, class 2', 'least makespan', 'mean a / mean b')
    """
    for mark in ("least ", "greatest "):
        if column.startswith(mark):
            return mark + metric_text(column[len(mark):])
    is_wall_time = column == WALL_TIME or column.startswith(BEYOND)
    if not is_wall_time and RATIO in column:
        over, _, under = column.partition(RATIO)
        return f"{metric_text(over)}{RATIO}{metric_text(under)}"
    name, bracket, rest = column.partition("[")
    of_class = f", {rest[:-1].replace('=', ' ')}" if bracket else ""
    if name in _METRICS:
        return _METRICS[name] + of_class
    base, dot, last = name.partition(".")
    words = base.replace("_", " ")
    return (f"mean {words}" if last == "mean" else f"{words} {last}" if dot else words) + of_class


def short_factor_name(factor: str) -> str:
    return factor.rsplit(".", 1)[-1]


def is_extreme(metric: str) -> bool:
    return metric.startswith(("least ", "greatest "))


def is_wall_time(metric: str) -> bool:
    return metric == WALL_TIME or metric.startswith(BEYOND)


@functools.lru_cache(4096)
def is_made(metric: str) -> bool:
    """Whether it is made of the replications of a cell, and no estimate."""
    return is_extreme(metric) or is_wall_time(metric) or RATIO in metric


@functools.lru_cache(4096)
def is_diagnostic(metric: str) -> bool:
    """Whether the program observes it for its own sake: what to leave out where nothing was asked for."""
    counts_jobs = ".count[" in metric and "job_size." not in metric
    return metric in _OBSERVED_UNASKED or counts_jobs or ".weight" in metric or metric.startswith("twin_wait_")


@functools.lru_cache(4096)
def part_metric(column: str, part: str) -> tuple[str, int] | None:
    """What `slowdown.mean[class=2]` is about: the metric and the number of the `class` or `cluster`."""
    found = re.search(rf"\[{part}=(\d+)\]$", column)
    return (column[:found.start()], int(found.group(1))) if found else None


def is_of_part(column: str) -> bool:
    return part_metric(column, "class") is not None or part_metric(column, "cluster") is not None


def _first_digit(number: float) -> int:
    """The power of ten of the first digit of a number above 0."""
    return math.floor(math.log10(number))


def ranges_text(numbers: Iterable[int]) -> str:
    """`0-2, 5` for 0, 1, 2, 5.

    >>> ranges_text([0, 1, 2, 5])
    '0-2, 5'
    """
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in parts)
