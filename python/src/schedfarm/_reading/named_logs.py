"""The logs that the workload of a cell names, as the table `cells` has them: the file, and the SHA-256 of what was in it, which a campaign
is held to from its beginning on."""

from __future__ import annotations

import re
from typing import NamedTuple

_SCALAR = r'(?:"(?:[^"\\]|\\.)*"?|[^",}][^,}]*|)'
_LOG = re.compile(rf"(\{{trace: \{{file: )({_SCALAR})(?:, sha256: ({_SCALAR}))?")


class NamedLog(NamedTuple):
    file: str
    sha256: str  # of its uncompressed text


class LogPair(NamedTuple):
    """A log of cells that two result files have both; a hash is empty where the file does not tell it."""

    file: str
    first: str
    second: str

    def differs(self) -> bool:
        return bool(self.first and self.second and self.first != self.second)


def without_checksums(workload: str) -> tuple[str, list[NamedLog]]:
    """The text of the workload, whatever its logs contained, and those of its logs whose hash it tells.

    >>> without_checksums('{trace: {file: a.swf, sha256: 0f1e, jobs: 5}}')
    ('{trace: {file: a.swf, jobs: 5}}', [NamedLog(file='a.swf', sha256='0f1e')])
    """
    logs = [NamedLog(_unquoted(found[2]), _unquoted(found[3])) for found in _LOG.finditer(workload) if found[3] is not None]
    return _LOG.sub(lambda found: found[1] + found[2], workload), logs


def pairs_of(workloads: list[tuple[str, str]]) -> dict[LogPair, int]:
    """How many cells read each log, of pairs of workloads whose texts without checksums are equal."""
    found: dict[LogPair, int] = {}
    for first, second in workloads:
        of_first, of_second = ({log.file: log.sha256 for log in without_checksums(text)[1]} for text in (first, second))
        for file in dict.fromkeys([*of_first, *of_second]):
            pair = LogPair(file, of_first.get(file, ""), of_second.get(file, ""))
            found[pair] = found.get(pair, 0) + 1
    return found


def _unquoted(scalar: str) -> str:
    return scalar[1:-1] if len(scalar) >= 2 and scalar.startswith('"') else scalar
