"""The campaigns of the certificate in a short form: every row of every file is measured in two seeds, and those that some
hundred seeds judge in a second are as they should be.

usage: certificate_test.py PROGRAM
"""
import csv
import io
import pathlib
import sys

from program import expect, main

CAMPAIGNS = pathlib.Path(__file__).resolve().parents[4] / "campaigns/certificate"
FILES = {path.stem: path for path in sorted(CAMPAIGNS.rglob("*.yaml")) if path.stem != "common"}
# So short that a row of two seeds takes no time; what they give is not looked at.
SHORT = """\
campaign_format: 1
name: short
include: ['{file}']
factors: {{seed: {{count: {count}}}}}
{more}"""
SHORTER = {
    "default_horizon": "precision: {metric: response_time, relative: 0.5}\n",
    "default_rule": "factors: {{seed: {{count: 2}}, precision: {{zip: {{precision.relative: [0.4], certificate.band: [[0.9, 1]]}}}}}}\n",
    "drift_search_narrow": "load: {search: {criterion: drift, width: 0.05}}\n",
    "replication_deletion": "replications: 2\n",
    "search_start": "factors: {seed: {count: 2}, load.search.threshold: {zip: {load.search.threshold: [4], certificate.truth: [0.75]} } }\nload: {search: {criterion: response_time, between: [0.5, 0.98], width: 0.05} }\n",
    "response_search": "factors: {seed: {count: 2}, load.search.width: [0.05]}\n",
    "strict_rule": "precision: {metric: service_time, confidence: 0.95, rule: strict, relative: 0.9}\n",
}
JUDGED = {"negative_control_short_run": 100, "negative_control_two_replications": 400, "ordered_prefix": 60, "p_values": 500}


def certified(program, name, count, more="", exit_code=0):
    text = SHORT.format(file=FILES[name], count=count, more="")
    if more.startswith("factors"):
        text = text.replace(f"factors: {{seed: {{count: {count}}}}}\n", more.replace("{{", "{").replace("}}", "}"))
    else:
        text += more
    program.run("run", program.write(f"{name}.yaml", text), "-w", "0")
    done = program.run("certify", f"{name}.h5", "--format", "csv", exit_code=exit_code)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test(program, _arguments):
    for name in FILES:
        if name in JUDGED:
            rows = certified(program, name, JUDGED[name])
            expect(all(row["verdict"] in ("holds", "fails as it should", "too few seeds") for row in rows), rows)
        else:
            rows = certified(program, name, 2, SHORTER.get(name, ""), exit_code=None)
            expect(rows and all(row["judged"].endswith(" of 2") for row in rows), rows)


if __name__ == "__main__":
    sys.exit(main(test))
