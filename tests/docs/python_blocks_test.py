"""The Python of a how-to works as printed: its blocks are executed in order, in one interpreter and in a folder that has the
files they name. Where matplotlib is not installed, stand-ins take its calls, and error bars are held against their rules.

usage: python_blocks_test.py PROGRAM DOCUMENT
"""
import os
import pathlib
import re
import sys
import types

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "campaigns" / "cli"))
from program import expect, main  # noqa: E402

CAMPAIGN = """\
campaign_format: 1
name: for the how-to
seed: 3
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 500}
replications: 8
probes: [{response_time: {sketch: true}}]
job_log: {replications: 1}
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}]
  load.utilization: [0.5, 0.7]
"""
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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


def test(program, arguments):
    document = pathlib.Path(arguments[0]).resolve()
    root = document.parents[2]
    program.write("first.yaml", CAMPAIGN)
    program.run("run", "first.yaml", "-w", "0")
    (program.folder / "results").mkdir()
    (program.folder / "results" / "table1.h5").write_bytes((program.folder / "first.h5").read_bytes())
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
    for block in blocks:
        exec(compile(block, str(document), "exec"), names)  # pylint: disable=exec-used
    expect(len(blocks) >= 5, f"only {len(blocks)} blocks in the document")
    expect(not curves or curves == list(names["mean"].columns) == ["fcfs", "fpfs(max_jumps=7)"], f"curves {curves}")
    expect(len(names["estimates"]) > 0 and len(names["jobs"]) == 500, "tables without rows")
    expect(names["results"].payload_hash() == names["results"].attributes["payload_hash"], "another payload")


if __name__ == "__main__":
    sys.exit(main(test))
