"""A result file as it was found, whatever its tables are: what `schedfarm check` holds against the schema.

What could harm whoever reads it is refused as by every reader (`guard.py`); what is only wrong is here, and listed.
"""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from ..errors import FileError
from . import guard
from .contract import Column, schema
from .file import expect_readable, printable
from .schema import JOB_LOGS

if TYPE_CHECKING:
    import numpy.typing as npt

TYPES = {"i": "int64", "u": "uint64", "f": "float64", "S": "text"}
_DESCRIPTIONS = ("meaning", "columns", "units", "meanings", "hashed")


@dataclasses.dataclass
class Table:
    name: str
    meaning: str
    described: list[Column]  # as the file does it
    records: npt.NDArray[Any]

    def __getitem__(self, column: Any) -> npt.NDArray[Any]:
        return self.records[column]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self.records)

    def has(self, column: str) -> bool:
        return column in (self.records.dtype.names or ())

    def shown(self, column: str, row: int) -> str:
        return shown(self.records[column][row])


class Stored:
    """`logs`: cell and replication of every job log; `remarks`: what was passed over, as it is in no schema."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.remarks: list[str] = []
        guard.expect_hdf5(path)
        guard.in_child(path, self._survives_reading)
        with guard.damage(path):
            self._read()

    def _survives_reading(self) -> None:
        """In a process of its own: what Python can say of the file, it says in earnest."""
        try:
            self._read()
            for cell, replication in self.logs:
                for kind in JOB_LOGS:
                    self.log(kind, cell, replication)
        except Exception:
            pass

    def _read(self) -> None:
        self._file = h5py.File(self.path, "r")
        self.attributes = {printable(name): self._scalar(name) for name in self._file.attrs}
        expect_readable(self.path, self.attributes)
        names = guard.names_in(self.path, self._file)
        self.remarks = [f"'{printable(name)}' is not in the schema" for name in names if name not in (*schema().tables, "notes")]
        self.remarks += [f"attribute '{name}' is neither text, int64 nor float64" for name, value in self.attributes.items() if value is None]
        self.tables = {name: self._table(name) for name in schema().tables if name in names and name not in JOB_LOGS}
        self.logs = self._logs("jobs")
        self.remarks += [f"{kind}/{cell}/{replication}: there is no log of its jobs" for kind in JOB_LOGS[1:]
                         for cell, replication in self._logs(kind) if (cell, replication) not in self.logs]

    def log(self, kind: str, cell: int, replication: int) -> Table | None:
        """The table `jobs`, `processors` or `pieces` of a log, None where there is none; unchecked."""
        place = f"{kind}/{cell}/{replication}"
        with guard.damage(self.path):
            return self._table(place) if place in self._file else None

    def _scalar(self, name: str) -> Any:
        """None for what no attribute of the root is."""
        attribute = self._file.attrs.get_id(name)
        if attribute.shape != ():
            return None
        value = self._file.attrs[name]
        if isinstance(value, (bytes, str)):
            return printable(value.decode(errors="replace") if isinstance(value, bytes) else value)
        return value.item() if getattr(value, "dtype", None) in (np.int64, np.float64) else None

    def _table(self, name: str) -> Table:
        dataset = self._file[name]
        guard.expect_own_rows(self.path, name, dataset)
        attributes = {printable(own): dataset.attrs[own] for own in dataset.attrs}
        columns = [printable(column) for column in dataset.dtype.names]
        if [printable(str(own)) for own in np.ravel(attributes.get("columns", []))] != columns:
            self.remarks.append(f"{name}: the attribute 'columns' does not name the columns")
        self.remarks += [f"{name}: attribute '{own}' is not in the schema" for own in attributes if own not in _DESCRIPTIONS]
        units, meanings = (_texts(attributes.get(part), len(columns)) for part in ("units", "meanings"))
        marks = np.ravel(attributes.get("hashed", []))
        described = [Column(column, TYPES[dataset.dtype[i].kind], units[i], meanings[i], i < len(marks) and bool(marks[i] != 0))
                     for i, column in enumerate(columns)]
        meaning = attributes.get("meaning", "")
        return Table(name, printable(meaning) if isinstance(meaning, str) else "", described, dataset[:])

    def _logs(self, kind: str) -> list[tuple[int, int]]:
        if kind not in self._file:
            return []
        found = []
        for cell in guard.names_in(self.path, self._file[kind]):
            if not _is_number(cell):
                self.remarks.append(f"'{kind}/{printable(cell)}' is not in the schema")
                continue
            for replication in guard.names_in(self.path, self._file[kind][cell]):
                if _is_number(replication):
                    found.append((int(cell), int(replication)))
                else:
                    self.remarks.append(f"'{kind}/{cell}/{printable(replication)}' is not in the schema")
        return sorted(found)

    # What the hash of the payload and schedules are made of, as `ResultFile` has it.
    def has(self, name: str) -> bool:
        return name in (self._file if "/" in name else self.tables)

    def columns(self, name: str) -> list[Column]:
        return self.tables[name].described

    def records(self, name: str) -> npt.NDArray[Any]:
        return (self._table(name) if "/" in name else self.tables[name]).records


def read(path: str) -> Stored:
    """Raises FileError where there is no such file, it is none of results, or it cannot be read."""
    _expect_file(path)
    try:
        return Stored(path)
    except FileError:
        raise
    except UnicodeError as error:
        raise FileError(f"{path}: damaged or cut short ({error}). Use a copy of it, or its journal.") from error


def _expect_file(path: str) -> None:
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileError(f"{path}: cannot be read (it is not a regular file). Name the result file")
    try:
        with open(path, "rb"):
            pass
    except OSError as error:
        reason = f"it is a broken link to '{os.readlink(path)}'" if os.path.islink(path) and not os.path.exists(path) else error.strerror
        way_out = "Ask its owner to let you read it" if isinstance(error, PermissionError) else "Check the path."
        raise FileError(f"{path}: cannot be read ({reason}). {way_out}") from error


def shown(value: Any) -> str:
    """With every digit, as the program prints it.

    >>> shown(np.float64(3)), shown(np.float64(0.1)), shown(np.uint64(7)), shown(np.bytes_(b"fcfs"))
    ('3', '0.1', '7', 'fcfs')
    """
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, (float, np.floating)):
        text = repr(float(value))
        return text[:-2] if text.endswith(".0") else text
    return str(value)


def _texts(values: Any, size: int) -> list[str]:
    found = [printable(value) if isinstance(value, str) else "" for value in np.ravel([] if values is None else values)]
    return (found + [""] * size)[:size]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and text == str(int(text))
