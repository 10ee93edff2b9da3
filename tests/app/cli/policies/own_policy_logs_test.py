"""usage: own_policy_logs_test.py PROGRAM EXAMPLES

Whole logs: policies in Python start every job when the built-in ones do, however the campaign is run."""
import json
import os
import pathlib
import shutil
import sys

import h5py
from program import Program, logs_or_skip, short_or_long

LOGS = {"KTH-SP2-1996-2.1-cln.swf.gz": 100, "CTC-SP2-1996-3.1-cln.swf.gz": 338, "LANL-CM5-1994-4.1-cln.swf.gz": 1024,
        "SDSC-BLUE-2000-4.2-cln.swf.gz": 1152}
NAMES = {"fcfs": "fcfs", "easy": "easy", "sjf": "shortest_first"}


def check(program, examples, log, processors, names, forms):
    """The bits of one log under so many policies, each built in and in Python."""
    for name in names:
        shutil.copy(examples / f"{NAMES[name]}.py", program.folder)
    levels = [*names, *({"external": {"command": ["/usr/bin/python3", f"{NAMES[name]}.py"]}} for name in names)]
    labels = [*names, *(f"my {name}" for name in names)]
    program.write("log.yaml", f"""\
campaign_format: 1
name: log
seed: 1
experiment: trace
system: {{clusters: [{processors}]}}
workload: {{model: trace, file: {log}, resampling: none}}
horizon: {{jobs: all, warm_up: none}}
replications: 1
probes: [wait]
factors: {json.dumps({"policy": {"levels": levels, "labels": labels}})}
""")
    for words, ranks in forms:
        program.run("run", "log.yaml", "--fresh", *words, ranks=ranks, timeout=3000)
        with h5py.File(program.folder / "log.h5") as file:
            bits = dict(zip(file["replications"]["cell"].tolist(), file["replications"]["fingerprint"].tolist()))
        for place, name in enumerate(names):
            assert bits[place] == bits[place + len(names)], (log, name, words, ranks)
        assert len(set(bits.values())) == len(names), bits


def main():
    logs = logs_or_skip()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    program, examples = Program(sys.argv[1]), pathlib.Path(sys.argv[2])
    ways = [(("-w", "0"), None), (("-w", "2"), None), ((), 3), (("-w", "0", "--verify"), None)]
    try:
        for log, processors in list(LOGS.items())[:short_or_long(2, 4)]:
            check(program, examples, logs / log, processors, ["easy"] if log.startswith("CTC") else list(NAMES),
                  short_or_long(ways[1:2], ways))
            print(f"ok: {log}: every start of the built-in policies", flush=True)
    finally:
        program.remove_folder()


main()
