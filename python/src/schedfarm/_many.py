"""Several result files asked as one: a column `file` tells their rows apart."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

from ._reading.file import ResultFile
from ._reading.lazy_pandas import pd
from ._tables import Tables
from .errors import RequestError
from .results import Results


class ManyResults(Tables, Mapping[str, Results]):
    """Result files by name: `many["a.h5"]` is one, `many.estimates(...)` a table of all."""

    def __init__(self, files: dict[str, Results]) -> None:
        self._files = files

    def __getitem__(self, name: str) -> Results:
        return self._files[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __enter__(self) -> ManyResults:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        for results in self._files.values():
            results.close()

    def __repr__(self) -> str:
        return "\n".join(repr(results) for results in self._files.values())

    @property
    def table_names(self) -> list[str]:
        """The tables that some file has."""
        return list(dict.fromkeys(name for results in self._files.values() for name in results.table_names))

    def table(self, name: str, factors: bool = False) -> pd.DataFrame:
        """The rows of all files that have the table; a factor that only some have is missing in the others."""
        parts = {file: results.table(name, factors) for file, results in self._files.items() if name in results.table_names}
        if not parts:
            raise RequestError(f"no file has a table '{name}'. The files: {', '.join(self._files)}")
        rows = pd.concat(parts, names=["file", None]).reset_index(level="file").reset_index(drop=True)
        for column in rows:
            dtypes = {part[column].dtype for part in parts.values() if column in part}
            if len(dtypes) > 1 and all(isinstance(dtype, pd.CategoricalDtype) for dtype in dtypes):
                levels = dict.fromkeys(level for part in parts.values() if column in part for level in part[column].cat.categories)
                rows[column] = rows[column].astype(pd.CategoricalDtype(list(levels), ordered=True))
        return rows

    def select(self, **levels: Any) -> ManyResults:
        """The cells with these levels, in every file that has such cells."""
        chosen = {}
        problem: RequestError | None = None
        for name, results in self._files.items():
            try:
                chosen[name] = results.select(**levels)
            except RequestError as error:
                problem = error
        if not chosen and problem is not None:
            raise problem
        return ManyResults(chosen)

    def whole(self) -> ManyResults:
        return ManyResults({name: results.whole() for name, results in self._files.items()})

    @property
    def unmade_metrics(self) -> list[str]:
        return list(dict.fromkeys(name for results in self._files.values() for name in results.unmade_metrics))

    def _keys(self) -> list[str]:
        return ["file"]


def open_results(path: str | os.PathLike[str]) -> Results:
    """Opens a result file; tables are read when they are first asked for."""
    return Results(ResultFile(path))


def open_many(paths: Iterable[str | os.PathLike[str]]) -> ManyResults:
    """Opens several result files. They are called by their file names, by their paths where those are equal."""
    listed = [os.fspath(path) for path in paths]
    if not listed:
        raise RequestError("no result file is named")
    short = [os.path.basename(path) for path in listed]
    names = short if len(set(short)) == len(short) else listed
    opened: dict[str, Results] = {}
    try:
        for name, path in zip(names, listed):
            opened[name] = open_results(path)
    except BaseException:
        ManyResults(opened).close()
        raise
    return ManyResults(opened)
