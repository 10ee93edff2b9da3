"""The campaigns of the thesis on Scojo-PECT, in short forms: three files that need no log plan, in the long form all; ten workloads have the types of jobs of
Table 2; claims get intervals, the same from 1 and 2 ranks; the thesis's numbers stand beside ours; what nodes do
is told and fits their memory; a workload without memory and memory above a node's are refused with the way out.
With --logs: LANL-CM5 has the types of jobs of Table 2 and a schedule for each allocator.

usage: scojo_campaigns_test.py PROGRAM [--logs]
--logs: the part on LANL-CM5, which is found in $SCHEDFARM_TRACES; skipped without.
"""
import csv
import io
import pathlib
import sys

import h5py
import pandas

from program import expect, logs_or_skip, main, short_or_long

ROOT = pathlib.Path(__file__).parents[4]
sys.path[:0] = [str(ROOT / "python" / "src"), str(ROOT / "tools")]

import schedfarm  # noqa: E402
from papers import scojo  # noqa: E402
from papers._rows import Campaign  # noqa: E402

CAMPAIGNS = ROOT / "campaigns" / "scojo"
SHORT = f"""\
campaign_format: 1
name: tables 4 to 7, short
include: ["{CAMPAIGNS}/tables4-7.yaml"]
workload: {{jobs: {{classified_version: {{jobs: {{scaled_version: {{jobs: {{lublin_feitelson: {{jobs: typeless}}}},
           utilization: 0.825, count: 1000, whole_seconds: true}}}}}}}}}}
horizon: {{jobs: 200}}
replications: 2
job_log: {{replications: 1}}
"""


def shares(program, name):
    """Percent of the jobs, and of their work, by type; of the first logged cell."""
    with schedfarm.open(str(program.folder / name)) as results:
        logged = list(results.logged())
        return scojo.types_of_jobs(pandas.concat([results.jobs(*pair) for pair in logged if pair[0] == logged[0][0]]))


def table_2(program):
    """Shares of jobs within 4 standard errors of theory at 100,000 jobs, .006; of work .02."""
    program.run("run", CAMPAIGNS / "table2.yaml", "-o", "table2.h5", "--workers", "2", timeout=900)
    values = list(shares(program, "table2.h5").values())
    expected = [63.74, 0.51, 19.73, 25.92, 16.53, 73.57]
    for value, theory, most in zip(values, expected, [0.6, 0.1, 0.6, 2, 0.6, 2]):
        expect(abs(value - theory) <= most, f"Table 2: {values}, not {expected}")


def nodes_of(program, capacity):
    """Nothing runs or loads twice on a node, and what is resident fits."""
    rows = list(csv.DictReader(io.StringIO(program.run("gantt", "short.h5", "--cell", "0", "--format", "nodes").stdout)))
    expect({row["kind"] for row in rows} == {"running", "loading", "resident"}, "a kind is missing")
    changes = {}
    for row in rows:
        use = row["kind"] != "resident"
        amount = 1 if use else float(row["memory"])
        for node in range(int(row["first"]), int(row["last"]) + 1):
            changes.setdefault((node, use), []).extend([(float(row["begin"]), 1, amount), (float(row["end"]), 0, -amount)])
    for (node, use), steps in changes.items():
        level = 0
        for _, _, change in sorted(steps):
            level += change
            expect(level <= (1 if use else capacity * (1 + 1e-9)), f"node {node} has {level}")


def synthetic(program):
    few = ("table2", "shares", "backfilling")
    for name in short_or_long(few, (*few, "tables4-7", "tables4-7_precise", "beside", "prefetch_relocation")):
        program.run("plan", CAMPAIGNS / f"{name}.yaml")
    table_2(program)
    program.write("short.yaml", SHORT)
    program.run("run", "short.yaml", "-o", "short.h5", "--workers", "2", timeout=900)
    program.run("check", "short.h5")
    program.run("run", "short.yaml", "-o", "one.h5", "--workers", "1", timeout=900)
    program.run("diff", "short.h5", "one.h5")
    with h5py.File(program.folder / "short.h5") as file:
        expect(len(file["cells"]) == 30 and len(file["claim_texts"]) == 9, "cells or claims are missing")
    rows = list(scojo.tables_4_to_7(Campaign(program.folder, "scojo/tables4-7", "short", ("allocator",), scojo.REASONS)))
    expect(len(rows) == 200 and sum(row.theirs == "13.84" for row in rows) == 1 and all(row.ours for row in rows), f"no tables: {rows}")
    nodes_of(program, 400)


def refused(program):
    """What cannot work is refused by `plan`, in one message with the way out."""
    drawn = "{model: memory_version, jobs: lublin_feitelson}"
    memory = ", memory_per_processor: 400"
    program.write("log.swf", "; MaxProcs: 128\n1 0 0 100 4 -1 500 4 100 500 1 1 1 1 1 1 -1 -1\n")
    log = "{model: trace, file: log.swf, memory: used, resampling: none}"
    for system, workload, policy, problem, way_out in (
            ("", drawn, "scojo_pect", "a memory that the system does not have", "Write system: {memory_per_processor: 400}"),
            (memory, "{model: lublin_feitelson}", "scojo_pect", "no job of the workload says how much it needs", "or draw memory"),
            (memory, log, "scojo_pect", "a job of the log needs 500 KB per processor (the system has 400", "Give more system.memory_per_processor"),
            (memory, drawn, "{scojo_pect: {interval_s: 4000}}", "the slices add up to 3600 s and the interval has 4000 s", "Give interval_s as their sum."),
            (memory, drawn, "{scojo_pect: {slices_s: [18, 936, 2646]}}", "a slice of 18 s is no longer than twice the load", "Give each type more than 200 s")):
        program.write("refused.yaml", f"campaign_format: 1\nname: refused\nseed: 1\nexperiment: trace\nsystem: {{clusters: [128]{system}}}\n"
                      f"workload: {workload}\npolicy: {policy}\nhorizon: {{jobs: 1}}\nreplications: 1\n")
        told = program.run("plan", "refused.yaml", exit_code=2).stderr
        expect(problem in told and way_out in told, told)
        expect(told.count("schedfarm: error:") == 1, f"more than one message: {told}")


def on_the_log(program):
    logs_or_skip()
    for name in ("table2_log", "table8_log", "table9_log"):
        program.run("plan", CAMPAIGNS / f"{name}.yaml")
    program.run("run", CAMPAIGNS / "table2_log.yaml", "-o", "logs.h5", "--workers", "2", timeout=900)
    # As printed, but for 4.35 % of long jobs: 4.3 and 4.4 are as near.
    found = [round(value, 2) for value in shares(program, "logs.h5").values()]
    expect(found == [61.44, 2.46, 34.21, 40.7, 4.35, 56.84], f"LANL-CM5 is not that of Table 2: {found}")
    program.write("log.yaml", f"campaign_format: 1\nname: table 9, short\ninclude: ['{CAMPAIGNS}/table9_log.yaml']\nhorizon: {{jobs: 1500}}\n")
    program.run("run", "log.yaml", "-o", "log.h5", "--workers", "2", timeout=900)
    program.run("check", "log.h5")


def test(program, arguments):
    if "--logs" in arguments:
        on_the_log(program)
    else:
        synthetic(program)
        refused(program)


if __name__ == "__main__":
    sys.exit(main(test))
