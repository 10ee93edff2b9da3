"""Metrics along a factor: response time against load above all."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.transforms import ScaledTranslation

from .. import _labels, _series
from .._tables import one_metric
from .._words import status_text
from ..errors import RequestError
from ..results import Results
from ._canvas import GREY, Look, canvas, legend, looks
from .intervals import rows_of_levels

_RHO_MAX = "rho-max"

def curve(results: Results, metric: str | None = "response_time", x: str | None = None, by: str | Sequence[str] | None = None, *,
          saturation: Results | None = None, extremes: str | None = None, ax: Axes | None = None, style: str | None = None) -> Axes:
    """A metric against load (or another factor), a line for every combination of the other factors, with the bands of the
    intervals' own ends; along a factor that is no number, points in rows. Markers of cells that are provisional or unstable are open; a
    cross at the foot is a cell without a value, as where all replications failed. ρ_max, with its interval, is a triangle below
    the x axis in the colour of its line: that of theory or of the file's pilots, or of `saturation`, results of a saturated campaign.
    Broken grey lines are what theory says of the metric.
    Thin lines reach from the least to the greatest replication of the metric `extremes`."""
    drawn = _series.points(results, metric, x, by)
    found = _extremes(results, drawn, one_metric(extremes, results.metrics)) if extremes is not None else None
    if drawn.ticks:
        return rows_of_levels(results, drawn, extremes=found, ax=ax, style=style)
    with canvas(ax, style) as ax:
        _lines(ax, drawn, "x")
        _theory(ax, results, drawn)
        _saturation_marks(ax, drawn, _series.rho_max(saturation, drawn) if saturation is not None else _series.placed_maxima(results, drawn))
        _axes(ax, results, drawn)
        if found is not None:
            _extreme_lines(ax, drawn, found)
        ax.set_xlabel(drawn.x_text)
    return ax


def normalised_curve(results: Results, metric: str | None = "response_time", x: str | None = None, by: str | Sequence[str] | None = None,
                     *, saturation: Results | None = None, ax: Axes | None = None, style: str | None = None) -> Axes:
    """A metric against ρ/ρ_max: what a policy does at the same share of what it can bear. ρ_max is that of theory or of the file's
    pilots, or of `saturation`. Horizontal bars are what its interval leaves open."""
    drawn = _series.points(results, metric, x, by)
    if saturation is None:
        own = _series.placed(results, drawn)
    else:
        own = _series.rho_max(saturation, drawn).reindex(drawn.rows["series"]).reset_index(drop=True)
        own["fraction"] = drawn.rows["x"] / own["rho_max"]
    lacking = list(dict.fromkeys(drawn.rows["series"][own["rho_max"].isna()]))
    if lacking:
        of = f" for {'; '.join(lacking)}" if any(lacking) else ""
        raise RequestError(f"no ρ_max{of}. Name the results of a saturated campaign with these factors: --saturation FILE, or saturation=")
    load = own["fraction"] * own["rho_max"]
    rows = drawn.rows.assign(normalised=own["fraction"], left=load / own["upper"], right=load / own["lower"])
    drawn = drawn._replace(rows=rows)
    with canvas(ax, style) as ax:
        for look, (_, part) in zip(looks(), drawn.series()):
            ax.hlines(part["mean"], part["left"], part["right"], colors=look.colour, linewidth=0.8)
        _lines(ax, drawn, "normalised")
        _axes(ax, results, drawn)
        ax.set_xlabel("offered utilization / maximal utilization, ρ/ρ$_{max}$")
    return ax


def pareto(results: Results, x_metric: str, y_metric: str, by: str | Sequence[str] | None = None, *, ax: Axes | None = None,
           style: str | None = None) -> Axes:
    """Two metrics of every cell against each other, both to be small, with the intervals of both; a line joins the means that no
    other cell beats in both. Colours tell the levels of `by` apart (the first factor that varies)."""
    first, second = (_series.of_all_cells(results, one_metric(name, results.metrics)) for name in (x_metric, y_metric))
    both = first.merge(second[["cell", "mean", "lower", "upper", "n"]], on="cell", suffixes=("", "_y"))
    if both.empty:
        raise RequestError(f"no cell has both {x_metric} and {y_metric} (a point needs both). The file has: {', '.join(results.metrics)}")
    varying = results.factors.varying(pd.Index(both["cell"]))
    colours = [results.factors.resolve(by)] if isinstance(by, str) else [results.factors.resolve(name) for name in by] if by else varying[:1]
    both["series"] = _labels.texts_of_rows(both, colours)
    front = _front(both)
    with canvas(ax, style) as ax:
        if len(front) > 1:
            ax.plot(front["mean"], front["mean_y"], color=GREY, drawstyle="steps-post", linewidth=1, zorder=1, label="not beaten in both")
        for look, name in zip(looks(), dict.fromkeys(both["series"])):
            part = both[(both["series"] == name) & both["mean"].notna() & both["mean_y"].notna()]
            if len(part):
                ax.errorbar(part["mean"], part["mean_y"], xerr=_series.sides(part), yerr=_series.sides(part, "_y"), linestyle="none", marker=look.marker,
                            color=look.colour, elinewidth=0.8, label=name)
        lacking = both[both["mean"].isna() | both["mean_y"].isna()]
        names = [one_metric(name, results.metrics) for name in (x_metric, y_metric)]
        for axis, name in zip((ax.xaxis, ax.yaxis), names):
            _labels.measure_metric(axis, results, name)
        _labels.note(ax, "; ".join([_labels.evidence_text(results, both), *_series.without_value(results, lacking)]))
        legend(ax)
    return ax


def _front(both: pd.DataFrame) -> pd.DataFrame:
    """The cells that no other beats in both means, by x."""
    ordered = both.dropna(subset=["mean", "mean_y"]).sort_values(["mean", "mean_y"], kind="stable")
    least = ordered["mean_y"].cummin().shift(fill_value=np.inf)
    return ordered[ordered["mean_y"] < least]


def _lines(ax: Axes, drawn: _series.Points, x: str) -> None:
    for look, (_, whole) in zip(looks(), drawn.series()):
        part = whole[whole["mean"].notna()]
        ends = _series.ends(part)
        # Bands that overlap, or are seen without colours, are told apart by their edges.
        ax.fill_between(part[x], ends["lower"], ends["upper"], facecolor=to_rgba(look.colour, 0.15), edgecolor=look.colour, linestyle=look.line,
                        linewidth=0.5, gid="band")
        ax.plot(part[x], part["mean"], color=look.colour, linestyle=look.line, zorder=2)
        faces = [look.colour if decided else "white" for decided in part["decided"]]
        points = ax.scatter(part[x], part["mean"], marker=look.marker, facecolors=faces, edgecolors=look.colour, zorder=3,
                            s=_marker_area(ax), linewidths=0.9)
        points.set_gid("-".join(["cells", *map(str, part["cell"])]))  # for whoever looks for the cells in a file
        lacking = whole[whole["mean"].isna() & whole[x].notna()]
        if len(lacking):
            ax.plot(lacking[x], [0.03] * len(lacking), transform=ax.get_xaxis_transform(), linestyle="none", marker="x", color=look.colour, zorder=3,
                    gid="-".join(["lacking", *map(str, lacking["cell"])]))


def _theory(ax: Axes, results: Results, drawn: _series.Points) -> None:
    lines = sorted(_series.theory(results, drawn), key=lambda line: line[0])
    patterns = dict(zip(dict.fromkeys(label for (label,), _ in lines), itertools.cycle([(0, (4, 2)), (0, (1, 1))])))
    for number, ((label,), part) in enumerate(lines):
        is_first = label not in [line.get_label() for line in ax.get_lines()]
        ax.plot(part["x"], part["value"], color=GREY, linestyle=patterns[label], linewidth=0.9, zorder=1.5, label=label if is_first else f"_{number}", gid="theory")


def _extremes(results: Results, drawn: _series.Points, metric: str) -> pd.DataFrame:
    """The least and the greatest replication at every point."""
    replications = results.replications()
    if metric not in replications:
        raise RequestError(f"{metric} is not observed in replications, so that it has no extremes. Take a metric that is")
    return replications.groupby("cell")[metric].agg(["min", "max"]).reindex(drawn.rows["cell"]).reset_index(drop=True)


def _extreme_lines(ax: Axes, drawn: _series.Points, found: pd.DataFrame) -> None:
    """From the one to the other, within the limits of y."""
    for look, (_, part) in zip(looks(), drawn.series()):
        own = found.loc[part.index]
        ax.vlines(part["x"], own["min"], own["max"], colors=look.colour, linewidth=0.7, alpha=0.6)
    bottom, top = ax.get_ylim()
    ax.set_ylim(min(bottom, float(found["min"].min())), max(top, 1.02 * float(found["max"].max())))


def _marker_area(ax: Axes) -> float:
    size = ax.xaxis.label.get_size() * 0.5
    return float(size * size)


def _axes(ax: Axes, results: Results, drawn: _series.Points) -> None:
    """Labels, legend and limits: cells without a bound on their queue must not hide the others."""
    if _series.is_wide(drawn.rows["x"]):
        ax.set_xscale("log", base=2)
        ax.set_xticks(sorted(set(drawn.rows["x"])), [f"{x:g}" for x in sorted(set(drawn.rows["x"]))])
        ax.minorticks_off()
    ax.set_ylim(_series.limits(drawn.rows))
    _labels.measure_metric(ax.yaxis, results, drawn.metric)
    _labels.note(ax, _labels.evidence_text(results, drawn.rows), drawn.rows)
    handles = _handles(ax, drawn)
    if 0 < len(handles) <= 24:
        title = ", ".join(map(_labels.factor_text, drawn.by)) if len(drawn.by) == 1 else None
        legend(ax, handles, title)


def _handles(ax: Axes, drawn: _series.Points) -> list[Line2D]:
    size = ax.xaxis.label.get_size() * 0.5
    handles = [Line2D([], [], color=look.colour, markersize=size, label=name,
                      **({"linestyle": "none", "marker": "x"} if part["mean"].isna().all() else {"linestyle": look.line, "marker": look.marker}))
               for look, (name, part) in zip(looks(), drawn.series()) if name]
    handles += [line for line in ax.get_lines() if line.get_gid() == "theory" and not line.get_label().startswith("_")]
    open_cells = drawn.rows[~drawn.rows["decided"] & drawn.rows["mean"].notna()]
    states = [status_text(status) for status in dict.fromkeys(open_cells["status"])]
    if states:
        handles.append(Line2D([], [], color=GREY, linestyle="none", marker="o", markerfacecolor="white", markersize=size,
                              label=" or ".join(states)))
    if len(drawn.lacking):
        handles.append(Line2D([], [], color=GREY, linestyle="none", marker="x", markersize=size, label=_series.states_text(drawn.lacking)))
    if any(line.get_gid() == _RHO_MAX for line in ax.get_lines()):
        handles.append(Line2D([], [], color=GREY, linestyle=(0, (1, 2)), linewidth=0.8, marker="^", markersize=size, label="maximal utilization ρ$_{max}$"))
    return handles


def _saturation_marks(ax: Axes, drawn: _series.Points, maxima: pd.DataFrame) -> None:
    """Below the x axis."""
    for look, (name, _) in zip(looks(), drawn.series()):
        if name in maxima.index:
            _saturation_mark(ax, look, maxima.loc[name])
            ax.tick_params(axis="x", pad=3.5 + 0.6 * ax.xaxis.label.get_size())


def _saturation_mark(ax: Axes, look: Look, row: pd.Series) -> None:
    """A triangle that points at its place from below the axis, with its interval; a dotted line above."""
    ax.axvline(row["rho_max"], color=look.colour, linewidth=0.8, linestyle=(0, (1, 2)), zorder=1, gid=_RHO_MAX)
    size = ax.xaxis.label.get_size() * 0.5
    beneath = ax.get_xaxis_transform() + ScaledTranslation(0, -0.75 * size / 72, ax.figure.dpi_scale_trans)
    sides = [[max(0.0, row["rho_max"] - row["lower"])], [max(0.0, row["upper"] - row["rho_max"])]]
    ax.errorbar([row["rho_max"]], [0], xerr=np.where(np.isfinite(sides), sides, 0), transform=beneath, color=look.colour, marker="^", markersize=size,
                capsize=2, elinewidth=0.8, clip_on=False, zorder=4)
