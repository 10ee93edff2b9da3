"""What surrounds a run may be against it: standard streams that are closed, few descriptors, links of others in
place of its own files, a supervisor that is killed, signals in quick succession.

usage: hostile_surroundings_test.py PROGRAM
"""
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

from journal import records
from processes import everything_of, kill, table
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

LONG_CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.006")


def shell(program, command, timeout=60):
    return subprocess.run(command, shell=True, cwd=program.folder, env={**os.environ, "P": program.path}, text=True,
                          stderr=subprocess.PIPE, timeout=timeout, check=False)


def start(program, *arguments):
    return subprocess.Popen([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def results(program, name):
    return sum(kind == "result" for kind, *_rest in records(program.folder / f"{name}.journal"))


def wait_for_results(program, process, name, more):
    while results(program, name) < more:
        expect(process.poll() is None, f"{name} ended early")
        time.sleep(0.01)


def closed_streams(program):
    """No output, no input: what is computed is kept, and the exit code says that nothing could be said."""
    for workers in (0, 2):
        for closed in ("<&- >&-", ">&-"):
            done = shell(program, f"$P run small.yaml -w {workers} -o closed.h5 --fresh {closed}")
            expect(done.returncode == 4, f"-w {workers} {closed}: exit code {done.returncode}: {done.stderr}")
            expect("standard output" in done.stderr, done.stderr)
            expect(program.payload_hash("closed.h5") == program.payload_hash("whole.h5"), f"{closed}: payload")
        done = shell(program, f"$P run small.yaml -w {workers} -o closed.h5 --fresh <&- >out 2>&-")
        expect(done.returncode == 0, f"-w {workers} 2>&-: exit code {done.returncode}")


def few_descriptors(program):
    def few():
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    done = subprocess.run([program.path, "run", "small.yaml", "-w", "2", "-o", "few.h5"], cwd=program.folder,
                          preexec_fn=few, capture_output=True, text=True, timeout=30, check=False)
    expect(done.returncode == 2 and "24 files" in done.stderr and "ulimit -n" in done.stderr, done.stderr)
    expect(not (program.folder / "few.h5.journal").exists(), "a journal without a run")
    done = shell(program, "ulimit -Sn 24; $P run small.yaml -w 2 -o few.h5 >out")
    expect(done.returncode == 0, f"the soft limit is not raised: {done.stderr}")


def links(program):
    """Nobody's file is written through a link beside the results."""
    precious = program.folder / "precious"
    precious.write_text("precious")
    for link in (os.symlink, os.link):
        link(precious, program.folder / "linked.h5.journal.lock")
        done = program.run("run", "small.yaml", "-w", "0", "-o", "linked.h5", exit_code=None)
        expect(done.returncode != 0 and "linked.h5.journal" in done.stderr and "remove it" in done.stderr, done.stderr)
        (program.folder / "linked.h5.journal.lock").unlink()
    program.run("run", "small.yaml", "-w", "0", "-o", "linked.h5")
    (program.folder / "linked.h5").unlink()
    os.link(precious, program.folder / "linked.h5")
    done = program.run("rebuild", "linked.h5.journal", exit_code=None)
    expect(precious.read_text() == "precious", f"rebuild wrote through a hard link: {done.stderr}")


def other_launchers(program):
    """An mpirun that starts no rank is no death: it is tried once, whatever its exit code, and never passes for a result."""
    (program.folder / "bin").mkdir()
    launcher = program.folder / "bin" / "mpirun"
    for code in (0, 1, 2, 3, 4, 5, 126, 128, 213, 255):
        launcher.write_text(f"#!/bin/sh\necho tried >> tries\necho no such option: -x >&2\nexit {code}\n")
        launcher.chmod(0o755)
        (program.folder / "tries").unlink(missing_ok=True)
        done = shell(program, "PATH=$PWD/bin:$PATH $P run small.yaml -w 2 -o none.h5 --fresh")
        expect(done.returncode == (4 if code == 4 else 2), f"{code}: exit code {done.returncode}: {done.stderr}")
        expect(code in (2, 4) or f"mpirun has started no rank (it ended with exit code {code})" in done.stderr, done.stderr)
        expect(done.stderr.count("no such option") == 1 and "killed" not in done.stderr, done.stderr)
        expect((program.folder / "tries").read_text() == "tried\n", f"{code}: tried again")
        expect(not (program.folder / "none.h5").exists(), f"{code}: results")
    # One that hides how its ranks ended: the journal tells.
    for code in (0, 1, 3, 255):
        launcher.write_text(f"#!/bin/sh\n{shutil.which('mpirun')} \"$@\"\nexit {code}\n")
        done = shell(program, "PATH=$PWD/bin:$PATH $P run small.yaml -w 2 -o hidden.h5 --fresh")
        expect(done.returncode == 0 and done.stderr == "", f"{code} hides 0: {done.returncode}: {done.stderr}")
        expect(program.payload_hash("hidden.h5") == program.payload_hash("whole.h5"), f"{code}: payload")


def killed_supervisor(program):
    """Its ranks live on for a while; who goes on at once waits for their end."""
    process = start(program, "run", "long.yaml", "-w", "2", "-o", "killed.h5", "--progress", "none")
    wait_for_results(program, process, "killed.h5", 10)
    ranks = everything_of(process.pid)[1:]
    process.kill()
    process.communicate()
    going_on = start(program, "resume", "long.yaml", "-w", "0", "-o", "killed.h5", "--walltime", "1")
    output, errors = going_on.communicate(timeout=120)
    expect(going_on.returncode in (0, 3), f"exit code {going_on.returncode}: {output}{errors}")
    left = table()  # read once: a rank that ends between two looks is no fault
    kill(pid for pid in ranks if pid in left and left[pid][1] == program.path)


def hurried_stops(program):
    """Two signals at once: nothing is lost, and how to go on is said."""
    for pause in (0, 0.01, 0.03, 0.1):
        name = f"hurried{pause}.h5"
        process = start(program, "run", "long.yaml", "-w", "2", "-o", name, "--progress", "none")
        wait_for_results(program, process, name, 10)
        process.send_signal(signal.SIGTERM)
        time.sleep(pause)
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=120)
        expect(process.returncode == 3, f"{pause}: exit code {process.returncode}: {output}{errors}")
        expect(errors.count("schedfarm resume long.yaml") == 1, f"{pause}: {output}{errors}")


def test(program, _arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.write("long.yaml", LONG_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "-o", "whole.h5")
    closed_streams(program)
    few_descriptors(program)
    links(program)
    other_launchers(program)
    killed_supervisor(program)
    hurried_stops(program)


sys.exit(main(test))
