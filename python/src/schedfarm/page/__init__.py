"""A page of HTML about a result file: one file that asks nobody for anything. With scripts off it lacks only rows and
lines of more than a thousand cells, which it has as a file to take."""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
from collections.abc import Callable

import jinja2

from .._new_file import write_file
from ..results import Results
from ._sections import Numbers, Section, sections

_HERE = pathlib.Path(__file__).parent


def html(results: Results, prepare: Callable[[], None] = lambda: None) -> str:
    """The page. Names of the campaign are text in it, never markup. `prepare`: called before matplotlib is imported, if it is."""
    title = str(results.attributes.get("report_title") or results.name)
    name = "" if title == results.name else results.name
    return _html(title, " ".join(filter(None, (results.view.defects, name))), list(sections(results, Numbers(prepare))))


def _html(title: str, subtitle: str, of: list[Section]) -> str:
    environment = jinja2.Environment(autoescape=True, loader=jinja2.FileSystemLoader(_HERE), undefined=jinja2.StrictUndefined,
                                     trim_blocks=False, keep_trailing_newline=True)
    has_columns = any(table.data for section in of for table in section.tables) or any(figure.data for section in of for figure in section.figures)
    script = "".join((_HERE / name).read_text(encoding="utf-8") for name in [*["columns.js"] * has_columns, "page.js"])
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return environment.get_template("page.html").render(title=title, subtitle=subtitle, sections=of, script=script, script_hash=f"sha256-{digest}",
                                                        css=(_HERE / "page.css").read_text(encoding="utf-8"))


def write(results: Results, path: str | os.PathLike[str], prepare: Callable[[], None] = lambda: None) -> str:
    """Writes the page, whole or not at all; returns the path."""
    write_file(path, html(results, prepare).encode())
    return os.fspath(path)


def write_sections(path: str, title: str, subtitle: str, of: list[Section]) -> str:
    """Likewise of sections that somebody else makes."""
    write_file(path, _html(title, subtitle, of).encode())
    return path


__all__ = ["html", "write", "write_sections"]
