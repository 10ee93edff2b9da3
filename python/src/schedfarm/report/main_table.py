"""The first section of a report: for every value of a paper its measured counterpart with interval, exact value and verdict; for campaigns
without such values the estimates of every cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from .. import _words as words
from .._terminal import Column, Table
from .summary import summary
from .view import Row, View


@dataclass(slots=True)
class Line:
    """One line; absent numbers are NaN."""

    cell: int
    column: str  # the paper's column; if none and there are several, the metric
    metric: str
    style: str
    levels: list[str] = field(default_factory=list)
    class_name: str = ""  # of the job class that the metric is about
    paper: float = math.nan
    paper_decimals: int = 0
    measured: float = math.nan
    lower: float = math.nan
    upper: float = math.nan
    confidence: float = math.nan
    known: float = math.nan  # from theory, or of a system beside the cell's
    known_label: str = ""
    known_z: float = math.nan  # (measured - exact) / standard error
    z: float = math.nan  # measured against the paper
    verdict: str = ""
    note: str = ""
    status: str = ""
    replications: int = 0
    gate: str = "passed"
    is_of_one_log: bool = False  # not resampled: replications differ in what is drawn anew

    @property
    def most_decimals(self) -> int:
        """No more than two beyond what the paper prints."""
        return words.MOST_DECIMALS if math.isnan(self.paper) else self.paper_decimals + 2

    @property
    def measured_text(self) -> str:
        return words.interval_text(self.measured, self.lower, self.upper, self.style, self.most_decimals) if not math.isnan(self.measured) else ""

    @property
    def known_text(self) -> str:
        decimals = min(words.decimals_for(self.measured, self.lower, self.upper), self.most_decimals)
        return words.estimate_text(self.known, max(decimals, 4))

    @property
    def level_texts(self) -> list[str]:
        """`pilot` where the cell has none: such a cell has no load, others get theirs by it."""
        return [level or "pilot" for level in self.levels]

    @property
    def is_theory(self) -> bool:
        """Whether the known value is one of the cell itself, and not of another system, as M/M/1 at the same arrival rate."""
        return not math.isnan(self.known) and self.known_label.startswith(("exact", "approximation"))

    @property
    def verdict_text(self) -> str:
        """`differs` says by how much where no z does: in percent of the paper's."""
        if self.verdict != "differs" or not math.isnan(self.z) or math.isnan(self.measured):
            return self.verdict
        return f"differs {100 * (self.measured / self.paper - 1):+.1f} %"


@dataclass
class MainTable:
    title: str
    source: str
    factors: list[str]
    lines: list[Line]
    has_references: bool
    has_class_section: bool  # metrics by class or cluster have tables of their own
    view: View
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def main_table(view: View) -> MainTable:
    lines: list[Line] = []
    references = view.rows("reference")
    factors = _lines_of(view.attribute("report_rows")) if references else view.factors
    if references:
        lines = _reference_lines(_Maker(view, factors), references)
        names = [(*line.levels, line.column) for line in lines]
        if not factors or len(set(names)) < len(names):
            factors = view.factors
            lines = _reference_lines(_Maker(view, factors), references)
    else:
        wanted = _lines_of(view.attribute("report_metrics"))
        metrics = {} if wanted else _metrics_by_cell(view)
        make = _Maker(view, factors)
        for cell in range(len(view.cells)):
            for metric in wanted or metrics.get(cell) or _no_metric(view, cell):
                lines.append(_estimate_line(make, cell, metric))
    table = MainTable(view.attribute("report_title") or view.attribute("campaign_name"), view.attribute("report_source"), factors, lines,
                      bool(references), not view.attribute("report_metrics") and not view.file.has("quantities"), view)
    table.notes, table.warnings = summary(view, table)
    return table


def _lines_of(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []


def _metrics_by_cell(view: View) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for cell, metric in zip(view.column("estimates", "cell"), view.column("estimates", "metric")):
        if not words.is_diagnostic(metric):
            found.setdefault(cell, []).append(metric)
    return found


def _no_metric(view: View, cell: int) -> list[str]:
    """Of a cell of which nothing is known yet one without a name: its status has a row."""
    return [""] if view.cells[cell]["status"] in ("incomplete", "provisional") else []


class _Maker:
    """Makes lines of cells, whose columns are taken once."""

    def __init__(self, view: View, factors: list[str]) -> None:
        self.view = view
        self._factors, self._style = factors, view.style
        self._cells = list(zip(*view.columns("cells", "status", "replications_used", "log_blocks", "workload").values()))

    def __call__(self, cell: int, column: str, metric: str) -> Line:
        view = self.view
        status, replications, blocks, workload = self._cells[cell]
        return Line(cell, column, metric, self._style, [view.level(cell, factor) for factor in self._factors], view.class_of_column(cell, metric),
                    status=status, replications=replications, is_of_one_log=blocks == 0 and "{trace: {file: " in workload)


def _reference_lines(make: _Maker, references: Sequence[Row]) -> list[Line]:
    view = make.view
    has_metrics = len({row["metric"] for row in references}) > 1
    lines = []
    for row in references:
        metric = row["metric"]
        line = make(row["cell"], row["column"] or (words.metric_text(metric) if has_metrics else ""), metric)
        line.paper, line.measured, line.lower, line.upper = row["value"], row["measured"], row["lower"], row["upper"]
        line.paper_decimals = max(0, math.floor(-math.log10(2 * row["rounding"]) + 0.5)) if row["rounding"] > 0 else 6
        line.z, line.verdict, line.note, line.gate = row["z"], row["verdict"], row["note"], row.get("gate", "passed")
        estimate = view.estimates(metric).get(row["cell"])
        line.confidence = estimate["confidence"] if estimate else math.nan
        if not row["known_label"]:
            _fill_known(view, line)
            if line.known_label != "exact":
                line.known = math.nan  # an approximation is not what a measurement is held against
        lines.append(line)
    return lines


def _estimate_line(make: _Maker, cell: int, metric: str) -> Line:
    view, line = make.view, make(cell, metric, metric)
    estimate = view.made.get((cell, metric)) if words.is_made(metric) else view.estimates(metric).get(cell)
    if estimate:
        line.measured, line.lower, line.upper, line.confidence = (estimate[name] for name in ("mean", "lower", "upper", "confidence"))
        line.gate = estimate.get("gate", "passed")
    _fill_known(view, line)
    return line


def _fill_known(view: View, line: Line) -> None:
    """The value from theory: the exact one if there is one."""
    for row in view.known.get(line.cell, []):
        if row["metric"] == line.metric and (math.isnan(line.known) or row["is_exact"]):
            line.known, line.known_label = row["value"], row["label"]
            line.known_z = view.made_value(line.cell, f"z of {line.metric}") if row["is_exact"] else math.nan
            if row["is_exact"]:
                return


def main_section(table: MainTable) -> Table:
    section = Table(table.title, [Column(words.short_factor_name(factor)) for factor in table.factors], notes=list(table.notes),
                      warnings=list(table.warnings), source=table.source, labels=len(table.factors))
    fill = _against_paper if table.has_references or not table.lines else _estimates
    fill(table, section)
    section.drop_empty_columns()
    return section


def _against_paper(table: MainTable, section: Table) -> None:
    section.columns += [Column("column"), Column("paper", True), Column("measured"), Column("exact"), Column("z", True), Column("verdict")]
    for line in table.lines:
        section.rows.append([*line.level_texts, line.column, words.number_text(line.paper, line.paper_decimals), line.measured_text,
                             line.known_text, words.number_text(line.z, 1), line.verdict_text])
    section.blank_repeated_labels(len(table.factors))
    if table.has_references:
        section.notes.append("z and percentages: measured less paper, so + is more than printed.")


def _estimates(table: MainTable, section: Table) -> None:
    """A row per cell, a column per metric with what theory says beside it."""
    cells: dict[int, dict[str, Line]] = {}
    for line in table.lines:
        cells.setdefault(line.cell, {})[line.column] = line
    section.rows = [list(next(iter(lines.values())).level_texts) for lines in cells.values()]
    shown = [line.column for line in table.lines if not (table.has_class_section and words.is_of_part(line.column))]
    metrics = list(dict.fromkeys(shown))
    for metric in metrics:
        if metric:  # else of cells without estimates
            _add_metric(section, metric, *_in_unit(table.view, metric, [lines.get(metric) for lines in cells.values()]), len(metrics) > 1)
    section.columns += [Column("n", True, told_once=True), Column("status", told_once=True)]
    for row, lines in zip(section.rows, cells.values()):
        line = next(iter(lines.values()))
        row += [str(line.replications), words.status_text(line.status)]
    section.blank_repeated_labels(max(0, len(table.factors) - 1))


def _in_unit(view: View, metric: str, lines: list[Line | None]) -> tuple[str, list[Line | None]]:
    numbers = ("measured", "lower", "upper", "known")
    if view.file.unit(metric) != "s":
        return "", lines
    unit, rows = view.in_unit(metric, [{name: getattr(line, name) if line else math.nan for name in numbers} for line in lines], "measured", "known")
    return unit, [replace(line, **row) if line else None for line, row in zip(lines, rows)]


def _add_metric(section: Table, metric: str, unit: str, lines: list[Line | None], is_one_of_several: bool) -> None:
    labels = list(dict.fromkeys(line.known_label for line in lines if line and line.is_theory))
    beside = sorted({line.known_label for line in lines if line and not math.isnan(line.known) and not line.is_theory})
    section.columns.append(Column(words.metric_text(metric) + unit))
    section.columns += [Column("theory")] * bool(labels) + [Column("")] * (len(labels) > 1)
    if len(labels) == 1:
        section.notes.insert(0, f"theory{f' ({words.metric_text(metric)})' if is_one_of_several else ''}: {labels[0]}")
    section.columns += [Column(label) for label in beside]
    for row, line in zip(section.rows, lines):
        row.append(line.measured_text if line else "")
        if labels:
            row.append(line.known_text if line and line.is_theory else "")
        if len(labels) > 1:
            row.append(line.known_label if line and line.is_theory else "")
        row += [line.known_text if line and line.known_label == label else "" for label in beside]


FULL_COLUMNS = ["column", "paper", "measured", "lower", "upper", "confidence", "known", "known_label", "known_z", "z", "verdict", "status",
                "replications", "note", "class_name"]


def full_precision(table: MainTable) -> tuple[list[str], list[list[str]]]:
    """Headings and rows with every digit."""
    number = words.exact_number
    return [*table.factors, *FULL_COLUMNS], [
        [*line.levels, line.column, number(line.paper), number(line.measured), number(line.lower), number(line.upper), number(line.confidence),
         number(line.known), line.known_label, number(line.known_z), number(line.z), line.verdict, line.status, str(line.replications),
         line.note, line.class_name] for line in table.lines]
