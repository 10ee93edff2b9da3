"""usage: own_policy_logs_test.py PROGRAM EXAMPLES

Whole logs: policies in Python, and EASY built as a library, start every job when the built-in ones do, however the campaign is run."""
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
WAYS = [(("-w", "2"), None), (("-w", "0"), None), ((), 3), (("-w", "0", "--verify"), None)]


def write_campaign(program, log, processors):
    """Each policy built in, then in Python, and EASY in C++ without the tree."""
    own = [*({"external": {"command": ["/usr/bin/python3", f"{file}.py"]}} for file in NAMES.values()), {"plugin": {"library": "my_easy.so"}}]
    labels = [*NAMES, *(f"my {name}" for name in NAMES), "library"]
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
factors: {json.dumps({"policy": {"levels": [*NAMES, *own], "labels": labels}})}
""")


def check(program, words, ranks):
    program.run("run", "log.yaml", "--fresh", *words, ranks=ranks, timeout=3000)
    with h5py.File(program.folder / "log.h5") as file:
        bits = dict(zip(file["replications"]["cell"].tolist(), file["replications"]["fingerprint"].tolist()))
    for place, name in enumerate(NAMES):
        assert bits[place] == bits[place + len(NAMES)], (name, words, ranks)
    assert bits[2 * len(NAMES)] == bits[list(NAMES).index("easy")], ("library", words, ranks)
    assert len(bits) == 7 and len(set(bits.values())) == len(NAMES), bits


def main():
    logs = logs_or_skip()
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    program, examples = Program(sys.argv[1]), pathlib.Path(sys.argv[2])
    try:
        for name in NAMES.values():
            shutil.copy(examples / f"{name}.py", program.folder)
        shutil.copy(examples.parent / "policies/backfilling/easy.cpp", program.folder)
        program.run("build-policy", "easy.cpp", "-o", "my_easy.so")
        for log, processors in list(LOGS.items())[:short_or_long(2, 4)]:
            if not (logs / log).is_file():
                print(f"skipped: {log} is not in $SCHEDFARM_TRACES")
                continue
            write_campaign(program, logs / log, processors)
            for words, ranks in short_or_long(WAYS[:1], WAYS):
                check(program, words, ranks)
                print(f"ok: {log}, {f'{ranks} ranks' if ranks else ' '.join(words)}: every start of the built-in policies", flush=True)
    finally:
        program.remove_folder()


main()
