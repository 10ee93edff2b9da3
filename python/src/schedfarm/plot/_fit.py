"""Texts of a figure find their room: what would meet another text or the edge is broken into lines, then turned or made smaller.

A figure whose texts have room stays as it is. Names of policies hold commas, brackets and lists of numbers, and a column of a
journal is 84 mm wide.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FixedLocator, MaxNLocator, ScalarFormatter
from matplotlib.transforms import ScaledTranslation

BELOW = "below"  # the gid of a legend that has to stand below its axes
FIELD = "field"  # the gid of a number that has to stay inside of its field, of 1 × 1 in data
_GAP = 4.0  # points between texts
_LEAST = 5.0  # points: smaller is not read
_LEAST_SHARE = 0.62  # of its place in the grid, that axes have without their texts
_LONGEST_NAME = 0.42  # of a figure's width: what names of rows may take
_PARTS = re.compile(r"[^\s,(=/_-]*[\s,(=/_-]*")


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
    _group(shown)
    for ax in shown:  # what is longer than the figure leaves no layout to begin with
        _shorten(ax)
    _lay_out(figure)
    for change in (_rows, _columns, _labels, _legend, _titles):
        if any([change(ax) for ax in shown]):
            _lay_out(figure)
    _grow(figure)
    if any([_unbreak(ax.yaxis.label, ax.bbox.height) for ax in shown]):
        _lay_out(figure)
    for ax in shown:
        _thin_out(ax, "y")
        _fields(ax)


class _Grouped(ScalarFormatter):  # type: ignore[misc]
    """Numbers in full, without a power of ten apart from them: `20,000,000`."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)
        self.set_powerlimits((-5, 12))

    def __call__(self, x: float, pos: int | None = None) -> str:
        return re.sub(r"^(\D*)(\d{4,})", lambda found: f"{found[1]}{int(found[2]):,}", super().__call__(x, pos))


def _group(shown: list[Axes]) -> None:
    for axis in [axis for ax in shown for axis in (ax.xaxis, ax.yaxis)]:
        if type(axis.get_major_formatter()) is ScalarFormatter:
            axis.set_major_formatter(_Grouped())


def _lay_out(figure: Figure) -> bool:
    """Whether there was room for axes at all."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure.draw_without_rendering()
    return not told


def _shorten(ax: Axes) -> None:
    figure = ax.figure.bbox
    if isinstance(ax.yaxis.get_major_locator(), FixedLocator):
        _wrap_names(ax.yaxis, _LONGEST_NAME * figure.width)
    if isinstance(ax.xaxis.get_major_locator(), FixedLocator):
        _wrap_names(ax.xaxis, _LONGEST_NAME * figure.width)
    for text in ax.get_legend().get_texts() if ax.get_legend() else []:
        _wrap(text, 0.8 * figure.width)
    if hasattr(ax, "get_subplotspec"):
        _stack_titles(ax, 0.7 * ax.get_subplotspec().get_position(ax.figure).width * figure.width)


def _grow(figure: Figure) -> None:
    """Makes the figure higher where texts leave axes too little of their place."""
    for _ in range(5):
        if not _lay_out(figure):
            figure.set_figheight(1.3 * figure.get_figheight())
            continue
        places = [(ax, ax.get_subplotspec()) for ax in figure.axes if ax.get_visible() and hasattr(ax, "get_subplotspec")]
        lacking = [_LEAST_SHARE * place.get_position(figure).height * figure.bbox.height - ax.bbox.height for ax, place in places]
        if max(lacking, default=0) <= 1:
            return
        down = max(place.get_gridspec().nrows for _, place in places)
        figure.set_figheight(figure.get_figheight() + 1.05 * down * max(lacking) / (1 - _LEAST_SHARE) / figure.dpi)
    _lay_out(figure)


def wrapped(text: str, length: int) -> str:
    """Lines of at most this many letters where that can be: broken behind spaces and marks, what is much longer anywhere.

    >>> print(wrapped("partitions(inner=easy, route=queue)", 16))
    partitions(
    inner=easy,
    route=queue)
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


def room_between(ax: Axes) -> float:
    """Pixels that stay free between texts."""
    return float(_GAP * ax.figure.dpi / 72)


def _rows(ax: Axes) -> bool:
    """Names of rows have the height that their lines need; numbers are thinned out."""
    if not isinstance(ax.yaxis.get_major_locator(), FixedLocator):
        return _thin_out(ax, "y")
    lacking = _lacking(_shown(ax, "y"))
    if lacking > 1:
        ax.figure.set_figheight(ax.figure.get_figheight() * (1 + (lacking - 1) * ax.bbox.height / ax.figure.bbox.height))
    return lacking > 1


def _columns(ax: Axes) -> bool:
    """Names below columns: in lines, else slanted, else upright; numbers are thinned out."""
    if not isinstance(ax.xaxis.get_major_locator(), FixedLocator):
        return _thin_out(ax, "x")
    if not _meet(_shown(ax, "x")):
        return False
    together = [one for one in ax.get_shared_x_axes().get_siblings(ax) if one.get_visible()]  # have the same names
    names = [unwrapped(tick.label1.get_text()) for tick in ax.xaxis.get_major_ticks()]
    places = ax.transData.transform([(place, 0) for place in sorted(ax.get_xticks())])[:, 0]
    spacing = min(np.diff(places), default=ax.bbox.width) - room_between(ax)
    for angle in (0.0, 35.0, 90.0):
        ax.xaxis.set_ticklabels(names)
        for one in together:
            _turn(one, 0)
        boxes = [_box(tick.label1) for tick in ax.xaxis.get_major_ticks()]
        lines = max(1, int(spacing * np.sin(np.deg2rad(angle)) / (1.25 * max(box.height for box in boxes))))
        if angle == 35 and max(box.width for box in boxes) / lines > 0.5 * ax.bbox.width:
            continue  # it would reach far to the left of the axes
        _wrap_names(ax.xaxis, spacing if angle == 0 else 1.15 * max(box.width for box in boxes) / lines)
        if angle == 0 and any(re.search(r"[^\s,(=/_-]\n", tick.label1.get_text()) for tick in ax.xaxis.get_major_ticks()):
            continue  # broken inside of a word
        for one in together:
            _turn(one, angle)
        _lay_out(ax.figure)
        if not any(_meet(_shown(one, "x")) for one in together):
            break
    return True


def _thin_out(ax: Axes, which: str) -> bool:
    """Whether numbers at ticks met; as many are left as have room."""
    axis = getattr(ax, f"{which}axis")
    for bins in (5, 4, 3, 2, 1):
        if not _meet(_shown(ax, which)) or not isinstance(axis.get_major_locator(), MaxNLocator):
            return bins < 5
        axis.get_major_locator().set_params(nbins=bins)
        _lay_out(ax.figure)
    if _meet(_shown(ax, which)):
        axis.set_major_locator(FixedLocator([max(tick.get_loc() for tick in axis.get_major_ticks() if tick.label1 in _shown(ax, which))]))
    return True


def _wrap_names(axis: Any, most: float) -> bool:
    """Whether some name of a tick is longer than that many pixels."""
    labels = [tick.label1 for tick in axis.get_major_ticks()]
    changed = any([_wrap(label, most) for label in labels])
    if changed:
        axis.set_ticklabels([label.get_text() for label in labels])
    return changed


def _turn(ax: Axes, angle: float) -> None:
    upright = {"ha": "center", "va": "top", "rotation_mode": "default"}
    slanted = {"ha": "right", "va": "top" if angle < 90 else "center", "rotation_mode": "anchor"}
    for tick in ax.xaxis.get_major_ticks():
        tick.label1.set(rotation=angle, **(slanted if angle else upright))


def _labels(ax: Axes) -> bool:
    """Labels of axes are no longer than their axes, or than what is left of the figure."""
    along, up = ax.xaxis.label, ax.yaxis.label
    changed = _wrap(along, max(ax.bbox.width, 0.9 * ax.figure.bbox.width if len(ax.figure.axes) == 1 else 0))
    if up.get_rotation() == 90:
        changed |= _wrap(up, ax.bbox.height)
    sup = (getattr(ax.figure, "_supxlabel", None), getattr(ax.figure, "_supylabel", None))
    for text, most in zip(sup, (ax.figure.bbox.width, ax.figure.bbox.height)):
        if text is not None:
            changed |= _wrap(text, 0.95 * most)
    return changed


def _titles(ax: Axes) -> bool:
    """What stands above the axes on the left and on the right, in lines of its own where both do not fit beside one another."""
    right = ax._right_title
    begin = _box(ax.yaxis.label).x0 if right.get_text() and ax.yaxis.label.get_text() and len(ax.figure.axes) == 1 else ax.bbox.x0
    changed = _wrap(right, ax.bbox.x1 - max(begin, ax.figure.bbox.x0))
    return _stack_titles(ax, ax.bbox.width) or changed


def _stack_titles(ax: Axes, most: float) -> bool:
    """Whether the title on the left had to be broken into lines of this many pixels, or to take in that on the right."""
    left, right = ax._left_title, ax._right_title
    beside = _box(right).width + room_between(ax) if right.get_text() else 0.0
    if not left.get_text() or _box(left).width + beside <= most:
        return False
    _wrap(left, most)
    if right.get_text():
        left.set_text(f"{left.get_text()}\n{right.get_text()}")
        right.set_text("")
    return True


def _legend(ax: Axes) -> bool:
    """A legend that is wider than its axes, or as high, goes below them in as many columns as have room."""
    legend = ax.get_legend()
    if legend is None:
        return False
    box, room = legend.get_window_extent(), ax.bbox
    figure = ax.figure
    fits = box.width <= room.width and (box.height <= 0.5 * room.height or not _is_inside(box, room))
    if legend.get_gid() != BELOW and fits and box.x0 >= figure.bbox.x0 - 1 and box.x1 <= figure.bbox.x1 + 1 and not _covers(ax, box):
        return False
    below(ax, _handles_of(ax), legend.get_title().get_text() or None)
    return True


def below(ax: Axes, handles: list[Any], title: str | None = None) -> None:
    """A legend below the axes and what is written there, in as many columns as have room. Not before the texts there are as they stay."""
    figure = ax.figure
    labels = [str(handle.get_label()) for handle in handles]
    first = ax.legend(handles=handles, labels=labels, title=title, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=1)
    _lay_out(figure)
    panels = [one for one in figure.axes if hasattr(one, "get_subplotspec")]
    is_single = len(panels) == 1 or not hasattr(ax, "get_subplotspec")
    wide = 0.97 * figure.bbox.width if is_single else 0.9 * ax.get_subplotspec().get_position(figure).width * figure.bbox.width
    mark = first.get_window_extent().width - max(_box(text).width for text in first.get_texts())
    changed = any([_wrap(text, wide - mark) for text in first.get_texts()])
    labels = [text.get_text() for text in first.get_texts()]
    if changed:
        _lay_out(figure)
    one = max(_box(text).width for text in first.get_texts()) + mark
    columns = int(np.clip(wide // one, 1, len(labels)))
    under = _under(ax)
    middle = (figure.bbox.x0 + figure.bbox.x1) / 2 if is_single else (ax.bbox.x0 + ax.bbox.x1) / 2
    anchor = ax.transAxes + ScaledTranslation(0, -under / figure.dpi, figure.dpi_scale_trans)
    legend = ax.legend(handles=handles, labels=labels, title=title, loc="upper center", bbox_to_anchor=((middle - ax.bbox.x0) / ax.bbox.width, 0),
                       bbox_transform=anchor, ncols=columns, borderaxespad=0.3, columnspacing=1.0)
    legend.set_gid(BELOW)


def _under(ax: Axes) -> float:
    """Pixels that ticks and label take below the axes."""
    box = ax.xaxis.get_tightbbox(ax.figure.canvas.get_renderer())
    return 0.0 if box is None else max(0.0, float(ax.bbox.y0 - box.y0))


def _handles_of(ax: Axes) -> list[Any]:
    """What the legend shows, called as it calls it."""
    legend = ax.get_legend()
    labels = [unwrapped(text.get_text()) for text in legend.get_texts()]
    handles: list[Any]
    handles, names = ax.get_legend_handles_labels()
    if names != labels:  # of its own
        handles = list(legend.legend_handles if hasattr(legend, "legend_handles") else legend.legendHandles)
    for handle, label in zip(handles, labels):
        handle.set_label(label)
    return handles


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


def _shown(ax: Axes, which: str) -> list[Text]:
    """The labels of ticks within the limits, in order."""
    axis = getattr(ax, f"{which}axis")
    if not axis.get_visible() or not ax.axison:
        return []
    low, high = sorted(axis.get_view_interval())
    slack = 1e-9 * (high - low)
    return [tick.label1 for tick in axis.get_major_ticks()
            if tick.label1.get_visible() and tick.label1.get_text() and low - slack <= tick.get_loc() <= high + slack]


def _meet(labels: list[Text]) -> bool:
    """Whether neighbours among the labels of an axis do."""
    return any(meet(_corners(one), _corners(other)) for one, other in zip(labels, labels[1:]))


def _lacking(labels: list[Text]) -> float:
    """How many times closer than they may be the closest labels of y are."""
    boxes = sorted((_box(label) for label in labels), key=lambda box: float(box.y0))
    return max(((one.height + other.height) / max(1e-9, other.y0 + other.y1 - one.y0 - one.y1) for one, other in zip(boxes, boxes[1:])), default=0.0)


def _wrap(text: Text, most: float) -> bool:
    """Breaks a text into lines of this many pixels; whether it had to."""
    words = text.get_text()
    angle = text.get_rotation()
    text.set_rotation(0)
    width = _box(text).width
    text.set_rotation(angle)
    if not words.strip() or width <= most:
        return False
    longest = max(map(len, words.split("\n")))
    text.set_text(wrapped(unwrapped(words), max(6, int(longest * most / width))))
    return bool(text.get_text() != words)


def _unbreak(text: Text, most: float) -> bool:
    """Whether a text that runs upwards has room again in one line of this many pixels."""
    words = text.get_text()
    text.set_text(unwrapped(words))
    if "\n" not in words or _box(text).height <= most:
        return "\n" in words
    text.set_text(words)
    return False


def _box(text: Text) -> Any:
    return text.get_window_extent(text.figure.canvas.get_renderer())


def _is_inside(box: Any, room: Any) -> bool:
    return bool(room.y0 - 1 <= box.y0 and box.y1 <= room.y1 + 1)


def _covers(ax: Axes, box: Any) -> bool:
    """Whether it lies over ticks or labels of its axes."""
    texts = [*_shown(ax, "x"), *_shown(ax, "y"), ax.xaxis.label, ax.yaxis.label, ax.title, ax._left_title, ax._right_title]
    corners = np.array([[box.x0, box.y0], [box.x1, box.y0], [box.x1, box.y1], [box.x0, box.y1]])
    return any(meet(corners, _corners(text)) for text in texts if text.get_text().strip())


def _corners(text: Text) -> Any:
    """Of the rectangle of a text, turned as it is."""
    box, angle = _box(text), np.deg2rad(text.get_rotation())
    wide, high = box.width, box.height
    if not np.isclose(np.sin(2 * angle), 0):
        c, s = abs(np.cos(angle)), abs(np.sin(angle))
        wide, high = (box.width * c - box.height * s) / (c * c - s * s), (box.height * c - box.width * s) / (c * c - s * s)
    elif np.isclose(np.cos(angle), 0):
        return np.array([[box.x0, box.y0], [box.x1, box.y0], [box.x1, box.y1], [box.x0, box.y1]])
    corners = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return corners @ turn.T + [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2]


def meet(one: Any, other: Any) -> bool:
    """Whether two convex shapes, given by their corners, have a common inside of more than a pixel."""
    for shape in (one, other):
        for begin, end in zip(shape, np.roll(shape, -1, axis=0)):
            normal = np.array([begin[1] - end[1], end[0] - begin[0]])
            length = np.hypot(*normal)
            if length == 0:
                return False
            a, b = one @ normal / length, other @ normal / length
            if a.max() <= b.min() + 1 or b.max() <= a.min() + 1:
                return False
    return True
