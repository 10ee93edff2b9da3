#!/usr/bin/env python3
"""Reads accounting records of PBS, Torque, Grid Engine, LSF and jobcomp/filetxt by other code than the program's (regular
expressions and shlex over whole files), and holds the table that `schedfarm trace --write` makes of them against it.

usage: plain_records.py PROGRAM FOLDER       prints every difference and exits 1 if there is one
"""
import csv
import datetime
import io
import re
import subprocess
import sys
import tempfile

SIZES = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "K": 1024, "M": 1024**2, "G": 1024**3, "kb": 1024, "mb": 1024**2, "gb": 1024**3}


def clock(text):
    return sum(int(part) * 60**place for place, part in enumerate(reversed(text.split(":")))) if text else None


def size(text):
    number, unit = re.fullmatch(r"([\d.]+)(\w*)", text).groups()
    return float(number) * SIZES[unit] / 1024


def pbs(text):
    """Records by where the next date begins; words by a pattern with quotes and backslashes."""
    date = r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;"
    for record in re.split(rf"\n(?={date})", text.rstrip("\n")):
        parts = record.split(";", 3)
        if len(parts) < 4:
            continue
        words = re.findall(r'(\S+?)=((?:"[^"]*"|\\.|[^\s"\\])*)', parts[3])
        said = {}
        for key, value in words:
            said.setdefault(key, re.sub(r'\\(.)|"', r"\1", value))
        name = re.match(r"(\d+)(?:\[(\d*)\]|-(\d+))?", parts[2])
        has_run = said.get("start", "0") != "0"
        if "[]" in parts[2] or not (parts[1] == "E" or parts[1] == "R" and has_run):
            continue
        hosts, cores = [], 0
        for part in said.get("exec_host", "").split("+") if said.get("exec_host") else []:
            host, numbers = part.split("/")
            hosts.append(host)
            if "*" in numbers:
                cores += int(numbers.split("*")[1])
            else:
                for one in numbers.split(","):
                    ends = [int(n) for n in one.split("-")]
                    cores += ends[-1] - ends[0] + 1
        requested, gpus = said.get("Resource_List.procs") or said.get("Resource_List.ncpus"), said.get("Resource_List.ngpus")
        if "Resource_List.nodes" in said and "Resource_List.select" not in said:
            chunks = [chunk.split(":") for chunk in said["Resource_List.nodes"].split("+")]
            def of(chunk, key, otherwise):
                times = int(chunk[0]) if chunk[0].isdigit() else 1
                return times * next((int(word.split("=")[1]) for word in chunk if word.startswith(key + "=")), otherwise)
            requested = sum(of(chunk, "ppn", 1) for chunk in chunks)
            gpus = sum(of(chunk, "gpus", 0) for chunk in chunks) or None
        wanted = int(requested) if requested else None
        memory = None
        if "Resource_List.mem" in said:
            memory = size(said["Resource_List.mem"]) / (cores or wanted)
        elif "Resource_List.pmem" in said:
            memory = size(said["Resource_List.pmem"])
        code = said["Exit_status"]
        yield dict(id=int(name[1]), task=name[2] or name[3], user=said["user"], account=said.get("account") or said["group"],
                   submit=int(said["ctime"]), eligible=int(said["etime"]), start=int(said["start"]) if has_run else None, end=int(said["end"]),
                   limit=clock(said.get("Resource_List.walltime")), requested=wanted, cores=cores or None, nodes=len(set(hosts)) or None,
                   requested_nodes=int(said["Resource_List.nodect"]), hosts=",".join(sorted(set(hosts))), gpus=int(gpus) if gpus else None, memory=memory,
                   state="REQUEUED" if parts[1] == "R" else "CANCELLED" if not has_run or code == "271" else
                   {"0": "COMPLETED", "-29": "TIMEOUT"}.get(code, "FAILED"))


def grid_engine(text):
    """By one pattern of the whole record: what stands before the category, the category, and what stands behind."""
    field = r"[^:\n]*"
    number = r"-?\d[\d.]*"
    pattern = re.compile(rf"^((?:{field}:){{39}})(.*?):({number}):({field}):({number}):({number}):({number})((?::.*)?)$", re.M | re.S)
    for line in re.split(r"\n(?=(?:[^:\n]*:){30})", text):
        found = pattern.match(line.rstrip("\n"))
        if not found or found[4] != "NONE":
            continue
        f = found[1].split(":")
        category = re.sub(r"\s*\n\s*", "\n", found[2])
        asked = dict(re.findall(r"(\w+)=([^,\s]+)", category))
        unit = 1000 if len(f[8]) > 10 else 1
        submit, start, end = (int(f[place]) / unit for place in (8, 9, 10))
        pe = re.search(r"-pe \S+ (\d+)", category)
        limit = asked.get("h_rt")
        limit = None if limit is None else 365 * 86400 if limit == "INFINITY" else clock(limit)
        behind = found[8].split(":")
        deleted = len(behind) > 2 and behind[2] != "NONE"
        state = ("REQUEUED" if f[11] in ("24", "25") else "CANCELLED" if not start or deleted else
                 "TIMEOUT" if f[11] == "100" and limit and end - start >= limit else "COMPLETED" if (f[11], f[12]) == ("0", "0") else "FAILED")
        yield dict(id=int(f[5]), task=f[35] if f[35] != "0" else None, user=f[3], account=f[2] if f[31] == "NONE" else f[31], submit=submit, eligible=None,
                   start=start or None, end=end or None, limit=limit, requested=int(pe[1]) if pe else None, cores=int(f[34]), nodes=None, requested_nodes=None,
                   hosts="", gpus=None, memory=size(asked["h_vmem"]) if "h_vmem" in asked else None, state=state)


def lsf(text):
    """Python's csv reads quotes doubled and lines within them."""
    reasons = {"1": "PREEMPTED", "5": "TIMEOUT", "11": "REQUEUED", "14": "CANCELLED", "16": "OUT_OF_MEMORY"}
    for f in csv.reader(io.StringIO(text), delimiter=" "):
        if f[0] != "JOB_FINISH":
            continue
        at = 22
        at += 1 + int(f[at])
        listed = f[at + 1:at + 1 + int(f[at])]
        at += 1 + len(listed)
        status, project, idx = f[at], f[at + 24], f[at + 29]
        hosts = [(int(host.split("*")[0]), host.split("*")[1]) if "*" in host else (1, host) for host in listed]
        reason, limit = None, None
        if len(f) > at + 40:
            reason, estimate = f[at + 38], int(f[at + 45])
            behind = f[at + 53:]
            behind = behind[1 + 2 * int(behind[0]):]
            behind = behind[1 + 5 * int(behind[0]):]
            limit = int(behind[1])
            limit = limit if limit > 0 and limit != 2**22 else estimate if estimate > 0 else None
        number = lambda place: int(f[place]) or None
        start = number(10)
        cores = sum(count for count, _ in hosts)
        yield dict(id=int(f[3]), task=idx if idx != "0" else None, user=f[11], account=project, submit=int(f[7]), eligible=max(int(f[7]), int(f[8])),
                   start=start, end=int(f[2]), limit=limit, requested=int(f[6]), cores=cores or None, nodes=len({host for _, host in hosts}) or None,
                   requested_nodes=None, hosts=",".join(sorted({host for _, host in hosts})), gpus=None, memory=None,
                   state="CANCELLED" if not start else "COMPLETED" if status == "64" else reasons.get(reason, "FAILED"))


def jobcomp(text):
    """One pattern over a whole record: the name as short as may be, the folder as long."""
    pattern = re.compile(
        r"JobId=(\d+) UserId=([^(]*)\S* GroupId=\S* Name=(.*?) JobState=(\S*) Partition=(\S*) TimeLimit=(\S*) StartTime=(\S*) EndTime=(\S*) NodeList=(\S*) "
        r"NodeCnt=(\d*) ProcCnt=(\d*) WorkDir=(.*) ReservationName=.*? Tres=(\S*) Account=(\S*) QOS=(\S*) WcKey=.* SubmitTime=(\S*) EligibleTime=(\S*)"
        r"(?: (?:Array|Het)JobId=\d+ (?:ArrayTaskId|HetJobOffset)=(\d+))? DerivedExitCode", re.S)
    instant = lambda word: None if word == "Unknown" else int(datetime.datetime.fromisoformat(word + "+00:00").timestamp())
    for record in re.split(r"\n(?=JobId=)", text):
        m = pattern.match(record)
        if not m:
            continue
        ran = m[9] != "(null)"
        gpu = re.search(r"gres/gpu=(\d+)", m[13])
        yield dict(id=int(m[1]), task=m[18], user=m[2], account=m[14].replace("(null)", ""), partition=m[5], qos=m[15], submit=instant(m[16]), eligible=instant(m[17]),
                   start=instant(m[7]) if ran else None, end=instant(m[8]), limit=60 * int(m[6]) if m[6].isdigit() else 365 * 86400 if m[6] == "UNLIMITED" else None,
                   requested=None if ran else int(m[11]), cores=int(m[11]) if ran else None, nodes=int(m[10]), requested_nodes=None,
                   hosts=m[9].replace("(null)", ""), gpus=int(gpu[1]) if gpu else None, memory=None, state=m[4])


def expected(rows):
    """What the table says: doubled records once, and a run after one that was put back is submitted when that ended."""
    ends, seen = {}, set()
    for row in rows:
        key = (row["id"], row["task"], row["submit"], row["start"], row["end"])
        if key in seen:
            continue
        seen.add(key)
        name = (row["id"], row["task"])
        if name in ends and row["start"]:
            row["submit"] = max(row["submit"], ends[name])
            row["eligible"] = max(row["eligible"] or 0, row["submit"])
        if row["state"] == "REQUEUED":
            ends[name] = row["end"]
        yield row


def in_table(row):
    text = lambda value: "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    time = lambda value: "Unknown" if value is None else text(value)
    limit = row["limit"]
    run = row["end"] - row["start"] if row["start"] else None
    days = "" if limit is None else f"{limit // 86400}-{limit // 3600 % 24:02}:{limit // 60 % 60:02}:{limit % 60:02}"
    return {"JobIDRaw": text(row["id"]), "User": row["user"], "Account": row["account"], "Submit": time(row["submit"]), "Eligible": time(row["eligible"]),
            "Start": time(row["start"]), "End": time(row["end"] if row["start"] else None), "ElapsedRaw": text(run), "Timelimit": days, "State": row["state"],
            "ReqNodes": text(row["requested_nodes"]), "AllocNodes": text(row["nodes"]), "ReqCPUS": text(row["requested"]), "AllocCPUS": text(row["cores"]),
            "ReqMem": None if row["memory"] is None else row["memory"], "AllocTRES": "" if row["gpus"] is None else f"gres/gpu={row['gpus']}",
            "NodeList": row["hosts"], "Partition": row.get("partition", ""), "QOS": row.get("qos", "")}


def same(column, wanted, found):
    if column == "ReqMem":
        return abs((wanted or 0) - float((found or "0Kc").removesuffix("Kc"))) < 1e-6 * (wanted or 1)
    if column in ("Submit", "Start", "End", "Eligible", "ElapsedRaw") and wanted not in ("", "Unknown") and found not in ("", "Unknown"):
        return abs(float(wanted) - float(found)) < 1e-3 * 1.001 or wanted == found
    return wanted == found


def main(program, folder):
    readers = {"pbs_pro.acct": pbs, "torque.acct": pbs, "sge.accounting": grid_engine, "uge.accounting": grid_engine, "lsb.acct": lsf, "jobcomp.txt": jobcomp}
    differences = []
    for name, reader in readers.items():
        with open(f"{folder}/{name}", newline="") as file:
            wanted = [in_table(row) for row in expected(reader(file.read()))]
        with tempfile.TemporaryDirectory() as made:
            subprocess.run([program, "trace", f"{folder}/{name}", "--write", f"{made}/out.csv"], check=True, capture_output=True)
            found = list(csv.DictReader(open(f"{made}/out.csv", newline="")))
        if len(wanted) != len(found):
            differences.append(f"{name}: {len(found)} jobs, {len(wanted)} expected")
        for one, other in zip(wanted, found):
            differences += [f"{name}: job {one['JobIDRaw']}: {column} is {other.get(column, '')!r}, {value!r} expected"
                            for column, value in one.items() if not same(column, value, other.get(column, ""))]
    print("\n".join(differences))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
