"""matplotlib as the commands use it: with its own defaults and what MATPLOTLIBRC names, and nothing of the current folder."""

from __future__ import annotations

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
    file = os.path.join(chosen, "matplotlibrc") if os.path.isdir(chosen) else chosen
    try:
        if not os.path.isfile(file):
            raise ValueError("there is no such regular file")
        matplotlib.rc_file(file)
    except (OSError, ValueError) as error:
        raise RequestError(f"MATPLOTLIBRC: {file} cannot be read ({error}). Name a file of matplotlib's settings, or unset it") from error
