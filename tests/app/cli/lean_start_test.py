"""Usage: lean_start_test.py <schedfarm>

The program that users start loads neither HDF5 nor MPI, simulates, looks at logs and says what there is itself, and
becomes the program with all commands for every other word."""
import shutil
import subprocess
import sys

from program import expect, main

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
    expect(result.returncode == 4 and "schedfarm-farm cannot be started (No such file or directory). Is it installed "
           "beside schedfarm?" in result.stderr, f"alone: {result}")


def test_limited_memory(program):
    for words in (["list"], SIMULATE):
        limited = run("sh", "-c", 'ulimit -v 300000 && exec "$@"', "sh", program.path, *words)
        expect(limited.stdout == run(program.path, *words).stdout, f"under a limit on memory {words} say {limited}")


def test(program, _arguments):
    test_libraries(program)
    test_both_agree(program)
    test_other_commands(program)
    test_alone(program)
    test_limited_memory(program)


if __name__ == "__main__":
    sys.exit(main(test))
