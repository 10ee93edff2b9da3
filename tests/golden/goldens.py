"""What is printed of results, as files: every form of `report`, `gantt`, `diff`, `check` and `certify` over samples, small
campaigns and short forms of published ones. What changes on purpose is written anew with --update and listed in the
change log.

usage: goldens.py PROGRAM EXAMPLE.h5 [--update] [NAME ...]
"""
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected"
FORMS = {"txt": [], "md": ["--format", "markdown"], "tex": ["--format", "latex"], "csv": ["--format", "csv"]}
NEEDS_LOGS = "_log"
# What differs from run to run, never results: seconds of the machine, the hash of a campaign that includes another by its path.
VARIES = [(re.compile(r"in [\d.e-]+ s;"), "in … s;"), (re.compile(r"(campaign_hash '[0-9a-f]+…' and\s')[0-9a-f]+"), r"\1")]


def sources():
    """Name of each campaign and its file."""
    return {file.stem: file for file in sorted((HERE / "campaigns").glob("*.yaml"))}


class Printer:
    """Runs the program in a folder of its own; everything that it prints becomes one text."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def __call__(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, "COLUMNS": "80"}, check=False)
        text = done.stdout + "".join(f"stderr: {line}\n" for line in done.stderr.splitlines())
        if done.returncode:
            text += f"exit code {done.returncode}\n"
        for pattern, word in VARIES:
            text = pattern.sub(word, text)
        return text

    def run(self, campaign, results, *more):
        return self("run", campaign, "--output", results, "--workers", "0", "--progress", "none", *more)


def of_results(shown, results):
    """Name of a golden file → what is printed of a result file."""
    texts = {f"report.{ending}": shown("report", results, *form) for ending, form in FORMS.items()}
    texts["check.txt"] = shown("check", results)
    return texts


def of_campaign(shown, name, campaign):
    results = f"{name}.h5"
    texts = {"run.txt": shown.run(campaign, results), **of_results(shown, results)}
    if "job_log:" in campaign.read_text(encoding="utf-8"):
        for form in ("text", "csv"):
            texts[f"gantt_{form}.txt"] = shown("gantt", results, "--cell", "0", "--format", form)
    return texts


def of_differences(shown, campaign):
    """The three modes of `diff`, of one campaign under two seeds."""
    shown.run(campaign, "a.h5")
    changed = shown.folder / "other.yaml"
    changed.write_text(f"campaign_format: 1\nname: other seed\ninclude: ['{campaign}']\nseed: 2\n", encoding="utf-8")
    shown.run(changed, "b.h5")
    return {f"diff_{mode}.txt": shown("diff", "a.h5", other, "--mode", mode)
            for mode, other in (("bitwise", "b.h5"), ("overlap", "b.h5"), ("paired", "a.h5"))}


def of_certificate(shown):
    """A row whose truth is known, over twenty seeds."""
    shown.run(HERE / "certified.yaml", "certified.h5")
    return {"certify.txt": shown("certify", "certified.h5")}


def goldens(program, example, wanted):
    """File below `expected` → its text, of every name that is wanted (all where none is)."""
    with tempfile.TemporaryDirectory(prefix="schedfarm-goldens-") as folder:
        shown = Printer(program, pathlib.Path(folder))
        makers = {name: lambda n=name, f=file: of_campaign(shown, n, f) for name, file in sources().items()}
        makers["example"] = lambda: of_results(shown, shutil.copy(example, shown.folder / "example.h5").name)
        makers["diff"] = lambda: of_differences(shown, sources()["backfilling_of_a_log"])
        makers["certify"] = lambda: of_certificate(shown)
        for name, maker in makers.items():
            if wanted and name not in wanted:
                continue
            if name.endswith(NEEDS_LOGS) and not os.environ.get("SCHEDFARM_TRACES"):
                print(f"{name}: left out, $SCHEDFARM_TRACES names no folder with its log")
                continue
            for form, text in maker().items():
                yield f"{name}/{form}", text


def main(program, example, *words):
    update = "--update" in words
    wanted = [word for word in words if word != "--update"]
    differ = 0
    for name, text in goldens(str(pathlib.Path(program).resolve()), pathlib.Path(example).resolve(), wanted):
        file = EXPECTED / name
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if text == before and file.exists():
            continue
        differ += 1
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            print(f"written: {file}")
        else:
            sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), text.splitlines(True), f"expected/{name}", "printed", n=1))
    if differ and not update:
        print(f"FAILED: {differ} texts are not those expected. If that is meant, {pathlib.Path(__file__).name} PROGRAM EXAMPLE.h5 --update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
