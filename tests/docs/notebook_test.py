"""The notebooks run as printed: their cells of code are executed in order, in one interpreter and in a folder of their own. They are
kept without results, and each draws figures.

usage: notebook_test.py PROGRAM NOTEBOOK     with the package in PYTHONPATH
"""
import ast
import json
import os
import pathlib
import shutil
import sys

import matplotlib

matplotlib.use("Agg")

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import expect, main  # noqa: E402

try:
    import nbformat
except ImportError:
    nbformat = None


def execute(code, name, names):
    """A cell, as a notebook executes it: of a last expression the text is made."""
    tree = ast.parse(code, name)
    shown = ast.Expression(tree.body.pop().value) if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)  # pylint: disable=exec-used
    if shown is not None:
        expect(repr(eval(compile(shown, name, "eval"), names)), name)  # pylint: disable=eval-used


def test(program, arguments):
    notebook = json.loads(pathlib.Path(arguments[0]).read_text(encoding="utf-8"))
    if nbformat is not None:
        nbformat.validate(notebook)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    expect(all(not cell["outputs"] and cell["execution_count"] is None for cell in cells), "it is kept with results")
    for log in pathlib.Path(arguments[0]).parent.glob("*.swf.gz"):
        shutil.copy(log, program.folder)
    os.chdir(program.folder)
    os.environ["SCHEDFARM_PROGRAM"] = program.path
    names = {}
    for number, cell in enumerate(cells):
        execute("".join(cell["source"]), f"{arguments[0]}, cell {number}", names)
    expect(len(cells) >= 4 and "ax" in names, "it draws no figure")


if __name__ == "__main__":
    sys.exit(main(test))
