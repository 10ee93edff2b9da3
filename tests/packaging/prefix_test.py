"""`cmake --install BUILD --prefix FOLDER` gives a program that needs neither sources nor build.

usage: prefix_test.py BUILD
"""
import sys

from installed import expect_complete, main, run


def test(build, folder):
    run("cmake", "--install", build, "--prefix", folder / "a place of its own")
    expect_complete(folder, folder / "a place of its own", "tutorial/one-queue.md")


if __name__ == "__main__":
    sys.exit(main(test, "cmake", "tclsh"))
