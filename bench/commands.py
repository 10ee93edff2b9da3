"""Measures whole commands beside references: CPU and wall seconds and the peak memory of all processes of each.

usage: commands.py BUILD [--repeats N] [PART OF A NAME ...] > rows.json

Command and reference run in turns, once to warm up, then N times (3); the first of a pair is what is told, times its reference.
"""
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAMPAIGN = """\
campaign_format: 1
name: bench
experiment: open
seed: 1
system: {clusters: [32]}
workload: {model: coallocation, component_size: {uniform: [1, 16]}}
horizon: {jobs: 20, warm_up: none}
"""
CELLS = """\
policy: fcfs
factors: {load.utilization: {linear: {from: 0.1, to: 0.5, count: 100}}, "system.clusters": [%s]}
replications: 2
"""


SACCT = ("JobID|JobIDRaw|User|Group|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ExitCode|AllocCPUS|ReqMem|NNodes"
         "|ReqTRES\n")


class Row(NamedTuple):
    name: str
    command: list[str]
    reference: str
    beside: list[str]


def sacct_rows(jobs: int):
    """A table of so many jobs as `sacct -P` prints it, with its header: 300 users, 3.5 s from submission to submission."""
    draw = random.Random(5).random
    days = [f"2025-{1 + day // 28:02}-{1 + day % 28:02}T" for day in range(112)]
    clock = [f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}" for second in range(86400)]
    yield SACCT
    submit = 0.0
    for job in range(1, jobs + 1):
        submit += 7 * draw()
        limit, processors = (10, 60, 240, 1440)[int(4 * draw())], (1, 1, 2, 4, 8, 16, 32)[int(7 * draw())]
        start = int(submit + 300 * draw())
        run = 1 + int(60 * limit * draw() ** 4)
        came, started, ended = (days[int(time) // 86400] + clock[int(time) % 86400] for time in (submit, start, start + run))
        user = f"user{int(300 * draw()):03}"
        yield (f"{job}|{job}|{user}|{user}|acc{user[-1]}|{('batch', 'long', 'debug')[job % 3]}|normal|{came}|{came}|{started}|{ended}|{run}|{limit}|"
               f"{'TIMEOUT' if run % 10 == 0 else 'COMPLETED'}|0:0|{processors}|{2 * processors}G|1|"
               f"billing={processors},cpu={processors},mem={2 * processors}G,node=1\n")


def prepared(folder: pathlib.Path, program: str) -> None:
    """What the commands read."""
    one = CAMPAIGN + "policy: fcfs\nload: {utilization: 0.5}\n"
    (folder / "tiny.yaml").write_text(one + "replications: 2\n")
    (folder / "many.yaml").write_text(one + "replications: 50000\n")
    machines = ", ".join(f"[{32 + more}]" for more in range(100))
    (folder / "cells.yaml").write_text(CAMPAIGN.replace("system: {clusters: [32]}\n", "") + CELLS % machines)
    subprocess.run([program, "run", "cells.yaml", "-w", "2", "-o", "cells"], cwd=folder, check=True, capture_output=True)
    for name in ("site.sacct.gz", "site.conf"):
        shutil.copy(ROOT / "docs/how-to" / name, folder)
    with open(folder / "busy.swf", "w", encoding="ascii") as busy:
        subprocess.run([sys.executable, ROOT / "bench/slurm_workload.py", "10000"], stdout=busy, check=True)
    with open(folder / "million.sacct", "w") as file:
        file.writelines(sacct_rows(1_000_000))
    for table, log in (("site.sacct.gz", "site.swf"), ("million.sacct", "million.swf")):
        subprocess.run([program, "trace", table, "--write", log], cwd=folder, check=True, capture_output=True)


def rows(program: str) -> list[Row]:
    run = [program, "run", "--fresh", "--progress", "none", "-o", "out.h5"]
    alone, two = [*run, "-w", "0"], [*run, "-w", "2"]
    ranks = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
    easy = ["--policy", "easy"]
    fcfs = [program, "simulate", "-p", "14000", "--policy", "fcfs", "--trace"]
    return [
        Row("a farm's start, -w 2", [*two, "tiny.yaml"], "-w 0", [*alone, "tiny.yaml"]),
        Row("50,000 tiny replications, -w 2", [*two, "many.yaml"], "-w 0", [*alone, "many.yaml"]),
        Row("50,000 tiny replications, 3 ranks", [*ranks, "3", *run, "many.yaml"], "-w 2", [*two, "many.yaml"]),
        Row("50,000 tiny replications, 16 children", [*run, "-w", "16", "many.yaml"], "17 ranks", [*ranks, "17", *run, "many.yaml"]),
        Row("sacct, 2,000 jobs under EASY", [program, "simulate", "--trace", "site.sacct.gz", "-p", "64", *easy], "the same as SWF",
            [program, "simulate", "--trace", "site.swf", "-p", "64", *easy]),
        Row("Slurm, 10,000 jobs of a busy machine", [program, "simulate", "--trace", "busy.swf", "--policy", "slurm"], "the same under EASY",
            [program, "simulate", "--trace", "busy.swf", *easy]),
        Row("sacct, a million rows under FCFS", [*fcfs, "million.sacct"], "the same as SWF", [*fcfs, "million.swf"]),
        Row("what if, 2 variations of 2,000 jobs", [program, "whatif", "site.sacct.gz", "--slurm-conf", "site.conf", "--vary", "bf_max_job_test=2",
            "--vary", "nodes=standard+8", "--fresh", "-o", "question", "-w", "2"], "one simulation",
            [program, "simulate", "--trace", "site.sacct.gz", "--slurm-conf", "site.conf"]),
        Row("run of 10,000 cells, -w 0", [*alone, "cells.yaml"], "plan", [program, "plan", "cells.yaml"]),
        Row("status of 10,000 cells", [program, "status", "cells.journal"], "plan", [program, "plan", "cells.yaml"]),
        Row("report of 10,000 cells", [program, "report", "cells"], "--plain", [program, "report", "cells", "--plain"]),
        Row("page of 10,000 cells", [program, "report", "cells", "-f", "html", "-o", "page.html"], "their run, -w 0", [*alone, "cells.yaml"]),
    ]


def used(command: list[str], folder: pathlib.Path) -> tuple[float, float, float]:
    """CPU seconds, wall seconds, and MiB of the largest process."""
    peak = "import resource, subprocess, sys; code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE); " \
           "sys.stderr.buffer.write(code.stderr); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code.returncode)"
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([sys.executable, "-S", "-c", peak, *command], cwd=folder, capture_output=True, text=True, check=False)
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, int(done.stdout) / 1024


def measured(program: str, repeats: int, parts: list[str]) -> list[dict]:
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepared(folder, program)
        for row in rows(program):
            if parts and not any(part in row.name for part in parts):
                continue
            print(f"measuring {row.name}", file=sys.stderr)
            pairs = [(used(row.command, folder), used(row.beside, folder)) for _ in range(repeats + 1)][1:]
            own = [sorted(values)[repeats // 2] for values in zip(*(own for own, _ in pairs))]
            found.append({"name": row.name, "reference": row.reference, "cpu_s": own[0], "wall_s": own[1], "mib": own[2],
                          "times": sorted(one[0] / other[0] for one, other in pairs)})
    return found


if __name__ == "__main__":
    words = sys.argv[1:]
    repeats = 3
    if "--repeats" in words:
        at = words.index("--repeats")
        repeats = int(words[at + 1])
        del words[at:at + 2]
    if not words:
        sys.exit(__doc__)
    print(json.dumps(measured(os.path.abspath(os.path.join(words[0], "schedfarm")), repeats, words[1:]), indent=1))
