"""docs/results/papers.csv holds the payloads and values of today: campaigns of papers, run again, give the payloads that its rows name; in
the long form all of a paper, of which tools/papers then makes the same rows. gang/figures4-7 takes six core hours, each other paper less than one.

usage: papers_again_test.py PROGRAM PAPER...
"""
import csv
import importlib
import pathlib
import sys

from program import expect, logs_or_skip, main, short_or_long

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "python" / "src")]
OLD = {"coallocation/figure6"}  # its stored payload is of schema 1
TIMED = "campaigns/moldable/figure7.yaml"  # seconds of this machine
FEW = {"coallocation/table3", "coallocation/saturation_ladder", "coallocation/maximal_utilization"}


def stored(paper):
    with (ROOT / "docs" / "results" / "papers.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["paper"] == paper]


def test(program, papers):
    seen = 0
    if papers != ["coallocation"]:  # the only one without logs
        logs_or_skip()
    for paper in papers:
        rows = stored(paper)
        named = {row["campaign"].removeprefix("campaigns/").removesuffix(".yaml"): row["payload"] for row in rows if row["campaign"]}
        for name in sorted(named if short_or_long(False, True) else named.keys() & FEW):
            file = name.removeprefix("coallocation/").replace("/", "_")
            program.run("run", ROOT / "campaigns" / f"{name}.yaml", "-o", f"{file}.h5", "--workers", "2", timeout=30000)
            payload = program.payload_hash(f"{file}.h5")
            expect(name in OLD or payload.startswith(named[name]), f"{name}: payload {payload[:12]}, and papers.csv has {named[name]}")
            seen += 1
        if short_or_long(False, True):
            again = list(importlib.import_module(f"papers.{paper}").rows(program.folder))
            columns = [column for column in rows[0] if column not in ("paper", "payload")]
            found = [[getattr(row, column) for column in columns] for row in again]
            expected = [[row[column] for column in columns] for row in rows]
            for one, other in zip(found, expected):
                expect(one == other or TIMED in other, f"{one}, and papers.csv has {other}")
            expect(len(found) == len(expected), f"{len(found)} rows of {paper}, and papers.csv has {len(expected)}")
    expect(seen >= 3, f"{seen} campaigns were run")


if __name__ == "__main__":
    raise SystemExit(main(test))
