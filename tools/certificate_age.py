#!/usr/bin/env python3
"""Says which rows of the coverage certificate were made before their procedure changed: every row of
docs/results/certificate.csv has the revision that made it and the source files of what it certifies.

usage: certificate_age.py ROOT [--release]

Prints a line per section that is older than a file of its procedure. That is no failure: a release alone needs a
fresh page, so that with --release such a line, or a section made by a revision that git does not know, exits 1.
"""
import csv
import pathlib
import re
import subprocess
import sys

COLUMNS = ["section", "campaign", "cell", "truth", "known from", "band", "judged", "replications", "half-width", "found", "fails with probability",
           "verdict", "note", "made"]
ORIGIN = re.compile(r"^`(?P<campaign>\S+\.yaml)`, .*revision (?P<revision>[0-9a-f]{7,40})(?P<changes> with changes)?"
                    r".*Procedure: (?P<files>.+)\.$")


def origin_of(line):
    """Campaign, revision and files of what made a row; None of another line."""
    return ORIGIN.match(line)


def stored(table):
    """The rows of a certificate; none where there is no file."""
    if not table.exists():
        return []
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def sections(rows):
    """Title, campaign, revision and source files of every section."""
    for title, made in dict.fromkeys((row["section"], row["made"]) for row in rows):
        origin = origin_of(made)
        if origin:
            yield title, origin["campaign"], origin["revision"], re.findall(r"`([^`]+)`", origin["files"])


def commits(root, revision, files):
    """Commits since the revision that touch a file; None where git does not know the revision."""
    command = ["git", "-C", str(root), "log", "--format=%h", f"{revision}..HEAD", "--", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.split()


def changed_since(root, revision, files):
    """Those of the files that a commit since the revision touches; None where git does not know it."""
    return None if commits(root, revision, files) is None else [file for file in files if commits(root, revision, [file])]


def ages(root, rows):
    """Campaign and line of every section that is out of date, or of which that cannot be said."""
    named = list(sections(rows))
    if not named:
        yield "", "the table names no revision and no source file: make it anew"
    for title, campaign, revision, files in named:
        found = next((root / "campaigns/certificate").rglob(campaign), None)
        if found is None:
            continue  # its campaign is gone: it stays as it was made
        missing = [file for file in files if not (root / file).is_file()]
        if missing:
            yield campaign, f"{title}: no such source file: {', '.join(missing)}"
            continue
        changed = changed_since(root, revision, [*files, str(found.relative_to(root))])
        if changed is None:
            yield campaign, f"{title}: made by revision {revision}, which git does not know here"
        elif changed:
            yield campaign, f"{title}: made by revision {revision}; changed since: {', '.join(changed)}"


def main(arguments):
    root = pathlib.Path(arguments[0])
    lines = [line for _, line in ages(root, stored(root / "docs/results/certificate.csv"))]
    print("\n".join(lines) if lines else "Every row of the certificate is as new as its procedure.")
    return 1 if lines and "--release" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
