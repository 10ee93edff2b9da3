"""schedfarm submit without any Slurm: the script that --dry-run prints, and what is refused before Slurm is asked.

usage: submit_test.py PROGRAM
"""
import subprocess
import sys

from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

NO_SLURM = {"PATH": "/nonexistent"}


def expect_refused(program, options, *fragments, campaign="campaign.yaml"):
    before = sorted(program.folder.iterdir())
    done = program.run("submit", campaign, "--pilot-seconds", "0", *options, exit_code=2, environment=NO_SLURM)
    for fragment in fragments:
        expect(fragment in done.stderr, f"{options}: no '{fragment}' in: {done.stderr}")
    expect(done.stdout == "", f"{options}: output beside an error: {done.stdout}")
    expect(sorted(program.folder.iterdir()) == before, f"{options}: left something behind")


def test_refusals(program):
    for options, *fragments in [
            (["--time", "5"], "no job can be submitted", "sbatch cannot be started", "--dry-run"),
            (["--time", "soon"], "--time soon", "2:00:00"),
            ([], "Give --time"),
            (["--dry-run", "--time", "2"], "00:02:00", "120 s", "--notice"),
            (["--time", "5", "--partition", "a\nrm -rf x"], "--partition", "line break"),
            (["--time", "5", "--account", "a\rb"], "--account", "line break"),
            (["--time", "5", "--sbatch", "--mem=4G", "--sbatch", "--x\n#SBATCH --y"], "--sbatch", "line break"),
            (["--time", "5", "--nodes", "5"], "4 tasks on 5 nodes"),
            (["--time", "5", "--array", "7"], "--array 7", "fewer cells"),
            (["--time", "5", "--array", "2", "--when-cut", "chain"], "--when-cut requeue"),
            (["--time", "5", "-o", "out.txt"], "out.txt", ".h5"),
            (["--time", "5", "-o", "no/such/folder/out.h5"], "no/such/folder", "no folder"),
            (["--time", "5", "-o", "other.h5"], "other.h5.journal", "another campaign")]:
        expect_refused(program, options, *fragments)
    expect_refused(program, ["--time", "5"], "absent.yaml", campaign="absent.yaml")
    expect_refused(program, ["--time", "5"], "typo.yaml:8:3", campaign="typo.yaml")


def dry_run(program, *options, exit_code=0):
    return program.run("submit", "campaign.yaml", "--dry-run", *options, exit_code=exit_code, environment=NO_SLURM)


def test_scripts(program):
    before = sorted(program.folder.iterdir())
    for options in ([], ["--array", "3"], ["--when-cut", "chain"], ["--when-cut", "stop", "--sbatch=--mem=4G"]):
        done = dry_run(program, "--time", "5", "--pilot-seconds", "0", *options)
        checked = subprocess.run(["shellcheck", "--shell=bash", "-"], input=done.stdout, text=True,
                                 capture_output=True, check=False)
        expect(checked.returncode == 0, f"{options}: {checked.stdout}")
        for line in ("--time=00:05:00", "--signal=B:USR1@120", "--open-mode=append"):
            expect(f"#SBATCH {line}\n" in done.stdout, f"{options}: no {line}")
        expect(("#SBATCH --requeue\n" in done.stdout) == ("stop" not in options), f"{options}: requeue")
        expect(("schedfarm merge" in done.stderr) == ("--array" in options), f"{options}: merge")
    expect(sorted(program.folder.iterdir()) == before, "--dry-run wrote a file")


def test_pilot(program):
    """Six cells that need 20 to 2000 replications each; a time is proposed."""
    done = dry_run(program, "--pilot-seconds", "3")
    expect("6 cells: about " in done.stderr and " on cores like these, between " in done.stderr, done.stderr)
    expect("#SBATCH --time=00:" in done.stdout, done.stdout[:400])
    expect(all(len(line) <= 80 for line in done.stderr.splitlines()), f"wider than a terminal: {done.stderr}")


def test(program, _arguments):
    program.write("campaign.yaml", PRECISE_CAMPAIGN)
    program.write("typo.yaml", SMALL_CAMPAIGN.replace("policy:", "polcy:"))
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "--workers", "0", "-o", "other.h5")
    test_refusals(program)
    test_scripts(program)
    test_pilot(program)


if __name__ == "__main__":
    sys.exit(main(test))
