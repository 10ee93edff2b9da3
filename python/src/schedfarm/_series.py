"""Which cells make a line: x, the factors that tell lines apart, and what is known of every point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from . import _labels
from ._tables import full_metric, is_metric, one_metric
from ._words import is_diagnostic, status_text
from .errors import RequestError
from .results import UNDECIDED, Results

UTILIZATION = "utilization"
_MOST_NAMED = 3  # cells without a value
_MOST_LINES = 8
_MOST_ROWS = 4  # of two factors of words that are drawn as rows of points


class Points(NamedTuple):
    """Rows of estimates with the columns `x`, `series` and `decided`, in the order in which they are drawn; those without a mean too."""

    rows: pd.DataFrame
    metric: str
    x_text: str
    ticks: list[str]  # of an x that is no number, at 0, 1, …
    by: list[str]

    @property
    def lacking(self) -> pd.DataFrame:
        """The rows without a mean."""
        return self.rows[self.rows["mean"].isna()]

    def series(self) -> list[tuple[str, pd.DataFrame]]:
        return [(name, self.rows[self.rows["series"] == name]) for name in dict.fromkeys(self.rows["series"])]


def shown_metrics(results: Results) -> list[str]:
    """What is compared or selected by, then what the campaign's report shows, else what its precision asks for, else its first metric."""
    known = results.metrics
    compared = [name for table in ("comparisons", "selections") if table in results.table_names for name in results.table(table)["metric"]]
    asked = str(results.attributes.get("report_metrics", "")).split("\n")
    shown = [full_metric(name, known) for name in asked if is_metric(name, known)]
    demanding = [name for name in results.cells["most_demanding"] if name in known]
    return list(dict.fromkeys([*compared, *(shown or demanding)])) or all_metrics(results)[:1]


def all_metrics(results: Results) -> list[str]:
    """Those of the report, of whole cells: what was observed unasked only where there is nothing else."""
    return [name for name in results.metrics if not is_diagnostic(name)] or results.metrics


def of_all_cells(results: Results, metric: str) -> pd.DataFrame:
    """The estimates of a metric with the columns `status` and `decided`; cells that ended without one have a row without a mean."""
    rows = results.estimates(metric, factors=False)
    cells = results.cells.set_index("cell")
    pilots = results.placements(factors=False)["pilot"] if "placements" in results.table_names else []
    is_open = (cells["replications_used"] == 0) | cells["status"].isin(UNDECIDED)
    lacking = cells.index[is_open & ~cells.index.isin(rows["cell"]) & ~cells.index.isin(pilots)]
    rows = rows.set_index("cell").reindex(sorted({*rows["cell"], *lacking})).rename_axis("cell").reset_index()
    rows["metric"] = metric
    rows["n"] = rows["n"].fillna(0).astype(np.int64)
    rows = results.with_factors(rows)
    rows["status"] = cells["status"].reindex(rows["cell"]).array
    rows["decided"] = ~rows["status"].isin(UNDECIDED)
    return rows


def ends(rows: pd.DataFrame, suffix: str = "") -> pd.DataFrame:
    """`lower` and `upper` of intervals that can be drawn: an end that is not finite lies beyond all others, and where there is none at the mean."""
    mean, known = rows[f"mean{suffix}"], rows[[f"{end}{suffix}" for end in ("mean", "lower", "upper")]]
    finite = known.where(np.isfinite(known)).to_numpy(dtype=float)
    low, high = (np.nanmin(finite), np.nanmax(finite)) if np.isfinite(finite).any() else (0.0, 1.0)
    beyond = 10 * (high - low or abs(high) or 1.0)
    lower, upper = (rows[f"{end}{suffix}"].fillna(mean) for end in ("lower", "upper"))
    return pd.DataFrame({"lower": lower.replace(-np.inf, low - beyond).clip(upper=mean), "upper": upper.replace(np.inf, high + beyond).clip(lower=mean)})


def is_wide(values: Any) -> bool:
    """Whether an axis of these is better logarithmic."""
    return bool(values.min() > 0 and values.max() >= 50 * values.min())


def theory(results: Results, drawn: Points, by: Sequence[str] = ()) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """Rows with `x` and `value` for every label of what theory says of the metric along a series, by the columns `by` of the points and the
    label, in their order; of series that have the same values once."""
    known = results.table("known_values")
    known = drawn.rows[["cell", "x", "series", *by]].merge(known[known["metric"] == drawn.metric], on="cell")
    lines = {(names[:-1], tuple(part["x"]), tuple(part["value"])): part for names, part in known.groupby([*by, "label", "series"], sort=False) if len(part) > 1}
    return [(names, part) for (names, *_), part in lines.items()]


def sides(rows: pd.DataFrame, suffix: str = "") -> Any:
    """Lengths of intervals to both sides of the mean."""
    drawn = ends(rows, suffix)
    return [(rows[f"mean{suffix}"] - drawn["lower"]).fillna(0), (drawn["upper"] - rows[f"mean{suffix}"]).fillna(0)]


def without_value(results: Results, rows: pd.DataFrame | None = None) -> list[str]:
    """What a note says of cells (by default of all) of which nothing is known."""
    cells = results.cells
    lacking = cells[cells["replications_used"] == 0 if rows is None else cells["cell"].isin(rows["cell"])]
    names = [_labels.plain(label) for label in lacking["label"][:_MOST_NAMED]] + ["…"] * (len(lacking) > _MOST_NAMED)
    return [f"{states_text(lacking)}: {'; '.join(names)}"] if names else []


def states_text(rows: pd.DataFrame) -> str:
    """`no value (incomplete)` of rows without one."""
    states = dict.fromkeys(status_text(status) for status in rows["status"] if status in UNDECIDED)
    return f"no value ({' or '.join(states)})" if states else "no value"


def points(results: Results, metric: str | None, x: str | None = None, by: str | Sequence[str] | None = None, are_words: bool = False,
           rows: pd.DataFrame | None = None) -> Points:
    """The estimates of one metric along x, a series for every combination of the other factors. `are_words`: numbers, too, are names.
    `rows`: those of all cells, where they are there."""
    found = one_metric(metric, results.metrics)
    rows = of_all_cells(results, found) if rows is None else rows.copy()
    along = default_x(results) if x is None else x
    rows["x"], ticks, factor = _x_column(results, rows, along, are_words)
    rows = rows[rows["x"].notna()]
    if rows.empty:
        raise RequestError(f"no cell with {found} has a number as {along}. Give x=, one of: {', '.join(results.factors.names)}")
    varying = [name for name in results.factors.varying(pd.Index(rows["cell"])) if name != factor]
    others = varying if by is None else [results.factors.resolve(name) for name in ([by] if isinstance(by, str) else by)]
    if factor is None and by is None:  # the factor that carries the load has other names for it
        others = [name for name in others if not name.startswith("load.")]
    if len(others) == 1:  # the legend's title is the factor
        rows["series"] = [_labels.level_text(level) for level in rows[others[0]]]
    else:
        rows["series"] = _labels.texts_of_rows(rows, others)
    _expect_single(rows, varying, others, along)
    rows["order"] = rows["series"].map({name: place for place, name in enumerate(dict.fromkeys(rows["series"]))})
    rows = rows.sort_values(["order", "x"], kind="stable").reset_index(drop=True)
    text = _labels.factor_text(factor or along)
    text += " ρ" * (text == "offered utilization" and not ticks)
    return Points(rows, found, text, ticks, others)


def default_x(results: Results) -> str:
    """The load if it varies, else the numeric factor with most levels, else the factor with most."""
    factors = results.factors
    varying = factors.varying(pd.Index(results.cells["cell"]))
    loads = [name for name in varying if name.startswith("load.") and factors.is_numeric(name)]
    if loads:
        return loads[0]
    if results.cells["utilization"].nunique() > 1:
        return UTILIZATION
    numeric = [name for name in varying if factors.is_numeric(name)]
    if not varying:
        raise RequestError("the cells differ in no factor (there is nothing to draw them along). Take a table.")
    return max(numeric or varying, key=lambda name: len(factors.levels(name)))


def _x_column(results: Results, rows: pd.DataFrame, x: str, are_words: bool) -> tuple[Any, list[str], str | None]:
    """Values, names of values that are no numbers, and the factor."""
    has_factor = any(name == x or name.rsplit(".", 1)[-1] == x for name in results.factors.names)
    if x == UTILIZATION and not (has_factor and results.factors.is_numeric(results.factors.resolve(x))):
        return results.cells.set_index("cell")[UTILIZATION].reindex(rows["cell"]).array, [], None
    factor = results.factors.resolve(x)
    if results.factors.is_numeric(factor) and not are_words:
        return rows[factor], [], factor
    levels = [level for level in results.factors.levels(factor) if level in set(rows[factor])]
    names = [_labels.level_text(level) for level in levels]
    return rows[factor].map({level: place for place, level in enumerate(levels)}).astype(float), names, factor


def _expect_single(rows: pd.DataFrame, varying: list[str], by: list[str], x: str) -> None:
    twice = rows[rows.duplicated(["series", "x"], keep=False)]
    if not twice.empty:
        others = [name for name in varying if name not in by and twice[name].nunique(dropna=False) > 1]
        raise RequestError(
            f"several cells have one place along {x}. They also differ in: {', '.join(others)}. "
            f"Add one to by=, or .select a level of it, or draw facets."
        )


class Layout(NamedTuple):
    """How a metric is drawn over all cells: a heat map where there are no lines, else these lines, in panels by the levels of a factor."""

    lines: Points | None
    facet: str | None = None


def overview_layout(results: Results, metric: str, rows: pd.DataFrame | None = None) -> Layout:
    """`rows`: as of `points`."""
    cells = results.cells["cell"]
    varying = results.factors.varying(pd.Index(cells))
    numeric = any(results.factors.is_numeric(name) for name in varying) or results.cells["utilization"].nunique() > 1
    if not numeric and len(varying) == 2 and all(len(results.factors.levels(name)) > _MOST_ROWS for name in varying):
        return Layout(None)
    drawn = points(results, metric, rows=rows)
    lines = drawn.rows["series"].nunique()
    for name in drawn.by if lines > _MOST_LINES else []:
        levels = drawn.rows[name].nunique()
        if 2 <= levels <= 12 and lines / levels <= _MOST_LINES:
            return Layout(drawn, name)
    return Layout(drawn)


def limits(rows: pd.DataFrame) -> tuple[float, float]:
    """Of y: from 0 where that costs little, and not up to cells whose queue grows without bound."""
    known = rows[["mean", "lower", "upper"]].where(np.isfinite(rows[["mean", "lower", "upper"]]))
    lower, upper = known["lower"].fillna(known["mean"]), known["upper"].fillna(known["mean"])
    if lower.isna().all():
        return 0.0, 1.0
    decided = upper[rows["decided"]]
    top, bottom = float(upper.max()), float(lower.min())
    if decided.notna().any() and known["mean"].max() > 2 * decided.max():
        return 0.0, 1.6 * float(decided.max())
    margin = 0.05 * (top - bottom) or 0.05 * abs(top) or 1.0
    return (0.0 if 0 <= bottom < 0.5 * top else bottom - margin), top + margin


def placed(results: Results, points_of: Points) -> pd.DataFrame:
    """Of every point ρ_max with its interval and the fraction of it, as the file's own placements say it; NaN where none is known."""
    columns = ["rho_max", "lower", "upper", "fraction"]
    if "placements" not in results.table_names:
        return pd.DataFrame(np.nan, points_of.rows.index, columns)
    return results.placements(factors=False).set_index("cell")[columns].reindex(points_of.rows["cell"]).reset_index(drop=True)


def placed_maxima(results: Results, points_of: Points) -> pd.DataFrame:
    """ρ_max of every series along a load, where all of its points have the same."""
    along = results.cells.set_index("cell")[UTILIZATION].reindex(points_of.rows["cell"]).to_numpy()
    rows = placed(results, points_of).assign(series=points_of.rows["series"])[np.isclose(points_of.rows["x"], along)].dropna(subset="rho_max")
    single = rows.groupby("series")["rho_max"].nunique() == 1
    return rows.drop_duplicates("series").set_index("series").loc[list(single[single].index)]


def rho_max(saturation: Results, points_of: Points) -> pd.DataFrame:
    """ρ_max with its interval for every series, by the factors that both files have; rows without one are missing.

    What theory knows exactly takes the place of the estimate."""
    rows = saturation.saturation()
    shared = [name for name in points_of.by if name in rows]
    keys = points_of.rows.drop_duplicates("series")[["series", *shared]]
    if not shared:
        found = keys.merge(rows, how="cross") if len(rows) == 1 else keys.iloc[:0].merge(rows, how="cross")
    else:
        left = keys.assign(**{name: keys[name].astype(str) for name in shared})
        right = rows.assign(**{name: rows[name].astype(str) for name in shared})
        found = left.merge(right, on=shared)
    if found.duplicated("series").any():
        raise RequestError("several saturated cells belong to one curve. Take .select of one backlog.")
    exact = found["exact"].notna() & np.isfinite(found["exact"])
    for column in ("rho_max", "lower", "upper"):
        found[column] = found["exact"].where(exact, found[column])
    return found[["series", "rho_max", "lower", "upper"]].set_index("series")
