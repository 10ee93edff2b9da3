"""The campaigns of the co-allocation paper: every file plans; the bin-filling tables agree with the paper within its
own noise and with the exact values; Table 1 has all its ten rows. The short form has fewer replications, of Table 4
a tenth: the paper's three digits, not ours, limit what a difference can be seen.

usage: paper_tables_test.py PROGRAM
"""
import csv
import io
import math
import pathlib
import sys

from program import expect, main, short_or_long

WHOLE = {"table1": 400, "table2": 400, "table3": 200, "table4": 100}
SHORT = {"table1": 200, "table2": 200, "table3": 80, "table4": 10}
CAMPAIGNS = pathlib.Path(__file__).parents[4] / "campaigns" / "coallocation"


def report_of(program, table):
    results = f"{table}.h5"
    campaign = CAMPAIGNS / f"{table}.yaml"
    campaign = program.write("short.yaml", f"campaign_format: 1\nname: {table}\ninclude: ['{campaign}']\n"
                             f"replications: {short_or_long(SHORT, WHOLE)[table]}\n")
    program.run("run", campaign, "-o", results, "--workers", "2")
    program.run("check", results)
    return list(csv.DictReader(io.StringIO(program.run("report", results, "--format", "csv").stdout)))


def expect_within_noise(table, rows):
    """|z| <= 3 against the paper for each cell, and against the exact value where there is one."""
    for row in rows:
        if row["column"] != "approximation":
            expect(abs(float(row["z"])) <= 3, f"{table}: differs from the paper: {row}")
        if row["known_z"]:
            expect(abs(float(row["known_z"])) <= 4, f"{table}: differs from the exact value: {row}")


def test(program, _arguments):
    files = sorted(CAMPAIGNS.glob("*.yaml"))
    for file in files:
        if file.name != "common.yaml":
            program.run("plan", file)
    rows = report_of(program, "table1")
    expect(len(rows) == 30, f"Table 1 has {len(rows)} values, not 30")
    filling = [row for row in rows if row["column"] == "bin filling"]
    expect_within_noise("table1", filling)
    approximations = [row for row in rows if row["column"] == "approximation"]
    expect(all(row["verdict"] == "agrees" for row in approximations), f"Eq. (4): {approximations}")
    measured = [row for row in rows if row["known_z"]]
    expect(len(measured) == 20, f"exact values beside {len(measured)} cells, not 20")
    # 20 independent standard normal values: none beyond 4.5 (probability 1.4e-4), squares add up.
    squares = sum(float(row["known_z"]) ** 2 for row in measured)
    expect(squares < 20 + 4 * math.sqrt(40), f"sum of squared z of 20 exact values is {squares}")
    for table, values in (("table2", 20), ("table3", 4), ("table4", 50)):
        rows = report_of(program, table)
        expect(len(rows) == values, f"{table} has {len(rows)} values, not {values}")
        expect_within_noise(table, [row for row in rows if row["column"] != "approximation"])
    text = program.run("report", "table1.h5").stdout
    expect(max(len(line) for line in text.splitlines()) <= 80, "the report is wider than 80 columns")


if __name__ == "__main__":
    sys.exit(main(test))
