"""Intervals side by side: paired differences, a paper's values against the measured ones, and bars by job class."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.container import BarContainer
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .._tables import one_metric
from ..errors import RequestError
from ..results import Results
from . import _labels, _series
from ._canvas import EARLIER, GREY, LATER, LINES, canvas, height_of_rows, legend_below, looks

_VERDICTS = {"first smaller": (EARLIER, "o"), "second smaller": (LATER, "s"), "not decided": (GREY, "D")}
_HATCHES = dict(zip(LINES, ("", "////", "....", "xxxx")))  # bars have no lines to tell the second seven colours from the first
_AGREEMENT = {"agrees": (EARLIER, "o"), "differs": (LATER, "s"), "not measured": (GREY, "x")}


def forest(results: Results, metric: str | None = None, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """Paired differences with their intervals, those that exclude 0 where Holm's procedure decides; by group."""
    rows = results.comparisons() if "comparisons" in results.table_names else pd.DataFrame()
    if rows.empty:
        if "stability" in results.table_names and (results.table("stability")["verdict"] == "unstable").any():
            raise RequestError("the file has no comparisons: pairs with an unstable cell are left out. Lower the load?")
        raise RequestError("the file has no comparisons. A campaign asks for them with comparison: {factor: policy, metric: response_time}")
    found = one_metric(metric, list(dict.fromkeys(rows["metric"])))
    rows = rows[rows["metric"] == found].reset_index(drop=True)
    names = _pair_names(results, rows)
    places, heads = places_of(rows["group"])
    with canvas(ax, style, height_of_rows(style, len(places) + len(heads))) as ax:
        ax.axvline(0, color="black", linewidth=0.8)
        for verdict, (colour, marker) in _VERDICTS.items():
            part = rows[rows["verdict"] == verdict]
            ax.errorbar(part["difference"], places[part.index], xerr=_sides(part, "difference"), linestyle="none", color=colour,
                        marker=marker, markerfacecolor=colour if verdict != "not decided" else "white")
        rows_axis(ax, names, places, heads)
        ax.set_xlabel(_labels.with_unit(f"difference of {_labels.metric_text(found)}", results.unit(found)), loc="right")
        levels = [f"{100 * level:.4g}" for level in sorted({rows["confidence"].min(), rows["confidence"].max()})]
        _labels.note(ax, f"Holm over {len(rows)}, {'–'.join(levels)} % intervals, n = {_labels.span_text(rows['n'])}")
        rows_legend(ax, _handles(_VERDICTS, rows["verdict"]))
    return ax


def paper(results: Results, metric: str | None = None, *, relative: bool = True, ax: Axes | None = None,
          style: str | None = None) -> Axes:
    """What a paper prints against what was measured. The grey bar is all that its digits round from, the point the measured value
    with its interval; `relative`: in per cent of the printed value, else in the unit of the metric."""
    rows = results.reference()
    if rows.empty:
        raise RequestError("the file has no values of a paper. A campaign names them with reference: FILE.csv")
    found = one_metric(metric, list(dict.fromkeys(rows["metric"])))
    rows = rows[rows["metric"] == found].reset_index(drop=True)
    scale = 100 / rows["value"].abs() if relative else pd.Series(1.0, rows.index)
    base = rows["value"] if relative else 0 * rows["value"]
    shown = pd.DataFrame({name: (rows[name] - base) * scale for name in ("value", "measured", "lower", "upper")})
    labels = _labels.cell_labels(results).reindex(rows["cell"])
    places, heads = places_of(rows["column"])
    with canvas(ax, style, height_of_rows(style, len(places) + len(heads))) as ax:
        ax.barh(places, 2 * rows["rounding"] * scale, left=shown["value"] - rows["rounding"] * scale, height=0.8, color="#CFCFCF")
        for verdict, (colour, marker) in _AGREEMENT.items():
            part = shown[(rows["verdict"] == verdict) & shown["measured"].notna()]
            ax.errorbar(part["measured"], places[part.index], xerr=_sides(part, "measured"), linestyle="none", color=colour, marker=marker)
        lacking = shown["measured"].isna()
        ax.plot(shown.loc[lacking, "value"], places[lacking.to_numpy()], linestyle="none", marker="x", color=GREY, gid="lacking")
        rows_axis(ax, labels.tolist(), places, heads)
        words = _labels.metric_text(found)
        ax.set_xlabel(f"{words}, % from the printed value" if relative else _labels.with_unit(words, results.unit(found)), loc="right")
        used = results.estimates(found)
        _labels.note(ax, _labels.evidence_text(results, used[used["cell"].isin(rows["cell"])]))
        printed = Patch(color="#CFCFCF", label="printed ± rounding")
        rows_legend(ax, [printed, *_handles(_AGREEMENT, rows["verdict"])])
    return ax


def class_bars(results: Results, metric: str | None = None, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """A metric by job class (the first that is known by class): a group of bars per class, a bar per cell; where it has no value, a cross."""
    found = str(metric) if metric else next((name.split("[")[0] for name in results.metrics if ".mean[class=" in name), "response_time.mean")
    classes = results.by_class(found)
    parts = [_series.of_all_cells(results, name).assign(**{"class": number}) for number, name in classes.items()]
    if not parts:
        raise RequestError(f"the file has no {found} by class. A campaign asks for it with probes: [{{response_time: {{per_class: true}}}}]")
    rows = pd.concat(parts)
    cells = list(dict.fromkeys(rows["cell"]))
    names = results.class_names(cells[0])
    labels = own_labels(results, cells)
    share = 0.8 / len(cells)
    with canvas(ax, style) as ax:
        for number, (look, cell) in enumerate(zip(looks(), cells)):
            part = rows[rows["cell"] == cell].set_index("class").reindex(list(classes))
            x = np.arange(len(classes)) + (number - (len(cells) - 1) / 2) * share
            ax.bar(x, part["mean"].fillna(0), share, color=look.colour, alpha=0.75, hatch=_HATCHES[look.line], edgecolor="white", linewidth=0, label=labels[cell])
            lacking = part["mean"].isna().to_numpy()
            ax.errorbar(x[~lacking], part["mean"][~lacking], yerr=_series.sides(part[~lacking]), linestyle="none", color="black", elinewidth=0.8)
            ax.plot(x[lacking], [0.03] * lacking.sum(), transform=ax.get_xaxis_transform(), linestyle="none", marker="x", color=look.colour, gid="lacking")
        words = [_labels.plain(names.get(number, f"class {number}")) for number in classes]
        ax.set_xticks(range(len(classes)), words)
        ax.grid(axis="x", visible=False)
        ax.set_ylabel(_labels.with_unit(_labels.metric_text(str(rows["metric"].iloc[0]).split("[")[0]), results.unit(str(rows["metric"].iloc[0]))))
        _labels.note(ax, _labels.evidence_text(results, rows))
        if rows["mean"].min() > 0 and rows["mean"].max() >= 50 * rows["mean"].min():
            ax.set_yscale("log")
        if len(cells) > 1 or labels[cells[0]]:
            handles = [bars for bars in ax.containers if isinstance(bars, BarContainer)]
            if rows["mean"].isna().any():
                handles.append(Line2D([], [], color=GREY, linestyle="none", marker="x", label=_series.states_text(rows[rows["mean"].isna()])))
            legend_below(ax, handles=handles)
    return ax


def own_labels(results: Results, cells: list[int]) -> dict[int, str]:
    """The levels in which cells differ, by cell; of a single cell its label."""
    varying = results.factors.varying(pd.Index(cells))
    columns = results.factors.columns
    return {cell: _labels.levels_text({name: columns.at[cell, name] for name in varying}) for cell in cells} if varying \
        else dict(_labels.cell_labels(results))


def _pair_names(results: Results, rows: pd.DataFrame) -> list[str]:
    """`fpfs − fcfs`: the levels in which the two cells differ."""
    columns = results.factors.columns
    names = []
    for first, second in zip(rows["first_cell"], rows["second_cell"]):
        differ = [name for name in results.factors.names if not _same(columns.at[first, name], columns.at[second, name])]
        sides = [_labels.levels_text({name: columns.at[cell, name] for name in differ}) for cell in (first, second)]
        names.append(" − ".join(sides))
    return names


def _same(one: Any, other: Any) -> bool:
    return bool(one == other or (pd.isna(one) and pd.isna(other)))


def places_of(groups: pd.Series) -> tuple[Any, list[tuple[float, str]]]:
    """The height of every row from the top, and of the heads of groups above their rows."""
    places, heads, place = [], [], 0.0
    several = groups.nunique() > 1
    for group, rows in groups.groupby(groups, sort=False):
        if several:
            heads.append((place, _labels.plain(_head_text(str(group)))))
            place += 1
        for _ in rows:
            places.append(place)
            place += 1
    order = np.concatenate([groups.index[groups == group] for group in dict.fromkeys(groups)])
    heights = np.empty(len(groups))
    heights[order] = places
    return heights, heads


def _head_text(group: str) -> str:
    parts = [part.split("=", 1) for part in group.split(", ")]
    return ", ".join(f"{_labels.factor_text(part[0])} {part[1]}" if len(part) == 2 else part[0] for part in parts)


def rows_axis(ax: Axes, names: list[str], places: Any, heads: list[tuple[float, str]]) -> None:
    ticks = [*zip(places, names), *heads]
    ax.set_yticks([place for place, _ in ticks], [name for _, name in ticks])
    for (place, _), label in zip(ticks, ax.get_yticklabels()):
        if place in {head for head, _ in heads}:
            label.set_fontweight("bold")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.set_ylim(max(place for place, _ in ticks) + 0.8, -0.8)


def rows_legend(ax: Axes, handles: list[Any]) -> None:
    """In room of its own below the rows."""
    bottom, top = ax.get_ylim()
    ax.set_ylim(bottom + 1.1 * len(handles), top)
    ax.legend(handles=handles, loc="lower right", borderaxespad=0.2, labelspacing=0.2, frameon=True, framealpha=1, edgecolor="none")


def _sides(part: pd.DataFrame, middle: str) -> Any:
    """Lengths of an interval to both sides; nothing where there is none."""
    return _series.sides(part.assign(mean=part[middle]))


def _handles(looks_of: dict[str, tuple[str, str]], verdicts: pd.Series) -> list[Line2D]:
    return [Line2D([], [], color=colour, marker=marker, linestyle="none", label=verdict,
                   markerfacecolor=colour if verdict != "not decided" else "white")
            for verdict, (colour, marker) in looks_of.items() if (verdicts == verdict).any()]
