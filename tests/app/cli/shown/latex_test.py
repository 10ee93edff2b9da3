"""Everything that `report --format latex` prints goes through pdflatex and stays within the text of an article: rows that begin
with a bracket or a star, intervals with and without an upper end, the papers' tables, comparisons, selections, quantiles, classes,
claims, more rows than a page, names wider than one. And `report.intervals` in every format. Skipped where there is no pdflatex.

usage: latex_test.py PROGRAM
"""
import pathlib
import re
import shutil
import subprocess
import sys

from program import MOLDABLE_CAMPAIGN, SMALL_CAMPAIGN, Failure, expect, main

CAMPAIGNS = pathlib.Path(__file__).resolve().parents[4] / "campaigns"

# 60 jobs have 0.06 beyond their P99.9, and 12 replications do not bound it.
OPEN = """\
campaign_format: 1
name: "Response & 50 % of [brackets], λ = 0.5 … ~ ^ \\\\ {#1} <_$>"
seed: 31
experiment: open
system: {clusters: [8]}
workload: {model: coallocation, components: 1}
horizon: {jobs: 60, warm_up: {jobs: 10}}
probes: [{response_time: {quantiles: [0.5, 0.999], per_class: true}}, service_time, {slowdown: {sketch: true}}]
load: {utilization: 0.6}
factors:
  workload.component_size: [{uniform: [1, 4]}, {uniform: [1, 2]}]
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
"""

# As many as control variates need: ten for each parameter of the regression.
COMPARED = OPEN + """\
replications: 20
comparison: {factor: policy, metric: response_time, baseline: fcfs}
control_variates: {metric: response_time, controls: [service_time]}
"""

SELECTED = OPEN + """\
selection: {factor: policy, metric: response_time, best: smallest, indifference: 0.5, first_stage: 10, max: 50}
report: {intervals: bounds}
"""

SHORT = OPEN + """\
precision: {metric: response_time, relative: 0.001, min: 4, max: 6}
job_log: {replications: 1}
report: {metrics: [least response_time, response_time.p99.9, response_time, wall_time_ms]}
"""

LONG = f"""\
campaign_format: 1
name: {'wwwwwwwwww ' * 12}
seed: 31
experiment: open
system: {{clusters: [8]}}
workload: {{model: coallocation, components: 1, component_size: {{uniform: [1, 4]}}}}
horizon: {{jobs: 60, warm_up: {{jobs: 10}}}}
replications: 2
factors:
  rule: {{zip: {{policy: [fcfs, sjf]}}, labels: [{'W' * 90}, sjf]}}
  load.utilization: {[round(0.1 + 0.01 * step, 2) for step in range(30)]}
"""

# What pdflatex only warns of: texts in the margin, floats higher than a page.
WARNINGS = ("Overfull", "Float too large")


def report(program, text, name):
    program.write(name + ".yaml", text)
    program.run("run", name + ".yaml", "-o", name + ".h5", "--workers", "1", exit_code=None)
    return {format: program.run("report", name + ".h5", "-f", format).stdout for format in ("text", "markdown", "latex", "csv")}


def compile_tables(program, tables):
    packages = re.match(r"% Needs (\\usepackage\{[a-z,]+\})\n", tables[0])
    expect(packages, f"the first line does not say what is needed: {tables[0][:80]}")
    document = "\\documentclass{article}\n" + packages[1] + "\n\\begin{document}\n" + "\n\\clearpage\n".join(tables) + "\n\\end{document}\n"
    program.write("tables.tex", document)
    done = subprocess.run(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "tables.tex"], cwd=program.folder,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=120, check=False)
    expect(done.returncode == 0, "pdflatex: " + done.stdout[-2000:])
    warned = [line for line in done.stdout.splitlines() if any(warning in line for warning in WARNINGS)]
    expect(not warned, "pdflatex: " + "\n".join(warned))


def check_everything_compiles(program):
    tables = [report(program, text, name)["latex"] for name, text in
              {"small": SMALL_CAMPAIGN, "moldable": MOLDABLE_CAMPAIGN, "compared": COMPARED, "selected": SELECTED,
               "short": SHORT, "long": LONG}.items()]
    program.write("table1.yaml", f"campaign_format: 1\nname: table 1\ninclude: ['{CAMPAIGNS}/coallocation/table1.yaml']\nreplications: 20\n")
    program.run("run", "table1.yaml", "-o", "table1.h5", exit_code=None)
    tables.append(program.run("report", "table1.h5", "-f", "latex").stdout)
    tables.append(program.run("report", "compared.h5", "-f", "latex", "--table", "comparisons").stdout)
    for part in ("table", "tabular"):
        expect(tables[-1].count(f"\\begin{{{part}}}") == 1, f"comparisons are several {part}s: {tables[-1]}")
    tables[-1] = tables[-1].replace("\\label{", "\\label{alone-")
    everything = "".join(tables)
    for text in tables:
        labels = re.findall(r"\\label\{(.*?)\}", text)
        expect(labels and len(labels) == len(set(labels)), f"labels: {labels}")
    for expected in ("\n{}[", "$\\infty$)", "$\\pm$", "Differences of", "Control variates", "By job class", "Quantiles of"):
        expect(expected in everything, f"no '{expected}' among the tables")
    compile_tables(program, tables)
    # The test can fail: without its guard the first of those rows is an argument of the row before.
    try:
        compile_tables(program, [everything.replace("\n{}[", "\n[")])
    except Failure:
        return
    raise Failure("pdflatex takes rows that begin with a bracket: the test shows nothing")


def check_intervals_in_every_format(program):
    bounds = report(program, OPEN + "replications: 12\nreport: {metrics: [response_time], intervals: bounds}\n", "bounds")
    plain = report(program, OPEN + "replications: 12\nreport: {metrics: [response_time], intervals: plus_minus}\n", "plain")
    for format in ("text", "markdown"):
        expect("±" in plain[format] and "±" not in bounds[format], f"{format}: ± beside bounds\n{bounds[format]}")
        expect("[ ]: the ends of a 95 % confidence interval." in bounds[format], f"{format}: no note of the bounds")
    expect("\\pm" in plain["latex"] and "\\pm" not in bounds["latex"], "latex: ± beside bounds")
    expect(plain["csv"] == bounds["csv"], "CSV has the ends of every interval anyhow")


def check(program, _):
    check_intervals_in_every_format(program)
    if shutil.which("pdflatex") is None:
        print("skipped: no pdflatex. Install texlive-latex-base.")
        sys.exit(77)
    check_everything_compiles(program)


if __name__ == "__main__":
    sys.exit(main(check))
