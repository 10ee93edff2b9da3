"""Sections as tables of LaTeX: booktabs, within the text width of an article of one column, whose size is 10 pt or more. Needs the
packages booktabs and graphicx. A table that is too wide comes in blocks as on a terminal, one that is too high for a page as several
floats."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._terminal import VERBATIM, Block, Table, cleaned, in_blocks, wrapped

_ARTICLE_WIDTH = 80  # digits of 8 pt that stand beside each other in the 345 pt of an article
_ARTICLE_LINES = 48  # lines of 9.5 pt that leave place for the caption on a page of 550 pt
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
    found = cleaned(given)
    begin = f"\\begin{{table}}\n\\centering\n\\caption{{{latex_text(found.title)}"
    label = "tab:" + re.sub("[^A-Za-z0-9]+", "-", found.label or found.title).lstrip("-")
    text = f"% {latex_text(found.source)}\n" if found.source else ""
    text += f"{begin}}}\n\\label{{{label}}}\n{_SIZE}"
    used = 0
    for lines, piece in _pieces(found):
        if used > 0 and used + lines > _ARTICLE_LINES:
            text += f"\\end{{table}}\n{begin} (continued)}}\n{_SIZE}"
            used = 0
        text += ("\n\\smallskip\n" if used else "") + piece
        used += lines + 1
    return text + "\\end{table}\n"


def _pieces(found: Table) -> Iterator[tuple[int, str]]:
    """What is never divided between two floats, and in how many lines."""
    blocks, notes = in_blocks(found, _ARTICLE_WIDTH)
    for block in blocks:
        yield from _tabulars(found, block)
    for note in notes:
        font = "\\ttfamily" if note.startswith(VERBATIM) else ""
        yield len(wrapped(note, _ARTICLE_WIDTH)), f"{{\\raggedright{font} {latex_text(note.removeprefix(VERBATIM))}\\par}}\n"


def _tabulars(found: Table, block: Block) -> Iterator[tuple[int, str]]:
    """The rows of a block in parts that fit a page below their headings, of one row at least."""
    alignments = "".join("r" if found.columns[column].right else "l" for column in block.columns)
    head = f"{_RESIZE}\\begin{{tabular}}{{@{{}}{alignments}@{{}}}}\n\\toprule\n{''.join(map(_row, block.headings))}\\midrule\n"
    tail = "\\bottomrule\n\\end{tabular}}\n"
    lines, text = len(block.headings) + 2, head
    for row in block.rows:
        if text != head and lines + len(row) > _ARTICLE_LINES:
            yield lines, text + tail
            lines, text = len(block.headings) + 2, head
        lines, text = lines + len(row), text + "".join(map(_row, row))
    yield lines, text + tail


def _row(cells: list[str]) -> str:
    line = " & ".join(map(latex_text, cells))
    # The row before ends with \\, which would take a [ or * for its own argument.
    return ("{}" if line.startswith(("[", "*")) else "") + line + " \\\\\n"
