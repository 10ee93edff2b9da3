"""Schedules: who held which processors when, of a table of jobs, of a log, or of a logged replication of results.

What only the program knows comes from it as one table: the jobs of a log, and what a result file does not keep, such as pauses, which is
computed again. Where no processors are known, every job gets the lowest-numbered free ones, in the order of starts.
"""

from __future__ import annotations

import csv
import dataclasses
import heapq
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from . import _program
from ._reading.stored import shown
from ._terminal import counted, terminal_text
from ._words import ranges_text
from .errors import FileError, RequestError

MOST_PROCESSORS = 1 << 24  # more than any machine has
OWN = ("job", "submit", "start", "finish", "processors", "ranges", "kind", "user", "home")  # the columns; from the sixth on they may lack
OUT, NODE = "out_of_order", "node"  # lines of processors that are out of order, and of a node, whose name is where a job would be
_BATSIM = {"job_id": "job", "jobID": "job", "submission_time": "submit", "starting_time": "start", "finish_time": "finish",
           "requested_number_of_resources": "processors", "requested_number_of_processors": "processors",
           "allocated_resources": "ranges", "allocated_processors": "ranges"}  # now and formerly, and of Evalys
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_ROUNDING = 1e-12  # of times that are sums of others
_FINISH, _PASS, _START = range(3)  # at one instant processors are given back first, and what takes no time comes and goes before the others


@dataclasses.dataclass
class Schedule:
    """`columns`: `OWN` without ranges, and `line`, an entry per stretch of a job on the same processors, in order of time; users and homes (from
    1) are NaN where they are not known. `ranges`: stretch, first, last processor; `outages`: begin, end, first, last; `nodes`: name, first, last,
    where they have names. `drawn`: processors of a machine of whose log more are held; 0: all."""

    name: str
    columns: dict[str, Any]
    ranges: Any
    processors: int = 0
    unit: str = "s"
    clusters: tuple[int, ...] = ()
    outages: Any = dataclasses.field(default_factory=lambda: np.empty((0, 4)))
    nodes: list[tuple[str, int, int]] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    drawn: int = 0

    def __post_init__(self) -> None:
        """Into the order of the simulator: at one instant what takes no time comes first, then in the order of the lines."""
        start, finish = self.columns["start"], self.columns["finish"]
        numbers, job = np.unique(self.columns["job"], return_inverse=True)
        first = np.full(len(numbers), np.iinfo(np.int64).max)
        np.minimum.at(first, job, self.columns["line"])
        order = np.lexsort((first[job], finish > start, start))
        place = np.argsort(order)
        self.columns = {name: values[order] for name, values in self.columns.items()}
        self.ranges = np.array(self.ranges, np.int64).reshape(-1, 3)
        self.ranges[:, 0] = place[self.ranges[:, 0]]
        self.ranges = self.ranges[np.argsort(self.ranges[:, 0], kind="stable")]

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    def first_rows(self) -> Any:
        """Of every job, its first stretch."""
        return np.sort(np.unique(self.columns["job"], return_index=True)[1])

    def place(self) -> None:
        """On the lowest free processors."""
        self.ranges = lowest_free(self["start"], self["finish"], self["processors"])

    def held(self) -> int:
        """As many processors as are needed."""
        return int(max(self.ranges[:, 2].max(initial=-1), self.outages[:, 3].max(initial=-1))) + 1

    def on_machine(self) -> Schedule:
        """Without what lies above it."""
        if not self.drawn:
            return self
        ranges = self.ranges[self.ranges[:, 1] < self.drawn]
        ranges[:, 2] = np.minimum(ranges[:, 2], self.drawn - 1)
        processors = np.bincount(ranges[:, 0], ranges[:, 2] - ranges[:, 1] + 1, len(self["job"])).astype(int)
        return dataclasses.replace(self, columns={**self.columns, "processors": processors}, ranges=ranges, processors=self.drawn, drawn=0)

    def table(self) -> str:
        """With a line per stretch, then one per outage, and one per node that has a name: what `of_table` reads."""
        further = [name for name in ("user", "home") if (self[name] >= 0).any() or name == "user" and (self["home"] >= 0).any()]
        texts: list[list[str]] = [[] for _ in self["job"]]
        for row, first, last in self.ranges.tolist():
            texts[row].append(_range(first, last))
        own = [self[name].tolist() for name in ("job", "submit", "start", "finish", "processors")]
        known = [[f"{value:.0f}" if value >= 0 else "" for value in self[name].tolist()] for name in further]
        columns = [*([shown(value) for value in values] for values in own), [" ".join(held) for held in texts], self["kind"].tolist(), *known]
        lines = [",".join([*OWN[:7], *further]), *map(",".join, zip(*columns))]
        rest = "," * len(further)
        lines += [f"-1,{shown(begin)},{shown(begin)},{shown(end)},{int(last - first) + 1},{_range(int(first), int(last))},{OUT}{rest}"
                  for begin, end, first, last in self.outages.tolist()]
        lines += [f"{_cell(name)},0,0,0,{last - first + 1},{_range(first, last)},{NODE}{rest}" for name, first, last in self.nodes]
        return "\n".join(lines) + "\n"


def _range(first: int, last: int) -> str:
    return f"{first}-{last}" if last > first else f"{first}"


def _cell(name: str) -> str:
    """A text as a cell of CSV: what a spreadsheet would run as a formula has an apostrophe before it."""
    name = "'" + name if name.startswith(("=", "+", "-", "@")) and not _NUMBER.fullmatch(name) else name
    return '"' + name.replace('"', '""') + '"' if re.search('[,"\r\n]', name) else name


def lowest_free(start: Any, finish: Any, sizes: Any) -> Any:
    """The lowest free processors for each, in this order: row, first, last. Cost: O(log rows + free ranges) per range."""
    firsts, lasts = [0], [MOST_PROCESSORS << 8]  # of what is free, neighbours joined
    running: list[tuple[float, int]] = []
    taken: list[list[tuple[int, int]]] = []
    for row, (begin, end, wanted) in enumerate(zip(start.tolist(), finish.tolist(), sizes.tolist())):
        while running and running[0][0] <= begin:
            for first, last in taken[heapq.heappop(running)[1]]:
                at = bisect_left(firsts, first)
                joins_above = firsts[at] == last + 1  # the last has no end: there is one above
                if at and lasts[at - 1] == first - 1:
                    lasts[at - 1] = lasts[at] if joins_above else last
                    if joins_above:
                        del firsts[at], lasts[at]
                elif joins_above:
                    firsts[at] = first
                else:
                    firsts.insert(at, first)
                    lasts.insert(at, last)
        taken.append([])
        used = 0
        while wanted > 0:
            first, last = firsts[used], min(lasts[used], firsts[used] + wanted - 1)
            taken[row].append((first, last))
            wanted -= last - first + 1
            firsts[used] = last + 1
            used += last == lasts[used]
        del firsts[:used], lasts[:used]
        heapq.heappush(running, (end, row))
    return np.array([(row, first, last) for row, own in enumerate(taken) for first, last in own], np.int64).reshape(-1, 3)


def held_twice(begin: Any, end: Any, ranges: Any) -> tuple[int, int, int, int] | None:
    """The first processor that two hold at a time: who has it, who gets it, in which of the ranges, and the processor. `ranges`: holder, first,
    last, in order of the holders. Cost: O(log held) per range, and moving what is held."""
    bounds = np.searchsorted(ranges[:, 0], np.arange(len(begin) + 1)).tolist()
    first, last = ranges[:, 1].tolist(), ranges[:, 2].tolist()
    changes = []
    for own, (start, finish) in enumerate(zip(begin.tolist(), end.tolist())):
        changes += [(start, _PASS, own)] if start == finish else [(start, _START, own), (finish, _FINISH, own)]
    held: list[tuple[int, int, int]] = []  # first, last, holder, ascending
    for _, kind, own in sorted(changes):
        for row in range(bounds[own], bounds[own + 1]):
            at = bisect_left(held, (first[row],))
            if kind == _FINISH:
                del held[at]
            elif at < len(held) and held[at][0] <= last[row]:
                return held[at][2], own, row, held[at][0]
            elif at > 0 and held[at - 1][1] >= first[row]:
                return held[at - 1][2], own, row, first[row]
            elif kind == _START:
                held.insert(at, (first[row], last[row], own))
    return None


class _Table:
    """Lines as columns of texts. The first thing that is wrong, by line, is the one that is said. `is_raw`: the program's, whose jobs have
    no submit time of their own, or numbers that others have."""

    def __init__(self, lines: Iterable[str], name: str, is_raw: bool = False) -> None:
        self.name, self.is_raw = name, is_raw
        self._found: list[tuple[int, str]] = []
        reader = csv.reader(lines)
        try:
            header: list[str] = next(reader, [])
            rows = [(reader.line_num, row) for row in reader if row]
        except csv.Error as error:
            raise FileError(f"{name}:{reader.line_num}: this line cannot be read ({error}). Give a table of jobs.") from error
        self.is_own = tuple(header) == OWN[:max(len(header), 5)]
        self.places = {name if self.is_own else _BATSIM.get(name, ""): place for place, name in enumerate(header)}
        if not set(OWN[:5]) <= set(self.places):
            raise FileError(f"{name}:1: this is no table of jobs (it begins with '{_word(','.join(header))}', not with 'job,submit,start,finish,"
                            "processors'). Give a table of simulate --jobs, or a jobs.csv of Batsim or Evalys.")
        for line, row in rows:
            if len(row) != len(header):
                self._found.append((line, f"this line has {len(row)} values (the first has {len(header)}). Check that it is whole."))
                break
        rows = [(line, row) for line, row in rows if len(row) == len(header)]
        self.lines = np.array([line for line, _ in rows], int)
        self.texts = {column: np.array([row[place] for _, row in rows], object) for column, place in self.places.items() if column}

    def keep(self, rows: Any) -> _Table:
        self.lines, self.texts = self.lines[rows], {column: texts[rows] for column, texts in self.texts.items()}
        return self

    def expect(self, is_right: Any, text: Callable[[int], str]) -> Any:
        """Returns `is_right`, per line."""
        wrong = np.flatnonzero(~np.asarray(is_right, bool))[:1].tolist()
        self._found += [(int(self.lines[row]), text(row)) for row in wrong]
        return is_right

    def raise_first(self) -> None:
        if self._found:
            line, text = min(self._found, key=lambda problem: problem[0])
            raise FileError(f"{self.name}:{line}: {text}")

    def numbers(self, column: str, limits: tuple[float, float] | None = None, may_lack: bool = False) -> Any:
        """NaN where there is none. `limits`: of integers."""
        if column not in self.texts:
            return np.full(len(self.lines), np.nan)
        texts = self.texts[column]
        lacks = (texts == "") & may_lack
        values = np.array([float(text) if _NUMBER.fullmatch(text) else np.nan for text in texts.tolist()], float).reshape(-1)
        known = self.expect(lacks | (np.abs(values) <= 1e15),
                            lambda row: f"'{_word(texts[row])}' is no number (of column '{column}'). Check that no column is missing.")
        if limits:
            low, high = limits
            self.expect(~known | lacks | ((low <= values) & (values <= high) & (np.floor(values) == values)), lambda row:
                        f"'{_word(texts[row])}' cannot be in column '{column}' (an integer from {low:.0f} to {high:.0f} is expected). Check that it is of this column.")
        return values

    def ranges(self) -> tuple[Any, Any]:
        """Row, first, last; and how many processors each row has."""
        found: list[tuple[int, int, int]] = []
        texts = self.texts["ranges"].tolist()
        is_right = np.ones(len(texts), bool)
        for row, text in enumerate(texts):
            next_one = 0
            for part in text.split():
                first, dash, last = part.partition("-")
                low, high = (int(end) if end.isascii() and end.isdigit() and len(end) < 9 else MOST_PROCESSORS for end in (first, last if dash else first))
                is_right[row] &= next_one <= low <= high < MOST_PROCESSORS
                next_one = high + 1
                found.append((row, low, high))
        self.expect(is_right, lambda row: f"'{_word(texts[row])}' are no ranges (ascending numbers of processors are expected). Write them as 0-3 7.")
        ranges = np.array(found, np.int64).reshape(-1, 3)
        ranges = ranges[is_right[ranges[:, 0]]]
        return ranges, np.bincount(ranges[:, 0], ranges[:, 2] - ranges[:, 1] + 1, len(texts)).astype(np.int64)


def _word(text: str) -> str:
    return terminal_text(text.replace("\n", "?")[:40]) + ("…" if len(text) > 40 else "")


def of_table(lines: Iterable[str], name: str, processors: int | None = None) -> Schedule:
    """Of a table as `simulate --jobs` and `gantt --format csv` write it, or Batsim's or Evalys' jobs.csv. The machine has `processors`, by
    default as many as are needed. Raises FileError, with the line, where a value is missing, is none, or contradicts another; where a
    processor is held twice; where the machine is too small."""
    table = _Table(lines, name)
    notes = []
    if not table.is_own:
        started = np.array([not re.fullmatch(r"|nan|-1(\.0*)?", text) for text in table.texts["start"].tolist()], bool)  # others were rejected
        if not started.all():
            notes.append(f"left out: {counted(int((~started).sum()), 'job')}, never started")
        table.keep(started)
    schedule = _read(table)
    if not len(schedule["job"]):
        raise FileError(f"{name}: there is no job to draw (it has no line of a job). Simulate one.")
    schedule.notes = notes + schedule.notes
    if "ranges" in table.texts:
        expect_once(schedule)
    else:
        schedule.place()
    needed, most = schedule.held(), processors or MOST_PROCESSORS
    if needed > most:
        raise FileError(f"{name}: {most} processors are too few (the jobs hold up to {needed}). Give --processors {needed}.")
    schedule.processors = processors or needed
    return schedule


def _read(table: _Table) -> Schedule:
    kind = table.texts.get("kind", np.full(len(table.lines), "running", object))
    submit, start, finish = (table.numbers(column) for column in ("submit", "start", "finish"))
    processors = table.numbers("processors", (1, MOST_PROCESSORS))
    table.expect(~((start < submit) | (finish < start)), lambda row:
                 f"job {_word(table.texts['job'][row])} goes back in time (submit {shown(submit[row])}, start {shown(start[row])}, finish "
                 f"{shown(finish[row])}). Check the order of the columns.")
    ranges = np.empty((0, 3), np.int64)
    if "ranges" in table.texts:
        ranges, counts = table.ranges()
        if not table.is_own:  # a policy may give a job other than it asks for
            processors = counts
        table.expect((counts == processors) | np.isnan(processors) | table.is_raw, lambda row:
                     f"'{_word(table.texts['ranges'][row])}' are {counts[row]} processors (column 'processors' says {processors[row]:.0f}). Correct one of the two.")
    table.expect(np.isin(kind, ["running", "loading", OUT, NODE]), lambda row:
                 f"'{_word(kind[row])}' is nothing that a job does (column 'kind'). Write running, loading, {OUT} or {NODE}")
    whose = ranges[:, 0]
    outages = [(start[row], finish[row], first, last) for row, first, last in ranges[kind[whose] == OUT].tolist()]
    nodes = [(table.texts["job"][row].removeprefix("'"), first, last) for row, first, last in ranges[kind[whose] == NODE].tolist()]
    rows = np.flatnonzero(~np.isin(kind, [OUT, NODE]))
    ranges = ranges[np.isin(whose, rows)]
    ranges[:, 0] = np.searchsorted(rows, ranges[:, 0])
    table.keep(rows)
    job, notes = _numbers_of_jobs(table, submit[rows])
    user, home = (table.numbers(column, limits, may_lack=True) for column, limits in (("user", (0, 2147483647)), ("home", (1, 10**6))))
    table.raise_first()
    columns = {"job": job, "submit": submit[rows], "start": start[rows], "finish": finish[rows], "processors": processors[rows].astype(np.int64),
               "kind": kind[rows], "user": user, "home": home, "line": table.lines}
    return Schedule(table.name, columns, ranges, outages=np.array(outages, float).reshape(-1, 4), nodes=nodes, notes=notes)


def _numbers_of_jobs(table: _Table, submit: Any) -> tuple[Any, list[str]]:
    """Lines of one number are one job. Every row of Batsim is a job, whose name may be none, or another's."""
    texts = table.texts["job"].tolist()
    if table.is_own:
        job = table.numbers("job", (-(2.0**53), 2.0**53))
        _, first, places = np.unique(job, return_index=True, return_inverse=True)
        before = submit[first[places]]
        table.expect((before == submit) | np.isnan(before) | np.isnan(submit) | table.is_raw, lambda row:
                     f"job {_word(texts[row])} was submitted at {shown(submit[row])} (an earlier line says {shown(before[row])}). Put each schedule into a file of its own.")
        return np.nan_to_num(job).astype(np.int64), []
    numbers = [int(text) if re.fullmatch("-?[0-9]{1,15}", text) else None for text in texts]
    if None in numbers or len(set(numbers)) < len(numbers):
        return np.arange(1, len(texts) + 1), ["jobs are numbered by their rows (their names are no numbers, or several have one)"]
    return np.array(numbers, np.int64), []


def expect_once(schedule: Schedule) -> None:
    """Raises FileError where a processor is held twice at a time; what takes no time holds nothing."""
    rows = np.flatnonzero(schedule["finish"] > schedule["start"])
    ranges = schedule.ranges[np.isin(schedule.ranges[:, 0], rows)]
    found = held_twice(schedule["start"][rows], schedule["finish"][rows], np.column_stack([np.searchsorted(rows, ranges[:, 0]), ranges[:, 1:]]))
    if found:
        (first, second), processor = rows[list(found[:2])], found[3]
        job, line = schedule["job"], schedule["line"]
        raise FileError(f"{schedule.name}:{line[second]}: processor {processor} is held twice (job {job[second]} begins at "
                        f"{shown(schedule['start'][second])}, and line {line[first]} gives it to job {job[first]} until {shown(schedule['finish'][first])}). "
                        "Put each schedule into a file of its own.")


def of_log(path: str, reading: Sequence[str] = (), processors: int | None = None) -> Schedule:
    """That a log of a real machine tells: start = submit + wait, finish = start + run, on the nodes that it names where jobs do not share
    them, else on the lowest free processors. The machine has `processors`, else what the log says. `reading`: options that say how it is read."""
    table = _Table(_program.schedule_table(path, "--raw", "jobs", *reading).splitlines(), path, is_raw=True)
    machine = int(table.texts["processors"][-1])  # of the last line
    nodes, rows = table.texts["kind"] == NODE, table.texts["kind"] == "running"
    names = table.texts["job"][nodes]
    schedule = _read(table.keep(rows))
    if len(names):
        placed = dataclasses.replace(schedule, processors=len(names))
        placed.columns["processors"] = np.bincount(placed.ranges[:, 0], placed.ranges[:, 2] - placed.ranges[:, 1] + 1, len(placed["job"])).astype(int)
        try:
            expect_once(placed)
            placed.notes.append(f"rows are the nodes that the log names, {names[0]} to {names[-1]}")
            return placed
        except FileError:
            pass  # jobs share nodes
    schedule.place()
    needed, size = schedule.held(), processors or machine
    if max(needed, size) > MOST_PROCESSORS:
        raise FileError(f"{path}: it cannot be drawn (its jobs hold {max(needed, size)} processors at once, and a chart has at most {MOST_PROCESSORS}). "
                        "Check whether the log is damaged.")
    schedule.processors = max(needed, size)
    if 0 < size < needed:
        schedule.drawn = size
        schedule.notes.append(f"the log holds up to {needed} processors at once; those above {size} are not drawn")
    return schedule


def expect_log(file: Any, cell: int, replication: int) -> None:
    if (cell, replication) not in file.logs:
        raise RequestError(f"{file.path}: " + (
            f"it has no job log of cell {cell}, replication {replication} (it has those of {_listed(file.logs)}). Choose another --cell or --replication"
            if file.logs else "there are no jobs to draw (the campaign asked for no logs). Add job_log: {replications: 1} to it and resume it, which "
                              "computes them."))


def of_cell(file: Any, cell: int, replication: int, processors: int | None = None) -> Schedule:
    """Of a logged replication of results, on the processors that the file names. What it does not keep - when jobs paused, who held what of which
    cluster, outages - the program computes again. `file`: a `ResultFile`, or a `Stored` one whose log is checked here."""
    expect_log(file, cell, replication)
    jobs = file.records(f"jobs/{cell}/{replication}")
    place = f"processors/{cell}/{replication}"
    held = file.records(place) if file.has(place) else np.empty(0, [(name, np.int64) for name in ("job", "first", "last")])
    row = file.records("cells")[cell]
    clusters = tuple(int(size) for size in re.findall(r"\d+", row["clusters"].decode()))
    label = row["label"].decode(errors="replace")
    name = f"cell {cell}{f' ({label})' if label else ''}, replication {replication}"
    if not len(jobs):
        raise RequestError(f"{file.path}: {name}: there is no job to draw (none started)")
    raw = None
    if not len(held) or len(clusters) > 1 or _has_pauses(jobs) or _has_outages(file, cell, replication):
        raw = "segments"
    elif re.match(r"\{?slurm\b", row["policy"].decode(errors="replace")):
        raw = "names"
    words = ["--cell", str(cell), "--replication", str(replication), "--raw", raw or ""]
    found = _read(_Table(_program.schedule_table(file.path, *words).splitlines(), file.path, is_raw=True)) if raw else None
    schedule = _joined(name, jobs, held, found)
    schedule.clusters, schedule.unit = clusters, str(file.attributes.get("time_unit") or "time units")
    if not len(schedule.ranges):
        schedule.place()
        schedule.notes.append("the file does not say which processors jobs held: each has the lowest free ones")
    schedule.processors = processors or sum(clusters)
    if schedule.held() > schedule.processors or schedule.processors > MOST_PROCESSORS:
        raise RequestError(f"{file.path}: {name}: it cannot be drawn on {schedule.processors} processors (its jobs need {schedule.held()}, and a chart has at "
                           f"most {MOST_PROCESSORS}). Give other --processors.")
    return schedule


def _joined(name: str, jobs: Any, held: Any, found: Schedule | None) -> Schedule:
    """Jobs of a log in the stretches that the program found, else from start to finish; on the processors that these say, else on those of the log."""
    own = np.flatnonzero(np.isin(found["job"], jobs["job"])) if found else np.empty(0, int)
    told = {column: found[column][own] for column in ("job", "start", "finish", "processors", "home")} if found else {}
    rest = jobs[~np.isin(jobs["job"], told["job"])] if found else jobs
    columns = {column: np.concatenate([told.get(column, []), rest[column] if column != "home" else np.full(len(rest), np.nan)])
               for column in ("job", "start", "finish", "processors", "home")}
    row = np.searchsorted(jobs["job"], columns["job"])
    columns.update(submit=np.where(np.isnan(jobs["submit"]), jobs["start"], jobs["submit"])[row], user=jobs["user"][row].astype(float),
                   kind=np.full(len(row), "running", object), line=row)
    for column in ("job", "processors"):
        columns[column] = columns[column].astype(np.int64)
    ranges = found.ranges[np.isin(found.ranges[:, 0], own)] if found else np.empty((0, 3), np.int64)
    ranges[:, 0] = np.searchsorted(own, ranges[:, 0])
    lacking = np.setdiff1d(np.arange(len(row)), ranges[:, 0])
    lacking = lacking[np.argsort(row[lacking], kind="stable")]
    sought = held["job"].astype(np.int64)
    low = np.searchsorted(columns["job"][lacking], sought)
    count = np.searchsorted(columns["job"][lacking], sought, side="right") - low
    places = np.repeat(low - np.cumsum(count) + count, count) + np.arange(count.sum())
    known = np.column_stack([lacking[places], *(np.repeat(held[end].astype(np.int64), count) for end in ("first", "last"))])
    schedule = Schedule(name, columns, np.concatenate([ranges, known]))
    if found:
        schedule.outages, schedule.nodes = found.outages, found.nodes
    return schedule


def _has_pauses(jobs: Any) -> bool:
    """By more than times that are sums of others are rounded."""
    return bool((jobs["finish"] - jobs["start"] > jobs["service"] + _ROUNDING * np.maximum(np.abs(jobs["finish"]), jobs["service"])).any())


def _has_outages(file: Any, cell: int, replication: int) -> bool:
    """Where there are some, the part of the processors in order is measured."""
    rows = file.records("replications")
    return "availability" in rows.dtype.names and bool(np.isfinite(rows["availability"][(rows["cell"] == cell) & (rows["replication"] == replication)]).any())


def _listed(logs: Sequence[tuple[int, int]]) -> str:
    """`replications 0-1 of cells 0-3, 7; …`"""
    of_cell: dict[int, list[int]] = {}
    for cell, replication in logs:
        of_cell.setdefault(cell, []).append(replication)
    cells: dict[tuple[int, ...], list[int]] = {}
    for cell, replications in of_cell.items():
        cells.setdefault(tuple(replications), []).append(cell)
    return "; ".join(f"replication{'s' * (len(own) > 1)} {ranges_text(own)} of cell{'s' * (len(of) > 1)} {ranges_text(of)}" for own, of in sorted(cells.items()))
