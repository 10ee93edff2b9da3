"""usage: own_policy_test.py PROGRAM EXAMPLES

Policies that are programs of the user's own: the same bits as the built-in ones however a campaign is run, each kind of mistake
with its message and no process left, files that change, and code of others that never runs unasked."""
import json
import os
import pathlib
import shutil
import signal as signals
import subprocess
import sys
import time

import h5py
from processes import table
from program import main, short_or_long

import wrong_policies

CAMPAIGN = """\
campaign_format: 1
name: own
seed: 3
experiment: open
system: {clusters: [32]}
workload: {model: coallocation, components: 1, component_size: {uniform: [1, 16]}}
load: {utilization: 0.6}
horizon: {jobs: 200, warm_up: none}
replications: 2
probes: [wait]
"""


def external(*words, **more):
    return {"external": {"command": ["/usr/bin/python3", *words], **more}}


def campaign(levels, labels, text=CAMPAIGN):
    return text + "factors: " + json.dumps({"policy": {"levels": levels, "labels": labels}}) + "\n"


def replications(path):
    with h5py.File(path) as file:
        cells = file["replications"]["cell"]
        return {int(cell): file["replications"]["fingerprint"][cells == cell].tolist() for cell in set(cells)}


def failures(path):
    with h5py.File(path) as file:
        rows = file["failures"]
        return [(int(row["cell"]), row["message"].decode(), row["replay"].decode()) for row in rows]


def versions(path):
    with h5py.File(path) as file:
        return file.attrs["policy_versions"].split("\n") if "policy_versions" in file.attrs else []


PYTHON = subprocess.run(["/usr/bin/python3", "-c", "import numpy, platform; print(f'numpy {numpy.__version__}, python {platform.python_version()}')"],
                        capture_output=True, text=True, check=True).stdout.strip()


def left_behind(program):
    """Processes that run in the test's folder, as policies do."""
    return [pid for pid in table() if working_folder(pid) == str(program.folder.resolve())]


def working_folder(pid):
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def check_wrong_policies(program):
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[4] / "python/src"))
    known = {name: text for name, (_, text) in [*wrong_policies.RAW.items(), *wrong_policies.packaged().items(), *wrong_policies.VERSIONS.items()]}
    counted = [name for names in wrong_policies.KINDS.values() for name in names]
    assert len(set(counted)) >= 24 and set(counted) <= set(known) and all(len(names) >= 2 for names in wrong_policies.KINDS.values())
    shutil.copy(wrong_policies.__file__, program.folder / "wrong_policies.py")
    names = ["easy", *known]
    levels = ["easy", *(external("wrong_policies.py", name, timeout_s=0.5 if name.startswith("late") else 30) for name in known)]
    program.write("wrong.yaml", campaign(levels, names))
    for workers in ("1", "3"):
        program.run("run", "wrong.yaml", "--fresh", "--workers", workers, exit_code=1)
        found = failures(program.folder / "wrong.h5")
        assert {cell for cell, _, _ in found} == set(range(1, len(names))), sorted({cell for cell, _, _ in found})
        for cell, message, replay in found:
            assert known[names[cell]] in message, (names[cell], message)
            assert message.startswith("the policy `/usr/bin/python3 wrong_policies.py " + names[cell]), message
            is_told = names[cell] not in wrong_policies.VERSIONS
            assert (" at time " if is_told else " before the first instant: ") in message, message
            assert names[cell] not in wrong_policies.RAW or "Its last lines on standard error:\n" in message, message
            assert f"--cell {cell} " in replay, replay
        assert replications(program.folder / "wrong.h5").keys() == {0}
        assert not left_behind(program), left_behind(program)
    print(f"ok: {len(known)} wrong policies, each of {len(wrong_policies.KINDS)} kinds at least twice, each with its message, under 1 and 3 workers, and none leaves a process behind")


def check_same_bits(program, examples):
    for name in ("fcfs", "easy", "shortest_first"):
        shutil.copy(examples / f"{name}.py", program.folder)
    built_in = ["fcfs", "easy", "sjf"]
    own = [external(f"{name}.py") for name in ("fcfs", "easy", "shortest_first")]
    inner = [{"partitions": {"inner": [policy], "processors": [16, 16], "largest_size": [8, 16]}} for policy in ("easy", own[1])]
    text = CAMPAIGN.replace("probes: [wait]", "probes: [wait]\njob_log: {replications: 1}")
    program.write("own.yaml", campaign([*built_in, *own, *inner], ["f", "e", "s", "f2", "e2", "s2", "p", "p2"], text))
    payloads = set()
    for words, ranks in (("-w", "0"), None), (("-w", "2"), None), (("-w", "0", "--verify"), None), ((), 3):
        program.run("run", "own.yaml", "--fresh", *words, ranks=ranks)
        found = replications(program.folder / "own.h5")
        for k in range(3):
            assert found[k] == found[k + 3], (words, ranks, built_in[k])
        assert found[6] == found[7] and found[6] != found[1], "as an inner policy"
        assert len(set(found[1]) | set(found[0]) | set(found[2])) == 6, "policies that all differ"
        payloads.add(program.payload_hash("own.h5"))
        assert versions(program.folder / "own.h5") == [f"/usr/bin/python3 {name}.py: {PYTHON}" for name in ("easy", "fcfs", "shortest_first")]
    assert len(payloads) == 1, payloads
    assert not left_behind(program), left_behind(program)
    said = program.run("run", "own.yaml", "--fresh", "-w", "1").stderr.splitlines()[0]
    assert "starts code of the campaign: `/usr/bin/python3 fcfs.py`" in said, said
    print("ok: three policies in Python give the bits of the built-in ones, in this process, in workers, under MPI, verified and inside another")


MUTATED = """\
import json, random, sys
seed = sys.argv[1]
INSTEAD = ["-1", "1e999", "18446744073709551616", "NaN", "null", "[]", "{}", '""', "true", "[[[[[[1]]]]]]", '{"job": 1, "clusters": [[0]]}', "0.5"]
def mutated(text, dice):
    kind = dice.randrange(6)
    at = dice.randrange(len(text))
    if kind == 0:
        return text[:at] + bytes([dice.randrange(256)]) + text[at + 1:]
    if kind == 1:
        return text[:at] + text[at + dice.randrange(1, 9):]
    if kind == 2:
        return text[:at] + text[dice.randrange(len(text)):] + text[at:]
    if kind == 3:
        return text[:at] + bytes(dice.randrange(256) for _ in range(dice.randrange(1, 5))) + text[at:]
    digits = [i for i, c in enumerate(text) if 48 <= c < 58]
    at = dice.choice(digits) if digits else at
    return text[:at] + dice.choice(INSTEAD).encode() + text[at + 1:]
for line in sys.stdin:
    told = json.loads(line)
    if "interface" in told:
        dice, waiting = random.Random(f"{seed} {told['seed']}"), []
        left, answer = dice.randrange(6), {"interface": 1}
    else:
        waiting += told.get("arrived", [])
        free, start = told["free"][0], []
        while waiting and waiting[0]["processors"] <= free:
            free -= waiting[0]["processors"]
            start.append({"job": waiting[0]["job"], "clusters": [[0, waiting.pop(0)["processors"]]]})
        answer = {"start": start, "wake": [told["now"] + 0.5]}
    text = json.dumps(answer).encode()
    text = mutated(text, dice) if left == 0 else text
    left -= 1
    sys.stdout.buffer.write(text.replace(b"\\n", b" ") + b"\\n")
    sys.stdout.flush()
"""


def check_mutated_answers(program):
    program.write("mutated.py", MUTATED)
    levels = 25
    program.write("mutated.yaml", campaign([external("mutated.py", str(k), timeout_s=5) for k in range(levels)], [f"m{k}" for k in range(levels)])
                  .replace("replications: 2", f"replications: {short_or_long(20, 400)}").replace("jobs: 200", "jobs: 20"))
    program.run("run", "mutated.yaml", "--fresh", "-w", "2", exit_code=1, timeout=7000)
    with h5py.File(program.folder / "mutated.h5") as file:
        kinds = {row["status"].decode() for row in file["failures"]}
        messages = [row["message"].decode() for row in file["failures"]]
        whole = len(file["replications"])
    assert kinds == {"failed"} and all(text.startswith("the policy `") for text in messages), kinds
    assert len(messages) > 400 and whole > 0, (len(messages), whole)
    print(f"ok: of 25 policies with a damaged answer {len(messages)} replications are refused with a message, and no worker is harmed")


# 4 processors. job: submit, run, processors, requested, user
#   0: 0 10 3 10 1     1: 0 5 2 5 2     2: 2 20 1 100 7
TOLD_LOG = """\
; MaxProcs: 4
1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 5 2 -1 -1 2 5 -1 1 2 1 -1 -1 -1 -1 -1
3 2 -1 20 1 -1 -1 1 100 -1 1 7 1 -1 -1 -1 -1 -1
"""
TOLD_POLICY = """\
import json, sys
ANSWERS = {0: {"start": [0]}, 2: {"wake": 5.0}, 5: {"start": [{"job": 2, "clusters": [[0, 0], [0, 1]]}]}, 10: {"start": [1]}}
for line in sys.stdin:
    with open("told.txt", "a") as file:
        file.write(line)
    told = json.loads(line)
    print(json.dumps({"interface": 1} if "interface" in told else ANSWERS.get(told["now"], {})), flush=True)
"""
TOLD = """\
{"now":0.0,"arrived":[{"job":0,"submit_time":0.0,"processors":3,"requested_time":10.0,"user":1},\
{"job":1,"submit_time":0.0,"processors":2,"requested_time":5.0,"user":2}],"free":[4]}
{"now":2.0,"arrived":[{"job":2,"submit_time":2.0,"processors":1,"requested_time":100.0,"user":7}],"free":[1]}
{"now":5.0,"free":[1]}
{"now":10.0,"finished":[0],"free":[3]}
{"now":15.0,"finished":[1],"free":[3]}
{"now":25.0,"finished":[2],"free":[4]}
"""
PATIENT = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "interface" in told:
        waiting, free = [], None
        print('{"interface": 1}', flush=True)
        continue
    waiting += [job["job"] for job in told.get("arrived", [])]
    count = told["free"][0] if told["free"] == [4] else 0
    print(json.dumps({"start": waiting[:min(count, 1)] if told["now"] < 5000 else waiting[:count]}), flush=True)
    waiting = waiting[min(count, 1) if told["now"] < 5000 else count:]
"""


def check_lines(program):
    program.write("told.swf", TOLD_LOG)
    program.write("told.py", TOLD_POLICY)
    words = ["simulate", "--trace", "told.swf", "-p", "4", "--policy", "external", "--set", 'command=["/usr/bin/python3", "told.py"]', "--jobs", "-"]
    jobs = program.run(*words).stdout
    first, _, rest = (program.folder / "told.txt").read_text().partition("\n")
    assert rest == TOLD, rest
    hello = json.loads(first)
    assert [hello[key] for key in ("interface", "clusters", "processors", "memory_per_processor")] == [1, [4], "counted", 0.0], first
    assert [row.split(",")[2] for row in jobs.splitlines()[1:4]] == ["0", "10", "5"], jobs
    assert program.run(*words, "--verify").stdout == jobs
    for now, other, asked, named in (5, "{}", 2, ""), (0, '{"start": [1]}', 0, "1"):
        (program.folder / "told.txt").unlink()
        program.write("told.py", TOLD_POLICY.replace("    print(", f"""\
    if "interface" in told:
        is_second = open("told.txt").read().count("interface") > 1
    elif is_second and told["now"] == {now}:  # at 5 it has woken itself
        ANSWERS[{now}] = {other}
    print("""))
        said = program.run(*words, "--verify", exit_code=None).stderr
        assert f"the policy answers otherwise when it is asked again, first at time {now}: it starts the jobs [{asked}], and started [{named}]" in said, said
    program.write("told.py", TOLD_POLICY.replace('ANSWERS.get(told["now"], {})', "{}"))
    said = program.run(*words, exit_code=1).stderr
    assert "at time 2: idle with 3 jobs waiting: job " in said and "nothing else is to come" in said, said
    # Who may be named without an interpreter, and draws from a seed that a double holds.
    program.write("seeds.py", "#!/usr/bin/python3\n" + TOLD_POLICY.replace("ANSWERS.get(told[\"now\"], {})", '{"error": "enough"}'))
    (program.folder / "seeds.py").chmod(0o755)
    (program.folder / "told.txt").unlink()
    own = [{"external": {"command": [str(program.folder / "seeds.py")]}}, {"external": {"command": ["./seeds.py"]}}]
    program.write("seeds.yaml", campaign(own, ["absolute", "beside"]).replace("replications: 2", "replications: 8"))
    program.run("run", "seeds.yaml", "-w", "0", exit_code=1)
    assert all("raised enough" in message for _, message, _ in failures(program.folder / "seeds.h5")), failures(program.folder / "seeds.h5")
    seeds = {told["seed"] for told in map(json.loads, (program.folder / "told.txt").read_text().splitlines()) if "seed" in told}
    assert len(seeds) == 8 and max(seeds) < 2**53, seeds
    print("ok: the lines of three jobs are those written by hand, and seeds are whole numbers below 2^53")


def check_patient_policy(program):
    """Who lets 1,100 jobs wait while one runs is not idle."""
    program.write("patient.swf", "; MaxProcs: 4\n" + "".join(f"{k + 1} {k} -1 {run} 1 -1 -1 1 {run} -1 1 1 1 -1 -1 -1 -1 -1\n"
                                                             for k, run in enumerate([5000, *[1] * 1100])))
    program.write("patient.py", PATIENT)
    done = program.run("simulate", "--trace", "patient.swf", "-p", "4", "--policy", "external", "--set", 'command=["/usr/bin/python3", "patient.py"]',
                       "--jobs", "-")
    starts = [float(row.split(",")[2]) for row in done.stdout.splitlines()[1:1102]]
    assert starts == [0.0, *(5000.0 + k // 4 for k in range(1100))], starts[:9]
    print("ok: a policy that waits for a job that runs is not idle")


def check_verify_names_the_instant(program):
    program.write("moody.py", """\
import json, os, sys
waiting = []
for line in sys.stdin:
    told = json.loads(line)
    if "interface" in told:
        waiting, begun = [], os.path.exists("second")
        open("second", "w").close()
        print('{"interface": 1}', flush=True)
        continue
    waiting += told.get("arrived", [])
    order = waiting[::-1] if begun and told["now"] > 40 else waiting[:]
    free, start = told["free"][0], []
    for job in order:
        if job["processors"] <= free:
            free -= job["processors"]
            start.append(job["job"])
    waiting = [job for job in waiting if job["job"] not in start]
    print(json.dumps({"start": start}), flush=True)
""")
    program.write("moody.yaml", campaign([external("moody.py")], ["moody"], CAMPAIGN.replace("replications: 2", "replications: 1")))
    program.run("run", "moody.yaml", "--fresh", "-w", "0", "--verify", exit_code=1)
    (_, message, _), = failures(program.folder / "moody.h5")
    assert "answers otherwise when it is asked again, first at time " in message, message
    instant = float(message.split("first at time ")[1].split(":")[0])
    assert 40 < instant < 80, message
    print("ok: --verify asks a fresh process again and names the first instant at which the answers differ")


def check_changed_scripts(program, examples):
    shutil.copy(examples / "fcfs.py", program.folder / "mine.py")
    program.write("weights.csv", "1,2\n")
    program.write("mine.yaml", campaign([external("mine.py", files=["weights.csv"])], ["mine"]))
    program.run("run", "mine.yaml", "-w", "0")
    with h5py.File(program.folder / "mine.h5") as file:
        inputs = json.loads(file.attrs["effective_configuration"])["inputs"]
    assert set(inputs) == {"mine.py", "weights.csv"}, inputs
    for changed in ("weights.csv", "mine.py"):
        with open(program.folder / changed, "a", encoding="utf-8") as file:
            file.write("# another\n")
        done = program.run("resume", "mine.yaml", "-w", "0", exit_code=2)
        assert "begun with other contents" in done.stderr, done.stderr
        program.run("run", "mine.yaml", "--fresh", "-w", "0")
    # It changes itself while it runs.
    program.write("mine.yaml", campaign([external("mine.py", files=["weights.csv"])], ["mine"], CAMPAIGN.replace("replications: 2", "replications: 8")))
    text = (examples / "fcfs.py").read_text()
    program.write("mine.py", text.replace("\n\n\nclass", '\nopen(__file__, "a").write("#")\n\n\nclass'))
    for workers in ("0", "2"):
        done = program.run("run", "mine.yaml", "--fresh", "-w", workers, exit_code=2)
        assert "mine.py: the file has changed since the run began" in done.stderr, done.stderr
    print("ok: a changed script, or a file that it reads, is not resumed, and ends a run")


def check_refused_campaigns(program):
    for policy, said in (({"external": {}}, "no command is given"),
                         ({"external": {"command": "python3 mine.py"}}, "Write a list of words"),
                         ({"external": {"command": ["mine.py"]}}, "'mine.py' is looked for among the programs, not in the folder. Write [python3, mine.py], or [./mine.py]"),
                         ({"external": {"command": ["python3"]}}, "no word of `python3` is a file"),
                         ({"external": {"command": ["python3", "absent.py"]}}, "no word of `python3 absent.py` is a file"),
                         (external("mine.py", files=["absent.csv"]), "absent.csv: there is no such file"),
                         (external("mine.py", timeout_s=0), "timeout_s"),
                         ({"external": {"command": [["python3"], "mine.py"]}}, "must be a list of words")):
        program.write("refused.yaml", campaign([policy], ["refused"]))
        done = program.run("run", "refused.yaml", exit_code=2)
        assert said in done.stderr and len(done.stderr.strip().splitlines()) == 1, done.stderr
    program.write("gone.yaml", campaign([{"external": {"command": ["no-such-program", "mine.py"]}}], ["gone"]))
    program.run("run", "gone.yaml", "-w", "0", exit_code=1)
    assert "cannot be started (no-such-program: No such file or directory)" in failures(program.folder / "gone.h5")[0][1]
    print("ok: commands that cannot be run are refused in one line")


def check_wrapped_policies(program):
    """A policy behind a script, which never answers: the process that it started is no child of the worker's."""
    program.write("wrapped.sh", "#!/bin/sh\n/usr/bin/python3 busy.py\ntrue\n")
    (program.folder / "wrapped.sh").chmod(0o755)
    program.write("busy.py", "import sys\nsys.stdin.readline()\nprint('{\"interface\": 1}', flush=True)\nwhile True: pass\n")
    program.write("wrapped.yaml", campaign([{"external": {"command": ["./wrapped.sh"], "files": ["busy.py"], "timeout_s": 600}}], ["wrapped"]))
    program.run("run", "wrapped.yaml", "-w", "2", "--time-limit", "1", exit_code=1)
    assert not left_behind(program), left_behind(program)
    for signal in ("TERM", "TERM"), ("KILL",):
        run = subprocess.Popen([program.path, "run", "wrapped.yaml", "--fresh", "-w", "2"], cwd=program.folder, stderr=subprocess.DEVNULL)
        while len(left_behind(program)) < 8:  # run, server, workers, scripts and policies
            assert run.poll() is None
            time.sleep(0.05)
        for one in signal:
            run.send_signal(getattr(signals, f"SIG{one}"))
            time.sleep(0.5)
        run.wait()
        deadline = time.monotonic() + 20
        while left_behind(program):
            assert time.monotonic() < deadline, (signal, left_behind(program))
            time.sleep(0.05)
    print("ok: nothing that a policy has started outlives its worker, which is ended by a limit or with its run")


ENDLESS_ONCE = """\
import json, os, sys
for line in sys.stdin:
    told = json.loads(line)
    if "interface" in told:
        print('{"interface": 1}', flush=True)
    elif os.path.exists("said"):
        print(json.dumps({"start": [job["job"] for job in told.get("arrived", [])]}), flush=True)
    else:
        open("said", "w").close()
        print('{"start": [', end="")
        for _ in range(300):
            print("1," * 100000, end="")
        print("1]}", flush=True)
"""


def check_answers_beyond_memory(program):
    program.write("endless.py", ENDLESS_ONCE)
    text = CAMPAIGN.replace("utilization: 0.6", "utilization: 0.01").replace("jobs: 200", "jobs: 5").replace("[32]", "[2000]")
    program.write("endless.yaml", campaign([external("endless.py")], ["endless"], text))
    program.run("run", "endless.yaml", "-w", "1", "--memory-limit", "64", exit_code=1)
    with h5py.File(program.folder / "endless.h5") as file:
        assert [(row["replication"], row["message"].decode()) for row in file["failures"]] == [(0, "out of memory (its limit is 64 MiB)")], file["failures"][:]
    print("ok: an answer that does not fit into memory fails its own replication alone")


def check_rebuilt_logs(program, examples):
    shutil.copy(examples / "fcfs.py", program.folder)
    text = CAMPAIGN + "job_log: {replications: 1, utilization_parts: 3}\n"
    program.write("logged.yaml", campaign(["fcfs", external("fcfs.py")], ["built_in", "own"], text))
    program.run("run", "logged.yaml", "-w", "1")
    said = program.run("rebuild", "logged.h5.journal", "-o", "rebuilt.h5").stderr
    assert said.count("the job log of cell 1, replication 0 is left out: the policy `/usr/bin/python3 fcfs.py` was not started") == 1, said
    with h5py.File(program.folder / "logged.h5") as whole, h5py.File(program.folder / "rebuilt.h5") as rebuilt:
        assert set(whole["jobs"]) == {"0", "1"} and set(rebuilt["jobs"]) == {"0"}
        assert rebuilt["utilization_series"][:].tolist() == [row for row in whole["utilization_series"][:].tolist() if row[0] == 0] != [], rebuilt["utilization_series"][:]
    print("ok: rebuild starts no code, says which logs it leaves out for that, and has those of the built-in policies")


def test(program, arguments):
    examples = pathlib.Path(arguments[0])
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    check_same_bits(program, examples)
    check_wrong_policies(program)
    check_lines(program)
    check_patient_policy(program)
    check_mutated_answers(program)
    check_verify_names_the_instant(program)
    check_changed_scripts(program, examples)
    check_refused_campaigns(program)
    check_rebuilt_logs(program, examples)
    check_answers_beyond_memory(program)
    check_wrapped_policies(program)


if __name__ == "__main__":
    sys.exit(main(test))
