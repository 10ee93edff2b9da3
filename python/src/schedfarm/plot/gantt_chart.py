"""Gantt charts: every job as a rectangle of time and processors, below the utilization and the number of waiting jobs; and when the
ranks of a run were busy."""

from __future__ import annotations

from typing import Any, Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import BoundaryNorm, ListedColormap, LogNorm, TwoSlopeNorm, to_rgba_array

from .. import _labels
from ..errors import RequestError, one_of
from ..results import Results
from ._boxes import Boxes, rectangles
from ._canvas import COLOURS, EARLIER, GREY, LATER, canvas, height_of_rows, panels, rasterized_beyond, width
from ._schedule import Schedule, busy, means, schedule, waiting

_COLOURINGS = ("job", "user", "size", "wait")
_LIGHT = ("#7FB8D8", "#F0A878", "#7FCDB4", "#E5BBD3", "#F3CF80", "#A9D8F2", "#BDBDBD")
_MOST_NAMES = 16  # of nodes at an axis
_MOST_NUMBERS = 3000  # of rectangles that may have one
_MOST_WAITS = 40  # of jobs that are drawn as lines
# Waits have many sizes: classes show more of them than a scale.
_WAITS = {"s": ((60, "1 min"), (600, "10 min"), (3600, "1 h"), (6 * 3600, "6 h"), (86400, "1 day"))}
_OTHER_WAITS = ((0.1, "0.1"), (1, "1"), (10, "10"), (100, "100"), (1000, "1000"))


def gantt(source: Any, cell: int | None = None, replication: int = 0, *, colour: str = "job", begin: float | None = None,
          end: float | None = None, processors: int | None = None, time_unit: str | None = None, clusters: Sequence[int] = (),
          trees: bool = False, name: str | None = None, style: str | None = None) -> Any:
    """The jobs of a schedule; returns the Axes: utilization, waiting jobs, processors, of several clusters one for each. There
    jobs that are not at home are hatched. Processors out of order are crossed.

    `source`: results (with a logged cell and replication), a table of jobs, or its file as `schedfarm simulate --jobs FILE --ranges` or
    `schedfarm gantt --format csv` writes it. `clusters`: processors of each, where the source is a table. `colour`: `job` tells neighbours apart, `user`, `size` or `wait` mean something; while a
    job is loading its colour is paler. `trees`: lines between the parts of the machine that the powers of two in its size make. Few
    jobs have their numbers, and lines from their submission to their start; of many, every pixel shows who held it."""
    if colour not in _COLOURINGS:
        raise one_of("colour", colour, list(_COLOURINGS), "Colours")
    whole = schedule(source, cell, replication, processors, time_unit, clusters)
    drawn = whole.between(begin, end)
    parts = [drawn.of_cluster(k) for k in range(len(drawn.clusters))] if len(drawn.clusters) > 1 else [drawn]
    height = width(style or "page") * (0.66 if len(parts) == 1 else 0.25 + 0.2 * min(len(parts), 8))
    with panels(style or "page", height, [1, 1, *([6] if len(parts) == 1 else [2] * len(parts))], sharex=True) as (top, middle, *mains):
        for number, (ax, part) in enumerate(zip(mains, parts), 1):
            _processor_axis(ax, part, begin, end)
            _out_of_order(ax, part)
            _boxes(ax, part, colour)
            if len(parts) > 1:
                _away(ax, part, number)
                ax.set_ylabel(f"cluster {number}", rotation=0, ha="right", va="center")
                ax.label_outer()
        main = mains[-1]
        window = main.get_xlim()
        steps = busy(drawn.jobs) / drawn.processors
        _area(top, steps, COLOURS[0])
        top.set_ylim(0, 1)
        top.set_yticks([1])  # the axes are low, and 0 would meet the number at the top of those below
        _beside(top, f"utilization,\nmean {100 * means(steps, window)[0]:.1f} %")
        queue = waiting(drawn.jobs)
        _area(middle, queue, COLOURS[1])
        middle.set_ylim(0, max(1, 1.1 * queue[(queue.index >= window[0]) & (queue.index <= window[1])].max()))
        middle.yaxis.get_major_locator().set_params(integer=True)
        _beside(middle, f"waiting jobs,\nmean {means(queue, window)[0]:.1f}")
        if trees:
            _tree_lines(main, drawn.processors)
        jobs, shown = drawn.jobs["job"].nunique(), drawn.jobs["job"].iloc[drawn.boxes["row"]].nunique()
        _labels.note(top, f"{_labels.plain(name or drawn.name)}: {'' if shown == jobs else f'{shown:,} of '}{_labels.counted(jobs, 'job')} "
                          f"on {_labels.counted(drawn.processors, 'processor')}{', crossed: out of order' * bool(len(drawn.outages))}")
    return np.array([top, middle, *mains])


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
        raise RequestError("the two schedules have no job in common. Give two of one workload.")
    limit = float(np.quantile(np.abs(shift), 0.95)) or 1.0
    norm = TwoSlopeNorm(0, -limit, limit)
    colours = mpl.colors.LinearSegmentedColormap.from_list("shift", [EARLIER, "#F2F2F2", LATER])
    with panels(style or "page", width(style or "page") * 0.7, [1, 1], sharex=True) as axes:
        for ax, part, name in zip(axes, both, names or ("first", "second")):
            part = part.between(begin, end)
            values = shift.reindex(part.jobs["job"].to_numpy()[part.boxes["row"]]).fillna(0)
            _processor_axis(ax, part, begin, end)
            _out_of_order(ax, part)
            _draw(ax, part, colours(norm(values.to_numpy())))
            ax.set_title(part.name if names is None and part.name else name, loc="left")
            ax.label_outer()
        bar = ax.figure.colorbar(mpl.cm.ScalarMappable(norm, colours), ax=list(axes), extend="both")
        _labels.measure(bar.ax.yaxis, "start in the second − start in the first", both[0].time_unit)
        bar.outline.set_visible(False)
        axes[1].set_title(f"{axes[1].get_title(loc='left')}: {(shift < 0).sum():,} of {len(shift):,} jobs earlier, {(shift > 0).sum():,} later", loc="left")
    return axes


def rank_gantt(results: Results, run: int | None = None, *, ax: Axes | None = None, style: str | None = None) -> Axes:
    """When every rank was busy with replications, in one of the runs that computed the file (from 1; default: the last), and how much
    of the whole time."""
    rows = results.table("timings")
    runs = int(rows["run"].max()) if len(rows) else 0
    if not 1 <= (run or 1) <= runs:
        raise RequestError("the file does not say when replications began" if runs == 0 else
                           f"there is no run {run} (the campaign was computed by {runs}). Choose one of 1 to {runs}")
    rows = rows[rows["run"] == (run or runs)].dropna(subset="began")
    farm = results.table("farm")
    ranks = np.union1d(rows["rank"], farm.loc[farm["run"] == (run or runs), "rank"])
    end = float((rows["began"] + rows["seconds"]).max())
    style = style if ax is not None else style or "page"
    with canvas(ax, style, height_of_rows(style, 1 + min(48, len(ranks)))) as ax:
        for place, rank in enumerate(ranks):
            own = rows[rows["rank"] == rank]
            ax.add_collection(Boxes(own["began"], own["began"] + own["seconds"], [place - 0.4] * len(own), [place + 0.4] * len(own),
                                    [COLOURS[0]] * len(own), f"rank {rank}"))
            if len(ranks) <= 48:
                ax.text(1.01, place, f"{own['seconds'].sum() / end:.0%}".replace("%", " %"), transform=ax.get_yaxis_transform(), va="center")
        every = max(1, len(ranks) // 24)
        ax.set_yticks(range(0, len(ranks), every), [f"rank {rank}" for rank in ranks[::every]])
        ax.set_ylim(len(ranks) - 0.4, -0.6)
        ax.set_xlim(0, end)
        ax.grid(axis="y", visible=False)
        _labels.measure(ax.xaxis, "time since the run began", "s")
        _labels.note(ax, f"{_labels.plain(results.name)}, run {run or runs} of {runs}: {_labels.counted(len(rows), 'replication')}; right: busy")
    return ax


def _beside(ax: Axes, words: str) -> None:
    ax.set_ylabel(words, rotation=0, ha="right", va="center")


def _area(ax: Axes, steps: pd.Series, colour: str) -> None:
    """A level over time; of many changes the means of a thousand parts of the window."""
    begin, end = ax.get_xlim()
    if rasterized_beyond(len(steps)):
        edges = np.linspace(begin, end, 1001)
        steps = pd.Series([*means(steps, edges), 0.0], edges)
    ax.fill_between(steps.index, steps, step="post", color=colour, alpha=0.4, linewidth=0)


def _boxes(ax: Axes, drawn: Schedule, colour: str) -> None:
    rows = drawn.boxes["row"].to_numpy()
    if colour in ("job", "user"):
        if colour not in drawn.jobs or drawn.jobs[colour].isna().all():
            raise RequestError("nothing says whose jobs these are (their table has no column user, or it is empty). Colour by job, size or wait.")
        _draw(ax, drawn, np.array(_LIGHT, dtype=object)[_hashes(drawn.jobs[colour])[rows]])
        return
    if colour == "size":
        values, words = drawn.jobs["processors"], "processors"
        norm: Any = LogNorm(1, max(2, values.max()))
        colours: Any = mpl.colormaps["viridis_r"]
    else:
        first = drawn.jobs.groupby("job")["start"].transform("min")
        values, words = (first - drawn.jobs["submit"]).fillna(0), "wait"
        classes = _WAITS.get(drawn.time_unit, _OTHER_WAITS)
        norm = BoundaryNorm(range(len(classes) + 3), len(classes) + 2)
        values = pd.Series(np.searchsorted([0, *(limit for limit, _ in classes)], values), values.index)
        colours = ListedColormap(mpl.colormaps["cividis_r"](np.linspace(0, 1, len(classes) + 2)))
    _draw(ax, drawn, colours(norm(values.to_numpy()[rows])))
    bar = ax.figure.colorbar(mpl.cm.ScalarMappable(norm, colours), ax=ax, pad=0.01)
    if colour == "wait":
        bar.set_ticks(range(1, len(classes) + 2), labels=["none", *(text for _, text in classes)])
        words += "" if drawn.time_unit == "s" else f" ({drawn.time_unit})"
    bar.set_label(words)
    bar.outline.set_visible(False)


def _out_of_order(ax: Axes, drawn: Schedule) -> None:
    """Below the jobs, for some run through an outage."""
    rows = drawn.outages
    if len(rows):
        out_of_order(ax, rows["start"], rows["finish"], rows["first"], rows["last"] + 1)


def out_of_order(ax: Axes, begin: Any, end: Any, low: Any, high: Any) -> None:
    sides = [np.asarray(side, dtype=float) for side in (begin, end, low, high)]
    boxes = PolyCollection(rectangles(*sides), facecolors="#EEEEEE", edgecolors=GREY, hatch="xxxx", linewidths=0, zorder=0.5)
    boxes.set_gid("outages")
    ax.add_collection(boxes)


def _away(ax: Axes, drawn: Schedule, number: int) -> None:
    """Hatches what jobs of other clusters hold."""
    if "home" not in drawn.jobs:
        return
    home = drawn.jobs["home"].to_numpy()[drawn.boxes["row"].to_numpy()]
    away = drawn._replace(boxes=drawn.boxes[~np.isnan(home.astype(float)) & (home != number)])
    corners = rectangles(*_sides(away))
    boxes = PolyCollection(corners, facecolors="none", edgecolors="#333333", hatch="//////", linewidths=0, rasterized=rasterized_beyond(len(corners)))
    boxes.set_gid("away")
    ax.add_collection(boxes)


def _hashes(names: pd.Series) -> Any:
    """Of numbers: neighbours differ, and a number has its colour in every figure."""
    numbers = names.fillna(-1).astype(int) if pd.api.types.is_numeric_dtype(names) else pd.factorize(names)[0]
    return np.asarray(numbers) * 5 % len(_LIGHT)


def _draw(ax: Axes, drawn: Schedule, colours: Any) -> None:
    """A rectangle per range; numbers and waits where there are few. The axes have their limits."""
    rows = drawn.boxes["row"].to_numpy()
    faces = to_rgba_array(list(colours))
    if "kind" in drawn.jobs:
        faces[drawn.jobs["kind"].to_numpy()[rows] == "loading", 3] = 0.4
    left, right, low, high = _sides(drawn)
    ax.add_collection(Boxes(left, right, low, high, faces, "jobs", edge=0.3))
    if len(rows) <= _MOST_NUMBERS:
        _numbers(ax, drawn, rectangles(*_sides(drawn)), faces)
    if len(rows) <= _MOST_WAITS:
        _waits(ax, drawn)


def _sides(drawn: Schedule) -> list[Any]:
    """Left, right, low, high."""
    rows = drawn.boxes["row"].to_numpy()
    return [*(drawn.jobs[name].to_numpy()[rows] for name in ("start", "finish")), drawn.boxes["first"].to_numpy(), drawn.boxes["last"].to_numpy() + 1]


def _numbers(ax: Axes, drawn: Schedule, corners: Any, faces: Any) -> None:
    """Of jobs, in the largest rectangle of every stretch, where it has room; black or white, as can be read on the colour."""
    jobs = drawn.jobs["job"].astype(str)
    size = mpl.font_manager.FontProperties(size="x-small").get_size_in_points() / 72
    across, up = np.array(ax.figure.get_size_inches()) * (0.8, ax.get_position().height)
    (begin, end), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    shown = corners.clip([begin, bottom], [end, top])
    wide, high = (shown[:, 2] - shown[:, 0]).T * [[across / (end - begin)], [up / (top - bottom)]]
    largest = pd.Series(wide * high).groupby(drawn.boxes["row"].to_numpy()).idxmax()
    for row, box in largest.items():
        text = jobs.iat[row]
        if wide[box] > 0.62 * size * len(text) and high[box] > size:
            light = np.dot(faces[box][:3], (0.213, 0.715, 0.072)) > 0.45
            ax.text(*shown[box].mean(axis=0), text, ha="center", va="center", fontsize="x-small", gid="job", color="black" if light else "white")


def _waits(ax: Axes, drawn: Schedule) -> None:
    """From submission to start, at heights of their own beside the lowest processor."""
    first = drawn.boxes.groupby("row")["first"].min()
    jobs = drawn.jobs.loc[first.index].assign(low=first).sort_values("start").drop_duplicates("job")
    jobs = jobs[jobs["submit"] < jobs["start"]]
    heights = jobs["low"] + 0.2 + 0.1 * (np.arange(len(jobs)) * 3 % 7)
    ends = [[(submit, y), (start, y)] for submit, start, y in zip(jobs["submit"], jobs["start"], heights)]
    lines = LineCollection(ends, colors="#333333", linewidths=0.7)
    lines.set_gid("waits")
    ax.add_collection(lines)
    ax.plot(jobs["submit"], heights, linestyle="none", marker="|", markersize=4, color="#333333")


def _processor_axis(ax: Axes, drawn: Schedule, begin: float | None, end: float | None) -> None:
    first = drawn.jobs[["submit", "start"]].min().min() if begin is None else begin
    last = drawn.jobs["finish"].max() if end is None else end
    ax.set_xlim(first, last if last > first else first + 1)
    ax.set_ylim(0, drawn.processors)
    ax.set_ylabel("processors")
    if len(drawn.nodes):
        named = drawn.nodes[:: -(-len(drawn.nodes) // _MOST_NAMES)]
        ax.set_yticks((named["first"] + named["last"] + 1) / 2, [_labels.plain(name) for name in named["name"]])
        ax.set_ylabel("nodes")
    ax.grid(visible=False)
    _labels.measure(ax.xaxis, "time", drawn.time_unit, is_span=True)


def _tree_lines(ax: Axes, processors: int) -> None:
    """Between the trees A, B, … of gang scheduling: one for each set bit of the size, the largest first."""
    place = 0
    letters = iter("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for bit in reversed(range(processors.bit_length())):
        if processors >> bit & 1:
            if (1 << bit) > 0.06 * processors:  # else there is no room
                ax.text(1.005, place + (1 << bit) / 2, next(letters), transform=ax.get_yaxis_transform(), va="center", color=GREY)
            place += 1 << bit
            if place < processors:
                ax.axhline(place, color="black", linewidth=0.8)
