"""usage: own_metric_test.py PROGRAM

Metrics that a campaign makes of the columns of jobs: by hand, the same from workers, ranks and after a kill, compared, precise, and
what is wrong with them said at its place."""
import sys

import h5py

from kill_and_resume_test import run_and_kill
from program import main

# FCFS on 4 processors. job: submit, wait, run, processors
#   0:  0  0  4  2        1:  1  3  9  3        2:  2  2  1  1        3:  3  10  16  4        4:  7  22  25  1
JOBS = [(0, 4, 2), (1, 9, 3), (2, 1, 1), (3, 16, 4), (7, 25, 1)]
BY_HAND = """\
campaign_format: 1
name: by hand
seed: 1
experiment: trace
system: {clusters: [4]}
workload: {model: trace, file: jobs.swf, resampling: none}
policy: fcfs
horizon: {jobs: 5, warm_up: none}
replications: 1
probes:
  - mine: "wait / sqrt(service_time)"
  - {stretch: {expression: "response_time / processors", quantiles: [0.5], sketch: true}}
  - {cost: ["max(wait, 2.5) * processors + submit_time / 2", [0.9]]}
"""
MEAN = (0 / 2 + 3 / 3 + 2 / 1 + 10 / 4 + 22 / 5) / 5
STRETCH = [4 / 2, 12 / 3, 3 / 1, 26 / 4, 47 / 1]
COST = [2.5 * 2 + 0, 3 * 3 + 0.5, 2.5 * 1 + 1, 10 * 4 + 1.5, 22 * 1 + 3.5]

COMPARED = """\
campaign_format: 1
name: compared
seed: 3
experiment: open
system: {clusters: [16]}
workload: {model: coallocation, component_size: {uniform: [1, 4]}, service: {exponential: {mean: 3}}}
load: {utilization: 0.6}
factors: {policy: [fcfs, fpfs, easy]}
horizon: {jobs: 1000, warm_up: {fraction: 0.2}}
precision: {metric: mine, relative: 0.05, min: 20, max: 2000}
probes:
  - response_time
  - {mine: {expression: "log(1 + response_time) / sqrt(processors)", quantiles: [0.95], per_class: true}}
comparison: {factor: policy, metric: mine}
"""

WRONG = {  # of COMPARED: place, what is said
    '"log(1 + respons_time)"': (13, 21, "jobs have no column 'respons_time'. Did you mean 'response_time'?"),
    '"wait + processors"': (13, 18, "a value in 'time' and one in 'processors' are added or compared. Multiply one by a number, as in 0.5 * wait"),
    "wait *": (13, 18, "expected a number, a path or '('"),
    "[wait, [0.5], false, false, 1]": (13, 40, "'probes.mine' has 5 values but 'mine' has only 4 parameters"),
    "{expression: wait, quantile: [0.5]}": (13, 31, "unknown key 'quantile' in 'probes.mine' (it would be ignored). Did you mean 'quantiles'?"),
}


def check_by_hand(program):
    program.write("jobs.swf", "; MaxProcs: 4\n" + "".join(
        f"{k} {submit} -1 {run} {size} -1 -1 {size} {run} -1 1 {k} 1 -1 -1 -1 -1 -1\n" for k, (submit, run, size) in enumerate(JOBS, 1)))
    program.write("hand.yaml", BY_HAND)
    program.run("run", "hand.yaml", "-w", "0")
    with h5py.File(program.folder / "hand.h5") as file:
        row = file["replications"][0]
        units = dict(zip(file["replications"].attrs["columns"], file["replications"].attrs["units"]))
    assert abs(row["mine.mean"] - MEAN) < 1e-15 and row["stretch.mean"] == sum(STRETCH) / 5 and row["stretch.p50"] == 4, row
    assert row["cost.mean"] == sum(COST) / 5 and row["cost.p90"] == max(COST), row
    assert [units[name] for name in ("mine.mean", "stretch.p50", "cost.mean")] == ["time^0.5", "time/processor", "processor*time"], units
    program.write("zero.yaml", BY_HAND.replace("wait / sqrt(service_time)", "wait / wait"))
    program.run("run", "zero.yaml", "-w", "2", exit_code=1)
    with h5py.File(program.folder / "zero.h5") as file:
        message = file["failures"][0]["message"].decode()
    assert message == ("metric 'mine' (wait / wait) of job 0 is not a finite number (its wait 0). Bound what can be 0 in the expression, "
                       "as in max(service_time, 1)."), message
    program.write("below.yaml", BY_HAND.replace('"max(wait, 2.5) *', '"0 - wait *'))
    program.run("run", "below.yaml", "-w", "1", exit_code=1)
    with h5py.File(program.folder / "below.h5") as file:
        message = file["failures"][0]["message"].decode()
    assert message == "metric 'cost' of job 1 is negative (-8.5), which quantiles and sketches do not take. " \
        "Take max(0, …), or ask for the mean alone.", message
    print("ok: three metrics of five jobs are those worked out by hand, and jobs without a value are named")


def check_same_everywhere(program):
    program.write("same.yaml", COMPARED)
    program.run("run", "same.yaml", "--fresh", "-w", "0")
    payload = program.payload_hash("same.h5")
    for words, ranks in (("-w", "2"), None), ((), 3), (("-w", "0", "--verify"), None):
        program.run("run", "same.yaml", "--fresh", *words, ranks=ranks)
        assert program.payload_hash("same.h5") == payload, (words, ranks)
    run_and_kill(program, COMPARED, ("all",), seed=5)
    said = program.run("resume", "campaign.yaml", "-o", "killed.h5", "-w", "2").stdout
    assert "taken from the journal" in said and program.payload_hash("killed.h5") == payload, said
    said = program.run("report", "same.h5").stdout
    assert "Differences of mean mine" in said and "Quantiles of mine" in said and "mean mine" in program.run("status", "same.h5").stdout + said
    program.write("spaced.yaml", COMPARED.replace("log(1 + response_time) / sqrt(processors)", "(log(1.0+response_time))/sqrt(processors)"))
    hashes = {program.run("plan", f"{name}.yaml").stdout.partition("; plan ")[2].split()[0] for name in ("same", "spaced")}
    assert len(hashes) == 1, hashes
    print("ok: a metric of one's own has the same bits from this process, workers, ranks, verified and after a kill, and is compared")


def check_wrong(program):
    for text, (line, column, what) in WRONG.items():
        program.write("wrong.yaml", COMPARED.replace(COMPARED[COMPARED.index("{mine: {exp"):COMPARED.index("comparison")], f"{{mine: {text}}}\n"))
        said = program.run("plan", "wrong.yaml", exit_code=2).stderr
        assert f"wrong.yaml:{line}:" in said and what in said, said
        assert f"wrong.yaml:{line}:{column}: " in said, (column, said)
    for name, what in (("wait", "is a metric of the program. Give yours another name."), ("my.own", "is no name of a metric"),
                       ("backlog_growth", "is observed anyway in cell 0. Give your metric another name."), ("wall_time_ms", "is observed anyway")):
        program.write("wrong.yaml", COMPARED.replace("{mine: {exp", f"{{{name}: {{exp").replace("metric: mine", "metric: response_time"))
        said = program.run("plan", "wrong.yaml", exit_code=2).stderr
        assert f"wrong.yaml:13:6: '{name}' {what}" in said, said
    program.write("wrong.yaml", COMPARED.replace("{mine: {exp", "{slow_down: {qu").replace('ression: "log(1 + response_time) / sqrt(processors)", quantiles', "antiles").replace("metric: mine", "metric: response_time"))
    said = program.run("plan", "wrong.yaml", exit_code=2).stderr
    assert "unknown probe 'slow_down'. Did you mean 'slowdown'?" in said, said
    print("ok: what is wrong with a metric of one's own is said at its line and column")


def test(program, _arguments):
    for check in (check_by_hand, check_same_everywhere, check_wrong):
        check(program)


if __name__ == "__main__":
    sys.exit(main(test))
