"""What a user is told who comes back to a run that was stopped or killed: whether anybody is at it, how long it
takes still, and the command to go on with.

usage: after_a_crash_test.py PROGRAM
"""
import signal
import subprocess
import sys
import time

from journal import records
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, expect_refused, main

LONG_CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.01")


def words(text):
    return " ".join(text.split())


def start(program, *arguments):
    """A run of the long campaign in one process, once its journal has some results."""
    process = subprocess.Popen([program.path, "run", "long.yaml", "-w", "0", "--progress", "none", *arguments],
                               cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    name = arguments[1] if arguments else "long.h5"
    while sum(kind == "result" for kind, *_rest in records(program.folder / f"{name}.journal")) < 10:
        expect(process.poll() is None, "the run ended before it could be stopped")
        time.sleep(0.01)
    return process


def test_killed(program):
    program.write("long.yaml", LONG_CAMPAIGN)
    process = start(program)
    seen = words(program.run("status", "long.yaml").stdout)
    expect("It is running." in seen and "Nobody" not in seen, seen)
    process.kill()
    process.communicate()
    (program.folder / "long.h5.journal.lock").unlink()  # means nothing without its owner; the next run removes it
    seen = words(program.run("status", "long.yaml").stdout)
    expect("Nobody is running it; go on with: schedfarm resume long.yaml" in seen and "-o" not in seen, seen)
    expect("left on 1 worker." in seen, seen)
    expect(seen == words(program.run("status", "long.h5").stdout), "the campaign's status is not that of its output")
    for command in ("report", "check"):
        expect_refused(program, [command, "long.h5"], 2, "long.h5: there is no such file", "a journal beside it",
                       "`schedfarm resume`", "`schedfarm rebuild long.h5.journal`")
    expect_refused(program, ["run", "long.yaml", "-w", "0"], 2, "Go on from it with `schedfarm resume`", "--fresh")


def test_stopped(program):
    for arguments, hint in (((), "schedfarm resume long.yaml -w 0"),
                            (("-o", "other.h5"), "schedfarm resume long.yaml -o other.h5 -w 0")):
        (program.folder / "long.h5.journal").unlink(missing_ok=True)
        process = start(program, *arguments)
        process.send_signal(signal.SIGTERM)
        _output, errors = process.communicate(timeout=60)
        expect(process.returncode == 3, f"exit code {process.returncode}: {errors}")
        expect(f"Go on with: {hint}\n" in errors, errors)
    seen = words(program.run("status", "other.h5").stdout)
    expect("go on with: schedfarm resume long.yaml -o other.h5" in seen, seen)


def test_complete(program):
    program.write("small.yaml", SMALL_CAMPAIGN)
    expect_refused(program, ["status", "small.yaml"], 2, "small.yaml: there is no journal", "small.h5.journal")
    program.run("run", "small.yaml", "-w", "0")
    expect_refused(program, ["run", "small.yaml", "-w", "0"], 2, "is complete", "`schedfarm report small.h5`", "--fresh")
    seen = words(program.run("status", "small.yaml").stdout)
    expect("It is complete: see `schedfarm report small.h5`." in seen and "handed out" not in seen, seen)
    program.write("small.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12"))
    expect_refused(program, ["run", "small.yaml", "-w", "0"], 2, "a journal is already there")


def test(program, _arguments):
    test_killed(program)
    test_stopped(program)
    test_complete(program)


if __name__ == "__main__":
    sys.exit(main(test))
