"""What a section of a report is. A module of this folder has one for every function that is marked so; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .. import _words as words
from .._terminal import Table
from .view import View

Maker = Callable[[View], list[Table]]


@dataclass(frozen=True)
class Section:
    """`make`: its tables, none where it has nothing to say. `place`: sections are printed in this order. `table`: the table of the file that
    it shows, if it is one alone. `decided`: the one whose numbers it shows, if that is another. What the gate says of these stands below them."""

    place: int
    table: str
    make: Maker
    decided: str = ""

    def __call__(self, view: View) -> list[Table]:
        found = self.make(view)
        for text in words.gate_texts(view.rows(self.decided or self.table), "row") if found else []:
            found[-1].warn(text)
        return found


def section(place: int, table: str = "", decided: str = "") -> Callable[[Maker], Section]:
    return lambda make: Section(place, table, make, decided)
