"""Which rows of the certificate are older than their procedure is seen, and that alone; then what is said of the
table of this tree, which fails nothing.

usage: certificate_age_test.py ROOT
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
ORIGIN = "`row.yaml`, seed 1, plan `00`, schedfarm 0.1.0, revision {revision}, GNU 12. Procedure: `engine/a.cpp`, `engine/b.cpp`."


def table(*rows):
    """Of titles and revisions."""
    return "section,made\n" + "".join(f'{title},"{ORIGIN.format(revision=revision)}"\n' for title, revision in rows)


def git(folder, *words):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    return subprocess.run(["git", "-C", folder, *identity, *words], check=True, capture_output=True, text=True).stdout


def age(folder, *options):
    command = [sys.executable, ROOT / "tools/certificate_age.py", folder, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def commit(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", name)
    return git(folder, "rev-parse", "--short=12", "HEAD").strip()


def expect(holds, text):
    if not holds:
        sys.exit(text)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    git(folder, "init", "-q")
    commit(folder, "campaigns/certificate/row.yaml", "name: row")
    commit(folder, "engine/a.cpp", "1")
    old = commit(folder, "engine/b.cpp", "1")
    new = commit(folder, "engine/b.cpp", "2")
    commit(folder, "engine/other.cpp", "1")
    page = "docs/results/certificate.csv"
    commit(folder, page, table(("Fresh", new)))
    fresh = age(folder, "--release")
    expect(fresh.returncode == 0 and "as new as its procedure" in fresh.stdout, fresh.stdout)
    commit(folder, page, table(("Fresh", new), ("Old", old)))
    said = age(folder)
    expect(said.returncode == 0 and said.stdout == f"Old: made by revision {old}; changed since: engine/b.cpp\n", said)
    expect(age(folder, "--release").returncode == 1, "a release with an old row")
    commit(folder, page, table(("Gone", old)).replace("row.yaml", "gone.yaml"))
    expect(age(folder, "--release").returncode == 0, "a section that cannot be made anew")
    commit(folder, page, table(("Lost", "0123456789ab")))
    expect("git does not know" in age(folder).stdout, age(folder).stdout)

print(age(ROOT).stdout, end="")
