"""What a report says of the numbers behind its estimates: failures, quantiles, what one job decides, precision and warm-up."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .. import _words as words
from .._terminal import VERBATIM, Column, Table, counted, table
from .section import section
from .view import Row, View

_MOST_TOLD = 10
_DIFFERENCE = " (difference)"  # of a metric that a comparison makes precise
_LARGE_SHARE = 0.1  # from here on the mean is hardly more than one job's
_CAUSES = {"not_met_cap": "cap", "not_met_budget": "budget", "not_met_log": "log", "not_met_variance": "variance", "not_met_missing": "no value", "not_bracketed": "no load found",
           "not_stationary": "start", "met_heavy_tail": "heavy tail"}
_REMEDIES = {
    "not_met_cap": "Raise the cap or the budget and resume: what is computed is kept.",
    "not_met_log": "Log: the log is too short for this precision. Other logs like it would differ by about as much as is shown, and more "
                   "replications of this one cannot tell by how much. Ask for less precision, give a longer log, or say 'replications: N' "
                   "for what holds of this log alone.",
    "not_met_variance": "Variance: a time of the jobs has an infinite variance, and no number of replications makes a mean precise. Ask for quantiles, "
                        "or bound the times.",
    "not_bracketed": "No load found: it lies outside `between` of the search; widen that. The table of loads searched for says on which side.",
    "not_stationary": "Start: the runs of the search are so short that their empty start may move the load. Give longer ones, or leave 'horizon.jobs' "
                      "out, and the program finds a length.",
    "met_heavy_tail": "Heavy tail: by the law of the service times, jobs longer than any that is likely to have been drawn make a quarter or more of "
                      "the variance. Ask for quantiles, or bound the times.",
    "not_met_missing": "No value: some replications have none of the metric, for want of such jobs, and then there is no mean over "
                       "replications. Make the replications longer, or ask for another metric.",
}


@section(10, "failures")
def failure_sections(view: View) -> list[Table]:
    """Replications without observations: why, and the commands that replay them alone."""
    rows = view.rows("failures")
    if not rows:
        return []
    found = table("Failures", ["<cell", ">replication", "<what", "~message"])
    found.rows_are_warnings = True
    found.notes = _incomplete(view, rows)
    found.warnings = list(found.notes)
    found.notes.append(f"Replay one alone (the first {_MOST_TOLD} of {len(rows)}; table failures of the file has all):" if len(rows) > _MOST_TOLD
                       else "Replay it alone:" if len(rows) == 1 else "Replay one alone:")
    for row in rows[:_MOST_TOLD]:
        found.rows.append([view.label(row["cell"]), str(row["replication"]), row["status"], row["message"]])
        found.notes.append(VERBATIM + row["replay"])
    return [found]


def _incomplete(view: View, failures: Sequence[Row]) -> list[str]:
    """What keeps the estimates of cells short: nothing behind a failed replication counts."""
    failed: dict[int, int] = {}
    for row in failures:
        failed[row["cell"]] = failed.get(row["cell"], 0) + 1
    cells = [cell for cell in sorted(failed) if view.cells[cell]["status"] == "incomplete"]
    notes = [f"{view.label(cell)}: incomplete. n is {view.cells[cell]['replications_used']} of "
             f"{view.cells[cell]['replications_computed'] - failed[cell]} computed, those before the first that failed."
             for cell in cells[:_MOST_TOLD]]
    if len(cells) > _MOST_TOLD:
        notes.append(f"{len(cells) - _MOST_TOLD} more cells are incomplete; table cells of the file has all.")
    return notes


@section(140, "quantiles")
def quantile_sections(view: View) -> list[Table]:
    """Quantiles of the pooled jobs."""
    by_metric: dict[str, dict[int, dict[float, Row]]] = {}
    for row in view.rows("quantiles"):
        by_metric.setdefault(row["metric"], {}).setdefault(row["cell"], {}).setdefault(row["probability"], row)
    return [_quantile_section(view, metric, by_metric[metric]) for metric in sorted(by_metric)]


def _quantile_section(view: View, metric: str, cells: dict[int, dict[float, Row]]) -> Table:
    unit, rows = view.in_unit(metric, [row for _, by_probability in sorted(cells.items()) for row in by_probability.values()], "value", "own_mean")
    shown = {(row["cell"], row["probability"]): row for row in rows}
    probabilities = sorted({row["probability"] for row in rows})
    found = table(f"Quantiles of {words.metric_text(metric)}{unit}", ["<cell"], 1)
    found.columns += [Column(f"p{100 * probability:.6g}") for probability in probabilities]
    for cell in sorted(cells):
        found.rows.append([view.label(cell), *(view.interval(shown[cell, p], "value") if (cell, p) in shown else "" for p in probabilities)])
    found.notes = [words.interval_note((row["confidence"] for row in rows), view.style)
                   + " Quantiles are those of all measured jobs of a cell, to 0.25 % of the value."]
    found.warn(_own_bias(rows))
    found.warn(_endless(view, [row for own in cells.values() for row in own.values()]))
    return found


def _endless(view: View, rows: Sequence[Row]) -> str:
    """Empty where every interval has an upper end."""
    endless = [row for row in rows if math.isinf(row["upper"])]
    if not endless:
        return ""
    places = ", ".join(f"p{100 * probability:.6g} in {counted(sum(row['probability'] == probability for row in endless), 'cell')}"
                       for probability in sorted({row["probability"] for row in endless}))
    sketches = view.by_cell("sketches")
    needed = max(view.cells[row["cell"]]["replications_used"] * _shortfall(row, sketches.get(row["cell"], [])) for row in endless)
    return f"{places}: no upper end, since too few jobs lie beyond. Give about {words.grouped(float(f'{needed:.2g}'))} replications, or longer ones."


def _shortfall(row: Row, sketches: Sequence[Row]) -> float:
    """How many times the replications would give an upper end. The interval goes from the quantile of p - h to that of p + h, and needs p + h < 1;
    h shrinks with the root of their number, with the number itself where no job lies beyond (engine/statistics/pooled_quantile.hpp). The lower
    end tells h, to a bucket."""
    own = [(bucket["lower"], bucket["upper"], bucket["count"]) for bucket in sketches if bucket["metric"] == row["metric"]]
    below = sum(count for _, upper, count in own if upper <= row["lower"])
    has_beyond = any(lower >= row["value"] for lower, _, _ in own)
    excess = (row["probability"] - below / row["jobs"]) / (1 - row["probability"])
    return float(excess ** (2 if has_beyond else 1))


def _own_bias(rows: Sequence[Row]) -> str:
    """Empty where the mean of the replications' own quantiles lies within every interval of the pooled one."""
    biased: dict[float, list[float]] = {}
    for row in rows:
        own = row["own_mean"]
        if own < row["lower"] or own > row["upper"]:
            share = own / row["value"] - 1 if row["value"] else math.copysign(math.inf, own)
            biased.setdefault(row["probability"], []).append(share)
    if not biased:
        return ""
    texts = []
    for probability, shares in sorted(biased.items()):
        worst = max(shares, key=abs)
        change = f"by {100 * worst:+.0f} % " if math.isfinite(worst) else ""
        texts.append(f"p{100 * probability:.6g} {change}in {counted(len(shares), 'cell')}")
    return ("Lengthen the replications: comparisons, selections and claims use each replication's own quantiles, and these are biased here, at "
            f"worst {', '.join(texts)}, since too few of its jobs lie beyond.")


@section(170, "warm_up_checks")
def warm_up_sections(view: View) -> list[Table]:
    """Warm-ups that do not cover the transient. None would do for an unstable cell, and another section says so; none is wanted of a log that is
    measured whole."""
    found = table("Warm-ups to look at", ["<cell", "~finding"])
    found.rows_are_warnings = True
    for row in view.rows_where("warm_up_checks", "verdict", "long enough".__ne__):
        is_whole_log = row["warm_up_jobs"] == 0 and view.cells[row["cell"]]["experiment"] == "trace"
        if row["cell"] in view.unstable_cells or is_whole_log:
            continue
        replications = counted(row["replications"], "replication")
        found.rows.append([view.label(row["cell"]), f"MSER-5 of the average of {replications} cuts {counted(row['mser_cut'], 'job')}, "
                           f"the warm-up {row['warm_up_jobs']}: lengthen the warm-up" if row["verdict"] == "short" else
                           f"the average of {replications} does not settle in the first half of the run: lengthen the run"])
    found.notes = ["A hint, not a verdict: table warm_up of the file has Welch's plot."]
    return [found] if found.rows else []


@section(60)
def unmet_sections(view: View) -> list[Table]:
    """Cells that ended before they were as precise as asked for."""
    found = table("Cells less precise than asked for", ["<cell", ">n", "<ended by", "<most demanding metric", "<estimate"], 1)
    found.rows_are_warnings = True
    statuses = set()
    for cell in view.rows_where("cells", "status", _CAUSES.__contains__):
        statuses.add("not_met_cap" if cell["status"] == "not_met_budget" else cell["status"])
        found.rows.append([view.label(cell["cell"]), str(cell["replications_used"]), _CAUSES[cell["status"]],
                           words.metric_text(cell["most_demanding"]), _least_precise(view, cell)])
    for status, remedy in _REMEDIES.items():
        if status in statuses:
            found.warn(remedy)
    return [found] if found.rows else []


def _least_precise(view: View, cell: Row) -> str:
    """The estimate that falls short, `3.21 ±0.02 (0.62 %)`: of the metric, or of the difference whose interval is the longest for its
    size; empty where nothing was observed."""
    metric = cell["most_demanding"]
    if not metric.endswith(_DIFFERENCE):
        estimate = view.estimates(metric).get(cell["cell"])
        return _precision(view, estimate, "mean") if estimate else ""
    rows = [row for row in view.rows("comparisons") if row["metric"] == metric.removesuffix(_DIFFERENCE)
            and cell["cell"] in (row["first_cell"], row["second_cell"])]
    return _precision(view, max(rows, key=lambda row: _share(row, "difference")), "difference") if rows else ""


def _share(row: Row, value: str) -> float:
    side = words.longer_side(row[value], row["lower"], row["upper"])
    return float(side / abs(row[value])) if row[value] else math.inf


def _precision(view: View, row: Row, value: str) -> str:
    share = _share(row, value)
    unit, (row,) = view.in_unit(row["metric"], [row], value)
    return view.interval(row, value) + unit.replace("(", "").replace(")", "") + (f" ({_percent(share)} %)" if math.isfinite(share) else "")


def _percent(share: float) -> str:
    """With two digits.

    >>> _percent(0.05), _percent(1), _percent(143.2)
    ('5', '100', '14000')
    """
    return f"{100 * share:.2g}" if share < 0.995 else words.number_text(100 * share, words.decimals_of_digits(100 * share, 2))


@section(150)
def slowdown_sections(view: View) -> list[Table]:
    """Cells of which one job holds a tenth or more of the sum of all slowdowns."""
    found = table("Slowdowns that one job decides", ["<cell", ">share of the largest in the sum"], 1)
    found.rows_are_warnings = True
    for row in view.rows_where("made_metrics", "metric", "share of the largest slowdown".__eq__):
        if row["mean"] >= _LARGE_SHARE:
            found.rows.append([view.label(row["cell"]), f"{100 * row['mean']:.0f} %"])
    found.warn("Report bounded_slowdown: another run has another such job, so that this mean and its interval say little.")
    return [found] if found.rows else []
