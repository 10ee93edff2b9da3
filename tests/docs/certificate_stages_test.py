#!/usr/bin/env python3
"""A certificate that a quarter of its seeds decides stops there; one that needs more goes on with what is computed.

usage: certificate_stages_test.py ROOT PROGRAM
"""
import pathlib
import subprocess
import sys
import tempfile

CAMPAIGN = """campaign_format: 1
name: stages
include: [common.yaml]
experiment: open
load: {{utilization: 0.5}}
horizon: {{jobs: 1, warm_up: none, ensemble_bins: 0}}
replications: 20
probes: [service_time]
certificate: {{metric: service_time, truth: 1, band: {band}}}
factors: {{seed: {{first: 1, count: 40}}}}
"""


def run(root, program, folder, band):
    """What is printed, and the seeds of the result file."""
    (folder / "common.yaml").write_text((root / "campaigns/certificate/common.yaml").read_text())
    (folder / "stages.yaml").write_text(CAMPAIGN.format(band=band))
    results = folder / f"{band[1:4]}.h5"
    done = subprocess.run([sys.executable, root / "tools/certificate_stages.py", program, folder / "stages.yaml", results],
                          capture_output=True, text=True, check=True)
    judged = subprocess.run([program, "certify", "--format", "csv", results], capture_output=True, text=True, check=False).stdout
    return done.stdout, next(seeds for seeds in ("10 of 10", "40 of 40") if seeds in judged)


def main(root, program):
    with tempfile.TemporaryDirectory() as folder:
        told, seeds = run(root, program, pathlib.Path(folder), "[0.5, 1]")
        assert "0 rows undecided" in told and seeds == "10 of 10", (told, seeds)
        told, seeds = run(root, program, pathlib.Path(folder), "[0.93, 1]")
        assert "1 rows undecided" in told and seeds == "40 of 40", (told, seeds)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
