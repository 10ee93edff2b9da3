"""Random faults over a campaign: processes killed, stop signals, damaged journals, full disks, replications
that crash, loop, throw or eat memory. Whatever happens, the payload ends as that of an undisturbed run, and no
more replications are computed again than were under way.

usage: kill_test.py PROGRAM FAULTY_PROGRAM [--faults N] [--seed S] [--output PAGE.md]
"""
import argparse
import collections
import datetime
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import h5py

import journal
from processes import everything_of, kill, table, workers_of
from program import PRECISE_CAMPAIGN, Failure, Program, expect, short_or_long

CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 5000").replace("relative: 0.05", "relative: 0.02")
CELLS = 6
BAD_WAYS = ("segfault", "throw", "loop", "memory")
AT_ONCE = 8  # replications that a worker executes together at most
LIMITS = ("--time-limit", "1", "--memory-limit", "256")


def start(program, *arguments):
    return subprocess.Popen([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


class Trial:
    """One campaign, disturbed until it is done."""

    def __init__(self, program, choice, name):
        self.program, self.choice, self.name = program, choice, name
        self.journal = program.folder / f"{name}.journal"
        self.allowed = 0  # replications that may be computed twice
        self.killed_suspects = set()  # under way when a run died, and perhaps when a worker was killed
        self.fallen_back = set()  # replications whose mended results went with a journal's tail
        program.write("executed", "")
        program.write("faults", "")

    def go_on(self, *options):
        """The run, begun or resumed."""
        command = "resume" if self.journal.exists() else "run"
        return start(self.program, command, "campaign.yaml", "-o", self.name, "--workers", "2", "--progress", "none",
                     *options)

    def wait_for_growth(self, process, whole):
        """Until the journal has grown by a random part of what is missing; False when the run ended before."""
        size = self.journal.stat().st_size if self.journal.exists() else 0
        goal = size + self.choice.random() * max(0, whole - size)
        while process.poll() is None:
            if self.journal.exists() and self.journal.stat().st_size >= goal:
                time.sleep(0.02 * self.choice.random())  # hits start-up, writing of results, the end
                return process.poll() is None
            time.sleep(0.002)
        return False

    def end(self, process, *exit_codes):
        output, errors = process.communicate(timeout=240)
        expect(process.returncode in exit_codes, f"exit code {process.returncode}\n{output}{errors}")
        return errors

    def put_aside_by_faults(self):
        """Replications that were tried alone when two runs died: by the rule for those that crash, though it was
        a fault that struck twice."""
        return self.suspected(2) | self.killed_suspects

    def suspected(self, least_blames=0):
        suspects = [value for kind, value, *_rest in journal.records(self.journal) if kind == "suspects"]
        return {cell_and_replication(number)
                for some in suspects for number, (_deaths, blames) in some.items() if blames >= least_blames}

    def failures(self):
        with h5py.File(self.program.folder / self.name, "r") as file:
            return {(int(row["cell"]), int(row["replication"])) for row in file["failures"][:]}

    def end_of_faults(self, process, *exit_codes):
        self.end(process, *exit_codes, 1)
        if process.returncode == 1:
            failures, struck_twice = self.failures(), self.put_aside_by_faults()
            expect(failures and failures <= struck_twice | self.fallen_back,
                   f"/failures has {failures}, struck twice: {struck_twice}, fallen back: {self.fallen_back}")

    def finish(self, *options):
        self.end(self.go_on(*options), 0)

    def executed(self):
        return (self.program.folder / "executed").read_text().split("\n")[:-1]


def cell_and_replication(number):
    return number >> 32, number & 0xFFFFFFFF


# Every fault takes the trial and the length of an undisturbed journal; it returns whether it struck.

def kill_workers(trial, whole, chosen):
    """Killed workers are replaced: the run ends by itself. What they were executing is computed again."""
    process = trial.go_on()
    struck = trial.wait_for_growth(process, whole)
    workers = workers_of(process.pid)[0] if struck else []
    kill(workers if chosen == "all" else workers[-1:])
    trial.killed_suspects |= trial.suspected() if struck else set()
    trial.allowed += AT_ONCE * len(workers)
    trial.end_of_faults(process, 0)
    return struck and bool(workers)


def kill_run(trial, whole, chosen):
    process = trial.go_on()
    struck = trial.wait_for_growth(process, whole)
    everything = everything_of(process.pid)
    server = workers_of(process.pid)[1]
    if chosen == "server" and server is not None:
        kill([server])
        trial.end_of_faults(process, 0, 4)
    else:
        kill([process.pid] if chosen == "master" else everything)
        process.communicate(timeout=60)
    expect(wait_until(lambda: not set(everything) & set(table())), "processes outlive their run")
    return struck


def kill_everything(trial, whole):
    return kill_run(trial, whole, "everything")


def wait_until(condition, seconds=30):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def stop(trial, whole):
    process = trial.go_on()
    struck = trial.wait_for_growth(process, whole)
    request = trial.choice.choice((signal.SIGTERM, signal.SIGINT, signal.SIGUSR1))
    process.send_signal(request)
    trial.end_of_faults(process, 0, 3, -request)  # -request: it came before the program could listen
    return struck


def damage(trial, whole, how):
    """A kill, and then the journal's last bytes as a crash of the machine may leave them."""
    if not kill_everything(trial, whole) or not trial.journal.exists():
        return False
    before = results_in(trial.journal)
    trial.allowed += len(journal.in_flight(trial.journal)[-1])
    data = bytearray(trial.journal.read_bytes())
    tail = min(len(data) - header_size(data), 1 + trial.choice.randrange(400))
    if tail <= 0:
        return False
    if how == "torn":
        del data[len(data) - tail:]
    else:
        data[len(data) - tail] ^= 1 << trial.choice.randrange(8)
    trial.journal.write_bytes(data)
    trial.allowed += before - results_in(trial.journal)
    trial.fallen_back = {cell_and_replication(number) for number in journal.failed(trial.journal)}
    return True


def header_size(data):
    begin = data.find(b"\n") + 1
    return begin + 9 + int.from_bytes(data[begin:begin + 4], "little")


def results_in(path):
    return sum(kind == "result" for kind, *_rest in journal.records(path))


def full_disk(trial, whole):
    """The results lie on a file system that is too small, and is made larger afterwards."""
    folder = trial.program.folder / f"disk-{trial.name}"
    folder.mkdir()
    pages = 3 + trial.choice.randrange(max(1, whole // 4096))
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={4 * pages}k", "tmpfs", folder], check=True)
    try:
        outside, trial.journal = trial.journal, folder / "r.h5.journal"
        if outside.exists():
            return False
        trial.name = f"{folder.name}/r.h5"
        errors = trial.end(trial.go_on(), 0, 4)
        struck = "No space left" in errors or "ile is full" in errors or "space" in errors
        expect(struck or (folder / "r.h5").exists(), errors)
        left = {path.name for path in folder.iterdir()} - {"r.h5", "r.h5.journal"}
        expect(not left, f"half-written files are left: {left}")
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)
        trial.finish()
        for path in folder.iterdir():
            (trial.program.folder / path.name).write_bytes(path.read_bytes())
        trial.name, trial.journal = "r.h5", trial.program.folder / "r.h5.journal"
        return struck
    finally:
        subprocess.run(["umount", folder], check=True)


def bad_replication(trial, _whole, how):
    """One replication that never ends well, quarantined and tried again when it is mended."""
    cell, replication = trial.choice.randrange(CELLS), trial.choice.randrange(20)
    number = cell << 32 | replication
    had = {value for kind, value, *_rest in journal.records(trial.journal) if kind == "result"}
    if number in had:
        return False
    trial.program.write("faults", f"{cell} {replication} {how}\n")
    limited = how in ("loop", "memory") or trial.choice.random() < 0.5
    put_aside = (trial.put_aside_by_faults() | trial.fallen_back) - {(cell, replication)}
    trial.end(trial.go_on(*(LIMITS if limited else ())), 1)
    failures = trial.failures() - put_aside
    expect(failures == {(cell, replication)}, f"{how} in {cell} {replication}, but /failures has {failures}")
    trial.program.write("faults", "")
    trial.finish("--retry-quarantined")
    trial.fallen_back = set()
    trial.allowed += 2  # tried twice in vain
    if how in ("segfault", "loop"):  # the first time with what was executed beside it
        trial.allowed += AT_ONCE
    return True


FAULTS = {
    "SIGKILL of a worker": lambda trial, whole: kill_workers(trial, whole, "one"),
    "SIGKILL of all workers": lambda trial, whole: kill_workers(trial, whole, "all"),
    "SIGKILL of the master": lambda trial, whole: kill_run(trial, whole, "master"),
    "SIGKILL of the server": lambda trial, whole: kill_run(trial, whole, "server"),
    "SIGKILL of everything": kill_everything,
    "TERM, INT or USR1": stop,
    "torn journal tail": lambda trial, whole: damage(trial, whole, "torn"),
    "flipped bit in the journal": lambda trial, whole: damage(trial, whole, "flipped"),
    "disk full": full_disk,
    **{f"replication: {how}": lambda trial, whole, how=how: bad_replication(trial, whole, how) for how in BAD_WAYS},
}


def possible_faults():
    if os.geteuid() == 0:
        probe = pathlib.Path("/proc/self/mounts")
        if probe.exists() and subprocess.run(["sh", "-c", "d=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d; "
                                              "s=$?; rmdir $d; exit $s"], capture_output=True, check=False).returncode == 0:
            return list(FAULTS)
    print("left out: disk full (no tmpfs can be mounted here)")
    return [name for name in FAULTS if name != "disk full"]


class Tally:
    def __init__(self):
        self.struck = collections.Counter()
        self.again = collections.Counter()
        self.allowed = collections.Counter()


def run_trial(program, choice, names, whole, tally, number):
    """Faults one after the other upon one campaign; what is left is then computed in peace."""
    trial = Trial(program, choice, f"trial{number}.h5")
    struck = []
    for name in names:
        if FAULTS[name](trial, whole["bytes"]):
            struck.append(name)
    trial.finish("--retry-quarantined")
    story = f"after {', '.join(names)}"
    expect(program.payload_hash(trial.name) == whole["hash"], f"another payload {story}")
    expect(not journal.computed_again(trial.journal)[1], f"computed again though observations were there {story}")
    trial.allowed += sum(len(ids) for ids in journal.in_flight(trial.journal))
    executed = trial.executed()
    again = len(executed) - len(set(executed))
    expect(again <= trial.allowed, f"{again} computed again, {trial.allowed} were under way {story}")
    for name in struck:
        tally.struck[name] += 1
    kind = struck[0] if len(struck) == 1 else "several in one campaign"
    tally.again[kind] += again
    tally.allowed[kind] += trial.allowed
    for path in (trial.journal, program.folder / trial.name):
        path.unlink()


def run_trials(program, faults, choice):
    program.write("campaign.yaml", CAMPAIGN)
    program.run("run", "campaign.yaml", "-o", "whole.h5", "--workers", "2")
    whole = {"bytes": (program.folder / "whole.h5.journal").stat().st_size, "hash": program.payload_hash("whole.h5")}
    tally, possible, number = Tally(), possible_faults(), 0
    waiting = list(possible)  # each kind at least once, then at random
    while tally.struck.total() < faults:
        if not waiting:
            waiting = choice.sample(possible, len(possible))
        first = waiting.pop()
        more = [name for name in choice.sample(possible, choice.randrange(3)) if name != "disk full"]
        before = tally.struck[first]
        run_trial(program, choice, [first, *more], whole, tally, number)
        if tally.struck[first] == before:
            waiting.append(first)  # came too late
        number += 1
        print(f"\r{tally.struck.total()} of {faults} faults", end="", flush=True)
    print()
    return tally, number


def page(arguments, tally, trials, seconds):
    words = " \\\n        ".join(["python3 tests/app/cli/faults/kill_test.py build/release/schedfarm",
                                "build/release/tests/app/cli/schedfarm_faulty",
                                f"--faults {arguments.faults} --seed {arguments.seed}"])
    rows = "\n".join(f"| {name} | {count} |" for name, count in sorted(tally.struck.items()))
    again = "\n".join(f"| {kind} | {tally.again[kind]} | {tally.allowed[kind]} |" for kind in sorted(tally.allowed))
    return f"""\
# Kill test

{tally.struck.total()} random faults over {trials} runs of a campaign of 6 cells (some 500 replications, two workers),
up to three faults in one run. Every run ended in the payload of the undisturbed one; replications put aside had been
mended and tried again. Written on {datetime.date.today()}, in {seconds:.0f} s, by

    {words} --output docs/results/kill-test.md

| fault | times |
|---|---:|
{rows}

Replications begun more than once, counted by the replications themselves, and how many may be: those under way when a
run died (the journal, by a second reader), results cut off with a damaged tail, two vain tries of a bad one, and the {AT_ONCE} at most
that a worker executes together when it is killed.

| runs disturbed by | computed again | allowed |
|---|---:|---:|
{again}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("faulty")
    parser.add_argument("--faults", type=int, default=short_or_long(len(FAULTS), 50))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    program = Program(arguments.faulty)
    begin = time.monotonic()
    try:
        tally, trials = run_trials(program, arguments.faults, random.Random(arguments.seed))
        text = page(arguments, tally, trials, time.monotonic() - begin)
        print(text)
        if arguments.output:
            arguments.output.write_text(text)
        return 0
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"\nFAILED: {failure}")
        return 1
    finally:
        program.remove_folder()


if __name__ == "__main__":
    sys.exit(main())
