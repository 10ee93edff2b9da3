"""`cpack` makes three Debian packages. dpkg installs them into a bare tree, with this machine's packages as what they depend on; the
program there runs the tutorial and draws a figure, and without the second one it says which package is missing.

usage: debian_test.py BUILD
"""
import shutil
import subprocess
import sys

from installed import expect, expect_complete, main, run


def test(build, folder):
    run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder / "packages")
    packages = {run("dpkg-deb", "-f", path, "Package").strip(): path for path in (folder / "packages").glob("*.deb")}
    expect(set(packages) == {"schedfarm", "python3-schedfarm", "schedfarm-dev"}, f"packages: {packages}")
    for name, fields in (("schedfarm", ("libc6 (>= ", "libhdf5-", "openmpi-bin")), ("python3-schedfarm", ("python3-h5py (>= 3.7)",)),
                         ("schedfarm-dev", ("g++", "schedfarm (= "))):
        depends = run("dpkg-deb", "-f", packages[name], "Depends")
        expect(all(field in depends for field in fields), f"{name} depends on {depends}")

    if shutil.which("lintian"):
        said = subprocess.run(["lintian", "--no-tag-display-limit", *packages.values()], capture_output=True, text=True, check=False)
        errors = [line for line in said.stdout.splitlines() if line.startswith("E:")]
        expect(not errors, "\n".join(errors))

    tree = folder / "tree"
    state = tree / "var/lib/dpkg"
    for below in ("info", "updates", "triggers"):
        (state / below).mkdir(parents=True)
    shutil.copy("/var/lib/dpkg/status", state)
    dpkg = ["dpkg", "--admindir", state, "--instdir", tree, "--force-not-root", "--force-bad-path", "--force-script-chrootless", "--log", folder / "log"]
    run(*dpkg, "--install", *packages.values())
    status = run("dpkg-query", "--admindir", state, "--show", "--showformat", "${Package} ${Status}\n", *packages)
    expect(sorted(status.splitlines()) == [f"{name} install ok installed" for name in sorted(packages)], status)
    package = tree / "usr/share/schedfarm/python/schedfarm"
    expect(len([*package.rglob("*.pyc")]) == len([*package.rglob("*.py")]) > 0, "the package is not compiled")
    expect_complete(tree, tree / "usr", "tutorial/one-queue.md")
    run(tree / "usr/bin/schedfarm", "plot", build / "tests/results_schema/example.h5", "--kind", "curve", "-o", "figure.pdf", cwd=folder,
        SCHEDFARM_PYTHON=str(tree / "python"), PYTHONPATH=str(tree / "usr/share/schedfarm/python"))
    (folder / "figure.pdf").unlink()

    run(*dpkg, "--remove", "python3-schedfarm")
    expect(not (tree / "usr/share/schedfarm/python").exists(), "python3-schedfarm left its files")
    command = [tree / "usr/bin/schedfarm", "plot", build / "tests/results_schema/example.h5", "-o", "figure.pdf"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    expect(done.returncode == 2 and "Install python3-schedfarm" in done.stderr, f"{done.returncode}: {done.stderr}")


if __name__ == "__main__":
    sys.exit(main(test, "cpack", "dpkg", "dpkg-shlibdeps", "tclsh"))
