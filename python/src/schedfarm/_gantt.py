"""`schedfarm gantt` on a terminal: who was busy when. Of jobs: the share of groups of processors that was held, and how many jobs waited.
Of ranks: which computed what, in one of the runs
of a campaign, from the tables `timings` and `farm` of its results.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from ._reading.stored import Stored
from ._schedules import Schedule
from ._terminal import WIDTH, counted, filled, table, table_text, terminal_text
from ._words import time_text
from .errors import RequestError

_BLOCKS = " ▁▂▃▄▅▆▇█"
_BESIDE = 18  # characters beside a bar
_MOST_ROWS = 16  # of groups of processors


def jobs_text(jobs: Schedule, begin: float, end: float, width: int = WIDTH) -> str:
    """The part of the schedule from `begin` to `end`; utilization by groups of processors, the waiting jobs, and totals."""
    first = jobs.first_rows()
    submit, start = jobs["submit"][first], jobs["start"][first]
    processors, unit = jobs.processors, jobs.unit
    groups = _groups(jobs, processors)
    beside = max(9, *(len(label) for label, _, _ in groups))
    bar = width - _BESIDE + 9 - beside
    on = f"{counted(len(jobs.nodes), 'node')} of " if jobs.nodes else ""
    text = filled(f"{terminal_text(jobs.name)}: {counted(len(first), 'job')} on {on}{counted(processors, 'processor')}", width) + "\n"
    for label, low, high in reversed(groups):
        held, out = _held(jobs, low, high, begin, end, bar), _out(jobs, low, high, begin, end, bar)
        text += _row(label, _bar(held, out), f"{100 * held.mean():.0f} %", beside)
    held, out = _means(jobs["start"], jobs["finish"], jobs["processors"], begin, end, bar) / processors, _out(jobs, 0, processors, begin, end, bar)
    waiting, most = _means(submit, start, np.ones(len(first)), begin, end, bar), _most_waiting(submit, start, begin, end)
    text += "\n" + _row("all", _bar(held, out), f"{100 * held.mean():.1f} %", beside)
    text += _row("waiting", _bar(waiting / max(most, 1)), f"max {most}", beside)
    text += _axis(time_text(begin, unit, end - begin), time_text(end, unit, end - begin), bar, beside)
    if len(jobs.outages):
        text += f"\n{'×':>{beside}} out of order for half of the time or more; {100 * out.mean():.3g} % of it in all\n"
    return text


def _groups(jobs: Schedule, processors: int) -> list[tuple[str, int, int]]:
    """Label, first processor and the one behind the last of equal parts of the machine, of its nodes where they have names."""
    size = len(jobs.nodes) or processors
    rows = min(size, _MOST_ROWS)
    bounds = [part * size // rows for part in range(rows + 1)]
    if not jobs.nodes:
        return [(str(low) if high - low == 1 else f"{low}-{high - 1}", low, high) for low, high in zip(bounds, bounds[1:])]
    parts = [jobs.nodes[low:high] for low, high in zip(bounds, bounds[1:])]
    return [(terminal_text(" ".join(dict.fromkeys((part[0][0], "-", part[-1][0])) if len(part) > 1 else [part[0][0]])), part[0][1], part[-1][2] + 1)
            for part in parts]


@dataclasses.dataclass
class Ranks:
    """`stays`: rank → cell, replication, begin and end in seconds since the run began, in order; `spent`: rank → host, busy, idle,
    dispatch, io; `undated`: replications of the file that no run is known of."""

    campaign: str
    run: int
    runs: int
    undated: int
    stays: dict[int, list[tuple[int, int, float, float]]]
    spent: dict[int, list[Any]]

    def end(self) -> float:
        return max((end for stays in self.stays.values() for *_, end in stays), default=0.0)


def ranks(file: Stored, wanted: int | None) -> Ranks:
    """Of a run, by default the last. Raises RequestError where the file does not say when replications began, or has no such run."""
    timings, farm = file.tables["timings"], file.tables["farm"]
    runs = int(timings["run"].max()) if len(timings) else 0
    if runs == 0:
        raise RequestError(f"{file.path}: there is no Gantt chart of the ranks (the file does not say when replications began). "
                           "Check whether an earlier version of schedfarm computed them.")
    if wanted is not None and not 0 < wanted <= runs:
        raise RequestError(f"{file.path}: there is no run {wanted} (the campaign was computed by {'one run' if runs == 1 else f'{runs} runs'}). "
                           f"Choose one of 1 to {runs}")
    run = wanted or runs
    stays: dict[int, list[tuple[int, int, float, float]]] = {}
    for rank, cell, replication, seconds, own, began in timings[["rank", "cell", "replication", "seconds", "run", "began"]].tolist():
        if own == run and math.isfinite(began) and seconds >= 0:
            stays.setdefault(rank, []).append((cell, replication, began, began + seconds))
    spent = {rank: [host.decode(errors="replace"), *rest] for rank, host, *rest, own in
             farm[["rank", "host", "busy", "idle", "dispatch", "io", "run"]].tolist() if own == run}
    by_rank = {rank: sorted(stays.get(rank, []), key=lambda stay: stay[2]) for rank in sorted({*stays, *spent})}
    return Ranks(str(file.attributes.get("campaign_name", "")), run, runs, int(np.count_nonzero(timings["run"] == 0)), by_rank, spent)


def ranks_csv(chart: Ranks) -> str:
    """One row per replication."""
    rows = [f"{chart.run},{rank},{cell},{replication},{began:.6f},{ended:.6f}\n"
            for rank, stays in chart.stays.items() for cell, replication, began, ended in stays]
    return "run,rank,cell,replication,began_s,ended_s\n" + "".join(rows)


def ranks_text(chart: Ranks, width: int = WIDTH) -> str:
    """A row per rank, the busy share of every part of the time as a bar, overheads below."""
    bar, end = width - _BESIDE, chart.end()
    replications = sum(map(len, chart.stays.values()))
    text = filled(terminal_text(f"{chart.campaign}: run {chart.run} of {chart.runs}, {counted(replications, 'replication')} on "
                                f"{counted(len(chart.stays), 'rank')} in {time_text(end, 's', end)}"), width) + f"\n{'busy':>{bar + 17}}\n"
    for rank, stays in chart.stays.items():
        began, ended = np.array([stay[2:] for stay in stays], float).reshape(-1, 2).T
        busy = _means(began, ended, np.ones(len(began)), 0, end, bar) if 0 < end < math.inf else np.zeros(bar)
        text += f"rank {rank:>4} {_bar(busy)}{100 * float((ended - began).sum()) / end if end > 0 else 0:>5.0f} %\n"
    text += _axis(time_text(0, "s", end), time_text(end, "s", end), bar)
    overheads = table("Seconds of every rank", [">rank", "<host", ">replications", ">busy", ">idle", ">dispatch", ">io"])
    overheads.rows = [[str(rank), chart.spent[rank][0], str(len(stays)), *(f"{seconds:.2f}" for seconds in chart.spent[rank][1:])]
                      for rank, stays in chart.stays.items() if rank in chart.spent]
    text += "\n" + (table_text(overheads, width) if overheads.rows else
                    filled("The result file was not written by this run: it does not tell its overheads.", width))
    if chart.undated:
        text += f"\n{counted(chart.undated, 'replication')} of the file {'is' if chart.undated == 1 else 'are'} not shown: nothing says when they began.\n"
    return text


def _means(begin: Any, end: Any, level: Any, low: float, high: float, parts: int) -> Any:
    """Means of a level over equal parts of a window. Of what covers many parts only the changes at its ends are kept, so that the cost
    does not depend on its length."""
    places = np.clip((np.stack([begin, end], axis=-1) - low) * (parts / (high - low)), 0, parts)
    whole = np.floor(places)
    signs = np.array([1, -1])
    partial, change = np.zeros(parts + 1), np.zeros(parts + 1)
    np.add.at(partial, whole.astype(np.int64).ravel(), ((whole - places) * signs * level[:, None]).ravel())
    np.add.at(change, whole.astype(np.int64).ravel(), (signs * level[:, None]).ravel())
    return np.maximum((change.cumsum() + partial)[:parts], 0)


def _held(jobs: Schedule, low: int, high: int, begin: float, end: float, parts: int) -> Any:
    """Shares of the processors from `low` up to `high`."""
    segment, first, last = jobs.ranges.T
    count = np.bincount(segment, np.maximum(np.minimum(last + 1, high) - np.maximum(first, low), 0), len(jobs["start"]))
    own = count > 0
    return _means(jobs["start"][own], jobs["finish"][own], count[own], begin, end, parts) / (high - low)


def _out(jobs: Schedule, low: int, high: int, begin: float, end: float, parts: int) -> Any:
    start, finish, first, last = jobs.outages.T
    count = np.maximum(np.minimum(last + 1, high) - np.maximum(first, low), 0)
    return _means(start, finish, count, begin, end, parts) / (high - low)


def _most_waiting(submit: Any, start: Any, begin: float, end: float) -> int:
    """The most jobs that wait at one instant of the window; at an instant, starts come first."""
    own = (start > submit) & (submit < end) & (start > begin)
    submits, starts = np.sort(submit[own]), np.sort(start[own])
    return int((np.arange(1, len(submits) + 1) - np.searchsorted(starts, submits, side="right")).max(initial=0))


def _bar(shares: Any, out_of_order: Any = None) -> str:
    """A character per share: less than a sixteenth is nothing to see, only what is busy throughout is full; a cross in the place of what
    was out of order for half of it or more."""
    heights = np.floor(np.clip(shares, 0, 1) * 8 + 0.5).astype(int)
    out = np.zeros(len(heights)) if out_of_order is None else out_of_order
    return "".join("×" if away >= 0.5 else _BLOCKS[height] for height, away in zip(heights, out))


def _row(name: str, bar: str, figure: str, beside: int = 9) -> str:
    return f"{name:>{beside}} {bar}{figure:>8}\n"


def _axis(begin: str, end: str, width: int, beside: int = 9) -> str:
    return f"{'':>{beside + 1}}{begin}{end:>{max(width - len(begin), 0)}}\n"
