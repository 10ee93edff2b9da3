"""Result files of small campaigns for the tests of the package, computed by the program in a second."""
import atexit
import functools
import os
import pathlib
import shutil
import subprocess
import tempfile

import schedfarm

ROOT = pathlib.Path(__file__).resolve().parents[2]

POLICIES = """\
campaign_format: 1
name: four policies
seed: 7
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 1000, warm_up: {fraction: 0.2}}
precision: {metric: response_time, relative: 0.1, min: 20, max: 40}
probes: [{response_time: {sketch: true, quantiles: [0.5, 0.95]}}, queue_length, {bounded_slowdown: {threshold: 2}}]
job_log: {replications: 1, utilization_parts: 20}
comparison: {factor: policy, metric: response_time, baseline: fcfs}
allow_unstable: true
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
  load.utilization: [0.5, 0.6, 0.7, 0.95]
"""
# What is to be precise is a difference, and the cap comes first.
DIFFERENCES = POLICIES.replace("precision: {metric: response_time, relative: 0.1, min: 20, max: 40}", "precision: {metric: response_time, relative: 0.5, min: 10, max: 12}") \
    .replace("baseline: fcfs}", "baseline: fcfs, relative: 0.001}").replace("[0.5, 0.6, 0.7, 0.95]", "[0.5, 0.6]")
SATURATED = """\
campaign_format: 1
name: saturation
seed: 7
experiment: saturated
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 1000, warm_up: {fraction: 0.2}, backlog: 64}
replications: 10
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
"""
# Jobs of 2 on 3 processors: under FCFS one runs at a time, so that at most 2/3 are busy.
PLACED = """\
campaign_format: 1
name: placed loads
seed: 7
experiment: open
system: {clusters: [3]}
workload: {model: coallocation, components: 1, component_size: {uniform: [2, 2]}}
horizon: {jobs: 300, warm_up: {fraction: 0.2}}
pilot: {jobs: 300, replications: 4}
replications: 4
factors:
  policy: [fcfs, sjf]
  load.utilization: {of_saturation: [0.5, 0.75]}
"""
SECONDS = """\
campaign_format: 1
name: seconds
seed: 7
experiment: open
system: {clusters: [128]}
workload: {model: lublin_feitelson}
policy: easy
load: {utilization: 0.5}
horizon: {jobs: 100}
replications: 2
probes: [response_time]
"""
TABLE1 = f"""\
campaign_format: 1
include: [{ROOT}/campaigns/coallocation/table1.yaml]
horizon: {{fills: 100, jobs: 300}}
replications: 10
"""
CLASSES = """\
campaign_format: 1
name: by class
seed: 5
time_unit: minutes
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}, size_classes: [8, 12]}
load: {utilization: 0.6}
horizon: {jobs: 500, warm_up: {fraction: 0.2}}
replications: 4
probes: [{response_time: {per_class: true}}]
factors: {policy: [fcfs, easy]}
report:
  figures:
    - {kind: bars, y: response_time}
    - {kind: convergence, select: {policy: easy}}
"""
# Numbers made of observations: quantities, by class and not, and wall times.
MADE = """\
campaign_format: 1
name: made of observations
seed: 5
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}, size_classes: [8, 12]}
horizon: {jobs: 500, warm_up: {fraction: 0.2}}
replications: 6
probes: [{response_time: {per_class: true}}, {service_time: {per_class: true}}, job_size]
factors:
  policy: [fcfs, easy]
  load.utilization: [0.3, 0.4, 0.5, 0.6]
claims:
  quantities:
    normalized: response_time.mean[class] / service_time.mean[class]
    beyond_service: response_time.mean - service_time.mean
report:
  metrics: [wall_time_ms beyond fcfs, response_time.mean]
  figures:
    - {kind: curve, y: normalized, facet: class}
    - {kind: curve, y: response_time, range: response_time}
    - {kind: bars, y: normalized, select: {policy: easy, load.utilization: 0.6}}
    - {kind: curve, y: wall_time_ms}
"""
# Every name is markup for some reader.
HOSTILE = """\
campaign_format: 1
name: "<script>alert('name')</script> & $\\\\alpha$"
seed: 7
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 200, warm_up: {fraction: 0.2}}
replications: 3
probes: [response_time]
factors:
  kind:
    zip: {policy: [fcfs, sjf]}
    labels: ["<img src=x onerror=alert(1)>", "50 % $x_1$ \\\\frac & _{y"]
  load.utilization: [0.4, 0.5]
"""
# A log of 40 jobs in two queues, whose waits it records, and one whose waits it does not.
REPLAYS = """\
campaign_format: 1
name: replays
seed: 1
experiment: trace
system: {clusters: [16]}
workload: {model: trace, resampling: none}
horizon: {jobs: all, warm_up: none}
replications: 1
factors:
  policy: [easy, fcfs]
  workload.file: [waits.swf, none.swf]
"""


def log(has_waits):
    lines = [f"{job} {40 * job} {37 * job % 500 if has_waits else -1} {60 + 977 * job % 2000} {1 + job % 16} -1 -1 -1 4000 -1 1 1 -1 -1 {1 + job % 2} -1 -1 -1\n"
             for job in range(1, 41)]
    return "".join(["; MaxProcs: 16\n; Queue: 1 night\n", *lines])


CAMPAIGNS = {"policies": POLICIES, "differences": DIFFERENCES, "saturated": SATURATED, "placed": PLACED, "seconds": SECONDS, "table1": TABLE1, "classes": CLASSES, "made": MADE, "hostile": HOSTILE, "replays": REPLAYS,
             "nodes": (ROOT / "docs/gallery/nodes.yaml").read_text()}

_folder = pathlib.Path(tempfile.mkdtemp(prefix="schedfarm-python-"))
atexit.register(shutil.rmtree, _folder, ignore_errors=True)


def folder():
    return _folder


@functools.lru_cache(maxsize=None)
def path(name):
    """The result file of one of CAMPAIGNS."""
    campaign = _folder / f"{name}.yaml"
    campaign.write_text(CAMPAIGNS[name])
    for file in ("waits.swf", "none.swf"):
        (_folder / file).write_text(log(file == "waits.swf"))
    subprocess.run([os.environ["SCHEDFARM_PROGRAM"], "run", str(campaign), "-w", "0", "--waits", "-o", str(_folder / f"{name}.h5")],
                   check=True, capture_output=True, cwd=_folder)
    return str(_folder / f"{name}.h5")


@functools.lru_cache(maxsize=None)
def results(name):
    return schedfarm.open(path(name))
