#!/usr/bin/env python3
"""Logs as sites have them, each with the starts that are right, worked out by hand: sentinels of Slurm's database,
texts that hold what parts columns, several clusters, other columns, JSON of sacct, tables without a header.

usage: site_logs_test.py PROGRAM SOURCES
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

program, sources = sys.argv[1], pathlib.Path(sys.argv[2])
site = pathlib.Path(__file__).parent / "site"
DAY = 86400
T0 = 1772326800


def answer(*words, **more):
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, **more)


def starts(file, *words, policy="fcfs"):
    """Job: (start, processors)."""
    said = answer("simulate", "--trace", file, "--policy", policy, "--jobs", "-", *words)
    assert said.returncode == 0, (file, said.stderr)
    rows = [line.split(",") for line in said.stdout.splitlines()[1:]]
    return {int(row[0]): (float(row[2]), int(row[4])) for row in rows}


def expect(file, wanted, *words, **more):
    found = starts(file, *words, **more)
    assert found == wanted, (file, words, found)


def summary(file, *words):
    said = answer("trace", file, "--json", *words)
    assert said.returncode == 0, (file, said.stderr)
    return json.loads(said.stdout)


def counts(log):
    return {oddity["oddity"]: oddity["count"] for oddity in log["oddities"]}


def counted(log, beginning):
    return [count for text, count in counts(log).items() if text.startswith(beginning)]


def refused(file, *parts, words=(), command="trace"):
    commands = {"simulate": ["simulate", "--trace", file, "--policy", "fcfs", "-p", 8], "slurm": ["simulate", "--trace", file], "trace": ["trace", file]}
    said = answer(*commands[command], *words)
    assert said.returncode == 2 and said.stderr.count("\n") == 1, (file, said.returncode, said.stderr)
    assert all(part in said.stderr for part in parts), said.stderr


def check_cases():
    # Job 11 never starts; as load, which a published data set has where it is asked for, it holds up the one behind it
    # until it leaves.
    expect(site / "start-zero.csv", {10: (0, 40), 13: (2, 8)}, "--columns", "supercloud", "-p", 100)
    expect(site / "start-zero.csv", {10: (0, 40), 13: (100, 8)}, "--columns", "supercloud", "-p", 100, "--set",
           "workload.left_waiting=replay")
    zero = summary(site / "start-zero.csv", "--columns", "supercloud")
    assert counted(zero, "ended without having been started") == [1], counts(zero)
    assert not counted(zero, "started before") and not counted(zero, "no run time") == [0], counts(zero)
    expect(site / "unlimited.sacct", {1: (0, 4), 3: (120, 4), 2: (7290, 8)}, "-p", 8, "--set", f"conf={site / 'unlimited.conf'}",
           policy="slurm")
    said = answer("simulate", "--trace", site / "unlimited.sacct", "--slurm-conf", site / "unlimited.conf", "--jobs", "-")
    assert {int(line.split(",")[0]): float(line.split(",")[2]) for line in said.stdout.splitlines()[1:]} == {1: 0, 3: 120, 2: 7290}, said
    said = answer("simulate", "--trace", site / "unlimited.sacct", "-p", 8, "--policy", "fcfs")
    assert "1 asked for no limit (UNLIMITED) and request a year" in " ".join(said.stdout.split()), said.stdout
    swf = "{id: job, submit: submit, wait: wait, run: run, processors: alloc_procs, requested_processors: req_procs, " \
          "limit: req_time, user: uid, queue: queue, state: status}"
    words = ["--columns", swf, "-p", 4, "--set", "workload.missing_request=run_time"]
    expect(site / "swf-as-csv.csv", {1: (0, 4), 2: (100, 4), 3: (200, 4)}, *words)
    said = answer("simulate", "--trace", site / "swf-as-csv.csv", "--policy", "fcfs", "--jobs", "-", *words,
                  "--set", "workload.statuses=[1, 0]")
    assert [line.split(",")[0] for line in said.stdout.splitlines()] == ["job", "1", "3"], said.stdout
    # A wait of 0 is one.
    said = answer("simulate", "--trace", site / "swf-as-csv.csv", "--policy", "fcfs", "--json", *words)
    assert json.loads(said.stdout)["logged_waits"][0]["jobs"] == 3, said.stdout
    expect(site / "text-cells.sacct", {21: (0, 4), 22: (3600, 4), 23: (7200, 4)}, "-p", 4)
    text = summary(site / "text-cells.sacct")
    assert counted(text, "a value that cannot be read") == [1] and text["jobs"] == 3, counts(text)
    batsim = summary(site / "batsim-states.csv", "--columns", "jobs")
    assert batsim["jobs"] == 4 and not counted(batsim, "a state that is not known"), counts(batsim)
    assert counted(batsim, "ended without having been started") == [1], counts(batsim)
    assert len(starts(site / "batsim-states.csv", "--columns", "jobs", "-p", 4)) == 3
    expect(site / "fractional-cores.csv", {1: (0, 3), 2: (100, 3), 3: (100, 1), 4: (100, 1)},
           "--columns", "{id: id, submit: submit, run: run, processors: cores, limit: limit}", "-p", 5)
    fractions = summary(site / "fractional-cores.csv", "--columns",
                        "{id: id, submit: submit, run: run, processors: cores, limit: limit}")
    assert counted(fractions, "a fraction of a processor") == [4], counts(fractions)
    expect(site / "gres.sacct", {1: (0, 2), 2: (0, 2), 3: (3600, 2)}, "-p", 16, "--set", f"conf={site / 'gres.conf'}",
           policy="slurm")
    expect(site / "kestrel.csv", {1: (0, 2), 2: (3600, 2)}, "--columns", "kestrel", "-p", 2)


def check_clusters(folder):
    both = site / "two-clusters.sacct"
    for command in ("trace", "simulate"):
        refused(both, "2 clusters, east, west", "--cluster east", command=command)
    expect(both, {71: (0, 8), 72: (3600, 8)}, "-p", 8, "--cluster", "east")
    assert counted(summary(both, "--cluster", "west"), "of another cluster") == [2]
    refused(both, "its clusters are east, west", words=["--cluster", "north"])
    rows = ["JobIDRaw|JobID|User|Account|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|AllocCPUS"]
    for job, account, partition in ((1, "a", "p"), (2, "b", "p"), (3, "a", "q"), (4, "b", "r,q"), (5, "c", "r")):
        rows.append(f"{job}|{job}|u|{account}|{partition}|{T0 + job}|{T0 + job}|{T0 + job + 10 * job}|{10 * job}|9|COMPLETED|{job}")
    (folder / "parts.sacct").write_text("\n".join(rows) + "\n")
    chosen = {("--partitions", "q"): [3, 4], ("--partitions", "p,q"): [1, 2, 3, 4], ("--accounts", "b"): [2, 4],
              ("--accounts", "a, c", "--partitions", "r,q"): [3, 5]}
    for words, jobs in chosen.items():
        assert sorted(starts(folder / "parts.sacct", "-p", 99, *words)) == jobs, words
    several = summary(folder / "parts.sacct")
    assert [text for text in counts(several) if text.startswith("a job for several partitions")][0].endswith("the first: 4")
    refused(folder / "parts.sacct", "no job is of that cluster, partition or account", words=["--accounts", "d"])
    refused(sources / "tests/models/trace/data/frontier21.swf", "chosen of its rows", words=["--accounts", "d"])


SACCT = """JobIDRaw JobID User Account Partition QOS Submit Eligible Start End ElapsedRaw Suspended TimelimitRaw State ExitCode
ReqNodes AllocNodes ReqCPUS AllocCPUS ReqMem ReqTRES AllocTRES Priority Flags Reason NodeList Reservation Constraints DBIndex""".split()


def job(number, start, **more):
    row = dict.fromkeys(SACCT, "")
    row.update(JobIDRaw=number, JobID=number, User="u1", Account="a1", Partition="main", QOS="normal", Submit=T0, Eligible=T0,
               Start=T0 + start, End=T0 + start + 3600, ElapsedRaw=3600, Suspended="00:00:00", TimelimitRaw=100, State="COMPLETED",
               ExitCode="0:0", ReqNodes=1, AllocNodes=1, ReqCPUS=4, AllocCPUS=4, ReqMem="4G", Priority=1,
               ReqTRES="cpu=4,mem=4G,node=1", AllocTRES="billing=4,cpu=4,mem=4G,node=1", Flags="SchedMain", Reason="None",
               NodeList="n1", DBIndex=1000 + number)
    row.update(more)
    return row


def table(rows, separator="|"):
    return "".join(separator.join(map(str, row)) + "\n" for row in [SACCT] + [[row[name] for name in SACCT] for row in rows])


def check_round_trip(folder):
    """By the script of this repository, from a sacct that prints what it is told."""
    texts = {"Constraints": "[rack1|rack2|rack3]&ib", "Reservation": 'a "b|c', "Reason": "bad|disk\nfull", "Account": "x|y",
             "Partition": "x|y", "QOS": "x|y", "User": "x|y", "NodeList": "n1|n2", "Flags": "SchedMain|x", "ReqTRES": "cpu=4|x",
             "AllocTRES": "cpu=4\nx"}
    rows = [job(1, 0)] + [job(2 + i, 3600 * (i + 1), **{name: text}) for i, (name, text) in enumerate(texts.items())]
    (folder / "rows").write_text(table(rows))
    sacct = folder / "bin" / "sacct"
    sacct.parent.mkdir()
    sacct.write_text(f"""#!/usr/bin/env python3
import csv, sys
asked = sys.argv[sys.argv.index("--format") + 1].split(",")
rows = open({str(folder / 'rows')!r}).read()
names = {SACCT!r}
jobs = {rows!r}
print("|".join(asked))
for row in jobs:
    print("|".join(str(row.get(name, "")) for name in asked))
""")
    sacct.chmod(0o755)
    dump = folder / "dump.sacct"
    made = subprocess.run(["bash", sources / "slurm" / "sacct.sh", "-S", "2026-03-01", "-E", "2026-03-10", "-o", dump],
                          env=dict(os.environ, PATH=f"{sacct.parent}:{os.environ['PATH']}"), capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    for file in (dump, folder / "rows"):
        expect(file, {row["JobIDRaw"]: (3600 * i, 4) for i, row in enumerate(rows)}, "-p", 4)
        assert counted(summary(file), "the separator") == [len(texts)], counts(summary(file))
    # What is torn is not put together from parts of two jobs.
    whole = table(rows[:3])
    lines = whole.splitlines(keepends=True)
    (folder / "torn").write_text(lines[0] + lines[1][:60] + "\n" + lines[2] + lines[1])
    torn = summary(folder / "torn")
    assert torn["jobs"] == 2 and counted(torn, "a row with more or fewer fields") == [1], counts(torn)
    # Parted by commas, which stand in lists, too.
    (folder / "comma").write_text(table([job(i + 1, 3600 * i, NodeList="n[1,3-4]", JobID=f"9_[{i},{i + 2}]" if i == 2 else i + 1)
                                         for i in range(5)], ","))
    expect(folder / "comma", {i + 1: (3600 * i, 4) for i in range(5)}, "-p", 4)
    (folder / "comma").write_text(table([job(i + 1, 3600 * i, ElapsedRaw="3,600" if i == 3 else 3600) for i in range(50)], ","))
    refused(folder / "comma", "1 of 50 rows", "-P without --delimiter")
    # Small letters, and names of columns beside a table that has none.
    (folder / "small").write_text(whole.replace(lines[0], lines[0].lower()))
    expect(folder / "small", {i + 1: (3600 * i, 4) for i in range(3)}, "-p", 4)
    (folder / "bare").write_text(whole[len(lines[0]):])
    for names in (",".join(SACCT), "|".join(SACCT)):
        expect(folder / "bare", {i + 1: (3600 * i, 4) for i in range(3)}, "-p", 4, "--columns", names)
    # A map of places does not know which columns hold texts.
    expect(folder / "bare", {1: (0, 4)}, "-p", 4, "--columns",
           "{id: 1, submit: 7, start: 9, run: 11, processors: 19}")


def check_kinds(folder):
    rows = [job(15, 7, JobID="15+0"), job(16, 7, JobID="15+1"), job(17, 11, Partition="a,b", State="CANCELLED"),
            job(18, 13, State="REQUEUED"), job(18, 5000, Submit=T0 + 4000),
            job(15, 1200 * DAY, Submit=T0 + 1200 * DAY, Eligible=T0 + 1200 * DAY),  # the number of another job
            job(19, 19, End=T0 + 19 - 3600 - 1800, ElapsedRaw=1800),  # ends an hour and more before its start
            job(20, 23, Submit=T0 + 40, ElapsedRaw=3600)]
    (folder / "kinds").write_text(table(rows))
    log = summary(folder / "kinds")
    for beginning, count, first in (("a component of a heterogeneous job", 2, "15+0"), ("another run of a job", 1, "18"),
                                    ("a job for several partitions", 1, "17"), ("ended before it was started", 1, ""),
                                    ("started before it was submitted", 1, "")):
        found = [(text, n) for text, n in counts(log).items() if text.startswith(beginning)]
        assert [n for _, n in found] == [count] and found[0][0].endswith(first), (beginning, counts(log))
    assert not any("clocks were changed" in text for text in counts(log)), counts(log)
    said = answer("simulate", "--trace", folder / "kinds", "-p", 9, "--policy", "fcfs")
    assert "(started before it was submitted" in " ".join(said.stdout.split()), said.stdout


def number(value):
    """As versions from 23.02 on write numbers that may be missing."""
    return {"set": value is not None, "infinite": value == "inf", "number": 0 if value in (None, "inf") else value}


def json_job(row, is_new):
    tres = [{"type": "cpu", "name": None, "id": 1, "count": row["AllocCPUS"]}, {"type": "mem", "name": "", "id": 2, "count": 6000},
            {"type": "gres", "name": "gpu", "id": 1002, "count": row["gpus"]}, {"type": "node", "name": "", "id": 4, "count": 3}]
    said = {"account": row["Account"], "allocation_nodes": 3, "cluster": "c1", "constraints": "a|b", "job_id": row["JobIDRaw"],
            "array": {"job_id": 0, "task": None, "task_id": number(None) if is_new else None},
            "het": {"job_id": 0, "job_offset": number(None) if is_new else None}, "nodes": "n[1-3]", "partition": row["Partition"],
            "qos": "normal", "required": {"CPUs": row["ReqCPUS"], "memory": 6000}, "user": "u7",
            "flags": ["STARTED_ON_BACKFILL"], "state": {"current": [row["State"]] if is_new else row["State"], "reason": "None"},
            "steps": [{"time": {"start": 1, "end": 2}, "step": {"id": "batch"}}], "tres": {"allocated": tres, "requested": tres},
            "time": {"submission": row["Submit"], "eligible": row["Eligible"], "start": row["Start"], "end": row["End"],
                     "elapsed": row["ElapsedRaw"], "suspended": 0, "limit": number(row["limit"]) if is_new else row["limit"]}}
    if is_new:
        said["submit_line"] = 'sbatch --wrap "echo }{"'
    return said


def check_json(folder):
    rows = [job(31, 0, gpus=2, limit=70, AllocCPUS=5, ReqCPUS=3), job(32, 3600, gpus=4, limit=80, AllocCPUS=6, ReqCPUS=6),
            job(33, -T0, End=T0 + 50, ElapsedRaw=0, State="CANCELLED", gpus=0, limit=90)]
    for is_new in (False, True):
        rows[1]["limit"] = "inf" if is_new else 80
        file = folder / f"sacct{is_new}.json"
        file.write_text(json.dumps({"meta": {"plugin": {"type": "x"}}, "errors": [], "jobs": [json_job(row, is_new) for row in rows]},
                                   indent=1 if is_new else None))
        expect(file, {31: (0, 5), 32: (3600, 6)}, "-p", 6)
        log = summary(file)
        assert log["jobs"] == 3 and counted(log, "ended without having been started") == [1], counts(log)
        assert counted(log, "no limit") == ([1] if is_new else []), counts(log)
        written = folder / "written.sacct"
        assert answer("trace", file, "--write", written).returncode == 0
        names, *jobs = [line.split("|") for line in written.read_text().splitlines()]
        first = dict(zip(names, jobs[0]))
        wanted = {"User": "u7", "Account": "a1", "Partition": "main", "Timelimit": "0-01:10:00", "ReqCPUS": "3", "AllocCPUS": "5",
                  "AllocNodes": "3", "ReqNodes": "3", "ReqMem": "1228800Kc", "AllocTRES": "gres/gpu=2", "Flags": "SchedBackfill",
                  "NodeList": "n[1-3]", "State": "COMPLETED"}
        assert {name: first[name] for name in wanted} == wanted, first


def check_hostile_json(folder):
    file = folder / "b.json"
    jobs = '{"nb_res": 4, "jobs": [{"id": "1", "subtime": 0, "res": 2, "profile": "d", "walltime": 60%s}], "profiles": {%s}}'
    cases = {jobs % (', "x": ' + "[" * 200_000 + "]" * 200_000, ""): "more than 64 brackets",
             "[" * 200_000: "more than 64 brackets",
             jobs % (', "res": 3', ""): "key 'res' comes twice",
             jobs % ("", '"d": {"type": "delay", "delay": 7}, "d": {}'): "key 'd' comes twice",
             '{"jobs": [], "jobs": [], "profiles": {}}': "key 'jobs' comes twice",
             '{"jobs": [1, 2], "profiles": {}}': "something else than an object",
             (jobs % ("", ""))[:60]: "JSON other than Batsim's"}
    for text, reason in cases.items():
        file.write_text(text)
        refused(file, reason)
    file.write_text(jobs % ("", '"d": {"type": "delay", "delay": 7}'))
    expect(file, {1: (0, 2)}, "-p", 4)


def check_maps(folder):
    """Each map that comes with the program replays a sample of its log, without other options."""
    data = sources / "tests/models/trace/data"
    samples = {"kestrel": site / "kestrel.csv", "jobs": site / "batsim-states.csv"}
    samples.update({name: data / f"{name}.csv" for name in ("pm100", "aurora", "supercloud", "helios")})
    (folder / "fugaku.csv").write_text(
        "jid,usr,jnam,adt,sdt,edt,elpl,nnumr,nnuma,pri,exit state\n"
        "a7,u1,j,2023-04-01 00:00:00,2023-04-01 00:00:10,2023-04-01 00:01:10,90,4,6,127,completed\n"
        "a8,u2,j,2023-04-01 00:00:05,2023-04-01 00:01:10,2023-04-01 00:03:10,300,7,7,127,failed\n")
    (folder / "adastra.csv").write_text(
        "job_id,submit_time,start_time,end_time,time_limit,num_nodes_alloc,user_id,job_state,priority,nodes\n"
        "5,2024-06-01 00:00:00,2024-06-01 00:00:00,2024-06-01 01:00:00,7200,3,u,COMPLETED,1,\"['g1', 'g2', 'g3']\"\n"
        "6,2024-06-01 00:00:09,2024-06-01 01:00:00,2024-06-01 01:20:00,1800,2,u,TIMEOUT,1,\"['g1', 'g2']\"\n")
    samples.update({name: folder / f"{name}.csv" for name in ("fugaku", "adastra")})
    shipped = {path.stem for path in (sources / "app/campaign/keys/columns").glob("*.yaml")}
    assert shipped <= set(samples), shipped - set(samples)
    for name, file in samples.items():
        kept = len(starts(file, "--columns", name, "-p", 400_000))
        assert kept == (3 if name == "jobs" else 10 if file.parent == data else 2), (name, kept)
    assert [row[1] for row in starts(folder / "fugaku.csv", "--columns", "fugaku", "-p", 7).values()] == [6, 7]
    assert counted(summary(folder / "adastra.csv", "--columns", "adastra"), "nodes are the processors") == [2]
    drawn = answer("gantt", site / "kestrel.csv", "--columns", "kestrel", "-p", 2, "--format", "csv")
    assert drawn.returncode == 0 and len(drawn.stdout.splitlines()) >= 3, drawn


def check_arrays(folder):
    """Four nodes, a pass every second. Job 10 has all until 1000. Of the array 20, which waits for it, two tasks of one node run at once, 100 s each: at
    1000, 1100 and 1200. Job 40 was submitted next and asks for four nodes: at 1300. Job 30 (three nodes) was held and released at 1050, job 60 (four)
    came at 1055, the array 50 (two nodes each) was held as a whole and released at 1060, as only its last task says: 1500, 1800 and 1870. Task 20_2
    ended early, 20_3 a minute later, so that the log's own waits are other ones."""
    def row(number, name, place, start, run, nodes, limit, line="", eligible=None, **more):
        return job(number, 0, JobID=name, Submit=T0 + place, Eligible=T0 + (place if eligible is None else eligible), Start=T0 + start, End=T0 + start + run,
                   ElapsedRaw=run, TimelimitRaw=limit, ReqNodes=nodes, AllocNodes=nodes, ReqCPUS=nodes, AllocCPUS=nodes, ReqMem="", ReqTRES="", AllocTRES="",
                   SubmitLine=line, **{"Priority": 4294901760 - number} | more)

    throttled = "sbatch --array=1-6%2 --dependency=afterany:10 -N1 t.sh"
    rows = [row(10, 10, 0, 0, 1000, 4, 100),
            *(row(20 if task == 6 else 20 + task, f"20_{task}", 10, start + 7, 100, 1, 30, throttled, start)
              for task, start in ((1, 1000), (2, 1000), (3, 1160), (4, 1100), (5, 1200), (6, 1260))),
            row(40, 40, 30, 1390, 200, 4, 20), row(30, 30, 20, 1600, 300, 3, 10, "sbatch -H -N3 h.sh", 1050, Priority=0),
            row(60, 60, 1055, 1900, 70, 4, 15), row(51, "50_1", 25, 2000, 150, 2, 60, "sbatch -H --array=1-2 -N2 a.sh", 1060),
            row(50, "50_2", 25, 2003, 150, 2, 60, "sbatch -H --array=1-2 -N2 a.sh", 1060, Priority=0)]
    names = [*SACCT, "SubmitLine"]
    (folder / "arrays").write_text("".join("|".join(map(str, cells)) + "\n" for cells in [names] + [[one[name] for name in names] for one in rows]))
    (folder / "arrays.conf").write_text(
        "SelectType=select/cons_tres\nPriorityType=priority/basic\nSchedulerType=sched/backfill\nSchedulerParameters=bf_interval=1,bf_resolution=1,"
        "batch_sched_delay=0,sched_min_interval=0\nNodeName=n[1-4] CPUs=1\nPartitionName=main Nodes=n[1-4] Default=YES OverSubscribe=EXCLUSIVE\n")
    wanted = {10: 0, 21: 1000, 22: 1000, 23: 1100, 24: 1100, 25: 1200, 20: 1200, 40: 1300, 30: 1500, 60: 1800, 51: 1870, 50: 1870}
    found = starts(folder / "arrays", "--slurm-conf", folder / "arrays.conf", policy="slurm")
    (folder / "large").write_text(table([job(17, 0, ReqNodes=9, AllocNodes=9, ReqMem="", ReqTRES="", AllocTRES="")]))
    (folder / "some").write_text(table([job(17, 0, ReqNodes=9, AllocNodes=9, ReqMem="", ReqTRES="", AllocTRES=""), job(18, 5, ReqCPUS=1, AllocCPUS=1, ReqMem="", ReqTRES="", AllocTRES="")]))
    said = answer("simulate", "--trace", folder / "some", "--slurm-conf", folder / "arrays.conf")
    assert said.stdout.startswith("1 of 2 jobs is left out, for the site can never place it: job 17 asks for 9 nodes"), said
    refused(folder / "large", "job 17 asks for 9 nodes", words=("--slurm-conf", folder / "arrays.conf"), command="slurm")
    assert found.keys() == wanted.keys() and all(abs(found[number][0] - start) <= 3 for number, start in wanted.items()), found


def check_summaries(folder):
    """A dump that names no limits and no machine."""
    rows = [job(i + 1, 3600 * (i // 2), TimelimitRaw="") for i in range(7)]
    (folder / "bare").write_text(table(rows))
    log = summary(folder / "bare")
    assert log["selected"] == len(starts(folder / "bare", "-p", 8)) == 7, log["selected"]
    said = " ".join(answer("trace", folder / "bare").stdout.split())
    assert "Write -p N, of at least 8." in said and "7 kept by the default selection, with run times for" in said, said
    # -8 is of hours.
    line = "1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n"
    for zone, shown in (("-8", "UTC-8 h"), ("-28800", "UTC-8 h"), ("3600", "UTC+1 h")):
        (folder / "zone.swf").write_text(f"; UnixStartTime: 900000000\n; TimeZone: {zone}\n; MaxProcs: 4\n" + line)
        assert shown in answer("trace", folder / "zone.swf").stdout, zone


check_cases()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for check in (check_clusters, check_round_trip, check_kinds, check_json, check_hostile_json, check_maps, check_arrays, check_summaries):
        check(folder)
