"""Wrong input of every kind: one clear message on standard error, the documented exit code, nothing left
half-written.

usage: errors_test.py PROGRAM
"""
import os
import re
import signal
import subprocess
import sys
import time

import h5py

from program import SMALL_CAMPAIGN, expect, main


SMALL_LOG_CAMPAIGN = """\
campaign_format: 1
name: log
seed: 1
experiment: trace
system: {clusters: [64]}
workload: {model: trace, file: LOG, resampling: users}
horizon: {jobs: 100}
replications: 2
policy: easy
"""


def expect_refused(program, arguments, exit_code, *fragments, environment=None):
    before = sorted(program.folder.iterdir())
    done = program.run(*arguments, exit_code=exit_code, environment=environment)
    for fragment in fragments:
        expect(fragment in done.stderr, f"{arguments}: no '{fragment}' in: {done.stderr}")
    prefixed = all(line.startswith("schedfarm: ") for line in done.stderr.splitlines())
    expect(prefixed, f"{arguments}: a line does not say whose it is: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: output beside an error: {done.stdout}")
    expect(sorted(program.folder.iterdir()) == before, f"{arguments}: left something behind")


def campaign_errors(program):
    program.write("typo.yaml", SMALL_CAMPAIGN.replace("policy:", "polcy:").replace("fills:", "fils:"))
    expect_refused(program, ["run", "typo.yaml"], 2, "typo.yaml:8:3:", "'policy'?", "typo.yaml:5:", "'fills'?")
    expect_refused(program, ["plan", "typo.yaml"], 2, "typo.yaml:8:3:")
    expect_refused(program, ["run", "absent.yaml"], 2, "absent.yaml")
    expect_refused(program, ["run", "."], 2, "directory")
    (program.folder / "noise.yaml").write_bytes(os.urandom(4096))
    expect_refused(program, ["run", "noise.yaml"], 2, "noise.yaml")
    expect_refused(program, ["replay", "small.yaml", "-c", "99", "-r", "0"], 2, "cells 0 to 3")
    program.write("hours.yaml", SMALL_CAMPAIGN + "time_unit: h\n")
    shown = program.run("replay", "hours.yaml", "-c", "1", "-r", "0").stdout
    expect(re.search(r"^busy_area +[0-9.]+ +processor\*h *$", shown, re.MULTILINE) and "time\n" not in shown, shown)


def command_line_errors(program):
    expect_refused(program, ["rnu", "small.yaml"], 2, "rnu", "Did you mean 'run'?")
    expect_refused(program, ["help"], 2, "no command 'help'. Did you mean '--help'?")
    expect_refused(program, [], 2, "schedfarm --help")
    expect_refused(program, ["run"], 2, "campaign", "schedfarm run --help")
    expect_refused(program, ["run", "small.yaml", "--worker", "2"], 2, "no option '--worker'", "'--workers'?")
    expect_refused(program, ["simulate", "--trase=x.swf"], 2, "no option '--trase'", "'--trace'?")
    for option in ("--walltime", "--time-limit", "--memory-limit"):
        expect_refused(program, ["run", "small.yaml", option, "0"], 2, option, "above 0")
        expect_refused(program, ["run", "small.yaml", option, "soon"], 2, option, "above 0")
    simulate = ["simulate", "--trace", "example", "-p", "64", "--policy"]
    expect_refused(program, [*simulate, "slurm", "--slurm-conf", "s.conf"], 2, "error: simulate: --slurm-conf excludes --processors")
    expect_refused(program, [*simulate, "esy"], 2, "schedfarm: error: --policy esy: unknown policy 'esy'. Did you mean")
    expect_refused(program, [*simulate, "easy", "--set", "x"], 2, "schedfarm: error: --set x: ")
    expect_refused(program, ["run", "small.yaml", "--workers", "many"], 2, "many")
    expect_refused(program, ["run", "small.yaml", "--workers", 8 * os.cpu_count() + 1], 2, "--workers")
    expect_refused(program, ["run", "small.yaml", "--workers", "-1"], 2, "--workers", "'-1'")
    expect_refused(program, ["--hlep"], 2, "no option '--hlep'. Did you mean '--help'?")
    expect_refused(program, ["trace"], 2, "log or --model is required")
    for value in ("0", "many"):
        expect_refused(program, ["simulate", "--trace", "example", "--policy", "easy", "-p", value], 2,
                       f"--processors {value}: ", "'processors'")
    program.write("no_size.swf", "1 0 0 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    expect_refused(program, ["simulate", "--trace", "no_size.swf", "--policy", "easy"], 2, "--processors: it is missing")
    program.write("hundred.swf", "; MaxProcs: 100\n1 0 0 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    expect_refused(program, ["trace", "hund"], 2, "hund: there is no such log", "Did you mean 'hundred.swf'?",
                   environment={"SCHEDFARM_TRACES": str(program.folder)})
    program.write("two.swf", "; MaxProcs: 100\n" + 2 * "1 0 0 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    for command in (["trace", "two.swf"], ["simulate", "--trace", "two.swf", "--policy", "easy", "-p", "9"]):
        expect_refused(program, [*command, "--max-jobs", "1"], 2, "two.swf: it has more than 1 jobs", "--max-jobs")
        program.run(*command, "--max-jobs", "2")
    done = program.run("run", "small.yaml", "--no-such-option", exit_code=2).stderr
    expect("--launcher" in done, f"the options that there are: {done}")
    expect_refused(program, ["list", "no such topic"], 2, "no such topic")
    expect_refused(program, ["init", "small.yaml"], 2, "already there")
    expect(program.run("--help").stdout.count("\n") > 10, "--help says too little")
    expect(program.run("--version").stdout.startswith("schedfarm "), "--version")
    with open("/dev/full", "w", encoding="ascii") as full:
        for words in (["--help"], ["run", "small.yaml", "-w", "0", "-o", "full.h5"],
                      ["run", "small.yaml", "-w", "2", "-o", "full_by_ranks.h5"], ["report", "full.h5"],
                      ["trace", "example"]):
            done = subprocess.run([program.path, *words], cwd=program.folder, stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
            expect(done.returncode == 4 and "standard output cannot be written (No space left" in done.stderr,
                   f"{words} on a full disk: exit code {done.returncode}, {done.stderr}")


def output_of_ranks(program):
    """A reader that is gone ends the program as ever, but not before the ranks have saved and tidied up; one that is
    slow is waited for, also where writing does not wait."""
    for number in range(3):
        reading, writing = os.pipe()
        os.close(reading)
        output = f"gone{number}.h5"
        done = subprocess.run([program.path, "run", "small.yaml", "-w", "1", "-o", output], cwd=program.folder,
                              stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writing)
        expect(done.returncode == -signal.SIGPIPE, f"nobody reads: exit code {done.returncode}, {done.stderr}")
        left = sorted(path.name for path in program.folder.glob(output + "*"))
        expect(left == [output, output + ".journal"], f"nobody reads: {left} left")
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    filling = os.write(writing, bytes(1 << 20))
    with subprocess.Popen([program.path, "run", "small.yaml", "-w", "1", "-o", "slow.h5"], cwd=program.folder,
                          stdout=writing, stderr=subprocess.PIPE, text=True) as running:
        os.close(writing)
        while not (program.folder / "slow.h5").exists() and running.poll() is None:
            time.sleep(0.01)
        time.sleep(1)
        with open(reading, "rb") as pipe:
            text = pipe.read()[filling:].decode()
        error = running.stderr.read()
    expect(running.returncode == 0 and "results in slow.h5\n" in text, f"a slow reader: {text}, {error}")


def full_pipe():
    """Both ends of a pipe that takes nothing more; who writes there waits."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.write(writing, bytes(1 << 20))
    os.set_blocking(writing, True)
    return reading, writing


def stopped_without_reader(program):
    """Nobody reads what is written, and nobody has gone: stop signals are heeded all the same. The first lets ranks
    save what they have, the second ends the waiting."""
    for output, unread in (("out.h5", {"stdout"}), ("err.h5", {"stderr"}), ("both.h5", {"stdout", "stderr"})):
        reading, writing = full_pipe()
        streams = {name: writing if name in unread else subprocess.PIPE for name in ("stdout", "stderr")}
        command = [program.path, "run", "small.yaml", "-w", "1", "-o", output, "--progress", "none"]
        with subprocess.Popen(command, cwd=program.folder, text=True, **streams) as running:
            os.close(writing)
            while not (program.folder / output).exists() and running.poll() is None:
                time.sleep(0.01)
            time.sleep(1)  # the ranks end, and what they have written is to be passed on
            had_ended = running.poll() is not None
            for _ in range(2):
                running.send_signal(signal.SIGINT)
                time.sleep(0.5)
            try:
                code = running.wait(timeout=20)
            except subprocess.TimeoutExpired:
                running.kill()
                code = "none"
            said = running.communicate()
        os.close(reading)
        expect(had_ended == ("stdout" not in unread), f"{unread} not read: ended or not, {said}")
        expect(code == (3 if "stdout" in unread else 0), f"{unread} not read, stopped: exit code {code}, {said}")
        if unread == {"stdout"}:
            expect("in the journal. Go on with `schedfarm resume small.yaml -o out.h5" in said[1].replace("\n", " "), said[1])
        program.run("check", output)


def launchers_are_looked_for(program):
    """Workers need none; one that is named and is not there is an error."""
    nowhere = {"PATH": "/nonexistent"}
    program.write("few.yaml", SMALL_CAMPAIGN)
    for launcher in ("mpirun", "mpiexec", "srun"):
        expect_refused(program, ["run", "few.yaml", "--launcher", launcher], 2,
                       f"--launcher {launcher}: there is no {launcher} in the path", "--launcher local", environment=nowhere)
    for workers in (["-w", "2"], ["-w", "0"], []):
        program.run("run", "few.yaml", *workers, "--fresh", environment=nowhere)


def numbers_are_read_alike(program):
    """As in campaign files, whoever reads them: signs, exponents and zeros in front; no other base."""
    model = ["simulate", "--model", "lublin_feitelson", "--policy", "easy", "--json"]
    plain = program.run(*model, "-p", "128", "--job-count", "100", "--seed", "10", "--utilization", "0.5").stdout
    for written in (["-p", "+128", "--job-count", "1e2", "--seed", "010", "--utilization", "+0.5"],
                    ["-p", "1.28e2", "--job-count=+100", "--seed=1e1", "--utilization", "5e-1"],
                    ["-p", "0128", "--job-count", "100.0", "--seed", "+10", "--utilization", "00.5"]):
        expect(program.run(*model, *written).stdout == plain, f"{written}: read as other numbers")
    for option, value in (("-p", "0x80"), ("--seed", "0xA"), ("--utilization", "0x1p-1"), ("--utilization", "+-1"),
                          ("--job-count", "1.5"), ("--seed", "1e30")):
        expect_refused(program, [*model, *([] if option == "-p" else ["-p", "128"]), option, value], 2, f"'{value}'")
    program.write("jobs.csv", "job,submit,start,finish,processors\n1,0,10,20,1\n")
    chart = program.run("gantt", "jobs.csv", "--from", "15", "--to", "1.5e1m").stdout
    expect(program.run("gantt", "jobs.csv", "--from", "+15s", "--to", "+0.25h").stdout == chart, "times")
    program.run("submit", "small.yaml", "--dry-run", "--time", "5", "--pilot-seconds", "0.0")
    expect_refused(program, ["run", "small.yaml", "--cells", "1/x"], 2, "--cells 1/x: no share")
    for share in ("+1/2", "1/2"):
        program.run("run", "small.yaml", "--workers", "0", "--cells", share, "-o", f"share{len(share)}.h5")
    expect(program.payload_hash("share3.h5") == program.payload_hash("share4.h5"), "--cells +1/2")


def dashes_end_options(program):
    """Behind `--` every word is an argument, of every command, alone, among several and under ranks."""
    log = "; MaxProcs: 8\n1 0 0 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n"
    for name in ("-x.swf", "--json", "trace"):
        program.write(name, log)
        for behind in ([f"./{name}"], ["--", name]):
            expect("sha256 " in program.run("trace", *behind).stdout, f"trace {behind}")
    program.write("-x.yaml", SMALL_CAMPAIGN)
    same = program.run("plan", "small.yaml", "--format", "json").stdout
    expect(program.run("plan", "--format", "json", "--", "-x.yaml").stdout == same, "plan -- -x.yaml")
    program.run("run", "small.yaml", "--workers", "0", "-o", "whole.h5")
    program.run("run", "--workers", "1", "-o", "-x.h5", "--progress", "none", "--", "-x.yaml")
    expect(program.payload_hash("-x.h5") == program.payload_hash("whole.h5"), "run -- -x.yaml")
    for share in ("1/2", "2/2"):
        program.run("run", "small.yaml", "--workers", "0", "--cells", share, "-o", f"-part{share[0]}.h5")
    program.run("merge", "joined.h5", "--", "-part1.h5", "-part2.h5")
    expect(program.payload_hash("joined.h5") == program.payload_hash("whole.h5"), "merge … -- -part1.h5 -part2.h5")
    expect("first served" in program.run("list", "--", "fcfs").stdout, "list -- fcfs")


def broken_links(program):
    (program.folder / "broken.swf").symlink_to("gone.swf")
    broken = "broken.swf: it is a broken link to 'gone.swf'"
    expect_refused(program, ["trace", "broken.swf"], 2, f"{broken}. Put the log back.")
    expect_refused(program, ["trace", "broken"], 2, "broken: there is no such log", "Check the path.",
                   environment={"SCHEDFARM_TRACES": str(program.folder)})
    expect_refused(program, ["plan", "broken.swf"], 2, broken)
    listed = ["simulate", "--model", "listed", "-p", "8", "--policy", "demt", "--set"]
    expect_refused(program, [*listed, "workload.file=broken.swf"], 2, broken)
    expect_refused(program, ["report", "broken.swf"], 2, "cannot be read (it is a broken link to 'gone.swf')")


def nothing_else_is_overwritten(program):
    """Results replace results, and no command replaces what it reads."""
    log = "; MaxProcs: 8\n1 0 0 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1\n"
    program.write("own.swf", log)
    program.write("own.csv", "job,submit,start,finish,processors\n1,0,10,20,1\n")
    program.write("own.yaml", SMALL_CAMPAIGN)
    program.run("run", "own.yaml", "--workers", "0", "-o", "own.h5")
    lost = "results cannot be written there (it is a file of something else, which would be lost)"
    for arguments in (["run", "own.yaml", "--workers", "0", "--fresh", "-o", "own.yaml"], ["run", "own.yaml", "-o", "own.swf"],
                      ["merge", "own.swf", "own.h5"], ["rebuild", "own.h5", "-o", "own.swf"]):
        expect_refused(program, arguments, 2, lost)
    for arguments in (["run", "own.yaml", "-o", "own.journal"], ["merge", "own.journal", "own.h5"]):
        expect_refused(program, arguments, 2, "results cannot be written there (journals are called so)")
    for arguments in (["trace", "own.swf", "--write", "./own.swf"], ["gantt", "own.csv", "-o", "own.csv"],
                      ["simulate", "--trace", "own.swf", "-p", "8", "--policy", "easy", "--jobs", "own.swf"]):
        expect_refused(program, arguments, 2, f"{arguments[-1]}: what is read there would be overwritten. Name another file")
    expect((program.folder / "own.swf").read_text() == log, "own.swf")
    with h5py.File(program.folder / "mine.h5", "w") as file:
        file.attrs["schema_version"] = "1.5"  # other programs have versions too
    mine = (program.folder / "mine.h5").read_bytes()
    (program.folder / "cut.h5").write_bytes(mine[:100])
    for arguments in (["run", "own.yaml", "--workers", "0", "-o"], ["run", "own.yaml", "--workers", "0", "--fresh", "-o"],
                      ["rebuild", "own.h5", "-o"]):
        expect_refused(program, [*arguments, "mine.h5"], 2, lost)
    expect_refused(program, ["merge", "mine.h5", "own.h5"], 2, lost)
    expect(lost in program.run("run", "own.yaml", "--fresh", "-o", "mine.h5", ranks=2, exit_code=2).stderr, "mine.h5 by mpirun")
    expect((program.folder / "mine.h5").read_bytes() == mine, "mine.h5")
    expect_refused(program, ["run", "own.yaml", "--workers", "0", "-o", "cut.h5"], 2, "it is an HDF5 file that cannot be opened")
    expect((program.folder / "cut.h5").read_bytes() == mine[:100], "cut.h5")
    program.run("run", "own.yaml", "--workers", "0", "--fresh", "-o", "cut.h5")
    (program.folder / "cut.h5").write_bytes((program.folder / "cut.h5").read_bytes()[:100])
    program.run("rebuild", "cut.h5")  # its journal says that they were results
    expect(program.payload_hash("cut.h5") == program.payload_hash("own.h5"), "cut.h5 after rebuild")
    (program.folder / "made.h5").touch()  # as by mktemp
    program.run("run", "own.yaml", "--workers", "0", "-o", "made.h5")
    program.run("run", "own.yaml", "--workers", "0", "--fresh", "-o", "made.h5")


def odd_files(program):
    """Links in circles, names too long, pipes, folders, files of another kind."""
    (program.folder / "circle").symlink_to("circle")
    os.mkfifo(program.folder / "pipe")
    for name, reason in (("circle", "Too many levels of symbolic links"), ("x" * 300, "File name too long")):
        for command in ("report", "check", "diff"):
            expect_refused(program, [command, name, *([name] if command == "diff" else [])], 2, "cannot be read (")
        expect_refused(program, ["plan", name], 2, f"the file cannot be found ({reason})")
        expect_refused(program, ["run", "small.yaml", "--workers", "0", "-o", name], 2, f"results cannot be written there ({reason})")
        expect_refused(program, ["gantt", name], 2, name)
        expect_refused(program, ["init", name], 4, "cannot be written")
    for words in (["trace"], ["simulate", "-p", "8", "--policy", "easy", "--trace"]):
        expect_refused(program, [*words, "pipe"], 2, "pipe: the log cannot be read (it is no regular file", "/dev/stdin")
    expect_refused(program, ["trace", "/dev/zero"], 2, "/dev/zero: the log cannot be read (it is no regular file")
    expect_refused(program, ["whatif", "pipe", "--vary", "policy=easy"], 2, "pipe: this is no regular file (the log is read several times)")
    expect_refused(program, ["gantt", "pipe"], 2, "pipe: what it is cannot be told (it is no regular file)")
    program.write("piped.yaml", SMALL_LOG_CAMPAIGN.replace("LOG", "pipe"))
    for words in (["plan", "piped.yaml"], ["run", "piped.yaml"], ["run", "piped.yaml", "-w", "0"],
                  ["simulate", "--model", "trace", "--set", "workload.file=pipe", "-p", "8", "--policy", "easy"]):
        expect_refused(program, words, 2, "pipe: no regular file (the log is read again", "simulate --trace.")
    expect_refused(program, ["run", "pipe"], 2, "this is not a regular file")
    expect_refused(program, ["trace", "."], 2, "the log cannot be read (it is a directory). Name a file in it.")
    program.write("nothing.swf", "")
    for command in (["trace"], ["gantt"], ["simulate", "-p", "8", "--policy", "easy", "--trace"]):
        expect_refused(program, [*command, "nothing.swf"], 2, "nothing.swf: there is no job in it. Check that this is the log.")

def words_for_problems(program):
    """What is wrong, of which word and command."""
    simulate = ["simulate", "--trace", "example", "-p", "64", "--policy", "easy"]
    for arguments, *problem in (
            (["gantt", "x.csv", "--from", "1x"], "--from: ", "'1x'", "1.5h"),
            (["gantt", "x.csv", "--to", "h"], "--to: ", "'h'"),
            (["gantt", "x.csv", "--run", "0"], "--run: ", "'0'", "from 1"),
            (["gantt", "x.csv", "-f", "jpg"], "--format: ", "jpg", "nodes"),
            (["gantt", "x.csv", "-r", "1"], "--replication", "--cell"),
            (["gantt", "a.csv", "b.csv"], "b.csv"),
            (["list", "a", "b", "c"], "not expected"),
            (["report", "x.h5", "-f"], "--format"),
            (["report", "x.h5", "-f", "csv", "-f", "text"], "--format"),
            (["report", "x.h5", "-z"], "no option '-z'"),
            (["report", "x.h5", "--", "-z"], "-z"),
            (["replay", "small.yaml"], "--cell is required"),
            (["replay", "small.yaml", "--cel", "0", "-r", "0"], "Did you mean '--cell'?"),
            (["replay", "small.yaml", "-c", "4294967296", "-r", "0"], "--cell", "4294967296"),
            (["replay", "small.yaml", "-c", "0", "-r", "0", "--verify=no"], "verify"),
            (["run", "small.yaml", "--wait-ranks", "0"], "--wait-ranks: ", "above 0"),
            (["run", "small.yaml", "--crashes", "1001"], "--crashes: ", "to 1000"),
            (["certify"], "results is required"),
            (["certify", "x.h5", "--format", "latex"], "--format", "latex"),
            (["plot", "x.h5", "-o", "x.pdf", "-c", "one"], "--cell: ", "'one'"),
            ([*simulate, "--model", "m"], "--trace", "--model"),
            (["trace", "x.swf", "--model", "m", "-p", "8"], "log", "--model"),
            (["simulate", "--trace", "--policy", "easy"], "--trace: ", "'--policy' is the next option"),
            (["run", "small.yaml", "-o", "--fresh"], "--output: ", "'--fresh' is the next option"),
            ([*simulate, "--seed", "-1"], "--seed: ", "'-1'"),
            ([*simulate, "--seed", str(2 ** 64)], "--seed: ", str(2 ** 64)),
            ([*simulate, "--first", "0x10"], "--first: ", "'0x10'"),
            ([*simulate, "--first", "1e400"], "--first: ", "'1e400'"),
            ([*simulate, "--utilization", "0"], "--utilization: ", "above 0"),
            (["submit", "small.yaml", "--pilot-seconds", "3601"], "--pilot-seconds: ", "from 0 to 3600"),
            (["submit", "small.yaml", "--notice", "4"], "--notice: ", "from 5 to 3600"),
            (["simulate", "--trace", "example", "--policy", "easy", "-p", "1,5"], "--processors: ", "--clusters 1,5"),
            (["report", ""], "results: it is empty"),
            (["run", "x.yaml", "-o", ""], "--output: it is empty"),
            ([*simulate, "--jobs", ""], "--jobs: it is empty"),
            (["trace", "--", "-q", "-z"], "-z")):
        expect_refused(program, arguments, 2, f"schedfarm: error: {arguments[0]}: ", *problem,
                       f"Try `schedfarm {arguments[0]} --help`.")
    expect_refused(program, [], 2, "no command is given. Known: ", "replay", "Try `schedfarm --help`.")
    for flag in ("--version", "--help"):
        expect_refused(program, [f"{flag}=3"], 2, flag[2:], "Try `schedfarm --help`.")
    expect_refused(program, ["-z"], 2, "no option '-z'")


def every_option_without_a_value(program):
    """One line and exit code 2 for every option of every command; of a flag with a value."""
    options = 0
    for command in re.findall(r"^  ([a-z]+) ", program.run("--help").stdout.split("Subcommands:")[1], re.MULTILINE):
        text = program.run(command, "--help").stdout
        for name, value in re.findall(r"^ +(?:-\w,)?(--[a-z-]+)( [A-Z][A-Z]+)?", text, re.MULTILINE):
            options += 1
            said = program.run(command, name if value else f"{name}=1", exit_code=2).stderr
            expect(len(said.splitlines()) == 1 and name[2:] in said, f"{command} {name}: {said}")
    expect(options > 90, f"only {options} options were tried")


def file_errors(program):
    expect_refused(program, ["report", "absent.h5"], 2, "absent.h5")
    expect_refused(program, ["report", "small.yaml"], 2, "small.yaml", "HDF5")
    expect_refused(program, ["rebuild", "small.yaml"], 2, "small.yaml", "journal")
    expect_refused(program, ["run", "small.yaml", "--workers", "0", "-o", "no/such/folder/x.h5"], 2, "no/such/folder")
    (program.folder / "folder.h5").mkdir()
    expect_refused(program, ["report", "folder.h5"], 2, "folder.h5")
    expect_refused(program, ["run", "small.yaml", "-o", "folder.h5"], 2, "folder.h5", "it is a folder")
    program.run("run", "small.yaml", "--workers", "0", "-o", "good.h5")
    expect_refused(program, ["report", "good.h5", "--table", "estimats"], 2,
                   "good.h5: the file has no table 'estimats'. Did you mean 'estimates'?")
    expect_refused(program, ["report", "good.h5", "--table", "cells", "-f", "warnings"], 2, "--table cells: warnings is of the whole report")
    table = program.run("report", "good.h5", "--table", "replications", "-f", "csv").stdout
    expect(table.startswith("cell,policy,structure,replication,") and table.count("\n") == 1 + 4 * 12, table)
    whole = (program.folder / "good.h5").read_bytes()
    (program.folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    expect_refused(program, ["report", "cut.h5"], 2, "cut.h5")


def test(program, _arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    campaign_errors(program)
    command_line_errors(program)
    words_for_problems(program)
    output_of_ranks(program)
    stopped_without_reader(program)
    launchers_are_looked_for(program)
    numbers_are_read_alike(program)
    dashes_end_options(program)
    broken_links(program)
    nothing_else_is_overwritten(program)
    odd_files(program)
    every_option_without_a_value(program)
    file_errors(program)


if __name__ == "__main__":
    sys.exit(main(test))
