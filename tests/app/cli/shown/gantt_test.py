"""The chart of the ranks, of a campaign that two runs computed: what it says is what h5py reads in the file, and
what the file says can be: no rank does two things at once, and busy, idle, dispatch and io fill the time.

usage: gantt_test.py PROGRAM
"""
import csv
import io
import subprocess
import sys

import h5py
import numpy

from program import SMALL_CAMPAIGN, expect, main


def two_runs(program):
    """The first run computes half of the cells, the second the rest."""
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "--cells", "1/2")
    program.run("resume", "small.yaml", "-w", "2", "--cells", "1/1")
    program.run("check", "small.h5")
    with h5py.File(program.folder / "small.h5") as file:
        return file["timings"][:], file["farm"][:]


def expect_possible(timings, farm):
    expect(set(timings["run"]) == {1, 2}, f"runs {set(timings['run'])}")
    expect(not numpy.isnan(timings["began"]).any(), "a replication without a begin")
    for run in (1, 2):
        for rank in set(timings["rank"]):
            mine = timings[(timings["run"] == run) & (timings["rank"] == rank)]
            mine = mine[numpy.argsort(mine["began"])]
            ends = mine["began"] + mine["seconds"]
            expect((mine["began"][1:] >= ends[:-1] - 1e-5).all(), f"run {run}, rank {rank}: two at once")
    expect(list(farm["run"]) == [2, 2, 2], f"farm of run {farm['run']}")
    expect(set(timings["rank"][timings["run"] == 2]) <= {1, 2}, "the master has computed")
    second = timings[timings["run"] == 2]
    whole = (second["began"] + second["seconds"]).max()
    for row in farm:
        spent = row["busy"] + row["idle"] + row["dispatch"] + row["io"]
        busy = second["seconds"][second["rank"] == row["rank"]].sum()
        expect(abs(row["busy"] - busy) < 1e-6, f"rank {row['rank']}: busy {row['busy']}, but {busy} of replications")
        expect(0 <= spent < whole + 60, f"rank {row['rank']}: {spent} s of {whole}")


def chart_as_table(program, *options):
    return list(csv.DictReader(io.StringIO(program.run("gantt", "small.h5", "-f", "csv", *options).stdout)))


def expect_same_in_table(program, timings):
    for run, options in ((2, []), (1, ["--run", "1"])):
        rows = chart_as_table(program, *options)
        wanted = sorted((int(t["rank"]), int(t["cell"]), int(t["replication"]), f"{t['began']:.6f}")
                        for t in timings[timings["run"] == run])
        found = sorted((int(r["rank"]), int(r["cell"]), int(r["replication"]), r["began_s"]) for r in rows)
        expect(found == wanted, f"run {run}: {found} instead of {wanted}")


def expect_readable(program):
    for options in ([], ["--ranks"], ["--run", "1"]):
        text = program.run("gantt", "small.h5", *options).stdout
        expect("\nrank    " in text, text)
        expect(all(len(line) <= 80 for line in text.splitlines()), f"wider than 80 columns:\n{text}")
    expect("dispatch" in program.run("gantt", "small.h5").stdout, "no overheads")
    for name, begin in (("ranks.svg", b"<?xml"), ("ranks.png", b"\x89PNG"), ("ranks.pdf", b"%PDF")):
        program.run("gantt", "small.h5", "-o", name)
        expect((program.folder / name).read_bytes().startswith(begin), f"{name} is none")
    expect("<!-- small, run 2 of 2: " in (program.folder / "ranks.svg").read_text(), "no words")
    cut = subprocess.run(f"{program.path} gantt small.h5 | head -n 1", shell=True, cwd=program.folder,
                         capture_output=True, text=True, check=False)
    expect(cut.stdout.startswith("small: run 2 of 2") and cut.stderr == "", f"in a pipe: {cut}")


def expect_refused(program, *arguments, code=2):
    before = sorted(program.folder.iterdir())
    done = program.run("gantt", *arguments, exit_code=code)
    expect(done.stdout == "" and len(done.stderr.strip().splitlines()) == 1, f"{arguments}: {done.stderr}")
    expect(sorted(program.folder.iterdir()) == before, f"{arguments} left a file")
    return done.stderr


def refusals(program):
    expect("small.h5: there is no run 3" in expect_refused(program, "small.h5", "--run", "3"), "no such run")
    expect_refused(program, "absent.h5")
    expect_refused(program, "small.h5", "-o", "no/folder/x.svg", code=4)
    expect_refused(program, "small.h5", "--from", "3")


def rebuilt_and_merged(program, timings):
    """What the journal knows of times outlives the result file."""
    program.run("rebuild", "small.h5.journal", "-o", "again.h5")
    program.run("merge", "merged.h5", "small.h5")
    for name in ("again.h5", "merged.h5"):
        with h5py.File(program.folder / name) as file:
            expect((file["timings"][:] == timings).all(), f"{name} has other timings")
        expect("run 2 of 2" in program.run("gantt", name).stdout, name)


def test(program, _arguments):
    timings, farm = two_runs(program)
    expect_possible(timings, farm)
    expect_same_in_table(program, timings)
    expect_readable(program)
    refusals(program)
    rebuilt_and_merged(program, timings)


if __name__ == "__main__":
    sys.exit(main(test))
