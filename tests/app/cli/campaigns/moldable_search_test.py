"""Local search for moldable jobs: both criteria near their bounds at once on weakly parallel jobs, the same bits with
and without FMA, and the front that `schedfarm simulate --instance --front` gives.

usage: moldable_search_test.py PROGRAM
"""
import csv
import io
import json
import random
import sys

import h5py

from program import MASKED_FMA, expect, main

# Weakly parallel jobs alone, and the search as it is by default.
GOAL = """\
campaign_format: 1
name: goal
seed: 2004
experiment: offline
system: {clusters: [200]}
workload:
  model: moldable
  weight: {uniform: [1, 10]}
  sequential: {uniform: [1, 10]}
  speedup: weakly_parallel
horizon: {jobs: 100, warm_up: none}
replications: 20
probes: []
policy: {moldable_local_search: {bounds: refined, steps_per_octave: 16}}
"""
# Two processors that do not help. The long light task at once: all end by 3, the sum is 3 + 5 + 3 * 5 = 23. The short
# heavy ones first: 5 + 2 * 5, and the long one from 1 to 4: 19.
LONG_AND_LIGHT = "task,weight,p1,p2\nlong,1,3,3\nmiddle,5,2,2\nshort,5,1,1\n"


def goal(program):
    program.write("goal.yaml", GOAL)
    program.run("run", "goal.yaml", "-o", "goal.h5", "--workers", "2", timeout=300)
    with h5py.File(program.folder / "goal.h5") as file:
        table = file["replications"][:]
    makespan = table["makespan"].sum() / table["makespan_bound"].sum()
    minsum = table["weighted_completion"].sum() / table["minsum_bound.refined"].sum()
    print(f"makespan {makespan:.4f}, worst {table['makespan_ratio'].max():.4f}; "
          f"minsum {minsum:.4f}, worst {table['minsum_ratio.refined'].max():.4f}")
    expect(len(table) == 20 and table["makespan_ratio"].max() <= 1.15 * (1 + 1e-8), f"makespan ratio {makespan}")
    expect(1 <= minsum and table["minsum_ratio.refined"].max() <= 1.25, f"minsum ratio {minsum}")


def front_of(program, name, *more, **how):
    done = program.run("simulate", "--instance", name, "--front", "--json", *more, **how)
    return json.loads(done.stdout)


def by_hand(program):
    program.write("hand.csv", LONG_AND_LIGHT)
    wanted = [{"makespan": 3, "minsum": 23}, {"makespan": 4, "minsum": 19}]
    for policy in ("moldable_local_search", "moldable_gang"):
        expect(front_of(program, "hand.csv", "--policy", policy)["front"] == wanted, f"front under {policy}")
    found = program.run("simulate", "--instance", "hand.csv", "--policy", "moldable_local_search", "--json")
    found = json.loads(found.stdout)
    expect("front" not in found and (found["makespan"], found["minsum"]) == (3, 23), f"schedule {found}")
    text = program.run("simulate", "--instance", "hand.csv", "--policy", "demt", "--front").stdout
    expect("front               2 points\n" in text, f"no front in\n{text}")
    expect([line.split()[::2] for line in text.splitlines() if line.split()[:1] in (["3"], ["4"])][:2]
           == [["3", "23"], ["4", "19"]], f"points in\n{text}")
    expect(all(len(line) <= 80 for line in text.splitlines()), f"longer than 80 columns:\n{text}")


def random_table(dice, tasks, m, parallel):
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["task", "weight", *[f"p{k}" for k in range(1, m + 1)]])
    for i in range(tasks):
        times = [dice.uniform(1, 10)]
        for k in range(2, m + 1):
            times.append(times[-1] * (k - parallel * dice.random()) / k)
        writer.writerow([f"task {i}", dice.randint(1, 5), *map(repr, times)])
    return text.getvalue()


def fronts(program):
    dice = random.Random(5)
    longest = 0
    for parallel in (0.4, 1, 1):
        program.write("random.csv", random_table(dice, 80, 60, parallel))
        found = front_of(program, "random.csv", "--policy", "demt", "--verify")
        front = found["front"]
        for a, b in zip(front, front[1:]):
            expect(a["makespan"] < b["makespan"] and a["minsum"] > b["minsum"], f"{a} and {b} in one front")
        expect(front[0]["makespan"] >= found["makespan_bound"] * (1 - 1e-9), "a makespan below its bound")
        expect(front[-1]["minsum"] >= found["minsum_bounds"]["refined"] * (1 - 1e-9), "a sum below its bound")
        expect(any(point["makespan"] <= found["makespan"] and point["minsum"] <= found["minsum"] for point in front),
               "the schedule beats the front")
        masked = front_of(program, "random.csv", "--policy", "demt", environment={"GLIBC_TUNABLES": MASKED_FMA})
        expect(masked["front"] == front, "another front without FMA")
        other = front_of(program, "random.csv", "--policy", "demt", "--seed", "2")
        expect(other["front"] != front, "the seed does not matter")
        text = program.run("simulate", "--instance", "random.csv", "--policy", "demt", "--front").stdout
        said = f"{len(front)} points, 12 of them shown; all: --json" if len(front) > 12 else f"{len(front)} points"
        expect(f"front               {said}\n" in text, f"{len(front)} points in\n{text}")
        longest = max(longest, len(front))
    expect(longest > 12, f"no front longer than {longest}")


def refused(program):
    done = program.run("simulate", "--trace", "example", "-p", "8", "--policy", "fcfs", "--front", exit_code=2)
    expect("--instance" in done.stderr and done.stdout == "", f"message {done.stderr}")


def test(program, _):
    by_hand(program)
    fronts(program)
    refused(program)
    goal(program)


if __name__ == "__main__":
    sys.exit(main(test))
