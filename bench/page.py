"""Measures the simulator beside references, once for every instruction set; writes the page; compares two programs.

usage: page.py measure BUILD [PART OF A NAME ...] [-- OPTION OF schedfarm-bench ...] > new.json
       page.py commands BUILD [--repeats N] [PART OF A NAME ...] > commands.json
       page.py write new.json PAGE.md
       page.py compare old.json new.json

measure runs the three programs of `cmake --build BUILD --target schedfarm-benches`, commands whole commands (commands.py). write
puts the table between its marks of the page, and the numbers of its rows into the prose: `<!-- rate of NAME -->13 M jobs/s<!-- -->`;
so does each of rate, ratio, cpu, wall, memory and times. compare names the rows whose pairs all lie below all of the old program's,
and ends with 1 if any does.
"""
import json
import os
import re
import shlex
import subprocess
import sys

PROGRAMS = ["schedfarm-bench", "schedfarm-bench_avx2", "schedfarm-bench_plain"]
MARKS = {kind: re.compile(rf"(<!-- {kind} -->\n).*?(<!-- end -->)", re.DOTALL) for kind in ("measured", "commands")}
NUMBER = re.compile(r"(<!-- (rate|ratio|cpu|wall|memory|times) of ([^>]+) -->)[^<]*(<!-- -->)")


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


def commands(build, *words):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.py")
    rows = json.loads(subprocess.run([sys.executable, script, build, *words], stdout=subprocess.PIPE, check=True).stdout)
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


def table(measured):
    reports = measured["reports"]
    ratios = {(report["instructions"], row["name"]): span(row["ratios"]) for report in reports for row in report["rows"]}
    sets = [report["instructions"] for report in reports]
    rows = [["benchmark", sets[0], *sets, "reference"]]
    for row in reports[0]["rows"]:
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


def page(text, measured):
    if "rows" in measured:
        kind, rows = "commands", measured["rows"]
        said = f"`{measured['command']}` on {measured['processor']}: medians of {len(rows[0]['times'])} pairs.\n\n```\n{table_of_commands(rows)}\n```\n"
    else:
        kind, first = "measured", measured["reports"][0]
        rows, pairs = first["rows"], len(first["rows"][0]["ratios"])
        said = (f"`{measured['command']}` with {first['program']} on {first['processor']}: median and range of {pairs} pairs of "
                f"{first['seconds']:g} s.\n\n```\n{table(measured)}\n```\n")
    if not MARKS[kind].search(text):
        raise SystemExit(f"The page has no marks <!-- {kind} --> and <!-- end --> (the table stands between them).")
    text = MARKS[kind].sub(lambda found: found[1] + said + found[2], text)
    numbers = {(what, row["name"]): number for row in rows for what, number in numbers_of(row).items()}
    return NUMBER.sub(lambda found: found[1] + numbers.get((found[2], found[3]), found[0][len(found[1]):-len(found[4])]) + found[4], text)


def write(source, target):
    with open(source) as file:
        measured = json.load(file)
    with open(target) as file:
        text = page(file.read(), measured)
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
    if command is None or (command not in (measure, commands) and len(sys.argv) != 4) or len(sys.argv) < 3:
        sys.exit(__doc__)
    command(*sys.argv[2:])
