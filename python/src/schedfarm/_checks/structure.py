"""What of a table is not as its schema has it: columns, types, units, meanings, payload marks, words, row order."""

from __future__ import annotations

import numpy as np

from .._reading import contract
from .._reading.stored import Table


def of_table(table: Table, schema: contract.Table) -> list[str]:
    """What of a table's structure is not that of its schema."""
    found = []
    for i, own in enumerate(schema.columns):
        if i < len(table.described):
            found += _of_column(table, table.described[i], own)
        else:
            found.append(f"{table.name}: column '{own.name}' is missing")
    for column in table.described[len(schema.columns):]:
        name = f"{table.name}.{column.name}"
        if not schema.observed:
            found.append(f"{name}: the column is not in the schema")
            continue
        if column.type != "float64" or not column.hashed:
            found.append(f"{name}: an observation must be float64 and in the payload")
        if not (column.name and column.unit and column.meaning):
            found.append(f"{name}: an observation needs name, unit and meaning")
    return found or _of_order(table, schema)


def _of_column(table: Table, column: contract.Column, own: contract.Column) -> list[str]:
    where = f"{table.name}.{own.name}"
    if column.name != own.name:
        return [f"{where}: column '{column.name}' is not '{own.name}'"]
    found = [f"{where}: {what} '{is_}' is not '{wanted}'" for what, is_, wanted in
             (("type", column.type, own.type), ("unit", column.unit, own.unit), ("meaning", column.meaning, own.meaning)) if is_ != wanted]
    if column.hashed != own.hashed:
        found.append(f"{where}: payload mark is not '{'yes' if own.hashed else 'no'}'")
    if own.words and not found:
        wrong = np.flatnonzero(~np.isin(table[own.name], [word.encode() for word in own.words]))
        found += [f"{where} row {row}: '{table.shown(own.name, row)}' is none of its words" for row in wrong[:1]]
    return found


def _of_order(table: Table, schema: contract.Table) -> list[str]:
    """The first two rows that are in the wrong order, or of one key."""
    if not schema.key or len(table) < 2:
        return []
    rises, is_equal = np.zeros(len(table) - 1, bool), np.ones(len(table) - 1, bool)
    for column in schema.key:
        values = table[column]
        rises |= is_equal & (values[:-1] < values[1:])
        is_equal &= values[:-1] == values[1:]
    wrong = np.flatnonzero(~rises & ~is_equal | (is_equal if schema.once else False))
    return [f"{table.name}: rows {row} and {row + 1} are {'of the same key' if is_equal[row] else 'in the wrong order'}" for row in wrong[:1]]
