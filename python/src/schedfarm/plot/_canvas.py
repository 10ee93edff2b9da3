"""Sizes, colours and files of figures.

Styles are widths of journals: `column` (84 mm), `page` (174 mm), and `slides`; `screen` is what a page of HTML scales, to the width of a
telephone, too. The colours are those of Okabe and Ito, which readers who see few colours tell apart; markers and line styles repeat what
colours say, for print in black.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import pathlib
import re
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from .._new_file import write_file
from ..errors import RequestError, one_of
from . import _fit, _latex

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<")  # one more than colours
LINES = ("-", "--", "-.", ":")
GREY = "#6B6B6B"
EARLIER, LATER = COLOURS[0], COLOURS[1]

_WIDTHS = {"column": 3.31, "page": 6.85, "slides": 10.0, "screen": 4.6}
_FONTS = {"column": 7.5, "page": 8.5, "slides": 17.0, "screen": 8.0}
_RATIO = {"column": 0.78, "page": 0.52, "slides": 0.56, "screen": 0.6}
DEFAULT_STYLE = "column"

# What commands a terminal or turns a line around, may stand in the names of a foreign file and is no XML.
_COMMANDS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")

# Equal results make equal bytes.
_NO_DATES: dict[str, dict[str, None]] = {
    "svg": {"Date": None}, "pdf": {"CreationDate": None, "ModDate": None}, "png": {}, "pgf": {}
}

class Look(NamedTuple):
    """How a series is told from others."""

    colour: str
    marker: str
    line: str


def looks(count: int = 0) -> Iterator[Look]:
    """28 looks that differ in their lines where they follow one another, whatever is seen of their colours. Raises RequestError where more
    are needed: a figure whose lines cannot be told apart says nothing."""
    if count > len(COLOURS) * len(LINES):
        raise RequestError(f"{count} lines cannot be told apart in one figure. Choose cells with --select, or draw panels with --facet")
    for colour, marker, line in zip(itertools.cycle(COLOURS), itertools.cycle(MARKERS), itertools.cycle(LINES)):
        yield Look(colour, marker, line)


def style(name: str = DEFAULT_STYLE) -> dict[str, Any]:
    """The settings of a style: `plt.rcParams.update(style("page"))` or `with plt.rc_context(style("page"))`."""
    if name not in _WIDTHS:
        raise one_of("style", name, list(_WIDTHS), "Styles")
    size, width = _FONTS[name], _WIDTHS[name]
    thin = size / 11
    return {
        "figure.figsize": (width, width * _RATIO[name]),
        "figure.dpi": 100 if name == "slides" else 160,
        "font.size": size,
        "axes.titlesize": size,
        "axes.titlepad": max(6.0, 0.85 * size),  # above the highest number of y
        "axes.labelsize": size,
        "legend.fontsize": size * 0.93,
        "xtick.labelsize": size * 0.93,
        "ytick.labelsize": size * 0.93,
        "xtick.major.pad": max(3.5, 0.45 * size),  # below the lowest number of y
        "axes.linewidth": thin * 0.9,
        "xtick.major.width": thin * 0.9,
        "ytick.major.width": thin * 0.9,
        "lines.linewidth": thin * 1.7,
        "lines.markersize": size * 0.55,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "grid.linewidth": thin * 0.7,
        "grid.color": "#E3E3E3",
        "legend.frameon": False,
        "legend.handlelength": 2.2,
        "axes.formatter.useoffset": False,
        "pdf.fonttype": 42,
    }


def width(name: str | None) -> float:
    """Inches."""
    return _WIDTHS[name or DEFAULT_STYLE]


def font_size(name: str | None) -> float:
    """Points."""
    return _FONTS[name or DEFAULT_STYLE]


def height_of_rows(name: str | None, rows: float) -> float:
    """Inches that lines of text take, with the axis below them."""
    return (rows + 4.5) * 1.75 * font_size(name) / 72


@contextlib.contextmanager
def canvas(ax: Axes | None, style_name: str | None, height: float | None = None) -> Iterator[Axes]:
    """The axes given, or those of a new figure in a style; `height` in inches."""
    if ax is not None:
        if style_name is not None:
            raise RequestError("ax= and style= exclude each other (a style is that of a whole figure). Leave one out")
        yield ax
        return
    with plt.rc_context(style(style_name or DEFAULT_STYLE)):
        figure = plt.figure(layout="constrained")
        if height is not None:
            figure.set_size_inches(width(style_name), height)
        yield figure.add_subplot()
        _fit.fit(figure)


@contextlib.contextmanager
def panels(style_name: str | None, height: float, ratios: list[float], columns: int = 1, **shared: Any) -> Iterator[Any]:
    """The axes of a new figure of several panels."""
    with plt.rc_context(style(style_name or DEFAULT_STYLE)):
        figure = plt.figure(layout="constrained", figsize=(width(style_name), height))
        yield figure.subplots(len(ratios), columns, gridspec_kw={"height_ratios": ratios}, **shared)
        _fit.fit(figure)


def legend(ax: Axes, handles: list[Any] | None = None, title: str | None = None) -> None:
    """Beside the axes, for what is drawn may reach everywhere in them; of a whole figure it goes below. Nothing where it would say nothing."""
    shown = handles if handles is not None else ax.get_legend_handles_labels()[0]
    if shown:
        ax.legend(handles=shown, title=title, loc="upper left", bbox_to_anchor=(1, 1))


def save(drawn: Any, path: str | os.PathLike[str], **options: Any) -> str:
    """Writes a figure (or that of axes, or of an array of axes) as .pdf, .svg, .png or .pgf; returns the path. It is whole or as it was.

    Equal results make equal bytes: no dates, no random names."""
    name = os.fspath(path)
    kind = os.path.splitext(name)[1][1:].lower()
    if kind not in _NO_DATES:
        raise one_of("format", kind or name, list(_NO_DATES), "Figures are written as")
    dates: dict[str, Any] = {"metadata": _NO_DATES[kind]} if _NO_DATES[kind] else {}
    options.setdefault("dpi", 300)
    figure = figure_of(drawn)
    for text in figure.findobj(Text):
        text.set_text(_COMMANDS.sub("\ufffd", text.get_text()))
    with plt.rc_context({"svg.hashsalt": "schedfarm", **_latex.SETTINGS}), _fit.any_glyphs():
        with _latex.escaped_texts(figure) if kind == "pgf" else contextlib.nullcontext():
            if kind == "pgf":  # may write pictures beside it
                with tempfile.TemporaryDirectory() as folder:
                    figure.savefig(os.path.join(folder, os.path.basename(name)), format=kind, **dates, **options)
                    for written in sorted(pathlib.Path(folder).iterdir()):
                        write_file(os.path.join(os.path.dirname(name), written.name), written.read_bytes())
            else:
                memory = io.BytesIO()
                figure.savefig(memory, format=kind, **dates, **options)
                write_file(name, memory.getvalue())
    return name


def figure_of(drawn: Any) -> Figure:
    """The figure of a figure, of axes, or of an array of axes."""
    if hasattr(drawn, "savefig"):
        return drawn
    return getattr(drawn, "flat", [drawn])[0].figure


def close(drawn: Any) -> None:
    """Forgets a figure that pyplot would keep."""
    plt.close(figure_of(drawn))


def rasterized_beyond(count: int, limit: int = 3000) -> bool:
    """Whether so many shapes are better pixels in a vector file."""
    return count > limit


