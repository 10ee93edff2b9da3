"""`schedfarm whatif`: what another configuration would do to the waits of a log. It writes two campaigns, which the program runs: the log
itself under every configuration, by which today's is held against what the log says (`_calibration`), and draws from the log, by which the
others are compared with today's (`_answers`). Both can be edited and run again by `schedfarm run`."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from .. import _program
from .._json import json_text
from .._many import open_results
from .._new_file import write_file
from .._terminal import filled, table_text, terminal_text
from ..errors import RequestError
from ..results import Results
from . import _answers, _calibration, _page
from ._campaign import READING, TODAY, Question, Variation, left_out_everywhere, log_text, site_of, variations_of, whatif_text
from ._kept import Kept, Reasons
from ._log import facts_of

_FAILED = 1  # exit code of a run some of whose replications failed
_STOPPED = 3  # exit code of a run that was stopped, with everything saved


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("log")
    parser.add_argument("--vary", action="append", required=True)
    parser.add_argument("--cross", action="store_true")
    parser.add_argument("--slurm-conf", default="")
    parser.add_argument("--associations", default="")
    parser.add_argument("--qos", default="")
    parser.add_argument("--accept", action="append", default=[])
    for name in ("events", "reservations", "slurm-version", *READING):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--policy", default="")
    parser.add_argument("--processors", type=int)
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", default="")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--format", default="text")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--output", default="whatif.yaml")


def run(options: argparse.Namespace) -> int:
    is_json = options.json or options.format == "json"
    try:
        with contextlib.redirect_stdout(sys.stderr) if is_json else contextlib.nullcontext():
            code, found = _answered(options)
    except KeyboardInterrupt:
        return _stopped()
    if is_json:
        sys.stdout.write(json_text(found))
    return code


def _go_on() -> str:
    return shlex.join(["schedfarm", *sys.argv[1:]])


def _stopped() -> int:
    print(terminal_text(f"schedfarm: stopped, everything is saved. Go on with `{_go_on()}`"), file=sys.stderr)
    return _STOPPED


def _answered(options: argparse.Namespace) -> tuple[int, dict[str, Any]]:
    """The exit code, and what is found as JSON has it."""
    if options.replications < 2:
        raise RequestError(f"--replications {options.replications} gives no interval. Give two draws at least; twenty are the default")
    if options.slurm_conf and (options.policy or options.processors):
        raise RequestError("--policy and --processors are of logs without --slurm-conf, which says both. Leave them out, or --slurm-conf")
    stem = options.output.removesuffix(".yaml")
    former = {name: _own(f"{name}.yaml") for name in (f"{stem}-log", stem)}
    reading = {name: getattr(options, name) for name in READING if getattr(options, name)}
    question = Question(options.log, options.slurm_conf, options.associations, options.qos, tuple(options.accept), options.policy,
                        options.processors, options.replications, options.seed, functools.cache(lambda: facts_of(options.log, reading)), reading,
                        options.events, options.reservations, options.slurm_version)
    variations = variations_of(question, options.vary, options.cross)
    if rules := site_of(question).facts["rules"] if question.conf else "":
        print(filled(rules), flush=True)
    if outside := question.facts()["dense_period"]["text"]:
        print(terminal_text(f"left out, unless --from and --before say otherwise: {outside}"), flush=True)
    kept = Kept()
    with contextlib.ExitStack() as opened:
        with _in_place(former):
            warnings = _write(former, question, variations)
            log, failures = _opened(f"{stem}-log", options, opened)
            for warning in warnings:  # behind the first run: what is refused has one line
                print(terminal_text(f"schedfarm: warning: {warning}"), file=sys.stderr)
            question, is_other = left_out_everywhere(question, log, failures)
            if is_other:
                _write(former, question, variations)
                log, failures = _opened(f"{stem}-log", options, opened)
            if 0 in failures:
                print(f"schedfarm: {TODAY}: {failures[0]}. Give the configuration of this log.", file=sys.stderr)
                raise SystemExit(_FAILED)
            if left_out := _answers.left_out_text(question, log):
                print(filled(left_out) + "\n", flush=True)
            calibration = kept.made(lambda _: [_calibration.UNTOLD], _calibration.judge, log)
            print(table_text(_calibration.section(calibration, question)), flush=True)
            print(kept.made(_answers.untold, _answers.first_text, log, calibration, variations, failures, options.replications), flush=True)
            drawn, later = _opened(stem, options, opened)
        answers = _answers.answers(drawn, log, calibration, variations, question, later | failures, kept)
        many = left_out if 100 * len(question.left_out) > len(question.left_out) + len(log.jobs(0)) else ""
        print(kept.made(_answers.untold, _answers.text, answers, many), flush=True)
        page = _page.write(f"{stem}.html", drawn, log, calibration, answers, question, kept)
    again = "".join(f"\n    schedfarm run {name}.yaml --fresh" for name in former)
    print(terminal_text(f"page written to {page}\nagain, edited or not:{again}"))
    return _FAILED if kept.has_failed else 0, {
        "log": question.log, "left_out": left_out, "page": page, "calibration": [own._asdict() for own in calibration],
        "answers": [_answers.as_json(own) for own in answers]}


@contextlib.contextmanager
def _in_place(former: dict[str, bytes | None]) -> Iterator[None]:
    """The campaigns of the last question come back where this one is refused or fails."""
    try:
        yield
    except BaseException as error:
        if getattr(error, "code", None) != _STOPPED:
            for name, before in former.items():
                if before is None:
                    pathlib.Path(f"{name}.yaml").unlink(missing_ok=True)
                else:
                    write_file(f"{name}.yaml", before)
        raise


def _write(names: Iterable[str], question: Question, variations: list[Variation]) -> list[str]:
    """Both campaigns, which are checked, too: what the program warns of."""
    for name, text in zip(names, (log_text(question, variations), whatif_text(question, variations))):
        write_file(f"{name}.yaml", text.encode())
    return list(dict.fromkeys(line for name in names for line in _check(f"{name}.yaml")))


def _own(path: str) -> bytes | None:
    """What is there; a campaign that somebody wrote is not replaced."""
    file = pathlib.Path(path)
    text = file.read_bytes() if file.exists() else None
    if text is not None and not text.startswith(b"# schedfarm whatif"):
        raise RequestError(f"{path} is there, and is no campaign of whatif. Name another with --output.")
    return text


# What `plan` says of the campaigns, in the words of the options.
_AS_ASKED = (
    (r"^'workload': a job of the log needs (\d+) processors \(the system has (\d+).*",
     r"a job of the log needs \1 processors, and the machine has \2. Give those of the log's machine with --processors"),
    (r".*\((the log has one|no job lies in a) whole week\b.*", "the log has fewer than two whole weeks, of which draws are made. Dump more weeks; eight and more are better"),
    (r"^'workload': ", ""),
    (r", in a campaign accept: \[\w+\]", ""),
    (r", or 'leave_out' names them| \(left_waiting: drop leaves them out\)|\. Leave this out with 'period: dense'| Keep them with 'missing_request: \w+'\?", ""),
    (r"'from' and 'before'", "--from and --before"))


def _check(path: str) -> list[str]:
    """What the program warns of. Raises RequestError with what it says is wrong. Each thing once: a change is named by the machine and by the policy."""
    done = _program.run("plan", path)
    own = re.escape(path)
    lines = [re.sub(rf"^(schedfarm: (error|warning): )?({own}:\d+:\d+: )?('policy\.slurm': )?(changes:\d+: )?", "", line)
             for line in done.stderr.splitlines()]
    for words, asked in _AS_ASKED:
        lines = [re.sub(words, asked, line) for line in lines]
    once = {re.sub(r"^\S+:\d+: ", "", line): line for line in reversed(lines) if line}
    said = list(reversed(once.values()))
    if done.returncode != 0:
        raise RequestError("\n".join(said) or f"schedfarm plan {path} ended with exit code {done.returncode}")
    return said


def _opened(name: str, options: argparse.Namespace, opened: contextlib.ExitStack) -> tuple[Results, Reasons]:
    """And why cells failed: what is left of such a one would be no fair comparison."""
    results = opened.enter_context(open_results(_run(name, options)))
    failures = results.table("failures")
    return results, {int(cell): str(text).rstrip(".") for cell, text in reversed(list(zip(failures["cell"], failures["message"])))}


def _run(name: str, options: argparse.Namespace) -> str:
    """The result file of a campaign. A run that was stopped goes on, and replications that another question of this log needs, too, are kept."""
    goes_on = os.path.exists(f"{name}.h5.journal") and not options.fresh
    words = [_program.program(), "run", f"{name}.yaml", "--output", f"{name}.h5", "--extend" if goes_on else "--fresh",
             *([f"--workers={options.workers}"] if options.workers else [])]
    print(f"schedfarm: running {name}.yaml; `schedfarm status {name}.h5` says how far it has come", file=sys.stderr)
    interrupts: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: interrupts.append(number))  # the program saves what is done
    code = subprocess.run(words, stdout=subprocess.DEVNULL, check=False, env=os.environ | {"SCHEDFARM_GO_ON": _go_on()}).returncode
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if code == _STOPPED:  # it has said how to go on
        raise SystemExit(_STOPPED)
    if interrupts or code == -signal.SIGINT:  # it may just have finished
        raise SystemExit(_stopped())
    if code < 0:
        raise RequestError(f"signal {-code} ended schedfarm run {name}.yaml. Go on with `{_go_on()}`")
    if code > _FAILED:
        raise SystemExit(code)  # it has said why
    return f"{name}.h5"
