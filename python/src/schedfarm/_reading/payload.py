"""Hashes that prove a file: of its payload, and of a schedule. Both follow their definitions in SCHEMA.md, independently of the
program, and take the tables as they are stored.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from .file import TABLES, Records, ResultFile

if TYPE_CHECKING:
    import numpy.typing as npt
    from .stored import Stored

_TYPE_WORDS = {"i": "int64", "u": "uint64", "f": "float64", "S": "text"}


def payload_hash(file: ResultFile | Stored) -> str:
    """SHA-256 of the payload; equal to the attribute `payload_hash` of a sound file."""
    digest = hashlib.sha256(b"schedfarm payload 1\n")
    for name in TABLES:
        hashed = [column.name for column in file.columns(name) if column.hashed] if file.has(name) else []
        if hashed:
            records = file.records(name)
            digest.update(f"table {name} {len(records)}\n".encode())
            for column in hashed:
                digest.update(_column_bytes(column, records[column]))
    return digest.hexdigest()


def schedule_fingerprint(job: Records, start: Records, finish: Records) -> str:
    """Of a job log: that of its row in `replications`."""
    words = _mixed(job.astype("<u8") + np.uint64(0x9E3779B97F4A7C15))
    for times in (start, finish):
        words = _mixed(words ^ times.astype("<f8").view("<u8"))
    return f"{int(np.sum(words, dtype=np.uint64)):016x}"


def _mixed(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The bits of every word mixed, modulo 2^64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _column_bytes(name: str, values: Records) -> bytes:
    kind = values.dtype.kind
    head = f"column {name} {_TYPE_WORDS[kind]}\n".encode()
    if kind == "S":
        return head + b"".join(len(text).to_bytes(8, "little") + bytes(text) for text in values.tolist())
    if kind == "f":
        bits = values.astype("<f8").view("<u8")
        bits = np.where(np.isnan(values), np.uint64(0x7FF8000000000000), bits)
        return head + np.where(values == 0, np.uint64(0), bits).astype("<u8").tobytes()
    return head + values.astype(f"<{kind}8").tobytes()
