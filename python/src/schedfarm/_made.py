"""Metrics that are not observed but made of what was: the campaign's quantities, and what `report.metrics` may have besides metrics:
`A / B`, `least M`, `greatest M`, `wall_time_ms` and `wall_time_ms beyond L`. Rows are like those of `estimates`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from . import _intervals
from .errors import RequestError

if TYPE_CHECKING:
    from ._tables import Tables

WALL_TIME = "wall_time_ms"
BEYOND = f"{WALL_TIME} beyond "
RATIO = " / "
_EXTREMES = {"least": "min", "greatest": "max"}
_HOW = ["confidence", "interval", "log_blocks", "log_variance_ratio"]  # columns of `cells`: how intervals are made


def names(tables: Tables) -> list[str]:
    """Those that can be listed."""
    quantities = list(dict.fromkeys(_quantities(tables)["metric"])) if "quantities" in tables.table_names else []
    return [*quantities, WALL_TIME]


def parts(metric: str) -> list[str] | None:
    """The metrics that one of the others is made of; None where it is none of them.

    >>> parts("a / b"), parts("least a"), parts("wall_time_ms beyond fcfs"), parts("a")
    (['a', 'b'], ['a'], [], None)
    """
    extreme = re.fullmatch("(least|greatest) (.*)", metric)
    return [] if metric.startswith(BEYOND) else [extreme.group(2)] if extreme else metric.split(RATIO) if metric.count(RATIO) == 1 else None


def rows(tables: Tables, metric: str, made_of: Sequence[str], factors: bool) -> pd.DataFrame:
    """Of one of these metrics, made of these; the medians of wall times, and extremes, have no intervals."""
    if not made_of and not metric.startswith(WALL_TIME):
        quantities = _quantities(tables, factors)
        return quantities[quantities["metric"] == metric]
    estimates = tables.table("estimates", factors=True)
    levels = [name for name in estimates if name not in tables.table("estimates")]
    keys = [name for name in ("file", "cell") if name in estimates]
    cells = estimates.drop_duplicates(keys)
    own = tables.table("replications" if made_of else "timings")
    if metric.startswith(BEYOND):
        own = _beyond(tables.whole().table("timings", factors=True), metric[len(BEYOND):], levels, keys[:-1])
    if len(made_of) == 2:
        own = own.merge(tables.table("cells")[[*keys, *_HOW]], on=keys)
    values: list[dict[str, Any]] = [{**part[keys].iloc[0].to_dict(), "n": len(part), **_value(metric, made_of, part)}
                                    for _, part in own.groupby(keys if len(keys) > 1 else keys[0])]
    made = pd.DataFrame(values, columns=[*keys, "n", "mean", "lower", "upper", "confidence"]).assign(metric=metric, unit="ms" if metric.startswith(WALL_TIME) else "1")
    return cells[[*keys, *(levels if factors else [])]].merge(made, on=keys)


def _value(metric: str, made_of: Sequence[str], part: pd.DataFrame) -> dict[str, float]:
    if len(made_of) == 2:
        return _ratio(part[made_of[0]], part[made_of[1]], *part[_HOW].iloc[0])
    value = getattr(part[made_of[0]], _EXTREMES[metric.split()[0]])() if made_of else 1e3 * part["seconds"].median()
    return {"mean": float(value), "lower": math.nan, "upper": math.nan, "confidence": math.nan}


def _ratio(over: Any, under: Any, confidence: float, interval: str, blocks: int, variance_ratio: float) -> dict[str, float]:
    """The ratio of sums with the interval of the program's report: over replications, or of logs like the one that is resampled. Of
    what is never negative both ends are on a log scale where one would be (`engine/statistics/bounded_interval.hpp`)."""
    ratio = over.sum() / under.sum()
    below = above = math.nan
    if len(over) > 1:
        residuals = _intervals.of_mean(((over - ratio * under) / under.mean()).to_numpy())
        own = _intervals.of_logs_like_it(residuals, blocks, variance_ratio) if blocks > 0 else residuals
        error = own.standard_error
        below, above = (side * error for side in _intervals.sides(own, confidence, interval))
        if ratio - below < 0 < ratio and min(over.min(), under.min()) >= 0:
            scale = math.exp(_intervals.sides(own._replace(skewness=0.0), confidence, interval)[0] * error / ratio)
            below, above = ratio - ratio / scale, ratio * scale - ratio
    return {"mean": ratio, "lower": ratio - below, "upper": ratio + above, "confidence": confidence}


def _beyond(times: pd.DataFrame, level: str, factors: list[str], keys: list[str]) -> pd.DataFrame:
    """What replications take longer than those of equal index in the cell that has this level of one factor and else the same levels."""
    for factor in factors:
        is_rest = times[factor].astype(str) == level
        if is_rest.any():
            same = [*keys, "replication", *(name for name in factors if name != factor)]
            both = times[~is_rest].merge(times.loc[is_rest, [*same, "seconds"]], on=same, suffixes=("", "_rest"))
            return both.assign(seconds=both["seconds"] - both["seconds_rest"])
    raise RequestError(f"no cell has the level '{level}' of any factor (which '{BEYOND}{level}' needs). The factors: {', '.join(factors)}")


def _quantities(tables: Tables, factors: bool = False) -> pd.DataFrame:
    """Called `normalized`, or of job classes `normalized[class=3]`."""
    made = tables.table("quantities", factors)
    of_class = [f"[class={number}]" if number >= 0 else "" for number in made["class"]]
    made.insert(1, "metric", made["quantity"] + of_class)
    return made.drop(columns=["quantity", "class"])
