"""docs/results/papers.md is what docs/results/papers.csv makes; every number of campaigns/*/reference/*.csv is printed in a row; and every table,
figure, formula and quantitative sentence of each paper has as many rows as are listed here from the papers' texts, with their numbers.

usage: papers_test.py ROOT
"""
import collections
import contextlib
import csv
import doctest
import io
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from papers import _rows  # noqa: E402
from papers._rows import VERDICTS, numbers  # noqa: E402

KEYS = {"table", "test"}  # of reference files: columns of numbers that say which line it is


def figures(first, last):
    return {f"Figure {number}": 1 for number in range(first, last + 1)}


# Of each paper: item, how many rows, and the numbers printed in them; without numbers: they are in a reference file, or there are none.
ITEMS = {
    "gang": {
        **figures(1, 2), **figures(4, 9),
        "Figure 3": (50, """
            2408 16854 9105 25959 1.5
            515 18100 12122 30222 1.7
            669 9571 10315 19885 2.1
            582 3563 13946 17510 4.9
            848 8822 24947 33768 3.8
            465 9008 69157 78165 8.7
            420 93189 93040 102359 11.0
            74 12168 128895 141062 11.6
            45 300 146141 146441 488.4
            23 5912 147240 153153 26.0"""),
        "Figure 3, divisors": 10, "section 2.1": 1, "section 2.3": 1, "section 5": (4, "6049 7"), "section 6": (56, "16 7 9 7 9 2 4 2 4 10 10 3 3 1 1 10"),
        "section 7.1": (5, "29 48 9 12 2 20 13"), "section 7.2": 11, "section 7.3": 2, "future work": 9},
    "coallocation": {
        "Table 1": 30, "Table 2": 20, "Table 3": 4, "Table 4": 50, "Table 5": 24, **figures(1, 7), **{f"formula ({number})": 1 for number in range(1, 7)},
        "section 2.1": 2, "section 2.2": 1, "section 2.4": (1, "128 24 15"), "section 3.1": (1, "0.5"), "section 3.2": (5, "10000 1500"), "section 3.3": 3,
        "section 4": (1, "32 4 8 1 4 1 8 1"), "section 4.1": 4, "section 4.2": 5, "section 4.3": (15, "7"), "section 4.4": (1, "0.7 0.9 8"),
        "section 5": (5, "40 60 15 10 100 1000 24 15 50"), "section 6": 2, "future work": 2},
    "calendars": {
        **figures(1, 1), "Figure 2": (11, "5.6 7.7 4.8 5.5 5.6 7.7 4.8 5.5"), "Figure 3": (10, "2404 1982 156 194 1005 580 496 376 747 832"),
        "Figure 4": (8, "100000 40 64 40 2560 8 40 8 320 2560 2 40 2 1280 2560 2 10 2 1280 2560 32 10 8 320 2560 1511"), "Figure 5": (4, "10 5 10 5"),
        "Figure 6": 3,
        "Figure 7": (11, "32 32 64 128 256 512"), "Figure 7, utilization": (12, "18.0 18.1 21.5 21.7 24.7 24.9 36.4 36.3 38.9 38.9 38.8 38.8"),
        "Figure 7, trade in node-hours": (18, """
            170.5 88.4 -82.0
            162.3 85.4 -77.0
            281.0 54.2 -226.9
            64.3 456.1 391.8
            136.2 84.6 -51.6
            52.7 98.3 45.6"""),
        "Figure 8": (13, "10.6 7.8 25 7 1 3 3"),
        "Figure 9, jobs": (22, """
            939 14.6 2267 9.2 1597 9.9 1594 10.9 2549 10.8 1759 11.1 1700 10.8 2119 10.9 1630 12.0 1483 10.2
            17637 10.8"""),
        "Figure 9, utilization": (20, """
            34.5 72.9 79.3 70.8 55.2 65.4 63.6 72.9 61.2 77.3
            86.6 80.2 75.4 73.4 76.9 65.0 65.9 61.5 67.7 52.6"""),
        "Figure 9, trade in node-hours": (44, """
            43404 8531 -34872 17772
            30897 29882 -1015 25773
            23570 30797 7227 29732
            28265 30427 2162 23605
            30819 18628 -12191 23502
            25276 29280 4003 20661
            20688 22616 1928 25926
            19674 31791 12117 23826
            22192 21035 -1157 25646
            16579 38379 21800 20589
            261365 261365 0 237033"""),
        "Figure 9": (5, "65.3 26303 210.3"),  # the last two: 8,531 + 17,772; (43,404 + 17,772) / 336 / .866
        "section 2.1": 1, "section 2.2": 1, "section 2.3": 2, "section 2.4": 1, "section 3.2": 1,
        "section 3.3": (5, "336 3360 112 1 3 12 11 2000 17000"), "future work": 1},
    "scojo": {
        "Table 1": (1, "10000 10 3 24"), "Table 2": 21, "Table 3": 1, "Table 4": 50, "Table 5": 50, "Table 6": 50, "Table 7": 50, "Table 8": 10,
        "Table 9": 10, **figures(1, 25), "independent program": 6,
        "section 1.2": (1, "15 10 1.5"), "section 2": (1, "100 1"), "section 3.2": (4, "30 60"), "section 5.4": (5, "50 5000 15 64 20 60 70 80 90 100"),
        "section 6.1": (2, "80 85 10 1 100 163 60"), "section 6.2": (1, "1 300 300"), "section 6.3": 12, "section 7": (6, "0.11 7.13 1.5 1.5 5 10"), "future work": 3},
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


def refusals():
    """A sentence that leaves out levels of its campaign without a word is refused, as is a reason that is of no use."""
    import pandas as pd
    from schedfarm._factors import Factors

    cells = [(policy, load) for policy in ("easy", "fcfs") for load in (0.2, 0.5, 0.7)]
    made = pd.DataFrame([{"cell": cell, "factor": factor, "label": str(level), "number": level if factor == "load" else float("nan")}
                         for cell, levels in enumerate(cells) for factor, level in zip(("policy", "load"), levels)])

    class Results:
        factors = Factors(made, pd.Index(range(len(cells))))

        @staticmethod
        def table(name):
            return pd.DataFrame(columns=["slowdown.mean[class=0]", "slowdown.mean[class=3]"])

    campaign = _rows.Campaign.__new__(_rows.Campaign)
    campaign.results, campaign.name, campaign.payload = Results, "x.yaml", "7ce97d93ca2b"
    campaign._named, campaign._reasons = ("policy",), {"class": "of small ones"}
    whole = {(cell, -1) for cell in range(3)}
    for looked_at, without, expected in (
            (whole, None, "A."), (whole - {(1, -1)}, {"load": "too low"}, "A. [without load 0.5: too low]"), (whole - {(1, -1)}, None, "leaves out load 0.5"),
            (whole, {"load": "too low"}, "says why"), (set(), None, "does not tell which cells"), ({(cell, 3) for cell in range(3)}, None, "A. [without class 0: of small ones]")):
        try:
            found = campaign.of_levels("A.", looked_at, without)
        except ValueError as error:
            found = str(error)
        if not (found == expected or (" [" not in expected and expected != "A." and expected in found)):
            yield f"levels {looked_at}, {without}: '{found}', not '{expected}'"
    yield from refused_rows(campaign)


def refused_rows(campaign):
    """Each row is held to the cells of its own values, whatever was looked up before it: also the second of two made from the same values."""
    def seen(*cells):
        return _rows.Value(float(sum(cells)), cells=frozenset((cell, -1) for cell in cells))

    few, all_loads = [seen(0, 3), seen(2, 5)], [seen(0, 3), seen(1), seen(2, 5)]
    without = {"load": "too low"}
    rules = {"held": lambda values, without: campaign.held("Figure 4", "A.", "", values, lambda lower, upper: lower > 0, without=without),
             "judged": lambda values, without: campaign.judged("Figure 4", "A.", "", values[0], "agrees", "", without, values[1:])}
    for name, made in rules.items():
        for values, reasons, expected in ((few, without, "A. [without load 0.5: too low]"), (few, None, "leaves out load 0.5"), (few, None, "leaves out load 0.5"),
                                          (all_loads, None, "A."), ([*all_loads, _rows.Value(7.0)], None, "does not tell which cells"),
                                          ([value.times(3) for value in few], None, "leaves out load 0.5")):
            try:
                found = made(values, reasons).what
            except ValueError as error:
                found = str(error)
            if found != expected and (expected.startswith("A.") or expected not in found):
                yield f"{name}, values {values}, {reasons}: '{found}', not '{expected}'"


def stopped(script):
    """Of a result file that was stopped before its end the values stay as they stand in papers.csv; others are new."""
    def row(what, campaign, payload, ours):
        return _rows.Row("Table 4", what, "", ours, campaign=campaign, payload=payload)

    new = [row("a", "x", "11", "1.5"), row("b", "y", "", "2.5"), row("c", "x", "11", "3.5"), row("d", "y", "", "4.5"), row("e", "", "", "")]
    before = [row("a", "x", "10", "1.2"), row("old", "y", "20", "2.2"), row("d", "y", "20", "4.2")]
    with contextlib.redirect_stderr(io.StringIO()) as said:
        found = [(own.what, own.ours) for own in script.as_they_were(new, before)]
    if found != [("a", "1.5"), ("b", "2.2"), ("c", "3.5"), ("d", "4.2"), ("e", "")] or said.getvalue().count("\n") != 1 or "y: its values stay" not in said.getvalue():
        yield f"rows of a stopped file: {found}, {said.getvalue()}"
    try:
        script.as_they_were(new, before[:2])
        yield "a stopped file with another number of rows than before is taken"
    except ValueError:
        pass


def main():
    script = page_script()
    rows = script.stored()
    problems = [*refusals(), *stopped(script), *lacking(rows), *wrong_items(rows)]
    problems += [f"{row.paper}, {row.item}, {row.what}: no verdict '{row.verdict}'" for row in rows if row.verdict not in VERDICTS]
    problems += [f"{row.paper}, {row.item}, {row.what}: {row.verdict} without a reason"
                 for row in rows if row.verdict in ("differs", "undecided", "no counterpart") and not row.why]
    if doctest.testmod(_rows).failed:
        problems.append("examples in tools/papers/_rows.py do not hold")
    if (ROOT / "docs/results/papers.md").read_text() != script.page(rows):
        problems.append("docs/results/papers.md is not what docs/results/papers.csv makes: run tools/papers.py page")
    print("\n".join(problems) if problems else f"{len(rows)} rows of {len(ITEMS)} papers")
    return 1 if problems or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
