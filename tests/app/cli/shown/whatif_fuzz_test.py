"""`schedfarm whatif` is asked 500 questions of logs of 2 to 12 weeks, with 2 to 20 draws, 1 to 3 partitions and one to three variations: it answers,
with a page, or refuses in one message, and no traceback is seen. SCHEDFARM_QUESTIONS says how many;
500 take about 22 processor minutes.

usage: whatif_fuzz_test.py PROGRAM
"""
import concurrent.futures
import csv
import gzip
import io
import os
import random
import sys

from program import expect, main

COLUMNS = "JobIDRaw User Partition QOS Submit Eligible Start End ElapsedRaw TimelimitRaw State AllocNodes AllocCPUS".split()
MONDAY = 1772409600
NODES, CPUS = 6, 4
VARIATIONS = ["bf_max_job_test=1", "bf_max_job_test=1,3", "SchedulerType=sched/builtin", "nodes=p0+1", "nodes=p0+5", "partition.p0.PriorityTier=9",
              "PriorityWeightJobSize=20000", "PriorityWeightAge=x2", "bf_window=60", "partition.p0.MaxNodes=1", "window={window}+12h", "defer"]
PLAIN = ["policy=fcfs", "policy=conservative,sjf", "nodes=+4", "order=sjf", "policy=fpfs"]


def conf_of(partitions):
    lines = ["SchedulerType=sched/backfill", "SchedulerParameters=bf_interval=300,bf_max_job_test=50", "PriorityType=priority/multifactor",
             "PriorityWeightAge=100", f"NodeName=n[1-{NODES}] CPUs={CPUS}", "PartitionName=DEFAULT OverSubscribe=EXCLUSIVE"]
    return "\n".join([*lines, *(f"PartitionName=p{number} Nodes=n[1-{NODES}]{' Default=YES' if number == 0 else ''}" for number in range(partitions))]) + "\n"


def rows_of(draw, weeks, partitions):
    """Some weeks are empty, some crowded; some logs have no waits."""
    shares = [draw.choice([0, 0.3, 1, 1, 3]) for _ in range(weeks)]
    shares[0] = shares[-1] = 1
    jobs, load = draw.choice([weeks * 3, 60, 150]), draw.choice([0.05, 0.5, 1.5])
    week = draw.choices(range(weeks), shares, k=jobs)
    week[:2] = 0, weeks - 1
    rows = []
    for number, second in enumerate(sorted(own * 604800 + draw.randrange(604800) for own in week), 1):
        limit = draw.choice([30, 120, 600, 2880])
        nodes = draw.choice([1, 1, 2, NODES])
        run = max(1, min(60 * limit, int(load * weeks * 604800 * NODES / jobs / nodes * draw.uniform(0.2, 1.8))))
        rows.append({"JobIDRaw": number, "User": f"u{number % 3}", "Partition": f"p{draw.randrange(partitions)}", "QOS": "normal", "Submit": MONDAY + second,
                     "Eligible": MONDAY + second, "ElapsedRaw": run, "TimelimitRaw": limit, "State": "COMPLETED", "AllocNodes": nodes,
                     "AllocCPUS": nodes * CPUS})
    return rows


def written(program, name, rows, waits):
    whole = [row | {"Start": row["Submit"] + int(wait), "End": row["Submit"] + int(wait) + row["ElapsedRaw"]} for row, wait in zip(rows, waits)]
    text = "\n".join(["|".join(COLUMNS), *("|".join(str(row[column]) for column in COLUMNS) for row in whole)]) + "\n"
    (program.folder / name).write_bytes(gzip.compress(text.encode()))


def made(program, number):
    """A log, its slurm.conf and what is asked of it."""
    draw = random.Random(number)
    weeks, partitions = draw.randint(2, 12), draw.randint(1, 3)
    rows = rows_of(draw, weeks, partitions)
    conf = f"slurm{partitions}.conf"
    written(program, f"q{number:04}-plain.sacct.gz", rows, [0] * len(rows))
    policy = draw.choice([f"{{slurm: {{conf: {conf}}}}}", "lxf", "fcfs"])
    done = program.run("simulate", "--trace", f"q{number:04}-plain.sacct.gz", "--processors", str(NODES * CPUS), "--policy", policy, "--jobs", "-")
    starts = sorted(csv.DictReader(io.StringIO(done.stdout[done.stdout.index("job,"):])), key=lambda row: int(row["job"]))
    written(program, f"q{number:04}-log.sacct.gz", rows, [float(row["start"]) - float(row["submit"]) for row in starts])
    window = f"2026-03-{draw.randint(3, 15):02}T06:00"
    is_plain = draw.random() < 0.25
    asked = [word.replace("{window}", window) for word in draw.sample(PLAIN if is_plain else VARIATIONS, draw.randint(1, 3))]
    site = ["--policy", "easy", "--processors", str(NODES * CPUS)] if is_plain else ["--slurm-conf", conf]
    return [f"q{number:04}-log.sacct.gz", *site, *(word for own in asked for word in ("--vary", own)), "--replications", str(draw.randint(2, 20)), "--workers", "0",
            "--output", f"q{number:04}.yaml"]


def asked(program, number):
    words = made(program, number)
    done = program.run("whatif", *words, exit_code=None)
    said = done.stdout + done.stderr
    expect(done.returncode in (0, 1, 2) and "Traceback" not in said and "Warning:" not in said, (number, words, done.returncode, said))
    expect("nan" not in done.stdout.split() and "inf" not in done.stdout.split(), (number, words, said))
    page = program.folder / f"q{number:04}.html"
    errors = [line for line in done.stderr.splitlines() if line.startswith("schedfarm: error: ") and " failed: `" not in line]
    expect(page.exists() and not errors if done.returncode != 2 else len(errors) == 1, (number, words, said))
    expect("yaml" not in "".join(errors) and "workload" not in "".join(errors), (number, errors))
    for path in program.folder.glob(f"q{number:04}*"):
        path.unlink()
    return done.returncode


def test(program, _arguments):
    for partitions in (1, 2, 3):
        program.write(f"slurm{partitions}.conf", conf_of(partitions))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda number: asked(program, number), range(int(os.environ.get("SCHEDFARM_QUESTIONS", 500)))))
    print(f"{len(codes)} questions: {codes.count(0)} answered, {codes.count(1)} in part, {codes.count(2)} refused")
    expect(codes.count(2) < 0.1 * len(codes) + 1, codes)


if __name__ == "__main__":
    sys.exit(main(test))
