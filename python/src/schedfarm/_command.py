"""The commands of `schedfarm` that the package answers: the program passes their options on."""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from ._json import json_text
from ._matplotlib import import_with_own_defaults, width_of
from ._terminal import WIDTH, terminal_text
from .errors import RequestError, SchedfarmError

Options = argparse.Namespace
READING = ("columns", "zone", "fields", "cluster", "partitions", "accounts")  # how `gantt` has the program read a log


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RequestError(f"{message}. Try `{self.prog} --help`")


def main(words: list[str]) -> int:
    """Runs a command; problems are one message and exit code 2, or 4 where a file cannot be written."""
    os.environ["MPLBACKEND"] = "Agg"
    add_options, run = COMMANDS[words[0]]
    parser = _Parser(prog=f"schedfarm {words[0]}", formatter_class=functools.partial(argparse.HelpFormatter, width=WIDTH))
    try:
        add_options(parser)
        return run(parser.parse_args(words[1:]))
    except SchedfarmError as error:
        print(terminal_text(f"schedfarm: error: {error}"), file=sys.stderr)
        return 2
    except OSError as error:
        if error.filename is None:
            print(terminal_text(f"schedfarm: error: {error}"), file=sys.stderr)
            return 2
        print(terminal_text(f"schedfarm: critical: {error.filename} cannot be written ({error.strerror})"), file=sys.stderr)
        return 4


def _print(text: str) -> None:
    """To standard output, or raises an OSError that names it."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what is left in buffers at the end
        raise OSError(error.errno, error.strerror, "standard output") from error


def _written(kind: str, files: list[str]) -> int:
    for file in files:
        print(terminal_text(f"{kind} written to {file}"))
    return 0


def _plot_options(parser: argparse.ArgumentParser) -> None:
    import_with_own_defaults()
    from . import _figures
    parser.add_argument("results")
    _figures.add_options(parser)
    parser.add_argument("--style")
    parser.add_argument("--unit", default="")
    parser.add_argument("-o", "--output", required=True)


def _gantt_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source")
    parser.add_argument("--ranks", action="store_true")
    parser.add_argument("--run", type=int)
    parser.add_argument("--cell", type=int)
    parser.add_argument("--replication", type=int, default=0)
    for name in READING:
        parser.add_argument(f"--{name}")
    parser.add_argument("--processors", type=int)
    parser.add_argument("--unit")
    parser.add_argument("--from", type=float, dest="begin")
    parser.add_argument("--to", type=float, dest="end")
    parser.add_argument("--colour", default="job")
    parser.add_argument("--clusters", type=int, action="append", default=[])
    parser.add_argument("--trees", action="store_true")
    parser.add_argument("--style")
    parser.add_argument("--format", default="")
    parser.add_argument("-o", "--output", default="")


def _add_format(parser: argparse.ArgumentParser, default: str = "text") -> None:
    parser.add_argument("--format", default=default)
    parser.add_argument("--json", action="store_const", const="json", dest="format")


def _report_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results")
    _add_format(parser, "")
    parser.add_argument("--table")
    parser.add_argument("--unit", default="")
    parser.add_argument("--sound", action="store_true", help="the program has just read the file")
    parser.add_argument("-o", "--output")


def _plot(options: Options) -> int:
    options.style = width_of(options.style)
    from . import _figures, plot
    from ._many import open_results
    with open_results(options.results) as results:
        results.file.shown_unit = options.unit
        asked = [] if _figures.is_asked(options) else _figures.of_report(results)
        if not asked:
            return _written("figure", [plot.save(_figures.draw(results, options, options.style), options.output)])
        stem, suffix = os.path.splitext(options.output)
        files = []
        for number, wish in enumerate(asked, 1):
            name = options.output if len(asked) == 1 else f"{stem}-{number}-{wish.kind}{suffix}"
            files.append(plot.save(_figures.draw(results, wish, options.style), name))
        return _written("figure", files)


def _gantt(options: Options) -> int:
    from . import _gantt_command, _new_file
    options.reading = [f"--{name}={value}" for name in READING if (value := getattr(options, name)) is not None]
    chart = _gantt_command.chart(options)
    if not isinstance(chart, str):
        from . import plot
        return _written("figure", [plot.save(chart, options.output)])
    if options.output:
        _new_file.write_text(options.output, chart)
    else:
        _print(chart)
    return 0


def _report(options: Options) -> int:
    if options.output:  # a page of HTML
        from . import page
        from ._many import open_results
        with open_results(options.results) as results:
            results.file.shown_unit = options.unit
            results.file.left_out = frozenset({"resolved"})  # a text of half a kilobyte for every cell
            return _written("page", [page.write(results, options.output, import_with_own_defaults)])
    from . import report
    from ._reading.file import ResultFile
    file = ResultFile(options.results, options.sound)
    file.shown_unit = options.unit
    _print(report.one_table(file, options.table, options.format or "csv") if options.table else report.text(file, options.format or "text"))
    return 0


def _check_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results")
    _add_format(parser)


def _check(options: Options) -> int:
    from ._checks import check
    from ._reading import stored
    file = stored.read(options.results)
    problems = check.problems_of(file)
    if options.format == "json":
        about = {name: file.attributes.get(name) for name in ("schema_version", "payload_hash")}
        _print(json_text({"file": options.results, "agrees": not problems, **about, "problems": problems}))
        return 1 if problems else 0
    for problem in problems:
        print(terminal_text(f"schedfarm: error: {options.results}: {problem}").replace("\n", "?"), file=sys.stderr)
    if not problems:
        print(terminal_text(f"{options.results}: agrees with schema {file.attributes['schema_version']}\npayload {file.attributes['payload_hash']}"))
    return 1 if problems else 0


def _certify_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("results", nargs="+")
    _add_format(parser)


def _certify(options: Options) -> int:
    from . import _certificate
    from ._certificate import text as _certificate_text
    from ._reading.file import ResultFile
    texts, right, certificates = [], True, []
    for name in options.results:
        certificate = _certificate.Certificate(ResultFile(name))
        verdicts = certificate.judge()
        certificates.append(_certificate_text.as_json(certificate, verdicts))
        texts.append("" if options.format == "json" else _certificate_text.text(certificate, verdicts, options.format))
        right = right and all(own.is_right for own in verdicts) and any(own.word != _certificate.TOO_FEW for own in verdicts)
    _print(json_text({"is_right": right, "certificates": certificates}) if options.format == "json" else "\n".join(texts))
    return 0 if right else 1


def _diff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--mode", default="bitwise")
    parser.add_argument("--metric", default="")
    _add_format(parser)


def _diff(options: Options) -> int:
    from ._checks import bits
    report = bits.compared(options.first, options.second, options.mode, options.metric)
    _print(json_text(report.as_json()) if options.format == "json" else report.text())
    return 0 if report.is_same else 1


def _whatif_options(parser: argparse.ArgumentParser) -> None:
    import_with_own_defaults()
    from . import whatif
    whatif.add_options(parser)


def _whatif(options: Options) -> int:
    from . import whatif
    return whatif.run(options)


# By name: what declares the options, and what runs the command and returns its exit code. They import what they need: text is printed
# without pandas and matplotlib.


def _planning(_: Options) -> int:
    """Not for people: the program asks, before a campaign runs."""
    from ._planning import answer
    _print(answer(sys.stdin.read()))
    return 0


COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], Callable[[Options], int]]] = {
    "plot": (_plot_options, _plot),
    "gantt": (_gantt_options, _gantt),
    "report": (_report_options, _report),
    "check": (_check_options, _check),
    "diff": (_diff_options, _diff),
    "certify": (_certify_options, _certify),
    "whatif": (_whatif_options, _whatif),
    "planning": (lambda _: None, _planning),
}
