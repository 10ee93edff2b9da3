"""A campaign that is seen through by its supervisor: killed ranks, stop signals, replications that crash,
loop, throw or eat memory. Every wait is for a state of the journal, never for a time.

usage: survive_test.py PROGRAM FAULTY_PROGRAM
"""
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import h5py

from journal import computed_again, records
from processes import kill, ranks_of, table
from program import PRECISE_CAMPAIGN, Program, expect, main

# Some seconds of work in few and small records: the journal is read again and again while it grows.
CAMPAIGN = (PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 50000").replace("relative: 0.05", "relative: 0.01")
            .replace("{bounded_slowdown: {quantiles: [0.5, 0.95]}}", "bounded_slowdown"))
SMALL = PRECISE_CAMPAIGN.replace("precision: {metric: response_time, relative: 0.05, min: 20, max: 2000}",
                                 "replications: 6")


def start(program, *arguments):
    return subprocess.Popen([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def results(program, name):
    return sum(kind == "result" for kind, *_rest in records(program.folder / f"{name}.journal"))


def wait_for_results(program, process, name, more):
    """Until the journal has that many results; False when the run has ended before."""
    while process.poll() is None:
        if results(program, name) >= more:
            return True
        time.sleep(0.005)
    return False


def deaths(program, name, task):
    """What the journal says of a suspect, death after death."""
    return [value[task] for kind, value, *_rest in records(program.folder / f"{name}.journal")
            if kind == "suspects" and task in value]


def failures(program, name):
    with h5py.File(program.folder / name, "r") as file:
        rows = file["failures"][:]
        text = lambda value: value.decode() if isinstance(value, bytes) else str(value)
        return [(int(row["cell"]), int(row["replication"]), text(row["status"]), text(row["message"]),
                 text(row["replay"])) for row in rows]


def nobody_else_goes_on(program, process, ranks, name):
    """While the ranks of a run are gone and not yet started again, too; says nothing where it has ended meanwhile."""
    while process.poll() is None and set(ranks) & set(table()):
        time.sleep(0.005)
    seen = program.run("status", name).stdout
    if process.poll() is None:
        expect("It is running." in " ".join(seen.split()), f"status of a run between two deaths: {seen}")
    other = program.run("resume", "campaign.yaml", "-o", name, "--workers", "0", exit_code=None)
    if process.poll() is None:
        expect(other.returncode == 2 and "another schedfarm is writing" in other.stderr, f"a second run: {other}")


def test_killed_ranks(program):
    program.write("campaign.yaml", CAMPAIGN)
    program.run("run", "campaign.yaml", "-o", "whole.h5", "--workers", "2")
    whole = results(program, "whole.h5")
    for who in ("worker", "master", "ranks"):
        name = f"{who}.h5"
        process = start(program, "run", "campaign.yaml", "-o", name, "--workers", "2", "--progress", "none")
        killed = wait_for_results(program, process, name, whole // 10)
        expect(killed, f"the run ended before a {who} could be killed")
        ranks = ranks_of(program, process.pid)
        expect(len(ranks) == 3, f"{len(ranks)} ranks found")
        kill({"worker": ranks[-1:], "master": ranks[:1], "ranks": ranks}[who])
        nobody_else_goes_on(program, process, ranks, name)
        output, errors = process.communicate(timeout=120)
        print(f"--- {who} killed:\n{output}{errors}", end="")
        expect(process.returncode == 0, f"exit code {process.returncode}: {errors}")
        expect("going on from the journal" in errors, errors)
        expect(output.startswith(f"{results(program, name)} replications computed in "), f"not of the whole run: {output}")
        expect(re.search(r"rank [012] was killed by signal 9 \(Killed\)", errors), errors)
        expect("----" not in errors, f"a banner of mpirun is shown: {errors}")
        expect(program.payload_hash(name) == program.payload_hash("whole.h5"), f"the payload changed ({who})")
        again, inexcusable = computed_again(program.folder / f"{name}.journal")
        expect(not inexcusable, f"computed again without need: {inexcusable}")
        print(f"computed again: {len(again)}")


def test_stop_signals(program):
    for kind in (signal.SIGTERM, signal.SIGINT):
        name = f"{kind.name}.h5"
        process = start(program, "run", "campaign.yaml", "-o", name, "--workers", "2", "--progress", "none")
        expect(wait_for_results(program, process, name, 20), "the run ended before it could be stopped")
        process.send_signal(kind)
        output, errors = process.communicate(timeout=120)
        print(f"--- {kind.name}:\n{output}{errors}", end="")
        expect(process.returncode == 3, f"exit code {process.returncode}: {errors}")
        expect("schedfarm resume campaign.yaml" in errors and "----" not in errors, errors)
        expect((program.folder / name).exists(), "no provisional results")
        program.run("resume", "campaign.yaml", "-o", name, "--workers", "2")
        expect(program.payload_hash(name) == program.payload_hash("whole.h5"), f"the payload changed ({kind.name})")
        expect(not computed_again(program.folder / f"{name}.journal")[0], "computed again after a drain")


def test_stop_after_the_end(program):
    """A run that has ended is not called stopped because its launcher, which lingers, is told to end."""
    folder = program.folder / "lingering"
    folder.mkdir()
    (folder / "mpirun").write_text(
        f"#!/bin/sh\n{shutil.which('mpirun')} \"$@\"\ntouch lingers\ntrap 'exit 143' TERM\nsleep 60 &\nwait\n")
    (folder / "mpirun").chmod(0o755)
    program.write("small.yaml", SMALL)
    process = subprocess.Popen(
        [program.path, "run", "small.yaml", "-o", "ended.h5", "--workers", "2", "--progress", "none"], cwd=program.folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (program.folder / "lingers").exists():
        expect(time.monotonic() < deadline and process.poll() is None, "the run did not end")
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    expect(any("stopping: what is under way" in line for line in process.stderr), "it is not told that it is to stop")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    print(f"--- stopped after the end:\n{output}{errors}", end="")
    expect(process.returncode == 0, f"exit code {process.returncode}: {errors}")
    expect("results in ended.h5" in output and "resume" not in errors, f"{output}{errors}")


def test_quarantine(program, faulty):
    bad = 2 << 32 | 3
    faulty.write("campaign.yaml", SMALL)
    faulty.write("faults", "2 3 segfault\n")
    done = faulty.run("run", "campaign.yaml", "-o", "bad.h5", "--workers", "2", exit_code=1)
    print(f"--- quarantine:\n{done.stdout}{done.stderr}", end="")
    rows = failures(faulty, "bad.h5")
    expect([row[:3] for row in rows] == [(2, 3, "crashed")], f"{rows}")
    expect("signal 11" in rows[0][3] and "--cell 2 --replication 3" in rows[0][4], f"{rows}")
    # One death of the run; the second crash was that of an isolated process.
    expect(deaths(faulty, "bad.h5", bad) == [(1, 0)], f"{deaths(faulty, 'bad.h5', bad)}")
    faulty.write("faults", "")
    again = faulty.run("resume", "campaign.yaml", "-o", "bad.h5", "--workers", "0", exit_code=1)
    expect(again.stdout.startswith("0 replications computed"), f"a quarantined one was tried: {again.stdout}")
    faulty.run("resume", "campaign.yaml", "-o", "bad.h5", "--workers", "0", "--retry-quarantined")
    program.write("small.yaml", SMALL)
    program.run("run", "small.yaml", "-o", "small.h5", "--workers", "0")
    expect(faulty.payload_hash("bad.h5") == program.payload_hash("small.h5"), "the payload changed")


def test_quarantine_without_isolation(faulty):
    """What kills its rank even when it is isolated, such as by taking all memory of the machine."""
    bad = 2 << 32 | 3
    faulty.write("faults", "2 3 segfault\n")
    done = faulty.run("run", "campaign.yaml", "-o", "alone.h5", "--workers", "2", "--isolation", "none", exit_code=1)
    print(f"--- quarantine without isolation:\n{done.stdout}{done.stderr}", end="")
    rows = failures(faulty, "alone.h5")
    expect([row[:3] for row in rows] == [(2, 3, "crashed")] and "died 4 times" in rows[0][3], f"{rows}")
    expect(deaths(faulty, "alone.h5", bad) == [(1, 0), (2, 0), (3, 1), (4, 2)], f"{deaths(faulty, 'alone.h5', bad)}")
    faulty.write("faults", "")
    faulty.run("resume", "campaign.yaml", "-o", "alone.h5", "--workers", "0", "--retry-quarantined")
    expect(faulty.payload_hash("alone.h5") == faulty.payload_hash("bad.h5"), "the payload changed")


def test_isolation(program, faulty):
    faults = {"0 1": "segfault", "1 2": "throw", "3 0": "loop", "4 4": "memory"}
    faulty.write("faults", "".join(f"{where} {how}\n" for where, how in faults.items()))
    done = faulty.run("run", "campaign.yaml", "-o", "isolated.h5", "--workers", "2", "--time-limit", "5",
                      "--memory-limit", "256", exit_code=1)
    print(f"--- isolation:\n{done.stdout}{done.stderr}", end="")
    found = {f"{cell} {replication}": (status, message)
             for cell, replication, status, message, _replay in failures(faulty, "isolated.h5")}
    expect(found == {"0 1": ("crashed", "killed by signal 11 (Segmentation fault)"),
                     "1 2": ("failed", "thrown on purpose"),
                     "3 0": ("timeout", "still running after 5 s"),
                     "4 4": ("failed", "out of memory (its limit is 256 MiB)")}, f"{found}")
    expect("going on from the journal" not in done.stderr, done.stderr)
    faulty.write("faults", "")
    faulty.run("resume", "campaign.yaml", "-o", "isolated.h5", "--workers", "2", "--isolation", "fork",
               "--retry-quarantined")
    expect(faulty.payload_hash("isolated.h5") == program.payload_hash("small.h5"), "isolation changed the payload")


def test(program, arguments):
    faulty = Program(arguments[0])
    try:
        test_killed_ranks(program)
        test_stop_signals(program)
        test_stop_after_the_end(program)
        test_quarantine(program, faulty)
        test_quarantine_without_isolation(faulty)
        test_isolation(program, faulty)
    finally:
        faulty.remove_folder()


if __name__ == "__main__":
    sys.exit(main(test))
