"""A site whose Python has no h5py: it runs, resumes, submits, merges, rebuilds, traces, replays and gets the plain table; what the package shows
says in one line what to install. Claims are planned without numpy; without any Python one line says that they are not checked yet.

usage: without_h5py_test.py PROGRAM
"""
import shutil
import sys

import h5py

from program import SMALL_CAMPAIGN, expect, main


def test(program, _arguments):
    program.write("bare-python", '#!/bin/sh\nexec /usr/bin/python3 -S -E "$@"\n')  # without Debian's packages
    (program.folder / "bare-python").chmod(0o755)
    program.write("small.yaml", SMALL_CAMPAIGN)

    def run(*words, code=0):
        return program.run(*words, exit_code=code, environment={"SCHEDFARM_PYTHON": str(program.folder / "bare-python")})
    run("plan", "small.yaml")
    run("run", "small.yaml", "-w", "0", "--cells", "1/2")
    shutil.copytree(program.folder, program.folder / "part")
    run("resume", "small.yaml", "-w", "0", "--cells", "1/1")
    run("run", "small.yaml", "-w", "0", "--cells", "2/2", "-o", "other.h5")
    run("merge", "merged.h5", "part/small.h5", "other.h5")
    run("rebuild", "small.h5.journal", "-o", "again.h5")
    expect(program.payload_hash("small.h5") == program.payload_hash("merged.h5") == program.payload_hash("again.h5"), "other results")
    expect("48" in run("status", "small.h5").stdout, "no replications")
    expect("fingerprint" in run("replay", "small.yaml", "-c", "1", "-r", "0").stdout, "no fingerprint")
    expect("#SBATCH" in run("submit", "small.yaml", "--dry-run", "--time", "5", "--pilot-seconds", "0").stdout, "no script")
    expect("jobs" in run("trace", "example").stdout and "utilization" in run("simulate", "--trace", "example", "--policy", "easy").stdout, "no summary")
    plain = run("report", "--plain", "small.h5")
    expect("[" in plain.stdout and plain.stderr == "", f"no plain table: {plain}")
    report = run("report", "small.h5")
    expect(report.stdout == plain.stdout and "python3-h5py" in report.stderr, f"another table: {report}")
    for words in (("report", "small.h5", "-f", "markdown"), ("check", "small.h5"), ("diff", "small.h5", "merged.h5"), ("gantt", "small.h5"),
                  ("plot", "small.h5", "-o", "x.svg")):
        done = run(*words, code=2)
        expect(done.stdout == "" and len(done.stderr.splitlines()) == 1 and "need the Python package" in done.stderr, f"{words}: {done}")
    test_claims(program, run)


def test_claims(program, run):
    claim = "claims: {quantities: {q: %s}, list: [{id: one, paper: A sentence., value: 'q{structure=filling, policy=fcfs}', above: 1}]}\n"
    program.write("wrong.yaml", SMALL_CAMPAIGN + claim % "slowness")
    program.write("claims.yaml", SMALL_CAMPAIGN + claim % "capacity_loss")
    for words in (("plan", "wrong.yaml"), ("run", "wrong.yaml", "-w", "0"), ("submit", "wrong.yaml", "--dry-run", "--time", "5")):
        done = run(*words, code=2)
        expect(done.stderr == f"schedfarm: error: {words[1]}:15:26: no cell observes all columns of quantity 'q'. Add probes, with "
               "'per_class: true' for what is of a class.\n", f"{words}: {done}")
    expect(not (program.folder / "wrong.h5.journal").exists(), "it ran")
    without = {"SCHEDFARM_PYTHON": str(program.folder / "no-python")}
    program.run("run", "wrong.yaml", "-w", "0", environment=without)
    done = run("rebuild", "wrong.h5.journal", "-o", "whole.h5")
    expect("warning: wrong.yaml:15:26: no cell" in done.stderr and (program.folder / "whole.h5").exists(), f"no results of wrong claims: {done}")
    done = program.run("run", "claims.yaml", "-w", "0", environment=without)
    expect(done.stderr.count("claims, certificates, figures and values of a paper are not checked yet") == 1 and "no-python cannot be started: No such file" in done.stderr, f"{done}")
    program.run("rebuild", "claims.h5.journal", "-o", "bare.h5", environment=without)
    run("rebuild", "claims.h5.journal", "-o", "again.h5")
    with h5py.File(program.folder / "bare.h5") as bare, h5py.File(program.folder / "again.h5") as again:
        expect("claim_places" not in bare and again["claim_places"]["expression"][0] == b"q{cell=0}", "no claims, or others")
        expect(bare.attrs["payload_hash"] == again.attrs["payload_hash"], "claims change the payload")


if __name__ == "__main__":
    sys.exit(main(test))
