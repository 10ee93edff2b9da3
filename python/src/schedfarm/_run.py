"""Campaigns run from Python."""

from __future__ import annotations

import os
import pathlib

from . import _program
from ._many import open_results
from .errors import RequestError
from .results import Results

# The program's exit codes with which results are there: all done; finished, but short of a target or with failures.
_FINISHED = (0, 1)


def run(campaign: str | os.PathLike[str], *options: str) -> Results:
    """Runs a campaign file and opens its results, which lie beside it with the suffix `.h5`.

    `options` are those of `schedfarm run`, such as `"--fresh"`. Raises RequestError with what the program says where it
    refuses the campaign or does not end. Needs the program.

    >>> schedfarm.run("first.yaml", "--fresh").payload_hash() == first.payload_hash()
    True
    """
    output = os.fspath(pathlib.Path(campaign).with_suffix(".h5"))
    done = _program.run("run", os.fspath(campaign), "--output", output, *options)
    if done.returncode not in _FINISHED:
        raise RequestError(done.stderr.strip() or f"schedfarm run ended with exit code {done.returncode}")
    return open_results(output)
