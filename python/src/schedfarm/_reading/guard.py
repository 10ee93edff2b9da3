"""Files of others: what is read lies in the file, what HDF5 cannot read is a FileError, and no file takes more time or memory than
its size gives reason for. The program's reader has the same guards (results_schema/reader.cpp).

HDF5 crashes or runs for ever on some damaged files: a process of its own reads first.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
import stat
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import h5py
import numpy as np

from ..errors import FileError, SchedfarmError
from .schema import COLUMNS, JUDGED

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_LEAST_BYTES = 1 << 28  # of a table in memory, whatever the size of its file
_MOST_TIMES = 200  # as large as its file a table may be
_KIND_WORDS = {"u": "uint64", "i": "int64", "f": "float64", "S": "text"}


def expect_hdf5(path: str) -> None:
    """Raises FileError, or an OSError that names the path, unless it is a regular file that begins as HDF5 files do."""
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: there is no such file. Check the path.")
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise FileError(f"{path}: not a result file (it is not a regular file). Name the result file")
    with open(path, "rb") as file:
        if file.read(len(_SIGNATURE)) != _SIGNATURE:
            raise FileError(f"{path}: not a result file (HDF5 cannot open it: it does not begin as HDF5 files do). Name a file that `schedfarm run` wrote")


@contextlib.contextmanager
def damage(path: str) -> Iterator[None]:
    """What h5py and numpy raise of foreign contents is a FileError."""
    try:
        yield
    except SchedfarmError:
        raise
    except (OSError, RuntimeError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, MemoryError) as error:
        raise FileError(f"{path}: damaged or cut short (HDF5 cannot read it: {error}). Use a copy of it, or its journal.") from error


def in_child(path: str, work: Callable[[], object]) -> None:
    """Does work in a process of its own, for at most 3 s of CPU time and 1 s for each MiB; FileError where that ends in another way."""
    if not hasattr(os, "fork"):
        work()
        return
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # that other threads may hold locks: the child calls HDF5 alone
        child = os.fork()
    if child == 0:
        _work_and_end(path, work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        message = pipe.read().decode(errors="replace")
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        message = "it takes longer than a file of its size may" if os.WTERMSIG(status) == signal.SIGXCPU else "the HDF5 library crashes on it"
    if status != 0:
        raise FileError(f"{path}: damaged or cut short ({message}). Use a copy of it, or its journal.")


def _work_and_end(path: str, work: Callable[[], object], pipe: int) -> None:
    """In the child, which leaves no core and says nothing itself."""
    code = 0
    try:
        longest = 3 + (os.path.getsize(path) >> 20)
        resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        work()
    except BaseException as error:
        os.write(pipe, str(error).encode()[:1000])
        code = 1
    os._exit(code)


def names_in(path: str, group: Any) -> list[str]:
    """What lies in a group. Raises FileError where something lies elsewhere: links lead to other files."""
    names = list(group)
    for name in names:
        if name != "notes" and not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise FileError(f"{path}: cannot be read ('{name}' is a link; a result file holds all that it is made of). Name the file as it was written")
    return names


def expect_own_rows(path: str, name: str, dataset: Any) -> None:
    """Raises FileError unless it is a list of records of types that tables have, which lies in the file and is no longer than a file of this size may have."""
    if not isinstance(dataset, h5py.Dataset):
        raise FileError(f"{path}: '{name}' is not a table (the file does not agree with its schema). Use a copy of it, or its journal.")
    layout = dataset.id.get_create_plist()
    if layout.get_layout() == h5py.h5d.VIRTUAL or layout.get_external_count() > 0:
        raise FileError(f"{path}: table '{name}' lies in another file (a result file holds all that it is made of). Name the file as it was written")
    fields = dataset.dtype.fields
    if fields is None or len(dataset.shape) != 1:
        raise FileError(f"{path}: table '{name}' is not a list of records (the file does not agree with its schema). Use a copy of it, or its journal.")
    for column, (kind, *_) in fields.items():
        if kind.kind not in _KIND_WORDS or (kind.kind != "S" and kind.itemsize != 8) or kind.subdtype:
            raise FileError(f"{path}: column '{column}' of '{name}' has a type that no schema version has. Use a copy of it, or its journal.")
    if dataset.shape[0] * dataset.dtype.itemsize > _LEAST_BYTES + _MOST_TIMES * os.path.getsize(path):
        raise FileError(f"{path}: table '{name}' says that it has {dataset.shape[0]:,} rows (more than a file of this size may hold). "
                        "Use a copy of it, or its journal.")


def expect_table(path: str, name: str, dataset: Any) -> None:
    """Raises FileError unless its rows are those of a table of the schema, too."""
    expect_own_rows(path, name, dataset)
    fields = dataset.dtype.fields
    for wanted in (COLUMNS | JUDGED).get(name.split("/")[0], "").split():
        column, kind = wanted.split(":")
        if column not in fields or fields[column][0].kind != kind:
            raise FileError(f"{path}: table '{name}' has no column '{column}' of {_KIND_WORDS[kind]} (the file does not agree with its schema). "
                            "`schedfarm check` says more")


def records(path: str, dataset: Any, kind: Any, is_sound: bool) -> Any:
    """The rows of a table with the columns of a type, unless they are sound read by another process into memory that both have."""
    rows = dataset.shape[0]
    found = np.frombuffer(mmap.mmap(-1, max(1, rows * kind.itemsize)), kind, rows)
    if rows > 0 and is_sound:
        dataset.read_direct(found)
    elif rows > 0:
        in_child(path, lambda: dataset.read_direct(found))
    return found
