"""What surrounds a run may be against it: standard streams that are closed, few descriptors, links of others in
place of its own files, launchers that start nothing or hide how their ranks ended, signals in quick succession.

usage: hostile_surroundings_test.py PROGRAM
"""
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

import h5py

from journal import records
from processes import everything_of, kill, ranks_of, table
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

LONG_CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.006")


def shell(program, command, timeout=60):
    return subprocess.run(command, shell=True, cwd=program.folder, env={**os.environ, "P": program.path}, text=True,
                          stderr=subprocess.PIPE, timeout=timeout, check=False)


def start(program, *arguments, **environment):
    return subprocess.Popen([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})


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
        resource.setrlimit(resource.RLIMIT_NOFILE, (6, 6))

    done = subprocess.run([program.path, "run", "small.yaml", "-w", "8", "-o", "few.h5"], cwd=program.folder,
                          preexec_fn=few, capture_output=True, text=True, timeout=30, check=False)
    expect(done.returncode in (2, 4) and "ulimit -n" in done.stderr, f"{done.returncode}: {done.stderr}")
    expect(not (program.folder / "few.h5.journal").exists(), "a journal without a run")
    done = shell(program, "ulimit -n 24; $P run small.yaml -w 2 -o few.h5 >out")
    expect(done.returncode == 0, f"24 files are too few: {done.stderr}")


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
    """An mpirun that starts no rank is tried once, whatever its exit code, and never passes for a result."""
    (program.folder / "bin").mkdir()
    launcher = program.folder / "bin" / "mpirun"
    run = "PATH=$PWD/bin:$PATH $P run small.yaml -w 2 --launcher mpirun --fresh -o"
    for code in (0, 1, 2, 3, 4, 5, 126, 128, 213, 255):
        launcher.write_text(f"#!/bin/sh\necho tried >> tries\necho no such option: -n >&2\nexit {code}\n")
        launcher.chmod(0o755)
        (program.folder / "tries").unlink(missing_ok=True)
        done = shell(program, f"{run} none.h5")
        expect(done.returncode == 2, f"{code}: exit code {done.returncode}: {done.stderr}")
        expect(f"mpirun has started no rank that computed anything (it ended with exit code {code})" in done.stderr, done.stderr)
        expect(done.stderr.count("no such option") == 1, done.stderr)
        expect((program.folder / "tries").read_text() == "tried\n", f"{code}: tried again")
        expect(not (program.folder / "none.h5").exists(), f"{code}: results")
    # One that hides how its ranks ended: the journal tells.
    for code in (0, 1, 3, 255):
        launcher.write_text(f"#!/bin/sh\n{shutil.which('mpirun')} \"$@\"\nexit {code}\n")
        done = shell(program, f"{run} hidden.h5")
        expect(done.returncode == 0 and done.stderr == "", f"{code} hides 0: {done.returncode}: {done.stderr}")
        expect(program.payload_hash("hidden.h5") == program.payload_hash("whole.h5"), f"{code}: payload")


def silent_launchers(program):
    """A launcher without a rank for 10 s is said to be silent, once: it may start them still, and 2 is no exit code of a run with results."""
    processes = {}
    for name, then in (("late", f'exec {shutil.which("mpirun")} "$@"'), ("never", "exit 0")):
        launcher = program.folder / f"bin-{name}" / "mpirun"
        launcher.parent.mkdir()
        launcher.write_text(f"#!/bin/sh\nsleep 12\n{then}\n")
        launcher.chmod(0o755)
        path = f"{launcher.parent}:{os.environ['PATH']}"
        processes[name] = start(program, "run", "small.yaml", "-w", "2", "--launcher", "mpirun", "-o", f"{name}.h5", "--progress", "none", PATH=path)
    for name, code in (("late", 0), ("never", 2)):
        output, errors = processes[name].communicate(timeout=120)
        expect(processes[name].returncode == code, f"{name}: exit code {processes[name].returncode}: {output}{errors}")
        expect(errors.count("mpirun has started no rank for 10 s; still waiting") == 1, f"{name}: {errors}")
        expect(errors.count("\n") == (1 if code == 0 else 2), f"{name}: {errors}")
    expect("mpirun has started no rank that computed anything (it ended with exit code 0)" in errors, errors)
    expect(not list(program.folder.glob("never.h5*")), "something is written")
    expect(program.payload_hash("late.h5") == program.payload_hash("whole.h5"), "ranks that come late change the payload")


def leftovers(program):
    """Variables that a launcher has left in a shell do no harm, and are named."""
    gone = {"PMIX_RANK": "0", "PMIX_NAMESPACE": "12", "PMIX_SERVER_URI2": "12.0;tcp4://127.0.0.1:1",
            "OMPI_COMM_WORLD_SIZE": "3", "OMPI_COMM_WORLD_RANK": "0", "PMI_RANK": "0", "PMI_SIZE": "3", "PMI_FD": "77"}
    done = program.run("run", "small.yaml", "-w", "2", "-o", "left.h5", environment=gone)
    expect(done.stderr.count("\n") == 1 and "of a launcher that is gone are ignored" in done.stderr
           and "OMPI_COMM_WORLD_SIZE" in done.stderr, done.stderr)
    expect(program.payload_hash("left.h5") == program.payload_hash("whole.h5"), "leftovers change the payload")
    with h5py.File(program.folder / "left.h5", "r") as file:
        expect(len(file["farm"]) == 3, "not two workers")


def stranger(program):
    """Three processes of a launcher that speaks PMI, which Open MPI does not: one sentence, and nothing is written."""
    ours, theirs = socket.socketpair()
    processes = [subprocess.Popen(
        [program.path, "run", "small.yaml", "-o", "stranger.h5"], cwd=program.folder, pass_fds=[theirs.fileno()],
        env={**os.environ, "PMI_RANK": str(rank), "PMI_SIZE": "3", "PMI_FD": str(theirs.fileno())}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE) for rank in range(3)]
    said = "".join("".join(process.communicate(timeout=60)) for process in processes)
    ours.close()
    theirs.close()
    expect([process.returncode for process in processes] == [2, 2, 2], said)
    expect(said.count("\n") == 1 and "speaks PMI" in said, said)
    expect(not list(program.folder.glob("stranger.*")), "something is written")


def absent_rank(program):
    """A rank that never comes: said, waited for, and given up, with nothing written."""
    late = 'if [ "$OMPI_COMM_WORLD_RANK" = 2 ]; then sleep 100; fi; exec "$@"'
    done = subprocess.run(
        ["mpirun", "-n", "3", "sh", "-c", late, "sh", program.path, "run", "small.yaml", "-o", "absent.h5", "--wait-ranks",
         "3"], cwd=program.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90, check=False)
    expect(done.returncode == 2, f"exit code {done.returncode}: {done.stderr}")
    expect("of the 3 ranks that the launcher promised not all have come; nothing was computed" in done.stderr, done.stderr)
    expect(not list(program.folder.glob("absent.*")), "something is written")


def killed_ranks(program):
    """A rank that is killed ends its job; what it did is safe, and who resumes ends in the same payload."""
    for victim in (0, -1):
        name = f"rank{victim}.h5"
        process = start(program, "run", "long.yaml", "-w", "2", "--launcher", "mpirun", "-o", name, "--progress", "none")
        wait_for_results(program, process, name, 10)
        ranks = ranks_of(program, process.pid)
        expect(len(ranks) == 3, f"{len(ranks)} ranks found")
        kill([ranks[victim]])
        output, errors = process.communicate(timeout=120)
        expect(process.returncode == 4, f"exit code {process.returncode}: {output}{errors}")
        expect("results are in the journal. Go on with `schedfarm resume long.yaml" in errors, errors)
        going_on = program.run("resume", "long.yaml", "-w", "2", "-o", name, "--walltime", "1", exit_code=None)
        expect(going_on.returncode in (0, 3), f"{going_on}")


def killed_owner(program):
    """Its workers end with it; who goes on at once need not wait."""
    process = start(program, "run", "long.yaml", "-w", "2", "-o", "killed.h5", "--progress", "none")
    wait_for_results(program, process, "killed.h5", 10)
    workers = everything_of(process.pid)[1:]
    expect(len(workers) == 3, f"{len(workers)} processes")
    process.kill()
    process.communicate()
    going_on = start(program, "resume", "long.yaml", "-w", "0", "-o", "killed.h5", "--walltime", "1")
    output, errors = going_on.communicate(timeout=120)
    expect(going_on.returncode in (0, 3), f"exit code {going_on.returncode}: {output}{errors}")
    expect(not set(workers) & set(table()), "workers outlive their run")


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
    silent_launchers(program)
    leftovers(program)
    stranger(program)
    absent_rank(program)
    killed_ranks(program)
    killed_owner(program)
    hurried_stops(program)


sys.exit(main(test))
