"""The package's side of the interface to policies: one line of JSON per instant each way (docs/how-to/your-own-policy.md)."""

from __future__ import annotations

import contextlib
import gc
import importlib.metadata
import json
import os
import pathlib
import platform
import sys
import traceback
from typing import Any

from . import Job, Machine, Policy

INTERFACE = 1
_OWN = str(pathlib.Path(__file__).parent)


def _told(error: BaseException) -> str:
    """What went wrong, in the policy's own lines; all of it goes to standard error."""
    kept = traceback.TracebackException.from_exception(error, capture_locals=False)
    one: Any = kept
    while one is not None:
        one.stack = traceback.StackSummary.from_list([frame for frame in one.stack if not frame.filename.startswith(_OWN)])
        one = one.__cause__ or one.__context__
    sys.stderr.write("".join(kept.format()))
    sys.stderr.flush()
    where = f" ({os.path.basename(kept.stack[-1].filename)}:{kept.stack[-1].lineno})" if kept.stack else ""
    return f"{type(error).__name__}: {error}{where}"


class _Replication:
    def __init__(self, make: Any, told: dict[str, Any]) -> None:
        self._machine = Machine(told)
        self._policy = make()
        kind = type(self._policy)
        if not isinstance(self._policy, Policy):
            raise TypeError(f"{kind.__name__} is no policy. Write class {kind.__name__}(schedfarm.Policy)")
        # What a policy does not write is not called: most write one of these.
        self._arrive = self._policy.arrive if kind.arrive is not Policy.arrive else None
        self._finish = self._policy.finish if kind.finish is not Policy.finish else None
        self._withdraw = self._policy.withdraw if kind.withdraw is not Policy.withdraw else None
        self._policy.begin(self._machine)

    def answer(self, told: dict[str, Any]) -> str:
        machine = self._machine
        waiting, running = machine._queue._jobs, machine.running._jobs
        now = machine.now = told["now"]
        for number in told.get("withdrawn", ()):
            job = waiting.pop(number)
            if self._withdraw is not None:
                self._withdraw(job)
        for number in told.get("finished", ()):
            job = running.pop(number)
            if self._finish is not None:
                self._finish(job)
        machine.free_by_cluster = told["free"]
        machine.free = sum(told["free"])
        for one in told.get("arrived", ()):
            job = waiting[one["job"]] = Job(one)
            if self._arrive is not None:
                self._arrive(job)
        self._policy.schedule(now, machine._queue, machine)
        if not machine._starts and not machine._wakes:
            return "{}\n"
        said: dict[str, Any] = {"start": machine._starts}
        if machine._wakes:
            said["wake"] = machine._wakes
        line = json.dumps(said) + "\n"
        machine._starts, machine._wakes = [], []
        return line


def _versions() -> dict[str, str]:
    """Of Python and, whether it is imported yet or not, of numpy."""
    versions = {"python": platform.python_version()}
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        versions["numpy"] = importlib.metadata.version("numpy")
    return versions


def serve(make: Any) -> None:
    lines = sys.stdin.buffer
    answers = os.dup(1)
    os.dup2(2, 1)  # what the policy prints
    hello = json.dumps({"interface": INTERFACE, "versions": _versions()}) + "\n"
    gc.freeze()
    replication: Any = None
    for line in iter(lines.readline, b""):
        try:
            told = json.loads(line)
            if "interface" in told:
                replication = None  # the last one's memory
                said = hello
                if told["interface"] == INTERFACE:
                    replication = _Replication(make, told)
            else:
                said = replication.answer(told)
        except KeyboardInterrupt:
            raise SystemExit(1) from None
        except Exception as error:
            said = json.dumps({"error": _told(error)}) + "\n"
        written = said.encode()
        while written:
            written = written[os.write(answers, written):]
