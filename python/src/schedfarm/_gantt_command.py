"""`schedfarm gantt`: what its file is, what of it is drawn, and as what."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any

from . import _gantt, _program, _schedules
from ._matplotlib import import_with_own_defaults, width_of
from ._schedules import Schedule
from ._terminal import terminal_text
from .errors import FileError, RequestError

FIGURES = (".pdf", ".svg", ".png", ".pgf")


def chart(options: Any) -> Any:
    """A text, or the Axes of a figure. `options.format`: text, csv or nodes, else by the suffix of the output."""
    suffix = os.path.splitext(options.output)[1]
    form = options.format or ("figure" if suffix in FIGURES else {"": "text", ".txt": "text", ".csv": "csv"}.get(suffix, ""))
    if not form:
        raise RequestError(f"{options.output}: the suffix names no format (they are .txt, .csv, and of figures .pdf, .svg, .png, .pgf). Add --format")
    kind = _kind(options)
    _expect_possible(options, kind, form)
    is_figure = suffix in FIGURES and form in ("figure", "nodes")
    if is_figure:
        import_with_own_defaults()
        options.style = width_of(options.style)
    if kind == "ranks" or form == "nodes":
        return _figure_of_results(options, kind) if is_figure else _text_of_results(options, kind, form)
    schedule = _schedule(options, kind)
    for note in schedule.notes:
        print(terminal_text(f"schedfarm: info: {note}"), file=sys.stderr)
    if form == "csv":
        return schedule.table()
    low, high = float(schedule["submit"].min()), float(schedule["finish"].max())
    begin, end = (low if options.begin is None else options.begin), (high if options.end is None else options.end)
    if (options.begin, options.end) != (None, None) and (begin >= end or end <= low or begin >= high):
        raise RequestError(f"there is nothing from {begin:g} {schedule.unit} to {end:g} {schedule.unit} (the schedule lies from {low:g} {schedule.unit} to "
                           f"{high:g} {schedule.unit}). Choose other --from and --to")
    end = end if end > begin else begin + max(1.0, abs(begin) * 1e-9)
    schedule = schedule.on_machine()
    if form == "text":
        return _gantt.jobs_text(schedule, begin, end)
    from . import plot
    return plot.gantt(schedule, colour=options.colour, begin=begin, end=end, trees=options.trees, style=options.style)


def _kind(options: Any) -> str:
    """What is drawn, `ranks`, `cell`, `table` or `log`: by the first bytes of the file; by its suffix where they say nothing or it cannot be read,
    which its reader will explain."""
    name = options.source
    if options.reading:
        return "log"
    if name == "-":
        return "table"
    suffix = os.path.splitext(name)[1]
    if suffix in (".yaml", ".yml"):
        raise RequestError(f"{name}: this is a campaign (nothing in it has run). Name its result file, such as "
                           f"{os.path.basename(os.path.splitext(name)[0])}.h5")
    begin = b""
    if os.path.exists(name) and not os.path.isdir(name):
        if not os.path.isfile(name):  # its first bytes would be lost
            raise RequestError(f"{name}: what it is cannot be told (it is no regular file). Name a file, or write - for a table of jobs on standard input")
        with contextlib.suppress(OSError), open(name, "rb") as file:
            begin = file.read(4)
    if begin == b"job," or suffix == ".csv" and begin != b"\x89HDF":
        return "table"
    if begin == b"\x89HDF" or suffix in (".h5", ".hdf5"):
        return "ranks" if options.cell is None else "cell"
    return "log"


def _expect_possible(options: Any, kind: str, form: str) -> None:
    name, is_of_results = options.source, kind in ("ranks", "cell")
    if (options.run or options.cell is not None or options.ranks) and not is_of_results:
        raise RequestError(f"{name}: --ranks, --run and --cell are of result files (this one has jobs). Leave them out")
    if options.unit and kind != "table":
        raise RequestError(f"{name}: --unit is of tables of jobs (this file tells the unit of its times). Leave it out")
    if form == "nodes" and kind != "cell":
        raise RequestError(f"{name}: what nodes did is known of logged replications (this names none). Add --cell")
    is_whole = form == "csv" or form == "nodes" and not options.output.endswith(FIGURES)
    if (options.begin, options.end) != (None, None) and (is_whole or kind == "ranks"):
        raise RequestError("--from and --to choose a part of a drawing of jobs (other formats and the ranks are given whole). Leave them out, or draw a text "
                           "or a figure")


def _schedule(options: Any, kind: str) -> Schedule:
    """Called after its file."""
    name = options.source
    if kind == "log":
        schedule = _schedules.of_log(name, options.reading, options.processors)
    elif kind == "cell":
        from ._checks import check, logs
        file = check.sound(name)
        key = (options.cell, options.replication)
        if key in file.logs and (problems := logs.problems(file, key)):
            raise FileError(f"{name}: {problems[0]}. `schedfarm check {name}` says more")
        schedule = _schedules.of_cell(file, *key, options.processors)
    else:
        try:
            stream = sys.stdin.buffer if name == "-" else open(name, "rb")
        except OSError as error:
            raise FileError(f"{name}: the table of jobs cannot be read (there is no such file, or it is closed to you). Check the path.") from error
        with io.TextIOWrapper(stream, "utf-8", "replace", newline="") as lines:
            schedule = _schedules.of_table(lines, name, sum(options.clusters) or options.processors)
        schedule.unit, schedule.clusters = options.unit or "s", tuple(options.clusters)
    file_name = "standard input" if name == "-" else os.path.basename(name)
    schedule.name = f"{file_name}, {schedule.name}" if kind == "cell" else file_name
    return schedule


def _text_of_results(options: Any, kind: str, form: str) -> str:
    from ._checks import check
    if kind == "cell":
        _schedules.expect_log(check.sound(options.source), options.cell, options.replication)
        return _program.node_table(options.source, options.cell, options.replication)
    of_ranks = _gantt.ranks(check.sound(options.source), options.run)
    return _gantt.ranks_csv(of_ranks) if form == "csv" else _gantt.ranks_text(of_ranks)


def _figure_of_results(options: Any, kind: str) -> Any:
    from . import plot
    from ._checks import check
    from ._many import open_results
    with open_results(options.source) as results:
        if kind == "ranks":
            _gantt.ranks(check.sound(options.source), options.run)  # says what there is not
            return plot.rank_gantt(results, options.run, style=options.style)
        return plot.nodes(results, options.cell, options.replication, begin=options.begin, end=options.end, style=options.style)
