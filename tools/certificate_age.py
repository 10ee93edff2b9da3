#!/usr/bin/env python3
"""Says which rows of the coverage certificate were made before their procedure changed: for every section of the
page the revision that made it and the source files of what it certifies stand below its heading.

usage: certificate_age.py ROOT [--release]

Prints a line per section that is older than a file of its procedure. That is no failure: a release alone needs a
fresh page, so that with --release such a line, or a section made by a revision that git does not know, exits 1.
"""
import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"^### (?P<title>.+)$")
ORIGIN = re.compile(r"^`(?P<campaign>\S+\.yaml)`, .*revision (?P<revision>[0-9a-f]{7,40})(?P<changes> with changes)?"
                    r".*Procedure: (?P<files>.+)\.$")


def sections(page):
    """Title, campaign, revision and source files of every section."""
    title = ""
    for line in page.splitlines():
        heading, origin = SECTION.match(line), ORIGIN.match(line)
        if heading:
            title = heading["title"]
        elif origin:
            yield title, origin["campaign"], origin["revision"], re.findall(r"`([^`]+)`", origin["files"])


def commits(root, revision, files):
    """Commits since the revision that touch a file; None where git does not know the revision."""
    command = ["git", "-C", str(root), "log", "--format=%h", f"{revision}..HEAD", "--", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode else done.stdout.split()


def changed_since(root, revision, files):
    """Those of the files that a commit since the revision touches; None where git does not know it."""
    return None if commits(root, revision, files) is None else [file for file in files if commits(root, revision, [file])]


def ages(root, page):
    """Campaign and line of every section that is out of date, or of which that cannot be said."""
    named = list(sections(page))
    if not named:
        yield "", "the page names no revision and no source file: make it anew"
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
    page = (root / "docs/results/certificate.md").read_text(encoding="utf-8")
    lines = [line for _, line in ages(root, page)]
    print("\n".join(lines) if lines else "Every row of the certificate is as new as its procedure.")
    return 1 if lines and "--release" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
