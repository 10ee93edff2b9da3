"""The values that a paper prints, matched to the cells that measure them. The program has read the file: a row per value, of columns that are
factors of the campaign (enough of them to name one cell), metric, known_label, value, runs, column, note."""

from __future__ import annotations

from . import Cells, Problem, Words, real

_VALUE_COLUMNS = ["metric", "known_label", "value", "runs", "column", "note"]


def rounding_of(printed: str) -> float:
    """Half a unit of the last digit of a number.

    >>> [rounding_of(text) for text in ("0.031", "1.20", "-7", "1.2e2", "1.25e-3")]
    [0.0005, 0.005, 0.5, 5.0, 5e-06]
    """
    mantissa, _, exponent = printed.lower().partition("e")
    return float(f"5e{int(exponent or 0) - len(mantissa.partition('.')[2]) - 1}")


def planned(records: list[Words], cells: Cells, known: list[list[list[str]]], problems: list[Problem]) -> list[Words]:
    """What the program keeps of each row. `known`: metrics and labels of every cell's known values."""
    return _References(cells, known, problems).read(records) if records else []


class _References:
    def __init__(self, cells: Cells, known: list[list[list[str]]], problems: list[Problem]) -> None:
        self._cells, self._known, self._problems = cells, known, problems
        self._places: dict[str, int] = {}  # of columns in a row
        self._used: list[int] = []  # factors that are columns
        self._record: Words = {}

    def read(self, records: list[Words]) -> list[Words]:
        self._record, *rows = records
        if not self._take_header():
            return []
        self._used = [i for i, factor in enumerate(self._cells.factors) if factor in self._places]
        found = []
        for self._record in rows:
            found += [row for row in [self._row()] if row is not None]
        return found

    def _refuse(self, place: int, reason: str, suggestion: str = "", name: str = "", known: list[str] | None = None) -> None:
        self._problems.append(Problem("reference", -1, "", reason, suggestion, name, known or [], self._record["line"],
                                      self._record["columns"][place]))

    def _take_header(self) -> bool:
        before = len(self._problems)
        names = self._record["fields"]
        known = [*self._cells.factors, *_VALUE_COLUMNS]
        if not set(names) & set(known):  # of a file that is something else nothing may be quoted
            self._refuse(0, "this is no table of reference values (its first line names no column of one)", "Name a CSV file.")
            return False
        for place, name in enumerate(names):
            if name not in known:
                self._refuse(place, f"column '{name}' is no factor of the campaign", "", name, known)
            elif name in self._places:
                self._refuse(place, f"column '{name}' is there twice", "Remove one.")
            else:
                self._places[name] = place
        for needed in ("metric", "value"):
            if needed not in self._places:
                self._refuse(0, f"there is no column '{needed}'", "Add it.")
        return len(self._problems) == before

    def _field(self, column: str) -> str:
        return str(self._record["fields"][self._places[column]]) if column in self._places else ""

    def _row(self) -> Words | None:
        fields, width = len(self._record["fields"]), len(self._places)
        if fields != width:
            self._refuse(0, f"{fields} fields, but the header has {width}",
                         "Check for a missing comma, and for missing quotes around a label with commas.")
            return None
        cell = self._cell()
        printed, runs = self._field("value"), self._field("runs")
        value, count = real(printed), real(runs or "0")
        if value is None:
            self._refuse(self._places["value"], f"value '{printed}' is not a number")
        if count is None or count < 0 or count != int(count):
            self._refuse(self._places["runs"], f"runs '{runs}' is not a number of runs")
            return None
        metric = "" if cell is None or value is None else self._metric(cell)
        return {"cell": cell, "metric": metric, "known_label": self._field("known_label"), "value": value, "rounding": rounding_of(printed),
                "runs": int(count), "column": self._field("column"), "note": self._field("note")} if metric else None

    # The cell of a row.

    def _cell(self) -> int | None:
        levels = {i: self._field(self._cells.factors[i]) for i in self._used}
        found = self._cells.found(levels)
        if len(found) == 1:
            return found[0]
        factors = self._cells.factors
        if found:
            columns = [factor for factor in factors if factor not in self._places]
            self._refuse(0, f"this row fits {len(found)} cells ({found[0]} and {found[1]}, …)", f"Add a column for {' or '.join(columns)}.")
            return None
        for i, text in levels.items():
            if not self._cells.labels_at(i, text):
                self._refuse(self._places[factors[i]], f"factor '{factors[i]}' has no level '{text}'", "", text, self._cells.labels(i))
                return None
        self._refuse(0, "no cell has these levels")
        return None

    def _metric(self, cell: int) -> str:
        """Empty where the cell does not measure it, or nothing of that label is known."""
        written, label, columns = self._field("metric"), self._field("known_label"), self._cells.columns(cell)
        metric = next((name for name in (written, f"{written}.mean") if name in columns), written)
        if label:
            if [metric, label] in self._known[cell]:
                return metric
            self._refuse(self._places["known_label"], f"theory gives no '{label}' for '{metric}' in cell {cell}", "", label,
                         [own for _, own in self._known[cell]])
            return ""
        if metric in columns:
            return metric
        self._refuse(self._places["metric"], f"metric '{written}' is not observed in cell {cell}", "", written, columns)
        return ""
