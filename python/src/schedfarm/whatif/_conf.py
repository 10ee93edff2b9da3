"""What slurm.conf says of what is varied: values of keys, partitions and their nodes. It is checked and modelled by the program."""

from __future__ import annotations

import difflib
import math
import pathlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import FileError, RequestError

Words = dict[str, str]


class NodeLine(NamedTuple):
    names: list[str]
    words: Words  # with those of DEFAULT


class Conf:
    """Keys are compared in small letters."""

    def __init__(self, path: str, changes: Sequence[str] = ()) -> None:
        self.path = path
        self.keys: Words = {}
        self.parameters: Words = {}  # of SchedulerParameters
        self.partitions: dict[str, Words] = {}
        self.nodes: list[NodeLine] = []
        defaults: dict[str, Words] = {"nodename": {}, "partitionname": {}}
        for words in _lines(pathlib.Path(path)) + [_words(line) for line in changes]:
            kind, name = next(iter(words.items()))
            if kind not in defaults:
                self.keys.update(words)
                for word in words.get("schedulerparameters", "").split(","):
                    self.parameters[word.partition("=")[0].lower()] = word.partition("=")[2]
                continue
            own = {key: value for key, value in words.items() if key != kind}
            if name.lower() == "default":
                defaults[kind].update(own)
            elif kind == "nodename":
                self.nodes.append(NodeLine(host_names(name), defaults[kind] | own))
            else:
                self.partitions[name] = defaults[kind] | own

    def partition(self, name: str) -> Words:
        """Raises RequestError for one that there is not."""
        if name not in self.partitions:
            near = difflib.get_close_matches(name, self.partitions, 1, 0)
            raise RequestError(f"no partition '{name}' in {self.path}. Did you mean '{near[0] if near else ''}'?")
        return self.partitions[name]

    def node_sizes(self) -> list[int]:
        """Processors of every node, in the order of the file."""
        found = []
        for names, words in self.nodes:
            parts = [words.get("sockets", words.get("socketsperboard", "1")), words.get("corespersocket", "1"), words.get("threadspercore", "1")]
            own = words.get("cpus", words.get("procs", ""))
            found += [int(own) if own else math.prod(map(int, parts))] * len(names)
        return found

    def value(self, key: str) -> str | None:
        """What a word of SchedulerParameters, a key or partition.NAME.KEY is today; None: the file does not say."""
        if key.startswith("partition."):
            _, name, own = _partition_key(key)
            return self.partition(name).get(own.lower())
        return self.parameters.get(key.lower(), self.keys.get(key.lower()))

    def change(self, key: str, value: str) -> str:
        """The line, or word of SchedulerParameters, that comes last."""
        if key.startswith("partition."):
            _, name, own = _partition_key(key)
            return f"PartitionName={name} {own}={value}"
        return f"{key}={value}" if value else key

    def with_nodes(self, name: str, count: int) -> list[str]:
        """The lines that give a partition so many more nodes, which are as its first one."""
        own = self.partition(name).get("nodes", "")
        if not own:
            raise RequestError(f"partition '{name}' of {self.path} has no nodes")
        names = host_names(own)
        like = self.nodes[0] if own.lower() == "all" else next((line for line in self.nodes if names[0] in line.names), self.nodes[0])
        words = " ".join(f"{key}={value}" for key, value in like.words.items())
        added = f"whatif[1-{count}]"
        return [f"NodeName={added} {words}", *([] if own.lower() == "all" else [f"PartitionName={name} Nodes={own},{added}"])]


def _partition_key(key: str) -> tuple[str, str, str]:
    kind, _, rest = key.partition(".")
    name, dot, own = rest.rpartition(".")
    if not dot:
        raise RequestError(f"'{key}' names no key of a partition. partition.NAME.MaxTime, for one?")
    return kind, name, own


def _lines(path: pathlib.Path) -> list[Words]:
    """Words by key; an Include in the place of its line."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FileError(f"{path} cannot be read ({error.strerror}). Is the path right?") from error
    found = []
    for line in re.sub(r"\\\n", " ", text).splitlines():
        line = line.partition("#")[0].strip()
        if line.lower().startswith("include "):
            found += _lines(path.parent / line.split(None, 1)[1])
            continue
        found.append(_words(line))
    return [words for words in found if words]


def _words(line: str) -> Words:
    return {key.lower(): value for key, _, value in (word.partition("=") for word in line.split()) if key}


def minutes(limit: str) -> float | None:
    """A time limit as slurm.conf has it; None: it is none.

    >>> minutes("90"), minutes("1:30:00"), minutes("1-12"), minutes("2:30"), minutes("unlimited"), minutes("banana")
    (90.0, 90.0, 2160.0, 2.5, inf, None)
    """
    if limit.lower() in ("unlimited", "infinite", "-1"):
        return math.inf
    found = re.fullmatch(r"(?:(\d+)-)?(\d+)(?::(\d+))?(?::(\d+))?", limit)
    if not found:
        return None
    days, *rest = found.groups()
    parts = [int(part) for part in rest if part]
    if days or len(parts) == 3:  # from hours down; else from minutes
        return 1440.0 * int(days or 0) + sum(part * unit for part, unit in zip(parts, (60, 1, 1 / 60)))
    return sum(part * unit for part, unit in zip(parts, (1.0, 1 / 60)))


def host_names(text: str) -> list[str]:
    """
    >>> host_names("n[01-03,7],login")
    ['n01', 'n02', 'n03', 'n7', 'login']
    """
    found = []
    for part in divided(text):
        head, bracket, rest = part.partition("[")
        inner, _, tail = rest.partition("]")
        for span in inner.split(",") if bracket else [""]:
            first, dash, last = span.partition("-")
            numbers = [f"{number:0{len(first)}}" for number in range(int(first), int(last) + 1)] if dash else [span]
            found += [head + number + tail for number in numbers]
    return found


def divided(text: str) -> list[str]:
    """At the commas that are in no bracket.

    >>> divided("n[1,2],m")
    ['n[1,2]', 'm']
    """
    return re.split(r",(?![^\[]*\])", text)
