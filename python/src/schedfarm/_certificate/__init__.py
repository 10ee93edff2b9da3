"""The judge of certificates: how often intervals contain a truth that is known, and decisions are right, over the seeds of a campaign.

Every row of the table `certificates` is such a number or decision. In a campaign without the table every cell with a value that is
exactly known is one: its interval must contain it as often as its confidence says, to within .02. Cells of one seed are a campaign of
their own; a row is measured once for every seed, from the tables that `schedfarm report` shows, and for some from the replications.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from .._reading.file import ResultFile
from ..errors import RequestError
from .seeds import Measured, Row, Seeds

CERTAINTY = 3  # standard errors within which a band must have a point
DEFAULT_BAND = 0.02  # beside the confidence, where a campaign says none
TOO_LOW = 0.9  # a coverage that a row must find as often as not, or it says nothing
TOO_FEW = "too few seeds"  # to find it: neither right nor wrong


@dataclasses.dataclass
class Verdict:
    """`found`: coverage, share, or bias, with its standard error; `judged`: seeds that it rests on, those that ended as planned."""

    row: Row
    measured: Measured
    seeds: int
    judged: int
    found: float = math.nan
    error: float = math.nan
    is_right: bool = False
    word: str = "not judged"


def share_error(share: Any, n: int) -> Any:
    """Of a share of n, at least that of one in n."""
    return np.maximum(np.sqrt(share * (1 - share) / n), 1 / n)


def excludes(row: Row, found: Any, error: Any) -> Any:
    """Whether what was found lies beyond the band."""
    return (found + CERTAINTY * error < row.low) | (found - CERTAINTY * error > row.high)


def power(row: Row, seeds: int, coverage: float) -> float:
    """The probability that the row fails where the true coverage is this."""
    k = np.arange(seeds + 1)
    outside = excludes(row, k / seeds, share_error(k / seeds, seeds))
    factorials = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, seeds + 1)))])
    chances = factorials[-1] - factorials - factorials[::-1] + k * math.log(coverage) + (seeds - k) * math.log1p(-coverage)
    return min(1.0, float(np.exp(chances[outside]).sum()))


class Certificate:
    """The rows of a result file, and their measurement."""

    def __init__(self, file: ResultFile) -> None:
        self.file = file
        self.seeds = Seeds(file)
        factors = self.seeds.records("factors")
        self._levels: dict[int, list[str]] = {}
        for factor in factors[(factors["factor"] != b"seed") & np.isin(factors["cell"], self.seeds.cells[0])]:
            self._levels.setdefault(int(factor["cell"]), []).append(factor["label"].decode(errors="replace"))
        self.rows = self._given_rows() if file.has("certificates") else self._own_rows()
        if not self.rows:
            raise RequestError(f"{file.path}: nothing to certify (no cell has a metric whose true value is known exactly). "
                               "Add sections 'certificate' to its campaign")

    def name(self, row: Row) -> str:
        """The levels of its cell, and what tells it from others of the cell."""
        parts = self._levels.get(row.cell, []) if row.scope == "cell" else []
        parts = [*parts, *([row.table] if row.table != "estimates" and row.subject != "decision" else []), *filter(None, row.where.split("; "))]
        return ", ".join(parts) or str(self.file.attributes["campaign_name"])

    def judge(self) -> list[Verdict]:
        return [self._verdict(row) for row in self.rows]

    # Rows.

    def _given_rows(self) -> list[Row]:
        rows = []
        known = {field.name for field in dataclasses.fields(Row)}
        for record in self.seeds.records("certificates"):
            values = {name: record[name].decode(errors="replace") if isinstance(record[name], bytes) else record[name].item()
                      for name in record.dtype.names}
            values["words"] = tuple(filter(None, values.pop("is").split("; ")))
            values["procedure"] = tuple(filter(None, values["procedure"].split("; ")))
            rows.append(Row(**{name: value for name, value in values.items() if name in known}))
        stands = {repr(dataclasses.replace(row, cell=0)): row for row in reversed(rows) if row.scope == "campaign"}
        return [row for row in rows if row.scope == "cell" or stands[repr(dataclasses.replace(row, cell=0))] is row]

    def _own_rows(self) -> list[Row]:
        known = self.seeds.records("known_values")
        known = known[(known["is_exact"] == 1) & (known["value"] != 0)]
        estimates, confidence = self.seeds.records("estimates"), self.seeds.records("cells")["confidence"]
        rows = []
        for cell in self.seeds.cells[0]:
            metrics = set(estimates["metric"][estimates["cell"] == cell].tolist())
            found = [value for value in known[known["cell"] == cell] if value["metric"] in metrics]
            found.sort(key=lambda value: bool(value["label"] != b"exact from empty"))  # without a bias of the warm-up
            for value in found[:1]:
                level = float(confidence[cell])
                rows.append(Row(int(cell), metric=value["metric"].decode(), truth=float(value["value"]), source=value["source"].decode(),
                                low=level - DEFAULT_BAND, high=min(1.0, level + DEFAULT_BAND)))
        return rows

    def _verdict(self, row: Row) -> Verdict:
        measured = self.seeds.measure(row)
        judged = measured.ends == ""
        result = Verdict(row, measured, len(judged), int(judged.sum()))
        is_enough = result.judged >= max(2, row.judged * result.seeds)
        if result.judged >= 2:
            if row.is_bias:
                errors = measured.error[judged]
                result.found, result.error = float(errors.mean()), float(errors.std(ddof=1) / math.sqrt(len(errors)))
            else:
                result.found = float(measured.covers[judged].mean())
                result.error = float(share_error(result.found, result.judged))
            is_negative = row.expect == "outside"
            result.is_right = bool(excludes(row, result.found, result.error)) == is_negative and measured.differing == 0 and is_enough
            is_weak = not row.is_bias and not is_negative and row.low > TOO_LOW and power(row, result.judged, TOO_LOW) < 0.5
            result.word = "too few ended as planned" if not is_enough else TOO_FEW if is_weak and result.is_right else {
                (True, True): "fails as it should", (True, False): "holds but should not", (False, True): "holds", (False, False): "fails",
            }[is_negative, result.is_right]
        elif row.judged == 0 and row.expect == "inside" and result.seeds >= 2:
            result.is_right, result.word = True, "gives no number"
        return result
