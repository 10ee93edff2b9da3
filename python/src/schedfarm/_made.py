"""Metrics that are not observed but made of what was: the campaign's quantities, and what `report.metrics` may have besides metrics:
`A / B`, `least M`, `greatest M`, `wall_time_ms` and `wall_time_ms beyond L`. Rows are like those of `estimates`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._reading.lazy_pandas import pd
from ._words import BEYOND, RATIO, WALL_TIME
from .errors import RequestError

if TYPE_CHECKING:
    from ._tables import Tables

_EXTREMES = {"least": "min", "greatest": "max"}
_COLUMNS = ["n", "mean", "lower", "upper", "confidence"]


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
    """Of one of these metrics, made of these: as the file has it where `report.metrics` asked for it, else without an interval."""
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
    values: list[dict[str, Any]] = [{**part[keys].iloc[0].to_dict(), "n": len(part), "mean": _value(metric, made_of, part)}
                                    for _, part in own.groupby(keys if len(keys) > 1 else keys[0])]
    made = pd.DataFrame(values, columns=[*keys, *_COLUMNS]).astype(dict.fromkeys(_COLUMNS[1:], float))
    if "made_metrics" in tables.table_names:
        stored = tables.table("made_metrics")
        stored = stored[stored["metric"] == _stored_name(metric, made_of)]
        made = pd.concat([stored[made.columns], made]).drop_duplicates(keys) if len(stored) else made
    made = made.assign(metric=metric, unit="ms" if metric.startswith(WALL_TIME) else "1")
    return cells[[*keys, *(levels if factors else [])]].merge(made, on=keys)


def _stored_name(metric: str, made_of: Sequence[str]) -> str:
    return RATIO.join(made_of) if len(made_of) == 2 else f"{metric.split()[0]} {made_of[0]}" if made_of else metric


def _value(metric: str, made_of: Sequence[str], part: pd.DataFrame) -> float:
    if len(made_of) == 2:
        return float(part[made_of[0]].sum() / part[made_of[1]].sum())
    return float(getattr(part[made_of[0]], _EXTREMES[metric.split()[0]])() if made_of else 1e3 * part["seconds"].median())


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
