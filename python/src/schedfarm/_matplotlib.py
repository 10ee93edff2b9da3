"""matplotlib as the commands use it: with its own defaults and what MATPLOTLIBRC or --style name, and nothing of the current folder."""

from __future__ import annotations

import logging
import os

from .errors import RequestError


def import_with_own_defaults() -> None:
    """To be called before anything else imports it. Raises RequestError of a MATPLOTLIBRC that cannot be read."""
    chosen = os.environ.pop("MATPLOTLIBRC", "")
    here = os.open(".", os.O_PATH)
    os.chdir("/")  # it reads ./matplotlibrc, whoever wrote that, as it is imported
    try:
        import matplotlib
    finally:
        os.fchdir(here)
        os.close(here)
        if chosen:
            os.environ["MATPLOTLIBRC"] = chosen
    matplotlib.rcdefaults()
    if not chosen:
        return
    _take(os.path.join(chosen, "matplotlibrc") if os.path.isdir(chosen) else chosen, "MATPLOTLIBRC", "unset it")


def width_of(style: str | None) -> str | None:
    """Of --style: the width that it names; a file's settings are taken, and the width is the usual one."""
    if style is None or style in ("column", "page", "slides"):
        return style
    warned = _Warned()
    logging.getLogger("matplotlib").addHandler(warned)
    try:
        _take(style, "--style", "leave it out")
    finally:
        logging.getLogger("matplotlib").removeHandler(warned)
    return None


class _Warned(logging.Handler):
    """What matplotlib only warns of, a line that is no setting, is a reason to refuse the file."""

    def emit(self, record: logging.LogRecord) -> None:
        raise ValueError(record.getMessage().strip().partition("\n")[0])


def _take(file: str, named: str, way_out: str) -> None:
    import matplotlib
    try:
        if not os.path.isfile(file):
            raise ValueError("there is no such regular file")
        matplotlib.rc_file(file)
    except (OSError, ValueError) as error:
        raise RequestError(f"{named}: {file} cannot be read ({error}). Name a file of matplotlib's settings, or {way_out}") from error
