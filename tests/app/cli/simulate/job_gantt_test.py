"""Charts and tables of schedules: the words of figures are those of the schedule, and
everything wrong is refused with exit code 2 and no file left. What figures show is held against tables in tests/python.

usage: job_gantt_test.py PROGRAM
"""
import csv
import io
import os
import random
import re
import subprocess
import sys

import h5py
import numpy

from program import expect, main, short_or_long

SIX = """job,submit,start,finish,processors
1,0,0,10,4
2,0,0,20,2
3,1,11,16,6
4,2,2,11,2
5,2,16,46,2
6,3,16,20,1
"""
LOGGED = """campaign_format: 1
name: logged
seed: 5
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 2, component_size: {uniform: [1, 8]}}
load: {utilization: 0.7}
horizon: {jobs: 200}
replications: 3
job_log: {replications: 2}
"""
GANG = "{vanilla_gang: {timeplexing_cycle_s: 12, switch_cost_s: 0.01}}"
SIZE_LIMIT = 2_000_000


def many_jobs(count):
    """FCFS on 128 processors, by a plain loop over counts of free processors; as a log."""
    chance = random.Random(4)
    running, now, submit, lines = [], 0, 0, ["; MaxProcs: 128"]
    for job in range(1, count + 1):
        submit += chance.randrange(0, 300)
        size = min(1 << chance.randrange(0, 8), 128)
        run = chance.randrange(1, 4000)
        now = max(now, submit)
        running = [(end, held) for end, held in running if end > now]
        while sum(held for _, held in running) + size > 128:
            now = min(end for end, _ in running)
            running = [(end, held) for end, held in running if end > now]
        running.append((now + run, size))
        lines.append(f"{job} {submit} {now - submit} {run} {size} -1 -1 {size} {2 * run} -1 1 {job % 9} 1 1 1 1 -1 -1")
    return "\n".join(lines) + "\n"


def drawn(program, name, *options):
    """The words of a figure; matplotlib writes each into a comment."""
    program.run("gantt", name, "-o", "chart.svg", *options)
    text = (program.folder / "chart.svg").read_text()
    expect(len(text) < SIZE_LIMIT, f"{len(text)} characters")
    return re.findall("<!-- (.*) -->", text)


def six_jobs(program):
    program.write("six.csv", SIX)
    words = drawn(program, "six.csv")
    # 40 + 40 + 18 + 30 + 60 + 4 = 192 of 8 · 46 processor seconds; waits of 10 + 14 + 13 s in 46 s.
    for word in ("six.csv: 6 jobs on 8 processors", "utilization, mean 52.2 %", "waiting jobs, mean 0.8", "time (s)"):
        expect(word in " ".join(words), f"no '{word}' in {words}")  # labels break where they fit
    expect(sorted(words[-6:]) == list("123456"), f"no numbers of jobs: {words}")
    expect("A" not in words and {"A", "B", "C"} < set(drawn(program, "six.csv", "-p", "11", "--trees")), "trees")
    program.run("gantt", "six.csv", "-o", "chart.pdf", "--style", "column")
    expect((program.folder / "chart.pdf").read_bytes().startswith(b"%PDF"), "no .pdf")
    piped = subprocess.run(f"cat six.csv | {program.path} gantt - -f csv", shell=True, cwd=program.folder,
                           capture_output=True, text=True, check=False)
    program.write("ranges.csv", piped.stdout)
    expect(program.run("gantt", "ranges.csv", "-f", "csv").stdout == piped.stdout, "its own table is read otherwise")
    for words, unit in (([], "s"), (["--unit", "seconds"], "s"), (["--unit", "workload"], "time units")):
        last = program.run("gantt", "six.csv", *words).stdout.splitlines()[-1]
        expect(last.endswith(f" 46 {unit}"), f"{words}: {last}")
    part = drawn(program, "six.csv", "--from", "0.2m", "--to", "14")
    expect("six.csv: 2 of 6 jobs on 8 processors" in part and part[-2:] == ["2", "3"], f"no window: {part}")
    expect("time (time units)" in drawn(program, "six.csv", "--unit", "workload"), "another unit of time")


def ten_thousand(program):
    program.write("many.swf", many_jobs(10_000))
    program.write("fewer.swf", many_jobs(1_000))
    figures = (("many.swf", "10,000", "job", "(d)"), ("fewer.swf", "1,000", "size", "processors"),
               ("fewer.swf", "1,000", "user", "(d)"), ("fewer.swf", "1,000", "wait", "6 h"))
    for name, jobs, colours, word in figures[:short_or_long(1, 4)]:
        words = drawn(program, name, "--colour", colours)
        expect(f"{name}: {jobs} jobs on 128 processors" in words and any(word in own for own in words), f"{colours}: {words}")
    rows = list(csv.DictReader(io.StringIO(program.run("gantt", "many.swf", "-f", "csv").stdout)))
    expect(len(rows) == 10_000, f"{len(rows)} rows")
    ends = numpy.zeros(128)
    for row in rows:  # in the order of starts
        for interval in row["ranges"].split():
            first, _, last = interval.partition("-")
            held = slice(int(first), int(last or first) + 1)
            expect((ends[held] <= float(row["start"])).all(), f"job {row['job']} is on a busy processor")
            ends[held] = float(row["finish"])


def stored_logs(program):
    """Jobs of result files: what h5py finds there, on the processors that the file names."""
    program.write("logged.yaml", LOGGED + f"factors:\n  policy: [fcfs, easy, {GANG}]\n")
    program.run("run", "logged.yaml", "--workers", "0", "-o", "logged.h5")
    rows = list(csv.DictReader(io.StringIO(
        program.run("gantt", "logged.h5", "--cell", "1", "--replication", "1", "-f", "csv").stdout)))
    with h5py.File(program.folder / "logged.h5") as file:
        wanted = {int(job["job"]): job for job in file["jobs/1/1"][:]}
        held = {}
        for job, first, last in file["processors/1/1"][:]:
            held.setdefault(int(job), []).append(f"{first}-{last}" if last > first else f"{first}")
    expect(len(rows) == len(wanted) == 200, f"{len(rows)} jobs drawn, {len(wanted)} in the file")
    for row in rows:
        job = wanted[int(row["job"])]
        for column in ("submit", "start", "finish", "processors"):
            expect(float(row[column]) == job[column], f"job {row['job']}: {column} {row[column]}, not {job[column]}")
        expect(row["ranges"] == " ".join(held[int(row["job"])]), f"job {row['job']} is on {row['ranges']}")
    words = drawn(program, "logged.h5", "-c", "0", "--colour", "user")
    expect("logged.h5, cell 0 (fcfs), replication 0: 200 jobs on 32 processors" in words, f"no title: {words}")
    ranks = program.run("gantt", "logged.h5").stdout
    expect(program.run("gantt", "logged.h5", "--ranks").stdout == ranks and "rank" in ranks, "ranks by default")
    program.write("open.yaml", LOGGED.replace("[32]", "[16, 16]") + "policy: fcfs\n")
    program.run("run", "open.yaml", "--workers", "0", "-o", "open.h5")
    done = program.run("gantt", "open.h5", "-c", "0")
    expect("does not say which processors" not in done.stderr and "32 processors" in done.stdout, f"{done}")


def segments_of(text):
    """The segments of a table, by job."""
    segments = {}
    for row in csv.DictReader(io.StringIO(text)):
        segments.setdefault(int(row["job"]), []).append(
            (float(row["start"]), float(row["finish"]), int(row["processors"]), row["ranges"]))
    return segments


def paused_jobs(program):
    """A log keeps no pauses: they are computed again, and are those that `simulate` finds on the same jobs, with as many
    after them, which keep coming in a campaign too and are not drawn."""
    drawn = segments_of(program.run("gantt", "logged.h5", "-c", "2", "-f", "csv").stdout)
    settings = [word for setting in GANG[len("{vanilla_gang: {"):-2].split(", ")
                for word in ("--set", setting.replace(": ", "="))]
    wanted = segments_of(program.run(
        "simulate", "--model", "coallocation", "--set", "workload.components=2", "--set",
        "workload.component_size={uniform: [1, 8]}", "--clusters", "32", "--policy", "vanilla_gang", *settings, "--seed", "5",
        "--utilization", "0.7", "--job-count", "400", "--jobs", "-", "--ranges").stdout)
    expect({job + 1: sorted(own) for job, own in drawn.items()}
           == {job: sorted(own) for job, own in wanted.items() if job <= 200}, "the segments are not those of simulate")
    with h5py.File(program.folder / "logged.h5") as file:
        jobs = file["jobs/2/1"][:]
    drawn = segments_of(program.run("gantt", "logged.h5", "-c", "2", "-r", "1", "-f", "csv").stdout)
    expect(sum(map(len, drawn.values())) > len(jobs) == len(drawn), "no job paused")
    for job in jobs:
        own = sorted(drawn[job["job"]])
        expect(own[0][0] == job["start"] and own[-1][1] == job["finish"], f"job {job['job']}: {own}")
    text = program.run("gantt", "logged.h5", "-c", "2").stdout
    expect(text.splitlines()[-1].endswith(" time units"), f"no unit: {text}")


def found_loads(program):
    """Jobs that paused under loads that the program found, by a pilot or a search, and with a seed of the cell's own."""
    paused = LOGGED.replace("[32]", "[8]").replace("[1, 8]", "[1, 4]") + f"policy: {GANG}\n"
    placed = paused.replace("load: {utilization: 0.7}\n", "pilot: {jobs: 300, replications: 2}\n")
    program.write("placed.yaml", placed + "factors: {load.utilization: {of_saturation: [0.7]}}\n")
    searched = paused.replace("{utilization: 0.7}", "{search: {criterion: response_time, threshold: 3}}")
    program.write("searched.yaml", searched.replace("replications: 3\n", ""))
    program.write("independent.yaml", paused + "random_numbers: {streams: independent}\n")
    for name in ("placed", "searched", "independent"):
        program.run("run", f"{name}.yaml", "--workers", "0")
        text = program.run("gantt", f"{name}.h5", "-c", "0", "-r", "1").stdout
        expect(" time units" in text, f"{name}.h5 is not drawn")


def lost_replications(program):
    """What cannot be computed again is said, with the file."""
    for changed in ("seed of the cell", "policy of the campaign"):
        (program.folder / "lost.h5").write_bytes((program.folder / "logged.h5").read_bytes())
        with h5py.File(program.folder / "lost.h5", "r+") as file:
            if changed == "seed of the cell":
                cells = file["cells"][:]
                expect(b'"seed":5' in cells["resolved"][2], f"{cells['resolved'][2]}")
                cells["resolved"] = [values.replace(b'"seed":5', b'"seed":6') for values in cells["resolved"]]
                file["cells"][:] = cells
            else:
                text = file.attrs["effective_configuration"]
                file.attrs["effective_configuration"] = text.replace("vanilla_gang", "vanished_gang")
        expect_refused(program, "lost.h5", "-c", "2",
                       says="lost.h5: when the jobs of cell 2, replication 0 ran, and where, is not all in the file")


def refused_logs(program):
    listed = "(it has those of replications 0-1 of cells 0-2)"
    expect_refused(program, "logged.h5", "-c", "3", says=listed)
    expect_refused(program, "logged.h5", "-c", "0", "-r", "2", "-o", "x.svg", says=listed)
    expect_refused(program, "logged.h5", "-c", "0", "-p", "7", says="cannot be drawn on 7 processors")
    expect_refused(program, "logged.h5", "-c", "0", "--ranks", says="--cell")
    expect_refused(program, "logged.h5", "-r", "1", says="--cell")
    expect_refused(program, "six.csv", "-c", "1", says="are of result files")
    for file in (["logged.h5", "-c", "0"], ["logged.h5"], ["many.swf"]):
        expect_refused(program, *file, "--unit", "seconds", says="--unit is of tables of jobs")
    program.write("silent.yaml", LOGGED.replace("job_log: {replications: 2}", "policy: fcfs"))
    program.run("run", "silent.yaml", "--workers", "0", "-o", "silent.h5")
    expect_refused(program, "silent.h5", "-c", "0", says="Add job_log:")


def expect_refused(program, *arguments, code=2, says=""):
    before = sorted(program.folder.iterdir())
    done = program.run("gantt", *arguments, exit_code=code)
    expect(done.stdout == "" and says in done.stderr, f"{arguments}: {done.stderr}")
    expect(sorted(program.folder.iterdir()) == before, f"{arguments} left a file")


def refusals(program):
    program.write("wrong.csv", SIX + "7,9,1,2,1\n")
    program.write("wrong.swf", "1 2 three\n")
    program.write("empty.csv", "")
    expect_refused(program, "wrong.csv", "-o", "x.svg", says="wrong.csv:8: job 7 goes back in time")
    expect_refused(program, "wrong.swf", "-o", "x.svg", says="wrong.swf:1: ")
    expect_refused(program, "empty.csv", "-o", "x.svg", says="empty.csv:1: this is no table of jobs")
    expect_refused(program, "absent.csv", says="cannot be read")
    expect_refused(program, "absent.swf", says="absent.swf")
    expect_refused(program, ".", "-o", "x.svg")
    expect_refused(program, "six.csv", "-p", "7", says="7 processors are too few")
    expect_refused(program, "six.csv", "-o", "x.gif", says="the suffix names no format")
    expect_refused(program, "six.csv", "-o", "x.svg", "--colour", "user", says="nothing says whose jobs these are")
    expect_refused(program, "six.csv", "--ranks", says="--ranks, --run and --cell are of result files")
    expect_refused(program, "six.csv", "--run", "1", says="--ranks, --run and --cell are of result files")
    expect_refused(program, "six.csv", "--from", "50", says="there is nothing from 50 s to 46 s")
    expect_refused(program, "six.csv", "--from", "46", "--to", "60", says="there is nothing from 46 s to 60 s")
    expect_refused(program, "six.csv", "--from", "-5", "--to", "0", says="there is nothing from")
    expect_refused(program, "six.csv", "--from", "5", "-f", "csv", says="--from and --to choose")
    for words in (["--from", "x"], ["--to", "3y"], ["--style", "wide"], ["--colour", "red"],
                  ["-f", "pdf"], ["-p", "0"], []):
        expect_refused(program, *(["six.csv"] if words else []), *words)
    expect_refused(program, "six.csv", "-o", "no/folder/x.txt", code=4)
    expect_refused(program, "six.csv", "-o", ".", "-f", "csv", code=4)


def without_python(program):
    """The message names the package."""
    bare = program.folder / "bare-python"
    bare.write_text('#!/bin/sh\nexec /usr/bin/python3 -S -E "$@"\n')  # without Debian's packages
    bare.chmod(0o755)
    for python, message in ((bare, "need the Python package"), ("no-python", "no-python cannot be started")):
        environment = {**os.environ, "SCHEDFARM_PYTHON": str(python)}
        for output in ("x.svg", "x.txt", "x.csv"):
            done = subprocess.run([program.path, "gantt", "six.csv", "-o", output], cwd=program.folder, env=environment,
                                  capture_output=True, text=True, check=False)
            expect(done.returncode == 2 and message in done.stderr, f"{python}: {done}")


def test(program, _arguments):
    six_jobs(program)
    ten_thousand(program)
    refusals(program)
    without_python(program)
    stored_logs(program)
    paused_jobs(program)
    found_loads(program)
    lost_replications(program)
    refused_logs(program)


if __name__ == "__main__":
    sys.exit(main(test))
