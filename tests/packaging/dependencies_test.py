"""packaging/dependencies.csv, pyproject.toml, the Spack recipe and tools/setup.sh name the same packages, with the same least versions;
the recipes of containers install what builds and what shows results. The program's own version is that of CMakeLists.txt in every file that has it.

usage: dependencies_test.py ROOT
"""
import csv
import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(sys.argv[1])
LINES = [line for line in (ROOT / "packaging/dependencies.csv").read_text().splitlines() if not line.startswith("#")]
ROWS = list(csv.DictReader(LINES))
WITHOUT_VERSION = {"ninja-build", "git", "ca-certificates", "pkg-config", "openmpi-bin", "pkgconfig", "c", "cxx"}


def least(*needs, key="name"):
    return {row[key]: row["least"] for row in ROWS if row["need"] in needs and row[key]}


def differences():
    project = tomllib.loads((ROOT / "python/pyproject.toml").read_text())["project"]
    python = {"python": project["requires-python"].removeprefix(">=")}
    for words in (project["dependencies"], *project["optional-dependencies"].values()):
        python.update(word.split(">=") for word in words)
    yield "pyproject.toml", python, least("figures", "more")

    recipe = (ROOT / "packaging/spack/packages/schedfarm/package.py").read_text()
    spack = dict(re.findall(r'depends_on\("([\w-]+)@([\d.]+):', recipe))
    wanted = least("build", "figures", key="spack")
    compiler = re.search(r'conflicts\("%gcc@:(\d+)"\)', recipe)
    spack["gcc"] = str(int(compiler.group(1)) + 1) if compiler else "none"
    yield "the Spack recipe", spack, wanted
    unversioned = set(re.findall(r'depends_on\("([\w-]+)"', recipe)) - WITHOUT_VERSION
    yield "the Spack recipe, without versions", unversioned, set()

    setup = (ROOT / "tools/setup.sh").read_text()
    for group, needs in (("build", ["build"]), ("figure", ["figures"])):
        named = set(re.search(rf"{group}_packages=\((.*?)\)", setup, re.DOTALL).group(1).split())
        # numpy comes with the others
        yield f"tools/setup.sh, {group} packages", named - WITHOUT_VERSION, set(least(*needs, key="debian")) - {"python3-numpy"}


    for recipe in ("slurm/Dockerfile", "slurm/schedfarm.def"):
        asked = re.search(r"require_packages ([\w ]+?) &&", (ROOT / recipe).read_text())
        yield recipe, set(asked.group(1).split() if asked else ()), {"build", "figures"}

    own = set(re.findall(r"^project\(schedfarm VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE))
    for place, words in (("python/src/schedfarm/_version.py", r'__version__ = "(.*)"'), ("CITATION.cff", "^version: (.*)"),
                         ("packaging/spack/packages/schedfarm/package.py", r'^    version\("([\d.]+)"'), ("packaging/campaigns-ci.yaml", r"schedfarm_([\d.]+)_\w+\.deb")):
        yield f"{place}, version", set(re.findall(words, (ROOT / place).read_text(), re.MULTILINE)), own


def main():
    found = [f"{place}: {sorted(here)}\n    but wanted: {sorted(there)}" if isinstance(here, set) else
             f"{place}: {sorted(here.items())}\n    but dependencies.csv: {sorted(there.items())}"
             for place, here, there in differences() if here != there]
    print("\n".join(found) or "passed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
