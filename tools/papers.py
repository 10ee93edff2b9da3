#!/usr/bin/env python3
"""Every table, figure and quantitative sentence of the five papers beside what came out.

usage: papers.py collect [FOLDER=results] [PAPER ...]     docs/results/papers.csv from the result files of the papers' campaigns
       papers.py page                                     docs/results/papers.md from docs/results/papers.csv alone

`collect` writes the rows of the papers again whose result files all lie in the folder (tools/reproduce.py leaves them there); rows of
the others stay, and so do the values of a result file that was stopped before its end.
"""
import collections
import csv
import dataclasses
import importlib
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from papers import _rows  # noqa: E402
from papers._rows import AGREES, BUILT, COLUMNS, DIFFERS, NONE, NOT_BUILT, ROOT, UNDECIDED, VERDICTS, Row  # noqa: E402

PAPERS = ("coallocation", "gang", "scojo", "calendars", "moldable")
RESULTS = ROOT / "docs" / "results"
HEAD = """\
# The five papers, item by item

[papers.csv](papers.csv) has every numbered table, figure and formula of the five papers, every sentence of theirs that a measurement can
contradict, and what they leave as future work: what is printed, our value with its 95 % interval, the verdict, the reason, the campaign and
its payload. This page says what agrees, what does not, and by which command it is done again. `tools/papers.py page` writes it from the
table, `tools/papers.py collect` the table from the result files that `tools/reproduce.py` leaves; do not edit.

**agrees**: our interval overlaps what rounds to the printed number, widened by the paper's own interval where it has one; counts without
noise are equal; the claim of a sentence holds at as many places as it needs. **differs**: it does not. **undecided**: intervals straddle.
A payload's first digits tell the result file (`schedfarm check`); some are of schema 1, which had another payload for the same values.
"""


def rows_of(text):
    return [Row(**line) for line in csv.DictReader(text)]


def stored():
    path = RESULTS / "papers.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return rows_of(file)


def collect(folder, names):
    kept = collections.defaultdict(list)
    for row in stored():
        kept[row.paper].append(row)
    for name in names:
        if not (ROOT / "tools" / "papers" / f"{name}.py").exists():
            continue
        module = importlib.import_module(f"papers.{name}")
        try:
            kept[name] = as_they_were(list(module.rows(folder)), kept[name])
        except FileNotFoundError as missing:
            print(f"{name}: its rows stay as they are ({missing} is not there)", file=sys.stderr)
        for row in kept[name]:
            row.paper = name
            check(row)
    with (RESULTS / "papers.csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for name in PAPERS:
            writer.writerows([getattr(row, column) for column in COLUMNS] for row in kept[name])
            counts = collections.Counter(row.verdict for row in kept[name])
            print(f"{name}: {len(kept[name])} rows; " + ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]))


def as_they_were(rows, before):
    """The rows, those of result files that were stopped (rows without a payload) with what papers.csv has of them, in today's words."""
    old = {campaign: [row for row in before if row.campaign == campaign] for campaign in sorted({row.campaign for row in rows if row.campaign and not row.payload})}
    for campaign, kept in old.items():
        if [(row.item, row.theirs) for row in kept] != [(row.item, row.theirs) for row in rows if row.campaign == campaign]:
            raise ValueError(f"{campaign} was stopped before its end, and papers.csv has other rows of it. Run `schedfarm resume`")
        print(f"{campaign}: its values stay as they are (stopped before its end)", file=sys.stderr)
    return [dataclasses.replace(old[row.campaign].pop(0), what=row.what) if row.campaign in old else row for row in rows]


def check(row):
    place = f"{row.paper}, {row.item}, {row.what}"
    if row.verdict not in VERDICTS:
        raise ValueError(f"{place}: no verdict '{row.verdict}'. Verdicts: {', '.join(VERDICTS)}")
    if row.verdict in (DIFFERS, UNDECIDED, NONE, NOT_BUILT) and not row.why:
        raise ValueError(f"{place}: {row.verdict} (ours {row.ours} [{row.lower}, {row.upper}], theirs {row.theirs}) and no reason why")


def line(cells):
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(heads, rows, right=()):
    return [line(heads), line(["---:" if head in right else ":---" for head in heads]), *map(line, rows), ""]


def measured(row):
    return bool(row.theirs or row.ours)


def campaigns_of(rows):
    """The names of their files, each once."""
    return ", ".join(f"`{pathlib.Path(name).stem}`" for name in dict.fromkeys(row.campaign for row in rows if row.campaign))


def place(item):
    """Tables first, then figures, formulas and sections, each by number, then the rest."""
    kind = next((index for index, name in enumerate(("Table", "Figure", "formula", "section")) if item.startswith(name)), 4)
    return kind, [int(number) for number in re.findall(r"\d+", item)], item


def paper_part(name, module, rows):
    """A row for each item of which something differs or is undecided, with the reasons; the others by name."""
    items = collections.defaultdict(list)
    for row in sorted(rows, key=lambda row: place(row.item)):
        items[row.item].append(row)
    body, agreeing, bare = [], [], []
    for item, own in items.items():
        open_rows = [row for row in own if row.verdict in (DIFFERS, UNDECIDED)]
        if not any(map(measured, own)):
            bare.append(item)
        elif not open_rows:
            agreeing.append(item)
        else:
            counts = collections.Counter(row.verdict for row in own)
            reasons = dict.fromkeys(row.why for row in open_rows)
            body.append([item, *(str(counts[verdict]) for verdict in (AGREES, DIFFERS, UNDECIDED)), " ".join(reasons), campaigns_of(own)])
    heads = ["item", "agree", "differ", "undecided", "why not", "campaign"]
    lines = [f"## {module.TITLE}", "", module.TEXT, f"Again: `tools/reproduce.py {name}`; the campaigns are in `campaigns/{name}/`.", "",
             *table(heads, body, heads[1:4])]
    lines += [f"{words}: {'; '.join(named)}." for words, named in (("Nothing differs", agreeing), ("Without a number", bare)) if named]
    return [*lines, ""]


def page(rows):
    """docs/results/papers.md, from the rows of docs/results/papers.csv alone."""
    by_paper = collections.defaultdict(list)
    for row in rows:
        by_paper[row.paper].append(row)
    modules = {name: importlib.import_module(f"papers.{name}") for name in PAPERS if by_paper[name]}
    heads = ["paper", "items", "rows", "with a printed number", "agree", "differ", "undecided", "no counterpart", "future work built", "not built"]
    summary = []
    for name, module in modules.items():
        own = by_paper[name]
        counts = collections.Counter(row.verdict for row in own)
        summary.append([f"[{module.TITLE}](#{anchor(module.TITLE)})", len({row.item for row in own}), len(own),
                        sum(bool(_rows.numbers(row.theirs)) for row in own),
                        *(counts[verdict] for verdict in (AGREES, DIFFERS, UNDECIDED, NONE, BUILT, NOT_BUILT))])
    summary.append(["all", *(sum(row[column] for row in summary) for column in range(1, len(heads)))])
    lines = [HEAD, *table(heads, [[str(cell) for cell in row] for row in summary], heads[1:])]
    for name, module in modules.items():
        lines += paper_part(name, module, by_paper[name])
    return "\n".join(lines).rstrip() + "\n"


def anchor(title):
    """Of a heading, as GitHub makes it."""
    return "".join(letter for letter in title.lower().replace(" ", "-") if letter.isalnum() or letter in "-_")


def main(arguments):
    if arguments[:1] == ["collect"]:
        folder = arguments[1] if len(arguments) > 1 else str(ROOT / "results")
        collect(folder, arguments[2:] or PAPERS)
    elif arguments == ["page"]:
        (RESULTS / "papers.md").write_text(page(stored()))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
