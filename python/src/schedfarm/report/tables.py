"""A table of a result file row by row: as CSV for other programs with every digit, or rounded for readers; in both the cells' factors stand
beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .. import _words as words
from .._json import rows_of
from .._terminal import Column, Table
from ..errors import RequestError
from . import writers
from .view import Row, View

_SHORT = 16  # texts up to this width are not broken into lines
_DIGITS = 5


def expect_table(view: View, name: str) -> None:
    names = view.file.names
    if name not in names:
        import difflib
        near = difflib.get_close_matches(name, names, 1)
        hint = f"Did you mean '{near[0]}'?" if near else f"Known: {', '.join(names)}"
        raise RequestError(f"{view.file.path}: the file has no table '{name}'. {hint}")


def table_csv(view: View, name: str) -> str:
    """NaN is empty."""
    shown = {column: [_exact(value) for value in values] for column, values in _with_factors(view, name).items()}
    return writers.csv(list(shown), zip(*shown.values()))


def table_rows(view: View, name: str) -> Sequence[Row]:
    """Every value as the file has it."""
    return rows_of(_with_factors(view, name))


def stored_table(view: View, name: str) -> Table:
    """Without columns in which nothing stands."""
    columns = _with_factors(view, name)
    found = Table(name, [Column(words.short_factor_name(column).replace("_", " "), _is_number(values), _is_long(values)) for column, values in columns.items()],
                  labels=1 + len(view.factors) if "cell" in columns else 1)
    found.rows = [list(row) for row in zip(*([_rounded(value) for value in values] for values in columns.values()))]
    found.drop_empty_columns()
    return found


def _with_factors(view: View, name: str) -> dict[str, list[Any]]:
    """Its columns in their order; behind `cell` a column for every factor that is called like none of them, behind `first_cell` and
    `second_cell` the levels in which the two differ."""
    columns = view.columns(name)
    found: dict[str, list[Any]] = {}
    for column, values in columns.items():
        found[column] = values
        if column == "cell":
            found |= {factor: [view.level(cell, factor) for cell in values] for factor in view.factors if factor not in columns}
        elif column in ("first_cell", "second_cell"):
            pairs = zip(values, columns["first_cell"], columns["second_cell"])
            found[column.removesuffix("_cell")] = [view.label(own, view.distinguishing(pair)) for own, *pair in pairs]
    return found


def _exact(value: Any) -> str:
    return words.exact_number(value) if isinstance(value, float) else str(value)


def _rounded(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return "" if math.isnan(value) else f"{value:.{_DIGITS}g}"


def _is_number(values: list[Any]) -> bool:
    return bool(values) and not isinstance(values[0], str)


def _is_long(values: list[Any]) -> bool:
    return not _is_number(values) and max(map(len, values), default=0) > _SHORT
