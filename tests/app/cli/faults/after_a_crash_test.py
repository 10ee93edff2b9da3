"""What a user is told who comes back to a run that was stopped or killed: whether anybody is at it, how long it
takes still, and the command to go on with.

usage: after_a_crash_test.py PROGRAM
"""
import os
import re
import signal
import subprocess
import sys
import time

from journal import records
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, expect_refused, main

LONG_CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.01")


def words(text):
    return " ".join(text.split())


def start(program, *arguments, results=10):
    """A run of the long campaign in one process, once its journal has so many results."""
    process = subprocess.Popen([program.path, "run", "long.yaml", "-w", "0", "--progress", "none", *arguments],
                               cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    name = arguments[1] if arguments else "long.h5"
    while sum(kind == "result" for kind, *_rest in records(program.folder / f"{name}.journal")) < results:
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
    # No cell has come to its first checkpoint, at 20: what is told is a lower bound.
    expect("of 120 replications or more" in seen and "/≥20 open" in seen, seen)
    expect("How long it takes is not known yet." in seen and "left" not in seen, seen)
    expect(seen == words(program.run("status", "long.h5").stdout), "the campaign's status is not that of its output")
    for command in ("report", "check"):
        expect_refused(program, [command, "long.h5"], 2, "long.h5: there is no such file", "a journal beside it",
                       "`schedfarm resume long.yaml`", "`schedfarm rebuild long.h5.journal`")
    expect_refused(program, ["run", "long.yaml", "-w", "0"], 2, "Go on from it with `resume` in place of `run`", "--fresh")


def test_stopped(program):
    for arguments, hint in (((), "schedfarm resume long.yaml -w 0"),
                            (("-o", "other.h5"), "schedfarm resume long.yaml -o other.h5 -w 0")):
        (program.folder / "long.h5.journal").unlink(missing_ok=True)
        process = start(program, *arguments)
        name = arguments[1] if arguments else "long.h5"
        expect_refused(program, ["report", name], 2, "a journal beside it (of a run that goes on)", f"`schedfarm status {name}`")
        process.send_signal(signal.SIGTERM)
        _output, errors = process.communicate(timeout=60)
        expect(process.returncode == 3, f"exit code {process.returncode}: {errors}")
        expect(f"Go on with `{hint}`\n" in errors, errors)
    seen = words(program.run("status", "other.h5").stdout)
    expect("go on with: schedfarm resume long.yaml -o other.h5" in seen, seen)


def test_time_left(program):
    (program.folder / "long.h5.journal").unlink(missing_ok=True)
    process = start(program, results=200)
    process.kill()
    process.communicate()
    seen = words(program.run("status", "long.yaml").stdout)
    expect(re.search(r"About [^.]* left on 1 worker\.", seen) and "or more" not in seen and "≥" not in seen, seen)


def test_share(program):
    """A share is not gone on with as the whole campaign, for its journal says what it is; the command stands on a line
    of its own."""
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "--cells", "2/3", "-o", "share.h5")
    seen = program.run("status", "share.h5").stdout
    expect("Share 2/3 of the cells is complete" in words(seen), seen)
    expect("\n    schedfarm report share.h5\n" in seen and "resume" not in seen, seen)
    program.run("resume", "share.h5", "-w", "0")
    expect("Share 2/3 of the cells is complete" in words(program.run("status", "share.h5").stdout), "a share is resumed")
    report = program.run("report", "share.h5").stdout
    expect("Provisional: the number of replications of 3 of 4 cells was not decided" in words(report), report)


def test_names(program):
    """What can be mended is answered with the name or the command that does it."""
    expect_refused(program, ["report", "share.h5.journal"], 2, "this is a journal", "Name share.h5",
                   "`schedfarm status share.h5.journal`")
    (program.folder / "long.h5").unlink()
    expect_refused(program, ["gantt", "long.h5"], 2, "a journal beside it", "`schedfarm resume long.yaml`")
    expect_refused(program, ["status", "absent.h5"], 2, "absent.h5.journal: no journal can be read there")
    whole = (program.folder / "share.h5").read_bytes()
    (program.folder / "share.h5").write_bytes(whole[:len(whole) // 2])
    expect_refused(program, ["report", "share.h5"], 2, "damaged or cut short", "`schedfarm rebuild share.h5.journal`")
    program.run("rebuild", "share.h5")  # its journal is meant
    (program.folder / "copy.h5").write_bytes(whole[:len(whole) // 2])
    expect_refused(program, ["report", "copy.h5"], 2, "damaged or cut short", "Use a copy of it")


def test_named_by_run(program):
    """A run goes on by its result file or its journal, with the campaign as it was begun."""
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "-o", "begun.h5")
    payload = program.payload_hash("begun.h5")
    program.write("small.yaml", "no campaign any more")
    for given in ("begun.h5", "begun.h5.journal"):
        for workers in ("0", "1"):
            (program.folder / "begun.h5").unlink()
            done = program.run("resume", given, "-w", workers)
            expect("results in begun.h5" in words(done.stdout), f"{given}: {done.stdout}")
            expect(program.payload_hash("begun.h5") == payload, f"{given}: another payload")
    program.run("resume", "begun.h5", "-o", "./begun.h5", "-w", "0")
    expect_refused(program, ["resume", "begun.h5", "-o", "other.h5"], 2, "begun.h5.journal goes on in its own result file")
    expect_refused(program, ["resume", "absent.h5", "-w", "0"], 2, "absent.h5.journal: no journal can be read there")


def test_later_journal(program):
    """A file from before the end of the run says so."""
    program.write("small.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 6"))
    program.run("run", "small.yaml", "-w", "0", "-o", "later.h5")
    early = (program.folder / "later.h5").read_bytes()
    ends = [(program.folder / name).stat().st_mtime_ns for name in ("later.h5.journal", "later.h5")]
    expect(ends == sorted(ends), "the journal of a whole file is newer: every report reads it")
    expect("come farther" not in program.run("report", "later.h5").stderr, "a whole file is called early")
    program.write("precise.yaml", PRECISE_CAMPAIGN)
    program.run("run", "precise.yaml", "-w", "1")  # computes beyond the stopping index
    os.utime(program.folder / "precise.h5", (0, 0))
    expect("come farther" not in program.run("report", "precise.h5").stderr, "a finished run is called early")
    (program.folder / "small.yaml").write_text(SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "-o", "later.h5", "--extend")
    (program.folder / "later.h5").write_bytes(early)
    os.utime(program.folder / "later.h5", (0, 0))
    expect("(48 replications, 24 here)" in program.run("report", "later.h5").stderr, "an early file is not told")


def test_complete(program):
    program.write("small.yaml", SMALL_CAMPAIGN)
    expect_refused(program, ["status", "small.yaml"], 2, "small.yaml: there is no journal", "small.h5.journal")
    program.run("run", "small.yaml", "-w", "0")
    expect_refused(program, ["run", "small.yaml", "-w", "0"], 2, "is complete", "`schedfarm report small.h5`", "--fresh")
    seen = words(program.run("status", "small.yaml").stdout)
    expect("It is complete. See: schedfarm report small.h5" in seen and "handed out" not in seen, seen)
    program.write("small.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12"))
    expect_refused(program, ["run", "small.yaml", "-w", "0"], 2,
                   "the journal of an earlier version of campaign 'small'", "They have no replication in common", "--fresh")
    program.write("small.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 13"))
    expect_refused(program, ["run", "small.yaml", "-w", "0"], 2,
                   "the journal of an earlier version of campaign 'small'", "in common with --extend", "--fresh")


def test(program, _arguments):
    test_killed(program)
    test_stopped(program)
    test_time_left(program)
    test_share(program)
    test_names(program)
    test_later_journal(program)
    test_complete(program)


if __name__ == "__main__":
    sys.exit(main(test))
