"""Sections as tables of LaTeX: booktabs, one tabular each, as wide as its cells; what is wider than a line is scaled to it, and columns of
long texts are broken into lines. One float each, of several where the rows are more than a page has."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from .._terminal import VERBATIM, Table, cleaned

PACKAGES = "% Needs \\usepackage{array,booktabs,graphicx}\n"
_PAGE_WIDTH = 80  # digits of 8 pt that stand beside each other in the 345 pt of an article
_PAGE_LINES = 48  # lines of 9.5 pt that leave place for the caption on a page of 550 pt
_LONGEST_CELL = 40  # of texts that are not broken into lines
_DIGIT_EM = 0.5
_SIZE = "\\footnotesize\\setlength{\\tabcolsep}{4pt}\n"
_RESIZE = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"

# LaTeX's first font has other characters at the places of < and >, and none of the rest.
_SIGNS = str.maketrans({
    "\n": " ", "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "&": "\\&", "%": "\\%", "$": "\\$",
    "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}", "<": "$<$", ">": "$>$", "|": "$|$", "±": "$\\pm$", "−": "$-$", "≤": "$\\le$",
    "≥": "$\\ge$", "×": "$\\times$", "→": "$\\to$", "²": "$^2$", "√": "$\\surd$", "∞": "$\\infty$", "γ": "$\\gamma$",
    "ε": "$\\varepsilon$", "κ": "$\\kappa$", "μ": "$\\mu$", "σ": "$\\sigma$", "α": "$\\alpha$", "λ": "$\\lambda$", "ρ": "$\\rho$"})
_MINUS, _HYPHEN = "\ue000", "\ue001"  # not in texts: they stand for what is written when the signs are


def latex_text(text: str) -> str:
    """A minus sign is that of a negative number or between two terms, not of a range, a date or a name; -- would be a dash."""
    text = re.sub(r"^-(?=[0-9.])|(?<=[ \[(,<])-(?=[0-9. ])", _MINUS, text)
    text = re.sub(r"-(?=-)", _HYPHEN, text)
    return text.translate(_SIGNS).replace(_MINUS, "$-$").replace(_HYPHEN, "-{}")


def tables(given: Table) -> str:
    """Labelled for a whole paper."""
    found = cleaned(given)
    begin = f"\\begin{{table}}\n\\centering\n\\caption{{{latex_text(found.title)}"
    label = "tab:" + re.sub("[^A-Za-z0-9]+", "-", found.label or found.title).lstrip("-")
    text = f"% {latex_text(found.source)}\n" if found.source else ""
    text += f"{begin}}}\n\\label{{{label}}}\n{_SIZE}"
    used = 0
    for lines, piece in _pieces(found):
        if used > 0 and used + lines > _PAGE_LINES:
            text += f"\\end{{table}}\n{begin} (continued)}}\n{_SIZE}"
            used = 0
        text += ("\n\\smallskip\n" if used else "") + piece
        used += lines + 1
    return text + "\\end{table}\n"


def _pieces(found: Table) -> Iterator[tuple[int, str]]:
    """What is never divided between two floats, and in how many lines."""
    if found.columns:
        yield from _tabulars(found)
    for note in found.notes:
        font = "\\ttfamily" if note.startswith(VERBATIM) else ""
        yield math.ceil(len(note) / _PAGE_WIDTH), f"{{\\raggedright{font} {latex_text(note.removeprefix(VERBATIM))}\\par}}\n"


def _tabulars(found: Table) -> Iterator[tuple[int, str]]:
    """One with all rows, or as many as pages need, with a row at least."""
    widths = [max([len(column.heading), *(len(row[place]) for row in found.rows)]) for place, column in enumerate(found.columns)]
    words = [max(map(len, " ".join(row[place] for row in found.rows).split(" "))) for place in range(len(widths))]
    columns = "".join(f">{{\\raggedright\\arraybackslash}}p{{{_LONGEST_CELL * _DIGIT_EM:g}em}}" if width > _LONGEST_CELL >= word
                      else "r" if column.right else "l" for width, word, column in zip(widths, words, found.columns))
    headings = _row([column.heading for column in found.columns])
    head = f"{_RESIZE}\\begin{{tabular}}{{@{{}}{columns}@{{}}}}\n\\toprule\n{headings}\\midrule\n"
    tail = "\\bottomrule\n\\end{tabular}}\n"
    lines, text = 3, head
    for row in found.rows:
        height = max(math.ceil(len(cell) / _LONGEST_CELL) for cell in row) or 1
        if text != head and lines + height > _PAGE_LINES:
            yield lines, text + tail
            lines, text = 3, head
        lines, text = lines + height, text + _row(row)
    yield lines, text + tail


def _row(cells: list[str]) -> str:
    line = " & ".join(map(latex_text, cells))
    # The row before ends with \\, which would take a [ or * for its own argument.
    return ("{}" if line.startswith(("[", "*")) else "") + line + " \\\\\n"
