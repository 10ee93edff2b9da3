#!/usr/bin/env python3
"""Accounting records of other batch systems as a user has them: every job against another reader, a simulation and an answer
of whatif from each, and hints of wrong files, which are followed here.

usage: records_test.py PROGRAM FOLDER_OF_RECORDS
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

program, data = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(data.parent))
import plain_records

SOURCES = pathlib.Path(__file__).resolve().parents[4] / "python" / "src"
FILES = ("pbs_pro.acct", "torque.acct", "sge.accounting", "uge.accounting", "lsb.acct", "jobcomp.txt")
HEAD = "JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS"
ROW = "11|11|u1|2026-03-01T01:00:00|2026-03-01T02:00:00|2026-03-01T03:00:00|3600|600|COMPLETED|4"


def answer(*words, **options):
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, env=environment, **options)


def check_all(folder):
    assert plain_records.main(program, data) == 0
    for name in FILES:
        said = answer("simulate", "--trace", data / name, "-p", 96, "--policy", "easy", "--verify", "--json")
        assert said.returncode == 0 and json.loads(said.stdout)["jobs"] >= 15, (name, said.stderr)
        said = answer("whatif", data / name, "--policy", "easy", "--processors", 96, "--vary", "policy=fcfs", "--output", folder / f"{name}.yaml")
        assert said.returncode == 0 and "Policy fcfs in the place of easy" in said.stdout, (name, said.stderr)


def check_hints(folder):
    """What each message says helps."""
    def written(name, text):
        (folder / name).write_text(text)
        return folder / name

    def jobs(*words):
        said = answer("trace", *words, "--json")
        assert said.returncode == 0, (words, said.stderr)
        return json.loads(said.stdout)["jobs"]

    def hint(file, *parts):
        said = answer("trace", file)
        assert said.returncode == 2 and said.stdout == "" and all(part in said.stderr for part in parts), (file, said)

    hint(written("no_header", f"{ROW}\n"), "Run sacct without -n", "write the names that -o had above it, divided by '|'")
    assert jobs(written("with_header", f"{HEAD}\n{ROW}\n")) == 1
    assert jobs(written("comment", f"# dump of c1\n{HEAD}\n{ROW}\n")) == 1
    assert jobs(written("message", f"sacct: error: slow database\n{HEAD}\n{ROW}\n")) == 1
    hint(written("site_format", f"{HEAD}\n{ROW.replace('2026-03-01T', '2026/03/01-')}\n"), ":2:", "SLURM_TIME_FORMAT=%s")
    assert jobs(written("epoch", f"{HEAD}\n{ROW.replace('2026-03-01T0', '177232680').replace(':00:00', '')}\n")) == 1
    assert jobs(written("index", f",{HEAD}\n0,{ROW}\n".replace("|", ","))) == 1
    nodes = written("nodes", f"{HEAD.replace('AllocCPUS', 'NNodes')}\n{ROW}\n")
    said = answer("simulate", "--trace", nodes, "-p", 9, "--policy", "fcfs")
    assert said.returncode == 2 and "--set workload.processors=nodes" in said.stderr, said.stderr
    assert answer("simulate", "--trace", nodes, "-p", 9, "--policy", "fcfs", "--set", "workload.processors=nodes").returncode == 0
    torque = "12/21/2009 15:27:00;E;6.edge;user=u1 queue=q ctime=1261424924 qtime=1261424924 etime=1261424924 start=1261425023 exec_host=n33/7+n33/6"
    assert jobs(written("torque", f"{torque} Resource_List.walltime=04:00:00 end=1261427220\n")) == 1
    grid = "dev.q:n1:g1:u1:mpi:22947:sge:0:1310761621:1311095354:1311095414:0:0:60:60.05:0.08:104188"
    assert jobs(written("grid_engine", f"{grid}\n")) == 1
    hint(written("old_jobcomp", "JobId=12 UserId=u1(1001) Name=wrap JobState=COMPLETED Partition=main StartTime=2026-03-01T01:00:00\n"), "sacct -P", "slurm/sacct.sh")
    hint(written("condor", "*** Offset = 0 ClusterId = 7 ProcId = 0\n"), "HTCondor", "condor_history")


with tempfile.TemporaryDirectory() as made:
    check_hints(pathlib.Path(made))
    check_all(pathlib.Path(made))
