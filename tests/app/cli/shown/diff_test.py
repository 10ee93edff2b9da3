"""schedfarm diff on files that the program wrote: equal runs, one changed value, another seed, another
campaign, and files that cannot be compared.

usage: diff_test.py PROGRAM
"""
import shutil
import sys

import h5py

from program import SMALL_CAMPAIGN, expect, main


def change(program, name, replications):
    """A copy of a.h5 in which the gross utilization of cell 0 is larger by 0.01 in some replications."""
    shutil.copy(program.folder / "a.h5", program.folder / name)
    with h5py.File(program.folder / name, "r+") as file:
        table = file["replications"][:]
        chosen = (table["cell"] == 0) & (table["replication"] < replications)
        table["gross_utilization"][chosen] += 0.01
        file["replications"][...] = table


def expect_lines(done, *fragments):
    for fragment in fragments:
        expect(fragment in done.stdout, f"no '{fragment}' in: {done.stdout}{done.stderr}")
    long_lines = [line for line in done.stdout.splitlines() if len(line) > 80]
    expect(not long_lines, f"lines of more than 80 characters: {long_lines}")


def expect_refused(program, arguments, *fragments):
    done = program.run("diff", *arguments, exit_code=2)
    for fragment in fragments:
        expect(fragment in done.stderr, f"{arguments}: no '{fragment}' in: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: output beside an error: {done.stdout}")


def equal_files(program):
    done = program.run("diff", "a.h5", "b.h5")
    expect(done.stdout == f"Same payload: {program.payload_hash('a.h5')}\n", done.stdout)
    expect_lines(program.run("diff", "a.h5", "b.h5", "--mode", "overlap"), "intervals do not overlap", "0 of ")
    expect_lines(program.run("diff", "a.h5", "b.h5", "--mode", "paired"), "means are equal replication by replication")


def changed_files(program):
    change(program, "one.h5", 1)
    expect_lines(program.run("diff", "a.h5", "one.h5", exit_code=1),
                 "replications.gross_utilization: 1 of 48 rows", "replication 0:")
    change(program, "all.h5", 12)
    done = program.run("diff", "a.h5", "all.h5", "--mode", "paired", exit_code=1)
    expect_lines(done, "Means of replications that differ", "gross utilization", "-0.01")
    program.run("diff", "a.h5", "all.h5", "--mode", "paired", "--metric", "capacity_loss")


def other_campaigns(program):
    expect_lines(program.run("diff", "a.h5", "seed.h5", exit_code=1), "The payloads differ", "seed '11' and '12'")
    done = program.run("diff", "a.h5", "seed.h5", "--mode", "overlap", exit_code=None)
    expect(done.returncode in (0, 1), f"overlap of two seeds: exit code {done.returncode}")
    expect_lines(done, "intervals do not overlap")
    expect_refused(program, ["a.h5", "seed.h5", "--mode", "paired"], "different seeds (11 and 12)", "overlap")
    program.write("fewer.yaml", SMALL_CAMPAIGN.replace("[fcfs, {fpfs: {max_jumps: 7}}]", "[fcfs, sjf]"))
    program.run("run", "fewer.yaml", "--workers", "0", "-o", "fewer.h5")
    done = program.run("diff", "a.h5", "fewer.h5", "--mode", "overlap", exit_code=1)
    expect_lines(done, "Only in A: fpfs", "Only in B: sjf")


def errors(program):
    expect_refused(program, ["a.h5", "absent.h5"], "absent.h5")
    expect_refused(program, ["small.yaml", "a.h5"], "small.yaml", "HDF5")
    expect_refused(program, ["a.h5"], "B")
    expect_refused(program, ["a.h5", "b.h5", "--mode", "byte"], "byte")
    expect_refused(program, ["a.h5", "b.h5", "--mode", "overlap", "--metric", "slowdown"], "slowdown", "capacity_loss")


def test(program, _arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.write("seed.yaml", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12"))
    for campaign, results in (("small", "a"), ("small", "b"), ("seed", "seed")):
        program.run("run", f"{campaign}.yaml", "--workers", "0", "-o", f"{results}.h5")
    equal_files(program)
    changed_files(program)
    other_campaigns(program)
    errors(program)


if __name__ == "__main__":
    sys.exit(main(test))
