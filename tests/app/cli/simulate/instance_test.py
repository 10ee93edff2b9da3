"""`schedfarm simulate --instance`: schedules worked out by hand, an independent check of any schedule, and wrong tables
of every kind.

usage: instance_test.py PROGRAM
"""
import csv
import io
import json
import random
import sys

from program import expect, expect_simulate_refuses, main

# Two linear tasks on two processors. DEMT: C* = 2; the batch of length 1 takes the first task on both processors, the
# batch of length 2 the second on one: 0 to 1 and 1 to 3.
TWO = "task,weight,p1,p2\nfirst,1,2,1\nsecond,1,2,1\n"
# One processor, weights 10 and 1: the best sum is 13, yet the printed program says 16.5; the safe one 9.
PRINTED = "# a comment\ntask,weight,p1\nshort,10,1\nlong,1,2\n"


def near(a, b):
    return abs(a - b) <= 1e-7 * max(1, abs(b))


def result_of(program, name, policy, *more):
    done = program.run("simulate", "--instance", name, "--policy", policy, "--json", *more)
    return json.loads(done.stdout)


def by_hand(program):
    program.write("two.csv", TWO)
    for compaction in ("strict", "graham"):
        found = result_of(program, "two.csv", "demt", "--set", f"compaction={compaction}", "--set", "shuffles=10",
                          "--verify")
        expect((found["makespan"], found["minsum"]) == (3, 4), f"criteria {found}")
        expect(near(found["lambda_star"], 2) and near(found["makespan_bound"], 2), f"lambda* {found}")
        expect(found["schedule"] == [
            {"task": "first", "start": 0, "processors": 2, "finish": 1},
            {"task": "second", "start": 1, "processors": 1, "finish": 3}], f"schedule {found['schedule']}")
    gang = result_of(program, "two.csv", "moldable_gang")
    expect((gang["makespan"], gang["minsum"]) == (2, 3), "Gang is best for linear tasks")
    expect(gang["minsum_bounds"]["safe"] <= gang["minsum_bounds"]["refined"] <= 3, f"bounds {gang}")
    program.write("printed.csv", PRINTED)
    found = result_of(program, "printed.csv", "demt")
    bounds = found["minsum_bounds"]
    expect(found["minsum"] == 13 and near(bounds["printed"], 16.5) and near(bounds["safe"], 9), f"printed {found}")


def prints(program):
    done = program.run("simulate", "--instance", "two.csv", "--policy", "demt")
    lines = done.stdout.splitlines()
    expect(all(len(line) <= 80 for line in lines), f"longer than 80 columns:\n{done.stdout}")
    for wanted in ("tasks               2 of two.csv", "makespan            3, 1.500 times the bound 2"):
        expect(any(line.startswith(wanted) for line in lines), f"no '{wanted}' in\n{done.stdout}")
    expect(lines[-1].split() == ["1", "3", "1", "second"], f"last line {lines[-1]}")
    table = program.run("simulate", "--instance", "two.csv", "--policy", "demt", "--jobs", "-", "--ranges").stdout
    expect(table == "job,submit,start,finish,processors,ranges\n1,0,0,1,2,0-1\n2,0,1,3,1,0\n", f"jobs {table}")
    program.run("simulate", "--instance", "two.csv", "--policy", "demt", "--jobs", "jobs.csv")
    drawn = program.run("gantt", "jobs.csv").stdout
    expect("2 processors" in drawn or "1" in drawn, f"no chart: {drawn}")
    long_name = "\u00e9" * 60
    program.write("light.csv", f"task,weight,p1,p2\n{long_name},0,2,1\nplain,0,2,1\n")
    light = program.run("simulate", "--instance", "light.csv", "--policy", "demt", "--front").stdout
    expect("nan" not in light and "inf" not in light, f"a ratio to the bound 0:\n{light}")
    expect("\u00e9\u2026" in light and "\ufffd" not in light, f"a name cut within a character:\n{light}")
    program.write("long.csv", f"task,weight,p1\n{'x' * 200},1,1\n")
    done = program.run("simulate", "--instance", "long.csv", "--policy", "moldable_list")
    expect(all(len(line) <= 80 for line in done.stdout.splitlines()), "a long name breaks the table")


def random_table(dice):
    m = dice.randint(1, 6)
    rows = []
    for _ in range(dice.randint(1, 12)):
        times = [dice.randint(1, 20)]
        for k in range(2, m + 1):
            times.append(times[-1] * (k - dice.random()) / k)
        rows.append([dice.randint(0, 5), *times])
    return m, rows


def check_schedule(m, rows, found):
    """No time but the task's own, and never more processors than there are."""
    changes = []
    for row, task in zip(rows, found["schedule"]):
        expect(near(task["finish"] - task["start"], row[task["processors"]]), f"time of {task}")
        changes += [(task["start"], task["processors"]), (task["finish"], -task["processors"])]
    used = 0
    for _, change in sorted(changes, key=lambda pair: (round(pair[0], 9), pair[1])):
        used += change
        expect(used <= m, f"{used} of {m} processors")
    expect(near(found["makespan"], max(task["finish"] for task in found["schedule"])), "makespan")
    expect(near(found["minsum"], sum(row[0] * task["finish"] for row, task in zip(rows, found["schedule"]))), "minsum")
    expect(found["makespan"] >= found["makespan_bound"] * (1 - 1e-9), "a makespan below its bound")
    expect(found["minsum"] >= found["minsum_bounds"]["refined"] * (1 - 1e-9), "a sum below its bound")


def random_tables(program):
    dice = random.Random(4)
    for number in range(12):
        m, rows = random_table(dice)
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(["task", "weight", *[f"p{k}" for k in range(1, m + 1)]])
        writer.writerows([[f"task {i}", *map(repr, row)] for i, row in enumerate(rows)])
        program.write("random.csv", text.getvalue())
        for policy in ("demt", "moldable_gang", "moldable_sequential", "moldable_list", "moldable_shelves", "fcfs"):
            found = result_of(program, "random.csv", policy, "--verify")
            check_schedule(m, rows, found)
        if m > 1:
            found = result_of(program, "random.csv", "demt", "-p", str(m - 1))
            check_schedule(m - 1, rows, found)


def of_a_spreadsheet(program):
    program.write("marked.csv", "\ufefftask,weight,p1,p2\r\na,1,2,1\r\nb,1,2,1\r\n")
    found = result_of(program, "marked.csv", "demt")
    expect((found["makespan"], found["minsum"]) == (3, 4), f"{found['makespan']} and {found['minsum']}")


def largest_numbers(program):
    m, rows = 2, [[10.0**100] * 3, [10.0**-100] * 3, [10.0**100] * 3, [1.0, 10.0**-100, 10.0**-100]]
    lines = [",".join([f"task {i}", *map(repr, row)]) for i, row in enumerate(rows)]
    program.write("largest.csv", "\n".join(["task,weight,p1,p2", *lines]))
    for policy in ("demt", "moldable_shelves", "moldable_local_search"):
        check_schedule(m, rows, result_of(program, "largest.csv", policy, "--verify"))


WRONG = [
    ("", "wrong.csv: the file is empty"),
    ("# nothing\n", "wrong.csv:1:1: there is no header"),
    ("name,weight,p1\na,1,2\n", "wrong.csv:1:1: column 1 is called 'name', not 'task'"),
    ("task,weight,p2\na,1,2\n", "wrong.csv:1:13: column 3 is called 'p2', not 'p1'"),
    ("task,weight,p1,p3\na,1,2,1\n", "wrong.csv:1:16: column 4 is called 'p3', not 'p2'"),
    ("task,weight\na,1\n", "wrong.csv:1:1: there is no column of times"),
    ("task,weight,p1\n", "wrong.csv:1:1: no task follows the header"),
    ("task,weight,p1,p2\na,1,2\n", "wrong.csv:2:1: 3 fields, not 4"),
    ("task,weight,p1\na,1,2\nb,1,2,3\n", "wrong.csv:3:1: 4 fields, not 3"),
    ("task,weight,p1\na,x,2\n", "wrong.csv:2:3: 'x' is no finite number (weight must be one)"),
    ("task,weight,p1\na,1,nan\n", "wrong.csv:2:5: 'nan' is no finite number (p1 must be one)"),
    ("task,weight,p1\na,1,1e999\n", "wrong.csv:2:5: '1e999' is no finite number"),
    ("task,weight,p1\na,1,1e308\nb,1,1e308\n", "wrong.csv:2:5: '1e308' is too large (p1 is at most 1e+100)"),
    ("task,weight,p1\na,1e200,1e200\n", "wrong.csv:2:3: '1e200' is too large (weight is at most 1e+100)"),
    ("task,weight,p1\na,1,\n", "wrong.csv:2:5: '' is no finite number"),
    ("task,weight,p1\na,-1,2\n", "wrong.csv:2:3: the weight is negative"),
    ("task,weight,p1,p2\na,1,2,0\n", "wrong.csv:2:7: the time 0 is not positive"),
    ("task,weight,p1\na,1,-2\n", "wrong.csv:2:5: the time -2 is not positive"),
    ("task,weight,p1\n,1,2\n", "wrong.csv:2:1: the task has no name"),
    ("task,weight,p1\na,1,2\na,1,2\n", "wrong.csv:3:1: a second task 'a'"),
    ("task,weight,p1\n\"a,1,2\n", "wrong.csv:2:1: "),
]


def wrong_tables(program):
    for text, message in WRONG:
        program.write("wrong.csv", text)
        expect_simulate_refuses(program, ["--instance", "wrong.csv", "--policy", "demt"], message)
    expect_simulate_refuses(program, ["--instance", "none.csv", "--policy", "demt"], "none.csv: there is no such file")
    expect_simulate_refuses(program, ["--instance", ".", "--policy", "demt"], "not a regular file")
    two = ["--instance", "two.csv", "--policy", "demt"]
    expect_simulate_refuses(program, [*two, "-p", "3"], "--processors 3: two.csv has times for 2 processors (")
    program.write("one.csv", "task,weight,p1\na,1,1\n")
    expect_simulate_refuses(program, ["--instance", "one.csv", "--policy", "fcfs", "-p", "2"], "one.csv has times for 1 processor (")
    expect_simulate_refuses(program, [*two, "--set", "workload.x=1"], "a table of tasks has no parameters")
    expect_simulate_refuses(program, [*two, "--set", "compaction=tight"], "'tight'")
    expect_simulate_refuses(program, [*two, "--trace", "example"], "--trace")


def test(program, _):
    by_hand(program)
    prints(program)
    random_tables(program)
    of_a_spreadsheet(program)
    largest_numbers(program)
    wrong_tables(program)


if __name__ == "__main__":
    sys.exit(main(test))
