"""Measures the simulator beside references, once for every instruction set; writes the page; compares two programs.

usage: page.py measure BUILD [PART OF A NAME ...] [-- OPTION OF schedfarm-bench ...] > run.json
       page.py commands BUILD [--repeats N] [PART OF A NAME ...] > commands.json
       page.py write run.json [run.json ...] PAGE.md
       page.py compare old.json new.json

measure builds and runs the three programs of the target schedfarm-benches, by default the rows of the page of performance, commands
whole commands (commands.py). write puts the tables between their marks of a page: `<!-- measured: PART; PART -->` takes the rows that
have one of the parts in their names, and of runs of several days all pairs; `<!-- commands -->` the commands. The numbers of a row go
into the prose: `<!-- rate of NAME -->13 M jobs/s<!-- -->`; so does each of rate, ratio, cpu, wall, memory and times. compare names the
rows whose pairs all lie below all of the old program's, and ends with 1 if any does.
"""
import datetime
import json
import os
import re
import shlex
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ["schedfarm-bench", "schedfarm-bench_avx2", "schedfarm-bench_plain"]
TABLE = re.compile(r"(<!-- (measured|commands)(?:: ([^>]+))? -->\n).*?(<!-- end -->)", re.DOTALL)
NUMBER = re.compile(r"(<!-- (rate|ratio|cpu|wall|memory|times) of ([^>]+) -->)[^<]*(<!-- -->)")


def measure(build, *words):
    at = words.index("--") if "--" in words else len(words)
    names, options = words[:at], words[at + 1:]
    if not names:
        with open(os.path.join(ROOT, "docs/background/performance.md")) as file:
            names = [part for mark in TABLE.findall(file.read()) if mark[1] == "measured" for part in mark[2].split("; ")]
    subprocess.run(["cmake", "--build", build, "--target", "schedfarm-benches"], stdout=sys.stderr, check=True)
    reports = []
    for program in PROGRAMS:
        command = [os.path.join(build, program), "--json", *options, *names]
        report = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        if all(report["instructions"] != other["instructions"] for other in reports):  # of an old processor
            reports.append(report)
    command = shlex.join(["bench/page.py", "measure", "BUILD", *words])
    for row in [row for report in reports for row in report["rows"]]:
        row["ratios"] = [round(ratio, 4) for ratio in row["ratios"]]
    print(json.dumps({"command": command, "date": datetime.date.today().isoformat(), "reports": reports}))


def commands(build, *words):
    rows = json.loads(subprocess.run([sys.executable, os.path.join(ROOT, "bench/commands.py"), build, *words], stdout=subprocess.PIPE, check=True).stdout)
    with open("/proc/cpuinfo") as file:
        processor = next((line.split(": ")[1].strip() for line in file if line.startswith("model name")), "an unknown processor")
    print(json.dumps({"command": shlex.join(["bench/page.py", "commands", "BUILD", *words]), "processor": processor, "rows": rows}, indent=1))


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


def joined(runs):
    """Runs of the same rows as one: all pairs of each row, and the median of its rates."""
    first = runs[0]
    for report in first["reports"]:
        same = [other for run in runs for other in run["reports"] if other["instructions"] == report["instructions"]]
        for row in report["rows"]:
            rows = [each for other in same for each in other["rows"] if (each["name"], each["reference"]) == (row["name"], row["reference"])]
            row["rate"] = statistics.median(each["rate"] for each in rows)
            row["ratios"] = sorted(ratio for each in rows for ratio in each["ratios"])
    return {**first, "date": ", ".join(sorted({run["date"] for run in runs})), "runs": len(runs)}


def table(reports, parts):
    ratios = {(report["instructions"], row["name"]): span(row["ratios"]) for report in reports for row in report["rows"]}
    sets = [report["instructions"] for report in reports]
    rows = [["benchmark", sets[0], *sets, "reference"]]
    for row in reports[0]["rows"]:
        if any(part in row["name"] for part in parts):
            rows.append([row["name"], rate(row), *(ratios.get((each, row["name"]), "") for each in sets), row["reference"]])
    return "\n".join(lines_up(rows))


def table_of_commands(rows):
    heads = ["command", "CPU", "wall", "memory", "times", "its range", "the CPU time of"]
    texts = [[row["name"], *numbers_of(row).values(), f"{row['times'][0]:.2f}..{row['times'][-1]:.2f}", row["reference"]] for row in rows]
    return "\n".join(lines_up([heads, *texts]))


def numbers_of(row):
    """The texts of a row's numbers, by what the prose calls them."""
    if "rate" in row:
        return {"rate": rate(row), "ratio": f"{row['ratios'][len(row['ratios']) // 2]:.2f}"}
    return {"cpu": f"{row['cpu_s']:.3g} s", "wall": f"{row['wall_s']:.3g} s", "memory": f"{row['mib']:.0f} MiB",
            "times": f"{row['times'][len(row['times']) // 2]:.2f}"}


def tables_of(measured):
    """What to say of how it was measured, and the function that makes a table of parts of names."""
    if "rows" in measured:
        rows = measured["rows"]
        said = f"`{measured['command']}` on {measured['processor']}: medians of {len(rows[0]['times'])} pairs.\n\n"
        return "commands", rows, said, lambda parts: table_of_commands(rows)
    first, runs = measured["reports"][0], measured["runs"]
    said = (f"`{measured['command']}` with {first['program']} on {first['processor']}: median and range of "
            f"{len(first['rows'][0]['ratios'])} pairs of {first['seconds']:g} s, of {runs} run{'s' * (runs > 1)} on {measured['date']}.\n\n")
    return "measured", first["rows"], said, lambda parts: table(measured["reports"], parts)


def page(text, measured):
    """Only the first table says how it was measured."""
    kind, rows, said, made = tables_of(measured)
    marks = [mark[1] for mark in TABLE.findall(text)]
    if kind not in marks:
        raise SystemExit(f"The page has no marks <!-- {kind} --> and <!-- end --> (a table stands between them).")
    first = iter([said])
    text = TABLE.sub(lambda found: found[0] if found[2] != kind else
                     f"{found[1]}{next(first, '')}```\n{made((found[3] or '').split('; '))}\n```\n{found[4]}", text)
    numbers = {(what, row["name"]): number for row in rows for what, number in numbers_of(row).items()}
    return NUMBER.sub(lambda found: found[1] + numbers.get((found[2], found[3]), found[0][len(found[1]):-len(found[4])]) + found[4], text)


def write(*names):
    *sources, target = names
    runs = []
    for source in sources:
        with open(source) as file:
            runs.append(json.load(file))
    with open(target) as file:
        text = file.read()
    for run in [each for each in runs if "rows" in each]:
        text = page(text, run)
    benches = [each for each in runs if "reports" in each]
    if benches:
        text = page(text, joined(benches))
    with open(target, "w") as file:
        file.write(text)


def ratios_of(measured):
    """More is faster."""
    if "rows" in measured:
        return {("whole commands", row["name"], row["reference"]): sorted(1 / times for times in row["times"]) for row in measured["rows"]}
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
    command = {"measure": measure, "commands": commands, "write": write, "compare": compare}.get((sys.argv + [""])[1])
    least = 4 if command in (write, compare) else 3
    if command is None or len(sys.argv) < least or (command is compare and len(sys.argv) > least):
        sys.exit(__doc__)
    command(*sys.argv[2:])
