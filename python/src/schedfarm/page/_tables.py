"""Tables of the page: what is shown, with some digits, and what is downloaded, with all."""

from __future__ import annotations

import base64
import gzip
import io
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from .._export import frame_csv

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

    @property
    def classes(self) -> str:
        """`sorts`, and which columns are numbers: a class per field would be a third of the page."""
        return " ".join(["sorts", *(f"n{place}" for place, column in enumerate(self.columns, start=1) if column.is_number)])


def page_table(title: str, file: str, rows: pd.DataFrame, names: dict[str, str] | None = None, is_folded: bool = False,
               shown: pd.DataFrame | None = None) -> PageTable:
    """`names`: the columns that are shown and what they are called; all columns are downloaded. `shown`: the rows in units that read well."""
    names, read = names or {name: name.replace("_", " ") for name in rows}, rows if shown is None else shown
    columns = [Column(words, _is_number(read[name])) for name, words in names.items()]
    texts = [[number_text(value) for value in read[name]] for name in names]
    body = list(zip(*texts))
    address, suffix = _address(frame_csv(rows))
    return PageTable(title, file + suffix, columns, body, address, is_folded)


def number_text(value: Any) -> str:
    """Six digits of a number; texts as they are, nothing for what is missing."""
    if isinstance(value, float):
        return "" if pd.isna(value) else f"{value:.6g}"
    return "" if value is None else str(value)


def _is_number(column: pd.Series) -> bool:
    return bool(column.dtype.kind in "if")


def _address(text: str) -> tuple[str, str]:
    if len(text) <= _LARGEST_PLAIN:
        return f"data:text/csv;charset=utf-8,{quote(text)}", ".csv"
    file = io.BytesIO()
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
        packed.write(text.encode())
    return f"data:application/gzip;base64,{base64.b64encode(file.getvalue()).decode()}", ".csv.gz"
