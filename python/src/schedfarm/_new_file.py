"""Files that are whole or absent."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator


@contextlib.contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[str]:
    """Where to write a file that then takes the place of `path`, with what is written beside it; of an error nothing stays but what was
    there. A link in its place is followed. OSErrors name `path`."""
    place = os.path.realpath(path)
    folder, name = os.path.split(place)
    try:
        with tempfile.TemporaryDirectory(prefix=f".{name}.", dir=folder) as beside:
            yield os.path.join(beside, name)
            for written in os.listdir(beside):
                os.replace(os.path.join(beside, written), os.path.join(folder, written))
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error
