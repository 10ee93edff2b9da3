"""The job logs of a result file, held against their schema, against themselves and against their replications' rows: times in order,
no processor held twice at a time, the fingerprint that of the jobs. Cost: two sorts of the jobs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._reading import contract
from .._reading.payload import schedule_fingerprint
from .._reading.schema import JOB_LOGS
from .._reading.stored import Stored, Table, shown
from .._schedules import held_twice
from .structure import of_table

_ROUNDING = 1e-12  # of times that are sums of others


def problems(file: Stored, only: tuple[int, int] | None = None) -> list[str]:
    """Of one log, or of all. REQUIRES: the tables have no structural problem."""
    replications = file.tables["replications"]
    rows = {key: row for row, key in enumerate(replications[["cell", "replication"]].tolist())} if file.logs else {}
    found = []
    for key in [only] if only else file.logs:
        before = len(file.remarks)
        jobs, *others = (file.log(kind, *key) for kind in JOB_LOGS)
        found += file.remarks[before:]
        assert jobs is not None
        found += _of_log(jobs, [table for table in others if table], rows.get(key), key, replications)
    return found


def _of_log(jobs: Table, others: list[Table], row: int | None, key: tuple[int, int], replications: Table) -> list[str]:
    """`others`: its processors or, behind them, its pieces."""
    schema = contract.schema().tables
    structure = [problem for table in (jobs, *others) for problem in of_table(table, schema[table.name.split("/")[0]])]
    if structure:
        return structure
    if row is None:
        found = [f"{jobs.name}: replication {key[1]} of cell {key[0]} is not in 'replications'"]
    else:
        found = _of_replication(jobs, replications, row)
    wrong = np.flatnonzero((jobs["start"] < jobs["submit"]) | ~(jobs["start"] <= jobs["finish"]))[:1]
    if len(wrong):
        times = "submitted at {}, started at {}, finished at {}".format(*(jobs.shown(name, wrong[0]) for name in ("submit", "start", "finish")))
        return [*found, f"{jobs.name} row {wrong[0]}: {times}"]
    return found + (_of_processors(jobs, others[-1]) if others else [])


def _of_replication(jobs: Table, replications: Table, row: int) -> list[str]:
    made, known = int(schedule_fingerprint(jobs["job"], jobs["start"], jobs["finish"]), 16), int(replications["fingerprint"][row])
    found = [] if made == known else [f"{jobs.name}: its jobs have the fingerprint {made}, but 'replications' has {known}"]
    count = int(replications["jobs"][row])
    return found + ([] if count == len(jobs) else [f"{jobs.name}: {len(jobs)} jobs, but 'replications' has {count}"])


def _of_processors(jobs: Table, ranges: Table) -> list[str]:
    """Every job has ranges of as many processors as it held, in every piece of its time, no other job has any, and none is held twice."""
    has_pieces = ranges.has("piece")
    first, last = ranges["first"].astype(np.int64), ranges["last"].astype(np.int64)
    place = np.searchsorted(jobs["job"], ranges["job"])
    known = place < len(jobs)
    known[known] = jobs["job"][place[known]] == ranges["job"][known]
    keys = np.stack([place, *([ranges["piece"].astype(np.int64), ranges["begin"], ranges["end"]] if has_pieces else [])])[:, known]
    is_new = np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))[:keys.shape[1]]
    own, piece = place[known][is_new], np.cumsum(is_new) - 1  # row in `jobs` of every piece, piece of every known range
    sums = np.bincount(piece, np.maximum(last - first + 1, 0)[known], len(own)).astype(np.int64)
    wrong = np.append(np.setdiff1d(np.arange(len(jobs)), own), own[sums != jobs["processors"][own].astype(np.int64)])
    if len(wrong):
        row = wrong.min()
        sizes = sums[(own == row) & (sums != int(jobs["processors"][row]))]
        return [f"{jobs.name} row {row}: {shown(jobs['processors'][row])} processors, but ranges of {sizes[0] if len(sizes) else 0}"]
    if not known.all():
        return [f"{ranges.name}: ranges of a job that is not there"]
    rows = np.flatnonzero(is_new)
    begin, end = (ranges[name][rows] if has_pieces else jobs[of][own] for name, of in (("begin", "start"), ("end", "finish")))
    if has_pieces:
        found = _times_of_pieces(jobs, ranges, own, rows, begin, end)
        if found:
            return found
    slack = _ROUNDING * np.maximum(np.abs(jobs["finish"]), jobs["service"])
    has_pauses = bool((jobs["finish"] - jobs["start"] > jobs["service"] + slack).any())
    twice = held_twice(begin, end, np.column_stack([piece, first, last])) if has_pieces or not has_pauses else None
    return [f"{ranges.name} row {twice[2]}: job {jobs['job'][own[twice[1]]]} gets a processor that another holds"] if twice else []


def _times_of_pieces(jobs: Table, ranges: Table, own: Any, rows: Any, begin: Any, end: Any) -> list[str]:
    """The pieces of a job follow one another, and the last ends at its finish."""
    is_last = np.append(own[1:] != own[:-1], True)
    limit = np.where(is_last, jobs["finish"][own], np.append(begin[1:], np.nan))
    wrong = ~((begin <= end) & (end <= limit) & (~is_last | (end == limit)))
    return [f"{ranges.name} row {rows[i]}: held from {shown(begin[i])} to {shown(end[i])}, before {shown(limit[i])}" for i in np.flatnonzero(wrong)[:1]]
