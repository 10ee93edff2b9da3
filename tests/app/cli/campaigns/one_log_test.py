"""A log that is run as it is, once: every tool gives its quantiles by one rule, nobody wants its warm-up longer, and it ends
however many of its jobs come at once.

usage: one_log_test.py PROGRAM
"""
import csv
import io
import json
import math
import pathlib
import sys

import numpy as np

from program import expect, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

import schedfarm

SHARES = (0.01, 0.07, 0.1, 0.25, 0.29, 0.5, 0.58, 0.75, 0.9, 0.95, 0.99)
CAMPAIGN = """\
campaign_format: 1
name: one log
seed: 1
experiment: trace
system: {clusters: [PROCESSORS]}
workload: {model: trace, file: one.swf, resampling: none}
horizon: {jobs: all, warm_up: noneMORE}
replications: 1
probes: [{response_time: {quantiles: SHARES}}, wait]
policy: fcfs
"""


def swf(submits, runs, processors):
    lines = [f"; MaxProcs: {processors}"]
    for number, (submit, run) in enumerate(zip(submits, runs), 1):
        lines.append(f"{number} {submit} -1 {run} 1 -1 -1 1 {run} -1 1 1 1 1 1 1 -1 -1")
    return "\n".join(lines) + "\n"


def run(program, processors, more="", exit_code=0):
    text = CAMPAIGN.replace("PROCESSORS", str(processors)).replace("MORE", more).replace("SHARES", str(list(SHARES)))
    program.write("one.yaml", text)
    program.run("run", "one.yaml", "-o", "one.h5", "--workers", "0", "--fresh", exit_code=exit_code)
    return schedfarm.open(program.folder / "one.h5"), program.run("report", "one.h5").stdout


def by_the_rule(values, share):
    """The smallest value that at least this share of all does not exceed."""
    ordered = sorted(values)
    return next(value for place, value in enumerate(ordered, 1) if place / len(ordered) >= share)


def quantiles(program):
    """Jobs that never wait: their response times are their run times, which `trace` knows too."""
    rng = np.random.default_rng(2)
    for count in (1, 2, 3, 10, 20, 100):
        runs = [10, 20] if count == 2 else [int(run) for run in rng.integers(1, 5000, count)]
        program.write("one.swf", swf(range(0, 10 * count, 10), runs, 100))
        results, _ = run(program, 100)
        row = results.replications().iloc[0]
        printed = {line["column"]: float(line["measured"])
                   for line in csv.DictReader(io.StringIO(program.run("report", "one.h5", "-f", "csv").stdout))}
        for share in SHARES:
            name = f"response_time.p{100 * share:g}"
            right = by_the_rule(runs, share)
            for tool, value, accuracy in (("/replications", row[name], 0), ("report", printed[name], 0),
                                          ("the package", results.quantile(share), 0.0025)):
                expect(math.isclose(value, right, rel_tol=accuracy * 1.0001, abs_tol=0),
                       f"{count} jobs, {name}: {tool} says {value}, not {right}")
        simulated = json.loads(program.run("simulate", "--trace", "one.swf", "--policy", "fcfs", "--json").stdout)
        of_log = json.loads(program.run("trace", "one.swf", "--json").stdout)
        for share, of_simulate, of_trace in ((0.5, "median", "median"), (0.95, "p95", "p95")):
            right = by_the_rule(runs, share)
            expect(simulated["response_time"][of_simulate] == right, f"{count} jobs: simulate says {simulated['response_time']}, not {right}")
            expect(of_log["run_time"][of_trace] == right, f"{count} jobs: trace says {of_log['run_time']}, not {right}")


def warm_up(program):
    """The first hours of this log are busier than the rest: that is what it is, and no transient to be cut."""
    submits = [10 * job for job in range(100)] + [1000 + 100 * job for job in range(300)]
    program.write("one.swf", swf(submits, [90] * 400, 4))
    results, report = run(program, 4)
    expect("MSER" not in report and "lengthen" not in report, report)
    expect("warm_up_checks" not in results.table_names or results.table("warm_up_checks").empty, "checks of one log")
    expect(len(results.table("warm_up")) > 0, "no Welch plot")


def burst(program):
    """So many jobs at once, ten at a time: waits of 0, 1, 2, ...; a limit that is written is named."""
    jobs = 100020
    program.write("one.swf", swf([0] * jobs, [1] * jobs, 10))
    results, report = run(program, 10)
    mean = float(results.estimates("wait")["mean"].iloc[0]) if len(results.estimates("wait")) else math.nan
    own = results.replications()["wait.mean"].iloc[0]
    expect(own == (jobs / 10 - 1) / 2 and (math.isnan(mean) or mean == own), f"mean wait {own}")
    expect("unstable" not in report and "lower the load" not in report, report)
    results, report = run(program, 10, ", queue_limit: 5000")
    words = " ".join(report.split())
    expect("unstable" in words and "horizon.queue_limit" in words and "lower the load" not in words, report)


def shaken(program):
    """Jobs come faster than they are done, and in the second half the more so. Replications agree on that because their jobs are the same: no queue of a system
    grows without bound."""
    submits = [45 * job for job in range(200)] + [9000 + 30 * job for job in range(200)]
    program.write("one.swf", swf(submits, [50] * 400, 1))
    text = CAMPAIGN.replace("PROCESSORS", "1").replace("MORE", "").replace("SHARES", "[0.5]").replace("resampling: none", "resampling: none, shake: 5")
    program.write("one.yaml", text.replace("replications: 1", "replications: 20").replace("policy: fcfs", "factors: {policy: [fcfs, sjf]}")
                  + "comparison: {factor: policy, metric: wait}\n")
    program.run("run", "one.yaml", "-o", "one.h5", "--workers", "0", "--fresh")
    results = schedfarm.open(program.folder / "one.h5")
    rows = results.table("stability")
    expect((rows["half_ratio_lower"] > 2).all() and set(rows["verdict"]) == {"not_stationary"}, f"{rows}")
    expect(len(results.comparisons()) == 1, "the pair of a log that grows is left out")


def test(program, _arguments):
    quantiles(program)
    warm_up(program)
    burst(program)
    shaken(program)


if __name__ == "__main__":
    sys.exit(main(test))
