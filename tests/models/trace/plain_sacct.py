#!/usr/bin/env python3
"""Reads tables of sacct with Python's csv, by other code than the program's, and holds what `schedfarm trace` says of
them against it: jobs, jobs that ran, their area, and how many rows there are of each kind.

usage: plain_sacct.py PROGRAM TABLE...       prints every difference and exits 1 if there is one
"""
import csv
import datetime
import json
import subprocess
import sys


def instant(text):
    if text in ("", "Unknown", "None"):
        return None
    if text.isdigit():
        return int(text)
    return int(datetime.datetime.fromisoformat(text + "+00:00").timestamp())


def seconds(text):
    if text.isdigit():
        return int(text)
    days, _, clock = text.rpartition("-")
    parts = [int(part) for part in clock.split(":")]
    return int(days or 0) * 86400 + sum(part * 60**place for place, part in enumerate(reversed(parts)))


def tasks(text):
    """Of an entry `1,3,7-9%2`."""
    ranges = [entry.split("-") for entry in text.split("[")[1].split("]")[0].split("%")[0].split(",")]
    return sum(int(bounds[-1]) - int(bounds[0]) + 1 for bounds in ranges)


def rows_of(path):
    """Rows whose free texts hold a separator are put together again from the left and from the right: of these
    tables the only such texts are JobName and SubmitLine, with one separator each."""
    with open(path, newline="") as file:
        table = list(csv.reader(file, delimiter="|", quoting=csv.QUOTE_NONE))
    header = table[0]
    for row in table[1:]:
        for column in ("JobName", "SubmitLine"):
            if len(row) > len(header):
                place = header.index(column)
                row[place:place + 2] = ["|".join(row[place:place + 2])]
        yield dict(zip(header, row))


def kinds_of(path):
    found, seen, ids, parts, jobs = {}, set(), set(), {}, []

    def add(kind, count=1):
        found[kind] = found.get(kind, 0) + count

    for row in rows_of(path):
        task, number = row.get("JobID", ""), row.get("JobIDRaw") or row["JobID"]
        times = {name: instant(row.get(name, "")) for name in ("Submit", "Eligible", "Start", "End")}
        key = (row.get("DBIndex"), number, times["Submit"], times["Start"], times["End"])
        if key in seen:
            add("a row that was there before")
            continue
        seen.add(key)
        if "." in task:
            add("a step of a job")
            continue
        if "[" in task:
            add("tasks of an array that had not", tasks(task))
        elif "_" in task:
            add("a task of an array")
        elif "+" in task:
            add("a component of a het")
        size = int(row.get("AllocCPUS") or 0) or int(row.get("ReqCPUS") or 0)
        part = parts.pop(number, None)
        if part and part["Start"] == times["Start"]:
            times.update(Submit=part["Submit"], Eligible=part["Eligible"])
            size = max(size, part["size"])
        elif number in ids:
            add("another run of a job")
        ids.add(number)
        state = row.get("State", "").split(" ")[0]
        if state == "RESIZING":
            add("a part of a resized job")
            parts[number] = dict(times, size=size)
            continue
        started, ended = times["Start"] is not None, times["End"] is not None
        elapsed = seconds(row.get("ElapsedRaw") or row.get("Elapsed") or "0")
        running = state in ("RUNNING", "SUSPENDED") or (not state and started and not ended)
        if not started and ended:
            add("ended without having been started")
        if not started and row.get("Eligible") == "Unknown":
            add("never eligible to start")
        if state == "PENDING":
            add("waiting when the log was written")
        if running:
            add("running when the log was written")
        if seconds(row.get("Suspended") or "0") > 0:
            add("suspended for a while")
        if row.get("TimelimitRaw") in ("UNLIMITED", "Partition_Limit"):
            add("no limit")
        jobs.append((size, elapsed if started and not running else 0))
    ran = [(size, run) for size, run in jobs if size > 0 and run > 0]
    return found, len(jobs), len(ran), sum(size * run for size, run in ran)


def main(program, paths):
    differences = 0
    for path in paths:
        said = json.loads(subprocess.run([program, "trace", path, "--json"], check=True, capture_output=True).stdout)
        found, *numbers = kinds_of(path)
        for name, expected in zip(("jobs", "ran", "area"), numbers):
            if said[name] != expected:
                print(f"{path}: {name}: {said[name]}, not {expected}")
                differences += 1
        for kind, count in found.items():
            told = [oddity["count"] for oddity in said["oddities"] if oddity["oddity"].startswith(kind)]
            if told != [count]:
                print(f"{path}: {kind}: {told}, not {count}")
                differences += 1
    return 1 if differences else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
