"""The program, called from Python: one simulation, a campaign, what there is."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from .. import _program
from ..errors import RequestError
from . import Policy
from ._source import command_of, write_whole

if TYPE_CHECKING:
    import pandas as pd

    from ..results import Results

PolicyLike = Union[str, Mapping[str, Any], Policy, "type[Policy]"]


def _complaint(text: str, command: str, code: int) -> RequestError:
    """What the program said, without its name before each line."""
    lines = [re.sub(r"^(\[.*?\] )*(schedfarm: )?(error|critical|warning): ", "", line) for line in text.strip().splitlines()]
    return RequestError("\n".join(line for line in lines if not line.startswith("schedfarm: info")) or
                        f"schedfarm {command} ended with exit code {code}")


class SimulatedJobs:
    """What became of each job of one simulation, in the order of their numbers; times in those of the workload.

    number, submit, start, finish, processors, wait, response_time: arrays of shape (jobs,)
    summary                                                         what `schedfarm simulate --json` says, as a dict
    """

    def __init__(self, table: "np.ndarray[Any, Any]", summary: dict[str, Any]) -> None:
        self.number = table[:, 0].astype(np.int64)
        self.submit: np.ndarray[Any, Any] = table[:, 1]
        self.start: np.ndarray[Any, Any] = table[:, 2]
        self.finish: np.ndarray[Any, Any] = table[:, 3]
        self.processors = table[:, 4].astype(np.int64)
        self.summary = summary

    @property
    def wait(self) -> "np.ndarray[Any, Any]":
        return np.subtract(self.start, self.submit)

    @property
    def response_time(self) -> "np.ndarray[Any, Any]":
        return np.subtract(self.finish, self.submit)

    def __len__(self) -> int:
        return len(self.number)

    def __repr__(self) -> str:
        return f"<{len(self)} jobs, mean wait {self.wait.mean() if len(self) else float('nan'):.6g}>"

    def to_pandas(self) -> "pd.DataFrame":
        """A row per job: job, submit, start, finish, processors, wait."""
        import pandas as pd
        return pd.DataFrame({"job": self.number, "submit": self.submit, "start": self.start, "finish": self.finish,
                             "processors": self.processors, "wait": self.wait})


def _policy_words(policy: PolicyLike, folder: pathlib.Path) -> list[str]:
    if isinstance(policy, str):
        return ["--policy", policy]
    if isinstance(policy, Mapping):
        ((name, given),) = policy.items()
        return ["--policy", name, *(word for key, value in given.items() for word in ("--set", f"{key}={json.dumps(value)}"))]
    name = (policy if isinstance(policy, type) else type(policy)).__name__
    return ["--policy", "external", "--set", f"command={json.dumps(command_of(policy, name, folder))}"]


def simulate(jobs: Union[str, os.PathLike[str]], policy: PolicyLike, *, processors: Optional[int] = None, model: bool = False,
             first: Optional[int] = None, seed: int = 1, verify: bool = False, options: Sequence[str] = ()) -> SimulatedJobs:
    """Simulates one log, or one workload model, under one policy.

    `jobs`: a log (SWF, a table of sacct), the name of one in $SCHEDFARM_TRACES, or `example`; with `model=True` the name of a
    workload model. `policy`: a name such as `easy`, `{name: {parameter: value}}`, or a Policy, class or object. `first`: take so
    many jobs. `verify`: hold every action to the rules, and ask a policy of one's own twice. `options`: further words of
    `schedfarm simulate`. Raises RequestError with what the program or the policy said.
    """
    with tempfile.TemporaryDirectory(prefix="schedfarm-") as name:
        folder = pathlib.Path(name)
        table = folder / "jobs.csv"
        source = os.fspath(jobs)
        if not model and os.path.exists(source):
            source = os.path.abspath(source)
        words = ["simulate", "--model" if model else "--trace", source, *_policy_words(policy, folder), "--jobs", str(table), "--json"]
        words += [] if processors is None else ["--processors", str(processors)]
        words += [] if first is None else ["--job-count" if model else "--first", str(first)]
        words += ["--seed", str(seed)] if model else []
        words += [*(["--verify"] if verify else []), *options]
        where = None if isinstance(policy, (str, Mapping)) else folder  # files are named from there
        done = subprocess.run([_program.program(), *words], capture_output=True, text=True, check=False, cwd=where,
                              env={**os.environ, "PYTHONPATH": _python_path()})
        if done.returncode != 0:
            raise _complaint(done.stderr, "simulate", done.returncode)
        rows = np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)
        return SimulatedJobs(rows.reshape(-1, 5), json.loads(done.stdout))


def _python_path() -> str:
    own = str(pathlib.Path(__file__).parents[2])
    return os.pathsep.join([own, *filter(None, [os.environ.get("PYTHONPATH")])])


class Campaign:
    """A campaign made of Python values: the tree of a campaign file, and policies of one's own by the names that it uses."""

    def __init__(self, tree: Mapping[str, Any], policies: Mapping[str, Any], folder: pathlib.Path) -> None:
        self.folder = folder
        self.name = re.sub(r"[^\w.-]+", "_", str(tree.get("name", "campaign")).strip()) or "campaign"
        folder.mkdir(parents=True, exist_ok=True)
        self.file = folder / f"{self.name}.yaml"
        own = {name: {"external": {"command": command_of(policy, name, folder)}} for name, policy in policies.items()}
        self.tree = _with_policies({"campaign_format": 1, "name": self.name, **tree}, own)
        # A campaign file is YAML, of which JSON is a part.
        write_whole(self.file, (json.dumps(self.tree, indent=1) + "\n").encode())

    def plan(self) -> str:
        """The cells and the effective configuration, as `schedfarm plan` prints them; runs nothing."""
        return self._said(["plan", self.file.name])

    def run(self, *options: str, workers: Optional[int] = None, progress: bool = True) -> "Results":
        """Runs it and opens its results, which lie beside the campaign file.

        A run that was stopped goes on; another version of the campaign begins anew with `"--fresh"`. `workers`: processes, by
        default as `schedfarm run` takes them. `progress`: one line on standard error. Raises RequestError with what the program
        says.
        """
        from .._many import open_results
        journal = self.folder / f"{self.name}.h5.journal"
        command = "resume" if journal.exists() and "--fresh" not in options else "run"
        words = [command, self.file.name, "--output", f"{self.name}.h5", *options]
        words += [] if workers is None else ["--workers", str(workers)]
        self._said(words + ["--progress", "lines"], shows=progress, good=(0, 1))
        return open_results(self.folder / f"{self.name}.h5")

    def _said(self, words: list[str], shows: bool = False, good: tuple[int, ...] = (0,)) -> str:
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen([_program.program(), *words], stdout=output, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                       env={**os.environ, "PYTHONPATH": _python_path()})
            assert process.stderr is not None
            told = []
            width = 0  # of the line that the next one replaces
            try:
                for line in process.stderr:
                    told.append(line)
                    if shows:
                        stays = line.startswith(("schedfarm: warning: ", "schedfarm: error: "))
                        text = line.strip() if stays else line.strip()[:79]
                        print(f"\r{text:<{width}}", end="\n" if stays else "", file=sys.stderr, flush=True)
                        width = 0 if stays else len(text)
                code = process.wait()
            except BaseException:
                process.terminate()
                process.wait()
                raise
            if width > 0:
                print(file=sys.stderr)
            if code not in good:
                raise _complaint("".join(told), words[0], code)
            output.seek(0)
            return output.read()


def _with_policies(tree: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with the policies where their names stand; levels of a factor keep the names as labels."""
    result: dict[str, Any] = dict(tree)
    used = set()

    def named(value: Any) -> Any:
        if isinstance(value, str) and value in own:
            used.add(value)
            return own[value]
        if isinstance(value, Mapping):
            return {key: named(one) for key, one in value.items()}
        return [named(one) for one in value] if isinstance(value, (list, tuple)) else value

    if "policy" in result:
        result["policy"] = named(result["policy"])
    factors = dict(result.get("factors", {}))
    levels = factors.get("policy")
    if isinstance(levels, (list, tuple)) and any(isinstance(level, str) and level in own for level in levels):
        labels = [level if isinstance(level, str) else "".join(level) if len(level) == 1 else str(level) for level in levels]
        factors["policy"] = {"levels": [named(level) for level in levels], "labels": labels}
    elif levels is not None:
        factors["policy"] = named(levels)
    if factors:
        result["factors"] = factors
    unused = sorted(set(own) - used)
    if unused:
        raise RequestError(f"the campaign names no policy '{unused[0]}'. Write it into factors: {{policy: […]}} or policy")
    return result


def campaign(tree: Mapping[str, Any], policies: Optional[Mapping[str, Any]] = None,
             folder: Union[str, os.PathLike[str]] = ".") -> Campaign:
    """A campaign of Python values, with the keys of a campaign file.

    `policies`: Policy classes or objects by the names under which `tree` has them. The campaign file, the copies of the policies'
    sources and the results lie in `folder`. Raises RequestError where a policy needs what does not stand in its file or cell.
    """
    return Campaign(tree, policies or {}, pathlib.Path(folder))


def plan(tree: Mapping[str, Any], policies: Optional[Mapping[str, Any]] = None) -> str:
    """What `schedfarm plan` prints of a campaign of Python values. Raises RequestError with what is wrong in it."""
    with tempfile.TemporaryDirectory(prefix="schedfarm-") as folder:
        return campaign(tree, policies, folder).plan()


def listed(name: Optional[str] = None) -> str:
    """What `schedfarm list` prints: the names of all policies, models, distributions, probes and experiments, or one of them with
    its parameters."""
    done = _program.run("list", *([] if name is None else [name]))
    if done.returncode != 0:
        raise _complaint(done.stderr, "list", done.returncode)
    return done.stdout
