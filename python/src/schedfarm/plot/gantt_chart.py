"""Gantt charts: every job as a rectangle of time and processors, below the utilization and the number of waiting jobs."""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.colors import LogNorm, Normalize, TwoSlopeNorm

from ..errors import RequestError, one_of
from . import _labels
from ._canvas import COLOURS, EARLIER, GREY, LATER, panels, rasterized_beyond, width
from ._schedule import Schedule, busy, schedule, waiting

_COLOURINGS = ("job", "user", "size", "wait")
_LIGHT = ("#7FB8D8", "#F0A878", "#7FCDB4", "#E5BBD3", "#F3CF80", "#A9D8F2", "#BDBDBD")


def gantt(source: Any, cell: int | None = None, replication: int = 0, *, colour: str = "job", begin: float | None = None,
          end: float | None = None, processors: int | None = None, time_unit: str | None = None, trees: bool = False,
          style: str | None = None) -> Any:
    """The jobs of a schedule; returns the three Axes: utilization, waiting jobs, processors.

    `source`: results (with a logged cell and replication), a table of jobs, or its file as `schedfarm simulate --jobs FILE --ranges` or
    `schedfarm gantt --format csv` writes it. `colour`: `job` tells neighbours apart, `user`, `size` or `wait` mean something.
    `trees`: lines between the parts of the machine that the powers of two in its size make."""
    if colour not in _COLOURINGS:
        raise one_of("colour", colour, list(_COLOURINGS), "Colours")
    drawn = schedule(source, cell, replication, processors, time_unit).between(begin, end)
    with panels(style or "page", width(style or "page") * 0.66, [1, 1, 6], sharex=True) as (top, middle, main):
        _boxes(main, drawn, colour)
        _processor_axis(main, drawn, begin, end)
        steps = busy(drawn.jobs) / drawn.processors
        top.fill_between(steps.index, steps, step="post", color=COLOURS[0], alpha=0.35, linewidth=0)
        top.set_ylim(0, 1)
        _beside(top, "utilization")
        queue = waiting(drawn.jobs)
        middle.fill_between(queue.index, queue, step="post", color=COLOURS[1], alpha=0.45, linewidth=0)
        low, high = main.get_xlim() if begin is not None or end is not None else (-np.inf, np.inf)
        middle.set_ylim(0, max(1, 1.1 * queue[(queue.index >= low) & (queue.index <= high)].max()))
        middle.yaxis.get_major_locator().set_params(integer=True)
        _beside(middle, "waiting\njobs")
        if trees:
            _tree_lines(main, drawn.processors)
        _labels.note(top, f"{drawn.name}: {drawn.jobs['job'].nunique():,} jobs")
    return np.array([top, middle, main])


def gantt_diff(first: Any, second: Any, cells: tuple[int, int] | None = None, replication: int = 0, *, names: tuple[str, str] | None = None,
               begin: float | None = None, end: float | None = None, processors: int | None = None, time_unit: str | None = None,
               style: str | None = None) -> Any:
    """Two schedules of the same jobs one above the other; jobs that start earlier in the second are blue in both, those that start
    later orange. Returns the two Axes. `cells`: those of results."""
    own = cells or (None, None)
    both = [schedule(source, cell, replication, processors, time_unit) for source, cell in zip((first, second), own)]
    starts = [part.jobs.groupby("job")["start"].min() for part in both]
    shift = (starts[1] - starts[0]).dropna()
    if shift.empty:
        raise RequestError("the two schedules have no job in common. Are they of one workload?")
    limit = float(np.quantile(np.abs(shift), 0.95)) or 1.0
    norm = TwoSlopeNorm(0, -limit, limit)
    colours = mpl.colors.LinearSegmentedColormap.from_list("shift", [EARLIER, "#F2F2F2", LATER])
    with panels(style or "page", width(style or "page") * 0.7, [1, 1], sharex=True) as axes:
        for ax, part, name in zip(axes, both, names or ("first", "second")):
            part = part.between(begin, end)
            values = shift.reindex(part.jobs["job"].to_numpy()[part.boxes["row"]]).fillna(0)
            _draw(ax, part, colours(norm(values.to_numpy())))
            _processor_axis(ax, part, begin, end)
            ax.set_title(part.name if names is None and part.name else name, loc="left")
            ax.label_outer()
        bar = ax.figure.colorbar(mpl.cm.ScalarMappable(norm, colours), ax=list(axes), extend="both")
        bar.set_label(f"start in the second − start in the first ({both[0].time_unit})")
        bar.outline.set_visible(False)
        _labels.note(axes[0], f"{(shift < 0).sum():,} of {len(shift):,} jobs earlier, {(shift > 0).sum():,} later")
    return axes


def _beside(ax: Axes, words: str) -> None:
    ax.set_ylabel(words, rotation=0, ha="right", va="center")


def _boxes(ax: Axes, drawn: Schedule, colour: str) -> None:
    rows = drawn.boxes["row"].to_numpy()
    if colour in ("job", "user"):
        if colour not in drawn.jobs:
            raise RequestError("the table of jobs has no column user. Colour by job, size or wait?")
        codes, _ = pd.factorize(drawn.jobs[colour])
        _draw(ax, drawn, np.array(_LIGHT, dtype=object)[codes[rows] % len(_LIGHT)])
        return
    values = drawn.jobs["processors"] if colour == "size" else drawn.jobs["start"] - drawn.jobs["submit"]
    norm = LogNorm(1, max(2, values.max())) if colour == "size" else Normalize(0, float(values.quantile(0.99)) or 1.0)
    colours = mpl.colormaps["cividis_r" if colour == "wait" else "viridis_r"]
    _draw(ax, drawn, colours(norm(values.to_numpy()[rows])))
    bar = ax.figure.colorbar(mpl.cm.ScalarMappable(norm, colours), ax=ax, extend="max" if colour == "wait" else "neither", pad=0.01)
    bar.set_label("processors" if colour == "size" else f"queueing time ({drawn.time_unit})")
    bar.outline.set_visible(False)


def _draw(ax: Axes, drawn: Schedule, colours: Any) -> None:
    """A rectangle per range; thin edges where there are few."""
    rows = drawn.boxes["row"].to_numpy()
    left, right = (drawn.jobs[name].to_numpy()[rows] for name in ("start", "finish"))
    low, high = drawn.boxes["first"].to_numpy(), drawn.boxes["last"].to_numpy() + 1
    corners = np.stack([np.column_stack(pair) for pair in ((left, low), (right, low), (right, high), (left, high))], axis=1)
    many = rasterized_beyond(len(rows))
    boxes = PolyCollection(corners, facecolors=list(colours), edgecolors="none" if many else "white", linewidths=0 if many else 0.3,
                           rasterized=many, antialiased=not many)
    if "kind" in drawn.jobs:
        loading = (drawn.jobs["kind"].to_numpy()[rows] == "loading")
        boxes.set_alpha(np.where(loading, 0.4, 1.0))
    boxes.set_gid("jobs")
    ax.add_collection(boxes)
    if len(rows) <= 60:
        for row, x, y in zip(rows, (left + right) / 2, (low + high) / 2):
            ax.text(x, y, str(drawn.jobs["job"].iat[row]), ha="center", va="center", fontsize="x-small", clip_on=True)


def _processor_axis(ax: Axes, drawn: Schedule, begin: float | None, end: float | None) -> None:
    ax.set_xlim(drawn.jobs["start"].min() if begin is None else begin, drawn.jobs["finish"].max() if end is None else end)
    ax.set_ylim(0, drawn.processors)
    ax.set_ylabel("processors")
    ax.grid(visible=False)
    ax.set_xlabel(_labels.with_unit("time", drawn.time_unit))
    if drawn.time_unit == "s":
        _hours_or_days(ax)


def _hours_or_days(ax: Axes) -> None:
    begin, end = ax.get_xlim()
    for unit, seconds in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if end - begin > 3 * seconds:
            ticks = mpl.ticker.MaxNLocator(8, steps=[1, 2, 5, 10]).tick_values(begin / seconds, end / seconds)
            kept = [tick for tick in ticks if begin <= tick * seconds <= end]
            ax.set_xticks([tick * seconds for tick in kept], [f"{tick:g}" for tick in kept])
            ax.set_xlabel(f"time ({unit})")
            return


def _tree_lines(ax: Axes, processors: int) -> None:
    """Between the trees A, B, … of gang scheduling: one for each set bit of the size, the largest first."""
    place = 0
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for bit in reversed(range(processors.bit_length())):
        if processors >> bit & 1:
            ax.text(1.005, place + (1 << bit) / 2, next(letters), transform=ax.get_yaxis_transform(), va="center", color=GREY)
            place += 1 << bit
            if place < processors:
                ax.axhline(place, color="black", linewidth=0.8)
