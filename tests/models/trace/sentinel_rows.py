#!/usr/bin/env python3
"""Invents rows in the forms of Slurm's database and of sacct, with every sentinel in every column, reads them by other
code than the program's, and holds what `schedfarm trace --write` makes of them against that. Then damages rows at
random and holds the jobs and the rows that are counted as lost against the rows there are.

usage: sentinel_rows.py PROGRAM [ROWS] [SEED]       prints every difference and exits 1 if there is one
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

DECADE = 315_360_000
YEAR = 31_536_000
NEVER = ["0", "-1", "4294967295", "4294967294"]
NO_COUNT = ["-1", "4294967295", "4294967294", "18446744073709551615", "18446744073709551614", "-1.0", "4294967295.0"]
STATES = {0: "PENDING", 1: "RUNNING", 2: "SUSPENDED", 3: "COMPLETED", 4: "CANCELLED", 5: "FAILED", 6: "TIMEOUT", 7: "NODE_FAIL",
          8: "PREEMPTED", 9: "BOOT_FAIL", 10: "DEADLINE", 11: "OUT_OF_MEMORY"}


def said(text):
    """The number, or nothing for what says nothing."""
    if text in ("", "Unknown", "None", "INVALID") or text in NO_COUNT:
        return None
    return float(text)


def instant(text):
    value = said(text)
    return None if value is None or value < DECADE else value


def pairs(text):
    return dict(entry.split("=") for entry in text.split(",") if entry)


def whole(value):
    return None if value is None else math.ceil(value)


def kilobytes(text, nodes, processors):
    """Per processor, of MB where no letter says otherwise."""
    if text in ("", "?") or text in NO_COUNT:
        return None
    if text.isdigit() and int(text) >= 2**63:
        value = (int(text) - 2**63) * 1024
        return value or None
    per = text[-1] if text[-1] in "cn" else ""
    text = text[:-1] if per else text
    scale = {"K": 1, "M": 1024, "G": 1024**2}.get(text[-1])
    value = float(text[:-1]) * scale if scale else float(text) * 1024
    if value <= 0:
        return None
    if per == "c":
        return value
    if per == "n":
        value = value * nodes if nodes and nodes > 0 else None
    return value / processors if value and processors and processors > 0 else None


def limit(text):
    if text in ("UNLIMITED", "4294967295", "4294967295.0"):
        return YEAR
    if text in ("Partition_Limit", "4294967294"):
        return None
    if ":" in text:
        days, _, clock = text.rpartition("-")
        hours, minutes, seconds = map(int, clock.split(":"))
        return int(days or 0) * 86400 + hours * 3600 + minutes * 60 + seconds
    value = said(text)
    return None if value is None else value * 60


def completed(row):
    """What follows, in the words of sacct."""
    row["submit"] = row["eligible"] if row["submit"] is None else row["submit"]
    start, end, run = row["start"], row["end"], row["run"]
    if run is None and None not in (start, end) and end >= start:
        run = max(0, end - start - (row["suspended"] or 0))
    if start is None and run == 0:
        run = None
    state = row["state"]
    if state is None and start is not None and end is None:
        state = "RUNNING"
    waited = start is not None and row["submit"] is not None and start >= row["submit"]
    ended = waited and run is not None and state not in ("RUNNING", "SUSPENDED")
    return {"JobIDRaw": row["id"], "Submit": row["submit"], "Eligible": row["eligible"], "Start": start if waited else None,
            "End": start + run if ended else None, "ElapsedRaw": run, "Timelimit": row["limit"], "State": state,
            "ReqNodes": whole(row["requested_nodes"]), "AllocNodes": whole(row["nodes"]),
            "ReqCPUS": whole(row["requested_processors"]), "AllocCPUS": whole(row["processors"]), "ReqMem": row["memory"],
            "AllocTRES": whole(row["gpus"])}


def read_database(cells):
    tres = pairs(cells["tres_alloc"])
    nodes, processors, requested = (said(text) for text in (cells["nodes_alloc"], tres.get("1", ""), cells["cpus_req"]))
    number = int(cells["state"])
    state = "REQUEUED" if number & 1024 else STATES.get(number & 255) if number > 255 else STATES.get(number)
    size = processors if processors and processors > 0 else requested
    return completed({
        "id": cells["id_job"], "submit": instant(cells["time_submit"]), "eligible": instant(cells["time_eligible"]),
        "start": instant(cells["time_start"]), "end": instant(cells["time_end"]), "run": None, "suspended": None,
        "limit": limit(cells["timelimit"]), "nodes": nodes, "requested_nodes": None, "processors": processors,
        "requested_processors": requested, "gpus": said(tres.get("1002", "")), "state": state,
        "memory": kilobytes(cells["mem_req"], whole(nodes), whole(size))})


def read_sacct(cells):
    tres = pairs(cells["AllocTRES"])
    nodes, processors = said(cells["AllocNodes"]), said(cells["AllocCPUS"])
    nodes = said(tres.get("node", "")) if nodes is None else nodes
    processors = said(tres.get("cpu", "")) if processors is None else processors
    requested, asked = said(cells["ReqCPUS"]), said(cells["ReqNodes"])
    size = processors if processors and processors > 0 else requested
    held = nodes if nodes and nodes > 0 else asked
    memory = kilobytes(cells["ReqMem"], whole(held), whole(size))
    kept = cells["ReqMem"] in ("", "?", "0") or cells["ReqMem"] in NO_COUNT or cells["ReqMem"][0] == "0"
    suspended = None if cells["Suspended"] in NO_COUNT else limit(cells["Suspended"])
    return completed({
        "id": cells["JobIDRaw"], "submit": instant(cells["Submit"]), "eligible": instant(cells["Eligible"]),
        "start": instant(cells["Start"]), "end": instant(cells["End"]), "run": said(cells["ElapsedRaw"]), "suspended": suspended,
        "limit": limit(cells["TimelimitRaw"]), "nodes": nodes, "requested_nodes": asked, "processors": processors,
        "requested_processors": requested, "gpus": said(tres.get("gres/gpu", "")), "state": cells["State"].split(" ")[0] or None,
        "memory": kilobytes(tres.get("mem", ""), None, whole(size)) if kept else memory})


def some(rng, usual, sentinels, odds=0.2):
    return str(rng.choice(sentinels)) if rng.random() < odds else str(usual)


def times(rng, place, none):
    submit = 1_700_000_000 + 97 * place
    eligible = submit + rng.choice([0, 0, 13, 4001])
    start = eligible + rng.choice([0, 7, 911, -23])
    end = start + rng.choice([0, 1, 59, 86_399, -31])
    return [some(rng, time, NEVER + none, 0.12) for time in (submit, eligible, start, end)]


def tres(rng, cpu, gpu, node=None):
    entries = []
    for key, usual in ((cpu, rng.randint(1, 640)), (gpu, rng.randint(0, 9)), (node, rng.randint(1, 9))):
        if key and rng.random() < 0.8:
            entries.append(f"{key}={some(rng, usual, NO_COUNT[1:5])}")
    return ",".join(entries)


def database_rows(rng, count):
    for place in range(count):
        submit, eligible, start, end = times(rng, place, [])
        yield {"id_job": str(place + 1), "time_submit": submit, "time_eligible": eligible, "time_start": start, "time_end": end,
               "timelimit": some(rng, rng.randint(1, 9999), ["0"] + NO_COUNT[:3]), "nodes_alloc": some(rng, rng.randint(1, 99), ["0"] + NO_COUNT),
               "cpus_req": some(rng, rng.randint(1, 640), ["0"] + NO_COUNT), "tres_alloc": tres(rng, "1", "1002"),
               "mem_req": some(rng, rng.choice([4096, 2**63 + 3000, 700]), ["0", 2**63] + NO_COUNT),
               "id_user": str(rng.randint(0, 5)), "state": str(rng.choice([0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1027, 32773])),
               "nodelist": rng.choice(["None assigned", "n[1-3]", ""])}


def sacct_rows(rng, count):
    none = ["Unknown", "None", ""]
    for place in range(count):
        submit, eligible, start, end = times(rng, place, none)
        yield {"JobIDRaw": str(place + 1), "JobID": str(place + 1), "Submit": submit, "Eligible": eligible, "Start": start, "End": end,
               "ElapsedRaw": some(rng, rng.choice([0, 1, 59, 86_399]), NO_COUNT + [""]),
               "Suspended": some(rng, rng.choice(["00:00:00", "00:00:05", "1-00:00:01"]), ["", "INVALID"] + NO_COUNT[:3])
               if place % 2 else "00:00:00",
               "TimelimitRaw": some(rng, rng.randint(1, 9999), ["UNLIMITED", "Partition_Limit", "", "0"] + NO_COUNT[:3]),
               "State": rng.choice(["COMPLETED", "CANCELLED by 7", "FAILED", "RUNNING", "PENDING", "TIMEOUT", ""]),
               "AllocNodes": some(rng, rng.randint(1, 99), ["0", ""] + NO_COUNT), "ReqNodes": some(rng, rng.randint(1, 99), ["0", ""] + NO_COUNT),
               "AllocCPUS": some(rng, rng.choice([1, 2.5, 640]), ["0", ""] + NO_COUNT), "ReqCPUS": some(rng, rng.randint(1, 640), ["0", ""] + NO_COUNT),
               "ReqMem": some(rng, rng.choice(["4000M", "3000Mc", "7Gn", "1.5G", "9216K", "77"]), ["0", "0n", "", *NO_COUNT]),
               "AllocTRES": tres(rng, "cpu", "gres/gpu", "node")}


def written(program, file, folder, words):
    out = pathlib.Path(folder) / "out.sacct"
    done = subprocess.run([program, "trace", file, *words, "--write", out], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    header, *rows = [line.split("|") for line in out.read_text().splitlines()]
    for cells in rows:
        row = dict(zip(header, cells))
        numbers = {name: None if row.get(name, "") in ("", "Unknown") else float(row[name])
                   for name in ("Submit", "Eligible", "Start", "End", "ElapsedRaw", "ReqNodes", "AllocNodes", "ReqCPUS", "AllocCPUS")}
        yield {"JobIDRaw": row["JobIDRaw"], **numbers, "Timelimit": limit(row["Timelimit"]), "State": row["State"] or None,
               "ReqMem": float(row["ReqMem"][:-2]) if row["ReqMem"] else None,
               "AllocTRES": float(row["AllocTRES"].split("=")[1]) if row.get("AllocTRES") else None}


def same(a, b):
    if isinstance(a, str) or a is None or b is None:
        return a == b
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-9)


def compare(program, folder, form, rows, separator, words, read):
    file = pathlib.Path(folder) / form
    names = list(rows[0])
    quoted = (lambda text: f'"{text}"' if "," in text else text) if separator == "," else str
    file.write_text("".join(separator.join(line) + "\n" for line in [names] + [[quoted(row[name]) for name in names] for row in rows]))
    found = list(written(program, file, folder, words))
    differences = 0 if len(found) == len(rows) else print(f"{form}: {len(found)} jobs of {len(rows)} rows") or 1
    for cells, job in zip(rows, found):
        for name, value in read(cells).items():
            if not same(value, job[name]):
                differences += 1
                if differences < 20:
                    print(f"{form}: {name}: {job[name]}, not {value}: {cells}")
    return differences


def damaged(rng, line, separator):
    place = rng.randrange(len(line))
    kind = rng.randrange(7)
    letter = rng.choice(separator + "\"'\\-#x0 9[]:")
    return (line[:place] + letter + line[place:] if kind < 2 else line[:place] + line[place + 1:] if kind == 2
            else line[:place] + letter + line[place + 1:] if kind == 3 else line[:place] if kind == 4 and place > 0
            else line[place:] if kind == 5 else line[:place] + line[place // 2:])


def fuzz(program, folder, form, rows, separator, words, rng, with_breaks=False):
    """Whole and damaged rows by turns."""
    names = list(rows[0])
    lines = [separator.join(f'"{row[name]}"' if "," in row[name] and separator == "," else row[name] for name in names) for row in rows]
    for place in range(1, len(lines), 2):
        lines[place] = damaged(rng, lines[place], separator)
        if with_breaks and place % 4 == 1:
            at = rng.randrange(len(lines[place]))
            lines[place] = lines[place][:at] + "\n" + lines[place][at:]
    text = separator.join(names) + "\n" + "\n".join(lines) + "\n"
    file = pathlib.Path(folder) / f"{form}.fuzz"
    file.write_text(text)
    done = subprocess.run([program, "trace", file, "--json", *words], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{form}: {done.stderr}")
        return 1
    log = json.loads(done.stdout)
    kinds = ("a row with more or fewer", "a row with a value that cannot", "a row that was there before", "a step of a job",
             "the header again")
    counted = sum(oddity["count"] for oddity in log["oddities"] if oddity["oddity"].startswith(kinds))
    most = sum(1 for line in text.splitlines()[1:] if line.strip())
    least = len(rows) if with_breaks else most
    if not least <= log["jobs"] + counted <= most or log["jobs"] < len(rows) / 2 - 1:
        print(f"{form}: {log['jobs']} jobs and {counted} rows counted, of {most} lines of {len(rows)} rows")
        return 1
    return 0


def main(program, count, seed):
    rng = random.Random(seed)
    differences = 0
    with tempfile.TemporaryDirectory() as folder:
        database, sacct = list(database_rows(rng, count // 2)), list(sacct_rows(rng, count // 2))
        words = ["--columns", "supercloud"]
        differences += compare(program, folder, "database", database, ",", words, read_database)
        differences += compare(program, folder, "sacct", sacct, "|", [], read_sacct)
        for part in range(0, min(count // 2, 1000), 100):
            for form, rows, separator, columns in (("database", database, ",", words), ("sacct", sacct, "|", [])):
                some_rows = [row for row in rows[part:part + 100]]
                differences += fuzz(program, folder, form, some_rows, separator, columns, rng)
            differences += fuzz(program, folder, "sacct", sacct[part:part + 100], "|", [], rng, with_breaks=True)
    return 1 if differences else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000, int(sys.argv[3]) if len(sys.argv) > 3 else 1))
