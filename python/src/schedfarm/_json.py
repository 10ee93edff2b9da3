"""JSON as every command writes it: indented, numbers with every digit, null for what is no number."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any


def json_text(value: Any) -> str:
    """
    >>> print(json_text({"mean": 0.1, "lower": math.nan}), end="")
    {
     "mean": 0.1,
     "lower": null
    }
    """
    return json.dumps(_plain(value), indent=1, ensure_ascii=False) + "\n"


def rows_of(columns: Mapping[str, Iterable[Any]]) -> list[dict[str, Any]]:
    """A table as one object for every row."""
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(own) for key, own in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(own) for own in value]
    if hasattr(value, "tolist"):  # of numpy
        return _plain(value.tolist())
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return None if isinstance(value, float) and not math.isfinite(value) else value
