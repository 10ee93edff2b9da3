"""A campaign with a precision target stops at the same replications with the same payload on any number of
ranks and after kills at random times; a tighter target goes on from what is there and ends where a fresh run
ends; so do comparisons, selections, placed loads and searches.

usage: precision_test.py PROGRAM
"""
import re
import resource
import sys

import h5py

from kill_and_resume_test import run_and_kill
from program import expect, main

CAMPAIGN = """\
campaign_format: 1
name: precision
seed: 21
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 500, warm_up: {fraction: 0.2}}
precision: {metric: response_time, relative: 0.05, min: 16, max: 20000}
policy: fcfs
factors:
  load.utilization: [0.5, 0.62]
"""

COMPARISON = CAMPAIGN.replace("policy: fcfs\n", "").replace("[0.5, 0.62]", "[0.5, 0.6]") + """\
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
comparison: {factor: policy, metric: response_time, baseline: fcfs, relative: 0.05}
"""

SELECTION = """\
campaign_format: 1
name: selection
seed: 22
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 500, warm_up: {fraction: 0.2}}
load: {utilization: 0.6}
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf, ljf]
selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.01,
            first_stage: 24, round: 8}
"""

PLACED = """\
campaign_format: 1
name: placed
seed: 23
experiment: open
system: {clusters: [8, 8, 8, 8]}
workload: {model: coallocation, request: unordered, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 2000, warm_up: {fraction: 0.2}}
precision: {metric: response_time, relative: 0.1, min: 16, max: 2000}
policy: fcfs
pilot: {jobs: 2000, warm_up: {fraction: 0.2}, backlog: 16, replications: 16}
factors:
  load.utilization: {below_saturation: 3}
"""

SEARCH = """\
campaign_format: 1
name: search
seed: 24
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 4000, warm_up: {jobs: 500}, start: {backlog: 200}}
load: {search: {criterion: drift, between: [0.4, 1.0], width: 0.02}}
policy: fcfs
probes: [response_time]
"""


OVERLOADED = """\
campaign_format: 1
name: overloaded
seed: 25
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 20000000, warm_up: {fraction: 0.2}, queue_limit: 1000}
precision: {metric: response_time, relative: 0.05, min: 16, max: 64, budget: {jobs: 400000000}}
allow_unstable: true
policy: POLICY
factors:
  load.utilization: [0.95, 0.3]
overrides:
  - {when: {load.utilization: 0.3}, set: {horizon.jobs: 2000}}
"""


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def counts(program, results):
    """(replications used, status) by cell."""
    with h5py.File(program.folder / results, "r") as file:
        cells = file["cells"]
        return list(zip((int(n) for n in cells["replications_used"]), map(text, cells["status"])))


def reused_and_computed(done):
    computed = int(re.match(r"(\d+) replications computed", done.stdout)[1])
    reused = re.search(r"(\d+) taken from the journal", done.stdout)
    return (int(reused[1]) if reused else 0), computed


def test_ranks(program, campaigns):
    for name, campaign in campaigns.items():
        program.write("campaign.yaml", campaign)
        ends = {}
        for ranks in (None, 1, 2, 3, 5, 8) if name == "precision" else (None, 3):
            results = f"{name}-{ranks}.h5"
            options = ["--workers", "0"] if ranks is None else []
            program.run("run", "campaign.yaml", "-o", results, *options, ranks=ranks)
            program.run("check", results)
            ends[ranks] = (program.payload_hash(results), tuple(counts(program, results)))
        expect(len(set(ends.values())) == 1, f"{name}: differs by ranks: {ends}")
        print(name, ends[None])


def test_kills(program):
    long_run = CAMPAIGN.replace("jobs: 500", "jobs: 20000").replace("relative: 0.05", "relative: 0.01")
    run_and_kill(program, long_run, ("all", "worker", "all"), seed=8)
    program.run("resume", "campaign.yaml", "-o", "killed.h5", ranks=2)
    expect(program.payload_hash("killed.h5") == program.payload_hash("whole.h5"), "the payload changed")


def test_extension(program):
    program.write("campaign.yaml", CAMPAIGN)
    first = program.run("run", "campaign.yaml", "-o", "extended.h5", ranks=3)
    before = counts(program, "extended.h5")
    tight = program.write("tight.yaml", CAMPAIGN.replace("relative: 0.05", "relative: 0.02"))
    refused = program.run("resume", tight, "-o", "extended.h5", "--workers", "0", exit_code=2)
    expect("--extend" in refused.stderr, refused.stderr)
    second = program.run("run", tight, "-o", "extended.h5", "--extend", ranks=3)
    program.run("run", tight, "-o", "fresh.h5", "--workers", "0")
    after = counts(program, "extended.h5")
    reused, computed = reused_and_computed(second)
    expect(reused == reused_and_computed(first)[1], f"not all was reused: {first.stdout}{second.stdout}")
    expect(all(new[0] > old[0] for new, old in zip(after, before)), f"{before} -> {after}")
    used = sum(n for n, _ in after)
    expect(reused + computed >= used, "replications appeared from nowhere")
    expect(computed < used, "everything was computed again")
    expect(program.payload_hash("extended.h5") == program.payload_hash("fresh.h5"),
           "the extended run differs from a fresh one")
    print(f"{before} -> {after}: {reused} reused, {computed} computed")
    other = program.write("other.yaml", CAMPAIGN.replace("seed: 21", "seed: 22"))
    refused = program.run("run", other, "-o", "extended.h5", "--extend", "--workers", "0", exit_code=2)
    expect("none of its" in refused.stderr, refused.stderr)
    program.run("resume", tight, "-o", "extended.h5", "--workers", "0")  # nothing was lost by that


def test_overload(program):
    """A cell above saturation ends as unstable in bounded memory, and the campaign goes on."""
    for policy in ("fcfs", "{fpfs: {max_jumps: 7}}", "sjf"):
        program.write("campaign.yaml", OVERLOADED.replace("POLICY", policy))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        done = program.run("run", "campaign.yaml", "-o", "overloaded.h5", "--fresh", "--workers", "0")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        ends = counts(program, "overloaded.h5")
        expect(ends[0] == (1, "unstable") and ends[1][1] == "met", f"{policy}: {ends}")
        expect("unstable" in done.stderr, done.stderr)
        expect(peak < max(before, 200 * 1024), f"{policy}: {peak} KiB of memory")
        report = " ".join(program.run("report", "overloaded.h5").stdout.split())
        expect("the queue passed its limit (horizon.queue_limit), or a job waited for ever, in replication 0" in report, f"no evidence: {report}")
        program.run("check", "overloaded.h5")


def test(program, _arguments):
    test_ranks(program, {
        "precision": CAMPAIGN,
        "comparison": COMPARISON,
        "kn": SELECTION,
        "placed": PLACED,
        "search": SEARCH})
    test_overload(program)
    test_kills(program)
    test_extension(program)


if __name__ == "__main__":
    sys.exit(main(test))
