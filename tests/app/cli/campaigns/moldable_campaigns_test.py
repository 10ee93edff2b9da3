"""The campaigns of the bi-criteria paper: every file plans; the makespan of DEMT over lambda* is the one found by an
independent implementation; the claims of section 4.2 get the verdicts that a good reading gives, here with 15 runs, too few to tell whether two fail with 25 tasks;
the report has every running time.

usage: moldable_campaigns_test.py PROGRAM
"""
import csv
import pathlib
import statistics
import sys

import h5py

from program import expect, main, short_or_long

ROOT = pathlib.Path(__file__).parents[4]
PARTS = {"common.yaml", "section4.2.yaml"}
CAMPAIGNS = ROOT / "campaigns" / "moldable"

# Sum of makespans over sum of lambda*, strict compaction and 10 shuffles, on 200 processors, of 1,000 runs; four combined
# standard errors with as many runs here are 0.03, with a tenth of them 0.03 sqrt((1 + 10) / 2) = 0.07.
RUNS, ERROR = short_or_long((100, 0.07), (1000, 0.03))
EXPECTED = {
    "weakly_parallel": {25: 1.83, 100: 1.91, 200: 1.83, 400: 1.70},
    "highly_parallel": {25: 1.90, 100: 1.92, 200: 1.88, 400: 1.76},
    "mixed": {25: 1.87, 100: 1.94, 200: 1.92, 400: 1.86}}
RATIOS = """\
campaign_format: 1
name: ratios
include: [common.yaml]
replications: REPLICATIONS
policy: {demt: {bounds: makespan, compaction: strict, shuffles: 10}}
factors:
  horizon.jobs: [25, 100, 200, 400]
"""


def levels_of(file):
    levels = {}
    for cell, factor, label in zip(file["factors"]["cell"], file["factors"]["factor"], file["factors"]["label"]):
        levels.setdefault(int(cell), {})[factor.decode()] = label.decode()
    return levels


def ratios(program):
    program.write("common.yaml", (CAMPAIGNS / "common.yaml").read_text())
    program.write("ratios.yaml", RATIOS.replace("REPLICATIONS", str(RUNS)))
    program.run("run", "ratios.yaml", "-o", "ratios.h5", "--workers", "2")
    with h5py.File(program.folder / "ratios.h5") as file:
        levels = levels_of(file)
        table = file["replications"][:]
    seen = 0
    for cell, level in levels.items():
        rows = table[table["cell"] == cell]
        found = rows["makespan"].sum() / rows["makespan_bound"].sum()
        expected = EXPECTED.get(level["tasks"], {}).get(int(level["horizon.jobs"]))
        expect(rows["makespan_ratio"].max() <= 2, f"{level}: beyond twice lambda*")
        if expected:
            seen += 1
            expect(abs(found - expected) <= ERROR, f"{level}: {found}, not {expected}")
    expect(seen == 12, f"{seen} points, not 12")


def claims(program):
    runs = short_or_long("replications: 15", "replications: 40")
    for file in CAMPAIGNS.glob("*.yaml"):
        program.write(file.name, file.read_text())
    program.write("figures3-6.yaml", (CAMPAIGNS / "figures3-6.yaml").read_text().replace("replications: 40", runs))
    program.run("run", "figures3-6.yaml", "-o", "moldable_claims.h5", "--workers", "2", timeout=600)
    text = program.run("report", "moldable_claims.h5").stdout
    expect("19 of 21 claims as expected; open: weakly parallel makespan, weakly parallel" in text, f"claims: {text[text.find('Claims of the paper'):]}")
    expect(max(len(line) for line in text.splitlines()) <= 80, "the report is wider than 80 columns")


def online(program):
    """After claims(), which brings the files: batches stay within 2 rho of a bound that knows all arrivals."""
    file = program.folder / "online.yaml"
    program.write(file.name, file.read_text().replace("replications: 20", "replications: 2"))
    program.run("run", file.name, "-o", "online.h5", "--workers", "2")
    text = program.run("report", "online.h5").stdout
    expect("2 of 2 claims as expected." in text, f"claims: {text[text.find('Claims of the paper'):]}")
    with h5py.File(program.folder / "online.h5") as results:
        labels = {cell: level["algorithm"] for cell, level in levels_of(results).items()}
        for row in results["replications"][:]:
            ratio = row["offline_ratio"]
            expect(labels[int(row["cell"])] == "FCFS" or ratio >= 1, f"{row['cell']}: a ratio of {ratio}")


def reported_times(program):
    """The report of Figure 7, here measured twice, has the medians of what each algorithm took beyond `none`."""
    program.write("figure7.yaml", (CAMPAIGNS / "figure7.yaml").read_text().replace("cations: 40", "cations: 2"))
    program.run("run", "figure7.yaml", "-o", "moldable_figure7.h5", "--workers", "0")
    lines = csv.DictReader(program.run("report", "moldable_figure7.h5", "--format", "csv").stdout.splitlines())
    times = {(row["tasks"], row["horizon.jobs"], row["algorithm"]): row["measured"] for row in lines
             if row["column"] == "wall_time_ms beyond none"}
    with h5py.File(program.folder / "moldable_figure7.h5") as file:
        seconds = {}
        levels = levels_of(file)
        for row in file["timings"][:]:
            level = levels[int(row["cell"])]
            key = (level["tasks"], level["horizon.jobs"], level["algorithm"])
            seconds.setdefault(key, {})[int(row["replication"])] = row["seconds"]
    for key, own in seconds.items():
        rest = seconds[(*key[:2], "none")]
        expected = statistics.median(1e3 * (own[r] - rest[r]) for r in own)
        expect(times[key] == "" if key[2] == "none" else abs(float(times[key]) - expected) < 1e-9, f"{key}: {times[key]}")
    expect(len(seconds) == 192, f"{len(seconds)} points, not 192")


def test(program, _):
    for file in sorted(CAMPAIGNS.glob("*.yaml")):
        if file.name not in PARTS:
            program.run("plan", file)
    ratios(program)
    claims(program)
    online(program)
    reported_times(program)


if __name__ == "__main__":
    sys.exit(main(test))
