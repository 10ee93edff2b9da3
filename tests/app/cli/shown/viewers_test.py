"""Every number that `check`, `diff`, `gantt`, `certify` and a notebook print is one of the files that they read, or what is counted here of
their rows: no file has what differs from another, nor how often the intervals of many seeds hold.

usage: viewers_test.py PROGRAM
"""
import html
import math
import os
import pathlib
import re
import shutil
import sys

import h5py
import numpy as np
from certify_test import QUEUE
from printed_numbers import Numbers, expect_found, expect_wrong_numbers_are_seen
from program import SMALL_CAMPAIGN, main

SOURCES = pathlib.Path(__file__).resolve().parents[4] / "python" / "src"
sys.path.insert(0, str(SOURCES))

import schedfarm

SEEDS = 100
CERTIFIED = QUEUE.replace("count: 150", f"count: {SEEDS}").replace("jobs: 1000", "jobs: 200") + "job_log: {replications: 1}\n"


def rows_of(program, name, table):
    with h5py.File(program.folder / name) as file:
        return file[table][:]


def in_notebooks_and_check(program):
    name = program.folder / "a.h5"
    numbers = Numbers(name, also=[len(rows_of(program, "a.h5", "replications"))])
    with schedfarm.open(name) as results:
        shown = html.unescape(re.sub("<[^>]*>", " ", results._repr_html_())).replace(results.attributes["payload_hash"][:12], "")
    expect_found(numbers, shown, "a notebook")
    expect_wrong_numbers_are_seen(numbers, shown, "a notebook")
    expect_found(numbers, program.run("check", "a.h5").stdout, "check")


def in_diff_to_the_bit(program):
    both = [h5py.File(program.folder / name) for name in ("a.h5", "seed.h5")]
    differing = []
    for name in (name for name, table in both[0].items() if isinstance(table, h5py.Dataset) and "hashed" in table.attrs):
        rows = [file[name][:] for file in both]
        hashed = [column for column, is_hashed in zip(rows[0].dtype.names, both[0][name].attrs["hashed"]) if is_hashed]
        counts = [sum(not (x == y or x != x and y != y) for x, y in zip(rows[0][column], rows[1][column])) for column in hashed]
        differing += [count for count in counts if count]
    numbers = Numbers(*(file.filename for file in both), more=["replications"], also=[*differing, len(differing) - 12])
    shown = program.run("diff", "a.h5", "seed.h5", exit_code=1).stdout
    expect_found(numbers, shown, "diff")
    expect_wrong_numbers_are_seen(numbers, shown, "diff")


def in_diff_of_estimates(program):
    """A copy whose utilizations are larger, by other amounts in each replication."""
    shutil.copy(program.folder / "a.h5", program.folder / "b.h5")
    with h5py.File(program.folder / "b.h5", "r+") as file:
        replications, estimates = file["replications"][:], file["estimates"][:]
        replications["gross_utilization"] += 0.0131 * (1 + replications["replication"])
        for end in ("mean", "lower", "upper"):
            estimates[end][estimates["metric"] == b"gross_utilization"] += 0.0131 * 6.5
        file["replications"][...], file["estimates"][...] = replications, estimates
    options = ["a.h5", "b.h5", "--metric", "gross_utilization", "--mode"]
    apart = 1 / math.erfc(1.96)  # of two equal intervals in so many, 2 * 1.96 standard errors
    numbers = Numbers(program.folder / "a.h5", program.folder / "b.h5", also=[apart])
    expect_found(numbers, program.run("diff", *options, "overlap", exit_code=1).stdout, "diff by intervals")
    differences = rows_of(program, "a.h5", "replications")["gross_utilization"] - replications["gross_utilization"]
    first = differences[replications["cell"] == 0]
    numbers = Numbers(also=[0, 4, len(first), first.mean(), first.std(ddof=1) / math.sqrt(len(first))])
    expect_found(numbers, program.run("diff", *options, "paired", exit_code=1).stdout, "diff by pairs")


def in_gantt(program):
    """Of the only rank, and of a schedule on one processor."""
    timings = rows_of(program, "a.h5", "timings")
    end = (timings["began"] + timings["seconds"]).max()
    numbers = Numbers(program.folder / "a.h5", also=[0, end, timings["seconds"].sum() / end, len(timings)])
    expect_found(numbers, program.run("gantt", "a.h5").stdout, "gantt of ranks")

    jobs = rows_of(program, "queue.h5", "jobs/0/0")
    events = sorted([(start, -1) for start in jobs["start"]] + [(submit, 1) for submit in jobs["submit"]])  # starts come first
    waiting = np.cumsum([change for _, change in events]).max()
    span = jobs["finish"].max() - jobs["submit"].min()
    share = (jobs["finish"] - jobs["start"]).sum() / span
    numbers = Numbers(also=[0, 1, 13, len(jobs), jobs["submit"].min(), jobs["finish"].max(), share, waiting])
    expect_found(numbers, program.run("gantt", "queue.h5", "--cell", "0").stdout, "gantt of jobs")


def in_certify(program):
    """How many of the seeds hold the truth, and how often a row would say so of another coverage."""
    estimates, factors, known = (rows_of(program, "queue.h5", table) for table in ("estimates", "factors", "known_values"))
    seeds = sorted(int(label) for label in set(factors["label"][factors["factor"] == b"seed"]))
    counted = [len(seeds), seeds[0], math.ceil(rows_of(program, "queue.h5", "timings")["seconds"].sum() / 60)]
    bands = [0.93, 0.97, 0.9, 0.99]
    for load in set(factors["label"][factors["factor"] == b"load.utilization"]):
        own = factors["cell"][(factors["label"] == load) & (factors["factor"] == b"load.utilization")]
        found = [row for row in estimates if row["cell"] in own and row["metric"] == b"response_time.mean"]
        truth = next(row["value"] for row in known if row["cell"] == own[0] and row["metric"] == b"response_time.mean" and row["label"] == b"exact from empty")
        share = sum(row["lower"] <= truth <= row["upper"] for row in found) / SEEDS
        error = max(math.sqrt(share * (1 - share) / SEEDS), 1 / SEEDS)
        counted += [share, error, np.mean([row["upper"] - row["lower"] for row in found]) / 2 / truth]
        for coverage in bands[2:]:
            chances = {k: math.comb(SEEDS, k) * coverage**k * (1 - coverage)**(SEEDS - k) for k in range(SEEDS + 1)}
            errors = {k: 3 * max(math.sqrt(k / SEEDS * (1 - k / SEEDS) / SEEDS), 1 / SEEDS) for k in chances}
            counted.append(sum(chance for k, chance in chances.items() if k / SEEDS + errors[k] < bands[0] or k / SEEDS - errors[k] > bands[1]))
    numbers = Numbers(program.folder / "queue.h5", also=[*counted, *bands, 0, 2])
    with h5py.File(program.folder / "queue.h5") as file:
        hashes = [file.attrs["plan_hash"], file.attrs["git_revision"][:12]]
    for form in ("text", "markdown", "csv"):
        shown = program.run("certify", "queue.h5", "--format", form, exit_code=1).stdout
        for own in hashes:
            shown = shown.replace(own, "")
        expect_found(numbers, shown, f"certify as {form}")


def test(program, _arguments):
    os.environ["PYTHONPATH"] = str(SOURCES)
    for name, campaign in (("a", SMALL_CAMPAIGN), ("seed", SMALL_CAMPAIGN.replace("seed: 11", "seed: 12")), ("queue", CERTIFIED)):
        program.run("run", program.write(f"{name}.yaml", campaign), "-w", "0")
    in_notebooks_and_check(program)
    in_diff_to_the_bit(program)
    in_diff_of_estimates(program)
    in_gantt(program)
    in_certify(program)


if __name__ == "__main__":
    sys.exit(main(test))
