"""The answers in words: by how much mean waits are longer or shorter than today's, for all jobs and by class; who gains and who loses; what it
does to the machine. What fails of one answer leaves the others."""

from __future__ import annotations

import io
import json
import math
import re
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .. import _program
from .._terminal import filled, table, table_text, unbroken
from .._words import gate_text, seconds_text, time_unit
from ..results import Results
from . import _change
from ._calibration import DISAGREES, SAME_S, Class
from ._campaign import Question, Variation, site_of
from ._change import Change
from ._differences import ALPHA, Difference, differences, of_log, weekly
from ._kept import Kept, Reasons

_MOST_CLASSES = 10
_LONGER_S = 60.0  # a mean wait that is longer by less is as it was


class Answer(NamedTuple):
    label: str
    sentence: str
    is_same: bool  # no job of the log starts at another time
    whole: Difference | None  # all jobs; None: calibration disagrees
    classes: list[Difference]
    log: list[str]  # what it does to users and nodes, in this log
    machine: str  # over the draws

    def said(self) -> str:
        return (f"In this log {', '.join(self.log)}; over" if self.log else "Over") + f" the draws {self.machine}."


def as_json(own: Answer) -> dict[str, Any]:
    return {**own._asdict(), "whole": own.whole and own.whole._asdict(), "classes": [one._asdict() for one in own.classes]}


def first_text(log: Results, calibration: list[Class], variations: list[Variation], failures: Reasons, replications: int) -> str:
    """Before the draws: what the log itself is under each configuration, what they cannot decide, or that they cannot say anything."""
    if all(own.verdict == DISAGREES for own in calibration):
        return filled("The simulation disagrees with the log in every class: the draws that follow will say nothing of waits, but utilization. "
                      "Ctrl-C stops them.")
    if calibration[0].verdict == DISAGREES:
        return ""
    changes = {own.label: of_log(log, cell) for cell, own in enumerate(variations, 1) if cell not in failures}
    changes = {label: own for label, own in changes.items() if max(own.today, own.other) >= SAME_S}
    if not changes:
        return ""
    shares = "; ".join(f"{label}: {_signed(own)}" for label, own in changes.items())
    weeks = len(weekly(log, 0)[0])
    text = (f"A first answer, of this log alone, replayed once: its mean wait of {seconds_text(next(iter(changes.values())).today)} changes by {shares}. "
            "What logs like it would show follows, from draws of its weeks.")
    confidence = 1 - ALPHA / len(changes)
    for label, own in changes.items():
        needed = _change.weeks_needed(own, replications, confidence)
        if math.isfinite(own.error) and (needed is None or needed > weeks):
            text += f" {label}: {weeks} weeks are too few to decide a change of this size; {_would_do(needed)}."
    return filled(unbroken(text))


def _signed(change: Change) -> str:
    return f"{100 * _change.share(change.mean):+,.0f} %" if math.isfinite(change.mean) else f"to {seconds_text(change.other)}"


def _would_do(weeks: int | None) -> str:
    return f"{weeks:,} like these would do" if weeks else "ten years of them would not do"


def answers(drawn: Results, log: Results, calibration: list[Class], variations: list[Variation], question: Question, failures: Reasons,
            kept: Kept) -> list[Answer]:
    """One for each variation, also for those that failed, whose reasons come by cell; what fails here is kept apart, too."""
    cells = [cell for cell in range(1, len(variations) + 1) if cell not in failures and 0 not in failures]
    wholes: dict[int, list[Difference]] = kept.made(lambda _: {}, differences, drawn, calibration[:1], cells)
    found = []
    for cell, own in enumerate(variations, 1):
        def failed(reason: str, own: Variation = own) -> Answer:
            return Answer(own.label, f"{own.words}: no answer ({reason}).", False, None, [], [], "")
        if cell in cells:
            found.append(kept.made(failed, _answer, drawn, log, calibration, own, cell, question, next(iter(wholes.get(cell, [])), None)))
        else:
            kept.has_failed = True
            found.append(failed(failures.get(cell, failures.get(0, ""))))
    return found


def _answer(drawn: Results, log: Results, calibration: list[Class], variation: Variation, cell: int, question: Question,
            whole: Difference | None) -> Answer:
    classes = differences(drawn, calibration[1:], [cell])[cell]
    is_same = bool(np.array_equal(log.jobs(0)["start"], log.jobs(cell)["start"]))
    sentence = _sentence(variation, whole, classes, is_same, int(drawn.cells.iloc[0]["log_blocks"]))
    of_site = (_users(log, cell) if whole else []) + _nodes(log, cell, question, variation)
    return Answer(variation.label, sentence, is_same, whole, classes, of_site, _machine(drawn, cell))


def _sentence(variation: Variation, whole: Difference | None, classes: list[Difference], is_same: bool, weeks: int) -> str:
    words = variation.words
    if is_same:
        return f"{words} changes no start of any job of this log."
    if whole is None:
        return f"{words}: no answer for all jobs, since the simulation disagrees with their waits in the log."
    doubt = f" Whether the simulation is right this log cannot tell (simulated / logged: {whole.doubt})." if whole.doubt else ""
    if whole.is_short():
        return f"{words} leaves the mean wait below a minute ({seconds_text(whole.today)} today, {seconds_text(whole.other)} then).{doubt}"
    if math.isnan(whole.lower):
        return f"{words}: the mean wait of the draws goes from {seconds_text(whole.today)} to {seconds_text(whole.other)}; how far that holds they cannot show.{doubt}"
    if not whole.is_decided:
        share, _, ends = whole.change().rstrip("]").partition(" [")
        ends = re.sub(r" (shorter|longer)", r" % \1", ends).replace(", ", " to ")
        return (f"{words}: waits were {share} over the draws; {weeks} weeks are too few to say whether that holds in general ({ends}); "
                f"{_would_do(whole.weeks)}.{doubt}")
    worst = next((own for own in classes if own.is_decided and own.share > 0), None)
    best = next((own for own in reversed(classes) if own.is_decided and own.share < 0), None)
    other = worst if whole.share < 0 else best
    return (f"{words} {'shortens' if whole.share < 0 else 'lengthens'} the mean wait by {whole.size()}"
            + (f"; jobs of {other.what} wait {other.size()} {'longer' if other.share > 0 else 'less'}" if other else "") + f".{doubt}")


def _users(log: Results, cell: int) -> list[str]:
    waits = [(jobs["start"] - jobs["submit"]).groupby(jobs["user"]).mean() for jobs in (log.jobs(0), log.jobs(cell))]
    shift = waits[1] - waits[0]
    longer, shorter = int((shift > _LONGER_S).sum()), int((shift < -_LONGER_S).sum())
    return [f"{100 * longer / len(shift):.0f} % of {len(shift)} users wait over a minute longer, {100 * shorter / len(shift):.0f} % less"]


def _machine(drawn: Results, cell: int) -> str:
    use = drawn.estimates("gross_utilization").set_index("cell")["mean"]
    sizes = [sum(json.loads(drawn.cells.iloc[place]["clusters"])) for place in (0, cell)]
    idle = [size * (1 - float(use[place])) for size, place in zip(sizes, (0, cell))]
    return (f"utilization {100 * float(use[0]):.1f} % → {100 * float(use[cell]):.1f} %, idle processors {idle[0]:,.0f} of {sizes[0]:,} → "
            f"{idle[1]:,.0f} of {sizes[1]:,}")


def _nodes(log: Results, cell: int, question: Question, variation: Variation) -> list[str]:
    """Of a site's: how many have no job, on average."""
    if not question.conf:
        return []
    sizes = [site_of(question, changes).node_sizes() for changes in ((), variation.changes)]
    if any(sum(own) != sum(json.loads(log.cells.iloc[place]["clusters"])) for own, place in zip(sizes, (0, cell))):
        return []
    idle = [idle_nodes(pd.read_csv(io.StringIO(_program.node_table(log.path, place, 0))), own) for own, place in zip(sizes, (0, cell))]
    return [f"{idle[0]:,.1f} of {len(sizes[0]):,} nodes idle → {idle[1]:,.1f} of {len(sizes[1]):,}"]


def idle_nodes(spans: pd.DataFrame, sizes: list[int]) -> float:
    """Mean number of nodes on which nothing runs, from the first start to the last finish. `spans`: of processors, as `gantt --format nodes` has
    them; `sizes`: of nodes, in processors.

    >>> idle_nodes(pd.DataFrame({"kind": "running", "begin": [0, 5, 0], "end": [10, 20, 10], "first": [0, 1, 4], "last": [1, 1, 6]}), [2, 2, 4])
    1.5
    """
    spans = spans[spans["kind"] == "running"].sort_values("begin")
    bounds = np.cumsum(sizes)
    first, last = (np.searchsorted(bounds, spans[column], "right") for column in ("first", "last"))
    busy, busy_until = 0.0, np.zeros(len(sizes))
    for begin, end, low, high in zip(spans["begin"], spans["end"], first, last + 1):
        busy += float(np.maximum(0, end - np.maximum(begin, busy_until[low:high])).sum())
        busy_until[low:high] = np.maximum(end, busy_until[low:high])
    return len(sizes) - busy / float(busy_until.max() - spans["begin"].min())


def left_out_text(question: Question, log: Results) -> str:
    """Empty: no job is."""
    count, others = len(question.left_out), len(log.jobs(0))
    if count == 0:
        return ""
    jobs = f"1 of {1 + others:,} jobs is" if count == 1 else f"{count:,} of {count + others:,} jobs are"
    return (f"{jobs} left out under every configuration, first job {question.left_out[0]}: a configuration that is compared here can never place "
            f"{'it' if count == 1 else 'them'}.")


def text(found: list[Answer], left_out: str = "") -> str:
    """`left_out`: many jobs; empty: few."""
    parts = [filled(left_out)] if left_out else []
    for own in found:
        parts.append(filled(unbroken(own.sentence)))
        if own.is_same or not own.machine:
            continue
        rows = ([own.whole] if own.whole else []) + own.classes[:_MOST_CLASSES]
        title = own.label + (": mean waits and their changes, over the draws" if rows else "")
        unit, own_unit = time_unit("s", (one.today for one in rows))
        shown = table(title, ["~jobs of", f">today ({unit})", ">change [95 %]", "<"], 1)
        shown.rows = [[one.what, f"{one.today / own_unit:.3g}", one.change(), mark(one)] for one in rows]
        shown.notes = [own.said()]
        if len(own.classes) > _MOST_CLASSES:
            shown.notes.insert(0, f"The ten classes that lose most, of {len(own.classes)}.")
        if not rows:
            shown.columns = []
        parts.append(table_text(shown))
    rows = told_rows(found)
    parts += [filled(doubt) for doubt in doubts(rows)]
    if rows:
        parts.append(filled("95 % intervals for logs like this one. Those of all jobs hold for all variations together, those of classes for all classes "
                            "of their variation (Holm's procedure)." + (" ?: calibration cannot tell." if any(one.doubt for one in rows) else "")))
    return "\n".join(parts)


def told_rows(found: list[Answer]) -> list[Difference]:
    return [one for own in found if not own.is_same for one in [own.whole, *own.classes] if one]


def doubts(rows: list[Difference]) -> list[str]:
    """What the gate says of them. Intervals of changes were chosen among those that hold where weeks differ; others of such logs are too short."""
    found = []
    for gate in dict.fromkeys(own.gate for own in rows if own.gate != "passed"):
        named = ", ".join(dict.fromkeys(own.what for own in rows if own.gate == gate))
        found.append("The weeks of the log are not alike, as the warning says: the intervals here are made for such weeks, those of `schedfarm report` "
                     "are not." if gate == "blocks" else gate_text(gate, f"the mean wait of {named}"))
    return found


def untold(reason: str) -> str:
    return filled(f"Not told: {reason}.")


def mark(own: Difference) -> str:
    """
    >>> mark(Difference("all jobs", 200, 600, 2, 0.3, 5, True)), mark(Difference("all jobs", 200, 600, 2, -0.3, 5, False, 40, "0.9"))
    ('', 'undecided ?')
    """
    is_told = own.is_decided or own.is_short() or math.isnan(own.lower)
    return " ".join(["undecided"] * (not is_told) + ["?"] * bool(own.doubt))
