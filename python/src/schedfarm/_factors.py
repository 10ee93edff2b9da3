"""The factors of a campaign: their columns, the cells that have certain levels, and one cell among them.

A factor whose levels are all numbers is a column of floats (NaN for pilots); any other an ordered categorical in the order of the campaign.
The last part of a name is enough where it is unique: `utilization` for `load.utilization`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._reading.lazy_pandas import pd
from .errors import RequestError, one_of

PILOT = "pilot"  # the level of a load that has no number: that of the cell from which loads were placed


class Factors:
    """The table `factors`, a row per cell: `columns`, indexed by cell."""

    def __init__(self, rows: pd.DataFrame, cells: pd.Index) -> None:
        self.names: list[str] = list(dict.fromkeys(rows["factor"]))
        columns: dict[str, Any] = {}
        for name in self.names:
            own = rows[rows["factor"] == name].set_index("cell")
            if own["number"].notna().any() and own.loc[own["number"].isna(), "label"].isin([PILOT]).all():
                columns[name] = own["number"].reindex(cells)
            else:
                levels = pd.CategoricalDtype(list(dict.fromkeys(own["label"])), ordered=True)
                columns[name] = own["label"].reindex(cells).astype(levels)
        self.columns = pd.DataFrame(columns, index=cells)
        self.columns.index.name = "cell"

    def resolve(self, name: str) -> str:
        """The full name of a factor."""
        found = [name] if name in self.names else [full for full in self.names if full.rsplit(".", 1)[-1] == name]
        if not found:
            raise one_of("factor", name, self.names)
        if len(found) > 1:
            raise RequestError(f"'{name}' is not one factor but {' and '.join(found)}. Write the whole name.")
        return found[0]

    def is_numeric(self, name: str) -> bool:
        return bool(self.columns[name].dtype.kind == "f")

    def varying(self, cells: pd.Index | None = None) -> list[str]:
        """The factors in which the cells differ, in the order of the campaign."""
        columns = self.columns if cells is None else self.columns.loc[cells]
        return [name for name in self.names if columns[name].nunique(dropna=False) > 1]

    def levels(self, name: str) -> list[Any]:
        """The levels of a factor that cells have, in the order of the campaign."""
        column = self.columns[name]
        return [level for level in dict.fromkeys(column) if not pd.isna(level)]

    def cells(self, levels: dict[str, Any]) -> pd.Index:
        """The cells with these levels: a level, a list of levels, or a slice with both ends in it.

        Keywords cannot have points, so that `load__utilization=0.5` stands for `load.utilization`."""
        chosen = pd.Series(True, index=self.columns.index)
        for word, wanted in levels.items():
            name = self.resolve(word.replace("__", "."))
            chosen &= self._has(name, wanted)
        return self.columns.index[chosen]

    def one_cell(self, levels: dict[str, Any], among: pd.Index | None = None) -> int:
        """The only cell with these levels, among all or some cells."""
        found = self.cells(levels)
        if among is not None:
            found = found[found.isin(among)]
        if found.empty:
            raise RequestError(f"no cell has {_told(levels)}. The file's factors: {', '.join(self.names)}")
        if len(found) > 1:
            given = {self.resolve(word.replace("__", ".")) for word in levels}
            others = [name for name in self.varying(found) if name not in given]
            which = f" with {_told(levels)}" if levels else ""
            raise RequestError(f"{len(found)} cells{which}, not one. They differ in {' and '.join(others)}: give it too")
        return int(found[0])

    def _has(self, name: str, wanted: Any) -> pd.Series:
        column = self.columns[name]
        if isinstance(wanted, slice):
            return self._between(name, wanted)
        wishes = list(wanted) if isinstance(wanted, (list, tuple, set, np.ndarray)) else [wanted]
        chosen = pd.Series(False, index=column.index)
        for wish in wishes:
            same = np.isclose(column, float(wish), rtol=1e-12, atol=0) if self.is_numeric(name) else column == str(wish)
            if not same.any():
                raise one_of("level", str(wish), [str(level) for level in self.levels(name)], f"Levels of {name}")
            chosen |= same
        return chosen

    def _between(self, name: str, ends: slice) -> pd.Series:
        if ends.step is not None:
            raise RequestError(f"a slice of {name} has a step ({ends.step}). Give a list of levels.")
        column = self.columns[name]
        chosen = column.notna()
        for end, keeps in ((ends.start, "__ge__"), (ends.stop, "__le__")):
            if end is not None:
                if not self.is_numeric(name) and end not in self.levels(name):
                    raise one_of("level", str(end), [str(level) for level in self.levels(name)], f"Levels of {name}")
                chosen &= getattr(column, keeps)(end)
        return chosen


def _told(levels: dict[str, Any]) -> str:
    return ", ".join(f"{word}={wanted!r}" for word, wanted in levels.items())
