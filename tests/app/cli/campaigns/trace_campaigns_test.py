"""The campaign over four real logs, in a short form: every cell gets an interval from resampled logs, the same
from 1 and from 3 ranks; estimates change nothing for FCFS, which reads none.

usage: trace_campaigns_test.py PROGRAM
Needs the logs in $SCHEDFARM_TRACES; skipped without.
"""
import csv
import io
import math
import pathlib
import sys

from program import expect, logs_or_skip, main, short_or_long

CAMPAIGN = pathlib.Path(__file__).parents[4] / "campaigns" / "traces" / "backfilling.yaml"
SHORT = f"""\
campaign_format: 1
name: backfilling, short
include: ["{CAMPAIGN}"]
horizon: {{jobs: 300, warm_up: {{jobs: 50}}}}
replications: 2
factors: {{workload.load_factor: [1]POLICIES}}
"""


def test(program, _arguments):
    logs_or_skip()
    program.run("plan", CAMPAIGN)
    policies = short_or_long(", policy: [fcfs, easy, conservative]", "")
    program.write("short.yaml", SHORT.replace("POLICIES", policies))
    program.run("run", "short.yaml", "-o", "three.h5", "--workers", "2", timeout=900)
    program.run("run", "short.yaml", "-o", "one.h5", "--workers", "1", timeout=900)
    expect(program.payload_hash("three.h5") == program.payload_hash("one.h5"), "another payload from other ranks")
    rows = list(csv.DictReader(io.StringIO(
        program.run("report", "three.h5", "--format", "csv").stdout)))
    waits = {(row["log"], row["workload.estimates"], row["policy"]): row
             for row in rows if row["column"] == "wait.mean"}
    expect(len(waits) == 4 * 3 * short_or_long(3, 8), f"{len(waits)} cells")
    for cell, row in waits.items():
        expect(math.isfinite(float(row["upper"]) - float(row["lower"])), f"no interval for {cell}")
    for log in {cell[0] for cell in waits}:
        values = {waits[log, estimates, "fcfs"]["measured"] for estimates in ("user", "exact", "tsafrir")}
        expect(len(values) == 1, f"{log}: estimates change FCFS: {values}")


if __name__ == "__main__":
    sys.exit(main(test))
