"""The words of `--vary` as levels of a factor, and the two campaigns."""

from __future__ import annotations

import datetime
import itertools
import json
import re
import sys
import zoneinfo
from collections.abc import Callable
from typing import Any, NamedTuple

from ..errors import RequestError
from ..results import Results
from ._kept import Reasons
from ._log import expect_limits, expect_limits_column, expect_log
from ._site import Site

TODAY = "today"
FACTOR = "configuration"
READING = ("zone", "columns", "from", "before")  # of the log, as the workload has them
_SECONDS = {"m": 60, "h": 3600, "d": 86400}


class Question(NamedTuple):
    """`conf`: path of slurm.conf, empty: none; `facts`: what `schedfarm trace --json` says of the log, asked when it is needed."""

    log: str
    conf: str
    associations: str
    qos: str
    accept: tuple[str, ...]
    policy: str
    processors: int | None
    replications: int
    seed: int
    facts: Callable[[], dict[str, Any]]
    reading: dict[str, str] = {}
    events: str = ""
    reservations: str = ""
    left_out: tuple[int, ...] = ()  # numbers of jobs that some configuration can never place
    version: str = ""  # of Slurm


class Variation(NamedTuple):
    """What differs from today. `words`: a start of a sentence that says so."""

    label: str
    words: str
    changes: tuple[str, ...] = ()  # of slurm.conf
    policy: Any = None
    processors: int = 0  # more than today
    window: dict[str, Any] | None = None


def site_of(question: Question, changes: tuple[str, ...] = ()) -> Site:
    changes = (*changes, f"SLURM_VERSION={question.version}") if question.version else changes
    return Site(question.conf, question.associations, question.qos, changes, question.reservations, question.reading.get("zone", ""))


def variations_of(question: Question, words: list[str], is_crossed: bool) -> list[Variation]:
    """Raises RequestError with the way out."""
    needs_limits = bool(question.conf) or question.policy in ("", "easy")
    if needs_limits and "columns" not in question.reading:
        expect_limits_column(question.log)
    conf = site_of(question) if question.conf else None
    if conf is None and (question.events or question.reservations):
        raise RequestError("--events and --reservations are of the nodes of a slurm.conf. Write --slurm-conf FILE")
    if conf and not conf.partitions:
        raise RequestError(f"{conf.path} has no line PartitionName. Give LOG first, and a slurm.conf with --slurm-conf.")
    parts = [_part(question, conf, word) for word in words]
    expect_log(question.log, question.facts(), conf, needs_limits)
    if not is_crossed:
        return [one for part in parts for one in part]
    crossed = itertools.product(*([None, *part] for part in parts))
    return [_joined([one for one in chosen if one]) for chosen in crossed if any(chosen)]


class _AsToday(RequestError):
    """A value that is left out, where there are others."""


def _part(question: Question, conf: Site | None, word: str) -> list[Variation]:
    key, equals, values = word.partition("=")
    found, same = [], []
    for value in divided(values):
        try:
            found += [_variation(question, conf, key, value)] if value or not equals else []
        except _AsToday as error:
            same.append(error)
    if same and not found:
        raise RequestError(f"{same[0]}. Give another value.")
    for left_out in same:
        print(f"schedfarm: {left_out}, and is left out", file=sys.stderr)
    return found


def _joined(parts: list[Variation]) -> Variation:
    policies = [part.policy for part in parts if part.policy is not None]
    if len(policies) > 1:
        raise RequestError("two variations of the policy cannot be crossed. Write their combinations as a campaign of your own.")
    words = [parts[0].words, *(part.words[0].lower() + part.words[1:] for part in parts[1:])]
    return Variation(", ".join(part.label for part in parts), " and ".join(words), sum((part.changes for part in parts), ()),
                     policies[0] if policies else None, sum(part.processors for part in parts),
                     next((part.window for part in parts if part.window), None))


def _variation(question: Question, conf: Site | None, key: str, value: str) -> Variation:
    label = f"{key}={value}" if value else key
    if not key:
        raise RequestError(f"--vary '{label}' does not say what is varied. Write, as one example, --vary bf_max_job_test=2000.")
    if key == "window":
        return Variation(label, f"Taking the machine down {_said(value)}", window=_window(question, value))
    if key == "nodes":
        return _more_nodes(question, conf, label, value)
    if conf is None:
        today = question.policy or "easy"
        if key == "policy":
            if value == today:
                raise _AsToday(f"'{label}' leaves everything as it is")
            return Variation(label, f"Policy {value} in the place of {today}", policy=value)
        number: Any = _number(value)
        return Variation(label, f"{key} = {value}", policy={today: {key: number}})
    if key == "policy":
        raise RequestError(f"'{label}': with --slurm-conf the policy is slurm. Leave out --slurm-conf, as in --policy easy --vary policy=conservative.")
    before = conf.value(key)
    if re.fullmatch(r"x\d+(\.\d+)?", value):
        if before is None or not before.isdigit():
            raise RequestError(f"'{label}': {conf.path} has no number for {key} that could be multiplied. Write the value itself.")
        value = f"{float(before) * float(value[1:]):.0f}"
        label = f"{key}={value}"
    if before is not None and before.lower() == value.lower():
        raise _AsToday(f"'{label}' leaves the configuration as it is ({conf.path} says so already)")
    _expect_meaning(question, conf, label, key, value)
    words = f"Setting {label}"
    if before is not None and before.isdigit() and value.isdigit():
        words = f"{'Raising' if int(value) > int(before) else 'Lowering'} {key} from {int(before):,} to {int(value):,}"
    elif before:
        words = f"Changing {key} from {before} to {value}"
    return Variation(label, words, (conf.change(key, value),))


def _expect_meaning(question: Question, conf: Site, label: str, key: str, value: str) -> None:
    if key.lower() == "priorityweightfairshare" and value != "0" and not question.associations:
        raise RequestError(f"'{label}' weighs shares, and no file says what these are. --associations FILE of sacctmgr -P show assoc, "
                           "with the column ParentName")
    if key.lower().endswith(".maxtime"):
        changed = site_of(question, (conf.change(key, value),))
        if any(problem.startswith("changes:") for problem in changed.facts["problems"]):
            raise RequestError(f"'{label}' is no time limit. Write minutes (MaxTime=90), 1:30:00 or 1-12.")
        partition = key.partition(".")[2].rpartition(".")[0]
        expect_limits(question.log, question.reading, label, partition, conf.limit_s(partition), changed.limit_s(partition))


def divided(text: str) -> list[str]:
    """At the commas that are in no bracket.

    >>> divided("n[1,2],m")
    ['n[1,2]', 'm']
    """
    return re.split(r",(?![^\[\]]*\])", text)


def _number(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value


def _more_nodes(question: Question, conf: Site | None, label: str, value: str) -> Variation:
    found = re.fullmatch(r"(.*)\+(\d+)", value)
    if not found or int(found[2]) == 0:
        raise RequestError(f"'{label}' does not say how many nodes come. Write nodes={'PARTITION' if conf else ''}+20, for 20.")
    if conf and not found[1]:
        raise RequestError(f"'{label}' does not say to which partition they come. Write, as one example, nodes={next(iter(conf.partitions))}{value}.")
    count = int(found[2])
    if conf is None:
        return Variation(label, f"Adding {count} processors", processors=count)
    return Variation(label, f"Adding {count} nodes to {found[1]}", (conf.with_nodes(found[1], count),))


def _said(window: str) -> str:
    begin, _, length = window.rpartition("+")
    return f"from {begin} for {length}"


def _window(question: Question, value: str) -> dict[str, Any]:
    """The whole machine is planned to be down; in seconds of the log."""
    header = {key: text for key, text in question.facts()["header"]}
    found = re.fullmatch(r"(.+)\+(\d+)([mhd])", value)
    try:
        moment = datetime.datetime.fromisoformat(found[1]) if found else None
    except ValueError:
        moment = None
    if not found or moment is None:
        raise RequestError(f"'window={value}' is no window. Write it like window=2026-03-02T08:00+12h, with m, h or d.")
    if "UnixStartTime" not in header:
        raise RequestError(f"{question.log} does not say when its second 0 is, and 'window={value}' is a date. Dump with times of the Unix clock.")
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=_zone(question.log, header))
    begin = moment.timestamp() - float(header["UnixStartTime"])
    if not 0 <= begin <= question.facts()["last_submit"]:
        raise RequestError(f"'window={value}' lies outside of {question.log}. Give a date between its first and last submission.")
    return {"from": begin, "until": begin + int(found[2]) * _SECONDS[found[3]], "clusters": [0]}


def _zone(log: str, header: dict[str, str]) -> datetime.tzinfo:
    name, offset = header.get("TimeZoneString", ""), header.get("TimeZone", "0")
    try:
        return zoneinfo.ZoneInfo(name) if name else datetime.timezone(datetime.timedelta(seconds=float(offset)))
    except (ValueError, OverflowError, OSError, zoneinfo.ZoneInfoNotFoundError):
        raise RequestError(f"{log} is of a zone that this machine does not know ('{name or offset}'). Write the window with its own, "
                           "window=2026-03-02T08:00+01:00+12h, for one") from None


def whatif_text(question: Question, variations: list[Variation]) -> str:
    """Draws from the log."""
    return _text(question, variations, {"resampling": "weeks", "period": "dense"}, {
        "horizon": {"jobs": "all", "warm_up": "none"}, "replications": question.replications,
        "comparison": {"factor": FACTOR, "metric": "wait.mean", "baseline": TODAY}})


def log_text(question: Question, variations: list[Variation]) -> str:
    """The log itself."""
    return _text(question, variations, {"resampling": "none", "period": "dense"}, {
        "horizon": {"jobs": "all", "warm_up": "none"}, "replications": 1, "job_log": {"replications": 1}})


def left_out_everywhere(question: Question, log: Results, failures: Reasons) -> tuple[Question, bool]:
    """The question without the jobs that a configuration can never place, which are no jobs of any: else it would be compared by fewer than the others.
    And whether the replay of the log had other jobs."""
    own = [_left_out(text) for cell, text in zip(log.cells["cell"], log.cells["workload"]) if cell not in failures]
    union = set().union(*own)
    if not any(set(log.jobs(cell)["job_number"]) - union for cell in log.cells["cell"] if cell not in failures):
        raise RequestError("no job of the log can be placed under every configuration that is asked of. Ask of each by itself.")
    return question._replace(left_out=tuple(sorted(union))), any(numbers != union for numbers in own)


def _left_out(workload: str) -> set[int]:
    """
    >>> _left_out("{trace: {file: a.sacct, leave_out: [4, 17], processors: allocated}}"), _left_out("{trace: {file: a.sacct}}")
    ({17, 4}, set())
    """
    return {int(number) for found in re.findall(r"\bleave_out: \[([\d, ]+)\]", workload) for number in found.split(",")}


def _text(question: Question, variations: list[Variation], workload: dict[str, Any], more: dict[str, Any]) -> str:
    is_log = workload["resampling"] == "none"  # draws have no dates
    workload |= {"leave_out": list(question.left_out)} if question.left_out else {}
    windows = [own.window for own in variations]
    levels: dict[str, list[Any]] = {}
    if question.events and is_log:
        levels["system.outages.windows"] = [[], *([own] if own else [] for own in windows)]
    else:
        levels["system.outages"] = ["none", *({"windows": [own]} if own else "none" for own in windows)]
    if question.conf:
        site = {"conf": question.conf, "associations": question.associations, "qos": question.qos, "version": question.version}
        system: dict[str, Any] = {"slurm": {key: path for key, path in site.items() if path}}
        if question.accept:
            system["slurm"]["accept"] = list(question.accept)
        policy: Any = "slurm"
        if question.events and is_log:
            system["outages"] = {"file": question.events}
        always: list[str] = site_of(question).facts.get("reservations", []) if is_log else []
        if always:
            system["slurm"]["changes"] = always
        levels["system.slurm.changes"] = [always, *([*always, *own.changes] for own in variations)]
    else:
        processors = question.processors or _processors(question)
        system, policy = {"clusters": [processors]}, question.policy or "easy"
        levels["system.clusters"] = [[processors], *([processors + own.processors] for own in variations)]
    levels["policy"] = [policy, *(own.policy or policy for own in variations)]
    levels = {path: own for path, own in levels.items() if any(level != own[0] for level in own)}
    top = {
        "campaign_format": 1, "name": f"what if: {question.log}", "seed": question.seed, "experiment": "trace", "system": system,
        "workload": {"model": "trace", "file": question.log, "classes": "partitions_sizes_lengths", **_read(question), **workload}, "policy": policy, **more,
        "probes": [{"wait": {"per_class": True}}, "gross_utilization"],
        "factors": {FACTOR: {"zip": levels, "labels": [TODAY, *(own.label for own in variations)]}}}
    if "policy" in levels:
        del top["policy"]
    if "system.clusters" in levels:
        del top["system"]
    return "# schedfarm whatif wrote this: an ordinary campaign, to be edited and run.\n" + "".join(
        f"{key}: {_flow(value)}\n" for key, value in top.items())


class _Yaml(str):
    """Stands in a campaign as it is."""


def _read(question: Question) -> dict[str, str]:
    return {name: _Yaml(own) if own.startswith("{") else own for name, own in question.reading.items()}


def _flow(value: Any) -> str:
    """As YAML on one line.

    >>> _flow({"system": {"slurm": {"conf": "site.conf", "changes": ["a=b"]}}, "jobs": 3})
    '{system: {slurm: {conf: site.conf, changes: ["a=b"]}}, jobs: 3}'
    """
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_flow(own)}' for key, own in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    is_plain = isinstance(value, _Yaml) or isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w./]*", value)
    return str(value) if is_plain else json.dumps(value, ensure_ascii=False)


def _processors(question: Question) -> int:
    found = {key: text for key, text in question.facts()["header"]}.get("MaxProcs", "")
    if not found.isdigit():
        raise RequestError(f"{question.log} does not say how large the machine is. --processors N, or --slurm-conf FILE")
    return int(found)
