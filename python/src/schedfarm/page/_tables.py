"""Tables of the page: what is shown, with some digits, and what is downloaded, with all."""

from __future__ import annotations

import base64
import gzip
import io
import json
import math
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from .. import _words as words
from .._export import frame_csv

MOST_ROWS = 1_000  # that are written out; more are columns of texts, of which the page's script makes rows
_LARGEST_PLAIN = 10_000  # bytes of CSV inside of the page; more is compressed


class Column(NamedTuple):
    name: str
    is_number: bool


class PageTable(NamedTuple):
    title: str
    file: str
    columns: list[Column]
    rows: list[tuple[str, ...]]
    csv: str  # an address with the contents
    is_folded: bool = False
    data: str = ""  # in the place of rows: JSON of columns as `packed_column` makes them

    @property
    def classes(self) -> str:
        """`sorts`, and which columns are numbers: a class per field would be a third of the page."""
        return " ".join(["sorts", *(f"n{place}" for place, column in enumerate(self.columns, start=1) if column.is_number)])


def page_table(title: str, file: str, rows: pd.DataFrame, names: dict[str, str] | None = None, is_folded: bool = False,
               shown: pd.DataFrame | None = None, estimate: str = "") -> PageTable:
    """`names`: the columns that are shown and what they are called; all columns are downloaded. `shown`: the rows in units that read well.
    `estimate`: the column of estimates, which have the digits that their intervals, `lower` and `upper`, leave them."""
    names, read = names or {name: name.replace("_", " ") for name in rows}, rows if shown is None else shown
    columns = [Column(heading, _is_number(read[name])) for name, heading in names.items()]
    three = (estimate, "lower", "upper")
    shown_as = dict(zip(three, zip(*map(_interval, *(read[name] for name in three))))) if estimate and len(rows) else {}
    texts = [shown_as[name] if name in shown_as else [number_text(value) for value in read[name]] for name in names]
    address, suffix = _address(frame_csv(rows), 9 if len(rows) <= MOST_ROWS else 6)
    if len(rows) > MOST_ROWS:
        return PageTable(title, file + suffix, columns, [], address, is_folded, data=packed([packed_column(own) for own in texts]))
    return PageTable(title, file + suffix, columns, list(zip(*texts)), address, is_folded)


def packed(contents: Any) -> str:
    """JSON that may stand in an element `script`."""
    return json.dumps(contents, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def packed_column(texts: Iterable[str]) -> dict[str, Any]:
    """The texts that there are, and which of them every row has, by its place."""
    places: dict[str, int] = {}
    of = [places.setdefault(text, len(places)) for text in texts]
    return {"texts": list(places), "of": of}


def number_text(value: Any) -> str:
    """Six digits of a number; texts as they are, nothing for what is missing."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return "" if value is None else str(value)


def _interval(value: float, lower: float, upper: float) -> tuple[str, str, str]:
    """As the report has them.

    >>> _interval(25.5266, 0.187493, 3475.37), _interval(1.29214, 1.28424, 1.30004)
    (('25.5', '0.19', '3500'), ('1.2921', '1.2842', '1.3000'))
    """
    decimals = words.decimals_for(value, lower, upper)
    ends = [words.number_text(end, max(decimals, words.decimals_of_digits(end, 2))) for end in (lower, upper)]
    return words.estimate_text(value, decimals), ends[0], ends[1]


def _is_number(column: pd.Series) -> bool:
    return bool(column.dtype.kind in "if")


def _address(text: str, level: int) -> tuple[str, str]:
    """`level`: of compression, of which the highest takes as long as the table of ten thousand rows."""
    if len(text) <= _LARGEST_PLAIN:
        return f"data:text/csv;charset=utf-8,{quote(text)}", ".csv"
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", compresslevel=level, mtime=0, filename="") as packed:
        packed.write(text.encode())
    return f"data:application/gzip;base64,{base64.b64encode(file.getvalue()).decode()}", ".csv.gz"
