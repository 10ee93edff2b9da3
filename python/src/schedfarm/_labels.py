"""Words of axes and legends: what is drawn, in which unit, from how many replications, at what confidence."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ._words import RATIO, WALL_TIME
from .results import Results

NOTE = "#555555"
_WORDS = {
    "utilization": "offered utilization",
    "gross_utilization": "gross utilization",
    "capacity_loss": "capacity loss",
    "loss_of_capacity": "loss of capacity",
    "max_jumps": "jumps at most",
    "load_factor": "load factor",
}


def metric_text(metric: str, classes: dict[int, str] | None = None) -> str:
    """`response_time.mean[class=1]` as `mean response time, class 1`, or with the name of the class.

    >>> metric_text("response_time.mean[class=1]", {1: "short jobs"})
    'mean response time, short jobs'
    >>> metric_text("response_time.p99.9")
    '99.9 % quantile of response time'
    """
    if metric.startswith(WALL_TIME):
        return f"wall time{metric[len(WALL_TIME):]}"
    if RATIO in metric:
        return RATIO.join(metric_text(part).removeprefix("mean ") for part in metric.split(RATIO))
    match = re.fullmatch(r"(.*?)(?:\[class=(\d+)\])?", metric)
    assert match is not None
    base, number = match.groups()
    probe, _, part = base.partition(".")
    words = probe if probe == "utilization" else _words(probe)  # that of what was measured, not what is offered
    if part == "mean":
        words = f"mean {words}"
    elif re.fullmatch(r"p[\d.]+", part):
        words = f"{part[1:]} % quantile of {words}"
    elif part:
        words = f"{words}, {_words(part)}"
    if number is not None:
        words += f", {plain((classes or {}).get(int(number), f'class {number}'))}"
    return words


def factor_text(name: str) -> str:
    """The last part of a name; seconds, which names end with, as a unit.

    >>> factor_text("policy.*.switch_cost_s")
    'switch cost (s)'
    """
    return re.sub(" s$", " (s)", _words(name.rsplit(".", 1)[-1]))


def plain(text: object) -> str:
    """A name of the campaign as text: no mathematics, and none that a legend hides."""
    words = str(text).replace("$", r"\$")
    return f"\N{NO-BREAK SPACE}{words}" if words.startswith("_") else words


def level_text(level: Any) -> str:
    return f"{level:g}" if isinstance(level, (float, np.floating)) else "none" if pd.isna(level) else plain(level)


def cell_labels(results: Results) -> pd.Series:
    """The label of every cell, by its number."""
    return results.cells.set_index("cell")["label"].map(plain)


def levels_text(levels: dict[str, Any]) -> str:
    """The levels of one series: bare names, numbers with their factor."""
    parts = [f"{factor_text(name)} {level_text(level)}" if isinstance(level, float) else level_text(level)
             for name, level in levels.items()]
    return ", ".join(parts)


def texts_of_rows(rows: pd.DataFrame, factors: Sequence[str]) -> list[str]:
    """Likewise of every row; made once for equal levels."""
    text = functools.cache(lambda levels: levels_text(dict(zip(factors, levels))))
    return list(map(text, zip(*(rows[name] for name in factors)))) if factors else [""] * len(rows)


def with_unit(words: str, unit: str) -> str:
    return words if unit in ("1", "") else f"{words} ({unit})"


def measure(axis: Any, words: str, unit: str, asked: str = "", is_span: bool = False, **options: Any) -> None:
    """The label of an axis of a quantity. Where that is seconds `fit`, which knows the limits, sets the axis in a unit that reads well (or as
    asked): by the greatest value, or by the span of a window of time."""
    axis.set_label_text(with_unit(words, unit), **options)
    if unit == "s":
        axis.label.set_gid(f"{'span' if is_span else 'times'} {asked}")


def measure_metric(axis: Any, results: Results, metric: str, words: str = "", **options: Any) -> None:
    measure(axis, words or metric_text(metric), results.unit(metric), results.file.shown_unit, **options)


def evidence_text(results: Results, rows: pd.DataFrame) -> str:
    """`95 % intervals, n = 20–108, jobs 61 to 300` of rows with metric, n and confidence.

    >>> evidence_text(first, first.estimates("response_time", policy="fcfs", utilization=0.5))
    '95 % intervals, n = ..., jobs ...'
    """
    rows = rows[rows["mean"].notna()]
    number = f"n = {span_text(rows['n'])}"
    measured = _measured_text(results, rows)
    if rows["lower"].isna().all():
        are_medians = "metric" in rows and rows["metric"].astype(str).str.startswith(WALL_TIME).any()
        return f"{'medians of ' if are_medians else ''}{number}{'' if are_medians else measured}"
    confidence = " and ".join(f"{100 * level:.10g} %" for level in sorted(set(rows["confidence"].dropna())))
    return f"{confidence} intervals, {number}{measured}"


def _measured_text(results: Results, rows: pd.DataFrame) -> str:
    """`, jobs 61 to 300` of each replication, where cells do not differ; of averages over time their window."""
    if "measured" not in results.table_names:
        return ""
    measured = results.table("measured")
    measured = measured[measured["cell"].isin(rows["cell"])]
    windows = measured.dropna(subset=["window_begin", "window_end"])
    if "metric" in rows and not rows["metric"].astype(str).str.contains(".", regex=False).any() and len(windows):
        begin, end = windows["window_begin"].min(), windows["window_end"].max()
        unit, own = results.file.read_in(results.time_unit, [end])
        return f", time {number_text(begin / own)} to {number_text(end / own)}" + (f" {unit}" if results.time_unit == "s" else "")
    jobs = measured[["first_job", "last_job"]].drop_duplicates()
    return "".join(f", jobs {first:,} to {last:,}" for first, last in jobs.to_numpy(int)) if len(jobs) < 2 else ", measured jobs differ"


def counted(number: int, thing: str) -> str:
    """`1 replication`, `1,024 replications`."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def number_text(value: float) -> str:
    """Three digits of a number, and all before its point.

    >>> number_text(30585.4), number_text(0.70691), number_text(1.2e-7)
    ('30,585', '0.707', '1.2e-07')
    """
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.3g}"


def span_text(numbers: pd.Series) -> str:
    if numbers.empty:
        return "0"
    low, high = int(numbers.min()), int(numbers.max())
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def note(ax: Any, text: str, rows: pd.DataFrame | None = None) -> None:
    """A line above the axes, on the right; `rows`: the evidence that it tells, for facets."""
    ax.set_title(text, loc="right", fontsize="small", color=NOTE)
    ax.evidence_rows = rows


def _words(name: str) -> str:
    return _WORDS.get(name, name.replace("_", " "))
