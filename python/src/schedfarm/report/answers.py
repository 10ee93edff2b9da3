"""What the campaign asked, answered in a sentence each: every number is one of the file's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections import Counter

from .. import _words as words
from .._terminal import counted
from .view import Row, View

_MOST_PAIRS = 6  # of levels, that are told one by one


def answers(view: View) -> list[str]:
    """Where the campaign asked nothing but its estimates, the least and the greatest."""
    asked = [sentence for told in (_differences, _best, _claims, _printed, _precise) for sentence in told(view)]
    return asked or _extremes(view)


def _differences(view: View) -> list[str]:
    """`With easy the mean response time is 12 % [9, 15] to 23 % [19, 27] smaller than with fcfs; decided in 9 of 9 cases.`"""
    pairs: dict[tuple[str, str, str], list[Row]] = {}
    for row in view.rows("comparisons"):
        own = view.distinguishing((row["first_cell"], row["second_cell"]))
        first, second = (view.label(row[end], own) for end in ("first_cell", "second_cell"))
        pairs.setdefault((row["metric"], first, second), []).append(row)
    if len(pairs) > _MOST_PAIRS:
        rows = view.rows("comparisons")
        decided = sum(row["verdict"] != "not decided" for row in rows)
        return [_with_gate(f"{decided} of {counted(len(rows), 'difference')} are decided; the table of differences has them.", rows, "difference")]
    sentences = [_difference(view, metric, first, second, rows) for (metric, first, second), rows in pairs.items()]
    gate = words.gate_texts([row for rows in pairs.values() for row in rows], "difference")
    return [*sentences, *gate] if len(sentences) > 1 else [" ".join([*sentences, *gate])] if sentences else []


def _with_gate(sentence: str, rows: Sequence[Row], thing: str) -> str:
    return " ".join([sentence, *words.gate_texts(rows, thing)])


def _difference(view: View, metric: str, first: str, second: str, rows: Sequence[Row]) -> str:
    decided = [row for row in rows if row["verdict"] != "not decided"]
    what = words.metric_text(metric)
    of = f" in {len(decided)} of {counted(len(rows), 'case')}" if len(rows) > 1 else ""
    if all(row["difference"] == row["lower"] == row["upper"] == 0 for row in rows):
        return f"With {first} the {what} is the same as with {second}" + (f" in all {len(rows)} cases." if len(rows) > 1 else ".")
    if not decided:
        return f"Whether the {what} differs between {first} and {second} is not decided" + (f" in any of {len(rows)} cases." if of else ".")
    told = []
    for verdict, word in (("first smaller", "smaller"), ("second smaller", "larger")):
        own = sorted((row for row in decided if row["verdict"] == verdict), key=lambda row: float(abs(row["difference"])))
        if own:
            sizes = [_size(view, metric, row) for row in ([own[0], own[-1]] if len(own) > 1 else own)]
            told.append(f"{' to '.join(sizes)} {word}" + (f" ({len(own)} of {len(rows)})" if len(own) < len(rows) else ""))
    sentence = f"With {first} the {what} is {' and '.join(told)} than with {second}"
    return sentence + (f"; decided{of}." if of else ".")


def _size(view: View, metric: str, row: Row) -> str:
    """A share of the second mean, or in files without such columns the difference itself."""
    if math.isfinite(row.get("relative", math.nan)):
        share, lower, upper = (100 * abs(row[name]) for name in ("relative", "relative_lower", "relative_upper"))
        ends = sorted((lower, upper)) if row["relative_lower"] * row["relative_upper"] > 0 else [0.0, max(lower, upper)]
        decimals = 0 if share >= 9.5 else 1
        return f"{share:,.{decimals}f} % [{ends[0]:,.{decimals}f}, {ends[1]:,.{decimals}f}]"
    unit, shown = view.in_unit(metric, [row], "difference")
    lower, upper = sorted(abs(shown[0][name]) for name in ("lower", "upper"))
    return words.interval_text(abs(shown[0]["difference"]), lower, upper, words.BOUNDS) + unit


def _best(view: View) -> list[str]:
    groups: dict[str, list[Row]] = {}
    for row in view.rows("selections"):
        groups.setdefault(row["group"], []).append(row)
    if not groups:
        return []
    best: Counter[str] = Counter()
    for rows in groups.values():
        own = view.distinguishing(row["cell"] for row in rows)
        best.update(view.label(row["cell"], own) for row in rows if row["standing"] == "selected")
    every = view.rows("selections")
    metric = words.metric_text(every[0]["metric"])
    named = ", ".join(name + (f" in {number} of {len(groups)} groups" if len(groups) > 1 else "") for name, number in best.most_common(_MOST_PAIRS))
    return [_with_gate(f"Best by {metric}: {named}." if named else f"Which is best by {metric} is not decided.", every, "mean")]


def _claims(view: View) -> list[str]:
    rows = view.rows("claims")
    right = sum(row["verdict"] == row["expected"] for row in rows)
    return [f"{right} of {counted(len(rows), 'claim')} of the paper {'is' if right == 1 else 'are'} as the campaign expects."] if rows else []


def _printed(view: View) -> list[str]:
    rows = [row for row in view.rows("reference") if row["verdict"]]
    agree = sum(row["verdict"] == "agrees" for row in rows)
    return [_with_gate(f"{agree} of {counted(len(rows), 'printed value')} {'agrees' if agree == 1 else 'agree'} with ours.", rows, "value")] if rows else []


def _extremes(view: View) -> list[str]:
    """Of the report's first metric, else of the file's."""
    named = view.attribute("report_metrics").splitlines()
    metric = next((own for own in dict.fromkeys([*named, *view.column("estimates", "metric")])
                   if not words.is_diagnostic(own) and view.estimates(own)), "")
    every = [row for row in view.estimates(metric).values() if math.isfinite(row["mean"])]
    rows: Sequence[Row] = [row for row in every if row["cell"] not in view.unstable_cells]
    if not rows:
        return ["No cell has a steady state: its queue grows without bound."] if every else []
    unit, rows = view.in_unit(metric, rows, "mean")
    least, greatest = (end(rows, key=lambda row: float(row["mean"])) for end in (min, max))
    told = [f"{words.estimate_text(row['mean'], words.decimals_for(row['mean'], row['lower'], row['upper']))}{unit}" + (
        f" ({view.label(row['cell'])})" if len(rows) > 1 else "") for row in ([least, greatest] if len(rows) > 1 else [least])]
    return [_with_gate(f"{words.metric_text(metric)[:1].upper()}{words.metric_text(metric)[1:]}: {' to '.join(told)}.", rows, "mean")]


def _precise(view: View) -> list[str]:
    """Where precision was asked for, how many cells have it."""
    asked = [status for status in view.column("cells", "status") if status.startswith(("met", "not_met"))]
    met = asked.count("met")
    return [f"{met} of {counted(len(asked), 'cell')} {'is' if met == 1 else 'are'} as precise as asked."] if asked else []
