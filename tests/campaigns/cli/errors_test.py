"""Wrong input of every kind: one clear message on standard error, the documented exit code, nothing left
half-written.

usage: errors_test.py PROGRAM
"""
import os
import subprocess
import sys

from program import SMALL_CAMPAIGN, expect, main


def expect_refused(program, arguments, exit_code, *fragments):
    before = sorted(program.folder.iterdir())
    done = program.run(*arguments, exit_code=exit_code)
    for fragment in fragments:
        expect(fragment in done.stderr, f"{arguments}: no '{fragment}' in: {done.stderr}")
    prefixed = all(line.startswith("schedfarm: ") for line in done.stderr.splitlines())
    expect(prefixed, f"{arguments}: a line does not say whose it is: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: output beside an error: {done.stdout}")
    expect(sorted(program.folder.iterdir()) == before, f"{arguments}: left something behind")


def campaign_errors(program):
    program.write("typo.yaml", SMALL_CAMPAIGN.replace("policy:", "polcy:").replace("fills:", "fils:"))
    expect_refused(program, ["run", "typo.yaml"], 2, "typo.yaml:8:3:", "'policy'?", "typo.yaml:5:", "'fills'?")
    expect_refused(program, ["plan", "typo.yaml"], 2, "typo.yaml:8:3:")
    expect_refused(program, ["run", "absent.yaml"], 2, "absent.yaml")
    expect_refused(program, ["run", "."], 2, "directory")
    (program.folder / "noise.yaml").write_bytes(os.urandom(4096))
    expect_refused(program, ["run", "noise.yaml"], 2, "noise.yaml")
    expect_refused(program, ["replay", "small.yaml", "-c", "99", "-r", "0"], 2, "cells 0 to 3")


def command_line_errors(program):
    expect_refused(program, ["rnu", "small.yaml"], 2, "rnu", "Did you mean 'run'?")
    expect_refused(program, [], 2, "schedfarm --help")
    expect_refused(program, ["run"], 2, "campaign", "schedfarm run --help")
    expect_refused(program, ["run", "small.yaml", "--worker", "2"], 2, "no option '--worker'", "'--workers'?")
    expect_refused(program, ["simulate", "--trase=x.swf"], 2, "no option '--trase'", "'--trace'?")
    for option in ("--walltime", "--time-limit", "--memory-limit"):
        expect_refused(program, ["run", "small.yaml", option, "0"], 2, f"{option}: Value 0 is too small, it must be above 0.")
        expect_refused(program, ["run", "small.yaml", option, "soon"], 2, f"{option}: 'soon' is no number.")
    simulate = ["simulate", "--trace", "example", "-p", "64", "--policy"]
    expect_refused(program, [*simulate, "esy"], 2, "schedfarm: error: --policy esy: unknown policy 'esy'. Did you mean")
    expect_refused(program, [*simulate, "easy", "--set", "x"], 2, "schedfarm: error: --set x: ")
    expect_refused(program, ["simulate", "--instance", "no.csv", "--policy", "demt"], 2, "schedfarm: error: no.csv: ")
    expect_refused(program, ["run", "small.yaml", "--workers", "many"], 2, "many")
    expect_refused(program, ["run", "small.yaml", "--workers", 8 * os.cpu_count() + 1], 2, "--workers")
    expect_refused(program, ["bench", "no such benchmark"], 2, "no such benchmark")
    expect_refused(program, ["run", "small.yaml", "--workers", "-1"], 2, "--workers: '-1' is no whole number from 0.")
    expect_refused(program, ["--hlep"], 2, "no option '--hlep'. Did you mean '--help'?")
    expect_refused(program, ["trace"], 2, "exactly one of log, --model is required.")
    for value in ("0", "many"):
        expect_refused(program, ["simulate", "--trace", "example", "--policy", "easy", "-p", value], 2,
                       f"--processors {value}: ", "'processors'")
    expect_refused(program, ["simulate", "--trace", "example", "--policy", "easy"], 2, "--processors: it is missing")
    done = program.run("run", "small.yaml", "--no-such-option", exit_code=2).stderr
    expect("--group-ranks" in done and "--supervised" not in done, f"an option that is not for users: {done}")
    expect_refused(program, ["list", "no such topic"], 2, "no such topic")
    expect_refused(program, ["init", "small.yaml"], 2, "already there")
    expect(program.run("--help").stdout.count("\n") > 10, "--help says too little")
    expect(program.run("--version").stdout.startswith("schedfarm "), "--version")
    with open("/dev/full", "w", encoding="ascii") as full:
        code = subprocess.run([program.path, "--help"], stdout=full, stderr=subprocess.DEVNULL, check=False).returncode
    expect(code == 4, f"help that could not be written: exit code {code}")


def file_errors(program):
    expect_refused(program, ["report", "absent.h5"], 2, "absent.h5")
    expect_refused(program, ["report", "small.yaml"], 2, "small.yaml", "HDF5")
    expect_refused(program, ["rebuild", "small.yaml"], 2, "small.yaml", "journal")
    expect_refused(program, ["run", "small.yaml", "--workers", "0", "-o", "no/such/folder/x.h5"], 2, "no/such/folder")
    (program.folder / "folder.h5").mkdir()
    expect_refused(program, ["report", "folder.h5"], 2, "folder.h5")
    expect_refused(program, ["run", "small.yaml", "-o", "folder.h5"], 2, "folder.h5", "it is a folder")
    program.run("run", "small.yaml", "--workers", "0", "-o", "good.h5")
    whole = (program.folder / "good.h5").read_bytes()
    (program.folder / "cut.h5").write_bytes(whole[: len(whole) // 2])
    expect_refused(program, ["report", "cut.h5"], 2, "cut.h5")


def test(program, _arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    campaign_errors(program)
    command_line_errors(program)
    file_errors(program)


if __name__ == "__main__":
    sys.exit(main(test))
