"""What the site's files say, as the program reads them (`schedfarm site`): nodes, partitions, keys."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from .. import _program
from ..errors import RequestError


class Site:
    """Keys are compared in small letters."""

    def __init__(self, conf: str, associations: str = "", qos: str = "", changes: Sequence[str] = (), reservations: str = "", zone: str = "") -> None:
        given = {"associations": associations, "qos": qos, "reservations": reservations, "zone": zone}
        files = [f"--{name}={word}" for name, word in given.items() if word]
        done = _program.run("site", *files, *(f"--change={line}" for line in changes), "--", conf)
        if done.returncode != 0:
            raise RequestError(done.stderr.strip().removeprefix("schedfarm: error: "))
        self.path, self.qos = conf, qos
        self.facts: dict[str, Any] = json.loads(done.stdout)
        self.partitions: dict[str, dict[str, str]] = {name: self.facts["partitions"][name] for name in self.facts["limits_s"]}

    def partition(self, name: str) -> dict[str, str]:
        """Raises RequestError for one that there is not."""
        if name not in self.partitions:
            raise RequestError(f"no partition '{name}' in {self.path}. It has {', '.join(self.partitions)}.")
        return self.partitions[name]

    def node_sizes(self) -> list[int]:
        """Processors of every node, in the order of the file."""
        return [node["cpus"] for node in self.facts["nodes"]]

    def limit_s(self, name: str) -> float:
        """MaxTime of a partition."""
        limit = self.facts["limits_s"][name]
        return math.inf if limit is None else float(limit)

    def value(self, key: str) -> str | None:
        """What a word of SchedulerParameters, a key or partition.NAME.KEY is today; None: the file does not say."""
        if key.startswith("partition."):
            name, own = _partition_key(key)
            return self.partition(name).get(own.lower())
        parameters: dict[str, str] = self.facts["parameters"]
        return parameters.get(key.lower(), self.facts["keys"].get(key.lower()))

    def change(self, key: str, value: str) -> str:
        """The line, or word of SchedulerParameters, that comes last."""
        if key.startswith("partition."):
            name, own = _partition_key(key)
            return f"PartitionName={name} {own}={value}"
        return f"{key}={value}" if value else key

    def with_nodes(self, name: str, count: int) -> str:
        """The line that gives a partition so many more nodes, which are as its first one."""
        if not self.partition(name).get("nodes", ""):
            raise RequestError(f"partition '{name}' of {self.path} has no nodes")
        return f"PartitionName={name} Nodes=+{count}"


def _partition_key(key: str) -> tuple[str, str]:
    """
    >>> _partition_key("partition.a.b.MaxTime")
    ('a.b', 'MaxTime')
    """
    name, dot, own = key.removeprefix("partition.").rpartition(".")
    if not dot:
        raise RequestError(f"'{key}' names no key of a partition. Write partition.NAME.MaxTime.")
    return name, own
