"""Logged against simulated waits: what `trace`, `simulate` and `run` say of a whole log is what plain loops find in the log and in a
table of its jobs; a part of a log, another load or another machine is not compared.

usage: logged_waits_test.py PROGRAM
"""
import csv
import io
import json
import math
import random

import h5py
from program import expect, main

MACHINE = 16
TIMES = [(0, "below 10 s"), (10, "10 s to 1 min"), (60, "1 min to 10 min"), (600, "10 min to 1 h"), (3600, "1 h to 4 h")]


def random_log(seed, jobs=160):
    """Fields by number from 1; waits with many ties, a twelfth of them missing."""
    draw = random.Random(seed)
    now, rows = 0, []
    for number in range(1, jobs + 1):
        now += draw.choice([0, 5, 40, 400])
        run = draw.choice([3, 30, 200, 1500, 5000])
        wait = -1 if draw.random() < 1 / 12 else draw.choice([0, 0, 0, 20, 100, 900, 4000, draw.randrange(9000)])
        rows.append([number, now, wait, run, draw.randint(1, MACHINE), -1, -1, -1, run * draw.choice([1, 2, 5]), -1, 1, draw.randint(1, 9),
                     -1, -1, draw.choice([1, 1, 2, 3]), draw.choice([1, 2]), -1, -1])
    return rows


def text_of(rows):
    return f"; MaxProcs: {MACHINE}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def groups_of(rows):
    """(by, group) of each job, in the order of the program."""
    def size(row):
        most = 1
        while most < row[4]:
            most *= 2
        least = most // 2 + 1
        return "1 processor" if most == 1 else "2 processors" if most == 2 else f"{least} to {most} processors"

    def length(row):
        return [name for low, name in TIMES if low <= row[3]][-1]

    return {("all", "all jobs"): rows,
            **{("partition", f"partition {p}"): [row for row in rows if row[15] == p] for p in (1, 2)},
            **{("queue", f"queue {q}"): [row for row in rows if row[14] == q] for q in (1, 2, 3)},
            **{("size", name): [row for row in rows if size(row) == name] for name in
               ("1 processor", "2 processors", "3 to 4 processors", "5 to 8 processors", "9 to 16 processors")},
            **{("run time", name): [row for row in rows if length(row) == name] for _, name in TIMES}}


def tau_b(pairs):
    difference = first = second = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[:i]:
            difference += ((a > c) - (a < c)) * ((b > d) - (b < d))
            first += a != c
            second += b != d
    return difference / math.sqrt(first * second) if first and second else None


def compared(rows, waits):
    """`waits`: simulated, by the job's number."""
    found = []
    for (by, group), own in groups_of(rows).items():
        pairs = [(row[2], waits[row[0]]) for row in own if row[2] >= 0]
        if pairs:
            within = sum(abs(b - a) <= max(a / 10, 60) for a, b in pairs) / len(pairs)
            found.append((by, group, len(pairs), sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs), within, tau_b(pairs)))
    return found


def expect_same(found, expected, what):
    names = [row[:3] for row in expected]
    expect([row[:3] for row in found] == names, f"{what}: {[row[:3] for row in found]}, not {names}")
    for own, other in zip(found, expected):
        for a, b in zip(own[3:], other[3:]):
            a = None if a is not None and math.isnan(a) else a
            expect(a == b or (a is not None and b is not None and abs(a - b) <= 1e-9 * max(1, abs(b))), f"{what}: {own}, not {other}")


def rows_of_json(found):
    return [tuple(row[name] for name in ("by", "group", "jobs", "logged", "simulated", "within", "rank_agreement")) for row in found]


def rows_of_file(path, cell):
    with h5py.File(path) as file:
        return [(row["by"].decode(), row["group"].decode(), int(row["jobs"]), *(float(row[name]) for name in
                 ("logged", "simulated", "within", "rank_agreement"))) for row in file["logged_waits"][:] if row["cell"] == cell]


def simulated(program, name, policy):
    words = ["simulate", "--trace", name, "--policy", policy, "--waits"]
    jobs = csv.DictReader(io.StringIO(program.run(*words, "--jobs", "-").stdout))
    waits = {int(job["job"]): float(job["start"]) - float(job["submit"]) for job in jobs}
    return waits, json.loads(program.run(*words, "--json").stdout)


def whole_logs(program):
    for seed in range(3):
        rows = random_log(seed)
        name = program.write(f"log{seed}.swf", text_of(rows))
        told = json.loads(program.run("trace", name, "--json").stdout)["logged_waits"]
        logged = [(by, group, n, mean) for by, group, n, mean, *_ in compared(rows, dict.fromkeys(range(1, len(rows) + 1), 0))]
        expect_same([(row["by"], row["group"], row["wait"]["jobs"], row["wait"]["mean"]) for row in told], logged, "trace")
        program.write("campaign.yaml", f"campaign_format: 1\nname: replays\nseed: 1\nexperiment: trace\n"
                      f"system: {{clusters: [{MACHINE}]}}\nworkload: {{model: trace, file: {name}, resampling: none}}\n"
                      "horizon: {jobs: all, warm_up: none}\nreplications: 1\njob_log: {replications: 1}\nfactors: {policy: [easy, fcfs]}\n")
        program.run("run", "campaign.yaml", "--workers", "0", "--waits", "--output", f"{seed}.h5")
        program.run("run", "campaign.yaml", "--workers", "0", "--output", "all.h5", "--fresh")
        expect(program.payload_hash("all.h5") == program.payload_hash(f"{seed}.h5"), "payload without groups")
        hashed = program.payload_hash(f"{seed}.h5")
        for cell, policy in enumerate(["easy", "fcfs"]):
            waits, summary = simulated(program, name, policy)
            expected = compared(rows, waits)
            expect_same(rows_of_json(summary["logged_waits"]), expected, f"simulate {policy}")
            expect_same(rows_of_file(program.folder / f"{seed}.h5", cell), expected, f"run {policy}")
            expect_same(rows_of_file(program.folder / "all.h5", cell), expected[:1], f"run {policy} without groups")
            of_all = json.loads(program.run("simulate", "--trace", name, "--policy", policy, "--json").stdout)
            expect_same(rows_of_json(of_all.pop("logged_waits")), expected[:1], f"simulate {policy} without groups")
            expect(of_all == {key: value for key, value in summary.items() if key != "logged_waits"}, "all else is as with groups")
            text = program.run("simulate", "--trace", name, "--policy", policy).stdout
            whole = expected[0]
            line = next(line.split() for line in text.splitlines() if line.startswith("all jobs "))
            greatest = max(whole[3:5])
            unit, own = next((unit, own) for unit, own in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)) if greatest >= 3 * own or own == 1)
            means = [f"{wait / own:.3g}" if wait < 1000 * own else f"{wait / own:.0f}" for wait in whole[3:5]]
            expect(line == ["all", "jobs", str(whole[2]), *means, f"{100 * whole[5]:.0f}", "%", f"{whole[6]:.2f}"] and f"logged ({unit})" in text,
                   f"{line}, not {whole}, {unit}")
        program.run("rebuild", f"{seed}.h5", "--output", "again.h5")
        expect(repr(rows_of_file(program.folder / "again.h5", 0)) == repr(rows_of_file(program.folder / f"{seed}.h5", 0)), "rebuild")
        expect(program.payload_hash("again.h5") == hashed, "payload")


def what_is_not_compared(program):
    rows = random_log(9)
    name = program.write("log.swf", text_of(rows))
    for more in (["--first", "50"], ["-p", "32"], ["--set", "workload.load_factor=1.1"], ["--set", "workload.shake=5"], ["--set", "workload.from=100"],
                 ["--set", "workload.resampling=users"]):
        found = json.loads(program.run("simulate", "--trace", name, "--policy", "easy", *more, "--json").stdout)
        expect("logged_waits" not in found, f"{more}: {found.get('logged_waits')}")
    for row in rows:
        row[2] = -1
    name = program.write("none.swf", text_of(rows))
    found = json.loads(program.run("simulate", "--trace", name, "--policy", "easy", "--json").stdout)
    expect([row["jobs"] for row in found["logged_waits"]] == [0], f"{found['logged_waits']}")
    text = program.run("simulate", "--trace", name, "--policy", "easy").stdout
    expect(text.endswith("\nThe log records no waits, so that none can be set beside these.\n"), text)
    expect("\nno logged waits\n" in program.run("trace", name).stdout, "trace")


def test(program, _):
    whole_logs(program)
    what_is_not_compared(program)


if __name__ == "__main__":
    raise SystemExit(main(test))
