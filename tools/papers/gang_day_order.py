#!/usr/bin/env python3
"""How much of the gang scheduling paper's comparison hangs on the order in which the days of its month came: response
times by class on August 1996 of the CTC SP2 as it was, with the days moved round, with the days in random orders, and with such an order for each class.

usage: gang_day_order.py PROGRAM CTC-SP2-1996-3.1-cln.swf.gz [RANDOM_ORDERS=100]
"""
import collections
import csv
import gzip
import pathlib
import random
import subprocess
import sys
import tempfile

BEGIN, DAYS, DAY, PROCESSORS = 3048840, 31, 86400, 320
GANG = ["--policy", "migration_gang", "--set", "timeplexing_cycle_s=1000", "--set", "switch_cost_s=1", "--set"]
POLICIES = {"EASY": ["--policy", "easy"], "leaves": GANG + ["order=leaves"], "root": GANG + ["order=root"]}


def job_class(processors):
    return (processors - 1).bit_length()


def month(log):
    """(submit from the month's begin, processors, run time, request) of the jobs of campaigns/gang/log.yaml."""
    jobs = []
    with gzip.open(log, "rt") as file:
        for line in file:
            field = [int(float(text)) for text in line.split()] if line[0] != ";" else []
            if field and 0 <= field[1] - BEGIN < DAYS * DAY and field[3] > 60 and field[4] <= PROCESSORS:
                jobs.append((field[1] - BEGIN, field[4], field[3], max(field[3], field[8])))
    return jobs


def reordered(jobs, order):
    """Day d becomes day order[d]."""
    return sorted((submit % DAY + order[submit // DAY] * DAY, *rest) for submit, *rest in jobs)


def reordered_by_class(jobs, dice):
    """The days of each class in an order of their own."""
    orders = [dice.sample(range(DAYS), DAYS) for _ in range(10)]
    return sorted((submit % DAY + orders[job_class(size)][submit // DAY] * DAY, size, *rest) for submit, size, *rest in jobs)


def normalized(program, jobs, policy):
    """Mean response over mean service, by class."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "month.swf")
        log.write_text("".join(f"{n} {submit} -1 {run} {size} -1 -1 {size} {request} -1 1 1 1 -1 -1 -1 -1 -1\n"
                               for n, (submit, size, run, request) in enumerate(jobs, 1)))
        table = pathlib.Path(folder, "jobs.csv")
        subprocess.run([program, "simulate", "--trace", log, "--processors", str(PROCESSORS), "--jobs", table, *policy],
                       check=True, stdout=subprocess.DEVNULL)
        response = collections.Counter()
        with table.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                response[job_class(int(row["processors"]))] += float(row["finish"]) - float(row["submit"])
    service = collections.Counter()
    for _, size, run, _ in jobs:
        service[job_class(size)] += run
    return [response[c] / service[c] for c in range(10)]


def backlog_hours(jobs):
    """Mean work in the system, in hours of the machine, were nodes served as a fluid at 99 % (T = 1,000, cost 1)."""
    demand = [0.0] * (24 * DAYS)
    for submit, size, run, _ in jobs:
        node = min(1 << job_class(size), PROCESSORS)
        demand[submit // 3600] += node * run / (3600 * PROCESSORS)
    backlog = total = 0.0
    for hour in demand:
        backlog = max(0.0, backlog + hour - 0.99)
        total += backlog
    return total / len(demand)


def show(title, program, months):
    print(f"{title}: mean backlog of nodes {sum(map(backlog_hours, months)) / len(months):.1f} h")
    for name, policy in POLICIES.items():
        rows = list(zip(*(normalized(program, jobs, policy) for jobs in months)))
        print(f"  {name:7}", " ".join(f"{sum(row) / len(row):8.2f}" for row in rows))
        if len(months) > 1:
            print("    least", " ".join(f"{min(row):8.2f}" for row in rows))
            print("    most ", " ".join(f"{max(row):8.2f}" for row in rows))


def main():
    program, log = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    jobs = month(log)
    show("the month as it was", program, [jobs])
    show("days backwards", program, [reordered(jobs, range(DAYS - 1, -1, -1))])
    show("days moved round by 1 to 30", program,
         [reordered(jobs, [(day + by) % DAYS for day in range(DAYS)]) for by in range(1, DAYS)])
    dice = random.Random(1996)
    show(f"{count} random orders of the days", program,
         [reordered(jobs, dice.sample(range(DAYS), DAYS)) for _ in range(count)])
    show(f"{count} random orders, one for each class", program, [reordered_by_class(jobs, dice) for _ in range(count)])


main()
