"""Every command that the program offers can be pasted into a shell as it stands, in a folder and for files with blanks
and apostrophes in their names.

usage: offered_commands_test.py PROGRAM FAULTY_PROGRAM
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from journal import records
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, Program, expect, main

CAMPAIGN = "it's a $HOME `campaign`.yaml"
RESULTS = "it's a $HOME `campaign`.h5"


def offered(text):
    """The commands in a text: in backticks (which a file's name may contain too), on a line of their own, or at the end
    of a line."""
    ends = re.findall(r"(?:^    |: +)(schedfarm .*)$", text, re.MULTILINE)
    return ends + re.findall(r"`(schedfarm [a-z]+ (?:\$'(?:[^'\\]|\\.)*'|'(?:[^']|'\\'')*'|[^`'])*)`", text)


def paste(program, command, exit_code=0, shell="sh"):
    environment = {**os.environ, "PATH": f"{pathlib.Path(program.path).parent}:{os.environ['PATH']}"}
    done = subprocess.run([shell, "-c", command], cwd=program.folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=300, check=False)
    expect(done.returncode == exit_code, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def only(text, *beginnings):
    """The commands that a text offers, which must be these."""
    commands = offered(text)
    expect([" ".join(command.split()[:2]) for command in commands] == list(beginnings), f"{commands} in {text}")
    return commands


def output_of(program, *arguments, exit_code):
    done = program.run(*arguments, exit_code=exit_code)
    return done.stdout + done.stderr


def test_first_steps(program):
    """From init to the report, also of a file that was lost or damaged."""
    results = program.folder / RESULTS
    run = only(output_of(program, "init", CAMPAIGN, exit_code=0), "schedfarm run")[0]
    warnings = program.run("plan", CAMPAIGN).stderr
    expect(not warnings, f"the campaign to start from is planned with: {warnings}")
    paste(program, run)
    again = output_of(program, "run", CAMPAIGN, exit_code=2)
    expect("Failures" not in paste(program, only(again, "schedfarm report")[0]).stdout, again)
    paste(program, only(program.run("status", RESULTS).stdout, "schedfarm report")[0])
    paste(program, only(output_of(program, "report", RESULTS + ".journal", exit_code=2), "schedfarm status")[0])
    no_cell = output_of(program, "replay", CAMPAIGN, "-c", "99", "-r", "0", exit_code=2)
    paste(program, only(no_cell, "schedfarm plan")[0])
    results.write_bytes(results.read_bytes()[:1000])
    paste(program, only(output_of(program, "report", RESULTS, exit_code=2), "schedfarm rebuild")[0])
    results.unlink()
    paste(program, only(program.run("status", RESULTS).stdout, "schedfarm rebuild")[0])
    results.unlink()
    resume, rebuild = only(output_of(program, "report", RESULTS, exit_code=2), "schedfarm resume", "schedfarm rebuild")
    paste(program, rebuild)
    paste(program, resume)


def test_awkward_names(program):
    """A name that looks like an option, and one of two lines, for which a shell must know $'…'."""
    for name, written in (("-x.yaml", "./-x"), ("it's a\n`b`.yaml", r"$'it\'s a\n`b`")):
        run = only(output_of(program, "init", "--", name, exit_code=0), "schedfarm run")[0]
        expect(run.startswith(f"schedfarm run {written}"), run)
        paste(program, run, shell="bash")
        no_cell = output_of(program, "replay", "-c", "99", "-r", "0", "--", name, exit_code=2)
        paste(program, only(no_cell, "schedfarm plan")[0], shell="bash")
        again = output_of(program, "run", "--", name, exit_code=2)
        paste(program, only(again, "schedfarm report")[0], shell="bash")


def stopped_run(program, *arguments):
    """A long run in one process, stopped on purpose; what it said."""
    process = subprocess.Popen([program.path, "run", CAMPAIGN, "-w", "0", "--progress", "none", *arguments],
                               cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    while sum(kind == "result" for kind, *_rest in records(program.folder / "it's long.h5.journal")) < 10:
        expect(process.poll() is None, "the run ended before it could be stopped")
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    errors = process.communicate(timeout=60)[1]
    expect(process.returncode == 3, f"exit code {process.returncode}: {errors}")
    return errors


def test_stopped(program):
    """What goes on with a run; it is told to stop soon, for the campaign is long."""
    campaign = PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.0001")
    program.write(CAMPAIGN, campaign.replace("max: 2000}", "max: 100000}"))
    resume = only(stopped_run(program, "-o", "it's long.h5"), "schedfarm resume")[0]
    from_status = only(program.run("status", "it's long.h5").stdout, "schedfarm resume")[0]
    expect(resume == from_status + " -w 0", f"{resume} against {from_status}")
    before = len(records(program.folder / "it's long.h5.journal"))
    paste(program, resume + " --walltime 1", exit_code=3)
    expect(len(records(program.folder / "it's long.h5.journal")) > before, "the command went on with another run")
    rebuilt = output_of(program, "rebuild", "it's long.h5", exit_code=0)
    paste(program, only(rebuilt, "schedfarm status")[0])
    rebuilt = (program.folder / "it's long.h5").read_bytes()
    paste(program, resume + " --walltime 1", exit_code=3)
    (program.folder / "it's long.h5").write_bytes(rebuilt)
    os.utime(program.folder / "it's long.h5", (0, 0))
    paste(program, only(program.run("report", "it's long.h5").stderr, "schedfarm status")[0])


def test_failed(program, faulty):
    program.write(CAMPAIGN, SMALL_CAMPAIGN)
    program.write("faults", "0 1 throw\n2 3 throw\n")
    told = output_of(faulty, "run", CAMPAIGN, "-w", "0", "-o", "it's failed.h5", exit_code=1)
    report = paste(program, only(told, "schedfarm report")[0]).stdout
    for command in only(report, "schedfarm replay", "schedfarm replay"):
        paste(program, command)
    paste(program, only(program.run("status", "it's failed.h5").stdout, "schedfarm resume")[0])


def test_submitted(program):
    """With a scheduler that takes every job."""
    scheduler = program.folder / "bin"
    scheduler.mkdir()
    (scheduler / "sbatch").write_text("#!/bin/sh\necho 17\n")
    (scheduler / "sbatch").chmod(0o755)
    done = program.run("submit", CAMPAIGN, "-o", "it's failed.h5", "--time", "5", "--pilot-seconds", "0",
                       environment={"PATH": f"{scheduler}:{os.environ['PATH']}"})
    paste(program, only(done.stdout, "schedfarm status")[0])


def test(program, arguments):
    program.folder /= "it's a folder"
    program.folder.mkdir()
    faulty = Program(arguments[0])
    faulty.remove_folder()
    faulty.folder = program.folder
    try:
        test_first_steps(program)
        test_awkward_names(program)
        (program.folder / (RESULTS + ".journal")).unlink()
        test_stopped(program)
        test_failed(program, faulty)
        test_submitted(program)
    finally:
        program.folder = program.folder.parent


if __name__ == "__main__":
    sys.exit(main(test))
