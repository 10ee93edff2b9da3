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
from collections.abc import Iterator

from .. import _program
from .._many import open_results
from .._new_file import write_file
from .._terminal import table_text, terminal_text
from ..errors import RequestError
from ..results import Results
from . import _answers, _calibration, _page
from ._campaign import READING, TODAY, Question, log_text, variations_of, whatif_text
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
    for name in ("events", "reservations", *READING):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--policy", default="")
    parser.add_argument("--processors", type=int)
    parser.add_argument("--replications", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", default="")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--output", default="whatif.yaml")


def run(options: argparse.Namespace) -> int:
    try:
        return _answered(options)
    except KeyboardInterrupt:
        return _stopped()


def _go_on() -> str:
    return shlex.join(["schedfarm", *sys.argv[1:]])


def _stopped() -> int:
    print(terminal_text(f"schedfarm: stopped, everything is saved. Go on with `{_go_on()}`"), file=sys.stderr)
    return _STOPPED


def _answered(options: argparse.Namespace) -> int:
    stem = options.output.removesuffix(".yaml")
    former = {name: _own(f"{name}.yaml") for name in (f"{stem}-log", stem)}
    reading = {name: getattr(options, name) for name in READING if getattr(options, name)}
    question = Question(options.log, options.slurm_conf, options.associations, options.qos, tuple(options.accept), options.policy,
                        options.processors, options.replications, options.seed, functools.cache(lambda: facts_of(options.log, reading)), reading,
                        options.events, options.reservations)
    variations = variations_of(question, options.vary, options.cross)
    if outside := question.facts()["dense_period"]["text"]:
        print(terminal_text(f"left out, unless --from and --before say otherwise: {outside}"), flush=True)
    texts = [log_text(question, variations), whatif_text(question, variations)]
    kept = Kept()
    with contextlib.ExitStack() as opened:
        with _in_place(former, texts):
            log, failures = _opened(f"{stem}-log", options, opened)
            if 0 in failures:
                print(f"schedfarm: {TODAY}: {failures[0]}. Give the configuration of this log.", file=sys.stderr)
                raise SystemExit(_FAILED)
            calibration = kept.made(lambda _: [_calibration.UNTOLD], _calibration.judge, log)
            print(table_text(_calibration.section(calibration, question)), flush=True)
            print(kept.made(_answers.untold, _answers.first_text, log, calibration, variations, failures, options.replications), flush=True)
            drawn, later = _opened(stem, options, opened)
        answers = _answers.answers(drawn, log, calibration, variations, question, later | failures, kept)
        print(kept.made(_answers.untold, _answers.text, answers), flush=True)
        page = _page.write(f"{stem}.html", drawn, log, calibration, answers, question, kept)
    again = "".join(f"\n    schedfarm run {name}.yaml --fresh" for name in former)
    print(terminal_text(f"page written to {page}\nagain, edited or not:{again}"))
    return _FAILED if kept.has_failed else 0


@contextlib.contextmanager
def _in_place(former: dict[str, bytes | None], texts: list[str]) -> Iterator[None]:
    """The campaigns, written and checked. Those of the last question come back where this one is refused or fails."""
    try:
        for name, text in zip(former, texts):
            write_file(f"{name}.yaml", text.encode())
        for name in former:
            _check(f"{name}.yaml")
        yield
    except BaseException as error:
        if getattr(error, "code", None) != _STOPPED:
            for name, before in former.items():
                if before is None:
                    pathlib.Path(f"{name}.yaml").unlink(missing_ok=True)
                else:
                    write_file(f"{name}.yaml", before)
        raise


def _own(path: str) -> bytes | None:
    """What is there; a campaign that somebody wrote is not replaced."""
    file = pathlib.Path(path)
    text = file.read_bytes() if file.exists() else None
    if text is not None and not text.startswith(b"# schedfarm whatif"):
        raise RequestError(f"{path} is there, and is no campaign of whatif. Name another with --output.")
    return text


def _check(path: str) -> None:
    """Raises RequestError with what the program says of it, each thing once: a change is named by the machine and by the policy."""
    done = _program.run("plan", path)
    if done.returncode != 0:
        lines = [re.sub(r"^(schedfarm: error: )?(\S+:\d+:\d+: )?('policy\.slurm': )?(changes:\d+: )?", "", line) for line in done.stderr.splitlines()]
        lines = [re.sub(r"accept: \[(\w+)\]", r"--accept \1", line) for line in lines]
        once = {re.sub(r"^\S+:\d+: ", "", line): line for line in reversed(lines) if line}
        raise RequestError("\n".join(reversed(once.values())) or f"schedfarm plan {path} ended with exit code {done.returncode}")


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
