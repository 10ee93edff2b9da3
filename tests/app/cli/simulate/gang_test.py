"""`schedfarm simulate` under gang scheduling: the schedules worked out by hand, from the options to the CSV.

usage: gang_test.py PROGRAM
"""
import csv
import io
import sys

from program import expect, main

# (submit, processors, run): four processors, T = 30, c = 1; tests/policies/*_gang_test.cpp say why.
JOBS = [(0, 4, 12), (0, 1, 15)]
COMPLETIONS = {
    "vanilla_gang": ([], [24, 31]),
    "push_down_gang": (["--set", "assignment=weight"], [24, 31]),
    "tree_packing_gang": ([], [14, 37]),
    "matrix_gang": (["--set", "packing=buddy"], [24, 31]),
    "migration_gang": (["--set", "order=leaves"], [34, 27]),
    "migration_gang ": (["--set", "order=root"], [14, 37]),
    # Class 0 1-5, class 2 6-15, class 0 16-20 and, class 1 being empty, 21-25; class 2 26-29, class 0 30-33.
    "vanilla_gang ": (["--set", "quanta_classes=[0, 2, 0, 1]", "--set", "quanta_s=[5, 10, 5, 10]"], [29, 33]),
    # Switches of 4 s: 4-10 (6 of 12), 14-20 (6 of 15), 24-30 (12), 34-40 (12), 44-47.
    "push_down_gang ": (["--set", "switch_model=block_paging", "--set", "prefetched_fraction=0.75"], [30, 47]),
}


def completions_of(program, policy, *more):
    slices = "slice_s=10" if policy == "matrix_gang" else "timeplexing_cycle_s=30"
    done = program.run("simulate", "--trace", "four.swf", "--processors", "4", "--policy", policy, "--set", slices,
                       "--set", "switch_cost_s=1", "--jobs", "-", *more)
    return [float(row["finish"]) for row in csv.DictReader(io.StringIO(done.stdout))]


def test(program, _arguments):
    lines = [f"{i + 1} {submit} -1 {run} {size} -1 -1 {size} {run} -1 1 7 -1 -1 -1 -1 -1 -1"
             for i, (submit, size, run) in enumerate(JOBS)]
    program.write("four.swf", "\n".join(["; MaxProcs: 4"] + lines) + "\n")
    for name, (options, wanted) in COMPLETIONS.items():
        for implementation in ([], ["--general"], ["--verify"]):
            found = completions_of(program, name.strip(), *options, *implementation)
            expect(found == wanted, f"{name} {options} {implementation}: {found}, not {wanted}")
    # The quanta are 10 s. Job 1 has the whole machine from 0 and works from 1; the class between has no job.
    done = program.run("simulate", "--trace", "four.swf", "--processors", "4", "--policy", "vanilla_gang", "--set",
                       "timeplexing_cycle_s=30", "--jobs", "segments.csv", "--ranges")
    found = (program.folder / "segments.csv").read_text().split()
    wanted = ["job,submit,start,finish,processors,ranges", "1,0,0,10,4,0-3", "2,0,10,20,1,0", "1,0,20,24,4,0-3",
              "2,0,24,31,1,0"]
    expect(found == wanted, f"segments: {found}")
    drawn = program.run("gantt", "segments.csv", "-p", "4", "--format", "csv").stdout.split()
    expect(sorted(line.split(",")[:6] for line in drawn[1:]) == sorted(line.split(",") for line in wanted[1:]),
           f"drawn: {drawn}")
    done = program.run("simulate", "--trace", "four.swf", "--processors", "4", "--policy", "vanilla_gang", "--set",
                       "switch_cost_s=400", exit_code=2)
    expect("no longer than a switch" in done.stderr, f"quanta that a switch uses up: {done.stderr}")


if __name__ == "__main__":
    sys.exit(main(test))
