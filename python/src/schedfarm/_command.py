"""The command lines of `schedfarm plot`, `schedfarm report --format html` and the figures of `schedfarm gantt`."""

from __future__ import annotations

import argparse
import os
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import matplotlib

from . import _figures, page, plot
from ._many import open_results
from .errors import SchedfarmError

Options = argparse.Namespace

_UNSEEN = {"Cc", "Cf", "Zl", "Zp"}
_IGNORABLE = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180f", "\u3164", "\uffa0", *map(chr, range(0xFE00, 0xFE10))}


def main(words: list[str]) -> int:
    """Runs a command; problems are one message and exit code 2, or 4 where a file cannot be written."""
    matplotlib.use("Agg")
    options = _parser().parse_args(words)
    try:
        for file in COMMANDS[options.command](options):
            print(terminal_text(f"{'page' if options.command == 'report' else 'figure'} written to {file}"))
        return 0
    except SchedfarmError as error:
        print(terminal_text(f"schedfarm: error: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        if error.filename is None:
            print(terminal_text(f"schedfarm: error: {error}"), file=sys.stderr)
            return 2
        print(terminal_text(f"schedfarm: critical: {error.filename} cannot be written ({error.strerror})"), file=sys.stderr)
        return 4


def terminal_text(text: str) -> str:
    """With `?` in place of what commands a terminal or is not seen, as engine/foundation/utf8.hpp has it.

    >>> terminal_text("fc\\u200bfs \\x1b[31m")
    'fc?fs ?[31m'
    """
    return "".join("?" if character != "\n" and (unicodedata.category(character) in _UNSEEN or character in _IGNORABLE)
                   else character for character in text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="schedfarm")
    commands = parser.add_subparsers(dest="command", required=True)
    figure = commands.add_parser("plot", help="draw a figure")
    figure.add_argument("results")
    _figures.add_options(figure)
    figure.add_argument("--style")
    figure.add_argument("-o", "--output", required=True)
    gantt = commands.add_parser("gantt", help="draw a schedule: a table of jobs from standard input; ranks, or the nodes of a cell, of results")
    gantt.add_argument("source")
    gantt.add_argument("--run", type=int)
    gantt.add_argument("--cell", type=int)
    gantt.add_argument("--replication", type=int, default=0)
    gantt.add_argument("--name")
    gantt.add_argument("--processors", type=int)
    gantt.add_argument("--unit", default="s")
    gantt.add_argument("--from", type=float, dest="begin")
    gantt.add_argument("--to", type=float, dest="end")
    gantt.add_argument("--colour", default="job")
    gantt.add_argument("--clusters", type=lambda text: [int(size) for size in text.split(",")], default=[])
    gantt.add_argument("--trees", action="store_true")
    gantt.add_argument("--style")
    gantt.add_argument("-o", "--output", required=True)
    report = commands.add_parser("report", help="write a page of HTML")
    report.add_argument("results")
    report.add_argument("-o", "--output", required=True)
    return parser


def _plot(options: Options) -> list[str]:
    with open_results(options.results) as results:
        asked = [] if _figures.is_asked(options) else _figures.of_report(results)
        if not asked:
            return [plot.save(_figures.draw(results, options, options.style), options.output)]
        stem, suffix = os.path.splitext(options.output)
        files = []
        for number, wish in enumerate(asked, 1):
            name = options.output if len(asked) == 1 else f"{stem}-{number}-{wish.kind}{suffix}"
            files.append(plot.save(_figures.draw(results, wish, options.style), name))
        return files


def _gantt(options: Options) -> list[str]:
    if options.source != "-":
        with open_results(options.source) as results:
            if options.cell is None:
                drawn: Any = plot.rank_gantt(results, options.run, style=options.style)
            else:
                drawn = plot.nodes(results, options.cell, options.replication, begin=options.begin, end=options.end, style=options.style)
    else:
        drawn = plot.gantt(sys.stdin, colour=options.colour, begin=options.begin, end=options.end, processors=options.processors,
                           time_unit=options.unit, clusters=options.clusters, trees=options.trees, name=options.name, style=options.style)
    return [plot.save(drawn, options.output)]


def _report(options: Options) -> list[str]:
    with open_results(options.results) as results:
        return [page.write(results, options.output)]


COMMANDS: dict[str, Callable[[Options], list[str]]] = {"plot": _plot, "gantt": _gantt, "report": _report}
