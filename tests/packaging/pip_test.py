"""`pip install --no-deps ./python` makes the package whole, and asks no index.

usage: pip_test.py ROOT
"""
import subprocess
import sys

from installed import expect, main, run

PACKAGE = "src/schedfarm"


def files_of(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def test(root, folder):
    # Debian's h5py has another name to pip, which would look for one: hence --no-deps.
    run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--break-system-packages", "--ignore-installed", "--no-compile",
        "--disable-pip-version-check", "--prefix", folder / "made", root / "python")
    place, = (folder / "made").rglob("schedfarm/__init__.py")
    contract = "SCHEMA.md"  # what files are checked against lies beside the package
    expect(files_of(place.parent) == files_of(root / "python" / PACKAGE) | {contract}, f"files: {files_of(place.parent)}")
    expect((place.parent / contract).read_bytes() == (root / "results_schema" / contract).read_bytes(), f"another {contract}")
    info, = (folder / "made").rglob("*.dist-info/METADATA")
    metadata = info.read_text()
    for line in ("Name: schedfarm", "Requires-Dist: h5py>=3.7", 'Requires-Dist: matplotlib>=3.6; extra == "plot"'):
        expect(line + "\n" in metadata, f"no line {line} in {metadata}")


if __name__ == "__main__":
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode != 0:
        print("skipped: pip not installed")
        sys.exit(77)
    sys.exit(main(test))
