#!/usr/bin/env python3
"""Writes docs/results/long-tests.md: how many tests have a long form, and which of these did not pass or took ten seconds.

usage: long_tests_page.py BUILD PAGE SUMMARY      after ./test.sh --long, which calls this
"""
import datetime
import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r"^\d+/\d+ Testing: (?P<name>.*?)\n(?P<output>.*?)^Test (?P<end>Passed|Failed|Skipped|Timeout)", re.MULTILINE | re.DOTALL)
SECONDS = re.compile(r"^long form: ([\d.]+) processor seconds$", re.MULTILINE)


def rows(log):
    for entry in ENTRY.finditer(log):
        seconds = SECONDS.findall(entry["output"])
        if seconds:
            yield entry["name"].replace("|", r"\|"), entry["end"].lower(), float(seconds[-1])


def main(build, page, summary):
    log = pathlib.Path(build, "Testing/Temporary/LastTest.log").read_text(encoding="utf-8", errors="replace")
    revision = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False).stdout.strip()
    tests = sorted(rows(log))
    table = "\n".join(f"| {name} | {end} | {seconds:.0f} |" for name, end, seconds in tests if end != "passed" or seconds >= 10)
    pathlib.Path(page).write_text(f"""\
# Long forms of the tests

Some tests have a short form, which `./test.sh` runs, and a long one: whole logs, more seeds, more macro-runs. Written on
{datetime.date.today()} by `./test.sh --long`, which runs every test, these in their long form; revision {revision or 'unknown'}: {summary}.

{len(tests)} tests have a long form. Those that did not pass, or took ten seconds of processor time:

| test | long form | processor s |
|---|---|---:|
{table}
""", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
