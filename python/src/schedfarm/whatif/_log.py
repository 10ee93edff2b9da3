"""What is expected of the log, for anything to be asked of it."""

from __future__ import annotations

import csv
import json
import math
import pathlib
import tempfile
from typing import Any

from .. import _program
from ..errors import RequestError
from ._conf import Conf, minutes

Facts = dict[str, Any]


def facts_of(log: str) -> Facts:
    done = _program.run("trace", log, "--json")
    if done.returncode != 0:
        if pathlib.Path(log).is_file() and Conf(log).partitions:
            raise RequestError(f"{log} has lines PartitionName, and is no log. LOG, and --slurm-conf {log}?")
        raise RequestError(done.stderr.strip().removeprefix("schedfarm: error: "))
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def expect_log(log: str, facts: Facts, qos: str, conf: Conf | None) -> None:
    """Raises RequestError with the way out for a log of which nothing can be asked."""
    if facts["requested_time"]["jobs"] == 0:
        raise RequestError(f"{log} has no time limits, by which Slurm and backfilling plan. Dump them (TimelimitRaw of sacct), or ask of policies that "
                           "need none: --policy fcfs --vary policy=fpfs,random_order,smallest_area_first")
    if facts["last_submit"] - facts["first_submit"] < 14 * 86400:
        raise RequestError(f"{log} has fewer than two whole weeks, of which draws are made. A dump of more weeks? Eight and more are better")
    if conf is None:
        return
    if not conf.partitions:
        raise RequestError(f"{conf.path} has no line PartitionName. Is it a slurm.conf, and the log the other file?")
    lacking = [name for name in _names(facts, "partition") if name not in conf.partitions]
    if lacking:
        raise RequestError(f"{log} has jobs of {_listed('partition', lacking)}, which {conf.path} has not: is the log older than the configuration, or of "
                           "another machine? Dump from the day on which slurm.conf changed, or take the slurm.conf of then")
    if qos:
        with open(qos, encoding="utf-8", errors="replace") as file:
            known = {line.partition("|")[0] for line in file}
        lacking = [name for name in _names(facts, "QOS") if name not in known]
        if lacking:
            raise RequestError(f"{log} has jobs of {_listed('QOS', lacking)}, which {qos} has not. Dump it again: sacctmgr -P show qos")
    elif _names(facts, "QOS") and conf.value("PriorityWeightQOS") not in (None, "0"):
        raise RequestError(f"{conf.path} weighs priorities by QOS, and no file says what these are. --qos FILE of sacctmgr -P show qos")


def _names(facts: Facts, kind: str) -> list[str]:
    """Of the partitions or QOS of the log's jobs, where they are several and have names."""
    return [group["group"].removeprefix(f"{kind} ") for group in facts["logged_waits"]
            if group["by"] == kind and group["group"].startswith(f"{kind} ") and not group["group"].endswith("not known")]


def _listed(kind: str, names: list[str]) -> str:
    return f"{kind} {', '.join(names[:3])}{' and others' if len(names) > 3 else ''}"


def expect_limits(log: str, label: str, partition: str, before: str, after: str) -> None:
    """Jobs stay as they are, also those that Slurm would refuse: there must be none that only today's MaxTime admits."""
    today, least = minutes(before) or math.inf, minutes(after)
    if least is None:
        raise RequestError(f"'{label}' is no time limit. MaxTime=90 (minutes), 1:30:00 or 1-12, for one?")
    refused = sum(own == partition and least < limit <= today for own, limit in _limits(log)) if least < today else 0
    if refused:
        raise RequestError(f"'{label}': {refused:,} jobs of the log ask for more, and Slurm would refuse them; what would be submitted in their place "
                           "no log says. A limit that admits them, or a log without them?")


def _limits(log: str) -> list[tuple[str, float]]:
    """Partition and time limit, in minutes, of every job."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "log.sacct"
        done = _program.run("trace", log, "--write", str(path))
        if done.returncode != 0:
            raise RequestError(done.stderr.strip().removeprefix("schedfarm: error: "))
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            return [(row["Partition"], minutes(row["Timelimit"]) or 0.0) for row in csv.DictReader(file, delimiter="|")]
