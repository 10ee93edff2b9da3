"""The job logs of a result file, held against their schema, against themselves and against their replications' rows: times in order,
no processor held twice at a time, the fingerprint that of the jobs. Cost: two sorts of the jobs.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np

from .._reading import contract
from .._reading.payload import schedule_fingerprint
from .._reading.stored import Stored, Table, shown
from . import check

_ROUNDING = 1e-12  # of times that are sums of others
_FINISH, _PASS, _START = range(3)  # at one instant processors are given back first, and jobs without service come and go before the others


def problems(file: Stored) -> list[str]:
    """REQUIRES: the tables have no structural problem."""
    replications = file.tables["replications"]
    rows = {key: row for row, key in enumerate(replications[["cell", "replication"]].tolist())} if file.logs else {}
    found = []
    for key in file.logs:
        before = len(file.remarks)
        jobs, processors = file.log("jobs", *key), file.log("processors", *key)
        found += file.remarks[before:]
        assert jobs is not None
        found += _of_log(jobs, processors, rows.get(key), key, replications)
    return found


def _of_log(jobs: Table, processors: Table | None, row: int | None, key: tuple[int, int], replications: Table) -> list[str]:
    schema = contract.schema().tables
    structure = check.of_table(jobs, schema["jobs"]) + (check.of_table(processors, schema["processors"]) if processors else [])
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
    return found + (_of_processors(jobs, processors) if processors else [])


def _of_replication(jobs: Table, replications: Table, row: int) -> list[str]:
    made, known = int(schedule_fingerprint(jobs["job"], jobs["start"], jobs["finish"]), 16), int(replications["fingerprint"][row])
    found = [] if made == known else [f"{jobs.name}: its jobs have the fingerprint {made}, but 'replications' has {known}"]
    count = int(replications["jobs"][row])
    return found + ([] if count == len(jobs) else [f"{jobs.name}: {len(jobs)} jobs, but 'replications' has {count}"])


def _of_processors(jobs: Table, processors: Table) -> list[str]:
    """Every job has ranges of as many processors as it held, no other job has any, and none is held twice."""
    first, last = processors["first"].astype(np.int64), processors["last"].astype(np.int64)
    place = np.searchsorted(jobs["job"], processors["job"])
    known = place < len(jobs)
    known[known] = jobs["job"][place[known]] == processors["job"][known]
    sums = np.bincount(place[known], np.maximum(last - first + 1, 0)[known], len(jobs)).astype(np.int64)
    wrong = np.flatnonzero(sums != jobs["processors"].astype(np.int64))[:1]
    if len(wrong):
        return [f"{jobs.name} row {wrong[0]}: {shown(jobs['processors'][wrong[0]])} processors, but ranges of {sums[wrong[0]]}"]
    if not known.all():
        return [f"{processors.name}: ranges of a job that is not there"]
    slack = _ROUNDING * np.maximum(np.abs(jobs["finish"]), jobs["service"])
    has_pauses = bool((jobs["finish"] - jobs["start"] > jobs["service"] + slack).any())
    return [] if has_pauses else _overlap(jobs, processors, first.tolist(), last.tolist(), np.searchsorted(place, np.arange(len(jobs) + 1)).tolist())


def _overlap(jobs: Table, processors: Table, first: list[int], last: list[int], ranges: list[int]) -> list[str]:
    """The first range that another job holds then. `ranges`: those of a job begin at its entry and end at the next one's."""
    changes = []
    for row, (start, finish) in enumerate(zip(jobs["start"].tolist(), jobs["finish"].tolist())):
        changes += [(start, _PASS, row)] if start == finish else [(start, _START, row), (finish, _FINISH, row)]
    held: list[tuple[int, int]] = []  # first and last, ascending
    for _, kind, row in sorted(changes):
        for own in range(ranges[row], ranges[row + 1]):
            at = bisect_left(held, (first[own], 0))
            if kind == _FINISH:
                del held[at]
            elif (at < len(held) and held[at][0] <= last[own]) or (at > 0 and held[at - 1][1] >= first[own]):
                return [f"{processors.name} row {own}: job {jobs['job'][row]} gets a processor that another holds"]
            elif kind == _START:
                held.insert(at, (first[own], last[own]))
    return []
