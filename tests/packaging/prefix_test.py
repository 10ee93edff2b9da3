"""`cmake --install BUILD --prefix FOLDER` gives a program that needs neither sources nor build.

usage: prefix_test.py BUILD
"""
import sys

from installed import expect, expect_complete, main, run


def test(build, folder):
    run("cmake", "--install", build, "--prefix", folder / "a place of its own")
    expect_complete(folder, folder / "a place of its own", "tutorial/one-queue.md")
    compiled = folder / "a place of its own/share/schedfarm/python/schedfarm/__pycache__"
    expect(any(compiled.glob("results.*.pyc")), "the package is not compiled")


if __name__ == "__main__":
    sys.exit(main(test, "cmake", "tclsh"))
