"""`schedfarm check`: a result file held against its schema: attributes, tables, columns, words, row order, the payload's hash, and what
rows say of one another (`structure.py`, `rows.py`, `logs.py`). Every problem is one line that names table, column and row.
"""

from __future__ import annotations

import hashlib
import re

from .._reading import contract, stored
from .._reading.payload import payload_hash
from .._reading.stored import Stored, Table
from .._terminal import counted, terminal_text
from ..errors import FileError
from . import logs, rows
from .structure import of_table


def problems(path: str) -> list[str]:
    """What is wrong with the file; nothing: it agrees with the schema. Raises FileError where it cannot be read."""
    return problems_of(stored.read(path))


def problems_of(file: Stored) -> list[str]:
    version = str(file.attributes["schema_version"])
    if int(version.split(".")[1]) > contract.MINOR:
        return [f"schema version {version} is later than this program's {contract.MAJOR}.{contract.MINOR}: what it adds cannot be checked. "
                "Check the file with the program that wrote it"]
    structure = structural(file)
    found = [*file.remarks, *structure]
    described = contract.schema().tables
    found += [f"{name}: meaning is '{table.meaning}'" for name, table in file.tables.items() if table.meaning != described[name].meaning]
    found += _payload(file)
    if not structure:
        consistency = rows.problems(file.tables)
        found += consistency + logs.problems(file)
    found += _texts(file)
    known = file.tables["defects"]["problem"].tolist() if "defects" in file.tables and not structure else []
    return found + [f"its writer found: {stored.shown(problem)}" for problem in known if stored.shown(problem) not in found]


def structural(file: Stored) -> list[str]:
    """Attributes, tables, columns, types, units, meanings, payload marks, row order and words."""
    schema = contract.schema()
    found = []
    known = {name: value for name, value in file.attributes.items() if value is not None}
    for name, value in sorted(known.items(), key=lambda item: list(schema.attributes).index(item[0]) if item[0] in schema.attributes else 99):
        kind = {str: "text", int: "int64", float: "float64"}[type(value)]
        if name not in schema.attributes:
            found.append(f"attribute '{name}' is not in the schema")
        elif kind != schema.attributes[name].type:
            found.append(f"attribute '{name}' is {kind}, not {schema.attributes[name].type}")
    found += [f"attribute '{own.name}' is missing" for own in schema.attributes.values() if own.given and not own.optional and own.name not in known]
    for name, table in file.tables.items():
        found += of_table(table, schema.tables[name])
    return found + _absent(file)


def _payload(file: Stored) -> list[str]:
    given, computed = file.attributes.get("payload_hash"), payload_hash(file)
    if not isinstance(given, str):
        return ["attribute 'payload_hash' is missing"]
    return [] if given == computed else [f"payload_hash is {given}, but the payload's is {computed}"]


def _texts(file: Stored) -> list[str]:
    """What the texts beside the tables must be, as far as that can be known."""
    texts = {name: value for name, value in file.attributes.items() if isinstance(value, str)}

    def text(name: str) -> str:
        return texts.get(name, "")

    campaign = hashlib.sha256(text("campaign").encode()).hexdigest()
    wanted = {
        "campaign_hash": (text("campaign_hash") == campaign, "the SHA-256 of the campaign's text"),
        "plan_hash": (re.fullmatch("[0-9a-f]{64}", text("plan_hash")), "a SHA-256"),
        "git_dirty": (text("git_dirty") in ("0", "1"), "0 or 1"),
        **{name: (re.fullmatch("[0-9]+", text(name)), "a number") for name in ("seed", "results_version")},
        **{name: (re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text(name), re.ASCII), "a moment in ISO 8601") for name in ("started", "finished")},
    }
    found = [f"attribute '{name}' is not {what}" for name, (holds, what) in wanted.items() if not holds]
    for name in contract.schema().attributes:
        is_of_campaign = name.startswith(("campaign", "report_")) or name in ("effective_configuration", "time_unit")
        if not is_of_campaign and ("\n" in text(name) or terminal_text(text(name)) != text(name)):
            found.append(f"attribute '{name}' is not one line without control characters")
    return found


def sound(path: str) -> Stored:
    """The file, where readers of its tables can rely on them; FileError where they cannot, or it cannot be read."""
    file = stored.read(path)
    version = str(file.attributes["schema_version"])
    if int(version.split(".")[1]) > contract.MINOR:
        found = _missing(file) or rows.unknown_cells(file.tables)
    else:
        tables = [problem for name, table in file.tables.items() for problem in of_table(table, contract.schema().tables[name])]
        found = tables + _absent(file) or (rows.unknown_cells if "defects" in file.tables else rows.problems)(file.tables)
    if found:
        raise FileError(f"{path}: does not agree with schema {version} ({found[0]}; {counted(len(found), 'problem')} in all). `schedfarm check {path}` "
                        "lists them, and `schedfarm rebuild` makes the file anew from its journal")
    return file


def _absent(file: Stored) -> list[str]:
    return [f"table '{name}' is missing" for name, own in contract.schema().tables.items() if not own.optional and name not in file.tables]


def _missing(file: Stored) -> list[str]:
    """Of a file of a later version: what this one's schema has and the file has not."""
    return _absent(file) + [f"{name}: there is no column '{own.name}' of type {own.type}" for name, table in file.tables.items()
                            for own in contract.schema().tables[name].columns
                            if (own.name, own.type) not in [(column.name, column.type) for column in table.described]]
