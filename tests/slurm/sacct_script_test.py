"""slurm/sacct.sh against a stub of sacct that answers from a recorded dump: columns, months and their seams, anonymous dumps, and what
is refused. No Slurm is needed.

usage: sacct_script_test.py SCRIPT DUMP
"""
import os
import pathlib
import subprocess
import sys
import tempfile

STUB = """\
#!/usr/bin/env python3
import datetime, os, sys
words = sys.argv[1:]
if words == ["--helpformat"]:
    sys.exit(print("Account JobIDRaw" + ("" if os.path.exists("old") else " SubmitLine")))
after = lambda name: words[words.index(name) + 1]
def at(day):
    return datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.timezone.utc).timestamp()
assert os.environ["SLURM_TIME_FORMAT"] == "%s" and os.environ["TZ"] == "UTC", "times are not of the Unix clock"
assert {"--allusers", "--allocations", "--duplicates", "--parsable2", "--noconvert"} <= set(words), words
with open("calls", "a") as calls:
    print(after("--starttime"), after("--endtime"), *words[words.index("--format") + 2:], file=calls)
if os.path.exists("fails"):
    sys.exit("sacct: error: Problem talking to the database")
head, *rows = (line.rstrip("\\n").split("|") for line in open(os.environ["DUMP"]))
columns = after("--format").split(",")
print(*columns, sep="|")
for row in rows:
    job = dict(zip(head, row))
    first, last = (float(job[name]) if job[name].isdigit() else 4e9 for name in ("Eligible", "End"))
    if first < at(after("--endtime")) and last >= at(after("--starttime")):
        job |= {"Cluster": "hidden", "SubmitLine": f"sbatch -J a|b\\n-n {job['JobIDRaw']}\\n|1|2"}
        print(*(job[name] for name in columns), sep="|")
"""


def expect(condition, message):
    if not condition:
        raise SystemExit(f"FAILED: {message}")


def main(script, dump):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="schedfarm-sacct-"))
    (folder / "bin").mkdir()
    (folder / "bin" / "sacct").write_text(STUB)
    (folder / "bin" / "sacct").chmod(0o755)

    def run(*words, exit_code=0, path=f"{folder / 'bin'}:{os.environ['PATH']}"):
        (folder / "calls").write_text("")
        done = subprocess.run([script, *words], cwd=folder, env={**os.environ, "PATH": path, "DUMP": dump}, capture_output=True, text=True, check=False)
        expect(done.returncode == exit_code, f"{words}: {done.returncode}, {done.stderr}")
        return done

    def calls():
        return (folder / "calls").read_text().splitlines()

    recorded = [line.split("|") for line in pathlib.Path(dump).read_text().splitlines()]

    def named(rows):
        return [dict(zip(rows[0], row)) for row in rows[1:]]

    # All rows of the dump, each once, though a job that has not ended is in every later month; requeued runs stay rows of their own.
    run("-S", "2026-10-20", "-E", "2027-01-05", "-o", "whole.sacct")
    expect(calls() == ["2026-10-20 2026-11-01", "2026-11-01 2026-12-01", "2026-12-01 2027-01-01", "2027-01-01 2027-01-05"], f"{calls()}")
    lines = (folder / "whole.sacct").read_text().splitlines()
    rows = [line.split("|") for line in lines if line[0].isalnum()]
    expected = [row for row in named(recorded) if row["Eligible"].isdigit()]
    own = [name for name in rows[0] if name not in ("Cluster", "SubmitLine")]
    expect([[row[name] for name in own] for row in expected] == [[row[name] for name in own] for row in named(rows)], "rows of the whole dump")
    # Of a command line with line breaks all lines come, and once.
    expect([line for line in lines if not line[0].isalnum()] == [text for row in expected for text in (f"-n {row['JobIDRaw']}", "|1|2")], "lines")
    expect("JobName" not in rows[0] and rows[0][-1] == "SubmitLine" and {"Cluster", "DBIndex"} <= set(rows[0]), f"{rows[0]}")
    (folder / "old").touch()
    expect("SubmitLine" not in run("-S", "2026-11-01", "-E", "2026-12-01").stdout, "a column that the sacct does not have")
    (folder / "old").unlink()
    expect([path.name for path in folder.iterdir() if path.name.startswith("whole.sacct.")] == [], "a temporary file is left")

    # Anonymous: one number for one name, and nobody's name, uid or node.
    text = run("-a", "-S", "2026-11-01", "-E", "2026-12-01").stdout
    hidden = named([line.split("|") for line in text.splitlines()])
    expect({row["Cluster"] for row in hidden} == {"c1"}, "a cluster's name stays")
    for column in ("User", "Account"):
        pairs = {(row[column], own[column]) for row, own in zip(expected, hidden)}
        expect(len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}), f"{column}: {pairs}")
        expect(not {a for a, _ in pairs} & {b for _, b in pairs} - {""}, f"{column}: {pairs}")
    expect(not {"NodeList", "Reservation", "Constraints", "SubmitLine"} & set(hidden[0]), f"{list(hidden[0])}")
    expect(any(" by " in row["State"] for row in expected) and all(" by " not in row["State"] for row in hidden), "a uid stays")

    run("-S", "2026-11-01", "-E", "2026-11-30", "--", "-p", "gpu")
    expect(calls() == ["2026-11-01 2026-11-30 -p gpu"], f"{calls()}")

    for words, message in ((["-S", "soon-ish"], "-S soon-ish: no day. Write one as 2026-01-01."),
                           (["-S", "2026-02-01", "-E", "2026-01-01"], "-E 2026-01-01 is not after -S 2026-02-01"),
                           (["-S", "2020-01-01", "-E", "2020-02-01", "-o", "none.sacct"], "no job from 2020-01-01 to 2020-02-01 (nothing is written)")):
        expect(f"sacct.sh: {message}" in run(*words, exit_code=2).stderr, f"{words}")
    expect("there is no sacct here" in run("-S", "2026-01-01", exit_code=2, path=f"{folder}:/usr/bin:/bin" if not os.path.exists("/usr/bin/sacct")
           else without_sacct(folder)).stderr, "without sacct")
    (folder / "fails").touch()
    expect("sacct failed for 2026-11-01" in run("-S", "2026-11-01", "-E", "2026-12-01", "-o", "none.sacct", exit_code=2).stderr, "a failure")
    expect(not [path for path in folder.iterdir() if path.name.startswith("none.sacct")], "a file of a failed dump")
    expect(subprocess.run(["shellcheck", script], check=False).returncode == 0, "shellcheck")
    print("passed")


def without_sacct(folder):
    """A folder with links to the few commands that the script calls."""
    tools = folder / "tools"
    tools.mkdir()
    for name in ("bash", "env", "date", "awk", "sed", "mktemp", "rm", "grep", "mv", "chmod"):
        path = next(pathlib.Path(place) / name for place in ("/usr/bin", "/bin") if (pathlib.Path(place) / name).exists())
        (tools / name).symlink_to(path)
    return str(tools)


if __name__ == "__main__":
    main(*sys.argv[1:])
