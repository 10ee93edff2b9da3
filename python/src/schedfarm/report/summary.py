"""The sentences below the first table of a report: how much agrees with the paper and with exact values, what ±, extremes and running
times are, and what the numbers do not say."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .. import _words as words
from .._terminal import counted
from .view import Row, View

if TYPE_CHECKING:
    from .main_table import Line, MainTable

_OF_ONE_LOG = (" For a log that is not resampled, or has one user or week to draw, it covers what is drawn anew (shaking, estimates, "
               "reservations, choices of the policy) and says nothing about other logs.")
_MOST_GROUPS, _MOST_NAMED = 4, 3


def summary(view: View, table: MainTable) -> tuple[list[str], list[str]]:
    """The sentences, and those of them that are warnings."""
    lines = table.lines
    warnings = [_one_replication(lines), _few_replications(lines), _heavy_tails(view, lines), *_doubts(view, lines), _zero_variance(lines)]
    notes = [*(_agreement(lines) if table.has_references else []), _interval_words(table), *warnings, _extremes(lines), _wall_times(lines),
             _exact_values(lines), *map(_note, lines)]
    if table.has_references:
        notes.append("z: distance from the paper in standard errors, its own noise and rounding included; a percentage where that noise is "
                     "not known. Cells of a table share random numbers: their verdicts are not independent.")
    notes += [*measured(view), view.of_logs_like_it]
    if not (view.file.has("quantities") or table.has_class_section) and any(line.class_name for line in lines):
        notes += view.class_sentences  # else they stand below
    provisional = view.column("cells", "status").count("provisional")
    if provisional:
        told = (f"Provisional: the number of replications of {provisional} of {counted(len(view.cells), 'cell')} was not decided when "
                "this file was written.")
        notes.insert(0, told)
        warnings.insert(0, told)
    return [note for note in notes if note], [warning for warning in warnings if warning]


def share_beyond(n: int, confidence: float = 0.95) -> float:
    """The share of all possible runs such that, with this confidence, no more lie beyond the extreme of n (Wilks 1941)."""
    return float(1 - (1 - confidence) ** (1 / n))


def _agreement(lines: list[Line]) -> list[str]:
    """One line per column of the paper, so that what differs is not hidden in a total."""
    texts = []
    for column in dict.fromkeys(line.column for line in lines):
        own = [line for line in lines if line.column == column]
        largest = max([abs(line.z) for line in own if not math.isnan(line.z)], default=0.0)
        texts.append(f"{f'{column}: ' if column else ''}{sum(line.verdict == 'agrees' for line in own)} of {len(own)} agree"
                     f"{f' (largest |z| {largest:.1f})' if largest > 0 else ''}.")
    return texts


def _interval_words(table: MainTable) -> str:
    """What ± is; empty where no interval is shown."""
    shown = [line for line in table.lines
             if (table.has_references or not table.has_class_section or not words.is_of_part(line.column))
             and not math.isnan(words.longer_side(line.measured, line.lower, line.upper)) and not math.isnan(line.confidence)]
    if not shown:
        return ""
    style = shown[-1].style
    has_bounds = any(words.is_clearly_asymmetric(line.measured, line.lower, line.upper) for line in shown)
    ends = " [ ]: its ends, where one side is more than twice the other." if has_bounds and style == words.PLUS_MINUS else ""
    of_one_log = _OF_ONE_LOG if any(line.is_of_one_log for line in shown) else ""
    return words.interval_note((line.confidence for line in shown), style) + ends + of_one_log


def _one_replication(lines: list[Line]) -> str:
    has_one = any(line.replications == 1 and not math.isnan(line.measured) and math.isnan(line.lower)
                  and not words.is_extreme(line.column) and not words.is_wall_time(line.column) for line in lines)
    return "One replication: no interval." if has_one else ""


def _few_replications(lines: list[Line]) -> str:
    fewest = min([line.replications for line in lines if line.lower < line.upper], default=words.ENOUGH_FOR_SKEWNESS)
    return words.few_note("replications", fewest) if fewest < words.ENOUGH_FOR_SKEWNESS else ""


def _heavy_tails(view: View, lines: list[Line]) -> str:
    """Where an interval that is shown is that of a few replications, by its sample."""
    shown = {(line.cell, line.metric) for line in lines if line.lower < line.upper and line.gate not in ("moments", "tail")}
    heavy = [metric for cell, metric in sorted(shown)
             if cell in view.estimates(metric) and view.is_heavy_tailed(cell, metric) and not view.has_no_variance(cell)]
    named = ", ".join(f"{words.metric_text(metric)} in {counted(heavy.count(metric), 'cell')}" for metric in dict.fromkeys(heavy))
    remedy = "Give longer replications" + ("." if all(re.search(r"\.p[\d.]+", metric) for metric in heavy) else ", or look at quantiles.")
    return "" if not heavy else (f"Heavy tails ({named}): a few replications bring most of the spread, and others that were not drawn may bring more. "
                                 f"Such intervals hold less often than they say. {remedy}")


def _doubts(view: View, lines: list[Line]) -> list[str]:
    """What the gate says of numbers that are shown, but where the section of its cell does."""
    told = {row["cell"] for row in view.rows_where("stability", "verdict", "stable".__ne__)}
    shown = [(line.gate, words.metric_text(line.metric)) for line in lines if line.gate != "passed"
             and not (line.gate == "start" and line.cell in told or line.gate == "moments" and view.has_no_variance(line.cell))]
    found = []
    for gate in dict.fromkeys(gate for gate, _ in shown):
        metrics = [metric for own, metric in shown if own == gate]
        named = (f"{metric} in {counted(metrics.count(metric), 'cell')}" for metric in dict.fromkeys(metrics))
        found.append(words.gate_text(gate, ", ".join(named)))
    return found


def _fewest(lines: list[Line], holds: Callable[[Line], bool]) -> int:
    """The fewest replications of the lines of which something holds; 0: of none."""
    return min([line.replications for line in lines if line.replications > 0 and holds(line)], default=0)


def _zero_variance(lines: list[Line]) -> str:
    """What replications that are all equal say of others."""
    fewest = _fewest(lines, lambda line: line.replications > 1 and (line.measured == line.lower or line.measured == line.upper))
    return "" if not fewest else (
        f"±0, or an end at the estimate: all replications gave that value, {fewest} of them or more. With 95 % confidence, up to "
        f"{100 * share_beyond(fewest):.2g} % of others may give another (rule of three: 3 / {fewest}); a relative precision is not met.")


def _extremes(lines: list[Line]) -> str:
    """What extremes say of runs that were not made."""
    fewest = _fewest(lines, lambda line: words.is_extreme(line.column))
    return "" if not fewest else (f"least, greatest: of {fewest} runs or more. With 95 % confidence, for each of them by itself, at most "
                       f"{100 * share_beyond(fewest):.2g} % of all runs lie beyond, whatever their distribution.")


def _wall_times(lines: list[Line]) -> str:
    return ("wall time: median over the replications, on the machine and beside the load of that run; no results."
            if any(words.is_wall_time(line.column) for line in lines) else "")


def _exact_values(lines: list[Line]) -> str:
    distances = [abs(line.known_z) for line in lines if not math.isnan(line.known_z)]
    inside = sum(distance <= 3 for distance in distances)
    return "" if not distances else (f"Exact values: {inside} of {len(distances)} lie within 3 standard errors of ours (largest |z| "
                          f"{max(distances):.1f}).")


def _note(line: Line) -> str:
    where = ", ".join(line.levels) + (", " if line.column else "") + line.column
    return f"{where}: {line.note}." if line.note else ""


def measured(view: View) -> list[str]:
    """`Measured: jobs 4,001 to 20,000 of each replication; time averages from 0 to 86,400 s.`, one for cells that measure the same."""
    groups: dict[tuple[int, int], dict[int, tuple[float, float]]] = {}  # the window of every cell
    for first, last, cell, *window in zip(*view.columns("measured", "first_job", "last_job", "cell", "window_begin", "window_end").values()):
        groups.setdefault((first, last), {})[cell] = (window[0], window[1])
    if len(groups) > _MOST_GROUPS:
        return ["Measured: not the same jobs in all cells; the table measured of the file says which."]
    return [_measured_sentence(view, jobs, windows, len(groups) > 1) for jobs, windows in sorted(groups.items())]


def _measured_sentence(view: View, jobs: tuple[int, int], windows_of: dict[int, tuple[float, float]], is_one_of_several: bool) -> str:
    cells = sorted(windows_of)
    where = ""
    if is_one_of_several:
        where = f" ({counted(len(cells), 'cell') if len(cells) > _MOST_NAMED else '; '.join(map(view.label, cells))})"
    first, last = (words.grouped(float(job)) for job in jobs)
    text = f"Measured{where}: " + (f"job {first}" if first == last else f"jobs {first} to {last}")
    if any(view.cells[cell]["replications_used"] > 1 for cell in cells):
        text += " of each replication"
    windows = {(begin, end) for begin, end in windows_of.values() if begin < end}
    if len(windows) == 1:
        begin, end = windows.pop()
        unit, own = view.file.read_in(view.attribute("time_unit") or "units of time", [end])
        ends = (words.grouped(time if unit != "s" and own == 1 else float(f"{time / own:.4g}")) for time in (begin, end))
        text += f"; time averages from {' to '.join(ends)} {unit}"
    return f"{text}."
