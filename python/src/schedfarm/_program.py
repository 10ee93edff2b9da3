"""What the program schedfarm does for the package: check a file, run a replication again, tell when jobs paused.

The program is `$SCHEDFARM_PROGRAM`, or else `schedfarm` in PATH.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any

from .errors import MissingPackage, RequestError


def program() -> str:
    found = os.environ.get("SCHEDFARM_PROGRAM") or shutil.which("schedfarm")
    if not found:
        raise MissingPackage(
            "the program schedfarm is not in PATH (this call needs it). Add its folder to PATH, or set SCHEDFARM_PROGRAM"
        )
    return found


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program(), *arguments], capture_output=True, text=True, check=False)


def check(path: str) -> list[str]:
    """The lines of complaint of `schedfarm check`."""
    done = run("check", path)
    if done.returncode == 0:
        return []
    lines = (done.stdout + done.stderr).splitlines()
    return [line for line in lines if line.strip()] or [f"schedfarm check ended with exit code {done.returncode}"]


def replay(campaign: str, cell: int, replication: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "campaign.yaml"
        file.write_text(campaign, encoding="utf-8")
        done = run("replay", str(file), "--cell", str(cell), "--replication", str(replication))
    if done.returncode != 0:
        raise RequestError(f"replication {replication} of cell {cell} cannot be run: {done.stderr.strip()}")
    return done.stdout


def schedule_table(path: str, *words: str) -> str:
    """What only the program knows of a schedule, `schedfarm gantt --raw`: of a log or of a logged replication. Its remarks go to standard error."""
    done = run("gantt", *words, "--", path)
    if done.returncode != 0:
        raise RequestError(re.sub("^schedfarm: [a-z]+: ", "", done.stderr.strip()))
    sys.stderr.write(done.stderr)
    return done.stdout


def node_table(path: str, cell: int, replication: int) -> str:
    """What its nodes did, as `schedfarm gantt --format nodes` writes it."""
    return schedule_table(path, "--cell", str(cell), "--replication", str(replication), "--raw", "nodes")


def citation(attributes: dict[str, Any], bibtex: bool) -> str:
    version, revision = attributes["program_version"], attributes["git_revision"]
    year = str(attributes["finished"])[:4]
    payload = attributes["payload_hash"]
    if bibtex:
        return (
            f"@misc{{schedfarm-{payload[:8]},\n"
            "  title = {{schedfarm}: an experiment farm for parallel job scheduling},\n"
            "  author = {{The schedfarm maintainers}},\n"
            f"  year = {{{year}}},\n"
            f"  note = {{version {version}, commit {revision[:12]}, payload {payload[:16]}}}\n"
            "}\n"
        )
    return (
        f"Simulated with schedfarm {version} (commit {revision[:12]}), campaign \"{attributes['campaign_name']}\", "
        f"seed {attributes['seed']}, results version {attributes['results_version']}, payload {payload}."
    )
