"""Texts of a figure find their room: constrained layout places axes and what is written beside them; names and labels are broken into lines;
the legend stands below everything, in a strip of its own, and the figure grows by it.

Names of policies hold commas, brackets and lists of numbers, and a column of a journal is 84 mm wide.
"""

from __future__ import annotations

import contextlib
import functools
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import AutoLocator, FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, ScalarFormatter

from .._labels import with_unit
from .._words import grouped, time_unit

FIELD = "field"  # the gid of a number that has to stay inside of its field, of 1 × 1 in data
_GAP = 4.0  # points between texts
_LEAST = 5.0  # points: smaller is not read
_LEAST_SHARE = 0.62  # of its place in the grid, that axes have without their texts
_LONGEST_NAME = 0.42  # of a figure's width: what names of rows may take
_NUMBER = r"(?<=\d),(?=\d{3})|(?<=\d) (?=(?:min|[shd])\b|%)"  # what stands in a number, or before its unit
_PARTS = re.compile(rf"\(?(?:[^\s,(=/_-]|{_NUMBER})*(?:[,(=/_-]+\s*|\s+|$)")


def fit(figure: Figure) -> None:
    """Needs a figure whose layout is its own."""
    with any_glyphs():
        _fit(figure)


@contextlib.contextmanager
def any_glyphs() -> Iterator[None]:
    """Without words of matplotlib on characters that its font lacks: a name may hold any."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        yield


def _fit(figure: Figure) -> None:
    shown = [ax for ax in figure.axes if ax.get_visible()]
    for ax in shown:
        _set_times(ax)
    _group(shown)
    legend = _legend(figure, [ax for ax in shown if ax.get_legend()])
    for ax in shown:
        _break_names(ax)
        _break_titles(ax, 0.7)  # a title that is longer than the figure leaves no layout to begin with
    _lay_out(figure)
    for ax in shown:
        _break_labels(ax)
    _grow(figure, shown, legend)
    for ax in shown:
        _thin_out(ax, "x")
        _thin_out(ax, "y")
        _fields(ax)


class _Grouped(ScalarFormatter):  # type: ignore[misc]
    """Numbers in full, without a power of ten apart from them: `20,000,000`."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)
        self.set_powerlimits((-5, 12))

    def __call__(self, x: float, pos: int | None = None) -> str:
        return re.sub(r"^(\D*)(\d{4,})", lambda found: f"{found[1]}{int(found[2]):,}", super().__call__(x, pos))


class _InUnit:
    """Ticks at round numbers of a unit of time on an axis of seconds."""

    unit = 1.0

    def tick_values(self, vmin: float, vmax: float) -> Any:
        return np.asarray(super().tick_values(vmin / self.unit, vmax / self.unit)) * self.unit  # type: ignore[misc]


class _Linear(_InUnit, AutoLocator):  # type: ignore[misc]
    pass


class _Logarithmic(_InUnit, LogLocator):  # type: ignore[misc]
    pass


def _set_times(ax: Axes) -> None:
    """Axes of seconds in minutes, hours or days, logarithmic ones with numbers in full."""
    for axis in (ax.xaxis, ax.yaxis):
        kind, _, asked = str(axis.label.get_gid()).partition(" ")
        low, high = axis.get_view_interval()
        unit, own = time_unit("s" if kind in ("times", "span") else "", [high - low] if kind == "span" else [low, high], asked)
        if unit and axis.get_label_text():  # of inner panels there is none
            axis.set_label_text(with_unit(axis.get_label_text().removesuffix(" (s)"), unit), gid=None)
        is_logarithmic = type(axis.get_major_locator()) is LogLocator
        if is_logarithmic or (own > 1 and not isinstance(axis.get_major_locator(), _InUnit)):
            if is_logarithmic:
                axis.set_minor_locator(_in(own, _Logarithmic(subs=np.arange(2.0, 10.0))))
            axis.set_major_locator(_in(own, _Logarithmic(subs=(1.0, 2.0, 5.0) if high < 100 * low else (1.0,)) if is_logarithmic else _Linear()))
            axis.set_major_formatter(FuncFormatter(functools.partial(_in_unit, own)))


def _in(unit: float, locator: Any) -> Any:
    locator.unit = unit
    return locator


def _in_unit(own: float, time: float, _place: int | None = None) -> str:
    return grouped(float(f"{time / own:.6g}")).replace("-", "\N{MINUS SIGN}")


def _group(shown: list[Axes]) -> None:
    """Sets numbers so, and keeps their size, by which matplotlib chooses how many there are, beyond the style."""
    for ax in shown:
        ax.tick_params(labelsize=rcParams["xtick.labelsize"])
    for axis in [axis for ax in shown for axis in (ax.xaxis, ax.yaxis)]:
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(_Grouped())
        axis.set_minor_formatter(NullFormatter())


def _lay_out(figure: Figure) -> bool:
    """Whether there was room for axes at all."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure.draw_without_rendering()
    return not told


def _legend(figure: Figure, having: list[Axes]) -> float:
    """Inches that it takes below everything, in as many columns as have room."""
    if not having:
        return 0.0
    first = having[0].get_legend()
    handles, title = handles_of(having[0]), first.get_title().get_text() or None
    texts = first.get_texts()
    wide = 0.97 * figure.bbox.width
    mark = first.get_window_extent(figure.canvas.get_renderer()).width - max(_box(text).width for text in texts)
    for text in texts:
        _wrap(text, wide - mark)
    columns = int(np.clip(wide // (max(_box(text).width for text in texts) + mark), 1, len(texts)))
    legend = having[0].legend(handles=handles, labels=[text.get_text() for text in texts], title=title, loc="lower center", bbox_to_anchor=(0.5, 0),
                              bbox_transform=figure.transFigure, ncols=columns, borderaxespad=0.3, columnspacing=1.0)
    legend.set_in_layout(False)
    return float(float(legend.get_window_extent(figure.canvas.get_renderer()).height + room(figure)) / figure.dpi)


def handles_of(ax: Axes) -> list[Any]:
    """What the legend was made of: points with intervals are seen as such."""
    handles, names = ax.get_legend_handles_labels()
    legend = ax.get_legend()
    return list(handles if names == [text.get_text() for text in legend.get_texts()] else legend.legendHandles)


def _grow(figure: Figure, shown: list[Axes], legend: float) -> None:
    """Makes the figure higher by the legend, and where texts leave axes too little of their place or rows too little for their names."""
    figure.set_figheight(figure.get_figheight() + legend)
    for _ in range(5):
        share = legend / figure.get_figheight()
        figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
        if not _lay_out(figure):
            figure.set_figheight(1.3 * figure.get_figheight())
            continue
        if any([_break_titles(ax) | _break_labels(ax) for ax in shown]):
            _lay_out(figure)
        lacking = [max(_lacking_height(ax, 1 - share), _lacking_rows(ax)) for ax in shown if hasattr(ax, "get_subplotspec")]
        if max(lacking, default=0) <= 1:
            return
        down = max(ax.get_subplotspec().get_gridspec().nrows for ax in shown if hasattr(ax, "get_subplotspec"))
        figure.set_figheight(figure.get_figheight() + 1.05 * down * max(lacking) / figure.dpi)


def _lacking_height(ax: Axes, share: float) -> float:
    """Pixels that the axes are too low for their place in that share of the figure."""
    least = _LEAST_SHARE * share * ax.get_subplotspec().get_position(ax.figure).height * ax.figure.bbox.height
    return max(0.0, float((least - ax.bbox.height) / (1 - _LEAST_SHARE)))


def _lacking_rows(ax: Axes) -> float:
    """Pixels that names of rows, with half of the room between texts, are too high for their rows."""
    if not isinstance(ax.yaxis.get_major_locator(), FixedLocator):
        return 0.0
    boxes = sorted((_box(label) for label in labels_of_ticks(ax, "y")), key=lambda box: float(box.y0))
    closer = max(((one.height + other.height + room(ax.figure)) / max(1e-9, other.y0 + other.y1 - one.y0 - one.y1) for one, other in zip(boxes, boxes[1:])), default=0.0)
    return float((closer - 1) * ax.bbox.height)


def wrapped(text: str, length: int) -> str:
    """Lines of at most this many letters where that can be: broken behind spaces and marks, what is much longer anywhere.

    >>> print(wrapped("partitions(inner=easy, route=queue)", 16))
    partitions(
    inner=easy,
    route=queue)
    >>> print(wrapped("jobs of 12 h, 601 to 3,000", 12))
    jobs of
    12 h, 601 to
    3,000
    """
    if len(text) <= length:
        return text
    if re.search(r"(?<!\\)\$", text):  # mathematics has no spaces
        parts = re.findall(r"\S+\s*", text)
    else:
        parts = [part for word in _PARTS.findall(text)
                 for part in (re.findall(rf"(?:\\.|[^\\]){{1,{max(length, 1)}}}", word) if len(word) > 2 * length else [word])]
    lines = [""]
    for part in parts:
        if lines[-1] and len((lines[-1] + part).rstrip()) > length:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip(" ") for line in lines)


def unwrapped(text: str) -> str:
    """The text that was broken.

    >>> unwrapped(wrapped("partitions(inner=easy, route=queue)", 16))
    'partitions(inner=easy, route=queue)'
    """
    return re.sub(r"(?<=[(=/_-])\n", "", text).replace("\n", " ")


def room(figure: Figure) -> float:
    """Pixels that stay free between texts."""
    return float(_GAP * figure.dpi / 72)


def _break_names(ax: Axes) -> None:
    """Names at ticks; below columns they stand upright where they are longer than a column is wide."""
    for axis in (ax.xaxis, ax.yaxis):
        if not isinstance(axis.get_major_locator(), FixedLocator):
            continue
        labels = [tick.label1 for tick in axis.get_major_ticks()]
        if any([_wrap(label, _LONGEST_NAME * ax.figure.bbox.width) for label in labels]):
            axis.set_ticklabels([label.get_text() for label in labels])
    names = [tick.label1 for tick in ax.xaxis.get_major_ticks()] if FIELD in {text.get_gid() for text in ax.texts} else []
    if names and max(_box(name).width for name in names) + room(ax.figure) > 0.6 * ax.bbox.width / len(names):
        ax.tick_params(axis="x", labelrotation=90)


def _thin_out(ax: Axes, which: str) -> None:
    """Leaves as many numbers at ticks as have room."""
    axis = getattr(ax, f"{which}axis")
    for bins in (5, 4, 3, 2, 1):
        if not isinstance(axis.get_major_locator(), MaxNLocator) or not _meet(ax, which):
            break
        axis.get_major_locator().set_params(nbins=bins)
        _lay_out(ax.figure)
    if FIELD in {text.get_gid() for text in ax.texts} or not _meet(ax, which):
        return
    kept: list[Text] = []
    for label in labels_of_ticks(ax, which):
        if not kept or not _boxes_meet(kept[-1], label):
            kept.append(label)
    places = [tick.get_loc() for tick in axis.get_major_ticks() if tick.label1 in kept]
    axis.set_ticks(places, [label.get_text() for label in kept])


def _break_labels(ax: Axes) -> bool:
    """Whether there were other lines. Labels of axes are no longer than their axes, or than what is left of the figure."""
    middle = (ax.bbox.x0 + ax.bbox.x1) / 2
    beside = ax.bbox.x1 if ax.xaxis.label.get_ha() == "right" else 2 * min(middle, ax.figure.bbox.x1 - middle)
    upright = ax.yaxis.label.get_rotation() == 90
    return _break_anew([(ax.xaxis.label, beside if len(ax.figure.axes) == 1 else ax.bbox.width), *[(ax.yaxis.label, ax.bbox.height)] * upright])


def _break_titles(ax: Axes, share: float = 1.0) -> bool:
    """Whether there were other lines. The title on the right may reach beyond the axes to the left."""
    titles = ((ax._left_title, ax.bbox.width), (ax._right_title, ax.bbox.x1), (ax.figure._suptitle, 0.97 * ax.figure.bbox.width))
    return hasattr(ax, "get_subplotspec") and _break_anew([(title, share * most) for title, most in titles if title is not None])


def _break_anew(texts: list[tuple[Text, float]]) -> bool:
    """Texts with the pixels that each has. Whether one has other lines than before."""
    before = [text.get_text() for text, _ in texts]
    for text, most in texts:
        text.set_text(unwrapped(text.get_text()))
        _wrap(text, most)
    return before != [text.get_text() for text, _ in texts]


def _fields(ax: Axes) -> None:
    """Numbers in fields are as small as their fields need; where that is too small to read, upright, else gone."""
    texts = [text for text in ax.texts if text.get_gid() == FIELD]
    if not texts:
        return
    (x0, y0), (x1, y1) = ax.transData.transform([(0, 0), (1, 1)])
    wide, high = abs(x1 - x0) - 2, abs(y1 - y0) - 2
    boxes = [_box(text) for text in texts]
    width, height = max(box.width for box in boxes), max(box.height for box in boxes)
    size = texts[0].get_size()
    for across, up, angle in ((wide, high, 0), (high, wide, 90)):
        fitting = size * min(1.0, across / width, up / height)
        if fitting >= _LEAST:
            for text in texts:
                text.set(size=fitting, rotation=angle)
            return
    for text in texts:
        text.set_visible(False)


def labels_of_ticks(ax: Axes, which: str) -> list[Text]:
    """Those within the limits, in order."""
    axis = getattr(ax, f"{which}axis")
    if not axis.get_visible() or not ax.axison:
        return []
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    return [tick.label1 for tick in axis.get_major_ticks()
            if tick.label1.get_visible() and tick.label1.get_text() and low - slack <= tick.get_loc() <= high + slack]


def _meet(ax: Axes, which: str) -> bool:
    """Whether neighbours among the labels of an axis do."""
    labels = labels_of_ticks(ax, which)
    return any(_boxes_meet(one, other) for one, other in zip(labels, labels[1:]))


def _boxes_meet(one: Text, other: Text) -> bool:
    gap = room(one.figure) / 2
    a, b = _box(one), _box(other)
    return bool(a.x0 < b.x1 + gap and b.x0 < a.x1 + gap and a.y0 < b.y1 and b.y0 < a.y1)


def _wrap(text: Text, most: float) -> bool:
    """Breaks a text into lines of this many pixels; whether it had to. Letters differ in width, so that lines of a number of letters may still be too
    long: then of somewhat fewer, where that helps."""
    words, angle = text.get_text(), text.get_rotation()
    text.set_rotation(0)
    width = _box(text).width
    if words.strip() and width > most:
        length = int(max(map(len, words.split("\n"))) * most / width)
        tried = [wrapped(unwrapped(words), max(6, letters)) for letters in range(length, 2 * length // 3, -1)] or [wrapped(unwrapped(words), 6)]
        text.set_text(next((lines for lines in dict.fromkeys(tried) if text.set_text(lines) or _box(text).width <= most), tried[0]))
    text.set_rotation(angle)
    return bool(text.get_text() != words)


def _box(text: Text) -> Any:
    return text.get_window_extent(text.figure.canvas.get_renderer())
