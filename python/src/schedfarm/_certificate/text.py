"""What `schedfarm certify` prints of the rows of a certificate: a table for a terminal, a section of a page, or CSV."""

from __future__ import annotations

import math
import pathlib
from collections import Counter
from typing import Any

from .._terminal import Table, counted, table, table_text
from ..report import writers
from . import TOO_FEW, TOO_LOW, Certificate, Verdict, power
from .seeds import Row

CERTAIN_BIAS = 4.28  # standard errors beyond the band that are found in nine of ten certificates: 3 for the band, 1.28 for chance
BELOW, ABOVE = 0.03, 0.02  # of the band: the coverages whose detection is told
_HEADINGS = [">truth", "<known from", "<band", ">judged", ">replications", ">half-width", ">found", "<fails with probability", "<verdict"]


def text(certificate: Certificate, verdicts: list[Verdict], format: str) -> str:
    if format == "csv":
        rows = [[certificate.name(own.row), *_cells(own), *_notes(certificate, own)[:1]] for own in verdicts]
        return writers.csv(["cell", *(heading[1:] for heading in _HEADINGS), "note"], [row + [""] * (11 - len(row)) for row in rows])
    if format == "text":
        own = _table(certificate, verdicts, ["<band", ">found", ">replications", "~verdict"])
        return table_text(own) + f"\n{closing(verdicts)}.\n"
    parts = []
    for expect, title in (("inside", ""), ("outside", "Negative controls: ")):
        chosen = [own for own in verdicts if own.row.expect == expect]
        if chosen:
            section = _table(certificate, chosen, _HEADINGS)
            section.title = title + section.title
            section.source = _origin(certificate, chosen)
            parts.append(writers.markdown(section))
    return "\n".join(parts)


def as_json(certificate: Certificate, verdicts: list[Verdict]) -> dict[str, Any]:
    """Every number with all its digits; null where too few seeds are judged."""
    return {"campaign": certificate.file.attributes["campaign_name"], "closing": closing(verdicts),
            "rows": [{"cell": certificate.name(own.row), "subject": own.row.subject, "metric": own.row.metric, "truth": own.row.truth,
                      "known_from": own.row.source, "low": own.row.low, "high": own.row.high, "expect": own.row.expect, "judged": own.judged,
                      "seeds": own.seeds, "found": own.found, "standard_error": own.error, "verdict": own.word, "is_right": own.is_right,
                      "notes": _notes(certificate, own)} for own in verdicts]}


def closing(verdicts: list[Verdict]) -> str:
    judged = [own for own in verdicts if own.word != TOO_FEW]
    if not judged:
        return f"Nothing is judged: {counted(len(verdicts), 'row')} with too few seeds to find a coverage of {TOO_LOW:g}"
    weak = f"; {len(verdicts) - len(judged)} with too few seeds" if len(judged) < len(verdicts) else ""
    return f"{sum(own.is_right for own in judged)} of {len(judged)} rows are as they should be{weak}"


def _table(certificate: Certificate, verdicts: list[Verdict], headings: list[str]) -> Table:
    words = dict.fromkeys("bias" if own.row.is_bias else "share" if own.row.subject == "decision" else "coverage" for own in verdicts)
    shown = table(str(certificate.file.attributes["campaign_name"]),
                  ["~cell", *(heading.replace("found", " or ".join(words)) for heading in headings)])
    places = [_HEADINGS.index(heading.replace("~", "<")) for heading in headings]
    for own in verdicts:
        cells = _cells(own)
        shown.rows.append([certificate.name(own.row) + _manner(own.row), *(cells[place] for place in places)])
        shown.notes += _notes(certificate, own)
    return shown


def _cells(own: Verdict) -> list[str]:
    """In the order of the headings."""
    row, is_judged = own.row, own.judged >= 2
    return [_truth(row), row.source, f"[{row.low:g}, {row.high:g}]", f"{own.judged} of {own.seeds}",
            f"{own.measured.used[own.measured.ends == ''].mean():.4g}" if is_judged else "-", _half_width(own),
            f"{own.found:.4f} ± {own.error:.4f}" if is_judged else "-", _power(own), own.word]


def _truth(row: Row) -> str:
    if row.subject == "decision":
        return f"{row.column}: {' or '.join(row.words)}" if row.words else f"{row.column} ≥ {row.at_least:g}"
    return f"{row.metric} {row.truth:.6g}".strip()


def _manner(row: Row) -> str:
    workers = f"{row.virtual_workers} workers in virtual time" if row.virtual_workers else "the workers"
    return {"first_finished": f", first finished of {workers}", "every_look": ", at every look", "ordered_prefix": ", by index"}.get(row.subject, "")


def _half_width(own: Verdict) -> str:
    is_interval = own.judged >= 2 and own.row.subject != "decision"
    return f"{own.measured.half_width[own.measured.ends == ''].mean():.4g}" if is_interval else "-"


def _power(own: Verdict) -> str:
    """What a row on a coverage would show of a false one, or a row on a bias of a bias."""
    row = own.row
    if own.judged < 2:
        return "-"
    if row.is_bias:
        return f"{CERTAIN_BIAS * own.error:.2g}"
    coverages = [row.low - BELOW] * (row.low > BELOW) + [row.high + ABOVE] * (row.high + ABOVE < 1)
    return ", ".join(f"{power(row, own.judged, coverage):.2f} at {coverage:g}" for coverage in coverages) or "-"


def _notes(certificate: Certificate, own: Verdict) -> list[str]:
    name, measured = certificate.name(own.row), own.measured
    ends = Counter(end for end in measured.ends.tolist() if end)
    counted = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    return ([f"{name}: {own.seeds - own.judged} of {own.seeds} seeds are counted apart: {counted}."] if ends else []) + (
        [f"{name}: in {measured.differing} of {own.seeds} seeds the estimate is not the mean of the first replications."]
        if measured.differing else []) + ([f"{name}: {measured.note}."] if measured.note else [])


def _origin(certificate: Certificate, verdicts: list[Verdict]) -> str:
    """What made the rows; tools/certificate_age.py reads it."""
    attributes = certificate.file.attributes
    seeds = certificate.seeds.names
    told = f"{len(seeds)} seeds from {seeds[0]}" if len(seeds) > 1 else f"seed {attributes['seed']}"
    changes = " with changes" if str(attributes.get("git_dirty")) == "1" else ""
    files = ", ".join(f"`{name}`" for name in sorted({name for own in verdicts for name in own.row.procedure}))
    hours = float(certificate.file.records("timings")["seconds"].sum()) / 3600
    return (f"`{pathlib.Path(certificate.file.path).stem}.yaml`, {told}, plan `{attributes['plan_hash']}`, {str(attributes['finished'])[:10]}, "
            f"{math.ceil(hours * 60)} processor minutes, schedfarm {attributes['program_version']}, revision "
            f"{attributes['git_revision'][:12]}{changes}, {attributes['compiler']}. Procedure: {files or 'not named'}.")
