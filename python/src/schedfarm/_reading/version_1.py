"""Words of before: schema 1 called the wait `queueing_time`. Its files are read under the names of schema 2 (`Results`, `report`, `check`),
their payload is hashed as it is stored, and whoever asks for a metric by its former name gets it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

# Columns and attributes whose texts name metrics.
NAMING = ("metric", "controls", "expression", "most_demanding", "resolved", "where", "quantity", "value", "report_metrics", "report_figures")
_FORMER = re.compile(r"\bqueueing_time\b")


def current(text: str) -> str:
    """
    >>> current("queueing_time.mean / service_time.mean"), current("my_queueing_time")
    ('wait.mean / service_time.mean', 'my_queueing_time')
    """
    return _FORMER.sub("wait", text)


def meaning(text: str) -> str:
    return text.replace("queueing time", "wait")


def is_of(attributes: dict[str, Any]) -> bool:
    return str(attributes.get("schema_version", "")).startswith("1.")


def attributes(found: dict[str, Any]) -> dict[str, Any]:
    """Those of the root, as schema 2 has them; the version and the hash stay those of the file."""
    return {name: current(value) if name in NAMING and isinstance(value, str) else value for name, value in found.items()}


def records(found: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A table with its columns, and the metrics in them, under their current names."""
    columns = {current(name): _texts(found[name]) if name in NAMING and found.dtype[name].kind == "S" else found[name] for name in found.dtype.names or ()}
    renamed = np.empty(len(found), [(name, values.dtype) for name, values in columns.items()])
    for name, values in columns.items():
        renamed[name] = values
    return renamed


def _texts(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    distinct, places = np.unique(values, return_inverse=True)
    return np.array([current(text.decode("latin-1")).encode("latin-1") for text in distinct.tolist()] or [b""])[places]
