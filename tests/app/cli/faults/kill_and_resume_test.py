"""A run that is killed and resumed, several times over, ends in the same payload; replications whose
results were on disk are not computed again; foreign or existing journals are refused.

usage: kill_and_resume_test.py PROGRAM
"""
import random
import signal
import subprocess
import sys
import time

from processes import kill, ranks_of
from program import PRECISE_CAMPAIGN, expect, main

# Long enough to be killed in the middle: a few seconds on one core.
CAMPAIGN = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.01")


def kill_somewhere(program, how, new_bytes):
    """Starts or resumes the run and kills it when its journal has grown by `new_bytes`; True when it ended
    before that."""
    journal = program.folder / "killed.h5.journal"
    size = journal.stat().st_size if journal.exists() else 0
    process = subprocess.Popen(
        ["mpirun", "-n", "3", program.path, "resume" if size else "run", "campaign.yaml", "-o", "killed.h5"],
        cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True)
    while process.poll() is None and (not journal.exists() or journal.stat().st_size < size + new_bytes):
        time.sleep(0.002)
    if process.poll() is not None:
        return True
    ranks = ranks_of(program, process.pid)
    kill(ranks[-1:] if how == "worker" else ranks)
    process.wait(timeout=60)
    return False


def run_and_kill(program, campaign, victims, seed):
    """Runs campaign.yaml to whole.h5, then to killed.h5 with a kill for each of `victims`, worker or all."""
    program.write("campaign.yaml", campaign)
    program.run("run", "campaign.yaml", "-o", "whole.h5", ranks=3)
    whole = (program.folder / "whole.h5.journal").stat().st_size
    choice = random.Random(seed)
    for attempt, victim in enumerate(victims):
        ended = kill_somewhere(program, victim, (0.1 + 0.1 * choice.random()) * whole)
        print(f"kill {attempt}: {'had ended' if ended else 'killed'}")


def test_kills(program):
    run_and_kill(program, CAMPAIGN, ("worker", "all", "worker", "all"), seed=5)
    done = program.run("resume", "campaign.yaml", "-o", "killed.h5", ranks=3)
    expect("taken from the journal" in done.stdout, f"nothing was reused: {done.stdout}")
    expect(program.payload_hash("killed.h5") == program.payload_hash("whole.h5"),
           "the payload changed with kills")
    again = program.run("resume", "campaign.yaml", "-o", "killed.h5", "--workers", "0")
    expect(again.stdout.startswith("0 replications computed"), f"computed again: {again.stdout}")


def test_signals(program):
    process = subprocess.Popen([program.path, "run", "campaign.yaml", "-o", "drained.h5", "--workers", "0"],
                               cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (program.folder / "drained.h5.journal").exists():
        time.sleep(0.002)
    process.send_signal(signal.SIGUSR1)
    output, errors = process.communicate(timeout=60)
    expect(process.returncode == 3, f"exit code {process.returncode}: {output}{errors}")
    program.run("resume", "campaign.yaml", "-o", "drained.h5", "--workers", "0")
    expect(program.payload_hash("drained.h5") == program.payload_hash("whole.h5"),
           "the payload changed with a drain")


def test_refusals(program):
    refused = program.run("run", "campaign.yaml", "-o", "killed.h5", "--workers", "0", exit_code=2)
    expect("--fresh" in refused.stderr, refused.stderr)
    program.write("other.yaml", CAMPAIGN.replace("seed: 12", "seed: 13"))
    refused = program.run("resume", "other.yaml", "-o", "killed.h5", "--workers", "0", exit_code=2)
    expect("earlier version" in refused.stderr, refused.stderr)
    program.write("garbage.h5.journal", "this is no journal\n" * 20)
    refused = program.run("resume", "campaign.yaml", "-o", "garbage.h5", "--workers", "0", exit_code=2)
    expect("garbage.h5.journal" in refused.stderr, refused.stderr)
    expect((program.folder / "garbage.h5.journal").read_text().startswith("this is no journal"),
           "a foreign file was changed")


def test(program, _arguments):
    test_kills(program)
    test_signals(program)
    test_refusals(program)


if __name__ == "__main__":
    sys.exit(main(test))
