"""A campaign whose workers are killed, that is stopped by signals, and whose replications crash, loop, throw or
eat memory. Every wait is for a state of the journal, never for a time.

usage: survive_test.py PROGRAM FAULTY_PROGRAM
"""
import signal
import subprocess
import sys
import time

import h5py

from journal import computed_again, records
from processes import kill, workers_of
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


def journal_intents(program, name, task):
    return sum(kind == "intent" and value == task for kind, value, *_rest in records(program.folder / f"{name}.journal"))


def failures(program, name):
    with h5py.File(program.folder / name, "r") as file:
        rows = file["failures"][:]
        text = lambda value: value.decode() if isinstance(value, bytes) else str(value)
        return [(int(row["cell"]), int(row["replication"]), text(row["status"]), text(row["message"]),
                 text(row["replay"])) for row in rows]


def nobody_else_goes_on(program, process, name):
    """While the run goes on; says nothing where it has ended meanwhile."""
    seen = program.run("status", name).stdout
    if process.poll() is None:
        expect("It is running." in " ".join(seen.split()), f"status of a run whose workers were killed: {seen}")
    other = program.run("resume", "campaign.yaml", "-o", name, "--workers", "0", exit_code=None)
    if process.poll() is None:
        expect(other.returncode == 2 and "another schedfarm is writing" in other.stderr, f"a second run: {other}")


def test_killed_workers(program):
    program.write("campaign.yaml", CAMPAIGN)
    program.run("run", "campaign.yaml", "-o", "whole.h5", "--workers", "2")
    whole = results(program, "whole.h5")
    for who in ("worker", "workers"):
        name = f"{who}.h5"
        process = start(program, "run", "campaign.yaml", "-o", name, "--workers", "2", "--progress", "none")
        killed = wait_for_results(program, process, name, whole // 10)
        expect(killed, f"the run ended before {who} could be killed")
        workers, _server = workers_of(process.pid)
        expect(len(workers) == 2, f"{len(workers)} workers found")
        kill(workers if who == "workers" else workers[:1])
        nobody_else_goes_on(program, process, name)
        output, errors = process.communicate(timeout=120)
        print(f"--- {who} killed:\n{output}{errors}", end="")
        expect(process.returncode == 0 and errors == "", f"exit code {process.returncode}: {errors}")
        expect(program.payload_hash(name) == program.payload_hash("whole.h5"), f"the payload changed ({who})")
        again, inexcusable = computed_again(program.folder / f"{name}.journal")
        expect(not inexcusable and len(again) <= 2, f"computed again: {again}, without need: {inexcusable}")
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


def test_stop_at_once(program, faulty):
    """A second signal does not wait for what is under way, and blames nothing."""
    faulty.write("campaign.yaml", SMALL)
    faulty.write("faults", "2 3 wait\n")
    faulty.write("executed", "")
    process = start(faulty, "run", "campaign.yaml", "-o", "hurry.h5", "--workers", "2", "--progress", "none")
    deadline = time.monotonic() + 60
    while "2 3\n" not in (faulty.folder / "executed").read_text():
        expect(time.monotonic() < deadline and process.poll() is None, "the run did not get there")
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    expect(any("stopping: what is under way" in line for line in process.stderr), "it is not told that it is to stop")
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    print(f"--- stopped at once:\n{output}{errors}", end="")
    expect(process.returncode == 3, f"exit code {process.returncode}: {errors}")
    expect("schedfarm resume campaign.yaml" in errors, errors)
    faulty.write("faults", "")
    faulty.run("resume", "campaign.yaml", "-o", "hurry.h5", "--workers", "2")
    expect(not deaths(faulty, "hurry.h5", 2 << 32 | 3), "what was under way is blamed")


def test_quarantine(program, faulty):
    bad = 2 << 32 | 3
    faulty.write("campaign.yaml", SMALL)
    faulty.write("faults", "2 3 segfault\n")
    done = faulty.run("run", "campaign.yaml", "-o", "bad.h5", "--workers", "2", exit_code=1)
    print(f"--- quarantine:\n{done.stdout}{done.stderr}", end="")
    rows = failures(faulty, "bad.h5")
    expect([row[:3] for row in rows] == [(2, 3, "crashed")], f"{rows}")
    expect("signal 11" in rows[0][3] and "--cell 2 --replication 3" in rows[0][4], f"{rows}")
    expect(not deaths(faulty, "bad.h5", bad), f"the run died: {deaths(faulty, 'bad.h5', bad)}")
    expect(journal_intents(faulty, "bad.h5", bad) == 2, "not tried twice")
    faulty.write("faults", "")
    again = faulty.run("resume", "campaign.yaml", "-o", "bad.h5", "--workers", "0", exit_code=1)
    expect(again.stdout.startswith("0 replications computed"), f"a quarantined one was tried: {again.stdout}")
    faulty.run("resume", "campaign.yaml", "-o", "bad.h5", "--workers", "0", "--retry-quarantined")
    program.write("small.yaml", SMALL)
    program.run("run", "small.yaml", "-o", "small.h5", "--workers", "0")
    expect(faulty.payload_hash("bad.h5") == program.payload_hash("small.h5"), "the payload changed")


def test_quarantine_without_workers(faulty):
    """What kills the run itself, whoever goes on with it."""
    bad = 2 << 32 | 3
    faulty.write("faults", "2 3 segfault\n")
    for command, code in (("run", -11), ("resume", -11), ("resume", -11), ("resume", -11), ("resume", 1)):
        done = faulty.run(command, "campaign.yaml", "-o", "alone.h5", "--workers", "0", exit_code=code)
    print(f"--- quarantine without workers:\n{done.stdout}{done.stderr}", end="")
    rows = failures(faulty, "alone.h5")
    expect([row[:3] for row in rows] == [(2, 3, "crashed")] and "died 4 times" in rows[0][3], f"{rows}")
    expect(deaths(faulty, "alone.h5", bad) == [(1, 0), (2, 0), (3, 1), (4, 2)], f"{deaths(faulty, 'alone.h5', bad)}")
    faulty.write("faults", "")
    faulty.run("resume", "campaign.yaml", "-o", "alone.h5", "--workers", "0", "--retry-quarantined")
    expect(faulty.payload_hash("alone.h5") == faulty.payload_hash("bad.h5"), "the payload changed")


def test_limits(program, faulty):
    faults = {"0 1": "segfault", "1 2": "throw", "3 0": "loop", "4 4": "memory"}
    faulty.write("faults", "".join(f"{where} {how}\n" for where, how in faults.items()))
    done = faulty.run("run", "campaign.yaml", "-o", "limited.h5", "--workers", "2", "--time-limit", "5",
                      "--memory-limit", "256", exit_code=1)
    print(f"--- limits:\n{done.stdout}{done.stderr}", end="")
    found = {f"{cell} {replication}": (status, message)
             for cell, replication, status, message, _replay in failures(faulty, "limited.h5")}
    expect(found == {"0 1": ("crashed", "killed by signal 11 (Segmentation fault)"),
                     "1 2": ("failed", "thrown on purpose"),
                     "3 0": ("timeout", "still running after 5 s"),
                     "4 4": ("failed", "out of memory (its limit is 256 MiB)")}, f"{found}")
    expect("resume" not in done.stderr, done.stderr)
    faulty.write("faults", "")
    faulty.run("resume", "campaign.yaml", "-o", "limited.h5", "--workers", "2", "--retry-quarantined")
    expect(faulty.payload_hash("limited.h5") == program.payload_hash("small.h5"), "limits changed the payload")


def test_children_that_are_ignored(program):
    """Whoever starts the program may ignore that children end, and hands that down."""
    def run(text, *more, exit_code):
        program.write("campaign.yaml", text)
        command = ["env", "--ignore-signal=CHLD", program.path, "run", "campaign.yaml", "-o", "ignored.h5", "--fresh", "--workers", "2", *more]
        done = subprocess.run(command, cwd=program.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False)
        expect(done.returncode == exit_code, f"{command}: {done.returncode}\n{done.stderr}")

    run(SMALL.replace("jobs: 500", "jobs: 5000000").replace("replications: 6", "replications: 1"), "--time-limit", "0.2", exit_code=1)
    run(SMALL, "--launcher", "mpirun", exit_code=0)


def test(program, arguments):
    faulty = Program(arguments[0])
    try:
        test_killed_workers(program)
        test_stop_signals(program)
        test_stop_at_once(program, faulty)
        test_quarantine(program, faulty)
        test_quarantine_without_workers(faulty)
        test_limits(program, faulty)
        test_children_that_are_ignored(program)
    finally:
        faulty.remove_folder()


if __name__ == "__main__":
    sys.exit(main(test))
