"""`schedfarm simulate` of a site's log by the site's own files: machine and policy of slurm.conf, nodes that were drained, reservations that are
known from the second in which they were made. Starts by hand.

usage: site_test.py PROGRAM
"""
import csv
import io
import sys

from program import expect, main

CONF = """\
SchedulerParameters=bf_interval=1,bf_resolution=1,batch_sched_delay=0
NodeName=a CPUs=2
NodeName=b[1-2] CPUs=4 Feature=fast Boards=1
PartitionName=p Nodes=ALL Default=YES OverSubscribe=EXCLUSIVE
"""
BEGIN = 1772409600  # 2026-03-02T00:00:00 in UTC, an hour later in Rome
COLUMNS = "JobIDRaw User Partition Submit Start End ElapsedRaw TimelimitRaw State AllocNodes AllocCPUS".split()
# Number, submission, run, limit in minutes, nodes, CPUs
JOBS = [(1, 0, 100, 5, 3, 10), (2, 10, 20, 1, 1, 2), (3, 120, 50, 2, 3, 10), (4, 420, 30, 4, 2, 8)]


def starts(program, *words):
    done = program.run("simulate", "--trace", "log.sacct", "--slurm-conf", "slurm.conf", *words, "--jobs", "-")
    return {int(row["job"]): round(float(row["start"])) for row in csv.DictReader(io.StringIO(done.stdout))}


def events(zone_h=0):
    def at(second):
        minutes = zone_h * 60 + second // 60
        return f"2026-03-02T{minutes // 60:02}:{minutes % 60:02}:{second % 60:02}"
    return ("Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n"
            f"c|b2|{at(110)}|{at(400)}|DRAIN|disk|root(0)\nc|a|{at(20)}|{at(25)}|DOWN|while it is busy|root(0)\n")


def reservation(made=""):
    return ("ReservationName=maint StartTime=2026-03-02T00:08:20 EndTime=2026-03-02T00:10:00 Duration=00:01:40\n"
            f"   Nodes=b[1-2] NodeCnt=2 CoreCnt=8 Features=(null) PartitionName=(null) Flags=MAINT {made}\n"
            "   Users=root Accounts=(null) Licenses=(null) State=INACTIVE\n")


def test(program, _):
    rows = [COLUMNS] + [[number, "u", "p", BEGIN + submit, BEGIN + submit, BEGIN + submit + run, run, limit, "COMPLETED", nodes, cpus]
                        for number, submit, run, limit, nodes, cpus in JOBS]
    program.write("log.sacct", "".join("|".join(map(str, row)) + "\n" for row in rows))
    program.write("slurm.conf", CONF)
    program.write("events.txt", events())
    program.write("rome.txt", events(1))
    program.write("known.txt", reservation())
    program.write("made.txt", reservation("Created=2026-03-02T00:07:01"))

    # Job 2 waits for one node until job 1 ends. Nothing else disturbs.
    expect(starts(program) == {1: 0, 2: 100, 3: 120, 4: 420}, starts(program))
    # Its policy is Slurm's, and has parameters.
    expect(starts(program, "--set", "bf_interval=7") == {1: 0, 2: 100, 3: 120, 4: 420}, starts(program, "--set", "bf_interval=7"))
    # b2 is out from 110 to 400, unknown before: job 3, of all nodes, waits for it. Node a was busy when it was down, and free again before 100.
    expect(starts(program, "--events", "events.txt") == {1: 0, 2: 100, 3: 400, 4: 450}, starts(program, "--events", "events.txt"))
    # The maintenance of b1 and b2 from 500 to 600 leaves no room for 240 s from 420 on; made at 421 nobody knew of it.
    expect(starts(program, "--reservations", "known.txt") == {1: 0, 2: 100, 3: 120, 4: 600}, starts(program, "--reservations", "known.txt"))
    expect(starts(program, "--reservations", "made.txt")[4] == 420, starts(program, "--reservations", "made.txt"))
    # Under another policy the machine is that of slurm.conf, and nodes are out as well.
    expect(starts(program, "--policy", "fcfs", "--events", "events.txt")[3] == 400, "fcfs")
    # A node that is out to the end of the dump keeps jobs of all nodes waiting for ever.
    program.write("open.txt", events().replace("2026-03-02T00:06:40", "Unknown"))
    done = program.run("simulate", "--trace", "log.sacct", "--slurm-conf", "slurm.conf", "--events", "open.txt", exit_code=2)
    expect("2 jobs wait for ever: 4 processors are out of order to the end" in done.stderr, done.stderr)
    # Jobs before a date are left out.
    expect(sorted(starts(program, "--from", "2026-03-02 00:01")) == [3, 4], starts(program, "--from", "2026-03-02 00:01"))

    for words, problem in (
            (["--events", "known.txt"], "is not what sacctmgr -P show events prints"),
            (["--reservations", "known.txt", "--policy", "easy"], "only Slurm's scheduler goes by them"),
            (["--slurm-conf", "none.conf"], "none.conf: the file cannot be read"),
            (["--qos", "slurm.conf"], "slurm.conf:1: no column name. Dump it with: sacctmgr -P show qos")):
        given = [] if words[0] == "--slurm-conf" else ["--slurm-conf", "slurm.conf"]
        done = program.run("simulate", "--trace", "log.sacct", *given, *words, exit_code=2)
        expect(problem in done.stderr, (words, done.stderr))


if __name__ == "__main__":
    sys.exit(main(test))
