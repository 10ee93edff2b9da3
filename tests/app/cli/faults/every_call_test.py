"""The k-th open, write, fsync, rename, mmap, fork or message of a command fails, for every k, in the process that the user started and in
those below it, once or from there on. A command that says it succeeded has made what it makes when nothing fails. One that failed says why in
few lines, and the same words again end as if nothing had been. No other file is touched, and nothing runs on.

usage: every_call_test.py PROGRAM FAILING_CALLS.so [STEP]    STEP: every how many-th call fails (short form: 7, long form: 1)
"""
import collections
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import time

import h5py

from program import SMALL_CAMPAIGN, Failure, expect, main, short_or_long

CALLS = ("open", "write", "fsync", "rename", "mmap", "fork", "socket")
WHO = ("first", "others")
HOW = ("once", "on")
OF_PYTHON = tuple(call for call in CALLS if call != "mmap")  # its interpreter's own are not ours to mend
CAMPAIGN = SMALL_CAMPAIGN.replace("jobs: 2000", "jobs: 60").replace("fills: 200", "fills: 20").replace("replications: 12", "replications: 5")
CLAIM = """\
claims:
  quantities: {rate: gross_utilization}
  list:
    - {id: jumps, paper: "Ours.", value: rate, in: {policy: all, structure: all}, below: 9}
"""
BAD_WORDS = re.compile(r"Traceback|terminate called|Segmentation|Assertion|std::|core dumped|HDF5-DIAG|\bat 0x")
SECONDS = 60


def run(program, folder, words, environment):
    process = subprocess.Popen([program.path, *words], cwd=folder, env={**os.environ, "SCHEDFARM_PYTHON": sys.executable, **environment}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        output, errors = process.communicate()
        raise Failure(f"{words} hangs: {output}{errors}") from None
    return process.returncode, output, errors


def of_environment(mark):
    """The processes that carry a variable of this value."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass  # ended, or another user's
    return found


class Command:
    """One command with the files that it begins with; `made`: what it makes, as a value that is equal after every fault; `stride`: of so
    many times STEP calls one fails, where a command starts many others."""

    def __init__(self, name, words, begin, made, again=None, calls=CALLS, stride=1):
        self.name, self.words, self.begin, self.made, self.again, self.calls, self.stride = name, words, begin, made, again or words, calls, stride


def payload(name):
    def made(folder):
        with h5py.File(folder / name, "r") as file:
            return str(file.attrs["payload_hash"]), "failures" in file and len(file["failures"])
    return made


def svg(name):
    """A picture without what is drawn by chance: the names of its paths."""
    return lambda folder: re.sub(r"<dc:date>.*?</dc:date>|\b[mpg][0-9a-f]{10}\b", "", (folder / name).read_text())


def text(*names):
    return lambda folder: [(folder / name).read_bytes() for name in names]


def answers(folder):
    """Both results of a what-if, and its page."""
    return payload("new.h5")(folder), payload("new-log.h5")(folder), text("new.html")(folder)


def commands(program, step_root):
    """All that write; what they begin with is made once."""
    root = step_root / "begin"
    root.mkdir()
    (root / "small.yaml").write_text(CAMPAIGN)
    (root / "claimed.yaml").write_text(CAMPAIGN + CLAIM)
    (root / "log.swf").write_text("".join(f"{job} {job * 7} -1 {30 + job % 11} {1 + job % 4} -1 -1 {1 + job % 4} {60 + job % 5} -1 1 1 1 1 1 -1 -1 -1\n"
                                          for job in range(1, 200)))
    (root / "weeks.swf").write_text("; UnixStartTime: 1600000000\n" + "".join(
        f"{job} {job * 10000} -1 {9000 + 700 * (job % 11)} {1 + job % 4} -1 -1 {1 + job % 4} {20000 + job % 5} -1 1 1 1 1 1 -1 -1 -1\n" for job in range(1, 200)))
    for words in (["run", "small.yaml", "-w", "0", "--progress", "none"],
                  ["simulate", "--trace", "log.swf", "--processors", "8", "--policy", "easy", "--jobs", "jobs.csv"],
                  ["run", "small.yaml", "-o", "a.h5", "--cells", "1/2", "-w", "0", "--progress", "none"],
                  ["run", "small.yaml", "-o", "b.h5", "--cells", "2/2", "-w", "0", "--progress", "none"]):
        code, output, errors = run(program, root, words, {})
        expect(code == 0, f"{words}: {output}{errors}")
    whole = (root / "small.h5.journal").read_bytes()
    begins = {
        "campaign": ["small.yaml"], "half": ["small.yaml"], "shares": ["a.h5", "a.h5.journal", "b.h5", "b.h5.journal"],
        "jobs": ["jobs.csv"], "claim": ["claimed.yaml"], "journal": ["small.h5.journal"], "results": ["small.h5", "small.h5.journal"], "log": ["log.swf"], "weeks": ["weeks.swf"],
        "nothing": []}

    def begin(kind):
        def copy(folder):
            for name in begins[kind]:
                shutil.copy(root / name, folder / name)
            if kind == "half":
                (folder / "small.h5.journal").write_bytes(whole[:len(whole) // 2])
            (folder / "other.txt").write_text("of somebody else")
        return copy

    quiet = ["--progress", "none"]
    return [
        Command("run -w 0", ["run", "small.yaml", "-w", "0", *quiet], begin("campaign"), payload("small.h5"), ["resume", "small.yaml", "-w", "0", *quiet]),
        Command("run -w 2", ["run", "small.yaml", "-w", "2", *quiet], begin("campaign"), payload("small.h5"), ["resume", "small.yaml", "-w", "2", *quiet]),
        Command("resume", ["resume", "small.yaml", "-w", "2", *quiet], begin("half"), payload("small.h5")),
        Command("merge", ["merge", "all.h5", "a.h5", "b.h5"], begin("shares"), payload("all.h5")),
        Command("rebuild", ["rebuild", "small.h5.journal", "-o", "again.h5"], begin("journal"), payload("again.h5")),
        Command("trace --write", ["trace", "log.swf", "--write", "new.swf"], begin("log"), text("new.swf")),
        Command("simulate --jobs", ["simulate", "--trace", "log.swf", "--processors", "8", "--policy", "easy", "--jobs", "jobs.csv"], begin("log"),
                text("jobs.csv")),
        Command("report -o", ["report", "small.h5", "-f", "html", "-o", "page.html"], begin("results"), text("page.html"), calls=OF_PYTHON),
        Command("plot", ["plot", "small.h5", "-o", "figure.svg"], begin("results"), svg("figure.svg"), calls=OF_PYTHON),
        Command("gantt", ["gantt", "jobs.csv", "-o", "chart.csv"], begin("jobs"), text("chart.csv"), calls=OF_PYTHON),
        Command("plan with a claim", ["plan", "claimed.yaml"], begin("claim"), lambda folder: None, calls=OF_PYTHON),
        Command("whatif", ["whatif", "weeks.swf", "--processors", "4", "--vary", "policy=fcfs", "--replications", "3", "-w", "0", "-o", "new.yaml"],
                begin("weeks"), answers, calls=OF_PYTHON, stride=150),
        Command("init", ["init", "new.yaml"], begin("nothing"), text("new.yaml")),
    ]


def expect_message(command, code, output, errors):
    said = [line for line in errors.splitlines() if line.strip()]
    expect(code in (1, 2, 3, 4), f"exit code {code}: {output}{errors}")
    expect(said, f"exit code {code} without a word: {output}")
    expect(not BAD_WORDS.search(errors), f"words of no user: {errors}")
    expect(len(said) <= 8, f"{len(said)} lines for one fault: {errors}")


def failed_call(program, command, call, number, who, how, root, expected):
    """Runs the command with this fault. Returns whether the call was reached, and how it ended."""
    folder, count = root / "work", root / "count"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command.begin(folder)
    count.write_bytes(bytes(64))
    environment = {"LD_PRELOAD": str(LIBRARY), "SCHEDFARM_FAIL": f"{call}:{number}:{who}:{how}", "SCHEDFARM_FAIL_FOLDER": str(folder),
                   "SCHEDFARM_FAIL_COUNT": str(count)}
    code, output, errors = run(program, folder, command.words, environment)
    _first, _calls, failed = struct.unpack("<i4xQQ", count.read_bytes()[:24])
    deadline = time.monotonic() + 5
    while of_environment(str(count).encode()):
        expect(time.monotonic() < deadline, f"processes run on 5 s after the end: {errors}")
        time.sleep(0.02)
    expect((folder / "other.txt").read_text() == "of somebody else", "another file was touched")
    if not failed:
        expect(code == 0, f"exit code {code} though nothing failed: {output}{errors}")
        return False, "not reached"
    if code == 0:
        expect(command.made(folder) == expected, f"it ended well, but what it made differs: {output}{errors}")
        return True, "done"
    expect_message(command, code, output, errors)
    words = command.again if (folder / "small.h5.journal").exists() else command.words
    again, output, more = run(program, folder, words, {})
    if again == 2 and ("exist" in more or "is already there" in more):  # a file stands that is whole: it is what the command makes
        expect(command.made(folder) == expected, f"what stands after the fault is not whole: {more}")
        return True, "stands"
    if again == 1 and "put aside" in more + output + errors:
        words = [*words, "--retry-failed"]
        again, output, more = run(program, folder, words, {})
    expect(again == 0, f"after exit code {code} ({errors}) {words} ends with {again}: {output}{more}")
    expect(command.made(folder) == expected, f"after exit code {code} ({errors}) the result differs: {output}{more}")
    left = sorted(path.name for path in folder.iterdir() if ".part" in path.name or path.name.endswith("~") or "tmp" in path.name)
    expect(not left, f"files left: {left}")
    return True, "said, then done"


def test(program, arguments):
    global LIBRARY
    LIBRARY = pathlib.Path(arguments[0]).resolve()
    step = int(arguments[1]) if len(arguments) > 1 else short_or_long(7, 1)
    only = arguments[2:]
    faults, found = collections.Counter(), []
    for command in commands(program, program.folder):
        if only and command.name not in only:
            continue
        clean = program.folder / "clean"
        shutil.rmtree(clean, ignore_errors=True)
        clean.mkdir()
        command.begin(clean)
        code, output, errors = run(program, clean, command.words, {})
        expect(code == 0, f"{command.name}: {output}{errors}")
        expected = command.made(clean)
        for call in command.calls:
            for who in WHO:
                for how in HOW:
                    number = 1
                    while True:
                        try:
                            reached, ending = failed_call(program, command, call, number, who, how, program.folder, expected)
                        except Failure as failure:
                            reached, ending = True, "wrong"
                            found.append(f"{command.name}: {call} {number} of {who}, {how}: {failure}")
                            print(found[-1][:1000], flush=True)
                        if not reached:
                            break
                        faults[(command.name, ending)] += 1
                        number += step * command.stride
        print(command.name, {ending: count for (name, ending), count in faults.items() if name == command.name}, flush=True)
    print(f"{sum(faults.values())} faults, {len(found)} wrong")
    expect(not found, "\n".join(found))
    expect(faults, "no call was failed: is the library loaded?")


if __name__ == "__main__":
    sys.exit(main(test))
