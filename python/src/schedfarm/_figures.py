"""Figures of a result file by their options: those of `schedfarm plot`, and those that a campaign lists in `report.figures`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from . import plot
from ._many import open_results
from .errors import RequestError, one_of
from .results import Results

Options = argparse.Namespace
Drawer = Callable[[Results, Options, "str | None"], Any]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-k", "--kind")
    for name in ("--x", "--y", "--facet", "--saturation", "--range"):
        parser.add_argument(name)
    parser.add_argument("--top", type=float)
    parser.add_argument("-s", "--select", action="append")
    parser.add_argument("--by", action="append")
    parser.add_argument("-c", "--cell", type=int)
    parser.add_argument("-r", "--replication", type=int)


def is_asked(options: Options) -> bool:
    """Whether some figure is asked for, not the campaign's."""
    return any(getattr(options, name) is not None for name in _names())


def of_report(results: Results) -> list[Options]:
    """The figures that the campaign lists; none where the factors are to suggest one."""
    parser = argparse.ArgumentParser()
    add_options(parser)
    lines = str(results.attributes.get("report_figures", "")).split("\n")
    return [parser.parse_args(line.split("\t")) for line in lines if line]


def words(options: Options) -> str:
    """As the command line has them."""
    given = {name: getattr(options, name) for name in _names() if getattr(options, name) is not None}
    return " ".join(f"--{name} {word}" for name, value in given.items() for word in (value if isinstance(value, list) else [value]))


def draw(results: Results, options: Options, style: str | None = None) -> Any:
    if options.kind and options.kind not in KINDS:
        raise one_of("kind of figure", options.kind, sorted(KINDS), "Kinds")
    chosen = _selected(results, options.select or [])
    is_curve = any(getattr(options, name) for name in ("x", "y", "by", "facet", "saturation", "range", "top"))
    if not (options.kind or is_curve):
        return plot.suggested(chosen, style=style)
    drawn = KINDS[options.kind or "curve"](chosen, options, style)
    if options.top is not None:
        for ax in getattr(drawn, "flat", [drawn]):
            ax.set_ylim(top=options.top)
    return drawn


def _names() -> list[str]:
    parser = argparse.ArgumentParser(add_help=False)
    add_options(parser)
    return list(vars(parser.parse_args([])))


def _selected(results: Results, wishes: list[str]) -> Results:
    """`FACTOR=LEVEL`, several levels of one factor by several options."""
    levels: dict[str, list[str]] = {}
    for wish in wishes:
        name, equals, level = wish.partition("=")
        if not equals:
            raise RequestError(f"--select {wish}: no level. Write --select FACTOR=LEVEL, as policy=fcfs")
        levels.setdefault(name.replace(".", "__"), []).append(level)
    return results.select(**levels) if levels else results


def _curve(kind: Callable[..., Any]) -> Drawer:
    def drawn(results: Results, options: Options, style: str | None) -> Any:
        more: dict[str, Any] = {"metric": options.y or plot.shown_metrics(results)[0], "x": options.x, "by": options.by}
        if options.range and kind is plot.curve:
            more["extremes"] = options.range
        if options.saturation:
            more["saturation"] = open_results(options.saturation)
        return _in_panels(kind, results, options, style, more)

    return drawn


def _in_panels(kind: Callable[..., Any], results: Results, options: Options, style: str | None, more: dict[str, Any]) -> Any:
    if options.facet:
        return plot.facets(results, kind, options.facet, style=style, **more)
    return kind(results, style=style, **more)


def _plain(kind: Callable[..., Any], *names: str) -> Drawer:
    """A figure whose only options are these, and panels."""
    words = {"metric": "y", "x": "x", "by": "by", "cell": "cell", "replication": "replication"}
    others = [name for name in ("x", "y", "by", "cell", "replication", "saturation", "range") if name not in map(words.get, names)]

    def drawn(results: Results, options: Options, style: str | None) -> Any:
        for name in others:
            if getattr(options, name) is not None:
                raise RequestError(f"--kind {options.kind} has no use for --{name}. Leave it out")
        given = {name: getattr(options, words[name]) for name in names}
        if "cell" in given and given["cell"] is None:
            given["cell"] = results.cell()
        return _in_panels(kind, results, options, style, {name: value for name, value in given.items() if value is not None})

    return drawn


def _heatmap(results: Results, options: Options, style: str | None) -> Any:
    more = {"metric": options.y or plot.shown_metrics(results)[0], "x": options.x, "y": options.by[0] if options.by else None}
    return _in_panels(plot.heatmap, results, options, style, more)


def _pareto(results: Results, options: Options, style: str | None) -> Any:
    if not (options.x and options.y):
        raise RequestError("--kind pareto draws two metrics against each other. Name them with --x and --y")
    return _in_panels(plot.pareto, results, options, style, {"x_metric": options.x, "y_metric": options.y, "by": options.by})


KINDS: dict[str, Drawer] = {
    "bars": _plain(plot.bars, "metric", "x", "by"),
    "convergence": _plain(plot.convergence, "cell", "metric"),
    "curve": _curve(plot.curve),
    "ecdf": _plain(plot.ecdf, "metric"),
    "forest": _plain(plot.forest, "metric"),
    "heatmap": _heatmap,
    "logged": _plain(plot.logged),
    "normalised": _curve(plot.normalised_curve),
    "paper": _plain(plot.paper, "metric"),
    "pareto": _pareto,
    "queue": _plain(plot.queue, "replication"),
    "ranks": _plain(plot.ranks),
    "utilization": _plain(plot.utilization, "replication"),
    "welch": _plain(plot.welch, "cell"),
}
