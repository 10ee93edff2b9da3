"""schedfarm submit without any Slurm: the script that --dry-run prints, and what is refused before Slurm is asked.

usage: submit_test.py PROGRAM
"""
import os
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
            (["--time", "1-99:99"], "--time 1-99:99", "2:00:00"),
            ([], "Give --time"),
            (["--dry-run", "--time", "2"], "00:02:00", "120 s", "--notice"),
            (["--time", "5", "--partition", "a\nrm -rf x"], "--partition", "line break"),
            (["--time", "5", "--account", "a\rb"], "--account", "line break"),
            (["--time", "5", "--sbatch", "--mem=4G", "--sbatch", "--x\n#SBATCH --y"], "--sbatch", "line break"),
            (["--time", "5", "--nodes", "5"], "4 tasks on 5 nodes"),
            (["--time", "5", "--array", "7"], "--array 7", "fewer cells"),
            (["--time", "5", "--array", "2", "--when-cut", "chain"], "--when-cut requeue"),
            (["--time", "5", "--array", "2", "--sbatch=--array=1-2%1"], "--sbatch=--array=1-2%1", "--array 100%8"),
            (["--time", "5", "--array", "2%0"], "--array", "'0' is not a whole number from 1"),
            (["--time", "5", "--array", "2%"], "--array", "'' is not a whole number"),
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


def test_requeue(program):
    """What the user says of it wins, and the user hears what follows."""
    done = dry_run(program, "--time", "5", "--pilot-seconds", "0", "--sbatch=--no-requeue")
    expect("#SBATCH --requeue" not in done.stdout and "when_cut=stop\n" in done.stdout, done.stdout[:900])
    expect("no job is queued again (--no-requeue)" in done.stderr, done.stderr)


def made_up_slurm(program, answer, exit_code=0):
    """The environment of a user in an allocation, whose sbatch answers so and keeps what it is given."""
    folder = program.folder / "slurm"
    folder.mkdir(exist_ok=True)
    (folder / "scontrol").write_text(f"#!/bin/sh\necho 'MaxArraySize            = 3'\n")
    (folder / "scontrol").chmod(0o755)
    for name in ("sbatch", "scancel"):
        (folder / name).write_text(f"#!/bin/sh\nenv > {folder}/environment\necho {name} \"$@\" >> {folder}/calls\n"
                                   f"cat {folder}/answer\nexit {exit_code}\n")
        (folder / name).chmod(0o755)
    (folder / "answer").write_text(answer)
    (folder / "calls").write_text("")
    return {"PATH": f"{folder}:{os.environ['PATH']}", "SLURM_CONF": "/etc/slurm/slurm.conf", "SBATCH_ACCOUNT": "own",
            **{f"SLURM_{name}": "1" for name in ("JOB_ID", "JOBID", "NTASKS", "CPUS_PER_TASK", "CPU_BIND", "CPU_BIND_LIST",
                                                 "MEM_PER_CPU", "MEM_PER_NODE", "EXPORT_ENV", "TRES_PER_TASK", "NODELIST")}}


def submit(program, answer, *options, exit_code=0, slurm_exit_code=0):
    environment = made_up_slurm(program, answer, slurm_exit_code)
    return program.run("submit", "campaign.yaml", "--pilot-seconds", "0", "-t", "10", "-o", "out.h5", *options,
                       environment=environment, exit_code=exit_code)


def calls(program):
    return (program.folder / "slurm" / "calls").read_text().splitlines()[1:]  # behind sbatch --version


def test_answers(program):
    """Whatever a site has sbatch answer: exit code 0 means that a job is queued."""
    for answer, number, queue in (
            ("4711\n", "4711", "squeue -j 4711"), ("4711;c1\n", "4711", "squeue -M c1 -j 4711"),
            ("Submitted batch job 4711\n", "4711", "squeue -j 4711"),
            ("Submitted batch job 4711 on cluster c1\n", "4711", "squeue -M c1 -j 4711"),
            ("4711\nsbatch: account set to a1\n", "4711", "squeue -j 4711"),
            ("accepted\n", None, "squeue --me"), ("", None, "squeue --me")):
        done = submit(program, answer)
        expect(done.stdout.startswith(f"job {number} submitted" if number else "a job submitted"), f"{answer}: {done.stdout}")
        expect(f"in the queue:    {queue}\n" in done.stdout, f"{answer}: {done.stdout}")
        expect(("holds no number" in done.stderr) == (number is None), f"{answer}: {done.stderr}")
        expect((program.folder / "out.sbatch").exists(), f"{answer}: no script")
        expect(len(calls(program)) == 1, f"{answer}: {calls(program)}")
    variables = (program.folder / "slurm" / "environment").read_text().splitlines()
    expect([line for line in variables if line.startswith("SLURM_")] == ["SLURM_CONF=/etc/slurm/slurm.conf"], f"{variables}")
    expect("SBATCH_ACCOUNT=own" in variables, "the user's own wishes are gone")


def test_arrays(program):
    """The job that joins the parts waits for them, or where their number is not known for the user."""
    done = submit(program, "4711;c1\n", "--array", "2")
    expect("--dependency=afterany:4711" in calls(program)[1], f"{calls(program)}")
    done = submit(program, "accepted\n", "--array", "2")
    expect("when it has ended: sbatch out.merge.sbatch\n" in done.stdout, done.stdout)
    expect(len(calls(program)) == 1 and (program.folder / "out.merge.sbatch").exists(), f"{calls(program)}")


def test_long_arrays(program):
    """Slurm takes two tasks at once here: five are three jobs, one after another where so many are to run at once."""
    for size, waits in (("5", ""), ("5%2", "--dependency=afterany:4711 ")):
        done = submit(program, "4711\n", "--array", size)
        limit = size[1:]
        folder = program.folder
        arrays = [line for name in ("out", "out.2", "out.3") for line in (folder / f"{name}.sbatch").read_text().splitlines()
                  if "--array=" in line or "tasks_before=" in line]
        expect(arrays == [f"#SBATCH --array=1-2{limit}", "tasks_before=0", f"#SBATCH --array=1-2{limit}", "tasks_before=2",
                          f"#SBATCH --array=1-1{limit}", "tasks_before=4"], f"{arrays}")
        expect(calls(program) == ["sbatch --parsable out.sbatch", f"sbatch --parsable {waits}out.2.sbatch", f"sbatch --parsable {waits}out.3.sbatch",
                                  "sbatch --parsable --dependency=afterany:4711:4711:4711 out.merge.sbatch"], f"{calls(program)}")
        expect(done.stdout.count(" submitted (") == 3 and "joins the parts (out.merge.sbatch)" in done.stdout, done.stdout)


def test_undone(program):
    """Of what is refused nothing stays, and nothing goes that was there: what has a script's name, say."""
    (program.folder / "out.sbatch").unlink()
    (program.folder / "out.merge.sbatch").unlink()
    (program.folder / "out.merge.sbatch").mkdir()
    done = submit(program, "4711;c1\n", "--array", "2", exit_code=4)
    expect("out.merge.sbatch: cannot be written" in done.stderr, done.stderr)
    expect(calls(program)[1:] == ["scancel -M c1 4711"], f"{calls(program)}")
    expect((program.folder / "out.merge.sbatch").is_dir() and not (program.folder / "out.sbatch").exists(), "scripts")
    (program.folder / "out.merge.sbatch").rmdir()


def test(program, _arguments):
    program.write("campaign.yaml", PRECISE_CAMPAIGN)
    program.write("typo.yaml", SMALL_CAMPAIGN.replace("policy:", "polcy:"))
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "--workers", "0", "-o", "other.h5")
    test_refusals(program)
    test_scripts(program)
    test_requeue(program)
    test_pilot(program)
    test_answers(program)
    test_arrays(program)
    test_long_arrays(program)
    test_undone(program)


if __name__ == "__main__":
    sys.exit(main(test))
