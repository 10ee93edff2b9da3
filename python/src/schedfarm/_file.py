"""The HDF5 file below `Results`: attributes at once, every table when it is first asked for.

Column types reach pandas so that they survive R, CSV and arithmetic: unsigned counts become int64, texts become str, and a
fingerprint, which needs all 64 bits, becomes the 16 hexadecimal digits that `schedfarm replay` prints.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import h5py
import numpy as np
import numpy.typing as npt
import pandas as pd

from .errors import FileError, RequestError, one_of

FILETYPE = "schedfarm results"
READABLE_MAJOR = 1

Records = npt.NDArray[Any]

# In the order in which the payload hash takes them.
TABLES = (
    "cells",
    "factors",
    "replications",
    "estimates",
    "saturation",
    "known_values",
    "reference",
    "comparisons",
    "selections",
    "controlled_estimates",
    "stability",
    "search_steps",
    "placements",
    "quantiles",
    "sketches",
    "warm_up",
    "warm_up_checks",
    "utilization_series",
    "users",
    "job_classes",
    "quantities",
    "claims",
    "claim_values",
    "failures",
    "timings",
    "farm",
)


class Column(NamedTuple):
    """What the file says of a column."""

    name: str
    unit: str
    meaning: str
    hashed: bool


class ResultFile:
    """One open file. Tables are kept once read; closing keeps them and refuses others."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        try:
            self._file = h5py.File(self.path, "r")
        except OSError as error:
            if not os.path.exists(self.path):
                raise FileNotFoundError(f"{self.path}: there is no such file. Is the path right?") from error
            what = "damaged or cut short" if _begins_as_hdf5(self.path) else "not a result file"
            raise FileError(f"{self.path}: {what} (HDF5 cannot open it: {error})") from error
        try:
            self.attributes = {name: _plain(value) for name, value in self._file.attrs.items()}
            self._expect_readable()
        except BaseException:
            self._file.close()
            raise
        self.names = [name for name in TABLES if name in self._file]
        self._frames: dict[str, pd.DataFrame] = {}

    def _expect_readable(self) -> None:
        if self.attributes.get("filetype") != FILETYPE:
            raise FileError(f"{self.path}: not a result file (its filetype is not '{FILETYPE}'). Is it one of schedfarm?")
        version = str(self.attributes["schema_version"])
        if int(version.split(".")[0]) != READABLE_MAJOR:
            raise FileError(
                f"{self.path}: schema version {version} (this package reads {READABLE_MAJOR}.x). "
                "Use the package that came with the program that wrote it"
            )

    def close(self) -> None:
        self._file.close()

    def has(self, place: str) -> bool:
        """Whether there is a table or group of this name."""
        return place in self._open()

    def members(self, group: str) -> list[str]:
        return list(self._open()[group]) if self.has(group) else []

    def length(self, name: str) -> int:
        """Rows of a table, without reading it."""
        return int(self._dataset(name).shape[0])

    def columns(self, name: str) -> list[Column]:
        attributes = self._dataset(name).attrs
        rows = zip(attributes["columns"], attributes["units"], attributes["meanings"], attributes["hashed"])
        return [Column(column, unit, meaning, flag != 0) for column, unit, meaning, flag in rows]

    def records(self, place: str) -> Records:
        """A table as it is stored."""
        records: Records = self._dataset(place)[:]
        return records

    def frame(self, name: str) -> pd.DataFrame:
        """A table for pandas. The caller must not change it."""
        if name not in self._frames:
            self._frames[name] = self.read(name)
        return self._frames[name]

    def read(self, place: str) -> pd.DataFrame:
        """A table for pandas, read anew."""
        records = self.records(place)
        return pd.DataFrame({column: _for_pandas(column, records[column]) for column in records.dtype.names or ()})

    def _open(self) -> Any:
        if not self._file:
            raise FileError(f"{self.path}: the file is closed. Read inside of `with schedfarm.open(...)`, or open it without")
        return self._file

    def _dataset(self, place: str) -> Any:
        file = self._open()
        if place not in file:
            raise one_of("table", place, self.names)
        if not isinstance(file[place], h5py.Dataset):
            raise RequestError(f"'{place}' is a group of tables. Use .jobs(cell, replication)")
        return file[place]


def _begins_as_hdf5(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(8) == b"\x89HDF\r\n\x1a\n"
    except OSError:
        return False


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _for_pandas(name: str, values: Records) -> Any:
    if values.dtype.kind == "S":
        distinct, places = np.unique(values, return_inverse=True)
        return np.array([text.decode() for text in distinct.tolist()], dtype=object)[places]
    if name == "fingerprint":
        return np.array([f"{value:016x}" for value in values.tolist()], dtype=object)
    return values.astype(np.int64) if values.dtype.kind == "u" else values
