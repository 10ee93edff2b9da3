"""Figures for LaTeX: matplotlib's PGF output hands texts to TeX nearly as they are; names of campaigns are no TeX."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Any

from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

# What pdflatex does not know.
_SYMBOLS = {"ρ": r"\ensuremath{\rho}", "−": r"\ensuremath{-}", "≤": r"\ensuremath{\le}", "≥": r"\ensuremath{\ge}"}
_SPECIAL = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
            **{letter: "\\" + letter for letter in "{}&#_%"}, **_SYMBOLS}
_MATHEMATICS = re.compile(r"((?<!\\)\$.*?(?<!\\)\$)")

# In the fonts of the document.
SETTINGS: dict[str, Any] = {
    "pgf.texsystem": "pdflatex",
    "pgf.rcfonts": False,
    "pgf.preamble": r"\DeclareUnicodeCharacter{2212}{\ensuremath{-}}",  # of tick labels
}


def escaped(text: str) -> str:
    """A text in which nothing but its own mathematics is TeX; `\\$` is a dollar.

    >>> print(escaped("50 % of $x_1$ & y_2"))
    50 \\% of $x_1$ \\& y\\_2
    """
    parts = _MATHEMATICS.split(text)
    for place in range(0, len(parts), 2):
        dollars = parts[place].split(r"\$")
        parts[place] = r"\$".join("".join(_SPECIAL.get(letter, letter) for letter in words) for words in dollars)
    return "".join(parts)


@contextlib.contextmanager
def escaped_texts(figure: Figure) -> Iterator[None]:
    """Every text of a figure escaped, for a while."""
    texts = [(text, text.get_text()) for text in figure.findobj(Text)]
    axes = [axis for ax in figure.axes for axis in (ax.xaxis, ax.yaxis)]
    formatters = [(axis, axis.get_major_formatter()) for axis in axes
                  if isinstance(axis.get_major_formatter(), FuncFormatter)]
    for text, words in texts:
        text.set_text(escaped(words))
    for axis, formatter in formatters:
        axis.set_major_formatter(FuncFormatter(_escaping(formatter)))
    try:
        yield
    finally:
        for text, words in texts:
            text.set_text(words)
        for axis, formatter in formatters:
            axis.set_major_formatter(formatter)


def _escaping(formatter: Any) -> Any:
    return lambda value, place=None: escaped(str(formatter(value, place)))
