"""What the end-to-end tests share: starting the program, alone or under mpirun, and reading its files."""
import atexit
import bz2
import gzip
import io
import lzma
import os
import pathlib
import pty
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

import h5py

MASKED_FMA = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F,-AVX2_Usable,-FMA_Usable,-AVX512F_Usable"

SMALL_CAMPAIGN = """\
campaign_format: 1
name: small
seed: 11
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 2000, warm_up: {fraction: 0.2}, backlog: 16, fills: 200}
replications: 12
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}]
  structure:
    zip:
      experiment: [bin_filling, saturated]
      system.clusters: [[32], [8, 8, 8, 8]]
      workload.request: [total, unordered]
    labels: [filling, saturated]
"""

PRECISE_CAMPAIGN = """\
campaign_format: 1
name: precise
seed: 12
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 4, component_size: {uniform: [1, 4]}}
horizon: {jobs: 500, warm_up: {fraction: 0.2}}
precision: {metric: response_time, relative: 0.05, min: 20, max: 2000}
probes: [response_time, {bounded_slowdown: {quantiles: [0.5, 0.95]}}, queue_length, gross_utilization]
factors:
  policy: [fcfs, {fpfs: {max_jumps: 7}}, sjf]
  load.utilization: [0.5, 0.7]
"""

MOLDABLE_CAMPAIGN = """\
campaign_format: 1
name: moldable
seed: 13
experiment: offline
system: {clusters: [50]}
horizon: {jobs: 60, warm_up: none}
replications: 6
probes: []
factors:
  tasks:
    zip:
      workload:
        - {model: moldable, speedup: weakly_parallel}
        - {model: moldable, large_share: 0.3, sequential: {normal: {mean: 1, standard_deviation: 0.5}}}
        - {model: moldable, speedup: {downey: {sigma: {uniform: [0, 2]}}}}
    labels: [weakly, mixed, downey]
  policy:
    - {demt: {bounds: all, shuffles: 10}}
    - {demt: {bounds: refined, steps_per_octave: 16, compaction: graham}}
    - {moldable_shelves: {bounds: makespan}}
    - {moldable_list: {order: largest_time}}
    - fcfs
"""


class Failure(Exception):
    """A check of an end-to-end test did not hold."""


def print_processor_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    print(f"long form: {sum(one.ru_utime + one.ru_stime for one in used):.1f} processor seconds")


def short_or_long(of_short, of_long):
    """What the short form of a test needs, or where SCHEDFARM_LONG is set the long one (tests/support/long_form.hpp)."""
    if "SCHEDFARM_LONG" not in os.environ:
        return of_short
    atexit.unregister(print_processor_seconds)
    atexit.register(print_processor_seconds)
    return of_long


def expect(condition, message):
    if not condition:
        raise Failure(message)


class Program:
    """A built schedfarm and an empty folder to run it in."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="schedfarm-test-"))

    def remove_folder(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run(self, *arguments, ranks=None, environment=None, exit_code=0, timeout=300):
        """Runs a command; ranks: under mpirun with so many. Returns the completed process."""
        command = [self.path, *map(str, arguments)]
        if ranks is not None:
            command = ["mpirun", "-n", str(ranks), *command]
        done = subprocess.run(
            command, cwd=self.folder, env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False)
        if exit_code is not None:
            expect(done.returncode == exit_code,
                   f"{' '.join(command)}: exit code {done.returncode}, not {exit_code}\n"
                   f"{done.stdout}{done.stderr}")
        return done

    def payload_hash(self, results):
        with h5py.File(self.folder / results, "r") as file:
            value = file.attrs["payload_hash"]
            return value.decode() if isinstance(value, bytes) else value


def expect_refused(program, arguments, exit_code, *fragments):
    """The command fails with these words in its message, prints nothing and leaves no file."""
    before = sorted(program.folder.iterdir())
    done = program.run(*arguments, exit_code=exit_code)
    for fragment in fragments:
        expect(fragment in done.stderr, f"{arguments}: no '{fragment}' in: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: output beside an error: {done.stdout}")
    expect(sorted(program.folder.iterdir()) == before, f"{arguments}: left something behind")


def expect_simulate_refuses(program, arguments, message):
    done = program.run("simulate", *arguments, exit_code=2)
    expect(done.stdout == "", f"{arguments}: output beside an error")
    expect(message in done.stderr, f"{arguments}: no '{message}' in: {done.stderr}")
    expect(len(done.stderr.strip().splitlines()) <= 2, f"{arguments}: more than one message: {done.stderr}")


def expect_logs_are_refused(program, command, *more):
    """What is no log: `command` with the options `more` behind the file's name."""
    def refused(file, *fragments):
        expect_refused(program, [*command, file, *more], 2, *fragments)

    refused("absent.swf", "absent.swf: there is no such log")
    refused(".", "directory")
    (program.folder / "noise.swf").write_bytes(os.urandom(4096))
    refused("noise.swf", "noise.swf")
    program.write("empty.swf", "")
    refused("empty.swf", "empty.swf")
    job = "1 0 -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n"
    log = f"; MaxProcs: 8\n{job}{job}".encode()
    other = {
        "jobs.csv": (b"job,submit,start,finish,processors\n1,0,0,5,1\n", "CSV"),
        "jobs.json": (b'{"nb_res": 4, "machines": []}\n', "JSON"),
        "page.swf": (b"<!DOCTYPE html>\n<html>404</html>\n", "a page of the web"),
        "log.swf.xz": (lzma.compress(log), "xz -d"),
        "log.swf.bz2": (bz2.compress(log), "bzip2 -d"),
        "twice.swf.gz": (gzip.compress(gzip.compress(log)), "twice by gzip"),
        "result.h5": (b"\x89HDF\r\n\x1a\n" + bytes(500), "HDF5"),
        "mac.swf": (log.replace(b"\n", b"\r"), "carriage returns alone"),
        "wide.swf": (log.decode().encode("utf-16"), "UTF-16"),
        "unmarked.swf": (log.decode().encode("utf-16-le"), "UTF-16")}
    with zipfile.ZipFile(program.folder / "log.zip", "w") as archive:
        archive.writestr("log.swf", log)
    with tarfile.open(program.folder / "log.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("log.swf")
        entry.size = len(log)
        archive.addfile(entry, io.BytesIO(log))
    refused("log.zip", "log.zip:1: this is a zip archive", "unzip")
    refused("log.tar.gz", "log.tar.gz:1: this is a tar archive", "tar -xf")
    for name, (content, said) in other.items():
        (program.folder / name).write_bytes(content)
        refused(name, f"{name}:1: ", said)


def logs_or_skip():
    """The folder of real logs; ends the test as skipped where there is none."""
    if not os.environ.get("SCHEDFARM_TRACES"):
        print("skipped: $SCHEDFARM_TRACES names no folder with the logs")
        sys.exit(77)
    return pathlib.Path(os.environ["SCHEDFARM_TRACES"])


def pseudo_terminal_or_skip():
    """Both ends of a pseudo-terminal; ends the test as skipped on a machine without."""
    try:
        return pty.openpty()
    except OSError as error:
        print(f"skipped: no pseudo-terminal ({error})")
        sys.exit(77)


def main(test):
    """Runs test(program, arguments) for `script.py PROGRAM [argument ...]`."""
    program = Program(sys.argv[1])
    try:
        test(program, sys.argv[2:])
        print("passed")
        return 0
    except Failure as failure:
        print(f"FAILED: {failure}")
        return 1
    finally:
        program.remove_folder()
