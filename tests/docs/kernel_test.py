"""The Python of the README runs in the kernel of a notebook: warnings stay whole, and all else that is said on the way is one line.

usage: kernel_test.py README     with the package in PYTHONPATH and the program in SCHEDFARM_PROGRAM
"""
import os
import pathlib
import re
import sys
import tempfile

try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError as error:
    print(f"skipped: {error}. Install python3-nbclient and python3-ipykernel")
    sys.exit(77)


def shown(text):
    """The lines that a reader sees: \\r begins the line anew."""
    return [line.rsplit("\r", 1)[-1].rstrip() for line in text.split("\n")]


def main():
    code = re.search(r"```python\n(import schedfarm as sf\n.*?)```", pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"), re.DOTALL)[1]
    cells = [nbformat.v4.new_code_cell(text) for text in (*code.strip().split("\n\n"), "jobs.to_pandas().shape, len(jobs)")]
    notebook = nbformat.v4.new_notebook(cells=cells)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        nbclient.NotebookClient(notebook, timeout=250, kernel_name="python3").execute()
        assert {"campaign.yaml", "campaign.h5", "mine.policy.py"} <= set(os.listdir("."))
    printed = {name: "".join(output.text for output in cells[2].outputs if output.output_type == "stream" and output.name == name)
               for name in ("stdout", "stderr")}
    assert re.match(r"(Whether the|The) mean wait .*mine.* easy", printed["stdout"]) and "95 %" in printed["stdout"], printed
    lines = [line for line in shown(printed["stderr"]) if line and "frozen modules" not in line and "make the debugger" not in line
             and "Debugging will proceed" not in line and "to python to disable" not in line]
    warnings = [line for line in lines if line.startswith("schedfarm: warning: ")]
    assert warnings and all(line.endswith(".") or len(line) > 100 for line in warnings), lines
    assert len(lines) - len(warnings) <= 1 and len(printed["stderr"].split("starts code")) == 2, lines
    table = cells[3].outputs[0].data["text/plain"]
    assert re.fullmatch(r"\(\((\d+), 6\), \1\)", table), table
    print("ok: the README's lines run in a notebook")


main()
