"""Every command that prints has JSON: one value that parses, without NaN, with the exit code of the text, and the short form says what the
long one does. A command without is one that writes files or runs.

usage: json_test.py PROGRAM DOCS
"""
import json
import pathlib
import re
import sys

from program import SMALL_CAMPAIGN, expect, main

# What has nothing to print but what it wrote, or is progress.
WITHOUT = {"run", "resume", "plot", "gantt", "replay", "merge", "rebuild", "init", "submit", "schema", "build-policy"}

CERTIFIED = """\
campaign_format: 1
name: certified
experiment: open
system: {clusters: [4]}
workload: {model: coallocation, components: 1, component_size: {uniform: [4, 4]}}
policy: fcfs
load: {utilization: 0.4}
horizon: {jobs: 300, warm_up: {fraction: 0.2}}
replications: 4
certificate: {metric: response_time, band: [0.2, 1]}
factors: {seed: {count: 12}}
"""


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def value_of(program, *words, exit_code=0):
    return json.loads(program.run(*words, exit_code=exit_code).stdout, parse_constant=refuse)


def test(program, arguments):
    docs = pathlib.Path(arguments[0])
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.write("certified.yaml", CERTIFIED)
    for name in ("small", "certified"):
        program.run("run", f"{name}.yaml", "-o", f"{name}.h5", "--workers", "0")
    log = docs / "how-to/site.sacct.gz"
    asked = {
        "plan": ["small.yaml"], "simulate": ["--trace", "example", "--policy", "easy"], "trace": ["example"], "report": ["small.h5"],
        "diff": ["small.h5", "certified.h5"], "check": ["small.h5"], "certify": ["certified.h5"], "list": ["policies"], "status": ["small.h5"],
        "whatif": [log, "--slurm-conf", docs / "how-to/site.conf", "--vary", "bf_window=60", "--replications", "3", "-w", "0"]}
    codes = {"diff": 1, "certify": None}
    commands = re.findall(r"^  ([a-z][a-z-]*) ", program.run("--help").stdout.split("Subcommands:")[1], re.MULTILINE)
    expect(set(asked) == set(commands) - WITHOUT, f"not asked: {set(commands) - WITHOUT - set(asked)}")
    for command, words in asked.items():
        short = value_of(program, command, *words, "--json", exit_code=codes.get(command, 0))
        expect(short, f"{command} says nothing")
        if command not in ("simulate", "trace", "whatif"):
            long = value_of(program, command, *words, "--format", "json", exit_code=codes.get(command, 0))
            expect(short == long, f"{command}: --json is another than --format json")
    expect("--json" not in "".join(program.run(command, "--help").stdout for command in WITHOUT), "a command without JSON has some")

    report = value_of(program, "report", "small.h5", "--json")
    rows = value_of(program, "report", "small.h5", "--table", "estimates", "--json")
    expect(report["tables"]["estimates"] == rows and len(rows) > 3 and {"cell", "policy", "mean", "lower"} <= set(rows[0]), rows[:1])
    expect(value_of(program, "check", "small.h5", "--json")["payload_hash"] == report["payload_hash"], "check and report name two payloads")
    expect([own["name"] for own in value_of(program, "list", "fcfs", "--json")] == ["fcfs"], "list explains another")


if __name__ == "__main__":
    sys.exit(main(test))
