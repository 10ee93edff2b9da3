"""Writes the first part of results/scojo.md: the thesis's tables, its numbers beside ours.

usage: scojo_page.py VERSION NAME=RESULTS.h5 ...     (NAME as in campaigns/scojo; the page goes to standard output)
"""
import csv
import math
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python" / "src"))

import schedfarm
from schedfarm._intervals import of_mean, t_two_sided

REFERENCE = ROOT / "campaigns" / "scojo" / "reference"


def reference(name):
    lines = [line for line in (REFERENCE / name).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def row(cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(heads, rows):
    return [row(heads), row([":---"] + ["---:"] * (len(heads) - 1)), *map(row, rows), ""]


def mean_and_half(values):
    """Mean and half the 95 % interval of values that are independent."""
    estimate = of_mean(np.array(values))
    return estimate.mean, t_two_sided(0.95, estimate.degrees) * estimate.standard_error


def interval(values):
    return "{:.2f} ± {:.2f}".format(*mean_and_half(values)) if len(values) > 1 else f"{values[0]:.2f}"


def by_cell(results, metric):
    """Values of the replications in order, by the labels of the cell's factors."""
    factors = results.table("factors").pivot(index="cell", columns="factor", values="label")
    values = results.table("replications").sort_values(["cell", "replication"])
    return factors, {cell: list(rows[metric]) for cell, rows in values.groupby("cell")}


def reductions(results, metric, assignment, fits, other):
    """Percent, workload by workload: what the other allocator has more."""
    factors, values = by_cell(results, metric)
    chosen = factors if assignment is None else factors[factors["assignment"] == assignment]
    cell = {label: index for index, label in chosen["allocator"].items()}
    return [100 - 100 * own / base for own, base in zip(values[cell[fits]], values[cell[other]])]


def types_of_jobs(results):
    """Percent of the jobs and of the work by type, for each cell, of all logged replications together."""
    shares = {}
    for cell in sorted({cell for cell, _ in results.logged()}):
        jobs, work = [0.0] * 3, [0.0] * 3
        for replication in [replication for of, replication in results.logged() if of == cell]:
            log = results.jobs(cell, replication)
            for kind in range(3):
                own = log[log["class"] == kind]
                jobs[kind] += len(own)
                work[kind] += (own["processors"] * own["service"]).sum()
        shares[cell] = [100 * part / sum(jobs) for part in jobs] + [100 * part / sum(work) for part in work]
    return shares


def table_2(files):
    names = [*("jobs_short", "jobs_medium", "jobs_long"), *("work_short", "work_medium", "work_long")]
    measured = {}
    if "table2" in files:
        measured["Lublin-Feitelson"] = types_of_jobs(files["table2"])[0]
    if "table2_log" in files:
        labels = files["table2_log"].table("factors").set_index("cell")["label"]
        measured |= {labels[cell]: shares for cell, shares in types_of_jobs(files["table2_log"]).items()}
    rows = [[f"{printed['workload']}: thesis / here", *(f"{printed[name]} / {value:.2f}" for name, value in zip(names, measured[printed["workload"]]))]
            for printed in reference("table2.csv") if printed["workload"] in measured]
    return ["## Table 2: types of jobs", "", "Percent of the jobs, and of their work.", "",
            *table(["workload", "short", "medium", "long", "work of short", "of medium", "of long"], rows)]


def table_of_reductions(title, results, printed, assigned):
    rows = []
    for line in printed:
        fits = f"{line['first_stage']} {line['second_stage']}"
        assignment = line["assignment"] if assigned else None
        cells = [f"{fits}, {assignment}" if assigned else fits]
        for other, column in (("first free", "over_first_free"), ("intelligent", "over_intelligent")):
            cells += [line[column] or "illegible"] + [interval(reductions(results, metric, assignment, fits, other))
                                                      for metric in ("overhead", "reducible_overhead")]
        rows.append(cells)
    heads = ["fits of the two stages", "over first free: thesis", "here", "without first loads",
             "over intelligent: thesis", "here", "without first loads"]
    return [f"## {title}", "", *table(heads, rows)]


def beside_the_independent_program(results):
    printed = {line["assignment"]: line for line in reference("tables4-7.csv") if line["first_stage"] + line["second_stage"] == "bestworst"}
    rows = []
    for line in reference("independent.csv"):
        assignment, other, mean, half = line["assignment"], line["over"], float(line["mean"]), float(line["half"])
        own, own_half = mean_and_half(reductions(results, "overhead", assignment, "best worst", other))
        joint = math.hypot(half, own_half)
        rows.append([f"{assignment} over {other}", printed[assignment]["over_" + other.replace(" ", "_")] or "illegible", f"{mean:.1f} ± {half:.1f}",
                     f"{own:.2f} ± {own_half:.2f}", f"{own - mean:.2f} ± {joint:.2f}", "yes" if abs(own - mean) <= joint else "no"])
    return ["## Beside an independent program: ten workloads, best and worst fit", "",
            "Reductions of overhead in percent, each with its 95 % interval; the joint interval of the difference is the root of the sum of squares.", "",
            *table(["reduction", "thesis", "independent program", "here", "difference", "within the joint interval"], rows)]


def main():
    version, *arguments = sys.argv[1:]
    files = {name: schedfarm.open(path) for name, path in (argument.split("=", 1) for argument in arguments)}
    lines = ["# What the campaigns of the thesis on Scojo-PECT measured", "",
             f"Generated by `tools/reproduce_scojo.sh` with {version}, seed 2010. Reductions of overhead are in percent, of each workload by itself, with their mean",
             "over the workloads, as in the thesis, and its paired 95 % t interval; \"without first loads\" leaves out the load of each job",
             "that no choice of nodes can spare.", "", *table_2(files)]
    for name, title in (("tables4-7", "Tables 4 to 7: ten workloads"), ("tables4-7_precise", "Tables 4 to 7: to five percent")):
        if name in files:
            lines += table_of_reductions(title, files[name], reference("tables4-7.csv"), True)
    if "tables4-7" in files:
        lines += beside_the_independent_program(files["tables4-7"])
    for name, title in (("table8_log", "Table 8: SDSC-BLUE, memory drawn ten times"), ("table9_log", "Table 9: LANL-CM5, one schedule")):
        if name in files:
            printed = [line for line in reference("tables8-9.csv") if line["table"] == name[5]]
            lines += table_of_reductions(title, files[name], printed, False)
    print("\n".join(lines).rstrip())


if __name__ == "__main__":
    main()
