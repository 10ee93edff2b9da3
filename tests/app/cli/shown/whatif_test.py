"""`schedfarm whatif` from a log of Slurm to answers and their page, with the program and ranks: the log of the policy itself is usable, that of
another is not; both campaigns run again to the same payloads.

usage: whatif_test.py PROGRAM
"""
import csv
import io
import os
import random
import re
import signal
import subprocess
import sys
import time

from program import expect, main

CONF = """\
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=300,bf_max_job_test=50
NodeName=n[1-8] CPUs=4
PartitionName=DEFAULT OverSubscribe=EXCLUSIVE
PartitionName=standard Nodes=n[1-8] Default=YES
PartitionName=short Nodes=n[1-8] MaxTime=60 PriorityTier=2
"""
COLUMNS = "JobIDRaw User Account Partition QOS Submit Eligible Start End ElapsedRaw TimelimitRaw State AllocNodes AllocCPUS".split()


def rows_of(jobs=800, weeks=8):
    draw = random.Random(7)
    rows = []
    for number, second in enumerate(sorted(draw.randrange(weeks * 604800) for _ in range(jobs)), 1):
        is_short = draw.random() < 0.3
        limit = draw.choice([30, 60] if is_short else [120, 240, 480])
        nodes = draw.choice([1, 1, 2, 4, 8])
        submit = 1772409600 + second
        rows.append({"JobIDRaw": number, "User": f"secret{number % 7}", "Account": "a", "Partition": "short" if is_short else "standard", "QOS": "normal",
                     "Submit": submit, "Eligible": submit, "ElapsedRaw": draw.randrange(60, 60 * limit), "TimelimitRaw": limit, "State": "COMPLETED",
                     "AllocNodes": nodes, "AllocCPUS": 4 * nodes})
    return rows


def write_log(program, name, rows, waits):
    whole = [row | {"Start": row["Submit"] + int(wait), "End": row["Submit"] + int(wait) + row["ElapsedRaw"]} for row, wait in zip(rows, waits)]
    program.write("plain.sacct", "\n".join(["|".join(COLUMNS), *("|".join(str(row[column]) for column in COLUMNS) for row in whole)]) + "\n")
    program.run("trace", "plain.sacct", "--write", name)


def waits_under(program, policy):
    done = program.run("simulate", "--trace", "none.sacct", "--processors", "32", "--policy", policy, "--jobs", "-")
    rows = list(csv.DictReader(io.StringIO(done.stdout[done.stdout.index("job,"):])))
    return [float(row["start"]) - float(row["submit"]) for row in sorted(rows, key=lambda row: int(row["job"]))]


def stopped_while_it_draws(program, name, *words):
    """What it prints until Ctrl-C, as its result file comes last, and its exit code."""
    process = subprocess.Popen([program.path, "whatif", *words, "--output", f"{name}.yaml"], cwd=program.folder, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while process.poll() is None and program.run("status", f"{name}.yaml", "--format", "count", exit_code=None).stdout.strip() in ("", "0"):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    return process.communicate()[0], process.returncode


def test(program, _arguments):
    rows = rows_of()
    program.write("slurm.conf", CONF)
    write_log(program, "none.sacct", rows, [0] * len(rows))
    write_log(program, "own.sacct", rows, waits_under(program, "{slurm: {conf: slurm.conf}}"))
    write_log(program, "lxf.sacct", rows, waits_under(program, "lxf"))

    words = ["--slurm-conf", "slurm.conf", "--replications", "16", "--workers", "2"]
    variations = ["--vary", "nodes=standard+2", "--vary", "partition.short.PriorityTier=1", "--vary", "bf_max_job_test=49", "--vary", "window=2026-03-16T00:00+2d"]
    done = program.run("whatif", "own.sacct", *words, *variations)
    text = " ".join(done.stdout.split())
    lines = [line for line in done.stdout.splitlines() if re.search(r"\d\.\d\d \[", line)]
    expect(len(lines) >= 5 and all("1.00 [1.00, 1.00]" in line for line in lines), done.stdout)
    expect("Adding 2 nodes to standard" in text and re.search(r"standard, 1-8 processors, (>= 1 h )?[\d,]+ +-\d+ %", text), text)
    expect("Lowering bf_max_job_test from 50 to 49 changes no start of any job of this log." in text, text)
    expect("Taking the machine down from 2026-03-16T00:00 for 2d" in text, text)
    first = re.search(r"A first answer, .* changes by nodes=standard\+2: -\d+ %; partition.*window=2026-03-16T00:00\+2d: \+\d+ %", text)
    expect(first and first.start() < text.index("Adding 2 nodes"), text)
    expect(re.search(r"In this log \d+ % of 7 users wait longer, \d+ % less, \d\.\d of 8 nodes idle → \d\.\d of 10; over the draws utilization",
                     text), text)
    expect("Seconds; 95 % intervals" in text and "longer by [95 %]" in text and text.endswith("schedfarm run whatif.yaml --fresh"), text)
    expect("the draws" in text and not re.search(r"\d\n(h|%|s) ", done.stdout), done.stdout)
    expect("secret" not in done.stdout, "names of users")
    expect(max(map(len, done.stdout.splitlines())) <= 80, done.stdout)

    page = (program.folder / "whatif.html").read_text()
    expect(len(page) < 500_000 and page.count("<svg") >= 4 and "secret" not in page, len(page))
    expect(not re.search(r"(src|href)=.(https?:)?//", page), "the page asks somebody")
    expect("today and with nodes=standard+2" in page, "the page does not say whose schedule it shows")
    for name in ("whatif", "whatif-log"):
        first = program.run("check", f"{name}.h5").stdout
        program.run("run", f"{name}.yaml", "--output", f"{name}.h5", "--fresh", "-w", "0")
        expect(program.run("check", f"{name}.h5").stdout == first and first[:12] in first, first)
        expect(re.search(r"payload ([0-9a-f]+)", first).group(1) in page, "the page names another payload")

    journal = program.folder / "whatif.h5.journal"
    kept = journal.read_bytes()
    again = program.run("whatif", "own.sacct", *words, *variations)
    expect(again.stdout == done.stdout and journal.read_bytes().startswith(kept), "computed anew what was there")
    text, code = stopped_while_it_draws(program, "long", "own.sacct", "--slurm-conf", "slurm.conf", "--workers", "0", "--vary", "bf_max_job_test=1",
                                        "--replications", "400")
    expect(code == 3 and "A first answer" in text and "the same `schedfarm whatif` goes on" in text and "Traceback" not in text, (code, text))
    begun = int(program.run("status", "long.yaml", "--format", "count").stdout)
    expect(0 < begun < 800, begun)
    done = program.run("whatif", "lxf.sacct", *words, "--vary", "nodes=standard+8", exit_code=2)
    expect("--fresh" in done.stderr and "--output" in done.stderr, done.stderr)  # results of another log stay
    done = program.run("whatif", "lxf.sacct", *words, "--vary", "nodes=standard+8", "--fresh")
    expect(re.search(r"all jobs .*not usable", done.stdout) and "not said for all jobs" in done.stdout, done.stdout)
    expect("Adding 8 nodes to standard shortens" not in done.stdout, done.stdout)
    done = program.run("whatif", "own.sacct", "--policy", "easy", "--processors", "32", "--vary", "policy=fcfs", "--replications", "8", "-w", "0",
                       "--output", "plain.yaml")
    expect("Without slurm.conf" in done.stdout and (program.folder / "plain.html").exists(), done.stdout)

    for words_, problem in ((["--vary", "bf_max_jobtest=3"], "Did you mean 'bf_max_job_test'?"),
                            (["--vary", "PriorityWeightAg=3"], "Did you mean 'priorityweightage'?"),
                            (["--vary", "partition.short.MaxTme=3"], "'maxtme' is nothing that touches schedules"),
                            (["--vary", "partition.short.Nodes=n[1-9]"], "no node is named n9 (no NodeName line has it). Is there one to add?"),
                            (["--vary", "nodes=standrd+8"], "Did you mean 'standard'?"),
                            (["--vary", "bf_max_job_test=banana"], "schedfarm: error: bf_max_job_test=banana is no whole number"),
                            (["--vary", "partition.short.MaxTime=30"], f"{sum(row['TimelimitRaw'] == 60 for row in rows)} jobs of the log ask for more"),
                            (["--vary", "bf_max_job_test=50"], "leaves the configuration as it is")):
        kept = {name: (program.folder / name).read_bytes() for name in ("whatif.yaml", "whatif-log.yaml", "whatif.h5", "whatif-log.h5")}
        done = program.run("whatif", "own.sacct", *words, *words_, exit_code=2)
        expect(problem in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr)
        expect(all((program.folder / name).read_bytes() == text for name, text in kept.items()), f"{words_} left other files")
    expect(not list(program.folder.glob("*.new")), "files beside campaigns stay")
    done = program.run("whatif", "own.sacct", *words, "--vary", "partition.standard.MaxNodes=2", "--output", "small.yaml", exit_code=1)
    expect("schedfarm: partition.standard.MaxNodes=2: job" in done.stderr and "never gives as much). Another value?" in done.stderr, done.stderr)
    expect("Traceback" not in done.stderr, done.stderr)
    program.write("mine.yaml", "name: mine\n")
    done = program.run("whatif", "own.sacct", *words, "--vary", "bf_max_job_test=3", "--output", "mine.yaml", exit_code=2)
    expect("is no campaign of whatif" in done.stderr, done.stderr)


if __name__ == "__main__":
    sys.exit(main(test))
