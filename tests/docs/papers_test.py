"""docs/results/papers.md is what docs/results/papers.csv makes; every number of campaigns/*/reference/*.csv is printed in a row; and every table,
figure, formula and quantitative sentence of each paper has as many rows as are listed here from the papers' texts, with their numbers.

usage: papers_test.py ROOT
"""
import collections
import csv
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from papers._rows import VERDICTS, numbers  # noqa: E402

KEYS = {"table", "test"}  # of reference files: columns of numbers that say which line it is


def figures(first, last):
    return {f"Figure {number}": 1 for number in range(first, last + 1)}


# Of each paper: item, how many rows, and the numbers printed in them; without numbers: they are in a reference file, or there are none.
ITEMS = {
    "moldable": {
        **figures(1, 7), "section 1": (1, "52 123 104 151 225"), "section 1.3": (1, "3 2 3 8 8.53 12 12"), "section 2.2": 2, "section 3.2": 2, "section 3.3": 1,
        "section 4.1": (2, "40 200 25 400 1 10 1 0.5 10 5 70 0.9 0.2 0.1 0.2 1 10"),
        "section 4.2": (33, "2 2 2.5 2.5 2 2 2 1.9 1.9 1.5 2 2 2 2 2"), "future work": 4},
}


def page_script():
    """tools/papers.py, which has the package's name."""
    import importlib.util
    spec = importlib.util.spec_from_file_location("papers_script", ROOT / "tools" / "papers.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def printed(path):
    """The numbers of a reference file."""
    lines = csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#"))
    for line in lines:
        for column, text in line.items():
            if ("value" not in line or column == "value") and column not in KEYS and re.fullmatch(r"-?\d*\.?\d+", text or ""):
                yield float(text)


def lacking(rows):
    """Numbers of reference files of a paper that stand in fewer rows than there."""
    for paper in ITEMS:
        theirs = collections.Counter(number for row in rows if row.paper == paper for number in numbers(row.theirs))
        wanted = collections.Counter(number for path in sorted((ROOT / "campaigns" / paper).glob("reference/*.csv")) for number in printed(path))
        for number, count in sorted(wanted.items()):
            if theirs[number] < count:
                yield f"{paper}: {number} is printed {count} times in its reference files and stands in {theirs[number]} rows"


def wrong_items(rows):
    for paper, items in ITEMS.items():
        own = collections.defaultdict(list)
        for row in rows:
            if row.paper == paper:
                own[row.item].append(row)
        for item in sorted(own.keys() - items.keys()):
            yield f"{paper}: {item} is no item of the paper's list"
        for item, wanted in items.items():
            count, text = wanted if isinstance(wanted, tuple) else (wanted, None)
            if len(own[item]) != count:
                yield f"{paper}: {item} has {len(own[item])} rows, not {count}"
            found = sorted(number for row in own[item] for number in numbers(row.theirs))
            if text is not None and found != sorted(map(float, text.split())):
                yield f"{paper}: {item} prints {text}; its rows have {found}"


def main():
    script = page_script()
    rows = script.stored()
    problems = [*lacking(rows), *wrong_items(rows)]
    problems += [f"{row.paper}, {row.item}, {row.what}: no verdict '{row.verdict}'" for row in rows if row.verdict not in VERDICTS]
    problems += [f"{row.paper}, {row.item}, {row.what}: {row.verdict} without a reason"
                 for row in rows if row.verdict in ("differs", "undecided", "no counterpart") and not row.why]
    if (ROOT / "docs/results/papers.md").read_text() != script.page(rows):
        problems.append("docs/results/papers.md is not what docs/results/papers.csv makes: tools/papers.py page?")
    print("\n".join(problems) if problems else f"{len(rows)} rows of {len(ITEMS)} papers")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
