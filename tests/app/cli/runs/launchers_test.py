"""The program with Open MPI and with MPICH, under the launchers of both: the payload is the same wherever ranks
start, and a launcher that the build cannot join is refused in one sentence.

usage: launchers_test.py PROGRAM FARM_PROGRAM_WITH_MPICH
"""
import os
import shutil
import subprocess
import sys

from program import SMALL_CAMPAIGN, expect, main

MPIRUN, HYDRA = ("mpirun", "-n", "3"), ("mpiexec.hydra", "-n", "3")


def start(program, launcher, path, *arguments, **environment):
    return subprocess.run([*launcher, path, "run", "small.yaml", *arguments], cwd=program.folder, check=False, timeout=120,
                          env={**os.environ, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def with_mpich(program, farm):
    """What users start, beside the program with MPICH."""
    folder = program.folder / "mpich"
    folder.mkdir()
    shutil.copy(program.path, folder / "schedfarm")
    shutil.copy(farm, folder / "schedfarm-farm")
    return folder / "schedfarm"


def joins(program, path, launcher, name, *arguments, **environment):
    done = start(program, launcher, path, "-o", name, *arguments, **environment)
    expect(done.returncode == 0, f"{name}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    expect(program.payload_hash(name) == program.payload_hash("whole.h5"), f"{name}: another payload")


def refuses(program, path, launcher, name, word, *arguments, **environment):
    """One sentence for all ranks, exit code 2, and nothing is written."""
    done = start(program, launcher, path, "-o", name, *arguments, **environment)
    expect(done.returncode == 2, f"{name}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    expect(done.stderr.count(f"speaks {word}, which the MPI of this program") == 1, f"{name}: {done.stderr}")
    expect(not list(program.folder.glob(f"{name}*")), f"{name}: something is written")


def test(program, arguments):
    program.write("small.yaml", SMALL_CAMPAIGN)
    program.run("run", "small.yaml", "-w", "0", "-o", "whole.h5")
    other = with_mpich(program, arguments[0])
    joins(program, program.path, MPIRUN, "openmpi.h5")
    joins(program, other, HYDRA, "mpich.h5")
    joins(program, other, (), "children.h5", "-w", "2")
    refuses(program, program.path, HYDRA, "openmpi_under_hydra.h5", "PMI")
    refuses(program, other, MPIRUN, "mpich_under_openmpi.h5", "PMIx")
    # Launchers that the program starts itself.
    folder = program.folder / "launchers"
    folder.mkdir()
    (folder / "mpiexec").write_text(f'#!/bin/sh\nexec {shutil.which("mpiexec.hydra")} "$@"\n')
    (folder / "mpiexec").chmod(0o755)
    path = f"{folder}:{os.environ['PATH']}"
    joins(program, other, (), "started.h5", "-w", "2", "--launcher", "mpiexec", PATH=path)
    refuses(program, program.path, (), "not_started.h5", "PMI", "-w", "2", "--launcher", "mpiexec", PATH=path)


sys.exit(main(test))
