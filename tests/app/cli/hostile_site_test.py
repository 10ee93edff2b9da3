"""A site's files are texts of others: 97 of them that once crashed, hung, filled memory or were taken as nonsense. Each ends within a second of
processor time and 100 MB; those of RIGHT run, all others end with exit code 2 and say file and line.

usage: hostile_site_test.py PROGRAM
"""
import os
import re
import resource
import subprocess
import sys

from program import expect, main

CAMPAIGN = """\
campaign_format: 1
name: site
seed: 1
experiment: trace
system: {slurm: {conf: %s%s}}
workload: {model: trace, file: f.sacct, resampling: none}
policy: slurm
horizon: {jobs: all, warm_up: none}
replications: 1
"""
LOG = """\
JobIDRaw|User|Partition|Submit|Start|End|ElapsedRaw|TimelimitRaw|State|AllocNodes|AllocCPUS
1|u1|cpu|1772413884|1772413885|1772414746|861|60|COMPLETED|12|384
2|u2|debug|1772413890|1772414746|1772415000|254|10|COMPLETED|24|768
"""
CONF = """\
ClusterName=c
NodeName=n[1-24] CPUs=32 RealMemory=515000
PartitionName=cpu Nodes=n[1-24] Default=YES
PartitionName=gpu Nodes=n[1-24]
PartitionName=debug Nodes=n[1-24]
"""
ASSOC = "Cluster|Account|User|Partition|Share|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxWall|ParentName\nc|root|||1||||||\n"
RUN = ("run", "f.yaml", "-w", "0", "--fresh", "--progress", "none")

RIGHT = {
    "base": "nothing is wrong",
    "base run": "nothing is wrong",
    "NodeSet bomb": "each set is read once, of those above it",
    "NodeName 2^64-1": "one node of a long name",
    "key bf_interval x 100000": "the same word again and again",
    "qos UsageFactor= 1": "blanks around a cell",
    "qos GrpJobs=0": "a limit: no job runs",
    "qos GrpTRES=node=0": "likewise",
    "qos MaxWall=-1": "Slurm's word for no limit",
    "qos crlf": "lines as DOS ends them",
}


def node(words):
    return CONF.replace("CPUs=32 RealMemory=515000", words if "CPUs" in words or "Sockets" in words else f"CPUs=32 {words}")


def partition(words):
    return CONF.replace("PartitionName=cpu Nodes=n[1-24]", f"PartitionName=cpu {words}" + ("" if words.startswith("Nodes") else " Nodes=n[1-24]"))


def confs(folder):
    """Name and text of slurm.conf."""
    for number in range(9):
        (folder / f"i{number}.conf").write_text(f"Include i{number + 1}.conf\n" * 10)
    (folder / "i9.conf").write_text("# x\n")
    os.mkfifo(folder / "ff")
    yield "base", CONF
    for name in ("f.conf", "i0.conf", "/etc/shadow", "/etc/passwd", "/dev/zero", "ff"):
        yield f"include {name}", CONF + f"Include {name}\n" * (10 if name == "i0.conf" else 1)
    yield "NodeSet itself", CONF + "NodeSet=a Nodes=a\nPartitionName=p Nodes=a\n"
    yield "NodeSet pair", CONF + "NodeSet=a Nodes=b\nNodeSet=b Nodes=a\nPartitionName=p Nodes=a\n"
    yield "NodeSet bomb", CONF + "NodeSet=a0 Nodes=n[1-24]\n" + "".join(
        f"NodeSet=a{i} Nodes={','.join([f'a{i - 1}'] * 10)}\n" for i in range(1, 12)) + "PartitionName=p Nodes=a11\n"
    yield "NodeName 3 x 1-1000000", CONF + "".join(f"NodeName={name}[1-1000000] CPUs=1\n" for name in "mop") + "PartitionName=big Nodes=ALL\n"
    for name, names in (("1-999999999", "m[1-999999999]"), ("1-1000000", "m[1-1000000]"), ("zeros 20k", f"m[{'0' * 20000}1-99999]"),
                        ("[1]*100000", "m" + "[1]" * 100000), ("[0-1]*40", "m" + "[0-1]" * 40), ("2^64-1", "m[18446744073709551615]"),
                        ("[ x 100000", "m" + "[" * 100000)):
        yield f"NodeName {name}", CONF + f"NodeName={names} CPUs=1\n"
    for words in ("CPUs=4294967296", "CPUs=4294967297", "CPUs=99999999999", "CPUs=0", "CPUs=1.5", "CPUs=-1", "Sockets=65536 CoresPerSocket=65536",
                  "RealMemory=18014398509481984K", "RealMemory=99999999T", "Gres=gpu:4294967297", "Gres=gpu:a:99999999999999999999",
                  "Weight=4294967297"):
        yield f"node {words}", node(words)
    yield "gres bomb 20000 types", CONF.replace("CPUs=32", f"Gres={','.join(f'gpu:t{i}:1' for i in range(20000))} CPUs=32")
    for words in ("MaxTime=99999999999999", "MaxTime=9223372036854775807", "MaxTime=9223372036854775807-0", "MaxTime=-5", "MaxTime=banana",
                  "MaxTime=1:2:3:4", "MaxNodes=4294967297", "PriorityTier=4294967297", "PriorityJobFactor=-1", "DefMemPerCPU=18014398509481984K",
                  "MaxTime=", "Nodes="):
        yield f"part {words}", partition(words)
    for words in ("PriorityWeightAge=4294967297", "PriorityMaxAge=99999999999999999-0", "KillWait=99999999999", "OverTimeLimit=9223372036854775807",
                  "SchedulerParameters=bf_window=9223372036854775807", "SchedulerParameters=bf_max_job_test=4294967297",
                  "SchedulerParameters=bf_resolution=9223372036854775807", "SchedulerParameters=bf_interval=1E"):
        yield f"key {words}", CONF + words + "\n"
    yield "key bf_interval x 100000", CONF + f"SchedulerParameters={','.join(['bf_interval=30'] * 100000)}\n"


def dumps_of_qos():
    for column, values in {"UsageFactor": ("abc", "1e999", "nan", "-1", "inf", "1x", " 1"), "Priority": ("4294967297", "-1", "abc", "99999999999999999999"),
                           "GrpJobs": ("4294967297", "-1", "abc", "0"),
                           "GrpTRES": ("cpu=4294967297", "cpu=abc", "cpu=-1", "node=0", "cpu", "=5", "cpu=5,cpu=7"),
                           "MaxWall": ("abc", "99999999999999999-0", "5:5:5:5", "-1")}.items():
        for value in values:
            yield f"qos {column}={value}", f"Name|{column}\nnormal|{value}\n"
    yield "qos empty file", ""
    yield "qos only header", "Name|Priority\n"
    yield "qos no Name", "Priority|UsageFactor\n1|1\n"
    yield "qos twice", "Name|Priority\nnormal|1\nnormal|5\n"
    yield "qos crlf", "Name|Priority|UsageFactor\r\nnormal|1|2\r\n"


def dumps_of_associations():
    chain = "".join(f"c|a{i}|||1||||||{'root' if i == 0 else f'a{i - 1}'}\n" for i in range(200000))
    yield "assoc chain 200000", ASSOC + chain + "c|a199999|u1||1||||||\n"
    yield "assoc own parent", ASSOC + "c|x|||1||||||x\n"
    yield "assoc parents in a circle", ASSOC + "c|x|||1||||||y\nc|y|||1||||||x\n"
    for share in ("4294967297", "-1", "abc", "1.5", ""):
        yield f"assoc Share={share}", ASSOC + f"c|a1|||{share}||||||root\nc|a1|u1||1||||||\n"
    yield "assoc user twice", ASSOC + "c|a1|||1||||||root\nc|a1|u1||1||||||\nc|a1|u1||9||||||\n"
    yield "assoc account twice", ASSOC + "c|a1|||1||||||root\nc|a1|||5||||||root\nc|a1|u1||1||||||\n"


def run(program, name, words):
    process = subprocess.Popen([program.path, *words], cwd=program.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                               text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (10, 11)))
    text = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    expect(process.returncode == (0 if name in RIGHT else 2), (name, process.returncode, text[-500:]))
    expect(name in RIGHT or re.search(r"\w:\d+: ", text.replace("f.yaml:5:", "")) or " is " in name, (name, text[-500:]))
    expect(used.ru_utime + used.ru_stime < 4 and used.ru_maxrss < 100 * 1024, (name, used))


def test(program, _):
    rows = 0
    program.write("f.sacct", LOG)

    def plan(name, conf, more="", words=("plan", "f.yaml")):
        nonlocal rows
        rows += 1
        program.write("f.yaml", CAMPAIGN % (conf, more))
        run(program, name, words)

    for name, text in confs(program.folder):
        program.write("f.conf", text)
        plan(name, "f.conf")
    for conf in ("ff", "/dev/zero", "/etc/shadow"):
        plan(f"conf is {conf}", conf)
    program.write("f.conf", CONF)
    plan("base run", "f.conf", words=RUN)
    for name, text in dumps_of_qos():
        (program.folder / "f.qos").write_bytes(text.encode())
        plan(name, "f.conf", ", qos: f.qos")
    program.write("f.conf", CONF + "PriorityType=priority/multifactor\nPriorityWeightFairshare=100\n")
    for name, text in dumps_of_associations():
        program.write("f.assoc", text)
        plan(name, "f.conf", ", associations: f.assoc", RUN if "chain" in name else ("plan", "f.yaml"))
    expect(rows == 97, rows)


if __name__ == "__main__":
    sys.exit(main(test))
