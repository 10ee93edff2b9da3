"""A table of a result file as CSV for other programs: every row and column with every digit, and which cells the rows are about."""

from __future__ import annotations

import difflib
from typing import Any

from .. import _words as words
from .._file import ResultFile
from ..errors import RequestError
from . import writers
from .view import View


def table_csv(file: ResultFile, name: str) -> str:
    """Its columns in their order; behind `cell` a column for every factor that is called like none of them, behind `first_cell` and
    `second_cell` the levels in which the two differ. NaN is empty."""
    if name not in file.names:
        near = difflib.get_close_matches(name, file.names, 1)
        hint = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(file.names)}"
        raise RequestError(f"{file.path}: the file has no table '{name}'. {hint}")
    view = View(file)
    columns = view.columns(name)
    shown: dict[str, list[str]] = {}
    for column, values in columns.items():
        shown[column] = [_field(value) for value in values]
        if column == "cell":
            shown |= {factor: [view.level(cell, factor) for cell in values] for factor in view.factors if factor not in columns}
        elif column in ("first_cell", "second_cell"):
            pairs = zip(values, columns["first_cell"], columns["second_cell"])
            shown[column.removesuffix("_cell")] = [view.label(own, view.distinguishing(pair)) for own, *pair in pairs]
    return writers.csv(list(shown), zip(*shown.values()))


def _field(value: Any) -> str:
    return words.exact_number(value) if isinstance(value, float) else str(value)
