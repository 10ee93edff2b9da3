"""What a report takes from a result file: rows by name, attributes, and how cells and job classes are called."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

from .. import _words as words
from .._reading.file import ResultFile
from .._terminal import counted

Row = Mapping[str, Any]


class _Columns(dict[str, Callable[[int], Any]]):
    """What gives the value of a column in a row."""

    def __init__(self, file: ResultFile, table: str) -> None:
        super().__init__()
        self.stored = file.stored(table)

    def __missing__(self, name: str) -> Callable[[int], Any]:
        values = self.stored[name]
        self[name] = values.__getitem__ if isinstance(values, list) else values.item
        return self[name]


class _StoredRow(Mapping[str, Any]):
    """A row of these columns: a dict of its own would take ten times the memory."""

    __slots__ = ("_columns", "_place")

    def __init__(self, columns: _Columns, place: int) -> None:
        self._columns, self._place = columns, place

    def __getitem__(self, name: str) -> Any:
        return self._columns[name](self._place)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns.stored.names)

    def __len__(self) -> int:
        return len(self._columns.stored.names)


class _StoredRows(Sequence[Row]):
    """Makes the rows that are asked for."""

    def __init__(self, file: ResultFile, table: str) -> None:
        self._columns = _Columns(file, table)

    @overload
    def __getitem__(self, place: int) -> Row: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Row]: ...

    def __getitem__(self, place: int | slice) -> Row | Sequence[Row]:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        return _StoredRow(self._columns, place % len(self))

    def __iter__(self) -> Iterator[Row]:
        return (_StoredRow(self._columns, place) for place in range(len(self)))

    def __len__(self) -> int:
        return self._columns.stored.length

    def column(self, name: str) -> list[Any]:
        values = self._columns.stored[name]
        found: list[Any] = values if isinstance(values, list) else values.tolist()
        return found

    def where(self, column: str, holds: Callable[[Any], bool]) -> list[Row]:
        return [_StoredRow(self._columns, place) for place, value in enumerate(self.column(column)) if holds(value)]


class View:
    """A result file as lists of rows, mappings by column; every table is read once."""

    def __init__(self, file: ResultFile) -> None:
        self.file = file
        self._rows: dict[str, Sequence[Row]] = {}
        self._estimates: dict[str, dict[int, Row]] = {}

    def attribute(self, name: str) -> str:
        """Empty where the file does not have it."""
        value = self.file.attributes.get(name, "")
        return value if isinstance(value, str) else ""

    def rows(self, table: str) -> Sequence[Row]:
        """None where the file does not have the table."""
        if table not in self._rows:
            self._rows[table] = _StoredRows(self.file, table) if self.file.has(table) else []
        return self._rows[table]

    def column(self, table: str, name: str) -> list[Any]:
        """Its values in the order of the rows."""
        rows = self.rows(table)
        return rows.column(name) if isinstance(rows, _StoredRows) else [row[name] for row in rows]

    def rows_where(self, table: str, column: str, holds: Callable[[Any], bool]) -> list[Row]:
        """Those whose value in a column has a property, which is asked for once a value."""
        rows, known = self.rows(table), functools.cache(holds)
        return rows.where(column, known) if isinstance(rows, _StoredRows) else [row for row in rows if known(row[column])]

    def columns(self, table: str, *names: str) -> dict[str, list[Any]]:
        """These of the table, or all that the file has."""
        all_names = names or (self.file.stored(table).names if self.file.has(table) else ())
        return {name: self.column(table, name) for name in all_names}

    @property
    def style(self) -> str:
        """How the campaign wants intervals printed."""
        return words.BOUNDS if self.attribute("report_intervals") == "bounds" else words.PLUS_MINUS

    def interval(self, row: Row, number: str) -> str:
        return words.interval_text(row[number], row["lower"], row["upper"], self.style)

    def in_unit(self, metric: str, rows: Sequence[Row], *numbers: str) -> tuple[str, Sequence[Row]]:
        """Of times in seconds ` (h)` and the rows with these numbers and their intervals in hours, as it reads best; others as they are."""
        if self.file.unit(metric) != "s":
            return "", rows
        name, own = self.file.read_in("s", (row[number] for row in rows for number in numbers))
        scaled = {*numbers, "lower", "upper", "indifference"}
        return f" ({name})", [{column: value / own if column in scaled else value for column, value in row.items()} for row in rows]

    # Cells.

    @functools.cached_property
    def cells(self) -> Sequence[Row]:
        return self.rows("cells")

    @functools.cached_property
    def factors(self) -> list[str]:
        """In the campaign's order."""
        return list(dict.fromkeys(self.column("factors", "factor")))

    @functools.cached_property
    def _levels(self) -> dict[str, dict[int, str]]:
        found: dict[str, dict[int, str]] = {}
        for factor, cell, label in zip(*self.columns("factors", "factor", "cell", "label").values()):
            found.setdefault(factor, {})[cell] = label
        return found

    def level(self, cell: int, factor: str) -> str:
        """Empty where the cell has no such factor."""
        return self._levels.get(factor, {}).get(cell, "")

    def label(self, cell: int, factors: Iterable[str] | None = None) -> str:
        """All levels, or those of these factors: `fcfs, 0.7`; `cell 3` where it has none."""
        own = [] if factors is None else [level for level in (self.level(cell, factor) for factor in factors) if level]
        return ", ".join(own) or (self.cells[cell]["label"] if cell < len(self.cells) else "") or f"cell {cell}"

    def distinguishing(self, cells: Iterable[int]) -> list[str]:
        """The factors in which these cells differ; all where they differ in none."""
        cells = list(cells)
        return [factor for factor in self.factors if len({self.level(cell, factor) for cell in cells}) > 1] or self.factors

    @functools.cached_property
    def unstable_cells(self) -> Mapping[int, None]:
        """Cells whose queue grows without bound, in order."""
        return dict.fromkeys(sorted(row["cell"] for row in self.rows_where("stability", "verdict", "unstable".__eq__)))

    def by_cell(self, table: str) -> dict[int, list[Row]]:
        found: dict[int, list[Row]] = {}
        for cell, row in zip(self.column(table, "cell"), self.rows(table)):
            found.setdefault(cell, []).append(row)
        return found

    def estimates(self, metric: str) -> dict[int, Row]:
        """Of every cell that has one, by cell."""
        if metric not in self._estimates:
            self._estimates[metric] = {row["cell"]: row for row in self.rows_where("estimates", "metric", metric.__eq__)}
        return self._estimates[metric]

    def is_heavy_tailed(self, cell: int, metric: str) -> bool:
        """Of what the estimate rests on; where a cell resamples a log, its interval goes by the log's blocks, and nothing is said."""
        row = self.estimates(metric)[cell]
        return is_heavy_tailed(row["n"], row["skewness"], row.get("largest_share", math.nan)) and bool(self.cells[cell]["log_blocks"] == 0)

    def has_no_variance(self, cell: int) -> bool:
        """Whether it ended because a time of its jobs has an infinite one: no length of a run and no number of replications helps."""
        return str(self.cells[cell]["status"]) == "not_met_variance"

    @functools.cached_property
    def known(self) -> dict[int, list[Row]]:
        return self.by_cell("known_values")

    @functools.cached_property
    def made(self) -> dict[tuple[int, str], Row]:
        """Numbers that `run` makes of the replications of a cell, by cell and what they are called."""
        keys = zip(self.column("made_metrics", "cell"), self.column("made_metrics", "metric"))
        return dict(zip(keys, self.rows("made_metrics")))

    def made_value(self, cell: int, name: str) -> float:
        """NaN where the file does not have it."""
        row = self.made.get((cell, name))
        return float(row["mean"]) if row else math.nan

    # Job classes and logs.

    @functools.cached_property
    def _class_names(self) -> dict[int, list[str]]:
        return {cell: [row["name"] for row in rows] for cell, rows in self.by_cell("job_classes").items()}

    def class_name(self, cell: int, job_class: int) -> str:
        """Empty where the class has no name."""
        names = self._class_names.get(cell, [])
        return names[job_class] if job_class < len(names) else ""

    def class_of_column(self, cell: int, column: str) -> str:
        about = words.part_metric(column, "class")
        return self.class_name(cell, about[1]) if about else ""

    @functools.cached_property
    def class_sentences(self) -> list[str]:
        """`Class 0: interactive; class 1: batch.`, one for all cells that agree; none where classes have no names."""
        cells: dict[tuple[str, ...], list[str]] = {}
        for cell, names in self._class_names.items():
            cells.setdefault(tuple(names), []).append(self.label(cell))
        texts = ["".join(f"{'; class' if number else 'Class'} {number}: {name}" for number, name in enumerate(names)) for names in cells]
        return [f"{text}." if len(cells) == 1 else f"{text} ({'; '.join(labels)})." for text, labels in zip(texts, cells.values())]

    @property
    def defects(self) -> str:
        """What its writer found wrong with the file, which every report begins with; empty: nothing."""
        rows = self.rows("defects")
        about = f"cell {rows[0]['cell']}: " if rows and rows[0]["cell"] >= 0 else ""
        return (f"This file fails the check of its writer ({about}{rows[0]['problem']}; {counted(len(rows), 'problem')} in all, table defects). "
                "This is an error of schedfarm: report it.") if rows else ""

    @functools.cached_property
    def of_logs_like_it(self) -> str:
        """What intervals are of in cells that resample a log; empty where none does."""
        counts: dict[str, set[int]] = {}
        for cell in self.rows_where("cells", "log_blocks", lambda blocks: bool(blocks > 0)):
            counts.setdefault(cell.get("log_block_unit", "blocks"), set()).add(cell["log_blocks"])
        blocks = [f"{min(numbers)}{'' if len(numbers) == 1 else f' to {max(numbers)}'} {unit}" for unit, numbers in sorted(counts.items())]
        return "" if not blocks else (
            "The log is resampled: intervals and conclusions are about other months of this machine. The log counts as "
            f"{' or '.join(blocks)} of equal work; more replications will not narrow them. Columns given_log of the file are about draws from this "
            "log alone.")


def is_heavy_tailed(n: int, skewness: float, largest_share: float) -> bool:
    """Whether so few of n values bring the spread of all that an interval of their mean holds less often than it says: where |skewness| / √n exceeds
    .4, of 256 or more .2, or one of 1,000 or more holds over a tenth of the sum of squared deviations (NaN: not known). Of fewer than ten nothing is
    known. How often it speaks: docs/results/heavy-tails.md."""
    most = 0.4 if n < 256 else 0.2
    return n >= 10 and (abs(skewness) > most * math.sqrt(n) or (n >= 1000 and largest_share > 0.1))
