"""Texts for a terminal: how wide they are, how they are broken into lines, and a table of text cells on lines of 80 characters.

A table that is too wide gets its headings in several lines, then the columns that wrap in several lines, then its columns in blocks, each
with the label columns repeated. Where that is not enough, all texts wrap, and words that are too long are broken.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
import re
import unicodedata
from collections.abc import Iterable, Sequence

WIDTH = 80
VERBATIM = "    "  # what a note begins with that is never broken into lines, such as a command
_GAP = 2
_NO_BREAK = "\u00a0"
_WIDEST_WORD_KEPT = 24
_READABLE = 40
_UNSEEN = {"Cc", "Cf", "Zl", "Zp"}
_IGNORABLE = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180f", "\u3164", "\uffa0", *map(chr, range(0xFE00, 0xFE10))}


@dataclasses.dataclass
class Column:
    """`wraps`: a text that is too long is broken into lines; `told_once`: where all cells are equal and the table is too wide, a line
    below says so instead."""

    heading: str
    right: bool = False
    wraps: bool = False
    told_once: bool = False


@dataclasses.dataclass
class Table:
    """Cells are texts. `notes`: paragraphs below it, of which some are `warnings`; `labels`: so many columns are repeated where it is
    shown in blocks; 0: it is only divided where no column wraps."""

    title: str
    columns: list[Column]
    rows: list[list[str]] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    warnings: list[str] = dataclasses.field(default_factory=list)
    labels: int = 0
    source: str = ""
    label: str = ""  # LaTeX's; empty: the title's
    rows_are_warnings: bool = False

    def warn(self, text: str) -> None:
        if text:
            self.notes.append(text)
            self.warnings.append(text)

    def drop_empty_columns(self) -> None:
        """Columns in which nothing stands say nothing."""
        for column in reversed(range(len(self.columns))):
            if not any(row[column] for row in self.rows):
                self.drop_column(column)

    def drop_column(self, column: int) -> None:
        self.__dict__.update(vars(self.without(column)))

    def blank_repeated_labels(self, labels: int) -> None:
        """Rows repeat the label of a factor only where it changes, as printed tables do."""
        for above, row in reversed(list(zip(self.rows, self.rows[1:]))):
            for column in range(labels):
                if row[column] != above[column]:
                    break
                row[column] = ""

    def without(self, column: int) -> Table:
        return dataclasses.replace(self, columns=self.columns[:column] + self.columns[column + 1:], labels=self.labels - (column < self.labels),
                                   rows=[row[:column] + row[column + 1:] for row in self.rows])


@dataclasses.dataclass
class Block:
    """Columns that stand side by side, by number, and how wide each is; then every row as lines with a text per column."""

    columns: list[int]
    widths: list[int]
    headings: list[list[str]] = dataclasses.field(default_factory=list)
    rows: Iterable[list[list[str]]] = ()  # made as they are taken

    def width(self) -> int:
        return sum(self.widths) + _GAP * max(len(self.widths) - 1, 0)


def table(title: str, headings: Sequence[str], labels: int = 0) -> Table:
    """Without rows. Headings begin as they are aligned: `<cell` is left, `>n` right, `~text` left and broken into lines."""
    return Table(title, [Column(heading[1:], heading[0] == ">", heading[0] == "~") for heading in headings], labels=labels)


def terminal_text(text: str) -> str:
    """With `?` in place of what commands a terminal or is not seen, as engine/foundation/utf8.hpp has it.

    >>> terminal_text("fc\\u200bfs \\x1b[31m")
    'fc?fs ?[31m'
    """
    if text.isprintable() and _IGNORABLE.isdisjoint(text):
        return text
    return "".join("?" if character != "\n" and (unicodedata.category(character) in _UNSEEN or character in _IGNORABLE)
                   else character for character in text)


def counted(number: int, thing: str) -> str:
    """`1 row`, `1024 rows`."""
    return f"{number} {thing}{'s' * (number != 1)}"


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """The text in lines, broken at spaces; a longer word has a line of its own. At least one line."""
    if len(text) <= width:
        return [text.replace(_NO_BREAK, " ")]
    lines = [""]
    for word in text.removesuffix(" ").split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line.replace(_NO_BREAK, " ") for line in lines]


def unbroken(text: str) -> str:
    """Numbers stay on the line of their units and signs.

    >>> wrapped(unbroken("of >= 1 h, 7 %"), 8)
    ['of', '>= 1 h,', '7 %']
    """
    return re.sub(r"(?<=\d) (?=(s|min|h|d|%)(\W|$))|(?<=[<>=]) (?=\d)", _NO_BREAK, text) if " " in text else text


def filled(text: str, width: int = WIDTH) -> str:
    """In lines that end."""
    return "".join(f"{line}\n" for line in wrapped(text, width))


def clipped(text: str, width: int) -> str:
    """Cut to the width, with `…` at its end where something was cut."""
    return text if len(text) <= width else text[:width - 1] + "…"


def cleaned(given: Table) -> Table:
    """Names in result files and campaigns may hold anything; a table must not command a terminal."""
    return dataclasses.replace(
        given, title=terminal_text(given.title), source=terminal_text(given.source), notes=[terminal_text(note) for note in given.notes],
        columns=[dataclasses.replace(column, heading=terminal_text(column.heading)) for column in given.columns],
        rows=[[terminal_text(cell) for cell in row] for row in given.rows])


def table_text(given: Table, width: int = WIDTH) -> str:
    """
    >>> print(table_text(dataclasses.replace(table("Jobs", ["<policy", ">n"]), rows=[["fcfs", "12"], ["easy", "7"]])), end="")
    Jobs
    <BLANKLINE>
    policy   n
    ----------
    fcfs    12
    easy     7
    """
    own = cleaned(given)
    blocks, notes = in_blocks(own, width)
    text = filled(own.title, width) + (filled(own.source, width) if own.source else "")
    for block in blocks:
        line = (" " * _GAP).join(f"{{:{'>' if own.columns[i].right else '<'}{width}}}" for i, width in zip(block.columns, block.widths)).format
        lines = [line(*cells).rstrip(" ") for cells in block.headings] + ["-" * block.width()]
        text += "".join(f"{each}\n" for each in itertools.chain(["", *lines], (line(*cells).rstrip(" ") for row in block.rows for cells in row)))
    return text + ("\n" if notes else "") + "".join(f"{note}\n" if note.startswith(VERBATIM) else filled(note, width) for note in notes)


def in_blocks(given: Table, width: int = WIDTH) -> tuple[list[Block], list[str]]:
    """The table in blocks of this width, and its notes."""
    if _whole(given, True).width() > width:  # else nothing is broken
        given = dataclasses.replace(given, rows=[[unbroken(cell) for cell in row] for row in given.rows])
    own = _told_once(given, width)
    places = [next(i for i, column in enumerate(given.columns) if column is kept) for kept in own.columns]
    own = _fitting(own, width)
    blocks = _blocks(own, width) if own.columns else []
    for block in blocks:
        block.headings = _lines(own, block, [column.heading for column in own.columns], is_heading=True)
        block.rows = map(functools.partial(_lines, own, Block(block.columns, block.widths), is_heading=False), own.rows)
        block.columns = [places[i] for i in block.columns]
    return blocks, own.notes


def _fitting(own: Table, width: int) -> Table:
    """Its texts wrap where no division makes it narrow enough."""
    if not own.columns or _width(own, width) <= width:
        return own
    wrapping = dataclasses.replace(own, columns=[dataclasses.replace(column, wraps=column.wraps or not column.right) for column in own.columns])
    return min(own, wrapping, key=lambda one: _width(one, width))


def _width(own: Table, width: int) -> int:
    return max(block.width() for block in _blocks(own, width))


def _lines(own: Table, block: Block, cells: Sequence[str], is_heading: bool) -> list[list[str]]:
    """A row of cells, each in as many lines as it needs: headings end at the bottom."""
    parts = [wrapped(cells[i], width) if is_heading else wrapped(_broken(cells[i], width), width) if own.columns[i].wraps
             else [cells[i].replace(_NO_BREAK, " ")]
             for i, width in zip(block.columns, block.widths)]
    height = max(map(len, parts))
    if height == 1:
        return [[text for text, in parts]]
    return [list(line) for line in zip(*([""] * (height - len(part)) + part if is_heading else part + [""] * (height - len(part)) for part in parts))]


def _broken(text: str, width: int) -> str:
    """Words that are longer in pieces."""
    return " ".join(piece for word in text.split(" ") for piece in [word[at:at + width] for at in range(0, len(word), width)] or [""])


def _longest_word(text: str) -> int:
    return max(map(len, wrapped(text, 1)))


def _whole(own: Table, in_one_line: bool) -> Block:
    widths = [max(len(column.heading) if in_one_line else _longest_word(column.heading), max(map(len, map(operator.itemgetter(i), own.rows)), default=0))
              for i, column in enumerate(own.columns)]
    return Block(list(range(len(widths))), widths)


def _blocks(own: Table, width: int) -> list[Block]:
    block = _whole(own, True)
    if block.width() > width:
        block = _whole(own, False)
    if block.width() <= width:
        return [block]
    narrow = _narrowed(own, block, width)
    if narrow.width() <= width:
        return [narrow]
    # Beside names that fill the line no column fits: blocks would only repeat them.
    can_divide = own.labels > 0 or not any(column.wraps for column in own.columns)
    if can_divide and Block([], narrow.widths[:own.labels]).width() < width:
        return _divided(own, narrow, width)
    # Texts beside such names need not be as narrow as words.
    return [Block(block.columns, [max(least, min(wide, _READABLE)) for least, wide in zip(narrow.widths, block.widths)])]


def _narrowed(own: Table, block: Block, width: int) -> Block:
    """Columns that may wrap become narrower, the widest first, until the block fits or their words, if not too long, would break."""
    widths, room = list(block.widths), [0] * len(block.widths)
    for i, column in enumerate(own.columns):
        if column.wraps:
            least = max([_longest_word(column.heading), *(min(_longest_word(row[i]), _WIDEST_WORD_KEPT) for row in own.rows)])
            room[i] = widths[i] - min(widths[i], least)
    while Block([], widths).width() > width and any(room):
        widest = max((i for i in range(len(room)) if room[i] > 0), key=lambda i: (widths[i], -i))
        widths[widest] -= 1
        room[widest] -= 1
    return Block(block.columns, widths)


def _divided(own: Table, wide: Block, width: int) -> list[Block]:
    """Label columns first in every block, then as many others as fit, one at least."""
    def labels() -> Block:
        return Block(wide.columns[:own.labels], wide.widths[:own.labels])

    blocks = [labels()]
    for i in wide.columns[own.labels:]:
        if len(blocks[-1].columns) > own.labels and blocks[-1].width() + _GAP + wide.widths[i] > width:
            blocks.append(labels())
        blocks[-1].columns.append(i)
        blocks[-1].widths.append(wide.widths[i])
    return blocks


def _told_once(own: Table, width: int) -> Table:
    """While the table does not fit side by side: columns that may be told once become notes, the last first."""
    for i in reversed(range(len(own.columns))):
        blocks = _blocks(own, width)
        if len(blocks) == 1 and blocks[0].width() <= width:
            break
        column = own.columns[i]
        if column.told_once and own.rows and all(row[i] == own.rows[0][i] for row in own.rows):
            own = dataclasses.replace(own.without(i), notes=[f"{column.heading} in every row: {own.rows[0][i]}.", *own.notes])
    return own
