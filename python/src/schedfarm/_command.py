"""The command lines of `schedfarm plot`, `schedfarm report --format html` and the figures of `schedfarm gantt`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import matplotlib

from . import page, plot
from ._many import open_results
from .errors import RequestError, SchedfarmError, one_of
from .results import Results

Options = argparse.Namespace


def main(words: list[str]) -> int:
    """Runs a command; problems are one message and exit code 2."""
    matplotlib.use("Agg")
    options = _parser().parse_args(words)
    try:
        if options.command == "plot":
            _plot(options)
        elif options.command == "gantt":
            _gantt(options)
        else:
            with open_results(options.results) as results:
                page.write(results, options.output)
        print(f"{'page' if options.command == 'report' else 'figure'} written to {options.output}")
        return 0
    except SchedfarmError as error:
        print(f"schedfarm: error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if isinstance(error, FileNotFoundError) and error.filename != options.output:
            print(f"schedfarm: error: {error}", file=sys.stderr)
            return 2
        print(f"schedfarm: critical: {options.output} cannot be written ({error.strerror})", file=sys.stderr)
        return 4


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="schedfarm")
    commands = parser.add_subparsers(dest="command", required=True)
    figure = commands.add_parser("plot", help="draw a figure")
    figure.add_argument("results")
    figure.add_argument("-k", "--kind")
    for name in ("--x", "--y", "--facet", "--style", "--saturation"):
        figure.add_argument(name)
    figure.add_argument("-s", "--select", action="append")
    figure.add_argument("--by", action="append")
    figure.add_argument("-c", "--cell", type=int)
    figure.add_argument("-r", "--replication", type=int)
    figure.add_argument("-o", "--output", required=True)
    gantt = commands.add_parser("gantt", help="draw a schedule: a table of jobs from standard input, or the ranks of results")
    gantt.add_argument("source")
    gantt.add_argument("--run", type=int)
    gantt.add_argument("--name")
    gantt.add_argument("--processors", type=int)
    gantt.add_argument("--unit", default="s")
    gantt.add_argument("--from", type=float, dest="begin")
    gantt.add_argument("--to", type=float, dest="end")
    gantt.add_argument("--colour", default="job")
    gantt.add_argument("--trees", action="store_true")
    gantt.add_argument("--style")
    gantt.add_argument("-o", "--output", required=True)
    report = commands.add_parser("report", help="write a page of HTML")
    report.add_argument("results")
    report.add_argument("-o", "--output", required=True)
    return parser


def _plot(options: Options) -> None:
    if options.kind and options.kind not in KINDS:
        raise one_of("kind of figure", options.kind, sorted(KINDS), "Kinds")
    with open_results(options.results) as results:
        chosen = _selected(results, options.select or [])
        drawn = KINDS[options.kind](chosen, options) if options.kind else _unasked(chosen, options)
    plot.save(drawn, options.output)


def _gantt(options: Options) -> None:
    if options.run is not None:
        with open_results(options.source) as results:
            drawn: Any = plot.rank_gantt(results, options.run, style=options.style)
    else:
        drawn = plot.gantt(sys.stdin, colour=options.colour, begin=options.begin, end=options.end, processors=options.processors,
                           time_unit=options.unit, trees=options.trees, name=options.name, style=options.style)
    plot.save(drawn, options.output)


def _selected(results: Results, wishes: list[str]) -> Results:
    """`FACTOR=LEVEL`, several levels of one factor by several options."""
    levels: dict[str, list[str]] = {}
    for wish in wishes:
        name, equals, level = wish.partition("=")
        if not equals:
            raise RequestError(f"--select {wish}: no level. Write --select FACTOR=LEVEL, as policy=fcfs")
        levels.setdefault(name.replace(".", "__"), []).append(level)
    return results.select(**levels) if levels else results


def _unasked(results: Results, options: Options) -> Any:
    asked = any(getattr(options, name) for name in ("x", "y", "by", "facet", "saturation"))
    return _curve(plot.curve)(results, options) if asked else plot.suggested(results, style=options.style)


def _curve(kind: Callable[..., Any]) -> Callable[[Results, Options], Any]:
    def drawn(results: Results, options: Options) -> Any:
        more: dict[str, Any] = {"metric": options.y or plot.shown_metrics(results)[0], "x": options.x, "by": options.by}
        if options.saturation:
            more["saturation"] = open_results(options.saturation)
        return _in_panels(kind, results, options, more)

    return drawn


def _in_panels(kind: Callable[..., Any], results: Results, options: Options, more: dict[str, Any]) -> Any:
    if options.facet:
        return plot.facets(results, kind, options.facet, style=options.style, **more)
    return kind(results, style=options.style, **more)


def _plain(kind: Callable[..., Any], *names: str) -> Callable[[Results, Options], Any]:
    """A figure whose only options are these."""
    words = {"metric": "y", "x": "x", "cell": "cell", "replication": "replication"}

    def drawn(results: Results, options: Options) -> Any:
        given = {name: getattr(options, words[name]) for name in names}
        if "cell" in given and given["cell"] is None:
            given["cell"] = results.cell()
        return _in_panels(kind, results, options, {name: value for name, value in given.items() if value is not None})

    return drawn


def _heatmap(results: Results, options: Options) -> Any:
    more = {"metric": options.y or plot.shown_metrics(results)[0], "x": options.x, "y": options.by[0] if options.by else None}
    return _in_panels(plot.heatmap, results, options, more)


def _pareto(results: Results, options: Options) -> Any:
    if not (options.x and options.y):
        raise RequestError("--kind pareto draws two metrics against each other. Name them with --x and --y")
    return _in_panels(plot.pareto, results, options, {"x_metric": options.x, "y_metric": options.y, "by": options.by})


KINDS: dict[str, Callable[[Results, Options], Any]] = {
    "bars": _plain(plot.class_bars, "metric"),
    "convergence": _plain(plot.convergence, "cell", "metric"),
    "curve": _curve(plot.curve),
    "ecdf": _plain(plot.ecdf, "metric"),
    "forest": _plain(plot.forest, "metric"),
    "heatmap": _heatmap,
    "normalised": _curve(plot.normalised_curve),
    "paper": _plain(plot.paper, "metric"),
    "pareto": _pareto,
    "queue": _plain(plot.queue, "replication"),
    "ranks": _plain(plot.ranks),
    "utilization": _plain(plot.utilization, "replication"),
    "welch": _plain(plot.welch, "cell"),
}
