"""Moldable jobs of a file, `listed: {file: …}`: schedules worked out by hand, from `simulate` and from a campaign, whose
bounds and criteria are those of the table; another file than a run began with is refused.

usage: listed_file_test.py PROGRAM
"""
import csv
import io
import json
import sys

import h5py

from program import expect, main

# Two linear tasks on two processors. DEMT: C* = 2; the batch of length 1 takes the first task on both processors, the
# batch of length 2 the second on one: 0 to 1 and 1 to 3.
TWO = "task,weight,p1,p2\nfirst,1,2,1\nsecond,1,2,1\n"
# One processor, weights 10 and 1: the best sum is 13, yet the printed program says 16.5; the safe one 9.
PRINTED = "# a comment\ntask,weight,p1\nshort,10,1\nlong,1,2\n"
CAMPAIGN = """\
campaign_format: 1
name: tasks of a file
seed: 1
experiment: offline
system: {clusters: [PROCESSORS]}
workload: {model: listed, file: FILE}
horizon: {jobs: 2, warm_up: none}
replications: 1
probes: []
policy: {demt: {bounds: all}}
"""


def near(a, b):
    return abs(a - b) <= 1e-7 * max(1, abs(b))


def simulated(program):
    program.write("two.csv", TWO)
    options = ["--model", "listed", "--set", "workload.file=two.csv", "-p", "2", "--verify"]
    for policy, wanted in (("demt", [("0", "1", "2"), ("1", "3", "1")]), ("moldable_gang", [("0", "1", "2"), ("1", "2", "2")]),
                           ("fcfs", [("0", "2", "1"), ("0", "2", "1")])):
        done = program.run("simulate", *options, "--policy", policy, "--jobs", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        found = [(row["start"], row["finish"], row["processors"]) for row in rows]
        expect(found == wanted, f"{policy}: {found}")
    done = program.run("simulate", *options, "--policy", "demt", "--set", "bounds=all", "--json")
    published = json.loads(done.stdout)["published"]
    expect(near(published["makespan_bound"], 2) and near(published["makespan_ratio"], 1.5), f"published {published}")


def results_of(program, name):
    with h5py.File(program.folder / name) as file:
        return file["replications"][0]


def in_a_campaign(program):
    (program.folder / "beside").mkdir()
    program.write("beside/printed.csv", PRINTED)
    program.write("beside/tasks.yaml", CAMPAIGN.replace("PROCESSORS", "1").replace("FILE", "printed.csv"))
    program.run("run", "beside/tasks.yaml", "--workers", "1", "-o", "printed.h5")
    row = results_of(program, "printed.h5")
    expect((row["makespan"], row["weighted_completion"]) == (3, 13), f"criteria {row}")
    expect(near(row["minsum_bound.printed"], 16.5) and near(row["minsum_bound.safe"], 9), f"bounds {row}")
    program.run("run", "beside/tasks.yaml", "--workers", "0", "-o", "again.h5")
    same = program.payload_hash("printed.h5")
    expect(program.payload_hash("again.h5") == same, "one file, two payloads")
    program.write("beside/printed.csv", PRINTED.replace("short,10", "short,9"))
    program.run("run", "beside/tasks.yaml", "--workers", "0", "-o", "changed.h5")
    expect(program.payload_hash("changed.h5") != same, "another file, the same payload")


def refused(program):
    line = CAMPAIGN.splitlines()[5]
    for given, problem in (("FILE", "FILE: there is no such file"), ("beside", "beside: this is not a regular file"),
                           ("two.csv, sha256: 12", "two.csv: this is another file (its SHA-256 is ")):
        program.write("wrong.yaml", CAMPAIGN.replace("PROCESSORS", "2").replace(line, line.replace("FILE", given)))
        done = program.run("plan", "wrong.yaml", exit_code=2)
        expect(problem in done.stderr and "wrong.yaml:6:" in done.stderr, f"{given}: {done.stderr}")


def test(program, _arguments):
    simulated(program)
    in_a_campaign(program)
    refused(program)


if __name__ == "__main__":
    sys.exit(main(test))
