"""Every campaign of every how-to shows what its text asks: no printed metric is the same at every level of the factor that it compares,
or, where it compares nothing, of a factor. Blocks that are no campaign by themselves change the one before them. Replications are
few here. A log that is not found makes its campaigns wait for a machine that has it.

usage: campaigns_test.py PROGRAM FOLDER
"""
import collections
import csv
import io
import os
import pathlib
import re
import shutil
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "app" / "cli"))
from program import expect, main  # noqa: E402

BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LOG = re.compile(r"\bfile: (\S+\.swf(?:\.gz)?)")


def changed(campaign, block):
    """In the place of a key stands that of the block; factors of the system take the place of `system`."""
    more = yaml.safe_load(block)
    kept = dict(campaign)
    if "factors" in more:
        kept.pop("comparison", None)
        if any(name.startswith("system.") for name in more["factors"]):
            kept.pop("system", None)
        if "seed" in more["factors"]:
            kept.pop("seed", None)
            more["factors"]["seed"] = {"count": 4}
    return kept | more


def campaigns_of(page, first):
    campaign = first
    for block in BLOCK.findall(page.read_text()):
        campaign = changed(campaign if not block.startswith("campaign_format") else {}, block)
        yield campaign


def has_log(text):
    folder = pathlib.Path(os.environ.get("SCHEDFARM_TRACES", "/nowhere"))
    return all((folder / name).exists() for name in LOG.findall(text))


def factors_of(campaign):
    compared = campaign.get("comparison", {}).get("factor")
    return [compared] if compared else list(campaign["factors"])


def constant_columns(rows, factor, factors):
    """Metrics with a value at two levels of the factor or more, and never two values where all other factors are the same."""
    values = collections.defaultdict(lambda: collections.defaultdict(set))
    levels = collections.defaultdict(set)
    for row in rows:
        if row["measured"]:
            others = tuple(row[name] for name in factors if name != factor)
            values[row["column"]][others].add(row["measured"])
            levels[row["column"]].add(row[factor])
    return [column for column, groups in values.items()
            if len(levels[column]) > 1 and all(len(measured) == 1 for measured in groups.values())]


def test(program, arguments):
    pages = sorted(pathlib.Path(arguments[0]).glob("how-to/*.md"))
    tutorial = yaml.safe_load(BLOCK.search(pathlib.Path(arguments[0], "tutorial/precision.md").read_text()).group(1))
    shown, waiting = 0, 0
    for page in pages:
        for campaign in campaigns_of(page, tutorial):
            if campaign.get("replications", 0) > 4:
                campaign = campaign | {"replications": 4}
            text = yaml.safe_dump(campaign, sort_keys=False, width=1000)
            if not has_log(text):
                waiting += 1
                continue
            where = f"{page.name}: {campaign['name']}"
            program.write("shown.yaml", text)
            for dump in (*page.parent.glob("*.sacct"), *page.parent.glob("*.conf")):
                shutil.copy(dump, program.folder)
            program.run("run", "shown.yaml", "--workers", "0", "--fresh")
            rows = list(csv.DictReader(io.StringIO(program.run("report", "shown.h5", "--format", "csv").stdout)))
            expect(rows, f"{where} prints nothing")
            for factor in factors_of(campaign):
                constant = constant_columns(rows, factor, list(campaign["factors"]))
                expect(not constant, f"{where}: {constant} are the same at every level of {factor}")
            shown += 1
    expect(shown >= 9, f"only {shown} campaigns in {len(pages)} pages")
    print(f"{shown} campaigns show something" + (f", {waiting} wait for logs" if waiting else ""))


if __name__ == "__main__":
    sys.exit(main(test))
