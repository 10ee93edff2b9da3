"""Where the kernel knows which processors jobs hold (outages, and policies that take them by name), every drawing and every job log of
a result file has those: text, table, figure and node view agree, and outages are drawn.

usage: named_processors_test.py PROGRAM
"""
import csv
import io
import pathlib
import re
import sys

from program import expect, main

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "python" / "src"))

import schedfarm

LOG = """; MaxProcs: 4
1 0 -1 50 2 -1 -1 2 60 -1 1 1 1 1 1 -1 -1 -1
2 5 -1 20 2 -1 -1 2 30 -1 1 2 1 1 1 -1 -1 -1
3 210 -1 40 2 -1 -1 2 50 -1 1 2 1 1 1 -1 -1 -1
"""
WINDOW = """campaign_format: 1
name: window
seed: 1
experiment: trace
system: {{clusters: [4], outages: {{windows: [{{from: 10, until: 200, processors: 2}}], running: {running}}}}}
workload: {{model: trace, file: three.swf, resampling: none}}
horizon: {{jobs: 3, warm_up: none}}
replications: 1
job_log: {{replications: 1}}
policy: fcfs
"""
MANY = """campaign_format: 1
name: many
seed: 4
experiment: trace
workload: {{model: {model}}}
horizon: {{jobs: 150, warm_up: none}}
replications: 1
job_log: {{replications: 1}}
system: {{clusters: [64]{outages}}}
factors:
  policy: [{policies}]
"""
FAILURES = (", outages: {failures: {mean_time_between_failures: 40000, mean_time_to_repair: 8000, processors_per_node: 4}, running: cut, "
            "windows: [{from: 20000, until: 40000, every: 100000, processors: 8}]}")
# Names of its own, outages that name, and by number on one cluster.
LOG_MODEL = "trace, file: example, resampling: none, load_factor: 6"
KINDS = ((LOG_MODEL, FAILURES, "fcfs, easy, conservative, {partitions: {inner: [fcfs, easy], "
                                        "processors: [16, 48], largest_size: [4, 48]}}"),
         (LOG_MODEL, "", "vanilla_gang, migration_gang, tree_packing_gang, scojo_pect, {slices: {inner: easy, quanta_s: "
                                  "[600, 1800], route: size, largest_size: [4, 64]}}"),
         (LOG_MODEL, "", "fcfs, conservative"),
         ("moldable_version, rigid: {trace: {file: example, resampling: none}}", "", "demt, moldable_list"))


def rows_of(program, name, cell, kind="csv"):
    return list(csv.DictReader(io.StringIO(program.run("gantt", name, "-c", cell, "-f", kind).stdout)))


def processors_of(row):
    held = set()
    for part in row["ranges"].split():
        first, _, last = part.partition("-")
        held |= set(range(int(first), int(last or first) + 1))
    return held


def one_window(program):
    """Processors 0 and 1 are out from 10 to 200: what runs there is cut and runs again on 2 and 3, or runs to its end."""
    program.write("three.swf", LOG)
    for running, wanted in (("cut", [("0", 0, 10, "0-1"), ("1", 5, 25, "2-3"), ("0", 25, 75, "2-3"), ("2", 210, 250, "0-1")]),
                            ("drain", [("0", 0, 50, "0-1"), ("1", 5, 25, "2-3"), ("2", 210, 250, "0-1")])):
        program.write("window.yaml", WINDOW.format(running=running))
        program.run("run", "window.yaml", "--workers", "0", "--fresh")
        rows = rows_of(program, "window.h5", 0)
        jobs = sorted((row["job"], float(row["start"]), float(row["finish"]), row["ranges"]) for row in rows if row["kind"] == "running")
        expect(jobs == sorted(wanted), f"{running}: {jobs}")
        out = [(row["start"], row["finish"], row["ranges"]) for row in rows if row["kind"] == "out_of_order"]
        expect(out == [("10", "200", "0-1")], f"{running}: out of order {out}")
        nodes = [row for row in rows_of(program, "window.h5", 0, "nodes") if row["kind"] == "out_of_order"]
        expect([(row["begin"], row["end"], row["first"], row["last"]) for row in nodes] == [("10", "200", "0", "1")], f"nodes: {nodes}")
        text = program.run("gantt", "window.h5", "-c", "0").stdout
        rows = {line.split()[0]: line for line in text.splitlines() if line.endswith(" %")}
        expect([rows[name].count("×") for name in "0123"] == [48, 48, 0, 0], text)
        # 190 of 250 s, on half of the processors.
        expect("38 % of it in all" in text and all(len(line) <= 80 for line in text.splitlines()), text)
        table = program.run("gantt", "window.h5", "-c", "0", "-f", "csv").stdout
        program.write("table.csv", table)
        expect(program.run("gantt", "table.csv", "-f", "csv").stdout == table, "its own table is read otherwise")
        held = schedfarm.open(program.folder / "window.h5").processors(0, 0)
        stored = [(row.job, row.first, row.last) for row in held.itertuples(index=False)]
        expect(stored == [(0, 2, 3) if running == "cut" else (0, 0, 1), (1, 2, 3), (2, 0, 1)], f"{running}: stored {stored}")
        for figure in (["-o", "jobs.svg"], ["-f", "nodes", "-o", "nodes.svg"]):
            program.run("gantt", "window.h5", "-c", "0", *figure)
            words = re.findall("<!-- (.*) -->", (program.folder / figure[-1]).read_text())
            expect(any("out of order" in word for word in words), f"{figure}: {words}")


def names_are_the_same(program, results, cell, name, label):
    """The log's processors of a job are those of its first stretch, or of the one that was not cut; the node view has all stretches."""
    jobs, held = results.jobs(cell, 0), results.processors(cell, 0)
    expect(held is not None, f"{label}: no processors in the log")
    of_log, start = {}, dict(zip(jobs.job, jobs.start))
    for row in held.itertuples():
        if "piece" not in held or row.begin == start[row.job]:
            of_log.setdefault(row.job, set()).update(range(row.first, row.last + 1))
    drawn = [row for row in rows_of(program, name, cell) if row["kind"] == "running"]
    first = {int(row["job"]): processors_of(row) for row in drawn if float(row["start"]) == start[int(row["job"])]}
    expect(first == of_log, f"{label}: drawn on {first}, stored on {of_log}")
    spans = {}
    for row in rows_of(program, name, cell, "nodes"):
        if row["kind"] == "running":
            spans.setdefault((int(row["job"]), float(row["begin"])), set()).update(range(int(row["first"]), int(row["last"]) + 1))
    known = {key: nodes for key, nodes in spans.items() if key[1] == start[key[0]]}
    expect(not spans or {job: nodes for (job, _), nodes in known.items()} == of_log, f"{label}: nodes {known}, stored {of_log}")
    out = [row for row in rows_of(program, name, cell) if row["kind"] == "out_of_order"]
    return len(spans), len(out)


def many_policies(program):
    for number, (model, outages, policies) in enumerate(KINDS):
        name = f"kind{number}"
        program.write(f"{name}.yaml", MANY.format(model=model, outages=outages, policies=policies))
        program.run("run", f"{name}.yaml", "--workers", "0")
        program.run("check", f"{name}.h5")
        with schedfarm.open(program.folder / f"{name}.h5") as results:
            for cell, label in enumerate(results.cells["label"]):
                spans, out = names_are_the_same(program, results, cell, f"{name}.h5", label)
                expect((spans > 0) == (number < 2), f"{label}: {spans} spans of nodes")
                expect((out > 0) == (number == 0), f"{label}: {out} outages")


def test(program, _arguments):
    one_window(program)
    many_policies(program)


if __name__ == "__main__":
    sys.exit(main(test))
