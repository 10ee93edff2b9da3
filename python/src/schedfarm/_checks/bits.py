"""Two result files compared to the bit: payloads value by value, −0 as 0 and every NaN the same, and the job logs that both have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._reading import contract, stored
from .._reading.payload import payload_hash
from .._reading.stored import Stored, Table
from .._terminal import clipped, counted
from . import check, diff

if TYPE_CHECKING:
    from .diff import Report

_MOST_LINES = 12
_LONGEST_VALUE = 32
# The columns that say which row a row is; a row has those that its table has.
_IDENTITY = ("cell", "replication", "group", "first_cell", "second_cell", "factor", "metric", "step", "first_job", "probability", "bucket")
_CIRCUMSTANCES = ("seed", "campaign_hash", "results_version", "program_version", "git_revision")


def compared(first: str, second: str, mode: str, metric: str = "") -> Report:
    """Two files `bitwise`, by `overlap` of intervals or `paired`."""
    a, b = check.sound(first), check.sound(second)
    if mode == "overlap":
        return diff.by_overlap(a, b, metric)
    if mode == "paired":
        return diff.by_pairs(a, b, metric)
    return report(a, b)


def report(a: Stored, b: Stored) -> Report:
    report = diff.Report()
    own = payload_hash(a)
    if own == payload_hash(b):
        report.lines = [f"Same payload: {own}"]
    else:
        found = [line for name in contract.schema().tables for line in _of_tables(a, b, name)] or ["the same rows, in another order"]
        report.lines = [f"A: {a.path}", f"B: {b.path}"]
        report.differs("The payloads differ:", *(f"- {line}" for line in found[:_MOST_LINES]))
        if len(found) > _MOST_LINES:
            report.lines.append(f"- and {len(found) - _MOST_LINES} more")
        diff.Cells(a, b).say_logs(report)
        attributes = [(name, str(a.attributes.get(name, "")), str(b.attributes.get(name, ""))) for name in _CIRCUMSTANCES]
        texts = [f"{name} '{clipped(own, 13)}' and '{clipped(other, 13)}'" for name, own, other in attributes if own != other]
        if texts:
            report.lines.append(f"Other circumstances: {'; '.join(texts)}.")
    _add_job_logs(a, b, report)
    return report


def _of_tables(a: Stored, b: Stored, name: str) -> list[str]:
    tables = {side: file.tables[name] for side, file in (("A", a), ("B", b)) if name in file.tables}
    if not any(column.hashed for own in tables.values() for column in own.described):
        return []
    if len(tables) == 1:
        return [f"table {name}: only in {side} ({counted(len(own), 'row')})" for side, own in tables.items()]
    return _of_columns(tables["A"], tables["B"], a, b)


def _of_columns(a: Table, b: Table, of_a: Stored, of_b: Stored) -> list[str]:
    rows_a, rows_b, only_a, only_b = _matched(a, b)
    found = [f"{own.name}: {len(rows)} of {counted(len(own), 'row')} only in {side}, first {_row_name(own, rows[0], file)}"
             for side, own, rows, file in (("A", a, only_a, of_a), ("B", b, only_b, of_b)) if rows]
    for column in (column.name for column in a.described if column.hashed):
        if not b.has(column):
            found.append(f"{a.name}.{column}: only in A")
            continue
        differing = np.flatnonzero(~_same(a[column][rows_a], b[column][rows_b]))
        if len(differing):
            own, other = rows_a[differing[0]], rows_b[differing[0]]
            found.append(f"{a.name}.{column}: {len(differing)} of {counted(len(rows_a), 'row')}, first {_row_name(a, own, of_a)}: "
                         f"{_value(a, column, own)} in A, {_value(b, column, other)} in B")
    return found + [f"{b.name}.{column.name}: only in B" for column in b.described if column.hashed and not a.has(column.name)]


def _matched(a: Table, b: Table) -> tuple[list[int], list[int], list[int], list[int]]:
    """Rows of both that are the same row, the k-th of equal identity with the k-th; then those that only one has."""
    waiting: dict[tuple[str, ...], list[int]] = {}
    for row, own in reversed(list(enumerate(_identities(b)))):
        waiting.setdefault(own, []).append(row)
    rows_a, rows_b, only_a = [], [], []
    for row, own in enumerate(_identities(a)):
        if waiting.get(own):
            rows_a.append(row)
            rows_b.append(waiting[own].pop())
        else:
            only_a.append(row)
    return rows_a, rows_b, only_a, sorted(row for rows in waiting.values() for row in rows)


def _identities(table: Table) -> list[tuple[str, ...]]:
    columns = [table[name].tolist() for name in _IDENTITY if table.has(name)]
    return list(zip(*(map(stored.shown, column) for column in columns))) if columns else [()] * len(table)


def _same(a: Any, b: Any) -> Any:
    if a.dtype.kind != b.dtype.kind:
        return np.zeros(len(a), bool)
    return (a == b) | (np.isnan(a) & np.isnan(b)) if a.dtype.kind == "f" else a == b


def _row_name(table: Table, row: int, file: Stored) -> str:
    """`cell 3 (fcfs, 0.7), replication 17`"""
    parts = []
    for name in _IDENTITY:
        value = table.shown(name, row) if table.has(name) else ""
        if value:
            named = diff.label(file, int(value)) if name == "cell" else ""
            parts.append(f"{name.replace('_', ' ')} {value}" + (f" ({named})" if named not in ("", f"cell {value}") else ""))
    return ", ".join(parts) or f"row {row}"


def _value(table: Table, column: str, row: int) -> str:
    text = clipped(table.shown(column, row), _LONGEST_VALUE)
    return f"'{text}'" if table[column].dtype.kind == "S" else text


def _add_job_logs(a: Stored, b: Stored, report: Report) -> None:
    """Logs that only one of the files has are passed over: they are no results."""
    common = [log for log in a.logs if log in b.logs]
    lines = [f"- {line}" for log in common for kind, rows in (("jobs", "jobs"), ("processors", "ranges"), ("pieces", "ranges"))
             for line in _of_log(f"{kind}/{log[0]}/{log[1]}", a.log(kind, *log), b.log(kind, *log), rows)]
    report.differs(*lines)
    if common and not lines:
        report.lines.append("The job log in both is the same." if len(common) == 1 else f"The {len(common)} job logs in both are the same.")


def _of_log(name: str, a: Table | None, b: Table | None, rows: str) -> list[str]:
    if a is None or b is None or len(a) != len(b):
        sizes = [0 if own is None else len(own) for own in (a, b)]
        return [f"{name}: {sizes[0]} {rows} in A, {sizes[1]} in B"] if sizes[0] != sizes[1] else []
    differs = {column.name: ~_same(a[column.name], b[column.name]) for column in a.described if b.has(column.name)}
    wrong = np.flatnonzero(np.logical_or.reduce(list(differs.values())))
    if not len(wrong):
        return []
    column = next(name for name, mask in differs.items() if mask[wrong[0]])
    return [f"{name}: {len(wrong)} of {len(a)} {rows}, first job {a.shown('job', wrong[0])}: {column} {a.shown(column, wrong[0])} in A, "
            f"{b.shown(column, wrong[0])} in B"]
