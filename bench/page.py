"""Measures the simulator beside references, once for every instruction set; writes the page; compares two programs.

usage: page.py measure BUILD [PART OF A NAME ...] [-- OPTION OF schedfarm-bench ...] > new.json
       page.py write new.json PAGE.md
       page.py compare old.json new.json

measure runs the three programs of `cmake --build BUILD --target schedfarm-benches`. write puts the table between the
marks of the page. compare names the rows whose pairs all lie below all of the old program's, and ends with 1 if any does.
"""
import json
import os
import re
import shlex
import subprocess
import sys

PROGRAMS = ["schedfarm-bench", "schedfarm-bench_avx2", "schedfarm-bench_plain"]
MARKS = re.compile(r"(<!-- measured -->\n).*(<!-- end -->)", re.DOTALL)


def measure(build, *words):
    at = words.index("--") if "--" in words else len(words)
    names, options = words[:at], words[at + 1:]
    reports = []
    for program in PROGRAMS:
        command = [os.path.join(build, program), "--json", *options, *names]
        report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        if all(report["instructions"] != other["instructions"] for other in reports):  # of an old processor
            reports.append(report)
    command = shlex.join(["bench/page.py", "measure", "BUILD", *words])
    print(json.dumps({"command": command, "reports": reports}, indent=1))


def span(ratios):
    return f"{ratios[len(ratios) // 2]:.2f} {ratios[0]:.2f}..{ratios[-1]:.2f}"


def rate(row):
    return f"{1e-6 * row['rate']:.3g} M {row['item']}/s"


def lines_up(rows):
    """The first column and the last to the left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:-1], widths[1:-1])), row[-1]]
        yield "  ".join(cells)


def table(measured):
    reports = measured["reports"]
    ratios = {(report["instructions"], row["name"]): span(row["ratios"]) for report in reports for row in report["rows"]}
    sets = [report["instructions"] for report in reports]
    rows = [["benchmark", sets[0], *sets, "reference"]]
    for row in reports[0]["rows"]:
        rows.append([row["name"], rate(row), *(ratios.get((each, row["name"]), "") for each in sets), row["reference"]])
    return "\n".join(lines_up(rows))


def page(text, measured):
    first = measured["reports"][0]
    pairs = len(first["rows"][0]["ratios"])
    said = (f"`{measured['command']}` with {first['program']} on {first['processor']}: median and range of {pairs} pairs of "
            f"{first['seconds']:g} s.\n\n```\n{table(measured)}\n```\n")
    if not MARKS.search(text):
        raise SystemExit("The page has no marks <!-- measured --> and <!-- end --> (the table stands between them).")
    return MARKS.sub(lambda found: found[1] + said + found[2], text)


def write(source, target):
    with open(source) as file:
        measured = json.load(file)
    with open(target) as file:
        text = page(file.read(), measured)
    with open(target, "w") as file:
        file.write(text)


def ratios_of(measured):
    return {(report["instructions"], row["name"], row["reference"]): row["ratios"]
            for report in measured["reports"] for row in report["rows"]}


def slower_rows(old, new):
    """Pairs with another reference say nothing about each other."""
    before, after = ratios_of(old), ratios_of(new)
    both = [key for key in before if key in after]
    return both, [key for key in both if max(after[key]) < min(before[key])]


def compare(old, new):
    with open(old) as first, open(new) as second:
        before, after = json.load(first), json.load(second)
    both, slower = slower_rows(before, after)
    for key in slower:
        print(f"{key[1]}, {key[0]}: {span(ratios_of(after)[key])}, before {span(ratios_of(before)[key])} of {key[2]}")
    print(f"{len(slower)} of {len(both)} rows are slower.")
    sys.exit(1 if slower else 0)


if __name__ == "__main__":
    command = {"measure": measure, "write": write, "compare": compare}.get((sys.argv + [""])[1])
    if command is None or (command is not measure and len(sys.argv) != 4) or len(sys.argv) < 3:
        sys.exit(__doc__)
    command(*sys.argv[2:])
