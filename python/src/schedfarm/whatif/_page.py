"""The page of an answer, of the parts of the page of results."""

from __future__ import annotations

import math
from collections.abc import Callable

import pandas as pd
from matplotlib.axes import Axes

from .. import page, plot
from .._words import time_unit
from ..page._sections import Block, Drawn, Numbers, Section
from ..page._tables import PageTable, page_table
from ..plot import _canvas
from ..results import Results
from ._answers import Answer, doubts, left_out_text, mark, told_rows
from ._calibration import AGREES, DISAGREES, UNKNOWN, Class, lacking
from ._campaign import Question
from ._differences import Difference
from ._kept import Kept

_WEEK = 604800.0
_MOST_JOBS = 1500  # of a chart
_MOST_BYTES = 350_000  # likewise: jobs that are scattered over many nodes have many bars
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1, 1.18, 1.5, 2, 3, 5, 10)
_CALIBRATION = {"name": "jobs of", "jobs": "jobs", "logged": "logged", "simulated": "simulated", "ratio": "ratio", "lower": "from", "upper": "to",
                "verdict": "verdict"}
_CLASSES = {"what": "jobs of", "today": "today", "other": "then", "change": "change [95 %]", "mark": "decided"}
_COLOURS = {AGREES: _canvas.EARLIER, DISAGREES: _canvas.LATER, UNKNOWN: _canvas.GREY}


def write(path: str, drawn: Results, log: Results, calibration: list[Class], answers: list[Answer], question: Question, kept: Kept) -> str:
    numbers = Numbers()
    made: dict[str, Callable[[], Section | None]] = {
        "Waits by class": lambda: _classes(answers, numbers),
        "Calibration": lambda: _calibration(calibration, question, numbers), "The schedule both ways": lambda: _week(log, answers, numbers),
        "What it rests on": lambda: _rests_on(drawn, log)}
    left_out = left_out_text(question, log)
    said = [left_out] * bool(left_out) + [own.sentence for own in answers] + [f"{own.label}: {own.said()}" for own in answers if own.machine]
    said += doubts(told_rows(answers))
    undrawn: list[str] = []

    def without(reason: str) -> list[Drawn]:
        undrawn.append(f"Not drawn: {reason}.")
        return []
    forest = kept.made(without, _forest, answers, numbers)
    sections: list[Section | None] = [Section("answer", "Answer", texts=said + undrawn, figures=forest)]
    for place, (title, section) in enumerate(made.items()):
        def failed(reason: str, name: str = f"failed-{place}", title: str = title) -> Section | None:
            return Section(name, title, texts=[f"Not drawn: {reason}."])
        sections.append(kept.made(failed, section))
    return page.write_sections(path, f"What if: {question.log}", "", [own for own in sections if own])


def _calibration(calibration: list[Class], question: Question, numbers: Numbers) -> Section:
    rows = pd.DataFrame(calibration)
    with_interval = rows[rows["lower"].notna()].reset_index(drop=True) if len(rows) else rows
    drawn = []
    if len(with_interval):
        with _canvas.canvas(None, "screen", _canvas.height_of_rows("screen", len(with_interval))) as ax:
            ax.axvspan(0.85, 1.18, color="#EFEFEF")
            for verdict, colour in _COLOURS.items():
                part = with_interval[with_interval["verdict"] == verdict]
                sides = [part["ratio"] - part["lower"], part["upper"] - part["ratio"]]
                ax.errorbar(part["ratio"], part.index, xerr=sides, linestyle="none", marker="o", color=colour, label=verdict)
            _rows(ax, with_interval["name"], "simulated / logged mean wait")
            ax.set_xscale("log")
            shown = [tick for tick in _TICKS if ax.get_xlim()[0] <= tick <= ax.get_xlim()[1]]
            ax.set_xticks(shown, [f"{tick:g}" for tick in shown])
            ax.minorticks_off()
            _canvas.legend(ax)
        drawn = [Drawn(numbers.svg(ax, "ratios of simulated and logged waits; the numbers are in the table below"),
                       "Grey: from 0.85 to 1.18. A class agrees where its whole interval lies there, and disagrees where it lies wholly outside.", is_folded=False)]
    return Section("calibration", "Calibration: the log under today's configuration", texts=lacking(question), figures=drawn,
                   tables=[_table("Logged and simulated waits", "calibration", rows, _CALIBRATION, "logged", "simulated")] if len(rows) else [])


def _table(title: str, file: str, rows: pd.DataFrame, names: dict[str, str], *times: str) -> PageTable:
    """Shown with its times in the unit in which the first reads well."""
    unit, own = time_unit("s", rows[times[0]])
    names = names | {time: f"{names[time]} ({unit})" for time in times}
    return page_table(title, file, rows, names, shown=rows.assign(**{time: rows[time] / own for time in times}))


def _rows(ax: Axes, names: pd.Series, label: str) -> None:
    ax.set_yticks(range(len(names)), list(names))
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(label)


def _forest(answers: list[Answer], numbers: Numbers) -> list[Drawn]:
    """Of all jobs."""
    rows = [own.whole._replace(what=own.label) for own in answers if own.whole]
    if not rows:
        return []
    drawn = Drawn(_shares(rows, "differences of all jobs' mean wait; the sentences say them", numbers),
                  "95 % intervals for logs like this one, which hold together (Holm's procedure).", is_folded=False)
    return [drawn]


def _classes(answers: list[Answer], numbers: Numbers) -> Section | None:
    tables, figures = [], []
    for own in answers:
        if own.classes:
            rows = pd.DataFrame(own.classes).assign(change=[one.change() for one in own.classes], mark=[mark(one) for one in own.classes])
            tables.append(_table(f"{own.label}: mean waits and their changes", f"classes-{own.label}", rows, _CLASSES, "today", "other"))
            figures.append(Drawn(_shares(own.classes, f"{own.label}: differences by class; the numbers are in the table below", numbers), f"{own.label}: changes by class"))
    return Section("classes", "Waits by class: who loses, who gains", figures=figures, tables=tables) if tables else None


def _shares(rows: list[Difference], label: str, numbers: Numbers) -> str:
    """Relative differences with their intervals, one below the other; those that cannot be told are left out."""
    told = [own for own in rows if math.isfinite(own.share) and not own.is_short()]
    right = 3 * max([1.0, *(own.share for own in told)])
    with _canvas.canvas(None, "screen", _canvas.height_of_rows("screen", len(rows))) as ax:
        ax.axvline(0, color="black", linewidth=0.8)
        for place, own in enumerate(rows):
            if own in told:
                colour = _canvas.GREY if not own.is_decided else _canvas.EARLIER if own.share < 0 else _canvas.LATER
                lower, upper = (own.share, own.share) if math.isnan(own.lower) else (own.lower, right if math.isinf(own.upper) else own.upper)
                ax.errorbar([100 * own.share], [place], xerr=[[100 * (own.share - lower)], [100 * (upper - own.share)]], marker="o", color=colour,
                            markerfacecolor=colour if own.is_decided else "white")
        _rows(ax, pd.Series([own.what for own in rows], dtype=str), "change of the mean wait (%)")
        low, high = ax.get_xlim()
        ax.set_xlim(max(low, -105), min(high, 100 * right))  # no wait is shorter by more than 100 %
    return numbers.svg(ax, label)


def _week(log: Results, answers: list[Answer], numbers: Numbers) -> Section | None:
    """The week in which most jobs wait, today and under the first variation that moves a job."""
    today = log.jobs(0)
    moved = next((cell for cell, own in enumerate(answers, 1) if own.machine and not today["start"].equals(log.jobs(cell)["start"])), 0)
    if moved == 0:
        return None
    waits = (today["start"] - today["submit"]).groupby((today["submit"] // _WEEK).astype(int)).sum()
    begin = float(waits.idxmax()) * _WEEK
    length = _WEEK
    while ((today["start"] < begin + length) & (today["finish"] > begin)).sum() > _MOST_JOBS and length > 3600:
        length /= 2
    while True:
        axes = plot.gantt_diff(log, log, (0, moved), names=("today", answers[moved - 1].label), begin=begin, end=begin + length, style="screen")
        words = "one week" if length == _WEEK else f"{length / 86400:.2g} days"
        svg = numbers.svg(axes, f"{words} of the schedule under both configurations")
        if len(svg) <= _MOST_BYTES or length <= 3600:
            break
        length /= 2
    return Section("schedule", "The schedule both ways", figures=[Drawn(svg, f"{words.capitalize()} of this log, today and with {answers[moved - 1].label}: blue jobs start earlier "
                                                                             "than today, orange ones later.", is_folded=False)])


def _rests_on(drawn: Results, log: Results) -> Section:
    blocks = int(drawn.cells.iloc[0]["log_blocks"])
    texts = [f"{len(log.jobs(0)):,} jobs of the log; {int(drawn.cells.iloc[0]['replications_used'])} draws of its weeks with replacement, the same for every "
             f"configuration; intervals are for logs like this one, of {blocks} effective weeks."]
    names = [results.path.removesuffix(".h5") for results in (log, drawn)]
    commands = "".join(f"schedfarm run {name + '.yaml':<{len(names[0]) + 5}} --fresh    # payload {results.attributes['payload_hash']}\n"
                       for name, results in zip(names, (log, drawn)))
    return Section("again", "What it rests on, and how to run it again", texts=texts, blocks=[
        Block("How to run it again", commands, is_open=True), *(Block(f"{name}.yaml", str(results.attributes["campaign"]))
                                                                for name, results in zip(names, (log, drawn)))])
