"""A run on a terminal draws its bar however --progress is written, and what it offers for going on keeps the
protection that was asked for.

usage: terminal_test.py PROGRAM
"""
import os
import signal
import subprocess
import sys

from program import SMALL_CAMPAIGN, expect, main, pseudo_terminal_or_skip


def stopped_at_its_bar(program, *arguments):
    """Starts a run whose standard error is a terminal and stops it once its bar is drawn; returns its exit code and
    what stood at the terminal."""
    ours, theirs = pseudo_terminal_or_skip()
    process = subprocess.Popen([program.path, "run", *arguments], cwd=program.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    seen = b""
    is_told = False
    while True:
        try:
            seen += os.read(ours, 65536)
        except OSError:  # the last process at the terminal has ended
            break
        if not is_told and b"\r" in seen.replace(b"\r\n", b"\n").rstrip(b"\r"):
            process.send_signal(signal.SIGINT)
            is_told = True
    os.close(ours)
    code = process.wait()
    expect(is_told, f"{arguments}: exit code {code} without a bar\n{seen}")
    expect(code == 3, f"{arguments}: exit code {code}\n{seen}")
    return " ".join(seen.decode(errors="replace").split())


def test(program, _):
    program.write("long.yaml", SMALL_CAMPAIGN.replace("replications: 12", "replications: 100000"))
    for words in ([], ["--progress=auto"], ["--progress", "auto"]):
        stopped_at_its_bar(program, "long.yaml", "-w", "1", "--fresh", *words)

    protection = ["--time-limit", "60.5", "--memory-limit", "512", "--crashes", "3"]
    seen = stopped_at_its_bar(program, "long.yaml", "-w", "1", "--fresh", *protection)
    expect("schedfarm resume long.yaml -w 1 " + " ".join(protection) in seen, seen)

    # What the run adds to its words is no argument.
    (program.folder / "long.yaml").rename(program.folder / "-x.yaml")
    expect("schedfarm resume ./-x.yaml" in stopped_at_its_bar(program, "-w", "1", "--", "-x.yaml"), seen)


if __name__ == "__main__":
    sys.exit(main(test))
