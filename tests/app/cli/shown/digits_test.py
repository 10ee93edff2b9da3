"""Every number that report prints beside an interval is one of the file: the estimate to half a unit of its third digit, every end
and ± to half a unit of its second, in text, Markdown and LaTeX; and no interval of what has bounds leaves them. Over files of every
kind of analysis, of intervals longer than their estimates among them. And a file in which a number was changed is not taken for whole.

usage: digits_test.py PROGRAM
"""
import contextlib
import math
import pathlib
import re
import sys

import h5py
from latex_test import COMPARED, OPEN, SELECTED, SHORT
from program import MOLDABLE_CAMPAIGN, PRECISE_CAMPAIGN, SMALL_CAMPAIGN, expect, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

from schedfarm._reading.file import ResultFile

SLICES = """\
campaign_format: 1
name: time slices for small jobs
seed: 1
experiment: trace
system: {clusters: [128]}
workload: {model: trace, file: example, sizes: [1, 96]}
horizon: {jobs: 500}
replications: 3
probes: [wait, bounded_slowdown]
factors:
  policy:
    - easy
    - slices: {inner: easy, quanta_s: [600, 1800], route: size, largest_size: [8, 128]}
    - slices: {inner: [easy, fcfs], quanta_s: [600, 1800], route: size, largest_size: [8, 128], switch_cost_s: 10}
"""
FEW = OPEN + "replications: 3\ncomparison: {factor: policy, metric: response_time}\n"
BOUNDS = FEW + "report: {intervals: bounds}\n"

# What is an estimate in each table with an interval.
ESTIMATES = {"estimates": "mean", "made_metrics": "mean", "comparisons": "difference", "saturation": "rho_max", "quantiles": "value", "quantities": "mean",
             "controlled_estimates": "mean", "claim_values": "value", "search_steps": "median"}
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?"
INTERVAL = re.compile(rf"({NUMBER}) (?:±({NUMBER})|\[({NUMBER}), (?:({NUMBER})\]|∞\)))")
LEAST = {"response_time": 0, "wait": 0, "service_time": 0, "slowdown": 1, "bounded_slowdown": 1, "capacity_loss": 0,
         "gross_utilization": 0, "queue_length": 0}
SHARES = {"capacity_loss", "gross_utilization"}


def shows(printed, value, digits):
    unit = 10.0 ** (math.floor(math.log10(abs(value))) + 1 - digits) if value else 0
    return abs(printed - value) <= 0.500001 * unit


def is_of(match, estimate, lower, upper):
    value, side, low, high = (None if text is None else float(text) for text in match.groups())
    if not shows(value, estimate, 3):
        return False
    if side is not None:
        return shows(side, max(estimate - lower, upper - estimate), 2)
    return shows(low, lower, 2) and (math.isinf(upper) if high is None else shows(high, upper, 2))


def plain(text):
    """LaTeX's signs as they are in the other formats; lines of a terminal joined."""
    for sign, meant in (("$\\pm$", "±"), ("$\\infty$", "∞"), ("{}[", "["), ("$-$", "-")):
        text = text.replace(sign, meant)
    return text


def rows_with_intervals(path):
    with contextlib.closing(ResultFile(path)) as file:
        for name, column in ESTIMATES.items():
            for row in file.records(name) if file.has(name) else ():
                if not math.isnan(row["lower"]):
                    yield row[column], row["lower"], row["upper"]


def check_bounds(path):
    with h5py.File(path) as file:
        for row in file["estimates"][:]:
            metric = row["metric"].decode()
            base = re.split(r"[.\[]", metric)[0]
            is_exact = not metric.endswith("fill_sd") and not re.search(r"\.p\d", metric)  # quantiles: to .25 %
            if base in LEAST and is_exact and not math.isnan(row["lower"]):
                least = 0 if ".count" in metric or ".largest_share" in metric else LEAST[base]
                expect(row["lower"] >= least, f"{path.name}: {metric} from {row['lower']}")
                expect(base not in SHARES or row["upper"] <= 1, f"{path.name}: {metric} to {row['upper']}")


def check_digits(program, name, campaign):
    program.write(name + ".yaml", campaign)
    program.run("run", name + ".yaml", "-o", name + ".h5", "-w", "1", exit_code=None)
    path = program.folder / (name + ".h5")
    check_bounds(path)
    known = list(rows_with_intervals(path))
    printed = 0
    for format in ("text", "markdown", "latex"):
        for match in INTERVAL.finditer(plain(program.run("report", path.name, "-f", format).stdout)):
            printed += 1
            expect(any(is_of(match, *row) for row in known), f"{name}, {format}: '{match.group()}' is no number of the file")
    return printed


def check_changed_number(program):
    with h5py.File(program.folder / "few.h5", "a") as file:
        rows = file["estimates"][:]
        rows["mean"][0] = (rows["mean"][0] + rows["upper"][0]) / 2
        file["estimates"][...] = rows
    done = program.run("report", "few.h5", exit_code=1)
    expect("changed after it was written" in done.stderr, done.stderr)
    expect(program.run("check", "few.h5", exit_code=1).returncode == 1, "check takes a changed number")


def check(program, _):
    printed = {name: check_digits(program, name, campaign) for name, campaign in
               {"slices": SLICES, "few": FEW, "bounds": BOUNDS, "compared": COMPARED, "selected": SELECTED, "short": SHORT,
                "precise": PRECISE_CAMPAIGN, "small": SMALL_CAMPAIGN, "moldable": MOLDABLE_CAMPAIGN}.items()}
    expect(all(printed.values()), f"a report without intervals shows nothing: {printed}")
    check_changed_number(program)


if __name__ == "__main__":
    sys.exit(main(check))
