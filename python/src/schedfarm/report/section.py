"""What a section of a report is. A module of this folder has one for every function that is marked so; nothing else lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .._terminal import Table
from .view import View

Maker = Callable[[View], list[Table]]


@dataclass(frozen=True)
class Section:
    """`make`: its tables, none where it has nothing to say. `place`: sections are printed in this order. `table`: the table of the file that
    it shows, if it is one alone."""

    place: int
    table: str
    make: Maker

    def __call__(self, view: View) -> list[Table]:
        return self.make(view)


def section(place: int, table: str = "") -> Callable[[Maker], Section]:
    return lambda make: Section(place, table, make)
