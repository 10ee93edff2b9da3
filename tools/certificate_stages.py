#!/usr/bin/env python3
"""Runs a campaign of the coverage certificate in two stages: a quarter of its seeds, and all of them where a row needs more.

usage: certificate_stages.py PROGRAM CAMPAIGN.yaml RESULTS.h5

After the first stage a row is decided where it fails, or holds and would have found a coverage of .90 as often as not;
the campaign then stops there. Else it goes on, and what is computed is kept. Certify or put onto the page as ever.
"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile

SEEDS = re.compile(r"seed: \{[^}]*count: (\d+)")
UNDECIDED = {"too few seeds", "not judged", "too few ended as planned"}


def first_stage(campaign):
    """The campaign with a quarter of its seeds."""
    found = SEEDS.findall(campaign.read_text(encoding="utf-8"))
    if len(found) != 1 or int(found[0]) < 8:
        sys.exit("certificate_stages.py: the campaign has no 'seed: {…, count: N}' of 8 or more (its seeds are the stages)")
    return f"campaign_format: 1\ninclude: ['{campaign.resolve()}']\nfactors: {{seed: {{count: {int(found[0]) // 4}}}}}\n"


def verdicts(program, results):
    done = subprocess.run([program, "certify", "--format", "csv", results], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"certificate_stages.py: {results} cannot be certified")
    return [row["verdict"] for row in csv.DictReader(io.StringIO(done.stdout))]


def main(program, campaign, results):
    campaign = pathlib.Path(campaign)
    with tempfile.TemporaryDirectory() as folder:
        first = pathlib.Path(folder) / campaign.name
        first.write_text(first_stage(campaign), encoding="utf-8")
        subprocess.run([program, "run", first, "--output", results], check=True)
    undecided = sum(verdict in UNDECIDED for verdict in verdicts(program, results))
    print(f"{undecided} rows undecided by a quarter of the seeds", flush=True)
    if undecided:
        subprocess.run([program, "run", campaign, "--output", results, "--extend"], check=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(str(pathlib.Path(sys.argv[1]).resolve()), *sys.argv[2:])
