"""What the modules of the papers share: a row of docs/results/papers.csv, values of a result file, and how they make a verdict.

A paper's module has TITLE, TEXT (a sentence on it) and `rows(folder)`, which reads the result files of its campaigns there:

    def rows(folder):
        table = Campaign(folder, "coallocation/table1", "table1")
        yield table.number("Table 1", "[1, 4], bin filling", "0.031", table.estimate("capacity_loss", sizes="[1, 4]", experiment="bin_filling"),
                           "why it differs, if it does")
        yield table.sentence("section 4.1", "Total requests give the best response times.", "", "total below unordered", "why, if it does not hold",
                             {"utilization": "beyond saturation there is no response time"})
        yield said("Figure 1", "the model of a multicluster", DRAWING)
"""
import csv
import dataclasses
import math
import pathlib
import re
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "src"))

AGREES, DIFFERS, UNDECIDED, NONE = "agrees", "differs", "undecided", "no counterpart"
DRAWING, FORMULA, DEFINITION = "drawing", "formula", "definition"
BUILT, NOT_BUILT = "future work built", "future work not built"
VERDICTS = (AGREES, DIFFERS, UNDECIDED, NONE, DRAWING, FORMULA, DEFINITION, BUILT, NOT_BUILT)
OF_CLAIM = {"holds": AGREES, "does not hold": DIFFERS, "undecided": UNDECIDED, "not measured": NONE}


@dataclasses.dataclass
class Row:
    item: str  # "Table 4", "Figure 7", "section 4.2", "formula (3)", "future work"
    what: str
    theirs: str = ""  # as printed
    ours: str = ""
    lower: str = ""
    upper: str = ""
    verdict: str = ""
    why: str = ""  # one short sentence, wherever the verdict is not "agrees"
    campaign: str = ""
    payload: str = ""
    paper: str = ""  # `collect` fills it in


COLUMNS = ["paper", *(field.name for field in dataclasses.fields(Row) if field.name != "paper")]


@dataclasses.dataclass
class Value:
    """A mean with its 95 % interval; an exact value has none (NaN)."""
    mean: float
    lower: float = math.nan
    upper: float = math.nan
    cells: frozenset = frozenset()  # pairs of a cell that it was made of and a job class, or -1

    @property
    def ends(self):
        return (self.mean, self.mean) if math.isnan(self.lower) else (self.lower, self.upper)

    def times(self, factor):
        ends = sorted((self.lower * factor, self.upper * factor))
        return Value(self.mean * factor, *ends, self.cells)


def said(item, what, verdict, why="", theirs="", ours=""):
    """A row that no result file measures: a drawing, a formula, a definition, future work, what has no counterpart."""
    return Row(item, what, theirs, ours, verdict=verdict, why=why)


def plain(values):
    """Mean of independent values with its t interval."""
    from schedfarm import _intervals
    estimate = _intervals.of_mean(np.array(list(values)))
    return with_interval(estimate) if estimate.n > 1 else Value(estimate.mean)


def ratio(above, below):
    """Mean over mean, with the jackknife's interval."""
    from schedfarm import _intervals
    above, below = np.array(above), np.array(below)
    without = (above.sum() - above) / (below.sum() - below)
    return with_interval(_intervals.jackknife(above.sum() / below.sum(), without))


def with_interval(estimate):
    from schedfarm import _intervals
    return Value(estimate.mean, *_intervals.interval(estimate, 0.95, "student_t"))


def cells_of(values):
    """All that the values look at; nothing where one of them does not tell."""
    if not all(value.cells for value in values):
        return frozenset()
    return frozenset().union(*(value.cells for value in values))


def reference(name):
    """Rows of campaigns/NAME, a reference file, as dicts of text."""
    text = (ROOT / "campaigns" / name).read_text().splitlines()
    return list(csv.DictReader(line for line in text if not line.startswith("#")))


def shown(number):
    """Four significant digits; a whole number from 1,000 on.

    >>> shown(0.0312496), shown(43404.2), shown(7.0)
    ('0.03125', '43404', '7')
    """
    if math.isnan(number):
        return ""
    return f"{number:.0f}" if abs(number) >= 1000 else f"{number:.4g}".replace("e-05", "e-5")


def last(name):
    """Of a factor's name."""
    return name.rsplit(".", 1)[-1]


def told(name, levels):
    """
    >>> told("load.utilization", [0.55, 0.6]), told("structure", ["C = 4 U"])
    ('utilization 0.55, 0.6', 'structure C = 4 U')
    """
    return f"{last(name)} {', '.join(f'{level:g}' if isinstance(level, (int, float)) else str(level) for level in levels)}"


def rounding(printed):
    """Half a unit of the last digit of the first number of a text.

    >>> rounding("0.031"), rounding("1,511 slots"), rounding("about 2")
    (0.0005, 0.5, 0.5)
    """
    found = NUMBER.search(printed)
    decimals = found.group().partition(".")[2]
    return 0.5 * 10.0 ** -len(decimals)


CLASS = re.compile(r"\[class=(\d+)\]")
TERM = re.compile(r"(?:\[(\d+)\])?\{cell=(\d+)\}")  # of a claim's place
NORMAL = 1.959964
NUMBER = re.compile(r"(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:(?<=\d)\.?\d*|\.\d+)(?![\w])")


def numbers(text):
    """All numbers of a text.

    >>> numbers("5.7 ± 2.8"), numbers("1,511 slots"), numbers(".68 to 13.84 %"), numbers("[1, 4], MM1"), numbers("-82.0")
    ([5.7, 2.8], [1511.0], [0.68, 13.84], [1.0, 4.0], [-82.0])
    """
    return [float(found.rstrip(".").replace(",", "")) for found in NUMBER.findall(text)]


def agrees(theirs, value, their_half=0.0):
    """Our interval overlaps the printed number's rounding, widened by half the paper's own interval where it has one."""
    printed, half = numbers(theirs)[0], rounding(theirs) + their_half
    lower, upper = value.ends
    slack = 1e-9 * max(1.0, abs(printed))
    return lower <= printed + half + slack and printed - half - slack <= upper


class Campaign:
    """The result file of a campaign: `Campaign("results", "scojo/tables4-7", "scojo_tables4-7")`. `named`: factors whose levels its sentences
    compare by name, such as policies; `reasons`: by factor why sentences that say nothing else leave out levels. Raises FileNotFoundError."""

    def __init__(self, folder, name, file, named=(), reasons=None):
        import schedfarm
        path = pathlib.Path(folder) / f"{file}.h5"
        if not path.exists():
            raise FileNotFoundError(path)
        self.results = schedfarm.open(str(path))
        self.name = f"campaigns/{name}.yaml"
        self._named, self._reasons = named, reasons or {}
        self._estimates = {}  # by metric, a row per cell
        self._replications = None
        stopped = self.results.cells["status"].isin(["provisional", "incomplete"]).any()
        self.payload = "" if stopped else self.results.attributes["payload_hash"][:12]  # none: `collect` keeps the values of papers.csv

    # Values.

    def estimate(self, metric, **levels):
        """The estimate of one cell's metric, or of a quantity of the campaign."""
        if metric not in self._estimates:
            self._estimates[metric] = self.results.estimates(metric=metric, factors=False).set_index("cell")
        row = self._estimates[metric].loc[self.results.cell(**levels)]
        return Value(*(float(row[end]) for end in ("mean", "lower", "upper")), self.at(metric, levels))

    def replications(self, metric, **levels):
        """The values of one cell's replications, in order."""
        if self._replications is None:
            self._replications = dict(list(self.results.table("replications").sort_values("replication").groupby("cell")))
        return list(self._replications[self.results.cell(**levels)][metric])

    def at(self, metric, *cells):
        """What a value of these cells (the levels of each) looks at."""
        of_class = CLASS.search(metric)
        return frozenset((self.results.cell(**levels), int(of_class[1]) if of_class else -1) for levels in cells)

    def of(self, value, *cells):
        """The value, made of these cells in another way than by the functions here."""
        return dataclasses.replace(value, cells=self.at("", *cells))

    def of_all(self, value):
        """The value, made of all cells, or one that is the same for all."""
        return dataclasses.replace(value, cells=frozenset((cell, -1) for cell in self.results.factors.columns.index))

    def ratio(self, metric, first, second):
        """Of two cells under the same random numbers, over the replications both have."""
        value = ratio(*zip(*zip(self.replications(metric, **first), self.replications(metric, **second))))
        return dataclasses.replace(value, cells=self.at(metric, first, second))

    def paired(self, made, metric, first, second):
        """Of two cells under the same random numbers: the mean of made(a, b) over replications, with its t interval."""
        value = plain(made(a, b) for a, b in zip(self.replications(metric, **first), self.replications(metric, **second)))
        return dataclasses.replace(value, cells=self.at(metric, first, second))

    def claim(self, name):
        rows = self.results.claims().set_index("claim")
        return rows.loc[name]

    def claim_value(self, name, place=""):
        """What a claim measured at one place (the only one, where none is given)."""
        rows = self.results.claim_values()
        rows = rows[(rows["claim"] == name) & ((rows["place"] == place) | (place == ""))]
        if len(rows) != 1:
            raise LookupError(f"{self.name}: '{name}' at '{place}' is {len(rows)} rows, not one")
        return Value(*(float(rows[end].iloc[0]) for end in ("value", "lower", "upper")))

    # Rows.

    def row(self, item, what, theirs, value, verdict, why):
        lower, upper = (shown(value.lower), shown(value.upper)) if value else ("", "")
        return Row(item, what, theirs, shown(value.mean) if value else "", lower, upper, verdict, "" if verdict == AGREES else why,
                   self.name, self.payload)

    def judged(self, item, what, theirs, value, verdict, why, without=None, beside=()):
        """A sentence whose verdict follows from more than its value: from those beside it, too. `without`: as in held()."""
        return self.row(item, self.of_levels(what, cells_of([value, *beside]), without), theirs, value, verdict, why)

    def number(self, item, what, theirs, value, why="", their_half=0.0):
        """A printed number beside ours."""
        return self.row(item, what, theirs, value, AGREES if agrees(theirs, value, their_half) else DIFFERS, why)

    def reference_rows(self, item, printed, what, why, deviation=""):
        """A row for each line of the campaign's reference file, whose values stand in `printed` as text, in order. Of what averages `runs`
        runs the paper's own interval is known: `deviation` is the column of estimates that has the deviation of one run."""
        rows = self.results.reference().merge(self.results.cells[["cell", "label"]], on="cell")
        for line, (_, own) in zip(printed, rows.iterrows(), strict=True):
            half = 0.0
            if own["runs"] and deviation:
                half = NORMAL * self._of_cell(deviation, own["cell"]) / math.sqrt(own["runs"])
            yield self.number(item, what(line), line["value"], Value(own["measured"], own["lower"], own["upper"]), why(line), half)

    def _of_cell(self, metric, cell):
        rows = self.results.table("estimates")
        return float(rows[(rows["cell"] == cell) & (rows["metric"] == metric)]["mean"].iloc[0])

    def of_levels(self, what, looked_at, without):
        """The words of a sentence, and the levels of which the campaign has cells and the sentence none, with the reason for each factor:
        `without`. Raises ValueError where it has no reason, or one that is of no use, or where nothing tells the cells it looks at."""
        cells, classes = {cell for cell, _ in looked_at}, {k for _, k in looked_at if k >= 0}
        factors = self.results.factors
        names = [name for name in factors.names if not {name, last(name)} & set(self._named)]
        if names and not cells:
            raise ValueError(f"{self.name}: '{what}' does not tell which cells of its campaign it looks at")
        left_out = {name: [level for level in factors.levels(name) if level not in set(factors.columns.loc[sorted(cells), name])] for name in names}
        left_out["class"] = sorted(self._classes() - classes) if classes else []
        names = [name for name, levels in left_out.items() if levels]
        reasons = self._reasons | (without or {})
        for name in names:
            if not {name, last(name)} & reasons.keys():
                raise ValueError(f"{self.name}: '{what}' leaves out {told(name, left_out[name])} of its campaign and does not say why")
        if idle := (without or {}).keys() - {word for name in names for word in (name, last(name))}:
            raise ValueError(f"{self.name}: '{what}' says why it leaves out {', '.join(sorted(idle))}, and does not")
        reasons = {name: reasons.get(name, reasons.get(last(name))) for name in names}
        return what + "".join(f" [without {told(name, left_out[name])}: {reasons[name]}]" for name in names)

    def _classes(self):
        columns = (CLASS.search(name) for name in self.results.table("replications").columns)
        return {int(found[1]) for found in columns if found}

    def held(self, item, what, theirs, values, rule, why="", without=None):
        """A sentence that no claim of the campaign has: rule(lower, upper) at every one of these values, agrees; false at the mean of one,
        differs. `without`: by factor why levels that the campaign has are not among the values."""
        what = self.of_levels(what, cells_of(values), without)
        inside = sum(rule(*value.ends) for value in values)
        wrong = any(not rule(value.mean, value.mean) for value in values)
        verdict = AGREES if inside == len(values) else DIFFERS if wrong else UNDECIDED
        row = self.row(item, what, theirs, values[0] if len(values) == 1 else None, verdict, why)
        if len(values) > 1:
            means = [value.mean for value in values]
            row.ours = f"{shown(min(means))} to {shown(max(means))} ({inside} of {len(values)})"
        return row

    def sentence(self, item, what, theirs, claim, why="", without=None, value=None):
        """A sentence beside its claim's verdict; `ours` is the claim's value, or the range of its values and at how
        many places it holds, unless a value is given. `without`: as in held()."""
        places = self.results.table("claim_places")
        terms = TERM.findall(" ".join(places[places["claim"] == claim]["expression"]))
        what = self.of_levels(what, {(int(cell), int(of_class or -1)) for of_class, cell in terms}, without)
        rows = self.results.claim_values()
        rows = rows[rows["claim"] == claim]
        row = self.row(item, what, theirs, value, OF_CLAIM[self.claim(claim)["verdict"]], why)
        if value is None and len(rows) == 1:
            return self.row(item, what, theirs, self.claim_value(claim), row.verdict, why)
        if value is None and len(rows):
            low, high = shown(rows["value"].min()), shown(rows["value"].max())
            row.ours = (low if low == high else f"{low} to {high}") + f" ({int((rows['side'] == 'inside').sum())} of {len(rows)})"
        return row
