"""The sections of the page, each a function of the results; None where the file has nothing for it."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pandas as pd

from .. import _labels, _series, report
from .._words import status_text
from ..errors import RequestError
from ..results import UNDECIDED, Results
from ._chart import chart
from ._tables import MOST_ROWS, PageTable, page_table

_MOST_WARNINGS = 10  # below one title, that are open
_MOST_FIGURES = 4  # of estimates; the tables of other metrics are folded
_MOST_ROWS = 100  # of a table of which most rows have nothing to say
_SHOWN = {
    "stability": {"label": "cell", "verdict": "verdict", "growth": "growth", "growth_lower": "growth, lower", "growth_upper": "growth, upper",
                  "half_ratio": "ratio of halves", "half_ratio_lower": "ratio, lower", "half_ratio_upper": "ratio, upper",
                  "start_bias": "bias of the start", "start_bias_upper": "bias, upper", "start_bias_allowed": "bias allowed"},
    "warm_up_checks": {"label": "cell", "verdict": "verdict", "replications": "replications", "warm_up_jobs": "jobs of the warm-up",
                       "mser_cut": "jobs that MSER-5 cuts"},
}


class Card(NamedTuple):
    value: str
    text: str
    mood: str = ""


class Drawn(NamedTuple):
    """`table`: whose rows its points tell, by its place among those of the estimates. `data`: what the page's script draws instead of `svg`."""

    svg: str
    caption: str
    is_folded: bool = True
    table: int | None = None
    data: str = ""


class Block(NamedTuple):
    title: str
    text: str
    is_open: bool = False


class Warnings(NamedTuple):
    """What the report says below one of its titles; none: below its main table."""

    title: str
    texts: list[str]

    @property
    def is_folded(self) -> bool:
        return len(self.texts) > _MOST_WARNINGS


class Section(NamedTuple):
    id: str
    title: str
    cards: list[Card] = []
    warnings: list[Warnings] = []
    texts: list[str] = []
    figures: list[Drawn] = []
    tables: list[PageTable] = []
    blocks: list[Block] = []


class Numbers:
    """Counts the figures of a page. `prepare`: what is done before matplotlib is imported."""

    def __init__(self, prepare: Callable[[], None] = lambda: None) -> None:
        self.count = 0
        self.prepare = prepare
        self.estimates: dict[str, pd.DataFrame] = {}  # of figures, for their tables

    @functools.cached_property
    def plot(self) -> Any:
        """The module, where a figure is drawn: matplotlib takes as long as the tables of some thousand cells."""
        self.prepare()
        from .. import plot
        return plot

    def svg(self, drawn: Any, label: str, rows: dict[int, int] | None = None) -> str:
        from ._svg import inline_svg
        self.count += 1
        return inline_svg(drawn, label, self.count, rows)


def sections(results: Results, numbers: Numbers) -> Iterator[Section]:
    made: list[Callable[[Results, Numbers], Section | None]] = [
        answer, summary, figures, comparisons, paper, claims, waits, stability, failures, ranks, provenance]
    for make in made:
        section = make(results, numbers)
        if section is not None:
            yield section


def answer(results: Results, numbers: Numbers) -> Section:
    """What was asked, and the figure of it: the campaign's first, or that of the metric that is compared or shown first."""
    drawn, texts = _asked(results, numbers, slice(1))
    if not drawn and not texts:
        drawn = [_overview(results, numbers, 0)] if _varying(results) else []
    drawn = [own._replace(is_folded=False) for own in drawn]
    return Section("answer", "Answer", texts=report.answers(results.view) + texts, figures=drawn)


def summary(results: Results, numbers: Numbers) -> Section:
    cells = results.cells
    warned = _warnings(results)
    decided = len(cells) - cells["status"].isin(UNDECIDED).sum()
    cards = [_share(decided, len(cells), "cell", "decided", "bad" if decided < len(cells) else "" if warned else "good"),
             _count(cells["replications_used"].sum(), "replication", "behind the estimates", "")]
    cards += [_count(len(own), "cell", words, "bad") for words, own in _states(results).items()]
    reference = results.reference(factors=False)
    if len(reference):
        agree = (reference["verdict"] == "agrees").sum()
        cards.append(_share(agree, len(reference), "value", "as in the paper", "good" if agree == len(reference) else "bad"))
    if "claims" in results.table_names and len(results.claims()):
        claims_ = results.claims()
        held = (claims_["verdict"] == claims_["expected"]).sum()
        cards.append(_share(held, len(claims_), "claim", "as the campaign expects", "good" if held == len(claims_) else "bad"))
    if "comparisons" in results.table_names and len(results.comparisons()):
        apart = (results.comparisons()["verdict"] != "not decided").sum()
        cards.append(_share(apart, len(results.comparisons()), "difference", "decided (Holm)", ""))
    failed = len(results.table("failures"))
    if failed:
        cards.append(_count(failed, "replication", "failed", "bad"))
    if warned:
        cards.append(_count(sum(len(below.texts) for below in warned), "warning", "below", "bad"))
    return Section("summary", "Warnings and counts" if warned else "Counts", cards=cards, warnings=warned)


def _count(number: int, thing: str, words: str, mood: str) -> Card:
    value, things = _labels.counted(int(number), thing).split(" ", 1)
    return Card(value, f"{things} {words}", mood)


def _share(number: int, whole: int, thing: str, words: str, mood: str) -> Card:
    card = _count(whole, thing, words, mood)
    return card._replace(value=f"{number:,} of {card.value}")


def _states(results: Results) -> dict[str, set[int]]:
    """The cells of every state that is not good: how a cell ended, and what the judge of its steady state says, may be the same."""
    states: dict[str, set[int]] = {}
    cells = results.cells
    bad = [cells.loc[cells["status"].isin(UNDECIDED), ["cell", "status"]].to_numpy()]
    if "stability" in results.table_names:
        verdicts = results.table("stability")
        bad.append(verdicts.loc[verdicts["verdict"] != "stable", ["cell", "verdict"]].to_numpy())
    for cell, state in (pair for pairs in bad for pair in pairs):
        states.setdefault(status_text(state), set()).add(cell)
    return states


def _warnings(results: Results) -> list[Warnings]:
    """Those of the report: the cell that each is about, with what is said of it."""
    found = [(title, ": ".join(part for part in (cell, warning) if part)) for title, cell, warning in report.warnings(results.view)]
    own = (str(results.attributes.get("report_title") or results.name), "")
    titles = dict.fromkeys("" if title in own else title for title, _ in found)
    return [Warnings(title, [text for below, text in found if below == title or (title == "" and below in own)]) for title in titles]


def figures(results: Results, numbers: Numbers) -> Section:
    """Tables of every metric; figures beyond that of the answer are folded."""
    drawn, texts = _asked(results, numbers, slice(1, None))
    tables = []
    if not results.attributes.get("report_figures") and _varying(results):
        drawn = [_overview(results, numbers, number) for number in range(1, min(len(_metrics(results)), _MOST_FIGURES))]
    texts = report.measured(results.view) + texts
    for number, metric in enumerate(_metrics(results)):
        rows = numbers.estimates.pop(metric) if metric in numbers.estimates else _shown(_series.of_all_cells(results, metric))
        words = _labels.metric_text(metric)
        labels = results.cells.set_index("cell")["label"]
        rows.insert(1, "label", labels.reindex(rows["cell"]).array)
        theory = _theory(results, metric, rows)
        names = {name: _labels.factor_text(name) for name in _varying(results) if name in rows} or {"label": "cell"}
        shown, unit = _in_unit(results, metric, rows, ["mean", "lower", "upper", *theory])
        names.update({"mean": _labels.with_unit("mean", unit), "lower": "lower", "upper": "upper", **theory, "n": "n", "status": "status"})
        shown["status"] = [status_text(status) for status in shown["status"]]
        tables.append(page_table(f"{words}: estimates with their intervals", metric, rows, names, number > 0, shown, "mean"))
    return Section("estimates", "Estimates", texts=texts, figures=drawn, tables=tables)


def _shown(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.drop(columns=["metric", "skewness", "largest_share", "gate", "decided"], errors="ignore")


def _varying(results: Results) -> list[str]:
    return results.factors.varying(pd.Index(results.cells["cell"]))


def _overview(results: Results, numbers: Numbers, number: int) -> Drawn:
    """Of that metric of the page; its points tell the rows of its table."""
    metric = _metrics(results)[number]
    every, words = _series.of_all_cells(results, metric), _labels.metric_text(metric)
    rows = numbers.estimates[metric] = _shown(every)
    places = {cell: place for place, cell in enumerate(rows["cell"])}
    label = f"{words} of every cell; the numbers are in the table below"
    data = chart(results, metric, every, places, label)
    svg = "" if data else numbers.svg(numbers.plot.overview(results, metric, style="screen"), label, places)
    return Drawn(svg, f"{words}, {_labels.evidence_text(results, rows)}.", table=number, data=data)


def _in_unit(results: Results, metric: str, rows: pd.DataFrame, numbers: list[str]) -> tuple[pd.DataFrame, str]:
    """Copies in which numbers of the metric, the first above all, are in the unit in which they read well; and that unit."""
    unit, own = results.file.read_in(results.unit(metric), rows[numbers[0]])
    return rows.assign(**{name: rows[name] / own for name in numbers}), unit


def _metrics(results: Results) -> list[str]:
    """What is compared, then what the report shows: the metrics that the campaign names, else all of whole cells."""
    if results.attributes.get("report_metrics"):
        return _series.shown_metrics(results)
    return list(dict.fromkeys([*_series.shown_metrics(results), *(name for name in _series.all_metrics(results) if name in results.unmade_metrics and "[" not in name)]))


def _theory(results: Results, metric: str, rows: pd.DataFrame) -> dict[str, str]:
    """Adds what theory says of the cells, a column per kind of value; their names."""
    known = results.table("known_values")
    known = known[known["metric"] == metric]
    for label, part in known.groupby("label", sort=False):
        rows[label] = part.drop_duplicates("cell").set_index("cell")["value"].reindex(rows["cell"]).array
    return {label: label for label in dict.fromkeys(known["label"])}


def _asked(results: Results, numbers: Numbers, which: slice) -> tuple[list[Drawn], list[str]]:
    """Those of the figures that the campaign lists, with the commands that draw them; and why one cannot be drawn."""
    if not results.attributes.get("report_figures"):
        return [], []
    drawn, texts = [], []
    numbers.prepare()
    from .. import _figures
    for options in _figures.of_report(results)[which]:
        words = _figures.words(options)
        try:
            figure = _figures.draw(results, options, "screen")
        except RequestError as error:
            texts.append(f"{words}: {error}")
            continue
        drawn.append(Drawn(numbers.svg(figure, f"{options.kind}; its numbers are in the tables"), f"schedfarm plot {words}"))
    return drawn, texts


def comparisons(results: Results, numbers: Numbers) -> Section | None:
    if "comparisons" not in results.table_names or results.comparisons().empty:
        return None
    rows = results.comparisons()
    drawn = [Drawn(numbers.svg(numbers.plot.forest(results, metric, style="screen"),
                               f"differences of {_labels.metric_text(metric)}; the numbers are in the table below"),
                   "Paired differences under common random numbers; intervals that exclude 0 are decided.")
             for metric in dict.fromkeys(rows["metric"]) if (rows["metric"] == metric).sum() <= 60]
    names = {"group": "group", "first": "first", "second": "second", "difference": "difference", "lower": "lower", "upper": "upper",
             "unit": "unit", "adjusted_p": "adjusted p", "verdict": "verdict"}
    if rows["metric"].nunique() > 1:
        names = {"metric": "metric", **names}
    texts = ["The verdicts hold together, at the family's confidence: they are adjusted after Holm."]
    if len(rows) > _MOST_ROWS:
        decided = rows["verdict"] != "not decided"
        texts.append(f"{decided.sum():,} of {len(rows):,} differences are decided, and below; all are printed by schedfarm report "
                     f"{os.path.basename(results.path)} --table comparisons.")
        rows = rows[decided]
    parts = [_in_unit(results, metric, part, ["difference", "lower", "upper"]) for metric, part in rows.groupby("metric", sort=False)]
    shown = pd.concat([part.assign(unit=unit) for part, unit in parts]).reindex(rows.index) if parts else rows.assign(unit="")
    return Section("comparisons", "Differences", texts=texts, figures=drawn,
                   tables=[page_table("Paired differences, first − second", "comparisons", rows, names, shown=shown, estimate="difference")])


def paper(results: Results, numbers: Numbers) -> Section | None:
    rows = results.reference()
    if rows.empty:
        return None
    rows.insert(1, "label", results.cells.set_index("cell")["label"].reindex(rows["cell"]).array)
    drawn = [Drawn(numbers.svg(numbers.plot.paper(results, metric, style="screen"), f"{_labels.metric_text(metric)}: printed and measured values, as in the table below"),
                   "Grey: what the printed digits round from. Points: measured, with their intervals.")
             for metric in dict.fromkeys(rows["metric"]) if 0 < (rows.loc[rows["metric"] == metric, "measured"].notna()).sum() <= 120]
    names = {"label": "cell", "column": "column", "value": "printed", "measured": "measured", "lower": "lower", "upper": "upper", "verdict": "verdict",
             "note": "note"}
    return Section("paper", "Paper against measured", figures=drawn, tables=[page_table("Printed and measured values", "reference", rows, names, estimate="measured")],
                   texts=[f"Printed values: {results.attributes['report_source']}."] if results.attributes.get("report_source") else [])


def claims(results: Results, numbers: Numbers) -> Section | None:
    if "claims" not in results.table_names or results.claims().empty:
        return None
    names = {"claim": "claim", "paper": "the paper's sentence", "section": "where", "value": "measured", "rule": "true if", "places": "places",
             "verdict": "verdict", "expected": "expected", "note": "note"}
    tables = [page_table("Claims of the paper and their verdicts", "claims", results.claims(), names)]
    if "claim_values" in results.table_names:
        tables.append(page_table("What the claims' expressions are at every place", "claim_values", results.claim_values(), is_folded=True))
    return Section("claims", "Claims", tables=tables)


def waits(results: Results, numbers: Numbers) -> Section | None:
    if "logged_waits" not in results.table_names:
        return None
    rows = results.table("logged_waits")
    labels = results.cells.set_index("cell")["label"]
    rows.insert(1, "label", labels.reindex(rows["cell"]).array)
    drawn = [Drawn(numbers.svg(numbers.plot.logged(results, cells, style="screen"), "mean waits as logged and as simulated, as in the table below"),
                   f"Mean waits of the jobs of a log: as logged, and of {'; '.join(labels[cells])}.")
             for cells in numbers.plot.logged_cells(results)]
    unit, own = results.file.read_in(results.unit("wait"), rows[["logged", "simulated"]].max(axis=1))
    shown = rows.assign(logged=rows["logged"] / own, simulated=rows["simulated"] / own)
    names = {"label": "cell", "by": "by", "group": "jobs of", "jobs": "jobs", "logged": _labels.with_unit("logged", unit),
             "simulated": _labels.with_unit("simulated", unit), "within": "within", "rank_agreement": "tau"}
    texts = [report.WAITS_NOTE]
    lacking = rows.loc[rows["jobs"] == 0, "label"]
    if len(lacking):
        texts.append(f"{'; '.join(lacking)}: the log records no waits.")
    return Section("waits", "Logged against simulated waits", texts=texts, figures=drawn,
                   tables=[page_table("Waits by group of jobs", "logged_waits", rows, names, shown=shown)])


def stability(results: Results, numbers: Numbers) -> Section | None:
    tables, drawn, texts = [], [], []
    labels = results.cells.set_index("cell")["label"]
    of_logs = results.cells.loc[results.cells["experiment"] == "trace", "cell"]
    for name, title, usual in (("stability", "Does the queue grow?", "stable"), ("warm_up_checks", "Is the warm-up long enough?", "long enough")):
        rows = results.table(name) if name in results.table_names else pd.DataFrame()
        if name == "warm_up_checks" and len(rows):  # none is wanted of a log that is measured whole
            rows = rows[(rows["warm_up_jobs"] > 0) | ~rows["cell"].isin(of_logs)]
        if rows.empty:
            continue
        rows.insert(1, "label", labels.reindex(rows["cell"]).array)
        texts.append(f"The {'warm-up' if name == 'warm_up_checks' else 'queue'} is {usual} in {(rows['verdict'] == usual).sum():,} of "
                     f"{_labels.counted(len(rows), 'cell')}.")
        if len(rows) > _MOST_ROWS:
            rows = rows[rows["verdict"] != usual]
            texts.append(f"{'The others are below; all' if len(rows) else 'All'} are printed by schedfarm report {os.path.basename(results.path)} --table {name}.")
        if len(rows):
            tables.append(page_table(title, name, rows, _SHOWN[name], is_folded=True))
    has_many = len(results.cells) > MOST_ROWS
    source = "warm_up_checks" if has_many else "warm_up"  # of many cells the parts of the plot are a long table, and not shown
    parts = results.table(source) if {"warm_up", source} <= set(results.table_names) else pd.DataFrame()
    if len(parts):
        cell = int(results.cells.loc[results.cells["cell"].isin(parts["cell"])].sort_values("utilization")["cell"].iloc[-1])
        caption = ", ".join(filter(None, ["Warm-up of the cell with the highest load", labels[cell]]))
        if has_many:
            texts.append(_command(results, caption, f"welch --cell {cell}"))
        else:
            drawn.append(Drawn(numbers.svg(numbers.plot.welch(results, cell, style="screen"), f"Welch's plot of cell {labels[cell] or cell}"), f"{caption}."))
            tables.append(page_table("The parts of that plot", "warm_up", parts[parts["cell"] == cell], is_folded=True))
    return Section("stability", "Stability and warm-up", texts=texts, figures=drawn, tables=tables) if texts or tables else None


def failures(results: Results, numbers: Numbers) -> Section | None:
    rows = results.table("failures")
    if rows.empty:
        return None
    return Section("failures", "Failures", texts=["Each row ends with the command that runs the replication alone."],
                   tables=[page_table("Replications without observations", "failures", rows)])


def ranks(results: Results, numbers: Numbers) -> Section | None:
    rows = results.table("farm")
    if rows.empty:
        return None
    found = Section("ranks", "Ranks", tables=[page_table("Seconds of every rank", "farm", rows, is_folded=True)])
    caption = "What every rank did with its time in the run that wrote the file"
    if len(results.cells) > MOST_ROWS:
        return found._replace(texts=[_command(results, caption, "ranks")])
    svg = numbers.svg(numbers.plot.ranks(results, style="screen"), "what every rank did with its time, as in the table below")
    return found._replace(figures=[Drawn(svg, f"{caption}.")])


def _command(results: Results, caption: str, kind: str) -> str:
    """Of a figure that a page of many cells leaves out."""
    return f"{caption}: drawn by schedfarm plot {os.path.basename(results.path)} --kind {kind}."


def provenance(results: Results, numbers: Numbers) -> Section:
    about = results.attributes
    long = ("campaign", "effective_configuration")
    rows = pd.DataFrame([(name, str(value)) for name, value in sorted(about.items()) if name not in long and str(value)],
                        columns=["attribute", "value"])
    commands = (f"schedfarm run campaign.yaml            # the text below, with schedfarm {about['program_version']}\n"
                f"schedfarm check campaign.h5            # payload {about['payload_hash']}")
    return Section("provenance", "How to do it again", texts=[results.cite()], tables=[page_table("Attributes of the result file", "attributes", rows, is_folded=True)],
                   blocks=[Block("How to reproduce", commands, is_open=True), Block("Campaign", str(about["campaign"])),
                           Block("Campaign with every default", str(about["effective_configuration"]))])
