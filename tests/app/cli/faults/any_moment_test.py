"""Whatever ends its cells, a run draws its progress, answers `status`, is killed and resumes, and ends in the payload of the
run that nobody looked at.

usage: any_moment_test.py PROGRAM FAULTY_PROGRAM
"""
import re
import subprocess
import sys
import time

from precision_test import COMPARISON, PLACED, SEARCH, SELECTION
from processes import everything_of, kill
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, Program, expect, main

SHORT = {"jobs: 500": "jobs: 100", "jobs: 2000": "jobs: 100", "jobs: 4000": "jobs: 400", "backlog: 200": "backlog: 80",
         "max: 20000": "max: 60", "max: 2000": "max: 60", "width: 0.02": "width: 0.1"}
DIFFERENCE = COMPARISON.replace("baseline: fcfs, relative: 0.05", "relative: 0.002")
# Campaign, the cell and replication that waits: behind the first decision on a cell; a word of what is known then.
CAMPAIGNS = {
    "fixed": (SMALL_CAMPAIGN.replace("jobs: 2000", "jobs: 200"), "1 7", "(?:gross_utilization|capacity_loss)"),
    "precise": (PRECISE_CAMPAIGN, "1 22", "response_time.mean"),
    "compared": (COMPARISON, "1 18", r"response_time.mean(?: \(cell \d - cell \d\))?"),
    "difference": (DIFFERENCE, "1 30", r"response_time.mean \(cell \d - cell \d\)"),
    "kn": (SELECTION, "1 25", "response_time.mean"),
    "placed": (PLACED, "1 17", "response_time.mean"),
    "search": (SEARCH, "0 20", None),
}


def short(campaign):
    for long, less in SHORT.items():
        campaign = campaign.replace(long, less)
    return campaign


def wait_until(is_so, process):
    deadline = time.monotonic() + 120
    while not is_so():
        expect(process.poll() is None, f"ended with {process.returncode}")
        expect(time.monotonic() < deadline, "waited in vain")
        time.sleep(0.02)


def draws(program):
    return (program.folder / "drawn").read_text().count("\x1b[?7l")


def interrupted(program, faulty, name, waiting, known):
    """Kills a run in the middle when its progress has been drawn and its status been asked for."""
    program.write("faults", f"{waiting} wait\n")
    program.write("executed", "")
    program.write("drawn", "")
    with open(program.folder / "drawn", "w", encoding="utf-8") as drawn:
        process = subprocess.Popen(
            [faulty.path, "run", f"{name}.yaml", "-o", f"{name}-killed.h5", "--workers", "1", "--progress", "bar"],
            cwd=program.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=drawn)
    try:
        wait_until(lambda: f"{waiting}\n" in (program.folder / "executed").read_text(), process)
        drawings = draws(program)
        wait_until(lambda: draws(program) > drawings + 1, process)
        seen = program.run("status", f"{name}-killed.h5").stdout
    finally:
        kill(everything_of(process.pid))
        process.wait(60)
    line = (program.folder / "drawn").read_text()
    expect(re.search(r"\d+ of (\d+) (or more )?replications", line), f"{name}: no progress: {line}")
    expect("It is running." in seen, f"{name}: {seen}")
    for text in (line, seen):
        expect(known is None or re.search(known + r" -?[\d.]+", " ".join(text.split())), f"{name}: no {known}: {text}")
        expect(not re.search(r"\bnan\b|\binf\b", text), f"{name}: {text}")


def another_file_has_the_name(program, faulty):
    """What is put at the results' name in the middle of a run is asked about as before it: a file of something else is kept."""
    program.write("taken.yaml", short(CAMPAIGNS["fixed"][0]))
    for kind in ("file", "link"):
        program.write("precious", "precious")
        program.write("faults", "1 7 wait\n")
        program.write("executed", "")
        process = subprocess.Popen([faulty.path, "run", "taken.yaml", "-o", "taken.h5", "--workers", "0", "--fresh"], cwd=program.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: "1 7\n" in (program.folder / "executed").read_text(), process)
        taken = program.folder / "taken.h5"
        taken.unlink(missing_ok=True)
        if kind == "link":
            taken.symlink_to("precious")
        else:
            program.write("taken.h5", "precious")
        program.write("go", "")
        said = process.communicate(timeout=60)[1]
        expect(process.returncode == 4 and "it is a file of something else" in said and "rebuild taken.h5.journal" in said, f"{kind}: {said}")
        expect(taken.read_text() == "precious", f"{kind}: what was there is lost")
        program.run("rebuild", "taken.h5.journal", "-o", f"{kind}.h5")
        for name in ("go", "taken.h5", "taken.h5.journal"):
            (program.folder / name).unlink()


def test(program, arguments):
    faulty = Program(arguments[0])
    faulty.remove_folder()
    faulty.folder = program.folder
    another_file_has_the_name(program, faulty)
    for name, (campaign, waiting, known) in CAMPAIGNS.items():
        program.write(f"{name}.yaml", short(campaign))
        program.run("run", f"{name}.yaml", "-o", f"{name}.h5", "--workers", "0")
        interrupted(program, faulty, name, waiting, known)
        program.run("resume", f"{name}.yaml", "-o", f"{name}-killed.h5", "--workers", "0")
        expect(program.payload_hash(f"{name}-killed.h5") == program.payload_hash(f"{name}.h5"), f"{name}: another payload")
        program.run("report", f"{name}-killed.h5")


if __name__ == "__main__":
    sys.exit(main(test))
