"""A site whose Python has no h5py: it runs, resumes, submits, merges, rebuilds, traces, replays and gets the plain table; what the package shows
says in one line what to install.

usage: without_h5py_test.py PROGRAM
"""
import shutil
import sys

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


if __name__ == "__main__":
    sys.exit(main(test))
