"""The Python of a how-to works as printed: its blocks are executed in order, in one interpreter and in a folder that has the
files they name: first.h5 of the tutorial's campaign, table1.h5 of a short Table 1. A block of YAML stands for the line `probes`
of the tutorial's campaign, which is run anew; commands on first.h5 are run. Where matplotlib is not installed, stand-ins take its calls, and error bars are held against their rules.

usage: python_blocks_test.py PROGRAM DOCUMENT
"""
import os
import pathlib
import re
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "campaigns" / "cli"))
from program import expect, main  # noqa: E402

TABLE1 = """\
campaign_format: 1
include: [{root}/campaigns/coallocation/table1.yaml]
horizon: {{fills: 100, jobs: 300}}
replications: 4
"""
BLOCK = re.compile(r"^```(python|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"`schedfarm (report first[^`]*)`")


def stand_in(curves):
    """A module `matplotlib` that draws nothing."""
    def errorbar(x, y, sides, label, **_options):
        expect(all(len(column) == len(x) for column in (y, *sides)), f"{label}: columns of several lengths")
        expect(all((side > 0).all() for side in sides), f"{label}: the mean is not inside of its interval")
        curves.append(label)

    pyplot = types.ModuleType("matplotlib.pyplot")
    pyplot.errorbar = errorbar
    for name in ("xlabel", "ylabel", "legend", "savefig"):
        setattr(pyplot, name, lambda *_arguments: None)
    package = types.ModuleType("matplotlib")
    package.use = lambda _backend: None
    package.pyplot = pyplot
    return {"matplotlib": package, "matplotlib.pyplot": pyplot}


def expect_refused(call, way_out):
    """A KeyError that says how a campaign asks for what the file does not have."""
    try:
        call()
    except KeyError as error:
        expect(way_out in str(error), f"without '{way_out}': {error}")
        return
    expect(False, f"not refused: {way_out}")


def test(program, arguments):
    document = pathlib.Path(arguments[0]).resolve()
    root = document.parents[2]
    tutorial = (root / "docs/tutorial/first-campaign.md").read_text()
    campaign = re.search(r"^```yaml\n(.*?)^```$", tutorial, re.MULTILINE | re.DOTALL).group(1)
    program.write("first.yaml", campaign)
    program.run("run", "first.yaml", "-w", "0")
    (program.folder / "results").mkdir()
    program.write("table1.yaml", TABLE1.format(root=root))
    program.run("run", "table1.yaml", "-w", "0", "-o", "results/table1.h5")
    for command in COMMAND.findall(document.read_text()):
        program.run(*command.split())
    (program.folder / "results_schema").symlink_to(root / "results_schema")
    curves = []
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print("matplotlib is not installed: its calls are taken by stand-ins")
        sys.modules.update(stand_in(curves))
    os.chdir(program.folder)
    names = {}
    blocks = BLOCK.findall(document.read_text())
    for language, block in blocks:
        if language == "yaml":
            expect_refused(lambda: names["first"].pooled_quantile(0, "response_time", 0.9), "{sketch: true}")
            expect_refused(lambda: names["first"].job_log(0, 0), "job_log: {replications: 1}")
            program.write("first.yaml", re.sub(r"^probes: .*\n", block, campaign, flags=re.MULTILINE))
            program.run("run", "first.yaml", "--fresh", "-w", "0")
        else:
            exec(compile(block, str(document), "exec"), names)  # pylint: disable=exec-used
    expect(len(blocks) >= 6, f"only {len(blocks)} blocks in the document")
    expect(not curves or curves == list(names["mean"].columns) == ["fcfs", "fpfs(max_jumps=7)"], f"curves {curves}")
    expect(len(names["estimates"]) > 0 and len(names["jobs"]) == 20000, "tables without rows")
    expect(len(names["rows"]) == 6, f"{len(names['rows'])} rows of six cells")
    expect(list(names["differences"].verdict) == ["first smaller"] * 3, f"differences {names['differences']}")
    expect(names["results"].payload_hash() == names["results"].attributes["payload_hash"], "another payload")


if __name__ == "__main__":
    sys.exit(main(test))
