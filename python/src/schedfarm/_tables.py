"""What one file and several files answer alike: tables as DataFrames, with the factors of their cells beside them."""

from __future__ import annotations

import abc
from collections.abc import Sequence
from typing import Any

from . import _made
from ._reading.lazy_pandas import pd
from .errors import RequestError, one_of


OBSERVATIONS = 4  # of the columns of `replications`: from here on they are metrics


class Tables(abc.ABC):
    """The tables of `Results` and `ManyResults`; each call gives a DataFrame of the caller's own."""

    @property
    @abc.abstractmethod
    def table_names(self) -> list[str]:
        """The tables there are."""

    @abc.abstractmethod
    def table(self, name: str, factors: bool = False) -> pd.DataFrame:
        """A table by its name in SCHEMA.md; with `factors`, one column more per factor of the campaign."""

    def estimates(self, metric: str | Sequence[str] | None = None, factors: bool = True, **levels: Any) -> pd.DataFrame:
        """Means with their intervals, a row per cell and metric. A bare probe stands for its mean. By name also numbers made of what was
        observed: the campaign's `quantities`, and what `report.metrics` may have: `A / B` (with an interval where it has), `least M`, `wall_time_ms`.

        >>> rows = first.estimates("response_time", policy="fcfs", utilization=slice(0.5, 0.6))
        >>> rows[["load.utilization", "mean", "unit"]].round(1)
           load.utilization  mean        unit
        0               0.5   1.4  time units
        1               0.6   1.8  time units
        """
        chosen = self.select(**levels) if levels else self
        if metric is None:
            return chosen.table("estimates", factors)
        known = self.unmade_metrics
        names = [full_metric(one, [*known, *_made.names(self)]) for one in _listed(metric)]
        parts = [chosen._estimates_of(names, factors)]
        for name in names:
            if name not in known:
                made_of = [full_metric(one, known) for one in _made.parts(name) or []]
                parts.append(_made.rows(chosen, name, made_of, factors))
        return pd.concat([part for part in parts if len(part)] or parts[:1]).reset_index(drop=True)

    def comparisons(self, metric: str | Sequence[str] | None = None) -> pd.DataFrame:
        """Paired differences, first − second, beside the labels of both cells.

        >>> first.comparisons()[["first", "second", "verdict"]].head(1)
                            first     second        verdict
        0  fpfs(max_jumps=7), 0.5  fcfs, 0.5  first smaller
        """
        rows = self.table("comparisons")
        if metric is not None:
            known = list(dict.fromkeys(rows["metric"]))
            rows = rows[rows["metric"].isin([full_metric(one, known) for one in _listed(metric)])].reset_index(drop=True)
        labels = self.table("cells").set_index([*self._keys(), "cell"])["label"]
        for place, which in enumerate(("first", "second"), start=1):
            cells = rows[[*self._keys(), f"{which}_cell"]]
            rows.insert(place, which, labels.reindex(pd.MultiIndex.from_frame(cells) if self._keys() else cells.iloc[:, 0]).array)
        return rows

    def replications(self, factors: bool = False, **levels: Any) -> pd.DataFrame:
        """The observations, a row per replication used."""
        return self._selected("replications", factors, levels)

    def saturation(self, factors: bool = True, **levels: Any) -> pd.DataFrame:
        """ρ_max of the cells that look for it."""
        return self._selected("saturation", factors, levels)

    def placements(self, factors: bool = True, **levels: Any) -> pd.DataFrame:
        """Cells with an offered load: ρ_max of their systems, exact or by a pilot, and what fraction of it their load is."""
        return self._selected("placements", factors, levels)

    def reference(self, factors: bool = True, **levels: Any) -> pd.DataFrame:
        """A paper's printed values beside the measured ones."""
        return self._selected("reference", factors, levels)

    def claims(self) -> pd.DataFrame:
        """A paper's claims with their verdicts, judged from the replications of the whole file."""
        return self.table("claims")

    def claim_values(self) -> pd.DataFrame:
        """What the claims' expressions are worth, a row per claim and place."""
        return self.table("claim_values")

    @abc.abstractmethod
    def select(self, **levels: Any) -> Tables:
        """The same tables for the cells with these levels: a level, a list, or a slice with both ends in it.

        >>> first.select(utilization=[0.6, 0.7]).cells["cell"].tolist()
        [1, 2, 4, 5]
        """

    @property
    @abc.abstractmethod
    def unmade_metrics(self) -> list[str]:
        """Those that replications observe, estimated or not."""

    def _estimates_of(self, metrics: Sequence[str], factors: bool) -> pd.DataFrame:
        rows = self.table("estimates", factors)
        return rows[rows["metric"].isin(metrics)]

    @abc.abstractmethod
    def whole(self) -> Tables:
        """The same with all cells."""

    def _keys(self) -> list[str]:
        """Columns that tell cells of several files apart."""
        return []

    def _selected(self, name: str, factors: bool, levels: dict[str, Any]) -> pd.DataFrame:
        return (self.select(**levels) if levels else self).table(name, factors=factors)


def _listed(metric: str | Sequence[str]) -> list[str]:
    return [metric] if isinstance(metric, str) else list(metric)


def full_metric(metric: str, known: Sequence[str]) -> str:
    """The metric as its column is called: a bare probe stands for its mean.

    >>> full_metric("response_time", ["response_time.mean", "queue_length.mean"])
    'response_time.mean'
    """
    if not is_metric(metric, known):
        raise one_of("metric", metric, list(known))
    return metric if metric in known else next((name for name in known if name == f"{metric}.mean"), metric)


def is_metric(metric: str, known: Sequence[str]) -> bool:
    made_of = _made.parts(metric)
    return metric in known or f"{metric}.mean" in known or (made_of is not None and all(is_metric(one, known) for one in made_of))


def one_metric(metric: str | None, known: Sequence[str]) -> str:
    """The metric asked for, or the only one there is."""
    if metric is not None:
        if not isinstance(metric, str):
            raise RequestError(f"{metric!r} is not one metric. Take one after another.")
        return full_metric(metric, known)
    if len(known) != 1:
        raise RequestError(f"no metric is given. Give metric=, one of: {', '.join(known) or 'none'}")
    return known[0]
