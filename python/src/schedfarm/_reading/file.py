"""The HDF5 file below `Results`: attributes at once, every table when it is first asked for.

Column types reach pandas so that they survive R, CSV and arithmetic: unsigned counts become int64, texts become str, and a
fingerprint, which needs all 64 bits, becomes the 16 hexadecimal digits that `schedfarm replay` prints.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import h5py
import numpy as np

from .._words import is_extreme, is_wall_time, time_unit
from ..errors import FileError, RequestError, one_of
from . import guard
from .schema import ALWAYS, JOB_LOGS, TEXT_ATTRIBUTES

if TYPE_CHECKING:
    import pandas as pd

FILETYPE = "schedfarm results"
READABLE_MAJOR = 3
_WIDE = 256  # bytes
_SMALL_BYTES = 1 << 20  # of files that are read whole, and of tables

Records = np.ndarray[Any, np.dtype[Any]]  # numpy.typing costs a tenth of numpy

# In the order in which the payload hash takes them.
TABLES = (
    "cells",
    "factors",
    "replications",
    "estimates",
    "saturation",
    "known_values",
    "reference",
    "made_metrics",
    "comparisons",
    "selections",
    "controlled_estimates",
    "stability",
    "search_steps",
    "placements",
    "quantiles",
    "sketches",
    "measured",
    "warm_up",
    "warm_up_checks",
    "utilization_series",
    "users",
    "logged_waits",
    "job_classes",
    "quantity_expressions",
    "claim_texts",
    "claim_places",
    "certificates",
    "failures",
    "defects",
    "timings",
    "farm",
)
JUDGED_FROM = {"quantities": "quantity_expressions", "claims": "claim_texts", "claim_values": "claim_texts"}  # beside `replications`


class Column(NamedTuple):
    """What the file says of a column."""

    name: str
    unit: str
    meaning: str
    hashed: bool


class StoredColumns(dict[str, Any]):
    """The columns of a table by name: arrays of numbers, lists of texts. Texts are decoded when their column is first asked for: of most
    tables a reader takes a few. Wide tables are all texts of some hundred bytes, most of which repeat: they are decoded at once, but for
    columns that are wide by themselves, which are read when they are asked for."""

    def __init__(self, file: ResultFile, place: str) -> None:
        super().__init__()
        records: Any = file.records(place, _is_narrow)
        self._file, self._place = file, place
        self.names = tuple(column.name for column in file.columns(place))
        self.length = len(records)
        is_wide = records.dtype.itemsize > _WIDE
        self._records = {name: records[name] for name in records.dtype.names or ()} if not is_wide else {}
        for name in records.dtype.names if is_wide else ():
            self[name] = _decoded(records[name]) if records.dtype[name].kind == "S" else records[name].copy()

    def __missing__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        values: Any = self._records[name] if name in self._records else self._file.records(self._place)[name]
        self[name] = _decoded(values) if values.dtype.kind == "S" else values
        return self[name]


class ResultFile:
    """One open file. Tables are kept once read; closing keeps them and refuses others."""

    shown_unit = ""  # of times in seconds, where a command names one
    left_out: frozenset[str] = frozenset()  # columns that frames do not have, where a command has no use for them

    def __init__(self, path: str | os.PathLike[str], is_sound: bool = False) -> None:
        """`is_sound`: the program has just read it in a process of its own, so that none is needed here."""
        self.path = os.fspath(path)
        self._frames: dict[str, pd.DataFrame] = {}
        self._stored: dict[str, StoredColumns] = {}
        self._columns: dict[str, list[Column]] = {}
        self._records: dict[str, Records] = {}  # of a small file
        guard.expect_hdf5(self.path)
        self._is_small = os.path.getsize(self.path) <= _SMALL_BYTES
        self._is_read = is_sound or self._is_small
        if not is_sound:
            guard.in_child(self.path, self._survives_opening)
        with guard.damage(self.path):
            self._open_checked()

    def _survives_opening(self) -> None:
        with contextlib.suppress(Exception):  # which whoever opens it in earnest meets
            self._open_checked()
            logs = [f"{kind}/{cell}/{log}" for kind in JOB_LOGS for cell in self.members(kind) for log in self.members(f"{kind}/{cell}")]
            for place in [*self.names, *(logs if self._is_small else ())]:
                with contextlib.suppress(Exception):
                    guard.expect_table(self.path, place, self._file[place])
                    if self._is_short(self._file[place]):
                        self._file[place][:]

    def _open_checked(self) -> None:
        self._file = h5py.File(self.path, "r")
        try:
            self.attributes = {printable(name): _plain(value) for name, value in self._file.attrs.items()}
            expect_readable(self.path, self.attributes)
            for name in TEXT_ATTRIBUTES:
                if not isinstance(self.attributes.get(name), str):
                    raise FileError(f"{self.path}: there is no text '{name}' (the file does not agree with its schema). `schedfarm check` says more")
            there = guard.names_in(self.path, self._file)
            for name in (*TABLES, *JUDGED_FROM):
                if name in there:
                    guard.expect_table(self.path, name, self._file[name])
                    if not self._is_judged(name):
                        self.columns(name)
                elif name in ALWAYS:
                    raise FileError(f"{self.path}: there is no table '{name}' (the file does not agree with its schema). `schedfarm check` says more")
            for kind in JOB_LOGS:
                for cell in self.members(kind):
                    self.members(f"{kind}/{cell}")
        except BaseException:
            self._file.close()
            raise
        self.names = [name for name in (*TABLES, *JUDGED_FROM) if name in there or JUDGED_FROM.get(name) in there]

    def _is_short(self, dataset: Any) -> bool:
        """Whether the process that opens the file first reads the table, too: one for each would take longer."""
        return self._is_small or dataset.size * dataset.dtype.itemsize <= _SMALL_BYTES

    def close(self) -> None:
        self._file.close()

    def has(self, place: str) -> bool:
        """Whether there is a table or group of this name."""
        return place in self._open() or self._is_judged(place)

    def _is_judged(self, name: str) -> bool:
        return name in JUDGED_FROM and JUDGED_FROM[name] in self._open()

    @functools.cached_property
    def _judged(self) -> dict[str, tuple[list[Column], Records]]:
        from .. import _claims
        with guard.damage(self.path):
            return _claims.tables(self)

    @property
    def time_unit(self) -> str:
        return str(self.attributes.get("time_unit", "time units"))

    def unit(self, metric: str) -> str:
        """Of a metric or of a probe's mean, `1` where it has none."""
        known = {column.name: column.unit for column in self.columns("replications")}
        if is_wall_time(metric):
            return "ms"
        if is_extreme(metric):
            return self.unit(metric.split(" ", 1)[1])
        probe, bracket, part = metric.partition("[")
        found = [known[name] for name in (metric, f"{probe}.mean{bracket}{part}") if name in known]
        return found[0].replace("time", self.time_unit) if found else "1"

    def read_in(self, unit: str, numbers: Iterable[float]) -> tuple[str, float]:
        """The unit in which they are read, and how many of theirs it is."""
        return time_unit(unit, numbers, self.shown_unit)

    def members(self, group: str) -> list[str]:
        """The numbers of the groups or logs in a group."""
        if not self.has(group):
            return []
        with guard.damage(self.path):
            return [name for name in guard.names_in(self.path, self._open()[group]) if name.isascii() and name.isdigit()]

    @property
    def logs(self) -> list[tuple[int, int]]:
        """Cell and replication of every job log, in order."""
        return sorted((int(cell), int(replication)) for cell in self.members("jobs") for replication in self.members(f"jobs/{cell}"))

    def length(self, name: str) -> int:
        """Rows of a table, without reading it."""
        if self._is_judged(name):
            return len(self._judged[name][1])
        return int(self._dataset(name).shape[0])

    def columns(self, name: str) -> list[Column]:
        if self._is_judged(name):
            return self._judged[name][0]
        dataset = self._dataset(name)
        if name in self._columns:
            return self._columns[name]
        with guard.damage(self.path):
            parts = [list(dataset.attrs.get(part, ())) for part in ("columns", "units", "meanings", "hashed")]
            if parts[0] != list(dataset.dtype.names) or len({len(part) for part in parts}) > 1:
                raise FileError(f"{self.path}: the attributes of table '{name}' do not name its columns. `schedfarm check` says more")
            self._columns[name] = [Column(column, str(unit), str(meaning), bool(flag != 0)) for column, unit, meaning, flag in zip(*parts)]
            return self._columns[name]

    def records(self, place: str, wanted: Callable[[Any], bool] = lambda _kind: True) -> Records:
        """A table as it is stored, or judged; of a large file, which is not kept, the columns with types that are wanted. The caller must not
        change it."""
        if self._is_judged(place):
            return self._judged[place][1]
        dataset = self._dataset(place)
        if place in self._records:
            return self._records[place]
        with guard.damage(self.path):
            guard.expect_table(self.path, place, dataset)
            kind = np.dtype([(name, own) for name, (own, *_) in dataset.dtype.fields.items() if self._is_small or wanted(own)])
            records: Records = guard.records(self.path, dataset, kind, self._is_read or (place in self.names and self._is_short(dataset)))
        self._expect_cells(place, records)
        if self._is_small:
            self._records[place] = records
        return records

    def _expect_cells(self, name: str, records: Records) -> None:
        """Cells are 0, 1, 2, …, and every row is about one of them; no cell has two levels of one factor or two estimates of one metric."""
        cells = self.length("cells")
        for column in {"cell", "first_cell", "second_cell"} & set(records.dtype.names or ()):
            if len(records) and records[column].max() >= cells:
                raise FileError(f"{self.path}: table '{name}' is about a cell that there is not. `schedfarm check` says more")
        if name == "cells" and not np.array_equal(records["cell"], np.arange(cells)):
            raise FileError(f"{self.path}: the cells are not 0, 1, 2, … `schedfarm check` says more")
        for table, column in (("factors", "factor"), ("estimates", "metric")):
            if name != table or column not in (records.dtype.names or ()):
                continue
            texts, places = np.unique(records[column], return_inverse=True)
            keys = records["cell"] * np.uint64(len(texts)) + places.astype(np.uint64)
            if len(np.unique(keys)) < len(records):
                raise FileError(f"{self.path}: table '{name}' says two things of one cell. `schedfarm check` says more")

    def stored(self, name: str) -> StoredColumns:
        """The columns of a table. The caller must not change them."""
        if name not in self._stored:
            self._stored[name] = StoredColumns(self, name)
        return self._stored[name]

    def frame(self, name: str) -> pd.DataFrame:
        """A table for pandas. The caller must not change it."""
        if name not in self._frames:
            self._frames[name] = self._frame_of(self.stored(name))
        return self._frames[name]

    def rows_where(self, name: str, column: str, texts: Iterable[str]) -> pd.DataFrame:
        """Likewise, those that have one of these texts in a column."""
        stored, wanted = self.stored(name), set(texts)
        return self._frame_of(stored, np.array([text in wanted for text in stored[column]], dtype=bool))

    def read(self, place: str) -> pd.DataFrame:
        """A table for pandas, read anew."""
        return self._frame_of(StoredColumns(self, place))

    def _frame_of(self, stored: StoredColumns, rows: Any = slice(None)) -> pd.DataFrame:
        import pandas as pd
        return pd.DataFrame({name: _for_pandas(name, stored[name])[rows] for name in stored.names if name not in self.left_out})

    def _open(self) -> Any:
        if not self._file:
            raise FileError(f"{self.path}: the file is closed. Read inside of `with schedfarm.open(...)`, or open it without")
        return self._file

    def _dataset(self, place: str) -> Any:
        file = self._open()
        if place not in file:
            raise one_of("table", place, self.names)
        with guard.damage(self.path):
            found = file[place]
        if isinstance(found, h5py.Group):
            raise RequestError(f"'{place}' is a group of tables. Use .jobs(cell, replication)")
        return found


def expect_readable(path: str, attributes: dict[str, Any]) -> None:
    """Raises FileError unless these attributes are those of results of a version that this package reads."""
    if attributes.get("filetype") != FILETYPE:
        raise FileError(f"{path}: not a result file (its filetype is not '{FILETYPE}'). Give one of schedfarm.")
    version = str(attributes.get("schema_version", ""))
    if not re.fullmatch(r"\d+\.\d+", version):
        raise FileError(f"{path}: cannot be read (its schema version is '{version}'). Use the program that wrote it, or run its campaign again")
    if int(version.split(".")[0]) != READABLE_MAJOR:
        raise FileError(f"{path}: schema version {version} (this package reads {READABLE_MAJOR}.x). "
                        "Use the package that came with the program that wrote it")


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return printable(value.decode(errors="replace") if isinstance(value, bytes) else value) if isinstance(value, (bytes, str)) else value


def printable(text: str) -> str:
    """What is no UTF-8 reaches Python as lone halves of pairs."""
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _is_narrow(kind: Any) -> bool:
    return int(kind.itemsize) <= _WIDE


def _decoded(values: Any) -> list[str]:
    stored = values.tolist()
    texts = {text: text.decode(errors="replace") for text in set(stored)}
    return list(map(texts.__getitem__, stored))


def _for_pandas(name: str, values: Any) -> Any:
    if isinstance(values, list):
        return np.array(values, dtype=object)
    if name == "fingerprint":
        return np.array([f"{value:016x}" for value in values.tolist()], dtype=object)
    return values.astype(np.int64) if values.dtype.kind == "u" else values
