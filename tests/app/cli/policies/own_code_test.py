"""usage: own_code_test.py PROGRAM EXAMPLES

Whose code runs, over all commands: that of a campaign of others, or that others can replace, never unasked; and what is left where the disk is full
or somebody stops the run or the compiler."""
import os
import pathlib
import shutil
import sys

import own_policy_test
from own_policy_test import external, replications
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


def check_planted_code(program, examples):
    expect(os.geteuid() == 0, "files of another user can be planted by root alone")
    started = program.folder / "started"
    kinds = {"script": ("mine.py", external("mine.py")), "library": ("mine.so", plugin("mine.so", throws_at=1e9))}
    program.write("mine.cpp", MINE.replace('"loaded"', f'"{started}"').replace(
        "if (actions.now() >= throws_at)", "for (const engine::JobId job : events.arrivals) { queue.push_back(job); }\n"
        "        while (!queue.empty() && actions.job(queue.front()).size <= actions.machine().free_processors()) {\n"
        "            actions.start(queue.front(), std::vector{engine::ClusterShare{engine::ClusterId{0}, actions.job(queue.front()).size}});\n"
        "            queue.pop_front();\n        }\n        if (actions.now() >= throws_at)")
        .replace("const engine::EventBatch&,", "const engine::EventBatch& events,").replace("double throws_at;", "double throws_at;\n    std::deque<engine::JobId> queue;")
        .replace("#include <fstream>", "#include <deque>\n#include <fstream>\n#include <vector>"))
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


def test(program, arguments):
    examples = pathlib.Path(arguments[0])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    check_planted_code(program, examples)


if __name__ == "__main__":
    sys.exit(main(test))
