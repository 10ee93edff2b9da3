"""The campaigns of the gang scheduling paper, in short forms: every file plans; on the generator claims get
intervals, and what no chance can change comes out; where the log is found, all claims of section 6 get the verdicts
of an independent reproduction.

usage: gang_campaigns_test.py PROGRAM [--logs]
--logs: the part on the log, which is found in $SCHEDFARM_TRACES; skipped without.
"""
import os
import pathlib
import sys

from program import expect, main, short_or_long

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

import schedfarm

CAMPAIGNS = pathlib.Path(__file__).parents[4] / "campaigns" / "gang"
PARTS = {"common.yaml", "log.yaml"}
SHORT = f"""\
campaign_format: 1
name: figures 4 to 7, short
include: ["{CAMPAIGNS}/figures4-7%s.yaml"]
replications: %d
overrides: []
"""
# Normalized response on the log, T = 1,000, cost 1, in the slices that begin at its second 0.
LEAVES = [1.181, 1.215, 1.197, 1.303, 1.381, 1.936, 8.795, 32.96, 75.88, 64.26]
MONTH_JOBS = [2514, 710, 747, 599, 900, 473, 420, 74, 45, 23]  # sum 6505
ROOT = [4.365, 4.897, 5.876, 5.878, 10.07, 5.013, 3.814, 1.567, 13.21, 64.26]


def claims_of(path):
    with schedfarm.open(path) as results:
        return results.claims().set_index("claim").fillna({"e_value": -1.0}).to_dict("index")


def quantities_of(path, quantity="", **levels):
    """{class: value} of the cell with these levels."""
    with schedfarm.open(path) as results:
        rows = results.select(**levels).table("quantities")
        rows = rows[(rows["quantity"] == quantity) | (quantity == "")]
        return dict(zip(rows["class"], rows["mean"]))


def classes_of_figure_3(program, campaign):
    """The number of jobs of each class is exact, and the report tells it."""
    program.write("figure3.yaml", f"campaign_format: 1\nname: figure 3\ninclude: ['{CAMPAIGNS}/{campaign}.yaml']\n")
    program.run("run", "figure3.yaml", "-o", "figure3.h5", "--workers", "2", timeout=900)
    program.run("check", "figure3.h5")
    claim = claims_of(program.folder / "figure3.h5")["number of jobs"]
    expect(claim["verdict"] == "holds" and claim["places"] == 10, f"number of jobs: {claim}")
    counts = quantities_of(program.folder / "figure3.h5", "jobs")
    expect([counts[c] for c in range(10)] == MONTH_JOBS, f"jobs by class: {counts}")
    report = program.run("report", "figure3.h5", "--format", "markdown").stdout
    expect("| " + " | ".join(map(str, MONTH_JOBS)) + " |" in report, f"no row of counts: {report}")


def generated(program):
    program.write("short.yaml", SHORT % ("", short_or_long(2, 3)) + "horizon: {jobs: 2000}\nfactors: {policy.*.timeplexing_cycle_s: [500, 1000, 2000, 3000, "
                  "5000]}\n")
    program.run("run", "short.yaml", "-o", "short.h5", "--workers", "2", timeout=900)
    program.run("check", "short.h5")
    claims = claims_of(program.folder / "short.h5")
    expect(claims["class 9"]["verdict"] == "holds", f"class 9 is not equal: {claims['class 9']}")
    expect(claims["vanilla"]["places"] == 45, f"places: {claims['vanilla']}")
    report = program.run("report", "short.h5").stdout
    expect("Claims of the paper" in report and "class 9" in report, "no table of claims")
    program.run("run", "short.yaml", "-o", "one.h5", "--workers", "1", timeout=900)
    expect(claims_of(program.folder / "one.h5") == claims, "other verdicts from other ranks")
    program.run("diff", "short.h5", "one.h5")


def on_the_log(program):
    program.write("log.yaml", SHORT % ("_log", 1))
    program.run("run", "log.yaml", "-o", "log.h5", "--workers", "2", timeout=900)
    program.run("check", "log.h5")
    claims = claims_of(program.folder / "log.h5")
    wrong = {name: claim["verdict"] for name, claim in claims.items() if claim["verdict"] != claim["expected"]}
    expect(len(claims) == 21 and not wrong, f"{len(claims)} claims, otherwise: {wrong}")
    for policy, wanted in (("leaves", LEAVES), ("root", ROOT)):
        found = quantities_of(program.folder / "log.h5", policy=policy, timeplexing_cycle_s=1000, switch_cost_s=1)
        expect(all(abs(found[c] / wanted[c] - 1) < 1e-3 for c in range(10)), f"{policy}: {found}")


def test(program, arguments):
    if "--logs" in arguments:
        if not os.environ.get("SCHEDFARM_TRACES"):
            print("skipped: $SCHEDFARM_TRACES names no folder with the logs")
            sys.exit(77)
        for file in sorted(CAMPAIGNS.glob("*_log.yaml")):
            program.run("plan", file)
        on_the_log(program)
        classes_of_figure_3(program, "figure3_log")
        return
    for file in sorted(CAMPAIGNS.glob("*.yaml")):
        if file.name not in PARTS and "_log" not in file.name:
            program.run("plan", file)
    done = program.run("plan", CAMPAIGNS / "figure3_log.yaml", exit_code=2, environment={"SCHEDFARM_TRACES": "."})
    expect("belong into $SCHEDFARM_TRACES" in done.stderr, f"no word where the log is: {done.stderr}")
    generated(program)
    classes_of_figure_3(program, "figure3")


if __name__ == "__main__":
    sys.exit(main(test))
