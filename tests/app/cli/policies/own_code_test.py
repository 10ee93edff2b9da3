"""usage: own_code_test.py PROGRAM EXAMPLES

Whose code runs, over all commands: that of a campaign of others, or that others can replace, never unasked; and what is left where the
disk is full or somebody stops the run or the compiler."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

import own_policy_test
from own_policy_test import external, left_behind, replications
from plugin_test import MINE, plugin
from program import expect, main

STRANGER = 4711
# Exit codes of what starts nothing are not of interest here: 2 where a campaign cannot be planned, 1 where a result has failures.
STARTS_NOTHING = (("plan", "{yaml}"), ("status", "{yaml}"), ("status", "{h5}"), ("report", "{h5}", "--plain"), ("check", "{h5}"),
                  ("diff", "{h5}", "{h5}"), ("schema",), ("list", "external"), ("gantt", "{h5}"), ("rebuild", "{h5}.journal", "-o", "again.h5"),
                  ("merge", "{h5}", "{h5}", "-o", "joined.h5"), ("plot", "{h5}", "-o", "figure.svg"), ("submit", "{yaml}", "--dry-run"))
STARTS = (("run", "{yaml}", "-w", "0", "--fresh"), ("run", "{yaml}", "-w", "2", "--fresh"), ("resume", "{yaml}"), ("resume", "{h5}"),
          ("resume", "{h5}.journal"), ("run", "{yaml}", "--extend", "-w", "0"), ("replay", "{yaml}", "-c", "0", "-r", "0"))


def of_stranger(path):
    os.chown(path, STRANGER, STRANGER)


def write_library(program, started):
    """First come first served; that it was loaded is seen by a file."""
    program.write("mine.cpp", MINE.replace('"loaded"', f'"{started}"').replace(
        "if (actions.now() >= throws_at)", "for (const engine::JobId job : events.arrivals) { queue.push_back(job); }\n"
        "        while (!queue.empty() && actions.job(queue.front()).size <= actions.machine().free_processors()) {\n"
        "            actions.start(queue.front(), std::vector{engine::ClusterShare{engine::ClusterId{0}, actions.job(queue.front()).size}});\n"
        "            queue.pop_front();\n        }\n        if (actions.now() >= throws_at)")
        .replace("const engine::EventBatch&,", "const engine::EventBatch& events,").replace("double throws_at;", "double throws_at;\n    std::deque<engine::JobId> queue;")
        .replace("#include <fstream>", "#include <deque>\n#include <fstream>\n#include <vector>"))


def check_planted_code(program, examples):
    expect(os.geteuid() == 0, "files of another user can be planted by root alone")
    started = program.folder / "started"
    kinds = {"script": ("mine.py", external("mine.py")), "library": ("mine.so", plugin("mine.so", throws_at=1e9))}
    write_library(program, started)
    program.run("build-policy", "mine.cpp")
    program.write("mine.py", (examples / "fcfs.py").read_text().replace("if __name__", f"open({str(started)!r}, 'w')\nif __name__"))
    plants = {"file of a stranger": lambda folder, code: of_stranger(folder / code),
              "file that others can write": lambda folder, code: (folder / code).chmod(0o666),
              "folder of a stranger": lambda folder, _code: of_stranger(folder),
              "folder that others can write": lambda folder, _code: folder.chmod(0o777),
              "folder where others can add": lambda folder, _code: folder.chmod(0o1777),
              "folder above": lambda folder, _code: folder.parent.chmod(0o777),
              "campaign of a stranger": lambda folder, _code: of_stranger(folder / "mine.yaml"),
              "result file and journal of a stranger": lambda folder, _code: [of_stranger(path) for path in folder.glob("*.h5*")],
              "journal of a stranger": lambda folder, _code: of_stranger(folder / "mine.h5.journal")}
    for kind, (code, policy) in kinds.items():
        for number, (name, plant) in enumerate(plants.items()):
            folder = program.folder / f"{kind}{number}" / "below"
            folder.mkdir(parents=True)
            shutil.copy(program.folder / code, folder)
            (folder / "mine.yaml").write_text(own_policy_test.campaign([policy], ["mine"]).replace("name: own", "name: mine"))
            words = {"yaml": folder / "mine.yaml", "h5": folder / "mine.h5"}
            program.run("run", words["yaml"], "-o", words["h5"], "-w", "0")
            expect(started.exists(), f"{kind}: own code does not run")
            bits = replications(words["h5"])
            started.unlink()
            plant(folder, code)

            def run(command, *more):
                output = ("-o", words["h5"]) if command[0] in ("run", "resume") and "{yaml}" in command else ()
                return program.run(*(word.format(**words) for word in command), *output, *more, exit_code=None)

            for command in STARTS:
                if ("campaign" in name and "{yaml}" not in command) or ("journal" in name and "{yaml}" in command):
                    continue  # it does not name what is a stranger's
                done = run(command)
                expect(done.returncode == 2 and "may be code of others: " in done.stderr and "--allow-code" in done.stderr,
                       f"{kind}, {name}, {command}: {done.returncode} {done.stderr}")
                expect(not started.exists(), f"{kind}, {name}, {command}: planted code ran")
            for command in STARTS_NOTHING if number == 0 else ():
                done = run(command)
                expect(not started.exists(), f"{kind}, {name}, {command}: code ran")
                expect(done.returncode in (0, 1, 2) and "Traceback" not in done.stderr, f"{command}: {done.returncode} {done.stderr}")
            for left in ("again.h5", "joined.h5", "joined.h5.journal", "figure.svg"):
                (program.folder / left).unlink(missing_ok=True)
            done = run(STARTS[0], "--allow-code")
            expect(done.returncode == 0 and started.exists() and replications(words["h5"]) == bits, f"{kind}, {name}: {done.stderr}")
            started.unlink()
    print(f"ok: planted code of {len(plants)} kinds, script and library, is started by none of {len(STARTS) + len(STARTS_NOTHING)} commands unasked")


def expect_none_left(program, what):
    """What a policy's parent leaves behind ends with it, but not at the same instant."""
    deadline = time.monotonic() + 10
    while left_behind(program) and time.monotonic() < deadline:
        time.sleep(0.05)
    expect(not left_behind(program), f"{what}: {left_behind(program)}")


def stop(program, words, number, wait_for, afterwards=lambda: None):
    """A command that gets a signal as soon as `wait_for` is true: its exit code (negative: the signal) and what it said.
    `afterwards` ends what it cannot end itself."""
    process = subprocess.Popen([program.path, *words], cwd=program.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None)
    deadline = time.monotonic() + 60
    while not wait_for() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    afterwards()
    said = process.communicate(timeout=60)
    return process.returncode, "".join(said)


def check_stopped_compiler(program):
    temporary = program.folder / "temporary"
    temporary.mkdir()
    (program.folder / "mine.so").unlink(missing_ok=True)
    program.write("slow.sh", "#!/bin/sh\necho $$ > begun\nmv begun begun.txt\nsleep 60 &\nwait\n")
    (program.folder / "slow.sh").chmod(0o755)
    os.environ.update(TMPDIR=str(temporary), CXX="./slow.sh")
    try:
        begun = program.folder / "begun.txt"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            begun.unlink(missing_ok=True)
            orphaned = (lambda: os.killpg(int(begun.read_text()), signal.SIGKILL)) if number == signal.SIGKILL else lambda: None
            code, said = stop(program, ["build-policy", "mine.cpp"], number, begun.exists, orphaned)
            expect(code == -number and said == "", f"{number}: {code} {said}")
            expect(not list(temporary.iterdir()) and not list(program.folder.glob("mine.so*")), f"{number}: something is left")
            expect_none_left(program, str(number))
    finally:
        del os.environ["TMPDIR"], os.environ["CXX"]
    print("ok: a compiler that is stopped leaves no file and no process, nor one that is killed a file")


def check_stopped_runs(program, examples):
    shutil.copy(examples / "easy.py", program.folder)
    program.run("build-policy", "mine.cpp")
    text = own_policy_test.campaign([external("easy.py"), plugin("mine.so", throws_at=1e9)], ["script", "library"])
    program.write("long.yaml", text.replace("replications: 2", "replications: 30").replace("jobs: 200", "jobs: 500"))
    program.run("run", "long.yaml", "-w", "2", "-o", "whole.h5", timeout=600)
    journal = program.folder / "long.h5.journal"
    for workers, number in (("0", signal.SIGINT), ("2", signal.SIGTERM), ("2", signal.SIGKILL)):
        code, said = stop(program, ["run", "long.yaml", "--fresh", "-w", workers], number, lambda: journal.exists() and journal.stat().st_size > 6000)
        expect(code == (-number if number == signal.SIGKILL else 3), f"{workers}, {number}: {code} {said}")
        expect_none_left(program, f"{workers}, {number}")
        program.run("resume", "long.yaml", "-w", "2", timeout=600)
        expect(program.payload_hash("long.h5") == program.payload_hash("whole.h5"), f"{workers}, {number}: other results")
        journal.unlink()
    print("ok: runs that are stopped leave no process and go on to the same payload")


def check_full_disk(program):
    """Files may have 4 KiB: the program, and what it starts, find the disk full."""
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    def full(*words):
        before = sorted(path.name for path in program.folder.iterdir())
        done = subprocess.run([program.path, *words], cwd=program.folder, capture_output=True, text=True, check=False, preexec_fn=limit)
        left = sorted(path.name for path in program.folder.iterdir())
        return done, [name for name in left if name not in before]

    done, left = full("build-policy", "mine.cpp", "-o", "full.so")
    expect(done.returncode == 2 and "is not built (g++ said why above)" in done.stderr and not left, f"{done} {left}")
    done, left = full("run", "long.yaml", "-o", "full.h5", "-w", "2")
    expect(done.returncode == 4 and "File too large" in done.stderr and "full.h5" not in left, f"{done} {left}")
    expect_none_left(program, "full disk")
    source = pathlib.Path(__file__).resolve().parents[4] / "python/src"
    program.write("own.py", """\
import os, resource, sys
sys.path.insert(0, sys.argv[1])
import schedfarm as sf
class Mine(sf.Policy):
    def __init__(self): self.weights = list(range(5000))
    def schedule(self, now, queue, machine): pass
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    sf.campaign({"policy": "mine"}, policies={"mine": Mine()}, folder=sys.argv[2])
except sf.RequestError as error:
    print(error, sorted(os.listdir(sys.argv[2])))
""")
    (program.folder / "copies").mkdir()
    done = subprocess.run(["/usr/bin/python3", "own.py", source, "copies"], cwd=program.folder, capture_output=True, text=True, check=False)
    expect("copies/mine.policy.state: cannot be written (File too large). Name another folder, or make room ['mine.policy.py']" in done.stdout,
           f"{done}")
    print("ok: where the disk is full one message says so, and nothing half-written is left")


def test(program, arguments):
    examples = pathlib.Path(arguments[0])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    check_planted_code(program, examples)
    check_stopped_compiler(program)
    check_stopped_runs(program, examples)
    check_full_disk(program)


if __name__ == "__main__":
    sys.exit(main(test))
