"""The schema as SCHEMA.md has it, which `schedfarm check` holds files against: attributes, tables, and columns with their words.

The page lies in the package where that is installed, and in results_schema/ of the sources.
"""

from __future__ import annotations

import functools
import pathlib
import re
from typing import NamedTuple

from ..errors import FileError

MAJOR, MINOR = 3, 0
_HERE = pathlib.Path(__file__).resolve().parents[1]
_PAGES = (_HERE / "SCHEMA.md", _HERE.parents[2] / "results_schema/SCHEMA.md")


class Attribute(NamedTuple):
    """Of the root group; `given`: the writer of tables gives it a value, not the writer of files."""

    name: str
    type: str
    optional: bool
    given: bool


class Column(NamedTuple):
    name: str
    type: str
    unit: str
    meaning: str
    hashed: bool
    words: tuple[str, ...] = ()


class Table(NamedTuple):
    """`key`: the columns that order its rows; `once`: no two rows have the same; `observed`: it may have columns of its own."""

    name: str
    meaning: str
    optional: bool
    key: tuple[str, ...]
    once: bool
    observed: bool
    columns: tuple[Column, ...]


class Schema(NamedTuple):
    attributes: dict[str, Attribute]
    tables: dict[str, Table]  # by name; those of a job log are `jobs`, `processors` and `pieces`


@functools.lru_cache(maxsize=None)
def schema() -> Schema:
    """
    >>> [column.name for column in schema().tables["factors"].columns], schema().attributes["ranks"].type
    (['cell', 'factor', 'label', 'number'], 'int64')
    """
    pages = [path for path in _PAGES if path.exists()]
    if not pages:
        raise FileError(f"{_PAGES[0]}: there is no such file (the schema, which comes with the package). Install the package of Python anew")
    page = pages[0].read_text(encoding="utf-8").split("<!-- schema -->\n")[1]
    root, *tables = re.split(r"\n### `/", page)
    attributes = [Attribute(_plain(name), kind, present == "optional", present != "by the writer")
                  for name, kind, present, _meaning, _example in _rows(root)]
    return Schema({own.name: own for own in attributes}, {own.name: own for own in map(_table, tables)})


def _table(text: str) -> Table:
    name = re.match(r"[a-z_]+", text).group()  # type: ignore[union-attr]
    found = re.search(r"^(Always present|Optional): (.*)\. Rows (.*)$", text, re.MULTILINE)
    assert found, f"what table {name} is"
    presence, meaning, order = found.groups()
    columns = [Column(_plain(column), kind, unit, told.split("; one of `")[0], payload == "yes",
                      tuple(_words(told.rpartition("; one of ")[2])) if "; one of `" in told else ())
               for column, kind, unit, payload, told, _example in _rows(text)]
    return Table(name, meaning, presence == "Optional", tuple(_words(order)), order.endswith("at most once."), "| *observation*" in text, tuple(columns))


def _rows(text: str) -> list[list[str]]:
    return [line[2:-2].split(" | ") for line in text.splitlines() if line.startswith("| `")]


def _words(text: str) -> list[str]:
    return re.findall("`([^`]*)`", text)


def _plain(text: str) -> str:
    return text.strip("`")
