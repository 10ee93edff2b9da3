"""The template of continuous integration for campaigns of one's own: what it runs gives checked results and pages.

usage: campaigns_ci_test.py PROGRAM ROOT
"""
import os
import pathlib
import subprocess
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "app/cli"))
from program import expect, main  # noqa: E402


def test(program, arguments):
    text = pathlib.Path(arguments[0], "packaging/campaigns-ci.yaml").read_text()
    job = yaml.safe_load(text)["jobs"]["run"]
    steps = {step.get("name", step.get("uses")): step for step in job["steps"]}
    version = program.run("--version").stdout.split()[1]
    expect(f"schedfarm_{version}_" in steps["install"]["run"], f"the template installs another version than {version}")
    for step in ("install", "run"):
        subprocess.run(["bash", "-n"], input=steps[step]["run"], text=True, check=True)
    program.run("init", "first.yaml")
    path = f"{pathlib.Path(program.path).parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", steps["run"]["run"]], cwd=program.folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "PATH": path, "CAMPAIGNS": job["env"]["CAMPAIGNS"]})
    expect(done.returncode == 0, done.stdout + done.stderr)
    kept = sorted(file.name for file in (program.folder / "results").iterdir())
    expect({"first.h5", "first.html", "first.txt"} <= set(kept), f"kept: {kept}")


if __name__ == "__main__":
    sys.exit(main(test))
