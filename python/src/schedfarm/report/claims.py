"""The claims of a paper: measured, verdict, where they do not hold; and what the campaign makes of its observations for them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .. import _words as words
from .._terminal import Column, Table, table
from .section import section
from .view import Row, View

_MOST_PLACES = 6
_VERDICTS = ("holds", "does not hold")


@section(30, "claims", "claim_values")
def claim_sections(view: View) -> list[Table]:
    claims = view.rows("claims")
    if not claims or not view.file.has("claim_values"):
        return []
    places: dict[str, list[Row]] = {}
    for row in view.rows("claim_values"):
        places.setdefault(row["claim"], []).append(row)
    found = table("Claims of the paper", ["<claim", "<paper", "<measured", "<holds if", ">places", "<verdict"], 1)
    found.notes = [_tally(claims)]
    for row in claims:
        own = places[row["claim"]]
        needs = f" ({row['needs']})" if len(own) > 1 else ""
        found.rows.append([row["claim"], row["printed"], _measured(view, own), row["rule"] + needs,
                           f"{sum(place['side'] == 'inside' for place in own)} of {len(own)}", _verdict(row)])
        found.notes.append(_note(view, row, own))
    found.notes.append(f"Every verdict holds at {words.percent_text(claims[0]['confidence'])}; of one replication it is that of its one "
                       "schedule.")
    known = [row["e_value"] for row in claims if not math.isnan(row.get("e_value", math.nan))]
    if known:
        enough = 1 / (1 - claims[0]["confidence"])
        found.notes.append(f"However often one looks, {sum(e >= enough for e in known)} of {len(claims)} are decided: those with an e-value of "
                           f"{words.number_text(enough, 0)} or more.")
    if any(place["side"] == "too skewed" for own in places.values() for place in own):
        found.notes.append("Too skewed: for so few replications the observations are too skewed for the confidence at which each of several places "
                           "is judged. More replications decide.")
    found.drop_empty_columns()
    if not view.file.has("quantities"):  # else they stand below those
        found.notes += view.class_sentences
    return [found]


def _text(view: View, place: Row) -> str:
    return words.value_text(place["value"], place["lower"], place["upper"], view.style)


def _measured(view: View, places: Sequence[Row]) -> str:
    """The only value, or the smallest and the greatest; places not measured have none."""
    measured = [place for place in places if math.isfinite(place["value"])]
    if len(measured) < 2:
        return _text(view, measured[0]) if measured else ""
    values = [place["value"] for place in measured]
    return f"{min(values):.3g} to {max(values):.3g}"


def _contradicts(row: Row) -> bool:
    return row["verdict"] in _VERDICTS and row["verdict"] != row["expected"]


def _verdict(row: Row) -> str:
    verdict = str(row["verdict"])
    if verdict == row["expected"]:
        return f"{verdict}, as expected"
    return f"{verdict} (expected: {row['expected']})" if _contradicts(row) else verdict


def _tally(claims: Sequence[Row]) -> str:
    text = f"{sum(row['verdict'] == row['expected'] for row in claims)} of {len(claims)} claims as expected"
    other = [row["claim"] for row in claims if _contradicts(row)]
    still = [row["claim"] for row in claims if row["verdict"] != row["expected"] and not _contradicts(row)]
    return text + (f"; open: {', '.join(still)}" if still else "") + (f"; not as expected: {', '.join(other)}" if other else "") + "."


def _note(view: View, row: Row, places: Sequence[Row]) -> str:
    """What the paper says, and where it is not so."""
    where = f" ({row['section']})" if row["section"] else ""
    note = f"{row['claim']}: \"{row['paper']}\"{where} Measured: {row['value']}."
    if len(places) > 1:
        for side in ("outside", "straddles", "too skewed", "not measured"):
            own = [place for place in places if place["side"] == side]
            texts = [place["place"] + (f" ({_text(view, place)})" if _text(view, place) else "") for place in own[:_MOST_PLACES]]
            if len(own) > _MOST_PLACES:
                texts.append(f"and {len(own) - _MOST_PLACES} more")
            note += f" {side}: {'; '.join(texts)}." if texts else ""
    return f"{note} {row['note']}" if row["note"] else note


@section(20, "quantities")
def quantity_sections(view: View) -> list[Table]:
    if not view.rows("quantities"):
        return []
    keys = [cell["replication_key"] for cell in view.cells]
    shown = {keys.index(key) for key in keys}  # the first of the cells that have the same replications
    by_name: dict[str, dict[int, dict[int, str]]] = {}
    confidences = set()
    for row in view.rows("quantities"):
        if row["cell"] not in shown:
            continue
        texts = by_name.setdefault(row["quantity"], {})
        texts.setdefault(row["cell"], {})[row["class"]] = words.value_text(row["mean"], row["lower"], row["upper"], view.style)
        if row["lower"] < row["upper"]:
            confidences.add(row["confidence"])
    sections = [_quantity_section(view, name, texts) for name, texts in by_name.items()]
    notes = [words.interval_note(confidences, view.style)] if confidences else []
    notes += view.class_sentences
    if len(shown) < len(view.cells):
        notes.append("Cells with the same replications are shown once.")
    sections[-1].notes = notes
    return sections


def _quantity_section(view: View, name: str, texts: dict[int, dict[int, str]]) -> Table:
    classes = sorted({job_class for by_class in texts.values() for job_class in by_class})
    found = table(words.metric_text(name), ["<cell"], 1)
    found.columns += [Column("mean" if job_class < 0 else f"class {job_class}") for job_class in classes]
    found.rows = [[view.label(cell), *(by_class.get(job_class, "") for job_class in classes)] for cell, by_class in sorted(texts.items())]
    return found
