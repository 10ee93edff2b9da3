"""Usage: lean_start_test.py <schedfarm>

The program that users start loads neither HDF5 nor MPI, simulates, looks at logs and says what there is itself, and
becomes the program with all commands for every other word."""
import functools
import os
import pathlib
import shutil
import subprocess
import sys

from program import expect, main

CAMPAIGN = """campaign_format: 1
name: a file of results
experiment: offline
seed: 1
system: {clusters: [2]}
workload: {model: listed, sizes: [1, 2], service_times: [3, 4]}
policy: fcfs
horizon: {jobs: 2}
replications: 1
"""
SIMULATE = ["simulate", "--trace", "example", "-p", "64", "--policy", "easy", "--json"]
ABOUT = (["--version"], ["--help"], ["-h"], ["list"], ["list", "fpfs"], ["list", "fpsf"], ["list", "--markdown"])
COMMANDS = ("run", "resume", "plan", "simulate", "trace", "report", "diff", "gantt", "replay", "check", "status",
            "merge", "rebuild", "init", "submit", "certify", "whatif", "list")


def run(*words):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)


def said(*words):
    result = run(*words)
    return result.returncode, result.stdout, result.stderr


def test_libraries(program):
    names = [line.split()[0] for line in run("ldd", program.path).stdout.splitlines()]
    expect(any(name.startswith("libstdc++") for name in names), f"ldd says {names}")
    heavy = [name for name in names if name.startswith(("libhdf5", "libmpi", "libcurl", "libssl"))]
    expect(not heavy, f"the lean program loads {heavy}")
    expect(len(names) <= 11, f"the lean program loads {len(names)} libraries")


def test_both_agree(program):
    for words in (SIMULATE, ["trace", "example"], ["simulate", "--help"], ["simulate", "--polcy", "easy"],
                  ["simulate", "--trace", "absent.swf", "-p", "1", "--policy", "easy"], ["trace"], *ABOUT):
        lean, whole = said(program.path, *words), said(program.path + "-farm", *words)
        expect(lean == whole, f"{words}: {lean} but {whole}")


def test_other_commands(program):
    usage = run(program.path, "--help").stdout
    for command in COMMANDS:
        expect(f"\n  {command} " in usage, f"--help does not list {command}")
    expect(run(program.path, "--version").stdout.startswith("schedfarm "), "--version")
    wrong = run(program.path, "simulat")
    expect(wrong.returncode == 2 and "'simulate'" in wrong.stderr, f"simulat: {wrong}")
    expect(run(program.path).returncode == 2, "no command is a usage error")


def test_alone(program):
    alone = program.folder / "schedfarm"
    shutil.copy(program.path, alone)
    expect(run(alone, *SIMULATE).stdout == run(program.path, *SIMULATE).stdout, "alone it simulates otherwise")
    for words in ABOUT:
        expect(said(alone, *words) == said(program.path, *words), f"alone it says otherwise to {words}")
    result = run(alone, "plan", "absent.yaml")
    expect(result.returncode == 4 and "schedfarm-farm cannot be started (No such file or directory). Install it "
           "beside schedfarm." in result.stderr, f"alone: {result}")


def refused_package(program, results):
    done = run(program, "certify", results)
    expect(done.returncode == 2 and "RAN" not in done.stdout and done.stderr.count("\n") == 1, f"a package of others: {done}")
    return done.stderr


def test_whose_package_runs(program):
    """That of an installation runs where nobody else could have put it there; a build tree's own runs whatever lies beside it."""
    prefix = program.folder / "installed"
    (prefix / "bin").mkdir(parents=True)
    for name in ("schedfarm", "schedfarm-farm"):
        shutil.copy(pathlib.Path(program.path).with_name(name), prefix / "bin")
    package = prefix / "share/schedfarm/python/schedfarm"
    package.mkdir(parents=True)
    (package / "__main__.py").write_text("print('RAN')\n")
    program_there = prefix / "bin/schedfarm"
    program.write("small.yaml", CAMPAIGN)
    program.run("run", "small.yaml", "--workers", "0", "-o", "results.h5")
    results = program.folder / "results.h5"
    runs = functools.partial(run, program_there, "certify", results)
    expect(runs().stdout == "RAN\n", f"an installation of one owner: {runs()}")
    for part in (prefix, prefix / "bin", prefix / "share/schedfarm", package, package / "__main__.py"):
        mode = part.stat().st_mode
        part.chmod(mode | 0o020)
        expect(runs().stdout == "RAN\n", f"a group may write to {part}: {runs()}")
        part.chmod(mode | 0o002)
        said = refused_package(program_there, results)
        expect(f"{part} may be code of others (it is writable for all" in said and "Run `chmod o-w`" in said, said)
        part.chmod(mode)
        if os.geteuid() == 0:
            os.chown(part, 4321, -1)
            expect(f"{part} may be code of others" in refused_package(program_there, results), f"of another: {part}")
            os.chown(part, 0, -1)
    beside = pathlib.Path(program.path).parents[1] / "share/schedfarm"
    if not beside.exists():
        (beside / "python/schedfarm").mkdir(parents=True)
        (beside / "python/schedfarm/__main__.py").write_text("print('RAN')\n")
        try:
            expect("RAN" not in run(program.path, "certify", results).stdout, "a build tree runs what lies beside it")
        finally:
            shutil.rmtree(beside)


def test_limited_memory(program):
    for words in (["list"], SIMULATE):
        limited = run("sh", "-c", 'ulimit -v 300000 && exec "$@"', "sh", program.path, *words)
        expect(limited.stdout == run(program.path, *words).stdout, f"under a limit on memory {words} say {limited}")


def test(program, _arguments):
    test_libraries(program)
    test_both_agree(program)
    test_other_commands(program)
    test_alone(program)
    test_whose_package_runs(program)
    test_limited_memory(program)


if __name__ == "__main__":
    sys.exit(main(test))
