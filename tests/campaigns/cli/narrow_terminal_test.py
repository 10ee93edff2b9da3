"""On a terminal of 60 columns tables, summaries, charts and help fit, and messages break between words; what goes to a
pipe is as wide as ever.

usage: narrow_terminal_test.py PROGRAM
"""
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios

import yaml

from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main, pseudo_terminal_or_skip

COLUMNS = 60


def at_terminal(program, *arguments, exit_code=0):
    """What stands at a narrow terminal, without colours."""
    ours, theirs = pseudo_terminal_or_skip()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = subprocess.Popen([program.path, *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                               stdout=theirs, stderr=theirs, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0))
    os.close(theirs)
    seen = b""
    while True:
        try:
            seen += os.read(ours, 65536)
        except OSError:  # the last process at the terminal has ended
            break
    os.close(ours)
    expect(process.wait() == exit_code, f"{arguments}: exit code {process.returncode}\n{seen}")
    return re.sub(r"\033\[[0-9;]*m", "", seen.decode()).replace("\r\n", "\n")


def fits(program, *arguments, exit_code=0):
    seen = at_terminal(program, *arguments, exit_code=exit_code)
    long = [line for line in seen.splitlines() if len(line) > COLUMNS and not line.startswith("    schedfarm ")]
    expect(not long, f"{arguments}: over {COLUMNS} columns: {long}")
    return seen


def test_texts(program):
    program.write("precise.yaml", PRECISE_CAMPAIGN)
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "precise.yaml", "-w", "0")
    program.run("run", "small.yaml", "-w", "1")
    program.write("other.yaml", PRECISE_CAMPAIGN.replace("seed: 12", "seed: 13").replace("jobs: 500", "jobs: 700"))
    program.run("run", "other.yaml", "-w", "0")
    program.write("two.csv", f"task,weight,p1,p2\n{'long' * 10},1,4,2\nsecond,1,2,1\n")
    for arguments in (["status", "precise.h5"], ["report", "precise.h5"], ["report", "small.h5"],
                      ["plan", "precise.yaml"], ["diff", "precise.h5", "other.h5"], ["gantt", "small.h5"],
                      ["gantt", "precise.h5"], ["list"],
                      ["trace", "example"], ["simulate", "--trace", "example", "-p", "128", "--policy", "easy"],
                      ["simulate", "--instance", "two.csv", "--policy", "demt", "--front"], ["simulate", "--help"],
                      ["--help"]):
        seen = fits(program, *arguments, exit_code=1 if arguments[0] == "diff" else 0)
        piped = program.run(*arguments, exit_code=None).stdout
        expect(max(map(len, piped.splitlines())) > COLUMNS, f"{arguments}: a pipe gets narrow lines: {piped}")
        figures = re.findall(r"\d+\.\d+|\d{3,}", piped)
        lost = [figure for figure in figures if figure not in seen]
        expect(arguments[0] in ("gantt", "simulate") or not lost, f"{arguments}: lost {lost}")
    as_file = program.run("plan", "precise.yaml", "--format", "yaml").stdout
    for words in (["--format", "yaml"], []):
        seen = fits(program, "plan", "precise.yaml", *words).split("Effective configuration:")[-1]
        seen = seen[seen.index("campaign_format:"):]  # behind the warning of short horizons
        expect(yaml.safe_load(seen) == yaml.safe_load(as_file), f"another configuration: {seen}")
    expect(max(map(len, as_file.splitlines())) > 80, f"YAML in a pipe is broken: {as_file}")
    fits(program, "bench", "EASY, generated", "--seconds", "0.01", "--repeats", "1")
    tables = [at_terminal(program, "certify", "small.yaml", "--macro-runs", "2", "-w", workers).partition("----")[2]
              for workers in ("0", "1")]
    expect(tables[0] == tables[1] and "filling\n" in tables[0], f"ranks know no narrow terminal: {tables}")
    seen = at_terminal(program, "status", "precise.h5")
    expect("fpfs(max_jumps=7), 0.5 " in seen and "fpfs(max_jumps=7), 0.7 " in seen, f"names in full: {seen}")


def test_messages(program):
    seen = fits(program, "run", "small.yaml", exit_code=2)
    expect(len(seen.splitlines()) > 1 and "`schedfarm report small.h5`" in seen, f"a command is broken: {seen}")
    piped = program.run("run", "small.yaml", exit_code=2).stderr
    expect(len(piped.splitlines()) == 1 and piped.split() == seen.split(), f"{piped} against {seen}")
    # What a rank says comes through mpirun.
    program.write("long.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 100000"))
    seen = fits(program, "run", "long.yaml", "-w", "1", "--walltime", "1", "--progress", "none", exit_code=3)
    expect("shorter than a\nreplication: stopping here" in seen, seen)
    expect("Go on with `schedfarm resume long.yaml -w 1`\n" in seen, seen)


def test(program, _arguments):
    test_texts(program)
    test_messages(program)


if __name__ == "__main__":
    sys.exit(main(test))
