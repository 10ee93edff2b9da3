"""A tour as a new user takes it: one log under three policies, each once and then replicated; plan, run past its progress line, status
meanwhile, report in five forms, every kind of figure, and the page in Chromium. Every number that is printed is one of the file.

usage: tour_test.py PROGRAM
"""
import csv
import io
import math
import os
import pathlib
import re
import subprocess
import sys
import time

import matplotlib

from printed_numbers import Numbers, expect_found, expect_wrong_numbers_are_seen, value_and_unit
from program import expect, main

ROOT = pathlib.Path(__file__).resolve().parents[4]
SOURCES = ROOT / "python" / "src"
sys.path[:0] = [str(SOURCES), str(ROOT / "tests" / "python")]
matplotlib.use("Agg")

import schedfarm
from browser import Browser, is_installed
from schedfarm import RequestError, _figures, plot

CAMPAIGN = """campaign_format: 1
name: tour
seed: 1
experiment: trace
system: {{clusters: [64]}}
workload: {{model: trace, file: example, load_factor: 6, resampling: {resampling}, classes: queues}}
horizon: {{jobs: {jobs}}}
{rule}
probes: [{{wait: {{sketch: true, quantiles: [0.5, 0.95], per_class: true}}}}, bounded_slowdown]
job_log: {{replications: 1, utilization_parts: 8}}
factors:
  policy: [fcfs, easy, conservative]
"""
REPLICATIONS = 300
# Options that a kind of figure asks for, and the kinds that such a campaign has nothing for.
OPTIONS = {"pareto": ["--x", "wait", "--y", "bounded_slowdown"], "convergence": ["-c", "1"], "welch": ["-c", "1"]}
NOTHING_FOR = {"heatmap", "logged", "normalised", "paper"}


def estimates_of_status(text):
    """The cell, how many are done, what is known, and in how many seconds."""
    rows = re.findall(r"^ *(\d+) +\w+ +(\d+)/\d+ +\w+ +wait.mean (\S+)(?: \[.*?\])?(?: (min|h|d))?", text, re.MULTILINE)
    return [(cell, own, mean, {"min": 60, "h": 3600, "d": 86400}.get(unit, 1)) for cell, own, mean, unit in rows]


def run_with_status(program, replications):
    """Past a progress line, which comes every 0.2 s on a terminal; what `status` says meanwhile."""
    seen = []
    with open(program.folder / "said", "w", encoding="utf-8") as said:
        with subprocess.Popen([program.path, "run", "tour.yaml", "--workers", "0", "--fresh", "--progress", "bar"], cwd=program.folder,
                              stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=os.environ) as run:
            while run.poll() is None:
                if (program.folder / "tour.h5.journal").exists():
                    status = program.run("status", "tour.h5", exit_code=None)
                    if "It is running" in status.stdout:
                        seen.append(status.stdout)
                time.sleep(0.1)
    said = (program.folder / "said").read_text()
    expect(run.returncode == 0, said)
    lines = re.findall(r"(\d+) of (\d+) replications", said)
    expect(replications == 1 or lines, f"no progress line: {said}")
    expect(all(int(done) <= int(of) == 3 * replications for done, of in lines), f"{lines}")
    return seen


def expect_status(looks, results, replications):
    """What it said in mid-run is the mean of the first replications of the file, and it never went back."""
    rows = results.replications()
    before = 0
    for look in looks:
        done, of = map(int, re.search(r"(?:(\d+) of )?(\d+) replications?\b", look).groups(default=3 * replications))
        expect(before <= done <= of == 3 * replications, look)
        before = done
        cells = estimates_of_status(look)
        expect(sum(int(own) for _, own, _, _ in cells) <= done, look)
        for cell, own, mean, seconds in cells:
            value, unit = value_and_unit(mean)
            first = rows[rows["cell"] == int(cell)]["wait.mean"].iloc[:int(own)].mean() / seconds
            expect(abs(value - first) <= 0.5000001 * unit, f"cell {cell}: {mean}, not {first}:\n{look}")
    told = [cell for look in looks for cell in estimates_of_status(look)]
    expect(replications == 1 or told, f"status says nothing of a run: {looks}")


def texts_of(figure):
    """What is written in a figure, but for its axes."""
    found = list(figure.texts)
    for ax in figure.axes:
        found += [*ax.texts, ax.title, ax._left_title, ax._right_title, *(ax.get_legend().get_texts() if ax.get_legend() else [])]
    return "\n".join(text.get_text() for text in found if text.get_visible())


def expect_figures(program, numbers, results, nothing_for):
    """Every kind that there is: drawn by the program, or refused in a sentence; what is written in it is in the file."""
    parser = _figures.argparse.ArgumentParser()
    _figures.add_options(parser)
    for kind in _figures.KINDS:
        words = ["--kind", kind, *OPTIONS.get(kind, [])]
        done = program.run("plot", "tour.h5", *words, "-o", f"{kind}.svg", exit_code=None)
        said = done.stdout + done.stderr
        expect("Traceback" not in said and "Warning" not in said, f"{kind}: {said}")
        expect((done.returncode == 2) == (kind in nothing_for), f"{kind}: exit code {done.returncode}: {said}")
        try:
            drawn = _figures.draw(results, parser.parse_args(words), "page")
        except RequestError:
            expect(kind in nothing_for, f"{kind} is refused")
            continue
        expect_found(numbers, texts_of(plot._canvas.figure_of(drawn)), f"figure {kind}")
        plot.close(drawn)


def expect_page(program, numbers, browser):
    """In a browser, everything unfolded; of figures what their points say."""
    program.run("report", "tour.h5", "--format", "html", "-o", "tour.html")
    if browser is None:
        return
    browser.open(program.folder / "tour.html")
    text = browser.run("""
        document.querySelectorAll('details').forEach((part) => { part.open = true; });
        const told = [...document.querySelectorAll('svg title')].map((title) => title.textContent);
        document.querySelectorAll('svg, #provenance, p.csv').forEach((part) => { part.remove(); });
        return [document.querySelector('main').innerText, ...told].join('\\n');""")
    expect(browser.console() == [], "the page complains")
    expect(re.search(r"Measured: jobs [\d,]+ to [\d,]+", text), f"no jobs measured: {text}")
    expect_found(numbers, text, "the page")


def expect_csv(program, results):
    """Every digit."""
    table = list(csv.DictReader(io.StringIO(program.run("report", "tour.h5", "--format", "csv").stdout)))
    known = results.estimates()
    for line in table:
        row = known[(known["policy"] == line["policy"]) & (known["metric"] == line["column"])]
        for name, column in (("measured", "mean"), ("lower", "lower"), ("upper", "upper")):
            value = float(row[column].iloc[0])
            expect(line[name] == "" if math.isnan(value) else float(line[name]) == value, f"{name} of {line}: {value}")
    expect(len(table) >= 6, f"{table}")


def take_tour(program, browser, rule, replications, resampling, jobs):
    program.write("tour.yaml", CAMPAIGN.format(resampling=resampling, jobs=jobs, rule=rule))
    planned = program.run("plan", "tour.yaml").stdout
    looks = run_with_status(program, replications)
    program.run("check", "tour.h5")
    numbers = Numbers(program.folder / "tour.h5")
    of_page = Numbers(program.folder / "tour.h5", more=["warm_up"])
    expect_found(numbers, planned, "plan")
    with schedfarm.open(program.folder / "tour.h5") as results:
        expect_status(looks, results, replications)
        for form in ("text", "markdown", "latex"):
            printed = program.run("report", "tour.h5", "--format", form).stdout
            expect(re.search(r"Measured: jobs [\d,]+ to [\d,]+", printed), f"no jobs measured: {printed}")
            expect_found(numbers, printed, form)
        expect_wrong_numbers_are_seen(numbers, printed, "LaTeX")
        expect_csv(program, results)
        expect_page(program, of_page, browser)
        expect_figures(program, numbers, results, NOTHING_FOR | ({"forest"} if replications == 1 else set()))


def test(program, _arguments):
    os.environ["PYTHONPATH"] = str(SOURCES)
    browser = Browser() if is_installed() else None
    try:
        take_tour(program, browser, "replications: 1", 1, "none", "all")
        compared = f"replications: {REPLICATIONS}\ncomparison: {{factor: policy, metric: wait, baseline: fcfs}}"
        take_tour(program, browser, compared, REPLICATIONS, "users", "1500")
    finally:
        if browser is not None:
            browser.close()


if __name__ == "__main__":
    sys.exit(main(test))
