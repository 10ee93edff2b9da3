"""Shares of a campaign's cells, run one by one and merged, end in the payload of a single run, also where cells
are decided together; parts that do not belong together are refused and leave nothing behind; status tells how
far a run has come, during and after it.

usage: merge_test.py PROGRAM
"""
import re
import shutil
import subprocess
import sys
import time

from precision_test import COMPARISON, PLACED, SELECTION
from program import PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

SHARES = 4


def run_shares(program, name, count):
    parts = []
    for share in range(1, count + 1):
        parts.append(f"{name}.part{share}.h5")
        program.run("run", f"{name}.yaml", "-o", parts[-1], "--cells", f"{share}/{count}", "-w", "0")
    return parts


def test_same_payload(program, name, campaign):
    program.write(f"{name}.yaml", campaign)
    program.run("run", f"{name}.yaml", "-o", f"{name}.h5", "-w", "0")
    parts = run_shares(program, name, SHARES)
    done = program.run("merge", f"{name}.joined.h5", *reversed(parts))
    expect(f"of {SHARES} parts joined" in done.stdout, done.stdout)
    expect(program.payload_hash(f"{name}.joined.h5") == program.payload_hash(f"{name}.h5"),
           f"{name}: shares merged are not the single run")
    program.run("check", f"{name}.joined.h5")


def test_missing_part(program):
    """Two of the four shares: said by merge, and by rebuild from the journal that it has written."""
    done = program.run("merge", "half.h5", "small.part1.h5", "small.part2.h5", exit_code=1)
    expect("2 of 4 cells are undecided" in done.stderr and "Check whether a part is missing." in done.stderr, done.stderr)
    again = program.run("rebuild", "half.h5.journal", "-o", "half-again.h5")
    expect("2 of 4 cells are undecided" in again.stderr and "`schedfarm status half.h5.journal` says" in again.stderr, again.stderr)
    whole = program.run("merge", "all.h5", *(f"small.part{share}.h5" for share in range(1, SHARES + 1)))
    expect(whole.stderr == "", f"a word too many: {whole.stderr}")


def expect_refused(program, output, parts, word):
    before = sorted(path.name for path in program.folder.iterdir())
    done = program.run("merge", output, *parts, exit_code=2)
    expect(len(done.stderr.strip().splitlines()) == 1 and word in done.stderr, f"no {word}: {done.stderr}")
    expect(sorted(path.name for path in program.folder.iterdir()) == before, "a refused merge left files behind")


def test_refusals(program):
    program.write("other.yaml", SMALL_CAMPAIGN.replace("name: small", "name: other").replace("seed: 11", "seed: 13"))
    program.run("run", "other.yaml", "-o", "other.h5", "-w", "0")
    expect_refused(program, "x.h5", ["small.part1.h5", "other.h5"], "'other'")
    program.write("changed.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12"))
    program.run("run", "changed.yaml", "-o", "changed.h5", "-w", "0")
    expect_refused(program, "x.h5", ["small.part1.h5", "changed.h5"], "two versions of campaign 'small'")
    expect_refused(program, "x.h5", ["small.part1.h5", "absent.h5"], "absent.h5.journal")
    program.write("garbage.h5.journal", "no journal\n" * 50)
    expect_refused(program, "x.h5", ["small.part1.h5", "garbage.h5"], "garbage.h5.journal")
    expect_refused(program, "small.joined.h5", ["small.part1.h5"], "small.joined.h5.journal")


def test_same_part_twice(program):
    program.run("merge", "twice.h5", "small.part1.h5", "small.h5", "small.h5.journal")
    expect(program.payload_hash("twice.h5") == program.payload_hash("small.h5"), "a part counted twice")


def expect_narrow(text):
    wide = [line for line in text.splitlines() if len(line) > 80]
    expect(not wide, f"wider than 80 columns: {wide}")


def test_status(program):
    program.write("long.yaml", PRECISE_CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("0.05", "0.01"))
    process = subprocess.Popen([program.path, "run", "long.yaml", "-w", "0"], cwd=program.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    counts = []
    while process.poll() is None:
        if (program.folder / "long.h5.journal").exists():
            seen = program.run("status", "long.h5")
            expect_narrow(seen.stdout)
            counts.append(int(program.run("status", "-f", "count", "long.h5.journal").stdout))
        time.sleep(0.2)
    expect(process.returncode == 0, f"exit code {process.returncode}")
    expect(len(counts) > 1 and counts == sorted(counts), f"counts during the run: {counts}")
    after = program.run("status", "long.h5")
    expect_narrow(after.stdout)
    expect("6 of 6 cells decided" in " ".join(after.stdout.split()), after.stdout)
    expect(int(program.run("status", "-f", "count", "long.h5").stdout) >= counts[-1], "the count fell")
    part = program.run("status", "small.part1.h5")
    expect_narrow(part.stdout)
    expect("Share 1/" in part.stdout, f"the share is not named: {part.stdout}")
    for share in range(1, SHARES + 1):
        shutil.copy(program.folder / f"small.part{share}.h5.journal", program.folder / f"array.part{share}.h5.journal")
    parts = program.run("status", "array.h5").stdout
    cells = re.findall(r"^ +(\d+)  (?:fcfs|fpfs)", parts, re.MULTILINE)
    expect(sorted(map(int, cells)) == [0, 1, 2, 3], f"cells {cells} of the parts: {parts}")
    decided = re.findall(r"Share (\d)/\d of the cells: \d+ of (\d+) cells? decided", parts)
    expect([share for share, _ in decided] == [str(share) for share in range(1, SHARES + 1)], parts)
    expect(sum(int(count) for _, count in decided) == 4, f"cells of all shares: {parts}")
    whole = program.run("status", "-f", "count", "small.h5").stdout
    expect(program.run("status", "-f", "count", "array.h5").stdout == whole, "the parts have another count")
    missing = program.run("status", "absent.h5", exit_code=2)
    expect(len(missing.stderr.strip().splitlines()) == 1, missing.stderr)


def test_status_of_parts(program):
    """A part that cannot be read hides none of the others; a campaign's parts are found by its name."""
    whole = int(program.run("status", "-f", "count", "small.h5").stdout)
    second = int(program.run("status", "-f", "count", "small.part2.h5").stdout)
    program.write("array.yaml", SMALL_CAMPAIGN)
    by_name = program.run("status", "array.yaml")
    expect(by_name.stdout == program.run("status", "array.h5").stdout, f"another status: {by_name.stdout}")
    journal = program.folder / "array.part2.h5.journal"
    sound = journal.read_bytes()
    journal.write_bytes(b"no journal\n" * 50)
    seen = program.run("status", "array.yaml", exit_code=1)
    shares = re.findall(r"Share (\d)/\d of the cells:", seen.stdout)
    expect(shares == ["1", "3", "4"], f"shares {shares}: {seen.stdout}")
    expect("array.part2.h5\n\ncannot be read" in seen.stdout, seen.stdout)
    told = seen.stderr.splitlines()
    expect(len(told) == 1 and "array.part2.h5.journal: " in told[0], seen.stderr)
    counted = program.run("status", "-f", "count", "array.h5", exit_code=1)
    expect(int(counted.stdout) == whole - second and counted.stderr == seen.stderr, counted.stdout + counted.stderr)
    for share in (1, 3, 4):
        (program.folder / f"array.part{share}.h5.journal").write_bytes(b"no journal\n" * 50)
    none = program.run("status", "array.h5", exit_code=2)
    expect(none.stdout == "" and len(none.stderr.splitlines()) == SHARES, none.stdout + none.stderr)
    journal.write_bytes(sound)


def test(program, _arguments):
    test_same_payload(program, "small", SMALL_CAMPAIGN)
    test_same_payload(program, "comparison", COMPARISON)
    test_same_payload(program, "selection", SELECTION)
    test_same_payload(program, "placed", PLACED)
    test_missing_part(program)
    test_refusals(program)
    test_same_part_twice(program)
    test_status(program)
    test_status_of_parts(program)


if __name__ == "__main__":
    sys.exit(main(test))
