"""Intervals side by side: paired differences, a paper's values against the measured ones, and rows of points or bars by
levels that are words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .. import _labels, _series
from .._tables import one_metric
from .._words import status_text
from ..errors import RequestError
from ..results import Results
from ._canvas import EARLIER, GREY, LATER, LINES, canvas, height_of_rows, legend, looks

_VERDICTS = {"first smaller": (EARLIER, "o"), "second smaller": (LATER, "s"), "not decided": (GREY, "D")}
RIGHT: dict[str, Any] = {"x": 1, "ha": "right"}  # of a label below rows, whose names take much of the width
_HATCHES = dict(zip(LINES, ("", "////", "....", "xxxx")))  # bars have no lines to tell the second seven colours from the first
_AGREEMENT = {"agrees": (EARLIER, "o"), "differs": (LATER, "s"), "not measured": (GREY, "x")}


def forest(results: Results, metric: str | None = None, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """Paired differences with their intervals, those that exclude 0 where Holm's procedure decides; by group."""
    rows = results.comparisons() if "comparisons" in results.table_names else pd.DataFrame()
    if rows.empty:
        if "stability" in results.table_names and (results.table("stability")["verdict"] == "unstable").any():
            raise RequestError("the file has no comparisons: pairs with an unstable cell are left out. Lower the load.")
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
        _labels.measure_metric(ax.xaxis, results, found, f"difference of {_labels.metric_text(found)}", **RIGHT)
        levels = [f"{100 * level:.4g}" for level in sorted({rows["confidence"].min(), rows["confidence"].max()})]
        _labels.note(ax, f"Holm over {len(rows)}, {'–'.join(levels)} % intervals, n = {_labels.span_text(rows['n'])}")
        legend(ax, _handles(_VERDICTS, rows["verdict"]))
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
        _labels.measure(ax.xaxis, *((f"{words}, % from the printed value", "1") if relative else (words, results.unit(found))), **RIGHT)
        used = results.estimates(found)
        _labels.note(ax, _labels.evidence_text(results, used[used["cell"].isin(rows["cell"])]))
        printed = Patch(color="#CFCFCF", label="printed ± rounding")
        legend(ax, [printed, *_handles(_AGREEMENT, rows["verdict"])])
    return ax


def bars(results: Results, metric: str | None = None, x: str | None = None, by: str | Sequence[str] | None = None, *, ax: Axes | None = None,
         style: str | None = None) -> Axes:
    """A metric by job class, a bar per cell, or with `x` by the levels of a factor, a bar for every combination of the others; without
    classes by the first factor of words. Of values of several sizes points on a logarithmic axis: a bar has no foot there."""
    found = metric or next((name.split("[")[0] for name in results.metrics if ".mean[class=" in name), None)
    if x is None and found is not None and results.by_class(found):
        return rows_of_levels(results, _of_classes(results, found), are_bars=True, ax=ax, style=style)
    words = [name for name in results.factors.varying(pd.Index(results.cells["cell"])) if not results.factors.is_numeric(name)]
    if x is None and not words:
        raise RequestError(f"the file has no {found or 'response_time.mean'} by class, and no factor of words. Name one with x=, or ask for classes in "
                           "the campaign: probes: [{response_time: {per_class: true}}]")
    drawn = _series.points(results, found or _series.shown_metrics(results)[0], x or words[0], by, are_words=True)
    return rows_of_levels(results, drawn, are_bars=True, ax=ax, style=style)


def rows_of_levels(results: Results, drawn: _series.Points, *, are_bars: bool = False, extremes: Any = None, ax: Axes | None = None,
                   style: str | None = None) -> Axes:
    """A row per level, in it a point with its interval, or a bar, per series; where there is no value, a cross. `extremes`: of the
    replications of every row, for thin lines."""
    means = drawn.rows["mean"]
    is_wide = _series.is_wide(means)
    are_bars = are_bars and not is_wide
    series = drawn.series()
    step = min(0.7 if are_bars else 0.25, 0.8 / len(series))
    with canvas(ax, style, height_of_rows(style, len(drawn.ticks) * max(1.0, 0.3 + 0.6 * len(series)))) as ax:
        handles: list[Any] = []
        for number, (look, (name, rows)) in enumerate(zip(looks(), series)):
            places = np.round(rows["x"]) + (number - (len(series) - 1) / 2) * step
            known, plain = rows["mean"].notna(), {"color": look.colour, "linestyle": "none"}
            part, at = rows[known], places[known]
            if part.empty:
                handles.append(Line2D([], [], marker="x", label=name, **plain))
            elif are_bars:
                handles.append(ax.barh(at, part["mean"], step * 0.92, color=look.colour, alpha=0.75, hatch=_HATCHES[look.line], edgecolor="white",
                                       linewidth=0, label=name))
            else:
                handles.append(Line2D([], [], marker=look.marker, label=name, **plain))
                ax.scatter(part["mean"], at, marker=look.marker, facecolors=[look.colour if decided else "white" for decided in part["decided"]],
                           edgecolors=look.colour, zorder=3, gid="-".join(["cells", *map(str, part["cell"])]))
            if extremes is not None:
                ax.hlines(at, extremes["min"][part.index], extremes["max"][part.index], colors=look.colour, linewidth=0.5)
            ends = _series.ends(part)
            wide = ends["lower"] < ends["upper"]
            ax.hlines(at[wide], ends["lower"][wide], ends["upper"][wide], colors="black" if are_bars else look.colour, linewidth=1.2, zorder=2, gid="intervals")
            ax.plot([0.02] * int((~known).sum()), places[~known], transform=ax.get_yaxis_transform(), marker="x", gid="lacking", **plain)
        handles = [handle for handle in handles if len(series) > 1 and handle.get_label()]
        handles += _theory(ax, results, drawn) + _states(drawn, are_bars)
        rows_axis(ax, drawn.ticks, range(len(drawn.ticks)), [])
        if is_wide:
            ax.set_xscale("log")
        elif are_bars or 0 <= means.min() < 0.5 * means.max():
            ax.set_xlim(left=min(0.0, ax.get_xlim()[0]) if are_bars and means.min() < 0 else 0.0)
        _labels.measure_metric(ax.xaxis, results, drawn.metric, **RIGHT)
        _labels.note(ax, _labels.evidence_text(results, drawn.rows), drawn.rows)
        legend(ax, handles, _labels.factor_text(drawn.by[0]) if len(drawn.by) == 1 and len(series) > 1 else None)
    return ax


def _theory(ax: Axes, results: Results, drawn: _series.Points) -> list[Line2D]:
    """A stroke beside every level for what theory says of its cells."""
    known = results.table("known_values")
    known = drawn.rows[["cell", "x"]].merge(known[known["metric"] == drawn.metric], on="cell")
    return [ax.plot(part["value"], np.round(part["x"]), linestyle="none", marker="|", markersize=12, color=colour, zorder=1.5, label=label)[0]
            for colour, (label, part) in zip(("black", GREY), known.groupby("label", sort=False))]


def _states(drawn: _series.Points, are_bars: bool) -> list[Line2D]:
    open_cells = drawn.rows[~drawn.rows["decided"] & drawn.rows["mean"].notna()]
    states = [] if are_bars else [status_text(status) for status in dict.fromkeys(open_cells["status"])]
    found = [Line2D([], [], color=GREY, linestyle="none", marker="o", markerfacecolor="white", label=" or ".join(states))] if states else []
    return found + ([Line2D([], [], color=GREY, linestyle="none", marker="x", label=_series.states_text(drawn.lacking))] if len(drawn.lacking) else [])


def _of_classes(results: Results, metric: str) -> _series.Points:
    """A class of which a cell has no jobs has a row without a value."""
    classes = dict(sorted(results.by_class(metric).items()))
    parts = [_series.of_all_cells(results, name).set_index("cell") for name in classes.values()]
    cells = sorted(set().union(*(part.index for part in parts)))
    rows = pd.concat([part.reindex(cells).rename_axis("cell").assign(metric=name, x=float(place)) for place, (name, part) in enumerate(zip(classes.values(), parts))])
    rows = rows.fillna({"n": 0, "decided": True}).reset_index()
    labels = own_labels(results, list(dict.fromkeys(rows["cell"])))
    names = results.class_names(int(rows["cell"].iloc[0]))
    return _series.Points(rows.assign(series=rows["cell"].map(labels)), str(rows["metric"].iloc[0]).split("[")[0], "class",
                          [_labels.plain(names.get(number, f"class {number}")) for number in classes], [])


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
    ax.tick_params(axis="y", length=0, pad=3.5 + 0.4 * ax.xaxis.label.get_size())  # a marker at the least x
    ax.grid(axis="y", visible=False)
    ax.set_ylim(max(place for place, _ in ticks) + 0.8, -0.8)


def _sides(part: pd.DataFrame, middle: str) -> Any:
    """Lengths of an interval to both sides; nothing where there is none."""
    return _series.sides(part.assign(mean=part[middle]))


def _handles(looks_of: dict[str, tuple[str, str]], verdicts: pd.Series) -> list[Line2D]:
    return [Line2D([], [], color=colour, marker=marker, linestyle="none", label=verdict,
                   markerfacecolor=colour if verdict != "not decided" else "white")
            for verdict, (colour, marker) in looks_of.items() if (verdicts == verdict).any()]
