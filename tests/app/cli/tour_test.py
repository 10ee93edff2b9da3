"""A tour as a new user takes it: one log under three policies, each once and then replicated; plan, run, status meanwhile, report in
five forms, kinds of figures and the page, the second time the commonest of them. Every estimate that a form prints is the file's.

usage: tour_test.py PROGRAM
"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
import time

from program import expect, main

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "python" / "src"
sys.path.insert(0, str(SOURCES))

import schedfarm

CAMPAIGN = """campaign_format: 1
name: tour
seed: 1
experiment: trace
system: {{clusters: [64]}}
workload: {{model: trace, file: example, load_factor: 6, resampling: {resampling}}}
horizon: {{jobs: {jobs}}}
{rule}
probes: [{{queueing_time: {{sketch: true}}}}, bounded_slowdown]
job_log: {{replications: 1, utilization_parts: 8}}
factors:
  policy: [fcfs, easy, conservative]
"""
FORMS = ("text", "markdown", "latex", "csv", "html")
KINDS = ("convergence", "curve", "ecdf", "forest", "heatmap", "queue", "ranks", "utilization", "welch")


def numbers_in(text):
    return {float(word) for word in re.findall(r"\d+(?:\.\d+)?", text.replace("\\,", "").replace(",", ""))}


def expect_printed(program, name, estimates, forms):
    """To four digits or fewer, as the text rounds them; with all of them in the table."""
    for form in forms:
        options = ["--format", form] + (["-o", "tour.html"] if form == "html" else [])
        printed = program.run("report", name, *options).stdout
        if form == "html":
            printed = (program.folder / "tour.html").read_text()
            expect("<html" in printed, "no page")
        found = numbers_in(printed)
        for row in estimates.itertuples():
            if form == "csv":
                measured = [float(line["measured"]) for line in csv.DictReader(io.StringIO(printed)) if line["measured"]]
                expect(row.mean in measured, f"{name} as csv: no {row.mean}")
            else:
                near = [number for number in found if abs(number - row.mean) <= 0.05 * abs(row.mean)]
                expect(near, f"{name} as {form}: nothing near {row.metric} = {row.mean}")


def expect_figures(program, name, kinds):
    """Drawn, or refused in a sentence: never a traceback or a warning of matplotlib."""
    for kind in kinds:
        done = program.run("plot", name, "--kind", kind, "-o", f"{kind}.svg", exit_code=None)
        said = done.stdout + done.stderr
        expect("Traceback" not in said and "Warning" not in said, f"{kind} of {name}: {said}")
        expect(done.returncode in (0, 2), f"{kind} of {name}: exit code {done.returncode}: {said}")


def run_with_status(program):
    """Past a progress line; `status` meanwhile."""
    with open(program.folder / "said", "w") as said:
        with subprocess.Popen([program.path, "run", "tour.yaml", "--workers", "0", "--fresh"], cwd=program.folder, stdin=subprocess.DEVNULL,
                              stdout=said, stderr=said, env=os.environ) as run:
            while run.poll() is None:
                if (program.folder / "tour.h5.journal").exists():
                    status = program.run("status", "tour.h5", exit_code=None)
                    expect(status.returncode in (0, 1) and "contract broken" not in status.stderr, f"status: {status.stdout}{status.stderr}")
                time.sleep(0.3)
        expect(run.returncode == 0, (program.folder / "said").read_text())


def test(program, _arguments):
    os.environ["PYTHONPATH"] = str(SOURCES)
    for resampling, jobs, rule in (("none", "all", "replications: 1"),
                                   ("users", "1500", "replications: 12\n"
                                                     "comparison: {factor: policy, metric: queueing_time, baseline: fcfs}")):
        program.write("tour.yaml", CAMPAIGN.format(resampling=resampling, jobs=jobs, rule=rule))
        expect("easy" in program.run("plan", "tour.yaml").stdout, "plan names no policy")
        run_with_status(program)
        program.run("check", "tour.h5")
        with schedfarm.open(program.folder / "tour.h5") as results:
            estimates = results.estimates(metric="queueing_time.mean")
            expect(len(estimates) == 3, f"{estimates}")
            expect_printed(program, "tour.h5", estimates, FORMS if resampling == "none" else ("text", "csv", "html"))
        expect_figures(program, "tour.h5", KINDS if resampling == "none" else ("curve", "forest"))


if __name__ == "__main__":
    sys.exit(main(test))
