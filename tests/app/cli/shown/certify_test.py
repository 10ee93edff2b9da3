"""Anyone's campaign of many seeds is certified: by its own sections, or by what is known exactly of its cells. A row that
is not as it should be ends in exit code 1.

usage: certify_test.py PROGRAM
"""
import csv
import io
import sys

from program import expect, main

QUEUE = """\
campaign_format: 1
name: my queue
experiment: open
system: {clusters: [1]}
workload: {model: coallocation, components: 1, component_size: {constant: {size: 1}}}
policy: fcfs
horizon: {jobs: 1000, warm_up: {fraction: 0.2}}
replications: 20
factors:
  load.utilization: [0.3, 0.5]
  seed: {first: 13, count: 150}
"""
# The same queue, but 50 jobs from an empty system: far below the stationary mean, so that no interval covers it.
TOO_SHORT = QUEUE.replace("jobs: 1000", "jobs: 50").replace("[0.3, 0.5]", "[0.3, 0.95]") + """\
certificate:
  - {metric: response_time, truth: exact, band: [0.93, 0.97]}
"""
CLAIMED = QUEUE + """\
claims:
  quantities: {response: response_time.mean}
  list:
    - {id: below, paper: p, value: "response{utilization=0.5} / response{utilization=0.3}", below: 1.5}
certificate:
  - {subject: decision, table: claims, scope: campaign, where: {claim: below}, column: verdict, is: [holds, undecided], band: [0.95, 1]}
  - {table: claim_values, scope: campaign, where: {claim: below}, truth: 1.4, source: 2 / 1.43, band: [0.9, 1]}
"""


def test(program, _arguments):
    program.run("run", program.write("queue.yaml", QUEUE), "-w", "0")
    done = program.run("certify", "queue.h5", exit_code=1)
    expect("Nothing is judged: 2 rows with too few seeds to find a coverage of 0.9." in done.stdout and "[0.93, 0.97]" in done.stdout, done.stdout)
    expect(max(len(line) for line in done.stdout.splitlines()) <= 80, "the table is wider than 80 columns")
    page = program.run("certify", "queue.h5", "--format", "markdown", exit_code=1).stdout
    expect("`queue.yaml`, 150 seeds from 13, plan `" in page and page.count("| 150 of 150 |") == 2, page)
    expect(page.count("M/M/1 from empty") == 2, page)
    rows = list(csv.DictReader(io.StringIO(program.run("certify", "queue.h5", "--format", "csv", exit_code=1).stdout)))
    expect([row["cell"] for row in rows] == ["0.3", "0.5"] and {row["verdict"] for row in rows} == {"too few seeds"}, rows)

    program.run("run", program.write("short.yaml", TOO_SHORT), "-w", "2")
    done = program.run("certify", "queue.h5", "short.h5", exit_code=1)
    lines = [line.split() for line in done.stdout.splitlines() if "[0.93, 0.97]" in line]
    expect([line[0] for line in lines] == ["0.3", "0.5", "0.3", "0.95"] and lines[3][-1] == "fails", done.stdout)

    program.run("run", program.write("claimed.yaml", CLAIMED), "-w", "0")
    done = program.run("certify", "claimed.h5")
    expect("1 of 1 rows are as they should be; 1 with too few seeds." in done.stdout, done.stdout)

    alone = QUEUE.replace("  seed: {first: 13, count: 150}\n", "seed: 13\n")
    program.run("run", program.write("alone.yaml", alone), "-w", "0")
    expect("not judged" in program.run("certify", "alone.h5", exit_code=1).stdout, "one seed is judged")
    program.run("run", program.write("sjf.yaml", alone.replace("fcfs", "sjf")), "-w", "0")
    expect("nothing to certify" in program.run("certify", "sjf.h5", exit_code=2).stderr, "nothing is known of sjf")
    program.run("certify", "missing.h5", exit_code=2)
    program.run("certify", exit_code=2)


if __name__ == "__main__":
    sys.exit(main(test))
