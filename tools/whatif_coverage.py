"""How often the answers of `schedfarm whatif` are right: logs are made by the policy slurm under one configuration, whatif is asked of another,
and its interval of all jobs' mean wait holds the mean difference over many logs of the same generator, or not. Also of changes that mean
nothing, and of logs that another scheduler wrote. What was computed is kept, a line per log, and not computed again.

usage: whatif_coverage.py PROGRAM KEPT.csv [--seeds N] [--truths N]     (the page goes to standard output)
       whatif_coverage.py PROGRAM --log SEED OUT.sacct                  (one log, and OUT.conf beside it)
"""
import argparse
import collections
import csv
import datetime
import gzip
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "python" / "src"))

import schedfarm
from schedfarm.whatif._calibration import AGREES, judge
from schedfarm.whatif._campaign import Question, Variation, log_text, variations_of, whatif_text
from schedfarm.whatif._change import ends
from schedfarm.whatif._differences import of_draws
from schedfarm.whatif._log import facts_of

JOBS, WEEKS, NODES, CPUS = 2000, 12, 64, 32
START = 1772409600  # 2026-03-02, a Monday
WEEK, DAY = 604800, 86400
CONF = """# slurm.conf of the machine of the log beside it: what touches scheduling.
ClusterName=site
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityWeightJobSize=500
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=120,bf_window=2880,bf_max_job_test=100
NodeName=DEFAULT CPUs=32 RealMemory=256000
NodeName=n[01-64]
PartitionName=DEFAULT OverSubscribe=EXCLUSIVE MaxTime=2-00:00:00
PartitionName=standard Nodes=n[01-64] Default=YES
PartitionName=short Nodes=n[01-64] MaxTime=120 PriorityTier=2
"""
COLUMNS = ("JobIDRaw User Account Partition QOS Submit Eligible Start End ElapsedRaw TimelimitRaw State ReqNodes AllocNodes ReqCPUS "
           "AllocCPUS").split()
RECORDED = pathlib.Path(__file__).resolve().parents[1] / "tests" / "slurm" / "whatif"
ASKED = (("A", "B", "SchedulerType=sched/builtin"), ("A", "C", "bf_max_job_test=3"), ("B", "A", "SchedulerType=sched/backfill"), ("C", "A", "bf_max_job_test=500"))
PAIRS = ("bf_max_job_test=2", "nodes=standard+8", "PriorityWeightJobSize=20000", "SchedulerType=sched/builtin", "partition.short.PriorityTier=1")


def jobs_of(seed):
    """Rows without starts: most work on workdays in working hours, by 24 users of whom few bring most."""
    random = np.random.default_rng(seed)
    weekly = random.uniform(0.75, 1.25, WEEKS)
    times = []
    while len(times) < JOBS:
        week, second = random.choice(WEEKS, p=weekly / weekly.sum()), random.uniform(0, WEEK)
        day, hour = second // DAY, second % DAY / 3600
        if random.random() < (1 if day < 5 else 0.3) * (1 if 8 <= hour < 19 else 0.35):
            times.append(week * WEEK + second)
    times = np.sort(np.array(times)).astype(int)
    users = 1 + np.minimum(random.zipf(1.6, JOBS), 24) % 24
    rows = []
    for number, (time, user) in enumerate(zip(times, users), 1):
        is_short = random.random() < 0.3
        nodes = int(2 ** random.integers(0, 3 if is_short else 6))
        limit = int(random.choice([30, 60, 120] if is_short else [60, 120, 240, 720, 1440]))
        run = max(30, int(limit * 60 * min(1, random.beta(1.2, 1.6) * 1.3)))
        rows.append({"JobIDRaw": number, "User": f"u{user}", "Account": f"a{user % 5}", "Partition": "short" if is_short else "standard",
                     "QOS": "normal", "Submit": START + time, "Eligible": START + time, "ElapsedRaw": run, "TimelimitRaw": limit,
                     "State": "COMPLETED", "ReqNodes": nodes, "AllocNodes": nodes, "ReqCPUS": nodes * CPUS, "AllocCPUS": nodes * CPUS})
    return rows


def write_table(path, rows, starts):
    """`starts`: seconds after submission."""
    lines = ["|".join(COLUMNS)]
    for row, wait in zip(rows, starts):
        start = row["Submit"] + int(wait)
        whole = row | {"Start": start, "End": start + row["ElapsedRaw"]}
        lines.append("|".join(str(whole[column]) for column in COLUMNS))
    path.write_text("\n".join(lines) + "\n")


def called(program, *words, folder=None):
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{words}: {done.stderr}")
    return done.stdout


def waits_of(program, folder, policy, processors=NODES * CPUS):
    text = called(program, "simulate", "--trace", "plain.sacct", "--processors", processors, "--policy", policy if isinstance(policy, str) else json.dumps(policy), "--jobs", "-", folder=folder)
    rows = csv.DictReader(io.StringIO(text[text.index("job,"):]))
    return [float(row["start"]) - float(row["submit"]) for row in sorted(rows, key=lambda row: int(row["job"]))]


def make_log(program, folder, seed, policy, name="log.sacct"):
    rows = jobs_of(seed)
    (folder / "site.conf").write_text(CONF)
    write_table(folder / "plain.sacct", rows, np.zeros(JOBS))
    waits = waits_of(program, folder, policy)
    write_table(folder / "made.sacct", rows, waits)
    called(program, "trace", "made.sacct", "--write", name, folder=folder)
    return np.array(waits)


TODAY = {"slurm": {"conf": "site.conf"}}
NULL = "clock_s=7"  # in the place of 0: some rules go by the clock


def conf_of(pair):
    """slurm.conf as the other configuration has it."""
    if pair.startswith("nodes="):
        return CONF.replace("n[01-64]", "n[01-72]")
    if pair.startswith("partition."):
        return CONF.replace("PriorityTier=2", "PriorityTier=1")
    return CONF + (pair if pair[0].isupper() else f"SchedulerParameters={pair}") + "\n"


def true_waits(program, seed):
    """Mean waits of one log under today's configuration and under each other."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        write_table(folder / "plain.sacct", jobs_of(seed), np.zeros(JOBS))
        means = []
        for conf in (CONF, *map(conf_of, PAIRS)):
            (folder / "site.conf").write_text(conf)
            means.append(np.mean(waits_of(program, folder, TODAY, NODES * CPUS + 256 * ("72" in conf))))
        return means


def asked(program, seed, policy):
    """What whatif says of one log that a policy made: the verdict on all jobs, then of each pair and of the null a 95 % interval of the ratio of mean
    waits, and the ratio."""
    os.environ["SCHEDFARM_PROGRAM"] = program
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_log(program, folder, seed, policy)
        os.chdir(folder)
        question = Question("log.sacct", "site.conf", "", "", (), "", None, 20, seed, lambda: facts_of("log.sacct", {}))
        variations = variations_of(question, list(PAIRS), False) if policy == TODAY else []
        variations.append(Variation(NULL, NULL, policy={"slurm": {"clock_s": 7}}))
        (folder / "log.yaml").write_text(log_text(question, variations))
        called(program, "run", "log.yaml", "--output", "log.h5", "--workers", 0, folder=folder)
        log = schedfarm.open("log.h5")
        verdicts = [own.verdict for own in judge(log)]
        agreeing = sum(verdict == AGREES for verdict in verdicts[1:]) / len(verdicts[1:])
        found = [("all jobs", verdicts[0] == AGREES, agreeing, math.nan)]
        if policy == TODAY:
            (folder / "draws.yaml").write_text(whatif_text(question, variations))
            called(program, "run", "draws.yaml", "--output", "draws.h5", "--workers", 0, folder=folder)
            with schedfarm.open("draws.h5") as drawn:
                for cell, variation in enumerate(variations, 1):
                    change = of_draws(drawn, cell)
                    found.append((variation.label, *(1 + end for end in ends(change, 0.95)), math.exp(change.mean)))
        os.chdir("/")
    return found


def logged_wait(name):
    """Mean, in seconds, of what was recorded."""
    rows = list(csv.DictReader(gzip.decompress((RECORDED / f"{name}.sacct.gz").read_bytes()).decode().splitlines(), delimiter="|"))
    return np.mean([(datetime.datetime.fromisoformat(row["Start"]) - datetime.datetime.fromisoformat(row["Eligible"])).total_seconds() for row in rows])


def asked_of_recorded(program, today, other, vary):
    """The change that was recorded, the interval that whatif has from today's log alone, what it saw, and how calibration judges."""
    os.environ["SCHEDFARM_PROGRAM"] = program
    log, conf = (str(RECORDED / f"{today}.{kind}") for kind in ("sacct.gz", "conf"))
    question = Question(log, conf, "", "", (), "", None, 20, 1, lambda: facts_of(log, {}))
    variations = variations_of(question, [vary], False)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("log", log_text(question, variations)), ("draws", whatif_text(question, variations))):
            pathlib.Path(folder, f"{name}.yaml").write_text(text)
            called(program, "run", f"{name}.yaml", "--output", f"{name}.h5", "--workers", 0, folder=folder)
        with schedfarm.open(pathlib.Path(folder, "log.h5")) as replayed, schedfarm.open(pathlib.Path(folder, "draws.h5")) as drawn:
            change = of_draws(drawn, 1)
            return logged_wait(other) / logged_wait(today), *(1 + end for end in ends(change, 0.95)), math.exp(change.mean), judge(replayed)[0].verdict


def kept_rows(path):
    """Of seeds that have all their lines; a run that was ended leaves one without an end."""
    text = path.read_text() if path.exists() else ""
    rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
    lines = collections.Counter(tuple(row[:2]) for row in rows)
    return [row for row in rows if lines[tuple(row[:2])] == (2 + len(PAIRS) if row[0] == "slurm" else 1)]


def compute(program, path, seeds, truths):
    """Lines kind, seed, values; those that are there are not computed again."""
    rows = kept_rows(path)
    done = {tuple(row[:2]) for row in rows}
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    with path.open("a") as file:
        for today, other, vary in ASKED:
            if ("recorded", f"{today} to {other}") not in done:
                print("recorded", f"{today} to {other}", *asked_of_recorded(program, today, other, vary), sep=",", file=file, flush=True)
        for number in range(max(seeds, truths)):
            if number < truths and ("truth", str(number)) not in done:
                print("truth", number, *true_waits(program, 100000 + number), sep=",", file=file, flush=True)
            for kind, policy in (("slurm", TODAY), ("lxf", "lxf")):
                if number < seeds and (kind, str(number)) not in done:
                    for row in asked(program, 1 + number, policy):
                        print(kind, number, *row, sep=",", file=file, flush=True)


def page(path):
    rows = kept_rows(path)
    truths = np.array([row[2:] for row in rows if row[0] == "truth"], float)
    logs = len({row[1] for row in rows if row[0] == "slurm"})
    if not len(truths) or not logs:
        return f"{path} has {len(truths)} true waits and {logs} logs: nothing to say yet.\n"
    lines = ["# What if: how often its answers are right", "",
             "Generated by `tools/whatif_coverage.py` from [`whatif.csv`](whatif.csv); do not edit. Logs of 2,000 jobs over 12 weeks on 64 nodes are made by the",
             "policy `slurm` and asked what another configuration would do: 20 draws, 95 % intervals of the ratio of mean waits. The truth is the ratio of mean",
             f"waits over {len(truths)} other logs of the same generator, each under both configurations. Rows of seeds below 200 were made on 28 November 2026 with",
             "the interval that `whatif` had then, which [another page](whatif-intervals.md) calls linearized draws, longer for skewed weeks.", "",
             "| what if | logs | true change | held | all below it | all above it | change seen, median | width, median |",
             "| :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    held_of_all = []
    for pair, right in zip(PAIRS, truths.mean(axis=0)[1:] / truths.mean(axis=0)[0]):
        lower, upper, seen = np.array([row[3:] for row in rows if row[2] == pair], float).T
        held_of_all += list((lower <= right) & (right <= upper))
        lines.append(f"| `{pair}` | {logs} | {100 * right - 100:+.1f} % | {np.mean(held_of_all[-logs:]):.3f} | {(upper < right).sum()} | {(lower > right).sum()} | "
                     f"{100 * np.median(seen) - 100:+.1f} % | {100 * np.median(upper - lower):.0f} % |")
    lower, upper, _ = np.array([row[3:] for row in rows if row[2] == NULL], float).T
    lines += ["", f"All pairs together: {np.mean(held_of_all):.3f} of {len(held_of_all)}.", "",
              f"A change that means nothing, a clock that is 7 s ahead: significant in {((lower > 1) | (upper < 1)).sum()} of {logs} logs. Nodes in another order, or "
              "with other names,", "change no start of any job.", ""]
    for kind, text in (("slurm", "made by the policy `slurm`"), ("lxf", "made by `lxf` and asked as Slurm")):
        own = [row for row in rows if row[0] == kind and row[2] == "all jobs"]
        shares = f", of the classes {100 * np.mean([float(row[4]) for row in own]):.0f} %" if own else ""
        lines += [f"Logs {text}: calibration agrees for all jobs in {sum(row[3] == 'True' for row in own)} of {len(own)}{shares}.", ""]
    lines += ["## Recorded under a real Slurm", "",
              "Six workloads of 30 jobs on 8 nodes, a week each, were recorded under A (backfill), B (`sched/builtin`) and C (`bf_max_job_test=3`), and each question",
              "was asked of the log of today's configuration alone.", "",
              "| from | recorded change | what `whatif` says | calibration |", "| :--- | ---: | ---: | :--- |"]
    for _, pair, *values, verdict in (row for row in rows if row[0] == "recorded"):
        real, lower, upper, seen = (f"{100 * float(value) - 100:+.0f}" for value in values)
        lines.append(f"| {pair} | {real} % | {seen} % [{lower}, {upper}] | {verdict} |")
    return "\n".join([*lines, ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("kept", nargs="?", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--truths", type=int, default=400)
    parser.add_argument("--log", nargs=2)
    given = parser.parse_args()
    program = str(pathlib.Path(given.program).resolve())
    if given.log:
        out = pathlib.Path(given.log[1])
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            waits = make_log(program, folder, int(given.log[0]), TODAY)
            out.write_text((folder / "log.sacct").read_text())
        out.with_suffix(".conf").write_text(CONF)
        print(f"mean wait {waits.mean():.0f} s, of {np.mean(waits > 60):.0%} of jobs above a minute", file=sys.stderr)
        return
    compute(program, given.kept.resolve(), given.seeds, given.truths)
    print(page(given.kept), end="")


if __name__ == "__main__":
    main()
