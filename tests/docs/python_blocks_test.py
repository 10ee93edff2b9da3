"""The Python of a how-to works as printed: its blocks are executed in order, in one interpreter and in a folder that has first.h5 of
the tutorial's campaign. A block of YAML stands for the line `probes` of that campaign, which is run anew; commands on first.h5 are run.

usage: python_blocks_test.py PROGRAM DOCUMENT     with the package in PYTHONPATH
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import expect, main  # noqa: E402

BLOCK = re.compile(r"^```(python|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"`schedfarm (report first[^`]*)`")


def expect_refused(call, way_out):
    """An error that says how a campaign asks for what the file does not have."""
    try:
        call()
    except LookupError as error:
        expect(way_out in str(error), f"without '{way_out}': {error}")
        return
    expect(False, f"not refused: {way_out}")


def test(program, arguments):
    document = pathlib.Path(arguments[0]).resolve()
    root = document.parents[2]
    tutorial = (root / "docs/tutorial/precision.md").read_text()
    campaign = re.search(r"^```yaml\n(.*?)^```$", tutorial, re.MULTILINE | re.DOTALL).group(1)
    program.write("first.yaml", campaign)
    program.run("run", "first.yaml", "-w", "0")
    for command in COMMAND.findall(document.read_text()):
        program.run(*command.split())
    os.chdir(program.folder)
    names = {}
    blocks = BLOCK.findall(document.read_text())
    for language, block in blocks:
        if language == "yaml":
            first = names["first"]
            expect(first.payload_hash() == first.attributes["payload_hash"], "another payload")
            levels = {"policy": "fcfs", "utilization": 0.5}
            expect_refused(lambda: first.quantile(0.9, "response_time", **levels), "{sketch: true}")
            expect_refused(lambda: first.jobs(0, 0), "job_log: {replications: 1}")
            program.write("first.yaml", re.sub(r"^probes: .*\n", block, campaign, flags=re.MULTILINE))
            program.run("run", "first.yaml", "--fresh", "-w", "0")
        else:
            exec(compile(block, str(document), "exec"), names)  # pylint: disable=exec-used
    expect(len(blocks) >= 8, f"only {len(blocks)} blocks in the document")
    expect(len(names["estimates"]) > 0 and len(names["jobs"]) == 20000, "tables without rows")
    expect(names["rows"]["load.utilization"].tolist() == [0.5, 0.6], f"rows {names['rows']}")
    expect(list(names["differences"].verdict) == ["first smaller"] * 3, f"differences {names['differences']}")
    os.environ["SCHEDFARM_PROGRAM"] = program.path
    expect(names["first"].check() == [], f"complaints: {names['first'].check()}")
    fingerprint = names["first"].replications()["fingerprint"][3]
    expect(fingerprint in names["first"].replay(0, 3), f"the replay has not the fingerprint {fingerprint}")


if __name__ == "__main__":
    sys.exit(main(test))
