"""What is expected of the log, for anything to be asked of it."""

from __future__ import annotations

import csv
import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import zlib
from typing import Any

from .. import _program
from ..errors import RequestError
from ._site import Site

Facts = dict[str, Any]


def _trace(log: str, reading: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return _program.run("trace", *(f"--{name}={reading[name]}" for name in ("zone", "columns") if name in reading), *words, "--", log)


def facts_of(log: str, reading: dict[str, str]) -> Facts:
    done = _trace(log, reading, "--json")
    if done.returncode != 0:
        if pathlib.Path(log).is_file() and _is_conf(log):
            raise RequestError(f"{log} has lines PartitionName, and is no log. Give it with --slurm-conf, and a log in its place.")
        raise RequestError(done.stderr.strip().removeprefix("schedfarm: error: "))
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def _is_conf(path: str) -> bool:
    try:
        return bool(Site(path).partitions)
    except RequestError:
        return False


def expect_limits_column(log: str) -> None:
    """Refuses at once what the first line of a table of sacct tells, and what cannot be read again."""
    if os.path.exists(log) and not os.path.isfile(log) and not os.path.isdir(log):
        raise RequestError(f"{log}: this is no regular file (the log is read several times). Write it to a file, and name that")
    try:
        with open(log, "rb") as file:
            opened = gzip.open(file) if file.read(2) == b"\x1f\x8b" else file
            file.seek(0)
            header = opened.readline(10_000).decode(errors="replace").lower()
    except (OSError, EOFError, zlib.error):
        return  # the program says what is wrong with it
    if "|submit|" in header and "timelimit" not in header:
        raise RequestError(_no_limits(log))


def _no_limits(log: str) -> str:
    return (f"{log} has no time limits, by which Slurm and backfilling plan. Dump them (TimelimitRaw of sacct), or ask of policies that need none: "
            "--policy fcfs --vary policy=fpfs,random_order,smallest_area_first")


def expect_log(log: str, facts: Facts, conf: Site | None, needs_limits: bool) -> None:
    """Raises RequestError with the way out for a log of which nothing can be asked."""
    if needs_limits and facts["requested_time"]["jobs"] == 0:
        raise RequestError(_no_limits(log))
    if conf is None:
        return
    lacking = [name for name in _names(facts, "partition") if name not in conf.partitions]
    if lacking:
        raise RequestError(f"{log} has jobs of {_listed('partition', lacking)}, which {conf.path} has not: the log is older than the configuration, or of "
                           "another machine. Dump from the day on which slurm.conf changed, or take the slurm.conf of then")
    known = conf.facts["qos"]
    if known:
        lacking = [name for name in _names(facts, "QOS") if name not in known]
        if lacking:
            raise RequestError(f"{log} has jobs of {_listed('QOS', lacking)}, which {conf.qos} has not. Dump it again: sacctmgr -P show qos")
    elif _names(facts, "QOS") and conf.value("PriorityWeightQOS") not in (None, "0"):
        raise RequestError(f"{conf.path} weighs priorities by QOS, and no file says what these are. --qos FILE of sacctmgr -P show qos")


def _names(facts: Facts, kind: str) -> list[str]:
    """Of the partitions or QOS of the log's jobs, where they are several and have names."""
    return [group["group"].removeprefix(f"{kind} ") for group in facts["logged_waits"]
            if group["by"] == kind and group["group"].startswith(f"{kind} ") and not group["group"].endswith("not known")]


def _listed(kind: str, names: list[str]) -> str:
    return f"{kind} {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"


def expect_limits(log: str, reading: dict[str, str], label: str, partition: str, today_s: float, least_s: float) -> None:
    """Jobs stay as they are, also those that Slurm would refuse: there must be none that only today's MaxTime admits."""
    refused = sum(own == partition and least_s < limit <= today_s for own, limit in _limits(log, reading)) if least_s < today_s else 0
    if refused:
        raise RequestError(f"'{label}': {refused:,} jobs of the log ask for more, and Slurm would refuse them; what would be submitted in their place "
                           "no log says. Give a limit that admits them, or a log without them.")


def _limits(log: str, reading: dict[str, str]) -> list[tuple[str, float]]:
    """Partition and time limit, in seconds, of every job."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log.sacct"
        done = _trace(log, reading, f"--write={path}")
        if done.returncode != 0:
            raise RequestError(done.stderr.strip().removeprefix("schedfarm: error: "))
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return [(row["Partition"], _seconds(row["Timelimit"])) for row in csv.DictReader(file, delimiter="|")]


def _seconds(limit: str) -> float:
    """Of a limit as the program writes it; without one 0.

    >>> _seconds("2-01:00:00"), _seconds("00:30:05"), _seconds("")
    (176400.0, 1805.0, 0.0)
    """
    days, _, rest = limit.rpartition("-")
    parts = [float(part) if part.isdigit() else 0.0 for part in [days, *rest.split(":")]]
    return sum(part * unit for part, unit in zip(reversed(parts), (1, 60, 3600, 86400)))
